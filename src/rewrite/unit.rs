//! What goes into a run and what comes out of it: files with their options, outcomes, errors.

use super::dump::Dump;
use super::limit::LineRange;
use crate::config;
use crate::facts::{UnitFacts, UnitSource};
use crate::llvm::{ClangOptions, LlvmError};
use crate::panics;
use crate::plan::{Decision, ExplainedItem, Note, PlanOptions};
use crate::rules::{Rule, RuleFinding};
use crate::source::EditSet;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};

/// How to rewrite a file.
#[derive(Clone, Debug)]
pub struct ToolOptions {
    /// The compiler, as [`crate::llvm::find_clang`] returned it.
    pub clang: PathBuf,
    /// How the file is compiled.
    pub compile: ClangOptions,
    /// What plans may do.
    pub plan: PlanOptions,
    /// What would be written is looked at as [`check`](crate::check) does, and taken back where that surely finds something wrong.
    pub self_check: bool,
    /// Write only the decisions that these lines ask for; all where there are none.
    pub limits: Vec<LineRange>,
    /// What to show.
    pub dumps: BTreeSet<Dump>,
}

/// What came of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Outcome {
    /// The text to replace the file's; `None` where nothing is to be done.
    pub new_text: Option<Vec<u8>>,
    /// Decisions that were written.
    pub decisions: Vec<Decision>,
    /// What was not done, and why, in text order.
    pub remarks: Vec<Note>,
    /// Violations of rules, in text order.
    #[serde(skip)]
    pub findings: Vec<RuleFinding>,
    /// What list items do, in text order.
    #[serde(skip)]
    pub explained: Vec<ExplainedItem>,
    /// The file may be replaced only together with all others of the run that say this: decisions in them rest on each
    /// other.
    pub bound: bool,
    /// The edits that make the new text, where one step has made it in this run.
    #[serde(skip)]
    pub edits: EditSet,
    /// Something was left out of the plan that may be right once the rest is written ([`FilePlan::unsettled`]).
    ///
    /// [`FilePlan::unsettled`]: crate::plan::FilePlan::unsettled
    #[serde(skip)]
    pub unsettled: bool,
    /// What was to be shown.
    #[serde(skip)]
    pub dumps: Vec<(Dump, String)>,
}

impl Outcome {
    /// Adds what is wrong with the file, and what its constructs do, where it is compiled in another way.
    pub fn add_findings(&mut self, other: Outcome) {
        // What a comment silences in one of the ways, it does not stand there for nothing.
        let is_unused = |f: &RuleFinding| f.rule == Rule::UnusedSuppression;
        self.findings.retain(|f| !is_unused(f) || other.findings.contains(f));
        self.findings
            .extend(other.findings.into_iter().filter(|f| !is_unused(f)));
        self.findings.sort();
        self.findings.dedup();
        self.explained.extend(other.explained);
        self.explained.sort();
        self.explained.dedup();
    }
}

/// Why nothing came of a file.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// clang does not accept it or cannot be run.
    #[error("{0}")]
    Clang(#[from] LlvmError),
    /// The rewritten text is not handed out: a bug of this tool.
    #[error("{}: internal error: the rewritten text was not accepted ({reason}); the file is left as it is; please report this with the file and the flags used", .path.display())]
    Guard {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The tool failed in a way that it does not know.
    #[error("{}: internal error: {message}; the file is left as it is; please report this with the file and the flags used", .path.display())]
    Internal {
        /// The file.
        path: PathBuf,
        /// What it said of itself.
        message: String,
    },
}

/// A file of a program.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'a> {
    /// The file's name, as the compiler gets it.
    pub path: &'a Path,
    /// The file's text.
    pub text: &'a [u8],
    /// How it is compiled and rewritten.
    pub options: &'a ToolOptions,
}

impl<'a> Unit<'a> {
    /// What its facts are made of. `file` is where it lies.
    pub(super) fn source(&self, file: &'a Path) -> UnitSource<'a> {
        UnitSource {
            clang: &self.options.clang,
            file,
            name: self.path,
            text: self.text,
            options: &self.options.compile,
        }
    }

    /// Where it lies: names start in the folder that it is compiled in.
    pub(super) fn file(&self) -> PathBuf {
        self.options.compile.working_dir.join(self.path)
    }

    /// Whether the text may hold a `target` directive, as a pragma or an operator. Cheap, and never wrongly false: a
    /// word of a directive cannot come from a macro.
    pub(super) fn mentions_target(&self) -> bool {
        let has = |word: &[u8]| self.text.windows(word.len()).any(|w| w == word);
        // A continuation inside a word would hide it, and nobody writes one.
        has(b"target") && (has(b"pragma") || has(b"_Pragma"))
    }

    /// Whether the file is compiled by itself, and not as part of others.
    pub(super) fn is_source(&self) -> bool {
        let extension = self.path.extension();
        extension.is_none_or(|e| e != "h" && e != "inc" && e != "hpp")
    }

    /// What `work` gives, or what a panic in it said.
    pub(super) fn guarded<T>(&self, work: impl FnOnce() -> Result<T, FileError>) -> Result<T, FileError> {
        let work = || {
            self.options.plan.patience.go_on();
            work()
        };
        panics::guarded(AssertUnwindSafe(work)).unwrap_or_else(|message| Err(self.failed(message)))
    }

    /// Whether nobody waits any more for what comes of it.
    pub(super) fn is_unwanted(&self) -> bool {
        self.options.plan.patience.is_over()
    }

    pub(super) fn failed(&self, message: String) -> FileError {
        FileError::Internal {
            path: self.path.to_owned(),
            message,
        }
    }
}

/// The libraries whose functions some of the files take for unknown code.
pub(super) fn without_libraries<'u>(units: impl Iterator<Item = &'u Unit<'u>>) -> BTreeSet<String> {
    let said = units.flat_map(|unit| &unit.options.plan.config.without_libraries);
    said.cloned().collect()
}

/// A file of a program, and what the caller has of it and wants of it.
#[derive(Debug)]
pub struct GivenUnit<'a> {
    /// The file.
    pub unit: Unit<'a>,
    /// The file's facts, if they were read already: of this very text.
    pub facts: Option<UnitFacts>,
    /// The file is there for what it says about the others. It is not written.
    pub context: bool,
}

impl<'a> From<Unit<'a>> for GivenUnit<'a> {
    fn from(unit: Unit<'a>) -> GivenUnit<'a> {
        GivenUnit {
            unit,
            facts: None,
            context: false,
        }
    }
}

/// What came of a program.
#[derive(Debug)]
pub struct Rewritten {
    /// What came of each unit, in the order given.
    pub files: Vec<Result<Outcome, FileError>>,
    /// What is wrong with the program as a whole, or with what the user says of it: sentences. All else was done.
    pub problems: Vec<String>,
    /// Functions that the user speaks of and that nothing in these files names. Others of the project may.
    pub unknown: Vec<config::Unknown>,
    /// What else there is to say: sentences.
    pub notes: Vec<String>,
}
