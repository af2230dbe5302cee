//! Instructions: one LLVM instruction is one plain one, and what a call reads to hand it over by value is a load before it.

use super::ModuleReader;
use super::functions::Numbering;
use super::raw::{BasicBlock, LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate, LLVMValueKind, Ty, Value};
use super::symbols::Symbol;
use crate::program::ir::{BinOp, BlockId, Callee, Cast, Inst, Op, Operand, Pred};

impl<'m> ModuleReader<'m> {
    /// Converts one instruction of block `block`.
    pub(super) fn inst(&mut self, inst: Value<'m>, block: BlockId, numbering: &Numbering<'m>) -> Inst {
        let loc = inst
            .debug_location(self.layout)
            .and_then(|location| self.debug.loc(location));
        let op = self.op(inst, numbering);
        Inst {
            op,
            ty: self.types.get(inst.ty()),
            loc,
            block,
        }
    }

    /// The load of all that a call hands over by value, at the call's place.
    pub(super) fn copied(
        &mut self,
        call: Value<'m>,
        (from, ty): (Value<'m>, Ty<'m>),
        block: BlockId,
        numbering: &Numbering<'m>,
    ) -> Inst {
        let location = call.debug_location(self.layout);
        Inst {
            op: Op::Load {
                ptr: self.operand(from, numbering),
                volatile: false,
            },
            ty: self.types.get(ty),
            loc: location.and_then(|location| self.debug.loc(location)),
            block,
        }
    }

