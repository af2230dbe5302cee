//! Rooms in which no file goes round: what a file uses stands below it.
//!
//! An edge leads from a file to another one of its room that it names in a `use` or a path, re-exports of the room's `mod.rs` followed,
//! and to one whose method it calls, where only one file of the crate has a method of that name: `impl Inputs<'_>` in many files shows
//! in no import.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The rooms.
const ROOMS: [&str; 7] = [
    "plan",
    "analysis/conditions",
    "analysis/effects",
    "analysis/far_jumps",
    "analysis/libc",
    "analysis/movement",
    "analysis/value_summary",
];

/// Files of a room by the names of their modules, without comments and tests.
type Room = BTreeMap<String, String>;

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = folder.read_dir().expect("a folder of sources");
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        match path.is_dir() {
            true => sources(&path, found),
            false => found.push(path),
        }
    }
}

fn code(path: &Path) -> String {
    let text = std::fs::read_to_string(path).expect("a source file");
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

fn is_test(path: &Path) -> bool {
    path.components()
        .any(|part| part.as_os_str().to_string_lossy().starts_with("tests"))
}

fn room(folder: &Path) -> Room {
    let entries = folder
        .read_dir()
        .expect("a room")
        .map(|entry| entry.expect("an entry").path());
    let files = entries.filter(|path| path.extension().is_some_and(|e| e == "rs") && !is_test(path));
    let named = |path: PathBuf| Some((path.file_stem()?.to_str()?.to_owned(), code(&path)));
    files.filter_map(named).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
}

/// What a room's `mod.rs` hands on, by name: from which file.
fn handed_on(room: &Room) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for statement in room.get("mod").map_or("", String::as_str).split(';') {
        let Some((_, path)) = statement.split_once("pub use ") else {
            continue;
        };
        let mut names = words(path);
        if let Some(file) = names.next().filter(|file| room.contains_key(*file)) {
            found.extend(names.map(|name| (name.to_owned(), file.to_owned())));
        }
    }
    found
}

/// Files of the room that a text names.
fn named(text: &str, place: &str, room: &Room) -> BTreeSet<String> {
    let on = handed_on(room);
    let mut found = BTreeSet::new();
    for prefix in ["super::".to_owned(), format!("crate::{}::", place.replace('/', "::"))] {
        for (at, _) in text.match_indices(&prefix) {
            let rest = &text[at + prefix.len()..];
            // `super::{a::X, b}` and `super::a::X`.
            let rest = match rest.strip_prefix('{') {
                Some(list) => list.split('}').next().unwrap_or_default(),
                None => rest
                    .split(|c: char| !c.is_alphanumeric() && c != '_')
                    .next()
                    .unwrap_or_default(),
            };
            for word in words(rest) {
                match on.get(word) {
                    _ if room.contains_key(word) => found.insert(word.to_owned()),
                    Some(file) => found.insert(file.clone()),
                    None => false,
                };
            }
        }
    }
    found
}

/// Names of methods with a receiver that a text defines.
fn methods(text: &str) -> BTreeSet<&str> {
    let defines = |(at, _): (usize, &str)| {
        let rest = &text[at + 3..];
        let name = words(rest).next()?;
        let list = rest.split_once('(')?.1.split(')').next()?;
        let receiver = list.split(',').next()?;
        words(receiver).any(|word| word == "self").then_some(name)
    };
    text.match_indices("fn ").filter_map(defines).collect()
}

/// The files that each method of the crate is defined in.
fn owners(src: &Path) -> BTreeMap<String, BTreeSet<PathBuf>> {
    let mut files = Vec::new();
    sources(src, &mut files);
    let mut found: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
    for path in files.into_iter().filter(|path| !is_test(path)) {
        for method in methods(&code(&path)) {
            found.entry(method.to_owned()).or_default().insert(path.clone());
        }
    }
    found
}

/// A way from a file back to itself.
fn circle(edges: &BTreeMap<&str, BTreeSet<String>>) -> Option<Vec<String>> {
    for start in edges.keys() {
        let mut from: BTreeMap<String, String> = BTreeMap::new();
        let mut work = vec![(*start).to_owned()];
        while let Some(file) = work.pop() {
            for next in edges.get(file.as_str()).into_iter().flatten() {
                if next == start {
                    let mut way = vec![next.clone()];
                    let mut at = file;
                    while at != *start {
                        way.push(at.clone());
                        at = from[&at].clone();
                    }
                    way.push(at);
                    way.reverse();
                    return Some(way);
                }
                if !from.contains_key(next) {
                    from.insert(next.clone(), file.clone());
                    work.push(next.clone());
                }
            }
        }
    }
    None
}

#[test]
fn no_file_goes_round() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let owners = owners(&src);
    for place in ROOMS {
        let folder = src.join(place);
        let room = room(&folder);
        let owned = |method: &str, file: &str| {
            owners[method].len() == 1 && owners[method].contains(&folder.join(file).with_extension("rs"))
        };
        let mut edges: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for (file, text) in room.iter().filter(|(file, _)| *file != "mod") {
            let mut uses = named(text, place, &room);
            for (other, theirs) in &room {
                let calls = |method: &str| text.contains(&format!(".{method}(")) && owned(method, other);
                if methods(theirs).into_iter().any(calls) {
                    uses.insert(other.clone());
                }
            }
            uses.remove(file);
            uses.remove("mod");
            edges.insert(file, uses);
        }
        assert_eq!(
            circle(&edges),
            None,
            "{place} has a circle: what these files share belongs below them"
        );
    }
}

#[test]
fn a_circle_is_found() {
    let edges = [("a", "b"), ("b", "c"), ("c", "b")];
    let edges = edges.map(|(from, to)| (from, BTreeSet::from([to.to_owned()])));
    assert_eq!(
        circle(&BTreeMap::from(edges)),
        Some(vec!["b".to_owned(), "c".to_owned(), "b".to_owned()])
    );
}
