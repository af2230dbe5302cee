//! Names for values: two values of one key are the same number wherever both are met on one pass through the program.
//!
//! ```c
//! int odd = rank % 2;          /* Operation(SRem, [Returned(rank), Int(2)]) */
//! MPI_Comm_split(MPI_COMM_WORLD, odd, 0, &half);
//! if (rank % 2)                /* the key of the colour: all members of `half` go one way here */
//!     MPI_Barrier(half);
//! ```
//!
//! A value that control chooses has a *gated* key, which holds the condition ([`Key::Choice`]); the counter of a loop is known by its
//! start and its step ([`Key::Induction`]), so that loops that count alike have the same keys. What nothing is known of has the key of
//! the place where it comes from, which is like no other.
//!
//! Source: Alpern, Wegman and Zadeck 1988 (value numbering); Ottenstein et al. 1990 for gates.

use super::cells::TrackedCell;
use crate::program::ir::{BlockId, FuncId, GlobalId, Pred};
use crate::program::objects::Site;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

/// The number of a key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct KeyId(u32);

/// What computes a value of others, told apart by class and number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operator {
    /// Arithmetic, by opcode.
    Binary(u32),
    /// A comparison, by predicate, with or without signs or fractions.
    Compare(u32, bool, bool),
    /// The address of a part.
    Address,
    /// The element of an array that is so many bytes behind the start of the object.
    Element(u64),
    /// What is at an address, in memory that holds so much: of an array, what the others of its elements and those told apart hold.
    Loaded,
    /// Members of a record that are in one register, each behind how many bytes behind the first one it is.
    Packed,
    /// The agent's own number, in the communicator that the operand is.
    OwnNumber,
    /// How many agents there are, in the communicator that the operand is.
    AgentCount,
    /// Anything else that computes a number of its operands alone, by what LLVM calls it.
    Other(u32),
}

/// Which of the values that an instruction gives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GivenPart {
    /// The result.
    Result,
    /// The result, if it is fresh memory.
    Allocated,
    /// A constant among the operands that nothing is known of.
    Constant,
    /// What an element of an array holds after it.
    Element,
    /// What a variable holds after it that is one of several which may have been stored to.
    OneOfSeveral,
    /// What an argument points to.
    Argument(u32),
    /// What a cell holds after a call.
    Cell(TrackedCell),
    /// Who becomes a member of a communicator.
    Members,
}

/// What a value is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Key {
    /// A whole number.
    Int(i128),
    /// A number with a fraction, by its bits.
    Float(u64),
    /// No address.
    Null,
    /// So many bytes behind the start of a global.
    Global(GlobalId, i64),
    /// So many bytes behind the start of a local variable, by what makes room for it.
    Local(Site, i64),
    /// A function.
    Function(FuncId),
    /// What a cell of memory holds where the analysis begins.
    Initial(TrackedCell),
    /// An argument of a function that the analysis begins with, or that calls itself.
    Argument(FuncId, u32),
    /// What an instruction gives of which no more is known.
    Given(Site, GivenPart),
    /// Computed of others.
    Operation(Operator, Vec<KeyId>),
    /// One of two values, by a condition.
    Choice {
        /// The condition.
        condition: KeyId,
        /// The value where it holds.
        then: KeyId,
        /// The value where it does not.
        other: KeyId,
    },
    /// What a cell holds where ways meet.
    Merged(FuncId, BlockId, TrackedCell),
    /// What counts a loop from `start` on by `step`.
    Induction {
        /// The first value.
        start: KeyId,
        /// What is added each time.
        step: KeyId,
    },
    /// A communicator with the members of another one.
    SameMembers(Site, KeyId),
    /// The part of a communicator in which all gave the same colour.
    Part {
        /// The call.
        site: Site,
        /// What is split.
        of: KeyId,
        /// The colour.
        colour: KeyId,
    },
    /// A communicator of whose members nothing is known.
    UnknownMembers(Site),
}

/// All keys of a run, each once.
#[derive(Debug, Default)]
pub struct Keys {
    keys: IndexSet<Key, FxBuildHasher>,
    /// By key: of how many it is made, each counted as often as it is there.
    sizes: Vec<u32>,
    mnemonics: FxHashMap<String, u32>,
}

