//! Checks many generated cases at once and reduces the ones that fail.
//!
//! A [`Subject`] rewrites the files of a C program and says what it [promises](Promises); a [`Runner`] builds and runs
//! programs, and says what they printed and moved. [`differ`] compares what the original prints without OpenMP with what
//! the rewritten program prints on a device of its own memory, and holds the subject to its promises. Of a case that
//! [`loses`](crate::generator::Case::loses) what kernels write, the original says on a device what is right.
//!
//! - [`tool`]: the subjects that all this is about, and [`checked`] one that checks. [`verifier`]: the runners for them.
//! - [`remembered`]: a runner that knows what programs did in earlier runs.
//! - [`clang`]: a runner that trusts nothing of this project, to test the generator.
//! - [`reduce`]: makes failing cases small. [`tally`]: what a soak has seen.

pub mod checked;
pub mod clang;
mod examine;
pub mod reduce;
pub mod remembered;
pub mod tally;
pub mod tool;
pub mod verifier;

pub use examine::differ;

use crate::generator::Source;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What is being tested.
pub trait Subject: Sync {
    /// The rewritten files of a program, all of them, under the names that they had.
    fn rewrite(&self, program: &[Source]) -> Result<Vec<Source>, String>;

    /// What is checked beyond what the rewritten program prints.
    fn promises(&self) -> Promises {
        Promises::default()
    }
}

/// What a subject is held to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Promises {
    /// A second rewrite changes nothing. A text that the first one leaves alone needs no run then.
    pub stable: bool,
    /// No case moves more bytes between host and device than before.
    pub no_more_bytes: bool,
    /// Nor does a case in which every loop with kernels runs one of them, whenever control gets to it.
    pub no_more_where_run: bool,
    /// The original has kernels that are worth running, too.
    pub original: bool,
}

/// The subject that changes nothing: testing it tests the generator.
pub struct Identity;

impl Subject for Identity {
    fn rewrite(&self, program: &[Source]) -> Result<Vec<Source>, String> {
        Ok(program.to_vec())
    }
}

/// What a program did on the device.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Ran {
    /// The program's standard output.
    pub output: String,
    /// What moved between host and device, by index of the case in its program; `None` where the runner does not count.
    pub moved: Option<BTreeMap<usize, Moved>>,
}

/// What a case moved between host and device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moved {
    /// Bytes, both ways.
    pub bytes: u64,
    /// Copies from host to device.
    pub up: u64,
}

/// Writes the files of a program into `folder`; returns those to compile.
fn write(program: &[Source], folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut out = Vec::new();
    for source in program {
        let path = folder.join(&source.name);
        std::fs::write(&path, &source.text).map_err(|e| e.to_string())?;
        if !source.is_header() {
            out.push(path);
        }
    }
    Ok(out)
}

/// Builds and runs C programs.
pub trait Runner: Sync {
    /// The standard output of the program without OpenMP.
    fn sequential(&self, program: &[Source]) -> Result<String, String>;
    /// What the program does with its kernels on a device, once for each way in which it is run. Movement counts in the
    /// first.
    fn offloaded(&self, program: &[Source]) -> Result<Vec<Ran>, String>;
}

/// Where a case went wrong. A reduced case has to fail at the same stage as the case it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Without OpenMP: the generator is at fault.
    Sequential,
    /// Before it was rewritten, on the device: the generator or the runner is at fault.
    Original,
    /// The rewriter failed.
    Rewrite,
    /// A second rewrite changed the text again.
    Unstable,
    /// After it was rewritten, on the device: compiling or running failed.
    Device,
    /// The outputs differ.
    Output,
    /// More bytes are moved than before.
    Bytes,
    /// The rewritten text is wrong under other values of its macros.
    Configuration,
}

impl Stage {
    /// A word for file names and tables.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Sequential => "sequential",
            Stage::Original => "original",
            Stage::Rewrite => "rewrite",
            Stage::Unstable => "unstable",
            Stage::Device => "device",
            Stage::Output => "output",
            Stage::Bytes => "bytes",
            Stage::Configuration => "configuration",
        }
    }
}

/// A case that went wrong.
#[derive(Clone, Debug)]
pub struct Failure {
    pub seed: u64,
    pub stage: Stage,
    pub reason: String,
}
