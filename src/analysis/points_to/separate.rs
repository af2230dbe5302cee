//! Parameters that point into different memory at every call.
//!
//! ```c
//! static void relax(double *v, double *w, int n) { … }
//! relax(a, b, n);  relax(b, a, n);        /* each may be either array, and never both the same one */
//! ```
//!
//! What a parameter may point to is the union over all calls, by which these two overlap. Call by call they do not. It is
//! true of the values with which the function is called, where all its calls are in the module and none is the C library's.

use super::PointsTo;
use crate::program::ir::{FuncId, Module, Op};

impl PointsTo {
    /// Whether two parameters never point into the same memory when the function is called.
    pub fn are_separate(&self, module: &Module, func: FuncId, (a, b): (u32, u32)) -> bool {
        let pairs = self.separate[func.0 as usize].get_or_init(|| self.find_separate(module, func));
        pairs.contains(&(a.min(b), a.max(b)))
    }

    fn find_separate(&self, module: &Module, func: FuncId) -> Vec<(u32, u32)> {
        let called_back = || self.targets.values().any(|t| t.callbacks.contains(&func));
        if self.is_entry(func) || self.callers(func).is_empty() || called_back() {
            return Vec::new();
        }
        let count = module.function(func).params.len() as u32;
        let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
        pairs
            .filter(|pair| self.are_separate_at_calls(module, func, *pair))
            .collect()
    }

    fn are_separate_at_calls(&self, module: &Module, func: FuncId, (a, b): (u32, u32)) -> bool {
        self.callers(func).iter().all(|site| {
            let Op::Call { args, .. } = &module.function(site.func).inst(site.inst).op else {
                return false;
            };
            let (Some(a), Some(b)) = (args.get(a as usize), args.get(b as usize)) else {
                return false;
            };
            let (a, b) = (self.of_operand(site.func, a), self.of_operand(site.func, b));
            !a.is_empty() && !b.is_empty() && !a.iter().any(|x| b.iter().any(|y| self.may_alias(*x, *y)))
        })
    }
}
