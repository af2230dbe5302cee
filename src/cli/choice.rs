//! `--only` and `--skip`: decisions of a run by their ids.
//!
//! ```text
//! ompmemopt rewrite -v step.c                      step.c:9:5: change: `u` stays on the device … [main/u]
//! ompmemopt rewrite --skip main/u step.c           everything but that
//! ompmemopt rewrite --only main/v,print/v step.c   that, and nothing else
//! ```
//!
//! Ids are those of a run without either option. What was chosen and needs something that was not is not made, and it is said what it needs.

use crate::rewrite::{Choosing, Rewritten, RunDecision};
use crate::source::SourceFile;
use std::collections::BTreeSet;
use strsim::osa_distance;

/// So many ids are suggested where one is unknown.
const MOST_NEAR: usize = 3;
/// Of so many decisions that are not made it is found out what they need.
const MOST_EXPLAINED: usize = 3;

/// Which decisions of a run are wanted.
#[derive(Clone, Copy)]
pub enum Wanted<'a> {
    /// All of them.
    All,
    /// As the command line names them.
    Named(&'a NamedDecisions),
    /// As somebody chooses who knows the run.
    Asked(&'a dyn Fn(AskedRun<'_>) -> Rewritten),
}

/// A run whose decisions are to be chosen.
pub struct AskedRun<'r> {
    /// The decisions, and what comes of some of them.
    pub choosing: Choosing<'r>,
    /// What comes of all of them.
    pub all: Rewritten,
    /// What the files are called.
    pub names: &'r [&'r str],
    /// Where the files are, and what they hold.
    pub files: &'r [&'r SourceFile],
}

/// The decisions that the command line names.
#[derive(Clone, Debug, Default)]
pub struct NamedDecisions {
    /// No others; `None`: all.
    pub only: Option<Vec<String>>,
    /// Not these.
    pub skip: Vec<String>,
}

impl NamedDecisions {
    /// As the options say; empty names count for nothing, so that a list may end in a comma.
    pub fn new(only: &[String], skip: &[String]) -> NamedDecisions {
        let named = |ids: &[String]| -> Vec<String> {
            let ids = ids.iter().map(|id| id.trim().to_owned());
            ids.filter(|id| !id.is_empty()).collect()
        };
        NamedDecisions {
            only: (!only.is_empty()).then(|| named(only)),
            skip: named(skip),
        }
    }

    /// Whether nothing is named, so that all decisions are made.
    pub fn is_all(&self) -> bool {
        self.only.is_none() && self.skip.is_empty()
    }

    /// The run with the decisions that are named.
    ///
    /// # Errors
    /// Which names are no decision of the run, behind what is wrong with files.
    pub fn chosen(&self, choosing: &Choosing<'_>, names: &[&str], all: Rewritten) -> Result<Rewritten, Vec<String>> {
        let known = KnownIds {
            decisions: &choosing.decisions,
            names,
        };
        let mut wrong = Vec::new();
        let mut found = |ids: &[String]| -> BTreeSet<usize> {
            let found = ids
                .iter()
                .filter_map(|id| known.find(id).map_err(|why| wrong.push(why)).ok());
            found.collect()
        };
        let every: BTreeSet<usize> = (0..choosing.decisions.len()).collect();
        let only = self.only.as_deref().map(&mut found);
        let skipped = found(&self.skip);
        if !wrong.is_empty() {
            // What a file has that cannot be dealt with nobody knows.
            let failed = all.files.iter().filter_map(|file| file.as_ref().err());
            return Err(failed.map(ToString::to_string).chain(wrong).collect());
        }
        let wanted: BTreeSet<usize> = only.as_ref().unwrap_or(&every).difference(&skipped).copied().collect();
        if wanted == every {
            return Ok(all);
        }
        let mut rewritten = choosing.only(&wanted);
        let made = choosing.made(&rewritten);
        let others: BTreeSet<usize> = every.difference(&wanted).copied().collect();
        let missing = wanted.iter().copied().filter(|at| !made.contains(at));
        let missing: Vec<usize> = missing.collect();
        let (explained, more) = missing.split_at(missing.len().min(MOST_EXPLAINED));
        let said: Vec<String> = explained
            .iter()
            .map(|at| missed(choosing, &wanted, *at, &others))
            .collect();
        rewritten.notes.extend(said);
        if !more.is_empty() {
            let more: Vec<String> = more
                .iter()
                .map(|at| format!("`{}`", choosing.decisions[*at].id))
                .collect();
            rewritten.notes.push(format!("not made either: {}", more.join(", ")));
        }
        Ok(rewritten)
    }
}

