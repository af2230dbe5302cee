//! One source file: read with clear errors, replaced atomically.
//!
//! A [`SourceFile`] remembers what it read (length, time of change, hash), so that [`SourceFile::write_in_place`] can
//! refuse to overwrite somebody else's edit. The new text goes to a temporary file in the same folder, which is then
//! renamed over the old one: readers see the old text or the new one, never a part, and an interruption of the run waits
//! until that is done. A symbolic link keeps being one; its target is replaced. Other hard links to the file keep the old
//! text, as they do with most editors.

use std::borrow::Cow;
use std::fs::Metadata;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use tempfile::NamedTempFile;

use super::foreign::ForeignBytes;
use super::{LineIndex, Position};
use crate::cleanup;

/// Why a file could not be read or written: what, where, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    #[error("{}: no such file; check the spelling and the current folder", .path.display())]
    Missing { path: PathBuf },
    #[error("{}: is a folder, not a file; name the files in it", .path.display())]
    Directory { path: PathBuf },
    #[error("{}: is not a regular file; copy its contents to one first", .path.display())]
    NotRegular { path: PathBuf },
    #[error("{}: cannot be read ({cause}); check its permissions", .path.display())]
    Unreadable { path: PathBuf, cause: io::Error },
    #[error("{}: is empty; there is nothing to rewrite", .path.display())]
    Empty { path: PathBuf },
    #[error("{}:{at}: byte 0x{byte:02x} at offset {offset} is not UTF-8, and stands neither in a comment nor in a string; convert the file, e.g. with `iconv -t UTF-8`", .path.display())]
    NotUtf8 {
        path: PathBuf,
        at: Position,
        offset: usize,
        byte: u8,
    },
    #[error("{}: a comment or string that is not UTF-8 would stand twice in the new text, or no longer; convert the file, e.g. with `iconv -t UTF-8`", .path.display())]
    Foreign { path: PathBuf },
    #[error("{}: changed since it was read; run again on the new contents", .path.display())]
    Changed { path: PathBuf },
    #[error("{}: is read-only; make it writable, e.g. with `chmod u+w`, or ask for a patch instead", .path.display())]
    ReadOnly { path: PathBuf },
    #[error("{}: cannot be written ({cause}); the file is as it was; check the folder's permissions and free space", .path.display())]
    Unwritable { path: PathBuf, cause: io::Error },
    #[error("{}: another file could not be written, and this one could not be given its old contents back ({cause}); undo the change by hand", .path.display())]
    NotRestored { path: PathBuf, cause: io::Error },
}

/// What identifies the contents that were read.
#[derive(Clone, PartialEq, Eq, Debug)]
struct ContentStamp {
    len: u64,
    modified: Option<SystemTime>,
    hash: blake3::Hash,
}

/// A file's name and bytes, valid UTF-8 and not empty.
#[derive(Clone, Debug)]
pub struct SourceFile {
    path: PathBuf,
    text: String,
    /// What the file has in comments and strings that is not UTF-8.
    foreign: Option<ForeignBytes>,
    stamp: ContentStamp,
}

impl SourceFile {
    /// Reads a file.
    ///
    /// # Errors
    /// [`SourceError`], when it is missing, a folder or a device, unreadable, empty, or not UTF-8.
    pub fn read(path: impl Into<PathBuf>) -> Result<SourceFile, SourceError> {
        let path = path.into();
        let (bytes, modified) = load(&path)?;
        if bytes.is_empty() {
            return Err(SourceError::Empty { path });
        }
        let stamp = ContentStamp {
            len: bytes.len() as u64,
            modified,
            hash: blake3::hash(&bytes),
        };
        match String::from_utf8(bytes) {
            Ok(text) => Ok(SourceFile {
                path,
                text,
                foreign: None,
                stamp,
            }),
            Err(error) => {
                if let Some((text, foreign)) = ForeignBytes::taken_out(error.as_bytes()) {
                    return Ok(SourceFile {
                        path,
                        text,
                        foreign: Some(foreign),
                        stamp,
                    });
                }
                let offset = error.utf8_error().valid_up_to();
                let bytes = error.as_bytes();
                let at = LineIndex::new(bytes).position(offset);
                Err(SourceError::NotUtf8 {
                    path,
                    at,
                    offset,
                    byte: bytes[offset],
                })
            }
        }
    }

    /// A file that holds a text which nobody has saved, there or not. Nothing can be written in its place: who writes it finds it changed.
    ///
    /// # Errors
    /// [`SourceError::Empty`].
    pub fn unsaved(path: impl Into<PathBuf>, text: String) -> Result<SourceFile, SourceError> {
        let path = path.into();
        if text.is_empty() {
            return Err(SourceError::Empty { path });
        }
        let stamp = ContentStamp {
            len: text.len() as u64,
            modified: None,
            hash: blake3::hash(text.as_bytes()),
        };
        Ok(SourceFile {
            path,
            text,
            foreign: None,
            stamp,
        })
    }

