//! Arrays that begin in a function: those that are judged there, because nothing is on any device of them before.
//!
//! ```c
//! int main(void)
//! {
//!     double *a = malloc(bytes);          // begins here: what functions do with it is walked where they are called
//!     step(a, n);
//! }
//! static void step(double *v, int n)      // `v` does not
//! ```
//!
//! What only unseen callers hand over is walked twice, as an array that is on the device and as one that is not ([`ArrayOrigin::UnseenCallers`]): what surely is
//! wrong both times is.

use super::called::meet;
use super::collect::CollectedArray;
use super::function_loops::FunctionLoops;
use super::steps::StepGraph;
use crate::analysis::function::FunctionModel;
use crate::analysis::movement::problem::Terms;
use crate::analysis::values::table::{Base, SymKind};
use crate::analysis::values::version::Version;
use crate::plan::Note;
use crate::plan::candidates::label;
use crate::plan::models::LookedAt;
use crate::plan::terms::root_of;
use crate::program::ir::{FuncId, InstId, Op, Operand};
use crate::program::objects::{MemLoc, ObjectKind};
use crate::symbolic::{Expr, Section};
use std::sync::Arc;

/// Who knows what is on the device of an array where a function begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArrayOrigin {
    /// The function does: nothing is.
    Here,
    /// Callers that are looked at do, or it is not followed where it comes from.
    SeenCallers,
    /// Nobody does: only callers hand it over that nobody sees.
    UnseenCallers,
}

impl ArrayOrigin {
    /// Where an array of a function comes from.
    pub fn of(looked: &LookedAt<'_>, array: &CollectedArray) -> ArrayOrigin {
        let model = looked.inputs.model;
        let points_to = model.points_to;
        if begins_here(looked, array) {
            return ArrayOrigin::Here;
        }
        match is_handed(looked, array)
            && points_to.has_unseen_callers(model.func)
            && points_to.callers(model.func).is_empty()
        {
            true => ArrayOrigin::UnseenCallers,
            false => ArrayOrigin::SeenCallers,
        }
    }
}

/// Whether an array is walked in callers of the function, too, as what they hand over.
pub fn is_handed(looked: &LookedAt<'_>, array: &CollectedArray) -> bool {
    root_of(looked.inputs, array.base).is_some() && !looked.recursive && !array.is_apart_by_maps
}

/// An array that is walked in a function.
pub struct BegunArray<'a> {
    pub origin: ArrayOrigin,
    pub collected: &'a CollectedArray,
    /// Its steps, as each device and each of its parts there sees them; none where nothing is to be said of it.
    pub views: Vec<Arc<StepGraph>>,
    pub loops: &'a FunctionLoops<'a>,
}

impl<'a> BegunArray<'a> {
    /// An array of a function as its devices see it, and what is to be said where these are not told apart.
    pub fn of(
        model: &FunctionModel<'_>,
        collected: &'a CollectedArray,
        loops: &'a FunctionLoops<'a>,
        origin: ArrayOrigin,
    ) -> (BegunArray<'a>, Option<Note>) {
        let views = collected.graph.views(&|number| may_be_host(model, number));
        let note = views.is_none().then(|| {
            let function = &model.tree.functions[model.tree_function];
            let array = label(model, collected.base);
            let message =
                format!("nothing is said of {array}: the devices that directives name for it may be one or several");
            Note::new(function.name_span, message).in_function(&function.name)
        });
        let varies = |section: &Section| (0..loops.loops.len()).any(|of| loops.terms.varies(section, of));
        let views = views.unwrap_or_default().into_iter();
        let begun = BegunArray {
            origin,
            collected,
            views: views.flat_map(|view| view.parts(&varies)).collect(),
            loops,
        };
        (begun, note)
    }
}

/// Whether the number of a device is computed from a number that the runtime gives for the host.
fn may_be_host(model: &FunctionModel<'_>, number: &Expr) -> bool {
    let function = model.function();
    let is_of_host = |inst: InstId| {
        let (targets, _) = model.targets(inst);
        let names = ["omp_get_initial_device", "omp_get_num_devices"];
        targets
            .iter()
            .any(|f| names.contains(&model.module.function(*f).name.as_str()))
    };
    number.symbols().into_iter().any(|sym| match model.values.kind(sym) {
        SymKind::Inst(inst) => is_of_host(inst),
        SymKind::Slot(_, Version::Def(store)) => match &function.inst(store).op {
            Op::Store {
                value: Operand::Inst(inst),
                ..
            } => is_of_host(*inst),
            _ => false,
        },
        _ => false,
    })
}

/// Whether an array is surely not on the device where a function begins: in `main` none is but what constructors may have entered, and what a
/// function declares or allocates is not there before.
fn begins_here(looked: &LookedAt<'_>, array: &CollectedArray) -> bool {
    let model = looked.inputs.model;
    let is_allocated_here = |l: &MemLoc| match &model.points_to.object(l.object).kind {
        ObjectKind::Heap { sites } => sites.first().is_some_and(|site| site.func == model.func),
        ObjectKind::Local { func, .. } => *func == model.func,
        _ => false,
    };
    let is_entered_before = |func: &FuncId| match model.by_hand.get(func) {
        Some(Some(locs)) => meet(model, locs, &array.locs),
        Some(None) => true,
        None => false,
    };
    let is_mains = model.function().name == "main" && !looked.before_main.iter().any(is_entered_before);
    let is_own = !array.locs.is_empty() && array.locs.iter().all(is_allocated_here);
    is_mains || matches!(array.base, Base::Local(_)) || is_own
}

/// Whether somebody may read an array once the function in which it begins has returned.
pub fn is_read_behind(looked: &LookedAt<'_>, array: &CollectedArray) -> bool {
    let model = looked.inputs.model;
    let is_local = matches!(array.base, Base::Local(_));
    let ends_program = model.function().name == "main" && !model.points_to.runs_at_exit();
    !is_local && !ends_program
}
