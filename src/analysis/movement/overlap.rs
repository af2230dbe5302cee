//! What may be the family under another name, and what is taken not to be (R8).

use super::placement::ResidencySpan;
use super::promised::promised_apart;
use super::subject::Subject;
use crate::analysis::access::Access;
use crate::analysis::arrays::object_extent;
use crate::analysis::arrays::{element_of, locs_of, may_overlap};
use crate::analysis::device_calls::DeviceCall;
use crate::analysis::movement::events::Events;
use crate::analysis::movement::mapped::mapped_apart;
use crate::analysis::values::table::{Base, SymKind};
use crate::analysis::values::version::Version;
use crate::program::graph::NodeId;
use crate::program::ir::{Op, Operand};
use crate::program::objects::MemLoc;
use crate::symbolic::{Facts, SectionSet};

impl Subject<'_> {
    /// Whether an access may touch the family, by what points where.
    pub(super) fn may_touch(&self, access: &Access) -> bool {
        let model = self.model;
        let by_address = model.points_to.of_operand(model.func, &access.address);
        let touches = |locs: &[MemLoc]| {
            locs.is_empty()
                || locs
                    .iter()
                    .any(|p| self.locs.iter().any(|l| model.points_to.may_alias(*p, *l)))
        };
        // Points-to sets and the base both say where the access may go; either can rule the family out.
        touches(by_address) && access.at.as_ref().is_none_or(|p| touches(&locs_of(model, p.base)))
    }

    /// Whether an access is to what the function has allocated itself, and the family is what it was called with.
    pub(super) fn is_newer(&self, access: &Access, names: &[Base]) -> bool {
        let model = self.model;
        let was_there = |name: &Base| match name {
            Base::Value(sym) => match model.values.kind(*sym) {
                SymKind::Arg(_) | SymKind::Slot(_, Version::Entry) => true,
                // A parameter gets its value, and what is behind it counts as changed.
                SymKind::Slot(_, Version::Def(inst) | Version::Clobber(inst)) => {
                    let op = &model.function().inst(inst).op;
                    let to_argument = |o: &Operand| {
                        let mut variables = model.function().variables.iter();
                        variables.any(|v| v.arg.is_some() && v.alloca.map(Operand::Inst).as_ref() == Some(o))
                    };
                    matches!(op, Op::Store { value: Operand::Arg(_), ptr, .. } if to_argument(ptr))
                }
                _ => false,
            },
            Base::Local(_) | Base::Global(_) => false,
        };
        let base = access.at.as_ref().map(|p| p.base);
        let allocated = |b: Base| matches!(b, Base::Value(_)) && object_extent(model, b, 1).is_some();
        base.is_some_and(allocated) && !names.is_empty() && names.iter().all(was_there)
    }

    /// Whether some kernel maps both arrays, here or in a function called here: then they are two by the user's word.
    pub(super) fn believed_apart(&self, a: Base, b: Base) -> bool {
        let by_call = |call: &DeviceCall| {
            let mut ours = call.uses.iter().filter(|u| u.base == Some(a));
            ours.any(|u| call.uses.iter().any(|v| v.base == Some(b) && u.is_apart(v)))
        };
        mapped_apart(self.mapped, a, b) || (a != b && self.calls.iter().any(by_call))
    }

    /// Whether the access is to another array by the user's own maps or promises; the belief is noted, and what only maps
    /// say is checked at run time.
    ///
    /// After the residency that is so only while the other name means what it meant at its beginning, where it is checked.
    pub(super) fn taken_apart(
        &self,
        access: &Access,
        node: NodeId,
        names: &[Base],
        span: &ResidencySpan,
        out: &mut Events,
    ) -> bool {
        let Some(base) = access.at.as_ref().map(|p| p.base) else {
            return false;
        };
        let promised = |n: Base| promised_apart(self.model, base, n);
        let apart =
            |n: &Base| promised(*n) || (mapped_apart(self.mapped, base, *n) && self.lies_in_mapped(access, base));
        if names.is_empty() || !names.iter().all(apart) {
            return false;
        }
        if !span.nodes.contains(&node) && (!self.apart_outside || self.is_renamed_later(base, span, out)) {
            return false;
        }
        for n in names {
            if (promised(*n) || may_overlap(self.model, base, *n)) && !out.apart.contains(&(*n, base)) {
                out.apart.push((*n, base));
            }
        }
        true
    }

    /// Whether an access of the host is to what kernels map of its array. That two items of a directive do not overlap says
    /// nothing of what lies beside them.
    fn lies_in_mapped(&self, access: &Access, base: Base) -> bool {
        let model = self.model;
        if access.kernel.is_some() {
            return true;
        }
        let Some(element) = element_of(model, base) else {
            return false;
        };
        let stmt = model.fine.stmt_of(access.node);
        let around = stmt.and_then(|s| {
            let loops = model.tree.ancestors(s).filter(|s| model.tree.stmt(*s).kind.is_loop());
            loops.last()
        });
        let sections = self
            .mapped
            .iter()
            .flatten()
            .filter(|m| m.base == base && !m.pointer_itself);
        let all = sections.clone().any(|m| m.item.sections.is_empty());
        all || sections.filter_map(|m| m.section.as_ref()).any(|mapped| {
            let mut facts = Facts::new();
            // Of an empty section nobody needs to know.
            if let Some(last) = mapped.hi.offset(-1) {
                facts.assume_le(&mapped.lo, &last);
            }
            [None, around].into_iter().any(|within| {
                let reached = self.accesses.footprint(model, access, element, within).may;
                SectionSet::Union(vec![mapped.clone()]).provably_covers(&reached, &facts)
            })
        })
    }

    /// Whether what lies at such places, anywhere for `None`, may be the family's. A family without locations may be anywhere.
    pub(super) fn may_lie_at(&self, places: Option<&Vec<MemLoc>>) -> bool {
        places.is_none_or(|places| self.locs.is_empty() || self.touches_any(places.iter().copied()))
    }

    /// Whether one of the locations may be the family's.
    pub(super) fn touches_any(&self, mut locs: impl Iterator<Item = MemLoc>) -> bool {
        locs.any(|p| self.locs.iter().any(|l| self.model.points_to.may_alias(p, *l)))
    }
}
