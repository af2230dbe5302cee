//! What happens to arrays around a call of the function: whether they may be on the device when it begins, and whether
//! somebody may read them when it has ended.

use super::inputs::Inputs;
use super::model::Candidate;
use crate::analysis::culprit;
use crate::program::objects::ObjectKind;

impl Inputs<'_> {
    /// Which unknown code of a whole program may call the function, for a remark.
    pub(super) fn called_from_outside(&self) -> String {
        let model = self.model;
        let culprit =
            culprit::of_program(model.module, model.points_to).filter(|_| model.points_to.is_entry(model.func));
        culprit.map_or_else(String::new, |c| {
            // Nothing calls `main` a second time.
            let may = match self.program.is_main(model.func) {
                true => "have put it there",
                false => "call it",
            };
            format!("; nothing is known of {}, which may {may}: {}", c.named(), c.line())
        })
    }

    /// Whether the family's objects may be on the device when the function is called, or when another one has entered them.
    pub(super) fn may_be_present(&self, candidate: &Candidate) -> bool {
        let presence = &self.program.presence;
        presence.on_entry(self.model.points_to, self.model.func, &candidate.locs)
    }

    /// Whether they may be there because of others than functions that are planned, which keep all that is used.
    pub(super) fn may_be_present_in_part(&self, candidate: &Candidate) -> bool {
        let presence = &self.program.presence;
        presence.is_held_by_others(self.model.points_to, self.model.func, &candidate.locs)
    }

    /// Whether somebody may read the family's objects after the function has returned.
    pub(super) fn visible_outside(&self, candidate: &Candidate) -> bool {
        let model = self.model;
        let main_ends = model.function().name == "main"
            && model.points_to.closed()
            && !model.points_to.runs_at_exit()
            && !model.points_to.call_graph().recursive(model.func);
        candidate.locs.is_empty()
            || candidate
                .locs
                .iter()
                .any(|l| match &model.points_to.object(l.object).kind {
                    // Of many it may be another activation's.
                    ObjectKind::Local { func, .. } => {
                        *func != model.func
                            || model.points_to.escapes(l.object)
                            || model.points_to.object(l.object).many
                    }
                    ObjectKind::Global(_) | ObjectKind::Heap { .. } => !main_ends,
                    _ => true,
                })
    }
}
