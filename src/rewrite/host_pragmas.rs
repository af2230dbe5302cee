//! Pragmas that loops have for the host, while it is found out which of these loops become kernels.
//!
//! ```c
//! #pragma omp parallel for                 /*~0~~~~~~~~~~~~~~~~~~~*/         #pragma omp target teams distribute parallel for …
//! for (…) a[i] = …;                 ──►    for (…) a[i] = …;          ──►    for (…) a[i] = …;
//! #pragma omp parallel for                 /*~1~~~~~~~~~~~~~~~~~~~*/         #pragma omp parallel for
//! for (…) b[i] = b[i - 1] …;               for (…) b[i] = b[i - 1] …;        for (…) b[i] = b[i - 1] …;
//! ```
//!
//! A comment as long as the pragma stands in its place, so that no byte of the program moves, and a loop is looked at as if it were plain C. Where it has become a
//! kernel, or part of one, its threads have nothing left to do; elsewhere the pragma comes back as it was.
//!
//! **What is hidden.** `omp parallel for`, which a kernel does the work of; `omp parallel` around nothing but loops with `omp for`, with these, where all of them
//! become kernels; hints for a compiler (`omp simd`, `ivdep`, `unroll`), which may stay inside a kernel
//! and not between a kernel's directive and its loop; and marks (`scop`), which always stay.

use super::host_teams::{is_redone, teams};
use super::stand_ins::{has_stand_ins, stand_in};
use crate::openmp::{ClauseKind, Construct, Directive};
use crate::plan::ThreadedLoop;
use crate::source::{LineIndex, Span};
use crate::syntax::{RawPragma, blank, identifiers, token_spans};
use std::collections::{BTreeMap, BTreeSet};

/// What a pragma means for its loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PragmaKind {
    /// Threads of the host share its iterations.
    Threads,
    /// Threads of the host run what follows, or wait for each other in it: it is about loops that they share.
    Team,
    /// A compiler may know more of it.
    Hint,
    /// Nothing.
    Mark,
}

/// A pragma that is hidden.
#[derive(Clone, Debug)]
struct HiddenPragma {
    kind: PragmaKind,
    /// Its lines, without what separates them.
    lines: Vec<Span>,
    /// Where the loop behind it begins, if that is one.
    of_loop: Option<usize>,
    /// What it says of variables.
    said: ThreadedLoop,
    /// The region that it belongs to, by where that begins.
    region: Option<usize>,
}

/// The pragmas of a text that are hidden.
#[derive(Clone, Debug, Default)]
pub(super) struct HostPragmas(Vec<HiddenPragma>);

/// A loop that has become a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct KernelLoop {
    pub span: Span,
    /// So many loops, this one and those right inside it, share their iterations.
    pub collapse: usize,
}

impl KernelLoop {
    /// Where the loops that share their iterations begin.
    fn loops_of(&self, text: &[u8]) -> Vec<usize> {
        let words = identifiers(text, self.span).into_iter();
        let heads = words.filter(|(word, _)| word == "for").map(|(_, at)| at.start);
        heads.take(self.collapse).collect()
    }
}

impl HostPragmas {
    /// The pragmas of a text that can be hidden; none where one of the comments stands in the text already.
    pub fn of(text: &[u8]) -> HostPragmas {
        if !text.windows(7).any(|word| word == b"#pragma" || word == b"# pragm") {
            return HostPragmas::default();
        }
        let blanked = blank(text, &[]);
        let tokens = token_spans(&blanked.text, Span::new(0, blanked.text.len()));
        let behind = |at: usize| {
            let next = tokens.partition_point(|token| token.start < at);
            tokens.get(next).copied()
        };
        let teams = teams(text);
        let hidden = |pragma: &RawPragma| {
            if let Some(region) = teams.get(&pragma.span.start) {
                return of_team(text, pragma, *region, behind(pragma.span.end));
            }
            let (kind, said) = meaning(pragma)?;
            let lines = lines(text, pragma.span)?;
            let next = behind(pragma.span.end);
            let of_loop = next.filter(|token| &blanked.text[token.start..token.end] == b"for");
            if kind != PragmaKind::Mark && of_loop.is_none() {
                return None;
            }
            Some(HiddenPragma {
                kind,
                lines,
                of_loop: of_loop.map(|token| token.start),
                said,
                region: None,
            })
        };
        let found = HostPragmas(blanked.pragmas.iter().filter_map(hidden).collect());
        let lines = found.0.iter().flat_map(|pragma| &pragma.lines).enumerate();
        let mut without_room = lines.filter(|(number, line)| stand_in(*number, line.len()).is_none());
        match !found.is_empty() && (has_stand_ins(text) || without_room.next().is_some()) {
            true => HostPragmas::default(),
            false => found,
        }
    }

