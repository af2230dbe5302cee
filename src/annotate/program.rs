//! All loops of a program: the outermost parallel ones that are worth it become kernels, and each has its line.
//!
//! A function that a kernel calls runs on the device: its own loops stay as they are. So do those of functions that host
//! threads run.

use super::clauses::{Kernel, kernel};
use super::constant_pointers::ConstantPointers;
use super::decisions::decisions;
use super::describe::{describe, refusal};
use super::dialect;
use super::profit::{Indices, KernelsSoFar, Threshold, thresholds, with_size};
use super::surroundings::{called_in, obstacle, threaded};
use super::twin::twins;
use crate::analysis::dependence::{LoopVerdict, verdicts};
use crate::analysis::function::FunctionModel;
use crate::analysis::module_pointers::ModulePointers;
use crate::plan::file::FileFacts;
use crate::plan::models::each_function_of;
use crate::plan::{ChosenKernels, Decision, DecisionScope, EVERYTHING, FilePlan, FileText, Note, kernel_name};
use crate::program::ir::FuncId;
use crate::reasons::{Builds, Reason, Serial};
use crate::syntax::StmtId;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// What is said of a loop that is left as it is, before the reason.
const STAYS: &str = "this loop stays as it is: ";

/// What is to become of a function.
struct FunctionOutcome {
    id: FuncId,
    decisions: Vec<Decision>,
    remarks: Vec<Note>,
    /// Functions that kernels and host threads of it call, and what these call.
    elsewhere: Vec<FuncId>,
}

