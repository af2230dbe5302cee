//! By which names an object goes, on each way that control may take.
//!
//! ```c
//! double *a = malloc(bytes), *b = malloc(bytes);
//! for (int t = 0; t < steps; t++) {             // from here on `a` is another name than in front of the loop: in the first iteration it names
//!     kernel reads a[0:n], writes b[0:n]        // what `a` did, in the second what `b` did
//!     double *swap = a; a = b; b = swap;
//! }
//! ```
//!
//! Where control merges, a pointer variable is a name of its own (a φ), and what object that names depends on the way that control has come: along an
//! edge each φ gets what some name means at the edge's begin ([`Renaming`]). Names that hand objects on to each other are a [`NameFamily`].
//! Steps are found for each name by itself; the graph of one object is made of these by going along the edges with the set of names that the
//! object has, and taking at each node the steps on those names ([`NameFamily::steps_of`]). So a node is there once for each such set: for the
//! object that is `a` at first, the loop above is there twice.
//!
//! **Limits.** A φ in what is one node, or one that may get a pointer into an object, belongs to no family: it may name any object that it may point to. So
//! do the names of a family whose objects may overlap, or differ in the size of their elements.
//!
//! Source: φs are those of SSA form (Cytron et al. 1991); following names along ways instead of merging them is what makes this path-sensitive.

use super::directives::FunctionDirectives;
use super::step_device::StepDevice;
use super::steps::{Step, StepAction, StepGraph, StepNode};
use super::unfolding::Unfolding;
use crate::analysis::arrays::{element_of, may_overlap};
use crate::analysis::function::FunctionModel;
use crate::analysis::values::slots::{SlotId, SlotKind};
use crate::analysis::values::table::{Base, PtrVal, SymKind};
use crate::analysis::values::version::Version;
use crate::program::graph::NodeId;
use crate::symbolic::Expr;
use rustc_hash::FxHashMap;

/// A family with more names is not followed: sets of names are bits of a number.
const MOST_NAMES: usize = 16;

/// A name that means from an edge on what another one has meant before, or no object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Renaming {
    name: usize,
    from: Option<usize>,
}

/// Names that hand objects on to each other; or one name that always means what it means.
#[derive(Clone, Default, Debug)]
pub struct NameFamily {
    /// The names.
    pub names: Vec<Base>,
    /// What happens on edges of the function's graph, by its nodes' numbers.
    renamings: FxHashMap<(usize, usize), Vec<Renaming>>,
}

/// What a name means.
enum Meaning {
    /// One object.
    One,
    /// Along each edge into a merge what another name means, or nothing.
    Merged(Vec<Arrival>),
    /// Nobody follows it.
    Unclear,
}

/// What a φ gets along an edge.
struct Arrival {
    edge: (usize, usize),
    from: Option<Base>,
}

/// Finds the families among the names of a function.
pub struct NameFinder<'a> {
    pub model: &'a FunctionModel<'a>,
    pub directives: &'a FunctionDirectives,
}

