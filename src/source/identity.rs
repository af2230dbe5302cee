//! Whether two names mean one file.
//!
//! ```text
//! /p/src/../inc/grid.h    as clang has found it        ─┐
//! /p/inc/grid.h           as an editor has opened it   ─┴► device 8, number 4711
//! ```
//!
//! A name may go over links and `..`, so names are compared by what the system says of the files. Files that are not there have
//! their names only.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// What the system knows a file by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct FileId {
    device: u64,
    number: u64,
}

impl FileId {
    /// The file with a name, if there is one.
    pub fn of(path: &Path) -> Option<FileId> {
        path.metadata().ok().map(|metadata| FileId::from(&metadata))
    }
}

impl From<&Metadata> for FileId {
    fn from(metadata: &Metadata) -> FileId {
        FileId {
            device: metadata.dev(),
            number: metadata.ino(),
        }
    }
}

/// Whether two names mean one file, there or not.
pub fn are_one_file(one: &Path, other: &Path) -> bool {
    one == other || FileId::of(one).is_some_and(|id| FileId::of(other) == Some(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_over_folders_and_links_mean_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("src")).unwrap();
        std::fs::write(at("a.h"), "").unwrap();
        std::fs::write(at("b.h"), "").unwrap();
        std::os::unix::fs::symlink("a.h", at("link.h")).unwrap();
        assert!(are_one_file(&at("a.h"), &at("src/../a.h")));
        assert!(are_one_file(&at("link.h"), &at("a.h")));
        assert!(!are_one_file(&at("a.h"), &at("b.h")));
        assert!(are_one_file(&at("no.h"), &at("no.h")));
        assert!(!are_one_file(&at("no.h"), &at("a.h")));
    }
}
