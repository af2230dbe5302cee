//! Generated programs, run: whether the generator's verdict is right.
//!
//! ```text
//! Right, Unaligned     every rank says "done", in time
//! Mismatch             if the defect shows, not: the program hangs, or MPI ends it
//! ```

use super::generator::{GeneratedProgram, Kind, Verdict};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Ranks, as the generator counts on.
const RANKS: usize = 3;
/// Threads, as the generator counts on.
const THREADS: &str = "4";
/// Seconds that a program may take. Those that end take tenths of one.
const SECONDS: &str = "10";

/// What compiles and runs programs: Open MPI, `clang -fopenmp`, and `timeout` of coreutils.
pub struct Launcher {
    clang: PathBuf,
}

impl Launcher {
    /// A launcher with this compiler for OpenMP.
    pub fn new(clang: &Path) -> Launcher {
        Launcher {
            clang: clang.to_owned(),
        }
    }

    /// In what a run contradicts the verdict of a program, which is at `path`.
    pub fn contradiction(&self, kind: Kind, program: &GeneratedProgram, path: &Path) -> Option<String> {
        let ends = match self.ends(kind, path) {
            Ok(ends) => ends,
            Err(message) => return Some(message),
        };
        match program.verdict {
            Verdict::Right | Verdict::Unaligned if !ends => Some("a run does not end, or fails".to_owned()),
            Verdict::Mismatch if ends && program.shows => Some("a run ends".to_owned()),
            _ => None,
        }
    }

    /// Whether a run ends as it should.
    fn ends(&self, kind: Kind, path: &Path) -> Result<bool, String> {
        let exe = path.with_extension("exe");
        let mut compile = match kind {
            Kind::Mpi => Command::new("mpicc"),
            Kind::OpenMp => Command::new(&self.clang),
        };
        if kind == Kind::OpenMp {
            compile.arg("-fopenmp");
        }
        let compiled = compile.args(["-std=c11", "-O1", "-o"]).arg(&exe).arg(path).output();
        let compiled = compiled.map_err(|e| format!("{compile:?}: {e}"))?;
        if !compiled.status.success() {
            return Err(format!(
                "does not compile: {}",
                String::from_utf8_lossy(&compiled.stderr)
            ));
        }
        let mut run = Command::new("timeout");
        run.args(["--kill-after=5", SECONDS]);
        if kind == Kind::Mpi {
            run.args(["mpirun", "--allow-run-as-root", "--oversubscribe", "-n"]);
            run.arg(RANKS.to_string());
        }
        run.arg(&exe);
        // Ranks that wait leave the processor to the others.
        run.env("OMPI_MCA_mpi_yield_when_idle", "1");
        run.env("OMP_NUM_THREADS", THREADS).stderr(Stdio::null());
        let ran = run.output().map_err(|e| format!("{run:?}: {e}"))?;
        let said = String::from_utf8_lossy(&ran.stdout).matches("done").count();
        let processes = if kind == Kind::Mpi { RANKS } else { 1 };
        Ok(ran.status.success() && said == processes)
    }
}
