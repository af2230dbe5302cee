//! Families: the objects that one residency decision is about, how they are named, and how far they extend.
//!
//! **Naming.** At each node a family's cells have names: pointer values ([`Base`]). One array has one name throughout.
//! Ping-pong buffers change names at loop headers: before `for (…) { …; t = a; a = b; b = t; }` the cells are called by
//! the values that `a` and `b` have there, inside by their φs, and along the back edge `a`'s φ receives what was called
//! `b`. [`Naming`] carries these names over a span and yields the permutation of each edge into a header. Where the names
//! do not match up one to one (a conditional swap, a third alias) there is no naming and the family is left alone.

use super::placement::ResidencySpan;
use super::problem::HeaderEdge;
use crate::analysis::function::FunctionModel;
use crate::analysis::values::slots::SlotId;
use crate::analysis::values::table::{Base, SymKind};
use crate::analysis::values::version::Version;
use crate::program::graph::{FlowGraph, NodeId};
use crate::program::in_loops::{in_loop, merge_node};
use crate::reasons::{Ends, Reason};
use crate::syntax::StmtId;
use rustc_hash::FxHashMap;

/// What a residency decision is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Family {
    /// One array, by its storage or by one pointer value.
    Single(Base),
    /// Several arrays that the pointers in these slots take turns to point to.
    PingPong(Vec<SlotId>),
}

/// Names of a family's cells over a span, in coarse nodes.
#[derive(Clone, Debug, Default)]
pub struct Naming {
    names: FxHashMap<NodeId, Vec<Base>>,
    /// Renaming on edges into headers.
    pub edges: FxHashMap<(NodeId, NodeId), Vec<usize>>,
}

impl Naming {
    /// The names at a node of the span.
    pub fn at(&self, node: NodeId) -> &[Base] {
        self.names.get(&node).map_or(&[], Vec::as_slice)
    }
}

/// Pointer slots that trade values at loop headers, grouped.
pub fn ping_pong_groups(model: &FunctionModel<'_>) -> Vec<Vec<SlotId>> {
    let mut found: Vec<Vec<SlotId>> = Vec::new();
    // Inner loops first: what trades places there hands its names on to the loops around.
    let mut inner: FxHashMap<NodeId, Vec<SlotId>> = FxHashMap::default();
    for id in model.tree.loops_of(model.tree_function).into_iter().rev() {
        let Some(header) = model.loops.get(id).map(|l| l.header) else {
            continue;
        };
        if model.launch_of(header).is_some() {
            continue;
        }
        let phis = model.values.versions.phis_at(header).iter().copied();
        let moving: Vec<SlotId> = phis.filter(|s| is_pointer_slot(model, *s)).collect();
        // A temporary like `t` in a swap is a φ too, but no kernel's base; it is dropped because its value at the back
        // edge duplicates another's.
        let closed = closed_under_renaming(model, id, header, &moving, &inner);
        inner.insert(header, closed.clone());
        if closed.len() >= 2 {
            found.push(closed);
        }
    }
    let mut groups: Vec<Vec<SlotId>> = Vec::new();
    for closed in found.into_iter().rev() {
        match groups.iter_mut().find(|g| g.iter().any(|s| closed.contains(s))) {
            Some(group) => group.extend(
                closed
                    .iter()
                    .filter(|s| !group.contains(s))
                    .copied()
                    .collect::<Vec<_>>(),
            ),
            None => groups.push(closed),
        }
    }
    for g in &mut groups {
        g.sort_unstable();
    }
    groups
}

/// The largest subset of `moving` whose values at the back edges are a permutation of its own names at the header, with
/// temporaries dropped first.
fn closed_under_renaming(
    model: &FunctionModel<'_>,
    stmt: StmtId,
    header: NodeId,
    moving: &[SlotId],
    inner: &FxHashMap<NodeId, Vec<SlotId>>,
) -> Vec<SlotId> {
    let name = |s: SlotId| Base::Value(model.values.sym(SymKind::Slot(s, Version::Phi(header))));
    let mut set: Vec<SlotId> = moving.to_vec();
    loop {
        let keep: Vec<SlotId> = set
            .iter()
            .copied()
            .filter(|s| {
                // The name is handed on to some slot of the set, and the slot receives a name of the set.
                let receives = model.fine.node(header).preds.iter().all(|p| {
                    if !in_loop(model.tree, model.fine.node(*p).kind, stmt) {
                        return true;
                    }
                    let v = model.values.slot_ptr(*s, model.values.versions.after(*p, *s));
                    v.offset.is_zero() && set.iter().any(|o| name_flows(model, v.base, *o, &name, inner))
                });
                let handed_on = model.fine.node(header).preds.iter().all(|p| {
                    if !in_loop(model.tree, model.fine.node(*p).kind, stmt) {
                        return true;
                    }
                    set.iter().any(|o| {
                        let v = model.values.slot_ptr(*o, model.values.versions.after(*p, *o));
                        name_flows(model, v.base, *s, &name, inner)
                    })
                });
                receives && handed_on
            })
            .collect();
        if keep.len() == set.len() {
            return keep;
        }
        set = keep;
    }
}

/// Whether `base` is the name of `slot` at the header, or one that `slot` has at an inner loop's header, where it trades places
/// too.
fn name_flows(
    model: &FunctionModel<'_>,
    base: Base,
    slot: SlotId,
    name: &dyn Fn(SlotId) -> Base,
    inner: &FxHashMap<NodeId, Vec<SlotId>>,
) -> bool {
    if base == name(slot) {
        return true;
    }
    match base {
        Base::Value(sym) => match model.values.kind(sym) {
            SymKind::Slot(s, Version::Phi(at)) => {
                s == slot && inner.get(&at).is_none_or(|traded| traded.contains(&slot))
            }
            _ => false,
        },
        _ => false,
    }
}

