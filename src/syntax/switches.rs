//! Comments that switch parts of this tool off for parts of a text.
//!
//! ```c
//! #pragma omp target update to(a[0:n])       // ompmemopt: ignore[OMM112] the first call has nothing there
//!
//! /* ompmemopt: ignore[rewrite] timed by hand */          the next line with code, and the statements that begin in it
//! for (int t = 0; t < steps; t++)
//!     advance(u, n);
//!
//! /* ompmemopt: off[annotate] */  …  /* ompmemopt: on[annotate] */          all lines between
//!
//! /* ompmemopt: off */            …  /* ompmemopt: on */                    everything, in all lines between
//! ```
//!
//! Between the brackets stand rules, which are [`crate::rules`]' business, and [commands](COMMANDS). What an `off` begins ends with
//! the `on` of the same name, or with the text. Comments in what is not compiled count for nothing.

use super::comments::{Comment, MARK, comments};
use super::tree::ScopeTree;
use crate::source::Span;
use std::collections::BTreeMap;

/// Commands that can be switched off for a part of a text.
pub const COMMANDS: [&str; 2] = ["rewrite", "annotate"];

/// What a comment asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SwitchWord {
    /// Off in one line.
    Ignore,
    /// Off from here on.
    Off,
    /// No longer off.
    On,
}

/// A comment that switches something off, or on again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Switch {
    /// The comment.
    pub span: Span,
    /// What is asked for.
    pub word: SwitchWord,
    /// The rules and commands that it names; none: everything.
    pub names: Vec<String>,
    /// Where the code begins that an `ignore` is about.
    pub code: usize,
}

/// A part of a text in which a command is switched off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SwitchedOff {
    /// The part.
    pub part: Span,
    /// The comment that says so.
    pub comment: Span,
}

/// The switches of a text, in text order.
pub fn switches(text: &[u8], inactive: &[Span]) -> Vec<Switch> {
    if !text.windows(MARK.len()).any(|word| word == MARK.as_bytes()) {
        return Vec::new();
    }
    let counts = |comment: &Comment| !inactive.iter().any(|other| other.encloses(comment.span));
    let all = comments(text).into_iter().filter(counts);
    let found = all.filter_map(|comment| {
        let (word, names) = taken_apart(&comment.told(text)?)?;
        let code = match comment.alone {
            true => next_code(text, comment.span.end),
            false => comment.span.start,
        };
        Some(Switch {
            span: comment.span,
            word,
            names,
            code,
        })
    });
    found.collect()
}

/// The parts of a text in which a command is switched off: for `ignore` a line with all statements and functions that begin in it,
/// for `off` from comment to comment.
pub fn switched_off(text: &[u8], tree: &ScopeTree, command: &str) -> Vec<SwitchedOff> {
    let mut found = Vec::new();
    // What has been switched off and not on again, by whether the command is named.
    let mut open: BTreeMap<bool, Span> = BTreeMap::new();
    let off = |begun: Span, end: usize| SwitchedOff {
        part: Span::new(begun.start, end),
        comment: begun,
    };
    let switches = switches(text, &tree.inactive).into_iter();
    for switch in switches.filter(|s| s.is_about(command)) {
        let named = !switch.names.is_empty();
        match switch.word {
            SwitchWord::Ignore => found.push(SwitchedOff {
                part: with_statements(tree, line_around(text, switch.code)),
                comment: switch.span,
            }),
            SwitchWord::Off => {
                open.entry(named).or_insert(switch.span);
            }
            SwitchWord::On => found.extend(open.remove(&named).map(|begun| off(begun, switch.span.end))),
        }
    }
    found.extend(open.into_values().map(|begun| off(begun, text.len())));
    found
}

impl Switch {
    /// Whether the switch is about a command, which it names, or about everything.
    fn is_about(&self, command: &str) -> bool {
        let everything = self.names.is_empty() && self.word != SwitchWord::Ignore;
        everything || self.names.iter().any(|name| name == command)
    }
}

/// The word and the names of a comment that switches something off or on.
fn taken_apart(said: &str) -> Option<(SwitchWord, Vec<String>)> {
    let said = said.trim_start();
    let length = said.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(said.len());
    let word = match &said[..length] {
        "ignore" => SwitchWord::Ignore,
        "off" => SwitchWord::Off,
        "on" => SwitchWord::On,
        _ => return None,
    };
    let Some(listed) = said[length..].trim_start().strip_prefix('[') else {
        return Some((word, Vec::new()));
    };
    let names = listed.split(']').next().unwrap_or_default().split(',');
    let names = names.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    Some((word, names.collect()))
}

