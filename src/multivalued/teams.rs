//! Bodies of parallel regions and tasks: clang makes functions of them, which the runtime calls.
//!
//! ```text
//! __kmpc_fork_call(loc, 2, main.omp_outlined, &x, &s)   becomes   main.omp_outlined(null, null, &x, &s)
//! __kmpc_threadprivate_cached(loc, id, &own, 8, …)      becomes   &own
//! ```
//!
//! So the analyses that know calls know what the variables of a region are, and where they are.

use crate::program::ir::{Callee, Cast, FuncId, Function, GlobalId, InstId, Module, Op, Operand, Type};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// What starts a team, and where the arguments of its body begin.
const FORKS: [(&str, usize); 3] = [
    ("__kmpc_fork_call", 3),
    ("__kmpc_fork_call_if", 5),
    ("__kmpc_fork_teams", 3),
];
/// The argument of these that is the body.
const FORKED: usize = 2;
/// What makes a task, and where its body is.
const TASK: (&str, usize) = ("__kmpc_omp_task_alloc", 5);
/// What gives the thread's own copy of a variable, and where the variable is.
const OWN_COPIES: [(&str, usize); 2] = [("__kmpc_threadprivate_cached", 2), ("llvm.threadlocal.address", 0)];

/// The bodies of teams and tasks, which the program hands to the runtime, and the variables of which each thread has its own.
#[derive(Clone, Debug, Default)]
pub struct TeamBodies {
    /// Bodies that all threads of a team run.
    pub teams: FxHashSet<FuncId>,
    /// Bodies that one thread runs: of leagues, and of teams of one.
    pub alone: FxHashSet<FuncId>,
    /// Bodies of tasks.
    pub tasks: FxHashSet<FuncId>,
    /// Variables of which each thread has its own.
    pub own: FxHashSet<GlobalId>,
}

impl TeamBodies {
    /// Whether a function is run by other agents than those that come to where it is started.
    pub fn has(&self, func: FuncId) -> bool {
        self.teams.contains(&func) || self.alone.contains(&func)
    }
}

/// Lets the program call the bodies of its parallel regions itself.
pub fn with_teams(module: &mut Module) -> TeamBodies {
    let mut bodies = TeamBodies::default();
    let names: Vec<String> = module.functions.iter().map(|f| f.name.clone()).collect();
    let named = |op: &Op| match op {
        Op::Call {
            callee: Callee::Direct(f),
            ..
        } => names[f.0 as usize].as_str(),
        _ => "",
    };
    for function in &mut module.functions {
        let is_told = |op: &Op| named(op).starts_with("__kmpc") || named(op) == OWN_COPIES[1].0;
        if !function.insts.iter().any(|inst| is_told(&inst.op)) {
            continue;
        }
        let of_one: FxHashSet<u32> = { 0..function.insts.len() as u32 }
            .filter(|at| is_for_one(function, InstId(*at), &named))
            .collect();
        for (at, inst) in Arc::make_mut(function).insts.iter_mut().enumerate() {
            let name = named(&inst.op).to_owned();
            let Op::Call { callee, args } = &mut inst.op else {
                continue;
            };
            if name == TASK.0
                && let Some(Operand::Function(body)) = args.get(TASK.1)
            {
                bodies.tasks.insert(*body);
            }
            if let Some((_, first)) = FORKS.iter().find(|fork| fork.0 == name)
                && let Some(&Operand::Function(body)) = args.get(FORKED)
            {
                let alone = name == FORKS[2].0 || of_one.contains(&(at as u32));
                let set = if alone { &mut bodies.alone } else { &mut bodies.teams };
                set.insert(body);
                let given = args.iter().skip(*first).cloned();
                *args = [Operand::Null, Operand::Null].into_iter().chain(given).collect();
                *callee = Callee::Direct(body);
                continue;
            }
            if let Some((_, variable)) = OWN_COPIES.iter().find(|own| own.0 == name)
                && let Some(Operand::Global(global)) = args.get(*variable).cloned()
            {
                bodies.own.insert(global);
                inst.op = Op::Cast {
                    kind: Cast::Bitcast,
                    value: Operand::Global(global),
                    from: Type::Ptr,
                };
            }
        }
    }
    bodies
}

/// Whether a team is started that has one thread: the call before says so.
fn is_for_one<'n>(function: &Function, at: InstId, named: &dyn Fn(&Op) -> &'n str) -> bool {
    let starts = FORKS.iter().any(|fork| fork.0 == named(&function.inst(at).op));
    let first = function.blocks[function.inst(at).block.0 as usize].first;
    let mut before = (first.0..at.0).rev().map(|i| &function.inst(InstId(i)).op);
    let told = before.find(|op| named(op).starts_with("__kmpc")).filter(|_| starts);
    match told {
        Some(op @ Op::Call { args, .. }) if named(op) == "__kmpc_push_num_threads" => {
            args.get(2) == Some(&Operand::Int(1))
        }
        _ => false,
    }
}
