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

use crate::analysis::culprit;
use crate::analysis::item_places::DevicePlaces;
use crate::analysis::points_to::PointsTo;
use crate::openmp::{Construct, Directive};
use crate::program::ir::{FuncId, Module, Op};
use crate::program::left_out::enters_elsewhere;
use crate::program::objects::{MemLoc, ObjectKind};
use crate::syntax::ScopeTree;
use rustc_hash::{FxHashMap, FxHashSet};

/// Functions that may run while their callers hold data on the device.
pub struct Presence {
    inside: FxHashSet<FuncId>,
    /// The program calls functions that nothing is known of.
    unknown: bool,
    /// Functions that run, however indirectly, in calls from code outside, which may hold what it can reach.
    below_entries: FxHashSet<FuncId>,
    /// What functions with directives that enter data manage by hand; `None`: perhaps anything.
    entered: Vec<(FuncId, Option<Vec<MemLoc>>)>,
    /// Functions that have such in branches that this build leaves out.
    entering_elsewhere: FxHashSet<FuncId>,
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
        by_hand: &DevicePlaces,
    ) -> Presence {
        let all = || (0..module.functions.len() as u32).map(FuncId);
        let entries: Vec<FuncId> = all()
            .filter(|f| points_to.has_unseen_callers(*f) && module.function(*f).name != "main")
            .collect();
        let mut inside: FxHashSet<FuncId> = entries.iter().copied().collect();
        let mut holders: Vec<FuncId> = Vec::new();
        let is_routine = |f: &FuncId| module.function(*f).name.starts_with("omp_target_associate");
        let associating = all()
            .filter(is_routine)
            .flat_map(|f| points_to.callers(f))
            .map(|site| site.func);
        let entering: FxHashSet<FuncId> = all()
            .filter(|f| module.function(*f).enters_data)
            .chain(associating)
            .collect();
        let entered: Vec<_> = entering
            .iter()
            .filter_map(|f| Some((*f, by_hand.get(f)?.clone())))
            .collect();
        let elsewhere = |f: &FuncId| enters_elsewhere(module, module.function(*f));
        let entering_elsewhere: FxHashSet<FuncId> = all().filter(elsewhere).collect();
        for (functions, p) in trees.flat_map(|(tree, functions)| tree.pragmas.iter().map(move |p| (functions, p))) {
            if Directive::parse(&p.text).is_some_and(|d| d.has(&Construct::TargetData))
                && let Some(f) = p.function.and_then(|f| functions[f as usize])
            {
                holders.push(f);
            }
        }
        let anywhere = !entering.is_empty() || !entering_elsewhere.is_empty() || all().any(|f| is_routine(&f));
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
                    for callee in points_to.call_targets(f, inst).functions() {
                        inside.insert(callee);
                        work.push(callee);
                    }
                }
            }
        }
        Presence {
            inside,
            entered,
            entering_elsewhere,
            unknown: culprit::calls_unknown(module, points_to),
            below_entries: points_to.call_graph().reachable_from(&entries),
            kept: FxHashMap::default(),
        }
    }

    /// Callers may keep objects at `locs` on the device while they call `func`.
    pub fn add<'l>(&mut self, func: FuncId, locs: impl Iterator<Item = &'l MemLoc>) {
        self.kept.entry(func).or_default().extend(locs);
    }

    /// Whether another function than `func` may enter an object at one of `locs`: one that it calls, or one that has run before `main`. What `func`
    /// enters itself is written in its text.
    fn is_entered_by_others(&self, points_to: &PointsTo, func: FuncId, locs: &[MemLoc]) -> bool {
        let meets = |managed: &Vec<MemLoc>| {
            locs.is_empty() || managed.iter().any(|m| locs.iter().any(|l| points_to.may_alias(*m, *l)))
        };
        let mut entered = self.entered.iter().filter(|(f, _)| *f != func);
        entered.any(|(_, managed)| managed.as_ref().is_none_or(meets))
            || (self.entering_elsewhere.iter().any(|f| *f != func) && self.is_entered_elsewhere(points_to, locs))
    }

    /// Whether directives in branches that this build leaves out may enter an object at one of `locs`.
    pub fn is_entered_elsewhere(&self, points_to: &PointsTo, locs: &[MemLoc]) -> bool {
        let may_be = locs.is_empty() || locs.iter().any(|l| points_to.escapes(l.object));
        !self.entering_elsewhere.is_empty() && may_be
    }

    /// Whether callers in this file may keep an object at one of `locs` on the device over a call of `func`.
    pub fn is_kept(&self, points_to: &PointsTo, func: FuncId, locs: &[MemLoc]) -> bool {
        let kept = self.kept.get(&func).map_or(&[][..], Vec::as_slice);
        locs.iter().any(|l| kept.iter().any(|k| points_to.may_alias(*k, *l)))
    }

    /// Whether an object at one of `locs` may be on the device when `func` is entered, or when another function has entered it.
    pub fn on_entry(&self, points_to: &PointsTo, func: FuncId, locs: &[MemLoc]) -> bool {
        self.is_kept(points_to, func, locs) || self.is_held_by_others(points_to, func, locs)
    }

    /// Whether directives by hand, or code outside, may keep an object at one of `locs` on the device when `func` is entered, or put it there meanwhile.
    /// What the function itself creates is not there before, unless another activation did.
    pub fn is_held_by_others(&self, points_to: &PointsTo, func: FuncId, locs: &[MemLoc]) -> bool {
        if self.is_entered_by_others(points_to, func, locs) {
            return true;
        }
        let reachable = |l: &MemLoc| points_to.object(l.object).kind.is_incoming() || points_to.escapes(l.object);
        // What unknown code has been handed it may have entered, and kept there.
        let unknown = self.unknown || self.below_entries.contains(&func);
        if unknown && (locs.is_empty() || locs.iter().any(reachable)) {
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
