//! Values that variables have at places of a function, what instructions do to variables, and which variables are its own.
//!
//! ```c
//! int n = f();                           /* a definition: the value of this store                                     */
//! g(&n);                                 /* a clobber: whatever `g` left there                                        */
//! while (c) n++;                         /* a merge before the loop: what came in, or what the last iteration left    */
//! ```

use super::slots::{SlotId, SlotKind, Slots};
use crate::analysis::points_to::PointsTo;
use crate::program::graph::NodeId;
use crate::program::ir::{FuncId, InstId};

/// A definition of a slot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Version {
    /// Not reached yet.
    Unreached,
    /// The value at the function's entry.
    Entry,
    /// The value of this store.
    Def(InstId),
    /// What this call surely leaves there ([`super::calls`]).
    Call(InstId),
    /// Unknown since this instruction.
    Clobber(InstId),
    /// The merge of different versions at this node.
    Phi(NodeId),
    /// Unknown since this kernel or host region, named by its first node.
    AfterLaunch(NodeId),
    /// Unknown since this node: threads of the host begin there with a value of their own ([`super::threads`]), or a `longjmp`
    /// leads there ([`crate::analysis::far_jumps`]).
    Within(NodeId),
}

/// How one instruction changes slots.
#[derive(Clone, Debug)]
pub struct SlotChange {
    /// The instruction.
    pub inst: InstId,
    /// The slot.
    pub slot: SlotId,
    /// The slot's version afterwards.
    pub version: Version,
    /// The slot's version where the instruction has surely run.
    pub when_run: Version,
}

impl SlotChange {
    /// A change to an unknown value.
    pub(super) fn clobber(inst: InstId, slot: SlotId) -> SlotChange {
        SlotChange::to(inst, slot, Version::Clobber(inst), false)
    }

    /// A change to a known value by an instruction that may not be `sure` to run.
    pub(super) fn to(inst: InstId, slot: SlotId, when_run: Version, sure: bool) -> SlotChange {
        let version = if sure { when_run } else { Version::Clobber(inst) };
        SlotChange {
            inst,
            slot,
            version,
            when_run,
        }
    }
}

/// What a kernel is, to this analysis: the nodes inside it and where control leaves it.
pub trait KernelLookup {
    /// A stable name of the kernel that contains the node, if any.
    fn kernel_of(&self, node: NodeId) -> Option<NodeId>;
}

/// A local whose address never leaves loads and stores of its own.
pub(super) fn is_private(slots: &Slots, points_to: &PointsTo, func: FuncId, slot: SlotId) -> bool {
    match slots.get(slot).kind {
        SlotKind::Local(v) | SlotKind::LocalField(v, _) => !points_to.address_taken(func, v),
        _ => false,
    }
}
