//! Uses of macros as statements, made palatable for a parser that knows only C.
//!
//! ```text
//! CHECK(err)             ──►             ;        an opaque statement, kind Macro
//! FOR_ALL(i, n) { … }    ──►               { … }  a Macro statement around a block, and a problem: it hides a loop
//! OMP(target teams)      ──►                      a pragma, when the file says `#define OMP(x) _Pragma(#x)`
//! goto *table[i];        ──►                   ;  a ComputedGoto
//! x = &&label;           ──►   x =   label;       a problem: jumps to it are not described
//! ```
//!
//! tree-sitter-c takes `NAME(x)` without `;` for a broken call or for a type, and its error recovery may then swallow
//! the statements around it. A walk over the tokens that knows only where statements start finds such uses first. How
//! a use is understood follows from the macro's definition when the file has it ([`super::macros`]), else from what
//! follows it; where that leaves two readings, the function gets a [`SyntaxProblem`].

use super::blank::{Blanked, wipe};
use super::dialect;
use super::lex::{self, Token, TokenKind};
use super::macros::{Shapes, shapes};
use super::pragma_operator::RawPragma;
use super::tree::SyntaxProblem;
use super::words::{NOT_MACROS, OPERATOR_WORDS, STATEMENT_WORDS, TYPE_WORDS, among};
use crate::source::Span;
use std::collections::BTreeSet;

/// A statement that the parser must not look into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OpaqueStatement {
    /// From its first byte to its last, the `;` or the block that it applies to included.
    pub span: Span,
    /// The macro's name; `None` for a computed `goto`.
    pub macro_name: Option<String>,
    /// The statement applies to the block at its end, which is parsed.
    pub wraps: bool,
}

/// Text ready for the parser.
#[derive(Clone, Debug)]
pub(super) struct Prepared {
    /// As long as the original.
    pub text: Vec<u8>,
    pub pragmas: Vec<RawPragma>,
    /// In text order.
    pub opaque: Vec<OpaqueStatement>,
    /// Where a `;` was put that stands for an opaque statement or for nothing.
    pub placeholders: BTreeSet<usize>,
    /// What makes a function unclear, found without parsing.
    pub problems: Vec<SyntaxProblem>,
    pub shapes: Shapes,
}

/// Replaces what only the preprocessor could make sense of.
pub(super) fn prepare(blanked: Blanked) -> Prepared {
    let shapes = shapes(&blanked.defines);
    let mut text = blanked.text;
    dialect::simplify(&mut text);
    let tokens: Vec<Token> = lex::tokens(&text, Span::new(0, text.len())).collect();
    let mate = lex::brackets(&tokens);
    let prepared = Prepared {
        text,
        pragmas: blanked.pragmas,
        opaque: Vec::new(),
        placeholders: BTreeSet::new(),
        problems: Vec::new(),
        shapes,
    };
    let headers = vec![false; tokens.len()];
    let mut scanner = Scanner {
        tokens,
        mate,
        headers,
        out: prepared,
    };
    scanner.scan();
    let mut out = scanner.out;
    out.pragmas.sort_by_key(|pragma| pragma.span);
    out.opaque.sort_by_key(|opaque| opaque.span);
    out
}

/// What a brace encloses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Brace {
    /// Statements.
    Code,
    /// Members, enumerators, initialisers.
    Data,
    /// `extern "C" { … }`: file level goes on.
    Linkage,
}

/// Walks over the tokens and rewrites what it recognises.
pub(super) struct Scanner {
    pub(super) tokens: Vec<Token>,
    pub(super) mate: Vec<Option<usize>>,
    /// Whether a token is the `)` of an `if`, `for`, `while` or `switch` header.
    headers: Vec<bool>,
    pub(super) out: Prepared,
}

impl Scanner {
    pub(super) fn bytes(&self, index: usize) -> &[u8] {
        self.tokens.get(index).map_or(b"", |token| token.bytes(&self.out.text))
    }
    pub(super) fn is(&self, index: usize, byte: u8) -> bool {
        self.tokens.get(index).is_some_and(|token| token.is(byte))
    }
    pub(super) fn is_word(&self, index: usize) -> bool {
        self.tokens
            .get(index)
            .is_some_and(|token| token.kind == TokenKind::Word)
    }
    pub(super) fn problem(&mut self, span: Span, message: String) {
        self.out.problems.push(SyntaxProblem { span, message });
    }

