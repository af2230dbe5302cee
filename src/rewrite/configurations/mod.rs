//! What is written means the same for every value that macros can be given (R12).
//!
//! ```c
//! #ifndef N
//! #define N 1000
//! #endif
//! …
//! for (int i = k + 1; i < N; i++) b[i] = 0;     /* update to(b[k+1:N-1-k]), and not b[k+1:999-k] */
//! ```
//!
//! The compiler knows no names, only what they are worth, so nothing in a plan says where a number comes from. It is found out
//! by planning the program again with other numbers in the place of those that a macro, an enumerator or a variable gives
//! ([`numbers`]): a *sample* ([`shifts`], [`samples`]). Plans are compared array by array and kernel by kernel ([`texts`], [`spelling`]).
//!
//! - What is written alike in all of them does not depend on these numbers. What numbers are left, the source says itself.
//! - Where only numbers differ, they are written by names that differ in the same way ([`solve`]).
//! - Anything else rests on what a number happens to be. Such an array is left out, in all of them, and the program is planned
//!   again; so is an array with a number that no name explains. First only copies of parts of it are left out (`whole_only`).
//!   A loop that would become a kernel stays a loop ([`left`]).
//! - What only samples write, for callers that keep an array on the device, is missing here: what these keep in this build rests on there being
//!   nothing to write ([`texts::kept_only_in`]). Callers do not keep such an array over calls of the function, in any of them.
//!
//! What is written besides may be the very reason why plans of an array differ: a residency of another one, say, that a caller
//! could keep in its place. So where something was left out, the text that comes of it is rewritten once more, as if it had been
//! on the disk ([`super::chain`]), until nothing changes any more.
//!
//! So the text that is handed out is the plan of each sample, with the values of that sample. That goes for what proofs rest
//! on, too: whether a loop runs, whether a host write meets what a kernel reads, which map types are enough.
//!
//! In one of them numbers are smaller: a loop over `N` elements covers `double a[400]` where `N` is 400, and not where it is 399. Larger numbers
//! lose more in it, and gain more in others: where `i < ROWS - 2` ends with `a[N]`, it ends before it in the one and behind it in the others.
//!
//! A number that the source says itself may be the larger of two in this build alone, or the smaller: one kernel uses twelve elements and
//! another `ROWS`, which is 4, and `update to(a[0:12])` is enough for both. So in one sample macros are larger than such numbers, and in
//! one they are smaller ([`order`]), but for those that lengths of arrays follow ([`lengths`]). In the latter the larger one of two macros
//! is the smaller one: a loop up to `LAST` may meet one from `START` on in another build.
//!
//! A few numbers are not all: so what is planned is also checked in the program with macros of which nothing is known ([`unknown`]).
//!
//! Where kernels run under conditions (`if(n > 10000)`), there are samples in which these come out the other way.
//!
//! Of a large program a sample reads only those files again that plans may rest on ([`again`]).
//!
//! **Loops that become kernels.** Whether a loop is worth a kernel depends on sizes. That is decided once, for the program as it
//! is, and so is from which size on a kernel runs on the device; samples have the loops that were chosen and no others
//! ([`PlanOptions::kernels`]). What differs between them is then what the kernels say: clauses, maps and tests.
//!
//! **Loops that another build may leave out.** Samples have no number so small that loops with kernels in them do not run, but no plan
//! rests on the numbers of iterations of loops whose heads have names for them (`syntax::trips`), nor on what callers pass for
//! a parameter.
//!
//! **Limits.** What an order of numbers decides is checked for all values of macros but those that lengths of arrays follow, and a few
//! others ([`unknown`]); for these a few samples are a few samples, and a number that matters beyond them is not noticed. That is so for a
//! literal of more than 256 that no text says and macros pass, for one that only a macro which arrays are as long as is smaller than, and for
//! lengths in an order that no sample has. Where no sample can be compiled in which some name has another number (`#error`
//! unless a size is one of two), nothing with a number in it is written, for nobody knows where the number comes from.

mod again;
mod constants;
mod declared;
mod factors;
mod left;
mod lengths;
mod literals;
mod numbers;
mod order;
mod program_texts;
mod samples;
mod shifts;
mod solve;
mod spelling;
mod texts;
mod unknown;
mod unknown_numbers;
mod words;

