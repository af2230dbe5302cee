//! Makes the device summary of a function: what its callers need to know to keep arrays resident over a call of it.

use super::always_executed::{far_before, is_plain, is_straight, jumps_before};
use super::by_hand::beside;
use super::coherent::coherent;
use super::condition::When;
use super::cost::PLENTY;
use super::inputs::Inputs;
use super::mapped_as_written::launch_frequency;
use super::mapped_beside::mapped_beside;
use super::members::{names_member, touched_by_kernels};
use super::model::Candidate;
use super::on_host::on_host;
use super::spans::{Run, whole_body};
use super::terms::{TermList, root_of};
use super::{candidates, host};
use crate::analysis::arrays::object_extent;
use crate::analysis::callee_term::CalleeTerm;
use crate::analysis::conditions::read::Conjunct;
use crate::analysis::device_calls::CallUse;
use crate::analysis::device_summary::{DeviceSummary, DeviceUse, OpaqueArray, Updates, each_once};
use crate::analysis::host_calls::HostSummaries;
use crate::analysis::movement::family::{Family, naming};
use crate::analysis::movement::placement::ResidencySpan;
use crate::analysis::movement::problem::{Event, EventKind, NodeEvents};
use crate::analysis::movement::set_operations::{inexact, launch_needs, one};
use crate::analysis::movement::subject::Subject;
use crate::analysis::payment::{Payment, together};
use crate::analysis::values::table::Base;
use crate::openmp::MapType;
use crate::program::graph::{NodeId, NodeKind};
use crate::program::ir::{GlobalId, Op};
use crate::reasons::{Aliases, Builds, Calls, Clauses, Ends, HandWritten, Reason, Sizes};
use crate::symbolic::{Facts, Section, SectionSet};
use crate::syntax::StmtId;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Summarises the function; `None` where some access of its kernels is to no array that a name is known for.
pub fn summarise(inputs: &Inputs<'_>, callees: &HostSummaries) -> Option<DeviceSummary> {
    let model = inputs.model;
    let (run, span) = whole_body(inputs.model)?;
    let mut made = DeviceSummaryMaker {
        inputs,
        run,
        span,
        terms: TermList::default(),
        summary: DeviceSummary::default(),
        named: Vec::new(),
    };
    let candidates = candidates::find(inputs);
    let names = candidates.iter().filter_map(|c| match c.family {
        Family::Single(base) => Some(base),
        Family::PingPong(_) => None,
    });
    made.named = names.filter(|base| root_of(inputs, *base).is_some()).collect();
    if !made.are_all(&candidates) || !made.are_all_calls() {
        return None;
    }
    let mut maps = model.constructs.launches.iter().flat_map(|l| &l.maps);
    made.summary.maps_members = maps.any(|(_, item)| names_member(item)) || inputs.calls.iter().any(|c| c.maps_members);
    made.summary.members = inputs.mapped_members(&|stmt| made.is_reached(stmt));
    made.summary.touched = touched_by_kernels(inputs);
    for call in &inputs.calls {
        made.summary
            .opaque
            .extend(call.opaque.iter().map(|(opaque, base)| OpaqueArray {
                root: base.and_then(|b| root_of(inputs, b)),
                ..opaque.clone()
            }));
        let named = |u: &CallUse| u.base.is_some_and(|b| candidates.iter().any(|c| c.bases.contains(&b)));
        for used in &call.uses {
            let one_of_named = !used.perhaps.is_empty() && used.perhaps.iter().all(named);
            if !named(used) && !one_of_named {
                let callee = call.callee.clone();
                let reason = Calls::UnknownName { callee }.into();
                made.summary.opaque.push(OpaqueArray {
                    root: None,
                    locs: used.locs.clone(),
                    reason,
                    by_hand: false,
                });
            }
        }
    }
    made.summary.opaque.extend(mapped_beside(inputs, &candidates));
    // What is used on the host alone gets updates where these are better than copies around the call, which callers can place
    // by what is told of the host's part.
    let mut host = host::beside_kernels(inputs, callees);
    for candidate in &on_host(inputs, &candidates) {
        if !is_without_updates(inputs, candidate)
            && inputs.has_better_copies(candidate, &host)
            && let Ok(used) = made.coherent_use(candidate)
        {
            made.summary.uses.push(used);
        }
    }
    for candidate in &candidates {
        let without = is_without_updates(inputs, candidate);
        if without && candidate.launches.iter().all(|l| is_going(inputs, candidate, *l)) {
            continue;
        }
        let used = match without {
            true => Err(Calls::Grows.into()),
            false => made.device_use(candidate),
        };
        match used {
            Ok(used) => made.summary.uses.push(used),
            Err(reason) => made.summary.opaque.push(OpaqueArray {
                root: match candidate.family {
                    Family::Single(base) => root_of(inputs, base),
                    Family::PingPong(_) => None,
                },
                locs: candidate.locs.clone(),
                reason,
                by_hand: is_by_hand(inputs, candidate),
            }),
        }
    }
    made.summary.opaque = each_once(made.summary.opaque);
    made.summary.terms = made.terms.into_list();
    let brought = |root: &CalleeTerm| made.summary.uses.iter().any(|u| u.root == *root && u.updates.is_some());
    host.uses.retain(|u| !brought(&u.root));
    made.summary.host = Some(Arc::new(host));
    Some(made.summary)
}

