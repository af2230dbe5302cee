//! Files as the programs that they make.
//!
//! ```text
//! main.c, grid.c ─┬► read ─► link ─┬► one program: main.c, grid.c
//! tool.c ─────────┘                └► another: tool.c
//! ```
//!
//! Everything that decides about files decides about whole programs, and needs the files read, linked, and what is known of the functions
//! that they do not define. Here that is done for any of them.

use super::member::Member;
use super::reading::{ParsedFile, read};
use super::services::Services;
use super::unit::{FileError, GivenUnit, Outcome, Rewritten, Unit, without_libraries};
use crate::analysis::libc;
use crate::analysis::module_pointers::ModulePointers;
use crate::config::{Assumptions, Speaker};
use crate::facts::{Dependency, UnitFacts};
use crate::program::link::{ObjectFile, link};
use rayon::prelude::*;

/// What came of files, each with its place among all.
pub(super) type Results = Vec<(usize, Result<Outcome, FileError>)>;

/// A file that was read.
#[derive(Debug)]
pub(super) struct PipelineFile<'a> {
    /// The file's place among the units.
    pub at: usize,
    pub unit: Unit<'a>,
    pub context: bool,
    pub read: ParsedFile,
    /// What was linked.
    pub object: ObjectFile,
}

impl PipelineFile<'_> {
    /// What clang said of it, for who reads the text again.
    pub fn facts(&self) -> UnitFacts {
        let options = &self.unit.options.compile;
        let file = self.unit.file();
        let source = self.unit.source(&file);
        UnitFacts {
            file: file.clone(),
            name: self.unit.path.to_owned(),
            options: options.clone(),
            inputs: source.hash(),
            text: blake3::hash(self.unit.text),
            dependencies: self.read.dependencies.clone(),
            inactive: self.read.inactive.clone(),
            module: self.object.module.clone(),
        }
    }
}

/// Whether what clang has read for some files is another one: by name as well as by what is in it, as there may be several ways to a file.
pub(super) fn is_included(files: &[PipelineFile<'_>], unit: &Unit<'_>) -> bool {
    let hash = blake3::hash(unit.text);
    let mut read = files.iter().flat_map(|f| &f.read.dependencies);
    read.any(|d: &Dependency| d.path.file_name() == unit.path.file_name() || d.hash == Some(hash))
}

/// Reads files, finds the programs that they make, and lets `of_program` deal with each.
pub(super) fn each_program<'a>(
    given: Vec<GivenUnit<'a>>,
    services: &Services<'_>,
    of_program: &dyn Fn(&[Member<'_>], &ModulePointers<'_>) -> Results,
) -> (Rewritten, Vec<PipelineFile<'a>>) {
    let mut rewritten = Rewritten {
        files: given.iter().map(|_| Ok(Outcome::default())).collect(),
        problems: Vec::new(),
        unknown: Vec::new(),
        notes: Vec::new(),
    };
    services.progress.begin("files read", given.len());
    let results: Vec<_> = given
        .into_par_iter()
        .map(|given| {
            let (unit, context) = (given.unit, given.context);
            let read = unit.guarded(|| read(given, services));
            services.progress.one_done();
            (unit, context, read)
        })
        .collect();
    let (mut objects, mut files) = (Vec::new(), Vec::new());
    for (at, (unit, context, result)) in results.into_iter().enumerate() {
        match result {
            Ok((read, module)) => {
                let apart = !unit.is_source();
                let object = ObjectFile { module, apart };
                objects.push(object.clone());
                files.push(PipelineFile {
                    at,
                    unit,
                    context,
                    read,
                    object,
                });
            }
            Err(error) => rewritten.files[at] = Err(error),
        }
    }
    let without = without_libraries(files.iter().map(|file| &file.unit));
    let linked = link(objects, &|name| libc::defines(name, &without));
    for (symbol, objects) in &linked.doubled {
        let names: Vec<String> = objects
            .iter()
            .map(|o| files[*o].unit.path.display().to_string())
            .collect();
        rewritten.problems.push(format!(
            "`{symbol}` is defined in {}; calls and uses of it from other files are taken for unknown code; name only \
             the files of one program",
            names.join(" and in ")
        ));
    }
    let names: Vec<String> = files.iter().map(|file| file.unit.path.display().to_string()).collect();
    let speakers = files.iter().zip(&names).map(|(file, name)| Speaker {
        name,
        text: file.unit.text,
        inactive: &file.read.inactive,
        is_header: !file.unit.is_source(),
        config: &file.unit.options.plan.config,
    });
    let mut assumptions = Assumptions::new(speakers.collect());
    services.progress.begin("files written", files.len());
    for program in &linked.programs {
        let members = program.objects.iter().map(|object| {
            let PipelineFile {
                at,
                unit,
                context,
                read,
                object,
            } = &files[*object];
            Member {
                at: *at,
                unit: *unit,
                read,
                object,
                context: *context,
            }
        });
        let members: Vec<Member<'_>> = members.collect();
        let known = assumptions.known(&program.module, &program.objects);
        let pointers = ModulePointers::new(&program.module, known);
        for (at, outcome) in of_program(&members, &pointers) {
            rewritten.files[at] = outcome;
        }
    }
    let problems = assumptions.problems().map(ToString::to_string);
    rewritten.problems.extend(problems);
    rewritten.unknown = assumptions.unknown();
    rewritten.notes = assumptions.notes();
    drop(assumptions);
    (rewritten, files)
}
