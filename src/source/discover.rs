//! Which files a run is about.
//!
//! A path that names a file is taken as it is, whatever its name, unless that is one of another language. A folder stands
//! for the `*.c` files below it (for `check`, those of CUDA and UPC as well), without hidden files and folders, and without
//! what `.gitignore` and `.ignore` files exclude, whether or not the folder is a git repository. Links found on the way are
//! not followed, so that no file is met twice.

use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};

/// Why the files could not be listed.
#[derive(Debug, thiserror::Error)]
pub enum DiscoverError {
    #[error("{}: no such file or folder; check the spelling and the current folder", .path.display())]
    Missing { path: PathBuf },
    #[error("{}: cannot be looked at ({cause}); check its permissions", .path.display())]
    Unreadable { path: PathBuf, cause: std::io::Error },
    #[error("{}: the folder cannot be listed ({cause}); check its permissions", .path.display())]
    Walk { path: PathBuf, cause: ignore::Error },
    #[error("{}: is not C, and this command reads C only; `ompmemopt check` reads files of CUDA and UPC", .path.display())]
    NotC { path: PathBuf },
    #[error("{}: no C files in this folder; name `*.c` files, or check what `.gitignore` excludes", .path.display())]
    NoFiles { path: PathBuf },
}

/// The files that `paths` stand for: in the order of `paths`, sorted by name within a folder, each file once.
///
/// # Errors
/// [`DiscoverError`], when a path does not exist or cannot be read, or a folder has no C files.
pub fn discover<P: AsRef<Path>>(paths: &[P]) -> Result<Vec<PathBuf>, DiscoverError> {
    discover_named(paths, &["c"])
}

/// As [`discover`], with files in folders whose names end so.
///
/// # Errors
/// As [`discover`].
pub fn discover_named<P: AsRef<Path>>(paths: &[P], endings: &[&str]) -> Result<Vec<PathBuf>, DiscoverError> {
    let (mut files, mut seen) = (Vec::new(), FxHashSet::default());
    for path in paths.iter().map(AsRef::as_ref) {
        let metadata = std::fs::metadata(path).map_err(|cause| match cause.kind() {
            std::io::ErrorKind::NotFound => DiscoverError::Missing { path: path.to_owned() },
            _ => DiscoverError::Unreadable {
                path: path.to_owned(),
                cause,
            },
        })?;
        let found = if metadata.is_dir() {
            walk(path, endings)?
        } else if has_ending(path, &OTHERS) && !has_ending(path, endings) {
            return Err(DiscoverError::NotC { path: path.to_owned() });
        } else {
            vec![path.to_owned()]
        };
        for file in found {
            let identity = std::fs::canonicalize(&file).unwrap_or_else(|_| file.clone());
            if seen.insert(identity) {
                files.push(file);
            }
        }
    }
    Ok(files)
}

/// How names of files end that are not C, and that some commands read.
const OTHERS: [&str; 2] = ["cu", "upc"];

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let extension = path.extension();
    extension.is_some_and(|extension| endings.iter().any(|ending| extension == *ending))
}

fn walk(folder: &Path, endings: &[&str]) -> Result<Vec<PathBuf>, DiscoverError> {
    let mut files = Vec::new();
    for entry in ignore::WalkBuilder::new(folder).require_git(false).build() {
        let entry = entry.map_err(|cause| DiscoverError::Walk {
            path: folder.to_owned(),
            cause,
        })?;
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        if is_file && has_ending(entry.path(), endings) {
            files.push(entry.into_path());
        }
    }
    if files.is_empty() {
        return Err(DiscoverError::NoFiles {
            path: folder.to_owned(),
        });
    }
    files.sort();
    Ok(files)
}

/// C files and headers in a folder and below, sorted; found as [`discover`] finds files, but without its errors: what
/// cannot be listed is left out.
pub fn texts_below(folder: &Path) -> Vec<PathBuf> {
    let entries = ignore::WalkBuilder::new(folder).require_git(false).build().flatten();
    let files = entries.filter(|e| e.file_type().is_some_and(|kind| kind.is_file()));
    let is_text = |path: &PathBuf| path.extension().is_some_and(|e| e == "c" || e == "h");
    let mut files: Vec<PathBuf> = files.map(|e| e.into_path()).filter(is_text).collect();
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        dir
    }

    fn names(dir: &tempfile::TempDir, files: Vec<PathBuf>) -> Vec<String> {
        files
            .iter()
            .map(|file| file.strip_prefix(dir.path()).unwrap().to_str().unwrap().to_owned())
            .collect()
    }

    #[test]
    fn folders_give_sorted_c_files_that_git_does_not_ignore() {
        let dir = tree(&[
            ("z.c", ""),
            ("a/b.c", ""),
            ("a/b.h", ""),
            ("out/gen.c", ""),
            (".hidden/x.c", ""),
            (".gitignore", "out/\nskip*.c\n"),
            ("a/skipped.c", ""),
            ("B.C", ""),
        ]);
        assert_eq!(names(&dir, discover(&[dir.path()]).unwrap()), ["a/b.c", "z.c"]);
    }

    #[test]
    fn files_are_taken_as_they_are_in_the_order_given_and_once() {
        let dir = tree(&[("z.inc", ""), ("a.c", ""), (".gitignore", "*.inc\n")]);
        let (z, a) = (dir.path().join("z.inc"), dir.path().join("a.c"));
        let found = discover(&[z.clone(), a.clone(), dir.path().to_owned(), dir.path().join("./z.inc")]).unwrap();
        assert_eq!(found, [z, a]);
    }

    #[test]
    fn what_is_not_there_is_said() {
        let dir = tree(&[("only.h", "")]);
        assert!(
            discover(&[dir.path()])
                .unwrap_err()
                .to_string()
                .contains("no C files in this folder")
        );
        assert!(
            discover(&[dir.path().join("no")])
                .unwrap_err()
                .to_string()
                .contains("no such file or folder")
        );
    }
}
