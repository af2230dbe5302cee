//! The part of a program on which depends who comes where: its slice, by which collectives there are.
//!
//! ```c
//! for (i = 0; i < n; i++)              /* nobody meets in there, and no condition before a collective is made of `sum`: */
//!     sum += x[i];                     /* `i`, `sum` and `x` are not followed                                           */
//! if (n > rank)                        /* a collective depends on this branch: `n` and `rank` are                       */
//!     MPI_Barrier(MPI_COMM_WORLD);
//! ```
//!
//! A collective depends on its arguments, on the branches on whose ways it lies or that end the program, and on whether its function is
//! called. A value depends on what it is computed of, and if it is read from memory, on the address, on what is stored there, and on the
//! branches on whose ways that is done. What is left is the same for the analysis whatever it is, so that it is neither computed nor kept; that is most of a
//! program that computes.
//!
//! Source: Weiser 1984 (Program slicing); Horwitz, Reps and Binkley 1990 for calls, here without contexts.

use super::flow::{BlockEnd, BlockFlow};
use super::roles::{CommunicatorArgument, LibraryRole};
use super::solved::functions;
use super::surroundings::Surroundings;
use super::writers::{Writers, inner_places};
use crate::program::ir::{Callee, FuncId, InstId, Op, Operand};
use crate::program::objects::{Field, MemLoc, ObjectId, ObjectKind, Site};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

/// What who comes where depends on.
#[derive(Debug, Default)]
pub struct Slice {
    /// By function: the instructions whose value is asked for.
    values: Vec<FixedBitSet>,
    /// By function: the instructions that do something that is asked for.
    effects: Vec<FixedBitSet>,
    /// Arguments of functions, by number.
    arguments: FxHashSet<(FuncId, u32)>,
    /// Functions of which it matters whether they are called.
    acting: FixedBitSet,
    /// What is read of objects.
    fields: FxHashMap<ObjectId, FxHashSet<Field>>,
}

impl Slice {
    /// Finds it.
    pub fn of(around: &Surroundings<'_>) -> Slice {
        let functions = &around.module.functions;
        let none = || functions.iter().map(|f| FixedBitSet::with_capacity(f.insts.len()));
        let mut slicer = Slicer {
            around,
            writers: Writers::of(around),
            slice: Slice {
                values: none().collect(),
                effects: none().collect(),
                acting: FixedBitSet::with_capacity(functions.len()),
                ..Slice::default()
            },
            returning: FixedBitSet::with_capacity(functions.len()),
            branches: FxHashSet::default(),
            waiting: Vec::new(),
        };
        slicer.begin();
        while let Some(asked) = slicer.waiting.pop() {
            slicer.follow(asked);
        }
        slicer.slice
    }

    /// Whether an instruction has anything to do with who comes where.
    pub fn has(&self, site: Site) -> bool {
        let Site { func, inst } = site;
        let (func, inst) = (func.0 as usize, inst.0 as usize);
        self.values[func].contains(inst) || self.effects[func].contains(inst)
    }

    /// Whether it matters if a function is called.
    pub fn acts(&self, func: FuncId) -> bool {
        self.acting.contains(func.0 as usize)
    }

    /// Whether an argument of a function has.
    pub fn has_argument(&self, func: FuncId, number: u32) -> bool {
        self.arguments.contains(&(func, number))
    }

    /// Whether what is in a place has.
    pub fn has_place(&self, place: MemLoc) -> bool {
        let Some(fields) = self.fields.get(&place.object) else {
            return false;
        };
        place.field == Field::Any || fields.contains(&place.field) || fields.contains(&Field::Any)
    }
}

/// What something depends on that is in the slice.
#[derive(Clone, Copy)]
enum Asked {
    /// What an instruction gives.
    Value(Site),
    /// What an argument of a function is.
    Argument(FuncId, u32),
    /// What is in memory.
    Place(MemLoc),
    /// What an instruction does.
    Effect(Site),
    /// Whether a function is called.
    Called(FuncId),
    /// Which way a branch goes, by the block that it ends.
    Branch(FuncId, usize),
    /// What a function returns.
    Returned(FuncId),
}

struct Slicer<'s> {
    around: &'s Surroundings<'s>,
    writers: Writers,
    slice: Slice,
    /// Functions whose result is asked for.
    returning: FixedBitSet,
    branches: FxHashSet<(FuncId, usize)>,
    waiting: Vec<Asked>,
}

