//! The files that a sample has to read again.
//!
//! ```text
//! grid.c: #define N 1000 … kernel(u)        written: read again with another N
//! norm.c: double norm(…)                    called by it: read again, for its summary may say numbers
//! log.c:  void report(…)                    says no number about anything that is written: as it was read
//! ```
//!
//! What is written in a file rests on the file itself, on what the functions in it call, for these have summaries, and on the
//! variables that all these declare. Residencies rest on parameters that are the same constant in every call, too: of whatever
//! may start kernels all callers are read again. Large programs have a few files of this kind, and the rest of them is the
//! same in every sample.

use super::{Planning, Plans, writes_to};
use crate::analysis::points_to::PointsTo;
use crate::facts::headers_mention_target;
use crate::program::ir::{FuncId, Module, Op};
use crate::program::linker_names::linker_name;
use crate::rewrite::unit::Unit;
use rustc_hash::{FxHashMap, FxHashSet};

impl Planning<'_, '_> {
    /// For each file, whether plans may rest on numbers in it.
    pub(super) fn read_again(&self, plans: &Plans) -> Vec<bool> {
        let written = plans.iter().map(writes_to);
        let starts = self.members.iter().map(|m| may_start_kernels(&m.unit));
        let mut again: Vec<bool> = written.zip(starts).map(|(written, starts)| written || starts).collect();
        if again.iter().all(|a| *a) {
            return again;
        }
        let points_to = self.pointers.points_to();
        for func in self.reached(points_to, &again) {
            let function = self.module().function(func);
            if !function.declaration {
                again[function.unit as usize] = true;
            }
        }
        self.add_definers(&mut again);
        again
    }

    /// The functions of some files, all that calls these, and all that any of them calls.
    fn reached(&self, points_to: &PointsTo, of: &[bool]) -> FxHashSet<FuncId> {
        let defined = |id: &FuncId| !self.module().function(*id).declaration;
        let all = (0..self.module().functions.len() as u32).map(FuncId).filter(defined);
        let mut found: FxHashSet<FuncId> = all.filter(|id| of[self.module().function(*id).unit as usize]).collect();
        let mut work: Vec<FuncId> = found.iter().copied().collect();
        while let Some(func) = work.pop() {
            let callers = points_to.callers(func).iter().map(|site| site.func);
            work.extend(callers.filter(|f| found.insert(*f)));
        }
        let mut work: Vec<FuncId> = found.iter().copied().collect();
        while let Some(func) = work.pop() {
            let function = self.module().function(func);
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
        let mut definers: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (at, member) in self.members.iter().enumerate() {
            for name in shared_variables(&member.object.module, false) {
                definers.entry(name).or_default().push(at);
            }
        }
        let mut work: Vec<usize> = (0..again.len()).filter(|at| again[*at]).collect();
        while let Some(at) = work.pop() {
            let declared = shared_variables(&self.members[at].object.module, true);
            for &definer in declared.filter_map(|name| definers.get(name)).flatten() {
                if !std::mem::replace(&mut again[definer], true) {
                    work.push(definer);
                }
            }
        }
    }
}

/// The variables that files share, by the names that the linker knows them by: those that other files may define, or those that
/// this one does.
fn shared_variables(module: &Module, elsewhere: bool) -> impl Iterator<Item = &str> {
    let is_wanted =
        move |external: bool, replaceable: bool| if elsewhere { external || replaceable } else { !external };
    let shared = module.globals.iter().filter(|g| !g.internal);
    let wanted = shared.filter(move |g| is_wanted(g.external, g.replaceable));
    wanted.map(|g| linker_name(&g.name))
}

/// Whether a file may have kernels, its headers included.
fn may_start_kernels(unit: &Unit<'_>) -> bool {
    unit.mentions_target() || headers_mention_target(unit.path, unit.text, &unit.options.compile)
}
