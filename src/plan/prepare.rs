//! Prepares one function: its graphs, values, loops and constructs, as a [`FunctionModel`].

use super::file::FileFacts;
use super::managed;
use super::program_facts::ProgramFacts;
use crate::analysis::called::called;
use crate::analysis::evaluations::Evaluations;
use crate::analysis::far_jumps::{FarJumps, Jumper, is_confined};
use crate::analysis::function::{FunctionModel, Pairing, coarse_graph};
use crate::analysis::hidden;
use crate::analysis::host_calls::HostSummaries;
use crate::analysis::values::calls::known_calls;
use crate::analysis::values::loop_info::Loops;
use crate::analysis::values::slots::Slots;
use crate::analysis::values::threads::Threads;
use crate::analysis::values::version::KernelLookup;
use crate::analysis::values::versions::Versions;
use crate::analysis::values::{EvaluatedFunction, Values};
use crate::analysis::visible_names::VisibleNames;
use crate::openmp::words;
use crate::program::attach::{Attachment, Offsets, evaluating, noreturn_leaves, other_ways};
use crate::program::constructs::Constructs;
use crate::program::graph::{FlowGraph, NodeId, NodeKind, Special};
use crate::program::host_directives::HostRegion;
use crate::program::ir::{Callee, FuncId, Function, InstId, Module, Op};
use crate::reasons::{Functions, Reason};
use crate::source::Span;
use crate::syntax::{ScopeTree, StmtId, StmtKind, endless_loops};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;

/// The kernel that each node of a function is in, by the node that names it.
struct KernelNodes(Vec<Option<NodeId>>);

impl KernelNodes {
    fn of(tree: &ScopeTree, graph: &FlowGraph, constructs: &Constructs) -> KernelNodes {
        let launches: FxHashMap<StmtId, usize> = constructs.launches.iter().map(|l| l.stmt).zip(0..).collect();
        // The innermost kernel around each statement.
        let launch_of = |node: NodeId| {
            let stmt = graph.stmt_of(node)?;
            let launch = tree.ancestors(stmt).find_map(|s| launches.get(&s))?;
            Some((*launch, stmt))
        };
        let around: Vec<Option<(usize, StmtId)>> = graph.ids().map(launch_of).collect();
        let named = |own: StmtId| graph.init_of(own).or(graph.cond_of(own)).or(graph.of_stmt(own));
        let mut names: Vec<Option<NodeId>> = constructs.launches.iter().map(|l| named(l.stmt)).collect();
        for (node, around) in graph.ids().zip(&around) {
            if let Some((launch, _)) = around {
                names[*launch].get_or_insert(node);
            }
        }
        let of = |(node, around): (NodeId, &Option<(usize, StmtId)>)| {
            let (launch, stmt) = (*around)?;
            let beside = graph.is_beside(node) && constructs.launches[launch].stmt == stmt;
            names[launch].filter(|_| !beside)
        };
        KernelNodes(graph.ids().zip(&around).map(of).collect())
    }
}

impl KernelLookup for KernelNodes {
    fn kernel_of(&self, node: NodeId) -> Option<NodeId> {
        self.0.get(node.0 as usize).copied().flatten()
    }
}

/// Why a function is not understood, and where.
type Trouble = (Span, Reason);

/// What is said of a text that is not understood.
fn not_understood(at: Span, why: impl Into<String>) -> Trouble {
    let why = why.into();
    (at, Functions::NotUnderstood { why }.into())
}

/// A function that is prepared.
struct Preparing<'a> {
    program: &'a ProgramFacts<'a>,
    text: &'a [u8],
    tree: &'a ScopeTree,
    module: &'a Module,
    lines: &'a dyn Offsets,
    /// The function in the tree, and in the module.
    f: usize,
    id: FuncId,
    function: &'a Function,
}

