//! The verifier of this project as a [`Runner`]: strict, perturbed, and counting case by case.

use super::tool::STANDARD;
use super::{Moved, Ran, Runner, write};
use crate::generator::Source;
use ompmemopt::verify::{BuildKind, BuildSpec, Mode, RunOutcome, RunSpec, Status, Toolchain};
use std::path::Path;
use std::time::Duration;

/// Builds with a toolchain, in folders of its own.
pub struct Verifier {
    toolchain: Toolchain,
}

/// Compiling the kernels of a file takes seven times as long when they are optimised, and they do not run long.
const FAST: &str = "-O0";
/// Longest that one program may run. They need milliseconds, but share the machine.
const LIMIT: Duration = Duration::from_secs(60);
/// Bytes of an error that a failure quotes.
const QUOTE: usize = 1500;

impl Verifier {
    /// The verifier with the given compiler.
    pub fn new(clang: &Path) -> Result<Verifier, String> {
        let toolchain = Toolchain::with_clang(clang).map_err(|e| e.to_string())?;
        Ok(Verifier { toolchain })
    }

    fn run(&self, program: &[Source], kind: BuildKind, mode: Mode) -> Result<RunOutcome, String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let out = folder.path().join("case");
        let build = BuildSpec {
            sources: write(program, folder.path())?,
            flags: vec![STANDARD.into(), FAST.into()],
            kind,
            openmp_version: None,
            folder: None,
            out: out.clone(),
        };
        self.toolchain.build(&build).map_err(|e| short(&e.to_string()))?;
        let run = RunSpec {
            mode,
            timeout: LIMIT,
            count: kind == BuildKind::Offload,
            ..RunSpec::default()
        };
        let outcome = self.toolchain.run(&out, &run).map_err(|e| e.to_string())?;
        match outcome.status {
            Status::Exited(0) => Ok(outcome),
            status => Err(short(&format!(
                "ends with {status}: {}",
                String::from_utf8_lossy(&outcome.stderr)
            ))),
        }
    }
}

/// The first characters of a message.
fn short(message: &str) -> String {
    message.chars().take(QUOTE).collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl Runner for Verifier {
    fn sequential(&self, program: &[Source]) -> Result<String, String> {
        self.run(program, BuildKind::Sequential, Mode::Plain)
            .map(|o| text(&o.stdout))
    }

    fn offloaded(&self, program: &[Source]) -> Result<Ran, String> {
        let outcome = self.run(program, BuildKind::Offload, Mode::StrictPerturbed)?;
        let index = |i: u64| usize::try_from(i).map_err(|e| e.to_string());
        let moved = outcome
            .sections
            .iter()
            .map(|s| {
                let moved = Moved {
                    bytes: s.counts.moved_bytes(),
                    up: s.counts.h2d_calls,
                };
                Ok((index(s.index)?, moved))
            })
            .collect::<Result<_, String>>()?;
        Ok(Ran {
            output: text(&outcome.stdout),
            moved: Some(moved),
        })
    }
}
