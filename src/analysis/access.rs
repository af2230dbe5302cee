//! Memory accesses of a function as elements of bases, and their sections over loops.
//!
//! **Worked example.** In `for (i = 1; i < n-1; i++) a[i] = b[i-1];` the store goes to base `a`, byte offset `8*i`, that
//! is element `i`; over the loop that is the *may* section `[1, n-1)` of `a`. The loop is exact and the store runs in
//! every iteration, so it is a *must* section too. The load gives `[0, n-2)` of `b`.
//!
//! Sections are along one dimension of *elements*: the scalar at the bottom of the declared type (`double` for
//! `double a[N][M]`, the struct for an array of structs). Sources: DawnCC §4 (symbolic ranges of accesses).

use super::always_made::is_always_made;
use super::function::FunctionModel;
use super::launch_copies::{LaunchCopies, ReachedStorage};
use super::storage::TouchedBytes;
use super::values::table::PtrVal;
use crate::analysis::values::loop_info::varies_in;
use crate::analysis::values::loop_info::{Induction, LoopInfo};
use crate::program::graph::{FlowGraph, NodeId, NodeKind};
use crate::program::ir::{Function, InstId, Op, Operand, SourceType, Type};
use crate::symbolic::{Expr, Facts, Section, SectionSet};
use crate::syntax::StmtId;

/// One access through a known base.
#[derive(Clone, Debug)]
pub struct Access {
    /// The access's number among those of the function.
    pub id: u32,
    /// The kernel that makes it; `None` for the host, which also reads what kernels get copies of (`super::launch_copies`).
    pub kernel: Option<usize>,
    /// The instruction.
    pub inst: InstId,
    /// The instruction's node in the fine graph.
    pub node: NodeId,
    /// What it accesses: base and byte offset; `None` for what is not a named object (through a loaded pointer).
    pub at: Option<PtrVal>,
    /// The address operand, for points-to queries.
    pub address: Operand,
    /// Number of bytes from there; `None` if unknown.
    pub bytes: Option<Expr>,
    /// The access reads.
    pub reads: bool,
    /// The access writes.
    pub writes: bool,
    /// The access may be skipped although its node runs (under `&&`, `?:`), or may stop early (library call).
    pub partial: bool,
    /// The access may be one to a kernel's copy of the array instead.
    pub perhaps_copy: bool,
    /// Nodes of the same iteration that write the very element as well ([`super::written_in_branches`]).
    pub also_written: Vec<NodeId>,
}

/// All direct accesses of a function: loads, stores, atomics, and the memory functions with a known extent; and what the host
/// reads because a kernel gets a copy of it. What kernels do with their copies is none.
pub fn accesses(model: &FunctionModel<'_>) -> Vec<Access> {
    let function = model.function();
    let copies = LaunchCopies::of(model);
    let mut list: Vec<Access> = Vec::new();
    for inst in function.inst_ids() {
        let Some(node) = model.attachment.node_of[inst.0 as usize] else {
            continue;
        };
        let blocks_differ = {
            let insts = &model.attachment.insts_of[node.0 as usize];
            let first = function.inst(insts[0]).block;
            // The first block of a node always runs when the node does; later ones may be conditional.
            function.inst(inst).block != first && !is_always_made(model, node, inst)
        };
        let launch = model.launch_of(node);
        let mut push = |touched: TouchedBytes<'_>| {
            let TouchedBytes {
                address,
                bytes,
                reads,
                writes,
                surely,
            } = touched;
            // A variable's own cell is a slot, not an object that is mapped, unless it is an array or struct.
            let at = model.values.ptr(address);
            let base = at.as_ref().map(|at| at.base);
            let reached = launch.map_or(ReachedStorage::Array, |l| copies.reached(l, address, base));
            if reached == ReachedStorage::Copy {
                return;
            }
            let perhaps_copy = reached == ReachedStorage::Either;
            list.push(Access {
                id: list.len() as u32,
                kernel: launch,
                inst,
                node,
                at,
                address: address.clone(),
                bytes,
                reads,
                writes,
                partial: blocks_differ || perhaps_copy || !surely,
                perhaps_copy,
                also_written: Vec::new(),
            });
        };
        let own = |address, ty: &Type| TouchedBytes {
            address,
            bytes: Some(Expr::constant(i128::from(model.module.size_of(ty)))),
            reads: true,
            writes: true,
            surely: true,
        };
        match &function.inst(inst).op {
            Op::Load { ptr, .. } => push(TouchedBytes {
                writes: false,
                ..own(ptr, &function.inst(inst).ty)
            }),
            Op::Store { ptr, ty, .. } => push(TouchedBytes {
                reads: false,
                ..own(ptr, ty)
            }),
            Op::Atomic { ptr, ty, .. } => push(own(ptr, ty)),
            Op::Call { .. } => model.copied_bytes(inst).into_iter().for_each(push),
            _ => {}
        }
    }
    for passed in copies.passed() {
        let (inst, node) = passed.at;
        list.push(Access {
            id: list.len() as u32,
            kernel: None,
            inst,
            node,
            at: Some(PtrVal {
                base: passed.base,
                offset: Expr::zero(),
            }),
            address: passed.address,
            bytes: passed.bytes.map(|b| Expr::constant(i128::from(b))),
            reads: true,
            writes: false,
            partial: true,
            perhaps_copy: false,
            also_written: Vec::new(),
        });
    }
    list
}

