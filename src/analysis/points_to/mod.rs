//! stub
pub use crate::program::objects::MemLoc;
use crate::program::objects::ObjectId;
use crate::program::ir::*;
pub struct PointsTo;
pub struct Targets { pub known: Vec<FuncId>, pub unknown: bool }
impl PointsTo {
    pub fn solve(_: &Module) -> PointsTo { PointsTo }
    pub fn of_operand(&self, _: FuncId, _: &Operand) -> &[MemLoc] { &[] }
    pub fn may_alias(&self, _: MemLoc, _: MemLoc) -> bool { true }
    pub fn escapes(&self, _: ObjectId) -> bool { true }
    pub fn address_taken(&self, _: FuncId, _: VarId) -> bool { true }
    pub fn closed(&self) -> bool { false }
    pub fn call_targets(&self, _: FuncId, _: InstId) -> Targets { Targets { known: vec![], unknown: true } }
}
