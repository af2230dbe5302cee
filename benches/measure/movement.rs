//! What the naive, the expert's and the rewritten program move between host and device.
//!
//! Each is built for the host's offload plugin and run once with the counting tool of `ompmemopt::inside::verify`; counts do not
//! vary between runs. The rewritten program must print what the naive one prints, or the benchmark fails.

use super::{Example, grouped, sources};
use anyhow::{Context, Result, ensure};
use ompmemopt::inside::llvm::{ClangOptions, find_clang};
use ompmemopt::inside::plan::PlanOptions;
use ompmemopt::inside::rewrite::{ToolOptions, Unit, rewrite_program};
use ompmemopt::inside::verify::{BuildKind, BuildSpec, Counting, Counts, RunSpec, Toolchain};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The section of the document.
pub fn section(examples: &[Example]) -> Result<String> {
    let bench = Bench {
        toolchain: Toolchain::find(None)?,
        clang: find_clang(None)?,
        folder: tempfile::tempdir()?,
    };
    let mut text = String::from(HEAD);
    let mut ratios = Vec::new();
    for example in examples {
        let program = sources(&example.naive)?;
        let (naive, printed) = bench.run(&program, &example.naive)?;
        let (expert, _) = bench.run(&sources(&example.expert)?, &example.expert)?;
        let (tool, rewritten) = bench.run(&bench.rewritten(&program)?, &example.naive)?;
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
    /// Builds and runs a program, whose headers are in `folder` if that is one: what it moved and what it printed.
    fn run(&self, sources: &[PathBuf], folder: &Path) -> Result<(Counts, Vec<u8>)> {
        let out = self.folder.path().join("program");
        self.toolchain.build(&BuildSpec {
            sources: sources.to_vec(),
            flags: vec!["-iquote".into(), folder.into()],
            kind: BuildKind::Offload,
            openmp_version: Some(51),
            folder: None,
            out: out.clone(),
        })?;
        let spec = RunSpec {
            counted: Counting::Totals,
            ..RunSpec::default()
        };
        let outcome = self.toolchain.run(&out, &spec)?;
        let counts = outcome
            .counts
            .with_context(|| format!("{}: no counts; {}", folder.display(), outcome.status))?;
        Ok((counts, outcome.stdout))
    }

    /// Copies of a program's files, rewritten.
    fn rewritten(&self, sources: &[PathBuf]) -> Result<Vec<PathBuf>> {
        let options = ToolOptions {
            clang: self.clang.clone(),
            compile: ClangOptions::default(),
            plan: PlanOptions::default(),
            self_check: false,
            limits: Vec::new(),
            dumps: BTreeSet::new(),
        };
        let texts: Vec<Vec<u8>> = sources.iter().map(std::fs::read).collect::<Result<_, _>>()?;
        let units = sources.iter().zip(&texts).map(|(path, text)| Unit {
            path,
            text,
            options: &options,
        });
        let rewritten = rewrite_program(&units.collect::<Vec<_>>());
        let mut copies = Vec::new();
        for ((source, old), outcome) in sources.iter().zip(&texts).zip(rewritten.files) {
            let copy = self.folder.path().join(source.file_name().unwrap_or_default());
            std::fs::write(&copy, outcome?.new_text.as_deref().unwrap_or(old))?;
            copies.push(copy);
        }
        Ok(copies)
    }
}
