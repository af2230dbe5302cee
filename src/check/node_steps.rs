//! The steps of one node on one name: what directives ask for there, and what the code does, in the order in which control meets it.
//!
//! ```c
//! #pragma omp target … map(to: b[0:n])       // for `b`: region entry, kernel reads, region exit
//! for (int i = 0; i < n; i++)
//!     a[i] = b[i];
//! ```
//!
//! What the code does is what movement problems are made of, too ([`Events`]), but that kernels are taken as if they mapped nothing: what their maps do are
//! steps of their own.

use super::conditions::StepCondition;
use super::directives::{DirectiveRequests, FunctionDirectives, RequestedItem};
use super::insertion::insertion_before;
use super::names::NameFamily;
use super::node_uses::NodeUses;
use super::places::{PlacedItem, StepPlace, StepPlaces};
use super::spoken_of::SpokenOf;
use super::stale::StepId;
use super::step_device::StepDevice;
use super::step_graph::Steps;
use super::steps::{Step, StepAction, StepGraph, Used};
use crate::analysis::accesses::Accesses;
use crate::analysis::arrays::may_overlap;
use crate::analysis::function::FunctionModel;
use crate::analysis::movement::events::Events;
use crate::analysis::movement::problem::{Event, EventKind};
use crate::analysis::values::table::Base;
use crate::openmp::implicit::{Attribute, DeclaredTarget, RegionVariable, VariableClass, attribute};
use crate::openmp::map::{MapRequest, Moment};
use crate::openmp::{MapType, SpecVersion};
use crate::plan::cost::frequency;
use crate::program::graph::{NodeId, NodeKind};
use crate::program::ir::{InstId, Op};
use crate::source::Span;
use crate::symbolic::Section;
use crate::syntax::{StmtId, identifiers};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What calls do with arrays, where steps say it: by call, for each name what each function does that it may run.
pub type CallsByName = FxHashMap<InstId, Vec<Vec<Arc<StepGraph>>>>;

/// A name whose steps are collected.
pub struct NodeSteps<'a> {
    pub model: &'a FunctionModel<'a>,
    pub accesses: &'a Accesses,
    pub directives: &'a FunctionDirectives,
    /// The places of all steps.
    pub places: &'a StepPlaces,
    /// The file, by its place in the program.
    pub unit: usize,
    pub family: &'a NameFamily,
    /// What the code does with the family, a cell for each name.
    pub events: &'a Events,
    pub calls: &'a CallsByName,
    /// The name, by its place in the family.
    pub name: usize,
    pub base: Base,
    /// Bytes per element.
    pub element: u64,
    /// The elements that there are, if that is known.
    pub extent: Option<Section>,
    /// The file's text.
    pub text: &'a [u8],
    pub function: Arc<str>,
    /// What the text calls it.
    pub label: Arc<str>,
    /// The steps so far.
    pub steps: Steps,
    /// The steps at the starts of regions, by where these stand and the item's place in the directive.
    pub opened: FxHashMap<(NodeId, usize), StepId>,
}

/// What a step belongs to.
#[derive(Clone, Copy)]
struct StepSource<'a> {
    node: NodeId,
    span: Span,
    /// The conditions of the directive whose step it is.
    when: &'a [StepCondition],
    device: &'a StepDevice,
    /// The name of its construct.
    construct: &'a Arc<str>,
    /// A kernel uses the array by a pointer that no clause names.
    implied: bool,
    /// See [`Used::by_other_callers`].
    by_other_callers: bool,
}

