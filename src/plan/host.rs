//! Makes host summaries: of functions that start no kernels, on demand, those of their callees first.

use super::always_executed::is_straight;
use super::file::FileFacts;
use super::inputs::Inputs;
use super::inputs::inputs;
use super::prepare::with_model;
use super::program_facts::ProgramFacts;
use super::terms::{TermList, root_of};
use crate::analysis::access::Access;
use crate::analysis::arrays::{element_of, locs_of};
use crate::analysis::at_call::AtCall;
use crate::analysis::called::called;
use crate::analysis::callee_term::CalleeTerm;
use crate::analysis::host_calls::{HostCall, HostSummaries, uses};
use crate::analysis::host_summary::{HostSummary, HostUse};
use crate::analysis::thread_copies::may_be_of_copy;
use crate::analysis::values::table::{Base, SymKind};
use crate::analysis::values::version::Version;
use crate::analysis::variadic::Variadic;
use crate::program::constructs::Constructs;
use crate::program::ir::{FuncId, InstId, Op, Operand, SourceType, Type};
use crate::program::objects::{MemLoc, ObjectId, ObjectKind};
use crate::symbolic::{Facts, SectionSet};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Summaries of the functions that `func` calls on the host and that touch what kernels use.
pub(super) fn of_callees(program: &ProgramFacts<'_>, files: &[FileFacts<'_>], func: FuncId) -> HostSummaries {
    callees_with(program, func, &|callee| of(program, files, callee))
}

fn callees_with(
    program: &ProgramFacts<'_>,
    func: FuncId,
    summary_of: &dyn Fn(FuncId) -> Option<Arc<HostSummary>>,
) -> HostSummaries {
    let function = program.module.function(func);
    let mut found = HostSummaries::default();
    let calls = function
        .inst_ids()
        .filter_map(|inst| called(program.module, program.points_to, func, inst));
    for callee in calls.flat_map(|call| call.functions) {
        if !found.contains_key(&callee)
            && let Some(summary) = summary_of(callee)
        {
            found.insert(callee, summary);
        }
    }
    found
}

/// The summary of a function, made from those of all functions below it, callees first: whoever asks first, the answer is
/// the same.
pub(super) fn of(program: &ProgramFacts<'_>, files: &[FileFacts<'_>], func: FuncId) -> Option<Arc<HostSummary>> {
    if !has_one(program, func) {
        return None;
    }
    if let Some(known) = program.host.get(func) {
        return known;
    }
    let graph = program.points_to.call_graph();
    let below = graph.reachable_from(&[func]);
    let ours = |id: &FuncId| below.contains(id) && has_one(program, *id);
    for &id in graph.circles().iter().flatten().filter(|id| ours(id)) {
        if program.host.get(id).is_none() {
            program.host.put(id, make(program, files, id));
        }
    }
    program.host.get(func).flatten()
}

/// Whether a function may have a summary: it starts no kernels, does not call itself, and touches what kernels use.
fn has_one(program: &ProgramFacts<'_>, func: FuncId) -> bool {
    let recursive = program.points_to.call_graph().recursive_inside(func);
    if program.launching.contains(&func) || recursive || !program.places.contains_key(&func) {
        return false;
    }
    let touched = program.effects.of(func);
    // What a list of arguments leads to is anything that was ever passed in one.
    let matters = |l: &MemLoc| l.object == ObjectId::EXTERNAL || program.on_device.contains(&l.object);
    !touched.unknown && touched.reads.union(&touched.writes).any(matters)
}

/// Makes a summary from those that the callees have by now.
fn make(program: &ProgramFacts<'_>, files: &[FileFacts<'_>], func: FuncId) -> Option<Arc<HostSummary>> {
    let (at, f) = program.places[&func];
    let known = |callee| program.host.get(callee).flatten().filter(|_| has_one(program, callee));
    let callees = callees_with(program, func, &known);
    let made = with_model(program, &files[at], f, func, &callees, |model| {
        HostSummaryMaker::new(&inputs(program, &files[at], model, &callees), &callees).make()
    });
    made.ok().map(Arc::new)
}

