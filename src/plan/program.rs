//! What all functions of a program have in common, and what each of them is to its callers: summaries, made callees first.

use super::device_written::device_written;
use super::file::{FileFacts, FileText};
use super::holdings::Held;
use super::inputs::inputs;
use super::managed::DirectivesInText;
use super::members::{mapped_by_hand, names_member};
use super::prepare::with_model;
use super::program_facts::{DecisionScope, Made, ProgramFacts, SharedFacts, Variant};
use super::started_unseen::StartedUnseen;
use super::summary::summarise;
use super::threads::HostThreads;
use super::{host, levels, recursion};
use crate::analysis::callee_term::CalleeTerm;
use crate::analysis::device_calls::Summaries;
use crate::analysis::device_summary::{DeviceSummary, DeviceUse};
use crate::analysis::effects::Effects;
use crate::analysis::function::launching_functions;
use crate::analysis::hidden;
use crate::analysis::host_calls::HostSummaries;
use crate::analysis::points_to::PointsTo;
use crate::analysis::presence::Presence;
use crate::analysis::value_summary::{self, ValueSummaries};
use crate::openmp::Directive;
use crate::program::constructs::Constructs;
use crate::program::ir::{FuncId, Module};
use crate::program::left_out::jumps_elsewhere;
use crate::program::objects::MemLoc;
use crate::program::start::AT_START;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

