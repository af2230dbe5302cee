//! Parameters that point into different memory at every call.
//!
//! ```c
//! static void relax(double *v, double *w, int n) { … }
//! relax(a, b, n);  relax(b, a, n);        /* each may be either array, and never both the same one */
//! ```
//!
//! Two arguments may point to different places of one memory and still lead to the same array: `step(box, box->speed)`. So what
//! counts is the array around each place, by the type that the parameter is declared with.
//!
//! What a parameter may point to is the union over all calls, by which these two overlap. Call by call they do not. It is
//! true of the values with which the function is called, where all its calls are in the module and none is the C library's.

use super::PointsTo;
use crate::program::ir::{FuncId, Module, Op, SourceType};
use crate::program::objects::MemLoc;

impl PointsTo {
    /// Whether two parameters never point into the same memory when the function is called.
    pub fn are_separate(&self, module: &Module, func: FuncId, a: u32, b: u32) -> bool {
        let pairs = self.separate[func.0 as usize].get_or_init(|| self.find_separate(module, func));
        pairs.contains(&(a.min(b), a.max(b)))
    }

    fn find_separate(&self, module: &Module, func: FuncId) -> Vec<(u32, u32)> {
        if self.has_unseen_callers(func) || self.callers(func).is_empty() {
            return Vec::new();
        }
        let count = module.function(func).params.len() as u32;
        let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
        pairs
            .filter(|(a, b)| self.are_separate_at_calls(module, func, *a, *b))
            .collect()
    }

    fn are_separate_at_calls(&self, module: &Module, func: FuncId, a: u32, b: u32) -> bool {
        self.callers(func).iter().all(|site| {
            let Op::Call { args, .. } = &module.function(site.func).inst(site.inst).op else {
                return false;
            };
            let reached = |n: u32| -> Vec<MemLoc> {
                let variables = &module.function(func).variables;
                let declared = variables.iter().find(|v| v.arg == Some(n)).map(|v| &v.source_type);
                let numbers = declared.is_some_and(SourceType::leads_to_numbers);
                let passed = args
                    .get(n as usize)
                    .map_or(&[][..], |arg| self.of_operand(site.func, arg));
                passed.iter().map(|l| self.array_around(*l, numbers)).collect()
            };
            let (a, b) = (reached(a), reached(b));
            !a.is_empty() && !b.is_empty() && !a.iter().any(|x| b.iter().any(|y| self.may_alias(*x, *y)))
        })
    }
}