impl NameFinder<'_> {
    /// The families of some names, in the order of these.
    pub fn families(&self, of: &[Base]) -> Vec<NameFamily> {
        let (mut names, mut meanings) = (of.to_vec(), Vec::new());
        while let Some(name) = names.get(meanings.len()) {
            let meaning = self.meaning(*name);
            if let Meaning::Merged(arrivals) = &meaning {
                for from in arrivals.iter().filter_map(|a| a.from) {
                    if !names.contains(&from) {
                        names.push(from);
                    }
                }
            }
            meanings.push(meaning);
        }
        let groups = grouped(&names, &meanings);
        let mut found = Vec::new();
        for group in groups {
            let family = family(&group, &names, &meanings);
            match self.is_followed(
                &family,
                group.iter().any(|at| matches!(meanings[*at], Meaning::Unclear)),
            ) {
                true => found.push(family),
                false => found.extend(group.iter().filter(|at| **at < of.len()).map(|at| NameFamily {
                    names: vec![names[*at]],
                    ..NameFamily::default()
                })),
            }
        }
        found
    }

    fn meaning(&self, name: Base) -> Meaning {
        let values = self.model.values;
        let Base::Value(sym) = name else { return Meaning::One };
        let SymKind::Slot(slot, Version::Phi(at)) = values.kind(sym) else {
            return Meaning::One;
        };
        let mut found: Vec<Arrival> = Vec::new();
        for &before in &self.model.fine.node(at).preds {
            if values.versions.after(before, slot) == Version::Unreached {
                continue;
            }
            let Some(arrival) = self.arrival(slot, before, at) else {
                return Meaning::Unclear;
            };
            match found.iter().find(|known| known.edge == arrival.edge) {
                Some(known) if known.from != arrival.from => return Meaning::Unclear,
                Some(_) => {}
                None => found.push(arrival),
            }
        }
        Meaning::Merged(found)
    }

    /// What a slot's φ at a node gets from the node before; `None` where that is no edge of the function's graph, or no name.
    fn arrival(&self, slot: SlotId, before: NodeId, at: NodeId) -> Option<Arrival> {
        let (model, values) = (self.model, self.model.values);
        let (from, to) = (model.coarse_of(before)?, model.coarse_of(at)?);
        let is_edge = from != to && model.coarse.node(from).succs.contains(&to);
        let pointer = values.slot_ptr(slot, values.versions.after(before, slot));
        (is_edge && pointer.offset.is_zero()).then(|| Arrival {
            edge: (from.0 as usize, to.0 as usize),
            from: Some(pointer.base).filter(|base| !self.is_nothing(*base)),
        })
    }

    /// Whether a name means no object: a variable that was set to null, or to nothing yet.
    fn is_nothing(&self, name: Base) -> bool {
        let values = self.model.values;
        let Base::Value(sym) = name else { return false };
        let is_unset = match values.kind(sym) {
            SymKind::Slot(slot, Version::Entry) => match values.slots.get(slot).kind {
                SlotKind::Local(v) => self.model.function().variables[v.0 as usize].arg.is_none(),
                _ => false,
            },
            _ => false,
        };
        let offset = Expr::zero();
        is_unset || values.is_null(&PtrVal { base: name, offset })
    }

    /// Whether the objects of a family are told apart by it.
    fn is_followed(&self, family: &NameFamily, unclear: bool) -> bool {
        if family.renamings.is_empty() {
            return true;
        }
        let mut elements = family.names.iter().filter_map(|name| element_of(self.model, *name));
        let first = elements.next();
        let alike = elements.all(|bytes| Some(bytes) == first);
        !unclear && alike && family.names.len() <= MOST_NAMES && self.objects_are_apart(family)
    }

    /// Whether what the names of a family mean at first are different objects: by where they point, or because directives name them together.
    fn objects_are_apart(&self, family: &NameFamily) -> bool {
        let objects: Vec<Base> = family.objects().map(|at| family.names[at]).collect();
        let together = |a: Base, b: Base| self.directives.name_both(a, b);
        let of_two = || {
            let names = family.names.iter().enumerate();
            objects.len() == 2
                && names
                    .clone()
                    .any(|(at, a)| family.names[at + 1..].iter().any(|b| together(*a, *b)))
        };
        let apart = |(at, a): (usize, &Base)| {
            objects[at + 1..]
                .iter()
                .all(|b| !may_overlap(self.model, *a, *b) || together(*a, *b))
        };
        objects.iter().enumerate().all(apart) || of_two()
    }
}

/// The names that are linked by what φs get, as groups in the order of their first names.
fn grouped(names: &[Base], meanings: &[Meaning]) -> Vec<Vec<usize>> {
    let mut group: Vec<usize> = (0..names.len()).collect();
    for (at, meaning) in meanings.iter().enumerate() {
        let Meaning::Merged(arrivals) = meaning else { continue };
        for from in arrivals.iter().filter_map(|a| a.from) {
            let Some(other) = names.iter().position(|n| *n == from) else {
                continue;
            };
            let (keep, drop) = (group[at].min(group[other]), group[at].max(group[other]));
            group.iter_mut().filter(|g| **g == drop).for_each(|g| *g = keep);
        }
    }
    let members = |of: usize| (0..names.len()).filter(|at| group[*at] == of).collect::<Vec<usize>>();
    (0..names.len())
        .map(members)
        .filter(|members| !members.is_empty())
        .collect()
}

