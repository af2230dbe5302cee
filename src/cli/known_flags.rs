//! Which flags clang knows: it is asked, because no list of other compilers' flags would ever be whole.

use crate::facts::{Store, StoreKey, UnitSource};
use crate::llvm::{self, ClangOptions, Input, LlvmError};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Most times that clang is asked about one set of flags: it names several unknown ones at once.
const MOST_QUESTIONS: usize = 8;

/// What clang is asked about with the flags.
const TRIAL_NAME: &str = "ompmemopt-flags.c";
const TRIAL_TEXT: &[u8] = b"int ompmemopt_flags;\n";

/// Answers that were given. Shared by all threads.
#[derive(Debug, Default)]
pub struct KnownFlags<'a> {
    /// Flags as given, to those that clang knows.
    answers: Mutex<BTreeMap<Vec<String>, Vec<String>>>,
    store: Option<&'a Store>,
}

impl<'a> KnownFlags<'a> {
    /// Lets the next run know the answers.
    pub fn keeping_in(store: &'a Store) -> KnownFlags<'a> {
        KnownFlags {
            answers: Mutex::default(),
            store: Some(store),
        }
    }

    /// The flags of `compile` that clang knows, in their order.
    pub fn among(&self, compile: &ClangOptions, clang: &Path) -> Vec<String> {
        if compile.flags.is_empty() {
            return Vec::new();
        }
        if let Some(known) = self.answers().get(&compile.flags) {
            return known.clone();
        }
        let known = self.kept_or_asked(compile, clang);
        self.answers().insert(compile.flags.clone(), known.clone());
        known
    }

    /// Good even after a panic elsewhere: every change is one insertion.
    fn answers(&self) -> MutexGuard<'_, BTreeMap<Vec<String>, Vec<String>>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn kept_or_asked(&self, compile: &ClangOptions, clang: &Path) -> Vec<String> {
        let Some(store) = self.store else {
            return asked(compile, clang);
        };
        let question = UnitSource {
            clang,
            file: Path::new(TRIAL_NAME),
            name: Path::new(TRIAL_NAME),
            text: TRIAL_TEXT,
            options: compile,
        };
        let key = StoreKey::new("known flags", [question.hash().as_bytes().as_slice()]);
        let kept = store.get_bytes(&key);
        if let Some(kept) = kept.and_then(|bytes| serde_json::from_slice(&bytes).ok()) {
            return kept;
        }
        let known = asked(compile, clang);
        if let Ok(bytes) = serde_json::to_vec(&known) {
            store.put_bytes(&key, &bytes);
        }
        known
    }
}

/// The flags less those that clang, when asked, calls unknown.
fn asked(compile: &ClangOptions, clang: &Path) -> Vec<String> {
    let mut trial = compile.clone();
    for _ in 0..MOST_QUESTIONS {
        let input = Input::text(Path::new(TRIAL_NAME), TRIAL_TEXT);
        let Err(LlvmError::Rejected { stderr, .. }) = llvm::preprocess(clang, &input, &trial, false) else {
            break;
        };
        let unknown = unknown_flags(&stderr);
        let before = trial.flags.len();
        trial
            .flags
            .retain(|flag| !unknown.iter().any(|word| is_meant(flag, word)));
        if trial.flags.len() == before {
            break;
        }
    }
    trial.flags
}

/// The flags, or the values in flags, that clang's messages call unknown.
fn unknown_flags(stderr: &str) -> BTreeSet<&str> {
    let complaints = [
        "unknown argument",
        "unsupported option",
        "unsupported argument",
        "language not recognized",
        "unknown target CPU",
    ];
    stderr
        .lines()
        .filter(|line| complaints.iter().any(|c| line.contains(c)))
        .filter_map(|line| line.split('\'').nth(1))
        .collect()
}

/// Whether a complaint about `word` is about `flag`: its whole, its name with `=`, or the value in `-march=…` and `-x…`.
fn is_meant(flag: &str, word: &str) -> bool {
    let value = flag.strip_prefix("-x").or_else(|| Some(flag.split_once('=')?.1));
    flag == word || value == Some(word) || (word.ends_with('=') && flag.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clangs_complaints_are_read() {
        let stderr = "clang: error: unknown argument: '-acc'\nclang: error: unknown argument '-mp=gpu'; did you mean '-mp'?\nx.c:1:1: error: 'y'";
        assert_eq!(unknown_flags(stderr), BTreeSet::from(["-acc", "-mp=gpu"]));
        assert!(is_meant("-xHost", "Host") && is_meant("-march=odd", "odd") && is_meant("-acc", "-acc"));
        assert!(!is_meant("-DX=1", "-acc"));
    }
}
