//! Which pointers of a function are arguments that it gets through `...`.
//!
//! ```c
//! void trace(int n, int count, ...)
//! {
//!     va_list arrays;
//!     va_start(arrays, count);
//!     for (int k = 0; k < count; k++) {
//!         double *v = va_arg(arrays, double *);
//!         printf(" %g", v[n - 1]);              /* an element of some argument behind `count` */
//!     }
//!     va_end(arrays);
//! }
//! ```
//!
//! A host summary has one term for all of these arguments: a call may do to each what the function does to some.
//!
//! clang leaves no `va_arg` in the IR. On x86-64 a list is a record of four members, and an argument is loaded from where one
//! of two of them points: the registers as they were on entry, or the stack of the caller.
//!
//! ```text
//! %19 = gep [1 x struct.__va_list_tag], %3 (arrays) [0, 0]
//! %25 = load ptr, %24                          %24 = gep struct.__va_list_tag, %19 [0, 3]   (the registers)
//! %26 = gep i8, %25 [%21]
//! %31 = load ptr, %30                          %30 = gep struct.__va_list_tag, %19 [0, 2]   (the stack)
//! %35 = phi ptr [%26, in_reg], [%31, in_mem]
//! %36 = load ptr, %35                          what `va_arg` yields
//! ```
//!
//! That is so of a list that nothing but `va_start` and `va_arg` sets, or that is copied from such a one. A list that comes
//! from elsewhere has the arguments of another function; one that is handed on, or whose address is kept, may be set by
//! anybody. Of these, and of other machines' lists, nothing is known here.

use super::points_to::{PointsTo, for_operands};
use crate::program::ir::{BinOp, Callee, Function, InstId, Module, Op, Operand, Type};
use rustc_hash::FxHashSet;

/// Where a list says where the stack of the caller and the registers on entry are.
const AREAS: [u64; 2] = [8, 16];

/// The lists of a function that hold its own arguments and nothing else.
pub struct Variadic<'a> {
    module: &'a Module,
    function: &'a Function,
    lists: FxHashSet<InstId>,
}

