//! Which variables a statement can name.

use super::conditionals::BranchPlace;
use super::tree::{DeclName, ScopeTree, StmtId, StmtKind};
use rustc_hash::FxHashMap;

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
/// not known here. A table knows where the name is declared: blocks may have a thousand declarations.
pub fn declaration_in_scope<'t>(tree: &'t ScopeTree, at: StmtId, name: &str) -> Option<&'t DeclName> {
    let function = &tree.functions[tree.stmt(at).function as usize];
    let all = tree.declaring.get_or_init(|| declaring(tree));
    let declaring = all.get(name).map_or(&[][..], Vec::as_slice);
    let before = &declaring[..declaring.partition_point(|s| *s < at)];
    let own = before.iter().rev().take_while(|s| **s >= function.body);
    let is_visible = |s: &&StmtId| match tree.stmt(**s).kind {
        StmtKind::For { .. } => tree.encloses(**s, at),
        _ => tree.stmt(**s).parent.is_some_and(|block| tree.encloses(block, at)) && !tree.encloses(**s, at),
    };
    // The innermost one, and of these the last, has the greatest number.
    match own.copied().find(|s| is_visible(&s)) {
        Some(s) => declared_by(tree, s).iter().rev().find(|n| n.name == name),
        None => function.params.iter().find(|n| n.name == name),
    }
}

/// The names that a statement declares for those behind it, or in it.
fn declared_by(tree: &ScopeTree, stmt: StmtId) -> &[DeclName] {
    match &tree.stmt(stmt).kind {
        StmtKind::For { declares, .. } => declares,
        StmtKind::Decl { names } => names,
        _ => &[],
    }
}

/// The statements that declare each name for others: members of blocks, and loops.
fn declaring(tree: &ScopeTree) -> FxHashMap<String, Vec<StmtId>> {
    let mut found: FxHashMap<String, Vec<StmtId>> = FxHashMap::default();
    let is_loop = |s: StmtId| matches!(tree.stmt(s).kind, StmtKind::For { .. });
    let in_block = |s: StmtId| {
        tree.stmt(s)
            .parent
            .is_some_and(|p| tree.stmt(p).kind == StmtKind::Block)
    };
    let all = (0..tree.stmts.len() as u32).map(StmtId);
    for stmt in all.filter(|s| is_loop(*s) || in_block(*s)) {
        for name in declared_by(tree, stmt) {
            let stmts = found.entry(name.name.clone()).or_default();
            if stmts.last() != Some(&stmt) {
                stmts.push(stmt);
            }
        }
    }
    found
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

    #[test]
    fn the_table_says_what_a_walk_outward_says() {
        let text = "
            int f(int n, int m) {
                int a = n, b = a;
                for (int i = 0, j = 1; i < n; i++) {
                    int n = i, i = n;
                    { int b = 2; g(b); for (;;) { int m; h(m); } g(m); }
                    if (n) { int a; g(a); } else g(a);
                }
                switch (b) { case 1:; int c = 1; g(c); default: g(c); }
                do { int d = 1; g(d); } while (a);
                int n2 = b, a2 = n2;
                return a + b;
            }
            int k(int b) { int a = b; return a; }";
        let tree = crate::syntax::parse(text.as_bytes(), &[]);
        let words = crate::syntax::identifiers(text.as_bytes(), Span::new(0, text.len()));
        for f in 0..tree.functions.len() {
            for at in tree.stmts_of(f) {
                for (word, _) in &words {
                    let there = |d: Option<&DeclName>| d.map(|d| d.span.start);
                    let found = declaration_in_scope(&tree, at, word);
                    let expected = from_inside(&tree, at, &mut |declared| declared.name == *word);
                    assert_eq!(there(found), there(expected), "{word} at {at:?}");
                }
            }
        }
    }
}
