//! What one slot is worth at every node, as a few marks on the tree of dominance.
//!
//! ```c
//! x = 1;                      /* mark: leaves 1            */
//! f();                        /* 1                         */
//! while (c(x))                /* mark: a φ arrives         */
//!     x = 2;                  /* mark: leaves 2            */
//! use(x);                     /* the φ, from the condition */
//! ```
//!
//! A node without a mark is worth what the last mark that dominates it says.

use super::version::Version;
use crate::program::dominance::Dominance;
use crate::program::graph::NodeId;

/// No mark.
const NONE: u32 = u32::MAX;

/// What happens to a slot at a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub node: NodeId,
    /// What arrives there, where several ways meet.
    pub before: Option<Version>,
    /// What the node leaves, where it changes the slot.
    pub after: Option<Version>,
    /// The mark that dominates it last.
    above: u32,
}

impl Mark {
    /// A mark where a version arrives at a node.
    pub fn arrives(node: NodeId, version: Version) -> Mark {
        Mark {
            node,
            before: Some(version),
            after: None,
            above: NONE,
        }
    }

    /// A mark where a node leaves a version.
    pub fn leaves(node: NodeId, version: Version) -> Mark {
        Mark {
            node,
            before: None,
            after: Some(version),
            above: NONE,
        }
    }
}

/// The marks of a slot, in the order of [`Dominance::number`], one for a node.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks(Vec<Mark>);

impl Marks {
    /// Sorts marks, those of one node into one, of which the last counts. Nodes that control never comes to are left out.
    pub fn new(dominance: &Dominance, marks: impl Iterator<Item = Mark>) -> Marks {
        let mut all: Vec<(u32, Mark)> = marks.filter_map(|m| Some((dominance.number(m.node)?, m))).collect();
        all.sort_by_key(|(number, _)| *number);
        let mut found: Vec<Mark> = Vec::with_capacity(all.len());
        for (_, mark) in all {
            match found.last_mut().filter(|last| last.node == mark.node) {
                Some(last) => {
                    last.before = mark.before.or(last.before);
                    last.after = mark.after.or(last.after);
                }
                None => {
                    let above = above(dominance, &found, found.len(), mark.node);
                    found.push(Mark { above, ..mark });
                }
            }
        }
        Marks(found)
    }

    /// Says what arrives at marks.
    pub fn arrive(&mut self, dominance: &Dominance, versions: impl Iterator<Item = (NodeId, Version)>) {
        for (node, version) in versions {
            let place = self
                .0
                .partition_point(|m| dominance.number(m.node) < dominance.number(node));
            if let Some(mark) = self.0.get_mut(place).filter(|m| m.node == node) {
                mark.before = Some(version);
            }
        }
    }

    /// All marks.
    pub fn iter(&self) -> impl Iterator<Item = &Mark> {
        self.0.iter()
    }

    /// The last mark on the way to a node, the node included.
    pub fn last_at(&self, dominance: &Dominance, node: NodeId) -> Option<&Mark> {
        let number = dominance.number(node)?;
        let place = self
            .0
            .partition_point(|m| dominance.number(m.node).is_some_and(|n| n <= number));
        self.0.get(above(dominance, &self.0, place, node) as usize)
    }

    /// What arrives at a node; nothing where control never comes to it.
    pub fn before(&self, dominance: &Dominance, node: NodeId) -> Version {
        let Some(mark) = self.last_at(dominance, node) else {
            return Version::Unreached;
        };
        let mark = match mark.before {
            None if mark.node == node => self.0.get(mark.above as usize),
            Some(version) if mark.node == node => return version,
            _ => Some(mark),
        };
        mark.and_then(|m| m.after.or(m.before)).unwrap_or(Version::Unreached)
    }
}

/// The last of the marks before a place that dominates a node.
fn above(dominance: &Dominance, marks: &[Mark], place: usize, node: NodeId) -> u32 {
    let mut at = match place {
        0 => return NONE,
        _ => place as u32 - 1,
    };
    while at != NONE && !dominance.dominates(marks[at as usize].node, node) {
        at = marks[at as usize].above;
    }
    at
}
