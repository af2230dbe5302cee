//! Calls: of the library by what the tables say ([`super::library_calls`]), of the program by looking at what is called.

use super::causes::{CauseId, CauseKind};
use super::cells::TrackedCell;
use super::copies::CopiedCell;
use super::entered::CallReturn;
use super::interpretation::{BlockState, Calling, EnterFunctions, FunctionFrame, Interpreter};
use super::keys::{GivenPart, Key};
use super::memory::{HeldValue, Memory, joined};
use super::recorded::{CallEvent, CollectiveStep, ContextId, Entry, FunctionExit};
use super::roles::ClosedRegion;
use crate::program::ir::{Callee, FuncId, InstId, Op};
use crate::program::objects::Site;

impl Interpreter<'_> {
    /// What a call gives, and what it does. Nothing where it does not return.
    pub(super) fn call(&mut self, frame: &FunctionFrame<'_>, here: &mut BlockState, inst: InstId) -> Option<HeldValue> {
        let Op::Call { callee, args } = &frame.function.inst(inst).op else {
            return None;
        };
        let around = self.of.around;
        let site = Site { func: frame.func, inst };
        let mut arguments = Vec::with_capacity(args.len());
        for arg in args {
            arguments.push(self.operand(frame, inst, arg));
        }
        let name = around.callee_name(site).unwrap_or_default();
        let calling = Calling {
            site,
            name,
            operands: args,
            arguments,
        };
        if let Some(role) = around.role(name) {
            return Some(self.known(frame, here, &calling, role));
        }
        if around.is_summarised(site) {
            return Some(self.outside(frame, here, &calling));
        }
        let targets = around.targets(site);
        if targets.iter().any(|target| around.bodies.has(*target)) {
            // Another team, which is looked at by itself: what it leaves, all who come here find alike.
            return Some(self.unknown(site, GivenPart::Result));
        }
        let pointer = match callee {
            Callee::Indirect(pointer) => Some(self.operand(frame, inst, pointer)),
            _ => None,
        };
        self.program(frame, here, &calling, &targets, pointer)
    }

    /// A call of functions of the program.
    fn program(
        &mut self,
        frame: &FunctionFrame<'_>,
        here: &mut BlockState,
        calling: &Calling<'_>,
        targets: &[FuncId],
        pointer: Option<HeldValue>,
    ) -> Option<HeldValue> {
        let mut contexts: Vec<ContextId> = Vec::new();
        let mut exits: Vec<FunctionExit> = Vec::new();
        for &target in targets {
            let (context, exit) = self.enter(frame, here, calling, target);
            contexts.push(context);
            exits.extend(exit);
        }
        here.events.push(CollectiveStep::Call(CallEvent {
            site: calling.site,
            targets: contexts,
            pointer: pointer.map(|p| (p.key, p.differs)),
        }));
        let decided = pointer.and_then(|p| p.differs).filter(|_| targets.len() > 1);
        let first = exits.first()?.clone();
        let mut result = first.result;
        for other in &exits[1..] {
            result = self.one_of(calling.site, GivenPart::Result, result, other.result, decided);
        }
        let mut cells: Vec<TrackedCell> = exits
            .iter()
            .flat_map(|exit| exit.memory.iter())
            .map(|(cell, _)| *cell)
            .collect();
        cells.sort();
        cells.dedup();
        for cell in cells {
            let before = here.memory.read(cell, self.keys);
            let mut content = exits[0].memory.get(cell).or(Some(before));
            for other in &exits[1..] {
                let other = other.memory.get(cell).or(Some(before));
                content = self.one_of(calling.site, GivenPart::Cell(cell), content, other, decided);
            }
            let Some(content) = content else { continue };
            if content != before {
                here.written.insert(cell);
            }
            here.memory.set(cell, content);
        }
        Some(result.unwrap_or_else(|| self.unknown(calling.site, GivenPart::Result)))
    }

    /// One of two values, by what is called.
    fn one_of(
        &mut self,
        site: Site,
        part: GivenPart,
        one: Option<HeldValue>,
        other: Option<HeldValue>,
        decided: Option<CauseId>,
    ) -> Option<HeldValue> {
        let (one, other) = (one?, other?);
        let differs = match (one.differs, other.differs) {
            (Some(_), Some(_)) | (None, None) => joined(one.differs, other.differs),
            (before, None) | (None, before) => Some(self.causes.of(CauseKind::OneOfSeveral, site, before)),
        };
        if one.key == other.key {
            return Some(HeldValue { key: one.key, differs });
        }
        let key = self.keys.of(Key::Given(site, part));
        let differs = joined(decided, differs);
        Some(self.content(key, differs))
    }

    /// Gives a function its own copies of the records that it is passed.
    fn pass(
        &mut self,
        frame: &FunctionFrame<'_>,
        here: &BlockState,
        calling: &Calling<'_>,
        target: FuncId,
        memory: &mut Memory,
    ) {
        for index in 0..calling.operands.len() as u32 {
            let copy = self.passed(frame, calling, target, index);
            let copied = copy.and_then(|copy| self.copied(&here.memory, copy));
            for CopiedCell { place, value } in copied.into_iter().flatten() {
                match place.surely {
                    _ if !self.of.slice.has_place(place.cell.place) => {}
                    true => memory.set(place.cell, value),
                    // One of several elements.
                    false => {
                        let key = self.keys.of(Key::Given(calling.site, GivenPart::Element));
                        memory.add(place.cell, HeldValue { key, ..value });
                    }
                }
            }
        }
    }

    /// Looks at a function of the program, entered so.
    fn enter(
        &mut self,
        frame: &FunctionFrame<'_>,
        here: &BlockState,
        calling: &Calling<'_>,
        target: FuncId,
    ) -> (ContextId, Option<FunctionExit>) {
        let around = self.of.around;
        let touched = &around.touched[target.0 as usize];
        let mut memory = here.memory.of_objects(|object| touched.contains(object.0 as usize));
        let mut arguments = calling.arguments.clone();
        arguments.truncate(around.module.function(target).params.len());
        self.keep_asked(target, &mut arguments);
        self.pass(frame, here, calling, target, &mut memory);
        let knowledge = self.keep_from(target, frame, &mut arguments, &mut memory);
        let entered = memory.clone();
        let context = self.context(Entry {
            func: target,
            regions: once_each(&here.regions),
            arguments,
            memory,
        });
        let mut exit = self.contexts[context.0 as usize].exit.clone();
        if let Some(exit) = &mut exit {
            let back = CallReturn {
                site: calling.site,
                before: &here.memory,
                entered: &entered,
            };
            self.told_again(knowledge, &back, exit);
        }
        (context, exit)
    }
}

/// The regions around a place, each once: how often one is entered in itself says nothing more.
fn once_each(regions: &[ClosedRegion]) -> Vec<ClosedRegion> {
    let mut once: Vec<ClosedRegion> = Vec::new();
    for region in regions.iter().rev() {
        if !once.contains(region) {
            once.push(*region);
        }
    }
    once.reverse();
    once
}
