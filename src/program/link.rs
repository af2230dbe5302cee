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
use super::seen::alone;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Behind the name of a declared function of which there are several definitions, or one that gives way.
pub const ONE_OF_SEVERAL: &str = " (one of several)";

/// Behind the name of a function or variable that the linker knows by another one than the text:
/// `double x[8] __asm__("y");` is `y`. No text can name it so.
pub const BY_ASSEMBLER_NAME: &str = " (assembler name)";

/// The name that the linker knows a function or variable of a file by.
pub(crate) fn linker_name(name: &str) -> &str {
    name.strip_suffix(BY_ASSEMBLER_NAME).unwrap_or(name)
}

/// A file to link.
#[derive(Clone, Debug)]
pub struct ObjectFile {
    /// Its plain IR.
    pub module: Module,
    /// It is part of other files (a header), and so is linked with none.
    pub apart: bool,
}

/// Files that belong together.
#[derive(Debug)]
pub struct Program {
    /// Their plain IR as one module; [`Module::units`] has an entry for each file.
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
            function
                .unseen
                .get_or_insert_with(|| Unseen::elsewhere(Unseen::OTHER_BODY));
        }
    }
}

/// Names that a file leaves to others to define.
fn names_needed(module: &Module) -> impl Iterator<Item = &str> {
    let functions = module.functions.iter().filter(|f| f.declaration || f.replaceable);
    let globals = module.globals.iter().filter(|g| g.external || g.replaceable);
    functions
        .map(|f| linker_name(&f.name))
        .chain(globals.map(|g| linker_name(&g.name)))
}

fn gives_way(module: &Module) -> bool {
    module.functions.iter().any(|f| f.replaceable) || module.globals.iter().any(|g| g.replaceable)
}

pub(super) fn is_shared(name: &str, internal: bool) -> bool {
    !internal && !name.starts_with("llvm.")
}

/// Who defines what.
pub(super) struct LinkSymbols {
    /// By name: the objects with a definition that others see, and whether it gives way.
    defined: FxHashMap<String, Vec<(usize, bool)>>,
    definers: FxHashMap<String, Vec<usize>>,
    /// By object: it has `main`.
    mains: Vec<bool>,
    library: BTreeSet<String>,
}

impl LinkSymbols {
    fn of(objects: &[ObjectFile], in_library: &dyn Fn(&str) -> bool) -> LinkSymbols {
        let mut symbols = LinkSymbols {
            defined: FxHashMap::default(),
            definers: FxHashMap::default(),
            mains: Vec::new(),
            library: BTreeSet::new(),
        };
        for (at, object) in objects.iter().enumerate() {
            let module = &object.module;
            let has_main = module.functions.iter().any(|f| f.name == "main" && !f.declaration);
            symbols.mains.push(has_main && !object.apart);
            if object.apart {
                continue;
            }
            let functions = module.functions.iter().filter(|f| !f.declaration && f.name != "main");
            let globals = module.globals.iter().filter(|g| !g.external);
            let names = functions
                .map(|f| (&f.name, f.internal, f.replaceable))
                .chain(globals.map(|g| (&g.name, g.internal, g.replaceable)));
            for (name, _, gives_way) in names.filter(|(name, internal, _)| is_shared(name, *internal)) {
                let name = linker_name(name).to_owned();
                symbols.defined.entry(name.clone()).or_default().push((at, gives_way));
                symbols.definers.entry(name.clone()).or_default().push(at);
                if in_library(&name) {
                    symbols.library.insert(name);
                }
            }
        }
        symbols
    }

    /// All objects that define a name.
    pub(super) fn definers(&self, name: &str) -> &[usize] {
        self.definers.get(linker_name(name)).map_or(&[], Vec::as_slice)
    }

    fn strong(&self, name: &str) -> Vec<usize> {
        let all = self.defined.get(name).map_or(&[][..], Vec::as_slice);
        all.iter()
            .filter(|(_, gives_way)| !gives_way)
            .map(|(at, _)| *at)
            .collect()
    }

    /// The object whose definition another object's reference means, if that is sure.
    pub(super) fn resolve(&self, name: &str) -> Option<usize> {
        let strong = self.strong(name);
        let [definer] = strong[..] else { return None };
        let several = self.mains.iter().filter(|m| **m).count() > 1;
        (!several || !(self.mains[definer] || self.library.contains(name))).then_some(definer)
    }

    /// Names that one program has twice: two objects that a `main` leads to both, or any two of a library.
    fn doubled(&self, objects: &[ObjectFile], groups: &mut Groups) -> Vec<(String, Vec<usize>)> {
        let together = self.together(objects);
        let mut names: Vec<&String> = self.defined.keys().collect();
        names.sort();
        let mut doubled = Vec::new();
        for name in names {
            let strong = self.strong(name);
            let clash = strong.iter().enumerate().any(|(i, a)| {
                strong[i + 1..].iter().any(|b| {
                    let has_main = |at: usize, groups: &mut Groups| {
                        (0..objects.len()).any(|m| self.mains[m] && groups.of(m) == groups.of(at))
                    };
                    let in_one = together.iter().any(|set| set.contains(a) && set.contains(b));
                    in_one || (groups.of(*a) == groups.of(*b) && !has_main(*a, groups))
                })
            });
            if clash {
                doubled.push((name.clone(), strong));
            }
        }
        doubled
    }

    /// For each `main`, the objects that it leads to.
    fn together(&self, objects: &[ObjectFile]) -> Vec<BTreeSet<usize>> {
        let starts = (0..objects.len()).filter(|at| self.mains[*at]);
        let closure = |start: usize| {
            let mut set = BTreeSet::new();
            let mut work = vec![start];
            while let Some(at) = work.pop() {
                if set.insert(at) {
                    let needed = names_needed(&objects[at].module);
                    // Another program's main file is none of this one's.
                    work.extend(needed.flat_map(|n| self.definers(n)).filter(|d| !self.mains[**d]));
                }
            }
            set
        };
        starts.map(closure).collect()
    }
}

/// Which objects belong together (union-find).
struct Groups(Vec<usize>);

impl Groups {
    fn new(count: usize) -> Groups {
        Groups((0..count).collect())
    }

    fn of(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    /// The group is called by its first member.
    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.of(a), self.of(b));
        self.0[a.max(b)] = a.min(b);
    }
}
