//! Checks many generated cases at once and reduces the ones that fail.
//!
//! A [`Subject`] rewrites C text and says what it [promises](Promises); a [`Runner`] builds and runs C text, and says what
//! it printed and moved. [`differ`] compares what the original prints without OpenMP with what the rewritten text prints
//! on a device of its own memory, and holds the subject to its promises.
//!
//! - [`tool`]: the subject that all this is about. [`verifier`]: the runner for it.
//! - [`clang`]: a runner that trusts nothing of this project, to test the generator.
//! - [`reduce`]: makes failing cases small. [`tally`]: what a soak has seen.

pub mod clang;
mod examine;
pub mod reduce;
pub mod tally;
pub mod tool;
pub mod verifier;

pub use examine::differ;

use std::collections::BTreeMap;

/// What is being tested.
pub trait Subject: Sync {
    /// The rewritten text.
    fn rewrite(&self, text: &str) -> Result<String, String>;

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
}

/// The subject that changes nothing: testing it tests the generator.
pub struct Identity;

impl Subject for Identity {
    fn rewrite(&self, text: &str) -> Result<String, String> {
        Ok(text.to_string())
    }
}

/// What a program did on the device.
#[derive(Clone, Debug, Default)]
pub struct Ran {
    /// Its standard output.
    pub output: String,
    /// Bytes between host and device, both ways, by index of the case in its file; `None` where the runner does
    /// not count.
    pub moved: Option<BTreeMap<usize, u64>>,
}

/// Builds and runs one C file.
pub trait Runner: Sync {
    /// The standard output of the program without OpenMP.
    fn sequential(&self, text: &str) -> Result<String, String>;
    /// What the program does with its kernels on a device.
    fn offloaded(&self, text: &str) -> Result<Ran, String>;
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
