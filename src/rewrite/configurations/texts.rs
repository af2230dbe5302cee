//! The texts of a plan, with whose they are.
//!
//! Plans of one program in several configurations are compared array by array: what is written about `a` in a function must
//! stand at the same places, be of the same kind and read the same but for numbers.

use crate::plan::{Change, Decision, FilePlan};
use crate::program::graph::Place;
use crate::syntax::{PragmaId, StmtId};
use std::collections::BTreeMap;

/// Whose a text is: a function, and an array or a kernel in it.
pub(super) type Owner = (String, String);

/// Where a text stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Spot {
    /// Before or behind a statement.
    Stmt(StmtId),
    /// In the place of a pragma.
    Pragma(PragmaId),
}

/// A text of a plan without its numbers, and these.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// What it is part of and where that stands.
    pub key: String,
    /// Where that is.
    pub spot: Option<Spot>,
    /// Everything but the numbers.
    pub pieces: Vec<String>,
    /// The numbers between the pieces.
    pub numbers: Vec<i128>,
}

impl Entry {
    fn new(key: String, spot: Option<Spot>, text: &str) -> Entry {
        let (mut pieces, mut numbers) = (vec![String::new()], Vec::new());
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
            let end = match part(first) {
                true => rest.find(|c| !part(c)).unwrap_or(rest.len()),
                false => first.len_utf8(),
            };
            let (token, behind) = rest.split_at(end);
            rest = behind;
            let digits = token.trim_end_matches(['u', 'U', 'l', 'L']);
            let number = digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok());
            match number.flatten() {
                Some(number) => {
                    numbers.push(number);
                    pieces.push(String::new());
                }
                None => {
                    let last = pieces.len() - 1;
                    pieces[last].push_str(token);
                }
            }
        }
        Entry {
            key,
            spot,
            pieces,
            numbers,
        }
    }

    /// Whether both are the same but for numbers.
    pub fn is_like(&self, other: &Entry) -> bool {
        self.key == other.key && self.pieces == other.pieces
    }
}

/// All texts of a plan, by whose they are, in the plan's order. A text may be of several.
pub(super) fn entries(plan: &FilePlan) -> BTreeMap<Owner, Vec<Entry>> {
    let mut found: BTreeMap<Owner, Vec<Entry>> = BTreeMap::new();
    visit(&mut plan.clone(), &mut |owners, key, spot, text| {
        for owner in owners {
            found
                .entry(owner.clone())
                .or_default()
                .push(Entry::new(key.clone(), spot, text));
        }
    });
    found
}

/// What a kernel that `annotate` makes is called as an owner.
pub(super) fn kernel(decision: &Decision) -> Option<String> {
    decision.changes.iter().find_map(|change| match change {
        Change::Kernel { stmt, .. } => Some(format!("kernel {}", stmt.0)),
        _ => None,
    })
}

/// The array that an item is of: `a` of `a[0:n]`, `s->x` of `s->x[0:s->n]`.
fn array(item: &str) -> String {
    let name = item.trim_start_matches(['(', '*', '&', ' ']);
    let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '>');
    name[..name.find(|c| !part(c)).unwrap_or(name.len())].to_owned()
}

/// The statement or pragma that a change stands at.
fn spot(change: &Change) -> Option<Spot> {
    Some(match change {
        Change::Region { first, .. } => Spot::Stmt(*first),
        Change::Enter { place, .. } | Change::Exit { place, .. } | Change::Update { place, .. } => {
            let (Place::Before(stmt) | Place::After(stmt) | Place::Else(stmt)) = *place;
            Spot::Stmt(stmt)
        }
        Change::Remap { pragma, .. } => Spot::Pragma(*pragma),
        Change::Test { before, .. } => Spot::Stmt(*before),
        Change::Kernel { stmt, .. } => Spot::Stmt(*stmt),
    })
}

/// What is done with each text: its owners, what it is part of, where it stands, and the text.
pub(super) type Show<'a> = dyn FnMut(&[Owner], String, Option<Spot>, &mut String) + 'a;

/// Shows every text of a plan, with its owners and what it is part of.
pub(super) fn visit(plan: &mut FilePlan, show: &mut Show<'_>) {
    for decision in &mut plan.decisions {
        let made = kernel(decision);
        let function = decision.function.clone();
        let whose = |item: &str| vec![(function.clone(), made.clone().unwrap_or_else(|| array(item)))];
        for change in &mut decision.changes {
            let spot = spot(change);
            let show = &mut |owners: &[Owner], key: String, text: &mut String| show(owners, key, spot, text);
            let place = match &*change {
                Change::Region { first, last, .. } => format!("region {first:?} {last:?}"),
                Change::Enter { place, .. } => format!("enter {place:?}"),
                Change::Exit { place, .. } => format!("exit {place:?}"),
                Change::Update { place, direction, .. } => format!("update {place:?} {direction:?}"),
                Change::Remap { pragma, .. } => format!("remap {pragma:?}"),
                Change::Test { before, .. } => format!("test {before:?}"),
                Change::Kernel { stmt, twin, .. } => format!("kernel {stmt:?} {twin:?}"),
            };
            match change {
                Change::Region { maps, condition, .. }
                | Change::Enter { maps, condition, .. }
                | Change::Exit { maps, condition, .. } => {
                    let owners: Vec<Owner> = maps.iter().flat_map(|m| whose(&m.text)).collect();
                    for item in maps {
                        let asked = condition.is_some();
                        show(
                            &whose(&item.text),
                            format!("{place} {:?} {asked}", item.map_type),
                            &mut item.text,
                        );
                    }
                    if let Some(condition) = condition {
                        show(&owners, format!("{place} if"), condition);
                    }
                }
                Change::Update { item, condition, .. } => {
                    let owners = whose(item);
                    show(&owners, format!("{place} {}", condition.is_some()), item);
                    if let Some(condition) = condition {
                        show(&owners, format!("{place} if"), condition);
                    }
                }
                Change::Remap { maps, .. } => {
                    for item in maps {
                        show(
                            &whose(&item.text),
                            format!("{place} {:?}", item.map_type),
                            &mut item.text,
                        );
                    }
                }
                Change::Test { text, .. } => {
                    let owners = whose("");
                    text.iter_mut().for_each(|line| show(&owners, place.clone(), line));
                }
                Change::Kernel { clauses, maps, .. } => {
                    let owners = whose("");
                    clauses
                        .iter_mut()
                        .for_each(|clause| show(&owners, place.clone(), clause));
                    for item in maps {
                        show(&owners, format!("{place} {:?}", item.map_type), &mut item.text);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_from_names() {
        let entry = Entry::new(String::new(), None, "a[k1+1:(long)n*999UL-0x10-1.5]");
        assert_eq!(entry.numbers, [1, 999]);
        assert_eq!(entry.pieces, ["a[k1+", ":(long)n*", "-0x10-1.5]"]);
    }

    #[test]
    fn items_are_of_arrays() {
        for (item, of) in [
            ("a[0:n]", "a"),
            ("s->x[0:s->n]", "s->x"),
            ("(*v)[0:8]", "v"),
            ("grid", "grid"),
        ] {
            assert_eq!(array(item), of);
        }
    }
}