    /// Walks over all tokens once, knowing at each whether a statement starts there.
    fn scan(&mut self) {
        let mut braces: Vec<Brace> = Vec::new();
        let mut start = false;
        let mut at = 0;
        while at < self.tokens.len() {
            let innermost = braces.iter().rev().find(|brace| **brace != Brace::Linkage);
            let in_code = innermost == Some(&Brace::Code);
            match self.tokens[at].kind {
                TokenKind::Punct(b'{') => {
                    let brace = self.classify(at, start, innermost.is_none());
                    braces.push(brace);
                    start = brace == Brace::Code;
                }
                TokenKind::Punct(b'}') => {
                    let closed = braces.pop();
                    start = closed == Some(Brace::Code) && braces.last() == Some(&Brace::Code);
                }
                TokenKind::Punct(b';') => start = in_code,
                TokenKind::AndAnd => {
                    self.label_address(at);
                    start = false;
                }
                TokenKind::Word if start => {
                    (at, start) = self.statement(at);
                    continue;
                }
                TokenKind::Word => start = in_code && matches!(self.bytes(at), b"else" | b"do"),
                TokenKind::Punct(b'(') => {
                    if in_code && at > 0 && self.is_callee(at - 1) {
                        dialect::type_arguments(&mut self.out.text, &self.tokens, &self.mate, at);
                    }
                    start = false;
                }
                TokenKind::Punct(b')') => start = self.headers[at],
                _ => start = false,
            }
            at += 1;
        }
    }

    /// What the `{` at `at` opens.
    fn classify(&self, at: usize, start: bool, file_level: bool) -> Brace {
        if start {
            return Brace::Code;
        }
        if !file_level || at == 0 {
            return Brace::Data;
        }
        let previous = self.tokens[at - 1];
        if previous.kind == TokenKind::String && at > 1 && self.bytes(at - 2) == b"extern" {
            return Brace::Linkage;
        }
        // `f(…) {`, `f(…) ATTRIBUTE {`, `f(a) int a; {`, but not `struct __attribute__((packed)) s {`.
        let close = if self.is(at - 1, b')') {
            Some(at - 1)
        } else {
            at.checked_sub(2).filter(|i| self.is(*i, b')'))
        };
        let Some(close) = close else {
            return if previous.is(b';') { Brace::Code } else { Brace::Data };
        };
        let Some(open) = self.mate[close] else {
            return Brace::Data;
        };
        let called = open > 0 && (self.is_word(open - 1) || self.is(open - 1, b')'));
        let attributed = open > 1
            && among(self.bytes(open - 1), &NOT_MACROS)
            && matches!(self.bytes(open - 2), b"struct" | b"union" | b"enum");
        if attributed || !called {
            Brace::Data
        } else {
            Brace::Code
        }
    }

    /// `&&label` where an operand is expected: blanked, because the grammar does not know it.
    fn label_address(&mut self, at: usize) {
        let operand = at.checked_sub(1).is_some_and(|i| match self.tokens[i].kind {
            TokenKind::Punct(byte) => b"=(,{[?:;}".contains(&byte),
            TokenKind::Word => self.bytes(i) == b"return",
            _ => false,
        });
        if operand && self.is_word(at + 1) {
            let span = self.tokens[at].span;
            wipe(&mut self.out.text, span);
            self.problem(
                span,
                "takes the address of a label (`&&label`): jumps to it are not followed".into(),
            );
        }
    }

    /// Handles the word at `at`, where a statement starts. Returns where to go on, and whether a statement starts there.
    fn statement(&mut self, at: usize) -> (usize, bool) {
        match self.bytes(at) {
            b"if" | b"while" | b"for" | b"switch" => match self.mate.get(at + 1).copied().flatten() {
                Some(close) if self.is(at + 1, b'(') => {
                    self.headers[close] = true;
                    (at + 2, false)
                }
                _ => (at + 1, false),
            },
            b"else" | b"do" => (at + 1, true),
            b"case" => self.case(at),
            b"goto" if self.is(at + 1, b'*') => {
                let end = self.semicolon(at);
                self.opaque(at, end, None);
                (end, true)
            }
            word if among(word, &STATEMENT_WORDS) && word != b"default" || among(word, &TYPE_WORDS) => (at + 1, false),
            word if among(word, &NOT_MACROS) => (at + 1, false),
            _ if self.is(at + 1, b':') => {
                self.last_label(at + 1);
                (at + 2, true)
            }
            _ => self.name(at),
        }
    }

    /// Whether the word at `at` can be the name of a called function or macro.
    fn is_callee(&self, at: usize) -> bool {
        let word = self.bytes(at);
        let keyword = [&NOT_MACROS[..], &STATEMENT_WORDS, &TYPE_WORDS, &OPERATOR_WORDS];
        self.is_word(at) && !keyword.iter().any(|list| among(word, list))
    }

    /// Gives a label at the end of a block (C23) the empty statement that the grammar asks for.
    fn last_label(&mut self, colon: usize) {
        let place = self.tokens[colon].span.end;
        if self.is(colon + 1, b'}') && self.out.text[place].is_ascii_whitespace() {
            self.out.text[place] = b';';
            self.out.placeholders.insert(place);
        }
    }

    /// Skips a `case` label; a range's end (`case 1 ... 5:`, a GNU extension) is blanked.
    fn case(&mut self, at: usize) -> (usize, bool) {
        let mut index = at + 1;
        let mut conditionals = 0;
        let mut range = None;
        while index < self.tokens.len() {
            match self.tokens[index].kind {
                TokenKind::Punct(b'(' | b'[') => index = self.mate[index].unwrap_or(index),
                TokenKind::Punct(b'?') => conditionals += 1,
                TokenKind::Punct(b':') if conditionals == 0 => {
                    if let Some(from) = range {
                        wipe(&mut self.out.text, Span::new(from, self.tokens[index].span.start));
                    }
                    return (index + 1, true);
                }
                TokenKind::Punct(b':') => conditionals -= 1,
                TokenKind::Punct(b';' | b'{' | b'}') => break,
                TokenKind::Ellipsis => range = Some(self.tokens[index].span.start),
                _ => {}
            }
            index += 1;
        }
        (at + 1, false)
    }

