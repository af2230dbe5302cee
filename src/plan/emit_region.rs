//! Residencies over one run of statements, written together: as a block, or as `enter data` and `exit data`, with the updates
//! inside.
//!
//! ```c
//! #pragma omp target data map(tofrom: a[0:n]) map(to: b)      the block of `a` and `b`, as both hold without a condition
//! for (int t = 0; t < 9; t++) {
//!     kernel
//!     #pragma omp target update from(a[0:1])
//!     report(a[0]);
//! }
//! ```

use super::condition::all_of;
use super::emit_updates::{UpdateSpot, update};
use super::entered_as::EnteredAs;
use super::inputs::Inputs;
use super::model::{Candidate, FeasibleResidency};
use super::names::NamingPoint;
use super::residency::{Residency, reason};
use super::spans::Run;
use super::{Change, Decision, FilePlan, MapItem, Note, RegionId, RegionStyle};
use crate::analysis::arrays::object_extent;
use crate::analysis::movement::placement::Copy;
use crate::analysis::values::table::Base;
use crate::openmp::MapType;
use crate::program::graph::{NodeId, NodeKind, Place};
use crate::reasons::{Copying, Ends, Reason};
use std::collections::BTreeMap;

/// Residencies over one run that hold under one condition.
pub(super) struct RegionGroup<'a> {
    pub inputs: &'a Inputs<'a>,
    pub id: RegionId,
    pub run: Run,
    /// When they hold, as C.
    pub when: Option<&'a str>,
    pub members: &'a [&'a Residency<'a>],
}

/// What is written for a group.
#[derive(Default)]
struct Directives {
    /// The map clauses of a block.
    maps: Vec<MapItem>,
    enter: Vec<MapItem>,
    exits: BTreeMap<Place, Vec<MapItem>>,
    updates: Vec<Change>,
    /// A block needs braces.
    braces: bool,
    /// One of the copies has no name: without it the residency would be wrong.
    unsaid: bool,
}

/// One array of a residency, as it is called where that begins.
struct RegionArray<'a> {
    e: &'a FeasibleResidency,
    candidate: &'a Candidate,
    index: usize,
    /// What is mapped of it is all of the object.
    whole: bool,
    text: String,
}

impl RegionArray<'_> {
    fn item(&self, map_type: MapType, text: &str) -> MapItem {
        MapItem {
            together: self.e.joint.is_some(),
            ..MapItem::new(map_type, text)
        }
    }

    /// Adds the numbers of its struct that kernels copy in.
    fn add_numbers(&self, maps: &mut Vec<MapItem>, map_type: MapType) {
        for number in self.e.joint.iter().flat_map(|j| &j.of_struct.numbers) {
            if !maps.iter().any(|m| m.text == number.path) {
                maps.push(self.item(map_type, &number.path));
            }
        }
    }

    /// Ping-pong buffers end under other names than they began: what comes back is written as updates.
    fn is_renamed(&self) -> bool {
        self.e.naming.at(self.e.span.entry).len() > 1
    }
}