impl<'a> NodeSteps<'a> {
    /// Adds the steps of a node: what ends there, what stands there, what starts there, and what is done there.
    pub fn node(&mut self, node: NodeId) {
        let directives = self.directives;
        for directive in directives.leaving(node).rev() {
            self.items(node, directive, true);
        }
        for directive in directives.entering(node) {
            self.items(node, directive, false);
        }
        let launch = match self.model.coarse.node(node).kind {
            NodeKind::Whole(stmt) => self.model.constructs.launch_at(stmt),
            _ => None,
        };
        match launch {
            Some(launch) => self.kernel(node, launch),
            None => {
                let source = StepSource {
                    node,
                    span: self.span_of(node),
                    when: &[],
                    device: &StepDevice::Default,
                    construct: &Arc::default(),
                    implied: false,
                    by_other_callers: false,
                };
                self.code(source, None);
            }
        }
    }

    /// The steps of a kernel, between those that its maps are.
    fn kernel(&mut self, node: NodeId, launch: usize) {
        let pragma = self.model.constructs.launches[launch].pragma;
        let asked = &self.directives.kernels[launch];
        let source = StepSource {
            node,
            span: self.model.tree.pragma(pragma).span,
            when: &asked.when,
            device: &asked.device,
            construct: &asked.construct,
            implied: false,
            by_other_callers: false,
        };
        let uses = self.uses(node, Some(launch)).events().next().is_some()
            || asked.items.iter().any(|item| item.base == self.base);
        let in_parts = asked.in_parts.iter().any(|base| self.may_be(*base, true));
        if in_parts
            || asked.items.iter().any(|item| self.may_be(item.base, false))
            || (uses && (asked.not_followed.is_some() || self.has_copy(launch)))
        {
            self.push(StepSource { when: &[], ..source }, StepAction::Unknown);
            return;
        }
        let mut opened = Vec::new();
        for item in self.own_items(launch, node) {
            let step = self.map(source, &item, None);
            opened.push((step, item));
        }
        let implied = opened.is_empty();
        if !implied && self.is_mentioned(self.model.constructs.launches[launch].stmt) {
            // Who takes an address needs the array there, and reads nothing.
            self.push(source, StepAction::KernelRead(Used::default()));
        }
        let by_other_callers = implied && self.only_functions_may_use(launch, node);
        let source_of_code = StepSource {
            implied,
            by_other_callers,
            ..source
        };
        self.code(source_of_code, Some(launch));
        for (step, item) in opened.into_iter().rev() {
            self.map(source, &item.ending(), Some(step));
        }
    }

    /// Whether nothing shows that a kernel uses the object but that functions do which it calls, for some of their callers: neither the object is named
    /// there, nor the local variable that it is reached from.
    fn only_functions_may_use(&self, launch: usize, node: NodeId) -> bool {
        let calls = self.accesses.calls(node);
        let uses = self.uses(node, Some(launch));
        if calls.is_empty() || uses.events().next().is_none() {
            return false;
        }
        let passed = |inst: &InstId| match &self.model.function().inst(*inst).op {
            Op::Call { args, .. } => {
                let mut pointers = args.iter().filter_map(|arg| self.model.values.ptr(arg));
                pointers.any(|at| at.base == self.base)
            }
            _ => true,
        };
        let is_reached = || {
            let stmt = self.model.constructs.launches[launch].stmt;
            let inside = words(self.text, self.model.tree.stmt(stmt).span);
            let label = self.words_of_label();
            let root = label.first();
            root.is_none_or(|root| inside.contains(root) || self.model.visible_variable(stmt, root).is_none())
        };
        uses.accesses().is_empty() && !calls.iter().any(passed) && !is_reached()
    }

    fn words_of_label(&self) -> Vec<String> {
        words(self.label.as_bytes(), Span::new(0, self.label.len()))
    }

    /// Whether the text of a statement has the words by which the object is called.
    fn is_mentioned(&self, stmt: StmtId) -> bool {
        let inside = words(self.text, self.model.tree.stmt(stmt).span);
        self.words_of_label().iter().all(|word| inside.contains(word))
    }

