//! One copy at one gap: what is wanted there, in which of several forms, and whether it is right (R3, R7).

use super::coherence::CellState;
use super::estimate::expected_elements;
use super::placement::{Copy, Return, Upload};
use super::walk::Walk;
use crate::analysis::movement::set_operations::{SetViews, one};
use crate::program::graph::NodeId;
use crate::symbolic::{Atom, Expr, Section, SectionSet};

/// The part of an extent that may be missing from a copy that is written as a copy of all of it.
const NEARLY: f64 = 0.1;

/// Where a copy may be put, of what and which way.
#[derive(Clone, Copy)]
pub(super) struct CopyPlace {
    /// The gap.
    pub gap: NodeId,
    /// Which cell.
    pub cell: usize,
    /// Host to device.
    pub up: bool,
}

impl Walk<'_> {
    /// Whether `set`, or its hull, is so much of the extent that copying all of it is the plainer thing to write.
    pub(super) fn nearly_whole(&self, set: &SectionSet) -> bool {
        let facts = &self.problem.facts;
        let extent = &self.problem.extent;
        if set.provably_covers(&one(extent.clone()), facts) {
            return true;
        }
        let Some(hull) = set.hull(facts).filter(|_| self.problem.uniform && !set.is_empty(facts)) else {
            return false;
        };
        let total = expected_elements(extent);
        total >= 16.0 && expected_elements(&hull) >= (1.0 - NEARLY) * total
    }

    /// What is to be current on the device after `gap`.
    pub(super) fn wanted(&self, gap: NodeId, cell: usize) -> SectionSet {
        match self.mode.uploads {
            Upload::Late if gap != self.span.entry => self.needed_next(gap, cell),
            Upload::Late | Upload::Early => self.demand.device(gap, cell),
            Upload::Eager => {
                let sure = self.demand.device(gap, cell);
                sure.union(self.demand.device_maybe(gap, cell), &self.problem.facts)
            }
        }
    }

    /// Copies up what is wanted at a gap.
    pub(super) fn up(&self, gap: NodeId, index: usize, cell: &mut CellState, copies: &mut Vec<Copy>) {
        if !cell.host_newer.is_empty(&self.problem.facts) {
            self.bring(gap, index, &self.wanted(gap, index), cell, copies);
        }
    }

    /// Where not all can be copied that will be wanted, the next kernel gets what it needs.
    pub(super) fn up_for_next(&self, gap: NodeId, index: usize, cell: &mut CellState, copies: &mut Vec<Copy>) {
        if !cell.host_newer.is_empty(&self.problem.facts) {
            self.bring(gap, index, &self.needed_next(gap, index), cell, copies);
        }
    }

    /// Copies up what is newer on the host of some sections.
    fn bring(&self, gap: NodeId, index: usize, wanted: &SectionSet, cell: &mut CellState, copies: &mut Vec<Copy>) {
        let facts = &self.problem.facts;
        if wanted.is_empty(facts) || cell.host_newer.spares(wanted, facts) {
            return;
        }
        let at = CopyPlace {
            gap,
            cell: index,
            up: true,
        };
        self.copy(at, cell, wanted, copies);
    }

    /// Copies what of `wanted` is newer at the source, as narrowly as can be proved right: never over something newer at
    /// the other side (R3), only where it can be written (R7). What could not be copied stays newer.
    pub(super) fn copy(&self, at: CopyPlace, state: &mut CellState, wanted: &SectionSet, copies: &mut Vec<Copy>) {
        let facts = &self.problem.facts;
        if !self.mode.updates {
            return;
        }
        let CopyPlace { gap, cell, up } = at;
        let (source, other) = match up {
            true => (&mut state.host_newer, &state.device_newer),
            false => (&mut state.device_newer, &state.host_newer),
        };
        let ordered = |s: &Section| self.problem.vouched && *s == self.problem.extent || self.problem.terms.ordered(s);
        let known = source.may().clone();
        let fits = |s: &Section| {
            let s = one(s.clone());
            // What the host has written callers want on the device, whether a kernel of this function does or not.
            self.problem.uniform
                || (up && wanted.provably_covers(&s, facts))
                || ((!up || self.problem.kept_by_callers) && known.provably_covers(&s, facts))
        };
        let legal =
            |s: &Section| fits(s) && self.problem.terms.printable(s, gap) && other.spares(&one(s.clone()), facts);
        let pieces = source.may().list().map(<[Section]>::to_vec).unwrap_or_default();
        for piece in pieces {
            let this = one(piece.clone());
            if this.provably_disjoint(wanted, facts) || source.spares(&this, facts) {
                continue;
            }
            for sections in self.forms(&piece, wanted) {
                if sections.is_empty() || !sections.iter().all(legal) {
                    continue;
                }
                for section in sections {
                    if source.spares(&one(section.clone()), facts) {
                        continue;
                    }
                    self.coherence().copied(source, &section);
                    // What a wider copy at the same place brings need not be brought twice.
                    copies.retain(|c| {
                        c.gap != gap || c.cell != cell || c.up != up || !section.provably_covers(&c.section, facts)
                    });
                    let ordered = ordered(&section);
                    copies.push(Copy {
                        gap,
                        cell,
                        up,
                        section,
                        ordered,
                    });
                }
                break;
            }
        }
        let whole = &self.problem.extent;
        // Pieces that may overlap can be more than all of it.
        let placed = || copies.iter().filter(|c| c.gap == gap && c.cell == cell && c.up == up);
        let size = || placed().fold(0.0, |size, c| size + expected_elements(&c.section));
        let outgrown = placed().nth(1).is_some() && size() >= expected_elements(whole);
        if (outgrown || !source.spares(wanted, facts)) && legal(whole) {
            self.coherence().copied(source, whole);
            copies.retain(|c| c.gap != gap || c.cell != cell || c.up != up);
            copies.push(Copy {
                gap,
                cell,
                up,
                section: whole.clone(),
                ordered: ordered(whole),
            });
        }
    }

    /// Ways to copy what is both in `piece` (newer on one side) and in `wanted`, cheapest first: the wanted sections that
    /// may overlap the piece, the piece, the whole extent. Each covers all that is both newer and wanted.
    pub(super) fn forms(&self, piece: &Section, wanted: &SectionSet) -> Vec<Vec<Section>> {
        let facts = &self.problem.facts;
        let mut forms = vec![vec![piece.clone()]];
        if let Some(list) = wanted.list() {
            let touching: Vec<Section> = list
                .iter()
                .filter(|s| !s.provably_disjoint(piece, facts))
                .cloned()
                .collect();
            let common: Option<Vec<Section>> = touching.iter().map(|s| s.intersection(piece, facts)).collect();
            forms.extend(common);
            forms.push(touching);
        }
        // Nobody wants to read `a[(1 < n ? 1 : n):…]`: such bounds are rounded out to the whole.
        forms.retain(|f| f.iter().all(|s| !chooses(&s.lo) && !chooses(&s.hi)));
        forms.push(vec![self.problem.extent.clone()]);
        let size = |sections: &Vec<Section>| sections.iter().map(expected_elements).sum::<f64>();
        forms.sort_by(|a, b| size(a).total_cmp(&size(b)));
        forms
    }

    pub(super) fn down(&self, gap: NodeId, index: usize, cell: &mut CellState, copies: &mut Vec<Copy>) {
        let facts = &self.problem.facts;
        if cell.device_newer.is_empty(facts) {
            return;
        }
        let live = self.demand.host_maybe(gap, index);
        let mut wanted = self.immediate(gap, index);
        if !wanted.is_empty(facts) {
            wanted = wanted.union(&self.worth_fetching(gap, self.demand.host_sure(gap, index)), facts);
        }
        let after_kernel = self
            .problem
            .flow
            .preds(gap)
            .iter()
            .any(|p| self.problem.device_writes(*p));
        if (self.mode.results == Return::AfterEachKernel && after_kernel) || self.stops_sinking(gap, index) {
            wanted = wanted.union(live, facts);
        }
        if wanted.is_empty(facts) {
            return;
        }
        let at = CopyPlace {
            gap,
            cell: index,
            up: false,
        };
        self.copy(at, cell, &wanted, copies);
    }
}

/// Whether an expression contains a minimum or maximum.
fn chooses(e: &Expr) -> bool {
    let mut found = false;
    e.for_each_atom(&mut |a| found |= matches!(a, Atom::Min(_) | Atom::Max(_)));
    found
}
