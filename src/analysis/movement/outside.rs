//! What happens to an array where none of its residencies is: found once, for all residencies that are tried.
//!
//! ```c
//! for (i = 0; i < n; i++) x[i] = i;                          /* outside, whichever of the two runs is tried */
//! #pragma omp target … map(tofrom: x[0:n])                   /* run 1 */
//! #pragma omp target … map(tofrom: x[0:n])                   /* runs 1 and 2 */
//! print(x, n);                                               /* outside */
//! ```
//!
//! A search tries many runs of statements, each a small part of its function. Accesses outside of a run are the same
//! events for all of them, and so is what the host reads after a run that control does not enter again
//! ([`super::demand::Demand::solve_given`]).

use super::demand::Demand;
use super::family::Naming;
use super::flow::{Flow, Shortcuts};
use super::liveness::{Liveness, any_path};
use super::placement::ResidencySpan;
use super::problem::{NodeEvents, Problem, SharedEvents};
use super::quiet::{Happening, Loud, Stretch};
use super::subject::Subject;
use super::touching::Touching;
use crate::analysis::movement::events::{Events, FamilyRefusal};
use crate::analysis::movement::problem::Renamed;
use crate::analysis::values::table::Base;
use crate::program::graph::{FlowGraph, NodeId};
use crate::program::objects::MemLoc;
use crate::reasons::Reason;
use crate::symbolic::{Facts, Section, SectionSet};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// What the events outside of a residency depend on, in one function.
#[derive(Clone, PartialEq, Debug)]
pub struct OutsideKey {
    base: Base,
    element: u64,
    locs: Vec<MemLoc>,
    extent: Section,
    given_up: bool,
    left_current: bool,
    unread: bool,
    apart_outside: bool,
}

/// What else the elements that the host reads depend on.
struct HostReadKey {
    facts: Facts,
    renamed: Renamed,
    live_out: SectionSet,
    before: Rc<Liveness>,
}

/// Events of a single array where it has no residency.
pub struct Outside {
    shared: Rc<SharedEvents>,
    barriers: FxHashMap<NodeId, Reason>,
    left: FxHashSet<NodeId>,
    freed: FxHashSet<NodeId>,
    others: FxHashSet<NodeId>,
    /// The nodes at which anything may happen to the array, in a residency or outside, in order.
    nodes: Vec<NodeId>,
    /// The kernels beside these that read something.
    readers: FxHashSet<NodeId>,
    loud: OnceCell<Loud>,
    shortcuts: OnceCell<Rc<Shortcuts>>,
    read: RefCell<Vec<HostReadKey>>,
}

impl Subject<'_> {
    /// What events of a single array outside of residencies depend on; `None` where regions by hand have to do with it.
    pub fn asks_outside(&self, base: Base) -> Option<OutsideKey> {
        (self.regions.is_empty() && self.closed.is_empty() && self.told.is_empty()).then(|| OutsideKey {
            base,
            element: self.element,
            locs: self.locs.clone(),
            extent: self.extent.clone(),
            given_up: self.given_up,
            left_current: self.left_current,
            unread: self.unread,
            apart_outside: self.apart_outside,
        })
    }

    /// Collects the events of a single array where it has no residency; `None` where they depend on where it has one.
    fn outside(&self, base: Base, touching: &Touching) -> Option<Outside> {
        let nowhere = ResidencySpan {
            entry: FlowGraph::ENTRY,
            exits: Vec::new(),
            nodes: FxHashSet::default(),
        };
        let mut out = Events::default();
        let nodes = touching.nodes(self, base);
        for &node in &nodes {
            self.node_events(node, &[base], 1, &nowhere, &mut out).ok()?;
        }
        let readers = touching.readers().iter().copied();
        let readers: FxHashSet<NodeId> = readers.filter(|n| nodes.binary_search(n).is_err()).collect();
        out.others.extend(&readers);
        // What keeps two arrays apart may depend on what control comes to after the residency.
        if out.later.is_some() || !out.apart.is_empty() {
            return None;
        }
        Some(Outside {
            shared: Rc::new(SharedEvents::new(out.events.into_own())),
            barriers: out.barriers,
            left: out.left,
            freed: out.freed,
            others: out.others,
            nodes,
            readers,
            loud: OnceCell::new(),
            shortcuts: OnceCell::new(),
            read: RefCell::default(),
        })
    }
}

impl Subject<'_> {
    /// Collects the events of a single array for a residency, where it is known what they are outside of it.
    pub fn events_beside(&self, base: Base, span: &ResidencySpan, outside: &Outside) -> Result<Events, FamilyRefusal> {
        let mut out = outside.beside(span);
        for node in outside.nodes.iter().filter(|n| span.nodes.contains(n)) {
            self.node_events(*node, &[base], 1, span, &mut out)?;
        }
        Ok(out)
    }
}

