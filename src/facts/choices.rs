//! A file's text with the conditions that macros decide left open, for the compiler.
//!
//! ```c
//! if (DEBUG > 1 && n)          if ($a        && n)      with -D'$a=({extern const int … ; …;})'
//! ```
//!
//! [`crate::program::choices`] says what such a constant stands for. No byte moves: the name stands in the place of the longest
//! word of the condition, and blanks in the place of the others. Names with a `$` are nobody's.

use crate::program::choices::symbol;
use crate::source::Span;
use crate::syntax::{Define, FoldedOperand, ScopeTree, Within, folded_operands, identifiers, token_spans};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Conditions of some texts that are left open; lists have a member for each text.
#[derive(Default)]
pub(super) struct Choices {
    /// The pieces of the texts to be replaced, and by what.
    pub edits: Vec<Vec<(Span, String)>>,
    /// Flags for the compiler, which define what is written there.
    pub flags: Vec<String>,
    /// Functions with such conditions.
    pub functions: Vec<BTreeSet<String>>,
    /// Macros with such conditions.
    pub macros: Vec<BTreeSet<String>>,
    /// Whether functions have such conditions that the scope tree does not have.
    pub unread: Vec<bool>,
}

/// Macros stand for others this deep.
const MOST_STEPS: usize = 8;

/// The macros that a build may choose: those of the text, of headers of the program's own, and of flags.
struct Own<'t> {
    bodies: FxHashMap<&'t str, Vec<&'t str>>,
}

impl<'t> Own<'t> {
    fn of(texts: &[(&[u8], &'t ScopeTree)], others: &'t [Define]) -> Own<'t> {
        let mut bodies: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
        let own = texts.iter().flat_map(|(_, tree)| &tree.constants);
        let own = own.map(|(name, body)| (name.as_str(), body.as_str()));
        let others = others.iter().filter(|d| d.params.is_none());
        for (name, body) in own.chain(others.map(|d| (d.name.as_str(), d.body.as_str()))) {
            bodies.entry(name).or_default().push(body);
        }
        Own { bodies }
    }

    /// Whether a name stands for a number.
    fn is_number(&self, name: &str, steps: usize) -> bool {
        let reserved =
            name.starts_with("__") || name.starts_with('_') && name[1..].starts_with(|c: char| c.is_uppercase());
        let Some(bodies) = self.bodies.get(name).filter(|_| !reserved && steps > 0) else {
            return false;
        };
        bodies.iter().all(|body| {
            let words = identifiers(body.as_bytes(), Span::new(0, body.len()));
            let numbers = words
                .iter()
                .all(|(word, _)| ["true", "false"].contains(&word.as_str()) || self.is_number(word, steps - 1));
            let plain = body
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"_+-*/%<>=!&|^~()?:. \t".contains(&b));
            numbers && plain && !body.trim().is_empty()
        })
    }
}

/// Leaves the conditions of texts open that macros decide: of a file, and of headers that it includes. `others` are macros that
/// headers of the program's own and flags define.
pub(super) fn choices(texts: &[(&[u8], &ScopeTree)], others: &[Define], file: &str) -> Choices {
    let own = Own::of(texts, others);
    let mut found = Choices {
        edits: vec![Vec::new(); texts.len()],
        functions: vec![BTreeSet::new(); texts.len()],
        macros: vec![BTreeSet::new(); texts.len()],
        unread: vec![false; texts.len()],
        flags: Vec::new(),
    };
    if own.bodies.is_empty() || texts.iter().any(|(text, _)| text.contains(&b'$')) {
        return found;
    }
    let mut by_words: BTreeMap<String, Vec<(usize, FoldedOperand)>> = BTreeMap::new();
    for (at, (text, tree)) in texts.iter().enumerate() {
        for operand in folded_operands(text, tree, &|name| own.is_number(name, MOST_STEPS)) {
            by_words
                .entry(words(text, operand.span))
                .or_default()
                .push((at, operand));
        }
    }
    let mut names = FreshNames::default();
    for (words, places) in by_words {
        let lengths = places.iter().map(|(at, o)| longest(texts[*at].0, o.span).len());
        let Some(name) = names.next(lengths.min().unwrap_or(0)) else {
            continue;
        };
        let one = texts.iter().all(|(text, tree)| means_one_thing(text, tree, &words));
        let symbol = symbol(&words, file, one).replace(['"', '\\'], "_");
        let variable = format!("__ompmemopt_choice_{}", found.flags.len());
        found.flags.push(format!(
            "-D{name}=({{extern const int {variable} __asm__(\"{symbol}\");{variable};}})"
        ));
        for (at, operand) in places {
            let (text, tree) = texts[at];
            found.edits[at].extend(replaced(text, operand.span, &name));
            match operand.within {
                Within::Function(f) => {
                    let function = tree.functions.get(f as usize);
                    found.functions[at].extend(function.map(|f| f.name.clone()));
                }
                Within::Macro(name) => {
                    found.macros[at].insert(name);
                }
                Within::Unread => found.unread[at] = true,
            }
        }
    }
    found
}

