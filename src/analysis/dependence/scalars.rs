//! What becomes of each scalar: one of its own in every iteration, a reduction, or a reason not to run in parallel.
//!
//! A scalar is *upward exposed* in an iteration when some path from its beginning reads the variable before setting it:
//! then it reads what another iteration left (or what stood there before the loop).
//!
//! | in an iteration | read after the loop | becomes |
//! |---|---|---|
//! | only read | | `firstprivate` |
//! | set before it is read | no | `private` |
//! | set on every path, before it is read | yes | `lastprivate`, if the loop runs at all |
//! | set on some paths | yes | refused |
//! | upward exposed, all accesses are updates of one kind | | `reduction` |
//! | upward exposed otherwise | | refused |
//! | set, and read by the loop's init clause | | refused |
//!
//! What is declared inside the loop is private by its scope, and read before it is set by no program that means anything.
//!
//! Set before read is decided over the blocks of the IR (forward, all paths), read after the loop likewise (forward from
//! where the loop is left, until the variable is set). Source: Allen and Kennedy, chapter 5 (privatisation).

use super::body::insts_of;
use super::frame::Frame;
use super::reduction::reduction;
use super::touch::on_device;
use super::tracked::accessed;
use super::verdict::{LoopRefusal, NotCanonical, Obstacle, Reduction, ScalarTrouble};
use crate::analysis::points_to::for_operands;
use crate::program::ir::{BlockId, InstId, Op, Operand, Type, VarId};
use fixedbitset::FixedBitSet;
use std::collections::BTreeSet;

/// What becomes of the scalars of a loop.
#[derive(Clone, Debug, Default)]
pub(super) struct Scalars {
    pub private: Vec<VarId>,
    pub firstprivate: Vec<VarId>,
    pub lastprivate: Vec<VarId>,
    pub reductions: Vec<Reduction>,
}

/// Decides about all scalars of a loop.
pub(super) fn classify(frame: &Frame<'_, '_>) -> Result<Scalars, LoopRefusal> {
    let function = frame.model().function();
    let mut scalars = Scalars::default();
    for home in homes(frame) {
        let users = &frame.shared.users[home.0 as usize];
        let inside: Vec<InstId> = users
            .iter()
            .copied()
            .filter(|u| frame.body.holds(function, *u))
            .collect();
        if let Op::Alloca { ty, .. } = &function.inst(home).op
            && !on_device(ty)
        {
            return Err(LoopRefusal::new(Obstacle::HostType, frame.stmt, inside));
        }
        one(frame, home, &inside, &mut scalars)?;
    }
    Ok(scalars)
}

/// The storage of the scalars that the loop uses, in order.
fn homes(frame: &Frame<'_, '_>) -> BTreeSet<InstId> {
    let function = frame.model().function();
    let mut found = BTreeSet::new();
    for id in frame.body.insts(function) {
        for_operands(&function.inst(id).op, &mut |operand| match operand {
            Operand::Inst(home) if frame.shared.tracked[home.0 as usize] => {
                found.insert(*home);
            }
            _ => {}
        });
    }
    found
}

