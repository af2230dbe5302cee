//! How time and memory grow with programs of one shape each.

use super::process::{Used, middle, used};
use super::shapes::{SHAPES, Shape};
use super::{CLANG, TOOL, grouped};
use anyhow::{Context, Result};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Rounds measured, of what takes less than [`LONG`] seconds; once otherwise.
const ROUNDS: usize = 3;
const LONG: f64 = 2.0;

const HEAD: &str = "
## Growth

Generated programs of one shape each, in three sizes, each twice the one before (`cargo bench --bench measure -- shape NAME SIZE`
prints one). Seconds of processor time of `ompmemopt` with `--no-cache`, and of `clang -O2 -c` for the largest; growth is the
exponent between the last two sizes, of time and of memory: 1 is linear.

| shape | sizes | tool | clang | time | memory |
|---|---|---|---:|---:|---:|
";

/// The section of the document.
pub fn section() -> Result<String> {
    let folder = tempfile::tempdir()?;
    let mut text = HEAD.to_owned();
    for shape in &SHAPES {
        let sizes = [shape.size / 4, shape.size / 2, shape.size];
        let mut tool = Vec::new();
        let file = folder.path().join("shape.c");
        for size in sizes {
            std::fs::write(&file, (shape.text)(size))?;
            tool.push(rewritten(shape, &file)?);
        }
        let clang = repeated(|| used(&mut compilation(&file), &[0]))?;
        let growth = |figure: fn(&Used) -> f64| (figure(&tool[2]) / figure(&tool[1])).log2();
        let times: Vec<String> = tool.iter().map(|u| format!("{:.2}", u.cpu)).collect();
        let sizes = sizes.map(|size| grouped(size as u64));
        let _ = writeln!(
            text,
            "| {}: {} | {} | {} | {:.2} | {:.2} | {:.2} |",
            shape.name,
            shape.about,
            sizes.join(" / "),
            times.join(" / "),
            clang.cpu,
            growth(|u| u.cpu),
            growth(|u| u.peak as f64),
        );
    }
    Ok(text)
}

/// One program of a shape, for people to look at.
pub fn program(name: &str, size: &str) -> Result<String> {
    let shape = SHAPES.iter().find(|s| s.name == name);
    let shape = shape.with_context(|| format!("there is no shape `{name}`"))?;
    let size: usize = size.parse().with_context(|| format!("`{size}` is no size"))?;
    Ok((shape.text)(size))
}

fn rewritten(shape: &Shape, file: &Path) -> Result<Used> {
    repeated(|| {
        let mut command = Command::new(TOOL);
        command.args(shape.command).arg("--no-cache").arg(file);
        // 0 or 1: there may be nothing to do.
        used(&mut command, &[0, 1])
    })
}

/// The middle of several runs, or the only one of what takes long.
fn repeated(run: impl Fn() -> Result<Used>) -> Result<Used> {
    let first = run()?;
    let mut runs = vec![first];
    while first.cpu < LONG && runs.len() < ROUNDS {
        runs.push(run()?);
    }
    Ok(middle(&runs))
}

fn compilation(file: &Path) -> Command {
    let mut command = Command::new(CLANG);
    command
        .args(["-w", "-O2", "-fbracket-depth=2000", "-c", "-o", "/dev/null"])
        .arg(file);
    command
}