impl Outside {
    /// The events of all nodes outside of a residency.
    fn beside(&self, span: &ResidencySpan) -> Events {
        let beside = |nodes: &FxHashSet<NodeId>| nodes.iter().copied().filter(|n| !span.nodes.contains(n)).collect();
        let mut events = NodeEvents::sharing(&self.shared);
        let within = self.nodes.iter().filter(|n| span.nodes.contains(n));
        within.for_each(|n| events.clear(*n));
        let is_other = |n: &NodeId| !span.nodes.contains(n) || self.readers.contains(n);
        let barriers = self.barriers.iter().filter(|(n, _)| !span.nodes.contains(n));
        Events {
            events,
            barriers: barriers.map(|(n, reason)| (*n, reason.clone())).collect(),
            left: beside(&self.left),
            freed: beside(&self.freed),
            others: self.others.iter().copied().filter(is_other).collect(),
            ..Events::default()
        }
    }

    /// [`Demand::solve`] for a residency of the array.
    pub fn demand(&self, problem: &mut Problem<'_>, span: &ResidencySpan, function: &Stretch<'_>) -> Demand {
        let is_same = |n: &NodeId| problem.events.at(*n) == self.shared.at(*n);
        // Where control does not come back to the residency, what happens in it is no matter of what is read after it.
        if problem.flow.graph.may_repeat(span.entry) && !span.nodes.iter().all(is_same) {
            return Demand::solve(problem, span);
        }
        let again = self.read_before(problem, function);
        Demand::solve_given(problem, span, &again)
    }

    /// What is not quiet in the function where the array has no residency.
    pub fn loud(&self, extent: &Section, function: &Stretch<'_>) -> Loud {
        let found = self.loud.get_or_init(|| {
            function.loud(Happening {
                events: &NodeEvents::sharing(&self.shared),
                extent,
                besides: &[],
            })
        });
        found.clone()
    }

    /// The ways past what is quiet in the function where the array has no residency.
    fn shortcuts(&self, problem: &Problem<'_>, function: &Stretch<'_>) -> Rc<Shortcuts> {
        let loud = || self.loud(&problem.extent, function);
        let found = self.shortcuts.get_or_init(|| Rc::new(function.shortcuts(&loud())));
        Rc::clone(found)
    }

    /// What the host may read before each node where there is no residency.
    fn read_before(&self, problem: &mut Problem<'_>, function: &Stretch<'_>) -> Rc<Liveness> {
        let known = self.read.borrow().iter().find_map(|known| {
            let is_it = known.renamed == problem.renamed && known.live_out == problem.live_out;
            (is_it && known.facts == problem.facts).then(|| Rc::clone(&known.before))
        });
        known.unwrap_or_else(|| {
            let own = std::mem::replace(&mut problem.events, NodeEvents::sharing(&self.shared));
            // The answer is for all residencies of the array, whatever they pass by.
            let all = match problem.renamed.at.is_empty() {
                true => Flow::with(problem.flow.graph, self.shortcuts(problem, function)),
                false => Flow::of(problem.flow.graph),
            };
            let flow = std::mem::replace(&mut problem.flow, all);
            let before = Rc::new(any_path(problem, None, None));
            (problem.events, problem.flow) = (own, flow);
            self.read.borrow_mut().push(HostReadKey {
                facts: problem.facts.clone(),
                renamed: problem.renamed.clone(),
                live_out: problem.live_out.clone(),
                before: Rc::clone(&before),
            });
            before
        })
    }
}

/// Events outside of residencies that have been asked for, the last ones.
#[derive(Default)]
pub struct KnownOutside {
    known: RefCell<Vec<(OutsideKey, Option<Rc<Outside>>)>>,
    /// What all questions about one function are answered from.
    touching: OnceCell<Touching>,
}

/// How many are kept: a search asks for few arrays at a time.
const KEPT: usize = 16;

impl KnownOutside {
    /// What `Subject::outside` finds, remembered.
    pub fn get(&self, subject: &Subject<'_>, naming: &Naming, span: &ResidencySpan) -> Option<Rc<Outside>> {
        let [base] = naming.at(span.entry) else { return None };
        let question = subject.asks_outside(*base)?;
        let mut known = self.known.borrow_mut();
        if let Some((_, answer)) = known.iter().find(|(asked, _)| *asked == question) {
            return answer.clone();
        }
        if known.len() >= KEPT {
            known.remove(0);
        }
        let touching = self.touching.get_or_init(|| Touching::of(subject));
        let answer = subject.outside(*base, touching).map(Rc::new);
        known.push((question, answer.clone()));
        answer
    }
}
