//! What each statement node means: its own byte range, and its [`StmtKind`] with the parts resolved to statements.

use super::declarators::{block_names, span_of, variables};
use super::opaque::OpaqueStatement;
use super::tree::{ScopeTree, StmtId, StmtKind};
use crate::source::Span;
use tree_sitter::Node;

/// Where a statement comes from.
#[derive(Clone, Copy)]
pub(super) enum StatementOrigin<'a> {
    /// A node, with the name of the capture that found it.
    Node(&'a str, Node<'a>),
    /// A macro use or computed `goto` that the parser did not see.
    Opaque(&'a OpaqueStatement),
}

/// The range of the statement that `node` stands for: labels end at their colon, a bare type includes its `;`.
pub(super) fn statement_span(capture: &str, node: Node, text: &[u8]) -> Span {
    let span = span_of(node);
    match capture {
        "case" | "label" => {
            let mut cursor = node.walk();
            let colon = node.children(&mut cursor).find(|child| child.kind() == ":");
            Span::new(span.start, colon.map_or(span.end, |colon| colon.end_byte()))
        }
        "bare_type" => {
            let after = &text[span.end..];
            let blanks = after.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let semicolon = after.get(blanks) == Some(&b';');
            Span::new(span.start, if semicolon { span.end + blanks + 1 } else { span.end })
        }
        _ => span,
    }
}

/// The kind of statement `id`, or why it has none.
pub(super) fn kind(tree: &ScopeTree, id: StmtId, origin: StatementOrigin, text: &[u8]) -> Result<StmtKind, String> {
    let (name, node) = match origin {
        StatementOrigin::Node(name, node) => (name, node),
        StatementOrigin::Opaque(opaque) => {
            return Ok(match &opaque.macro_name {
                Some(name) => StmtKind::Macro { name: name.clone() },
                None => StmtKind::ComputedGoto,
            });
        }
    };
    let part = |field: &str| -> Result<StmtId, String> {
        let body = node
            .child_by_field_name(field)
            .ok_or_else(|| format!("a `{name}` statement without its parts"))?;
        resolve(tree, id, body)
    };
    let expression = |field: &str| {
        node.child_by_field_name(field)
            .filter(|n| !n.is_missing())
            .map(inner_span)
    };
    let condition = || expression("condition").ok_or_else(|| format!("a `{name}` statement without a condition"));
    Ok(match name {
        "block" => StmtKind::Block,
        "if" => StmtKind::If {
            cond: condition()?,
            then: part("consequence")?,
            other: match node.child_by_field_name("alternative") {
                Some(clause) => {
                    let body = named_child(clause).ok_or("an `else` without a statement")?;
                    Some(resolve(tree, id, body)?)
                }
                None => None,
            },
        },
        "for" => {
            let init = node.child_by_field_name("initializer");
            let declared = init.filter(|init| init.kind() == "declaration");
            StmtKind::For {
                init: init.map(|init| without_semicolon(span_of(init), text)),
                declares: declared.map_or_else(Vec::new, |declaration| variables(declaration, text)),
                cond: expression("condition"),
                step: expression("update"),
                body: part("body")?,
            }
        }
        "while" => StmtKind::While {
            cond: condition()?,
            body: part("body")?,
        },
        "do" => StmtKind::DoWhile {
            body: part("body")?,
            cond: condition()?,
        },
        "switch" => StmtKind::Switch {
            cond: condition()?,
            body: part("body")?,
        },
        "case" => match node.child_by_field_name("value") {
            // Up to the colon, and so with the second bound of a GNU range, which the parser did not see.
            Some(value) => StmtKind::Case {
                value: case_value(tree.stmt(id).span, value),
            },
            None => StmtKind::Default,
        },
        "label" => StmtKind::Label {
            name: field_text(node, "label", text),
        },
        "goto" => StmtKind::Goto {
            label: field_text(node, "label", text),
        },
        "break" => StmtKind::Break,
        "continue" => StmtKind::Continue,
        "return" => StmtKind::Return {
            value: named_child(node).map(span_of),
        },
        "expression" => expression_kind(node, text),
        "declaration" | "typedef" | "bare_type" => StmtKind::Decl {
            names: block_names(node, text),
        },
        // The trouble query has reported these.
        _ => StmtKind::Error,
    })
}

/// The kind of an `expression_statement`.
fn expression_kind(node: Node, text: &[u8]) -> StmtKind {
    let Some(expression) = named_child(node) else {
        return StmtKind::Empty;
    };
    match expression.kind() {
        "gnu_asm_expression" => StmtKind::Asm,
        "call_expression" if is_static_assert(&field_text(expression, "function", text)) => {
            StmtKind::Decl { names: Vec::new() }
        }
        _ => StmtKind::Expr,
    }
}

fn is_static_assert(name: &str) -> bool {
    matches!(name, "_Static_assert" | "static_assert")
}

/// The child of `id` that `body` became.
fn resolve(tree: &ScopeTree, id: StmtId, body: Node) -> Result<StmtId, String> {
    let mut body = body;
    while body.kind() == "attributed_statement" {
        body = last_named_child(body).ok_or("an attribute without a statement")?;
    }
    if matches!(body.kind(), "labeled_statement" | "case_statement") {
        return Err("a label on a body without braces".into());
    }
    let children = &tree.stmt(id).children;
    let at = children.partition_point(|child| tree.stmt(*child).span.end <= body.start_byte());
    let child = children
        .get(at)
        .copied()
        .filter(|child| tree.stmt(*child).span.contains(body.start_byte()));
    child.ok_or_else(|| "a body that did not parse".to_owned())
}

/// The first child that is neither punctuation nor a comment.
fn named_child<'a>(node: Node<'a>) -> Option<Node<'a>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find(|child| child.kind() != "comment")
}

/// The last child that is neither punctuation nor a comment.
fn last_named_child<'a>(node: Node<'a>) -> Option<Node<'a>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .filter(|child| child.kind() != "comment")
        .last()
}

/// The range of an expression, without the parentheses of a condition.
fn inner_span(node: Node) -> Span {
    match node.kind() {
        "parenthesized_expression" => named_child(node).map_or(span_of(node), span_of),
        _ => span_of(node),
    }
}

/// `span` without a final `;` and the white space before it.
fn without_semicolon(span: Span, text: &[u8]) -> Span {
    let bytes = &text[span.start..span.end];
    let bytes = bytes.strip_suffix(b";").unwrap_or(bytes);
    Span::new(span.start, span.start + bytes.trim_ascii_end().len())
}

/// From the start of a `case`'s value to before its colon.
fn case_value(label: Span, value: Node) -> Span {
    Span::new(value.start_byte(), value.end_byte().max(label.end.saturating_sub(1)))
}

fn field_text(node: Node, field: &str, text: &[u8]) -> String {
    let span = node.child_by_field_name(field).map(span_of).unwrap_or_default();
    String::from_utf8_lossy(&text[span.start..span.end]).into_owned()
}
