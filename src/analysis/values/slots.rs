//! Slots: the named memory cells whose values the analyses follow.
//!
//! A slot is a scalar or pointer that the source can name at a point: a local, a parameter, a global, a member of a
//! struct variable (`s.n`), or a member reached through a pointer slot (`s->n`, `s->grid->u`). Array elements are not
//! slots, but for those of some small arrays ([`super::elements`]). A slot's value changes where it is stored to directly, where a store or call may write memory that it lives
//! in, and, for members behind a pointer, where that pointer changes.

use super::members::{const_offset, innermost_struct, is_scalar, member_path, member_type, place_path};
use crate::analysis::far_jumps::FarJumps;
use crate::analysis::points_to::PointsTo;
use crate::program::ir::{FuncId, Function, GlobalId, InstId, Module, Op, Operand, SourceType, Type, VarId};
use crate::program::objects::MemLoc;
use rustc_hash::{FxHashMap, FxHashSet};

/// Index of a slot in [`Slots`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SlotId(pub u32);

/// Where a slot lives.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum SlotKind {
    /// A local variable or parameter.
    Local(VarId),
    /// A global variable.
    Global(GlobalId),
    /// `bytes` into a local struct, or one that is passed by value.
    LocalField(VarId, u64),
    /// `bytes` into a global struct, or into an array whose elements are followed.
    GlobalField(GlobalId, u64),
    /// `bytes` behind the pointer in another slot.
    Behind(SlotId, u64),
}

/// A slot.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Where it lives.
    pub kind: SlotKind,
    /// How the source names it (`n`, `s.n`, `s->n`); `None` when a member's name is not known.
    pub name: Option<String>,
    /// Where it may lie, for points-to queries.
    pub places: SlotPlaces,
    /// Only callees mention it.
    pub foreign: bool,
    /// The type that it is declared with; where that is not known, as in a union, the one that the function first reads or
    /// writes it as. Through a union, or a pointer to bytes, it may be read and written as another one.
    pub ty: Option<Type>,
}

/// Where a slot may lie.
#[derive(Clone, Debug)]
pub enum SlotPlaces {
    /// Where this operand points; the slot was first met through it.
    Address(Operand),
    /// At one of these places, as callees know it; in an object that `within` points to, where that is given.
    Among {
        /// The places.
        places: Vec<MemLoc>,
        /// A pointer to the object.
        within: Option<Operand>,
    },
}

/// All slots of one function.
#[derive(Clone, Debug, Default)]
pub struct Slots {
    list: Vec<Slot>,
    index: FxHashMap<SlotKind, SlotId>,
    /// In order of their ids.
    by_name: FxHashMap<String, Vec<SlotId>>,
    of_address: FxHashMap<InstId, Option<SlotId>>,
    /// Members reached through a pointer that is a copy: what they are without it, and the store that copies.
    pub(super) copies: FxHashMap<SlotId, (SlotId, InstId)>,
    /// Variables that are no slots: nothing is known of their values, and no directive may name them.
    without: FxHashSet<VarId>,
    /// Variables that have no value after a `longjmp`.
    lost: FxHashSet<VarId>,
    /// Arrays whose elements are slots.
    arrays: FxHashSet<GlobalId>,
}

impl Slots {
    /// The slot with this id.
    pub fn get(&self, id: SlotId) -> &Slot {
        &self.list[id.0 as usize]
    }
    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
    /// All ids.
    pub fn ids(&self) -> impl Iterator<Item = SlotId> + use<> {
        (0..self.list.len() as u32).map(SlotId)
    }
    /// The slot of a kind, if the function mentions it.
    pub fn find(&self, kind: &SlotKind) -> Option<SlotId> {
        self.index.get(kind).copied()
    }