    /// The bytes that are on the disk for a text that was made of this one's.
    ///
    /// # Errors
    /// [`SourceError::Foreign`], when it does not have what is not UTF-8 in this one once.
    pub fn on_disk<'t>(&self, made: &'t [u8]) -> Result<Cow<'t, [u8]>, SourceError> {
        let Some(foreign) = &self.foreign else {
            return Ok(Cow::Borrowed(made));
        };
        foreign
            .back_in(made)
            .map(Cow::Owned)
            .ok_or_else(|| SourceError::Foreign {
                path: self.path.clone(),
            })
    }

    /// The path it was read from.
    pub fn path(&self) -> &Path {
        &self.path
    }
    /// The contents, as text; each byte that is not UTF-8 as a character of its own.
    pub fn text(&self) -> &str {
        &self.text
    }
    /// The contents, as [`SourceFile::text`].
    pub fn bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    /// Replaces the file by `new`, whole or not at all, with the same mode. The object keeps the text that was read; a
    /// second write of the same object is refused as [`SourceError::Changed`].
    ///
    /// # Errors
    /// [`SourceError`], when the file changed since it was read, is read-only, or cannot be written; it is then as it was.
    pub fn write_in_place(&self, new: &[u8]) -> Result<(), SourceError> {
        let _section = cleanup::section();
        self.prepare(new)?.put_in_place()
    }

    /// Writes `new` to a temporary file beside the file, to replace it later.
    ///
    /// # Errors
    /// As [`SourceFile::write_in_place`].
    pub(super) fn prepare(&self, new: &[u8]) -> Result<Replacement<'_>, SourceError> {
        let unwritable = |cause| self.unwritable(cause);
        let target = std::fs::canonicalize(&self.path).map_err(|cause| read_error(&self.path, cause))?;
        let metadata = std::fs::metadata(&target).map_err(unwritable)?;
        if metadata.permissions().readonly() || !may_write(&target) {
            return Err(SourceError::ReadOnly {
                path: self.path.clone(),
            });
        }
        let temporary = self.beside(&target, &metadata, &self.on_disk(new)?)?;
        self.check_unchanged()?;
        Ok(Replacement {
            file: self,
            target,
            metadata,
            temporary,
        })
    }

    /// A temporary file in the target's folder, with its owner and mode.
    fn beside(&self, target: &Path, metadata: &Metadata, bytes: &[u8]) -> Result<NamedTempFile, SourceError> {
        let unwritable = |cause| self.unwritable(cause);
        let folder = target.parent().unwrap_or(Path::new("/"));
        let mut temporary = tempfile::Builder::new()
            .prefix(".ompmemopt-")
            .tempfile_in(folder)
            .map_err(unwritable)?;
        temporary.write_all(bytes).map_err(unwritable)?;
        copy_ownership(metadata, temporary.path());
        temporary
            .as_file()
            .set_permissions(metadata.permissions())
            .map_err(unwritable)?;
        temporary.as_file().sync_all().map_err(unwritable)?;
        Ok(temporary)
    }

    fn unwritable(&self, cause: io::Error) -> SourceError {
        SourceError::Unwritable {
            path: self.path.clone(),
            cause,
        }
    }

    fn check_unchanged(&self) -> Result<(), SourceError> {
        let (bytes, modified) = load(&self.path)?;
        let now = ContentStamp {
            len: bytes.len() as u64,
            modified,
            hash: blake3::hash(&bytes),
        };
        if now == self.stamp {
            Ok(())
        } else {
            Err(SourceError::Changed {
                path: self.path.clone(),
            })
        }
    }
}

/// New contents of a file, ready to take its place.
pub(super) struct Replacement<'a> {
    file: &'a SourceFile,
    target: PathBuf,
    metadata: Metadata,
    temporary: NamedTempFile,
}

impl Replacement<'_> {
    /// Replaces the file.
    pub fn put_in_place(self) -> Result<(), SourceError> {
        // As late as possible, so that little time is left for somebody else's edit to slip in.
        self.file.check_unchanged()?;
        let renamed = self.temporary.persist(&self.target);
        renamed.map(|_| ()).map_err(|error| self.file.unwritable(error.error))
    }

    /// The old contents, ready to take the place of the new ones.
    pub fn way_back(&self) -> Result<WayBack, SourceError> {
        Ok(WayBack {
            target: self.target.clone(),
            temporary: self
                .file
                .beside(&self.target, &self.metadata, &self.file.on_disk(self.file.bytes())?)?,
        })
    }
}

/// The old contents of a file that was replaced.
pub(super) struct WayBack {
    target: PathBuf,
    temporary: NamedTempFile,
}

impl WayBack {
    /// Puts them back.
    pub fn restore(self) -> io::Result<()> {
        self.temporary.persist(&self.target).map(|_| ()).map_err(|e| e.error)
    }
}

/// Whether this process may write to the file; a rename asks the folder only, so it would get past a foreign file's mode.
fn may_write(path: &Path) -> bool {
    let opened = std::fs::OpenOptions::new().append(true).open(path);
    !matches!(opened, Err(error) if error.kind() == io::ErrorKind::PermissionDenied)
}

