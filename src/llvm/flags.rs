//! Which of the user's compiler flags also hold for the analysis, and what clang is called with.
//!
//! A command line from a build system says three kinds of things: what the source *means* (`-I`, `-D`, `-std`,
//! `-include`, `-m…`), which is kept; what to *produce* (`-c`, `-o x`, `-O2`, `-g`, `-M…`), which would fight with the
//! output asked for here; and OpenMP offloading, which would move kernels out of line. The last two are dropped.

use super::carried;
use super::stand_ins::{CUDA, OTHERWISE};
use std::ffi::OsString;
use std::path::Path;

/// Flags that are dropped together with the argument after them.
const WITH_ARGUMENT: &[&str] = &[
    "-o",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-Xopenmp-target",
    "--serialize-diagnostics",
];
/// Flags that are dropped when they match exactly.
const EXACT: &[&str] = &[
    "-c",
    "-S",
    "-E",
    "-P",
    "-v",
    "-pipe",
    "-emit-llvm",
    "-fsyntax-only",
    "-save-temps",
    "-ffast-math",
];
/// Flags that are dropped when they start so.
const PREFIXES: &[&str] = &[
    "-O",
    "-g",
    "-M",
    "-W",
    "-fopenmp",
    "-fno-openmp",
    "--offload",
    "-Xopenmp-target",
    "-fplugin",
    "-fsanitize",
    "-fprofile",
    "-fcoverage",
    "-flto",
    "-fdiagnostics",
    "-fcolor-diagnostics",
    "-save-temps=",
    "-foffload",
    "-fcf-protection",
    "-ffp-contract",
];
/// Flags that start like a dropped family but say what the source means.
const KEPT: &[&str] = &["-Wp,", "-Wno-"];

/// The flags that bear on what the source means, in their order.
///
/// `-W…` goes because `-Werror` would turn a warning into a refusal, but for `-Wno-…`, which may let clang accept old C
/// (`-Wno-implicit-int`); `-ffast-math` because the analysis never asks how
/// numbers are rounded and needs `isnan(x)` to remain a comparison.
pub(super) fn meaningful(flags: &[String]) -> Vec<&str> {
    let mut kept = Vec::with_capacity(flags.len());
    let mut rest = flags.iter().map(String::as_str);
    while let Some(flag) = rest.next() {
        let family = PREFIXES.iter().any(|prefix| flag.starts_with(prefix));
        let dropped_pair = WITH_ARGUMENT.contains(&flag) || (flag.starts_with("-Xopenmp-target") && !flag.is_empty());
        if dropped_pair {
            rest.next();
        } else if EXACT.contains(&flag) || (family && !KEPT.iter().any(|k| flag.starts_with(k))) {
            continue;
        } else {
            kept.push(flag);
        }
    }
    kept
}

/// The macros that flags of the user's define which are dropped: a text may ask for them.
fn defined(flags: &[String]) -> Vec<&'static str> {
    let last = |on: &[&str], off: &[&str]| {
        let mut said = flags.iter().rev().map(String::as_str);
        said.find(|f| on.contains(f) || off.contains(f))
            .is_some_and(|f| on.contains(&f))
    };
    let fast = last(&["-ffast-math", "-Ofast"], &["-fno-fast-math"]);
    let mut found = Vec::new();
    if fast {
        found.extend(["-D__FAST_MATH__=1", "-D__FINITE_MATH_ONLY__=1"]);
    }
    if !fast && !last(&["-fno-math-errno"], &["-fmath-errno"]) {
        // What is compiled for the analysis is compiled without `errno`, whatever the user says.
        found.push("-U__NO_MATH_ERRNO__");
    }
    found
}

/// All flags of one run: the user's, then `last`, which may name another language than C: then those that are for C only are left out.
/// In `headers` is the stand-in for `omp.h`, which is for plain C only.
pub(super) fn command_line(flags: &[String], last: &[String], headers: &Path) -> Vec<OsString> {
    let mut all: Vec<OsString> = Vec::new();
    let other_language = last.iter().position(|flag| flag == "-x");
    if other_language.is_some() {
        all.extend(["-I".into(), headers.join(CUDA).into()]);
    } else if !last.iter().any(|flag| flag == "-fopenmp") {
        all.extend(["-I".into(), headers.into()]);
    }
    all.extend(["-idirafter".into(), headers.join(OTHERWISE).into()]);
    all.extend(carried::c_library(flags));
    let of_c = |flag: &&str| flag.starts_with("-std=") && !flag.contains("++");
    let kept = meaningful(flags).into_iter();
    all.extend(
        kept.filter(|flag| other_language.is_none() || !of_c(flag))
            .map(OsString::from),
    );
    all.extend(last.iter().map(OsString::from));
    all.extend(defined(flags).into_iter().map(OsString::from));
    all.push("-fno-color-diagnostics".into());
    if other_language.is_none() {
        all.extend(["-x", "c"].map(OsString::from));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{defined, meaningful};

    fn kept(flags: &str) -> String {
        let flags: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
        meaningful(&flags).join(" ")
    }

    #[test]
    fn keeps_what_the_source_means() {
        let flags = "-I inc -isystem x -DN=3 -UQ -std=c99 -include pre.h -march=native -fsigned-char -Wno-implicit-int";
        assert_eq!(kept(flags), flags);
    }

    #[test]
    fn says_what_dropped_flags_define() {
        let of = |flags: &str| {
            let flags: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
            defined(&flags).join(" ")
        };
        assert_eq!(of("-O2"), "-U__NO_MATH_ERRNO__");
        assert_eq!(of("-fno-math-errno"), "");
        assert_eq!(of("-fno-math-errno -fmath-errno"), "-U__NO_MATH_ERRNO__");
        assert_eq!(of("-ffast-math"), "-D__FAST_MATH__=1 -D__FINITE_MATH_ONLY__=1");
        assert_eq!(of("-ffast-math -fno-fast-math"), "-U__NO_MATH_ERRNO__");
    }

    #[test]
    fn drops_outputs_and_offloading() {
        assert_eq!(
            kept(
                "-O3 -Wall -Werror -g -c -o a.o -MD -MF a.d -DX -fopenmp -fopenmp-targets=nvptx64 --offload-arch=sm_90 -Xopenmp-target -march=sm_90 -Iy"
            ),
            "-DX -Iy"
        );
    }
}
