//! Edits of a text: disjoint, sorted, applied all at once.
//!
//! An [`Edit`] replaces the bytes of a span; an empty span makes it an insertion. An [`EditSet`] holds edits of one text
//! that do not overlap, and every way to add an edit checks that, so that [`EditSet::apply`] cannot go wrong and two
//! decisions that disagree about the same bytes are found where they meet rather than in the user's file.
//!
//! At one offset, insertions come first, by their `order` and then by when they were added; the replacement of the bytes
//! that start there follows. Touching is not overlapping; an insertion strictly inside a replaced span is.

use super::Span;

/// Replaces the bytes of `span`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// What to replace; empty for an insertion.
    pub span: Span,
    /// What to put there.
    pub replacement: Vec<u8>,
    /// Place among the insertions at the same offset, smaller first. Without meaning for replacements.
    pub order: i32,
}

impl Edit {
    /// Puts `text` before the byte at `offset`; `order` sorts insertions at the same offset.
    pub fn insert(offset: usize, order: i32, text: impl Into<Vec<u8>>) -> Edit {
        Edit {
            span: Span::new(offset, offset),
            replacement: text.into(),
            order,
        }
    }
    /// Puts `text` in place of `span`.
    pub fn replace(span: Span, text: impl Into<Vec<u8>>) -> Edit {
        Edit {
            span,
            replacement: text.into(),
            order: 0,
        }
    }
    /// Removes `span`.
    pub fn delete(span: Span) -> Edit {
        Edit::replace(span, Vec::new())
    }
    /// Whether nothing is removed.
    pub fn is_insertion(&self) -> bool {
        self.span.is_empty()
    }
    fn key(&self) -> (usize, bool, i32) {
        let insertion = self.is_insertion();
        (self.span.start, !insertion, if insertion { self.order } else { 0 })
    }
    fn conflicts(&self, other: &Edit) -> bool {
        match (self.is_insertion(), other.is_insertion()) {
            (true, true) => false,
            (true, false) => other.span.start < self.span.start && self.span.start < other.span.end,
            (false, true) => other.conflicts(self),
            (false, false) => self.span.overlaps(other.span),
        }
    }
}

/// Two edits want the same bytes.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the edit of bytes {}..{} overlaps the edit of bytes {}..{}; apply one of them only", .added.start, .added.end, .present.start, .present.end)]
pub struct Overlap {
    /// The span that was already there.
    pub present: Span,
    /// The span that could not be added.
    pub added: Span,
}

/// Edits of one text, sorted and disjoint.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EditSet {
    edits: Vec<Edit>,
}

impl EditSet {
    /// No edits.
    pub fn new() -> EditSet {
        EditSet::default()
    }

    /// The set of `edits`, or the first overlap among them.
    pub fn from_edits(edits: impl IntoIterator<Item = Edit>) -> Result<EditSet, Overlap> {
        let mut set = EditSet::new();
        for edit in edits {
            set.add(edit)?;
        }
        Ok(set)
    }

    /// Adds an edit; an edit that changes nothing (an empty insertion) is dropped. The set is unchanged on an error.
    pub fn add(&mut self, edit: Edit) -> Result<(), Overlap> {
        if edit.is_insertion() && edit.replacement.is_empty() {
            return Ok(());
        }
        let at = self.edits.partition_point(|present| present.key() <= edit.key());
        // Insertions at one offset may separate the new edit from the replacement before it, so look past them.
        let before = self.edits[..at]
            .iter()
            .rev()
            .find(|present| !present.is_insertion() || !edit.is_insertion());
        let after = self.edits[at..]
            .iter()
            .find(|present| !present.is_insertion() || !edit.is_insertion());
        if let Some(present) = before.into_iter().chain(after).find(|present| present.conflicts(&edit)) {
            return Err(Overlap {
                present: present.span,
                added: edit.span,
            });
        }
        self.edits.insert(at, edit);
        self.assert_disjoint();
        Ok(())
    }

    /// Puts `text` before the byte at `offset`.
    pub fn insert(&mut self, offset: usize, order: i32, text: impl Into<Vec<u8>>) -> Result<(), Overlap> {
        self.add(Edit::insert(offset, order, text))
    }

    /// Puts `text` in place of `span`.
    pub fn replace(&mut self, span: Span, text: impl Into<Vec<u8>>) -> Result<(), Overlap> {
        self.add(Edit::replace(span, text))
    }

    /// Removes `span`.
    pub fn delete(&mut self, span: Span) -> Result<(), Overlap> {
        self.add(Edit::delete(span))
    }