impl<'a> ProgramFacts<'a> {
    pub(super) fn new(
        files: &[FileFacts<'_>],
        texts: &[FileText<'_>],
        scope: DecisionScope,
        variant: &Variant,
        shared: &'a SharedFacts<'a>,
    ) -> ProgramFacts<'a> {
        let SharedFacts {
            module,
            points_to,
            effects,
            ..
        } = *shared;
        let mut places: FxHashMap<FuncId, (usize, usize)> = FxHashMap::default();
        for (at, file) in files.iter().enumerate() {
            let emitted = file.functions.iter().enumerate();
            places.extend(emitted.filter_map(|(f, id)| Some(((*id)?, (at, f)))));
        }
        let has_constructs = |id: FuncId| match places.get(&id) {
            Some(&(at, f)) => files[at].has_constructs(f) || in_macros(&files[at], module, id, f),
            None => hidden::in_header(module.function(id)),
        };
        let launching = launching_functions(points_to, &has_constructs);
        let constructs: BTreeMap<FuncId, Constructs> = places
            .iter()
            .map(|(id, (at, f))| (*id, Constructs::find(files[*at].tree, *f)))
            .collect();
        let asynchronous = asynchronous(&constructs, effects);
        let trees = files.iter().map(|f| (f.tree, f.functions.as_slice()));
        let written = DirectivesInText {
            files,
            module,
            points_to,
            places: &places,
            constructs: &constructs,
        };
        let (by_hand, maps) = (written.by_hand(), written.maps());
        let presence = Presence::new(trees, module, points_to, &by_hand);
        let unseen = StartedUnseen {
            module,
            points_to,
            effects,
            launching: &launching,
            by_hand: &by_hand,
            maps: &maps,
        };
        let used_later = unseen.used_later();
        let unknown_code = unseen.unknown_code();
        let mut program = ProgramFacts {
            used_by_hand: written.used_by_hand(&by_hand),
            by_hand,
            maps,
            threads: HostThreads::find(files, module, points_to, &places, &constructs),
            places,
            live: live(module, points_to),
            after_device: points_to
                .call_graph()
                .reachable_from(&module.ending().collect::<Vec<_>>()),
            before_main: before_main(module, points_to),
            on_device: FxHashSet::default(),
            device_written: None,
            host: Made::default(),
            module,
            points_to,
            effects,
            presence,
            shared,
            freeing: FxHashSet::default(),
            directives_alone: false,
            starting: launching.clone(),
            unknown_code,
            launching,
            asynchronous,
            used_later,
            members_by_hand: None,
            summaries: Summaries::default(),
            may_update: FxHashSet::default(),
            without_updates: variant.without_updates.clone(),
            has_host_only: false,
            resident: variant.resident.clone(),
            values: ValueSummaries::default(),
        };
        if scope.together && scope.updates {
            program.may_update = program.writable(files, texts);
        }
        program.values = shared.values.get_or_init(|| program.find_values(files)).clone();
        program.on_device = host::on_device(files, &program, &constructs);
        program.device_written = device_written(files, &program, &constructs);
        program.members_by_hand = program.find_members_by_hand(files, &constructs);
        if variant.host_only {
            program.has_host_only = program.add_host_only(files);
        }
        program.add_users_of_resident();
        program.find_summaries(files);
        program.add_kept();
        program
    }

    /// Tells of what functions may find present because callers keep it on the device.
    fn add_kept(&mut self) {
        for (id, summary) in &self.summaries {
            // Where updates are written for callers, it is known when callers have it there.
            let plain = |u: &&DeviceUse| !u.updates.as_ref().is_some_and(|u| u.own);
            let kept = summary.uses.iter().filter(plain).flat_map(|u| &u.locs);
            // What directives keep from callers they might have held before these were written.
            let by_hand = summary.opaque.iter().filter(|o| o.by_hand).flat_map(|o| &o.locs);
            self.presence.add(*id, kept.chain(by_hand));
        }
    }

    /// Arrays that only the host code of functions uses, and that would get updates there if somebody held them, which nobody does;
    /// where they may be.
    pub(super) fn unused_updates(&self, held: &Held) -> FxHashMap<(FuncId, CalleeTerm), Vec<MemLoc>> {
        let mut found = FxHashMap::default();
        for (id, summary) in &self.summaries {
            let known = held.ever(*id);
            let given = |u: &&DeviceUse| u.updates.as_ref().is_some_and(|u| u.own && u.host_only);
            let unused = summary.uses.iter().filter(given).filter(|u| !known.contains(&u.root));
            found.extend(unused.map(|u| ((*id, u.root.clone()), u.locs.clone())));
        }
        found
    }

    /// Functions of files that are written, which are called by name alone and not by themselves; `files` are those files, and more.
    fn writable(&self, files: &[FileFacts<'_>], texts: &[FileText<'_>]) -> FxHashSet<FuncId> {
        let written = self.places.iter().filter(|(id, (at, f))| {
            texts.get(*at).is_some_and(|text| !text.context)
                && !files[*at].is_partly_off(*f)
                && self.live.contains(id)
                && !self.points_to.has_unseen_callers(**id)
                && !self.threads.shared(**id)
                && !self.after_device.contains(id)
        });
        written.map(|(id, _)| *id).collect()
    }

    /// Makes the device summaries, callees first: what they start on the device is part of what their callers do.
    fn find_summaries(&mut self, files: &[FileFacts<'_>]) {
        let graph = self.points_to.call_graph();
        for level in levels::callees_first(self.points_to) {
            let starts = |circle: &&&[FuncId]| circle.iter().all(|f| self.launching.contains(f));
            let starting: Vec<&[FuncId]> = level.iter().filter(starts).copied().collect();
            let (circles, single): (Vec<&[FuncId]>, Vec<&[FuncId]>) = starting
                .into_iter()
                .partition(|circle| circle.len() > 1 || graph.recursive_inside(circle[0]));
            let of_one = |id: &FuncId| Some((*id, Arc::new(self.summarise(files, *id)?)));
            let made: Vec<_> = single.concat().par_iter().filter_map(of_one).collect();
            self.summaries.extend(made);
            for circle in circles {
                recursion::summarise(circle, self, &|program, id| program.summarise(files, id));
            }
        }
    }

    /// Makes the device summary of a function from those of what it calls.
    fn summarise(&self, files: &[FileFacts<'_>], id: FuncId) -> Option<DeviceSummary> {
        let &(at, f) = self.places.get(&id)?;
        let file = &files[at];
        if self.module.function(id).name == "main" || in_macros(file, self.module, id, f) {
            return None;
        }
        let host = host::of_callees(self, files, id);
        let made = with_model(self, file, f, id, &host, |model| {
            summarise(&inputs(self, file, model, &host), &host)
        });
        made.ok()?
    }

    /// What the functions that are called on the way to kernels do to variables of their callers. Where directives stand,
    /// or may stand, the instructions do not say by how many threads they are run, and on which copies.
    fn find_values(&self, files: &[FileFacts<'_>]) -> ValueSummaries {
        let mut starts: Vec<FuncId> = self.launching.iter().copied().collect();
        starts.sort_unstable();
        let wanted = self.points_to.call_graph().reachable_from(&starts);
        let plain = |id: FuncId| {
            let Some(&(at, f)) = self.places.get(&id) else {
                return false;
            };
            let file = &files[at];
            let mut pragmas = file.tree.pragmas_of(f);
            !pragmas.any(|p| Directive::parse(&p.text).is_some())
                && !in_macros(file, self.module, id, f)
                && !hidden::has_more(file.tree, self.module.function(id), f)
                && !hidden::has_more_threads(file.tree, self.module.function(id), f)
                && !jumps_elsewhere(self.module, self.module.function(id))
        };
        value_summary::summarise(self.module, self.points_to, self.effects, &wanted, &plain)
    }

    /// Where pointers may lie that data directives of the text map as members of structs; `None`: anywhere.
    fn find_members_by_hand(
        &self,
        files: &[FileFacts<'_>],
        constructs: &BTreeMap<FuncId, Constructs>,
    ) -> Option<Vec<MemLoc>> {
        let mut found: Vec<MemLoc> = Vec::new();
        let by_path = |c: &Constructs| c.user_data.iter().flat_map(|d| &d.items).any(names_member);
        for (id, _) in constructs.iter().filter(|(_, c)| by_path(c)) {
            let (at, f) = self.places[id];
            let (file, none) = (&files[at], HostSummaries::default());
            // What is not understood is left alone, and maps what it maps all the same.
            found.extend(with_model(self, file, f, *id, &none, |model| mapped_by_hand(model, &file.macros)).ok()??);
        }
        found.sort_unstable();
        found.dedup();
        Some(found)
    }
}

/// Functions with kernels that the host does not wait for, and what they may touch.
fn asynchronous(constructs: &BTreeMap<FuncId, Constructs>, effects: &Effects<'_>) -> Vec<(FuncId, Vec<MemLoc>)> {
    let does_not_wait = constructs
        .iter()
        .filter(|(_, c)| c.launches.iter().any(|l| l.asynchronous));
    let asynchronous = does_not_wait.map(|(id, _)| {
        let touched = effects.of(*id);
        (*id, touched.reads.union(&touched.writes).copied().collect())
    });
    asynchronous.collect()
}

/// What only the program's start runs.
fn before_main(module: &Module, points_to: &PointsTo) -> FxHashSet<FuncId> {
    let starts: Vec<FuncId> = module.listed(AT_START).collect();
    let graph = points_to.call_graph();
    let at_exit: Vec<FuncId> = module.ending().collect();
    let later = graph.reachable_from(&at_exit);
    let mut found = graph.reachable_from(&starts);
    found.retain(|f| !module.function(*f).declaration && !later.contains(f));
    loop {
        let elsewhere = |f: &FuncId| {
            let by_itself = starts.contains(f) || !points_to.has_unseen_callers(*f);
            !by_itself || points_to.callers(*f).iter().any(|site| !found.contains(&site.func))
        };
        let Some(other) = found.iter().copied().find(elsewhere) else {
            return found;
        };
        found.remove(&other);
    }
}

/// What starts by itself or is called by code outside, and all that this may call.
fn live(module: &Module, points_to: &PointsTo) -> FxHashSet<FuncId> {
    let all = (0..module.functions.len() as u32).map(FuncId);
    let entries: Vec<FuncId> = all.filter(|f| points_to.is_entry(*f)).collect();
    points_to.call_graph().reachable_from(&entries)
}

fn in_macros(file: &FileFacts<'_>, module: &Module, id: FuncId, f: usize) -> bool {
    hidden::in_macros(file.text, file.tree, module, id, f)
}
