//! Of what type the variables are that numbers are made of, and which numbers stay what they are in another type.
//!
//! ```c
//! void half(double *v, int count) { … }
//! unsigned u = -3;
//! half(a, u);                     /* the bits are the same, the numbers are 4294967293 and -3             */
//! ```
//!
//! An expression is a number, whatever type it has been computed in. Where it becomes the value of a variable or parameter,
//! that may be another number, if the type has no room for it. The declarations say whether it may.

use super::casts::IntType;
use super::slots::{SlotId, SlotKind, SlotPlaces};
use super::table::{SymKind, Values};
use crate::program::ir::{InstId, Op, Operand, SourceType, Type};
use crate::symbolic::{Expr, Sym};

/// What becomes of a number in another type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Converted {
    /// The number stays what it is.
    Same,
    /// The number stays what it is unless it is negative: then it is a larger one.
    Grows,
    /// The number may become any other one.
    Changes,
}

impl Values<'_> {
    /// What becomes of `e` as a value of a type.
    pub fn converted(&self, e: &Expr, to: &SourceType) -> Converted {
        let SourceType::Int { bytes, signed } = *to else {
            return Converted::Same;
        };
        if let Some(value) = e.as_constant() {
            let bits = (8 * bytes).min(64) as u32;
            let (lo, hi) = match signed {
                true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
                false => (0, (1i128 << bits) - 1),
            };
            return match (lo..=hi).contains(&value) {
                true => Converted::Same,
                false => Converted::Changes,
            };
        }
        let each = e.symbols().into_iter().map(|s| match self.number_type(s) {
            // A result that no variable holds: it is made for this use alone, in this type.
            NumberType::Result => Converted::Same,
            NumberType::Unknown => Converted::Changes,
            NumberType::Type(from, was_signed) => match (was_signed, signed) {
                (true, true) | (false, false) if from <= bytes => Converted::Same,
                (false, true) if from < bytes => Converted::Same,
                (true, false) if from <= bytes => Converted::Grows,
                _ => Converted::Changes,
            },
        });
        each.max().unwrap_or(Converted::Same)
    }

    /// Whether `e` is that number in a type if it is a size or a place in an array: what a negative number becomes in 32 bits or more is
    /// none, and what it becomes in fewer may well be one.
    pub(super) fn is_kept(&self, e: &Expr, to: &SourceType) -> bool {
        let is_wide = matches!(to, SourceType::Int { bytes: 4.., .. });
        let most = if is_wide { Converted::Grows } else { Converted::Same };
        self.converted(e, to) <= most
    }

    /// Whether computing `e` may wrap around: it is more than a number that is there, and of unsigned ones. Those that are smaller
    /// than an `int` are computed with as such.
    pub fn may_wrap(&self, e: &Expr) -> bool {
        let is_there = e.as_constant().is_some() || e.as_sym().is_some();
        let stays = |s: Sym| {
            matches!(
                self.number_type(s),
                NumberType::Type(_, true) | NumberType::Type(..4, _) | NumberType::Result
            )
        };
        !is_there && !e.symbols().into_iter().all(stays)
    }

    /// Whether a comparison with a number is one of unsigned numbers, for which there are no negative ones.
    pub fn is_unsigned(&self, sym: Sym) -> bool {
        matches!(self.number_type(sym), NumberType::Type(4.., false))
    }

    /// Whether C compares the numbers that `e` is made of as numbers: of an `unsigned` and a negative `int` it does not.
    pub fn compares_alike(&self, e: &Expr) -> bool {
        let all = e.symbols();
        let unsigned = all.iter().filter(|s| self.is_unsigned(**s)).count();
        unsigned == 0 || unsigned == all.len()
    }

    /// What becomes of `e` where the text has a cast. Sizes are taken to fit into 64 bits.
    pub fn cast_in_text(&self, e: Expr, to: &str) -> Option<Expr> {
        let to = IntType::named(to)?;
        match self.converted(&e, &to.as_source()) {
            Converted::Changes if to.bytes < 8 => self.in_type(&e, to),
            _ => Some(e),
        }
    }

    /// What becomes of `e` where the text has a cast, if nothing in it is taken as a size.
    pub fn exact_cast_in_text(&self, e: Expr, to: &str) -> Option<Expr> {
        let to = IntType::named(to)?;
        let is_sum = e.as_constant().is_none() && e.as_sym().is_none();
        let stays = || to.bytes == 8 && to.signed && self.converted(&e, &to.as_source()) == Converted::Same;
        match is_sum {
            true => stays().then_some(e),
            false => self.in_type(&e, to),
        }
    }

    /// The size of the type of a symbol, in bytes.
    pub(super) fn bytes(&self, sym: Sym) -> Option<u64> {
        match self.number_type(sym) {
            NumberType::Type(bytes, _) => Some(bytes),
            NumberType::Result | NumberType::Unknown => None,
        }
    }

    /// The size of the largest type that the symbols of an expression are of, in bytes; an `int` at least, as C computes.
    pub fn width(&self, e: &Expr) -> u64 {
        e.symbols().into_iter().filter_map(|s| self.bytes(s)).fold(4, u64::max)
    }

    /// The type of a variable's number or of a cast.
    pub fn type_of(&self, sym: Sym) -> Option<IntType> {
        match self.number_type(sym) {
            NumberType::Type(bytes, signed) => IntType::of(&SourceType::Int { bytes, signed }),
            NumberType::Result | NumberType::Unknown => None,
        }
    }

    /// What a number, a variable's or a constant, is in a type.
    pub fn in_type(&self, e: &Expr, to: IntType) -> Option<Expr> {
        if let Some(value) = e.as_constant() {
            return Some(Expr::constant(to.wrapped(value)));
        }
        let sym = e.as_sym()?;
        let is_number = match self.kind(sym) {
            // Of what has been cut down before, only the last bits matter.
            SymKind::Cast(of, from) if to.bytes <= from.bytes => return self.in_type(&Expr::sym(of), to),
            SymKind::Cast(..) => true,
            SymKind::Slot(slot, _) => self.declared_type(slot).is_some_and(|ty| IntType::of(ty).is_some()),
            SymKind::Inst(_) | SymKind::Arg(_) | SymKind::Bound(_) => false,
        };
        is_number.then(|| match self.converted(e, &to.as_source()) {
            Converted::Same => e.clone(),
            _ => Expr::sym(self.sym(SymKind::Cast(sym, to))),
        })
    }

    /// Whether a number is the result of an instruction and nothing else.
    pub fn is_result(&self, e: &Expr) -> bool {
        e.as_sym().is_some_and(|s| matches!(self.kind(s), SymKind::Inst(_)))
    }

    /// Whether a number may be negative only because it is one of another type: no size is meant by it then.
    pub fn may_turn_negative(&self, e: &Expr) -> bool {
        let turns = |s: Sym| matches!(self.kind(s), SymKind::Cast(_, to) if to.signed);
        e.symbols().into_iter().any(turns)
    }

    fn number_type(&self, sym: Sym) -> NumberType {
        let of = |ty: Option<&SourceType>| match ty {
            Some(SourceType::Int { bytes, signed }) => NumberType::Type(*bytes, *signed),
            _ => NumberType::Unknown,
        };
        match self.kind(sym) {
            SymKind::Slot(slot, _) => of(self.declared_type(slot)),
            SymKind::Arg(n) => {
                let mut variables = self.function().variables.iter();
                of(variables.find(|v| v.arg == Some(n)).map(|v| &v.source_type))
            }
            SymKind::Inst(_) => NumberType::Result,
            SymKind::Bound(_) => NumberType::Unknown,
            SymKind::Cast(_, to) => NumberType::Type(u64::from(to.bytes), to.signed),
        }
    }

    /// The type that a variable or a member is declared with.
    pub fn declared_type(&self, slot: SlotId) -> Option<&SourceType> {
        let slot = self.slots.get(slot);
        match slot.kind {
            SlotKind::Local(v) => Some(&self.function().variables[v.0 as usize].source_type),
            SlotKind::Global(g) => self.module.global(g).source_type.as_ref(),
            SlotKind::GlobalField(g, bytes) => match &self.module.global(g).source_type {
                Some(SourceType::Array { elem, .. }) => Some(&**elem),
                _ => self.at_offset(&self.module.global(g).ty, bytes),
            },
            _ => {
                // A member: the step of its address that names it.
                let SlotPlaces::Address(Operand::Inst(address)) = &slot.places else {
                    return self.foreign_type(&slot.kind);
                };
                match (&slot.kind, self.member(*address)) {
                    (SlotKind::Behind(outer, 0), None) => match self.declared_type(*outer)? {
                        SourceType::Pointer { to, .. } => Some(&**to),
                        _ => None,
                    },
                    // What a struct becomes that is passed by value has no types of its members.
                    (SlotKind::LocalField(..), None | Some(SourceType::Unknown)) => self.foreign_type(&slot.kind),
                    (_, member) => member,
                }
            }
        }
    }

    /// The type of a member that only callees mention, by the type of what it is a member of.
    fn foreign_type(&self, kind: &SlotKind) -> Option<&SourceType> {
        match kind {
            SlotKind::LocalField(v, bytes) => {
                let alloca = self.function().variables[v.0 as usize].alloca?;
                match &self.function().inst(alloca).op {
                    Op::Alloca { ty, .. } => self.at_offset(ty, *bytes),
                    _ => None,
                }
            }
            SlotKind::Behind(outer, at) => {
                let SourceType::Pointer { to, .. } = self.declared_type(*outer)? else {
                    return None;
                };
                let SourceType::Record { name, bytes } = &**to else {
                    return (*at == 0).then_some(&**to);
                };
                let is = |s: &&crate::program::ir::Struct| {
                    let tag = s.name.strip_prefix("struct.").unwrap_or_default();
                    s.size == *bytes && !name.is_empty() && tag.split('.').next() == Some(name)
                };
                let mut known = self.module.structs.iter().filter(is);
                let field = |s: &'_ crate::program::ir::Struct| s.offsets.iter().position(|o| o == at);
                let first = known.next()?;
                let found = first.field_types.get(field(first)?)?;
                // Structs of several files may share a tag.
                let alike = |s: &crate::program::ir::Struct| field(s).and_then(|f| s.field_types.get(f)) == Some(found);
                known.all(alike).then_some(found)
            }
            _ => None,
        }
    }

    /// The source type of the member of a struct that starts at a number of bytes.
    fn at_offset<'t>(&'t self, ty: &'t Type, bytes: u64) -> Option<&'t SourceType> {
        let Type::Struct(id) = ty else { return None };
        let layout = self.module.structure(*id);
        let field = layout.offsets.iter().rposition(|o| *o <= bytes)?;
        match &layout.fields[field] {
            inner @ Type::Struct(_) => self.at_offset(inner, bytes - layout.offsets[field]),
            _ if layout.offsets[field] == bytes => layout.field_types.get(field),
            _ => None,
        }
    }

    /// The source type of the struct member that an address computation steps to.
    fn member(&self, address: InstId) -> Option<&SourceType> {
        let Op::Gep {
            source_ty: Type::Struct(id),
            indices,
            ..
        } = &self.function().inst(address).op
        else {
            return None;
        };
        let [_, Operand::Int(field)] = indices.as_slice() else {
            return None;
        };
        let types = &self.module.structure(*id).field_types;
        types.get(usize::try_from(*field).ok()?)
    }
}

/// The type of what a symbol stands for.
enum NumberType {
    /// Bytes, and whether it is signed.
    Type(u64, bool),
    /// The result of an instruction that no variable holds.
    Result,
    /// A variable of which the declaration is not at hand.
    Unknown,
}
