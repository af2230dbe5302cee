//! Requests: which files are to be read, what is asked of them, and what came of each. `rewrite`, `annotate`, `check` and `explain` differ in what is decided.

use super::args::{CacheArgs, ToolArgs};
use super::build_flags::{BuildFlags, difference_of};
use super::choice::{AskedRun, Wanted};
use super::configuration::{self, Configuration};
use super::jobs::{self, Job};
use super::output::Output;
use super::progress::ProgressLine;
use super::ways::{self, CompilationWays};
use super::{absolute, cache};
use crate::facts::{Store, UnitFacts};
use crate::llvm::{BuildScope, Instead};
use crate::panics;
use crate::patience::Patience;
use crate::plan::{DecisionKey, Dialect, Unwanted};
use crate::report::{FileReport, Finding, Level, Report, WideLines};
use crate::rewrite::{
    Choosing, Dump, FileError, GivenUnit, Outcome, Progress, Rewritten, RunDecision, Services, Silent, ToolOptions,
    Unit, check_given, rewrite_given,
};
use crate::source::{LineIndex, SourceFile, replace_together, unified_diff};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::AssertUnwindSafe;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// What came of one file.
struct FileResult {
    report: FileReport,
    shown: Vec<(Dump, String)>,
    /// Of what could be read.
    texts: Option<FileTexts>,
}

/// The texts of a file.
#[derive(Debug)]
pub struct FileTexts {
    /// The file as it was read.
    pub old: SourceFile,
    /// What is to be there instead, if anything.
    pub new: Option<String>,
    /// See [`Outcome::bound`].
    pub bound: bool,
}

/// What makes new texts of old ones.
pub type Decide = for<'a> fn(Vec<GivenUnit<'a>>, &Services<'a>) -> Rewritten;

/// What a command asks for.
#[derive(Clone, Copy)]
pub struct Asks {
    /// What makes the new texts.
    pub decide: Decide,
    /// See [`crate::plan::PlanOptions::all_loops`].
    pub all_loops: bool,
    /// See [`crate::plan::PlanOptions::dialect`].
    pub dialect: Dialect,
    /// See [`crate::plan::PlanOptions::reassociate`].
    pub reassociate: bool,
    /// See [`crate::llvm::ClangOptions::builds`].
    pub builds: BuildScope,
    /// How the names of files end that the command reads.
    pub endings: &'static [&'static str],
}

impl Asks {
    /// Nothing is to be written: what is wrong is to be said, and what is done.
    pub const CHECK: Asks = Asks {
        decide: check_given,
        all_loops: false,
        dialect: Dialect::OpenMp,
        reassociate: false,
        builds: BuildScope::This,
        endings: &jobs::OF_CHECK,
    };

    /// What directives do is to be said.
    pub const EXPLAIN: Asks = Asks {
        endings: &["c"],
        ..Asks::CHECK
    };

    /// Directives are to be written where they save copies.
    pub const REWRITE: Asks = Asks {
        decide: rewrite_given,
        endings: &["c"],
        ..Asks::CHECK
    };
}

/// What a command asks of which files.
pub struct RunRequest<'a> {
    pub paths: &'a [PathBuf],
    /// Folder with summaries of other files of the program.
    pub summaries: Option<&'a Path>,
    pub cache: &'a CacheArgs,
    pub tool: &'a ToolArgs,
    pub asks: Asks,
    pub dumps: BTreeSet<Dump>,
    pub in_place: bool,
    /// See [`ToolOptions::self_check`].
    pub self_check: bool,
    /// Texts that files are taken to hold, whatever they do hold.
    pub instead: &'a BTreeMap<PathBuf, String>,
    /// Which decisions are wanted.
    pub wanted: Wanted<'a>,
    /// Who waits for what comes of it.
    pub patience: Patience,
}

/// What came of a request.
#[derive(Default)]
pub struct Reported {
    pub report: Report,
    /// What configuration files say.
    pub configuration: Configuration,
    /// What of each file was to be shown.
    pub shown: Vec<Vec<(Dump, String)>>,
    /// The texts of each file that could be read.
    pub texts: Vec<Option<FileTexts>>,
    /// What is wrong and concerns no file: sentences.
    pub problems: Vec<String>,
}

