//! All functions of a program, checked one after the other: what they call before them.
//!
//! An array is judged where it begins: in the function that declares it or allocates it, and, of the whole program, in `main`. What is done with
//! it in functions that are called from there is walked where they are called ([`super::called`]). What a function is handed by callers that
//! nobody knows is not judged.

use super::called::meet;
use super::collect::{CollectedArray, Collector};
use super::conditions::{AssumedOutcomes, Conditions, StepCondition};
use super::directives::{DirectiveReader, NotFollowed};
use super::explained::explained;
use super::function_loops::FunctionLoops;
use super::function_steps::FunctionSteps;
use super::mapping_state::{Judge, MappingProblem, MappingState};
use super::messages::{related, said, said_of_scalar};
use super::overlaps::overlapping;
use super::places::StepPlaces;
use super::scalars::{ScalarProblem, scalar_problems};
use super::stale::StepId;
use super::step_graph::{Branches, LoopCounter, StepLoop};
use super::summary::summarised;
use super::unavoidable::Way;
use super::walk::{LoopEffects, MetViolation, ObservedEffects, StepWalk, Violation};
use crate::analysis::conditions::reader::ConditionReader;
use crate::analysis::function::FunctionModel;
use crate::analysis::module_pointers::ModulePointers;
use crate::analysis::movement::loop_symbols::{FunctionTerms, loops_of};
use crate::analysis::movement::problem::{LoopFacts, Terms};
use crate::analysis::movement::scope::NameScope;
use crate::analysis::values::table::Base;
use crate::openmp::effects::MapEffect;
use crate::openmp::map::Semantics;
use crate::openmp::{Construct, Directive, SpecVersion};
use crate::plan::candidates::label;
use crate::plan::models::{LookedAt, each_function_callees_first};
use crate::plan::ways::branch;
use crate::plan::{FilePlan, FileText, Note};
use crate::program::graph::{NodeId, NodeKind};
use crate::program::ir::FuncId;
use crate::program::objects::{MemLoc, ObjectKind};
use crate::rules::{RelatedPlace, Rule, RuleFinding, sentences};
use crate::source::{LineIndex, Span};
use crate::symbolic::{Comparison, Expr, Facts, Section, SectionSet};
use crate::syntax::{StmtId, StmtKind};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};

/// So many steps are carried out for one array at most.
const MOST_STEPS: usize = 200_000;

/// Checks a program: what is wrong with the mappings of each of its files, as findings; nothing is to be written.
pub fn check_program(files: &[FileText<'_>], pointers: &ModulePointers<'_>) -> Vec<Result<FilePlan, String>> {
    let mut checking = Checking {
        places: StepPlaces::default(),
        conditions: Conditions::default(),
        functions: FxHashMap::default(),
        observed: RefCell::default(),
        semantics: semantics(files),
        found: Vec::new(),
        plans: files.iter().map(|_| FilePlan::default()).collect(),
    };
    let lines = FileLines::new(files);
    let failed = each_function_callees_first(files, pointers, |looked| checking.function(&looked, &lines));
    checking.report(&lines);
    for (unit, span, reason) in failed {
        let note = Note::because(span, "this function is not checked: ", &reason);
        checking.plans[unit].remarks.push(note);
    }
    for plan in &mut checking.plans {
        plan.remarks.sort();
        plan.remarks.dedup();
        plan.findings = distinct(std::mem::take(&mut plan.findings));
    }
    checking.plans.into_iter().map(Ok).collect()
}

/// Findings in text order, of those that say one thing of one array at one place the first, and errors before warnings.
fn distinct(mut findings: Vec<RuleFinding>) -> Vec<RuleFinding> {
    findings.sort_by_key(|f| {
        (
            f.span,
            f.array.clone(),
            f.rule,
            !f.surely,
            f.message.clone(),
            f.related.clone(),
        )
    });
    findings.dedup_by(|later, first| (later.span, &later.array, later.rule) == (first.span, &first.array, first.rule));
    findings
}

/// A program that is being checked.
struct Checking {
    places: StepPlaces,
    conditions: Conditions,
    functions: FxHashMap<FuncId, FunctionSteps>,
    /// What list items have done, over all walks.
    observed: RefCell<ObservedEffects>,
    /// What directives mean.
    semantics: Semantics,
    /// What is wrong, and whether it surely is.
    found: Vec<(Violation, bool)>,
    plans: Vec<FilePlan>,
}

impl LoopEffects for FunctionLoops<'_> {
    fn closed(&self, from: usize, to: usize) -> Option<usize> {
        let place = self.loops.place_of(NodeId(to as u32))?;
        let from = NodeId(from as u32);
        self.loops[place].nodes.binary_search(&from).is_ok().then_some(place)
    }
    fn widened(&self, set: &SectionSet, of_loop: usize) -> SectionSet {
        self.terms.widen(set, of_loop)
    }
    fn varies(&self, section: &Section, of_loop: usize) -> bool {
        self.terms.varies(section, of_loop)
    }
}

