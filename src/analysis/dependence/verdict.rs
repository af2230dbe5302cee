//! The answer for one loop: parallel, with what that rests on, or refused, with what stands in the way.

use crate::analysis::values::slots::SlotId;
use crate::analysis::values::table::Base;
use crate::program::ir::{FuncId, InstId, VarId};
use crate::symbolic::{Expr, Section, Sym};
use crate::syntax::StmtId;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A loop in canonical form.
#[derive(Clone, Debug)]
pub struct Counted {
    /// The statement.
    pub stmt: StmtId,
    /// The index.
    pub var: VarId,
    /// The index's value in the current iteration.
    pub sym: Sym,
    /// The index's value in the first iteration.
    pub first: Expr,
    /// No iteration has a lesser value.
    pub lo: Expr,
    /// No iteration has a greater value.
    pub hi: Expr,
    /// What is added; never zero.
    pub step: i128,
    /// What has to hold for all this.
    pub needs: Vec<Requirement>,
}

/// What was found out about a loop.
#[derive(Clone, Debug)]
pub enum LoopVerdict {
    /// The loop's iterations may run at the same time, and on the device.
    Parallel(Box<Parallel>),
    /// The loop stays as it is.
    Refused(LoopRefusal),
}

/// What running a loop in parallel rests on. Where a condition fails the loop has to run as it is written.
#[derive(Clone, Debug)]
pub struct Parallel {
    /// The loop's index and bounds.
    pub counted: Counted,
    /// The loops inside it that are counted too, in text order.
    pub inner: Vec<Counted>,
    /// Variables declared outside of the loop, of which each iteration sets its own before it reads it; not read
    /// afterwards. Scalars and arrays.
    pub private: Vec<VarId>,
    /// Scalars that the loop only reads.
    pub firstprivate: Vec<VarId>,
    /// Scalars that every iteration sets, and that are read afterwards: the last iteration's value counts. The
    /// conditions say that there is a last iteration.
    pub lastprivate: Vec<VarId>,
    /// Scalars that the iterations only add to.
    pub reductions: Vec<Reduction>,
    /// How many perfectly nested loops, this one included, may become one.
    pub collapse: usize,
    /// What has to hold when the loop begins; all of it.
    pub conditions: Vec<Requirement>,
    /// The arrays that it uses, private ones apart.
    pub arrays: Vec<ArrayUse>,
    /// The arrays of `arrays` that the loop's header reads, for a bound, and that others which the loop writes may
    /// overlap; see [`Parallel::may_write_bound`].
    pub header: BTreeSet<Base>,
    /// Pointers that every iteration follows: what is read through others may be there only under a condition.
    pub followed: BTreeSet<SlotId>,
    /// What the loops around it use, innermost first, as far as that is understood.
    pub around: Vec<Rc<Around>>,
}

/// What a loop around uses, all of its iterations together. Nothing in it frees arrays or leaves it early, so what one of
/// its iterations touches exists in all of them.
#[derive(Clone, Debug)]
pub struct Around {
    /// The loop.
    pub stmt: StmtId,
    /// What has to hold for the sections to be right.
    pub when: Vec<Requirement>,
    /// The arrays that are the same in all iterations.
    pub arrays: Vec<ArrayUse>,
}

/// A scalar that collects a result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Reduction {
    /// The variable.
    pub var: VarId,
    /// What combines.
    pub op: ReductionOp,
    /// The order of the iterations does not change the result; in floating point it may.
    pub exact: bool,
}

/// OpenMP's reduction operators, as far as they are recognised.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ReductionOp {
    Add,
    Multiply,
    And,
    Or,
    Xor,
    Min,
    Max,
}

/// Something that has to hold for the verdict.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Requirement {
    /// `left <= right`.
    AtMost {
        /// The lesser.
        left: Expr,
        /// The greater.
        right: Expr,
    },
    /// `distance == 0`, or `|distance| >= reach`.
    Clear {
        /// How far apart two accesses of one iteration are, in bytes.
        distance: Expr,
        /// How far apart any two iterations can be, in bytes; at least 1 where the loop runs.
        reach: Expr,
    },
    /// What the loop touches through two pointers does not overlap.
    Apart {
        /// One.
        a: Base,
        /// The other.
        b: Base,
        /// One of them is written. Else only OpenMP asks for it: list items of a construct must not overlap.
        written: bool,
    },
    /// A branch of the loop goes this way, in all iterations. Only what is mapped rests on it.
    Branch(BranchTest),
}

/// What a branch asks of values that the loop does not change.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BranchTest {
    /// `left == right`.
    Equal {
        /// One side.
        left: Expr,
        /// The other.
        right: Expr,
    },
    /// `left != right`.
    Differs {
        /// One side.
        left: Expr,
        /// The other.
        right: Expr,
    },
    /// `left <= right`.
    AtMost {
        /// The lesser.
        left: Expr,
        /// The greater.
        right: Expr,
    },
    /// A pointer is not null.
    Present {
        /// What it points to the start of.
        base: Base,
    },
}

