//! Functions as they are entered: blocks are interpreted until nothing changes.
//!
//! ```text
//! main {}                     a context: the function, its arguments, the memory that it may touch
//!   └ work(rank: differs)     another one
//!   └ work(size)              and another one
//! ```
//!
//! A function that calls itself knows of its arguments whether they differ, and what they are only if it hands them on as it got them;
//! what it leaves is found by repetition. All that is done is counted, and ends where it is too much ([`Interpreter::gave_up`]); before that, a function
//! that has cost much is no longer told of its memory what is in there, but whether it differs ([`super::entered`]).

use super::flow::BlockEnd;
use super::interpretation::{BlockState, EnterFunctions, FunctionFrame, Interpreter, Left};
use super::keys::Key;
use super::memory::{HeldValue, Memory};
use super::merging::meet_memory;
use super::recorded::{CollectiveStep, Context, ContextId, Entry, FunctionExit, RecordedBlock, RecordedBranch};
use super::roles::ClosedRegion;
use crate::program::ir::{FuncId, InstId, Op};
use crate::program::objects::{ObjectId, ObjectKind, Site};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// What a block costs, beside the cells that are looked at where ways meet.
const BLOCK_WORK: usize = 50;
/// What a function costs each time that it is entered otherwise.
const CONTEXT_WORK: usize = 2_000;

impl EnterFunctions for Interpreter<'_> {
    fn context(&mut self, entry: Entry) -> ContextId {
        if let Some(&known) = self.known.get(&entry) {
            let context = &mut self.contexts[known.0 as usize];
            context.asked |= context.running;
            return known;
        }
        let id = ContextId(self.contexts.len() as u32);
        self.contexts.push(Context {
            exit: None,
            blocks: Vec::new(),
            running: true,
            asked: false,
        });
        self.known.insert(entry.clone(), id);
        while !self.gave_up() {
            let (exit, blocks) = self.interpreted(&entry);
            let context = &mut self.contexts[id.0 as usize];
            let again = context.asked && context.exit != exit;
            context.exit = exit;
            context.blocks = blocks;
            if !again {
                break;
            }
        }
        self.contexts[id.0 as usize].running = false;
        id
    }
}

