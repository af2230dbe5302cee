//! Pairs LLVM's instructions with the nodes of the statement graph, and checks that both tell the same story.
//!
//! Clang gives every instruction the position of the token it came from. The innermost statement around that position,
//! and the part of it (condition, init, step), is the node. Then the two control flows are compared: wherever LLVM can
//! go from one instruction to another, the statement graph must have a path between their nodes through nodes without
//! instructions. A loop, branch or access that LLVM sees and the text does not (a macro that hides a loop, an expanded
//! inline function) has no such path, and the function is "not understood here", with the reason.
//!
//! Source: OmpMemOpt pairs IR and text by line only; the check is ours.

use super::graph::{FlowGraph, NodeId, NodeKind, OtherWays, Place};
use super::ir::{BlockId, Callee, Function, InstId, Loc, Module, Op, Operand};
use super::left_out::LeftOut;
use crate::source::Span;
use crate::syntax::{BranchPlace, ScopeTree, StmtId, StmtKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// Which node every instruction belongs to.
#[derive(Clone, Debug)]
pub struct Attachment {
    /// Node of each instruction, by [`InstId`]; `None` for bookkeeping without a position.
    pub node_of: Vec<Option<NodeId>>,
    /// Instructions of each node, in order, by [`NodeId`].
    pub insts_of: Vec<Vec<InstId>>,
}

/// Why a function's text and IR do not pair up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphMismatch {
    /// Where in the text.
    pub span: Span,
    /// Why.
    pub message: String,
}

/// Converts clang's positions to byte offsets.
pub trait Offsets {
    /// Byte offset of a position, `None` when it lies outside the file.
    fn offset(&self, loc: Loc) -> Option<usize>;
}

/// The pragmas of a function with statements after them: what a directive evaluates is written down in the line in which its
/// pragma begins ([`super::evaluated`]).
struct Pragmas {
    /// Where pragmas of the function begin, in order, with the statements after them.
    begin: Vec<(usize, StmtId)>,
}

impl Pragmas {
    fn of(tree: &ScopeTree, tree_function: usize) -> Pragmas {
        let own = tree
            .pragmas
            .iter()
            .filter(|p| p.function == Some(tree_function as u32) && !p.operator);
        let begin = own.filter_map(|p| Some((p.span.start, p.before?))).collect();
        Pragmas { begin }
    }

    /// The statement before which a directive stands in the line of a position.
    fn at(&self, loc: Loc, offsets: &dyn Offsets) -> Option<StmtId> {
        let (_, stmt) = in_line(&self.begin, |(at, _)| *at, loc, offsets)?;
        Some(*stmt)
    }
}

/// The first of what begins in the line of a position; `sorted` by where that is. The line may be longer than what stands there.
fn in_line<'b, T>(sorted: &'b [T], begin: impl Fn(&T) -> usize, loc: Loc, offsets: &dyn Offsets) -> Option<&'b T> {
    if sorted.is_empty() {
        return None;
    }
    let start = offsets.offset(Loc { col: 1, ..loc })?;
    let next = offsets.offset(Loc {
        line: loc.line + 1,
        col: 1,
    });
    let first = sorted.get(sorted.partition_point(|one| begin(one) < start))?;
    next.is_none_or(|next| begin(first) < next).then_some(first)
}

/// The statements of a function whose directives evaluate something.
pub fn evaluating(
    tree: &ScopeTree,
    tree_function: usize,
    function: &Function,
    offsets: &dyn Offsets,
) -> FxHashSet<StmtId> {
    let pragmas = Pragmas::of(tree, tree_function);
    let insts = function.insts.iter().filter(|i| touches_memory(&i.op));
    insts.filter_map(|i| pragmas.at(i.loc?, offsets)).collect()
}

/// What stands between members of a function's blocks and is written down in the line in which it begins (`crate::facts`): the
/// conditionals that other builds may compile otherwise, with what branches do that are left out, and directives at the end of
/// a block that evaluate something.
struct BetweenMembers {
    /// Where they begin, in order, where that is in the text, and where they end: how many members of the block come before.
    begin: Vec<(usize, BranchPlace, u32)>,
}

