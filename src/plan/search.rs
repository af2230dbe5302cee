//! The search for the best residencies of one candidate, or of members of one struct that stay together: outermost runs
//! first.
//!
//! For a list of sibling statements the first alternative is one residency over all of those that hold kernels on the
//! object. Where a rule forbids it or nothing is gained, they are cut into stretches, each resident as a whole or taken
//! statement by statement (inside their own bodies), as is cheapest by [`super::cost`]; where it does gain, it must gain more
//! than each statement resident by itself.

use super::cost;
use super::inputs::Inputs;
use super::mapped_as_written::{launch_frequency, naive_cost};
use super::model::{Candidate, CandidatePlan, Chosen, FeasibleResidency, Refused, kernel_needs};
use super::search_subject::{SearchOutcome, Sought};
use super::spans::Run;
use crate::analysis::arrays::may_overlap;
use crate::analysis::movement::family::Family;
use crate::analysis::movement::promised::how_to_promise;
use crate::reasons::{Aliases, Copying, Ends};
use crate::syntax::{StmtId, StmtKind};
use std::collections::BTreeSet;

/// Stretches of siblings that are tried, about, and the length up to which all are.
const MOST_STRETCHES: usize = 256;
const LONGEST: usize = 8;

/// Loops around a residency, at most: what is tried at one depth looks at all that is deeper.
const MOST_LOOPS: usize = 16;

/// Costs closer than this are equal.
pub(super) const SAME: f64 = 1e-9;

/// Searches the whole function body.
pub fn search(inputs: &Inputs<'_>, candidate: &Candidate) -> CandidatePlan {
    search_beside(inputs, candidate, &[])
}

/// Searches as [`search`] does, where other arrays have the residencies `beside`: what is found may last until one of these ends.
pub fn search_beside(inputs: &Inputs<'_>, candidate: &Candidate, beside: &[Run]) -> CandidatePlan {
    let only = std::slice::from_ref(candidate);
    let sought = Sought {
        beside,
        ..Sought::one_by_one(only)
    };
    let found = siblings(inputs, sought, outermost(inputs));
    by_member(sought, found).pop().unwrap_or_default()
}

/// Residencies that have been chosen already, whatever they cost; kernels beside them map for themselves.
pub fn search_given(inputs: &Inputs<'_>, candidate: &Candidate, given: &BTreeSet<Run>) -> CandidatePlan {
    let only = std::slice::from_ref(candidate);
    search_given_together(inputs, only, only, given)
        .pop()
        .unwrap_or_default()
}

/// Residencies of members of one struct that were chosen to stay together.
pub fn search_given_together(
    inputs: &Inputs<'_>,
    together: &[Candidate],
    each: &[Candidate],
    given: &BTreeSet<Run>,
) -> Vec<CandidatePlan> {
    let beside = &[];
    let sought = Sought { together, each, beside };
    let mut found = SearchOutcome::default();
    for run in given {
        match resident(inputs, sought, *run) {
            Ok(resident) => found.extend(resident),
            Err(refused) => found.refused.push(refused),
        }
    }
    let launches = sought.together.iter().flat_map(|c| &c.launches);
    let starts: BTreeSet<StmtId> = launches.map(|l| inputs.start(*l)).collect();
    let beside = |s: &StmtId| !given.iter().any(|run| run.encloses(inputs.model, *s));
    for start in starts.into_iter().filter(beside) {
        found.extend(one(inputs, sought, start));
    }
    by_member(sought, found)
}

/// Searches as [`search`] does for members of one struct: `together` as they are mapped by one directive, `each` as they are alone.
pub fn search_together(inputs: &Inputs<'_>, together: &[Candidate], each: &[Candidate]) -> Vec<CandidatePlan> {
    let beside = &[];
    let sought = Sought { together, each, beside };
    by_member(sought, siblings(inputs, sought, outermost(inputs)))
}

/// What came of each of those that were searched for.
fn by_member(sought: Sought<'_>, outcome: SearchOutcome) -> Vec<CandidatePlan> {
    let together = sought.together;
    let mut found: Vec<CandidatePlan> = together.iter().map(|_| CandidatePlan::default()).collect();
    for (i, cost) in &outcome.costs {
        found[*i].cost += cost;
    }
    for (i, chosen) in outcome.chosen {
        found[i].chosen.push(chosen);
    }
    for (of, refused) in outcome.refused {
        for (i, found) in found.iter_mut().enumerate() {
            let mut refused = refused.clone();
            if let Some(of) = of.filter(|of| *of != i) {
                let other = &together[of].label;
                let why = Box::new(refused.reason);
                refused.reason = Ends::OnlyTogether {
                    other: other.clone(),
                    why,
                }
                .into();
            }
            found.refused.push(refused);
        }
    }
    found
}

