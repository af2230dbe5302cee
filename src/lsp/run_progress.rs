//! How far a run is, for an editor that shows that: of runs that take longer than a second.
//!
//! ```text
//! ompmemopt: files read 12/200 ─► ompmemopt: files written 3/200 ─► (gone)
//! ```

use super::client::Client;
use super::programs::CurrentRun;
use super::worker::RunStage;
use lsp_types::{WorkDoneProgress, WorkDoneProgressBegin, WorkDoneProgressEnd, WorkDoneProgressReport};
use std::time::Duration;

/// A run shorter than this says nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// What has been said of the run that goes on.
#[derive(Debug, Default)]
pub struct RunProgress {
    said: Option<SaidProgress>,
}

#[derive(Debug)]
struct SaidProgress {
    token: String,
    stage: RunStage,
}

impl RunProgress {
    /// Says how far a run is, where that is news.
    pub fn tell(&mut self, run: &CurrentRun, client: &mut Client) {
        let (token, stage) = (token_of(run), run.state.stage());
        if run.begun.elapsed() < PATIENCE {
            return;
        }
        let message = Some(said(stage)).filter(|said| !said.is_empty());
        let percentage = Some(percentage(stage));
        match &mut self.said {
            Some(known) if known.token == token => {
                if known.stage == stage {
                    return;
                }
                known.stage = stage;
                let report = WorkDoneProgressReport {
                    cancellable: Some(true),
                    message,
                    percentage,
                };
                client.progress(&token, false, WorkDoneProgress::Report(report));
            }
            _ => {
                self.end(client);
                let begin = WorkDoneProgressBegin {
                    title: "ompmemopt".to_owned(),
                    cancellable: Some(true),
                    message,
                    percentage,
                };
                client.progress(&token, true, WorkDoneProgress::Begin(begin));
                self.said = Some(SaidProgress { token, stage });
            }
        }
    }

    /// The run has ended.
    pub fn end(&mut self, client: &mut Client) {
        if let Some(said) = self.said.take() {
            let end = WorkDoneProgress::End(WorkDoneProgressEnd { message: None });
            client.progress(&said.token, false, end);
        }
    }
}

/// What a run is called.
pub fn token_of(run: &CurrentRun) -> String {
    format!("ompmemopt/{}", run.number)
}

fn said(stage: RunStage) -> String {
    match stage.of {
        0 => stage.what.to_owned(),
        of => format!("{} {}/{of}", stage.what, stage.done),
    }
}

fn percentage(stage: RunStage) -> u32 {
    u32::try_from(stage.done * 100 / stage.of.max(1)).unwrap_or(100)
}
