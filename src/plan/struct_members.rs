//! How an array is mapped together with others of its struct: by which variable, under which path ([`super::joint`] decides whether
//! it is).
//!
//! ```c
//! kernel map(tofrom: s->x[0:n])          /* root `s`, path `s->x`, the pointer lies where `s->x` does                 */
//! ```

use super::inputs::Inputs;
use super::members::pointer_places;
use super::model::{Candidate, Joint};
use super::spans::Run;
use crate::analysis::device_calls::CallMember;
use crate::analysis::movement::family::Family;
use crate::program::objects::{Field, MemLoc};
use std::rc::Rc;

/// A candidate as its updates name it: of an array that kernels map with others of its struct, as they do. Updates map
/// nothing, so that it does not matter to them which part of the struct is there.
pub(super) fn as_member(inputs: &Inputs<'_>, candidate: &Candidate) -> Candidate {
    let joint = roots(inputs).iter().find_map(|root| joint(inputs, candidate, root));
    let joint = joint.filter(|joint| !inputs.alone(&joint.path));
    Candidate {
        joint,
        ..candidate.clone()
    }
}

/// The variables through which kernels map members, in text order, those of called functions last.
pub(super) fn roots(inputs: &Inputs<'_>) -> Vec<String> {
    let maps = inputs.model.constructs.launches.iter().flat_map(|l| &l.maps);
    let own = maps.filter(|(_, item)| !item.path.steps.is_empty());
    let own = own.map(|(_, item)| item.path.base.clone());
    let members = inputs.calls.iter().flat_map(|c| &c.members.list);
    let called = members.filter_map(|m| Some(root_and_rest(inputs.name_of(m)?).0.to_owned()));
    let mut roots: Vec<String> = Vec::new();
    for root in own.chain(called) {
        if !roots.contains(&root) {
            roots.push(root);
        }
    }
    roots
}

/// The variable that a path starts from, and how it goes on.
pub(super) fn root_and_rest(path: &str) -> (&str, &str) {
    let end = path.find(['.', '-']).unwrap_or(path.len());
    path.split_at(end)
}

/// Whether a path leads to a member of the struct that its variable is or points to, and no further. Of a struct further away
/// (`s.grid->x`) the runtime maps each member apart, and no stretch.
pub(super) fn is_one_step(path: &str) -> bool {
    let rest = root_and_rest(path).1;
    let member = rest.strip_prefix('.').or_else(|| rest.strip_prefix("->"));
    member.is_some_and(|name| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_'))
}

/// How a candidate is a member: kernels map it by one path from the root, which is a pointer in the struct itself.
pub(super) fn joint(inputs: &Inputs<'_>, candidate: &Candidate, root: &str) -> Option<Joint> {
    match candidate.regions.is_empty() && candidate.closed.is_empty() {
        true => as_path(inputs, candidate, root),
        false => None,
    }
}

/// How kernels map a candidate by one path from the root, whether or not directives by hand hold it somewhere.
pub(super) fn as_path(inputs: &Inputs<'_>, candidate: &Candidate, root: &str) -> Option<Joint> {
    if !matches!(candidate.family, Family::Single(_)) {
        return None;
    }
    let items = candidate.launches.iter().flat_map(|l| inputs.items(candidate, *l));
    let own = items.filter(|m| !m.item.path.steps.is_empty());
    let own = own.map(|m| (m.item.path.base.clone(), m.item.path.to_string()));
    let members = candidate
        .launches
        .iter()
        .filter_map(|l| inputs.call(*l))
        .flat_map(|c| &c.members.list);
    let ours = members.filter(|m| inputs.leads_to(m, candidate));
    let called = ours.filter_map(|m| inputs.name_of(m).map(str::to_owned));
    let called = called.map(|path| (root_and_rest(&path).0.to_owned(), path));
    let mut paths: Vec<String> = own
        .chain(called)
        .filter(|(of, _)| of == root)
        .map(|(_, path)| path)
        .collect();
    paths.sort();
    paths.dedup();
    let [path] = paths.as_slice() else { return None };
    if !is_one_step(path) {
        return None;
    }
    let path = path.clone();
    let pointer = pointer_places(inputs.model, &path);
    let known = |l: &MemLoc| matches!(l.field, Field::Offset(_));
    (!pointer.is_empty() && pointer.iter().all(known)).then(|| Joint {
        root: root.to_owned(),
        path,
        pointer,
        of_struct: Rc::default(),
    })
}

impl Inputs<'_> {
    /// What the function calls a member that kernels of a call map.
    pub(super) fn name_of(&self, member: &CallMember) -> Option<&str> {
        self.model.values.slots.get(member.slot?.0).name.as_deref()
    }

    /// Whether a member that kernels of a call map is the pointer to a candidate's array.
    pub(super) fn leads_to(&self, member: &CallMember, candidate: &Candidate) -> bool {
        let base = member
            .slot
            .map(|(slot, version)| self.model.values.slot_ptr(slot, version).base);
        !member.number && base.is_some_and(|b| candidate.bases.contains(&b))
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
}
