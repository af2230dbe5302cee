//! Which files a result of clang depends on, apart from the analysed one.
//!
//! clang names files in the way it found them: relative to the folder that it runs in, or to `-working-directory`. Both
//! ways of asking it (its library tells the names as it goes, its process writes a rule for `make`) end in the same list
//! of absolute names. Links are not resolved: a link that points elsewhere tomorrow is a change too.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf};

use super::input::ClangOptions;
use super::{carried, flags};

/// The folder that relative names of clang start in.
pub(super) fn base(options: &ClangOptions) -> PathBuf {
    let folder = match options.working_dir.as_os_str().is_empty() {
        true => Path::new("."),
        false => &options.working_dir,
    };
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    match working_directory(&options.flags) {
        Some(inner) => folder.join(inner),
        None => folder,
    }
}

/// What the last `-working-directory` says.
fn working_directory(all: &[String]) -> Option<&str> {
    let mut found = None;
    let mut rest = flags::meaningful(all).into_iter();
    while let Some(flag) = rest.next() {
        let Some(tail) = flag
            .strip_prefix("--working-directory")
            .or_else(|| flag.strip_prefix("-working-directory"))
        else {
            continue;
        };
        match tail.strip_prefix('=') {
            Some(name) => found = Some(name),
            None if tail.is_empty() => found = rest.next(),
            None => {}
        }
    }
    found
}

/// The files of `read` without `main`, without those in `own`, the folder of the tool's files, and without what the program
/// [carries](super::carried): absolute, sorted, each once.
pub(super) fn others(read: Vec<PathBuf>, base: &Path, main: &Path, own: &Path) -> Vec<PathBuf> {
    let main = absolute(base, main);
    let files: BTreeSet<PathBuf> = read
        .iter()
        .map(|name| absolute(base, name))
        .filter(|file| *file != main && !file.starts_with(own) && !file.starts_with(carried::ROOT))
        .collect();
    files.into_iter().collect()
}

/// The file that clang calls `name`, as it is called among the files that a result depends on.
pub fn file_named(options: &ClangOptions, name: &str) -> PathBuf {
    absolute(&base(options), Path::new(name))
}

/// `name` from `base`, without `.` parts. `..` stays: what it leads to depends on links.
fn absolute(base: &Path, name: &Path) -> PathBuf {
    let parts = base.join(name);
    parts.components().filter(|part| *part != Component::CurDir).collect()
}

/// The files that a rule for `make`, as clang writes it, depends on.
///
/// clang puts a backslash before a space or `#`, doubles backslashes that stand before one, and doubles `$`. A backslash
/// at the end of a line goes on with the next line, any other is itself.
pub(super) fn of_rule(rule: &[u8]) -> Vec<PathBuf> {
    let start = rule
        .iter()
        .position(|&byte| byte == b':')
        .map_or(rule.len(), |at| at + 1);
    let mut names = Vec::new();
    let mut name: Vec<u8> = Vec::new();
    let mut rest = &rule[start..];
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b' ' | b'\n' => end(&mut names, &mut name),
            b'$' if rest.first() == Some(&b'$') => {
                name.push(byte);
                rest = &rest[1..];
            }
            b'\\' => {
                let more = rest.iter().take_while(|&&byte| byte == b'\\').count();
                let count = more + 1;
                let next = rest.get(more).copied();
                rest = &rest[more..];
                match next {
                    Some(special @ (b' ' | b'#')) if count % 2 == 1 => {
                        name.extend(std::iter::repeat_n(b'\\', count / 2));
                        name.push(special);
                        rest = &rest[1..];
                    }
                    Some(b' ') => name.extend(std::iter::repeat_n(b'\\', count / 2)),
                    Some(b'\n') => name.extend(std::iter::repeat_n(b'\\', count - 1)),
                    _ => name.extend(std::iter::repeat_n(b'\\', count)),
                }
            }
            _ => name.push(byte),
        }
    }
    end(&mut names, &mut name);
    names
}

fn end(names: &mut Vec<PathBuf>, name: &mut Vec<u8>) {
    if !name.is_empty() {
        names.push(OsString::from_vec(std::mem::take(name)).into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_as_clang_writes_them() {
        let read = |rule: &str| -> Vec<String> {
            let names = of_rule(rule.as_bytes()).into_iter();
            names.map(|name| name.display().to_string()).collect()
        };
        assert_eq!(read("x: a.c \\\n  b.h /usr/c.h\n"), ["a.c", "b.h", "/usr/c.h"]);
        assert_eq!(
            read("x: a\\ b.h c$$d.h e\\#f.h g\\h.h\n"),
            ["a b.h", "c$d.h", "e#f.h", "g\\h.h"]
        );
        assert_eq!(read("x: a\\\\\\ b.h\n"), ["a\\ b.h"]);
        assert!(read("x:\n").is_empty() && read("").is_empty());
    }

    #[test]
    fn names_are_absolute_and_sorted() {
        let read = ["./x.h", "x.h", "/own/omp.h", "a.c", "../y.h", "/z.h"].map(PathBuf::from);
        let files = others(
            read.into(),
            Path::new("/src/sub"),
            Path::new("./a.c"),
            Path::new("/own"),
        );
        assert_eq!(files, ["/src/sub/../y.h", "/src/sub/x.h", "/z.h"].map(PathBuf::from));
    }

    #[test]
    fn the_last_working_directory_counts() {
        let flags = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let last = |text: &str| working_directory(&flags(text)).map(str::to_owned);
        assert_eq!(last("-DX -working-directory /a -working-directory=b"), Some("b".into()));
        assert_eq!(last("-DX -w"), None);
    }
}
