//! Ctrl-C and its like: no process, no folder and no half of a change is left, whatever the tool was doing.
//!
//! Runs get a place for temporary files of their own, which has to be empty afterwards, and a mark in their environment that
//! all processes inherit which they start. Where a phase is to be met for sure, a stand-in for the compiler or the
//! program itself says that it has begun and then sleeps.

use super::programs::{MAIN, mixed_step};
use super::{CLANG, LOOP, Sandbox};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The variable that marks the processes of a run.
pub(super) const MARK: &str = "OMPMEMOPT_TEST_MARK";
/// Longest that anything may take here. Machines may be busy.
const PATIENCE: Duration = Duration::from_secs(120);
const SIGNALS: [Signal; 3] = [Signal::INT, Signal::TERM, Signal::HUP];

/// A run that is going to be interrupted.
struct Running {
    sandbox: Sandbox,
    child: Child,
    mark: String,
}

impl Running {
    fn start(sandbox: Sandbox, args: &[&str], clang: Option<&Path>) -> Running {
        let temporary = sandbox.path().join("tmp");
        fs::create_dir_all(&temporary).unwrap();
        let mark = sandbox.path().display().to_string();
        let mut command = sandbox.command_in_front(args);
        command
            .env(MARK, &mark)
            .env("TMPDIR", &temporary)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        if let Some(clang) = clang {
            command.env("OMPMEMOPT_CLANG", clang);
        }
        let child = command.spawn().unwrap();
        Running { sandbox, child, mark }
    }

    /// Waits until a file is there.
    fn until(&self, name: &str) {
        let path = self.sandbox.path().join(name);
        wait(&format!("{name} to appear"), || path.exists());
    }

    fn signal(&self, signal: Signal) {
        // The process may have ended by now, and is not collected: its number is its own.
        let _ = kill_process(Pid::from_child(&self.child), signal);
    }

    /// Waits for its end. Nothing of it may be left then.
    fn ended(mut self) -> (ExitStatus, Sandbox) {
        let status = self.child.wait().unwrap();
        wait("processes to end", || marked(&self.mark).is_empty());
        assert_eq!(names(&self.sandbox.path().join("tmp")), [""; 0], "{status}");
        (status, self.sandbox)
    }
}

pub(super) fn wait(what: &str, done: impl Fn() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < PATIENCE, "waited in vain for {what}");
        sleep(Duration::from_millis(2));
    }
}

