//! Whether control comes to a loop only past its test, and from its test surely to the loop.
//!
//! ```c
//! switch (c) {
//! case 1:
//!     const int x_y_disjoint = …;
//!     for (…) y[i] += x[i];
//!     break;
//! default:                                /* from here on the variable is in scope, and has no value */
//!     for (…) y[i] -= x[i];
//! }
//! ```
//!
//! C lets labels be jumped to past a declaration. So there must be none between a test and the loops that use it, nor behind
//! these in a loop around them that the test stands before; and the declaration must be in scope at these: another body of
//! the same `if` is not.
//!
//! A test that follows pointers (`*n > 0`) may only be computed where the loop is sure to come that follows them: behind `if
//! (n)` it may be the only one that can. Loops around it are taken to run, as everywhere.

use crate::analysis::function::FunctionModel;
use crate::program::ir::Op;
use crate::syntax::{ScopeTree, StmtId, StmtKind};

/// Whether a variable that is declared before one statement is in scope, and set, at another further on.
pub(super) fn reaches(tree: &ScopeTree, before: StmtId, stmt: StmtId) -> bool {
    let block = tree.stmt(before).parent;
    let in_block = block.is_some_and(|b| tree.stmt(b).kind == StmtKind::Block && tree.encloses(b, stmt));
    if !in_block && !tree.encloses(before, stmt) {
        return false;
    }
    let start = tree.stmt(before).span.start;
    // From what stands behind it in a loop around, control comes to it again.
    let around = |s: &StmtId| tree.stmt(*s).kind.is_loop() && tree.stmt(*s).span.start >= start;
    let loops = tree.ancestors(stmt).skip(1).filter(around);
    let ends = loops.map(|s| tree.stmt(s).span.end);
    let between = start..ends.max().unwrap_or(tree.stmt(stmt).span.start);
    let all = (0..tree.stmts.len() as u32).map(StmtId);
    let labels = all.filter(|s| between.contains(&tree.stmt(*s).span.start) && !tree.encloses(stmt, *s));
    !labels.into_iter().any(|s| match tree.stmt(s).kind {
        StmtKind::Label { .. } => true,
        // That of a `switch` in between is no way around the test.
        StmtKind::Case { .. } | StmtKind::Default => {
            let mut around = tree.ancestors(s);
            let switch = around.find(|a| matches!(tree.stmt(*a).kind, StmtKind::Switch { .. }));
            switch.is_none_or(|w| !between.contains(&tree.stmt(w).span.start))
        }
        _ => false,
    })
}

/// Whether a statement is surely come to from the place before another one: under no condition, and nothing in between
/// leaves.
pub(super) fn is_sure(model: &FunctionModel<'_>, before: StmtId, stmt: StmtId) -> bool {
    let tree = model.tree;
    let block = tree.stmt(before).parent;
    let around = tree.ancestors(stmt).skip(1).take_while(|s| Some(*s) != block);
    let plain = |s: StmtId| {
        let kind = &tree.stmt(s).kind;
        *kind == StmtKind::Block || kind.is_loop()
    };
    let between = tree.stmt(before).span.start..tree.stmt(stmt).span.start;
    let is_between = |s: StmtId| between.contains(&tree.stmt(s).span.start);
    let leaves = |s: StmtId| match tree.stmt(s).kind {
        StmtKind::Return { .. } | StmtKind::Goto { .. } | StmtKind::ComputedGoto => true,
        StmtKind::Break | StmtKind::Continue => {
            let mut around = tree.ancestors(s);
            let left = around.find(|a| {
                let kind = &tree.stmt(*a).kind;
                kind.is_loop() || matches!(kind, StmtKind::Switch { .. })
            });
            left.is_none_or(|l| tree.encloses(l, stmt))
        }
        _ => false,
    };
    let mut all = (0..tree.stmts.len() as u32).map(StmtId).filter(|s| is_between(*s));
    let function = model.function();
    let mut calls = function.inst_ids().filter(|i| {
        let at = model.attachment.node_of[i.0 as usize].and_then(|n| model.fine.stmt_of(n));
        matches!(function.inst(*i).op, Op::Call { .. }) && at.is_none_or(is_between)
    });
    let ends = |i| {
        let effects = model.effects.of_call(model.func, i);
        effects.may_not_return || effects.may_jump
    };
    around.into_iter().all(plain) && !all.any(leaves) && !calls.any(ends)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax;

    /// Whether a variable declared before the statement at `before` is set at the one at `stmt`, both the first of their kind.
    fn set(source: &str, before: &str, stmt: &str) -> bool {
        let tree = syntax::parse(source.as_bytes(), &[]);
        let at = |what: &str| {
            let offset = source.find(what).unwrap();
            let starts = |s: &StmtId| tree.stmt(*s).span.start == offset;
            (0..tree.stmts.len() as u32).map(StmtId).find(starts).unwrap()
        };
        reaches(&tree, at(before), at(stmt))
    }

    #[test]
    fn labels_and_other_bodies_are_ways_around() {
        assert!(set("void f(int c) { a(); if (c) b(); }", "a()", "b()"));
        assert!(!set("void f(int c) { if (c) a(); else b(); }", "a()", "b()"));
        assert!(!set("void f(int c) { a(); past: b(); }", "a()", "b()"));
        assert!(!set(
            "void f(int c) { switch (c) { case 1: a(); default: b(); } }",
            "a()",
            "b()"
        ));
        assert!(set("void f(int c) { a(); switch (c) { case 1: b(); } }", "a()", "b()"));
        assert!(!set(
            "void f(int c) { switch (c) { case 0: a(); do { b(); case 1: c(); } while (c); } }",
            "a()",
            "b()"
        ));
        assert!(set(
            "void f(int c) { a(); do { b(); switch (c) { case 1: c(); } } while (c); }",
            "a()",
            "b()"
        ));
        assert!(!set(
            "void f(int c) { while (c) { a(); { past: c(); } } b(); }",
            "while",
            "b()"
        ));
    }
}