/// Whether it is directives that keep an array from callers, so that without these it might be present: regions, or maps of
/// kernels without the copies that others would make, which a run before this one may have written.
fn is_by_hand(inputs: &Inputs<'_>, candidate: &Candidate) -> bool {
    let writes = |kernel: usize, mapped: Base| {
        let mut own = inputs.accesses.iter().filter(|a| a.kernel == Some(kernel) && a.writes);
        own.any(|a| a.at.as_ref().is_none_or(|at| at.base == mapped))
    };
    let loses = |kernel: &usize| {
        let mut items = inputs.items(candidate, *kernel).into_iter();
        items.any(|m| match m.map_type {
            MapType::From | MapType::Tofrom => false,
            MapType::To => writes(*kernel, m.base),
            _ => true,
        })
    };
    let mut own = candidate.launches.iter().filter(|l| inputs.call(**l).is_none());
    !candidate.regions.is_empty() || !beside(inputs, candidate).is_ok_and(|b| b.is_empty()) || own.any(loses)
}

/// Whether updates of an array would copy more with each call of a circle.
fn is_without_updates(inputs: &Inputs<'_>, candidate: &Candidate) -> bool {
    let mut roots = candidate.bases.iter().filter_map(|b| root_of(inputs, *b));
    let known = &inputs.program.without_updates;
    roots.any(|root| known.contains(&(inputs.model.func, root)))
}

/// Whether a start has an array in its summary only because that was made before updates of it were given up: the next one
/// tells it as what the host uses.
fn is_going(inputs: &Inputs<'_>, candidate: &Candidate, start: usize) -> bool {
    let uses = inputs.used_by_call(candidate, start);
    let known = &inputs.program.without_updates;
    !uses.is_empty() && uses.iter().all(|u| known.contains(&(u.by, u.root.clone())))
}

/// What a function does with an array.
#[derive(Default)]
struct ArrayNeeds {
    /// What must be current on the device when it is called.
    needs: SectionSet,
    /// What it may write.
    may: SectionSet,
    /// What it surely writes.
    must: Vec<Section>,
}

struct DeviceSummaryMaker<'a> {
    inputs: &'a Inputs<'a>,
    /// The whole body.
    run: Run,
    span: ResidencySpan,
    terms: TermList,
    summary: DeviceSummary,
    /// The names of arrays that callers are told of.
    named: Vec<Base>,
}

