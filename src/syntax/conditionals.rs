//! Conditionals of the preprocessor: their branches, and what other builds may compile otherwise.
//!
//! ```c
//! #if 0                    /* no build compiles this branch: a comment               */
//! …
//! #ifdef __cplusplus       /* no build of C                                          */
//! …
//! #ifndef _OPENMP          /* no build in which directives count                     */
//! …
//! #ifdef TRACE             /* another build may compile this one, or the other one   */
//! …
//! #else
//! …
//! #endif
//! ```

use super::directives::{PreprocessorDirective, directives, logical_text};
use super::macros::Define;
use super::tokens::{identifiers, token_spans};
use super::tree::{ConditionalGroup, ScopeTree, StmtId, StmtKind};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Between which members of a block something stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BranchPlace {
    /// The block.
    pub block: StmtId,
    /// How many of its members stand before it.
    pub index: u32,
}

/// All conditionals of a text, inner ones before outer ones.
pub(super) fn conditional_groups(text: &[u8]) -> Vec<ConditionalGroup> {
    let (mut done, mut open): (Vec<ConditionalGroup>, Vec<ConditionalGroup>) = (Vec::new(), Vec::new());
    for directive in directives(text) {
        let (opens, closes) = (directive.opens(), directive.closes());
        if !opens && !closes && !directive.alternates() {
            continue;
        }
        if opens {
            open.push(ConditionalGroup::default());
        }
        let Some(group) = open.last_mut() else { continue };
        if let Some(branch) = group.branches.last_mut() {
            branch.end = line_start(text, directive.span.start).max(branch.start);
        }
        group.lines.push(directive.span);
        if closes {
            done.extend(open.pop());
        } else {
            group
                .branches
                .push(Span::new(next_line(text, directive.span.end), text.len()));
        }
    }
    done.extend(open.into_iter().rev());
    done
}

/// What other builds, in which directives count, may compile otherwise.
#[derive(Default)]
pub(super) struct OtherBuilds {
    /// The branches that this compilation leaves out and another one may compile.
    pub branches: Vec<Span>,
    /// The conditionals in compiled code of which another one may compile another branch, or none.
    pub conditionals: Vec<ConditionalGroup>,
}

/// What other builds may compile otherwise; `groups` are the text's conditionals, `inactive` the branches that this one leaves out.
pub(super) fn of_other_builds(text: &[u8], groups: &[ConditionalGroup], inactive: &[Span]) -> OtherBuilds {
    let mut found = OtherBuilds::default();
    if groups.is_empty() {
        return found;
    }
    let all: BTreeMap<usize, PreprocessorDirective> =
        { directives(text).into_iter() }.map(|d| (d.span.start, d)).collect();
    let is_inactive = |span: Span| inactive.iter().any(|i| i.encloses(span));
    let mut never: Vec<Span> = Vec::new();
    for group in groups {
        let (mut taken, mut open) = (false, false);
        for (line, branch) in group.lines.iter().zip(&group.branches) {
            let decided = match all.get(&line.start) {
                Some(directive) if directive.name == "else" => Some(true),
                Some(directive) => decided(text, directive),
                None => None,
            };
            if taken || decided == Some(false) {
                never.push(*branch);
            }
            taken |= decided == Some(true);
            open |= decided.is_none();
        }
        let whole = group.lines.first().zip(group.lines.last());
        let compiled = whole.is_some_and(|(first, last)| !is_inactive(Span::new(first.start, last.end)));
        if open && compiled {
            found.conditionals.push(group.clone());
        }
    }
    found.conditionals.sort_by_key(|group| group.lines[0].start);
    let others = inactive.iter().filter(|i| !never.iter().any(|n| n.encloses(**i)));
    found.branches.extend(others);
    found
}

