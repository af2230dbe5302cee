//! What is to be verified, and how thoroughly.

use super::record::ProgramKind;
use super::{BuildKind, BuildSpec, Mode};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// A C program and how to build and run it.
#[derive(Debug, Clone, Default)]
pub struct ProgramSpec {
    /// The program as it was.
    pub original: Vec<PathBuf>,
    /// The program as rewritten: the same files in the same order, elsewhere.
    pub rewritten: Vec<PathBuf>,
    /// Compiler flags for both.
    pub flags: Vec<OsString>,
    /// The folder to compile the original in; relative paths start there. `None` is the current folder.
    pub folder: Option<PathBuf>,
    /// The folder to compile the rewritten program in, where it is another.
    pub rewritten_folder: Option<PathBuf>,
    pub args: Vec<OsString>,
    pub stdin: Vec<u8>,
}

/// What a right result is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reference {
    /// What the original computes when built without OpenMP.
    #[default]
    Sequential,
    /// What the original computes with its kernels on the device, in plain mode: for programs whose results depend on how
    /// many threads there are, and for those that do not build without OpenMP.
    Original,
}

/// How thoroughly to verify.
#[derive(Debug, Clone)]
pub struct VerifyOptions {
    pub reference: Reference,
    /// Modes that the rewritten program must pass.
    pub rewritten_modes: Vec<Mode>,
    /// Modes to run the original in; its failures are reported and do not fail the verification.
    pub original_modes: Vec<Mode>,
    /// The version for `-fopenmp-version`.
    pub openmp_version: Option<u32>,
    /// For each run.
    pub timeout: Duration,
    /// `OMP_NUM_THREADS` for each run.
    pub threads: u32,
    /// Whether to count by array as well, in two more runs.
    pub by_array: bool,
}

impl Default for VerifyOptions {
    fn default() -> VerifyOptions {
        VerifyOptions {
            reference: Reference::Sequential,
            rewritten_modes: vec![Mode::Plain, Mode::Strict, Mode::StrictPerturbed],
            original_modes: vec![Mode::Plain, Mode::StrictPerturbed],
            openmp_version: None,
            timeout: Duration::from_secs(60),
            threads: 4,
            by_array: false,
        }
    }
}

impl ProgramSpec {
    /// How one of its programs is built, but for where to.
    pub(super) fn built(&self, options: &VerifyOptions, program: ProgramKind) -> BuildSpec {
        let (sources, folder) = match program {
            ProgramKind::Sequential | ProgramKind::Original => (&self.original, self.folder.as_ref()),
            ProgramKind::Rewritten => (&self.rewritten, self.rewritten_folder.as_ref().or(self.folder.as_ref())),
        };
        BuildSpec {
            sources: sources.clone(),
            flags: self.flags.clone(),
            kind: match program {
                ProgramKind::Sequential => BuildKind::Sequential,
                _ => BuildKind::Offload,
            },
            openmp_version: options.openmp_version,
            folder: folder.cloned(),
            out: PathBuf::new(),
        }
    }
}
