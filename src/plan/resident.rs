//! Global arrays that stay on the device from their first kernel to the end of the program.
//!
//! ```c
//! static double field[SIZE];                                             /* one file hides it: no caller can name it  */
//!
//! void field_init(void)  { for (…) field[i] = i;                         /* update to(field) after the loop           */ }
//! void field_step(void)  { #pragma omp target … map(tofrom: field) …     /* enter data map(to: field) before it       */ }
//! void field_print(void) { for (…) printf("%g", field[i]);               /* update from(field) before the loop        */ }
//! ```
//!
//! A residency is a run of statements of one function, and here no function that could name the array has all its kernels.
//! So the array is entered where its kernels are, and nowhere left: the first `enter data` copies it in, all later ones only
//! count. That is right if every function of the program that uses the array on the host keeps both memories equal for its
//! callers, by updates that do nothing while the array is not there ([`super::coherent`]). Then, wherever control is between
//! two functions, the device is current or has nothing, and in both cases an `enter data` leaves it current.
//!
//! What is asked of an array:
//!
//! * The program is known as a whole, and no unknown code reaches the array: it is never on the device by other means.
//! * Every function that touches it is understood, and has its updates or needs none. One that fails takes the whole
//!   decision with it.
//! * Kernels map all of it: the first one copies in as much as the `enter data` does, and none maps only a part.
//! * Before the first kernel updates copy nothing. From there on, kernels pay for what updates copy, on every way through
//!   `main`, as they do in a residency ([`crate::analysis::movement::budget`]).
//! * It is expected to be copied less than by the plan without; other arrays are not copied more.
//!
//! The storage of a global lives as long as the program, so that nothing else ever gets its address.

use super::candidates;
use super::coherent::{Coherent, coherent};
use super::cost;
use super::evaluate::{Candidate, Inputs};
use super::file::FileFacts;
use super::function::{Copied, inputs};
use super::host;
use super::on_host::on_host;
use super::prepare::with_model;
use super::program::ProgramFacts;
use crate::analysis::device_summary::{DeviceSummary, Term};
use crate::analysis::values::eval::Base;
use crate::program::ir::{FuncId, GlobalId, SourceType};
use crate::program::objects::ObjectId;
use crate::symbolic::Section;
use rustc_hash::FxHashMap;

/// What a plan is expected to cost, by function and array.
#[derive(Default, Debug)]
pub(super) struct Tally {
    /// Callers first.
    functions: Vec<(FuncId, Vec<Copied>)>,
    calls: FxHashMap<FuncId, Vec<(FuncId, f64)>>,
    /// All of it.
    cost: f64,
}

impl Tally {
    /// Adds a function, after its callers.
    pub fn add(&mut self, func: FuncId, copied: Vec<Copied>, calls: Vec<(FuncId, f64)>, cost: f64) {
        self.functions.push((func, copied));
        self.calls.insert(func, calls);
        self.cost += cost;
    }

    /// What all but some arrays cost.
    pub fn cost_of_others(&self, but: &[GlobalId]) -> f64 {
        let all = self.functions.iter().flat_map(|(_, copied)| copied);
        let of_these = all.filter(|c| but.iter().any(|g| c.root == Term::Storage(*g)));
        self.cost - of_these.map(|c| c.all).sum::<f64>()
    }

    /// What an array costs in one run of the program: by the kernels and regions of each function, as often as it is called.
    fn in_a_run(&self, array: GlobalId, main: FuncId) -> f64 {
        let mut often: FxHashMap<FuncId, f64> = FxHashMap::default();
        often.insert(main, 1.0);
        let mut cost = 0.0;
        for (func, copied) in &self.functions {
            let times = often.get(func).copied().unwrap_or(0.0);
            let own = copied.iter().filter(|c| c.root == Term::Storage(array));
            cost += own.map(|c| c.own).sum::<f64>() * times;
            for (callee, each) in self.calls.get(func).into_iter().flatten() {
                *often.entry(*callee).or_default() += times * each;
            }
        }
        cost
    }
}

