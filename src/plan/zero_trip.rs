//! Residencies over loops that may not run, where nothing may be copied for loops that do not: they ask whether they do.
//!
//! ```c
//! #pragma omp target data map(tofrom: x[0:n]) if(steps > 0)
//! for (int t = 0; t < steps; t++) {
//!     #pragma omp target teams distribute parallel for map(tofrom: x[0:n])
//!     …
//! ```
//!
//! Without the condition the copies would have to stay in the loop: for `steps == 0` there may be no `n` elements in `x`, and
//! no kernel that would copy them. With it the residency has one idle part more ([`super::region_condition`]): where it is false, no
//! kernel in the loop runs, the directives do nothing, and kernels before and after the loop map what they use. Where it is
//! true, the loop has an iteration. That is all that loops of a known number of iterations have, too.
//!
//! Residencies without and with the condition are tried, and the condition is asked where that makes a residency
//! possible or cheaper. Whoever speculates takes every loop with a kernel in it to run, as far as that costs nothing
//! but bytes, and asks where an array may not exist otherwise ([`super::map_existence`]). What kernels write in full
//! still has to be copied in there, because all of it is copied out at the end, and where the loop does not run that
//! would be garbage. Asking saves this one copy, and is worth it where it is one clause more and changes nothing else:
//! no updates, which would all have to ask too, and no calls of functions that count on the array.
//!
//! **Sections that move with a loop.** Of `map(to: f[t:1])` in such a loop a residency maps `f[0:steps]`: the loop runs, each
//! iteration comes by the kernel, and no other way out leaves some to be missed, so all of it exists.
//!
//! **Kernels made here.** What kernels map when `annotate` wrote them nobody else chose: each maps what it uses itself. A
//! residency may then copy the hull of these sections, as if every kernel mapped all of it: bytes at the edges more, copies
//! less. All of the hull exists only where all kernels run; so it is asked whether every way through the residency comes by
//! each of them.

use super::condition::When;
use super::inputs::Inputs;
use super::model::{Candidate, FeasibleResidency, Refused};
use super::names::NamingPoint;
use super::spans::{Run, span_of};
use crate::reasons::{Copying, Reason, Sizes};

impl Inputs<'_> {
    /// Tries a residency of `candidate` over `run`.
    pub fn evaluate(&self, candidate: &Candidate, run: Run) -> Result<FeasibleResidency, Refused> {
        if !candidate.closed.is_empty() && !candidate.unread {
            // What this tool has written in a run before this one counts as closed now, and may have read less: what would not
            // have been found then is not found now.
            let unread = Candidate {
                unread: true,
                ..candidate.clone()
            };
            self.evaluate(&unread, run)?;
        }
        let when = self.when(candidate, run)?;
        if let Some(given) = self.given_over(candidate, run) {
            let asked = self.with_loops(candidate, run, &when).filter(|_| given.asks_loops);
            return self.evaluate_when(candidate, run, asked.unwrap_or(when));
        }
        let speculates = self.file.options.speculate;
        let entered = self.with_loops(candidate, run, &when);
        let plain = self.evaluate_when(candidate, run, when);
        let asks: [Reason; 2] = [Copying::MayNotExist.into(), Sizes::PresentInPart.into()];
        let must_ask = matches!(&plain, Err(refused) if asks.contains(&refused.reason));
        let entered = match &plain {
            Ok(plain) if speculates && !self.saves_by_asking(candidate, plain) => None,
            Err(_) if speculates && !must_ask => None,
            _ => entered,
        };
        let asking = entered.and_then(|when| self.evaluate_when(candidate, run, when).ok());
        let asking = asking.filter(|a| !speculates || must_ask || a.placement.copies.is_empty());
        match asking {
            Some(asking) if plain.as_ref().map_or(true, |p| asking.cost < p.cost) => Ok(asking),
            _ => plain,
        }
    }

    /// Whether a residency that takes its loops to run may be cheaper if it asks: it copies in, at its beginning only.
    fn saves_by_asking(&self, candidate: &Candidate, plain: &FeasibleResidency) -> bool {
        plain.placement.copies.is_empty()
            && plain.placement.entry.iter().any(|b| b.copies)
            && self.copies_beside_loops(candidate, plain.run) == 0.0
    }

    /// Copies that kernels of a run are expected to make for themselves where its loops do not run: those that stand in none.
    fn copies_beside_loops(&self, candidate: &Candidate, run: Run) -> f64 {
        let inside = candidate
            .launches
            .iter()
            .filter(|l| run.encloses(self.model, self.start(**l)));
        let beside = inside.filter(|l| {
            let around = self.model.tree.ancestors(self.start(**l)).skip(1);
            let mut loops = around.take_while(|s| run.encloses(self.model, *s));
            !loops.any(|s| self.trips_less_one(s).is_some())
        });
        beside.map(|l| self.expected_copies_of(candidate, *l)).sum()
    }

    /// A residency that asks what another one over its run does, if it costs and copies no more: then both are one directive.
    /// Where the loops do not run, the kernels beside them copy no more for themselves than it does at its ends.
    pub(super) fn asking_too(
        &self,
        candidate: &Candidate,
        e: &FeasibleResidency,
        other: &When,
    ) -> Option<FeasibleResidency> {
        let asked = self.with_loops(candidate, e.run, &e.when)?;
        let exits = e.placement.exits.first().map_or(&[][..], |(_, cells)| cells.as_slice());
        let ends = e.placement.entry.iter().chain(exits).filter(|b| b.copies).count();
        let loses = self.copies_beside_loops(candidate, e.run) > ends as f64;
        if !e.when.is_empty() || loses || !asked.holds(other) || !other.holds(&asked) {
            return None;
        }
        let asking = self.evaluate_when(candidate, e.run, asked).ok()?;
        (asking.cost <= e.cost && asking.placement.copies == e.placement.copies).then_some(asking)
    }

    /// What `when` asks, and that the loops around kernels run; `None` where there is nothing more to ask.
    fn with_loops(&self, candidate: &Candidate, run: Run, when: &When) -> Option<When> {
        let at = NamingPoint::coarse(self.model, span_of(self.model, run).ok()?.span.entry)?;
        let mut more = when.clone();
        let starts = candidate.launches.iter().map(|l| self.start(*l));
        for start in starts.filter(|s| run.encloses(self.model, *s)) {
            let around = self.model.tree.ancestors(start).skip(1);
            for stmt in around.take_while(|s| run.encloses(self.model, *s)) {
                let Some(one_more) = self.trips_less_one(stmt).and_then(|e| e.offset(1)) else {
                    continue;
                };
                let asked = When {
                    idle: vec![one_more.clone()],
                    ..When::default()
                };
                let constant = one_more.as_constant().is_some();
                if !constant && !more.idle.contains(&one_more) && self.said(&asked, &at).is_some() {
                    more.idle.push(one_more);
                }
            }
        }
        self.simplify(&mut more.idle);
        (more.idle.iter().any(|e| !when.idle.contains(e))).then_some(more)
    }
}
