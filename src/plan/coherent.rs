//! Functions that use an array in kernels and on the host, and whose callers keep it on the device.
//!
//! ```c
//! void step(double *v, int n)
//! {
//!     #pragma omp target teams distribute parallel for map(tofrom: v[0:n])
//!     for (int i = 1; i < n; i++) v[i] *= 0.5;
//!     v[0] = 1.0;                             /* on the host */
//! }
//! … for (int t = 0; t < steps; t++) step(v, n);
//! ```
//!
//! No caller can put a copy where `step` needs one. So the copies go into `step`: an `update to(v[0:1])` after the
//! assignment. An update of what is not on the device does nothing, so that `step` is right wherever it is called from. The
//! placement is that of a residency ([`crate::analysis::movement::place`]) over the whole body, which begins with the array
//! current on the device and perhaps nowhere else, and has to end like that. To its callers the call is then what a kernel
//! is.
//!
//! Three things are asked beyond a residency:
//!
//! * Nobody but residencies of this tool may have the array on the device when the function is called: these keep to the
//!   rule that the device is current at the call, the user's own directives need not.
//! * What an update copies exists in every call, not only in those with a residency ([`SurelyThere`]): elements beyond the end
//!   of the array may belong to another one, which is on the device and newer there.
//! * What the updates cost is part of the summary, for the callers' balance of copies ([`crate::analysis::movement::budget`]).

use super::by_hand::beside;
use super::cost::PLENTY;
use super::inputs::Inputs;
use super::model::Candidate;
use super::names::NamingPoint;
use super::spans::before_kernels;
use super::spans::whole_body;
use super::struct_members::as_member;
use super::terms::{TermList, root_of};
use super::update_existence::SurelyThere;
use super::{condition_frequency, cost};
use crate::analysis::arrays::object_extent;
use crate::analysis::callee_term::CalleeTerm;
use crate::analysis::device_summary::DeviceUse;
use crate::analysis::function::FunctionModel;
use crate::analysis::movement::budget::least_balance;
use crate::analysis::movement::demand::Demand;
use crate::analysis::movement::family::{Family, header_edges, naming};
use crate::analysis::movement::flow::Flow;
use crate::analysis::movement::loop_symbols::FunctionTerms;
use crate::analysis::movement::place::place;
use crate::analysis::movement::placement::{Copy, Placement, PlacementMode, ResidencySpan, Return, Upload};
use crate::analysis::movement::problem::{Event, EventKind, LoopFacts, NodeEvents, Problem, Renamed, Terms};
use crate::analysis::movement::set_operations::{SetViews, one};
use crate::analysis::values::table::Base;
use crate::program::graph::{FlowGraph, NodeId};
use crate::reasons::{Aliases, Calls, Clauses, Copying, Ends, HandWritten, Reason, Sizes};
use crate::symbolic::{Expr, Facts, Section, SectionSet};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Balances below this are never made up for.
const HOPELESS: i64 = -64;

/// The updates of a function for one array.
pub(super) struct Coherent {
    /// How callers name the array.
    pub root: CalleeTerm,
    /// The array.
    pub base: Base,
    /// All of it, where that is known.
    pub object: Option<Section>,
    /// What is known of the sections.
    pub facts: Facts,
    /// The updates.
    pub copies: Vec<Copy>,
    /// All that they copy, and what updates in called functions do, over all iterations.
    pub sections: Vec<Section>,
    /// The part of that which the device must have current.
    pub fetched: Vec<Section>,
    /// Least balance of copies over all ways through the function.
    pub net: i64,
    /// Elements that are expected to be copied in a call, called functions included.
    pub elements: f64,
    /// What happens, by node.
    pub events: NodeEvents,
    /// Pairs of names that only kernels' maps keep apart.
    pub apart: Vec<(Base, Base)>,
    /// What kernels map.
    pub mapped: Vec<Section>,
}

