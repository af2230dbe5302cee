//! Whether the headers of a file may have kernels, asked before the compiler is.
//!
//! Most files that are looked at have nothing to do with OpenMP, and starting the compiler for them would be the most of the
//! work. So includes are looked for here, as far as that is simple: beside the file that includes them and in the folders of
//! `-I` and `-iquote`. A header that this does not find has no kernels that are optimised.

use crate::llvm::ClangOptions;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// How many headers of a file are looked at.
const MOST: usize = 1_000;

/// Whether some header of the file says `target` in a pragma.
pub fn headers_mention_target(path: &Path, text: &[u8], options: &ClangOptions) -> bool {
    headers_below(path, text, options).any(|(_, text)| mentions_target(&text))
}

/// The headers that a file names, and those that these name, as far as they are found, with what they hold; each after one that names it.
pub fn headers_below<'o>(
    path: &Path,
    text: &[u8],
    options: &'o ClangOptions,
) -> impl Iterator<Item = (PathBuf, Vec<u8>)> + use<'o> {
    let folders = folders(options);
    let at = options.working_dir.join(path);
    IncludedFiles {
        work: includes(text, at.parent(), &folders),
        seen: BTreeSet::new(),
        folders,
        options,
    }
}

/// Files, and those that they include in turn, each once.
struct IncludedFiles<'o> {
    work: Vec<PathBuf>,
    seen: BTreeSet<PathBuf>,
    folders: Vec<PathBuf>,
    options: &'o ClangOptions,
}

impl Iterator for IncludedFiles<'_> {
    type Item = (PathBuf, Vec<u8>);

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(file) = self.work.pop() {
            if self.seen.len() == MOST || !self.seen.insert(file.clone()) {
                continue;
            }
            let Some(text) = self.options.header(&file) else {
                continue;
            };
            self.work.extend(includes(&text, file.parent(), &self.folders));
            return Some((file, text));
        }
        None
    }
}

/// Whether the text may hold a `target` directive, as a pragma or an operator. Cheap, and never wrongly false: a word of a
/// directive cannot come from a macro.
pub fn mentions_target(text: &[u8]) -> bool {
    let has = |word: &[u8]| text.windows(word.len()).any(|w| w == word);
    // A continuation inside a word would hide it, and nobody writes one.
    has(b"target") && (has(b"pragma") || has(b"_Pragma"))
}

/// The folders of the command line in which headers lie.
fn folders(options: &ClangOptions) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut flags = options.flags.iter();
    while let Some(flag) = flags.next() {
        let named = ["-iquote", "-I"].iter().find_map(|name| flag.strip_prefix(name));
        let folder = match named {
            Some("") => flags.next().map(String::as_str),
            other => other,
        };
        found.extend(folder.map(|folder| options.working_dir.join(folder)));
    }
    found
}

/// The files that a text which lies beside others means by names in its `#include` directives, and those that they include: the
/// contents of those that are there.
pub(super) fn included_files(names: &[String], at: &Path, options: &ClangOptions) -> Vec<Vec<u8>> {
    let folders = folders(options);
    let find = |name: &str, beside: Option<&Path>| {
        let mut places = beside.into_iter().chain(folders.iter().map(PathBuf::as_path));
        places.find_map(|folder| Some(folder.join(name)).filter(|header| header.is_file()))
    };
    let beside = options.working_dir.join(at);
    let files = IncludedFiles {
        work: names.iter().filter_map(|name| find(name, beside.parent())).collect(),
        seen: BTreeSet::new(),
        folders: folders.clone(),
        options,
    };
    files.map(|(_, text)| text).collect()
}

/// The headers that a text names and that are there.
fn includes(text: &[u8], beside: Option<&Path>, folders: &[PathBuf]) -> Vec<PathBuf> {
    let text = String::from_utf8_lossy(text);
    let named = text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start();
        let rest = rest.strip_prefix("include")?.trim_start();
        let close = if rest.starts_with('<') { '>' } else { '"' };
        rest.get(1..)?.split_once(close).map(|(name, _)| name)
    });
    let places = || beside.into_iter().chain(folders.iter().map(PathBuf::as_path));
    let found = named.filter_map(|name| places().map(|folder| folder.join(name)).find(|header| header.is_file()));
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_found_through_headers_and_folders() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        std::fs::create_dir(folder.path().join("inc")).unwrap();
        write("a.h", "#include \"a.h\"\n# include <b.h>\n");
        write("inc/b.h", "static void f(void) {\n#pragma omp target\n{ }\n}\n");
        let path = folder.path().join("main.c");
        let text = b"#include <stdio.h>\n#include \"a.h\"\n";
        let with = |flags: &[&str]| ClangOptions {
            flags: flags.iter().map(|flag| (*flag).to_owned()).collect(),
            working_dir: folder.path().to_owned(),
            ..ClangOptions::default()
        };
        assert!(!headers_mention_target(&path, text, &with(&[])));
        assert!(headers_mention_target(&path, text, &with(&["-Iinc"])));
        assert!(headers_mention_target(Path::new("main.c"), text, &with(&["-I", "inc"])));
        assert!(!headers_mention_target(
            &path,
            b"#include \"none.h\"\n#include",
            &with(&["-I"])
        ));
    }
}