/// Decides which loops become kernels: a plan for each file; see [`crate::plan::plan_program`].
pub fn annotate_program(
    files: &[FileText<'_>],
    pointers: &ModulePointers<'_>,
    _: DecisionScope,
) -> Vec<Result<FilePlan, String>> {
    let obstacle = obstacle(files, pointers.module());
    let found = each_function_of(files, pointers, may_have_kernels, |_, file, model| {
        function(file, model)
    });
    let elsewhere: FxHashSet<FuncId> = found
        .iter()
        .flatten()
        .flatten()
        .flat_map(|f| f.elsewhere.iter().copied())
        .collect();
    let last: Vec<FuncId> = pointers.module().ending().collect();
    let after_runtime = pointers.points_to().call_graph().reachable_from(&last);
    let plans = found.into_iter().map(|functions| {
        let mut plan = FilePlan::default();
        for looked in functions {
            match looked {
                Ok(f) if obstacle.is_some() || elsewhere.contains(&f.id) || after_runtime.contains(&f.id) => {
                    let spans = f.decisions.iter().flat_map(|d| d.reasons.first()).map(|r| r.span);
                    let own = match elsewhere.contains(&f.id) {
                        true => Serial::CalledElsewhere,
                        false => Serial::AfterRuntime,
                    };
                    let why = obstacle.clone().unwrap_or(own).into();
                    plan.remarks.extend(spans.map(|span| Note::because(span, STAYS, &why)));
                    plan.remarks.extend(f.remarks);
                }
                Ok(f) => {
                    plan.decisions.extend(f.decisions);
                    plan.remarks.extend(f.remarks);
                }
                Err((span, reason)) => {
                    let note = Note::because(span, "the function here stays as it is: ", &reason);
                    plan.remarks.push(note);
                }
            }
        }
        plan.remarks.sort();
        plan.remarks.dedup();
        Ok(plan)
    });
    plans.collect()
}

/// Whether there is anything to say of a function of a file, by its number in the tree: where the kernels have been chosen, only what has some of them or
/// directives.
fn may_have_kernels(file: &FileFacts<'_>, function: usize) -> bool {
    let Some(chosen) = &file.options.kernels else {
        return true;
    };
    let name = &file.tree.functions[function].name;
    let of_function = Some(function as u32);
    let has_pragmas = || file.tree.pragmas.iter().any(|p| p.function == of_function);
    chosen.keys().any(|(of, _)| of == name) || !chosen.is_empty() && has_pragmas()
}

fn function(file: &FileFacts<'_>, model: &FunctionModel<'_>) -> FunctionOutcome {
    let mut found = FunctionOutcome {
        id: model.func,
        decisions: Vec::new(),
        remarks: Vec::new(),
        elsewhere: Vec::new(),
    };
    let verdicts = verdicts(model);
    let mut loops = LoopDecisions {
        model,
        pointers: ConstantPointers::of(model),
        file,
        verdicts: &verdicts,
        twins: twins(file.text, model),
        kernels: BTreeMap::new(),
        doubts: BTreeMap::new(),
    };
    let chosen = loops.choose();
    let mut kernels: Vec<StmtId> = model.constructs.launches.iter().map(|l| l.stmt).collect();
    kernels.extend(chosen.iter().copied());
    let made = chosen.iter().filter_map(|s| loops.kernels.remove(s)?.ok()).collect();
    found.decisions = decisions(file, model, made);
    for (&stmt, verdict) in &verdicts {
        let span = model.tree.stmt(stmt).span;
        let note = |reason: &Reason| Note::because(span, STAYS, reason).in_function(&model.function().name);
        if kernels.iter().any(|k| model.tree.encloses(*k, stmt)) {
            continue;
        }
        if let Some(twin) = loops.twins.keys().find(|t| model.tree.encloses(**t, stmt)) {
            if *twin == stmt {
                found.remarks.push(note(&Serial::Twin.into()));
            }
            continue;
        }
        let why = match (loops.doubts.remove(&stmt), loops.kernels.remove(&stmt)) {
            (Some(doubt), _) => doubt,
            (None, Some(Err(why))) => why.into(),
            _ => match verdict {
                LoopVerdict::Refused(refused) => refusal(model, refused).into(),
                LoopVerdict::Parallel(_) => {
                    let verdict = describe(model, verdict);
                    Serial::Possible { verdict }.into()
                }
            },
        };
        found.remarks.push(note(&why));
    }
    kernels.extend(threaded(model));
    found.elsewhere = called_in(model, &kernels);
    found
}

/// The loops of a function, while it is found out which become kernels.
struct LoopDecisions<'a, 'm> {
    model: &'a FunctionModel<'m>,
    /// The function's constant pointers.
    pointers: ConstantPointers<'m>,
    file: &'a FileFacts<'a>,
    verdicts: &'a BTreeMap<StmtId, LoopVerdict>,
    /// Loops that run in the place of kernels, with these.
    twins: BTreeMap<StmtId, StmtId>,
    /// What kernels would be written as, or why they cannot be, of loops that were looked at.
    kernels: BTreeMap<StmtId, Result<Kernel, Serial>>,
    /// Why kernels are not worth it.
    doubts: BTreeMap<StmtId, Reason>,
}

impl<'m> LoopDecisions<'_, 'm> {
    /// The outermost loops that can be kernels and are worth it. What is not worth it stays on the host, where it may use
    /// what other kernels work on; so the others are looked at again.
    fn choose(&mut self) -> BTreeSet<StmtId> {
        let indices = Indices::new(self.model);
        self.leave_out();
        if let Some(given) = self.file.options.kernels.clone() {
            return self.given(&given, &indices);
        }
        loop {
            let chosen = self.outermost();
            if self.file.options.all_loops {
                return chosen;
            }
            let kernels = self.of(&chosen, &indices);
            let thresholds = thresholds(&kernels);
            let doubts: Vec<(StmtId, Reason)> = chosen
                .iter()
                .filter(|s| !thresholds.contains_key(s))
                .filter_map(|s| Some((*s, kernels.doubt(*s)?.into())))
                .collect();
            if doubts.is_empty() {
                self.ask(thresholds);
                return chosen;
            }
            self.doubts.extend(doubts);
        }
    }

    /// Loops of which it is known that what would be written about them is not right everywhere, or for which comments switch this
    /// off, stay loops.
    fn leave_out(&mut self) {
        let (tree, off) = (self.model.tree, &self.file.kernels_off);
        let is_off = |stmt: &StmtId| off.iter().any(|off| off.part.overlaps(tree.stmt(*stmt).span));
        let switched_off: Vec<StmtId> = self.verdicts.keys().copied().filter(is_off).collect();
        let why = |stmt| (stmt, Serial::SwitchedOff.into());
        self.doubts.extend(switched_off.into_iter().map(why));
        let function = &self.model.function().name;
        let left_out = &self.file.options.left_out;
        let named = |name: String| left_out.contains(&(function.clone(), name));
        let all = named(EVERYTHING.into());
        let stay = self.verdicts.keys().filter(|s| all || named(kernel_name(**s)));
        self.doubts.extend(stay.map(|s| (*s, Builds::NotEverywhere.into())));
        let unwanted = &self.file.options.unwanted;
        let unwanted = self.verdicts.keys().filter(|s| unwanted.has_kernel(function, **s));
        self.doubts.extend(unwanted.map(|s| (*s, Serial::NotWanted.into())));
    }

    /// The loops that were chosen and can be kernels here, with the thresholds that were chosen.
    fn given(&mut self, given: &ChosenKernels, indices: &Indices<'m>) -> BTreeSet<StmtId> {
        let function = &self.model.function().name;
        let of = |stmt: &StmtId| given.get(&(function.clone(), *stmt));
        let others = self.verdicts.keys().filter(|s| of(s).is_none());
        self.doubts.extend(others.map(|s| (*s, Serial::NotChosen.into())));
        let chosen = self.outermost();
        let kernels = self.of(&chosen, indices);
        let threshold = |stmt: &StmtId| Some((*stmt, with_size(&kernels, *stmt, (*of(stmt)?)?)?));
        let thresholds = chosen.iter().filter_map(threshold).collect();
        self.ask(thresholds);
        chosen
    }

    /// Has kernels run on the device above these sizes only.
    fn ask(&mut self, thresholds: BTreeMap<StmtId, Threshold>) {
        for (stmt, threshold) in thresholds {
            if let Some(Ok(kernel)) = self.kernels.get_mut(&stmt) {
                kernel.only_above(threshold, self.model);
            }
        }
    }

    /// The loops among `chosen` that are parallel, with the kernels that are in the text already: what they make worth
    /// it, or not, must be the same when all of it is in the text.
    fn of<'b>(&'b self, chosen: &BTreeSet<StmtId>, indices: &'b Indices<'m>) -> KernelsSoFar<'b, 'm> {
        let written = self.model.constructs.launches.iter().map(|l| &l.stmt);
        let parallel = chosen
            .iter()
            .chain(written)
            .filter_map(|s| Some((*s, self.verdicts.get(s)?.parallel()?)));
        KernelsSoFar {
            model: self.model,
            indices,
            of: parallel.collect(),
            twins: &self.twins,
        }
    }

    fn outermost(&mut self) -> BTreeSet<StmtId> {
        let (model, pointers, file) = (self.model, &self.pointers, self.file);
        let written: BTreeSet<StmtId> = model.constructs.launches.iter().map(|l| l.stmt).collect();
        let mut chosen: BTreeSet<StmtId> = BTreeSet::new();
        for (&stmt, verdict) in self.verdicts {
            let LoopVerdict::Parallel(p) = verdict else { continue };
            let is_kernel = |s: StmtId| written.contains(&s) || chosen.contains(&s) || self.twins.contains_key(&s);
            if self.doubts.contains_key(&stmt) || model.tree.ancestors(stmt).any(is_kernel) {
                continue;
            }
            let found = self.kernels.entry(stmt).or_insert_with(|| {
                let kernel = kernel(model, pointers, file, stmt, p)?;
                dialect::adapted(file, model, kernel, p)
            });
            if found.is_ok() {
                chosen.insert(stmt);
            }
        }
        chosen
    }
}
