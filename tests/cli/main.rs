//! The binary from outside: what it prints, where, and how it exits.

#![allow(clippy::unwrap_used, clippy::print_stdout)] // what fails here fails a test

mod annotate;
mod bad_input;
mod by_hand;
mod cache;
mod check;
mod choosing;
mod configuration;
mod database;
mod growth;
mod guide;
mod help;
mod in_place;
mod interrupt;
mod lsp;
mod patch;
mod programs;
mod quirks;
mod ranks;
mod schemas;
mod summaries;
mod summarize;
mod verify;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// The compiler that the tool looks for.
const CLANG: &str = concat!("clang-", env!("OMPMEMOPT_LLVM_MAJOR"));

/// A kernel in a loop: its array need not move in every iteration.
const LOOP: &str = "\
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
  int n = 1000;
  double *a = malloc(n * sizeof *a);
  for (int i = 0; i < n; i++)
    a[i] = i;
  for (int t = 0; t < 10; t++) {
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (int i = 0; i < n; i++)
      a[i] = a[i] + 1.0;
  }
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += a[i];
  printf(\"%g\\n\", sum);
  free(a);
  return 0;
}
";

/// A folder of its own to run in.
struct Sandbox {
    folder: TempDir,
    /// What runs keep for the next one: not among the files.
    cache: TempDir,
}

/// What a run did.
struct Ran {
    code: i32,
    out: String,
    err: String,
}

impl Sandbox {
    fn new(files: &[(&str, &str)]) -> Sandbox {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let cache = tempfile::tempdir().unwrap();
        Sandbox { folder, cache }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    fn command(&self, args: &[&str]) -> Command {
        self.set_up(Command::new(env!("CARGO_BIN_EXE_ompmemopt")), args)
    }

    /// The tool with signals as they are on a terminal: what a shell starts in the background ignores Ctrl-C, and so does all that
    /// is started there.
    fn command_in_front(&self, args: &[&str]) -> Command {
        let mut command = Command::new("env");
        command.args(["--default-signal=INT,TERM,HUP", env!("CARGO_BIN_EXE_ompmemopt")]);
        self.set_up(command, args)
    }

    fn set_up(&self, mut command: Command, args: &[&str]) -> Command {
        command.args(args).current_dir(self.path());
        command.env("XDG_CACHE_HOME", self.cache.path());
        command
    }

    fn run(&self, args: &[&str]) -> Ran {
        ran(self.command(args).output().unwrap())
    }
}

fn ran(output: Output) -> Ran {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let code = output.status.code().expect("an exit code");
    Ran {
        code,
        out: text(output.stdout),
        err: text(output.stderr),
    }
}
