//! What all have to do in a function, as it is entered: a graph of collectives and branches.
//!
//! Calls are replaced by the graphs of what they call, as long as these are small; a large one, or one that calls itself, stays a
//! node of its own kind.

use crate::multivalued::{CallEvent, CauseId, CollectiveEvent, CollectiveStep, Context, ContextId, KeyId};
use crate::program::objects::Site;
use rustc_hash::FxHashMap;

/// A graph of more nodes is not put in the place of calls.
const LARGEST_INLINED: usize = 64;

/// What a node is.
#[derive(Clone, Debug)]
pub enum GraphNodeKind {
    /// All have to come here.
    Collective(CollectiveEvent),
    /// A call of what is not replaced.
    Call { context: ContextId },
    /// Control goes one way or another.
    Branch {
        site: Site,
        condition: KeyId,
        differs: Option<CauseId>,
        /// Which function is called, and not where control goes.
        of_callees: bool,
    },
    /// Nothing.
    Pass,
    /// The function returns.
    End,
    /// The program ends: this matches everything.
    DeadEnd,
}

/// A node.
#[derive(Clone, Debug)]
pub struct GraphNode {
    pub kind: GraphNodeKind,
    pub succs: Vec<usize>,
}

impl GraphNode {
    /// Where it is, if it is a branch.
    pub fn branch_site(&self) -> Option<Site> {
        match self.kind {
            GraphNodeKind::Branch { site, .. } => Some(site),
            _ => None,
        }
    }
}

/// The graph of a function; the first node is where control enters.
#[derive(Clone, Debug, Default)]
pub struct CollectiveGraph {
    pub nodes: Vec<GraphNode>,
}

impl CollectiveGraph {
    fn add(&mut self, kind: GraphNodeKind, succs: Vec<usize>) -> usize {
        self.nodes.push(GraphNode { kind, succs });
        self.nodes.len() - 1
    }

    /// The graph without nodes at which nothing is, but for the first one and loops of nothing else, and without those that control does
    /// not come to.
    fn compact(self) -> CollectiveGraph {
        let past: Vec<usize> = (0..self.nodes.len()).map(|at| self.past_nothing(at)).collect();
        let mut reached = vec![false; self.nodes.len()];
        let mut waiting: Vec<usize> = (0..self.nodes.len().min(1)).collect();
        while let Some(at) = waiting.pop() {
            if !std::mem::replace(&mut reached[at], true) {
                waiting.extend(self.nodes[at].succs.iter().map(|s| past[*s]));
            }
        }
        let mut number = vec![0; self.nodes.len()];
        let kept = (0..self.nodes.len()).filter(|at| reached[*at]);
        kept.enumerate().for_each(|(new, old)| number[old] = new);
        let nodes = self.nodes.into_iter().zip(&reached).filter(|(_, reached)| **reached);
        let nodes = nodes.map(|(node, _)| GraphNode {
            succs: node.succs.iter().map(|s| number[past[*s]]).collect(),
            ..node
        });
        CollectiveGraph { nodes: nodes.collect() }
    }

    /// Where control comes to from a node, past nodes at which nothing is; to some node of a loop of nothing else.
    fn past_nothing(&self, from: usize) -> usize {
        let mut at = from;
        for _ in 0..self.nodes.len() {
            match (&self.nodes[at].kind, self.nodes[at].succs.as_slice()) {
                (GraphNodeKind::Pass, &[next]) => at = next,
                _ => break,
            }
        }
        at
    }

    /// Whether control comes to its end.
    fn ends(&self) -> bool {
        self.nodes.iter().any(|node| matches!(node.kind, GraphNodeKind::End))
    }
}

/// Makes the graphs of functions as they are entered, each once.
pub struct Graphs<'c> {
    pub contexts: &'c [Context],
    /// Which collectives are looked at.
    pub wanted: &'c dyn Fn(&CollectiveEvent) -> bool,
    made: FxHashMap<ContextId, Option<CollectiveGraph>>,
    /// By context: something is to be done in it, or in what it calls.
    doing: Vec<bool>,
}

