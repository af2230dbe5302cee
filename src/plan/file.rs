//! Decides everything about one file: prepares each function, plans it, collects decisions and remarks.

use super::function::{inputs, plan_function};
use super::summary::summarise;
use super::{FilePlan, Note, PlanOptions};
use crate::analysis::device_calls::Summaries;
use crate::analysis::effects::Effects;
use crate::analysis::function::{FunctionModel, Pairing, coarse_graph, launching_functions};
use crate::analysis::hidden;
use crate::analysis::movement::scope::Macros;
use crate::analysis::points_to::PointsTo;
use crate::analysis::presence::Presence;
use crate::analysis::values::Values;
use crate::analysis::values::loops::Loops;
use crate::analysis::values::slots::Slots;
use crate::analysis::values::versions::{Kernels, Versions};
use crate::openmp::{Construct, Directive};
use crate::program::attach::{Attachment, Offsets, noreturn_leaves};
use crate::program::constructs::Constructs;
use crate::program::graph::{FlowGraph, NodeId, NodeKind};
use crate::program::ir::{Callee, FuncId, Loc, Module, Op};
use crate::program::objects::MemLoc;
use crate::source::{LineIndex, Position, Span};
use crate::syntax::{ScopeTree, StmtKind};
use rustc_hash::FxHashSet;
use std::rc::Rc;

struct Lines(LineIndex);

impl Offsets for Lines {
    fn offset(&self, loc: Loc) -> Option<usize> {
        self.0.offset(Position {
            line: loc.line,
            column: loc.col,
        })
    }
}

/// What the functions of a file have in common.
pub struct FileFacts<'a> {
    /// The text.
    pub text: &'a [u8],
    /// The scope tree.
    pub tree: &'a ScopeTree,
    /// The IR.
    pub module: &'a Module,
    /// Points-to sets.
    pub points_to: &'a PointsTo,
    /// Effects.
    pub effects: &'a Effects<'a>,
    /// Which functions may find data on the device.
    pub presence: Presence,
    /// Functions with kernels that the host does not wait for, and what these functions may touch.
    pub asynchronous: Vec<(FuncId, Vec<MemLoc>)>,
    /// Object-like macros.
    pub macros: Macros,
    /// Globals that live on the device by `declare target`.
    pub declare_target: Vec<String>,
    /// Options.
    pub options: &'a PlanOptions,
}

/// Decides everything about one file.
pub fn plan_file(text: &[u8], tree: &ScopeTree, module: &Module, options: &PlanOptions) -> FilePlan {
    let mut plan = FilePlan::default();
    let device = |f: usize| {
        tree.pragmas
            .iter()
            .any(|p| p.function == Some(f as u32) && is_device(&p.text))
    };
    if !(0..tree.functions.len()).any(device) {
        return plan;
    }
    let points_to = PointsTo::solve(module);
    let effects = Effects::solve(module, &points_to);
    let lines = Lines(LineIndex::new(text));
    let tree_index = |f: FuncId| {
        let function = module.function(f);
        tree.functions
            .iter()
            .position(|t| t.name == function.name && !function.in_header)
    };
    let has_constructs = |f: FuncId| match tree_index(f) {
        Some(t) => device(t) || hidden::in_macros(text, tree, module, t),
        None => hidden::in_header(module.function(f)),
    };
    let launching = launching_functions(module, &points_to, &has_constructs);
    let ir_function = |f: usize| {
        (0..module.functions.len() as u32)
            .map(FuncId)
            .find(|id| !module.function(*id).declaration && tree_index(*id) == Some(f))
    };
    let mut facts = FileFacts {
        text,
        tree,
        module,
        points_to: &points_to,
        effects: &effects,
        presence: Presence::new(tree, module, &points_to, &ir_function),
        asynchronous: (0..tree.functions.len())
            .filter(|f| Constructs::find(tree, *f).launches.iter().any(|l| l.asynchronous))
            .filter_map(&ir_function)
            .map(|f| {
                let touched = effects.of(f);
                (f, touched.reads.union(&touched.writes).copied().collect())
            })
            .collect(),
        macros: macros(text, tree, options),
        declare_target: declare_target(tree, module, &lines),
        options,
    };
    // Callees first: what they start on the device is part of what their callers do.
    let mut summaries = Summaries::default();
    for id in points_to.call_graph().callees_first() {
        let Some(f) = tree_index(id).filter(|_| launching.contains(&id) && module.function(id).name != "main") else {
            continue;
        };
        if module.function(id).declaration || hidden::in_macros(text, tree, module, f) {
            continue;
        }
        let made = with_model(&facts, f, id, &lines, &launching, |model| {
            summarise(&inputs(&facts, model, &summaries))
        });
        if let Ok(Some(summary)) = made {
            summaries.insert(id, Rc::new(summary));
        }
    }
    for (id, summary) in &summaries {
        facts.presence.add(*id, summary.uses.iter().flat_map(|u| &u.locs));
    }
    for (f, function) in tree.functions.iter().enumerate() {
        let id = ir_function(f);
        if !device(f) && !id.is_some_and(|id| launching.contains(&id)) {
            continue;
        }
        let Some(id) = id else {
            plan.remarks.push(Note {
                span: function.name_span,
                message: format!("`{}` is left as it is: the compiler did not emit it", function.name),
            });
            continue;
        };
        let planned = with_model(&facts, f, id, &lines, &launching, |model| {
            plan_function(&inputs(&facts, model, &summaries))
        });
        match planned {
            Ok(part) => {
                plan.decisions.extend(part.decisions);
                plan.remarks.extend(part.remarks);
            }
            Err((span, message)) => plan.remarks.push(Note {
                span,
                message: format!("`{}` is left as it is: {message}", function.name),
            }),
        }
    }
    plan.remarks.sort();
    plan.remarks.dedup();
    plan
}

