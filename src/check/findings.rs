//! What the walks have found, as findings about the text: where it is, what is said of it, what it has to do with, and what to write instead.
//!
//! ```text
//! step 7: the host reads what step 3 wrote  ──►  sim.c:41:5: OMM102 missing-from `u`; sim.c:30:9: this kernel writes them; an update in front of line 41
//! ```

use super::array_walks::JudgedViolation;
use super::file_lines::FileLines;
use super::fixes::FixWriter;
use super::mapping_state::MappingProblem;
use super::messages::{related, said, said_of_scalar, said_of_transfer};
use super::places::{StepPlace, StepPlaces};
use super::scalars::{ScalarProblem, scalar_problems};
use super::stale::StepId;
use super::transfers::{TransferRecords, UselessTransfer};
use super::walk::ObservedEffects;
use crate::analysis::function::FunctionModel;
use crate::openmp::effects::MapEffect;
use crate::rules::{RelatedPlace, Rule, RuleFinding, RuleFix};
use crate::source::Span;

/// A finding, and the file that it is in, by its place in the program.
pub struct FindingInFile {
    pub unit: usize,
    pub finding: RuleFinding,
}

/// What is said of a place by a rule.
struct SaidHere {
    rule: Rule,
    message: String,
    surely: bool,
    related: Vec<RelatedPlace>,
    fix: Option<RuleFix>,
}

/// Says what was found.
pub struct FindingWriter<'a> {
    pub places: &'a StepPlaces,
    pub lines: &'a FileLines<'a>,
    /// What becomes of copies.
    pub transfers: &'a TransferRecords,
    /// What list items have done, over all walks.
    pub observed: &'a ObservedEffects,
}

impl FindingWriter<'_> {
    /// What is wrong. What a directive has met in some call is not missing there.
    pub fn of_violation(&self, judged: &JudgedViolation) -> Option<FindingInFile> {
        let violation = &judged.violation;
        let place = self.places.of(violation.at)?;
        let has_met = || {
            let met = self.observed.get(&violation.at);
            met.is_some_and(|all| all.iter().any(|e| *e != MapEffect::Nothing))
        };
        if violation.problem == MappingProblem::NothingThere && has_met() {
            return None;
        }
        let (rule, message) = said(&place.label, &violation.problem);
        let mut others: Vec<RelatedPlace> = Vec::new();
        for (step, what) in related(&violation.problem) {
            let Some(there) = self.places.of(step) else { continue };
            let place = self.lines.of(there.unit).related(there.span, what);
            let known = others
                .iter_mut()
                .find(|r| r.path == place.path && r.start == place.start);
            match known {
                Some(known) => known.message = format!("{}; {what}", known.message),
                None => others.push(place),
            }
        }
        let said = SaidHere {
            rule,
            message,
            surely: judged.surely && !rule.is_harmless(),
            related: others,
            fix: self.fixes().of_problem(violation.at, &violation.problem),
        };
        Some(said.at(&place))
    }

    /// Which copy is of no use.
    pub fn of_transfer(&self, step: StepId, useless: &UselessTransfer) -> Option<FindingInFile> {
        let place = self.places.of(step)?;
        let (rule, message) = said_of_transfer(&place.label, useless);
        let left_at = match useless {
            UselessTransfer::RoundTrip(left_at) => left_at.as_slice(),
            _ => &[],
        };
        let left = left_at.iter().filter_map(|step| self.places.of(*step));
        let mut related: Vec<RelatedPlace> = left
            .map(|there| {
                self.lines
                    .of(there.unit)
                    .related(there.span, "the array leaves the device here")
            })
            .collect();
        related.sort();
        related.dedup();
        let said = SaidHere {
            rule,
            message,
            surely: false,
            related,
            fix: self.fixes().of_transfer(step, useless),
        };
        Some(said.at(&place))
    }

    fn fixes(&self) -> FixWriter<'_> {
        FixWriter {
            places: self.places,
            lines: self.lines,
            transfers: self.transfers,
        }
    }
}

impl SaidHere {
    fn at(self, place: &StepPlace) -> FindingInFile {
        let SaidHere {
            rule,
            message,
            surely,
            related,
            fix,
        } = self;
        FindingInFile {
            unit: place.unit,
            finding: RuleFinding {
                span: place.span,
                rule,
                message,
                function: place.function.to_string(),
                array: place.label.to_string(),
                surely,
                related,
                fix,
            },
        }
    }
}

/// What is said of scalars.
pub fn scalar_findings(
    model: &FunctionModel<'_>,
    function: &str,
    related: &dyn Fn(Span, &str) -> RelatedPlace,
) -> Vec<RuleFinding> {
    let finding = |problem: ScalarProblem| {
        let (message, kernel) = said_of_scalar(&problem);
        RuleFinding {
            span: problem.read,
            rule: problem.rule,
            message,
            function: function.to_owned(),
            array: format!("`{}`", problem.name),
            surely: problem.surely,
            related: Some(related(problem.kernel, kernel))
                .filter(|_| problem.read != problem.kernel)
                .into_iter()
                .collect(),
            fix: None,
        }
    };
    scalar_problems(model).into_iter().map(finding).collect()
}
