//! What placing copies is asked for and what comes of it: the span of a residency, the ways to place, the copies.

use crate::program::graph::NodeId;
use crate::reasons::Reason;
use crate::symbolic::Section;
use rustc_hash::FxHashSet;

/// Where a residency begins and ends.
#[derive(Clone, Debug)]
pub struct ResidencySpan {
    /// The gap at which the object becomes resident.
    pub entry: NodeId,
    /// The gaps at which it stops being so; control passes exactly one of them after each entry.
    pub exits: Vec<NodeId>,
    /// The nodes in between, gaps included, `entry` and `exits` included.
    pub nodes: FxHashSet<NodeId>,
}

/// A copy at a gap.
#[derive(Clone, PartialEq, Debug)]
pub struct Copy {
    /// Where.
    pub gap: NodeId,
    /// Which cell.
    pub cell: usize,
    /// Host to device.
    pub up: bool,
    /// What.
    pub section: Section,
    /// The section's bounds are provably in order. Where they are not, a difference of sections may come out reversed:
    /// the empty set to the analysis, a copy of nearly all memory to the program, so it must stand under a condition.
    pub ordered: bool,
}

/// How a residency starts or ends for a cell.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Boundary {
    /// The whole extent is copied.
    pub copies: bool,
}

/// A placement for one family and one span.
#[derive(Clone, Debug, Default)]
pub struct Placement {
    /// Per cell: whether the entry copies in.
    pub entry: Vec<Boundary>,
    /// Per exit gap, per cell: whether it copies out.
    pub exits: Vec<(NodeId, Vec<Boundary>)>,
    /// Copies inside.
    pub copies: Vec<Copy>,
}

/// Why no placement is right.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    /// At which node.
    pub node: NodeId,
    /// Which need could not be met.
    pub reason: Reason,
}

/// How careful a placement is: the fallbacks cost more and are right more often.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlacementMode {
    /// When kernels' results come back.
    pub results: Return,
    /// When kernels get what they need.
    pub uploads: Upload,
    /// Copies may stand inside the residency. Where the data may be present already when the function is called, only
    /// its ends may copy: there presence counts, an `update` would copy nonetheless.
    pub updates: bool,
    /// The whole extent is copied in at the entry although not all of it is wanted: then a copy out at the end brings
    /// nothing back that was never there, also on a path without kernels.
    pub fill: bool,
    /// What the host reads in a loop without device writes comes back before the loop only where it has a name there, and
    /// otherwise in the loop; else all of the extent comes back in place of what has none.
    pub piecemeal: bool,
}

impl PlacementMode {
    /// Copies stand inside the residency too, and nothing is taken for granted.
    pub const fn new(results: Return, uploads: Upload) -> PlacementMode {
        PlacementMode {
            results,
            uploads,
            updates: true,
            fill: false,
            piecemeal: false,
        }
    }
}

/// How eagerly kernels' results come back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Return {
    /// As late as possible.
    Late,
    /// Right after each kernel: the fallback when a later copy could overwrite something newer.
    AfterEachKernel,
}

/// How early kernels get what they need from the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Upload {
    /// Right before the kernel, or before the loop around it: few copies in the text, and what several host writes left
    /// goes in one. Where paths with and without a copy meet it copies more often.
    Late,
    /// As soon as all paths lead to a kernel that needs it, so that merges find both sides agreed (`docs/architecture.md`,
    /// "How copies are placed").
    Early,
    /// As soon as a kernel may need it: the fallback where merges do not agree otherwise, a bet that it will.
    Eager,
}
