//! The effects of all functions as far as they are known, and those of calls in their terms ([`super`] finds them): of a function that
//! the library table has not and that no file defines, everything that escapes may be read, written and freed.

use super::library;
use super::private::Private;
use super::sets::{CallEffects, EffectSet, FunctionEffects};
use crate::analysis::points_to::PointsTo;
use crate::program::ir::{FuncId, GlobalId, InstId, Module};
use crate::program::objects::{MemLoc, ObjectId, ObjectKind, Site};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, Mutex};

/// Effects of all functions of a module.
#[derive(Debug)]
pub struct Effects<'a> {
    pub(super) module: &'a Module,
    pub(super) points_to: &'a PointsTo,
    /// By node of the call graph: the functions, then unknown code.
    pub(super) functions: Vec<FunctionEffects>,
    /// For allocation wrappers, the effects through pointers to what the same activation allocates. Of these a call
    /// only has those on its own object, and not those on the objects of the wrapper's other callers.
    pub(super) fresh: Vec<EffectSet>,
    /// The next number of a part of sets.
    pub(super) parts: usize,
    /// What functions have for themselves.
    pub(super) private: Private,
    /// The heap objects that the library call at a site makes.
    pub(super) made_at: FxHashMap<Site, Vec<ObjectId>>,
    /// What may happen wherever the program waits or enters the system: what threads and handlers do that it started, and
    /// what others do to shared memory.
    pub(super) later: EffectSet,
    /// Globals that the program reads or writes by volatile accesses.
    pub(super) volatile: FxHashSet<GlobalId>,
    /// What was asked of calls: each array that a decision is about asks anew.
    pub(super) calls: Mutex<FxHashMap<Site, Arc<CallEffects>>>,
}

/// Unknown code by itself.
pub(super) fn unknown_code() -> EffectSet {
    let outside = MemLoc::whole(ObjectId::EXTERNAL);
    EffectSet {
        reads: [outside].into(),
        writes: [outside].into(),
        frees: [ObjectId::EXTERNAL].into(),
        unknown: true,
        may_not_return: true,
        may_jump: true,
        io: true,
        state: true,
        // Unknown code may well use the device API, but on what it was given: the flag is for what the file itself does.
        ..EffectSet::default()
    }
}

impl Effects<'_> {
    /// What threads and handlers do that may run at any time, and others to shared memory.
    pub fn later(&self) -> &EffectSet {
        &self.later
    }

    /// What others may have done when an instruction is over that threads wait for each other by, with or without code that
    /// nothing is known of; nothing for other instructions.
    pub fn others_at(&self, func: FuncId, inst: InstId) -> impl Iterator<Item = &EffectSet> {
        let waits = self.module.function(func).inst(inst).op.waits();
        let unknown = waits && self.points_to.call_targets(func, inst).others;
        let own = waits.then_some(&self.later);
        own.into_iter().chain(unknown.then(|| self.outside()))
    }

    /// Whether others may have done something when an instruction is over.
    pub fn others_act_at(&self, func: FuncId, inst: InstId) -> bool {
        let nothing = EffectSet::default();
        self.others_at(func, inst).any(|others| *others != nothing)
    }

    /// Whether an instruction may set what lies at some places, itself or by what others do when it is over.
    pub fn may_set(&self, points_to: &PointsTo, func: FuncId, inst: InstId, places: &[MemLoc]) -> bool {
        let effects = self.of_inst(func, inst);
        effects.unknown || places.iter().any(|l| effects.may_write(points_to, *l))
    }

    /// The effects of a function as callers in this file see them, own locals left out. A declared function has those
    /// that the library table or its attributes allow it without looking at arguments; ask [`Effects::of_call`] instead.
    /// What an allocation wrapper does to the memory that it is about to return is not included.
    pub fn of(&self, func: FuncId) -> &FunctionEffects {
        &self.functions[func.0 as usize]
    }

    /// Whether the objects that `func` accesses through fresh pointers are told apart by the call that made them: it is
    /// an allocation wrapper, and only one activation of it exists at a time.
    pub(super) fn tells_calls_apart(&self, func: FuncId) -> bool {
        self.points_to.is_allocator(func) && !self.points_to.call_graph().recursive(func)
    }

    /// The effects of `callee` at a call from inside the file, those on what the call returns apart. `site`: the call,
    /// when it is by name.
    pub(super) fn at_call(&self, callee: FuncId, site: Option<Site>) -> (EffectSet, EffectSet) {
        let mut effects = self.of(callee).clone();
        self.private.drop_incoming(&mut effects, callee);
        let mut fresh = self.fresh[callee.0 as usize].clone();
        if let Some(site) = site.filter(|_| self.tells_calls_apart(callee)) {
            let made_here = |id: ObjectId| match &self.points_to.object(id).kind {
                ObjectKind::Heap { sites } => match sites.iter().position(|s| s.func == callee) {
                    Some(inner) => inner > 0 && sites[inner - 1] == site,
                    None => true,
                },
                _ => true,
            };
            fresh.retain_objects(made_here);
            effects.allocates.retain(made_here);
        }
        (effects, fresh)
    }

    /// What a declared function may do without regard to arguments.
    pub(super) fn declared(&self, func: FuncId) -> EffectSet {
        let function = self.module.function(func);
        if let Some(known) = self.points_to.known().of(func) {
            return library::flags(known);
        }
        if function.attrs.memory_none && function.attrs.nocallback {
            return EffectSet {
                may_not_return: function.attrs.noreturn,
                may_jump: function.attrs.noreturn,
                ..EffectSet::default()
            };
        }
        let mut effects = unknown_code();
        if function.attrs.memory_none || function.attrs.memory_read {
            effects.writes.clear();
            effects.frees.clear();
        }
        effects
    }

    /// Code that nothing is known of, with all that it may call.
    pub fn outside(&self) -> &EffectSet {
        &self.functions[self.points_to.call_graph().outside()]
    }
}
