//! What the macros that a file defines would do to a scope tree.
//!
//! The tree describes the text as written, so a macro matters only where its expansion is more than an expression:
//!
//! | body | consequence |
//! |---|---|
//! | `x * 2` | none: a use is an ordinary expression |
//! | `do { … } while (0)`, `a; b;` | a use is one opaque statement |
//! | `for (int i = 0; i < n; i++)` | a use hides a loop header: the statement after it is a body |
//! | `if (e) return 1;` | a use hides a jump out of the function |
//! | `_Pragma("…")`, `_Pragma(#x)` alone | a use *is* that pragma, and is recorded as one |
//! | any other body with `_Pragma` | a use hides a pragma |
//!
//! Only macros of the same file are seen. What uses of others look like is handled in [`super::opaque`].

use super::directives::{directives, logical_text};
use super::lex::{self, Token, TokenKind};
use super::line_markers::Marker;
use super::pragma_operator::operator;
use crate::source::Span;
use std::collections::BTreeMap;

/// A macro with its definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Define {
    /// What it is called.
    pub name: String,
    /// `None` for an object-like macro.
    pub params: Option<Vec<String>>,
    /// What it stands for.
    pub body: String,
}

/// The macros that a preprocessed text defines in which definitions still stand, in order.
pub fn definitions(preprocessed: &[u8]) -> Vec<Define> {
    let text = String::from_utf8_lossy(preprocessed);
    let lines = text.lines().filter_map(|line| line.strip_prefix("#define "));
    lines.filter_map(Define::read).collect()
}

/// The macros that a text defines, those in branches that no build compiles included, and the names that the text undefines.
pub fn text_definitions(text: &[u8]) -> (Vec<Define>, Vec<String>) {
    let (mut defined, mut undefined) = (Vec::new(), Vec::new());
    for directive in directives(text) {
        let said = || logical_text(text, directive.rest);
        match directive.name.as_str() {
            "define" => defined.extend(Define::read(said().trim())),
            "undef" => undefined.push(said().trim().to_owned()),
            _ => {}
        }
    }
    (defined, undefined)
}

/// The macros of a preprocessed text that no header of the system defines, and not the compiler itself.
pub fn own_definitions(preprocessed: &[u8]) -> Vec<Define> {
    let mut own = true;
    let mut found = Vec::new();
    for line in preprocessed.split(|b| *b == b'\n') {
        if let Some(marker) = Marker::read(line) {
            own = !marker.system && marker.name != b"<built-in>";
        } else if own && let Some(said) = line.strip_prefix(b"#define ") {
            found.extend(Define::read(&String::from_utf8_lossy(said)));
        }
    }
    found
}

impl Define {
    /// Reads what follows `#define`.
    pub fn read(text: &str) -> Option<Define> {
        let bytes = text.as_bytes();
        if !bytes.first().copied().is_some_and(lex::starts_word) {
            return None;
        }
        let name_end = lex::word(bytes, 0);
        let mut rest = &text[name_end..];
        let mut params = None;
        if let Some(inside) = rest.strip_prefix('(') {
            let close = inside.find(')')?;
            let names = inside[..close].split(',').map(|param| param.trim().to_owned());
            params = Some(names.filter(|param| !param.is_empty()).collect());
            rest = &inside[close + 1..];
        }
        Some(Define {
            name: text[..name_end].to_owned(),
            params,
            body: rest.trim().to_owned(),
        })
    }
}

/// A piece of a macro that is nothing but pragmas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PragmaPart {
    /// `_Pragma("…")`, with the string's contents.
    Text(String),
    /// `_Pragma(#x)`, with the parameter's index.
    Argument(usize),
}

/// What uses of a macro do. The flags of several definitions of one name are united.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MacroShape {
    /// The macro takes arguments.
    pub function_like: bool,
    /// Every definition is empty.
    pub empty: bool,
    /// The macro expands to one or more statements, or to part of one.
    pub statement: bool,
    /// The macro ends in the middle of a statement: a loop or `if` header, or unpaired braces.
    pub open: bool,
    /// The macro can leave the place where it is used.
    pub jump: bool,
    /// The macro contains a `_Pragma`.
    pub pragma: bool,
    /// The macro is exactly these pragmas.
    pub parts: Option<Vec<PragmaPart>>,
}