    fn op(&mut self, inst: Value<'m>, numbering: &Numbering<'m>) -> Op {
        let opcode = inst.opcode();
        let operand = |index: u32| self.operand(inst.operand(index), numbering);
        let target = |block: BasicBlock<'m>| numbering.blocks[&block];
        if let Some(op) = binary(opcode) {
            let wraps = matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl);
            return Op::Binary {
                op,
                lhs: operand(0),
                rhs: operand(1),
                nsw: wraps && inst.is_nsw(),
            };
        }
        if let Some(kind) = cast(opcode) {
            let value = operand(0);
            return Op::Cast {
                kind,
                value,
                from: self.types.get(inst.operand(0).ty()),
            };
        }
        match opcode {
            LLVMOpcode::LLVMAlloca => {
                let count = Some(operand(0)).filter(|count| *count != Operand::Int(1));
                Op::Alloca {
                    ty: self.types.get(inst.allocated_type()),
                    count,
                }
            }
            LLVMOpcode::LLVMLoad => Op::Load {
                ptr: operand(0),
                volatile: inst.is_volatile() || inst.is_atomic(),
            },
            LLVMOpcode::LLVMStore => Op::Store {
                value: operand(0),
                ptr: operand(1),
                volatile: inst.is_volatile() || inst.is_atomic(),
                ty: self.types.get(inst.operand(0).ty()),
            },
            LLVMOpcode::LLVMGetElementPtr => {
                let base = operand(0);
                let indices = (1..inst.operand_count()).map(operand).collect();
                Op::Gep {
                    base,
                    source_ty: self.types.get(inst.gep_type()),
                    indices,
                }
            }
            LLVMOpcode::LLVMICmp | LLVMOpcode::LLVMFCmp => self.comparison(inst, numbering),
            LLVMOpcode::LLVMPHI => {
                let incoming = inst
                    .incoming()
                    .map(|(from, value)| (target(from), self.operand(value, numbering)));
                Op::Phi {
                    incoming: incoming.collect(),
                }
            }
            LLVMOpcode::LLVMSelect => Op::Select {
                cond: operand(0),
                then: operand(1),
                other: operand(2),
            },
            LLVMOpcode::LLVMCall => self.call(inst, numbering),
            LLVMOpcode::LLVMAtomicRMW => self.atomic(inst, 1, numbering),
            LLVMOpcode::LLVMAtomicCmpXchg => self.atomic(inst, 2, numbering),
            LLVMOpcode::LLVMBr => self.branch(inst, numbering),
            LLVMOpcode::LLVMSwitch => self.switch(inst, numbering),
            LLVMOpcode::LLVMRet => Op::Ret((inst.operand_count() > 0).then(|| operand(0))),
            LLVMOpcode::LLVMUnreachable => Op::Unreachable,
            other => self.other(inst, other, numbering),
        }
    }

    /// A comparison of integers or of floating-point numbers.
    fn comparison(&self, inst: Value<'m>, numbering: &Numbering<'m>) -> Op {
        let float = inst.opcode() == LLVMOpcode::LLVMFCmp;
        let (pred, signed) = match float {
            true => (float_predicate(inst.float_predicate()), false),
            false => int_predicate(inst.int_predicate()),
        };
        Op::Cmp {
            pred,
            lhs: self.operand(inst.operand(0), numbering),
            rhs: self.operand(inst.operand(1), numbering),
            signed,
            float,
        }
    }

    /// A branch with its condition, if any, and with the place of the loop whose latch it is.
    fn branch(&mut self, inst: Value<'m>, numbering: &Numbering<'m>) -> Op {
        let latch = inst.attached(self.layout, self.loop_kind).and_then(|node| {
            // `distinct !{self, start, end, …}`.
            node.node_operand(1).and_then(|start| self.debug.loc(start))
        });
        let mut targets = inst.successors().map(|block| numbering.blocks[&block]);
        match (targets.next(), targets.next()) {
            (Some(then), Some(other)) if inst.is_conditional() => Op::CondBr {
                cond: self.operand(inst.condition(), numbering),
                then,
                other,
                latch,
            },
            (Some(target), _) => Op::Br { target, latch },
            _ => Op::Unreachable,
        }
    }

    /// A `switch` with its cases, in order.
    fn switch(&self, inst: Value<'m>, numbering: &Numbering<'m>) -> Op {
        let value = self.operand(inst.operand(0), numbering);
        let mut targets = inst.successors().map(|block| numbering.blocks[&block]);
        let default = targets.next().unwrap_or(BlockId(0));
        let cases = targets
            .enumerate()
            .filter_map(|(case, target)| Some((inst.switch_case(case as u32).int_constant()?, target)));
        Op::Switch {
            value,
            default,
            cases: cases.collect(),
        }
    }

    fn atomic(&mut self, inst: Value<'m>, value: u32, numbering: &Numbering<'m>) -> Op {
        let value = inst.operand(value);
        Op::Atomic {
            ptr: self.operand(inst.operand(0), numbering),
            value: self.operand(value, numbering),
            ty: self.types.get(value.ty()),
        }
    }

    fn call(&self, inst: Value<'m>, numbering: &Numbering<'m>) -> Op {
        let called = inst.callee();
        let mut args: Vec<Operand> = inst.args().map(|arg| self.operand(arg, numbering)).collect();
        let callee = match self.symbols.function(called) {
            Some(Symbol::Function(id, extra)) => {
                let flags = args.split_off(args.len().saturating_sub(*extra));
                if flags.iter().any(|flag| matches!(flag, Operand::Int(set) if *set != 0)) {
                    return Op::Other {
                        mnemonic: "volatile copy".to_owned(),
                        operands: args,
                        touches_memory: true,
                    };
                }
                Callee::Direct(*id)
            }
            Some(Symbol::Harmless(mnemonic)) => {
                return Op::Other {
                    mnemonic: mnemonic.clone(),
                    operands: args,
                    touches_memory: false,
                };
            }
            _ if called.kind() == LLVMValueKind::LLVMInlineAsmValueKind => Callee::Asm {
                names_memory: called.names_memory(),
            },
            _ => Callee::Indirect(self.operand(called, numbering)),
        };
        Op::Call { callee, args }
    }

    /// Everything that the analyses look at only as "computed from these".
    fn other(&self, inst: Value<'m>, opcode: LLVMOpcode, numbering: &Numbering<'m>) -> Op {
        let (mnemonic, touches_memory) = match opcode {
            LLVMOpcode::LLVMFNeg => ("fneg", false),
            LLVMOpcode::LLVMFreeze => ("freeze", false),
            LLVMOpcode::LLVMExtractValue => ("extractvalue", false),
            LLVMOpcode::LLVMInsertValue => ("insertvalue", false),
            LLVMOpcode::LLVMExtractElement => ("extractelement", false),
            LLVMOpcode::LLVMInsertElement => ("insertelement", false),
            LLVMOpcode::LLVMShuffleVector => ("shufflevector", false),
            LLVMOpcode::LLVMIndirectBr => ("indirectbr", false),
            LLVMOpcode::LLVMVAArg => ("va_arg", true),
            LLVMOpcode::LLVMFence => ("fence", true),
            LLVMOpcode::LLVMCallBr => ("callbr", true),
            _ => ("unknown", true),
        };
        let values = inst
            .operands()
            .filter(|value| value.kind() != LLVMValueKind::LLVMBasicBlockValueKind);
        let operands = values.map(|value| self.operand(value, numbering)).collect();
        Op::Other {
            mnemonic: mnemonic.to_owned(),
            operands,
            touches_memory,
        }
    }

    fn operand(&self, value: Value<'m>, numbering: &Numbering<'m>) -> Operand {
        match value.kind() {
            LLVMValueKind::LLVMInstructionValueKind => numbering
                .insts
                .get(&value)
                .map_or(Operand::Undef, |&id| Operand::Inst(id)),
            LLVMValueKind::LLVMArgumentValueKind => numbering
                .args
                .get(&value)
                .map_or(Operand::Undef, |&index| Operand::Arg(index)),
            _ => self.symbols.constant(value),
        }
    }
}

