//! What the analysis leaves of each function in each context: the collectives, the calls that lead to some, and the branches.

use super::causes::CauseId;
use super::keys::KeyId;
use super::memory::{HeldValue, Memory};
use super::roles::ClosedRegion;
use crate::program::ir::FuncId;
use crate::program::objects::Site;

/// The number of a context.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ContextId(pub u32);

/// How a function is entered: two calls that agree in it need one analysis.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Entry {
    /// The function.
    pub func: FuncId,
    /// The regions around the call in which no barrier may stand, the outermost first.
    pub regions: Vec<ClosedRegion>,
    /// The arguments.
    pub arguments: Vec<HeldValue>,
    /// What is in the memory that it may have to do with.
    pub memory: Memory,
}

/// A function as it is entered once.
#[derive(Clone, Debug)]
pub struct Context {
    /// What there is when it returns; `None` if it does not.
    pub exit: Option<FunctionExit>,
    /// By block; empty where control does not come.
    pub blocks: Vec<RecordedBlock>,
    /// The analysis of it has not ended yet.
    pub running: bool,
    /// Somebody has asked for its exit meanwhile.
    pub asked: bool,
}

/// What there is when a function returns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionExit {
    /// The result.
    pub result: Option<HeldValue>,
    /// What is in the memory that it may have to do with.
    pub memory: Memory,
}

/// A block.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RecordedBlock {
    /// What happens, in order.
    pub events: Vec<CollectiveStep>,
    /// Where control goes on.
    pub succs: Vec<usize>,
    /// The condition by which it goes to one of several.
    pub branch: Option<RecordedBranch>,
    /// The function ends here.
    pub returns: bool,
}

/// A branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordedBranch {
    /// The terminator.
    pub site: Site,
    /// What decides.
    pub condition: HeldValue,
}

/// What all have to do, at one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CollectiveStep {
    /// All have to come here, or none.
    Collective(CollectiveEvent),
    /// A call of functions of the program.
    Call(CallEvent),
}

/// A collective.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CollectiveEvent {
    /// The call.
    pub site: Site,
    /// The function of the library, or the construct.
    pub name: String,
    /// What it matches.
    pub step: String,
    /// The communicator.
    pub communicator: Option<HeldValue>,
    /// The communicator is that of a file.
    pub of_file: bool,
    /// The root.
    pub root: Option<HeldValue>,
    /// The operator.
    pub operator: Option<HeldValue>,
    /// The region around it in which no barrier may stand.
    pub within: Option<ClosedRegion>,
}

/// A call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallEvent {
    /// The call.
    pub site: Site,
    /// The functions that it may call, as they are entered.
    pub targets: Vec<ContextId>,
    /// The pointer that says which.
    pub pointer: Option<(KeyId, Option<CauseId>)>,
}
