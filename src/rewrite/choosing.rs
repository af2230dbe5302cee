//! A run with some of its decisions: what is left of it is planned again, so that it is right as a whole.
//!
//! ```text
//! run ─► decisions {main/u, main/v, print/u/callers}
//! only {main/v} ─► run without {main/u, print/u/callers} ─► {main/v, step/u}: `step/u` is news, and nobody chose it
//!               ─► run without {main/u, print/u/callers, step/u} ─► {main/v}
//! ```
//!
//! **Invariants.** What is written is a plan of its own, checked like any other, and no piece of a larger one. Nothing is decided that was not
//! chosen: a decision that comes up only because another one was not made is not made either. What was chosen may be missing: it rests on
//! something that was not ([`Choosing::needed`] says on what).

use super::decisions::{RunDecision, keyed, run_decisions};
use super::unit::{Outcome, Rewritten};
use crate::plan::{DecisionKey, DecisionSubject, Unwanted};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How often a run is planned again because something new has come up, before whole functions are left alone.
const MOST_ROUNDS: usize = 6;
/// How many runs are made to find out what a decision rests on.
const MOST_TRIES: usize = 12;

/// What comes of the files of a run without some decisions, by file.
pub type PlanWithout<'p> = &'p dyn Fn(&[Arc<Unwanted>]) -> Rewritten;

/// A run, of which decisions can be chosen, by their places in a list.
pub struct Choosing<'p> {
    plan: PlanWithout<'p>,
    files: usize,
    /// All decisions that the run makes where nobody chooses.
    pub decisions: Vec<RunDecision>,
}

/// Decisions that are made together.
pub struct Offer {
    /// The decisions that come with it, in their order.
    pub decisions: Vec<usize>,
    /// The run with them, and with all that was chosen before.
    pub rewritten: Rewritten,
}

impl<'p> Choosing<'p> {
    /// A run over files with these names, and what comes of it with all of its decisions.
    pub fn of(names: &[&str], plan: PlanWithout<'p>) -> (Choosing<'p>, Rewritten) {
        let all = plan(&[]);
        let choosing = Choosing {
            plan,
            files: names.len(),
            decisions: run_decisions(names, &all.files),
        };
        (choosing, all)
    }

    /// The run with some of its decisions and no others.
    pub fn only(&self, chosen: &BTreeSet<usize>) -> Rewritten {
        let wanted: BTreeSet<(usize, &DecisionKey)> = chosen.iter().map(|at| self.key(*at)).collect();
        let mut unwanted = vec![Unwanted::default(); self.files];
        for (file, key) in (0..self.decisions.len()).map(|at| self.key(at)) {
            if !wanted.contains(&(file, key)) {
                unwanted[file].forbid(key.clone());
            }
        }
        for round in 0..=MOST_ROUNDS {
            let shared: Vec<Arc<Unwanted>> = unwanted.iter().cloned().map(Arc::new).collect();
            let rewritten = (self.plan)(&shared);
            let mut news = false;
            for (file, outcome) in rewritten.files.iter().enumerate() {
                let keys = keyed(outcome).into_iter().map(|(key, _)| key);
                for key in keys.filter(|key| !wanted.contains(&(file, key))) {
                    news = true;
                    forbid(&mut unwanted, file, key, round);
                }
            }
            if !news {
                return rewritten;
            }
        }
        self.nothing()
    }

    /// The decisions that have been made in a run, among all.
    pub fn made(&self, rewritten: &Rewritten) -> BTreeSet<usize> {
        let keys: Vec<BTreeSet<DecisionKey>> = rewritten
            .files
            .iter()
            .map(|outcome| keyed(outcome).into_iter().map(|(key, _)| key).collect())
            .collect();
        let is_made = |at: &usize| keys[self.decisions[*at].file].contains(&self.decisions[*at].key);
        (0..self.decisions.len()).filter(is_made).collect()
    }

