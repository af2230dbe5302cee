//! Kernels whose arrays are on the device already, as they were written.
//!
//! ```c
//! #pragma omp target data map(tofrom: a[0:n])                                    // new
//! for (…)
//!     #pragma omp target teams distribute parallel for map(tofrom: a[0:n])       // the clause came for the plan, and copies nothing: it goes
//! ```

use crate::openmp::effects::MapEffect;
use crate::openmp::{Directive, MapType};
use crate::plan::{ExplainedItem, KernelMaps};
use crate::rewrite::text::Text;
use crate::source::{EditSet, Span};
use crate::syntax::ScopeTree;

/// The kernels of a text that was made of another one.
pub(super) struct KernelLines<'a> {
    pub original: (&'a [u8], &'a ScopeTree),
    pub new: (&'a [u8], &'a ScopeTree),
    /// The kernels that got other maps in between.
    pub changed: &'a [KernelMaps],
    /// What the items of the new text do.
    pub explained: &'a [ExplainedItem],
}

impl KernelLines<'_> {
    /// The new text, with kernels as they were that have all that they got on the device anyway; `None` where the texts do not have the same kernels.
    pub fn as_they_were(&self) -> Option<Vec<u8>> {
        let (old, new) = (kernels(self.original.1), kernels(self.new.1));
        if old.len() != new.len() {
            return None;
        }
        let (old_text, new_text) = (Text::new(self.original.0), Text::new(self.new.0));
        let mut edits = EditSet::new();
        for (was, is) in old.into_iter().zip(new) {
            let changed = self.changed.iter().find(|kernel| kernel.kernel == was);
            if !changed.is_some_and(|kernel| self.brings_nothing(kernel, is)) {
                continue;
            }
            let raw = std::str::from_utf8(self.original.0.get(was.start..was.end)?).ok()?;
            let deeper = new_text
                .indentation(is.start)
                .strip_prefix(old_text.indentation(was.start));
            let line = format!("\n{}", deeper.unwrap_or_default());
            edits.replace(is, raw.replace('\n', &line)).ok()?;
        }
        Some(edits.apply(self.new.0))
    }

    /// Whether nothing is copied or allocated for what a kernel, which is at this place now, maps otherwise than it did.
    fn brings_nothing(&self, kernel: &KernelMaps, is: Span) -> bool {
        let before = items(self.original.0, kernel.kernel);
        let changed = kernel.changed();
        let items = changed.iter().map(|item| (item.map_type, key(&item.item)));
        let mut added = items.filter(|item| !before.contains(item));
        let here = || self.explained.iter().filter(|item| item.span.start == is.start);
        let stays = |effect: &MapEffect| matches!(effect, MapEffect::PersistentIn | MapEffect::PersistentOut);
        added.all(|(_, text)| {
            let mut named = here().filter(|item| key(&item.item) == text).peekable();
            named.peek().is_some() && named.all(|item| item.entry.iter().chain(&item.exit).all(stays))
        })
    }
}

/// The pragmas of kernels, in text order.
fn kernels(tree: &ScopeTree) -> Vec<Span> {
    let is_kernel = |text: &str| Directive::parse(text).is_some_and(|d| d.is_launch());
    let pragmas = tree.pragmas.iter().filter(|pragma| is_kernel(&pragma.text));
    pragmas.map(|pragma| pragma.span).collect()
}

/// What a pragma's `map` clauses say: types and items, these without blanks.
fn items(text: &[u8], pragma: Span) -> Vec<(MapType, String)> {
    let raw = String::from_utf8_lossy(text.get(pragma.start..pragma.end).unwrap_or_default()).into_owned();
    let directive = Directive::parse(&raw);
    let maps = directive.iter().flat_map(Directive::maps);
    let items = maps.flat_map(|(_, map)| map.items.iter().map(|item| (map.effective_type(), item.key())));
    items.collect()
}

fn key(item: &str) -> String {
    item.split_ascii_whitespace().collect()
}
