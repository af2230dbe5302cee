//! One file from text to checked text.
//!
//! ```text
//! text ─► mentions target? ─► #if branches (clang -E) ─► scope tree ─┐
//!                        └──► plain IR (clang -emit-llvm) ───────────┴► plan ─► edits ─► guard
//! ```
//!
//! The two clang runs go side by side. A file without `target` directives, or one that the plan leaves alone, needs no
//! guard; in the latter case clang is still asked whether it accepts the directives, so that a typing error is said.

use super::dump::{self, Dump};
use super::guard::{self, Doubt, Method, Subject};
use super::limit::LineRange;
use super::{Page, edits};
use crate::llvm::{self, ClangOptions, Input, LlvmError};
use crate::plan::{Decision, FilePlan, Note, PlanOptions, plan_file};
use crate::program::ir::Module;
use crate::source::Span;
use crate::syntax::{self, ScopeTree};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// How to rewrite a file.
#[derive(Clone, Debug)]
pub struct ToolOptions {
    /// The compiler, as [`llvm::find_clang`] returned it.
    pub clang: PathBuf,
    /// How the file is compiled.
    pub compile: ClangOptions,
    /// What plans may do.
    pub plan: PlanOptions,
    /// Write only the decisions that these lines ask for; all where there are none.
    pub limits: Vec<LineRange>,
    /// What to show.
    pub dumps: BTreeSet<Dump>,
}

/// What came of a file.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The text to replace the file's; `None` where nothing is to be done.
    pub new_text: Option<Vec<u8>>,
    /// Decisions that were written.
    pub decisions: Vec<Decision>,
    /// What was not done, and why, in text order.
    pub remarks: Vec<Note>,
    /// What was to be shown.
    pub dumps: Vec<(Dump, String)>,
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
    /// Its name, as the compiler gets it.
    pub path: &'a Path,
    /// Its text.
    pub text: &'a [u8],
    /// How it is compiled and rewritten.
    pub options: &'a ToolOptions,
}

/// What came of a program.
#[derive(Debug)]
pub struct Rewritten {
    /// What came of each unit, in the order given.
    pub files: Vec<Result<Outcome, FileError>>,
    /// What is wrong with the program as a whole: sentences. All else was done.
    pub problems: Vec<String>,
}

/// Rewrites the files of a program together.
pub fn rewrite_program(units: &[Unit<'_>]) -> Rewritten {
    Rewritten {
        files: units.iter().map(|u| rewrite_text(u.path, u.text, u.options)).collect(),
        problems: Vec::new(),
    }
}

/// Rewrites one file's text.
///
/// # Errors
/// [`FileError`]; the text is then not to be replaced.
pub fn rewrite_text(path: &Path, text: &[u8], options: &ToolOptions) -> Result<Outcome, FileError> {
    if !mentions_target(text) && options.dumps.is_empty() {
        return Ok(Outcome::default());
    }
    let (tree, module) = read(path, text, options)?;
    let mut plan = plan_file(text, &tree, &module, &options.plan);
    let page = Page::new(text, &tree);
    if !options.limits.is_empty() {
        let lines = &page.text.lines;
        plan.decisions
            .retain(|d| options.limits.iter().any(|l| l.asks_for(&tree, lines, d)));
        plan.remarks
            .retain(|r| options.limits.iter().any(|l| l.touches(lines, r.span)));
    }
    let written = edits(text, &tree, &plan);
    let mut remarks = module_notes(&module);
    remarks.extend(plan.remarks.iter().cloned());
    remarks.extend(written.remarks.iter().cloned());
    let new_text = (!written.edits.is_empty())
        .then(|| written.edits.apply(text))
        .filter(|new| new != text);
    let method = match &new_text {
        Some(new) => guarded(path, text, new, options)?,
        None if mentions_target(text) => {
            llvm::syntax_only(&options.clang, &Input::text(path, text), &options.compile, true)?;
            Method::Tree
        }
        None => Method::Tree,
    };
    if method == Method::Tokens {
        let message = "the result was compared with the original token by token, because the second parser does not \
                       read this file";
        remarks.push(Note {
            span: Span::default(),
            message: message.into(),
        });
    }
    remarks.sort();
    remarks.dedup();
    let dumps = options
        .dumps
        .iter()
        .map(|d| (*d, dump_one(*d, &page, &module, &plan)))
        .collect();
    let decisions = written.written.iter().map(|i| plan.decisions[*i].clone()).collect();
    Ok(Outcome {
        new_text,
        decisions,
        remarks,
        dumps,
    })
}

/// Whether the text may hold a `target` directive, as a pragma or an operator. Cheap, and never wrongly false: a word of a
/// directive cannot come from a macro.
fn mentions_target(text: &[u8]) -> bool {
    let has = |word: &[u8]| text.windows(word.len()).any(|w| w == word);
    // A continuation inside a word would hide it, and nobody writes one.
    has(b"target") && (has(b"pragma") || has(b"_Pragma"))
}

/// The scope tree and the plain IR, made side by side.
fn read(path: &Path, text: &[u8], options: &ToolOptions) -> Result<(ScopeTree, Module), FileError> {
    let input = Input::text(path, text);
    std::thread::scope(|scope| {
        let module = scope.spawn(move || llvm::analyse_file(&options.clang, &input, &options.compile));
        let tree = scopes(path, text, options);
        let module = module.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        // clang's reasons for not compiling a file are better than those for not preprocessing it.
        let module = module?;
        Ok((tree?, module))
    })
}

fn scopes(path: &Path, text: &[u8], options: &ToolOptions) -> Result<ScopeTree, LlvmError> {
    let (marked, branches) = syntax::marked_text(text);
    if branches.is_empty() {
        return Ok(syntax::parse(text, &[]));
    }
    let surviving = llvm::surviving_markers(&options.clang, &Input::text(path, &marked), &options.compile)?;
    Ok(syntax::parse(text, &syntax::inactive_spans(&branches, &surviving)))
}

fn module_notes(module: &Module) -> Vec<Note> {
    let note = |message: &String| Note {
        span: Span::default(),
        message: message.clone(),
    };
    module.notes.iter().map(note).collect()
}

fn guarded(path: &Path, text: &[u8], new: &[u8], options: &ToolOptions) -> Result<Method, FileError> {
    let subject = Subject {
        clang: &options.clang,
        path,
        options: &options.compile,
        original: text,
        rewritten: new,
    };
    let guard = |reason: String| FileError::Guard {
        path: path.to_owned(),
        reason,
    };
    guard::check(subject).map_err(|doubt| match doubt {
        Doubt::Differs(what) | Doubt::NoCheck(what) => guard(what),
        Doubt::Rejected(error) => guard(error.to_string()),
        Doubt::OriginalRejected(error) => FileError::Clang(error),
    })
}

fn dump_one(dump: Dump, page: &Page<'_>, module: &Module, plan: &FilePlan) -> String {
    match dump {
        Dump::Scopes => syntax::dump(page.tree, page.text.bytes),
        Dump::Ir => module.to_string(),
        Dump::Program => dump::program(page.text.bytes, page.tree),
        Dump::Plan => dump::plan(page, plan),
    }
}
