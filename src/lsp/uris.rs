//! Names of files as editors say them: `file:///home/me/my%20code/sim.c`.

use lsp_types::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// What is written as it is, besides letters and digits.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The file that a name means, links resolved where it is there; `None` where it means none on this machine.
pub fn path_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    let path = path.split(['?', '#']).next()?;
    let bytes: Vec<u8> = percent_decode_str(path).collect();
    let path = PathBuf::from(OsString::from_vec(bytes));
    path.is_absolute().then(|| known_as(&path))
}

/// The one name that a file is known by.
pub fn known_as(path: &Path) -> PathBuf {
    if let Ok(path) = path.canonicalize() {
        return path;
    }
    // Of a file that is not there yet the folder may be.
    let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
    match (folder, path.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

/// How a file is called; `None` where the protocol cannot say it.
pub fn uri_of(path: &Path) -> Option<Uri> {
    let name = percent_encoding::percent_encode(path.as_os_str().as_bytes(), ENCODED);
    Uri::from_str(&format!("file://{name}")).ok()
}

/// An address as it was written, where it is one.
pub fn address(text: &str) -> Option<Uri> {
    Uri::from_str(text).ok()
}

/// A word as a part of an address.
pub fn as_part(word: &str) -> String {
    utf8_percent_encode(word, ENCODED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_there_and_back() {
        for name in ["/nowhere/a b/größe#1.c", "/nowhere/100%.c", "/nowhere/x;y?.c"] {
            let uri = uri_of(Path::new(name)).unwrap();
            assert_eq!(path_of(uri.as_str()), Some(PathBuf::from(name)), "{uri:?}");
        }
        assert_eq!(path_of("file://localhost/nowhere/a.c"), Some("/nowhere/a.c".into()));
        assert_eq!(path_of("file:///nowhere/a%3Ab.c"), Some("/nowhere/a:b.c".into()));
    }

    #[test]
    fn what_is_no_file_has_no_path() {
        assert_eq!(path_of("untitled:Untitled-1"), None);
        assert_eq!(path_of("file://other/a.c"), None);
        assert_eq!(path_of("git:/a.c"), None);
    }
}