fn is_pointer_slot(model: &FunctionModel<'_>, slot: SlotId) -> bool {
    use crate::analysis::values::slots::{SlotKind, is_pointer};
    match &model.values.slots.get(slot).kind {
        SlotKind::Local(v) => is_pointer(&model.function().variables[v.0 as usize].source_type),
        SlotKind::Global(g) => model.module.global(*g).source_type.as_ref().is_some_and(is_pointer),
        _ => false,
    }
}

/// Carries the names of a family over a span. `Err` says why they do not stay one to one.
pub fn naming(model: &FunctionModel<'_>, family: &Family, span: &ResidencySpan) -> Result<Naming, Reason> {
    let mut result = Naming::default();
    let slots = match family {
        Family::Single(base) => {
            for &n in &span.nodes {
                result.names.insert(n, vec![*base]);
            }
            return Ok(result);
        }
        Family::PingPong(slots) => slots,
    };
    let entry = model.fine_gap(span.entry).ok_or(Ends::TradeNoStart)?;
    let mut start = Vec::new();
    for s in slots {
        let v = model.values.slot_ptr(*s, model.values.versions.before(entry, *s));
        if !v.offset.is_zero() || start.contains(&v.base) {
            return Err(Ends::TradeStart.into());
        }
        start.push(v.base);
    }
    result.names.insert(span.entry, start);
    let mut work = vec![span.entry];
    while let Some(n) = work.pop() {
        if span.exits.contains(&n) {
            continue;
        }
        let here = result.names[&n].clone();
        for &s in &model.coarse.node(n).succs {
            if !span.nodes.contains(&s) {
                continue;
            }
            let there = match header_names(model, slots, s) {
                Some(names) => {
                    let permutation = permutation(model, slots, n, s, &here)?;
                    result.edges.insert((n, s), permutation);
                    names
                }
                None => here.clone(),
            };
            match result.names.get(&s) {
                None => {
                    result.names.insert(s, there);
                    work.push(s);
                }
                Some(known) if *known == there => {}
                Some(_) => return Err(Ends::TradeOnePath.into()),
            }
        }
    }
    Ok(result)
}

/// The loop whose iterations begin at this coarse node, with its header in the fine graph.
fn loop_at(model: &FunctionModel<'_>, node: NodeId) -> Option<(StmtId, NodeId)> {
    let stmt = model.coarse.stmt_of(node)?;
    model
        .tree
        .ancestors(stmt)
        .filter(|s| model.tree.stmt(*s).kind.is_loop())
        .find(|s| merge_node(model.tree, model.coarse, *s) == Some(node))
        .and_then(|s| Some((s, model.loops.get(s)?.header)))
}

/// If `node` is a loop header at which all these slots are φs: their names there.
fn header_names(model: &FunctionModel<'_>, slots: &[SlotId], node: NodeId) -> Option<Vec<Base>> {
    let (_, header) = loop_at(model, node)?;
    slots
        .iter()
        .map(|s| {
            let v = model.values.versions.before(header, *s);
            (v == Version::Phi(header)).then(|| Base::Value(model.values.sym(SymKind::Slot(*s, v))))
        })
        .collect()
}

/// Which cell at the end of the edge's source each slot's φ receives.
fn permutation(
    model: &FunctionModel<'_>,
    slots: &[SlotId],
    from: NodeId,
    to: NodeId,
    names: &[Base],
) -> Result<Vec<usize>, Ends> {
    let (_, header) = loop_at(model, to).ok_or(Ends::TradeNoHeader)?;
    let mut all: Option<Vec<usize>> = None;
    for &p in &model.fine.node(header).preds {
        let same = model.coarse_of(p) == Some(from);
        if !same {
            continue;
        }
        let mut permutation = Vec::new();
        for s in slots {
            let v = model.values.slot_ptr(*s, model.values.versions.after(p, *s));
            if !v.offset.is_zero() {
                return Err(Ends::TradeUnclear);
            }
            let cell = names.iter().position(|b| *b == v.base).ok_or(Ends::TradeUnclear)?;
            if permutation.contains(&cell) {
                return Err(Ends::TradeUnclear);
            }
            permutation.push(cell);
        }
        if all.as_ref().is_some_and(|a| *a != permutation) {
            return Err(Ends::TradeUnclear);
        }
        all = Some(permutation);
    }
    all.ok_or(Ends::TradeUnclear)
}

/// Turns a naming's renamings and the loops of the span into the problem's header edges.
pub fn header_edges(
    model: &FunctionModel<'_>,
    naming: &Naming,
    loop_headers: &[(NodeId, StmtId)],
    cells: usize,
) -> FxHashMap<(NodeId, NodeId), HeaderEdge> {
    let graph: &FlowGraph = model.coarse;
    let mut edges = FxHashMap::default();
    for (index, (header, stmt)) in loop_headers.iter().enumerate() {
        let closing: Vec<(NodeId, NodeId)> = graph.node(*header).preds.iter().map(|p| (*p, *header)).collect();
        for (from, to) in closing {
            let closes = in_loop(model.tree, graph.node(from).kind, *stmt).then_some(index);
            let permutation = naming
                .edges
                .get(&(from, to))
                .cloned()
                .unwrap_or_else(|| (0..cells).collect());
            edges.insert((from, to), HeaderEdge { closes, permutation });
        }
    }
    edges
}
