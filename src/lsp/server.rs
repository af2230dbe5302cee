//! The server: it hears what the editor says and what runs find, and says what there is to say.
//!
//! ```text
//! editor ─► didOpen, didChange ─► documents ─► a program is due ─► run ─► publishDiagnostics ─► editor
//!        ─► hover, codeAction ──► wait for what is known of the text as it is ─► answer ──────► editor
//! ```
//!
//! All state lives on the one thread that this loop runs on; only analyses run elsewhere ([`super::worker`]).

use super::analyst::{AnalysedFile, Analyst, ProgramFiles};
use super::client::Client;
use super::documentation::DocumentationAddress;
use super::documents::Documents;
use super::log::ServerLog;
use super::programs::{CurrentRun, Programs};
use super::requests::{AnswerNow, Answering, WaitingRequest};
use super::run_progress::RunProgress;
use super::watching::{self, WatchedFiles};
use super::worker::{RunEvent, RunOrder, RunPart, RunState};
use crate::panics;
use crate::report::Level;
use crossbeam_channel::Sender;
use lsp_server::RequestId;
use lsp_types::{Diagnostic, MessageType};
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long after an edit a program is looked at: who types goes on within that time.
pub const PAUSE: Duration = Duration::from_millis(200);

/// How often the server looks around while nothing happens.
const IDLE: Duration = Duration::from_millis(1_000);

/// How often it does while a run goes on.
const BUSY: Duration = Duration::from_millis(200);

/// What the server knows.
pub struct Server {
    pub client: Client,
    pub documents: Documents,
    pub programs: Programs,
    pub waiting: Vec<WaitingRequest>,
    pub log: ServerLog,
    analyst: Arc<dyn Analyst>,
    documentation: DocumentationAddress,
    orders: Sender<RunOrder>,
    runs: u64,
    progress: RunProgress,
    watched: WatchedFiles,
}

/// What a server is made of.
pub struct ServerParts {
    pub client: Client,
    pub analyst: Arc<dyn Analyst>,
    pub documentation: DocumentationAddress,
    pub log: ServerLog,
    pub orders: Sender<RunOrder>,
}

impl Server {
    pub fn new(parts: ServerParts) -> Server {
        Server {
            client: parts.client,
            documents: Documents::default(),
            programs: Programs::default(),
            waiting: Vec::new(),
            log: parts.log,
            analyst: parts.analyst,
            documentation: parts.documentation,
            orders: parts.orders,
            runs: 0,
            progress: RunProgress::default(),
            watched: WatchedFiles::default(),
        }
    }

    /// For how long nothing has to be done, if nobody says anything.
    pub fn patience(&self) -> Duration {
        if self.programs.run.is_some() {
            return BUSY;
        }
        let due = self.programs.next_due();
        due.map_or(IDLE, |(due, _)| due.saturating_duration_since(Instant::now()).min(IDLE))
    }

    /// Does what is due.
    pub fn look_around(&mut self) {
        if self.programs.run.is_none() {
            self.begin_run();
        }
        if let Some(run) = &self.programs.run {
            self.progress.tell(run, &mut self.client);
        }
        if !self.client.abilities.watches_files && self.programs.run.is_none() {
            self.watch();
        }
        self.answer_waiting();
    }

    fn begin_run(&mut self) {
        let now = Instant::now();
        let due = self.programs.next_due().filter(|(due, _)| *due <= now);
        let Some(files) = due.map(|(_, program)| program.files.clone()) else {
            return;
        };
        if let Some(program) = self.programs.of_mut(&files.id) {
            program.due = None;
        }
        self.order(files, vec![RunPart::Check, RunPart::Rewrite]);
    }

    /// Begins a run.
    fn order(&mut self, files: ProgramFiles, parts: Vec<RunPart>) {
        self.runs += 1;
        let (state, unsaved) = (Arc::<RunState>::default(), self.documents.unsaved());
        self.programs.run = Some(CurrentRun {
            number: self.runs,
            program: files.id.clone(),
            state: Arc::clone(&state),
            begun: Instant::now(),
            unsaved: unsaved.len(),
        });
        // The thread that takes orders ends when there will be no more of them.
        let _ = self.orders.send(RunOrder {
            number: self.runs,
            program: files,
            unsaved,
            parts,
            state,
        });
    }

