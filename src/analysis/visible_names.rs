//! What names mean at the statements of a function: tables, found once somebody asks.
//!
//! ```c
//! int n = 8;                          /* `n` at 2: this one */
//! for (int i = 0; i < n; i++) {       /* `i` in the body    */
//!     int n = i;                      /* `n` at 1: this one */
//!     f(n);                           /* 1                  */
//! }
//! g(n);                               /* 2                  */
//! ```
//!
//! Functions have thousands of names, and each residency that is tried asks for some at its ends. [`declaration`](VisibleNames::declaration)
//! answers as [`crate::syntax::declaration_in_scope`] does.

use crate::program::attach::Offsets;
use crate::program::ir::{Function, GlobalId, Module, VarId};
use crate::syntax::{DeclName, ScopeTree, StmtId, StmtKind};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;

/// Tables of the names of one function.
#[derive(Default)]
pub struct VisibleNames {
    /// By name: the statements that declare it, in text order.
    declarations: OnceCell<FxHashMap<String, Vec<StmtId>>>,
    /// By the byte at which they are declared.
    variables: OnceCell<FxHashMap<usize, Vec<VarId>>>,
    /// By name, in order of their numbers.
    globals: OnceCell<FxHashMap<String, Vec<GlobalId>>>,
}

impl VisibleNames {
    /// The parameter or local variable that `name` means just before statement `at`.
    pub fn declaration<'t>(&self, tree: &'t ScopeTree, at: StmtId, name: &str) -> Option<&'t DeclName> {
        let function = tree.stmt(at).function as usize;
        let all = self.declarations.get_or_init(|| declarations(tree, function));
        let declaring = all.get(name).map_or(&[][..], Vec::as_slice);
        let before = &declaring[..declaring.partition_point(|s| *s < at)];
        // The innermost one, and of these the last, has the greatest number.
        let visible = |s: &&StmtId| match tree.stmt(**s).kind {
            StmtKind::For { .. } => tree.encloses(**s, at),
            _ => tree.stmt(**s).parent.is_some_and(|block| tree.encloses(block, at)) && !tree.encloses(**s, at),
        };
        let declaration = before.iter().rev().find(visible);
        match declaration {
            Some(s) => declared_by(tree, *s).iter().rev().find(|n| n.name == name),
            None => tree.functions[function].params.iter().find(|n| n.name == name),
        }
    }

    /// The variables of a function that are declared at a byte of the text.
    pub fn variables_at(&self, function: &Function, offsets: &dyn Offsets, at: usize) -> &[VarId] {
        let all = self.variables.get_or_init(|| {
            let mut found: FxHashMap<usize, Vec<VarId>> = FxHashMap::default();
            for (variable, id) in function.variables.iter().zip(0..) {
                if let Some(at) = variable.decl.and_then(|l| offsets.offset(l)) {
                    found.entry(at).or_default().push(VarId(id));
                }
            }
            found
        });
        all.get(&at).map_or(&[], Vec::as_slice)
    }

    /// The globals that `name` may mean in a function.
    pub fn globals_named(&self, module: &Module, function: &Function, name: &str) -> &[GlobalId] {
        let all = self.globals.get_or_init(|| {
            let mut found: FxHashMap<String, Vec<GlobalId>> = FxHashMap::default();
            for id in module.globals_of(function.unit, &function.name) {
                let name = module.global(id).name.clone();
                found.entry(name).or_default().push(id);
            }
            found
        });
        all.get(name).map_or(&[], Vec::as_slice)
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

fn declarations(tree: &ScopeTree, function: usize) -> FxHashMap<String, Vec<StmtId>> {
    let mut found: FxHashMap<String, Vec<StmtId>> = FxHashMap::default();
    let in_block = |s: StmtId| {
        let around = tree.stmt(s).parent.map(|p| &tree.stmt(p).kind);
        around == Some(&StmtKind::Block)
    };
    let declares = |s: &StmtId| matches!(tree.stmt(*s).kind, StmtKind::For { .. }) || in_block(*s);
    for stmt in tree.stmts_of(function).filter(declares) {
        for name in declared_by(tree, stmt) {
            let all = found.entry(name.name.clone()).or_default();
            if all.last() != Some(&stmt) {
                all.push(stmt);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;
    use crate::syntax::{declaration_in_scope, identifiers, parse};

    #[test]
    fn tables_say_what_the_scopes_say() {
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
        let tree = parse(text.as_bytes(), &[]);
        let words = identifiers(text.as_bytes(), Span::new(0, text.len()));
        for f in 0..tree.functions.len() {
            let names = VisibleNames::default();
            for at in tree.stmts_of(f) {
                for (word, _) in &words {
                    let there = |d: Option<&DeclName>| d.map(|d| d.span.start);
                    let (found, expected) = (
                        names.declaration(&tree, at, word),
                        declaration_in_scope(&tree, at, word),
                    );
                    assert_eq!(there(found), there(expected), "{word} at {at:?}");
                }
            }
        }
    }
}
