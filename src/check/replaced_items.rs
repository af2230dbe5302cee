//! What kernels have to map by themselves where the directives around them are gone.
//!
//! ```c
//! #pragma omp target data map(tofrom: u[0:n]) map(alloc: v[0:n])       // without this …
//! for (int t = 0; t < steps; t++) {
//!     #pragma omp target teams distribute parallel for                 // … this gets map(tofrom: u[0:n], v[0:n]), by what `u` and `v` name here
//!     for (int i = 0; i < n; i++) v[i] = 0.5 * u[i];
//!     double *swapped = u; u = v; v = swapped;
//! }
//! ```

use super::collect::CollectedArray;
use super::directives::{FunctionDirectives, RequestedItem};
use super::places::StepPlaces;
use super::spoken_of::SpokenOf;
use super::stale::StepId;
use super::steps::StepAction;
use crate::analysis::function::FunctionModel;
use crate::analysis::movement::mapped::{Mapped, mapped_before};
use crate::analysis::values::table::Base;
use crate::openmp::{Construct, Item, MapType};
use crate::plan::models::LookedAt;
use crate::program::constructs::{Launch, UserData};
use crate::program::graph::{NodeId, NodeKind};
use crate::symbolic::{Facts, Section, SectionSet};
use std::collections::{BTreeMap, BTreeSet};

/// Where a pragma stands: the file, by its place in the program, and the pragma's first byte.
pub(super) type PragmaPlace = (usize, usize);

/// A kernel that maps an array otherwise where the directives are gone.
pub(super) struct KernelChange {
    pub kernel: PragmaPlace,
    /// What the kernel does with the array.
    pub steps: BTreeSet<StepId>,
    /// An item of the kernel's that brings the values only one way, without blanks; `None`: it has none for the array.
    pub instead_of: Option<String>,
    /// The item that brings them both ways.
    pub item: String,
}

/// An array in a function, and the function's kernels.
pub(super) struct ArrayInFunction<'a> {
    pub looked: &'a LookedAt<'a>,
    pub directives: &'a FunctionDirectives,
    pub array: &'a CollectedArray,
    pub places: &'a StepPlaces,
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
    pub fn kernel_changes(&self) -> Option<Vec<KernelChange>> {
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

    /// The names by which a kernel has the array from directives around it, as the items of its `own` do not name it so. `None` where it maps
    /// another part of it by itself.
    fn held_names(&self, kernel: &Launch, own: &[&RequestedItem]) -> Option<Vec<Base>> {
        let model = self.model();
        let is_kernel = |n: &NodeId| model.coarse.node(*n).kind == NodeKind::Whole(kernel.stmt);
        let spoken_of = |base: Base| {
            let node = model.coarse.ids().find(is_kernel)?;
            Some(SpokenOf::at(model, &self.looked.inputs.accesses, node, base))
        };
        if self.goes_by_several() {
            let mut held = Vec::new();
            for name in &self.array.names {
                if own.iter().all(|item| item.base != *name) && spoken_of(*name)? != SpokenOf::default() {
                    held.push(*name);
                }
            }
            return (!own.is_empty() || !held.is_empty()).then_some(held);
        }
        if !own.is_empty() {
            return Some(Vec::new());
        }
        match self.array.base {
            base @ Base::Value(_) => Some(vec![base]),
            base => match spoken_of(base)? {
                // An array by its own name is mapped as a whole by who uses it.
                SpokenOf { by_pointer: false, .. } => Some(Vec::new()),
                SpokenOf { by_name: true, .. } => None,
                SpokenOf { by_name: false, .. } => Some(vec![base]),
            },
        }
    }

    /// Whether pointers trade places in the function, so that the array has several names.
    fn goes_by_several(&self) -> bool {
        self.array.names.len() > 1
    }

    /// The item by which a directive holds the array for a kernel that has it by a name, if it means there what it means at the directive.
    /// Where the array goes by several names, all directives name as many elements of it, by whichever name.
    fn held_for(&self, kernel: &Launch, name: Base) -> Option<String> {
        let model = self.model();
        let encloses = |user: &UserData| user.stmt.is_some_and(|stmt| model.tree.encloses(stmt, kernel.stmt));
        let holding = model.constructs.user_data.iter().zip(&self.directives.data);
        let holding = holding.filter(|(user, _)| encloses(user) || user.directive.is(&Construct::TargetEnterData));
        let requested = holding.flat_map(|(user, directive)| {
            let named = directive.requests.items.iter();
            let named = named.filter(|item| self.array.names.contains(&item.base));
            named.map(move |item| {
                let written = user
                    .items
                    .iter()
                    .find(|written| Some(&*written.text) == item.text.as_deref());
                (written, item)
            })
        });
        let requested: Vec<(Option<&Item>, &RequestedItem)> = requested.collect();
        let roots = requested.iter().filter_map(|(item, _)| Some(&*(*item)?.path.base));
        let variables: BTreeSet<&str> = roots.filter(|_| self.goes_by_several()).collect();
        let means_the_same = |item: &Item, requested: &RequestedItem| {
            let item = (MapType::Tofrom, item.clone());
            let there = mapped_before(model, &self.looked.inputs.file.macros, kernel.stmt, &[item]);
            let is_same =
                |only: &Mapped| only.base == name && only.section.is_some() && only.section == requested.section;
            there
                .first()
                .is_some_and(|only| is_same(only) && !only.pointer_itself && only.perhaps.is_empty())
        };
        let texts = requested.iter().map(|(item, requested)| {
            let item = (*item)?;
            let by_others = variables.iter().filter_map(|variable| by_variable(item, variable));
            let mut same = std::iter::once(item.clone())
                .chain(by_others)
                .filter(|item| means_the_same(item, requested));
            same.next().map(|item| item.text)
        });
        let texts: Vec<Option<String>> = texts.collect();
        match self.goes_by_several() {
            true => texts
                .into_iter()
                .collect::<Option<BTreeSet<String>>>()?
                .into_iter()
                .next(),
            false => texts.into_iter().flatten().next(),
        }
    }
}

/// An item with another variable in its place.
fn by_variable(item: &Item, variable: &str) -> Option<Item> {
    let brackets = item.text.strip_prefix(&*item.path.base)?;
    let mut renamed = item.clone();
    renamed.text = format!("{variable}{brackets}");
    renamed.path.base = variable.to_owned();
    (item.path.steps.is_empty() && !item.unparsed).then_some(renamed)
}
