//! What of a file's mappings by hand could be planned anew: list items without which the program does the same, if its kernels then map what they use.
//!
//! ```c
//! #pragma omp target data map(tofrom: a[0:n])          // could go …
//! {
//!     #pragma omp target teams distribute parallel for // … if this had map(tofrom: a[0:n])
//! ```

use crate::openmp::{MapEntry, MapType};
use crate::source::Span;
use std::collections::BTreeSet;

/// An array of a program: in the function where it begins.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ArrayName {
    pub function: String,
    /// The array, as people know it.
    pub array: String,
}

/// The bytes that list items are expected to copy of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CopiedBytes {
    pub of: ArrayName,
    pub bytes: u64,
}

/// What of a file's mappings by hand could be planned anew. Arrays that share items are a *group*, numbered over the program: their mappings go together.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ReplaceableMaps {
    /// The items that can go, in text order.
    pub items: Vec<ReplaceableItem>,
    /// Kernels that have to map something else where these are gone, in text order.
    pub kernels: Vec<KernelMaps>,
    /// The arrays that begin in the file.
    pub arrays: Vec<GroupedArray>,
}

/// An array, and its group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroupedArray {
    pub group: usize,
    pub name: ArrayName,
}

/// An item of a directive that can go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplaceableItem {
    pub group: usize,
    /// The directive's pragma.
    pub directive: Span,
    /// The item, as it is written.
    pub item: String,
    /// So many items the directive has.
    pub among: usize,
}

/// What a kernel maps, and what it has to map otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelMaps {
    /// The kernel's pragma.
    pub kernel: Span,
    /// All its `map` items, in clause order.
    pub maps: Vec<MapEntry>,
    pub changes: Vec<KernelMapChange>,
}

/// An item that a kernel has to map both ways.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct KernelMapChange {
    pub group: usize,
    /// The item that maps it only one way, without blanks; `None`: there is none.
    pub instead_of: Option<String>,
    pub item: String,
}

/// The items of a directive that go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GoingItems<'a> {
    /// The directive's pragma.
    pub directive: Span,
    pub items: Vec<&'a str>,
    /// No other item is left in the directive.
    pub all: bool,
}

impl ReplaceableMaps {
    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty() && self.kernels.is_empty()
    }

    /// What there is of some groups.
    #[must_use]
    pub fn of_groups(&self, groups: &BTreeSet<usize>) -> ReplaceableMaps {
        let kernels = self.kernels.iter().map(|kernel| KernelMaps {
            changes: kernel
                .changes
                .iter()
                .filter(|c| groups.contains(&c.group))
                .cloned()
                .collect(),
            ..kernel.clone()
        });
        ReplaceableMaps {
            items: self
                .items
                .iter()
                .filter(|i| groups.contains(&i.group))
                .cloned()
                .collect(),
            kernels: kernels.filter(|kernel| !kernel.changes.is_empty()).collect(),
            arrays: self
                .arrays
                .iter()
                .filter(|a| groups.contains(&a.group))
                .cloned()
                .collect(),
        }
    }

    /// The items that go, by directive.
    pub fn going(&self) -> Vec<GoingItems<'_>> {
        let mut found: Vec<GoingItems<'_>> = Vec::new();
        for ReplaceableItem {
            directive, item, among, ..
        } in &self.items
        {
            match found.last_mut().filter(|last| last.directive == *directive) {
                Some(last) => last.items.push(item),
                None => found.push(GoingItems {
                    directive: *directive,
                    items: vec![item],
                    all: false,
                }),
            }
            if let Some(last) = found.last_mut() {
                last.all = last.items.len() == *among;
            }
        }
        found
    }
}

impl KernelMaps {
    /// All its `map` items with the changes.
    pub fn changed(&self) -> Vec<MapEntry> {
        let mut maps = self.maps.clone();
        for change in &self.changes {
            let key = |item: &MapEntry| item.item.split_ascii_whitespace().collect::<String>();
            maps.retain(|item| change.instead_of.as_ref() != Some(&key(item)));
            let new = MapEntry::new(MapType::Tofrom, &*change.item);
            if !maps.contains(&new) {
                maps.push(new);
            }
        }
        maps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(group: usize, at: usize, text: &str, among: usize) -> ReplaceableItem {
        ReplaceableItem {
            group,
            directive: Span::new(at, at + 9),
            item: text.to_owned(),
            among,
        }
    }

    fn change(group: usize, instead_of: Option<&str>, text: &str) -> KernelMapChange {
        KernelMapChange {
            group,
            instead_of: instead_of.map(str::to_owned),
            item: text.to_owned(),
        }
    }

    #[test]
    fn groups_go_by_themselves() {
        let kernel = KernelMaps {
            kernel: Span::new(50, 60),
            maps: vec![MapEntry::new(MapType::To, "a[0: n]"), MapEntry::new(MapType::To, "k")],
            changes: vec![change(0, Some("a[0:n]"), "a[0: n]"), change(1, None, "b[0:n]")],
        };
        let all = ReplaceableMaps {
            items: vec![
                item(0, 10, "a[0: n]", 2),
                item(1, 10, "b[0:n]", 2),
                item(0, 30, "a[0: n]", 1),
            ],
            kernels: vec![kernel],
            arrays: Vec::new(),
        };
        let said = |maps: &ReplaceableMaps| -> Vec<(usize, usize, bool)> {
            let going = maps.going();
            going
                .iter()
                .map(|g| (g.directive.start, g.items.len(), g.all))
                .collect()
        };
        assert_eq!(said(&all), [(10, 2, true), (30, 1, true)]);
        let first = all.of_groups(&BTreeSet::from([0]));
        assert_eq!(said(&first), [(10, 1, false), (30, 1, true)]);
        let maps = |maps: &ReplaceableMaps| -> Vec<String> {
            let items = maps.kernels.iter().flat_map(KernelMaps::changed);
            items.map(|m| format!("{}: {}", m.map_type.as_str(), m.item)).collect()
        };
        assert_eq!(maps(&all), ["to: k", "tofrom: a[0: n]", "tofrom: b[0:n]"]);
        assert_eq!(maps(&first), ["to: k", "tofrom: a[0: n]"]);
        assert!(all.of_groups(&BTreeSet::new()).is_empty());
    }
}
