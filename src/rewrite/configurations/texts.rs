//! The texts of a plan, with whose they are.
//!
//! Plans of one program in several configurations are compared array by array: what is written about `a` in a function must
//! stand at the same places, be of the same kind and read the same but for numbers.

use super::numbers::constant;
use crate::plan::{Change, ChosenKernels, Decision, FilePlan, kept_name, kernel_name};
use crate::program::graph::Place;
use crate::symbolic::literal;
use crate::syntax::{PragmaId, StmtId};
use std::collections::{BTreeMap, BTreeSet};

/// Whose a text is: a function, and an array or a kernel in it.
pub(super) type TextOwner = (String, String);

/// Where a text stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Spot {
    /// Before or behind a statement.
    Stmt(StmtId),
    /// In the place of a pragma.
    Pragma(PragmaId),
}

/// A number as a text says it: `100`, and what the user writes, `0100`, `0x40`, `8u` or `'a'`, which mean something else in other
/// words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SaidNumber {
    pub value: i128,
    /// How it is written.
    pub text: String,
}

impl SaidNumber {
    /// The number that a token is, if any.
    fn of(token: &str) -> Option<SaidNumber> {
        let value = constant(token)?;
        let text = token.to_owned();
        Some(SaidNumber { value, text })
    }

    /// Whether it is written as the tool writes numbers, so that another number could stand there.
    pub fn is_plain(&self) -> bool {
        literal(self.value).is_some_and(|own| own == self.text)
    }
}

/// A text of a plan without its numbers, and these.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct TextEntry {
    /// What it is part of and where that stands.
    pub key: String,
    /// Where that is.
    pub spot: Option<Spot>,
    /// A number that may be in it and is a guess, on which nothing rests.
    pub guess: Option<i128>,
    /// Everything but the numbers.
    pub pieces: Vec<String>,
    /// The numbers between the pieces.
    pub numbers: Vec<SaidNumber>,
}

impl TextEntry {
    fn new(part: TextPart, text: &str) -> TextEntry {
        let (mut pieces, mut numbers) = (vec![String::new()], Vec::new());
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
            let end = match first {
                '\'' => character_end(rest),
                _ if part(first) => rest.find(|c| !part(c)).unwrap_or(rest.len()),
                _ => first.len_utf8(),
            };
            let (token, behind) = rest.split_at(end);
            rest = behind;
            match SaidNumber::of(token) {
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
        TextEntry {
            key: part.key,
            spot: part.spot,
            guess: part.guess,
            pieces,
            numbers,
        }
    }

    /// Whether both are alike but for numbers.
    pub fn is_like(&self, other: &TextEntry) -> bool {
        self.key == other.key && self.pieces == other.pieces
    }
}

/// Where a character constant ends that a text begins with.
fn character_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\'' if !escaped => return at + 1,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    text.len()
}

/// All texts of a plan, by whose they are, in the plan's order. A text may be of several.
pub(super) fn entries(plan: &FilePlan) -> BTreeMap<TextOwner, Vec<TextEntry>> {
    let mut found: BTreeMap<TextOwner, Vec<TextEntry>> = BTreeMap::new();
    visit(&mut plan.clone(), &mut |owners, part, text| {
        for owner in owners {
            let entry = TextEntry::new(part.clone(), text);
            found.entry(owner.clone()).or_default().push(entry);
        }
    });
    found
}

/// The kernels that `annotate` makes in a decision, as owners.
pub(super) fn kernels(decision: &Decision) -> impl Iterator<Item = TextOwner> {
    decision.changes.iter().filter_map(|change| match change {
        Change::Kernel { stmt, .. } => Some((decision.function.clone(), kernel_name(*stmt))),
        _ => None,
    })
}

/// Whether an owner is a kernel that `annotate` makes, and no array.
pub(super) fn is_kernel(of: &str) -> bool {
    of.contains(' ')
}

