//! The program with macros of which nothing is known but that they are numbers.
//!
//! ```c
//! #define START 40                           is written as
//! extern const unsigned short START;         on the same line
//! a[2] = t;
//! #pragma omp target …                       with 40, this kernel reads nothing that the host has written; with any START that
//! for (int i = START; i < N; i++) s += a[i]  there is, it may
//! ```
//!
//! Samples with other numbers ([`super::samples`]) ask about a few of them. This one asks about all: what is right here does not rest on the
//! order of two macros, or of a macro and a literal. It is not planned: the residencies are those of the program as it is, with
//! the copies that are written in them, by name ([`crate::plan::ChosenResidency`]); each of these is read where it stands (`analysis::movement::mapped`)
//! and all of them are checked (`analysis::movement::check`). What a kernel alone maps, and what updates in called functions copy, is compared by
//! direction and place: each copy that is needed here must be there.
//!
//! That what is used exists is taken for granted: `a[0:START]` is copied where a loop from `START` on uses an element of `a`, and
//! is too long in a build in which `START` is larger than that array, so that the loop has nothing to do.
//!
//! Where the program does not compile with all of these macros unknown, it is compiled with as many of them as it can be ([`most_of`]).
//!
//! **Limits.** Macros that lengths of arrays follow keep their numbers ([`super::lengths`]), as do those that `#if` asks for, that stand
//! where C wants a constant, and that are made of others. Copies that cannot be read, those of arrays that trade places, and those that kernels and
//! called functions make are not compared by how much they copy.

use super::left::LeftOutPlans;
use super::numbers::{flagged, line_end};
use super::program_texts::{ProgramTexts, asked_words};
use super::samples::{Sample, SampleFile};
use super::shifts::{Shift, Varied};
use super::texts::{TextOwner, array, kept_only_in, place};
use super::unknown_numbers::{fits, nameable};
use super::{EarlierChoices, Planning, Plans};
use crate::openmp::{Directive, MapClause, MapType};
use crate::plan::{Change, ChosenCopy, ChosenResidencies, Direction, FilePlan};
use crate::program::graph::Place;
use crate::source::Span;
use crate::syntax::{PragmaId, ScopeTree, conditional_lines, identifiers, token_spans};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Words of declarations in functions that want constants, up to their ends.
const WANT_CONSTANTS: [&[u8]; 8] = [
    b"static",
    b"enum",
    b"struct",
    b"union",
    b"_Static_assert",
    b"static_assert",
    b"_Alignas",
    b"aligned",
];

/// The macros of a text that stand where C wants a constant, or where nothing can be proved of an unknown number.
fn constants(text: &[u8], tree: &ScopeTree) -> BTreeSet<String> {
    let all = token_spans(text, Span::new(0, text.len()));
    let bytes = |at: usize| &text[all[at].start..all[at].end];
    let (mut found, mut macros) = (BTreeSet::new(), BTreeSet::new());
    // Where a constant is wanted up to there, and where a directive ends.
    let (mut until, mut line): (&[u8], usize) = (b"", 0);
    for (at, token) in all.iter().enumerate() {
        let name = || String::from_utf8_lossy(bytes(at)).into_owned();
        if bytes(at) == b"#" {
            line = line_end(text, token.start);
        }
        if token.start < line {
            if at > 1 && bytes(at - 1) == b"define" && bytes(at - 2) == b"#" {
                macros.insert(name());
            }
            continue;
        }
        let begun = tree.functions.partition_point(|f| f.span.start <= token.start);
        let inside = begun > 0 && token.start < tree.functions[begun - 1].span.end;
        match bytes(at) {
            b"case" => until = b":",
            word if WANT_CONSTANTS.contains(&word) => until = b";",
            end if end == until => until = b"",
            _ => {}
        }
        let divides = at > 0 && matches!(bytes(at - 1), b"%" | b"/");
        if !inside || divides || !until.is_empty() {
            found.insert(name());
        }
    }
    found.retain(|name| macros.contains(name));
    found
}

/// As often a program is compiled with fewer macros unknown, before those that are left keep their numbers.
const MOST_TRIES: usize = 24;

/// As many of some names as something can be made with, beside those that are known to do, and what was made with all of these. One name
/// of which nothing can be made does not take others with it.
fn most_of<T>(
    known: &[String],
    more: &[String],
    make: &mut impl FnMut(&[String]) -> Option<T>,
) -> (Vec<String>, Option<T>) {
    if more.is_empty() {
        return (known.to_vec(), None);
    }
    let all = [known, more].concat();
    if let Some(made) = make(&all) {
        return (all, Some(made));
    }
    if more.len() == 1 {
        return (known.to_vec(), None);
    }
    let (first, second) = more.split_at(more.len() / 2);
    let (known, of_first) = most_of(known, first, make);
    let (known, of_second) = most_of(&known, second, make);
    (known, of_second.or(of_first))
}

