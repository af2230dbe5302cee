//! Which variables of the program names of a function's text mean: tables, found once somebody asks.
//!
//! ```c
//! static int m;
//! int f(void) { int n = 8; return n + m; }     /* declared at byte 28: the variable `n`; called `m`: a global */
//! ```
//!
//! Functions have thousands of names, and each residency that is tried asks for some at its ends.

use crate::program::attach::Offsets;
use crate::program::ir::{Function, GlobalId, Module, VarId};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;

/// Tables of the names of one function.
#[derive(Default)]
pub struct VisibleNames {
    /// By the byte at which they are declared.
    variables: OnceCell<FxHashMap<usize, Vec<VarId>>>,
    /// By name, in order of their numbers.
    globals: OnceCell<FxHashMap<String, Vec<GlobalId>>>,
}

impl VisibleNames {
    /// The variables of a function that are declared at a byte of the text.
    pub fn variables_at(&self, function: &Function, offsets: &dyn Offsets, at: usize) -> &[VarId] {
        let all = self.variables.get_or_init(|| {
            let mut found: FxHashMap<usize, Vec<VarId>> = FxHashMap::default();
            for (variable, id) in function.variables.iter().zip(0..) {
                if let Some(at) = variable.decl.and_then(|l| offsets.offset(l)) {
                    found.entry(at).or_default().push(VarId(id));
                }
            }
            found
        });
        all.get(&at).map_or(&[], Vec::as_slice)
    }

    /// The globals that `name` may mean in a function.
    pub fn globals_named(&self, module: &Module, function: &Function, name: &str) -> &[GlobalId] {
        let all = self.globals.get_or_init(|| {
            let mut found: FxHashMap<String, Vec<GlobalId>> = FxHashMap::default();
            for id in module.globals_of(function.unit, &function.name) {
                let name = module.global(id).name.clone();
                found.entry(name).or_default().push(id);
            }
            found
        });
        all.get(name).map_or(&[], Vec::as_slice)
    }
}