    /// The index after the `;` that ends the statement at `at` (after its last token if there is none).
    fn semicolon(&self, at: usize) -> usize {
        let mut index = at;
        while index < self.tokens.len() && !self.is(index, b'}') {
            if self.is(index, b';') {
                return index + 1;
            }
            index = self.mate[index].filter(|mate| *mate > index).unwrap_or(index) + 1;
        }
        index
    }

    /// Records the statement from token `at` to before token `end` and leaves a `;` of it.
    pub(super) fn opaque(&mut self, at: usize, end: usize, macro_name: Option<String>) {
        let span = Span::new(self.tokens[at].span.start, self.tokens[end - 1].span.end);
        wipe(&mut self.out.text, span);
        self.out.text[span.end - 1] = b';';
        self.out.placeholders.insert(span.end - 1);
        self.out.opaque.push(OpaqueStatement {
            span,
            macro_name,
            wraps: false,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::blank;

    fn show(text: &str) -> (String, Vec<String>, Vec<String>) {
        let prepared = prepare(blank(text.as_bytes(), &[]));
        assert_eq!(prepared.text.len(), text.len());
        let out = String::from_utf8(prepared.text).unwrap();
        let opaque = prepared
            .opaque
            .iter()
            .map(|o| text[o.span.start..o.span.end].to_owned())
            .collect();
        let problems = prepared.problems.into_iter().map(|p| p.message).collect();
        (out.split_whitespace().collect::<Vec<_>>().join(" "), opaque, problems)
    }

    #[test]
    fn unknown_macros_are_read_by_what_follows() {
        let (out, opaque, problems) = show("void f() { A(x)\n y = 1; B(x) { z(); } if (p) C(x) else D(x) }");
        assert_eq!(out, "void f() { ; y = 1; { z(); } if (p) ; else ; }");
        assert_eq!(opaque, ["A(x)", "B(x) { z(); }", "C(x)", "D(x)"]);
        assert_eq!(
            problems,
            [
                "`A` without a `;` may be a macro that hides a loop or a branch",
                "`B` before a block is a macro that hides control flow"
            ]
        );
    }

    #[test]
    fn ordinary_code_is_left_alone() {
        let text = "__attribute__((x)) struct s { int a; }; int v[] = { 1, 2 }; \
            int f(int n) { T *p; g(n); int m = n; T(int) w; L: h(n); switch (n) { case 1 ? 2 : 3: k(); \
            default: ; } a = b ? c : (T) { 1 }; do g(1); while (n); return a && b; }";
        let (out, opaque, problems) = show(text);
        assert_eq!(out, text.split_whitespace().collect::<Vec<_>>().join(" "));
        assert_eq!((opaque, problems), (vec![], vec![]));
    }

    #[test]
    fn known_macros_are_read_by_their_bodies() {
        let defines = "#define CHECK(x) do { (void)(x); } while (0)\n#define LOOP for (;;)\n#define NOTHING\n";
        let (out, opaque, problems) = show(&format!(
            "{defines}void f() {{ CHECK(int x); CHECK(y) *p = 1; LOOP {{ g(); }} NOTHING h(); }}"
        ));
        assert_eq!(out, "void f() { ; ; *p = 1; { g(); } h(); }");
        assert_eq!(opaque, ["CHECK(int x);", "CHECK(y)", "LOOP { g(); }"]);
        assert_eq!(problems, ["the macro `LOOP` hides control flow"]);
    }

    #[test]
    fn pragma_macros_are_expanded() {
        let text =
            "#define OMP(x) _Pragma(#x)\nvoid f() { OMP(omp target\n  map(to: a[0:n])) for (;;) OMP(omp simd) g(); }";
        let prepared = prepare(blank(text.as_bytes(), &[]));
        let texts: Vec<&str> = prepared.pragmas.iter().map(|p| p.text.as_str()).collect();
        assert_eq!(texts, ["omp target map(to: a[0:n])", "omp simd"]);
        assert!(prepared.opaque.is_empty() && prepared.problems.is_empty());
    }

    #[test]
    fn gnu_jumps_and_ranges_do_not_reach_the_parser() {
        let (out, opaque, problems) =
            show("void f() { void *t[] = { &&a, &&b }; goto *t[i]; switch (i) { case 1 ... 5: g(); } return a && b; }");
        assert_eq!(
            out,
            "void f() { void *t[] = { a, b }; ; switch (i) { case 1 : g(); } return a && b; }"
        );
        assert_eq!(opaque, ["goto *t[i];"]);
        assert_eq!(problems.len(), 2);
    }
}
