//! Where paths on which a kernel wrote meet with paths on which none did: copies of results must not sink below that
//! (the dual of anticipability, Knoop/Rüthing/Steffen 1994).

use super::placement::ResidencySpan;
use super::problem::{EventKind, Problem};
use crate::program::graph::NodeId;
use rustc_hash::FxHashMap;

/// `dirty` on entry to every node of the span: a kernel wrote the cell on every path from the span's entry. Loops with
/// such a kernel count as run at least once when speculating. Copies down are not modelled here: a second one after a
/// merge then finds nothing left to copy. What callers have on the device is newer there from the start.
pub(super) fn merge_dirt(
    problem: &Problem<'_>,
    span: &ResidencySpan,
    order: &[NodeId],
) -> FxHashMap<NodeId, Vec<bool>> {
    let flow = &problem.flow;
    let mut before: FxHashMap<NodeId, Vec<bool>> = order
        .iter()
        .map(|n| (*n, vec![*n != span.entry || problem.kept_by_callers; problem.cells]))
        .collect();
    // A loop that surely runs is left after an iteration: on its way out only the back edges count.
    let leaving = |n: NodeId, to: NodeId| {
        let l = problem.loops.headed_by(n).find(|l| l.runs)?;
        l.nodes.binary_search(&to).is_err().then_some(l)
    };
    loop {
        let mut changed = false;
        for &n in order {
            if n == span.entry {
                continue;
            }
            let header_of = problem.loops.place_of(n).filter(|_| problem.speculate);
            let optimistic = header_of
                .filter(|index| problem.device_writes_in(*index))
                .map(|index| &problem.loops[index]);
            for cell in 0..problem.cells {
                let mut all = true;
                for &p in flow.preds(n) {
                    if !span.nodes.contains(&p) {
                        continue;
                    }
                    if optimistic.is_some_and(|l| l.nodes.binary_search(&p).is_err()) {
                        continue;
                    }
                    let from = problem.source_cell(p, n, cell);
                    let after = match leaving(p, n) {
                        None => before[&p][from],
                        Some(l) => flow
                            .preds(p)
                            .iter()
                            .filter(|b| l.nodes.binary_search(b).is_ok())
                            .all(|b| {
                                let cell = problem.source_cell(*b, p, from);
                                before.get(b).is_some_and(|dirty| dirty[cell]) || writes(problem, *b, cell)
                            }),
                    };
                    all &= after || writes(problem, p, from);
                }
                let slot = &mut before.get_mut(&n).expect("every node of the span is in the map")[cell];
                if *slot && !all {
                    *slot = false;
                    changed = true;
                }
            }
        }
        if !changed {
            return before;
        }
    }
}

/// Whether kernels of a node may write the cell.
pub(super) fn writes(problem: &Problem<'_>, node: NodeId, cell: usize) -> bool {
    problem
        .events(node)
        .iter()
        .any(|e| e.cell == cell && matches!(&e.kind, EventKind::Launch { may, .. } if !may.is_empty(&problem.facts)))
}