impl ProgramFacts<'_> {
    /// The global arrays that some function other than `main` copies whenever it is called.
    pub(super) fn worth_keeping(&self, tally: &Tally) -> Vec<GlobalId> {
        if self.may_update.is_empty() || !self.points_to.closed() {
            return Vec::new();
        }
        let below = tally.functions.iter().filter(|(f, _)| self.module.function(*f).name != "main");
        let copied = below.flat_map(|(_, copied)| copied).filter(|c| c.own > 0.0);
        let mut found: Vec<GlobalId> = copied
            .filter_map(|c| match c.root {
                Term::Storage(g) => Some(g),
                _ => None,
            })
            .filter(|g| self.is_array(*g))
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether a global is an array that nothing unknown reaches.
    fn is_array(&self, array: GlobalId) -> bool {
        let global = self.module.global(array);
        let is_array = matches!(global.source_type, Some(SourceType::Array { .. }));
        let object = self.points_to.global(array);
        is_array && !global.on_device && object.is_some_and(|o| !self.points_to.escapes(o))
    }

    /// Counts what touches a resident array, and what calls that, among the functions that have to do with the device.
    pub(super) fn add_users_of_resident(&mut self) {
        let objects: Vec<ObjectId> = self.resident.iter().filter_map(|g| self.points_to.global(*g)).collect();
        let mut work: Vec<FuncId> = objects.iter().flat_map(|o| self.users(*o)).collect();
        while let Some(func) = work.pop() {
            if self.launching.insert(func) {
                work.extend(self.points_to.callers(func).iter().map(|site| site.func));
            }
        }
    }

    /// The functions that run and may touch an object, in what they call too.
    fn users(&self, object: ObjectId) -> Vec<FuncId> {
        let touches = |id: &FuncId| {
            let touched = self.effects.of(*id);
            let mut locs = touched.reads.iter().chain(&touched.writes);
            self.live.contains(id)
                && !self.module.function(*id).declaration
                && (touched.unknown || locs.any(|l| l.object == object))
        };
        let all = (0..self.module.functions.len() as u32).map(FuncId);
        all.filter(touches).collect()
    }

    /// Whether an array can stay on the device, given that all that touch it are summarised, and whether that is better than
    /// the plan without.
    pub(super) fn can_stay(&self, files: &[FileFacts<'_>], array: GlobalId, without: &Tally) -> bool {
        let Some(object) = self.points_to.global(array) else {
            return false;
        };
        let (mains, others): (Vec<FuncId>, Vec<FuncId>) =
            self.users(object).into_iter().partition(|f| self.module.function(*f).name == "main");
        let [main] = mains.as_slice() else { return false };
        let keeps = |id: &FuncId| self.summaries.get(id).is_some_and(|s| keeps(s, array, object));
        if !others.iter().all(keeps) || self.points_to.call_graph().recursive(*main) {
            return false;
        }
        let Some(&(at, f)) = self.places.get(main) else {
            return false;
        };
        let host = host::of_callees(self, files, *main);
        let costs = with_model(self, &files[at], (f, *main), &host, |model| {
            let inputs = inputs(self, &files[at], model, &host);
            let made = of_main(&inputs, array).filter(|made| made.net >= 0 && made.apart.is_empty())?;
            let whole = made.object.as_ref().filter(|whole| is_mapped_whole(self, array, whole))?;
            let sites = cost::PER_SITE * made.copies.len() as f64;
            Some(cost::elements(whole) + made.elements + sites)
        });
        let costs = costs.ok().flatten();
        costs.is_some_and(|costs| costs < without.in_a_run(array, *main))
    }
}

/// Whether a function keeps an array as its callers count on it.
fn keeps(summary: &DeviceSummary, array: GlobalId, object: ObjectId) -> bool {
    let opaque = summary.opaque.iter().flat_map(|o| &o.locs).any(|l| l.object == object);
    !opaque && summary.uses.iter().any(|u| u.root == Term::Storage(array))
}

/// Whether kernels map nothing less than all of an array.
fn is_mapped_whole(program: &ProgramFacts<'_>, array: GlobalId, whole: &Section) -> bool {
    let uses = program.summaries.values().flat_map(|s| &s.uses);
    let mut mapped = uses.filter(|u| u.root == Term::Storage(array)).flat_map(|u| &u.mapped);
    mapped.all(|s| s == whole)
}

/// How `main` keeps an array current.
pub(super) fn of_main(inputs: &Inputs<'_>, array: GlobalId) -> Option<Coherent> {
    coherent(inputs, &candidate(inputs, &candidates::find(inputs), array)?).ok()
}

/// The candidate that an array is in a function.
pub(super) fn candidate(inputs: &Inputs<'_>, known: &[Candidate], array: GlobalId) -> Option<Candidate> {
    let ours = |c: &&Candidate| c.bases == [Base::Global(array)];
    known.iter().find(ours).cloned().or_else(|| on_host(inputs, known).iter().find(ours).cloned())
}
