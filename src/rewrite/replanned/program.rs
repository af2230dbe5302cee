//! One program whose mappings by hand may be planned anew: without which of them it copies less, and what is handed out then.
//!
//! ```text
//! groups of arrays that share items ─► the program without their mappings ─► check ─┬► all of them gain: handed out
//!         ▲                                                                        └► some do not
//!         └──────────────────────── without those that do not ◄────────────────────────┘
//! ```

use super::bare_blocks::without_braces;
use super::bare_text::BareText;
use super::device_clauses::NamedDevices;
use super::kernel_lines::KernelLines;
use super::run::{Replanning, may_go};
use crate::facts::Dependency;
use crate::plan::{ArrayName, Decision, FilePlan, GoingItems, Note, ReplaceableMaps, head};
use crate::reasons::{HandWritten, Reason};
use crate::rewrite::chain::{After, FirstStep, Next, both_steps};
use crate::rewrite::checked::{CheckedProgram, checked};
use crate::rewrite::programs::PipelineFile;
use crate::rewrite::unit::{Outcome, Rewritten, Unit};
use crate::source::{EditSet, Span};
use crate::syntax::{ScopeTree, blank, token_spans};
use std::collections::BTreeSet;

/// What is expected to be copied has to become this much less, as a share of what it was.
const WORTH_IT: f64 = 0.95;

/// Programs are planned so often, each time without the mappings of fewer arrays.
const MOST_TRIES: usize = 4;

/// A program, by the places of its files among all, and what `check` says of each.
pub(super) struct HandMappedProgram<'r, 'a> {
    pub run: Replanning<'r, 'a>,
    pub files: Vec<(usize, FilePlan)>,
    /// What the text of each says of devices.
    pub devices: Vec<NamedDevices>,
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
    pub fn say_why_not(&self, rewritten: &mut Rewritten) {
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
    pub fn better(&self, rewritten: &Rewritten) -> Option<Vec<(usize, Outcome)>> {
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
        checked(given.collect(), self.run.services, &|_| true).ok()
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
