//! What a start uses, maps and copies of a candidate's family: under the family's own names, and under those of what was chosen among
//! several arrays ([`super::chosen_copies`]).

use super::inputs::Inputs;
use super::kernel_starts::copies;
use super::model::{Candidate, Refused};
use super::spans::Run;
use crate::analysis::device_calls::DeviceCall;
use crate::analysis::payment::count;
use crate::analysis::values::table::Base;
use crate::reasons::Sizes;
use crate::symbolic::Section;

impl Inputs<'_> {
    /// Whether a kernel uses the family only if that was chosen.
    pub(super) fn is_perhaps(&self, candidate: &Candidate, start: usize) -> bool {
        let own = self.items(candidate, start);
        self.call(start).is_none() && own.is_empty() && !self.chosen_uses(candidate, start).is_empty()
    }

    /// Whether a kernel or call uses the family only if that was chosen.
    pub(super) fn may_be_another(&self, candidate: &Candidate, start: usize) -> bool {
        match self.call(start) {
            Some(_) => self.surely_used_by_call(candidate, start).is_empty(),
            None => self.is_perhaps(candidate, start),
        }
    }

    /// Whether a start is not expected to copy any of the family, which it uses only if that was chosen.
    pub(super) fn copies_nothing(&self, candidate: &Candidate, start: usize) -> bool {
        self.may_be_another(candidate, start) && self.expected_copies_of(candidate, start) == 0.0
    }

    /// Whether a kernel uses the family only if it was chosen, and by one of these names, whichever other ones there may be: a directive of the
    /// family's own around those of the name would make its memory present, and these would copy nothing.
    pub(super) fn uses_as_chosen(&self, candidate: &Candidate, start: usize, names: &[Base]) -> bool {
        let uses = self.chosen_uses(candidate, start);
        let by_name = |base: Option<Base>| base.is_some_and(|b| names.contains(&b));
        self.may_be_another(candidate, start) && (uses.is_empty() || uses.iter().any(|u| by_name(u.name)))
    }

    /// How many times a start copies an extent of the family, as written: at least; less what it copies where the family is
    /// present.
    pub(super) fn copies_of(&self, candidate: &Candidate, start: usize) -> i64 {
        if self.call(start).is_some() {
            let uses = self.used_by_call(candidate, start).into_iter();
            let own: i64 = uses
                .map(|u| u.updates.as_ref().map_or_else(|| count(&u.copies), |u| u.net))
                .sum();
            return own + count(&self.surely_paid_if_chosen(candidate, start));
        }
        match self.items(candidate, start).as_slice() {
            [] if self.is_perhaps(candidate, start) => count(&self.surely_paid_if_chosen(candidate, start)),
            [] => 2,
            items => items.iter().map(|m| copies(m)).sum(),
        }
    }

    /// How many times a start is expected to copy an extent of the family.
    pub(super) fn expected_copies_of(&self, candidate: &Candidate, start: usize) -> f64 {
        if self.call(start).is_some() {
            let uses = self.surely_used_by_call(candidate, start);
            let own: f64 = uses.iter().map(|u| u.expected_copies).sum();
            return own + self.expected_if_chosen(candidate, start);
        }
        if self.is_perhaps(candidate, start) {
            return self.expected_if_chosen(candidate, start);
        }
        self.copies_of(candidate, start) as f64
    }

    /// The sections that the starts in a run map of the family, of which `object` is all, where that is known.
    pub(super) fn sections(
        &self,
        candidate: &Candidate,
        run: Run,
        object: Option<&Section>,
    ) -> Result<Vec<Section>, Refused> {
        let mut all: Vec<Section> = Vec::new();
        for &start in &candidate.launches {
            if run.encloses(self.model, self.start(start)) {
                all.extend(self.sections_of(candidate, start, object)?);
            }
        }
        Ok(all)
    }

    /// The sections that one of them maps, but for what it may map of another array instead ([`Inputs::perhaps_mapped`]).
    pub(super) fn sections_of(
        &self,
        candidate: &Candidate,
        start: usize,
        object: Option<&Section>,
    ) -> Result<Vec<Section>, Refused> {
        let stmt = self.start(start);
        let refuse = |reason: Sizes| Refused {
            stmt,
            reason: reason.into(),
        };
        let mut all: Vec<Section> = self.surely_mapped_if_chosen(candidate, start).into_iter().collect();
        if let Some(call) = self.call(start) {
            for used in self.used_by_call(candidate, start).iter().filter(|u| !u.is_one_of) {
                let mapped = used.mapped.as_ref().ok_or_else(|| refuse(unclear(call)))?;
                all.extend(mapped.iter().cloned());
            }
            return Ok(all);
        }
        let items = self.items(candidate, start);
        for m in &items {
            all.push(match (&m.section, object) {
                (Some(s), _) => s.clone(),
                (None, Some(o)) if m.item.sections.is_empty() => o.clone(),
                _ => {
                    return Err(refuse(Sizes::NotEvaluated));
                }
            });
        }
        if items.is_empty() && !self.is_perhaps(candidate, start) {
            // A kernel that names no section maps all of an array, and may reach all that a pointer points to.
            all.push(object.cloned().ok_or_else(|| refuse(Sizes::Unknown))?);
        }
        Ok(all)
    }

    /// The sections that one of them maps if the family is what was chosen for it. Of an array that is not, so much may not
    /// exist.
    ///
    /// ```c
    /// halve(large ? b : a, n + 4);        /* `a` may have `n` elements */
    /// ```
    pub(super) fn perhaps_mapped(&self, candidate: &Candidate, start: usize) -> Result<Vec<Section>, Refused> {
        if self.surely_mapped_if_chosen(candidate, start).is_some() {
            return Ok(Vec::new());
        }
        let refused = || Refused {
            stmt: self.start(start),
            reason: self.call(start).map_or(Sizes::NotEvaluated, unclear).into(),
        };
        let mut all = Vec::new();
        for used in self.chosen_uses(candidate, start) {
            all.extend(used.mapped.ok_or_else(refused)?.iter().cloned());
        }
        Ok(all)
    }
}

fn unclear(call: &DeviceCall) -> Sizes {
    let callee = call.callee.clone();
    Sizes::NotEvaluatedInCall { callee }
}
