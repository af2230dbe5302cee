//! The syntax tree of a preprocessed program in a form in which added braces do not show.
//!
//! Two programs are *the same but for braces* when their trees agree after these steps, none of which changes what a
//! program does: a block without declarations is replaced by its statements where it stands in a list; every body of a
//! control statement is a list; empty statements in lists vanish; a label stands by itself before what it labels; an
//! `else` without statements is no `else`. Blocks with declarations are kept, and only the rewritten program may have
//! one more: [`same`] looks through it. That no name declared in such a block is used after it is checked where the
//! block is planned.

use lang_c::ast::{BlockItem, ExternalDeclaration, ForInitializer, Statement, TranslationUnit};
use lang_c::print::Printer;
use lang_c::span::{Node, Span};
use lang_c::visit::Visit;

/// A statement, or a declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CodeShape {
    /// Something without statements inside, printed.
    Leaf(String),
    /// A declaration, printed.
    Declaration(String),
    /// A block with declarations.
    Block(Vec<CodeShape>),
    /// A control statement: its expressions, printed, and its bodies.
    Control(String, Vec<Vec<CodeShape>>),
}

/// The shapes of all external declarations.
pub fn of_unit(unit: &TranslationUnit) -> Vec<CodeShape> {
    unit.0
        .iter()
        .map(|declaration| external(&declaration.node, &declaration.span))
        .collect()
}

fn external(declaration: &ExternalDeclaration, span: &Span) -> CodeShape {
    let ExternalDeclaration::FunctionDefinition(function) = declaration else {
        return CodeShape::Leaf(printed(|p| p.visit_external_declaration(declaration, span)));
    };
    let head = printed(|p| {
        function
            .node
            .specifiers
            .iter()
            .for_each(|s| p.visit_declaration_specifier(&s.node, &s.span));
        p.visit_declarator(&function.node.declarator.node, &function.node.declarator.span);
        function
            .node
            .declarations
            .iter()
            .for_each(|d| p.visit_declaration(&d.node, &d.span));
    });
    CodeShape::Control(head, vec![body(&function.node.statement)])
}

