//! Mappings by hand that could be planned anew: what the program does does not depend on them, as long as its kernels map what they use.
//!
//! ```c
//! #pragma omp target data map(to: a[0:n]) map(alloc: b[0:n])     // both go, or neither does: `a` and `b` are read where they are current …
//! {
//!     #pragma omp target teams distribute parallel for           // … and this gets map(tofrom: a[0:n], b[0:n])
//!     for (…) b[i] = a[i];
//!     #pragma omp target teams distribute parallel for …
//! ```
//!
//! An array's mappings can go where every read surely finds the newest value ([`super::array_walks::ArrayWalks::is_coherent`]), whoever makes it: then the program
//! gives the result that it gives without a device, and so it does where each kernel copies all that it uses both ways. An array can do without its directives if all of
//! these can do without it.
//!
//! **Left as they are.** Directives with other clauses than `map`, `to` and `from`, or in branches of `#if`; scalars, structs and members; arrays of
//! which kernels have no name that means at the kernel what it means at the directive; and what only unseen callers hand over, if more is done to it than regions do:
//! an `update` may be of use for what such a caller has on the device. So are all arrays of programs that jump from function to function or ask what is on a device, and those that
//! handlers and threads use.

use super::array_walks::ArrayWalks;
use super::begun::{ArrayOrigin, BegunArray, is_read_behind};
use super::collect::CollectedArray;
use super::directives::{DirectiveRequests, FunctionDirectives};
use super::places::StepPlaces;
use super::replaced_items::{ArrayInFunction, KernelChange, PragmaPlace};
use super::stale::StepId;
use super::step_device::StepDevice;
use super::steps::{StepAction, StepGraph};
use super::traffic::name_of;
use super::transfers::TransferRecords;
use crate::openmp::map::Moment;
use crate::openmp::{ClauseKind, Item, MapEntry, MapModifier};
use crate::plan::models::LookedAt;
use crate::plan::{ArrayName, GroupedArray, KernelMapChange, KernelMaps, ReplaceableItem, ReplaceableMaps};
use crate::program::constructs::UserData;
use crate::program::ir::Module;
use crate::source::Span;
use crate::syntax::{PragmaId, ScopeTree};
use std::collections::{BTreeMap, BTreeSet};

/// A directive beside kernels.
struct HandDirective {
    span: Span,
    /// How many list items it has.
    items: usize,
    /// The items that can be taken out of it.
    may_go: BTreeSet<String>,
}

/// A list item of a directive: where the directive stands, and the item as it is written.
type ItemPlace = (PragmaPlace, String);

/// An array that was walked where it begins.
struct JudgedArray {
    /// The file in which it begins, by its place in the program.
    unit: usize,
    name: ArrayName,
    /// All its steps.
    steps: BTreeSet<StepId>,
    /// The array is read where it is current.
    coherent: bool,
}

/// A kernel, and what it maps.
struct KernelClauses {
    span: Span,
    maps: Vec<MapEntry>,
}

/// What is found out of a program's mappings by hand.
#[derive(Default)]
pub struct HandMappings {
    directives: BTreeMap<PragmaPlace, HandDirective>,
    kernels: BTreeMap<PragmaPlace, KernelClauses>,
    changes: Vec<KernelChange>,
    arrays: Vec<JudgedArray>,
    /// Steps of arrays that are to be left as they are.
    spoiled: BTreeSet<StepId>,
    /// Steps of functions on what nobody but unseen callers hands them.
    of_unseen: BTreeSet<StepId>,
}

impl HandMappings {
    /// A function was looked at, with its arrays.
    pub fn looked(
        &mut self,
        looked: &LookedAt<'_>,
        directives: &FunctionDirectives,
        arrays: &[CollectedArray],
        places: &StepPlaces,
    ) {
        let model = looked.inputs.model;
        if model.constructs.user_data.is_empty() && model.constructs.launches.is_empty() {
            return;
        }
        for (user, requests) in model.constructs.user_data.iter().zip(&directives.data) {
            let directive = HandDirective {
                span: requests.span,
                items: user.items.len(),
                may_go: plain_items(model.tree, looked.inputs.file.text, user, requests),
            };
            self.directives.insert((looked.unit, requests.span.start), directive);
        }
        for launch in &model.constructs.launches {
            let span = model.tree.pragma(launch.pragma).span;
            let maps = launch
                .maps
                .iter()
                .map(|(map_type, item)| MapEntry::new(*map_type, &*item.text));
            let clauses = KernelClauses {
                span,
                maps: maps.collect(),
            };
            self.kernels.insert((looked.unit, span.start), clauses);
        }
        for array in arrays.iter().filter(|a| a.graph.meets_device()) {
            let in_function = ArrayInFunction {
                looked,
                directives,
                array,
                places,
            };
            match in_function.kernel_changes() {
                Some(changes) => self.changes.extend(changes),
                None => self.spoiled.extend(array.graph.all_ids()),
            }
        }
    }

