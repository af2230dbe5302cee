//! Functions of a file that have parts of their bodies from included files.
//!
//! ```text
//! static void kernel(int *v, int n)        static void kernel(int *v, int n)
//! {                                        {
//! #include "body.h"                 ──►    #pragma omp target …
//! }                                        for (…) v[i] += 2;
//!                                          }
//! ```
//!
//! The function is never rewritten. What it does on the device is known from the text as the compiler has it, in which
//! the included files stand in the place of the lines that name them, so that its callers can keep arrays there.
//!
//! Non-goals: files with conditionals or macros of their own, that include others or leave something twice; and what a line
//! does not name by a string. Such functions are only known to start kernels.

use super::header_view::View;
use super::ir::{Function, Loc, Module};
use crate::source::{LineIndex, Position, Span};
use crate::syntax::{self, ScopeTree};
use std::path::Path;

/// A file's text with the included parts of one function's body in it.
#[derive(Clone, Debug)]
pub struct IncludedBody {
    /// The function.
    pub function: String,
    /// The text.
    pub text: Vec<u8>,
    /// The scope tree.
    pub tree: ScopeTree,
    lines: LineIndex,
    pieces: Vec<IncludedPiece>,
}

/// An included file in its place.
#[derive(Clone, Debug)]
struct IncludedPiece {
    /// Which of [`Function::included`] it is.
    number: usize,
    /// The line that names it, in the file's own text.
    line: Span,
    /// What stands there instead.
    text: Vec<u8>,
    lines: LineIndex,
}

impl IncludedBody {
    /// A body for each of a module's functions with included parts that is in its file, which has this text and these
    /// branches that do not count. `read` reads files.
    pub fn of(
        module: &Module,
        text: &[u8],
        tree: &ScopeTree,
        inactive: &[Span],
        read: impl Fn(&str) -> Option<Vec<u8>>,
    ) -> Vec<IncludedBody> {
        let functions = module.functions.iter();
        let functions = functions.filter(|f| !f.declaration && !f.in_header && !f.included.is_empty());
        let bodies = functions.filter_map(|function| {
            let mut named = tree.functions.iter().filter(|f| f.name == function.name);
            let body = tree.stmt(named.next()?.body).span;
            if named.next().is_some() {
                return None;
            }
            let pieces = pieces(module, function, text, body, inactive, &read)?;
            let body = IncludedBody::new(function.name.clone(), text, inactive, pieces);
            // What is included may close the body, and begin another.
            let namesakes = body.tree.functions.iter().filter(|f| f.name == body.function);
            let same = namesakes.count() == 1 && body.tree.functions.len() == tree.functions.len();
            same.then_some(body)
        });
        bodies.collect()
    }

    fn new(function: String, own: &[u8], inactive: &[Span], pieces: Vec<IncludedPiece>) -> IncludedBody {
        let (mut text, mut at) = (Vec::new(), 0);
        for piece in &pieces {
            text.extend_from_slice(&own[at..piece.line.start]);
            text.extend_from_slice(&piece.text);
            at = piece.line.end;
        }
        text.extend_from_slice(&own[at..]);
        let mut body = IncludedBody {
            function,
            tree: ScopeTree::default(),
            text,
            lines: LineIndex::new(own),
            pieces,
        };
        let moved = inactive
            .iter()
            .map(|s| Span::new(body.moved(s.start), body.moved(s.end)));
        body.tree = syntax::parse(&body.text, &moved.collect::<Vec<_>>());
        body
    }

    /// Where a place of the file's own text is in this one.
    fn moved(&self, at: usize) -> usize {
        let before = self.pieces.iter().filter(|p| p.line.end <= at);
        before.fold(at, |at, p| at + p.text.len() - p.line.len())
    }

    /// Byte offset of a position of the function's.
    pub fn offset(&self, loc: Loc) -> Option<usize> {
        let position = Position {
            line: loc.line % Loc::INCLUDED,
            column: loc.col,
        };
        let Some(number) = (loc.line / Loc::INCLUDED).checked_sub(1) else {
            return Some(self.moved(self.lines.offset(position)?));
        };
        let piece = self.pieces.iter().find(|p| p.number == number as usize)?;
        Some(self.moved(piece.line.start) + piece.lines.offset(position)?)
    }
}

