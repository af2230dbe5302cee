//! Random programs about what the host does beside kernels: loops of its own that overwrite what they read, buffers that it swaps under regions
//! by hand, variables whose addresses it hands to functions with kernels, and counters with a sign that count to ends without one.
//!
//! ```c
//! for (int t1 = 0; t1 < 3; t1++) {                // `Kind::Loops`: each iteration writes what it reads, or all but one element of it, …
//!     fill_7(p0, m, t1 + 5);
//!     h = h * 31 + total_7(p0, m);
//! }
//! #pragma omp target data map(tofrom: p0[0:m], p1[0:m])        // `Kind::Swaps`
//! for (int t2 = 0; t2 < times_7[4]; t2++) {
//!     #pragma omp target teams distribute parallel for
//!     for (int i = 0; i < m; i++)
//!         p0[i] = p1[i] + 3;
//!     double *swap = p0; p0 = p1; p1 = swap;
//! }
//! count_u_7(p0, &s0, m);                          // `Kind::Addresses`
//! #pragma omp target teams distribute parallel for map(tofrom: p1[0:r * c])
//! for (int i = 0; i < r; i++)                     // `Kind::Ends`: `r` and `c` have no sign
//!     for (int j = 0; j <= c - 1; j++)
//!         p1[i * c + j] = i;
//! for (int i = 0; i < far; i++)                   // `Kind::Exits`: `far` may be 4000000000
//!     stop_7(p1, p1[i] > 5, m, h);
//! ```
//!
//! A program is a list of operations. Every list is correct: what an operation needs (arrays that no region holds, pointers of one
//! region) is asked while the program is printed, and what does not have it is left out. So the shrinker drops operations. `grow` draws,
//! `print`, `accesses` and `kernels` write C, with the functions of `helpers`, and `shrink` makes programs smaller. `census` says what programs have.

mod accesses;
mod census;
mod grow;
mod helpers;
mod kernels;
pub mod print;
mod shrink;

pub use census::{ADDRESSES, ENDS, EXITS, LOOPS, SWAPS, census};
pub use grow::grow;
pub use shrink::smaller;

/// What a program is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Loops of the host that write what they read.
    Loops,
    /// Regions by hand around buffers that are swapped.
    Swaps,
    /// Addresses of variables for functions that map them.
    Addresses,
    /// Counters with a sign, and ends without one.
    Ends,
    /// Counters with signs to unsigned ends, where a call may end the program.
    Exits,
}

/// A test case.
#[derive(Clone, Debug)]
pub struct Program {
    pub seed: u64,
    pub kind: Kind,
    /// Arrays have so many rows of so many columns.
    pub rows: i64,
    pub columns: i64,
    /// The type of variables that say how many rows and columns there are.
    pub end: Number,
    /// What the program does stands in a function that gets the arrays.
    pub is_apart: bool,
    /// Of each array, whether the host looks at it in the end.
    pub arrays: Vec<bool>,
    pub scalars: Vec<Scalar>,
    pub ops: Vec<Op>,
}

/// The type of a variable whose address is handed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    Unsigned,
    Long,
    Double,
}

/// What the program does.
#[derive(Clone, Debug)]
pub enum Op {
    /// Two arrays, the first of which is written.
    Kernel(What, usize, usize),
    Loop(Loop, Vec<Op>),
    Write(usize, Writing),
    Read(usize, Reading),
    Swap(usize, usize),
    /// The variable that says how long arrays are is this much smaller meanwhile.
    Shorter(i64, Vec<Op>),
    /// What is done in every other iteration.
    Sometimes(Vec<Op>),
    /// A region by hand around two arrays.
    Region(Mapped, [usize; 2], Vec<Op>),
    /// Inside a region the host reads an array that it has brought up to date, or the device gets one that it has written.
    Look(usize),
    Renew(usize, i64),
    /// A call of a function with a variable's address.
    Call(Call),
    /// The host reads a variable, or sets it.
    PeekScalar(usize),
    PokeScalar(usize, i64),
    /// A kernel that has the variable itself.
    Direct(usize, usize),
    /// A region by hand that holds a variable.
    Held(usize, Vec<Op>),
    Nest(Nest),
    Stopped(Stopped),
}

