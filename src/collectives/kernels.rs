//! Programs that all threads run from the beginning: kernels of CUDA by the threads of a block, programs of UPC.
//!
//! ```c
//! __global__ void sum(float *x, int n) {
//!     int i = threadIdx.x;                   /* differs between the threads of a block                     */
//!     if (i < n) {
//!         x[i] += 1;
//!         __syncthreads();                   /* threads with i >= n never come here: OMM303                */
//!     }
//! }
//! ```
//!
//! Locals are each thread's own, in UPC also variables and memory that are not `shared`. All else the threads have together.

use super::judgement::{Judgement, Start};
use super::meetings::judge;
use crate::multivalued::{AgentKind, JudgedAgents, LibraryRole, SolvedProgram, Surroundings, TeamBodies, role};
use crate::program::ir::{FuncId, GlobalId, Module};
use rustc_hash::FxHashSet;

/// Whether threads of such a program meet anywhere.
pub fn meet(module: &Module, agents: AgentKind) -> bool {
    let is_collective = |name: &str| role(agents, name).is_some_and(LibraryRole::is_collective);
    module.functions.iter().any(|f| is_collective(&f.name))
}

/// Judges the threads that run a program; of the variables in `own` each of them has its own.
pub fn judged_from_start(program: &SolvedProgram<'_>, agents: AgentKind, own: FxHashSet<GlobalId>) -> Judgement {
    let bodies = TeamBodies {
        own,
        ..TeamBodies::default()
    };
    let around = Surroundings::from_start(program, agents, bodies);
    let mut judgement = Judgement::default();
    let numbers = 0..around.module.functions.len() as u32;
    for func in numbers.map(FuncId).filter(|f| begins(&around, *f)) {
        let inside = around.inside(func);
        if !around.any_call(&inside, LibraryRole::is_collective) {
            continue;
        }
        let threads = JudgedAgents {
            equal: FxHashSet::default(),
            communicators: None,
            private: around.private(&inside),
            around: &around,
        };
        judge(&threads, &Start::from(func), &mut judgement);
    }
    judgement.finished()
}

/// Whether threads may begin with a function: nothing in the program calls it.
fn begins(around: &Surroundings<'_>, func: FuncId) -> bool {
    let function = around.module.function(func);
    !function.declaration && (function.name == "main" || around.points_to.callers(func).is_empty())
}