/// A condition as its text says it, in one line.
fn words(text: &[u8], span: Span) -> String {
    let mut said = String::new();
    let mut end = span.start;
    for token in token_spans(text, span) {
        if token.start > end {
            said.push(' ');
        }
        end = token.end;
        said.push_str(&String::from_utf8_lossy(&text[token.start..token.end]));
    }
    said
}

fn longest(text: &[u8], span: Span) -> Span {
    let tokens = token_spans(text, span).into_iter();
    // Of several the first.
    tokens.fold(Span::new(span.start, span.start), |best, t| {
        if t.len() > best.len() { t } else { best }
    })
}

/// The edits that put a name in the place of a condition, and move nothing.
fn replaced(text: &[u8], span: Span, name: &str) -> Vec<(Span, String)> {
    let place = longest(text, span);
    let piece = |token: Span| match token == place {
        true => (token, format!("{name:<width$}", width = token.len())),
        false => (token, " ".repeat(token.len())),
    };
    token_spans(text, span).into_iter().map(piece).collect()
}

/// Whether the macros in a condition mean one thing in all functions of a text: those that the text defines it defines once, in
/// front of its functions.
fn means_one_thing(text: &[u8], tree: &ScopeTree, words: &str) -> bool {
    let first = tree.functions.first().map_or(text.len(), |f| f.span.start);
    let names = identifiers(words.as_bytes(), Span::new(0, words.len()));
    let all = identifiers(text, Span::new(0, text.len()));
    names.iter().all(|(name, _)| {
        let defined =
            |pair: &&[(String, Span)]| pair[1].0 == *name && ["define", "undef"].contains(&pair[0].0.as_str());
        let places: Vec<usize> = all.windows(2).filter(defined).map(|pair| pair[1].1.start).collect();
        let times = tree.macros.iter().filter(|m| *m == name).count();
        times <= 1 && places.iter().all(|at| *at < first) && places.len() <= 2.min(times + 1)
    })
}

/// Names that no program has.
#[derive(Default)]
struct FreshNames {
    single: bool,
    next: usize,
}

impl FreshNames {
    /// A name that is no longer than so many bytes.
    fn next(&mut self, room: usize) -> Option<String> {
        const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
        if room == 1 && !self.single {
            self.single = true;
            return Some("$".to_owned());
        }
        let mut rest = self.next;
        let mut name = String::from("$");
        loop {
            name.push(char::from(LETTERS[rest % LETTERS.len()]));
            rest /= LETTERS.len();
            if rest == 0 {
                break;
            }
            rest -= 1;
        }
        self.next += 1;
        (name.len() <= room).then_some(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse;

    #[test]
    fn conditions_are_replaced_where_they_stand() {
        let text = "#define DEBUG 0\n#define D 1\nint f(int n, int *a)\n{\n    if (DEBUG > 1 && n)\n        n = D ? a[0] : 1;\n    return n;\n}\n";
        let tree = parse(text.as_bytes(), &[]);
        let found = choices(&[(text.as_bytes(), &tree)], &[], "x.c");
        let written = super::super::evaluations::written(text.as_bytes(), &found.edits[0]);
        let written = String::from_utf8(written).unwrap();
        assert_eq!(written.len(), text.len());
        assert!(
            written.contains("if ($a        && n)") || written.contains("if ($b        && n)"),
            "{written}"
        );
        assert!(written.contains("n = $ ? a[0] : 1;"));
        assert!(
            found
                .flags
                .iter()
                .any(|f| f.contains("__ompmemopt_choice:DEBUG > 1@x.c"))
        );
        assert!(found.functions[0].contains("f"));
    }

    #[test]
    fn only_numbers_of_the_programs_own_are_chosen() {
        let text = "#define P a[0]\n#define _OPENMP 5\nint f(int n, int *a) { if (P && _OPENMP) n = 1; return n; }\n";
        let tree = parse(text.as_bytes(), &[]);
        assert!(choices(&[(text.as_bytes(), &tree)], &[], "x.c").edits[0].is_empty());
    }

    #[test]
    fn names_fit() {
        let mut names = FreshNames::default();
        assert_eq!(names.next(1).as_deref(), Some("$"));
        assert_eq!(names.next(1), None);
        let many: BTreeSet<String> = (0..3000).filter_map(|_| names.next(5)).collect();
        assert_eq!(many.len(), 3000);
    }
}
