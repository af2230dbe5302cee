//! Files of CUDA and UPC, of which `check` says where their threads do not meet.
//!
//! ```text
//! sum.cu ─────────────────► clang, for the device ─► kernels, each by itself ─► OMM303
//! main.upc, grid.upc ─► C ─► clang ─► link ────────► programs ────────────────► OMM304
//! ```
//!
//! Nothing else is asked of them: no mapping, no scope tree.

use super::unit::{FileError, GivenUnit, Outcome, Unit, without_libraries};
use crate::analysis::libc;
use crate::check::{FoundCollectives, barriers_from_start};
use crate::facts::headers_below;
use crate::llvm::{self, ClangOptions, Input, Instead, LlvmError, ReadAs};
use crate::plan::{FileText, Note};
use crate::program::ir::{GlobalId, Module};
use crate::program::link::{ObjectFile, link};
use crate::rules::{Rule, RuleFinding};
use crate::source::{LineIndex, Span};
use crate::syntax::parse;
use crate::upc::{SharedNames, translated};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a file is read as, where it is one of these.
fn language(path: &Path) -> Option<ReadAs> {
    match path.extension()?.to_str()? {
        "cu" => Some(ReadAs::Cuda),
        "upc" => Some(ReadAs::Upc),
        _ => None,
    }
}

/// Files, each with its place among all.
pub(super) struct FilesByLanguage<'a> {
    /// Files of CUDA and UPC.
    pub of_threads: Vec<(usize, GivenUnit<'a>)>,
    pub of_c: Vec<(usize, GivenUnit<'a>)>,
}

/// The files of CUDA and UPC among some, and the others.
pub(super) fn apart(given: Vec<GivenUnit<'_>>) -> FilesByLanguage<'_> {
    let numbered = given.into_iter().enumerate();
    let (of_threads, of_c) = numbered.partition(|(_, g)| language(g.unit.path).is_some());
    FilesByLanguage { of_threads, of_c }
}

/// What is found in files of CUDA and UPC, in their order.
pub(super) fn checked(units: &[Unit<'_>]) -> Vec<Result<Outcome, FileError>> {
    let read: Vec<Result<Module, LlvmError>> = units.par_iter().map(module).collect();
    let mut outcomes: Vec<Result<Outcome, FileError>> = units.iter().map(|_| Ok(Outcome::default())).collect();
    let (mut programs, mut upc): (Vec<ThreadProgram>, Vec<(usize, Module)>) = (Vec::new(), Vec::new());
    for (at, module) in read.into_iter().enumerate() {
        match (module, language(units[at].path)) {
            (Ok(module), Some(ReadAs::Cuda)) => programs.push(ThreadProgram {
                module,
                files: vec![at],
                rule: Rule::DivergentSyncthreads,
            }),
            (Ok(module), _) => upc.push((at, module)),
            (Err(error), _) => outcomes[at] = Err(error.into()),
        }
    }
    let without = without_libraries(units.iter());
    let (places, modules): (Vec<usize>, Vec<Module>) = upc.into_iter().unzip();
    let objects = { modules.into_iter() }.map(|module| ObjectFile { module, apart: false });
    for linked in link(objects.collect(), &|name| libc::defines(name, &without)).programs {
        programs.push(ThreadProgram {
            module: linked.module,
            files: linked.objects.iter().map(|object| places[*object]).collect(),
            rule: Rule::DivergentUpcBarrier,
        });
    }
    for program in programs {
        let found = program.found(units);
        let Ok(first) = &mut outcomes[program.files[0]] else {
            continue;
        };
        if found.gave_up {
            let message = "its barriers were not checked: there are too many ways through it".to_owned();
            first.remarks.push(Note::new(Span::new(0, 0), message));
        }
        for found in found.findings {
            if let Ok(outcome) = &mut outcomes[program.files[found.unit]] {
                outcome.findings.push(found.finding);
            }
        }
    }
    for (unit, outcome) in units.iter().zip(&mut outcomes) {
        outcome.iter_mut().for_each(|o| o.findings = wanted(unit, &o.findings));
    }
    outcomes
}

/// A program that threads run from the beginning.
struct ThreadProgram {
    module: Module,
    /// Its files, by their places.
    files: Vec<usize>,
    rule: Rule,
}

impl ThreadProgram {
    fn found(&self, units: &[Unit<'_>]) -> FoundCollectives {
        let tree = parse(b"", &[]);
        let text = |at: &usize| FileText {
            path: units[*at].path,
            text: units[*at].text,
            tree: &tree,
            headers: &[],
            bodies: &[],
            options: &units[*at].options.plan,
            context: false,
        };
        let texts: Vec<FileText<'_>> = self.files.iter().map(text).collect();
        barriers_from_start(&self.module, self.rule, self.own(units), &texts)
    }

    /// The variables of which each thread has its own.
    fn own(&self, units: &[Unit<'_>]) -> FxHashSet<GlobalId> {
        if self.rule != Rule::DivergentUpcBarrier {
            return FxHashSet::default();
        }
        let mut shared = SharedNames::default();
        for at in &self.files {
            headers(&units[*at]).iter().for_each(|(_, text)| shared.read(text));
            shared.read(units[*at].text);
        }
        let globals = self.module.globals.iter().enumerate();
        let own = globals.filter(|(_, global)| !shared.has(&global.name));
        own.map(|(at, _)| GlobalId(at as u32)).collect()
    }
}

/// The headers that a file names, with their texts, those that headers name first.
fn headers(unit: &Unit<'_>) -> Vec<Instead> {
    let found = headers_below(unit.path, unit.text, &unit.options.compile);
    let absolute = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
    let mut headers: Vec<Instead> = found.map(|(path, text)| (absolute(path), text)).collect();
    headers.reverse();
    headers
}

fn module(unit: &Unit<'_>) -> Result<Module, LlvmError> {
    let (clang, options) = (&unit.options.clang, &unit.options.compile);
    if language(unit.path) != Some(ReadAs::Upc) {
        return llvm::analyse_as(ReadAs::Cuda, clang, &Input::text(unit.path, unit.text), options);
    }
    let text = translated(unit.text);
    let text = Input::text(unit.path, &text);
    let of_upc = headers(unit).into_iter().filter(|(_, text)| is_upc(text));
    let instead: Vec<Instead> = of_upc.map(|(path, text)| (path, translated(&text))).collect();
    if !instead.is_empty() {
        let with_headers = ClangOptions {
            instead: Some(Arc::new(instead)),
            ..options.clone()
        };
        if let Ok(module) = llvm::analyse_as(ReadAs::Upc, clang, &text, &with_headers) {
            return Ok(module);
        }
    }
    // Why clang says no, it says of headers as they are.
    llvm::analyse_as(ReadAs::Upc, clang, &text, options)
}

/// Whether a text has words that C does not know.
fn is_upc(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    ["shared", "upc_", "THREADS"].iter().any(|word| text.contains(word))
}

/// The findings in the lines that are asked for.
fn wanted(unit: &Unit<'_>, findings: &[RuleFinding]) -> Vec<RuleFinding> {
    let lines = LineIndex::new(unit.text);
    let limits = &unit.options.limits;
    let is_wanted = |f: &&RuleFinding| limits.is_empty() || limits.iter().any(|l| l.touches(&lines, f.span));
    findings.iter().filter(is_wanted).cloned().collect()
}
