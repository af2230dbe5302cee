//! Names for tests: `x_y_disjoint`, `c_independent`.

use std::collections::BTreeSet;

/// More arrays than this are not listed.
const MOST_LISTED: usize = 4;

/// A name that says what is tested of these arrays, and that the text does not use.
pub(super) fn fresh(arrays: &[String], overlap: bool, used: &BTreeSet<String>) -> String {
    let mut words: Vec<String> = arrays.iter().map(|name| word(name)).collect();
    if words.is_empty() || words.len() > MOST_LISTED {
        words = vec!["arrays".into()];
    }
    words.push(if overlap { "disjoint" } else { "independent" }.into());
    let name = words.join("_");
    let numbered = (2..).map(|k| format!("{name}_{k}"));
    std::iter::once(name.clone())
        .chain(numbered)
        .find(|n| !used.contains(n))
        .unwrap_or(name)
}

/// `s_x` for `s->x`.
fn word(name: &str) -> String {
    let parts = name.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    parts.filter(|p| !p.is_empty()).collect::<Vec<_>>().join("_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_is_tested_and_are_new() {
        let arrays = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
        let mut used = BTreeSet::new();
        assert_eq!(fresh(&arrays(&["x", "s->y"]), true, &used), "x_s_y_disjoint");
        assert_eq!(fresh(&arrays(&["c"]), false, &used), "c_independent");
        assert_eq!(
            fresh(&arrays(&["a", "b", "c", "d", "e"]), true, &used),
            "arrays_disjoint"
        );
        used.insert("c_independent".to_owned());
        assert_eq!(fresh(&arrays(&["c"]), false, &used), "c_independent_2");
    }
}
