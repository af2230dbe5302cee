//! Which values differ between those who run a program side by side: the processes of MPI, or threads of OpenMP, CUDA or UPC.
//!
//! ```c
//! int rank, n = 0;
//! MPI_Comm_rank(MPI_COMM_WORLD, &rank);      /* `rank` differs: MPI_Comm_rank says so          */
//! if (rank == 0)                             /* so does the condition                          */
//!     n = input();                           /* and behind the `if`, `n`: some have assigned   */
//! if (n > 0) …                               /* a condition that differs, by `n`, by `rank`    */
//! MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
//! if (n > 0) …                               /* all have the value of process 0                */
//! ```
//!
//! The program is interpreted ([`interpreter`]) over what cells of memory hold ([`memory`]): which value, by a key ([`keys`]), and why it
//! differs, by a chain of causes ([`causes`]). What calls of the library mean for it says a table ([`roles`]). Functions are looked at
//! as they are entered, so that one that is called with the rank and with a constant is looked at twice ([`recorded`]).
//!
//! | file | has |
//! |---|---|
//! | `roles`, `effects` | what library calls mean: tables; and what they do to memory |
//! | `evaluation` | what values come to for one of so many agents |
//! | `key_shapes` | values by what they are made of |
//! | `keys`, `causes` | values: which, and why they differ |
//! | `cells`, `memory` | cells of memory, and what they hold |
//! | `flow` | the blocks of a function, where the ways from a branch meet, dead ends |
//! | `teams` | bodies of parallel regions and tasks, which the runtime calls |
//! | `surroundings` | what functions touch, and which are looked into |
//! | `slice`, `writers` | what of the program has to do with who comes where |
//! | `solved` | a program, with where its pointers lead |
//! | `program_ends` | where the program ends within a call |
//! | `merging` | what cells hold where ways meet |
//! | `interpretation` | what is known by now, and where the interpretation is |
//! | `addresses` | addresses that are known to the byte, and the cells that they lead to |
//! | `operands`, `instructions` | the values of operands and instructions, and what these do to memory |
//! | `packed` | records in registers |
//! | `copies` | records that are copied |
//! | `library_calls`, `given`, `calls` | calls, and what those of the library leave in memory |
//! | `entered` | what a function is told of what it is entered with |
//! | `interpreter` | blocks until nothing changes |
//! | `recorded` | what is left for [`crate::collectives`] |
//!
//! Threads share memory: what differs there, because some have written and others have not, is the same for all behind a barrier, and
//! what each has for itself stays as it is. Their program is the one that clang makes of directives, with the bodies of parallel
//! regions as functions; each of these is where the analysis of one team begins. The threads of a CUDA block begin with a kernel, and those
//! of UPC with the program.
//!
//! **What is not known is taken for the same.** A value that unknown code gives is not known to differ. A value that differs by what it
//! is made of, and not by what it is (`rank < size`; a loop from `rank` to `rank + 4`), is taken to differ all the same;
//! [`evaluation`] says what it comes to for one of so many.
//!
//! Source: PARCOACH (Saillard et al. 2014; Huchant et al. 2018) for multi-valued expressions; here with contexts, fields, gates and
//! communicators.

mod addresses;
mod calls;
mod causes;
mod cells;
mod copies;
mod effects;
mod entered;
mod evaluation;
mod flow;
mod given;
mod instructions;
mod interpretation;
mod interpreter;
mod key_shapes;
mod keys;
mod library_calls;
mod memory;
mod merging;
mod operands;
mod packed;
mod program_ends;
mod recorded;
mod roles;
mod slice;
mod solved;
mod surroundings;
mod teams;
#[cfg(test)]
mod tests;
mod writers;

pub use causes::{CauseId, CauseKind, Causes};
pub use effects::known_functions;
pub use evaluation::{AgentNumbers, ConditionLeaves, KnownValues};
pub use interpretation::{Interpreter, JudgedAgents};
pub use key_shapes::{KeyShape, ShapePart};
pub use keys::{Key, KeyId, Keys};
pub use memory::HeldValue;
pub use recorded::{CallEvent, CollectiveEvent, CollectiveStep, Context, ContextId};
pub use roles::{AgentKind, ClosedRegion, LibraryRole, role};
pub use slice::Slice;
pub use solved::SolvedProgram;
pub use surroundings::Surroundings;
pub use teams::{TeamBodies, with_teams};
