//! Small C texts through clang, and what the analyses are promised about them. Needs clang 19, like the tool itself.

mod code;
mod data;
mod in_process;
mod runs;

use std::path::Path;

use super::*;
use crate::program::ir::{Function, Module};

fn try_read(text: &str) -> Result<Module, LlvmError> {
    let clang = find_clang(None)?;
    analyse_file(
        &clang,
        &Input::text(Path::new("t.c"), text.as_bytes()),
        &ClangOptions::default(),
    )
}

fn read(text: &str) -> Module {
    try_read(text).expect("the test's C compiles")
}

fn function<'a>(module: &'a Module, name: &str) -> &'a Function {
    module.function(module.find_function(name).expect("the function is there"))
}

/// The dump of one function's instructions, one line each, without places.
fn body(module: &Module, name: &str) -> Vec<String> {
    let function = function(module, name);
    function
        .insts
        .iter()
        .map(|inst| module.inst_text(function, inst))
        .collect()
}

#[track_caller]
fn has(lines: &[String], line: &str) {
    assert!(
        lines.iter().any(|l| l == line),
        "no line `{line}` in\n{}",
        lines.join("\n")
    );
}

const SUBSCRIPT: &str = "void k(int n, int m, double *restrict a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i*m+j] = 2.0;
}
";
