//! Members of one struct that stay on the device together.
//!
//! ```c
//! #pragma omp target data map(tofrom: s->x[0:n], s->y[0:n])
//! for (int t = 0; t < steps; t++) {
//!     #pragma omp target … map(to: s->x[0:n]) map(tofrom: s->y[0:n])
//!     …
//!     #pragma omp target … map(tofrom: s->x[0:n])
//!     …
//! ```
//!
//! A directive that maps members by their paths maps the *stretch* of the struct from the first of them to the last, without
//! copying it, and puts the arrays' addresses into the pointers there. Of a later stretch the runtime takes what lies within
//! one that is there already, and stops the program where one reaches out of it. Hence the rule: *over a run of statements
//! all members stay that kernels there map, by one directive, or none does.* Each kernel's own stretch then lies in that of the
//! directive, and the pointers in it are attached already.
//!
//! What lies in the stretch between the pointers is there too, with no value: a kernel that maps a number of the struct
//! finds it present, and copies nothing. A number that kernels copy in, and that keeps its value all the time, is mapped by
//! the directive as well (`map(to: s->n, …)`). Nothing else of the struct may be mapped, nor touched in a kernel of the run:
//! no array that is part of it, no struct in the struct, and not all of it. Nor may it be reached by another name, whose
//! stretch could begin elsewhere (`joint_struct`).

use super::inputs::Inputs;
use super::model::{Candidate, Chosen, FeasibleResidency, Joint, Refused, Settled};
use super::names::NamingPoint;
use super::search::{search_given_together, search_together};
use super::spans::Run;
use super::struct_members::{as_path, is_one_step, joint, roots};
use crate::program::objects::MemLoc;
use crate::reasons::{Calls, Structs};
use std::collections::BTreeSet;

/// Lets members of one struct stay on the device together where that is better than what each has found for itself; those that
/// this was asked of, by their index. Members in `left` are managed by hand.
pub(super) fn settle(inputs: &Inputs<'_>, settled: &mut [Settled], left: &[Candidate]) -> BTreeSet<usize> {
    explain(inputs, settled);
    let mut asked = BTreeSet::new();
    for root in roots(inputs) {
        let found: Vec<(usize, Joint)> = (0..settled.len())
            .filter_map(|i| Some((i, joint(inputs, &settled[i].candidate, &root)?)))
            .collect();
        // What kernels map no more of than one member is mapped like any other array.
        let members = || inputs.calls.iter().flat_map(|c| &c.members.list);
        let in_calls = |i: usize| members().any(|m| inputs.leads_to(m, &settled[i].candidate));
        let is_shared = |(i, joint): &(usize, Joint)| !inputs.alone(&joint.path) || in_calls(*i);
        // A run before this one would have decided about all of them together.
        let by_hand: Vec<&Candidate> = left.iter().filter(|c| as_path(inputs, c, &root).is_some()).collect();
        let held = (0..settled.len()).filter(|i| !found.iter().any(|(of, _)| of == i));
        let held = held.filter_map(|i| Some((i, as_path(inputs, &settled[i].candidate, &root)?)));
        let held: Vec<usize> = held.filter(is_shared).map(|(i, _)| i).collect();
        let shared = found.iter().any(is_shared);
        for i in held {
            give_up(inputs, &mut settled[i], &by_hand);
        }
        if !shared {
            continue;
        }
        asked.extend(found.iter().map(|(i, _)| *i));
        let is_given = |i: usize| {
            inputs
                .given(&settled[i].candidate, true)
                .is_none_or(|runs| !runs.is_empty())
        };
        let (mut members, mut others): (Vec<_>, Vec<_>) = found.into_iter().partition(|(i, _)| is_given(*i));
        // Members that have found something alone may keep it where all together are not better: the rest is as if it
        // were alone.
        if !together(inputs, settled, &members) {
            (others, members) = members.into_iter().partition(|(i, _)| stays(&settled[*i]));
            if !others.is_empty() {
                together(inputs, settled, &members);
            }
        }
        for (i, _) in members.iter().chain(&others) {
            give_up(inputs, &mut settled[*i], &by_hand);
        }
        let alone: Vec<Candidate> = others.iter().map(|(i, _)| settled[*i].candidate.clone()).collect();
        let alone: Vec<&Candidate> = alone.iter().collect();
        for (i, _) in &members {
            give_up(inputs, &mut settled[*i], &alone);
        }
    }
    asked
}

fn stays(settled: &Settled) -> bool {
    let mut chosen = settled.found.chosen.iter();
    chosen.any(|c| matches!(c, Chosen::Region(_)))
}

