//! What is copied for each launch in a loop of the host.

use super::sizes::Sizes;
use super::{LAUNCH, PER_BYTE};
use crate::analysis::dependence::verdict::{ArrayUse, Parallel};
use crate::analysis::function::FunctionModel;
use crate::program::ir::{InstId, Op};
use crate::symbolic::Section;
use crate::syntax::StmtId;
use std::collections::BTreeSet;

/// Bytes copied for each launch in a loop of the host; what nothing else there uses is copied once for
/// `joined` launches.
pub(super) fn copied(
    sizes: &Sizes<'_, '_>,
    stmt: StmtId,
    host: StmtId,
    p: &Parallel,
    kernels: &BTreeSet<StmtId>,
    joined: f64,
) -> f64 {
    let of_array = |array: &ArrayUse| {
        let ways = 1.0 + f64::from(u8::from(array.read.is_some() && array.written.is_some()));
        let whole = ways * extent(sizes, array) * array.element as f64;
        match used(sizes.model, stmt, host, array, kernels) {
            HostLoopUse::No => whole / joined.max(1.0),
            HostLoopUse::Once => array.element as f64,
            HostLoopUse::Over => whole,
        }
    };
    p.arrays.iter().map(of_array).sum()
}

/// What it costs to leave a kernel of a host loop on the host, where these stand beside it: at least a transfer each time
/// for what they share, of which one writes.
pub(super) fn kept<'p>(sizes: &Sizes<'_, '_>, p: &Parallel, beside: impl Iterator<Item = &'p Parallel>) -> f64 {
    let others: Vec<&ArrayUse> = beside.flat_map(|other| &other.arrays).collect();
    let of_array = |array: &ArrayUse| {
        let shared = others.iter().filter(|other| other.base == array.base);
        let copied = shared
            .clone()
            .any(|other| array.written.is_some() && other.read.is_some())
            || shared
                .clone()
                .any(|other| other.written.is_some() && array.read.is_some());
        match copied {
            true => LAUNCH + extent(sizes, array) * array.element as f64 * PER_BYTE,
            false => 0.0,
        }
    };
    p.arrays.iter().map(of_array).sum()
}

/// Elements that a kernel uses of an array.
fn extent(sizes: &Sizes<'_, '_>, array: &ArrayUse) -> f64 {
    let reach = [&array.read, &array.written].into_iter().flatten();
    let elements = reach.map(|section| {
        let length = section.as_ref().and_then(Section::len);
        let value = length.and_then(|l| sizes.value(&l));
        value.or(sizes.unknown).unwrap_or(1).max(1) as f64
    });
    elements.fold(1.0, f64::max)
}

/// How the rest of a host loop's body uses an array.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum HostLoopUse {
    No,
    Once,
    Over,
}

fn used(
    model: &FunctionModel<'_>,
    stmt: StmtId,
    host: StmtId,
    array: &ArrayUse,
    kernels: &BTreeSet<StmtId>,
) -> HostLoopUse {
    let function = model.function();
    let of_inst = |id: InstId| {
        let at = model.fine.stmt_of(model.attachment.node_of[id.0 as usize]?)?;
        let on_device = model.tree.encloses(stmt, at) || kernels.iter().any(|k| model.tree.encloses(*k, at));
        if on_device {
            return None;
        }
        let (ptr, writes) = match &function.inst(id).op {
            Op::Load { ptr, .. } => (ptr, false),
            Op::Store { ptr, .. } => (ptr, true),
            _ => return None,
        };
        if model.values.ptr(ptr)?.base != array.base || !(writes || array.written.is_some()) {
            return None;
        }
        let mut between = model.tree.ancestors(at).take_while(|s| *s != host);
        Some(match between.any(|s| model.tree.stmt(s).kind.is_loop()) {
            true => HostLoopUse::Over,
            false => HostLoopUse::Once,
        })
    };
    let within = model.insts_within(host).into_iter();
    within.filter_map(of_inst).max().unwrap_or(HostLoopUse::No)
}
