//! What is said of which function of a linked program, and what of it is wrong or has no effect.
//!
//! ```text
//! in a.c:  // ompmemopt: pure          the comment counts: closest wins
//! for a.c: ompmemopt.toml              ┐ different files for the files of one program may say the same of a function;
//! for b.c: sub/ompmemopt.toml          ┘ where they contradict each other, neither counts
//! ```
//!
//! A header's comments hold for all programs of the run, those of a C file for the program that it is part of. One
//! [`Assumptions`] serves all programs of a run, since only at its end is it known which names no program has.

use super::fit::fitted;
use super::merge::merged;
use super::{Config, ConfigProblem, EntryPlace, FunctionEntry, comments, suggest};
use crate::analysis::known::{KnownFunctions, name_in_text};
use crate::program::ir::{FuncId, Function, Module};
use crate::source::Span;
use crate::syntax::identifiers;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A file of the run that may say something.
#[derive(Clone, Copy, Debug)]
pub struct Speaker<'a> {
    /// The file's name, for people.
    pub name: &'a str,
    /// The file's text.
    pub text: &'a [u8],
    /// Parts that are not compiled.
    pub inactive: &'a [Span],
    /// The file is part of other files.
    pub is_header: bool,
    /// The configuration that holds for it.
    pub config: &'a Config,
}

/// A name that no program of the run has.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Unknown {
    /// Where it is named.
    pub place: EntryPlace,
    /// The name.
    pub name: String,
    /// `; did you mean …?`, or nothing.
    pub hint: String,
}

/// What the user says, for all programs of a run.
#[derive(Debug)]
pub struct Assumptions<'a> {
    files: Vec<Speaker<'a>>,
    /// What each file's comments say.
    comments: Vec<Vec<(String, FunctionEntry)>>,
    problems: BTreeSet<ConfigProblem>,
    /// Entries that some program uses, and those that only a definition stands against.
    used: BTreeSet<EntryPlace>,
    defined: BTreeMap<EntryPlace, String>,
    /// Names of functions in all programs.
    names: BTreeSet<String>,
}

impl<'a> Assumptions<'a> {
    /// Reads the comments of all files.
    pub fn new(files: Vec<Speaker<'a>>) -> Assumptions<'a> {
        let mut problems = BTreeSet::new();
        let comments = files.iter().map(|file| {
            let (entries, wrong) = comments::read(file.name, file.text, file.inactive);
            problems.extend(wrong);
            entries
        });
        Assumptions {
            comments: comments.collect(),
            files,
            problems,
            used: BTreeSet::new(),
            defined: BTreeMap::new(),
            names: BTreeSet::new(),
        }
    }

    /// What is known of the functions of a program that consists of these files.
    pub fn known(&mut self, module: &Module, members: &[usize]) -> KnownFunctions {
        self.names
            .extend(module.functions.iter().map(|f| name_in_text(f).to_owned()));
        let entries = self.entries(members);
        let (mut said, mut noalias) = (FxHashMap::default(), FxHashSet::default());
        for (index, function) in module.functions.iter().enumerate() {
            let id = FuncId(index as u32);
            if !function.declaration && self.is_noalias(function, members) {
                noalias.insert(id);
            }
            let Some(entry) = entries.get(name_in_text(function)) else {
                continue;
            };
            match &entry.effects {
                Some(_) if !function.declaration => {
                    self.defined.insert(entry.place.clone(), function.name.clone());
                }
                Some(effects) => match fitted(effects, function) {
                    Ok(effects) => {
                        self.used.insert(entry.place.clone());
                        said.insert(id, effects);
                    }
                    Err(message) => {
                        let place = entry.place.clone();
                        self.problems.insert(ConfigProblem { place, message });
                    }
                },
                None => {}
            }
        }
        let without = members.iter().flat_map(|f| &self.files[*f].config.without_libraries);
        KnownFunctions::with(module, said, noalias, &without.cloned().collect())
    }

    /// Whether a function that the program defines is said to be `noalias`: of a `static` one only its own file speaks.
    fn is_noalias(&self, function: &Function, members: &[usize]) -> bool {
        let own = members.get(function.unit as usize).map(std::slice::from_ref);
        let heard = own.filter(|_| function.internal).unwrap_or(members);
        let promised = |entry: &FunctionEntry| entry.noalias;
        own.is_some_and(|own| own.iter().any(|f| self.files[*f].config.noalias_everywhere))
            || self.speaking(heard).iter().any(|f| {
                let mut comments = self.comments[*f].iter();
                comments.any(|(name, entry)| *name == function.name && promised(entry))
            })
            || heard.iter().any(|f| {
                let said = &self.files[*f].config.functions;
                said.get(&function.name).is_some_and(promised)
            })
    }

    /// The files whose comments count for these: they themselves, and headers.
    fn speaking(&self, members: &[usize]) -> Vec<usize> {
        let headers = (0..self.files.len()).filter(|f| self.files[*f].is_header && !members.contains(f));
        members.iter().copied().chain(headers).collect()
    }

    /// What is said of what each function in a program does: by comments, else by the configurations of its files.
    fn entries(&mut self, members: &[usize]) -> BTreeMap<String, FunctionEntry> {
        let speaking = self.speaking(members);
        let in_comments = speaking.iter().flat_map(|f| &self.comments[*f]);
        let (mut entries, mut wrong) = merged(in_comments.map(|(name, entry)| (name, entry)));
        let files = members.iter().flat_map(|f| &self.files[*f].config.functions);
        let (in_files, more) = merged(files);
        wrong.extend(more);
        self.problems.extend(wrong);
        for (name, entry) in in_files {
            match entries.get_mut(&name) {
                Some(closer) if closer.effects.is_some() => {}
                _ => drop(entries.insert(name, entry)),
            }
        }
        entries
    }

    /// What is wrong, in order.
    pub fn problems(&self) -> impl Iterator<Item = &ConfigProblem> {
        self.problems.iter()
    }

    /// Sentences about entries that have no effect.
    pub fn notes(&self) -> Vec<String> {
        let idle = self.defined.iter().filter(|(place, _)| !self.used.contains(place));
        let note = |(place, name): (&EntryPlace, &String)| {
            format!("{place}: `{name}` is defined in the program, so what is said of it here has no effect")
        };
        idle.map(note).collect()
    }

    /// Names that no program and no text of the run has.
    pub fn unknown(&self) -> Vec<Unknown> {
        let in_files = self.files.iter().flat_map(|f| &f.config.functions);
        let in_comments = self.comments.iter().flatten().map(|(name, entry)| (name, entry));
        let missing: BTreeMap<&EntryPlace, &String> = in_files
            .chain(in_comments)
            .filter(|(name, _)| !self.names.contains(*name))
            .map(|(name, entry)| (&entry.place, name))
            .collect();
        if missing.is_empty() {
            return Vec::new();
        }
        let words = self
            .files
            .iter()
            .flat_map(|f| identifiers(f.text, Span::new(0, f.text.len())));
        let words: FxHashSet<String> = words.map(|(word, _)| word).collect();
        let missing = missing.into_iter().filter(|(_, name)| !words.contains(*name));
        let unknown = missing.map(|(place, name)| Unknown {
            place: place.clone(),
            name: name.clone(),
            hint: suggest::hint(name, self.names.iter().map(String::as_str)),
        });
        unknown.collect()
    }
}

#[cfg(test)]
mod tests;
