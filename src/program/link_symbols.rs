//! Which object defines what, and which objects belong together.

use super::ir::Module;
use super::linker_names::{is_shared, linker_name};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A file to link.
#[derive(Clone, Debug)]
pub struct ObjectFile {
    /// The file's plain IR.
    pub module: Module,
    /// The file is part of other files (a header), and so is linked with none.
    pub apart: bool,
}

/// Names that a file leaves to others to define.
pub(super) fn names_needed(module: &Module) -> impl Iterator<Item = &str> {
    let functions = module.functions.iter().filter(|f| f.declaration || f.replaceable);
    let globals = module.globals.iter().filter(|g| g.external || g.replaceable);
    functions
        .map(|f| linker_name(&f.name))
        .chain(globals.map(|g| linker_name(&g.name)))
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
    pub(super) fn of(objects: &[ObjectFile], in_library: &dyn Fn(&str) -> bool) -> LinkSymbols {
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
    pub(super) fn doubled(&self, objects: &[ObjectFile], groups: &mut Groups) -> Vec<(String, Vec<usize>)> {
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
pub(super) struct Groups(Vec<usize>);

impl Groups {
    pub(super) fn new(count: usize) -> Groups {
        Groups((0..count).collect())
    }

    pub(super) fn of(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    /// The group is called by its first member.
    pub(super) fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.of(a), self.of(b));
        self.0[a.max(b)] = a.min(b);
    }
}
