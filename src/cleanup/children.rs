//! Processes that end when the tool does.

use super::descendants::Descendants;
use super::{raw, section};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitStatus, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The groups of all processes that were started and not collected yet: until then their numbers are their own.
static GROUPS: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

fn groups() -> MutexGuard<'static, Vec<Pid>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A process in a group of its own. Dropped without [`Child::collect`], it is killed with all of the group.
#[derive(Debug)]
pub struct Child {
    /// The process's streams and number. Waiting is for [`Child::collect`] to do.
    pub process: std::process::Child,
    /// The process's number, and its group's.
    pub group: Pid,
    collected: bool,
}

/// Starts a process that ends with the tool, and so does all of its group. The thread that starts it has to outlive it.
///
/// # Errors
/// Why it cannot be started.
pub fn spawn(command: &mut Command) -> io::Result<Child> {
    command.process_group(0);
    raw::die_with_us(command);
    let _section = section();
    let process = command.spawn()?;
    let group = Pid::from_child(&process);
    groups().push(group);
    Ok(Child {
        process,
        group,
        collected: false,
    })
}

/// Runs a process that has the terminal, as an editor does: in the tool's own group, which is in front. It ends with the tool, too.
///
/// # Errors
/// Why it cannot be started or waited for.
pub fn in_front(command: &mut Command) -> io::Result<ExitStatus> {
    raw::die_with_us(command);
    let mut process = {
        let _section = section();
        command.spawn()?
    };
    process.wait()
}

/// As [`Command::output`] with nothing on standard input, for a process that ends with the tool.
///
/// # Errors
/// Why it cannot be started or read.
pub fn output(command: &mut Command) -> io::Result<Output> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = spawn(command)?;
    let (stdout, stderr) = (child.process.stdout.take(), child.process.stderr.take());
    let errors = thread::spawn(move || all_of(stderr));
    let stdout = all_of(stdout)?;
    let stderr = errors.join().unwrap_or_else(|_| Ok(Vec::new()))?;
    waitid(WaitId::Pid(child.group), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)?;
    Ok(Output {
        status: child.collect()?,
        stdout,
        stderr,
    })
}

fn all_of(stream: Option<impl Read>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(mut stream) = stream {
        stream.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

impl Child {
    /// Kills what is left of the group, and says how the process ended.
    ///
    /// # Errors
    /// Why that cannot be found out.
    pub fn collect(mut self) -> io::Result<ExitStatus> {
        self.reap()
    }

    /// What the process has started until now, and that in turn, in whatever groups.
    pub fn descendants(&self) -> Descendants {
        Descendants::below(&[self.group])
    }

    fn reap(&mut self) -> io::Result<ExitStatus> {
        self.collected = true;
        // The process has not been waited for: its number is still its own, and nobody else's.
        let _ = kill_process_group(self.group, Signal::KILL);
        let mut groups = groups();
        let status = self.process.wait();
        groups.retain(|group| *group != self.group);
        status
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if !self.collected {
            let _ = self.reap();
        }
    }
}

/// How long killed processes are waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// Kills all processes, with their groups and what they have started in others. Nobody collects one any more: their numbers
/// stay their own.
pub(super) fn end_all() {
    let groups = groups();
    let below = Descendants::below(&groups);
    for group in groups.iter() {
        let _ = kill_process_group(*group, Signal::KILL);
    }
    below.kill();
    let start = Instant::now();
    let question = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    for group in groups.iter() {
        // Where it cannot be asked for it is gone.
        while matches!(waitid(WaitId::Pid(*group), question), Ok(None)) && start.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(1));
        }
    }
    std::mem::forget(groups);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_complete_and_the_group_is_gone() {
        // A megabyte on both streams would fill any pipe; the sleeper holds none of them.
        let script = "(sleep 60 >/dev/null 2>&1 &) ; head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2; exit 3";
        let mut command = Command::new("sh");
        let ran = output(command.args(["-c", script])).unwrap();
        assert_eq!(ran.status.code(), Some(3));
        assert_eq!((ran.stdout.len(), ran.stderr.len()), (1_000_000, 1_000_000));
    }

    #[test]
    fn a_dropped_process_is_killed() {
        let child = spawn(Command::new("sleep").arg("60")).unwrap();
        let group = child.group;
        drop(child);
        assert!(!groups().contains(&group));
        assert!(rustix::process::test_kill_process_group(group).is_err());
    }
}