impl Preparing<'_> {
    fn here(&self, reason: impl Into<Reason>) -> Trouble {
        (self.tree.functions[self.f].name_span, reason.into())
    }

    /// The function's directives, if text and module say the same of it.
    fn constructs(&self, file: &FileFacts<'_>) -> Result<Constructs, Trouble> {
        let (tree, f) = (self.tree, self.f);
        if let Some(p) = tree.functions[f].problems.first() {
            return Err(not_understood(p.span, p.message.clone()));
        }
        if let Some((at, name)) = hidden::macro_in_list(tree, &file.macros, self.module, self.id, f) {
            return Err((at, Functions::MacroInDirective { name }.into()));
        }
        if let Some(unseen) = self.function.unseen.as_ref().filter(|unseen| !unseen.elsewhere) {
            return Err(not_understood(
                self.tree.functions[self.f].name_span,
                unseen.why.clone(),
            ));
        }
        let constructs = Constructs::find(tree, f);
        let mut problems = constructs.problems.iter().chain(&constructs.host.problems);
        if let Some(p) = problems.next() {
            return Err(not_understood(p.span, p.message.clone()));
        }
        if let Some(word) = hidden::redefined_word(tree) {
            return Err(not_understood(
                self.tree.functions[self.f].name_span,
                words::why_unsafe(word),
            ));
        }
        if let Some(reason) = self.program.threads.why_left_alone(&self.program.launching, self.id) {
            return Err(self.here(reason));
        }
        if hidden::has_more(tree, self.function, f) {
            return Err(self.here(Functions::HiddenDirectives));
        }
        if hidden::has_more_threads(tree, self.function, f) {
            return Err(self.here(Functions::HiddenThreads));
        }
        let routine = |g: &FuncId| managed::is_device_routine(&self.module.function(*g).name);
        let mut insts = self.function.inst_ids();
        match insts.find(|inst| self.direct(*inst).as_ref().is_some_and(routine)) {
            Some(inst) => Err(self.refused_call(inst, |callee| Functions::ManagesByHand { callee })),
            None => Ok(constructs),
        }
    }

    /// The function that a call names.
    fn direct(&self, inst: InstId) -> Option<FuncId> {
        match self.function.inst(inst).op {
            Op::Call {
                callee: Callee::Direct(g),
                ..
            } => Some(g),
            _ => None,
        }
    }

    fn refused_call(&self, inst: InstId, reason: impl Fn(String) -> Functions) -> Trouble {
        let at = self.function.inst(inst).loc.and_then(|l| self.lines.offset(l));
        let at = at.unwrap_or(self.tree.functions[self.f].span.start);
        let name = match self.direct(inst) {
            Some(g) => &self.module.function(g).name,
            None => &self.function.name,
        };
        (Span::new(at, at), reason(name.clone()).into())
    }

    /// What the text of the function does not say of how control goes.
    fn special(&self) -> Special {
        let returns_not = |inst| {
            self.direct(inst)
                .is_some_and(|g| self.module.function(g).attrs.noreturn)
        };
        Special {
            opaque: FxHashSet::default(),
            noreturn: noreturn_leaves(self.tree, self.function, &returns_not, self.lines),
            endless: endless_loops(self.text, self.tree, self.f).collect(),
            evaluating: evaluating(self.tree, self.f, self.function, self.lines),
            left_out: other_ways(self.tree, self.f, self.module, self.function, self.lines),
            empty_with_gap: match self.program.directives_alone {
                true => self.blocks_of_directives(),
                false => FxHashSet::default(),
            },
        }
    }

    /// The blocks in which directives stand and no statement does.
    fn blocks_of_directives(&self) -> FxHashSet<StmtId> {
        let pragmas = self.tree.pragmas_of(self.f).filter(|pragma| pragma.before.is_none());
        let blocks = pragmas.filter_map(|pragma| pragma.inside);
        blocks
            .filter(|block| self.tree.stmt(*block).children.is_empty())
            .collect()
    }

    /// The variables that are followed, those included that called functions name.
    fn slots(&self, host: &HostSummaries, jumps: &FarJumps) -> Slots {
        let (program, module, function) = (self.program, self.module, self.function);
        let mut slots = Slots::collect(module, function, jumps, &program.shared.followed_arrays);
        for inst in function.inst_ids() {
            let Some(call) = called(module, program.points_to, self.id, inst) else {
                continue;
            };
            for callee in &call.functions {
                if let Some(summary) = program.summaries.get(callee) {
                    slots.include(module, function, call.args, summary.named());
                }
                if let Some(summary) = host.get(callee) {
                    slots.include(module, function, call.args, summary.named());
                }
            }
        }
        slots.include_calls(module, self.id, program.points_to, &program.values);
        slots.include_copies(module, function);
        slots
    }

    /// The nodes that call what starts kernels.
    fn launching_nodes(&self, fine: &FlowGraph, attachment: &Attachment) -> FxHashSet<NodeId> {
        let launches = |inst: InstId| {
            let targets = || self.program.points_to.call_targets(self.id, inst);
            matches!(self.function.inst(inst).op, Op::Call { .. })
                && targets().functions().any(|t| self.program.launching.contains(&t))
        };
        let launching = |n: &NodeId| attachment.insts_of[n.0 as usize].iter().any(|i| launches(*i));
        fine.ids().filter(launching).collect()
    }

    /// Whether no region of several host threads starts kernels.
    fn starts_outside_regions(
        &self,
        constructs: &Constructs,
        fine: &FlowGraph,
        launching_nodes: &FxHashSet<NodeId>,
    ) -> Result<(), Trouble> {
        let starts = |r: &&HostRegion| {
            let mut inside = launching_nodes.iter().filter_map(|n| fine.stmt_of(*n));
            inside.any(|s| self.tree.encloses(r.stmt, s))
        };
        match constructs.host.regions.iter().find(starts) {
            Some(region) => Err((self.tree.pragma(region.pragma).span, Functions::KernelsInRegion.into())),
            None => Ok(()),
        }
    }
}