    /// Whether nothing is hidden.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each line that is hidden, with the pragma that it is of, by its place, and the comment in its place.
    fn markers(&self) -> Vec<(usize, Span, Vec<u8>)> {
        let lines = self
            .0
            .iter()
            .enumerate()
            .flat_map(|(at, p)| p.lines.iter().map(move |line| (at, *line)));
        let marker = |(number, (at, line)): (usize, (usize, Span))| Some((at, line, stand_in(number, line.len())?));
        lines.enumerate().filter_map(marker).collect()
    }

    /// The text without them.
    pub fn hidden_in(&self, text: &[u8]) -> Vec<u8> {
        let mut hidden = text.to_vec();
        for (_, line, marker) in self.markers() {
            hidden[line.start..line.end].copy_from_slice(&marker);
        }
        hidden
    }

    /// Loops of the text that threads of the host run, by the lines in which they begin.
    pub fn threaded(&self, text: &[u8]) -> BTreeMap<u32, ThreadedLoop> {
        let lines = LineIndex::new(text);
        let threads = self.0.iter().filter(|p| p.kind == PragmaKind::Threads);
        let of_loop = |p: &HiddenPragma| {
            let mut said = p.said.clone();
            // What is said of a region is said of its loops.
            let is_team = |other: &&HiddenPragma| other.kind == PragmaKind::Team && other.region == p.region;
            for team in self.0.iter().filter(|other| p.region.is_some() && is_team(other)) {
                said.reduced.extend(team.said.reduced.iter().cloned());
                said.private.extend(team.said.private.iter().cloned());
            }
            Some((lines.position(p.of_loop?).line, said))
        };
        threads.filter_map(of_loop).collect()
    }

    /// Leaves those out whose loops are kernels neither themselves nor as part of one: these pragmas have something to say. Says whether any was.
    pub fn keep_of(&mut self, kernels: &[KernelLoop]) -> bool {
        let before = self.0.len();
        let inside = |at: usize| {
            let mut kernels = kernels.iter().map(|kernel| kernel.span);
            kernels.any(|kernel| kernel.start <= at && at < kernel.end)
        };
        let has_work = |p: &HiddenPragma| p.kind == PragmaKind::Threads && !p.of_loop.is_some_and(inside);
        let at_work: BTreeSet<usize> = self.0.iter().filter(|p| has_work(p)).filter_map(|p| p.region).collect();
        let stays_hidden = |p: &HiddenPragma| match p.region {
            Some(region) => !at_work.contains(&region),
            None => !has_work(p),
        };
        self.0.retain(stays_hidden);
        self.0.len() != before
    }

    /// A text that was made of the one without them, with those that stay; `None` where one of these has lost its loop.
    pub fn back_in(&self, original: &[u8], made: &[u8], kernels: &[KernelLoop]) -> Option<Vec<u8>> {
        let collapsed: Vec<usize> = kernels.iter().flat_map(|kernel| kernel.loops_of(original)).collect();
        let mut text = made.to_vec();
        let mut has_hints = false;
        for (at, line, marker) in self.markers().into_iter().rev() {
            let HiddenPragma { kind, of_loop, .. } = &self.0[at];
            let goes = match kind {
                PragmaKind::Threads | PragmaKind::Team => true,
                PragmaKind::Hint => of_loop.is_some_and(|at| collapsed.contains(&at)),
                PragmaKind::Mark => false,
            };
            let found = text.windows(marker.len()).position(|there| there == marker)?;
            let there = Span::new(found, found + marker.len());
            if goes {
                let whole = whole_line(&text, there);
                text.drain(whole.start..whole.end);
                continue;
            }
            text.splice(there.start..there.end, original[line.start..line.end].iter().copied());
            has_hints |= *kind == PragmaKind::Hint;
        }
        Some(text).filter(|text| !has_hints || have_loops(text))
    }
}

