//! One function, ready for the analyses: its two statement graphs, values, loops and constructs.
//!
//! The *fine* graph has every statement and carries the SSA values. The *coarse* graph is what data movement is decided
//! on: kernels are single nodes, and so are host loops that launch nothing, because a copy inside such a loop would be
//! repeated for nothing.

use super::cexpr::Macros;
use super::effects::{Effects, LocSet};
use super::evaluations::Evaluations;
use super::far_jumps::may_jump;
use super::item_places::{DevicePlaces, ItemScope};
use super::points_to::PointsTo;
use super::values::Values;
use super::values::table::Base;
use super::visible_names::VisibleNames;
use crate::analysis::values::loop_info::Loops;
use crate::program::attach::{Attachment, Offsets};
use crate::program::constructs::Constructs;
use crate::program::graph::{FlowGraph, NoGraph, NodeId, NodeKind, Place, Special};
use crate::program::in_loops::{in_loop, nodes_in_loop, nodes_of_text};
use crate::program::ir::{FuncId, Function, GlobalId, InstId, Module, Op, VarId};
use crate::program::objects::MemLoc;
use crate::symbolic::Sym;
use crate::syntax::{ScopeTree, StmtId, StmtKind, declaration_in_scope};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;

/// What code does with the device.
#[derive(Debug, Default)]
pub struct DeviceCode {
    /// What functions touch that start kernels, what these map, and what the functions manage with directives that stand alone.
    pub touched: LocSet,
    /// They may manage anything.
    pub anything: bool,
}

impl DeviceCode {
    /// Whether it may use or map an object at one of `locs` in kernels, or manage it.
    pub fn may_use(&self, points_to: &PointsTo, locs: &[MemLoc]) -> bool {
        self.anything || locs.iter().any(|l| self.touched.meets(points_to, *l))
    }
}

/// What code of which nothing is known may do with the device where it runs functions of the program.
#[derive(Debug, Default)]
pub struct UnknownCode {
    /// When it is called, or given time.
    pub called: DeviceCode,
    /// When the program ends, by what it may have registered.
    pub at_exit: DeviceCode,
}

/// A function and everything known about it.
pub struct FunctionModel<'a> {
    /// The file's text.
    pub text: &'a [u8],
    /// The file's scope tree.
    pub tree: &'a ScopeTree,
    /// Index of the function in the tree.
    pub tree_function: usize,
    /// The IR of the linked program.
    pub module: &'a Module,
    /// The function in the IR.
    pub func: FuncId,
    /// Points-to sets of the linked program.
    pub points_to: &'a PointsTo,
    /// Effects of the program's functions.
    pub effects: &'a Effects<'a>,
    /// The fine graph.
    pub fine: &'a FlowGraph,
    /// The coarse graph.
    pub coarse: &'a FlowGraph,
    /// Which of their nodes belong together.
    pub pairing: &'a Pairing,
    /// Instructions of the fine graph's nodes.
    pub attachment: &'a Attachment,
    /// SSA values.
    pub values: &'a Values<'a>,
    /// Loops and inductions.
    pub loops: &'a Loops,
    /// OpenMP constructs.
    pub constructs: &'a Constructs,
    /// Positions to byte offsets.
    pub offsets: &'a dyn Offsets,
    /// Functions that launch kernels or manage device data, directly or through calls.
    pub launching: &'a FxHashSet<FuncId>,
    /// What unknown code may do with the device.
    pub unknown_code: &'a UnknownCode,
    /// What functions manage with directives that stand alone.
    pub by_hand: &'a DevicePlaces,
    /// What functions map on kernels and regions, touched or not.
    pub maps: &'a DevicePlaces,
    /// No `longjmp` goes past it.
    pub confined: bool,
    /// What has been asked about what may be evaluated where.
    pub evaluations: Evaluations,
    /// What names mean.
    pub names: VisibleNames,
    /// The bytes per element of bases as accesses have them, once somebody has asked.
    pub elements: OnceCell<FxHashMap<Base, Option<u64>>>,
}

/// Which nodes of a function's two graphs belong together.
pub struct Pairing {
    /// By fine node.
    coarse: Vec<Option<NodeId>>,
    /// By coarse node.
    fine: Vec<Vec<NodeId>>,
}

impl Pairing {
    /// Finds for every fine node the coarse one that it is part of.
    pub fn of(tree: &ScopeTree, fine: &FlowGraph, coarse: &FlowGraph) -> Pairing {
        let mut pairing = Pairing {
            coarse: Vec::with_capacity(fine.nodes.len()),
            fine: vec![Vec::new(); coarse.nodes.len()],
        };
        for node in fine.ids() {
            let of = coarse_of(tree, fine, coarse, node);
            pairing.coarse.push(of);
            if let Some(of) = of {
                pairing.fine[of.0 as usize].push(node);
            }
        }
        pairing
    }