/// The processes with this mark. One that has ended and was not collected by whoever inherited it has no environment.
pub(super) fn marked(mark: &str) -> Vec<String> {
    let mark = format!("{MARK}={mark}\0");
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let is_marked = |folder: &Path| {
        let environment = fs::read(folder.join("environ")).unwrap_or_default();
        String::from_utf8_lossy(&environment).contains(&mark)
    };
    processes
        .filter(|entry| is_marked(&entry.path()))
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    let mut names: Vec<String> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Whether the compiler that the tool looks for can build programs that offload: `verify` uses no other that is named.
fn can_offload() -> bool {
    let answer = Command::new(CLANG).arg("-print-file-name=libomptarget.so").output();
    answer.is_ok_and(|answer| answer.stdout.starts_with(b"/"))
}

/// A compiler that starts another process and sleeps where its arguments contain `pattern`.
fn sleepy_compiler(sandbox: &Sandbox, pattern: &str) -> std::path::PathBuf {
    let path = sandbox.path().join("clang");
    let script = format!(
        "#!/bin/sh\ncase \"$*\" in *{pattern}*)\n  : > '{}/started'\n  sleep 300 &\n  sleep 300;;\nesac\nexec {CLANG} \"$@\"\n",
        sandbox.path().display()
    );
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// A program that says that it has been started, starts another process, and sleeps; `when` a condition holds.
fn sleepy_program(when: &str) -> String {
    let sleep = format!(
        "int main(void)\n{{\n  if ({when}) {{ FILE *f = fopen(\"started\", \"w\"); fclose(f); fork(); for (;;) pause(); }}"
    );
    let head = "#include <unistd.h>\n#include <omp.h>\n";
    head.to_owned() + &LOOP.replace("int main(void)\n{", &sleep)
}

fn assert_interrupted(status: ExitStatus, signal: Signal) {
    assert_eq!(status.code(), Some(128 + signal.as_raw()), "{status}");
}

#[test]
fn while_the_verifier_compiles() {
    let ways = SIGNALS.into_iter().zip(["-fopenmp-targets", "omp_serial", "-shared"]);
    for (signal, pattern) in ways.filter(|_| can_offload()) {
        let sandbox = Sandbox::new(&[("a.c", LOOP)]);
        let clang = sleepy_compiler(&sandbox, pattern);
        let running = Running::start(sandbox, &["verify", "a.c"], Some(&clang));
        running.until("started");
        running.signal(signal);
        let (status, sandbox) = running.ended();
        assert_interrupted(status, signal);
        assert_eq!(names(sandbox.path()), ["a.c", "clang", "started", "tmp"]);
        let kept = sandbox.cache.path().join("ompmemopt");
        let half: Vec<String> = names(&kept).into_iter().filter(|name| name.starts_with('.')).collect();
        assert_eq!(half, [""; 0]);
    }
}

#[test]
fn while_the_verifier_runs_a_program() {
    let sequential = "omp_get_num_devices() == 0";
    let device = "omp_get_num_devices() > 0";
    for (signal, when) in SIGNALS.into_iter().zip([sequential, device, sequential]) {
        let sandbox = Sandbox::new(&[("a.c", &sleepy_program(when))]);
        let running = Running::start(sandbox, &["verify", "a.c"], None);
        running.until("started");
        running.signal(signal);
        let (status, sandbox) = running.ended();
        assert_interrupted(status, signal);
        assert_eq!(names(sandbox.path()), ["a.c", "started", "tmp"]);
    }
}

#[test]
fn a_killed_verifier_takes_its_program_along() {
    let alone = sleepy_program("1").replace("fork(); ", "");
    let sandbox = Sandbox::new(&[("a.c", &alone)]);
    let mut running = Running::start(sandbox, &["verify", "a.c"], None);
    running.until("started");
    running.signal(Signal::KILL);
    running.child.wait().unwrap();
    wait("the program to end", || marked(&running.mark).is_empty());
}

#[test]
fn a_signal_that_was_ignored_stays_ignored() {
    let sandbox = Sandbox::new(&[(
        "a.c",
        &sleepy_program("access(\"go\", F_OK)").replace("for (;;) pause();", "sleep(1);"),
    )]);
    let mut command = Command::new("sh");
    let script = format!("trap '' HUP; exec '{}' verify a.c", env!("CARGO_BIN_EXE_ompmemopt"));
    command
        .args(["-c", &script])
        .current_dir(sandbox.path())
        .env("XDG_CACHE_HOME", sandbox.cache.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    wait("the program to start", || sandbox.path().join("started").exists());
    fs::write(sandbox.path().join("go"), "").unwrap();
    kill_process(Pid::from_child(&child), Signal::HUP).unwrap();
    let status = child.wait().unwrap();
    assert!(matches!(status.code(), Some(0..=2)), "{status}");
}

/// Either it had ended, or the signal ended it: as the tool does it, or as the system does before the tool is ready.
fn assert_ended_or_interrupted(status: ExitStatus, signal: Signal) {
    let raw = signal.as_raw();
    let interrupted = status.code() == Some(128 + raw) || status.signal() == Some(raw);
    assert!(interrupted || status.code() == Some(0), "{status}");
}

#[test]
fn at_any_moment_of_a_verification() {
    for (index, delay) in [0, 3, 10, 30, 100, 300, 700, 1500].into_iter().enumerate() {
        let signal = SIGNALS[index % SIGNALS.len()];
        let running = Running::start(Sandbox::new(&[("a.c", LOOP)]), &["verify", "a.c"], None);
        sleep(Duration::from_millis(delay));
        running.signal(signal);
        let (status, sandbox) = running.ended();
        assert_ended_or_interrupted(status, signal);
        assert_eq!(names(sandbox.path()), ["a.c", "tmp"]);
    }
}

/// A program of two files that have to be changed together.
fn set_of_files() -> (Sandbox, [String; 2]) {
    let texts = [MAIN.to_owned(), mixed_step()];
    let sandbox = Sandbox::new(&[("main.c", &texts[0]), ("step.c", &texts[1])]);
    (sandbox, texts)
}

#[test]
fn files_that_change_together_are_changed_or_not_begun() {
    let (whole, _) = set_of_files();
    let start = Instant::now();
    assert_eq!(whole.run(&["rewrite", "-i", "."]).code, 0);
    let time = start.elapsed();
    let changed = ["main.c", "step.c"].map(|name| whole.read(name));
    for moment in 0..14_u32 {
        let signal = SIGNALS[moment as usize % SIGNALS.len()];
        let (sandbox, texts) = set_of_files();
        let running = Running::start(sandbox, &["rewrite", "-i", "."], None);
        if moment < 6 {
            // At the very moment that new texts are written.
            let path = running.sandbox.path().to_owned();
            let temporary = || names(&path).iter().any(|name| name.starts_with(".ompmemopt-"));
            let done = || fs::read_to_string(path.join("step.c")).is_ok_and(|text| text == changed[1]);
            let begun = Instant::now();
            while !temporary() && !done() && begun.elapsed() < PATIENCE {}
        } else {
            sleep(time * (moment - 5) / 8);
        }
        running.signal(signal);
        let (status, sandbox) = running.ended();
        assert_ended_or_interrupted(status, signal);
        assert_eq!(names(sandbox.path()), ["main.c", "step.c", "tmp"]);
        let now = ["main.c", "step.c"].map(|name| sandbox.read(name));
        assert!(now == texts || now == changed, "half of it: {now:?}");
    }
}
