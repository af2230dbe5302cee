//! Runs one program under a mode, with limits, and collects what it did.

use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions, kill_process_group, prlimit, waitid};

use super::counts::CountFile;
use super::objects::{ObjectTraffic, TraceFile};
use super::{CountedInterval, Counts, Toolchain, VerifyError};
use crate::cleanup::{self, Folder};

/// Exit status of a program that strict mode ended because a kernel touched host memory.
pub const STRICT_STATUS: i32 = 97;
const STRICT_PREFIX: &str = "ompmemopt-strict: ";

/// How unforgiving the device is. The module's documentation says what each word means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    Plain,
    Strict,
    Perturbed,
    StrictPerturbed,
}

impl Mode {
    /// Whether host memory is closed to kernels.
    pub fn is_strict(self) -> bool {
        matches!(self, Mode::Strict | Mode::StrictPerturbed)
    }

    /// Whether fresh memory is garbage.
    pub fn is_perturbed(self) -> bool {
        matches!(self, Mode::Perturbed | Mode::StrictPerturbed)
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mode::Plain => "plain",
            Mode::Strict => "strict",
            Mode::Perturbed => "perturbed",
            Mode::StrictPerturbed => "strict and perturbed",
        })
    }
}

/// What is counted while a program runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Counting {
    #[default]
    Nothing,
    /// All transfers together, and by section.
    Totals,
    /// Transfers of each object: of programs that were built to be traced.
    Objects,
}

/// How to run a program.
#[derive(Debug, Clone)]
pub struct RunSpec {
    pub mode: Mode,
    pub args: Vec<OsString>,
    /// What the program reads on standard input.
    pub stdin: Vec<u8>,
    /// Wall-clock time after which the program and all it started is killed.
    pub timeout: Duration,
    pub counted: Counting,
    /// `OMP_NUM_THREADS`. A race between threads shows only with several.
    pub threads: u32,
    /// Most bytes of address space; strict mode reserves 16 GiB of it by itself.
    pub address_space: u64,
    /// Most bytes kept of standard output, and of standard error; a program that writes more is killed.
    pub output_limit: u64,
    /// Whether kernels must run on the device (the run fails where they cannot); otherwise they run on the host.
    pub device_required: bool,
    /// Further variables of its environment.
    pub environment: Vec<(OsString, OsString)>,
}

impl Default for RunSpec {
    fn default() -> RunSpec {
        RunSpec {
            mode: Mode::Plain,
            args: Vec::new(),
            stdin: Vec::new(),
            timeout: Duration::from_secs(60),
            counted: Counting::Nothing,
            threads: 4,
            address_space: 64 << 30,
            output_limit: 256 << 20,
            device_required: true,
            environment: Vec::new(),
        }
    }
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Exited(i32),
    /// Killed by this signal.
    Signaled(i32),
    TimedOut,
    /// Killed because it wrote more than the limit.
    TooMuchOutput,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Status::Exited(code) => write!(f, "exit status {code}"),
            Status::Signaled(signal) => write!(f, "signal {signal}"),
            Status::TimedOut => f.write_str("time-out"),
            Status::TooMuchOutput => f.write_str("too much output"),
        }
    }
}

/// What a program did.
#[derive(Debug, Clone)]
pub struct RunOutcome {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub status: Status,
    /// Totals, where counting was asked for and the program came to a normal end (`_exit` is none). A program that never
    /// started the OpenMP runtime moved nothing: zeros.
    pub counts: Option<Counts>,
    /// Sections in the order in which the program ended them.
    pub sections: Vec<CountedInterval>,
    /// What each object moved, where that was asked for and the program came to a normal end.
    pub objects: Vec<ObjectTraffic>,
    /// Wall-clock time from start to end.
    pub elapsed: Duration,
}

impl RunOutcome {
    /// What strict mode said when it ended the program, without its prefix: "kernel touched unmapped host memory at ...".
    pub fn strict_violation(&self) -> Option<String> {
        if self.status != Status::Exited(STRICT_STATUS) {
            return None;
        }
        let text = String::from_utf8_lossy(&self.stderr);
        text.lines()
            .find_map(|line| Some(line[line.find(STRICT_PREFIX)? + STRICT_PREFIX.len()..].to_owned()))
    }
}

