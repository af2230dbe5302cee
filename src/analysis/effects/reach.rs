//! What can be reached from a pointer, however many pointers on the way.
//!
//! ```c
//! struct sim { int n; double *u; };
//! log_state(&s, n);            /* an access of all that it leads to: s, and what s.u points to */
//! ```
//!
//! Memory that came from outside may hold pointers that the program never follows: to other memory outside, which one
//! does not know. That counts only where its type has room for pointers: behind a `double *` there are none.

use super::Effects;
use crate::program::ir::{FuncId, SourceType};
use crate::program::objects::{MemLoc, ObjectId, ObjectKind};
use std::collections::BTreeSet;

impl Effects<'_> {
    /// The objects at `from`, and all that pointers stored in them lead to, as whole objects.
    pub(super) fn reachable(&self, from: &[MemLoc]) -> Vec<MemLoc> {
        let mut found: BTreeSet<ObjectId> = BTreeSet::new();
        let mut work: Vec<ObjectId> = from.iter().map(|l| l.object).collect();
        while let Some(object) = work.pop() {
            if found.insert(object) && self.may_hold_pointers(object) {
                let inside = self.points_to.contents(MemLoc::whole(object));
                work.extend(inside.iter().map(|l| l.object));
            }
        }
        let whole = found.into_iter().map(MemLoc::whole);
        whole.flat_map(|l| self.points_to.range(l, None)).collect()
    }

    fn may_hold_pointers(&self, object: ObjectId) -> bool {
        match &self.points_to.object(object).kind {
            ObjectKind::Param { func, index, path } if path.is_empty() => match self.parameter_type(*func, *index) {
                Some(SourceType::Pointer { to, .. }) => has_room(to),
                Some(SourceType::Array { elem, .. }) => has_room(elem),
                _ => true,
            },
            _ => true,
        }
    }

    fn parameter_type(&self, func: FuncId, index: u32) -> Option<&SourceType> {
        let mut variables = self.module.function(func).variables.iter();
        variables.find(|v| v.arg == Some(index)).map(|v| &v.source_type)
    }
}

/// Whether a pointer may be stored in storage of this type. Characters may be the bytes of anything.
fn has_room(ty: &SourceType) -> bool {
    match ty {
        SourceType::Int { bytes, .. } => *bytes == 1,
        SourceType::Float { .. } => false,
        SourceType::Array { elem, .. } => has_room(elem),
        _ => true,
    }
}
