//! The rewriter of this project as a [`Subject`], in this process.

use super::{Promises, Subject};
use ompmemopt::llvm::{ClangOptions, find_clang};
use ompmemopt::plan::PlanOptions;
use ompmemopt::rewrite::{ToolOptions, rewrite_text};
use std::collections::BTreeSet;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError};

/// The language of the generated programs.
pub const STANDARD: &str = "-std=gnu11";

/// The rewriter, under one set of options.
pub struct Tool {
    options: ToolOptions,
    promises: Promises,
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
                limits: Vec::new(),
                dumps: BTreeSet::new(),
            },
            promises: Promises {
                stable: true,
                no_more_bytes: safe || !speculates,
            },
        }
    }

    /// The compiler that `OMPMEMOPT_CLANG` names, or the one that is found.
    pub fn compiler() -> Result<PathBuf, String> {
        let named = std::env::var_os("OMPMEMOPT_CLANG").filter(|name| !name.is_empty());
        find_clang(named.as_deref().map(Path::new)).map_err(|e| e.to_string())
    }
}

impl Subject for Tool {
    fn rewrite(&self, text: &str) -> Result<String, String> {
        let path = Path::new("generated-case.c");
        let work = || rewrite_text(path, text.as_bytes(), &self.options);
        let outcome = panic::catch_unwind(AssertUnwindSafe(work))
            .map_err(|_| format!("panics: {}", last_panic()))?
            .map_err(|e| e.to_string())?;
        match outcome.new_text {
            None => Ok(text.to_owned()),
            Some(new) => String::from_utf8(new).map_err(|e| e.to_string()),
        }
    }

    fn promises(&self) -> Promises {
        self.promises
    }
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