    /// Hears what a run has found.
    pub fn hear(&mut self, event: RunEvent) {
        let Some(run) = self.programs.run.take_if(|run| run.number == event.run) else {
            return;
        };
        let given_up = run.state.is_given_up();
        let id = run.program.clone();
        self.log_stage(&run, &event, given_up);
        match event.is_last {
            false => self.programs.run = Some(run),
            true => self.progress.end(&mut self.client),
        }
        if given_up {
            return;
        }
        match &event.answer {
            Some(Ok(analysis)) => {
                { analysis.problems.iter() }.for_each(|problem| self.client.show_once(MessageType::WARNING, problem));
            }
            Some(Err(why)) => {
                self.log.say(why);
                // Who has picked a decision is told in answer to that.
                if !matches!(event.part, RunPart::Decision(_)) {
                    self.client.show_once(MessageType::ERROR, why);
                }
            }
            None => {}
        }
        if let Some(program) = self.programs.of_mut(&id) {
            program.keep(event.part, event.answer);
        }
        self.publish(&id);
    }

    fn log_stage(&mut self, run: &CurrentRun, event: &RunEvent, given_up: bool) {
        let what = match &event.part {
            RunPart::Check => "check",
            RunPart::Rewrite => "rewrite",
            RunPart::Decision(decision) => decision,
        };
        let (name, seconds) = (run.program.display(), event.took.as_secs_f64());
        let how = match (&event.answer, given_up) {
            (_, true) => "given up",
            (Some(Ok(_)), _) => "done",
            (Some(Err(_)), _) => "failed",
            (None, _) => "not asked for",
        };
        let files = self
            .programs
            .of(&run.program)
            .map_or(0, |program| program.files.files.len());
        let unsaved = run.unsaved;
        let number = run.number;
        self.log.say(&format!(
            "run {number} of {name}: {what} {how} in {seconds:.3} s, {files} files, {unsaved} unsaved"
        ));
    }

    /// Says what is known of the open files of a program.
    pub fn publish(&self, id: &Path) {
        let Some(program) = self.programs.of(id) else { return };
        let answering = self.answering();
        let writer = answering.diagnostics();
        let own = self.documents.all().filter(|d| d.program.as_deref() == Some(id));
        for document in own {
            let checked = program.checked.as_ref().filter(|_| program.check_holds);
            let rewritten = program.rewritten.as_ref().filter(|_| program.rewrite_holds);
            let of_check = checked.and_then(|analysis| analysis.of(&document.path));
            let of_rewrite = rewritten.and_then(|analysis| Some(beside(analysis.of(&document.path)?, of_check)));
            let files = of_check.into_iter().chain(&of_rewrite);
            let mut diagnostics: Vec<Diagnostic> = files.flat_map(|file| writer.of_file(file)).collect();
            diagnostics.sort_by_key(|d| d.range.start);
            self.client
                .publish(document.uri.clone(), Some(document.version), diagnostics);
        }
    }

