//! All texts that give a program's names their numbers: its files, and the headers of the project.

use super::Planning;
use crate::llvm::Instead;
use std::collections::BTreeSet;
use std::path::Path;

impl Planning<'_, '_> {
    /// The headers of the project that the files include.
    pub(super) fn headers(&self) -> Vec<Instead> {
        let read = self.members.iter().flat_map(|m| &m.read.dependencies);
        let paths: BTreeSet<&Path> = read
            .map(|d| d.path.as_path())
            .filter(|p| !is_of_the_system(p))
            .collect();
        let text = |path: &Path| Some((path.to_owned(), std::fs::read(path).ok()?));
        paths.into_iter().filter_map(text).collect()
    }

    /// The texts of the program's files and of its headers.
    pub(super) fn texts<'t>(&'t self, headers: &'t [Instead]) -> impl Iterator<Item = &'t [u8]> {
        let own = self.members.iter().map(|m| m.unit.text);
        own.chain(headers.iter().map(|(_, text)| text.as_slice()))
    }
}

/// Whether nobody of the project gives the macros of a header other values.
fn is_of_the_system(header: &Path) -> bool {
    let ours = |folder: &str| header.starts_with(folder);
    ["/usr", "/lib", "/opt", "/ompmemopt"].into_iter().any(ours) || header.to_string_lossy().contains("/lib/clang/")
}