fn one(frame: &Frame<'_, '_>, home: InstId, inside: &[InstId], scalars: &mut Scalars) -> Result<(), LoopRefusal> {
    let function = frame.model().function();
    let var = function.variable_of(home);
    let refused = |why| LoopRefusal::new(Obstacle::Scalar { var, why }, frame.stmt, inside.iter().copied());
    let sets = inside.iter().any(|u| matches!(function.inst(*u).op, Op::Store { .. }));
    if !sets {
        let pointer = matches!(&function.inst(home).op, Op::Alloca { ty: Type::Ptr, .. });
        scalars.firstprivate.extend(var.filter(|_| !pointer));
        return Ok(());
    }
    if var == Some(frame.counted.var) {
        let declared_here = declared_inside(frame, frame.counted.var);
        if !declared_here && read_after(frame, home) {
            return Err(LoopRefusal::form(NotCanonical::IndexUsedAfter, frame.stmt));
        }
        return Ok(());
    }
    if var.is_some_and(|v| declared_inside(frame, v)) {
        return Ok(());
    }
    let Some(var) = var else {
        return Err(refused(ScalarTrouble::Carried));
    };
    if starts_from(frame, home) {
        return Err(LoopRefusal::form(NotCanonical::StartVaries, frame.stmt));
    }
    let (exposed, always) = set_before_read(frame, home);
    if exposed {
        let found = reduction(frame, var, home, inside).ok_or_else(|| refused(ScalarTrouble::Carried))?;
        scalars.reductions.push(found);
    } else if !read_after(frame, home) {
        scalars.private.push(var);
    } else if always {
        scalars.lastprivate.push(var);
    } else {
        return Err(refused(ScalarTrouble::SometimesSet));
    }
    Ok(())
}

/// Whether a variable is declared inside the loop statement, its init clause included.
pub(super) fn declared_inside(frame: &Frame<'_, '_>, var: VarId) -> bool {
    let model = frame.model();
    model.function().variables[var.0 as usize].arg.is_none() && model.is_declared_in(frame.stmt, var)
}

/// Whether the init clause reads the variable, as `for (int i = t; …) t = b[i];` does: OpenMP wants it to stay as it is, and the
/// kernel's own copy of it is another one.
fn starts_from(frame: &Frame<'_, '_>, home: InstId) -> bool {
    let model = frame.model();
    let function = model.function();
    let init = model.fine.init_of(frame.stmt);
    let users = frame.shared.users[home.0 as usize].iter();
    let mut starts = users.filter(|u| init.is_some() && model.attachment.node_of[u.0 as usize] == init);
    starts.any(|u| accessed(function, *u) == Some((home, false)))
}

/// Whether some path of an iteration reads the variable before setting it, and whether every path to its end sets it.
fn set_before_read(frame: &Frame<'_, '_>, home: InstId) -> (bool, bool) {
    let function = frame.model().function();
    let body = &frame.body;
    let n = function.blocks.len();
    // Blocks at whose end the variable is surely set; all but the header optimistically so at first.
    let mut set_at_end = FixedBitSet::with_capacity(n);
    set_at_end.insert_range(..);
    let sets = |block: BlockId| insts_of(function, block).any(|i| accessed(function, i) == Some((home, true)));
    let at_start = |set_at_end: &FixedBitSet, block: BlockId| {
        block != body.header
            && frame.shared.preds[block.0 as usize]
                .iter()
                .all(|p| set_at_end.contains(p.0 as usize))
    };
    loop {
        let mut changed = false;
        for block in &body.blocks {
            let set = at_start(&set_at_end, *block) || sets(*block);
            if set_at_end.contains(block.0 as usize) != set {
                set_at_end.set(block.0 as usize, set);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let mut exposed = false;
    for block in &body.blocks {
        let mut set = at_start(&set_at_end, *block);
        for inst in insts_of(function, *block) {
            match accessed(function, inst) {
                Some((at, true)) if at == home => set = true,
                Some((at, false)) if at == home => exposed |= !set,
                _ => {}
            }
        }
    }
    (exposed, set_at_end.contains(body.latch.0 as usize))
}

/// Whether some path from where the loop is left reads the variable before setting it.
pub(super) fn read_after(frame: &Frame<'_, '_>, home: InstId) -> bool {
    let function = frame.model().function();
    let mut seen = FixedBitSet::with_capacity(function.blocks.len());
    let mut work = frame.body.exits.clone();
    while let Some(block) = work.pop() {
        if seen.put(block.0 as usize) {
            continue;
        }
        let first = insts_of(function, block).find_map(|i| accessed(function, i).filter(|(at, _)| *at == home));
        match first {
            Some((_, false)) => return true,
            Some((_, true)) => {}
            None => work.extend(&function.block(block).succs),
        }
    }
    false
}
