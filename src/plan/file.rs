//! One file of a program, as its text has it: what the functions in it have in common.

use super::{PlanOptions, ThreadedLoop};
use crate::analysis::cexpr::Macros;
use crate::openmp::Directive;
use crate::program::attach::Offsets;
use crate::program::header::Header;
use crate::program::included::IncludedBody;
use crate::program::ir::{FuncId, Loc, Module};
use crate::source::{LineIndex, Position, Span};
use crate::syntax::{Define, ScopeTree, StmtId, SwitchedOff, identifiers, switched_off, text_definitions};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::OnceLock;

/// Byte offsets of clang's positions.
pub(super) enum LineOffsets<'a> {
    /// Offsets of positions in the text.
    Own(LineIndex),
    /// Offsets of positions in the texts that it is made of.
    Included(&'a IncludedBody),
}

impl Offsets for LineOffsets<'_> {
    fn offset(&self, loc: Loc) -> Option<usize> {
        match self {
            LineOffsets::Own(lines) => lines.offset(Position {
                line: loc.line,
                column: loc.col,
            }),
            LineOffsets::Included(body) => body.offset(loc),
        }
    }
}

/// A file to plan.
#[derive(Clone, Copy)]
pub struct FileText<'a> {
    /// Where the file is.
    pub path: &'a Path,
    /// The text.
    pub text: &'a [u8],
    /// The scope tree.
    pub tree: &'a ScopeTree,
    /// The headers that its functions with kernels are in, its own file apart.
    pub headers: &'a [Header],
    /// The file's functions that have parts of their bodies from other files.
    pub bodies: &'a [IncludedBody],
    /// Options.
    pub options: &'a PlanOptions,
    /// The file is not written.
    pub context: bool,
}

/// What the functions of a file have in common.
pub struct FileFacts<'a> {
    /// The text.
    pub text: &'a [u8],
    /// The scope tree.
    pub tree: &'a ScopeTree,
    /// Options.
    pub options: &'a PlanOptions,
    /// Object-like macros.
    pub macros: Macros,
    /// The functions of the tree in the program's IR, by index; `None` for one that the compiler did not emit.
    pub functions: Vec<Option<FuncId>>,
    /// The functions that stand in texts of their own, because parts of their bodies are in other files.
    pub(super) elsewhere: Vec<&'a str>,
    pub(super) lines: LineOffsets<'a>,
    /// Parts of the text in which comments switch `rewrite` off.
    pub(super) movement_off: Vec<SwitchedOff>,
    /// Parts of the text in which comments switch `annotate` off.
    pub kernels_off: Vec<SwitchedOff>,
    words: OnceLock<BTreeSet<String>>,
    defines: OnceLock<Vec<Define>>,
}

