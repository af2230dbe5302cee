//! Arrays that stay on the device from their first kernel on, because no caller can name them all that long.
//!
//! ```c
//! static double field[SIZE];                                             /* one file hides it                          */
//!
//! void field_init(void)  { for (…) field[i] = i;                         /* update to(field) after the loop            */ }
//! void field_step(void)  { #pragma omp target … map(tofrom: field) …     /* enter data map(to: field) before it        */ }
//! void field_print(void) { for (…) printf("%g", field[i]);               /* update from(field) before the loop         */ }
//! ```
//!
//! A residency is a run of statements of one function, and here no function that could name the array has all its kernels.
//! So the array is entered where its kernels are, and not left there: the first `enter data` copies it in, all later ones
//! only count. That is right if every function of the program that uses the array on the host keeps both memories equal for
//! its callers, by updates that do nothing while the array is not there ([`super::coherent`]). Then, wherever control is,
//! what is absent is current on the host, so that an `enter data` leaves the device current; and what is present it only
//! counts.
//!
//! What is asked of an array:
//!
//! * The program is known as a whole, and no unknown code reaches the array: it is never on the device by other means.
//! * Every function that touches it is understood, and has its updates or needs none. One that fails takes the whole
//!   decision with it.
//! * All kernels map the same of it, so that none finds only a part there: all of a global array; of what is allocated, see
//!   [`super::resident_members`] and [`super::resident_sized`], which also take it from the device before it is freed.
//! * Before the first kernel updates copy nothing. From there on, kernels pay for what updates copy, on every way through
//!   `main`, as they do in a residency ([`crate::analysis::movement::budget`]).
//! * It is expected to be copied less than by the plan without; other arrays are not copied more ([`super::resident_costs`]).

use super::coherent::{Coherent, coherent};
use super::file::FileFacts;
use super::inputs::{Inputs, inputs};
use super::model::Candidate;
use super::model::ExpectedCopies;
use super::on_host::on_host;
use super::prepare::with_model;
use super::program_facts::ProgramFacts;
use super::resident_costs::{Tally, of_calls};
use super::residents::{By, Resident, is_plain};
use super::{candidates, cost, host};
use crate::analysis::callee_term::CalleeTerm;
use crate::analysis::device_summary::DeviceSummary;
use crate::analysis::movement::estimate::expected_elements;
use crate::analysis::values::table::Base;
use crate::program::ir::{FuncId, GlobalId, SourceType};
use crate::program::objects::{MemLoc, ObjectId, ObjectKind};
use crate::program::start::AT_START;
use crate::symbolic::Section;
use rustc_hash::FxHashSet;

impl Resident {
    /// What a function copies whenever it is called, as something that might stay.
    fn of(program: &ProgramFacts<'_>, copied: &ExpectedCopies, replaced: &FxHashSet<ObjectId>) -> Option<Resident> {
        let mut objects: Vec<ObjectId> = copied.locs.iter().map(|l| l.object).collect();
        objects.sort_unstable();
        objects.dedup();
        let kind = |o: &ObjectId| &program.points_to.object(*o).kind;
        let by = match &copied.root {
            Some(CalleeTerm::Storage(g)) if program.is_array(*g) => By::Name(*g),
            Some(CalleeTerm::Storage(_)) => return None,
            _ if !objects.iter().all(|o| matches!(kind(o), ObjectKind::Heap { .. })) => return None,
            Some(CalleeTerm::Member { places, .. })
                if places
                    .iter()
                    .all(|p| matches!(kind(&p.object), ObjectKind::Heap { .. })) =>
            {
                By::Members(program.cells_like(places, &objects))
            }
            // What nothing replaces some caller can keep there.
            _ if objects.iter().any(|o| replaced.contains(o)) => By::Sized(copied.element),
            _ => return None,
        };
        let by_hand = program.used_by_hand.as_ref()?;
        let is_used_later = |o: &ObjectId| {
            let mut later = program.used_later.iter().flat_map(|(_, locs)| locs);
            later.any(|l| program.points_to.objects_may_alias(l.object, *o))
        };
        let is_known = |o: &ObjectId| !program.points_to.escapes(*o) && !by_hand.contains(o) && !is_used_later(o);
        let seen_after = program.users(&objects).iter().any(|f| program.after_device.contains(f));
        let is_named = matches!(by, By::Name(_));
        let known = !objects.is_empty() && objects.iter().all(is_known) && (is_named || !seen_after);
        known.then_some(Resident {
            objects,
            by,
            seen_after,
        })
    }
}

