//! Builds a program and runs it on several ranks. Where it does not end well, MPI is asked whether it can do better.
//!
//! ```text
//! sim: does not end in 20 s ─► probe.c: ends     ─► sim does not end
//!                           ├► probe.c: no slots ─► an error: nothing was learned of sim
//!                           └► probe.c: 30 s     ─► the same: MPI itself is that slow here
//! ```

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::super::{Status, VerifyError};
use super::launch::{RanksLaunch, launch};
use super::mpi::{Mpi, MpiBuild};
use super::report::RanksReport;
use crate::cleanup::{self, Folder};

/// An MPI program, how to build it and how to run it.
#[derive(Debug, Clone, Default)]
pub struct RanksSpec {
    /// The compiler that the wrapper of MPI is to use.
    pub clang: PathBuf,
    /// C files, all compiled and linked together.
    pub sources: Vec<PathBuf>,
    /// The user's flags; those about offloading and about other outputs are left out.
    pub flags: Vec<OsString>,
    /// The version for `-fopenmp-version`.
    pub openmp_version: Option<u32>,
    /// The folder to compile in; relative paths start there. `None` is the current folder.
    pub folder: Option<PathBuf>,
    pub args: Vec<OsString>,
    /// What rank 0 reads on standard input.
    pub stdin: Vec<u8>,
    pub ranks: u32,
    /// `OMP_NUM_THREADS` of each rank.
    pub threads: u32,
    pub timeout: Duration,
}

/// A program that does nothing wrong.
const PROBE: &str = "#include <mpi.h>
int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
";
/// How long the probe may take.
const PROBE_TIME: Duration = Duration::from_secs(60);

/// Builds a program with the machine's MPI and runs it on several ranks.
///
/// # Errors
/// [`VerifyError::Compile`] where it does not build, [`VerifyError::Io`] where it cannot be run,
/// [`VerifyError::MpiFails`] where no program can, and [`VerifyError::TooLittleTime`] where none can in that time. A program that
/// crashes or hangs is no error: it is in the report.
pub fn run_on_ranks(mpi: &Mpi, spec: &RanksSpec) -> Result<RanksReport, VerifyError> {
    let scratch = Folder::new("ompmemopt-ranks-");
    let scratch = scratch.map_err(VerifyError::io("make a temporary folder"))?;
    let program = scratch.path().join("program");
    let names: Vec<String> = spec.sources.iter().map(|source| source.display().to_string()).collect();
    mpi.make(&MpiBuild {
        clang: &spec.clang,
        sources: &spec.sources,
        flags: &spec.flags,
        openmp_version: spec.openmp_version,
        folder: spec.folder.as_deref(),
        out: &program,
        what: &names.join(", "),
    })?;
    let run = RanksLaunch {
        launcher: &mpi.launcher,
        ranks: spec.ranks,
        program: &program,
        args: &spec.args,
        stdin: &spec.stdin,
        threads: spec.threads,
        timeout: spec.timeout,
        scratch: scratch.path(),
    };
    let outcome = launch(&run).map_err(VerifyError::io(format!("run {}", mpi.launcher.name())))?;
    if outcome.status != Status::Exited(0) {
        let taken = probe(mpi, &spec.clang, &run)?;
        if outcome.status == Status::TimedOut && taken >= spec.timeout {
            return Err(VerifyError::TooLittleTime {
                ranks: spec.ranks,
                taken,
                limit: spec.timeout,
            });
        }
    }
    Ok(RanksReport {
        ranks: spec.ranks,
        timeout: spec.timeout,
        status: outcome.status,
        elapsed: outcome.elapsed,
        last_words: outcome.last_words,
    })
}

/// How long a program takes that does nothing wrong, where another one did not end well.
fn probe(mpi: &Mpi, clang: &Path, failed: &RanksLaunch<'_>) -> Result<Duration, VerifyError> {
    let (source, program) = (failed.scratch.join("probe.c"), failed.scratch.join("probe"));
    // The folder may not be made again after an interruption has removed it.
    let section = cleanup::section();
    std::fs::write(&source, PROBE).map_err(VerifyError::io(format!("write {}", source.display())))?;
    drop(section);
    mpi.make(&MpiBuild {
        clang,
        sources: &[source],
        flags: &[],
        openmp_version: None,
        folder: None,
        out: &program,
        what: "a program that only starts MPI, meets in a barrier and ends",
    })?;
    let launcher = mpi.launcher.name();
    let probed = launch(&RanksLaunch {
        program: &program,
        args: &[],
        stdin: &[],
        timeout: PROBE_TIME,
        ..*failed
    });
    let probed = probed.map_err(VerifyError::io(format!("run {launcher}")))?;
    if probed.status == Status::Exited(0) {
        return Ok(probed.elapsed);
    }
    Err(VerifyError::MpiFails {
        launcher,
        ranks: failed.ranks,
        status: probed.status.to_string(),
        output: probed.last_words.iter().map(|line| format!("\n  {line}")).collect(),
    })
}
