//! How far a run is, for whoever waits for it.

/// Is told about work as it is done, from any thread.
pub trait Progress: Sync {
    /// From now on `of` pieces of work are done that `what` names.
    fn begin(&self, what: &'static str, of: usize);
    /// One of them is done.
    fn one_done(&self);
    /// Somebody is asked something now: nothing is to be shown until more begins.
    fn pause(&self) {}
}

/// Tells nobody.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _: &'static str, _: usize) {}
    fn one_done(&self) {}
}
