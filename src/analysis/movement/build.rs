//! From a function to the movement problem of one family: every access becomes an event on a cell.
//!
//! An access whose base is a cell's name at its node is *strong*: its section is known. An access that may touch the
//! family through anything else is *weak*: on the host it may read and write everything, which costs copies but is right;
//! in a kernel it means that one array may be mapped under two names, and the family is left alone (R8).

use super::family::{Family, Naming};
use super::mapped::{Mapped, source_type};
use super::place::Span;
use super::problem::{Event, EventKind, LoopFacts, Terms};
use crate::analysis::access::{Access, comes_before, element_bytes, footprint, is_memory_function, part};
use crate::analysis::function::FunctionModel;
use crate::analysis::values::eval::{Base, SymKind};
use crate::analysis::values::loops::{in_loop, merge_node, varies_in};
use crate::analysis::values::slots::{SlotId, SlotKind};
use crate::analysis::values::versions::Version;
use crate::openmp::MapType;
use crate::program::graph::{NodeId, NodeKind, Place};
use crate::program::ir::{Callee, InstId, Op, Operand, SourceType, Type};
use crate::program::objects::{MemLoc, ObjectKind};
use crate::symbolic::{Facts, Section, SectionSet};
use crate::syntax::{StmtId, StmtKind};
use rustc_hash::FxHashMap;

/// What is fixed about a family before a span is chosen.
pub struct Subject<'a> {
    /// The function.
    pub model: &'a FunctionModel<'a>,
    /// Its accesses.
    pub accesses: &'a [Access],
    /// What each kernel maps.
    pub mapped: &'a [Vec<Mapped>],
    /// Bytes per element.
    pub element: u64,
    /// Where the family's objects live.
    pub locs: Vec<MemLoc>,
    /// Elements of each cell that are mapped.
    pub extent: Section,
}

/// Why a family cannot be handled in a span.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// Where, as a coarse node.
    pub node: Option<NodeId>,
    /// Why, for people.
    pub message: String,
}

/// Events by coarse node, and the nodes that no residency of the family may contain, with the reason.
#[derive(Default)]
pub struct Events {
    /// Pairs of names taken to be different arrays only because one kernel maps both: to be checked at run time.
    pub apart: Vec<(Base, Base)>,
    /// Events of each node.
    pub events: Vec<Vec<Event>>,
    /// Barriers.
    pub barriers: FxHashMap<NodeId, String>,
}

/// Size of what accesses through `base` step over, for members whose declared type is not at hand.
pub fn element_from_accesses(model: &FunctionModel<'_>, base: Base) -> Option<u64> {
    let function = model.function();
    for inst in function.inst_ids() {
        let ptr = match &function.inst(inst).op {
            Op::Load { ptr, .. } | Op::Store { ptr, .. } => ptr,
            _ => continue,
        };
        if model.values.ptr(ptr).is_some_and(|p| p.base == base)
            && let Operand::Inst(gep) = ptr
            && let Op::Gep { source_ty, .. } = &function.inst(*gep).op
        {
            let mut ty = source_ty;
            while let Type::Array(elem, _) = ty {
                ty = elem;
            }
            return Some(model.module.size_of(ty)).filter(|s| *s > 0);
        }
    }
    None
}

/// Bytes per element of a base.
pub fn element_of(model: &FunctionModel<'_>, base: Base) -> Option<u64> {
    match source_type(model, base) {
        Some(ty @ (SourceType::Pointer { .. } | SourceType::Array { .. })) => {
            element_bytes(ty).or_else(|| element_from_accesses(model, base))
        }
        Some(_) => None,
        None => element_from_accesses(model, base),
    }
}

