//! Which compiler flags a file is analysed with.
//!
//! The flags come from the compilation database that was named, on the command line or in the configuration, or is nearest, and from the command line after `--`.
//! Flags that clang does not know, because they are meant for another compiler, are dropped with a note.

use super::args::{AssumeArg, StyleArg, ToolArgs};
use super::compile_commands::{Compilation, Database, FILE_NAME, nearest};
use super::configuration::Configuration;
use super::known_flags::KnownFlags;
use super::ways::difference;
use crate::config::Config;
use crate::facts::{Store, UnitFacts};
use crate::llvm::{ClangOptions, is_c_library_carried};
use crate::openmp::SpecVersion;
use crate::plan::{Dialect, HandDirectives, PlanOptions};
use crate::rewrite::ToolOptions;
use clap::ValueEnum;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Finds the flags of files. Shared by all threads.
#[derive(Debug)]
pub struct BuildFlags<'a> {
    clang: PathBuf,
    args: &'a ToolArgs,
    named: Option<Arc<Database>>,
    databases: Mutex<BTreeMap<PathBuf, Result<Arc<Database>, String>>>,
    known: KnownFlags<'a>,
    notes: Mutex<BTreeSet<String>>,
    configuration: Configuration,
}

/// A database, and where it was found.
#[derive(Clone, Debug)]
pub struct KnownDatabase {
    pub path: PathBuf,
    pub database: Arc<Database>,
}

/// The files of a database.
#[derive(Debug, Default)]
pub struct Listed {
    /// C files that are there.
    pub files: Vec<PathBuf>,
    /// What is wrong with the list.
    pub problems: Vec<String>,
    /// What else to say of it.
    pub notes: Vec<String>,
}

