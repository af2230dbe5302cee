//! Residencies of several members of one struct over one run, which one directive maps: `map(tofrom: s->x[0:n], s->y[0:n])`.

use super::inputs::Inputs;
use super::model::{Candidate, FeasibleResidency, Refused};
use super::spans::{Run, span_of};
use crate::reasons::{Clauses, Reason};
use crate::syntax::StmtId;
use std::rc::Rc;

/// Residencies over one run, with the indices of the members.
pub(super) type Together = Vec<(usize, FeasibleResidency)>;

impl Inputs<'_> {
    /// Tries a residency over `run` of all members that kernels there map; with their indices. What is refused is so because
    /// of one of them, or of the struct.
    pub(super) fn evaluate_together(
        &self,
        members: &[Candidate],
        run: Run,
    ) -> Result<Together, (Option<usize>, Refused)> {
        let inside = members.iter().cloned().enumerate();
        let mut inside: Vec<(usize, Candidate)> = inside.filter(|(_, c)| self.is_member_in(c, run)).collect();
        let refuse = |(stmt, reason): (StmtId, Reason)| (None, Refused { stmt, reason });
        let span = span_of(self.model, run)
            .map_err(|(stmt, ends)| refuse((stmt, ends.into())))?
            .span;
        let of_struct = self.only_these(&inside, run, &span);
        let of_struct = Rc::new(of_struct.map_err(|(stmt, structs)| refuse((stmt, structs.into())))?);
        for joint in inside.iter_mut().filter_map(|(_, c)| c.joint.as_mut()) {
            joint.of_struct = Rc::clone(&of_struct);
        }
        let mut found = Vec::new();
        for (i, candidate) in &inside {
            found.push((
                *i,
                self.evaluate(candidate, run).map_err(|refused| (Some(*i), refused))?,
            ));
        }
        // One directive has one condition.
        let mut conditions: Vec<String> = found.iter().flat_map(|(_, e)| e.conditions.clone()).collect();
        conditions.sort();
        conditions.dedup();
        let repeatable = found.iter().all(|(_, e)| e.repeatable);
        let block = found.iter().all(|(_, e)| e.block);
        if found.iter().any(|(_, e)| e.when != found[0].1.when) {
            return Err(refuse((run.first, Clauses::OtherConditions.into())));
        }
        for (_, e) in &mut found {
            e.conditions.clone_from(&conditions);
            (e.repeatable, e.block) = (repeatable, block);
        }
        Ok(found)
    }
}
