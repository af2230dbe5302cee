//! Whether an MPI program ends: built with the machine's own MPI as it stands, and run on several ranks for a limited time.
//!
//! A collective to which not every process comes shows in a run, where it shows at all, as a program that does not end:
//!
//! ```c
//! if (rank == 0)
//!   MPI_Barrier(MPI_COMM_WORLD);       /* on 3 ranks: 1 and 2 wait in MPI_Finalize for rank 0, which waits here for them */
//! MPI_Finalize();
//! ```
//!
//! ```text
//! Mpi::find ─► build ─► launch on N ranks ──────────────► ended with 0 ──► Ends
//!                              ├► otherwise: can MPI run anything here? ─► DoesNotEnd, Fails
//!                              └► at the time limit: ask the launcher to end it, then kill all that it started
//! ```
//!
//! **Limits.** One run is one order of events: a program that ends here may hang elsewhere, in another MPI or on more ranks,
//! and one that is slow is taken for one that hangs. All ranks run on this machine.

mod launch;
mod mpi;
mod program;
mod report;

pub use mpi::{Mpi, MpiNames};
pub use program::{RanksSpec, run_on_ranks};
pub use report::{RanksReport, RanksVerdict};
