//! What a movement problem is about: the objects behind a base, how large their elements are, and which may overlap.

use super::mapped::{Mapped, UnnamedMap};
use crate::openmp::MapType;
use crate::program::graph::NodeId;

use crate::analysis::accesses::Accesses;
use crate::analysis::conditions::LaunchCondition;
use crate::analysis::device_calls::DeviceCall;
use crate::analysis::function::FunctionModel;
use crate::analysis::host_calls::HostCall;
use crate::analysis::values::table::Base;
use crate::program::ir::InstId;
use crate::program::objects::MemLoc;
use crate::symbolic::Section;
use crate::syntax::StmtId;
use rustc_hash::FxHashSet;

/// A hand-written `target data` and the array that it holds.
#[derive(Clone, Debug)]
pub struct HandWrittenRegion {
    /// The statement that it governs.
    pub stmt: StmtId,
    /// Where that begins, in the coarse graph.
    pub node: NodeId,
    /// The array.
    pub base: Base,
    /// What is mapped of it.
    pub section: Section,
    /// How.
    pub map_type: MapType,
}

/// What is fixed about a family before a span is chosen.
pub struct Subject<'a> {
    /// The function.
    pub model: &'a FunctionModel<'a>,
    /// The function's accesses.
    pub accesses: &'a Accesses,
    /// What each kernel maps.
    pub mapped: &'a [Vec<Mapped>],
    /// What each kernel maps beside that.
    pub unnamed: &'a [Vec<UnnamedMap>],
    /// When each kernel runs on the device, where that is followed.
    pub conditions: &'a [Option<LaunchCondition>],
    /// Calls of functions that start kernels.
    pub calls: &'a [DeviceCall],
    /// Calls of functions that use arrays on the host.
    pub host_calls: &'a [HostCall],
    /// Bytes per element.
    pub element: u64,
    /// Where the family's objects live.
    pub locs: Vec<MemLoc>,
    /// Elements of each cell that are mapped.
    pub extent: Section,
    /// The family is taken from the device before something frees or moves it.
    pub given_up: bool,
    /// Called functions leave the host's copy current, whatever their kernels do.
    pub left_current: bool,
    /// Regions by hand that hold it, none within another.
    pub regions: Vec<HandWrittenRegion>,
    /// What other regions by hand govern that may hold it.
    pub closed: Vec<StmtId>,
    /// The `closed` regions are taken to read nothing, and to write all of the array.
    pub unread: bool,
    /// What only maps keep apart from it counts as another array outside of the span, too; else it may be the same one there.
    pub apart_outside: bool,
    /// Names that callers know the arrays behind. What only kernels reach by one of these is left to callers to tell apart:
    /// a summary has a use for each name, and no residency spans a call that may reach its array by two.
    pub told: &'a [Base],
    /// What is no matter of events, because whoever asks has steps of its own for it.
    pub apart: ToldBySteps,
}

/// What is told apart from the events of code.
#[derive(Clone, Default, Debug)]
pub struct ToldBySteps {
    /// What kernels map says only which arrays are apart: what the maps copy is no event.
    pub maps: bool,
    /// Calls of which it is known otherwise what they do.
    pub calls: FxHashSet<InstId>,
}
