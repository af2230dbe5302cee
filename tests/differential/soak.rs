//! Runs many seeds through a subject, program by program and two or more at a time, and reduces what fails.

use crate::generator::hostile::HOSTILE;
use crate::generator::profile::{PROFILES, Profile};
use crate::generator::traps::DeviceTrap;
use crate::generator::{Case, Source, TOGETHER, assemble, configured, generate_case};
use crate::harness::reduce::reduce;
use crate::harness::tally::Tally;
use crate::harness::{Failure, Promises, Runner, Stage, Subject, differ};
use crate::hosts::Kind;
use libtest_mimic::Failed;
use ompmemopt::inside::source::unified_diff;
use rayon::prelude::*;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Cases in one program: enough to spread the cost of starting compiler and device, few enough to find a failure quickly.
pub const BATCH: u64 = 10;
/// The cases of one program in so many have to be right under other values of their macros, too; 0 for none. `CONFIGURED`
/// overrides it. Each is built and run twice more.
const CONFIGURED: u64 = 4;
/// Times that a failing case is run again to make it smaller.
const REDUCTIONS: usize = 2_000;
/// Seconds that making one case smaller may take; `REDUCE_SECONDS` overrides it.
const REDUCE_SECONDS: u64 = 120;
/// Failures after which a run stops, because each takes minutes to reduce; `MOST_FAILURES` overrides it.
const MOST_FAILURES: u64 = 5;
/// Time between two lines of progress.
const PROGRESS: Duration = Duration::from_secs(15);

/// The number in an environment variable.
pub fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable)
        .ok()
        .and_then(|v| v.parse().ok())
        .unwrap_or(default)
}

/// The profile that `PROFILE` asks for, if it is one of these, and all of `usual` where it asks for none.
pub fn profiles(of: &[&'static [Profile]], usual: &[&'static [Profile]]) -> Result<Vec<&'static Profile>, Failed> {
    match std::env::var("PROFILE") {
        Ok(name) => match Profile::named(&name) {
            Some(_) => Ok(of.iter().copied().flatten().filter(|p| p.name == name).collect()),
            None => Err(format!("no profile called {name}").into()),
        },
        Err(_) => Ok(usual.iter().copied().flatten().collect()),
    }
}

/// The cases of `first..first + count` in programs of [`BATCH`], or one by one where each has its own `main`.
pub fn files(profile: &Profile, first: u64, count: u64) -> Vec<Vec<Case>> {
    let every = number("CONFIGURED", CONFIGURED);
    // Profiles take turns, because a short run has one program of each.
    let turn = [PROFILES, HOSTILE].iter().copied().flatten();
    let turn = turn.take_while(|p| p.name != profile.name).count() as u64;
    let case = |seed: u64| {
        let case = generate_case(seed, profile);
        // Whole files, because every configuration is a build of its own.
        match every > 0 && !case.loses() && (seed / BATCH + turn) % every == every - 1 {
            true => case.configurable(),
            false => case,
        }
    };
    let cases: Vec<Case> = (first..first + count).map(case).collect();
    let traps = &profile.traps;
    let by_hand = traps.p_hand > 0 || traps.devices != DeviceTrap::Never;
    // Mappings of all cases of a file are planned anew, or none are.
    let size = match traps.hosts {
        _ if profile.whole_main => 1,
        Some(Kind::Swaps) => 1,
        Some(Kind::Addresses) => TOGETHER,
        None if by_hand => TOGETHER,
        _ => BATCH,
    };
    cases.chunks(size as usize).map(<[Case]>::to_vec).collect()
}

/// A failure with the smallest case found for it.
struct Explained {
    profile: &'static str,
    failure: Failure,
    folder: PathBuf,
}

/// What is shared between the threads of a soak.
struct State {
    tally: Tally,
    failures: Vec<Explained>,
    spoken: Instant,
}

