//! Prepares one function: its graphs, values, loops and constructs, as a [`FunctionModel`].

use super::file::FileFacts;
use super::managed;
use super::program::ProgramFacts;
use crate::analysis::called::called;
use crate::analysis::evaluable::Evaluations;
use crate::analysis::far_jumps::{Jumper, is_confined};
use crate::analysis::function::{FunctionModel, Pairing, coarse_graph};
use crate::analysis::hidden;
use crate::analysis::host_calls::HostSummaries;
use crate::analysis::values::Values;
use crate::analysis::values::calls::known_calls;
use crate::analysis::values::loops::Loops;
use crate::analysis::values::slots::Slots;
use crate::analysis::values::threads::Threads;
use crate::analysis::values::versions::{Kernels, Versions};
use crate::openmp::words;
use crate::program::attach::{Attachment, Offsets, evaluating, noreturn_leaves, other_ways};
use crate::program::constructs::Constructs;
use crate::program::graph::{FlowGraph, NodeId, NodeKind, Special};
use crate::program::host_directives::HostRegion;
use crate::program::ir::{Callee, FuncId, InstId, Op};
use crate::source::Span;
use crate::syntax::{ScopeTree, StmtId, StmtKind};
use rustc_hash::{FxHashMap, FxHashSet};

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

impl Kernels for KernelNodes {
    fn kernel_of(&self, node: NodeId) -> Option<NodeId> {
        self.0.get(node.0 as usize).copied().flatten()
    }
}