/// What a loop, all of its iterations together, does with an array. Where it does not run, sections may still have
/// elements (`n * m` for two negative sizes): who maps them has to ask whether it runs.
#[derive(Clone, Debug)]
pub struct ArrayUse {
    /// The array.
    pub base: Base,
    /// Bytes of an element: sections count these.
    pub element: u64,
    /// The loops, the one in question and those inside, on whose indices its subscripts depend; in text order.
    pub loops: Vec<StmtId>,
    /// The array may be read, at most here; `None` inside where that is not known.
    pub read: Option<Reach>,
    /// The array may be written.
    pub written: Option<Reach>,
    /// All of this is surely written, where what `ends_exist` asks for holds.
    pub surely_written: Option<Section>,
    /// Where all of this holds, the first and the last element of what it reads and writes are touched for sure, and so
    /// exist; `None` where that is not known (branches on data, strides).
    pub ends_exist: Option<Vec<Requirement>>,
}

/// At most these elements; `None`: somewhere.
pub type Reach = Option<Section>;

/// Why a loop stays as it is.
#[derive(Clone, Debug)]
pub struct LoopRefusal {
    /// Why.
    pub obstacle: Obstacle,
    /// The instructions that are to blame.
    pub at: Vec<InstId>,
    /// The statement that is to blame, where no instruction is.
    pub stmt: StmtId,
}

/// What stands in the way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// The loop is not `for (i = first; i < end; i += step)` with constant steps.
    NotCanonical(NotCanonical),
    /// Control may leave it other than by its condition.
    Leaves,
    /// A pragma stands before it or around it.
    Annotated,
    /// The compiler's loops here are not those of the text.
    HiddenLoop,
    /// A `volatile` or atomic access, or assembly.
    Special,
    /// An array of variable length is made in each iteration.
    VariableLength,
    /// `long double`, or another type that devices lack.
    HostType,
    /// A call.
    Call {
        /// What is called, if that is known.
        callee: Option<FuncId>,
        /// Why it cannot run in parallel on a device.
        why: CallTrouble,
    },
    /// A scalar.
    Scalar {
        /// The variable; `None` for one without a name.
        var: Option<VarId>,
        /// Why it cannot be private.
        why: ScalarTrouble,
    },
    /// Two accesses of different iterations may touch the same bytes, one of them writing.
    Dependence {
        /// The array.
        base: Base,
    },
    /// What an access touches is not understood, and it may be what is written.
    Unknown,
    /// A pointer that is followed changes from iteration to iteration.
    MovingPointer,
    /// A pointer is stored, compared or handed on: on the device it would be another one.
    PointerValue,
    /// More pairs of accesses than are looked at.
    TooLarge,
}

/// What of the canonical form is missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotCanonical {
    NoFor,
    Init,
    StartVaries,
    Test,
    Step,
    IndexType,
    IndexModified,
    IndexEscapes,
    IndexUsedAfter,
    BoundVaries,
    MayWrap,
    Miscounted,
}

/// What is wrong with a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallTrouble {
    Unknown,
    InputOutput,
    State,
    Memory,
    MayNotReturn,
    NotOnDevice,
    Recursive,
    /// The call sets `errno`, which the program may look at.
    Errno,
    /// The call sets `errno`, which code may look at that is not known.
    ErrnoOutside,
}

/// What is wrong with a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScalarTrouble {
    /// An iteration reads what an earlier one set.
    Carried,
    /// The scalar is read after the loop, and not every iteration sets it.
    SometimesSet,
}

impl LoopRefusal {
    pub(super) fn new(obstacle: Obstacle, stmt: StmtId, at: impl IntoIterator<Item = InstId>) -> LoopRefusal {
        LoopRefusal {
            obstacle,
            at: at.into_iter().collect(),
            stmt,
        }
    }

    pub(super) fn form(what: NotCanonical, stmt: StmtId) -> LoopRefusal {
        LoopRefusal::new(Obstacle::NotCanonical(what), stmt, [])
    }
}

impl Requirement {
    /// Whether it says that nothing which is written overlaps one of these.
    pub fn protects(&self, bases: &BTreeSet<Base>) -> bool {
        matches!(self, Requirement::Apart { a, b, written: true } if bases.contains(a) || bases.contains(b))
    }
}

impl Parallel {
    /// Whether it may write its own bound where the conditions fail. OpenMP computes bounds once, also where an `if` clause
    /// says that the loop runs on the host: no clause makes it run as it is written.
    pub fn may_write_bound(&self) -> bool {
        self.conditions.iter().any(|c| c.protects(&self.header))
    }
}

impl LoopVerdict {
    /// What running in parallel rests on, where that is possible.
    pub fn parallel(&self) -> Option<&Parallel> {
        match self {
            LoopVerdict::Parallel(p) => Some(p),
            LoopVerdict::Refused(_) => None,
        }
    }
}
