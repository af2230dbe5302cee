//! What a program that was built with the feature `static` carries, so that it needs no installation of LLVM: clang, its headers, and
//! those of a C library.
//!
//! Files that are carried have names under [`ROOT`], where no folder is: clang's library sees them there by a file system in memory, so
//! that nothing is unpacked, nobody can change them, and nothing is left behind. A compiler of its own is carried, too: who starts
//! [`compiler`] by [`command`] starts this program once more, under that name, which then does what clang would
//! ([`run_as_clang`](super::run_as_clang)).
//!
//! On a machine without clang, `double x = sin(1)` in `a.c` with `#include <math.h>`:
//! - the text is compiled in this process; `math.h` is the machine's, or, where there is no C library to compile with, the carried one;
//! - where the library says no, this program is started as clang on the file, and what it says on its standard error is the reason.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::search_path::on_search_path;

/// Folder of what is carried.
pub(super) const ROOT: &str = "/ompmemopt/carried";
/// The compiler. clang looks for its headers from here.
const COMPILER: &str = concat!("/ompmemopt/carried/bin/clang-", env!("OMPMEMOPT_LLVM_MAJOR"));
/// Where the carried compiler is told that its headers are: distributions patch other places in.
const RESOURCES: &str = concat!(
    "-resource-dir=/ompmemopt/carried/lib/clang/",
    env!("OMPMEMOPT_LLVM_MAJOR")
);
const BUILTIN: &str = concat!(
    "-isystem/ompmemopt/carried/lib/clang/",
    env!("OMPMEMOPT_LLVM_MAJOR"),
    "/include"
);
/// Headers of the C library, inside of [`ROOT`].
const C_LIBRARY: &str = "libc/include";
/// A header that each C library has, where compilers look for it.
const INSTALLED: [&str; 2] = ["/usr/include/stdio.h", "/usr/local/include/stdio.h"];

/// Flags that say where headers of the system are to be looked for, or for which system.
const OTHER_SYSTEMS: [&str; 7] = [
    "--sysroot",
    "-isysroot",
    "-target",
    "--target",
    "-nostdinc",
    "-nostdlibinc",
    "--gcc-toolchain",
];

/// The names of the headers, under [`ROOT`], with where their texts begin in [`TEXTS`] and how long they are. None without the feature.
static HEADERS: &[(&str, usize, usize)] = include!(concat!(env!("OUT_DIR"), "/carried.rs"));
/// The texts of the headers, with a zero behind each, as clang's library wants them.
static TEXTS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/carried.bin"));

/// The compiler that is carried.
pub fn compiler() -> Option<&'static Path> {
    (!HEADERS.is_empty()).then_some(Path::new(COMPILER))
}

/// All headers, with their names. Behind each text in memory is a zero.
pub(super) fn headers() -> impl Iterator<Item = (PathBuf, &'static [u8])> {
    let text = |start: usize, length: usize| &TEXTS[start..start + length];
    { HEADERS.iter() }.map(move |(name, start, length)| (Path::new(ROOT).join(name), text(*start, *length)))
}

/// What the carried compiler is told besides `flags`, after these: what the user names for the system is searched before clang's own
/// headers, and those of the system after these.
pub(super) fn own_flags<'f>(mut flags: impl Iterator<Item = &'f OsStr>) -> Vec<&'static str> {
    match flags.any(|flag| flag == "-nostdinc" || flag == "-nobuiltininc") {
        true => vec![RESOURCES],
        false => vec![RESOURCES, "-nobuiltininc", BUILTIN],
    }
}

/// A command that starts a compiler, which may be the carried one.
pub(super) fn command(clang: &Path) -> Command {
    use std::os::unix::process::CommandExt;
    match (compiler(), this_program()) {
        (Some(own), Some(program)) if own == clang => {
            let mut command = Command::new(program);
            command.arg0(clang);
            command
        }
        _ => Command::new(clang),
    }
}

/// The file of this program. Where no `/proc` is mounted, the one that was called.
fn this_program() -> Option<PathBuf> {
    let called = || on_search_path(Path::new(&std::env::args_os().next()?));
    std::env::current_exe().ok().or_else(called)
}

/// Whether the headers of the C library are those that are carried: none are installed, and no flag names another system.
pub fn is_c_library_carried(flags: &[String]) -> bool {
    let is_elsewhere = |flag: &String| OTHER_SYSTEMS.iter().any(|other| flag.starts_with(other));
    compiler().is_some() && !flags.iter().any(is_elsewhere) && !INSTALLED.iter().any(|file| Path::new(file).is_file())
}

/// The flags by which clang finds the carried headers of the C library, where these are needed: after all others.
pub(super) fn c_library(flags: &[String]) -> Vec<OsString> {
    match is_c_library_carried(flags) {
        true => vec!["-idirafter".into(), Path::new(ROOT).join(C_LIBRARY).into()],
        false => Vec::new(),
    }
}
