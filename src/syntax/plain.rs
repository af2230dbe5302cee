//! A text reduced to what a parser of plain C reads, without running the preprocessor: directives apart, comments gone,
//! macros as they are written.
//!
//! Two texts whose macro definitions are the same are the same program when they are the same before expansion, so the
//! guard compares them in this form where it can be parsed. It often can: a macro used as a constant or called like a
//! function is an identifier or a call to the parser.

use super::blank::blank;
use super::directives::{directives, logical_text};
use super::lex;
use super::parser;
use crate::source::Span;
use std::collections::BTreeSet;
use tree_sitter::Node;

/// The parts of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plain {
    /// Tokens in their places, everything else blank.
    pub text: Vec<u8>,
    /// Pragmas, without `#pragma`, in order.
    pub pragmas: Vec<String>,
    /// All other directives, continued lines joined, in order.
    pub directives: Vec<String>,
}

/// Takes a text apart.
pub fn plain(text: &[u8]) -> Plain {
    let blanked = blank(text, &[]);
    let mut out: Vec<u8> = blanked
        .text
        .iter()
        .map(|b| if *b == b'\n' { b'\n' } else { b' ' })
        .collect();
    for token in lex::tokens(&blanked.text, Span::new(0, blanked.text.len())) {
        out[token.span.start..token.span.end].copy_from_slice(token.bytes(&blanked.text));
    }
    let others = directives(text).into_iter().filter(|d| d.name != "pragma");
    Plain {
        text: out,
        pragmas: blanked.pragmas.into_iter().map(|p| p.text).collect(),
        directives: others.map(|d| logical_text(text, d.span)).collect(),
    }
}

/// Names that a plain text uses as types and does not define: what its headers must have defined.
pub fn foreign_types(plain: &[u8]) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    let mut defined = BTreeSet::new();
    let Some(tree) = parser::parse(plain) else {
        return used;
    };
    let mut stack = vec![tree.root_node()];
    while let Some(node) = stack.pop() {
        // The grammar takes `size_t` and its like for keywords.
        let name = String::from_utf8_lossy(&plain[node.byte_range()]);
        let keyword = matches!(&*name, "int" | "char" | "float" | "double" | "void");
        if node.kind() == "type_identifier" || (node.kind() == "primitive_type" && !keyword) {
            let name = name.into_owned();
            match role(node) {
                Role::Tag => {}
                Role::Definition => {
                    defined.insert(name);
                }
                Role::Use => {
                    used.insert(name);
                }
            }
        }
        let mut cursor = node.walk();
        stack.extend(node.children(&mut cursor));
    }
    used.difference(&defined).cloned().collect()
}

enum Role {
    Tag,
    Definition,
    Use,
}

fn role(node: Node<'_>) -> Role {
    let mut at = node;
    while let Some(parent) = at.parent() {
        match parent.kind() {
            "struct_specifier" | "union_specifier" | "enum_specifier" if at == node => return Role::Tag,
            "type_definition" => {
                let mut cursor = parent.walk();
                let declares = parent
                    .children_by_field_name("declarator", &mut cursor)
                    .any(|d| d == at);
                return if declares { Role::Definition } else { Role::Use };
            }
            kind if kind.ends_with("declarator") => at = parent,
            _ => return Role::Use,
        }
    }
    Role::Use
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_directives_go_and_nothing_moves() {
        let text = b"#include <a.h> // x\nint a; /* y\n*/ int b;\n#pragma omp target \\\n map(a)\n  f(); // z\n";
        let plain = plain(text);
        assert_eq!(plain.text.len(), text.len());
        let shown = String::from_utf8_lossy(&plain.text).into_owned();
        let words: Vec<&str> = shown.split_whitespace().collect();
        assert_eq!(words, ["int", "a;", "int", "b;", "f();"]);
        assert_eq!(plain.pragmas.len(), 1);
        assert!(plain.pragmas[0].starts_with("omp target"));
        assert_eq!(plain.directives.len(), 1);
    }

    #[test]
    fn types_from_headers_are_those_used_and_not_defined() {
        let text = b"typedef struct s { size_t n; } own; own *f(FILE *g) { struct t *t = (struct t *)g; uint8_t x; }";
        let found: Vec<String> = foreign_types(text).into_iter().collect();
        assert_eq!(found, ["FILE", "size_t", "uint8_t"]);
    }
}
