//! Which configuration holds for a file: the one named by `--config`, or the nearest `ompmemopt.toml` in its folder or
//! above. Only that one counts; it is not merged with those further up.

use crate::config::{self, Config, FILE_NAME, Unknown};
use crate::source::{Span, texts_below};
use crate::syntax::identifiers;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Finds configurations. Shared by all threads.
#[derive(Debug, Default)]
pub struct Configuration {
    named: Option<Arc<Config>>,
    found: Mutex<BTreeMap<PathBuf, Arc<Config>>>,
    problems: Mutex<BTreeSet<String>>,
}

impl Configuration {
    /// Reads the file named by `--config`, if any.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn new(named: Option<&Path>) -> Result<Configuration, String> {
        let mut configuration = Configuration::default();
        if let Some(path) = named {
            configuration.named = Some(configuration.read(path)?);
        }
        Ok(configuration)
    }

    /// What holds for `file`.
    pub fn of(&self, file: &Path) -> Arc<Config> {
        if let Some(named) = &self.named {
            return Arc::clone(named);
        }
        let Some(path) = nearest(file) else {
            return Arc::default();
        };
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let read = || {
            self.read(&path).unwrap_or_else(|problem| {
                self.note(problem);
                Arc::default()
            })
        };
        Arc::clone(found.entry(path.clone()).or_insert_with(read))
    }

    /// What is wrong in the files, sorted. Everything else that they say counts.
    pub fn problems(&self) -> Vec<String> {
        let problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        problems.iter().cloned().collect()
    }

    fn read(&self, path: &Path) -> Result<Arc<Config>, String> {
        let text = std::fs::read_to_string(path).map_err(|e| format!("{}: cannot be read ({e})", path.display()))?;
        let (config, problems) = config::parse(&shown(path), &text);
        problems.iter().for_each(|problem| self.note(problem.to_string()));
        Ok(Arc::new(config))
    }

    fn note(&self, problem: String) {
        let mut problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        problems.insert(problem);
    }
}

/// The file relative to the current folder, where it lies below it.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().ok();
    let inside = here.and_then(|here| path.strip_prefix(here).ok());
    inside.unwrap_or(path).display().to_string()
}

fn nearest(file: &Path) -> Option<PathBuf> {
    let file = std::path::absolute(file).ok()?;
    let folders = file.ancestors().skip(1);
    folders.map(|folder| folder.join(FILE_NAME)).find(|path| path.is_file())
}

/// The errors about functions that nothing names: neither the files of the run nor other C files and headers in the
/// folder of the configuration or below. So a run over a part of a project needs no configuration of its own.
pub fn missing(unknown: &[Unknown]) -> Vec<String> {
    let mut texts: BTreeMap<PathBuf, BTreeSet<String>> = BTreeMap::new();
    let missing = unknown.iter().filter(|unknown| {
        let file = Path::new(&unknown.place.file);
        if file.extension().is_none_or(|e| e != "toml") {
            return true;
        }
        let folder = file
            .parent()
            .filter(|f| !f.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        let words = texts
            .entry(folder.to_owned())
            .or_insert_with_key(|folder| words_below(folder));
        !words.contains(&unknown.name)
    });
    let message = |u: &Unknown| {
        format!(
            "{}: no function `{}` is declared or called in the program{}",
            u.place, u.name, u.hint
        )
    };
    missing.map(message).collect()
}

fn words_below(folder: &Path) -> BTreeSet<String> {
    let texts = texts_below(folder)
        .into_iter()
        .filter_map(|file| std::fs::read(file).ok());
    let words = texts.flat_map(|text| identifiers(&text, Span::new(0, text.len())));
    words.map(|(word, _)| word).collect()
}
