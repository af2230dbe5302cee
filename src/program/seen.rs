//! What the text of a file can name: what it defines and uses, and what it declares without using it.

use super::ir::{FuncId, Global, GlobalId, Module, Seen, SeenUnit};
use super::linker_names::has_name_in_text;
use rustc_hash::{FxHashMap, FxHashSet};

impl Module {
    /// How the text of a file sees a global; `None` where it cannot name it.
    pub fn seen(&self, unit: u32, id: GlobalId) -> Option<Seen> {
        if !has_name_in_text(&self.global(id).name) {
            return None;
        }
        match self.units.get(unit as usize) {
            Some(unit) => unit.globals.get(&id).copied(),
            None => Some(Seen {
                decl: self.global(id).decl,
                complete: !self.global(id).external || self.global(id).size > 0,
            }),
        }
    }
    /// The globals that a file has names for, in a function or outside all of them, by number: which one is meant at a place is
    /// for the scopes to say.
    pub fn globals_of(&self, unit: u32, function: &str) -> Vec<GlobalId> {
        let in_function = |global: &Global| global.in_function.as_ref().is_none_or(|f| f == function);
        self.globals_with(unit, &|global| has_name_in_text(&global.name) && in_function(global))
    }
    /// [`Module::globals_of`] that are called `name`.
    pub fn globals_named(&self, unit: u32, function: &str, name: &str) -> Vec<GlobalId> {
        let in_function = |global: &Global| global.in_function.as_ref().is_none_or(|f| f == function);
        self.globals_with(unit, &|global| {
            global.name == name && has_name_in_text(&global.name) && in_function(global)
        })
    }
    /// The globals of which it is not known what texts call them.
    pub fn globals_without_name(&self) -> impl Iterator<Item = GlobalId> + '_ {
        let all = (0..self.globals.len() as u32).map(GlobalId);
        all.filter(|g| !has_name_in_text(&self.global(*g).name))
    }
    fn globals_with(&self, unit: u32, fits: &dyn Fn(&Global) -> bool) -> Vec<GlobalId> {
        let fits = |g: &GlobalId| fits(self.global(*g));
        let mut found: Vec<GlobalId> = match self.units.get(unit as usize) {
            Some(unit) => unit.globals.keys().copied().filter(fits).collect(),
            None => (0..self.globals.len() as u32).map(GlobalId).filter(fits).collect(),
        };
        found.sort_unstable();
        found
    }
    /// The functions that the text of a file can name.
    pub fn functions_of(&self, unit: u32) -> Vec<FuncId> {
        match self.units.get(unit as usize) {
            Some(unit) => unit.functions.clone(),
            None => (0..self.functions.len() as u32).map(FuncId).collect(),
        }
    }
}

/// A file that is linked with none, as one that sees itself.
pub(super) fn alone(mut module: Module) -> Module {
    if module.declared.names.is_empty() && module.declared.constants.is_empty() {
        return module;
    }
    let named = global_names(&module);
    let all = (0..module.functions.len() as u32).map(FuncId);
    let mut sees = SeenUnit {
        functions: all.collect(),
        records: records(&module),
        constants: std::mem::take(&mut module.declared.constants),
        ..SeenUnit::default()
    };
    let globals = module.globals.iter().enumerate();
    sees.globals
        .extend(globals.map(|(i, global)| (GlobalId(i as u32), used(global))));
    for declared in std::mem::take(&mut module.declared).names {
        if let Some(id) = named.get(&declared.name) {
            sees.declare(*id, &declared);
        }
    }
    module.units.push(sees);
    module
}

/// What a file calls its globals, those of single functions apart.
pub(super) fn global_names(module: &Module) -> FxHashMap<String, GlobalId> {
    let globals = module.globals.iter().enumerate();
    let at_file_scope = globals.filter(|(_, global)| global.in_function.is_none());
    at_file_scope
        .map(|(i, global)| (global.name.clone(), GlobalId(i as u32)))
        .collect()
}

/// Records that a file has the members of: what it says, and what its variables are of.
pub(super) fn records(module: &Module) -> FxHashSet<String> {
    let mut found: FxHashSet<String> = module.declared.records.iter().cloned().collect();
    let globals = module.globals.iter().filter_map(|g| g.source_type.as_ref());
    let variables = module
        .functions
        .iter()
        .flat_map(|f| &f.variables)
        .map(|v| &v.source_type);
    let members = module.structs.iter().flat_map(|s| &s.field_types);
    for ty in globals.chain(variables).chain(members) {
        if let Some((name, true)) = ty.record() {
            found.insert(name.to_owned());
        }
    }
    found
}

/// How a file sees a variable that it defines or uses.
pub(super) fn used(global: &Global) -> Seen {
    Seen {
        decl: global.decl,
        complete: !global.external || global.size > 0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::ir::{Declarations, Declared, Loc, Type};
    use super::super::ir_build::ModuleBuilder;
    use super::super::link::{ObjectFile, link};
    use super::*;

    fn declared(name: &str, line: u32) -> Declared {
        Declared {
            name: name.to_owned(),
            from: Some(Loc { line, col: u32::MAX }),
            complete: true,
            internal: false,
            on_device: false,
        }
    }

    /// A file that defines `field`, and one that uses `shared` of it and declares `names`.
    fn linked(names: Vec<Declared>) -> Module {
        let mut definer = ModuleBuilder::default();
        definer.global("field", Type::Ptr, false);
        definer.global("hidden", Type::Ptr, true);
        definer.global("shared", Type::Ptr, false);
        let mut user = ModuleBuilder::default();
        let shared = user.global("shared", Type::Ptr, false);
        user.edit_global(shared).external = true;
        let (definer, mut user) = (definer.finish(), user.finish());
        user.declare(Declarations {
            names,
            ..Declarations::default()
        });
        let objects = [definer, user].map(|module| ObjectFile { module, apart: false });
        let mut programs = link(objects.into(), &|_| false).programs;
        assert_eq!(programs.len(), 1);
        programs.remove(0).module
    }

    #[test]
    fn what_is_declared_can_be_named_without_a_use() {
        let module = linked(vec![declared("field", 3), declared("hidden", 3), declared("shared", 2)]);
        let seen = |name: &str| {
            let at = module.globals.iter().position(|g| g.name == name).unwrap();
            module
                .seen(1, GlobalId(at as u32))
                .and_then(|seen| seen.decl)
                .map(|loc| loc.line)
        };
        assert_eq!(
            (seen("field"), seen("shared"), seen("hidden")),
            (Some(3), Some(2), None)
        );
    }

    #[test]
    fn an_internal_variable_is_none_of_another_file() {
        let mut own = declared("field", 3);
        own.internal = true;
        let module = linked(vec![own]);
        assert!(module.globals_named(1, "main", "field").is_empty());
    }

    #[test]
    fn one_file_puts_a_variable_on_the_device_for_all() {
        let mut field = declared("field", 3);
        field.on_device = true;
        let module = linked(vec![field]);
        let on_device: Vec<&str> = module
            .globals
            .iter()
            .filter(|g| g.on_device)
            .map(|g| g.name.as_str())
            .collect();
        assert_eq!(on_device, ["field"]);
    }
}