impl ProgramFacts<'_> {
    /// What some function other than `main` copies whenever it is called, and what `main` keeps but for calls that replace it.
    pub(super) fn worth_keeping(&self, tally: &Tally) -> Vec<Resident> {
        if self.may_update.is_empty() || !self.points_to.closed() {
            return Vec::new();
        }
        let mut copied: Vec<&ExpectedCopies> = Vec::new();
        for (func, all) in &tally.functions {
            let is_main = self.is_main(*func);
            let known = |c: &&ExpectedCopies| !is_main || c.root.is_none();
            copied.extend(all.iter().filter(|c| c.own > 0.0).filter(known));
        }
        let copied = copied.into_iter();
        let replaced = self.replaced();
        let mut found: Vec<Resident> = Vec::new();
        for resident in copied.filter_map(|c| Resident::of(self, c, &replaced)) {
            let shares = |r: &&mut Resident| r.objects.iter().any(|o| resident.objects.contains(o));
            match found.iter_mut().find(shares) {
                Some(known) => known.add(&resident),
                None => found.push(resident),
            }
        }
        found.sort_by(|a, b| a.objects.cmp(&b.objects));
        found
    }

    /// Where else pointers to some objects lie in what is allocated: in the same members as they do here.
    fn cells_like(&self, places: &[MemLoc], objects: &[ObjectId]) -> Vec<MemLoc> {
        let mut found = places.to_vec();
        for (index, object) in self.points_to.objects().iter().enumerate() {
            if !matches!(object.kind, ObjectKind::Heap { .. }) {
                continue;
            }
            let alike = places.iter().map(|p| MemLoc {
                object: ObjectId(index as u32),
                ..*p
            });
            let leads = |l: &MemLoc| {
                self.points_to
                    .contents(*l)
                    .iter()
                    .any(|to| objects.contains(&to.object))
            };
            found.extend(alike.filter(leads));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether a global is an array of the host.
    fn is_array(&self, array: GlobalId) -> bool {
        let global = self.module.global(array);
        matches!(global.source_type, Some(SourceType::Array { .. })) && !global.on_device
    }

    /// Counts what touches a resident array, and what calls that, among the functions that have to do with the device.
    pub(super) fn add_users_of_resident(&mut self) {
        let mut work: Vec<FuncId> = Vec::new();
        for resident in &self.resident {
            match &resident.by {
                By::Name(_) => work.extend(self.users_by_name(resident)),
                By::Members(cells) => work.extend(self.users_of_members(resident, cells)),
                By::Sized(_) => work.extend(self.users_of_sized(resident)),
            }
        }
        self.freeing = self.resident.iter().flat_map(|r| self.freeing(r)).collect();
        while let Some(func) = work.pop() {
            if self.launching.insert(func) {
                work.extend(self.points_to.callers(func).iter().map(|site| site.func));
            }
        }
    }

    /// The functions that have to keep a global array current. Those that run before `main` find it on the host alone, and
    /// those that look at it when the program ends have it current there.
    fn users_by_name(&self, array: &Resident) -> Vec<FuncId> {
        let looks_after = |id: &FuncId| {
            let effects = self.effects.of(*id);
            let changes = effects.unknown
                || effects.writes.iter().any(|l| array.objects.contains(&l.object))
                || effects.frees.iter().any(|o| array.objects.contains(&o));
            array.seen_after && self.after_device.contains(id) && !self.starting.contains(id) && !changes
        };
        let mut users = self.users(&array.objects);
        users.retain(|id| !self.before_main.contains(id) && !looks_after(id));
        users
    }

    /// Whether a function touches an array that runs both before `main` and later.
    fn is_entered_before_main(&self, array: &Resident) -> bool {
        let starts: Vec<FuncId> = self.module.listed(AT_START).collect();
        let before = self.points_to.call_graph().reachable_from(&starts);
        let users = self.own_users(array.objects.iter().copied());
        users
            .iter()
            .any(|f| before.contains(f) && !self.before_main.contains(f))
    }

    /// How a function reaches resident arrays.
    pub(super) fn resident_roots(&self, func: FuncId) -> Vec<CalleeTerm> {
        let mut found = Vec::new();
        for resident in &self.resident {
            match &resident.by {
                By::Name(_) if self.before_main.contains(&func) => {}
                By::Name(g) => found.push(CalleeTerm::Storage(*g)),
                By::Members(_) | By::Sized(_) => {
                    let uses = self.summaries.get(&func).into_iter().flat_map(|s| &s.uses);
                    let ours = uses.filter(|u| resident.is(Some(&u.root), &u.locs));
                    found.extend(ours.map(|u| u.root.clone()));
                }
            }
        }
        found
    }

    /// The arrays among some that can stay on the device, given that all that touch them are summarised, and for which
    /// that is better than the plan without.
    pub(super) fn staying(&self, files: &[FileFacts<'_>], arrays: &[Resident], without: &Tally) -> Vec<Resident> {
        let mut mains = self.running().filter(|id| self.is_main(*id));
        let (Some(main), None) = (mains.next(), mains.next()) else {
            return Vec::new();
        };
        let Some(&(at, f)) = self.places.get(&main) else {
            return Vec::new();
        };
        if self.points_to.call_graph().recursive(main) {
            return Vec::new();
        }
        let host = host::of_callees(self, files, main);
        let stay = with_model(self, &files[at], f, main, &host, |model| {
            let inputs = inputs(self, &files[at], model, &host);
            let stays = |array: &&Resident| {
                let costs = self.costs_to_stay(files, &inputs, array);
                costs.is_some_and(|costs| costs < without.in_a_run(array, main))
            };
            arrays.iter().filter(stays).cloned().collect()
        });
        stay.unwrap_or_default()
    }

    /// What an array costs that stays on the device, as `main` calls functions; `None` where it cannot stay.
    fn costs_to_stay(&self, files: &[FileFacts<'_>], main: &Inputs<'_>, array: &Resident) -> Option<f64> {
        let users = match array.by {
            By::Name(_) => self.users_by_name(array),
            By::Members(_) | By::Sized(_) => self.users(&array.objects),
        };
        let is_off = |id: &FuncId| self.places.get(id).is_some_and(|(at, f)| files[*at].is_partly_off(*f));
        if users.iter().any(is_off) {
            return None;
        }
        let (mains, others): (Vec<FuncId>, Vec<FuncId>) = users.into_iter().partition(|f| self.is_main(*f));
        if mains.is_empty() {
            return None;
        }
        let is_kept = match &array.by {
            By::Name(g) => {
                let keeps = |id: &FuncId| self.summaries.get(id).is_some_and(|s| keeps(s, array, *g));
                !self.is_entered_before_main(array) && others.iter().all(keeps)
            }
            By::Members(cells) => self.members_are_kept(files, array, cells),
            By::Sized(element) => self.sized_are_kept(files, array, main, *element),
        };
        match &array.by {
            _ if !is_kept => None,
            By::Name(g) => costs_by_name(main, *g),
            By::Members(_) | By::Sized(_) => {
                of_calls(main, array).and_then(|(is_paid, costs)| is_paid.then_some(costs))
            }
        }
    }
}

/// What a global array costs, if `main` can keep it current and kernels pay for that.
fn costs_by_name(inputs: &Inputs<'_>, array: GlobalId) -> Option<f64> {
    let made = of_main(inputs, array).filter(|made| made.net >= 0 && made.apart.is_empty())?;
    let whole = made.object.as_ref()?;
    let is_whole = made.mapped.iter().all(|s| s == whole) && is_mapped_whole(inputs.program, array, whole);
    let sites = cost::PER_SITE * made.copies.len() as f64;
    is_whole.then(|| expected_elements(whole) + made.elements + sites)
}

/// Whether a function keeps a global array as its callers count on it.
fn keeps(summary: &DeviceSummary, array: &Resident, global: GlobalId) -> bool {
    let is_opaque = summary
        .opaque
        .iter()
        .any(|o| o.locs.is_empty() || array.may_be(&o.locs));
    !is_opaque
        && summary
            .uses
            .iter()
            .any(|u| u.root == CalleeTerm::Storage(global) && is_plain(u))
}

/// Whether kernels map nothing less than all of a global array.
fn is_mapped_whole(program: &ProgramFacts<'_>, array: GlobalId, whole: &Section) -> bool {
    let uses = program.summaries.values().flat_map(|s| &s.uses);
    let mut mapped = uses
        .filter(|u| u.root == CalleeTerm::Storage(array))
        .flat_map(|u| &u.mapped);
    mapped.all(|s| s == whole)
}

/// How `main` keeps a global array current.
pub(super) fn of_main(inputs: &Inputs<'_>, array: GlobalId) -> Option<Coherent> {
    let known = candidates::find(inputs);
    let ours = |c: &&Candidate| c.bases == [Base::Global(array)];
    let used = known.iter().find(ours).cloned();
    let used = used.or_else(|| on_host(inputs, &known).iter().find(ours).cloned())?;
    match inputs.is_unwanted_for_callers(&used) {
        true => None,
        false => coherent(inputs, &used).ok(),
    }
}