fn binary(opcode: LLVMOpcode) -> Option<BinOp> {
    Some(match opcode {
        LLVMOpcode::LLVMAdd => BinOp::Add,
        LLVMOpcode::LLVMSub => BinOp::Sub,
        LLVMOpcode::LLVMMul => BinOp::Mul,
        LLVMOpcode::LLVMSDiv => BinOp::SDiv,
        LLVMOpcode::LLVMUDiv => BinOp::UDiv,
        LLVMOpcode::LLVMSRem => BinOp::SRem,
        LLVMOpcode::LLVMURem => BinOp::URem,
        LLVMOpcode::LLVMShl => BinOp::Shl,
        LLVMOpcode::LLVMLShr => BinOp::LShr,
        LLVMOpcode::LLVMAShr => BinOp::AShr,
        LLVMOpcode::LLVMAnd => BinOp::And,
        LLVMOpcode::LLVMOr => BinOp::Or,
        LLVMOpcode::LLVMXor => BinOp::Xor,
        LLVMOpcode::LLVMFAdd => BinOp::FAdd,
        LLVMOpcode::LLVMFSub => BinOp::FSub,
        LLVMOpcode::LLVMFMul => BinOp::FMul,
        LLVMOpcode::LLVMFDiv => BinOp::FDiv,
        LLVMOpcode::LLVMFRem => BinOp::FRem,
        _ => return None,
    })
}

fn cast(opcode: LLVMOpcode) -> Option<Cast> {
    Some(match opcode {
        LLVMOpcode::LLVMSExt => Cast::SExt,
        LLVMOpcode::LLVMZExt => Cast::ZExt,
        LLVMOpcode::LLVMTrunc => Cast::Trunc,
        LLVMOpcode::LLVMPtrToInt => Cast::PtrToInt,
        LLVMOpcode::LLVMIntToPtr => Cast::IntToPtr,
        LLVMOpcode::LLVMBitCast | LLVMOpcode::LLVMAddrSpaceCast => Cast::Bitcast,
        LLVMOpcode::LLVMFPToUI
        | LLVMOpcode::LLVMFPToSI
        | LLVMOpcode::LLVMUIToFP
        | LLVMOpcode::LLVMSIToFP
        | LLVMOpcode::LLVMFPTrunc
        | LLVMOpcode::LLVMFPExt => Cast::Float,
        _ => return None,
    })
}

fn int_predicate(predicate: LLVMIntPredicate) -> (Pred, bool) {
    match predicate {
        LLVMIntPredicate::LLVMIntEQ => (Pred::Eq, false),
        LLVMIntPredicate::LLVMIntNE => (Pred::Ne, false),
        LLVMIntPredicate::LLVMIntUGT => (Pred::Gt, false),
        LLVMIntPredicate::LLVMIntUGE => (Pred::Ge, false),
        LLVMIntPredicate::LLVMIntULT => (Pred::Lt, false),
        LLVMIntPredicate::LLVMIntULE => (Pred::Le, false),
        LLVMIntPredicate::LLVMIntSGT => (Pred::Gt, true),
        LLVMIntPredicate::LLVMIntSGE => (Pred::Ge, true),
        LLVMIntPredicate::LLVMIntSLT => (Pred::Lt, true),
        LLVMIntPredicate::LLVMIntSLE => (Pred::Le, true),
    }
}

fn float_predicate(predicate: LLVMRealPredicate) -> Pred {
    use LLVMRealPredicate::*;
    match predicate {
        LLVMRealOEQ | LLVMRealUEQ => Pred::Eq,
        LLVMRealONE | LLVMRealUNE => Pred::Ne,
        LLVMRealOGT | LLVMRealUGT => Pred::Gt,
        LLVMRealOGE | LLVMRealUGE => Pred::Ge,
        LLVMRealOLT | LLVMRealULT => Pred::Lt,
        LLVMRealOLE | LLVMRealULE => Pred::Le,
        LLVMRealORD | LLVMRealUNO | LLVMRealPredicateTrue | LLVMRealPredicateFalse => Pred::Other,
    }
}
