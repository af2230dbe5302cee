//! Hand-written `target data` regions as starts: an array that such regions hold may stay on the device around them (R10).
//!
//! ```c
//! for (int t = 0; t < steps; t++) {                        /* target data map(tofrom: u[0:n]) around all of it           */
//!     #pragma omp target data map(tofrom: u[0:n])          /* stays as it is, and copies nothing any more                */
//!     { … kernels … }
//!     scale(u, n);                                         /* starts a kernel on it, too                                 */
//! }
//! ```
//!
//! For the array that it holds, and for no other, a region is one step that needs and leaves what
//! [`crate::analysis::movement::region`] says; kernels, calls and directives inside are no matter of ours. Regions are
//! numbered after the calls ([`super::kernel_starts`]).
//!
//! Of these only regions that hold the array for one kernel: this tool writes none of that kind. Others may be its own, which it
//! finds in the next run and is not to go on from. An array that one of these holds is planned outside of them
//! ([`Inputs::outside_regions`]): no residency spans them, and no map clause is narrowed.
//!
//! Which regions count: `target data` with `map` clauses alone, without modifiers, whose item for the array is the only one
//! that may be it, with a section that is known; in which nothing but kernels uses the array, all of which are sure to run on
//! the device at once. What the host does with it in there, and updates, are the user's affair, and nobody knows how many
//! copies a residency around would have to make for them.

use super::by_hand::{beside, may_name, names_plainly};
use super::hand_written::{HandRegion, held};
use super::inputs::Inputs;
use super::model::Candidate;
use crate::analysis::arrays::may_overlap;
use crate::analysis::device_calls::CallUse;
use crate::analysis::movement::family::Family;
use crate::analysis::movement::subject::HandWrittenRegion;
use crate::analysis::values::table::Base;
use crate::openmp::Construct;
use crate::program::constructs::UserData;
use crate::program::graph::NodeId;
use crate::program::ir::InstId;
use crate::program::objects::MemLoc;
use crate::syntax::StmtId;