/// A pragma of a region of threads.
fn of_team(text: &[u8], pragma: &RawPragma, region: usize, next: Option<Span>) -> Option<HiddenPragma> {
    let directive = Directive::parse(&pragma.text)?;
    let shares = directive.has(&Construct::For);
    Some(HiddenPragma {
        kind: if shares { PragmaKind::Threads } else { PragmaKind::Team },
        lines: lines(text, pragma.span)?,
        of_loop: next.map(|token| token.start).filter(|_| shares),
        said: said(&directive),
        region: Some(region),
    })
}

/// What a directive says of variables.
fn said(directive: &Directive) -> ThreadedLoop {
    let mut said = ThreadedLoop::default();
    for clause in &directive.clauses {
        let names = clause.kind.items().iter().map(|item| item.text.clone());
        match &clause.kind {
            ClauseKind::Reduction { .. } => said.reduced.extend(names),
            ClauseKind::Private { .. } | ClauseKind::Firstprivate { .. } => said.private.extend(names),
            _ => {}
        }
    }
    said
}

/// Whether each hint of a text stands before a loop.
fn have_loops(text: &[u8]) -> bool {
    let blanked = blank(text, &[]);
    let tokens = token_spans(&blanked.text, Span::new(0, blanked.text.len()));
    let is_hint = |pragma: &&RawPragma| matches!(meaning(pragma), Some((PragmaKind::Hint, _)));
    blanked.pragmas.iter().filter(is_hint).all(|pragma| {
        let next = tokens.partition_point(|token| token.start < pragma.span.end);
        let between = blanked.pragmas.iter().any(|other| {
            let behind = pragma.span.end <= other.span.start;
            let before_loop = tokens.get(next).is_none_or(|token| other.span.start < token.start);
            behind && before_loop && Directive::parse(&other.text).is_some_and(|d| d.is_on_device())
        });
        let is_loop = tokens
            .get(next)
            .is_some_and(|t| &blanked.text[t.start..t.end] == b"for");
        is_loop && !between
    })
}

/// What a pragma means for its loop, and what it says of variables; `None` for others.
fn meaning(pragma: &RawPragma) -> Option<(PragmaKind, ThreadedLoop)> {
    if pragma.operator {
        return None;
    }
    if let Some(directive) = Directive::parse(&pragma.text) {
        return of_directive(&directive);
    }
    let words: Vec<&str> = pragma.text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let kind = match words.as_slice() {
        ["scop" | "endscop", ..] => PragmaKind::Mark,
        ["GCC", "ivdep" | "unroll", ..] | ["clang", "loop", ..] => PragmaKind::Hint,
        [
            "ivdep" | "unroll" | "nounroll" | "vector" | "novector" | "simd" | "loop_count",
            ..,
        ] => PragmaKind::Hint,
        _ => return None,
    };
    Some((kind, ThreadedLoop::default()))
}

fn of_directive(directive: &Directive) -> Option<(PragmaKind, ThreadedLoop)> {
    if !directive.problems.is_empty() {
        return None;
    }
    let is_simd = directive.is(&Construct::Simd);
    let shares = [Construct::Parallel, Construct::For].iter().all(|c| directive.has(c));
    let known = [Construct::Parallel, Construct::For, Construct::Simd];
    let is_redone = || directive.clauses.iter().all(is_redone);
    let is_threads = shares && directive.kind.iter().all(|c| known.contains(c)) && is_redone();
    let kind = match is_simd {
        true => PragmaKind::Hint,
        false if is_threads => PragmaKind::Threads,
        false => return None,
    };
    Some((kind, said(directive)))
}

/// The lines of a pragma; `None` where one is too short for a comment.
fn lines(text: &[u8], span: Span) -> Option<Vec<Span>> {
    let mut found = Vec::new();
    let mut start = span.start;
    for line in text.get(span.start..span.end)?.split(|byte| *byte == b'\n') {
        let end = start + line.len();
        let returns = usize::from(line.last() == Some(&b'\r'));
        let indent = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let line = Span::new((start + indent).min(end - returns), end - returns);
        // A short line has no room for its stand-in.
        if line.len() < 10 {
            return None;
        }
        found.push(line);
        start = end + 1;
    }
    Some(found)
}

