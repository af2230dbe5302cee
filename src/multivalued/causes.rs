//! Why a value differs between agents: from the call that tells them apart to the condition.
//!
//! ```text
//! MPI_Comm_rank (line 5) ─► `rank` (line 5) ─► `half` (line 8) ─► a condition
//! ```

use crate::program::objects::Site;
use rustc_hash::FxHashMap;

/// The number of a cause; those by which values surely differ come first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CauseId {
    doubtful: bool,
    number: u32,
}

impl CauseId {
    /// Whether the values may be the same all the same.
    pub fn is_doubtful(self) -> bool {
        self.doubtful
    }
}

/// What makes a value differ.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum CauseKind {
    /// A call gives each agent another value: the function's name.
    Source(String),
    /// A call gives each agent what another one has sent: the function's name.
    Received(String),
    /// A variable gets it: its name.
    Stored(String),
    /// A condition that differs decides which value it is.
    Control,
    /// One of several functions is called, and some of them leave what differs.
    OneOfSeveral,
    /// One of several variables gets a value that differs, or gets one where a condition differs; nobody knows which.
    OneOfVariables,
    /// The address that is read or written differs.
    Address,
    /// Memory that all threads share has been written by one after the other, and nobody has waited.
    Unordered,
}

/// One step of a chain.
#[derive(Clone, Debug)]
pub struct CauseStep {
    /// What makes the value differ.
    pub kind: CauseKind,
    /// Where.
    pub site: Site,
    /// Why what it comes from differs.
    pub before: Option<CauseId>,
    /// The values are not the same for all agents. Otherwise they may be.
    pub surely: bool,
}

/// All causes of a run; at one place each kind once, or twice where it once is sure and once is not, so that chains end.
#[derive(Debug, Default)]
pub struct Causes {
    causes: Vec<CauseStep>,
    /// By kind, by place, and by whether it is sure.
    numbers: FxHashMap<(CauseKind, Site, bool), CauseId>,
}

impl Causes {
    /// The number of a cause; the first chain that leads to it stays.
    pub fn of(&mut self, kind: CauseKind, site: Site, before: Option<CauseId>) -> CauseId {
        let doubtful = matches!(
            kind,
            CauseKind::Address | CauseKind::Received(_) | CauseKind::OneOfSeveral | CauseKind::OneOfVariables
        );
        let surely = !doubtful && before.is_none_or(|b| self.get(b).surely);
        if let Some(known) = self.numbers.get(&(kind.clone(), site, surely)) {
            return *known;
        }
        let id = CauseId {
            doubtful: !surely,
            number: self.causes.len() as u32,
        };
        self.causes.push(CauseStep {
            kind: kind.clone(),
            site,
            before,
            surely,
        });
        self.numbers.insert((kind, site, surely), id);
        id
    }

    /// The cause of a number.
    pub fn get(&self, id: CauseId) -> &CauseStep {
        &self.causes[id.number as usize]
    }

    /// The chain that ends in a cause, its source first.
    pub fn chain(&self, id: CauseId) -> Vec<&CauseStep> {
        let mut chain = Vec::new();
        let mut next = Some(id);
        while let Some(at) = next {
            chain.push(self.get(at));
            next = self.get(at).before;
        }
        chain.reverse();
        chain
    }
}
