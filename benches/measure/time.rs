//! Processor time of `ompmemopt rewrite --no-cache FILE` against `clang -O2 -c FILE`.
//!
//! User and system time of the whole tree of processes, so that work done by the compilers that the tool starts counts,
//! and running them side by side gains nothing. The two commands alternate, and the ratio is the median over pairs:
//! whatever else the machine does slows both of a pair.

use super::process::{median, used};
use super::{CLANG, Example, LINES, TOOL, generate};
use anyhow::Result;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Pairs measured for each file.
const PAIRS: usize = 9;

/// The section of the document.
pub fn section(examples: &[Example]) -> Result<String> {
    let folder = tempfile::tempdir()?;
    let generated = folder.path().join("generated.c");
    std::fs::write(&generated, generate::program(LINES))?;
    let mut text = String::from(HEAD);
    let mut programs: Vec<(String, PathBuf, Vec<PathBuf>)> = Vec::new();
    for example in examples {
        let files = super::sources(&example.naive)?;
        programs.push((format!("`{}`", example.name), example.naive.clone(), files));
    }
    programs.push(("generated".into(), generated.clone(), vec![generated]));
    for (name, program, files) in programs {
        let mut source = String::new();
        for file in &files {
            source += &std::fs::read_to_string(file)?;
        }
        let kernels = source.matches("#pragma omp target").count();
        let row = measure(&program, &files)?;
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
            .map(|_| Ok(used(Command::new(CLANG).arg("--version"), &[0])?.cpu))
            .collect::<Result<_>>()?,
    );
    let own = median(
        (0..PAIRS)
            .map(|_| Ok(used(Command::new(TOOL).arg("--version"), &[0])?.cpu))
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

Milliseconds of processor time, user and system, of all processes together: `ompmemopt rewrite --no-cache FILE`, which
compiles the file to plain code, plans and checks what it has written, against `clang -O2 -c FILE` without OpenMP; for
`hydro`, which has several files, of all of them.
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

fn measure(program: &Path, files: &[PathBuf]) -> Result<Row> {
    let (mut tools, mut clangs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..PAIRS {
        // 1: there is something to rewrite, without which nothing would be measured.
        let tool = used(Command::new(TOOL).args(["rewrite", "--no-cache"]).arg(program), &[1])?.cpu;
        let mut clang = 0.0;
        for file in files {
            let mut compile = Command::new(CLANG);
            compile.args(["-w", "-O2", "-c", "-o", "/dev/null"]).arg(file);
            clang += used(&mut compile, &[0])?.cpu;
        }
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
