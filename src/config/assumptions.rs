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

use super::{Config, Entry, Place, Problem, comments, suggest};
use crate::analysis::known::{Known, name_in_text};
use crate::analysis::libc::{ArgAccess, LibFn, Returned};
use crate::program::ir::{FuncId, Function, Module, Type};
use crate::source::Span;
use crate::syntax::identifiers;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// A file of the run that may say something.
#[derive(Clone, Copy, Debug)]
pub struct Speaker<'a> {
    /// Its name, for people.
    pub name: &'a str,
    /// Its text.
    pub text: &'a [u8],
    /// Parts that are not compiled.
    pub inactive: &'a [Span],
    /// It is part of other files.
    pub is_header: bool,
    /// The configuration that holds for it.
    pub config: &'a Config,
}

/// A name that no program of the run has.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Unknown {
    /// Where it is named.
    pub place: Place,
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
    comments: Vec<Vec<(String, Entry)>>,
    problems: BTreeSet<Problem>,
    /// Entries that some program uses, and those that only a definition stands against.
    used: BTreeSet<Place>,
    defined: BTreeMap<Place, String>,
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
    pub fn known(&mut self, module: &Module, members: &[usize]) -> Known {
        self.names
            .extend(module.functions.iter().map(|f| name_in_text(f).to_owned()));
        let entries = self.entries(members);
        if entries.is_empty() && !members.iter().any(|m| self.files[*m].config.noalias_everywhere) {
            return Known::of_library(module);
        }
        let (mut said, mut noalias) = (FxHashMap::default(), FxHashSet::default());
        for (index, function) in module.functions.iter().enumerate() {
            let id = FuncId(index as u32);
            let file = members.get(function.unit as usize).map(|m| &self.files[*m]);
            if !function.declaration && file.is_some_and(|f| f.config.noalias_everywhere) {
                noalias.insert(id);
            }
            let Some(entry) = entries.get(name_in_text(function)) else {
                continue;
            };
            if entry.noalias && !function.declaration {
                noalias.insert(id);
            }
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
                        self.problems.insert(Problem { place, message });
                    }
                },
                None => {}
            }
        }
        Known::with(module, said, noalias)
    }

    /// What is said of each function in a program: by comments, else by the configurations of its files.
    fn entries(&mut self, members: &[usize]) -> BTreeMap<String, Entry> {
        let headers = (0..self.files.len()).filter(|f| self.files[*f].is_header && !members.contains(f));
        let speaking: Vec<usize> = members.iter().copied().chain(headers).collect();
        let in_comments = speaking.iter().flat_map(|f| &self.comments[*f]);
        let (mut entries, mut wrong) = merged(in_comments.map(|(name, entry)| (name, entry)));
        let files = members.iter().flat_map(|f| &self.files[*f].config.functions);
        let (in_files, more) = merged(files);
        wrong.extend(more);
        self.problems.extend(wrong);
        for (name, entry) in in_files {
            match entries.get_mut(&name) {
                None => drop(entries.insert(name, entry)),
                Some(closer) => {
                    closer.noalias |= entry.noalias;
                    if closer.effects.is_none() {
                        closer.effects = entry.effects;
                        closer.place = entry.place;
                    }
                }
            }
        }
        entries
    }

    /// What is wrong, in order.
    pub fn problems(&self) -> impl Iterator<Item = &Problem> {
        self.problems.iter()
    }

    /// Sentences about entries that have no effect.
    pub fn notes(&self) -> Vec<String> {
        let idle = self.defined.iter().filter(|(place, _)| !self.used.contains(place));
        let note = |(place, name): (&Place, &String)| {
            format!("{place}: `{name}` is defined in the program, so what is said of it here has no effect")
        };
        idle.map(note).collect()
    }

    /// Names that no program and no text of the run has.
    pub fn unknown(&self) -> Vec<Unknown> {
        let in_files = self.files.iter().flat_map(|f| &f.config.functions);
        let in_comments = self.comments.iter().flatten().map(|(name, entry)| (name, entry));
        let missing: BTreeMap<&Place, &String> = in_files
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

/// Entries by name. Those that contradict each other are left out.
fn merged<'e>(all: impl Iterator<Item = (&'e String, &'e Entry)>) -> (BTreeMap<String, Entry>, Vec<Problem>) {
    let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
    let mut contradicted: BTreeSet<&String> = BTreeSet::new();
    let mut problems = Vec::new();
    for (name, entry) in all {
        let Some(known) = entries.get_mut(name) else {
            entries.insert(name.clone(), entry.clone());
            continue;
        };
        known.noalias |= entry.noalias;
        match (&known.effects, &entry.effects) {
            (Some(one), Some(other)) if one != other => {
                contradicted.insert(name);
                problems.push(Problem {
                    place: entry.place.clone(),
                    message: format!("something else is said of `{name}` in {}; neither counts", known.place),
                });
            }
            (None, Some(_)) => {
                known.effects.clone_from(&entry.effects);
                known.place = entry.place.clone();
            }
            _ => {}
        }
    }
    for name in contradicted {
        if let Some(entry) = entries.get_mut(name) {
            entry.effects = None;
        }
    }
    (entries, problems)
}

