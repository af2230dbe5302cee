//! `compile_commands.json`: how a build system compiles each file.
//!
//! An entry that makes no sense is a problem of its own: the others are used.

use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The name that build systems give it.
pub const FILE_NAME: &str = "compile_commands.json";

#[derive(Deserialize)]
struct CommandEntry {
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
    /// Absolute file names, with links resolved where the file exists, each once, in the order of the entries.
    files: Vec<PathBuf>,
    by_file: FxHashMap<PathBuf, DatabaseRecord>,
    /// What is wrong with entries.
    problems: Vec<String>,
}

/// What the database says of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DatabaseRecord {
    /// What its entries say, each once, in their order; at least one.
    pub compilations: Vec<Compilation>,
}

impl Database {
    /// Reads a database.
    ///
    /// # Errors
    /// What is wrong with the file, and where.
    pub fn read(path: &Path) -> Result<Database, String> {
        let fail = |why: String| format!("{}: {why}", path.display());
        let text = std::fs::read_to_string(path)
            .map_err(|e| fail(format!("cannot be read ({e}); name the folder that it is in with -p")))?;
        let entries: Vec<Value> = serde_json::from_str(&text).map_err(|e| {
            fail(format!(
                "is no compilation database ({e}); generate it anew, e.g. with `cmake` or `bear`"
            ))
        })?;
        let base = path.parent().unwrap_or(Path::new("."));
        let base = std::path::absolute(base).unwrap_or_else(|_| base.to_owned());
        let mut database = Database::default();
        for (index, entry) in entries.into_iter().enumerate() {
            match read_entry(entry, &base) {
                Ok((file, compilation)) => database.add(file, compilation),
                Err(why) => database.problems.push(fail(format!(
                    "entry {} is left out: {why}; generate the database anew",
                    index + 1
                ))),
            }
        }
        Ok(database)
    }

    fn add(&mut self, file: PathBuf, compilation: Compilation) {
        if let Some(found) = self.by_file.get_mut(&file) {
            if !found.compilations.contains(&compilation) {
                found.compilations.push(compilation);
            }
            return;
        }
        self.files.push(file.clone());
        let found = DatabaseRecord {
            compilations: vec![compilation],
        };
        self.by_file.insert(file, found);
    }

    /// How `file` is compiled.
    pub fn find(&self, file: &Path) -> Option<&DatabaseRecord> {
        self.by_file.get(&resolved(file))
    }

    /// All files, whether or not they are there.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// What is wrong with entries.
    pub fn problems(&self) -> &[String] {
        &self.problems
    }
}

fn read_entry(entry: Value, base: &Path) -> Result<(PathBuf, Compilation), String> {
    let entry: CommandEntry = serde_json::from_value(entry).map_err(|e| e.to_string())?;
    let folder = base.join(&entry.directory);
    let words = match (entry.arguments, &entry.command) {
        (Some(words), _) => words,
        (None, Some(command)) => shlex::split(command).ok_or("a quote in its command is not closed")?,
        (None, None) => return Err("it has neither `command` nor `arguments`".to_owned()),
    };
    let name = resolved(&folder.join(&entry.file));
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
    Ok((name, Compilation { folder, flags }))
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
        let flags = |file: &str| database.find(&dir.path().join(file)).map(|f| f.compilations[0].clone());
        let a = flags("src/a.c").unwrap();
        assert_eq!(a.flags, ["-DX=a b", "-I", "../inc", "-mp=gpu"]);
        assert!(a.folder.ends_with("src"));
        assert_eq!(flags("src/../src/b.c").unwrap().flags, ["-DB"]);
        assert_eq!(flags("c.c"), None);
    }

    #[test]
    fn entries_that_make_no_sense_are_told_and_left_out() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(FILE_NAME);
        let text = r#"[{"directory": 3}, {"directory": ".", "file": "a.c"},
            {"directory": ".", "file": "b.c", "command": "cc 'b.c"},
            {"directory": ".", "file": "c.c", "command": "cc -DA c.c"},
            {"directory": ".", "file": "c.c", "command": "cc -DB c.c"}]"#;
        fs::write(&path, text).unwrap();
        let database = Database::read(&path).unwrap();
        let problems = database.problems();
        assert_eq!(problems.len(), 3, "{problems:?}");
        assert!(problems[0].contains("entry 1 is left out: invalid type"));
        assert!(problems[1].contains("entry 2") && problems[1].contains("neither"));
        assert!(problems[2].contains("entry 3") && problems[2].contains("quote"));
        let found = database.find(&dir.path().join("c.c")).unwrap();
        let flags: Vec<&[String]> = found.compilations.iter().map(|c| c.flags.as_slice()).collect();
        assert_eq!(flags, [["-DA"], ["-DB"]]);
        assert_eq!(database.files().len(), 1);
    }

    #[test]
    fn a_broken_database_is_an_error_with_its_place() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(FILE_NAME);
        fs::write(&path, "[{\"directory\": 3}").unwrap();
        let error = Database::read(&path).unwrap_err();
        assert!(
            error.contains("no compilation database") && error.contains("line 1"),
            "{error}"
        );
    }
}
