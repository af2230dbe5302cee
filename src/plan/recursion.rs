//! Device summaries of functions that call themselves or each other.
//!
//! ```c
//! void down(double *v, int n, int d) { … kernel maps v[0:n] … if (d > 0) up(v, n, d - 1); }
//! void up(double *v, int n, int d)   { if (d > 0) down(v, n, d - 1); … kernel maps v[0:n] … }
//! ```
//!
//! What `down` does is what its own kernels do and what `up` does, and the other way round. So summaries are guessed and
//! made from the guess until they come out as they went in:
//!
//! 1. The first guess says nothing; what a guess does not mention is taken to be left alone ([`DeviceSummary::guess`]).
//!    Each round adds what the calls do as far as the round before has found it. Here it settles in the second round:
//!    both may write all of `v[0:n]`, because the calls hand on `v` and `n` as they are.
//! 2. Once it has settled, the same summaries are made again as those of any callee: what they do not mention counts with
//!    its effects on the host. They must come out the same.
//!
//! **Why that is right.** A summary that follows from itself holds: a call that returns has been made to some finite depth;
//! of a call that makes no other it holds, and of one to depth `k + 1` because it holds to depth `k`. That argument needs
//! claims of the kind "nothing but". What is *surely* written or copied is counted only in the functions' own kernels: of
//! calls in the circle nothing is sure but what was sure without them. What is *expected* grows with each round, as if the
//! calls went that deep.
//!
//! Updates that the functions are given for their callers ([`super::coherent`]) are right for the same reason: a
//! balance of copies that follows from itself holds for calls of any depth.
//!
//! An array of which a call below maps another section than a call above (`sort(v, n / 2)`) never settles. After some
//! rounds it is given up: it is opaque, like one that is also used on the host; one that no kernel uses is told as such, and
//! gets no updates. So is one whose updates cannot be told of once calls in the circle bring them too.

use super::program_facts::ProgramFacts;
use crate::analysis::callee_term::CalleeTerm;
use crate::analysis::device_summary::{DeviceSummary, DeviceUse, OpaqueArray};
use crate::program::ir::FuncId;
use crate::reasons::Calls;
use crate::symbolic::{Facts, Section, SectionSet};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The largest circle that is looked at.
const MAX_FUNCTIONS: usize = 12;
/// Rounds, beside one for each function, after which what still changes is given up.
const PATIENCE: usize = 4;
/// How often something is given up.
const MAX_GIVEN_UP: usize = 4;

/// Makes the summary of a function from those that the program has.
type Make<'m> = dyn Fn(&ProgramFacts<'_>, FuncId) -> Option<DeviceSummary> + 'm;

/// Summarises the functions of a circle for the program; leaves them out where one has no summary.
pub(super) fn summarise(circle: &[FuncId], program: &mut ProgramFacts<'_>, make: &Make<'_>) {
    if circle.len() > MAX_FUNCTIONS {
        return;
    }
    let mut attempt = Attempt {
        circle,
        make,
        given_up: Vec::new(),
        made: FxHashMap::default(),
    };
    for func in circle {
        let nothing = DeviceSummary {
            guess: true,
            host: Some(Arc::default()),
            ..DeviceSummary::default()
        };
        program.summaries.insert(*func, Arc::new(nothing));
    }
    let settled = attempt.settle(program);
    for func in circle {
        match attempt.made.remove(func).filter(|_| settled.is_some()) {
            Some(summary) => program.summaries.insert(*func, Arc::new(summary)),
            None => program.summaries.remove(func),
        };
    }
}

struct Attempt<'a> {
    circle: &'a [FuncId],
    make: &'a Make<'a>,
    /// Arrays whose sections differ from call to call.
    given_up: Vec<(FuncId, CalleeTerm)>,
    /// What was made in the last round.
    made: FxHashMap<FuncId, DeviceSummary>,
}

