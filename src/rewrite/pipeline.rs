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
use crate::analysis::known::Known;
use crate::analysis::libc;
use crate::config::{self, Assumptions, Speaker};
use crate::llvm::{self, ClangOptions, Input, LlvmError};
use crate::panics;
use crate::plan::{Decision, FilePlan, FileText, Note, PlanOptions, plan_program};
use crate::program::ir::Module;
use crate::program::link::{Object, link};
use crate::source::Span;
use crate::syntax::{self, ScopeTree};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::panic::AssertUnwindSafe;
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
    /// What is wrong with the program as a whole, or with what the user says of it: sentences. All else was done.
    pub problems: Vec<String>,
    /// Functions that the user speaks of and that nothing in these files names. Others of the project may.
    pub unknown: Vec<config::Unknown>,
    /// What else there is to say: sentences.
    pub notes: Vec<String>,
}

/// Rewrites one file's text, as a program of one file.
///
/// # Errors
/// [`FileError`]; the text is then not to be replaced.
pub fn rewrite_text(path: &Path, text: &[u8], options: &ToolOptions) -> Result<Outcome, FileError> {
    let mut rewritten = rewrite_program(&[Unit { path, text, options }]);
    rewritten.files.pop().unwrap_or_else(|| Ok(Outcome::default()))
}

/// Rewrites the files of a program together. Files that have nothing to do with each other may be among them.
pub fn rewrite_program(units: &[Unit<'_>]) -> Rewritten {
    let wanted = |u: &Unit<'_>| mentions_target(u.text) || !u.options.dumps.is_empty();
    let mut rewritten = Rewritten {
        files: units.iter().map(|_| Ok(Outcome::default())).collect(),
        problems: Vec::new(),
        unknown: Vec::new(),
        notes: Vec::new(),
    };
    if !units.iter().any(wanted) {
        return rewritten;
    }
    let read: Vec<Result<Read, FileError>> = units.par_iter().map(|u| checked(u, || read(u))).collect();
    let (mut objects, mut trees, mut inactive) = (Vec::new(), Vec::new(), Vec::new());
    for (at, read) in read.into_iter().enumerate() {
        match read {
            Ok(read) => {
                objects.push(Object {
                    module: read.module,
                    apart: !is_source(units[at].path),
                });
                trees.push((at, read.tree, read.notes));
                inactive.push(read.inactive);
            }
            Err(error) => rewritten.files[at] = Err(error),
        }
    }
    let in_library = |name: &str| libc::lookup(name).is_some() || libc::is_library_global(name);
    let linked = link(objects, &in_library);
    let name = |object: &usize| units[trees[*object].0].path.display().to_string();
    for (symbol, objects) in &linked.doubled {
        let files: Vec<String> = objects.iter().map(name).collect();
        rewritten.problems.push(format!(
            "`{symbol}` is defined in {}; calls and uses of it from other files are taken for unknown code; name only \
             the files of one program",
            files.join(" and in ")
        ));
    }
    let names: Vec<String> = (0..trees.len()).map(|object| name(&object)).collect();
    let speakers = trees
        .iter()
        .zip(&names)
        .zip(&inactive)
        .map(|(((at, ..), name), inactive)| Speaker {
            name,
            text: units[*at].text,
            inactive,
            is_header: !is_source(units[*at].path),
            config: &units[*at].options.plan.config,
        });
    let mut assumptions = Assumptions::new(speakers.collect());
    for program in &linked.programs {
        let members: Vec<Member<'_>> = program
            .objects
            .iter()
            .map(|object| {
                let (at, tree, notes) = &trees[*object];
                Member {
                    at: *at,
                    unit: &units[*at],
                    tree,
                    notes,
                }
            })
            .collect();
        let known = assumptions.known(&program.module, &program.objects);
        for (at, outcome) in rewrite_linked(&members, &program.module, known) {
            rewritten.files[at] = outcome;
        }
    }
    let problems = assumptions.problems().map(ToString::to_string);
    rewritten.problems.extend(problems);
    rewritten.unknown = assumptions.unknown();
    rewritten.notes = assumptions.notes();
    rewritten
}

/// A file of a linked program.
struct Member<'a> {
    /// Its place among the units.
    at: usize,
    unit: &'a Unit<'a>,
    tree: &'a ScopeTree,
    notes: &'a [String],
}

