//! Integer expressions over opaque symbols, what is known about them, and sections of arrays bounded by them.
//!
//! A worked example. A loop `for (i = 1; i < n - 1; i++)` reads `a[i - 1]`, `a[i]` and `a[i + 1]`. With `i` and `n` as
//! symbols each access is the section `[i - 1, i + 2)`; over the loop it becomes `[0, n)`, which prints as `0:n`:
//!
//! ```
//! use ompmemopt::symbolic::{Expr, Facts, Section, SpacingStyle, Sym, print_section};
//!
//! let (i, n) = (Sym(0), Sym(1));
//! let offset = |sym, by| Expr::sym(sym).add(&Expr::constant(by)).unwrap();
//! let access = Section::new(offset(i, -1), offset(i, 2));
//! let facts = Facts::new();
//! let swept = access.over_loop(i, &Expr::constant(1), &offset(n, -2), &Expr::constant(1), &facts).unwrap();
//! let name = |sym: Sym| Some(if sym == n { "n" } else { "i" }.to_owned());
//! assert_eq!(print_section(&swept, &name, SpacingStyle { spaces: true }).unwrap(), "0:n");
//! ```
//!
//! | file | idea |
//! |---|---|
//! | `expr` | the canonical form: a sorted sum of coefficient times monomial, checked in `i128` |
//! | `compose` | the operators that are not polynomial: `/`, `%`, minimum, maximum |
//! | `rewrite` | substitution, and reading an expression as linear in one symbol |
//! | `facts` | what is assumed, and the questions one can ask |
//! | `prove` | the search behind the questions; `farkas` is its linear core |
//! | `comparison` | what a condition says of one number |
//! | `section`, `set`, `sweep` | half-open sections, unions of them, and what a loop makes of them |
//! | `print` | C text that a person would write |
//!
//! **Values are mathematical integers.** A caller that reads C arithmetic must know that it does not wrap (signed
//! overflow is undefined, so it may assume so) or use [`Atom::Opaque`] for the result.
//!
//! **Invariant.** Nothing here knows where a symbol comes from, and an answer `false` or `None` always means "unknown".

mod comparison;
mod compose;
mod expr;
mod facts;
mod farkas;
mod print;
mod prove;
mod quotient;
mod rewrite;
mod section;
mod set;
mod sweep;
#[cfg(test)]
mod testing;
mod tighten;

pub use comparison::{Comparison, Relation};
pub use expr::{Atom, Expr, MAX_DEGREE, MAX_TERMS, MAX_WEIGHT, Monomial, Summand, Sym};
pub use facts::{Facts, MAX_FACTS, Sign};
pub use print::{Binding, SpacingStyle, Vocabulary, literal, print_expr, print_section};
pub use section::Section;
pub use set::{MAX_SECTIONS, SectionSet};
pub use tighten::tighten;
