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
use super::model::{Candidate, Chosen, Evaluated, Joint, Refused, Settled};
use super::names::At;
use super::search::search_together;
use super::spans::{Run, span_of};
use super::struct_members::{is_one_step, joint, roots};
use crate::program::objects::MemLoc;
use crate::syntax::StmtId;
use std::rc::Rc;

/// Residencies over one run, with the indices of the members.
type Together = Vec<(usize, Evaluated)>;

/// Lets members of one struct stay on the device together where that is better than what each has found for itself. Those
/// in `left` are managed by hand.
pub(super) fn settle(inputs: &Inputs<'_>, settled: &mut [Settled], left: &[Candidate]) {
    explain(inputs, settled);
    for root in roots(inputs) {
        let found: Vec<(usize, Joint)> = (0..settled.len())
            .filter_map(|i| Some((i, joint(inputs, &settled[i].candidate, &root)?)))
            .collect();
        // What kernels map no more of than one member is mapped like any other array.
        let members = || inputs.calls.iter().flat_map(|c| &c.members.list);
        let in_calls = |i: usize| members().any(|m| inputs.leads_to(m, &settled[i].candidate));
        if found
            .iter()
            .all(|(i, joint)| inputs.alone(&joint.path) && !in_calls(*i))
        {
            continue;
        }
        let each: Vec<Candidate> = found.iter().map(|(i, _)| settled[*i].candidate.clone()).collect();
        let members = each.iter().zip(&found).map(|(candidate, (_, joint))| Candidate {
            joint: Some(joint.clone()),
            ..candidate.clone()
        });
        let together = search_together(inputs, &members.collect::<Vec<_>>(), &each);
        let before: f64 = found.iter().map(|(i, _)| settled[*i].found.cost).sum();
        let after: f64 = together.iter().map(|f| f.cost).sum();
        let stays = |s: &Settled| s.found.chosen.iter().any(|c| matches!(c, Chosen::Region(_)));
        for ((i, _), found) in found.iter().zip(together) {
            match after < before {
                true => settled[*i].found = found,
                // Why they cannot stay together says more than why none can stay alone.
                false if !stays(&settled[*i]) && !found.refused.is_empty() => settled[*i].found.refused = found.refused,
                false => {}
            }
        }
        // A run before this one would have decided about all of them together.
        let by_hand: Vec<&Candidate> = left.iter().filter(|c| joint(inputs, c, &root).is_some()).collect();
        for (i, _) in &found {
            give_up(inputs, &mut settled[*i], &by_hand);
        }
    }
}

/// Gives up residencies of a member that span kernels of others which are managed by hand.
fn give_up(inputs: &Inputs<'_>, settled: &mut Settled, others: &[&Candidate]) {
    let starts = || others.iter().flat_map(|c| &c.launches).map(|l| inputs.start(*l));
    let spans = |e: &Evaluated| starts().any(|start| e.run.encloses(inputs.model, start));
    settled
        .found
        .give_up(spans, "another member of its struct is managed by hand here");
}

/// Gives up residencies of single members that overlap with one of several members of the same struct.
pub(super) fn keep_apart(inputs: &Inputs<'_>, settled: &mut [Settled]) {
    let model = inputs.model;
    let regions = |s: &Settled| -> Vec<Evaluated> {
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
        let clashes = |e: &Evaluated| {
            let names = e.naming.at(e.span.entry).iter().filter_map(|base| {
                let at = At::coarse(model, e.span.entry)?.asking(&e.when, inputs.file.options.speculate);
                inputs.item(candidate, &at, *base, &e.extent, false)
            });
            let structs: Vec<_> = names.flat_map(|name| inputs.structs_of(&name)).collect();
            let same = |l: &MemLoc| structs.iter().any(|o| model.points_to.objects_may_alias(*o, l.object));
            e.joint.is_none()
                && joint
                    .iter()
                    .any(|(run, pointers)| super::blocks::overlap(model, *run, e.run) && pointers.iter().any(same))
        };
        s.found
            .give_up(clashes, "other members of its struct stay on the device together here");
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
                let message = format!(
                    "kernels of `{}`, called here, map it as a member of a struct that only `{path}` leads to here, and members \
                     at the end of a longer path are not mapped together",
                    call.callee
                );
                s.found.refused = vec![Refused {
                    stmt: call.stmt,
                    message,
                }];
                break;
            }
        }
    }
}

impl Inputs<'_> {
    /// Whether kernels in a run map an array as the member that it is, and not by other names alone; of those that are called, the
    /// callees know.
    pub(super) fn is_member_in(&self, candidate: &Candidate, run: Run) -> bool {
        let Some(joint) = &candidate.joint else { return false };
        let inside = candidate.launches.iter().copied();
        let mut inside = inside.filter(|l| run.encloses(self.model, self.start(*l)));
        inside.any(|l| {
            let items = self.items(candidate, l);
            self.call(l).is_some() || items.iter().any(|m| m.item.path.to_string() == joint.path)
        })
    }

    /// Tries a residency over `run` of all members that kernels there map; with their indices. What is refused is so because
    /// of one of them, or of the struct.
    pub(super) fn evaluate_together(
        &self,
        members: &[Candidate],
        run: Run,
    ) -> Result<Together, (Option<usize>, Refused)> {
        let inside = members.iter().cloned().enumerate();
        let mut inside: Vec<(usize, Candidate)> = inside.filter(|(_, c)| self.is_member_in(c, run)).collect();
        let refuse = |(stmt, message): (StmtId, String)| (None, Refused { stmt, message });
        let span = span_of(self.model, run).map_err(refuse)?.span;
        let of_struct = Rc::new(self.only_these(&inside, run, &span).map_err(refuse)?);
        for joint in inside.iter_mut().filter_map(|(_, c)| c.joint.as_mut()) {
            joint.of_struct = Rc::clone(&of_struct);
        }
        let mut found = Vec::new();
        for (i, candidate) in &inside {
            found.push((
                *i,
                self.evaluate(candidate, run).map_err(|refused| (Some(*i), refused))?,
            ));
        }
        // One directive has one condition.
        let mut conditions: Vec<String> = found.iter().flat_map(|(_, e)| e.conditions.clone()).collect();
        conditions.sort();
        conditions.dedup();
        let repeatable = found.iter().all(|(_, e)| e.repeatable);
        let block = found.iter().all(|(_, e)| e.block);
        if found.iter().any(|(_, e)| e.when != found[0].1.when) {
            let message = "the kernels on members of its struct run under different conditions";
            return Err(refuse((run.first, message.into())));
        }
        for (_, e) in &mut found {
            e.conditions.clone_from(&conditions);
            (e.repeatable, e.block) = (repeatable, block);
        }
        Ok(found)
    }
}
