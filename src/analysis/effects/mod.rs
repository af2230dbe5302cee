//! What functions and calls do to memory and to the outside world, callees included.
//!
//! Domain: sets of abstract locations ([`MemLoc`]) that may be read and may be written, and of objects that may be freed
//! and allocated, ordered by inclusion, plus flags. Computed bottom-up over the strongly connected components of the
//! call graph: points-to sets hold for all contexts, so that the effects of a callee need no translation but for two
//! things that a caller cannot see or mean:
//!
//! ```c
//! void scale(double *x, int n) {      /* reads x, n, i (its own) and what x points to; writes i and that          */
//!     for (int i = 0; i < n; i++) x[i] *= 2;
//! }
//! scale(a, n);                        /* reads and writes A: the callee's own variables are gone                   */
//! ```
//!
//! * locals of the callee that no longer exist when it returns are dropped (they are kept where they may belong to an
//!   outer activation: in recursion that hands their address on);
//! * what the callee's parameters point to *when it is called from outside* ([`ObjectKind::Param`]) is dropped at calls
//!   from inside, unless globals or the heap lead to it.
//!
//! Unknown code reads and writes [`ObjectId::EXTERNAL`], which may be anything that escapes
//! ([`PointsTo::may_alias`]; a function's sets that have it do not list what it covers), and may call every function that escapes, whose effects it therefore has.
//!
//! Non-goals: *must* effects, order, and how far an access reaches (see `ranges`).

mod instruction;
mod jumps;
mod known;
mod library;
mod locations;
mod private;
mod reach;
mod sets;
/// The globals of volatile accesses.
fn volatile_globals(module: &Module) -> FxHashSet<GlobalId> {
    let insts = module.functions.iter().flat_map(|f| &f.insts);
    let accessed = insts.filter_map(|inst| match inst.op.volatile_access() {
        Some(Operand::Global(global)) => Some(*global),
        _ => None,
    });
    accessed.collect()
}

#[cfg(test)]
mod tests;

pub use known::Effects;
pub use locations::LocSet;
pub use sets::{CallEffects, EffectSet, FunctionEffects};

use known::unknown_code;
use private::Private;

use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, Mutex, PoisonError};

use crate::analysis::points_to::PointsTo;
use crate::program::ir::{FuncId, GlobalId, InstId, Module, Operand};
use crate::program::objects::{MemLoc, ObjectId, ObjectKind, Site};

