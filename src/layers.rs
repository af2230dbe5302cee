//! Rooms in which no file goes round: what a file uses stands below it. And names that mean one type each.
//!
//! An edge leads from a file to another one of its room that it names in a `use` or a path, re-exports of `mod.rs` files followed,
//! and to one whose method it calls, where only one file of the crate has a method of that name: `impl Inputs<'_>` in many files shows
//! in no import. The `mod.rs` files themselves are no nodes: they name all of what is theirs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The file that stands in the place of another one in builds without clang's library, and has what that has.
const IN_THE_PLACE: &str = "llvm/raw/no_clang_library";

/// A module or item by the names on the way to it from the crate's root.
type ModulePath = Vec<String>;

/// Files of the crate by the ways to their modules, without comments and tests.
struct Files {
    code: BTreeMap<ModulePath, String>,
    /// What `mod.rs` files hand on: from the way that it is used by to the one that it has.
    handed_on: BTreeMap<ModulePath, ModulePath>,
    /// The files that have a method, by its name.
    owners: BTreeMap<String, BTreeSet<ModulePath>>,
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = folder.read_dir().expect("a folder of sources");
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        match path.is_dir() {
            true => sources(&path, found),
            false if path.extension().is_some_and(|end| end == "rs") => found.push(path),
            false => {}
        }
    }
}

fn code(path: &Path) -> String {
    let text = std::fs::read_to_string(path).expect("a source file");
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
}

/// The ways that a `use` names, its braces resolved.
fn listed(tree: &str) -> Vec<ModulePath> {
    let Some((before, rest)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or_default();
        return vec![words(path).map(str::to_owned).collect()];
    };
    let inner = rest.rsplit_once('}').map_or(rest, |(inner, _)| inner);
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for c in inner.chars() {
        match c {
            ',' if depth == 0 => parts.push(String::new()),
            _ => {
                depth += i32::from(c == '{') - i32::from(c == '}');
                parts.last_mut().expect("a part").push(c);
            }
        }
    }
    let parts = parts.iter().filter(|part| !part.trim().is_empty());
    let below = parts.flat_map(|part| listed(part));
    below
        .map(|way| words(before).map(str::to_owned).chain(way).collect())
        .collect()
}

/// The ways of all `use` statements of a text, and whether they are handed on.
fn used(text: &str) -> Vec<(ModulePath, bool)> {
    let statements = text.split(';').filter_map(|statement| {
        let (before, tree) = statement.rsplit_once("use ")?;
        let last = before.rsplit('\n').next().unwrap_or_default().trim();
        (last.is_empty() || last.starts_with("pub")).then_some((tree, last.starts_with("pub")))
    });
    let ways = |(tree, public): (&str, bool)| {
        listed(tree)
            .into_iter()
            .map(move |way| (way, public))
            .collect::<Vec<_>>()
    };
    statements.flat_map(ways).collect()
}

/// Paths in a text that begin at the crate or at a module above.
fn paths(text: &str) -> Vec<ModulePath> {
    let begins = ["crate::", "super::"]
        .into_iter()
        .flat_map(|prefix| text.match_indices(prefix));
    let whole = |(at, _): (usize, &str)| {
        let end = text[at..].find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
        let path = &text[at..end.map_or(text.len(), |end| at + end)];
        words(path).map(str::to_owned).collect()
    };
    begins.map(whole).collect()
}

/// The name of the type that a line at the left margin defines.
fn defined_type(line: &str) -> Option<&str> {
    let rest = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(')')?.1,
        Some(rest) => rest,
        None => line,
    };
    let (keyword, rest) = rest.trim_start().split_once(' ')?;
    let defines = ["struct", "enum", "trait", "type", "union"].contains(&keyword);
    words(rest).next().filter(|_| defines && !line.starts_with(' '))
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

impl Files {
    fn read(src: &Path) -> Files {
        let mut paths = Vec::new();
        sources(src, &mut paths);
        let mut files = Files {
            code: BTreeMap::new(),
            handed_on: BTreeMap::new(),
            owners: BTreeMap::new(),
        };
        for path in paths {
            let inside = path.strip_prefix(src).expect("a file of the folder").with_extension("");
            let mut way: ModulePath = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            if way.iter().any(|part| part.starts_with("tests")) {
                continue;
            }
            way.retain(|part| part != "mod");
            files.code.insert(way, code(&path));
        }
        for (way, text) in &files.code {
            for method in methods(text) {
                files.owners.entry(method.to_owned()).or_default().insert(way.clone());
            }
            for (path, _) in used(text).into_iter().filter(|(_, public)| *public) {
                let name = path.last().expect("a name").clone();
                let from = files.absolute(way, &path);
                files
                    .handed_on
                    .insert(way.iter().cloned().chain([name]).collect(), from);
            }
        }
        files
    }

    /// The way from the root of what a file calls `path`.
    fn absolute(&self, file: &[String], path: &[String]) -> ModulePath {
        let (first, rest) = path.split_first().expect("a path");
        match first.as_str() {
            "crate" => rest.to_vec(),
            "super" => self.absolute(
                &file[..file.len().saturating_sub(1)],
                &[&["self".to_owned()], rest].concat(),
            ),
            "self" if rest.first().is_some_and(|next| next == "super") => self.absolute(file, rest),
            "self" => [file, rest].concat(),
            _ => [file, path].concat(),
        }
    }

