//! From settled candidates to changes of the text: regions, enter and exit, updates, and corrected map clauses.

use super::blocks::{self, Wanted};
use super::emit_kernels::kernels;
use super::emit_updates::update;
use super::evaluate::{Candidate, Evaluated, Inputs};
use super::function::Settled;
use super::names::At;
use super::search::Chosen;
use super::spans::Run;
use super::when::{When, all_of, widest};
use super::{Change, Decision, FilePlan, MapItem, MapType, Note, RegionId, RegionStyle};
use crate::analysis::movement::placement::Copy;
use crate::analysis::values::eval::Base;
use crate::program::graph::{NodeKind, Place};
use std::collections::BTreeMap;

/// A residency ready to be written.
pub(super) struct Residency<'a> {
    pub(super) settled: &'a Settled,
    pub(super) e: &'a Evaluated,
    structured: bool,
}

/// Writes everything settled into the plan.
pub fn emit(inputs: &Inputs<'_>, settled: &[Settled], plan: &mut FilePlan) {
    let model = inputs.model;
    let regions = settled.iter().flat_map(|s| {
        s.found.chosen.iter().filter_map(move |c| match c {
            Chosen::Region(e) => Some((s, &**e)),
            Chosen::Kernel(..) => None,
        })
    });
    let regions: Vec<(&Settled, &Evaluated)> = regions.collect();
    let mut wanted: Vec<Wanted> = regions
        .iter()
        .map(|(_, e)| Wanted {
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
    regions: &[(&Settled, &Evaluated)],
    wanted: &[Wanted],
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
        region(inputs, id, *run, when.as_deref(), group, decision, plan);
    }
    kernels(inputs, settled, &residencies, decision);
}

fn region(
    inputs: &Inputs<'_>,
    id: RegionId,
    run: Run,
    when: Option<&str>,
    group: &[&Residency<'_>],
    decision: &mut Decision,
    plan: &mut FilePlan,
) {
    let model = inputs.model;
    let structured = group[0].structured;
    let reasons = decision.reasons.len();
    let mut conditions: Vec<&String> = group.iter().flat_map(|r| &r.e.conditions).collect();
    conditions.sort();
    conditions.dedup();
    let apart = match conditions.as_slice() {
        [] => None,
        [one] => Some((*one).clone()),
        several => Some(
            several
                .iter()
                .map(|c| format!("({c})"))
                .collect::<Vec<_>>()
                .join(" && "),
        ),
    };
    let both: Vec<String> = when.map(str::to_owned).into_iter().chain(apart).collect();
    let condition = (!both.is_empty()).then(|| all_of(&both));
    let mut maps: Vec<MapItem> = Vec::new();
    let mut enter: Vec<MapItem> = Vec::new();
    let mut exits: BTreeMap<Place, Vec<MapItem>> = BTreeMap::new();
    let mut updates: Vec<Change> = Vec::new();
    let mut braces = run.first != run.last;
    // Without one of its copies a residency would be wrong.
    let mut unsaid = false;
    for r in group {
        let e = r.e;
        let candidate = &Candidate {
            joint: e.joint.clone(),
            ..r.settled.candidate.clone()
        };
        let item = |map_type: MapType, text: &str| MapItem {
            together: e.joint.is_some(),
            ..MapItem::new(map_type, text)
        };
        let cells = e.naming.at(e.span.entry).len();
        let whole = |b: Base| {
            crate::analysis::movement::mapped::object_extent(model, b, candidate.element).as_ref() == Some(&e.extent)
        };
        // Ping-pong buffers end under other names than they began: what comes back is written as updates.
        let renamed = cells > 1;
        for cell in 0..cells {
            let base = e.naming.at(e.span.entry)[cell];
            let text = At::coarse(model, e.span.entry)
                .map(|at| at.asking(&e.when, inputs.file.options.speculate))
                .and_then(|at| inputs.item(candidate, &at, base, &e.extent, whole(base)));
            let Some(text) = text else {
                unsaid = true;
                continue;
            };
            let into = e.placement.entry[cell].copies;
            let out = !renamed && e.placement.exits.iter().any(|(_, b)| b[cell].copies);
            let map_type = match (into, out) {
                (true, true) => MapType::ToFrom,
                (true, false) => MapType::To,
                (false, true) => MapType::From,
                (false, false) => MapType::Alloc,
            };
            decision.structs.extend(inputs.structs_of(&text));
            maps.push(item(map_type, &text));
            // Numbers of its struct that kernels copy in.
            let numbers = e.joint.iter().flat_map(|j| &j.of_struct.numbers);
            let numbers: Vec<&str> = numbers.map(|n| n.path.as_str()).collect();
            let beside = |maps: &mut Vec<MapItem>, map_type| {
                for number in &numbers {
                    if !maps.iter().any(|m| m.text == *number) {
                        maps.push(item(map_type, number));
                    }
                }
            };
            beside(&mut maps, MapType::To);
            beside(&mut enter, MapType::To);
            enter.push(item(if into { MapType::To } else { MapType::Alloc }, &text));
            for (gap, boundaries) in &e.placement.exits {
                let NodeKind::Gap(place) = model.coarse.node(*gap).kind else {
                    continue;
                };
                let place = canonical(inputs, run, place);
                let here = e.naming.at(*gap)[cell];
                let copies = boundaries[cell].copies;
                if renamed && copies {
                    let copy = Copy {
                        gap: *gap,
                        cell,
                        up: false,
                        section: e.extent.clone(),
                        ordered: true,
                    };
                    let back = (place, Some(id));
                    let change = update(inputs, candidate, &copy, here, whole(base), &e.when, back);
                    braces |= *gap == e.span.entry || touches_edge(inputs, run, place);
                    unsaid |= change.is_none();
                    updates.extend(change);
                }
                let text = At::coarse(model, *gap)
                    .map(|at| at.asking(&e.when, inputs.file.options.speculate))
                    .and_then(|at| inputs.item(candidate, &at, here, &e.extent, whole(base)))
                    .unwrap_or_else(|| text.clone());
                let map_type = if copies && !renamed {
                    MapType::From
                } else {
                    MapType::Release
                };
                let exit = exits.entry(place).or_default();
                exit.push(item(map_type, &text));
                beside(exit, MapType::Release);
            }
        }
        for c in &e.placement.copies {
            let NodeKind::Gap(place) = model.coarse.node(c.gap).kind else {
                continue;
            };
            let place = canonical(inputs, run, place);
            let base = e.naming.at(c.gap)[c.cell];
            let all = whole(base) && c.section == e.extent;
            let change = update(inputs, candidate, c, base, all, &e.when, (place, Some(id)));
            braces |= touches_edge(inputs, run, place);
            unsaid |= change.is_none();
            updates.extend(change);
        }
        decision.reasons.push(reason(inputs, r));
    }
    if unsaid {
        plan.remarks.push(Note {
            span: model.tree.stmt(run.first).span,
            message: "a residency here would need copies that have no name where they would stand".into(),
        });
        decision.reasons.truncate(reasons);
        return;
    }
    maps.sort_by_key(|m| m.map_type);
    enter.sort_by_key(|m| m.map_type);
    if structured {
        decision.changes.push(Change::Region {
            id,
            first: run.first,
            last: run.last,
            maps,
            braces,
            condition,
        });
    } else {
        if !group.iter().all(|r| r.e.repeatable) {
            plan.remarks.push(Note {
                span: model.tree.stmt(run.first).span,
                message: "a residency here depends on what is not the same where it ends".into(),
            });
            decision.reasons.truncate(reasons);
            return;
        }
        if inputs.file.options.style == RegionStyle::Structured {
            decision.reasons.truncate(reasons);
            plan.remarks.push(Note {
                span: model.tree.stmt(run.first).span,
                message: "residencies here overlap without one being inside the other, and `--style structured` \
                          rules out `enter data` and `exit data`"
                    .into(),
            });
            return;
        }
        for u in &mut updates {
            if let Change::Update { region, .. } = u {
                *region = None;
            }
        }
        decision.changes.push(Change::Enter {
            place: Place::Before(run.first),
            maps: enter,
            condition: condition.clone(),
        });
        for (place, mut maps) in exits {
            maps.sort_by_key(|m| m.map_type);
            decision.changes.push(Change::Exit {
                place,
                maps,
                condition: condition.clone(),
            });
        }
    }
    decision.changes.extend(updates);
}

fn condition_at_entry(inputs: &Inputs<'_>, e: &Evaluated, when: &When) -> Option<String> {
    if e.when.is_empty() {
        return None;
    }
    inputs.said(when, &At::coarse(inputs.model, e.span.entry)?)
}

/// One name for one gap: the edges of a run are named by its own statements.
fn canonical(inputs: &Inputs<'_>, run: Run, place: Place) -> Place {
    let gap = |p| inputs.model.coarse.gap(p);
    if gap(place) == gap(Place::After(run.last)) {
        Place::After(run.last)
    } else {
        place
    }
}

fn touches_edge(inputs: &Inputs<'_>, run: Run, place: Place) -> bool {
    let gap = |p| inputs.model.coarse.gap(p);
    gap(place) == gap(Place::Before(run.first)) || gap(place) == gap(Place::After(run.last))
}

fn reason(inputs: &Inputs<'_>, r: &Residency<'_>) -> Note {
    let e = r.e;
    let naive: f64 = r
        .settled
        .candidate
        .launches
        .iter()
        .map(|l| super::search::naive_cost(inputs, &r.settled.candidate, *l))
        .sum();
    let kernels = r.settled.candidate.launches.len();
    let up = e.placement.entry.iter().any(|b| b.copies);
    let down = e.placement.exits.iter().any(|(_, b)| b.iter().any(|b| b.copies));
    let inner = e.placement.copies.len();
    let (first, plural) = (
        inputs.model.tree.stmt(e.run.first).span,
        if kernels == 1 { "" } else { "s" },
    );
    let less = if naive > 0.0 {
        100.0 * (1.0 - e.cost / naive)
    } else {
        0.0
    };
    // What is left is something: it does not round to nothing.
    let less = match less {
        99.5..100.0 => "more than 99".to_owned(),
        _ => format!("about {less:.0}"),
    };
    Note {
        span: first,
        message: format!(
            "{} stays on the device over {kernels} kernel{plural}: {} on entry, {} at the end, {inner} update{} inside \
             ({less} % less expected traffic)",
            r.settled.candidate.label,
            if up { "copied in" } else { "not copied in" },
            if down { "copied out" } else { "not copied out" },
            if inner == 1 { "" } else { "s" },
        ),
    }
}
