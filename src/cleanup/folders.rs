//! Temporary folders that are removed when the tool ends.

use super::section;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// All that have not been removed yet.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn folders() -> MutexGuard<'static, Vec<PathBuf>> {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A new folder. It is removed with all in it when this is dropped, or when the run is interrupted.
#[derive(Debug)]
pub struct Folder {
    /// Until it is dropped.
    inner: Option<TempDir>,
    path: PathBuf,
}

impl Folder {
    /// A folder in the system's place for temporary ones, its name beginning with `prefix`.
    ///
    /// # Errors
    /// Why there is none.
    #[expect(clippy::disallowed_methods, reason = "the one place that asks for it")]
    pub fn new(prefix: &str) -> io::Result<Folder> {
        Folder::new_in(&std::env::temp_dir(), prefix)
    }

    /// A folder in another.
    ///
    /// # Errors
    /// Why there is none.
    pub fn new_in(parent: &Path, prefix: &str) -> io::Result<Folder> {
        let _section = section();
        let inner = tempfile::Builder::new().prefix(prefix).tempdir_in(parent)?;
        let path = inner.path().to_owned();
        folders().push(path.clone());
        Ok(Folder {
            inner: Some(inner),
            path,
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // In this order, so that an interruption meanwhile removes the rest.
        drop(self.inner.take());
        folders().retain(|known| *known != self.path);
    }
}

/// How long removing is tried: a thread, or a process that is being killed, may still write a last file.
const PATIENCE: Duration = Duration::from_secs(2);

/// Removes all folders.
pub(super) fn remove_all() {
    let folders = folders();
    let start = Instant::now();
    for folder in folders.iter() {
        while std::fs::remove_dir_all(folder).is_err() && folder.exists() && start.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(1));
        }
    }
    std::mem::forget(folders);
}
