//! IR operands as pointers: a base, and bytes from there.
//!
//! ```c
//! double *row = a + i * m;        /* row is 8*m*i bytes from a, wherever `row` is used                                  */
//! ```

use super::slots::SlotId;
use super::table::{Base, Evaluate, MAX_DEPTH, PtrVal, SymKind, Values};
use super::version::Version;
use crate::program::ir::{Cast, InstId, Op, Operand, Type};
use crate::symbolic::Expr;

impl Values<'_> {
    /// The pointer that an operand is.
    pub(super) fn pointer(&self, operand: &Operand, depth: u32) -> Option<PtrVal> {
        Some(match operand {
            Operand::Global(g) => PtrVal {
                base: Base::Global(*g),
                offset: Expr::constant(0),
            },
            Operand::ConstGep { base, bytes } => {
                let inner = self.ptr_at(base, depth)?;
                PtrVal {
                    base: inner.base,
                    offset: inner.offset.add(&Expr::constant(i128::from(*bytes)))?,
                }
            }
            Operand::Arg(n) => PtrVal {
                base: Base::Value(self.sym(SymKind::Arg(*n))),
                offset: Expr::constant(0),
            },
            Operand::Inst(id) => {
                if let Some(known) = self.known_ptr(*id) {
                    return Some(known);
                }
                let value = if depth > MAX_DEPTH {
                    None
                } else {
                    self.inst_ptr(*id, depth + 1)
                };
                let value = value.unwrap_or_else(|| PtrVal {
                    base: Base::Value(self.sym(SymKind::Inst(*id))),
                    offset: Expr::constant(0),
                });
                self.keep_ptr(*id, value.clone());
                value
            }
            _ => return None,
        })
    }

    fn inst_ptr(&self, id: InstId, depth: u32) -> Option<PtrVal> {
        let function = self.function();
        match &function.inst(id).op {
            Op::Alloca { .. } => Some(PtrVal {
                base: Base::Local(function.variable_of(id)?),
                offset: Expr::constant(0),
            }),
            Op::Load { ptr, volatile: false } => {
                let slot = self.slots.value_at(ptr, &function.inst(id).ty, function)?;
                let node = self.attachment.node_of[id.0 as usize]?;
                Some(self.slot_ptr_at(slot, self.versions.at(node, id, slot), depth))
            }
            Op::Gep {
                base,
                source_ty,
                indices,
            } => {
                let base = self.ptr_at(base, depth)?;
                let bytes = self.gep_bytes(source_ty, indices, depth)?;
                Some(PtrVal {
                    base: base.base,
                    offset: base.offset.add(&bytes)?,
                })
            }
            Op::Cast {
                kind: Cast::Bitcast,
                value,
                ..
            } => self.ptr_at(value, depth),
            Op::Call { .. } => self.returned_ptr(id, depth),
            _ => None,
        }
    }

    fn gep_bytes(&self, source_ty: &Type, indices: &[Operand], depth: u32) -> Option<Expr> {
        let mut total = Expr::constant(0);
        let mut ty = source_ty.clone();
        for (i, index) in indices.iter().enumerate() {
            if i == 0 {
                let size = Expr::constant(i128::from(self.module.size_of(&ty)));
                total = total.add(&self.int_at(index, depth).mul(&size)?)?;
                continue;
            }
            match &ty {
                Type::Array(elem, _) => {
                    let size = Expr::constant(i128::from(self.module.size_of(elem)));
                    total = total.add(&self.int_at(index, depth).mul(&size)?)?;
                    ty = (**elem).clone();
                }
                Type::Struct(id) => {
                    let Operand::Int(field) = index else { return None };
                    let layout = self.module.structure(*id);
                    let field = usize::try_from(*field).ok()?;
                    total = total.add(&Expr::constant(i128::from(*layout.offsets.get(field)?)))?;
                    ty = layout.fields.get(field)?.clone();
                }
                _ => return None,
            }
        }
        Some(total)
    }

    /// The pointer that a slot holds.
    pub(super) fn slot_pointer(&self, slot: SlotId, version: Version, depth: u32) -> PtrVal {
        if let Some((original, version)) = self.original(slot, version)
            && depth <= MAX_DEPTH
        {
            return self.slot_ptr_at(original, version, depth + 1);
        }
        let itself = || PtrVal {
            base: Base::Value(self.sym(SymKind::Slot(slot, version))),
            offset: Expr::constant(0),
        };
        match version {
            Version::Def(id) if depth <= MAX_DEPTH => match &self.function().inst(id).op {
                Op::Store {
                    value: Operand::Arg(_), ..
                } => itself(),
                Op::Store { value, .. } => match self.ptr_at(value, depth + 1) {
                    Some(p) if self.has_name(&p) => p,
                    _ => itself(),
                },
                _ => itself(),
            },
            Version::Call(id) if depth <= MAX_DEPTH => {
                let left = self.left_ptr(slot, id, depth + 1);
                left.filter(|p| self.has_name(p)).unwrap_or_else(itself)
            }
            _ => itself(),
        }
    }

    /// Whether a pointer counts from something that has a name in the text.
    fn has_name(&self, p: &PtrVal) -> bool {
        !self.is_nameless(p.base)
    }
}