impl<'a> BuildFlags<'a> {
    /// Reads the database named by `-p`, if any.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn new(clang: PathBuf, args: &'a ToolArgs) -> Result<BuildFlags<'a>, String> {
        let named = match &args.build_path {
            Some(path) if path.is_dir() => Some(Database::read(&path.join(FILE_NAME))?),
            Some(path) => Some(Database::read(path)?),
            None => None,
        };
        let named = named.map(Arc::new);
        Ok(BuildFlags {
            clang,
            args,
            named,
            databases: Mutex::default(),
            known: KnownFlags::default(),
            notes: Mutex::default(),
            configuration: Configuration::new(args.config.as_deref())?,
        })
    }

    /// Lets the next run know which flags clang knows.
    pub fn keeping_in(self, store: &'a Store) -> BuildFlags<'a> {
        BuildFlags {
            known: KnownFlags::keeping_in(store),
            ..self
        }
    }

    /// The name under which `file` is given to the compiler, and how it is compiled and rewritten: in each of the ways that
    /// the database says, which differ.
    ///
    /// # Errors
    /// Why the nearest database cannot be read.
    pub fn ways(&self, file: &Path) -> Result<Vec<(PathBuf, ToolOptions)>, String> {
        let compilations = self.compilations(file)?;
        if compilations.is_empty() {
            return Ok(vec![self.way(file, None)]);
        }
        let mut found: Vec<(PathBuf, ToolOptions)> = Vec::new();
        for compilation in compilations {
            let way = self.way(file, Some(compilation));
            if found.iter().all(|(_, known)| known.compile != way.1.compile) {
                found.push(way);
            }
        }
        Ok(found)
    }

    /// [`BuildFlags::ways`] of a file that is compiled in one way only.
    ///
    /// # Errors
    /// Why the nearest database cannot be read, or that there are several ways.
    pub fn of(&self, file: &Path) -> Result<(PathBuf, ToolOptions), String> {
        let mut ways = self.ways(file)?;
        if ways.len() > 1 {
            return Err(format!(
                "{}: compiled in several ways, says the compilation database ({}); name another one with -p that has one of them",
                file.display(),
                difference_of(&ways)
            ));
        }
        Ok(ways.swap_remove(0))
    }

    fn way(&self, file: &Path, compilation: Option<Compilation>) -> (PathBuf, ToolOptions) {
        let mut flags = compilation.as_ref().map_or_else(Vec::new, |c| c.flags.clone());
        flags.extend(self.args.flags.iter().cloned());
        let working_dir = compilation.map_or_else(PathBuf::new, |c| c.folder);
        // Relative names start in the folder that the compiler runs in.
        let name = if working_dir.as_os_str().is_empty() {
            file.to_owned()
        } else {
            std::path::absolute(file).unwrap_or_else(|_| file.to_owned())
        };
        let compile = ClangOptions {
            flags,
            openmp_version: self.openmp(file).macro_value(),
            working_dir,
            ..ClangOptions::default()
        };
        let known = self.known.among(&compile, &self.clang);
        for flag in compile.flags.iter().filter(|flag| !known.contains(flag)) {
            lock(&self.notes).insert(format!("`{flag}` is not a flag of clang and was ignored"));
        }
        if is_c_library_carried(&compile.flags) {
            let note = "no headers of a C library are installed here (/usr/include/stdio.h): those that ompmemopt carries are read";
            lock(&self.notes).insert(note.to_owned());
        }
        let compile = ClangOptions {
            flags: known,
            ..compile
        };
        (name, self.options(file, compile))
    }

    /// How the file of a summary is rewritten: compiled as the summary says.
    pub fn of_summary(&self, facts: &UnitFacts) -> ToolOptions {
        self.options(&facts.file, facts.options.clone())
    }

    /// What the user says of the program: in configuration files, and on the command line.
    fn assumptions(&self, file: &Path) -> Arc<Config> {
        let config = self.configuration.of(file);
        let noalias = self.args.assume.contains(&AssumeArg::Noalias);
        if !noalias && self.args.no_library.is_empty() {
            return config;
        }
        let mut config = (*config).clone();
        config.noalias_everywhere |= noalias;
        config.without_libraries.extend(self.args.no_library.iter().cloned());
        Arc::new(config)
    }

    /// The version of OpenMP that a file is read by.
    pub fn openmp(&self, file: &Path) -> SpecVersion {
        let said = || self.configuration.of(file).settings.options.openmp;
        self.args.openmp.or_else(said).unwrap_or_default()
    }

    fn options(&self, file: &Path, compile: ClangOptions) -> ToolOptions {
        let config = self.assumptions(file);
        let said = &config.settings.options;
        let style = said
            .style
            .as_deref()
            .and_then(|word| StyleArg::from_str(word, true).ok());
        let plan = PlanOptions {
            openmp: self.openmp(file),
            speculate: !(self.args.no_speculation || said.no_speculation == Some(true)),
            hand_directives: match self.args.keep_directives || said.keep_directives == Some(true) {
                true => HandDirectives::Stay,
                false => HandDirectives::MayGo,
            },
            style: self.args.style.or(style).unwrap_or_default().into(),
            defines: defines(&compile.flags),
            config: Arc::clone(&config),
            all_loops: false,
            dialect: Dialect::OpenMp,
            reassociate: false,
            new_kernels: false,
            ..PlanOptions::default()
        };
        ToolOptions {
            clang: self.clang.clone(),
            compile,
            plan,
            self_check: said.self_check == Some(true),
            limits: Vec::new(),
            dumps: BTreeSet::new(),
        }
    }

    /// The compiler.
    pub fn clang(&self) -> &Path {
        &self.clang
    }

    /// What is wrong with entries of the databases read so far, sorted.
    pub fn problems(&self) -> Vec<String> {
        let databases = lock(&self.databases);
        let read = databases.values().flatten().chain(&self.named);
        let all: BTreeSet<&String> = read.flat_map(|database| database.problems()).collect();
        all.into_iter().cloned().collect()
    }

    /// The C files of the database named by `-p`.
    pub fn listed(&self) -> Listed {
        let mut listed = Listed::default();
        let mut others = 0;
        for file in self.named.iter().flat_map(|database| database.files()) {
            if file.extension().is_none_or(|e| e != "c") {
                others += 1;
            } else if file.exists() {
                listed.files.push(file.clone());
            } else {
                listed.problems.push(format!(
                    "{}: in the compilation database, but there is no such file; generate the database anew",
                    file.display()
                ));
            }
        }
        if others > 0 {
            listed.notes.push(format!(
                "{others} files of the compilation database are not named *.c and were left out"
            ));
        }
        if listed.files.is_empty() && listed.problems.is_empty() {
            listed
                .problems
                .push("the compilation database has no C files; name files or folders".to_owned());
        }
        listed
    }

    /// The configuration files.
    pub fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    /// The configuration files, for who needs them when all files were compiled.
    pub fn into_configuration(self) -> Configuration {
        self.configuration
    }

    /// What was dropped, sorted.
    pub fn notes(&self) -> Vec<String> {
        lock(&self.notes).iter().cloned().collect()
    }

    fn compilations(&self, file: &Path) -> Result<Vec<Compilation>, String> {
        let Some(known) = self.database_of(file)? else {
            return Ok(Vec::new());
        };
        if self.named.is_some() && known.database.find(file).is_none() {
            lock(&self.notes).insert(format!(
                "{}: not in the compilation database named by -p",
                file.display()
            ));
        }
        Ok(found(&known.database, file))
    }

    /// The database that says how a file is compiled, whether it has the file or not: the one named by `-p`, or by the
    /// configuration, or the nearest one.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn database_of(&self, file: &Path) -> Result<Option<KnownDatabase>, String> {
        if let (Some(database), Some(path)) = (&self.named, &self.args.build_path) {
            return Ok(Some(KnownDatabase {
                path: path.clone(),
                database: Arc::clone(database),
            }));
        }
        let said = self.configuration.build_path(file);
        let Some(path) = said.or_else(|| nearest(file)) else {
            return Ok(None);
        };
        let database = lock(&self.databases)
            .entry(path.clone())
            .or_insert_with_key(|path| Database::read(path).map(Arc::new))
            .clone()?;
        Ok(Some(KnownDatabase { path, database }))
    }
}