impl Attempt<'_> {
    /// Makes summaries until they follow from themselves; `None` where they do not, or a function has none.
    fn settle(&mut self, program: &mut ProgramFacts<'_>) -> Option<()> {
        self.rounds(program, true)?;
        self.rounds(program, false)
    }

    /// Rounds of one kind until nothing changes. After the last, the program holds what `made` was made from.
    fn rounds(&mut self, program: &mut ProgramFacts<'_>, guess: bool) -> Option<()> {
        for func in self.circle {
            let mut summary = DeviceSummary::clone(program.summaries.get(func)?);
            summary.guess = guess;
            program.summaries.insert(*func, Arc::new(summary));
        }
        for _ in 0..=MAX_GIVEN_UP {
            let mut changed = Vec::new();
            for _ in 0..self.circle.len() + PATIENCE {
                changed = self.round(program, guess)?;
                if changed.is_empty() {
                    return Some(());
                }
            }
            let arrays: Vec<_> = changed.into_iter().filter_map(|(f, root)| Some((f, root?))).collect();
            if arrays.is_empty() {
                return None;
            }
            // Without updates it is what the host uses, where no kernel does.
            let (host, kernels): (Vec<_>, Vec<_>) = arrays.into_iter().partition(|array| self.is_of_host(array));
            program.without_updates.extend(host);
            self.given_up.extend(kernels);
        }
        None
    }

    /// Whether no kernel uses an array, as far as is known, which has but updates.
    fn is_of_host(&self, (func, root): &(FuncId, CalleeTerm)) -> bool {
        let uses = self.made.get(func).into_iter().flat_map(|s| &s.uses);
        let mut ours = uses.filter(|u| u.root == *root);
        ours.any(|u| u.updates.as_ref().is_some_and(|u| u.host_only))
    }

    /// Makes all summaries anew from the last ones. What changed: the array, or something else.
    fn round(&mut self, program: &mut ProgramFacts<'_>, guess: bool) -> Option<Vec<(FuncId, Option<CalleeTerm>)>> {
        let mut next = FxHashMap::default();
        let mut changed = Vec::new();
        for &func in self.circle {
            let mut summary = (self.make)(program, func)?;
            let left = self.left_to_host(func, &mut summary);
            program.without_updates.extend(left);
            self.give_up(func, &mut summary);
            summary.opaque = distinct(summary.opaque);
            for used in &mut summary.uses {
                used.mapped = few(std::mem::take(&mut used.mapped));
            }
            let claim = without_what_is_sure(&summary, guess);
            changed.extend(
                differences(&claim, program.summaries.get(&func)?)
                    .into_iter()
                    .map(|d| (func, d)),
            );
            next.insert(func, Arc::new(claim));
            self.made.insert(func, summary);
        }
        program.summaries.extend(next);
        Some(changed)
    }

    /// Takes out arrays that no kernel uses and that had updates in the last round, of which nothing can be told now that calls in
    /// the circle bring such updates too: in the next round they are what the host uses.
    fn left_to_host(&self, func: FuncId, summary: &mut DeviceSummary) -> Vec<(FuncId, CalleeTerm)> {
        let of_host = |o: &mut OpaqueArray| o.root.clone().is_some_and(|root| self.is_of_host(&(func, root)));
        let left = summary.opaque.extract_if(.., of_host);
        left.filter_map(|o| Some((func, o.root?))).collect()
    }

    fn give_up(&self, func: FuncId, summary: &mut DeviceSummary) {
        let is_lost = |u: &DeviceUse| self.given_up.iter().any(|(f, root)| *f == func && *root == u.root);
        for used in summary.uses.extract_if(.., |u| is_lost(u)) {
            let reason = match used.updates {
                // How much they would copy grows with each round.
                Some(_) => Calls::Grows,
                None => Calls::Recursive,
            };
            summary.opaque.push(OpaqueArray {
                root: Some(used.root),
                locs: used.locs,
                reason: reason.into(),
                by_hand: false,
            });
        }
    }
}

/// The summary as calls within the circle see it.
fn without_what_is_sure(summary: &DeviceSummary, guess: bool) -> DeviceSummary {
    let mut claim = summary.clone();
    claim.guess = guess;
    if let Some(host) = &mut claim.host {
        // Which part of an array it is may grow with each call.
        let host = Arc::make_mut(host);
        for used in &mut host.uses {
            used.must.clear();
            used.surely_read.clear();
            for set in [&mut used.reads, &mut used.writes] {
                if *set != SectionSet::Empty {
                    *set = SectionSet::All;
                }
            }
        }
        host.terms.clear();
    }
    for used in &mut claim.uses {
        used.must.clear();
        used.exists.clear();
        used.copies.clear();
    }
    for member in &mut claim.members.list {
        member.surely = false;
    }
    claim
}

/// What two summaries of one function differ in: arrays, or `None` for something else.
fn differences(a: &DeviceSummary, b: &DeviceSummary) -> Vec<Option<CalleeTerm>> {
    let mut found = Vec::new();
    let copied = |u: &DeviceUse| {
        let updates = u.updates.clone();
        updates.map(|u| (u.sections, u.fetched, u.net, u.host_only, u.own))
    };
    let same = |x: &DeviceUse, y: &DeviceUse| {
        (&x.root, x.element, &x.locs, &x.needs, &x.may, &x.mapped, &x.exists)
            == (&y.root, y.element, &y.locs, &y.needs, &y.may, &y.mapped, &y.exists)
            && (x.copies_in, x.by_global) == (y.copies_in, y.by_global)
            && x.when == y.when
            && x.apart == y.apart
            && copied(x) == copied(y)
    };
    for (of, other) in [(a, b), (b, a)] {
        let missing = of.uses.iter().filter(|u| !other.uses.iter().any(|v| same(u, v)));
        found.extend(missing.map(|u| Some(u.root.clone())));
    }
    let opaque = |s: &DeviceSummary| {
        let list = s.opaque.iter();
        list.map(|o| (o.root.clone(), o.locs.clone())).collect::<Vec<_>>()
    };
    // Sections name terms by their numbers.
    let rest = |s: &DeviceSummary| (s.touched.clone(), s.maps_members, s.members.clone(), s.host.clone());
    if a.terms != b.terms || opaque(a) != opaque(b) || rest(a) != rest(b) {
        found.push(None);
    }
    found.dedup();
    found
}

/// Each opaque array once, with the reason that was found first, in an order that does not depend on whose calls told it.
fn distinct(list: Vec<OpaqueArray>) -> Vec<OpaqueArray> {
    let mut kept: Vec<OpaqueArray> = Vec::new();
    for opaque in list {
        if !kept.iter().any(|k| k.root == opaque.root && k.locs == opaque.locs) {
            kept.push(opaque);
        }
    }
    kept.sort_by(|a, b| (&a.root, &a.locs).cmp(&(&b.root, &b.locs)));
    kept
}

/// Sections without repetition. Of those that one holds, one is kept: to say that not all of them are the same.
fn few(list: Vec<Section>) -> Vec<Section> {
    let facts = Facts::new();
    let mut kept: Vec<Section> = Vec::new();
    let mut smaller: Option<Section> = None;
    for section in list {
        if kept.contains(&section) || smaller.as_ref() == Some(&section) {
            continue;
        }
        if kept.iter().any(|k| k.provably_covers(&section, &facts)) {
            smaller.get_or_insert(section);
        } else {
            kept.push(section);
        }
    }
    kept.extend(smaller);
    kept
}