/// Where the objects behind a base live: for a pointer by a store, what that store's value points to, which is more
/// precise than what its variable ever does.
pub fn locs_of(model: &FunctionModel<'_>, base: Base) -> Vec<MemLoc> {
    let points_to = model.points_to;
    let mut locs: Vec<MemLoc> = match base {
        Base::Local(v) => model.function().variables[v.0 as usize]
            .alloca
            .map_or_else(Vec::new, |a| {
                points_to.of_operand(model.func, &Operand::Inst(a)).to_vec()
            }),
        Base::Global(g) => points_to.of_operand(model.func, &Operand::Global(g)).to_vec(),
        Base::Value(sym) => match model.values.kind(sym) {
            SymKind::Arg(n) => points_to.of_operand(model.func, &Operand::Arg(n)).to_vec(),
            SymKind::Inst(i) => points_to.of_operand(model.func, &Operand::Inst(i)).to_vec(),
            SymKind::Slot(_, Version::Def(store)) => match &model.function().inst(store).op {
                Op::Store { value, .. } => points_to.of_operand(model.func, value).to_vec(),
                _ => Vec::new(),
            },
            SymKind::Slot(slot, Version::Clobber(call)) if set_by_callee(model, slot, call).is_some() => {
                set_by_callee(model, slot, call).unwrap_or_default()
            }
            SymKind::Slot(slot, _) => points_to
                .of_operand(model.func, &model.values.slots.get(slot).address)
                .iter()
                .flat_map(|l| points_to.contents(*l).to_vec())
                .collect(),
        },
    };
    locs.sort_unstable();
    locs.dedup();
    locs
}

/// What a global pointer points to after a call that surely sets it: `allocate()` that stores a fresh array to it on
/// every path, and nothing else does. The flow-insensitive answer would include what is stored to it anywhere else.
fn set_by_callee(model: &FunctionModel<'_>, slot: SlotId, call: InstId) -> Option<Vec<MemLoc>> {
    let SlotKind::Global(global) = model.values.slots.get(slot).kind else {
        return None;
    };
    let Op::Call {
        callee: Callee::Direct(target),
        ..
    } = &model.function().inst(call).op
    else {
        return None;
    };
    let callee = model.module.function(*target);
    let points_to = model.points_to;
    let here = points_to.of_operand(*target, &Operand::Global(global));
    let writes_it = |inst: InstId| match &callee.inst(inst).op {
        Op::Store { ptr, .. } => {
            let at = points_to.of_operand(*target, ptr);
            at.iter().any(|p| here.iter().any(|h| points_to.may_alias(*p, *h)))
        }
        Op::Call { .. } | Op::Atomic { .. } => {
            let effects = model.effects.of_inst(*target, inst);
            effects.unknown || here.iter().any(|h| effects.may_write(points_to, *h))
        }
        _ => false,
    };
    let mut writers = callee.inst_ids().filter(|i| writes_it(*i));
    let only = writers.next().filter(|_| writers.next().is_none())?;
    let Op::Store {
        ptr: Operand::Global(g),
        value,
        ..
    } = &callee.inst(only).op
    else {
        return None;
    };
    // No way from the entry to a return around the store.
    let around = {
        let mut seen = vec![false; callee.blocks.len()];
        let mut stack = vec![0usize];
        let mut found = false;
        while let Some(b) = stack.pop() {
            if b == callee.inst(only).block.0 as usize || std::mem::replace(&mut seen[b], true) {
                continue;
            }
            let block = &callee.blocks[b];
            found |= (block.first.0..block.end.0).any(|i| matches!(callee.inst(InstId(i)).op, Op::Ret(_)));
            stack.extend(block.succs.iter().map(|s| s.0 as usize));
        }
        found
    };
    (*g == global && !around).then(|| points_to.of_operand(*target, value).to_vec())
}

/// Whether the objects behind two bases may be the same, by points-to alone.
pub fn may_overlap(model: &FunctionModel<'_>, a: Base, b: Base) -> bool {
    let (x, y) = (locs_of(model, a), locs_of(model, b));
    x.is_empty() || y.is_empty() || x.iter().any(|p| y.iter().any(|q| model.points_to.may_alias(*p, *q)))
}

/// Whether two bases are mapped as different items of one kernel: then the user says that they do not overlap, because
/// OpenMP forbids list items of one construct to share storage.
pub fn mapped_apart(mapped: &[Vec<Mapped>], a: Base, b: Base) -> bool {
    a != b
        && mapped
            .iter()
            .any(|items| items.iter().any(|m| m.base == a) && items.iter().any(|m| m.base == b))
}

