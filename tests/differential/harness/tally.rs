//! What a soak has seen: a tester under which everything is left alone proves nothing, so it counts what was changed.

use std::fmt;
use std::ops::AddAssign;

/// Totals over cases. Bytes are those between host and device, both ways, of the cases whose files were run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Cases looked at, failing ones included.
    pub cases: u64,
    /// Cases whose text the rewriter changed.
    pub rewritten: u64,
    /// Cases in which helpers were given updates for their callers.
    pub helped: u64,
    /// Loops in programs that were changed, and those of them that were made kernels.
    pub loops: u64,
    pub kernels: u64,
    /// Bytes that the originals moved.
    pub before: u64,
    /// Bytes that the rewritten cases moved.
    pub after: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.cases += other.cases;
        self.rewritten += other.rewritten;
        self.helped += other.helped;
        self.loops += other.loops;
        self.kernels += other.kernels;
        self.before += other.before;
        self.after += other.after;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally {
            cases,
            rewritten,
            helped,
            loops,
            kernels,
            before,
            after,
        } = self;
        if *kernels > 0 {
            let share = 100.0 * *kernels as f64 / *loops as f64;
            return write!(
                f,
                "{cases} cases, {rewritten} rewritten, {kernels} of {loops} loops on the device: {share:.1} %"
            );
        }
        let saved = if *before == 0 {
            0.0
        } else {
            100.0 - 100.0 * *after as f64 / *before as f64
        };
        write!(
            f,
            "{cases} cases, {rewritten} rewritten, in {helped} for callers, {before} bytes moved before, {after} after: {saved:.1} % less"
        )
    }
}
