//! What decisions are about: candidates, the residencies that were found for them, and why others were refused.
//!
//! ```c
//! for (int t = 0; t < steps; t++) {      /* candidate: `u`, 8 bytes an element, with two starts                      */
//!     kernel on u[0:n]                   /* evaluated over the loop: extent u[0:n], copied in and out at the ends    */
//!     kernel on u[0:n]                   /* chosen: that residency; settled: the candidate with all that was chosen  */
//! }
//! ```
//!
//! Types alone, with what they say of themselves; nothing here looks at a program.

use super::FilePlan;
use super::condition::When;
use super::spans::Run;
use crate::analysis::callee_term::CalleeTerm;
use crate::analysis::movement::family::{Family, Naming};
use crate::analysis::movement::placement::{Placement, ResidencySpan};
use crate::analysis::values::table::Base;
use crate::program::graph::NodeId;
use crate::program::objects::MemLoc;
use crate::reasons::Reason;
use crate::source::Span;
use crate::symbolic::Section;
use crate::syntax::StmtId;
use std::rc::Rc;

/// A family with what does not depend on where it would be resident.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The family.
    pub family: Family,
    /// All bases that name its cells somewhere.
    pub bases: Vec<Base>,
    /// Bytes per element.
    pub element: u64,
    /// Where its objects live.
    pub locs: Vec<MemLoc>,
    /// What starts kernels that touch or map it, as indices (see `kernel_starts`).
    pub launches: Vec<usize>,
    /// Arrays that the user manages by hand and that only the user's maps keep apart from it.
    pub beside: Vec<ArrayBeside>,
    /// Regions by hand that hold it, as indices, none within another.
    pub regions: Vec<usize>,
    /// What other regions by hand govern that may hold it: what is done there is the user's affair, and no residency spans it.
    pub closed: Vec<StmtId>,
    /// The `closed` regions are taken to read nothing, and to write all of the array.
    pub unread: bool,
    /// Where it stays already with buffers that it trades places with.
    pub traded: Vec<Run>,
    /// The array is to be mapped together with other members of its struct.
    pub joint: Option<Joint>,
    /// The candidate's name for people.
    pub label: String,
}

/// An array that a directive of the user's is about, and that only the user's maps keep apart from a candidate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArrayBeside {
    /// The array.
    pub base: Base,
    /// Where the directive has to do with it: what an update or a region does is done where that is. What is entered stays on the device;
    /// then it is anywhere.
    pub within: Option<Span>,
}

impl ArrayBeside {
    /// Whether a residency over a part of the text has to be kept apart from the array.
    pub fn concerns(&self, part: Span) -> bool {
        self.within
            .is_none_or(|within| within.start < part.end && part.start < within.end)
    }
}

impl Candidate {
    /// The candidate's bases, if they trade places.
    pub(super) fn trading(&self) -> &[Base] {
        match self.family {
            Family::PingPong(_) => &self.bases,
            Family::Single(_) => &[],
        }
    }
}

/// A residency that works.
#[derive(Clone, Debug)]
pub struct FeasibleResidency {
    /// The statements.
    pub run: Run,
    /// Entry, exits, nodes.
    pub span: ResidencySpan,
    /// The residency can be written as a block.
    pub block: bool,
    /// What is mapped of each cell.
    pub extent: Section,
    /// Names of the cells by node.
    pub naming: Naming,
    /// The copies.
    pub placement: Placement,
    /// Expected cost.
    pub cost: f64,
    /// When its kernels run on the device: it holds only there.
    pub when: When,
    /// What else must hold at run time for the residency to be right, as C; empty if nothing.
    pub conditions: Vec<String>,
    /// The array is mapped by one directive with other members of its struct, which have residencies of the same run.
    pub joint: Option<Joint>,
    /// One of its kernels surely writes all of it.
    pub filled: bool,
    /// Items and conditions can be written at all exits, so that `exit data` can repeat them.
    pub repeatable: bool,
}

/// Why a candidate does not work.
#[derive(Clone, Debug)]
pub struct Refused {
    /// Where.
    pub stmt: StmtId,
    /// Why.
    pub reason: Reason,
}

/// How an array is mapped together with others of its struct.
#[derive(Clone, Debug)]
pub struct Joint {
    /// The variable that leads to the struct.
    pub(super) root: String,
    /// The member, as kernels write it: `s->x`.
    pub path: String,
    /// Where the pointer may lie.
    pub(super) pointer: Vec<MemLoc>,
    /// What all of them share.
    pub(super) of_struct: Rc<OfStruct>,
}

