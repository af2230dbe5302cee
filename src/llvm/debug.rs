//! Reads debug information: places in the analysed file and types as the source wrote them.
//!
//! Every question is answered once per metadata node, because every instruction asks. Files are compared by node, and a
//! node not seen before by path: the compile unit and what is in it may each have a node for the same file.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use super::input::ClangOptions;
use super::raw::{Bitcode, Kind, Metadata, tag};
use crate::program::ir::{Loc, SourceType};

/// Deepest type that is followed. C types this deep are made by machines; what lies deeper is "unknown".
const MAX_DEPTH: u32 = 64;

/// Debug information of one module.
pub(super) struct Debug<'m> {
    /// The compile unit; without one nothing has a place.
    pub unit: Option<Metadata<'m>>,
    main: Option<Metadata<'m>>,
    main_path: PathBuf,
    /// The header that the function at hand is in, if its places are asked for.
    header: Option<PathBuf>,
    /// Other files that its body has parts of.
    included: Vec<PathBuf>,
    is_main: FxHashMap<Metadata<'m>, bool>,
    mentions_target: FxHashMap<Metadata<'m>, bool>,
    /// By scope, what is added to its lines, if they have places.
    lines_of_scope: FxHashMap<Metadata<'m>, Option<u32>>,
    types: FxHashMap<Metadata<'m>, SourceType>,
    /// How the text was compiled: which headers hold what.
    options: &'m ClangOptions,
    /// Start of each line of the analysed text, and the text: debug information has no columns for declarations.
    text: &'m [u8],
    lines: Vec<usize>,
}

