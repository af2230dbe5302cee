//! What `annotate` makes of the fifteen kernels after PolyBench in `tests/patterns/polybench`: nests found, copies written.
//!
//! `cargo test --test patterns polybench` says that they compute what they did; here they are only counted.

#[path = "../../tests/patterns/directives.rs"]
mod directives;

use super::TOOL;
use anyhow::{Context, Result, ensure};
use directives::{Directives, count};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// The programs in the order of the table.
const PROGRAMS: [&str; 15] = [
    "gesummv", "bicg", "2dconv", "atax", "mvt", "3dconv", "syrk", "syr2k", "gramschm", "corr", "fdtd2d", "covar",
    "gemm", "2mm", "3mm",
];

/// The section of the document.
pub fn section() -> Result<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/patterns/polybench");
    let mut text = String::from(HEAD);
    let mut sums = [0; 3];
    for name in PROGRAMS {
        let linear = annotated(&root.join("linear").join(format!("{name}.c")))?;
        let rows = annotated(&root.join("rows").join(format!("{name}.c")))?;
        ensure!(
            linear.kernels == rows.kernels,
            "{name}: the forms have different kernels"
        );
        let found = [linear.kernels, linear.copies, rows.copies];
        sums.iter_mut().zip(found).for_each(|(sum, n)| *sum += n);
        let _ = writeln!(text, "| `{name}` | {} | {} | {} |", found[0], found[1], found[2]);
    }
    let _ = writeln!(text, "| all | {} | {} | {} |", sums[0], sums[1], sums[2]);
    Ok(text)
}

fn annotated(path: &Path) -> Result<Directives> {
    let folder = tempfile::tempdir()?;
    let copy = folder.path().join("annotated.c");
    std::fs::copy(path, &copy).with_context(|| format!("{} cannot be copied", path.display()))?;
    let mut command = Command::new(TOOL);
    let status = command
        .args(["annotate", "--all", "--no-cache", "-i"])
        .arg(&copy)
        .output()?;
    let text = std::fs::read_to_string(&copy)?;
    let found = count(&text);
    ensure!(
        found.kernels > 0,
        "{}: {}",
        path.display(),
        String::from_utf8_lossy(&status.stderr)
    );
    Ok(found)
}

const HEAD: &str = "
## Plain C

Fifteen kernels after PolyBench ([`tests/patterns/polybench`](../tests/patterns/polybench)) after `ompmemopt annotate --all`,
written with subscripts like `a[i * N + j]` (*linear*) and with rows of variable length (*rows*). Nests are loops that run on
the device: 24 outermost ones, and 6 inside the sequential loops of `gramschm` and `fdtd2d`; those are all that can. Copies
are counted as papers do: one for each `to` and `from`, two for each `tofrom`, of directives that copy; a kernel copies
nothing that is on the device already. DawnCC (Mendonça et al., TACO 2017) makes 94 on its fifteen, a person 73.

| program | nests | linear | rows |
|---|---:|---:|---:|
";
