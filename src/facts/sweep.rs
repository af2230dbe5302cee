//! Keeps a store from growing without end: the entries that were not used for longest go.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How long the last sweep is good for.
const PAUSE: Duration = Duration::from_secs(3600);

/// How old a file must be to be thought left behind by a run that was ended.
const ABANDONED: Duration = Duration::from_secs(24 * 3600);

/// Removes entries where there are more than `limit` bytes of them, unless that was looked at not long ago.
pub(super) fn now_and_then(folder: &Path, limit: u64) {
    let marker = folder.join("swept");
    let age = |path: &Path| fs::metadata(path).ok()?.modified().ok()?.elapsed().ok();
    if age(&marker).is_some_and(|age| age < PAUSE) {
        return;
    }
    // Written first, so that other runs leave the work to this one. A store that cannot be written is not swept.
    if fs::write(&marker, "").is_ok() {
        sweep(folder, limit);
    }
}

struct StoredFile {
    used: SystemTime,
    bytes: u64,
    path: PathBuf,
}

/// Removes the entries used least recently until four fifths of `limit` are left. What another run removes or adds
/// meanwhile does no harm.
fn sweep(folder: &Path, limit: u64) {
    let mut entries = entries(folder);
    let mut total: u64 = entries.iter().map(|entry| entry.bytes).sum();
    if total <= limit {
        return;
    }
    entries.sort_by(|a, b| (a.used, &a.path).cmp(&(b.used, &b.path)));
    for entry in entries {
        if total <= limit / 5 * 4 {
            break;
        }
        if fs::remove_file(&entry.path).is_ok() {
            total -= entry.bytes;
        }
    }
}

/// All entries. Files that a run left half written are removed on the way.
fn entries(folder: &Path) -> Vec<StoredFile> {
    let list = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found = Vec::new();
    for shelf in list(folder).filter(|entry| is_shelf(&entry.file_name().to_string_lossy())) {
        for entry in list(&shelf.path()) {
            let Some((metadata, used)) = entry
                .metadata()
                .ok()
                .and_then(|m| Some((m.clone(), m.modified().ok()?)))
            else {
                continue;
            };
            if !metadata.is_file() {
                continue;
            }
            if !entry.file_name().to_string_lossy().starts_with('.') {
                found.push(StoredFile {
                    used,
                    bytes: metadata.len(),
                    path: entry.path(),
                });
            } else if used.elapsed().is_ok_and(|age| age > ABANDONED) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
    found
}

/// Whether a folder of this name has entries: two hexadecimal digits. Nothing else is touched.
fn is_shelf(name: &str) -> bool {
    name.len() == 2 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_used_go_first() {
        let folder = tempfile::tempdir().unwrap();
        let now = SystemTime::now();
        let file = |name: &str, age: u64| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, [0; 100]).unwrap();
            let file = fs::File::options().write(true).open(&path).unwrap();
            file.set_modified(now - Duration::from_secs(age)).unwrap();
        };
        let names = ["0a/0a1", "0a/0a2", "ff/ff1", "ff/ff2", "ff/ff3"];
        for (index, name) in names.iter().enumerate() {
            file(name, 1000 + index as u64);
        }
        file("ff/.ompmemopt-left", 100_000);
        file("ff/.ompmemopt-now", 1);
        file("other/mine", 100_000);
        let there = |name: &str| folder.path().join(name).exists();
        now_and_then(folder.path(), 500);
        assert!(names.iter().all(|name| there(name)));
        assert!(!there("ff/.ompmemopt-left") && there("ff/.ompmemopt-now"));
        now_and_then(folder.path(), 400);
        assert!(there("ff/ff3"), "there was a sweep just now");
        sweep(folder.path(), 400);
        let left: Vec<bool> = names.iter().map(|name| there(name)).collect();
        assert_eq!(left, [true, true, true, false, false]);
        assert!(there("other/mine"));
    }
}
