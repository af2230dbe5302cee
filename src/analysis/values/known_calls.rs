//! What calls surely do to variables, as it is known ([`super::calls`] finds it): after `allocate(&u, n)` the variable `u` has what the
//! function stored there on every way.

use super::slots::SlotId;
use crate::analysis::effects::LocSet;
use crate::analysis::value_summary::Worth;
use crate::program::ir::{GlobalId, InstId, Operand, SourceType};
use rustc_hash::FxHashMap;

/// The calls of a function of which something is known.
pub type KnownCalls = FxHashMap<InstId, KnownCall>;

/// What is known of a call.
#[derive(Clone, Debug, Default)]
pub struct KnownCall {
    /// What the symbols of its values stand for.
    pub(super) atoms: Vec<Here>,
    /// The slots that it stores to, with what they hold afterwards where that is known.
    pub stores: Vec<(SlotId, Option<Worth>)>,
    /// What it returns.
    pub(super) returned: Option<Worth>,
    /// Where else it may write; `None`: what points-to sets say of it.
    pub elsewhere: Option<LocSet>,
}

/// An atom of a summary, at a call.
#[derive(Clone, Debug)]
pub(super) enum Here {
    /// An argument, and the type of the parameter.
    Argument(Operand, SourceType),
    /// What a slot holds before the call.
    Before(SlotId),
    /// What a slot holds after the call.
    After(SlotId),
    /// The address of a global.
    Storage(GlobalId),
    /// An atom that has no name here.
    Nameless,
}
