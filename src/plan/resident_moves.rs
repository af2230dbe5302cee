//! What a function does where it frees arrays that stay on the device, or moves them by `realloc`: for [`super::coherent`] and
//! [`super::resident_sized`].
//!
//! ```c
//! /* update from(s->value[0:s->count]): `realloc` reads all of it */
//! double *longer = realloc(s->value, (s->count + more) * sizeof *longer);
//! ```

use super::inputs::Inputs;
use super::model::Candidate;
use super::resident_lengths::{LengthQuery, PointerAndLength};
use super::residents::By;
use super::terms::on_entry;
use crate::analysis::arrays::element_of;
use crate::analysis::callee_term::CalleeTerm;
use crate::analysis::values::table::{Base, SymKind};
use crate::program::graph::{FlowGraph, NodeId};
use crate::program::ir::{InstId, Op};
use crate::symbolic::Section;
use rustc_hash::FxHashSet;

impl Inputs<'_> {
    /// The gaps behind what may free or move a candidate that is taken from the device there.
    pub(super) fn after_frees(&self, candidate: &Candidate) -> FxHashSet<NodeId> {
        let model = self.model;
        let Some(array) = self.resident(candidate).filter(|r| r.is_given_up()) else {
            return FxHashSet::default();
        };
        let frees = |i: &InstId| {
            let is_call = matches!(model.function().inst(*i).op, Op::Call { .. });
            let frees = || model.effects.of_call(model.func, *i).frees.clone();
            is_call && frees().iter().any(|o| array.objects.contains(&o))
        };
        let frees = model.function().inst_ids().filter(frees);
        let nodes = frees.filter_map(|i| model.attachment.node_of[i.0 as usize].and_then(|fine| model.coarse_of(fine)));
        reached(model.coarse, nodes.collect())
    }

    /// What `realloc` moves of resident arrays here: the array, bytes per element, the call.
    pub(super) fn moved(&self) -> Vec<(Base, u64, InstId)> {
        let model = self.model;
        let mut found = Vec::new();
        for array in &self.program.resident {
            let By::Sized(element) = array.by else { continue };
            for inst in self.program.frees_in(model.func, array) {
                let moved = model.frees(inst).filter(|f| f.moved);
                if let Some(p) = moved
                    .and_then(|f| model.values.ptr(f.pointer))
                    .filter(|p| p.offset.is_zero())
                {
                    found.push((p.base, element, inst));
                }
            }
        }
        found
    }

    /// All of an array that `realloc` moves here: as many elements as a number says that belongs to the pointer wherever the
    /// function returns. That it does on entry callers are asked, who are told that all of this is copied.
    pub(super) fn sized(&self, candidate: &Candidate, base: Base) -> Option<Section> {
        let By::Sized(element) = self.resident(candidate)?.by else {
            return None;
        };
        if !self.moved().iter().any(|m| m.0 == base) {
            return None;
        }
        let Base::Value(sym) = base else { return None };
        let values = self.model.values;
        let SymKind::Slot(pointer, _) = values.kind(sym) else {
            return None;
        };
        let lengths = LengthQuery::new(self, None, element);
        let in_memory = |s: &_| {
            matches!(
                on_entry(self, *s),
                Some(CalleeTerm::Member { .. } | CalleeTerm::Global(_))
            )
        };
        let mut numbers = values.slots.ids().filter(|s| *s != pointer && in_memory(s));
        let length = numbers.find(|length| {
            let pair = PointerAndLength {
                pointer,
                length: *length,
            };
            lengths.may_be_number(*length) && lengths.are_kept(pair)
        })?;
        let count = lengths.called_with(length)?;
        Some(Section::whole(count)).filter(|_| element_of(self.model, base).is_none_or(|e| e == element))
    }
}

/// What control may come to from some nodes, these included.
pub(super) fn reached(graph: &FlowGraph, mut work: Vec<NodeId>) -> FxHashSet<NodeId> {
    let mut found: FxHashSet<NodeId> = work.iter().copied().collect();
    while let Some(node) = work.pop() {
        let next = graph.node(node).succs.iter().filter(|s| found.insert(**s));
        work.extend(next);
    }
    found
}