    fn answering(&self) -> Answering<'_> {
        Answering {
            documents: &self.documents,
            programs: &self.programs,
            abilities: self.client.abilities,
            documentation: &self.documentation,
        }
    }

    fn answer_waiting(&mut self) {
        for waiting in std::mem::take(&mut self.waiting) {
            let answer = panics::guarded(AssertUnwindSafe(|| self.answering().answer(&waiting.asked)));
            match answer {
                Ok(AnswerNow::Said(answer)) => self.client.answer(waiting.id, answer),
                Ok(AnswerNow::Later) => self.waiting.push(waiting),
                Ok(AnswerNow::Order(id, part)) => {
                    let files = self.programs.of(&id).map(|program| program.files.clone());
                    if let Some(files) = files.filter(|_| self.programs.run.is_none()) {
                        self.order(files, vec![part]);
                    }
                    self.waiting.push(waiting);
                }
                Ok(AnswerNow::Refused(why)) => {
                    self.client
                        .refuse(waiting.id, lsp_server::ErrorCode::RequestFailed, &why);
                }
                Ok(AnswerNow::Outdated) => {
                    { self.programs.ids() }
                        .iter()
                        .for_each(|id| self.programs.outdate(id, Instant::now()));
                    self.waiting.push(waiting);
                }
                Err(message) => self.refuse_for_panic(waiting.id, &message),
            }
        }
    }

    /// Says that a question has no answer because of a bug.
    pub fn refuse_for_panic(&mut self, id: RequestId, message: &str) {
        self.log.say(&format!("internal error: {message}"));
        self.client.refuse(id, lsp_server::ErrorCode::InternalError, message);
    }

    /// A program is found for each text that is open, where it has been told what belongs together.
    pub fn find_programs(&mut self, outdated: Instant) {
        let paths: Vec<PathBuf> = self.documents.all().map(|d| d.path.clone()).collect();
        for path in paths {
            self.find_program(&path);
        }
        let used = |id: &PathBuf| self.documents.all().any(|d| d.program.as_ref() == Some(id));
        for id in self.programs.ids() {
            match used(&id) {
                true => self.programs.outdate(&id, outdated),
                false => self.programs.close(&id),
            }
        }
    }

    /// The programs are to be looked at again that a text belongs to: its own, or any, if it is a header.
    pub fn outdate_all_with(&mut self, path: &PathBuf, own: Option<&Path>, due: Instant) {
        let is_source = |id: &&Path| self.programs.of(id).is_some_and(|p| p.files.files.contains(path));
        match own.filter(is_source) {
            Some(id) => self.programs.outdate(id, due),
            None => { self.programs.ids() }
                .iter()
                .for_each(|id| self.programs.outdate(id, due)),
        }
    }

    /// Finds the program of a text that is open; its name.
    pub fn find_program(&mut self, path: &Path) -> Option<PathBuf> {
        let analyst = Arc::clone(&self.analyst);
        let found = panics::guarded(AssertUnwindSafe(|| analyst.program_of(path)));
        let found = found.and_then(|found| found).unwrap_or_else(|why| {
            self.client.show_once(MessageType::ERROR, &why);
            None
        });
        let id = found.as_ref().map(|files| files.id.clone());
        if let Some(files) = found {
            self.programs.open(files);
        }
        let mut all = self.documents.all_mut();
        if let Some(document) = all.find(|document| document.path == path) {
            document.program.clone_from(&id);
        }
        id
    }

    /// Looks whether files have changed that nobody edits.
    fn watch(&mut self) {
        let open = || self.documents.all();
        let settings = open().flat_map(|document| watching::settings_of(&document.path));
        let programs = { self.programs.ids().into_iter() }.filter_map(|id| self.programs.of(&id));
        let sources = programs.flat_map(|program| program.files.files.iter().cloned());
        let sources = sources.filter(|path| self.documents.of(path).is_none());
        let files: Vec<PathBuf> = settings.chain(sources).collect();
        if self.watched.have_changed(files.into_iter(), Instant::now()) {
            self.log.say("files have changed on the disk");
            self.find_programs(Instant::now());
        }
    }
}

/// What `rewrite` says of a file besides what `check` has said: errors once, and nothing of which nothing is missed.
fn beside(rewritten: &AnalysedFile, checked: Option<&AnalysedFile>) -> AnalysedFile {
    let mut file = rewritten.clone();
    let said = |message: &str| {
        let mut findings = checked.into_iter().flat_map(|file| &file.report.findings);
        findings.any(|finding| finding.level == Level::Error && finding.message == message)
    };
    file.report.findings.retain(|f| match f.level {
        Level::Error => !said(&f.message),
        level => level != Level::Note,
    });
    file
}
