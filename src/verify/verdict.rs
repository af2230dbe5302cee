//! What a verification proves: that both programs do the same, that they do not, or nothing.
//!
//! Two programs that both crash, run out of time or print how they want to be called have done the same, and nothing has
//! been compared. A proof needs a reference that ended by itself and printed something, and kernels that ran:
//!
//! ```c
//! int main(int argc, char **argv)
//! {
//!   if (argc < 2) { fprintf(stderr, "usage: %s N\n", argv[0]); return 3; }     /* without --args: inconclusive */
//! ```
//!
//! A difference comes first: where the reference printed nothing and the rewritten program crashes, it is different.

use std::fmt;
use std::time::Duration;

use super::Status;
use super::record::{ProgramKind, RunMismatch, RunRecord};

/// What comes of a verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Every run of the rewritten program did what the reference did.
    Same,
    /// One of them did not.
    Different,
    /// Nothing was proved.
    Inconclusive(InconclusiveReason),
}

impl Verdict {
    /// One word for tables and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Same => "same",
            Verdict::Different => "different",
            Verdict::Inconclusive(_) => "inconclusive",
        }
    }
}

/// Why runs that do not differ prove nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InconclusiveReason {
    /// The reference did not end within the time-out.
    TimedOut { reference: ProgramKind, limit: Duration },
    /// The reference was ended by this signal.
    Signaled { reference: ProgramKind, signal: i32 },
    /// The reference wrote more than is kept, and was ended.
    TooMuchOutput { reference: ProgramKind },
    /// The rewritten program ended without `exit` or a return from `main`, so whether kernels ran was not counted.
    NotCounted,
    /// The rewritten program failed with this exit status and launched no kernel, in any run.
    FailedBeforeKernel { code: i32 },
    /// The rewritten program launched no kernel, in any run.
    NoKernel,
    /// The reference wrote nothing to standard output.
    NothingPrinted { reference: ProgramKind },
}

impl InconclusiveReason {
    /// What to do about it, as an order.
    pub fn advice(&self) -> &'static str {
        match self {
            InconclusiveReason::TimedOut { .. } => {
                "allow more time with --timeout SECONDS, or give it less to do with --args or --stdin"
            }
            InconclusiveReason::Signaled { .. } => {
                "give it the arguments and input that it runs with, --args and --stdin; if it crashes with them, too, \
                 it has a bug of its own"
            }
            InconclusiveReason::TooMuchOutput { .. } => "give it less to do with --args or --stdin",
            InconclusiveReason::NotCounted => "let it end with exit() or by returning from main()",
            InconclusiveReason::FailedBeforeKernel { .. } => {
                "give it the arguments and input that it wants, --args and --stdin"
            }
            InconclusiveReason::NoKernel => {
                "give it arguments or input with which it reaches a kernel, --args and --stdin"
            }
            InconclusiveReason::NothingPrinted { .. } => {
                "let it print its results to standard output, if need be with --args or --stdin"
            }
        }
    }
}

impl fmt::Display for InconclusiveReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InconclusiveReason::TimedOut { reference, limit } => {
                write!(
                    f,
                    "the {reference} program did not end within {} s",
                    limit.as_secs_f64()
                )
            }
            InconclusiveReason::Signaled { reference, signal } => {
                write!(f, "the {reference} program was ended by signal {signal}")
            }
            InconclusiveReason::TooMuchOutput { reference } => {
                write!(
                    f,
                    "the {reference} program writes more output than can be compared, and was ended"
                )
            }
            InconclusiveReason::NotCounted => {
                f.write_str("whether a kernel ran is not known, because the program ended with _exit()")
            }
            InconclusiveReason::FailedBeforeKernel { code } => {
                write!(f, "the program ended with exit status {code} before its first kernel")
            }
            InconclusiveReason::NoKernel => f.write_str("no kernel was launched"),
            InconclusiveReason::NothingPrinted { reference } => {
                write!(
                    f,
                    "the {reference} program printed nothing, so there was nothing to compare"
                )
            }
        }
    }
}

/// Why the reference cannot be compared with, if it cannot.
pub(super) fn of_reference(reference: &RunRecord, limit: Duration) -> Option<InconclusiveReason> {
    let program = reference.program;
    match reference.outcome.status {
        Status::Exited(_) => None,
        Status::TimedOut => Some(InconclusiveReason::TimedOut {
            reference: program,
            limit,
        }),
        Status::Signaled(signal) => Some(InconclusiveReason::Signaled {
            reference: program,
            signal,
        }),
        Status::TooMuchOutput => Some(InconclusiveReason::TooMuchOutput { reference: program }),
    }
}

