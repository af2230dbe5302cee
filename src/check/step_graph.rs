//! The steps of one object in a function, with the order in which control may come to them.
//!
//! ```c
//! void smooth(double *v, int n)                    // 0 entry ─► 2 region entry, kernel, region exit ─► 1 exit
//! {
//!     #pragma omp target … map(tofrom: v[0:n])
//!     …
//! }
//! smooth(a + 1, m);                                // Call: the graph with v[0:n] = a[1:m+1]
//! ```
//!
//! A graph of its own needs no text and no model: so it can be said in the terms of a caller ([`StepGraph::mapped`]), and be a step of that
//! function's graph. Nodes without steps are left out where no edge more is needed for that.
//!
//! **Conditions.** A node may say what is asked there ([`StepNode::asks`]), and its edges which answer they are for: where a directive asks the same thing, either
//! both do something or neither does.
//!
//! **Loops that do not run.** The head of a loop has two nodes: control comes to the first from in front of the loop, and to the second from its
//! end. An edge from the first to what follows the loop is *idle*: control takes it only if the loop has nothing to do. Where it is known that the
//! loop runs, there is no such edge.

use super::conditions::{AssumedOutcomes, StepCondition};
use super::stale::StepId;
use super::steps::{Step, StepAction, StepEdge, StepGraph, StepNode, Used};
use crate::analysis::access::SectionInLoops;
use crate::program::graph::{FlowGraph, NodeId};
use crate::symbolic::{Expr, Section, SectionSet, Sym};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What branches ask, by the nodes of their conditions, whose first way on is the one where it holds.
pub type Branches = FxHashMap<NodeId, Vec<StepCondition>>;

/// The steps of an object, in order, by node.
#[derive(Clone, Default, Debug)]
pub struct Steps {
    by_node: FxHashMap<NodeId, Vec<Step>>,
}

impl Steps {
    /// Adds a step behind those of its node.
    pub fn push(&mut self, node: NodeId, step: Step) {
        self.by_node.entry(node).or_default().push(step);
    }

    /// The steps with the ways of a function's graph between them, by the same numbers; and what its branches ask. No way leads on from where the
    /// program ends.
    pub fn into_graph(mut self, graph: &FlowGraph, asks: &Branches, endings: &FxHashSet<NodeId>) -> StepGraph {
        let succs = |id: NodeId| match endings.contains(&id) {
            true => [].as_slice(),
            false => &graph.node(id).succs,
        };
        let node = |id: NodeId| {
            let asks = asks.get(&id).cloned().unwrap_or_default();
            let edge = |(at, next): (usize, &NodeId)| StepEdge {
                holds: (!asks.is_empty()).then_some(at == 0),
                ..StepEdge::to(next.0 as usize)
            };
            StepNode {
                steps: self.by_node.remove(&id).unwrap_or_default(),
                succs: succs(id).iter().enumerate().map(edge).collect(),
                asks,
                origin: id.0 as usize,
            }
        };
        StepGraph {
            nodes: graph.ids().map(node).collect(),
        }
    }
}

impl StepEdge {
    /// An edge that control may take whatever loops and conditions do.
    pub fn to(to: usize) -> StepEdge {
        StepEdge {
            to,
            idle: false,
            holds: None,
        }
    }
}

impl StepNode {
    /// Whether a way from there is taken, if conditions come out in some way.
    pub fn takes(&self, edge: StepEdge, assumed: &AssumedOutcomes, idle: bool) -> bool {
        let known = edge
            .holds
            .filter(|_| !self.asks.is_empty())
            .zip(assumed.holds(&self.asks));
        known.map_or(idle || !edge.idle, |(wanted, holds)| wanted == holds)
    }
}

/// A loop of a graph.
pub struct StepLoop {
    /// Where each iteration begins.
    pub head: usize,
    /// The loop's nodes, in order.
    pub nodes: Vec<usize>,
    /// The loop has something to do whenever control comes to it.
    pub runs: bool,
    /// What holds where it has something to do, and nowhere else, if that is known.
    pub asks: Option<StepCondition>,
    /// What counts its iterations, if that is known.
    pub counter: Option<LoopCounter>,
}

/// The counter of a loop: it has its first value in the first iteration, and changes by its step behind each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopCounter {
    /// The counter's value in an iteration.
    pub sym: Sym,
    pub first: Expr,
    pub step: i128,
}