use super::member::Member;
use super::planner::Planner;
use crate::analysis::module_pointers::ModulePointers;
use crate::panics;
use crate::plan::{ChosenKernels, ChosenResidencies, DecisionScope, FilePlan, FileText, Note, PlanOptions};
use crate::program::ir::Module;
use crate::reasons::Builds;
use crate::source::Span;
use constants::NumberNames;
use left::{LeftOutPlans, without_kernels};
use program_texts::ProgramTexts;
use samples::{Asking, Sample, SampleFile, SamplePurpose};
use shifts::Varied;
use spelling::{Spelling, write};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use texts::{TextOwner, chosen_kernels, entries};
use words::TextWords;

/// How often arrays are left out and the rest is planned again, before whole functions are.
const MOST_ROUNDS: usize = 4;

type Plans = Vec<Result<FilePlan, String>>;

/// What has been chosen for a file already, where it is planned with other numbers.
#[derive(Clone, Default)]
struct EarlierChoices {
    kernels: Option<Arc<ChosenKernels>>,
    residencies: Option<Arc<ChosenResidencies>>,
}

/// What plans a program.
pub(super) struct Planning<'a, 'm> {
    pub members: &'a [Member<'m>],
    pub pointers: &'a ModulePointers<'m>,
    pub planner: Planner,
    pub scope: DecisionScope,
}

impl Planning<'_, '_> {
    /// The program as it is.
    fn module(&self) -> &Module {
        self.pointers.module()
    }

    /// The plans of the program's files, in which numbers of other configurations are written by name.
    pub fn plans(&self) -> Plans {
        let mut left = LeftOutPlans::nothing(self.members.len());
        let mut plans = self.own(&left);
        if !writes(&plans) {
            return plans;
        }
        for _ in 0..MOST_ROUNDS {
            let undeclared = self.undeclared(&plans);
            if undeclared.iter().all(BTreeSet::is_empty) {
                break;
            }
            left.add_undeclared(undeclared);
            plans = self.own(&left);
        }
        let texts = self.texts();
        let (names, more) = (self.varied(&texts, false), self.varied(&texts, true));
        let mut again = self.read_again(&plans);
        let sampled = |again: &[bool], asked: Asking, before: Vec<Sample>| match names.is_empty() {
            true => Vec::new(),
            false => self.samples(&names, &texts, again, asked, before),
        };
        let mut asked = Asking {
            asked: SamplePurpose::Plans,
            past: self.to_pass(&names, &texts),
        };
        let mut samples = sampled(&again, asked, Vec::new());
        let mut constants = self.constants(&samples, &names, &texts, &again);
        let mut unknown = None;
        for round in 0.. {
            let chosen = self.chosen(&plans);
            let others = self.others(&samples, &left, &chosen);
            let mut settled = plans.clone();
            let mut refused = match names.is_empty() {
                true => Vec::new(),
                false => self.settle(&mut settled, &others, &constants),
            };
            let doubt = constants.iter().map(|c| c.doubt.get()).max().unwrap_or_default();
            let past = constants.iter().filter_map(NumberNames::never_passed).max();
            if let Some(more) = asked.after(doubt, past).filter(|_| round <= MOST_ROUNDS) {
                asked = more;
                samples = sampled(&again, asked, samples);
                constants = self.constants(&samples, &names, &texts, &again);
                continue;
            }
            if !names.is_empty() && self.planner == Planner::Movement && refused.iter().all(BTreeSet::is_empty) {
                let sample = unknown.get_or_insert_with(|| self.unknown(&texts, &again));
                refused = sample
                    .as_ref()
                    .map_or_else(Vec::new, |s| self.rests_on_values(&settled, &left, s));
            }
            if refused.iter().all(BTreeSet::is_empty) {
                // No build has other values of variables: they are only names for what is right already.
                if more != names && settled.iter().flatten().any(says_numbers) {
                    let with_variables = self.samples(&more, &texts, &again, SamplePurpose::Names.into(), Vec::new());
                    let more = self.others(&with_variables, &left, &chosen);
                    let all: Vec<Sample> = samples.into_iter().chain(with_variables).collect();
                    let others: Vec<Plans> = others.into_iter().chain(more).collect();
                    self.name_variables(
                        &plans,
                        &mut settled,
                        &others,
                        &self.constants(&all, &names, &texts, &again),
                    );
                }
                let unsettled = self.planner == Planner::Movement && !left.is_nothing();
                settled.iter_mut().flatten().for_each(|plan| plan.unsettled = unsettled);
                return settled;
            }
            if round > MOST_ROUNDS {
                return self.last(plans, &others, &constants, refused);
            }
            match left.plain || self.planner == Planner::Movement {
                true => left.add(refused, round + 1 >= MOST_ROUNDS),
                false => left.plain = true,
            }
            plans = self.own(&left);
            if !writes(&plans) {
                return plans;
            }
            // Where a kernel is left out, a loop of another file may become one.
            if plans.iter().zip(&again).any(|(plan, again)| writes_to(plan) && !again) {
                again.fill(true);
                unknown = None;
                samples = sampled(&again, asked, Vec::new());
                constants = self.constants(&samples, &names, &texts, &again);
            }
        }
        plans
    }

