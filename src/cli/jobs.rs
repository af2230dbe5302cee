//! Which files a run is about: those of the paths, of the compilation database, of the summaries.

use super::build_flags::BuildFlags;
use super::configuration::Configuration;
use super::target::Target;
use crate::config::FILE_NAME;
use crate::facts::{self, FoundSummary, Store, UnitFacts};
use crate::rewrite::LineRange;
use crate::source::discover_named;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A file of the run.
#[derive(Debug)]
pub struct Job {
    /// Where it is.
    pub path: PathBuf,
    /// The lines that are meant; all where there are none.
    pub lines: Vec<LineRange>,
    /// The file's summary, with what that says. `None`: the file is read.
    pub summary: Option<FoundSummary>,
    /// The file is there for what it says about the others.
    pub context: bool,
}

/// The files of a run, and what is wrong with what was named.
#[derive(Debug, Default)]
pub struct Jobs {
    /// Each file once.
    pub files: Vec<Job>,
    /// Errors.
    pub problems: Vec<String>,
    /// Said, and no error.
    pub notes: Vec<String>,
    /// Place in `files`, by name with links resolved.
    known: BTreeMap<PathBuf, usize>,
}

/// What a command asks for.
pub struct AskedFiles<'a> {
    pub paths: &'a [PathBuf],
    /// A folder of summaries.
    pub summaries: Option<&'a Path>,
    /// How the names of files end that the command reads.
    pub endings: &'static [&'static str],
    /// Files, there or not, with texts that nobody has saved.
    pub unsaved: &'a BTreeMap<PathBuf, String>,
}

/// The files that paths and a folder of summaries stand for.
pub fn of_args(asked: &AskedFiles<'_>, flags: &BuildFlags<'_>) -> Jobs {
    let mut jobs = Jobs::default();
    let paths = asked.paths;
    jobs.add_paths(asked, flags.configuration());
    if let Some(folder) = asked.summaries {
        jobs.add_summaries(folder);
    } else if paths.is_empty() {
        let listed = flags.listed();
        jobs.problems.extend(listed.problems);
        jobs.notes.extend(listed.notes);
        for path in listed.files {
            if !flags.configuration().excludes(&path) {
                jobs.add(path, None);
            }
        }
    }
    jobs
}

impl Jobs {
    /// Adds files as they are named, and those of folders that no configuration excludes.
    fn add_paths(&mut self, asked: &AskedFiles<'_>, configuration: &Configuration) {
        for argument in asked.paths {
            if asked.unsaved.contains_key(argument) {
                self.add(argument.clone(), None);
                continue;
            }
            let found = Target::parse(argument).and_then(|t| {
                discover_named(&[&t.path], asked.endings)
                    .map(|files| (files, t.lines))
                    .map_err(|e| e.to_string())
            });
            match found {
                Ok((files, _)) if files.iter().any(|file| is_cpp(file)) => {
                    let file = argument.display();
                    self.problems
                        .push(format!("{file}: is C++, and this tool reads C; name C files"));
                }
                Ok((files, lines)) => {
                    let headers = files.iter().filter(|file| file.extension().is_some_and(|e| e == "h"));
                    self.notes.extend(headers.map(|file| {
                        format!(
                            "{}: is read as a C file of its own; name the C files that include it to have it seen as they see it",
                            file.display()
                        )
                    }));
                    let is_named = files == [argument.clone()] || lines.is_some();
                    let wanted = |file: &PathBuf| is_named || !configuration.excludes(file);
                    let files: Vec<PathBuf> = files.into_iter().filter(wanted).collect();
                    if files.is_empty() {
                        let folder = argument.display();
                        self.problems.push(format!(
                            "{folder}: `exclude` in {FILE_NAME} leaves out all C files in this folder; name files, or mend the pattern"
                        ));
                    }
                    files.into_iter().for_each(|file| self.add(file, lines));
                }
                Err(problem) => self.problems.push(problem),
            }
        }
    }

    fn add(&mut self, file: PathBuf, lines: Option<LineRange>) {
        let identity = identity(&file);
        match self.known.get(&identity) {
            // Two ranges of one file add up, and the whole file holds any.
            Some(job) => match (lines, &mut self.files[*job].lines) {
                (Some(range), ranges) if !ranges.is_empty() => ranges.push(range),
                (None, ranges) => ranges.clear(),
                (Some(_), _) => {}
            },
            None => {
                self.known.insert(identity, self.files.len());
                self.files.push(Job {
                    path: file,
                    lines: lines.into_iter().collect(),
                    summary: None,
                    context: false,
                });
            }
        }
    }

    /// Adds the files of all summaries in a folder. Where paths were named, only they are written.
    fn add_summaries(&mut self, folder: &Path) {
        let context = !self.files.is_empty() || !self.problems.is_empty();
        let (summaries, wrong) = facts::read_dir(folder);
        if summaries.is_empty() && wrong.is_empty() {
            self.problems.push(format!(
                "{}: no summaries in this folder; make them with `ompmemopt summarize --output-dir {}`",
                folder.display(),
                folder.display()
            ));
        }
        self.problems.extend(wrong.iter().map(ToString::to_string));
        for summary in summaries {
            let identity = identity(&summary.facts.file);
            match self.known.get(&identity) {
                Some(job) => self.join(*job, summary),
                None => {
                    self.known.insert(identity, self.files.len());
                    self.files.push(Job {
                        path: summary.facts.file.clone(),
                        lines: Vec::new(),
                        summary: Some(summary),
                        context,
                    });
                }
            }
        }
    }

    /// Adds a summary of a file that is there already: a path, or one that has a summary.
    fn join(&mut self, job: usize, summary: FoundSummary) {
        let job = &mut self.files[job];
        let Some(first) = &job.summary else {
            job.summary = Some(summary);
            return;
        };
        let file = summary.facts.file.display();
        let (this, that) = (summary.path.display(), first.path.display());
        if first.facts.identity() == summary.facts.identity() {
            self.notes
                .push(format!("{this}: says of {file} what {that} says; remove one of them"));
        } else {
            self.problems.push(format!(
                "{this}: is about {file}, as {that} is, and made of another text or with other flags; the first is \
                 used; remove one of them"
            ));
        }
    }
}

/// The facts of a summary for the text that its file has now; the second is a note if the summary's own are out of date.
///
/// # Errors
/// Why they cannot be made again.
pub fn current(
    summary: FoundSummary,
    text: &[u8],
    flags: &BuildFlags<'_>,
    store: &Store,
) -> Result<(UnitFacts, Option<String>), String> {
    let FoundSummary { path, facts } = summary;
    let (facts, stale) = store
        .current(facts, flags.clang(), text)
        .map_err(|error| error.to_string())?;
    let note = stale.map(|stale| format!("{}: is out of date and was not used: {stale}", path.display()));
    Ok((facts, note))
}

/// How names of files end that `check` reads.
pub const OF_CHECK: [&str; 3] = ["c", "cu", "upc"];

/// Whether a file's name is one of C++, or of a header of CUDA.
fn is_cpp(file: &Path) -> bool {
    let names = ["cpp", "cc", "cxx", "c++", "C", "hpp", "hh", "hxx", "cuh"];
    let extension = file.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| names.contains(&extension))
}

fn identity(file: &Path) -> PathBuf {
    std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned())
}
