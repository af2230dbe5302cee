//! clang's messages about a file that it does not accept, each with its place in that file.
//!
//! ```text
//! clang does not accept /p/sim.c:
//! In file included from /p/sim.c:3:           ─┐
//! /p/grid.h:7:1: error: unknown type name 'x' ─┴► line 3 of sim.c: unknown type name 'x' (in /p/grid.h, line 7)
//! /p/sim.c:9:5: error: expected ';'           ──► line 9, column 5 of sim.c
//! ```

use super::positions::ToolPlace;
use std::path::{Path, PathBuf};

/// A message of clang about a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileError {
    /// Where it is in the file that is compiled.
    pub place: ToolPlace,
    pub message: String,
    /// Where it is, if that is in another file.
    pub elsewhere: Option<PlaceElsewhere>,
}

/// A place in another file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlaceElsewhere {
    pub path: PathBuf,
    pub place: ToolPlace,
}

/// The most messages that are told apart: behind the first ones there is little to be learnt.
const MOST: usize = 50;

/// The errors in what clang has said of a file.
pub fn of_message(said: &str, file: &Path) -> Vec<CompileError> {
    // Where the file includes what the next messages are about; clang says that in front of the first of these.
    let mut included = None;
    let mut between = false;
    let mut found = Vec::new();
    for line in said.lines() {
        if let Some(rest) = line.strip_prefix("In file included from ") {
            // The first of several is the outermost.
            if !std::mem::replace(&mut between, true) {
                included = included_at(rest, file);
            }
            continue;
        }
        let Some(located) = LocatedMessage::of(line) else {
            continue;
        };
        between = false;
        let own = is_named(located.path, file);
        if found.len() == MOST || !located.is_error {
            continue;
        }
        let first = ToolPlace { line: 1, column: 1 };
        found.push(CompileError {
            place: if own { located.place } else { included.unwrap_or(first) },
            message: located.message.to_owned(),
            elsewhere: (!own).then(|| PlaceElsewhere {
                path: located.path.into(),
                place: located.place,
            }),
        });
    }
    found
}

/// The line of `PATH:LINE:` if that is the file.
fn included_at(place: &str, file: &Path) -> Option<ToolPlace> {
    let (path, line) = place.trim_end_matches(':').rsplit_once(':')?;
    let line = line.parse().ok().filter(|_| is_named(path, file))?;
    Some(ToolPlace { line, column: 1 })
}

/// `PATH:LINE:COLUMN: error: MESSAGE`
struct LocatedMessage<'m> {
    path: &'m str,
    place: ToolPlace,
    is_error: bool,
    message: &'m str,
}

impl<'m> LocatedMessage<'m> {
    fn of(line: &'m str) -> Option<LocatedMessage<'m>> {
        let kinds = [": fatal error: ", ": error: ", ": warning: ", ": note: "];
        let (kind, at) = { kinds.iter() }.find_map(|kind| Some((*kind, line.find(kind)?)))?;
        let (before, column) = line[..at].rsplit_once(':')?;
        let (path, number) = before.rsplit_once(':')?;
        Some(LocatedMessage {
            path,
            place: ToolPlace {
                line: number.parse().ok()?,
                column: column.parse().ok()?,
            },
            is_error: kind.contains("error"),
            message: &line[at + kind.len()..],
        })
    }
}

/// Whether clang means a file: it may say the name as it has found it, from a folder that nobody knows here.
fn is_named(name: &str, file: &Path) -> bool {
    let name = Path::new(name);
    name == file || (name.is_relative() && file.ends_with(name.strip_prefix("./").unwrap_or(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "clang does not accept /p/sim.c:
/p/sim.c:2:5: warning: unused [-Wunused]
In file included from /p/sim.c:3:
In file included from /p/./grid.h:1:
/p/./inner.h:7:1: error: unknown type name 'x'
    7 | x y;
      | ^
/p/./inner.h:8:1: error: another
/p/sim.c:9:5: error: expected ';' after: this
/p/sim.c:8:1: note: to match this '{'
2 errors generated.";

    #[test]
    fn each_error_has_its_place() {
        let found = of_message(SAID, Path::new("/p/sim.c"));
        assert_eq!(found.len(), 3, "{found:?}");
        assert_eq!([found[0].place, found[1].place], [ToolPlace { line: 3, column: 1 }; 2]);
        let elsewhere = found[0].elsewhere.as_ref().unwrap();
        assert_eq!(
            (elsewhere.path.as_path(), elsewhere.place.line),
            (Path::new("/p/./inner.h"), 7)
        );
        assert_eq!(found[2].place, ToolPlace { line: 9, column: 5 });
        assert_eq!(
            (found[2].message.as_str(), &found[2].elsewhere),
            ("expected ';' after: this", &None)
        );
    }

    #[test]
    fn what_has_no_place_is_none() {
        assert_eq!(of_message("a.c: cannot be read", Path::new("/p/a.c")), []);
        assert_eq!(
            of_message("error: no such flag\n:::: error: x", Path::new("/p/a.c")),
            []
        );
    }
}
