//! The threads of each team judged, with the body of its parallel region.
//!
//! ```c
//! #pragma omp parallel
//! {
//!     if (omp_get_thread_num() == 0) {       /* differs between the threads                                    */
//!         #pragma omp barrier                /* the others never come here: OMM301                             */
//!     } else {
//!         #pragma omp barrier                /* with this: they meet on most runtimes, and the standard says   */
//!     }                                      /* that all threads have to come to the same one: a warning       */
//! }
//! ```
//!
//! How the threads that come to a body are judged, [`super::meetings`] says.

use super::judgement::{Judgement, Start};
use super::meetings::judge;
use crate::multivalued::{
    AgentKind, ClosedRegion, JudgedAgents, LibraryRole, SolvedProgram, Surroundings, TeamBodies, role,
};
use crate::program::ir::{FuncId, Module};
use rustc_hash::FxHashSet;

/// Whether the threads of a program meet anywhere.
pub fn has_barriers(module: &Module) -> bool {
    let is_collective = |name: &str| role(AgentKind::Threads, name).is_some_and(LibraryRole::is_collective);
    module.functions.iter().any(|f| is_collective(&f.name))
}

/// Judges the threads that run a program in which `bodies` are called.
pub fn judged_threads(program: &SolvedProgram<'_>, bodies: TeamBodies) -> Judgement {
    let around = Surroundings::of_threads(program, bodies);
    let mut judgement = Judgement::default();
    for start in starts(&around) {
        let inside = around.inside(start.func);
        // A team that may be cancelled leaves barriers out, and that is right.
        if !around.any_call(&inside, LibraryRole::is_collective) || around.any_call(&inside, |role| role.cancels) {
            continue;
        }
        let threads = JudgedAgents {
            equal: FxHashSet::default(),
            communicators: None,
            private: around.private(&inside),
            around: &around,
        };
        judge(&threads, &start, &mut judgement);
    }
    judgement.finished()
}

/// The bodies of teams and tasks, and functions that somebody else may call from one.
fn starts(around: &Surroundings<'_>) -> Vec<Start> {
    let numbers = 0..around.module.functions.len() as u32;
    let defined = numbers.map(FuncId).filter(|f| !around.module.function(*f).declaration);
    defined
        .filter_map(|func| {
            let nobody = around.points_to.callers(func).is_empty() && around.module.function(func).name != "main";
            let task = around.bodies.tasks.contains(&func);
            (task || around.bodies.teams.contains(&func) || (nobody && !around.bodies.has(func))).then(|| Start {
                func,
                regions: if task { vec![ClosedRegion::Task] } else { Vec::new() },
            })
        })
        .collect()
}
