//! A program before and after its rewriting, as one HTML page that needs nothing else: no network, no script.
//!
//! ```text
//! sim.c                    as written              host  device │                rewritten              host  device
//!                                                               │ 11 #pragma omp target data map(…)      a ───►
//! 11 for (t = 0; …)                                             │ 12 for (t = 0; …)
//! 12 #pragma omp target …                          a ───► █     │ 13 #pragma omp target …                a   •  █
//! 13     for (i = 0; …)                            a ◄─── █     │ 14     for (i = 0; …)                         █
//! ```
//!
//! Lines that both texts have stand beside each other ([`mod@aligned`]). Beside each line a lane says what goes from the host to the device there, and
//! back, and where a kernel runs ([`lanes`]). Whoever points at a copy or a dot is told what it is, or why the line is there.

mod aligned;
mod arrays;
mod highlighted;
mod lanes;

use super::{FileReport, Finding, Level};
use crate::rules::FindingWay;
use aligned::{AlignedLine, aligned, stretches, unchanged};
use arrays::array_table;
use highlighted::highlighted;
use lanes::{Lane, LaneLine, TransferWay};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use std::collections::BTreeMap;

/// One text of a file, and what is known of it.
#[derive(Debug)]
pub struct PageSide<'a> {
    pub text: &'a str,
    /// What its constructs do, and what is to be said of it.
    pub report: &'a FileReport,
}

/// A file of the page.
#[derive(Debug)]
pub struct PageFile<'a> {
    /// What the user wrote.
    pub before: PageSide<'a>,
    /// What the tool makes of it, where that is something else.
    pub after: Option<PageSide<'a>>,
    /// Why the tool changes it, and why it does not, by places in the user's text.
    pub reasons: &'a [Finding],
}

/// The page.
pub fn page(files: &[PageFile<'_>], notes: &[String]) -> String {
    let title = match files {
        [file] => file.before.report.path.clone(),
        files => format!("{} files", files.len()),
    };
    let changes = files.iter().any(|file| file.after.is_some());
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · ompmemopt" }
                style { (PreEscaped(include_str!("style.css"))) }
            }
            body {
                @if changes {
                    input type="radio" name="view" id="view-both" checked;
                    input type="radio" name="view" id="view-before";
                    input type="radio" name="view" id="view-after";
                }
                header {
                    h1 { (title) }
                    @if changes {
                        nav {
                            label for="view-both" { "Side by side" }
                            label for="view-before" { "As written" }
                            label for="view-after" { "Rewritten" }
                        }
                    }
                    (legend())
                }
                main {
                    @for note in notes { p.note { (note) } }
                    @for file in files { (section(file)) }
                }
            }
        }
    };
    page.into_string()
}

fn legend() -> Markup {
    let copies = [
        (TransferWay::In, "to the device"),
        (TransferWay::Out, "to the host"),
        (TransferWay::Kept, "stays on the device"),
        (TransferWay::Memory, "memory only"),
    ];
    html! {
        ul.legend {
            @for (way, words) in copies { li { span class={ "chip " (way.class()) } { (way.arrow()) } " " (words) } }
            li { span.sample.kernel {} " kernel" }
            li { span.sample.region {} " data region" }
        }
    }
}

