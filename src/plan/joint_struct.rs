//! What kernels use of a struct of which members stay on the device together ([`super::joint`]), and whether it is no more.

use super::inputs::Inputs;
use super::members::{pointer_places, touched_by};
use super::model::Candidate;
use super::model::{CopiedNumber, Joint, OfStruct};
use super::names::NamingPoint;
use super::spans::Run;
use crate::analysis::arrays::locs_of;
use crate::analysis::device_calls::{CallMember, DeviceCall};
use crate::analysis::movement::mapped::means_the_same;
use crate::analysis::movement::placement::ResidencySpan;
use crate::analysis::movement::problem::Problem;
use crate::analysis::movement::surely::surely_passes;
use crate::openmp::{Item, MapType, PathStep};
use crate::program::graph::{NodeId, Place};
use crate::program::ir::Type;
use crate::program::objects::{Field, MemLoc};
use crate::reasons::Structs;
use crate::syntax::StmtId;

impl Inputs<'_> {
    /// Whether the kernels of a run map and touch nothing of the struct but pointers of these members, and numbers, as they
    /// are where the run begins: what else is mapped of it.
    pub(super) fn only_these(
        &self,
        members: &[(usize, Candidate)],
        run: Run,
        span: &ResidencySpan,
    ) -> Result<OfStruct, (StmtId, Structs)> {
        let model = self.model;
        let joints: Vec<&Joint> = members.iter().filter_map(|(_, c)| c.joint.as_ref()).collect();
        let Some(root) = joints.first().map(|j| j.root.as_str()) else {
            return Err((run.first, Structs::NoMember));
        };
        let pointers: Vec<MemLoc> = joints.iter().flat_map(|j| j.pointer.iter().copied()).collect();
        let same_struct = |l: &MemLoc| {
            let mut objects = pointers.iter();
            objects.any(|p| model.points_to.objects_may_alias(p.object, l.object))
        };
        let entry = NamingPoint::coarse(model, span.entry);
        if let Some(joint) = joints
            .iter()
            .find(|joint| !self.lasts(joint, root, entry.as_ref(), span))
        {
            let path = joint.path.clone();
            return Err((run.first, Structs::NotTheSame { path }));
        }
        let mut numbers: Vec<CopiedNumber> = Vec::new();
        let mut reaches: Vec<(NodeId, Vec<(MemLoc, MemLoc)>)> = Vec::new();
        for (index, launch) in model.constructs.launches.iter().enumerate() {
            if !run.encloses(model, launch.stmt) {
                continue;
            }
            let more = |what: &str| {
                let (root, what) = (root.to_owned(), what.to_owned());
                Err((launch.stmt, Structs::UsesMore { root, what }))
            };
            let gap = model.coarse.gap(Place::Before(launch.stmt));
            let here = gap.and_then(|gap| NamingPoint::coarse(model, gap));
            let node = self.start_node(index);
            let mut mapped: Vec<MemLoc> = Vec::new();
            for (map_type, item) in &launch.maps {
                let text = item.path.to_string();
                let member = joints.iter().position(|j| !item.unparsed && j.path == text);
                if let (Some(i), Some(entry), Some(here)) = (member, &entry, &here)
                    && !item.sections.is_empty()
                    && self.is_same(&members[i].1, item, entry, here)
                {
                    mapped.extend_from_slice(&joints[i].pointer);
                } else if member.is_some() {
                    let name = item.text.clone();
                    return Err((launch.stmt, Structs::NotOneArray { name }));
                } else if let (MapType::To, Some(entry), Some(here), Some(node)) = (*map_type, &entry, &here, node)
                    && item.path.base == root
                    && let Some(places) = self.number(item, entry, here)
                {
                    mapped.extend_from_slice(&places);
                    add_number(&mut numbers, &text, places, Some(node));
                } else if self.may_be_of(index, item, &same_struct) {
                    return more(&format!("`{}`", item.text));
                }
            }
            let is_mapped = |l: &MemLoc| mapped.contains(l);
            if touched_by(model, index).iter().any(|l| same_struct(l) && !is_mapped(l)) {
                return more("parts that it does not map");
            }
            reaches.extend(node.map(|node| (node, reach(mapped))));
        }
        for call in self.calls.iter().filter(|call| run.encloses(model, call.stmt)) {
            let entry = entry.as_ref();
            let more = entry.is_none_or(|entry| {
                let mut list = call.members.list.iter().filter(|m| m.places.iter().any(same_struct));
                !list.all(|m| self.is_among(m, call, &joints, entry, &mut numbers))
            });
            if more || !call.members.complete || call.members.loose.iter().any(same_struct) {
                let (callee, root) = (call.callee.clone(), root.to_owned());
                return Err((call.stmt, Structs::UsedMoreInCall { callee, root }));
            }
        }
        if let Some((stmt, callee)) = self.untold_use(run, &same_struct) {
            let root = root.to_owned();
            return Err((stmt, Structs::UsedMoreInCall { callee, root }));
        }
        let by_hand = self.program.members_by_hand.as_ref();
        if by_hand.is_none_or(|places| places.iter().any(same_struct)) {
            let root = root.to_owned();
            return Err((run.first, Structs::DirectiveMaps { root }));
        }
        let all = reach(
            pointers
                .into_iter()
                .chain(numbers.iter().flat_map(|n| n.places.iter().copied())),
        );
        let widest = reaches.into_iter().filter(|(_, reach)| *reach == all);
        Ok(OfStruct {
            widest: widest.map(|(node, _)| node).collect(),
            numbers,
        })
    }

    /// Whether a struct and the pointers in it are not given up on the way: where they end other things may lie.
    fn lasts(&self, joint: &Joint, root: &str, entry: Option<&NamingPoint<'_>>, span: &ResidencySpan) -> bool {
        let mut exits = span.exits.iter().map(|exit| NamingPoint::coarse(self.model, *exit));
        exits.all(|exit| {
            let both = entry.zip(exit.as_ref());
            both.is_some_and(|at| self.is_unchanged(&joint.path, at.0, at.1) && self.is_unchanged(root, at.0, at.1))
        })
    }

    /// Whether a member that kernels of a call map is mapped by a residency, too: it is one of its own, or a number that goes
    /// with them, the same as where the residency begins.
    fn is_among(
        &self,
        member: &CallMember,
        call: &DeviceCall,
        joints: &[&Joint],
        entry: &NamingPoint<'_>,
        numbers: &mut Vec<CopiedNumber>,
    ) -> bool {
        let model = self.model;
        let Some(((slot, version), path)) = member.slot.zip(self.name_of(member)) else {
            return false;
        };
        let Some(here) = model
            .coarse
            .gap(Place::Before(call.stmt))
            .and_then(|gap| NamingPoint::coarse(model, gap))
        else {
            return false;
        };
        let root = joints.first().map_or("", |j| j.root.as_str());
        let variable = |at: &NamingPoint<'_>| model.visible_variable(at.stmt, root);
        let is_the_same = model.values.versions.before(entry.gap, slot) == version
            && self.is_unchanged(root, entry, &here)
            && variable(entry) == variable(&here);
        let joint = joints.iter().find(|j| !member.number && j.path == path);
        if let Some(joint) = joint {
            return is_the_same && member.places.iter().all(|l| joint.pointer.contains(l));
        }
        let places = pointer_places(model, path);
        let of_struct = path.strip_prefix(root).is_some_and(|rest| rest.starts_with(['.', '-']));
        if !member.number || !is_the_same || !of_struct || member.places.iter().any(|l| !places.contains(l)) {
            return false;
        }
        let node = member.surely.then_some(call.node);
        add_number(numbers, path, places, node);
        true
    }

    /// Where a number of a struct lies, as an item names it at a kernel, if it has the same value there as where the run
    /// begins: nobody writes it in between.
    fn number(&self, item: &Item, entry: &NamingPoint<'_>, here: &NamingPoint<'_>) -> Option<Vec<MemLoc>> {
        let model = self.model;
        let [PathStep::Member(_) | PathStep::Arrow(_)] = item.path.steps.as_slice() else {
            return None;
        };
        let path = item.path.to_string();
        let slots = &model.values.slots;
        let is_number = |ty: &Option<Type>| matches!(ty, Some(Type::Int(_) | Type::Float(_)));
        let mut named = slots.named(&path);
        let numbers = named.all(|s| is_number(&slots.get(s).ty));
        let places = pointer_places(model, &path);
        let known = places.iter().all(|l| matches!(l.field, Field::Offset(_)));
        let same = numbers && self.is_unchanged(&path, entry, here) && self.is_same_root(item, entry, here);
        (item.sections.is_empty() && known && same && !places.is_empty()).then_some(places)
    }

    /// Whether all that has this name has at both gaps one value.
    fn is_unchanged(&self, name: &str, one: &NamingPoint<'_>, other: &NamingPoint<'_>) -> bool {
        let (versions, slots) = (&self.model.values.versions, &self.model.values.slots);
        let mut named = slots.named(name);
        named.all(|s| versions.before(one.gap, s) == versions.before(other.gap, s))
    }

    /// Whether the variable that an item starts from is the same one at both gaps, with the same value.
    fn is_same_root(&self, item: &Item, one: &NamingPoint<'_>, other: &NamingPoint<'_>) -> bool {
        let root = |at: &NamingPoint<'_>| self.model.visible_variable(at.stmt, &item.path.base);
        root(one) == root(other) && self.is_unchanged(&item.path.base, one, other)
    }

    /// Whether an item means at a kernel the member that its path means where the run begins, in the same struct.
    fn is_same(&self, candidate: &Candidate, item: &Item, entry: &NamingPoint<'_>, here: &NamingPoint<'_>) -> bool {
        let model = self.model;
        let [base] = candidate.bases.as_slice() else {
            return false;
        };
        let means = |at: &NamingPoint<'_>| means_the_same(model, &self.file.macros, at.gap, at.stmt, item, *base, None);
        means(entry) && means(here) && self.is_same_root(item, entry, here)
    }

    /// Whether what an item of a kernel's clause maps may be a part of a struct.
    fn may_be_of(&self, launch: usize, item: &Item, same_struct: &dyn Fn(&MemLoc) -> bool) -> bool {
        let model = self.model;
        let known = self.mapped[launch].iter().find(|m| m.item.span == item.span);
        let places = match known {
            // A pointer in the struct, or that leads to it.
            _ if !item.path.steps.is_empty() => pointer_places(model, &item.path.to_string()),
            Some(m) => locs_of(model, m.base),
            None => Vec::new(),
        };
        if !places.is_empty() {
            return places.iter().any(same_struct);
        }
        let all = model.item_scope(&self.file.macros).led_to(item);
        all.is_none_or(|all| all.iter().any(same_struct))
    }

    /// Whether what a residency of members maps of their struct is there in part already where it begins, or is copied
    /// where no kernel copies it: why not.
    pub(super) fn may_begin(&self, joint: &Joint, problem: &Problem<'_>, span: &ResidencySpan) -> Result<(), Structs> {
        let passes = |nodes: &[NodeId]| surely_passes(problem, span, &|n| nodes.contains(&n));
        let OfStruct { numbers, widest } = &*joint.of_struct;
        if let Some(number) = numbers.iter().find(|n| !passes(&n.nodes)) {
            let number = number.path.clone();
            return Err(Structs::NumberCopied { number });
        }
        // Where the caller has mapped a part, a kernel that maps as much has the same to fear.
        let presence = &self.program.presence;
        let places = numbers.iter().flat_map(|n| &n.places).chain(&joint.pointer);
        let places: Vec<MemLoc> = places.copied().collect();
        if presence.on_entry(self.model.points_to, self.model.func, &places) && !passes(widest) {
            let root = joint.root.clone();
            return Err(Structs::PartPresent { root });
        }
        Ok(())
    }
}

/// From where to where parts reach, in each struct.
fn reach(parts: impl IntoIterator<Item = MemLoc>) -> Vec<(MemLoc, MemLoc)> {
    let mut all: Vec<MemLoc> = parts.into_iter().collect();
    all.sort_unstable();
    let mut found: Vec<(MemLoc, MemLoc)> = Vec::new();
    for loc in all {
        match found.last_mut().filter(|(first, _)| first.object == loc.object) {
            Some((_, last)) => *last = loc,
            None => found.push((loc, loc)),
        }
    }
    found
}

/// Adds a number of a struct, and where it is mapped.
fn add_number(numbers: &mut Vec<CopiedNumber>, path: &str, places: Vec<MemLoc>, node: Option<NodeId>) {
    match numbers.iter_mut().find(|n| n.path == path) {
        Some(number) => number.nodes.extend(node),
        None => numbers.push(CopiedNumber {
            path: path.to_owned(),
            places,
            nodes: node.into_iter().collect(),
        }),
    }
}