/// Lets members of one struct stay together, if that is better than what each has found for itself, or has been chosen; else says
/// of those that have found nothing why they cannot.
fn together(inputs: &Inputs<'_>, settled: &mut [Settled], found: &[(usize, Joint)]) -> bool {
    let each: Vec<Candidate> = found.iter().map(|(i, _)| settled[*i].candidate.clone()).collect();
    let members = each.iter().zip(found).map(|(candidate, (_, joint))| Candidate {
        joint: Some(joint.clone()),
        ..candidate.clone()
    });
    let members: Vec<Candidate> = members.collect();
    let given = each.iter().map(|c| inputs.given(c, true)).collect::<Option<Vec<_>>>();
    let given: Option<BTreeSet<Run>> = given.map(|runs| runs.into_iter().flatten().collect());
    let together = match &given {
        Some(given) => search_given_together(inputs, &members, &each, given),
        None => search_together(inputs, &members, &each),
    };
    let cost_before: f64 = found.iter().map(|(i, _)| settled[*i].found.cost).sum();
    let cost: f64 = together.iter().map(|f| f.cost).sum();
    let better = given.map_or(cost < cost_before, |given| !given.is_empty());
    for ((i, _), found) in found.iter().zip(together) {
        match better {
            true => settled[*i].found = found,
            // Why they cannot stay together says more than why none can stay alone.
            false if !stays(&settled[*i]) && !found.refused.is_empty() => settled[*i].found.refused = found.refused,
            false => {}
        }
    }
    better
}

/// Gives up residencies of a member that span kernels of others which are managed by hand, or apart from it.
fn give_up(inputs: &Inputs<'_>, settled: &mut Settled, others: &[&Candidate]) {
    let starts = || others.iter().flat_map(|c| &c.launches).map(|l| inputs.start(*l));
    let spans = |e: &FeasibleResidency| starts().any(|start| e.run.encloses(inputs.model, start));
    settled.found.give_up(spans, &Structs::MemberByHand.into());
}

/// Gives up residencies of single members that overlap with one of several members of the same struct.
pub(super) fn keep_apart(inputs: &Inputs<'_>, settled: &mut [Settled]) {
    let model = inputs.model;
    let regions = |s: &Settled| -> Vec<FeasibleResidency> {
        let all = s.found.chosen.iter().filter_map(|c| match c {
            Chosen::Region(e) => Some((**e).clone()),
            Chosen::Kernel(..) => None,
        });
        all.collect()
    };
    let joint: Vec<(Run, Vec<MemLoc>)> = settled
        .iter()
        .flat_map(regions)
        .filter_map(|e| Some((e.run, e.joint?.pointer)))
        .collect();
    for s in settled {
        let candidate = &s.candidate;
        let clashes = |e: &FeasibleResidency| {
            let names = e.naming.at(e.span.entry).iter().filter_map(|base| {
                let at = NamingPoint::coarse(model, e.span.entry)?.asking(&e.when, inputs.file.options.speculate);
                inputs.item(candidate, &at, *base, &e.extent, false)
            });
            let structs: Vec<_> = names.flat_map(|name| inputs.structs_of(&name)).collect();
            let same = |l: &MemLoc| structs.iter().any(|o| model.points_to.objects_may_alias(*o, l.object));
            e.joint.is_none()
                && joint
                    .iter()
                    .any(|(run, pointers)| super::blocks::overlap(model, *run, e.run) && pointers.iter().any(same))
        };
        s.found.give_up(clashes, &Structs::MembersTogether.into());
    }
}

/// Says of arrays that kernels of called functions map as members, and that only a longer path leads to here, that this is
/// what keeps them off the device.
fn explain(inputs: &Inputs<'_>, settled: &mut [Settled]) {
    for s in settled {
        if s.found.chosen.iter().any(|c| matches!(c, Chosen::Region(_))) {
            continue;
        }
        for call in s.candidate.launches.iter().filter_map(|l| inputs.call(*l)) {
            let ours = call.members.list.iter().filter(|m| inputs.leads_to(m, &s.candidate));
            let mut names = ours.filter_map(|m| inputs.name_of(m));
            if let Some(path) = names.find(|path| !is_one_step(path)) {
                let reason = Calls::AsMember {
                    callee: call.callee.clone(),
                    path: path.to_owned(),
                };
                s.found.refused = vec![Refused {
                    stmt: call.stmt,
                    reason: reason.into(),
                }];
                break;
            }
        }
    }
}
