//! A preprocessed text, cut down to what stands at file scope.
//!
//! ```text
//! # 3 "main.c" 2                                ┐
//! # 1 "./field.h" 1                             │    extern double field[36];      line 3
//! extern double field[36];                      ├►
//! # 4 "main.c" 2                                │    int main(void) {       }      line 4
//! int main(void) { return 0; }                  ┘
//! ```
//!
//! Line markers say where a line comes from. System headers go, and macros' definitions, pragmas apart: what a program
//! shares it declares itself. So does what braces hold (bodies, members, initialisers), which leaves little to parse.

use super::lex::{self, TokenKind};
use super::line_markers::{Marker, is_definition};
use crate::source::Span;

/// What is left of a preprocessed text.
pub(super) struct Unfolded {
    /// Tokens outside of all braces, and the braces. Everything else is blank.
    pub text: Vec<u8>,
    /// From which byte on text comes from which line of the main file: its own, or the one that includes it.
    lines: Vec<(usize, u32)>,
    /// Pragmas without `#pragma`, each with the byte before which it stands.
    pub pragmas: Vec<(usize, String)>,
}

impl Unfolded {
    /// The line of the main file that a byte is of.
    pub fn line(&self, at: usize) -> u32 {
        let after = self.lines.partition_point(|(start, _)| *start <= at);
        after.checked_sub(1).map_or(1, |index| self.lines[index].1)
    }
}

/// Cuts a preprocessed text down.
pub(super) fn unfold(preprocessed: &[u8]) -> Unfolded {
    let mut out = Unfolded {
        text: Vec::new(),
        lines: Vec::new(),
        pragmas: Vec::new(),
    };
    let (mut depth, mut line, mut system) = (0usize, 1u32, false);
    for text in preprocessed.split_inclusive(|byte| *byte == b'\n') {
        if let Some(marker) = Marker::read(text) {
            depth = marker.depth(depth);
            system = marker.system;
            if depth == 0 {
                line = marker.line;
            }
            continue;
        }
        let body = text.trim_ascii_start();
        if let Some(pragma) = body.strip_prefix(b"#pragma") {
            let pragma = String::from_utf8_lossy(pragma.trim_ascii()).into_owned();
            out.pragmas.push((out.text.len(), pragma));
        } else if !system && !body.is_empty() && !is_definition(body) {
            out.lines.push((out.text.len(), line));
            out.text.extend_from_slice(text);
        }
        if depth == 0 {
            line = line.saturating_add(1);
        }
    }
    out.text = outside_braces(&out.text);
    out
}

/// Blanks all but the tokens outside of braces.
fn outside_braces(text: &[u8]) -> Vec<u8> {
    let mut out = vec![b' '; text.len()];
    let mut depth = 0usize;
    for token in lex::tokens(text, Span::new(0, text.len())) {
        if token.kind == TokenKind::Punct(b'}') {
            depth = depth.saturating_sub(1);
        }
        if depth == 0 {
            out[token.span.start..token.span.end].copy_from_slice(token.bytes(text));
        }
        if token.kind == TokenKind::Punct(b'{') {
            depth += 1;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"# 1 \"main.c\"\n# 1 \"<built-in>\" 1\n# 1 \"<built-in>\" 3\nint builtin;\n\
        # 1 \"<command line>\" 1\n# 1 \"<built-in>\" 2\n# 1 \"main.c\" 2\nint first;\n\
        # 1 \"/usr/include/stdio.h\" 1 3 4\nint printf;\n#pragma omp kept\n# 3 \"main.c\" 2\n\
        # 1 \"./a.h\" 1\n\nint outer;\n# 1 \"./b.h\" 1\nstruct s { int \"}\" x; };\n# 9 \"./a.h\" 2\nint more;\n\
        # 4 \"main.c\" 2\nint main() {\n  int local = '}';\n}\nint last;\n";

    #[test]
    fn only_file_scope_is_left() {
        let unfolded = unfold(TEXT);
        let shown = String::from_utf8_lossy(&unfolded.text).into_owned();
        let words: Vec<&str> = shown.split_whitespace().collect();
        assert_eq!(
            words.join(" "),
            "int first; int outer; struct s { }; int more; int main() { } int last;"
        );
    }

    #[test]
    fn lines_are_those_of_the_main_file() {
        let unfolded = unfold(TEXT);
        let line = |word: &str| {
            let at = unfolded.text.windows(word.len()).position(|w| w == word.as_bytes());
            unfolded.line(at.unwrap())
        };
        assert_eq!(line("first"), 1);
        assert_eq!((line("outer"), line("more")), (3, 3));
        assert_eq!((line("main"), line("last")), (4, 7));
        assert_eq!(unfolded.pragmas.len(), 1);
        assert_eq!(unfolded.pragmas[0].1, "omp kept");
        let first = "int first;\n".len();
        assert_eq!(unfolded.pragmas[0].0, first);
    }
}