impl Planning<'_, '_> {
    /// The program with macros of which nothing is known, if there are any and it compiles so.
    pub(super) fn unknown(&self, texts: &ProgramTexts<'_>, again: &[bool]) -> Option<Sample> {
        let kept = self.with_numbers(texts);
        let mut names = Varied::default();
        for flag in self.members.iter().flat_map(|m| &m.unit.options.compile.flags) {
            if let Some((name, start, value)) = flagged(flag) {
                let plain = flag[start..].bytes().all(|b| b.is_ascii_digit()) && fits(value);
                let varies = plain && texts.is_used(name) && !kept.contains(name);
                names.extend(varies.then(|| (name.to_owned(), 0)));
            }
        }
        let others = texts
            .roots()
            .filter(|r| texts.is_used(&r.name) && !kept.contains(&r.name));
        names.extend(others.map(|r| (r.name.clone(), 0)));
        let names: Vec<String> = names.into_keys().collect();
        let mut tries = MOST_TRIES;
        let mut compiled = |names: &[String]| {
            tries = usize::checked_sub(tries, 1)?;
            let names: Varied = names.iter().map(|name| (name.clone(), 0)).collect();
            self.sample(&names, texts, Shift::Unknown, again)
        };
        most_of(&[], &names, &mut compiled).1
    }

    /// The macros that keep their numbers.
    fn with_numbers(&self, texts: &ProgramTexts<'_>) -> BTreeSet<String> {
        let members = self.members.iter();
        let constants = members.flat_map(|m| constants(m.unit.text, m.read.tree())).collect();
        let mut kept = self.lengths_beside(texts, constants);
        for (text, roots) in texts.with_roots() {
            let asked = asked_words(text);
            let of_values: BTreeSet<usize> = asked.iter().map(|(_, span)| span.start).collect();
            kept.extend(
                asked
                    .into_iter()
                    .map(|(word, _)| word)
                    .filter(|word| texts.asked(word).is_none()),
            );
            for line in conditional_lines(text) {
                let words = identifiers(text, line);
                // `#ifndef N` asks whether there is a number, not which.
                let asks = words.first().is_some_and(|(word, _)| word != "ifndef");
                let others = words
                    .into_iter()
                    .filter(|(_, span)| asks && !of_values.contains(&span.start));
                kept.extend(others.map(|(word, _)| word));
            }
            let unnameable = roots.iter().filter(|r| nameable(text, r).is_none());
            kept.extend(unnameable.map(|r| r.name.clone()));
        }
        kept
    }

    /// What rests on values of macros, by file.
    pub(super) fn rests_on_values(
        &self,
        plans: &Plans,
        left: &LeftOutPlans,
        sample: &Sample,
    ) -> Vec<BTreeSet<TextOwner>> {
        let chosen = plans.iter().map(|plan| EarlierChoices {
            kernels: None,
            residencies: plan.as_ref().ok().map(|plan| Arc::new(residencies(plan))),
        });
        let chosen: Vec<EarlierChoices> = chosen.collect();
        let pieces: Vec<SampleFile<'_>> = sample.pieces(self.members);
        let theirs = self.planned(&pieces, &self.pointers_of(sample), left, &chosen);
        let both = plans.iter().zip(&theirs).zip(self.members);
        both.map(|((own, theirs), member)| match (own, theirs) {
            (Ok(own), Ok(theirs)) => differs(member.read.tree(), own, theirs),
            (Ok(own), Err(_)) => copies(own).into_keys().collect(),
            (Err(_), _) => BTreeSet::new(),
        })
        .collect()
    }
}

/// The residencies of a plan, with what they copy as it is written.
fn residencies(plan: &FilePlan) -> ChosenResidencies {
    let mut updates: BTreeMap<&str, Vec<(String, ChosenCopy)>> = BTreeMap::new();
    for decision in &plan.decisions {
        let of_function = updates.entry(&decision.function).or_default();
        of_function.extend(decision.changes.iter().filter_map(update));
    }
    let mut found = ChosenResidencies::new();
    for residency in &plan.residencies {
        let mut residency = residency.clone();
        let all = updates.get(residency.function.as_str()).into_iter().flatten();
        let ours = all
            .filter(|(label, _)| residency.label.contains(label))
            .map(|(_, copy)| copy);
        let ours: Vec<&ChosenCopy> = ours.collect();
        let is_there = |a: &ChosenCopy, b: &ChosenCopy| (a.place, a.direction) == (b.place, b.direction);
        let (at_ends, inside): (Vec<_>, Vec<_>) = residency.copies.drain(..).partition(|copy| copy.at_end);
        // A copy without a text stays: nobody knows what it copies.
        let written = ours
            .iter()
            .filter(|update| inside.iter().any(|copy| is_there(copy, update)));
        let unsaid = inside
            .iter()
            .filter(|copy| !ours.iter().any(|update| is_there(copy, update)));
        residency.copies = written.copied().chain(unsaid).chain(&at_ends).cloned().collect();
        let of = (residency.function.clone(), residency.label.clone());
        found.entry(of).or_default().push(residency);
    }
    found
}