impl Checking {
    fn function(&mut self, looked: &LookedAt<'_>, lines: &FileLines<'_>) {
        let inputs = looked.inputs;
        let model = inputs.model;
        let name = &model.tree.functions[model.tree_function].name;
        self.conditions.forget();
        let reader = DirectiveReader {
            conditions: &self.conditions,
            reader: ConditionReader {
                model,
                text: inputs.file.text,
                macros: &inputs.file.macros,
            },
        };
        let directives = match reader.directives() {
            Ok(directives) => directives,
            Err(NotFollowed { span, why }) => {
                let message = format!("`{name}` is not checked: what this directive does is not known: {why}");
                self.plans[looked.unit]
                    .remarks
                    .push(Note::new(span, message).in_function(name));
                return;
            }
        };
        for NotFollowed { span, why } in directives.not_followed(model) {
            let message =
                format!("from here on nothing is said of arrays that this directive may have to do with: {why}");
            self.plans[looked.unit]
                .remarks
                .push(Note::new(span, message).in_function(name));
        }
        let (loops, headers) = loops_of(model);
        let terms = FunctionTerms {
            model,
            loops: headers.iter().map(|h| h.1).collect(),
            facts: Facts::new(),
            certain: Facts::new(),
            extent: Section::new(Expr::zero(), Expr::zero()),
            nameable: &|_, _| true,
            in_object: &|_, _| false,
        };
        let function_loops = FunctionLoops {
            terms: &terms,
            loops: &loops,
        };
        let collector = Collector {
            model,
            accesses: &inputs.accesses,
            directives: &directives,
            mapped: &inputs.mapped,
            conditions: &inputs.conditions,
            functions: &self.functions,
            places: &self.places,
            loops: &step_loops(model, &function_loops),
            function_loops: &function_loops,
            branches: &self.branches(&reader.reader),
            unit: looked.unit,
            has_mappers: has_mappers(model),
        };
        let arrays = collector.collect();
        let steps = (!looked.recursive).then(|| summarised(inputs, &collector, &arrays));
        for array in arrays
            .iter()
            .filter(|a| a.graph.meets_device() && begins_here(looked, a))
        {
            self.judge(array, &function_loops);
        }
        self.functions.extend(steps.map(|steps| (looked.id, steps)));
        let overlaps = overlapping(model, &directives).into_iter().map(|(span, base)| {
            let (rule, label) = (Rule::OverlappingItems, label(model, base));
            RuleFinding {
                span,
                rule,
                message: sentences::overlapping_items(&label),
                function: name.clone(),
                array: label,
                surely: !rule.is_harmless(),
                related: Vec::new(),
            }
        });
        self.plans[looked.unit].findings.extend(overlaps);
        let related = |span: Span, message: &str| lines.related(looked.unit, span, message);
        let scalars = scalar_findings(model, name, &related);
        self.plans[looked.unit].findings.extend(scalars);
    }