/// Whether an address is within a variable itself, and not in what a pointer leads to.
pub fn is_by_name(function: &Function, address: &Operand) -> bool {
    match address {
        Operand::Global(_) | Operand::ConstGep { .. } => true,
        Operand::Inst(id) => match &function.inst(*id).op {
            Op::Alloca { .. } => true,
            Op::Gep { base, .. } => is_by_name(function, base),
            _ => false,
        },
        _ => false,
    }
}

/// Size in bytes of the element at the bottom of a source type's arrays and outermost pointer.
pub fn element_bytes(ty: &SourceType) -> Option<u64> {
    match ty {
        SourceType::Pointer { to, .. } => bottom(to),
        SourceType::Array { .. } => bottom(ty),
        _ => None,
    }
}

fn bottom(ty: &SourceType) -> Option<u64> {
    match ty {
        SourceType::Int { bytes, .. } | SourceType::Float { bytes } | SourceType::Record { bytes, .. } => {
            (*bytes > 0).then_some(*bytes)
        }
        SourceType::Pointer { .. } => Some(8),
        SourceType::Array { elem, .. } => bottom(elem),
        SourceType::Function | SourceType::Unknown => None,
    }
}

/// `e = size * quotient + rest` with a constant `0 <= rest < size`.
pub fn split(e: &Expr, size: u64) -> Option<(Expr, u64)> {
    let size = i128::from(size);
    let rest = e.constant_term().rem_euclid(size);
    let multiple = e.sub(&Expr::constant(rest))?;
    let quotient = multiple.div(&Expr::constant(size))?;
    // The division must have been exact, term by term.
    (quotient.mul(&Expr::constant(size))? == multiple).then_some((quotient, rest as u64))
}

/// The elements that one execution of the access touches, and whether it covers them fully.
pub fn elements(access: &Access, size: u64) -> Option<(Section, bool)> {
    let at = access.at.as_ref()?;
    let (lo, rest) = split(&at.offset, size)?;
    match access.bytes.as_ref()?.as_constant() {
        Some(bytes) => {
            let bytes = u64::try_from(bytes).ok()?;
            let count = (rest + bytes).div_ceil(size);
            let hi = lo.add(&Expr::constant(i128::from(count)))?;
            Some((Section { lo, hi }, rest == 0 && bytes == count * size))
        }
        None => {
            let (count, tail) = split(access.bytes.as_ref()?, size)?;
            if rest != 0 || tail != 0 {
                return None;
            }
            let hi = lo.add(&count)?;
            Some((Section { lo, hi }, true))
        }
    }
}

/// A section that is touched where loops have something to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SectionInLoops {
    pub section: Section,
    /// What the loops count over, as far as these are the same numbers each time: where one of these ranges is empty nothing is touched.
    pub ranges: Vec<Section>,
}

impl SectionInLoops {
    /// A section that is touched whatever loops do.
    pub fn always(section: Section) -> SectionInLoops {
        let ranges = Vec::new();
        SectionInLoops { section, ranges }
    }

    /// Assumes that something is touched; `false`: nothing is.
    pub fn assume_touched(&self, facts: &mut Facts) -> bool {
        let each = || self.ranges.iter().chain([&self.section]);
        if each().any(|range| facts.prove_le(&range.hi, &range.lo)) {
            return false;
        }
        each().for_each(|range| facts.assume_lt(&range.lo, &range.hi));
        true
    }
}

/// An access seen from a coarse node: what it may touch there, and what it surely does.
#[derive(Clone, Debug)]
pub struct Footprint {
    /// At most this.
    pub may: SectionSet,
    /// At least this, if anything.
    pub must: Option<Section>,
    /// Each of these, if all loops around the access have something to do.
    pub each: Vec<SectionInLoops>,
}

