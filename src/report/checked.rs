//! What `check` finds, for people: each finding with the line that it is about, and the lines that it has to do with.
//!
//! ```text
//! error[OMM102]: the host reads elements of `a` that a kernel has written and the host has not got
//!   --> sim.c:41:5
//!    |
//! 41 |     printf("%g\n", a[0]);
//!    |     ^^^^^^^^^^^^^^^^^^^^
//!    |
//!   ::: sim.c:30:9
//!    |
//! 30 |     #pragma omp target teams distribute parallel for
//!    |     ------------------------------------------------ this kernel writes them
//!    = help: write `#pragma omp target update from(a[0:n])` in front of it
//! ```

use super::{Finding, Level, Related, Report, Verbosity, human};
use crate::rules::FindingWay;
use annotate_snippets::{Annotation, AnnotationKind, Element, Group, Renderer, Snippet};
use std::fmt::Write;
use std::ops::Range;

/// The findings of a run of `check`, with colours (the writer takes them out where they are not wanted), and how many there are.
pub fn checked(report: &Report, verbosity: Verbosity) -> CheckedText {
    let mut findings = String::new();
    for file in &report.files {
        for finding in &file.findings {
            match finding.level {
                level if level.is_of_rule() => {
                    findings.push_str(&Renderer::styled().render(&[excerpts(&file.path, finding)]));
                    findings.push_str("\n\n");
                }
                Level::Error => {}
                _ if verbosity == Verbosity::Verbose => findings.push_str(&human::line_of(file, finding)),
                _ => {}
            }
        }
    }
    CheckedText {
        findings,
        messages: messages(report, verbosity),
    }
}

/// What `check` says.
pub struct CheckedText {
    /// The findings.
    pub findings: String,
    /// Errors, notes and the sum.
    pub messages: String,
}

/// Errors, notes, and the places of which it is not known what they do.
pub fn not_followed(report: &Report, verbosity: Verbosity) -> String {
    let mut out = errors(report);
    if verbosity == Verbosity::Quiet {
        return out;
    }
    out.push_str(&human::notes_of(report));
    let all = report
        .files
        .iter()
        .flat_map(|file| file.findings.iter().map(move |f| (file, f)));
    let places: Vec<_> = all
        .filter(|(_, f)| matches!(f.level, Level::Remark | Level::Note))
        .collect();
    match (verbosity, places.len()) {
        (_, 0) => {}
        (Verbosity::Verbose, _) => places
            .iter()
            .for_each(|(file, f)| out.push_str(&human::line_of(file, f))),
        (_, 1) => out.push_str("1 place is not followed (-v shows it)\n"),
        (_, n) => drop(writeln!(out, "{n} places are not followed (-v shows them)")),
    }
    out
}

/// What files could not be dealt with.
fn errors(report: &Report) -> String {
    let mut out = String::new();
    for file in &report.files {
        let errors = file.findings.iter().filter(|f| f.level == Level::Error);
        errors.for_each(|f| out.push_str(&human::line_of(file, f)));
    }
    out
}

fn messages(report: &Report, verbosity: Verbosity) -> String {
    let mut out = errors(report);
    if verbosity == Verbosity::Quiet {
        return out;
    }
    out.push_str(&human::notes_of(report));
    let (s, plural) = (report.summary(), |n: usize| if n == 1 { "" } else { "s" });
    let _ = write!(out, "{} file{}: ", s.files, plural(s.files));
    let counted = |count: usize, what: &str| format!("{count} {what}{}", plural(count));
    let all = [
        (s.violations, counted(s.violations, "error")),
        (s.warnings, counted(s.warnings, "warning")),
        (s.advice, format!("{} of advice", counted(s.advice, "piece"))),
    ];
    let found: Vec<&str> = all
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(_, text)| text.as_str())
        .collect();
    match found.is_empty() {
        true => out.push_str("nothing found"),
        false => out.push_str(&found.join(", ")),
    }
    let all = report.files.iter().flat_map(|f| &f.findings);
    let not_checked = all.filter(|f| matches!(f.level, Level::Remark | Level::Note)).count();
    if not_checked > 0 {
        let hint = if verbosity < Verbosity::Verbose {
            " (-v shows them)"
        } else {
            ""
        };
        let _ = write!(out, ", {not_checked} place{} not checked{hint}", plural(not_checked));
    }
    if s.errors > 0 {
        let _ = write!(out, ", {} failed", s.errors);
    }
    out.push('\n');
    out
}

