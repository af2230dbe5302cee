//! Plain C to OpenMP offload: which loops, with which clauses, and what is said about those left alone.
//!
//! ```c
//! double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
//! #pragma omp target teams distribute parallel for if(target: n > 0) map(to: x[0:n]) map(tofrom: y[0:n])
//! for (int i = 0; i < n; i++) y[i] += a * x[i];
//! ```
//!
//! [`crate::analysis::dependence`] finds out which loops may run in parallel. Of nested loops the outermost is taken
//! (`program`) unless a launch costs more than it saves (`profit`), its verdict becomes clauses (`clauses`), each array
//! a map item (`maps`; `given_back`: whether memory is there no more; `constant_pointers` of which the compiler knows too much; `members` of structs, `rows` of arrays with a variable length), all written where the loop stands
//! (`spell`), with the names that sizes have in the text (`constants`). What the verdict rests on at run time, arrays that
//! may overlap above all, becomes a test that loops share (`guard`), and kernels that share one are one decision
//! (`decisions`); a loop that may write its own bound where the test fails is written twice (`twin`). What OpenACC cannot say stays as it is in that dialect (`dialect`); and every verdict, also of what stays as
//! it is, becomes a line for the user (`describe`).
//!
//! **When nothing runs.** A section may be nonsense where the loop does not run (`a[0:n]` for a negative `n`), so the
//! directive has an `if` clause that says that it does: else the host goes through the loop, in no iterations.
//!
//! **What is mapped exists.** A section is mapped only where its ends are surely touched by the loop, or by a loop around
//! it, or where the array is known to be that large. A conditional access to `y[i]` says nothing about how long `y` is, unless
//! the condition is the same in all iterations: then the `if` clause asks it, too. A row
//! of which an element is touched exists as a whole where the pointer's type says how long it is.
//!
//! Where a program manages device memory by hand, or runs host threads, loops stay as they are (`surroundings`).
//!
//! **Invariant.** Nothing is decided about dependences here.
//!
//! **On request only**: sums, products and extremes in floating point, which another order rounds differently
//! (`--reassociate`).

mod clauses;
mod constant_pointers;
mod constants;
mod decisions;
pub mod describe;
mod dialect;
mod given_back;
mod guard;
mod maps;
mod members;
mod named_constants;
mod profit;
mod program;
mod rows;
mod spell;
mod surroundings;
mod twin;

pub use describe::describe;
pub use program::annotate_program;
