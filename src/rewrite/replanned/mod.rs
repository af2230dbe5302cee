//! Mappings by hand, planned anew: where the program moves less without the directives that somebody wrote, and with others in their places.
//!
//! ```text
//! text ─► check: which directives can go, as all reads are of current values? ─► text without them, kernels map by themselves
//!      ─► rewrite ─► new text ─► check: do its directives copy less? ─┬─► yes: kernels that map nothing of their own are written as they were
//!                                                                    └─► no: what `rewrite` makes of the text as it is
//! ```
//!
//! Somebody's directives are right, but not the best: a region in a time loop, `tofrom` for what is only read, an update of a whole array for one element. What they
//! do is what the program's own code asks for, if each read finds the newest value ([`crate::check`]); and what that asks for, `rewrite` finds out by itself, from
//! kernels that map all that they use ([`bare_text`]). So nothing has to be known about how to improve a directive.
//!
//! **Invariants.** Arrays that share directives' items are planned anew together or not at all. Without a gain for them nothing changes: what is copied is estimated by
//! one measure for both texts ([`FilePlan::expected_traffic`]).

mod bare_blocks;
mod bare_text;
mod device_clauses;
mod kernel_lines;
mod program;
mod run;

pub(super) use run::Replanning;

use super::checked::{CheckRequest, checked};
use super::unit::{Rewritten, Unit};
use crate::plan::{FilePlan, ReplaceableMaps};
use device_clauses::NamedDevices;
use program::HandMappedProgram;
use run::may_go;

/// Plans what was mapped by hand anew where that moves less than `rewritten`.
pub(super) fn replanned(run: Replanning<'_, '_>, rewritten: &mut Rewritten) {
    let is_whole = |(unit, _): &(Unit<'_>, bool)| unit.options.limits.is_empty() && unit.options.dumps.is_empty();
    if !run.units.iter().all(is_whole) || !run.files.iter().any(|f| run.could_change(f)) {
        return;
    }
    let good: Vec<usize> = { 0..run.units.len() }
        .filter(|at| rewritten.files[*at].is_ok())
        .collect();
    let given = good
        .iter()
        .map(|at| run.given(*at, run.units[*at].0.text, run.known(*at)));
    // Where nobody knows what the directives do, they stay.
    let could_change = |at: usize| run.read(good[at]).is_some_and(|file| run.could_change(file));
    let wanted = |members: &[usize]| members.iter().any(|at| could_change(*at));
    let request = CheckRequest {
        wanted: &wanted,
        ..CheckRequest::REPLACING
    };
    let Ok((programs, _)) = checked(given.collect(), run.services, &request) else {
        return;
    };
    for program in programs {
        let mut files: Vec<(usize, FilePlan)> = program.files.into_iter().map(|(at, plan)| (good[at], plan)).collect();
        if !files.iter().all(|(at, _)| may_go(&run.units[*at].0.options.plan)) {
            files
                .iter_mut()
                .for_each(|(_, plan)| plan.replaceable = ReplaceableMaps::default());
        }
        let devices = files
            .iter()
            .map(|(at, _)| NamedDevices::of(run.units[*at].0.text))
            .collect();
        let program = HandMappedProgram { run, files, devices };
        match program.better(rewritten) {
            Some(better) => {
                for (at, outcome) in better {
                    rewritten.files[at] = Ok(outcome);
                }
            }
            None => program.say_why_not(rewritten),
        }
    }
}
