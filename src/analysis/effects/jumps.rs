//! Which calls may leave their callers by `longjmp`, told apart by the functions that they hand over.
//!
//! ```c
//! void iterate(double *v, int n, void (*ask)(int)) { … ask(t); … }
//! iterate(w, n, pass);            /* whatever else `iterate` is called with: `pass` only returns   */
//! iterate(v, n, stop);            /* `stop` calls `longjmp`                                         */
//! ```
//!
//! What a function calls through a parameter of its own that it never assigns is what its caller names there. All other
//! calls through pointers may call all that the pointer may point to over all calls.

use super::known::Effects;
use crate::program::ir::{Callee, FuncId, InstId, Op, Operand};

/// As many calls are looked at for one answer. Beyond, a call may jump if it may for any caller.
const MOST_CALLS: u32 = 200;

impl Effects<'_> {
    /// Whether a call may leave its caller by `longjmp`.
    pub fn may_jump(&self, func: FuncId, inst: InstId) -> bool {
        self.jumps(func, inst, &[], &mut MOST_CALLS.clone())
    }

    /// Whether a call may leave its caller by `longjmp`, where the arguments of `func` are `handed`.
    fn jumps(&self, func: FuncId, inst: InstId, handed: &[Option<FuncId>], left: &mut u32) -> bool {
        if !self.of_call(func, inst).may_jump {
            return false;
        }
        let Op::Call { callee, args } = &self.module.function(func).inst(inst).op else {
            return true;
        };
        let run = match callee {
            Callee::Direct(named) => self.only_calls(func, inst, *named).then_some(*named),
            Callee::Indirect(pointer) => self.function_at(func, pointer, handed),
            Callee::Asm { .. } => None,
        };
        let Some(run) = run else { return true };
        let function = self.module.function(run);
        if function.declaration || function.variadic || function.params.len() != args.len() || *left == 0 {
            return true;
        }
        *left -= 1;
        let inner: Vec<Option<FuncId>> = args.iter().map(|a| self.function_at(func, a, handed)).collect();
        function.inst_ids().any(|i| match function.inst(i).op {
            Op::Call { .. } => self.jumps(run, i, &inner, left),
            _ => self.of_inst(run, i).may_jump,
        })
    }

    /// Whether a call by name runs the function of that name and nothing else.
    fn only_calls(&self, func: FuncId, inst: InstId, named: FuncId) -> bool {
        let targets = self.points_to.call_targets(func, inst);
        targets.known.iter().eq([&named]) && targets.callbacks.is_empty() && !targets.unknown
    }

    /// The one function that an operand points to, where the arguments are `handed`.
    fn function_at(&self, func: FuncId, operand: &Operand, handed: &[Option<FuncId>]) -> Option<FuncId> {
        match operand {
            Operand::Function(f) => Some(*f),
            Operand::Arg(n) => *handed.get(*n as usize)?,
            Operand::Inst(load) => *handed.get(self.parameter(func, *load)? as usize)?,
            _ => None,
        }
    }

    /// The parameter that an instruction loads, if the function never assigns it.
    fn parameter(&self, func: FuncId, load: InstId) -> Option<u32> {
        let function = self.module.function(func);
        let Op::Load {
            ptr: Operand::Inst(alloca),
            ..
        } = function.inst(load).op
        else {
            return None;
        };
        let variable = function.variable_of(alloca)?;
        let of = function.variables[variable.0 as usize].arg?;
        let mut stored = function.insts.iter().filter_map(|i| match &i.op {
            Op::Store { ptr, value, .. } if *ptr == Operand::Inst(alloca) => Some(value),
            _ => None,
        });
        let once = stored.next() == Some(&Operand::Arg(of)) && stored.next().is_none();
        (once && !self.points_to.address_taken(func, variable)).then_some(of)
    }
}
