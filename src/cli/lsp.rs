//! `ompmemopt lsp`: the commands, for the language server.
//!
//! ```text
//! sim.c is open ─► the C files of its compilation database ─► check_given, rewrite_given, as for `check` and `rewrite -i`
//!                  (alone, where it is in none)                over texts that are not saved
//! ```

use super::args::LspArgs;
use super::baseline::Baseline;
use super::build_flags::{BuildFlags, KnownDatabase};
use super::check::WantedFindings;
use super::choice::{AskedRun, Wanted, missed};
use super::exit_codes::Exit;
use super::jobs::OF_CHECK;
use super::output::Output;
use super::rewrite::{Asks, Reported, RunRequest};
use super::{absolute, cache};
use crate::cleanup;
use crate::facts::Store;
use crate::lsp::{
    self, AnalysedFile, Analyst, DocumentationAddress, ProgramAnalysis, ProgramFiles, ProgramQuestion, ServerEnd,
    ServerLog, ServerSettings,
};
use lsp_server::Connection;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How names of files end that are parts of others.
const HEADERS: [&str; 2] = ["h", "inc"];

/// Runs the command.
pub fn run(args: &LspArgs, output: &Output) -> Exit {
    let log = match ServerLog::new(args.log.as_deref()) {
        Ok(log) => log,
        Err(error) => {
            output.error(&error);
            return Exit::Failed;
        }
    };
    let settings = ServerSettings {
        documentation: DocumentationAddress::new(args.docs_url.as_deref()),
        log,
    };
    let analyst = CommandAnalyst {
        store: cache::store(&args.cache).remembering(),
        args: args.clone(),
    };
    let (connection, threads) = Connection::stdio();
    match lsp::serve(connection, Arc::new(analyst), settings) {
        Ok(end) => {
            // What could not be said to an editor that has gone is lost.
            let _ = threads.join();
            ended(end)
        }
        Err(error) => {
            output.error(&error);
            Exit::Failed
        }
    }
}

fn ended(end: ServerEnd) -> Exit {
    let exit = if end.properly { Exit::Done } else { Exit::Findings };
    if !end.idle {
        cleanup::leave(exit as u8);
    }
    exit
}

/// Asks what the commands ask.
struct CommandAnalyst {
    args: LspArgs,
    store: Store,
}

impl CommandAnalyst {
    /// The report of `check`, or of `rewrite` with the decisions that are wanted.
    fn reported(&self, question: &ProgramQuestion<'_>, wanted: Option<Wanted<'_>>) -> Result<Reported, String> {
        let asks = match wanted {
            Some(_) => Asks::REWRITE,
            None => Asks::CHECK,
        };
        let paths: Vec<PathBuf> = { question.files.iter() }
            .filter(|file| has_ending(file, asks.endings))
            .cloned()
            .collect();
        if paths.is_empty() {
            return Ok(Reported::default());
        }
        let request = RunRequest {
            paths: &paths,
            summaries: None,
            cache: &self.args.cache,
            tool: &self.args.tool,
            asks,
            dumps: BTreeSet::new(),
            in_place: false,
            self_check: wanted.is_some(),
            instead: question.unsaved,
            wanted: wanted.unwrap_or(Wanted::All),
            patience: question.patience.clone(),
        };
        { request.carried_out(&self.store, question.progress) }.map_err(|errors| errors.join("\n"))
    }
}

impl Analyst for CommandAnalyst {
    fn enter(&self, folder: &Path) {
        // Where that cannot be done, relative names are seen from where the editor has started the server.
        let _ = std::env::set_current_dir(folder);
    }

    fn program_of(&self, file: &Path) -> Result<Option<ProgramFiles>, String> {
        let clang = super::clang().map_err(|error| error.to_string())?;
        let flags = BuildFlags::new(clang, &self.args.tool)?;
        let is_source = has_ending(file, &OF_CHECK);
        if !is_source && !has_ending(file, &HEADERS) {
            return Ok(None);
        }
        let alone = || {
            is_source.then(|| ProgramFiles {
                id: file.to_owned(),
                files: vec![file.to_owned()],
            })
        };
        let Some(KnownDatabase { path, database }) = flags.database_of(file)? else {
            return Ok(alone());
        };
        if is_source && (database.find(file).is_none() || flags.configuration().excludes(file)) {
            return Ok(alone());
        }
        let is_meant =
            |file: &&PathBuf| has_ending(file, &OF_CHECK) && file.is_file() && !flags.configuration().excludes(file);
        let listed: BTreeSet<PathBuf> = database.files().iter().filter(is_meant).cloned().collect();
        Ok(Some(ProgramFiles {
            id: absolute(&path),
            files: listed.into_iter().collect(),
        }))
    }

    fn check(&self, question: &ProgramQuestion<'_>) -> Result<ProgramAnalysis, String> {
        let baseline = self.args.baseline.as_deref().map(Baseline::read).transpose();
        let mut reported = self.reported(question, None)?;
        let wanted = WantedFindings {
            configuration: &reported.configuration,
            asked: &self.args.rules.selection(),
        };
        let mut problem = None;
        let mut baseline = baseline.unwrap_or_else(|error| {
            problem = Some(error);
            None
        });
        wanted.among(&mut reported.report, baseline.get_or_insert_default());
        let mut analysis = analysed(reported);
        analysis.problems.extend(problem);
        Ok(analysis)
    }

    fn rewrite(&self, question: &ProgramQuestion<'_>) -> Option<Result<ProgramAnalysis, String>> {
        (!self.args.no_rewrite).then(|| self.reported(question, Some(Wanted::All)).map(analysed))
    }

    fn decide(&self, question: &ProgramQuestion<'_>, decision: &str) -> Result<ProgramAnalysis, String> {
        let problem = OnceCell::new();
        let choose = |run: AskedRun<'_>| {
            let choosing = &run.choosing;
            let every: BTreeSet<usize> = (0..choosing.decisions.len()).collect();
            let none = BTreeSet::new();
            let Some(at) = choosing.decisions.iter().position(|known| known.id == decision) else {
                let _ = problem.set(format!("there is no decision {decision} any more"));
                return run.all;
            };
            match choosing.offer(&none, at, &every) {
                Some(offer) => offer.rewritten,
                None => {
                    let _ = problem.set(missed(choosing, &none, at, &none));
                    run.all
                }
            }
        };
        let reported = self.reported(question, Some(Wanted::Asked(&choose)));
        match problem.into_inner() {
            Some(problem) => Err(problem),
            None => reported.map(analysed),
        }
    }
}

fn analysed(reported: Reported) -> ProgramAnalysis {
    let files = reported.report.files.into_iter().zip(reported.texts);
    let files = files.map(|(report, texts)| AnalysedFile {
        path: match &texts {
            Some(texts) => texts.old.path().to_owned(),
            None => absolute(Path::new(&report.path)),
        },
        report,
        bound: texts.as_ref().is_some_and(|texts| texts.bound),
        old: texts
            .as_ref()
            .map(|texts| texts.old.text().to_owned())
            .unwrap_or_default(),
        new: texts.and_then(|texts| texts.new),
    });
    ProgramAnalysis {
        files: files.collect(),
        problems: reported.problems,
    }
}

fn has_ending(file: &Path, endings: &[&str]) -> bool {
    let ending = file.extension();
    ending.is_some_and(|ending| endings.iter().any(|e| ending == *e))
}
