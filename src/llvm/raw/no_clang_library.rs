//! In the place of `clang_library` where clang's library is not linked: there is none, so nothing can be asked of it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::Bitcode;

/// Never made.
pub(in crate::llvm) enum ClangLibrary {}

/// What would be asked.
#[expect(dead_code, reason = "nobody is there to be asked")]
pub(in crate::llvm) struct Request<'a> {
    pub flags: &'a [OsString],
    pub path: &'a Path,
    pub text: &'a [u8],
    pub headers: &'a [(&'a Path, &'a [u8])],
    pub folder: Option<&'a Path>,
}

impl ClangLibrary {
    pub fn of(_: &Path) -> Option<ClangLibrary> {
        None
    }

    pub fn compile(&self, _: &Request) -> Option<(Bitcode, Vec<PathBuf>)> {
        match *self {}
    }

    pub fn accepts(&self, _: &Request) -> bool {
        match *self {}
    }

    pub fn preprocess(&self, _: &Request) -> Option<Vec<u8>> {
        match *self {}
    }
}
