//! Variables in memory that a loop could change only through an array that would have to overlap them.
//!
//! ```c
//! for (int i = 0; i < s->n; i++) s->a[i] += 1;          /* for all one knows, s->a[2] is s->n                        */
//! ```
//!
//! Where `s->a` and `*s` are apart, `s->n` and `s->a` keep their values in the loop. That they are is a condition of the
//! verdict anyway, because the loop reads one and writes the other; so here such variables are taken to be *steady*: what
//! they were when the loop began.
//!
//! The loop's accesses of the variable are among those that the alias conditions are about, so no other condition is needed.
//!
//! **Why that is no circle.** Suppose that the condition holds, and look at the first store of the loop that changes a
//! steady variable. Up to then all of them had their first values, so the store goes where the analysis says: into the
//! section of an array that does not overlap the variable.
//!
//! Source: DawnCC's restrictification, which versions whole functions in this way.

use super::canonical::varies;
use super::header::matters;
use super::number::{OperandFacts, OperandReader, Steady};
use crate::analysis::values::slots::{SlotId, SlotKind};
use crate::analysis::values::table::{Base, SymKind};
use crate::analysis::values::version::Version;
use crate::program::in_loops::{in_loop, nodes_in_loop};
use crate::program::ir::Op;
use crate::symbolic::Facts;
use crate::syntax::StmtId;
use std::collections::BTreeSet;

/// Finds them.
pub(super) fn steady<'a>(plain: &OperandReader<'a>, stmt: StmtId) -> Steady {
    let mut found: Steady = candidates(plain, stmt);
    loop {
        let numbers = plain.with_steady(stmt, found.clone());
        let wrong: Vec<SlotId> = found.keys().copied().filter(|s| !holds(&numbers, stmt, *s)).collect();
        if wrong.is_empty() {
            return found;
        }
        for slot in wrong {
            found.remove(&slot);
        }
    }
}

/// The variables that the loop reads, and that have one value where it begins and perhaps others inside.
fn candidates(numbers: &OperandReader<'_>, stmt: StmtId) -> Steady {
    let model = numbers.model;
    let function = model.function();
    let values = model.values;
    let Some(header) = model.fine.cond_of(stmt) else {
        return Steady::new();
    };
    let mut read: BTreeSet<SlotId> = BTreeSet::new();
    for id in numbers.insts_inside(stmt) {
        if let Op::Load { ptr, volatile: false } = &function.inst(id).op {
            read.extend(values.slots.at(ptr, function));
        }
    }
    let entry = |slot: SlotId| {
        let mut common = None;
        for p in &model.fine.node(header).preds {
            if in_loop(model.tree, model.fine.node(*p).kind, stmt) {
                continue;
            }
            let version = values.versions.after(*p, slot);
            if version == Version::Unreached || common.is_some_and(|c| c != version) {
                return None;
            }
            common = Some(version);
        }
        common
    };
    let in_memory = |slot: &SlotId| !matches!(values.slots.get(*slot).kind, SlotKind::Local(_));
    let read = read.into_iter().filter(in_memory);
    read.filter_map(|slot| Some((slot, entry(slot)?))).collect()
}

/// Whether all that may change the variable in the loop are stores to other arrays.
fn holds(numbers: &OperandReader<'_>, stmt: StmtId, slot: SlotId) -> bool {
    let model = numbers.model;
    let function = model.function();
    let values = model.values;
    let Some(homes) = homes(numbers, stmt, slot) else {
        return false;
    };
    nodes_in_loop(model.tree, model.fine, stmt)
        .into_iter()
        .flat_map(|n| values.versions.changes(n))
        .filter(|c| c.slot == slot)
        .all(|change| {
            let Op::Store { ptr, .. } = &function.inst(change.inst).op else {
                return !matters(&function.inst(change.inst).op);
            };
            // A variable of its own name, or one of those on the way to it.
            let direct = values.slots.at(ptr, function);
            if direct.is_some_and(|d| way(numbers, slot).contains(&d)) {
                return false;
            }
            let facts = Facts::new();
            let known = OperandFacts {
                facts: &facts,
                fixed: &|_| false,
            };
            let base = numbers.address(ptr, &known).map(|a| a.base);
            match base {
                Some(Base::Value(sym)) => {
                    let named = matches!(values.kind(sym), SymKind::Slot(..));
                    named && !homes.contains(&Base::Value(sym)) && !varies(model, sym, stmt)
                }
                Some(base @ Base::Global(_)) => !homes.contains(&base),
                _ => false,
            }
        })
}

/// The variable itself and the pointers that lead to it.
fn way(numbers: &OperandReader<'_>, slot: SlotId) -> Vec<SlotId> {
    let slots = &numbers.model.values.slots;
    let mut found = vec![slot];
    while let Some(SlotKind::Behind(outer, _)) = found.last().map(|s| slots.get(*s).kind.clone()) {
        found.push(outer);
    }
    found
}

/// What the loop reads the variable through; `None` where that may change in the loop, or is a variable of the function.
fn homes(numbers: &OperandReader<'_>, stmt: StmtId, slot: SlotId) -> Option<BTreeSet<Base>> {
    let model = numbers.model;
    let function = model.function();
    let mut found = BTreeSet::new();
    for id in numbers.insts_inside(stmt) {
        let (Op::Load { ptr, .. } | Op::Store { ptr, .. }) = &function.inst(id).op else {
            continue;
        };
        if model.values.slots.at(ptr, function) != Some(slot) {
            continue;
        }
        let facts = Facts::new();
        let known = OperandFacts {
            facts: &facts,
            fixed: &|_| false,
        };
        match numbers.address(ptr, &known)?.base {
            Base::Local(_) => return None,
            Base::Value(sym) if varies(model, sym, stmt) => return None,
            base => found.insert(base),
        };
    }
    Some(found)
}
