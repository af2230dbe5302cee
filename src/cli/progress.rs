//! A line on a terminal's standard error that says how far a long run is.

use crate::report::Verbosity;
use crate::rewrite::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Once;
use std::time::{Duration, Instant};

/// A run shorter than this says nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// Most times per second that the line is drawn.
const PER_SECOND: u8 = 10;

const LINE: &str = "{msg}: {pos} of {len} ({elapsed})";

/// The line. It is gone when this is dropped.
#[derive(Debug)]
pub struct ProgressLine {
    bar: ProgressBar,
    started: Instant,
    shown: Once,
    wanted: bool,
}

impl ProgressLine {
    /// A line that stays hidden for a second, and altogether where standard error is no terminal.
    pub fn new(verbosity: Verbosity) -> ProgressLine {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(LINE) {
            bar.set_style(style);
        }
        ProgressLine {
            bar,
            started: Instant::now(),
            shown: Once::new(),
            wanted: verbosity != Verbosity::Quiet,
        }
    }

    fn show_when_long(&self) {
        if self.wanted && self.started.elapsed() >= PATIENCE {
            let target = || ProgressDrawTarget::stderr_with_hz(PER_SECOND);
            self.shown.call_once(|| self.bar.set_draw_target(target()));
        }
    }
}

impl Progress for ProgressLine {
    fn begin(&self, what: &'static str, of: usize) {
        self.show_when_long();
        self.bar.set_length(of as u64);
        self.bar.set_position(0);
        self.bar.set_message(what);
    }

    fn one_done(&self) {
        self.show_when_long();
        self.bar.inc(1);
    }

    fn pause(&self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