impl DeviceSummaryMaker<'_> {
    /// Whether the candidates are all that the function's kernels access, but for scalars and what lives in the function
    /// alone. Scalars come and go with each kernel.
    fn are_all(&self, candidates: &[Candidate]) -> bool {
        let model = self.inputs.model;
        let mut in_kernels = self.inputs.accesses.iter().filter(|a| a.kernel.is_some());
        in_kernels.all(|a| {
            let Some(at) = &a.at else { return false };
            matches!(at.base, Base::Local(_))
                || (matches!(at.base, Base::Global(_)) && !candidates::is_array(model, at.base))
                || candidates.iter().any(|c| c.bases.contains(&at.base))
                || self.inputs.reads_mapped_member(a)
        })
    }

    /// Whether all calls that start kernels have summaries themselves.
    fn are_all_calls(&self) -> bool {
        let model = self.inputs.model;
        let mut calls = model
            .function()
            .inst_ids()
            .filter(|i| match model.function().inst(*i).op {
                Op::Call { .. } => model.launching_target(*i).is_some(),
                _ => false,
            });
        calls.all(|i| self.inputs.calls.iter().any(|c| c.inst == i))
    }

    fn device_use(&mut self, candidate: &Candidate) -> Result<DeviceUse, Reason> {
        let inputs = self.inputs;
        let model = inputs.model;
        let base = match candidate.family {
            Family::Single(base) => base,
            Family::PingPong(_) => return Err(Ends::TradeThere.into()),
        };
        if inputs.is_not_kept(candidate) || inputs.is_unwanted_for_callers(candidate) {
            return Err(Builds::NotRight.into());
        }
        if !candidate.regions.is_empty() {
            // What this tool has written in one run would have callers find more in the next.
            return Err(HandWritten::ClosedThere.into());
        }
        if inputs.is_left_current(candidate) || !inputs.updates_at_calls(candidate, None).is_empty() {
            return self.coherent_use(candidate);
        }
        let root = root_of(inputs, base).ok_or(Calls::NoRoot)?;
        if !beside(inputs, candidate)?.is_empty() {
            return Err(HandWritten::MayOverlapThere.into());
        }
        let naming = naming(model, &candidate.family, &self.span)?;
        let extent = inputs
            .extent(candidate, self.run, &naming, &self.span, &When::default())
            .map_err(|r| r.reason)?
            .section;
        let subject = Subject {
            told: &self.named,
            ..inputs.subject(candidate, extent.clone())
        };
        let events = subject
            .events(&candidate.family, &naming, &self.span)
            .map_err(|r| r.reason)?;
        if let Some((_, reason)) = events.barrier_to_kernels(|_| true) {
            return Err(reason.clone());
        }
        let is_launch = |e: &Event| matches!(e.kind, EventKind::Launch { .. });
        if !inputs
            .model
            .coarse
            .ids()
            .flat_map(|n| events.events.at(n))
            .all(is_launch)
        {
            return self.coherent_use(candidate);
        }
        let done = self.followed(&events.events, &inputs.facts(&extent, None));
        self.told(candidate, root, base, done, &events.apart)
    }

    /// The use of an array that the function also uses on the host, or hands to functions that do.
    fn coherent_use(&mut self, candidate: &Candidate) -> Result<DeviceUse, Reason> {
        let inputs = self.inputs;
        let found = coherent(inputs, candidate).map_err(|why| Calls::HostThereWhy { why: Box::new(why) })?;
        let own = !found.copies.is_empty();
        if own && !inputs.may_be_given_updates(candidate) {
            return Err(Calls::HostThere.into());
        }
        let mut done = self.followed(&found.events, &found.facts);
        for section in &found.fetched {
            done.needs = done.needs.union(&one(section.clone()), &found.facts);
        }
        let mut in_terms = |sections: &[Section]| {
            let sections = sections.iter().map(|s| self.terms.section(inputs, s));
            let all = sections.collect::<Option<Vec<_>>>();
            all.map(distinct).ok_or(Sizes::CopiedNotInParameters)
        };
        let (sections, fetched) = (in_terms(&found.sections)?, in_terms(&found.fetched)?);
        let kernels = candidate.launches.iter().any(|l| !inputs.is_hosted(candidate, *l));
        let updates = Updates {
            sections,
            fetched,
            net: found.net.min(PLENTY),
            elements: found.elements,
            host_only: !kernels,
            own,
        };
        let told = self.told(candidate, found.root, found.base, done, &found.apart)?;
        Ok(DeviceUse {
            updates: Some(updates),
            ..told
        })
    }

    /// What is done with an array, as callers are told it.
    fn told(
        &mut self,
        candidate: &Candidate,
        root: CalleeTerm,
        base: Base,
        done: ArrayNeeds,
        apart: &[(Base, Base)],
    ) -> Result<DeviceUse, Reason> {
        let inputs = self.inputs;
        let others = apart.iter().map(|(_, other)| root_of(inputs, *other));
        let apart = others.collect::<Option<Vec<_>>>().ok_or(Aliases::OnlyMapsApart)?;
        let when = inputs.when(candidate, self.run).map_err(|r| r.reason)?;
        // Where a part is false that is no idle one, kernels run on the host. To callers all parts are one: only where they
        // hold do callers keep anything on the device.
        let steady = when.steady.iter().map(Conjunct::said).collect::<Option<Vec<_>>>();
        let steady = steady.ok_or(Clauses::ConditionThere)?;
        let parts = when.idle.iter().chain(steady);
        let when = parts.map(|e| self.terms.number(inputs, e)).collect::<Option<_>>();
        let when = when.ok_or(Clauses::IdleNotInParameters)?;
        let exists = inputs.surely_mapped_in_calls(candidate);
        let by_global = matches!(&root, CalleeTerm::Global(g) if self.copies_global(candidate, *g));
        Ok(DeviceUse {
            root,
            element: candidate.element,
            locs: candidate.locs.clone(),
            needs: self.terms.set(inputs, &done.needs),
            may: self.terms.set(inputs, &done.may),
            must: distinct(done.must.iter().filter_map(|s| self.terms.section(inputs, s))),
            exists: exists.iter().filter_map(|e| self.terms.existing(inputs, e)).collect(),
            mapped: self.mapped(candidate, base)?,
            when,
            copies: self.copies(candidate),
            expected_copies: self.expected_copies(candidate),
            copies_in: self.copies_in(candidate),
            by_global,
            apart,
            updates: None,
        })
    }

    /// What the events of the function come to, by node.
    fn followed(&self, events: &NodeEvents, facts: &Facts) -> ArrayNeeds {
        let mut done = ArrayNeeds::default();
        for node in self.inputs.model.coarse.ids() {
            for event in events.at(node) {
                self.follow(node, &event.kind, facts, &mut done);
            }
        }
        done
    }

    /// What an event adds.
    fn follow(&self, node: NodeId, event: &EventKind, facts: &Facts, done: &mut ArrayNeeds) {
        let none = (SectionSet::Empty, Vec::new());
        let (mut wanted, writes, surely) = match event {
            EventKind::Launch {
                reads,
                may: writes,
                must: surely,
            } => (launch_needs(reads, writes, surely, facts), writes, surely),
            EventKind::HostWrite {
                may: writes,
                must: surely,
            } => (inexact(writes, surely, facts), writes, surely),
            EventKind::HostRead { may: reads } => (reads.clone(), &none.0, &none.1),
            EventKind::Free => return,
        };
        for m in &done.must {
            wanted = wanted.subtract_must(m, facts);
        }
        done.needs = done.needs.union(&wanted, facts);
        done.may = done.may.union(writes, facts);
        if self.always_runs(node) {
            done.must.extend(surely.iter().cloned());
        }
    }

    /// What kernels map, in terms of what the function is called with.
    fn mapped(&mut self, candidate: &Candidate, base: Base) -> Result<Vec<Section>, Reason> {
        let inputs = self.inputs;
        let object = object_extent(inputs.model, base, candidate.element);
        let unnamed = Sizes::MappedNotInParameters;
        let mut mapped = inputs
            .sections(candidate, self.run, object.as_ref())
            .map_err(|_| unnamed.clone())?;
        let facts = Facts::new();
        for start in &candidate.launches {
            for section in inputs.perhaps_mapped(candidate, *start).map_err(|_| unnamed.clone())? {
                let mut known = mapped.iter().chain(&object);
                if !known.any(|k| k.provably_covers(&section, &facts)) {
                    return Err(Sizes::MoreElementsThere.into());
                }
                mapped.push(section);
            }
        }
        let mapped = mapped.iter().map(|s| self.terms.section(inputs, s));
        let mapped = mapped.collect::<Option<Vec<_>>>().ok_or(unnamed)?;
        Ok(distinct(mapped))
    }

    /// Copies that the kernels make where nothing is present.
    fn copies(&mut self, candidate: &Candidate) -> Vec<Payment> {
        let inputs = self.inputs;
        let launches = || candidate.launches.iter().copied();
        let straight = launches().filter(|l| self.is_straight(inputs.start(*l)));
        let own: Vec<Payment> = straight.flat_map(|l| inputs.payments_of(candidate, l)).collect();
        // What has no name there is not known to be as much as anything.
        let said = own
            .iter()
            .map(|paid| paid.translated(|s| self.terms.section(inputs, s)));
        let mut paid: Vec<Payment> = said.flatten().collect();
        if launches().any(|l| self.is_repeated(inputs.start(l))) {
            paid.push(Payment::whole(PLENTY));
        }
        together(paid, PLENTY)
    }

    /// How many copies they are expected to make.
    fn expected_copies(&self, candidate: &Candidate) -> f64 {
        let inputs = self.inputs;
        let expected = |l: &usize| inputs.expected_copies_of(candidate, *l) * launch_frequency(inputs, *l);
        candidate.launches.iter().map(expected).sum()
    }

    /// Whether they surely copy in.
    fn copies_in(&self, candidate: &Candidate) -> bool {
        self.surely_starts(candidate, &|n| self.inputs.copies_in(candidate, n))
    }

    /// Whether they surely copy the global pointer through which they map it.
    fn copies_global(&self, candidate: &Candidate, global: GlobalId) -> bool {
        self.surely_starts(candidate, &|n| self.inputs.copies_global(candidate, n, global))
    }

    /// Whether every call comes by a node with kernels of the family of which something holds.
    fn surely_starts(&self, candidate: &Candidate, holds: &dyn Fn(NodeId) -> bool) -> bool {
        let inputs = self.inputs;
        let mut reached = candidate.launches.iter().filter(|l| self.is_reached(inputs.start(**l)));
        reached.any(|l| inputs.start_node(*l).is_some_and(holds))
    }

    /// Whether a node runs in every call that returns.
    fn always_runs(&self, node: NodeId) -> bool {
        match self.inputs.model.coarse.node(node).kind {
            NodeKind::Whole(stmt) | NodeKind::Leaf(stmt) => self.is_straight(stmt),
            _ => false,
        }
    }

    fn is_straight(&self, stmt: StmtId) -> bool {
        is_straight(self.inputs, stmt)
    }

    /// Whether a statement runs in every call that returns, where loops with kernels are taken to run.
    fn is_reached(&self, stmt: StmtId) -> bool {
        let inputs = self.inputs;
        is_plain(inputs, stmt, inputs.file.options.speculate, None) && !jumps_before(inputs, stmt)
    }

    /// Whether a statement is in a loop that is reached: it is then taken to run often enough to pay for any copy outside.
    fn is_repeated(&self, stmt: StmtId) -> bool {
        let tree = self.inputs.model.tree;
        let around = |s: StmtId| s != stmt && tree.stmt(s).kind.is_loop() && self.is_straight(s);
        self.inputs.file.options.speculate && tree.ancestors(stmt).any(around) && !far_before(self.inputs, stmt)
    }
}

/// Each section once, where it is met first: a function that is called on many ways does the same on each.
fn distinct(sections: impl IntoIterator<Item = Section>) -> Vec<Section> {
    let mut known = FxHashSet::default();
    let sections = sections.into_iter();
    sections.filter(|s| known.insert(s.clone())).collect()
}
