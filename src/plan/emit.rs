//! From settled candidates to changes of the text: regions, enter and exit, updates, and corrected map clauses.

use super::blocks::{self, WantedResidency};
use super::condition::When;
use super::emit_kernels::kernels;
use super::emit_region::RegionGroup;
use super::inputs::Inputs;
use super::model::{Chosen, FeasibleResidency, Settled, widest};
use super::names::NamingPoint;
use super::residency::Residency;
use super::spans::Run;
use super::{Decision, FilePlan, RegionId};
use std::collections::BTreeMap;

/// Writes everything settled into the plan.
pub fn emit(inputs: &Inputs<'_>, settled: &[Settled], plan: &mut FilePlan) {
    let model = inputs.model;
    let regions = settled.iter().flat_map(|s| {
        s.found.chosen.iter().filter_map(move |c| match c {
            Chosen::Region(e) => Some((s, &**e)),
            Chosen::Kernel(..) => None,
        })
    });
    let regions: Vec<(&Settled, &FeasibleResidency)> = regions.collect();
    let mut wanted: Vec<WantedResidency> = regions
        .iter()
        .map(|(_, e)| WantedResidency {
            run: e.run,
            block: e.block,
            repeatable: e.repeatable,
        })
        .collect();
    loop {
        let mut decision = Decision {
            function: model.tree.functions[model.tree_function].name.clone(),
            changes: Vec::new(),
            reasons: Vec::new(),
            structs: Vec::new(),
            for_callers: false,
        };
        let remarks = plan.remarks.len();
        write(inputs, settled, &regions, &wanted, &mut decision, plan);
        // A block must not hide a declaration from directives after it; what does is written without a block.
        let hiding = wanted
            .iter()
            .position(|w| w.block && blocks::hides(model, w.run, &decision));
        match hiding {
            Some(i) => {
                let run = wanted[i].run;
                wanted.iter_mut().filter(|w| w.run == run).for_each(|w| w.block = false);
                plan.remarks.truncate(remarks);
            }
            None if decision.changes.is_empty() => return,
            None => {
                plan.decisions.push(decision);
                return;
            }
        }
    }
}

fn write(
    inputs: &Inputs<'_>,
    settled: &[Settled],
    regions: &[(&Settled, &FeasibleResidency)],
    wanted: &[WantedResidency],
    decision: &mut Decision,
    plan: &mut FilePlan,
) {
    let blocks = blocks::settle(inputs.model, wanted);
    let residencies: Vec<Residency<'_>> = regions
        .iter()
        .zip(blocks)
        .map(|(&(settled, e), structured)| Residency { settled, e, structured })
        .collect();
    // What holds only under a condition gets a directive of its own: a false condition must not undo the others.
    let mut by_run: BTreeMap<(Run, bool, Option<String>), Vec<&Residency<'_>>> = BTreeMap::new();
    for r in &residencies {
        let when = condition_at_entry(inputs, r.e, widest(residencies.iter().map(|r| r.e), r.e));
        let kind = (r.e.run, !r.e.conditions.is_empty(), when);
        by_run.entry(kind).or_default().push(r);
    }
    for (index, ((run, _, when), group)) in by_run.iter().enumerate() {
        let id = RegionId(index as u32);
        let group = RegionGroup {
            inputs,
            id,
            run: *run,
            when: when.as_deref(),
            members: group,
        };
        group.write(decision, plan);
    }
    kernels(inputs, settled, &residencies, decision);
}

fn condition_at_entry(inputs: &Inputs<'_>, e: &FeasibleResidency, when: &When) -> Option<String> {
    if e.when.is_empty() {
        return None;
    }
    inputs.said(when, &NamingPoint::coarse(inputs.model, e.span.entry)?)
}
