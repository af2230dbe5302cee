//! The instructions of a program by what they write, for who asks what a value in memory depends on.
//!
//! ```c
//! own.rank = 0;             /* writes (own, 0)                                                      */
//! both = own;               /* writes all of `both`                                                 */
//! MPI_Bcast(&n, …);         /* writes `n`                                                           */
//! work(own);                /* writes nothing: what `work` writes, its own instructions do          */
//! ```

use super::cells::MemberPlace;
use super::memory::scalar_in;
use super::solved::functions;
use super::surroundings::Surroundings;
use crate::program::ir::{Op, Operand, Type};
use crate::program::objects::{Field, MemLoc, ObjectId, Site};
use rustc_hash::FxHashMap;

/// What is written where, without what functions of the program write that are called.
pub(super) struct Writers {
    by_object: FxHashMap<ObjectId, Vec<WritingInstruction>>,
}

/// An instruction that writes a part of an object.
#[derive(Clone, Copy)]
struct WritingInstruction {
    site: Site,
    field: Field,
}

impl Writers {
    pub fn of(around: &Surroundings<'_>) -> Writers {
        let mut by_object: FxHashMap<ObjectId, Vec<WritingInstruction>> = FxHashMap::default();
        for (func, function) in functions(around.module) {
            for inst in function.inst_ids() {
                let site = Site { func, inst };
                for MemLoc { object, field } in written(around, site) {
                    by_object
                        .entry(object)
                        .or_default()
                        .push(WritingInstruction { site, field });
                }
            }
        }
        Writers { by_object }
    }

    /// What writes to a place, or to a part of it.
    pub fn to(&self, place: MemLoc) -> impl Iterator<Item = Site> + '_ {
        let writers = self.by_object.get(&place.object).into_iter().flatten();
        let there = writers.filter(move |writer| writer.field.overlaps(place.field));
        there.map(|writer| writer.site)
    }
}

/// Where an instruction may write, without what functions of the program write that it calls.
fn written(around: &Surroundings<'_>, site: Site) -> Vec<MemLoc> {
    let to = |operand: &Operand| around.points_to.of_operand(site.func, operand);
    match &around.module.function(site.func).inst(site.inst).op {
        Op::Store { ptr, ty, .. } => {
            let members = |place: &MemLoc| members_within(around, *place, ty);
            to(ptr)
                .iter()
                .flat_map(|place| [vec![*place], members(place)].concat())
                .collect()
        }
        Op::Atomic { ptr, .. } => to(ptr).to_vec(),
        Op::Call { args, .. } if around.is_outside(site) => {
            let effects = around.effects_of(site);
            let role = around.role_of(site);
            let mut places: Vec<MemLoc> = Vec::new();
            if role.is_none_or(|role| !role.equal.is_empty()) {
                places.extend(effects.writes.iter().copied());
            }
            match role {
                Some(role) => places.extend(
                    role.given_arguments()
                        .iter()
                        .filter_map(|at| args.get(*at))
                        .flat_map(to),
                ),
                None if effects.unknown => places.extend(args.iter().flat_map(to)),
                None => {}
            }
            let lists = role.and_then(|role| args.get(role.equal_behind?)).into_iter();
            let behind = lists.flat_map(to).flat_map(|list| around.points_to.contents(*list));
            places.extend(behind);
            places
        }
        _ => Vec::new(),
    }
}

/// The members of a record that a number of a type holds that is written at a place, but for the first one.
fn members_within(around: &Surroundings<'_>, place: MemLoc, ty: &Type) -> Vec<MemLoc> {
    let begins = |place: &MemLoc| match place.field {
        Field::Offset(at) => scalar_in(around.module, around.points_to, place.object, at).is_some(),
        Field::Any => false,
    };
    inner_places(around, place, ty).filter(begins).collect()
}

/// Where members of a record may be that a number of a type holds that is read or written at a place, but for the first one.
pub(super) fn inner_places(around: &Surroundings<'_>, place: MemLoc, ty: &Type) -> impl Iterator<Item = MemLoc> {
    let first = MemberPlace::only(&[place]).filter(|_| *ty != Type::Ptr);
    let bytes = 1..around.module.size_of(ty).max(1);
    let places = move |first: MemberPlace| bytes.filter_map(move |further| first.behind(further));
    first.into_iter().flat_map(move |first| places.clone()(first))
}