/// Makes the model of a function and does something with it.
///
/// # Errors
/// What of the function is not understood, and where.
pub(super) fn with_model<T>(
    program: &ProgramFacts<'_>,
    file: &FileFacts<'_>,
    (f, id): (usize, FuncId),
    host: &HostSummaries,
    work: impl FnOnce(&FunctionModel<'_>) -> T,
) -> Result<T, (Span, String)> {
    let (tree, module) = (file.tree, program.module);
    let lines: &dyn Offsets = &file.lines;
    if let Some(p) = tree.functions[f].problems.first() {
        return Err((p.span, p.message.clone()));
    }
    let function = module.function(id);
    if let Some((at, name)) = hidden::macro_in_list(tree, &file.macros, module, (id, f)) {
        let message = format!("`{name}` in this directive is a macro: write the variable that it stands for");
        return Err((at, message));
    }
    if let Some(unseen) = function.unseen.as_ref().filter(|unseen| !unseen.elsewhere) {
        return Err((tree.functions[f].name_span, unseen.why.clone()));
    }
    let constructs = Constructs::find(tree, f);
    let mut problems = constructs.problems.iter().chain(&constructs.host.problems);
    if let Some(p) = problems.next() {
        return Err((p.span, p.message.clone()));
    }
    if let Some(word) = hidden::redefined_word(tree) {
        return Err((tree.functions[f].name_span, words::why_unsafe(word)));
    }
    if let Some(reason) = program.threads.why_left_alone(&program.launching, id) {
        return Err((tree.functions[f].name_span, reason));
    }
    if hidden::has_more(tree, function, f) {
        let message = "it has device directives that are not in this text (a macro or an included file)";
        return Err((tree.functions[f].name_span, message.into()));
    }
    if hidden::has_more_threads(tree, function, f) {
        let message =
            "it has directives to threads of the host that are not in this text (a macro or an included file)";
        return Err((tree.functions[f].name_span, message.into()));
    }
    let refused_call = |inst: InstId, what: &str| {
        let inst = function.inst(inst);
        let at = inst.loc.and_then(|l| lines.offset(l));
        let at = at.unwrap_or(tree.functions[f].span.start);
        let name = match &inst.op {
            Op::Call {
                callee: Callee::Direct(g),
                ..
            } => &module.function(*g).name,
            _ => &function.name,
        };
        (Span::new(at, at), format!("the call of `{name}` {what}"))
    };
    for inst in function.inst_ids() {
        if let Op::Call {
            callee: Callee::Direct(g),
            ..
        } = &function.inst(inst).op
        {
            let callee = module.function(*g);
            if managed::is_device_routine(&callee.name) {
                return Err(refused_call(inst, "manages device memory by hand"));
            }
        }
    }
    let is_noreturn = |inst| match &function.inst(inst).op {
        Op::Call {
            callee: Callee::Direct(g),
            ..
        } => module.function(*g).attrs.noreturn,
        _ => false,
    };
    let noreturn = noreturn_leaves(tree, function, &is_noreturn, lines);
    let evaluating = evaluating(tree, f, function, lines);
    let special = Special {
        opaque: FxHashSet::default(),
        noreturn,
        evaluating,
        left_out: other_ways((tree, f), module, function, lines),
    };
    let mut fine = FlowGraph::build(tree, f, &special).map_err(|e| (e.span, e.message))?;
    if let Some(span) = backward_goto(tree, &fine) {
        return Err((
            span,
            "a backward `goto` makes a loop that this tool does not follow".into(),
        ));
    }
    let attachment = Attachment::new(tree, f, &fine, function, lines).map_err(|e| (e.span, e.message))?;
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
    let jumps = jumps.map_err(|inst| refused_call(inst, "may return twice"))?;
    let mut slots = Slots::collect(module, function, &jumps);
    for inst in function.inst_ids() {
        let Some(call) = called(module, program.points_to, id, inst) else {
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
    slots.include_calls(module, id, program.points_to, &program.values);
    slots.include_copies(module, function);
    let mut calls = known_calls(module, id, program.points_to, program.effects, &slots, &program.values);
    // Where one jumps, it may have done less.
    calls.retain(|inst, _| !jumps.calls.contains(inst));
    let kernels = KernelNodes::of(tree, &fine, &constructs);
    let versions = Versions::solve(
        module,
        id,
        &fine,
        &attachment,
        &slots,
        program.points_to,
        program.effects,
        &calls,
        &kernels,
        Threads::new(tree, &fine, &constructs.host),
    );
    let values = Values::new(module, id, slots, versions, calls, &fine, &attachment);
    let loops = Loops::find(tree, f, &values, program.points_to);
    let launching_nodes: FxHashSet<NodeId> = fine
        .ids()
        .filter(|n| {
            attachment.insts_of[n.0 as usize].iter().any(|i| {
                matches!(function.inst(*i).op, Op::Call { .. })
                    && program
                        .points_to
                        .call_targets(id, *i)
                        .known
                        .iter()
                        .any(|t| program.launching.contains(t))
            })
        })
        .collect();
    let starts = |r: &HostRegion| {
        let mut inside = launching_nodes.iter().filter_map(|n| fine.stmt_of(*n));
        inside.any(|s| tree.encloses(r.stmt, s))
    };
    if let Some(region) = constructs.host.regions.iter().find(|r| starts(r)) {
        let message = "functions called in a host parallel or task region here start kernels";
        return Err((tree.pragma(region.pragma).span, message.into()));
    }
    let mut coarse =
        coarse_graph(tree, f, &fine, &constructs, &launching_nodes, special).map_err(|e| (e.span, e.message))?;
    for stmt in constructs.user_data.iter().filter_map(|u| u.stmt) {
        coarse.enter_region(stmt);
    }
    let pairing = Pairing::of(tree, &fine, &coarse);
    let one_place = "`setjmp` returns again within a statement that is looked at as a whole";
    pairing
        .jump_far(&fine, &mut coarse)
        .ok_or_else(|| (tree.functions[f].name_span, one_place.to_owned()))?;
    let model = FunctionModel {
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
        by_hand: &program.by_hand,
        confined: is_confined(module, program.points_to, id),
        evaluations: Evaluations::default(),
    };
    Ok(work(&model))
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
