//! What the user says in comments.
//!
//! ```c
//! /* ompmemopt: reads(0) writes() io */          of the function that the text names next: declared, defined or called
//! void log_state(const double *u, int n);
//!
//! // ompmemopt: noalias
//! void step(double *to, double *from, int n) { … }
//!
//! /* ompmemopt: function norm pure */            of the function named here
//! ```
//!
//! The words are the keys of the configuration file; lists have their items in parentheses. A comment of this kind stands
//! on lines of its own. Comments in `#if` branches that are not compiled say nothing, and what begins with `ignore`, `off` or `on` is left to [`crate::rules`].

use super::words::{Draft, Takes, takes};
use super::{ConfigProblem, EntryPlace, FunctionEntry};
use crate::source::{LineIndex, Span};
use crate::syntax::{Comment, comments, function_after};

/// What the comments of a text say of which functions, and what is wrong with them. `inactive`: what is not compiled.
pub fn read(file: &str, text: &[u8], inactive: &[Span]) -> (Vec<(String, FunctionEntry)>, Vec<ConfigProblem>) {
    let lines = LineIndex::new(text);
    let place = |offset: usize| {
        let at = lines.position(offset);
        EntryPlace {
            file: file.to_owned(),
            line: at.line,
            column: at.column,
        }
    };
    let (mut entries, mut problems) = (Vec::new(), Vec::new());
    for comment in comments(text) {
        if inactive.iter().any(|span| span.encloses(comment.span)) {
            continue;
        }
        let Some(said) = comment.told(text) else { continue };
        let word: String = said
            .trim_start()
            .chars()
            .take_while(char::is_ascii_alphabetic)
            .collect();
        if matches!(word.as_str(), "ignore" | "off" | "on") {
            continue;
        }
        let start = comment.inside.end - said.len();
        match entry(text, &comment, &said, start, &place) {
            Ok(entry) => entries.push(entry),
            Err((offset, message)) => problems.push(ConfigProblem {
                place: place(offset),
                message,
            }),
        }
    }
    (entries, problems)
}

/// What one comment says of which function, or what is wrong in it and where.
fn entry(
    text: &[u8],
    comment: &Comment,
    said: &str,
    start: usize,
    place: &dyn Fn(usize) -> EntryPlace,
) -> Result<(String, FunctionEntry), (usize, String)> {
    let whole = comment.span.start;
    if !comment.alone {
        let message = "this comment stands beside code; put it on a line of its own";
        return Err((whole, message.into()));
    }
    let mut words = words(said).map_err(|(at, message)| (start + at, message))?;
    let named = words.first().is_some_and(|w| w.text == "function" && w.items.is_none());
    let name = if named {
        words.remove(0);
        let name = (!words.is_empty()).then(|| words.remove(0));
        let name = name.filter(|w| w.items.is_none() && takes(w.text).is_err());
        let missing = || (whole, "`function` is followed by the function's name".to_owned());
        name.ok_or_else(missing)?.text.to_owned()
    } else {
        function_after(text, comment.span.end).ok_or_else(|| {
            let message = "no function is declared, defined or called in what follows this comment; name it: \
                           `ompmemopt: function NAME …`";
            (whole, message.to_owned())
        })?
    };
    let mut draft = Draft::new(&name);
    for word in &words {
        let at = start + word.at;
        match (takes(word.text).map_err(|message| (at, message))?, &word.items) {
            (Takes::Flag, None) => draft.flag(word.text, true),
            (Takes::Flag, Some(_)) => return Err((at, format!("`{}` takes no arguments", word.text))),
            (Takes::List, None) => {
                return Err((at, format!("`{0}` takes arguments, as {0}(0, 1) or {0}()", word.text)));
            }
            (Takes::List, Some(items)) => {
                draft.list(word.text);
                for item in items {
                    draft.item(word.text, item).map_err(|message| (at, message))?;
                }
            }
        }
    }
    let entry = draft.finish(place(whole)).map_err(|message| (whole, message))?;
    Ok((name, entry))
}

/// A word of a comment.
struct Word<'t> {
    text: &'t str,
    /// Where it begins.
    at: usize,
    /// What stands in parentheses behind it.
    items: Option<Vec<&'t str>>,
}

