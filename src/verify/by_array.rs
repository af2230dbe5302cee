//! What each array of a program moved before and after rewriting, and what had to move.
//!
//! Two runs are put side by side object by object, and objects with one set of names are one row:
//!
//! ```text
//! original    heap 0  u           4000 B up in 5         static g  u      2000 B up in 5
//! rewritten   heap 0  u, grid      800 B up in 1         static g  u, g    400 B up in 1
//!
//! array       before           after           floor
//! grid, u     4000 B in 5      800 B in 1      800 B
//! g, u        2000 B in 5      400 B in 1      400 B
//! ```
//!
//! A callee's parameter has one name for all that it is handed, so an object's other names come first: those that fewest
//! objects have. The thousand blocks of `rows[i]` are one row. The floor is the original's; that of the rewritten program is
//! no other, because both read and write alike on each side.

use super::objects::{Floor, ObjectTraffic, Traffic};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Copies by array.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ByArray {
    #[default]
    NotAsked,
    /// Why it could not be counted, in words.
    NotMeasured(String),
    /// Those that moved most before come first.
    Measured(Vec<ArrayTraffic>),
}

/// One array, or all of those that directives know by one set of names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ArrayTraffic {
    /// Empty for copies of what no directive names, as pointers that are made to point into device memory.
    pub names: Vec<String>,
    /// How many objects of these names there are.
    pub objects: usize,
    pub before: Traffic,
    pub after: Traffic,
    pub floor: Floor,
}

/// One object in both runs.
struct Joined<'a> {
    names: Vec<&'a str>,
    before: Option<&'a ObjectTraffic>,
    after: Option<&'a ObjectTraffic>,
}

/// Puts the objects of the original and of the rewritten program together.
pub(super) fn joined(before: &[ObjectTraffic], after: &[ObjectTraffic]) -> Vec<ArrayTraffic> {
    let mut objects: Vec<Joined<'_>> = before.iter().map(|object| Joined::new(Some(object), None)).collect();
    let mut places = FxHashMap::<&str, Vec<usize>>::default();
    for (at, object) in before.iter().enumerate() {
        places.entry(&object.place).or_default().push(at);
    }
    for object in after {
        let there = places.get(object.place.as_str()).into_iter().flatten();
        match there.copied().find(|at| objects[*at].is(object)) {
            Some(known) => objects[known].join(object),
            None => objects.push(Joined::new(None, Some(object))),
        }
    }
    let mut owners = FxHashMap::<&str, usize>::default();
    for name in objects.iter().flat_map(|object| &object.names) {
        *owners.entry(name).or_default() += 1;
    }
    let mut rows = BTreeMap::<Vec<&str>, ArrayTraffic>::new();
    for object in &objects {
        let mut names = object.names.clone();
        names.sort_by_key(|name| (owners[name], *name));
        object.add_to(rows.entry(names).or_default());
    }
    let mut rows: Vec<ArrayTraffic> = rows
        .into_iter()
        .map(|(names, row)| ArrayTraffic {
            names: names.into_iter().map(str::to_owned).collect(),
            ..row
        })
        .filter(|row| row.before.moved_calls() + row.after.moved_calls() > 0)
        .collect();
    // The sort is stable: equal rows stay in the order of their names.
    rows.sort_by_key(|row| std::cmp::Reverse((row.before.moved_bytes(), row.after.moved_bytes())));
    rows
}

impl<'a> Joined<'a> {
    fn new(before: Option<&'a ObjectTraffic>, after: Option<&'a ObjectTraffic>) -> Joined<'a> {
        let names = before.or(after).map(|object| &object.names);
        Joined {
            names: names.into_iter().flatten().map(String::as_str).collect(),
            before,
            after,
        }
    }

    /// Whether an object of the rewritten program, at a place of the same words, is this one.
    fn is(&self, object: &ObjectTraffic) -> bool {
        let shares_name = || object.names.iter().any(|name| self.names.contains(&name.as_str()));
        let is_unnamed = || object.names.is_empty() && self.names.is_empty();
        self.after.is_none() && (object.place != "other" || is_unnamed() || shares_name())
    }

    fn join(&mut self, object: &'a ObjectTraffic) {
        for name in &object.names {
            if !self.names.contains(&name.as_str()) {
                self.names.push(name);
            }
        }
        self.after = Some(object);
    }

    fn add_to(&self, row: &mut ArrayTraffic) {
        row.objects += 1;
        row.before += self.before.map(|object| object.traffic).unwrap_or_default();
        row.after += self.after.map(|object| object.traffic).unwrap_or_default();
        row.floor += self
            .before
            .or(self.after)
            .map(|object| object.floor)
            .unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(place: &str, names: &[&str], up: (u64, u64, u64)) -> ObjectTraffic {
        ObjectTraffic {
            place: place.to_owned(),
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            traffic: Traffic {
                h2d_bytes: up.0,
                h2d_calls: up.1,
                ..Traffic::default()
            },
            floor: Floor { h2d: up.2, d2h: 0 },
        }
    }

    fn shown(rows: &[ArrayTraffic]) -> Vec<String> {
        let row = |r: &ArrayTraffic| {
            let names = r.names.join(", ");
            let (before, after, floor) = (r.before.h2d_bytes, r.after.h2d_bytes, r.floor.h2d);
            format!("{names}: {before} {after} {floor} of {}", r.objects)
        };
        rows.iter().map(row).collect()
    }

    #[test]
    fn objects_of_two_runs_are_told_by_their_places_and_their_names() {
        let before = [
            object("heap 0", &["u"], (4000, 5, 800)),
            object("static g", &["u"], (2000, 5, 400)),
            object("other", &["local"], (160, 2, 80)),
            object("other", &[], (8, 1, 0)),
        ];
        let after = [
            object("other", &[], (16, 2, 0)),
            object("other", &["local", "work"], (80, 1, 80)),
            object("static g", &["u", "g"], (400, 1, 400)),
            object("heap 0", &["grid", "u"], (800, 1, 800)),
        ];
        let rows = joined(&before, &after);
        assert_eq!(
            shown(&rows),
            [
                "grid, u: 4000 800 800 of 1",
                "g, u: 2000 400 400 of 1",
                "local, work: 160 80 80 of 1",
                ": 8 16 0 of 1"
            ]
        );
    }

    #[test]
    fn objects_of_one_name_are_one_row_and_what_never_moves_is_none() {
        let before = [
            object("heap 0", &["row"], (80, 1, 80)),
            object("heap 1", &["row"], (80, 1, 80)),
            object("heap 2", &["idle"], (0, 0, 0)),
        ];
        assert_eq!(shown(&joined(&before, &before)), ["row: 160 160 160 of 2"]);
    }
}