/// Who uses elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UsingSide {
    Host,
    /// Kernels and directives.
    Device,
}

/// What is said of elements in other terms; `None`: that has no meaning there.
pub trait Translation {
    /// At least these elements.
    fn covering(&self, section: &Section, side: UsingSide) -> Option<Section>;
    /// Exactly the elements of a section.
    fn exact(&self, section: &Section, side: UsingSide) -> Option<Section>;
    /// A condition that holds where another one does, and nowhere else.
    fn condition(&self, condition: &StepCondition) -> StepCondition;
    /// A number that is another one whenever control comes there.
    fn number(&self, number: &Expr) -> Option<Expr>;
}

impl StepGraph {
    /// Where control enters.
    pub const ENTRY: usize = 0;
    /// Where control leaves.
    pub const EXIT: usize = 1;

    /// A graph in which nothing happens.
    pub fn nothing() -> StepGraph {
        StepGraph {
            nodes: vec![
                StepNode {
                    succs: vec![StepEdge::to(StepGraph::EXIT)],
                    ..StepNode::default()
                },
                StepNode::default(),
            ],
        }
    }

    /// How many steps there are, those of calls included.
    pub fn len(&self) -> usize {
        let of_step = |step: &Step| match &step.action {
            StepAction::Call(graphs) => 1 + graphs.iter().map(|g| g.len()).sum::<usize>(),
            _ => 1,
        };
        self.steps().map(of_step).sum()
    }

    /// Whether there are no steps.
    pub fn is_empty(&self) -> bool {
        self.steps().next().is_none()
    }

    /// Whether directives, kernels or code that is not known have to do with the object.
    pub fn meets_device(&self) -> bool {
        self.is_on_device() || self.any_step(&|action| matches!(action, StepAction::Unknown))
    }

    /// Whether directives or kernels have to do with the object. Where none has, nothing is ever said of it.
    pub fn is_on_device(&self) -> bool {
        self.any_step(&|action| match action {
            StepAction::OtherDeviceWrite(_)
            | StepAction::Map { .. }
            | StepAction::KernelRead(_)
            | StepAction::KernelWrite(_) => true,
            StepAction::HostRead(_)
            | StepAction::HostWrite(_)
            | StepAction::Free
            | StepAction::Call(_)
            | StepAction::Unknown => false,
        })
    }

    /// Whether some step does what is asked for, here or in what is called.
    fn any_step(&self, wanted: &dyn Fn(&StepAction) -> bool) -> bool {
        self.steps().any(|step| match &step.action {
            StepAction::Call(graphs) => graphs.iter().any(|graph| graph.any_step(wanted)),
            action => wanted(action),
        })
    }

    /// The conditions of its steps, those of calls included, each as often as it is asked.
    pub fn conditions(&self) -> Vec<StepCondition> {
        let of_step = |step: &Step| {
            let called = match &step.action {
                StepAction::Call(graphs) => graphs.iter().flat_map(|g| g.conditions()).collect(),
                _ => Vec::new(),
            };
            step.when.iter().cloned().chain(called).collect::<Vec<_>>()
        };
        self.steps().flat_map(of_step).collect()
    }

    /// The conditions by which control takes one way or another, those of calls included, each as often as it is asked.
    pub fn branches(&self) -> Vec<StepCondition> {
        let own = self.nodes.iter().flat_map(|node| node.asks.iter().cloned());
        let called = self.steps().flat_map(|step| match &step.action {
            StepAction::Call(graphs) => graphs.iter().flat_map(|g| g.branches()).collect(),
            _ => Vec::new(),
        });
        own.chain(called).collect()
    }

    /// Its own list items and calls.
    pub fn own_items(&self) -> Vec<StepId> {
        let is_one = |step: &&Step| matches!(step.action, StepAction::Map { .. } | StepAction::Call(_));
        self.steps().filter(is_one).map(|step| step.id).collect()
    }

    /// Whether it is known of all steps what they do, those of calls included.
    pub fn is_followed(&self) -> bool {
        self.steps().all(|step| match &step.action {
            StepAction::Call(graphs) => graphs.iter().all(|g| g.is_followed()),
            StepAction::Unknown => false,
            _ => true,
        })
    }

