//! Arrays that are on the device from their first kernel on, and how functions reach them ([`super::resident`] finds them).
//!
//! ```c
//! static double grid[N];                             /* by name                                                     */
//! struct mesh { double *x; } *m = mesh_new();        /* by a member of a struct that is allocated: m->x             */
//! double *v = malloc(n * sizeof *v);                 /* by pointers anywhere, with `n`; replaced when it grows      */
//! ```

use crate::analysis::callee_term::CalleeTerm;
use crate::analysis::device_summary::DeviceUse;
use crate::program::ir::GlobalId;
use crate::program::objects::{MemLoc, ObjectId};

/// An array that stays on the device, or the arrays that are allocated at one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Resident {
    /// The array's objects, sorted.
    pub objects: Vec<ObjectId>,
    /// How functions reach it.
    pub by: By,
    /// Functions look at it that run when the program ends, and the device is gone: no function returns before the host's copy
    /// is current.
    pub seen_after: bool,
}

/// How functions reach a resident array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum By {
    /// By the name of a global array.
    Name(GlobalId),
    /// Pointers to it lie here, in members of structs that are allocated.
    Members(Vec<MemLoc>),
    /// By pointers anywhere, each with a number that says how much was allocated, in elements of so many bytes.
    Sized(u64),
}

/// Whether a use of an array asks nothing more of callers: of kernels that may not run on the device it is not known that what
/// they map exists, and they would not pay for it.
pub(super) fn is_plain(used: &DeviceUse) -> bool {
    used.apart.is_empty() && used.when.is_empty()
}

impl Resident {
    /// Adds what another function copies, some of which is the same.
    pub(super) fn add(&mut self, other: &Resident) {
        self.objects.extend(&other.objects);
        self.seen_after |= other.seen_after;
        self.objects.sort_unstable();
        self.objects.dedup();
        match (&mut self.by, &other.by) {
            (By::Members(cells), By::Members(more)) => {
                cells.extend(more);
                cells.sort_unstable();
                cells.dedup();
            }
            (by @ By::Members(_), By::Sized(element)) => *by = By::Sized(*element),
            _ => {}
        }
    }

    /// Whether a function reaches the array so.
    pub fn is(&self, root: Option<&CalleeTerm>, locs: &[MemLoc]) -> bool {
        match &self.by {
            By::Name(g) => root == Some(&CalleeTerm::Storage(*g)),
            By::Members(_) | By::Sized(_) => !locs.is_empty() && locs.iter().all(|l| self.objects.contains(&l.object)),
        }
    }

    /// Whether it is taken from the device before something frees or moves it, whatever else a function does with it.
    pub fn is_given_up(&self) -> bool {
        matches!(self.by, By::Sized(_))
    }

    /// Whether something may be it.
    pub fn may_be(&self, locs: &[MemLoc]) -> bool {
        locs.iter().any(|l| self.objects.contains(&l.object))
    }
}
