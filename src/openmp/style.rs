//! How the user writes pragmas, read off the file's own ones.
//!
//! Every habit (spaces around the colon, after commas, inside parentheses, commas between clauses, the sentinel) is put
//! to the vote of the pragmas given; a habit that shows nowhere, or a tie, keeps the default of [`Style::default`].

use std::collections::BTreeMap;

use super::{ClauseKind, Directive, scan};
use crate::source::Span;

/// How to write a directive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Style {
    /// Up to and including `omp`, e.g. `#pragma omp` or `# pragma omp`.
    pub sentinel: String,
    /// Between a clause's name and its parenthesis, usually nothing.
    pub before_paren: String,
    /// Directly inside the parentheses of a data clause, usually nothing.
    pub inside_paren: String,
    /// Between map type and list: `: `, `:` or ` : `.
    pub colon: String,
    /// Between list items: `, ` or `,`.
    pub comma: String,
    /// Between clauses: a blank or `, `.
    pub clause_separator: String,
    /// Longest line in columns, a tab counting eight.
    pub width: usize,
    /// What ends a line inside a directive that needs several.
    pub line_ending: String,
}

impl Default for Style {
    fn default() -> Style {
        Style {
            sentinel: "#pragma omp".to_owned(),
            before_paren: String::new(),
            inside_paren: String::new(),
            colon: ": ".to_owned(),
            comma: ", ".to_owned(),
            clause_separator: " ".to_owned(),
            width: 100,
            line_ending: "\n".to_owned(),
        }
    }
}

/// The style of these pragmas, each as its raw text, continuations and all. Texts that are not OpenMP's are skipped. The
/// line ending is taken from continuations only; set it yourself where the file is known.
pub fn detect_style(pragmas: &[&str]) -> Style {
    let mut votes = Votes::default();
    for raw in pragmas {
        votes.count(raw);
    }
    let default = Style::default();
    Style {
        sentinel: winner(&votes.sentinel, default.sentinel),
        before_paren: winner(&votes.before_paren, default.before_paren),
        inside_paren: winner(&votes.inside_paren, default.inside_paren),
        colon: winner(&votes.colon, default.colon),
        comma: winner(&votes.comma, default.comma),
        clause_separator: winner(&votes.clause_separator, default.clause_separator),
        width: default.width,
        line_ending: winner(&votes.line_ending, default.line_ending),
    }
}

type Ballot = BTreeMap<String, usize>;

#[derive(Default)]
struct Votes {
    sentinel: Ballot,
    before_paren: Ballot,
    inside_paren: Ballot,
    colon: Ballot,
    comma: Ballot,
    clause_separator: Ballot,
    line_ending: Ballot,
}

impl Votes {
    fn count(&mut self, raw: &str) {
        let Some(directive) = Directive::parse(raw) else { return };
        let masked = scan::mask(raw);
        let before_name = raw[..directive.name_span.start].trim_ascii();
        let plain = before_name.starts_with('#') && before_name.ends_with("omp");
        if plain && !before_name.contains(['\n', '\\', '/']) {
            vote(&mut self.sentinel, before_name);
        }
        for _ in raw.matches("\r\n") {
            vote(&mut self.line_ending, "\r\n");
        }
        for _ in 0..raw.matches('\n').count() - raw.matches("\r\n").count() {
            vote(&mut self.line_ending, "\n");
        }
        for pair in directive.clauses.windows(2) {
            let between = &masked[pair[0].span.end..pair[1].span.start];
            vote(
                &mut self.clause_separator,
                if between.contains(',') { ", " } else { " " },
            );
        }
        for clause in &directive.clauses {
            let Some(args) = clause.args_span else { continue };
            if !matches!(
                clause.kind,
                ClauseKind::Map(_) | ClauseKind::To(_) | ClauseKind::From(_)
            ) {
                continue;
            }
            let blank = |yes: bool| if yes { " " } else { "" };
            vote(
                &mut self.before_paren,
                blank(args.start > clause.span.start + clause.name.len() + 1),
            );
            vote(&mut self.inside_paren, blank(masked[args.start..].starts_with(' ')));
            let list = match scan::separators(&masked, args, b':').first() {
                Some(&colon) => {
                    let left = blank(masked[..colon].ends_with(' '));
                    let right = blank(masked[colon + 1..].starts_with(' '));
                    vote(&mut self.colon, &format!("{left}:{right}"));
                    Span::new(colon + 1, args.end)
                }
                None => args,
            };
            for comma in scan::separators(&masked, list, b',') {
                vote(
                    &mut self.comma,
                    if masked[comma + 1..].starts_with(' ') {
                        ", "
                    } else {
                        ","
                    },
                );
            }
        }
    }
}

fn vote(ballot: &mut Ballot, habit: &str) {
    *ballot.entry(habit.to_owned()).or_default() += 1;
}

fn winner(ballot: &Ballot, default: String) -> String {
    let most = ballot.values().max().copied().unwrap_or(0);
    match ballot.iter().find(|(_, count)| **count == most) {
        Some((habit, _)) if ballot.get(&default).copied().unwrap_or(0) < most => habit.clone(),
        _ => default,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_to_go_by_gives_the_default() {
        assert_eq!(detect_style(&[]), Style::default());
        assert_eq!(detect_style(&["#pragma once", "omp barrier"]), Style::default());
    }

    #[test]
    fn habits_are_found() {
        let style = detect_style(&["# pragma omp target map( to:a,b ), map( from:c ) , nowait"]);
        assert_eq!(style.sentinel, "# pragma omp");
        assert_eq!((style.colon.as_str(), style.comma.as_str()), (":", ","));
        assert_eq!((style.inside_paren.as_str(), style.before_paren.as_str()), (" ", ""));
        assert_eq!(style.clause_separator, ", ");
        let style = detect_style(&["#pragma omp target update to (present : a[0:n], b) \\\r\n nowait"]);
        assert_eq!((style.colon.as_str(), style.before_paren.as_str()), (" : ", " "));
        assert_eq!(style.line_ending, "\r\n");
    }

    #[test]
    fn the_majority_decides_and_a_tie_keeps_the_default() {
        let (tight, loose) = ("#pragma omp target map(to:a)", "#pragma omp target map(to: a)");
        assert_eq!(detect_style(&[tight, loose, tight]).colon, ":");
        assert_eq!(detect_style(&[tight, loose]).colon, ": ");
        assert_eq!(detect_style(&["#pragma omp target reduction(+:s)"]).colon, ": ");
    }
}