/// A device construct: whatever starts kernels or manages device data.
fn is_device(text: &str) -> bool {
    Directive::parse(text).is_some_and(|d| {
        d.is_launch()
            || [
                Construct::TargetData,
                Construct::TargetEnterData,
                Construct::TargetExitData,
                Construct::TargetUpdate,
            ]
            .iter()
            .any(|c| d.has(c))
    })
}

struct KernelNodes<'a> {
    tree: &'a ScopeTree,
    graph: &'a FlowGraph,
    constructs: &'a Constructs,
}

impl Kernels for KernelNodes<'_> {
    fn kernel_of(&self, node: NodeId) -> Option<NodeId> {
        let stmt = self.graph.stmt_of(node)?;
        let launch = self.constructs.launch_around(self.tree, stmt)?;
        let own = self.constructs.launches[launch].stmt;
        if matches!(self.graph.node(node).kind, NodeKind::Gap(_)) && own == stmt {
            return None;
        }
        let name = self
            .graph
            .init_of(own)
            .or(self.graph.cond_of(own))
            .or(self.graph.of_stmt(own));
        name.or_else(|| {
            self.graph
                .ids()
                .find(|n| self.graph.stmt_of(*n).is_some_and(|s| self.tree.encloses(own, s)))
        })
    }
}

