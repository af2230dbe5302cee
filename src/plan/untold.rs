//! Calls that may start kernels of which no summary tells: in conditions, several in one statement, through pointers to
//! functions, of functions that the library or unknown code calls back, or that run at no place of the text.
//!
//! ```c
//! smooth(g);                                        /* told: its kernel uses `g->u`                                        */
//! while (sum(all, 4) < 20) g->weight += 1;          /* untold: `sum` maps all of the structs, `g->u` itself among them    */
//! smooth(g);
//! ```
//!
//! Arrays take these for what their effects and their maps say ([`crate::analysis::movement`]). A struct of which a part is mapped must
//! not be mapped by any of them.

use super::inputs::Inputs;
use super::spans::Run;
use crate::program::ir::{InstId, Op};
use crate::program::objects::MemLoc;
use crate::reasons::Calls;
use crate::syntax::StmtId;

/// Who has no name.
const SOMEBODY: &str = "a function";

impl Inputs<'_> {
    /// A call in a run that may start kernels of which no summary tells, and which use or map what lies at such places: where it
    /// stands, and what it calls.
    pub(super) fn untold_use(&self, run: Run, ours: &dyn Fn(&MemLoc) -> bool) -> Option<(StmtId, String)> {
        let model = self.model;
        let mut later = self.program.used_later.iter();
        if let Some((by, _)) = later.find(|(_, locs)| locs.iter().any(ours)) {
            let by = match by {
                Calls::UsedLater { name } | Calls::LaunchedAtExit { name } => name.clone(),
                _ => SOMEBODY.to_owned(),
            };
            return Some((run.first, by));
        }
        let is_call = |i: &InstId| matches!(model.function().inst(*i).op, Op::Call { .. });
        let mut calls = model.function().inst_ids().filter(is_call);
        calls.find_map(|inst| {
            let node = model.attachment.node_of[inst.0 as usize];
            let stmt = node.and_then(|n| model.fine.stmt_of(n))?;
            let uses = run.encloses(model, stmt) && self.uses_untold(inst, ours);
            uses.then(|| (stmt, self.called(inst)))
        })
    }

    fn uses_untold(&self, inst: InstId, ours: &dyn Fn(&MemLoc) -> bool) -> bool {
        let model = self.model;
        let effects = model.effects.of_call(model.func, inst);
        let code = &model.unknown_code.called;
        if effects.unknown && (code.anything || code.touched.iter().any(ours)) {
            return true;
        }
        if model.launching_target(inst).is_none() || self.calls.iter().any(|c| c.inst == inst) {
            return false;
        }
        let maps = model.maps_at(inst);
        let is_mapped = |places: &Vec<MemLoc>| places.iter().any(ours);
        effects.reads.union(&effects.writes).any(ours) || maps.into_iter().any(|places| places.is_none_or(is_mapped))
    }

    /// What a call calls, for people.
    fn called(&self, inst: InstId) -> String {
        let model = self.model;
        let first = || model.targets(inst).0.first().copied();
        let named = model.launching_target(inst).or_else(first);
        named.map_or_else(|| SOMEBODY.to_owned(), |t| model.module.function(t).name.clone())
    }
}
