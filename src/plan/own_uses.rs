//! Which functions touch an object by instructions of their own, and where one may be freed.
//!
//! Whether an array can stay on the device ([`super::resident`]) is asked of many arrays, and each time of all instructions
//! of the program that may have to do with it. One pass over the program finds which functions have such instructions at
//! all; they are few:
//!
//! ```c
//! void push(struct mesh *m)       { double *x = m->x; … x[i] += 1.0; … }   /* touches *m, and the array behind x         */
//! void step(struct mesh *m)       { push(m); }                             /* touches nothing itself                     */
//! void mesh_free(struct mesh *m)  { free(m->x); free(m); }                 /* frees both, at two calls                   */
//! ```
//!
//! Non-goals: what exactly an instruction does there, which those ask who were given the function.

use super::program_facts::{OwnUses, ProgramFacts};
use crate::program::ir::{Callee, FuncId, InstId, Op, Operand};
use crate::program::objects::ObjectId;
use rustc_hash::FxHashSet;

impl OwnUses {
    fn find(program: &ProgramFacts<'_>) -> OwnUses {
        let mut found = OwnUses::default();
        for func in program.running() {
            let mut touched: FxHashSet<ObjectId> = FxHashSet::default();
            for inst in program.module.function(func).inst_ids() {
                let addresses = program.addresses(func, inst).into_iter();
                let pointed = addresses.flat_map(|a| program.points_to.of_operand(func, a));
                touched.extend(pointed.map(|l| l.object));
                if !program.calls_library(func, inst) {
                    continue;
                }
                let effects = program.effects.of_call(func, inst);
                touched.extend(effects.reads.union(&effects.writes).map(|l| l.object));
                for object in effects.frees.iter() {
                    found.frees.entry(object).or_default().push((func, inst));
                }
            }
            for object in touched {
                found.users.entry(object).or_default().push(func);
            }
            let effects = program.effects.of(func);
            let touched = effects.reads.union(&effects.writes).map(|l| l.object);
            for object in touched.collect::<FxHashSet<_>>() {
                found.with_callees.entry(object).or_default().push(func);
            }
            found.unknown.extend(Some(func).filter(|_| effects.unknown));
        }
        found
    }
}

impl ProgramFacts<'_> {
    fn own_uses(&self) -> &OwnUses {
        self.shared.own_uses.get_or_init(|| OwnUses::find(self))
    }

    /// The functions with instructions of their own that may touch one of some objects, in the order of the program.
    pub(super) fn own_users(&self, objects: impl Iterator<Item = ObjectId>) -> Vec<FuncId> {
        sorted(objects.flat_map(|o| self.own_uses().users.get(&o)).flatten().copied())
    }

    /// The functions that may touch one of some objects, in what they call too, in the order of the program.
    pub(super) fn users(&self, objects: &[ObjectId]) -> Vec<FuncId> {
        let uses = self.own_uses();
        let touching = objects.iter().flat_map(|o| uses.with_callees.get(o)).flatten();
        sorted(touching.chain(&uses.unknown).copied())
    }

    /// Whether some function runs code that nothing is known of.
    pub(super) fn runs_unknown_code(&self) -> bool {
        !self.own_uses().unknown.is_empty()
    }

    /// The calls of the library that may free one of some objects, in the order of the program.
    pub(super) fn own_frees(&self, objects: &[ObjectId]) -> Vec<(FuncId, InstId)> {
        let frees = &self.own_uses().frees;
        sorted(objects.iter().flat_map(|o| frees.get(o)).flatten().copied())
    }

    /// What functions other than `main` free, or move.
    pub(super) fn replaced(&self) -> FxHashSet<ObjectId> {
        let elsewhere = |(_, sites): &(&ObjectId, &Vec<(FuncId, InstId)>)| sites.iter().any(|(f, _)| !self.is_main(*f));
        let frees = self.own_uses().frees.iter();
        frees.filter(elsewhere).map(|(object, _)| *object).collect()
    }

    /// The functions that run and whose instructions are known.
    pub(super) fn running(&self) -> impl Iterator<Item = FuncId> {
        let all = (0..self.module.functions.len() as u32).map(FuncId);
        all.filter(|id| self.live.contains(id) && !self.module.function(*id).declaration)
    }

    /// Whether an instruction may call a function without a body.
    pub(super) fn calls_library(&self, func: FuncId, inst: InstId) -> bool {
        let Op::Call { callee, .. } = &self.module.function(func).inst(inst).op else {
            return false;
        };
        let is_declared = |f: &FuncId| self.module.function(*f).declaration;
        match callee {
            Callee::Direct(f) => is_declared(f),
            _ => self.points_to.call_targets(func, inst).known.iter().any(is_declared),
        }
    }

    /// The addresses through which an instruction may access memory, those apart that it hands to functions with a body.
    pub(super) fn addresses(&self, func: FuncId, inst: InstId) -> Vec<&Operand> {
        match &self.module.function(func).inst(inst).op {
            Op::Load { ptr, .. } | Op::Store { ptr, .. } | Op::Atomic { ptr, .. } => vec![ptr],
            Op::Call { args, .. } if self.calls_library(func, inst) => args.iter().collect(),
            _ => Vec::new(),
        }
    }
}

fn sorted<T: Ord>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut all: Vec<T> = all.collect();
    all.sort_unstable();
    all.dedup();
    all
}
