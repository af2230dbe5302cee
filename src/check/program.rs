//! All functions of a program, checked one after the other: what they call before them.
//!
//! An array is judged where it begins: in the function that declares it or allocates it, and, of the whole program, in `main`. What is done with
//! it in functions that are called from there is walked where they are called ([`super::called`]). What a function is handed by callers that
//! nobody knows is not judged.

use super::array_walks::{ArrayWalks, JudgedViolation};
use super::begun::{ArrayOrigin, BegunArray, is_handed, is_read_behind};
use super::collect::{CollectedArray, Collector};
use super::conditions::{Conditions, StepCondition};
use super::directives::{DirectiveReader, FunctionDirectives, NotFollowed};
use super::endings::endings;
use super::explained::explained;
use super::file_directives::{first_plan, has_mappers, has_one_memory, names_a_device, semantics};
use super::file_lines::FileLines;
use super::findings::{FindingInFile, FindingWriter, scalar_findings};
use super::function_loops::FunctionLoops;
use super::function_steps::FunctionSteps;
use super::hand_survey::{CheckFor, HandSurvey};
use super::handed_items::HandedItems;
use super::mapping_state::MappingState;
use super::overlaps::overlapping;
use super::places::StepPlaces;
use super::step_graph::{Branches, LoopCounter, StepLoop};
use super::summary::summarised;
use super::transfers::TransferRecords;
use super::walk::{LoopEffects, ObservedEffects};
use crate::analysis::conditions::reader::ConditionReader;
use crate::analysis::function::FunctionModel;
use crate::analysis::module_pointers::ModulePointers;
use crate::analysis::movement::loop_symbols::{FunctionTerms, loops_of};
use crate::analysis::movement::problem::{LoopFacts, Terms};
use crate::analysis::movement::scope::NameScope;
use crate::openmp::map::Semantics;
use crate::plan::candidates::label;
use crate::plan::models::{LookedAt, each_function_callees_first};
use crate::plan::ways::branch;
use crate::plan::{FilePlan, FileText, Note};
use crate::program::graph::{NodeId, NodeKind};
use crate::program::ir::FuncId;
use crate::program::left_out::stands_for_other_builds;
use crate::rules::{Rule, RuleFinding, sentences};
use crate::source::Span;
use crate::symbolic::{Comparison, Expr, Facts, Section, SectionSet};
use crate::syntax::{ScopeTree, StmtId, StmtKind};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// Checks a program: what is wrong with the mappings of each of its files, as findings; nothing is to be written.
///
/// The numbers of this build are taken for what they are, those that other builds may choose as well: what is found is wrong with this one.
pub fn check_program(
    files: &[FileText<'_>],
    pointers: &ModulePointers<'_>,
    asked: CheckFor,
) -> Vec<Result<FilePlan, String>> {
    let other_builds = pointers
        .module()
        .functions
        .iter()
        .any(|f| stands_for_other_builds(&f.name));
    let in_this_build = |file: &FileText<'_>| file.tree.in_this_build(other_builds);
    let trees: Vec<ScopeTree> = files.iter().map(in_this_build).collect();
    let with_tree = files.iter().zip(&trees).map(|(file, tree)| FileText { tree, ..*file });
    let files: &[FileText<'_>] = &with_tree.collect::<Vec<_>>();
    if !names_a_device(files, pointers.module()) {
        return files.iter().map(|file| Ok(first_plan(file))).collect();
    }
    let mut checking = Checking {
        places: StepPlaces::default(),
        conditions: Conditions::default(),
        functions: FxHashMap::default(),
        observed: RefCell::default(),
        semantics: semantics(files),
        with_mappers: files.iter().map(has_mappers).collect(),
        one_memory: files.iter().map(has_one_memory).collect(),
        found: Vec::new(),
        transfers: TransferRecords::default(),
        handed: HandedItems::default(),
        survey: (asked == CheckFor::Replacing).then(HandSurvey::default),
        plans: files.iter().map(first_plan).collect(),
    };
    let lines = FileLines::new(files);
    let failed = each_function_callees_first(files, pointers, |looked| checking.function(&looked, &lines));
    checking.handed.finished(pointers.points_to(), &mut checking.transfers);
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
    /// The files that declare mappers.
    with_mappers: Vec<bool>,
    /// The files for which host and device have one memory.
    one_memory: Vec<bool>,
    /// What is wrong.
    found: Vec<JudgedViolation>,
    /// What becomes of copies.
    transfers: TransferRecords,
    handed: HandedItems,
    /// What could be planned anew, where that is asked for.
    survey: Option<HandSurvey>,
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
        if self.one_memory[looked.unit] {
            self.scalars(looked, lines);
            return;
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
            endings: &endings(model),
            text: inputs.file.text,
            unit: looked.unit,
            has_mappers: self.with_mappers[looked.unit],
        };
        let arrays = collector.collect();
        let steps = (!looked.recursive).then(|| summarised(inputs, &collector, &arrays));
        let mut survey = self.survey.take();
        for array in arrays.iter().filter(|a| a.graph.meets_device()) {
            let origin = ArrayOrigin::of(looked, array);
            // What code that is not known does decides what can be planned anew, and never what is wrong.
            let is_asked = survey.is_some() || array.graph.is_on_device();
            let begins = origin != ArrayOrigin::SeenCallers && is_asked;
            let walked = begins.then(|| self.begun(looked, array, &function_loops, origin));
            if let Some(survey) = &mut survey {
                survey.array(looked, array, origin);
            }
            if let Some(walked) = &walked {
                self.judge(walked);
                if let Some(survey) = &mut survey {
                    survey.begun(looked, &self.places, walked, self.walks(walked));
                }
            }
            if let Some(begun) = walked.filter(|_| origin == ArrayOrigin::Here && !array.is_apart_by_maps) {
                self.weigh(looked, &begun);
            } else if is_handed(looked, array) {
                self.handed.add(looked.id, &array.graph);
            } else {
                let items = array.graph.items();
                items.into_iter().for_each(|item| self.transfers.give_up(item));
            }
        }
        if let Some(survey) = &mut survey {
            survey.looked(looked, &directives, &arrays, &self.places);
        }
        self.survey = survey;
        self.handed
            .looked(looked.id, &arrays, model.points_to, &mut self.transfers);
        self.functions.extend(steps.map(|steps| (looked.id, steps)));
        self.overlaps(looked, &directives);
        self.scalars(looked, lines);
    }

    /// List items of one construct that share elements.
    fn overlaps(&mut self, looked: &LookedAt<'_>, directives: &FunctionDirectives) {
        let model = looked.inputs.model;
        let name = &model.tree.functions[model.tree_function].name;
        let overlaps = overlapping(model, directives).into_iter().map(|(span, base)| {
            let (rule, label) = (Rule::OverlappingItems, label(model, base));
            RuleFinding {
                span,
                rule,
                message: sentences::overlapping_items(&label),
                function: name.clone(),
                array: label,
                surely: !rule.is_harmless(),
                related: Vec::new(),
                fix: None,
            }
        });
        self.plans[looked.unit].findings.extend(overlaps);
    }

    /// What is wrong with the numbers of which kernels get copies.
    fn scalars(&mut self, looked: &LookedAt<'_>, lines: &FileLines<'_>) {
        let model = looked.inputs.model;
        let name = &model.tree.functions[model.tree_function].name;
        let related = |span: Span, message: &str| lines.of(looked.unit).related(span, message);
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
                let text = std::str::from_utf8(reader.model.text.get(cond.start..cond.end)?).ok()?;
                self.conditions
                    .read(text, reader, &NameScope::before(model, reader.macros, stmt)?)
            };
            let asked = said.map(|comparison| vec![StepCondition::of(comparison)]).or_else(read);
            found.extend(asked.map(|asked| (node, asked)));
        }
        found
    }

    /// An array that begins in a function, as its devices see it.
    fn begun<'a>(
        &mut self,
        looked: &LookedAt<'_>,
        collected: &'a CollectedArray,
        loops: &'a FunctionLoops<'a>,
        origin: ArrayOrigin,
    ) -> BegunArray<'a> {
        let (begun, note) = BegunArray::of(looked.inputs.model, collected, loops, origin);
        self.plans[looked.unit].remarks.extend(note);
        begun
    }

    /// The array's walks, one for each of its copies on devices.
    fn walks<'a>(&'a self, array: &'a BegunArray<'_>) -> impl Iterator<Item = ArrayWalks<'a>> {
        array.views.iter().map(|graph| ArrayWalks {
            graph,
            loops: array.loops,
            semantics: self.semantics,
            extent: array.collected.extent.as_ref(),
            observed: &self.observed,
        })
    }

    /// What is wrong with an array; of one that somebody hands over of whom nothing is known, what is wrong anyway.
    fn judge(&mut self, array: &BegunArray<'_>) {
        let found = self.walks(array).filter_map(|walks| match array.origin {
            ArrayOrigin::UnseenCallers => walks.violations_anyway(),
            ArrayOrigin::Here | ArrayOrigin::SeenCallers => walks.violations(&MappingState::absent()),
        });
        let found: Vec<JudgedViolation> = found.flatten().collect();
        self.found.extend(found);
    }

    /// Which copies of an array that begins in a function are of no use: where it has several copies on devices it is not followed what is of use for another one.
    fn weigh(&mut self, looked: &LookedAt<'_>, array: &BegunArray<'_>) {
        let mut transfers = std::mem::take(&mut self.transfers);
        let mut walks = self.walks(array);
        match (walks.next(), walks.next()) {
            (Some(only), None) => only.transfers(is_read_behind(looked, array.collected), &mut transfers),
            _ => array
                .collected
                .graph
                .items()
                .into_iter()
                .for_each(|item| transfers.give_up(item)),
        }
        drop(walks);
        self.transfers = transfers;
    }

    /// Says what was found, and what list items do.
    fn report(&mut self, lines: &FileLines<'_>) {
        let observed = self.observed.take();
        let writer = FindingWriter {
            places: &self.places,
            lines,
            transfers: &self.transfers,
            observed: &observed,
        };
        let wrong = self.found.iter().filter_map(|judged| writer.of_violation(judged));
        let useless = self.transfers.judged();
        let useless = useless.filter_map(|(step, useless)| writer.of_transfer(step, &useless));
        for FindingInFile { unit, finding } in wrong.chain(useless) {
            self.plans[unit].findings.push(finding);
        }
        let ends = |unit: usize, directive: Span| lines.of(unit).construct_end(directive);
        for (unit, item) in explained(&self.places, &observed, &ends) {
            self.plans[unit].explained.push(item);
        }
        if let Some(survey) = self.survey.take() {
            survey.report(&mut self.plans, &self.places, &self.transfers, &observed);
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
