//! What one instruction does to abstract memory.

use super::Worth;
use super::run::{FunctionRun, SymbolOrigin};
use super::state::{CellKey, MemoryState};
use crate::analysis::callee_term::CalleeTerm;
use crate::analysis::effects::LocSet;
use crate::analysis::values::arithmetic::arithmetic;
use crate::analysis::values::members::const_offset;
use crate::analysis::values::members::is_scalar;
use crate::program::ir::{BinOp, Cast, InstId, Op, Operand, SourceType, Type};
use crate::symbolic::{Expr, Sym};

impl FunctionRun<'_> {
    /// Runs an instruction.
    pub(super) fn step(&mut self, state: &mut MemoryState, inst: InstId) {
        let function = self.function;
        let it = function.inst(inst);
        for others in self.effects.others_at(self.func, inst) {
            match others.unknown {
                true => self.forget_all(state),
                false => self.overwrite(state, &others.writes),
            }
        }
        let value = match &it.op {
            Op::Alloca { count: None, .. } => {
                let sym = self.sym(SymbolOrigin::Local(inst));
                Some(Worth::of(sym, true))
            }
            Op::Load { ptr, volatile } => {
                let cell = self.cell(ptr, &it.ty).filter(|_| !volatile && is_scalar(&it.ty));
                cell.and_then(|key| self.held(state, &key))
            }
            Op::Store {
                ptr,
                value,
                ty,
                volatile,
            } => {
                let stored = self.value(value).filter(|_| !volatile && is_scalar(ty));
                self.store(state, ptr, ty, stored);
                return;
            }
            Op::Atomic { ptr, ty, .. } => {
                self.store(state, ptr, ty, None);
                None
            }
            Op::Gep {
                base,
                source_ty,
                indices,
            } => self.gep(base, source_ty, indices),
            Op::Binary { op, lhs, rhs, .. } => self.binary(*op, lhs, rhs, &it.ty),
            Op::Cast { kind, value, from } => self.cast(*kind, value, from, &it.ty),
            Op::Call { .. } => self.call(state, inst),
            Op::Other {
                touches_memory: true, ..
            } => {
                self.forget_all(state);
                None
            }
            _ => None,
        };
        if !is_scalar(&it.ty) {
            return;
        }
        let value = value.unwrap_or_else(|| {
            let sym = self.made(state, inst, 0);
            Worth::of(sym, it.ty == Type::Ptr)
        });
        self.values.insert(inst, value);
    }

    /// The symbol for the `n`-th thing that an instruction makes now. In another iteration that was something else: what
    /// is still made of it has no value any more.
    pub(super) fn made(&mut self, state: &mut MemoryState, inst: InstId, n: usize) -> Sym {
        let sym = self.sym(SymbolOrigin::Made(inst, n));
        state.forget(sym);
        self.values.retain(|_, v| !v.mentions(sym));
        sym
    }

    /// The value of an operand.
    pub(super) fn value(&mut self, operand: &Operand) -> Option<Worth> {
        match operand {
            Operand::Int(v) => Some(Worth::Int(Expr::constant(*v))),
            Operand::Inst(id) => self.values.get(id).cloned(),
            Operand::Arg(n) => {
                let ty = self.function.params.get(*n as usize)?;
                let sym = self.sym(SymbolOrigin::Entry(CalleeTerm::Param(*n)));
                is_scalar(ty).then(|| Worth::of(sym, *ty == Type::Ptr))
            }
            Operand::Global(g) => {
                let sym = self.sym(SymbolOrigin::Entry(CalleeTerm::Storage(*g)));
                Some(Worth::of(sym, true))
            }
            Operand::ConstGep { base, bytes } => match self.value(base)? {
                Worth::Ptr { base, offset } => Some(Worth::Ptr {
                    base,
                    offset: offset.offset(i128::from(*bytes))?,
                }),
                Worth::Int(_) => None,
            },
            _ => None,
        }
    }

    fn int(&mut self, operand: &Operand) -> Option<Expr> {
        match self.value(operand)? {
            Worth::Int(e) => Some(e),
            Worth::Ptr { .. } => None,
        }
    }

    fn gep(&mut self, base: &Operand, source_ty: &Type, indices: &[Operand]) -> Option<Worth> {
        let Worth::Ptr { base, offset } = self.value(base)? else {
            return None;
        };
        let more = match const_offset(self.module, source_ty, indices) {
            Some(bytes) => Expr::constant(i128::from(bytes)),
            None => match indices {
                [index] => {
                    let size = Expr::constant(i128::from(self.module.size_of(source_ty)));
                    self.int(index)?.mul(&size)?
                }
                _ => return None,
            },
        };
        Some(Worth::Ptr {
            base,
            offset: offset.add(&more)?,
        })
    }

    /// Arithmetic as `values::eval` has it.
    fn binary(&mut self, op: BinOp, lhs: &Operand, rhs: &Operand, ty: &Type) -> Option<Worth> {
        let signed = match op {
            BinOp::SDiv | BinOp::SRem => true,
            BinOp::UDiv | BinOp::URem => false,
            _ => return arithmetic(op, &self.int(lhs)?, &self.int(rhs)?).map(Worth::Int),
        };
        let (l, r) = (self.int(lhs)?, self.int(rhs)?);
        if !self.is_number(lhs, &l, ty, signed) || !self.is_number(rhs, &r, ty, signed) {
            return None;
        }
        match op {
            BinOp::SDiv | BinOp::UDiv => l.div(&r),
            _ => l.rem(&r),
        }
        .map(Worth::Int)
    }

    /// Whether an operand that is divided is the number `e` in a type with a sign or without: a constant or parameter of such a
    /// type, or what is computed of these with a sign, which does not overflow.
    fn is_number(&self, operand: &Operand, e: &Expr, ty: &Type, signed: bool) -> bool {
        if let Some(value) = e.as_constant() {
            return (0..=i128::from(i32::MAX)).contains(&value);
        }
        let declared = |sym: &Sym| match &self.origins[sym.0 as usize] {
            SymbolOrigin::Entry(CalleeTerm::Param(n)) => {
                let mut variables = self.function.variables.iter();
                let variable = variables.find(|v| v.arg == Some(*n));
                matches!(variable.map(|v| &v.source_type), Some(SourceType::Int { bytes, signed: s })
                    if *s == signed && *ty == Type::Int(8 * *bytes as u32))
            }
            _ => false,
        };
        let computed = match operand {
            Operand::Inst(id) => matches!(
                &self.function.inst(*id).op,
                Op::Binary {
                    op: BinOp::Add | BinOp::Sub | BinOp::Mul,
                    lhs,
                    rhs,
                    nsw: true,
                } if [lhs, rhs].into_iter().all(|o| self.is_part(o, (ty, signed)))
            ),
            _ => false,
        };
        (e.as_sym().is_some() || signed && computed) && e.symbols().iter().all(declared)
    }

    /// Whether a part of a number is computed so with a sign.
    fn is_part(&self, operand: &Operand, to: (&Type, bool)) -> bool {
        match operand {
            Operand::Int(_) => true,
            Operand::Inst(id) => match self.values.get(id) {
                Some(Worth::Int(e)) => self.is_number(operand, e, to.0, to.1),
                _ => false,
            },
            _ => false,
        }
    }

    fn cast(&mut self, kind: Cast, value: &Operand, from: &Type, to: &Type) -> Option<Worth> {
        match kind {
            Cast::SExt | Cast::ZExt if *from != Type::Int(1) => self.int(value).map(Worth::Int),
            Cast::Bitcast if from == to => self.value(value),
            Cast::Trunc => {
                let Operand::Inst(inner) = value else { return None };
                match &self.function.inst(*inner).op {
                    Op::Cast {
                        kind: Cast::SExt | Cast::ZExt,
                        value,
                        from,
                    } if from == to => self.value(value),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What a cell holds.
    pub(super) fn held(&self, state: &MemoryState, key: &CellKey) -> Option<Worth> {
        match state.cells.get(key) {
            Some(known) => known.clone(),
            None => self.on_entry(state, key),
        }
    }

    fn store(&mut self, state: &mut MemoryState, address: &Operand, ty: &Type, value: Option<Worth>) {
        match self.cell(address, ty) {
            Some(key) => state.store(key, value.filter(|v| matches!(v, Worth::Ptr { .. }) == key.pointer)),
            None => {
                if let Some(Worth::Ptr { base, .. }) = self.value(address) {
                    let behind = self.known.keys().filter(|k| k.root == base);
                    state.cells.extend(behind.map(|k| (*k, None)));
                }
                let places = self.points_to.of_operand(self.func, address).iter().copied().collect();
                self.overwrite(state, &places);
            }
        }
    }

    /// Forgets what lies at places that may have been written, nobody knows with what.
    pub(super) fn overwrite(&mut self, state: &mut MemoryState, places: &LocSet) {
        for (key, held) in &mut state.cells {
            let lies = self.known.get(key).map_or(&[][..], |k| &k.places);
            if lies.iter().any(|a| places.meets(self.points_to, *a)) {
                *held = None;
            }
        }
        state.unseen.join(places);
        self.elsewhere.join(places);
    }

    /// Anything may have been written that is not a variable of this function alone.
    pub(super) fn forget_all(&mut self, state: &mut MemoryState) {
        for (key, held) in &mut state.cells {
            let private = match &self.origins[key.root.0 as usize] {
                SymbolOrigin::Local(alloca) => {
                    let variable = self.function.variable_of(*alloca);
                    variable.is_some_and(|v| !self.points_to.address_taken(self.func, v))
                }
                _ => false,
            };
            if !private {
                *held = None;
            }
        }
        state.anything = true;
        self.anything = true;
    }
}