/// The footprint of an access over all loops between it and `within` (a coarse node's statement; `None` for a simple
/// statement, which runs once).
pub fn footprint(model: &FunctionModel<'_>, access: &Access, size: u64, within: Option<StmtId>) -> Footprint {
    footprint_of(model, access, size, within, false)
}

/// The elements that an access to part of an element (a member of a struct) surely touches, with the bytes of the
/// element that it covers.
pub fn part(
    model: &FunctionModel<'_>,
    access: &Access,
    size: u64,
    within: Option<StmtId>,
) -> Option<(Section, std::ops::Range<u64>)> {
    let (_, rest) = split(&access.at.as_ref()?.offset, size)?;
    let bytes = u64::try_from(access.bytes.as_ref()?.as_constant()?).ok()?;
    let end = rest.checked_add(bytes).filter(|e| *e <= size)?;
    Some((footprint_of(model, access, size, within, true).must?, rest..end))
}

/// The ranges in which parts of a loop's condition keep variables where an access runs: not in the condition itself, of which
/// parts may run that others would forbid.
fn limits<'l>(model: &FunctionModel<'_>, access: &Access, l: &'l LoopInfo) -> &'l [Induction] {
    match model.fine.node(access.node).kind {
        NodeKind::Cond(stmt) if stmt == l.stmt => &[],
        _ => &l.limits,
    }
}

/// Whether an access stands in a loop's own condition, which is evaluated once more than the body.
fn is_tested(model: &FunctionModel<'_>, access: &Access, l: &LoopInfo) -> bool {
    matches!(model.fine.node(access.node).kind, NodeKind::Cond(stmt) if stmt == l.stmt)
}

/// The values of an index where an access runs, least and largest: in the loop's condition there is one more, with which the loop
/// is left. `None` where that may be less than the first.
///
/// ```c
/// for (t = 0; y[t] = 1, t < n; t++) …       /* writes y[0] to y[n]; y[0] alone where n is negative */
/// ```
fn index_range(model: &FunctionModel<'_>, access: &Access, l: &LoopInfo, index: &Induction) -> Option<(Expr, Expr)> {
    let (lo, hi) = (index.lo.clone(), index.hi.clone());
    if !is_tested(model, access, l) {
        return Some((lo, hi));
    }
    let step = Expr::constant(index.step);
    let (lo, hi) = match index.step > 0 {
        true => (lo, hi.add(&step)?),
        false => (lo.add(&step)?, hi),
    };
    // Other builds may have fewer iterations than none: a bound below the first value.
    (l.named.is_none() && Facts::new().prove_le(&lo, &hi)).then_some((lo, hi))
}

/// What a section is over all iterations of a loop, at most: by the limit that leaves it the least, as far as that is known.
fn within_limits(section: Section, limits: &[Induction], facts: &Facts) -> Section {
    let one = Expr::constant(1);
    let over = |ind: &Induction| match mentions(&section, ind.sym) {
        true => section.over_loop(ind.sym, &ind.lo, &ind.hi, &one, facts),
        false => None,
    };
    let mut found: Vec<Section> = limits.iter().filter_map(over).collect();
    found.sort_by_key(|s| s.len().and_then(|l| l.as_constant()).unwrap_or(i128::MAX));
    found.into_iter().next().unwrap_or(section)
}

