//! Files that change while nobody edits them: the compilation database, `ompmemopt.toml`, files that another program writes.
//!
//! Editors that can are asked to tell of them. For the others the server looks every few seconds: at the sources of the programs that
//! have open files, and at where a database or a configuration of these files may be. (Messages of the system itself would not come from
//! the file systems that clusters share.)

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// The names of files that say how programs are compiled and looked at.
const SETTINGS: [&str; 2] = ["compile_commands.json", crate::config::FILE_NAME];

/// The files that editors are asked to tell of.
pub const PATTERNS: [&str; 3] = [
    "**/compile_commands.json",
    "**/ompmemopt.toml",
    "**/*.{c,h,inc,cu,cuh,upc}",
];

/// How often the server looks.
pub const EVERY: Duration = Duration::from_secs(3);

/// What tells two states of a file apart, as far as that is worth a look.
type FileState = Option<(u64, SystemTime)>;

/// What files were like when the server looked last.
#[derive(Debug, Default)]
pub struct WatchedFiles {
    known: BTreeMap<PathBuf, FileState>,
    looked: Option<Instant>,
}

impl WatchedFiles {
    /// Looks at files, if it is time: whether one of them is not what it was.
    pub fn have_changed(&mut self, files: impl Iterator<Item = PathBuf>, now: Instant) -> bool {
        if { self.looked }.is_some_and(|then| now.duration_since(then) < EVERY) {
            return false;
        }
        self.looked = Some(now);
        let state = |path: &Path| {
            let metadata = path.metadata().ok()?;
            Some((metadata.len(), metadata.modified().ok()?))
        };
        let now: BTreeMap<PathBuf, FileState> = files.map(|path| (path.clone(), state(&path))).collect();
        let changed = now
            .iter()
            .any(|(path, state)| self.known.get(path).is_some_and(|known| known != state));
        self.known = now;
        changed
    }
}

/// Where settings of a file may be.
pub fn settings_of(file: &Path) -> impl Iterator<Item = PathBuf> + '_ {
    let folders = file.ancestors().skip(1);
    folders.flat_map(|folder| SETTINGS.map(|name| folder.join(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_seen_once_and_not_too_often() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("sub/a.c");
        let files = || settings_of(&file);
        let (mut watched, begun) = (WatchedFiles::default(), Instant::now());
        assert!(!watched.have_changed(files(), begun));
        std::fs::write(folder.path().join("compile_commands.json"), "[]").unwrap();
        assert!(!watched.have_changed(files(), begun + EVERY / 2));
        assert!(watched.have_changed(files(), begun + EVERY));
        assert!(!watched.have_changed(files(), begun + EVERY * 2));
    }
}