/// What a condition is in all builds in which directives count, if that is known.
fn decided(text: &[u8], directive: &PreprocessorDirective) -> Option<bool> {
    let said = logical_text(text, directive.rest);
    let said: String = said.chars().filter(|c| !c.is_whitespace()).collect();
    let defined = |name: &str| match name {
        "__cplusplus" => Some(false),
        "_OPENMP" => Some(true),
        _ => None,
    };
    let not = |known: Option<bool>| known.map(|known| !known);
    match directive.name.as_str() {
        "ifdef" | "elifdef" => defined(&said),
        "ifndef" | "elifndef" => not(defined(&said)),
        _ => {
            let (negated, asked) = match said.strip_prefix('!') {
                Some(rest) => (true, rest),
                None => (false, said.as_str()),
            };
            let asked = asked.trim_matches(['(', ')']);
            let known = match (asked.parse::<i64>(), asked.strip_prefix("defined")) {
                (Ok(number), _) => Some(number != 0),
                (_, Some(name)) => defined(name.trim_matches(['(', ')'])),
                _ => defined(asked),
            };
            if negated { not(known) } else { known }
        }
    }
}

impl ScopeTree {
    /// Between which statements a position lies, or within which statement.
    ///
    /// # Errors
    /// The innermost statement around the position, where that is no block; `None` outside of functions.
    pub fn place_at(&self, at: usize) -> Result<BranchPlace, Option<StmtId>> {
        let Some(inner) = self.innermost(at) else {
            return Err(None);
        };
        let stmt = self.stmt(inner);
        if stmt.kind != StmtKind::Block || at <= stmt.span.start {
            return Err(Some(inner));
        }
        let index = stmt.children.partition_point(|c| self.stmt(*c).span.start < at);
        Ok(BranchPlace {
            block: inner,
            index: index as u32,
        })
    }

    /// Where a conditional begins and ends, if that is between members of one block.
    pub fn places_of(&self, conditional: &ConditionalGroup) -> Option<(BranchPlace, BranchPlace)> {
        let (first, last) = conditional.lines.first().zip(conditional.lines.last())?;
        let (from, to) = (self.place_at(first.start).ok()?, self.place_at(last.start).ok()?);
        (from.block == to.block && from.index <= to.index).then_some((from, to))
    }
}

/// The lines of a text in which conditionals begin, go on and end.
pub fn conditional_lines(text: &[u8]) -> Vec<Span> {
    let all = directives(text).into_iter();
    all.filter(|d| d.opens() || d.alternates() || d.closes())
        .map(|d| d.span)
        .collect()
}

/// A macro without arguments that another build may define otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChosenMacro {
    /// What it is called.
    pub name: String,
    /// Where the text says what it stands for.
    pub body: Span,
}

/// The directives of a text that define macros, and whether a conditional around one asks for its name (`#ifndef K`).
pub(super) fn asked_defines(text: &[u8]) -> Vec<(PreprocessorDirective, bool)> {
    let (mut asked, mut found): (Vec<BTreeSet<String>>, Vec<_>) = (Vec::new(), Vec::new());
    for directive in directives(text) {
        let words = || identifiers(text, directive.rest).into_iter().map(|(word, _)| word);
        if directive.opens() {
            asked.push(words().collect());
        } else if directive.closes() {
            asked.pop();
        } else if directive.alternates() {
            asked.last_mut().into_iter().for_each(|known| known.extend(words()));
        } else if directive.name == "define" {
            let name = words().next().unwrap_or_default();
            let is_asked = asked.iter().any(|known| known.contains(&name));
            found.push((directive, is_asked));
        }
    }
    found
}

