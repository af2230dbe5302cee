//! What is known of functions without a body, and what the user promises of functions with one.
//!
//! ```c
//! int  printf(const char *, ...);            /* the library table has it                                        */
//! void log_state(const double *, int);       /* the user says: reads argument 0, and does input or output       */
//! void solve(double *, int);                 /* nothing is known: unknown code                                  */
//! void step(double *x, double *y) { … }      /* the user says: what its parameters point to does not overlap    */
//! ```
//!
//! Decided once for each module, by function. The user's word goes before the library table, and a definition before both.
//! That what the user says is true is not checked: [`crate::config`] has the words for it.

use super::libc::{self, LibFn};
use crate::program::ir::{FuncId, Function, Module};
use crate::program::left_out::{self, LeftOut};
use crate::program::linker_names::ONE_OF_SEVERAL;
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// What is known of a module's functions from other sources than the module.
#[derive(Clone, Debug, Default)]
pub struct KnownFunctions {
    /// By function; `None` for definitions and for what nothing is known of.
    functions: Vec<Option<Cow<'static, LibFn>>>,
    noalias: FxHashSet<FuncId>,
}

impl KnownFunctions {
    /// What the library table says.
    pub fn of_library(module: &Module) -> KnownFunctions {
        KnownFunctions::with(module, FxHashMap::default(), FxHashSet::default(), &BTreeSet::new())
    }

    /// What the user says of declared functions, and else the library tables but for those that are left out; and the functions whose
    /// pointer parameters overlap neither each other nor variables.
    pub fn with(
        module: &Module,
        mut said: FxHashMap<FuncId, LibFn>,
        noalias: FxHashSet<FuncId>,
        without: &BTreeSet<String>,
    ) -> KnownFunctions {
        let functions = module.functions.iter().enumerate().map(|(index, function)| {
            // In the place of one that is unseen something else may run.
            if !function.declaration || function.unseen.is_some() {
                return None;
            }
            let said = said.remove(&FuncId(index as u32)).map(Cow::Owned);
            said.or_else(|| of_name(&function.name, without).map(Cow::Borrowed))
        });
        KnownFunctions {
            functions: functions.collect(),
            noalias,
        }
    }

    /// What comes from the user, sorted: what is decided about the module depends on it. The library table is part of the
    /// program that runs.
    pub fn told(&self) -> (Vec<(FuncId, &LibFn)>, Vec<FuncId>) {
        let functions = self.functions.iter().enumerate();
        let said = functions.filter_map(|(index, known)| match known {
            Some(Cow::Owned(said)) => Some((FuncId(index as u32), said)),
            _ => None,
        });
        let mut noalias: Vec<FuncId> = self.noalias.iter().copied().collect();
        noalias.sort_unstable();
        (said.collect(), noalias)
    }

    /// What is known of the functions of `other`, which is the same program in another form; functions of one name are the same. Library
    /// tables that are left out are so there.
    pub fn in_form(&self, own: &Module, other: &Module, without: &BTreeSet<String>) -> KnownFunctions {
        let numbers: FxHashMap<&str, FuncId> = { other.functions.iter().enumerate() }
            .map(|(index, function)| (function.name.as_str(), FuncId(index as u32)))
            .collect();
        let there = |id: FuncId| numbers.get(own.function(id).name.as_str()).copied();
        let (said, noalias) = self.told();
        let said = { said.into_iter() }.filter_map(|(id, effects)| Some((there(id)?, effects.clone())));
        let noalias = noalias.into_iter().filter_map(there);
        KnownFunctions::with(other, said.collect(), noalias.collect(), without)
    }

    /// What a declared function does; `None` for a definition and for unknown code.
    pub fn of(&self, id: FuncId) -> Option<&LibFn> {
        self.functions.get(id.0 as usize)?.as_deref()
    }

    /// Whether the function's pointer parameters overlap neither each other nor variables, by the user's word.
    pub fn is_noalias(&self, id: FuncId) -> bool {
        self.noalias.contains(&id)
    }
}

/// What the library table says of a function, or of a branch of `#if` that is left out: nothing where the branch does more than
/// read, write and call functions of the library that do no more either.
fn of_name(name: &str, without: &BTreeSet<String>) -> Option<&'static LibFn> {
    let listed = |name: &str| libc::lookup_without(name, without);
    let Some(branch) = LeftOut::of_symbol(name) else {
        return listed(name);
    };
    let called: Option<Vec<&LibFn>> = branch.calls.iter().map(|name| listed(name)).collect();
    let called = called.filter(|called| !branch.anything && called.iter().all(|f| f.only_accesses()))?;
    let ends = called.iter().any(|f| f.noreturn || f.exits);
    libc::lookup(if ends { left_out::ENDS } else { left_out::SYMBOL })
}

/// The name that the text has for a function.
pub fn name_in_text(function: &Function) -> &str {
    function.name.strip_suffix(ONE_OF_SEVERAL).unwrap_or(&function.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::ir::Type;
    use crate::program::ir_build::ModuleBuilder;

    #[test]
    fn the_user_goes_before_the_table_and_a_definition_before_both() {
        let mut m = ModuleBuilder::default();
        let printf = m.declare("printf", &[Type::Ptr], Type::Int(32));
        let puts = m.declare("puts", &[Type::Ptr], Type::Int(32));
        let sqrt = m.function("sqrt", &[Type::Float(64)], Type::Float(64));
        let solve = m.declare("solve", &[Type::Ptr], Type::Void);
        m.body(sqrt, |_| ());
        let module = m.finish();
        let said = |name: &str| LibFn {
            name: name.into(),
            state: true,
            ..LibFn::default()
        };
        let all = [(puts, said("puts")), (sqrt, said("sqrt"))].into_iter().collect();
        let known = KnownFunctions::with(&module, all, FxHashSet::default(), &BTreeSet::new());
        assert!(known.of(printf).unwrap().io && known.of(puts).unwrap().state);
        assert!(known.of(sqrt).is_none() && known.of(solve).is_none());
        assert_eq!(known.told(), (vec![(puts, &said("puts"))], vec![]));
    }
}
