//! The processes of a program judged: all of them, and each part that a communicator makes of them.

use super::classes::Label;
use super::communicators::{Group, Membership, are_told, colours, is_told, membership, part};
use super::described::Described;
use super::findings::described;
use super::graph::{GraphNodeKind, Graphs};
use super::instances::SmallRuns;
use super::judgement::{Interpretation, Judgement, Start, events};
use super::made_apart::{chosen_of_two, two_makers};
use super::members::of_members;
use super::mismatches::{Mismatch, OtherWay, mismatches};
use crate::multivalued::{
    AgentKind, CauseId, CollectiveEvent, HeldValue, JudgedAgents, Key, KeyId, Keys, KnownValues, Slice, SolvedProgram,
    Surroundings, TeamBodies,
};
use crate::program::ir::FuncId;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// So many parts are looked at.
const MOST_PARTS: usize = 64;

/// Judges the processes that run a program.
pub fn judged_processes(program: &SolvedProgram<'_>) -> Judgement {
    let around = Surroundings::of(program, AgentKind::Processes, TeamBodies::default());
    let slice = Slice::of(&around);
    let mut keys = Keys::default();
    let all = JudgedAgents {
        equal: Default::default(),
        communicators: None,
        private: Default::default(),
        around: &around,
        slice: &slice,
    };
    let mut judgement = Judgement::default();
    let parts = judge(&all, &mut keys, None, &mut judgement);
    for communicator in parts.into_iter().take(MOST_PARTS) {
        let Group { equal, around: of } = part(&mut keys, communicator);
        let members = JudgedAgents {
            equal,
            communicators: Some(of),
            private: Default::default(),
            around: &around,
            slice: &slice,
        };
        judge(&members, &mut keys, Some(communicator), &mut judgement);
    }
    judgement.finished()
}

/// Judges the collectives of some processes, and says which communicators there are for parts of them.
fn judge(
    of: &JudgedAgents<'_>,
    keys: &mut Keys,
    communicator: Option<KeyId>,
    judgement: &mut Judgement,
) -> BTreeSet<KeyId> {
    let module = of.around.module;
    let starts = begins(of).into_iter().map(Start::from).collect::<Vec<_>>();
    let Some(interpretation) = Interpretation::of(of, keys, &starts) else {
        judgement.gave_up = true;
        return BTreeSet::new();
    };
    let keys = &*keys;
    let Interpretation { contexts, causes, .. } = &interpretation;
    let made_apart = |of: &HeldValue| two_makers(keys, of.key).is_some();
    let one_for_all =
        |event: &CollectiveEvent| { event.communicator }.is_none_or(|of| of.differs.is_none() || made_apart(&of));
    let member_of = |event: &CollectiveEvent| match event.communicator {
        // Files are often opened by one process for itself.
        Some(of) if event.of_file && !is_told(keys, of.key) => Membership::NotJudged,
        Some(of) => membership(module, keys, of.key),
        None => Membership::All,
    };
    let maker = communicator.and_then(|communicator| match keys.get(communicator) {
        Key::Part { site, .. } => Some(*site),
        _ => None,
    });
    let judged = |event: &CollectiveEvent| match (member_of(event), communicator) {
        // Who has which communicator is not known: each call may be of another one.
        (Membership::All, None) => one_for_all(event),
        (Membership::Part(part), Some(communicator)) => part == communicator,
        _ => false,
    };
    let wanted = |event: &CollectiveEvent| judged(event) || maker == Some(event.site);
    let label = |kind: &GraphNodeKind| match kind {
        GraphNodeKind::Collective(event) => Some(Label {
            name: event.name.trim_start_matches('P').to_owned(),
            root: event.root.map(|r| r.key).filter(|key| keys.int(*key).is_some()),
            operator: event
                .operator
                .map(|o| o.key)
                .filter(|key| matches!(keys.get(*key), Key::Global(..))),
            communicator: event.communicator.map(|c| c.key).filter(|key| is_told(keys, *key)),
            place: None,
        }),
        _ => None,
    };
    let mut graphs = Graphs::new(contexts, &wanted);
    let runs = SmallRuns {
        keys,
        known: KnownValues {
            differing: &interpretation.differing,
            everybody: &|of| membership(module, keys, of) == Membership::All,
        },
        colours: &colours(keys, communicator),
        is_test: &|site| of.around.is_test(site),
    };
    for context in graphs.apart(&interpretation.begun) {
        let Some(graph) = graphs.of(context) else { continue };
        let graph = &maker.map_or_else(|| Cow::Borrowed(graph), |maker| Cow::Owned(of_members(graph, maker)));
        let found = mismatches(graph, &label, &runs);
        let doubtful = found.into_iter().map(|mismatch| Mismatch {
            surely: mismatch.surely && !may_come_in_any_order(&mismatch) && is_sure_of_communicators(keys, &mismatch),
            ..mismatch
        });
        let found: Vec<Mismatch> = doubtful.collect();
        let found = { found.iter() }.map(|mismatch| described(of.around, causes, &Described::Mismatch(mismatch)));
        judgement.findings.extend(found);
        for (event, cause) in chosen_of_two(graph, keys) {
            let what = Described::MadeApart(event, cause);
            judgement.findings.push(described(of.around, causes, &what));
        }
    }
    let mut parts = BTreeSet::new();
    for event in events(contexts) {
        if let Membership::Part(part) = member_of(event) {
            parts.insert(part);
        }
        if communicator.is_none()
            && !event.communicator.as_ref().is_some_and(made_apart)
            && let Some(HeldValue {
                key,
                differs: Some(cause),
            }) = event.communicator
            && let Key::Choice { then, other, .. } = keys.get(key)
            && [then, other]
                .iter()
                .all(|of| is_told(keys, **of) && membership(module, keys, **of) == Membership::All)
        {
            let what = Described::Communicator(event, cause);
            judgement.findings.push(described(of.around, causes, &what));
        }
        if let Some(cause) = root_differs(keys, event).filter(|_| judged(event)) {
            judgement
                .findings
                .push(described(of.around, causes, &Described::Root(event, cause)));
        }
    }
    parts
}

