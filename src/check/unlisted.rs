//! What a function does to memory beside the arrays of which its steps tell ([`FunctionSteps`]): where an array of a caller surely is none of that, and none of
//! the arrays, a call leaves it alone.
//!
//! ```c
//! void smooth(double *v, int n) { … v[i] … }          // steps on parameter 0, and nothing beside
//! smooth(b, n);                                       // leaves `a` alone, although points-to lets `v` be either
//! ```

use super::collect::Collector;
use super::function_steps::{FunctionSteps, Unlisted};
use crate::analysis::arrays::locs_of;
use crate::analysis::values::table::Base;
use crate::program::ir::InstId;

/// What a function uses beside the arrays that are listed, and its own variables.
pub fn unlisted(collector: &Collector<'_>, listed: &[Base]) -> Unlisted {
    let model = collector.model;
    let mut found = Unlisted::default();
    let is_listed = |base: Base| matches!(base, Base::Local(_)) || listed.contains(&base);
    for access in collector.accesses.iter() {
        match &access.at {
            Some(at) if is_listed(at.base) => {}
            Some(at) => found.add(&locs_of(model, at.base)),
            None => found.add(model.points_to.of_operand(model.func, &access.address)),
        }
    }
    let data = collector.directives.data.iter().map(|d| &d.requests);
    for item in data
        .chain(&collector.directives.kernels)
        .flat_map(|r| &r.items)
        .filter(|i| !is_listed(i.base))
    {
        found.add(&locs_of(model, item.base));
    }
    found.anywhere |= !collector.directives.not_followed(model).is_empty();
    for node in model.coarse.ids() {
        for &inst in collector.accesses.calls(node) {
            of_call(collector, inst, &is_listed, &mut found);
        }
    }
    found.locs.sort_unstable();
    found.locs.dedup();
    found
}

fn of_call(collector: &Collector<'_>, inst: InstId, is_listed: &dyn Fn(Base) -> bool, found: &mut Unlisted) {
    let model = collector.model;
    let (targets, unknown) = model.targets(inst);
    let callees = collector.callees(inst);
    if unknown || targets.is_empty() || callees.len() != targets.len() {
        if let Some(freed) = model.frees(inst)
            && !model.values.ptr(freed.pointer).is_some_and(|at| is_listed(at.base))
        {
            found.add(model.points_to.of_operand(model.func, freed.pointer));
        }
        let effects = model.effects.of_call(model.func, inst);
        found.anywhere |= effects.unknown;
        found.locs.extend(effects.reads.union(&effects.writes));
        return;
    }
    for (at, steps) in &callees {
        let FunctionSteps { arrays, unlisted, .. } = steps;
        found.anywhere |= unlisted.anywhere;
        found.locs.extend(&unlisted.locs);
        for array in arrays {
            match at.reached(&array.root, array.element) {
                Some(reached) if is_listed(reached.base) => {}
                Some(reached) => found.add(&locs_of(model, reached.base)),
                None => found.add(&array.locs),
            }
        }
    }
}
