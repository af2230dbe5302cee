//! Host statements as trees: which elements, and what happens to them.

use super::{Choice, Cond, Edge, LoopId, NameId, RuntimeId, ScalarId, SizeId};

/// A host index into one dimension, always inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    Const(i64),
    FromEnd(i64),
    Half,
    /// `(t + add) % extent`.
    Counter(LoopId, i64),
    /// `r % extent`.
    Runtime(RuntimeId),
    /// `(c + 2) % extent`, of a number that changes.
    Count(SizeId),
    /// The counter in arithmetic that wraps around; whether the extent is written as a number.
    Wrapped(LoopId, Wrapped, bool),
}

/// Indices that only unsigned or narrow arithmetic keeps inside, of a counter `t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrapped {
    /// `(unsigned)(t - back) % extent`.
    Ring(Width, i64),
    /// `(unsigned)t * 2654435761u % extent`.
    Hash,
    /// `((add + t) * 1103515245u + 12345u) % extent`.
    Next(i64),
    /// `((unsigned long)t * 6364136223846793005UL + 1442695040888963407UL) % extent`.
    LongNext,
    /// `t * 1000000000u / 10000000u % extent`.
    Quotient,
    /// `(unsigned)(t - back) / 1000000000u`, which is at most 4.
    Top(i64),
    /// `(unsigned char)(t * 100 + add) % extent`.
    Byte(i64),
    /// `(unsigned short)(t * 40000 - back) % extent`.
    Short(i64),
}

/// The unsigned types that are at least as wide as `int`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    Unsigned,
    Size,
    Long,
}

#[derive(Clone, Debug)]
pub enum Select {
    Elem(Vec<At>),
    /// One row of a matrix of two dimensions.
    Row(At),
    /// From the `.0`th element up to `.1` elements before the end.
    Range(i64, i64),
    Strided(i64),
    /// As many as a number that changes says.
    Counted(SizeId),
    /// From one bound to another, if there is anything in between.
    Between(i64, Edge),
    /// From a bound to the end, less so many.
    Behind(Edge, i64),
    /// A few in a row in a ring, from `back` before the counter on.
    Ring(LoopId, i64),
    All,
}

#[derive(Clone, Debug)]
pub enum HostOp {
    Read {
        name: NameId,
        select: Select,
        print: bool,
    },
    Write {
        name: NameId,
        select: Select,
        how: Write,
        salt: i64,
        counter: Option<LoopId>,
    },
    /// New contents for an array of indices.
    Reindex {
        name: NameId,
        salt: i64,
    },
    Memset(NameId),
    Memcpy {
        dst: NameId,
        src: NameId,
        drop: i64,
    },
    Sort(NameId),
    Swap(NameId, NameId),
    Realloc(NameId),
    /// `free`, `malloc`, and new contents.
    Renew(NameId),
    ReadScalar(ScalarId),
    SetScalar(ScalarId, i64),
    /// Another value for a number.
    Step(SizeId, Step),
    /// An access that cannot go wrong because of what stands in front of it, in the same statement or in a function.
    Guarded {
        name: NameId,
        guard: Guard,
        form: Guarded,
        salt: i64,
    },
    /// The pointer of [`Guard::Spot`] goes on to the next, or to NULL.
    Advance,
    /// The first word of a text.
    FirstToken(NameId, Tokens, i64),
    /// The next word of the text that the last first word was of.
    NextToken(Tokens, i64),
    /// A signal is raised, whose handler uses an array of the whole program.
    Raise(Elsewhere),
    /// Another thread uses an array of the whole program while this one waits.
    Meet(Elsewhere),
    /// A function of the library calls one of the program back, which uses an array of the whole program.
    CallBack(Elsewhere, Caller),
    /// Kernels map all of the structure that the array is a member of.
    Weigh(NameId, CallPlace),
    /// A kernel maps all of an array, and uses none of it.
    Survey(NameId, Surveyed, CallPlace),
    /// A function of the program has a part of the array to itself that is empty with the extents of this build.
    Border(NameId, Border),
    /// One of the arrays that a [`super::NameKind::Pick`] may mean: the first if the condition holds.
    Pick(NameId, Cond),
    /// Other arrays for two pointers that are there.
    Choose(Choice),
}

/// What an access must not be made without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// `spot`, which may be NULL, before `[spot->at]`.
    Spot,
    /// `r` before `[n / r - 1]`.
    Divisor(RuntimeId),
    /// `t` before `[n / t - 1]`.
    Counter(LoopId),
    /// `r` before `[t % r]`.
    Remainder(LoopId, RuntimeId),
}

/// How it is guarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarded {
    /// `g ? a[..] : 0`.
    Chosen,
    /// `if (g && a[..] > c)`.
    And,
    /// `g && (a[..] = ..)`.
    AndWrite,
    /// `if (g) a[..] = ..;`.
    If,
    /// A loop that does not run where the guard is zero.
    Loop,
    /// In a function that asks before it reads.
    ReadCall,
    /// In a function that asks before it writes.
    WriteCall,
}

/// The functions of the library that take texts apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tokens {
    /// `strtok`.
    Hidden,
    /// `strtok_r`.
    Saved,
    /// `strsep`.
    Separated,
}

/// What code that nothing calls by name does: it reads an element, or changes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elsewhere {
    pub name: NameId,
    pub at: i64,
    pub writes: bool,
}

/// What the array is called in the function whose kernel maps it without using it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surveyed {
    /// As in all of the program.
    Global,
    /// The function is handed it.
    Parameter,
    /// The function is handed it as a pointer to nothing in particular.
    Bytes,
}

/// Elements that the host of a function uses before its kernel uses all of the array: none with the extents of this build,
/// some with larger ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Border {
    /// The first of them.
    pub from: i64,
    /// How many before the end the last of them is.
    pub drop: i64,
    /// They are written, not read.
    pub writes: bool,
    /// The function has a kernel.
    pub kernel: bool,
}

/// Where a function is called that has a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallPlace {
    /// In a statement of its own.
    Alone,
    /// Twice in one.
    Twice,
    /// In the condition of an `if`.
    Asked,
    /// In the head of a loop.
    Head,
}

/// Who calls a function of the program back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    /// A function that is not in the tool's table.
    pub unknown: bool,
    /// There is a kernel in the function.
    pub kernel: bool,
}

/// How a number that changes does so, within its least and its largest value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// From what it was: `(c + 2) * factor + add`, cut down.
    Chain { factor: i64, add: i64 },
    /// From the innermost counter that there is.
    Counter { id: LoopId, factor: i64, add: i64 },
    /// From what only the running program knows.
    Runtime(RuntimeId),
    /// One less, down to the least.
    Down,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Write {
    Set,
    /// Reads what it overwrites.
    Add,
    /// Writes some elements only.
    Sometimes,
}