impl<'a> FileFacts<'a> {
    /// What the pragma of a loop says that threads of the host ran, if it is one ([`PlanOptions::threaded`]).
    pub fn threaded(&self, of_loop: StmtId) -> Option<&'a ThreadedLoop> {
        if self.options.threaded.is_empty() {
            return None;
        }
        let before = self.text.get(..self.tree.stmt(of_loop).span.start)?;
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        self.options.threaded.get(&u32::try_from(line).ok()?)
    }

    /// Reads the file that is the program's `unit`th.
    pub(super) fn new(file: &FileText<'a>, module: &Module, unit: u32) -> FileFacts<'a> {
        let by_name = emitted(module, unit, None);
        let mut taken = FxHashSet::default();
        let functions = file.tree.functions.iter().map(|f| {
            // Of two functions of one name, in branches of an `#if`, the first is meant.
            let id = by_name.get(f.name.as_str()).copied().filter(|id| taken.insert(*id));
            id.filter(|_| !file.bodies.iter().any(|b| b.function == f.name))
        });
        FileFacts {
            text: file.text,
            tree: file.tree,
            options: file.options,
            macros: macros(file.text, file.tree, file.options, constants(module, unit)),
            functions: functions.collect(),
            elsewhere: file.bodies.iter().map(|b| b.function.as_str()).collect(),
            lines: LineOffsets::Own(LineIndex::new(file.text)),
            movement_off: switched_off(file.text, file.tree, "rewrite"),
            kernels_off: switched_off(file.text, file.tree, "annotate"),
            words: OnceLock::new(),
            defines: OnceLock::new(),
        }
    }

    /// The identifiers and keywords of the text.
    pub fn words(&self) -> &BTreeSet<String> {
        self.words.get_or_init(|| {
            let all = identifiers(self.text, Span::new(0, self.text.len()));
            all.into_iter().map(|(word, _)| word).collect()
        })
    }

    /// The macros that the text defines, in any build.
    pub fn defines(&self) -> &[Define] {
        self.defines.get_or_init(|| text_definitions(self.text).0)
    }

    /// Byte offset of a position.
    pub(super) fn offset(&self, loc: Loc) -> Option<usize> {
        self.lines.offset(loc)
    }

    /// Reads the headers of the program's `unit`th file, as files of their own, for the functions that this unit has of them,
    /// and so for each function with an included body the text that has it.
    pub(super) fn of_headers(file: &FileText<'a>, module: &Module, unit: u32) -> Vec<FileFacts<'a>> {
        let read = |header: &'a Header| {
            let by_name = emitted(module, unit, Some(&header.path));
            let functions = header.tree.functions.iter().enumerate();
            FileFacts {
                text: &header.text,
                tree: &header.tree,
                options: file.options,
                macros: match header.is_plain {
                    true => macros(&header.text, &header.tree, file.options, constants(module, unit)),
                    false => Macros::default(),
                },
                functions: functions
                    .map(|(f, function)| {
                        by_name
                            .get(function.name.as_str())
                            .copied()
                            .filter(|_| header.is_sure(f))
                    })
                    .collect(),
                elsewhere: Vec::new(),
                lines: LineOffsets::Own(LineIndex::new(&header.text)),
                movement_off: Vec::new(),
                kernels_off: Vec::new(),
                words: OnceLock::new(),
                defines: OnceLock::new(),
            }
        };
        let included = |body: &'a IncludedBody| {
            let by_name = emitted(module, unit, None);
            let functions = body.tree.functions.iter().map(|function| {
                let id = by_name.get(function.name.as_str()).copied();
                id.filter(|_| function.name == body.function)
            });
            FileFacts {
                text: &body.text,
                tree: &body.tree,
                options: file.options,
                macros: macros(&body.text, &body.tree, file.options, constants(module, unit)),
                functions: functions.collect(),
                elsewhere: Vec::new(),
                lines: LineOffsets::Included(body),
                movement_off: Vec::new(),
                kernels_off: Vec::new(),
                words: OnceLock::new(),
                defines: OnceLock::new(),
            }
        };
        let headers = file.headers.iter().map(read);
        headers.chain(file.bodies.iter().map(included)).collect()
    }

    /// Whether a function of the tree has device constructs.
    pub(super) fn has_constructs(&self, f: usize) -> bool {
        let pragmas = self.tree.pragmas.iter();
        pragmas
            .filter(|p| p.function == Some(f as u32))
            .any(|p| Directive::parse(&p.text).is_some_and(|d| d.is_on_device()))
    }
}

/// The functions that the compiler emitted for a unit's own text, or for one of its headers, by name.
fn emitted<'m>(module: &'m Module, unit: u32, header: Option<&str>) -> FxHashMap<&'m str, FuncId> {
    let mut by_name: FxHashMap<&str, FuncId> = FxHashMap::default();
    for id in module.functions_of(unit) {
        let function = module.function(id);
        let own = !function.declaration && function.unit == unit;
        if own && function.in_header == header.is_some() && function.header.as_deref() == header {
            by_name.entry(&function.name).or_insert(id);
        }
    }
    by_name
}

/// The constants of a unit beside the macros of its text.
fn constants(module: &Module, unit: u32) -> &[(String, String)] {
    module.units.get(unit as usize).map_or(&[], |unit| &unit.constants)
}

/// Names that stand for constants in the program's `unit`th file, each with its expression, where it means the same throughout.
pub(crate) fn constants_of(file: &FileText<'_>, module: &Module, unit: u32) -> Macros {
    macros(file.text, file.tree, file.options, constants(module, unit))
}

/// Object-like macros of the text and of the flags, and other names of constants, where one body holds throughout.
fn macros(text: &[u8], tree: &ScopeTree, options: &PlanOptions, constants: &[(String, String)]) -> Macros {
    let mut macros: Macros = options.defines.iter().cloned().collect();
    let mut unsure = FxHashSet::default();
    for (name, body) in &tree.constants {
        if macros
            .insert(name.clone(), body.clone())
            .is_some_and(|old| old != *body)
        {
            unsure.insert(name.clone());
        }
    }
    for line in String::from_utf8_lossy(text).lines() {
        let Some(directive) = line.trim_start().strip_prefix('#').map(str::trim_start) else {
            continue;
        };
        if let Some(name) = directive
            .strip_prefix("undef")
            .and_then(|rest| rest.split_whitespace().next())
        {
            unsure.insert(name.to_owned());
        }
    }
    for (name, body) in constants {
        macros.entry(name.clone()).or_insert_with(|| body.clone());
    }
    macros.retain(|name, _| !unsure.contains(name));
    macros
}