fn footprint_of(
    model: &FunctionModel<'_>,
    access: &Access,
    size: u64,
    within: Option<StmtId>,
    as_full: bool,
) -> Footprint {
    let all = Footprint {
        may: SectionSet::All,
        must: None,
        each: Vec::new(),
    };
    let Some((section, full)) = elements(access, size) else {
        return all;
    };
    let loops: Vec<&LoopInfo> = within.map_or_else(Vec::new, |w| {
        model
            .loops
            .of_node(model.tree, model.values, access.node)
            .filter(|l| model.tree.encloses(w, l.stmt))
            .collect()
    });
    let mut facts = Facts::new();
    // Where the access runs, its loops do: their ranges are not empty.
    for l in loops.iter().filter(|l| !is_tested(model, access, l)) {
        for ind in l.induction.iter().chain(&l.limits) {
            facts.assume_le(&ind.lo, &ind.hi);
            facts.assume_le(&ind.lo, &Expr::sym(ind.sym));
            facts.assume_le(&Expr::sym(ind.sym), &ind.hi);
        }
    }
    let surely = SureAccess {
        model,
        access,
        loops: &loops,
        section: ((full || as_full) && !access.partial && happens_every_time(model, access, &loops, within))
            .then(|| section.clone()),
    };
    let mut may = Some(section);
    for l in &loops {
        may = may.and_then(|s| match &l.induction {
            Some(ind) if mentions(&s, ind.sym) => {
                let (lo, hi) = index_range(model, access, l, ind)?;
                s.over_loop(ind.sym, &lo, &hi, &Expr::constant(1), &facts)
            }
            Some(_) => Some(s),
            None => Some(within_limits(s, limits(model, access, l), &facts)),
        });
        may = may.filter(|s| is_fixed(model, s, l));
    }
    let invariant = |s: &Section| {
        !s.lo.has_opaque()
            && !s.hi.has_opaque()
            && within.is_none_or(|w| {
                let mut symbols = s.lo.symbols().into_iter().chain(s.hi.symbols());
                symbols.all(|x| !model.gets_value_in(x, w))
            })
    };
    let may = may.filter(invariant);
    let must = surely.touched(false).filter(invariant);
    let in_loops = || {
        let sections = match surely.touched(true) {
            Some(section) => vec![section],
            None => may.iter().flat_map(|may| surely.ends(may)).flatten().collect(),
        };
        let ranges: Vec<Section> = surely.ranges().filter(invariant).collect();
        let in_loops = |section| SectionInLoops {
            section,
            ranges: ranges.clone(),
        };
        sections.into_iter().filter(invariant).map(in_loops).collect()
    };
    Footprint {
        each: must
            .clone()
            .map_or_else(in_loops, |must| vec![SectionInLoops::always(must)]),
        may: may.map_or(SectionSet::All, |s| SectionSet::Union(vec![s])),
        must,
    }
}

/// An access in loops, the innermost first, and what each of their iterations surely touches.
struct SureAccess<'a> {
    model: &'a FunctionModel<'a>,
    access: &'a Access,
    loops: &'a [&'a LoopInfo],
    section: Option<Section>,
}

impl SureAccess<'_> {
    /// What all iterations touch; `runs`: all loops have something to do.
    fn touched(&self, runs: bool) -> Option<Section> {
        let one = Expr::constant(1);
        // A loop may also be empty, but sizes are taken not to be negative: with `n < 0` and `m < 0` the product `n * m` of an
        // empty nest would look like elements.
        let mut facts = Facts::new();
        for ind in self.loops.iter().filter_map(|l| l.induction.as_ref()) {
            if let Some(end) = ind.hi.add(&one) {
                facts.assume_le(&ind.lo, &end);
                facts.assume_le(&ind.lo, &Expr::sym(ind.sym));
                facts.assume_le(&Expr::sym(ind.sym), &ind.hi);
            }
        }
        let mut touched = self.section.clone()?;
        for l in self.loops {
            // What a loop asks, it asks at least once.
            let is_tested = is_tested(self.model, self.access, l);
            let depends = l.induction.as_ref().is_some_and(|ind| mentions(&touched, ind.sym));
            if !is_tested || depends {
                let ind = l.induction.as_ref().filter(|ind| l.exact && ind.step.abs() == 1)?;
                touched = match depends {
                    true => touched.over_loop_exact(ind.sym, &ind.lo, &ind.hi, &one, &facts)?,
                    // Every iteration accesses one set of elements, but only if the loop runs at all.
                    false => (runs || l.runs(&Facts::new())).then_some(touched)?,
                };
            }
            if !is_fixed(self.model, &touched, l) {
                return None;
            }
        }
        Some(touched)
    }

    /// What the loops count over that count over the same numbers whatever the loops around them do.
    fn ranges(&self) -> impl Iterator<Item = Section> {
        let range = |(at, l): (usize, &&LoopInfo)| {
            let ind = l.induction.as_ref()?;
            let range = Section::new(ind.lo.clone(), ind.hi.offset(1)?);
            let is_same = |outer: &&LoopInfo| is_fixed(self.model, &range, outer);
            self.loops[at + 1..].iter().all(is_same).then_some(range)
        };
        self.loops.iter().enumerate().filter_map(range)
    }

    /// The first and the last of the elements that are touched at most: where all loops run, and as often whatever is done in others, one iteration
    /// touches the one and one the other.
    fn ends(&self, may: &Section) -> Option<[Section; 2]> {
        self.section.as_ref()?;
        for (at, l) in self.loops.iter().enumerate() {
            let ind = l.induction.as_ref().filter(|ind| l.exact && ind.step.abs() == 1)?;
            let bounds = Section::new(ind.lo.clone(), ind.hi.clone());
            let is_same = |outer: &&LoopInfo| is_fixed(self.model, &bounds, outer);
            if is_tested(self.model, self.access, l) || !self.loops[at + 1..].iter().all(is_same) {
                return None;
            }
        }
        let first = Section::new(may.lo.clone(), may.lo.offset(1)?);
        let last = Section::new(may.hi.offset(-1)?, may.hi.clone());
        Some([first, last])
    }
}

