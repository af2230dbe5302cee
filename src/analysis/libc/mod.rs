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
//! What users say of functions of other libraries ([`crate::config`]) has the same form. Of some libraries that numerical programs use
//! there are tables, too: of MPI (`mpi.txt`), and of BLAS, LAPACK, FFTW, HDF5 and NetCDF (`numeric.txt`). `--no-library` leaves one out.
//!
//! ```c
//! MPI_Irecv(row, n, MPI_DOUBLE, up, 0, comm, &request);     /* `row` is written here, and where it is waited for       */
//! MPI_Send(&u[n], n, MPI_DOUBLE, up, 0, comm);              /* r0[1*@2]: reads n elements of 8 bytes, and nothing else */
//! ```
//!
//! Limits: streams (`FILE *`) are library storage, without effects of their own beyond [`LibFn::io`] but for those of memory
//! (`fmemopen`), which is shared from then on, and of the program's own functions (`fopencookie`); functions of the table are taken to be the C library's even if another library defines them.

mod datatypes;
mod functions;
mod parse;

pub use datatypes::{bytes_of_global, bytes_of_handle};
pub use parse::apply;

pub use functions::{ArgAccess, ByteExtent, Callback, Keep, LibFn, PointerCopy, Returned, Share};
use std::collections::BTreeSet;
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

/// Whether a global variable of this name belongs to a library: what stands for datatypes and the like in other libraries than C's is
/// one of these.
pub fn is_library_global(name: &str) -> bool {
    let is_handle = |(prefix, suffix): &(&str, &str)| name.starts_with(prefix) && name.ends_with(suffix);
    GLOBALS.contains(&name) || HANDLES.iter().any(is_handle)
}

/// How the names of such handles begin and end: of Open MPI, and of HDF5.
const HANDLES: [(&str, &str); 3] = [("ompi_", ""), ("H5T_", "_g"), ("H5P_", "_g")];

/// What the names of intrinsics begin with.
const PREFIX: &str = "llvm.";

/// The tables, by the names of what they are about.
const TABLES: [(&str, &str); 3] = [
    ("c", include_str!("table.txt")),
    ("mpi", include_str!("mpi.txt")),
    ("numeric", include_str!("numeric.txt")),
];

/// The names of the tables that can be left out.
pub fn optional_libraries() -> impl Iterator<Item = &'static str> {
    TABLES
        .iter()
        .map(|(library, _)| *library)
        .filter(|library| *library != "c")
}

/// A function with the table that has it.
struct LibraryLine {
    function: LibFn,
    library: &'static str,
}

fn table() -> &'static FxHashMap<String, LibraryLine> {
    static TABLE: OnceLock<FxHashMap<String, LibraryLine>> = OnceLock::new();
    TABLE.get_or_init(|| {
        // The texts are part of the program and a unit test parses every line of them, so bad lines cannot get here; a line
        // that did would be missing, and its function treated as unknown code.
        let each = TABLES.iter().flat_map(|(library, text)| {
            let (functions, _) = parse::parse(text);
            functions
                .into_iter()
                .map(move |function| LibraryLine { function, library })
        });
        each.map(|listed| (listed.function.name.clone(), listed)).collect()
    })
}

/// The library function that a *declared* function of this name is, if a table has it that is not left out.
pub fn lookup_without(name: &str, without: &BTreeSet<String>) -> Option<&'static LibFn> {
    let found = listed(name)?;
    (!without.contains(found.library)).then_some(&found.function)
}

/// Whether libraries define what has this name, those that are left out aside.
pub fn defines(name: &str, without: &BTreeSet<String>) -> bool {
    lookup_without(name, without).is_some() || is_library_global(name)
}

/// The library function that a *declared* function of this name is, if a table has it.
pub fn lookup(name: &str) -> Option<&'static LibFn> {
    Some(&listed(name)?.function)
}

/// The line of a function's name.
///
/// LLVM intrinsics are found with or without types (`llvm.smax`, `llvm.smax.i32`), those that are functions of C also as these
/// (`memcpy`, `llvm.memcpy.p0.p0.i64`). glibc's versioned and checked names (`__isoc99_sscanf`, `__memcpy_chk`) and the compiler's
/// (`__builtin_…`) are found as the plain ones, as are the `float` and `long double` variants of mathematical functions.
fn listed(name: &str) -> Option<&'static LibraryLine> {
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
        let mut names: Vec<String> = Vec::new();
        for (library, text) in TABLES {
            let (functions, problems) = parse::parse(text);
            assert_eq!(problems, Vec::<String>::new(), "{library}");
            names.extend(functions.into_iter().map(|f| f.name));
        }
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
    fn libraries_can_be_left_out() {
        let without = |name: &str| BTreeSet::from([name.to_owned()]);
        assert!(lookup("MPI_Send").is_some_and(|f| f.within && f.io));
        assert!(lookup_without("MPI_Send", &without("mpi")).is_none());
        assert!(lookup_without("MPI_Send", &without("numeric")).is_some());
        assert!(lookup("MPI_Win_create").is_none() && lookup("MPI_Op_create").is_none());
        assert_eq!(optional_libraries().collect::<Vec<_>>(), ["mpi", "numeric"]);
        assert!(is_library_global("ompi_mpi_double") && is_library_global("H5T_NATIVE_DOUBLE_g"));
        assert!(!is_library_global("H5T_mine") && !is_library_global("grid"));
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
