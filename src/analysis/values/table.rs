//! The table of a function's values: symbols and what they stand for, and the question that every rule asks of the parts of what it
//! reads ([`Evaluate`]).
//!
//! ```c
//! int nm = n * m;                 /* the symbol of `nm` is never made: the number is n * m, two symbols of parameters    */
//! ```

use super::casts::IntType;
use super::evaluated_function::EvaluatedFunction;
use super::known_calls::KnownCalls;
use super::slots::{SlotId, Slots};
use super::version::Version;
use super::versions::Versions;
use crate::analysis::effects::Effects;
use crate::program::attach::Attachment;
use crate::program::graph::{FlowGraph, NodeId};
use crate::program::ir::{FuncId, Function, GlobalId, InstId, Module, Operand, VarId};
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
    /// The function's slots.
    pub slots: Slots,
    /// The function's versions.
    pub versions: Versions,
    /// What is known of its calls.
    pub(super) calls: KnownCalls,
    /// The fine statement graph.
    pub graph: &'a FlowGraph,
    /// Instructions by node.
    pub attachment: &'a Attachment,
    /// What instructions do.
    pub effects: &'a Effects<'a>,
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

/// The values of parts. A rule reads one instruction and asks for its operands here, so that no rule has to know the others:
/// [`super::eval`] has them all. `depth` grows by one with each definition on the way; rules end at [`MAX_DEPTH`].
pub(super) trait Evaluate {
    /// The integer that an operand is as an index or size.
    fn int_at(&self, operand: &Operand, depth: u32) -> Expr;
    /// The integer that a slot holds, as an index or size.
    fn slot_int_at(&self, slot: SlotId, version: Version, depth: u32) -> Expr;
    /// The pointer that an operand is; `None` for null, functions and constants that are no object.
    fn ptr_at(&self, operand: &Operand, depth: u32) -> Option<PtrVal>;
    /// The pointer that a slot holds.
    fn slot_ptr_at(&self, slot: SlotId, version: Version, depth: u32) -> PtrVal;
    /// The number that an operand is, nothing being taken of sizes.
    fn exact_at(&self, operand: &Operand, depth: u32) -> Option<Expr>;
    /// The number that a slot holds, nothing being taken of sizes.
    fn exact_in_at(&self, slot: SlotId, version: Version, depth: u32) -> Expr;
}

impl<'a> Values<'a> {
    /// Sets up the table; nothing is evaluated until asked.
    pub fn new(of: EvaluatedFunction<'a>, slots: Slots, versions: Versions, calls: KnownCalls) -> Values<'a> {
        let EvaluatedFunction {
            module,
            func,
            graph,
            attachment,
            effects,
        } = of;
        Values {
            module,
            func,
            slots,
            versions,
            calls,
            graph,
            attachment,
            effects,
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

    /// What has been found for the exact number of a result, if anybody has asked.
    pub(super) fn known_exact(&self, id: InstId) -> Option<Option<Expr>> {
        self.table.borrow().exacts.get(&id).cloned()
    }

    /// Keeps the exact number of a result for who asks again.
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

    /// A number of which nothing is known, not even that it is another one.
    pub(super) fn fresh_opaque(&self) -> Expr {
        let mut table = self.table.borrow_mut();
        table.opaques += 1;
        Expr::opaque(table.opaques)
    }

    /// Whether an expression has a part that has no name in the text.
    pub(super) fn nameless(&self, e: &Expr) -> bool {
        e.has_opaque()
            || e.symbols()
                .iter()
                .any(|s| matches!(self.kind(*s), SymKind::Inst(_) | SymKind::Arg(_)))
    }

    /// Whether a base is the result of an expression, which has no name in the text.
    pub fn is_nameless(&self, base: Base) -> bool {
        match base {
            Base::Value(s) => matches!(self.kind(s), SymKind::Inst(_) | SymKind::Arg(_)),
            Base::Local(_) | Base::Global(_) => false,
        }
    }

    /// The integer that has been found for a result, if anybody has asked.
    pub(super) fn known_int(&self, id: InstId) -> Option<Expr> {
        self.table.borrow().ints.get(&id).cloned()
    }

    /// Keeps the integer of a result for who asks again.
    pub(super) fn keep_int(&self, id: InstId, e: Expr) {
        self.table.borrow_mut().ints.insert(id, e);
    }

    /// The pointer that has been found for a result, if anybody has asked.
    pub(super) fn known_ptr(&self, id: InstId) -> Option<PtrVal> {
        self.table.borrow().ptrs.get(&id).cloned()
    }

    /// Keeps the pointer of a result for who asks again.
    pub(super) fn keep_ptr(&self, id: InstId, p: PtrVal) {
        self.table.borrow_mut().ptrs.insert(id, p);
    }
}