/// An update as a copy, with the label of the array that it is of.
fn update(change: &Change) -> Option<(String, ChosenCopy)> {
    let Change::Update {
        place, direction, item, ..
    } = change
    else {
        return None;
    };
    let copy = ChosenCopy {
        place: *place,
        direction: *direction,
        at_end: false,
        item: Some(item.clone()),
    };
    Some((format!("`{}`", array(item)), copy))
}

/// What is done of an array.
#[derive(Default, PartialEq, Eq, Debug)]
struct ArrayCopies {
    /// The directives that begin or end its residencies.
    resident: BTreeSet<String>,
    /// Where it is copied outside kernels, and which way.
    copied: BTreeSet<(Place, Direction)>,
    /// Which ways kernels copy it that get other maps.
    kernels: BTreeMap<PragmaId, BTreeSet<Direction>>,
}

impl ArrayCopies {
    /// Whether these copies are enough where those of another plan are; of a kernel with its own maps there `written` says what it copies.
    fn suffice(&self, theirs: &ArrayCopies, written: &dyn Fn(PragmaId) -> BTreeSet<Direction>) -> bool {
        let of_kernel = |pragma: &PragmaId| theirs.kernels.get(pragma).cloned().unwrap_or_else(|| written(*pragma));
        self.resident == theirs.resident
            && theirs.copied.is_subset(&self.copied)
            && self
                .kernels
                .iter()
                .all(|(pragma, own)| of_kernel(pragma).is_subset(own))
    }
}

/// The ways in which a map type copies.
fn directions(map_type: MapType) -> BTreeSet<Direction> {
    let ways: &[Direction] = match map_type {
        MapType::To => &[Direction::To],
        MapType::From => &[Direction::From],
        MapType::Tofrom => &[Direction::To, Direction::From],
        MapType::Alloc | MapType::Release | MapType::Delete | MapType::Storage => &[],
    };
    ways.iter().copied().collect()
}

/// What is done of each array.
fn copies(plan: &FilePlan) -> BTreeMap<TextOwner, ArrayCopies> {
    let mut found: BTreeMap<TextOwner, ArrayCopies> = BTreeMap::new();
    for decision in &plan.decisions {
        let owner = |item: &str| (decision.function.clone(), array(item));
        for change in &decision.changes {
            let (enters, leaves) = match change {
                Change::Region { first, last, .. } => (Place::Before(*first), Place::After(*last)),
                Change::Enter { place, .. } | Change::Exit { place, .. } => (*place, *place),
                Change::Update {
                    place, direction, item, ..
                } => {
                    found
                        .entry(owner(item))
                        .or_default()
                        .copied
                        .insert((*place, *direction));
                    continue;
                }
                Change::Remap { pragma, maps } => {
                    for item in maps {
                        let kernels = &mut found.entry(owner(&item.text)).or_default().kernels;
                        kernels.entry(*pragma).or_default().extend(directions(item.map_type));
                    }
                    continue;
                }
                Change::Test { .. } | Change::Kernel { .. } => continue,
            };
            for item in change.maps() {
                let of = found.entry(owner(&item.text)).or_default();
                of.resident.insert(place(change));
                let ways = directions(item.map_type).into_iter();
                of.copied.extend(ways.map(|way| match way {
                    Direction::To => (enters, way),
                    Direction::From => (leaves, way),
                }));
            }
        }
    }
    found
}

/// The ways in which a kernel's own maps copy an array: both, unless a clause says otherwise.
fn written(tree: &ScopeTree, pragma: PragmaId, name: &str) -> BTreeSet<Direction> {
    let directive = Directive::parse(&tree.pragma(pragma).text);
    let mut clauses = directive.iter().flat_map(Directive::maps).map(|(_, clause)| clause);
    let said = clauses.find(|clause| clause.items.iter().any(|item| array(&item.text) == name));
    let copied = |map_type: &MapType| matches!(map_type, MapType::To | MapType::From | MapType::Alloc);
    let said = said.map(MapClause::effective_type).filter(copied);
    directions(said.unwrap_or(MapType::Tofrom))
}

