//! Whether what an instruction runs surely comes back, or never ends.
//!
//! ```c
//! for (int i = 0; i < w; i++) a[i] = sqrt(scaled(b, i));      /* `scaled` computes: nothing ends the program before `i` overflows        */
//! for (int i = 0; i < w; i++) if (bad(b, i)) stop();          /* of a function that is not seen, or that comes to `exit`, nobody knows   */
//! ```

use crate::analysis::libc;
use crate::program::ir::{Callee, FuncId, Function, InstId, Module, Op};

/// More functions than these are not looked through.
const MOST_FUNCTIONS: usize = 64;

/// Whether what an instruction calls, and all that this calls, neither ends the program nor jumps out.
pub(super) fn comes_back(module: &Module, function: &Function, inst: InstId) -> bool {
    let mut seen: Vec<FuncId> = Vec::new();
    let mut ok = is_known(module, function, inst, &mut seen);
    let mut at = 0;
    while ok && at < seen.len() {
        let callee = module.function(seen[at]);
        let mut insts = callee.inst_ids();
        ok = seen.len() <= MOST_FUNCTIONS && insts.all(|i| is_known(module, callee, i, &mut seen));
        at += 1;
    }
    ok
}

/// Whether an instruction is no call, or one of a function that is known; a function of the program is still to be looked through then.
fn is_known(module: &Module, function: &Function, inst: InstId, seen: &mut Vec<FuncId>) -> bool {
    match &function.inst(inst).op {
        Op::Call {
            callee: Callee::Direct(func),
            ..
        } => {
            let called = module.function(*func);
            if called.declaration {
                return !called.attrs.noreturn && libc::lookup(&called.name).is_some_and(libc::LibFn::comes_back);
            }
            if !seen.contains(func) {
                seen.push(*func);
            }
            !called.replaceable && !called.attrs.noreturn
        }
        Op::Call { .. } | Op::Other { .. } => false,
        _ => true,
    }
}