    /// What the branches of a function ask.
    fn branches(&self, reader: &ConditionReader<'_>) -> Branches {
        let model = reader.model;
        let mut found = Branches::default();
        for node in model.coarse.ids() {
            let NodeKind::Cond(stmt) = model.coarse.node(node).kind else {
                continue;
            };
            let StmtKind::If { cond, .. } = &model.tree.stmt(stmt).kind else {
                continue;
            };
            let said = branch(model, stmt).map(|(_, comparison)| comparison);
            let read = || {
                let text = std::str::from_utf8(reader.text.get(cond.start..cond.end)?).ok()?;
                self.conditions
                    .read(text, reader, &NameScope::before(model, reader.macros, stmt)?)
            };
            let asked = said.map(|comparison| vec![StepCondition::of(comparison)]).or_else(read);
            found.extend(asked.map(|asked| (node, asked)));
        }
        found
    }

    /// What is wrong with an array that begins in a function: sure is what is wrong on ways past loops, too, and however conditions come out.
    fn judge(&mut self, array: &CollectedArray, loops: &dyn LoopEffects) {
        let walked = |assumed: &AssumedOutcomes, idle: bool| {
            let walk = StepWalk {
                graph: &array.graph,
                loops,
                judge: Judge {
                    semantics: self.semantics,
                    facts: &assumed.facts,
                    extent: array.extent.as_ref(),
                },
                assumed,
                idle,
                budget: &Cell::new(MOST_STEPS),
                observed: &self.observed,
            };
            walk.walked(MappingState::absent()).map(|walked| walked.violations)
        };
        let (ways, complete) = AssumedOutcomes::ways(&array.graph.conditions(), &array.graph.branches());
        let past_loops = ways.iter().map(|way| walked(way, true));
        let unclear = (!complete).then(|| walked(&AssumedOutcomes::nothing(), true));
        let past_loops = past_loops.chain(unclear).collect::<Option<Vec<_>>>();
        let with_loops = ways.iter().map(|way| walked(way, false)).collect::<Option<Vec<_>>>();
        let Some((past_loops, with_loops)) = past_loops.zip(with_loops) else {
            return;
        };
        let nodes = |found: &[MetViolation], v: &Violation| -> Vec<usize> {
            let here = found.iter().filter(|met| met.violation == *v);
            here.map(|met| met.node).collect()
        };
        let comes = |v: &Violation| {
            let mut each = ways.iter().zip(&past_loops);
            each.all(|(assumed, found)| {
                let way = Way {
                    graph: &array.graph,
                    assumed,
                };
                way.comes_to(v.at, &nodes(found, v), v.problem.cause())
            })
        };
        let is_sure =
            |v: &Violation| v.problem.is_sure() && past_loops.iter().all(|each| !nodes(each, v).is_empty()) && comes(v);
        let mut sure: Vec<Violation> = Vec::new();
        for MetViolation { violation, .. } in past_loops.iter().take(1).flatten() {
            if !sure.contains(violation) && is_sure(violation) {
                sure.push(violation.clone());
            }
        }
        let mut perhaps: Vec<Violation> = Vec::new();
        for MetViolation { violation, .. } in with_loops.iter().flatten().filter(|met| !sure.contains(&met.violation)) {
            let perhaps_only = violation.perhaps();
            if !perhaps.contains(&perhaps_only) && !sure.iter().any(|s| s.perhaps() == perhaps_only) {
                perhaps.push(perhaps_only);
            }
        }
        self.found.extend(sure.into_iter().map(|v| (v, true)));
        self.found.extend(perhaps.into_iter().map(|v| (v, false)));
    }

