//! A pragma without some of its list items, every other byte as it was.
//!
//! ```c
//! #pragma omp target data map(tofrom: a[0:n], s) map(to: b[0:n])      without `a[0:n]` and `b[0:n]`:
//! #pragma omp target data map(tofrom: s)
//! ```

use super::{Directive, Item};
use crate::source::{EditSet, Span};

/// The pragma `original` (raw text from `#` on) without the items that `goes` names. A clause that loses all its items goes whole, with the blanks before it.
/// `None` where the pragma is not OpenMP's, or would have no clause with items left.
pub fn without_items(original: &str, goes: &dyn Fn(&Item) -> bool) -> Option<String> {
    let directive = Directive::parse(original)?;
    let mut edits = EditSet::new();
    let mut left = 0;
    for clause in &directive.clauses {
        let items = clause.kind.items();
        let kept: Vec<&str> = items
            .iter()
            .filter(|item| !goes(item))
            .filter_map(|item| original.get(item.span.start..item.span.end))
            .collect();
        left += kept.len();
        if kept.len() == items.len() {
            continue;
        }
        let edit = match (items.first(), items.last(), kept.as_slice()) {
            (Some(first), Some(last), [_, ..]) => {
                edits.replace(Span::new(first.span.start, last.span.end), kept.join(", "))
            }
            _ => {
                let before = original.get(..clause.span.start)?;
                let blanks = before.trim_end_matches([' ', '\t', '\\', '\r', '\n', ',']);
                edits.delete(Span::new(blanks.len(), clause.span.end))
            }
        };
        edit.ok()?;
    }
    let text = String::from_utf8(edits.apply(original.as_bytes())).ok()?;
    (left > 0).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(original: &str, names: &[&str]) -> Option<String> {
        without_items(original, &|item| names.contains(&item.text.as_str()))
    }

    #[test]
    fn items_and_clauses_go() {
        let both = "#pragma omp target data map(tofrom: a[0:n], s) \\\n    map(to: b[0:n]) device(1)";
        assert_eq!(
            without(both, &["a[0:n]", "b[0:n]"]).as_deref(),
            Some("#pragma omp target data map(tofrom: s) device(1)")
        );
        assert_eq!(
            without(both, &["s"]).as_deref(),
            Some("#pragma omp target data map(tofrom: a[0:n]) \\\n    map(to: b[0:n]) device(1)")
        );
        assert_eq!(
            without("#pragma omp target update to(a) from(b) // c", &["a"]).as_deref(),
            Some("#pragma omp target update from(b) // c")
        );
        assert_eq!(without("#pragma omp target update to(a, b)", &["a", "b"]), None);
    }
}