/// What is said of a function, if it fits its parameters. A pointer result of which nothing is said may be anything that
/// the function can get at.
fn fitted(said: &LibFn, function: &Function) -> Result<LibFn, String> {
    let name = &said.name;
    let count = function.params.len() as u32;
    let is_pointer = |ty: &Type| !matches!(ty, Type::Void | Type::Int(_) | Type::Float(_));
    for (arg, pointer) in arguments(said) {
        match function.params.get(arg as usize) {
            Some(ty) if pointer && !is_pointer(ty) => {
                return Err(format!(
                    "argument {arg} of `{name}` is no pointer; arguments are counted from 0"
                ));
            }
            None if !function.variadic => {
                let has = match count {
                    0 => "no arguments".to_owned(),
                    1 => "one argument, which is 0".to_owned(),
                    _ => format!("{count} arguments, 0 to {}", count - 1),
                };
                return Err(format!("`{name}` has no argument {arg}: it has {has}"));
            }
            _ => {}
        }
    }
    let mut effects = said.clone();
    let said_of_result = !said.returns.is_empty() || said.alloc.is_some_and(|a| a.through.is_none());
    if is_pointer(&function.ret) && function.ret != Type::Void && !said_of_result {
        effects.returns.push(Returned::External);
        let pointers = (0..count).filter(|n| is_pointer(&function.params[*n as usize]));
        effects.keeps.extend(pointers);
    }
    Ok(effects)
}

/// The arguments that an entry speaks of, and whether they have to be pointers.
fn arguments(said: &LibFn) -> Vec<(u32, bool)> {
    use crate::analysis::libc::Extent;
    let mut found = Vec::new();
    let mut extent = |extent: Extent| match extent {
        Extent::Bytes(n) | Extent::Scaled(n, _) => found.push((n, false)),
        Extent::Product(a, b) => found.extend([(a, false), (b, false)]),
        Extent::Unknown | Extent::Reachable | Extent::Str | Extent::Const(_) => {}
    };
    let accesses = || said.reads.iter().chain(&said.writes);
    accesses().for_each(|access: &ArgAccess| extent(access.extent));
    said.alloc.iter().for_each(|alloc| extent(alloc.size));
    // `1..` and what `pure` means by itself hold for whatever pointers there are.
    found.extend(accesses().filter(|a| !a.rest).map(|a| (a.arg, true)));
    found.extend(said.alloc.iter().filter_map(|a| a.through).map(|n| (n, true)));
    let lists = [&said.frees, &said.frees_content, &said.keeps, &said.fills];
    found.extend(lists.into_iter().flatten().map(|n| (*n, true)));
    found.extend(said.returns.iter().filter_map(|r| match r {
        Returned::Arg(n) | Returned::Into(n) | Returned::Anywhere(n) | Returned::IntoContent(n) => Some((*n, true)),
        Returned::External => None,
    }));
    for callback in &said.callbacks {
        found.push((callback.func, true));
        found.extend(callback.args.iter().flatten().map(|n| (*n, false)));
    }
    found
}
