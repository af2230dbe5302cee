//! The files that a sample has to read again.
//!
//! ```text
//! grid.c: #define N 1000 … kernel(u)        written: read again with another N
//! norm.c: double norm(…)                    called by it: read again, for its summary may say numbers
//! log.c:  void report(…)                    says no number about anything that is written: as it was read
//! ```
//!
//! What is written in a file rests on the file itself, on what the functions in it call, for these have summaries, and on the
//! variables that all these declare. Residencies rest on the callers of their functions, too. Large programs have a few files
//! of this kind, and the rest of them is the same in every sample.

use super::{Planner, Planning, Plans};
use crate::analysis::points_to::PointsTo;
use crate::program::ir::{FuncId, Op};
use rustc_hash::{FxHashMap, FxHashSet};

impl Planning<'_, '_> {
    /// For each file, whether plans may rest on numbers in it.
    pub(super) fn read_again(&self, plans: &Plans) -> Vec<bool> {
        let mut again: Vec<bool> = plans.iter().map(writes).collect();
        if again.iter().all(|a| *a) {
            return again;
        }
        let points_to = PointsTo::solve_knowing(self.module, self.known.clone());
        for func in self.reached(&points_to, &again) {
            let function = self.module.function(func);
            if !function.declaration {
                again[function.unit as usize] = true;
            }
        }
        self.add_definers(&mut again);
        again
    }

    /// The functions of some files, what they call, and where residencies are planned what calls them.
    fn reached(&self, points_to: &PointsTo, of: &[bool]) -> FxHashSet<FuncId> {
        let defined = |id: &FuncId| !self.module.function(*id).declaration;
        let all = (0..self.module.functions.len() as u32).map(FuncId).filter(defined);
        let mut found: FxHashSet<FuncId> = all.filter(|id| of[self.module.function(*id).unit as usize]).collect();
        let mut work: Vec<FuncId> = found.iter().copied().collect();
        while let Some(func) = work.pop().filter(|_| self.planner == Planner::Movement) {
            let callers = points_to.callers(func).iter().map(|site| site.func);
            work.extend(callers.filter(|f| found.insert(*f)));
        }
        let mut work: Vec<FuncId> = found.iter().copied().collect();
        while let Some(func) = work.pop() {
            let function = self.module.function(func);
            let is_call = |i| matches!(function.inst(i).op, Op::Call { .. });
            for inst in function.inst_ids().filter(|i| is_call(*i)) {
                let targets = points_to.call_targets(func, inst);
                let called = targets.known.iter().chain(&targets.callbacks);
                work.extend(called.copied().filter(|f| found.insert(*f)));
            }
        }
        found
    }

    /// Adds the files that define variables which others of them declare.
    fn add_definers(&self, again: &mut [bool]) {
        let mut definers: FxHashMap<&str, usize> = FxHashMap::default();
        for (at, member) in self.members.iter().enumerate() {
            let own = member.object.module.globals.iter();
            let seen = own.filter(|g| !g.external && !g.internal);
            definers.extend(seen.map(|g| (g.name.as_str(), at)));
        }
        let mut work: Vec<usize> = (0..again.len()).filter(|at| again[*at]).collect();
        while let Some(at) = work.pop() {
            let declared = self.members[at].object.module.globals.iter().filter(|g| g.external);
            for definer in declared.filter_map(|g| definers.get(g.name.as_str())) {
                if !std::mem::replace(&mut again[*definer], true) {
                    work.push(*definer);
                }
            }
        }
    }
}

/// Whether something is written in a file.
pub(super) fn writes(plan: &Result<crate::plan::FilePlan, String>) -> bool {
    plan.as_ref().is_ok_and(|p| !p.decisions.is_empty())
}
