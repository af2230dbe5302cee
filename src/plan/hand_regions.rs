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
//! numbered after the calls ([`super::starts`]).
//!
//! A residency around a region is looked for only where there would be one that encloses it if the region were not there:
//! what this tool has written in one run it finds in the next, and is not to go on from there.
//!
//! Which regions count: `target data` with `map` clauses alone, without modifiers, whose item for the array is the only one
//! that may be it, with a section that is known; and of the kernels inside all are sure to run on the device at once.

use super::by_hand::{beside, may_name};
use super::evaluate::{Candidate, Inputs};
use super::search::{Chosen, search};
use super::spans::Run;
use crate::analysis::function::FunctionModel;
use crate::analysis::movement::family::Family;
use crate::analysis::movement::mapped::{Mapped, mapped_before};
use crate::analysis::movement::placement::Placement;
use crate::analysis::movement::region::Region;
use crate::analysis::movement::scope::Macros;
use crate::openmp::{ClauseKind, Construct, Item, MapModifier, MapType};
use crate::program::constructs::{Launch, UserData};
use crate::program::graph::{NodeId, Place};
use crate::syntax::StmtId;

/// A hand-written `target data` that could be a start.
#[derive(Clone, Debug)]
pub struct HandRegion {
    /// The statement that it governs.
    pub stmt: StmtId,
    /// Where that begins.
    pub node: NodeId,
    /// Which of the function's data directives it is.
    pub directive: usize,
    /// What it maps.
    pub mapped: Vec<Mapped>,
}

/// Regions of one array that are looked at in all combinations.
const MOST_REGIONS: usize = 4;

/// How regions hold a candidate.
#[derive(Clone, Default, Debug)]
pub struct HeldBy {
    /// The regions, as indices of the function's.
    pub regions: Vec<usize>,
    /// Those of them that no residency may enclose.
    pub shut: Vec<usize>,
    /// What starts kernels on it, in regions and outside.
    pub without: Vec<usize>,
    /// It is looked at as if some regions were not there.
    pub bare: bool,
}

/// Those of a function, in text order.
pub(super) fn find(model: &FunctionModel<'_>, macros: &Macros) -> Vec<HandRegion> {
    let found = model.constructs.user_data.iter().enumerate();
    let found = found.filter_map(|(directive, user)| {
        let stmt = user.stmt?;
        let items = plain_maps(user)?;
        let launches = &model.constructs.launches;
        let mut inside = launches.iter().filter(|l| model.tree.encloses(stmt, l.stmt));
        if launches.iter().any(|l| l.stmt == stmt) || !inside.all(runs_at_once) {
            return None;
        }
        Some(HandRegion {
            stmt,
            node: model.coarse.region(stmt)?,
            directive,
            mapped: mapped_before(model, macros, stmt, &items),
        })
    });
    found.collect()
}

/// Whether a kernel surely runs on the device, and the host waits for it.
fn runs_at_once(launch: &Launch) -> bool {
    launch.condition.is_none() && launch.special.is_none() && !launch.asynchronous
}

/// What a directive maps that has nothing but `map` clauses of types that every version knows.
fn plain_maps(user: &UserData) -> Option<Vec<(MapType, Item)>> {
    if !user.directive.is(&Construct::TargetData) {
        return None;
    }
    let mut found = Vec::new();
    for clause in &user.directive.clauses {
        let ClauseKind::Map(map) = &clause.kind else {
            return None;
        };
        let kind = map.effective_type();
        let known = matches!(kind, MapType::To | MapType::From | MapType::Tofrom | MapType::Alloc);
        let modified = map.modifiers.iter().any(|m| *m != MapModifier::Close);
        if !known || modified || map.items.iter().any(|i| i.unparsed) {
            return None;
        }
        found.extend(map.items.iter().map(|i| (kind, i.clone())));
    }
    Some(found)
}

/// How a region holds an array, where it does so by one item under a name of its own.
fn held<'r>(region: &'r HandRegion, candidate: &Candidate) -> Option<&'r Mapped> {
    let mut items = region.mapped.iter().filter(|m| candidate.bases.contains(&m.base));
    let only = items.next().filter(|_| items.next().is_none())?;
    let plain = only.is_array && !only.pointer_itself && only.perhaps.is_empty() && only.item.path.steps.is_empty();
    (plain && only.section.is_some()).then_some(only)
}

