//! IR operands as symbolic expressions and pointer values.
//!
//! **Operational semantics.** An integer instruction evaluates to the polynomial that its operands make; a load of a
//! slot evaluates to the value of the slot's reaching definition, followed through copies (`int nm = n*m;` makes `nm`
//! equal `n*m`), and through calls whose summaries say what they leave there or return ([`super::calls`]), until a
//! symbol that has no expression: a parameter, a φ, another call's or an array element's result. A pointer evaluates to
//! a [`Base`] plus a byte offset.
//!
//! **What licenses following a copy**: the symbols of the copied expression denote values, not variables, so the equality
//! holds for as long as those values are the ones meant. Within a loop a symbol defined in it denotes the value of the
//! current iteration; whoever carries an expression over a back edge must widen it ([`super::loops`]).
//!
//! **Non-goals.** Wrap-around of unsigned sums and products is not modelled where they are indices: an index that wrapped is
//! out of bounds of the object, which is undefined in the source program already. That does not hold of what is divided:
//! `(t - 1u) % n` is a place in an array, whatever `t - 1u` has become. Operands of quotients and remainders, and what else must
//! not rest on it, are asked of `super::exact`; factors like that of a hash (`t * 2654435761u`) are no index at all.
//! Truncating casts, bit operations and floats are opaque.

use super::arithmetic::arithmetic;
use super::casts::IntType;
use super::known_calls::KnownCalls;
use super::slots::{SlotId, SlotKind, Slots};
use super::types::Converted;
use super::version::Version;
use super::versions::Versions;
use crate::program::attach::Attachment;
use crate::program::graph::{FlowGraph, NodeId};
use crate::program::ir::{
    BinOp, Cast, FuncId, Function, GlobalId, InstId, Module, Op, Operand, SourceType, Type, VarId,
};
use crate::symbolic::{Expr, Sym};
use crate::syntax::StmtId;
use rustc_hash::FxHashMap;
use std::cell::{OnceCell, RefCell};

/// What a symbol stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SymKind {
    /// A slot's value by this definition.
    Slot(SlotId, Version),
    /// The result of an instruction that is no expression.
    Inst(InstId),
    /// The function's n-th argument.
    Arg(u32),
    /// What the number of another symbol, a variable's, becomes in a type.
    Cast(Sym, IntType),
    /// The bound in the head of this loop, which builds may give different values.
    Bound(StmtId),
}

/// Where a pointer value starts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Base {
    /// The storage of a local variable.
    Local(VarId),
    /// The storage of a global variable.
    Global(GlobalId),
    /// The pointer that a symbol denotes.
    Value(Sym),
}

/// A pointer: `offset` bytes from `base`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PtrVal {
    /// Where it starts.
    pub base: Base,
    /// Byte offset.
    pub offset: Expr,
}

/// The values of one function.
pub struct Values<'a> {
    /// The file's IR.
    pub module: &'a Module,
    /// The function.
    pub func: FuncId,
    /// Its slots.
    pub slots: Slots,
    /// Its versions.
    pub versions: Versions,
    /// What is known of its calls.
    pub(super) calls: KnownCalls,
    /// The fine statement graph.
    pub graph: &'a FlowGraph,
    /// Instructions by node.
    pub attachment: &'a Attachment,
    /// Where each node stands in an order in which no node comes before those that lead to it, but by ways back.
    pub(super) places: OnceCell<Vec<usize>>,
    table: RefCell<Table>,
}

#[derive(Default)]
struct Table {
    kinds: Vec<SymKind>,
    index: FxHashMap<SymKind, Sym>,
    ints: FxHashMap<InstId, Expr>,
    exacts: FxHashMap<InstId, Option<Expr>>,
    ptrs: FxHashMap<InstId, PtrVal>,
    opaques: u32,
    /// The variables of loops whose ranges are being looked for.
    counting: Vec<Sym>,
}

/// Copies are followed this deep; a longer chain of definitions stays a symbol.
pub(super) const MAX_DEPTH: u32 = 64;

