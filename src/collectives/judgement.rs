//! What is found out of those who run a program, and what that rests on.

use super::findings::CollectiveFinding;
use crate::multivalued::{
    AgentKind, Causes, ClosedRegion, CollectiveEvent, CollectiveStep, Context, ContextId, Interpreter, JudgedAgents,
    KeyId, Keys, LibraryRole, role,
};
use crate::program::ir::{FuncId, Module};
use rustc_hash::FxHashSet;

/// What is judged of a program.
#[derive(Debug, Default)]
pub struct Judgement {
    /// What is wrong.
    pub findings: Vec<CollectiveFinding>,
    /// The program was too large to be judged.
    pub gave_up: bool,
}

impl Judgement {
    /// Of several findings about one collective the first is kept.
    pub fn finished(mut self) -> Judgement {
        self.findings.sort();
        self.findings
            .dedup_by(|later, first| later.collective == first.collective);
        self
    }
}

/// Whether those who run a program side by side meet anywhere in it.
pub fn meet(module: &Module, agents: AgentKind) -> bool {
    let is_collective = |name: &str| role(agents, name).is_some_and(LibraryRole::is_collective);
    module.functions.iter().any(|f| is_collective(&f.name))
}

/// A function that the analysis begins with.
#[derive(Clone, Debug)]
pub struct Start {
    pub func: FuncId,
    /// The regions around it in which no barrier may stand.
    pub regions: Vec<ClosedRegion>,
}

impl From<FuncId> for Start {
    fn from(func: FuncId) -> Start {
        Start {
            func,
            regions: Vec::new(),
        }
    }
}

/// What the interpretation of a program has left.
pub struct Interpretation {
    /// Functions as they are entered.
    pub contexts: Vec<Context>,
    pub causes: Causes,
    /// Values that are not the same for all.
    pub differing: FxHashSet<KeyId>,
    /// The functions that it began with.
    pub begun: Vec<ContextId>,
}

impl Interpretation {
    /// Interprets a program from some functions on; nothing where there is too much of it.
    pub fn of(agents: &JudgedAgents<'_>, keys: &mut Keys, starts: &[Start]) -> Option<Interpretation> {
        let mut contended = Default::default();
        loop {
            let mut interpreter = Interpreter::new(agents, keys);
            interpreter.contended = std::mem::take(&mut contended);
            let known = interpreter.contended.len();
            let begun = { starts.iter() }.map(|start| interpreter.begin(start.func, start.regions.clone()));
            let begun = begun.collect();
            if interpreter.gave_up() {
                return None;
            }
            if interpreter.contended.len() == known {
                return Some(Interpretation {
                    contexts: interpreter.contexts,
                    causes: interpreter.causes,
                    differing: interpreter.differing,
                    begun,
                });
            }
            // What was read before that was known is read again.
            contended = interpreter.contended;
        }
    }
}

/// All collectives, as they are come to.
pub fn events(contexts: &[Context]) -> impl Iterator<Item = &CollectiveEvent> {
    let steps = { contexts.iter() }.flat_map(|context| context.blocks.iter().flat_map(|block| &block.events));
    steps.filter_map(|step| match step {
        CollectiveStep::Collective(event) => Some(event),
        CollectiveStep::Call(_) => None,
    })
}
