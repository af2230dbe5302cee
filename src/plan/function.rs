//! Plans one function: finds candidates, searches residencies for each, lets those that can share one region do so
//! ([`super::share`]), and hands the result to [`super::emit`].

use super::by_hand::{beside, held_by_name};
use super::coherent::coherent;
use super::emit_updates::for_callers;
use super::holdings::{Held, OnEntry};
use super::inputs::Inputs;
use super::mapped_as_written::naive_cost;
use super::model::{Candidate, Chosen, ExpectedCopies, Refused, Settled};
use super::on_host::on_host;
use super::present_at_calls::{at_calls, is_held};
use super::search::{search, search_given};
use super::terms::root_of;
use super::{FilePlan, Note, candidates, cost, emit, emit_resident, joint, share};
use crate::analysis::device_calls::DeviceCall;
use crate::analysis::movement::family::Family;
use crate::analysis::values::table::{Base, PtrVal};
use crate::program::ir::FuncId;
use crate::reasons::{Builds, Reason};
use crate::symbolic::Expr;

/// What came of a function.
#[derive(Debug, Default)]
pub struct PlannedFunction {
    /// The function's part of the file's plan.
    pub plan: FilePlan,
    /// What its calls hold.
    pub held: Held,
    /// What its kernels, and those of functions that it calls, are expected to cost.
    pub cost: f64,
    /// The expected cost by array.
    pub copied: Vec<ExpectedCopies>,
    /// The functions that it calls and that have to do with the device, and how often each.
    pub calls: Vec<(FuncId, f64)>,
}

/// Plans one function, of which callers hold `on_entry` on the device.
pub fn plan_function(inputs: &Inputs<'_>, on_entry: &OnEntry) -> PlannedFunction {
    let model = inputs.model;
    let mut plan = FilePlan::default();
    let mut settled: Vec<Settled> = Vec::new();
    let mut left: Vec<Candidate> = Vec::new();
    let mut candidates = candidates::find(inputs);
    candidates.sort_by_cached_key(|c| turn(inputs, c));
    let mut kept = emit_resident::enter(inputs, &candidates, &mut plan);
    kept.extend(keep_coherent(inputs, &candidates, on_entry, &mut plan));
    candidates.retain(|c| !c.bases.iter().any(|b| kept.contains(b)));
    for candidate in candidates {
        match settle(inputs, candidate, on_entry, &settled, &mut plan) {
            Settling::Nothing => {}
            Settling::Left(candidate) => left.push(candidate),
            Settling::Settled(found) => settled.push(found),
        }
    }
    let joint = joint::settle(inputs, &mut settled, &left);
    if inputs.file.options.residencies.is_none() {
        share::regions(inputs, &mut settled, &joint);
    }
    share::conditions(inputs, &mut settled);
    joint::keep_apart(inputs, &mut settled);
    plan.residencies = inputs.chosen(&settled);
    for s in &settled {
        let resident = s.found.chosen.iter().any(|c| matches!(c, Chosen::Region(_)));
        let said = resident || is_told_by_name(inputs, &s.candidate, &settled);
        let refused = s.found.refused.iter().filter(|_| !said);
        for r in refused.filter(|r| !stays_as_chosen(inputs, &s.candidate, r, &settled)) {
            plan.remarks.push(remark(inputs, &s.candidate, r));
        }
    }
    let held = at_calls(inputs, &settled, on_entry);
    let cost = settled.iter().map(|s| s.found.cost).sum();
    let copied = settled.iter().filter_map(|s| copied(inputs, s)).collect();
    let often = |node| cost::frequency(model, model.coarse, node);
    let each = |c: &DeviceCall| {
        let often = often(c.node) / c.targets.len() as f64;
        c.targets.iter().map(move |target| (*target, often)).collect::<Vec<_>>()
    };
    let calls = inputs.calls.iter().flat_map(each).collect();
    emit::emit(inputs, &settled, &mut plan);
    plan.problems = inputs.problems.take();
    PlannedFunction {
        plan,
        held,
        cost,
        copied,
        calls,
    }
}

/// What is decided about a candidate.
enum Settling {
    /// Nothing is to be gained, or a remark says why it stays as it is.
    Nothing,
    /// The candidate stays as it is, whatever other candidates do.
    Left(Candidate),
    Settled(Settled),
}

