//! How many bytes a program's list items are expected to copy, over all calls: to rank forms of one program, nothing else.
//!
//! ```c
//! for (int t = 0; t < steps; t++)           // step runs 16 times, as nobody knows how often
//!     step(a, n);                           // … and in it map(tofrom: v[0:n]) copies 1024 elements twice
//! ```
//!
//! Sizes and iterations that are not known count as in [`crate::plan::cost`]. What an item does is what the walks have seen it do: where it copies only sometimes, half
//! of it counts, and where nobody has come by, all that it could copy.

use super::places::StepPlaces;
use super::walk::ObservedEffects;
use crate::analysis::function::FunctionModel;
use crate::openmp::MapType;
use crate::openmp::effects::MapEffect;
use crate::openmp::map::{MapRequest, Moment};
use crate::plan::cost::{elements, frequency};
use crate::program::graph::NodeId;
use crate::program::ir::{FuncId, Op};
use crate::symbolic::Section;
use std::collections::BTreeMap;

/// What one more copy costs, in bytes: only to break ties.
const PER_COPY: f64 = 1.0;

/// How often functions call each other.
#[derive(Default, Debug)]
pub struct CallFrequencies {
    /// By function: who calls it, and how often each time that the caller runs.
    callers: BTreeMap<FuncId, Vec<(FuncId, f64)>>,
    /// The functions of a file, by the file's place in the program and their names.
    named: BTreeMap<(usize, String), FuncId>,
}

impl CallFrequencies {
    /// A function was looked at.
    pub fn looked(&mut self, unit: usize, model: &FunctionModel<'_>) {
        let name = model.tree.functions[model.tree_function].name.clone();
        self.named.insert((unit, name), model.func);
        for inst in model.function().inst_ids() {
            let Some(node) = model.attachment.node_of[inst.0 as usize] else {
                continue;
            };
            if !matches!(model.function().inst(inst).op, Op::Call { .. }) {
                continue;
            }
            for callee in model.targets(inst).0 {
                let often = frequency(model, model.fine, node);
                self.callers.entry(callee).or_default().push((model.func, often));
            }
        }
    }

    /// How often a function is expected to run; one that nobody is seen to call runs once.
    fn of(&self, func: FuncId, known: &mut BTreeMap<FuncId, f64>) -> f64 {
        if let Some(often) = known.get(&func) {
            return *often;
        }
        // A function that comes back to itself runs once for each call from outside.
        known.insert(func, 0.0);
        let callers = self.callers.get(&func).map(Vec::as_slice).unwrap_or_default();
        let often: f64 = callers
            .iter()
            .map(|(caller, often)| self.of(*caller, known) * often)
            .sum();
        let often = if callers.is_empty() { 1.0 } else { often };
        known.insert(func, often);
        often
    }

    /// The bytes that the list items of each file are expected to copy.
    pub fn traffic(&self, places: &StepPlaces, observed: &ObservedEffects) -> BTreeMap<usize, u64> {
        let mut known = BTreeMap::new();
        let mut found: BTreeMap<usize, f64> = BTreeMap::new();
        for (step, place) in places.all() {
            let Some(item) = place.item else { continue };
            let func = self.named.get(&(place.unit, place.function.to_string()));
            let often = func.map_or(1.0, |func| self.of(*func, &mut known));
            let share = match observed.get(&step) {
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
            *found.entry(place.unit).or_default() += often * share * item.expected;
        }
        found.into_iter().map(|(unit, bytes)| (unit, bytes as u64)).collect()
    }
}

/// The bytes that a list item at a node could copy, each time that the function runs.
pub fn expected(
    model: &FunctionModel<'_>,
    node: NodeId,
    request: MapRequest,
    section: Option<&Section>,
    element: u64,
) -> f64 {
    let copies = match request.moment {
        Moment::UpdateTo | Moment::UpdateFrom => true,
        Moment::RegionEntry | Moment::EnterData => matches!(request.map_type, MapType::To | MapType::Tofrom),
        Moment::RegionExit | Moment::ExitData => matches!(request.map_type, MapType::From | MapType::Tofrom),
    };
    let Some(section) = section.filter(|_| copies) else {
        return 0.0;
    };
    (elements(model, section) * element as f64 + PER_COPY) * frequency(model, model.coarse, node)
}