    /// All its steps, those of calls included.
    pub fn all_ids(&self) -> BTreeSet<StepId> {
        let of_step = |step: &Step| match &step.action {
            StepAction::Call(graphs) => graphs.iter().flat_map(|g| g.all_ids()).chain([step.id]).collect(),
            _ => vec![step.id],
        };
        self.steps().flat_map(of_step).collect()
    }

    /// Its own steps: not those of calls.
    pub fn own_steps(&self) -> impl Iterator<Item = &Step> {
        self.steps()
    }

    /// Its list items, those of calls included.
    pub fn items(&self) -> Vec<StepId> {
        let of_step = |step: &Step| match &step.action {
            StepAction::Map { .. } => vec![step.id],
            StepAction::Call(graphs) => graphs.iter().flat_map(|g| g.items()).collect(),
            _ => Vec::new(),
        };
        self.steps().flat_map(of_step).collect()
    }

    fn steps(&self) -> impl Iterator<Item = &Step> {
        self.nodes.iter().flat_map(|node| &node.steps)
    }

    /// The graph with sections in other terms. What may be used is everything, and what surely is is nothing, where they have no meaning
    /// there.
    #[must_use]
    pub fn mapped(&self, to: &dyn Translation) -> StepGraph {
        StepGraph {
            nodes: self.nodes.iter().map(|node| node.in_terms(to)).collect(),
        }
    }

    /// The graph with two nodes for the head of each loop that is left from there.
    #[must_use]
    pub fn with_first_iterations(mut self, loops: &[StepLoop]) -> StepGraph {
        for l in loops {
            let is_inside = |at: usize| l.nodes.binary_search(&at).is_ok();
            let head = &self.nodes[l.head];
            let (inside, behind): (Vec<StepEdge>, Vec<StepEdge>) = head.succs.iter().partition(|e| is_inside(e.to));
            if inside.is_empty() || behind.is_empty() {
                continue;
            }
            let idle = behind.into_iter().filter(|_| !l.runs);
            let idle = idle.map(|to| StepEdge {
                idle: true,
                holds: Some(false),
                ..to
            });
            let inside = inside.into_iter().map(|to| StepEdge {
                holds: Some(true),
                ..to
            });
            let first = StepNode {
                steps: head.steps.clone(),
                asks: l.asks.iter().cloned().collect(),
                succs: inside.chain(idle).collect(),
                origin: head.origin,
            };
            let at = self.nodes.len();
            for (from, node) in self.nodes.iter_mut().enumerate() {
                if !is_inside(from) {
                    node.succs.iter_mut().filter(|e| e.to == l.head).for_each(|e| e.to = at);
                }
            }
            self.nodes.push(first);
        }
        self
    }

    /// The graph without nodes that have no steps and only one way in, or one way out. What a node's conditions choose stays.
    #[must_use]
    pub fn compressed(mut self) -> StepGraph {
        let mut preds: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            for next in &node.succs {
                preds[next.to].push(at);
            }
        }
        for at in 2..self.nodes.len() {
            let node = &self.nodes[at];
            let loops = node.succs.iter().any(|e| e.to == at);
            let chosen = preds[at].iter().any(|p| !self.nodes[*p].asks.is_empty()) && node.succs.len() != 1;
            let stays = !node.steps.is_empty() || !node.asks.is_empty() || loops || chosen;
            if stays || (node.succs.len() != 1 && preds[at].len() != 1) {
                continue;
            }
            let (before, after) = (
                std::mem::take(&mut preds[at]),
                std::mem::take(&mut self.nodes[at].succs),
            );
            for &p in &before {
                let succs = &mut self.nodes[p].succs;
                let ways: Vec<StepEdge> = succs.iter().filter(|e| e.to == at).copied().collect();
                succs.retain(|e| e.to != at);
                let both = ways.iter().flat_map(|way| after.iter().map(move |next| (*way, *next)));
                succs.extend(both.map(|(way, next)| StepEdge {
                    to: next.to,
                    idle: way.idle | next.idle,
                    holds: way.holds,
                }));
                succs.sort_unstable();
                succs.dedup();
            }
            for next in &after {
                let preds = &mut preds[next.to];
                preds.retain(|p| *p != at);
                preds.extend(&before);
                preds.sort_unstable();
                preds.dedup();
            }
        }
        self.without_unreached()
    }

    /// The graph without nodes that control does not come to, but for its end.
    #[must_use]
    pub fn without_unreached(self) -> StepGraph {
        let mut number: Vec<Option<usize>> = vec![None; self.nodes.len()];
        (number[StepGraph::ENTRY], number[StepGraph::EXIT]) = (Some(StepGraph::ENTRY), Some(StepGraph::EXIT));
        let (mut order, mut work) = (vec![StepGraph::ENTRY, StepGraph::EXIT], vec![StepGraph::ENTRY]);
        while let Some(at) = work.pop() {
            for next in &self.nodes[at].succs {
                if number[next.to].is_none() {
                    number[next.to] = Some(order.len());
                    order.push(next.to);
                    work.push(next.to);
                }
            }
        }
        let mut old = self.nodes;
        let node = |at: &usize| {
            let StepNode {
                steps,
                asks,
                succs,
                origin,
            } = std::mem::take(&mut old[*at]);
            let succs = succs
                .into_iter()
                .filter_map(|e| Some(StepEdge { to: number[e.to]?, ..e }));
            StepNode {
                steps,
                asks,
                succs: succs.collect(),
                origin,
            }
        };
        StepGraph {
            nodes: order.iter().map(node).collect(),
        }
    }
}

