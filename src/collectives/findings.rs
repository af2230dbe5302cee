//! What is said of a mismatch.
//!
//! ```text
//! not every process comes to `MPI_Barrier` here: others come to `MPI_Finalize` first
//!   9: the condition differs between processes
//!   7: `MPI_Comm_rank` gives each process something else
//!   7: `rank` gets a value that differs
//! ```

use super::mismatches::{Mismatch, OtherWay};
use crate::multivalued::{CauseId, CauseKind, Causes, CollectiveEvent};
use crate::program::ir::{Loc, Module};
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
    /// Places that it has to do with, and what is there.
    pub related: Vec<(CodePlace, String)>,
}

/// What is to be said.
pub enum Described<'f> {
    /// Not everyone comes to a collective.
    Mismatch(&'f Mismatch),
    /// The root of a collective is not the same for all.
    Root(&'f CollectiveEvent, CauseId),
    /// The communicator is not the same for all.
    Communicator(&'f CollectiveEvent, CauseId),
}

/// Says it.
pub fn described(module: &Module, causes: &Causes, what: &Described<'_>) -> CollectiveFinding {
    let (event, cause) = match what {
        Described::Mismatch(mismatch) => (&mismatch.collective, mismatch.cause),
        Described::Root(event, cause) | Described::Communicator(event, cause) => (*event, *cause),
    };
    let name = &event.name;
    let mut related = Vec::new();
    let message = match what {
        Described::Mismatch(mismatch) => {
            let decides = if mismatch.of_callees {
                "which function is called"
            } else {
                "the condition"
            };
            related
                .extend(place(module, mismatch.branch).map(|at| (at, format!("{decides} differs between processes"))));
            match &mismatch.instead {
                OtherWay::End => format!("not every process comes to `{name}`: the others end, or return, without it"),
                OtherWay::Collective(other) => {
                    related.extend(
                        place(module, other.site).map(|at| (at, format!("other processes come to `{}`", other.name))),
                    );
                    format!(
                        "not every process comes to `{name}` here: others come to `{}` first",
                        other.name
                    )
                }
                OtherWay::Later => format!("not every process comes to `{name}` as often as the others"),
            }
        }
        Described::Communicator(..) => format!("processes call `{name}` on different communicators here"),
        Described::Root(..) => format!("the root of `{name}` is not the same for all processes"),
    };
    for step in causes.chain(cause) {
        let said = match &step.kind {
            CauseKind::Source(name) => format!("`{name}` gives each process something else"),
            CauseKind::Stored(name) => format!("`{name}` gets a value that differs"),
            CauseKind::Control => "what is assigned from here on differs by this condition".to_owned(),
            CauseKind::Address => "which element this is differs".to_owned(),
        };
        related.extend(place(module, step.site).map(|at| (at, said)));
    }
    let surely = causes.get(cause).surely && !matches!(what, Described::Mismatch(m) if !m.surely);
    CollectiveFinding {
        collective: place(module, event.site),
        surely,
        function: module.function(event.site.func).name.clone(),
        message,
        related,
    }
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