/// The macros of a text that it defines where a conditional asks for them (`#ifndef K`), or more than once.
pub fn chosen_macros(text: &[u8]) -> Vec<ChosenMacro> {
    let mut found: Vec<(ChosenMacro, bool)> = Vec::new();
    for (directive, is_asked) in asked_defines(text) {
        let words = identifiers(text, directive.rest);
        let Some((name, at)) = words.first().filter(|(_, at)| text.get(at.end) != Some(&b'(')) else {
            continue;
        };
        let tokens = token_spans(text, Span::new(at.end, directive.rest.end));
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
            continue;
        };
        let name = name.clone();
        let body = Span::new(first.start, last.end);
        found.push((ChosenMacro { name, body }, is_asked));
    }
    let times = |name: &str| found.iter().filter(|(m, _)| m.name == name).count();
    let chosen = found.iter().filter(|(m, is_asked)| *is_asked || times(&m.name) > 1);
    chosen.map(|(m, _)| m.clone()).collect()
}

/// The macros that a text fixes for headers: it defines them outside of all conditionals, before it includes any of these
/// headers, and once. No build chooses others.
///
/// ```c
/// #define VERBOSE 0            /* fixed                                          */
/// #include "trace.h"
/// #define DEPTH 3              /* the header has asked for it before             */
/// ```
pub fn fixed_macros(text: &[u8], headers: &[String]) -> BTreeSet<String> {
    let (mut depth, mut early) = (0usize, true);
    let (mut fixed, mut again) = (BTreeSet::new(), BTreeSet::new());
    for directive in directives(text) {
        depth = (depth + usize::from(directive.opens())).saturating_sub(usize::from(directive.closes()));
        let rest = logical_text(text, directive.rest);
        match directive.name.as_str() {
            "define" => {
                let Some(define) = Define::read(rest.trim()) else {
                    continue;
                };
                if depth > 0 || !early || !fixed.insert(define.name.clone()) {
                    again.insert(define.name);
                }
            }
            "undef" => {
                again.insert(rest.trim().to_owned());
            }
            name if name.starts_with("include") => {
                let system = rest.trim().strip_prefix('<').and_then(|r| r.split('>').next());
                early &= system.is_some_and(|name| !headers.iter().any(|header| header.ends_with(name)));
            }
            _ => {}
        }
    }
    &fixed - &again
}

impl ScopeTree {
    /// Whether a conditional has some of its lines in a part of the text, and others outside.
    pub fn cuts_conditional(&self, part: Span) -> bool {
        self.conditional_groups.iter().any(|group| {
            let inside = group.lines.iter().filter(|line| part.contains(line.start)).count();
            inside > 0 && inside < group.lines.len()
        })
    }

    /// Takes the conditionals of a header's text for decided that ask for nothing but macros which whoever includes it fixes.
    pub fn decide(&mut self, text: &[u8], fixed: &BTreeSet<String>) {
        let is_fixed = |group: &ConditionalGroup| {
            let asked = group.lines.iter().flat_map(|line| identifiers(text, *line));
            let mut asked = asked
                .map(|(word, _)| word)
                .filter(|word| !CONDITIONAL_WORDS.contains(&word.as_str()))
                .peekable();
            asked.peek().is_some() && asked.all(|word| fixed.contains(&word))
        };
        let (decided, open) = std::mem::take(&mut self.open_conditionals)
            .into_iter()
            .partition(is_fixed);
        self.open_conditionals = open;
        let decided: Vec<ConditionalGroup> = decided;
        let is_decided = |span: &Span| decided.iter().flat_map(|g| &g.branches).any(|b| b.encloses(*span));
        self.left_out.retain(|span| !is_decided(span));
    }
}

/// Words in the lines of conditionals that are not asked for.
const CONDITIONAL_WORDS: [&str; 9] = [
    "defined", "if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif",
];

fn line_start(text: &[u8], at: usize) -> usize {
    text[..at]
        .iter()
        .rposition(|b| *b == b'\n')
        .map_or(0, |newline| newline + 1)
}

