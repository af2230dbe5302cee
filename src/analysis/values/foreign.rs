//! Slots of a function that only its callees name.
//!
//! ```c
//! void advance(struct chunk *c) { double *d = c->density; … }     /* kernels use what c->density points to */
//! int main(void) { … advance(&mesh); … }                          /* main never mentions mesh.density      */
//! ```
//!
//! So that `main` can keep the array on the device, `mesh.density` becomes a slot of it: a [`Term`] of the callee's summary
//! is followed from the call's arguments to a place in the caller.

use super::slots::{Places, SlotId, SlotKind, Slots, member_path};
use crate::analysis::device_summary::{DeviceSummary, Term};
use crate::program::ir::{Function, Module, Op, Operand, Type};

impl Slots {
    /// Makes slots of all places that a callee's summary names, for a call with these arguments.
    pub fn include(&mut self, module: &Module, function: &Function, args: &[Operand], summary: &DeviceSummary) {
        let roots = summary.uses.iter().flat_map(|u| u.apart.iter().chain([&u.root]));
        for term in summary.terms.iter().chain(roots) {
            self.include_term(module, function, args, term);
        }
    }

    /// The slot that a term of a callee's summary is, in its caller.
    pub fn of_term(&self, module: &Module, function: &Function, args: &[Operand], term: &Term) -> Option<SlotId> {
        let kind = self.kind_of_term(module, function, args, term)?;
        self.find(&kind)
    }

    fn include_term(&mut self, module: &Module, function: &Function, args: &[Operand], term: &Term) -> Option<SlotId> {
        if let Term::Member { of, .. } = term {
            self.include_term(module, function, args, of);
        }
        let kind = self.kind_of_term(module, function, args, term)?;
        if let Some(known) = self.find(&kind) {
            return Some(known);
        }
        let (places, name) = match term {
            Term::Global(g) => (
                Places::Address(Operand::Global(*g)),
                Some(module.global(*g).name.clone()),
            ),
            Term::Member { name, places, of, .. } => {
                let within = match **of {
                    Term::Param(n) => args.get(n as usize).cloned(),
                    _ => None,
                };
                let name = self.foreign_name(module, function, &kind, name);
                (
                    Places::Among {
                        places: places.clone(),
                        within,
                    },
                    name,
                )
            }
            Term::Param(_) | Term::Storage(_) => return None,
        };
        Some(self.add(kind, name, places, true))
    }

    fn kind_of_term(&self, module: &Module, function: &Function, args: &[Operand], term: &Term) -> Option<SlotKind> {
        match term {
            Term::Param(_) | Term::Storage(_) => None,
            Term::Global(g) => Some(SlotKind::Global(*g)),
            Term::Member { of, bytes, .. } => match &**of {
                Term::Param(n) => self.behind(module, function, args.get(*n as usize)?, *bytes),
                Term::Storage(g) => Some(SlotKind::GlobalField(*g, *bytes)),
                outer => Some(SlotKind::Behind(self.of_term(module, function, args, outer)?, *bytes)),
            },
        }
    }

    /// The place `bytes` behind where a pointer points.
    fn behind(&self, module: &Module, function: &Function, pointer: &Operand, bytes: u64) -> Option<SlotKind> {
        match pointer {
            Operand::Global(g) => Some(SlotKind::GlobalField(*g, bytes)),
            Operand::ConstGep { base, bytes: at } => match **base {
                Operand::Global(g) => Some(SlotKind::GlobalField(g, u64::try_from(*at).ok()? + bytes)),
                _ => None,
            },
            Operand::Inst(id) => match &function.inst(*id).op {
                Op::Alloca {
                    ty: Type::Struct(_),
                    count: None,
                } => Some(SlotKind::LocalField(function.variable_of(*id)?, bytes)),
                Op::Load { ptr, volatile: false } => Some(SlotKind::Behind(self.at(ptr, function)?, bytes)),
                Op::Gep { .. } => match self.known_kind(module, function, pointer)? {
                    SlotKind::LocalField(v, at) => Some(SlotKind::LocalField(v, at + bytes)),
                    SlotKind::GlobalField(g, at) => Some(SlotKind::GlobalField(g, at + bytes)),
                    SlotKind::Behind(s, at) => Some(SlotKind::Behind(s, at + bytes)),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// How the caller's text names a place; `member` is what the callee calls it behind its pointer.
    fn foreign_name(
        &self,
        module: &Module,
        function: &Function,
        kind: &SlotKind,
        member: &Option<String>,
    ) -> Option<String> {
        match kind {
            SlotKind::LocalField(v, at) => {
                let variable = &function.variables[v.0 as usize];
                let Op::Alloca { ty, .. } = &function.inst(variable.alloca?).op else {
                    return None;
                };
                Some(format!("{}.{}", variable.name, member_path(module, ty, *at)?))
            }
            SlotKind::GlobalField(g, at) => {
                let global = module.global(*g);
                Some(format!("{}.{}", global.name, member_path(module, &global.ty, *at)?))
            }
            // A struct inside the one that the pointer points to has a name of its own on the way, which is not known here.
            SlotKind::Behind(outer, _) => Some(format!("{}->{}", self.get(*outer).name.as_ref()?, member.as_ref()?)),
            SlotKind::Local(_) | SlotKind::Global(_) => None,
        }
    }
}
