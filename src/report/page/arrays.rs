//! How often arrays are copied, before and after, as the texts say it: a table.
//!
//! ```text
//! function  array   to the device         to the host   rewritten
//! step      a       2 places, 1600 bytes  2 places      1 place, 800 bytes  1 place
//! ```
//!
//! Places of the text are counted, and not how often control comes by them.

use super::super::ExplainedRow;
use crate::openmp::effects::MapEffect;
use maud::{Markup, html};
use std::collections::BTreeMap;

/// A table with more rows than these is shown to whoever asks for it.
const LONG: usize = 16;

/// Copies of one way.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Copies {
    places: usize,
    /// The bytes of all of them, where they are known; `None` where those of one are not.
    bytes: Option<u64>,
}

impl Copies {
    fn add(&mut self, bytes: Option<u64>) {
        let before = if self.places == 0 { Some(0) } else { self.bytes };
        self.bytes = before.zip(bytes).and_then(|(a, b)| a.checked_add(b));
        self.places += 1;
    }

    fn words(self) -> String {
        let places = match self.places {
            0 => return "\u{2013}".into(),
            1 => "1 place".to_owned(),
            n => format!("{n} places"),
        };
        match self.bytes {
            Some(bytes) => format!("{places}, {bytes} bytes"),
            None => places,
        }
    }
}

/// Copies to the device and to the host, by function and array.
type Moved<'a> = BTreeMap<(&'a str, &'a str), [Copies; 2]>;

fn moved(rows: &[ExplainedRow]) -> Moved<'_> {
    let mut all = Moved::new();
    for row in rows {
        let array = row.item.split('[').next().unwrap_or(&row.item);
        let [to_device, to_host] = all.entry((&row.function, array)).or_default();
        if row.entry.contains(&MapEffect::CopyIn) {
            to_device.add(row.bytes);
        }
        if row.exit.contains(&MapEffect::CopyOut) {
            to_host.add(row.bytes);
        }
    }
    all
}

/// The table of a file; nothing where it has no constructs.
pub fn array_table(before: &[ExplainedRow], after: Option<&[ExplainedRow]>) -> Markup {
    let old = moved(before);
    let new = after.map(moved);
    let mut keys: Vec<(&str, &str)> = old.keys().chain(new.iter().flat_map(Moved::keys)).copied().collect();
    keys.sort_unstable();
    keys.dedup();
    if keys.is_empty() {
        return html! {};
    }
    html! {
        details open[keys.len() <= LONG] {
            summary { "Where arrays are copied" }
            table.arrays {
                thead {
                    tr {
                        th { "function" }
                        th { "array" }
                        th { "to the device" }
                        th { "to the host" }
                        @if new.is_some() {
                            th.after { "to the device, rewritten" }
                            th.after { "to the host, rewritten" }
                        }
                    }
                }
                tbody {
                    @for key in keys {
                        tr {
                            td { code { (key.0) } }
                            td { code { (key.1) } }
                            @for copies in old.get(&key).copied().unwrap_or_default() { td { (copies.words()) } }
                            @if let Some(new) = &new {
                                @for copies in new.get(&key).copied().unwrap_or_default() { td.after { (copies.words()) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(item: &str, entry: MapEffect, bytes: Option<u64>) -> ExplainedRow {
        ExplainedRow {
            line: 1,
            column: 1,
            end_line: 1,
            construct: "target".into(),
            function: "f".into(),
            item: item.into(),
            implied: false,
            element_bytes: 4,
            bytes,
            entry: vec![entry],
            exit: vec![MapEffect::CopyOut],
        }
    }

    #[test]
    fn places_and_known_bytes_are_added_up() {
        let rows = [
            row("a[0:5]", MapEffect::CopyIn, Some(20)),
            row("a[2:1]", MapEffect::CopyIn, Some(4)),
            row("b[0:n]", MapEffect::PersistentIn, None),
        ];
        let all = moved(&rows);
        let [a_in, _] = all[&("f", "a")];
        assert_eq!((a_in.places, a_in.bytes), (2, Some(24)));
        let [b_in, b_out] = all[&("f", "b")];
        assert_eq!((b_in.places, b_out.places, b_out.bytes), (0, 1, None));
        let table = array_table(&rows, None).into_string();
        assert!(
            table.contains("2 places, 24 bytes") && !table.contains("rewritten"),
            "{table}"
        );
    }
}
