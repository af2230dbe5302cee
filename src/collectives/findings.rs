//! What is said of a mismatch.
//!
//! ```text
//! not every process comes to `MPI_Barrier` here: others come to `MPI_Finalize` first
//!   9: the condition differs between processes
//!   7: `MPI_Comm_rank` gives each process something else
//!   7: `rank` gets a value that differs
//! ```

use super::described::Described;
use super::leaving::leaving;
use super::mismatches::OtherWay;
use super::wording::Wording;
use crate::multivalued::{AgentKind, Causes, CollectiveEvent, Surroundings};
use crate::program::ir::{Loc, Module};
use crate::program::linker_names::{linker_name, unmangled};
use crate::program::objects::Site;

/// A place of the program: a file, by its number, and where in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CodePlace {
    pub unit: u32,
    pub loc: Loc,
}

/// A collective that not everyone comes to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CollectiveFinding {
    /// Where the collective is; `None` in a header.
    pub collective: Option<CodePlace>,
    /// On some run it happens for sure.
    pub surely: bool,
    /// The function that the collective is in.
    pub function: String,
    /// What is wrong.
    pub message: String,
    /// What is wrong, and not for sure, if the text has a `return` at a place.
    pub if_returned: Option<(CodePlace, String)>,
    /// Places that it has to do with, and what is there.
    pub related: Vec<(CodePlace, String)>,
    /// What those come to in turn who come to the collective, and the others.
    pub ways: [Vec<(CodePlace, String)>; 2],
}

/// Says it.
pub fn described(around: &Surroundings<'_>, causes: &Causes, what: &Described<'_>) -> CollectiveFinding {
    let module = around.module;
    let wording = Wording { agents: around.agents };
    let event = what.event();
    let mut related = Vec::new();
    if let Described::Mismatch(mismatch) | Described::Unaligned(mismatch) = what {
        let decides = match mismatch.of_callees {
            true => "which function is called",
            false => "the condition",
        };
        let differs = format!("{decides} differs between {}", wording.all());
        related.extend(place(module, mismatch.branch).map(|at| (at, differs)));
        if let OtherWay::Collective(other) = &mismatch.instead {
            let come = format!("other {} come to {}", wording.all(), wording.collective(&other.name));
            related.extend(place(module, other.site).map(|at| (at, come)));
        }
    }
    for step in what.cause().iter().flat_map(|cause| causes.chain(*cause)) {
        related.extend(place(module, step.site).map(|at| (at, wording.step(&step.kind))));
    }
    let steps = |events: &Vec<CollectiveEvent>| {
        let step = |event: &CollectiveEvent| Some((place(module, event.site)?, format!("`{}`", event.name)));
        events.iter().filter_map(step).collect()
    };
    let ways = match what {
        Described::Mismatch(mismatch) | Described::Unaligned(mismatch) => {
            [steps(&mismatch.ways[0]), steps(&mismatch.ways[1])]
        }
        _ => Default::default(),
    };
    // Devices do not wait for threads that have left.
    let jump = match what {
        Described::Mismatch(mismatch) if around.agents == AgentKind::Block => leaving(around, mismatch),
        _ => None,
    };
    let jump = jump.and_then(|jump| place(module, jump));
    CollectiveFinding {
        ways,
        collective: place(module, event.site),
        surely: what.surely(causes),
        function: text_name(&module.function(event.site.func).name),
        message: wording.message(what),
        if_returned: jump.map(|place| (place, wording.returned(&event.name))),
        related,
    }
}

/// The function of the text that clang has made one of.
fn text_name(function: &str) -> String {
    let of_text = function.split(".omp_").next().unwrap_or(function);
    unmangled(linker_name(of_text)).unwrap_or_else(|| of_text.to_owned())
}

/// Where an instruction is.
fn place(module: &Module, site: Site) -> Option<CodePlace> {
    let function = module.function(site.func);
    let loc = function.inst(site.inst).loc.filter(|loc| loc.line < Loc::INCLUDED)?;
    (!function.in_header).then_some(CodePlace {
        unit: function.unit,
        loc,
    })
}