    /// Gives the coarse graph the ways of the fine one that `longjmp` takes, and takes out what was taken out there. `None` where one leads into the midst of a node.
    pub fn jump_far(&self, fine: &FlowGraph, coarse: &mut FlowGraph) -> Option<()> {
        for from in fine.ids().filter(|n| fine.jumps_far(*n)) {
            let to = fine
                .node(from)
                .succs
                .iter()
                .copied()
                .filter(|to| fine.is_far(from, *to));
            for to in to {
                let (from, to) = (self.coarse[from.0 as usize]?, self.coarse[to.0 as usize]?);
                if from != to {
                    if matches!(coarse.node(to).kind, NodeKind::Whole(_)) {
                        return None;
                    }
                    coarse.jump_far(from, to);
                }
            }
        }
        for (from, to) in fine.cuts() {
            let (from, to) = (self.coarse[from.0 as usize]?, self.coarse[to.0 as usize]?);
            if from != to {
                coarse.cut(from, to);
            }
        }
        Some(())
    }
}

fn coarse_of(tree: &ScopeTree, fine: &FlowGraph, coarse: &FlowGraph, node: NodeId) -> Option<NodeId> {
    let kind = fine.node(node).kind;
    match kind {
        NodeKind::Entry => return Some(FlowGraph::ENTRY),
        NodeKind::Exit => return Some(FlowGraph::EXIT),
        _ => {}
    }
    let stmt = fine.stmt_of(node)?;
    let whole = tree
        .ancestors(stmt)
        .filter_map(|s| coarse.of_stmt(s))
        .find(|n| matches!(coarse.node(*n).kind, NodeKind::Whole(_)));
    if let Some(w) = whole
        && let NodeKind::Whole(s) = coarse.node(w).kind
        && !(fine.is_beside(node) && s == stmt)
    {
        return Some(w);
    }
    match kind {
        NodeKind::Gap(place) => coarse.gap(place),
        NodeKind::Leaf(s) => coarse.of_stmt(s),
        NodeKind::Cond(s) => coarse.cond_of(s),
        NodeKind::Init(s) => coarse.init_of(s),
        NodeKind::Step(s) => coarse.step_of(s),
        NodeKind::Clauses(s) => coarse.clauses_of(s),
        NodeKind::LeftOut(place) => coarse.left_out_at(place),
        _ => None,
    }
}