impl Slicer<'_> {
    /// All depends on the collectives, on the regions in which none may stand, and on functions that control does not come back from.
    fn begin(&mut self) {
        let around = self.around;
        let meets = |role: &LibraryRole| role.is_collective() || role.enter.is_some() || role.leave || role.cancels;
        for (func, function) in functions(around.module) {
            let sites = function.inst_ids().map(|inst| Site { func, inst });
            for site in sites.filter(|site| around.role_of(*site).is_some_and(meets)) {
                self.waiting.extend([Asked::Effect(site), Asked::Called(func)]);
            }
            let flow = around.flows[func.0 as usize].as_ref();
            if flow.is_some_and(|flow| !flow.order.iter().any(|at| flow.ends[*at] == BlockEnd::Returns)) {
                self.waiting.push(Asked::Called(func));
            }
        }
    }

    fn follow(&mut self, asked: Asked) {
        match asked {
            Asked::Value(site) => {
                if !self.slice.values[site.func.0 as usize].put(site.inst.0 as usize) {
                    self.value(site);
                }
            }
            Asked::Argument(func, number) => {
                if self.slice.arguments.insert((func, number)) {
                    for &call in self.around.points_to.callers(func) {
                        self.argument(call, number);
                    }
                }
            }
            Asked::Place(place) => self.place(place),
            Asked::Effect(site) => {
                if !self.slice.effects[site.func.0 as usize].put(site.inst.0 as usize) {
                    self.effect(site);
                }
            }
            Asked::Called(func) => {
                if !self.slice.acting.put(func.0 as usize) {
                    for &call in self.around.points_to.callers(func) {
                        self.waiting.extend([Asked::Effect(call), Asked::Called(call.func)]);
                    }
                    // Who goes on knows that the program has not ended.
                    let ending = self.around.flows[func.0 as usize].iter().flat_map(BlockFlow::ending);
                    self.waiting.extend(ending.map(|block| Asked::Branch(func, block)));
                }
            }
            Asked::Branch(func, block) => {
                if self.branches.insert((func, block)) {
                    self.branch(func, block);
                }
            }
            Asked::Returned(func) => self.returned(func),
        }
    }

    fn operand(&mut self, func: FuncId, operand: &Operand) {
        match operand {
            Operand::Inst(inst) => self.waiting.push(Asked::Value(Site { func, inst: *inst })),
            Operand::Arg(number) => self.waiting.push(Asked::Argument(func, *number)),
            _ => {}
        }
    }

    fn argument(&mut self, call: Site, number: u32) {
        if let Some(operand) = self.around.argument(call, number) {
            self.operand(call.func, operand);
        }
    }

    /// What is at an address.
    fn at(&mut self, func: FuncId, ptr: &Operand) {
        self.operand(func, ptr);
        let places = self.around.places(func, ptr).iter();
        self.waiting.extend(places.map(|place| Asked::Place(*place)));
    }

    /// What the value of an instruction is made of.
    fn value(&mut self, site: Site) {
        let Site { func, inst } = site;
        let function = self.around.module.function(func);
        let instruction = function.inst(inst);
        match &instruction.op {
            Op::Load { ptr, .. } => {
                self.at(func, ptr);
                for place in self.around.places(func, ptr) {
                    let inner = inner_places(self.around, *place, &instruction.ty);
                    self.waiting.extend(inner.map(Asked::Place));
                }
            }
            Op::Atomic { ptr, value, .. } => {
                self.at(func, ptr);
                self.operand(func, value);
            }
            Op::Gep { base, indices, .. } => {
                self.operand(func, base);
                indices.iter().for_each(|index| self.operand(func, index));
            }
            Op::Store { value, .. } | Op::Cast { value, .. } => self.operand(func, value),
            Op::Binary { lhs, rhs, .. } | Op::Cmp { lhs, rhs, .. } => {
                self.operand(func, lhs);
                self.operand(func, rhs);
            }
            Op::Phi { incoming } => {
                incoming.iter().for_each(|(_, value)| self.operand(func, value));
                self.parting(func, instruction.block.0 as usize);
            }
            Op::Select { cond, then, other } => {
                [cond, then, other].iter().for_each(|part| self.operand(func, part));
            }
            Op::Other { operands, .. } => operands.iter().for_each(|operand| self.operand(func, operand)),
            Op::Call { .. } if self.around.gives_the_same(site) => {}
            Op::Call { .. } => self.called(site),
            Op::Alloca { .. }
            | Op::Br { .. }
            | Op::CondBr { .. }
            | Op::Switch { .. }
            | Op::Ret(_)
            | Op::Unreachable => {}
        }
    }

    /// What decides where ways meet.
    fn parting(&mut self, func: FuncId, at: usize) {
        if let Some(flow) = &self.around.flows[func.0 as usize] {
            let branches = flow.parting(Some(at)).iter();
            self.waiting.extend(branches.map(|block| Asked::Branch(func, *block)));
        }
    }

    /// What the result of a call, or what it leaves in memory, is made of.
    fn called(&mut self, site: Site) {
        let around = self.around;
        let Op::Call { callee, args } = &around.module.function(site.func).inst(site.inst).op else {
            return;
        };
        if let Callee::Indirect(pointer) = callee {
            self.operand(site.func, pointer);
        }
        if !around.is_outside(site) {
            let targets = around.targets(site).into_iter();
            self.waiting.extend(targets.map(Asked::Returned));
            return;
        }
        if let Some(role) = around.role_of(site) {
            let asked = role.asked_arguments();
            { asked.iter().filter_map(|at| args.get(*at)) }.for_each(|arg| self.operand(site.func, arg));
            if let Some(CommunicatorArgument::Behind(at)) = role.communicator
                && let Some(arg) = args.get(at)
            {
                self.at(site.func, arg);
            }
            return;
        }
        args.iter().for_each(|arg| self.operand(site.func, arg));
        let effects = around.effects_of(site);
        // What is copied may be members that only others know of.
        let copies = around.copy_at(site).is_some();
        let read = effects.reads.iter().map(|place| match copies {
            true => MemLoc::whole(place.object),
            false => *place,
        });
        self.waiting.extend(read.map(Asked::Place));
    }

    fn returned(&mut self, func: FuncId) {
        if !self.returning.put(func.0 as usize) {
            let function = self.around.module.function(func);
            for inst in function.inst_ids() {
                if let Op::Ret(Some(value)) = &function.inst(inst).op {
                    self.operand(func, value);
                }
            }
        }
    }

    /// What writes to a place, or to a part of it.
    fn place(&mut self, place: MemLoc) {
        if place.object == ObjectId::EXTERNAL {
            // Which of all that others own it is, nobody knows.
            return;
        }
        let known = self.slice.fields.entry(place.object).or_default();
        if known.contains(&Field::Any) || !known.insert(place.field) {
            return;
        }
        let around = self.around;
        for site in self.writers.to(place) {
            self.waiting.push(Asked::Effect(site));
            let own = match around.points_to.object(place.object).kind {
                ObjectKind::Local { func, .. } => {
                    func == site.func && !around.points_to.call_graph().recursive_inside(func)
                }
                _ => false,
            };
            if !own {
                self.waiting.push(Asked::Called(site.func));
            }
        }
        if let ObjectKind::ByVal { func, index } = around.points_to.object(place.object).kind {
            self.passed(func, index);
        }
    }

    /// What a parameter is a copy of.
    fn passed(&mut self, func: FuncId, index: u32) {
        for call in self.around.points_to.callers(func) {
            if let Some(operand) = self.around.argument(*call, index) {
                let objects = self.around.places(call.func, operand).iter();
                self.waiting
                    .extend(objects.map(|place| Asked::Place(MemLoc::whole(place.object))));
            }
        }
    }

    /// What an instruction does depends on what it works with, and on whether control comes there.
    fn effect(&mut self, site: Site) {
        let Site { func, inst } = site;
        let instruction = self.around.module.function(func).inst(inst);
        match &instruction.op {
            Op::Store { ptr, value, .. } | Op::Atomic { ptr, value, .. } => {
                self.operand(func, ptr);
                self.operand(func, value);
            }
            Op::Call { .. } => self.acts(site),
            _ => {}
        }
        if let Some(flow) = &self.around.flows[func.0 as usize] {
            let branches = flow.within[instruction.block.0 as usize].iter();
            self.waiting.extend(branches.map(|block| Asked::Branch(func, *block)));
        }
    }

    /// What a call does: of functions of the program, this depends on what is called.
    fn acts(&mut self, site: Site) {
        if self.around.is_outside(site) {
            return self.called(site);
        }
        if let Op::Call {
            callee: Callee::Indirect(pointer),
            ..
        } = &self.around.module.function(site.func).inst(site.inst).op
        {
            self.operand(site.func, pointer);
        }
    }

    fn branch(&mut self, func: FuncId, block: usize) {
        let function = self.around.module.function(func);
        let last = InstId(function.blocks[block].end.0.saturating_sub(1));
        if let Op::CondBr { cond: value, .. } | Op::Switch { value, .. } = &function.inst(last).op {
            self.operand(func, value);
        }
    }
}