/// Looks for residencies of a candidate, after those that are settled already.
fn settle(
    inputs: &Inputs<'_>,
    mut candidate: Candidate,
    on_entry: &OnEntry,
    settled: &[Settled],
    plan: &mut FilePlan,
) -> Settling {
    let nothing_to_gain = |l: &usize| inputs.is_hosted(&candidate, *l) || inputs.copies_nothing(&candidate, *l);
    if candidate.launches.iter().all(nothing_to_gain) {
        return Settling::Nothing;
    }
    let note = |candidate: &Candidate, reason: Reason| {
        let about = format!("{} is left as it is: ", candidate.label);
        let note = Note::because(first_span(inputs, candidate), &about, &reason);
        note.in_function(name(inputs)).of_array(&candidate.label)
    };
    if inputs.is_left_out(&candidate) {
        plan.remarks.push(note(&candidate, Builds::NotRight.into()));
        return Settling::Left(candidate);
    }
    if inputs.is_unwanted(&candidate) {
        let message = format!("{} is left as it is, as was asked for", candidate.label);
        let note = Note::new(first_span(inputs, &candidate), message);
        plan.remarks
            .push(note.in_function(name(inputs)).of_array(&candidate.label));
        return Settling::Left(candidate);
    }
    if is_held(inputs, &candidate, &on_entry.always) {
        let message = format!(
            "{} is left as it is: all callers keep it on the device",
            candidate.label
        );
        let note = Note::new(first_span(inputs, &candidate), message);
        plan.remarks
            .push(note.in_function(name(inputs)).of_array(&candidate.label));
        return Settling::Nothing;
    }
    let mut managed = None;
    match beside(inputs, &candidate) {
        Ok(others) => candidate.beside = others,
        Err(reason) => {
            let note = note(&candidate, reason);
            let Some(outside) = inputs.outside_regions(&candidate) else {
                plan.remarks.push(note);
                return Settling::Left(candidate);
            };
            candidate = outside;
            managed = Some(note);
        }
    }
    take_out(inputs, &mut candidate, settled);
    take_out_of_held(inputs, &mut candidate);
    if candidate.launches.is_empty() {
        return Settling::Nothing;
    }
    let mut found = match inputs.given(&candidate, false) {
        Some(given) => search_given(inputs, &candidate, &given),
        None => search(inputs, &candidate),
    };
    let stays = found.chosen.iter().any(|c| matches!(c, Chosen::Region(_)));
    if let Some(note) = managed.filter(|_| !stays) {
        // That is the reason, whatever else there may be.
        found.refused.clear();
        plan.remarks.push(note);
    }
    if matches!(candidate.family, Family::PingPong(_)) && !stays {
        let remarks = found.refused.iter();
        plan.remarks.extend(remarks.map(|r| remark(inputs, &candidate, r)));
        return Settling::Nothing;
    }
    Settling::Settled(Settled { candidate, found })
}

/// Kernels that a ping-pong residency covers are settled; its members are not looked at again there, nor is what is one of its
/// members, or of other arrays that stay there.
fn take_out(inputs: &Inputs<'_>, candidate: &mut Candidate, settled: &[Settled]) {
    let among = one_of(inputs, candidate).unwrap_or_default();
    let by_name = candidate
        .launches
        .iter()
        .flat_map(|l| inputs.chosen_uses(candidate, *l));
    let names: Vec<Base> = by_name.filter_map(|used| used.name).collect();
    for s in settled {
        let mut ours = candidate.bases.iter().chain(&among);
        if !ours.any(|b| s.candidate.bases.contains(b)) {
            if !names.iter().any(|name| s.candidate.bases.contains(name)) {
                continue;
            }
            // What kernels in there use by the name of what stays is settled, too.
            let inside = |l: &usize| s.regions().any(|e| e.run.encloses(inputs.model, inputs.start(*l)));
            let done = |l: &usize| inside(l) && inputs.uses_as_chosen(candidate, *l, &s.candidate.bases);
            let left = candidate.launches.iter().copied().filter(|l| !done(l));
            candidate.launches = left.collect();
            continue;
        }
        for e in s.found.chosen.iter().filter_map(Chosen::region) {
            candidate
                .launches
                .retain(|l| !e.run.encloses(inputs.model, inputs.start(*l)));
            candidate.traded.push(e.run);
        }
    }
}

/// Kernels where directives that are there already hold arrays of which a candidate is one: a run before this one may have written these.
fn take_out_of_held(inputs: &Inputs<'_>, candidate: &mut Candidate) {
    let Some(among) = one_of(inputs, candidate) else {
        return;
    };
    let held = held_by_name(inputs, &among);
    let start = |l: usize| inputs.model.tree.stmt(inputs.start(l)).span.start;
    let is_held = |l: &usize| held.iter().any(|part| part.contains(start(*l)));
    candidate.launches.retain(|l| !is_held(l));
}