impl<'a> FunctionModel<'a> {
    /// The function's IR.
    pub fn function(&self) -> &'a Function {
        self.module.function(self.func)
    }

    /// Where items of clauses lie that stand in the function.
    pub fn item_scope<'m>(&'m self, macros: &'m Macros) -> ItemScope<'m> {
        ItemScope {
            module: self.module,
            points_to: self.points_to,
            macros,
            func: self.func,
        }
    }

    /// Byte offset of a position.
    pub fn offset(&self, loc: crate::program::ir::Loc) -> Option<usize> {
        self.offsets.offset(loc)
    }

    /// What each of the functions that a call may run maps on kernels and regions, if it has any; `None`: anything.
    pub fn maps_at(&self, inst: InstId) -> Vec<Option<&Vec<MemLoc>>> {
        let (targets, _) = self.targets(inst);
        let maps = targets.iter().filter_map(|t| self.maps.get(t));
        maps.map(Option::as_ref).collect()
    }

    /// Whether a call may leave the function by `longjmp`.
    pub fn may_be_left(&self, inst: InstId) -> bool {
        !self.confined && may_jump(self.points_to, self.effects, self.func, inst)
    }

    /// The coarse node that a fine node is part of; `None` for a gap inside an opaque statement.
    pub fn coarse_of(&self, fine: NodeId) -> Option<NodeId> {
        self.pairing.coarse[fine.0 as usize]
    }

    /// The fine nodes that a coarse node consists of, in ascending order.
    pub fn fine_of(&self, coarse: NodeId) -> &[NodeId] {
        &self.pairing.fine[coarse.0 as usize]
    }

    /// The instructions of a statement and of all in it, in ascending order.
    pub fn insts_within(&self, stmt: StmtId) -> Vec<InstId> {
        let inside = |n: &NodeId| self.fine.stmt_of(*n).is_some_and(|s| self.tree.encloses(stmt, s));
        let nodes = nodes_of_text(self.tree, self.fine, stmt).into_iter().filter(inside);
        let insts = nodes.flat_map(|n| &self.attachment.insts_of[n.0 as usize]);
        let mut insts: Vec<InstId> = insts.copied().collect();
        insts.sort_unstable();
        insts
    }

    /// The fine node of a coarse gap.
    pub fn fine_gap(&self, coarse: NodeId) -> Option<NodeId> {
        match self.coarse.node(coarse).kind {
            NodeKind::Gap(place) => self.fine.gap(place),
            _ => None,
        }
    }

    /// Whether a symbol gets its value within a statement: the gap before it, where branches merge, is outside.
    pub fn gets_value_in(&self, sym: Sym, stmt: StmtId) -> bool {
        let at = self.values.defined_at(sym);
        let kind = self.fine.node(at).kind;
        let before = kind == NodeKind::Gap(Place::Before(stmt)) || kind == NodeKind::Clauses(stmt);
        !before && self.fine.stmt_of(at).is_some_and(|s| self.tree.encloses(stmt, s))
    }

    /// The kernel that a fine node runs in.
    pub fn launch_of(&self, fine: NodeId) -> Option<usize> {
        let stmt = self.fine.stmt_of(fine)?;
        let launch = self.constructs.launch_around(self.tree, stmt)?;
        // What stands beside the kernel's own statement is outside it.
        let beside = self.fine.is_beside(fine) && self.constructs.launches[launch].stmt == stmt;
        (!beside).then_some(launch)
    }

    /// The loop of the host that a coarse node stands for, if no directive governs it or stands in it.
    pub fn collapsed_loop(&self, coarse: NodeId) -> Option<StmtId> {
        let NodeKind::Whole(stmt) = self.coarse.node(coarse).kind else {
            return None;
        };
        let host = &self.constructs.host;
        let meets = |of: StmtId| self.tree.encloses(of, stmt) || self.tree.encloses(stmt, of);
        let is_governed = self.constructs.launch_around(self.tree, stmt).is_some()
            || host.regions.iter().any(|region| meets(region.stmt));
        (self.tree.stmt(stmt).kind.is_loop() && !is_governed).then_some(stmt)
    }

    /// The local variable or parameter called `name` that is visible just before `at`.
    pub fn visible_variable(&self, at: StmtId, name: &str) -> Option<VarId> {
        let declared = declaration_in_scope(self.tree, at, name)?.span.start;
        let function = self.function();
        let mut there = self.names.variables_at(function, self.offsets, declared).iter();
        there.find(|v| function.variables[v.0 as usize].name == name).copied()
    }

    /// The global or static variable called `name` that is visible just before `at`.
    pub fn visible_global(&self, at: StmtId, name: &str) -> Option<GlobalId> {
        let declared = declaration_in_scope(self.tree, at, name).map(|d| d.span.start);
        let named = self.names.globals_named(self.module, self.function(), name);
        let is_it = |g: &GlobalId| {
            let global = self.module.global(*g);
            match declared {
                Some(start) => global.in_function.is_some() && global.decl.and_then(|l| self.offset(l)) == Some(start),
                None => global.in_function.is_none(),
            }
        };
        named.iter().copied().find(is_it)
    }

    /// Whether a variable is declared within a statement: in a kernel's, that kernel has it for itself.
    pub fn is_declared_in(&self, stmt: StmtId, v: VarId) -> bool {
        let span = self.tree.stmt(stmt).span;
        let decl = self.function().variables[v.0 as usize].decl;
        decl.and_then(|d| self.offset(d)).is_some_and(|o| span.contains(o))
    }

    /// The bytes of a variable's storage, where their number is a constant.
    pub fn storage_bytes(&self, base: Base) -> Option<u64> {
        match base {
            Base::Local(v) => match &self.function().inst(self.function().variables[v.0 as usize].alloca?).op {
                Op::Alloca { ty, count: None } => Some(self.module.size_of(ty)),
                _ => None,
            },
            Base::Global(g) => Some(self.module.global(g).size).filter(|bytes| *bytes > 0),
            Base::Value(_) => None,
        }
    }

    /// Functions that a call may run, those called back by the library included, and whether it may run others.
    pub fn targets(&self, inst: InstId) -> (Vec<FuncId>, bool) {
        let targets = self.points_to.call_targets(self.func, inst);
        (targets.functions().collect(), targets.unknown)
    }

    /// A function with kernels, or one that runs such, that a call may run.
    pub fn launching_target(&self, inst: InstId) -> Option<FuncId> {
        let mut targets = self.points_to.call_targets(self.func, inst).functions();
        targets.find(|t| self.launching.contains(t))
    }

    /// The place of an instruction in the text, as a span of its statement.
    pub fn span_of(&self, node: NodeId, graph: &FlowGraph) -> crate::source::Span {
        graph
            .stmt_of(node)
            .map_or(self.tree.functions[self.tree_function].name_span, |s| {
                self.tree.stmt(s).span
            })
    }
}

