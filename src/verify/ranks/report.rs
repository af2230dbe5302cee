//! What a run on several ranks shows.
//!
//! ```text
//! exit status 0 in 0.4 s ─► Ends        exit status 3, signal 9 ─► Fails        nothing for 20 s ─► DoesNotEnd
//! ```

use std::time::Duration;

use super::super::Status;

/// A run on several ranks.
#[derive(Debug, Clone)]
pub struct RanksReport {
    pub ranks: u32,
    /// The time that the program was given.
    pub timeout: Duration,
    /// How the launcher ended, which tells of the ranks.
    pub status: Status,
    /// The time that it took.
    pub elapsed: Duration,
    /// The last lines of standard error.
    pub last_words: Vec<String>,
}

/// What comes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RanksVerdict {
    /// All ranks ended, with exit status 0.
    Ends,
    /// Not within its time.
    DoesNotEnd,
    /// With another exit status, or by a signal.
    Fails,
}

impl RanksVerdict {
    /// The words for people and JSON.
    pub fn words(self) -> &'static str {
        match self {
            RanksVerdict::Ends => "ends",
            RanksVerdict::DoesNotEnd => "does not end",
            RanksVerdict::Fails => "fails",
        }
    }

    /// What to do about it, as an order, where something can be done.
    pub fn remedy(self) -> Option<&'static str> {
        match self {
            RanksVerdict::Ends => None,
            RanksVerdict::DoesNotEnd => Some(
                "look with `ompmemopt check --select OMM3` for collectives that not every process comes to; if it only \
                 needs longer, allow more time with --timeout SECONDS, or give it less to do with --args or --stdin",
            ),
            RanksVerdict::Fails => Some(
                "give it the arguments and input that it runs with, --args and --stdin; if MPI complains of a collective, \
                 look with `ompmemopt check --select OMM3` for such as not every process comes to",
            ),
        }
    }
}

impl RanksReport {
    /// What the run shows.
    pub fn shown(&self) -> RanksVerdict {
        match self.status {
            Status::Exited(0) => RanksVerdict::Ends,
            Status::TimedOut => RanksVerdict::DoesNotEnd,
            Status::Exited(_) | Status::Signaled(_) | Status::TooMuchOutput => RanksVerdict::Fails,
        }
    }

    /// The verdict as a sentence without its point.
    pub fn sentence(&self) -> String {
        let (words, ranks) = (self.shown().words(), self.ranks);
        match self.status {
            Status::Exited(0) => format!("{words} on {ranks} ranks in {:.1} s", self.elapsed.as_secs_f64()),
            Status::TimedOut => {
                let limit = self.timeout.as_secs();
                format!("{words} within {limit} s on {ranks} ranks: its processes were stopped")
            }
            status => format!("{words} on {ranks} ranks: {status}"),
        }
    }
}