impl StepNode {
    /// The node in other terms.
    #[must_use]
    pub fn in_terms(&self, to: &dyn Translation) -> StepNode {
        StepNode {
            steps: self.steps.iter().map(|step| step.in_terms(to)).collect(),
            asks: self.asks.iter().map(|c| to.condition(c)).collect(),
            succs: self.succs.clone(),
            origin: self.origin,
        }
    }
}

impl Step {
    /// The step in other terms.
    #[must_use]
    pub fn in_terms(&self, to: &dyn Translation) -> Step {
        let in_loops = |each: &SectionInLoops, side: UsingSide| {
            let ranges = each.ranges.iter().filter_map(|range| to.exact(range, side));
            Some(SectionInLoops {
                section: to.covering(&each.section, side)?,
                ranges: ranges.collect(),
            })
        };
        let used = |used: &Used, side: UsingSide| Used {
            may: all_of(&used.may, &|s| to.covering(s, side)),
            must: some_of(&used.must, &|s| to.exact(s, side)),
            each: used.each.iter().filter_map(|each| in_loops(each, side)).collect(),
            anywhere: used.anywhere,
            unconditional: used.unconditional,
            by_other_callers: used.by_other_callers,
        };
        let action = match &self.action {
            StepAction::Map {
                request,
                section,
                opened,
            } => StepAction::Map {
                request: *request,
                section: section.as_ref().and_then(|s| to.exact(s, UsingSide::Device)),
                opened: *opened,
            },
            StepAction::HostRead(u) => StepAction::HostRead(used(u, UsingSide::Host)),
            StepAction::HostWrite(u) => StepAction::HostWrite(used(u, UsingSide::Host)),
            StepAction::OtherDeviceWrite(u) => StepAction::OtherDeviceWrite(used(u, UsingSide::Device)),
            StepAction::KernelRead(u) => StepAction::KernelRead(used(u, UsingSide::Device)),
            StepAction::KernelWrite(u) => StepAction::KernelWrite(used(u, UsingSide::Device)),
            StepAction::Call(graphs) => StepAction::Call(graphs.iter().map(|g| Arc::new(g.mapped(to))).collect()),
            StepAction::Free => StepAction::Free,
            StepAction::Unknown => StepAction::Unknown,
        };
        Step {
            id: self.id,
            when: self.when.iter().map(|c| to.condition(c)).collect(),
            device: self.device.in_terms(&|number| to.number(number)),
            action,
        }
    }
}

/// At least these elements.
fn all_of(set: &SectionSet, translate: &dyn Fn(&Section) -> Option<Section>) -> SectionSet {
    match set {
        SectionSet::Union(list) => {
            let list: Option<Vec<Section>> = list.iter().map(translate).collect();
            list.map_or(SectionSet::All, SectionSet::Union)
        }
        other => other.clone(),
    }
}