impl BetweenMembers {
    fn of(tree: &ScopeTree, tree_function: usize) -> BetweenMembers {
        let whole = tree.functions[tree_function].span;
        let own = tree
            .open_conditionals
            .iter()
            .filter(|group| whole.encloses(group.lines[0]));
        let begin = own.filter_map(|group| {
            let (from, to) = tree.places_of(group)?;
            Some((group.lines[0].start, from, to.index))
        });
        let pragmas = tree.pragmas_of(tree_function);
        let last = pragmas.filter(|p| p.before.is_none() && !p.operator);
        let last = last.filter_map(|p| {
            let place = tree.place_at(p.span.start).ok()?;
            Some((p.span.start, place, place.index))
        });
        let mut begin: Vec<(usize, BranchPlace, u32)> = begin.chain(last).collect();
        begin.sort_by_key(|(at, ..)| *at);
        BetweenMembers { begin }
    }

    /// Where the conditional stands that begins in the line of a position.
    fn at(&self, loc: Loc, offsets: &dyn Offsets) -> Option<BranchPlace> {
        let (_, place, _) = in_line(&self.begin, |(at, ..)| *at, loc, offsets)?;
        Some(*place)
    }
}

/// Where conditionals of a function begin that other builds may compile otherwise, and where control may go there.
pub fn other_ways(
    tree: &ScopeTree,
    tree_function: usize,
    module: &Module,
    function: &Function,
    offsets: &dyn Offsets,
) -> FxHashMap<BranchPlace, OtherWays> {
    let conditionals = BetweenMembers::of(tree, tree_function);
    let mut found: FxHashMap<BranchPlace, OtherWays> = FxHashMap::default();
    for (_, from, to) in conditionals.begin.iter().filter(|(_, from, to)| *to > from.index) {
        found.entry(*from).or_default().past.push(*to);
    }
    for inst in function.insts.iter().filter(|i| touches_memory(&i.op)) {
        let Some(place) = inst.loc.and_then(|loc| conditionals.at(loc, offsets)) else {
            continue;
        };
        let ways = found.entry(place).or_default();
        if let Op::Call {
            callee: Callee::Direct(called),
            ..
        } = &inst.op
        {
            let branch = LeftOut::of_symbol(&module.function(*called).name);
            ways.jumps.extend(branch.into_iter().flat_map(|b| b.jumps));
        }
    }
    found
}

/// Where in a statement a byte lies: the node kind that owns it.
fn owner(tree: &ScopeTree, at: StmtId, offset: usize) -> Option<NodeKind> {
    let within = |span: &Span| span.contains(offset);
    Some(match &tree.stmt(at).kind {
        StmtKind::Block | StmtKind::Error => return None,
        StmtKind::If { cond, .. }
        | StmtKind::While { cond, .. }
        | StmtKind::DoWhile { cond, .. }
        | StmtKind::Switch { cond, .. } => {
            if !within(cond) {
                return None;
            }
            NodeKind::Cond(at)
        }
        StmtKind::For { init, cond, step, .. } => {
            if init.as_ref().is_some_and(within) {
                NodeKind::Init(at)
            } else if cond.as_ref().is_some_and(within) {
                NodeKind::Cond(at)
            } else if step.as_ref().is_some_and(within) {
                NodeKind::Step(at)
            } else {
                return None;
            }
        }
        _ => NodeKind::Leaf(at),
    })
}

/// Leaves that call a function which never returns, found before the graph is built because they end a path.
pub fn noreturn_leaves(
    tree: &ScopeTree,
    function: &Function,
    is_noreturn: &dyn Fn(InstId) -> bool,
    offsets: &dyn Offsets,
) -> FxHashSet<StmtId> {
    let mut found = FxHashSet::default();
    for id in function.inst_ids() {
        let inst = function.inst(id);
        if !matches!(inst.op, Op::Call { .. }) || !is_noreturn(id) {
            continue;
        }
        let Some(offset) = inst.loc.and_then(|l| offsets.offset(l)) else {
            continue;
        };
        let Some(stmt) = tree.innermost(offset) else { continue };
        // A call under `&&`, `||` or `?:` ends only one of the statement's paths: those have several blocks.
        let single_block = function.insts.iter().filter(|i| {
            i.loc
                .and_then(|l| offsets.offset(l))
                .is_some_and(|o| tree.stmt(stmt).span.contains(o))
        });
        let mut blocks: Vec<_> = single_block.map(|i| i.block).collect();
        blocks.dedup();
        if tree.stmt(stmt).kind == StmtKind::Expr && blocks.len() == 1 {
            found.insert(stmt);
        }
    }
    found
}