/// The files that a function's body includes, in text order; `None` where they are not all known.
fn pieces(
    module: &Module,
    function: &Function,
    text: &[u8],
    body: Span,
    inactive: &[Span],
    read: &impl Fn(&str) -> Option<Vec<u8>>,
) -> Option<Vec<IncludedPiece>> {
    let mut pieces: Vec<IncludedPiece> = Vec::new();
    let mut at = body.start;
    for line in text[body.start..body.end].split_inclusive(|byte| *byte == b'\n') {
        let span = Span::new(at, at + line.len());
        at = span.end;
        if inactive.iter().any(|s| s.encloses(span)) {
            continue;
        }
        let Some(name) = included_by(line)? else { continue };
        let mut numbers = (0..function.included.len()).filter(|n| Path::new(&function.included[*n]).ends_with(name));
        let (number, None) = (numbers.next()?, numbers.next()) else {
            return None;
        };
        let path = &function.included[number];
        let mut seen = module.declared.headers.iter();
        let seen = seen.find(|h| Path::new(&h.path) == Path::new(path))?;
        let own = read(path)?;
        if pieces.iter().any(|p| p.number == number) || has_directives(&own) {
            return None;
        }
        let view = View::of(&own, seen).filter(|view| view.unclear.is_empty())?;
        let lines = LineIndex::new(&view.text);
        let mut text = view.text;
        if !text.ends_with(b"\n") {
            text.push(b'\n');
        }
        pieces.push(IncludedPiece {
            number,
            line: span,
            text,
            lines,
        });
    }
    (pieces.len() == function.included.len()).then_some(pieces)
}

/// The name in a line `#include "name"`. Outer `None`: it may include something in another way.
fn included_by(line: &[u8]) -> Option<Option<&str>> {
    let line = line.trim_ascii();
    let Some(rest) = line.strip_prefix(b"#").map(<[u8]>::trim_ascii_start) else {
        let other = line.starts_with(b"%:") || line.starts_with(b"??=") || line.ends_with(b"\\");
        return (!other || !line.windows(7).any(|w| w == b"include")).then_some(None);
    };
    let Some(name) = rest.strip_prefix(b"include") else {
        return Some(None);
    };
    let name = name.trim_ascii_start().strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    let name = std::str::from_utf8(name).ok().filter(|n| !n.contains('"'))?;
    Some(Some(name.strip_prefix("./").unwrap_or(name)))
}

/// Whether a text has directives of the preprocessor that are no pragmas.
fn has_directives(text: &[u8]) -> bool {
    text.split(|byte| *byte == b'\n').any(|line| {
        let line = line.trim_ascii_start();
        let has = |word: &[u8]| line.windows(word.len()).any(|w| w == word);
        has(b"include")
            || match line.strip_prefix(b"#") {
                Some(rest) => !rest.trim_ascii_start().starts_with(b"pragma"),
                None => has(b"%:") || has(b"??=") || has(b"*/") && has(b"#"),
            }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(own: &str, number: usize, name: &str, text: &str) -> IncludedPiece {
        let start = own.find(name).unwrap();
        IncludedPiece {
            number,
            line: Span::new(start, start + name.len()),
            text: text.as_bytes().to_vec(),
            lines: LineIndex::new(text.as_bytes()),
        }
    }

    #[test]
    fn positions_are_those_of_their_files() {
        let own = "void f(int *v)\n{\n#include \"a.h\"\n  v[1] = 0;\n#include \"b.h\"\n}\n";
        let pieces = vec![
            piece(own, 1, "#include \"a.h\"\n", "v[2] = 0;\nv[3] = 0;\n"),
            piece(own, 0, "#include \"b.h\"\n", "v[4] = 0;\n"),
        ];
        let body = IncludedBody::new("f".to_owned(), own.as_bytes(), &[], pieces);
        let at = |line: u32, col: u32| {
            let at = body.offset(Loc { line, col }).unwrap();
            std::str::from_utf8(&body.text[at..at + 4]).unwrap()
        };
        assert_eq!(at(1, 1), "void");
        assert_eq!(at(2 * Loc::INCLUDED + 1, 1), "v[2]");
        assert_eq!(at(2 * Loc::INCLUDED + 2, 1), "v[3]");
        assert_eq!(at(4, 3), "v[1]");
        assert_eq!(at(Loc::INCLUDED + 1, 1), "v[4]");
        assert!(
            body.offset(Loc {
                line: 3 * Loc::INCLUDED + 1,
                col: 1
            })
            .is_none()
        );
        assert_eq!(body.tree.functions.len(), 1);
    }

    #[test]
    fn only_a_name_in_quotes_is_followed() {
        assert_eq!(included_by(b"  # include \"./a.h\" \n"), Some(Some("a.h")));
        assert_eq!(included_by(b"#include \"x/a.h\"\n"), Some(Some("x/a.h")));
        assert_eq!(included_by(b"v[0] = 1;\n"), Some(None));
        for line in [
            "#include <a.h>",
            "#include A",
            "#include \"a.h\" /* c */",
            "%:include \"a.h\"",
            "#include_next \"a.h\"",
        ] {
            assert_eq!(included_by(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn directives_but_pragmas_are_too_many() {
        assert!(!has_directives(b"/* c */\n#pragma omp target\n  for (;;) ;\n"));
        for text in [
            "x;\n# if A\n#endif\n",
            "#include \"b.h\"\n",
            "/* c */ #define A\n",
            "%:if A\n",
        ] {
            assert!(has_directives(text.as_bytes()), "{text}");
        }
    }
}
