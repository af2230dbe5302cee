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
use super::directives::{DirectiveRequests, FunctionDirectives, RequestedItem};
use super::places::StepPlaces;
use super::spoken_of::SpokenOf;
use super::stale::StepId;
use super::step_device::StepDevice;
use super::steps::{StepAction, StepGraph};
use super::traffic::name_of;
use super::transfers::TransferRecords;
use crate::analysis::function::FunctionModel;
use crate::analysis::movement::mapped::mapped_before;
use crate::analysis::values::table::{Base, SymKind};
use crate::openmp::map::Moment;
use crate::openmp::{ClauseKind, Construct, Item, MapEntry, MapModifier, MapType};
use crate::plan::models::LookedAt;
use crate::plan::{ArrayName, GroupedArray, KernelMapChange, KernelMaps, ReplaceableItem, ReplaceableMaps};
use crate::program::constructs::{Launch, UserData};
use crate::program::graph::{NodeId, NodeKind};
use crate::program::ir::Module;
use crate::source::Span;
use crate::symbolic::{Facts, Section, SectionSet};
use crate::syntax::{PragmaId, ScopeTree};
use std::collections::{BTreeMap, BTreeSet};

/// Where a pragma stands: the file, by its place in the program, and the pragma's first byte.
type PragmaPlace = (usize, usize);

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

/// A kernel that maps an array otherwise where the directives are gone.
struct KernelChange {
    kernel: PragmaPlace,
    /// What the kernel does with the array.
    steps: BTreeSet<StepId>,
    /// An item of the kernel's that brings the values only one way, without blanks; `None`: it has none for the array.
    instead_of: Option<String>,
    /// The item that brings them both ways.
    item: String,
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

/// An array in a function, and the function's kernels.
struct ArrayInFunction<'a> {
    looked: &'a LookedAt<'a>,
    directives: &'a FunctionDirectives,
    array: &'a CollectedArray,
    places: &'a StepPlaces,
}

/// What a kernel does with an array.
#[derive(Default)]
struct KernelUse {
    steps: BTreeSet<StepId>,
    reads: bool,
    writes: bool,
    /// At least these elements are written.
    written: SectionSet,
}

impl KernelUse {
    /// Whether the kernel surely writes all elements of a section, and needs none of them before.
    fn overwrites(&self, section: Option<&Section>) -> bool {
        let covers = |section: &Section| {
            self.written
                .provably_covers(&SectionSet::Union(vec![section.clone()]), &Facts::new())
        };
        !self.reads && section.is_some_and(covers)
    }
}

