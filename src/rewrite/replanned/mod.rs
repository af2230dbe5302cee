//! Mappings by hand, planned anew: where the program moves less without the directives that somebody wrote, and with others in their places.
//!
//! ```text
//! text ─► check: which directives can go, as all reads are of current values? ─► text without them, kernels map by themselves
//!      ─► rewrite ─► new text ─► check: do its directives copy less? ─┬─► yes: kernels that map nothing of their own are written as they were
//!                                                                    └─► no: what `rewrite` makes of the text as it is
//! ```
//!
//! Somebody's directives are right, but not the best: a region in a time loop, `tofrom` for what is only read, an update of a whole array for one element. What they
//! do is what the program's own code asks for, if each read finds the newest value ([`crate::check`]); and what that asks for, `rewrite` finds out by itself, from
//! kernels that map all that they use ([`bare_text`]). So nothing has to be known about how to improve a directive.
//!
//! **Invariants.** Arrays that share directives' items are planned anew together or not at all. Without a gain for them nothing changes: what is copied is estimated by
//! one measure for both texts ([`FilePlan::expected_traffic`]).

mod bare_blocks;
mod bare_text;
mod device_clauses;
mod kernel_lines;

use super::chain::{After, FirstStep, Next, both_steps};
use super::checked::{CheckedProgram, checked};
use super::programs::PipelineFile;
use super::services::Services;
use super::unit::{GivenUnit, Outcome, Rewritten, Unit};
use crate::facts::{Dependency, UnitFacts};
use crate::llvm::{self, Input};
use crate::openmp::{ClauseKind, Directive};
use crate::plan::{
    ArrayName, Decision, FilePlan, GoingItems, HandDirectives, Note, PlanOptions, ReplaceableMaps, head,
};
use crate::reasons::{HandWritten, Reason};
use crate::source::{EditSet, Span};
use crate::syntax::{ScopeTree, blank, token_spans};
use bare_blocks::without_braces;
use bare_text::BareText;
use device_clauses::{NamedDevices, has_data};
use kernel_lines::KernelLines;
use std::collections::BTreeSet;

/// What is expected to be copied has to become this much less, as a share of what it was.
const WORTH_IT: f64 = 0.95;

/// Programs are planned so often, each time without the mappings of fewer arrays.
const MOST_TRIES: usize = 4;

/// A run whose files may have mappings by hand.
#[derive(Clone, Copy)]
pub(super) struct Replanning<'r, 'a> {
    pub units: &'r [(Unit<'a>, bool)],
    pub files: &'r [PipelineFile<'a>],
    pub services: &'r Services<'a>,
    /// What rewrites files.
    pub rewrite: &'r dyn for<'g> Fn(Vec<GivenUnit<'g>>) -> Rewritten,
}