/// The verdict on these runs, of which the first is the reference.
pub(super) fn of_runs<'a>(
    runs: &[RunRecord],
    mut mismatches: impl Iterator<Item = RunMismatch<'a>>,
    limit: Duration,
) -> Verdict {
    let rewritten = || runs.iter().filter(|run| run.program == ProgramKind::Rewritten);
    let Some(reference) = runs.first() else {
        return Verdict::Inconclusive(InconclusiveReason::NoKernel);
    };
    if let Some(doubt) = of_reference(reference, limit) {
        return Verdict::Inconclusive(doubt);
    }
    if mismatches.any(|mismatch| mismatch.program == ProgramKind::Rewritten) {
        return Verdict::Different;
    }
    let launched = |run: &RunRecord| run.outcome.counts.map(|counts| counts.launches);
    if rewritten().all(|run| launched(run) == Some(0)) {
        return Verdict::Inconclusive(match reference.outcome.status {
            Status::Exited(code) if code != 0 => InconclusiveReason::FailedBeforeKernel { code },
            _ => InconclusiveReason::NoKernel,
        });
    }
    if !rewritten().any(|run| launched(run).is_some_and(|kernels| kernels > 0)) {
        return Verdict::Inconclusive(InconclusiveReason::NotCounted);
    }
    if reference.outcome.stdout.is_empty() {
        return Verdict::Inconclusive(InconclusiveReason::NothingPrinted {
            reference: reference.program,
        });
    }
    Verdict::Same
}

#[cfg(test)]
mod tests {
    use super::super::{Counts, Mode, RunOutcome, compare};
    use super::*;

    const LIMIT: Duration = Duration::from_secs(2);

    fn run(program: ProgramKind, stdout: &str, status: Status, launches: Option<u64>) -> RunRecord {
        RunRecord {
            program,
            mode: Mode::Plain,
            outcome: RunOutcome {
                stdout: stdout.into(),
                stderr: Vec::new(),
                status,
                counts: launches.map(|launches| Counts {
                    launches,
                    ..Counts::default()
                }),
                sections: Vec::new(),
                objects: Vec::new(),
                elapsed: Duration::ZERO,
            },
            differences: Vec::new(),
        }
    }

    /// The verdict on a sequential and a rewritten run.
    fn verdict(expected: (&str, Status), actual: (&str, Status), launches: Option<u64>) -> Verdict {
        let reference = run(ProgramKind::Sequential, expected.0, expected.1, None);
        let mut rewritten = run(ProgramKind::Rewritten, actual.0, actual.1, launches);
        rewritten.differences = compare(&reference.outcome, &rewritten.outcome);
        let runs = [reference, rewritten];
        let mismatches = runs.iter().flat_map(|run| {
            run.differences.iter().map(|difference| RunMismatch {
                program: run.program,
                mode: run.mode,
                difference,
            })
        });
        of_runs(&runs, mismatches, LIMIT)
    }

    #[test]
    fn both_alike_is_a_proof_only_where_something_was_seen() {
        let reference = ProgramKind::Sequential;
        let alike = |text: &str, status, launches| verdict((text, status), (text, status), launches);
        let doubt = Verdict::Inconclusive;
        assert_eq!(alike("1\n", Status::Exited(0), Some(2)), Verdict::Same);
        assert_eq!(alike("1\n", Status::Exited(4), Some(2)), Verdict::Same);
        assert_eq!(
            alike("1\n", Status::TimedOut, None),
            doubt(InconclusiveReason::TimedOut {
                reference,
                limit: LIMIT
            })
        );
        assert_eq!(
            alike("1\n", Status::Signaled(11), None),
            doubt(InconclusiveReason::Signaled { reference, signal: 11 })
        );
        assert_eq!(
            alike("1\n", Status::TooMuchOutput, None),
            doubt(InconclusiveReason::TooMuchOutput { reference })
        );
        assert_eq!(
            alike("1\n", Status::Exited(0), Some(0)),
            doubt(InconclusiveReason::NoKernel)
        );
        assert_eq!(
            alike("", Status::Exited(3), Some(0)),
            doubt(InconclusiveReason::FailedBeforeKernel { code: 3 })
        );
        assert_eq!(
            alike("1\n", Status::Exited(0), None),
            doubt(InconclusiveReason::NotCounted)
        );
        assert_eq!(
            alike("", Status::Exited(0), Some(1)),
            doubt(InconclusiveReason::NothingPrinted { reference })
        );
    }

    #[test]
    fn a_difference_is_one_whatever_was_printed() {
        let fine = ("", Status::Exited(0));
        assert_eq!(verdict(fine, ("", Status::Signaled(11)), None), Verdict::Different);
        assert_eq!(verdict(fine, ("", Status::TimedOut), None), Verdict::Different);
        assert_eq!(verdict(fine, ("1\n", Status::Exited(0)), Some(0)), Verdict::Different);
        assert_eq!(verdict(fine, ("", Status::Exited(1)), Some(1)), Verdict::Different);
    }
}
