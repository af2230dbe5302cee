//! For people: one line per finding, `path:line:column: level: message [identifier]`, and a summary.

use super::{FileReport, Finding, Level, Report, RunSummary};
use std::fmt::Write;

/// How much to say.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verbosity {
    /// Errors only.
    Quiet,
    /// Errors and the summary.
    Normal,
    /// Changes and remarks too.
    Verbose,
}

const BOLD: &str = "\x1b[1m";
const RESET: &str = "\x1b[0m";

/// The report for a terminal's standard error, with colours (the writer takes them out where they are not wanted).
pub fn human(report: &Report, verbosity: Verbosity) -> String {
    let mut out = String::new();
    for file in &report.files {
        for finding in &file.findings {
            let grave = finding.level <= Level::Warning;
            if grave || verbosity == Verbosity::Verbose {
                line(&mut out, file, finding);
            }
        }
    }
    if verbosity >= Verbosity::Normal {
        out.push_str(&notes_of(report));
        summary(
            &mut out,
            report.summary(),
            report.files.iter().any(|f| f.written),
            verbosity,
        );
    }
    out
}

/// A patch for a terminal, in the colours that git has for it.
pub fn coloured_diff(patch: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(patch.len());
    for line in patch.split_inclusive(|byte| *byte == b'\n') {
        let colour = match line {
            [b'-', b'-', b'-', b' ', ..] | [b'+', b'+', b'+', b' ', ..] => BOLD,
            [b'-', ..] => "\x1b[31m",
            [b'+', ..] => "\x1b[32m",
            [b'@', b'@', ..] => "\x1b[36m",
            _ => "",
        };
        let end = line
            .iter()
            .rposition(|byte| !matches!(byte, b'\n' | b'\r'))
            .map_or(0, |at| at + 1);
        match colour {
            "" => out.extend_from_slice(line),
            colour => {
                let reset = RESET.as_bytes();
                let (said, ending) = line.split_at(end);
                [colour.as_bytes(), said, reset, ending]
                    .iter()
                    .for_each(|part| out.extend_from_slice(part));
            }
        }
    }
    out
}

/// What concerns no file.
pub(super) fn notes_of(report: &Report) -> String {
    let mut out = String::new();
    for note in &report.notes {
        let _ = writeln!(out, "{BOLD}note:{RESET} {note}");
    }
    out
}

/// A finding on a line of its own.
pub(super) fn line_of(file: &FileReport, finding: &Finding) -> String {
    let mut out = String::new();
    line(&mut out, file, finding);
    out
}

fn line(out: &mut String, file: &FileReport, finding: &Finding) {
    let colour = match finding.level {
        Level::Error | Level::Violation => "\x1b[1;31m",
        Level::Warning | Level::Advice => "\x1b[1;33m",
        Level::Change => "\x1b[1;32m",
        Level::Remark | Level::Note => "\x1b[1;36m",
    };
    let level = finding.level.as_str();
    // An error's message names the file itself, because the cause may be clang's own words.
    let place = match (finding.level, finding.line) {
        (Level::Error, 0) => String::new(),
        (_, 0) => format!("{BOLD}{}:{RESET} ", file.path),
        (_, line) => format!("{BOLD}{}:{line}:{}:{RESET} ", file.path, finding.column),
    };
    let id = finding.id.as_ref().or(finding.decision.as_ref());
    let id = id.map(|id| format!(" [{id}]")).unwrap_or_default();
    let _ = writeln!(out, "{place}{colour}{level}:{RESET} {}{id}", finding.message.trim_end());
}

fn summary(out: &mut String, s: RunSummary, written: bool, verbosity: Verbosity) {
    let plural = |n: usize| if n == 1 { "" } else { "s" };
    let _ = write!(out, "{} file{}: ", s.files, plural(s.files));
    let _ = match (s.changed, written) {
        (0, _) => write!(out, "nothing to change"),
        (n, true) => write!(out, "{n} changed"),
        (n, false) => write!(out, "{n} would change"),
    };
    if s.remarks > 0 {
        let hint = if verbosity < Verbosity::Verbose {
            " (-v shows them)"
        } else {
            ""
        };
        let _ = write!(out, ", {} remark{}{hint}", s.remarks, plural(s.remarks));
    }
    if s.errors > 0 {
        let _ = write!(out, ", {} failed", s.errors);
    }
    out.push('\n');
}