/// Plans what was mapped by hand anew where that moves less than `rewritten`.
pub(super) fn replanned(run: Replanning<'_, '_>, rewritten: &mut Rewritten) {
    let is_whole = |(unit, _): &(Unit<'_>, bool)| unit.options.limits.is_empty() && unit.options.dumps.is_empty();
    if !run.units.iter().all(is_whole) || !run.files.iter().any(|f| run.could_change(f)) {
        return;
    }
    let good: Vec<usize> = { 0..run.units.len() }
        .filter(|at| rewritten.files[*at].is_ok())
        .collect();
    let given = good
        .iter()
        .map(|at| run.given(*at, run.units[*at].0.text, run.known(*at)));
    // Where nobody knows what the directives do, they stay.
    let Ok((programs, _)) = checked(given.collect(), run.services) else {
        return;
    };
    for program in programs {
        let mut files: Vec<(usize, FilePlan)> = program.files.into_iter().map(|(at, plan)| (good[at], plan)).collect();
        if !files.iter().all(|(at, _)| may_go(&run.units[*at].0.options.plan)) {
            files
                .iter_mut()
                .for_each(|(_, plan)| plan.replaceable = ReplaceableMaps::default());
        }
        let devices = files
            .iter()
            .map(|(at, _)| NamedDevices::of(run.units[*at].0.text))
            .collect();
        let program = HandMappedProgram { run, files, devices };
        match program.better(rewritten) {
            Some(better) => {
                for (at, outcome) in better {
                    rewritten.files[at] = Ok(outcome);
                }
            }
            None => program.say_why_not(rewritten),
        }
    }
}

/// Whether directives that somebody wrote may go: what is estimated is no promise that no path copies more.
fn may_go(options: &PlanOptions) -> bool {
    options.hand_directives == HandDirectives::MayGo && options.speculate
}

impl<'a> Replanning<'_, 'a> {
    /// Whether a file has directives that another plan could do without, or that name a device.
    fn could_change(&self, file: &PipelineFile<'_>) -> bool {
        let may_go = may_go(&file.unit.options.plan);
        let mut directives = file
            .read
            .tree()
            .pragmas
            .iter()
            .filter_map(|p| Directive::parse(&p.text));
        let names_device = |d: &Directive| d.clauses.iter().any(|c| matches!(c.kind, ClauseKind::Device { .. }));
        directives.any(|d| names_device(&d) || (may_go && has_data(&d)))
    }

    fn given<'t>(&self, at: usize, text: &'t [u8], facts: Option<UnitFacts>) -> GivenUnit<'t>
    where
        'a: 't,
    {
        let (unit, context) = self.units[at];
        GivenUnit {
            unit: Unit { text, ..unit },
            facts,
            context,
        }
    }

    fn read(&self, at: usize) -> Option<&PipelineFile<'a>> {
        self.files.iter().find(|f| f.at == at)
    }

    /// What is known of a file as it is.
    fn known(&self, at: usize) -> Option<UnitFacts> {
        self.read(at).map(PipelineFile::facts)
    }

    /// Whether clang accepts a text in a file's place.
    fn accepts(&self, at: usize, text: &[u8]) -> bool {
        let unit = self.units[at].0;
        let input = Input::text(unit.path, text);
        llvm::syntax_only(&unit.options.clang, &input, &unit.options.compile, true).is_ok()
    }
}

/// A program, by the places of its files among all, and what `check` says of each.
struct HandMappedProgram<'r, 'a> {
    run: Replanning<'r, 'a>,
    files: Vec<(usize, FilePlan)>,
    /// What the text of each says of devices.
    devices: Vec<NamedDevices>,
}

/// A program planned anew: its files in their order.
struct ProgramForm(Vec<FileForm>);

/// A file of a program that was planned anew, and what `check` says of it.
struct FileForm {
    outcome: Outcome,
    plan: FilePlan,
    tree: ScopeTree,
}

impl HandMappedProgram<'_, '_> {
    /// Whether all that would change is the program's own text, and it is known what to do with its devices.
    fn can_change(&self) -> bool {
        let devices = &self.devices;
        let names_one = devices.iter().any(|d| matches!(d, NamedDevices::One(_)));
        let has_directives = self.files.iter().any(|(_, plan)| !plan.replaceable.items.is_empty());
        let are_one = devices
            .iter()
            .all(|one| devices.iter().all(|other| one.goes_with(other)));
        let is_ours = |((at, plan), devices): (&(usize, FilePlan), &NamedDevices)| {
            let changes = !plan.replaceable.is_empty() || matches!(devices, NamedDevices::One(_));
            !changes || !self.run.units[*at].1
        };
        // What stands in headers stays as it is.
        let in_headers = self.files.iter().filter_map(|(at, _)| self.run.read(*at));
        let mut in_headers = in_headers.filter(|file| !file.read.headers.is_empty() || !file.read.bodies.is_empty());
        (names_one || has_directives)
            && are_one
            && self.files.iter().zip(devices).all(is_ours)
            && (!names_one || in_headers.next().is_none())
    }

