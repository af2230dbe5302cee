//! Where the parts of a program of several files stand.
//!
//! A tree says where its parts were put and what they may be called there, not which of them are `static`: that follows
//! from who mentions them (see `linkage`), so a part that moves to another file takes nothing with it.

use super::{FunctionId, Program};

/// The text that a definition stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Home {
    /// The header that all files include: the functions are `static inline`.
    Header,
    /// The main file is number 0.
    File(usize),
}

/// The file with `main`.
pub const MAIN: Home = Home::File(0);

/// Who gives a name its first value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Made {
    /// The function that declares it, or sets its file up.
    Here,
    /// A function of the file that is its home, by returning it.
    Returned,
    /// A function of the file that is its home, through a pointer to the name.
    Stored,
}

impl Program {
    /// The functions that a call of `function` may run itself: it, and the partner of its recursion.
    pub fn group(&self, function: FunctionId) -> impl Iterator<Item = FunctionId> {
        [function].into_iter().chain(self.functions[function].partner)
    }

    /// Moves everything that `moves` picks by its home into the main file.
    pub fn bring_home(&mut self, moves: impl Fn(Home) -> bool) {
        let homes = self.functions.iter_mut().map(|f| &mut f.home);
        let homes = homes.chain(self.names.iter_mut().map(|n| &mut n.home));
        homes.filter(|h| moves(**h)).for_each(|h| *h = MAIN);
        self.scalars
            .iter_mut()
            .filter(|s| moves(s.home))
            .for_each(|s| s.home = MAIN);
    }
}
