//! Which variables a statement can name.

use super::conditionals::BranchPlace;
use super::tree::{DeclName, ScopeTree, StmtId, StmtKind};

/// The parameters and local variables visible at a place between the members of a block.
pub fn declared_before(tree: &ScopeTree, place: BranchPlace) -> Vec<&DeclName> {
    let block = tree.stmt(place.block);
    let next = block.children.get(place.index as usize);
    let before = block
        .declarations
        .iter()
        .take_while(|decl| next.is_none_or(|next| *decl < next));
    let mut visible: Vec<&DeclName> = before
        .filter_map(|decl| match &tree.stmt(*decl).kind {
            StmtKind::Decl { names } => Some(names),
            _ => None,
        })
        .flatten()
        .collect();
    from_inside(tree, place.block, &mut |name| {
        visible.push(name);
        false
    });
    visible
}

/// The parameter or local variable that `name` means just before statement `at`; file-scope variables and what macros declare are
/// not known here.
pub fn declaration_in_scope<'t>(tree: &'t ScopeTree, at: StmtId, name: &str) -> Option<&'t DeclName> {
    from_inside(tree, at, &mut |declared| declared.name == name)
}

/// The first declaration that `is_it` says yes to, of all that `at` is in the scope of, the innermost and latest first.
fn from_inside<'t>(
    tree: &'t ScopeTree,
    at: StmtId,
    is_it: &mut dyn FnMut(&'t DeclName) -> bool,
) -> Option<&'t DeclName> {
    let function = &tree.functions[tree.stmt(at).function as usize];
    let mut inner = at;
    for outer in tree.ancestors(at).skip(1) {
        let stmt = tree.stmt(outer);
        let found = match &stmt.kind {
            StmtKind::For { declares, .. } => declares.iter().rev().find(|name| is_it(name)),
            StmtKind::Block => {
                // Declarations stand in the order of their numbers.
                let before = &stmt.declarations[..stmt.declarations.partition_point(|decl| *decl < inner)];
                let decls = before.iter().rev().filter_map(|decl| match &tree.stmt(*decl).kind {
                    StmtKind::Decl { names } => Some(names),
                    _ => None,
                });
                decls.flat_map(|names| names.iter().rev()).find(|name| is_it(name))
            }
            _ => None,
        };
        if found.is_some() {
            return found;
        }
        inner = outer;
    }
    function.params.iter().find(|name| is_it(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;
    use std::collections::BTreeSet;

    fn visible(text: &str) -> String {
        let tree = crate::syntax::parse(text.as_bytes(), &[]);
        let place = text.find("HERE").unwrap();
        let at = tree.innermost(place).unwrap();
        let words: BTreeSet<String> = crate::syntax::identifiers(text.as_bytes(), Span::new(0, text.len()))
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        assert!(declaration_in_scope(&tree, at, "nowhere").is_none());
        let found = words.iter().filter_map(|name| declaration_in_scope(&tree, at, name));
        let mut names: Vec<&DeclName> = found.collect();
        names.sort_by_key(|name| name.span);
        let shown: Vec<String> = names.iter().map(|n| format!("{}@{}", n.name, n.span.start)).collect();
        shown.join(" ")
    }

    #[test]
    fn parameters_locals_and_loop_variables() {
        let text =
            "void f(int n, double *a) { int x, *y; for (int i = 0; i < n; i++) { int z = i; HERE(); int w; } int v; }";
        assert_eq!(visible(text), "n@11 a@22 x@31 y@35 i@47 z@72");
    }

    #[test]
    fn inner_declarations_shadow_outer_ones() {
        let text = "void f(int n) { int m; { int n, k; } { float m; HERE(); } int k; }";
        assert_eq!(visible(text), "n@11 m@45");
    }

    #[test]
    fn a_loop_does_not_see_its_own_variable_from_before() {
        let text = "void f(int n) { for (int i = 0; i < HERE; i++) ; }";
        assert_eq!(visible(text), "n@11");
    }
}
