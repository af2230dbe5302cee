//! Why a program could not be built or run at all. A program that runs and misbehaves is an outcome, not an error.

use crate::llvm_version::LLVM_MAJOR;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

/// What kept the verifier from doing its work.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// No clang of the needed version, or one that cannot offload to the host.
    #[error(
        "{reason}; verifying needs clang {LLVM_MAJOR} with its tools and OpenMP runtime (Debian: clang-{LLVM_MAJOR} \
         clang-tools-{LLVM_MAJOR} libomp-{LLVM_MAJOR}-dev)"
    )]
    Toolchain { reason: String },
    /// No compiler wrapper or no launcher of MPI.
    #[error(
        "{reason}; running on several ranks needs an MPI with `mpicc` and `mpiexec` (Debian: libopenmpi-dev openmpi-bin), \
         on the path or named by the environment variables MPICC and MPIEXEC"
    )]
    NoMpi { reason: String },
    /// A program failed on several ranks, and so does one that does nothing there.
    #[error(
        "`{launcher}` cannot run MPI programs on {ranks} ranks here: one that only starts MPI, meets in a barrier and ends \
         gives {status}{output}"
    )]
    MpiFails {
        launcher: String,
        ranks: u32,
        status: String,
        output: String,
    },
    /// A program that does nothing on several ranks takes as long as the other one was given.
    #[error(
        "starting and ending MPI on {ranks} ranks alone takes {:.1} s here, so that nothing was learned in {limit} s; allow \
         more time with --timeout SECONDS", taken.as_secs_f64(), limit = limit.as_secs()
    )]
    TooLittleTime {
        ranks: u32,
        taken: Duration,
        limit: Duration,
    },
    /// The compiler rejected a program. `output` is what it printed.
    #[error("{what} does not compile:\n{output}")]
    Compile { what: String, output: String },
    /// The operating system refused something.
    #[error("cannot {action}")]
    Io {
        action: String,
        #[source]
        source: io::Error,
    },
    /// The counting tool was asked for and left nothing readable behind.
    #[error("the transfer counts in {} cannot be read: {reason}", path.display())]
    Counts { path: PathBuf, reason: String },
}

impl VerifyError {
    /// Wraps an I/O error with what was being done, to be read after "cannot".
    pub(super) fn io(action: impl Into<String>) -> impl FnOnce(io::Error) -> VerifyError {
        let action = action.into();
        move |source| VerifyError::Io { action, source }
    }
}