impl<'m> Debug<'m> {
    /// `text` is what was compiled.
    pub fn new(bitcode: &'m Bitcode, text: &'m [u8], options: &'m ClangOptions) -> Debug<'m> {
        let unit = bitcode.compile_unit();
        let main = unit.and_then(Metadata::file);
        let newlines = text
            .iter()
            .enumerate()
            .filter(|&(_, &byte)| byte == b'\n')
            .map(|(at, _)| at + 1);
        Debug {
            unit,
            main,
            main_path: main.map(path).unwrap_or_default(),
            header: None,
            included: Vec::new(),
            is_main: FxHashMap::default(),
            mentions_target: FxHashMap::default(),
            lines_of_scope: FxHashMap::default(),
            types: FxHashMap::default(),
            options,
            text,
            lines: std::iter::once(0).chain(newlines).collect(),
        }
    }

    /// Whether `file` is the analysed one.
    pub fn is_main_file(&mut self, file: Option<Metadata<'m>>) -> bool {
        let Some(file) = file else { return false };
        if Some(file) == self.main {
            return true;
        }
        let main_path = &self.main_path;
        *self.is_main.entry(file).or_insert_with(|| path(file) == *main_path)
    }

    /// Whether a header may hold `target` directives; yes if it cannot be read.
    pub fn mentions_target(&mut self, file: Option<Metadata<'m>>) -> bool {
        let Some(file) = file else { return true };
        *self.mentions_target.entry(file).or_insert_with(|| {
            let Some(text) = self.options.header(&path(file)) else {
                return true;
            };
            let has = |word: &[u8]| text.windows(word.len()).any(|w| w == word);
            has(b"target") && has(b"omp")
        })
    }

    /// Says which function's places are asked for next: one of the analysed file, or one of a header.
    pub fn enter(&mut self, header: Option<PathBuf>) {
        if self.header != header {
            self.header = header;
            self.lines_of_scope.clear();
        }
    }

    /// The files that the function at hand has parts of its body from, by their numbers in its places.
    pub fn leave(&mut self) -> Vec<PathBuf> {
        if !self.included.is_empty() {
            self.lines_of_scope.clear();
        }
        std::mem::take(&mut self.included)
    }

    /// The position that a `DILocation` names, if it is in the file of the function at hand, or in one that its body includes.
    pub fn loc(&mut self, location: Metadata<'m>) -> Option<Loc> {
        if location.kind() != Kind::Location {
            return None;
        }
        let (line, col) = location.location();
        let scope = location.location_scope()?;
        let before = match self.lines_of_scope.get(&scope) {
            Some(&known) => known,
            None => {
                let computed = self.lines_before(scope.file());
                self.lines_of_scope.insert(scope, computed);
                computed
            }
        };
        let inside = line != 0 && line < Loc::INCLUDED;
        Some(Loc {
            line: before.filter(|_| inside)? + line,
            col,
        })
    }

    fn lines_before(&mut self, file: Option<Metadata<'m>>) -> Option<u32> {
        if let Some(header) = &self.header {
            return file.is_some_and(|file| path(file) == *header).then_some(0);
        }
        if self.is_main_file(file) {
            return Some(0);
        }
        if !self.mentions_target(file) {
            return None;
        }
        let path = path(file?);
        let at = self.included.iter().position(|p| *p == path).unwrap_or_else(|| {
            self.included.push(path);
            self.included.len() - 1
        });
        u32::try_from(at + 1).ok()?.checked_mul(Loc::INCLUDED)
    }

    /// Position of the identifier `name` declared on `line` of `file`: column 1 when a macro hides it.
    pub fn declaration(&mut self, file: Option<Metadata<'m>>, line: u32, name: &str) -> Option<Loc> {
        if line == 0 || !self.is_main_file(file) {
            return None;
        }
        let index = line as usize - 1;
        let start = *self.lines.get(index)?;
        let end = self.lines.get(index + 1).copied().unwrap_or(self.text.len());
        let col = find_word(&self.text[start..end], name.as_bytes()).map_or(1, |at| at as u32 + 1);
        Some(Loc { line, col })
    }

    /// The type that a `DIType` describes; `None` is `void`.
    pub fn source_type(&mut self, ty: Option<Metadata<'m>>) -> SourceType {
        self.source_type_at(ty, 0)
    }

    fn source_type_at(&mut self, ty: Option<Metadata<'m>>, depth: u32) -> SourceType {
        let Some(ty) = ty.filter(|_| depth < MAX_DEPTH) else {
            return SourceType::Unknown;
        };
        if let Some(known) = self.types.get(&ty) {
            return known.clone();
        }
        let plain = self.convert(ty, depth);
        self.types.insert(ty, plain.clone());
        plain
    }

    fn convert(&mut self, ty: Metadata<'m>, depth: u32) -> SourceType {
        match ty.kind() {
            Kind::Basic => basic(&ty.type_name(), ty.type_bytes()),
            Kind::Subroutine => SourceType::Function,
            Kind::Composite => match ty.tag() {
                tag::ARRAY => SourceType::Array {
                    elem: Box::new(self.source_type_at(ty.base_type(), depth + 1)),
                    dims: ty.elements().into_iter().map(Metadata::subrange_count).collect(),
                },
                tag::STRUCT | tag::UNION => SourceType::Record {
                    name: ty.type_name(),
                    bytes: ty.type_bytes(),
                },
                tag::ENUM => match self.source_type_at(ty.base_type(), depth + 1) {
                    SourceType::Int { signed, .. } => SourceType::Int {
                        bytes: ty.type_bytes(),
                        signed,
                    },
                    _ => SourceType::Int {
                        bytes: ty.type_bytes(),
                        signed: false,
                    },
                },
                _ => SourceType::Unknown,
            },
            Kind::Derived => self.derived(ty, depth),
            _ => SourceType::Unknown,
        }
    }

    fn derived(&mut self, ty: Metadata<'m>, depth: u32) -> SourceType {
        let inner = ty.base_type();
        match ty.tag() {
            tag::POINTER => SourceType::Pointer {
                to: Box::new(self.source_type_at(inner, depth + 1)),
                const_pointee: is_const(inner),
                restrict: false,
            },
            tag::RESTRICT => match self.source_type_at(inner, depth + 1) {
                SourceType::Pointer { to, const_pointee, .. } => SourceType::Pointer {
                    to,
                    const_pointee,
                    restrict: true,
                },
                other => other,
            },
            tag::TYPEDEF => match self.source_type_at(inner, depth + 1) {
                SourceType::Record { name, bytes } if name.is_empty() => SourceType::Record {
                    name: ty.type_name(),
                    bytes,
                },
                other => other,
            },
            _ => self.source_type_at(inner, depth + 1),
        }
    }
}

/// The path of a `DIFile`, which clang splits in a folder and a rest at more than one place.
pub(super) fn path(file: Metadata) -> PathBuf {
    let (directory, name) = file.file_name();
    Path::new(&directory).join(name)
}

/// Whether a type is `const`, looking through typedefs, other qualifiers, and into arrays.
fn is_const(ty: Option<Metadata>) -> bool {
    let mut at = ty;
    for _ in 0..MAX_DEPTH {
        let Some(ty) = at else { return false };
        match ty.kind() {
            Kind::Derived => match ty.tag() {
                tag::CONST => return true,
                tag::POINTER => return false,
                _ => at = ty.base_type(),
            },
            Kind::Composite if ty.tag() == tag::ARRAY => at = ty.base_type(),
            _ => return false,
        }
    }
    false
}

/// A basic type by the name that clang gives it: the C interface does not hand out its encoding.
fn basic(name: &str, bytes: u64) -> SourceType {
    let float = [
        "float", "double", "_Float", "__fp16", "__bf16", "_Complex", "complex", "__ibm128",
    ];
    if float.iter().any(|word| name.contains(word)) {
        return SourceType::Float { bytes };
    }
    let unsigned = name.contains("unsigned") || matches!(name, "_Bool" | "bool" | "char8_t" | "char16_t" | "char32_t");
    SourceType::Int {
        bytes,
        signed: !unsigned,
    }
}

/// Offset of the first whole-word occurrence of `word` in `line`.
fn find_word(line: &[u8], word: &[u8]) -> Option<usize> {
    let part_of_word = |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_' || *b >= 0x80);
    if word.is_empty() {
        return None;
    }
    (0..line.len().saturating_sub(word.len() - 1)).find(|&at| {
        line[at..].starts_with(word)
            && !part_of_word(at.checked_sub(1).and_then(|before| line.get(before)))
            && !part_of_word(line.get(at + word.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        assert_eq!(find_word(b"int na, n;", b"n"), Some(8));
        assert_eq!(find_word(b"n", b"n"), Some(0));
        assert_eq!(find_word(b"x", b"xy"), None);
    }

    #[test]
    fn basic_types() {
        assert_eq!(
            basic("unsigned char", 1),
            SourceType::Int {
                bytes: 1,
                signed: false
            }
        );
        assert_eq!(basic("long", 8), SourceType::Int { bytes: 8, signed: true });
        assert_eq!(
            basic("_Bool", 1),
            SourceType::Int {
                bytes: 1,
                signed: false
            }
        );
        assert_eq!(basic("long double", 16), SourceType::Float { bytes: 16 });
    }
}
