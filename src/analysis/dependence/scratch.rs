//! Scratch arrays: local arrays that every iteration fills before it reads them.
//!
//! ```c
//! float w[4];
//! for (i ...) { for (k = 0; k < 4; k++) w[k] = a[4*i + k]; b[i] = w[0] + w[3]; }        /* private(w) */
//! ```
//!
//! Each statement of the body that reads the array must come after statements of the body that surely wrote all that it
//! reads, in the same iteration; nothing outside of the loop may use the array, and its address goes nowhere.
//!
//! Source: Tu and Padua 1993, for arrays whose writes are not conditional.

use super::frame::Frame;
use super::touch::Touch;
use crate::analysis::arrays::element_of;
use crate::analysis::values::table::Base;
use crate::program::ir::{InstId, Op, Operand, Type, VarId};
use crate::symbolic::{Facts, SectionSet};
use crate::syntax::{StmtId, StmtKind};

/// The arrays declared outside of the loop that may be private, among those that it writes.
pub(super) fn scratch(frame: &Frame<'_, '_>, touches: &[Touch]) -> Vec<VarId> {
    let function = frame.model().function();
    let mut found: Vec<VarId> = Vec::new();
    for touch in touches.iter().filter(|t| t.writes) {
        if let Base::Local(var) = touch.base
            && !found.contains(&var)
            && !super::scalars::declared_inside(frame, var)
            && function.variables[var.0 as usize]
                .alloca
                .is_some_and(|home| confined(frame, home))
            && filled_first(frame, touches, touch.base)
        {
            found.push(var);
        }
    }
    found.sort_unstable();
    found
}

/// Whether an array of a fixed size is used in the loop alone, and only to load, store and fill elements.
fn confined(frame: &Frame<'_, '_>, home: InstId) -> bool {
    let function = frame.model().function();
    if !matches!(
        &function.inst(home).op,
        Op::Alloca {
            ty: Type::Array(..),
            count: None
        }
    ) {
        return false;
    }
    let mut work = vec![home];
    while let Some(address) = work.pop() {
        for user in &frame.shared.users[address.0 as usize] {
            if !frame.body.holds(function, *user) {
                return false;
            }
            match &function.inst(*user).op {
                Op::Load { .. } => {}
                Op::Store { value, .. } if *value != Operand::Inst(address) => {}
                Op::Gep { base, .. } if *base == Operand::Inst(address) => work.push(*user),
                Op::Call { .. } => {
                    let touched = frame.model().copied_bytes(*user);
                    let filled = matches!(&touched[..], [only] if only.fills(&Operand::Inst(address)));
                    if !filled {
                        return false;
                    }
                }
                _ => return false,
            }
        }
    }
    true
}

/// Whether every read comes after writes of the same iteration that cover it.
fn filled_first(frame: &Frame<'_, '_>, touches: &[Touch], base: Base) -> bool {
    let model = frame.model();
    let StmtKind::For { body, .. } = model.tree.stmt(frame.stmt).kind else {
        return false;
    };
    let Some(element) = element_of(model, base) else {
        return false;
    };
    if model.tree.stmt(body).kind != StmtKind::Block || jumps(frame) {
        return false;
    }
    // The statement of the body that a touch is part of, and what it touches there.
    let part = |t: &Touch| {
        model
            .tree
            .stmt(body)
            .children
            .iter()
            .position(|c| model.fine.stmt_of(t.node).is_some_and(|s| model.tree.encloses(*c, s)))
    };
    let footprint = |t: &Touch, part: usize, write: bool| {
        let access = frame
            .shared
            .accesses
            .iter()
            .find(|a| a.inst == t.inst && a.writes == write)?;
        let same = access
            .at
            .as_ref()
            .is_some_and(|at| Some(&at.offset) == t.offset.as_ref());
        let child: StmtId = model.tree.stmt(body).children[part];
        same.then(|| frame.shared.accesses.footprint(model, access, element, Some(child)))
    };
    let mine: Vec<&Touch> = touches.iter().filter(|t| t.base == base).collect();
    let facts = Facts::new();
    mine.iter().filter(|t| t.reads).all(|read| {
        let Some(at) = part(read) else { return false };
        let Some(wanted) = footprint(read, at, read.writes) else {
            return false;
        };
        let mut written = SectionSet::Empty;
        // Below one loop only: the product of two negative sizes would look like elements.
        for write in mine
            .iter()
            .filter(|t| t.writes && t.loops.len() <= 2 && t.is_counted(frame))
        {
            if let Some(before) = part(write).filter(|p| *p < at)
                && let Some(must) = footprint(write, before, true).and_then(|f| f.must)
            {
                written = written.union_must(&SectionSet::of(must, &facts), &facts);
            }
        }
        written.provably_covers(&wanted.may, &facts)
    })
}

/// Whether something in the loop may go past statements of its body.
fn jumps(frame: &Frame<'_, '_>) -> bool {
    let tree = frame.model().tree;
    let inside = |i: u32| tree.encloses(frame.stmt, StmtId(i));
    (0..tree.stmts.len() as u32).filter(|i| inside(*i)).any(|i| {
        matches!(
            tree.stmt(StmtId(i)).kind,
            StmtKind::Continue
                | StmtKind::Goto { .. }
                | StmtKind::Label { .. }
                | StmtKind::Switch { .. }
                | StmtKind::Macro { .. }
        )
    })
}