    /// The names of numbers that may be other ones, those of variables that nothing changes among them or not.
    fn varied(&self, texts: &ProgramTexts<'_>, unchanged: bool) -> Varied {
        let mut names = shifts::varied(texts, self.members.iter().map(|m| m.unit.options), unchanged);
        names.retain(|name, _| texts.is_used(name));
        names
    }

    /// The plans of samples. What cannot be planned has no plan, so that nothing is like it.
    fn others(&self, samples: &[Sample], left: &LeftOutPlans, chosen: &[EarlierChoices]) -> Vec<Plans> {
        let planned = samples
            .iter()
            .map(|s| self.planned(&s.pieces(self.members), &self.pointers_of(s), left, chosen));
        let or_none = |plans: Plans| plans.into_iter().map(|plan| Ok(plan.unwrap_or_default())).collect();
        planned.map(or_none).collect()
    }

    /// The plans of the program as it is.
    fn own(&self, left: &LeftOutPlans) -> Plans {
        let own: Vec<SampleFile<'_>> = self.members.iter().map(SampleFile::of_member).collect();
        self.planned(&own, self.pointers, left, &vec![EarlierChoices::default(); own.len()])
    }

    /// The loops of each file that become kernels, where this is what is planned.
    fn chosen(&self, plans: &Plans) -> Vec<EarlierChoices> {
        let chosen = plans.iter().map(|plan| {
            let plan = plan.as_ref().ok().filter(|_| self.planner == Planner::Kernels);
            EarlierChoices {
                kernels: plan.map(|plan| Arc::new(chosen_kernels(plan))),
                residencies: None,
            }
        });
        chosen.collect()
    }

    /// Whatever says names, by file, that another build may not have.
    fn undeclared(&self, plans: &Plans) -> Vec<BTreeSet<TextOwner>> {
        let both = self.members.iter().zip(plans);
        let undeclared = both.map(|(member, plan)| match plan {
            Ok(plan) => declared::undeclared(member.unit.text, member.read.tree(), plan),
            Err(_) => BTreeSet::new(),
        });
        undeclared.collect()
    }