    /// The edits, in text order.
    pub fn iter(&self) -> impl Iterator<Item = &Edit> {
        self.edits.iter()
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// The edited text. Parts of spans beyond the end of `text` are taken to be at its end.
    pub fn apply(&self, text: &[u8]) -> Vec<u8> {
        let added: usize = self.edits.iter().map(|edit| edit.replacement.len()).sum();
        let mut result = Vec::with_capacity(text.len() + added);
        let mut copied = 0;
        for edit in &self.edits {
            let (start, end) = (edit.span.start.min(text.len()), edit.span.end.min(text.len()));
            result.extend_from_slice(&text[copied..start]);
            result.extend_from_slice(&edit.replacement);
            copied = end;
        }
        result.extend_from_slice(&text[copied..]);
        result
    }

    fn assert_disjoint(&self) {
        debug_assert!(
            self.edits
                .windows(2)
                .all(|w| w[0].key() <= w[1].key() && w[0].span.end <= w[1].span.start),
            "edits are sorted and disjoint"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn applied(edits: Vec<Edit>, text: &str) -> String {
        String::from_utf8(EditSet::from_edits(edits).unwrap().apply(text.as_bytes())).unwrap()
    }

    #[test]
    fn replaces_inserts_and_deletes() {
        let edits = vec![
            Edit::delete(Span::new(4, 5)),
            Edit::insert(6, 0, "<end>"),
            Edit::replace(Span::new(0, 1), "A"),
            Edit::insert(0, 0, "<begin>"),
        ];
        assert_eq!(applied(edits, "abcdef"), "<begin>Abcdf<end>");
    }

    #[test]
    fn insertions_at_one_offset_follow_their_order_key() {
        let edits = vec![
            Edit::insert(1, 5, "3"),
            Edit::insert(1, -1, "1"),
            Edit::insert(1, 5, "4"),
            Edit::insert(1, 0, "2"),
        ];
        assert_eq!(applied(edits, "ab"), "a1234b");
    }

    #[test]
    fn an_insertion_touches_a_replacement_on_either_side() {
        let edits = vec![
            Edit::replace(Span::new(1, 3), "X"),
            Edit::insert(1, 9, "<"),
            Edit::insert(3, 0, ">"),
        ];
        assert_eq!(applied(edits, "abcd"), "a<X>d");
    }

    #[test]
    fn overlaps_are_refused_and_leave_the_set_alone() {
        let mut set = EditSet::new();
        set.replace(Span::new(2, 6), "x").unwrap();
        set.insert(2, 0, "i").unwrap();
        let before = set.clone();
        for edit in [
            Edit::delete(Span::new(5, 7)),
            Edit::delete(Span::new(0, 3)),
            Edit::insert(4, 0, "y"),
            Edit::delete(Span::new(0, 9)),
            Edit::delete(Span::new(2, 6)),
        ] {
            let overlap = set.add(edit.clone()).unwrap_err();
            assert_eq!(
                overlap,
                Overlap {
                    present: overlap.present,
                    added: edit.span
                }
            );
            assert_eq!(set, before);
        }
    }

    #[test]
    fn a_replacement_around_an_insertion_is_an_overlap() {
        let mut set = EditSet::from_edits([Edit::insert(4, 0, "a"), Edit::insert(5, 0, "b")]).unwrap();
        assert!(set.delete(Span::new(4, 6)).is_err());
        assert!(set.delete(Span::new(3, 5)).is_err());
        assert!(set.delete(Span::new(4, 5)).is_ok());
        assert_eq!(set.apply(b"012345"), b"0123ab5");
    }

    proptest! {
        /// Whatever is accepted is disjoint, and what is applied agrees with applying the edits from last to first.
        #[test]
        fn applying_agrees_with_splicing(raw in proptest::collection::vec((0usize..12, 0usize..4, 0i32..3), 0..10)) {
            let text = b"abcdefghijklmnop";
            let mut set = EditSet::new();
            for (index, (start, len, order)) in raw.into_iter().enumerate() {
                let edit = Edit { span: Span::new(start, start + len), replacement: index.to_string().into(), order };
                let clash = set.iter().any(|present| present.conflicts(&edit));
                prop_assert_eq!(set.add(edit).is_err(), clash);
            }
            let mut spliced = text.to_vec();
            for edit in set.iter().collect::<Vec<_>>().into_iter().rev() {
                spliced.splice(edit.span.start..edit.span.end, edit.replacement.iter().copied());
            }
            prop_assert_eq!(set.apply(text), spliced);
        }
    }
}
