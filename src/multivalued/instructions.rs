//! The values of instructions: what they are called, and whether they differ.

use super::interpretation::{BlockState, FunctionFrame, Interpreter};
use super::keys::{GivenPart, Key, Operator};
use super::memory::{HeldValue, joined};
use super::merging::gate;
use super::operands::Stored;
use crate::program::ir::{BinOp, BlockId, InstId, Op, Operand, Pred};
use crate::program::objects::Site;

impl Interpreter<'_> {
    /// What an instruction gives, and what it does to memory. Nothing where control does not come through.
    pub(super) fn instruction(
        &mut self,
        frame: &FunctionFrame<'_>,
        here: &mut BlockState,
        inst: InstId,
    ) -> Option<HeldValue> {
        let site = Site { func: frame.func, inst };
        let op = &frame.function.inst(inst).op;
        Some(match op {
            Op::Alloca { .. } => self.variable(site),
            Op::Br { .. } | Op::Unreachable => self.unknown(site, GivenPart::Result),
            Op::CondBr { .. } | Op::Switch { .. } | Op::Ret(_) => self.unknown(site, GivenPart::Result),
            Op::Load { ptr, .. } => self.load(frame, here, inst, ptr),
            Op::Store { ptr, value, ty, .. } => {
                let value = self.operand(frame, inst, value);
                self.store(frame, here, inst, Stored { ptr, ty, value });
                value
            }
            Op::Atomic { ptr, value, ty } => {
                let value = self.operand(frame, inst, value);
                self.atomic(frame, here, inst, Stored { ptr, ty, value })
            }
            Op::Gep {
                base,
                source_ty,
                indices,
            } => {
                let base = self.operand(frame, inst, base);
                let indices: Vec<HeldValue> = { indices.iter() }
                    .map(|index| self.operand(frame, inst, index))
                    .collect();
                self.address(base, source_ty, &indices)
            }
            Op::Binary { op, lhs, rhs, .. } => {
                let operands = [self.operand(frame, inst, lhs), self.operand(frame, inst, rhs)];
                self.binary(*op, &operands)
            }
            Op::Cmp {
                pred,
                lhs,
                rhs,
                signed,
                float,
            } => {
                let operands = [self.operand(frame, inst, lhs), self.operand(frame, inst, rhs)];
                self.comparison(*pred, *signed, *float, &operands)
            }
            Op::Cast { value, .. } => self.operand(frame, inst, value),
            Op::Phi { incoming } => self.phi(frame, inst, incoming),
            Op::Select { cond, then, other } => {
                let cond = self.operand(frame, inst, cond);
                let (then, other) = (self.operand(frame, inst, then), self.operand(frame, inst, other));
                let chosen = cond.differs.filter(|_| then.key != other.key);
                let differs = joined(chosen, joined(then.differs, other.differs));
                let key = self.keys.choice(cond.key, then.key, other.key);
                self.content(key, differs)
            }
            Op::Call { .. } => return self.call(frame, here, inst),
            Op::Other { mnemonic, operands, .. } => {
                let mut contents = Vec::with_capacity(operands.len());
                for operand in operands {
                    contents.push(self.operand(frame, inst, operand));
                }
                let operator = Operator::Other(self.keys.mnemonic(mnemonic));
                self.operation(operator, &contents)
            }
        })
    }

    fn binary(&mut self, op: BinOp, operands: &[HeldValue; 2]) -> HeldValue {
        let ints = (self.keys.int(operands[0].key), self.keys.int(operands[1].key));
        let value = match ints {
            (Some(a), Some(b)) => match op {
                BinOp::Add => a.checked_add(b),
                BinOp::Sub => a.checked_sub(b),
                BinOp::Mul => a.checked_mul(b),
                BinOp::SDiv => a.checked_div(b),
                BinOp::SRem => a.checked_rem(b),
                BinOp::And => Some(a & b),
                BinOp::Or => Some(a | b),
                BinOp::Xor => Some(a ^ b),
                _ => None,
            },
            _ => None,
        };
        match (value, ints.1) {
            (Some(value), _) => HeldValue {
                key: self.keys.of(Key::Int(value)),
                differs: None,
            },
            // One way to count down.
            (None, Some(step)) if op == BinOp::Sub && step != i128::MIN => {
                let added = HeldValue {
                    key: self.keys.of(Key::Int(-step)),
                    differs: None,
                };
                self.operation(Operator::Binary(BinOp::Add as u32), &[operands[0], added])
            }
            _ => self.operation(Operator::Binary(op as u32), operands),
        }
    }

    fn comparison(&mut self, pred: Pred, signed: bool, float: bool, operands: &[HeldValue; 2]) -> HeldValue {
        let [lhs, rhs] = *operands;
        if let (Some(a), Some(b), false) = (self.keys.int(lhs.key), self.keys.int(rhs.key), float) {
            let holds = match pred {
                Pred::Eq => Some(a == b),
                Pred::Ne => Some(a != b),
                Pred::Lt if signed => Some(a < b),
                Pred::Le if signed => Some(a <= b),
                Pred::Gt if signed => Some(a > b),
                Pred::Ge if signed => Some(a >= b),
                _ => None,
            };
            if let Some(holds) = holds {
                let key = self.keys.of(Key::Int(i128::from(holds)));
                return HeldValue { key, differs: None };
            }
        }
        // There is memory: a process without any is not looked at.
        let is_fresh = matches!(self.keys.get(lhs.key), Key::Given(_, GivenPart::Allocated));
        if is_fresh && *self.keys.get(rhs.key) == Key::Null && matches!(pred, Pred::Eq | Pred::Ne) {
            let key = self.keys.of(Key::Int(i128::from(pred == Pred::Ne)));
            return HeldValue { key, differs: None };
        }
        // Whether a comparison holds is what it is.
        let is_test = matches!(self.keys.get(lhs.key), Key::Operation(Operator::Compare(..), _));
        if pred == Pred::Ne && self.keys.int(rhs.key) == Some(0) && is_test {
            return lhs;
        }
        self.operation(Operator::Compare(pred as u32, signed, float), operands)
    }

    /// What one of several blocks has brought along.
    fn phi(&mut self, frame: &FunctionFrame<'_>, inst: InstId, incoming: &[(BlockId, Operand)]) -> HeldValue {
        let site = Site { func: frame.func, inst };
        let block = frame.function.inst(inst).block.0 as usize;
        let before = self.ways_into(frame, block);
        let mut contents = Vec::new();
        for way in &before {
            let from = incoming.iter().find(|(from, _)| from.0 as usize == *way);
            contents.extend(from.map(|(_, value)| (*way, self.operand(frame, inst, value))));
        }
        let mut differs = contents
            .iter()
            .fold(None, |known, (_, content)| joined(known, content.differs));
        let one = contents.windows(2).all(|two| two[0].1.key == two[1].1.key);
        let flow = frame.flow;
        let branches = flow.parting(Some(block)).iter().filter(|_| !one);
        for branch in branches {
            let condition = frame.left[*branch].as_ref().and_then(|left| left.branch);
            differs = joined(differs, condition.and_then(|c| c.differs));
        }
        let value = |way: usize| {
            contents
                .iter()
                .find(|(from, _)| *from == way)
                .map(|(_, content)| content.key)
        };
        let gated = gate(frame, block, &before).and_then(|gate| {
            let condition = frame.left[gate.branch].as_ref().and_then(|left| left.branch)?;
            Some(self.keys.choice(condition.key, value(gate.then)?, value(gate.other)?))
        });
        let key = match (contents.first(), gated) {
            (Some((_, first)), _) if one => first.key,
            (_, Some(key)) => key,
            _ => self.keys.of(Key::Given(site, GivenPart::Result)),
        };
        self.content(key, differs)
    }
}
