//! The rewriter of this project as a [`Subject`], in this process.

use super::{Promises, Subject, write};
use crate::generator::Source;
use ompmemopt::inside::facts::Store;
use ompmemopt::inside::llvm::{BuildScope, ClangOptions, find_clang};
use ompmemopt::inside::plan::PlanOptions;
use ompmemopt::inside::rewrite::{
    GivenUnit, Rewritten, Services, Silent, ToolOptions, Unit, annotate_given, check_given, rewrite_program,
};
use ompmemopt::inside::rules::RuleFinding;
use std::collections::BTreeSet;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError};

/// The language of the generated programs.
pub const STANDARD: &str = "-std=gnu11";

/// The rewriter, or what comes before it, under one set of options.
pub struct Tool {
    options: ToolOptions,
    promises: Promises,
    /// Plain loops become kernels first.
    annotates: bool,
}

impl Tool {
    /// The rewriter with the given compiler. Where it `speculates` on programs that are not `safe` for it, copies may leave
    /// loops that never run, and the number of bytes is no promise.
    pub fn new(clang: PathBuf, speculates: bool, safe: bool) -> Tool {
        remember_panics();
        Tool {
            options: ToolOptions {
                clang,
                compile: ClangOptions {
                    flags: vec![STANDARD.into()],
                    ..ClangOptions::default()
                },
                plan: PlanOptions {
                    speculate: speculates,
                    ..PlanOptions::default()
                },
                self_check: false,
                limits: Vec::new(),
                dumps: BTreeSet::new(),
            },
            promises: Promises {
                stable: true,
                no_more_bytes: safe || !speculates,
                no_more_where_run: true,
                original: true,
            },
            annotates: false,
        }
    }

    /// What `annotate` does, with `all` loops that may run on a device or with those that are worth it.
    pub fn annotating(clang: PathBuf, all: bool) -> Tool {
        let mut tool = Tool::new(clang, false, false);
        tool.options.plan.all_loops = all;
        tool.promises.no_more_bytes = false;
        tool.promises.no_more_where_run = false;
        tool.promises.original = false;
        tool.annotates = true;
        tool
    }

    /// The compiler that `OMPMEMOPT_CLANG` names, or the one that is found.
    pub fn compiler() -> Result<PathBuf, String> {
        let named = std::env::var_os("OMPMEMOPT_CLANG").filter(|name| !name.is_empty());
        find_clang(named.as_deref().map(Path::new)).map_err(|e| e.to_string())
    }
}

impl Tool {
    /// What the tool makes of the files of a program that are no headers.
    fn outcome(
        &self,
        program: &[Source],
        builds: BuildScope,
        make: &dyn Fn(&[Unit<'_>]) -> Rewritten,
    ) -> Result<Rewritten, String> {
        let mut options = self.options.clone();
        options.compile.builds = builds;
        // Files find their header only where they really are.
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        write(program, folder.path())?;
        let sources: Vec<&Source> = program.iter().filter(|s| !s.is_header()).collect();
        let paths: Vec<PathBuf> = sources.iter().map(|s| folder.path().join(&s.name)).collect();
        let units = sources.iter().zip(&paths).map(|(source, path)| Unit {
            path,
            text: source.text.as_bytes(),
            options: &options,
        });
        let units: Vec<Unit<'_>> = units.collect();
        let made = panic::catch_unwind(AssertUnwindSafe(|| make(&units)));
        let made = made.map_err(|_| format!("panics: {}", last_panic()))?;
        match made.problems.first() {
            Some(problem) => Err(format!("the program as a whole: {problem}")),
            None => Ok(made),
        }
    }

    /// What is wrong with the mappings of a program.
    pub fn check(&self, program: &[Source]) -> Result<Vec<RuleFinding>, String> {
        let checked = self.outcome(program, BuildScope::This, &|units| with_services(units, check_given))?;
        let mut found = Vec::new();
        for outcome in checked.files {
            found.extend(outcome.map_err(|e| e.to_string())?.findings);
        }
        Ok(found)
    }
}

impl Subject for Tool {
    fn rewrite(&self, program: &[Source]) -> Result<Vec<Source>, String> {
        let rewritten = self.outcome(program, BuildScope::All, &|units| match self.annotates {
            true => annotate(units),
            false => rewrite_program(units),
        })?;
        let mut out = program.to_vec();
        let targets = out.iter_mut().filter(|s| !s.is_header());
        for (source, outcome) in targets.zip(rewritten.files) {
            let outcome = outcome.map_err(|e| format!("{}: {e}", source.name))?;
            if let Some(new) = outcome.new_text {
                source.text = String::from_utf8(new).map_err(|e| e.to_string())?;
            }
        }
        Ok(out)
    }

    fn promises(&self) -> Promises {
        self.promises
    }
}

fn annotate(units: &[Unit<'_>]) -> Rewritten {
    with_services(units, annotate_given)
}

/// What comes of files where nothing is kept and nobody watches.
fn with_services(units: &[Unit<'_>], make: for<'a> fn(Vec<GivenUnit<'a>>, &Services<'a>) -> Rewritten) -> Rewritten {
    let services = Services {
        store: &Store::none(),
        progress: &Silent,
    };
    make(units.iter().map(|unit| GivenUnit::from(*unit)).collect(), &services)
}

/// What the last panic said, and where.
static LAST: Mutex<String> = Mutex::new(String::new());

/// A panic becomes the reason of a failure instead of text between the lines of progress.
fn remember_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        panic::set_hook(Box::new(|info| {
            *LAST.lock().unwrap_or_else(PoisonError::into_inner) = info.to_string();
        }));
    });
}

fn last_panic() -> String {
    LAST.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
