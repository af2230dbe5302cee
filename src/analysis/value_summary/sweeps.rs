//! Follows a function until nothing changes any more, and reads off what callers see.

use super::run::FunctionRun;
use super::state::MemoryState;
use super::{ValueSummary, Worth};
use crate::program::ir::{InstId, Op};

/// Sweeps over the blocks within which values have to settle.
const MAX_SWEEPS: usize = 12;

/// More cells than this are not followed.
const MAX_CELLS: usize = 160;

impl FunctionRun<'_> {
    /// Runs it. States before the blocks only ever lose, so that they settle.
    pub fn summary(mut self) -> Option<ValueSummary> {
        let function = self.function;
        let mut before: Vec<Option<MemoryState>> = vec![None; function.blocks.len()];
        *before.first_mut()? = Some(MemoryState::default());
        for _ in 0..MAX_SWEEPS {
            let (entered, values, met) = (before.clone(), self.values.clone(), self.known.len());
            let mut left: Option<(MemoryState, Option<Worth>)> = None;
            for (at, block) in function.blocks.iter().enumerate() {
                let Some(mut state) = before[at].clone() else { continue };
                for inst in (block.first.0..block.end.0).map(InstId) {
                    self.step(&mut state, inst);
                    if let Op::Ret(value) = &function.inst(inst).op {
                        let value = value.as_ref().and_then(|v| self.value(v));
                        left = Some(match left.take() {
                            None => (state.clone(), value),
                            Some((all, returned)) => {
                                (self.join(all, &state), returned.filter(|r| Some(r) == value.as_ref()))
                            }
                        });
                    }
                }
                for succ in &block.succs {
                    let at = succ.0 as usize;
                    let joined = match before[at].take() {
                        None => state.clone(),
                        Some(known) => self.join(known, &state),
                    };
                    before[at] = Some(joined);
                }
                if self.given_up || self.known.len() > MAX_CELLS {
                    return None;
                }
            }
            if before == entered && values == self.values && met == self.known.len() {
                let (state, returned) = left?;
                return Some(self.read_off(&state, returned));
            }
        }
        None
    }
}
