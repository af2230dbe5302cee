//! Builds the statement graph from the scope tree, statement by statement.
//!
//! Each construct takes the loose ends that lead to it and hands on those that leave it: nodes whose normal successor is
//! not known yet. Jumps are collected and joined where what they lead to ends, or, for `goto`, when all labels are known.

use super::graph::{FlowGraph, NoGraph, Node, NodeId, NodeKind, Place, Special};
use crate::source::Span;
use crate::syntax::{BranchPlace, ScopeTree, StmtId, StmtKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::OnceLock;

/// Loose ends: nodes whose normal successor is not known yet.
type Ends = Vec<NodeId>;

struct Builder<'a> {
    tree: &'a ScopeTree,
    special: &'a Special,
    g: FlowGraph,
    labels: FxHashMap<String, NodeId>,
    gotos: Vec<(NodeId, String, Span)>,
    breaks: Vec<Ends>,
    continues: Vec<Ends>,
    /// Nodes from which control may go to any label.
    anywhere: Vec<NodeId>,
    /// For each open `switch`: its condition, and whether a `default` was seen.
    switches: Vec<(NodeId, bool)>,
}

impl FlowGraph {
    /// Builds the graph of the function with index `function` of `tree`.
    pub fn build(tree: &ScopeTree, function: usize, special: &Special) -> Result<FlowGraph, NoGraph> {
        let mut b = Builder {
            tree,
            special,
            g: FlowGraph {
                nodes: Vec::new(),
                gaps: FxHashMap::default(),
                of_stmt: FxHashMap::default(),
                cond: FxHashMap::default(),
                step: FxHashMap::default(),
                init: FxHashMap::default(),
                regions: FxHashMap::default(),
                clauses: FxHashMap::default(),
                left_out: FxHashMap::default(),
                far: FxHashSet::default(),
                cut: Vec::new(),
                order: OnceLock::new(),
            },
            labels: FxHashMap::default(),
            gotos: Vec::new(),
            breaks: Vec::new(),
            continues: Vec::new(),
            anywhere: Vec::new(),
            switches: Vec::new(),
        };
        b.node(NodeKind::Entry);
        b.node(NodeKind::Exit);
        let body = tree.functions[function].body;
        let end = b.stmt(body, vec![FlowGraph::ENTRY])?;
        b.join(&end, FlowGraph::EXIT);
        let mut labels: Vec<NodeId> = b.labels.values().copied().collect();
        labels.sort_unstable();
        for from in std::mem::take(&mut b.anywhere) {
            labels.iter().for_each(|to| b.edge(from, *to));
        }
        for (from, label, span) in std::mem::take(&mut b.gotos) {
            let Some(to) = b.labels.get(&label).copied() else {
                return Err(NoGraph {
                    span,
                    message: format!("the label `{label}` was not found"),
                });
            };
            b.edge(from, to);
        }
        Ok(b.g)
    }
}

