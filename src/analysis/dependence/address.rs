//! Where pointer operands point: a base, and bytes from there as a number.

use super::number::{MAX_DEPTH, Num, NumberKind, OperandFacts, OperandReader};
use crate::analysis::values::slots::SlotId;
use crate::analysis::values::table::{Base, SymKind};
use crate::analysis::values::version::Version;
use crate::program::ir::{InstId, Op, Operand, Type};
use crate::symbolic::Expr;

/// A pointer: bytes from a base.
#[derive(Clone, Debug)]
pub(super) struct Address {
    pub base: Base,
    /// `None` where it is not understood.
    pub offset: Option<Num>,
}

impl OperandReader<'_> {
    /// Where a pointer operand points.
    pub fn address(&self, operand: &Operand, known: &OperandFacts<'_>) -> Option<Address> {
        self.address_at(operand, known, 0)
    }

    fn address_at(&self, operand: &Operand, known: &OperandFacts<'_>, depth: u32) -> Option<Address> {
        let zero = || Num {
            poly: Expr::zero(),
            kind: NumberKind::Both,
            needs: Vec::new(),
        };
        let at = |base: Base| Address {
            base,
            offset: Some(zero()),
        };
        let values = self.model.values;
        Some(match operand {
            Operand::Global(g) => at(Base::Global(*g)),
            Operand::Arg(n) => at(Base::Value(values.sym(SymKind::Arg(*n)))),
            Operand::ConstGep { base, bytes } => {
                let inner = self.address_at(base, known, depth)?;
                let constant = Num {
                    poly: Expr::constant(i128::from(*bytes)),
                    kind: NumberKind::Signed,
                    needs: Vec::new(),
                };
                inner.moved(Some(constant))
            }
            Operand::Inst(id) => {
                let found = if depth < MAX_DEPTH {
                    self.address_of_inst(*id, known, depth + 1)
                } else {
                    None
                };
                found.unwrap_or_else(|| at(Base::Value(values.sym(SymKind::Inst(*id)))))
            }
            _ => return None,
        })
    }

    fn address_of_inst(&self, id: InstId, known: &OperandFacts<'_>, depth: u32) -> Option<Address> {
        let function = self.model.function();
        let values = self.model.values;
        match &function.inst(id).op {
            Op::Alloca { .. } => Some(Address {
                base: Base::Local(function.variable_of(id)?),
                offset: self.at(&Operand::Int(0), known, 0),
            }),
            Op::Load { ptr, volatile: false } if function.inst(id).ty == Type::Ptr => {
                let slot = values.slots.at(ptr, function)?;
                Some(self.address_of_slot(slot, self.version(id, slot)?, known, depth))
            }
            Op::Gep {
                base,
                source_ty,
                indices,
            } => {
                let inner = self.address_at(base, known, depth)?;
                let bytes = self.stepped(source_ty, indices, known, depth);
                Some(inner.moved(bytes))
            }
            _ => None,
        }
    }

    fn address_of_slot(&self, slot: SlotId, version: Version, known: &OperandFacts<'_>, depth: u32) -> Address {
        let values = self.model.values;
        if let Some((original, version)) = values.original(slot, version)
            && depth < MAX_DEPTH
        {
            return self.address_of_slot(original, version, known, depth + 1);
        }
        let itself = || Address {
            base: Base::Value(values.sym(SymKind::Slot(slot, version))),
            offset: self.at(&Operand::Int(0), known, 0),
        };
        let Version::Def(store) = version else { return itself() };
        match &self.model.function().inst(store).op {
            Op::Store { value, .. } if !matches!(value, Operand::Arg(_)) => {
                let found = self.address_at(value, known, depth + 1);
                let named = |a: &Address| match a.base {
                    Base::Value(s) => matches!(values.kind(s), SymKind::Slot(..)),
                    _ => true,
                };
                found.filter(named).unwrap_or_else(itself)
            }
            _ => itself(),
        }
    }

    /// The bytes that indices step over; `None` where one of them is not a number.
    fn stepped(&self, source_ty: &Type, indices: &[Operand], known: &OperandFacts<'_>, depth: u32) -> Option<Num> {
        let mut total = self.at(&Operand::Int(0), known, 0)?;
        let mut ty = source_ty.clone();
        for (i, index) in indices.iter().enumerate() {
            let size = if i == 0 {
                self.model.module.size_of(&ty)
            } else {
                match &ty {
                    Type::Array(elem, _) => {
                        let size = self.model.module.size_of(elem);
                        ty = (**elem).clone();
                        size
                    }
                    Type::Struct(id) => {
                        let Operand::Int(field) = index else { return None };
                        let layout = self.model.module.structure(*id);
                        let field = usize::try_from(*field).ok()?;
                        let offset = i128::from(*layout.offsets.get(field)?);
                        total.poly = total.poly.offset(offset)?;
                        ty = layout.fields.get(field)?.clone();
                        continue;
                    }
                    _ => return None,
                }
            };
            let index = self.at(index, known, depth)?;
            total.poly = total.poly.add(&index.poly.scale(i128::from(size))?)?;
            total.needs.extend(index.needs);
            if index.kind == NumberKind::Wrapped {
                total.kind = NumberKind::Wrapped;
            }
        }
        Some(total)
    }
}

impl Address {
    fn moved(self, bytes: Option<Num>) -> Address {
        let offset = self.offset.zip(bytes).and_then(|(a, b)| {
            let wrapped = a.kind == NumberKind::Wrapped || b.kind == NumberKind::Wrapped;
            Some(Num {
                poly: a.poly.add(&b.poly)?,
                kind: if wrapped {
                    NumberKind::Wrapped
                } else {
                    NumberKind::Signed
                },
                needs: a.needs.into_iter().chain(b.needs).collect(),
            })
        });
        Address { offset, ..self }
    }
}
