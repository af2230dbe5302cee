//! How an array is spelled in a list item: as the user did where that means the same, else by a name found for it.

use super::inputs::{Inputs, MappedAt};
use super::members::is_far;
use super::model::Candidate;
use super::names::NamingPoint;
use crate::analysis::movement::mapped::{Mapped, means_the_same, shape};
use crate::analysis::values::table::Base;
use crate::symbolic::Section;
use rustc_hash::FxHashSet;
use std::rc::Rc;

impl Inputs<'_> {
    /// A list item for a section of a base at a gap: the user's own text where it means the same there, else printed,
    /// with the user's name for the base if it has several.
    pub fn item(
        &self,
        candidate: &Candidate,
        at: &NamingPoint<'_>,
        base: Base,
        section: &Section,
        whole: bool,
    ) -> Option<String> {
        // Members that share a directive are mapped as their kernels map them.
        let is_path = |name: &str| {
            let fits = match &candidate.joint {
                Some(joint) => joint.path == name,
                None => self.alone(name),
            };
            fits && at.entered.is_left_as(name)
        };
        let worded = self.worded(&candidate.launches);
        let items = || worded.iter().map(|at| &self.mapped[at.launch][at.item]);
        let here = |m: &Mapped, wanted: Option<&Section>| {
            means_the_same(self.model, &self.file.macros, at.gap, at.stmt, &m.item, base, wanted)
        };
        let may_say = |m: &Mapped| at.may_say(&m.item.text) && at.may_divide(&section.lo) && at.may_divide(&section.hi);
        let mut as_written = items().filter(|m| here(m, Some(section)) && is_path(&m.item.path.to_string()));
        if let Some(m) = as_written.find(|m| may_say(m)) {
            return Some(m.item.text.clone());
        }
        let mapped = items()
            .filter(|m| here(m, None))
            .map(|m| m.item.path.to_string())
            .filter(|name| at.may_say(name));
        let found = [at.base(base), at.plain_base(base), at.member_base(base)];
        let mut names: Vec<String> = Vec::new();
        for name in mapped.chain(found.into_iter().flatten()).filter(|n| is_path(n)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.sort_by_key(|name| is_far(name));
        // Sizes that a call hands to its kernels keep their names.
        let calls = candidate.launches.iter().filter_map(|l| self.call(*l));
        let at = &NamingPoint {
            sizes: calls.flat_map(|c| c.sizes.iter().copied()).collect(),
            asked: at.asked.clone(),
            entered: at.entered.clone(),
            ..*at
        };
        // Not every name can say every section: `row[3:9]`, where `grid` has rows of five.
        names.into_iter().find_map(|name| {
            let by_regions = self.regions.iter().flat_map(|r| &r.mapped);
            let mapped = self.mapped.iter().flatten().chain(by_regions);
            let shape = shape(self.model, &self.file.macros, at.gap, at.stmt, mapped, &name);
            let fits = shape.element.is_none_or(|bytes| bytes == candidate.element);
            fits.then(|| at.item(&name, section, &shape, whole)).flatten()
        })
    }

    /// What starts map, of what is written alike the first: at one place that means the same.
    fn worded(&self, starts: &[usize]) -> Rc<[MappedAt]> {
        if let Some(known) = self.worded.borrow().get(starts) {
            return Rc::clone(known);
        }
        let items = |launch: usize| {
            let items = self.mapped.get(launch).map_or(&[][..], Vec::as_slice);
            let at = move |item: usize| MappedAt { launch, item };
            items.iter().enumerate().map(move |(item, m)| (at(item), m))
        };
        let mut seen = FxHashSet::default();
        let all = starts.iter().flat_map(|launch| items(*launch));
        let first = all.filter(|(_, m)| seen.insert(m.item.text.as_str()));
        let found: Rc<[MappedAt]> = first.map(|(at, _)| at).collect();
        self.worded.borrow_mut().insert(starts.to_vec(), Rc::clone(&found));
        found
    }
}