/// Arrays and other objects of some size that kernels of the text use, as far as their instructions say.
pub(super) fn on_device(
    files: &[FileFacts<'_>],
    program: &ProgramFacts<'_>,
    constructs: &BTreeMap<FuncId, Constructs>,
) -> FxHashSet<ObjectId> {
    let mut found = FxHashSet::default();
    for (id, constructs) in constructs.iter().filter(|(_, c)| !c.launches.is_empty()) {
        let file = &files[program.places[id].0];
        let spans: Vec<_> = constructs
            .launches
            .iter()
            .map(|l| file.tree.stmt(l.stmt).span)
            .collect();
        for inst in &program.module.function(*id).insts {
            let (Op::Load { ptr, .. } | Op::Store { ptr, .. } | Op::Atomic { ptr, .. }) = &inst.op else {
                continue;
            };
            let offset = inst.loc.and_then(|l| file.offset(l));
            if offset.is_some_and(|o| spans.iter().any(|s| s.contains(o))) {
                let locs = program.points_to.of_operand(*id, ptr);
                let objects = locs.iter().map(|l| l.object);
                found.extend(objects.filter(|o| !is_scalar(program, *o)));
            }
        }
    }
    found
}

/// Whether an object is a number or a pointer: these come and go with each kernel.
fn is_scalar(program: &ProgramFacts<'_>, object: ObjectId) -> bool {
    match program.points_to.object(object).kind {
        ObjectKind::Local { func, alloca } => match &program.module.function(func).inst(alloca).op {
            Op::Alloca { ty, count: None } => matches!(ty, Type::Int(_) | Type::Float(_) | Type::Ptr),
            _ => false,
        },
        ObjectKind::Global(g) => matches!(
            program.module.global(g).source_type,
            Some(SourceType::Int { .. } | SourceType::Float { .. } | SourceType::Pointer { .. })
        ),
        _ => false,
    }
}

/// The summary of what a function with kernels does on the host; what its kernels touch apart.
pub(super) fn beside_kernels(inputs: &Inputs<'_>, callees: &HostSummaries) -> HostSummary {
    HostSummaryMaker::new(inputs, callees).make()
}

struct HostSummaryMaker<'a> {
    inputs: &'a Inputs<'a>,
    callees: &'a HostSummaries,
    variadic: Variadic<'a>,
    terms: TermList,
    summary: HostSummary,
}

