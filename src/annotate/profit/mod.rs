//! Whether a kernel is worth its launch: a guess from the text alone, in operations of the host.
//!
//! ```c
//! for (int t = 0; t < 1000; t++) {                        /* stays on the host                                         */
//!     for (int i = 0; i < 8; i++) x[i] = f * x[i] + 1;    /* 32 operations a launch, 1,000 launches: not worth it      */
//!     x[t % 8] = 0;
//! }
//! ```
//!
//! | a launch | costs |
//! |---|---|
//! | on the host | its operations: those of an iteration, times the trips of the loop and of the loops in it |
//! | on the device | [`LAUNCH`], the operations times [`SLOWNESS`] over how many iterations run at a time, and what is copied for it |
//!
//! It is worth it where the device takes at most a [`GAIN`]th. Trip counts are constants, or sizes; of the index of a loop
//! around, the middle of its range counts. A size that is not known counts as [`LARGE`] where the loop is launched a few
//! times each time the function runs, else as [`MIDDLING`]: in a hot loop of the host one loop over `n` is not enough, a
//! nest over `n` and `m` is.
//!
//! **Copies.** What is launched once has no copies that count, for the data may have been there before. In a loop of the
//! host, arrays that the rest of its body uses too are copied for each launch, an element where the use is no loop; all
//! others once for all launches, unless the kernel has an `if` clause.
//!
//! **Limits.** Callers are not looked at: what a function launches once counts as launched once. Correctness never
//! depends on any of this.

mod copies;
mod sizes;
mod work;

use crate::analysis::dependence::verdict::Parallel;
use crate::analysis::function::FunctionModel;
use crate::syntax::StmtId;
use copies::copied;
pub(super) use sizes::Indices;
use sizes::Sizes;
use std::collections::BTreeSet;
use work::{at_a_time, operations};

/// What starting a kernel costs: about ten microseconds, in which a processor does this many operations.
const LAUNCH: f64 = 10_000.0;
/// How much longer than the host one thread of the device takes for an operation.
const SLOWNESS: f64 = 64.0;
/// What copying a byte costs: a link moves some ten gigabytes a second.
const PER_BYTE: f64 = 0.1;
/// How much faster the device has to be.
const GAIN: f64 = 2.0;
/// An unknown size where what depends on it is launched seldom.
const LARGE: i128 = 1 << 20;
/// An unknown size in a loop of the host.
const MIDDLING: i128 = 1024;
/// Launches that count as seldom.
const FEW: f64 = 16.0;

/// Why a kernel is not worth its launch, with the figures; `always` says that it has no `if` clause, and `kernels` are the
/// statements that run on the device.
pub(super) fn doubt<'m>(
    (model, indices): (&FunctionModel<'m>, &Indices<'m>),
    stmt: StmtId,
    (p, always): (&Parallel, bool),
    kernels: &BTreeSet<StmtId>,
) -> Option<String> {
    let around = model.tree.ancestors(stmt).filter(|s| *s != stmt);
    let hosts: Vec<StmtId> = around.filter(|s| model.tree.stmt(*s).kind.is_loop()).collect();
    let launches = hosts.iter().try_fold(1.0, |n, s| {
        let sizes = Sizes {
            model,
            indices,
            unknown: None,
        };
        Some(n * sizes.trips(*s)?)
    });
    let seldom = launches.is_some_and(|n| n <= FEW);
    let sizes = Sizes {
        model,
        indices,
        unknown: Some(if seldom { LARGE } else { MIDDLING }),
    };
    let operations = operations(&sizes, stmt);
    let at_a_time = at_a_time(&sizes, stmt, p.collapse);
    // Where it may run on the host instead, no residency spans it.
    let joined = match always {
        false => 1.0,
        true => launches.unwrap_or(MIDDLING as f64),
    };
    let bytes = match hosts.first() {
        None => 0.0,
        Some(host) => copied(&sizes, (stmt, *host), p, kernels, joined),
    };
    let device = LAUNCH + operations * SLOWNESS / at_a_time.max(1.0) + bytes * PER_BYTE;
    if operations >= GAIN * device {
        return None;
    }
    let mut figures = vec![format!("about {} operations per launch", grouped(operations))];
    if operations >= GAIN * LAUNCH && at_a_time < GAIN * SLOWNESS * 2.0 {
        figures.push(format!("{} iterations at a time", grouped(at_a_time)));
    }
    if bytes >= 1.0 {
        figures.push(format!("{} bytes copied for each", grouped(bytes)));
    }
    match launches {
        _ if hosts.is_empty() => {}
        Some(n) => figures.push(format!("{} launches", grouped(n))),
        None => figures.push("a launch in each iteration of a loop on the host".into()),
    }
    Some(format!(
        "{}: not worth it; --all offloads it nonetheless",
        figures.join(", ")
    ))
}

/// `12,345`.
fn grouped(number: f64) -> String {
    let digits = format!("{:.0}", number.max(0.0));
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