/// The statements of the function's body.
fn outermost<'a>(inputs: &Inputs<'a>) -> &'a [StmtId] {
    let tree = inputs.model.tree;
    &tree.stmt(tree.functions[inputs.model.tree_function].body).children
}

fn launches_in(inputs: &Inputs<'_>, sought: Sought<'_>, stmt: StmtId) -> bool {
    // What is used on the host alone is no reason to begin a residency, or to end it later.
    let tree = inputs.model.tree;
    sought.together.iter().any(|candidate| {
        let mut inside = candidate
            .launches
            .iter()
            .filter(|l| tree.encloses(stmt, inputs.start(**l)));
        inside.any(|l| !inputs.is_hosted(candidate, *l))
    })
}

/// Tries a residency of all that is sought over a run.
fn resident(inputs: &Inputs<'_>, sought: Sought<'_>, run: Run) -> Result<SearchOutcome, (Option<usize>, Refused)> {
    let found = match sought.together {
        [only] if !sought.is_joint() => vec![(0, inputs.evaluate(only, run).map_err(|refused| (None, refused))?)],
        members => inputs.evaluate_together(members, run)?,
    };
    let found_for: Vec<usize> = found.iter().map(|(i, _)| *i).collect();
    let mut outcome = SearchOutcome {
        costs: found.iter().map(|(i, e)| (*i, e.cost)).collect(),
        chosen: found
            .into_iter()
            .map(|(i, e)| (i, Chosen::Region(Box::new(e))))
            .collect(),
        refused: Vec::new(),
    };
    // Members that kernels in there map by other names alone stay by themselves, or not.
    for i in (0..sought.together.len()).filter(|i| !found_for.contains(i)) {
        let each = &sought.each[i..=i];
        outcome.extend(for_one(
            siblings(inputs, Sought::one_by_one(each), run.stmts(inputs.model)),
            i,
        ));
    }
    Ok(outcome)
}

/// Tries a residency of all that is sought over a run, and over one that ends where a residency of another array does but before
/// what comes `next`: the cheaper, or the shorter one.
fn resident_lasting(
    inputs: &Inputs<'_>,
    sought: Sought<'_>,
    run: Run,
    next: Option<StmtId>,
) -> Result<SearchOutcome, (Option<usize>, Refused)> {
    let is_alone = run.first == run.last && !is_run(inputs, sought, run.first);
    let found = match is_alone {
        true => Err((
            None,
            Refused {
                stmt: run.first,
                reason: Copying::MovesNoLess.into(),
            },
        )),
        false => resident(inputs, sought, run),
    };
    let longer = sought.lasting(inputs, run);
    let start = |s: StmtId| inputs.model.tree.stmt(s).span.start;
    if longer == run || next.is_some_and(|next| start(next) <= start(longer.last)) {
        return found;
    }
    match (found, resident(inputs, sought, longer)) {
        (Ok(found), Ok(longer)) if longer.cost() + SAME < found.cost() => Ok(longer),
        (Err(_), Ok(longer)) => Ok(longer),
        (found, _) => found,
    }
}

/// What was found for a member by itself.
fn for_one(mut found: SearchOutcome, i: usize) -> SearchOutcome {
    found.chosen.iter_mut().for_each(|c| c.0 = i);
    found.costs.iter_mut().for_each(|c| c.0 = i);
    // Why each cannot stay alone has been said.
    found.refused.clear();
    found
}

fn siblings(inputs: &Inputs<'_>, sought: Sought<'_>, stmts: &[StmtId]) -> SearchOutcome {
    let with: Vec<StmtId> = stmts
        .iter()
        .copied()
        .filter(|s| launches_in(inputs, sought, *s))
        .collect();
    let (Some(&first), Some(&last)) = (with.first(), with.last()) else {
        return SearchOutcome::default();
    };
    let apart: Vec<SearchOutcome> = with.iter().map(|s| separately(inputs, sought, *s)).collect();
    let all = Run { first, last };
    if with.len() == 1 && !is_run(inputs, sought, first) && sought.lasting(inputs, all) == all {
        return joined(apart);
    }
    let tree = inputs.model.tree;
    let around = tree.ancestors(first).skip(1).filter(|s| tree.stmt(*s).kind.is_loop());
    let depth = around.count();
    if depth >= MOST_LOOPS {
        let mut found = joined(apart);
        let reason = Copying::TooDeep.into();
        let refused = (depth == MOST_LOOPS).then_some((None, Refused { stmt: first, reason }));
        found.refused.extend(refused);
        return found;
    }
    let reason = match resident_lasting(inputs, sought, all, None) {
        Ok(all) if all.cost() + SAME < apart.iter().map(SearchOutcome::cost).sum() => {
            if !pays_alone(inputs, sought, &with, &apart, all.cost()) {
                return all;
            }
            None
        }
        Ok(_) => {
            let reason = Copying::MovesNoLess.into();
            Some((None, Refused { stmt: first, reason }))
        }
        Err(refused) => Some(refused),
    };
    let mut found = partition(inputs, sought, &with, apart);
    found.refused.extend(reason);
    found
}

