//! Run-time tests for loops that are parallel under a condition: one variable, computed once, named readably.
//!
//! ```c
//! const int x_y_disjoint = n > 0 && (x + n <= y || y + n <= x);
//! #pragma omp target teams distribute parallel for if(x_y_disjoint) num_teams(x_y_disjoint ? 1024 : 1) map(to: x[0:n]) …
//! for (int i = 0; i < n; i++) y[i] += a * x[i];
//! ```
//!
//! A test is needed where two arrays may overlap, one of them written (the iterations then depend on one another), and where
//! two arrays may overlap that are only read: OpenMP cannot map two sections that overlap in part, and where they are the
//! same, one mapping would lose the results of the other. Both bounds of both sections count. What else the verdict rests
//! on (`m <= s`, rows do not overlap) is part of the same test, and so is that the sections mean something (`n > 0`). No test
//! is made where points-to, `restrict` or the callers say that arrays are apart: then the verdict has no condition.
//!
//! **Where the test fails** the loop has to run as it is written, one iteration after the other, on the host. An `if` clause
//! without modifier is about `target` and `parallel`; about `teams` it is since OpenMP 5.2 only, and what compilers make of
//! it is not that (clang 19 starts as many teams on the host as `OMP_NUM_TEAMS` says, and each takes its part of the
//! iterations at the same time as the others). So where iterations depend on one another, `num_teams` says that it is one. Where
//! a loop may write its own bound not even that is enough: the test then stands in an `if` around two loops
//! ([`super::twin`]).
//!
//! **Where it stands.** Loops that share arrays share a test (`group`), so that their data can be kept on the device between
//! them: their directives then have the same condition. It stands before the first of them, and outside of the loops around
//! it where all of its values are known there (`test`) and control comes to them only past it (`reach`). What it computes are
//! addresses as long as the loop touches them; where it may not, it asks for small numbers first (`wrap`).
//!
//! Source: Alves et al., *Runtime Pointer Disambiguation*, OOPSLA 2015 (one test for a nest, hoisted); DawnCC (Mendonça et al.,
//! TACO 2017), whose tests lack the lower bounds.

mod group;
mod name;
mod reach;
mod test;
mod wrap;

pub(super) use group::{Guard, Guarded, guard};
pub(super) use test::{Extent, Pair, Test, assume, needed, symbols};
pub(super) use wrap::limits;
