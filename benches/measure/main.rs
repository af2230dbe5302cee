//! `make bench`: measures the tool on the examples and writes `docs/benchmarks.md`.
//!
//! Five questions, and a file for each: how much the rewritten programs move ([`movement`]), how much plain C does with
//! directives of the tool ([`annotated`]), how long rewriting takes against compiling ([`time`]), and how that grows with a program
//! of many files ([`scale`]) and with programs of one shape ([`growth`]). The document is written only when everything was
//! measured, so a failed run changes nothing. `cargo bench --bench measure -- time`, `-- movement`, `-- annotated`, `-- scale` or
//! `-- growth` prints one part and writes nothing.

#![allow(clippy::unwrap_used, clippy::print_stdout)] // a program that reports to who runs it

mod annotated;
mod generate;
mod growth;
mod movement;
mod process;
mod project;
mod scale;
mod shapes;
mod time;

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// The compiler that the tool is measured against.
const CLANG: &str = concat!("clang-", env!("OMPMEMOPT_LLVM_MAJOR"));
/// The tool under measurement, built with the benchmark's profile.
const TOOL: &str = env!("CARGO_BIN_EXE_ompmemopt");

/// Lines of the generated file.
const LINES: usize = 5_000;

/// Models of the generated program, five files each.
const MODELS: usize = 40;
/// Models of the small program, which growth is measured from.
const SMALL: usize = 5;

fn main() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut parts: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let whole = parts.is_empty();
    if whole {
        parts = vec![
            "movement".into(),
            "annotated".into(),
            "time".into(),
            "scale".into(),
            "growth".into(),
        ];
    }
    let examples = examples(&root.join("examples"))?;
    let mut text = String::from(HEAD);
    for part in &parts {
        text += &match part.as_str() {
            "movement" => movement::section(&examples)?,
            "annotated" => annotated::section()?,
            "time" => time::section(&examples)?,
            "scale" => scale::section()?,
            "growth" => growth::section()?,
            "shape" => {
                let [_, name, size] = parts.as_slice() else {
                    bail!("`shape` wants the name of a shape and a size");
                };
                print!("{}", growth::program(name, size)?);
                return Ok(());
            }
            "generate" => {
                print!("{}", generate::program(LINES));
                return Ok(());
            }
            "project" | "small-project" => {
                // The program of many files, to look at: in this folder.
                let models = if part == "project" { MODELS } else { SMALL };
                let folder = Path::new("generated-project");
                std::fs::create_dir(folder)?;
                project::write(folder, models)?;
                return Ok(());
            }
            other => {
                bail!(
                    "`{other}` is no part of the benchmark: `movement`, `annotated`, `time`, `scale`, `growth`, `shape`, `generate`, \
                     `project` or `small-project`"
                )
            }
        };
    }
    print!("{text}");
    if whole {
        let document = root.join("docs/benchmarks.md");
        std::fs::write(&document, text).with_context(|| format!("{} cannot be written", document.display()))?;
    }
    Ok(())
}

const HEAD: &str = "# Benchmarks

Written by `make bench`; do not edit. The programs are in [`examples/`](../examples/README.md).
";

/// One folder of `examples/`.
struct Example {
    name: String,
    /// A C file, or a folder of them.
    naive: PathBuf,
    expert: PathBuf,
}

/// The examples by name.
fn examples(folder: &Path) -> Result<Vec<Example>> {
    let mut found = Vec::new();
    for entry in folder
        .read_dir()
        .with_context(|| format!("{} cannot be read", folder.display()))?
    {
        let path = entry?.path();
        let form = |name: &str| [path.join(name), path.join(name).with_extension("c")];
        let there = |name: &str| form(name).into_iter().find(|path| path.exists());
        if let (Some(naive), Some(expert)) = (there("naive"), there("expert")) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            found.push(Example { name, naive, expert });
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

/// The C files of a program, sorted.
fn sources(program: &Path) -> Result<Vec<PathBuf>> {
    if !program.is_dir() {
        return Ok(vec![program.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in program.read_dir()? {
        files.push(entry?.path());
    }
    files.retain(|file| file.extension().is_some_and(|e| e == "c"));
    files.sort();
    Ok(files)
}

/// A number with its digits in groups of three.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
