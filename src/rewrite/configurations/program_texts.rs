//! All texts that give a program's names their numbers: its files, and the headers of the project.

use super::Planning;
use super::literals::{Literal, literals};
use super::numbers::{Bodies, Root, roots};
use crate::analysis::cexpr::evaluate;
use crate::llvm::Instead;
use crate::rewrite::member::Member;
use crate::source::Span;
use crate::syntax::{conditional_lines, identifiers, text_definitions};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The texts of a program, with their numbers.
pub(super) struct ProgramTexts<'t> {
    own: Vec<&'t [u8]>,
    /// The headers of the project that the files include.
    pub headers: Vec<Instead>,
    /// By text: those of the files, then those of the headers.
    numbers: Vec<TextNumbers>,
    /// What macros that conditionals of the preprocessor ask for are worth in this build, where all texts and flags say one
    /// thing of them: so a sample has the branches of the program, whatever the macros are worth in it.
    asked: BTreeMap<String, i128>,
    /// Names that stand somewhere else than in conditionals and behind `#define`: what they are worth can make a difference.
    used: FxHashSet<String>,
}

/// The numbers of a text.
struct TextNumbers {
    roots: Vec<Root>,
    literals: Vec<Literal>,
}

impl<'t> ProgramTexts<'t> {
    /// Reads the numbers of files and headers.
    pub fn new(own: Vec<&'t [u8]>, headers: Vec<Instead>, flags: &[(String, String)]) -> ProgramTexts<'t> {
        let all: Vec<&[u8]> = own
            .iter()
            .copied()
            .chain(headers.iter().map(|(_, text)| &text[..]))
            .collect();
        let numbers = all.par_iter().map(|text| {
            let roots = roots(text);
            TextNumbers {
                literals: literals(text, &roots),
                roots,
            }
        });
        let numbers = numbers.collect();
        let asked = asked(&all, flags);
        let used = all.iter().flat_map(|text| used_words(text)).collect();
        ProgramTexts {
            own,
            headers,
            numbers,
            asked,
            used,
        }
    }

    /// Whether it may make a difference what a name is worth, in a build that has the branches of this one.
    pub fn is_used(&self, name: &str) -> bool {
        self.used.contains(name)
    }

    /// What a name in a condition of the preprocessor is worth in this build.
    pub fn asked(&self, name: &str) -> Option<i128> {
        self.asked.get(name).copied()
    }

    /// The texts: of the files in their order, then of the headers.
    pub fn all(&self) -> impl Iterator<Item = &[u8]> {
        let headers = self.headers.iter().map(|(_, text)| text.as_slice());
        self.own.iter().copied().chain(headers)
    }

    /// The texts, each with its roots.
    pub fn with_roots(&self) -> impl Iterator<Item = (&[u8], &[Root])> {
        self.all().zip(self.numbers.iter().map(|n| n.roots.as_slice()))
    }

    /// The roots of all texts.
    pub fn roots(&self) -> impl Iterator<Item = &Root> {
        self.numbers.iter().flat_map(|n| &n.roots)
    }

    /// The roots of a file, by its place.
    pub fn roots_of_file(&self, at: usize) -> &[Root] {
        &self.numbers[at].roots
    }

    /// The roots of a header, by its place among the headers.
    pub fn roots_of_header(&self, at: usize) -> &[Root] {
        &self.numbers[self.own.len() + at].roots
    }

    /// The literals of all texts.
    pub fn literals(&self) -> impl Iterator<Item = &Literal> {
        self.numbers.iter().flat_map(|n| &n.literals)
    }
}

impl Planning<'_, '_> {
    /// The texts of the program's files and of its headers.
    pub(super) fn texts(&self) -> ProgramTexts<'_> {
        let own = self.members.iter().map(|m| m.unit.text).collect();
        let defines = self
            .members
            .iter()
            .flat_map(|m| m.unit.options.plan.defines.iter().cloned());
        ProgramTexts::new(own, self.headers(), &defines.collect::<Vec<_>>())
    }

    /// The headers of the project that the files include.
    fn headers(&self) -> Vec<Instead> {
        let read = self
            .members
            .iter()
            .flat_map(|m| m.read.dependencies.iter().map(move |d| (d, m)));
        let read = read.filter(|(d, _)| !is_of_the_system(&d.path));
        let paths: BTreeMap<&Path, &Member<'_>> = read.map(|(d, m)| (d.path.as_path(), m)).collect();
        let text = |(path, member): (&Path, &Member<'_>)| {
            let text = member.unit.options.compile.header(path)?;
            Some((path.to_owned(), text))
        };
        paths.into_iter().filter_map(text).collect()
    }
}