impl Subject<'_> {
    fn may_touch(&self, access: &Access) -> bool {
        let model = self.model;
        let by_address = model.points_to.of_operand(model.func, &access.address).to_vec();
        let touches = |locs: Vec<MemLoc>| {
            locs.is_empty()
                || locs
                    .iter()
                    .any(|p| self.locs.iter().any(|l| model.points_to.may_alias(*p, *l)))
        };
        // Both say where it may go; either can rule the family out.
        touches(by_address) && access.at.as_ref().is_none_or(|p| touches(locs_of(model, p.base)))
    }

    /// Whether the access is to another array by the user's own maps; the belief is noted, to be checked at run time.
    fn taken_apart(&self, access: &Access, names: &[Base], out: &mut Events) -> bool {
        let Some(base) = access.at.as_ref().map(|p| p.base) else {
            return false;
        };
        if names.is_empty() || !names.iter().all(|n| mapped_apart(self.mapped, base, *n)) {
            return false;
        }
        for n in names {
            if may_overlap(self.model, base, *n) && !out.apart.contains(&(*n, base)) {
                out.apart.push((*n, base));
            }
        }
        true
    }

    fn touches_any(&self, mut locs: impl Iterator<Item = MemLoc>) -> bool {
        locs.any(|p| self.locs.iter().any(|l| self.model.points_to.may_alias(p, *l)))
    }

    /// Collects all events of the family. `naming` covers the span; outside it a single array keeps its name.
    pub fn events(&self, family: &Family, naming: &Naming, span: &Span) -> Result<Events, Refusal> {
        let model = self.model;
        let cells = naming.at(span.entry).len();
        let mut out = Events {
            events: vec![Vec::new(); model.coarse.nodes.len()],
            ..Events::default()
        };
        let fallback: Vec<Base> = match family {
            Family::Single(base) => vec![*base],
            Family::PingPong(_) => Vec::new(),
        };
        let mut by_node: FxHashMap<NodeId, Vec<&Access>> = FxHashMap::default();
        for a in self.accesses {
            if let Some(c) = model.coarse_of(a.node) {
                by_node.entry(c).or_default().push(a);
            }
        }
        for node in model.coarse.ids() {
            let names = if span.nodes.contains(&node) {
                naming.at(node)
            } else {
                &fallback
            };
            let empty = Vec::new();
            let accesses = by_node.get(&node).unwrap_or(&empty);
            let launch = accesses
                .first()
                .and_then(|a| model.launch_of(a.node))
                .or_else(|| self.launch_at(node));
            match launch {
                Some(l) => self.launch_events(l, node, names, accesses, span, cells, &mut out)?,
                None => self.host_events(node, names, accesses, cells, &mut out),
            }
            self.call_events(node, launch, names, cells, span, &mut out)?;
        }
        Ok(out)
    }

    fn launch_at(&self, node: NodeId) -> Option<usize> {
        let NodeKind::Whole(stmt) = self.model.coarse.node(node).kind else {
            return None;
        };
        self.model.constructs.launches.iter().position(|l| l.stmt == stmt)
    }

    fn clip(&self, set: SectionSet) -> SectionSet {
        if set.is_all() {
            SectionSet::Union(vec![self.extent.clone()])
        } else {
            set
        }
    }

    fn host_events(&self, node: NodeId, names: &[Base], accesses: &[&Access], cells: usize, out: &mut Events) {
        let model = self.model;
        let within = match model.coarse.node(node).kind {
            NodeKind::Whole(s) => Some(s),
            _ => None,
        };
        // Reads count before writes of the same node: within a collapsed loop their order is not followed.
        let mut reads: Vec<SectionSet> = vec![SectionSet::Empty; cells];
        let mut writes: Vec<(SectionSet, Vec<Section>)> = vec![(SectionSet::Empty, Vec::new()); cells];
        let facts = Facts::new();
        for a in accesses {
            let strong = a.at.as_ref().and_then(|p| names.iter().position(|n| *n == p.base));
            if strong.is_none() && (!self.may_touch(a) || self.taken_apart(a, names, out)) {
                continue;
            }
            let touched: Vec<(usize, SectionSet, Option<Section>)> = match strong {
                Some(cell) => {
                    let f = footprint(model, a, self.element, within);
                    vec![(cell, self.clip(f.may), f.must)]
                }
                None => (0..cells).map(|c| (c, self.clip(SectionSet::All), None)).collect(),
            };
            for (cell, may, must) in touched {
                if a.reads {
                    reads[cell] = reads[cell].union(&may, &facts);
                }
                if a.writes {
                    writes[cell].0 = writes[cell].0.union(&may, &facts);
                    writes[cell].1.extend(must);
                }
            }
        }
        for cell in 0..cells {
            if reads[cell] != SectionSet::Empty {
                let may = self.clip(reads[cell].clone());
                out.events[node.0 as usize].push(Event {
                    cell,
                    kind: EventKind::HostRead { may },
                });
            }
            if writes[cell].0 != SectionSet::Empty {
                let (may, must) = (self.clip(writes[cell].0.clone()), writes[cell].1.clone());
                out.events[node.0 as usize].push(Event {
                    cell,
                    kind: EventKind::HostWrite { may, must },
                });
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn launch_events(
        &self,
        launch: usize,
        node: NodeId,
        names: &[Base],
        accesses: &[&Access],
        span: &Span,
        cells: usize,
        out: &mut Events,
    ) -> Result<(), Refusal> {
        let model = self.model;
        let l = &model.constructs.launches[launch];
        let facts = Facts::new();
        let refuse = |message: String| Refusal {
            node: Some(node),
            message,
        };
        let mut touched = vec![false; cells];
        let mut reads = vec![SectionSet::Empty; cells];
        let mut may = vec![SectionSet::Empty; cells];
        let mut must: Vec<Vec<Section>> = vec![Vec::new(); cells];
        let mut parts: Vec<Vec<(Section, std::ops::Range<u64>)>> = vec![Vec::new(); cells];
        for a in accesses {
            if let Some(base) = a.at.as_ref().map(|p| p.base)
                && self.is_private_in(launch, base)
            {
                continue;
            }
            let strong = a.at.as_ref().and_then(|p| names.iter().position(|n| *n == p.base));
            let Some(cell) = strong else {
                if !self.may_touch(a) || self.taken_apart(a, names, out) {
                    continue;
                }
                let base = a.at.as_ref().map(|p| p.base);
                // A pointer computed inside the kernel from a mapped one stays within what is mapped.
                let local = base.is_some_and(|b| match b {
                    Base::Value(s) => {
                        let at = model.values.defined_at(s);
                        model.launch_of(at) == Some(launch)
                    }
                    _ => false,
                });
                if !local && span.nodes.contains(&node) {
                    return Err(refuse(
                        "a kernel here may reach the same array under another name".into(),
                    ));
                }
                for cell in 0..cells {
                    touched[cell] = true;
                    if a.reads {
                        reads[cell] = self.clip(SectionSet::All);
                    }
                    if a.writes {
                        may[cell] = self.clip(SectionSet::All);
                    }
                }
                continue;
            };
            touched[cell] = true;
            let f = footprint(model, a, self.element, Some(l.stmt));
            if a.reads && !self.covered(a, accesses, names) {
                reads[cell] = reads[cell].union(&self.clip(f.may.clone()), &facts);
            }
            if a.writes {
                may[cell] = may[cell].union(&self.clip(f.may), &facts);
                match f.must {
                    _ if self.copied_in(launch, names[cell]) => {}
                    Some(section) => must[cell].push(section),
                    None => parts[cell].extend(part(model, a, self.element, Some(l.stmt))),
                }
            }
        }
        if span.nodes.contains(&node) {
            self.other_maps(launch, names, out).map_err(refuse)?;
        }
        for (cell, parts) in parts.iter().enumerate() {
            must[cell].extend(filled(parts, self.element));
        }
        for (cell, name) in names.iter().enumerate().take(cells) {
            let item = self.mapped[launch].iter().find(|m| m.base == *name);
            if !touched[cell] && item.is_none() {
                continue;
            }
            if let Some(reason) = &l.special {
                out.barriers.insert(node, reason.clone());
            }
            if let Some(item) = item {
                match item.map_type {
                    MapType::To if !may[cell].is_empty(&facts) => {
                        out.barriers.insert(
                            node,
                            "this kernel writes it but maps it `to`: what it writes is meant to be lost".into(),
                        );
                    }
                    MapType::From => {
                        // After it the host has what the device had, all of the section: the user said so.
                        if let Some(section) = &item.section {
                            reads[cell] = SectionSet::Empty;
                            may[cell] = SectionSet::Union(vec![section.clone()]);
                            must[cell] = vec![section.clone()];
                        }
                    }
                    MapType::To | MapType::Tofrom => {}
                    _ => {
                        out.barriers
                            .insert(node, "this kernel maps it without copies, as scratch memory".into());
                    }
                }
            }
            if !touched[cell] {
                continue;
            }
            out.events[node.0 as usize].push(Event {
                cell,
                kind: EventKind::Launch {
                    reads: self.clip(reads[cell].clone()),
                    may: self.clip(may[cell].clone()),
                    must: must[cell].clone(),
                },
            });
        }
        Ok(())
    }

    /// What a kernel maps under other names must not be a part of the family: the runtime would find it present, or
    /// refuse to map more than is.
    fn other_maps(&self, launch: usize, names: &[Base], out: &mut Events) -> Result<(), String> {
        for m in self.mapped[launch].iter().filter(|m| !names.contains(&m.base)) {
            if !m.is_array {
                continue;
            }
            for name in names.iter().filter(|n| may_overlap(self.model, **n, m.base)) {
                if !mapped_apart(self.mapped, *name, m.base) {
                    return Err(format!(
                        "a kernel here maps `{}`, which may be the same array",
                        m.item.path
                    ));
                }
                if !out.apart.contains(&(*name, m.base)) {
                    out.apart.push((*name, m.base));
                }
            }
        }
        Ok(())
    }

    /// A read in a kernel that an earlier write of the very same elements in the same iteration feeds.
    fn covered(&self, read: &Access, accesses: &[&Access], names: &[Base]) -> bool {
        let Some(at) = &read.at else { return false };
        accesses.iter().any(|w| {
            w.writes
                && !w.reads
                && w.at.as_ref() == Some(at)
                && w.bytes == read.bytes
                && names.contains(&at.base)
                && !at.offset.has_opaque()
                && comes_before(self.model, w, read)
        })
    }

    /// Whether directives inside the kernel may give threads or tasks copies of what the base is named by: what they
    /// write is then not surely written to the array.
    fn copied_in(&self, launch: usize, base: Base) -> bool {
        let copies = &self.model.constructs.launches[launch].copies;
        let name = match base {
            Base::Local(v) => Some(self.model.function().variables[v.0 as usize].name.clone()),
            Base::Global(g) => Some(self.model.module.global(g).name.clone()),
            Base::Value(sym) => match self.model.values.kind(sym) {
                SymKind::Slot(slot, _) => self.model.values.slots.get(slot).name.clone(),
                _ => None,
            },
        };
        copies.any || name.is_some_and(|n| copies.may_be(&n))
    }

    fn is_private_in(&self, launch: usize, base: Base) -> bool {
        let l = &self.model.constructs.launches[launch];
        match base {
            Base::Local(v) => {
                let variable = &self.model.function().variables[v.0 as usize];
                let declared_inside = variable
                    .decl
                    .and_then(|d| self.model.offset(d))
                    .is_some_and(|o| self.model.tree.stmt(l.stmt).span.contains(o));
                declared_inside || l.private.contains(&variable.name)
            }
            _ => false,
        }
    }

    fn call_events(
        &self,
        node: NodeId,
        launch: Option<usize>,
        names: &[Base],
        cells: usize,
        span: &Span,
        out: &mut Events,
    ) -> Result<(), Refusal> {
        let model = self.model;
        for fine in model.fine.ids() {
            if model.attachment.insts_of[fine.0 as usize].is_empty() || model.coarse_of(fine) != Some(node) {
                continue;
            }
            for &inst in &model.attachment.insts_of[fine.0 as usize] {
                let op = &model.function().inst(inst).op;
                let asm = matches!(
                    op,
                    Op::Other {
                        touches_memory: true,
                        ..
                    }
                );
                if !asm && (!matches!(op, Op::Call { .. }) || is_memory_function(model, inst)) {
                    continue;
                }
                let effects = model.effects.of_call(model.func, inst);
                let escaping = self.locs.iter().any(|l| model.points_to.escapes(l.object));
                let unknown = asm || effects.unknown;
                // Exit handlers see what is still reachable when the program ends here.
                let ends = effects.may_not_return && self.seen_at_exit();
                let reads = ends || (unknown && escaping) || self.touches_any(effects.reads.iter().copied());
                let writes = (unknown && escaping) || self.touches_any(effects.writes.iter().copied());
                let frees = effects.frees.iter().any(|o| self.locs.iter().any(|l| l.object == *o));
                let (targets, _) = model.targets(inst);
                let launches = targets.iter().any(|t| model.launching.contains(t));
                if effects.may_not_return && jumps_far(model.module) {
                    out.barriers
                        .insert(node, "the function called here may leave it by `longjmp`".into());
                }
                if (launches && (reads || writes)) || (unknown && escaping) {
                    out.barriers.insert(
                        node,
                        if launches {
                            "the function called here starts kernels on it".into()
                        } else {
                            "unknown code called here may start kernels on it".into()
                        },
                    );
                }
                if frees {
                    out.barriers.insert(node, "it is freed here".into());
                    if let Some(cell) = self.freed_cell(inst, names) {
                        out.events[node.0 as usize].push(Event {
                            cell,
                            kind: EventKind::Free,
                        });
                        continue;
                    }
                }
                if !reads && !writes {
                    continue;
                }
                if launch.is_some() {
                    if span.nodes.contains(&node) && names.len() != 1 {
                        return Err(Refusal {
                            node: Some(node),
                            message: "a function called in this kernel touches it".into(),
                        });
                    }
                    let all = self.clip(SectionSet::All);
                    out.events[node.0 as usize].push(Event {
                        cell: 0,
                        kind: EventKind::Launch {
                            reads: all.clone(),
                            may: if writes { all } else { SectionSet::Empty },
                            must: Vec::new(),
                        },
                    });
                    continue;
                }
                for cell in 0..cells {
                    let all = self.clip(SectionSet::All);
                    if reads {
                        out.events[node.0 as usize].push(Event {
                            cell,
                            kind: EventKind::HostRead { may: all.clone() },
                        });
                    }
                    if writes {
                        out.events[node.0 as usize].push(Event {
                            cell,
                            kind: EventKind::HostWrite {
                                may: all,
                                must: Vec::new(),
                            },
                        });
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether code that runs at the program's end may look at the family's objects.
    fn seen_at_exit(&self) -> bool {
        let model = self.model;
        self.locs.iter().any(|l| match &model.points_to.object(l.object).kind {
            ObjectKind::Local { .. } => model.points_to.escapes(l.object),
            _ => runs_at_exit(model.module) || (!model.points_to.closed() && model.points_to.escapes(l.object)),
        })
    }

    /// The cell that `free(p)` frees for sure.
    fn freed_cell(&self, inst: InstId, names: &[Base]) -> Option<usize> {
        let model = self.model;
        let Op::Call {
            callee: Callee::Direct(f),
            args,
        } = &model.function().inst(inst).op
        else {
            return None;
        };
        if model.module.function(*f).name != "free" {
            return None;
        }
        let p = model.values.ptr(args.first()?)?;
        names.iter().position(|n| *n == p.base)
    }
}

/// Whether the file registers code to run when the program ends.
pub fn runs_at_exit(module: &crate::program::ir::Module) -> bool {
    module
        .functions
        .iter()
        .any(|f| ["atexit", "on_exit", "at_quick_exit"].contains(&f.name.as_str()))
        || module.globals.iter().any(|g| g.name == "llvm.global_dtors")
}

/// Whether the file may leave functions by `longjmp`.
fn jumps_far(module: &crate::program::ir::Module) -> bool {
    module
        .functions
        .iter()
        .any(|f| ["longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"].contains(&f.name.as_str()))
}

/// Sections whose elements are written member by member, all of them.
fn filled(parts: &[(Section, std::ops::Range<u64>)], element: u64) -> Vec<Section> {
    let mut full: Vec<Section> = Vec::new();
    for (section, _) in parts {
        let mut bytes: Vec<_> = parts
            .iter()
            .filter(|(s, _)| s == section)
            .map(|(_, b)| b.clone())
            .collect();
        bytes.sort_by_key(|b| b.start);
        let end = bytes
            .iter()
            .fold(0, |end, b| if b.start <= end { end.max(b.end) } else { end });
        if end >= element && !full.contains(section) {
            full.push(section.clone());
        }
    }
    full
}

/// Expanded loops of the coarse graph, outermost first.
pub fn loops_of(model: &FunctionModel<'_>) -> (Vec<LoopFacts>, Vec<(NodeId, StmtId)>) {
    let mut loops = Vec::new();
    let mut headers = Vec::new();
    for (i, stmt) in model.tree.stmts.iter().enumerate() {
        let id = StmtId(i as u32);
        if stmt.function as usize != model.tree_function || !stmt.kind.is_loop() {
            continue;
        }
        let Some(header) = merge_node(model.tree, model.coarse, id) else {
            continue;
        };
        let nodes: Vec<NodeId> = model
            .coarse
            .ids()
            .filter(|n| in_loop(model.tree, model.coarse.node(*n).kind, id))
            .collect();
        let info = model.loops.get(id);
        let runs = matches!(stmt.kind, StmtKind::DoWhile { .. })
            || info
                .and_then(|l| l.induction.as_ref())
                .is_some_and(|i| Facts::new().prove_le(&i.lo, &i.hi));
        loops.push(LoopFacts {
            header,
            nodes,
            gap_before: model.coarse.gap(Place::Before(id)),
            runs,
        });
        headers.push((header, id));
    }
    (loops, headers)
}

/// Answers the problem's questions about symbols.
pub struct FunctionTerms<'a> {
    /// The function.
    pub model: &'a FunctionModel<'a>,
    /// Statement of each loop index.
    pub loops: Vec<StmtId>,
    /// Facts under which hulls are taken.
    pub facts: Facts,
    /// Elements that may be copied: the mapped extent, and whether it is the whole object.
    pub extent: Section,
    /// The extent is the whole object.
    pub whole_object: bool,
    /// Whether every symbol of a section has a name at a gap.
    pub nameable: &'a dyn Fn(&Section, NodeId) -> bool,
}

impl Terms for FunctionTerms<'_> {
    fn widen(&self, set: &SectionSet, loop_index: usize) -> SectionSet {
        let stmt = self.loops[loop_index];
        let mut facts = self.facts.clone();
        let induction = self.model.loops.get(stmt).and_then(|l| l.induction.as_ref());
        let mut widened = SectionSet::Empty;
        if set.is_all() {
            return SectionSet::All;
        }
        for s in set.sections() {
            let mut section = Some(s.clone());
            if let Some(ind) = induction
                && s.mentions(ind.sym)
            {
                facts.assume_le(&ind.lo, &ind.hi);
                let one = crate::symbolic::Expr::constant(1);
                section = s.over_loop(ind.sym, &ind.lo, &ind.hi, &one, &facts);
            }
            match section {
                Some(s) if !self.varies(&s, loop_index) => {
                    widened = widened.union(&SectionSet::Union(vec![s]), &self.facts);
                }
                _ => return SectionSet::All,
            }
        }
        widened
    }

    fn varies(&self, section: &Section, loop_index: usize) -> bool {
        let stmt = self.loops[loop_index];
        symbols(section).any(|s| varies_in(self.model.tree, self.model.values, s, stmt))
    }

    fn defined_at(&self, section: &Section, node: NodeId) -> bool {
        symbols(section).any(|s| {
            let at = self.model.values.defined_at(s);
            self.model.coarse_of(at) == Some(node) && node != crate::program::graph::FlowGraph::ENTRY
        })
    }

    fn printable(&self, section: &Section, gap: NodeId) -> bool {
        let inside = *section == self.extent
            || self.whole_object
            || section.len().and_then(|l| l.as_constant()) == Some(1)
            || (self.facts.prove_le(&self.extent.lo, &section.lo) && self.facts.prove_le(&section.hi, &self.extent.hi));
        inside && (self.nameable)(section, gap)
    }
}

fn symbols(section: &Section) -> impl Iterator<Item = crate::symbolic::Sym> {
    let mut all = section.lo.symbols();
    all.extend(section.hi.symbols());
    all.into_iter()
}