/// What a kernel computes from two arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// `a[i] = b[i] + c`.
    Copy(i64),
    /// `a[i] += c`.
    Add(i64),
    /// `a[i] = a[i] + b[i - 1]`.
    Shift,
    /// `a[i] = i + c`.
    Fill(i64),
}

/// A loop of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loop {
    pub form: Form,
    pub times: i64,
    /// Only the running program knows how often.
    pub is_opaque: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    For,
    While,
    Do,
}

/// How the host writes an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writing {
    All,
    /// From the last element to the first.
    Backwards,
    /// In two loops.
    Halves,
    ButFirst,
    ButLast,
    /// All elements but this one.
    ButOne(i64),
    /// Every other element.
    Even,
    /// One element alone.
    One(i64),
    /// The elements whose values are small.
    Small,
    /// Until this element, in the first iteration of a loop around.
    Broken(i64),
    /// `a[i] = a[i] + c`.
    AsRead,
    Memset,
    /// A call that writes all.
    ByFill,
    /// A call that returns before it writes, or between elements, if what it is told is small.
    ByEarly,
    ByPartly,
}

impl Writing {
    /// Whether all elements are written, and none is read.
    pub fn is_whole(self) -> bool {
        use Writing::{All, Backwards, ByFill, Halves, Memset};
        matches!(self, All | Backwards | Halves | Memset | ByFill)
    }
}

/// How the host reads an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    All,
    Last,
    One(i64),
    ByTotal,
}

/// How a region by hand maps its arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mapped {
    /// `tofrom` for both, in one item or in two.
    Both,
    Apart,
    /// `tofrom` for the first, and `from` for the second, which a kernel fills at once.
    Fresh,
    /// `alloc`, and updates at both ends.
    Updated,
}

/// A call with a variable's address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    pub what: Called,
    pub scalar: usize,
    pub array: usize,
    /// A region by hand stands around the kernel.
    pub by_hand: bool,
    /// The call goes through a function without kernels.
    pub is_relayed: bool,
}

/// What a function does that gets an array and the address of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Called {
    /// Sets the variable to zero and counts elements.
    Count,
    /// Counts elements on top of what it is.
    Add,
    /// The largest element, or what it is.
    Most,
    /// Sets the variable on the device.
    Set,
    /// Changes the array by the variable.
    Use,
}

/// The type of a counter, or of what it is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    Int,
    Long,
    Unsigned,
    Size,
}

/// A loop over elements, or a nest over rows and columns, as a kernel or on the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nest {
    pub array: usize,
    pub is_kernel: bool,
    pub is_nest: bool,
    /// The loops of a nest are one.
    pub collapses: bool,
    pub counter: Number,
    pub inner: Bounds,
    pub outer: Bounds,
    /// Elements are changed, and not overwritten.
    pub adds: bool,
    /// The loop stands in a function of its own.
    pub is_apart: bool,
    pub salt: i64,
}

/// From where to where a loop goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    pub from: i64,
    pub step: i64,
    /// So much less than all.
    pub less: i64,
    /// The comparison is `<=`.
    pub is_through: bool,
}

impl Bounds {
    /// All elements, counted one by one.
    pub const PLAIN: Bounds = Bounds {
        from: 0,
        step: 1,
        less: 0,
        is_through: false,
    };
}

/// A loop that a call may end together with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped {
    pub array: usize,
    pub counter: Number,
    /// Iterations before the program ends, unless the loop ends before.
    pub after: i64,
    /// The end is one that no counter with a sign gets to.
    pub is_far: bool,
    /// The call stands before what else the iteration does.
    pub is_first: bool,
    pub does: StoppedWork,
}

/// What an iteration does that a call may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoppedWork {
    /// The host writes an element, or reads it.
    Write,
    Read,
    /// The host writes a row, or reads it.
    WriteRow,
    ReadRow,
    /// A kernel changes all elements.
    Kernel,
}