/// Arrays of functions for which only a plan of another build writes what callers count on, as owners. What callers keep on the
/// device in this build rests on there being nothing to write:
///
/// ```c
/// #define ROWS 3
/// long rows(long a[ROWS]) { …; for (int i = 2; i < ROWS - 1; i++) sum += a[i]; … }    /* update from(a[2:ROWS-3]) for more rows */
/// ```
pub(super) fn kept_only_in(other: &FilePlan, own: &FilePlan) -> BTreeSet<TextOwner> {
    let own = entries(own);
    let theirs = other.decisions.iter().filter(|d| d.for_callers).cloned();
    let theirs = FilePlan {
        decisions: theirs.collect(),
        ..FilePlan::default()
    };
    let only_theirs = entries(&theirs).into_keys().filter(|owner| !own.contains_key(owner));
    only_theirs
        .map(|(function, array)| (function, kept_name(&array)))
        .collect()
}

/// A test at run time, as an owner.
fn test(decision: &Decision, name: &str) -> TextOwner {
    (decision.function.clone(), format!("test {name}"))
}

/// The tests at run time of a plan, each with the kernels that ask for it.
pub(super) fn tests(plan: &FilePlan) -> BTreeMap<TextOwner, Vec<TextOwner>> {
    let of = |decision: &Decision| {
        let asked: Vec<TextOwner> = kernels(decision).collect();
        let named = decision.changes.iter().filter_map(|change| match change {
            Change::Test { name, .. } => Some(test(decision, name)),
            _ => None,
        });
        named.map(|name| (name, asked.clone())).collect::<Vec<_>>()
    };
    plan.decisions.iter().flat_map(of).collect()
}

/// The loops of a plan that become kernels.
pub(super) fn chosen_kernels(plan: &FilePlan) -> ChosenKernels {
    let of = |decision: &Decision| {
        let chosen = decision.changes.iter().filter_map(|change| match change {
            Change::Kernel { stmt, threshold, .. } => Some(((decision.function.clone(), *stmt), *threshold)),
            _ => None,
        });
        chosen.collect::<Vec<_>>()
    };
    plan.decisions.iter().flat_map(of).collect()
}

/// The array that an item is of: `a` of `a[0:n]`, `s->x` of `s->x[0:s->n]`.
pub(super) fn array(item: &str) -> String {
    let name = item.trim_start_matches(['(', '*', '&', ' ']);
    let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '>');
    name[..name.find(|c| !part(c)).unwrap_or(name.len())].to_owned()
}

/// The statement or pragma that a change stands at.
fn spot(change: &Change) -> Option<Spot> {
    Some(match change {
        Change::Region { first, .. } => Spot::Stmt(*first),
        Change::Enter { place, .. } | Change::Exit { place, .. } | Change::Update { place, .. } => {
            let (Place::Before(stmt) | Place::After(stmt) | Place::Else(stmt) | Place::Start(stmt)) = *place;
            Spot::Stmt(stmt)
        }
        Change::Remap { pragma, .. } => Spot::Pragma(*pragma),
        Change::Test { before, .. } => Spot::Stmt(*before),
        Change::Kernel { stmt, .. } => Spot::Stmt(*stmt),
    })
}

/// What a text is part of.
#[derive(Clone, Debug, Default)]
pub(super) struct TextPart {
    /// The change and the place, so that equal keys of two plans are of the same part.
    pub key: String,
    /// Where it stands.
    pub spot: Option<Spot>,
    /// A number that may be in it and is a guess, on which nothing rests.
    pub guess: Option<i128>,
}

/// What is done with each text: its owners, what it is part of, and the text.
pub(super) type Show<'a> = dyn FnMut(&[TextOwner], TextPart, &mut String) + 'a;

/// Shows every text of a plan, with its owners and what it is part of.
pub(super) fn visit(plan: &mut FilePlan, show: &mut Show<'_>) {
    for decision in &mut plan.decisions {
        let mut changes = std::mem::take(&mut decision.changes);
        for change in &mut changes {
            visit_change(decision, change, show);
        }
        decision.changes = changes;
    }
}

