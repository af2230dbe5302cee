//! stub
use super::points_to::*;
use crate::program::objects::ObjectId;
use crate::program::ir::*;
use std::collections::BTreeSet;
pub struct Effects;
pub struct CallEffects { pub reads: BTreeSet<MemLoc>, pub writes: BTreeSet<MemLoc>, pub frees: BTreeSet<ObjectId>, pub unknown: bool, pub may_not_return: bool }
impl Effects {
    pub fn solve(_: &Module, _: &PointsTo) -> Effects { Effects }
    pub fn of_call(&self, _: &Module, _: &PointsTo, _: FuncId, _: InstId) -> CallEffects { CallEffects { reads: BTreeSet::new(), writes: BTreeSet::new(), frees: BTreeSet::new(), unknown: true, may_not_return: false } }
}
