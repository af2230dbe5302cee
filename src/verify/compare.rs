//! Whether two runs did the same, and where they first did not.

use std::fmt;

use super::{RunOutcome, Status};

/// One way in which a run is not what was expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// A kernel touched host memory that was not mapped; the text is strict mode's message.
    UnmappedAccess { message: String },
    Status {
        expected: Status,
        actual: Status,
        /// The end of what the program wrote on standard error.
        stderr: String,
    },
    /// Standard output differs first in this line (from 1); each side's line is shortened, `None` where it has ended.
    Stdout {
        line: usize,
        expected: Option<String>,
        actual: Option<String>,
    },
}

/// Everything in which `actual` differs from `expected`, most telling first: nothing where standard output is equal byte for
/// byte and both ended alike. Standard error may differ.
pub fn compare(expected: &RunOutcome, actual: &RunOutcome) -> Vec<Difference> {
    if let Some(message) = actual.strict_violation() {
        // What the program wrote before it was ended says nothing more.
        return vec![Difference::UnmappedAccess { message }];
    }
    let mut differences = Vec::new();
    if expected.status != actual.status {
        let stderr = tail(&actual.stderr);
        differences.push(Difference::Status {
            expected: expected.status,
            actual: actual.status,
            stderr,
        });
    }
    if let Some(difference) = first_difference(&expected.stdout, &actual.stdout) {
        differences.push(difference);
    }
    differences
}

fn first_difference(expected: &[u8], actual: &[u8]) -> Option<Difference> {
    if expected == actual {
        return None;
    }
    let common = expected.iter().zip(actual).take_while(|(a, b)| a == b).count();
    let line = 1 + expected[..common].iter().filter(|&&byte| byte == b'\n').count();
    let start = expected[..common]
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |newline| newline + 1);
    Some(Difference::Stdout {
        line,
        expected: line_at(expected, start),
        actual: line_at(actual, start),
    })
}

/// Most bytes of a line or of standard error that a difference quotes.
const QUOTE: usize = 400;

fn line_at(text: &[u8], start: usize) -> Option<String> {
    let rest = text.get(start..).filter(|rest| !rest.is_empty())?;
    let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    Some(quote(&rest[..end.min(QUOTE)]))
}

fn tail(text: &[u8]) -> String {
    quote(&text[text.len().saturating_sub(QUOTE)..])
}

fn quote(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim_end().to_owned()
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::UnmappedAccess { message } => f.write_str(message),
            Difference::Status {
                expected,
                actual,
                stderr,
            } => {
                write!(f, "ended with {actual}, expected {expected}")?;
                if stderr.is_empty() {
                    Ok(())
                } else {
                    write!(f, "; it wrote: {stderr}")
                }
            }
            Difference::Stdout { line, expected, actual } => {
                let show =
                    |side: &Option<String>| side.as_ref().map_or("nothing".to_owned(), |text| format!("{text:?}"));
                write!(f, "output line {line} is {}, expected {}", show(actual), show(expected))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn outcome(stdout: &str, stderr: &str, status: Status) -> RunOutcome {
        RunOutcome {
            stdout: stdout.into(),
            stderr: stderr.into(),
            status,
            counts: None,
            sections: Vec::new(),
            objects: Vec::new(),
            elapsed: Duration::ZERO,
        }
    }

    #[test]
    fn equal_runs_may_differ_on_standard_error() {
        let a = outcome("1\n2\n", "x", Status::Exited(3));
        let b = outcome("1\n2\n", "y", Status::Exited(3));
        assert_eq!(compare(&a, &b), []);
    }

    #[test]
    fn names_the_first_differing_line() {
        let a = outcome("1\n2.5\n3\n", "", Status::Exited(0));
        let differs = |text: &str| compare(&a, &outcome(text, "", Status::Exited(0)));
        let expect = |line, expected: Option<&str>, actual: Option<&str>| {
            let [expected, actual] = [expected, actual].map(|side| side.map(str::to_owned));
            vec![Difference::Stdout { line, expected, actual }]
        };
        assert_eq!(differs("1\n2.6\n3\n"), expect(2, Some("2.5"), Some("2.6")));
        assert_eq!(differs("1\n2.5\n"), expect(3, Some("3"), None));
        assert_eq!(differs("1\n2.5\n3\n4"), expect(4, None, Some("4")));
        assert_eq!(differs(""), expect(1, Some("1"), None));
    }

    #[test]
    fn a_strict_violation_stands_alone() {
        let a = outcome("1\n", "", Status::Exited(0));
        let b = outcome("", "noise\nompmemopt-strict: kernel touched 0x10\n", Status::Exited(97));
        assert_eq!(
            compare(&a, &b),
            [Difference::UnmappedAccess {
                message: "kernel touched 0x10".into()
            }]
        );
        let c = outcome("", "no message", Status::Exited(97));
        assert!(matches!(
            compare(&a, &c)[..],
            [Difference::Status { .. }, Difference::Stdout { .. }]
        ));
    }
}
