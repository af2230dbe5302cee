//! Macros and functions that other builds define otherwise: in branches of `#if` that this compilation leaves out, and in files that
//! these include.
//!
//! ```c
//! #ifdef TRACE
//! #define LOOK(x) printf("%g\\n", x)          /* in another build `LOOK(a[3])` reads `a` */
//! static void step(double *a) { … }           /* `step` does something else there       */
//! #else
//! #define LOOK(x)
//! static void step(double *a) { … }
//! #endif
//! ```

use super::blank::wipe;
use super::conditionals::asked_defines;
use super::directives::{PreprocessorDirective, directives, logical_text};
use super::lex::{self, Token, TokenKind};
use super::macros::Define;
use super::tree::ScopeTree;
use crate::source::Span;

/// What branches define that this compilation leaves out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LeftOutDefinitions {
    /// Functions, with their bodies.
    pub functions: Vec<LeftOutFunction>,
    /// Macros.
    pub macros: Vec<Define>,
    /// Files that they include, as the directives name them.
    pub includes: Vec<String>,
}

/// A function that another build defines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeftOutFunction {
    /// What it is called.
    pub name: String,
    /// Other files do not see it (`static`).
    pub internal: bool,
}

/// A macro that stands for something else in another build.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OtherMacro {
    /// The macro's name and parameters, and what it stands for in the other build.
    pub other: Define,
    /// The macro's name and parameters, and what it stands for in this one.
    pub here: Define,
    /// Where the text says what it stands for in this one: behind the name and the parameters, to the end of the line.
    pub body: Span,
}

impl LeftOutDefinitions {
    /// What the branches of a text define that this compilation leaves out, outside of functions.
    pub fn of(text: &[u8], tree: &ScopeTree) -> LeftOutDefinitions {
        let mut found = LeftOutDefinitions::default();
        let outside = |span: &&Span| !tree.functions.iter().any(|f| f.span.encloses(**span));
        let branches: Vec<Span> = tree.left_out.iter().filter(outside).copied().collect();
        found.add(text, &branches);
        found.macros.extend(hooks(text, tree));
        found
    }

    /// All that a file defines which such a branch includes.
    pub fn of_file(text: &[u8]) -> LeftOutDefinitions {
        let mut found = LeftOutDefinitions::default();
        found.add(text, &[Span::new(0, text.len())]);
        found
    }

    fn add(&mut self, text: &[u8], branches: &[Span]) {
        if branches.is_empty() {
            return;
        }
        let mut code = text.to_vec();
        for directive in directives(text) {
            wipe(&mut code, directive.span);
            if !branches.iter().any(|branch| branch.encloses(directive.span)) {
                continue;
            }
            let said = logical_text(text, directive.rest);
            if directive.name == "define" {
                self.macros.extend(Define::read(said.trim()));
            } else if directive.name == "include" {
                let said = said.trim();
                let name = said
                    .get(1..)
                    .and_then(|rest| rest.find(['"', '>']).map(|end| &rest[..end]));
                self.includes.extend(name.map(str::to_owned));
            }
        }
        for branch in branches {
            self.functions.extend(functions_in(&code, *branch));
        }
    }
}

/// Macros that do nothing where nobody says what they do (`#ifndef LOG`, `#define LOG(x)`): who does looks at what they are given.
fn hooks(text: &[u8], tree: &ScopeTree) -> Vec<Define> {
    let inactive = |span: &Span| tree.inactive.iter().any(|b| b.encloses(*span));
    let asked = asked_defines(text).into_iter();
    let asked = asked.filter(|(directive, is_asked)| *is_asked && !inactive(&directive.span));
    let hook = |here: Define| {
        let params = here.params.clone().unwrap_or_default();
        let given: Vec<&str> = { params.iter() }
            .map(|p| if p == "..." { "__VA_ARGS__" } else { p })
            .collect();
        (is_idle(&here.body) && !params.is_empty()).then(|| Define {
            body: format!("printf({})", given.join(", ")),
            ..here
        })
    };
    asked
        .filter_map(|(directive, _)| hook(define_at(text, &directive)?.0))
        .collect()
}

/// The macros of a text that are among `others` with another body.
pub fn other_macros(text: &[u8], tree: &ScopeTree, others: &[Define]) -> Vec<OtherMacro> {
    let inactive = |span: &Span| tree.inactive.iter().any(|b| b.encloses(*span));
    let active = directives(text).into_iter();
    let active = active.filter(|d| d.name == "define" && !inactive(&d.span));
    let mut found = Vec::new();
    for (here, body) in active.filter_map(|d| define_at(text, &d)) {
        for other in others.iter().filter(|other| other.name == here.name) {
            if !is_same(&other.body, &here.body) || other.params != here.params {
                found.push(OtherMacro {
                    other: other.clone(),
                    here: here.clone(),
                    body,
                });
            }
        }
    }
    found
}