impl Coherent {
    /// Whether callers were told of all that the updates copy: they were found again, from summaries that may say more by
    /// now than when this function's own was made.
    pub fn is_as_told(&self, inputs: &Inputs<'_>, told: &DeviceUse, terms: &[CalleeTerm]) -> bool {
        let facts = Facts::new();
        let mut list = TermList::from(terms.to_vec());
        let mut in_terms = |sections: &[Section]| -> Option<Vec<Section>> {
            sections.iter().map(|s| list.section(inputs, s)).collect()
        };
        let (Some(copied), Some(fetched), Some(updates)) =
            (in_terms(&self.sections), in_terms(&self.fetched), &told.updates)
        else {
            return false;
        };
        let among = |s: &Section, told: &[Section]| told.iter().any(|t| t.provably_covers(s, &facts));
        self.net.min(PLENTY) >= updates.net
            && copied.iter().all(|s| among(s, &updates.sections))
            && fetched.iter().all(|s| among(s, &updates.fetched))
    }
}

/// The updates that keep a candidate current in the function; why there are none.
pub(super) fn coherent(inputs: &Inputs<'_>, candidate: &Candidate) -> Result<Coherent, Reason> {
    let model = inputs.model;
    let candidate = &as_member(inputs, candidate);
    let (base, root) = named(inputs, candidate)?;
    let (run, span) = whole_body(inputs.model).ok_or(Ends::NoStatements)?;
    // What kernels that do nothing would have mapped may not exist, and updates have no part of their own in that.
    if !inputs.when(candidate, run).map_err(|r| r.reason)?.is_empty() {
        return Err(Clauses::ConditionNotOnDevice.into());
    }
    let naming = naming(model, &candidate.family, &span)?;
    let sized = inputs.sized(candidate, base);
    let object = object_extent(model, base, candidate.element).or_else(|| sized.clone());
    // What is known only as "all of it" is all of the object, or gets a section that nothing else has, to be recognised.
    let unknown = unknown_section();
    let all = object.clone().unwrap_or_else(|| unknown.clone());
    let subject = inputs.subject(candidate, all);
    let events = subject
        .events(&candidate.family, &naming, &span)
        .map_err(|r| r.reason)?;
    if let Some((_, reason)) = events.barrier(|_| true) {
        return Err(reason.clone());
    }
    let apart = events.apart;
    let mut events = events.events;
    let (loops, headers) = inputs.loops();
    let mapped = inputs.sections(candidate, run, object.as_ref()).map_err(|r| r.reason)?;
    let surely_mapped = inputs.always_mapped_in_calls(candidate);
    let (facts, certain) = known_sizes(inputs, &mapped, sized.as_ref(), &surely_mapped)?;
    let nothing = |_: &Section, _: NodeId| false;
    let plain = FunctionTerms {
        model,
        loops: headers.iter().map(|h| h.1).collect(),
        facts: facts.clone(),
        certain: certain.clone(),
        extent: unknown.clone(),
        nameable: &nothing,
        in_object: &nothing,
    };
    let over_loops = |section: &Section, node: NodeId| widened(&plain, &loops, section, node);
    let used = |node| used_at(events.at(node), &unknown, &|section| over_loops(section, node));
    let used: Option<Vec<Vec<Section>>> = model.coarse.ids().map(used).collect();
    let touched = [mapped.clone(), used.ok_or(Copying::NotTold)?.concat()].concat();
    let extent = hull(&touched, &plain.facts)?;
    // What only the host touches, in loops that may not run, nobody vouches for.
    let vouched = object.as_ref() == Some(&extent) || certain.prove_le(&extent.lo, &extent.hi);
    let nameable = |section: &Section, gap: NodeId| {
        NamingPoint::coarse(model, gap).is_some_and(|at| {
            (vouched && *section == extent || at.can_ask(section, &certain))
                && inputs.item(candidate, &at, base, section, false).is_some()
        })
    };
    let terms = FunctionTerms {
        extent: extent.clone(),
        facts: facts.clone(),
        certain: certain.clone(),
        loops: plain.loops.clone(),
        nameable: &nameable,
        in_object: &nothing,
        ..plain
    };
    let own = events.clone();
    let left_current = inputs.is_left_current(candidate);
    let returns = left_current && candidate.launches.iter().any(|l| inputs.call(*l).is_none());
    events.at_mut(FlowGraph::EXIT).extend(expected_at_end(&extent, returns));
    let problem = Problem {
        flow: Flow::of(model.coarse),
        cells: 1,
        events,
        header_edges: header_edges(model, &naming, &headers, 1),
        loops: loops.clone(),
        extent: extent.clone(),
        vouched,
        uniform: false,
        facts: facts.clone(),
        live_out: SectionSet::Empty,
        speculate: inputs.file.options.speculate,
        kept_by_callers: true,
        current_on_host: (left_current && model.function().name == "main") || inputs.is_current_on_host(candidate),
        hosted: inputs.hosted(candidate),
        renamed: Renamed::default(),
        terms: &terms,
    };
    let founded = SurelyThere::new(inputs, candidate, &certain, &surely_mapped, object.as_ref());
    let kept = keep(inputs, candidate, &problem, span, &founded, &over_loops)?;
    Ok(Coherent {
        root,
        base,
        object,
        facts,
        copies: kept.copies,
        sections: distinct(kept.told.sections),
        fetched: distinct(kept.told.fetched),
        net: kept.net,
        elements: kept.told.elements,
        events: own,
        apart,
        mapped,
    })
}

