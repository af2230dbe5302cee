//! Uses of macros that stand for the head of a loop, written out.
//!
//! ```c
//! #define FOR(i, n) for (int i = 0; i < (n); i++)
//! FOR(k, N) a[k] = 0;                     /* becomes: for (int k = 0; k < (N); k++) */
//! ```
//!
//! A parser of C does not see the loop, and the compiler gives all parts of its head one place. Written out, the loop is one like any
//! other. Macros count that the text itself defines, once, in all builds and behind all headers, and whose body is heads of `for` and `while`
//! and nothing else.
//! Arguments take the places of parameters as the preprocessor puts them, with blanks around, so that no two tokens become one.

use super::blank::blank;
use super::directives::{directives, logical_text};
use super::lex::{self, Token, TokenKind};
use super::macros::Define;
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// A use of a macro for the head of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HiddenHead {
    /// The macro's name with its arguments.
    pub span: Span,
    /// What it stands for.
    pub head: String,
}

/// The uses of such macros in a text, in their order.
pub fn hidden_heads(text: &[u8]) -> Vec<HiddenHead> {
    let macros = head_macros(text);
    if macros.is_empty() {
        return Vec::new();
    }
    let code = blank(text, &[]).text;
    let tokens: Vec<Token> = lex::tokens(&code, Span::new(0, code.len())).collect();
    let mate = lex::brackets(&tokens);
    let use_at = |at: usize| {
        let name = std::str::from_utf8(tokens[at].bytes(&code)).ok()?;
        let HeadMacro { define, behind } = macros.get(name)?;
        (tokens[at].span.start > *behind).then_some(())?;
        let Some(params) = &define.params else {
            let head = define.body.clone();
            return Some(HiddenHead {
                span: tokens[at].span,
                head,
            });
        };
        tokens.get(at + 1).filter(|next| next.is(b'('))?;
        let close = mate[at + 1]?;
        let span = Span::new(tokens[at].span.start, tokens[close].span.end);
        let arguments = arguments(text, &tokens[at + 1..=close])?;
        let one_line = !text.get(span.start..span.end)?.contains(&b'\n');
        let fits = arguments.len() == params.len() && are_written_once(define, params, &arguments);
        (one_line && fits).then(|| HiddenHead {
            span,
            head: with_arguments(define, params, &arguments),
        })
    };
    let words = (0..tokens.len()).filter(|at| tokens[*at].kind == TokenKind::Word);
    words.filter_map(use_at).collect()
}

/// A macro that stands for heads of loops.
struct HeadMacro {
    define: Define,
    /// Where its definition ends.
    behind: usize,
}

/// The macros of a text that stand for heads of loops in all builds.
fn head_macros(text: &[u8]) -> BTreeMap<String, HeadMacro> {
    let (mut depth, mut seen) = (0usize, BTreeSet::new());
    let mut found: BTreeMap<String, HeadMacro> = BTreeMap::new();
    for directive in directives(text) {
        if directive.opens() {
            depth += 1;
        } else if directive.closes() {
            depth = depth.saturating_sub(1);
        }
        let said = || logical_text(text, directive.rest);
        match directive.name.as_str() {
            "define" => {
                let Some(define) = Define::read(said().trim()) else {
                    continue;
                };
                let first = seen.insert(define.name.clone());
                let (name, behind) = (define.name.clone(), directive.span.end);
                match first && depth == 0 && is_heads(&define) {
                    true => drop(found.insert(name, HeadMacro { define, behind })),
                    false => drop(found.remove(&name)),
                }
            }
            "undef" => {
                let name = said().trim().to_owned();
                found.remove(&name);
                seen.insert(name);
            }
            // A header may define another macro of the name.
            "include" | "include_next" | "import" => found.clear(),
            "pragma" if said().contains("_macro") => found.clear(),
            _ => {}
        }
    }
    found
}

/// Whether a macro's body is heads of loops, one behind the other.
fn is_heads(define: &Define) -> bool {
    let body = define.body.as_bytes();
    let tokens: Vec<Token> = lex::tokens(body, Span::new(0, body.len())).collect();
    let mate = lex::brackets(&tokens);
    let is_plain = |t: &Token| !(t.is(b'#') || t.is(b'{') || t.is(b'}')) && t.bytes(body) != define.name.as_bytes();
    let has_comment = define.body.contains("/*") || define.body.contains("//");
    let variadic = define.params.iter().flatten().any(|p| p.contains("..."));
    let mut at = 0;
    while at < tokens.len() {
        let is_loop = [&b"for"[..], b"while"].contains(&tokens[at].bytes(body));
        let close = tokens.get(at + 1).filter(|next| is_loop && next.is(b'('));
        match close.and_then(|_| mate[at + 1]) {
            Some(close) => at = close + 1,
            None => return false,
        }
    }
    at > 0 && tokens.iter().all(is_plain) && !has_comment && !variadic
}

