//! Files from text to checked text, as programs.
//!
//! ```text
//! text ─► mentions target? ─► facts (store, else clang) ─┬► link ─► plan, once for each program ─► write ─► guard
//!    └──────────────────────► scope tree ────────────────┘
//! ```
//!
//! [`reading`](super::reading) is the part of one file before linking, [`writing`](super::writing) that after planning.
//! Where an earlier run did the same, [`super::kept`] has what came of it.

use super::chain;
use super::collectives::add_collectives;
use super::configurations::Planning;
use super::dialect;
use super::host_texts::HostTexts;
use super::kept;
use super::loop_heads::with_loop_heads;
use super::member::Member;
use super::planner::Planner;
use super::programs::{PipelineFile, Results, each_program, is_included};
use super::progress::Silent;
use super::replanned::{Replanning, replanned};
use super::self_check::take_back;
use super::services::Services;
use super::thread_files::{self, FilesByLanguage};
use super::unit::{FileError, GivenUnit, Outcome, Rewritten, Unit};
use super::writing::write;
use crate::analysis::module_pointers::ModulePointers;
use crate::facts::{self, Store};
use crate::plan::{DecisionScope, FilePlan};
use crate::program::ir::Module;
use crate::rules::{Rule, Suppressed, SuppressionProblem, suppressed};
use crate::source::{EditSet, LineIndex, Span};
use rayon::prelude::*;

/// Steps in which one run rewrites files: what does not settle in so many is handed out as the last one leaves it.
const MOST_STEPS: u32 = 3;

/// Rewrites the files of a program together. Files that have nothing to do with each other may be among them.
pub fn rewrite_program(units: &[Unit<'_>]) -> Rewritten {
    let services = Services {
        store: &Store::none(),
        progress: &Silent,
    };
    rewrite_given(units.iter().map(|unit| GivenUnit::from(*unit)).collect(), &services)
}

/// As [`rewrite_program`], with what is known of the files already.
pub fn rewrite_given<'a>(given: Vec<GivenUnit<'a>>, services: &Services<'a>) -> Rewritten {
    with_loop_heads(given, services, &|given, services| {
        rewrite_in(MOST_STEPS, given, services)
    })
}

/// Rewrites in so many steps at most: what is not settled after one is rewritten again as it stands then.
fn rewrite_in<'a>(steps: u32, given: Vec<GivenUnit<'a>>, services: &Services<'a>) -> Rewritten {
    let dumping = given.iter().any(|g| !g.unit.options.dumps.is_empty());
    let in_headers =
        |g: &GivenUnit<'_>| facts::headers_mention_target(g.unit.path, g.unit.text, &g.unit.options.compile);
    if !dumping && !given.iter().any(|g| g.unit.mentions_target()) && !given.iter().any(in_headers) {
        return Rewritten {
            files: given.iter().map(|_| Ok(Outcome::default())).collect(),
            problems: Vec::new(),
            unknown: Vec::new(),
            notes: Vec::new(),
        };
    }
    // What is dumped is made of what is not kept.
    if dumping {
        return settled(steps, given, services).0;
    }
    if !services.store.keeps() {
        return accepted(steps, given, services).0;
    }
    let key = kept::key_of_run(&given);
    if let Some(found) = kept::find_run(services.store, &key, given.len()) {
        return found;
    }
    let (rewritten, files) = accepted(steps, given, services);
    if !files.iter().any(|file| file.unit.is_unwanted()) {
        let dependencies = files.iter().flat_map(|file| &file.read.dependencies);
        kept::keep_run(services.store, &key, &rewritten, dependencies);
    }
    rewritten
}

