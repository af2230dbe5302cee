//! The program with other numbers in the place of those that have names, and the files of each such sample.
//!
//! ```c
//! #define N 1000          /* the sample `Far` has 3016 here, `Less` has 999 … */
//! double a[N];            /* … and is read, compiled and linked as if that had been written */
//! ```
//!
//! A sample has to be the same program: as many statements, pragmas and functions in each file, the same branches of `#if`,
//! all of its functions. Where it is not, names that `#if` asks for keep their numbers. What cannot be compiled with other numbers
//! may be with multiples of its own (`_Static_assert(N % 16 == 0)`), or else has no samples.

use super::Planning;
use super::factors::{FactorSeries, Factors};
use super::program_texts::{ProgramTexts, asked_words};
use super::shifts::{self, FEW, Shift, Varied};
use super::solve::FitDoubt;
use crate::analysis::libc;
use crate::analysis::module_pointers::SolvedPointers;
use crate::facts::Store;
use crate::llvm::Instead;
use crate::plan::FileText;
use crate::program::ir::Module;
use crate::program::link::{ObjectFile, link};
use crate::rewrite::member::Member;
use crate::rewrite::progress::Silent;
use crate::rewrite::reading::{ParsedFile, read};
use crate::rewrite::services::Services;
use crate::rewrite::unit::{GivenUnit, ToolOptions, Unit, without_libraries};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// The program with other numbers.
pub(super) struct Sample {
    /// How its numbers were made.
    shift: Shift,
    /// The files that were read again; `None`: one is as it was.
    files: Vec<Option<Varying>>,
    pub module: Module,
    /// Where its pointers lead.
    pub pointers: SolvedPointers,
    headers: Vec<Instead>,
    /// The names that have other numbers in it.
    pub varied: BTreeSet<String>,
    /// What follows where its plans are not like those of the program.
    pub unlike: Unlike,
}

/// A file with other numbers.
struct Varying {
    text: Vec<u8>,
    options: ToolOptions,
    read: ParsedFile,
}

/// What follows from texts of a sample that are not like those of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unlike {
    /// What is written rests on what a number happens to be.
    Refused,
    /// Nothing: the sample says what numbers are called, where it can.
    Nothing,
}

/// What samples are made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SamplePurpose {
    /// What else the program would be planned to be.
    Plans,
    /// Plans, with one sample more that only says whether names fit.
    PlansAndNames,
    /// Plans, with one sample more.
    MorePlans,
    /// What numbers are called: none is smaller.
    Names,
}

impl SamplePurpose {
    /// What more has to be asked where there is doubt.
    fn after(self, doubt: FitDoubt) -> Option<SamplePurpose> {
        match (doubt, self) {
            (FitDoubt::SmallName, SamplePurpose::Plans) => Some(SamplePurpose::PlansAndNames),
            (FitDoubt::Expression, SamplePurpose::Plans | SamplePurpose::PlansAndNames) => {
                Some(SamplePurpose::MorePlans)
            }
            _ => None,
        }
    }
}

/// All that is asked of samples.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Asking {
    pub asked: SamplePurpose,
    /// One sample more, in which macros are worth more than this: a number of the source may be the larger one of two only as long as a
    /// macro is small.
    pub past: Option<i128>,
}

impl Asking {
    /// What more has to be asked where there is doubt about names, or a macro is never larger than a number of the source that a text
    /// says.
    pub fn after(self, doubt: FitDoubt, never_passed: Option<i128>) -> Option<Asking> {
        let more = Asking {
            asked: self.asked.after(doubt).unwrap_or(self.asked),
            past: self.past.max(never_passed),
        };
        (more != self).then_some(more)
    }

    /// Whether one sample more tells names apart.
    fn asks_more(self, names: &Varied) -> bool {
        names.len() > FEW || matches!(self.asked, SamplePurpose::PlansAndNames | SamplePurpose::MorePlans)
    }
}

impl From<SamplePurpose> for Asking {
    fn from(asked: SamplePurpose) -> Asking {
        Asking { asked, past: None }
    }
}

/// A sample that is wanted.
struct WantedSample {
    /// The ways to make it, each where those before it do not compile.
    ways: Vec<Shift>,
    unlike: Unlike,
}

impl WantedSample {
    fn of(ways: impl Into<Vec<Shift>>) -> WantedSample {
        WantedSample {
            ways: ways.into(),
            unlike: Unlike::Refused,
        }
    }
}

/// The ways to make one sample more.
const MORE: [Shift; 2] = [Shift::Above, Shift::Aside];