fn printed(print: impl FnOnce(&mut Printer<'_>)) -> String {
    let mut out = String::new();
    print(&mut Printer::new(&mut out));
    out
}

/// The statements of a body, whether or not it is a block.
fn body(statement: &Node<Statement>) -> Vec<CodeShape> {
    let mut list = Vec::new();
    match &statement.node {
        Statement::Compound(items) => items.iter().for_each(|i| item(i, &mut list)),
        _ => push(statement, &mut list),
    }
    list
}

fn item(item: &Node<BlockItem>, list: &mut Vec<CodeShape>) {
    match &item.node {
        BlockItem::Statement(statement) => push(statement, list),
        declaration => list.push(CodeShape::Declaration(printed(|p| {
            p.visit_block_item(declaration, &item.span)
        }))),
    }
}

fn push(statement: &Node<Statement>, list: &mut Vec<CodeShape>) {
    let control = |head: String, bodies: Vec<Vec<CodeShape>>| CodeShape::Control(head, bodies);
    match &statement.node {
        Statement::Compound(items) => {
            let declares = |i: &Node<BlockItem>| !matches!(i.node, BlockItem::Statement(_));
            if items.iter().any(declares) {
                list.push(CodeShape::Block(body(statement)));
            } else {
                items.iter().for_each(|i| item(i, list));
            }
        }
        Statement::Expression(None) => {}
        Statement::Labeled(labeled) => {
            list.push(CodeShape::Leaf(printed(|p| {
                p.visit_label(&labeled.node.label.node, &labeled.node.label.span)
            })));
            push(&labeled.node.statement, list);
        }
        Statement::If(s) => {
            let head = printed(|p| p.visit_expression(&s.node.condition.node, &s.node.condition.span));
            let mut bodies = vec![body(&s.node.then_statement)];
            bodies.extend(s.node.else_statement.iter().map(|e| body(e)).filter(|e| !e.is_empty()));
            list.push(control(format!("if {head}"), bodies));
        }
        Statement::Switch(s) => {
            let head = printed(|p| p.visit_expression(&s.node.expression.node, &s.node.expression.span));
            list.push(control(format!("switch {head}"), vec![body(&s.node.statement)]));
        }
        Statement::While(s) => {
            let head = printed(|p| p.visit_expression(&s.node.expression.node, &s.node.expression.span));
            list.push(control(format!("while {head}"), vec![body(&s.node.statement)]));
        }
        Statement::DoWhile(s) => {
            let head = printed(|p| p.visit_expression(&s.node.expression.node, &s.node.expression.span));
            list.push(control(format!("do {head}"), vec![body(&s.node.statement)]));
        }
        Statement::For(s) => {
            let part = |e: &Option<Box<Node<lang_c::ast::Expression>>>| {
                e.as_ref()
                    .map_or_else(String::new, |e| printed(|p| p.visit_expression(&e.node, &e.span)))
            };
            let init: &ForInitializer = &s.node.initializer.node;
            let init = printed(|p| p.visit_for_initializer(init, &s.node.initializer.span));
            let head = format!("for {init}; {}; {}", part(&s.node.condition), part(&s.node.step));
            list.push(control(head, vec![body(&s.node.statement)]));
        }
        _ => list.push(CodeShape::Leaf(printed(|p| {
            p.visit_statement(&statement.node, &statement.span)
        }))),
    }
}

/// Whether `new` is `old` but for blocks with declarations that it has more. A block of `old` may have lost all its
/// declarations to such a block, and then no longer counts as one itself.
pub fn same(old: &[CodeShape], new: &[CodeShape]) -> bool {
    // With whether it was looked for in a block.
    let mut wanted: Vec<(&CodeShape, bool)> = old.iter().rev().map(|s| (s, false)).collect();
    let mut rest: Vec<(&CodeShape, bool)> = new.iter().rev().map(|s| (s, false)).collect();
    while let Some((want, lost)) = wanted.pop() {
        let Some((found, within)) = rest.pop() else {
            return false;
        };
        if want == found || alike(want, found) {
            // What was declared in a block is not to be declared outside of one.
            if lost && !within && matches!(want, CodeShape::Declaration(_)) {
                return false;
            }
        } else if let CodeShape::Block(items) = found {
            wanted.push((want, lost));
            rest.extend(items.iter().rev().map(|s| (s, true)));
        } else if let CodeShape::Block(items) = want {
            rest.push((found, within));
            wanted.extend(items.iter().rev().map(|s| (s, true)));
        } else {
            return false;
        }
    }
    // Blocks that hold nothing more may be left.
    rest.iter()
        .all(|(s, _)| matches!(s, CodeShape::Block(items) if same(&[], items)))
}

fn alike(old: &CodeShape, new: &CodeShape) -> bool {
    match (old, new) {
        (CodeShape::Block(a), CodeShape::Block(b)) => same(a, b),
        (CodeShape::Control(head, a), CodeShape::Control(other, b)) => {
            head == other && a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lang_c::driver::{Config, parse_preprocessed};

    fn shapes(body: &str) -> Vec<CodeShape> {
        let text = format!("void f(int c) {{ {body} }}");
        of_unit(&parse_preprocessed(&Config::with_clang(), text).unwrap().unit)
    }
    fn accepts(old: &str, new: &str) -> bool {
        same(&shapes(old), &shapes(new))
    }

    #[test]
    fn added_braces_semicolons_and_empty_else_do_not_show() {
        assert!(accepts(
            "if (c) c++; else if (c > 1) c--;",
            "if (c) { c++; } else { if (c > 1) { c--; } else { } }"
        ));
        assert!(accepts("l: c++; c--; goto l;", "l: ; { c++; c--; } goto l;"));
        assert!(accepts("int a = 1; c = a; c++;", "{ int a = 1; c = a; } c++;"));
        assert!(accepts("{ int a; a = c; } c++;", "{ { int a; a = c; } } { c++; }"));
        assert!(accepts(
            "{ int a; a = c; c++; } c--;",
            "{ { int a; a = c; } c++; } c--;"
        ));
        assert!(accepts(
            "{ c--; int a; a = c; c++; }",
            "{ c--; { int a; a = c; } c++; }"
        ));
    }

    #[test]
    fn anything_else_shows() {
        assert!(!accepts("c++; c--;", "c--; c++;"));
        assert!(!accepts("if (c) c++; c--;", "if (c) { c++; c--; }"));
        assert!(!accepts("{ int a; a = c; } c++;", "int a; a = c; c++;"));
        assert!(!accepts("c = 1;", "c = 2;"));
        assert!(!accepts("c++;", "c++; c++;"));
        assert!(!accepts(
            "if (c) { if (c) c++; } else c--;",
            "if (c) { if (c) c++; else c--; }"
        ));
        assert!(!accepts("for (;;) c++;", "for (;;); c++;"));
    }
}
