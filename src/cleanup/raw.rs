//! What a process does between `fork` and `exec`: the only `unsafe` of this room.

use rustix::process::{Signal, getpid, getppid, set_parent_process_death_signal};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// The process that this command starts is killed when the thread that starts it ends, as all threads do when the tool is
/// killed.
pub(super) fn die_with_us(command: &mut Command) {
    let us = getpid();
    let prepare = move || {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // The tool may have ended before that.
        match getppid() == Some(us) {
            true => Ok(()),
            false => Err(io::ErrorKind::Interrupted.into()),
        }
    };
    // SAFETY: between `fork` and `exec` only system calls are made that are safe in a signal handler; nothing is allocated,
    // and an `ErrorKind` makes an error without allocating.
    unsafe { command.pre_exec(prepare) };
}