impl Reported {
    /// What came of the file with a name, and the file's texts.
    pub fn of(&self, path: &str) -> Option<(&FileReport, Option<&FileTexts>)> {
        let files = &self.report.files;
        let at = files.binary_search_by(|file| file.path.as_str().cmp(path)).ok()?;
        Some((&files[at], self.texts[at].as_ref()))
    }

    /// Says what is wrong and concerns no file; whether there is anything.
    pub fn say_problems(&self, output: &Output) -> bool {
        for problem in &self.problems {
            output.error(problem);
        }
        !self.problems.is_empty()
    }
}

impl RunRequest<'_> {
    /// Carries out the request; `None` where nothing can be, which has been said then.
    pub fn reported(self, output: &Output) -> Option<Reported> {
        let store = cache::store(self.cache);
        let line = ProgressLine::new(output.verbosity);
        let done = self.carried_out(&store, &line);
        drop(line);
        done.map_err(|errors| errors.iter().for_each(|error| output.error(error)))
            .ok()
    }

    /// Carries out the request for somebody who has a store already.
    ///
    /// # Errors
    /// Why nothing can be done: there is no compiler, what was named for all files cannot be read, or there are no such decisions.
    pub fn carried_out(self, store: &Store, progress: &dyn Progress) -> Result<Reported, Vec<String>> {
        let unsaved = self
            .instead
            .iter()
            .map(|(path, text)| (path.as_path(), text.as_bytes()));
        store.begin(unsaved);
        let clang = super::clang().map_err(|error| vec![error.to_string()])?;
        let flags = BuildFlags::new(clang, self.tool)
            .map_err(|error| vec![error])?
            .keeping_in(store);
        let mut jobs = jobs::of_args(
            &jobs::AskedFiles {
                paths: self.paths,
                summaries: self.summaries,
                endings: self.asks.endings,
                unsaved: self.instead,
            },
            &flags,
        );
        let asked = RewriteTask {
            flags: &flags,
            store,
            asks: self.asks,
            dumps: self.dumps,
            in_place: self.in_place,
            self_check: self.self_check,
            instead: self.instead,
            headers: seen_by_compiler(self.instead),
            patience: self.patience,
        };
        let mut problems = std::mem::take(&mut jobs.problems);
        let mut notes = std::mem::take(&mut jobs.notes);
        let Answer {
            mut done,
            program,
            stale,
        } = asked.rewrite(jobs.files, self.wanted, progress)?;
        problems.extend(flags.configuration().problems());
        problems.extend(flags.problems());
        problems.extend(program);
        done.sort_by(|a, b| a.report.path.cmp(&b.report.path));
        notes.extend(stale);
        notes.extend(flags.notes());
        notes.extend(store.trouble());
        let (mut files, mut shown, mut texts) = (Vec::new(), Vec::new(), Vec::new());
        for result in done {
            files.push(result.report);
            shown.push(result.shown);
            texts.push(result.texts);
        }
        Ok(Reported {
            configuration: flags.into_configuration(),
            report: Report { files, notes },
            shown,
            texts,
            problems,
        })
    }
}

/// What is to be done with the files.
struct RewriteTask<'a> {
    asks: Asks,
    flags: &'a BuildFlags<'a>,
    store: &'a Store,
    dumps: BTreeSet<Dump>,
    in_place: bool,
    self_check: bool,
    instead: &'a BTreeMap<PathBuf, String>,
    /// The same texts for the compiler, where other files include them.
    headers: Arc<Vec<Instead>>,
    patience: Patience,
}

/// Texts that files are taken to hold, by names that the compiler knows.
fn seen_by_compiler(instead: &BTreeMap<PathBuf, String>) -> Arc<Vec<Instead>> {
    let texts = instead.iter();
    let texts = texts.map(|(path, text)| (absolute(path), text.clone().into_bytes()));
    Arc::new(texts.collect())
}

