//! What functions use on the device that start at no place of the text, or of which unknown code has got hold.
//!
//! ```c
//! pthread_create(&t, NULL, smooth, g);        /* `smooth` runs at any time from here on                          */
//! atexit(report);                             /* `report` runs when the program ends, where arrays may be there  */
//! library_set_callback(on_step);              /* the library may run `on_step` in each call of it                */
//! ```

use crate::analysis::effects::{EffectSet, Effects};
use crate::analysis::function::{DeviceCode, UnknownCode};
use crate::analysis::item_places::DevicePlaces;
use crate::analysis::points_to::{PointsTo, for_operands, named_function};
use crate::program::ir::{FuncId, Function, Module};
use crate::program::objects::{MemLoc, ObjectId};
use crate::program::start::{EXIT, REGISTERING};
use crate::reasons::Calls;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What functions do with the device that start at no place of the text, or of which unknown code has got hold.
pub(super) struct StartedUnseen<'a> {
    /// The IR.
    pub(super) module: &'a Module,
    /// Points-to sets.
    pub(super) points_to: &'a PointsTo,
    /// Effects.
    pub(super) effects: &'a Effects<'a>,
    /// Functions that start kernels, or call such.
    pub(super) launching: &'a FxHashSet<FuncId>,
    /// What functions manage with directives that stand alone.
    pub(super) by_hand: &'a DevicePlaces,
    /// What functions map on kernels and regions.
    pub(super) maps: &'a DevicePlaces,
}

impl StartedUnseen<'_> {
    /// What a function manages by hand, and what its kernels map; `None`: perhaps anything.
    fn managed(&self, func: FuncId) -> Option<Vec<MemLoc>> {
        let each = [self.by_hand, self.maps].map(|places| places.get(&func).cloned().unwrap_or(Some(Vec::new())));
        let [by_hand, mapped] = each;
        Some([by_hand?, mapped?].concat())
    }

    fn managed_or_all(&self, func: FuncId) -> Vec<MemLoc> {
        let anything = || (0..self.points_to.objects().len() as u32).map(|o| MemLoc::whole(ObjectId(o)));
        self.managed(func).unwrap_or_else(|| anything().collect())
    }

    /// What is used at no place of the text, and what to say of who does.
    pub(super) fn used_later(&self) -> Vec<(Calls, Vec<MemLoc>)> {
        let (module, points_to, effects) = (self.module, self.points_to, self.effects);
        let touched = |by: &EffectSet| {
            let freed = by.frees.iter().map(MemLoc::whole);
            let all: BTreeSet<MemLoc> = by.reads.union(&by.writes).copied().chain(freed).collect();
            all.into_iter().collect::<Vec<_>>()
        };
        let mut found = Vec::new();
        for func in points_to.later() {
            let name = module.function(func).name.clone();
            let touched = [touched(effects.of(func)), self.managed_or_all(func)].concat();
            found.push((Calls::UsedLater { name }, touched));
        }
        // Where the program ends with `exit` its arrays may be on the device, and the maps of these kernels copy nothing.
        for func in registered_at_exit(module, points_to) {
            let name = module.function(func).name.clone();
            let own = match self.launching.contains(&func) {
                true => touched(effects.of(func)),
                false => Vec::new(),
            };
            let used = [own, self.managed_or_all(func)].concat();
            if !used.is_empty() {
                found.push((Calls::LaunchedAtExit { name }, used));
            }
        }
        if points_to.unknown_runs_later() {
            found.push((Calls::UsedLaterByUnknown, touched(effects.later())));
        }
        let shared: Vec<MemLoc> = points_to.shared().map(MemLoc::whole).collect();
        if !shared.is_empty() {
            found.push((Calls::Shared, shared));
        }
        found
    }

    /// What code of which nothing is known may do with the device.
    pub(super) fn unknown_code(&self) -> UnknownCode {
        let code = |functions: &mut dyn Iterator<Item = FuncId>| {
            let mut found = DeviceCode::default();
            for func in functions {
                if self.launching.contains(&func) {
                    let touched = self.effects.of(func);
                    found.touched.join(&touched.reads);
                    found.touched.join(&touched.writes);
                }
                match self.managed(func) {
                    Some(managed) => found.touched.extend(managed),
                    None => found.anything = true,
                }
            }
            found
        };
        let graph = self.points_to.call_graph();
        let mut called = graph.callees(graph.outside()).iter().map(|n| FuncId(*n as u32));
        UnknownCode {
            called: code(&mut called),
            at_exit: code(&mut perhaps_registered(self.module, self.points_to).into_iter()),
        }
    }
}

/// The functions that the program has the library call when it ends.
fn registered_at_exit(module: &Module, points_to: &PointsTo) -> BTreeSet<FuncId> {
    let all = (0..module.functions.len() as u32).map(FuncId);
    let registering = all.filter(|f| REGISTERING.contains(&module.function(*f).name.as_str()));
    let sites = registering.flat_map(|f| points_to.callers(f));
    let targets = sites.map(|site| points_to.call_targets(site.func, site.inst));
    targets.flat_map(|t| t.callbacks.iter().copied()).collect()
}

/// The functions that unknown code has got hold of, and may have the library call when the program ends with `exit`.
fn perhaps_registered(module: &Module, points_to: &PointsTo) -> BTreeSet<FuncId> {
    let ends = |f: &Arc<Function>| EXIT.contains(&f.name.as_str()) && f.declaration;
    let mut named = BTreeSet::new();
    if points_to.closed() || !module.functions.iter().any(ends) {
        return named;
    }
    let operations = module.functions.iter().flat_map(|f| &f.insts).map(|i| &i.op);
    for op in operations {
        for_operands(op, &mut |o| named.extend(named_function(o)));
    }
    let lists = module.globals.iter().flat_map(|g| &g.init_pointers);
    named.extend(lists.filter_map(|(_, value)| named_function(value)));
    named.retain(|f| points_to.is_entry(*f));
    named
}