impl Interpreter<'_> {
    /// Interprets a function that the analysis begins with.
    pub fn begin(&mut self, func: FuncId, regions: Vec<ClosedRegion>) -> ContextId {
        let arguments = (0..self.of.around.module.function(func).params.len() as u32).map(|n| HeldValue {
            key: self.keys.of(Key::Argument(func, n)),
            differs: None,
        });
        let entry = Entry {
            func,
            regions,
            arguments: arguments.collect(),
            memory: Memory::default(),
        };
        self.context(entry)
    }

    /// What a function leaves, and what is recorded of it.
    fn interpreted(&mut self, entry: &Entry) -> (Option<FunctionExit>, Vec<RecordedBlock>) {
        let around = self.of.around;
        let function = around.module.function(entry.func);
        let Some(flow) = &around.flows[entry.func.0 as usize] else {
            return (None, Vec::new());
        };
        let mut frame = FunctionFrame {
            func: entry.func,
            function,
            flow,
            arguments: entry.arguments.clone(),
            entered: entry.memory.clone(),
            values: vec![None; function.insts.len()],
            left: vec![None; function.blocks.len()],
            supposed: RefCell::default(),
        };
        self.spend(entry.func, CONTEXT_WORK + entry.memory.len());
        let mut events: Vec<Vec<CollectiveStep>> = vec![Vec::new(); function.blocks.len()];
        let mut waiting: BTreeSet<usize> = BTreeSet::from([0]);
        while let Some(place) = waiting.pop_first() {
            let block = flow.order[place];
            self.spend(entry.func, BLOCK_WORK);
            if self.gave_up() {
                return (None, Vec::new());
            }
            let Some((left, happened)) = self.block(&mut frame, block, entry) else {
                continue;
            };
            events[block] = happened;
            if frame.left[block].as_ref() == Some(&left) {
                continue;
            }
            let next = self.next(&frame, block, left.branch);
            frame.left[block] = Some(left);
            waiting.extend(next.into_iter().map(|s| flow.place[s]));
            waiting.extend(self.meetings_of(&frame, block));
        }
        let blocks = self.recorded(&frame, events);
        (self.exit(&frame, entry), blocks)
    }

    /// Where ways meet that have come by a block: what is written there depends on the branches before.
    fn meetings_of(&self, frame: &FunctionFrame<'_>, block: usize) -> Vec<usize> {
        let flow = frame.flow;
        let around = { flow.within[block].iter().copied() }.chain([block]);
        let deciding = around.filter(|b| {
            let branch = frame.left[*b].as_ref().and_then(|l| l.branch);
            branch.is_some_and(|c| c.differs.is_some())
        });
        let meetings = deciding.filter_map(|b| flow.meeting[b]);
        let reached = meetings.filter(|m| flow.preds[*m].iter().any(|p| frame.left[*p].is_some()));
        reached.map(|m| flow.place[m]).collect()
    }

    /// Interprets a block. Nothing where control does not come, or does not come through.
    fn block(
        &mut self,
        frame: &mut FunctionFrame<'_>,
        block: usize,
        entry: &Entry,
    ) -> Option<(Left, Vec<CollectiveStep>)> {
        let mut here = match block {
            0 => BlockState {
                memory: entry.memory.clone(),
                written: BTreeSet::new(),
                regions: entry.regions.clone(),
                events: Vec::new(),
            },
            _ => {
                let before = self.ways_into(frame, block);
                let first = before.first().and_then(|b| frame.left[*b].as_ref())?;
                BlockState {
                    regions: first.regions.clone(),
                    memory: meet_memory(self, frame, &before, Some(block)),
                    written: BTreeSet::new(),
                    events: Vec::new(),
                }
            }
        };
        let insts = &frame.function.blocks[block];
        let end = frame.flow.cut[block].unwrap_or(insts.end);
        let (mut branch, mut result) = (None, None);
        for inst in (insts.first.0..end.0).map(InstId) {
            match &frame.function.inst(inst).op {
                Op::CondBr { cond: value, .. } | Op::Switch { value, .. } => {
                    branch = Some(self.operand(frame, inst, value));
                }
                Op::Ret(value) => result = value.as_ref().map(|value| self.operand(frame, inst, value)),
                _ if !self.of.slice.has(Site { func: frame.func, inst }) => {}
                _ => {
                    let value = self.instruction(frame, &mut here, inst)?;
                    frame.values[inst.0 as usize] = Some(value);
                }
            }
        }
        let left = Left {
            memory: here.memory,
            written: here.written,
            branch,
            result,
            regions: here.regions,
        };
        Some((left, here.events))
    }

    /// What is recorded of all blocks, now that nothing changes any more. By block: what has happened there the last time.
    fn recorded(&self, frame: &FunctionFrame<'_>, mut events: Vec<Vec<CollectiveStep>>) -> Vec<RecordedBlock> {
        let mut blocks = vec![RecordedBlock::default(); frame.function.blocks.len()];
        for &block in &frame.flow.order {
            let Some(left) = &frame.left[block] else { continue };
            let events = std::mem::take(&mut events[block]);
            let succs = self.next(frame, block, left.branch);
            let terminator = InstId(frame.function.blocks[block].end.0.saturating_sub(1));
            let several = succs.len() > 1;
            blocks[block] = RecordedBlock {
                events,
                branch: left.branch.filter(|_| several).map(|condition| RecordedBranch {
                    site: Site {
                        func: frame.func,
                        inst: terminator,
                    },
                    condition,
                }),
                succs,
                returns: frame.flow.ends[block] == BlockEnd::Returns,
            };
        }
        blocks
    }

    /// What there is when the function returns.
    fn exit(&mut self, frame: &FunctionFrame<'_>, entry: &Entry) -> Option<FunctionExit> {
        let ends: Vec<usize> = frame
            .flow
            .order
            .iter()
            .copied()
            .filter(|b| frame.flow.ends[*b] == BlockEnd::Returns && frame.left[*b].is_some())
            .collect();
        ends.first()?;
        // clang makes one return of all; other ends are those of the program.
        let result = ends
            .iter()
            .find_map(|end| frame.left[*end].as_ref().and_then(|left| left.result));
        let mut memory = meet_memory(self, frame, &ends, None);
        let around = self.of.around;
        let own = |object: ObjectId| match &around.points_to.object(object).kind {
            ObjectKind::Local { func, .. } | ObjectKind::ByVal { func, .. } => *func == entry.func,
            _ => false,
        };
        memory.forget(|cell| own(cell.place.object));
        Some(FunctionExit { result, memory })
    }
}