impl RegionGroup<'_> {
    /// Writes the group into a decision, or why it cannot be written into the plan's remarks.
    pub fn write(&self, decision: &mut Decision, plan: &mut FilePlan) {
        let reasons = decision.reasons.len();
        let mut directives = Directives {
            braces: self.run.first != self.run.last,
            ..Directives::default()
        };
        for r in self.members {
            self.residency(r, &mut directives, decision);
            decision.reasons.push(reason(self.inputs, r));
        }
        let structured = self.members[0].structured;
        let forbids = self.inputs.file.options.style == RegionStyle::Structured;
        let repeatable = self.members.iter().all(|r| r.e.repeatable);
        let why_not = match structured {
            _ if directives.unsaid => Some(Reason::from(Copying::Unnamed)),
            false if !repeatable => Some(Ends::Changes.into()),
            false if forbids => Some(Ends::Overlap.into()),
            _ => None,
        };
        if let Some(why_not) = why_not {
            let span = self.inputs.model.tree.stmt(self.run.first).span;
            let note = Note::because(span, "", &why_not);
            plan.remarks.push(note.in_function(&decision.function));
            decision.reasons.truncate(reasons);
            return;
        }
        match structured {
            true => self.block(&mut directives, decision),
            false => self.ends(&mut directives, decision),
        }
        decision.changes.extend(directives.updates);
    }

    /// The condition of its directives: when its residencies hold, and that arrays do not overlap.
    fn condition(&self) -> Option<String> {
        let mut conditions: Vec<&String> = self.members.iter().flat_map(|r| &r.e.conditions).collect();
        conditions.sort();
        conditions.dedup();
        let apart = match conditions.as_slice() {
            [] => None,
            [one] => Some((*one).clone()),
            several => {
                let each: Vec<String> = several.iter().map(|c| format!("({c})")).collect();
                Some(each.join(" && "))
            }
        };
        let both: Vec<String> = self.when.map(str::to_owned).into_iter().chain(apart).collect();
        (!both.is_empty()).then(|| all_of(&both))
    }

    fn block(&self, directives: &mut Directives, decision: &mut Decision) {
        directives.maps.sort_by_key(|m| m.map_type);
        decision.changes.push(Change::Region {
            id: self.id,
            first: self.run.first,
            last: self.run.last,
            maps: std::mem::take(&mut directives.maps),
            braces: directives.braces,
            condition: self.condition(),
        });
    }

    fn ends(&self, directives: &mut Directives, decision: &mut Decision) {
        let condition = self.condition();
        for u in &mut directives.updates {
            if let Change::Update { region, .. } = u {
                *region = None;
            }
        }
        directives.enter.sort_by_key(|m| m.map_type);
        decision.changes.push(Change::Enter {
            place: Place::Before(self.run.first),
            maps: std::mem::take(&mut directives.enter),
            condition: condition.clone(),
        });
        for (place, mut maps) in std::mem::take(&mut directives.exits) {
            maps.sort_by_key(|m| m.map_type);
            decision.changes.push(Change::Exit {
                place,
                maps,
                condition: condition.clone(),
            });
        }
    }

    /// The item for what is mapped of a base at a gap, which may be the `whole` of it.
    fn item(
        &self,
        e: &FeasibleResidency,
        candidate: &Candidate,
        gap: NodeId,
        base: Base,
        whole: bool,
        entered: EnteredAs,
    ) -> Option<String> {
        let at = NamingPoint::coarse(self.inputs.model, gap)?.asking(&e.when, self.inputs.file.options.speculate);
        let at = NamingPoint { entered, ..at };
        self.inputs.item(candidate, &at, base, &e.extent, whole)
    }

    fn is_whole(&self, e: &FeasibleResidency, candidate: &Candidate, base: Base) -> bool {
        object_extent(self.inputs.model, base, candidate.element).as_ref() == Some(&e.extent)
    }

    fn residency(&self, r: &Residency<'_>, out: &mut Directives, decision: &mut Decision) {
        let e = r.e;
        let candidate = &Candidate {
            joint: e.joint.clone(),
            ..r.settled.candidate.clone()
        };
        for (index, base) in e.naming.at(e.span.entry).iter().enumerate() {
            let whole = self.is_whole(e, candidate, *base);
            match self.item(e, candidate, e.span.entry, *base, whole, EnteredAs::Nothing) {
                Some(text) => {
                    decision.structs.extend(self.inputs.structs_of(&text));
                    let cell = RegionArray {
                        e,
                        candidate,
                        index,
                        whole,
                        text,
                    };
                    self.enter(&cell, out);
                    self.exits(&cell, out);
                }
                None => out.unsaid = true,
            }
        }
        for copy in &e.placement.copies {
            if let NodeKind::Gap(place) = self.inputs.model.coarse.node(copy.gap).kind {
                let place = self.run.canonical(self.inputs.model, place);
                let base = e.naming.at(copy.gap)[copy.cell];
                let whole = self.is_whole(e, candidate, base) && copy.section == e.extent;
                let spot = UpdateSpot {
                    place,
                    region: Some(self.id),
                };
                let change = update(self.inputs, candidate, copy, base, whole, &e.when, spot);
                out.braces |= self.is_edge(place);
                out.unsaid |= change.is_none();
                out.updates.extend(change);
            }
        }
    }

    fn enter(&self, cell: &RegionArray<'_>, out: &mut Directives) {
        let placement = &cell.e.placement;
        let into = placement.entry[cell.index].copies;
        let back = !cell.is_renamed() && placement.exits.iter().any(|(_, b)| b[cell.index].copies);
        let map_type = match (into, back) {
            (true, true) => MapType::Tofrom,
            (true, false) => MapType::To,
            (false, true) => MapType::From,
            (false, false) => MapType::Alloc,
        };
        out.maps.push(cell.item(map_type, &cell.text));
        cell.add_numbers(&mut out.maps, MapType::To);
        cell.add_numbers(&mut out.enter, MapType::To);
        let map_type = if into { MapType::To } else { MapType::Alloc };
        out.enter.push(cell.item(map_type, &cell.text));
    }

    fn exits(&self, cell: &RegionArray<'_>, out: &mut Directives) {
        let (e, candidate) = (cell.e, cell.candidate);
        for (gap, boundaries) in &e.placement.exits {
            let NodeKind::Gap(place) = self.inputs.model.coarse.node(*gap).kind else {
                continue;
            };
            let place = self.run.canonical(self.inputs.model, place);
            let here = e.naming.at(*gap)[cell.index];
            let copies = boundaries[cell.index].copies;
            if cell.is_renamed() && copies {
                let copy = Copy {
                    gap: *gap,
                    cell: cell.index,
                    up: false,
                    section: e.extent.clone(),
                    ordered: true,
                };
                let spot = UpdateSpot {
                    place,
                    region: Some(self.id),
                };
                let change = update(self.inputs, candidate, &copy, here, cell.whole, &e.when, spot);
                out.braces |= *gap == e.span.entry || self.is_edge(place);
                out.unsaid |= change.is_none();
                out.updates.extend(change);
            }
            let entered = EnteredAs::of_cell(&cell.text, cell.is_renamed());
            let text = self.item(e, candidate, *gap, here, cell.whole, entered);
            let map_type = match copies && !cell.is_renamed() {
                true => MapType::From,
                false => MapType::Release,
            };
            let exit = out.exits.entry(place).or_default();
            exit.push(cell.item(map_type, text.as_deref().unwrap_or(&cell.text)));
            cell.add_numbers(exit, MapType::Release);
        }
    }

    fn is_edge(&self, place: Place) -> bool {
        let is_at = |end| self.inputs.model.coarse.is_one_gap(place, end);
        is_at(Place::Before(self.run.first)) || is_at(Place::After(self.run.last))
    }
}