/// The names in conditions of the preprocessor with what they are worth, where texts and flags have one body for each.
fn asked(texts: &[&[u8]], flags: &[(String, String)]) -> BTreeMap<String, i128> {
    let mut bodies: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut unsure: BTreeSet<String> = BTreeSet::new();
    for text in texts {
        let (defined, undefined) = text_definitions(text);
        unsure.extend(undefined);
        for define in defined {
            match define.params {
                None => drop(bodies.entry(define.name).or_default().insert(define.body)),
                Some(_) => drop(unsure.insert(define.name)),
            }
        }
    }
    // What a flag says, `#ifndef` leaves as it is.
    let of_flags: BTreeMap<String, BTreeSet<String>> = flags.iter().fold(BTreeMap::new(), |mut all, (name, body)| {
        all.entry(name.clone()).or_default().insert(body.clone());
        all
    });
    bodies.extend(of_flags);
    let known = bodies
        .into_iter()
        .filter(|(name, bodies)| bodies.len() == 1 && !unsure.contains(name));
    let known = Bodies::of(
        known
            .filter_map(|(name, bodies)| Some((name, bodies.into_iter().next()?)))
            .collect(),
    );
    let words = texts
        .iter()
        .flat_map(|text| asked_words(text).into_iter().map(|(word, _)| word));
    let worth = |word: String| Some((word.clone(), evaluate(&word, &known)?.as_constant()?));
    words.filter_map(worth).collect()
}

/// The names that stand outside of conditionals of the preprocessor, but for those behind `#define` and `#undef`.
fn used_words(text: &[u8]) -> Vec<String> {
    let conditionals = conditional_lines(text);
    let is_asked = |at: usize| {
        let before = conditionals.partition_point(|line| line.start <= at);
        before > 0 && at < conditionals[before - 1].end
    };
    let mut defining = false;
    let words = identifiers(text, Span::new(0, text.len())).into_iter();
    let used = words.filter(|(word, span)| {
        let names = ["define", "undef"].contains(&word.as_str()) && text[..span.start].trim_ascii_end().ends_with(b"#");
        !std::mem::replace(&mut defining, names) && !is_asked(span.start)
    });
    used.map(|(word, _)| word).collect()
}

/// A condition of the preprocessor (`#if` or `#elif`).
pub(super) struct AskedCondition {
    /// Where its first token may stand: the end of the word `if` or `elif`.
    pub start: usize,
    /// The names whose values it asks for, with their places: not those behind `defined`.
    pub words: Vec<(String, Span)>,
}

/// The conditions of a text that ask for values.
pub(super) fn asked_conditions(text: &[u8]) -> Vec<AskedCondition> {
    let condition = |line: Span| {
        let words = identifiers(text, line);
        let ((directive, at), rest) = words.split_first()?;
        if !["if", "elif"].contains(&directive.as_str()) {
            return None;
        }
        let mut defining = false;
        let is_asked = |(word, span): &&(String, Span)| {
            let called = text.get(span.end) == Some(&b'(');
            !std::mem::replace(&mut defining, word == "defined") && word != "defined" && !called
        };
        Some(AskedCondition {
            start: at.end,
            words: rest.iter().filter(is_asked).cloned().collect(),
        })
    };
    conditional_lines(text).into_iter().filter_map(condition).collect()
}

/// The names in conditions of the preprocessor whose values are asked for, with their places: not those behind `defined`.
pub(super) fn asked_words(text: &[u8]) -> Vec<(String, Span)> {
    asked_conditions(text).into_iter().flat_map(|c| c.words).collect()
}

/// Whether nobody of the project gives the macros of a header other values.
fn is_of_the_system(header: &Path) -> bool {
    let ours = |folder: &str| header.starts_with(folder);
    ["/usr", "/lib", "/opt", "/ompmemopt"].into_iter().any(ours) || header.to_string_lossy().contains("/lib/clang/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_ask_for_numbers() {
        let text = "#ifndef V\n#define V 3\n#endif\n#define CELLS (V * 8)\n#define K 1\n#undef K\n#if CELLS > 5 && defined(OTHER) && V\n\
                    #elif K == 2 || F(V)\n#endif\n";
        let texts = ProgramTexts::new(vec![text.as_bytes()], Vec::new(), &[]);
        assert_eq!((texts.asked("CELLS"), texts.asked("V")), (Some(24), Some(3)));
        assert_eq!(
            (texts.asked("K"), texts.asked("OTHER"), texts.asked("F")),
            (None, None, None)
        );
        let flags = [("V".to_owned(), "7".to_owned())];
        let texts = ProgramTexts::new(vec![text.as_bytes()], Vec::new(), &flags);
        assert_eq!((texts.asked("CELLS"), texts.asked("V")), (Some(56), Some(7)));
    }
}
