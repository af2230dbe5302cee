//! Comments that silence rules.
//!
//! ```c
//! #pragma omp target update to(a[0:n])       // ompmemopt: ignore[OMM112] the first call has nothing there
//!
//! /* ompmemopt: ignore[missing-from, OMM108] `a` is scratch */       in the next line with code
//! use(a);
//!
//! /* ompmemopt: off[OMM101] */  …  /* ompmemopt: on[OMM101] */       in all lines between; without rules: all of them
//! ```
//!
//! `syntax/switches` reads the comments, which may name commands, too. One that silences nothing is a finding itself
//! ([`Rule::UnusedSuppression`]). What a comment says of rules that there are not is an error.

use super::unused_suppression::message;
use super::{RULES, Rule, RuleFinding};
use crate::source::{LineIndex, Span};
use crate::syntax::{COMMANDS, Switch, SwitchWord, switches};
use std::ops::RangeInclusive;

/// What a comment silences.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Suppression {
    /// The comment.
    span: Span,
    /// The lines, counted from 1.
    lines: RangeInclusive<u32>,
    rule: Rule,
    /// One of several rules that are not named.
    unnamed: bool,
}

/// Why a comment cannot be followed, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SuppressionProblem {
    pub span: Span,
    pub message: String,
}

/// What comments of a text do to what was found in it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Suppressed {
    /// What is left, and the comments that silence nothing, in text order.
    pub findings: Vec<RuleFinding>,
    pub problems: Vec<SuppressionProblem>,
}

/// Takes out what comments silence, and adds the comments that silence nothing. Comments in what is not compiled count for nothing.
pub fn suppressed(text: &[u8], inactive: &[Span], found: Vec<RuleFinding>) -> Suppressed {
    let lines = LineIndex::new(text);
    let (suppressions, problems) = read(text, &lines, inactive);
    let line = |f: &RuleFinding| lines.position(f.span.start).line;
    let silences = |s: &Suppression, f: &RuleFinding| s.rule == f.rule && s.lines.contains(&line(f));
    let is_used = |s: &Suppression| found.iter().any(|f| silences(s, f));
    let mut unused: Vec<RuleFinding> = Vec::new();
    // A comment about everything keeps `rewrite` and `annotate` away, too.
    for s in suppressions.iter().filter(|s| !s.unnamed && !is_used(s)) {
        let what = format!("`{}`", s.rule.text().name);
        unused.push(RuleFinding {
            span: s.span,
            rule: Rule::UnusedSuppression,
            message: message(&what),
            function: String::new(),
            array: String::new(),
            surely: false,
            related: Vec::new(),
            fix: None,
        });
    }
    let is_silenced = |f: &RuleFinding| suppressions.iter().any(|s| silences(s, f));
    let mut findings: Vec<RuleFinding> = found.iter().filter(|f| !is_silenced(f)).cloned().collect();
    findings.extend(unused);
    findings.sort();
    findings.dedup();
    Suppressed { findings, problems }
}

/// The comments of a text that silence rules.
fn read(text: &[u8], lines: &LineIndex, inactive: &[Span]) -> (Vec<Suppression>, Vec<SuppressionProblem>) {
    let (mut found, mut open): (Vec<Suppression>, Vec<Suppression>) = (Vec::new(), Vec::new());
    let mut problems = Vec::new();
    let line = |offset: usize| lines.position(offset).line;
    for switch in switches(text, inactive) {
        let Switch {
            span,
            word,
            ref names,
            code,
        } = switch;
        let rules = match rules(word, names) {
            Ok(rules) => rules,
            Err(message) => {
                problems.push(SuppressionProblem { span, message });
                continue;
            }
        };
        let of = |rule: Rule, lines: RangeInclusive<u32>| Suppression {
            span,
            lines,
            rule,
            unnamed: names.is_empty(),
        };
        for rule in rules {
            match word {
                SwitchWord::Ignore => found.push(of(rule, line(code)..=line(code))),
                SwitchWord::Off => open.push(of(rule, line(span.start)..=u32::MAX)),
                SwitchWord::On => {
                    if let Some(at) = open.iter().position(|begun| begun.rule == rule) {
                        let begun = open.remove(at);
                        found.push(Suppression {
                            lines: *begun.lines.start()..=line(span.start),
                            ..begun
                        });
                    }
                }
            }
        }
    }
    found.append(&mut open);
    (found, problems)
}

