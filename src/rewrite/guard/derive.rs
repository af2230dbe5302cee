//! The preprocessed original, taken from the preprocessed rewritten text.
//!
//! Starting the preprocessor a second time costs as much as a third of compiling the file, and nearly all of what it says
//! the second time it has said before. What a rewriting adds are lines that hold a pragma or a brace; and a line that
//! comes out of the preprocessor just as it went in, between other lines, has neither seen a macro nor been an argument
//! of one, nor was it part of a comment or of a branch left out. Without it, the rest comes out the same.
//!
//! ```text
//! original            rewritten                  rewritten, preprocessed        original, preprocessed
//! x = N;              x = N;                     x = 8;                         x = 8;
//! g();                #pragma omp target …       #pragma omp target …
//!                     {                          {                        ──►
//!                       g();                       g();                           g();
//!                     }                          }
//! ```
//!
//! 1. The tokens of both texts are matched, a pragma counting as one ([`added`]). What is left over in the rewritten
//!    text must be pragmas, and braces at the start or the end of a line; what is left over in the original, pragmas that
//!    were exchanged.
//! 2. Each of those is looked for in the preprocessor's output by its line number. If one is missing or looks otherwise,
//!    there is no answer, and the caller preprocesses the original as well.
//!
//! **Limits.** A name of a function-like macro before something added would be called in one text and not in the other;
//! so what is added has to follow punctuation, `else` or `do`. A brace added amid a line gets no answer.

use super::tokens::{split, without_maps};
use std::collections::BTreeMap;

/// How a line of the rewritten text differs from what the original has there.
#[derive(Clone, PartialEq, Eq, Debug)]
enum LineDifference {
    /// The line is a pragma, and took the place of another, if there is one.
    Pragma { new: Vec<u8>, old: Option<Vec<u8>> },
    /// So many braces were added at its start, and so many at its end.
    Braces { leading: usize, trailing: usize },
}

/// One logical line: where it starts, counted from 1, and its text with continuations resolved and outer blanks removed.
struct Line {
    number: usize,
    text: Vec<u8>,
}

/// What the preprocessor would have made of `original`, given what it made of `rewritten`. `None` where that is not sure.
pub fn original(original: &[u8], rewritten: &[u8], preprocessed: &[u8]) -> Option<Vec<u8>> {
    let mut changes = added(&lines(original), &lines(rewritten))?;
    let main = main_file(preprocessed)?;
    let mut out = Vec::with_capacity(preprocessed.len());
    let mut at = OutputPosition::default();
    let mut last_code: &[u8] = b";";
    for line in preprocessed.split_inclusive(|b| *b == b'\n') {
        let text = line.trim_ascii();
        if at.marker(text) {
            out.extend_from_slice(line);
            continue;
        }
        let change = (at.file == main).then(|| changes.remove(&at.line)).flatten();
        at.line += 1;
        match change {
            Some(LineDifference::Pragma { new, old }) => {
                if squeezed(text) != squeezed(&new) || !ends_well(last_code) {
                    return None;
                }
                out.extend_from_slice(&old.unwrap_or_default());
                out.push(b'\n');
            }
            Some(LineDifference::Braces { leading, trailing }) => {
                if leading > 0 && !ends_well(last_code) {
                    return None;
                }
                out.extend_from_slice(without_braces(text, leading, trailing)?);
                out.push(b'\n');
            }
            None => out.extend_from_slice(line),
        }
        if !text.is_empty() {
            last_code = text;
        }
    }
    changes.is_empty().then_some(out)
}

/// Where in the sources the preprocessor's output is.
#[derive(Default)]
struct OutputPosition<'a> {
    file: &'a [u8],
    line: usize,
}