/// Tests `count` seeds, spread evenly over `profiles` and numbered from `FIRST_SEED` in each, and says what was seen. `subject` gives the rewriter for the `n`th program of a profile.
pub fn soak<'a>(
    name: &str,
    profiles: &[&'static Profile],
    count: u64,
    runner: &dyn Runner,
    subject: &(dyn Sync + Fn(&Profile, usize) -> &'a dyn Subject),
) -> Result<Tally, Failed> {
    if profiles.is_empty() {
        return Ok(Tally::default());
    }
    let first = number("FIRST_SEED", 0);
    let share = count.div_ceil(profiles.len() as u64);
    let most = number("MOST_FAILURES", MOST_FAILURES) as usize;
    // Round robin, so that a run that is ended early has met all profiles. Cases are generated when they are needed.
    let jobs: Vec<(u64, &'static Profile)> = (0..share.div_ceil(BATCH))
        .flat_map(|n| profiles.iter().map(move |p| (n, *p)))
        .collect();
    let state = Mutex::new(State {
        tally: Tally::default(),
        failures: Vec::new(),
        spoken: Instant::now(),
    });
    let lock = || state.lock().unwrap_or_else(PoisonError::into_inner);
    jobs.par_iter().for_each(|(n, profile)| {
        let size = BATCH.min(share - n * BATCH);
        for (k, file) in files(profile, first + n * BATCH, size).iter().enumerate() {
            if lock().failures.len() >= most {
                return;
            }
            // From its seed, a failure is found again as it was found.
            let subject = subject(profile, ((first / BATCH) + n) as usize + k);
            let (failures, tally) = differ(file, subject, runner);
            let mut now = lock();
            now.tally += tally;
            if now.spoken.elapsed() > PROGRESS {
                now.spoken = Instant::now();
                eprintln!("{name}: {}, {} failures", now.tally, now.failures.len());
            }
            drop(now);
            for failure in failures {
                if let Some(case) = file.iter().find(|c| c.seed == failure.seed) {
                    let explained = explain((profile, file), case, failure, subject, runner);
                    lock().failures.push(explained);
                }
            }
        }
    });
    let state = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    eprintln!("{name}: {}, {} failures", state.tally, state.failures.len());
    match state.failures.as_slice() {
        [] => Ok(state.tally),
        failures => Err(described(failures).into()),
    }
}

fn described(failures: &[Explained]) -> String {
    let mut lines: Vec<String> = failures
        .iter()
        .map(|e| {
            format!(
                "profile {}, seed {}, {}: {}\n    reduced: {}",
                e.profile,
                e.failure.seed,
                e.failure.stage.name(),
                e.failure.reason,
                e.folder.display()
            )
        })
        .collect();
    lines.sort();
    lines.join("\n")
}

/// A subject of which nothing is asked but what shows a failure again: reductions are as good as they are many.
struct Quick<'a> {
    subject: &'a dyn Subject,
    stage: Stage,
    /// What is right is what the original does on a device.
    by_original: bool,
}

impl Quick<'_> {
    /// Whether wrong output is all that matters.
    fn by_output(&self) -> bool {
        matches!(self.stage, Stage::Device | Stage::Output | Stage::Configuration)
    }
}

impl Subject for Quick<'_> {
    fn rewrite(&self, program: &[Source]) -> Result<Vec<Source>, String> {
        let rewritten = self.subject.rewrite(program)?;
        // What was left alone is not wrong, and need not be run.
        let same = self.by_output() && self.promises() != self.subject.promises() && rewritten == program;
        if same { Err("unchanged".into()) } else { Ok(rewritten) }
    }

    fn promises(&self) -> Promises {
        let promises = self.subject.promises();
        // Subjects that change nothing make no promises, and are run as they are.
        match self.by_output() && promises.stable {
            true => Promises {
                original: self.by_original,
                ..Promises::default()
            },
            false => promises,
        }
    }
}