/// The macros of a file by name.
pub(super) type Shapes = BTreeMap<String, MacroShape>;

/// Classifies `defines`, following uses of one macro in the body of another.
pub(super) fn shapes(defines: &[Define]) -> Shapes {
    let mut shapes = Shapes::new();
    for define in defines {
        let new = shape(define);
        match shapes.get_mut(&define.name) {
            None => {
                shapes.insert(define.name.clone(), new);
            }
            Some(old) if *old == new => {}
            Some(old) => {
                old.function_like &= new.function_like;
                old.empty &= new.empty;
                old.statement |= new.statement;
                old.open |= new.open;
                old.jump |= new.jump;
                old.pragma |= new.pragma;
                old.parts = None;
            }
        }
    }
    propagate(defines, &mut shapes);
    shapes
}

/// Unites into each macro the flags of those its bodies use. Flags only grow, so this ends.
fn propagate(defines: &[Define], shapes: &mut Shapes) {
    let bodies: Vec<(&Define, Vec<Token>)> = defines.iter().map(|define| (define, tokens_of(&define.body))).collect();
    loop {
        let mut changed = false;
        for (define, tokens) in &bodies {
            let mut merged = shapes[&define.name].clone();
            for (index, token) in tokens.iter().enumerate() {
                if token.kind != TokenKind::Word {
                    continue;
                }
                let name = String::from_utf8_lossy(token.bytes(define.body.as_bytes()));
                let Some(used) = shapes.get(name.as_ref()) else {
                    continue;
                };
                merged.statement |= used.statement;
                merged.jump |= used.jump;
                merged.pragma |= used.pragma;
                let whole = index == 0 && !tokens.iter().any(|t| t.is(b';') || t.is(b'{'));
                merged.open |= used.open && whole;
            }
            if merged != shapes[&define.name] {
                shapes.insert(define.name.clone(), merged);
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}

fn tokens_of(body: &str) -> Vec<Token> {
    lex::tokens(body.as_bytes(), Span::new(0, body.len())).collect()
}

/// The shape of one definition by itself.
fn shape(define: &Define) -> MacroShape {
    let body = define.body.as_bytes();
    let tokens = tokens_of(&define.body);
    let has = |words: &[&str]| {
        tokens
            .iter()
            .any(|t| t.kind == TokenKind::Word && words.iter().any(|word| t.bytes(body) == word.as_bytes()))
    };
    let loops = has(&["for", "while", "do", "switch"]);
    let unpaired = {
        let mate = lex::brackets(&tokens);
        tokens
            .iter()
            .zip(&mate)
            .any(|(t, mate)| (t.is(b'{') || t.is(b'}')) && mate.is_none())
    };
    let keyword = loops || has(&["if", "else", "return", "goto", "break", "continue", "case", "default"]);
    let open = unpaired || header(body, &tokens);
    MacroShape {
        function_like: define.params.is_some(),
        empty: tokens.is_empty(),
        statement: keyword || open || has(&["_Pragma"]) || ends_statement(&tokens),
        open,
        jump: has(&["return", "goto", "longjmp"]) || !loops && has(&["break", "continue"]),
        pragma: has(&["_Pragma"]),
        parts: parts(define, &tokens),
    }
}

/// Whether the body has a `;` outside parentheses. (A `;` inside them belongs to a statement expression.)
fn ends_statement(tokens: &[Token]) -> bool {
    let mut depth = 0usize;
    for token in tokens {
        match token.kind {
            TokenKind::Punct(b'(') => depth += 1,
            TokenKind::Punct(b')') => depth = depth.saturating_sub(1),
            TokenKind::Punct(b';') if depth == 0 => return true,
            _ => {}
        }
    }
    false
}

/// Whether the body is only headers: `for (…) if (…)`, perhaps with a final `else`, perhaps with pragmas.
fn header(body: &[u8], tokens: &[Token]) -> bool {
    let mate = lex::brackets(tokens);
    let mut at = 0;
    while at < tokens.len() {
        match tokens[at].bytes(body) {
            b"else" | b"do" => at += 1,
            b"_Pragma" | b"for" | b"while" | b"if" | b"switch" if tokens.get(at + 1).is_some_and(|t| t.is(b'(')) => {
                match mate[at + 1] {
                    Some(close) => at = close + 1,
                    None => return true,
                }
            }
            _ => return false,
        }
    }
    at > 0
}

/// The pragmas that the body consists of, if it consists of nothing else.
fn parts(define: &Define, tokens: &[Token]) -> Option<Vec<PragmaPart>> {
    let body = define.body.as_bytes();
    let mut parts = Vec::new();
    let mut rest = tokens;
    while let Some(first) = rest.first() {
        if first.bytes(body) != b"_Pragma" {
            return None;
        }
        if let Some(pragma) = operator(body, rest) {
            let taken = rest
                .iter()
                .take_while(|token| token.span.end <= pragma.span.end)
                .count();
            parts.push(PragmaPart::Text(pragma.text));
            rest = &rest[taken..];
        } else {
            let [_, open, hash, param, close, ..] = rest else {
                return None;
            };
            if !(open.is(b'(') && hash.is(b'#') && close.is(b')')) {
                return None;
            }
            let name = String::from_utf8_lossy(param.bytes(body));
            let variadic = |declared: &str| declared == "..." && name == "__VA_ARGS__";
            let params = define.params.as_deref()?;
            // Only the sole parameter: then the argument is all that stands between the parentheses of a use.
            let [only] = params else { return None };
            if *only != name && !variadic(only) {
                return None;
            }
            parts.push(PragmaPart::Argument(0));
            rest = &rest[5..];
        }
    }
    (!parts.is_empty()).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classify(lines: &[&str]) -> Shapes {
        shapes(&lines.iter().filter_map(|line| Define::read(line)).collect::<Vec<_>>())
    }

    #[test]
    fn definitions_are_read() {
        let define = Define::read("MAX(a, b) ((a) > (b) ? (a) : (b))").unwrap();
        assert_eq!(define.params, Some(vec!["a".into(), "b".into()]));
        assert_eq!(
            Define::read("N (3)").unwrap(),
            Define {
                name: "N".into(),
                params: None,
                body: "(3)".into()
            }
        );
        assert_eq!(Define::read(""), None);
        assert_eq!(Define::read("F(a"), None);
    }

    #[test]
    fn expressions_are_harmless() {
        let all = classify(&[
            "MAX(a,b) ((a) > (b) ? (a) : (b))",
            "SQ(x) ({ int y = (x); y * y; })",
            "N 10",
        ]);
        assert!(all.values().all(|s| !s.statement && !s.open && !s.jump));
    }

    #[test]
    fn statements_headers_and_jumps_are_told_apart() {
        let all = classify(&[
            "CHECK(x) do { if (!(x)) abort(); } while (0)",
            "FOR_ALL(i,n) for (int i = 0; i < (n); i++)",
            "ROWS FOR_ALL(r, rows)",
            "BEGIN {",
            "TRY(x) if (x) return 1;",
            "TWICE(x) TRY(x) TRY(x)",
        ]);
        let row = |name: &str| (all[name].statement, all[name].open, all[name].jump);
        assert_eq!(row("CHECK"), (true, false, false));
        assert_eq!(row("FOR_ALL"), (true, true, false));
        assert_eq!(row("ROWS"), (true, true, false));
        assert_eq!(row("BEGIN"), (true, true, false));
        assert_eq!(row("TRY"), (true, false, true));
        assert_eq!(row("TWICE"), (true, false, true));
    }

    #[test]
    fn bodies_of_pragmas_only_can_be_expanded() {
        let all = classify(&[
            "A _Pragma(\"omp simd\") _Pragma(\"x\")",
            "B(x) _Pragma(#x)",
            "C(...) _Pragma(#__VA_ARGS__)",
            "D(x) B(omp x)",
            "E _Pragma(\"omp simd\") for (;;)",
        ]);
        let text = |s: &str| PragmaPart::Text(s.into());
        assert_eq!(all["A"].parts, Some(vec![text("omp simd"), text("x")]));
        assert_eq!(all["B"].parts, Some(vec![PragmaPart::Argument(0)]));
        assert_eq!(all["C"].parts, Some(vec![PragmaPart::Argument(0)]));
        assert_eq!((all["D"].parts.clone(), all["D"].pragma), (None, true));
        assert_eq!((all["E"].parts.clone(), all["E"].pragma), (None, true));
    }
}
