//! Results that were made once and are found again by the next run: a folder of entries, each named by a hash of all that
//! it was made of.
//!
//! Entries are written whole and never changed, so any number of runs may use one folder at a time. One that cannot be
//! read is as good as none: it is made again and overwritten. What clang read besides the text is not known beforehand;
//! facts carry it, and are found only while it is what it was. What does not fit on the disk is not kept, which
//! [`Store::trouble`] tells whom it may concern.
//!
//! ```text
//! FOLDER/CACHEDIR.TAG  so that backups leave it out      FOLDER/hashes  what files held when they were last looked at
//! FOLDER/3f/3fb0…      an entry                          FOLDER/swept   when the oldest were last removed
//! ```

use super::codec::{decode, encode};
use super::container::{self, ContainerKind};
use super::disk::Disk;
use super::format::{FORMAT, TOOL};
use super::gather::gather;
use super::moved::EditedText;
use super::parsed_texts::{ParsedText, ParsedTexts};
use super::shelf::{ROUNDS, Shelf};
use super::source::UnitSource;
use super::store_key::StoreKey;
use super::summary::{load, replace};
use super::sweep;
use super::unit::{Stale, UnitFacts};
use crate::llvm::LlvmError;
use crate::source::Span;
use blake3::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, SystemTime};

/// Most bytes that a store keeps.
const LIMIT: u64 = 1 << 30;

/// How long an entry is left alone before a use of it is noted.
const FRESH: Duration = Duration::from_secs(3600);

const CACHEDIR_TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55
# Results of ompmemopt. They are made again where they are missing; this folder may be removed at any time.
";

/// A place for results. Shared by all threads.
#[derive(Debug)]
pub struct Store {
    /// `None`: nothing is kept.
    folder: Option<PathBuf>,
    maker: Hash,
    disk: Disk,
    parsed: ParsedTexts,
    /// What the process has in its memory, where it goes on.
    shelf: Option<Mutex<Shelf>>,
    limit: u64,
    started: Once,
    trouble: Mutex<Option<String>>,
}

impl Store {
    /// The store in `folder`, which is made with the first entry. `maker` is whatever else results depend on: entries
    /// of another maker are not found.
    pub fn open(folder: &Path, maker: &[u8]) -> Store {
        let mut hasher = Hasher::new();
        hasher
            .update(&FORMAT.to_le_bytes())
            .update(TOOL.as_bytes())
            .update(b"\0");
        let hashes = load(&folder.join("hashes"));
        let hashes = hashes.and_then(|bytes| container::unwrap(ContainerKind::Hashes, &bytes));
        let mut store = Store::none();
        store.folder = Some(folder.to_owned());
        store.maker = hasher.update(maker).finalize();
        store.disk = hashes.map_or_else(|_| Disk::default(), |bytes| Disk::load(&bytes));
        store
    }

    /// A store that keeps nothing.
    pub fn none() -> Store {
        Store {
            folder: None,
            maker: Hash::from_bytes([0; 32]),
            disk: Disk::default(),
            parsed: ParsedTexts::default(),
            shelf: None,
            limit: LIMIT,
            started: Once::new(),
            trouble: Mutex::default(),
        }
    }

    /// The store for a process that goes on and is asked again and again: results stay in its memory, too.
    #[must_use]
    pub fn remembering(mut self) -> Store {
        self.shelf = Some(Mutex::default());
        self
    }

