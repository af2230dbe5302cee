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
//! A kernel is worth it where the device takes at most a [`GAIN`]th. Trip counts are constants, or sizes; of the index
//! of a loop around, the middle of its range counts. A size that is not known counts as [`LARGE`] where the loop is
//! launched a few times each time the function runs, else as [`MIDDLING`]: in a hot loop of the host one loop over `n`
//! is not enough, a nest over `n` and `m` is. Where it is one size alone that decides, the program may decide
//! (`threshold`): `if(target: n > 10000)`.
//!
//! **Copies.** What is launched once has no copies that count, for the data may have been there before. In a loop of the
//! host, arrays that the rest of its body uses too are copied for each launch, an element where the use is no loop; all
//! others once for all launches. What stays on the host in such a loop costs copies as well, of what it shares with kernels:
//! a loop over an edge of the grid goes along with those over the grid where these copies would take longer than it does.
//!
//! **Limits.** What a function launches once counts as launched once, wherever it is called, but for `threshold`. Correctness
//! never depends on any of this.

mod copies;
mod sizes;
mod threshold;
mod work;

use crate::analysis::dependence::verdict::Parallel;
use crate::analysis::function::FunctionModel;
use crate::reasons::Serial;
use crate::symbolic::Sym;
use crate::syntax::StmtId;
use copies::{copied, kept};
pub(super) use sizes::Indices;
use sizes::Sizes;
use std::collections::{BTreeMap, BTreeSet};
pub(super) use threshold::{Threshold, thresholds, with_size};
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

/// The kernels of a function, as far as they were chosen.
pub(super) struct KernelsSoFar<'a, 'm> {
    pub model: &'a FunctionModel<'m>,
    pub indices: &'a Indices<'m>,
    pub of: BTreeMap<StmtId, &'a Parallel>,
    /// Loops of the host that run in the place of kernels, with these: no use of theirs costs a copy where kernels run.
    pub twins: &'a BTreeMap<StmtId, StmtId>,
}

/// What a launch costs.
struct LaunchCost {
    operations: f64,
    at_a_time: f64,
    /// Copied for it.
    bytes: f64,
    /// What it costs beside the operations to leave it on the host.
    kept: f64,
    /// Launches in loops of the host around, if their number is known; one where there are none.
    launches: Option<f64>,
    /// There are such loops.
    hosted: bool,
}

impl LaunchCost {
    fn device(&self) -> f64 {
        LAUNCH + self.operations * SLOWNESS / self.at_a_time.max(1.0) + self.bytes * PER_BYTE
    }

    fn is_worth_it(&self) -> bool {
        self.operations >= GAIN * self.device() || self.kept > 0.0 && self.operations + self.kept >= self.device()
    }

    /// How many launches it is likely to stand for.
    fn times(&self) -> f64 {
        self.launches.unwrap_or(MIDDLING as f64)
    }

    /// Whether it is launched often each time the function runs.
    fn is_hot(&self) -> bool {
        self.hosted && self.launches.is_none_or(|n| n > FEW)
    }
}

impl KernelsSoFar<'_, '_> {
    /// What a launch of one of them costs, where a size is a number.
    fn cost(&self, stmt: StmtId, p: &Parallel, size: Option<(Sym, i128)>) -> LaunchCost {
        let (model, indices) = (self.model, self.indices);
        let around = model.tree.ancestors(stmt).filter(|s| *s != stmt);
        let hosts: Vec<StmtId> = around.filter(|s| model.tree.stmt(*s).kind.is_loop()).collect();
        let sizes = |unknown, size| Sizes {
            model,
            indices,
            unknown,
            size,
        };
        let launches = hosts
            .iter()
            .try_fold(1.0, |n, s| Some(n * sizes(None, None).trips(*s)?));
        let seldom = launches.is_some_and(|n| n <= FEW);
        let sizes = sizes(Some(if seldom { LARGE } else { MIDDLING }), size);
        let mut cost = LaunchCost {
            operations: operations(&sizes, stmt),
            at_a_time: at_a_time(&sizes, stmt, p.collapse),
            bytes: 0.0,
            kept: 0.0,
            launches,
            hosted: !hosts.is_empty(),
        };
        if let Some(host) = hosts.first() {
            let kernels: BTreeSet<StmtId> = self.of.keys().chain(self.twins.keys()).copied().collect();
            cost.bytes = copied(&sizes, stmt, *host, p, &kernels, cost.times());
            let beside = self.of.iter().filter(|(s, _)| **s != stmt);
            let beside = beside.filter(|(s, _)| model.tree.encloses(*host, **s)).map(|(_, p)| *p);
            cost.kept = kept(&sizes, p, beside);
        }
        cost
    }

    /// Why one of them is not worth its launch, with the figures.
    pub fn doubt(&self, stmt: StmtId) -> Option<Serial> {
        let p = self.of.get(&stmt)?;
        let cost = self.cost(stmt, p, None);
        if cost.is_worth_it() {
            return None;
        }
        Some(figures(&cost))
    }
}

fn figures(cost: &LaunchCost) -> Serial {
    let mut figures = vec![format!("about {} operations per launch", grouped(cost.operations))];
    if cost.operations >= GAIN * LAUNCH && cost.at_a_time < GAIN * SLOWNESS * 2.0 {
        figures.push(format!("{} iterations at a time", grouped(cost.at_a_time)));
    }
    if cost.bytes >= 1.0 {
        figures.push(format!("{} bytes copied for each", grouped(cost.bytes)));
    }
    match cost.launches {
        _ if !cost.hosted => {}
        Some(n) => figures.push(format!("{} launches", grouped(n))),
        None => figures.push("a launch in each iteration of a loop on the host".into()),
    }
    Serial::NotWorthIt {
        figures: figures.join(", "),
    }
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
