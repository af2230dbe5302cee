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

mod functions;
mod parse;

pub use parse::apply;

pub use functions::{ArgAccess, ByteExtent, Callback, Keep, LibFn, Returned, Share};
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

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

/// What the names of intrinsics begin with.
const PREFIX: &str = "llvm.";

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
/// LLVM intrinsics are found with or without types (`llvm.smax`, `llvm.smax.i32`), those that are functions of C also as these
/// (`memcpy`, `llvm.memcpy.p0.p0.i64`). glibc's versioned and checked names (`__isoc99_sscanf`, `__memcpy_chk`) and the compiler's
/// (`__builtin_…`) are found as the plain ones, as are the `float` and `long double` variants of mathematical functions.
pub fn lookup(name: &str) -> Option<&'static LibFn> {
    let table = table();
    if let Some(found) = table.get(name) {
        return Some(found);
    }
    if let Some(intrinsic) = name.strip_prefix(PREFIX) {
        // A few have dots of their own before the types that an overloaded one's name ends with.
        let mut stem = intrinsic;
        loop {
            if let Some(found) = table
                .get(&name[..PREFIX.len() + stem.len()])
                .or_else(|| table.get(stem))
            {
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
                    extent: ByteExtent::Bytes(2)
                }]
            );
            assert_eq!(f.returns, [Returned::Arg(0)]);
        }
    }

    #[test]
    fn unknown_names_are_unknown() {
        assert!(lookup("my_solver").is_none());
        assert!(lookup("memcpy_like").is_none() && lookup("smax").is_none() && lookup("maximum").is_none());
        assert!(lookup("llvm.memory").is_none() && lookup("llvm.x86.avx.maskstore.pd").is_none());
        assert!(lookup("llvm.fmuladd.f64").unwrap().is_pure() && lookup("llvm.fmuladd").unwrap().is_pure());
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
