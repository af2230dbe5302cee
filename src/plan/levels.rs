//! In which order the functions of a program are planned: callers first, because what they keep on the device is left alone
//! in what they call.

use super::program::ProgramFacts;
use crate::analysis::points_to::PointsTo;
use crate::program::ir::FuncId;
use rustc_hash::FxHashMap;

/// The functions to plan, callers before what they call; those of a level do not call each other, unless in a circle.
pub(super) fn levels(program: &ProgramFacts<'_>) -> Vec<Vec<FuncId>> {
    let mut levels: Vec<Vec<FuncId>> = Vec::new();
    let mut level_of: FxHashMap<FuncId, usize> = FxHashMap::default();
    for circle in program.points_to.call_graph().circles().iter().rev() {
        let callers = circle.iter().flat_map(|id| program.points_to.callers(*id));
        let level = callers
            .filter_map(|site| level_of.get(&site.func))
            .max()
            .map_or(0, |l| l + 1);
        level_of.extend(circle.iter().map(|id| (*id, level)));
        if levels.len() <= level {
            levels.resize_with(level + 1, Vec::new);
        }
        let matters = |id: &FuncId| program.launching.contains(id) || program.freeing.contains(id);
        let ours = |id: &FuncId| program.places.contains_key(id) && matters(id);
        levels[level].extend(circle.iter().copied().filter(ours));
    }
    levels
}

/// The functions that a function calls and that call it.
pub(super) fn circle_of(points_to: &PointsTo, id: FuncId) -> Option<&[FuncId]> {
    let graph = points_to.call_graph();
    if !graph.recursive_inside(id) {
        return None;
    }
    graph.circles().iter().find(|c| c.contains(&id)).map(Vec::as_slice)
}
