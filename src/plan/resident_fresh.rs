//! Which memory a function has just allocated, and what it stores there: what [`super::resident_members`] asks of single
//! instructions.
//!
//! ```c
//! struct mesh *m = malloc(sizeof *m);
//! m->n = n;                                   /* a length, of a struct that no kernel can have seen                     */
//! m->x = malloc(n * sizeof *m->x);            /* a pointer to a new array                                               */
//! double *x = m->x;
//! for (int i = 0; i < n; i++) x[i] = 0.0;     /* also memory that no kernel can have seen, if none was started meanwhile */
//! ```

use super::program_facts::ProgramFacts;
use crate::analysis::far_jumps::calls_that_return_twice;
use crate::analysis::libc::LibFn;
use crate::analysis::storage::cleared;
use crate::program::ir::{Callee, FuncId, InstId, Op, Operand, VarId};
use crate::program::objects::MemLoc;

/// How many variables a pointer is followed through to where it was allocated.
const MOST_VARIABLES: usize = 3;

/// What an instruction does to the pointers and lengths of arrays.
pub(super) enum PointerEffect {
    /// Nothing that matters.
    Nothing,
    /// The instruction makes a pointer lead to a new array.
    Pointer,
    /// Something else.
    Unfollowed,
}

impl ProgramFacts<'_> {
    /// Whether an address is in memory that its function has just allocated, or that a struct points to which it has: and no
    /// kernel can have run since.
    pub(super) fn is_fresh(&self, func: FuncId, address: &Operand, cells: &[MemLoc]) -> bool {
        !self.starting.contains(&func) && self.leads_to_fresh(func, address, cells, MOST_VARIABLES)
    }

    /// Whether an address is in memory just allocated, in a function that starts no kernels; through so many variables.
    fn leads_to_fresh(&self, func: FuncId, address: &Operand, cells: &[MemLoc], most: usize) -> bool {
        let function = self.module.function(func);
        if self.points_to.is_fresh(self.module, func, address) {
            return true;
        }
        let mut base = address;
        while let Operand::Inst(id) = base
            && let Op::Gep { base: inner, .. } = &function.inst(*id).op
        {
            base = inner;
        }
        let Operand::Inst(id) = base else { return false };
        let Op::Load { ptr, .. } = &function.inst(*id).op else {
            return false;
        };
        let from = self.points_to.of_operand(func, ptr);
        if !from.is_empty() && from.iter().all(|l| cells.contains(l)) {
            return self.points_to.is_fresh(self.module, func, ptr);
        }
        // A variable that holds nothing else: `double *x = m->x;`.
        let is_here =
            |v: &VarId| matches!(ptr, Operand::Inst(a) if function.variables[v.0 as usize].alloca == Some(*a));
        let variable = (0..function.variables.len() as u32).map(VarId).find(is_here);
        let only_by_name = variable.is_some_and(|v| !self.points_to.address_taken(func, v));
        let mut stores = function.insts.iter().filter_map(|inst| match &inst.op {
            Op::Store { ptr: to, value, .. } if to == ptr => Some(value),
            _ => None,
        });
        only_by_name && most > 0 && stores.all(|value| self.leads_to_fresh(func, value, cells, most - 1))
    }

    /// What an instruction does to pointers and lengths.
    pub(super) fn sets(&self, func: FuncId, inst: InstId, cells: &[MemLoc], lengths: &[MemLoc]) -> PointerEffect {
        let op = &self.module.function(func).inst(inst).op;
        let at = |locs: &[MemLoc], among: &[MemLoc]| {
            locs.iter()
                .any(|l| among.iter().any(|c| self.points_to.may_alias(*l, *c)))
        };
        let to_fresh = |ptr: &Operand| !self.starting.contains(&func) && self.points_to.is_new(self.module, func, ptr);
        match op {
            Op::Store { ptr, value, .. } => {
                let locs = self.points_to.of_operand(func, ptr);
                let nothing = matches!(value, Operand::Null | Operand::Int(0));
                match (at(locs, cells), at(locs, lengths)) {
                    (false, false) => PointerEffect::Nothing,
                    (true, true) => PointerEffect::Unfollowed,
                    _ if nothing => PointerEffect::Nothing,
                    (false, true) if to_fresh(ptr) => PointerEffect::Nothing,
                    (true, false) if to_fresh(ptr) && self.is_allocation(func, inst, value) => PointerEffect::Pointer,
                    _ => PointerEffect::Unfollowed,
                }
            }
            Op::Atomic { ptr, .. } => {
                let locs = self.points_to.of_operand(func, ptr);
                match at(locs, cells) || at(locs, lengths) {
                    true => PointerEffect::Unfollowed,
                    false => PointerEffect::Nothing,
                }
            }
            Op::Call { callee, .. } if self.calls_library(func, inst) => {
                let effects = self.effects.of_call(func, inst);
                let writes = |among: &[MemLoc]| among.iter().any(|c| effects.may_write(self.points_to, *c));
                let known = self.points_to.known();
                // Copies have a pointer and a length from elsewhere: `*v = *m`, or `realloc` of what kernels have seen.
                let is_empty = |known: &LibFn| known.returns_fresh() && known.copies.is_empty();
                let allocates = matches!(callee, Callee::Direct(f) if known.of(*f).is_some_and(is_empty));
                let clears = cleared(self.module, known, func, inst).is_some_and(|(to, _)| to_fresh(to));
                let copies = self.copies_records(func, inst, cells, lengths);
                match copies || ((writes(cells) || writes(lengths)) && !allocates && !clears) {
                    true => PointerEffect::Unfollowed,
                    false => PointerEffect::Nothing,
                }
            }
            _ => PointerEffect::Nothing,
        }
    }

    /// Whether a call moves pointers or lengths to memory that it allocates: `realloc` of a struct that holds some.
    fn copies_records(&self, func: FuncId, inst: InstId, cells: &[MemLoc], lengths: &[MemLoc]) -> bool {
        let Op::Call {
            args,
            callee: Callee::Direct(f),
        } = &self.module.function(func).inst(inst).op
        else {
            return false;
        };
        let copies = self.points_to.known().of(*f).map_or(&[][..], |known| &known.copies);
        let mut from = copies.iter().filter_map(|c| args.get(c.from as usize));
        from.any(|from| {
            let held = self.points_to.of_operand(func, from).iter();
            let mut held = held.map(|l| MemLoc::whole(l.object));
            let ours = || cells.iter().chain(lengths);
            held.any(|l| ours().any(|c| self.points_to.may_alias(l, *c)))
        })
    }

    /// Whether a value that is stored is what the function has allocated, and each time another array: the call itself, or a
    /// variable that holds it where nothing stores it twice.
    fn is_allocation(&self, func: FuncId, store: InstId, value: &Operand) -> bool {
        let function = self.module.function(func);
        let Operand::Inst(id) = value else { return false };
        let once = || {
            let block = function.inst(store).block;
            let mut work = function.blocks[block.0 as usize].succs.clone();
            let mut seen = vec![false; function.blocks.len()];
            while let Some(next) = work.pop() {
                if !std::mem::replace(&mut seen[next.0 as usize], true) {
                    work.extend(&function.blocks[next.0 as usize].succs);
                }
            }
            !seen[block.0 as usize] && calls_that_return_twice(self.module, func).next().is_none()
        };
        let is_call = matches!(function.inst(*id).op, Op::Call { .. });
        self.points_to.is_new(self.module, func, value) && (is_call || once())
    }
}
