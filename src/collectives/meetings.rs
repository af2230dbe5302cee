//! Threads that meet at barriers, judged from where they begin.
//!
//! Barriers match by kind at first: what does not match then is wrong on some runtime. Then they match by where they stand.
//!
//! ```text
//! __syncthreads  in one branch                 by kind: one way has it, the other has not       an error
//! __syncthreads  in both branches              by kind: alike; by place: two places             a warning
//! return         in front of __syncthreads     the hardware does not wait for who has left      a warning ([`super::leaving`])
//! ```

use super::classes::Label;
use super::described::Described;
use super::findings::described;
use super::graph::{CollectiveGraph, GraphNodeKind, Graphs};
use super::instances::SmallRuns;
use super::judgement::{Interpretation, Judgement, Start, events};
use super::mismatches::{Mismatch, mismatches};
use crate::multivalued::{
    AgentKind, CollectiveEvent, ContextId, JudgedAgents, Keys, KnownValues, LibraryRole, Slice, Surroundings,
};
use crate::program::objects::Site;
use rustc_hash::FxHashSet;

/// Judges those who share memory and begin at some functions.
pub fn judged(around: &Surroundings<'_>, starts: &[Start]) -> Judgement {
    let mut judgement = Judgement::default();
    let slice = Slice::of(around);
    for start in starts {
        let inside = around.inside(start.func);
        // Those who may cancel leave barriers out, and that is right.
        if !around.any_call(&inside, LibraryRole::is_collective) || around.any_call(&inside, |role| role.cancels) {
            continue;
        }
        let threads = JudgedAgents {
            equal: FxHashSet::default(),
            communicators: None,
            private: around.private(&inside),
            around,
            slice: &slice,
        };
        judge(&threads, start, &mut judgement);
    }
    judgement.finished()
}

/// Judges those who begin at a function.
fn judge(of: &JudgedAgents<'_>, start: &Start, judgement: &mut Judgement) {
    let mut keys = Keys::default();
    let Some(interpretation) = Interpretation::of(of, &mut keys, std::slice::from_ref(start)) else {
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
    let mut known: FxHashSet<Site> = FxHashSet::default();
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
        let mut matched = Matched::of(graph, &runs);
        matched.leave_out(&known);
        if of.around.agents != AgentKind::Threads {
            matched.doubt(&keys);
        }
        for mismatch in { matched.by_kind.iter() }.filter(|m| !found.contains(&m.collective.site)) {
            let what = Described::Mismatch(mismatch);
            judgement.findings.push(described(of.around, causes, &what));
        }
        for mismatch in { matched.by_place.iter() }.filter(|m| !found.contains(&m.collective.site)) {
            let what = Described::Unaligned(mismatch);
            judgement.findings.push(described(of.around, causes, &what));
        }
        // Who begins there knows what comes behind calls, which what is called does not know.
        if of.around.agents == AgentKind::Block && context == ContextId(0) {
            known.extend(matched.by_kind.iter().map(|m| m.collective.site));
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

    /// Loops in steps may run as often for all, whatever they start with: `for (i = threadIdx.x; i < n; i += blockDim.x)`.
    fn doubt(&mut self, keys: &Keys) {
        let in_steps = self.by_kind.iter_mut().filter(|m| keys.strides(m.condition));
        in_steps.for_each(|mismatch| mismatch.surely = false);
    }

    /// Leaves out what has been said of some collectives.
    fn leave_out(&mut self, known: &FxHashSet<Site>) {
        let is_new = |m: &Mismatch| !known.contains(&m.collective.site);
        self.by_kind.retain(is_new);
        self.by_place.retain(is_new);
    }
}

/// What tells a place where threads meet from others.
fn label(kind: &GraphNodeKind, by_place: bool) -> Option<Label> {
    let GraphNodeKind::Collective(event) = kind else {
        return None;
    };
    Some(Label {
        name: event.step.clone(),
        place: by_place.then_some(event.site),
        ..Label::default()
    })
}