/// What came of it.
struct Answer {
    done: Vec<FileResult>,
    /// What is wrong with the program.
    program: Vec<String>,
    /// Which summaries were not used.
    stale: Vec<String>,
}

/// A file that was read.
struct Opened {
    source: SourceFile,
    /// The name under which the compiler gets it, and how it is compiled, in each way.
    ways: Vec<(PathBuf, ToolOptions)>,
    facts: Option<UnitFacts>,
    note: Option<String>,
}

/// A file that was read, whether it is there for what it says about others, and what is known of it.
type GoodFile<'o> = ((&'o Opened, bool), Option<UnitFacts>);

/// Files that were read, and what they are called.
struct GoodFiles<'g> {
    files: &'g [GoodFile<'g>],
    names: &'g [&'g str],
    /// Which decisions about them are wanted.
    wanted: Wanted<'g>,
}

/// What users call the decisions about a file.
type DecisionIds = BTreeMap<DecisionKey, String>;

/// What came of a file, and what its decisions are called.
#[derive(Default)]
struct MadeOutcome {
    outcome: Outcome,
    ids: DecisionIds,
}

impl RewriteTask<'_> {
    /// Rewrites all files together.
    ///
    /// # Errors
    /// Which decisions were named that there are not.
    fn rewrite(&self, jobs: Vec<Job>, wanted: Wanted<'_>, progress: &dyn Progress) -> Result<Answer, Vec<String>> {
        let named: Vec<(String, bool)> = jobs.iter().map(|job| (shown_name(&job.path), job.context)).collect();
        let mut opened: Vec<Result<Opened, String>> = jobs.into_par_iter().map(|job| self.open_guarded(job)).collect();
        let good = opened.iter_mut().flatten();
        let (stale, facts): (Vec<Option<String>>, Vec<Option<UnitFacts>>) =
            good.map(|o| (o.note.take(), o.facts.take())).unzip();
        let good = opened
            .iter()
            .zip(&named)
            .filter_map(|(o, (_, context))| Some((o.as_ref().ok()?, *context)));
        let good: Vec<GoodFile<'_>> = good.zip(facts).collect();
        let good_names = named.iter().zip(&opened).filter(|(_, opened)| opened.is_ok());
        let good_names: Vec<&str> = good_names.map(|((name, _), _)| name.as_str()).collect();
        let decided = self.decided(
            &GoodFiles {
                files: &good,
                names: &good_names,
                wanted,
            },
            progress,
        );
        let (decided, ids) = decided.map_err(|wrong| {
            let unread = opened.iter().filter_map(|opened| opened.as_ref().err());
            unread.cloned().chain(wrong).collect::<Vec<_>>()
        })?;
        let Rewritten {
            files,
            mut problems,
            unknown,
            notes,
        } = decided;
        problems.extend(configuration::missing(&unknown));
        let good = || opened.iter().flatten().zip(&files);
        let bound = good().filter_map(|(o, outcome)| {
            let outcome = outcome.as_ref().ok().filter(|outcome| outcome.bound)?;
            Some((&o.source, outcome.new_text.as_deref()?))
        });
        let bound: Vec<(&SourceFile, &[u8])> = bound.collect();
        let together = match self.in_place {
            true => replace_together(&bound).map_err(|e| e.to_string()),
            false => Ok(()),
        };
        let mut outcomes = files.into_iter().zip(ids);
        let mut done = Vec::new();
        for ((name, context), opened) in named.into_iter().zip(opened) {
            let result = match opened {
                Ok(opened) => match outcomes.next() {
                    Some((Err(error), _)) => Ok(not_dealt_with(name.clone(), error.to_string(), opened.source)),
                    _ if context => continue,
                    Some((Ok(outcome), ids)) => {
                        let made = MadeOutcome { outcome, ids };
                        finish(name.clone(), opened, made, self.in_place, &together)
                    }
                    None => finish(name.clone(), opened, MadeOutcome::default(), self.in_place, &together),
                },
                Err(message) => Err(message),
            };
            done.push(result.unwrap_or_else(|message| failed(name, message)));
        }
        Ok(Answer {
            done,
            program: problems,
            stale: stale.into_iter().flatten().chain(notes).collect(),
        })
    }

    /// What is decided about files, with the ids of each file's decisions.
    ///
    /// # Errors
    /// Which decisions were named that there are not.
    fn decided(
        &self,
        good: &GoodFiles<'_>,
        progress: &dyn Progress,
    ) -> Result<(Rewritten, Vec<DecisionIds>), Vec<String>> {
        let plan = |unwanted: &[Arc<Unwanted>]| self.planned(good.files, unwanted, progress);
        let (choosing, all) = Choosing::of(good.names, &plan);
        let mut ids = vec![DecisionIds::new(); good.files.len()];
        for RunDecision { id, file, key, .. } in &choosing.decisions {
            ids[*file].insert(key.clone(), id.clone());
        }
        let decided = match good.wanted {
            Wanted::All => all,
            Wanted::Named(named) => named.chosen(&choosing, good.names, all)?,
            Wanted::Asked(asked) => {
                progress.pause();
                let sources: Vec<&SourceFile> = good.files.iter().map(|((o, _), _)| &o.source).collect();
                asked(AskedRun {
                    choosing,
                    all,
                    names: good.names,
                    files: &sources,
                })
            }
        };
        Ok((decided, ids))
    }

    /// Plans files without decisions that are not wanted, if there are any.
    fn planned(&self, good: &[GoodFile<'_>], unwanted: &[Arc<Unwanted>], progress: &dyn Progress) -> Rewritten {
        let with = |at: usize, options: &ToolOptions| {
            let mut options = options.clone();
            if let Some(unwanted) = unwanted.get(at) {
                options.plan.unwanted = Arc::clone(unwanted);
            }
            options
        };
        let each = good.iter().enumerate();
        let each = each.map(|(at, ((o, _), _))| o.ways.iter().map(|(_, options)| with(at, options)).collect());
        let options: Vec<Vec<ToolOptions>> = each.collect();
        let given = |file: usize, way: usize| {
            let ((o, context), facts) = &good[file];
            GivenUnit {
                unit: Unit {
                    path: &o.ways[way].0,
                    text: o.source.bytes(),
                    options: &options[file][way],
                },
                facts: facts.clone(),
                context: *context,
            }
        };
        let services = Services {
            store: self.store,
            progress: if unwanted.is_empty() { progress } else { &Silent },
        };
        ways::decide(
            &CompilationWays::new(good.iter().map(|((o, _), _)| o.ways.len()).collect()),
            &given,
            &|given| (self.asks.decide)(given, &services),
            &|file| difference_of(&good[file].0.0.ways),
        )
    }

    fn open_guarded(&self, job: Job) -> Result<Opened, String> {
        let path = job.path.clone();
        panics::guarded(AssertUnwindSafe(|| self.open(job)))
            .unwrap_or_else(|message| Err(FileError::Internal { path, message }.to_string()))
    }

    fn open(&self, job: Job) -> Result<Opened, String> {
        let source = match self.instead.get(&job.path) {
            Some(text) => SourceFile::unsaved(&job.path, text.clone()),
            None => SourceFile::read(&job.path),
        };
        let source = source.map_err(|e| e.to_string())?;
        let ends = source.bytes().ends_with(b"\n");
        let lines = LineIndex::new(source.bytes()).count() - u32::from(ends);
        if let Some(range) = job.lines.iter().find(|range| range.first > lines) {
            let (path, first) = (job.path.display(), range.first);
            return Err(format!("{path}:{first}: the file has {lines} lines; name one of them"));
        }
        let (mut ways, facts, note) = match job.summary {
            None => {
                let mut ways = self.flags.ways(&job.path)?;
                let builds = |(_, options): &mut (_, ToolOptions)| options.compile.builds = self.asks.builds;
                ways.iter_mut().for_each(builds);
                (ways, None, None)
            }
            Some(summary) => {
                let options = self.flags.of_summary(&summary.facts);
                let name = summary.facts.name.clone();
                let (facts, note) = jobs::current(summary, source.bytes(), self.flags, self.store)?;
                (vec![(name, options)], Some(facts), note)
            }
        };
        for (_, options) in &mut ways {
            options.limits.clone_from(&job.lines);
            options.self_check |= self.self_check;
            options.compile.unsaved.clone_from(&self.headers);
            options.dumps = self.dumps.clone();
            options.plan.problems = self.dumps.contains(&Dump::Problem);
            options.plan.all_loops = self.asks.all_loops;
            options.plan.dialect = self.asks.dialect;
            options.plan.reassociate = self.asks.reassociate;
            options.plan.patience = self.patience.clone();
        }
        Ok(Opened {
            source,
            ways,
            facts,
            note,
        })
    }
}