/// Builds the coarse graph.
pub fn coarse_graph(
    tree: &ScopeTree,
    tree_function: usize,
    fine: &FlowGraph,
    constructs: &Constructs,
    launching_nodes: &FxHashSet<NodeId>,
    mut special: Special,
) -> Result<FlowGraph, NoGraph> {
    let opaque = &mut special.opaque;
    opaque.extend(constructs.launches.iter().map(|l| l.stmt));
    for region in &constructs.host.regions {
        if may_jump_out(tree, fine, region.stmt) {
            return Err(NoGraph {
                span: tree.pragma(region.pragma).span,
                message: "the program may end, or go on elsewhere, from within what this directive runs".into(),
            });
        }
        opaque.insert(region.stmt);
    }
    for id in tree.loops_of(tree_function) {
        if !tree.ancestors(id).any(|s| opaque.contains(&s)) && collapses(tree, fine, constructs, launching_nodes, id) {
            opaque.insert(id);
        }
    }
    FlowGraph::build(tree, tree_function, &special)
}

/// Whether control may leave a statement other than at its end.
fn may_jump_out(tree: &ScopeTree, fine: &FlowGraph, stmt: StmtId) -> bool {
    let inside = |n: NodeId| match fine.node(n).kind {
        NodeKind::Gap(Place::Before(s) | Place::After(s)) | NodeKind::Clauses(s) if s == stmt => false,
        _ => fine.stmt_of(n).is_some_and(|s| tree.encloses(stmt, s)),
    };
    let nodes = nodes_of_text(tree, fine, stmt).into_iter().filter(|n| inside(*n));
    let next = nodes.flat_map(|n| fine.node(n).succs.iter().copied());
    next.filter(|s| !inside(*s))
        .any(|s| Some(s) != fine.gap(Place::After(stmt)))
}

fn collapses(
    tree: &ScopeTree,
    fine: &FlowGraph,
    constructs: &Constructs,
    launching_nodes: &FxHashSet<NodeId>,
    stmt: StmtId,
) -> bool {
    if constructs.launches.iter().any(|l| tree.encloses(stmt, l.stmt)) {
        return false;
    }
    let touched_by_hand = constructs.user_data.iter().any(|u| {
        let pragma = tree.pragma(u.pragma);
        pragma.inside.or(pragma.before).is_some_and(|s| tree.encloses(stmt, s))
    });
    if touched_by_hand {
        return false;
    }
    let Some(header) = fine.cond_of(stmt) else { return false };
    let leaves: Vec<NodeId> = fine
        .node(header)
        .succs
        .iter()
        .copied()
        .filter(|s| !in_loop(tree, fine.node(*s).kind, stmt))
        .collect();
    let inside = |n: NodeId| in_loop(tree, fine.node(n).kind, stmt);
    nodes_in_loop(tree, fine, stmt).into_iter().all(|n| {
        // A `switch` around the loop leads into the middle of it (Duff's device).
        let entered = || !fine.node(n).preds.iter().all(|p| inside(*p));
        let labelled = matches!(fine.node(n).kind, NodeKind::Leaf(s) if match tree.stmt(s).kind {
            StmtKind::Label { .. } => true,
            StmtKind::Case { .. } | StmtKind::Default => entered(),
            _ => false,
        });
        !labelled
            && !launching_nodes.contains(&n)
            && fine
                .node(n)
                .succs
                .iter()
                .all(|s| in_loop(tree, fine.node(*s).kind, stmt) || leaves.contains(s))
    })
}

/// Functions that contain device constructs, and all that may call them or have the library call them back. `has_constructs`
/// says which functions of the text contain any.
pub fn launching_functions(points_to: &PointsTo, has_constructs: &dyn Fn(FuncId) -> bool) -> FxHashSet<FuncId> {
    let graph = points_to.call_graph();
    let mut found = FxHashSet::default();
    for circle in graph.circles() {
        let runs = |f: &FuncId| {
            let mut callees = graph.callees(f.0 as usize).iter();
            callees.any(|c| found.contains(&FuncId(*c as u32)))
        };
        if circle.iter().any(|f| has_constructs(*f) || runs(f)) {
            found.extend(circle);
        }
    }
    found
}
