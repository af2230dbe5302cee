//! Which configuration holds for a file: the one named by `--config`, or the nearest `ompmemopt.toml` in its folder or
//! above. Only that one counts; it is not merged with those further up. Patterns and folders in it are seen from where it is.

use super::compile_commands;
use crate::config::{self, Config, FILE_NAME, Unknown};
use crate::rules::{NamedRules, RuleSelection};
use crate::source::{Span, texts_below};
use crate::syntax::identifiers;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Finds configurations. Shared by all threads.
#[derive(Debug, Default)]
pub struct Configuration {
    named: Option<ReadConfig>,
    found: Mutex<BTreeMap<PathBuf, ReadConfig>>,
    problems: Mutex<BTreeSet<String>>,
}

/// A configuration file that was read.
#[derive(Clone, Debug)]
struct ReadConfig {
    config: Arc<Config>,
    /// The folder that it is in.
    folder: PathBuf,
    exclude: Arc<Gitignore>,
    per_file_ignores: Arc<Vec<(Gitignore, Vec<NamedRules>)>>,
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
        self.read_for(file).map_or_else(Arc::default, |read| read.config)
    }

    /// Whether `file` is left out where folders are looked through.
    pub fn excludes(&self, file: &Path) -> bool {
        self.read_for(file).is_some_and(|read| matches(&read.exclude, file))
    }

    /// The rules that a check of `file` is about, if the command line says `asked`.
    pub fn rules(&self, file: &Path, asked: &RuleSelection) -> RuleSelection {
        let Some(read) = self.read_for(file) else {
            return asked.clone();
        };
        let of_file = read.per_file_ignores.iter().filter(|(files, _)| matches(files, file));
        let named = of_file.flat_map(|(_, rules)| rules).flat_map(|rules| &rules.0);
        let mut rules = read.config.settings.rules.under(asked);
        rules.ignore.extend(named);
        rules
    }

    /// The compilation database that the configuration of `file` names.
    pub fn build_path(&self, file: &Path) -> Option<PathBuf> {
        let read = self.read_for(file)?;
        let path = read.folder.join(read.config.settings.options.build_path.as_ref()?);
        Some(match path.is_dir() {
            true => path.join(compile_commands::FILE_NAME),
            false => path,
        })
    }

    fn read_for(&self, file: &Path) -> Option<ReadConfig> {
        if let Some(named) = &self.named {
            return Some(named.clone());
        }
        let path = nearest(file)?;
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(read) = found.get(&path) {
            return Some(read.clone());
        }
        match self.read(&path) {
            Ok(read) => Some(found.entry(path).or_insert(read).clone()),
            Err(problem) => {
                self.note(problem);
                None
            }
        }
    }

    /// What is wrong in the files, sorted. Everything else that they say counts.
    pub fn problems(&self) -> Vec<String> {
        let problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        problems.iter().cloned().collect()
    }

    fn read(&self, path: &Path) -> Result<ReadConfig, String> {
        let text = std::fs::read_to_string(path).map_err(|e| format!("{}: cannot be read ({e})", path.display()))?;
        let (config, problems) = config::parse(&shown(path), &text);
        problems.iter().for_each(|problem| self.note(problem.to_string()));
        let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let folder = whole.parent().unwrap_or(Path::new("/")).to_owned();
        let patterns = |all: &[String]| {
            patterns(&folder, all).unwrap_or_else(|why| {
                self.note(format!("{}: {why}", shown(path)));
                Gitignore::empty()
            })
        };
        let of_files = config.settings.per_file_ignores.iter();
        let per_file_ignores = of_files.map(|(files, rules)| (patterns(std::slice::from_ref(files)), rules.clone()));
        Ok(ReadConfig {
            exclude: Arc::new(patterns(&config.settings.exclude)),
            per_file_ignores: Arc::new(per_file_ignores.collect()),
            folder: folder.clone(),
            config: Arc::new(config),
        })
    }

    fn note(&self, problem: String) {
        let mut problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        problems.insert(problem);
    }
}

/// Patterns of files, as those of a `.gitignore` in a folder.
fn patterns(folder: &Path, all: &[String]) -> Result<Gitignore, String> {
    let mut builder = GitignoreBuilder::new(folder);
    for pattern in all {
        let wrong = |e: ignore::Error| format!("`{pattern}` is no pattern of files ({e})");
        builder.add_line(None, pattern).map_err(wrong)?;
    }
    builder
        .build()
        .map_err(|e| format!("patterns of files are not understood ({e})"))
}

fn matches(patterns: &Gitignore, file: &Path) -> bool {
    let whole = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    whole.starts_with(patterns.path()) && patterns.matched_path_or_any_parents(&whole, false).is_ignore()
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
