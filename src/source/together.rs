//! Replacing several files, all or none: for changes of which each is right only with the others.

use super::file::{Replacement, SourceError, SourceFile, WayBack};
use crate::cleanup;

/// Replaces each file by its new contents, in order. Everything is written beside the files first; then one after the other
/// is renamed, and if one of them cannot be, those before it get their old contents back. An interruption of the run waits until
/// all of it is done.
///
/// # Errors
/// What kept one of the files from being replaced; all are then as they were. A file that could not even be given its old
/// contents back is [`SourceError::NotRestored`].
pub fn replace_together(files: &[(&SourceFile, &[u8])]) -> Result<(), SourceError> {
    let _section = cleanup::section();
    let replacements = files.iter().map(|(file, new)| file.prepare(new));
    let replacements: Vec<Replacement<'_>> = replacements.collect::<Result<_, _>>()?;
    let ways_back: Vec<WayBack> = replacements
        .iter()
        .map(Replacement::way_back)
        .collect::<Result<_, _>>()?;
    let mut done: Vec<(&SourceFile, WayBack)> = Vec::new();
    for ((replacement, way_back), (file, _)) in replacements.into_iter().zip(ways_back).zip(files) {
        if let Err(error) = replacement.put_in_place() {
            for (file, way_back) in done {
                way_back.restore().map_err(|cause| SourceError::NotRestored {
                    path: file.path().to_owned(),
                    cause,
                })?;
            }
            return Err(error);
        }
        done.push((file, way_back));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn all_or_none() {
        let dir = tempfile::tempdir().unwrap();
        let paths: Vec<_> = ["a.c", "b.c", "c.c"].iter().map(|name| dir.path().join(name)).collect();
        for path in &paths {
            fs::write(path, b"int old;\n").unwrap();
        }
        let read = || -> Vec<SourceFile> { paths.iter().map(|p| SourceFile::read(p).unwrap()).collect() };
        let contents = || -> Vec<String> { paths.iter().map(|p| fs::read_to_string(p).unwrap()).collect() };
        let files = read();
        let new: Vec<(&SourceFile, &[u8])> = files.iter().map(|f| (f, b"int new;\n".as_slice())).collect();
        fs::write(&paths[2], b"int other;\n").unwrap();
        assert!(matches!(replace_together(&new), Err(SourceError::Changed { .. })));
        assert_eq!(contents(), ["int old;\n", "int old;\n", "int other;\n"]);
        let files = read();
        let new: Vec<(&SourceFile, &[u8])> = files.iter().map(|f| (f, b"int new;\n".as_slice())).collect();
        replace_together(&new).unwrap();
        assert_eq!(contents(), ["int new;\n"; 3]);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 3);
    }

    #[test]
    fn what_was_replaced_is_put_back() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.c");
        fs::write(&path, b"int old;\n").unwrap();
        let file = SourceFile::read(&path).unwrap();
        // The second replacement of the same file finds it changed by the first.
        let new: &[u8] = b"int new;\n";
        assert!(matches!(
            replace_together(&[(&file, new), (&file, new)]),
            Err(SourceError::Changed { .. })
        ));
        assert_eq!(fs::read(&path).unwrap(), b"int old;\n");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}