impl<'a> OutputPosition<'a> {
    /// Whether `text` is a line marker, `# 12 "file.c" 2`; if so, the next line is where it says.
    fn marker(&mut self, text: &'a [u8]) -> bool {
        let Some((number, name)) = text.strip_prefix(b"# ").and_then(|rest| {
            let space = rest.iter().position(|b| *b == b' ')?;
            let number: usize = std::str::from_utf8(&rest[..space]).ok()?.parse().ok()?;
            let end = rest.iter().rposition(|b| *b == b'"')?;
            Some((number, rest.get(space + 1..=end)?))
        }) else {
            return false;
        };
        self.file = name;
        self.line = number;
        true
    }
}

/// The quoted name of the file that was preprocessed: that of the first line marker.
fn main_file(preprocessed: &[u8]) -> Option<&[u8]> {
    let first = preprocessed.split(|b| *b == b'\n').next()?;
    let mut at = OutputPosition::default();
    at.marker(first.trim_ascii()).then_some(at.file)
}

/// Whether a line of code ends so that nothing on the next line can belong to a macro's call.
fn ends_well(line: &[u8]) -> bool {
    let word = |name: &[u8]| {
        line.strip_suffix(name)
            .is_some_and(|rest| rest.last().is_none_or(|b| !b.is_ascii_alphanumeric() && *b != b'_'))
    };
    line.starts_with(b"#pragma") || line.last().is_some_and(|b| b";{}):".contains(b)) || word(b"else") || word(b"do")
}

/// A line of code without the braces at its ends; `None` if they are not there, or follow what a call could follow.
fn without_braces(text: &[u8], leading: usize, trailing: usize) -> Option<&[u8]> {
    let mut rest = text;
    for _ in 0..leading {
        let [b'{' | b'}', after @ ..] = rest else { return None };
        rest = after.trim_ascii();
    }
    for _ in 0..trailing {
        let [before @ .., b'{' | b'}'] = rest else { return None };
        rest = before.trim_ascii();
    }
    (trailing == 0 || ends_well(rest)).then_some(rest)
}

/// The changed lines of `new`, by number. `None` if more was added than pragmas and braces, or if something is gone.
fn added(old: &[Line], new: &[Line]) -> Option<BTreeMap<usize, LineDifference>> {
    let mut old_tokens: Vec<&[u8]> = Vec::new();
    old.iter().for_each(|line| line.tokens(&mut old_tokens));
    let mut old = old_tokens.into_iter().peekable();
    let mut changes = BTreeMap::new();
    let mut tokens: Vec<&[u8]> = Vec::new();
    for line in new {
        if is_pragma(&line.text) {
            if old.next_if(|o| *o == line.text).is_none() {
                let exchanged = old.next_if(|o| is_pragma(o) && without_maps(o) == without_maps(&line.text));
                let change = LineDifference::Pragma {
                    new: line.text.clone(),
                    old: exchanged.map(<[u8]>::to_vec),
                };
                changes.insert(line.number, change);
            }
            continue;
        }
        tokens.clear();
        line.tokens(&mut tokens);
        let (mut leading, mut kept, mut trailing) = (0, 0, 0);
        for token in &tokens {
            if old.next_if(|o| o == token).is_some() {
                if trailing > 0 {
                    return None;
                }
                kept += 1;
            } else if *token != b"{" && *token != b"}" {
                return None;
            } else if kept == 0 {
                leading += 1;
            } else {
                trailing += 1;
            }
        }
        if leading + trailing > 0 {
            changes.insert(line.number, LineDifference::Braces { leading, trailing });
        }
    }
    old.peek().is_none().then_some(changes)
}

impl Line {
    /// Appends its tokens; a pragma is one.
    fn tokens<'a>(&'a self, into: &mut Vec<&'a [u8]>) {
        if is_pragma(&self.text) {
            into.push(&self.text);
        } else {
            split(&self.text, into);
        }
    }
}

fn is_pragma(text: &[u8]) -> bool {
    text.strip_prefix(b"#")
        .is_some_and(|rest| rest.trim_ascii_start().starts_with(b"pragma"))
}

