//! Runs the original and the rewritten program once more, built so that each access is seen, to count by array.

use super::by_array::{ByArray, joined};
use super::record::ProgramKind;
use super::spec::{ProgramSpec, VerifyOptions};
use super::{BuildKind, BuildSpec, Counting, Mode, RunOutcome, RunSpec, Status, Toolchain, VerifyError, compare};
use std::path::{Path, PathBuf};

/// What is traced, and what it has to print.
pub(super) struct Traced<'a> {
    pub toolchain: &'a Toolchain,
    pub spec: &'a ProgramSpec,
    pub options: &'a VerifyOptions,
    /// A folder for the programs.
    pub folder: &'a Path,
    /// What the reference did: a traced program does no other.
    pub expected: &'a RunOutcome,
}

impl Traced<'_> {
    /// Copies by array, in the original and in the rewritten program.
    ///
    /// # Errors
    /// [`VerifyError::Io`] and [`VerifyError::Counts`] where a program cannot be run. One that cannot be built so, or that
    /// does something else then, is no error: nothing is measured.
    pub fn by_array(&self) -> Result<ByArray, VerifyError> {
        let (original, rewritten) = rayon::join(
            || self.build(ProgramKind::Original),
            || self.build(ProgramKind::Rewritten),
        );
        if let Err(VerifyError::Compile { output, .. }) = original.and(rewritten) {
            let first = output.lines().next().unwrap_or("the compiler says nothing").to_owned();
            return Ok(ByArray::NotMeasured(format!(
                "the program does not build so that its accesses are seen: {first}"
            )));
        }
        let mut objects = Vec::new();
        for program in [ProgramKind::Original, ProgramKind::Rewritten] {
            let outcome = self.run(program)?;
            if let Some(reason) = self.doubt(program, &outcome) {
                return Ok(ByArray::NotMeasured(reason));
            }
            objects.push(outcome.objects);
        }
        Ok(match joined(&objects[0], &objects[1]) {
            arrays if arrays.is_empty() => ByArray::NotMeasured("nothing was copied".to_owned()),
            arrays => ByArray::Measured(arrays),
        })
    }

    fn build(&self, program: ProgramKind) -> Result<(), VerifyError> {
        self.toolchain.build(&BuildSpec {
            kind: BuildKind::Traced,
            out: self.exe(program),
            ..self.spec.built(self.options, program)
        })
    }

    fn exe(&self, program: ProgramKind) -> PathBuf {
        self.folder.join(format!("traced-{program}"))
    }

    fn run(&self, program: ProgramKind) -> Result<RunOutcome, VerifyError> {
        let run = RunSpec {
            mode: Mode::Plain,
            args: self.spec.args.clone(),
            stdin: self.spec.stdin.clone(),
            timeout: self.options.timeout,
            counted: Counting::Objects,
            threads: self.options.threads,
            ..RunSpec::default()
        };
        self.toolchain.run(&self.exe(program), &run)
    }

    /// Why a run of a traced program says nothing.
    fn doubt(&self, program: ProgramKind, outcome: &RunOutcome) -> Option<String> {
        if outcome.status == Status::TimedOut {
            let limit = self.options.timeout.as_secs();
            return Some(format!(
                "the {program} program takes longer than {limit} s when its accesses are seen (--timeout)"
            ));
        }
        let differences = compare(self.expected, outcome);
        let first = differences.first()?;
        Some(format!(
            "the {program} program does something else when its accesses are seen: {first}"
        ))
    }
}
