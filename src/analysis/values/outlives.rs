//! Whether the index of a loop is looked at where it is no longer in its range.
//!
//! ```c
//! for (j = 0; j < m; j++)
//!     …                       /* here 0 <= j < m                                                                       */
//! y[j] = 5;                   /* here j is what the loop was left with: m, or 0 where it never ran                     */
//! ```
//!
//! In the loop's condition the index may be one step out of its range, too, and so it is behind the loop: the value is the φ of
//! the header in both. Where nothing but the comparison reads it there, every section that mentions it was made in the body.

use super::loop_info::Induction;
use super::slots::{SlotId, SlotKind};
use super::table::Values;
use super::version::{Version, is_private};
use crate::analysis::points_to::PointsTo;
use crate::program::graph::{NodeId, Place};
use crate::program::in_loops::in_loop;
use crate::program::ir::{InstId, Op};
use crate::syntax::{Pragma, ScopeTree, StmtId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where a function reads each of its variables, and where the text says their names.
pub(super) struct Loads<'t> {
    of_slots: FxHashMap<SlotId, Vec<(NodeId, InstId)>>,
    /// The function's.
    pragmas: Vec<&'t Pragma>,
    /// The pragmas that say each word.
    said: FxHashMap<&'t str, Vec<&'t Pragma>>,
    /// The words that macros say.
    by_macros: FxHashSet<&'t str>,
}

impl<'t> Loads<'t> {
    /// Lists them.
    pub(super) fn of(tree: &'t ScopeTree, tree_function: usize, values: &Values<'_>) -> Loads<'t> {
        let function = values.function();
        let mut found: FxHashMap<SlotId, Vec<(NodeId, InstId)>> = FxHashMap::default();
        for node in values.graph.ids() {
            for &inst in &values.attachment.insts_of[node.0 as usize] {
                if let Op::Load { ptr, .. } = &function.inst(inst).op
                    && let Some(slot) = values.slots.at(ptr, function)
                {
                    found.entry(slot).or_default().push((node, inst));
                }
            }
        }
        let mut said: FxHashMap<&str, Vec<&Pragma>> = FxHashMap::default();
        // What is local no other function names.
        for pragma in tree.pragmas_of(tree_function) {
            for word in words(&pragma.text) {
                let pragmas = said.entry(word).or_default();
                if pragmas.last().is_none_or(|last| !std::ptr::eq(*last, pragma)) {
                    pragmas.push(pragma);
                }
            }
        }
        Loads {
            of_slots: found,
            pragmas: tree.pragmas_of(tree_function).collect(),
            said,
            by_macros: tree.constants.iter().flat_map(|(_, body)| words(body)).collect(),
        }
    }
}

/// The words of a text, empty ones between other characters among them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
}

/// Whether something outside of the body of `stmt`, whose condition is `header`, may read what its index was left with.
pub(super) fn outlives(
    tree: &ScopeTree,
    values: &Values<'_>,
    points_to: &PointsTo,
    stmt: StmtId,
    header: NodeId,
    index: &Induction,
    loads: &Loads<'_>,
) -> bool {
    let slot = index.slot;
    let is_local = matches!(values.slots.get(slot).kind, SlotKind::Local(_));
    if !is_local || !is_private(&values.slots, points_to, values.func, slot) {
        return true;
    }
    let last = Version::Phi(header);
    let is_outside = |node: NodeId| node == header || !in_loop(tree, values.graph.node(node).kind, stmt);
    let of_slot = loads.of_slots.get(&slot).map_or(&[][..], Vec::as_slice);
    let outside = of_slot.iter().filter(|(node, _)| is_outside(*node));
    let in_condition = 1;
    let read = outside
        .filter(|(node, inst)| values.versions.at(*node, *inst, slot) == last)
        .count()
        > in_condition;
    read || values
        .slots
        .get(slot)
        .name
        .as_ref()
        .is_none_or(|name| is_named_by_pragma(tree, values, loads, stmt, name, slot, last))
}

/// Whether a pragma outside of a loop says a name that has that version there.
fn is_named_by_pragma(
    tree: &ScopeTree,
    values: &Values<'_>,
    loads: &Loads<'_>,
    stmt: StmtId,
    name: &str,
    slot: SlotId,
    last: Version,
) -> bool {
    let is_read = |p: &Pragma| {
        let Some(before) = p.before else {
            return p.inside.is_none_or(|s| !tree.encloses(stmt, s));
        };
        let gap = values.graph.gap(Place::Before(before));
        before == stmt
            || !tree.encloses(stmt, before) && gap.is_none_or(|gap| values.versions.before(gap, slot) == last)
    };
    // Macros may say it, too.
    match loads.by_macros.contains(name) {
        true => loads.pragmas.iter().any(|p| is_read(p)),
        false => loads
            .said
            .get(name)
            .is_some_and(|pragmas| pragmas.iter().any(|p| is_read(p))),
    }
}