/// The line around a part of a text, if nothing else is in it; else the part.
fn whole_line(text: &[u8], part: Span) -> Span {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r');
    let start = text[..part.start]
        .iter()
        .rposition(|byte| !is_blank(byte))
        .map_or(0, |at| at + 1);
    let behind = text[part.end..].iter().take_while(|byte| is_blank(byte)).count();
    let end = part.end + behind;
    let begins = start == 0 || text[start - 1] == b'\n';
    match begins && text.get(end) == Some(&b'\n') {
        true => Span::new(start, end + 1),
        false => part,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"void f(void)\n{\n  #pragma omp parallel for \\\n      reduction(+: s)\n  for (i = 0; i < n; i++)\n    s += a[i];\n  #pragma scop\n  #pragma GCC ivdep\n  for (i = 0; i < n; i++)\n    b[i] = 0;\n}\n";

    #[test]
    fn no_byte_moves() {
        let hidden = HostPragmas::of(TEXT);
        let text = hidden.hidden_in(TEXT);
        assert_eq!(text.len(), TEXT.len());
        assert!(!text.windows(7).any(|w| w == b"#pragma"));
        let of_threads = b"  #pragma omp parallel for \\\n      reduction(+: s)\n";
        let without = [&TEXT[..15], &TEXT[15 + of_threads.len()..]].concat();
        assert_eq!(hidden.back_in(TEXT, &text, &[]), Some(without));
        let said: Vec<ThreadedLoop> = hidden.threaded(TEXT).into_values().collect();
        assert!(said.len() == 1 && said[0].reduced.contains("s"));
    }

    #[test]
    fn what_is_no_kernel_keeps_its_pragma() {
        let mut hidden = HostPragmas::of(TEXT);
        assert!(hidden.keep_of(&[]));
        let text = hidden.hidden_in(TEXT);
        assert_eq!(hidden.back_in(TEXT, &text, &[]).as_deref(), Some(TEXT));
        assert!(!hidden.keep_of(&[]));
    }

    #[test]
    fn what_is_one_loses_its_hints() {
        let mut hidden = HostPragmas::of(TEXT);
        hidden.keep_of(&[]);
        let at = hidden
            .0
            .iter()
            .find_map(|p| p.of_loop.filter(|_| p.kind == PragmaKind::Hint));
        let kernel = KernelLoop {
            span: Span::new(at.unwrap(), at.unwrap() + 30),
            collapse: 1,
        };
        let text = hidden.back_in(TEXT, &hidden.hidden_in(TEXT), &[kernel]).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("scop") && !text.contains("ivdep"));
    }

    #[test]
    fn a_team_goes_with_all_of_its_loops() {
        let text = b"void f(void) {\n#pragma omp parallel private(j)\n{\n#pragma omp for nowait\nfor (;;) ;\n#pragma omp barrier\n#pragma omp for\nfor (;;) ;\n}\n}\n";
        let mut hidden = HostPragmas::of(text);
        assert_eq!(hidden.0.len(), 4);
        assert!(hidden.threaded(text).values().all(|said| said.private.contains("j")));
        let kernel = |at: usize| KernelLoop {
            span: Span::new(at, at + 10),
            collapse: 1,
        };
        let loops: Vec<usize> = hidden.0.iter().filter_map(|p| p.of_loop).collect();
        assert!(!hidden.keep_of(&[kernel(loops[0]), kernel(loops[1])]));
        assert!(hidden.keep_of(&[kernel(loops[0])]) && hidden.is_empty());
    }

    #[test]
    fn what_stands_for_something_else_is_left_alone() {
        let alone = b"void f(void) {\n#pragma omp parallel\n{\nint x = 0;\n#pragma omp for\nfor (;;) ;\n}\n}\n";
        assert!(HostPragmas::of(alone).is_empty());
        assert!(HostPragmas::of(b"#pragma omp parallel for ordered\nfor (;;) ;\n").is_empty());
        assert!(HostPragmas::of(b"#pragma once\n#pragma omp simd\nint x;\n").is_empty());
    }
}