    /// One more decision beside `chosen`, with those among `open` that it needs; `None` where it cannot be made with them.
    pub fn offer(&self, chosen: &BTreeSet<usize>, next: usize, open: &BTreeSet<usize>) -> Option<Offer> {
        let mut with = chosen.clone();
        with.insert(next);
        let mut rewritten = self.only(&with);
        let mut made = self.made(&rewritten);
        if !made.contains(&next) {
            with.extend(self.needed(chosen, next, open)?);
            rewritten = self.only(&with);
            made = self.made(&rewritten);
        }
        Some(Offer {
            decisions: made.into_iter().filter(|at| !chosen.contains(at)).collect(),
            rewritten,
        })
    }

    /// Which decisions among `open` have to be made, beside `chosen` ones, for `next` to be made, which is not made with these alone. `None`: it
    /// cannot be made with them.
    pub fn needed(&self, chosen: &BTreeSet<usize>, next: usize, open: &BTreeSet<usize>) -> Option<BTreeSet<usize>> {
        let makes = |more: &BTreeSet<usize>| {
            let mut with: BTreeSet<usize> = chosen.union(more).copied().collect();
            with.insert(next);
            self.made(&self.only(&with)).contains(&next)
        };
        let others = open.iter().copied().filter(|at| *at != next && !chosen.contains(at));
        let mut others: Vec<usize> = others.collect();
        others.sort_by_key(|at| (self.distance(next, *at), *at));
        let related = others.iter().copied().filter(|at| self.distance(next, *at) == 0);
        let related: BTreeSet<usize> = related.collect();
        let all: BTreeSet<usize> = others.iter().copied().collect();
        let mut needed = match related {
            near if !near.is_empty() && makes(&near) => near,
            _ if !all.is_empty() && makes(&all) => all,
            _ => return None,
        };
        // What it can do without is not needed: the most distant first.
        let farthest: Vec<usize> = others.iter().rev().copied().filter(|at| needed.contains(at)).collect();
        for at in farthest.into_iter().take(MOST_TRIES) {
            let mut fewer = needed.clone();
            fewer.remove(&at);
            if makes(&fewer) {
                needed = fewer;
            }
        }
        Some(needed)
    }

    /// How little two decisions have to do with each other: 0 where they are about an array of one name, 1 where they are in one function.
    fn distance(&self, one: usize, other: usize) -> u8 {
        let name = |at: usize| match &self.decisions[at].key.subject {
            DecisionSubject::Array(label) | DecisionSubject::Callers(label) => {
                let label = label.trim_matches('`');
                label.rsplit(['>', '.']).next()
            }
            DecisionSubject::Kernel(_) | DecisionSubject::Directives => None,
        };
        let function = |at: usize| &self.decisions[at].key.function;
        match name(one).is_some() && name(one) == name(other) {
            true => 0,
            false if function(one) == function(other) => 1,
            false => 2,
        }
    }

    fn key(&self, at: usize) -> (usize, &DecisionKey) {
        (self.decisions[at].file, &self.decisions[at].key)
    }

    /// A run that writes nothing: what is left of one that decides again and again what nobody chose.
    fn nothing(&self) -> Rewritten {
        Rewritten {
            files: (0..self.files).map(|_| Ok(Outcome::default())).collect(),
            problems: Vec::new(),
            unknown: Vec::new(),
            notes: vec![
                "nothing is written: no plan has these decisions and no others; choose more of them".to_owned(),
            ],
        }
    }
}

/// Forbids a decision that came up. What comes up although it is forbidden is forbidden by larger means.
fn forbid(unwanted: &mut [Unwanted], file: usize, key: DecisionKey, round: usize) {
    let (function, for_callers) = (key.function.clone(), matches!(key.subject, DecisionSubject::Callers(_)));
    if unwanted[file].forbid(key) && round + 2 < MOST_ROUNDS {
        return;
    }
    unwanted[file].forbid_all_of(function);
    if for_callers {
        unwanted.iter_mut().for_each(|file| file.no_updates = true);
    }
}