/// Logical lines: a backslash before the newline joins the next line.
fn lines(text: &[u8]) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut open: Option<Line> = None;
    for (index, physical) in text.split(|b| *b == b'\n').enumerate() {
        let body = physical.strip_suffix(b"\r").unwrap_or(physical);
        let mut line = open.take().unwrap_or(Line {
            number: index + 1,
            text: Vec::new(),
        });
        match body.strip_suffix(b"\\") {
            Some(part) => {
                line.text.extend_from_slice(part);
                open = Some(line);
            }
            None => {
                line.text.extend_from_slice(body);
                line.text = line.text.trim_ascii().to_vec();
                lines.push(line);
            }
        }
    }
    lines.extend(open);
    lines
}

/// Without blanks: the preprocessor sets its own between the tokens of a pragma.
fn squeezed(text: &[u8]) -> Vec<u8> {
    text.iter().copied().filter(|b| !b.is_ascii_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is derived for texts in `a.c` when the preprocessor prints the rewritten one as it is.
    fn derived(old: &str, new: &str, printed: &str) -> Option<String> {
        let out = original(
            old.as_bytes(),
            new.as_bytes(),
            format!("# 1 \"a.c\"\n{printed}").as_bytes(),
        )?;
        Some(String::from_utf8(out).unwrap().replacen("# 1 \"a.c\"\n", "", 1))
    }

    const OLD: &str = "x = N;\n  g();\n";
    const NEW: &str = "x = N;\n#pragma omp target data \\\n  map(a)\n{\n    g();\n}\n";

    #[test]
    fn added_lines_are_taken_out_again() {
        let printed = "x = 8;\n#pragma omp target data map(a)\n# 4 \"a.c\"\n{\n    g();\n}\n";
        assert_eq!(
            derived(OLD, NEW, printed).unwrap(),
            "x = 8;\n\n# 4 \"a.c\"\n\n    g();\n\n"
        );
    }

    #[test]
    fn braces_at_the_ends_of_lines_are_taken_out_again() {
        let (old, new) = ("if (c) f();\nelse g();\n", "if (c) {\n f();\n} else {\n g();\n}\n");
        assert_eq!(derived(old, new, new).unwrap(), "if (c)\n f();\nelse\n g();\n\n");
        let amid = "if (c) { f(); } else g();\n";
        assert_eq!(derived(old, amid, amid), None);
    }

    #[test]
    fn exchanged_pragmas_come_back() {
        let (old, new) = (
            "#pragma omp target map(tofrom: a)\ng();\n",
            "#pragma omp target map(to: a)\ng();\n",
        );
        assert_eq!(derived(old, new, new).unwrap(), old);
        let other = "#pragma omp target nowait map(to: a)\ng();\n";
        assert_eq!(derived(old, other, other), None, "a clause more is no exchange of maps");
    }

    #[test]
    fn lines_that_did_not_come_out_as_they_went_in_are_no_ground() {
        // As in a comment, in a branch left out, in the definition of a macro or among its arguments.
        for printed in [
            "x = 8;\n\n\n\n    g();\n\n",
            "x = 8;\n#pragma omp target data map(b)\n# 4\n{\n g();\n}\n",
        ] {
            assert_eq!(derived(OLD, NEW, printed), None);
        }
    }

    #[test]
    fn a_macros_name_before_an_added_line_is_no_ground() {
        let old = "F\n(x);\n";
        for new in ["F\n{\n(x);\n}\n", "F {\n(x);\n}\n", "F\n{ (x);\n}\n"] {
            assert_eq!(derived(old, new, new), None);
        }
    }

    #[test]
    fn changed_code_gets_no_answer() {
        assert_eq!(derived("x;\n", "y;\n", "y;\n"), None);
        assert_eq!(derived("x;\ny;\n", "x;\n", "x;\n"), None);
    }

    #[test]
    fn lines_of_headers_do_not_count() {
        let printed = "# 1 \"h.h\" 1\n{\n# 2 \"a.c\" 2\n{\ny;\n}\n";
        let out = derived("x;\ny;\n", "x;\n{\ny;\n}\n", printed).unwrap();
        assert_eq!(out, "# 1 \"h.h\" 1\n{\n# 2 \"a.c\" 2\n\ny;\n\n");
    }
}
