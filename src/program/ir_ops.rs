//! What instructions do, and what they work on.

use super::ir_types::{BlockId, FuncId, GlobalId, InstId, Loc, Type};
use serde::{Deserialize, Serialize};

/// What an instruction does.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Op {
    /// Stack storage of `ty`; `count` is the element count of a VLA (flattened product), else `None`.
    Alloca {
        /// Allocated type.
        ty: Type,
        /// Dynamic element count.
        count: Option<Operand>,
    },
    /// Read of `ty` (the instruction's type) at `ptr`.
    Load {
        /// Address.
        ptr: Operand,
        /// `volatile` or atomic.
        volatile: bool,
    },
    /// Write of `value` at `ptr`.
    Store {
        /// Address.
        ptr: Operand,
        /// Value.
        value: Operand,
        /// Type of the value.
        ty: Type,
        /// `volatile` or atomic.
        volatile: bool,
    },
    /// Address arithmetic, LLVM semantics: the first index steps over `source_ty`, later ones descend into it.
    Gep {
        /// Base address.
        base: Operand,
        /// Type the first index steps over.
        source_ty: Type,
        /// Indices.
        indices: Vec<Operand>,
    },
    /// Two-operand arithmetic.
    Binary {
        /// Opcode.
        op: BinOp,
        /// Left.
        lhs: Operand,
        /// Right.
        rhs: Operand,
        /// `nsw`: overflow is undefined (signed C arithmetic).
        nsw: bool,
    },
    /// Integer or floating comparison; `signed` for the integer order ones.
    Cmp {
        /// Predicate.
        pred: Pred,
        /// Left.
        lhs: Operand,
        /// Right.
        rhs: Operand,
        /// Signed order (integers).
        signed: bool,
        /// Floating-point comparison.
        float: bool,
    },
    /// Conversion.
    Cast {
        /// Kind.
        kind: Cast,
        /// Operand.
        value: Operand,
        /// Type before.
        from: Type,
    },
    /// SSA merge (at -O0: only `&&`, `||`, `?:`).
    Phi {
        /// Incoming values.
        incoming: Vec<(BlockId, Operand)>,
    },
    /// `c ? a : b` without branches.
    Select {
        /// Condition.
        cond: Operand,
        /// Value if true.
        then: Operand,
        /// Value if false.
        other: Operand,
    },
    /// Call, `memcpy`/`memset` intrinsics included (as calls to functions of that name).
    Call {
        /// Callee.
        callee: Callee,
        /// Arguments.
        args: Vec<Operand>,
    },
    /// Atomic read-modify-write or compare-exchange at `ptr` (reads and writes it).
    Atomic {
        /// Address.
        ptr: Operand,
        /// Value written or combined.
        value: Operand,
        /// Type of the value.
        ty: Type,
    },
    /// Unconditional branch; `latch` holds the `!llvm.loop` start position when the block is a loop's latch.
    Br {
        /// Target.
        target: BlockId,
        /// Loop start (`for`/`while`/`do` keyword).
        latch: Option<Loc>,
    },
    /// Conditional branch.
    CondBr {
        /// Condition.
        cond: Operand,
        /// Taken when true.
        then: BlockId,
        /// Taken when false.
        other: BlockId,
        /// Loop start when this is a `do … while` latch.
        latch: Option<Loc>,
    },
    /// `switch`.
    Switch {
        /// Value switched on.
        value: Operand,
        /// Default target.
        default: BlockId,
        /// Cases.
        cases: Vec<(i128, BlockId)>,
    },
    /// Return.
    Ret(Option<Operand>),
    /// Control never gets here.
    Unreachable,
    /// Floating negation, `freeze`, `extractvalue`, …: a value of no interest, computed from these.
    Other {
        /// LLVM's mnemonic.
        mnemonic: String,
        /// Operands.
        operands: Vec<Operand>,
        /// May read or write memory in ways not modelled (inline asm, fences): assume the worst.
        touches_memory: bool,
    },
}

/// What a call calls.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Callee {
    /// A function by name.
    Direct(FuncId),
    /// Through a pointer.
    Indirect(Operand),
    /// Inline assembly.
    Asm {
        /// The assembly may use memory that is none of its operands (a `memory` clobber), by the names of variables.
        names_memory: bool,
    },
}