fn rewrite_linked(members: &[Member<'_>], module: &Module, known: Known) -> Vec<(usize, Result<Outcome, FileError>)> {
    let files: Vec<FileText<'_>> = members
        .iter()
        .map(|m| FileText {
            text: m.unit.text,
            tree: m.tree,
            options: &m.unit.options.plan,
        })
        .collect();
    let plans = panics::guarded(AssertUnwindSafe(|| plan_program(&files, module, known)));
    let plans = plans.unwrap_or_else(|message| vec![Err(message); members.len()]);
    let outcomes = members.par_iter().zip(plans).map(|(m, plan)| {
        let outcome = match plan {
            Ok(plan) => checked(m.unit, || write(m, module, plan)),
            Err(message) => Err(internal(m.unit, message)),
        };
        (m.at, outcome)
    });
    outcomes.collect()
}

/// What `work` gives, or what a panic in it said.
fn checked<T>(unit: &Unit<'_>, work: impl FnOnce() -> Result<T, FileError>) -> Result<T, FileError> {
    panics::guarded(AssertUnwindSafe(work)).unwrap_or_else(|message| Err(internal(unit, message)))
}

fn internal(unit: &Unit<'_>, message: String) -> FileError {
    FileError::Internal {
        path: unit.path.to_owned(),
        message,
    }
}

/// Writes a file's plan, and checks the result.
fn write(member: &Member<'_>, module: &Module, mut plan: FilePlan) -> Result<Outcome, FileError> {
    let Member { unit, tree, notes, .. } = *member;
    let Unit { path, text, options } = *unit;
    let page = Page::new(text, tree);
    if !options.limits.is_empty() {
        let lines = &page.text.lines;
        plan.decisions
            .retain(|d| options.limits.iter().any(|l| l.asks_for(tree, lines, d)));
        plan.remarks
            .retain(|r| options.limits.iter().any(|l| l.touches(lines, r.span)));
    }
    let written = edits(text, tree, &plan);
    let mut remarks: Vec<Note> = if mentions_target(text) || !options.dumps.is_empty() {
        notes.iter().map(|note| about_file(note)).collect()
    } else {
        Vec::new()
    };
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
        .map(|d| (*d, dump_one(*d, &page, module, &plan)))
        .collect();
    let decisions = written.written.iter().map(|i| plan.decisions[*i].clone()).collect();
    Ok(Outcome {
        new_text,
        decisions,
        remarks,
        dumps,
    })
}

fn about_file(message: &str) -> Note {
    Note {
        span: Span::default(),
        message: message.to_owned(),
    }
}

/// Whether a file is compiled by itself, and not as part of others.
fn is_source(path: &Path) -> bool {
    path.extension().is_none_or(|e| e != "h" && e != "inc" && e != "hpp")
}

/// Whether the text may hold a `target` directive, as a pragma or an operator. Cheap, and never wrongly false: a word of a
/// directive cannot come from a macro.
fn mentions_target(text: &[u8]) -> bool {
    let has = |word: &[u8]| text.windows(word.len()).any(|w| w == word);
    // A continuation inside a word would hide it, and nobody writes one.
    has(b"target") && (has(b"pragma") || has(b"_Pragma"))
}

/// What is read of one file by itself.
struct Read {
    tree: ScopeTree,
    module: Module,
    notes: Vec<String>,
    /// Dropped `#if` branches.
    inactive: Vec<Span>,
}

/// The scope tree and the plain IR.
fn read(unit: &Unit<'_>) -> Result<Read, FileError> {
    let Unit { path, text, options } = *unit;
    // clang's reasons for not compiling a file are better than those for not preprocessing it.
    let mut module = llvm::analyse_file(&options.clang, &Input::text(path, text), &options.compile)?;
    let (tree, inactive) = scopes(path, text, options)?;
    if !is_source(path) {
        // Whatever includes a header may call what is in it.
        module.functions.iter_mut().for_each(|f| f.internal = false);
        module
            .globals
            .iter_mut()
            .filter(|g| g.source_type.is_some())
            .for_each(|g| g.internal = false);
    }
    Ok(Read {
        tree,
        notes: std::mem::take(&mut module.notes),
        module,
        inactive,
    })
}

/// The scope tree, and the `#if` branches that are dropped.
fn scopes(path: &Path, text: &[u8], options: &ToolOptions) -> Result<(ScopeTree, Vec<Span>), LlvmError> {
    let (marked, branches) = syntax::marked_text(text);
    if branches.is_empty() {
        return Ok((syntax::parse(text, &[]), Vec::new()));
    }
    let surviving = llvm::surviving_markers(&options.clang, &Input::text(path, &marked), &options.compile)?;
    let inactive = syntax::inactive_spans(&branches, &surviving);
    Ok((syntax::parse(text, &inactive), inactive))
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