    /// The file that a way leads to.
    fn file_of(&self, way: &[String]) -> Option<&ModulePath> {
        let mut way = way.to_vec();
        for _ in 0..8 {
            let on = (1..=way.len())
                .rev()
                .find_map(|n| Some((n, self.handed_on.get(&way[..n])?)));
            let Some((n, from)) = on else { break };
            way = [&from[..], &way[n..]].concat();
        }
        let known = (1..=way.len()).rev().find_map(|n| self.code.get_key_value(&way[..n]));
        known.map(|(found, _)| found)
    }

    /// Whether a module is one of a folder with files below it.
    fn is_folder(&self, way: &[String]) -> bool {
        self.code
            .keys()
            .any(|other| other.len() > way.len() && other.starts_with(way))
    }

    /// The rooms: folders of the crate.
    fn rooms(&self) -> BTreeSet<&str> {
        self.code
            .keys()
            .filter(|way| way.len() > 1)
            .map(|way| way[0].as_str())
            .collect()
    }

    /// Where each type is defined, by its name. Types within functions and tests are not among them.
    fn types(&self) -> BTreeMap<&str, Vec<String>> {
        let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (way, text) in self.code.iter().filter(|(way, _)| way.join("/") != IN_THE_PLACE) {
            for name in text.lines().filter_map(defined_type) {
                found.entry(name).or_default().push(way.join("/"));
            }
        }
        found
    }

    /// What the files of a room use of it.
    fn edges(&self, room: &str) -> BTreeMap<String, BTreeSet<String>> {
        let is_node = |way: &ModulePath| way[0] == room && !self.is_folder(way);
        let mut edges = BTreeMap::new();
        for (way, text) in self.code.iter().filter(|(way, _)| is_node(way)) {
            let named = used(text).into_iter().map(|(path, _)| path).chain(paths(text));
            let named: Vec<ModulePath> = named
                .filter(|path| !path.is_empty())
                .map(|path| self.absolute(way, &path))
                .collect();
            let mut uses: BTreeSet<&ModulePath> = named.iter().filter_map(|path| self.file_of(path)).collect();
            for (method, owners) in &self.owners {
                if owners.len() == 1 && text.contains(&format!(".{method}(")) {
                    uses.extend(owners);
                }
            }
            let uses = uses.into_iter().filter(|other| *other != way && is_node(other));
            edges.insert(way.join("/"), uses.map(|other| other.join("/")).collect());
        }
        edges
    }
}

/// A way from a file back to itself.
fn circle(edges: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
    for start in edges.keys() {
        let mut from: BTreeMap<&String, &String> = BTreeMap::new();
        let mut work = vec![start];
        while let Some(file) = work.pop() {
            for next in edges.get(file).into_iter().flatten() {
                if next == start {
                    let mut way = vec![next.clone()];
                    let mut at = file;
                    while at != start {
                        way.push(at.clone());
                        at = from[at];
                    }
                    way.push(at.clone());
                    way.reverse();
                    return Some(way);
                }
                if !from.contains_key(next) {
                    from.insert(next, file);
                    work.push(next);
                }
            }
        }
    }
    None
}

#[test]
fn no_file_goes_round() {
    let files = Files::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let rooms = files.rooms();
    assert!(rooms.contains("plan") && rooms.contains("symbolic"), "{rooms:?}");
    for room in rooms {
        let edges = files.edges(room);
        assert_eq!(
            circle(&edges),
            None,
            "{room} has a circle: what these files share belongs below them"
        );
    }
}

#[test]
fn a_room_is_read() {
    let files = Files::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let edges = files.edges("plan");
    assert!(edges.values().map(BTreeSet::len).sum::<usize>() > edges.len());
}

#[test]
fn one_name_is_one_type() {
    let files = Files::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let types = files.types();
    assert!(types.len() > 500, "only {} types are read", types.len());
    let twice: Vec<_> = types.into_iter().filter(|(_, files)| files.len() > 1).collect();
    assert_eq!(twice, [], "each of these types needs a name of its own");
}

#[test]
fn types_are_found() {
    let lines = [
        "pub(super) struct A<'a> {",
        "pub enum B {",
        "type C = u8;",
        "    struct D;",
        "fn struct_of() {}",
    ];
    let found: Vec<_> = lines.into_iter().filter_map(defined_type).collect();
    assert_eq!(found, ["A", "B", "C"]);
}

#[test]
fn a_circle_is_found() {
    let edges = [("a", "b"), ("b", "c"), ("c", "b")];
    let edges = edges.map(|(from, to)| (from.to_owned(), BTreeSet::from([to.to_owned()])));
    assert_eq!(
        circle(&BTreeMap::from(edges)),
        Some(vec!["b".to_owned(), "c".to_owned(), "b".to_owned()])
    );
}

#[test]
fn uses_are_read() {
    let text = "use super::a::{X, b::{Y, z}};\npub use c::W as V;\nfn f() { crate::d::g(); let use_of = 1; }";
    let ways = |found: Vec<ModulePath>| found.iter().map(|way| way.join("::")).collect::<Vec<_>>();
    let found = used(text);
    assert_eq!(
        ways(found.iter().map(|(way, _)| way.clone()).collect()),
        ["super::a::X", "super::a::b::Y", "super::a::b::z", "c::W"]
    );
    assert_eq!(
        found.iter().map(|(_, public)| *public).collect::<Vec<_>>(),
        [false, false, false, true]
    );
    assert!(ways(paths(text)).contains(&"crate::d::g".to_owned()));
}
