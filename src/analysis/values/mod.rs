//! What the scalars and pointers of a function are worth, in terms of source variables.
//!
//! [`slots`] finds the variables worth following, [`versions`] says which definition of each reaches each statement,
//! `changes` what each instruction does to them, `edges` along which edges, `marks` what that makes each variable worth at
//! each node, [`eval`] turns IR operands into symbolic expressions and pointer values over those definitions, and [`loops`]
//! recognises induction variables with their ranges ([`loop_test`] finds the branch that decides, [`monotone`] those without
//! a constant step). `counter` says which counters stay in their types (`steps`: what they grow by), `below_top` which sums
//! do; [`casts`] are the numbers that variables are in other types, `ranges` where they surely lie, and `exact_numbers` which
//! number something is where nothing may be taken of sizes. [`calls`] has what called functions surely do to variables,
//! [`threads`] what directives of the host do to them, `pointer_choice` which pointers are one of several. A
//! [`crate::symbolic::Sym`] here is one (slot, version) pair or one instruction's result; [`table::Values`] is the table.
//! Because every symbol is a value at a place of the text, an expression can be printed at a gap exactly when each of its
//! symbols is, there, the value of a variable in scope.

mod after_calls;
pub mod arithmetic;
mod below_top;
mod callee_slots;
pub mod calls;
pub mod casts;
mod changes;
mod choice_pairs;
mod conjuncts;
mod counter;
mod edges;
pub mod elements;
mod eval;
mod evaluated_function;
mod exact_numbers;
mod exit_facts;
pub mod if_test;
mod int_products;
mod integers;
pub mod known_calls;
pub mod loop_info;
pub mod loop_test;
pub mod loops;
mod marks;
pub mod members;
pub mod monotone;
mod outlives;
mod pointer_choice;
mod pointers;
pub mod range;
mod ranges;
mod sizes;
pub mod slots;
mod steps;
pub mod table;
pub mod threads;
mod trips;
pub mod types;
pub mod version;
pub mod versions;

pub use evaluated_function::EvaluatedFunction;
pub use table::Values;
