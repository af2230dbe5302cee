//! Differential tests: random programs with kernels, rewritten, must compute what the sequential originals compute.
//!
//! Programs of plain loops ([`loops`]) are annotated and must compute the same, too, whichever thread does which iteration.
//!
//! `SEEDS` (how many), `FIRST_SEED` (0) and `PROFILE` (a name of [`generator::profile::PROFILES`] or of
//! [`generator::profile::LOOPS`], or all of them in turn) choose what to run; a profile of the one kind leaves out the tests of
//! the other. One program in `CONFIGURED` (4; 0 for none) is right under two other values of its macros as well. A failing seed
//! is reduced; the smallest program that still fails is written under `target/differential/`, or the folder that `KEEP` names,
//! and the failure message says where. `RUNS` names a file in which is noted what programs did, so that they need not be run again
//! ([`harness::remembered`]).
//!
//! `tool::*` test the rewriter (`make soak SEEDS=5000` runs only these), `check::*` the checker, `generator::*` and `harness::*` the tester.

#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr)] // a program that reports to who runs it

mod generator;
mod handles;
mod harness;
mod hosts;
mod loops;
mod nested;
mod numbers;
mod rows;
mod soak;

use generator::census::{FEATURES, features};
use generator::hostile::HOSTILE;
use generator::pitfall_census::{PITFALLS, pitfalls};
use generator::profile::{LOOPS, PROFILES, Profile};
use generator::shrink::shrink;
use generator::{Case, Source, assemble, generate_case, simulate};
use harness::checked::{Checked, Idle};
use harness::remembered::Remembered;
use harness::tool::Tool;
use harness::verifier::{Threads, Verifier};
use harness::{Failure, Identity, Stage, Subject, clang::Clang, differ, reduce::reduce};
use libtest_mimic::{Arguments, Failed, Trial};
use soak::{BATCH, files, number, profiles, soak};
use std::collections::BTreeMap;
use std::time::Duration;

/// The profiles of the rewriter's test where `PROFILE` names none.
const USUAL: &[&[Profile]] = &[PROFILES, HOSTILE];
/// Seeds of the rewriter's test, of the generator's, and of the checker's, which runs nothing.
const TOOL_SEEDS: u64 = 150;
const GENERATOR_SEEDS: u64 = 60;
const CHECK_SEEDS: u64 = 150;
/// Seeds of the test of plain loops; one program in so many gets kernels only where they are worth it; of a hundred loops at
/// least so many have to become kernels.
const LOOP_SEEDS: u64 = 40;
const WORTH: usize = 5;
const OFFLOADED_PERCENT: u64 = 8;
/// Of a hundred cases, at least so many have to be rewritten: leaving them alone would prove nothing.
const REWRITTEN_PERCENT: u64 = 40;
/// Of the rewriter's programs from profiles that are not safe to speculate on, one in so many is speculated on all the same,
/// and held to its output, and to its bytes where every loop with kernels runs one of them.
const SPECULATED: usize = 2;
/// Cases that are looked through for features of several files, and how many of a hundred must have each.
const CENSUS: u64 = 300;
/// Cases of each hostile profile that are looked through for traps.
const TRAPS: u64 = 100;
const MET_PERCENT: u64 = 3;
/// Reductions that test the reducer end by count, not by time.
const LONG: Duration = Duration::from_secs(3600);

/// Rewritten programs print what they print without OpenMP, under a strict device, move no more than before, and are left
/// alone by a second rewrite.
fn rewrites_keep_meaning() -> Result<(), Failed> {
    let clang = Tool::compiler()?;
    let runner = Remembered::new(Verifier::new()?, "verifier")?;
    let safe = Tool::new(clang.clone(), true, true);
    let careful = Tool::new(clang.clone(), false, false);
    let bold = Tool::new(clang, true, false);
    let choose = |profile: &Profile, n: usize| -> &dyn Subject {
        if profile.speculation_safe {
            &safe
        } else if n % SPECULATED == SPECULATED - 1 {
            &bold
        } else {
            &careful
        }
    };
    let chosen = profiles(&[PROFILES, HOSTILE], USUAL)?;
    let tally = soak("tool", &chosen, number("SEEDS", TOOL_SEEDS), &runner, &choose)?;
    let little = tally.rewritten * 100 < tally.cases * REWRITTEN_PERCENT || tally.after >= tally.before;
    if tally.cases >= 50 && little {
        return Err(format!("too little was rewritten to prove anything: {tally}").into());
    }
    Ok(())
}

