//! All texts that give a program's names their numbers: its files, and the headers of the project.

use super::Planning;
use super::literals::{Literal, literals};
use super::numbers::{Root, roots};
use crate::llvm::Instead;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::Path;

/// The texts of a program, with their numbers.
pub(super) struct ProgramTexts<'t> {
    own: Vec<&'t [u8]>,
    /// The headers of the project that the files include.
    pub headers: Vec<Instead>,
    /// By text: those of the files, then those of the headers.
    numbers: Vec<TextNumbers>,
}

/// The numbers of a text.
struct TextNumbers {
    roots: Vec<Root>,
    literals: Vec<Literal>,
}

impl<'t> ProgramTexts<'t> {
    /// Reads the numbers of files and headers.
    pub fn new(own: Vec<&'t [u8]>, headers: Vec<Instead>) -> ProgramTexts<'t> {
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
        ProgramTexts { own, headers, numbers }
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
        ProgramTexts::new(self.members.iter().map(|m| m.unit.text).collect(), self.headers())
    }

    /// The headers of the project that the files include.
    fn headers(&self) -> Vec<Instead> {
        let read = self.members.iter().flat_map(|m| &m.read.dependencies);
        let paths: BTreeSet<&Path> = read
            .map(|d| d.path.as_path())
            .filter(|p| !is_of_the_system(p))
            .collect();
        let text = |path: &Path| Some((path.to_owned(), std::fs::read(path).ok()?));
        paths.into_iter().filter_map(text).collect()
    }
}

/// Whether nobody of the project gives the macros of a header other values.
fn is_of_the_system(header: &Path) -> bool {
    let ours = |folder: &str| header.starts_with(folder);
    ["/usr", "/lib", "/opt", "/ompmemopt"].into_iter().any(ours) || header.to_string_lossy().contains("/lib/clang/")
}