/// What is mapped of the struct beside arrays.
#[derive(Debug, Default)]
pub struct OfStruct {
    /// Numbers that keep their values.
    pub(super) numbers: Vec<CopiedNumber>,
    /// Kernels that map as much of the struct as the residency does.
    pub(super) widest: Vec<NodeId>,
}

/// A number of the struct that kernels copy in.
#[derive(Clone, Debug)]
pub struct CopiedNumber {
    /// As they write it: `s->n`.
    pub path: String,
    /// Where it may lie.
    pub(super) places: Vec<MemLoc>,
    /// The kernels.
    pub(super) nodes: Vec<NodeId>,
}

/// What is done about one kernel or a run of statements.
#[derive(Clone, Debug)]
pub enum Chosen {
    /// Resident over the run.
    Region(Box<FeasibleResidency>),
    /// Mapped by the kernel itself; the evaluation says with which types.
    Kernel(usize, Box<FeasibleResidency>),
}

impl Chosen {
    /// The residency, if it is one.
    pub(super) fn region(&self) -> Option<&FeasibleResidency> {
        match self {
            Chosen::Region(e) => Some(e),
            Chosen::Kernel(..) => None,
        }
    }
}

/// The outcome for one candidate.
#[derive(Clone, Debug, Default)]
pub struct CandidatePlan {
    /// What to do, in text order.
    pub chosen: Vec<Chosen>,
    /// Expected cost of all its kernels.
    pub cost: f64,
    /// Why larger residencies were not possible.
    pub refused: Vec<Refused>,
}

impl CandidatePlan {
    /// Gives up residencies, for a reason.
    pub(super) fn give_up(&mut self, which: impl Fn(&FeasibleResidency) -> bool, why: &Reason) {
        let refused = &mut self.refused;
        self.chosen.retain(|c| match c {
            Chosen::Region(e) if which(e) => {
                refused.push(Refused {
                    stmt: e.run.first,
                    reason: why.clone(),
                });
                false
            }
            _ => true,
        });
    }
}

/// Whether the kernel alone needs a copy in, and out.
pub fn kernel_needs(e: &FeasibleResidency) -> (bool, bool) {
    let up = e.placement.entry.iter().any(|b| b.copies) || e.placement.copies.iter().any(|c| c.up);
    let down_whole = e.placement.exits.iter().any(|(_, b)| b.iter().any(|b| b.copies));
    let down_part = e.placement.copies.iter().any(|c| !c.up);
    // A part that comes back as the whole section must have gone in as the whole section, if the kernel does not write all.
    (up || (down_part && !e.filled), down_whole || down_part)
}

/// A candidate with what was decided about it.
pub struct Settled {
    /// The candidate.
    pub candidate: Candidate,
    /// The outcome.
    pub found: CandidatePlan,
}

impl Settled {
    /// The candidate's residencies.
    pub(super) fn regions(&self) -> impl Iterator<Item = &FeasibleResidency> {
        self.found.chosen.iter().filter_map(Chosen::region)
    }
}

/// What a residency maps of each cell.
pub(super) struct MappedExtent {
    pub section: Section,
    /// The section is the whole object.
    pub whole: bool,
    /// The section is what each of the kernels maps.
    pub uniform: bool,
    /// The section is no more than the hull of what they map.
    pub hull: bool,
}

/// What an array is expected to cost in a function.
#[derive(Clone, Debug)]
pub struct ExpectedCopies {
    /// The array, where it has a name that callers know.
    pub root: Option<CalleeTerm>,
    /// Bytes per element.
    pub element: u64,
    /// Where it may be.
    pub locs: Vec<MemLoc>,
    /// Kernels of called functions included, as if each copied for itself.
    pub all: f64,
    /// The function's own kernels and regions alone.
    pub own: f64,
}

/// What was planned for a function: the plan, or why the function is left alone and where, or what went wrong.
pub(super) type Planned = Result<Result<FilePlan, (Span, Reason)>, String>;

/// When the directive of a residency does something: as that one of the same statements says that asks for most, so that one
/// directive serves all.
pub(super) fn widest<'e>(all: impl Iterator<Item = &'e FeasibleResidency>, of: &'e FeasibleResidency) -> &'e When {
    let mut most: Option<&When> = None;
    for e in all.filter(|e| e.run == of.run && e.when.holds(&of.when)) {
        // The first among equals.
        if most.is_none_or(|most| !most.holds(&e.when)) {
            most = Some(&e.when);
        }
    }
    most.unwrap_or(&of.when)
}
