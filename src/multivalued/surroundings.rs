//! What is known of a program's functions before any of them is interpreted.

use super::flow::BlockFlow;
use super::program_ends::flows;
use super::roles::{AgentKind, LibraryRole, role};
use super::solved::{SolvedProgram, functions};
use super::teams::TeamBodies;
use crate::analysis::effects::{CallEffects, Effects};
use crate::analysis::libc::PointerCopy;
use crate::analysis::points_to::{PointsTo, Precision};
use crate::program::ir::{Callee, FuncId, InstId, Module, Op, Operand};
use crate::program::objects::{MemLoc, ObjectId, ObjectKind, Site};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Functions that nothing depends on are looked into if they, with all that they call, have no more instructions.
const LARGEST_LOOKED_INTO: usize = 400;
/// A pointer that may lead to more places says nothing of any of them.
const MOST_PLACES: usize = 64;
/// The place that stands for any.
const ANYWHERE: [MemLoc; 1] = [MemLoc::whole(ObjectId::EXTERNAL)];
/// So much work is done for one program: cells of memory at blocks, as often as these change. A few seconds.
const MOST_WORK: usize = 20_000_000;
/// So much is done where there may be another try with pointers that are known less well.
const MOST_WORK_AT_FIRST: usize = 12_000_000;

/// A program, and what its functions have to do with.
pub struct Surroundings<'a> {
    /// Who runs it side by side.
    pub agents: AgentKind,
    /// What the program hands to the runtime of OpenMP.
    pub bodies: TeamBodies,
    pub module: &'a Module,
    pub points_to: &'a PointsTo,
    pub effects: &'a Effects<'a>,
    /// By function: its flow.
    pub flows: Vec<Option<BlockFlow>>,
    /// By function: what it, and what it calls, leaves is taken from what is known of its effects, and it is not looked into.
    pub summarised: FixedBitSet,
    /// By function: its variables.
    locals: FxHashMap<FuncId, Vec<ObjectId>>,
    /// Objects that each thread has for itself whatever runs.
    own: Vec<ObjectId>,
    /// By call: what it does, once that was asked for.
    of_calls: RefCell<FxHashMap<Site, Rc<CallEffects>>>,
    /// How much may still be done.
    work: Cell<usize>,
    /// By function: the objects that it, and what it calls, may have to do with.
    pub touched: Vec<FixedBitSet>,
}

impl<'a> Surroundings<'a> {
    /// Looks at those who run a program. Of threads `bodies` says what the program hands to the runtime, and calls itself here
    /// ([`super::with_teams`]), and which variables each of them has for itself.
    pub fn of(program: &SolvedProgram<'a>, agents: AgentKind, bodies: TeamBodies) -> Surroundings<'a> {
        let SolvedProgram {
            module,
            points_to,
            effects,
        } = *program;
        let count = module.functions.len();
        let mut around = Surroundings {
            agents,
            bodies,
            module,
            points_to,
            effects,
            flows: flows(program, agents),
            summarised: FixedBitSet::with_capacity(count),
            locals: FxHashMap::default(),
            own: Vec::new(),
            of_calls: RefCell::default(),
            work: Cell::new(most_work(points_to.precision(), agents)),
            touched: vec![FixedBitSet::with_capacity(points_to.objects().len()); count],
        };
        around.find_touched();
        around.find_summarised();
        around.find_private();
        around
    }

    /// Does some work.
    pub fn works(&self, work: usize) {
        self.work.set(self.work.get().saturating_sub(work));
    }

    /// Whether there was too much to do. What has been found until then is no use.
    pub fn gave_up(&self) -> bool {
        self.work.get() == 0
    }

    /// The name of the function that is called at a place ([`SolvedProgram::callee_name`]).
    pub fn callee_name(&self, site: Site) -> Option<&'a str> {
        let program = SolvedProgram {
            module: self.module,
            points_to: self.points_to,
            effects: self.effects,
        };
        program.callee_name(site)
    }

    /// Whether a branch goes the first way where its condition holds, and else the second.
    pub fn is_test(&self, site: Site) -> bool {
        matches!(self.module.function(site.func).inst(site.inst).op, Op::CondBr { .. })
    }

