//! From a function to the steps of one of its arrays: what directives ask for, and what the code does, in the order in which control meets it.
//!
//! What the code does is what movement problems are made of, too ([`Subject`]), but that kernels are taken as if they mapped nothing: what
//! their maps do are steps of their own.

use super::called::{AskedArray, at_call};
use super::conditions::StepCondition;
use super::directives::{DirectiveRequests, FunctionDirectives, RequestedItem};
use super::function_loops::FunctionLoops;
use super::function_steps::{CalleeArray, FunctionSteps};
use super::places::{StepPlace, StepPlaces};
use super::stale::StepId;
use super::step_graph::{Branches, StepLoop, Steps};
use super::steps::{Step, StepAction, StepGraph, Used};
use crate::analysis::access::{Access, comes_before, is_unconditional};
use crate::analysis::accesses::Accesses;
use crate::analysis::arrays::{element_of, locs_of, may_overlap, object_extent};
use crate::analysis::at_call::AtCall;
use crate::analysis::conditions::LaunchCondition;
use crate::analysis::function::FunctionModel;
use crate::analysis::movement::events::Events;
use crate::analysis::movement::family::{Family, naming};
use crate::analysis::movement::mapped::Mapped;
use crate::analysis::movement::placement::ResidencySpan;
use crate::analysis::movement::problem::{Event, EventKind};
use crate::analysis::movement::subject::{Subject, ToldBySteps};
use crate::analysis::values::table::Base;
use crate::openmp::MapType;
use crate::openmp::map::{MapRequest, Moment};
use crate::plan::candidates::{is_array, label};
use crate::program::graph::{FlowGraph, NodeId, NodeKind};
use crate::program::ir::{FuncId, InstId, Op};
use crate::program::objects::MemLoc;
use crate::source::Span;
use crate::symbolic::{Expr, Facts, Section, SectionSet};
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
    /// The file, by its place in the program.
    pub unit: usize,
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
    pub graph: Arc<StepGraph>,
}

/// An array whose steps are being collected.
struct Collecting {
    base: Base,
    element: u64,
    /// The elements that there are, if that is known.
    extent: Option<Section>,
    events: Events,
    /// What calls do with the array, where steps say it.
    calls: FxHashMap<InstId, Vec<Arc<StepGraph>>>,
    function: Arc<str>,
    label: Arc<str>,
    /// The steps at the starts of regions, by where these stand and the item's place in the directive.
    opened: FxHashMap<(NodeId, usize), StepId>,
    /// The conditions of the directive whose steps these are.
    when: Vec<StepCondition>,
    steps: Steps,
}