    fn push(&mut self, source: StepSource<'_>, mut action: StepAction) -> StepId {
        if let StepAction::KernelRead(used) | StepAction::KernelWrite(used) = &mut action {
            used.by_other_callers = source.by_other_callers;
        }
        let is_use = matches!(action, StepAction::KernelRead(_) | StepAction::KernelWrite(_));
        let placed = (source.implied && is_use).then(|| PlacedItem {
            construct: source.construct.clone(),
            text: self.label.trim_matches('`').into(),
            implied: true,
            moment: Moment::RegionEntry,
            element: self.element,
            elements: None,
        });
        self.place(source, action, placed)
    }

    /// Adds what a list item asks for; at the end of a region, that of which this one was the start.
    fn map(&mut self, source: StepSource<'_>, item: &RequestedItem, opened: Option<StepId>) -> StepId {
        let RequestedItem {
            request, section, text, ..
        } = item;
        let placed = PlacedItem {
            construct: source.construct.clone(),
            text: text.clone().unwrap_or_else(|| self.label.trim_matches('`').into()),
            implied: text.is_none(),
            moment: request.moment,
            element: self.element,
            elements: section.as_ref().and_then(constant_length),
        };
        let action = StepAction::Map {
            request: *request,
            section: section.clone(),
            opened,
        };
        self.place(source, action, Some(placed))
    }

    fn place(&mut self, source: StepSource<'_>, action: StepAction, item: Option<PlacedItem>) -> StepId {
        let StepSource {
            node,
            span,
            when,
            device,
            ..
        } = source;
        let id = self.places.number(StepPlace {
            unit: self.unit,
            span,
            function: self.function.clone(),
            label: self.label.clone(),
            frequency: frequency(self.model, self.model.coarse, node),
            item,
            // Where pointers trade places a name means now this and now that object.
            insertion: match self.family.names.as_slice() {
                [_] => insertion_before(self.model.tree, span),
                _ => None,
            },
        });
        let when = when.to_vec();
        let device = device.clone();
        let step = Step {
            id,
            when,
            device,
            action,
        };
        self.steps.push(node, step);
        id
    }

