//! Verifies a rewriting as a whole: builds the three programs, runs them in every mode, says what differs and what moved.

use std::path::Path;
use std::time::Duration;

use crate::cleanup::Folder;

use super::record::{ProgramKind, RunMismatch, RunRecord};
use super::spec::{ProgramSpec, Reference, VerifyOptions};
use super::tracing::Traced;
use super::{
    BuildSpec, ByArray, CountedInterval, Counting, Counts, Mode, RunSpec, Toolchain, Verdict, VerifyError, compare,
    verdict,
};

/// What verifying found.
#[derive(Debug, Clone)]
pub struct VerifyReport {
    /// All runs, the reference first, then the original's, then the rewritten program's, each in the order asked for. The
    /// reference is alone where it did not end by itself: there is nothing to compare with.
    pub runs: Vec<RunRecord>,
    /// The time that each run was given.
    pub timeout: Duration,
    pub by_array: ByArray,
}

impl VerifyReport {
    /// What the runs prove.
    pub fn verdict(&self) -> Verdict {
        verdict::of_runs(&self.runs, self.mismatches(), self.timeout)
    }

    /// Whether it is proved that every run of the rewritten program did what the reference does.
    pub fn is_verified(&self) -> bool {
        self.verdict() == Verdict::Same
    }

    /// Whether every run of the original did. Where it did not, the program was wrong before it was rewritten.
    pub fn original_agrees(&self) -> bool {
        self.mismatches()
            .all(|mismatch| mismatch.program != ProgramKind::Original)
    }

    /// All differences from the reference, in the order of the runs.
    pub fn mismatches(&self) -> impl Iterator<Item = RunMismatch<'_>> {
        self.runs.iter().flat_map(|run| {
            let (program, mode) = (run.program, run.mode);
            run.differences.iter().map(move |difference| RunMismatch {
                program,
                mode,
                difference,
            })
        })
    }

    /// What the original moved, from the first of its runs that came to an end.
    pub fn before(&self) -> Option<Counts> {
        self.counted(ProgramKind::Original)?.outcome.counts
    }

    /// What the rewritten program moved.
    pub fn after(&self) -> Option<Counts> {
        self.counted(ProgramKind::Rewritten)?.outcome.counts
    }

    /// The sections of a program's first run that came to an end: empty where it has none.
    pub fn sections(&self, program: ProgramKind) -> &[CountedInterval] {
        self.counted(program).map_or(&[], |run| &run.outcome.sections)
    }

    fn counted(&self, program: ProgramKind) -> Option<&RunRecord> {
        self.runs
            .iter()
            .find(|run| run.program == program && run.outcome.counts.is_some())
    }
}

/// Builds the original (also without OpenMP) and the rewritten program, runs them, and compares.
///
/// # Errors
/// [`VerifyError::Compile`] where one does not build, [`VerifyError::Io`] and [`VerifyError::Counts`] where one cannot be
/// run. A program that crashes, hangs or prints something else is no error: it is in the report.
pub fn verify_program(
    toolchain: &Toolchain,
    spec: &ProgramSpec,
    options: &VerifyOptions,
) -> Result<VerifyReport, VerifyError> {
    let scratch = Folder::new("ompmemopt-verify-");
    let scratch = scratch.map_err(VerifyError::io("make a temporary folder"))?;
    let exe = |program: ProgramKind| scratch.path().join(program.to_string());
    let build = |program: ProgramKind| build_one(toolchain, spec, options, program, &exe(program));

    build_all(options, &build)?;

    // Runs follow one another: programs of several threads, side by side, would only slow each other down.
    let run = |program: ProgramKind, mode: Mode| {
        let is_counted = program != ProgramKind::Sequential;
        let run = RunSpec {
            mode,
            args: spec.args.clone(),
            stdin: spec.stdin.clone(),
            timeout: options.timeout,
            counted: if is_counted {
                Counting::Totals
            } else {
                Counting::Nothing
            },
            threads: options.threads,
            ..RunSpec::default()
        };
        toolchain.run(&exe(program), &run)
    };
    let reference = match options.reference {
        Reference::Sequential => ProgramKind::Sequential,
        Reference::Original => ProgramKind::Original,
    };
    let expected = run(reference, Mode::Plain)?;
    let mut runs = vec![RunRecord {
        program: reference,
        mode: Mode::Plain,
        outcome: expected.clone(),
        differences: Vec::new(),
    }];
    let timeout = options.timeout;
    if verdict::of_reference(&runs[0], timeout).is_some() {
        return Ok(VerifyReport {
            runs,
            timeout,
            by_array: not_measured(options, "the reference proves nothing"),
        });
    }
    for (program, modes) in [
        (ProgramKind::Original, &options.original_modes),
        (ProgramKind::Rewritten, &options.rewritten_modes),
    ] {
        for &mode in modes {
            if (program, mode) == (reference, Mode::Plain) {
                continue;
            }
            let outcome = run(program, mode)?;
            let differences = compare(&expected, &outcome);
            runs.push(RunRecord {
                program,
                mode,
                outcome,
                differences,
            });
        }
    }
    let traced = Traced {
        toolchain,
        spec,
        options,
        folder: scratch.path(),
        expected: &expected,
    };
    let by_array = match options.by_array {
        true => traced.by_array()?,
        false => ByArray::NotAsked,
    };
    Ok(VerifyReport {
        runs,
        timeout,
        by_array,
    })
}

/// Builds the programs that are run, side by side.
fn build_all(
    options: &VerifyOptions,
    build: &(dyn Fn(ProgramKind) -> Result<(), VerifyError> + Sync),
) -> Result<(), VerifyError> {
    let needs_original = !options.original_modes.is_empty() || options.reference == Reference::Original;
    let needs = |program: ProgramKind, needed: bool| if needed { build(program) } else { Ok(()) };
    let of_original = || {
        rayon::join(
            || needs(ProgramKind::Sequential, options.reference == Reference::Sequential),
            || needs(ProgramKind::Original, needs_original),
        )
    };
    let ((sequential, original), rewritten) = rayon::join(of_original, || build(ProgramKind::Rewritten));
    sequential.and(original).and(rewritten)
}

fn not_measured(options: &VerifyOptions, reason: &str) -> ByArray {
    match options.by_array {
        true => ByArray::NotMeasured(reason.to_owned()),
        false => ByArray::NotAsked,
    }
}

fn build_one(
    toolchain: &Toolchain,
    spec: &ProgramSpec,
    options: &VerifyOptions,
    program: ProgramKind,
    out: &Path,
) -> Result<(), VerifyError> {
    toolchain.build(&BuildSpec {
        out: out.to_owned(),
        ..spec.built(options, program)
    })
}