fn copied(inputs: &Inputs<'_>, settled: &Settled) -> Option<ExpectedCopies> {
    let Family::Single(base) = settled.candidate.family else {
        return None;
    };
    let candidate = &settled.candidate;
    let in_region = |start| {
        let mut regions = settled.regions();
        regions.any(|e| e.run.encloses(inputs.model, inputs.start(start)))
    };
    let calls = candidate
        .launches
        .iter()
        .filter(|l| inputs.call(**l).is_some() && !in_region(**l));
    let in_calls: f64 = calls.map(|l| naive_cost(inputs, candidate, *l)).sum();
    Some(ExpectedCopies {
        root: root_of(inputs, base),
        element: candidate.element,
        locs: candidate.locs.clone(),
        all: settled.found.cost,
        own: (settled.found.cost - in_calls).max(0.0),
    })
}

/// Whether a candidate is one of arrays that all stay where it was refused: then nothing is missed.
fn stays_as_chosen(inputs: &Inputs<'_>, candidate: &Candidate, refused: &Refused, settled: &[Settled]) -> bool {
    let stays = |base: &Base| {
        let mut of_array = settled.iter().filter(|s| s.candidate.bases.contains(base));
        of_array.any(|s| s.regions().any(|e| e.run.encloses(inputs.model, refused.stmt)))
    };
    one_of(inputs, candidate).is_some_and(|among| !among.is_empty() && among.iter().all(stays))
}

/// Whether kernels use a candidate only by the names of others, of which it is said why these do not stay.
fn is_told_by_name(inputs: &Inputs<'_>, candidate: &Candidate, settled: &[Settled]) -> bool {
    let told = |base: Base| {
        let mut by_name = settled.iter().filter(|s| s.candidate.bases.contains(&base));
        by_name.any(|s| !s.found.refused.is_empty())
    };
    turn(inputs, candidate) == 2 && {
        let mut uses = candidate
            .launches
            .iter()
            .flat_map(|l| inputs.chosen_uses(candidate, *l));
        uses.any(|used| used.name.is_some_and(told))
    }
}

/// When a candidate has its turn: arrays first, then what is one of them, then arrays that kernels use under such names alone.
fn turn(inputs: &Inputs<'_>, candidate: &Candidate) -> u8 {
    let only_chosen = |l: &usize| inputs.is_hosted(candidate, *l) || inputs.may_be_another(candidate, *l);
    match one_of(inputs, candidate) {
        Some(_) => 1,
        None if candidate.launches.iter().all(only_chosen) => 2,
        None => 0,
    }
}

/// The arrays of which a candidate is one, if that is so.
fn one_of(inputs: &Inputs<'_>, candidate: &Candidate) -> Option<Vec<Base>> {
    let Family::Single(base) = candidate.family else {
        return None;
    };
    let offset = Expr::zero();
    let among = inputs.model.values.choice(&PtrVal { base, offset })?;
    Some(among.into_iter().map(|at| at.base).collect())
}

/// Writes the updates of arrays that callers keep on the device and that the function also uses on the host; these arrays.
fn keep_coherent(inputs: &Inputs<'_>, candidates: &[Candidate], on_entry: &OnEntry, plan: &mut FilePlan) -> Vec<Base> {
    let Some(summary) = inputs.program.summaries.get(&inputs.model.func) else {
        return Vec::new();
    };
    let mut kept = Vec::new();
    for candidate in candidates.iter().chain(&on_host(inputs, candidates)) {
        let Family::Single(base) = candidate.family else {
            continue;
        };
        let root = root_of(inputs, base).filter(|root| on_entry.ever.contains(root));
        let mut told = summary.uses.iter().filter(|u| Some(&u.root) == root.as_ref());
        let Some(told) = told.find(|u| u.updates.as_ref().is_some_and(|u| u.own)) else {
            continue;
        };
        kept.push(base);
        let made = coherent(inputs, candidate).ok();
        let as_told = made.filter(|made| made.is_as_told(inputs, told, &summary.terms));
        let decision = as_told.and_then(|made| for_callers(inputs, candidate, &made));
        match decision {
            Some(decision) => plan.decisions.push(decision),
            None => plan.broken = true,
        }
    }
    kept
}

fn remark(inputs: &Inputs<'_>, candidate: &Candidate, refused: &Refused) -> Note {
    let span = inputs.model.tree.stmt(refused.stmt).span;
    let about = format!("{} does not stay on the device: ", candidate.label);
    let note = Note::because(span, &about, &refused.reason);
    note.in_function(name(inputs)).of_array(&candidate.label)
}

/// The function's name in the text.
fn name<'a>(inputs: &Inputs<'a>) -> &'a str {
    &inputs.model.tree.functions[inputs.model.tree_function].name
}

fn first_span(inputs: &Inputs<'_>, candidate: &Candidate) -> crate::source::Span {
    let start = candidate.launches[0];
    let tree = inputs.model.tree;
    match inputs.model.constructs.launches.get(start) {
        Some(launch) => tree.pragma(launch.pragma).span,
        None => tree.stmt(inputs.start(start)).span,
    }
}