    /// An array was walked where it begins.
    pub fn judged<'w>(
        &mut self,
        looked: &LookedAt<'_>,
        array: &BegunArray<'_>,
        mut walks: impl Iterator<Item = ArrayWalks<'w>>,
    ) {
        let graph = &array.collected.graph;
        let is_unseen = array.origin == ArrayOrigin::UnseenCallers;
        let read_outside = is_unseen || is_read_behind(looked, array.collected);
        let is_clear = !array.collected.is_apart_by_maps
            && (!is_unseen || has_regions_alone(graph))
            && !looked.may_be_used_unseen(&array.collected.locs)
            && !looked.inputs.model.points_to.jumps_far()
            && !asks_for_presence(looked.inputs.model.module);
        let coherent = is_clear
            && match (walks.next(), walks.next()) {
                (Some(only), None) => only.is_coherent(read_outside),
                _ => false,
            };
        if is_unseen {
            self.of_unseen.extend(graph.own_items());
        }
        self.arrays.push(JudgedArray {
            unit: looked.unit,
            name: name_of(looked, array.collected),
            steps: graph.all_ids(),
            coherent,
        });
    }

    /// An array of a function is walked nowhere, or not as what it is.
    pub fn leave(&mut self, array: &CollectedArray) {
        self.spoiled.extend(array.graph.all_ids());
    }

    /// What can be planned anew, by file.
    pub fn replaceable(mut self, places: &StepPlaces, transfers: &TransferRecords) -> BTreeMap<usize, ReplaceableMaps> {
        let mut replaceable: BTreeMap<ItemPlace, BTreeSet<StepId>> = BTreeMap::new();
        for (step, place) in places.all() {
            if transfers.is_given_up(step) && !self.of_unseen.contains(&step) {
                self.spoiled.insert(step);
            }
            let Some(item) = place.item.filter(|item| !item.implied) else {
                continue;
            };
            let at = (place.unit, place.span.start);
            match self.directives.get(&at).map(|d| d.may_go.contains(&*item.text)) {
                Some(true) => drop(replaceable.entry((at, item.text.to_string())).or_default().insert(step)),
                Some(false) => drop(self.spoiled.insert(step)),
                None => {}
            }
        }
        self.settle(&mut replaceable);
        self.texts(&replaceable)
    }

    /// Takes out what hangs on an array that is to be left as it is, until nothing does.
    fn settle(&mut self, replaceable: &mut BTreeMap<ItemPlace, BTreeSet<StepId>>) {
        loop {
            let spoiled = &mut self.spoiled;
            let before = (spoiled.len(), replaceable.len());
            self.arrays.retain(|array| {
                let stays = array.coherent && array.steps.is_disjoint(spoiled);
                if !stays {
                    spoiled.extend(array.steps.iter().copied());
                }
                stays
            });
            let known: BTreeSet<StepId> = self.arrays.iter().flat_map(|a| &a.steps).copied().collect();
            replaceable.retain(|_, steps| {
                let stays = steps.is_disjoint(spoiled) && steps.is_subset(&known);
                if !stays {
                    spoiled.extend(steps.iter().copied());
                }
                stays
            });
            if before == (spoiled.len(), replaceable.len()) {
                return;
            }
        }
    }

    /// The groups of the arrays: those that share items, or what kernels do at one place, have one number.
    fn groups(&self, replaceable: &BTreeMap<ItemPlace, BTreeSet<StepId>>) -> Vec<usize> {
        let mut groups: Vec<usize> = (0..self.arrays.len()).collect();
        // An array that goes by several names has an item by each, and so has every other one of these names.
        let mut of_kernels: BTreeMap<(PragmaPlace, &str), BTreeSet<StepId>> = BTreeMap::new();
        for change in &self.changes {
            let steps = of_kernels.entry((change.kernel, &change.item)).or_default();
            steps.extend(&change.steps);
        }
        for steps in replaceable.values().chain(of_kernels.values()) {
            let sharing = |at: &usize| !self.arrays[*at].steps.is_disjoint(steps);
            let sharing: Vec<usize> = (0..self.arrays.len()).filter(sharing).collect();
            let Some(least) = sharing.iter().map(|at| groups[*at]).min() else {
                continue;
            };
            let joined: BTreeSet<usize> = sharing.iter().map(|at| groups[*at]).collect();
            groups
                .iter_mut()
                .filter(|g| joined.contains(g))
                .for_each(|g| *g = least);
        }
        groups
    }

    fn texts(&self, replaceable: &BTreeMap<ItemPlace, BTreeSet<StepId>>) -> BTreeMap<usize, ReplaceableMaps> {
        let mut found: BTreeMap<usize, ReplaceableMaps> = BTreeMap::new();
        let going: BTreeSet<StepId> = replaceable.values().flatten().copied().collect();
        let groups = self.groups(replaceable);
        let group_of = |steps: &BTreeSet<StepId>| {
            let mut arrays = self.arrays.iter().zip(&groups);
            let is_one = |array: &JudgedArray| !array.steps.is_disjoint(steps) && !array.steps.is_disjoint(&going);
            arrays.find(|(array, _)| is_one(array)).map(|(_, group)| *group)
        };
        for ((at, item), steps) in replaceable {
            let directive = &self.directives[at];
            let Some(group) = group_of(steps) else { continue };
            found.entry(at.0).or_default().items.push(ReplaceableItem {
                group,
                directive: directive.span,
                item: item.clone(),
                among: directive.items,
            });
        }
        let mut kernels: BTreeMap<PragmaPlace, BTreeSet<KernelMapChange>> = BTreeMap::new();
        for change in &self.changes {
            let Some(group) = group_of(&change.steps) else { continue };
            kernels.entry(change.kernel).or_default().insert(KernelMapChange {
                group,
                instead_of: change.instead_of.clone(),
                item: change.item.clone(),
            });
        }
        for (at, changes) in kernels {
            let kernel = &self.kernels[&at];
            found.entry(at.0).or_default().kernels.push(KernelMaps {
                kernel: kernel.span,
                maps: kernel.maps.clone(),
                changes: changes.into_iter().collect(),
            });
        }
        for (array, group) in self.arrays.iter().zip(&groups) {
            if !array.steps.is_disjoint(&going) {
                found.entry(array.unit).or_default().arrays.push(GroupedArray {
                    group: *group,
                    name: array.name.clone(),
                });
            }
        }
        found
    }
}

