//! Runs of the analyses, one after the other, on a thread of their own.
//!
//! ```text
//! server ─► order: program, unsaved texts ─► worker: check ─► answer ───┐
//!    ▲                                               rewrite ─► answer ───┤
//!    │      order: one decision ──────────────────► that one ─► answer ───┤
//!    └──────────────────────────────── events ◄──────────────────────────┘
//! ```
//!
//! A run works on the texts as they were when it was ordered. Who wants it no longer says so ([`RunState::give_up`]): then it ends at the
//! next file or function, and what it finds is of no use to anybody. A panic is an answer like any other.

use super::analyst::{Analyst, ProgramAnalysis, ProgramFiles, ProgramQuestion};
use crate::panics;
use crate::patience::Patience;
use crate::rewrite::Progress;
use crossbeam_channel::{Receiver, Sender};
use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What a run has to do.
pub struct RunOrder {
    pub number: u64,
    pub program: ProgramFiles,
    /// The texts that nobody has saved, by their files.
    pub unsaved: BTreeMap<PathBuf, String>,
    /// What is asked of it, in this order.
    pub parts: Vec<RunPart>,
    pub state: Arc<RunState>,
}

/// How far a run is, and whether anybody waits for it.
#[derive(Debug, Default)]
pub struct RunState {
    patience: Patience,
    stage: Mutex<RunStage>,
}

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RunStage {
    /// What is done now.
    pub what: &'static str,
    pub done: usize,
    pub of: usize,
}

impl RunState {
    /// Nobody waits for the run any more.
    pub fn give_up(&self) {
        self.patience.end();
    }

    /// Whether nobody waits for it.
    pub fn is_given_up(&self) -> bool {
        self.patience.is_over()
    }

    /// How far it is.
    pub fn stage(&self) -> RunStage {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut RunStage)) {
        change(&mut self.stage.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Progress for RunState {
    fn begin(&self, what: &'static str, of: usize) {
        self.change(|stage| *stage = RunStage { what, done: 0, of });
    }

    fn one_done(&self) {
        self.change(|stage| stage.done = stage.of.min(stage.done + 1));
    }
}

/// What a run answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunPart {
    /// What is wrong, and what constructs do.
    Check,
    /// What could be written.
    Rewrite,
    /// What could be written of one decision, as users name it.
    Decision(String),
}

/// What a run tells.
pub struct RunEvent {
    /// The run's number.
    pub run: u64,
    pub part: RunPart,
    /// Nothing more comes of the run.
    pub is_last: bool,
    /// `None`: nobody wanted to know, or no longer does.
    pub answer: Option<Result<ProgramAnalysis, String>>,
    pub took: Duration,
}

/// Does what is ordered, until nobody orders any more. Each part of an order is answered.
pub fn work(analyst: &dyn Analyst, orders: &Receiver<RunOrder>, events: &Sender<RunEvent>) {
    for order in orders {
        for (at, part) in order.parts.iter().enumerate() {
            let begun = Instant::now();
            let answer = answer(analyst, &order, part);
            let event = RunEvent {
                run: order.number,
                part: part.clone(),
                is_last: at + 1 == order.parts.len(),
                answer,
                took: begun.elapsed(),
            };
            if events.send(event).is_err() {
                return;
            }
        }
    }
}

fn answer(analyst: &dyn Analyst, order: &RunOrder, part: &RunPart) -> Option<Result<ProgramAnalysis, String>> {
    let state = &*order.state;
    if state.is_given_up() {
        return None;
    }
    let question = ProgramQuestion {
        files: &order.program.files,
        unsaved: &order.unsaved,
        progress: state,
        patience: &state.patience,
    };
    let asked = || match part {
        RunPart::Check => Some(analyst.check(&question)),
        RunPart::Rewrite => analyst.rewrite(&question),
        RunPart::Decision(decision) => Some(analyst.decide(&question, decision)),
    };
    let answer = panics::guarded(AssertUnwindSafe(asked));
    let answer = answer.unwrap_or_else(|message| {
        Some(Err(format!(
            "internal error: {message}; please report this with the files that are open"
        )))
    });
    answer.filter(|_| !state.is_given_up())
}
