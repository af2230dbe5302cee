//! Random C programs of plain loops, without a pragma in most of them, for differential tests of `annotate`.
//!
//! ```c
//! static void work_7_8(int n, int m, int k, int s, int *p1, int *p2)
//! {
//!     for (int i = 1; i < n; i++)
//!         for (int j = 0; j < m; j++) p1[i * s + j] = p2[i * m + j + k] + p1[i * s];
//! }
//! … work_7_8(17, 24, 2, 27, a, a + 3); …
//! ```
//!
//! Some of the loops may run in parallel, others must not, and which of them do may depend on what a call passes. A program
//! is a pure function of a seed and its [`Weights`](weights::Weights), prints checksums of every element of every array, and
//! is free of undefined behaviour, since it has been run: `run` is an interpreter, and whatever it finds undefined is cut
//! out. It also finds out how far each array is touched, and that is how large the array will be.
//!
//! - `ast`: the tree. `value`, `run`: what it does. `uses`: what it needs. `print`, `print_expr`: the tree as C.
//! - `grow`: arrays and functions. `nest`: loops and statements; `around`: what
//!   is beside them. `index`: subscripts and values. `calls`: calls and helpers.
//! - `shrink`: smaller trees for a failing case.

mod around;
pub mod ast;
mod calls;
mod grow;
mod index;
mod nest;
pub mod print;
mod print_expr;
mod run;
pub mod shrink;
mod uses;
mod value;
pub mod weights;

pub use grow::grow;
pub use run::Ran;