impl<'a> HostSummaryMaker<'a> {
    fn new(inputs: &'a Inputs<'a>, callees: &'a HostSummaries) -> HostSummaryMaker<'a> {
        HostSummaryMaker {
            inputs,
            callees,
            variadic: Variadic::of(inputs.model.module, inputs.model.points_to, inputs.model.function()),
            terms: TermList::default(),
            summary: HostSummary::default(),
        }
    }

    fn make(mut self) -> HostSummary {
        let inputs = self.inputs;
        let model = inputs.model;
        for access in inputs.accesses.iter().filter(|a| a.kernel.is_none()) {
            if !self.is_passed(access) && !self.by_name(access) {
                let locs = inputs.model.points_to.of_operand(inputs.model.func, &access.address);
                self.other(locs.iter().copied());
            }
        }
        let function = inputs.model.function();
        for inst in function.inst_ids() {
            let node = model.attachment.node_of[inst.0 as usize];
            let in_kernel = node.is_some_and(|n| model.launch_of(n).is_some());
            if !in_kernel && matches!(function.inst(inst).op, Op::Call { .. }) && !model.copies_bytes(inst) {
                self.call(inst);
            }
        }
        self.summary.others.sort_unstable();
        self.summary.others.dedup();
        self.summary.terms = self.terms.into_list();
        self.summary
    }

    /// Adds what is touched under no name. What the function's own variables hold is gone when it returns.
    fn other(&mut self, locs: impl Iterator<Item = MemLoc>) {
        let model = self.inputs.model;
        let stays = |l: &MemLoc| match &model.points_to.object(l.object).kind {
            ObjectKind::Local { func, .. } => *func != model.func || model.points_to.escapes(l.object),
            _ => true,
        };
        self.summary.others.extend(locs.filter(stays));
    }

    /// Whether an access only reads an argument where it was passed.
    fn is_passed(&self, access: &Access) -> bool {
        access.reads && !access.writes && self.variadic.is_argument(&access.address)
    }

    /// How the function reaches an array on the host.
    fn root_of(&self, base: Base) -> Option<CalleeTerm> {
        let values = self.inputs.model.values;
        let stored = |base: Base| match base {
            Base::Value(sym) => match values.kind(sym) {
                SymKind::Inst(inst) => Some(inst),
                SymKind::Slot(_, Version::Def(store)) => match &values.function().inst(store).op {
                    Op::Store {
                        value: Operand::Inst(value),
                        ..
                    } => Some(*value),
                    _ => None,
                },
                _ => None,
            },
            Base::Local(_) | Base::Global(_) => None,
        };
        let passed = || stored(base).filter(|inst| self.variadic.yields(*inst));
        root_of(self.inputs, base).or_else(|| passed().map(|_| CalleeTerm::Variadic))
    }

    /// Adds an access by the name of its array; `false` where it has none that callers know.
    fn by_name(&mut self, access: &Access) -> bool {
        let inputs = self.inputs;
        let model = inputs.model;
        let Some(base) = access.at.as_ref().map(|p| p.base) else {
            return false;
        };
        if may_be_of_copy(model, access, inputs.accesses.iter()) {
            return false;
        }
        let (Some(root), Some(element)) = (self.root_of(base), element_of(model, base)) else {
            return false;
        };
        let Some(node) = model.fine.stmt_of(access.node) else {
            return false;
        };
        let around = model
            .tree
            .ancestors(node)
            .filter(|s| model.tree.stmt(*s).kind.is_loop())
            .last();
        let footprint = inputs.accesses.footprint(model, access, element, around);
        let may = self.terms.set(inputs, &footprint.may);
        let sure = is_straight(inputs, around.unwrap_or(node));
        let must = footprint
            .must
            .filter(|_| sure && !access.partial)
            .and_then(|s| self.terms.section(inputs, &s));
        let done = |is_done: bool| if is_done { may.clone() } else { SectionSet::Empty };
        let surely = |is_done: bool| must.iter().filter(|_| is_done).cloned().collect();
        self.add(HostUse {
            root,
            element,
            locs: locs_of(model, base),
            reads: done(access.reads),
            writes: done(access.writes),
            must: surely(access.writes),
            surely_read: surely(access.reads),
        });
        true
    }

    /// Adds a use of an array to others of it, or as the first one.
    fn add(&mut self, used: HostUse) {
        let facts = Facts::new();
        let same = |u: &&mut HostUse| u.root == used.root && u.element == used.element;
        match self.summary.uses.iter_mut().find(same) {
            Some(known) => {
                known.reads = known.reads.union(&used.reads, &facts);
                known.writes = known.writes.union(&used.writes, &facts);
                known.must.extend(used.must);
                known.surely_read.extend(used.surely_read);
            }
            None => self.summary.uses.push(used),
        }
    }

    /// Adds what a call does: by its summary, else by its effects.
    fn call(&mut self, inst: InstId) {
        let inputs = self.inputs;
        let model = inputs.model;
        if let Some(host) = inputs
            .calls
            .iter()
            .find(|c| c.inst == inst)
            .and_then(|c| c.host.as_ref())
        {
            return self.callee(host);
        }
        let called = called(model.module, model.points_to, model.func, inst);
        let known = called.and_then(|called| {
            let known: Option<Vec<_>> = called.functions.iter().map(|f| self.callees.get(f)).collect();
            Some((called, known?))
        });
        let Some((called, known)) = known else {
            let effects = model.effects.of_call(model.func, inst);
            return self.other(effects.reads.union(&effects.writes).copied());
        };
        for (callee, summary) in called.functions.iter().zip(known) {
            let call = AtCall {
                model,
                terms: &summary.terms,
                callee: *callee,
                inst,
                args: called.args,
            };
            self.callee(&HostCall {
                inst,
                uses: uses(&call, summary, false),
                others: summary.others.clone(),
            });
        }
    }

    /// Adds what one of the functions that a call may run does.
    fn callee(&mut self, call: &HostCall) {
        let inputs = self.inputs;
        let (model, inst) = (inputs.model, call.inst);
        self.other(call.others.iter().copied());
        let stmt = model.attachment.node_of[inst.0 as usize].and_then(|n| model.fine.stmt_of(n));
        // In a loop sections would have to be widened: what they are in one iteration says too little.
        let once = stmt.is_some_and(|s| !model.tree.ancestors(s).any(|a| model.tree.stmt(a).kind.is_loop()));
        for used in &call.uses {
            let named = used.base.and_then(|b| Some((b, self.root_of(b)?)));
            let Some((base, root)) = named.filter(|_| once) else {
                self.other(used.locs.iter().copied());
                continue;
            };
            let done = HostUse {
                root,
                element: used.element,
                locs: locs_of(model, base),
                reads: self.terms.set(inputs, &used.reads),
                writes: self.terms.set(inputs, &used.writes),
                must: Vec::new(),
                surely_read: Vec::new(),
            };
            self.add(done);
        }
    }
}
