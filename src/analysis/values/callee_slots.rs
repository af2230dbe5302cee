//! Slots of a function that only its callees name.
//!
//! ```c
//! void advance(struct chunk *c) { double *d = c->density; … }     /* kernels use what c->density points to */
//! int main(void) { … advance(&mesh); … }                          /* main never mentions mesh.density      */
//! ```
//!
//! So that `main` can keep the array on the device, `mesh.density` becomes a slot of it: a [`CalleeTerm`] of the callee's summary
//! is followed from the call's arguments to a place in the caller.

use super::members::is_scalar;
use super::members::{const_offset, member_path, place_path};
use super::slots::{SlotId, SlotKind, SlotPlaces, Slots};
use super::table::Values;
use super::version::Version;
use crate::analysis::callee_term::CalleeTerm;
use crate::analysis::points_to::for_operands;
use crate::program::ir::{Function, InstId, Module, Op, Operand, Type};

impl Slots {
    /// Makes slots of all places that a callee's summary names, for a call with these arguments.
    pub fn include<'t>(
        &mut self,
        module: &Module,
        function: &Function,
        args: &[Operand],
        terms: impl Iterator<Item = &'t CalleeTerm>,
    ) {
        for term in terms {
            self.include_term(module, function, args, term);
        }
    }

    /// The slot that a term of a callee's summary is, in its caller.
    pub fn of_term(&self, module: &Module, function: &Function, args: &[Operand], term: &CalleeTerm) -> Option<SlotId> {
        let kind = self.kind_of_term(module, function, args, term)?;
        self.find(&kind)
    }

    fn include_term(
        &mut self,
        module: &Module,
        function: &Function,
        args: &[Operand],
        term: &CalleeTerm,
    ) -> Option<SlotId> {
        if let CalleeTerm::Member { of, .. } | CalleeTerm::Cast { of, .. } = term {
            self.include_term(module, function, args, of);
        }
        let kind = self.kind_of_term(module, function, args, term);
        let kind = kind.filter(|kind| !self.is_left_out(kind))?;
        if let Some(known) = self.find(&kind) {
            return Some(known);
        }
        let (places, name) = match term {
            CalleeTerm::Global(g) => (
                SlotPlaces::Address(Operand::Global(*g)),
                Some(module.global(*g).name.clone()),
            ),
            CalleeTerm::Member { name, places, of, .. } => {
                let within = match **of {
                    CalleeTerm::Param(n) => args.get(n as usize).cloned(),
                    _ => None,
                };
                let name = self.foreign_name(module, function, &kind, name);
                (
                    SlotPlaces::Among {
                        places: places.clone(),
                        within,
                    },
                    name,
                )
            }
            CalleeTerm::Param(_)
            | CalleeTerm::Storage(_)
            | CalleeTerm::Variadic
            | CalleeTerm::Returned
            | CalleeTerm::Cast { .. } => {
                return None;
            }
        };
        Some(self.add(kind, name, places, true))
    }

    fn kind_of_term(
        &self,
        module: &Module,
        function: &Function,
        args: &[Operand],
        term: &CalleeTerm,
    ) -> Option<SlotKind> {
        match term {
            CalleeTerm::Param(_)
            | CalleeTerm::Storage(_)
            | CalleeTerm::Variadic
            | CalleeTerm::Returned
            | CalleeTerm::Cast { .. } => None,
            CalleeTerm::Global(g) => Some(SlotKind::Global(*g)),
            CalleeTerm::Member { of, bytes, .. } => match &**of {
                CalleeTerm::Param(n) => self.behind(module, function, args.get(*n as usize)?, *bytes),
                CalleeTerm::Storage(g) => Some(SlotKind::GlobalField(*g, *bytes)),
                outer => Some(SlotKind::Behind(self.of_term(module, function, args, outer)?, *bytes)),
            },
        }
    }

    /// Makes slots of members that the text reaches through a copy of a pointer: after `struct field *f = &c->field;`,
    /// `f->x` is `c->field.x`. Both pointers must be assigned once, so that they lie in the same places.
    pub fn include_copies(&mut self, module: &Module, function: &Function) {
        let mut next = 0;
        while next < self.len() {
            let id = SlotId(next as u32);
            next += 1;
            let Some((kind, name, store)) = self.original(module, function, id) else {
                continue;
            };
            let original = self.find(&kind).unwrap_or_else(|| {
                let places = self.get(id).places.clone();
                self.add(kind, name, places, true)
            });
            self.copies.insert(id, (original, store));
        }
    }

    /// The slot that a member reached through a copied pointer is, with the store that makes the copy.
    pub fn copy_of(&self, slot: SlotId) -> Option<(SlotId, InstId)> {
        self.copies.get(&slot).copied()
    }

    fn original(
        &self,
        module: &Module,
        function: &Function,
        slot: SlotId,
    ) -> Option<(SlotKind, Option<String>, InstId)> {
        let SlotKind::Behind(outer, bytes) = self.get(slot).kind else {
            return None;
        };
        let (store, value) = self.only_store(function, outer)?;
        let kind = self.behind(module, function, value, bytes);
        let kind = kind.filter(|kind| !self.is_left_out(kind))?;
        if let SlotKind::Behind(from, _) = kind
            && matches!(self.get(from).kind, SlotKind::Local(_))
        {
            // The other pointer must be as constant as this one.
            self.only_store(function, from)?;
        }
        let member = self
            .get(slot)
            .name
            .as_deref()?
            .strip_prefix(self.get(outer).name.as_deref()?)?;
        let way = self.way_to(module, function, value);
        let inside = match way {
            Some(way) => Some(format!("{way}.{}", member.strip_prefix("->")?)),
            None => Some(member.strip_prefix("->")?.to_owned()),
        };
        let name = self.foreign_name(module, function, &kind, &inside);
        Some((kind, name, store))
    }

    /// The one value that is ever stored to a local pointer, and where.
    fn only_store<'f>(&self, function: &'f Function, slot: SlotId) -> Option<(InstId, &'f Operand)> {
        let SlotKind::Local(variable) = self.get(slot).kind else {
            return None;
        };
        let alloca = function.variables[variable.0 as usize].alloca?;
        let mut found = None;
        for id in function.inst_ids() {
            let op = &function.inst(id).op;
            match op {
                Op::Store {
                    ptr: Operand::Inst(at),
                    value,
                    ..
                } if *at == alloca => {
                    if found.replace((id, value)).is_some() {
                        return None;
                    }
                }
                Op::Load {
                    ptr: Operand::Inst(at), ..
                } if *at == alloca => {}
                // An address that goes elsewhere lets the variable be assigned there.
                _ => {
                    let mut other = false;
                    for_operands(op, &mut |o| other |= *o == Operand::Inst(alloca));
                    if other {
                        return None;
                    }
                }
            }
        }
        found
    }

    /// The member of a struct whose address a pointer is: `field` for `&c->field`.
    fn way_to(&self, module: &Module, function: &Function, pointer: &Operand) -> Option<String> {
        let Operand::Inst(id) = pointer else { return None };
        let Op::Gep {
            base,
            source_ty,
            indices,
        } = &function.inst(*id).op
        else {
            return None;
        };
        let Type::Struct(structure) = source_ty else {
            return None;
        };
        let [Operand::Int(0), Operand::Int(field)] = indices[..] else {
            return None;
        };
        let names = &module.structure(*structure).field_names;
        let own = names.get(usize::try_from(field).ok()?).filter(|n| !n.is_empty())?;
        Some(match self.way_to(module, function, base) {
            Some(outer) => format!("{outer}.{own}"),
            None => own.clone(),
        })
    }

    /// The place `bytes` behind where a pointer points.
    fn behind(&self, module: &Module, function: &Function, pointer: &Operand, bytes: u64) -> Option<SlotKind> {
        match pointer {
            Operand::Global(g) if bytes == 0 && is_scalar(&module.global(*g).ty) => Some(SlotKind::Global(*g)),
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
                Op::Alloca { ty, count: None } if bytes == 0 && is_scalar(ty) => {
                    Some(SlotKind::Local(function.variable_of(*id)?))
                }
                Op::Load { ptr, volatile: false } => Some(SlotKind::Behind(self.at(ptr, function)?, bytes)),
                Op::Gep {
                    base,
                    source_ty: source_ty @ Type::Struct(_),
                    indices,
                } => {
                    let inside = const_offset(module, source_ty, indices)?;
                    self.behind(module, function, base, inside + bytes)
                }
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
                place_path(module, &global.name, &global.ty, *at)
            }
            // A struct inside the one that the pointer points to has a name of its own on the way, which is not known here.
            SlotKind::Behind(outer, _) => Some(format!("{}->{}", self.get(*outer).name.as_ref()?, member.as_ref()?)),
            SlotKind::Local(v) => Some(function.variables[v.0 as usize].name.clone()),
            SlotKind::Global(g) => Some(module.global(*g).name.clone()),
        }
    }
}

impl Values<'_> {
    /// A slot's value under the name that the pointer on the way was copied from.
    pub fn original(&self, slot: SlotId, version: Version) -> Option<(SlotId, Version)> {
        let Version::Clobber(store) = version else { return None };
        let (original, at) = self.slots.copy_of(slot)?;
        if at != store {
            return None;
        }
        let node = self.attachment.node_of[store.0 as usize]?;
        Some((original, self.versions.at(node, store, original)))
    }
}