fn failed(path: String, message: String) -> FileResult {
    let report = FileReport {
        path,
        findings: vec![Finding::about_file(Level::Error, message)],
        ..FileReport::default()
    };
    FileResult {
        report,
        shown: Vec::new(),
        texts: None,
    }
}

/// What there is to say of a file that could be read, and not dealt with.
fn not_dealt_with(path: String, message: String, old: SourceFile) -> FileResult {
    let texts = FileTexts {
        old,
        new: None,
        bound: false,
    };
    FileResult {
        texts: Some(texts),
        ..failed(path, message)
    }
}

/// Reports what came of a file, and replaces it if that is wanted and has not been done `together` with the others that it
/// depends on.
fn finish(
    name: String,
    opened: Opened,
    MadeOutcome { outcome, ids }: MadeOutcome,
    in_place: bool,
    together: &Result<(), String>,
) -> Result<FileResult, String> {
    let text = opened.source.bytes();
    let mut report = FileReport {
        path: name,
        wide_lines: WideLines::of(text),
        ..FileReport::default()
    };
    let lines = LineIndex::new(text);
    report.add(&lines, &outcome.decisions, &outcome.remarks, &ids);
    report.add_violations(text, &lines, &outcome.findings, &|path| shown_name(path));
    report.explain(&lines, &outcome.explained);
    if let Some(new) = &outcome.new_text {
        let on_disk = |text: &'_ [u8]| opened.source.on_disk(text).map(|bytes| bytes.into_owned());
        let (was, is) = (on_disk(text), on_disk(new));
        let (was, is) = (was.map_err(|e| e.to_string())?, is.map_err(|e| e.to_string())?);
        report.diff = unified_diff(&patch_name(opened.source.path(), &report.path), &was, &is);
        if in_place && outcome.bound {
            let because = |why: &String| {
                format!(
                    "{}: not changed, because a file that it has to be changed with was not: {why}",
                    report.path
                )
            };
            together.as_ref().map_err(because)?;
            report.written = true;
        } else if in_place {
            opened.source.write_in_place(new).map_err(|e| e.to_string())?;
            report.written = true;
        }
    }
    Ok(FileResult {
        report,
        shown: outcome.dumps,
        texts: Some(FileTexts {
            old: opened.source,
            bound: outcome.bound,
            new: outcome.new_text.and_then(|text| String::from_utf8(text).ok()),
        }),
    })
}

/// The path relative to the current folder, without `./`, as patches want it.
fn shown_name(path: &Path) -> String {
    let relative = std::env::current_dir()
        .ok()
        .and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned));
    let path = relative.unwrap_or_else(|| path.to_owned());
    let parts: PathBuf = path.components().filter(|c| !matches!(c, Component::CurDir)).collect();
    parts.display().to_string()
}

/// The name of a file in a patch: where it is not below the current folder, as seen from the root of its repository, which is where such patches are applied;
/// where it is in none, from the root folder.
fn patch_name(path: &Path, shown: &str) -> String {
    let is_below = !Path::new(shown).is_absolute() && !shown.starts_with("..");
    let Ok(whole) = path.canonicalize() else {
        return shown.to_owned();
    };
    if is_below {
        return shown.to_owned();
    }
    let repository = whole.ancestors().skip(1).find(|folder| folder.join(".git").exists());
    let name = repository.and_then(|root| whole.strip_prefix(root).ok());
    name.unwrap_or(&whole).display().to_string()
}
