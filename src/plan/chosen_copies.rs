//! What kernels and calls copy of an array that they use under the name of what was chosen among several.
//!
//! ```c
//! double *src = t % 2 ? b : a, *dst = t % 2 ? a : b;
//! #pragma omp target … map(to: src[0:n]) map(tofrom: dst[0:n])      /* of `a` one copy or two: 1 at least, 1.5 expected */
//! ```
//!
//! Pointers that are chosen by one test are looked at case by case. Of those that have nothing to do with each other each is the
//! array in as many cases as any other one of those that it is chosen among.

use super::cost;
use super::inputs::Inputs;
use super::kernel_starts::copies;
use super::model::Candidate;
use crate::analysis::arrays::object_extent;
use crate::analysis::device_calls::CallUse;
use crate::analysis::device_summary::Existing;
use crate::analysis::movement::mapped::Mapped;
use crate::analysis::payment::{Payment, count};
use crate::analysis::values::table::Base;
use crate::symbolic::Section;

/// What a kernel's item, or a call, does with a family if a pointer is one of its arrays.
pub(super) struct ChosenUse<'i> {
    /// The pointer; `None` where it has no name.
    pub name: Option<Base>,
    /// As which array of the family.
    pub array: Base,
    /// Among how many arrays it is chosen.
    among: usize,
    /// What is mapped of it; `None` where that is not known.
    pub mapped: Option<&'i [Section]>,
    /// How often it is copied: at least.
    copies: i64,
    /// How often it is expected to be copied.
    expected: f64,
    /// What a call surely maps of it.
    exists: &'i [Existing],
}

impl<'i> ChosenUse<'i> {
    fn of_item(item: &'i Mapped, array: Base, section: Option<&'i Section>) -> ChosenUse<'i> {
        ChosenUse {
            name: Some(item.base),
            array,
            among: item.perhaps.len(),
            mapped: section.map(std::slice::from_ref),
            copies: copies(item),
            expected: copies(item) as f64,
            exists: &[],
        }
    }

    fn of_call(used: &'i CallUse, perhaps: &'i CallUse) -> Option<ChosenUse<'i>> {
        // What updates there copy, and for whom, is not told case by case.
        let plain = used.updates.is_none();
        Some(ChosenUse {
            name: used.base,
            array: perhaps.base?,
            among: used.perhaps.len(),
            mapped: perhaps.mapped.as_deref(),
            copies: if plain { count(&used.copies) } else { 0 },
            expected: if plain { used.expected_copies } else { 0.0 },
            // In terms of the pointer, which may lead into the array.
            exists: if used.mapped == perhaps.mapped {
                &used.exists
            } else {
                &[]
            },
        })
    }

    /// How many copies are expected of the array.
    fn share(&self) -> f64 {
        self.expected / self.among.max(1) as f64
    }

    /// The one section that is mapped.
    fn section(&self) -> Option<&'i Section> {
        match self.mapped? {
            [only] => Some(only),
            _ => None,
        }
    }
}

/// What a kernel or call surely does with one section of a family, whatever was chosen.
struct SurelyChosen<'i> {
    section: &'i Section,
    /// How often the section is copied: at least.
    copies: i64,
    /// In each case one of the items is the array.
    mapped: bool,
}