/// Integer and floating arithmetic opcodes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    SDiv,
    UDiv,
    SRem,
    URem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FRem,
}

/// Comparison predicates (order only; signedness is beside it).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Pred {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// `ord`, `uno`, `true`, `false`.
    Other,
}

impl Pred {
    /// The relation that the right side of a comparison has to the left one.
    pub fn flipped(self) -> Pred {
        match self {
            Pred::Lt => Pred::Gt,
            Pred::Le => Pred::Ge,
            Pred::Gt => Pred::Lt,
            Pred::Ge => Pred::Le,
            same => same,
        }
    }
}

/// Conversions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Cast {
    SExt,
    ZExt,
    Trunc,
    PtrToInt,
    IntToPtr,
    Bitcast,
    /// Integer and floating-point conversions of either direction.
    Float,
}

/// An operand.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Operand {
    /// Result of an instruction of the same function.
    Inst(InstId),
    /// The function's n-th argument.
    Arg(u32),
    /// Address of a global.
    Global(GlobalId),
    /// Address of a function.
    Function(FuncId),
    /// Integer constant, sign-extended; a one-bit one is 0 or 1.
    Int(i128),
    /// Floating constant.
    Float(f64),
    /// Null pointer or zero initialiser.
    Null,
    /// Undefined or poison.
    Undef,
    /// Constant address `base + bytes` (constant GEP).
    ConstGep {
        /// Base.
        base: Box<Operand>,
        /// Byte offset.
        bytes: i64,
    },
    /// A constant the model does not describe.
    OtherConst,
}

impl Op {
    /// Whether it is one that threads wait for each other by: atomic, or of something volatile.
    pub fn waits(&self) -> bool {
        matches!(
            self,
            Op::Atomic { .. } | Op::Load { volatile: true, .. } | Op::Store { volatile: true, .. }
        )
    }

    /// Where a volatile load or store reads or writes.
    pub fn volatile_access(&self) -> Option<&Operand> {
        match self {
            Op::Load { ptr, volatile: true }
            | Op::Store {
                ptr, volatile: true, ..
            } => Some(ptr),
            _ => None,
        }
    }

    /// Visits the operands, a call's callee included, and the types.
    pub fn visit_mut(&mut self, operand: &mut impl FnMut(&mut Operand), ty: &mut impl FnMut(&mut Type)) {
        match self {
            Op::Alloca { ty: allocated, count } => {
                ty(allocated);
                count.iter_mut().for_each(operand);
            }
            Op::Load { ptr, .. } => operand(ptr),
            Op::Store { ptr, value, ty: of, .. } | Op::Atomic { ptr, value, ty: of } => {
                ty(of);
                operand(ptr);
                operand(value);
            }
            Op::Gep {
                base,
                source_ty,
                indices,
            } => {
                ty(source_ty);
                operand(base);
                indices.iter_mut().for_each(operand);
            }
            Op::Binary { lhs, rhs, .. } | Op::Cmp { lhs, rhs, .. } => {
                operand(lhs);
                operand(rhs);
            }
            Op::Cast { value, from, .. } => {
                ty(from);
                operand(value);
            }
            Op::Phi { incoming } => incoming.iter_mut().for_each(|(_, v)| operand(v)),
            Op::Select { cond, then, other } => {
                operand(cond);
                operand(then);
                operand(other);
            }
            Op::Call { callee, args } => {
                match callee {
                    Callee::Direct(f) => {
                        let mut named = Operand::Function(*f);
                        operand(&mut named);
                        if let Operand::Function(now) = named {
                            *f = now;
                        }
                    }
                    Callee::Indirect(through) => operand(through),
                    Callee::Asm { .. } => {}
                }
                args.iter_mut().for_each(operand);
            }
            Op::CondBr { cond, .. } => operand(cond),
            Op::Switch { value, .. } => operand(value),
            Op::Ret(value) => value.iter_mut().for_each(operand),
            Op::Other { operands, .. } => operands.iter_mut().for_each(operand),
            Op::Br { .. } | Op::Unreachable => {}
        }
    }
}

impl Operand {
    /// Visits the global or function that a constant address is counted from.
    pub fn symbol_mut(&mut self) -> Option<&mut Operand> {
        match self {
            Operand::Global(_) | Operand::Function(_) => Some(self),
            Operand::ConstGep { base, .. } => base.symbol_mut(),
            _ => None,
        }
    }
}
