//! Run time and memory for whole programs: cold, with what an earlier run left, and after a change.
//!
//! The program of [`project`] in two sizes, so that growth shows. Commands alternate with the yardstick, `clang -O2 -c` of
//! each file on as many cores, and figures are medians over the rounds.

use super::process::{Used, middle, used, used_by_all};
use super::{CLANG, TOOL, grouped, project};
use anyhow::Result;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Rounds measured.
const ROUNDS: usize = 3;

/// Models of the small and of the large program: five files each, and two.
const SIZES: [usize; 2] = [super::SMALL, super::MODELS];

/// The section of the document.
pub fn section() -> Result<String> {
    let cores = std::thread::available_parallelism()?.get();
    let mut text = HEAD.replace("CORES", &cores.to_string());
    let programs = SIZES.map(measure);
    let [small, large] = programs;
    let (small, large) = (small?, large?);
    for program in [&small, &large] {
        for (name, used) in program.rows() {
            let _ = writeln!(
                text,
                "| {} | {} | {name} | {:.2} | {:.2} | {} |",
                program.files,
                grouped(program.lines as u64),
                used.wall,
                used.cpu,
                grouped(used.peak >> 20),
            );
        }
    }
    let lines = large.lines as f64 / small.lines as f64;
    let growth = |figure: fn(&Used) -> f64| figure(&large.cold) / figure(&small.cold) / lines;
    let _ = writeln!(
        text,
        "\nFor the large program, a cold run takes {:.2} of clang's processor time and {:.2} of its time on the clock; a warm \
         one is {:.0} times faster than a cold one ({:.0} times on the clock), and after a change of one file a run is \
         {:.1} times faster. From {} to {} files, {:.1} times as many lines, a cold run's processor time grows {:.2} times \
         as much as the lines do, its memory {:.2} times.",
        large.cold.cpu / large.clang.cpu,
        large.cold.wall / large.clang.wall,
        large.cold.cpu / large.warm.cpu,
        large.cold.wall / large.warm.wall,
        large.cold.cpu / large.changed.cpu,
        small.files,
        large.files,
        lines,
        growth(|u| u.cpu),
        growth(|u| u.peak as f64),
    );
    Ok(text)
}

const HEAD: &str = "
## Whole programs

A generated program (`cargo bench --bench measure -- project` writes it): structures of arrays, kernels in one file of
five, calls across files, a time loop over everything. *clang* is `clang -O2 -c` of each file without OpenMP, *cold*
`ompmemopt rewrite FOLDER` with an empty cache, *warm* the same again, *changed* the same after one file got another
function. Seconds on the clock on CORES cores, seconds of processor time, MiB of memory at the peak (for clang, of CORES
processes of the largest). Medians of 3 rounds.

| files | lines | run | clock | processor | memory |
|---:|---:|---|---:|---:|---:|
";

/// What was measured of one program.
struct Program {
    files: usize,
    lines: usize,
    clang: Used,
    cold: Used,
    warm: Used,
    changed: Used,
}

impl Program {
    fn rows(&self) -> [(&'static str, Used); 4] {
        [
            ("clang", self.clang),
            ("cold", self.cold),
            ("warm", self.warm),
            ("changed", self.changed),
        ]
    }
}

fn measure(models: usize) -> Result<Program> {
    let folder = tempfile::tempdir()?;
    let sources = project::write(folder.path(), models)?;
    let (mut clang, mut cold, mut warm, mut changed) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        clang.push(used_by_all(compilations(&sources))?);
        let cache = tempfile::tempdir()?;
        let mut rewrite = rewrite(folder.path(), cache.path());
        // 1: there is something to rewrite, without which nothing would be measured.
        cold.push(used(&mut rewrite, &[1])?);
        warm.push(used(&mut rewrite, &[1])?);
        let file = folder.path().join("model_3_state.c");
        let before = std::fs::read_to_string(&file)?;
        let more = format!("{before}\nint bench_changed_{round}(void)\n{{\n  return {round};\n}}\n");
        std::fs::write(&file, more)?;
        changed.push(used(&mut rewrite, &[1])?);
        std::fs::write(&file, before)?;
    }
    let mut lines = 0;
    for source in &sources {
        lines += std::fs::read_to_string(source)?.lines().count();
    }
    Ok(Program {
        files: sources.len(),
        lines,
        clang: middle(&clang),
        cold: middle(&cold),
        warm: middle(&warm),
        changed: middle(&changed),
    })
}

fn compilations(sources: &[PathBuf]) -> Vec<Command> {
    let compile = |source: &PathBuf| {
        let mut command = Command::new(CLANG);
        command.args(["-w", "-O2", "-c", "-o", "/dev/null"]).arg(source);
        command
    };
    sources.iter().map(compile).collect()
}

fn rewrite(folder: &Path, cache: &Path) -> Command {
    let mut command = Command::new(TOOL);
    command.arg("rewrite").arg("--cache-dir").arg(cache).arg(folder);
    command
}
