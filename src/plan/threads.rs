//! Functions that several threads may run at a time, and those that leave tasks behind.
//!
//! ```c
//! #pragma omp parallel for
//! for (int k = 0; k < 8; k++) step(a + 8 * k, 8);      /* several threads are in `step`, and in what it calls     */
//! pthread_create(&t, NULL, work, a);                   /* `work` runs beside what comes after                     */
//! ```
//!
//! What the text of `step` says happens in any order with what it does for others, so a function like it gets no directives,
//! if it starts kernels: they would be met by each thread. A function that creates tasks and does not wait for them may
//! return before these have run; so may all that call it, up to a parallel region, which waits for them.

use super::file::FileFacts;
use crate::analysis::hidden;
use crate::analysis::points_to::PointsTo;
use crate::program::constructs::Constructs;
use crate::program::host_directives::HostRegion;
use crate::program::ir::{FuncId, InstId, Module, Op};
use crate::reasons::Functions;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What threads of the host do with the functions of a program.
#[derive(Default)]
pub(super) struct HostThreads {
    shared: FxHashSet<FuncId>,
    later: FxHashSet<FuncId>,
    leave_tasks: FxHashSet<FuncId>,
}

impl HostThreads {
    /// Follows the calls in host regions.
    pub fn find(
        files: &[FileFacts<'_>],
        module: &Module,
        points_to: &PointsTo,
        places: &FxHashMap<FuncId, (usize, usize)>,
        constructs: &BTreeMap<FuncId, Constructs>,
    ) -> HostThreads {
        let all = (0..module.functions.len() as u32).map(FuncId);
        let entries: Vec<FuncId> = all.filter(|f| points_to.is_entry(*f)).collect();
        let mut started: FxHashSet<FuncId> = FxHashSet::default();
        let mut leaving: Vec<FuncId> = Vec::new();
        // What has directives that its text does not show may call anything from within, and leave tasks.
        for id in (0..module.functions.len() as u32).map(FuncId) {
            let function = module.function(id);
            let more = match places.get(&id) {
                Some((at, f)) => hidden::has_more_threads(files[*at].tree, function, *f),
                None => function.host_directives > 0,
            };
            if more {
                for inst in function.inst_ids() {
                    let targets = points_to.call_targets(id, inst);
                    started.extend(targets.known.iter().chain(&targets.callbacks));
                    if targets.unknown {
                        started.extend(&entries);
                    }
                }
                leaving.extend(function.makes_tasks.then_some(id));
            }
        }
        for (id, constructs) in constructs {
            let host = &constructs.host;
            if host.in_team {
                started.insert(*id);
            }
            if host.leaves_tasks {
                leaving.push(*id);
            }
            if !host.regions.iter().any(|r| r.team) {
                continue;
            }
            let function = module.function(*id);
            for inst in function.inst_ids() {
                let call = matches!(function.inst(inst).op, Op::Call { .. });
                if !call
                    || !within(
                        &files[places[id].0],
                        function.inst(inst).loc,
                        host.regions.iter(),
                        &|r| r.team,
                    )
                {
                    continue;
                }
                let targets = points_to.call_targets(*id, inst);
                started.extend(targets.known.iter().chain(&targets.callbacks));
                if targets.unknown {
                    started.extend(&entries);
                }
            }
        }
        // A thread of the program's own, or a handler that comes while another function runs.
        let mut later: Vec<FuncId> = points_to.later().collect();
        if points_to.unknown_runs_later() {
            later.extend(entries.iter().filter(|f| module.function(**f).name != "main"));
        }
        let later = points_to.call_graph().reachable_from(&later);
        let mut started: Vec<FuncId> = started.into_iter().collect();
        started.sort_unstable();
        let shared = points_to.call_graph().reachable_from(&started);
        let waits = |caller: FuncId, inst: InstId| {
            let (Some((at, _)), Some(found)) = (places.get(&caller), constructs.get(&caller)) else {
                return false;
            };
            let loc = module.function(caller).inst(inst).loc;
            loc.is_some() && within(&files[*at], loc, found.host.regions.iter(), &|r| r.joins)
        };
        let mut leave_tasks = FxHashSet::default();
        while let Some(func) = leaving.pop() {
            if leave_tasks.insert(func) {
                let sites = points_to.callers(func).iter();
                leaving.extend(sites.filter(|s| !waits(s.func, s.inst)).map(|s| s.func));
            }
        }
        HostThreads {
            shared,
            later,
            leave_tasks,
        }
    }

    /// Whether several threads may run a function at a time.
    pub fn shared(&self, func: FuncId) -> bool {
        self.shared.contains(&func) || self.later.contains(&func)
    }

    /// Why a function that starts kernels is left alone.
    pub fn why_left_alone(&self, launching: &FxHashSet<FuncId>, func: FuncId) -> Option<Functions> {
        if !launching.contains(&func) {
            None
        } else if self.shared.contains(&func) {
            Some(Functions::SeveralThreads)
        } else if self.later.contains(&func) {
            Some(Functions::AtAnyTime)
        } else if self.leave_tasks.contains(&func) {
            Some(Functions::TasksRun)
        } else {
            None
        }
    }
}

/// Whether a position may lie in one of the regions that are `wanted`.
fn within<'r>(
    file: &FileFacts<'_>,
    loc: Option<crate::program::ir::Loc>,
    mut regions: impl Iterator<Item = &'r HostRegion>,
    wanted: &dyn Fn(&HostRegion) -> bool,
) -> bool {
    let Some(offset) = loc.and_then(|l| file.offset(l)) else {
        return true;
    };
    regions.any(|r| wanted(r) && file.tree.stmt(r.stmt).span.contains(offset))
}