impl ArrayInFunction<'_> {
    fn model(&self) -> &FunctionModel<'_> {
        self.looked.inputs.model
    }

    /// What the function's kernels have to map otherwise; `None` where that cannot be written, or a kernel has a clause that says more.
    fn kernel_changes(&self) -> Option<Vec<KernelChange>> {
        let model = self.model();
        let mut by_place: BTreeMap<usize, KernelUse> = BTreeMap::new();
        for step in self.array.graph.own_steps() {
            let (is_write, used) = match &step.action {
                StepAction::KernelRead(used) => (false, used),
                StepAction::KernelWrite(used) => (true, used),
                _ => continue,
            };
            let Some(place) = self.places.of(step.id) else { continue };
            let here = by_place.entry(place.span.start).or_default();
            here.steps.insert(step.id);
            let any = !used.may.is_empty(&Facts::new());
            here.reads |= any && !is_write;
            here.writes |= any && is_write;
            if is_write {
                here.written = here.written.union_must(&used.must, &Facts::new());
            }
        }
        let mut found = Vec::new();
        for (launch, kernel) in model.constructs.launches.iter().enumerate() {
            let span = model.tree.pragma(kernel.pragma).span;
            let Some(used) = by_place.remove(&span.start) else {
                continue;
            };
            for (instead_of, item) in self.items(launch, kernel, &used)? {
                found.push(KernelChange {
                    kernel: (self.looked.unit, span.start),
                    steps: used.steps.clone(),
                    instead_of,
                    item,
                });
            }
        }
        // What is used at no kernel's pragma stands somewhere else in the text.
        by_place.is_empty().then_some(found)
    }

    /// What a kernel has to map otherwise, each with the item that it has in its place.
    fn items(&self, launch: usize, kernel: &Launch, used: &KernelUse) -> Option<Vec<(Option<String>, String)>> {
        if kernel.on_default_device().special.is_some() {
            return None;
        }
        let own = &self.directives.kernels[launch].items;
        let own: Vec<&RequestedItem> = own.iter().filter(|i| self.array.names.contains(&i.base)).collect();
        let one_way = own.iter().filter(|item| match item.request.map_type {
            MapType::Tofrom => false,
            MapType::To => used.writes,
            MapType::From => !used.overwrites(item.section.as_ref()),
            _ => true,
        });
        let mut found = Vec::new();
        for item in one_way {
            let text = item.text.as_deref()?;
            found.push((Some(text.split_ascii_whitespace().collect()), text.to_owned()));
        }
        for name in self.held_names(kernel, &own)? {
            // The pragma would be longer by something that is not in the text.
            let is_text = !self.model().tree.pragma(kernel.pragma).operator;
            found.push((None, self.held_for(kernel, name).filter(|_| is_text)?));
        }
        Some(found)
    }

    /// The names by which a kernel has the array from directives around it, as the items of its `own` do not name it so. `None` where it maps another part of it by itself.
    fn held_names(&self, kernel: &Launch, own: &[&RequestedItem]) -> Option<Vec<Base>> {
        let model = self.model();
        let is_kernel = |n: &NodeId| model.coarse.node(*n).kind == NodeKind::Whole(kernel.stmt);
        let spoken_of = |base: Base| {
            let node = model.coarse.ids().find(is_kernel)?;
            Some(SpokenOf::at(model, &self.looked.inputs.accesses, node, base))
        };
        match (&*self.array.names, self.array.base) {
            _ if self.array.names.len() > 1 => {
                let own_names = own.iter().map(|item| item.base);
                let own_names: BTreeSet<Base> = own_names.collect();
                let names = self.array.names.iter().copied().filter(|name| !own_names.contains(name));
                let mut found = Vec::new();
                for name in names {
                    if spoken_of(name)? != SpokenOf::default() {
                        found.push(name);
                    }
                }
                (!own.is_empty() || !found.is_empty()).then_some(found)
            }
            _ if !own.is_empty() => Some(Vec::new()),
            (_, base @ Base::Value(_)) => Some(vec![base]),
            (_, base) => match spoken_of(base)? {
                // An array by its own name is mapped as a whole by who uses it.
                SpokenOf { by_pointer: false, .. } => Some(Vec::new()),
                SpokenOf { by_name: true, .. } => None,
                SpokenOf { by_name: false, .. } => Some(vec![base]),
            },
        }
    }

    /// The item by which a directive holds the array for a kernel that has it by a name, if it means there what it means at the directive. Where the array goes by several names, all
    /// directives name as many elements of it, by whichever name.
    fn held_for(&self, kernel: &Launch, name: Base) -> Option<String> {
        let model = self.model();
        let encloses = |user: &UserData| user.stmt.is_some_and(|stmt| model.tree.encloses(stmt, kernel.stmt));
        let holding = model.constructs.user_data.iter().zip(&self.directives.data);
        let holding = holding.filter(|(user, _)| encloses(user) || user.directive.is(&Construct::TargetEnterData));
        let means_the_same = |user: &UserData, requested: &RequestedItem| {
            let text = requested.text.as_deref()?;
            let item = user.items.iter().find(|item| item.text == text)?;
            let item = match self.array.names.len() {
                1 => item.clone(),
                _ => self.by_name(item, name)?,
            };
            let text = item.text.clone();
            let there = mapped_before(
                model,
                &self.looked.inputs.file.macros,
                kernel.stmt,
                &[(MapType::Tofrom, item)],
            );
            let only = there.first()?;
            let is_same = only.base == name && only.section.is_some() && only.section == requested.section;
            (is_same && !only.pointer_itself && only.perhaps.is_empty()).then_some(text)
        };
        let items = holding.flat_map(|(user, directive)| {
            let named = directive.requests.items.iter();
            let named = named.filter(|item| self.array.names.contains(&item.base));
            named.map(move |item| means_the_same(user, item))
        });
        let items: Vec<Option<String>> = items.collect();
        match self.array.names.len() {
            1 => items.into_iter().flatten().next(),
            _ => {
                let each = items.into_iter().collect::<Option<BTreeSet<String>>>()?;
                each.into_iter().next()
            }
        }
    }

    /// An item with the variable in its place that a name of the array's is the value of.
    fn by_name(&self, item: &Item, name: Base) -> Option<Item> {
        let Base::Value(sym) = name else { return None };
        let SymKind::Slot(slot, _) = self.model().values.kind(sym) else {
            return None;
        };
        let variable = self.model().values.slots.get(slot).name.as_ref()?;
        let brackets = item.text.strip_prefix(&*item.path.base)?;
        let mut renamed = item.clone();
        renamed.text = format!("{variable}{brackets}");
        renamed.path.base.clone_from(variable);
        (item.path.steps.is_empty() && !item.unparsed).then_some(renamed)
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