impl RunOutcome {
    /// Takes in what the counting library left at `path`, or says why that cannot be read.
    fn read_counts(&mut self, counted: Counting, path: &Path) -> Result<(), String> {
        if counted == Counting::Nothing {
            return Ok(());
        }
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.counts = (counted == Counting::Totals).then(Counts::default);
                return Ok(());
            }
            text => text.map_err(|error| error.to_string())?,
        };
        // An empty file says that the program did not let the runtime end.
        if text.is_empty() {
            return Ok(());
        }
        if counted == Counting::Objects {
            let file: TraceFile = serde_json::from_str(&text).map_err(|error| error.to_string())?;
            self.objects = file.objects;
        } else {
            let file: CountFile = serde_json::from_str(&text).map_err(|error| error.to_string())?;
            self.counts = Some(file.total);
            self.sections = file.sections;
        }
        Ok(())
    }
}

impl Toolchain {
    /// Runs a program to its end or its limits.
    ///
    /// # Errors
    /// [`VerifyError::Io`] where it cannot be started, [`VerifyError::Counts`] where it ended by itself and the counts
    /// that the tool left are unreadable.
    pub fn run(&self, exe: &Path, spec: &RunSpec) -> Result<RunOutcome, VerifyError> {
        let exe = std::path::absolute(exe).map_err(VerifyError::io("find the current folder"))?;
        let scratch = Folder::new("ompmemopt-run-");
        let scratch = scratch.map_err(VerifyError::io("make a temporary folder"))?;
        let count_path = scratch.path().join("counts.json");
        let mut command = Command::new(&exe);
        command.args(&spec.args);
        self.set_environment(&mut command, spec);
        match spec.counted {
            Counting::Nothing => {}
            Counting::Totals => {
                command
                    .env("OMP_TOOL_LIBRARIES", &self.runtime.count)
                    .env("OMPMEMOPT_COUNTS", &count_path);
            }
            Counting::Objects => {
                command
                    .env("OMP_TOOL_LIBRARIES", &self.runtime.trace)
                    .env("OMPMEMOPT_TRACE", &count_path);
            }
        }
        let start = Instant::now();
        let (status, stdout, stderr) =
            supervise(&mut command, spec).map_err(VerifyError::io(format!("run {}", exe.display())))?;
        let elapsed = start.elapsed();
        let mut outcome = RunOutcome {
            stdout,
            stderr,
            status,
            counts: None,
            sections: Vec::new(),
            objects: Vec::new(),
            elapsed,
        };
        if matches!(status, Status::Exited(_)) {
            outcome
                .read_counts(spec.counted, &count_path)
                .map_err(|reason| VerifyError::Counts {
                    path: count_path,
                    reason,
                })?;
        }
        Ok(outcome)
    }

    fn set_environment(&self, command: &mut Command, spec: &RunSpec) {
        // The user's own settings of these would change what is measured.
        for name in [
            "OMP_TOOL",
            "LIBOMPTARGET_INFO",
            "LIBOMPTARGET_DEBUG",
            "OMP_DISPLAY_ENV",
            "KMP_SETTINGS",
            "LD_PRELOAD",
        ] {
            command.env_remove(name);
        }
        for name in [
            "MALLOC_PERTURB_",
            "GLIBC_TUNABLES",
            "OMP_TOOL_LIBRARIES",
            "OMP_DEFAULT_DEVICE",
            "KMP_AFFINITY",
        ] {
            command.env_remove(name);
        }
        command.env("OMP_NUM_THREADS", spec.threads.to_string());
        command.env(
            "OMP_TARGET_OFFLOAD",
            if spec.device_required { "MANDATORY" } else { "DISABLED" },
        );
        if spec.mode.is_strict() {
            command.env("LD_PRELOAD", &self.runtime.strict);
        }
        if spec.mode.is_perturbed() {
            // The thread cache of malloc and the runtime's memory manager would hand out blocks as they are.
            command
                .env("MALLOC_PERTURB_", "165")
                .env("LIBOMPTARGET_MEMORY_MANAGER_THRESHOLD", "0");
            command.env("GLIBC_TUNABLES", "glibc.malloc.perturb=165:glibc.malloc.tcache_count=0");
            command.env("OMPMEMOPT_STRICT_FILL", "165");
        }
        command.envs(spec.environment.iter().map(|(name, value)| (name, value)));
    }
}