fn family(group: &[usize], names: &[Base], meanings: &[Meaning]) -> NameFamily {
    let place = |name: Base| group.iter().position(|at| names[*at] == name);
    let mut renamings: FxHashMap<(usize, usize), Vec<Renaming>> = FxHashMap::default();
    for (name, at) in group.iter().enumerate() {
        let Meaning::Merged(arrivals) = &meanings[*at] else {
            continue;
        };
        for arrival in arrivals {
            let from = arrival.from.and_then(place);
            renamings.entry(arrival.edge).or_default().push(Renaming { name, from });
        }
    }
    NameFamily {
        names: group.iter().map(|at| names[*at]).collect(),
        renamings,
    }
}

/// Names of a family, as bits.
type NameSet = u32;

impl NameFamily {
    /// The names that mean one object each: what these mean at the function's begin are the family's objects.
    pub fn objects(&self) -> impl Iterator<Item = usize> {
        let is_merged = |at: &usize| self.renamings.values().flatten().any(|r| r.name == *at);
        (0..self.names.len()).filter(move |at| !is_merged(at))
    }

    /// Whether its one name always means what it means.
    pub fn has_one_name(&self) -> bool {
        self.renamings.is_empty()
    }

    /// The steps of an object that goes by one of the names at the function's begin, by the steps on each name; `None` where it may go by too many.
    pub fn steps_of(&self, object: usize, by_name: &[StepGraph]) -> Option<StepGraph> {
        let shape = by_name.get(object)?;
        if self.renamings.is_empty() {
            return Some(shape.clone());
        }
        let following = FollowingNames { family: self, by_name };
        shape.unfolded(&following, 1 << object)
    }

    /// The names that an object has behind an edge.
    fn renamed(&self, names: NameSet, from: usize, to: usize) -> NameSet {
        let has = |name: usize| names & (1 << name) != 0;
        let mut there = names;
        for renaming in self.renamings.get(&(from, to)).into_iter().flatten() {
            match renaming.from.is_some_and(has) {
                true => there |= 1 << renaming.name,
                false => there &= !(1 << renaming.name),
            }
        }
        there
    }

    /// The steps of an object at a node: what is done to it by two names there is not known in which order it is done.
    fn steps_on(&self, names: NameSet, at: usize, by_name: &[StepGraph]) -> Vec<Step> {
        let has = |name: &usize| names & (1 << name) != 0;
        let all = (0..self.names.len())
            .filter(has)
            .map(|name| by_name[name].nodes[at].steps.as_slice());
        let mut all = all.filter(|steps| !steps.is_empty());
        let Some(first) = all.next() else { return Vec::new() };
        match all.all(|other| are_alike(first, other)) {
            true => first.to_vec(),
            false => vec![Step {
                id: first[0].id,
                when: Vec::new(),
                device: StepDevice::Default,
                action: StepAction::Unknown,
            }],
        }
    }
}

/// The names of one object, where control goes.
struct FollowingNames<'a> {
    family: &'a NameFamily,
    by_name: &'a [StepGraph],
}

impl Unfolding for FollowingNames<'_> {
    type Known = NameSet;

    fn across(&self, names: NameSet, from: &StepNode, to: &StepNode) -> Option<NameSet> {
        Some(self.family.renamed(names, from.origin, to.origin))
    }

    fn node(&self, at: usize, node: &StepNode, names: NameSet) -> StepNode {
        StepNode {
            steps: self.family.steps_on(names, at, self.by_name),
            ..node.clone()
        }
    }
}

