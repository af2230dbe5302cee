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
use crate::plan::{Decision, FilePlan, FormTraffic, GoingItems, Note, ReplaceableMaps, directive_head};
use crate::reasons::{HandWritten, Reason};
use crate::rewrite::chain::{After, FirstStep, Next, both_steps};
use crate::rewrite::checked::{CheckRequest, CheckedProgram, checked};
use crate::rewrite::programs::{PipelineFile, is_included};
use crate::rewrite::unit::{Outcome, Rewritten, Unit};
use crate::source::{EditSet, Span};
use crate::syntax::{ScopeTree, blank, token_spans};
use std::collections::{BTreeMap, BTreeSet};

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

impl ProgramForm {
    fn traffic(&self) -> FormTraffic {
        FormTraffic::of(self.0.iter().map(|file| &file.plan))
    }
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
                .map(|item| directive_head(unit.text, item.directive));
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
        let arrays = self.files.iter().flat_map(|(_, p)| &p.replaceable.arrays);
        let mut groups: BTreeSet<usize> = arrays.map(|a| a.group).collect();
        let unwanted = self.unwanted();
        groups.retain(|group| !unwanted.contains(group));
        if groups.is_empty() && !unwanted.is_empty() {
            return None;
        }
        for _ in 0..MOST_TRIES {
            let form = self.without(&groups)?;
            let gaining = self.gaining(&groups, &form);
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

    /// The groups of arrays that have directives which the user wants to keep.
    fn unwanted(&self) -> BTreeSet<usize> {
        let of_file = |(at, plan): &(usize, FilePlan)| {
            let (unit, tree) = (self.run.units[*at].0, self.run.read(*at).map(|file| file.read.tree()));
            let stays = |directive: Span| {
                let function = tree.map_or("", |tree| function_around(tree, directive));
                unit.options.plan.unwanted.has_directives(function)
            };
            let items = plan.replaceable.items.iter().filter(|item| stays(item.directive));
            items.map(|item| item.group).collect::<Vec<_>>()
        };
        self.files.iter().flat_map(of_file).collect()
    }

    /// The program planned without the mappings of some groups of arrays; `None` where that cannot be, or would be wrong.
    fn without(&self, groups: &BTreeSet<usize>) -> Option<ProgramForm> {
        let outcomes = self.with_devices(self.second_step(groups)?)?;
        let texts: Vec<Option<&[u8]>> = outcomes.iter().map(|o| o.new_text.as_deref()).collect();
        let (checked, read) = self.checked(&texts)?;
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

    /// The groups of arrays of which less is copied in another form of the program.
    fn gaining(&self, groups: &BTreeSet<usize>, form: &ProgramForm) -> BTreeSet<usize> {
        let before = FormTraffic::of(self.files.iter().map(|(_, plan)| plan));
        let after = form.traffic();
        let gains = |group: &usize| {
            let arrays = self.files.iter().flat_map(|(_, plan)| &plan.replaceable.arrays);
            let names = arrays.filter(|a| a.group == *group).map(|a| &a.name);
            after.gains(&before, &names.collect())
        };
        groups.iter().copied().filter(gains).collect()
    }

    /// Whether a form of the program is better than what became of it with all its directives.
    fn is_better(&self, rewritten: &Rewritten, form: &ProgramForm) -> Option<bool> {
        let texts = self.files.iter().map(|(at, _)| rewritten.files[*at].as_ref().ok());
        let texts = texts.map(|outcome| Some(outcome?.new_text.as_deref()));
        let texts: Vec<Option<&[u8]>> = texts.collect::<Option<_>>()?;
        let changes = texts.iter().any(Option::is_some);
        let kept = match changes {
            true => {
                let (programs, _) = self.checked(&texts)?;
                let plans = programs.iter().flat_map(|program| &program.files);
                FormTraffic::of(plans.map(|(_, plan)| plan))
            }
            false => FormTraffic::of(self.files.iter().map(|(_, plan)| plan)),
        };
        Some(form.traffic().is_better(&kept, changes))
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
            outcome
                .decisions
                .extend(said_of(original, run.read(*at)?.read.tree(), &gone));
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
        let included = |unit: &Unit<'_>| is_included(run.files, unit);
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
            after: match groups.is_empty() {
                true => After::HiddenDevice,
                false => After::OwnMaps,
            },
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

    /// What `check` says of the program with other texts where there are some, its files numbered in their order.
    fn checked<'t>(&'t self, texts: &[Option<&'t [u8]>]) -> Option<(Vec<CheckedProgram>, Vec<PipelineFile<'t>>)> {
        let given = self.files.iter().zip(texts).map(|((at, _), text)| match text {
            Some(text) => self.run.given(*at, text, None),
            None => self.run.given(*at, self.run.units[*at].0.text, self.run.known(*at)),
        });
        checked(given.collect(), self.run.services, &CheckRequest::REPLACING).ok()
    }
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

/// The name of the function that a part of a text is in.
fn function_around(tree: &ScopeTree, part: Span) -> &str {
    let mut functions = tree.functions.iter();
    functions
        .find(|function| function.span.encloses(part))
        .map_or("", |function| function.name.as_str())
}

/// What is said of the directives that are gone, by function.
fn said_of(text: &[u8], tree: &ScopeTree, gone: &ReplaceableMaps) -> Vec<Decision> {
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
    let mut by_function: BTreeMap<&str, Vec<Note>> = BTreeMap::new();
    for going in gone.going() {
        let function = function_around(tree, going.directive);
        by_function.entry(function).or_default().push(note(going));
    }
    let decision = |(function, reasons): (&str, Vec<Note>)| Decision {
        function: function.to_owned(),
        changes: Vec::new(),
        reasons,
        structs: Vec::new(),
        for_callers: false,
    };
    by_function.into_iter().map(decision).collect()
}
