//! The collectives and barriers of a program, for `check`.
//!
//! ```text
//! main.c, work.c ─► without -fopenmp ─► link ─┬► mappings (crate::check)
//!       │                                     └► collectives of MPI (crate::collectives)
//!       └─────────► with -fopenmp ────► link ──► barriers (crate::collectives), if a directive has threads meet
//! ```
//!
//! Bodies of parallel regions are functions only where clang reads the directives. That is done once more, for programs in which the
//! threads of a team meet within a region: where all regions are `parallel for`, there is nothing to be found.

use super::member::Member;
use super::unit::without_libraries;
use crate::analysis::libc;
use crate::analysis::module_pointers::ModulePointers;
use crate::check::{FindingInFile, FoundCollectives, barriers, collectives};
use crate::facts::{Store, StoreKey, UnitFacts};
use crate::llvm::{self, Input, LlvmError, ReadAs};
use crate::openmp::{Construct, Directive};
use crate::plan::{FilePlan, FileText, Note};
use crate::program::ir::Module;
use crate::program::link::{ObjectFile, Program, link};
use crate::source::Span;
use rayon::prelude::*;
use std::fmt::Display;

/// What has threads of a team meet, where it stands by itself.
const MEETINGS: [Construct; 5] = [
    Construct::Barrier,
    Construct::For,
    Construct::Sections,
    Construct::Single,
    Construct::Scope,
];

/// Adds what is wrong with the collectives and barriers of a program to what is said of its files.
pub(super) fn add_collectives(
    members: &[Member<'_>],
    pointers: &ModulePointers<'_>,
    plans: &mut [Result<FilePlan, String>],
    store: &Store,
) {
    let all: Vec<usize> = (0..members.len()).collect();
    let found = with_texts(members, &all, |texts| collectives(pointers, texts));
    add(plans, &all, "collectives", found);
    if !members.iter().any(has_meetings) {
        return;
    }
    let read: Vec<Result<Module, LlvmError>> = members.par_iter().map(|m| read_with_threads(m, store)).collect();
    let mut objects = Vec::new();
    for (at, module) in read.into_iter().enumerate() {
        match module {
            Ok(module) => objects.push(ObjectFile {
                module,
                apart: members[at].object.apart,
            }),
            Err(error) => return not_checked(plans, at, "barriers", &error),
        }
    }
    let without = without_libraries(members.iter().map(|member| &member.unit));
    for Program { module, objects } in link(objects, &|name| libc::defines(name, &without)).programs {
        let known = pointers.known().in_form(pointers.module(), &module, &without);
        let finely = pointers.points_to().precision();
        let found = with_texts(members, &objects, |texts| barriers(module, known, finely, texts));
        add(plans, &objects, "barriers", found);
    }
}

/// Asks something of some of the files.
fn with_texts<T>(members: &[Member<'_>], own: &[usize], asked: impl FnOnce(&[FileText<'_>]) -> T) -> T {
    let text = |at: &usize| {
        let Member { unit, read, .. } = &members[*at];
        read.file_text(unit.path, unit.text, &unit.options.plan)
    };
    asked(&own.iter().map(text).collect::<Vec<_>>())
}

/// Adds what was found in some of the files.
fn add(plans: &mut [Result<FilePlan, String>], own: &[usize], of_what: &str, found: FoundCollectives) {
    if found.gave_up {
        not_checked(plans, own[0], of_what, &"there are too many ways through it");
    }
    for FindingInFile { unit, finding } in found.findings {
        if let Ok(plan) = &mut plans[own[unit]] {
            plan.findings.push(finding);
            plan.findings.sort();
        }
    }
}

/// Whether the threads of a team may meet within a region, by the directives of a file and of its headers.
fn has_meetings(member: &Member<'_>) -> bool {
    let meets = |text: &str| {
        let directive = Directive::parse(text);
        directive.is_some_and(|d| !d.has(&Construct::Parallel) && MEETINGS.iter().any(|kind| d.has(kind)))
    };
    let tree = member.read.tree();
    let in_headers = |f: &crate::program::ir::Function| f.in_header && f.host_directives > 0;
    tree.pragmas.iter().any(|pragma| meets(&pragma.text))
        || member.object.module.functions.iter().any(|f| in_headers(f))
}

/// The file as clang reads it with its directives: found, or made now.
fn read_with_threads(member: &Member<'_>, store: &Store) -> Result<Module, LlvmError> {
    let unit = &member.unit;
    let file = unit.file();
    let source = unit.source(&file);
    let key = StoreKey::new("threads", [source.hash().as_bytes().as_slice()]);
    if let Some(found) = store.get(&key) {
        return Ok(found.module);
    }
    let input = Input::text(unit.path, unit.text);
    let module = llvm::analyse_as(ReadAs::Threads, &unit.options.clang, &input, &unit.options.compile)?;
    if store.keeps() {
        let facts = UnitFacts {
            file: file.clone(),
            name: unit.path.to_owned(),
            options: unit.options.compile.clone(),
            inputs: source.hash(),
            text: blake3::hash(unit.text),
            // With directives or without them, clang reads the headers that the text includes.
            dependencies: member.read.dependencies.clone(),
            inactive: member.read.inactive.clone(),
            module: module.clone(),
        };
        store.put(&key, &facts);
    }
    Ok(module)
}

/// Says of a file why something of its program was not checked.
fn not_checked(plans: &mut [Result<FilePlan, String>], at: usize, what: &str, why: &dyn Display) {
    if let Ok(plan) = &mut plans[at] {
        let message = format!("the {what} of this program were not checked: {why}");
        plan.remarks.push(Note::new(Span::new(0, 0), message));
    }
}
