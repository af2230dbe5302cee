//! What is known of a function of the C library, or of one that the user describes in the words of the library table.

use serde::Serialize;

/// The effects of one library function. Argument indices are 0-based.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct LibFn {
    /// Name in C, or of an LLVM intrinsic without `llvm.` and type suffixes.
    pub name: String,
    /// What may be read through arguments.
    pub reads: Vec<ArgAccess>,
    /// What may be written through arguments.
    pub writes: Vec<ArgAccess>,
    /// The fresh memory it makes, if any.
    pub alloc: Option<Alloc>,
    /// Arguments whose pointee is freed.
    pub frees: Vec<u32>,
    /// Arguments whose pointee is a pointer whose pointee is freed (`getline`).
    pub frees_content: Vec<u32>,
    /// Pointers copied between pointees.
    pub copies: Vec<PointerCopy>,
    /// Arguments in whose pointee pointers may change places (`qsort`).
    pub mixes: Vec<u32>,
    /// What a pointer result may be, apart from fresh memory.
    pub returns: Vec<Returned>,
    /// `(d, s)`: a pointer into `s`'s pointee is stored where `d` points to (`strtol`'s end pointer).
    pub stores: Vec<(u32, u32)>,
    /// Arguments that the library remembers after the call.
    pub keeps: Vec<Keep>,
    /// Names of what was kept ([`Keep::name`]) that may be read.
    pub reads_kept: Vec<String>,
    /// Names of what was kept that may be written.
    pub writes_kept: Vec<String>,
    /// `(f, written)`: written where the format, which argument `f` is, may have a `%n`.
    pub counts: Option<(u32, ArgAccess)>,
    /// Global variables of the library that it may write.
    pub sets: Vec<String>,
    /// Storage of the library to which a call has returned a pointer is written again.
    pub overwrites: bool,
    /// Code that nothing is known of may run at any time from this call on.
    pub anytime: bool,
    /// It synchronises memory with other threads, or gives them time: unknown code that has been handed something may have run
    /// when it returns.
    pub synchronises: bool,
    /// Memory that others may use at any time from this call on.
    pub shares: Vec<Share>,
    /// Arguments whose pointee receives pointers to unknown memory (`va_start`).
    pub fills: Vec<u32>,
    /// Functions it calls.
    pub callbacks: Vec<Callback>,
    /// Whenever it returns it has read and written all of what it says, where it says how much; it does nothing else to memory.
    pub surely: bool,
    /// No more is read and written than these accesses say, and nothing else is done to memory; less may be written.
    pub within: bool,
    /// Compilers replace calls of it by instructions, on devices too.
    pub inline: bool,
    /// Never returns.
    pub noreturn: bool,
    /// Where it does not return the program ends: it never jumps out.
    pub ends: bool,
    /// May end the program or jump out although it usually returns.
    pub exits: bool,
    /// Input or output.
    pub io: bool,
    /// Depends on or changes state inside the library.
    pub state: bool,
    /// Works on device memory or on the mapping of host memory.
    pub device: bool,
}

/// An access through an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ArgAccess {
    /// The argument.
    pub arg: u32,
    /// Also all the arguments after it.
    pub rest: bool,
    /// What the pointer that the argument points to points to, in the place of what the argument points to.
    pub behind: bool,
    /// How far from where the argument points.
    pub extent: ByteExtent,
}

/// A number of bytes, as the call's arguments give it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum ByteExtent {
    /// Not known: up to the whole object.
    Unknown,
    /// The whole object, and all that can be reached from it, however many pointers on the way. Only users say so.
    Reachable,
    /// Up to and including a terminating zero byte.
    Str,
    /// As many as the argument says.
    Bytes(u32),
    /// The product of two arguments.
    Product(u32, u32),
    /// An argument times so many bytes.
    Scaled(u32, u64),
    /// An argument times the size of the MPI datatype that another one is.
    Typed(u32, u32),
    /// So many bytes.
    Const(u64),
}

/// Fresh memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Alloc {
    /// `None`: its address is returned. `Some(n)`: stored where argument `n` points to.
    pub through: Option<u32>,
    /// The size of the memory.
    pub size: ByteExtent,
    /// All its bytes are zero.
    pub zeroed: bool,
}

/// Pointers copied from one pointee to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct PointerCopy {
    /// Argument that points to the destination; `None` for the fresh memory returned.
    pub to: Option<u32>,
    /// Argument that points to the source.
    pub from: u32,
    /// How many bytes.
    pub extent: ByteExtent,
}

/// A pointer that may be returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Returned {
    /// The argument itself.
    Arg(u32),
    /// Another element of the array that the argument points into.
    Into(u32),
    /// Anywhere in the object that the argument points into.
    Anywhere(u32),
    /// An element of the array that the pointer which the argument points to points into.
    IntoContent(u32),
    /// Storage of the library.
    External,
}

/// An argument that the library remembers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Keep {
    /// The argument.
    pub arg: u32,
    /// What other functions call it that use it ([`LibFn::reads_kept`]).
    pub name: Option<String>,
}

/// Memory that others may use at any time: other processes, or the library itself in calls that do not mention it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Share {
    /// Argument that points to it; `None` for the result.
    pub arg: Option<u32>,
    /// `(n, bits)`: not where argument `n` is a constant without any of these bits.
    pub only: Option<(u32, u64)>,
}

/// A call that the library makes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Callback {
    /// Argument that is the function.
    pub func: u32,
    /// Argument [`Callback::func`] points to where the function's address is stored.
    pub behind: bool,
    /// The call comes at any time from then on: from another thread, or when a signal arrives.
    pub later: bool,
    /// For each of its parameters the argument whose value, or a pointer into whose pointee, it gets; `None` for a value
    /// without pointers.
    pub args: Vec<Option<u32>>,
}

impl LibFn {
    /// Whether each call returns memory that nothing else points to, or null.
    pub fn returns_fresh(&self) -> bool {
        self.alloc.is_some_and(|a| a.through.is_none()) && self.returns.is_empty()
    }

    /// Whether other threads, and handlers of signals, may have run when a call of it returns: it waits, or enters the system.
    pub fn lets_others_run(&self) -> bool {
        self.io || self.state || self.exits || self.noreturn || self.synchronises
    }

    /// Whether it reads, writes, prints and computes at most, or ends the program, now and through its arguments alone.
    pub fn only_accesses(&self) -> bool {
        let accesses = LibFn {
            name: self.name.clone(),
            reads: self.reads.clone(),
            writes: self.writes.clone(),
            returns: self.returns.clone(),
            counts: self.counts,
            surely: self.surely,
            within: self.within,
            inline: self.inline,
            noreturn: self.noreturn,
            ends: self.ends,
            exits: self.exits,
            io: self.io,
            state: self.state,
            ..LibFn::default()
        };
        *self == accesses
    }

    /// Whether calls may be added, dropped and moved freely as far as memory and the outside world go.
    pub fn is_pure(&self) -> bool {
        *self
            == LibFn {
                name: self.name.clone(),
                ..LibFn::default()
            }
    }
}
