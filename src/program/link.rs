//! Joins the plain IR of several files to programs, as a linker joins their objects.
//!
//! ```text
//! main.c:  void step(double *, int);  int main(void) { … step(u, n); … }     ┐  one program: main.c's `step` is
//! step.c:  static void row(…) {…}     void step(double *x, int n) { … }      ┘  step.c's, and its `row` is no other's
//! other.c: static void row(…) {…}     int main(void) { … }                      a program of its own
//! ```
//!
//! Functions and variables with external linkage are found by name, over all files given: by the one that the assembler sees,
//! which `__asm__("…")` in a declaration may give. Files that name things of each
//! other are one program; files that do not are analysed apart. What no file defines stays a declaration.
//!
//! **Not knowing means unknown code.** Where several files define a name, or the only definition gives way to others
//! (`weak`), or it stands beside a `main` although there are several, references from other files go to a declaration that
//! nothing is known of, and not to a library function of that name either.

use super::ir::{Module, Unseen};
use super::join::Joiner;
pub use super::link_symbols::ObjectFile;
use super::link_symbols::{Groups, LinkSymbols, names_needed};
use super::seen::alone;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Files that belong together.
#[derive(Debug)]
pub struct Program {
    /// The files' plain IR as one module; [`Module::units`] has an entry for each file.
    pub module: Module,
    /// For each unit, which of the objects it was.
    pub objects: Vec<usize>,
}

/// What linking gave.
#[derive(Debug, Default)]
pub struct Linked {
    /// The programs, each with its objects in the order given.
    pub programs: Vec<Program>,
    /// Functions and variables that one program defines twice, with the objects that do.
    pub doubled: Vec<(String, Vec<usize>)>,
}

/// Links files. `in_library` says which names the C library has.
pub fn link(mut objects: Vec<ObjectFile>, in_library: &dyn Fn(&str) -> bool) -> Linked {
    mark_other_bodies(&mut objects);
    let symbols = LinkSymbols::of(&objects, in_library);
    let mut groups = Groups::new(objects.len());
    for (at, object) in objects.iter().enumerate().filter(|(_, o)| !o.apart) {
        for name in names_needed(&object.module) {
            for &definer in symbols.definers(name) {
                groups.join(at, definer);
            }
        }
    }
    let doubled = symbols.doubled(&objects, &mut groups);
    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for at in 0..objects.len() {
        members.entry(groups.of(at)).or_default().push(at);
    }
    let mut objects: Vec<Option<ObjectFile>> = objects.into_iter().map(Some).collect();
    let programs = members.into_values().map(|own| {
        let mut modules: Vec<(usize, Module)> = own
            .iter()
            .filter_map(|at| Some((*at, objects[*at].take()?.module)))
            .collect();
        let module = match modules.as_mut_slice() {
            // Nothing to join: the file is the program.
            [(_, module)] if !gives_way(module) => alone(std::mem::take(module)),
            _ => Joiner::join(&symbols, modules),
        };
        Program { module, objects: own }
    });
    Linked {
        programs: programs.collect(),
        doubled,
    }
}

/// Marks functions of which another file has another body, for another build. Many files have a `main` of their own to test them.
fn mark_other_bodies(objects: &mut [ObjectFile]) {
    let names = objects.iter().flat_map(|o| &o.module.declared.elsewhere);
    let names: BTreeSet<String> = names.filter(|name| *name != "main").cloned().collect();
    if names.is_empty() {
        return;
    }
    for function in objects.iter_mut().flat_map(|o| &mut o.module.functions) {
        if !function.declaration && !function.internal && names.contains(&function.name) {
            Arc::make_mut(function)
                .unseen
                .get_or_insert_with(|| Unseen::elsewhere(Unseen::OTHER_BODY));
        }
    }
}

fn gives_way(module: &Module) -> bool {
    module.functions.iter().any(|f| f.replaceable) || module.globals.iter().any(|g| g.replaceable)
}
