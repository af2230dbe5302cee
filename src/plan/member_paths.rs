//! What the kernels of a function map of structs, by paths such as `s->x[0:n]`, as its callers see it.
//!
//! ```c
//! void step(struct state *s)
//! {
//!     int n = s->n;
//!     #pragma omp target … map(to: s->x[0:n]) map(tofrom: s->y[0:n])
//!     …
//! }
//! … for (int t = 0; t < steps; t++) step(&state);        /* map(tofrom: state.x[0:state.n], state.y[0:state.n]) */
//! ```
//!
//! A caller can keep `x` and `y` on the device if it keeps both, by one directive, and if kernels use nothing else of the
//! struct ([`super::joint`]). So the summary names the members that are mapped so, pointers and numbers, if they have at
//! the kernel what they had when the function was called. All else that kernels touch or map is *loose*: no stretch of a
//! struct may be on the device over a call of which kernels use another part of it.

use super::inputs::Inputs;
use super::members::{mapped_by, names_member, pointer_places, touched_by};
use super::terms::entry_value;
use crate::analysis::access::Access;
use crate::analysis::callee_term::CalleeTerm;
use crate::analysis::device_summary::Members;
use crate::analysis::movement::scope::NameScope;
use crate::analysis::values::slots::SlotId;
use crate::analysis::values::table::SymKind;
use crate::analysis::values::version::Version;
use crate::openmp::{Item, MapType};
use crate::program::ir::Type;
use crate::program::objects::{Field, MemLoc};
use crate::symbolic::Sym;
use crate::syntax::StmtId;

/// A member that a kernel maps by its path: how callers know it, and where it may lie.
struct PathMember {
    root: CalleeTerm,
    number: bool,
    places: Vec<MemLoc>,
}

impl Inputs<'_> {
    /// What kernels of the function, and of those that it calls, map of structs. Statements for which `is_reached` holds are
    /// come to in every call.
    pub(super) fn mapped_members(&self, is_reached: &dyn Fn(StmtId) -> bool) -> Members {
        let mut found = Members::default();
        for (launch, kernel) in self.model.constructs.launches.iter().enumerate() {
            let known = self.known(launch);
            let mapped = |l: &MemLoc| known.iter().any(|k| k.places.contains(l));
            let used = touched_by(self.model, launch)
                .into_iter()
                .chain(mapped_by(self, launch));
            found.loose.extend(used.filter(|l| !mapped(l)));
            found.complete &= self.are_placed(launch);
            for k in known {
                found.add(k.root, k.places, k.number, is_reached(kernel.stmt));
            }
        }
        for call in &self.calls {
            found.loose.extend(&call.members.loose);
            found.complete &= call.members.complete;
            for member in &call.members.list {
                let sym = member.slot.map(|(slot, version)| self.without_copies(slot, version));
                match sym.and_then(|sym| entry_value(self, sym)) {
                    Some(root) => found.add(
                        root,
                        member.places.clone(),
                        member.number,
                        member.surely && is_reached(call.stmt),
                    ),
                    None => found.loose.extend(&member.places),
                }
            }
        }
        found.loose.sort_unstable();
        found.loose.dedup();
        found
    }

    /// Whether an access in a kernel reads but a pointer, or a number, that the kernel maps by its path.
    pub(super) fn reads_mapped_member(&self, access: &Access) -> bool {
        let Some(launch) = access.kernel.filter(|_| !access.writes) else {
            return false;
        };
        let known = self.known(launch);
        let read = self.model.points_to.of_operand(self.model.func, &access.address);
        !read.is_empty() && read.iter().all(|l| known.iter().any(|k| k.places.contains(l)))
    }

    /// The members that a kernel maps by paths and that have there what they had on entry.
    fn known(&self, launch: usize) -> Vec<PathMember> {
        let items = self.model.constructs.launches[launch].maps.iter();
        items
            .filter(|(_, item)| names_member(item))
            .filter_map(|(map_type, item)| self.known_item(launch, *map_type, item))
            .collect()
    }

    fn known_item(&self, launch: usize, map_type: MapType, item: &Item) -> Option<PathMember> {
        let model = self.model;
        let stmt = model.constructs.launches[launch].stmt;
        let scope = NameScope::before(model, &self.file.macros, stmt).filter(|_| !item.unparsed)?;
        let slot = scope.slot(&item.path.to_string())?;
        let number = match (&model.values.slots.get(slot).ty, item.sections.is_empty()) {
            (Some(Type::Ptr), false) => false,
            (Some(Type::Int(_) | Type::Float(_)), true) if map_type == MapType::To => true,
            _ => return None,
        };
        let sym = self.without_copies(slot, scope.version(slot));
        let places = model.values.slots.places(model.points_to, model.func, slot);
        let placed = !places.is_empty() && places.iter().all(|l| matches!(l.field, Field::Offset(_)));
        Some(PathMember {
            root: entry_value(self, sym).filter(|root| placed && matches!(root, CalleeTerm::Member { .. }))?,
            number,
            places,
        })
    }

    /// What a slot holds, by the name that the pointer on the way was copied from: `s->grid->x` for `g->x`.
    fn without_copies(&self, slot: SlotId, version: Version) -> Sym {
        let values = self.model.values;
        let (mut slot, mut version) = (slot, version);
        let mut left = values.slots.len();
        while let Some(original) = values.original(slot, version).filter(|_| left > 0) {
            (slot, version) = original;
            left -= 1;
        }
        values.sym(SymKind::Slot(slot, version))
    }

    /// Whether it is known of all that a kernel maps by paths where it lies.
    fn are_placed(&self, launch: usize) -> bool {
        let mut items = self.model.constructs.launches[launch].maps.iter();
        let placed = |item: &Item| {
            let path = item.path.to_string();
            !item.unparsed && !pointer_places(self.model, &path).is_empty()
        };
        items.all(|(_, item)| !names_member(item) || placed(item))
    }
}
