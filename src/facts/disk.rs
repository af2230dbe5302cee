//! What files hold now, as hashes.
//!
//! Many files include the same headers, so each file is read once and then known by its *stamp*: length, times of change
//! of content and of attributes, and number. A stamp younger than [`SETTLED`] is not relied on: within the clock's
//! resolution the file could change once more and look the same.
//!
//! Of some files somebody may have a text that is not saved yet: then that is what they hold.

use crate::source::FileId;
use blake3::Hash;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs::{File, Metadata};
use std::io::Read;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How old a change must be for the file's times to tell it from the next one. Some file systems count in two seconds.
const SETTLED: Duration = Duration::from_secs(3);

/// Most files that are remembered from one run to the next.
const MOST_KEPT: usize = 50_000;

/// Answers what files hold, for any number of threads.
#[derive(Debug, Default)]
pub struct Disk {
    known: Mutex<KnownFiles>,
    /// What files are taken to hold, whatever they do hold.
    unsaved: RwLock<Vec<UnsavedFile>>,
}

/// A file of which somebody has a text that is not on the disk.
#[derive(Debug)]
struct UnsavedFile {
    path: PathBuf,
    /// `None`: it is not there.
    id: Option<FileId>,
    hash: Hash,
}

#[derive(Debug, Default)]
struct KnownFiles {
    /// What was asked about in this run and is settled.
    files: FxHashMap<PathBuf, (FileStamp, Hash)>,
    /// What an earlier run left and nobody has asked about yet.
    earlier: FxHashMap<PathBuf, (FileStamp, Hash)>,
    /// Something is known that the earlier run did not know.
    grown: bool,
}

/// What tells two states of a file apart without reading it. Times are nanoseconds since 1970.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct FileStamp {
    len: u64,
    modified: i128,
    changed: i128,
    number: u64,
}

impl FileStamp {
    fn of(metadata: &Metadata) -> FileStamp {
        let time = |seconds: i64, nanos: i64| i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
        FileStamp {
            len: metadata.len(),
            modified: time(metadata.mtime(), metadata.mtime_nsec()),
            changed: time(metadata.ctime(), metadata.ctime_nsec()),
            number: metadata.ino(),
        }
    }

    /// Whether the last change was before `time`. The time that counts is the one that nobody can set.
    fn is_before(&self, time: SystemTime) -> bool {
        let time = time.duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos() as i128);
        self.changed < time
    }
}

impl Disk {
    /// The hash of the file's content; `None` if it is not a file that can be read.
    pub fn hash(&self, path: &Path) -> Option<Hash> {
        self.unsaved(path).or_else(|| self.saved_hash(path))
    }

    /// The hash of what is on the disk, whatever somebody has written and not saved.
    pub(super) fn saved_hash(&self, path: &Path) -> Option<Hash> {
        self.look(path).map(|(_, hash)| hash)
    }

    /// From now on these files are taken to hold what has these hashes, and no others are.
    pub(super) fn take_as_unsaved(&self, files: Vec<(PathBuf, Hash)>) {
        let with_id = files.into_iter().map(|(path, hash)| UnsavedFile {
            id: FileId::of(&path),
            path,
            hash,
        });
        *self.unsaved.write().unwrap_or_else(PoisonError::into_inner) = with_id.collect();
    }

