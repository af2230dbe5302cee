//! Runs a program on several ranks for a limited time, and leaves no process of it behind.
//!
//! The launcher's group is not all: Open MPI gives each rank a group of its own, and a killed launcher leaves them to
//! themselves. At the limit it is asked to end its program, and what is there after a while is killed:
//!
//! ```text
//! 20 s: SIGTERM to mpiexec ─► mpiexec ends the ranks, removes its files, ends ─► SIGKILL to whatever of them is left
//! ```

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Signal, kill_process};

use super::super::Status;
use super::super::run::{GRACE, limit, wait};
use super::mpi::CommandLine;
use crate::cleanup;

/// How a program is run on several ranks.
pub(super) struct RanksLaunch<'a> {
    pub launcher: &'a CommandLine,
    pub ranks: u32,
    pub program: &'a Path,
    pub args: &'a [OsString],
    /// What rank 0 reads on standard input.
    pub stdin: &'a [u8],
    /// `OMP_NUM_THREADS` of each rank.
    pub threads: u32,
    /// Wall-clock time after which all of it is ended.
    pub timeout: Duration,
    /// A folder for what the launcher keeps meanwhile.
    pub scratch: &'a Path,
}

/// What became of the launcher.
pub(super) struct LaunchOutcome {
    pub status: Status,
    /// Wall-clock time until it ended, or was to end.
    pub elapsed: Duration,
    /// The last lines of standard error.
    pub last_words: Vec<String>,
}

/// How long a launcher has to end its program when it is asked to.
const MANNERS: Duration = Duration::from_secs(3);
/// Most bytes of address space of each process.
const ADDRESS_SPACE: u64 = 64 << 30;
/// Most bytes kept of standard error.
const KEPT: usize = 16 << 10;
/// Most lines told of it.
const LINES: usize = 10;

/// What launchers are told that refuse to work as root or on few cores. Each knows its own variables.
const ENVIRONMENT: [(&str, &str); 8] = [
    ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
    ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
    ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
    ("OMPI_MCA_hwloc_base_binding_policy", "none"),
    ("PRTE_ALLOW_RUN_AS_ROOT", "1"),
    ("PRTE_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
    ("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"),
    ("PRTE_MCA_hwloc_default_binding_policy", "none"),
];
/// Where Open MPI keeps what ranks share; whatever is left there goes with the folder.
const SHARED_FOLDERS: [&str; 3] = [
    "TMPDIR",
    "OMPI_MCA_btl_vader_backing_directory",
    "OMPI_MCA_btl_sm_backing_directory",
];

/// Runs a program to its end or its limit.
///
/// # Errors
/// Why the launcher cannot be started or waited for.
pub(super) fn launch(spec: &RanksLaunch<'_>) -> io::Result<LaunchOutcome> {
    let mut command = spec.launcher.started();
    command.arg("-n").arg(spec.ranks.to_string());
    command.arg(spec.program).args(spec.args);
    set_environment(&mut command, spec);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let start = Instant::now();
    let mut child = cleanup::spawn(&mut command)?;
    limit(child.group, ADDRESS_SPACE);
    if let Some(mut stdin) = child.process.stdin.take() {
        let input = spec.stdin.to_owned();
        // A program may end without reading its input; that is no error of ours.
        thread::spawn(move || stdin.write_all(&input));
    }
    let tail = Tail::of(child.process.stderr.take());

    let mut verdict = None;
    wait(start + spec.timeout, child.group, &mut verdict)?;
    let elapsed = start.elapsed();
    let below = verdict.map(|_| child.descendants());
    if verdict.is_some() {
        let _ = kill_process(child.group, Signal::TERM);
        wait(Instant::now() + MANNERS, child.group, &mut verdict)?;
    }
    let ended = child.collect()?;
    if let Some(below) = below {
        below.kill();
    }
    let status = verdict.unwrap_or_else(|| match (ended.code(), ended.signal()) {
        (Some(code), _) => Status::Exited(code),
        (None, signal) => Status::Signaled(signal.unwrap_or(0)),
    });
    Ok(LaunchOutcome {
        status,
        elapsed,
        last_words: tail.last_lines(),
    })
}

fn set_environment(command: &mut Command, spec: &RanksLaunch<'_>) {
    command.env_remove("LD_PRELOAD").env_remove("OMP_TARGET_OFFLOAD");
    command.env("OMP_NUM_THREADS", spec.threads.to_string());
    command.envs(ENVIRONMENT);
    for variable in SHARED_FOLDERS {
        command.env(variable, spec.scratch);
    }
}

/// The end of what a stream says, which is read as it comes.
struct Tail {
    bytes: Arc<Mutex<VecDeque<u8>>>,
    end: Receiver<()>,
}

impl Tail {
    fn of<R: Read + Send + 'static>(stream: Option<R>) -> Tail {
        let bytes = Arc::new(Mutex::new(VecDeque::new()));
        let (sender, end) = channel();
        let kept = Arc::clone(&bytes);
        thread::spawn(move || {
            let mut stream = stream;
            let mut buffer = [0; 4096];
            // A read error ends the stream like its end does.
            while let Some(Ok(read @ 1..)) = stream.as_mut().map(|stream| stream.read(&mut buffer)) {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend(&buffer[..read]);
                let surplus = kept.len().saturating_sub(KEPT);
                kept.drain(..surplus);
            }
            let _ = sender.send(());
        });
        Tail { bytes, end }
    }

    /// The last lines that say something. A process that holds the stream open is not waited for.
    fn last_lines(&self) -> Vec<String> {
        let _ = self.end.recv_timeout(GRACE);
        let bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = bytes.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let says = |line: &&str| line.chars().any(char::is_alphanumeric);
        let lines: Vec<&str> = text.lines().map(str::trim_end).filter(says).collect();
        let last = &lines[lines.len().saturating_sub(LINES)..];
        last.iter().map(|line| (*line).to_owned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_told_without_rulers() {
        let text: String = (0..5000).map(|line| format!("line {line}\n------\n\n")).collect();
        let lines = Tail::of(Some(io::Cursor::new(text))).last_lines();
        assert_eq!(lines.len(), LINES);
        assert_eq!((lines[0].as_str(), lines[9].as_str()), ("line 4990", "line 4999"));
    }
}