fn section(file: &PageFile<'_>) -> Markup {
    let before = SidePrinter::new(&file.before, file.reasons);
    let after = file.after.as_ref().map(|side| SidePrinter::new(side, &[]));
    let lines = match &file.after {
        Some(after) => aligned(file.before.text, after.text),
        None => unchanged(file.before.text),
    };
    let shows = |line: &AlignedLine| {
        let sides = [Some(&before).zip(line.before), after.as_ref().zip(line.after)];
        line.differs || sides.into_iter().flatten().any(|(side, at)| side.says(at))
    };
    let why = reasons_of_lines(&lines, file.reasons);
    let row = |line: &AlignedLine| {
        let change = if line.differs { " changed" } else { "" };
        let why = line.after.filter(|_| line.differs).and_then(|at| why.get(&at));
        html! {
            div.line {
                (before.line(line.before, "before", change, &[]))
                @if let Some(after) = &after {
                    (after.line(line.after, "after", change, why.map(Vec::as_slice).unwrap_or_default()))
                }
            }
        }
    };
    let of_file = file
        .before
        .report
        .findings
        .iter()
        .chain(file.reasons)
        .filter(|f| f.line == 0);
    let rewritten = file.after.as_ref().map(|side| side.report.explained.as_slice());
    html! {
        section {
            h2 { (file.before.report.path) }
            @if file.after.is_none() { p.note { "The tool changes nothing here." } }
            @for finding in of_file { p.note { (finding.level.as_str()) ": " (finding.message) } }
            (array_table(&file.before.report.explained, rewritten))
            div class=(if after.is_some() { "text" } else { "text alone" }) {
                @for stretch in stretches(&lines, &shows) {
                    @if stretch.folded {
                        details {
                            summary { (stretch.lines.len()) " lines" }
                            @for line in stretch.lines { (row(line)) }
                        }
                    } @else {
                        @for line in stretch.lines { (row(line)) }
                    }
                }
            }
        }
    }
}

/// The reasons of changes, by the lines of the new text where these begin: a change whose reason is about some line stands there or above.
fn reasons_of_lines<'f>(lines: &[AlignedLine], reasons: &'f [Finding]) -> BTreeMap<usize, Vec<&'f Finding>> {
    let mut begins: Vec<(usize, usize)> = Vec::new();
    let mut inside = false;
    for line in lines {
        if let (true, false, Some(after)) = (line.differs, inside, line.after) {
            begins.push((line.at, after));
        }
        inside = line.differs && (inside || line.after.is_some());
    }
    let mut out: BTreeMap<usize, Vec<&Finding>> = BTreeMap::new();
    for reason in reasons.iter().filter(|f| f.level == Level::Change && f.line > 0) {
        let above = begins.iter().rev().find(|(at, _)| *at < reason.line as usize);
        if let Some((_, after)) = above.or(begins.first()) {
            out.entry(*after).or_default().push(reason);
        }
    }
    out
}

/// What prints the lines of one text.
struct SidePrinter<'a> {
    lines: Vec<String>,
    lane: Lane<'a>,
    /// What is to be said of lines, by number from 0.
    findings: BTreeMap<usize, Vec<&'a Finding>>,
}

impl<'a> SidePrinter<'a> {
    fn new(side: &PageSide<'a>, reasons: &'a [Finding]) -> SidePrinter<'a> {
        let mut findings: BTreeMap<usize, Vec<&Finding>> = BTreeMap::new();
        // Changes are said where the new text has them.
        let reasons = reasons.iter().filter(|f| f.level != Level::Change);
        for finding in side.report.findings.iter().chain(reasons).filter(|f| f.line > 0) {
            findings.entry(finding.line as usize - 1).or_default().push(finding);
        }
        SidePrinter {
            lines: highlighted(side.text),
            lane: Lane::new(&side.report.explained),
            findings,
        }
    }

    /// Whether there is something to see at a line.
    fn says(&self, at: usize) -> bool {
        self.findings.contains_key(&at) || self.lane.says(at)
    }

    fn line(&self, at: Option<usize>, side: &str, change: &str, why: &[&Finding]) -> Markup {
        let Some(at) = at else {
            return html! { div class={ "side gap " (side) } {} };
        };
        let text = self.lines.get(at).map(String::as_str).unwrap_or_default();
        let found = self.findings.get(&at).into_iter().flatten().copied();
        let LaneLine { chips, device } = self.lane.at(at);
        html! {
            div class={ "side " (side) (change) } {
                span.at { (at + 1) }
                code {
                    (PreEscaped(text))
                    @for finding in found.chain(why.iter().copied()) { (dot(finding)) }
                }
                span class={ "lane" (device.class()) } {
                    @for chip in chips {
                        span class={ "chip " (chip.way.class()) } tabindex="0" title=(chip.says) { (chip.way.arrow()) " " (chip.item) }
                    }
                }
            }
        }
    }
}