    /// What a function of the library means for who is looked at.
    pub fn role(&self, function: &str) -> Option<&'static LibraryRole> {
        role(self.agents, function)
    }

    /// What a call means, where the library's tables say so.
    pub(super) fn role_of(&self, site: Site) -> Option<&'static LibraryRole> {
        self.role(self.callee_name(site)?)
    }

    /// Whether what a call does is taken from what is known of the library, or of large functions in which nobody meets.
    pub(super) fn is_outside(&self, site: Site) -> bool {
        self.role_of(site).is_some() || self.is_summarised(site)
    }

    /// Where an operand may point to; of too many places, that which stands for any: what is there is not followed.
    pub(super) fn places(&self, func: FuncId, operand: &Operand) -> &[MemLoc] {
        let places = self.points_to.of_operand(func, operand);
        if places.len() > MOST_PLACES { &ANYWHERE } else { places }
    }

    /// What a call does to memory by itself: what others may do meanwhile says nothing of what it gives.
    pub(super) fn effects_of(&self, call: Site) -> Rc<CallEffects> {
        let mut known = self.of_calls.borrow_mut();
        let effects = known.entry(call);
        Rc::clone(effects.or_insert_with(|| Rc::new(self.effects.of_call_alone(call.func, call.inst))))
    }

    /// Whether a call is one of the library of which the tables say nothing, and gives the same to all, whatever it is asked for: fresh memory, or
    /// an error code of MPI, which all who go on have found to be none.
    pub(super) fn gives_the_same(&self, site: Site) -> bool {
        if self.role_of(site).is_some() || !self.is_summarised(site) {
            return false;
        }
        let effects = self.effects_of(site);
        if effects.allocates.iter().next().is_some() {
            return true;
        }
        let is_mpi = self.agents == AgentKind::Processes && { self.callee_name(site) }
            .is_some_and(|name| name.starts_with("MPI_") || name.starts_with("PMPI_"));
        // Conversions of handles only compute.
        is_mpi && (effects.io || effects.state || !effects.reads.is_empty() || !effects.writes.is_empty())
    }

    /// Whether none of the functions that a call may call is looked into.
    pub(super) fn is_summarised(&self, site: Site) -> bool {
        let summarised = |target: &FuncId| self.summarised.contains(target.0 as usize);
        self.targets(site).iter().all(summarised)
    }

    /// What a call of the library copies from where one argument points to where another one does.
    pub(super) fn copy_at(&self, site: Site) -> Option<&'a PointerCopy> {
        match &self.module.function(site.func).inst(site.inst).op {
            Op::Call {
                callee: Callee::Direct(callee),
                ..
            } => self.points_to.known().of(*callee)?.copies.first(),
            _ => None,
        }
    }

    /// What a call is given for a parameter.
    pub(super) fn argument(&self, call: Site, number: u32) -> Option<&'a Operand> {
        match &self.module.function(call.func).inst(call.inst).op {
            Op::Call { args, .. } => args.get(number as usize),
            _ => None,
        }
    }

    /// The functions of the program that a call may call.
    pub fn targets(&self, site: Site) -> Vec<FuncId> {
        let module = self.module;
        let defined = |f: &FuncId| !module.function(*f).declaration;
        match &module.function(site.func).inst(site.inst).op {
            Op::Call {
                callee: Callee::Direct(f),
                ..
            } => Some(*f).into_iter().filter(defined).collect(),
            Op::Call {
                callee: Callee::Indirect(_),
                ..
            } => {
                let targets = self.points_to.call_targets(site.func, site.inst);
                targets.known.iter().copied().filter(defined).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Large functions in which nobody meets and nothing tells agents apart.
    fn find_summarised(&mut self) {
        let graph = self.points_to.call_graph();
        // By function: how many instructions it and what it calls have; too many where it has to be looked into.
        let mut sizes = vec![0_usize; self.module.functions.len()];
        for circle in graph.circles() {
            let inside: Vec<usize> = circle.iter().map(|f| f.0 as usize).collect();
            let mut size = 0_usize;
            for &at in &inside {
                let function = &self.module.functions[at];
                let func = FuncId(at as u32);
                let means = |inst: InstId| {
                    let op = &function.inst(inst).op;
                    let told = self.role_of(Site { func, inst }).is_some();
                    told || matches!(op, Op::Call { callee: Callee::Direct(f), .. } if self.bodies.has(*f))
                };
                size = match function.inst_ids().any(means) {
                    true => usize::MAX,
                    false => size.saturating_add(function.insts.len()),
                };
                let callees = graph
                    .callees(at)
                    .iter()
                    .filter(|c| **c != graph.outside() && !inside.contains(c));
                size = callees.fold(size, |size, callee| size.saturating_add(sizes[*callee]));
            }
            let large = size > LARGEST_LOOKED_INTO && size < usize::MAX;
            for at in inside {
                sizes[at] = size;
                self.summarised.set(at, large && !self.module.functions[at].declaration);
            }
        }
    }

    fn find_touched(&mut self) {
        for (id, function) in functions(self.module) {
            for inst in function.inst_ids() {
                let op = &function.inst(inst).op;
                let mut touched: Vec<ObjectId> = Vec::new();
                let mut through = |operand: &Operand| {
                    touched.extend(self.points_to.of_operand(id, operand).iter().map(|at| at.object));
                };
                match op {
                    Op::Load { ptr, .. } | Op::Store { ptr, .. } | Op::Atomic { ptr, .. } => through(ptr),
                    Op::Call { args, .. } => {
                        args.iter().for_each(through);
                        let effects = self.effects_of(Site { func: id, inst });
                        let written = effects.writes.iter().filter(|_| !effects.unknown);
                        touched.extend(written.map(|at| at.object));
                        if self.role_of(Site { func: id, inst }).is_some_and(|role| role.barrier) {
                            self.touched[id.0 as usize].insert_range(..);
                        }
                    }
                    _ => {}
                }
                touched
                    .iter()
                    .for_each(|object| self.touched[id.0 as usize].insert(object.0 as usize));
            }
        }
        let graph = self.points_to.call_graph();
        for circle in graph.circles() {
            let mut all = FixedBitSet::with_capacity(self.points_to.objects().len());
            for function in circle {
                all.union_with(&self.touched[function.0 as usize]);
                let callees = graph.callees(function.0 as usize).iter();
                let inside = callees.filter(|callee| **callee != graph.outside());
                inside.for_each(|callee| all.union_with(&self.touched[*callee]));
            }
            circle.iter().for_each(|f| self.touched[f.0 as usize] = all.clone());
        }
    }
}

/// How much is done for a program before [`Surroundings::gave_up`].
fn most_work(known: Precision, agents: AgentKind) -> usize {
    match agents {
        AgentKind::Processes if known != Precision::Addresses => MOST_WORK_AT_FIRST,
        _ => MOST_WORK,
    }
}

impl Surroundings<'_> {
    /// The functions that run when one does, itself among them, but for the bodies of other teams.
    pub fn inside(&self, root: FuncId) -> FxHashSet<FuncId> {
        let graph = self.points_to.call_graph();
        let mut inside = FxHashSet::default();
        let mut next = vec![root];
        while let Some(func) = next.pop() {
            if inside.insert(func) {
                let callees = graph.callees(func.0 as usize).iter();
                let known = callees.filter(|callee| **callee != graph.outside());
                let known = known.map(|callee| FuncId(*callee as u32));
                next.extend(known.filter(|callee| !self.bodies.has(*callee)));
            }
        }
        inside
    }

    /// The objects that each thread has for itself while some functions run.
    pub fn private(&self, inside: &FxHashSet<FuncId>) -> FxHashSet<ObjectId> {
        let locals = inside.iter().filter_map(|func| self.locals.get(func)).flatten();
        locals.chain(&self.own).copied().collect()
    }

    /// Objects of functions, and those that each thread has for itself whatever runs.
    fn find_private(&mut self) {
        for (at, object) in self.points_to.objects().iter().enumerate() {
            let at = ObjectId(at as u32);
            match &object.kind {
                ObjectKind::Local { func, .. } | ObjectKind::ByVal { func, .. } => {
                    self.locals.entry(*func).or_default().push(at);
                }
                ObjectKind::Global(global) if self.bodies.own.contains(global) => self.own.push(at),
                // In UPC what is shared is asked for by other names.
                ObjectKind::Heap { sites } if self.agents == AgentKind::UpcThreads => {
                    let name = sites.last().and_then(|site| self.callee_name(*site));
                    if name.is_some_and(|name| !name.starts_with("upc_")) {
                        self.own.push(at);
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether some functions have threads meet, or cancel.
    pub fn any_call(&self, inside: &FxHashSet<FuncId>, wanted: impl Fn(&LibraryRole) -> bool) -> bool {
        let any_in = |func: FuncId| {
            let mut sites = self.module.function(func).inst_ids().map(|inst| Site { func, inst });
            sites.any(|site| self.role_of(site).is_some_and(&wanted))
        };
        inside.iter().any(|func| any_in(*func))
    }
}
