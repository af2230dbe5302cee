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
use super::meetings::judged;
use crate::multivalued::{AgentKind, ClosedRegion, SolvedProgram, Surroundings, TeamBodies};
use crate::program::ir::FuncId;

/// Judges the threads that run a program in which `bodies` are called.
pub fn judged_threads(program: &SolvedProgram<'_>, bodies: TeamBodies) -> Judgement {
    let around = Surroundings::of(program, AgentKind::Threads, bodies);
    judged(&around, &starts(&around))
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
