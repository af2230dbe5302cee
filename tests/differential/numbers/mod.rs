//! Random programs about numbers: counters of every width that wrap around or do not, tests that choose between comparisons,
//! ends of loops and lengths of arrays that are sums in unsigned types, constants that are converted, numbers in all spellings.
//!
//! A program has functions of the host and kernels, called one after another with numbers at the ends of their types. Nothing is
//! correct by construction here: what is drawn is run first (`run`, `kernels`, with C's arithmetic in `number`), and what is not defined,
//! leaves an array or does not end is drawn again. So the generator needs not know which numbers are traps.
//!
//! ```c
//! static const unsigned char K0 = 264;                        // 8
//! static unsigned long f0(int *v, unsigned p0)
//! {
//!     unsigned long h = 1;
//!     for (unsigned char l0 = 250; l0 != p0 + K0; l0++)        // 250 to 255, 0 to 5 where p0 is 4294967294
//!         h = h * 31 + (unsigned long)v[l0];
//!     return h;
//! }
//! ```
//!
//! `grow`, `sharp` and `statements` draw, `print` writes C, `shrink` makes programs smaller.

pub mod ast;
mod grow;
mod kernels;
mod number;
pub mod print;
mod run;
mod sharp;
mod shrink;
mod statements;

pub use ast::Program;
pub use grow::grow;
pub use shrink::smaller;

/// What the program has traps of.
pub fn traps(program: &Program) -> impl Iterator<Item = &'static str> {
    let done = run::run(program).unwrap_or_default();
    let set = run::BENDS.into_iter().filter(move |b| done.bent[*b as usize] > 0);
    set.map(run::Bend::name)
}
