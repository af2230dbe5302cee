//! When the kernels of a residency run on the device, and how its directives say it.
//!
//! ```c
//! #pragma omp target data map(tofrom: x[0:n]) if(n > 0 && use_gpu)
//! {
//!     #pragma omp target teams distribute parallel for if(n > 0 && use_gpu) map(tofrom: x[0:n])
//!     …
//! ```
//!
//! Every directive of a residency has the conditions of all its kernels. Where they hold, all kernels run on the device,
//! map what exists, and pay for the copies. Where they do not, the directives do nothing: what the kernels do is then what
//! they did before, wherever it is. Of this follows:
//!
//! * The conditions have where the residency begins the values that they have at each kernel: they are compared by value
//!   ([`crate::analysis::conditions`]), not by text.
//! * A kernel that may run on the host uses the host's copy there. So the parts that are not idle hold for the whole
//!   residency or not at all, also those that other kernels of it do not have: where one of them is false nothing stays on
//!   the device, and every kernel maps for itself, wherever it runs.
//! * Idle parts are asked for because nobody says that what a kernel maps exists where it does not run.

use super::condition::{When, all_of};
use super::inputs::Inputs;
use super::model::{Candidate, Refused};
use super::names::NamingPoint;
use super::spans::Run;
use super::ways::Ways;
use crate::analysis::conditions::read::{Condition, Conjunct};
use crate::analysis::conditions::reader::ConditionReader;
use crate::analysis::movement::placement::ResidencySpan;
use crate::analysis::movement::problem::NodeEvents;
use crate::analysis::movement::scope::NameScope;
use crate::program::graph::{NodeId, Place};
use crate::program::in_loops::in_loop;
use crate::reasons::{Aliases, Calls};
use crate::symbolic::{Expr, Facts, Section, Sym};
use rustc_hash::FxHashSet;
use std::cell::LazyCell;

/// C that is true only where `e` is positive, in parts of which all must hold.
fn positive(e: &Expr, at: &NamingPoint<'_>) -> Option<Vec<String>> {
    if e.terms().iter().all(|t| t.monomial.degree() <= 1) {
        return Some(vec![at.positive(e)?]);
    }
    // A product is positive where its factors are.
    let [only] = e.terms() else { return None };
    let factors = e.symbols().into_iter().map(|s| at.positive(&Expr::sym(s)));
    factors.collect::<Option<_>>().filter(|_| only.coeff > 0)
}

