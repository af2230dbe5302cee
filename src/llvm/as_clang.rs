//! This program as the compiler that it [carries](super::carried).
//!
//! `ompmemopt rewrite a.c` that needs to know why clang says no starts itself as `/ompmemopt/carried/bin/clang-19 -fsyntax-only … a.c`, reads
//! what that says, and sees how it ends.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use super::{carried, raw};

/// Does what clang would where this program was started as the compiler that it carries.
pub fn run_as_clang() -> Option<ExitCode> {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    (Path::new(arguments.first()?) == carried::compiler()?).then(|| raw::run_clang(&arguments))
}