/// Whether each statement resident by itself, or taken `apart`, as is cheaper, costs less than all of them together do. Copies of
/// what only some of the loops need may be cheaper between the loops than in each iteration of one of them.
fn pays_alone(
    inputs: &Inputs<'_>,
    sought: Sought<'_>,
    with: &[StmtId],
    apart: &[SearchOutcome],
    together: f64,
) -> bool {
    if with.len() == 1 {
        return false;
    }
    let mut left = together;
    for (stmt, apart) in with.iter().zip(apart) {
        let alone = match is_run(inputs, sought, *stmt) {
            true => resident(inputs, sought, Run::single(*stmt)).ok(),
            false => None,
        };
        left -= alone.map_or(apart.cost(), |alone| alone.cost().min(apart.cost()));
        if left < SAME {
            return false;
        }
    }
    true
}

/// What can be done within a statement: where members cannot stay together in it, what can be done for each.
fn separately(inputs: &Inputs<'_>, sought: Sought<'_>, stmt: StmtId) -> SearchOutcome {
    let found = one(inputs, sought, stmt);
    if !sought.is_joint() || found.is_resident() || !outermost(inputs).contains(&stmt) {
        return found;
    }
    let alone = |i: usize| {
        let each = &sought.each[i..=i];
        for_one(one(inputs, Sought::one_by_one(each), stmt), i)
    };
    let mut each = joined((0..sought.each.len()).map(alone).collect());
    if each.cost() + SAME < found.cost() {
        each.refused = found.refused;
        return each;
    }
    found
}

fn joined(parts: Vec<SearchOutcome>) -> SearchOutcome {
    let mut all = SearchOutcome::default();
    parts.into_iter().for_each(|part| all.extend(part));
    all
}

/// The cheapest way to cut `with` into stretches, each resident as a whole or taken statement by statement (`apart`):
/// dynamic programming over where the last stretch begins. All of `with` as one stretch has been tried.
///
/// Every stretch that a second run could find inside a region that the first has written is looked at here, so the
/// result does not depend on which regions are there already.
fn partition(inputs: &Inputs<'_>, sought: Sought<'_>, with: &[StmtId], apart: Vec<SearchOutcome>) -> SearchOutcome {
    let count = with.len();
    let longest = LONGEST.max(MOST_STRETCHES / count.max(1));
    // Per prefix: its cost, where its last stretch begins, and that stretch if it is resident.
    let mut best: Vec<(f64, usize, Option<SearchOutcome>)> = vec![(0.0, 0, None)];
    for end in 1..=count {
        let mut choice = (best[end - 1].0 + apart[end - 1].cost(), end - 1, None);
        for start in (end.saturating_sub(longest)..end).rev() {
            if end - start == count {
                continue;
            }
            let run = Run {
                first: with[start],
                last: with[end - 1],
            };
            if let Ok(all) = resident_lasting(inputs, sought, run, with.get(end).copied())
                && best[start].0 + all.cost() + SAME < choice.0
            {
                choice = (best[start].0 + all.cost(), start, Some(all));
            }
        }
        best.push(choice);
    }
    let mut parts = Vec::new();
    let mut apart: Vec<Option<SearchOutcome>> = apart.into_iter().map(Some).collect();
    let mut end = count;
    while end > 0 {
        let (_, start, resident) = std::mem::replace(&mut best[end], (0.0, 0, None));
        parts.push(match resident {
            Some(all) => all,
            None => apart[end - 1].take().unwrap_or_default(),
        });
        end = start;
    }
    parts.reverse();
    joined(parts)
}

/// Whether a statement alone can be a residency that its kernel or the statements in it are not already.
fn is_run(inputs: &Inputs<'_>, sought: Sought<'_>, stmt: StmtId) -> bool {
    let all = (0..inputs.starts()).filter(|l| inputs.region(*l).is_none());
    let held = sought.together.iter().flat_map(|c| &c.launches).copied();
    let launch = all.chain(held).any(|l| inputs.start(l) == stmt);
    !launch && inputs.model.tree.stmt(stmt).kind != StmtKind::Block
}

