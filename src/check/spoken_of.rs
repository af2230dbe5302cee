//! How a kernel's code speaks of an array: by the variable that it is, which the kernel maps where no clause does, or by pointers into it, which it does not.
//!
//! ```c
//! static double g[40];
//! double *p = g + 10;
//! #pragma omp target …
//! for (…) p[i] = g[i];             // both
//! ```

use crate::analysis::access::is_by_name;
use crate::analysis::accesses::Accesses;
use crate::analysis::function::FunctionModel;
use crate::analysis::values::table::Base;
use crate::program::graph::NodeId;
use crate::program::ir::Op;

/// How an array is spoken of.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SpokenOf {
    pub by_name: bool,
    pub by_pointer: bool,
}

impl SpokenOf {
    /// How the kernel at a node speaks of an array: where it uses it itself, and where it hands it to functions.
    pub fn at(model: &FunctionModel<'_>, accesses: &Accesses, node: NodeId, base: Base) -> SpokenOf {
        let function = model.function();
        let own = accesses.at(node);
        let own = own.iter().filter(|a| a.at.as_ref().is_some_and(|at| at.base == base));
        let own = own.map(|a| is_by_name(function, &a.address));
        let calls = accesses.calls(node);
        let handed = calls.iter().flat_map(|call| match &function.inst(*call).op {
            Op::Call { args, .. } => args.as_slice(),
            _ => &[],
        });
        let handed = handed.filter(|arg| model.values.ptr(arg).is_some_and(|at| at.base == base));
        let handed = handed.map(|arg| is_by_name(function, arg));
        let mut spoken = SpokenOf::default();
        for by_name in own.chain(handed) {
            match by_name {
                true => spoken.by_name = true,
                false => spoken.by_pointer = true,
            }
        }
        spoken
    }
}
