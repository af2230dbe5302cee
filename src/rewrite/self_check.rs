//! What `rewrite` has written, looked at by [`check`](crate::check), which has written nothing of it.
//!
//! ```text
//! new texts ─► scope trees ─► link ─► check ─► errors that the original texts do not have? ─► nothing is written, and the tool reports its bug
//! ```
//!
//! The planner decides what to write by placing copies, and `check` decides what is wrong by following directives: a mistake of the one is none of
//! the other's. So the texts that come of a run are read again, all of the program together, as if they had been on the disk. Where `check` is
//! sure that one of them does something wrong, and the original did not, all changed files of that program are left alone.
//!
//! What the compiler says of a new text is what it says of the original, but for where it stands ([`UnitFacts::moved`]); it is asked again where
//! directives evaluate more than they did, and where a text is the work of several steps.
//!
//! **Limits.** What may be wrong and is not sure to be counts for nothing here. Where `check` itself fails, nobody has looked, and the run's notes say so.

use super::checked::{CheckRequest, CheckedProgram, checked};
use super::programs::PipelineFile;
use super::services::Services;
use super::unit::{FileError, GivenUnit, Outcome, Rewritten, Unit};
use crate::facts::{EditedText, UnitFacts};
use crate::rules::RuleFinding;
use crate::source::LineIndex;

/// What was found in a program.
struct ProgramErrors {
    /// The places of its files among all.
    files: Vec<usize>,
    /// What surely is wrong, each with the place of its file.
    errors: Vec<(usize, RuleFinding)>,
}

impl ProgramErrors {
    /// The first error that none of some programs has as well: of the same rule, about the same array of the same function.
    fn new_error(&self, before: &[ProgramErrors]) -> Option<&(usize, RuleFinding)> {
        let about = |(file, e): &(usize, RuleFinding)| (*file, e.rule, e.function.clone(), e.array.clone());
        let mut errors = self.errors.iter();
        errors.find(|error| !before.iter().flat_map(|p| &p.errors).any(|e| about(e) == about(error)))
    }
}

/// The files of a run, and what is known of them.
struct SelfCheck<'a> {
    units: &'a [(Unit<'a>, bool)],
    files: &'a [PipelineFile<'a>],
    services: &'a Services<'a>,
}

