//! Pointers that are one of several others.
//!
//! ```c
//! squares(out, steps % 2 ? cur : next, n);      /* an argument that has no name                                */
//! double *last;                                 /* a variable, which has two values where the branches meet    */
//! if (steps % 2) last = cur; else last = next;
//! ```
//!
//! A pointer that is one of several has a value of its own, of which nobody knows whether it is `cur` or `next`. What
//! is done through it may be done to either of them, and surely to neither. A null pointer among them leads to nothing
//! and is left out.
//!
//! What is true of values where two branches meet is not where a loop begins again: there the values of one iteration meet
//! symbols that already stand for those of the next. Only merges that no way back leads to are taken apart.

use super::table::{Base, PtrVal, SymKind, Values};
use super::version::Version;
use crate::program::graph::NodeId;
use crate::program::ir::{InstId, Op, Operand};

/// More pointers than these are not told apart.
const MOST: usize = 8;

impl Values<'_> {
    /// The pointers of which this one is one, if it is a choice among others that are known.
    pub fn choice(&self, pointer: &PtrVal) -> Option<Vec<PtrVal>> {
        let mut found = Vec::new();
        let mut work = self.taken_apart(pointer)?;
        let mut steps = 0;
        while let Some(next) = work.pop() {
            steps += 1;
            if steps > MOST {
                return None;
            }
            match self.taken_apart(&next) {
                Some(parts) => work.extend(parts),
                None if self.is_null(&next) => {}
                None if found.contains(&next) => {}
                None => found.push(next),
            }
        }
        found.reverse();
        Some(found)
    }

    /// The pointers that a choice is directly among.
    pub(super) fn taken_apart(&self, pointer: &PtrVal) -> Option<Vec<PtrVal>> {
        let Base::Value(sym) = pointer.base else { return None };
        let parts = match self.kind(sym) {
            SymKind::Inst(inst) => self.chosen(inst),
            SymKind::Slot(_, Version::Def(store)) => {
                let (value, inst) = self.stored_choice(store)?;
                self.chosen(inst)
                    .and_then(|parts| parts.iter().map(|p| moved(p, &value)).collect())
            }
            SymKind::Slot(slot, Version::Phi(node)) => {
                let ways = self.graph.node(node).preds.iter();
                let reached: Vec<NodeId> = ways
                    .copied()
                    .filter(|p| self.versions.after(*p, slot) != Version::Unreached)
                    .collect();
                let each = reached
                    .iter()
                    .map(|p| self.slot_ptr(slot, self.versions.after(*p, slot)));
                self.meets_once(node, &reached).then(|| each.collect())
            }
            _ => None,
        }?;
        parts.iter().map(|p| moved(p, pointer)).collect()
    }

    /// The pointer that a store stores, if it is behind the result of an instruction, and that instruction.
    pub(super) fn stored_choice(&self, store: InstId) -> Option<(PtrVal, InstId)> {
        let Op::Store { value, .. } = &self.function().inst(store).op else {
            return None;
        };
        let value = self.ptr(value)?;
        let Base::Value(stored) = value.base else { return None };
        match self.kind(stored) {
            SymKind::Inst(inst) => Some((value, inst)),
            _ => None,
        }
    }

    /// What the result of a conditional expression may be.
    fn chosen(&self, inst: InstId) -> Option<Vec<PtrVal>> {
        let among: Vec<&Operand> = match &self.function().inst(inst).op {
            Op::Phi { incoming } => incoming.iter().map(|(_, v)| v).collect(),
            Op::Select { then, other, .. } => vec![then, other],
            _ => return None,
        };
        let leads_somewhere = among.into_iter().filter(|v| !matches!(v, Operand::Null));
        leads_somewhere.map(|v| self.ptr(v)).collect()
    }

    /// Whether a variable was set to null.
    pub fn is_null(&self, pointer: &PtrVal) -> bool {
        let Base::Value(sym) = pointer.base else { return false };
        let SymKind::Slot(_, Version::Def(store)) = self.kind(sym) else {
            return false;
        };
        let null = Operand::Null;
        matches!(&self.function().inst(store).op, Op::Store { value, .. } if *value == null)
    }

    /// Whether control comes to a merge from these places by ways forward alone.
    fn meets_once(&self, node: NodeId, from: &[NodeId]) -> bool {
        let place = self.places.get_or_init(|| {
            let mut place = vec![0; self.graph.nodes.len()];
            for (at, n) in self.graph.reverse_post_order().into_iter().enumerate() {
                place[n.0 as usize] = at;
            }
            place
        });
        from.iter().all(|p| place[p.0 as usize] < place[node.0 as usize])
    }
}

/// A pointer as far behind `part` as `whole` is behind its base.
fn moved(part: &PtrVal, whole: &PtrVal) -> Option<PtrVal> {
    Some(PtrVal {
        base: part.base,
        offset: part.offset.add(&whole.offset)?,
    })
}
