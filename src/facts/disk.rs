//! What files hold now, as hashes.
//!
//! Many files include the same headers, so each file is read once and then known by its *stamp*: length, times of change
//! of content and of attributes, and number. A stamp younger than [`SETTLED`] is not relied on: within the clock's
//! resolution the file could change once more and look the same.

use blake3::Hash;
use rustc_hash::FxHashMap;
use std::fs::{File, Metadata};
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How old a change must be for the file's times to tell it from the next one. Some file systems count in two seconds.
const SETTLED: Duration = Duration::from_secs(3);

/// Answers what files hold, for any number of threads.
#[derive(Debug, Default)]
pub struct Disk {
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    files: FxHashMap<PathBuf, (Stamp, Hash)>,
}

/// What tells two states of a file apart without reading it. Times are nanoseconds since 1970.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stamp {
    len: u64,
    modified: i128,
    changed: i128,
    number: u64,
}

impl Stamp {
    fn of(metadata: &Metadata) -> Stamp {
        let time = |seconds: i64, nanos: i64| i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
        Stamp {
            len: metadata.len(),
            modified: time(metadata.mtime(), metadata.mtime_nsec()),
            changed: time(metadata.ctime(), metadata.ctime_nsec()),
            number: metadata.ino(),
        }
    }

    /// Whether the last change, of content or name, was before `time`.
    fn is_before(&self, time: SystemTime) -> bool {
        let time = time.duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos() as i128);
        self.modified.max(self.changed) < time
    }
}

impl Disk {
    /// The hash of the file's content; `None` if it is not a file that can be read.
    pub fn hash(&self, path: &Path) -> Option<Hash> {
        self.look(path).map(|(_, hash)| hash)
    }

    /// As [`hash`](Disk::hash), if the file was last changed before `time`.
    pub(super) fn hash_before(&self, path: &Path, time: SystemTime) -> Option<Hash> {
        self.look(path)
            .filter(|(stamp, _)| stamp.is_before(time))
            .map(|(_, hash)| hash)
    }

    fn look(&self, path: &Path) -> Option<(Stamp, Hash)> {
        let metadata = std::fs::metadata(path).ok().filter(Metadata::is_file)?;
        let stamp = Stamp::of(&metadata);
        if let Some((known, hash)) = self.known().files.get(path)
            && *known == stamp
        {
            return Some((stamp, *hash));
        }
        let now = SystemTime::now();
        let mut file = File::open(path).ok()?;
        let before = Stamp::of(&file.metadata().ok()?);
        let mut bytes = Vec::with_capacity(before.len.min(1 << 20) as usize);
        file.read_to_end(&mut bytes).ok()?;
        let after = Stamp::of(&file.metadata().ok()?);
        let hash = blake3::hash(&bytes);
        if before == after && now.checked_sub(SETTLED).is_some_and(|then| after.is_before(then)) {
            self.known().files.insert(path.to_owned(), (after, hash));
        }
        Some((after, hash))
    }

    /// Every change is one insertion, so a panic elsewhere leaves nothing half done.
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