impl Builder<'_> {
    fn node(&mut self, kind: NodeKind) -> NodeId {
        let id = NodeId(self.g.nodes.len() as u32);
        self.g.nodes.push(Node {
            kind,
            succs: Vec::new(),
            preds: Vec::new(),
        });
        id
    }

    fn edge(&mut self, from: NodeId, to: NodeId) {
        if !self.g.nodes[from.0 as usize].succs.contains(&to) {
            self.g.nodes[from.0 as usize].succs.push(to);
            self.g.nodes[to.0 as usize].preds.push(from);
        }
    }

    fn join(&mut self, ends: &Ends, to: NodeId) {
        for &e in ends {
            self.edge(e, to);
        }
    }

    fn chain(&mut self, ends: &Ends, kind: NodeKind) -> NodeId {
        let n = self.node(kind);
        self.join(ends, n);
        n
    }

    fn gap(&mut self, ends: &Ends, place: Place) -> Ends {
        let n = self.chain(ends, NodeKind::Gap(place));
        self.g.gaps.insert(place, n);
        vec![n]
    }

    /// A bare body has a gap on either side, just as a block's members have.
    fn body(&mut self, s: StmtId, ends: Ends) -> Result<Ends, NoGraph> {
        if !self.tree.is_bare(s) {
            return self.stmt(s, ends);
        }
        let ends = self.gap(&ends, Place::Before(s));
        let ends = self.stmt(s, ends)?;
        Ok(self.gap(&ends, Place::After(s)))
    }

    fn stmt(&mut self, s: StmtId, mut ends: Ends) -> Result<Ends, NoGraph> {
        let stmt = self.tree.stmt(s);
        if self.special.evaluating.contains(&s) {
            let n = self.chain(&ends, NodeKind::Clauses(s));
            self.g.clauses.insert(s, n);
            ends = vec![n];
        }
        if self.special.opaque.contains(&s) {
            let n = self.chain(&ends, NodeKind::Whole(s));
            self.g.of_stmt.insert(s, n);
            return Ok(vec![n]);
        }
        match &stmt.kind {
            StmtKind::Block => self.block(s, ends),
            StmtKind::If { then, other, .. } => self.branch(s, &ends, *then, *other),
            StmtKind::While { body, .. } => {
                let cond = self.cond(s, &ends);
                self.loop_around(s, *body, vec![cond])
            }
            StmtKind::DoWhile { body, .. } => {
                // The body's first node is not known before it is built, so an empty gap-like head is needed: the
                // condition node is created first and the body hangs off both the entry and the condition.
                let cond = self.cond(s, &Vec::new());
                ends.push(cond);
                self.loop_around(s, *body, ends)
            }
            StmtKind::For {
                init, cond, step, body, ..
            } => {
                let (ends_by_cond, has_step) = (cond.is_some() && !self.special.endless.contains(&s), step.is_some());
                if init.is_some() {
                    let n = self.chain(&ends, NodeKind::Init(s));
                    self.g.init.insert(s, n);
                    ends = vec![n];
                }
                // A `for (;;)` still gets a condition node: it is the loop's header, it just never leaves.
                let head = self.cond(s, &ends);
                self.loop_body(*body, vec![head], |b, mut ends| {
                    if has_step {
                        let n = b.chain(&ends, NodeKind::Step(s));
                        b.g.step.insert(s, n);
                        ends = vec![n];
                    }
                    b.join(&ends, head);
                    Ok(if ends_by_cond { vec![head] } else { Vec::new() })
                })
            }
            StmtKind::Switch { body, .. } => self.switch(s, &ends, *body),
            StmtKind::Case { .. } | StmtKind::Default => self.case(s, &ends),
            StmtKind::Label { name } => {
                let n = self.leaf(s, &ends);
                self.labels.insert(name.clone(), n);
                Ok(vec![n])
            }
            StmtKind::Goto { label } => {
                let n = self.leaf(s, &ends);
                self.gotos.push((n, label.clone(), stmt.span));
                Ok(Vec::new())
            }
            StmtKind::Break | StmtKind::Continue => self.break_or_continue(s, &ends),
            StmtKind::Return { .. } => {
                let n = self.leaf(s, &ends);
                self.edge(n, FlowGraph::EXIT);
                Ok(Vec::new())
            }
            StmtKind::ComputedGoto => self.refused(s, "a computed goto may jump anywhere"),
            StmtKind::Error => self.refused(s, "this statement could not be parsed"),
            StmtKind::Expr | StmtKind::Decl { .. } | StmtKind::Empty | StmtKind::Macro { .. } | StmtKind::Asm => {
                let n = self.leaf(s, &ends);
                if self.special.noreturn.contains(&s) {
                    self.edge(n, FlowGraph::EXIT);
                    return Ok(Vec::new());
                }
                Ok(vec![n])
            }
        }
    }

    fn refused(&self, s: StmtId, message: &str) -> Result<Ends, NoGraph> {
        Err(NoGraph {
            span: self.tree.stmt(s).span,
            message: message.into(),
        })
    }

    fn leaf(&mut self, s: StmtId, ends: &Ends) -> NodeId {
        let n = self.chain(ends, NodeKind::Leaf(s));
        self.g.of_stmt.insert(s, n);
        n
    }

    fn cond(&mut self, s: StmtId, ends: &Ends) -> NodeId {
        let n = self.chain(ends, NodeKind::Cond(s));
        self.g.cond.insert(s, n);
        n
    }

    /// An `if` without `else` has a gap in its place.
    fn branch(&mut self, s: StmtId, ends: &Ends, then: StmtId, other: Option<StmtId>) -> Result<Ends, NoGraph> {
        let cond = self.cond(s, ends);
        let mut out = self.body(then, vec![cond])?;
        let other = match other {
            Some(other) => self.body(other, vec![cond])?,
            None => self.gap(&vec![cond], Place::Else(s)),
        };
        out.extend(other);
        Ok(out)
    }

    /// A `switch` is left by `break`, at the end of its body, or for want of a `default`.
    fn switch(&mut self, s: StmtId, ends: &Ends, body: StmtId) -> Result<Ends, NoGraph> {
        let cond = self.cond(s, ends);
        self.switches.push((cond, false));
        self.breaks.push(Vec::new());
        // Nothing flows into the body except through its labels.
        let mut out = self.stmt(body, Vec::new())?;
        out.extend(self.breaks.pop().unwrap_or_default());
        if let Some((cond, false)) = self.switches.pop() {
            out.push(cond);
        }
        Ok(out)
    }

    /// A `case` or `default` label is reached from the condition of the innermost `switch`, too.
    fn case(&mut self, s: StmtId, ends: &Ends) -> Result<Ends, NoGraph> {
        let n = self.leaf(s, ends);
        let Some(open) = self.switches.last_mut() else {
            return self.refused(s, "a case label outside a switch");
        };
        open.1 |= self.tree.stmt(s).kind == StmtKind::Default;
        let cond = open.0;
        self.edge(cond, n);
        Ok(vec![n])
    }

    /// A jump out of an iteration waits for the end of its loop or `switch`.
    fn break_or_continue(&mut self, s: StmtId, ends: &Ends) -> Result<Ends, NoGraph> {
        let n = self.leaf(s, ends);
        let open = if self.tree.stmt(s).kind == StmtKind::Break {
            self.breaks.last_mut()
        } else {
            self.continues.last_mut()
        };
        let Some(open) = open else {
            return self.refused(s, "a jump outside a loop");
        };
        open.push(n);
        Ok(Vec::new())
    }

    /// A loop whose body leads back to the condition.
    fn loop_around(&mut self, s: StmtId, body: StmtId, heads: Ends) -> Result<Ends, NoGraph> {
        let (cond, ends_by_cond) = (self.g.cond[&s], !self.special.endless.contains(&s));
        self.loop_body(body, heads, |b, ends| {
            b.join(&ends, cond);
            Ok(if ends_by_cond { vec![cond] } else { Vec::new() })
        })
    }

    fn loop_body(
        &mut self,
        body: StmtId,
        heads: Ends,
        close: impl FnOnce(&mut Self, Ends) -> Result<Ends, NoGraph>,
    ) -> Result<Ends, NoGraph> {
        self.breaks.push(Vec::new());
        self.continues.push(Vec::new());
        let mut ends = self.body(body, heads)?;
        ends.extend(self.continues.pop().unwrap_or_default());
        let mut out = close(self, ends)?;
        out.extend(self.breaks.pop().unwrap_or_default());
        Ok(out)
    }

    fn block(&mut self, s: StmtId, mut ends: Ends) -> Result<Ends, NoGraph> {
        let children = self.tree.stmt(s).children.clone();
        if children.is_empty() && self.special.empty_with_gap.contains(&s) {
            ends = self.gap(&ends, Place::Start(s));
        }
        // Ways past members, by the index of the member before which they end.
        let mut past: Vec<(u32, NodeId)> = Vec::new();
        for (i, &child) in children.iter().enumerate() {
            let before = i.checked_sub(1).map(|i| Place::After(children[i]));
            let (begins, within) = (self.has_left_out(s, i), self.holds_members(s, i));
            let ended = past.iter().filter(|(to, _)| *to == i as u32).map(|(_, from)| *from);
            ends.extend(ended);
            // A conditional with members of the block in it begins behind the gap, others before it.
            if begins && !within {
                ends = self.gap(&ends, before.unwrap_or(Place::Start(s)));
                ends = self.left_out(s, i, &ends, &mut past);
            }
            ends = self.gap(&ends, Place::Before(child));
            if let (Some(place), false) = (before, begins && !within) {
                let here = ends[0];
                self.g.gaps.insert(place, here);
            }
            if begins && within {
                ends = self.left_out(s, i, &ends, &mut past);
            }
            ends = self.stmt(child, ends)?;
        }
        let behind = children.len() as u32;
        ends.extend(past.iter().filter(|(to, _)| *to >= behind).map(|(_, from)| *from));
        if let Some(&last) = children.last() {
            ends = self.gap(&ends, Place::After(last));
        }
        if self.has_left_out(s, children.len()) {
            ends = self.left_out(s, children.len(), &ends, &mut past);
        }
        Ok(ends)
    }

    /// Whether conditionals that other builds may compile otherwise begin behind the first `index` members of a block.
    fn has_left_out(&self, block: StmtId, index: usize) -> bool {
        let index = index as u32;
        self.special.left_out.contains_key(&BranchPlace { block, index })
    }

    /// Whether members of the block stand within one of these.
    fn holds_members(&self, block: StmtId, index: usize) -> bool {
        let index = index as u32;
        let ways = self.special.left_out.get(&BranchPlace { block, index });
        ways.is_some_and(|ways| ways.past.iter().any(|to| *to > index))
    }

    fn left_out(&mut self, block: StmtId, index: usize, ends: &Ends, past: &mut Vec<(u32, NodeId)>) -> Ends {
        let index = index as u32;
        let place = BranchPlace { block, index };
        let node = self.chain(ends, NodeKind::LeftOut(place));
        self.g.left_out.insert(place, node);
        if let Some(ways) = self.special.left_out.get(&place) {
            past.extend(ways.past.iter().filter(|to| **to > index).map(|to| (*to, node)));
            ways.jumps.iter().for_each(|jump| self.jump(jump, node));
        }
        vec![node]
    }

    /// Lets control go where a word in a branch may lead.
    fn jump(&mut self, word: &str, node: NodeId) {
        match word {
            "return" => self.edge(node, FlowGraph::EXIT),
            "break" => self.breaks.last_mut().into_iter().for_each(|open| open.push(node)),
            "continue" => self.continues.last_mut().into_iter().for_each(|open| open.push(node)),
            "goto" => self.anywhere.push(node),
            _ => {}
        }
    }
}
