//! Names of constants that a file has and its text alone does not explain: macros of its headers, enumerators, and
//! variables that are `const`.
//!
//! ```text
//! # 1 "./sizes.h" 1                    ┐
//! #define ROWS 64                      │
//! #define CELLS (ROWS * COLUMNS)       ├►   ROWS = "64", CELLS = "(ROWS * COLUMNS)", COLUMNS = "((enum)(32) + 0)"
//! enum { COLUMNS = 32 };               │
//! # 2 "main.c" 2                       ┘
//! … map(to: u[0:CELLS])
//! ```
//!
//! Clauses are not in the IR, and what the compiler folds is not either, so the names in them are looked up here. Only what
//! means the same throughout is: a macro that is defined anew or undefined is left out, and so is an enumerator that a
//! block or a record declares. What is worth nothing to arithmetic is left to the reader of the bodies.
//!
//! A constant is what its initialiser becomes in its type: `const unsigned char k = -5` is `((unsigned char)(-5))`. The type of
//! an enumerator has no name, and is said as `(enum)`.

use super::lex::{self, Token, TokenKind};
use super::line_markers::{Marker, is_definition};
use super::words::INTEGER_WORDS;
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The constants of a preprocessed text with line markers and definitions of macros that `text`, the main file, names,
/// however indirectly: each with the expression that it stands for. Sorted by name. Macros of the main file itself are left
/// out, and so is what system headers define.
pub fn file_constants(preprocessed: &[u8], text: &[u8]) -> Vec<(String, String)> {
    let mut found = ConstantDefinitions::default();
    let code = found.macros(preprocessed);
    found.declarations(&code);
    let ConstantDefinitions { bodies, own, unsure } = found;
    let mut used: BTreeSet<String> = BTreeSet::new();
    let mut open = names(text);
    while let Some(name) = open.pop() {
        let body = bodies.get(&name).filter(|_| !unsure.contains(&name));
        if let Some(body) = body.filter(|_| used.insert(name)) {
            open.extend(names(body.as_bytes()));
        }
    }
    let wanted = |name: &String| used.contains(name) && !own.contains(name);
    bodies.into_iter().filter(|(name, _)| wanted(name)).collect()
}

#[derive(Default)]
struct ConstantDefinitions {
    bodies: BTreeMap<String, String>,
    /// Macros of the main file.
    own: BTreeSet<String>,
    /// Names that mean different things at different places.
    unsure: BTreeSet<String>,
}

impl ConstantDefinitions {
    /// Reads the definitions of macros; returns the rest, system headers apart.
    fn macros(&mut self, preprocessed: &[u8]) -> Vec<u8> {
        let mut code = Vec::new();
        let (mut depth, mut system) = (0usize, false);
        for line in preprocessed.split_inclusive(|byte| *byte == b'\n') {
            if let Some(marker) = Marker::read(line) {
                depth = marker.depth(depth);
                system = marker.system;
                continue;
            }
            let body = line.trim_ascii();
            if is_definition(body) {
                self.definition(&String::from_utf8_lossy(body), depth == 0, system);
            } else if !system && !body.starts_with(b"#") {
                code.extend_from_slice(line);
            }
        }
        code
    }

    fn definition(&mut self, line: &str, own: bool, system: bool) {
        let Some(definition) = line.strip_prefix("#define ") else {
            let name = line.trim_start_matches("#undef ").trim();
            self.unsure.insert(name.to_owned());
            return;
        };
        let end = lex::word(definition.as_bytes(), 0);
        let (name, body) = definition.split_at(end);
        if own {
            self.own.insert(name.to_owned());
        }
        if body.starts_with('(') {
            self.unsure.insert(name.to_owned());
        } else if !system {
            self.note(name, body.trim().to_owned());
        }
    }

    fn note(&mut self, name: &str, body: String) {
        match self.bodies.get(name) {
            Some(old) if *old != body => {
                self.unsure.insert(name.to_owned());
            }
            Some(_) => {}
            None => {
                self.bodies.insert(name.to_owned(), body);
            }
        }
    }

    /// Reads enumerators and constant variables.
    fn declarations(&mut self, code: &[u8]) {
        let tokens: Vec<Token> = lex::tokens(code, Span::new(0, code.len())).collect();
        let mut depth = 0usize;
        let mut start = 0;
        let mut at = 0;
        while at < tokens.len() {
            let token = tokens[at];
            if token.bytes(code) == b"enum" {
                let tag = tokens.get(at + 1).is_some_and(|t| t.kind == TokenKind::Word);
                let brace = at + 1 + usize::from(tag);
                if tokens.get(brace).is_some_and(|t| t.is(b'{')) {
                    at = self.enumerators(code, &tokens, brace, depth == 0);
                    continue;
                }
            }
            if token.is(b'{') {
                depth += 1;
            } else if token.is(b'}') {
                depth = depth.saturating_sub(1);
            }
            if depth == 0 && (token.is(b';') || token.is(b'}')) {
                self.variable(code, &tokens[start..at]);
                start = at + 1;
            }
            at += 1;
        }
    }

