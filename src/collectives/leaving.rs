//! How those leave a function that do not come to a collective.
//!
//! ```c
//! if (i >= n)
//!     return;            /* here: the text says `return`            */
//! __syncthreads();
//!
//! if (i < n)
//!     __syncthreads();   /* nowhere: the way goes on, to the end    */
//! ```
//!
//! Both are one jump to where the function ends; which of them it is, the text says at the place of the jump.

use super::mismatches::{Mismatch, OtherWay};
use crate::multivalued::Surroundings;
use crate::program::ir::{BlockId, InstId};
use crate::program::objects::Site;

/// The jump by which those leave the function that do not come to a collective in it, if they leave at once.
pub fn leaving(around: &Surroundings<'_>, mismatch: &Mismatch) -> Option<Site> {
    let at = mismatch.branch;
    if !matches!(mismatch.instead, OtherWay::End) {
        return None;
    }
    let function = around.module.function(at.func);
    let branch = function.inst(at.inst).block;
    let flow = around.flows[at.func.0 as usize].as_ref()?;
    let meeting = flow.meeting[branch.0 as usize].filter(|end| flow.succs[*end].is_empty())?;
    let jump = |way: &BlockId| {
        let mut at = *way;
        // Control comes to no block twice on a way without branches that ends.
        for _ in 0..function.blocks.len() {
            match function.block(at).succs.as_slice() {
                [next] if next.0 as usize == meeting => return Some(InstId(function.block(at).end.0 - 1)),
                [next] => at = *next,
                _ => return None,
            }
        }
        None
    };
    let inst = function.block(branch).succs.iter().find_map(jump)?;
    Some(Site { func: at.func, inst })
}
