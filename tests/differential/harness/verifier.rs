//! The verifier of this project as a [`Runner`]: strict, perturbed, and counting case by case; and [`Threads`], the same with
//! iterations dealt out so that wrong ones are noticed.

use super::tool::STANDARD;
use super::{Moved, Ran, Runner, write};
use crate::generator::Source;
use ompmemopt::inside::verify::{BuildKind, BuildSpec, Counting, Mode, RunOutcome, RunSpec, Status, Toolchain};
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
    /// The verifier with the compiler that `OMPMEMOPT_CLANG` names, or the one that is found.
    pub fn new() -> Result<Verifier, String> {
        let named = std::env::var_os("OMPMEMOPT_CLANG").filter(|name| !name.is_empty());
        let toolchain = Toolchain::find(named.as_deref().map(Path::new)).map_err(|e| e.to_string())?;
        Ok(Verifier { toolchain })
    }

    /// Builds the program and runs it in each of these ways.
    fn run(&self, program: &[Source], kind: BuildKind, ways: &[RunSpec]) -> Result<Vec<RunOutcome>, String> {
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
        let run = |way: &RunSpec| {
            let outcome = self.toolchain.run(&out, way).map_err(|e| e.to_string())?;
            match outcome.status {
                Status::Exited(0) => Ok(outcome),
                status => Err(short(&format!(
                    "ends with {status}: {}",
                    String::from_utf8_lossy(&outcome.stderr)
                ))),
            }
        };
        ways.iter().map(run).collect()
    }
}

/// A way to run a program.
fn way(mode: Mode, environment: &[(&str, &str)]) -> RunSpec {
    RunSpec {
        mode,
        timeout: LIMIT,
        environment: environment.iter().map(|(n, v)| (n.into(), v.into())).collect(),
        ..RunSpec::default()
    }
}

/// The first characters of a message.
fn short(message: &str) -> String {
    message.chars().take(QUOTE).collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What a program printed, and moved in its sections.
fn ran(outcome: &RunOutcome) -> Result<Ran, String> {
    let index = |i: u64| usize::try_from(i).map_err(|e| e.to_string());
    let moved = outcome.sections.iter().map(|s| {
        let moved = Moved {
            bytes: s.counts.moved_bytes(),
            up: s.counts.h2d_calls,
        };
        Ok((index(s.index)?, moved))
    });
    Ok(Ran {
        output: text(&outcome.stdout),
        moved: Some(moved.collect::<Result<_, String>>()?),
    })
}

impl Runner for Verifier {
    fn sequential(&self, program: &[Source]) -> Result<String, String> {
        let outcomes = self.run(program, BuildKind::Sequential, &[way(Mode::Plain, &[])])?;
        Ok(outcomes.iter().map(|o| text(&o.stdout)).collect())
    }

    fn offloaded(&self, program: &[Source]) -> Result<Vec<Ran>, String> {
        let way = RunSpec {
            counted: Counting::Totals,
            ..way(Mode::StrictPerturbed, &[])
        };
        self.run(program, BuildKind::Offload, &[way])?.iter().map(ran).collect()
    }
}

/// A runner under which iterations that must not run at the same time do not come out right.
///
/// Threads get contiguous parts of a loop by default and may well run one after another, as in a sequential program. So the
/// directives ask for `schedule(runtime)`, which the runs choose: in turn, where one thread does every fourth iteration
/// without waiting for those in between, and three at a time, for iterations that are four apart. The third run is on the
/// host, in teams.
pub struct Threads {
    pub verifier: Verifier,
}

/// The part of a directive after which its schedule stands.
const DEALT: &str = "distribute parallel for";

impl Runner for Threads {
    fn sequential(&self, program: &[Source]) -> Result<String, String> {
        self.verifier.sequential(program)
    }

    fn offloaded(&self, program: &[Source]) -> Result<Vec<Ran>, String> {
        let plain = Ran {
            output: self.verifier.sequential(program)?,
            moved: None,
        };
        let dealt = |source: &Source| Source {
            name: source.name.clone(),
            text: source.text.replace(DEALT, &format!("{DEALT} schedule(runtime)")),
        };
        let dealt: Vec<Source> = program.iter().map(dealt).collect();
        let mut host = way(Mode::Plain, &[("OMP_SCHEDULE", "static,1"), ("OMP_NUM_TEAMS", "3")]);
        (host.device_required, host.threads) = (false, 3);
        let ways = [
            way(Mode::StrictPerturbed, &[("OMP_SCHEDULE", "static,1")]),
            way(
                Mode::StrictPerturbed,
                &[("OMP_SCHEDULE", "static"), ("OMP_NUM_TEAMS", "3")],
            ),
            host,
        ];
        let outcomes = self.verifier.run(&dealt, BuildKind::Offload, &ways)?;
        let runs = outcomes.iter().map(|o| Ran {
            output: text(&o.stdout),
            moved: None,
        });
        Ok([plain].into_iter().chain(runs).collect())
    }
}