/// Annotated programs print what the originals print without OpenMP, whichever thread does which iteration, on the device and
/// on the host, and are left alone by a second run.
fn annotations_keep_meaning() -> Result<(), Failed> {
    let clang = Tool::compiler()?;
    let verifier = Verifier::new()?;
    let runner = Remembered::new(Threads { verifier }, "threads")?;
    let all = Tool::annotating(clang.clone(), true);
    let worth = Tool::annotating(clang, false);
    let choose = |_: &Profile, n: usize| -> &dyn Subject { if n % WORTH == WORTH - 1 { &worth } else { &all } };
    let chosen = profiles(&[LOOPS], &[LOOPS])?;
    let tally = soak("annotate", &chosen, number("SEEDS", LOOP_SEEDS), &runner, &choose)?;
    if tally.cases >= 40 && tally.kernels * 100 < tally.loops * OFFLOADED_PERCENT {
        return Err(format!("too little was offloaded to prove anything: {tally}").into());
    }
    Ok(())
}

/// Nothing that `check` takes for sure is wrong with random programs, nor with what the rewriter makes of them.
fn checks_find_no_error() -> Result<(), Failed> {
    let checked = Checked::new(Tool::new(Tool::compiler()?, true, false));
    let mut chosen = profiles(&[PROFILES, HOSTILE], USUAL)?;
    // A kernel that loses what it writes is such an error.
    chosen.retain(|p| !p.traps.loses);
    soak("check", &chosen, number("SEEDS", CHECK_SEEDS), &Idle, &|_, _| &checked)?;
    println!("check: {}", checked.seen());
    Ok(())
}

/// Generated programs are correct before they are rewritten.
fn generator_correct() -> Result<(), Failed> {
    let Some(runner) = Clang::find() else {
        return Err("clang-19 cannot be run; OMPMEMOPT_CLANG names another one".into());
    };
    for of in [PROFILES, HOSTILE, LOOPS] {
        let mut chosen = profiles(&[of], &[of])?;
        // What kernels lose on a device, they do not on the host: the two are not one program.
        chosen.retain(|p| !p.traps.loses);
        soak(
            "generator",
            &chosen,
            number("SEEDS", GENERATOR_SEEDS),
            &runner,
            &|_, _| &Identity,
        )?;
    }
    Ok(())
}

/// Two runs of the generator give the same text, and different seeds give different texts.
fn deterministic() -> Result<(), Failed> {
    for profile in [PROFILES, HOSTILE, LOOPS].into_iter().flatten() {
        for seed in 0..20 {
            let (a, b) = (generate_case(seed, profile), generate_case(seed, profile));
            if a.parts != b.parts {
                return Err(format!("{} seed {seed} gives two texts", profile.name).into());
            }
        }
        let other = generate_case(1, profile)
            .text()
            .replace("_1", "_0")
            .replace("case 1", "case 0");
        if generate_case(0, profile).text() == other {
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
            let starved = case
                .program()
                .map(simulate::simulate)
                .and_then(|s| s.starved.first().copied());
            if let Some((l, k)) = starved {
                return Err(format!("{} seed {seed}: loop {l} misses kernel {k}", profile.name).into());
            }
        }
    }
    Ok(())
}

/// The profiles of whole programs meet everything that only several files have.
fn meets_all() -> Result<(), Failed> {
    for profile in PROFILES.iter().filter(|p| p.name.starts_with("program")) {
        let mut met: BTreeMap<&str, u64> = FEATURES.iter().map(|f| (*f, 0)).collect();
        for seed in 0..CENSUS {
            let case = generate_case(seed, profile);
            let found = case.program().map(features);
            found
                .into_iter()
                .flatten()
                .for_each(|f| *met.entry(f).or_default() += 1);
        }
        if met.values().any(|n| n * 100 < CENSUS * MET_PERCENT) {
            return Err(format!("{}: of {CENSUS} cases so many have {met:#?}", profile.name).into());
        }
    }
    Ok(())
}