/// The copies that keep an array current.
struct Kept {
    copies: Vec<Copy>,
    /// Copies that the kernels would make themselves less these, at least.
    net: i64,
    told: ToldToCallers,
}

/// Finds the copies, and what they cost.
fn keep(
    inputs: &Inputs<'_>,
    candidate: &Candidate,
    problem: &Problem<'_>,
    span: ResidencySpan,
    founded: &SurelyThere<'_>,
    over_loops: &dyn Fn(&Section, NodeId) -> Option<Vec<Section>>,
) -> Result<Kept, Reason> {
    let outermost = inputs.model.function().name == "main";
    let copies = best(inputs, problem, &span, founded)?;
    let freed = inputs.after_frees(candidate);
    if copies.iter().any(|c| freed.contains(&c.gap)) {
        return Err(Ends::FreedThere.into());
    }
    // In `main` the first kernels find nothing there: it is entered with them, for good (`resident`).
    let absent = match outermost {
        true => before_kernels(problem),
        false => FxHashSet::default(),
    };
    let pays = |n| match inputs.pays(candidate, n) {
        _ if absent.contains(&n) => 0,
        copies if outermost && n != FlowGraph::EXIT && problem.launches(n) => copies - 1,
        copies => copies,
    };
    let present = copies.iter().filter(|c| !absent.contains(&c.gap));
    let paid = Placement {
        copies: present.cloned().collect(),
        ..Placement::default()
    };
    let through = ResidencySpan {
        exits: vec![FlowGraph::EXIT],
        ..span
    };
    let net = least_balance(problem, &through, &paid, 0, &pays)
        .filter(|net| *net > HOPELESS)
        .ok_or(Copying::TooOften)?;
    let told = told(inputs, candidate, &copies, &absent, over_loops)?;
    Ok(Kept { copies, net, told })
}