impl Attachment {
    /// Attaches the instructions of `function` to the fine graph `graph` and cross-checks the control flow.
    pub fn new(
        tree: &ScopeTree,
        tree_function: usize,
        graph: &FlowGraph,
        function: &Function,
        offsets: &dyn Offsets,
    ) -> Result<Attachment, GraphMismatch> {
        let body = tree.functions[tree_function].body;
        let body_span = tree.stmt(body).span;
        let whole = tree.functions[tree_function].span;
        let pragmas = Pragmas::of(tree, tree_function);
        let conditionals = BetweenMembers::of(tree, tree_function);
        let mut node_of: Vec<Option<NodeId>> = vec![None; function.insts.len()];
        for id in function.inst_ids() {
            let inst = function.inst(id);
            // An unconditional branch does nothing, and clang gives the one after a loop the position of its last
            // statement.
            if matches!(inst.op, Op::Br { .. }) {
                continue;
            }
            let evaluated = inst.loc.and_then(|l| graph.clauses_of(pragmas.at(l, offsets)?));
            let left_out = inst.loc.and_then(|l| graph.left_out_at(conditionals.at(l, offsets)?));
            let evaluated = evaluated.or(left_out);
            let at = match inst.loc.and_then(|l| offsets.offset(l)) {
                _ if evaluated.is_some() => evaluated,
                Some(offset) if body_span.contains(offset) => {
                    if offset + 1 == body_span.end {
                        Some(FlowGraph::EXIT)
                    } else {
                        tree.innermost(offset)
                            .and_then(|s| owner(tree, s, offset))
                            .and_then(|k| find(graph, k))
                    }
                }
                Some(offset) if whole.contains(offset) => Some(FlowGraph::ENTRY),
                _ => None,
            };
            // A loop's test branches at the keyword; it belongs to the condition that it tests.
            let tested = match &inst.op {
                Op::CondBr {
                    cond: Operand::Inst(c), ..
                } => node_of[c.0 as usize],
                Op::Switch {
                    value: Operand::Inst(v),
                    ..
                } => node_of[v.0 as usize],
                // What `&&`, `||` and `?:` come to has no position of its own in the test of a loop.
                Op::Phi { incoming } if at.is_none() => node_of_parts(function, &node_of, incoming),
                Op::Cmp {
                    lhs: Operand::Inst(v), ..
                }
                | Op::Cast {
                    value: Operand::Inst(v),
                    ..
                } if at.is_none() => node_of[v.0 as usize],
                _ => None,
            };
            node_of[id.0 as usize] = tested.or(at);
        }
        // Parameters are stored to their homes at the entry without a position.
        for id in function.inst_ids() {
            if node_of[id.0 as usize].is_some() || !touches_memory(&function.inst(id).op) {
                continue;
            }
            let entry_block = function.inst(id).block.0 == 0;
            let before_located = (0..id.0).all(|i| node_of[i as usize].is_none_or(|n| n == FlowGraph::ENTRY));
            if entry_block && before_located {
                node_of[id.0 as usize] = Some(FlowGraph::ENTRY);
                continue;
            }
            if is_of_compiler(function, id)
                && let Some(beside) = beside(function, &node_of, id)
            {
                node_of[id.0 as usize] = Some(beside);
                continue;
            }
            let span = function
                .inst(id)
                .loc
                .and_then(|l| offsets.offset(l))
                .map(|o| Span::new(o, o));
            return Err(GraphMismatch {
                span: span.unwrap_or(tree.functions[tree_function].name_span),
                message: "a memory access has no place in this function's text (macro or header code)".into(),
            });
        }
        let mut insts_of = vec![Vec::new(); graph.nodes.len()];
        for id in function.inst_ids() {
            if let Some(n) = node_of[id.0 as usize] {
                insts_of[n.0 as usize].push(id);
            }
        }
        let attachment = Attachment { node_of, insts_of };
        attachment.check(tree, tree_function, graph, function)?;
        Ok(attachment)
    }