fn next_line(text: &[u8], at: usize) -> usize {
    text[at..]
        .iter()
        .position(|b| *b == b'\n')
        .map_or(text.len(), |newline| at + newline + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_that_no_build_compiles_are_no_branches() {
        let others = |text: &str| {
            let (_, branches) = super::super::marked_text(text.as_bytes());
            let all: Vec<Span> = branches.iter().map(|b| b.span).filter(|s| !s.is_empty()).collect();
            of_other_builds(text.as_bytes(), &conditional_groups(text.as_bytes()), &all)
                .branches
                .len()
        };
        assert_eq!(others("#if 0\na\n#endif\n"), 0);
        assert_eq!(others("#if 1\na\n#else\nb\n#endif\n"), 1);
        assert_eq!(others("#ifdef __cplusplus\na\n#elif X\nb\n#else\nc\n#endif\n"), 2);
        assert_eq!(others("#if !defined(_OPENMP)\na\n#else\nb\n#endif\n"), 1);
        assert_eq!(others("#ifndef _OPENMP\n#ifdef Y\na\n#endif\n#endif\n"), 0);
        assert_eq!(others("#if TRACE > 1\na\n#endif\n"), 1);
    }

    #[test]
    fn macros_that_are_asked_for_or_defined_twice_are_chosen() {
        let text = "#ifndef H\n#define H\n#ifndef K\n#define K (N / 2)\n#endif\n#define M N\n#if A\n#define B 1\n#else\n#define B N\n#endif\n\
                    #ifndef F\n#define F(x) N\n#endif\n#endif\n";
        let found = chosen_macros(text.as_bytes()).into_iter();
        let said: Vec<String> = found
            .map(|m| format!("{}={}", m.name, &text[m.body.start..m.body.end]))
            .collect();
        assert_eq!(said, ["K=(N / 2)", "B=1", "B=N"]);
    }

    #[test]
    fn parts_of_a_text_may_cut_conditionals() {
        let source = "#ifdef A\nint a;\n#  else\nint b;\n#endif\nint c;\n";
        let tree = super::super::parse(source.as_bytes(), &[]);
        let at = |needle: &str| source.find(needle).unwrap_or(0);
        assert!(!tree.cuts_conditional(Span::new(0, at("int c"))));
        assert!(tree.cuts_conditional(Span::new(at("int a"), at("int b"))));
        assert!(tree.cuts_conditional(Span::new(at("int b"), at("int c"))));
    }

    #[test]
    fn whoever_includes_a_header_decides() {
        let text =
            b"#include <stdio.h>\n#define A 1\n#ifndef B\n#define B 2\n#endif\n#define C(x) x\n#define D\n#undef D\n\
            #include <own/trace.h>\n#define E 1\n";
        let fixed = fixed_macros(text, &["src/own/trace.h".into()]);
        assert_eq!(fixed.iter().collect::<Vec<_>>(), ["A", "C"]);
        assert_eq!(fixed_macros(b"#include \"a.h\"\n#define A 1\n", &[]), BTreeSet::new());
        let text = "#if A > 1\nint a;\n#elif defined(A)\nint b;\n#endif\n#ifdef B\nint c;\n#endif\n";
        let (_, branches) = super::super::marked_text(text.as_bytes());
        let inactive: Vec<Span> = [&branches[0], &branches[2]].map(|b| b.span).to_vec();
        let mut tree = super::super::parse(text.as_bytes(), &inactive);
        assert_eq!(tree.left_out.len(), 2);
        tree.decide(text.as_bytes(), &fixed);
        assert_eq!((tree.left_out.len(), tree.open_conditionals.len()), (1, 1));
        assert_eq!(&text[tree.left_out[0].start..tree.left_out[0].end], "int c;\n");
    }

    #[test]
    fn groups_know_their_branches() {
        let text = "#if A\na;\n#if B\nb;\n#endif\n#else\nc;\n#endif\n";
        let groups = conditional_groups(text.as_bytes());
        let shown = |span: &Span| &text[span.start..span.end];
        assert_eq!(groups.len(), 2);
        assert_eq!(shown(&groups[0].branches[0]), "b;\n");
        assert_eq!(shown(&groups[1].branches[1]), "c;\n");
        assert_eq!(groups[1].lines.len(), 3);
    }
}
