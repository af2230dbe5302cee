//! The programs that open files belong to, and what is known of each.
//!
//! ```text
//! edit ─► stale, due in a moment ─► run ─► checked ─► rewritten: fresh
//!           ▲                        │
//!           └── another edit ◄───────┘  (the run is given up)
//! ```

use super::analyst::{ProgramAnalysis, ProgramFiles};
use super::decisions::KnownDecisions;
use super::worker::{RunPart, RunState};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// A program with open files.
#[derive(Debug)]
pub struct OpenProgram {
    pub files: ProgramFiles,
    /// When it is to be looked at again; `None` where it is known, or looked at now.
    pub due: Option<Instant>,
    pub checked: Option<ProgramAnalysis>,
    pub rewritten: Option<ProgramAnalysis>,
    /// What single decisions come to, of the texts as they are.
    pub decided: KnownDecisions,
    /// Whether `checked` is about the texts as they are.
    pub check_holds: bool,
    /// Whether `rewritten` is.
    pub rewrite_holds: bool,
}

impl OpenProgram {
    fn new(files: ProgramFiles) -> OpenProgram {
        OpenProgram {
            files,
            due: None,
            checked: None,
            rewritten: None,
            decided: KnownDecisions::new(),
            check_holds: false,
            rewrite_holds: false,
        }
    }

    /// Whether something is known of the texts as they are.
    pub fn holds(&self, part: &RunPart) -> bool {
        match part {
            RunPart::Check => self.check_holds,
            RunPart::Rewrite => self.rewrite_holds,
            RunPart::Decision(decision) => self.decided.contains_key(decision),
        }
    }

    /// Nothing is known, and nobody wants to know until a text changes.
    pub fn forget(&mut self) {
        (self.checked, self.rewritten) = (None, None);
        self.decided.clear();
        (self.check_holds, self.rewrite_holds) = (true, true);
    }

    /// Keeps what a run has found.
    pub fn keep(&mut self, part: RunPart, answer: Option<Result<ProgramAnalysis, String>>) {
        let found = |answer: Option<Result<ProgramAnalysis, String>>| answer.and_then(Result::ok);
        match part {
            RunPart::Check => (self.checked, self.check_holds) = (found(answer), true),
            RunPart::Rewrite => (self.rewritten, self.rewrite_holds) = (found(answer), true),
            RunPart::Decision(decision) => {
                self.decided.extend(answer.map(|answer| (decision, answer)));
            }
        }
    }
}

/// The run that goes on.
pub struct CurrentRun {
    pub number: u64,
    pub program: PathBuf,
    pub state: Arc<RunState>,
    pub begun: Instant,
    /// Texts that were not saved.
    pub unsaved: usize,
}

/// All programs with open files, and the run that goes on.
#[derive(Default)]
pub struct Programs {
    all: BTreeMap<PathBuf, OpenProgram>,
    pub run: Option<CurrentRun>,
}

impl Programs {
    /// The program with a name.
    pub fn of(&self, id: &Path) -> Option<&OpenProgram> {
        self.all.get(id)
    }

    /// The program with a name.
    pub fn of_mut(&mut self, id: &Path) -> Option<&mut OpenProgram> {
        self.all.get_mut(id)
    }

    /// The names of all.
    pub fn ids(&self) -> Vec<PathBuf> {
        self.all.keys().cloned().collect()
    }

    /// A program has these files now.
    pub fn open(&mut self, files: ProgramFiles) {
        let id = files.id.clone();
        let program = self.all.entry(id).or_insert_with(|| OpenProgram::new(files.clone()));
        program.files = files;
    }

    /// No file of a program is open any more.
    pub fn close(&mut self, id: &Path) {
        self.give_up(id);
        self.all.remove(id);
    }

    /// The texts of a program are others now: it is to be looked at again.
    pub fn outdate(&mut self, id: &Path, due: Instant) {
        if let Some(program) = self.all.get_mut(id) {
            program.due = Some(due);
            (program.check_holds, program.rewrite_holds) = (false, false);
            program.decided.clear();
            self.give_up(id);
        }
    }

    /// Nobody waits for what the run finds that goes on, if it is of this program.
    pub fn give_up(&mut self, id: &Path) {
        if let Some(run) = self.run.as_ref().filter(|run| run.program == id) {
            run.state.give_up();
        }
    }

    /// The program that is due first, if any.
    pub fn next_due(&self) -> Option<(Instant, &OpenProgram)> {
        let due = self.all.values().filter_map(|program| Some((program.due?, program)));
        due.min_by(|(one, a), (other, b)| (one, &a.files.id).cmp(&(other, &b.files.id)))
    }
}