/// Why a decision is not made that was chosen, as a sentence.
pub fn missed(choosing: &Choosing<'_>, wanted: &BTreeSet<usize>, at: usize, others: &BTreeSet<usize>) -> String {
    let id = |at: &usize| format!("`{}`", choosing.decisions[*at].id);
    match choosing.needed(wanted, at, others) {
        Some(needed) if !needed.is_empty() => {
            let needed: Vec<String> = needed.iter().map(id).collect();
            format!("{} is not made: it needs {} as well", id(&at), needed.join(" and "))
        }
        _ => format!("{} is not made: it needs some of what was not chosen", id(&at)),
    }
}

/// What decisions can be called.
struct KnownIds<'k> {
    decisions: &'k [RunDecision],
    /// The names of files.
    names: &'k [&'k str],
}

impl KnownIds<'_> {
    /// The decision of an id, which may begin with its file where it need not.
    ///
    /// # Errors
    /// There is none, or there are several.
    fn find(&self, id: &str) -> Result<usize, String> {
        let long = |d: &RunDecision| match d.id.strip_prefix(self.names[d.file]) {
            Some(_) => d.id.clone(),
            None => format!("{}:{}", self.names[d.file], d.id),
        };
        let is_called = |d: &RunDecision| d.id == id || long(d) == id;
        if let Some(at) = self.decisions.iter().position(is_called) {
            return Ok(at);
        }
        let ends = format!(":{id}");
        let several = self.decisions.iter().filter(|d| d.id.ends_with(&ends));
        let several: Vec<String> = several.map(|d| format!("`{}`", d.id)).collect();
        if !several.is_empty() {
            return Err(format!(
                "`{id}` is a decision in several files: name {}",
                several.join(" or ")
            ));
        }
        Err(match self.near(id) {
            near if near.is_empty() => format!("`{id}`: there is no such decision, and no other"),
            near => format!(
                "`{id}`: there is no such decision; the nearest: {} (-v shows all)",
                near.join(", ")
            ),
        })
    }

    /// The ids that are most like one.
    fn near(&self, id: &str) -> Vec<String> {
        let mut all: Vec<&str> = self.decisions.iter().map(|d| d.id.as_str()).collect();
        all.sort_by_key(|known| (osa_distance(id, known), *known));
        all.iter().take(MOST_NEAR).map(|id| format!("`{id}`")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{DecisionKey, DecisionSubject};

    fn decision(id: &str, file: usize) -> RunDecision {
        RunDecision {
            id: id.to_owned(),
            file,
            key: DecisionKey {
                function: "main".to_owned(),
                subject: DecisionSubject::Directives,
            },
            notes: Vec::new(),
        }
    }

    #[test]
    fn ids_are_found_with_their_file_and_without() {
        let decisions = [decision("main/u", 0), decision("a.c:f/v", 0), decision("b.c:f/v", 1)];
        let known = KnownIds {
            decisions: &decisions,
            names: &["a.c", "b.c"],
        };
        assert_eq!(known.find("main/u"), Ok(0));
        assert_eq!(known.find("a.c:main/u"), Ok(0));
        assert_eq!(known.find("b.c:f/v"), Ok(2));
        let several = known.find("f/v").unwrap_err();
        assert_eq!(
            several,
            "`f/v` is a decision in several files: name `a.c:f/v` or `b.c:f/v`"
        );
        let none = known.find("main/w").unwrap_err();
        assert!(
            none.starts_with("`main/w`: there is no such decision; the nearest: `main/u`"),
            "{none}"
        );
        assert!(known.find("b.c:main/u").is_err());
    }

    #[test]
    fn a_list_may_end_in_a_comma() {
        let named = NamedDecisions::new(&[], &["main/u".into(), " ".into(), String::new()]);
        assert_eq!(named.skip, ["main/u"]);
        assert!(NamedDecisions::new(&[], &[String::new()]).is_all());
        assert_eq!(NamedDecisions::new(&[String::new()], &[]).only, Some(Vec::new()));
    }
}
