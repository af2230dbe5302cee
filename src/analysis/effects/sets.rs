//! What code reads, writes, frees and does beside: sets that only grow.

use super::locations::LocSet;
use crate::analysis::points_to::PointsTo;
use crate::program::object_set::ObjectSet;
use crate::program::objects::{MemLoc, ObjectId};

/// May-effects of an instruction, a call or a whole function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EffectSet {
    /// Locations that may be read.
    pub reads: LocSet,
    /// Locations that may be written.
    pub writes: LocSet,
    /// Objects that may be freed (or moved, by `realloc`).
    pub frees: ObjectSet,
    /// Heap objects of which instances may be made.
    pub allocates: ObjectSet,
    /// Runs code that nothing is known of.
    pub unknown: bool,
    /// May fail to return: `exit`, `abort`, a failed `assert`, `longjmp`, unknown code.
    pub may_not_return: bool,
    /// May leave its callers by `longjmp`, which all do that are not known to end the program when they do not return.
    pub may_jump: bool,
    /// Never returns, as far as attributes, the library table and the user say.
    pub never_returns: bool,
    /// Does input or output.
    pub io: bool,
    /// Depends on or changes hidden state of the C library, or of unknown code.
    pub state: bool,
    /// Works on device memory or on the mapping of host memory through the OpenMP run-time API.
    pub device_api: bool,
}

/// May-effects of a call, as its caller sees them.
pub type CallEffects = EffectSet;

/// May-effects of a function, as its callers see them.
pub type FunctionEffects = EffectSet;

impl EffectSet {
    /// Adds `other`. `never_returns` is no union and stays.
    pub fn join(&mut self, other: &EffectSet) {
        self.reads.join(&other.reads);
        self.writes.join(&other.writes);
        self.frees.join(&other.frees);
        self.allocates.join(&other.allocates);
        self.unknown |= other.unknown;
        self.may_not_return |= other.may_not_return;
        self.may_jump |= other.may_jump;
        self.io |= other.io;
        self.state |= other.state;
        self.device_api |= other.device_api;
    }

    /// Keeps reads, writes and frees of some objects only.
    pub(super) fn retain_objects(&mut self, keep: impl Fn(ObjectId) -> bool) {
        self.reads.retain(&keep);
        self.writes.retain(&keep);
        self.frees.retain(&keep);
    }

    /// Drops reads, writes and frees of some objects.
    pub(super) fn remove_objects(&mut self, objects: &[ObjectId]) {
        self.reads.remove(objects);
        self.writes.remove(objects);
        self.frees.retain(|id| !objects.contains(&id));
    }

    /// Whether it may read a byte of `loc`.
    pub fn may_read(&self, points_to: &PointsTo, loc: MemLoc) -> bool {
        self.reads.meets(points_to, loc)
    }

    /// Whether it may write a byte of `loc`.
    pub fn may_write(&self, points_to: &PointsTo, loc: MemLoc) -> bool {
        self.writes.meets(points_to, loc)
    }

    /// Whether it may free or move `object`.
    pub fn may_free(&self, points_to: &PointsTo, object: ObjectId) -> bool {
        self.frees.iter().any(|f| points_to.objects_may_alias(f, object))
    }

    /// Whether it neither writes, frees, allocates, does input or output, uses hidden state nor leaves.
    pub fn only_reads(&self) -> bool {
        EffectSet {
            reads: LocSet::default(),
            ..self.clone()
        } == EffectSet::default()
    }
}