/// A finding with its lines, those of one file together.
fn excerpts<'a>(path: &'a str, finding: &'a Finding) -> Group<'a> {
    let level = match finding.level {
        Level::Violation => annotate_snippets::Level::ERROR,
        Level::Advice => annotate_snippets::Level::INFO.with_name(Level::Advice.as_str()),
        _ => annotate_snippets::Level::WARNING,
    };
    let title = level
        .primary_title(&*finding.message)
        .id(finding.id.as_deref().unwrap_or_default());
    let here = Excerpt {
        path,
        line: finding.line,
        columns: columns(
            &finding.excerpt,
            (finding.line, finding.column),
            (finding.end_line, finding.end_column),
        ),
        text: &finding.excerpt,
    };
    let mut elements: Vec<Element<'_>> = vec![here.shown(AnnotationKind::Primary, None)];
    for Related {
        path,
        line,
        column,
        end_line,
        end_column,
        message,
        excerpt,
        ..
    } in finding.related.iter().filter(|related| related.way.is_none())
    {
        let there = Excerpt {
            path,
            line: *line,
            columns: columns(excerpt, (*line, *column), (*end_line, *end_column)),
            text: excerpt,
        };
        elements.push(there.shown(AnnotationKind::Context, Some(message)));
    }
    if let Some(ways) = compared_ways(finding) {
        elements.push(annotate_snippets::Level::NOTE.message(ways).into());
    }
    if let Some(fix) = &finding.fix {
        let written = annotate_snippets::Level::HELP.message(format!("write {}", fix.message));
        elements.push(written.into());
    }
    Group::with_title(title).elements(elements)
}

/// The two ways that a finding compares, in words.
fn compared_ways(finding: &Finding) -> Option<String> {
    let steps = |way: FindingWay| {
        let steps = finding.related.iter().filter(|related| related.way == Some(way));
        let steps: Vec<String> = steps.map(|s| format!("{} (line {})", s.message, s.line)).collect();
        if steps.is_empty() {
            "nothing".to_owned()
        } else {
            steps.join(", ")
        }
    };
    let compared = finding.related.iter().any(|related| related.way.is_some());
    compared.then(|| {
        format!(
            "this way: {}; the other way: {}",
            steps(FindingWay::This),
            steps(FindingWay::Other)
        )
    })
}

/// A line of a file, with what of it is meant.
struct Excerpt<'a> {
    path: &'a str,
    line: u32,
    columns: Range<usize>,
    text: &'a str,
}

impl<'a> Excerpt<'a> {
    fn shown(self, kind: AnnotationKind, message: Option<&'a str>) -> Element<'a> {
        let annotation: Annotation<'a> = kind.span(self.columns);
        let annotation = match message {
            Some(message) => annotation.label(message),
            None => annotation,
        };
        let snippet = Snippet::source(self.text)
            .path(self.path)
            .line_start(self.line as usize);
        snippet.annotation(annotation).into()
    }
}

/// The bytes of a line from where a place begins to where it ends, or to the end of the line.
fn columns(line: &str, (first, column): (u32, u32), (last, end): (u32, u32)) -> Range<usize> {
    let length = line.trim_end().len();
    let start = (column.saturating_sub(1) as usize).min(length);
    let end = match first == last {
        true => (end.saturating_sub(1) as usize).min(length),
        false => length,
    };
    let (start, end) = (start.min(end), end);
    match line.is_char_boundary(start) && line.is_char_boundary(end) {
        true => start..end,
        false => 0..length,
    }
}
