//! From a function to the steps of its arrays: of each name by itself ([`NodeSteps`]), and of each object by the names that it goes by
//! ([`NameFamily`]).
//!
//! ```c
//! for (int t = 0; t < steps; t++) {
//!     smooth(a, b, n);                      // a call: the steps of `smooth` on each
//!     double *swap = a; a = b; b = swap;    // four names, two objects
//! }
//! ```

use super::called::{AskedArray, CalledSteps, at_call};
use super::directives::FunctionDirectives;
use super::function_loops::FunctionLoops;
use super::function_steps::{CalleeArray, FunctionSteps};
use super::names::{NameFamily, NameFinder};
use super::node_steps::{CallsByName, NodeSteps};
use super::node_uses::all_elements;
use super::places::StepPlaces;
use super::step_graph::{Branches, StepLoop, Steps};
use super::steps::StepGraph;
use crate::analysis::accesses::Accesses;
use crate::analysis::arrays::{element_of, locs_of, may_overlap, object_extent};
use crate::analysis::at_call::AtCall;
use crate::analysis::conditions::LaunchCondition;
use crate::analysis::function::FunctionModel;
use crate::analysis::movement::events::Events;
use crate::analysis::movement::mapped::Mapped;
use crate::analysis::movement::promised::promised_apart;
use crate::analysis::movement::subject::{Subject, ToldBySteps};
use crate::analysis::values::slots::SlotKind;
use crate::analysis::values::table::{Base, SymKind};
use crate::plan::candidates::{is_array, label};
use crate::program::graph::NodeId;
use crate::program::ir::{FuncId, InstId, Op};
use crate::program::objects::MemLoc;
use crate::symbolic::Section;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// What a function's arrays are collected from.
pub struct Collector<'a> {
    pub model: &'a FunctionModel<'a>,
    pub accesses: &'a Accesses,
    pub directives: &'a FunctionDirectives,
    /// What each kernel maps.
    pub mapped: &'a [Vec<Mapped>],
    /// When each kernel runs on the device, where that is followed.
    pub conditions: &'a [Option<LaunchCondition>],
    /// What functions do that are called.
    pub functions: &'a FxHashMap<FuncId, FunctionSteps>,
    /// The places of all steps.
    pub places: &'a StepPlaces,
    /// The function's loops, the outermost first, and what is known of them.
    pub loops: &'a [StepLoop],
    pub function_loops: &'a FunctionLoops<'a>,
    /// What branches ask.
    pub branches: &'a Branches,
    /// Where the program ends.
    pub endings: &'a FxHashSet<NodeId>,
    /// The file's text.
    pub text: &'a [u8],
    /// The file, by its place in the program.
    pub unit: usize,
    /// The file declares mappers, which map parts of structs wherever these are mapped.
    pub has_mappers: bool,
}

/// An array of a function, and all that happens to it.
pub struct CollectedArray {
    pub base: Base,
    /// Bytes per element.
    pub element: u64,
    /// Where it may be.
    pub locs: Vec<MemLoc>,
    /// The elements that there are, if they are known.
    pub extent: Option<Section>,
    /// All names of its family: what is done by these is among its steps, where they are names of it.
    pub names: Vec<Base>,
    /// Other arrays, which it might overlap, are taken not to for the sole reason that a kernel maps both.
    pub is_apart_by_maps: bool,
    pub graph: Arc<StepGraph>,
}

/// A call, and the steps of all functions that it may run.
struct ToldCall<'a> {
    inst: InstId,
    callees: Vec<CalledSteps<'a>>,
}

impl ToldCall<'_> {
    /// What the call does with an array, if the steps of all functions say it.
    fn on(&self, model: &FunctionModel<'_>, asked: &AskedArray<'_>) -> Option<Vec<Arc<StepGraph>>> {
        let each = self.callees.iter().map(|called| at_call(model, called, asked));
        let mut each = each.collect::<Option<Vec<_>>>()?;
        if !self.callees.iter().all(|called| called.at.surely_runs()) {
            each.push(Arc::new(StepGraph::nothing()));
        }
        Some(each)
    }
}

