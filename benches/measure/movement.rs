//! What the naive, the expert's and the rewritten program move between host and device.
//!
//! Each is built for the host's offload plugin and run once with the counting tool of `ompmemopt::verify`; counts do not
//! vary between runs. The rewritten program must print what the naive one prints, or the benchmark fails.

use super::{Example, grouped};
use anyhow::{Context, Result, ensure};
use ompmemopt::llvm::{ClangOptions, find_clang};
use ompmemopt::plan::PlanOptions;
use ompmemopt::rewrite::{ToolOptions, rewrite_text};
use ompmemopt::verify::{BuildKind, BuildSpec, Counts, RunSpec, Toolchain};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The section of the document.
pub fn section(examples: &[Example]) -> Result<String> {
    let bench = Bench {
        toolchain: Toolchain::find()?,
        clang: find_clang(None)?,
        folder: tempfile::tempdir()?,
    };
    let mut text = String::from(HEAD);
    let mut ratios = Vec::new();
    for example in examples {
        let (naive, printed) = bench.run(&example.naive)?;
        let (expert, _) = bench.run(&example.expert)?;
        let (tool, rewritten) = bench.run(&bench.rewritten(&example.naive)?)?;
        ensure!(
            printed == rewritten,
            "{}: the rewritten program prints something else",
            example.name
        );
        let ratio = tool.moved_bytes() as f64 / expert.moved_bytes().max(1) as f64;
        ratios.push(ratio);
        let calls = tool.moved_calls() as f64 / expert.moved_calls().max(1) as f64;
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} | {} | {} | {} | {ratio:.2} | {calls:.2} |",
            example.name,
            up(&naive),
            down(&naive),
            up(&expert),
            down(&expert),
            up(&tool),
            down(&tool),
        );
    }
    let mean = (ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len().max(1) as f64).exp();
    let _ = writeln!(text, "\nGeometric mean of the ratio of bytes: {mean:.2}.");
    Ok(text)
}

const HEAD: &str = "
## What moves

Bytes and, in brackets, copies: from host to device (up) and back (down), as the OpenMP runtime reports them. *Naive* maps
at every kernel what that kernel uses, *expert* is optimised by hand, *tool* is the naive program after `ompmemopt
rewrite`. The ratios are tool to expert, for bytes and for copies; 1.00 is what an expert reaches. Counts are exact and
the same on every machine.

| program | naive up | naive down | expert up | expert down | tool up | tool down | bytes | copies |
|---|---:|---:|---:|---:|---:|---:|---:|---:|
";

fn up(counts: &Counts) -> String {
    format!("{} ({})", grouped(counts.h2d_bytes), grouped(counts.h2d_calls))
}

fn down(counts: &Counts) -> String {
    format!("{} ({})", grouped(counts.d2h_bytes), grouped(counts.d2h_calls))
}

struct Bench {
    toolchain: Toolchain,
    clang: PathBuf,
    folder: tempfile::TempDir,
}

impl Bench {
    /// Builds and runs a program: what it moved and what it printed.
    fn run(&self, source: &Path) -> Result<(Counts, Vec<u8>)> {
        let out = self.folder.path().join("program");
        self.toolchain.build(&BuildSpec {
            sources: vec![source.to_owned()],
            flags: Vec::new(),
            kind: BuildKind::Offload,
            openmp_version: Some(51),
            folder: None,
            out: out.clone(),
        })?;
        let spec = RunSpec {
            count: true,
            ..RunSpec::default()
        };
        let outcome = self.toolchain.run(&out, &spec)?;
        let counts = outcome
            .counts
            .with_context(|| format!("{}: no counts; {}", source.display(), outcome.status))?;
        Ok((counts, outcome.stdout))
    }

    /// A copy of the file, rewritten.
    fn rewritten(&self, source: &Path) -> Result<PathBuf> {
        let text = std::fs::read(source)?;
        let options = ToolOptions {
            clang: self.clang.clone(),
            compile: ClangOptions::default(),
            plan: PlanOptions::default(),
            limits: Vec::new(),
            dumps: BTreeSet::new(),
        };
        let outcome = rewrite_text(source, &text, &options)?;
        let copy = self.folder.path().join("rewritten.c");
        std::fs::write(&copy, outcome.new_text.as_deref().unwrap_or(&text))?;
        Ok(copy)
    }
}
