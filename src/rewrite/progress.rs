//! How far a run is, for whoever waits for it, and whether anybody still does.

/// Is told about work as it is done, from any thread.
pub trait Progress: Sync {
    /// From now on `of` pieces of work are done that `what` names.
    fn begin(&self, what: &'static str, of: usize);
    /// One of them is done.
    fn one_done(&self);
    /// Whether somebody still wants what comes of it. Once nobody does, files fail that are not done yet.
    fn is_wanted(&self) -> bool {
        true
    }
}

/// Tells nobody.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _: &'static str, _: usize) {}
    fn one_done(&self) {}
}

/// Tells nobody how far a part of a run is, and ends with the run.
#[derive(Clone, Copy)]
pub(super) struct Within<'a>(pub &'a dyn Progress);

impl Progress for Within<'_> {
    fn begin(&self, _: &'static str, _: usize) {}
    fn one_done(&self) {}
    fn is_wanted(&self) -> bool {
        self.0.is_wanted()
    }
}