/// Whether two texts have the same tokens.
fn is_same(one: &str, other: &str) -> bool {
    let tokens = |text: &str| -> Vec<Vec<u8>> {
        let all = lex::tokens(text.as_bytes(), Span::new(0, text.len()));
        all.map(|token| token.bytes(text.as_bytes()).to_vec()).collect()
    };
    tokens(one) == tokens(other)
}

/// The macro that a directive defines, and where what it stands for is.
fn define_at(text: &[u8], directive: &PreprocessorDirective) -> Option<(Define, Span)> {
    let said = logical_text(text, directive.rest);
    let define = Define::read(said.trim())?;
    let start = body_start(text, directive.rest);
    Some((define, Span::new(start, directive.rest.end)))
}

/// Whether what a macro stands for does nothing: `(void)0`, `do { } while (0)`.
pub fn is_idle(body: &str) -> bool {
    let tokens = lex::tokens(body.as_bytes(), Span::new(0, body.len()));
    let words = tokens.filter(|t| !b"();{}".iter().any(|b| t.is(*b)));
    words
        .into_iter()
        .all(|t| matches!(t.bytes(body.as_bytes()), b"void" | b"0" | b"do" | b"while"))
}

/// Where a macro's body begins, in what follows `#define`.
fn body_start(text: &[u8], rest: Span) -> usize {
    let mut tokens = lex::tokens(text, rest);
    let Some(name) = tokens.next() else { return rest.end };
    match tokens.next() {
        Some(open) if open.is(b'(') && open.span.start == name.span.end => {
            let close = tokens.find(|t| t.is(b')'));
            close.map_or(rest.end, |close| close.span.end)
        }
        _ => name.span.end,
    }
}

/// The functions that a piece of a text defines, in which directives are blank.
fn functions_in(code: &[u8], span: Span) -> Vec<LeftOutFunction> {
    let mut found = Vec::new();
    let tokens: Vec<Token> = lex::tokens(code, span).collect();
    let partner = lex::brackets(&tokens);
    let (mut at, mut begin) = (0, 0);
    while at < tokens.len() {
        let opens = tokens[at].is(b'(') || tokens[at].is(b'{');
        let close = partner[at].filter(|close| opens && *close > at);
        let before = at
            .checked_sub(1)
            .map(|i| tokens[i])
            .filter(|t| t.kind == TokenKind::Word);
        let body = close.is_some_and(|close| tokens.get(close + 1).is_some_and(|t| t.is(b'{')));
        if let (true, Some(name), true) = (body, before, tokens[at].is(b'(')) {
            found.push(LeftOutFunction {
                name: String::from_utf8_lossy(name.bytes(code)).into_owned(),
                internal: tokens[begin..at].iter().any(|t| t.bytes(code) == b"static"),
            });
        }
        if tokens[at].is(b';') || tokens[at].is(b'{') {
            begin = close.unwrap_or(at) + 1;
        }
        at = close.unwrap_or(at) + 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{inactive_spans, marked_text, parse};

    fn tree(text: &str) -> ScopeTree {
        let (_, branches) = marked_text(text.as_bytes());
        let surviving = branches.iter().filter(|b| b.id % 2 == 1).map(|b| b.id).collect();
        parse(text.as_bytes(), &inactive_spans(&branches, &surviving))
    }

    #[test]
    fn macros_that_are_others_elsewhere() {
        let text = "#ifdef T\n#define LOOK(x) printf(\"%g\", x)\n#define N 3\n#define M(a, b) f(a)\n#include \"t.h\"\n#else\n\
                    #define LOOK(x) ((void)0)\n#define N  3\n#define M(a)\n#endif\n";
        let left_out = LeftOutDefinitions::of(text.as_bytes(), &tree(text));
        assert_eq!(left_out.includes, ["t.h"]);
        let found = other_macros(text.as_bytes(), &tree(text), &left_out.macros);
        assert_eq!(
            found.iter().map(|m| m.other.name.as_str()).collect::<Vec<_>>(),
            ["LOOK", "M"]
        );
        assert_eq!(text[found[0].body.start..found[0].body.end].trim(), "((void)0)");
        assert!(is_idle(&found[0].here.body) && !is_idle(&found[0].other.body));
    }

    #[test]
    fn functions_that_are_others_elsewhere() {
        let text = "#ifdef T\nstatic int f(int (*g)(int), int n) { return h(n); }\nint k(void);\ndouble *m(void)\n{\n}\n#else\n\
                    static int f(int (*g)(int), int n) { return n; }\n#endif\n";
        let found = LeftOutDefinitions::of(text.as_bytes(), &tree(text)).functions;
        let said: Vec<(&str, bool)> = found.iter().map(|f| (f.name.as_str(), f.internal)).collect();
        assert_eq!(said, [("f", true), ("m", false)]);
        assert_eq!(LeftOutDefinitions::of_file(text.as_bytes()).functions.len(), 3);
    }
}