/// What is known of sizes where kernels of the function map an array, and what is known of them for certain.
fn known_sizes(
    inputs: &Inputs<'_>,
    mapped: &[Section],
    sized: Option<&Section>,
    surely_mapped: &[Section],
) -> Result<(Facts, Facts), Sizes> {
    // Of what kernels map alone it is known that it is not empty in the wrong way.
    let none = Section::whole(Expr::zero());
    let mut all = mapped.iter().chain(sized);
    let sizes = all.try_fold(none.clone(), |all, s| all.hull(s, &Facts::new()));
    let sizes = sizes.ok_or(Sizes::NotComparableThere)?;
    // Nor is it known where the kernels do not run whenever the function does.
    let certain = match mapped.iter().all(|s| surely_mapped.contains(s)) {
        true => inputs.facts(&sizes, None),
        false => inputs.facts(&none, None),
    };
    Ok((inputs.facts(&sizes, None), certain))
}

/// The name of a candidate in the function and how its callers reach it, where nothing but kernels' own maps manages it.
fn named(inputs: &Inputs<'_>, candidate: &Candidate) -> Result<(Base, CalleeTerm), Reason> {
    let Family::Single(base) = candidate.family else {
        return Err(Ends::TradeThere.into());
    };
    let root = root_of(inputs, base).ok_or(Calls::NoRoot)?;
    if !beside(inputs, candidate)?.is_empty() {
        return Err(HandWritten::MayOverlapThere.into());
    }
    if !candidate.regions.is_empty() {
        return Err(HandWritten::ClosedThere.into());
    }
    if candidate.launches.iter().any(|l| inputs.is_perhaps(candidate, *l)) {
        return Err(Aliases::OtherArrayThere.into());
    }
    Ok((base, root))
}

/// What is used at a node, in all iterations of the loops around it; `None` where that is not known.
fn used_at(
    events: &[Event],
    unknown: &Section,
    over_loops: &dyn Fn(&Section) -> Option<Vec<Section>>,
) -> Option<Vec<Section>> {
    let mut all = Vec::new();
    for set in events.iter().flat_map(|e| sets(&e.kind)) {
        for section in set.list().filter(|list| !list.contains(unknown))? {
            all.extend(over_loops(section)?);
        }
    }
    Some(all)
}

/// The least section that has all of these in it.
fn hull(sections: &[Section], facts: &Facts) -> Result<Section, Reason> {
    let (first, others) = sections.split_first().ok_or(Copying::NotUsed)?;
    let all = others.iter().try_fold(first.clone(), |all, s| all.hull(s, facts));
    all.ok_or_else(|| Sizes::NotComparableThere.into())
}

/// What callers do with an array when the function is left. They expect of it what a kernel would; where the function's kernels
/// left something newer on the device that callers bring back, the host reads it as well.
fn expected_at_end(extent: &Section, returns: bool) -> Vec<Event> {
    let read = EventKind::HostRead {
        may: one(extent.clone()),
    };
    let kernel = EventKind::Launch {
        reads: one(extent.clone()),
        may: SectionSet::Empty,
        must: Vec::new(),
    };
    let kinds = returns.then_some(read).into_iter().chain([kernel]);
    kinds.map(|kind| Event { cell: 0, kind }).collect()
}

/// What callers are told of the copies that the function makes.
#[derive(Default)]
struct ToldToCallers {
    /// All that is copied.
    sections: Vec<Section>,
    /// What is copied to the host.
    fetched: Vec<Section>,
    /// Elements that are expected to be copied.
    elements: f64,
}

/// The copies that the function and those that it calls make, over all iterations of its loops; none where the array is `absent`.
fn told(
    inputs: &Inputs<'_>,
    candidate: &Candidate,
    copies: &[Copy],
    absent: &FxHashSet<NodeId>,
    over_loops: &dyn Fn(&Section, NodeId) -> Option<Vec<Section>>,
) -> Result<ToldToCallers, Copying> {
    let model = inputs.model;
    let at = |n: NodeId| match absent.contains(&n) {
        true => 0.0,
        false => often(model, n),
    };
    let all = |section: &Section, node| over_loops(section, node).ok_or(Copying::NoMeaningForCallers);
    let mut told = ToldToCallers::default();
    for copy in copies {
        told.elements += cost::elements(model, &copy.section) * at(copy.gap);
        let all = all(&copy.section, copy.gap)?;
        if !copy.up {
            told.fetched.extend(all.iter().cloned());
        }
        told.sections.extend(all);
    }
    for (node, updates) in inputs.updates_at_calls(candidate, None) {
        told.elements += updates.elements * at(node);
        for section in updates.sections.iter().flatten() {
            told.sections.extend(all(section, node)?);
        }
        if updates.sections.is_none() {
            return Err(Copying::UpdatesUnknown);
        }
    }
    Ok(told)
}

