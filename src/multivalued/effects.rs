//! What functions in the tables do to memory, for the analyses that take what they do not know for anything.
//!
//! ```text
//! atomicAdd      result differs=0       what it writes is said by its role ([`super::library_calls`]): no effects besides
//! upc_all_alloc  all alloc              fresh memory
//! blockIdx.x     in no table, `const`   computes: the stand-ins for headers say so, and nothing calls back
//! ```

use super::roles::{AgentKind, role};
use crate::analysis::known::KnownFunctions;
use crate::analysis::libc::{LibFn, apply};
use crate::program::ir::{FuncId, Module};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// What is known of the functions that a program declares and that mean something to those who run it, or only compute.
pub fn known_functions(agents: AgentKind, module: &Module) -> KnownFunctions {
    let mut said: FxHashMap<FuncId, LibFn> = FxHashMap::default();
    for (at, function) in module.functions.iter().enumerate().filter(|(_, f)| f.declaration) {
        let role = role(agents, &function.name);
        if role.is_none() && !function.attrs.memory_none {
            continue;
        }
        let mut known = LibFn {
            name: function.name.clone(),
            ..LibFn::default()
        };
        if role.is_some_and(|role| role.allocates) {
            let _ = apply(&mut known, "alloc");
        }
        said.insert(FuncId(at as u32), known);
    }
    KnownFunctions::with(module, said, FxHashSet::default(), &BTreeSet::new())
}
