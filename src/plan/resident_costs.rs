//! What arrays cost that stay on the device from their first kernel on, against what they cost otherwise.
//!
//! The two figures are of one run of the program: what happens in a function counts as often as `main` is expected to
//! call it, however indirectly.

use super::inputs::Inputs;
use super::model::ExpectedCopies;
use super::residents::Resident;
use super::spans::{before_kernels, whole_body};
use super::{candidates, cost};
use crate::analysis::movement::budget::least_balance;
use crate::analysis::movement::estimate::expected_elements;
use crate::analysis::movement::family::{Family, header_edges, naming};
use crate::analysis::movement::flow::Flow;
use crate::analysis::movement::loop_symbols::FunctionTerms;
use crate::analysis::movement::placement::{Placement, ResidencySpan};
use crate::analysis::movement::problem::{Event, EventKind, NodeEvents, Problem, Renamed};
use crate::analysis::movement::set_operations::one;
use crate::program::graph::{FlowGraph, NodeId};
use crate::program::ir::FuncId;
use crate::program::objects::MemLoc;
use crate::symbolic::{Expr, Facts, Section, SectionSet};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a plan is expected to cost, by function and array.
#[derive(Default, Debug)]
pub(super) struct Tally {
    /// Callers first.
    pub functions: Vec<(FuncId, Vec<ExpectedCopies>)>,
    calls: FxHashMap<FuncId, Vec<(FuncId, f64)>>,
    /// All of it.
    cost: f64,
}

impl Tally {
    /// Adds a function, after its callers.
    pub fn add(&mut self, func: FuncId, copied: Vec<ExpectedCopies>, calls: Vec<(FuncId, f64)>, cost: f64) {
        self.functions.push((func, copied));
        self.calls.insert(func, calls);
        self.cost += cost;
    }

    /// What all but some arrays cost.
    pub fn cost_of_others(&self, but: &[Resident]) -> f64 {
        let all = self.functions.iter().flat_map(|(_, copied)| copied);
        let of_these = all.filter(|c| but.iter().any(|r| r.is(c.root.as_ref(), &c.locs)));
        self.cost - of_these.map(|c| c.all).sum::<f64>()
    }

    /// All of it, but for calls: what they copy is told as written, whatever was planned in the callee.
    pub fn cost_of_own(&self) -> f64 {
        let all = self.functions.iter().flat_map(|(_, copied)| copied);
        self.cost - all.map(|c| c.all - c.own).sum::<f64>()
    }

    /// What arrays that may be at some locations cost, but for calls.
    pub fn cost_at(&self, locs: &[MemLoc]) -> f64 {
        let is_there = |c: &&ExpectedCopies| c.locs.iter().any(|l| locs.iter().any(|at| at.object == l.object));
        let all = self.functions.iter().flat_map(|(_, copied)| copied);
        all.filter(is_there).map(|c| c.own).sum()
    }

    /// What an array costs in one run of the program: by the kernels and regions of each function, as often as it is called.
    pub fn in_a_run(&self, array: &Resident, main: FuncId) -> f64 {
        let mut often: FxHashMap<FuncId, f64> = FxHashMap::default();
        often.insert(main, 1.0);
        let mut cost = 0.0;
        for (func, copied) in &self.functions {
            let times = often.get(func).copied().unwrap_or(0.0);
            let own = copied.iter().filter(|c| array.is(c.root.as_ref(), &c.locs));
            cost += own.map(|c| c.own).sum::<f64>() * times;
            for (callee, each) in self.calls.get(func).into_iter().flatten() {
                *often.entry(*callee).or_default() += times * each;
            }
        }
        cost
    }
}

/// What calls in `main` do to arrays that it does not touch itself: whether kernels pay for all updates on every way, and how
/// many elements are expected to be copied, first copies included. `None` where that is not known.
pub(super) fn of_calls(inputs: &Inputs<'_>, array: &Resident) -> Option<(bool, f64)> {
    let model = inputs.model;
    let touches = |locs: &[MemLoc]| locs.is_empty() || locs.iter().any(|l| array.objects.contains(&l.object));
    for call in &inputs.calls {
        let nameless = call.uses.iter().any(|u| u.base.is_none() && touches(&u.locs));
        if nameless || call.opaque.iter().any(|(o, _)| touches(&o.locs)) {
            return None;
        }
    }
    let mut ours = candidates::find(inputs);
    ours.retain(|c| touches(&c.locs));
    let first = ours.first()?.clone();
    let is_unwanted = ours.iter().any(|c| inputs.is_unwanted_for_callers(c));
    if is_unwanted || !ours.iter().all(|c| matches!(c.family, Family::Single(_))) {
        return None;
    }
    let (_, span) = whole_body(inputs.model)?;
    let naming = naming(model, &first.family, &span).ok()?;
    let (loops, headers) = inputs.loops();
    let some = Section::whole(Expr::constant(1));
    let nothing = |_: &Section, _: NodeId| false;
    let facts = Facts::new();
    let terms = FunctionTerms {
        model,
        loops: headers.iter().map(|h| h.1).collect(),
        facts: facts.clone(),
        certain: facts.clone(),
        extent: some.clone(),
        nameable: &nothing,
        in_object: &nothing,
    };
    let mut events = NodeEvents::default();
    for candidate in &ours {
        for start in candidate.launches.iter().filter(|l| !inputs.is_hosted(candidate, **l)) {
            let kind = EventKind::Launch {
                reads: one(some.clone()),
                may: SectionSet::Empty,
                must: Vec::new(),
            };
            events.at_mut(inputs.start_node(*start)?).push(Event { cell: 0, kind });
        }
    }
    let problem = Problem {
        flow: Flow::of(model.coarse),
        cells: 1,
        events,
        header_edges: header_edges(model, &naming, &headers, 1),
        loops,
        extent: some,
        vouched: true,
        uniform: true,
        facts,
        live_out: SectionSet::Empty,
        speculate: inputs.file.options.speculate,
        kept_by_callers: true,
        current_on_host: false,
        hosted: FxHashSet::default(),
        renamed: Renamed::default(),
        terms: &terms,
    };
    let absent = before_kernels(&problem);
    let pays = |n: NodeId| match absent.contains(&n) {
        true => 0,
        false => {
            let launched = |c: &&_| !inputs.hosted(c).contains(&n) && inputs.pays(c, n) != 0;
            let entered = ours.iter().filter(launched).count() as i64;
            ours.iter().map(|c| inputs.pays(c, n)).sum::<i64>() - entered
        }
    };
    let through = ResidencySpan {
        exits: vec![FlowGraph::EXIT],
        ..span
    };
    let is_paid = least_balance(&problem, &through, &Placement::default(), 0, &pays).is_none_or(|net| net >= 0);
    let mut elements = 0.0;
    for candidate in &ours {
        elements += expected_elements(&Section::whole(Expr::sym(crate::symbolic::Sym(0))));
        for (node, updates) in inputs.updates_at_calls(candidate, None) {
            if !absent.contains(&node) {
                elements += updates.elements * cost::frequency(model, model.coarse, node);
            }
        }
    }
    Some((is_paid, elements))
}
