//! What C library functions do to the caller's memory.
//!
//! A program that calls `printf` or `qsort` calls code that is not in the file. Were that unknown code, every array
//! would have to be current on the host around each `printf`. The table (`table.txt`, one line a function, parsed once)
//! says which arguments are read and written and how far, what is allocated, freed, kept or called back.
//!
//! The user's own *definition* of a function of the same name always goes before the table: callers ask here only for
//! declarations.
//!
//! Some calls act later than where they stand:
//!
//! ```c
//! pthread_create(&t, 0, work, &box);          /* `work` runs at any time from here on             later2(3)            */
//! setvbuf(f, buffer, _IOFBF, 512);            /* `buffer` is used at any time                     share1               */
//! strtok(line, " "); … strtok(NULL, " ");    /* the second call goes on with what the first kept  keep0:token w:token  */
//! ```
//!
//! What users say of functions of other libraries ([`crate::config`]) has the same form.
//!
//! Limits: streams (`FILE *`) are library storage, without effects of their own beyond [`LibFn::io`] but for those of memory
//! (`fmemopen`), which is shared from then on, and of the program's own functions (`fopencookie`); functions of the table are taken to be the C library's even if another library defines them.

mod parse;

pub use parse::apply;

use std::sync::OnceLock;

use rustc_hash::FxHashMap;
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
    /// Memory that others may use at any time from this call on.
    pub shares: Vec<Share>,
    /// Arguments whose pointee receives pointers to unknown memory (`va_start`).
    pub fills: Vec<u32>,
    /// Functions it calls.
    pub callbacks: Vec<Callback>,
    /// Whenever it returns it has read and written all of what it says, where it says how much; it does nothing else to memory.
    pub surely: bool,
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
    pub extent: Extent,
}

/// A number of bytes, as the call's arguments give it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Extent {
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
    /// This many.
    Const(u64),
}

/// Fresh memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Alloc {
    /// `None`: its address is returned. `Some(n)`: stored where argument `n` points to.
    pub through: Option<u32>,
    /// Its size.
    pub size: Extent,
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
    pub extent: Extent,
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
        self.io || self.state || self.exits || self.noreturn
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

/// Global variables of the C library, by name. A file that declares one of them stays closed.
const GLOBALS: [&str; 17] = [
    "daylight",
    "environ",
    "opterr",
    "optarg",
    "optind",
    "optopt",
    "program_invocation_name",
    "program_invocation_short_name",
    "signgam",
    "stderr",
    "stdin",
    "stdout",
    "sys_errlist",
    "sys_nerr",
    "timezone",
    "tzname",
    "__environ",
];

/// Whether a global variable of this name belongs to the C library.
pub fn is_library_global(name: &str) -> bool {
    GLOBALS.contains(&name)
}

fn table() -> &'static FxHashMap<String, LibFn> {
    static TABLE: OnceLock<FxHashMap<String, LibFn>> = OnceLock::new();
    TABLE.get_or_init(|| {
        // The text is part of the program and a unit test parses every line of it, so bad lines cannot get here; a line
        // that did would be missing, and its function treated as unknown code.
        let (functions, _) = parse::parse(include_str!("table.txt"));
        functions.into_iter().map(|f| (f.name.clone(), f)).collect()
    })
}

/// The library function that a *declared* function of this name is, if the table has it.
///
/// LLVM intrinsics are found with or without `llvm.` and types (`memcpy`, `llvm.memcpy.p0.p0.i64`). glibc's versioned and checked names (`__isoc99_sscanf`, `__memcpy_chk`) and the compiler's
/// (`__builtin_…`) are found as the plain ones, as are the `float` and `long double` variants of mathematical functions.
pub fn lookup(name: &str) -> Option<&'static LibFn> {
    let table = table();
    if let Some(found) = table.get(name) {
        return Some(found);
    }
    if let Some(intrinsic) = name.strip_prefix("llvm.") {
        // A few have dots of their own before the types that an overloaded one's name ends with.
        let mut stem = intrinsic;
        loop {
            if let Some(found) = table.get(stem) {
                return Some(found);
            }
            stem = stem.rsplit_once('.')?.0;
        }
    }
    for prefix in ["__isoc99_", "__isoc23_", "__builtin_", "__xpg_"] {
        if let Some(found) = name.strip_prefix(prefix).and_then(|rest| table.get(rest)) {
            return Some(found);
        }
    }
    // The checked variants of these take the same arguments in the same places, and the buffer's size after them.
    name.strip_prefix("__")
        .and_then(|rest| rest.strip_suffix("_chk"))
        .and_then(|rest| table.get(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_parses_and_no_name_is_twice() {
        let (functions, problems) = parse::parse(include_str!("table.txt"));
        assert_eq!(problems, Vec::<String>::new());
        let mut names: Vec<_> = functions.iter().map(|f| &f.name).collect();
        names.sort();
        let twice: Vec<_> = names.windows(2).filter(|w| w[0] == w[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
        assert!(names.len() > 400);
    }

    #[test]
    fn memcpy_is_found_under_all_its_names() {
        for name in ["memcpy", "llvm.memcpy.p0.p0.i64", "__memcpy_chk", "__builtin_memcpy"] {
            let f = lookup(name).unwrap();
            assert_eq!(
                f.writes,
                [ArgAccess {
                    arg: 0,
                    rest: false,
                    behind: false,
                    extent: Extent::Bytes(2)
                }]
            );
            assert_eq!(f.returns, [Returned::Arg(0)]);
        }
    }

    #[test]
    fn unknown_names_are_unknown() {
        assert!(lookup("my_solver").is_none());
        assert!(lookup("memcpy_like").is_none());
        assert!(lookup("llvm.memory").is_none() && lookup("llvm.x86.avx.maskstore.pd").is_none());
        assert!(lookup("llvm.fmuladd.f64").unwrap().is_pure() && lookup("fmuladd").unwrap().is_pure());
        assert!(lookup("llvm.trap").unwrap().noreturn);
        assert!(lookup("llvm.va_start.p0").unwrap().fills == [0]);
    }

    #[test]
    fn flags_that_other_rooms_rely_on() {
        assert!(lookup("printf").unwrap().only_accesses() && !lookup("free").unwrap().only_accesses());
        assert!(!lookup("memcpy").unwrap().only_accesses() && lookup("memset").unwrap().only_accesses());
        assert!(lookup("sqrtf").unwrap().is_pure());
        assert!(lookup("malloc").unwrap().returns_fresh());
        assert!(!lookup("realpath").unwrap().returns_fresh());
        assert!(lookup("omp_target_alloc").unwrap().device);
        assert!(!lookup("omp_get_thread_num").unwrap().device);
        assert!(lookup("__assert_fail").unwrap().noreturn);
        assert_eq!(
            lookup("qsort").unwrap().callbacks,
            [Callback {
                func: 3,
                behind: false,
                later: false,
                args: vec![Some(0), Some(0)]
            }]
        );
        let printf = lookup("printf").unwrap();
        assert!(printf.io && printf.writes.is_empty() && printf.reads[1].rest);
    }
}
