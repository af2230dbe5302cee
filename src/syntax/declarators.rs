//! Which identifier a C declarator declares, and whether as a variable.

use super::tree::DeclName;
use crate::source::Span;
use tree_sitter::Node;

/// The byte range of a node.
pub(super) fn span_of(node: Node) -> Span {
    Span::new(node.start_byte(), node.end_byte())
}

/// Finds the declared identifier and the derivation nearest to it, parentheses aside.
///
/// C declarators read inside out: in `int (*f)(int)` the nearest derivation is the `*`, so `f` is a pointer; in
/// `int *f(int)` it is the parameter list, so `f` is a function.
fn identifier(declarator: Node) -> Option<(Node, Option<Node>)> {
    let mut at = declarator;
    let mut nearest = None;
    loop {
        match at.kind() {
            "identifier" | "type_identifier" | "field_identifier" => return Some((at, nearest)),
            "function_declarator" | "pointer_declarator" | "array_declarator" => nearest = Some(at),
            _ => {}
        }
        at = match at.child_by_field_name("declarator") {
            Some(inner) => inner,
            None => declarator_child(at)?,
        };
    }
}

/// The declarator inside a parenthesised or attributed one, which the grammar gives no field.
fn declarator_child(node: Node) -> Option<Node> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .find(|child| child.kind().ends_with("declarator") || child.kind() == "identifier")
}

fn decl_name(node: Node, text: &[u8]) -> DeclName {
    let span = span_of(node);
    DeclName {
        name: String::from_utf8_lossy(&text[span.start..span.end]).into_owned(),
        span,
    }
}

/// The variables that a `declaration` node declares, in order; prototypes declare none.
pub(super) fn variables(declaration: Node, text: &[u8]) -> Vec<DeclName> {
    let mut cursor = declaration.walk();
    declaration
        .children_by_field_name("declarator", &mut cursor)
        .filter_map(identifier)
        .filter(|(_, nearest)| nearest.is_none_or(|node| node.kind() != "function_declarator"))
        .map(|(name, _)| decl_name(name, text))
        .collect()
}

/// All names that a declaration in a block gives a meaning: variables, functions, types, and the constants of enumerations.
pub(super) fn block_names(declaration: Node, text: &[u8]) -> Vec<DeclName> {
    let mut cursor = declaration.walk();
    let declarators = declaration.children_by_field_name("declarator", &mut cursor);
    let named = declarators
        .filter_map(identifier)
        .map(|(name, _)| decl_name(name, text));
    let mut names: Vec<DeclName> = named.collect();
    let mut work: Vec<Node> = declaration.child_by_field_name("type").into_iter().collect();
    // `enum { A };` alone is the type itself.
    work.extend(declaration.kind().ends_with("_specifier").then_some(declaration));
    while let Some(node) = work.pop() {
        if node.kind() == "enumerator" {
            names.extend(node.child_by_field_name("name").map(|name| decl_name(name, text)));
        }
        let mut cursor = node.walk();
        work.extend(node.named_children(&mut cursor));
    }
    names.sort_by_key(|name| name.span.start);
    names
}

/// How a name at file scope is declared.
pub(super) struct DeclarationForm {
    /// As a function.
    pub function: bool,
    /// Not as an array of unknown length.
    pub sized: bool,
}

/// All names that a `declaration` or `type_definition` node declares, in order.
pub(super) fn file_variables(declaration: Node, text: &[u8]) -> Vec<(DeclName, DeclarationForm)> {
    let mut cursor = declaration.walk();
    let declarators = declaration.children_by_field_name("declarator", &mut cursor);
    let named = declarators.filter_map(|declarator| {
        let (name, nearest) = identifier(declarator)?;
        let is = |kind: &str| nearest.is_some_and(|node| node.kind() == kind);
        let open = is("array_declarator") && nearest.is_some_and(|node| node.child_by_field_name("size").is_none());
        let kind = DeclarationForm {
            function: is("function_declarator"),
            sized: !open || declarator.kind() == "init_declarator",
        };
        Some((decl_name(name, text), kind))
    });
    named.collect()
}

/// The name that a parameter's declarator declares. `double MATRIX(a, n, m)` reads as a parameter `MATRIX` of function
/// type, which next to nobody writes, and is in practice a macro that makes a declarator of its first argument: what it declares is
/// where the macro is used, for compilers.
fn parameter_name<'a>((name, nearest): (Node<'a>, Option<Node<'a>>), text: &[u8]) -> DeclName {
    let list = nearest.and_then(|node| node.child_by_field_name("parameters"));
    let first = list
        .and_then(|list| list.named_child(0))
        .filter(|param| param.named_child_count() == 1);
    first
        .and_then(|param| param.named_child(0))
        .filter(|word| word.kind() == "type_identifier")
        .map_or_else(
            || decl_name(name, text),
            |word| DeclName {
                span: span_of(name),
                ..decl_name(word, text)
            },
        )
}

/// The name and the parameters of a function definition.
pub(super) fn signature(definition: Node, text: &[u8]) -> Option<(DeclName, Vec<DeclName>)> {
    let (name, nearest) = identifier(definition.child_by_field_name("declarator")?)?;
    let nearest = nearest.filter(|node| node.kind() == "function_declarator")?;
    let mut params = Vec::new();
    if let Some(list) = nearest.child_by_field_name("parameters") {
        let mut cursor = list.walk();
        for param in list.named_children(&mut cursor) {
            let declared = match param.kind() {
                // A K&R parameter list holds plain identifiers.
                "identifier" => Some(decl_name(param, text)),
                _ => param
                    .child_by_field_name("declarator")
                    .and_then(identifier)
                    .map(|found| parameter_name(found, text)),
            };
            params.extend(declared);
        }
    }
    Some((decl_name(name, text), params))
}