impl Inputs<'_> {
    /// When all that starts kernels on the candidate in a run does so.
    pub(super) fn when(&self, candidate: &Candidate, run: Run) -> Result<When, Refused> {
        let mut all = When::default();
        for &start in candidate
            .launches
            .iter()
            .filter(|l| run.encloses(self.model, self.start(**l)))
        {
            let own = match self.call(start) {
                // One that is not followed is refused with its events.
                None => self.conditions.get(start).cloned().flatten().unwrap_or_default(),
                Some(_) => {
                    let uses = self.used_by_call(candidate, start).into_iter();
                    let idle = uses.map(|u| u.when.clone()).collect::<Option<Vec<_>>>();
                    let idle = idle.ok_or_else(|| Refused {
                        stmt: self.start(start),
                        reason: Calls::IdleUnknown.into(),
                    })?;
                    When {
                        idle: idle.concat(),
                        ..When::default()
                    }
                }
            };
            all.idle.extend(self.lengths_in_order(candidate, run, start));
            let new: Vec<Conjunct> = own.steady.into_iter().filter(|c| !all.steady.contains(c)).collect();
            all.steady.extend(new);
            all.idle.extend(own.idle);
            all.texts.extend(own.texts);
        }
        self.simplify(&mut all.idle);
        let mut seen: Vec<String> = Vec::new();
        all.texts.retain(|t| {
            !seen.contains(t) && {
                seen.push(t.clone());
                true
            }
        });
        Ok(all)
    }

    /// What is positive where the sections that are mapped have a length. Sizes are taken to be none that are negative where no
    /// kernel runs; but `(int)u` may be a negative number where nothing of the kind was ever a size, unless a kernel is surely
    /// there that maps so much.
    fn lengths_in_order(&self, candidate: &Candidate, run: Run, start: usize) -> Vec<Expr> {
        let sections = self.sections_of(candidate, start, None).unwrap_or_default();
        let lengths = sections.iter().filter_map(Section::len);
        let doubtful: Vec<Expr> = lengths.filter(|e| self.model.values.may_turn_negative(e)).collect();
        if doubtful.is_empty() || self.is_reached(candidate, run, start) {
            return Vec::new();
        }
        doubtful
    }

    /// Whether every way from the beginning of a run on comes by a start and all that it surely maps.
    fn is_reached(&self, candidate: &Candidate, run: Run, start: usize) -> bool {
        let entry = self.model.coarse.gap(Place::Before(run.first));
        let (Some(entry), Some(node)) = (entry, self.start_node(start)) else {
            return false;
        };
        let of_call = || self.used_by_call(candidate, start).iter().all(|u| u.copies_in);
        let maps = self.call(start).is_none() || of_call();
        let (loops, _) = self.loops();
        maps && Ways::new(self, &loops).come_by(entry, &|n| n == node, &FxHashSet::default())
    }

    /// Leaves out what is known, or follows from the rest.
    pub(super) fn simplify(&self, idle: &mut Vec<Expr>) {
        let one = Expr::constant(1);
        // Of those that are one and the same the last stays, as it would below.
        let mut seen: FxHashSet<Expr> = FxHashSet::default();
        let mut last: Vec<Expr> = idle.drain(..).rev().filter(|e| seen.insert(e.clone())).collect();
        last.reverse();
        *idle = last;
        let mut at = 0;
        while at < idle.len() {
            let mut facts = Facts::new();
            for (_, other) in idle.iter().enumerate().filter(|(i, _)| *i != at) {
                facts.assume_le(&one, other);
            }
            match facts.prove_le(&one, &idle[at]) {
                true => {
                    idle.remove(at);
                }
                false => at += 1,
            }
        }
    }

    /// That no kernel that has a condition reaches the family, by whatever name, but those that were asked for theirs.
    pub(super) fn only_asked(
        &self,
        candidate: &Candidate,
        span: &ResidencySpan,
        events: &NodeEvents,
    ) -> Result<(), Refused> {
        for (launch, l) in self.model.constructs.launches.iter().enumerate() {
            let Some(node) = self.start_node(launch).filter(|n| span.nodes.contains(n)) else {
                continue;
            };
            let says = self.conditions[launch].as_ref().is_none_or(|c| !c.is_empty());
            if says && !candidate.launches.contains(&launch) && !events.at(node).is_empty() {
                return Err(Refused {
                    stmt: l.stmt,
                    reason: Aliases::OtherCondition.into(),
                });
            }
        }
        Ok(())
    }

    /// Reads conditions of the function.
    pub(super) fn reader(&self) -> ConditionReader<'_> {
        ConditionReader {
            model: self.model,
            macros: &self.file.macros,
        }
    }

    fn read(&self, text: &str, at: &NamingPoint<'_>) -> Option<Condition> {
        let scope = NameScope::gap(self.model, &self.file.macros, at.gap, at.stmt);
        self.reader().read(text, &scope)
    }

    /// A condition as C at a gap: as the user wrote it where that means the same, else printed.
    pub(super) fn said(&self, when: &When, at: &NamingPoint<'_>) -> Option<String> {
        let (mut idle, mut steady) = when.strongest();
        let mut parts: Vec<String> = Vec::new();
        for text in &when.texts {
            let Some(read) = self.read(text, at) else { continue };
            let divides = |c: &Conjunct| !text.contains(['/', '%']) || c.said().is_some_and(|e| at.may_divide(e));
            if !at.may_say(text) || !read.conjuncts.iter().all(divides) {
                continue;
            }
            let says = |c: &Conjunct, list: &[Expr]| c.said().is_some_and(|e| list.contains(e));
            let asked = |c: &Conjunct| c.always() || when.steady.contains(c) || says(c, &when.idle);
            let still = |c: &Conjunct| steady.contains(c) || says(c, &idle);
            if !read.conjuncts.iter().all(asked) || !read.conjuncts.iter().any(still) {
                continue;
            }
            steady.retain(|c| !read.conjuncts.contains(c));
            idle.retain(|e| !read.conjuncts.iter().any(|c| c.said() == Some(e)));
            parts.push(text.clone());
        }
        if !steady.is_empty() {
            return None;
        }
        for e in &idle {
            parts.extend(positive(e, at)?);
        }
        Some(all_of(&parts))
    }

    /// The part of a condition that is left to ask at a gap, in loops that run only where the rest holds.
    pub(super) fn left_to_ask(&self, when: &When, gap: NodeId) -> When {
        let model = self.model;
        let mut facts = Facts::new();
        if let Some(stmt) = model.coarse.stmt_of(gap) {
            let kind = model.coarse.node(gap).kind;
            let around = model.loops.around(model.tree, stmt);
            around
                .filter(|l| in_loop(model.tree, kind, l.stmt))
                .for_each(|l| l.know_index(true, &mut facts));
        }
        let one = Expr::constant(1);
        let mut left = when.clone();
        left.idle.retain(|e| !facts.prove_le(&one, e));
        left
    }

    /// The part of it that holds for good once the residency has begun: in a loop around it the next iteration may bring
    /// other values, under the same names.
    pub(super) fn lasting(&self, when: &When, span: &ResidencySpan) -> When {
        let model = self.model;
        let after = LazyCell::new(|| model.coarse.reached_from(&[span.entry]));
        let again = |s: Sym| {
            let node = model.coarse_of(model.values.defined_at(s));
            node.is_none_or(|n| n == span.entry || model.coarse.may_follow(span.entry, n) && after.contains(&n))
        };
        let idle = when.idle.iter().filter(|e| !e.symbols().into_iter().any(again));
        When {
            idle: idle.cloned().collect(),
            ..When::default()
        }
    }

    /// Whether it can be said at a gap of the coarse graph.
    pub(super) fn can_say(&self, when: &When, gap: NodeId) -> bool {
        when.is_empty() || NamingPoint::coarse(self.model, gap).is_some_and(|at| self.said(when, &at).is_some())
    }

    /// Whether it is said in the same words where a residency begins and where it ends.
    pub(super) fn says_the_same(&self, when: &When, span: &ResidencySpan) -> bool {
        let said = |gap: &NodeId| self.said(when, &NamingPoint::coarse(self.model, *gap)?);
        when.is_empty() || span.exits.iter().all(|gap| said(gap) == said(&span.entry))
    }

    /// Whether a condition that is written at a gap is a part of it.
    pub(super) fn is_said(&self, when: &When, condition: &str, gap: NodeId) -> bool {
        let read = || self.read(condition, &NamingPoint::coarse(self.model, gap)?);
        !when.steady.is_empty() && read().is_some_and(|c| c.conjuncts.iter().all(|c| when.steady.contains(c)))
    }
}
