//! Scalars of which a kernel has a copy: what it writes there ends with the copy, where nothing brings it back (OMM107, OMM102), and what nothing has brought
//! there it cannot read (OMM101) or give back (OMM109).
//!
//! ```c
//! double sum = 0;
//! #pragma omp target map(to: a[0:n])
//! #pragma omp teams distribute parallel for reduction(+: sum)      // reduces into the kernel's copy of `sum`
//! for (int i = 0; i < n; i++) sum += a[i];
//! printf("%g\n", sum);                                             // 0
//! ```
//!
//! Which variables a kernel has copies of is [`crate::openmp::implicit`]'s table. A read is one that control may come to from the kernel
//! without coming by a statement that writes the variable first. Scalars that other directives map are left out.

use crate::analysis::function::FunctionModel;
use crate::analysis::points_to::for_operands;
use crate::openmp::implicit::{Attribute, DeclaredTarget, RegionVariable, VariableClass, attribute};
use crate::openmp::{ClauseKind, Directive};
use crate::openmp::{MapType, SpecVersion};
use crate::program::constructs::Launch;
use crate::program::graph::{NodeId, NodeKind};
use crate::program::ir::{InstId, Op, Operand, SourceType, VarId};
use crate::rules::Rule;
use crate::source::Span;
use rustc_hash::FxHashSet;

/// What is wrong with a scalar.
pub struct ScalarProblem {
    /// The rule that it violates.
    pub rule: Rule,
    /// The variable.
    pub name: String,
    /// The kernel's directive.
    pub kernel: Span,
    /// Where a wrong value is read.
    pub read: Span,
    /// The value surely is wrong.
    pub surely: bool,
}

/// What copy a kernel has of a scalar.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ScalarCopy {
    /// One with the host's value, which ends with the kernel.
    Own,
    /// One that `map` clauses ask for: the copy begins with the host's value, and the host gets the kernel's.
    Mapped { brings: bool, returns: bool },
}

/// What a kernel does with a scalar.
struct ScalarUse {
    variable: VarId,
    copy: ScalarCopy,
    writes: bool,
    reads: ReadBefore,
}

/// Whether a kernel surely reads the value that a variable had before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReadBefore {
    No,
    /// Only to make the variable's new value of it, as reductions do: nobody sees more of it than of what the kernel leaves.
    ForItself,
    Yes,
}

/// What is done to a variable first at a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FirstUse {
    Nothing,
    Read,
    Written,
    /// The variable's address is handed on.
    Unclear,
}

/// What is wrong with scalars of a function.
pub fn scalar_problems(model: &FunctionModel<'_>) -> Vec<ScalarProblem> {
    let launches = model.constructs.launches.iter().enumerate();
    let problems = launches.flat_map(|(at, launch)| {
        let used = used_in(model, at, launch);
        used.into_iter().flat_map(move |u| problems_of(model, launch, &u))
    });
    problems.collect()
}

fn problems_of(model: &FunctionModel<'_>, launch: &Launch, used: &ScalarUse) -> Vec<ScalarProblem> {
    let (kernel, name) = (
        model.tree.pragma(launch.pragma).span,
        &model.function().variables[used.variable.0 as usize].name,
    );
    let always = !launch
        .directive
        .clauses
        .iter()
        .any(|c| matches!(c.kind, ClauseKind::If { .. }));
    let problem = |rule: Rule, read: Span, surely: bool| ScalarProblem {
        rule,
        name: name.clone(),
        kernel,
        read,
        surely: surely && always,
    };
    let (brings, returns) = match used.copy {
        ScalarCopy::Own => (true, false),
        ScalarCopy::Mapped { brings, returns } => (brings, returns),
    };
    let mut found = Vec::new();
    let read_behind = first_read(model, launch, used.variable);
    if !brings && used.reads != ReadBefore::No {
        let is_seen = used.reads == ReadBefore::Yes || returns && read_behind.is_some_and(|(_, surely)| surely);
        found.push(problem(Rule::MissingTo, kernel, is_seen));
    }
    let rule = match (used.writes, returns, used.copy) {
        (true, false, ScalarCopy::Own) => Some(Rule::ScalarResultLost),
        (true, false, ScalarCopy::Mapped { .. }) => Some(Rule::MissingFrom),
        (false, true, _) if !brings => Some(Rule::GarbageCopyOut),
        _ => None,
    };
    if let Some(rule) = rule
        && let Some((read, surely)) = read_behind
    {
        found.push(problem(rule, read, surely));
    }
    found
}