    /// Reads the list that the brace at `open` begins; returns what comes after it.
    fn enumerators(&mut self, code: &[u8], tokens: &[Token], open: usize, outside: bool) -> usize {
        let mut at = open + 1;
        let (mut base, mut after) = ("0".to_owned(), 0u32);
        while let Some(name) = tokens.get(at).filter(|t| t.kind == TokenKind::Word) {
            let name = String::from_utf8_lossy(name.bytes(code)).into_owned();
            let mut depth = 0usize;
            let end = (at + 1..tokens.len()).find(|i| {
                let token = tokens[*i];
                let ends = depth == 0 && (token.is(b',') || token.is(b'}'));
                if token.is(b'(') {
                    depth += 1;
                } else if token.is(b')') {
                    depth = depth.saturating_sub(1);
                }
                ends
            });
            let Some(end) = end else { return tokens.len() };
            if tokens[at + 1].is(b'=') {
                let value = &code[tokens[at + 1].span.end..tokens[end].span.start];
                base = String::from_utf8_lossy(value.trim_ascii()).into_owned();
                after = 0;
            }
            match outside {
                true => self.note(&name, format!("((enum)({base}) + {after})")),
                false => {
                    self.unsure.insert(name);
                }
            }
            after += 1;
            at = end + usize::from(tokens[end].is(b','));
        }
        at + 1
    }

    /// Reads a declaration such as `static const int n = 20`.
    fn variable(&mut self, code: &[u8], tokens: &[Token]) {
        let Some(equals) = tokens.iter().position(|t| t.is(b'=')).filter(|at| *at >= 2) else {
            return;
        };
        let (ty, name) = (&tokens[..equals - 1], tokens[equals - 1]);
        let plain = ty.iter().all(|t| INTEGER_WORDS.contains(&t.bytes(code)));
        let constant = ty.iter().any(|t| t.bytes(code) == b"const");
        let value = tokens[equals + 1..].iter();
        let one = !value.clone().any(|t| t.is(b',') || t.is(b'=') || t.is(b'{'));
        let (Some(first), Some(last)) = (value.clone().next(), value.clone().last()) else {
            return;
        };
        if plain && constant && one && name.kind == TokenKind::Word {
            let value = String::from_utf8_lossy(&code[first.span.start..last.span.end]).into_owned();
            let words = ty.iter().map(|t| String::from_utf8_lossy(t.bytes(code)));
            let words: Vec<_> = words
                .filter(|w| !["static", "extern", "const"].contains(&w.as_ref()))
                .collect();
            let ty = match words.is_empty() {
                true => "int".to_owned(),
                false => words.join(" "),
            };
            let body = format!("(({ty})({value}))");
            self.note(&String::from_utf8_lossy(name.bytes(code)), body);
        }
    }
}

/// The words of a text that may be names.
fn names(text: &[u8]) -> Vec<String> {
    let tokens = lex::tokens(text, Span::new(0, text.len()));
    let words = tokens.filter(|t| t.kind == TokenKind::Word);
    let words: BTreeSet<String> = words
        .map(|t| String::from_utf8_lossy(t.bytes(text)).into_owned())
        .collect();
    words.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(preprocessed: &str, text: &str) -> String {
        let found = file_constants(preprocessed.as_bytes(), text.as_bytes());
        let lines: Vec<String> = found.into_iter().map(|(name, body)| format!("{name}={body}")).collect();
        lines.join(" ")
    }

    #[test]
    fn macros_come_from_headers_and_only_those_that_are_used() {
        let text = "# 1 \"m.c\"\n# 1 \"<built-in>\" 1\n# 1 \"<built-in>\" 3\n#define __x 1\n# 1 \"<built-in>\" 2\n# 1 \"m.c\" 2\n\
                    # 1 \"./a.h\" 1\n#define N (M * 2)\n#define M 8\n#define UNUSED 1\n#define F(x) x\n#define P 1\n#undef P\n\
                    #define Q 1\n#define Q 2\n# 2 \"m.c\" 2\n#define OWN 3\nint a[N];\n";
        assert_eq!(
            of(text, "#define OWN 3\nint a[N + OWN + F(P) + Q + __x];"),
            "M=8 N=(M * 2)"
        );
    }

    #[test]
    fn enumerators_count_on() {
        let text = "enum { A, B, C = 10 + 2, D, E = (1, 2) };\nenum tag { F = D };\nvoid f(void) { enum { B }; enum tag x; }\n";
        assert_eq!(
            of(text, text),
            "A=((enum)(0) + 0) C=((enum)(10 + 2) + 0) D=((enum)(10 + 2) + 1) E=((enum)((1, 2)) + 0) F=((enum)(D) + 0)"
        );
    }

    #[test]
    fn variables_are_constant_integers_of_the_file() {
        let text = "static const int n = 20;\nconst unsigned long m = n * 2;\nint k = 3;\nconst double d = 1;\n\
                    const int *p = 0;\nconst int a[1] = {1}, b = 2;\nvoid f(void) { const int inner = 4; }\nconst size_t last = 9;\n";
        assert_eq!(
            of(text, text),
            "last=((size_t)(9)) m=((unsigned long)(n * 2)) n=((int)(20))"
        );
    }
}