/// Reduces a failure and writes it down, in a folder of its own: the program's files, `diff.txt` and `notes.txt`.
fn explain(
    (profile, file): (&Profile, &[Case]),
    case: &Case,
    failure: Failure,
    subject: &dyn Subject,
    runner: &dyn Runner,
) -> Explained {
    eprintln!(
        "profile {}, seed {}: {} failure, reducing: {}",
        profile.name,
        failure.seed,
        failure.stage.name(),
        failure.reason.lines().next().unwrap_or_default()
    );
    let mut last = failure.reason.clone();
    let mut alone = false;
    let time = Duration::from_secs(number("REDUCE_SECONDS", REDUCE_SECONDS));
    let quick = Quick {
        subject,
        stage: failure.stage,
        by_original: case.loses(),
    };
    let reduced = reduce(case.clone(), REDUCTIONS, time, &mut |c| {
        let mut c = c.clone();
        if failure.stage != Stage::Configuration {
            c.configurations.clear();
        }
        let (found, _) = differ(&[c], &quick, runner);
        let same = found.into_iter().find(|f| f.stage == failure.stage);
        if let Some(same) = &same {
            last.clone_from(&same.reason);
            alone = true;
        }
        same.is_some()
    });
    let program = assemble(std::slice::from_ref(&reduced));
    let once = subject.rewrite(&program);
    let mut diff = String::new();
    if let Ok(once) = &once {
        diff = differences(&program, once);
        if let Ok(twice) = subject.rewrite(once)
            && twice != *once
        {
            diff += "\nsecond rewrite:\n";
            diff += &differences(once, &twice);
        }
    }
    let notes = format!(
        "profile {}, seed {}, {}\n{last}\nbefore it was reduced: {}\n",
        profile.name,
        failure.seed,
        failure.stage.name(),
        failure.reason
    );
    let folder = results_folder().join(format!("{}-{}-{}", failure.stage.name(), profile.name, failure.seed));
    let texts = program.iter().map(|s| (s.name.as_str(), s.text.as_str()));
    let texts = texts.chain([("diff.txt", diff.as_str()), ("notes.txt", notes.as_str())]);
    let mut written = std::fs::create_dir_all(&folder);
    // What goes wrong only beside other cases is kept with them, as each configuration has it.
    let whole = if alone { Vec::new() } else { whole_file(file, subject) };
    let texts = texts.chain(whole.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    for (name, text) in texts {
        written = written.and_then(|()| std::fs::write(folder.join(name), text));
    }
    if let Err(e) = written {
        eprintln!("cannot write to {}: {e}\n{notes}\n{}", folder.display(), reduced.text());
    }
    Explained {
        profile: profile.name,
        failure,
        folder,
    }
}

/// The program of all cases of a file before and after it was rewritten, as it is and as each configuration has it.
fn whole_file(file: &[Case], subject: &dyn Subject) -> Vec<(String, String)> {
    let program = assemble(file);
    let rewritten = subject.rewrite(&program).unwrap_or_default();
    let most = file.iter().map(|c| c.configurations.len()).max().unwrap_or(0);
    let mut found = Vec::new();
    for (form, texts) in [("before", program), ("after", rewritten)] {
        let each = (0..most).map(|k| (format!("{form}-{k}"), configured(&texts, file, k)));
        for (folder, texts) in each.chain([(form.to_owned(), texts.clone())]) {
            found.extend(texts.into_iter().map(|s| (format!("{folder}-{}", s.name), s.text)));
        }
    }
    found
}

/// What a rewrite changed, file by file.
fn differences(before: &[Source], after: &[Source]) -> String {
    let pairs = before.iter().zip(after);
    let diffs = pairs.map(|(a, b)| unified_diff(&a.name, a.text.as_bytes(), b.text.as_bytes()));
    String::from_utf8_lossy(&diffs.collect::<Vec<_>>().concat()).into_owned()
}

/// `target/differential`, or the folder that `KEEP` names.
fn results_folder() -> PathBuf {
    match std::env::var_os("KEEP") {
        Some(folder) => folder.into(),
        None => PathBuf::from(env!("CARGO_TARGET_TMPDIR")).with_file_name("differential"),
    }
}