impl<'c> Graphs<'c> {
    /// None yet.
    pub fn new(contexts: &'c [Context], wanted: &'c dyn Fn(&CollectiveEvent) -> bool) -> Graphs<'c> {
        Graphs {
            contexts,
            wanted,
            made: FxHashMap::default(),
            doing: doing(contexts, wanted),
        }
    }

    /// The functions as they are entered whose graphs are no part of others: those that the analysis begins with, and what calls are left of.
    pub fn apart(&mut self, begun: &[ContextId]) -> Vec<ContextId> {
        let mut found: Vec<ContextId> = Vec::new();
        let mut waiting: Vec<ContextId> = begun.iter().rev().copied().collect();
        while let Some(context) = waiting.pop() {
            if found.contains(&context) {
                continue;
            }
            found.push(context);
            let calls = self.of(context).map(|graph| {
                let called = graph.nodes.iter().filter_map(|node| match node.kind {
                    GraphNodeKind::Call { context } => Some(context),
                    _ => None,
                });
                called.collect::<Vec<_>>()
            });
            waiting.extend(calls.into_iter().flatten());
        }
        found
    }

    /// The graph of a function as it is entered; `None` while it is being made.
    pub fn of(&mut self, context: ContextId) -> Option<&CollectiveGraph> {
        if !self.made.contains_key(&context) {
            self.made.insert(context, None);
            let graph = self.make(context).compact();
            self.made.insert(context, Some(graph));
        }
        self.made.get(&context).and_then(Option::as_ref)
    }

    fn make(&mut self, context: ContextId) -> CollectiveGraph {
        let all = self.contexts;
        let blocks = &all[context.0 as usize].blocks;
        let mut graph = CollectiveGraph::default();
        if blocks.is_empty() {
            graph.add(GraphNodeKind::DeadEnd, Vec::new());
            return graph;
        }
        // The first nodes are where blocks begin.
        for _ in blocks {
            graph.add(GraphNodeKind::Pass, Vec::new());
        }
        for (at, block) in blocks.iter().enumerate() {
            let succs = block.succs.clone();
            let mut next = match (&block.branch, block.returns, succs.is_empty()) {
                (Some(branch), _, false) => graph.add(
                    GraphNodeKind::Branch {
                        site: branch.site,
                        condition: branch.condition.key,
                        differs: branch.condition.differs,
                        of_callees: false,
                    },
                    succs,
                ),
                (_, true, _) => graph.add(GraphNodeKind::End, Vec::new()),
                (_, _, true) => graph.add(GraphNodeKind::DeadEnd, Vec::new()),
                _ => graph.add(GraphNodeKind::Pass, succs),
            };
            for event in block.events.iter().rev() {
                next = match event {
                    CollectiveStep::Collective(event) if (self.wanted)(event) => {
                        graph.add(GraphNodeKind::Collective(event.clone()), vec![next])
                    }
                    CollectiveStep::Collective(_) => next,
                    CollectiveStep::Call(call) => self.called(&mut graph, call, next),
                };
            }
            graph.nodes[at].succs = vec![next];
        }
        graph
    }

    /// What a call does before control goes on.
    fn called(&mut self, graph: &mut CollectiveGraph, call: &CallEvent, next: usize) -> usize {
        let targets: Vec<usize> = call
            .targets
            .iter()
            .map(|target| self.target(graph, *target, next))
            .collect();
        match (targets.as_slice(), call.pointer) {
            ([one], _) => *one,
            (_, Some((condition, differs))) => graph.add(
                GraphNodeKind::Branch {
                    site: call.site,
                    condition,
                    differs,
                    of_callees: true,
                },
                targets,
            ),
            _ => next,
        }
    }

    fn target(&mut self, graph: &mut CollectiveGraph, target: ContextId, next: usize) -> usize {
        let recursive = GraphNodeKind::Call { context: target };
        let does = self.doing[target.0 as usize];
        let Some(callee) = self.of(target) else {
            return match does {
                true => graph.add(recursive, vec![next]),
                false => next,
            };
        };
        match (does, callee.ends()) {
            (false, true) => next,
            (false, false) => graph.add(GraphNodeKind::DeadEnd, Vec::new()),
            _ if callee.nodes.len() > LARGEST_INLINED => graph.add(recursive, vec![next]),
            _ => {
                let first = graph.nodes.len();
                for node in &callee.nodes {
                    let ends = matches!(node.kind, GraphNodeKind::End);
                    graph.nodes.push(GraphNode {
                        kind: if ends { GraphNodeKind::Pass } else { node.kind.clone() },
                        succs: match ends {
                            true => vec![next],
                            false => node.succs.iter().map(|s| s + first).collect(),
                        },
                    });
                }
                first
            }
        }
    }
}

/// By context: whether something is to be done in it, or in what it calls.
fn doing(contexts: &[Context], wanted: &dyn Fn(&CollectiveEvent) -> bool) -> Vec<bool> {
    let mut doing = vec![false; contexts.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (at, context) in contexts.iter().enumerate().rev() {
            let mut steps = context.blocks.iter().flat_map(|block| &block.events);
            let does = !doing[at]
                && steps.any(|step| match step {
                    CollectiveStep::Collective(event) => wanted(event),
                    CollectiveStep::Call(call) => call.targets.iter().any(|target| doing[target.0 as usize]),
                });
            doing[at] |= does;
            changed |= does;
        }
    }
    doing
}