fn visit_change(decision: &Decision, change: &mut Change, show: &mut Show<'_>) {
    let whose = |item: &str| vec![(decision.function.clone(), array(item))];
    let spot = spot(change);
    let place = place(change);
    let part = |key: String| TextPart { key, spot, guess: None };
    match change {
        Change::Region { maps, condition, .. }
        | Change::Enter { maps, condition, .. }
        | Change::Exit { maps, condition, .. } => {
            let owners: Vec<TextOwner> = maps.iter().flat_map(|m| whose(&m.text)).collect();
            let asked = condition.is_some();
            for item in maps {
                let key = format!("{place} {:?} {asked}", item.map_type);
                show(&whose(&item.text), part(key), &mut item.text);
            }
            if let Some(condition) = condition {
                show(&owners, part(format!("{place} if")), condition);
            }
        }
        Change::Update { item, condition, .. } => {
            let owners = whose(item);
            show(&owners, part(format!("{place} {}", condition.is_some())), item);
            if let Some(condition) = condition {
                show(&owners, part(format!("{place} if")), condition);
            }
        }
        Change::Remap { maps, .. } => {
            for item in maps {
                let key = format!("{place} {:?}", item.map_type);
                show(&whose(&item.text), part(key), &mut item.text);
            }
        }
        Change::Test { text, name, .. } => {
            let owners = [test(decision, name)];
            text.iter_mut()
                .for_each(|line| show(&owners, part(place.clone()), line));
        }
        Change::Kernel {
            stmt,
            clauses,
            maps,
            threshold,
            ..
        } => {
            let owners = [(decision.function.clone(), kernel_name(*stmt))];
            // The kernel is there, whatever it says.
            show(&owners, part(place.clone()), &mut String::new());
            // How many teams there are is nothing of the program's.
            for clause in clauses.iter_mut().filter(|c| !c.starts_with("num_teams(")) {
                let guess = *threshold;
                show(
                    &owners,
                    TextPart {
                        guess,
                        ..part(place.clone())
                    },
                    clause,
                );
            }
            for item in maps {
                show(&owners, part(format!("{place} {:?}", item.map_type)), &mut item.text);
            }
        }
    }
}

/// What a change is and where it stands.
pub(super) fn place(change: &Change) -> String {
    match change {
        Change::Region { first, last, .. } => format!("region {first:?} {last:?}"),
        Change::Enter { place, .. } => format!("enter {place:?}"),
        Change::Exit { place, .. } => format!("exit {place:?}"),
        Change::Update { place, direction, .. } => format!("update {place:?} {direction:?}"),
        Change::Remap { pragma, .. } => format!("remap {pragma:?}"),
        Change::Test { before, .. } => format!("test {before:?}"),
        Change::Kernel { stmt, twin, .. } => format!("kernel {stmt:?} {twin:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_from_names() {
        let entry = TextEntry::new(TextPart::default(), "a[k1+1:(long)n*999UL-0x10-1.5]");
        let values: Vec<i128> = entry.numbers.iter().map(|n| n.value).collect();
        assert_eq!(values, [1, 999, 16]);
        assert_eq!(entry.pieces, ["a[k1+", ":(long)n*", "-", "-1.5]"]);
    }

    #[test]
    fn numbers_keep_their_spelling() {
        let entry = TextEntry::new(TextPart::default(), "n < 010 || n > 8u + 'a' - '\\''");
        let said: Vec<(i128, &str, bool)> = entry
            .numbers
            .iter()
            .map(|n| (n.value, n.text.as_str(), n.is_plain()))
            .collect();
        assert_eq!(
            said,
            [
                (8, "010", false),
                (8, "8u", false),
                (97, "'a'", false),
                (39, "'\\''", false)
            ]
        );
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
