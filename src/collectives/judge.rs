//! A program judged: for all processes, and for each part that a communicator makes of them.

use super::classes::{Label, classes};
use super::communicators::{Group, Membership, membership, part};
use super::findings::{CollectiveFinding, Described, described};
use super::graph::{GraphNodeKind, Graphs};
use super::mismatches::mismatches;
use crate::analysis::effects::Effects;
use crate::analysis::points_to::PointsTo;
use crate::multivalued::{
    CollectiveEvent, CollectiveStep, Interpreter, JudgedProcesses, Key, KeyId, Keys, Surroundings, role,
};
use crate::program::ir::{FuncId, Module};
use std::collections::BTreeSet;

/// So many parts are looked at.
const MOST_PARTS: usize = 64;

/// What is judged of a program.
#[derive(Debug, Default)]
pub struct Judgement {
    /// What is wrong.
    pub findings: Vec<CollectiveFinding>,
    /// The program was too large to be judged.
    pub gave_up: bool,
}

/// Whether a program has collectives at all.
pub fn has_collectives(module: &Module) -> bool {
    let is_collective = |name: &str| role(name).is_some_and(|r| r.is_collective());
    module.functions.iter().any(|f| is_collective(&f.name))
}

/// Judges a program.
pub fn judged(module: &Module, points_to: &PointsTo, effects: &Effects<'_>) -> Judgement {
    let around = Surroundings::of(module, points_to, effects);
    let mut keys = Keys::default();
    let all = JudgedProcesses {
        equal: Default::default(),
        communicators: None,
        around: &around,
    };
    let mut judgement = Judgement::default();
    let parts = judge(&all, &mut keys, None, &mut judgement);
    for communicator in parts.into_iter().take(MOST_PARTS) {
        let Group { equal, around: of } = part(&mut keys, communicator);
        let members = JudgedProcesses {
            equal,
            communicators: Some(of),
            around: &around,
        };
        judge(&members, &mut keys, Some(communicator), &mut judgement);
    }
    judgement.findings.sort();
    judgement
        .findings
        .dedup_by(|later, first| later.collective == first.collective);
    judgement
}

/// Judges the collectives of some processes, and says which communicators there are for parts of them.
fn judge(
    of: &JudgedProcesses<'_>,
    keys: &mut Keys,
    communicator: Option<KeyId>,
    judgement: &mut Judgement,
) -> BTreeSet<KeyId> {
    let module = of.around.module;
    let mut interpreter = Interpreter::new(of, keys);
    let begun: Vec<_> = begins(of.around)
        .into_iter()
        .map(|func| interpreter.begin(func))
        .collect();
    judgement.gave_up |= interpreter.gave_up();
    if interpreter.gave_up() {
        return BTreeSet::new();
    }
    let causes = std::mem::take(&mut interpreter.causes);
    let contexts = std::mem::take(&mut interpreter.contexts);
    drop(interpreter);
    let one_for_all = |event: &CollectiveEvent| event.communicator.is_none_or(|c| c.differs.is_none());
    let member_of = |event: &CollectiveEvent| {
        event
            .communicator
            .map_or(Membership::All, |c| membership(module, keys, c.key))
    };
    let wanted = |event: &CollectiveEvent| match (member_of(event), communicator) {
        // Who has which communicator is not known: each call may be of another one.
        (Membership::All, None) => one_for_all(event),
        (Membership::Part(part), Some(communicator)) => part == communicator,
        _ => false,
    };
    let label = |kind: &GraphNodeKind| match kind {
        GraphNodeKind::Collective(event) => Some(Label {
            name: event.name.trim_start_matches('P').to_owned(),
            root: event.root.map(|r| r.key).filter(|key| keys.int(*key).is_some()),
            operator: event
                .operator
                .map(|o| o.key)
                .filter(|key| matches!(keys.get(*key), Key::Global(..))),
            communicator: event.communicator.map(|c| c.key),
        }),
        _ => None,
    };
    let mut graphs = Graphs::new(&contexts, &wanted);
    let numbers = (0..contexts.len() as u32).map(crate::multivalued::ContextId);
    for context in numbers.chain(begun) {
        let Some(graph) = graphs.of(context) else { continue };
        let classes = classes(graph, &label, &|key| keys.made_by(key));
        let found = mismatches(graph, &classes, &|key| keys.counts(key));
        let described = found
            .iter()
            .map(|mismatch| described(module, &causes, &Described::Mismatch(mismatch)));
        judgement.findings.extend(described);
    }
    let events = contexts
        .iter()
        .flat_map(|context| &context.blocks)
        .flat_map(|block| &block.events);
    let mut parts = BTreeSet::new();
    for event in events {
        let CollectiveStep::Collective(event) = event else {
            continue;
        };
        if let Membership::Part(part) = member_of(event) {
            parts.insert(part);
        }
        let all = |key: KeyId| membership(module, keys, key) == Membership::All;
        let chosen = |key: KeyId| matches!(keys.get(key), Key::Choice { then, other, .. } if all(*then) && all(*other));
        if let Some(of) = event.communicator.filter(|of| communicator.is_none() && chosen(of.key))
            && let Some(cause) = of.differs
        {
            judgement
                .findings
                .push(described(module, &causes, &Described::Communicator(event, cause)));
        }
        if wanted(event)
            && let Some(cause) = event.root.and_then(|root| root.differs)
        {
            judgement
                .findings
                .push(described(module, &causes, &Described::Root(event, cause)));
        }
    }
    parts
}

/// The functions that the program begins with, and those that nothing in it calls.
fn begins(around: &Surroundings<'_>) -> Vec<FuncId> {
    let functions = around.module.functions.iter().enumerate();
    let defined = functions.filter(|(_, f)| !f.declaration);
    defined
        .filter(|(at, f)| f.name == "main" || around.points_to.callers(FuncId(*at as u32)).is_empty())
        .map(|(at, _)| FuncId(at as u32))
        .collect()
}