/// Takes a comment's text apart: `a b(c, d(e))`.
fn words(said: &str) -> Result<Vec<Word<'_>>, (usize, String)> {
    let mut words = Vec::new();
    let mut at = 0;
    while at < said.len() {
        let rest = &said[at..];
        let length = rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(rest.len());
        if length == 0 {
            let next = rest.chars().next().unwrap_or(' ');
            // Blanks, commas, and the stars at the beginning of a long comment's lines.
            if !(next.is_whitespace() || matches!(next, ',' | '*')) {
                return Err((
                    at,
                    format!("`{next}` is not understood here; write words, as in `reads(0) writes() io`"),
                ));
            }
            at += next.len_utf8();
            continue;
        }
        let mut word = Word {
            text: &rest[..length],
            at,
            items: None,
        };
        at += length;
        if said[at..].starts_with('(') {
            let close = closing(&said[at..]).ok_or((at, "this parenthesis is not closed".to_owned()))?;
            word.items = Some(items(&said[at + 1..at + close]));
            at += close + 1;
        }
        words.push(word);
    }
    Ok(words)
}

/// The place of the parenthesis that closes the one that `text` begins with.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    text.char_indices().find_map(|(at, c)| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(at)
    })
}

/// Items between commas; commas in parentheses do not count.
fn items(text: &str) -> Vec<&str> {
    let (mut depth, mut start) = (0usize, 0);
    let mut items = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                items.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(text[start..].trim());
    items.retain(|item| !item.is_empty());
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<String> {
        let (entries, problems) = read("a.c", text.as_bytes(), &[]);
        assert_eq!(problems, []);
        entries
            .into_iter()
            .map(|(name, e)| format!("{name} {}", e.place))
            .collect()
    }

    fn problem(text: &str) -> String {
        let (entries, problems) = read("a.c", text.as_bytes(), &[]);
        assert_eq!((entries.len(), problems.len()), (0, 1), "{entries:?}");
        problems[0].to_string()
    }

    #[test]
    fn a_comment_is_about_the_function_that_follows() {
        let text = "/* ompmemopt: reads(0) writes() io */\nextern void\nlog_state(const double *, int);\n\
                    // ompmemopt: noalias\nvoid step(double *a, double *b) {\n  int x;\n  // ompmemopt: pure\n  if (norm(a) > 1) {}\n}\n";
        assert_eq!(said(text), ["log_state a.c:1:1", "step a.c:4:1", "norm a.c:7:3"]);
    }

    #[test]
    fn a_comment_may_name_its_function_and_span_lines() {
        let text = "int x;\n/* ompmemopt: function log_state\n *   reads(0[s], 1..) writes(2[*]),\n *   callbacks(3(0, -)) exits\n */\n";
        let (entries, problems) = read("a.c", text.as_bytes(), &[]);
        assert_eq!(problems, []);
        let f = entries[0].1.effects.as_ref().unwrap();
        assert_eq!(
            (f.name.as_str(), f.reads.len(), f.callbacks.len(), f.exits),
            ("log_state", 2, 1, true)
        );
    }

    #[test]
    fn other_comments_are_left_alone() {
        assert_eq!(said("/* ompmemopt is a tool */ int a;\n"), Vec::<String>::new());
        assert_eq!(said("char *s = \"/* ompmemopt: pure */\";\n"), Vec::<String>::new());
        assert_eq!(
            said("/* ompmemopt: ignore[OMM101] it is so */\nf();\n"),
            Vec::<String>::new()
        );
        let text = b"#if 0\n// ompmemopt: pure\nf();\n#endif\n";
        assert_eq!(read("a.c", text, &[Span::new(6, 32)]).0, []);
    }

    #[test]
    fn mistakes_have_a_place() {
        assert_eq!(
            problem("int a;\n  // ompmemopt: pur\nf();\n"),
            "a.c:2:17: there is no key `pur`; did you mean `pure`?"
        );
        assert!(problem("f(); // ompmemopt: pure\n").starts_with("a.c:1:6: this comment stands beside code"));
        assert!(problem("// ompmemopt: pure\nint a = 1;\n").contains("no function is declared"));
        assert!(
            problem("/* ompmemopt: reads */\nf();\n").contains("`reads` takes arguments, as reads(0, 1) or reads()")
        );
        assert!(problem("/* ompmemopt: reads(0 */\nf();\n").contains("a.c:1:20: this parenthesis is not closed"));
        assert!(problem("/* ompmemopt: pure! */\nf();\n").contains("`!` is not understood here"));
        assert!(problem("/* ompmemopt: function */\nf();\n").contains("followed by the function's name"));
        assert!(problem("/* ompmemopt: io(1) */\nf();\n").contains("`io` takes no arguments"));
        assert!(problem("/* ompmemopt: */\nf();\n").contains("nothing is said of `f`"));
    }
}
