//! What a value comes to for one of those who run side by side, where their numbers are known.
//!
//! ```c
//! if (rank % 2 == 0 && rank + 1 < size)     /* 1 for number 2 of 4, 0 for number 3 of 4 */
//! ```
//!
//! Of what is the same for all, but is no number, somebody says what it shall be ([`AgentNumbers::free`]).

use super::keys::{Key, KeyId, Keys, Operator};
use crate::program::ir::{BinOp, Pred};
use rustc_hash::{FxHashMap, FxHashSet};

/// The numbers of one agent.
#[derive(Clone, Debug, Default)]
pub struct AgentNumbers {
    /// Which one it is, from 0.
    pub own: i128,
    /// How many there are.
    pub count: i128,
    /// What values of which no more is known shall be: those that are the same for all, and its own.
    pub free: FxHashMap<KeyId, i128>,
}

/// Which values a condition may be made of.
pub struct KnownValues<'v> {
    /// Values that are not the same for all.
    pub differing: &'v FxHashSet<KeyId>,
    /// Communicators of all who are looked at.
    pub everybody: &'v dyn Fn(KeyId) -> bool,
}

/// What conditions are made of.
#[derive(Clone, Debug, Default)]
pub struct ConditionLeaves {
    /// Values that are the same for all, of which no more is known.
    pub free: Vec<KeyId>,
    /// Values that differ, of which no more is known.
    pub own: Vec<KeyId>,
    /// Whole numbers.
    pub numbers: Vec<i128>,
}

impl Keys {
    /// Adds what a condition is made of; `None` where nobody can say what it comes to for whom.
    pub fn leaves(&self, condition: KeyId, known: &KnownValues<'_>, leaves: &mut ConditionLeaves) -> Option<()> {
        let mut waiting = vec![condition];
        let mut seen: FxHashSet<KeyId> = FxHashSet::default();
        while let Some(key) = waiting.pop() {
            if !seen.insert(key) {
                continue;
            }
            match self.get(key) {
                Key::Int(value) => leaves.numbers.push(*value),
                Key::Null => leaves.numbers.push(0),
                Key::Operation(operator, operands) => {
                    if matches!(operator, Operator::OwnNumber | Operator::AgentCount) {
                        operands.iter().all(|of| (known.everybody)(*of)).then_some(())?;
                    } else if is_computed(*operator) {
                        waiting.extend(operands);
                    } else {
                        self.add_leaf(key, known, leaves)?;
                    }
                }
                Key::Choice { condition, then, other } => waiting.extend([*condition, *then, *other]),
                _ => {
                    self.add_leaf(key, known, leaves)?;
                }
            }
        }
        Some(())
    }

    /// Adds a value of which no more is known, unless it changes with the iteration of a loop.
    fn add_leaf(&self, key: KeyId, known: &KnownValues<'_>, leaves: &mut ConditionLeaves) -> Option<()> {
        let parts = self.parts(key);
        let changes = |part: &KeyId| matches!(self.get(*part), Key::Induction { .. } | Key::Merged(..));
        if parts.iter().any(changes) {
            return None;
        }
        let differs = parts.iter().any(|part| known.differing.contains(part));
        let list = if differs { &mut leaves.own } else { &mut leaves.free };
        if !list.contains(&key) {
            list.push(key);
        }
        Some(())
    }

    /// What a value comes to for one agent.
    pub fn value_for(&self, key: KeyId, agent: &AgentNumbers) -> Option<i128> {
        if let Some(value) = agent.free.get(&key) {
            return Some(*value);
        }
        match self.get(key) {
            Key::Int(value) => Some(*value),
            Key::Null => Some(0),
            Key::Operation(Operator::OwnNumber, _) => Some(agent.own),
            Key::Operation(Operator::AgentCount, _) => Some(agent.count),
            Key::Operation(operator, operands) => {
                let &[lhs, rhs] = operands.as_slice() else { return None };
                computed(*operator, self.value_for(lhs, agent)?, self.value_for(rhs, agent)?)
            }
            Key::Choice { condition, then, other } => match self.value_for(*condition, agent)? {
                0 => self.value_for(*other, agent),
                _ => self.value_for(*then, agent),
            },
            _ => None,
        }
    }
}

/// Whether [`computed`] knows an operation.
fn is_computed(operator: Operator) -> bool {
    match operator {
        Operator::Binary(op) => op <= BinOp::Xor as u32,
        Operator::Compare(pred, _, float) => !float && pred != Pred::Other as u32,
        _ => false,
    }
}

/// An operation on numbers; small ones, so that signs and widths do not matter.
fn computed(operator: Operator, lhs: i128, rhs: i128) -> Option<i128> {
    match operator {
        Operator::Binary(op) => {
            let is = |wanted: BinOp| op == wanted as u32;
            let shift = || u32::try_from(rhs).ok().filter(|by| *by < 64);
            match op {
                _ if is(BinOp::Add) => lhs.checked_add(rhs),
                _ if is(BinOp::Sub) => lhs.checked_sub(rhs),
                _ if is(BinOp::Mul) => lhs.checked_mul(rhs),
                _ if is(BinOp::SDiv) || is(BinOp::UDiv) => lhs.checked_div(rhs),
                _ if is(BinOp::SRem) || is(BinOp::URem) => lhs.checked_rem(rhs),
                _ if is(BinOp::Shl) => lhs.checked_shl(shift()?),
                _ if is(BinOp::LShr) || is(BinOp::AShr) => lhs.checked_shr(shift()?),
                _ if is(BinOp::And) => Some(lhs & rhs),
                _ if is(BinOp::Or) => Some(lhs | rhs),
                _ if is(BinOp::Xor) => Some(lhs ^ rhs),
                _ => None,
            }
        }
        Operator::Compare(pred, _, false) => {
            let is = |wanted: Pred| pred == wanted as u32;
            let holds = match pred {
                _ if is(Pred::Eq) => lhs == rhs,
                _ if is(Pred::Ne) => lhs != rhs,
                _ if is(Pred::Lt) => lhs < rhs,
                _ if is(Pred::Le) => lhs <= rhs,
                _ if is(Pred::Gt) => lhs > rhs,
                _ if is(Pred::Ge) => lhs >= rhs,
                _ => return None,
            };
            Some(i128::from(holds))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_on_the_number_come_to_what_c_says() {
        let mut keys = Keys::default();
        let rank = keys.of(Key::Operation(Operator::OwnNumber, Vec::new()));
        let [zero, two] = [0, 2].map(|value| keys.of(Key::Int(value)));
        let odd = keys.of(Key::Operation(Operator::Binary(BinOp::SRem as u32), vec![rank, two]));
        let even = keys.of(Key::Operation(
            Operator::Compare(Pred::Eq as u32, false, false),
            vec![odd, zero],
        ));
        let known = KnownValues {
            differing: &[rank, odd, even].into_iter().collect(),
            everybody: &|_| true,
        };
        let mut leaves = ConditionLeaves::default();
        assert_eq!(keys.leaves(even, &known, &mut leaves), Some(()));
        assert!(leaves.free.is_empty());
        let value = |own| {
            let agent = AgentNumbers {
                own,
                count: 4,
                ..AgentNumbers::default()
            };
            keys.value_for(even, &agent)
        };
        assert_eq!([0, 1, 2, 3].map(value), [Some(1), Some(0), Some(1), Some(0)]);
    }
}