/// Makes the model of a function and does something with it.
///
/// # Errors
/// What of the function is not understood, and where.
pub(super) fn with_model<T>(
    program: &ProgramFacts<'_>,
    file: &FileFacts<'_>,
    f: usize,
    id: FuncId,
    host: &HostSummaries,
    work: impl FnOnce(&FunctionModel<'_>) -> T,
) -> Result<T, Trouble> {
    file.options.patience.go_on();
    let (tree, module) = (file.tree, program.module);
    let lines: &dyn Offsets = &file.lines;
    let function = module.function(id);
    let preparing = Preparing {
        program,
        text: file.text,
        tree,
        module,
        lines,
        f,
        id,
        function,
    };
    let constructs = preparing.constructs(file)?;
    let special = preparing.special();
    let mut fine = FlowGraph::build(tree, f, &special).map_err(|e| not_understood(e.span, e.message))?;
    if let Some(span) = backward_goto(tree, &fine) {
        return Err((span, Functions::BackwardGoto.into()));
    }
    let attachment = Attachment::new(tree, f, &fine, function, lines).map_err(|e| not_understood(e.span, e.message))?;
    let jumper = Jumper {
        tree,
        tree_function: f,
        module,
        func: id,
        attachment: &attachment,
        constructs: &constructs,
        points_to: program.points_to,
        effects: program.effects,
        offsets: lines,
    };
    let jumps = jumper.follow(&mut fine);
    let jumps = jumps.map_err(|inst| preparing.refused_call(inst, |callee| Functions::ReturnsTwice { callee }))?;
    let slots = preparing.slots(host, &jumps);
    let mut calls = known_calls(module, id, program.points_to, program.effects, &slots, &program.values);
    // Where one jumps, it may have done less.
    calls.retain(|inst, _| !jumps.calls.contains(inst));
    let kernels = KernelNodes::of(tree, &fine, &constructs);
    let evaluated = EvaluatedFunction {
        module,
        func: id,
        graph: &fine,
        attachment: &attachment,
        effects: program.effects,
    };
    let versions = Versions::solve(
        evaluated,
        &slots,
        program.points_to,
        &calls,
        &kernels,
        Threads::new(tree, &fine, &constructs.host),
    );
    let values = Values::new(evaluated, slots, versions, calls);
    let loops = Loops::find(tree, f, &values, program.points_to);
    let launching_nodes = preparing.launching_nodes(&fine, &attachment);
    preparing.starts_outside_regions(&constructs, &fine, &launching_nodes)?;
    let mut coarse = coarse_graph(tree, f, &fine, &constructs, &launching_nodes, special)
        .map_err(|e| not_understood(e.span, e.message))?;
    for stmt in constructs.user_data.iter().filter_map(|u| u.stmt) {
        coarse.enter_region(stmt);
    }
    let pairing = Pairing::of(tree, &fine, &coarse);
    pairing
        .jump_far(&fine, &mut coarse)
        .ok_or_else(|| preparing.here(Functions::ReturnsTwiceInside))?;
    Ok(work(&FunctionModel {
        text: file.text,
        tree,
        tree_function: f,
        module,
        func: id,
        points_to: program.points_to,
        effects: program.effects,
        fine: &fine,
        coarse: &coarse,
        pairing: &pairing,
        attachment: &attachment,
        values: &values,
        loops: &loops,
        constructs: &constructs,
        offsets: lines,
        launching: &program.launching,
        unknown_code: &program.unknown_code,
        by_hand: &program.by_hand,
        maps: &program.maps,
        confined: is_confined(module, program.points_to, id),
        evaluations: Evaluations::default(),
        names: VisibleNames::default(),
        elements: OnceCell::new(),
    }))
}

/// The first `goto` whose label comes before it in control flow order.
fn backward_goto(tree: &ScopeTree, graph: &FlowGraph) -> Option<Span> {
    graph.ids().find_map(|n| {
        let NodeKind::Leaf(s) = graph.node(n).kind else {
            return None;
        };
        if !matches!(tree.stmt(s).kind, StmtKind::Goto { .. }) {
            return None;
        }
        let to = graph.stmt_of(*graph.node(n).succs.first()?)?;
        (tree.stmt(to).span.start <= tree.stmt(s).span.start).then(|| tree.stmt(s).span)
    })
}
