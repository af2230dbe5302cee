//! Who reads conditions, and how their text is taken apart: at operators that stand in no brackets.

use super::tokens::operator;
use crate::analysis::cexpr::Macros;
use crate::analysis::function::FunctionModel;

/// Reads conditions of a function.
pub struct ConditionReader<'a> {
    /// The function.
    pub model: &'a FunctionModel<'a>,
    /// The macros of the function's file.
    pub macros: &'a Macros,
}

/// Operators outside all parentheses, with their places.
pub fn top_level(text: &str) -> Vec<(usize, &str)> {
    let (mut depth, mut at) = (0usize, 0usize);
    let mut found = Vec::new();
    while at < text.len() {
        let Some(rest) = text.get(at..) else { break };
        if rest.starts_with("->") {
            at += 2;
            continue;
        }
        match operator(rest) {
            Some("(") => depth += 1,
            Some(")") => depth = depth.saturating_sub(1),
            Some(op) if depth == 0 => found.push((at, op)),
            _ => {}
        }
        at += operator(rest).map_or(1, str::len);
    }
    found
}

/// Without parentheses around all of it.
pub fn bare(text: &str) -> &str {
    let text = text.trim();
    let Some(inside) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) else {
        return text;
    };
    let mut depth = 0i32;
    let closes_early = inside.bytes().any(|b| {
        depth += i32::from(b == b'(') - i32::from(b == b')');
        depth < 0
    });
    if closes_early { text } else { bare(inside) }
}

/// What stands between `&&`, where nothing binds less.
pub fn parts(text: &str) -> Vec<&str> {
    let text = bare(text);
    let operators = top_level(text);
    if operators.iter().any(|(_, op)| ["||", "?", ":"].contains(op)) {
        return vec![text];
    }
    let mut found = Vec::new();
    let mut from = 0;
    for (at, _) in operators.iter().filter(|(_, op)| *op == "&&") {
        found.push(&text[from..*at]);
        from = at + 2;
    }
    if from == 0 {
        return vec![text];
    }
    found.push(&text[from..]);
    found.into_iter().flat_map(parts).collect()
}

/// The sides of a comparison, `None` inside for an expression without one; `None` where there is anything that binds less
/// or as much.
#[allow(clippy::type_complexity)]
pub(super) fn comparison(text: &str) -> Option<Option<(&str, &str, &str)>> {
    let operators = top_level(text);
    let mut compares = operators
        .iter()
        .filter(|(_, op)| !["+", "-", "*", "/", "%"].contains(op));
    match (compares.next(), compares.next()) {
        (None, _) => Some(None),
        (Some((at, op)), None) if ["<", ">", "<=", ">=", "!="].contains(op) => {
            Some(Some((&text[..*at], op, &text[at + op.len()..])))
        }
        _ => None,
    }
}

/// Whether an expression is 0 or 1 whatever it holds.
pub(super) fn is_truth(text: &str) -> bool {
    let operators = top_level(bare(text));
    let has = |list: &[&str]| operators.iter().any(|(_, op)| list.contains(op));
    has(&["<", ">", "<=", ">=", "==", "!=", "&&", "||"]) && !has(&["&", "|", "^", "?", ":"])
}
