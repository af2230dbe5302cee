//! What a process and all that it starts use: time on the clock, processor time, memory.

use anyhow::{Context, Result, ensure};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// What was used.
#[derive(Clone, Copy, Default, Debug)]
pub struct Used {
    /// Seconds on the clock.
    pub wall: f64,
    /// Seconds of processor time, user and system, of all processes.
    pub cpu: f64,
    /// Bytes of memory of the largest process, at its peak.
    pub peak: u64,
}

/// Runs a command, which must end with one of the `expected` codes.
pub fn used(command: &mut Command, expected: &[i32]) -> Result<Used> {
    let name = format!("{command:?}");
    let started = Instant::now();
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| format!("{name} cannot be run"))?;
    let mut status = 0;
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the process is a child that nobody else waits for, both pointers are to places of the right type, and all
    // zeros are a valid value of `rusage`.
    let (pid, usage) = unsafe {
        let pid = libc::wait4(child.id() as libc::pid_t, &raw mut status, 0, usage.as_mut_ptr());
        (pid, usage.assume_init())
    };
    let wall = started.elapsed().as_secs_f64();
    ensure!(pid >= 0, "{name} cannot be waited for");
    let code = libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status));
    ensure!(
        code.is_some_and(|code| expected.contains(&code)),
        "{name} ended with {code:?}"
    );
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 * 1e-6;
    Ok(Used {
        wall,
        cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime),
        peak: usage.ru_maxrss as u64 * 1024,
    })
}

/// Runs commands side by side on all cores. The memory is that of as many of the largest as there are cores.
pub fn used_by_all(commands: Vec<Command>) -> Result<Used> {
    let cores = std::thread::available_parallelism()?.get();
    let count = commands.len();
    let queue: Vec<std::sync::Mutex<Command>> = commands.into_iter().map(Into::into).collect();
    let next = AtomicUsize::new(0);
    let started = Instant::now();
    let work = || -> Result<Vec<Used>> {
        let mut done = Vec::new();
        while let Some(command) = queue.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut command = command.lock().map_err(|_| anyhow::anyhow!("another thread failed"))?;
            done.push(used(&mut command, &[0])?);
        }
        Ok(done)
    };
    let done: Vec<Result<Vec<Used>>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        let joined = workers.into_iter().map(|worker| worker.join());
        joined.map(|result| result.unwrap_or_else(|_| Ok(Vec::new()))).collect()
    });
    let mut all = Vec::new();
    for results in done {
        all.extend(results?);
    }
    ensure!(all.len() == count, "not all commands were run");
    Ok(Used {
        wall: started.elapsed().as_secs_f64(),
        cpu: all.iter().map(|u| u.cpu).sum(),
        peak: all.iter().map(|u| u.peak).max().unwrap_or(0) * cores.min(count) as u64,
    })
}

/// The middle of several values.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The middle of several runs, each figure by itself.
pub fn middle(runs: &[Used]) -> Used {
    let of = |figure: fn(&Used) -> f64| median(runs.iter().map(figure).collect());
    Used {
        wall: of(|u| u.wall),
        cpu: of(|u| u.cpu),
        peak: of(|u| u.peak as f64) as u64,
    }
}
