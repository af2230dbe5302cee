//! A run that is interrupted leaves no process, no folder and no half of a change behind.
//!
//! `ompmemopt verify` compiles and runs programs in a temporary folder; `rewrite -i` replaces files that are right only
//! together. Ctrl-C in the middle of it (SIGINT), SIGTERM and SIGHUP end the tool in this order:
//!
//! ```text
//! signal ─► the gate closes: sections that have begun come to their end, none begins any more
//!        ─► every process that was started is killed, with all of its group and all that it has started in turn
//!        ─► temporary folders are removed
//!        ─► the tool exits with 128 and the signal's number
//! ```
//!
//! Other rooms keep to three rules. A process is started with [`spawn`], [`output`] or [`in_front`]. A temporary folder is a [`Folder`].
//! What must not be left half done is done in a [`section`]:
//!
//! ```text
//! let _section = cleanup::section();     // a signal waits here, for as long as it takes to write a few files
//! for file in &files { file.put_in_place()?; }
//! ```
//!
//! **Invariants.** Nothing waits in a section, for a process or for a reader of output, and sections do not nest: the signal
//! would wait as long, or for ever. No process is started and no folder made but in a section. A signal that was ignored when the tool
//! started (`nohup`) stays ignored.
//!
//! **Limits.** SIGKILL cannot be caught: temporary folders stay, and the processes that the tool started die with it
//! (`PR_SET_PDEATHSIG`), but not what these have started in turn. A process that a program put into another group (`setsid`)
//! is out of reach once its parent has ended.

mod children;
mod descendants;
mod folders;
mod raw;

pub use children::{in_front, output, spawn};
pub use folders::Folder;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::io;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

/// Open to readers, which are sections, until the run is to end.
static GATE: RwLock<()> = RwLock::new(());

/// A stretch of work that is finished or not begun. It lasts until this is dropped.
#[must_use]
pub struct CriticalSection {
    _open: RwLockReadGuard<'static, ()>,
}

/// Begins a section. Never returns where the run is being ended.
pub fn section() -> CriticalSection {
    CriticalSection {
        _open: GATE.read().unwrap_or_else(PoisonError::into_inner),
    }
}

/// Returns at once, or never where the run is being ended: results of killed processes mean nothing and are not told.
pub fn pass() {
    drop(section());
}

/// From now on, SIGINT, SIGTERM and SIGHUP end the run as this module says.
///
/// # Errors
/// What the system has against it; signals then end the process as they do by default.
pub fn install() -> io::Result<()> {
    let ignored = ignored();
    let heeded = [SIGINT, SIGTERM, SIGHUP]
        .into_iter()
        .filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = Signals::new(heeded)?;
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            end(signal);
        }
    })?;
    Ok(())
}

/// Cleans up and exits, whatever other threads are at work on. Where none is, [`pass`] and a return from `main` do.
pub fn leave(code: u8) -> ! {
    exit(i32::from(code))
}

/// Cleans up and exits because of a signal.
fn end(signal: i32) -> ! {
    exit(128 + signal)
}

fn exit(code: i32) -> ! {
    let _closed = GATE.write().unwrap_or_else(PoisonError::into_inner);
    children::end_all();
    folders::remove_all();
    // Without the destructors of libraries that other threads are still at work in.
    signal_hook::low_level::exit(code)
}

/// The signals that this process ignores, one bit each from signal 1 at bit 0.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}