impl<'a> Effects<'a> {
    /// Computes the effects of every function.
    pub fn solve(module: &'a Module, points_to: &'a PointsTo) -> Effects<'a> {
        let graph = points_to.call_graph();
        let nodes = graph.outside() + 1;
        let (functions, fresh) = (vec![EffectSet::default(); nodes], vec![EffectSet::default(); nodes]);
        let mut effects = Effects {
            module,
            points_to,
            functions,
            fresh,
            parts: 0,
            private: Private::of(points_to),
            made_at: made_at(points_to),
            later: EffectSet::default(),
            volatile: volatile_globals(module),
            calls: Mutex::default(),
        };
        effects.compute_all();
        effects.later = effects.at_any_time();
        if effects.later != EffectSet::default() {
            // Threads wait as well: their effects have those of all others, and then nothing is missing.
            effects.compute_all();
        }
        effects
    }

    /// Computes the effects of every function, callees first.
    fn compute_all(&mut self) {
        let effects = self;
        let graph = effects.points_to.call_graph();
        effects.functions[graph.outside()] = unknown_code();
        for component in graph.bottom_up() {
            // What members of the component do is not known yet and empty, so this is each one's own part.
            let own: Vec<_> = component.iter().map(|&node| effects.compute(node)).collect();
            // All members reach one another, so each has the parts of all.
            let mut shared = EffectSet::default();
            for (&node, (part, _)) in component.iter().zip(&own).filter(|_| component.len() > 1) {
                let mut part = part.clone();
                effects.private.drop_incoming(&mut part, FuncId(node as u32));
                shared.join(&part);
            }
            effects.summarise(&mut shared);
            effects.share(&mut shared, &[]);
            for (&node, (mut part, fresh)) in component.iter().zip(own) {
                part.join(&shared);
                effects.summarise(&mut part);
                let incoming = effects.private.incoming(FuncId(node as u32)).to_vec();
                effects.share(&mut part, &incoming);
                effects.functions[node] = part;
                effects.fresh[node] = fresh;
            }
        }
    }

    /// Lets callers share what is read and written, but for what lies in some objects.
    fn share(&mut self, effects: &mut EffectSet, except: &[ObjectId]) {
        for set in [&mut effects.reads, &mut effects.writes] {
            let incoming = |id: ObjectId| self.points_to.object(id).kind.is_incoming();
            *set = std::mem::take(set).into_shared(self.parts, except, incoming);
            self.parts += 1;
        }
    }

    /// What happens at no place of the text: see [`Effects::later`].
    fn at_any_time(&self) -> EffectSet {
        let mut all = EffectSet::default();
        for func in self.points_to.later() {
            let (effects, fresh) = self.at_call(func, None);
            all.join(&effects);
            all.join(&fresh);
        }
        if self.points_to.unknown_runs_later() {
            all.join(self.outside());
        }
        let shared = self.points_to.shared().map(MemLoc::whole);
        let shared: Vec<MemLoc> = shared.flat_map(|l| self.points_to.range(l, None)).collect();
        all.reads.extend(shared.iter().copied());
        all.writes.extend(shared);
        self.summarise(&mut all);
        all
    }

    /// Where memory outside is affected anyway, what it may be need not be listed: [`PointsTo::may_alias`] knows.
    fn summarise(&self, effects: &mut EffectSet) {
        let outside = MemLoc::whole(ObjectId::EXTERNAL);
        let listed = |id: ObjectId| {
            let incoming = self.points_to.object(id).kind.is_incoming();
            id == ObjectId::EXTERNAL || !(incoming || self.points_to.escapes(id))
        };
        for set in [&mut effects.reads, &mut effects.writes] {
            set.summarise(&outside, listed);
        }
        if effects.frees.contains(ObjectId::EXTERNAL) {
            effects.frees.retain(listed);
        }
    }

    /// The effects of a call as its caller sees them. For an instruction that is no call these are what others may do where
    /// it waits for them, and nothing elsewhere.
    pub fn of_call(&self, func: FuncId, inst: InstId) -> Arc<CallEffects> {
        let site = Site { func, inst };
        // Every change is one insertion, so a panic elsewhere leaves nothing half done.
        let known = || self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(effects) = known().get(&site) {
            return Arc::clone(effects);
        }
        let (mut effects, fresh) = self.call(func, inst);
        effects.join(&fresh);
        let effects = Arc::new(effects);
        known().insert(site, Arc::clone(&effects));
        effects
    }

    /// The effects of a call as its caller sees them, without what others may do meanwhile.
    pub fn of_call_alone(&self, func: FuncId, inst: InstId) -> CallEffects {
        let (mut effects, fresh) = self.call_alone(func, inst);
        effects.join(&fresh);
        effects
    }

    /// Whether somebody else may change a global at any time, as far as accesses of the program say so.
    pub fn is_volatile(&self, global: GlobalId) -> bool {
        self.volatile.contains(&global)
    }

    /// The effects of any instruction on memory; those of [`Effects::of_call`] for a call. Reads and writes of the
    /// function's own variables are included.
    pub fn of_inst(&self, func: FuncId, inst: InstId) -> EffectSet {
        let (mut effects, fresh) = self.instruction(func, inst);
        effects.join(&fresh);
        effects
    }

    /// The effects of a node, those through [fresh](Effects::fresh) pointers apart.
    fn compute(&self, node: usize) -> (FunctionEffects, EffectSet) {
        let graph = self.points_to.call_graph();
        if node == graph.outside() {
            let mut all = unknown_code();
            for &callee in graph.callees(node) {
                all.join(&self.functions[callee]);
            }
            return (all, EffectSet::default());
        }
        let id = FuncId(node as u32);
        let function = self.module.function(id);
        if function.declaration {
            let mut all = self.declared(id);
            // Reached only through what calls it: its calls back are in the graph at the call.
            all.never_returns |= function.attrs.noreturn;
            return (all, EffectSet::default());
        }
        let (mut all, mut fresh) = (EffectSet::default(), EffectSet::default());
        for inst in function.inst_ids() {
            let (ordinary, through_fresh) = self.instruction(id, inst);
            all.join(&ordinary);
            fresh.join(&through_fresh);
        }
        if function.unseen.is_some() {
            all.join(self.outside());
        }
        all.never_returns = function.attrs.noreturn;
        all.may_not_return |= function.attrs.noreturn;
        self.private.leave(&mut all, id);
        if !self.tells_calls_apart(id) {
            all.join(&fresh);
            fresh = EffectSet::default();
        }
        (all, fresh)
    }
}

/// Heap objects by the innermost call that makes them, whoever's name they bear.
fn made_at(points_to: &PointsTo) -> FxHashMap<Site, Vec<ObjectId>> {
    let mut made: FxHashMap<Site, Vec<ObjectId>> = FxHashMap::default();
    for (index, object) in points_to.objects().iter().enumerate() {
        if let ObjectKind::Heap { sites } = &object.kind
            && let Some(site) = sites.last()
        {
            made.entry(*site).or_default().push(ObjectId(index as u32));
        }
    }
    made
}
