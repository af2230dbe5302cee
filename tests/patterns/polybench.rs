//! Fifteen kernels after PolyBench, with `--all`: every array is what the sequential program makes of it, every nest that
//! can be a kernel is one, and little is copied.
//!
//! `polybench/linear/` has arrays from `malloc` with subscripts like `a[i * N + j]`, `polybench/rows/` the same with rows of
//! variable length, `a[i][j]`. `polybench/counts` says for each program how many outermost loops can be kernels (24 in all),
//! how many inside of a loop that has to run on the host (6), and how many copies the annotated text makes in either form, as
//! `directives` counts; `BLESS=1` writes the copies anew. Where sizes are a thousand, or unknown, the same nests are kernels
//! without `--all`.

use super::directives::count;
use super::programs::{annotate, first_line, run};
use libtest_mimic::{Failed, Trial};
use ompmemopt::inside::plan::Dialect;
use std::path::{Path, PathBuf};

const FORMS: [&str; 2] = ["linear", "rows"];
/// Copies by hand.
const MOST: usize = 73;
/// Outermost loops that can be kernels, and those inside loops on the host.
const NESTS: (usize, usize) = (24, 6);

/// A line of `polybench/counts`.
struct Expected {
    name: String,
    outermost: usize,
    inside: usize,
    copies: [usize; 2],
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/patterns/polybench")
}

fn expected() -> Vec<Expected> {
    let text = std::fs::read_to_string(folder().join("counts")).unwrap_or_default();
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        let name = words.next()?.to_owned();
        let mut number = || words.next()?.parse().ok();
        Some(Expected {
            name,
            outermost: number()?,
            inside: number()?,
            copies: [number()?, number()?],
        })
    };
    text.lines().filter(|l| !l.starts_with('#')).filter_map(line).collect()
}

/// A trial for each program in each form, and one for the sums.
pub fn trials() -> Vec<Trial> {
    let mut trials = vec![Trial::test("polybench-sums", sums)];
    for (form, folder) in FORMS.iter().enumerate() {
        for e in expected() {
            let name = format!("polybench-{folder}-{}", e.name);
            let (again, large) = (form, format!("polybench-{folder}-{}-large", e.name));
            let kernels = e.outermost + e.inside;
            let program = e.name.clone();
            trials.push(Trial::test(name, move || examine(form, &e)));
            trials.push(Trial::test(large, move || worth_it(again, &program, kernels)));
        }
    }
    trials
}

fn sums() -> Result<(), Failed> {
    let all = expected();
    let nests = (
        all.iter().map(|e| e.outermost).sum(),
        all.iter().map(|e| e.inside).sum(),
    );
    for (form, name) in FORMS.iter().enumerate() {
        let copies: usize = all.iter().map(|e| e.copies[form]).sum();
        if nests != NESTS || all.len() != 15 || copies > MOST {
            return Err(format!("{name}: {} programs, {nests:?} nests, {copies} copies", all.len()).into());
        }
    }
    Ok(())
}

fn examine(form: usize, e: &Expected) -> Result<(), Failed> {
    let path = folder().join(FORMS[form]).join(format!("{}.c", e.name));
    let text = std::fs::read(&path)?;
    let annotated = annotate(&path, &text, true, Dialect::OpenMp)?;
    let found = count(&String::from_utf8_lossy(&annotated));
    if found.kernels != e.outermost + e.inside {
        return Err(format!("{} kernels, not {}", found.kernels, e.outermost + e.inside).into());
    }
    run(&path, &annotated, &first_line(&text).1, &[])?;
    if found.copies == e.copies[form] {
        return Ok(());
    }
    if std::env::var_os("BLESS").is_some() {
        return bless(form, &e.name, found.copies);
    }
    Err(format!(
        "{} copies, not {}:\n{}",
        found.copies,
        e.copies[form],
        String::from_utf8_lossy(&annotated)
    )
    .into())
}

/// That without `--all` every nest is a kernel too where sizes are as large as they are meant to be, or unknown.
fn worth_it(form: usize, name: &str, kernels: usize) -> Result<(), Failed> {
    let path = folder().join(FORMS[form]).join(format!("{name}.c"));
    let text = std::fs::read_to_string(&path)?;
    let line = |line: &str| match line.split(' ').collect::<Vec<_>>()[..] {
        ["#define", size, number] if number.parse::<u32>().is_ok() => format!("#define {size} 1024\n"),
        _ => format!("{line}\n"),
    };
    let text: String = text.lines().map(line).collect();
    let annotated = annotate(&path, text.as_bytes(), false, Dialect::OpenMp)?;
    let annotated = String::from_utf8_lossy(&annotated);
    match count(&annotated).kernels {
        found if found == kernels => Ok(()),
        found => Err(format!("{found} kernels, not {kernels}:\n{annotated}").into()),
    }
}

/// Writes how many copies a program makes. Trials run at the same time.
fn bless(form: usize, name: &str, copies: usize) -> Result<(), Failed> {
    static ONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _one = ONE.lock();
    let path = folder().join("counts");
    let text = std::fs::read_to_string(&path)?;
    let line = |line: &str| {
        let mut words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        match words.first().is_some_and(|w| w == name) && words.len() == 5 {
            true => {
                words[3 + form] = copies.to_string();
                words.join(" ") + "\n"
            }
            false => format!("{line}\n"),
        }
    };
    std::fs::write(&path, text.lines().map(line).collect::<String>())?;
    Ok(())
}
