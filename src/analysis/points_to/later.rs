//! What library calls leave behind that acts later: functions that run, and memory that is used, at no place of the text.
//!
//! ```c
//! static void *work(void *p) { … x[i] += 1; … }
//! pthread_create(&t, 0, work, 0);        /* from here on `work` may run whenever the program waits, or at any time      */
//! setvbuf(stdout, buffer, _IOFBF, 512);  /* and `buffer` is written and read by each `printf`                            */
//! char *a = mmap(0, n, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);   /* as is what another mapping of the file shows      */
//! ```
//!
//! The analysis does not ask *when* it does: it holds for the whole program.

use std::collections::{BTreeMap, BTreeSet};

use fixedbitset::FixedBitSet;

use crate::program::ir::FuncId;
use crate::program::objects::{MemLoc, ObjectId};

/// What acts at no place of the text.
#[derive(Debug)]
pub struct Later {
    /// Functions that may run at any time.
    pub functions: BTreeSet<FuncId>,
    /// Functions of which nothing is known may run at any time.
    pub unknown: bool,
    /// Objects that others may use at any time, by index.
    pub shared: FixedBitSet,
    /// What the library keeps, by the name that it is kept under.
    pub kept: BTreeMap<String, Vec<MemLoc>>,
}

impl Later {
    /// Whether others may use an object at any time.
    pub fn is_shared(&self, id: ObjectId) -> bool {
        self.shared.contains(id.0 as usize)
    }
}
