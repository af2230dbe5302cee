//! Kernels that use one of several arrays of a family under a name of its own.
//!
//! ```c
//! double *last = steps % 2 ? cur : next;
//! #pragma omp target … map(to: last[0:n])      /* reads `cur` or `next`: both have to be current on the device */
//! ```
//!
//! Inside a residency of both the kernel finds what it maps present, whichever it is. It may use each, and uses neither for
//! sure. Where one of the arrays is none of the family's and may still overlap one, nothing of this holds.

use super::subject::Subject;
use crate::analysis::access::{Access, footprint};
use crate::analysis::arrays::may_overlap;
use crate::analysis::values::table::{Base, PtrVal};
use crate::openmp::MapType;
use crate::symbolic::{Section, SectionSet};
use crate::syntax::StmtId;

/// What a kernel maps by a name that may be a cell's.
pub(super) struct ChosenItem {
    /// The cell that it may be.
    pub cell: usize,
    /// The name: a pointer that is one of several.
    pub name: Base,
    pub map_type: MapType,
    /// What is mapped, in elements of the cell.
    pub section: Option<Section>,
}

impl Subject<'_> {
    /// The cells among which a pointer is one, or another array, and what it is as each.
    pub(super) fn choice(&self, pointer: &PtrVal, names: &[Base]) -> Option<Vec<(usize, PtrVal)>> {
        let mut found = Vec::new();
        for at in self.model.values.choice(pointer)? {
            match names.iter().position(|n| *n == at.base) {
                Some(cell) => found.push((cell, at)),
                None if names.iter().any(|n| may_overlap(self.model, *n, at.base)) => return None,
                None => {}
            }
        }
        (!names.is_empty()).then_some(found)
    }

    /// What an access in a kernel may touch, if it is to another array than its name says.
    pub(super) fn footprint_as(&self, access: &Access, at: PtrVal, kernel: StmtId) -> SectionSet {
        let access = Access {
            at: Some(at),
            ..access.clone()
        };
        footprint(self.model, &access, self.element, Some(kernel)).may
    }

    /// How a kernel maps the family's cells under the names of what was chosen among them.
    pub(super) fn chosen_items(&self, launch: usize, names: &[Base]) -> Vec<ChosenItem> {
        let others = self.mapped[launch].iter().filter(|m| !names.contains(&m.base));
        let each = others.flat_map(|m| m.perhaps.iter().map(move |(base, section)| (m, base, section)));
        let cell = |base: &Base| names.iter().position(|n| n == base);
        let found = each.filter_map(|(m, base, section)| {
            Some(ChosenItem {
                cell: cell(base)?,
                name: m.base,
                map_type: m.map_type,
                section: section.clone(),
            })
        });
        found.collect()
    }
}