impl<'a> Variadic<'a> {
    /// Finds them.
    pub fn of(module: &'a Module, points_to: &PointsTo, function: &'a Function) -> Variadic<'a> {
        let is_list = |i: &InstId| match &function.inst(*i).op {
            Op::Alloca { ty, count: None } => is_list_type(module, ty),
            _ => false,
        };
        let mut found = Variadic {
            module,
            function,
            lists: FxHashSet::default(),
        };
        if function.variadic {
            found.lists = function.inst_ids().filter(is_list).collect();
        }
        // A list that is copied from one of another function is of another function itself.
        while !found.lists.is_empty() {
            let spoiled: Vec<InstId> = function
                .inst_ids()
                .flat_map(|i| found.spoiled_by(points_to, i))
                .collect();
            if spoiled.is_empty() {
                break;
            }
            spoiled.iter().for_each(|list| {
                found.lists.remove(list);
            });
        }
        found
    }

    /// Whether an instruction loads a pointer that `va_arg` yields.
    pub fn yields(&self, inst: InstId) -> bool {
        let inst = self.function.inst(inst);
        matches!(&inst.op, Op::Load { ptr, volatile: false } if inst.ty == Type::Ptr && self.is_argument(ptr))
    }

    /// Whether an address is where an argument was passed: no object of the program.
    pub fn is_argument(&self, address: &Operand) -> bool {
        let Operand::Inst(at) = address else { return false };
        match &self.function.inst(*at).op {
            Op::Phi { incoming } => incoming.iter().all(|(_, v)| self.is_in_area(v)),
            _ => self.is_in_area(address),
        }
    }

    /// Whether an address is some bytes into where arguments are passed.
    fn is_in_area(&self, address: &Operand) -> bool {
        let Operand::Inst(at) = address else { return false };
        match &self.function.inst(*at).op {
            Op::Load { ptr, .. } => self
                .member(ptr)
                .is_some_and(|(_, bytes)| bytes.is_some_and(|b| AREAS.contains(&b))),
            Op::Gep {
                base,
                source_ty: Type::Int(8),
                ..
            } => self.is_in_area(base),
            _ => false,
        }
    }

    /// The list that an address lies in, and how far, where that is a constant.
    fn member(&self, address: &Operand) -> Option<(InstId, Option<u64>)> {
        let Operand::Inst(at) = address else { return None };
        match &self.function.inst(*at).op {
            Op::Alloca { .. } => self.lists.contains(at).then_some((*at, Some(0))),
            Op::Gep {
                base,
                source_ty,
                indices,
            } => {
                let (list, bytes) = self.member(base)?;
                let more = self.constant(source_ty, indices);
                Some((list, bytes.zip(more).map(|(a, b)| a + b)))
            }
            _ => None,
        }
    }

    /// How far indices lead into a list, or an array of the only one.
    fn constant(&self, source_ty: &Type, indices: &[Operand]) -> Option<u64> {
        let zero = |o: &Operand| matches!(o, Operand::Int(0));
        match (source_ty, indices) {
            (Type::Array(..), all) => all.iter().all(zero).then_some(0),
            (Type::Struct(id), [first, Operand::Int(field)]) if zero(first) => {
                let field = usize::try_from(*field).ok()?;
                self.module.structure(*id).offsets.get(field).copied()
            }
            _ => None,
        }
    }

    /// Whether a number is a member of a list, and some more.
    fn counts_on(&self, value: &Operand) -> bool {
        let Operand::Inst(sum) = value else { return false };
        let Op::Binary {
            op: BinOp::Add,
            lhs: Operand::Inst(before),
            rhs: Operand::Int(1..),
            ..
        } = &self.function.inst(*sum).op
        else {
            return false;
        };
        matches!(&self.function.inst(*before).op, Op::Load { ptr, .. } if self.member(ptr).is_some())
    }

    /// The lists of which an instruction makes that they may hold something else.
    fn spoiled_by(&self, points_to: &PointsTo, inst: InstId) -> Vec<InstId> {
        let op = &self.function.inst(inst).op;
        let list = |o: &Operand| self.member(o).map(|(list, _)| list);
        match op {
            Op::Gep { base, indices, .. } if list(base).is_some() => indices.iter().filter_map(list).collect(),
            Op::Load { volatile: false, .. } => Vec::new(),
            Op::Store { ptr, value, ty, .. } => {
                // What `va_arg` leaves behind: how much of the registers has been read, and the rest of the stack.
                let moves_on = match ty {
                    Type::Int(_) => self.counts_on(value),
                    _ => self.is_in_area(value),
                };
                let set = list(ptr).filter(|_| !moves_on);
                set.into_iter().chain(list(value)).collect()
            }
            Op::Call {
                callee: Callee::Direct(f),
                args,
            } => {
                let callee = self.module.function(*f);
                let others = || args.iter().filter_map(list).collect();
                match (callee.name.as_str(), args.as_slice()) {
                    _ if !callee.declaration => others(),
                    ("llvm.va_start" | "llvm.va_end", _) => Vec::new(),
                    ("llvm.va_copy", [to, from]) if list(from).is_none() => list(to).into_iter().collect(),
                    ("llvm.va_copy", [_, _]) => Vec::new(),
                    // `vprintf` reads the list on.
                    _ => match points_to.known().of(*f) {
                        Some(library) if !library.writes.is_empty() || !library.keeps.is_empty() => others(),
                        Some(_) => Vec::new(),
                        None => others(),
                    },
                }
            }
            _ => {
                let mut found = Vec::new();
                for_operands(op, &mut |o| found.extend(list(o)));
                found
            }
        }
    }
}

/// Whether a type is that of a `va_list` variable on x86-64.
fn is_list_type(module: &Module, ty: &Type) -> bool {
    let Type::Array(record, 1) = ty else { return false };
    let Type::Struct(id) = **record else { return false };
    let record = module.structure(id);
    record.name == "struct.__va_list_tag" && record.offsets == [0, 4, 8, 16]
}