    /// Says of directives that stay, where they may go, why they do.
    fn say_why_not(&self, rewritten: &mut Rewritten) {
        let is_managed = HandWritten::Managed {
            directive: String::new(),
        };
        let id = Reason::from(is_managed).kind().id;
        for (at, plan) in &self.files {
            let unit = self.run.units[*at].0;
            let Ok(outcome) = &mut rewritten.files[*at] else {
                continue;
            };
            if !may_go(&unit.options.plan) {
                continue;
            }
            let could_go = plan
                .replaceable
                .items
                .iter()
                .map(|item| head(unit.text, item.directive));
            let could_go: Vec<String> = could_go.collect();
            for remark in outcome.remarks.iter_mut().filter(|r| r.id.as_deref() == Some(id)) {
                let Some((about, rest)) = remark.message.split_once("the directive `") else {
                    continue;
                };
                let Some((directive, _)) = rest.rsplit_once('`') else {
                    continue;
                };
                let directive = directive.to_owned();
                let why = match could_go.contains(&directive) {
                    true => HandWritten::NoLess { directive },
                    false => HandWritten::MayMatter { directive },
                };
                let said = Note::because(remark.span, about, &why.into());
                (remark.message, remark.id) = (said.message, said.id);
            }
        }
    }

    /// The program's outcomes where it moves less with other directives.
    fn better(&self, rewritten: &Rewritten) -> Option<Vec<(usize, Outcome)>> {
        if !self.can_change() {
            return None;
        }
        let names_one = self.devices.iter().any(|d| matches!(d, NamedDevices::One(_)));
        let mut groups: BTreeSet<usize> = self
            .files
            .iter()
            .flat_map(|(_, p)| &p.replaceable.arrays)
            .map(|a| a.group)
            .collect();
        for _ in 0..MOST_TRIES {
            let form = self.without(&groups)?;
            let gaining: BTreeSet<usize> = groups.iter().copied().filter(|g| self.gains(*g, &form)).collect();
            if gaining == groups {
                return self
                    .is_better(rewritten, &form)?
                    .then(|| self.finished(form, &groups))?;
            }
            groups = gaining;
            if groups.is_empty() && !names_one {
                return None;
            }
        }
        None
    }

    /// The program planned without the mappings of some groups of arrays; `None` where that cannot be, or would be wrong.
    fn without(&self, groups: &BTreeSet<usize>) -> Option<ProgramForm> {
        let outcomes = self.with_devices(self.second_step(groups)?)?;
        let (checked, read) = self.checked(&self.with_texts(&outcomes))?;
        let mut plans: Vec<(usize, FilePlan)> = checked.into_iter().flat_map(|program| program.files).collect();
        plans.sort_by_key(|(index, _)| *index);
        let mut findings = plans.iter().flat_map(|(_, plan)| &plan.findings);
        let is_wrong = findings.any(|f| f.surely && !f.rule.is_advice());
        if is_wrong || plans.iter().any(|(_, plan)| plan.devices_mixed) {
            return None;
        }
        let trees = read.iter().map(|file| (file.at, file.read.tree().clone()));
        let mut trees: Vec<(usize, ScopeTree)> = trees.collect();
        trees.sort_by_key(|(index, _)| *index);
        let files = outcomes.into_iter().zip(plans).zip(trees);
        Some(ProgramForm(
            files
                .map(|((outcome, (_, plan)), (_, tree))| FileForm { outcome, plan, tree })
                .collect(),
        ))
    }

    /// Whether less is expected to be copied of a group's arrays in another form of the program.
    fn gains(&self, group: usize, form: &ProgramForm) -> bool {
        let arrays = self.files.iter().flat_map(|(_, plan)| &plan.replaceable.arrays);
        let names: BTreeSet<&ArrayName> = arrays.filter(|a| a.group == group).map(|a| &a.name).collect();
        let of_group = |plans: &mut dyn Iterator<Item = &FilePlan>| -> u64 {
            let traffic = plans.flat_map(|plan| &plan.expected_traffic);
            traffic.filter(|t| names.contains(&t.of)).map(|t| t.bytes).sum()
        };
        let before = of_group(&mut self.files.iter().map(|(_, plan)| plan));
        let after = of_group(&mut form.0.iter().map(|file| &file.plan));
        (after as f64) < before as f64 * WORTH_IT
    }