/// The scalars that a kernel uses and has copies of.
fn used_in(model: &FunctionModel<'_>, at: usize, launch: &Launch) -> Vec<ScalarUse> {
    let function = model.function();
    let (mut stored, mut loaded): (Vec<VarId>, Vec<VarId>) = (Vec::new(), Vec::new());
    for inst in function.inst_ids() {
        let (ptr, uses) = match &function.inst(inst).op {
            Op::Store { ptr, .. } => (ptr, &mut stored),
            Op::Load { ptr, .. } => (ptr, &mut loaded),
            Op::Atomic { ptr, .. } => (ptr, &mut stored),
            _ => continue,
        };
        let Some(node) = model.attachment.node_of[inst.0 as usize].filter(|n| model.launch_of(*n) == Some(at)) else {
            continue;
        };
        // The index of a loop is private to each thread, or the loop's alone.
        let is_index = matches!(model.fine.node(node).kind, NodeKind::Init(_) | NodeKind::Step(_));
        let Operand::Inst(alloca) = ptr else { continue };
        if let Some(v) = function.variable_of(*alloca).filter(|_| !is_index) {
            uses.push(v);
        }
    }
    let mut all: Vec<VarId> = stored.iter().chain(&loaded).copied().collect();
    all.sort_unstable();
    all.dedup();
    let of = |v: VarId| {
        let variable = &function.variables[v.0 as usize];
        let is_scalar = matches!(variable.source_type, SourceType::Int { .. } | SourceType::Float { .. });
        let copy = (is_scalar && !model.is_declared_in(launch.stmt, v)).then(|| copy_of(model, launch, v))??;
        let writes = stored.contains(&v);
        Some(ScalarUse {
            variable: v,
            copy,
            writes,
            reads: match loaded.contains(&v) && !writes {
                true => ReadBefore::Yes,
                false if is_reduced(model, launch, &variable.name) => ReadBefore::ForItself,
                false => ReadBefore::No,
            },
        })
    };
    all.into_iter().filter_map(of).collect()
}

/// The directives of a kernel, its own the first.
fn directives_of(model: &FunctionModel<'_>, launch: &Launch) -> Vec<Directive> {
    let tree = model.tree;
    let inner = tree.pragmas_of(model.tree_function).filter(|p| {
        let stmt = p.before.or(p.inside);
        p.span != tree.pragma(launch.pragma).span && stmt.is_some_and(|s| tree.encloses(launch.stmt, s))
    });
    let inner = inner.filter_map(|p| Directive::parse(&p.text));
    std::iter::once(launch.directive.clone()).chain(inner).collect()
}

/// Whether a kernel reduces into a variable, which reads what that was before.
fn is_reduced(model: &FunctionModel<'_>, launch: &Launch, name: &str) -> bool {
    let reduces = |kind: &ClauseKind| match kind {
        ClauseKind::Reduction { items, .. } => items.iter().any(|item| item.path.base == name),
        _ => false,
    };
    directives_of(model, launch)
        .iter()
        .any(|d| d.clauses.iter().any(|c| reduces(&c.kind)))
}