/// Whether the program asks the runtime what is on devices, or manages some of it by calls.
fn asks_for_presence(module: &Module) -> bool {
    let asks = |name: &str| name.starts_with("omp_target_") || name == "omp_get_mapped_ptr" || name.starts_with("acc_");
    module.functions.iter().any(|f| asks(&f.name))
}

/// The items of a directive that can be taken out of it: arrays by their own names, of a directive that says nothing else.
fn plain_items(tree: &ScopeTree, text: &[u8], user: &UserData, requests: &DirectiveRequests) -> BTreeSet<String> {
    let asked = &requests.requests;
    let is_plain = |kind: &ClauseKind| match kind {
        ClauseKind::Device { .. } => true,
        ClauseKind::Map(map) => map.modifiers.iter().all(|m| *m == MapModifier::Close),
        ClauseKind::To(motion) | ClauseKind::From(motion) => motion.modifiers.is_empty(),
        _ => false,
    };
    let is_told = asked.when.is_empty()
        && asked.device != StepDevice::Unclear
        && asked.not_followed.is_none()
        && user.directive.clauses.iter().all(|clause| is_plain(&clause.kind))
        && is_a_line_of_its_own(tree, text, user.pragma);
    let is_once = |text: &str| user.items.iter().filter(|item| item.text == text).count() == 1;
    let is_array = |item: &&Item| {
        let mut named = asked.items.iter().filter(|i| i.text.as_deref() == Some(&*item.text));
        let is_requested = named.next().is_some_and(|requested| requested.section.is_some()) && named.next().is_none();
        is_requested && !item.unparsed && item.path.steps.is_empty() && is_once(&item.text)
    };
    let items = user.items.iter().filter(|_| is_told).filter(is_array);
    items.map(|item| item.text.clone()).collect()
}

/// Whether a pragma is a line that every build has, and on which nothing else stands.
fn is_a_line_of_its_own(tree: &ScopeTree, text: &[u8], pragma: PragmaId) -> bool {
    let pragma = tree.pragma(pragma);
    let line = text.get(pragma.span.start..pragma.span.end).unwrap_or_default();
    let has_comment = line.windows(2).any(|two| matches!(two, b"//" | b"/*"));
    let within = |branch: &Span| branch.start <= pragma.span.start && pragma.span.start < branch.end;
    let mut branches = tree.conditional_groups.iter().flat_map(|group| &group.branches);
    !pragma.operator && !has_comment && !branches.any(within)
}

/// Whether nothing is asked of the runtime but what regions and kernels ask for.
fn has_regions_alone(graph: &StepGraph) -> bool {
    graph.own_steps().all(|step| match &step.action {
        StepAction::Map { request, .. } => matches!(request.moment, Moment::RegionEntry | Moment::RegionExit),
        StepAction::Call(graphs) => graphs.iter().all(|graph| has_regions_alone(graph)),
        _ => true,
    })
}