/// Whether a section is one section in all iterations of a loop.
fn is_fixed(model: &FunctionModel<'_>, section: &Section, l: &LoopInfo) -> bool {
    let mut symbols = section.lo.symbols().into_iter().chain(section.hi.symbols());
    symbols.all(|x| !varies_in(model.tree, model.values, x, l.stmt))
}

fn mentions(s: &Section, sym: crate::symbolic::Sym) -> bool {
    s.lo.mentions(sym) || s.hi.mentions(sym)
}

/// Whether the access happens in every iteration of every loop from `within`, a loop, down to it: nothing between them is
/// conditional.
pub fn is_unconditional(model: &FunctionModel<'_>, access: &Access, within: StmtId) -> bool {
    let loops: Vec<&LoopInfo> = model
        .loops
        .of_node(model.tree, model.values, access.node)
        .filter(|l| model.tree.encloses(within, l.stmt))
        .collect();
    !access.partial && run_every_time(model, vec![access.node], &loops, Some(within))
}

/// Whether the access, or a write of another branch to the very element, happens in every iteration of the loops around it.
fn happens_every_time(model: &FunctionModel<'_>, access: &Access, loops: &[&LoopInfo], within: Option<StmtId>) -> bool {
    let mut nodes = vec![access.node];
    nodes.extend(&access.also_written);
    run_every_time(model, nodes, loops, within)
}

/// Whether one of some nodes runs in every iteration of the loops around them, once `within` runs.
fn run_every_time(model: &FunctionModel<'_>, nodes: Vec<NodeId>, loops: &[&LoopInfo], within: Option<StmtId>) -> bool {
    let Some(within) = within else { return true };
    // From each loop's header (or the start of `within`) no path may pass by the next inner header (or the nodes).
    let mut targets = nodes;
    for l in loops {
        if avoidable(model, l.header, &targets, l.header) {
            return false;
        }
        targets = vec![l.header];
    }
    match start_of(model, within) {
        Some(start) => targets.contains(&start) || !avoidable(model, start, &targets, start),
        None => false,
    }
}

/// First node of a statement.
fn start_of(model: &FunctionModel<'_>, stmt: StmtId) -> Option<NodeId> {
    let gap = model.fine.gap(crate::program::graph::Place::Before(stmt))?;
    model.fine.node(gap).succs.first().copied()
}

/// Whether control can get from `start` to the end of the iteration (back to `header`, or out) without one of the targets.
/// Leaving through the header's own exit is not a way round.
fn avoidable(model: &FunctionModel<'_>, start: NodeId, targets: &[NodeId], header: NodeId) -> bool {
    let graph: &FlowGraph = model.fine;
    let own: Option<StmtId> = graph.stmt_of(header);
    let is_loop = own.is_some_and(|s| model.tree.stmt(s).kind.is_loop())
        && model
            .loops
            .get(own.expect("checked"))
            .is_some_and(|l| l.header == header);
    let inside = |n: NodeId| own.is_some_and(|s| crate::program::in_loops::in_loop(model.tree, graph.node(n).kind, s));
    let mut seen = vec![false; graph.nodes.len()];
    let mut stack: Vec<NodeId> = if is_loop {
        graph.node(start).succs.iter().copied().filter(|s| inside(*s)).collect()
    } else {
        graph.node(start).succs.clone()
    };
    while let Some(n) = stack.pop() {
        if targets.contains(&n) {
            continue;
        }
        if is_loop && (n == header || !inside(n)) {
            return true;
        }
        if n == FlowGraph::EXIT {
            return true;
        }
        if std::mem::replace(&mut seen[n.0 as usize], true) {
            continue;
        }
        stack.extend(&graph.node(n).succs);
    }
    false
}

/// Whether every path to `b` passes `a` first, in the sense that the same iteration has run `a`.
pub fn comes_before(model: &FunctionModel<'_>, a: &Access, b: &Access) -> bool {
    if a.node == b.node {
        return a.inst < b.inst && !a.partial;
    }
    !a.partial && model.values.versions.leads_by(a.node, b.node)
}