fn one(inputs: &Inputs<'_>, sought: Sought<'_>, stmt: StmtId) -> SearchOutcome {
    let model = inputs.model;
    if let Some(l) = model.constructs.launch_at(stmt) {
        let here = |c: &Candidate| sought.together.len() == 1 || c.launches.contains(&l);
        let all = sought.each.iter().enumerate().filter(|(_, c)| here(c));
        let mut found = joined(all.map(|(i, c)| SearchOutcome::of(i, kernel(inputs, c, l))).collect());
        if sought.is_joint() {
            // What each kernel could map otherwise is no matter of how members stay together.
            found.refused.clear();
        }
        return found;
    }
    let called = |c: &Candidate| c.launches.iter().copied().find(|l| inputs.start(*l) == stmt);
    if sought.each.iter().any(|c| called(c).is_some()) {
        // A call maps for itself, in the function that it calls.
        let costs = sought.each.iter().enumerate();
        let costs = costs.filter_map(|(i, c)| Some((i, naive_cost(inputs, c, called(c)?))));
        return SearchOutcome {
            costs: costs.collect(),
            ..SearchOutcome::default()
        };
    }
    match &model.tree.stmt(stmt).kind {
        StmtKind::Block => siblings(inputs, sought, &model.tree.stmt(stmt).children),
        StmtKind::If { then, other, .. } => {
            let mut found = siblings(inputs, sought, &[*then]);
            if let Some(other) = other {
                found.extend(siblings(inputs, sought, &[*other]));
            }
            found
        }
        StmtKind::For { body, .. }
        | StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::Switch { body, .. } => siblings(inputs, sought, &[*body]),
        _ => SearchOutcome::default(),
    }
}

fn kernel(inputs: &Inputs<'_>, candidate: &Candidate, launch: usize) -> CandidatePlan {
    let naive = naive_cost(inputs, candidate, launch);
    let construct = &inputs.model.constructs.launches[launch];
    let stmt = construct.stmt;
    let held = !candidate.regions.is_empty();
    if held || inputs.is_perhaps(candidate, launch) || matches!(candidate.family, Family::PingPong(_)) {
        // What was chosen is a candidate of its own, whatever it is. Outside their residency the buffers are arrays like others, each a candidate of its own.
        return CandidatePlan {
            cost: naive,
            ..CandidatePlan::default()
        };
    }
    match inputs.evaluate(candidate, Run::single(stmt)) {
        Ok(e) if !e.conditions.is_empty() => {
            // A map clause has no condition of its own.
            let model = inputs.model;
            let others = inputs.mapped[launch].iter().map(|m| m.base);
            let pairs = others.flat_map(|other| candidate.bases.iter().map(move |own| (*own, other)));
            let pairs = pairs.filter(|(own, other)| own != other && may_overlap(model, *own, *other));
            let promise = how_to_promise(model, pairs);
            let reason = Aliases::MayOverlap { promise }.into();
            CandidatePlan {
                cost: naive,
                chosen: Vec::new(),
                refused: vec![Refused { stmt, reason }],
            }
        }
        // The kernel keeps the maps that it has.
        Ok(_) if !construct.takes_other_maps() => CandidatePlan {
            cost: naive,
            ..CandidatePlan::default()
        },
        Ok(e) => {
            // Copies inside a kernel's own span stand at its edges: they widen to the whole section.
            let cost = kernel_cost(inputs, launch, &e).min(naive);
            // What the user manages by hand elsewhere keeps its maps. A run before this one could have had them otherwise: a
            // residency that is no better than that is none to write now.
            let remaps = candidate.closed.is_empty();
            let chosen = remaps.then(|| Chosen::Kernel(launch, Box::new(e)));
            CandidatePlan {
                cost,
                chosen: chosen.into_iter().collect(),
                refused: Vec::new(),
            }
        }
        Err(refused) => CandidatePlan {
            cost: naive,
            chosen: Vec::new(),
            refused: vec![refused],
        },
    }
}

fn kernel_cost(inputs: &Inputs<'_>, launch: usize, e: &FeasibleResidency) -> f64 {
    let (up, down) = kernel_needs(e);
    let each = cost::elements(inputs.model, &e.extent);
    let count = f64::from(u8::from(up) + u8::from(down));
    (count * each + cost::PER_ENTRY) * launch_frequency(inputs, launch)
}
