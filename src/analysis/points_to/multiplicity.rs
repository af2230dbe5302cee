//! One instance or many: which objects may have several live instances at a time.

use fixedbitset::FixedBitSet;

use super::state::Solver;
use crate::analysis::call_graph::{self, CallGraph};
use crate::analysis::far_jumps::calls_that_return_twice;
use crate::program::ir::{FuncId, InstId, Module};
use crate::program::objects::{Field, ObjectKind, Site};
use rustc_hash::FxHashMap;

/// The call graph after points-to analysis.
pub fn call_graph(solver: &Solver<'_>) -> CallGraph {
    let outside = solver.module.functions.len();
    let mut callees = vec![Vec::new(); outside + 1];
    for (site, targets) in &solver.targets {
        let list = &mut callees[site.func.0 as usize];
        list.extend(targets.known.iter().chain(&targets.callbacks).map(|f| f.0 as usize));
        if targets.unknown || targets.others {
            list.push(outside);
        }
    }
    for (index, function) in solver.module.functions.iter().enumerate() {
        // The runtime calls `main` once; a program in which something else does is not worth pessimism.
        if solver.entries[index] && function.name != "main" {
            callees[outside].push(index);
        }
    }
    CallGraph::new(callees)
}

/// For each function, whether it may run more than once.
fn repeated(solver: &Solver<'_>, graph: &CallGraph, loops: &mut RepeatedInstructions) -> Vec<bool> {
    let functions = &solver.module.functions;
    let mut sites: Vec<Vec<Site>> = vec![Vec::new(); functions.len()];
    let mut repeated: Vec<bool> = (0..functions.len())
        .map(|i| (solver.entries[i] && functions[i].name != "main") || graph.recursive(FuncId(i as u32)))
        .collect();
    for (site, targets) in &solver.targets {
        for target in &targets.known {
            sites[target.0 as usize].push(*site);
        }
        // The library may call as often as it likes.
        for target in &targets.callbacks {
            repeated[target.0 as usize] = true;
        }
    }
    for (index, sites) in sites.iter().enumerate() {
        repeated[index] |= sites.len() > 1 || sites.iter().any(|s| loops.hold(solver.module, *s));
    }
    // Callers come after their callees bottom-up, so top-down one pass suffices.
    for &node in graph.bottom_up().iter().rev().flatten() {
        if node < functions.len() {
            repeated[node] |= sites[node].iter().any(|s| repeated[s.func.0 as usize]);
        }
    }
    repeated
}

/// Which instructions may run more than once in a call of their function, by function, once somebody has asked.
#[derive(Default)]
struct RepeatedInstructions(FxHashMap<FuncId, Box<dyn Fn(InstId) -> bool>>);

impl RepeatedInstructions {
    fn hold(&mut self, module: &Module, site: Site) -> bool {
        let inside = self.0.entry(site.func).or_insert_with(|| {
            let again = calls_that_return_twice(module, site.func).next().is_some();
            Box::new(call_graph::in_loop(module.function(site.func), again))
        });
        inside(site.inst)
    }
}

/// Whether an activation of a local's function may get at the instance that belongs to another: it is recursive and
/// the local's address is handed on.
fn shared_by_activations(solver: &Solver<'_>, graph: &CallGraph, func: FuncId, id: usize, exposed: bool) -> bool {
    (graph.recursive_inside(func) && exposed) || (graph.recursive(func) && solver.objects[id].escaped)
}

/// The objects that more than the values and unexposed locals of one function point to. A local that is not among them
/// is only ever accessed by the activation that owns it (and by library functions that it calls).
fn exposed(solver: &Solver<'_>) -> FixedBitSet {
    let local = |id: usize| {
        matches!(
            solver.objects[id].object.kind,
            ObjectKind::Local { .. } | ObjectKind::ByVal { .. }
        )
    };
    let mut found = FixedBitSet::with_capacity(solver.objects.len());
    let mut pending: Vec<usize> = (0..solver.objects.len()).filter(|&id| !local(id)).collect();
    let handed_on = solver.args.iter().flatten().chain(&solver.rets);
    pending.extend(handed_on.flat_map(|&n| solver.pointees(n)).map(|l| l.object.0 as usize));
    pending.extend(solver.pointees(solver.sink).map(|l| l.object.0 as usize));
    while let Some(id) = pending.pop() {
        if !found.put(id) {
            pending.extend(solver.pointees(solver.objects[id].any_out).map(|l| l.object.0 as usize));
        }
    }
    found
}

/// Sets [`crate::program::objects::Object::many`] of every object.
pub fn mark(solver: &mut Solver<'_>, graph: &CallGraph) {
    let exposed = exposed(solver);
    let mut loops = RepeatedInstructions::default();
    let repeated = repeated(solver, graph, &mut loops);
    for id in 0..solver.objects.len() {
        let many = match &solver.objects[id].object.kind {
            ObjectKind::External => true,
            ObjectKind::Local { func, .. } | ObjectKind::ByVal { func, .. } => {
                shared_by_activations(solver, graph, *func, id, exposed.contains(id))
            }
            ObjectKind::Global(_) | ObjectKind::Literal(_) | ObjectKind::Function(_) => false,
            ObjectKind::Heap { sites } => {
                repeated[sites[0].func.0 as usize] || sites.iter().any(|s| loops.hold(solver.module, *s))
            }
            ObjectKind::Param { func, index, path } => {
                let root = ObjectKind::Param {
                    func: *func,
                    index: *index,
                    path: Vec::new(),
                };
                let copy = ObjectKind::ByVal {
                    func: *func,
                    index: *index,
                };
                let root = if solver.index.contains_key(&root) { root } else { copy };
                many_on_path(solver, path, |n| match n {
                    0 => root.clone(),
                    n => ObjectKind::Param {
                        func: *func,
                        index: *index,
                        path: path[..n].to_vec(),
                    },
                })
            }
            ObjectKind::Pointee { global, path } => many_on_path(solver, path, |n| match n {
                0 => ObjectKind::Global(*global),
                n => ObjectKind::Pointee {
                    global: *global,
                    path: path[..n].to_vec(),
                },
            }),
        };
        solver.objects[id].object.many = many;
    }
}

/// Whether some pointer followed on a path is one of an array's, or the object ends the path because it is too long.
/// `step(n)` is the object that holds the pointer followed `n`-th.
fn many_on_path(solver: &Solver<'_>, path: &[Field], step: impl Fn(usize) -> ObjectKind) -> bool {
    let of_array = |(n, field): (usize, &Field)| {
        let Some(&holder) = solver.index.get(&step(n)) else {
            return true;
        };
        let indexed = &solver.objects[holder.0 as usize].indexed;
        match field {
            Field::Any => true,
            Field::Offset(at) => indexed.iter().any(|&(lo, hi)| (lo..hi).contains(at)),
        }
    };
    let last = solver.index.get(&step(path.len())).is_some_and(|id| {
        // The last object of a path that was cut short stands also for what its own pointers lead to.
        solver.objects[id.0 as usize]
            .cells
            .values()
            .any(|c| solver.pointees(c.node).any(|l| l.object == *id))
    });
    last || path.iter().enumerate().any(of_array)
}