/// The rules of a comment that names these, commands apart; of one that names none, all rules.
fn rules(word: SwitchWord, names: &[String]) -> Result<Vec<Rule>, String> {
    match names {
        [] if word == SwitchWord::Ignore => Err(
            "`ignore` names the rules and commands that it silences, as ignore[OMM101] or ignore[rewrite]".to_owned(),
        ),
        [] => Ok(RULES.to_vec()),
        _ => {
            let named = names.iter().filter(|name| !COMMANDS.contains(&name.as_str()));
            named
                .map(|name| Rule::named(name).ok_or_else(|| unknown(name)))
                .collect()
        }
    }
}

fn unknown(name: &str) -> String {
    let commands = COMMANDS.map(|command| format!("`{command}`")).join(" and ");
    format!(
        "no rule has the code or name `{name}`; `ompmemopt rules` lists the rules, and the commands that a comment can switch \
         off are {commands}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(text: &str, at: &str, rule: Rule) -> RuleFinding {
        let start = text.find(at).expect("the text");
        RuleFinding {
            span: Span::new(start, start + at.len()),
            rule,
            message: "wrong".into(),
            function: "f".into(),
            array: "`a`".into(),
            surely: true,
            related: Vec::new(),
            fix: None,
        }
    }

    /// The rules that are left, each with the line that it is found in.
    fn left(text: &str, found: &[(&str, Rule)]) -> Vec<(u32, &'static str)> {
        let found = found.iter().map(|(at, rule)| finding(text, at, *rule)).collect();
        let suppressed = suppressed(text.as_bytes(), &[], found);
        assert_eq!(suppressed.problems, []);
        let lines = LineIndex::new(text.as_bytes());
        let left = suppressed.findings.iter();
        left.map(|f| (lines.position(f.span.start).line, f.rule.text().code))
            .collect()
    }

    #[test]
    fn a_comment_silences_its_line_or_the_next_one() {
        let beside = "use(a);  // ompmemopt: ignore[OMM101] so it is\nuse(b);\n";
        assert_eq!(
            left(beside, &[("use(a)", Rule::MissingTo), ("use(b)", Rule::MissingTo)]),
            [(2, "OMM101")]
        );
        let above = "/* ompmemopt: ignore[missing-to, OMM102] */\n// and\n\nuse(a);\n";
        assert_eq!(
            left(above, &[("use(a)", Rule::MissingTo), ("use(a)", Rule::MissingFrom)]),
            []
        );
        assert_eq!(left(above, &[("use(a)", Rule::MissingTo)]), [(1, "OMM901")]);
        assert_eq!(left("int ompmemopt; // ignore[OMM101]\n", &[]), []);
    }

    #[test]
    fn rules_are_silent_between_off_and_on() {
        let text = "use(a);\n/* ompmemopt: off[OMM101] */\nuse(b);\n/* ompmemopt: on[OMM101] */\nuse(c);\n";
        let all = [
            ("use(a)", Rule::MissingTo),
            ("use(b)", Rule::MissingTo),
            ("use(c)", Rule::MissingTo),
        ];
        assert_eq!(left(text, &all), [(1, "OMM101"), (5, "OMM101")]);
        let to_the_end = "/* ompmemopt: off */\nuse(a);\n";
        assert_eq!(left(to_the_end, &[("use(a)", Rule::NotMapped)]), []);
        assert_eq!(
            left(to_the_end, &[]),
            [],
            "`rewrite` and `annotate` stay away from it, too"
        );
        assert_eq!(
            left("/* ompmemopt: off[OMM101, rewrite] */\nuse(a);\n", &[]),
            [(1, "OMM901")]
        );
        assert_eq!(left("/* ompmemopt: off[rewrite] */\nuse(a);\n", &[]), []);
    }

    #[test]
    fn a_rule_that_there_is_not_is_named() {
        let wrong = |text: &str| suppressed(text.as_bytes(), &[], Vec::new()).problems.remove(0).message;
        assert!(wrong("// ompmemopt: ignore[OMM199]\n").contains("`OMM199`"));
        assert!(wrong("// ompmemopt: ignore what\n").contains("ignore[OMM101]"));
    }
}
