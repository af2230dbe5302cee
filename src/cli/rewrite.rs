//! `ompmemopt rewrite`, and `ompmemopt annotate`, which differs in what is decided.

use super::args::{CacheArgs, Format, RewriteArgs, ToolArgs};
use super::build_flags::{BuildFlags, difference_of};
use super::configuration::{self, Configuration};
use super::exit_codes::Exit;
use super::jobs::{self, Job};
use super::output::Output;
use super::progress::ProgressLine;
use super::ways::{self, CompilationWays};
use super::{absolute, cache};
use crate::facts::{Store, UnitFacts};
use crate::llvm::{BuildScope, Instead};
use crate::panics;
use crate::patience::Patience;
use crate::plan::Dialect;
use crate::report::{self, FileReport, Finding, Level, Report, WideLines};
use crate::rewrite::{
    Dump, FileError, GivenUnit, Outcome, Progress, Rewritten, Services, ToolOptions, Unit, check_given, rewrite_given,
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

/// Runs the command.
pub fn run(args: &RewriteArgs, asks: Asks, output: &Output) -> Exit {
    let request = RunRequest {
        paths: &args.paths,
        summaries: args.summaries.as_deref(),
        cache: &args.cache,
        tool: &args.tool,
        asks,
        dumps: args.dump.iter().map(|d| (*d).into()).collect(),
        in_place: args.in_place && args.dump.is_empty(),
        self_check: args.self_check || args.in_place,
        instead: &BTreeMap::new(),
        patience: Patience::default(),
    };
    let Some(reported) = request.reported(output) else {
        return Exit::Failed;
    };
    let failed = reported.say_problems(output);
    let Reported { report, shown, .. } = reported;
    let mut exit = exit_code(&report, args);
    if failed {
        exit = Exit::Failed;
    }
    let results = match args.output_format {
        _ if !args.dump.is_empty() => dumped(&report, &shown),
        Format::Human if args.in_place => Vec::new(),
        Format::Human => report.files.iter().flat_map(|f| f.diff.iter().copied()).collect(),
        Format::Json => report::json(&report).into_bytes(),
        Format::Sarif => report::sarif(&report).into_bytes(),
        Format::Github => report::github(&report).into_bytes(),
    };
    let is_patch = args.output_format == Format::Human && args.dump.is_empty();
    let results = if is_patch { output.coloured(results) } else { results };
    if let Err(error) = output.results(&results) {
        output.error(&format!("standard output: cannot be written ({error})"));
        exit = Exit::Failed;
    }
    // With no file at all there is nothing to sum up, and the errors say why.
    if args.output_format == Format::Human && !report.files.is_empty() {
        output.messages(&report::human(&report, output.verbosity));
    }
    exit
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
        done.map_err(|error| output.error(&error)).ok()
    }

    /// Carries out the request for somebody who has a store already.
    ///
    /// # Errors
    /// Why nothing can be done: there is no compiler, or what was named for all files cannot be read.
    pub fn carried_out(self, store: &Store, progress: &dyn Progress) -> Result<Reported, String> {
        let unsaved = self
            .instead
            .iter()
            .map(|(path, text)| (path.as_path(), text.as_bytes()));
        store.begin(unsaved);
        let clang = super::clang().map_err(|error| error.to_string())?;
        let flags = BuildFlags::new(clang, self.tool)?.keeping_in(store);
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
        } = asked.rewrite(jobs.files, progress);
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

impl RewriteTask<'_> {
    /// Rewrites all files together.
    fn rewrite(&self, jobs: Vec<Job>, progress: &dyn Progress) -> Answer {
        let named: Vec<(String, bool)> = jobs.iter().map(|job| (shown_name(&job.path), job.context)).collect();
        let mut opened: Vec<Result<Opened, String>> = jobs.into_par_iter().map(|job| self.open_guarded(job)).collect();
        let good = opened.iter_mut().flatten();
        let (stale, facts): (Vec<Option<String>>, Vec<Option<UnitFacts>>) =
            good.map(|o| (o.note.take(), o.facts.take())).unzip();
        let good = opened
            .iter()
            .zip(&named)
            .filter_map(|(o, (_, context))| Some((o.as_ref().ok()?, *context)));
        let good: Vec<((&Opened, bool), Option<UnitFacts>)> = good.zip(facts).collect();
        let given = |file: usize, way: usize| {
            let ((o, context), facts) = &good[file];
            let (path, options) = &o.ways[way];
            GivenUnit {
                unit: Unit {
                    path,
                    text: o.source.bytes(),
                    options,
                },
                facts: facts.clone(),
                context: *context,
            }
        };
        let services = Services {
            store: self.store,
            progress,
        };
        let Rewritten {
            files,
            mut problems,
            unknown,
            notes,
        } = ways::decide(
            &CompilationWays::new(good.iter().map(|((o, _), _)| o.ways.len()).collect()),
            &given,
            &|given| (self.asks.decide)(given, &services),
            &|file| difference_of(&good[file].0.0.ways),
        );
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
        let mut outcomes = files.into_iter();
        let mut done = Vec::new();
        for ((name, context), opened) in named.into_iter().zip(opened) {
            let result = match opened {
                Ok(opened) => match outcomes.next() {
                    Some(Err(error)) => Ok(not_dealt_with(name.clone(), error.to_string(), opened.source)),
                    _ if context => continue,
                    Some(Ok(outcome)) => finish(name.clone(), opened, outcome, self.in_place, &together),
                    None => finish(name.clone(), opened, Outcome::default(), self.in_place, &together),
                },
                Err(message) => Err(message),
            };
            done.push(result.unwrap_or_else(|message| failed(name, message)));
        }
        Answer {
            done,
            program: problems,
            stale: stale.into_iter().flatten().chain(notes).collect(),
        }
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
    outcome: Outcome,
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
    report.add(&lines, &outcome.decisions, &outcome.remarks);
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

fn exit_code(report: &Report, args: &RewriteArgs) -> Exit {
    let summary = report.summary();
    if summary.errors > 0 {
        Exit::Failed
    } else if summary.changed > 0 && args.dump.is_empty() && (!args.in_place || args.exit_non_zero_on_change) {
        Exit::Findings
    } else {
        Exit::Done
    }
}

/// The dumps of all files; with several, each under its name.
fn dumped(report: &Report, shown: &[Vec<(Dump, String)>]) -> Vec<u8> {
    let mut out = String::new();
    for (file, dumps) in report.files.iter().zip(shown) {
        for (_, text) in dumps {
            if report.files.len() > 1 || dumps.len() > 1 {
                out.push_str(&format!("== {}\n", file.path));
            }
            out.push_str(text);
        }
    }
    out.into_bytes()
}
