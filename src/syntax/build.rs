//! Tree-sitter's nodes to statements.
//!
//! A query finds all statement nodes as a flat list; what nests in what follows from their byte ranges alone. Labels
//! are cut down to `name:` before that, which is all it takes to make the statements after them siblings. So nothing
//! here recurses, and text of any depth is safe; beyond [`MAX_NESTING`] statements are left out with a problem,
//! because readers of the tree may recurse.

use super::declarators::{signature, span_of};
use super::kinds::{self, StatementOrigin};
use super::opaque::Prepared;
use super::parser::Captures;
use super::tree::{FunctionNode, ScopeTree, Stmt, StmtId, StmtKind, SyntaxProblem};
use crate::source::Span;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// How deep statements may nest.
pub(super) const MAX_NESTING: usize = 500;

/// A statement to be.
#[derive(Clone, Copy)]
struct StatementDraft<'a> {
    span: Span,
    origin: StatementOrigin<'a>,
}

impl StatementDraft<'_> {
    /// Whether statements may nest in it. Statement expressions and nested functions stay closed.
    fn is_container(&self) -> bool {
        match self.origin {
            StatementOrigin::Node(name, _) => matches!(name, "block" | "if" | "for" | "while" | "do" | "switch"),
            StatementOrigin::Opaque(opaque) => opaque.wraps,
        }
    }
}

/// Builds the functions and statements of the tree; `text` is the original. Pragmas are not attached, and problems are all file-wide yet.
pub(super) fn build(text: &[u8], prepared: &Prepared, captures: &Captures<'_>) -> ScopeTree {
    let mut tree = ScopeTree {
        problems: prepared.problems.clone(),
        ..ScopeTree::default()
    };
    let mut found = find(prepared, captures);
    found.sort_by_key(|f| (f.span.start, Reverse(f.span.end)));

    let mut next = 0;
    for &(_, definition) in &captures.functions {
        let part = |name| definition.child_by_field_name(name);
        if part("declarator").is_none() || part("body").is_none_or(|body| body.kind() != "compound_statement") {
            continue;
        }
        let span = span_of(definition);
        if tree.functions.last().is_some_and(|outer| outer.span.overlaps(span)) {
            // A nested function; the trouble query has reported it.
            continue;
        }
        let Some((name, params)) = signature(definition, text) else {
            tree.problems.push(SyntaxProblem {
                span,
                message: "a function without a readable declarator".into(),
            });
            continue;
        };
        let Some(body) = definition.child_by_field_name("body").map(span_of) else {
            continue;
        };
        while found.get(next).is_some_and(|f| f.span.start < body.start) {
            next += 1;
        }
        let count = found[next..].partition_point(|f| f.span.start < body.end);
        let first = StmtId(tree.stmts.len() as u32);
        nest(&mut tree, &found[next..next + count], text);
        next += count;
        if tree.stmts.get(first.0 as usize).is_none_or(|stmt| stmt.span != body) {
            tree.stmts.truncate(first.0 as usize);
            tree.problems.push(SyntaxProblem {
                span,
                message: format!("the body of `{}` is not understood", name.name),
            });
            continue;
        }
        let (name, name_span) = (name.name, name.span);
        tree.functions.push(FunctionNode {
            name,
            name_span,
            span,
            params,
            body: first,
            problems: Vec::new(),
        });
    }
    tree
}

/// All statements of the file, in no particular order.
fn find<'a>(prepared: &'a Prepared, captures: &Captures<'a>) -> Vec<StatementDraft<'a>> {
    // Init clauses and the braces of statement expressions are captured as statements too, and are none.
    let closed: BTreeSet<Span> = captures
        .statements
        .iter()
        .filter_map(|(name, node)| match *name {
            "closed" => Some(*node),
            "for" => node.child_by_field_name("initializer"),
            _ => None,
        })
        .map(span_of)
        .collect();
    let mut found: Vec<StatementDraft> = Vec::new();
    for &(name, node) in &captures.statements {
        let span = kinds::statement_span(name, node, &prepared.text);
        let name = if closed.contains(&span) { "closed" } else { name };
        let placeholder = span.len() == 1 && prepared.placeholders.contains(&span.start);
        if !span.is_empty() && !placeholder {
            found.push(StatementDraft {
                span,
                origin: StatementOrigin::Node(name, node),
            });
        }
    }
    for &(name, node) in &captures.trouble {
        let opaque = matches!(name, "error" | "nested_function" | "structured_exception");
        if opaque && node.start_byte() < node.end_byte() {
            found.push(StatementDraft {
                span: span_of(node),
                origin: StatementOrigin::Node(name, node),
            });
        }
    }
    found.extend(prepared.opaque.iter().map(|o| StatementDraft {
        span: o.span,
        origin: StatementOrigin::Opaque(o),
    }));
    found
}

/// Appends one function's statements, given in text order with outer ones first.
fn nest(tree: &mut ScopeTree, found: &[StatementDraft], text: &[u8]) {
    let function = tree.functions.len() as u32;
    let first = tree.stmts.len();
    // Indices into `found` and ids of the statements around the current one. `None`: left out.
    let mut open: Vec<(usize, Option<StmtId>)> = Vec::new();
    let mut origins: Vec<StatementOrigin> = Vec::new();
    let mut too_deep = None;
    for (index, item) in found.iter().enumerate() {
        while open
            .last()
            .is_some_and(|(outer, _)| found[*outer].span.end <= item.span.start)
        {
            open.pop();
        }
        let parent = match open.last() {
            None if index > 0 => continue,
            None => None,
            Some((outer, id)) => {
                let id = id.filter(|_| found[*outer].is_container() && found[*outer].span.encloses(item.span));
                if id.is_none() {
                    open.push((index, None));
                    continue;
                }
                id
            }
        };
        // An error inside an expression or a loop header is no statement of its own.
        let in_block =
            parent.is_none_or(|p| matches!(origins[p.0 as usize - first], StatementOrigin::Node("block", _)));
        let stray = match item.origin {
            StatementOrigin::Node("error", _) => !in_block,
            StatementOrigin::Node("closed", _) => true,
            _ => false,
        };
        if open.len() >= MAX_NESTING || stray {
            if !stray {
                too_deep.get_or_insert(item.span);
            }
            open.push((index, None));
            continue;
        }
        let id = StmtId(tree.stmts.len() as u32);
        if let Some(parent) = parent {
            tree.stmts[parent.0 as usize].children.push(id);
        }
        tree.stmts.push(Stmt {
            kind: StmtKind::Error,
            span: item.span,
            parent,
            children: Vec::new(),
            declarations: Vec::new(),
            function,
        });
        origins.push(item.origin);
        open.push((index, Some(id)));
    }
    if let Some(span) = too_deep {
        tree.problems.push(SyntaxProblem {
            span,
            message: format!("statements nest deeper than {MAX_NESTING} levels"),
        });
    }
    // Kinds name their parts by id, so they come when all ids are known.
    for (offset, origin) in origins.iter().enumerate() {
        let id = StmtId((first + offset) as u32);
        let kind = kinds::kind(tree, id, *origin, text);
        match kind {
            Ok(kind) => {
                let stmt = &mut tree.stmts[first + offset];
                let declares = matches!(kind, StmtKind::Decl { .. });
                stmt.kind = kind;
                if let Some(parent) = stmt.parent.filter(|_| declares) {
                    tree.stmts[parent.0 as usize].declarations.push(id);
                }
            }
            Err(message) => {
                let span = tree.stmts[first + offset].span;
                tree.problems.push(SyntaxProblem { span, message });
            }
        }
    }
}
