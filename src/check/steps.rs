//! What happens to one object, step by step, by the nodes of the statement graph: what directives do, and what the program's own code does.
//!
//! ```c
//! #pragma omp target teams distribute parallel for map(tofrom: a[0:n])
//! for (int i = 1; i < n; i++) a[i] = i;
//!
//!     1  region entry, tofrom [0, n)         2  kernel writes [1, n)         3  region exit, tofrom [0, n)
//! ```
//!
//! Steps are numbered, so that a finding can say which two of them do not go together; [`super::places`] knows where each stands.

use super::conditions::StepCondition;
use super::stale::StepId;
use super::step_device::StepDevice;
use crate::analysis::access::SectionInLoops;
use crate::openmp::map::MapRequest;
use crate::symbolic::{Facts, Section, SectionSet};
use std::sync::Arc;

/// Elements that are used: at most those of `may`, at least those of `must`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Used {
    /// At most these.
    pub may: SectionSet,
    /// At least these.
    pub must: SectionSet,
    /// What is used without further conditions, however often that is done and whatever it is each time: none of these within another one.
    pub each: Vec<SectionInLoops>,
    /// Subscripts that are read from memory name some by the object's own name, and no condition asks about them.
    pub anywhere: bool,
    /// No condition keeps elements of `may` from being used: what is not known are subscripts.
    pub unconditional: bool,
    /// Functions that a kernel calls use the object where some of their callers call them, and nothing shows that the kernel is one of these.
    pub by_other_callers: bool,
}

/// So many sections of [`Used::each`] are kept.
const MOST_EACH: usize = 32;

impl Used {
    /// A section is used without further conditions, too.
    pub fn add_each(&mut self, used: SectionInLoops, facts: &Facts) {
        let within =
            |all: &Section, part: &Section| facts.prove_le(&all.lo, &part.lo) && facts.prove_le(&part.hi, &all.hi);
        let holds = |all: &SectionInLoops, part: &SectionInLoops| {
            let is_asked = |range: &Section| part.ranges.contains(range);
            all.ranges.iter().all(is_asked) && within(&all.section, &part.section)
        };
        if self.each.iter().any(|known| holds(known, &used)) {
            return;
        }
        self.each.retain(|known| !holds(&used, known));
        if self.each.len() < MOST_EACH {
            self.each.push(used);
        }
    }
}

/// What is done with an object.
#[derive(Clone, PartialEq, Debug)]
pub enum StepAction {
    /// A list item of a directive asks the runtime for something.
    Map {
        /// What is asked for.
        request: MapRequest,
        /// The elements that the item names; `None`: they are not known.
        section: Option<Section>,
        /// Where this is the end of a region: the step of the item at its start, which names the same elements.
        opened: Option<StepId>,
    },
    /// The host reads.
    HostRead(Used),
    /// The host writes.
    HostWrite(Used),
    /// A kernel on another device writes.
    OtherDeviceWrite(Used),
    /// A kernel reads, before it writes.
    KernelRead(Used),
    /// A kernel writes.
    KernelWrite(Used),
    /// One of these functions is called, each as far as it has to do with the object.
    Call(Vec<Arc<StepGraph>>),
    /// The object ends.
    Free,
    /// Nobody knows: nothing is said of the object from here on.
    Unknown,
}

impl StepAction {
    /// Whether a directive has it done, on a device.
    pub fn is_on_device(&self) -> bool {
        matches!(
            self,
            StepAction::Map { .. } | StepAction::KernelRead(_) | StepAction::KernelWrite(_)
        )
    }

    /// What happens where the conditions of a directive do not hold, if anything does.
    pub fn otherwise(&self) -> Option<StepAction> {
        match self {
            StepAction::KernelRead(used) => Some(StepAction::HostRead(used.clone())),
            StepAction::KernelWrite(used) => Some(StepAction::HostWrite(used.clone())),
            StepAction::Map { .. } => None,
            other => Some(other.clone()),
        }
    }
}

/// A numbered action.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// The step's number.
    pub id: StepId,
    /// What must hold for directives to do this. Where it does not, kernels run on the host, and other directives do nothing.
    pub when: Vec<StepCondition>,
    /// The device on which it is done, if on any ([`StepAction::is_on_device`]).
    pub device: StepDevice,
    /// What is done.
    pub action: StepAction,
}

/// Where control may go.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct StepEdge {
    /// The node.
    pub to: usize,
    /// A loop has nothing to do on this way.
    pub idle: bool,
    /// Control takes it where the node's conditions hold, or where they do not; `None`: whatever they do.
    pub holds: Option<bool>,
}

/// A node: its steps, and what may come next.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct StepNode {
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// What is asked behind the steps, all of which holds or not; nothing where it is not known.
    pub asks: Vec<StepCondition>,
    /// Where control may go.
    pub succs: Vec<StepEdge>,
    /// The node of the function's statement graph, by its number: several nodes may be made of one.
    pub origin: usize,
}

/// Steps by node.
#[derive(Clone, PartialEq, Debug)]
pub struct StepGraph {
    /// The nodes: the first is the entry, the second the exit.
    pub nodes: Vec<StepNode>,
}

#[cfg(test)]
impl StepNode {
    /// A node of so many ways, and with the step of this number that ends the object, if any.
    pub fn ending(step: Option<u32>, succs: &[usize]) -> StepNode {
        let step = step.map(|id| Step {
            id: StepId(id),
            when: Vec::new(),
            device: StepDevice::Default,
            action: StepAction::Free,
        });
        StepNode {
            steps: step.into_iter().collect(),
            succs: succs.iter().map(|to| StepEdge::to(*to)).collect(),
            ..StepNode::default()
        }
    }
}
