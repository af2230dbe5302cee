//! Which arrays kernels write, anywhere in the program.
//!
//! What no kernel writes is on the device what it was on the host when it was copied there: wherever an array stands on the
//! device, the host's copy is current, and nobody has to fetch it. That matters to functions which do not see what their
//! callers have done ([`super::coherent`]).

use super::file::FileFacts;
use super::program_facts::ProgramFacts;
use crate::program::constructs::Constructs;
use crate::program::ir::{FuncId, Op};
use crate::program::objects::ObjectId;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// The objects that kernels may write; `None` where that is not known: code outside may have kernels, or functions have
/// directives that their text does not show, or manage device memory by hand.
pub(super) fn device_written(
    files: &[FileFacts<'_>],
    program: &ProgramFacts<'_>,
    constructs: &BTreeMap<FuncId, Constructs>,
) -> Option<FxHashSet<ObjectId>> {
    let mut found = program.used_by_hand.clone()?;
    if !program.points_to.closed() || program.by_hand.values().any(Option::is_none) {
        return None;
    }
    for (id, constructs) in constructs.iter().filter(|(_, c)| !c.launches.is_empty()) {
        let file = &files[program.places[id].0];
        let launches = constructs.launches.iter();
        let spans: Vec<_> = launches.map(|l| file.tree.stmt(l.stmt).span).collect();
        let function = program.module.function(*id);
        for inst in function.inst_ids() {
            let place = function.inst(inst).loc.and_then(|l| file.offset(l));
            if place.is_some_and(|place| !spans.iter().any(|s| s.contains(place))) {
                continue;
            }
            match &function.inst(inst).op {
                Op::Store { ptr, .. } | Op::Atomic { ptr, .. } => {
                    let locs = program.points_to.of_operand(*id, ptr);
                    found.extend(locs.iter().map(|l| l.object));
                }
                Op::Call { .. } => {
                    let effects = program.effects.of_call(*id, inst);
                    if effects.unknown {
                        return None;
                    }
                    found.extend(effects.writes.iter().map(|l| l.object));
                }
                _ => {}
            }
        }
    }
    Some(found)
}