/// Where the next code begins behind a comment: another comment is none.
fn next_code(text: &[u8], from: usize) -> usize {
    let others = comments(&text[from..]);
    let mut at = from;
    loop {
        at += text[at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        match others.iter().find(|c| c.span.start + from == at) {
            Some(comment) => at = comment.span.end + from,
            None => return at.min(text.len()),
        }
    }
}

/// The line that a byte is in, with the lines that a `\` at its end joins to it.
fn line_around(text: &[u8], at: usize) -> Span {
    let is_end = |i: &usize| text[*i] == b'\n';
    let start = (0..at).rev().find(is_end).map_or(0, |i| i + 1);
    let joined = |i: usize| text[..i].trim_ascii_end().ends_with(b"\\");
    let end = (at..text.len()).filter(is_end).find(|i| !joined(*i));
    Span::new(start, end.unwrap_or(text.len()))
}

/// A line with the statements, with their pragmas, and functions that begin in it.
fn with_statements(tree: &ScopeTree, line: Span) -> Span {
    let statements = tree.stmts.iter().map(|stmt| stmt.span);
    let functions = tree.functions.iter().map(|function| function.span);
    let begun = statements.chain(functions).filter(|span| line.contains(span.start));
    let pragmas = tree.pragmas.iter().filter(|p| line.contains(p.span.start));
    let governed = pragmas.filter_map(|p| Some(tree.stmt(p.before?).span));
    let end = begun.chain(governed).map(|span| span.end).fold(line.end, usize::max);
    Span::new(line.start, end)
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    /// What is switched off for a command.
    fn off<'t>(text: &'t str, command: &str) -> Vec<&'t str> {
        let spans = switched_off(text.as_bytes(), &parse(text.as_bytes(), &[]), command);
        spans.iter().map(|off| &text[off.part.start..off.part.end]).collect()
    }

    #[test]
    fn commands_are_off_from_comment_to_comment() {
        let text = "a;\n/* ompmemopt: off[rewrite] */\nb;\n// ompmemopt: on[rewrite]\nc;\n";
        assert_eq!(off(text, "rewrite"), [&text[3..text.len() - 4]]);
        assert_eq!(off(text, "annotate"), [""; 0]);
        let all = "a;\n/* ompmemopt: off */\nb;\n/* ompmemopt: on[rewrite] */ /* ompmemopt: off */ c;\n";
        assert_eq!(off(all, "rewrite"), [&all[3..]], "only `on` ends what `off` begins");
    }

    #[test]
    fn one_line_is_ignored() {
        let text = "a; // ompmemopt: ignore[rewrite, OMM101] why\n// ompmemopt: ignore[annotate]\n/* and */\n#pragma x \\\n  y\nb;\n";
        assert_eq!(off(text, "rewrite"), ["a; // ompmemopt: ignore[rewrite, OMM101] why"]);
        assert_eq!(off(text, "annotate"), ["#pragma x \\\n  y"]);
    }

    #[test]
    fn statements_that_begin_in_an_ignored_line_go_with_it() {
        let text = "void f(void)\n{\n  // ompmemopt: ignore[rewrite]\n  for (;;) {\n    a;\n  }\n  b;\n}\nint c; // ompmemopt: ignore[rewrite]\n";
        assert_eq!(
            off(text, "rewrite"),
            ["  for (;;) {\n    a;\n  }", "int c; // ompmemopt: ignore[rewrite]"]
        );
        let governed =
            "void f(void)\n{\n  /* ompmemopt: ignore[rewrite] */\n#pragma omp target\n  for (;;)\n    a;\n  b;\n}\n";
        assert_eq!(off(governed, "rewrite"), ["#pragma omp target\n  for (;;)\n    a;"]);
        let function = "/* ompmemopt: ignore[rewrite] */\nvoid f(void)\n{\n  a;\n}\n";
        assert_eq!(off(function, "rewrite"), ["void f(void)\n{\n  a;\n}"]);
    }

    #[test]
    fn other_words_and_what_is_not_compiled_count_for_nothing() {
        assert_eq!(off("/* ompmemopt: offline */ /* off */ a;", "rewrite"), [""; 0]);
        let text = b"#if 0\n/* ompmemopt: off */\n#endif\n";
        assert_eq!(switched_off(text, &parse(text, &[Span::new(6, 30)]), "rewrite"), []);
    }
}