    /// Whether less is expected to be copied than by what became of the program with all its directives. Where that is another text than before, it is enough that
    /// not more is: directives that are of no use any more are gone then.
    fn is_better(&self, rewritten: &Rewritten, form: &ProgramForm) -> Option<bool> {
        let mut files = self.files.iter().map(|(at, _)| &rewritten.files[*at]);
        let changes = files.any(|file| file.as_ref().is_ok_and(|o| o.new_text.is_some()));
        let share = if changes { 1.0 } else { WORTH_IT };
        let least = traffic_of(&mut form.0.iter().map(|file| &file.plan));
        Some(least as f64 <= self.traffic_of(rewritten)? as f64 * share)
    }

    /// What is handed out of a form without the mappings of some groups.
    fn finished(&self, form: ProgramForm, groups: &BTreeSet<usize>) -> Option<Vec<(usize, Outcome)>> {
        let run = self.run;
        let mut better = Vec::new();
        for ((at, plan), file) in self.files.iter().zip(form.0) {
            let original = run.units[*at].0.text;
            let gone = plan.replaceable.of_groups(groups);
            let FileForm {
                mut outcome,
                plan,
                tree,
            } = file;
            let lines = KernelLines {
                original: (original, run.read(*at)?.read.tree()),
                new: (outcome.new_text.as_deref().unwrap_or(original), &tree),
                changed: &gone.kernels,
                explained: &plan.explained,
            };
            let text = without_braces(lines.as_they_were()?)?;
            if words(&text) != words(original) {
                return None;
            }
            outcome.new_text = (text != original).then_some(text);
            outcome.edits = EditSet::new();
            if outcome.new_text.as_ref().is_some_and(|text| !run.accepts(*at, text)) {
                return None;
            }
            outcome.decisions.extend(said_of(original, &gone));
            outcome.bound = self.files.len() > 1 && outcome.new_text.is_some();
            better.push((*at, outcome));
        }
        Some(better)
    }

    /// What comes of the program's files without the directives.
    fn second_step(&self, groups: &BTreeSet<usize>) -> Option<Vec<Outcome>> {
        let run = self.run;
        let bare = |((at, plan), devices): (&(usize, FilePlan), &NamedDevices)| {
            let text = BareText {
                text: run.units[*at].0.text,
                tree: run.read(*at)?.read.tree(),
                devices,
            };
            let edits = text.edits(&plan.replaceable.of_groups(groups))?;
            Some(Ok(Outcome {
                new_text: (!edits.is_empty()).then(|| edits.apply(text.text)),
                edits,
                ..Outcome::default()
            }))
        };
        let first = Rewritten {
            files: self.files.iter().zip(&self.devices).map(bare).collect::<Option<_>>()?,
            problems: Vec::new(),
            unknown: Vec::new(),
            notes: Vec::new(),
        };
        let units: Vec<(Unit<'_>, bool)> = self.files.iter().map(|(at, _)| run.units[*at]).collect();
        let included = |unit: &Unit<'_>| {
            let hash = blake3::hash(unit.text);
            let mut read = run.files.iter().flat_map(|f| &f.read.dependencies);
            read.any(|d: &Dependency| d.path.file_name() == unit.path.file_name() || d.hash == Some(hash))
        };
        let facts = |index: usize, first: &Outcome| {
            let (at, _) = self.files[index];
            // What a directive evaluates that is gone, the compiler has been told of.
            first.new_text.is_none().then(|| run.known(at)).flatten()
        };
        let known = FirstStep {
            included: &included,
            facts: &facts,
        };
        let next = Next {
            after: After::OwnMaps,
            rewrite: run.rewrite,
        };
        both_steps(&units, &first, &known, &next).ok()
    }