impl Planning<'_, '_> {
    /// The samples that are wanted at first; `turned` is how the order of macros turns.
    fn wanted(&self, names: &Varied, turned: Option<Shift>, asking: Asking) -> Vec<WantedSample> {
        let mut pragmas = self.members.iter().flat_map(|m| &m.read.tree().pragmas);
        let conditional = pragmas.any(|p| p.text.contains("if"));
        let multiples = |series| [Factors::Rising(series), Factors::Doubling(series)].map(Shift::Multiples);
        let far = [Shift::Far, Shift::Less].into_iter();
        let near: Vec<Shift> = match asking.asked {
            SamplePurpose::Names => vec![Shift::Above],
            _ => turned.into_iter().chain([Shift::Less, Shift::Above]).collect(),
        };
        let near = near.into_iter();
        let mut wanted = vec![
            WantedSample::of(far.chain(multiples(FactorSeries::First)).collect::<Vec<_>>()),
            WantedSample::of(near.chain(multiples(FactorSeries::Second)).collect::<Vec<_>>()),
        ];
        if asking.asks_more(names) {
            let for_names = names.len() <= FEW && asking.asked == SamplePurpose::PlansAndNames;
            wanted.push(WantedSample {
                ways: MORE.to_vec(),
                unlike: if for_names { Unlike::Nothing } else { Unlike::Refused },
            });
        }
        wanted.extend(asking.past.map(|limit| WantedSample::of([Shift::Past(limit)])));
        if conditional {
            wanted.extend([Shift::High, Shift::Low].map(|shift| WantedSample::of([shift])));
        }
        wanted
    }

    /// The program with other numbers, in ways that it can be compiled in; only some files are read again. Samples that were made `before`, for the
    /// same names and files, are taken as they are where they are wanted again.
    pub(super) fn samples(
        &self,
        names: &Varied,
        texts: &ProgramTexts<'_>,
        again: &[bool],
        asked: Asking,
        before: Vec<Sample>,
    ) -> Vec<Sample> {
        let mut before: BTreeMap<Shift, Sample> = before.into_iter().map(|s| (s.shift, s)).collect();
        let turned = self.turned(names, texts);
        let wanted = self.wanted(names, turned.as_ref().map(|(shift, _)| *shift), asked);
        let (mut made, mut tried) = (Vec::new(), BTreeSet::new());
        let mut make = |wanted: WantedSample| {
            let mut ways = wanted.ways.into_iter().filter(|shift| tried.insert(*shift));
            ways.find_map(|shift| {
                let of_turned = turned.as_ref().filter(|(turned, _)| *turned == shift);
                let names = of_turned.map_or(names, |(_, places)| places);
                let known = before.remove(&shift);
                let sample = known.or_else(|| self.sample(names, texts, shift, again));
                let sizes = || self.without_asked(names, texts);
                let sample = sample.or_else(|| self.sample(&sizes()?, texts, shift, again))?;
                let unlike = wanted.unlike;
                Some(Sample { unlike, ..sample })
            })
        };
        made.extend(wanted.into_iter().filter_map(&mut make));
        // What is close to the program as it is tells fewer numbers apart.
        if !asked.asks_more(names) && !made.iter().any(|sample| sample.shift == Shift::Far) {
            made.extend(make(WantedSample::of(MORE)));
        }
        made
    }

    /// The names without those that conditionals of the preprocessor ask for, if there are any: with other numbers of these, other
    /// branches count, and what these do is known already (`program::left_out`).
    fn without_asked(&self, names: &Varied, texts: &ProgramTexts<'_>) -> Option<Varied> {
        let words = texts.all().flat_map(asked_words).map(|(word, _)| word);
        let asked: BTreeSet<String> = words.filter(|word| texts.asked(word).is_none()).collect();
        let kept: Varied = names
            .clone()
            .into_iter()
            .filter(|(name, _)| !asked.contains(name))
            .collect();
        (kept.len() < names.len() && !kept.is_empty()).then_some(kept)
    }

