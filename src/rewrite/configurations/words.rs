//! What a text says of its names: all that [`super::spelling`] looks up, found once.
//!
//! ```c
//! #define N 1000
//! void f(double *a) { int n = N; … a[64] … }      `N` stands first in line 1 and is the text's own
//! ```

use super::numbers::roots;
use crate::source::Span;
use crate::syntax::{ScopeTree, identifiers};
use rustc_hash::{FxHashMap, FxHashSet};

/// The names of a text.
pub(super) struct TextWords {
    /// Every word, where it stands, in text order.
    pub all: Vec<(String, Span)>,
    /// Where each word stands first.
    first: FxHashMap<String, usize>,
    /// Names that the text itself gives a number.
    own: FxHashSet<String>,
}

impl TextWords {
    /// Reads a text and its tree.
    pub fn of(text: &[u8], tree: &ScopeTree) -> TextWords {
        let all = identifiers(text, Span::new(0, text.len()));
        let mut first = FxHashMap::default();
        for (word, span) in &all {
            first.entry(word.clone()).or_insert(span.start);
        }
        let roots = roots(text).into_iter().map(|r| r.name);
        let constants = tree.constants.iter().map(|(name, _)| name.clone());
        TextWords {
            first,
            own: roots.chain(constants).collect(),
            all,
        }
    }

    /// Whether a name means a number from a place on, as far as the text says: one that another file gives it means the
    /// same everywhere.
    pub fn known_at(&self, name: &str, place: usize) -> bool {
        let first = self.first.get(name);
        first.is_none_or(|at| *at < place || !self.own.contains(name))
    }
}
