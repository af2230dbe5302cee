//! What calls do to a family: by the effects of what they may call, and what keeps a residency from enclosing them (R9).

use super::host_part::HostPart;
use super::host_part::OnHost;
use super::placement::ResidencySpan;
use super::problem::{Event, EventKind};
use super::subject::Subject;
use crate::analysis::arrays::locs_of;
use crate::analysis::culprit;
use crate::analysis::device_calls::{CallUse, DeviceCall};
use crate::analysis::device_summary::OpaqueArray;
use crate::analysis::effects::{CallEffects, LocSet};
use crate::analysis::function::DeviceCode;
use crate::analysis::movement::events::{Events, FamilyRefusal};
use crate::analysis::values::table::Base;
use crate::program::graph::NodeId;
use crate::program::ir::{FuncId, InstId, Op};
use crate::program::objects::MemLoc;
use crate::reasons::{Aliases, Calls, Ends, HandWritten, Reason};
use crate::symbolic::{Facts, Section, SectionSet};

impl Subject<'_> {
    pub(super) fn call_events(
        &self,
        node: NodeId,
        launch: Option<usize>,
        names: &[Base],
        cells: usize,
        span: &ResidencySpan,
        out: &mut Events,
    ) -> Result<(), FamilyRefusal> {
        let model = self.model;
        let calls = self.accesses.calls(node).iter();
        for &inst in calls.filter(|inst| !self.apart.calls.contains(inst)) {
            let asm = matches!(model.function().inst(inst).op, Op::Other { .. });
            if let Some(reason) = self.managed(inst) {
                out.barriers.insert(node, reason);
            }
            if model.may_be_left(inst) {
                out.left.insert(node);
            }
            if self.device_call(inst, node, names, cells, span, out)? {
                continue;
            }
            let effects = model.effects.of_call(model.func, inst);
            let escaping = self.locs.iter().any(|l| model.points_to.escapes(l.object));
            let unknown = asm || effects.unknown;
            // Exit handlers see what is still reachable when the program ends here.
            let ends = effects.may_not_return && self.seen_at_exit();
            let meets = |locs: &LocSet| self.locs.iter().any(|l| locs.meets(model.points_to, *l));
            let reads = ends || (unknown && escaping) || meets(&effects.reads);
            let writes = (unknown && escaping) || meets(&effects.writes);
            let may_free = |l: &MemLoc| match unknown {
                true => effects.frees.contains(l.object),
                false => effects.may_free(model.points_to, l.object),
            };
            let frees = self.locs.iter().any(may_free);
            let launching = model.launching_target(inst);
            let uses = launching.is_some() && (reads || writes || self.is_mapped_at(inst)) || unknown && escaping;
            if uses || self.is_used_by_unknown(&effects, unknown) {
                // A reason that is known already says more.
                out.barriers
                    .entry(node)
                    .or_insert_with(|| self.started_by(launching, inst));
            }
            if frees {
                out.freed.insert(node);
                if !self.given_up {
                    out.barriers.insert(node, Ends::FreedHere.into());
                }
                if let Some(cell) = self.freed_cell(inst, names) {
                    out.events.at_mut(node).push(Event {
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
                out.others.insert(node);
                if span.nodes.contains(&node) && names.len() != 1 {
                    return Err(FamilyRefusal {
                        node: Some(node),
                        reason: Calls::TouchedInKernel.into(),
                    });
                }
                let all = self.clip(SectionSet::All);
                // Of what is written in parts the rest is needed as well: where what maps copy is told apart, it is no event of the code.
                let needs = reads || !self.apart.maps;
                out.events.at_mut(node).push(Event {
                    cell: 0,
                    kind: EventKind::Launch {
                        reads: if needs { all.clone() } else { SectionSet::Empty },
                        may: if writes { all } else { SectionSet::Empty },
                        must: Vec::new(),
                    },
                });
                continue;
            }
            let parts = if ends || unknown {
                None
            } else {
                self.host_call(node, inst, names)
            };
            if parts.is_none() && reads {
                out.others.insert(node);
            }
            for cell in 0..cells {
                let part = parts
                    .as_ref()
                    .map_or_else(|| HostPart::whole(reads, writes), |p| p[cell].clone());
                self.push_part(node, cell, part, out);
            }
        }
        Ok(())
    }

    fn push_part(&self, node: NodeId, cell: usize, mut part: HostPart, out: &mut Events) {
        if self.model.coarse.jumps_far(node) {
            part.must.clear();
        }
        if part.reads.is_all() {
            out.others.insert(node);
        }
        if part.reads != SectionSet::Empty {
            let may = self.clip(part.reads);
            out.events.at_mut(node).push(Event {
                cell,
                kind: EventKind::HostRead { may },
            });
        }
        if part.writes != SectionSet::Empty {
            let (may, must) = (self.clip(part.writes), part.must);
            out.events.at_mut(node).push(Event {
                cell,
                kind: EventKind::HostWrite { may, must },
            });
        }
    }

    /// Whether kernels and regions of a call may map the family, touched or not.
    fn is_mapped_at(&self, inst: InstId) -> bool {
        let mut maps = self.model.maps_at(inst).into_iter();
        maps.any(|places| self.may_lie_at(places))
    }

    /// That a call may come to a directive that stands alone and names the family (R10).
    fn managed(&self, inst: InstId) -> Option<Reason> {
        let (targets, _) = self.model.targets(inst);
        let mut by_hand = targets.iter().filter_map(|t| Some((*t, self.model.by_hand.get(t)?)));
        by_hand.find_map(|(target, locs)| {
            let function = self.model.module.function(target);
            let callee = || function.name.clone();
            match (locs, &function.unseen) {
                (None, Some(unseen)) => {
                    let why = unseen.why.clone();
                    Some(Calls::Hidden { callee: callee(), why }.into())
                }
                (None, None) => Some(Calls::HiddenDirectives { callee: callee() }.into()),
                (Some(locs), _) => (self.locs.is_empty() || self.touches_any(locs.iter().copied()))
                    .then(|| HandWritten::InCallee { callee: callee() }.into()),
            }
        })
    }

    /// What a call of a function with a host summary does to each cell; `None` where its effects must say it.
    fn host_call(&self, node: NodeId, inst: InstId, names: &[Base]) -> Option<Vec<HostPart>> {
        let call = self.host_calls.iter().find(|c| c.inst == inst)?;
        if names.is_empty() || self.touches_any(call.others.iter().copied()) {
            return None;
        }
        let facts = Facts::new();
        let mut parts = vec![HostPart::default(); names.len()];
        for used in &call.uses {
            let cell = used.base.and_then(|b| names.iter().position(|n| *n == b));
            match cell.filter(|_| used.element == self.element) {
                Some(cell) => {
                    let part = &mut parts[cell];
                    let is_fed = used
                        .base
                        .is_some_and(|base| self.is_call_fed(node, inst, base, &used.reads));
                    if !is_fed {
                        part.reads = part.reads.union(&used.reads, &facts);
                    }
                    part.writes = part.writes.union(&used.writes, &facts);
                    part.must.extend(used.must.iter().cloned());
                }
                None => {
                    let locs = match used.base {
                        Some(base) => locs_of(self.model, base),
                        None => used.locs.clone(),
                    };
                    if locs.is_empty() || self.touches_any(locs.into_iter()) {
                        return None;
                    }
                }
            }
        }
        Some(parts)
    }

    /// A call whose kernels use the family and that leaves it alone on the host: it counts as a kernel. `false` where the
    /// call's effects must say what it does.
    fn device_call(
        &self,
        inst: InstId,
        node: NodeId,
        names: &[Base],
        cells: usize,
        span: &ResidencySpan,
        out: &mut Events,
    ) -> Result<bool, FamilyRefusal> {
        let Some(call) = self.calls.iter().find(|c| c.inst == inst) else {
            return Ok(false);
        };
        // Of what nobody calls it is not known where its parameters point: it may be anywhere.
        let touches =
            |locs: &[MemLoc]| self.locs.is_empty() || locs.is_empty() || self.touches_any(locs.iter().copied());
        let opaque = |(o, base): &&(OpaqueArray, Option<Base>)| {
            let here = base.map(|b| locs_of(self.model, b)).filter(|locs| !locs.is_empty());
            touches(&o.locs) && here.is_none_or(|locs| touches(&locs))
        };
        if let Some((opaque, _)) = call.opaque.iter().find(opaque) {
            let reason = Calls::StartsKernelsWhy {
                callee: call.callee.clone(),
                why: Box::new(opaque.reason.clone()),
            };
            out.barriers.insert(node, reason.into());
            return Ok(false);
        }
        let ours = |u: &&CallUse| touches(&u.locs) && !self.is_elsewhere(u);
        let named = call.uses.iter().flat_map(|u| u.as_known(|b| names.contains(&b)));
        let uses: Vec<&CallUse> = named.filter(ours).collect();
        // A family without locations may be anywhere.
        let is_told = !self.locs.is_empty() && !names.is_empty() && !self.may_do_more(inst);
        if uses.is_empty() {
            return Ok(match self.on_host(call, names, true) {
                OnHost::Parts(parts) if is_told => {
                    let parts = parts.into_iter().enumerate();
                    parts.for_each(|(cell, part)| self.push_part(node, cell, part, out));
                    true
                }
                // Neither its kernels nor its host code: it leaves the family alone.
                OnHost::Nothing if is_told && call.host.is_some() => true,
                _ => call.guess,
            });
        }
        if let Some(reason) = self.is_more_than_kernels(call, node, &uses, names) {
            out.barriers.insert(node, reason.into());
            return Ok(false);
        }
        let cell_of = |u: &CallUse| {
            let cell = u.base.and_then(|b| names.iter().position(|n| *n == b));
            cell.filter(|_| u.element == self.element)
        };
        // One event for each cell: what is reached by two parameters may be in any order.
        let mut launched: Vec<Option<(SectionSet, SectionSet, Vec<Section>)>> = vec![None; cells];
        let facts = Facts::new();
        for used in &uses {
            let Some(cell) = cell_of(used) else {
                if !span.nodes.contains(&node) && !self.is_elsewhere(used) {
                    // Outside the residency nobody follows by which name the array goes.
                    out.others.insert(node);
                    for cell in &mut launched {
                        let (reads, may, _) = cell.get_or_insert_default();
                        *reads = self.clip(SectionSet::All);
                        *may = self.clip(SectionSet::All);
                    }
                    continue;
                }
                if span.nodes.contains(&call.node) {
                    self.other_use(call, used, &uses, &cell_of, names, out)?;
                }
                continue;
            };
            if used.needs.is_all() {
                out.others.insert(node);
            }
            let (reads, may, must) = launched[cell].get_or_insert_default();
            *reads = reads.union(&self.clip(used.needs.clone()), &facts);
            *may = may.union(&self.clip(used.may.clone()), &facts);
            // What kernels surely write they may write only if they run, which is known within the residency alone.
            if used.when.as_ref().is_some_and(Vec::is_empty) || span.nodes.contains(&node) {
                must.extend(used.must.iter().cloned());
            }
        }
        for (cell, launch) in launched.into_iter().enumerate() {
            if let Some((reads, may, mut must)) = launch {
                if self.model.coarse.jumps_far(node) {
                    must.clear();
                }
                let may = if self.left_current { SectionSet::Empty } else { may };
                must.retain(|_| !self.left_current);
                out.events.at_mut(node).push(Event {
                    cell,
                    kind: EventKind::Launch { reads, may, must },
                });
            }
        }
        Ok(true)
    }

    /// Why a call whose kernels use the family counts for more than a kernel.
    fn is_more_than_kernels(
        &self,
        call: &DeviceCall,
        node: NodeId,
        uses: &[&CallUse],
        names: &[Base],
    ) -> Option<Calls> {
        let callee = || call.callee.clone();
        // `a[0] = fill(a, n);`: which of the two comes first within a statement is not followed.
        if self.accesses.at(node).into_iter().any(|a| self.may_touch(a)) {
            return Some(Calls::AlsoOnHost { callee: callee() });
        }
        // All of its objects must be among those of one use: then what is not in kernels was looked for there. A function
        // that the call may run instead must have such a use too, or leave them alone.
        let covered = |u: &CallUse| !self.locs.is_empty() && self.locs.iter().all(|l| u.locs.contains(l));
        let by = |target: FuncId| uses.iter().any(|u| u.by == target && covered(u));
        let known = |target: &FuncId| by(*target) || self.is_foreign_to(*target);
        let is_one = call.targets.len() == 1;
        if !uses.iter().any(|u| covered(u)) || !(is_one || call.targets.iter().all(known)) {
            return Some(Calls::MayBeIt { callee: callee() });
        }
        match self.on_host(call, names, false) {
            OnHost::Nothing => None,
            _ => Some(Calls::HostOtherName { callee: callee() }),
        }
    }

    /// Whether a function leaves the family's objects alone.
    fn is_foreign_to(&self, func: FuncId) -> bool {
        let effects = self.model.effects.of(func);
        let mut touched = effects.reads.union(&effects.writes).copied();
        let frees = self
            .locs
            .iter()
            .any(|l| effects.may_free(self.model.points_to, l.object));
        !effects.unknown && !frees && !touched.any(|at| self.touches_any(std::iter::once(at)))
    }

    /// Whether an array that a call uses is surely another one.
    pub(super) fn is_elsewhere(&self, used: &CallUse) -> bool {
        let elsewhere = |base: Base| {
            let locs = locs_of(self.model, base);
            !locs.is_empty() && !self.touches_any(locs.into_iter())
        };
        // One of these it is, which may be known better than where the pointer points that chooses among them.
        let mut among = used.perhaps.iter();
        used.base.is_some_and(elsewhere) || !used.perhaps.is_empty() && among.all(|u| u.base.is_some_and(elsewhere))
    }

    /// An array that a call uses and that is none of the family's by name: it must be another one, if only by what the
    /// callee's kernels map.
    fn other_use(
        &self,
        call: &DeviceCall,
        used: &CallUse,
        uses: &[&CallUse],
        cell_of: &dyn Fn(&CallUse) -> Option<usize>,
        names: &[Base],
        out: &mut Events,
    ) -> Result<(), FamilyRefusal> {
        if self.is_elsewhere(used) {
            return Ok(());
        }
        let apart = |name: &Base| {
            let mut named = uses.iter().filter(|u| cell_of(u).is_some_and(|c| names[c] == *name));
            named.any(|u| u.is_apart(used))
        };
        match used.base {
            Some(base) if names.iter().all(|n| apart(n) || self.believed_apart(*n, base)) => {
                for name in names {
                    if !out.apart.contains(&(*name, base)) {
                        out.apart.push((*name, base));
                    }
                }
                Ok(())
            }
            Some(base) if self.told.contains(&base) => Ok(()),
            _ => Err(FamilyRefusal {
                node: Some(call.node),
                reason: Aliases::OtherNameInCall {
                    callee: call.callee.clone(),
                }
                .into(),
            }),
        }
    }

    /// Whether functions of the program that unknown code may run at a call, or when the program ends in it, use the family on the
    /// device.
    fn is_used_by_unknown(&self, effects: &CallEffects, unknown: bool) -> bool {
        let (points_to, code) = (self.model.points_to, self.model.unknown_code);
        let used_by = |code: &DeviceCode| code.may_use(points_to, &self.locs);
        unknown && used_by(&code.called) || effects.may_not_return && used_by(&code.at_exit)
    }

    /// Who may start kernels on the family at a call.
    fn started_by(&self, launching: Option<FuncId>, inst: InstId) -> Reason {
        match launching {
            Some(t) => {
                let callee = self.model.module.function(t).name.clone();
                Calls::StartsKernels { callee }.into()
            }
            None => self.unknown_code(inst),
        }
    }

    /// What there is to say of a call of code that nothing is known of.
    fn unknown_code(&self, inst: InstId) -> Reason {
        let model = self.model;
        match culprit::of_call(model.module, model.points_to, model.func, inst) {
            Some(c) => Calls::Unknown {
                nothing_known: c.reason(),
                line: c.line(),
            }
            .into(),
            None if model.points_to.call_targets(model.func, inst).others => {
                self.others("whose threads and handlers may run here")
            }
            None if !model.effects.of_call(model.func, inst).unknown => {
                self.others("which may have functions with kernels run when the program ends here")
            }
            None => Calls::UnknownCode.into(),
        }
    }

    /// What unknown code may do that is not called here.
    fn others(&self, may: &str) -> Reason {
        match culprit::of_program(self.model.module, self.model.points_to) {
            Some(c) => Calls::Unknown {
                nothing_known: format!("nothing is known of {}, {may}", c.named()),
                line: c.line(),
            }
            .into(),
            None => Calls::UnknownCode.into(),
        }
    }

    /// The cell that a call like `free(p)` frees for sure, and does not read.
    fn freed_cell(&self, inst: InstId, names: &[Base]) -> Option<usize> {
        let freed = self.model.frees(inst).filter(|f| !f.moved)?;
        let p = self.model.values.ptr(freed.pointer)?;
        names.iter().position(|n| *n == p.base)
    }
}
