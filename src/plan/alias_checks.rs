//! Run-time conditions: arrays that only the user's maps keep apart are checked where a residency begins (R8).

use super::condition::When;
use super::inputs::Inputs;
use super::model::{Candidate, Refused};
use super::names::NamingPoint;
use super::spans::Run;
use crate::analysis::arrays::{element_of, may_overlap};
use crate::analysis::conditions::apart::Apart;
use crate::analysis::device_calls::CallUse;
use crate::analysis::movement::family::Naming;
use crate::analysis::movement::placement::ResidencySpan;
use crate::analysis::movement::promised::{how_to_promise, promised_apart};
use crate::analysis::values::table::Base;
use crate::program::graph::NodeId;
use crate::reasons::Aliases;
use crate::symbolic::Section;

/// A residency of which arrays are asked whether they overlap.
pub(super) struct OverlapQuery<'a> {
    pub candidate: &'a Candidate,
    pub run: Run,
    pub span: &'a ResidencySpan,
    pub naming: &'a Naming,
    /// What is mapped of each cell.
    pub extent: &'a Section,
    /// Pairs that have to lie apart, besides what the family itself needs.
    pub apart: &'a [(Base, Base)],
    /// When the residency's directives take effect.
    pub when: &'a When,
}

impl Inputs<'_> {
    /// Arrays that only the user's maps keep apart are checked at run time (R8): each condition says in C that two of
    /// them do not overlap, at the entry of the residency and, unchanged, at its ends.
    pub(super) fn conditions(&self, asked: &OverlapQuery<'_>) -> Result<(Vec<String>, bool), Refused> {
        let OverlapQuery {
            candidate,
            run,
            span,
            naming,
            extent,
            apart,
            when,
        } = *asked;
        let model = self.model;
        let names = naming.at(span.entry);
        let mut pairs: Vec<(Base, Base)> = Vec::new();
        for (i, a) in names.iter().enumerate() {
            for b in &names[i + 1..] {
                if may_overlap(model, *a, *b) {
                    pairs.push((*a, *b));
                }
            }
        }
        for (name, other) in apart {
            // Ping-pong buffers are checked under the names that they have at the entry.
            let own = if names.contains(name) {
                vec![*name]
            } else {
                names.to_vec()
            };
            if !names.contains(other) {
                pairs.extend(own.into_iter().map(|n| (n, *other)));
            }
        }
        for pair in &mut pairs {
            *pair = (pair.0.min(pair.1), pair.0.max(pair.1));
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs.retain(|(a, b)| !promised_apart(model, *a, *b));
        let mut facts = self.facts(extent, Some(run));
        when.assume(&mut facts);
        let used = |base: Base| match names.contains(&base) {
            true => Some(vec![extent.clone()]),
            false => self.mapped_around(run, base),
        };
        // Where the kernels' own conditions say it, so do those of the residency.
        pairs.retain(|(a, b)| {
            let said = || {
                let (of_a, of_b) = (used(*a)?, used(*b)?);
                let holds = |known: &Apart| known.holds((*a, &of_a), (*b, &of_b), &facts);
                when.steady.iter().find(|c| c.apart.as_ref().is_some_and(holds))
            };
            said().is_none()
        });
        let mut conditions = Vec::new();
        let mut repeatable = true;
        for (a, b) in pairs {
            let section = |base: Base| {
                if names.contains(&base) {
                    return Some(extent.clone());
                }
                let all = self.mapped_around(run, base)?;
                let first = all.first()?;
                all.iter().all(|s| s == first).then(|| first.clone())
            };
            let text = |gap: &NodeId| {
                let at = NamingPoint::coarse(model, *gap)?;
                at.disjoint(a, &section(a)?, b, &section(b)?)
            };
            match text(&span.entry) {
                Some(c) => {
                    repeatable &= span.exits.iter().all(|g| text(g).as_ref() == Some(&c));
                    conditions.push(c);
                }
                None => {
                    return Err(Refused {
                        stmt: run.first,
                        reason: Aliases::NotChecked {
                            label: candidate.label.clone(),
                            promise: how_to_promise(model, [(a, b)]),
                        }
                        .into(),
                    });
                }
            }
        }
        Ok((conditions, repeatable))
    }

    /// What the function's kernels map of an array, and those of functions called in a run; `None` where that is not known.
    fn mapped_around(&self, run: Run, base: Base) -> Option<Vec<Section>> {
        let element = element_of(self.model, base);
        let items = self.mapped.iter().flatten();
        let own = items.clone().filter(|m| m.base == base).map(|m| &m.section);
        let perhaps = items
            .flat_map(|m| &m.perhaps)
            .filter(|(b, _)| *b == base)
            .map(|(_, s)| s);
        let mut all: Vec<Section> = own.chain(perhaps).cloned().collect::<Option<_>>()?;
        let called = self.calls.iter().filter(|c| run.encloses(self.model, c.stmt));
        let uses = called.flat_map(|c| &c.uses).flat_map(CallUse::each);
        for used in uses.filter(|u| u.base.is_none_or(|b| b == base)) {
            all.extend(by_call(used, element)?.iter().cloned());
        }
        Some(all)
    }
}

/// What a call maps of an array, in elements of so many bytes; `None` where that, or the array, has no name here.
fn by_call(used: &CallUse, element: Option<u64>) -> Option<&[Section]> {
    used.base?;
    used.mapped.as_deref().filter(|_| Some(used.element) == element)
}