/// How often a call is expected to come by a node.
fn often(model: &FunctionModel<'_>, node: NodeId) -> f64 {
    let not_returned = |stmt| condition_frequency::not_returned(model, stmt);
    cost::frequency(model, model.coarse, node) * model.coarse.stmt_of(node).map_or(1.0, not_returned)
}

/// The cheapest copies of all ways to place them.
fn best(
    inputs: &Inputs<'_>,
    problem: &Problem<'_>,
    span: &ResidencySpan,
    founded: &SurelyThere<'_>,
) -> Result<Vec<Copy>, Reason> {
    let model = inputs.model;
    let demand = Demand::solve(problem, span);
    let cost = |copies: &[Copy]| -> f64 {
        let one = |c: &Copy| (cost::elements(model, &c.section) + cost::PER_SITE) * often(model, c.gap);
        copies.iter().map(one).sum()
    };
    let mut best: Option<(f64, Vec<Copy>)> = None;
    let mut why = None;
    for (results, uploads) in [
        (Return::Late, Upload::Late),
        (Return::Late, Upload::Early),
        (Return::AfterEachKernel, Upload::Late),
        (Return::AfterEachKernel, Upload::Early),
    ] {
        match place(problem, &demand, span, PlacementMode::new(results, uploads)) {
            Ok(placement) if placement.copies.iter().all(|c| founded.holds(c)) => {
                let cost = cost(&placement.copies);
                if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                    best = Some((cost, placement.copies));
                }
            }
            Ok(_) => {
                why.get_or_insert_with(|| Copying::MayNotExistInCalls.into());
            }
            Err(conflict) => {
                why.get_or_insert(conflict.reason);
            }
        }
    }
    best.map(|(_, copies)| copies)
        .ok_or_else(|| why.unwrap_or_else(|| Copying::MovesNoLess.into()))
}

/// Each section once.
fn distinct(sections: Vec<Section>) -> Vec<Section> {
    let mut found: Vec<Section> = Vec::new();
    for section in sections {
        if !found.contains(&section) {
            found.push(section);
        }
    }
    found
}

/// A section that no program has. It has an element: sets drop what is empty.
fn unknown_section() -> Section {
    let far = -(1 << 100);
    Section::new(Expr::constant(far), Expr::constant(far + 1))
}

fn sets(event: &EventKind) -> Vec<&SectionSet> {
    match event {
        EventKind::HostRead { may } | EventKind::HostWrite { may, .. } => vec![may],
        EventKind::Launch { reads, may, .. } => vec![reads, may],
        EventKind::Free => Vec::new(),
    }
}

/// A section over all iterations of the loops around a node; `None` where that is not known.
fn widened(terms: &FunctionTerms<'_>, loops: &[LoopFacts], section: &Section, node: NodeId) -> Option<Vec<Section>> {
    // Inner loops first: there are fewer nodes in them.
    let mut around: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (index, l) in loops.iter().enumerate() {
        if l.nodes.binary_search(&node).is_ok() {
            around.insert((l.nodes.len(), index), index);
        }
    }
    let mut set = one(section.clone());
    for index in around.into_values() {
        let varies = set.list()?.iter().any(|s| terms.varies(s, index));
        if varies {
            set = terms.widen(&set, index);
        }
    }
    set.list().map(<[Section]>::to_vec)
}