/// At most these elements.
fn some_of(set: &SectionSet, translate: &dyn Fn(&Section) -> Option<Section>) -> SectionSet {
    match set {
        SectionSet::Union(list) => {
            let list: Vec<Section> = list.iter().filter_map(translate).collect();
            match list.is_empty() {
                true => SectionSet::Empty,
                false => SectionSet::Union(list),
            }
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::stale::StepId;
    use crate::check::step_device::StepDevice;

    fn read(id: u32, hi: Expr) -> Step {
        let set = SectionSet::Union(vec![Section::new(Expr::zero(), hi)]);
        Step {
            id: StepId(id),
            when: Vec::new(),
            device: StepDevice::Default,
            action: StepAction::HostRead(Used {
                may: set.clone(),
                must: set.clone(),
                each: set.sections().iter().cloned().map(SectionInLoops::always).collect(),
                anywhere: false,
                unconditional: true,
                by_other_callers: false,
            }),
        }
    }

    /// The first symbol is 7, others mean nothing.
    struct Seven;

    impl Translation for Seven {
        fn covering(&self, section: &Section, side: UsingSide) -> Option<Section> {
            self.exact(section, side)
        }
        fn exact(&self, section: &Section, _: UsingSide) -> Option<Section> {
            section.map_syms(&mut |sym| (sym == Sym(0)).then(|| Expr::constant(7)))
        }
        fn condition(&self, condition: &StepCondition) -> StepCondition {
            condition.clone()
        }
        fn number(&self, number: &Expr) -> Option<Expr> {
            Some(number.clone())
        }
    }

    #[test]
    fn what_has_no_meaning_elsewhere_is_everything_or_nothing() {
        let mut graph = StepGraph::nothing();
        graph.nodes[0].steps = vec![read(0, Expr::sym(Sym(0))), read(1, Expr::sym(Sym(1)))];
        let mapped = graph.mapped(&Seven);
        let StepAction::HostRead(first) = &mapped.nodes[0].steps[0].action else {
            unreachable!()
        };
        assert_eq!(first.must.sections()[0].hi, Expr::constant(7));
        let StepAction::HostRead(second) = &mapped.nodes[0].steps[1].action else {
            unreachable!()
        };
        assert!(second.may.is_all() && second.must == SectionSet::Empty);
    }

    #[test]
    fn nodes_without_steps_go_where_no_edge_more_is_needed() {
        // 0 ─► 2 ─► 3 ─► 1 and 3 ─► 2; only 3 has a step.
        let node = |steps: Vec<Step>, succs: &[usize]| StepNode {
            steps,
            succs: succs.iter().map(|to| StepEdge::to(*to)).collect(),
            ..StepNode::default()
        };
        let graph = StepGraph {
            nodes: vec![
                node(Vec::new(), &[2]),
                node(Vec::new(), &[]),
                node(Vec::new(), &[3]),
                node(vec![read(0, Expr::constant(1))], &[1, 2]),
            ],
        };
        let compressed = graph.compressed();
        assert_eq!(compressed.nodes.len(), 3);
        assert_eq!(compressed.nodes[0].succs, [StepEdge::to(2)]);
        assert_eq!(compressed.nodes[2].succs, [StepEdge::to(1), StepEdge::to(2)]);
        assert!(!compressed.meets_device() && compressed.len() == 1);
    }

    #[test]
    fn what_loops_do_not_do_is_told_apart() {
        // 0 ─► 2 (head) ─► 3 ─► 2, and 2 ─► 1.
        let node = |succs: &[usize]| StepNode {
            succs: succs.iter().map(|to| StepEdge::to(*to)).collect(),
            ..StepNode::default()
        };
        let edge = |to, idle| StepEdge {
            to,
            idle,
            holds: Some(!idle),
        };
        let graph = StepGraph {
            nodes: vec![node(&[2]), node(&[]), node(&[3, 1]), node(&[2])],
        };
        let of = |runs| {
            let loops = [StepLoop {
                head: 2,
                nodes: vec![2, 3],
                runs,
                asks: None,
                counter: None,
            }];
            graph.clone().with_first_iterations(&loops)
        };
        let perhaps = of(false);
        assert_eq!(perhaps.nodes[0].succs, [StepEdge::to(4)]);
        assert_eq!(perhaps.nodes[4].succs, [edge(3, false), edge(1, true)]);
        assert_eq!(perhaps.nodes[3].succs, [StepEdge::to(2)]);
        assert_eq!(of(true).nodes[4].succs, [edge(3, false)]);
    }
}