    /// Every step of LLVM's control flow must be a path of the graph.
    fn check(
        &self,
        tree: &ScopeTree,
        tree_function: usize,
        graph: &FlowGraph,
        function: &Function,
    ) -> Result<(), GraphMismatch> {
        // First located node reached from the start of each block, through blocks that have none.
        let mut firsts: Vec<Vec<NodeId>> = vec![Vec::new(); function.blocks.len()];
        for (b, first) in firsts.iter_mut().enumerate() {
            let mut seen = FxHashSet::default();
            let mut stack = vec![b];
            while let Some(at) = stack.pop() {
                if !seen.insert(at) {
                    continue;
                }
                let block = &function.blocks[at];
                match (block.first.0..block.end.0).find_map(|i| self.node_of[i as usize]) {
                    Some(n) => first.push(n),
                    None => stack.extend(block.succs.iter().map(|s| s.0 as usize)),
                }
            }
        }
        let mut known: FxHashSet<(NodeId, NodeId)> = FxHashSet::default();
        for block in &function.blocks {
            let mut last: Option<NodeId> = None;
            for i in block.first.0..block.end.0 {
                if let Some(n) = self.node_of[i as usize] {
                    if let Some(p) = last {
                        self.require(tree, tree_function, graph, p, n, &mut known)?;
                    }
                    last = Some(n);
                }
            }
            if let Some(p) = last {
                for s in &block.succs {
                    for &n in &firsts[s.0 as usize] {
                        self.require(tree, tree_function, graph, p, n, &mut known)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn require(
        &self,
        tree: &ScopeTree,
        tree_function: usize,
        graph: &FlowGraph,
        from: NodeId,
        to: NodeId,
        known: &mut FxHashSet<(NodeId, NodeId)>,
    ) -> Result<(), GraphMismatch> {
        if from == to || known.contains(&(from, to)) {
            return Ok(());
        }
        let mut seen = FxHashSet::default();
        let mut stack = graph.node(from).succs.clone();
        while let Some(n) = stack.pop() {
            if n == to {
                known.insert((from, to));
                return Ok(());
            }
            if self.insts_of[n.0 as usize].is_empty() && seen.insert(n) {
                stack.extend(&graph.node(n).succs);
            }
        }
        let stmt = graph.stmt_of(to).or(graph.stmt_of(from));
        let span = stmt.map_or(tree.functions[tree_function].name_span, |s| tree.stmt(s).span);
        Err(GraphMismatch {
            span,
            message: "the compiler's control flow here is not that of the text (a macro hides a loop or branch?)"
                .into(),
        })
    }
}

fn find(graph: &FlowGraph, kind: NodeKind) -> Option<NodeId> {
    match kind {
        NodeKind::Leaf(s) => graph.of_stmt(s),
        NodeKind::Cond(s) => graph.cond_of(s),
        NodeKind::Init(s) => graph.init_of(s),
        NodeKind::Step(s) => graph.step_of(s),
        NodeKind::Gap(Place::Before(_) | Place::After(_) | Place::Else(_) | Place::Start(_))
        | NodeKind::Entry
        | NodeKind::Exit
        | NodeKind::Whole(_)
        | NodeKind::Clauses(_)
        | NodeKind::Region(_)
        | NodeKind::LeftOut(_) => None,
    }
}

/// The node of what comes together in a phi: of its values, or of the blocks that they come from.
fn node_of_parts(function: &Function, node_of: &[Option<NodeId>], incoming: &[(BlockId, Operand)]) -> Option<NodeId> {
    let of_value = incoming.iter().find_map(|(_, value)| match value {
        Operand::Inst(i) => node_of.get(i.0 as usize).copied().flatten(),
        _ => None,
    });
    let in_block = |block: BlockId| {
        let block = function.block(block);
        (block.first.0..block.end.0).rev().find_map(|i| node_of[i as usize])
    };
    of_value.or_else(|| incoming.iter().find_map(|(block, _)| in_block(*block)))
}

/// Whether an instruction touches a variable that stands in no text: where control goes on after the end of what is declared in
/// a block, clang writes down in one of its own, without a position (`return` where a variable-length array ends).
fn is_of_compiler(function: &Function, id: InstId) -> bool {
    let (Op::Load { ptr, .. } | Op::Store { ptr, .. }) = &function.inst(id).op else {
        return false;
    };
    let Operand::Inst(home) = ptr else { return false };
    matches!(function.inst(*home).op, Op::Alloca { .. }) && function.variables.iter().all(|v| v.alloca != Some(*home))
}

/// The node of the nearest instruction of the same block that has one, those before it first.
fn beside(function: &Function, node_of: &[Option<NodeId>], id: InstId) -> Option<NodeId> {
    let block = function.inst(id).block;
    let node = |i: u32| {
        let same = function.insts.get(i as usize).is_some_and(|inst| inst.block == block);
        same.then(|| node_of[i as usize]).flatten()
    };
    let after = id.0 + 1..function.insts.len() as u32;
    (0..id.0)
        .rev()
        .find_map(node)
        .or_else(|| after.into_iter().find_map(node))
}

fn touches_memory(op: &Op) -> bool {
    match op {
        Op::Load { .. } | Op::Store { .. } | Op::Call { .. } | Op::Atomic { .. } => true,
        Op::Other { touches_memory, .. } => *touches_memory,
        _ => false,
    }
}
