//! The words for what is wrong, by who runs side by side.
//!
//! ```text
//! processes   not every process comes to `MPI_Barrier` here: others come to `MPI_Finalize` first
//! threads     not every thread comes to this barrier: others come to a `single` first
//! ```

use super::described::Described;
use super::mismatches::OtherWay;
use crate::multivalued::{AgentKind, CauseKind, ClosedRegion};

/// What is said of some agents.
pub struct Wording {
    pub agents: AgentKind,
}

impl Wording {
    fn one(&self) -> &'static str {
        match self.agents {
            AgentKind::Processes => "process",
            AgentKind::Threads => "thread",
            AgentKind::Block => "thread of the block",
            AgentKind::UpcThreads => "UPC thread",
        }
    }

    /// The agents.
    pub fn all(&self) -> &'static str {
        match self.agents {
            AgentKind::Processes => "processes",
            AgentKind::Threads => "threads",
            AgentKind::Block => "threads of the block",
            AgentKind::UpcThreads => "UPC threads",
        }
    }

    /// What all have to come to, by its name.
    pub fn collective(&self, name: &str) -> String {
        match (self.agents, name) {
            (AgentKind::Processes, _) => format!("`{name}`"),
            (AgentKind::Threads, "barrier") => "another barrier".to_owned(),
            (AgentKind::Threads, "for") => "a loop or sections to share".to_owned(),
            (AgentKind::Threads, _) => format!("a `{name}`"),
            (AgentKind::Block | AgentKind::UpcThreads, _) => format!("another `{name}`"),
        }
    }

    /// What all have to come to, where the finding is.
    fn this(&self, name: &str) -> String {
        match (self.agents, name) {
            (AgentKind::Processes, _) => format!("`{name}`"),
            (AgentKind::Threads, "barrier") => "this barrier".to_owned(),
            (AgentKind::Threads, "for") => "the loop or the sections here, which the team shares".to_owned(),
            (AgentKind::Threads | AgentKind::Block | AgentKind::UpcThreads, _) => format!("this `{name}`"),
        }
    }

    /// What is wrong.
    pub fn message(&self, what: &Described<'_>) -> String {
        let one = self.one();
        match what {
            Described::Mismatch(mismatch) => {
                let this = self.this(&mismatch.collective.name);
                match &mismatch.instead {
                    OtherWay::End => {
                        format!("not every {one} comes to {this}: the others end, or return, without it")
                    }
                    OtherWay::Collective(other) => {
                        let other = self.collective(&other.name);
                        match self.agents {
                            AgentKind::Processes => {
                                format!("not every {one} comes to {this} here: others come to {other} first")
                            }
                            _ => format!("not every {one} comes to {this}: others come to {other} first"),
                        }
                    }
                    OtherWay::Later => format!("not every {one} comes to {this} as often as the others"),
                }
            }
            Described::Unaligned(mismatch) => {
                let this = self.this(&mismatch.collective.name);
                let elsewhere = match self.agents {
                    AgentKind::Block => {
                        "some devices let them meet, CUDA wants all threads of the block at the same one"
                    }
                    AgentKind::UpcThreads => "they meet if both are alike, UPC wants one sequence of barriers",
                    _ => "most runtimes let them meet, OpenMP wants all threads at the same one",
                };
                format!("not every {one} comes to {this}, but to one elsewhere: {elsewhere}")
            }
            Described::Within(event, region) => {
                let this = self.this(&event.name);
                let region = match region {
                    ClosedRegion::Worksharing => "iterations or sections that the team shares",
                    ClosedRegion::Critical if self.agents == AgentKind::UpcThreads => {
                        "a lock, which one thread at a time has"
                    }
                    ClosedRegion::Critical => "`critical`, which one thread at a time is in",
                    ClosedRegion::Ordered => "`ordered`, which one thread at a time is in",
                    ClosedRegion::Task => "a task, which one thread runs",
                };
                format!("not every {one} comes to {this}: it is run within {region}")
            }
            Described::Communicator(event, _) | Described::MadeApart(event, _) => {
                format!("processes call `{}` on different communicators here", event.name)
            }
            Described::Root(event, _) => format!("the root of `{}` is not the same for all processes", event.name),
        }
    }

    /// What is wrong where those that do not come to a collective have returned in front of it.
    pub fn returned(&self, name: &str) -> String {
        let (one, this) = (self.one(), self.this(name));
        format!(
            "not every {one} comes to {this}: some return in front of it, which devices do not wait for and CUDA leaves undefined"
        )
    }

    /// What makes a value differ.
    pub fn step(&self, kind: &CauseKind) -> String {
        match kind {
            CauseKind::Source(name) => self.source(name),
            CauseKind::Received(name) => format!("`{name}` gives each {} what another one has sent", self.one()),
            CauseKind::Stored(name) => format!("`{name}` gets a value that differs"),
            CauseKind::Control => "what is assigned from here on differs by this condition".to_owned(),
            CauseKind::OneOfSeveral => {
                "one of several functions is called here, and some leave what differs".to_owned()
            }
            CauseKind::OneOfVariables => {
                "one of several variables may be assigned from here on, and it differs whether it is, or to what"
                    .to_owned()
            }
            CauseKind::Address => "which element this is differs".to_owned(),
            CauseKind::Unordered => "each thread gets what the ones before it have left".to_owned(),
        }
    }

    fn source(&self, name: &str) -> String {
        match (self.agents, name) {
            (AgentKind::Threads, "__kmpc_single") => "`single` lets one thread in".to_owned(),
            (AgentKind::Threads, "__kmpc_master" | "__kmpc_masked") => "`masked` lets one thread in".to_owned(),
            (AgentKind::Threads, _) if name.starts_with("__kmpc_reduce") => {
                "the threads combine what they have, one after the other".to_owned()
            }
            (AgentKind::Threads, _) if name.starts_with("__kmpc_for") || name.starts_with("__kmpc_dispatch") => {
                "each thread gets iterations of its own".to_owned()
            }
            (AgentKind::UpcThreads, "upc_forall") => "`upc_forall` gives each thread iterations of its own".to_owned(),
            (AgentKind::Block | AgentKind::UpcThreads, _) => format!("`{name}` gives each thread something else"),
            _ => format!("`{name}` gives each {} something else", self.one()),
        }
    }
}
