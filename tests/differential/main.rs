//! Differential tests: random programs with kernels, rewritten, must compute what the sequential originals compute.
//!
//! `SEEDS` (how many, 60 by default), `FIRST_SEED` (0) and `PROFILE` (a name of [`generator::profile::PROFILES`], or all of
//! them in turn) choose what to run; `KEEP` names a folder for reduced failures. A failing seed is reduced and its C text
//! printed.

mod generator;
mod harness;

use generator::profile::{PROFILES, Profile};
use generator::shrink::shrink;
use generator::{Case, assemble, generate_case, simulate};
use harness::{Failure, Identity, Runner, Stage, Subject, clang::Clang, differ, reduce::reduce};
use libtest_mimic::{Arguments, Failed, Trial};

/// Cases in one file: enough to spread the cost of starting compiler and device, few enough to find a failure quickly.
const BATCH: u64 = 20;
/// Times that a failing case is run again to make it smaller.
const REDUCTIONS: usize = 400;

/// Failures after which a run stops: each one takes minutes to reduce.
const ENOUGH: usize = 5;

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable)
        .ok()
        .and_then(|v| v.parse().ok())
        .unwrap_or(default)
}

/// The profiles that `PROFILE` asks for.
fn profiles() -> Result<Vec<&'static Profile>, Failed> {
    match std::env::var("PROFILE") {
        Ok(name) => Profile::named(&name)
            .map(|p| vec![p])
            .ok_or_else(|| format!("no profile called {name}").into()),
        Err(_) => Ok(PROFILES.iter().collect()),
    }
}

/// The cases of `first..first + count` in files of [`BATCH`], or one by one where each is a whole program.
fn files(profile: &Profile, first: u64, count: u64) -> Vec<Vec<Case>> {
    let cases: Vec<Case> = (first..first + count)
        .map(|seed| generate_case(seed, profile))
        .collect();
    let size = if profile.whole_main { 1 } else { BATCH as usize };
    cases.chunks(size).map(<[Case]>::to_vec).collect()
}

/// Reduces a failure and describes it.
fn explain(case: &Case, failure: &Failure, subject: &dyn Subject, runner: &dyn Runner) -> String {
    let reduced = reduce(case.clone(), REDUCTIONS, &mut |c| {
        differ(std::slice::from_ref(c), subject, runner)
            .iter()
            .any(|f| f.stage == failure.stage)
    });
    let text = assemble(std::slice::from_ref(&reduced));
    if let Some(folder) = std::env::var_os("KEEP") {
        let file = std::path::Path::new(&folder).join(format!("seed-{}.c", case.seed));
        if let Err(e) = std::fs::write(&file, &text) {
            eprintln!("cannot write {}: {e}", file.display());
        }
    }
    format!("seed {}: {}\n{text}", failure.seed, failure.reason)
}

/// Tests `SEEDS` seeds of every chosen profile against `subject`.
fn soak(subject: &dyn Subject) -> Result<(), Failed> {
    let Some(runner) = Clang::find() else {
        return Err("clang-19 cannot be run; OMPMEMOPT_CLANG names another one".into());
    };
    let profiles = profiles()?;
    let (first, count) = (number("FIRST_SEED", 0), number("SEEDS", 60));
    let share = count.div_ceil(profiles.len() as u64);
    let mut report = Vec::new();
    for profile in profiles {
        for file in files(profile, first, share) {
            for failure in differ(&file, subject, &runner) {
                let case = file.iter().find(|c| c.seed == failure.seed);
                let text = case.map(|c| explain(c, &failure, subject, &runner)).unwrap_or_default();
                report.push(format!("profile {}, {text}", profile.name));
                if report.len() == ENOUGH {
                    return Err(report.join("\n").into());
                }
            }
        }
    }
    if report.is_empty() {
        Ok(())
    } else {
        Err(report.join("\n").into())
    }
}

/// Two runs of the generator give the same text, and different seeds give different texts.
fn deterministic() -> Result<(), Failed> {
    for profile in PROFILES {
        for seed in 0..20 {
            let (a, b) = (generate_case(seed, profile), generate_case(seed, profile));
            if a.text != b.text {
                return Err(format!("{} seed {seed} gives two texts", profile.name).into());
            }
        }
        let other = generate_case(1, profile)
            .text
            .replace("_1", "_0")
            .replace("case 1", "case 0");
        if generate_case(0, profile).text == other {
            return Err(format!("{} gives one text for two seeds", profile.name).into());
        }
    }
    Ok(())
}

/// Profiles that promise it generate programs in which every loop reaches every kernel in it.
fn speculation_safe() -> Result<(), Failed> {
    for profile in PROFILES.iter().filter(|p| p.speculation_safe) {
        for seed in 0..200 {
            let case = generate_case(seed, profile);
            if let Some((l, k)) = simulate::simulate(&case.program).starved.first() {
                return Err(format!("{} seed {seed}: loop {l} misses kernel {k}", profile.name).into());
            }
        }
    }
    Ok(())
}

