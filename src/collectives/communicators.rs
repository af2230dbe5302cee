//! Communicators by their members: what conditions are the same for all of them.
//!
//! ```c
//! MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
//! if (rank % 2)              /* the colour: one value for all members of `half` */
//!     MPI_Barrier(half);
//! if (half != MPI_COMM_NULL) /* members only come this way                      */
//! ```

use crate::multivalued::{CollectiveEvent, Key, KeyId, Keys};
use crate::program::ir::Module;
use rustc_hash::FxHashSet;

/// Communicators that so many choices lead to are not told.
const MOST_CHOICES: usize = 16;

/// Processes that take part in collectives together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// Values that are the same for all members.
    pub equal: FxHashSet<KeyId>,
    /// The communicator itself and those that it is a part of.
    pub around: FxHashSet<KeyId>,
}

/// Which collectives are looked at together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Membership {
    /// Collectives of all processes, and of communicators of which nothing is known to the contrary.
    All,
    /// Collectives of a part.
    Part(KeyId),
    /// Nobody knows who takes part, or one process does alone.
    NotJudged,
}

/// Who takes part in collectives on a communicator.
pub fn membership(module: &Module, keys: &Keys, communicator: KeyId) -> Membership {
    let mut key = communicator;
    // Of nested choices, some.
    for _ in 0..MOST_CHOICES {
        key = match keys.get(key) {
            Key::SameMembers(_, of) => *of,
            // Only members have it.
            Key::Choice { then, other, .. } if is_no_communicator(module, keys, *then) => *other,
            Key::Choice { then, other, .. } if is_no_communicator(module, keys, *other) => *then,
            Key::Choice { then, other, .. } => {
                let plain = |of: &KeyId| !matches!(keys.get(*of), Key::Choice { .. });
                if !plain(then) || !plain(other) {
                    return Membership::NotJudged;
                }
                let [one, another] = [then, other].map(|of| membership(module, keys, *of));
                return if one == another { one } else { Membership::NotJudged };
            }
            Key::Part { .. } => return Membership::Part(key),
            Key::UnknownMembers(_) | Key::Merged(..) => return Membership::NotJudged,
            Key::Global(global, _) if module.global(*global).name.ends_with("comm_self") => {
                return Membership::NotJudged;
            }
            // MPICH numbers its handles.
            Key::Int(0x4400_0001) => return Membership::NotJudged,
            _ => return Membership::All,
        };
    }
    Membership::NotJudged
}

/// Whether it is known which communicator a value is: where it comes from code or memory that is not known, it may be any.
pub fn is_told(keys: &Keys, communicator: KeyId) -> bool {
    !matches!(
        keys.get(communicator),
        Key::Given(..) | Key::Merged(..) | Key::Operation(..)
    )
}

/// Whether it is known of two collectives whether they are about one communicator.
pub fn are_told(keys: &Keys, one: &CollectiveEvent, another: &CollectiveEvent) -> bool {
    match (one.communicator, another.communicator) {
        (Some(one), Some(another)) => one.key == another.key || is_told(keys, one.key) && is_told(keys, another.key),
        _ => true,
    }
}

/// Whether a value is that of a communicator that nobody is a member of.
fn is_no_communicator(module: &Module, keys: &Keys, value: KeyId) -> bool {
    match keys.get(value) {
        // As our own header, Open MPI and MPICH call it.
        Key::Null | Key::Int(0 | 0x0400_0000) => true,
        Key::Global(global, _) => module.global(*global).name.ends_with("comm_null"),
        _ => false,
    }
}

/// The members of a part, with what is the same for them.
pub fn part(keys: &mut Keys, communicator: KeyId) -> Group {
    let mut group = Group {
        equal: FxHashSet::default(),
        around: FxHashSet::default(),
    };
    let mut next = Some(communicator);
    while let Some(key) = next {
        next = match keys.get(key).clone() {
            Key::Part { of, colour, .. } => {
                group.around.insert(key);
                group.equal.insert(key);
                equal_by(keys, colour, &mut group.equal);
                Some(of)
            }
            Key::SameMembers(_, of) => Some(of),
            // Who is in a part of it has it in common with the others.
            _ => {
                group.around.insert(key);
                group.equal.insert(key);
                None
            }
        };
    }
    group
}

/// The colours by which a communicator, and those that it is a part of, were split.
pub fn colours(keys: &Keys, communicator: Option<KeyId>) -> Vec<KeyId> {
    let mut colours = Vec::new();
    let mut next = communicator;
    while let Some(key) = next {
        next = match keys.get(key) {
            Key::Part { of, colour, .. } => {
                colours.push(*colour);
                Some(*of)
            }
            Key::SameMembers(_, of) => Some(*of),
            _ => None,
        };
    }
    colours
}

/// What is the same for those who have given the same colour: it, and the condition by which it is one number or another.
fn equal_by(keys: &Keys, colour: KeyId, equal: &mut FxHashSet<KeyId>) {
    equal.insert(colour);
    if let Key::Choice { condition, then, other } = keys.get(colour)
        && let (Some(a), Some(b)) = (keys.int(*then), keys.int(*other))
        && a != b
    {
        equal.insert(*condition);
    }
}
