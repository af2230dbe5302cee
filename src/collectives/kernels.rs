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
use super::meetings::judged;
use crate::multivalued::{AgentKind, SolvedProgram, Surroundings, TeamBodies};
use crate::program::ir::{FuncId, GlobalId};
use rustc_hash::FxHashSet;

/// Judges the threads that run a program; of the variables in `own` each of them has its own.
pub fn judged_from_start(program: &SolvedProgram<'_>, agents: AgentKind, own: FxHashSet<GlobalId>) -> Judgement {
    let bodies = TeamBodies {
        own,
        ..TeamBodies::default()
    };
    let around = Surroundings::of(program, agents, bodies);
    let numbers = 0..around.module.functions.len() as u32;
    let begin = numbers.map(FuncId).filter(|func| begins(&around, *func));
    judged(&around, &begin.map(Start::from).collect::<Vec<_>>())
}

/// Whether threads may begin with a function: nothing in the program calls it.
fn begins(around: &Surroundings<'_>, func: FuncId) -> bool {
    let function = around.module.function(func);
    !function.declaration && (function.name == "main" || around.points_to.callers(func).is_empty())
}