/// Whose copies are not enough for a plan.
fn differs(tree: &ScopeTree, own: &FilePlan, theirs: &FilePlan) -> BTreeSet<TextOwner> {
    let kept = kept_only_in(theirs, own);
    let (own, theirs) = (copies(own), copies(theirs));
    let none = ArrayCopies::default();
    let suffice = |owner: &TextOwner, own: &ArrayCopies| {
        let theirs = theirs.get(owner).unwrap_or(&none);
        own.suffice(theirs, &|pragma| written(tree, pragma, &owner.1))
    };
    let rests = own.iter().filter(|(owner, own)| !suffice(owner, own));
    rests.map(|(owner, _)| owner.clone()).chain(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Decision, MapItem, RegionId};
    use crate::syntax::{StmtId, parse};

    #[test]
    fn one_that_cannot_be_does_not_take_others_with_it() {
        let names: Vec<String> = ["a", "b", "c", "d", "e", "f", "g"].map(str::to_owned).into();
        let mut tried = 0;
        let mut without = |left_out: &[&str]| {
            let mut make = |names: &[String]| {
                tried += 1;
                let fits = !names.iter().any(|name| left_out.contains(&name.as_str()));
                fits.then(|| names.concat())
            };
            let (known, made) = most_of(&[], &names, &mut make);
            assert_eq!((!known.is_empty()).then(|| known.concat()), made);
            made
        };
        assert_eq!(without(&[]).as_deref(), Some("abcdefg"));
        assert_eq!(without(&["e"]).as_deref(), Some("abcdfg"));
        assert_eq!(without(&["a", "d", "g"]).as_deref(), Some("bcef"));
        assert_eq!(without(&["a", "b", "c", "d", "e", "f", "g"]), None);
        assert!(tried < 40, "{tried}");
    }

    #[test]
    fn what_c_wants_as_a_constant_keeps_its_number() {
        let text = b"#define A 4\n#define B 5\n#define C 6\n#define D 7\n#define E 8\n#define F 9\n#define G F\nint x = A;\n\
                     int f(int n)\n{\n    static int y = B;\n    switch (n) {\n    case C + 1:\n        n += E;\n    }\n    return n % D;\n}\n";
        let found = constants(text, &parse(text, &[]));
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["A", "B", "C", "D"]);
    }

    /// A plan with these changes in one function.
    fn plan(changes: Vec<Change>) -> FilePlan {
        let decision = Decision {
            function: "f".into(),
            changes,
            reasons: Vec::new(),
            structs: Vec::new(),
            for_callers: false,
        };
        FilePlan {
            decisions: vec![decision],
            ..FilePlan::default()
        }
    }

    #[test]
    fn a_kernel_with_its_own_maps_copies_what_they_say() {
        let text = b"void f(double *a)\n{\n    #pragma omp target map(tofrom: a[0:9])\n    a[0] = 1;\n}\n";
        let tree = parse(text, &[]);
        let remap = |map_type| {
            let maps = vec![MapItem::new(map_type, "a[0:9]")];
            plan(vec![Change::Remap {
                pragma: PragmaId(0),
                maps,
            }])
        };
        let nothing = plan(Vec::new());
        assert_eq!(differs(&tree, &remap(MapType::Tofrom), &nothing).len(), 0);
        assert_eq!(differs(&tree, &remap(MapType::From), &nothing).len(), 1);
        assert_eq!(differs(&tree, &remap(MapType::From), &remap(MapType::From)).len(), 0);
        assert_eq!(differs(&tree, &remap(MapType::From), &remap(MapType::Tofrom)).len(), 1);
        assert_eq!(differs(&tree, &nothing, &remap(MapType::From)).len(), 0);
    }

    #[test]
    fn a_copy_before_a_residency_is_one_on_entry() {
        let text = b"void f(double *a)\n{\n    a[0] = 1;\n}\n";
        let tree = parse(text, &[]);
        let region = |map_type, more: Option<Change>| {
            let region = Change::Region {
                id: RegionId(0),
                first: StmtId(1),
                last: StmtId(1),
                maps: vec![MapItem::new(map_type, "a[0:9]")],
                braces: true,
                condition: None,
            };
            plan(std::iter::once(region).chain(more).collect())
        };
        let update = |direction| Change::Update {
            place: Place::Before(StmtId(1)),
            direction,
            item: "a[0:1]".into(),
            region: None,
            condition: None,
        };
        let own = region(MapType::Alloc, Some(update(Direction::To)));
        assert_eq!(differs(&tree, &own, &region(MapType::To, None)).len(), 0);
        assert_eq!(differs(&tree, &own, &region(MapType::Tofrom, None)).len(), 1);
        assert_eq!(differs(&tree, &own, &plan(Vec::new())).len(), 1);
    }
}
