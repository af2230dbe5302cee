//! Processor time of `ompmemopt rewrite FILE` against `clang -O2 -c FILE`.
//!
//! User and system time of the whole tree of processes, so that work done by the compilers that the tool starts counts,
//! and running them side by side gains nothing. The two commands alternate, and the ratio is the median over pairs:
//! whatever else the machine does slows both of a pair.

use super::{Example, LINES, TOOL, generate};
use anyhow::{Context, Result, ensure};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Pairs measured for each file.
const PAIRS: usize = 9;

/// The section of the document.
pub fn section(examples: &[Example]) -> Result<String> {
    let folder = tempfile::tempdir()?;
    let generated = folder.path().join("generated.c");
    std::fs::write(&generated, generate::program(LINES))?;
    let mut text = String::from(HEAD);
    let mut files: Vec<(String, PathBuf)> = examples
        .iter()
        .map(|e| (format!("`{}`", e.name), e.naive.clone()))
        .collect();
    files.push(("generated".into(), generated));
    for (name, file) in files {
        let source = std::fs::read_to_string(&file)?;
        let kernels = source.matches("#pragma omp target").count();
        let row = measure(&file)?;
        let _ = writeln!(
            text,
            "| {name} | {} | {kernels} | {:.0} | {:.0} | {:.2} |",
            super::grouped(source.lines().count() as u64),
            row.tool * 1e3,
            row.clang * 1e3,
            row.ratio
        );
    }
    let startup = median(
        (0..PAIRS)
            .map(|_| used(Command::new("clang-19").arg("--version"), &[0]))
            .collect::<Result<_>>()?,
    );
    let own = median(
        (0..PAIRS)
            .map(|_| used(Command::new(TOOL).arg("--version"), &[0]))
            .collect::<Result<_>>()?,
    );
    let _ = writeln!(
        text,
        "\nOf these, starting clang takes {:.0} ms each time, and starting the tool, which loads LLVM's library, {:.0} ms.",
        startup * 1e3,
        own * 1e3
    );
    Ok(text)
}

const HEAD: &str = "
## How long it takes

Milliseconds of processor time, user and system, of all processes together: `ompmemopt rewrite FILE`, which compiles the
file to plain code, plans and checks what it has written, against `clang -O2 -c FILE` without OpenMP.
Medians of 9 alternating pairs; the ratio is the median of the pairs' ratios. Times depend on the machine, ratios little.
The generated file is printed by `cargo bench --bench measure -- generate`.

| file | lines | target constructs | tool | clang | ratio |
|---|---:|---:|---:|---:|---:|
";

/// Medians over the pairs; seconds.
struct Row {
    tool: f64,
    clang: f64,
    ratio: f64,
}

fn measure(file: &Path) -> Result<Row> {
    let (mut tools, mut clangs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..PAIRS {
        // 1: there is something to rewrite, without which nothing would be measured.
        let tool = used(Command::new(TOOL).arg("rewrite").arg(file), &[1])?;
        let mut compile = Command::new("clang-19");
        compile.args(["-w", "-O2", "-c", "-o", "/dev/null"]).arg(file);
        let clang = used(&mut compile, &[0])?;
        tools.push(tool);
        clangs.push(clang);
        ratios.push(tool / clang);
    }
    Ok(Row {
        tool: median(tools),
        clang: median(clangs),
        ratio: median(ratios),
    })
}

/// Seconds of processor time that a command and all it started used. It must end with one of the `expected` codes.
fn used(command: &mut Command, expected: &[i32]) -> Result<f64> {
    let before = children()?;
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("{} cannot be run", command.get_program().to_string_lossy()))?;
    ensure!(
        output.status.code().is_some_and(|code| expected.contains(&code)),
        "{command:?} ended with {}:\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(children()? - before)
}

/// Seconds of processor time of all processes waited for so far, and of those that they waited for.
fn children() -> Result<f64> {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: `usage` has room for what the call writes, and all zeros are a valid value of it.
    let usage = unsafe {
        ensure!(
            libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr()) == 0,
            "getrusage failed"
        );
        usage.assume_init()
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 * 1e-6;
    Ok(seconds(usage.ru_utime) + seconds(usage.ru_stime))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