/// Hostile profiles set their traps.
fn sets_traps() -> Result<(), Failed> {
    for (name, wanted) in PITFALLS {
        let profile = Profile::named(name).ok_or_else(|| format!("no profile called {name}"))?;
        let mut met: BTreeMap<&str, u64> = wanted.iter().map(|f| (*f, 0)).collect();
        for seed in 0..TRAPS {
            for trap in pitfalls(&generate_case(seed, profile)) {
                met.entry(trap).and_modify(|n| *n += 1);
            }
        }
        if met.values().any(|n| n * 100 < TRAPS * MET_PERCENT) {
            return Err(format!("{name}: of {TRAPS} cases so many have {met:#?}").into());
        }
    }
    Ok(())
}

/// The profiles that reductions are tried on: one file, several, and mappings by hand.
fn reducible() -> impl Iterator<Item = &'static Profile> {
    let others = ["program", "hand"].into_iter().filter_map(Profile::named);
    PROFILES.first().into_iter().chain(others)
}

/// The reducer keeps what the predicate asks for and throws the rest away.
fn reduces() -> Result<(), Failed> {
    for (profile, seed) in reducible().flat_map(|p| (0..15).map(move |s| (p, s))) {
        let case = generate_case(seed, profile);
        // An update that stands before what the host does and one that stands behind it come and go together.
        let others = ["update", "data", "enter", "exit"];
        let is_kernel = |line: &&str| {
            let directive = line.split_once("omp target ").map(|(_, rest)| rest);
            directive.is_some_and(|d| !others.iter().any(|other| d.starts_with(other)))
        };
        let kernels = |c: &Case| c.text().lines().filter(is_kernel).count();
        if kernels(&case) == 0 {
            continue;
        }
        let small = reduce(case.clone(), 2_000, LONG, &mut |c| kernels(c) > 0);
        if kernels(&small) != 1 || small.text().len() > case.text().len() || !small.parts.header.is_empty() {
            return Err(format!("{} seed {seed} stays at:\n{}", profile.name, small.text()).into());
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
    let seeds = first..first + number("SEEDS", GENERATOR_SEEDS).div_ceil(4);
    let mut report = Vec::new();
    for profile in reducible() {
        let mut cases: Vec<Case> = seeds.clone().flat_map(|seed| reductions(profile, seed)).collect();
        // Versions of one seed define the same names, so no two of them may share a program.
        while !cases.is_empty() {
            let (mut program, mut later): (Vec<Case>, Vec<Case>) = (Vec::new(), Vec::new());
            for case in cases {
                let full = program.len() as u64 == BATCH || program.iter().any(|c| c.seed == case.seed);
                if full { later.push(case) } else { program.push(case) }
            }
            for f in differ(&program, &Identity, &runner).0 {
                let case = program.iter().find(|c| c.seed == f.seed);
                let text = case.map_or(String::new(), Case::text);
                report.push(format!("{} seed {}: {}\n{text}", profile.name, f.seed, f.reason));
            }
            cases = later;
        }
    }
    if report.is_empty() {
        Ok(())
    } else {
        Err(report.join("\n").into())
    }
}

/// Some smaller versions of a case.
fn reductions(profile: &Profile, seed: u64) -> Vec<Case> {
    let case = generate_case(seed, profile);
    let mut out: Vec<Case> = shrink(&case).step_by(29).take(2).collect();
    // A predicate that says yes now and then walks down a path of its own for every seed.
    let mut asked = seed;
    reduce(case, 12 + seed as usize % 40, LONG, &mut |c| {
        asked += 1;
        let taken = asked.is_multiple_of(3);
        if taken && asked % 12 == seed % 12 {
            out.push(c.clone());
        }
        taken
    });
    out
}

/// A rewriter with a bug: kernels no longer copy back what they may have written.
struct ForgetsCopyBack;

impl Subject for ForgetsCopyBack {
    fn rewrite(&self, program: &[Source]) -> Result<Vec<Source>, String> {
        let forget = |s: &Source| Source {
            name: s.name.clone(),
            text: s
                .text
                .replace("map(tofrom:", "map(to:")
                .replace("map(from:", "map(alloc:"),
        };
        Ok(program.iter().map(forget).collect())
    }
}

/// The harness notices a wrong rewrite and reduces it to a program with little more than the kernel that shows it.
fn catches_a_wrong_rewrite() -> Result<(), Failed> {
    let Some(runner) = Clang::find() else {
        return Err("clang-19 cannot be run; OMPMEMOPT_CLANG names another one".into());
    };
    let cases = files(&PROFILES[0], 0, 10).remove(0);
    let (failures, _) = differ(&cases, &ForgetsCopyBack, &runner);
    let wrong: Vec<&Failure> = failures.iter().filter(|f| f.stage == Stage::Output).collect();
    if wrong.len() < cases.len() / 2 {
        return Err(format!("only {} of {} cases notice", wrong.len(), cases.len()).into());
    }
    let failure = wrong[0];
    let case = cases
        .iter()
        .find(|c| c.seed == failure.seed)
        .ok_or("a failure of no case")?;
    let reduced = reduce(case.clone(), 60, LONG, &mut |c| {
        differ(std::slice::from_ref(c), &ForgetsCopyBack, &runner)
            .0
            .iter()
            .any(|f| f.stage == Stage::Output)
    });
    let kernels = reduced.text().matches("#pragma omp target").count();
    if kernels > 2 {
        return Err(format!("seed {} stays at {kernels} directives:\n{}", case.seed, reduced.text()).into());
    }
    Ok(())
}

/// An annotator with a bug: it takes every loop to be parallel.
struct Reckless;

impl Subject for Reckless {
    fn rewrite(&self, program: &[Source]) -> Result<Vec<Source>, String> {
        let mut after_pragma = false;
        let mut line = |line: &str| {
            let outermost = line.starts_with("    for (") && !line.contains("(int q = ") && !line.contains("(int step");
            let directive = if outermost && !after_pragma {
                "    #pragma omp parallel for schedule(runtime)\n"
            } else {
                ""
            };
            after_pragma = line.trim_start().starts_with("#pragma");
            format!("{directive}{line}\n")
        };
        let mut reckless = |s: &Source| Source {
            name: s.name.clone(),
            text: s.text.lines().map(&mut line).collect(),
        };
        Ok(program.iter().map(&mut reckless).collect())
    }
}

/// The harness notices loops that must not be parallel.
fn catches_a_wrong_annotation() -> Result<(), Failed> {
    let runner = Threads {
        verifier: Verifier::new()?,
    };
    let cases = files(&LOOPS[0], 0, 10).remove(0);
    let (failures, _) = differ(&cases, &Reckless, &runner);
    let wrong = failures.iter().filter(|f| f.stage == Stage::Output).count();
    match wrong * 2 < cases.len() {
        true => Err(format!("only {wrong} of {} cases notice: {failures:?}", cases.len()).into()),
        false => Ok(()),
    }
}

/// Prints the program of the chosen seeds and profile, for a look at what the generator makes.
fn show() -> Result<(), Failed> {
    let all = [PROFILES, HOSTILE, LOOPS];
    for profile in profiles(&all, &all)? {
        for file in files(profile, number("FIRST_SEED", 0), number("SEEDS", 1)) {
            for source in assemble(&file) {
                println!("/* {} */\n{}", source.name, source.text);
            }
        }
    }
    Ok(())
}

fn main() {
    let args = Arguments::from_args();
    // `cargo test --test differential -- generator::show` prints instead of testing.
    if args.filter.as_deref() == Some("generator::show") {
        let trials = vec![Trial::test("generator::show", show)];
        libtest_mimic::run(&args, trials).exit();
    }
    let trials = vec![
        Trial::test("generator::deterministic", deterministic),
        Trial::test("generator::speculation_safe", speculation_safe),
        Trial::test("generator::meets_all", meets_all),
        Trial::test("generator::sets_traps", sets_traps),
        Trial::test("generator::reduces", reduces),
        Trial::test("generator::correct", generator_correct),
        Trial::test("generator::reductions_stay_correct", reductions_stay_correct),
        Trial::test("tool::rewrites_keep_meaning", rewrites_keep_meaning),
        Trial::test("tool::annotations_keep_meaning", annotations_keep_meaning),
        Trial::test("check::finds_no_error", checks_find_no_error),
        Trial::test("harness::catches_a_wrong_annotation", catches_a_wrong_annotation),
        Trial::test("harness::catches_a_wrong_rewrite", catches_a_wrong_rewrite),
    ];
    libtest_mimic::run(&args, trials).exit();
}
