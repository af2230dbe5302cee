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
use crate::syntax::{
    ConstantName, Define, FoldedName, FoldedOperand, ScopeTree, Within, constant_names, declared_otherwise,
    folded_operands, identifiers, token_spans,
};
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

impl Choices {
    /// Of one text, of which no condition is left open.
    pub fn none() -> Choices {
        Choices {
            edits: vec![Vec::new()],
            flags: Vec::new(),
            functions: vec![BTreeSet::new()],
            macros: vec![BTreeSet::new()],
            unread: vec![false],
        }
    }
}

/// Macros stand for others this deep.
const MOST_STEPS: usize = 8;

/// Names of numbers that a compiler knows: macros of the text, of headers of the program's own, and of flags, which a build may
/// choose, and what declarations make of these.
struct Own<'t> {
    macros: FxHashMap<&'t str, Vec<&'t str>>,
    constants: FxHashMap<&'t str, Vec<&'t ConstantName>>,
}

impl<'t> Own<'t> {
    fn of(texts: &[(&[u8], &'t ScopeTree)], others: &'t [Define], declared: &'t [Vec<ConstantName>]) -> Own<'t> {
        let mut macros: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
        let own = texts.iter().flat_map(|(_, tree)| &tree.constants);
        let own = own.map(|(name, body)| (name.as_str(), body.as_str()));
        let others = others.iter().filter(|d| d.params.is_none());
        for (name, body) in own.chain(others.map(|d| (d.name.as_str(), d.body.as_str()))) {
            macros.entry(name).or_default().push(body);
        }
        let mut constants: FxHashMap<&str, Vec<&ConstantName>> = FxHashMap::default();
        for constant in declared.iter().flatten() {
            constants.entry(&constant.name).or_default().push(constant);
        }
        Own { macros, constants }
    }

    /// What a name stands for, where nothing else is declared by it.
    fn name(&self, name: &str, steps: usize) -> Option<FoldedName> {
        let reserved =
            name.starts_with("__") || name.starts_with('_') && name[1..].starts_with(|c: char| c.is_uppercase());
        if reserved || steps == 0 {
            return None;
        }
        if let Some(bodies) = self.macros.get(name) {
            let numbers = bodies.iter().all(|body| self.value(body, steps).is_some());
            return numbers.then_some(FoldedName::Chosen);
        }
        let constants = self.constants.get(name)?.iter();
        let known = constants.map(|constant| match self.value(&constant.value, steps)? {
            FoldedName::Fixed if !constant.open => Some(FoldedName::Fixed),
            _ => Some(FoldedName::Chosen),
        });
        let known = known.collect::<Option<Vec<_>>>()?;
        let chosen = known.contains(&FoldedName::Chosen);
        Some(if chosen { FoldedName::Chosen } else { FoldedName::Fixed })
    }

    /// Whether an expression is a number, and which.
    fn value(&self, body: &str, steps: usize) -> Option<FoldedName> {
        const WORDS: [&str; 8] = ["true", "false", "int", "long", "unsigned", "signed", "char", "short"];
        let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"_+-*/%<>=!&|^~()?:. \t'".contains(&b);
        if body.trim().is_empty() || !body.bytes().all(is_plain) {
            return None;
        }
        let mut found = FoldedName::Fixed;
        for (word, _) in identifiers(body.as_bytes(), Span::new(0, body.len())) {
            if WORDS.contains(&word.as_str()) {
                continue;
            }
            if self.name(&word, steps - 1)? == FoldedName::Chosen {
                found = FoldedName::Chosen;
            }
        }
        Some(found)
    }

    /// Whether the constants in a condition are declared once.
    fn are_once(&self, words: &str) -> bool {
        let names = identifiers(words.as_bytes(), Span::new(0, words.len()));
        names
            .iter()
            .all(|(name, _)| self.constants.get(name.as_str()).is_none_or(|c| c.len() == 1))
    }
}

/// Leaves the conditions of texts open that macros decide: of a file, and of headers that it includes. `others` are macros that
/// headers of the program's own and flags define.
pub(super) fn choices(texts: &[(&[u8], &ScopeTree)], others: &[Define], file: &str) -> Choices {
    let declared: Vec<Vec<ConstantName>> = texts.iter().map(|(text, tree)| constant_names(text, tree)).collect();
    let all: Vec<ConstantName> = declared.iter().flatten().cloned().collect();
    let own = Own::of(texts, others, &declared);
    let mut found = Choices {
        edits: vec![Vec::new(); texts.len()],
        functions: vec![BTreeSet::new(); texts.len()],
        macros: vec![BTreeSet::new(); texts.len()],
        unread: vec![false; texts.len()],
        flags: Vec::new(),
    };
    if own.macros.is_empty() && own.constants.is_empty() || texts.iter().any(|(text, _)| text.contains(&b'$')) {
        return found;
    }
    let mut by_words: BTreeMap<String, Vec<(usize, FoldedOperand)>> = BTreeMap::new();
    for (at, (text, tree)) in texts.iter().enumerate() {
        // A header's constants have no places in this text: what is declared by their names here is something else.
        let otherwise = declared_otherwise(tree, &declared[at], &all);
        let is_otherwise = |function: Option<u32>, name: &str| match function {
            Some(function) => otherwise.get(&function).is_some_and(|names| names.contains(name)),
            None => otherwise.values().any(|names| names.contains(name)),
        };
        let names =
            |function: Option<u32>, name: &str| own.name(name, MOST_STEPS).filter(|_| !is_otherwise(function, name));
        for operand in folded_operands(text, tree, &names) {
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
        let one = own.are_once(&words) && texts.iter().all(|(text, tree)| means_one_thing(text, tree, &words));
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

    /// The conditions of a text that are left open.
    fn open(text: &str) -> usize {
        let tree = parse(text.as_bytes(), &[]);
        choices(&[(text.as_bytes(), &tree)], &[], "x.c").flags.len()
    }

    #[test]
    fn constants_that_follow_macros_are_chosen() {
        let function = "void f(int *a) { if (verbose > 1) a[0] = 1; }\n";
        assert_eq!(
            open(&format!("#define V 0\nstatic const int verbose = V;\n{function}")),
            1
        );
        assert_eq!(open(&format!("#define V 0\nenum {{ verbose = V }};\n{function}")), 1);
        assert_eq!(open(&format!("#define V 0\nenum {{ quiet, verbose }};\n{function}")), 0);
        assert_eq!(open(&format!("#define V 0\nstatic int verbose = V;\n{function}")), 0);
        assert_eq!(
            open(&format!(
                "#ifdef X\n#else\nstatic const int verbose = 0;\n#endif\n{function}"
            )),
            1
        );
        assert_eq!(
            open("enum { OFF, ON };\n#define MODE OFF\nvoid f(int *a) { if (MODE == ON) a[0] = 1; }\n"),
            1
        );
        assert_eq!(
            open("#define MODE 'c'\nvoid f(int *a) { if (MODE == 'v') a[0] = 1; }\n"),
            1
        );
        // The parameter is something else.
        assert_eq!(
            open("#define V 0\nstatic const int v = V;\nvoid f(int v, int *a) { if (v > 1) a[0] = 1; }\n"),
            0
        );
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
