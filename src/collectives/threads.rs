//! The threads of each team judged, with the body of its parallel region.
//!
//! ```c
//! #pragma omp parallel
//! {
//!     if (omp_get_thread_num() == 0) {       /* differs between the threads                                    */
//!         #pragma omp barrier                /* the others never come here: OMM301                             */
//!     } else {
//!         #pragma omp barrier                /* with this: they meet on most runtimes, and the standard says   */
//!     }                                      /* that all threads have to come to the same one: a warning       */
//! }
//! ```
//!
//! Barriers match by kind at first: what does not match then is wrong on some runtime. Then they match by where they stand.

use super::classes::Label;
use super::described::Described;
use super::findings::described;
use super::graph::{CollectiveGraph, GraphNodeKind, Graphs};
use super::instances::SmallRuns;
use super::judgement::{Interpretation, Judgement, Start, events};
use super::mismatches::{Mismatch, mismatches};
use crate::multivalued::{
    AgentKind, ClosedRegion, CollectiveEvent, JudgedAgents, Keys, KnownValues, LibraryRole, SolvedProgram,
    Surroundings, TeamBodies, role,
};
use crate::program::ir::{FuncId, Module};
use crate::program::objects::Site;
use rustc_hash::FxHashSet;

/// Whether the threads of a program meet anywhere.
pub fn has_barriers(module: &Module) -> bool {
    let is_collective = |name: &str| role(AgentKind::Threads, name).is_some_and(LibraryRole::is_collective);
    module.functions.iter().any(|f| is_collective(&f.name))
}

/// Judges the threads that run a program in which `bodies` are called.
pub fn judged_threads(program: &SolvedProgram<'_>, bodies: TeamBodies) -> Judgement {
    let around = Surroundings::of_threads(program, bodies);
    let mut judgement = Judgement::default();
    for start in starts(&around) {
        let inside = around.inside(start.func);
        // A team that may be cancelled leaves barriers out, and that is right.
        if !around.any_call(&inside, LibraryRole::is_collective) || around.any_call(&inside, |role| role.cancels) {
            continue;
        }
        let threads = JudgedAgents {
            equal: FxHashSet::default(),
            communicators: None,
            private: around.private(&inside),
            around: &around,
        };
        judge(&threads, start, &mut judgement);
    }
    judgement.finished()
}

/// The bodies of teams and tasks, and functions that somebody else may call from one.
fn starts(around: &Surroundings<'_>) -> Vec<Start> {
    let numbers = 0..around.module.functions.len() as u32;
    let defined = numbers.map(FuncId).filter(|f| !around.module.function(*f).declaration);
    defined
        .filter_map(|func| {
            let nobody = around.points_to.callers(func).is_empty() && around.module.function(func).name != "main";
            let task = around.bodies.tasks.contains(&func);
            (task || around.bodies.teams.contains(&func) || (nobody && !around.bodies.has(func))).then(|| Start {
                func,
                regions: if task { vec![ClosedRegion::Task] } else { Vec::new() },
            })
        })
        .collect()
}

/// Judges a team.
fn judge(of: &JudgedAgents<'_>, start: Start, judgement: &mut Judgement) {
    let mut keys = Keys::default();
    let Some(interpretation) = Interpretation::of(of, &mut keys, &[start]) else {
        judgement.gave_up = true;
        return;
    };
    let Interpretation { contexts, causes, .. } = &interpretation;
    let mut found: FxHashSet<Site> = FxHashSet::default();
    for event in events(contexts) {
        if let Some(region) = event.within
            && found.insert(event.site)
        {
            let what = Described::Within(event, region);
            judgement.findings.push(described(of.around, causes, &what));
        }
    }
    let all = |_: &CollectiveEvent| true;
    let mut graphs = Graphs::new(contexts, &all);
    let runs = SmallRuns {
        keys: &keys,
        known: KnownValues {
            differing: &interpretation.differing,
            everybody: &|_| true,
        },
        colours: &[],
        is_test: &|site| of.around.is_test(site),
    };
    for context in graphs.apart(&interpretation.begun) {
        let Some(graph) = graphs.of(context) else { continue };
        let matched = Matched::of(graph, &runs);
        for mismatch in { matched.by_kind.iter() }.filter(|m| !found.contains(&m.collective.site)) {
            let what = Described::Mismatch(mismatch);
            judgement.findings.push(described(of.around, causes, &what));
        }
        for mismatch in { matched.by_place.iter() }.filter(|m| !found.contains(&m.collective.site)) {
            let what = Described::Unaligned(mismatch);
            judgement.findings.push(described(of.around, causes, &what));
        }
    }
}

/// What does not match in a graph.
struct Matched {
    by_kind: Vec<Mismatch>,
    /// Branches that lead to equally many barriers of each kind, at different places.
    by_place: Vec<Mismatch>,
}

impl Matched {
    fn of(graph: &CollectiveGraph, runs: &SmallRuns<'_>) -> Matched {
        let by_kind = mismatches(graph, &|kind| label(kind, false), runs);
        let mut by_place = mismatches(graph, &|kind| label(kind, true), runs);
        by_place.retain(|m| by_kind.iter().all(|known| known.branch != m.branch));
        Matched { by_kind, by_place }
    }
}

/// What tells a place where threads meet from others.
fn label(kind: &GraphNodeKind, by_place: bool) -> Option<Label> {
    let GraphNodeKind::Collective(event) = kind else {
        return None;
    };
    Some(Label {
        name: event.name.clone(),
        place: by_place.then_some(event.site),
        ..Label::default()
    })
}