    /// The slots that the source calls by this name, in order of their ids: variables of several scopes may share it.
    pub fn named(&self, name: &str) -> impl Iterator<Item = SlotId> + '_ {
        self.by_name.get(name).into_iter().flatten().copied()
    }

    /// Collects the slots that `function` loads or stores, those of some variables left out. Of the `arrays` elements are slots.
    pub fn collect(module: &Module, function: &Function, jumps: &FarJumps, arrays: &FxHashSet<GlobalId>) -> Slots {
        let mut slots = Slots {
            without: jumps.unfollowed.clone(),
            lost: jumps.lost.clone(),
            arrays: arrays.clone(),
            ..Slots::default()
        };
        for id in function.inst_ids() {
            match &function.inst(id).op {
                Op::Load { ptr, .. } if is_scalar(&function.inst(id).ty) => {
                    let slot = slots.resolve(module, function, ptr);
                    slots.note_type(slot, &function.inst(id).ty);
                }
                Op::Store { ptr, ty, .. } if is_scalar(ty) => {
                    let slot = slots.resolve(module, function, ptr);
                    slots.note_type(slot, ty);
                }
                _ => {}
            }
        }
        slots
    }

    fn note_type(&mut self, slot: Option<SlotId>, ty: &Type) {
        if let Some(slot) = slot {
            self.list[slot.0 as usize].ty.get_or_insert_with(|| ty.clone());
        }
    }

    /// The slot whose value a load or store of this type at an address is: no part of it, nor more.
    pub fn value_at(&self, address: &Operand, ty: &Type, function: &Function) -> Option<SlotId> {
        let own = |s: &SlotId| self.get(*s).ty.as_ref().is_none_or(|own| own == ty);
        self.at(address, function).filter(own)
    }

    /// The slot at an address, looked up only.
    pub fn at(&self, address: &Operand, function: &Function) -> Option<SlotId> {
        match address {
            Operand::Inst(id) => match self.of_address.get(id) {
                Some(found) => *found,
                None => function.variable_of(*id).and_then(|v| self.find(&SlotKind::Local(v))),
            },
            Operand::Global(g) => self
                .find(&SlotKind::Global(*g))
                .or_else(|| self.find(&SlotKind::GlobalField(*g, 0))),
            Operand::ConstGep { base, bytes } => match **base {
                Operand::Global(g) => self.find(&SlotKind::GlobalField(g, u64::try_from(*bytes).ok()?)),
                _ => None,
            },
            _ => None,
        }
    }

    fn resolve(&mut self, module: &Module, function: &Function, address: &Operand) -> Option<SlotId> {
        if let Operand::Inst(id) = address {
            if let Some(known) = self.of_address.get(id) {
                return *known;
            }
            // A cycle through phis cannot be a slot: mark it unknown while it is being resolved.
            self.of_address.insert(*id, None);
        }
        let kind = self.kind_of(module, function, address);
        let kind = kind.filter(|kind| !self.is_left_out(kind));
        let found = kind.map(|kind| self.intern(module, function, kind, address));
        if let Operand::Inst(id) = address {
            self.of_address.insert(*id, found);
        }
        found
    }

    /// Whether it is a variable that is no slot, or in one.
    pub(super) fn is_left_out(&self, kind: &SlotKind) -> bool {
        matches!(kind, SlotKind::Local(v) | SlotKind::LocalField(v, _) if self.without.contains(v))
    }

    /// Whether it has no value after a `longjmp`.
    pub(super) fn is_lost(&self, slot: SlotId) -> bool {
        match self.get(slot).kind {
            SlotKind::Local(v) | SlotKind::LocalField(v, _) => self.lost.contains(&v),
            SlotKind::Behind(outer, _) => self.is_lost(outer),
            SlotKind::Global(_) | SlotKind::GlobalField(..) => false,
        }
    }

    fn kind_of(&mut self, module: &Module, function: &Function, address: &Operand) -> Option<SlotKind> {
        match address {
            Operand::Global(g) => {
                let global = module.global(*g);
                match &global.ty {
                    Type::Struct(_) => Some(SlotKind::GlobalField(*g, 0)),
                    ty if is_scalar(ty) => Some(SlotKind::Global(*g)),
                    _ if self.arrays.contains(g) => Some(SlotKind::GlobalField(*g, 0)),
                    _ => None,
                }
            }
            Operand::ConstGep { base, bytes } => match **base {
                Operand::Global(g) if matches!(module.global(g).ty, Type::Struct(_)) || self.arrays.contains(&g) => {
                    Some(SlotKind::GlobalField(g, u64::try_from(*bytes).ok()?))
                }
                _ => None,
            },
            Operand::Inst(id) => match &function.inst(*id).op {
                Op::Alloca { ty, count: None } => {
                    let var = function.variable_of(*id)?;
                    match ty {
                        Type::Struct(_) => Some(SlotKind::LocalField(var, 0)),
                        ty if is_scalar(ty) => Some(SlotKind::Local(var)),
                        _ => None,
                    }
                }
                Op::Gep {
                    base,
                    source_ty: Type::Struct(sid),
                    indices,
                } => {
                    let offset = const_offset(module, &Type::Struct(*sid), indices)?;
                    match base {
                        Operand::Global(g) => Some(SlotKind::GlobalField(*g, offset)),
                        Operand::Arg(n) => Some(SlotKind::LocalField(function.copied_record(*n)?, offset)),
                        Operand::Inst(b) => match &function.inst(*b).op {
                            Op::Alloca {
                                count: None,
                                ty: Type::Struct(_),
                            } => Some(SlotKind::LocalField(function.variable_of(*b)?, offset)),
                            Op::Load { ptr, .. } => {
                                let ptr = ptr.clone();
                                let outer = self.resolve(module, function, &ptr)?;
                                Some(SlotKind::Behind(outer, offset))
                            }
                            Op::Gep { .. } => match self.kind_of(module, function, base)? {
                                SlotKind::LocalField(v, o) => Some(SlotKind::LocalField(v, o + offset)),
                                SlotKind::GlobalField(g, o) => Some(SlotKind::GlobalField(g, o + offset)),
                                SlotKind::Behind(s, o) => Some(SlotKind::Behind(s, o + offset)),
                                _ => None,
                            },
                            _ => None,
                        },
                        _ => None,
                    }
                }
                // `*n` of a parameter that points to a number or a pointer.
                Op::Load { ptr, .. } => {
                    let ptr = ptr.clone();
                    let Operand::Inst(alloca) = ptr else { return None };
                    let variable = &function.variables[function.variable_of(alloca)?.0 as usize];
                    let to_scalar = matches!(
                        &variable.source_type,
                        SourceType::Pointer { to, .. }
                            if matches!(**to, SourceType::Int { .. } | SourceType::Pointer { .. })
                    );
                    let outer =
                        (variable.arg.is_some() && to_scalar).then(|| self.resolve(module, function, &ptr))??;
                    Some(SlotKind::Behind(outer, 0))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn intern(&mut self, module: &Module, function: &Function, kind: SlotKind, address: &Operand) -> SlotId {
        if let Some(&id) = self.index.get(&kind) {
            return id;
        }
        let name = self.name_of(module, function, &kind, address);
        let ty = declared_type(module, function, &kind, address);
        let id = self.add(kind, name, SlotPlaces::Address(address.clone()), false);
        self.list[id.0 as usize].ty = ty;
        id
    }

    pub(super) fn add(&mut self, kind: SlotKind, name: Option<String>, places: SlotPlaces, foreign: bool) -> SlotId {
        let id = SlotId(self.list.len() as u32);
        if let Some(name) = &name {
            self.by_name.entry(name.clone()).or_default().push(id);
        }
        self.list.push(Slot {
            kind: kind.clone(),
            name,
            places,
            foreign,
            ty: None,
        });
        self.index.insert(kind, id);
        id
    }

    /// Where a slot may lie, in memory.
    pub fn places(&self, points_to: &PointsTo, func: FuncId, slot: SlotId) -> Vec<MemLoc> {
        match &self.get(slot).places {
            SlotPlaces::Address(operand) => points_to.of_operand(func, operand).to_vec(),
            SlotPlaces::Among { places, within: None } => places.clone(),
            SlotPlaces::Among {
                places,
                within: Some(pointer),
            } => {
                let objects = points_to.of_operand(func, pointer);
                let inside = |p: &&MemLoc| objects.iter().any(|o| o.object == p.object);
                places.iter().filter(inside).copied().collect()
            }
        }
    }

    fn name_of(&self, module: &Module, function: &Function, kind: &SlotKind, address: &Operand) -> Option<String> {
        Some(match kind {
            SlotKind::Local(v) => function.variables[v.0 as usize].name.clone(),
            SlotKind::Global(g) => {
                let global = module.global(*g);
                match global.choice_words() {
                    Some(words) if words.contains(|c: char| !c.is_ascii_alphanumeric() && c != '_') => {
                        format!("({words})")
                    }
                    words => words.unwrap_or(&global.name).to_owned(),
                }
            }
            SlotKind::LocalField(v, offset) => {
                let variable = &function.variables[v.0 as usize];
                let ty = match variable.alloca.map(|a| &function.inst(a).op) {
                    Some(Op::Alloca { ty, .. }) => ty.clone(),
                    Some(_) => return None,
                    None => innermost_struct(function, address)?,
                };
                format!("{}.{}", variable.name, member_path(module, &ty, *offset)?)
            }
            SlotKind::GlobalField(g, offset) => {
                let global = module.global(*g);
                place_path(module, &global.name, &global.ty, *offset)?
            }
            SlotKind::Behind(outer, offset) => {
                let outer = self.get(*outer).name.clone()?;
                match innermost_struct(function, address) {
                    Some(ty) => format!("{outer}->{}", member_path(module, &ty, *offset)?),
                    None if *offset == 0 => format!("*{outer}"),
                    None => return None,
                }
            }
        })
    }
}

/// Whether the source type of a variable is a pointer.
pub fn is_pointer(ty: &SourceType) -> bool {
    matches!(ty, SourceType::Pointer { .. })
}

/// The type that a place is declared with.
pub(super) fn declared_type(module: &Module, function: &Function, kind: &SlotKind, address: &Operand) -> Option<Type> {
    let of_variable = |v: &VarId| match &function.inst(function.variables[v.0 as usize].alloca?).op {
        Op::Alloca { ty, .. } => Some(ty.clone()),
        _ => None,
    };
    match kind {
        SlotKind::Local(v) => of_variable(v),
        SlotKind::Global(g) => Some(module.global(*g).ty.clone()),
        SlotKind::LocalField(v, at) => {
            let whole = of_variable(v).or_else(|| innermost_struct(function, address));
            member_type(module, &whole?, *at)
        }
        SlotKind::GlobalField(g, at) => match &module.global(*g).ty {
            Type::Array(element, _) => Some((**element).clone()),
            ty => member_type(module, ty, *at),
        },
        SlotKind::Behind(_, at) => member_type(module, &innermost_struct(function, address)?, *at),
    }
}