/// Whether what steps do is the same, wherever they stand.
fn are_alike(some: &[Step], others: &[Step]) -> bool {
    let alike = |(a, b): (&Step, &Step)| a.action == b.action && a.when == b.when && a.device == b.device;
    some.len() == others.len() && some.iter().zip(others).all(alike)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::stale::StepId;
    use crate::check::steps::StepEdge;
    use crate::program::ir::VarId;

    fn freed(id: u32) -> Vec<Step> {
        vec![Step {
            id: StepId(id),
            when: Vec::new(),
            device: StepDevice::Default,
            action: StepAction::Free,
        }]
    }

    /// Control goes from the entry to a loop of two nodes, and from its head to the end.
    fn graph(in_loop: Vec<Step>) -> StepGraph {
        let node = |origin: usize, steps: Vec<Step>, succs: &[usize]| StepNode {
            steps,
            succs: succs.iter().map(|to| StepEdge::to(*to)).collect(),
            origin,
            ..StepNode::default()
        };
        StepGraph {
            nodes: vec![
                node(0, Vec::new(), &[2]),
                node(1, Vec::new(), &[]),
                node(2, Vec::new(), &[3, 1]),
                node(3, in_loop, &[2]),
            ],
        }
    }

    /// The names 0 and 1 mean objects; 2 and 3 are what they are called in the loop, and trade places behind each iteration.
    fn swapped() -> NameFamily {
        let get = |name, from| Renaming { name, from: Some(from) };
        NameFamily {
            names: (0..4).map(|v| Base::Local(VarId(v))).collect(),
            renamings: FxHashMap::from_iter([
                ((0, 2), vec![get(2, 0), get(3, 1)]),
                ((3, 2), vec![get(2, 3), get(3, 2)]),
            ]),
        }
    }

    fn steps_along(graph: &StepGraph, count: usize) -> Vec<Option<StepId>> {
        let (mut at, mut found) = (StepGraph::ENTRY, Vec::new());
        while found.len() < count {
            at = graph.nodes[at].succs[0].to;
            found.push(graph.nodes[at].steps.first().map(|s| s.id));
        }
        found
    }

    #[test]
    fn pointers_that_trade_places_name_each_object_in_turn() {
        let family = swapped();
        let by_name = [graph(Vec::new()), graph(Vec::new()), graph(freed(7)), graph(freed(8))];
        assert_eq!(family.objects().collect::<Vec<_>>(), [0, 1]);
        let of = |object| family.steps_of(object, &by_name).expect("few names");
        let (seven, eight) = (Some(StepId(7)), Some(StepId(8)));
        assert_eq!(steps_along(&of(0), 6), [None, seven, None, eight, None, seven]);
        assert_eq!(steps_along(&of(1), 4), [None, eight, None, seven]);
        assert_eq!(of(0).nodes.len(), 8);
    }

    #[test]
    fn what_has_two_names_at_a_node_is_not_followed_there() {
        let mut family = swapped();
        family.renamings.insert((3, 2), Vec::new());
        family.renamings.insert(
            (0, 2),
            vec![Renaming { name: 2, from: Some(0) }, Renaming { name: 3, from: Some(0) }],
        );
        let twice = [graph(Vec::new()), graph(Vec::new()), graph(freed(7)), graph(freed(8))];
        let found = family.steps_of(0, &twice).expect("few names");
        assert_eq!(steps_along(&found, 2), [None, Some(StepId(7))]);
        // Both do the same thing.
        assert!(
            found
                .nodes
                .iter()
                .flat_map(|n| &n.steps)
                .all(|s| s.action == StepAction::Free)
        );
        let mut unknown = freed(8);
        unknown[0].action = StepAction::HostRead(crate::check::steps::Used::default());
        let differently = [graph(Vec::new()), graph(Vec::new()), graph(freed(7)), graph(unknown)];
        let found = family.steps_of(0, &differently).expect("few names");
        assert!(
            found
                .nodes
                .iter()
                .flat_map(|n| &n.steps)
                .all(|s| s.action == StepAction::Unknown)
        );
    }
}