    /// Where the pointers of a sample lead: numbers may decide about that, too.
    fn pointers_of<'s>(&self, sample: &'s Sample) -> ModulePointers<'s> {
        self.pointers.with_other_numbers(&sample.module, &sample.pointers)
    }

    /// The plans of the program as it is, or of a sample of it.
    fn planned(
        &self,
        pieces: &[SampleFile<'_>],
        pointers: &ModulePointers<'_>,
        left: &LeftOutPlans,
        chosen: &[EarlierChoices],
    ) -> Plans {
        let left_out = left.owners.iter().zip(&left.whole).zip(chosen);
        let options = pieces
            .iter()
            .zip(left_out)
            .map(|(piece, ((left_out, whole), chosen))| PlanOptions {
                left_out: Arc::new(left_out.clone()),
                whole_only: Arc::new(whole.clone()),
                plain_numbers: left.plain,
                kernels: chosen.kernels.clone(),
                residencies: chosen.residencies.clone(),
                ..piece.options.plan.clone()
            });
        let options: Vec<PlanOptions> = options.collect();
        let files = pieces.iter().zip(&options);
        let files: Vec<FileText<'_>> = files.map(|(piece, options)| piece.file_text(options)).collect();
        let plans = panics::guarded(AssertUnwindSafe(|| self.planner.plan(&files, pointers, self.scope)));
        plans.unwrap_or_else(|message| vec![Err(message); pieces.len()])
    }

    /// Writes numbers that differ by name; returns by file what cannot be written so.
    fn settle(&self, plans: &mut Plans, others: &[Plans], constants: &[NumberNames]) -> Vec<BTreeSet<TextOwner>> {
        let refused = plans.iter_mut().enumerate().map(|(at, plan)| {
            let Ok(plan) = plan else { return BTreeSet::new() };
            let others = of_file(others, at);
            self.spelling(at, constants).settle(plan, &others)
        });
        refused.collect()
    }

    /// Writes what numbers are called in `settled`, as far as that can be told from samples of the plans that it was made of.
    fn name_variables(&self, plans: &Plans, settled: &mut Plans, others: &[Plans], constants: &[NumberNames]) {
        if others.is_empty() {
            return;
        }
        for (at, (plan, settled)) in plans.iter().zip(settled).enumerate() {
            let (Ok(plan), Ok(settled)) = (plan, settled) else {
                continue;
            };
            let others = of_file(others, at);
            let spelled = self.spelling(at, constants).spelled(plan, &others);
            write(settled, &spelled.texts);
        }
    }

    fn spelling<'p>(&'p self, at: usize, constants: &'p [NumberNames]) -> Spelling<'p, 'p> {
        let member = &self.members[at];
        let words = || TextWords::of(member.unit.text, member.read.tree());
        Spelling {
            member,
            constants: &constants[at],
            words: constants[at].words.get_or_init(words),
            names: RefCell::default(),
        }
    }

    /// What is left where arrays and loops have been left out often enough: of kernels, those that are right; of copies none.
    fn last(
        &self,
        mut plans: Plans,
        others: &[Plans],
        constants: &[NumberNames],
        mut refused: Vec<BTreeSet<TextOwner>>,
    ) -> Plans {
        if self.planner == Planner::Movement {
            return self.nothing();
        }
        let decisions = plans.iter().flatten().map(|p| p.decisions.len()).sum();
        for _ in 0..=decisions {
            if refused.iter().all(BTreeSet::is_empty) {
                return plans;
            }
            for (plan, refused) in plans.iter_mut().zip(&refused) {
                if let Ok(plan) = plan {
                    without_kernels(plan, refused);
                }
            }
            refused = self.settle(&mut plans, others, constants);
        }
        self.nothing()
    }

    /// Plans that write nothing.
    fn nothing(&self) -> Plans {
        let note = |m: &Member<'_>| {
            let first = m.read.tree().functions.first();
            let span = first.map_or_else(Span::default, |f| f.name_span);
            Note::because(span, "left as it is: ", &Builds::NotRight.into())
        };
        let plan = |m| FilePlan {
            remarks: vec![note(m)],
            ..FilePlan::default()
        };
        self.members.iter().map(|m| Ok(plan(m))).collect()
    }
}

/// The plans of one file.
fn of_file(plans: &[Plans], at: usize) -> Vec<&FilePlan> {
    plans.iter().filter_map(|plans| plans[at].as_ref().ok()).collect()
}

/// Whether a text of a plan has a number in it that may be a size.
fn says_numbers(plan: &FilePlan) -> bool {
    let mut texts = entries(plan).into_values().flatten();
    texts.any(|entry| entry.numbers.iter().any(|n| n.value > 1))
}

fn writes(plans: &Plans) -> bool {
    plans.iter().any(writes_to)
}

/// Whether something is written in a file.
fn writes_to(plan: &Result<FilePlan, String>) -> bool {
    plan.as_ref().is_ok_and(|p| !p.decisions.is_empty())
}