impl<'a> Values<'a> {
    /// Sets up the table; nothing is evaluated until asked.
    pub fn new(
        module: &'a Module,
        func: FuncId,
        slots: Slots,
        versions: Versions,
        calls: KnownCalls,
        graph: &'a FlowGraph,
        attachment: &'a Attachment,
    ) -> Values<'a> {
        Values {
            module,
            func,
            slots,
            versions,
            calls,
            graph,
            attachment,
            places: OnceCell::new(),
            table: RefCell::default(),
        }
    }

    /// The function's IR.
    pub fn function(&self) -> &'a Function {
        self.module.function(self.func)
    }

    /// The symbol for a kind.
    pub fn sym(&self, kind: SymKind) -> Sym {
        let mut table = self.table.borrow_mut();
        if let Some(&s) = table.index.get(&kind) {
            return s;
        }
        let s = Sym(table.kinds.len() as u32);
        table.kinds.push(kind);
        table.index.insert(kind, s);
        s
    }

    /// What a symbol stands for.
    pub fn kind(&self, sym: Sym) -> SymKind {
        self.table.borrow().kinds[sym.0 as usize]
    }

    /// The node at which a symbol gets its value.
    pub fn defined_at(&self, sym: Sym) -> NodeId {
        match self.kind(sym) {
            SymKind::Arg(_) | SymKind::Bound(_) => FlowGraph::ENTRY,
            SymKind::Cast(of, _) => self.defined_at(of),
            SymKind::Inst(i) => self.attachment.node_of[i.0 as usize].unwrap_or(FlowGraph::ENTRY),
            SymKind::Slot(_, version) => match version {
                Version::Entry | Version::Unreached => FlowGraph::ENTRY,
                Version::Def(i) | Version::Call(i) | Version::Clobber(i) => {
                    self.attachment.node_of[i.0 as usize].unwrap_or(FlowGraph::ENTRY)
                }
                Version::Phi(n) | Version::AfterLaunch(n) | Version::Within(n) => n,
            },
        }
    }

    /// The integer value of an operand.
    pub fn int(&self, operand: &Operand) -> Expr {
        self.int_at(operand, 0)
    }

    /// The pointer value of an operand; `None` for null, functions and constants that are no object.
    pub fn ptr(&self, operand: &Operand) -> Option<PtrVal> {
        self.ptr_at(operand, 0)
    }

    /// The value of `slot` by `version`, as an integer.
    pub fn slot_int(&self, slot: SlotId, version: Version) -> Expr {
        self.slot_int_at(slot, version, 0)
    }

    /// The value of `slot` by `version`, as a pointer.
    pub fn slot_ptr(&self, slot: SlotId, version: Version) -> PtrVal {
        self.slot_ptr_at(slot, version, 0)
    }

    pub(super) fn known_exact(&self, id: InstId) -> Option<Option<Expr>> {
        self.table.borrow().exacts.get(&id).cloned()
    }

    pub(super) fn keep_exact(&self, id: InstId, e: Option<Expr>) {
        self.table.borrow_mut().exacts.insert(id, e);
    }

    /// What `found` makes of a variable of a loop, unless that is just being asked.
    pub(super) fn counting<T>(&self, sym: Sym, found: &dyn Fn() -> Option<T>) -> Option<T> {
        if self.table.borrow().counting.contains(&sym) {
            return None;
        }
        self.table.borrow_mut().counting.push(sym);
        let answer = found();
        self.table.borrow_mut().counting.pop();
        answer
    }

    pub(super) fn int_at(&self, operand: &Operand, depth: u32) -> Expr {
        match operand {
            Operand::Int(v) => Expr::constant(*v),
            Operand::Null => Expr::constant(0),
            Operand::Arg(n) => Expr::sym(self.sym(SymKind::Arg(*n))),
            Operand::Inst(id) => {
                if let Some(known) = self.table.borrow().ints.get(id) {
                    return known.clone();
                }
                let value = if depth > MAX_DEPTH {
                    None
                } else {
                    self.inst_int(*id, depth + 1)
                };
                let value = value.unwrap_or_else(|| Expr::sym(self.sym(SymKind::Inst(*id))));
                self.table.borrow_mut().ints.insert(*id, value.clone());
                value
            }
            // Any other constant has a value, but not one worth naming; each mention is its own unknown.
            _ => self.fresh_opaque(),
        }
    }

    fn fresh_opaque(&self) -> Expr {
        let mut table = self.table.borrow_mut();
        table.opaques += 1;
        Expr::opaque(table.opaques)
    }

    fn inst_int(&self, id: InstId, depth: u32) -> Option<Expr> {
        let function = self.function();
        match &function.inst(id).op {
            Op::Load { ptr, volatile: false } => {
                let slot = self.slots.value_at(ptr, &function.inst(id).ty, function)?;
                let node = self.attachment.node_of[id.0 as usize]?;
                Some(self.slot_int_at(slot, self.versions.at(node, id, slot), depth))
            }
            Op::Call { .. } => self.returned_int(id, depth),
            Op::Binary {
                op: op @ (BinOp::SDiv | BinOp::UDiv | BinOp::SRem | BinOp::URem),
                lhs,
                rhs,
                ..
            } => self.quotient(*op, (lhs, rhs), &function.inst(id).ty, depth),
            Op::Binary { op, lhs, rhs, nsw } => {
                let e = arithmetic(*op, &self.int_at(lhs, depth), &self.int_at(rhs, depth))?;
                match function.inst(id).ty {
                    Type::Int(bits) if !nsw => Some(e).filter(|e| self.is_place(e, bits)),
                    _ => Some(e),
                }
            }
            Op::Cast {
                kind: kind @ (Cast::SExt | Cast::ZExt),
                value,
                from,
            } => {
                let e = self.int_at(value, depth);
                // `(unsigned char)l`, of a variable.
                let cut = || self.exact_at(&Operand::Inst(id), depth).filter(|e| !self.nameless(e));
                let cut = if self.is_result(&e) { cut() } else { None };
                cut.or_else(|| Some(e).filter(|e| self.widens(*kind, from, e)))
            }
            // A size computed in 64 bits and stored to an `int` keeps its value in every program that then uses it
            // as a size; but that is a belief, so only constants and variables that were widened before pass.
            Op::Cast {
                kind: Cast::Trunc,
                value: Operand::Inst(inner),
                from: _,
            } => match &function.inst(*inner).op {
                Op::Cast {
                    kind: Cast::SExt | Cast::ZExt,
                    value,
                    from,
                } if *from == function.inst(id).ty => Some(self.int_at(value, depth)),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn slot_int_at(&self, slot: SlotId, version: Version, depth: u32) -> Expr {
        if let Some((original, version)) = self.original(slot, version)
            && depth <= MAX_DEPTH
        {
            return self.slot_int_at(original, version, depth + 1);
        }
        let itself = || Expr::sym(self.sym(SymKind::Slot(slot, version)));
        match version {
            Version::Def(id) if depth <= MAX_DEPTH => match &self.function().inst(id).op {
                Op::Store {
                    value: Operand::Arg(_), ..
                } => itself(),
                Op::Store { value, ty, .. } => {
                    let e = self.int_at(value, depth + 1);
                    // A result that cannot be named is better named by the variable that holds it.
                    if !self.nameless(&e) && self.holds(slot, &e) {
                        return e;
                    }
                    let declared = self.declared_type(slot);
                    let cast = declared.and_then(|to| self.cast_at(value, to, ty, depth + 1));
                    cast.filter(|e| !self.nameless(e)).unwrap_or_else(itself)
                }
                _ => itself(),
            },
            Version::Call(id) if depth <= MAX_DEPTH => {
                let left = self.left_int(slot, id, depth + 1);
                let is_copy = |e: &Expr| !self.nameless(e) && self.holds(slot, e);
                left.filter(is_copy).unwrap_or_else(itself)
            }
            Version::Entry => match self.slots.get(slot).kind {
                // A constant global is its initialiser for ever.
                SlotKind::Global(g) if self.module.global(g).constant => {
                    self.module.global(g).init_int.map_or_else(itself, Expr::constant)
                }
                _ => itself(),
            },
            _ => itself(),
        }
    }

    /// Whether a variable that `e` is assigned to holds that number then. It is taken to where only a negative number would be
    /// another one, as a size that is a huge one is none: see the non-goals.
    fn holds(&self, slot: SlotId, e: &Expr) -> bool {
        let ty = self.declared_type(slot);
        ty.is_none_or(|ty| self.converted(e, ty) <= Converted::Grows)
    }

    /// Whether widening leaves the number `e` what it is. One that is taken for an unsigned one is an index or a size (also of
    /// an array of variable length): see the non-goals.
    fn widens(&self, kind: Cast, from: &Type, e: &Expr) -> bool {
        let Type::Int(bits @ 8..) = *from else { return true };
        let ty = SourceType::Int {
            bytes: u64::from(bits / 8),
            signed: kind == Cast::SExt,
        };
        self.converted(e, &ty) <= Converted::Grows
    }

    pub(super) fn nameless(&self, e: &Expr) -> bool {
        e.has_opaque()
            || e.symbols()
                .iter()
                .any(|s| matches!(self.kind(*s), SymKind::Inst(_) | SymKind::Arg(_)))
    }

    pub(super) fn ptr_at(&self, operand: &Operand, depth: u32) -> Option<PtrVal> {
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
                if let Some(known) = self.table.borrow().ptrs.get(id) {
                    return Some(known.clone());
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
                self.table.borrow_mut().ptrs.insert(*id, value.clone());
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

    pub(super) fn slot_ptr_at(&self, slot: SlotId, version: Version, depth: u32) -> PtrVal {
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

    /// Whether a base is the result of an expression, which has no name in the text.
    pub fn is_nameless(&self, base: Base) -> bool {
        match base {
            Base::Value(s) => matches!(self.kind(s), SymKind::Inst(_) | SymKind::Arg(_)),
            Base::Local(_) | Base::Global(_) => false,
        }
    }
}
