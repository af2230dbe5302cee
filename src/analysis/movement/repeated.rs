//! Copies to the device that come again before any kernel needs them: they are left out.
//!
//! ```c
//! {                                      /* all copied in: left out */
//!     for (int t = 0; t < s; t++) {
//!         update to(a[0:k])              /* what the kernel reads, in the first iteration as well */
//!         kernel reads a[0:k]
//!         a[h(t)] = …                    /* which element that was has no name at the update */
//!     }
//! }
//! ```
//!
//! The walk that places copies meets the loop twice: from before, with all of the array newer on the host, and from its end,
//! with one element. So it copies all before the loop, and what is left of the need inside; where the need inside has to be
//! rounded up to all that kernels read, the copy before the loop serves nothing. Whether it does is asked of [`check`]:
//! what that accepts without a copy does not need it. A copy is tried where another one stands in a loop that it is not in.

use super::check::check;
use super::demand::Demand;
use super::placement::{Placement, ResidencySpan};
use super::problem::Problem;
use crate::program::graph::NodeId;

/// A placement without the copies to the device that it does not need.
pub(super) fn without_repeated(
    problem: &Problem<'_>,
    demand: &Demand,
    span: &ResidencySpan,
    mut placement: Placement,
) -> Placement {
    let is_enough = |fewer: &Placement| check(problem, demand, span, fewer).is_ok();
    for cell in 0..placement.entry.len() {
        if placement.entry[cell].copies && comes_again(problem, &placement, cell, span.entry) {
            placement.entry[cell].copies = false;
            placement.entry[cell].copies = !is_enough(&placement);
        }
    }
    let mut at = 0;
    while let Some(copy) = placement.copies.get(at) {
        if copy.up && comes_again(problem, &placement, copy.cell, copy.gap) {
            let copy = placement.copies.remove(at);
            if is_enough(&placement) {
                continue;
            }
            placement.copies.insert(at, copy);
        }
        at += 1;
    }
    placement
}

/// Whether a cell is copied in a loop that a gap is not in.
fn comes_again(problem: &Problem<'_>, placement: &Placement, cell: usize, gap: NodeId) -> bool {
    let mut copies = placement.copies.iter().filter(|c| c.up && c.cell == cell);
    let holds = |nodes: &[NodeId], gap: NodeId| nodes.binary_search(&gap).is_ok();
    copies.any(|c| {
        problem
            .loops
            .iter()
            .any(|l| holds(&l.nodes, c.gap) && !holds(&l.nodes, gap))
    })
}
