//! What a function is told of what it is entered with.
//!
//! ```c
//! for (i = 0; i < n; i++)     /* the first calls know that `total` is total + a[i], total + a[i] + a[i], …;      */
//!     add(&total, a[i]);      /* once they have cost too much, that it is some number, the same for all or not  */
//! ```
//!
//! Each call that comes with other values is looked at by itself, and where calls stand in loops within loops these are many. What
//! values are is told as long as that is cheap, and they are not made of many others. Numbers, addresses and communicators are told always. Of memory that holds no single values,
//! as that of the heap, nobody is told in which state it is: that changes with each store.

use super::causes::CauseId;
use super::interpretation::{FunctionFrame, Interpreter};
use super::keys::{GivenPart, Key, KeyId};
use super::memory::{HeldValue, Memory};
use super::recorded::FunctionExit;
use crate::program::ir::FuncId;
use crate::program::objects::{ObjectKind, Site};

/// A function that has cost more, in cells looked at, is told less.
const MOST_WORK_APART: usize = 100_000;

/// Values that are made of more others are not told: how they are made up says nothing that small runs could try.
const LARGEST_TOLD: u32 = 12;

/// What a function is told of what it is entered with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct EntryKnowledge {
    target: FuncId,
    /// The function calls itself: only what is the same at each depth.
    recursive: bool,
    /// The function has cost much: only numbers, addresses and communicators.
    plain: bool,
}

/// What there was at a call, for who comes back from it.
pub(super) struct CallReturn<'w> {
    pub site: Site,
    /// The memory of the caller.
    pub before: &'w Memory,
    /// What the function was told of it.
    pub entered: &'w Memory,
}

impl Interpreter<'_> {
    /// What a function is to be told.
    fn knowledge(&self, target: FuncId) -> EntryKnowledge {
        EntryKnowledge {
            target,
            recursive: self.of.around.points_to.call_graph().recursive_inside(target),
            plain: self.spent.get(&target).is_some_and(|work| *work > MOST_WORK_APART),
        }
    }

    /// Takes from arguments and memory what a function is not told.
    pub(super) fn keep_from(
        &mut self,
        target: FuncId,
        caller: &FunctionFrame<'_>,
        arguments: &mut [HeldValue],
        memory: &mut Memory,
    ) -> EntryKnowledge {
        let knowledge = self.knowledge(target);
        memory.change(|cell, content| match self.has_named_elements(cell.place) {
            true => content,
            false => {
                let key = self.keys.of(Key::Initial(cell));
                self.content(key, content.differs)
            }
        });
        if knowledge.recursive {
            self.forget_deeper(caller, target, arguments, memory);
        }
        self.forget_values(knowledge, arguments, memory);
        knowledge
    }

    /// Takes from arguments what nothing depends on.
    pub(super) fn keep_asked(&mut self, target: FuncId, arguments: &mut [HeldValue]) {
        for (number, argument) in arguments.iter_mut().enumerate() {
            if !self.of.slice.has_argument(target, number as u32) {
                *argument = HeldValue {
                    key: self.keys.of(Key::Argument(target, number as u32)),
                    differs: None,
                };
            }
        }
    }

    /// Takes from arguments and memory what values are that the function is not told, and why values differ, but for the first reason.
    fn forget_values(&mut self, knowledge: EntryKnowledge, arguments: &mut [HeldValue], memory: &mut Memory) {
        let target = knowledge.target;
        for (number, argument) in arguments.iter_mut().enumerate() {
            let own = self.keys.of(Key::Argument(target, number as u32));
            *argument = self.told(knowledge, own, *argument);
        }
        memory.change(
            |cell, content| match self.tells(knowledge, content.key) && content.differs.is_none() {
                true => content,
                false => {
                    let own = self.keys.of(Key::Initial(cell));
                    self.told(knowledge, own, content)
                }
            },
        );
        if knowledge.plain {
            memory.forget_untouched(self.keys);
        }
    }

    /// What a function is told of a value that it calls `own` if it is not told which one it is.
    fn told(&mut self, knowledge: EntryKnowledge, own: KeyId, value: HeldValue) -> HeldValue {
        let differs = self.first_reason(knowledge.target, own, value.differs);
        let key = if self.tells(knowledge, value.key) {
            value.key
        } else {
            own
        };
        self.content(key, differs)
    }

    /// Whether a function is told which value something is.
    fn tells(&self, knowledge: EntryKnowledge, value: KeyId) -> bool {
        self.keys.is_plain(value) || !knowledge.plain && self.keys.size(value) <= LARGEST_TOLD
    }

    /// Why what a function is entered with differs: as it was the first time. Which reason it was makes no other function of it, but whether that
    /// is sure does.
    fn first_reason(&mut self, target: FuncId, what: KeyId, differs: Option<CauseId>) -> Option<CauseId> {
        let differs = differs?;
        let reason = self.reasons.entry((target, what, differs.is_doubtful()));
        Some(*reason.or_insert(differs))
    }

    /// Takes from arguments and memory what each call of itself finds otherwise: what values are is not told apart, but whether they differ.
    fn forget_deeper(
        &mut self,
        frame: &FunctionFrame<'_>,
        target: FuncId,
        arguments: &mut [HeldValue],
        memory: &mut Memory,
    ) {
        let reached = self.of.around.points_to.call_graph().reachable(target);
        let deeper = reached.contains(&frame.func);
        let same = |key| frame.arguments.iter().any(|own| own.key == key);
        for (number, argument) in arguments.iter_mut().enumerate() {
            if deeper && !same(argument.key) {
                let key = self.keys.of(Key::Argument(target, number as u32));
                *argument = self.content(key, argument.differs);
            }
        }
        memory.change(|cell, content| {
            let object = self.of.around.points_to.object(cell.place.object);
            let again = matches!(object.kind, ObjectKind::Local { func, .. } if reached.contains(&func));
            let changed = deeper && frame.entered.read(cell, self.keys).key != content.key;
            let key = match again || changed {
                true => self.keys.of(Key::Initial(cell)),
                false => content.key,
            };
            self.content(key, content.differs)
        });
    }

    /// What a function leaves, in terms of who called it: of memory, what is not as it was.
    pub(super) fn told_again(&mut self, knowledge: EntryKnowledge, back: &CallReturn<'_>, exit: &mut FunctionExit) {
        let EntryKnowledge { target, recursive, .. } = knowledge;
        // What is made of nothing that was kept from the function means the same to the caller.
        let means_the_same = |own: &mut Self, key: KeyId| {
            let parts = own.keys.parts(key);
            let kept_from = |own: &mut Self, part: &KeyId| match *own.keys.get(*part) {
                Key::Initial(cell) => back.before.read(cell, own.keys).key != *part,
                Key::Argument(func, _) => func == target,
                _ => false,
            };
            !recursive && !parts.iter().any(|part| kept_from(own, part))
        };
        if let Some(result) = &mut exit.result
            && !means_the_same(self, result.key)
        {
            let key = self.keys.of(Key::Given(back.site, GivenPart::Result));
            *result = self.content(key, result.differs);
        }
        let mut changed = Memory::default();
        for cell in back.entered.unlike(&exit.memory) {
            let Some(HeldValue { key, differs }) = exit.memory.get(cell) else {
                continue;
            };
            let key = match back.entered.read(cell, self.keys).key == key {
                true => back.before.read(cell, self.keys).key,
                false if means_the_same(self, key) => key,
                false => self.keys.of(Key::Given(back.site, GivenPart::Cell(cell))),
            };
            changed.set(cell, self.content(key, differs));
        }
        exit.memory = changed;
    }
}
