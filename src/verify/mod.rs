//! Builds and runs what came out: the sequential, the original and the rewritten program, on a device with its own memory.
//!
//! No GPU is needed. LLVM's OpenMP runtime has an offload plugin for the host that keeps "device" memory apart and really
//! copies to and from it. Two things make a run on it as telling as one on a GPU, and both are the [`Mode`] of a run:
//!
//! - *strict*: the plugin's kernels run in the program's own address space, so one that follows a host pointer nobody
//!   mapped works by accident. A preload library (`runtime/strict/`) closes the program's heap, globals and main stack
//!   while a kernel runs; touching them ends the program with status [`run::STRICT_STATUS`] and a message.
//! - *perturbed*: fresh memory happens to be zero, which hides a copy back of what was never written. Here it is filled
//!   with garbage, on the device and in the heap.
//!
//! An OMPT tool (`runtime/ompt_count.c`) counts the bytes and calls that cross between host and device, exactly, in any
//! mode. Which arrays move how much, and how much has to move at all, takes a build of its own that sees each access
//! ([`ByArray`], `runtime/trace/`). All programs are built with `-O1 -ffp-contract=off`, so that host and device code round alike and output can be
//! compared byte for byte.
//!
//! ```text
//! Toolchain::find ─► build(BuildSpec) ─► run(exe, RunSpec) ─► RunOutcome ─► compare ─► differences ─► Verdict
//!        └───────────────────────── verify_program ─────────────────────────────────────────────► VerifyReport
//! ```
//!
//! Whether an MPI program ends is another question, with a run of another kind: see [`ranks`].
//!
//! **Limits.** Strict needs x86-64 Linux with glibc; what it leaves unprotected is listed in `runtime/strict/strict.h`. Output
//! that depends on the order of a parallel floating-point reduction differs from the sequential program's by nature:
//! see [`Reference`].

mod build;
mod by_array;
mod compare;
mod counts;
mod error;
mod flags;
mod objects;
mod program;
mod ranks;
mod record;
mod run;
mod runtime;
mod spec;
mod toolchain;
mod tracing;
mod verdict;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod traced_tests;

pub use build::{BuildKind, BuildSpec};
pub use by_array::{ArrayTraffic, ByArray};
pub use compare::{Difference, compare};
pub use counts::{CountedInterval, Counts};
pub use error::VerifyError;
pub use program::{VerifyReport, verify_program};
pub use ranks::{Mpi, MpiNames, RanksReport, RanksSpec, RanksVerdict, run_on_ranks};
pub use record::{ProgramKind, RunRecord};
pub use run::{Counting, Mode, RunOutcome, RunSpec, Status};
pub use spec::{ProgramSpec, Reference, VerifyOptions};
pub use toolchain::{Toolchain, building_compilers};
pub use verdict::{InconclusiveReason, Verdict};
