//! In which order the functions of a program are looked at. They are planned callers first, because what these keep on the device is
//! left alone in what they call, and summarised callees first. What does not depend on each other is done at the same time.

use crate::analysis::points_to::PointsTo;
use crate::program::ir::FuncId;
use rustc_hash::FxHashMap;

/// Functions that are `ours`, callers before what they call; those of a level do not call each other, unless in a circle.
pub(super) fn callers_first(points_to: &PointsTo, ours: impl Fn(FuncId) -> bool) -> Vec<Vec<FuncId>> {
    let mut levels: Vec<Vec<FuncId>> = Vec::new();
    let mut level_of: FxHashMap<FuncId, usize> = FxHashMap::default();
    for circle in points_to.call_graph().circles().iter().rev() {
        let callers = circle.iter().flat_map(|id| points_to.callers(*id));
        let level = callers
            .filter_map(|site| level_of.get(&site.func))
            .max()
            .map_or(0, |l| l + 1);
        level_of.extend(circle.iter().map(|id| (*id, level)));
        if levels.len() <= level {
            levels.resize_with(level + 1, Vec::new);
        }
        levels[level].extend(circle.iter().copied().filter(|id| ours(*id)));
    }
    levels
}

/// The circles of functions that call each other, and functions by themselves, what they call before them; those of a level do not
/// call each other.
pub(super) fn callees_first(points_to: &PointsTo) -> Vec<Vec<&[FuncId]>> {
    let mut levels: Vec<Vec<&[FuncId]>> = Vec::new();
    // The least level that is above all callees met so far.
    let mut least: FxHashMap<FuncId, usize> = FxHashMap::default();
    for circle in points_to.call_graph().circles() {
        let level = circle.iter().filter_map(|id| least.get(id)).max().copied().unwrap_or(0);
        for caller in circle.iter().flat_map(|id| points_to.callers(*id)) {
            let above = least.entry(caller.func).or_default();
            *above = (*above).max(level + 1);
        }
        if levels.len() <= level {
            levels.resize_with(level + 1, Vec::new);
        }
        levels[level].push(circle);
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
