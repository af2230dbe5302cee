//! How many bytes a program's list items are expected to copy, over all calls: to rank forms of one program, nothing else.
//!
//! ```c
//! for (int t = 0; t < steps; t++)           // step runs 16 times, as nobody knows how often
//!     step(a, 100);                         // … and in it map(tofrom: v[0:n]) copies 100 elements twice
//! ```
//!
//! Each array is looked at where it begins, in whose terms its sections are, those of called functions too. Sizes and iterations that are not known count as in
//! [`crate::plan::cost`]. What an item does is what the walks have seen it do: where it copies only sometimes, half of it counts, and where nobody has come by, all
//! that it could copy.

use super::collect::CollectedArray;
use super::places::StepPlaces;
use super::stale::StepId;
use super::steps::{Step, StepAction, StepGraph};
use super::walk::ObservedEffects;
use crate::analysis::function::FunctionModel;
use crate::analysis::movement::estimate::UNKNOWN_SIZE;
use crate::openmp::MapType;
use crate::openmp::effects::MapEffect;
use crate::openmp::map::{MapRequest, Moment};
use crate::plan::candidates::label;
use crate::plan::cost::elements;
use crate::plan::models::LookedAt;
use crate::plan::{ArrayName, CopiedBytes};
use crate::symbolic::Section;
use std::collections::BTreeMap;

/// What one more copy costs, in bytes: only to break ties.
const PER_COPY: f64 = 1.0;

/// A list item, and what it could copy.
struct PossibleCopies {
    step: StepId,
    bytes: f64,
}

/// An array, and what list items could copy of it.
struct CopiesOfArray {
    /// The file in which it begins, by its place in the program.
    unit: usize,
    name: ArrayName,
    copies: Vec<PossibleCopies>,
}

/// What the list items of a program could copy.
#[derive(Default)]
pub struct ExpectedTraffic(Vec<CopiesOfArray>);

/// The steps of one array, in a function or in one that is called.
struct CountedSteps<'a> {
    model: &'a FunctionModel<'a>,
    places: &'a StepPlaces,
    array: &'a CollectedArray,
}

impl ExpectedTraffic {
    /// Adds what is done with an array that begins in a function.
    pub fn add(&mut self, looked: &LookedAt<'_>, places: &StepPlaces, array: &CollectedArray) {
        let model = looked.inputs.model;
        let steps = CountedSteps { model, places, array };
        let mut copies = Vec::new();
        steps.count(&array.graph, 1.0, &mut copies);
        self.0.push(CopiesOfArray {
            unit: looked.unit,
            name: name_of(looked, array),
            copies,
        });
    }

    /// The bytes that are expected to be copied, by file.
    pub fn expected(&self, observed: &ObservedEffects) -> BTreeMap<usize, Vec<CopiedBytes>> {
        let share = |step: StepId| match observed.get(&step) {
            None => 1.0,
            Some(effects) if effects.contains(&MapEffect::Unknown) => 1.0,
            Some(effects) => {
                let copies = |e: &MapEffect| matches!(e, MapEffect::CopyIn | MapEffect::CopyOut);
                match (effects.iter().any(copies), effects.iter().all(copies)) {
                    (true, true) => 1.0,
                    (true, false) => 0.5,
                    (false, _) => 0.0,
                }
            }
        };
        let mut found: BTreeMap<usize, Vec<CopiedBytes>> = BTreeMap::new();
        for CopiesOfArray { unit, name, copies } in &self.0 {
            let bytes: f64 = copies.iter().map(|item| item.bytes * share(item.step)).sum();
            found.entry(*unit).or_default().push(CopiedBytes {
                of: name.clone(),
                bytes: bytes as u64,
            });
        }
        found
    }
}

/// What an array is known by over all forms of a program.
pub fn name_of(looked: &LookedAt<'_>, array: &CollectedArray) -> ArrayName {
    let model = looked.inputs.model;
    ArrayName {
        function: model.tree.functions[model.tree_function].name.clone(),
        array: label(model, array.base),
    }
}

impl CountedSteps<'_> {
    /// Adds the items of a graph that runs so often.
    fn count(&self, graph: &StepGraph, times: f64, found: &mut Vec<PossibleCopies>) {
        for Step { id, action, .. } in graph.own_steps() {
            let times = times * self.places.of(*id).map_or(1.0, |place| place.frequency);
            match action {
                StepAction::Map { request, section, .. } if could_copy(*request) => {
                    let section: Option<&Section> = section.as_ref().or(self.array.extent.as_ref());
                    let count = section.map_or(UNKNOWN_SIZE as f64, |section| elements(self.model, section));
                    found.push(PossibleCopies {
                        step: *id,
                        bytes: times * (count * self.array.element as f64 + PER_COPY),
                    });
                }
                StepAction::Call(graphs) => {
                    // One of them runs.
                    let each = times / graphs.len().max(1) as f64;
                    graphs.iter().for_each(|graph| self.count(graph, each, found));
                }
                _ => {}
            }
        }
    }
}

/// Whether something is copied where an item with such a type does what it can.
fn could_copy(request: MapRequest) -> bool {
    match request.moment {
        Moment::UpdateTo | Moment::UpdateFrom => true,
        Moment::RegionEntry | Moment::EnterData => matches!(request.map_type, MapType::To | MapType::Tofrom),
        Moment::RegionExit | Moment::ExitData => matches!(request.map_type, MapType::From | MapType::Tofrom),
    }
}
