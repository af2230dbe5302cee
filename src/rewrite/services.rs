//! What a run uses besides the files: results of earlier runs, and somebody to tell how far it is.

use super::progress::Progress;
use crate::facts::Store;

/// What a run uses besides the files.
#[derive(Clone, Copy)]
pub struct Services<'a> {
    /// Results of earlier runs.
    pub store: &'a Store,
    /// Who is told how far the run is.
    pub progress: &'a dyn Progress,
}