/// Makes the model of a function and does something with it.
fn with_model<T>(
    facts: &FileFacts<'_>,
    f: usize,
    id: FuncId,
    lines: &dyn Offsets,
    launching: &FxHashSet<FuncId>,
    work: impl FnOnce(&FunctionModel<'_>) -> T,
) -> Result<T, (Span, String)> {
    let (tree, module) = (facts.tree, facts.module);
    if let Some(p) = tree.functions[f].problems.first() {
        return Err((p.span, p.message.clone()));
    }
    let function = module.function(id);
    let constructs = Constructs::find(tree, f);
    if let Some(p) = constructs.problems.first() {
        return Err((p.span, p.message.clone()));
    }
    for inst in function.inst_ids() {
        if let Op::Call {
            callee: Callee::Direct(g),
            ..
        } = &function.inst(inst).op
        {
            let callee = module.function(*g);
            let by_hand = callee.name.starts_with("omp_target_")
                || ["omp_set_default_device", "omp_get_mapped_ptr"].contains(&callee.name.as_str());
            if by_hand || callee.attrs.returns_twice {
                let at = function
                    .inst(inst)
                    .loc
                    .and_then(|l| lines.offset(l))
                    .unwrap_or(tree.functions[f].span.start);
                let what = if by_hand {
                    "manages device memory by hand"
                } else {
                    "may return twice"
                };
                return Err((Span::new(at, at), format!("the call of `{}` {what}", callee.name)));
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
    let fine = FlowGraph::build(tree, f, &FxHashSet::default(), &noreturn).map_err(|e| (e.span, e.message))?;
    if let Some(span) = backward_goto(tree, &fine) {
        return Err((
            span,
            "a backward `goto` makes a loop that this tool does not follow".into(),
        ));
    }
    let attachment = Attachment::new(tree, f, &fine, function, lines).map_err(|e| (e.span, e.message))?;
    let slots = Slots::collect(module, function);
    let kernels = KernelNodes {
        tree,
        graph: &fine,
        constructs: &constructs,
    };
    let versions = Versions::solve(
        module,
        id,
        &fine,
        &attachment,
        &slots,
        facts.points_to,
        facts.effects,
        &kernels,
    );
    let values = Values::new(module, id, slots, versions, &fine, &attachment);
    let loops = Loops::find(tree, f, &values);
    let launching_nodes: FxHashSet<NodeId> = fine
        .ids()
        .filter(|n| {
            attachment.insts_of[n.0 as usize].iter().any(|i| {
                matches!(function.inst(*i).op, Op::Call { .. })
                    && facts
                        .points_to
                        .call_targets(id, *i)
                        .known
                        .iter()
                        .any(|t| launching.contains(t))
            })
        })
        .collect();
    let coarse =
        coarse_graph(tree, f, &fine, &constructs, &launching_nodes, &noreturn).map_err(|e| (e.span, e.message))?;
    let pairing = Pairing::of(tree, &fine, &coarse);
    let model = FunctionModel {
        tree,
        tree_function: f,
        module,
        func: id,
        points_to: facts.points_to,
        effects: facts.effects,
        fine: &fine,
        coarse: &coarse,
        pairing: &pairing,
        attachment: &attachment,
        values: &values,
        loops: &loops,
        constructs: &constructs,
        offsets: lines,
        launching,
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

/// Object-like macros of the text and of the flags, where one body holds throughout.
fn macros(text: &[u8], tree: &ScopeTree, options: &PlanOptions) -> Macros {
    let mut macros: Macros = options.defines.iter().cloned().collect();
    let mut unsure = FxHashSet::default();
    for (name, body) in &tree.constants {
        if macros
            .insert(name.clone(), body.clone())
            .is_some_and(|old| old != *body)
        {
            unsure.insert(name.clone());
        }
    }
    for line in String::from_utf8_lossy(text).lines() {
        let Some(directive) = line.trim_start().strip_prefix('#').map(str::trim_start) else {
            continue;
        };
        if let Some(name) = directive
            .strip_prefix("undef")
            .and_then(|rest| rest.split_whitespace().next())
        {
            unsure.insert(name.to_owned());
        }
    }
    macros.retain(|name, _| !unsure.contains(name));
    macros
}

/// Names of globals in `declare target` directives or between `declare target` and its end.
fn declare_target(tree: &ScopeTree, module: &Module, lines: &dyn Offsets) -> Vec<String> {
    let mut names = Vec::new();
    let mut open: Option<usize> = None;
    for p in &tree.pragmas {
        let Some(d) = Directive::parse(&p.text) else { continue };
        if !d.has(&Construct::DeclareTarget)
            && !d.has(&Construct::EndDeclareTarget)
            && !d.has(&Construct::BeginDeclareTarget)
        {
            continue;
        }
        let listed: Vec<String> = d
            .clauses
            .iter()
            .flat_map(|c| c.kind.items().to_vec())
            .chain(d.argument.iter().flat_map(|a| a.items.clone()))
            .map(|i| i.path.base)
            .collect();
        if d.has(&Construct::EndDeclareTarget) {
            if let Some(start) = open.take() {
                for g in &module.globals {
                    if g.decl
                        .and_then(|l| lines.offset(l))
                        .is_some_and(|o| start <= o && o < p.span.start)
                    {
                        names.push(g.name.clone());
                    }
                }
            }
        } else if listed.is_empty() {
            open = Some(p.span.end);
        }
        names.extend(listed);
    }
    names
}
