//! What the facts of a file are made of.

use crate::llvm::{self, BuildScope, ClangOptions};
use blake3::{Hash, Hasher};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A file as clang is asked about it.
#[derive(Clone, Copy, Debug)]
pub struct UnitSource<'a> {
    /// The compiler, as [`llvm::find_clang`] returned it.
    pub clang: &'a Path,
    /// The file on disk.
    pub file: &'a Path,
    /// The file's name for the compiler.
    pub name: &'a Path,
    /// The file's text.
    pub text: &'a [u8],
    /// How it is compiled.
    pub options: &'a ClangOptions,
}

impl UnitSource<'_> {
    /// A hash of all of this, and of which file the compiler is. What the text includes is not in it.
    pub fn hash(&self) -> Hash {
        let mut hasher = Hasher::new();
        let mut part = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
        };
        let compiler = llvm::compiler_file(self.clang);
        if let Some((file, metadata)) = compiler.and_then(|file| Some((file.clone(), file.metadata().ok()?))) {
            part(file.as_os_str().as_bytes());
            part(&metadata.len().to_le_bytes());
            part(&metadata.mtime().to_le_bytes());
            part(&metadata.mtime_nsec().to_le_bytes());
        } else {
            part(self.clang.as_os_str().as_bytes());
        }
        part(absolute(self.file).as_os_str().as_bytes());
        part(self.name.as_os_str().as_bytes());
        part(absolute(&self.options.working_dir).as_os_str().as_bytes());
        part(&self.options.openmp_version.to_le_bytes());
        part(&[u8::from(self.options.builds == BuildScope::This)]);
        part(&(self.options.flags.len() as u64).to_le_bytes());
        for flag in &self.options.flags {
            part(flag.as_bytes());
        }
        part(self.text);
        hasher.finalize()
    }
}

/// The path from the root; an empty one is the current folder.
pub(super) fn absolute(path: &Path) -> PathBuf {
    let path = match path.as_os_str().is_empty() {
        true => Path::new("."),
        false => path,
    };
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