/// The reducer keeps what the predicate asks for and throws the rest away.
fn reduces() -> Result<(), Failed> {
    for seed in 0..15 {
        let case = generate_case(seed, &PROFILES[0]);
        let kernels = |c: &Case| c.text.matches("omp target").count();
        if kernels(&case) == 0 {
            continue;
        }
        let small = reduce(case.clone(), 2_000, &mut |c| kernels(c) > 0);
        if kernels(&small) != 1 || small.text.len() > case.text.len() {
            return Err(format!("seed {seed} stays at:\n{}", small.text).into());
        }
    }
    Ok(())
}

/// Reduced cases are still correct programs: single steps, and a few along one reduction, are built and run.
fn reductions_stay_correct() -> Result<(), Failed> {
    let Some(runner) = Clang::find() else {
        return Err("clang-19 cannot be run; OMPMEMOPT_CLANG names another one".into());
    };
    let first = number("FIRST_SEED", 0);
    let mut cases = Vec::new();
    for seed in first..first + number("SEEDS", 60).div_ceil(4) {
        // A predicate that says yes now and then walks down a path of its own for every seed.
        let mut asked = seed;
        let case = generate_case(seed, &PROFILES[0]);
        cases.extend(shrink(&case).step_by(29).take(2));
        reduce(case, 12 + seed as usize % 40, &mut |c| {
            asked += 1;
            let taken = asked.is_multiple_of(3);
            if taken && asked % 12 == seed % 12 {
                cases.push(c.clone());
            }
            taken
        });
    }
    let mut report = Vec::new();
    // Versions of one seed define the same names, so no two of them may share a file.
    while !cases.is_empty() {
        let (mut file, mut later): (Vec<Case>, Vec<Case>) = (Vec::new(), Vec::new());
        for case in cases {
            let full = file.len() as u64 == BATCH || file.iter().any(|c| c.seed == case.seed);
            if full { later.push(case) } else { file.push(case) }
        }
        for f in differ(&file, &Identity, &runner) {
            let case = file.iter().find(|c| c.seed == f.seed);
            report.push(format!(
                "seed {}: {}\n{}",
                f.seed,
                f.reason,
                case.map_or("", |c| &c.text)
            ));
        }
        cases = later;
    }
    if report.is_empty() {
        Ok(())
    } else {
        Err(report.join("\n").into())
    }
}

/// A rewriter with a bug: kernels no longer copy back what they may have written.
struct ForgetsCopyBack;

impl Subject for ForgetsCopyBack {
    fn rewrite(&self, text: &str) -> Result<String, String> {
        Ok(text
            .replace("map(tofrom:", "map(to:")
            .replace("map(from:", "map(alloc:"))
    }
}

/// The harness notices a wrong rewrite and reduces it to a program with little more than the kernel that shows it.
fn catches_a_wrong_rewrite() -> Result<(), Failed> {
    let Some(runner) = Clang::find() else {
        return Err("clang-19 cannot be run; OMPMEMOPT_CLANG names another one".into());
    };
    let cases = files(&PROFILES[0], 0, 10).remove(0);
    let failures = differ(&cases, &ForgetsCopyBack, &runner);
    let wrong: Vec<&Failure> = failures.iter().filter(|f| f.stage == Stage::Output).collect();
    if wrong.len() < cases.len() / 2 {
        return Err(format!("only {} of {} cases notice", wrong.len(), cases.len()).into());
    }
    let failure = wrong[0];
    let case = cases
        .iter()
        .find(|c| c.seed == failure.seed)
        .ok_or("a failure of no case")?;
    let reduced = reduce(case.clone(), 60, &mut |c| {
        differ(std::slice::from_ref(c), &ForgetsCopyBack, &runner)
            .iter()
            .any(|f| f.stage == Stage::Output)
    });
    let kernels = reduced.text.matches("#pragma omp target").count();
    if kernels > 2 {
        return Err(format!("seed {} stays at {kernels} directives:\n{}", case.seed, reduced.text).into());
    }
    Ok(())
}

/// Prints the file of the chosen seeds and profile, for a look at what the generator makes.
fn show() -> Result<(), Failed> {
    for profile in profiles()? {
        for file in files(profile, number("FIRST_SEED", 0), number("SEEDS", 1)) {
            println!("{}", assemble(&file));
        }
    }
    Ok(())
}

fn main() {
    let args = Arguments::from_args();
    let trials = vec![
        Trial::test("generator::deterministic", deterministic),
        Trial::test("generator::speculation_safe", speculation_safe),
        Trial::test("generator::reduces", reduces),
        Trial::test("generator::correct", || soak(&Identity)),
        Trial::test("generator::reductions_stay_correct", reductions_stay_correct),
        Trial::test("harness::catches_a_wrong_rewrite", catches_a_wrong_rewrite),
        Trial::test("generator::show", show).with_ignored_flag(true),
    ];
    libtest_mimic::run(&args, trials).exit();
}
