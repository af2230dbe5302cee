//! What all functions of a program have in common ([`super::program`] finds it), and one way to plan them.
//!
//! ```c
//! static double grid[N];                 /* resident, perhaps: on the device from its first kernel on               */
//! void step(void) { kernel on grid }     /* launching; its summary says what callers need to know                   */
//! int main(void) { for (…) step(); }     /* launching, because it calls `step`; live                                */
//! ```

use super::residents::Resident;
use super::threads::HostThreads;
use crate::analysis::callee_term::CalleeTerm;
use crate::analysis::device_calls::Summaries;
use crate::analysis::effects::Effects;
use crate::analysis::function::UnknownCode;
use crate::analysis::host_summary::HostSummary;
use crate::analysis::item_places::DevicePlaces;
use crate::analysis::points_to::PointsTo;
use crate::analysis::presence::Presence;
use crate::analysis::value_summary::ValueSummaries;
use crate::analysis::values::elements::followed_arrays;
use crate::program::ir::{FuncId, GlobalId, InstId, Module};
use crate::program::objects::{MemLoc, ObjectId};
use crate::reasons::Calls;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// What all functions of a program have in common.
pub struct ProgramFacts<'a> {
    /// The IR.
    pub module: &'a Module,
    /// Points-to sets.
    pub points_to: &'a PointsTo,
    /// Effects.
    pub effects: &'a Effects<'a>,
    /// Functions that launch kernels or manage device data, directly or through calls.
    pub launching: FxHashSet<FuncId>,
    /// What unknown code may do with the device.
    pub(super) unknown_code: UnknownCode,
    /// What functions manage with directives that stand alone.
    pub(super) by_hand: DevicePlaces,
    /// What functions map on kernels and regions, touched or not.
    pub(super) maps: DevicePlaces,
    /// What threads of the host do with functions.
    pub(super) threads: HostThreads,
    /// Which functions may find data on the device.
    pub presence: Presence,
    /// Functions with kernels that the host does not wait for, and what these functions may touch.
    pub asynchronous: Vec<(FuncId, Vec<MemLoc>)>,
    /// What may be used at no place of the text, with who does: threads, handlers of signals, other processes.
    pub(super) used_later: Vec<(Calls, Vec<MemLoc>)>,
    /// Where the pointers may lie that data directives of the text map as members of structs; `None`: anywhere.
    pub members_by_hand: Option<Vec<MemLoc>>,
    /// What data directives of the text lead to; `None`: perhaps anything.
    pub(super) used_by_hand: Option<FxHashSet<ObjectId>>,
    /// What functions do on the device, as their callers see it.
    pub summaries: Summaries,
    /// What functions leave in variables of their callers, and return.
    pub values: ValueSummaries,
    /// Objects that kernels use.
    pub(super) on_device: FxHashSet<ObjectId>,
    /// Objects that kernels may write ([`super::device_written`]).
    pub(super) device_written: Option<FxHashSet<ObjectId>>,
    /// What functions do on the host, as far as somebody asked.
    pub(super) host: Made,
    /// Functions that updates may be written into for the sake of their callers.
    pub(super) may_update: FxHashSet<FuncId>,
    /// Arrays that only the host uses in functions, of which updates are of no use, or would copy more with each call of a circle.
    pub(super) without_updates: FxHashSet<(FuncId, CalleeTerm)>,
    /// Functions without kernels are among those that get updates.
    pub(super) has_host_only: bool,
    /// Arrays that are on the device from their first kernel on.
    pub(super) resident: Vec<Resident>,
    /// What is so however the program is planned.
    pub(super) shared: &'a SharedFacts<'a>,
    /// Functions that free some of these.
    pub(super) freeing: FxHashSet<FuncId>,
    /// Functions that start kernels, or manage device data, or call such.
    pub(super) starting: FxHashSet<FuncId>,
    /// Functions that may run.
    pub(super) live: FxHashSet<FuncId>,
    /// Functions that may run when the device is gone already: what destructors call.
    pub(super) after_device: FxHashSet<FuncId>,
    /// Functions that run before `main` and never later: constructors, and what they alone call.
    pub(super) before_main: FxHashSet<FuncId>,
    /// Where functions stand in the texts: the file, and which of its functions.
    pub(super) places: FxHashMap<FuncId, (usize, usize)>,
    /// Directives that stand in blocks without statements have places of their own: for whoever follows directives one by one.
    pub(super) directives_alone: bool,
}

/// What is so however a program is planned; some of it as far as somebody asked, and found once for all variants.
pub(super) struct SharedFacts<'a> {
    /// The IR.
    pub(super) module: &'a Module,
    /// Points-to sets.
    pub(super) points_to: &'a PointsTo,
    /// Effects.
    pub(super) effects: &'a Effects<'a>,
    /// What functions leave in variables of their callers, and return.
    pub(super) values: OnceLock<ValueSummaries>,
    /// What functions touch and free themselves.
    pub(super) own_uses: OnceLock<OwnUses>,
    /// Arrays whose elements are followed like variables.
    pub(super) followed_arrays: FxHashSet<GlobalId>,
}

impl<'a> SharedFacts<'a> {
    pub(super) fn new(module: &'a Module, points_to: &'a PointsTo, effects: &'a Effects<'a>) -> SharedFacts<'a> {
        SharedFacts {
            module,
            points_to,
            effects,
            values: OnceLock::new(),
            own_uses: OnceLock::new(),
            followed_arrays: followed_arrays(module),
        }
    }
}

/// How far decisions about one function may rest on those about others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DecisionScope {
    /// All decisions will be applied: what callers keep on the device is left alone in callees.
    pub together: bool,
    /// And callers may keep on the device what callees use on the host, which get updates for it.
    pub updates: bool,
}

/// One way to plan a program, of several that are compared.
#[derive(Clone, Default, Debug)]
pub(super) struct Variant {
    /// Functions without kernels may get updates for their callers' sake.
    pub host_only: bool,
    /// Arrays that are on the device from their first kernel on.
    pub resident: Vec<Resident>,
    /// Functions get no updates of these, which only their host code uses.
    pub without_updates: FxHashSet<(FuncId, CalleeTerm)>,
}

/// The summaries made so far; `None`: there is none.
#[derive(Default)]
pub struct Made(Mutex<FxHashMap<FuncId, Option<Arc<HostSummary>>>>);

impl Made {
    pub(super) fn get(&self, func: FuncId) -> Option<Option<Arc<HostSummary>>> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&func)
            .cloned()
    }

    pub(super) fn put(&self, func: FuncId, summary: Option<Arc<HostSummary>>) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(func, summary);
    }
}

/// What the functions that run touch and free.
#[derive(Debug, Default)]
pub(super) struct OwnUses {
    /// By instructions of their own, and in callees without a body.
    pub(super) users: FxHashMap<ObjectId, Vec<FuncId>>,
    /// In all that they call, too.
    pub(super) with_callees: FxHashMap<ObjectId, Vec<FuncId>>,
    /// Functions that run unknown code.
    pub(super) unknown: Vec<FuncId>,
    /// By which calls of the library.
    pub(super) frees: FxHashMap<ObjectId, Vec<(FuncId, InstId)>>,
}

impl ProgramFacts<'_> {
    pub(super) fn is_main(&self, func: FuncId) -> bool {
        self.module.function(func).name == "main"
    }
}

impl ProgramFacts<'_> {
    /// Whether the program may end in a function, with handlers that look at arrays.
    pub(super) fn may_run_handlers(&self, func: FuncId) -> bool {
        self.effects.of(func).may_not_return && self.points_to.runs_at_exit()
    }
}
