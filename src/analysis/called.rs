//! Which functions of the program a call may run, where that is all that it may do.
//!
//! ```c
//! typedef void (*visitor)(double *v, int i);
//! visitor visit = last ? look : clamp;
//! visit(v, i);                                /* one of two, with the arguments that stand here */
//! ```
//!
//! A call by name runs the function of that name. A call through a pointer runs one of those that points-to analysis has for
//! the pointer, if it has all of them and each takes that many arguments. What summaries say of a callee is then true of
//! the call if it is true of each of them; what a callee surely does, the call surely does only if there is no other.

use super::points_to::PointsTo;
use crate::program::ir::{Callee, FuncId, InstId, Module, Op, Operand};

/// What a call runs.
pub struct Called<'a> {
    /// One of these, without repetition, in the order of their numbers.
    pub functions: Vec<FuncId>,
    /// The call's arguments.
    pub args: &'a [Operand],
}

impl Called<'_> {
    /// Whether it is known which.
    pub fn is_one(&self) -> bool {
        self.functions.len() == 1
    }
}

/// What the instruction `inst` of a function runs; `None` where it is no call, or of code that is not known.
pub fn called<'a>(module: &'a Module, points_to: &PointsTo, func: FuncId, inst: InstId) -> Option<Called<'a>> {
    let Op::Call { callee, args } = &module.function(func).inst(inst).op else {
        return None;
    };
    if let Callee::Direct(function) = callee {
        return Some(Called {
            functions: vec![*function],
            args,
        });
    }
    let targets = points_to.call_targets(func, inst);
    let fits = |f: &FuncId| {
        let function = module.function(*f);
        !function.declaration && !function.variadic && function.params.len() == args.len()
    };
    let known = !targets.unknown && targets.callbacks.is_empty() && !targets.known.is_empty();
    (known && targets.known.iter().all(fits)).then(|| Called {
        functions: targets.known.iter().copied().collect(),
        args,
    })
}
