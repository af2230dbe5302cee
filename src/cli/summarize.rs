//! `ompmemopt summarize`: the per-file part, wherever a build system runs it.

use super::args::SummarizeArgs;
use super::build_flags::BuildFlags;
use super::cache;
use super::exit_codes::Exit;
use super::output::Output;
use crate::facts::{self, EXTENSION, Store, UnitSource};
use crate::panics;
use crate::report::Verbosity;
use crate::rewrite::FileError;
use crate::source::{SourceFile, discover};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::path::{Component, Path, PathBuf};

/// A C file, and the summary to write.
type SummaryJob = (PathBuf, PathBuf);

/// Runs the command. A file that fails does not stop the others.
pub fn run(args: &SummarizeArgs, output: &Output) -> Exit {
    let tool = args.tool();
    let store = cache::store(&args.cache);
    let flags = super::clang()
        .map_err(|error| error.to_string())
        .and_then(|clang| BuildFlags::new(clang, &tool));
    let flags = match flags {
        Ok(flags) => flags.keeping_in(&store),
        Err(error) => {
            output.error(&error);
            return Exit::Failed;
        }
    };
    let (jobs, mut problems) = jobs(args);
    let failed: Vec<String> = jobs
        .par_iter()
        .filter_map(|job| one(job, args, &flags, &store).err())
        .collect();
    problems.extend(failed);
    for problem in &problems {
        output.error(problem);
    }
    if output.verbosity >= Verbosity::Normal {
        for note in flags.notes().into_iter().chain(store.trouble()) {
            output.messages(&format!("note: {note}\n"));
        }
    }
    match problems.is_empty() {
        true => Exit::Done,
        false => Exit::Failed,
    }
}

/// The files that the paths stand for with their summaries, and what is wrong with the paths.
fn jobs(args: &SummarizeArgs) -> (Vec<SummaryJob>, Vec<String>) {
    let (mut files, mut problems): (Vec<PathBuf>, Vec<String>) = (Vec::new(), Vec::new());
    for path in &args.paths {
        match discover(&[path]) {
            Ok(found) => files.extend(found),
            Err(error) => problems.push(error.to_string()),
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    files.retain(|file| seen.insert(file.canonicalize().unwrap_or_else(|_| file.clone())));
    if args.output.is_some() && files.len() > 1 {
        problems.push(format!(
            "-o names one summary and there are {} files; use --output-dir",
            files.len()
        ));
        return (Vec::new(), problems);
    }
    let mut owners: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
    let mut jobs = Vec::new();
    for file in files {
        let summary = summary_of(&file, args);
        match owners.get(&summary) {
            Some(owner) => problems.push(format!(
                "{}: its summary would overwrite that of {} ({}); use --output-dir, or -o for each",
                file.display(),
                owner.display(),
                summary.display()
            )),
            None => {
                owners.insert(summary.clone(), file.clone());
                jobs.push((file, summary));
            }
        }
    }
    (jobs, problems)
}

/// Where the summary of a file goes.
fn summary_of(file: &Path, args: &SummarizeArgs) -> PathBuf {
    if let Some(named) = &args.output {
        return named.clone();
    }
    let name = match &args.output_dir {
        None => file.file_name().map_or_else(|| file.to_owned(), PathBuf::from),
        Some(folder) => {
            let here = std::env::current_dir().unwrap_or_default();
            let inner = file.strip_prefix(&here).unwrap_or(file);
            let parts = inner.components().filter(|part| matches!(part, Component::Normal(_)));
            folder.join(parts.collect::<PathBuf>())
        }
    };
    name.with_extension(EXTENSION)
}

fn one(
    (file, summary): &SummaryJob,
    args: &SummarizeArgs,
    flags: &BuildFlags<'_>,
    store: &Store,
) -> Result<(), String> {
    let work = || summarize(file, summary, args, flags, store);
    panics::guarded(AssertUnwindSafe(work)).unwrap_or_else(|message| {
        let path = file.clone();
        Err(FileError::Internal { path, message }.to_string())
    })
}

fn summarize(
    file: &Path,
    summary: &Path,
    args: &SummarizeArgs,
    flags: &BuildFlags<'_>,
    store: &Store,
) -> Result<(), String> {
    let source = SourceFile::read(file).map_err(|error| error.to_string())?;
    let (name, options) = flags.of(file)?;
    let unit = UnitSource {
        clang: &options.clang,
        file,
        name: &name,
        text: source.bytes(),
        options: &options.compile,
    };
    let facts = store.facts(&unit).map_err(|error| error.to_string())?;
    let unwritable = |path: &Path, error| format!("{}: cannot be written ({error})", path.display());
    if args.output_dir.is_some()
        && let Some(folder) = summary.parent()
    {
        std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, error))?;
    }
    if args.depfile {
        let mut rule = summary.as_os_str().to_owned();
        rule.push(".d");
        let rule = PathBuf::from(rule);
        std::fs::write(&rule, facts::make_rule(summary, &facts)).map_err(|error| unwritable(&rule, error))?;
    }
    facts::write(summary, &facts).map_err(|error| error.to_string())
}