    /// Begins another question of a process that goes on. From now on these files are taken to hold these texts, and while there
    /// are any nothing is written to the folder.
    pub fn begin<'t>(&self, unsaved: impl Iterator<Item = (&'t Path, &'t [u8])>) {
        let hashed = unsaved.map(|(path, text)| (path.to_owned(), blake3::hash(text)));
        self.disk.take_as_unsaved(hashed.collect());
        self.parsed.begin_round(ROUNDS);
        if let Some(mut shelf) = self.shelf() {
            shelf.begin_round();
        }
    }

    /// The facts of a file: those that are there, else made now and kept.
    ///
    /// # Errors
    /// The errors of [`gather`].
    pub fn facts(&self, source: &UnitSource<'_>) -> Result<UnitFacts, LlvmError> {
        let key = StoreKey::of_unit(source);
        if let Some(facts) = self.get(&key) {
            return Ok(facts);
        }
        let facts = gather(source, &self.disk, &self.parsed)?;
        self.put(&key, &facts);
        Ok(facts)
    }

    /// Facts that were made elsewhere, for the text that their file has now: these where they hold, else those made of
    /// the text with the same options, and why.
    ///
    /// # Errors
    /// The errors of [`gather`].
    pub fn current(
        &self,
        facts: UnitFacts,
        clang: &Path,
        text: &[u8],
    ) -> Result<(UnitFacts, Option<Stale>), LlvmError> {
        let stale = match facts.text == blake3::hash(text) {
            true => facts.stale_dependency(&self.disk),
            false => Some(Stale::of_text(&facts)),
        };
        if stale.is_none() {
            return Ok((facts, None));
        }
        let source = UnitSource {
            clang,
            file: &facts.file,
            name: &facts.name,
            text,
            options: &facts.options,
        };
        Ok((self.facts(&source)?, stale))
    }

    /// The facts under this key, if all files that clang read are what they were.
    pub fn get(&self, key: &StoreKey) -> Option<UnitFacts> {
        let shelved = self.shelf().and_then(|mut shelf| shelf.facts(key));
        if let Some(facts) = shelved.filter(|facts| facts.stale_dependency(&self.disk).is_none()) {
            return Some((*facts).clone());
        }
        let path = self.path(key)?;
        let facts = decode(&load(&path).ok()?).ok()?;
        if facts.stale_dependency(&self.disk).is_some() {
            return None;
        }
        note_use(&path);
        if let Some(mut shelf) = self.shelf() {
            shelf.put_facts(*key, facts.clone());
        }
        Some(facts)
    }

    /// Keeps facts.
    pub fn put(&self, key: &StoreKey, facts: &UnitFacts) {
        // What is out of date already would only take room.
        if facts.dependencies.iter().all(|dependency| dependency.hash.is_some()) {
            if let Some(mut shelf) = self.shelf() {
                shelf.put_facts(*key, facts.clone());
            }
            self.keep(key, || encode(facts));
        }
    }

    /// The bytes under this key.
    pub fn get_bytes(&self, key: &StoreKey) -> Option<Vec<u8>> {
        let shelved = self.shelf().and_then(|mut shelf| shelf.bytes(key));
        if let Some(bytes) = shelved {
            return Some((*bytes).clone());
        }
        let path = self.path(key)?;
        let bytes = container::unwrap(ContainerKind::Bytes, &load(&path).ok()?).ok()?;
        note_use(&path);
        Some(bytes)
    }

    /// Keeps bytes.
    pub fn put_bytes(&self, key: &StoreKey, bytes: &[u8]) {
        if let Some(mut shelf) = self.shelf() {
            shelf.put_bytes(*key, bytes.to_vec());
        }
        self.keep(key, || container::wrap(ContainerKind::Bytes, bytes));
    }

    /// Whether anything is kept.
    pub fn keeps(&self) -> bool {
        self.folder.is_some() || self.shelf.is_some()
    }

    /// A text without these branches, as it was parsed for its facts, if it was.
    pub fn parsed(&self, text: &[u8], inactive: &[Span]) -> Arc<ParsedText> {
        self.parsed.parsed(text, inactive)
    }

    /// The facts of an edited text, by those of the original ([`UnitFacts::moved`]).
    pub fn moved(&self, facts: UnitFacts, source: &UnitSource<'_>, edited: &EditedText<'_>) -> Option<UnitFacts> {
        facts.moved(source, edited, &self.parsed)
    }

    /// What files hold now.
    pub fn disk(&self) -> &Disk {
        &self.disk
    }

    /// Why something could not be kept, if so.
    pub fn trouble(&self) -> Option<String> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn shelf(&self) -> Option<MutexGuard<'_, Shelf>> {
        let shelf = self.shelf.as_ref()?;
        Some(shelf.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn path(&self, key: &StoreKey) -> Option<PathBuf> {
        let folder = self.folder.as_ref()?;
        let mut hasher = Hasher::new();
        hasher.update(self.maker.as_bytes()).update(key.digest());
        let name = hasher.finalize().to_hex();
        Some(folder.join(&name[..2]).join(name.as_str()))
    }

    fn keep(&self, key: &StoreKey, bytes: impl FnOnce() -> Vec<u8>) {
        let (Some(folder), Some(path)) = (&self.folder, self.path(key)) else {
            return;
        };
        // What somebody has not saved is made of in each of them, perhaps.
        if self.disk.has_unsaved() {
            return;
        }
        self.started.call_once(|| self.start(folder));
        self.write(&path, &bytes());
    }

    /// What is done once, before the first entry of a run.
    fn start(&self, folder: &Path) {
        let tag = folder.join("CACHEDIR.TAG");
        if !tag.exists() {
            self.write(&tag, CACHEDIR_TAG.as_bytes());
        }
        sweep::now_and_then(folder, self.limit);
    }

    fn write(&self, path: &Path, bytes: &[u8]) {
        let folder = path.parent().unwrap_or(Path::new("/"));
        let written = std::fs::create_dir_all(folder).and_then(|()| replace(path, bytes));
        if let (Err(error), Some(folder)) = (written, &self.folder) {
            let mut trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
            trouble.get_or_insert_with(|| {
                format!(
                    "{}: results cannot be kept there ({error}); name another folder with --cache-dir, or use --no-cache",
                    folder.display()
                )
            });
        }
    }
}

impl Drop for Store {
    /// Leaves what was learnt of files to the next run, where there is a store by now.
    fn drop(&mut self) {
        if let Some(folder) = self.folder.as_ref().filter(|folder| folder.is_dir())
            && let Some(hashes) = self.disk.save()
        {
            let _ = replace(&folder.join("hashes"), &container::wrap(ContainerKind::Hashes, &hashes));
        }
    }
}

/// Makes an entry younger, so that the sweep takes others first.
fn note_use(path: &Path) {
    let now = SystemTime::now();
    let modified = path.metadata().and_then(|metadata| metadata.modified());
    if modified.is_ok_and(|then| now.duration_since(then).is_ok_and(|age| age > FRESH)) {
        let file = std::fs::File::options().write(true).open(path);
        let _ = file.and_then(|file| file.set_modified(now));
    }
}

#[cfg(test)]
mod tests;
