//! The barriers of a program, for `check`.
//!
//! ```text
//! main.c, work.c ─► without -fopenmp ─► link ─► mappings (crate::check)
//!       └─────────► with -fopenmp ────► link ─► barriers (crate::collectives), if a directive has threads meet
//! ```
//!
//! Bodies of parallel regions are functions only where clang reads the directives. That is done once more, for programs in which the
//! threads of a team meet within a region: where all regions are `parallel for`, there is nothing to be found.

use super::configurations::Planning;
use super::member::Member;
use crate::analysis::libc;
use crate::check::{FindingInFile, FoundCollectives, barriers};
use crate::llvm::{self, Input, LlvmError, ReadAs};
use crate::openmp::{Construct, Directive};
use crate::plan::{FilePlan, FileText, Note};
use crate::program::ir::Module;
use crate::program::link::{ObjectFile, link};
use crate::source::Span;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// What has threads of a team meet, where it stands by itself.
const MEETINGS: [Construct; 5] = [
    Construct::Barrier,
    Construct::For,
    Construct::Sections,
    Construct::Single,
    Construct::Scope,
];

/// Adds what is wrong with the barriers of a program to what is said of its files.
pub(super) fn add_barriers(planning: &Planning<'_, '_>, plans: &mut [Result<FilePlan, String>]) {
    let members = planning.members;
    if !members.iter().any(has_meetings) {
        return;
    }
    let read: Vec<Result<Module, LlvmError>> = members.par_iter().map(read_with_threads).collect();
    let mut objects = Vec::new();
    for (at, module) in read.into_iter().enumerate() {
        match module {
            Ok(module) => objects.push(ObjectFile {
                module,
                apart: members[at].object.apart,
            }),
            Err(error) => {
                let message = format!("the barriers of this program were not checked: {error}");
                return remark(plans, at, message);
            }
        }
    }
    let without = super::unit::without_libraries(members.iter().map(|member| &member.unit));
    for program in link(objects, &|name| libc::defines(name, &without)).programs {
        let found = of_program(planning, program.module, &program.objects, &without);
        if found.gave_up {
            let message = "the barriers of this program were not checked: there are too many ways through it";
            remark(plans, program.objects[0], message.to_owned());
        }
        for FindingInFile { unit, finding } in found.findings {
            if let Ok(plan) = &mut plans[program.objects[unit]] {
                plan.findings.push(finding);
            }
        }
    }
}

/// What is wrong with the barriers of one program, of which some of the members are the files.
fn of_program(
    planning: &Planning<'_, '_>,
    module: Module,
    own: &[usize],
    without: &BTreeSet<String>,
) -> FoundCollectives {
    let pointers = planning.pointers;
    let known = pointers.known().in_form(pointers.module(), &module, without);
    let text = |member: &usize| {
        let Member { unit, read, .. } = &planning.members[*member];
        FileText {
            path: unit.path,
            text: unit.text,
            tree: read.tree(),
            headers: &read.headers,
            bodies: &read.bodies,
            options: &unit.options.plan,
            context: false,
        }
    };
    let texts: Vec<FileText<'_>> = own.iter().map(text).collect();
    barriers(module, known, pointers.points_to().precision(), &texts)
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

fn read_with_threads(member: &Member<'_>) -> Result<Module, LlvmError> {
    let unit = &member.unit;
    let input = Input::text(unit.path, unit.text);
    llvm::analyse_as(ReadAs::Threads, &unit.options.clang, &input, &unit.options.compile)
}

fn remark(plans: &mut [Result<FilePlan, String>], at: usize, message: String) {
    if let Ok(plan) = &mut plans[at] {
        plan.remarks.push(Note::new(Span::new(0, 0), message));
    }
}
