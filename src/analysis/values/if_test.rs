//! What an `if` tests, and where the first branch is taken.
//!
//! ```c
//! if (n > 3) first(); else second();        // br (n > 3), first, second
//! if (!skip) first(); else second();        // br (skip != 0), second, first: what is denied is tested, and the branches change places
//! ```

use super::loop_test::DecidingBranch;
use super::table::Values;
use crate::program::graph::NodeId;
use crate::program::ir::{BlockId, InstId, Operand};

/// The test of an `if` that asks one thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IfTest {
    /// What is tested.
    pub tested: InstId,
    /// The first branch is taken where that holds, and not where it does not.
    pub holds: bool,
}

impl IfTest {
    /// The test at the condition of an `if`; with `&&` and `||` there are several.
    pub fn at(values: &Values<'_>, cond: NodeId) -> Option<IfTest> {
        let DecidingBranch {
            cond: Operand::Inst(tested),
            then,
            other,
            alone: true,
        } = DecidingBranch::at(values, cond)?
        else {
            return None;
        };
        (then != other).then_some(IfTest {
            tested: *tested,
            holds: BlockId::of_first_branch(then, other) == then,
        })
    }
}
