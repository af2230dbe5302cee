//! A text without the data directives that can go, in which kernels map what they use.
//!
//! ```c
//! #pragma omp target data map(tofrom: a[0:n])
//! {                                                             {
//!     #pragma omp target teams distribute parallel for   ──►        #pragma omp target teams distribute parallel for map(tofrom: a[0:n])
//!     for (…) a[i] += 1;                                            for (…) a[i] += 1;
//! }                                                             }
//! ```

use super::bare_blocks::comment_in;
use super::device_clauses::NamedDevices;
use crate::openmp::without_items;
use crate::plan::{GoingItems, MapItem, ReplaceableMaps};
use crate::rewrite::habits::Habits;
use crate::rewrite::text::Text;
use crate::rewrite::wording;
use crate::source::{Edit, EditSet, Span};
use crate::syntax::{PragmaId, ScopeTree};

/// A text with mappings by hand.
pub(super) struct BareText<'a> {
    pub text: &'a [u8],
    pub tree: &'a ScopeTree,
    /// The device that its directives name is hidden, if it is one.
    pub devices: &'a NamedDevices,
}

impl BareText<'_> {
    /// The edits that take the directives away; `None` where a kernel's pragma cannot be written.
    pub fn edits(&self, replaceable: &ReplaceableMaps) -> Option<EditSet> {
        let hidden = match self.devices {
            NamedDevices::One(clauses) => clauses.hidden().collect(),
            NamedDevices::Nothing | NamedDevices::Default | NamedDevices::Mixed => Vec::new(),
        };
        let mut bytes = self.text.to_vec();
        for (place, comment) in &hidden {
            bytes[place.start..place.end].copy_from_slice(comment);
        }
        let text = Text::new(&bytes);
        let habits = Habits::detect(&text, self.tree);
        let mut edits: Vec<Edit> = Vec::new();
        for GoingItems { directive, items, all } in &replaceable.going() {
            if *all {
                let line = Span::new(text.line_start(directive.start), text.next_line(directive.end));
                let pragma = self.tree.pragmas.iter().position(|p| p.span == *directive)?;
                edits.push(Edit::delete(line));
                edits.extend(comment_in(&text, self.tree, PragmaId(pragma as u32)));
                continue;
            }
            let raw = std::str::from_utf8(bytes.get(directive.start..directive.end)?).ok()?;
            let without = without_items(raw, &|item| items.contains(&item.text.as_str()))?;
            edits.push(Edit::replace(*directive, without));
        }
        for kernel in &replaceable.kernels {
            let span = kernel.kernel;
            let raw = std::str::from_utf8(bytes.get(span.start..span.end)?).ok()?;
            let maps = kernel.changed();
            let maps: Vec<MapItem> = maps.iter().map(|e| MapItem::new(e.map_type, &*e.item)).collect();
            let new = wording::remap(&habits, text.indentation(span.start), raw, &maps).ok()?;
            edits.push(Edit::replace(span, new));
        }
        let encloses = |edit: &Edit, place: &Span| edit.span.start <= place.start && place.end <= edit.span.end;
        for (place, comment) in hidden {
            if !edits.iter().any(|edit| encloses(edit, &place)) {
                edits.push(Edit::replace(place, comment));
            }
        }
        EditSet::from_edits(edits).ok()
    }
}