/// Takes back what has made a program wrong.
pub(super) fn take_back(
    units: &[(Unit<'_>, bool)],
    rewritten: &mut Rewritten,
    files: &[PipelineFile<'_>],
    services: &Services<'_>,
) {
    let is_changed = |outcome: &Result<Outcome, FileError>| outcome.as_ref().is_ok_and(|o| o.new_text.is_some());
    let is_wanted = units.iter().any(|(unit, _)| unit.options.self_check);
    if !is_wanted || !rewritten.files.iter().any(is_changed) {
        return;
    }
    let check = SelfCheck { units, files, services };
    let found = match check.programs_made_wrong(&rewritten.files) {
        Ok(found) => found,
        Err(why) => {
            let note = format!("what was written has not been checked: {why}");
            rewritten.notes.push(note);
            return;
        }
    };
    for (files, reason) in found {
        for at in files {
            if !is_changed(&rewritten.files[at]) {
                continue;
            }
            rewritten.files[at] = Err(FileError::Guard {
                path: units[at].0.path.to_owned(),
                reason: reason.clone(),
            });
        }
    }
}

impl<'a> SelfCheck<'a> {
    /// The programs, each by the places of its files, that are wrong with these outcomes and were not before, and what is wrong.
    ///
    /// # Errors
    /// Why it is not known: a file cannot be read, or `check` failed.
    fn programs_made_wrong(
        &self,
        outcomes: &[Result<Outcome, FileError>],
    ) -> Result<Vec<(Vec<usize>, String)>, String> {
        let old = |at: usize| self.units[at].0.text;
        let new = |at: usize| {
            let outcome = outcomes[at].as_ref().ok();
            outcome.and_then(|o| o.new_text.as_deref()).unwrap_or(old(at))
        };
        let good: Vec<usize> = { 0..outcomes.len() }.filter(|at| outcomes[*at].is_ok()).collect();
        let now = self.checked(&good, &new, &|at| self.facts(at, outcomes[at].as_ref().ok()?))?;
        if now.iter().all(|program| program.errors.is_empty()) {
            return Ok(Vec::new());
        }
        let before = self.checked(&good, &old, &|at| self.known(at))?;
        let wrong = now.iter().filter_map(|program| {
            let (at, error) = program.new_error(&before)?;
            let line = LineIndex::new(new(*at)).position(error.span.start).line;
            let reason = format!(
                "`check` finds in line {line} of what {} would be: error[{}]: {}",
                self.units[*at].0.path.display(),
                error.rule.text().code,
                error.message
            );
            Some((program.files.clone(), reason))
        });
        Ok(wrong.collect())
    }

    /// What is known of a file as it was.
    fn known(&self, at: usize) -> Option<UnitFacts> {
        self.files.iter().find(|f| f.at == at).map(PipelineFile::facts)
    }

    /// What is known of a file's new text without asking the compiler.
    fn facts(&self, at: usize, outcome: &Outcome) -> Option<UnitFacts> {
        let known = self.known(at)?;
        let Some(text) = &outcome.new_text else {
            return Some(known);
        };
        let unit = Unit {
            text,
            ..self.units[at].0
        };
        let edited = EditedText {
            original: self.units[at].0.text,
            edits: &outcome.edits,
            text,
        };
        let file = unit.file();
        let is_one_step = !outcome.edits.is_empty() && outcome.edits.apply(edited.original) == *text;
        is_one_step.then(|| self.services.store.moved(known, &unit.source(&file), &edited))?
    }

    /// What `check` says of the programs that some of the files make with these texts.
    ///
    /// # Errors
    /// Why it is not known: a file cannot be read, or `check` failed.
    fn checked<'t>(
        &self,
        files: &[usize],
        text: &dyn Fn(usize) -> &'t [u8],
        facts: &dyn Fn(usize) -> Option<UnitFacts>,
    ) -> Result<Vec<ProgramErrors>, String>
    where
        'a: 't,
    {
        let given = files.iter().map(|at| GivenUnit {
            unit: Unit {
                text: text(*at),
                ..self.units[*at].0
            },
            facts: facts(*at),
            context: self.units[*at].1,
        });
        let (programs, _) = checked(given.collect(), self.services, &CheckRequest::FINDINGS)?;
        let errors = |program: CheckedProgram| {
            let places = program.files.iter().map(|(at, _)| files[*at]).collect();
            let found = program.files.into_iter().flat_map(|(at, plan)| {
                let errors = plan.findings.into_iter().filter(|f| f.surely && !f.rule.is_advice());
                errors.map(move |f| (at, f))
            });
            ProgramErrors {
                files: places,
                errors: found.map(|(at, finding)| (files[at], finding)).collect(),
            }
        };
        Ok(programs.into_iter().map(errors).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::programs::each_program;
    use super::super::progress::Silent;
    use super::super::unit::ToolOptions;
    use super::*;
    use crate::facts::Store;
    use crate::llvm::{ClangOptions, find_clang};
    use crate::plan::PlanOptions;
    use crate::source::EditSet;
    use std::collections::BTreeSet;
    use std::path::Path;

    const KERNEL: &str = "#pragma omp target teams distribute parallel for map(tofrom: a[0:N])\n";

    fn program(before_loop: &str, before_print: &str) -> String {
        format!(
            "#include <stdio.h>\n#define N 64\nstatic double a[N];\nint main(void)\n{{\n    for (int i = 0; i < N; i++)\n        a[i] = i;\n\
             {before_loop}    for (int t = 0; t < 9; t++) {{\n{KERNEL}        for (int i = 0; i < N; i++)\n            a[i] += t;\n\
             {before_print}        printf(\"%g\\n\", a[3]);\n    }}\n    return 0;\n}}\n"
        )
    }

    /// What becomes of a text that is to replace another one, where the edits are known or are not.
    fn judged(original: &str, new: &str, edits: EditSet) -> Result<Outcome, FileError> {
        let options = ToolOptions {
            clang: find_clang(None).expect("clang"),
            compile: ClangOptions::default(),
            plan: PlanOptions::default(),
            self_check: true,
            limits: Vec::new(),
            dumps: BTreeSet::new(),
        };
        let unit = Unit {
            path: Path::new("main.c"),
            text: original.as_bytes(),
            options: &options,
        };
        let services = Services {
            store: &Store::none(),
            progress: &Silent,
        };
        let (mut rewritten, files) = each_program(vec![GivenUnit::from(unit)], &services, &|_, _| Vec::new());
        rewritten.files[0] = Ok(Outcome {
            new_text: Some(new.as_bytes().to_vec()),
            edits,
            ..Outcome::default()
        });
        take_back(&[(unit, false)], &mut rewritten, &files, &services);
        assert_eq!(rewritten.notes, Vec::<String>::new());
        rewritten.files.remove(0)
    }

    fn added(original: &str, lines: &[(&str, &str)]) -> (String, EditSet) {
        let mut edits = EditSet::new();
        for (before, line) in lines {
            let at = original.find(before).expect("a line");
            edits.insert(at, 0, *line).expect("apart");
        }
        let text = String::from_utf8(edits.apply(original.as_bytes())).expect("text");
        (text, edits)
    }

    #[test]
    fn what_surely_is_wrong_is_taken_back() {
        let original = program("", "");
        let region = ("    for (int t", "#pragma omp target data map(tofrom: a[0:N])\n");
        let update = ("        printf", "#pragma omp target update from(a[3:1])\n");
        for known in [true, false] {
            let edits = |edits: EditSet| if known { edits } else { EditSet::new() };
            let (right, how) = added(&original, &[region, update]);
            assert!(judged(&original, &right, edits(how)).is_ok());
            let (wrong, how) = added(&original, &[region]);
            let Err(FileError::Guard { reason, .. }) = judged(&original, &wrong, edits(how)) else {
                panic!("the host reads what only the device has");
            };
            assert!(
                reason.contains("in line 13 of what main.c would be: error[OMM102]"),
                "{reason}"
            );
        }
    }

    #[test]
    fn what_was_wrong_before_is_nobodys_fault() {
        let wrong = program("#pragma omp target data map(tofrom: a[0:N])\n", "");
        let (more, edits) = added(&wrong, &[("    return", "#pragma omp target update to(a[0:N])\n")]);
        assert!(judged(&wrong, &more, edits).is_ok());
    }
}
