//! What processes have started in turn, in whatever groups that is.
//!
//! A launcher of MPI puts each process of a program into a group of its own, where no signal to the launcher's group comes:
//!
//! ```text
//! mpirun (process 100, group 100) ─► rank 0 (101, group 101) ─► helper (102, group 101)
//!                                 └► rank 1 (103, group 103)                            below 100: 101, 102, 103
//! ```
//!
//! A descriptor holds each of them, so that a number which the system gives away again is never taken for the old process.
//!
//! **Limit.** A process whose parent has ended is below nobody any more.

use rustc_hash::FxHashMap;
use rustix::fd::OwnedFd;
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use std::fs;

/// Processes below others at one moment.
#[derive(Debug)]
pub struct Descendants {
    handles: Vec<OwnedFd>,
}

impl Descendants {
    /// Processes below some others, now.
    pub(super) fn below(roots: &[Pid]) -> Descendants {
        let mut children: FxHashMap<Pid, Vec<Pid>> = FxHashMap::default();
        for process in processes() {
            if let Some(parent) = parent(process) {
                children.entry(parent).or_default().push(process);
            }
        }
        let mut handles = Vec::new();
        let mut work = roots.to_vec();
        while let Some(above) = work.pop() {
            for process in children.remove(&above).unwrap_or_default() {
                let Ok(handle) = pidfd_open(process, PidfdFlags::empty()) else {
                    continue;
                };
                // Between the two looks another process may have got the number.
                if parent(process) == Some(above) {
                    handles.push(handle);
                    work.push(process);
                }
            }
        }
        Descendants { handles }
    }

    /// Kills those that are still there.
    pub fn kill(&self) {
        for handle in &self.handles {
            let _ = pidfd_send_signal(handle, Signal::KILL);
        }
    }
}

/// All processes of the machine that can be seen.
fn processes() -> impl Iterator<Item = Pid> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?))
}

fn parent(process: Pid) -> Option<Pid> {
    let text = fs::read(format!("/proc/{}/stat", process.as_raw_pid())).ok()?;
    // `NUMBER (NAME) STATE PARENT …`: a name may have parentheses and blanks of its own.
    let text = String::from_utf8_lossy(&text);
    let (_, after) = text.rsplit_once(')')?;
    Pid::from_raw(after.split_whitespace().nth(1)?.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::super::spawn;
    use super::*;
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    #[test]
    fn processes_in_groups_of_their_own_are_found_and_killed() {
        let script = "setsid sh -c 'sleep 60 & echo $!; wait' & wait";
        let mut command = Command::new("sh");
        let mut child = spawn(command.args(["-c", script]).stdout(Stdio::piped())).unwrap();
        let mut line = String::new();
        BufReader::new(child.process.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let sleeper = Pid::from_raw(line.trim().parse().unwrap()).unwrap();
        let below = child.descendants();
        assert_eq!(below.handles.len(), 2);
        drop(child);
        below.kill();
        let start = Instant::now();
        let sleeps = || fs::read(format!("/proc/{}/cmdline", sleeper.as_raw_pid())).is_ok_and(|line| !line.is_empty());
        while sleeps() {
            assert!(start.elapsed() < Duration::from_secs(20), "the sleeper goes on");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