impl Inputs<'_> {
    /// Makes regions starts of the candidate that they hold, in place of what they enclose, if no other directive has to do
    /// with it; else none is one. Of buffers that are `trading` places this tool writes regions that hold each for one kernel.
    pub(super) fn start_with_regions(&self, candidate: &mut Candidate, trading: &[Base]) {
        candidate.launches.retain(|l| self.region(*l).is_none());
        if candidate.bases.iter().any(|b| trading.contains(b)) {
            return;
        }
        let Some(with) = self.with_outermost(candidate) else {
            return;
        };
        let qualifies = |r: &usize| {
            let stmt = self.regions[*r].stmt;
            self.is_foreign(candidate, stmt) && self.is_left_to_kernels(candidate, stmt)
        };
        if with.regions.is_empty() || !with.regions.iter().all(qualifies) {
            return;
        }
        if beside(self, &with).is_ok_and(|apart| apart.is_empty()) {
            *candidate = with;
        }
    }

    /// Whether a region is none that this tool writes: it holds a candidate for one kernel alone, which runs once in it. A second
    /// run must not go on from what the first has written.
    fn is_foreign(&self, candidate: &Candidate, region: StmtId) -> bool {
        let tree = self.model.tree;
        let starts = candidate.launches.iter().map(|l| self.start(*l));
        let inside: Vec<StmtId> = starts.filter(|s| tree.encloses(region, *s)).collect();
        let once = |start: &StmtId| {
            let mut around = tree.ancestors(*start).skip(1).take_while(|s| tree.encloses(region, *s));
            !around.any(|s| tree.stmt(s).kind.is_loop())
        };
        inside.len() < 2 && inside.iter().all(once)
    }

    /// Whether nothing but kernels uses a candidate in a region: the function's own, and those of calls that do no more with it.
    fn is_left_to_kernels(&self, candidate: &Candidate, region: StmtId) -> bool {
        let model = self.model;
        let touches = |l: &MemLoc| candidate.locs.iter().any(|c| model.points_to.may_alias(*c, *l));
        let inside = |n: &NodeId| {
            let own = model.fine.stmt_of(*n).is_some_and(|s| model.tree.encloses(region, s));
            own && model.launch_of(*n).is_none()
        };
        // What a call reaches by a name that is known is that array, whatever other calls hand over there.
        let is_other = |base: Option<Base>| {
            let apart = |b: Base| {
                candidate
                    .bases
                    .iter()
                    .all(|own| *own != b && !may_overlap(model, *own, b))
            };
            base.is_some_and(apart)
        };
        let may_be =
            |base: Option<Base>, locs: &[MemLoc]| !is_other(base) && (locs.is_empty() || locs.iter().any(touches));
        let by_kernels = |inst: InstId| {
            let call = self.calls.iter().find(|c| c.inst == inst);
            let plain = |u: &CallUse| u.updates.is_none() && u.base.is_some_and(|b| candidate.bases.contains(&b));
            call.is_some_and(|c| {
                let uses: Vec<&CallUse> = c.uses.iter().filter(|u| may_be(u.base, &u.locs)).collect();
                let is_opaque = c.opaque.iter().any(|(o, base)| may_be(*base, &o.locs));
                !is_opaque && !uses.is_empty() && uses.into_iter().all(plain)
            })
        };
        let leaves_alone = |inst: InstId| {
            let effects = model.effects.of_inst(model.func, inst);
            !effects.unknown && !effects.reads.union(&effects.writes).any(touches)
        };
        let known = !candidate.locs.is_empty() && !self.is_managed_in(candidate, region);
        let mut insts = model
            .fine
            .ids()
            .filter(inside)
            .flat_map(|n| &model.attachment.insts_of[n.0 as usize]);
        known && insts.all(|i| leaves_alone(*i) || by_kernels(*i))
    }

    /// A candidate as the outermost regions hold it. `None` where two directives before one statement do.
    fn with_outermost(&self, candidate: &Candidate) -> Option<Candidate> {
        if !matches!(candidate.family, Family::Single(_)) {
            return None;
        }
        let tree = self.model.tree;
        let stmt = |r: usize| self.regions[r].stmt;
        let holds = |r: &usize| held(&self.regions[*r], candidate).is_some();
        let holding: Vec<usize> = (0..self.regions.len()).filter(holds).collect();
        let outer = |r: &usize| {
            !holding
                .iter()
                .any(|o| stmt(*o) != stmt(*r) && tree.encloses(stmt(*o), stmt(*r)))
        };
        let regions: Vec<usize> = holding.iter().copied().filter(outer).collect();
        if regions
            .iter()
            .any(|r| regions.iter().any(|o| o != r && stmt(*o) == stmt(*r)))
        {
            return None;
        }
        let mut with = candidate.clone();
        let inside = |l: usize| regions.iter().any(|r| tree.encloses(stmt(*r), self.start(l)));
        with.launches.retain(|l| !inside(*l));
        let first = self.model.constructs.launches.len() + self.calls.len();
        with.launches.extend(regions.iter().map(|r| first + r));
        with.regions = regions;
        Some(with)
    }

    /// Whether directives that stand alone in a region may be about a candidate.
    fn is_managed_in(&self, candidate: &Candidate, region: StmtId) -> bool {
        let tree = self.model.tree;
        let mut updates = self.model.constructs.user_data.iter().filter(|u| u.stmt.is_none());
        updates.any(|u| {
            let inside = tree.pragma(u.pragma).inside.is_some_and(|s| tree.encloses(region, s));
            inside && may_name(self, candidate, u)
        })
    }

    /// The region, if a start is one.
    pub(super) fn region(&self, start: usize) -> Option<&HandRegion> {
        let others = self.model.constructs.launches.len() + self.calls.len();
        self.regions.get(start.checked_sub(others)?)
    }

    /// A candidate as it is outside of all regions that hold it, if these do so by its name. What is done in there stays as it
    /// is.
    pub(super) fn outside_regions(&self, candidate: &Candidate) -> Option<Candidate> {
        if !matches!(candidate.family, Family::Single(_)) {
            return None;
        }
        let (tree, graph) = (self.model.tree, self.model.coarse);
        let regions = self.model.constructs.user_data.iter();
        let regions = regions.filter(|u| u.stmt.is_some() && may_name(self, candidate, u));
        let regions: Vec<&UserData> = regions.collect();
        let is_held = |u: &&UserData| u.directive.is(&Construct::TargetData) && names_plainly(self, candidate, u);
        if !regions.iter().all(is_held) {
            return None;
        }
        let mut outside = candidate.clone();
        outside.regions.clear();
        outside.closed = regions.into_iter().filter_map(|u| u.stmt).collect();
        let is_inside = |l: usize| outside.closed.iter().any(|r| tree.encloses(*r, self.start(l)));
        outside.launches.retain(|l| self.region(*l).is_none() && !is_inside(*l));
        let is_told = outside.closed.iter().all(|r| graph.region(*r).is_some());
        let is_left = is_told && !outside.closed.is_empty() && !outside.launches.is_empty();
        outside.beside = beside(self, &outside).ok().filter(|_| is_left)?;
        Some(outside)
    }

    /// The regions of a candidate, as movement problems know them.
    pub(super) fn held_regions(&self, candidate: &Candidate) -> Vec<HandWrittenRegion> {
        let known = candidate.regions.iter().filter_map(|index| {
            let r = &self.regions[*index];
            let item = held(r, candidate)?;
            Some(HandWrittenRegion {
                stmt: r.stmt,
                node: r.node,
                base: item.base,
                section: item.section.clone()?,
                map_type: item.map_type,
            })
        });
        known.collect()
    }
}