    /// What the code of a node does with the name, in a kernel or on the host.
    fn uses(&self, node: NodeId, launch: Option<usize>) -> NodeUses<'a> {
        NodeUses {
            model: self.model,
            accesses: self.accesses,
            events: self.events,
            name: self.name,
            base: self.base,
            element: self.element,
            node,
            launch,
        }
    }

    /// Whether what a list item names may be the array by another name, and it is not known whether it is; `itself`: by its own name, too.
    fn may_be(&self, named: Base, itself: bool) -> bool {
        if self.family.names.contains(&named) {
            return itself && named == self.base;
        }
        may_overlap(self.model, self.base, named) && !self.directives.name_both(self.base, named)
    }

    /// What a kernel does with the array, which is a variable, where no item of a clause is about it.
    fn attribute(&self, launch: usize) -> Attribute {
        let variable = RegionVariable {
            name: self.label.trim_matches('`'),
            class: VariableClass::Array,
            iterates: false,
            declared: DeclaredTarget::No,
        };
        let directive = &self.model.constructs.launches[launch].directive;
        attribute(directive, &variable, SpecVersion::default()).attribute
    }

    /// Whether a kernel has a copy of the array for itself, of which nothing is followed.
    fn has_copy(&self, launch: usize) -> bool {
        let is_variable = !matches!(self.base, Base::Value(_));
        let is_private = || matches!(self.attribute(launch), Attribute::Private | Attribute::Firstprivate);
        is_variable && is_private()
    }

    /// What a kernel maps of the array: what its clauses say, or else what is implied where it uses the array.
    fn own_items(&self, launch: usize, node: NodeId) -> Vec<RequestedItem> {
        let items = self.directives.kernels[launch]
            .items
            .iter()
            .filter(|item| item.base == self.base);
        let mut said: Vec<RequestedItem> = items.cloned().collect();
        // Of clauses that name one thing, those that bring values come first.
        said.sort_by_key(|item| !matches!(item.request.map_type, MapType::To | MapType::Tofrom));
        let mut events = self.uses(node, Some(launch)).events();
        let uses = events.any(|e| matches!(e.kind, EventKind::Launch { .. }));
        // What a pointer leads to is mapped by nobody, where no clause says it: it is there or it is not.
        if !said.is_empty() || !uses || matches!(self.base, Base::Value(_)) {
            return said;
        }
        let spoken = SpokenOf::at(self.model, self.accesses, node, self.base);
        if spoken.by_pointer && !spoken.by_name {
            return said;
        }
        let Attribute::Map {
            map_type,
            always,
            present,
        } = self.attribute(launch)
        else {
            return said;
        };
        let request = MapRequest {
            always,
            present,
            ..MapRequest::new(Moment::RegionEntry, map_type)
        };
        vec![RequestedItem {
            base: self.base,
            request,
            section: self.extent.clone(),
            text: None,
        }]
    }

    /// What a directive asks for of the array where it stands, or at the end of its region; or of what may be it by another name, of which nothing is
    /// known then.
    fn items(&mut self, node: NodeId, directive: &DirectiveRequests, ends: bool) {
        let asked = &directive.requests;
        let source = StepSource {
            node,
            span: directive.span,
            when: &asked.when,
            device: &asked.device,
            construct: &asked.construct,
            implied: false,
            by_other_callers: false,
        };
        let in_parts = asked.in_parts.iter().any(|base| self.may_be(*base, true));
        if in_parts || asked.items.iter().any(|item| self.may_be(item.base, false)) || asked.not_followed.is_some() {
            self.push(StepSource { when: &[], ..source }, StepAction::Unknown);
            return;
        }
        let base = self.base;
        for (at, item) in asked.items.iter().enumerate().filter(|(_, item)| item.base == base) {
            let key = (directive.enters, at);
            if ends {
                self.map(source, &item.ending(), self.opened.get(&key).copied());
            } else {
                let step = self.map(source, item, None);
                self.opened.insert(key, step);
            }
        }
    }

    /// What the code of a node does: what it reads, whom it calls, and what it writes.
    fn code(&mut self, source: StepSource<'_>, launch: Option<usize>) {
        let node = source.node;
        let of_name = |i: &InstId| Some(self.calls.get(i)?[self.name].clone());
        let calls: Vec<_> = self.accesses.calls(node).iter().filter_map(of_name).collect();
        let is_step = launch.is_some() || !matches!(self.model.coarse.node(node).kind, NodeKind::Whole(_));
        let does_something = calls.iter().flatten().any(|graph| !graph.is_empty());
        let is_free = |e: &Event| matches!(e.kind, EventKind::Free);
        let freed_somehow = self.events.freed.contains(&node) && !self.events.events.at(node).iter().any(is_free);
        if self.events.barriers.contains_key(&node) || freed_somehow || (does_something && !is_step) {
            self.push(source, StepAction::Unknown);
            return;
        }
        let uses = self.uses(node, launch);
        for action in uses.reads(does_something) {
            self.push(source, action);
        }
        for graphs in calls.into_iter().filter(|graphs| graphs.iter().any(|g| !g.is_empty())) {
            self.push(source, StepAction::Call(graphs));
        }
        for action in uses.writes() {
            self.push(source, action);
        }
    }

    /// Where a node stands in the text.
    fn span_of(&self, node: NodeId) -> Span {
        let stmt = self.model.coarse.stmt_of(node);
        stmt.map_or_else(Span::default, |stmt| self.model.tree.stmt(stmt).span)
    }
}

/// The words of a part of a text.
fn words(text: &[u8], span: Span) -> Vec<String> {
    let words = identifiers(text, span);
    words.into_iter().map(|(word, _)| word).collect()
}

/// How many elements a section has, where that is a constant.
fn constant_length(section: &Section) -> Option<u64> {
    let length = section.hi.sub(&section.lo)?.as_constant()?;
    u64::try_from(length).ok()
}