/// Something to be said of a line, for whoever points there.
fn dot(finding: &Finding) -> Markup {
    let id = finding.id.as_deref().unwrap_or_default();
    html! {
        span class={ "dot " (finding.level.as_str()) } tabindex="0" {
            span.words {
                b { (finding.level.as_str()) " " (id) } " " (finding.message)
                (compared_ways(finding))
            }
        }
    }
}

/// The two ways that a finding compares, side by side.
fn compared_ways(finding: &Finding) -> Markup {
    let steps = |way: FindingWay| { finding.related.iter() }.filter(move |related| related.way == Some(way));
    let ways = [(FindingWay::This, "this way"), (FindingWay::Other, "the other way")];
    html! {
        @if finding.related.iter().any(|related| related.way.is_some()) {
            span.ways {
                @for (way, words) in ways {
                    span.way {
                        b { (words) }
                        @for step in steps(way) { span.step { (step.line) ": " (step.message) } }
                        @if steps(way).next().is_none() { span.step { "nothing" } }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ExplainedRow;
    use super::*;
    use crate::openmp::effects::MapEffect;

    const BEFORE: &str = "void f(int n, int *a)\n{\n    #pragma omp target map(tofrom: a[0:n])\n    for (int i = 0; i < n; i++)\n        a[i] = i < 2 ? 0 : a[i];\n}\n";

    fn row(line: u32, end_line: u32, entry: MapEffect, exit: MapEffect) -> ExplainedRow {
        ExplainedRow {
            line,
            column: 5,
            end_line,
            construct: "target".into(),
            function: "f".into(),
            item: "a[0:n]".into(),
            implied: false,
            element_bytes: 4,
            bytes: None,
            entry: vec![entry],
            exit: vec![exit],
        }
    }

    fn report(rows: Vec<ExplainedRow>) -> FileReport {
        FileReport {
            path: "<f>.c".into(),
            explained: rows,
            ..FileReport::default()
        }
    }

    #[test]
    fn both_texts_stand_beside_each_other_with_what_moves() {
        let after = BEFORE.replace(
            "    #pragma",
            "    #pragma omp target data map(tofrom: a[0:n])\n    #pragma",
        );
        let old = report(vec![row(3, 5, MapEffect::CopyIn, MapEffect::CopyOut)]);
        let new = report(vec![row(4, 6, MapEffect::PersistentIn, MapEffect::PersistentOut)]);
        let reason = Finding {
            line: 3,
            column: 5,
            ..Finding::about_file(Level::Change, "because of <this>")
        };
        let file = PageFile {
            before: PageSide {
                text: BEFORE,
                report: &old,
            },
            after: Some(PageSide {
                text: &after,
                report: &new,
            }),
            reasons: &[reason],
        };
        let page = page(&[file], &[]);
        assert!(
            page.contains("&lt;f&gt;.c") && !page.contains("<f>"),
            "names are escaped"
        );
        assert!(page.contains("because of &lt;this&gt;"));
        assert_eq!(page.matches("side after changed").count(), 1);
        assert_eq!(
            page.matches("chip in\"").count(),
            2,
            "one in the legend, one in the old text"
        );
        assert!(!page.contains("http"), "nothing comes from elsewhere");
    }

    #[test]
    fn one_text_alone_has_no_other_side() {
        let old = report(vec![row(3, 5, MapEffect::CopyIn, MapEffect::CopyOut)]);
        let file = PageFile {
            before: PageSide {
                text: BEFORE,
                report: &old,
            },
            after: None,
            reasons: &[],
        };
        let page = page(&[file], &["a note".into()]);
        assert!(page.contains("changes nothing") && page.contains("a note") && !page.contains("id=\"view-both\""));
        assert_eq!(page.matches("class=\"line\"").count(), 6);
    }
}