/// Why the root of a collective is not the same for all. Of a communicator between groups it is no number of a process for who is on its side.
fn root_differs(keys: &Keys, event: &CollectiveEvent) -> Option<CauseId> {
    let root = event.root?;
    let parts = keys.parts(root.key);
    let between_groups = { parts.iter() }.any(|part| keys.int(*part).is_some_and(|n| n < 0));
    root.differs.filter(|_| !between_groups)
}

/// Whether it is known of the collectives that some come to instead of others which communicators they are about.
fn is_sure_of_communicators(keys: &Keys, mismatch: &Mismatch) -> bool {
    let OtherWay::Collective(other) = &mismatch.instead else {
        return true;
    };
    are_told(keys, &mismatch.collective, other)
}

/// Whether two collectives of different communicators meet in whatever order they are called: those that nobody waits in, and the ends of
/// communicators, windows and files, which may wait for all and need not.
fn may_come_in_any_order(mismatch: &Mismatch) -> bool {
    let OtherWay::Collective(other) = &mismatch.instead else {
        return false;
    };
    let own = &mismatch.collective;
    let waits = |name: &str| !name.trim_start_matches('P').starts_with("MPI_I") && !name.ends_with("_free");
    let apart = match (own.communicator, other.communicator) {
        (Some(one), Some(another)) => one.key != another.key,
        _ => false,
    };
    apart && !(waits(&own.name) && waits(&other.name))
}

/// The functions that the program begins with, and those that nothing in it calls.
fn begins(of: &JudgedAgents<'_>) -> Vec<FuncId> {
    let around = of.around;
    let functions = around.module.functions.iter().enumerate();
    let defined = functions.filter(|(_, f)| !f.declaration);
    let begins = |at: &FuncId| {
        let is_main = around.module.function(*at).name == "main";
        of.slice.acts(*at) && (is_main || around.points_to.callers(*at).is_empty())
    };
    defined.map(|(at, _)| FuncId(at as u32)).filter(begins).collect()
}
