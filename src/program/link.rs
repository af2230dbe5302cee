//! Joins the plain IR of several files to programs, as a linker joins their objects.
//!
//! ```text
//! main.c:  void step(double *, int);  int main(void) { … step(u, n); … }     ┐  one program: main.c's `step` is
//! step.c:  static void row(…) {…}     void step(double *x, int n) { … }      ┘  step.c's, and its `row` is no other's
//! other.c: static void row(…) {…}     int main(void) { … }                      a program of its own
//! ```
//!
//! Functions and variables with external linkage are found by name, over all files given. Files that name things of each
//! other are one program; files that do not are analysed apart. What no file defines stays a declaration.
//!
//! **Not knowing means unknown code.** Where several files define a name, or the only definition gives way to others
//! (`weak`), or it stands beside a `main` although there are several, references from other files go to a declaration that
//! nothing is known of, and not to a library function of that name either.

use super::ir::{FuncId, Function, Global, GlobalId, Module, Operand, StructId, Type, Unit};
use super::seen::{alone, global_names, records, used};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Behind the name of a declared function of which there are several definitions, or one that gives way.
pub const ONE_OF_SEVERAL: &str = " (one of several)";

/// A file to link.
#[derive(Debug)]
pub struct Object {
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
pub fn link(objects: Vec<Object>, in_library: &dyn Fn(&str) -> bool) -> Linked {
    let symbols = Symbols::of(&objects, in_library);
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
    let mut objects: Vec<Option<Object>> = objects.into_iter().map(Some).collect();
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

/// Names that a file leaves to others to define.
fn names_needed(module: &Module) -> impl Iterator<Item = &str> {
    let functions = module.functions.iter().filter(|f| f.declaration || f.replaceable);
    let globals = module.globals.iter().filter(|g| g.external || g.replaceable);
    functions
        .map(|f| f.name.as_str())
        .chain(globals.map(|g| g.name.as_str()))
}

fn gives_way(module: &Module) -> bool {
    module.functions.iter().any(|f| f.replaceable) || module.globals.iter().any(|g| g.replaceable)
}

fn is_shared(name: &str, internal: bool) -> bool {
    !internal && !name.starts_with("llvm.")
}

/// Who defines what.
struct Symbols {
    /// By name: the objects with a definition that others see, and whether it gives way.
    defined: FxHashMap<String, Vec<(usize, bool)>>,
    definers: FxHashMap<String, Vec<usize>>,
    /// By object: it has `main`.
    mains: Vec<bool>,
    library: BTreeSet<String>,
}

impl Symbols {
    fn of(objects: &[Object], in_library: &dyn Fn(&str) -> bool) -> Symbols {
        let mut symbols = Symbols {
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
                symbols.defined.entry(name.clone()).or_default().push((at, gives_way));
                symbols.definers.entry(name.clone()).or_default().push(at);
                if in_library(name) {
                    symbols.library.insert(name.clone());
                }
            }
        }
        symbols
    }

    /// All objects that define a name.
    fn definers(&self, name: &str) -> &[usize] {
        self.definers.get(name).map_or(&[], Vec::as_slice)
    }

    fn strong(&self, name: &str) -> Vec<usize> {
        let all = self.defined.get(name).map_or(&[][..], Vec::as_slice);
        all.iter()
            .filter(|(_, gives_way)| !gives_way)
            .map(|(at, _)| *at)
            .collect()
    }

    /// The object whose definition another object's reference means, if that is sure.
    fn resolve(&self, name: &str) -> Option<usize> {
        let strong = self.strong(name);
        let [definer] = strong[..] else { return None };
        let several = self.mains.iter().filter(|m| **m).count() > 1;
        (!several || !(self.mains[definer] || self.library.contains(name))).then_some(definer)
    }

    /// Names that one program has twice: two objects that a `main` leads to both, or any two of a library.
    fn doubled(&self, objects: &[Object], groups: &mut Groups) -> Vec<(String, Vec<usize>)> {
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
    fn together(&self, objects: &[Object]) -> Vec<BTreeSet<usize>> {
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

/// Puts the modules of one program together.
struct Joiner<'a> {
    symbols: &'a Symbols,
    functions: Numbers<FuncId>,
    globals: Numbers<GlobalId>,
}

/// New ids of functions, or of globals.
struct Numbers<Id> {
    next: u32,
    /// Of definitions, by object and old id.
    defined: FxHashMap<(usize, Id), Id>,
    /// Of definitions that other objects see, by object and name.
    named: FxHashMap<(usize, String), Id>,
    /// Of names that are not defined, or not surely: by name, and whether somebody defines it.
    declared: FxHashMap<(String, bool), Id>,
    /// What references mean, by object and old id.
    meant: FxHashMap<(usize, Id), Id>,
}

impl<Id: Copy + Eq + std::hash::Hash> Numbers<Id> {
    fn new() -> Numbers<Id> {
        Numbers {
            next: 0,
            defined: FxHashMap::default(),
            named: FxHashMap::default(),
            declared: FxHashMap::default(),
            meant: FxHashMap::default(),
        }
    }

    fn fresh(&mut self, make: fn(u32) -> Id) -> Id {
        self.next += 1;
        make(self.next - 1)
    }

    /// A definition that is surely meant by references in its own file.
    fn define(&mut self, make: fn(u32) -> Id, (at, old): (usize, Id), name: &str, internal: bool, gives_way: bool) {
        let id = self.fresh(make);
        self.defined.insert((at, old), id);
        if !gives_way {
            self.meant.insert((at, old), id);
            if is_shared(name, internal) {
                self.named.insert((at, name.to_owned()), id);
            }
        }
    }

    /// What a name means in an object that does not surely define it; true for a declaration met for the first time.
    fn refer(&mut self, make: fn(u32) -> Id, (at, old): (usize, Id), name: &str, symbols: &Symbols) -> (Id, bool) {
        let definer = symbols.resolve(name).filter(|d| *d != at);
        let found = definer.and_then(|d| self.named.get(&(d, name.to_owned())).copied());
        let key = (name.to_owned(), !symbols.definers(name).is_empty());
        let known = found.or_else(|| self.declared.get(&key).copied());
        let id = known.unwrap_or_else(|| self.fresh(make));
        if known.is_none() {
            self.declared.insert(key, id);
        }
        self.meant.insert((at, old), id);
        (id, known.is_none())
    }

    /// What a name means in an object that declares it and does not use it.
    fn unused(&self, name: &str, symbols: &Symbols) -> Option<Id> {
        match symbols.resolve(name) {
            Some(definer) => self.named.get(&(definer, name.to_owned())).copied(),
            // Several definitions: which one is meant is not known.
            None if !symbols.definers(name).is_empty() => None,
            None => self.declared.get(&(name.to_owned(), false)).copied(),
        }
    }
}

impl Joiner<'_> {
    /// One module of all: definitions in the order of the files, then what is only declared.
    fn join(symbols: &Symbols, modules: Vec<(usize, Module)>) -> Module {
        let mut joiner = Joiner {
            symbols,
            functions: Numbers::new(),
            globals: Numbers::new(),
        };
        let (mut joined, mut on_device) = (Module::default(), Vec::new());
        joiner.define(&modules);
        let (functions, globals) = joiner.declare(&modules);
        for (unit, (at, module)) in modules.into_iter().enumerate() {
            on_device.extend(joiner.add(&mut joined, unit as u32, at, module));
        }
        joined.functions.extend(functions);
        joined.globals.extend(globals);
        // What one file says of a variable holds in all.
        for global in on_device {
            joined.globals[global.0 as usize].on_device = true;
        }
        joined
    }

    fn define(&mut self, modules: &[(usize, Module)]) {
        for (at, module) in modules {
            for (i, f) in module.functions.iter().enumerate().filter(|(_, f)| !f.declaration) {
                let gives_way = f.replaceable && f.name != "main";
                self.functions
                    .define(FuncId, (*at, FuncId(i as u32)), &f.name, f.internal, gives_way);
            }
            for (i, g) in module.globals.iter().enumerate().filter(|(_, g)| !g.external) {
                self.globals
                    .define(GlobalId, (*at, GlobalId(i as u32)), &g.name, g.internal, g.replaceable);
            }
        }
    }

    /// Finds out what all other names mean; what is left of them as declarations.
    fn declare(&mut self, modules: &[(usize, Module)]) -> (Vec<Function>, Vec<Global>) {
        let (mut functions, mut globals) = (Vec::<Function>::new(), Vec::<Global>::new());
        let (defined, mut structs) = (self.functions.next, 0);
        for (unit, (at, module)) in modules.iter().enumerate() {
            for (i, f) in module.functions.iter().enumerate() {
                let old = (*at, FuncId(i as u32));
                if self.functions.meant.contains_key(&old) {
                    continue;
                }
                let (id, first) = self.functions.refer(FuncId, old, &f.name, self.symbols);
                if first {
                    functions.push(self.declaration(f, unit as u32, structs));
                } else if let Some(known) = id.0.checked_sub(defined).and_then(|n| functions.get_mut(n as usize)) {
                    known.attrs = known.attrs.common(&f.attrs);
                }
            }
            for (i, g) in module.globals.iter().enumerate() {
                let old = (*at, GlobalId(i as u32));
                if self.globals.meant.contains_key(&old) {
                    continue;
                }
                if self.globals.refer(GlobalId, old, &g.name, self.symbols).1 {
                    let mut global = Global {
                        external: true,
                        replaceable: false,
                        init_pointers: Vec::new(),
                        init_int: None,
                        ..g.clone()
                    };
                    shift(&mut global.ty, structs);
                    globals.push(global);
                }
            }
            structs += module.structs.len() as u32;
        }
        (functions, globals)
    }

    fn declaration(&self, function: &Function, unit: u32, structs: u32) -> Function {
        let mut name = function.name.clone();
        if !self.symbols.definers(&name).is_empty() {
            // No entry of a table of library functions may be taken for it.
            name.push_str(ONE_OF_SEVERAL);
        }
        let mut declared = Function {
            name,
            declaration: true,
            replaceable: false,
            unit,
            decl: None,
            header: None,
            blocks: Vec::new(),
            insts: Vec::new(),
            variables: Vec::new(),
            params: function.params.clone(),
            ret: function.ret.clone(),
            ..*function
        };
        declared
            .params
            .iter_mut()
            .chain([&mut declared.ret])
            .for_each(|ty| shift(ty, structs));
        declared
    }

    /// Adds a file's definitions, and what it sees. What it says to be on the device is returned.
    fn add(&self, joined: &mut Module, unit: u32, at: usize, mut module: Module) -> Vec<GlobalId> {
        let structs = joined.structs.len() as u32;
        let mut sees = Unit::default();
        let named = global_names(&module);
        let mut on_device = Vec::new();
        let symbol = |operand: &mut Operand| match operand.symbol_mut() {
            Some(Operand::Function(f)) => *f = self.functions.meant[&(at, *f)],
            Some(Operand::Global(g)) => *g = self.globals.meant[&(at, *g)],
            _ => {}
        };
        for mut structure in module.structs.drain(..) {
            structure.fields.iter_mut().for_each(|ty| shift(ty, structs));
            joined.structs.push(structure);
        }
        for (i, mut function) in module.functions.drain(..).enumerate() {
            let old = (at, FuncId(i as u32));
            let own = self.functions.defined.get(&old);
            sees.functions.push(*own.unwrap_or(&self.functions.meant[&old]));
            if own.is_none() {
                continue;
            }
            function.unit = unit;
            function.params.iter_mut().for_each(|ty| shift(ty, structs));
            shift(&mut function.ret, structs);
            for inst in &mut function.insts {
                shift(&mut inst.ty, structs);
                inst.op.visit_mut(&mut |o| symbol(o), &mut |ty| shift(ty, structs));
            }
            joined.functions.push(function);
        }
        for (i, mut global) in module.globals.drain(..).enumerate() {
            let old = (at, GlobalId(i as u32));
            let own = self.globals.defined.get(&old);
            let meant = self.globals.meant[&old];
            sees.globals.insert(meant, used(&global));
            on_device.extend(global.on_device.then_some(meant));
            if own.is_none() {
                continue;
            }
            shift(&mut global.ty, structs);
            global.init_pointers.iter_mut().for_each(|(_, o)| symbol(o));
            joined.globals.push(global);
        }
        sees.records = records(&module);
        for declared in &module.declared.names {
            let meant = match named.get(&declared.name) {
                Some(old) => Some(self.globals.meant[&(at, *old)]),
                None if declared.internal => None,
                None => self.globals.unused(&declared.name, self.symbols),
            };
            if let Some(id) = meant {
                sees.declare(id, declared);
                on_device.extend(declared.on_device.then_some(id));
            }
        }
        joined.units.push(sees);
        on_device
    }
}

/// Renumbers the structs in a type.
fn shift(ty: &mut Type, by: u32) {
    match ty {
        Type::Struct(StructId(id)) => *id += by,
        Type::Array(element, _) => shift(element, by),
        _ => {}
    }
}
