//! What is wrong with a collective.

use super::mismatches::Mismatch;
use crate::multivalued::{CauseId, Causes, ClosedRegion, CollectiveEvent};

/// What is to be said.
pub enum Described<'f> {
    /// Not everyone comes to a collective.
    Mismatch(&'f Mismatch),
    /// Threads come to different barriers, equally many of each kind.
    Unaligned(&'f Mismatch),
    /// A barrier stands in a region that not all threads are in at once.
    Within(&'f CollectiveEvent, ClosedRegion),
    /// The root of a collective is not the same for all.
    Root(&'f CollectiveEvent, CauseId),
    /// The communicator is not the same for all.
    Communicator(&'f CollectiveEvent, CauseId),
    /// The communicator may not be the same for all: calls at different places have made it, which may have met.
    MadeApart(&'f CollectiveEvent, CauseId),
}

impl Described<'_> {
    /// The collective that the finding is about.
    pub fn event(&self) -> &CollectiveEvent {
        match self {
            Described::Mismatch(mismatch) | Described::Unaligned(mismatch) => &mismatch.collective,
            Described::Within(event, _)
            | Described::Root(event, _)
            | Described::Communicator(event, _)
            | Described::MadeApart(event, _) => event,
        }
    }

    /// Why a condition, or a value, differs.
    pub fn cause(&self) -> Option<CauseId> {
        match self {
            Described::Mismatch(mismatch) | Described::Unaligned(mismatch) => Some(mismatch.cause),
            Described::Root(_, cause) | Described::Communicator(_, cause) | Described::MadeApart(_, cause) => {
                Some(*cause)
            }
            Described::Within(..) => None,
        }
    }

    /// On some run it happens for sure.
    pub fn surely(&self, causes: &Causes) -> bool {
        let known = self.cause().is_none_or(|cause| causes.get(cause).surely);
        known
            && match self {
                Described::Mismatch(mismatch) => mismatch.surely,
                Described::Unaligned(_) | Described::MadeApart(..) => false,
                _ => true,
            }
    }
}