impl Collector<'_> {
    /// The arrays that directives, kernels, host code or called functions have to do with, those first that are named first, and the bytes per
    /// element that the function uses them by, or what it calls. Arrays of which that is not known are left out.
    pub fn arrays(&self) -> Vec<(Base, u64)> {
        let data = self.directives.data.iter().map(|d| &d.requests);
        let named = data
            .chain(&self.directives.kernels)
            .flat_map(|r| &r.items)
            .map(|item| item.base);
        let used = self.accesses.iter().filter_map(|a| Some(a.at.as_ref()?.base));
        let handed_on = self.handed_on();
        let in_callees = |base: Base| {
            let mut all = handed_on.iter().filter(|(b, _)| *b == base).map(|(_, bytes)| *bytes);
            let first = all.next()?;
            all.all(|bytes| bytes == first).then_some(first)
        };
        let (mut seen, mut found) = (FxHashSet::default(), Vec::new());
        let handed = handed_on.iter().map(|(base, _)| *base);
        for base in named.chain(used).chain(self.freed()).chain(handed) {
            if is_array(self.model, base) && seen.insert(base) {
                let element = element_of(self.model, base).or_else(|| in_callees(base));
                found.extend(element.map(|element| (base, element)));
            }
        }
        found
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

    /// What a call does with an array, if the steps of all functions that it may run say it.
    fn call(&self, inst: InstId, asked: &AskedArray<'_>) -> Option<Vec<Arc<StepGraph>>> {
        let (targets, unknown) = self.model.targets(inst);
        let callees = self.callees(inst);
        if unknown || targets.is_empty() || callees.len() != targets.len() {
            return None;
        }
        let each = callees.iter().map(|(at, steps)| at_call(self.model, at, steps, asked));
        let mut each = each.collect::<Option<Vec<_>>>()?;
        if !callees.iter().all(|(at, _)| at.surely_runs()) {
            each.push(Arc::new(StepGraph::nothing()));
        }
        Some(each)
    }

    /// What happens to an array in elements of so many bytes; `None` where that is not followed.
    pub fn collect(&self, base: Base, element: u64) -> Option<CollectedArray> {
        let model = self.model;
        if matches!(base, Base::Global(g) if model.module.global(g).on_device) {
            return None;
        }
        let extent = object_extent(model, base, element);
        let locs = locs_of(model, base);
        let asked = AskedArray {
            base,
            element,
            locs: &locs,
        };
        let outside =
            |inst: &InstId| model.attachment.node_of[inst.0 as usize].is_some_and(|n| model.launch_of(n).is_none());
        let insts = model.function().inst_ids().filter(outside);
        let calls: FxHashMap<InstId, _> = insts.filter_map(|i| Some((i, self.call(i, &asked)?))).collect();
        let subject = Subject {
            model,
            accesses: self.accesses,
            mapped: self.mapped,
            conditions: self.conditions,
            calls: &[],
            host_calls: &[],
            element,
            locs: locs.clone(),
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
        let family = Family::Single(base);
        let nowhere = ResidencySpan {
            entry: FlowGraph::ENTRY,
            exits: Vec::new(),
            nodes: FxHashSet::from_iter([FlowGraph::ENTRY]),
        };
        let names = naming(model, &family, &nowhere).ok()?;
        let events = subject.events(&family, &names, &nowhere).ok()?;
        let mut found = Collecting {
            base,
            element,
            extent,
            events,
            calls,
            function: model.function().name.as_str().into(),
            label: label(model, base).into(),
            opened: FxHashMap::default(),
            when: Vec::new(),
            steps: Steps::default(),
        };
        // Regions start before they end.
        let ends = |node: &NodeId| self.directives.data.iter().any(|d| d.leaves == Some(*node));
        let (ending, others): (Vec<NodeId>, Vec<NodeId>) = model.coarse.ids().partition(ends);
        for node in others.into_iter().chain(ending) {
            self.node(node, &mut found);
        }
        let graph = self
            .function_loops
            .marked(found.steps.into_graph(model.coarse, self.branches));
        let graph = graph.with_first_iterations(self.loops);
        Some(CollectedArray {
            base,
            element,
            extent: found.extent,
            graph: Arc::new(graph),
            locs,
        })
    }

    fn push(&self, node: NodeId, at: Span, action: StepAction, found: &mut Collecting) -> StepId {
        let id = self.places.number(StepPlace {
            unit: self.unit,
            span: at,
            function: found.function.clone(),
            label: found.label.clone(),
        });
        let when = found.when.clone();
        found.steps.push(node, Step { id, when, action });
        id
    }

    /// The steps of a node: what ends there, what stands there, what starts there, and what is done there.
    fn node(&self, node: NodeId, found: &mut Collecting) {
        let data = &self.directives.data;
        for directive in data.iter().rev().filter(|d| d.leaves == Some(node)) {
            self.items(node, directive, true, found);
        }
        for directive in data.iter().filter(|d| d.enters == node) {
            self.items(node, directive, false, found);
        }
        let launch = match self.model.coarse.node(node).kind {
            NodeKind::Whole(stmt) => self.model.constructs.launch_at(stmt),
            _ => None,
        };
        let Some(launch) = launch else {
            self.code(node, None, found);
            return;
        };
        let pragma = self
            .model
            .tree
            .pragma(self.model.constructs.launches[launch].pragma)
            .span;
        let asked = &self.directives.kernels[launch];
        let uses = !found.events.events.at(node).is_empty() || asked.items.iter().any(|item| item.base == found.base);
        let in_parts = asked.in_parts.contains(&found.base);
        if in_parts || asked.items.iter().any(|item| self.may_be(item, found)) || (uses && asked.not_followed.is_some())
        {
            self.push(node, pragma, StepAction::Unknown, found);
            return;
        }
        found.when.clone_from(&asked.when);
        let mut opened = Vec::new();
        for (request, section) in self.own_items(launch, node, found) {
            let step = self.push(node, pragma, map(request, section.clone(), None), found);
            opened.push((step, request, section));
        }
        self.code(node, Some(launch), found);
        for (step, request, section) in opened.into_iter().rev() {
            self.push(node, pragma, map(ending(request), section, Some(step)), found);
        }
        found.when.clear();
    }

    /// Whether a list item may name an array by another name.
    fn may_be(&self, item: &RequestedItem, found: &Collecting) -> bool {
        item.base != found.base
            && may_overlap(self.model, found.base, item.base)
            && !self.directives.name_both(found.base, item.base)
    }

    /// What a kernel maps of an array: what its clauses say, or else what is implied where it uses the array.
    fn own_items(&self, launch: usize, node: NodeId, found: &Collecting) -> Vec<(MapRequest, Option<Section>)> {
        let items = self.directives.kernels[launch]
            .items
            .iter()
            .filter(|item| item.base == found.base);
        let said: Vec<_> = items.map(|item| (item.request, item.section.clone())).collect();
        let uses = found
            .events
            .events
            .at(node)
            .iter()
            .any(|e| matches!(e.kind, EventKind::Launch { .. }));
        // What a pointer leads to is mapped by nobody, where no clause says it: it is there or it is not.
        if !said.is_empty() || !uses || matches!(found.base, Base::Value(_)) {
            return said;
        }
        vec![(
            MapRequest::new(Moment::RegionEntry, MapType::Tofrom),
            found.extent.clone(),
        )]
    }

    /// What a directive asks for of an array where it stands, or at the end of its region; or of what may be it by another name, of which nothing is
    /// known then.
    fn items(&self, node: NodeId, directive: &DirectiveRequests, ends: bool, found: &mut Collecting) {
        let asked = &directive.requests;
        let in_parts = asked.in_parts.contains(&found.base);
        if in_parts || asked.items.iter().any(|item| self.may_be(item, found)) || asked.not_followed.is_some() {
            self.push(node, directive.span, StepAction::Unknown, found);
            return;
        }
        found.when.clone_from(&asked.when);
        let base = found.base;
        for (at, item) in asked.items.iter().enumerate().filter(|(_, item)| item.base == base) {
            let key = (directive.enters, at);
            let action = match ends {
                true => map(
                    ending(item.request),
                    item.section.clone(),
                    found.opened.get(&key).copied(),
                ),
                false => map(item.request, item.section.clone(), None),
            };
            let step = self.push(node, directive.span, action, found);
            if !ends {
                found.opened.insert(key, step);
            }
        }
        found.when.clear();
    }

    /// What the code of a node does: what it reads, whom it calls, and what it writes.
    fn code(&self, node: NodeId, launch: Option<usize>, found: &mut Collecting) {
        let pragma = |l: usize| self.model.tree.pragma(self.model.constructs.launches[l].pragma).span;
        let at = launch.map_or_else(|| self.span_of(node), pragma);
        let calls: Vec<_> = self
            .accesses
            .calls(node)
            .iter()
            .filter_map(|i| found.calls.get(i).cloned())
            .collect();
        let is_step = launch.is_some() || !matches!(self.model.coarse.node(node).kind, NodeKind::Whole(_));
        let does_something = calls.iter().flatten().any(|graph| !graph.is_empty());
        let is_free = |e: &Event| matches!(e.kind, EventKind::Free);
        let freed_somehow = found.events.freed.contains(&node) && !found.events.events.at(node).iter().any(is_free);
        if found.events.barriers.contains_key(&node) || freed_somehow || (does_something && !is_step) {
            self.push(node, at, StepAction::Unknown, found);
            return;
        }
        for action in self.reads(node, launch, does_something, found) {
            self.push(node, at, action, found);
        }
        for graphs in calls.into_iter().filter(|graphs| graphs.iter().any(|g| !g.is_empty())) {
            self.push(node, at, StepAction::Call(graphs), found);
        }
        for action in writes(node, self.writes_unconditionally(node, launch, found.base), found) {
            self.push(node, at, action, found);
        }
    }

    /// What is read at a node. What stands in one statement with a call may be read before it or behind it.
    fn reads(&self, node: NodeId, launch: Option<usize>, beside_call: bool, found: &Collecting) -> Vec<StepAction> {
        let read = |event: &EventKind| match event {
            EventKind::HostRead { may } if beside_call => Some(StepAction::HostRead(Used {
                may: elements(may),
                must: SectionSet::Empty,
                each: SectionSet::Empty,
                unconditional: false,
            })),
            EventKind::HostRead { may } => Some(StepAction::HostRead(self.read(node, None, may, found))),
            EventKind::Launch { reads, .. } => Some(StepAction::KernelRead(self.read(node, launch, reads, found))),
            EventKind::HostWrite { .. } | EventKind::Free => None,
        };
        found
            .events
            .events
            .at(node)
            .iter()
            .filter_map(|e| read(&e.kind))
            .collect()
    }

    /// What is read at a node: events say what may be, and accesses what surely is, before anything is written there.
    fn read(&self, node: NodeId, launch: Option<usize>, may: &SectionSet, found: &Collecting) -> Used {
        let (model, facts, base, element) = (self.model, Facts::new(), found.base, found.element);
        let mut used = Used {
            may: elements(may),
            must: SectionSet::Empty,
            each: SectionSet::Empty,
            unconditional: false,
        };
        let within = match model.coarse.node(node).kind {
            NodeKind::Whole(stmt) => Some(stmt),
            _ => None,
        };
        let all = self.accesses.at(node);
        let ours = |a: &&&Access| a.kernel == launch && a.at.as_ref().is_some_and(|at| at.base == base);
        let writes: Vec<&Access> = all.iter().filter(ours).filter(|a| a.writes).copied().collect();
        for read in all.iter().filter(ours).filter(|a| a.reads && !a.writes && !a.partial) {
            let footprint = self.accesses.footprint(model, read, element, within);
            if let Some(must) = &footprint.must {
                used.each = used.each.union_must(&SectionSet::Union(vec![must.clone()]), &facts);
            }
            // What is written there may be what is read: by the same statement it is not before.
            let is_apart = |w: &&Access| {
                let written = self.accesses.footprint(model, w, element, within).may;
                let after = w.at == read.at && !comes_before(model, w, read);
                after || written.provably_disjoint(&footprint.may, &facts)
            };
            if let Some(must) = footprint.must.filter(|_| writes.iter().all(is_apart)) {
                used.must = used.must.union_must(&SectionSet::Union(vec![must]), &facts);
            }
        }
        used
    }

    /// Whether no condition keeps what is written at a node from being written.
    fn writes_unconditionally(&self, node: NodeId, launch: Option<usize>, base: Base) -> bool {
        let NodeKind::Whole(stmt) = self.model.coarse.node(node).kind else {
            return false;
        };
        let accesses = self.accesses.at(node);
        let ours = |a: &&&Access| a.writes && a.kernel == launch && a.at.as_ref().is_some_and(|at| at.base == base);
        let mut writes = accesses.iter().filter(ours).peekable();
        writes.peek().is_some() && writes.all(|w| is_unconditional(self.model, w, stmt))
    }

    /// Where a node stands in the text.
    fn span_of(&self, node: NodeId) -> Span {
        let stmt = self.model.coarse.stmt_of(node);
        stmt.map_or_else(Span::default, |stmt| self.model.tree.stmt(stmt).span)
    }
}

fn map(request: MapRequest, section: Option<Section>, opened: Option<StepId>) -> StepAction {
    StepAction::Map {
        request,
        section,
        opened,
    }
}

/// What is asked for at the end of a region.
fn ending(request: MapRequest) -> MapRequest {
    MapRequest {
        moment: Moment::RegionExit,
        ..request
    }
}

/// Elements that may be used; all, where any may be.
fn elements(may: &SectionSet) -> SectionSet {
    match may.sections().contains(&all_elements()) {
        true => SectionSet::All,
        false => may.clone(),
    }
}

/// More elements than any array has, on both sides of where a pointer leads.
fn all_elements() -> Section {
    const MOST: i128 = 1 << 40;
    Section::new(Expr::constant(-MOST), Expr::constant(MOST))
}

/// What a node's code writes, and what ends there.
fn writes(node: NodeId, unconditional: bool, found: &Collecting) -> Vec<StepAction> {
    let facts = Facts::new();
    let set = |must: &[Section]| {
        let each = must.iter().map(|s| SectionSet::Union(vec![s.clone()]));
        each.fold(SectionSet::Empty, |all, s| all.union_must(&s, &facts))
    };
    let written = |event: &EventKind| match event {
        EventKind::HostWrite { may, must } => Some(StepAction::HostWrite(Used {
            may: elements(may),
            must: set(must),
            each: set(must),
            unconditional,
        })),
        EventKind::Launch { may, must, .. } => Some(StepAction::KernelWrite(Used {
            may: elements(may),
            must: set(must),
            each: set(must),
            unconditional,
        })),
        EventKind::Free => Some(StepAction::Free),
        EventKind::HostRead { .. } => None,
    };
    found
        .events
        .events
        .at(node)
        .iter()
        .filter_map(|e| written(&e.kind))
        .collect()
}
