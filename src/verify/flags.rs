//! Which of the user's flags a program is built with here.
//!
//! The two forms of a program are built to run on this machine, and what is offloaded goes to the host's plugin; so
//! what a build system says about offloading is dropped, and what it says about other outputs than a program.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

/// Flags that are dropped when they start so: those of OpenMP and of offloading in the ways of several compilers.
const OFFLOADING: &[&str] = &[
    "-fopenmp",
    "-fno-openmp",
    "-fopenacc",
    "-foffload",
    "--offload",
    "-Xopenmp-target",
];
/// Flags about what to write, dropped when they match exactly.
const OUTPUTS: &[&str] = &[
    "-c",
    "-S",
    "-E",
    "-emit-llvm",
    "-fsyntax-only",
    "-M",
    "-MM",
    "-MD",
    "-MMD",
    "-MP",
    "-MG",
];
/// Flags about outputs and offloading, dropped together with the argument after them.
const WITH_ARGUMENT: &[&str] = &["-o", "-MF", "-MT", "-MQ", "-MJ", "-Xopenmp-target"];

/// The flags without those, in their order.
pub(super) fn of_both_forms(flags: &[OsString]) -> Vec<&OsStr> {
    let mut kept = Vec::with_capacity(flags.len());
    let mut rest = flags.iter();
    while let Some(flag) = rest.next() {
        let one_of = |words: &[&str]| words.iter().any(|word| flag == word);
        if one_of(WITH_ARGUMENT) || starts_with(flag, "-Xopenmp-target=") {
            rest.next();
        } else if !one_of(OUTPUTS) && !OFFLOADING.iter().any(|w| starts_with(flag, w)) {
            kept.push(flag.as_os_str());
        }
    }
    kept
}

fn starts_with(flag: &OsStr, word: &str) -> bool {
    flag.as_bytes().starts_with(word.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offloading_and_outputs_go() {
        let flags = "-O2 -fopenmp -fopenmp-targets=nvptx64 -Xopenmp-target -march=sm_90 -Xopenmp-target=x -y \
                     --offload-arch=native -DN=3 -MD -MF a.d -c -o a.o -Wl,-z -lfoo -Iinc";
        let flags: Vec<OsString> = flags.split_whitespace().map(OsString::from).collect();
        let kept: Vec<&str> = of_both_forms(&flags).iter().map(|f| f.to_str().unwrap()).collect();
        assert_eq!(kept.join(" "), "-O2 -DN=3 -Wl,-z -lfoo -Iinc");
    }
}
