//! Joins the modules of one program to one: gives functions, globals and structs new numbers, and finds out what names mean.

use super::ir::{FuncId, Function, Global, GlobalId, Module, Operand, SeenUnit, StructId, Type, Unseen};
use super::link_symbols::LinkSymbols;
use super::linker_names::{ONE_OF_SEVERAL, has_name_in_text, is_shared, linker_name};
use super::seen::{global_names, records, used};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Puts the modules of one program together.
pub(super) struct Joiner<'a> {
    symbols: &'a LinkSymbols,
    functions: NewIds<FuncId>,
    globals: NewIds<GlobalId>,
}

/// New ids of functions, or of globals.
struct NewIds<Id> {
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

impl<Id: Copy + Eq + std::hash::Hash> NewIds<Id> {
    fn new() -> NewIds<Id> {
        NewIds {
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
    fn define(&mut self, make: fn(u32) -> Id, at: usize, old: Id, name: &str, internal: bool, gives_way: bool) {
        let name = linker_name(name);
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
    fn refer(&mut self, make: fn(u32) -> Id, at: usize, old: Id, name: &str, symbols: &LinkSymbols) -> (Id, bool) {
        let name = linker_name(name);
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
    fn unused(&self, name: &str, symbols: &LinkSymbols) -> Option<Id> {
        let name = linker_name(name);
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
    pub(super) fn join(symbols: &LinkSymbols, modules: Vec<(usize, Module)>) -> Module {
        let mut joiner = Joiner {
            symbols,
            functions: NewIds::new(),
            globals: NewIds::new(),
        };
        let (mut joined, mut said) = (Module::default(), SaidOfOthers::default());
        joiner.define(&modules);
        let (functions, globals) = joiner.declare(&modules);
        for (unit, (at, module)) in modules.into_iter().enumerate() {
            joiner.add(&mut joined, unit as u32, at, module, &mut said);
        }
        joined.functions.extend(functions.into_iter().map(Arc::new));
        joined.globals.extend(globals);
        // What one file says of a variable holds in all.
        for (function, why) in said.unseen {
            Arc::make_mut(&mut joined.functions[function.0 as usize])
                .unseen
                .get_or_insert(why);
        }
        for global in said.on_device {
            joined.globals[global.0 as usize].on_device = true;
        }
        joined
    }

    fn define(&mut self, modules: &[(usize, Module)]) {
        for (at, module) in modules {
            for (i, f) in module.functions.iter().enumerate().filter(|(_, f)| !f.declaration) {
                let gives_way = f.replaceable && f.name != "main";
                self.functions
                    .define(FuncId, *at, FuncId(i as u32), &f.name, f.internal, gives_way);
            }
            for (i, g) in module.globals.iter().enumerate().filter(|(_, g)| !g.external) {
                self.globals
                    .define(GlobalId, *at, GlobalId(i as u32), &g.name, g.internal, g.replaceable);
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
                let (id, first) = self.functions.refer(FuncId, old.0, old.1, &f.name, self.symbols);
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
                if self.globals.refer(GlobalId, old.0, old.1, &g.name, self.symbols).1 {
                    let mut global = Global {
                        external: true,
                        replaceable: false,
                        init_pointers: Vec::new(),
                        init_int: None,
                        prints_errno: false,
                        counts_printed: true,
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
            included: Vec::new(),
            directives: 0,
            enters_data: false,
            host_directives: 0,
            makes_tasks: false,
            unseen: function.unseen.clone(),
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

    /// Adds a file's definitions, and what it sees; to `said` what it says of others' definitions.
    fn add(&self, joined: &mut Module, unit: u32, at: usize, mut module: Module, said: &mut SaidOfOthers) {
        let structs = joined.structs.len() as u32;
        let mut sees = SeenUnit::default();
        let named = global_names(&module);
        let symbol = |operand: &mut Operand| match operand.symbol_mut() {
            Some(Operand::Function(f)) => *f = self.functions.meant[&(at, *f)],
            Some(Operand::Global(g)) => *g = self.globals.meant[&(at, *g)],
            _ => {}
        };
        for mut structure in module.structs.drain(..) {
            structure.fields.iter_mut().for_each(|ty| shift(ty, structs));
            joined.structs.push(structure);
        }
        for (i, function) in module.functions.drain(..).enumerate() {
            let old = (at, FuncId(i as u32));
            let own = self.functions.defined.get(&old);
            if has_name_in_text(&function.name) {
                sees.functions.push(*own.unwrap_or(&self.functions.meant[&old]));
            }
            if own.is_none() {
                let meant = self.functions.meant[&old];
                said.unseen.extend(function.unseen.clone().map(|why| (meant, why)));
                continue;
            }
            let mut function = Arc::unwrap_or_clone(function);
            function.unit = unit;
            function.params.iter_mut().for_each(|ty| shift(ty, structs));
            shift(&mut function.ret, structs);
            for inst in &mut function.insts {
                shift(&mut inst.ty, structs);
                inst.op.visit_mut(&mut |o| symbol(o), &mut |ty| shift(ty, structs));
            }
            joined.functions.push(Arc::new(function));
        }
        for (i, mut global) in module.globals.drain(..).enumerate() {
            let old = (at, GlobalId(i as u32));
            let own = self.globals.defined.get(&old);
            let meant = self.globals.meant[&old];
            if has_name_in_text(&global.name) {
                sees.globals.insert(meant, used(&global));
            }
            said.on_device.extend(global.on_device.then_some(meant));
            if own.is_none() {
                continue;
            }
            shift(&mut global.ty, structs);
            global.init_pointers.iter_mut().for_each(|(_, o)| symbol(o));
            joined.globals.push(global);
        }
        sees.records = records(&module);
        sees.constants = std::mem::take(&mut module.declared.constants);
        // Where the text gives variables other names than the assembler has, what it declares and does not use may be any.
        let is_plain = named.keys().all(|name| has_name_in_text(name));
        for declared in module.declared.names.iter().filter(|_| is_plain) {
            let meant = match named.get(&declared.name) {
                Some(old) => Some(self.globals.meant[&(at, *old)]),
                None if declared.internal => None,
                None => self.globals.unused(&declared.name, self.symbols),
            };
            if let Some(id) = meant {
                sees.declare(id, declared);
                said.on_device.extend(declared.on_device.then_some(id));
            }
        }
        joined.units.push(sees);
    }
}

/// What files say of functions and variables that others define.
#[derive(Default)]
struct SaidOfOthers {
    /// Variables that are on the device.
    on_device: Vec<GlobalId>,
    /// Functions whose place others may take, and why.
    unseen: Vec<(FuncId, Unseen)>,
}

/// Renumbers the structs in a type.
fn shift(ty: &mut Type, by: u32) {
    match ty {
        Type::Struct(StructId(id)) => *id += by,
        Type::Array(element, _) => shift(element, by),
        _ => {}
    }
}