/// The copy that a kernel has of a variable, if it has one that is the kernel's and not a thread's, and no other directive maps the variable.
fn copy_of(model: &FunctionModel<'_>, launch: &Launch, v: VarId) -> Option<ScalarCopy> {
    let name = &model.function().variables[v.0 as usize].name;
    if model.visible_variable(launch.stmt, name) != Some(v) {
        return None;
    }
    let variable = RegionVariable {
        name,
        class: VariableClass::Scalar,
        iterates: false,
        declared: DeclaredTarget::No,
    };
    let is_threads = |d: &Directive| {
        let mut clauses = d.clauses.iter().map(|c| &c.kind);
        clauses.any(|kind| match kind {
            ClauseKind::Private { items } | ClauseKind::Firstprivate { items } => {
                items.iter().any(|item| item.path.base == *name)
            }
            ClauseKind::Default { value } => value.contains("private"),
            _ => false,
        })
    };
    let names = |d: &Directive| {
        d.clauses
            .iter()
            .flat_map(|c| c.kind.items())
            .any(|item| item.path.base == *name)
    };
    if directives_of(model, launch).iter().any(is_threads) {
        return None;
    }
    let is_mapped_elsewhere = || model.constructs.user_data.iter().any(|u| names(&u.directive));
    match attribute(&launch.directive, &variable, SpecVersion::default()).attribute {
        Attribute::Firstprivate => Some(ScalarCopy::Own),
        Attribute::Map { map_type, .. } if !is_mapped_elsewhere() => {
            // Several clauses may name it: what one of them does is done.
            let said = launch.maps.iter().filter(|(_, item)| item.path.base == *name);
            let types: Vec<MapType> = said.map(|(said, _)| *said).chain([map_type]).collect();
            Some(ScalarCopy::Mapped {
                brings: types.iter().any(|t| matches!(t, MapType::To | MapType::Tofrom)),
                returns: types.iter().any(|t| matches!(t, MapType::From | MapType::Tofrom)),
            })
        }
        _ => None,
    }
}

/// The first read of a variable behind a kernel, and whether no other way leads on from there.
fn first_read(model: &FunctionModel<'_>, launch: &Launch, v: VarId) -> Option<(Span, bool)> {
    let (tree, graph) = (model.tree, model.coarse);
    let start = graph.of_stmt(launch.stmt)?;
    let (mut seen, mut surely) = (FxHashSet::default(), true);
    let mut work: Vec<NodeId> = graph.node(start).succs.clone();
    surely &= work.len() == 1;
    while let Some(node) = work.pop() {
        if !seen.insert(node) {
            continue;
        }
        match first_use(model, node, v) {
            FirstUse::Read => return Some((tree.stmt(graph.stmt_of(node)?).span, surely)),
            FirstUse::Written | FirstUse::Unclear => continue,
            FirstUse::Nothing => {}
        }
        let next = &graph.node(node).succs;
        surely &= next.len() == 1;
        work.extend(next);
    }
    None
}

/// What is done to a variable first at a node: in the order of the instructions.
fn first_use(model: &FunctionModel<'_>, node: NodeId, v: VarId) -> FirstUse {
    let function = model.function();
    let Some(alloca) = function.variables[v.0 as usize].alloca else {
        return FirstUse::Unclear;
    };
    let is_it = |o: &Operand| *o == Operand::Inst(alloca);
    let insts = model
        .fine_of(node)
        .iter()
        .flat_map(|n| &model.attachment.insts_of[n.0 as usize]);
    let mut insts: Vec<InstId> = insts.copied().collect();
    insts.sort_unstable();
    for inst in insts {
        match &function.inst(inst).op {
            Op::Load { ptr, .. } if is_it(ptr) => return FirstUse::Read,
            Op::Store { ptr, .. } if is_it(ptr) => return FirstUse::Written,
            op => {
                let mut named = false;
                for_operands(op, &mut |o| named |= is_it(o));
                if named {
                    return FirstUse::Unclear;
                }
            }
        }
    }
    FirstUse::Nothing
}