/// Starts the program in a process group of its own, feeds it, reads it, and sees that all of it ends in time.
fn supervise(command: &mut Command, spec: &RunSpec) -> io::Result<(Status, Vec<u8>, Vec<u8>)> {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let deadline = Instant::now() + spec.timeout;
    let mut child = cleanup::spawn(command)?;
    let group = child.group;
    limit(group, spec.address_space);

    if let Some(mut stdin) = child.process.stdin.take()
        && !spec.stdin.is_empty()
    {
        let input = spec.stdin.clone();
        // A program may end without reading its input; that is no error of ours.
        thread::spawn(move || stdin.write_all(&input));
    }
    let stdout = collect(child.process.stdout.take(), spec.output_limit);
    let stderr = collect(child.process.stderr.take(), spec.output_limit);

    let mut verdict = None;
    let out = receive(&stdout, deadline, group, &mut verdict);
    let err = receive(&stderr, deadline, group, &mut verdict);
    wait(deadline, group, &mut verdict)?;
    // Whatever the program left running ends with it.
    let ended = child.collect()?;
    let status = verdict.unwrap_or_else(|| match (ended.code(), ended.signal()) {
        (Some(code), _) => Status::Exited(code),
        (None, signal) => Status::Signaled(signal.unwrap_or(0)),
    });
    Ok((status, out, err))
}

/// No core files, and a bound on address space. The program is already running, and in its loader: it cannot have used up
/// anything yet. Where the system refuses, the program runs unbounded.
pub(super) fn limit(pid: Pid, address_space: u64) {
    let bound = |most: u64| Rlimit {
        current: Some(most),
        maximum: Some(most),
    };
    let _ = prlimit(Some(pid), Resource::Core, bound(0));
    let _ = prlimit(Some(pid), Resource::As, bound(address_space));
}

/// What was read, and whether the limit cut it.
type Collected = (Vec<u8>, bool);

fn collect<R: Read + Send + 'static>(stream: Option<R>, limit: u64) -> Receiver<Collected> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(stream) = stream {
            // A read error ends the stream like its end does.
            let _ = stream.take(limit.saturating_add(1)).read_to_end(&mut bytes);
        }
        let cut = bytes.len() as u64 > limit;
        bytes.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        let _ = sender.send((bytes, cut));
    });
    receiver
}

/// How long output is waited for after a kill: a descendant that left the group may hold the pipe open.
pub(super) const GRACE: Duration = Duration::from_secs(1);

fn receive(from: &Receiver<Collected>, deadline: Instant, group: Pid, verdict: &mut Option<Status>) -> Vec<u8> {
    let left = deadline.saturating_duration_since(Instant::now());
    let result = from
        .recv_timeout(if verdict.is_some() { GRACE } else { left })
        .or_else(|error| {
            if error == RecvTimeoutError::Timeout {
                verdict.get_or_insert(Status::TimedOut);
                let _ = kill_process_group(group, Signal::KILL);
            }
            from.recv_timeout(GRACE)
        });
    let (bytes, cut) = result.unwrap_or_default();
    if cut {
        verdict.get_or_insert(Status::TooMuchOutput);
        let _ = kill_process_group(group, Signal::KILL);
    }
    bytes
}

/// The program has closed its output, so it usually has ended; one that goes on silently is asked again and again.
pub(super) fn wait(deadline: Instant, pid: Pid, verdict: &mut Option<Status>) -> io::Result<()> {
    let question = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    let mut pause = Duration::from_micros(200);
    loop {
        if waitid(WaitId::Pid(pid), question)?.is_some() {
            return Ok(());
        }
        if Instant::now() >= deadline {
            verdict.get_or_insert(Status::TimedOut);
            return Ok(());
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}