/// What stands between the commas of a list in parentheses; `None` where that holds a comment.
fn arguments(text: &[u8], list: &[Token]) -> Option<Vec<String>> {
    let (open, close) = (list.first()?, list.last()?);
    let inside = Span::new(open.span.end, close.span.start);
    let mut places = vec![inside.start];
    let mut depth = 0usize;
    for token in &list[1..list.len() - 1] {
        match () {
            () if token.is(b'(') => depth += 1,
            () if token.is(b')') => depth = depth.saturating_sub(1),
            () if token.is(b',') && depth == 0 => places.push(token.span.end),
            () => {}
        }
    }
    let ends = places.iter().skip(1).map(|next| next - 1).chain([inside.end]);
    let each = places.iter().zip(ends).map(|(start, end)| {
        let written = std::str::from_utf8(text.get(*start..end)?).ok()?;
        let has_comment = written.contains("/*") || written.contains("//");
        (!has_comment).then(|| written.trim().to_owned())
    });
    each.collect()
}

/// Whether arguments that may be more than names and numbers each have one place: the preprocessor makes of an argument the very tokens in
/// all its places, which a macro that counts its uses would not.
fn are_written_once(define: &Define, params: &[String], arguments: &[String]) -> bool {
    let body = define.body.as_bytes();
    let places = |param: &String| {
        let tokens = lex::tokens(body, Span::new(0, body.len()));
        tokens.filter(|token| token.bytes(body) == param.as_bytes()).count()
    };
    let mut each = params.iter().zip(arguments);
    each.all(|(param, argument)| !argument.contains('(') || places(param) < 2)
}

/// A macro's body with arguments in the places of its parameters.
fn with_arguments(define: &Define, params: &[String], arguments: &[String]) -> String {
    let body = define.body.as_bytes();
    let mut made = String::new();
    let mut copied = 0;
    for token in lex::tokens(body, Span::new(0, body.len())) {
        let param = params.iter().position(|p| token.bytes(body) == p.as_bytes());
        if let Some(param) = param {
            let between = &define.body[copied..token.span.start];
            made.push_str(between);
            if !made.ends_with([' ', '(']) {
                made.push(' ');
            }
            made.push_str(&arguments[param]);
            if !define.body[token.span.end..].starts_with([' ', ')', ';', ',']) {
                made.push(' ');
            }
            copied = token.span.end;
        }
    }
    made.push_str(&define.body[copied..]);
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heads(text: &str) -> Vec<String> {
        hidden_heads(text.as_bytes()).into_iter().map(|h| h.head).collect()
    }

    #[test]
    fn heads_are_written_out() {
        let text = "#define FOR(i, n) for (int i = 0; i<n; i++)\nvoid f(void) { FOR(k, N - 1) a[k] = 0; }\n";
        assert_eq!(
            heads(text),
            ["for (int k = 0; k <N - 1; k ++)".replace("k <N", "k < N")]
        );
        let text = "#define EVER for (;;)\n#define WHILE while (1)\nvoid f(void) { EVER { WHILE ; } }\n";
        assert_eq!(heads(text), ["for (;;)", "while (1)"]);
        let text = "#define GRID(i, j) for (int i = 0; i < n; i++) for (int j = 0; j < f(m, 2); j++)\nvoid f(void) { GRID(x, y) ; }";
        assert_eq!(
            heads(text),
            ["for (int x = 0; x < n; x ++) for (int y = 0; y < f(m, 2); y ++)"]
        );
    }

    #[test]
    fn what_is_more_than_heads_stays() {
        let none = |text: &str| assert_eq!(heads(text), [""; 0], "{text}");
        none("#define FOR(i) for (i = 0; i < n; i++) {\nvoid f(void) { FOR(k) } }\n");
        none("#define FOR(i) for (int i##_ = 0; ;)\nvoid f(void) { FOR(k) ; }\n");
        none("#ifdef A\n#define FOR(i) for (;;)\n#endif\nvoid f(void) { FOR(k) ; }\n");
        none("#define FOR(i) for (;;)\n#undef FOR\nvoid f(void) { FOR(k) ; }\n");
        none("#define FOR(i) for (;;)\n#define FOR(i) for (;1;)\nvoid f(void) { FOR(k) ; }\n");
        none("#define FOR(i, n) for (;;)\nvoid f(void) { FOR(k,\n 3) ; FOR(k) ; }\n");
        none("#define FOR(i) for (;;)\n#include \"more.h\"\nvoid f(void) { FOR(k) ; }\n");
        none("#define FOR(i) for (;;)\n#pragma push_macro(\"FOR\")\nvoid f(void) { FOR(k) ; }\n");
        none("#define FOR(i, n) for (int i = 0; i < n; i += n)\nvoid f(void) { FOR(k, count(3)) ; }\n");
        none("void f(void) { FOR(k) ; }\n#define FOR(i) for (;;)\n");
        none("#define FOR(i, ...) for (;;)\nvoid f(void) { FOR(k, 1) ; }\n");
        none("#define FOR(i) while (i) if (i)\nvoid f(void) { FOR(k) ; }\n");
    }
}