    pub(super) fn sample(
        &self,
        names: &Varied,
        texts: &ProgramTexts<'_>,
        shift: Shift,
        again: &[bool],
    ) -> Option<Sample> {
        let headers = texts.headers.iter().enumerate().map(|(at, (path, text))| {
            let text = shifts::sample(text, texts.roots_of_header(at), texts, names, shift);
            (path.clone(), text)
        });
        let headers: Vec<Instead> = headers.collect();
        // What is as on the disk the compiler finds there.
        let given = self.members.iter().any(|m| m.unit.options.compile.instead.is_some());
        let changed = headers
            .iter()
            .zip(&texts.headers)
            .filter(|(now, was)| given || now != was);
        let instead: Arc<Vec<Instead>> = Arc::new(changed.map(|(now, _)| now.clone()).collect());
        // Headers are parsed once for all files.
        let store = Store::none();
        let read = |at: usize| {
            let member = &self.members[at];
            if !again[at] {
                return Some((None, member.object.clone()));
            }
            let mut options = shifts::options(member.unit.options, names, shift);
            options.compile.instead = Some(instead.clone());
            let text = shifts::sample(member.unit.text, texts.roots_of_file(at), texts, names, shift);
            let (read, object) = read_again(member, &text, &options, &store)?;
            Some((Some(Varying { text, options, read }), object))
        };
        let all: Option<Vec<(Option<Varying>, ObjectFile)>> =
            (0..self.members.len()).into_par_iter().map(read).collect();
        let (files, objects): (Vec<_>, Vec<_>) = all?.into_iter().unzip();
        let without = without_libraries(self.members.iter().map(|member| &member.unit));
        let mut programs = link(objects, &|name| libc::defines(name, &without)).programs;
        let mut program = programs
            .pop()
            .filter(|p| programs.is_empty() && p.objects.len() == files.len())?;
        let theirs: BTreeSet<&str> = program.module.functions.iter().map(|f| f.name.as_str()).collect();
        if self
            .module()
            .functions
            .iter()
            .any(|f| !theirs.contains(f.name.as_str()))
        {
            return None;
        }
        program.module.share_functions_of(self.module());
        let kept = shifts::kept(texts, self.members.iter().map(|m| m.unit.options), names, shift);
        Some(Sample {
            shift,
            files,
            module: program.module,
            pointers: SolvedPointers::default(),
            headers,
            varied: names.keys().filter(|name| !kept.contains(*name)).cloned().collect(),
            unlike: Unlike::Refused,
        })
    }
}

/// Reads a file with other numbers, if it is the same file but for these.
fn read_again(
    member: &Member<'_>,
    text: &[u8],
    options: &ToolOptions,
    store: &Store,
) -> Option<(ParsedFile, ObjectFile)> {
    let services = Services {
        store,
        progress: &Silent,
    };
    let unit = Unit {
        path: member.unit.path,
        text,
        options,
    };
    let given = GivenUnit {
        unit,
        facts: None,
        context: member.context,
    };
    let (read, module) = unit.guarded(|| read(given, &services)).ok()?;
    // Where numbers decide what headers say, their functions have other parts.
    let parts = |module: &Module| -> Vec<(usize, u32)> {
        let own = module.functions.iter().filter(|f| f.in_header);
        own.map(|f| (f.blocks.len(), f.directives)).collect()
    };
    if parts(&module) != parts(&member.object.module) {
        return None;
    }
    let (ours, theirs) = (member.read.tree(), read.tree());
    let alike = member.read.inactive.len() == read.inactive.len()
        && ours.stmts.len() == theirs.stmts.len()
        && ours.pragmas.len() == theirs.pragmas.len()
        && ours.functions.len() == theirs.functions.len();
    let apart = !unit.is_source();
    alike.then_some((read, ObjectFile { module, apart }))
}

impl Sample {
    /// The text of a header, by its place among those of the project.
    pub fn header(&self, at: usize) -> &[u8] {
        self.headers.get(at).map_or(b"", |(_, text)| text)
    }

    /// The sample's files.
    pub fn pieces<'s>(&'s self, members: &'s [Member<'s>]) -> Vec<SampleFile<'s>> {
        let files = self.files.iter().zip(members);
        let piece = |(file, member): (&'s Option<Varying>, &'s Member<'_>)| match file {
            Some(Varying { text, options, read }) => SampleFile {
                path: member.unit.path,
                text,
                read,
                options,
                context: member.context,
            },
            None => SampleFile::of_member(member),
        };
        files.map(piece).collect()
    }
}

/// A file of the program or of a sample.
pub(super) struct SampleFile<'s> {
    pub path: &'s Path,
    pub text: &'s [u8],
    pub read: &'s ParsedFile,
    pub options: &'s ToolOptions,
    pub context: bool,
}

impl<'s> SampleFile<'s> {
    pub fn of_member(member: &'s Member<'_>) -> SampleFile<'s> {
        SampleFile {
            path: member.unit.path,
            text: member.unit.text,
            read: member.read,
            options: member.unit.options,
            context: member.context,
        }
    }

    /// The file as the planner reads it.
    pub fn file_text<'f>(&'f self, options: &'f crate::plan::PlanOptions) -> FileText<'f> {
        FileText {
            context: self.context,
            ..self.read.file_text(self.path, self.text, options)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_only_grows() {
        let first = Asking::from(SamplePurpose::Plans);
        assert_eq!(first.after(FitDoubt::None, None), None);
        let past = first.after(FitDoubt::None, Some(12)).unwrap();
        assert_eq!((past.asked, past.past), (SamplePurpose::Plans, Some(12)));
        assert_eq!(past.after(FitDoubt::None, Some(9)), None);
        let more = past.after(FitDoubt::Expression, Some(40)).unwrap();
        assert_eq!((more.asked, more.past), (SamplePurpose::MorePlans, Some(40)));
        assert_eq!(more.after(FitDoubt::SmallName, Some(40)), None);
    }
}
