//! A residency that is written, and what is said of it: `u` stays on the device over 2 kernels: copied in on entry, copied out at the
//! end, 1 update inside (about 96 % less expected traffic).

use super::HandDirectives;
use super::Note;
use super::inputs::Inputs;
use super::mapped_as_written::naive_cost;
use super::model::{FeasibleResidency, Settled};

/// A residency ready to be written.
pub(super) struct Residency<'a> {
    pub(super) settled: &'a Settled,
    pub(super) e: &'a FeasibleResidency,
    pub(super) structured: bool,
}

/// What a residency does, for people.
pub(super) fn reason(inputs: &Inputs<'_>, r: &Residency<'_>) -> Note {
    let e = r.e;
    let candidate = &r.settled.candidate;
    let launches = candidate.launches.iter().copied();
    let inside: Vec<usize> = launches
        .filter(|l| e.run.encloses(inputs.model, inputs.start(*l)))
        .collect();
    let naive: f64 = inside.iter().map(|l| naive_cost(inputs, candidate, *l)).sum();
    let kernels = inside.len();
    let up = e.placement.entry.iter().any(|b| b.copies);
    let down = e.placement.exits.iter().any(|(_, b)| b.iter().any(|b| b.copies));
    let inner = e.placement.copies.len();
    let (first, plural) = (
        inputs.model.tree.stmt(e.run.first).span,
        if kernels == 1 { "" } else { "s" },
    );
    let less = if naive > 0.0 {
        100.0 * (1.0 - e.cost / naive)
    } else {
        0.0
    };
    // What is left is something: it does not round to nothing.
    let less = match less {
        99.5..100.0 => "more than 99".to_owned(),
        _ => format!("about {less:.0}"),
    };
    // What the kernels would copy is not what they copied.
    let than_kernels = match inputs.file.options.hand_directives {
        HandDirectives::AreGone => String::new(),
        HandDirectives::MayGo | HandDirectives::Stay => format!(" ({less} % less expected traffic)"),
    };
    let message = format!(
        "{} stays on the device over {kernels} kernel{plural}: {} on entry, {} at the end, {inner} update{} \
         inside{than_kernels}",
        candidate.label,
        if up { "copied in" } else { "not copied in" },
        if down { "copied out" } else { "not copied out" },
        if inner == 1 { "" } else { "s" },
    );
    Note::new(first, message).of_array(&candidate.label)
}
