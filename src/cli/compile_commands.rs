//! `compile_commands.json`: how a build system compiles each file.

use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The name that build systems give it.
pub const FILE_NAME: &str = "compile_commands.json";

#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    command: Option<String>,
    #[serde(default)]
    arguments: Option<Vec<String>>,
}

/// How one file is compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compilation {
    /// The folder that relative paths in the flags start from.
    pub folder: PathBuf,
    /// The flags, without compiler and file.
    pub flags: Vec<String>,
}

/// A compilation database.
#[derive(Debug, Default)]
pub struct Database {
    /// Absolute file names, with links resolved where the file exists.
    entries: Vec<(PathBuf, Compilation)>,
}

impl Database {
    /// Reads a database.
    ///
    /// # Errors
    /// What is wrong with the file, and where.
    pub fn read(path: &Path) -> Result<Database, String> {
        let fail = |why: String| format!("{}: {why}", path.display());
        let text = std::fs::read_to_string(path).map_err(|e| fail(format!("cannot be read ({e})")))?;
        let raw: Vec<Entry> = serde_json::from_str(&text).map_err(|e| {
            fail(format!(
                "is no compilation database ({e}); generate it anew, e.g. with `cmake` or `bear`"
            ))
        })?;
        let base = path.parent().unwrap_or(Path::new("."));
        let base = std::path::absolute(base).unwrap_or_else(|_| base.to_owned());
        Ok(Database {
            entries: raw.into_iter().map(|e| entry(e, &base)).collect(),
        })
    }

    /// How `file` is compiled; the first entry where there are several.
    pub fn find(&self, file: &Path) -> Option<&Compilation> {
        let wanted = resolved(file);
        self.entries.iter().find(|(name, _)| *name == wanted).map(|(_, c)| c)
    }
}

fn entry(entry: Entry, base: &Path) -> (PathBuf, Compilation) {
    let folder = base.join(&entry.directory);
    let words = entry
        .arguments
        .or_else(|| entry.command.as_deref().and_then(shlex::split))
        .unwrap_or_default();
    let file = folder.join(&entry.file);
    let name = resolved(&file);
    let mut flags = Vec::new();
    let mut words = words.into_iter().skip(1).peekable();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-c" | "--" => {}
            "-o" => drop(words.next()),
            // A plug-in is code, and code of a project is not run in order to read it.
            "-Xclang" if words.peek().is_some_and(|w| w.contains("load") || w.contains("plugin")) => {
                words.next();
                if words.next_if(|w| w == "-Xclang").is_some() {
                    words.next();
                }
            }
            w if w.starts_with("-fplugin") || w.starts_with("-fpass-plugin") || w.starts_with('@') => {}
            w if !w.starts_with('-') && resolved(&folder.join(w)) == name => {}
            _ => flags.push(word),
        }
    }
    (name, Compilation { folder, flags })
}

fn resolved(path: &Path) -> PathBuf {
    std::fs::canonicalize(path)
        .or_else(|_| std::path::absolute(path))
        .unwrap_or_else(|_| path.to_owned())
}

/// The nearest database in the folder of `file` or above.
pub fn nearest(file: &Path) -> Option<PathBuf> {
    let file = std::path::absolute(file).ok()?;
    file.ancestors()
        .skip(1)
        .map(|folder| folder.join(FILE_NAME))
        .find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn commands_and_arguments_give_flags() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("src")).unwrap();
        for name in ["src/a.c", "src/b.c"] {
            fs::write(dir.path().join(name), "").unwrap();
        }
        let text = r#"[
            {"directory": "src", "file": "a.c", "command": "nvc -DX='a b' -I ../inc -c a.c -o a.o -mp=gpu"},
            {"directory": "src", "file": "b.c",
             "arguments": ["clang", "-Xclang", "-load", "-Xclang", "x.so", "-fplugin=y.so", "-DB", "b.c"]}]"#;
        fs::write(dir.path().join(FILE_NAME), text).unwrap();
        let path = nearest(&dir.path().join("src/a.c")).unwrap();
        let database = Database::read(&path).unwrap();
        let a = database.find(&dir.path().join("src/a.c")).unwrap();
        assert_eq!(a.flags, ["-DX=a b", "-I", "../inc", "-mp=gpu"]);
        assert!(a.folder.ends_with("src"));
        assert_eq!(
            database.find(&dir.path().join("src/../src/b.c")).unwrap().flags,
            ["-DB"]
        );
        assert_eq!(database.find(&dir.path().join("c.c")), None);
    }

    #[test]
    fn a_broken_database_is_an_error_with_its_place() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(FILE_NAME);
        fs::write(&path, "[{\"directory\": 3}]").unwrap();
        let error = Database::read(&path).unwrap_err();
        assert!(
            error.contains("no compilation database") && error.contains("line 1"),
            "{error}"
        );
    }
}
