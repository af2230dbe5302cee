//! Macros and functions that branches of `#if` define otherwise which this compilation leaves out.
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
use super::directives::directives;
use super::lex::{self, Token, TokenKind};
use super::macros::Define;
use super::tree::ScopeTree;
use crate::source::Span;
use std::collections::BTreeSet;

/// A macro that does nothing in this build and something in another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IdleMacro {
    /// Its name and parameters, and what it stands for in the other build.
    pub other: Define,
    /// Where the text says what it stands for in this one: behind the name and the parameters, to the end of the line.
    pub body: Span,
}

/// The macros of a text that do nothing in this build, and something in branches that are left out. Those with other parameters
/// there are not among them.
pub fn idle_macros(text: &[u8], tree: &ScopeTree) -> Vec<IdleMacro> {
    let defines: Vec<(Span, Define, Span)> = { directives(text).into_iter() }
        .filter(|d| d.name == "define")
        .filter_map(|d| {
            let said = super::directives::logical_text(text, d.rest);
            let define = Define::read(said.trim())?;
            let start = body_start(text, d.rest);
            Some((d.span, define, Span::new(start, d.rest.end)))
        })
        .collect();
    let left_out = |span: &Span| tree.left_out.iter().any(|b| b.encloses(*span));
    let inactive = |span: &Span| tree.inactive.iter().any(|b| b.encloses(*span));
    let mut found = Vec::new();
    for (_, other, _) in defines
        .iter()
        .filter(|(span, define, _)| left_out(span) && !is_idle(&define.body))
    {
        let here = defines
            .iter()
            .filter(|(span, define, _)| !inactive(span) && define.name == other.name);
        let here = here.filter(|(_, define, _)| is_idle(&define.body) && define.params == other.params);
        found.extend(here.map(|(_, _, body)| IdleMacro {
            other: other.clone(),
            body: *body,
        }));
    }
    found
}

/// Whether what a macro stands for does nothing: `(void)0`, `do { } while (0)`.
fn is_idle(body: &str) -> bool {
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

/// The functions that branches which are left out define, outside of other functions.
pub fn functions_left_out(text: &[u8], tree: &ScopeTree) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let outside = |span: &&Span| !tree.functions.iter().any(|f| f.span.encloses(**span));
    let mut code = text.to_vec();
    directives(text).iter().for_each(|d| wipe(&mut code, d.span));
    for branch in tree.left_out.iter().filter(outside) {
        let tokens: Vec<Token> = lex::tokens(&code, *branch).collect();
        let partner = lex::brackets(&tokens);
        let mut at = 0;
        while at < tokens.len() {
            let opens = tokens[at].is(b'(') || tokens[at].is(b'{');
            let close = partner[at].filter(|close| opens && *close > at);
            let before = at
                .checked_sub(1)
                .map(|i| tokens[i])
                .filter(|t| t.kind == TokenKind::Word);
            if let (Some(close), Some(name), true) = (close, before, tokens[at].is(b'(')) {
                let body = tokens.get(close + 1).is_some_and(|t| t.is(b'{'));
                let name = String::from_utf8_lossy(name.bytes(&code)).into_owned();
                found.extend(body.then_some(name));
            }
            at = close.map_or(at, |close| close) + 1;
        }
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
    fn macros_that_do_something_elsewhere() {
        let text = "#ifdef T\n#define LOOK(x) printf(\"%g\", x)\n#define N 3\n#define M(a, b) f(a)\n#else\n#define LOOK(x) ((void)0)\n\
                    #define N 4\n#define M(a)\n#endif\n";
        let found = idle_macros(text.as_bytes(), &tree(text));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].other.name, "LOOK");
        assert_eq!(text[found[0].body.start..found[0].body.end].trim(), "((void)0)");
    }

    #[test]
    fn functions_that_are_others_elsewhere() {
        let text = "#ifdef T\nstatic int f(int (*g)(int), int n) { return h(n); }\nint k(void);\ndouble *m(void)\n{\n}\n#else\n\
                    static int f(int (*g)(int), int n) { return n; }\n#endif\n";
        let found = functions_left_out(text.as_bytes(), &tree(text));
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["f", "m"]);
    }
}
