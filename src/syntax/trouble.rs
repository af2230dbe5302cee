//! Why parts of a file are not understood: from the parser, and from a second opinion on its braces.

use super::declarators::span_of;
use super::lex::{self, Token};
use super::opaque::Prepared;
use super::parser::Captures;
use super::tree::{ScopeTree, StmtKind, SyntaxProblem};
use crate::source::Span;
use std::collections::BTreeMap;

/// How many bytes of source a message quotes at most.
const QUOTED: usize = 40;

/// The problems that the parsed nodes show, in text order. Errors within errors are not repeated.
pub(super) fn of_nodes(prepared: &Prepared, captures: &Captures<'_>) -> Vec<SyntaxProblem> {
    let mut problems = Vec::new();
    let mut reported = 0;
    for &(name, node) in &captures.trouble {
        let node = match name {
            "macro_type" => node.child_by_field_name("name").unwrap_or(node),
            _ => node,
        };
        let span = span_of(node);
        let message = match name {
            "error" | "missing" if span.start < reported => continue,
            "error" => {
                reported = span.end;
                format!("does not parse as C: `{}`", quote(&prepared.text, span))
            }
            "missing" => format!("does not parse as C: `{}` is missing", node.kind()),
            "statement_expression" => "a statement expression `({ … })` hides statements".to_owned(),
            "nested_function" => "a function inside a function is not described".to_owned(),
            "structured_exception" => "structured exception handling is not described".to_owned(),
            "leftover_directive" => "a preprocessor directive that could not be set aside".to_owned(),
            "macro_type" => {
                let name = quote(&prepared.text, span);
                let known = prepared.shapes.get(&name).is_some_and(|shape| !shape.statement);
                if known || is_type_operator(&name) {
                    continue;
                }
                format!("`{name}(…)` before a declaration may be a type or a statement")
            }
            _ => continue,
        };
        problems.push(SyntaxProblem { span, message });
    }
    problems
}

fn is_type_operator(name: &str) -> bool {
    matches!(
        name,
        "typeof" | "__typeof__" | "__typeof" | "typeof_unqual" | "_Atomic" | "_BitInt" | "__attribute__" | "__declspec"
    )
}

/// The first line of `span`, shortened.
fn quote(text: &[u8], span: Span) -> String {
    let line = text[span.start..span.end]
        .split(|byte| matches!(byte, b'\n' | b'\r'))
        .next()
        .unwrap_or_default();
    let quoted = String::from_utf8_lossy(&line[..line.len().min(QUOTED)])
        .trim()
        .to_owned();
    if line.len() > QUOTED { quoted + "…" } else { quoted }
}

/// Blocks of `tree` whose braces a plain lexer pairs differently. The parser and the lexer share no code, so what both
/// agree on is unlikely to be an accident of error recovery.
pub(super) fn of_braces(prepared: &Prepared, tree: &ScopeTree) -> Vec<SyntaxProblem> {
    let tokens: Vec<Token> = lex::tokens(&prepared.text, Span::new(0, prepared.text.len())).collect();
    let mate = lex::brackets(&tokens);
    let mut pairs = BTreeMap::new();
    for (token, mate) in tokens.iter().zip(&mate) {
        if let (true, Some(mate)) = (token.is(b'{'), mate) {
            pairs.insert(token.span.start, tokens[*mate].span.end);
        }
    }
    let blocks = tree.stmts.iter().filter(|stmt| stmt.kind == StmtKind::Block);
    blocks
        .filter(|block| pairs.get(&block.span.start) != Some(&block.span.end))
        .map(|block| SyntaxProblem {
            span: block.span,
            message: "the braces of this block do not pair up".to_owned(),
        })
        .collect()
}

/// Moves each problem that touches a function to that function. What is left concerns the file.
///
/// What the parser stumbles over between a function's start and its body is a macro: for an attribute or a storage class
/// (`EXPORT void f(void)`), or for a parameter (`T MATRIX(a, n + 1)`). The body is understood all the same, so nothing is
/// said, unless the stumbling block has a `;` or a brace: then it may be the rest of something else.
pub(super) fn distribute(text: &[u8], tree: &mut ScopeTree, mut problems: Vec<SyntaxProblem>) {
    problems.append(&mut tree.problems);
    problems.sort_by(|a, b| (a.span, &a.message).cmp(&(b.span, &b.message)));
    problems.dedup();
    for problem in problems {
        let Span { start, end } = problem.span;
        let first = tree.functions.partition_point(|function| function.span.end <= start);
        let touched = tree.functions[first..]
            .iter_mut()
            .take_while(|f| f.span.start < end.max(start + 1));
        let mut owned = false;
        for function in touched {
            owned = true;
            let head = Span::new(function.span.start, tree.stmts[function.body.0 as usize].span.start);
            let plain = !text[start..end].iter().any(|byte| b";{}".contains(byte));
            if plain && start < end && head.encloses(problem.span) {
                continue;
            }
            function.problems.push(problem.clone());
        }
        if !owned {
            tree.problems.push(problem);
        }
    }
}