    /// Says what is wrong, where it is. What a directive has met in some call is not missing there.
    fn report(&mut self, lines: &FileLines<'_>) {
        let observed = self.observed.take();
        let has_met = |step: &StepId| {
            observed
                .get(step)
                .is_some_and(|all| all.iter().any(|e| *e != MapEffect::Nothing))
        };
        for (violation, surely) in std::mem::take(&mut self.found) {
            let Some(place) = self.places.of(violation.at) else {
                continue;
            };
            if violation.problem == MappingProblem::NothingThere && has_met(&violation.at) {
                continue;
            }
            let (rule, message) = said(&place.label, &violation.problem);
            let mut related: Vec<RelatedPlace> = Vec::new();
            for (step, what) in self::related(&violation.problem) {
                let Some(there) = self.places.of(step) else { continue };
                let place = lines.related(there.unit, there.span, what);
                match related
                    .iter_mut()
                    .find(|r| r.path == place.path && r.start == place.start)
                {
                    Some(known) => known.message = format!("{}; {what}", known.message),
                    None => related.push(place),
                }
            }
            self.plans[place.unit].findings.push(RuleFinding {
                span: place.span,
                rule,
                message,
                function: place.function.to_string(),
                array: place.label.to_string(),
                surely: surely && !rule.is_harmless(),
                related,
            });
        }
        for (unit, item) in explained(&self.places, &observed) {
            self.plans[unit].explained.push(item);
        }
    }
}

/// Whether the file of a function declares mappers.
fn has_mappers(model: &FunctionModel<'_>) -> bool {
    let directives = model.tree.pragmas.iter().filter_map(|p| Directive::parse(&p.text));
    directives.into_iter().any(|d| d.is(&Construct::DeclareMapper))
}

/// What directives of a program mean: by the oldest version that one of its files is read by.
fn semantics(files: &[FileText<'_>]) -> Semantics {
    let version = files.iter().map(|file| file.options.openmp).min().unwrap_or_default();
    Semantics {
        version,
        // Under 4.5 the end of a region with `alloc` does not count down.
        alloc_keeps_count: version == SpecVersion::V45,
    }
}

/// The files of the program, for who says where something is.
struct FileLines<'a>(Vec<(&'a FileText<'a>, LineIndex)>);

impl<'a> FileLines<'a> {
    fn new(files: &'a [FileText<'a>]) -> FileLines<'a> {
        FileLines(files.iter().map(|file| (file, LineIndex::new(file.text))).collect())
    }

    /// A place that something has to do with.
    fn related(&self, unit: usize, span: Span, message: &str) -> RelatedPlace {
        let (file, lines) = &self.0[unit];
        let start = lines.position(span.start);
        RelatedPlace {
            path: file.path.to_owned(),
            start,
            end: lines.position(span.end),
            line: lines.content(file.text, start.line),
            message: message.to_owned(),
        }
    }
}

/// The loops of a function, as step graphs have them.
fn step_loops(model: &FunctionModel<'_>, loops: &FunctionLoops<'_>) -> Vec<StepLoop> {
    let of = |(l, stmt): (&LoopFacts, &StmtId)| {
        let less_one = model.loops.get(*stmt).and_then(|info| info.trips_less_one());
        let runs = less_one.and_then(|less_one| {
            Comparison::at_most(&Expr::zero(), &less_one.offset(1)?.plainly_positive().offset(-1)?)
        });
        let asks = runs.map(|runs| loops.in_front_of(l, &StepCondition::of(runs)));
        StepLoop {
            head: l.header.0 as usize,
            nodes: l.nodes.iter().map(|node| node.0 as usize).collect(),
            runs: l.runs,
            asks,
            counter: model
                .loops
                .get(*stmt)
                .and_then(|info| info.induction.as_ref())
                .map(|i| LoopCounter {
                    sym: i.sym,
                    first: i.first.clone(),
                    step: i.step,
                }),
        }
    };
    loops.loops.iter().zip(&loops.terms.loops).map(of).collect()
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

/// What is said of scalars.
fn scalar_findings(
    model: &FunctionModel<'_>,
    function: &str,
    related: &dyn Fn(Span, &str) -> RelatedPlace,
) -> Vec<RuleFinding> {
    let finding = |problem: ScalarProblem| {
        let (message, kernel) = said_of_scalar(&problem);
        RuleFinding {
            span: problem.read,
            rule: problem.rule,
            message,
            function: function.to_owned(),
            array: format!("`{}`", problem.name),
            surely: problem.surely,
            related: Some(related(problem.kernel, kernel))
                .filter(|_| problem.read != problem.kernel)
                .into_iter()
                .collect(),
        }
    };
    scalar_problems(model).into_iter().map(finding).collect()
}
