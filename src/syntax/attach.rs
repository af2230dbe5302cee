//! Pragmas to statements: which statement a pragma stands in, and which one comes right after it.

use super::lex;
use super::pragma_operator::RawPragma;
use super::tree::{Pragma, ScopeTree, StmtId};
use crate::source::Span;

/// Adds `pragmas` to `tree`; `parsed` is the text that was parsed, in which pragmas are blank.
pub(super) fn attach(tree: &mut ScopeTree, parsed: &[u8], pragmas: Vec<RawPragma>) {
    let attached: Vec<Pragma> = pragmas
        .into_iter()
        .map(|RawPragma { span, text, operator }| {
            let function = function_at(tree, span.start);
            let inside = function.and_then(|function| innermost(tree, function, span.start));
            let before = inside.and_then(|inside| following(tree, parsed, inside, span.end));
            Pragma {
                span,
                text,
                operator,
                before,
                inside,
                function,
            }
        })
        .collect();
    tree.pragmas = attached;
}

/// The function whose definition contains `offset`.
fn function_at(tree: &ScopeTree, offset: usize) -> Option<u32> {
    let index = tree.functions.partition_point(|function| function.span.end <= offset);
    tree.functions
        .get(index)
        .filter(|function| function.span.contains(offset))
        .map(|_| index as u32)
}

/// The innermost statement of `function` that contains `offset`.
fn innermost(tree: &ScopeTree, function: u32, offset: usize) -> Option<StmtId> {
    let body = tree.functions[function as usize].body;
    let mut at = Some(body).filter(|body| tree.stmt(*body).span.contains(offset))?;
    while let Some(child) = child_after(tree, at, offset).filter(|child| tree.stmt(*child).span.contains(offset)) {
        at = child;
    }
    Some(at)
}

/// The first child of `parent` that ends after `offset`.
fn child_after(tree: &ScopeTree, parent: StmtId, offset: usize) -> Option<StmtId> {
    let children = &tree.stmt(parent).children;
    children
        .get(children.partition_point(|child| tree.stmt(*child).span.end <= offset))
        .copied()
}

/// The child of `inside` that starts after `end` with nothing but white space and comments between.
fn following(tree: &ScopeTree, parsed: &[u8], inside: StmtId, end: usize) -> Option<StmtId> {
    let next = child_after(tree, inside, end)?;
    let start = tree.stmt(next).span.start;
    let adjacent = end <= start && lex::tokens(parsed, Span::new(end, start)).next().is_none();
    adjacent.then_some(next)
}