/// Rewrites files, and takes back what another look finds to be wrong, where that is wanted: once for all steps.
fn accepted<'a>(steps: u32, given: Vec<GivenUnit<'a>>, services: &Services<'a>) -> (Rewritten, Vec<PipelineFile<'a>>) {
    let units: Vec<(Unit<'a>, bool)> = given.iter().map(|g| (g.unit, g.context)).collect();
    let (mut rewritten, files) = settled(steps, given, services);
    if steps == MOST_STEPS {
        let once = Services {
            store: &Store::none(),
            progress: &Silent,
        };
        let run = Replanning {
            units: &units,
            files: &files,
            services,
            rewrite: &|given| settled(MOST_STEPS, given, &once).0,
        };
        replanned(run, &mut rewritten);
        take_back(&units, &mut rewritten, &files, services);
    }
    for outcome in rewritten.files.iter_mut().flatten() {
        outcome.edits = EditSet::new();
    }
    (rewritten, files)
}

/// Rewrites files, and what comes of them again where that is not settled.
fn settled<'a>(steps: u32, given: Vec<GivenUnit<'a>>, services: &Services<'a>) -> (Rewritten, Vec<PipelineFile<'a>>) {
    let units: Vec<(Unit<'a>, bool)> = given.iter().map(|g| (g.unit, g.context)).collect();
    let (first, files) = afresh(given, services, Planner::Movement);
    let dumping = units.iter().any(|(unit, _)| !unit.options.dumps.is_empty());
    let unsettled = first.files.iter().flatten().any(|o| o.unsettled);
    if !unsettled {
        return (first, files);
    }
    let mut rewritten = match steps > 1 && !dumping {
        true => again(steps - 1, &units, first, &files, services),
        false => first,
    };
    for outcome in rewritten.files.iter_mut().flatten() {
        (outcome.unsettled, outcome.edits) = (false, EditSet::new());
    }
    (rewritten, files)
}

/// Rewrites what came of files once more, in so many steps at most.
fn again(
    steps: u32,
    units: &[(Unit<'_>, bool)],
    first: Rewritten,
    files: &[PipelineFile<'_>],
    services: &Services<'_>,
) -> Rewritten {
    // The store knows how many steps a run has, and not that there was one before.
    let services = Services {
        store: &Store::none(),
        ..*services
    };
    let next = chain::Next {
        after: chain::After::Directives,
        rewrite: &|given| rewrite_in(steps, given, &services),
    };
    joined(units, first, files, &next)
}

/// Lets files that were changed go through another step.
fn joined(
    units: &[(Unit<'_>, bool)],
    first: Rewritten,
    files: &[PipelineFile<'_>],
    next: &chain::Next<'_>,
) -> Rewritten {
    let included = |unit: &Unit<'_>| is_included(files, unit);
    // Of a text that is the same there is nothing else to say.
    let facts = |at: usize, first: &Outcome| {
        let mut same = files.iter().filter(|f| f.at == at && first.new_text.is_none());
        same.next().map(PipelineFile::facts)
    };
    let known = chain::FirstStep {
        included: &included,
        facts: &facts,
    };
    chain::joined(units, first, &known, next)
}

/// Problems of comments, each with its place.
fn placed(unit: &Unit<'_>, problems: &[SuppressionProblem]) -> Vec<String> {
    let lines = LineIndex::new(unit.text);
    let said = problems.iter().map(|problem| {
        let place = lines.position(problem.span.start);
        let path = unit.path.display();
        format!("{path}:{}:{}: {}", place.line, place.column, problem.message)
    });
    said.collect()
}

/// Writes directives for the loops that can run on a device, and lets what comes of it go through [`rewrite_given`]. Pragmas that loops have for the host
/// are hidden from that ([`super::host_pragmas`]). A dump is of the first step, and of the texts as they are.
pub fn annotate_given<'a>(given: Vec<GivenUnit<'a>>, services: &Services<'a>) -> Rewritten {
    with_loop_heads(given, services, &annotated_for_host)
}

fn annotated_for_host<'a>(given: Vec<GivenUnit<'a>>, services: &Services<'a>) -> Rewritten {
    let dumping = given.iter().any(|g| !g.unit.options.dumps.is_empty());
    let texts = HostTexts::of(given.iter().map(|g| (g.unit, g.context)));
    match dumping || texts.is_empty() {
        true => annotated(given, services),
        false => texts
            .annotated(services, &annotated)
            .unwrap_or_else(|| annotated(given, services)),
    }
}

fn annotated<'a>(given: Vec<GivenUnit<'a>>, services: &Services<'a>) -> Rewritten {
    // Nothing of this is kept: the store knows the other question only.
    let services = Services {
        store: &Store::none(),
        ..*services
    };
    let dumping = given.iter().any(|g| !g.unit.options.dumps.is_empty());
    let units: Vec<(Unit<'a>, bool)> = given.iter().map(|g| (g.unit, g.context)).collect();
    let (mut annotated, files) = afresh(given, &services, Planner::Kernels);
    if dumping {
        return annotated;
    }
    let read: Vec<_> = files.iter().flat_map(|f| &f.read.dependencies).collect();
    dialect::beside_headers(&mut annotated, &read);
    let next = chain::Next {
        after: chain::After::Kernels,
        rewrite: &|given| rewrite_given(given, &services),
    };
    let joined = joined(&units, annotated, &files, &next);
    dialect::exchanged(&units, joined)
}

/// Says what is wrong with the mappings of files.
pub fn check_given<'a>(given: Vec<GivenUnit<'a>>, services: &Services<'a>) -> Rewritten {
    let FilesByLanguage { of_threads, of_c } = thread_files::apart(given);
    let (places, given): (Vec<usize>, Vec<GivenUnit<'a>>) = of_c.into_iter().unzip();
    let (mut rewritten, files) = afresh(given, services, Planner::Mappings);
    for file in files.iter().filter(|file| !file.context) {
        if let Ok(outcome) = &mut rewritten.files[file.at] {
            let problems = silence(&file.unit, &file.read.inactive, outcome);
            rewritten.problems.extend(problems);
        }
    }
    if of_threads.is_empty() {
        return rewritten;
    }
    let units: Vec<Unit<'_>> = of_threads.iter().map(|(_, given)| given.unit).collect();
    let mut results: Vec<_> = places.into_iter().zip(rewritten.files).collect();
    for (((at, _), unit), mut result) in of_threads.iter().zip(&units).zip(thread_files::checked(&units)) {
        for outcome in result.iter_mut() {
            rewritten.problems.extend(silence(unit, &[], outcome));
        }
        results.push((*at, result));
    }
    results.sort_by_key(|(at, _)| *at);
    rewritten.files = results.into_iter().map(|(_, result)| result).collect();
    rewritten
}

/// Takes out of what is found in a file what comments silence, and says what is wrong with these.
fn silence(unit: &Unit<'_>, inactive: &[Span], outcome: &mut Outcome) -> Vec<String> {
    let Suppressed { mut findings, problems } = suppressed(unit.text, inactive, std::mem::take(&mut outcome.findings));
    // What a comment silences elsewhere has not been looked for.
    let limited = !unit.options.limits.is_empty();
    findings.retain(|f| !limited || f.rule != Rule::UnusedSuppression);
    outcome.findings = findings;
    placed(unit, &problems)
}

fn afresh<'a>(
    given: Vec<GivenUnit<'a>>,
    services: &Services<'_>,
    planner: Planner,
) -> (Rewritten, Vec<PipelineFile<'a>>) {
    let (mut rewritten, files) = each_program(given, services, &|members, pointers| {
        rewrite_linked(members, pointers, services, planner)
    });
    // A comment that shall keep something as it is, and does not, is worth a word; `check` calls it wrong.
    let own = files.iter().filter(|f| !f.context && planner != Planner::Mappings);
    let mistaken = own.map(|f| placed(&f.unit, &suppressed(f.unit.text, &f.read.inactive, Vec::new()).problems));
    rewritten.notes.extend(mistaken.flatten());
    (rewritten, files)
}

/// What came of one program: found, or made now.
fn rewrite_linked(
    members: &[Member<'_>],
    pointers: &ModulePointers<'_>,
    services: &Services<'_>,
    planner: Planner,
) -> Results {
    let store = services.store;
    let dumping = members.iter().any(|m| !m.unit.options.dumps.is_empty());
    // Of what is wrong nothing is kept but the facts: the store knows the other question only.
    if !store.keeps() || dumping || planner == Planner::Mappings {
        return plan_and_write(members, pointers, services, planner);
    }
    let key = kept::key_of_program(pointers.module(), pointers.known(), members);
    if let Some(found) = kept::find_program(store, &key, members.len()) {
        members.iter().for_each(|_| services.progress.one_done());
        return members.iter().map(|m| m.at).zip(found.into_iter().map(Ok)).collect();
    }
    let results = plan_and_write(members, pointers, services, planner);
    let outcomes: Result<Vec<&Outcome>, _> = results.iter().map(|(_, result)| result.as_ref()).collect();
    // What is not settled goes on from its edits, which are not kept.
    if let Ok(outcomes) = outcomes
        && !outcomes.iter().any(|o| o.unsettled)
        && !members.iter().any(|m| m.unit.is_unwanted())
        && members
            .iter()
            .all(|m| m.read.dependencies.iter().all(|d| d.hash.is_some()))
    {
        kept::keep_program(store, &key, &outcomes);
    }
    results
}

fn plan_and_write(
    members: &[Member<'_>],
    pointers: &ModulePointers<'_>,
    services: &Services<'_>,
    planner: Planner,
) -> Results {
    // Where only some lines may change, a callee cannot count on what its callers would get.
    let together = members.iter().all(|m| m.unit.options.limits.is_empty());
    let planned = |updates| {
        let planning = Planning {
            members,
            pointers,
            planner,
            scope: DecisionScope { together, updates },
        };
        let mut plans = planning.plans();
        if planner == Planner::Mappings {
            add_collectives(members, pointers, &mut plans, services.store);
        }
        plans
    };
    let wants_updates = members.iter().all(|m| !m.unit.options.plan.unwanted.no_updates);
    let plans = planned(wants_updates);
    if !plans.iter().flatten().any(|p| p.broken) {
        let rests: Vec<usize> = plans.iter().map(|p| p.as_ref().map_or(0, for_callers)).collect();
        let mut outcomes = written(members, pointers.module(), plans, services);
        let any = rests.iter().any(|n| *n > 0);
        let as_planned = |(rests, (_, outcome)): (&usize, &(usize, Result<Outcome, FileError>))| match outcome {
            Ok(outcome) => outcome.decisions.iter().filter(|d| d.for_callers).count() == *rests,
            Err(_) => false,
        };
        if !any || rests.iter().zip(&outcomes).all(as_planned) {
            for outcome in outcomes.iter_mut().filter_map(|(_, o)| o.as_mut().ok()) {
                outcome.bound = any && outcome.new_text.is_some();
            }
            members.iter().for_each(|_| services.progress.one_done());
            return outcomes;
        }
    }
    // Something that decisions in other files rest on was not written: then nothing may rest on it.
    let outcomes = written(members, pointers.module(), planned(false), services);
    members.iter().for_each(|_| services.progress.one_done());
    outcomes
}

/// The decisions that others rest on.
fn for_callers(plan: &FilePlan) -> usize {
    plan.decisions.iter().filter(|d| d.for_callers).count()
}

fn written(
    members: &[Member<'_>],
    module: &Module,
    plans: Vec<Result<FilePlan, String>>,
    services: &Services<'_>,
) -> Results {
    let outcomes = members.par_iter().zip(plans).map(|(m, plan)| {
        let outcome = match plan {
            Ok(_) if m.context => Ok(Outcome::default()),
            Ok(plan) => m.unit.guarded(|| write(m, module, plan, services)),
            Err(message) => Err(m.unit.failed(message)),
        };
        (m.at, outcome)
    });
    outcomes.collect()
}
