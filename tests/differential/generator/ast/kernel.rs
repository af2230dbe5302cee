//! Kernels as trees: directive, loops, index expressions, statements of one iteration.

use super::{Edge, LoopId, NameId, RuntimeId, ScalarId, Size};

#[derive(Clone, Debug)]
pub struct Kernel {
    /// Unique in the program.
    pub id: usize,
    pub directive: Directive,
    /// One loop over `i` or two over `i` and `j`.
    pub loops: Vec<(Bound, Bound)>,
    pub collapse: bool,
    pub stmts: Vec<KernelStmt>,
    pub maps: MapStyle,
    /// Bits choose comments, continuation lines and the spelling of the loop.
    pub style: u32,
    /// The whole kernel comes out of a macro.
    pub by_macro: bool,
    pub copies: Copies,
    pub asks: Option<Asks>,
}

/// What the host evaluates before a kernel starts: of an array of its own, which the device has just written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// The step of its loop.
    Step,
    /// The length of what it maps.
    Length,
    /// A function that its number of teams comes from.
    Teams,
}

/// What a kernel has copies of.
#[derive(Clone, Debug, Default)]
pub struct Copies {
    /// Arrays that it takes `firstprivate`, those that it writes and pointers apart.
    pub passed: Vec<NameId>,
    /// An array of its own at file scope that is `private`, with values from this one on.
    pub scratch: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directive {
    TeamsDistributeParallelFor,
    TeamsDistributeParallelForSimd,
    ParallelFor,
    /// `target`, and `teams distribute parallel for` on a line of its own.
    Split,
    /// `target` around an ordinary loop.
    Serial,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Const(i64),
    /// The extent less a constant.
    Less(Size, i64),
    /// As a lower bound only a [`Mark`](super::Mark).
    Edge(Edge),
    /// `t % extent`: only used as a lower bound.
    Counter(LoopId, Size),
}

/// How the naive maps are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapStyle {
    /// Whole arrays, the right map type.
    Whole,
    /// Only what is touched where that is one run of elements.
    Tight,
    /// `tofrom` for everything.
    Broad,
    /// Like `Whole`, but arrays are left to the implicit rules, and pointers to a region around the kernel that holds what they lead to.
    Implicit,
}

#[derive(Clone, Debug)]
pub struct KernelStmt {
    pub cond: Option<KernelCond>,
    pub target: KernelTarget,
    /// Reads what it overwrites.
    pub adds: bool,
    pub terms: Vec<Term>,
    pub constant: i64,
}

#[derive(Clone, Debug)]
pub enum KernelTarget {
    Elem(NameId, KernelAt),
    Reduce(ScalarId, Reduction),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    Sum,
    Max,
}

#[derive(Clone, Debug)]
pub enum KernelCond {
    IterMod(i64, i64),
    IterLess(i64),
    Data(NameId, KernelAt, i64),
}

/// An index in a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KernelAt {
    /// `[i + c]`.
    Shift(i64),
    /// `[extent - 1 - i]`.
    Reverse,
    /// `[2 * i + c]`.
    Twice(i64),
    /// `[(i * m + c) % extent]`: reads only.
    Wrap(i64, i64),
    /// `[(unsigned)(i * m - c) % extent]`: reads only.
    Ring(i64, i64),
    /// `[x[i]]`: reads only.
    Gather(NameId),
    /// `[c]`: reads only.
    Fixed(i64),
    /// `[i + di][j + dj]`, or `[(i + di) * columns + j + dj]` in a matrix of one dimension.
    Cell(i64, i64),
    /// `[c][i]`.
    RowOf(i64),
    /// `[i][c]`.
    ColumnOf(i64),
}

#[derive(Clone, Debug)]
pub enum Term {
    Read(i64, NameId, KernelAt),
    Product(NameId, KernelAt, NameId, KernelAt),
    /// The sum of row `i` of a matrix of two dimensions.
    RowSum(NameId),
    Iter(i64),
    Scalar(ScalarId),
    Runtime(RuntimeId),
    Counter(LoopId),
}
