//! `lsp`: the server as an editor meets it, over standard input and output.

mod editor;
mod messages;
mod neovim;
mod programs;
mod random_edits;
mod settings;
mod texts;

use super::{LOOP, Sandbox};
use editor::{Abilities, Editor};

/// A program that reads on the host what only the device has, and can be mended there.
const STALE: &str = "\
#include <stdio.h>
#define N 64

double a[N];

int main(void)
{
  for (int i = 0; i < N; i++)
    a[i] = i;
  #pragma omp target enter data map(to: a[0:N])
  #pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    a[i] += 1.0;
  printf(\"%g\\n\", a[3]);
  #pragma omp target exit data map(delete: a[0:N])
  return 0;
}
";

/// The line of [`STALE`] in which the host reads, from 0.
const READ: u32 = 13;
