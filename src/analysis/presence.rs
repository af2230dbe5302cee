//! Whether data may already be on the device when a function is called.
//!
//! Where a caller keeps an array resident, the `map` clauses of a callee copy nothing: presence is counted at run time, so
//! map types are right in both contexts. An `update` copies always. Inside such a callee it would move bytes that the
//! program as written does not move, and could overwrite newer values on the device with old ones from the host. So a
//! residency in a function that may be called with its data present uses `map` alone (R9 of `docs/architecture.md`).
//!
//! Nor need a caller be who keeps it: what a called function enters is there when it has returned.
//!
//! ```c
//! void open(double *v, int n) { … #pragma omp target enter data map(to: v[0:n]) … }
//! open(a, n);                                     /* from here on `a` is present */
//! ```

use crate::analysis::function::ByHand;
use crate::analysis::points_to::PointsTo;
use crate::openmp::{Construct, Directive};
use crate::program::ir::{FuncId, Module, Op};
use crate::program::objects::{MemLoc, ObjectKind};
use crate::syntax::ScopeTree;
use rustc_hash::{FxHashMap, FxHashSet};

/// Functions that may run while their callers hold data on the device.
pub struct Presence {
    inside: FxHashSet<FuncId>,
    /// Functions that run, however indirectly, in calls from code outside, which may hold what it can reach.
    below_entries: FxHashSet<FuncId>,
    /// Functions with directives that enter data.
    entering: FxHashSet<FuncId>,
    /// What callers in this file may keep on the device over a call of a function that starts kernels.
    kept: FxHashMap<FuncId, Vec<MemLoc>>,
}

impl Presence {
    /// Finds them: what code outside the file may call, what is called (however indirectly) by a function with
    /// `target data`, and everything where data is entered without structure. `trees`: the scope trees of all files, with
    /// the IR functions of their functions.
    pub fn new<'t>(
        trees: impl Iterator<Item = (&'t ScopeTree, &'t [Option<FuncId>])>,
        module: &Module,
        points_to: &PointsTo,
    ) -> Presence {
        let all = || (0..module.functions.len() as u32).map(FuncId);
        let entries: Vec<FuncId> = all()
            .filter(|f| points_to.is_entry(*f) && module.function(*f).name != "main")
            .collect();
        let mut inside: FxHashSet<FuncId> = entries.iter().copied().collect();
        let mut holders: Vec<FuncId> = Vec::new();
        let mut entering = FxHashSet::default();
        let mut anywhere = module
            .functions
            .iter()
            .any(|f| f.name.starts_with("omp_target_associate"));
        for (functions, p) in trees.flat_map(|(tree, functions)| tree.pragmas.iter().map(move |p| (functions, p))) {
            let Some(directive) = Directive::parse(&p.text) else {
                continue;
            };
            if directive.has(&Construct::TargetEnterData) {
                anywhere = true;
                entering.extend(p.function.and_then(|f| functions[f as usize]));
            }
            if directive.has(&Construct::TargetData)
                && let Some(f) = p.function.and_then(|f| functions[f as usize])
            {
                holders.push(f);
            }
        }
        if anywhere {
            inside.extend(all().filter(|f| module.function(*f).name != "main"));
        }
        let mut work = holders;
        let mut seen: FxHashSet<FuncId> = FxHashSet::default();
        while let Some(f) = work.pop() {
            if !seen.insert(f) {
                continue;
            }
            for inst in module.function(f).inst_ids() {
                if matches!(module.function(f).inst(inst).op, Op::Call { .. }) {
                    for callee in &points_to.call_targets(f, inst).known {
                        inside.insert(*callee);
                        work.push(*callee);
                    }
                }
            }
        }
        Presence {
            inside,
            entering,
            below_entries: points_to.call_graph().reachable_from(&entries),
            kept: FxHashMap::default(),
        }
    }

    /// Callers may keep objects at `locs` on the device while they call `func`.
    pub fn add<'l>(&mut self, func: FuncId, locs: impl Iterator<Item = &'l MemLoc>) {
        self.kept.entry(func).or_default().extend(locs);
    }

    /// Whether a function that `func` calls, however indirectly, may enter an object at one of `locs`. What it does so itself is written in its
    /// text.
    pub fn entered_by_callees(&self, points_to: &PointsTo, by_hand: &ByHand, func: FuncId, locs: &[MemLoc]) -> bool {
        if by_hand.is_empty() {
            return false;
        }
        let below = points_to.call_graph().reachable_from(&[func]);
        let meets = |managed: &Option<Vec<MemLoc>>| match managed {
            Some(managed) => {
                locs.is_empty() || managed.iter().any(|m| locs.iter().any(|l| points_to.may_alias(*m, *l)))
            }
            None => true,
        };
        let may_enter = |f: &FuncId| {
            by_hand
                .get(f)
                .is_some_and(|m| (m.is_none() || self.entering.contains(f)) && meets(m))
        };
        below.iter().any(|f| *f != func && may_enter(f))
    }

    /// Whether an object at one of `locs` may be on the device when `func` is entered. What the function itself creates is
    /// not, unless another activation did.
    pub fn on_entry(&self, points_to: &PointsTo, func: FuncId, locs: &[MemLoc]) -> bool {
        let kept = self.kept.get(&func).map_or(&[][..], Vec::as_slice);
        if locs.iter().any(|l| kept.iter().any(|k| points_to.may_alias(*k, *l))) {
            return true;
        }
        let reachable = |l: &MemLoc| points_to.object(l.object).kind.is_incoming() || points_to.escapes(l.object);
        if self.below_entries.contains(&func) && (locs.is_empty() || locs.iter().any(reachable)) {
            return true;
        }
        self.inside.contains(&func)
            && (locs.is_empty()
                || points_to.call_graph().recursive(func)
                || locs.iter().any(|l| match &points_to.object(l.object).kind {
                    ObjectKind::Local { func: own, .. } => *own != func,
                    ObjectKind::Heap { sites } => sites.first().is_none_or(|s| s.func != func),
                    _ => true,
                }))
    }
}