    /// Whether some file is taken to hold what is not on the disk.
    pub(super) fn has_unsaved(&self) -> bool {
        !self.unsaved.read().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    fn unsaved(&self, path: &Path) -> Option<Hash> {
        let unsaved = self.unsaved.read().unwrap_or_else(PoisonError::into_inner);
        if unsaved.is_empty() {
            return None;
        }
        let id = FileId::of(path);
        let found = { unsaved.iter() }.find(|file| file.path == path || (id.is_some() && file.id == id));
        found.map(|file| file.hash)
    }

    /// As [`hash`](Disk::hash), if the file was last changed before `time`.
    pub(super) fn hash_before(&self, path: &Path, time: SystemTime) -> Option<Hash> {
        let settled = || self.look(path).filter(|(stamp, _)| stamp.is_before(time));
        self.unsaved(path).or_else(|| settled().map(|(_, hash)| hash))
    }

    fn look(&self, path: &Path) -> Option<(FileStamp, Hash)> {
        let metadata = std::fs::metadata(path).ok().filter(Metadata::is_file)?;
        let stamp = FileStamp::of(&metadata);
        if let Some(hash) = self.known().find(path, &stamp) {
            return Some((stamp, hash));
        }
        let now = SystemTime::now();
        let mut file = File::open(path).ok()?;
        let before = FileStamp::of(&file.metadata().ok()?);
        let mut bytes = Vec::with_capacity(before.len.min(1 << 20) as usize);
        file.read_to_end(&mut bytes).ok()?;
        let after = FileStamp::of(&file.metadata().ok()?);
        let hash = blake3::hash(&bytes);
        if before == after && now.checked_sub(SETTLED).is_some_and(|then| after.is_before(then)) {
            let mut known = self.known();
            known.files.insert(path.to_owned(), (after, hash));
            known.grown = true;
        }
        Some((after, hash))
    }

    /// What [`save`](Disk::save) wrote in another run. Bytes that make no sense teach nothing.
    pub(super) fn load(bytes: &[u8]) -> Disk {
        let files: Vec<(Vec<u8>, FileStamp, Hash)> = postcard::from_bytes(bytes).unwrap_or_default();
        let earlier = files
            .into_iter()
            .map(|(path, stamp, hash)| (OsString::from_vec(path).into(), (stamp, hash)))
            .collect();
        let known = KnownFiles {
            earlier,
            ..KnownFiles::default()
        };
        Disk {
            known: Mutex::new(known),
            unsaved: RwLock::default(),
        }
    }

    /// What is known, if that is more than was loaded. When it gets too much, what was not asked about goes.
    pub(super) fn save(&self) -> Option<Vec<u8>> {
        let known = self.known();
        if !known.grown {
            return None;
        }
        let keep_earlier = known.files.len() + known.earlier.len() <= MOST_KEPT;
        let earlier = known.earlier.iter().filter(|_| keep_earlier);
        let mut files: Vec<(&[u8], FileStamp, Hash)> = earlier
            .chain(&known.files)
            .map(|(path, (stamp, hash))| (path.as_os_str().as_bytes(), *stamp, *hash))
            .collect();
        files.sort_unstable_by_key(|(path, _, _)| *path);
        files.truncate(MOST_KEPT);
        postcard::to_stdvec(&files).ok()
    }

    /// Every change is one insertion, so a panic elsewhere leaves nothing half done.
    fn known(&self) -> MutexGuard<'_, KnownFiles> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl KnownFiles {
    /// The hash of a file that has this stamp.
    fn find(&mut self, path: &Path, stamp: &FileStamp) -> Option<Hash> {
        if !self.files.contains_key(path) {
            let (path, known) = self.earlier.remove_entry(path)?;
            self.files.insert(path, known);
        }
        let (known, hash) = self.files.get(path)?;
        (known == stamp).then_some(*hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn written(folder: &Path, name: &str, text: &str) -> PathBuf {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path
    }

    #[test]
    fn a_file_that_was_just_changed_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let disk = Disk::default();
        for text in ["one", "two", "six"] {
            let path = written(folder.path(), "a", text);
            assert_eq!(disk.hash(&path), Some(blake3::hash(text.as_bytes())));
        }
        assert!(disk.save().is_none());
        assert_eq!(disk.hash(folder.path()), None);
        assert_eq!(disk.hash(&folder.path().join("b")), None);
    }

    #[test]
    fn what_is_settled_is_remembered() {
        // A file of the system: nobody has changed it these last seconds.
        let path = Path::new("/bin/sh");
        let disk = Disk::default();
        let hash = disk.hash(path).unwrap();
        let saved = disk.save().unwrap();
        let later = Disk::load(&saved);
        assert_eq!(later.hash(path), Some(hash));
        assert!(later.save().is_none());
        assert_eq!(later.hash(Path::new("/bin/cat")).is_some(), later.save().is_some());
        assert_eq!(Disk::load(b"\xff\xff").hash(path), Some(hash));
    }

    #[test]
    fn unsaved_texts_are_what_files_hold() {
        let folder = tempfile::tempdir().unwrap();
        let path = written(folder.path(), "a.h", "saved");
        fs::create_dir(folder.path().join("src")).unwrap();
        let other_way = folder.path().join("src/../a.h");
        let (disk, hash) = (Disk::default(), blake3::hash(b"unsaved"));
        disk.take_as_unsaved(vec![(path.clone(), hash), (folder.path().join("no.h"), hash)]);
        assert_eq!(disk.hash(&other_way), Some(hash));
        assert_eq!(disk.hash(&folder.path().join("no.h")), Some(hash));
        assert_eq!(disk.hash_before(&path, UNIX_EPOCH), Some(hash));
        assert_eq!(disk.saved_hash(&path), Some(blake3::hash(b"saved")));
        disk.take_as_unsaved(Vec::new());
        assert_eq!(disk.hash(&path), Some(blake3::hash(b"saved")));
    }

    #[test]
    fn changes_during_a_reading_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = written(folder.path(), "a", "text");
        let disk = Disk::default();
        assert!(
            disk.hash_before(&path, SystemTime::now() + Duration::from_secs(1))
                .is_some()
        );
        assert!(
            disk.hash_before(&path, SystemTime::now() - Duration::from_secs(1))
                .is_none()
        );
    }
}