    /// Outcomes of a program that names no device, with the device that its directives name.
    fn with_devices(&self, mut outcomes: Vec<Outcome>) -> Option<Vec<Outcome>> {
        for ((outcome, (at, _)), devices) in outcomes.iter_mut().zip(&self.files).zip(&self.devices) {
            if let (NamedDevices::One(clauses), Some(text)) = (devices, &outcome.new_text) {
                outcome.new_text = Some(clauses.shown(self.run.units[*at].0.text, text)?);
            }
        }
        Some(outcomes)
    }

    /// The program's files with their texts in some outcomes.
    fn with_texts<'t>(&'t self, outcomes: &'t [Outcome]) -> Vec<(usize, &'t [u8])> {
        let each = self.files.iter().zip(outcomes);
        let text = |((at, _), outcome): (&(usize, FilePlan), &'t Outcome)| {
            let own = self.run.units[*at].0.text;
            (*at, outcome.new_text.as_deref().unwrap_or(own))
        };
        each.map(text).collect()
    }

    /// What `check` says of the program with other texts, its files numbered in their order.
    fn checked<'t>(&'t self, texts: &[(usize, &'t [u8])]) -> Option<(Vec<CheckedProgram>, Vec<PipelineFile<'t>>)> {
        let given = texts.iter().map(|(at, text)| {
            let is_own = *text == self.run.units[*at].0.text;
            let facts = is_own.then(|| self.run.known(*at)).flatten();
            self.run.given(*at, text, facts)
        });
        checked(given.collect(), self.run.services).ok()
    }

    /// What the program is expected to copy as it was rewritten.
    fn traffic_of(&self, rewritten: &Rewritten) -> Option<u64> {
        let outcomes = self
            .files
            .iter()
            .map(|(at, _)| rewritten.files[*at].as_ref().ok().cloned());
        let outcomes: Vec<Outcome> = outcomes.collect::<Option<_>>()?;
        if outcomes.iter().all(|outcome| outcome.new_text.is_none()) {
            return Some(traffic_of(&mut self.files.iter().map(|(_, plan)| plan)));
        }
        let (programs, _) = self.checked(&self.with_texts(&outcomes))?;
        let mut plans = programs.iter().flat_map(|program| &program.files).map(|(_, plan)| plan);
        Some(traffic_of(&mut plans))
    }
}

/// What the arrays of some files are expected to copy.
fn traffic_of(plans: &mut dyn Iterator<Item = &FilePlan>) -> u64 {
    plans
        .flat_map(|plan| &plan.expected_traffic)
        .map(|traffic| traffic.bytes)
        .sum()
}

/// The tokens of a text that directives have nothing to do with: neither pragmas nor what makes blocks.
fn words(text: &[u8]) -> Vec<Vec<u8>> {
    let blanked = blank(text, &[]).text;
    let tokens = token_spans(&blanked, Span::new(0, blanked.len())).into_iter();
    let tokens = tokens.map(|token| blanked[token.start..token.end].to_vec());
    tokens
        .filter(|token| !matches!(token.as_slice(), b"{" | b"}" | b";" | b"else"))
        .collect()
}

/// What is said of the directives that are gone.
fn said_of(text: &[u8], gone: &ReplaceableMaps) -> Option<Decision> {
    let note = |GoingItems { directive, items, all }: GoingItems<'_>| {
        let pragma = String::from_utf8_lossy(text.get(directive.start..directive.end).unwrap_or_default());
        let words: Vec<&str> = pragma.split_whitespace().filter(|word| *word != "\\").collect();
        let what = match all {
            true => String::new(),
            false => format!(" for `{}`", items.join("`, `")),
        };
        let message = format!("`{}` is planned anew{what}: less is copied", words.join(" "));
        Note::new(directive, message)
    };
    let reasons: Vec<Note> = gone.going().into_iter().map(note).collect();
    (!reasons.is_empty()).then(|| Decision {
        function: String::new(),
        changes: Vec::new(),
        reasons,
        structs: Vec::new(),
        for_callers: false,
    })
}