/// The bytes of a regular file and when it was last changed, where the system knows.
fn load(path: &Path) -> Result<(Vec<u8>, Option<SystemTime>), SourceError> {
    let metadata = std::fs::metadata(path).map_err(|cause| read_error(path, cause))?;
    if metadata.is_dir() {
        return Err(SourceError::Directory { path: path.to_owned() });
    }
    if !metadata.is_file() {
        return Err(SourceError::NotRegular { path: path.to_owned() });
    }
    let bytes = std::fs::read(path).map_err(|cause| read_error(path, cause))?;
    Ok((bytes, metadata.modified().ok()))
}

fn read_error(path: &Path, cause: io::Error) -> SourceError {
    let path = path.to_owned();
    match cause.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => SourceError::Missing { path },
        _ => SourceError::Unreadable { path, cause },
    }
}

/// Gives the new file the old one's owner. Failure is harmless: whoever may not do so owns the result, as with an editor.
fn copy_ownership(metadata: &Metadata, path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let _ = std::os::unix::fs::chown(path, Some(metadata.uid()), Some(metadata.gid()));
    }
    #[cfg(not(unix))]
    let _ = (metadata, path);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn folder_with(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.c");
        fs::write(&path, bytes).unwrap();
        (dir, path)
    }

    #[test]
    fn reading_fails_with_the_reason() {
        let (dir, path) = folder_with(b"ok\nab\xff\n");
        let said = |path: &Path| SourceFile::read(path).unwrap_err().to_string();
        assert!(
            said(&path).contains(":2:3: byte 0xff at offset 5 is not UTF-8"),
            "{}",
            said(&path)
        );
        assert!(said(&dir.path().join("no.c")).contains("no such file"));
        assert!(said(&path.join("under.c")).contains("no such file"));
        assert!(said(dir.path()).contains("is a folder"));
        fs::write(&path, b"").unwrap();
        assert!(said(&path).contains("is empty"));
    }

    #[test]
    fn replaces_the_contents_and_leaves_nothing_behind() {
        let (dir, path) = folder_with(b"int x;\n");
        SourceFile::read(&path).unwrap().write_in_place(b"int y;\n").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"int y;\n");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_text_that_nobody_has_saved_is_written_nowhere() {
        let (_dir, path) = folder_with(b"int x;\n");
        let file = SourceFile::unsaved(&path, "int x;\n".to_owned()).unwrap();
        assert_eq!(file.text(), "int x;\n");
        assert!(matches!(
            file.write_in_place(b"int y;\n"),
            Err(SourceError::Changed { .. })
        ));
        assert_eq!(fs::read(&path).unwrap(), b"int x;\n");
        let empty = SourceFile::unsaved(&path, String::new());
        assert!(matches!(empty, Err(SourceError::Empty { .. })));
    }

    #[test]
    fn what_is_not_utf8_in_comments_is_written_as_it_was() {
        let (_dir, path) = folder_with(b"// \xe9\nint x;\n");
        let file = SourceFile::read(&path).unwrap();
        let new = file.text().replace('x', "y");
        file.write_in_place(new.as_bytes()).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"// \xe9\nint y;\n");
        let twice = SourceFile::read(&path).unwrap();
        let error = twice.write_in_place(format!("{0}{0}", twice.text()).as_bytes());
        assert!(matches!(error, Err(SourceError::Foreign { .. })));
    }

    #[test]
    fn refuses_when_the_file_changed() {
        let (dir, path) = folder_with(b"int x;\n");
        let file = SourceFile::read(&path).unwrap();
        fs::write(&path, b"int z;\n").unwrap();
        assert!(matches!(
            file.write_in_place(b"int y;\n"),
            Err(SourceError::Changed { .. })
        ));
        assert_eq!(fs::read(&path).unwrap(), b"int z;\n");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        fs::remove_file(&path).unwrap();
        assert!(matches!(
            file.write_in_place(b"int y;\n"),
            Err(SourceError::Missing { .. })
        ));
    }

    #[cfg(unix)]
    #[test]
    fn keeps_the_mode_and_refuses_read_only_files() {
        use std::os::unix::fs::PermissionsExt;
        let (_dir, path) = folder_with(b"int x;\n");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        SourceFile::read(&path).unwrap().write_in_place(b"int y;\n").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o640);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        let refused = SourceFile::read(&path).unwrap().write_in_place(b"int z;\n");
        assert!(matches!(refused, Err(SourceError::ReadOnly { .. })));
        assert_eq!(fs::read(&path).unwrap(), b"int y;\n");
    }

    #[cfg(unix)]
    #[test]
    fn a_symbolic_link_stays_one() {
        let (dir, path) = folder_with(b"int x;\n");
        let link = dir.path().join("link.c");
        std::os::unix::fs::symlink("a.c", &link).unwrap();
        SourceFile::read(&link).unwrap().write_in_place(b"int y;\n").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"int y;\n");
    }
}