fn found(database: &Database, file: &Path) -> Vec<Compilation> {
    database.find(file).map_or_else(Vec::new, |f| f.compilations.clone())
}

/// How the flags of a file's ways differ, as a part of a sentence.
pub fn difference_of(ways: &[(PathBuf, ToolOptions)]) -> String {
    let lists: Vec<&[String]> = ways.iter().map(|(_, o)| o.compile.flags.as_slice()).collect();
    difference(&lists)
}

/// Macros defined by flags.
fn defines(flags: &[String]) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut rest = flags.iter();
    while let Some(flag) = rest.next() {
        let (set, text) = match (flag.strip_prefix("-D"), flag.strip_prefix("-U")) {
            (Some(text), _) => (true, text),
            (None, Some(text)) => (false, text),
            (None, None) => continue,
        };
        let text = if text.is_empty() {
            rest.next().map_or("", String::as_str)
        } else {
            text
        };
        let (name, body) = text.split_once('=').unwrap_or((text, "1"));
        found.retain(|(present, _)| present != name);
        // Function-like macros stand for no value.
        if set && !name.contains('(') && !name.is_empty() {
            found.push((name.to_owned(), body.to_owned()));
        }
    }
    found
}

/// A lock whose data is good even after a panic elsewhere: every change is one insertion.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_of_flags() {
        let flags = ["-DN=8", "-D", "M", "-DF(x)=x", "-DN=9", "-DQ", "-UQ", "-Iinc"].map(str::to_owned);
        assert_eq!(
            defines(&flags),
            [("M".to_owned(), "1".to_owned()), ("N".to_owned(), "9".to_owned())]
        );
    }
}