impl Inputs<'_> {
    /// Makes regions starts of the candidate that they hold, in place of what they enclose, if no other directive has to do
    /// with it; else none is one.
    pub(super) fn start_with_regions(&self, candidate: &mut Candidate) {
        candidate.launches.retain(|l| self.region(*l).is_none());
        candidate.held.without = candidate.launches.clone();
        let Some(with) = self.but_for(candidate, &[]) else {
            return;
        };
        if !with.held.regions.is_empty() && beside(self, &with).is_ok_and(|apart| apart.is_empty()) {
            *candidate = with;
        }
    }

    /// A candidate as it would be if some regions were not there: held by the outermost others. `None` where these are two
    /// directives before one statement.
    fn but_for(&self, candidate: &Candidate, absent: &[usize]) -> Option<Candidate> {
        let tree = self.model.tree;
        let stmt = |r: usize| self.regions[r].stmt;
        let holds = |r: &usize| !absent.contains(r) && held(&self.regions[*r], candidate).is_some();
        let holding: Vec<usize> = match candidate.family {
            Family::Single(_) => (0..self.regions.len()).filter(holds).collect(),
            Family::PingPong(_) => Vec::new(),
        };
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
        with.launches.clone_from(&candidate.held.without);
        let inside = |l: usize| regions.iter().any(|r| tree.encloses(stmt(*r), self.start(l)));
        with.launches.retain(|l| !inside(*l));
        let first = self.model.constructs.launches.len() + self.calls.len();
        with.launches.extend(regions.iter().map(|r| first + r));
        with.held.regions = regions;
        with.held.shut.clear();
        with.held.bare = !absent.is_empty();
        Some(with)
    }

    /// Whether updates stand in a region that may be about a candidate.
    pub(super) fn is_updated_in(&self, candidate: &Candidate, region: StmtId) -> bool {
        let tree = self.model.tree;
        let mut updates = self.model.constructs.user_data.iter().filter(|u| u.stmt.is_none());
        updates.any(|u| {
            let inside = tree.pragma(u.pragma).inside.is_some_and(|s| tree.encloses(region, s));
            inside && may_name(self, candidate, u)
        })
    }

    /// Finds the regions that no residency of a candidate is to enclose: without them none would. So a region that this tool
    /// has written stays what it is.
    pub(super) fn shut_regions(&self, candidate: &mut Candidate) {
        self.shut(candidate, &[]);
    }

    /// The same where some regions are taken to be absent. Which others this tool has written is not known: each is looked at as
    /// if it were not there, alone and together with any of the others.
    fn shut(&self, candidate: &mut Candidate, absent: &[usize]) {
        let regions = candidate.held.regions.clone();
        if regions.len() > MOST_REGIONS {
            candidate.held.shut = regions;
            return;
        }
        for chosen in 1..1_usize << regions.len() {
            let gone: Vec<usize> = (0..regions.len())
                .filter(|i| chosen >> i & 1 == 1)
                .map(|i| regions[i])
                .collect();
            if gone.iter().all(|r| candidate.held.shut.contains(r)) {
                continue;
            }
            let absent: Vec<usize> = absent.iter().chain(&gone).copied().collect();
            let Some(mut bare) = self.but_for(candidate, &absent) else {
                candidate.held.shut.extend(gone);
                continue;
            };
            // Arrays that nothing but the region names this tool gives none.
            if bare.launches.is_empty() {
                continue;
            }
            self.shut(&mut bare, &absent);
            let found = search(self, &bare);
            let encloses = |chosen: &Chosen, stmt: StmtId| match chosen {
                Chosen::Region(e) => e.run != Run::single(stmt) && e.run.encloses(self.model, stmt),
                Chosen::Kernel(..) => false,
            };
            let open = |r: &usize| found.chosen.iter().any(|c| encloses(c, self.regions[*r].stmt));
            candidate.held.shut.extend(gone.into_iter().filter(|r| !open(r)));
        }
        candidate.held.shut.sort_unstable();
        candidate.held.shut.dedup();
    }

    /// The region, if a start is one.
    pub(super) fn region(&self, start: usize) -> Option<&HandRegion> {
        let others = self.model.constructs.launches.len() + self.calls.len();
        self.regions.get(start.checked_sub(others)?)
    }

    /// Whether a directive stands in one of the regions that hold a candidate, where it does the same whether that is what
    /// has made it present or not: all but `exit data`, which may end what another has begun, and `enter data`.
    pub(super) fn is_held_around(&self, candidate: &Candidate, directive: usize) -> bool {
        let tree = self.model.tree;
        let user = &self.model.constructs.user_data[directive];
        let lasting = [Construct::TargetEnterData, Construct::TargetExitData];
        if lasting.iter().any(|c| user.directive.is(c)) {
            return false;
        }
        let at = user.stmt.or(tree.pragma(user.pragma).inside);
        let mut around = candidate.held.regions.iter().map(|r| self.regions[*r].stmt);
        around.any(|r| user.stmt != Some(r) && at.is_some_and(|s| tree.encloses(r, s)))
    }

    /// The item of a directive by which a region holds a candidate.
    pub(super) fn holding_item(&self, candidate: &Candidate, directive: usize) -> Option<&Item> {
        let mut regions = candidate.held.regions.iter().map(|r| &self.regions[*r]);
        let region = regions.find(|r| r.directive == directive)?;
        Some(&held(region, candidate)?.item)
    }

    /// The regions of a candidate, as movement problems know them.
    pub(super) fn held_regions(&self, candidate: &Candidate) -> Vec<Region> {
        let known = candidate.held.regions.iter().filter_map(|index| {
            let r = &self.regions[*index];
            let item = held(r, candidate)?;
            Some(Region {
                updated: self.is_updated_in(candidate, r.stmt),
                shut: candidate.held.shut.contains(index),
                stmt: r.stmt,
                node: r.node,
                base: item.base,
                section: item.section.clone()?,
                map_type: item.map_type,
            })
        });
        known.collect()
    }

    /// Whether all copies stand outside of the regions that hold a candidate.
    pub(super) fn is_outside_regions(&self, candidate: &Candidate, placement: &Placement) -> bool {
        let tree = self.model.tree;
        placement.copies.iter().all(|copy| {
            let beside = |stmt| {
                let gaps = [Place::Before(stmt), Place::After(stmt)];
                gaps.into_iter().any(|p| self.model.coarse.gap(p) == Some(copy.gap))
            };
            let at = self.model.coarse.stmt_of(copy.gap);
            let mut regions = candidate.held.regions.iter().map(|r| self.regions[*r].stmt);
            !regions.any(|r| !beside(r) && at.is_some_and(|s| tree.encloses(r, s)))
        })
    }
}