impl Keys {
    /// The number of a key.
    pub fn of(&mut self, key: Key) -> KeyId {
        let (at, new) = self.keys.insert_full(key);
        if new {
            let parts = self.direct_parts(&self.keys[at]);
            let size = { parts.iter() }.fold(1, |size: u32, part| size.saturating_add(self.size(*part)));
            self.sizes.push(size);
        }
        KeyId(at as u32)
    }

    /// Of how many keys one is made, each counted as often as it is there, itself among them.
    pub fn size(&self, id: KeyId) -> u32 {
        self.sizes[id.0 as usize]
    }

    /// The key of a number.
    pub fn get(&self, id: KeyId) -> &Key {
        &self.keys[id.0 as usize]
    }

    /// A number for what LLVM calls an instruction.
    pub fn mnemonic(&mut self, name: &str) -> u32 {
        let next = self.mnemonics.len() as u32;
        *self.mnemonics.entry(name.to_owned()).or_insert(next)
    }

    /// The whole number that a key is, if it is one.
    pub fn int(&self, id: KeyId) -> Option<i128> {
        match self.get(id) {
            Key::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// Whether a value is made of one that changes in a loop.
    pub fn counts(&self, id: KeyId) -> bool {
        let parts = self.parts(id);
        { parts.iter() }.any(|part| matches!(self.get(*part), Key::Induction { .. } | Key::Merged(..)))
    }

    /// Whether a condition compares what changes in a loop by more than one, or a whole number that changes by what is not known.
    pub fn strides(&self, condition: KeyId) -> bool {
        let Key::Operation(Operator::Compare(pred, _, is_float), _) = self.get(condition) else {
            return false;
        };
        let is_order = ![Pred::Eq as u32, Pred::Ne as u32].contains(pred);
        let strides = |part: &KeyId| match self.get(*part) {
            Key::Induction { step, .. } => !matches!(self.int(*step), Some(1 | -1)),
            Key::Merged(..) => is_order && !is_float,
            _ => false,
        };
        self.parts(condition).iter().any(strides)
    }

    /// Whether a value is the same each time that control comes by.
    pub fn stays(&self, id: KeyId) -> bool {
        let changes = |part: &KeyId| {
            matches!(
                self.get(*part),
                Key::Induction { .. } | Key::Merged(..) | Key::Given(..)
            )
        };
        !self.parts(id).iter().any(changes)
    }

    /// Whether the program text alone says what a value is, by numbers and by how often a loop has run.
    pub fn is_fixed(&self, id: KeyId) -> bool {
        let fixed = |part: &KeyId| {
            matches!(
                self.get(*part),
                Key::Int(_)
                    | Key::Float(_)
                    | Key::Null
                    | Key::Operation(..)
                    | Key::Choice { .. }
                    | Key::Induction { .. }
            )
        };
        self.parts(id).iter().all(fixed)
    }

    /// Whether a value is a number, an address, or a communicator that a call has made; or how many agents there are, and which one it is.
    pub fn is_plain(&self, id: KeyId) -> bool {
        matches!(
            self.get(id),
            Key::Int(_)
                | Key::Float(_)
                | Key::Null
                | Key::Global(..)
                | Key::Local(..)
                | Key::Function(_)
                | Key::SameMembers(..)
                | Key::Part { .. }
                | Key::UnknownMembers(_)
                | Key::Operation(Operator::OwnNumber | Operator::AgentCount, _)
        )
    }

    /// What a value is made of, itself among it.
    pub fn parts(&self, id: KeyId) -> FxHashSet<KeyId> {
        let mut seen: FxHashSet<KeyId> = FxHashSet::default();
        let mut waiting = vec![id];
        while let Some(key) = waiting.pop() {
            if !seen.insert(key) {
                continue;
            }
            waiting.extend(self.direct_parts(self.get(key)));
        }
        seen
    }

    /// What a key is made of, at once.
    fn direct_parts(&self, key: &Key) -> Vec<KeyId> {
        match key {
            Key::Operation(_, of) => of.clone(),
            Key::Choice { condition, then, other } => vec![*condition, *then, *other],
            Key::Induction { start, step } => vec![*start, *step],
            _ => Vec::new(),
        }
    }

    /// A choice, or what both are.
    pub fn choice(&mut self, condition: KeyId, then: KeyId, other: KeyId) -> KeyId {
        match then == other {
            true => then,
            false => self.of(Key::Choice { condition, then, other }),
        }
    }
}
