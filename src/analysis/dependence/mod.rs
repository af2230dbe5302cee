//! Which loops may run in parallel: a verdict for every loop of a function, with the clauses and run-time conditions that
//! the verdict rests on, or the one thing that stands in the way.
//!
//! ```c
//! void add(int n, int m, int s, float *c, float *x) {
//!     for (int i = 0; i < n; i++)                      /* parallel, collapse 2, if m <= s, and c and x are apart */
//!         for (int j = 0; j < m; j++) c[i*s + j] += x[j];
//! }
//! ```
//!
//! **The question.** A loop may run in parallel when no iteration needs what another one makes: no two different
//! iterations touch the same byte of memory, one of them writing, and every scalar has a value of its own in each
//! iteration (it is *privatised*), or only collects (it is *reduced*). Everything else about the loop (its form, the
//! calls in it, how control leaves it) must be what OpenMP allows. Each of these is a file:
//!
//! | file | asks |
//! |---|---|
//! | `verdict` | the answer: [`LoopVerdict`] and its parts |
//! | `body` | which blocks are the loop, and whether control leaves it only where its condition fails |
//! | `canonical`, `header` | is it OpenMP's canonical form, and what are the bounds of its index |
//! | `number`, `arithmetic`, `range` | what is an operand worth as a polynomial, where its arithmetic surely does not wrap |
//! | `address` | where does a pointer operand point |
//! | `steady` | which variables in memory keep their values, unless arrays overlap them |
//! | `frame` | the loop with the loops around and inside: what is known where, what the verdict comes to rest on |
//! | `slots` | of what type is a variable that numbers are made of |
//! | `touch` | which bytes of which array does each access of the loop touch |
//! | `guards` | what is known where an access runs, from the branches around it |
//! | `branches` | which branches go one way in all iterations, and what surely happens then |
//! | `pairs`, `known_pairs`, `distance`, `split` | can two accesses of different iterations meet (ZIV, SIV, GCD, Banerjee, delinearisation) |
//! | `scalars`, `reduction`, `extreme`, `same` | what becomes of each scalar |
//! | `scratch` | which local arrays are private |
//! | `pointers` | does it make, compare or hand on pointers |
//! | `calls` | what else a statement may do |
//! | `arrays` | what each array needs on the device, and which may be one |
//! | `mirror` | which squares a triangle and its mirror image fill |
//! | `corners` | whether the ends of that are touched for sure |
//! | `nest` | all of this for one loop, then `collapse` |
//!
//! **Two iterations.** Every symbol that gets its value inside the loop has another value in another iteration, so the
//! second access of a pair is read with *renamed* symbols. What ties the two iterations together is one equation for
//! the loop's own index, `i' = i + step * d` with `d >= 1`; whether the accesses can meet is then a question about
//! inequalities, put to [`crate::symbolic::Facts`]. The classical tests are special cases of it.
//!
//! **What is believed, and what is not.** Signed overflow is undefined, so a polynomial of signed arithmetic means what
//! it says. Unsigned arithmetic wraps: where it cannot be shown not to, the missing inequality becomes a condition, or the
//! value is unknown. Nothing is concluded from the declared length of an array, from types (no type-based alias
//! analysis), or from names.
//!
//! **Non-goals.** Loops that need a copy of an array (`a[i] = a[i + 1]`), scans, loop interchange or distribution, atomic
//! updates, and inspectors of index arrays: such loops are refused.
//!
//! Sources: Allen and Kennedy, *Optimizing Compilers for Modern Architectures* (tests, privatisation, reductions); Banerjee
//! 1988 (bounds); Maydan, Hennessy and Lam 1991 (exact tests by integer programming); Maslov 1992 (delinearisation);
//! DawnCC (run-time conditions for aliases).

mod address;
mod arithmetic;
mod arrays;
mod body;
mod branches;
mod calls;
pub mod canonical;
mod corners;
mod distance;
mod extreme;
mod frame;
mod guards;
mod header;
mod index_range;
mod known_pairs;
mod library;
mod mirror;
mod nest;
mod number;
mod pairs;
mod pointers;
mod range;
mod reduction;
mod same;
mod scalars;
mod scratch;
mod slots;
mod split;
mod steady;
mod touch;
mod tracked;
pub mod verdict;

pub use nest::verdicts;
pub use slots::declared_type;
pub use verdict::{BranchTest, LoopVerdict, Requirement};