impl Collector<'_> {
    /// The arrays that directives, kernels, host code or called functions have to do with, those first that are named first, and the bytes per
    /// element that the function uses them by, or what it calls. Arrays of which that is not known are left out.
    fn arrays(&self) -> Vec<(Base, u64)> {
        let data = self.directives.data.iter().map(|d| &d.requests);
        let named = data
            .chain(&self.directives.kernels)
            .flat_map(|r| &r.items)
            .map(|item| item.base);
        let named: Vec<Base> = named.collect();
        let used = self.accesses.iter().filter_map(|a| Some(a.at.as_ref()?.base));
        let handed_on = self.handed_on();
        let in_callees = |base: Base| {
            let mut all = handed_on.iter().filter(|(b, _)| *b == base).map(|(_, bytes)| *bytes);
            let first = all.next()?;
            all.all(|bytes| bytes == first).then_some(first)
        };
        let (mut seen, mut found) = (FxHashSet::default(), Vec::new());
        let handed = handed_on.iter().map(|(base, _)| *base);
        let is_handed_alone = |base: Base| {
            let is_handed = handed_on.iter().any(|(b, _)| *b == base);
            is_handed && !named.contains(&base) && self.is_outside_kernels(base)
        };
        for base in named.iter().copied().chain(used).chain(self.freed()).chain(handed) {
            let is_array = is_array(self.model, base) || is_handed_alone(base);
            if is_array && self.is_followed(base) && seen.insert(base) {
                let element = element_of(self.model, base).or_else(|| in_callees(base));
                found.extend(element.map(|element| (base, element)));
            }
        }
        found
    }

    /// Whether it is known what is mapped of an array: a kernel's own pointer leads to memory of the device, and what a mapper adds to a struct no clause says.
    fn is_followed(&self, base: Base) -> bool {
        let Base::Value(sym) = base else { return true };
        let values = self.model.values;
        let is_member = match values.kind(sym) {
            SymKind::Slot(slot, _) => matches!(
                values.slots.get(slot).kind,
                SlotKind::LocalField(..) | SlotKind::GlobalField(..) | SlotKind::Behind(..)
            ),
            _ => false,
        };
        self.model.launch_of(values.defined_at(sym)).is_none() && !(self.has_mappers && is_member)
    }

    /// Whether a base is a variable of the function's own that no kernel of it uses: only functions map it then, to which its address is handed
    /// (`count(a, n, &found)`), as an array of one element. A global one others may use by its name.
    fn is_outside_kernels(&self, base: Base) -> bool {
        let is_variable = matches!(base, Base::Local(_));
        let mut in_kernels = self.accesses.iter().filter(|access| access.kernel.is_some());
        is_variable && !in_kernels.any(|access| access.at.as_ref().is_some_and(|at| at.base == base))
    }

    /// What the function frees.
    fn freed(&self) -> Vec<Base> {
        let insts = self.model.function().inst_ids();
        let pointers = insts.filter_map(|inst| self.model.frees(inst).map(|freed| freed.pointer));
        pointers
            .filter_map(|pointer| Some(self.model.values.ptr(pointer)?.base))
            .collect()
    }

    /// The arrays that called functions have to do with, and the bytes per element that they have there.
    fn handed_on(&self) -> Vec<(Base, u64)> {
        let mut found = Vec::new();
        for inst in self.model.function().inst_ids() {
            for (at, steps) in self.callees(inst) {
                let reached = |array: &CalleeArray| Some((at.reached(&array.root, array.element)?.base, array.element));
                found.extend(steps.arrays.iter().filter_map(reached));
            }
        }
        found
    }

    /// The functions that a call may run whose steps are known.
    pub(super) fn callees(&self, inst: InstId) -> Vec<(AtCall<'_>, &FunctionSteps)> {
        let Op::Call { args, .. } = &self.model.function().inst(inst).op else {
            return Vec::new();
        };
        let (targets, _) = self.model.targets(inst);
        let known = targets
            .into_iter()
            .filter_map(|callee| Some((callee, self.functions.get(&callee)?)));
        let known = known.map(|(callee, steps)| {
            let at = AtCall {
                model: self.model,
                terms: &steps.terms,
                callee,
                inst,
                args,
            };
            (at, steps)
        });
        known.collect()
    }

    /// The calls of the function's host code of which steps tell what they do: of all functions that each of them may run.
    fn told_calls(&self) -> Vec<ToldCall<'_>> {
        let model = self.model;
        let outside =
            |inst: &InstId| model.attachment.node_of[inst.0 as usize].is_some_and(|n| model.launch_of(n).is_none());
        let told = |inst: InstId| {
            let callees = self.callees(inst);
            let (targets, unknown) = model.targets(inst);
            let is_told = !unknown && !callees.is_empty() && callees.len() == targets.len();
            let called = callees.into_iter().map(|(at, steps)| CalledSteps::of(at, steps));
            is_told.then(|| ToldCall {
                inst,
                callees: called.collect(),
            })
        };
        model
            .function()
            .inst_ids()
            .filter_map(told)
            .filter(|call| outside(&call.inst))
            .collect()
    }

    /// All arrays of the function of which it is followed what happens to them.
    pub fn collect(&self) -> Vec<CollectedArray> {
        let arrays = self.arrays();
        let finder = NameFinder {
            model: self.model,
            directives: self.directives,
        };
        let names: Vec<Base> = arrays.iter().map(|(base, _)| *base).collect();
        let elements: FxHashMap<Base, u64> = arrays.into_iter().collect();
        let families = finder.families(&names).into_iter();
        let told = self.told_calls();
        let of_family = |family: NameFamily| {
            let element = family.names.iter().find_map(|name| elements.get(name))?;
            self.family(&family, *element, &told)
        };
        families.filter_map(of_family).flatten().collect()
    }

    /// The arrays of a family, in elements of so many bytes; `None` where what happens to them is not followed.
    fn family(&self, family: &NameFamily, element: u64, told: &[ToldCall<'_>]) -> Option<Vec<CollectedArray>> {
        let model = self.model;
        let on_device = |name: &Base| matches!(name, Base::Global(g) if model.module.global(*g).on_device);
        if family.names.iter().any(on_device) {
            return None;
        }
        let calls = self.calls(family, element, told);
        let events = self.events(family, element, &calls)?;
        let of_name = |name: usize| self.steps_on(family, name, element, &events, &calls);
        let by_name: Vec<StepGraph> = (0..family.names.len()).map(of_name).collect();
        let by_maps =
            |(name, other): &(Base, Base)| may_overlap(model, *name, *other) && !promised_apart(model, *name, *other);
        let is_apart_by_maps = events.apart.iter().any(by_maps);
        let of_object = |object: usize| {
            let base = family.names[object];
            let graph = family
                .steps_of(object, &by_name)?
                .with_phases(self.loops)
                .without_unreached();
            Some(CollectedArray {
                base,
                element,
                locs: locs_of(model, base),
                extent: object_extent(model, base, element),
                names: family.names.clone(),
                is_apart_by_maps,
                graph: Arc::new(graph),
            })
        };
        family.objects().map(of_object).collect()
    }

    /// What calls do with each name of a family, where that is known of all of them.
    fn calls(&self, family: &NameFamily, element: u64, told: &[ToldCall<'_>]) -> CallsByName {
        let locs: Vec<Vec<MemLoc>> = family.names.iter().map(|name| locs_of(self.model, *name)).collect();
        let of_call = |call: &ToldCall<'_>| {
            let of_name = |name: usize| {
                call.on(
                    self.model,
                    &AskedArray {
                        base: family.names[name],
                        element,
                        locs: &locs[name],
                        others: &family.names,
                    },
                )
            };
            let each: Option<Vec<_>> = (0..family.names.len()).map(of_name).collect();
            Some((call.inst, each?))
        };
        told.iter().filter_map(of_call).collect()
    }

    /// What the function's code does with a family, but for calls of which steps tell.
    fn events(&self, family: &NameFamily, element: u64, calls: &CallsByName) -> Option<Events> {
        let each: Vec<Vec<MemLoc>> = family.names.iter().map(|name| locs_of(self.model, *name)).collect();
        // What may be anywhere has no locations.
        let anywhere = each.iter().any(Vec::is_empty);
        let mut locs: Vec<MemLoc> = each.into_iter().flatten().filter(|_| !anywhere).collect();
        locs.sort_unstable();
        locs.dedup();
        let subject = Subject {
            model: self.model,
            accesses: self.accesses,
            mapped: self.mapped,
            unnamed: &[],
            conditions: self.conditions,
            calls: &[],
            host_calls: &[],
            element,
            locs,
            extent: all_elements(),
            given_up: true,
            regions: Vec::new(),
            closed: Vec::new(),
            unread: false,
            apart_outside: true,
            left_current: false,
            told: &[],
            apart: ToldBySteps {
                maps: true,
                calls: calls.keys().copied().collect(),
            },
        };
        subject.events_by_name(&family.names).ok()
    }

    /// The steps on one name of a family.
    fn steps_on(
        &self,
        family: &NameFamily,
        name: usize,
        element: u64,
        events: &Events,
        calls: &CallsByName,
    ) -> StepGraph {
        let (model, base) = (self.model, family.names[name]);
        let mut found = NodeSteps {
            model,
            accesses: self.accesses,
            directives: self.directives,
            places: self.places,
            unit: self.unit,
            family,
            events,
            calls,
            name,
            base,
            element,
            extent: object_extent(model, base, element),
            text: self.text,
            function: model.function().name.as_str().into(),
            label: label(model, base).into(),
            steps: Steps::default(),
            opened: FxHashMap::default(),
        };
        // Regions start before they end.
        let ends = |node: &NodeId| self.directives.leaving(*node).next().is_some();
        let (ending, others): (Vec<NodeId>, Vec<NodeId>) = model.coarse.ids().partition(ends);
        for node in others.into_iter().chain(ending) {
            found.node(node);
        }
        let graph = found.steps.into_graph(model.coarse, self.branches, self.endings);
        let graph = match family.has_one_name() {
            true => graph.contracted(self.loops),
            false => graph,
        };
        self.function_loops
            .marked(graph)
            .with_first_iterations(self.loops)
            .without_idle_uses()
    }
}
