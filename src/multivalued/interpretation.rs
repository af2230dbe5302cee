//! What an interpretation has: who is looked at, what is known by now, and where it is.

use super::causes::{CauseId, Causes};
use super::cells::TrackedCell;
use super::flow::BlockFlow;
use super::keys::{GivenPart, Key, KeyId, Keys, Operator};
use super::memory::{HeldValue, Memory, joined};
use super::recorded::{CollectiveStep, Context, ContextId, Entry};
use super::roles::ClosedRegion;
use super::slice::Slice;
use super::surroundings::Surroundings;
use crate::program::ir::{FuncId, Function, InstId, Op, Operand};
use crate::program::objects::{MemLoc, ObjectId, Site};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Who is looked at, and what is known of them.
pub struct JudgedAgents<'a> {
    /// Values that are the same for all of them, whatever they are made of: the colour by which a communicator was split, for its members.
    pub equal: FxHashSet<KeyId>,
    /// Communicators whose collectives make memory the same for all of them; `None`: all of which nothing is known to the contrary.
    pub communicators: Option<FxHashSet<KeyId>>,
    /// Objects that each thread of a team has for itself; all others are shared. Processes share nothing.
    pub private: FxHashSet<ObjectId>,
    /// The program.
    pub around: &'a Surroundings<'a>,
    /// What of it is followed.
    pub slice: &'a Slice,
}

/// The interpretation of a program for some agents.
pub struct Interpreter<'a> {
    pub(super) of: &'a JudgedAgents<'a>,
    /// What values are called.
    pub keys: &'a mut Keys,
    /// Why values differ.
    pub causes: Causes,
    /// Functions as they are entered.
    pub contexts: Vec<Context>,
    pub(super) known: FxHashMap<Entry, ContextId>,
    /// Values that are not the same for all.
    pub differing: FxHashSet<KeyId>,
    /// Shared memory that is written where one thread at a time is: what is read there differs, as others may have been there before.
    pub contended: FxHashSet<MemLoc>,
    pub(super) scalars: FxHashMap<MemLoc, bool>,
    /// By function, by what it is entered with, and by whether that is doubtful: why that differed the first time.
    pub(super) reasons: FxHashMap<(FuncId, KeyId, bool), CauseId>,
    /// By the block at which a loop begins: cells that hold other values when control comes back to it.
    pub(super) changing: FxHashMap<(FuncId, usize), BTreeSet<TrackedCell>>,
    /// What functions have cost until now.
    pub(super) spent: FxHashMap<FuncId, usize>,
}

/// A function that is being interpreted.
pub(super) struct FunctionFrame<'f> {
    pub func: FuncId,
    pub function: &'f Function,
    pub flow: &'f BlockFlow,
    pub arguments: Vec<HeldValue>,
    /// What was in memory when it was entered.
    pub entered: Memory,
    /// By instruction.
    pub values: Vec<Option<HeldValue>>,
    /// By block: what is there behind it.
    pub left: Vec<Option<Left>>,
    /// By block at which a loop begins: cells that are supposed to change in it, as they did before ([`Interpreter::changing`]).
    pub supposed: RefCell<FxHashMap<usize, BTreeSet<TrackedCell>>>,
}

/// What there is behind a block.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Left {
    pub memory: Memory,
    /// The cells that are written in the block.
    pub written: BTreeSet<TrackedCell>,
    pub branch: Option<HeldValue>,
    pub result: Option<HeldValue>,
    /// The regions around it in which no barrier may stand, the outermost first.
    pub regions: Vec<ClosedRegion>,
}

/// Where a block is, while it is interpreted.
pub(super) struct BlockState {
    pub memory: Memory,
    pub written: BTreeSet<TrackedCell>,
    pub regions: Vec<ClosedRegion>,
    pub events: Vec<CollectiveStep>,
}

/// A call with its arguments.
pub(super) struct Calling<'c> {
    pub site: Site,
    pub name: &'c str,
    pub operands: &'c [Operand],
    pub arguments: Vec<HeldValue>,
}

/// Looks at functions as they are entered. Calls ask for it, so that they need not know how it is done.
pub(super) trait EnterFunctions {
    /// The function as it is entered so, interpreted.
    fn context(&mut self, entry: Entry) -> ContextId;
}

impl<'a> Interpreter<'a> {
    /// An interpreter that has seen nothing yet.
    pub fn new(of: &'a JudgedAgents<'a>, keys: &'a mut Keys) -> Interpreter<'a> {
        Interpreter {
            of,
            keys,
            causes: Causes::default(),
            contexts: Vec::new(),
            known: FxHashMap::default(),
            differing: FxHashSet::default(),
            contended: FxHashSet::default(),
            scalars: FxHashMap::default(),
            reasons: FxHashMap::default(),
            changing: FxHashMap::default(),
            spent: FxHashMap::default(),
        }
    }

    /// Whether there was too much to do. What has been found until then is no use.
    pub fn gave_up(&self) -> bool {
        self.of.around.gave_up()
    }

    /// Counts what has been done for a function.
    pub(super) fn spend(&mut self, func: FuncId, work: usize) {
        *self.spent.entry(func).or_default() += work;
        self.of.around.works(work);
    }

    /// A value with its key, unless it is known to be the same for all.
    pub(super) fn content(&mut self, key: KeyId, differs: Option<CauseId>) -> HeldValue {
        let differs = differs.filter(|_| !self.of.equal.contains(&key));
        if differs.is_some() {
            self.differing.insert(key);
        }
        HeldValue { key, differs }
    }

    /// A value of which nothing is known, the same for all.
    pub(super) fn unknown(&mut self, site: Site, part: GivenPart) -> HeldValue {
        HeldValue {
            key: self.keys.of(Key::Given(site, part)),
            differs: None,
        }
    }

    /// What is computed of operands alone.
    pub(super) fn operation(&mut self, operator: Operator, operands: &[HeldValue]) -> HeldValue {
        let differs = operands
            .iter()
            .fold(None, |known, operand| joined(known, operand.differs));
        let keys: Vec<KeyId> = operands.iter().map(|operand| operand.key).collect();
        let key = self.keys.of(Key::Operation(operator, keys));
        self.content(key, differs)
    }

    /// Whether all who are looked at have one and the same object.
    pub(super) fn is_shared(&self, object: ObjectId) -> bool {
        self.of.around.agents.share_memory() && !self.of.private.contains(&object)
    }

    /// Where control goes on; where a condition is a number, one way.
    pub(super) fn next(&self, frame: &FunctionFrame<'_>, block: usize, branch: Option<HeldValue>) -> Vec<usize> {
        let succs = &frame.flow.succs[block];
        let decided = branch.and_then(|condition| self.keys.int(condition.key));
        let last = InstId(frame.function.blocks[block].end.0.saturating_sub(1));
        match (decided, &frame.function.inst(last).op) {
            (Some(value), Op::CondBr { .. }) if succs.len() == 2 => vec![succs[usize::from(value == 0)]],
            _ => succs.clone(),
        }
    }

    /// The blocks from which control comes to a block, as far as is known by now.
    pub(super) fn ways_into(&self, frame: &FunctionFrame<'_>, block: usize) -> Vec<usize> {
        let mut before: Vec<usize> = frame.flow.preds[block].clone();
        before.dedup();
        before.retain(|b| {
            let left = frame.left[*b].as_ref();
            left.is_some_and(|left| self.next(frame, *b, left.branch).contains(&block))
        });
        before
    }
}
