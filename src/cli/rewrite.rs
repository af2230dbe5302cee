//! `ompmemopt rewrite`.

use super::args::{Format, RewriteArgs};
use super::build_flags::BuildFlags;
use super::configuration;
use super::exit_codes::Exit;
use super::output::Output;
use super::target::Target;
use crate::report::{self, FileReport, Finding, Level, Report};
use crate::rewrite::{Dump, LineRange, Outcome, Rewritten, ToolOptions, Unit, rewrite_program};
use crate::source::{LineIndex, SourceFile, discover, unified_diff};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// A file and the lines of it that are meant; all where there are none.
type Job = (PathBuf, Vec<LineRange>);

/// One file's result: what to report, and what to show.
type Done = (FileReport, Vec<(Dump, String)>);

/// Runs the command.
pub fn run(args: &RewriteArgs, output: &Output) -> Exit {
    let clang = match super::clang() {
        Ok(clang) => clang,
        Err(error) => {
            output.error(&error.to_string());
            return Exit::Failed;
        }
    };
    let (jobs, mut problems) = jobs(&args.paths);
    for problem in &problems {
        output.error(problem);
    }
    let flags = match BuildFlags::new(clang, &args.tool) {
        Ok(flags) => flags,
        Err(error) => {
            output.error(&error);
            return Exit::Failed;
        }
    };
    let dumps: BTreeSet<Dump> = args.dump.iter().map(|d| (*d).into()).collect();
    let About {
        mut done,
        problems: more,
        notes,
    } = rewrite_jobs(&jobs, &flags, &dumps, args.in_place && dumps.is_empty());
    for problem in &more {
        output.error(problem);
    }
    problems.extend(more);
    done.sort_by(|a, b| a.0.path.cmp(&b.0.path));
    let (files, shown): (Vec<FileReport>, Vec<Vec<(Dump, String)>>) = done.into_iter().unzip();
    let report = Report {
        files,
        notes: flags.notes().into_iter().chain(notes).collect(),
    };

    let mut exit = exit_code(&report, args, !dumps.is_empty());
    if !problems.is_empty() {
        exit = Exit::Failed;
    }
    let results = match args.output_format {
        _ if !dumps.is_empty() => dumped(&report, &shown),
        Format::Human if args.in_place => Vec::new(),
        Format::Human => report.files.iter().flat_map(|f| f.diff.iter().copied()).collect(),
        Format::Json => report::json(&report).into_bytes(),
        Format::Sarif => report::sarif(&report).into_bytes(),
        Format::Github => report::github(&report).into_bytes(),
    };
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

/// The files that the paths stand for, each once, and what is wrong with the paths.
fn jobs(paths: &[PathBuf]) -> (Vec<Job>, Vec<String>) {
    let (mut jobs, mut problems): (Vec<Job>, Vec<String>) = (Vec::new(), Vec::new());
    let mut known: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for argument in paths {
        let found = Target::parse(argument).and_then(|t| {
            discover(&[&t.path])
                .map(|files| (files, t.lines))
                .map_err(|e| e.to_string())
        });
        let (files, lines) = match found {
            Ok(found) => found,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        for file in files {
            let identity = std::fs::canonicalize(&file).unwrap_or_else(|_| file.clone());
            match known.get(&identity) {
                // Two ranges of one file add up, and the whole file holds any.
                Some(job) => match (lines, jobs[*job].1.is_empty()) {
                    (Some(range), false) => jobs[*job].1.push(range),
                    (None, _) => jobs[*job].1.clear(),
                    (Some(_), true) => {}
                },
                None => {
                    known.insert(identity, jobs.len());
                    jobs.push((file, lines.into_iter().collect()));
                }
            }
        }
    }
    (jobs, problems)
}

/// A file that was read.
struct Opened {
    source: SourceFile,
    compiled_as: PathBuf,
    options: ToolOptions,
}

/// What came of a run.
struct About {
    done: Vec<Done>,
    /// What is wrong with the program or with its configuration.
    problems: Vec<String>,
    /// What else is to be said of them.
    notes: Vec<String>,
}

/// Rewrites all files together.
fn rewrite_jobs(jobs: &[Job], flags: &BuildFlags<'_>, dumps: &BTreeSet<Dump>, in_place: bool) -> About {
    let opened: Vec<Result<Opened, String>> = jobs.par_iter().map(|job| open(job, flags, dumps)).collect();
    let good: Vec<&Opened> = opened.iter().flatten().collect();
    let units: Vec<Unit<'_>> = good
        .iter()
        .map(|o| Unit {
            path: &o.compiled_as,
            text: o.source.bytes(),
            options: &o.options,
        })
        .collect();
    let Rewritten {
        files,
        problems: of_program,
        unknown,
        notes,
    } = rewrite_program(&units);
    let mut problems = flags.configuration().problems();
    problems.extend(of_program);
    problems.extend(configuration::missing(&unknown));
    let mut outcomes = files.into_iter();
    let done = jobs.iter().zip(&opened).map(|((path, _), opened)| {
        let result = match opened {
            Ok(opened) => match outcomes.next() {
                Some(Ok(outcome)) => finish(shown_name(path), opened, outcome, in_place),
                Some(Err(error)) => Err(error.to_string()),
                None => finish(shown_name(path), opened, Outcome::default(), in_place),
            },
            Err(message) => Err(message.clone()),
        };
        result.unwrap_or_else(|message| {
            let findings = vec![Finding::about_file(Level::Error, message)];
            let report = FileReport {
                path: shown_name(path),
                findings,
                ..FileReport::default()
            };
            (report, Vec::new())
        })
    });
    About {
        done: done.collect(),
        problems,
        notes,
    }
}

fn open((path, limits): &Job, flags: &BuildFlags<'_>, dumps: &BTreeSet<Dump>) -> Result<Opened, String> {
    let source = SourceFile::read(path).map_err(|e| e.to_string())?;
    let (compiled_as, mut options) = flags.of(path)?;
    options.limits = limits.clone();
    options.dumps = dumps.clone();
    Ok(Opened {
        source,
        compiled_as,
        options,
    })
}

/// Reports what came of a file, and replaces it if that is wanted. Every decision lies in one function, so that a file that
/// cannot be written leaves no decision of another file half done.
fn finish(name: String, opened: &Opened, outcome: Outcome, in_place: bool) -> Result<Done, String> {
    let mut report = FileReport {
        path: name,
        ..FileReport::default()
    };
    let text = opened.source.bytes();
    report.add(&LineIndex::new(text), &outcome.decisions, &outcome.remarks);
    if let Some(new) = &outcome.new_text {
        report.diff = unified_diff(&report.path, text, new);
        if in_place {
            opened.source.write_in_place(new).map_err(|e| e.to_string())?;
            report.written = true;
        }
    }
    Ok((report, outcome.dumps))
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

fn exit_code(report: &Report, args: &RewriteArgs, dumping: bool) -> Exit {
    let summary = report.summary();
    if summary.errors > 0 {
        Exit::Failed
    } else if summary.changed > 0 && !dumping && (!args.in_place || args.exit_non_zero_on_change) {
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