impl Inputs<'_> {
    /// What a kernel or call uses by other names if these are the family's.
    pub(super) fn chosen_uses(&self, candidate: &Candidate, start: usize) -> Vec<ChosenUse<'_>> {
        let ours = |base: &Base| candidate.bases.contains(base);
        if let Some(call) = self.call(start) {
            let others = call.uses.iter().filter(|u| !u.base.is_some_and(|b| ours(&b)));
            // One that is the family in each case is used for sure.
            let chosen = others.filter(|u| !u.perhaps.iter().all(|p| p.base.is_some_and(|b| ours(&b))));
            let each = chosen.flat_map(|u| u.perhaps.iter().filter_map(move |p| ChosenUse::of_call(u, p)));
            return each.filter(|u| ours(&u.array)).collect();
        }
        let others = self.mapped_at(start).iter();
        let others = others.filter(|m| !ours(&m.base) && !m.pointer_itself);
        let each = others.flat_map(|item| {
            let perhaps = item.perhaps.iter();
            perhaps.map(move |(array, section)| ChosenUse::of_item(item, *array, section.as_ref()))
        });
        each.filter(|u| ours(&u.array)).collect()
    }

    /// How many copies a start is expected to make of a family that it uses only if that was chosen.
    pub(super) fn expected_if_chosen(&self, candidate: &Candidate, start: usize) -> f64 {
        let uses = self.chosen_uses(candidate, start);
        uses.iter().map(ChosenUse::share).sum()
    }

    /// [`Inputs::expected_if_chosen`], in elements: of an array of known length never more than all of it.
    pub(super) fn cost_if_chosen(&self, candidate: &Candidate, start: usize) -> f64 {
        let of_use = |u: &ChosenUse<'_>| {
            let elements = |section: &Section| cost::elements(self.model, section);
            let all = object_extent(self.model, u.array, candidate.element);
            let most = all.map_or(f64::INFINITY, |all| elements(&all));
            Some(u.share() * elements(u.mapped?.first()?).min(most))
        };
        let uses = self.chosen_uses(candidate, start);
        uses.iter().filter_map(of_use).sum()
    }

    /// What a start surely copies of a family that it uses only if that was chosen.
    pub(super) fn surely_paid_if_chosen(&self, candidate: &Candidate, start: usize) -> Vec<Payment> {
        let uses = self.chosen_uses(candidate, start);
        let surely = self.whatever_is_chosen(&uses);
        let paid = surely.map(|surely| Payment {
            section: Some(surely.section.clone()),
            copies: surely.copies,
        });
        paid.into_iter().collect()
    }

    /// What a start surely maps of a family that it uses only if that was chosen.
    pub(super) fn surely_mapped_if_chosen(&self, candidate: &Candidate, start: usize) -> Option<Section> {
        let uses = self.chosen_uses(candidate, start);
        let surely = self.whatever_is_chosen(&uses).filter(|surely| surely.mapped)?;
        Some(surely.section.clone())
    }

    /// What a call surely maps, and under which guards, of a family that it uses only if that was chosen.
    pub(super) fn surely_exists_if_chosen(&self, candidate: &Candidate, start: usize) -> Vec<Existing> {
        let uses = self.chosen_uses(candidate, start);
        let surely = self.whatever_is_chosen(&uses).filter(|surely| surely.mapped);
        let Some((surely, first)) = surely.zip(uses.first()) else {
            return Vec::new();
        };
        let of_all = |e: &&Existing| e.section == *surely.section && uses.iter().all(|u| u.exists.contains(e));
        first.exists.iter().filter(of_all).cloned().collect()
    }

    /// What is done in all cases with the section that all uses are of, if that is one.
    fn whatever_is_chosen<'i>(&self, uses: &[ChosenUse<'i>]) -> Option<SurelyChosen<'i>> {
        let section = uses.first()?.section()?;
        let mut names: Vec<Base> = Vec::new();
        for used in uses {
            let name = used.name.filter(|_| used.section() == Some(section))?;
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let cases = self.model.values.cases(&names)?;
        let in_case = |case: &[Base]| -> Vec<&ChosenUse<'_>> {
            let is_array = |used: &&ChosenUse<'_>| {
                let name = names.iter().position(|n| Some(*n) == used.name);
                name.is_some_and(|n| case[n] == used.array)
            };
            uses.iter().filter(is_array).collect()
        };
        let copies = |case: &Vec<Base>| in_case(case).iter().map(|u| u.copies).sum::<i64>();
        Some(SurelyChosen {
            section,
            copies: cases.iter().map(copies).min()?,
            mapped: cases.iter().all(|case| !in_case(case).is_empty()),
        })
    }
}
