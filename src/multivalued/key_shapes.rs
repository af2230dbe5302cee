//! Values by what they are made of, where something is made on the way that goes by another name on another way.
//!
//! ```c
//! if (rank == 0) { MPI_Bcast(&n, …); if (n > 1) … }     /* the shape of both conditions: what a collective gave > 1 */
//! else           { MPI_Bcast(&n, …); if (n > 1) … }     /* with one maker each                                     */
//! ```

use super::keys::{GivenPart, Key, KeyId, Keys, Operator};
use crate::program::objects::Site;

/// What is longer is one part of its own.
const MOST_PARTS: usize = 64;

/// A part of a value, as they come when it is written from the outside in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ShapePart {
    /// A value that goes by one name everywhere.
    Named(KeyId),
    /// Computed of so many others.
    Operation(Operator, usize),
    /// One of two values, by a condition.
    Choice,
    /// A communicator that the maker of this number has made, with the members of the one that follows.
    SameMembers(usize),
    /// What the maker of this number gives, if `Some` by this argument.
    Given(usize, Option<u32>),
}

/// A value with the calls that have made something of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KeyShape {
    pub parts: Vec<ShapePart>,
    /// The makers, by their numbers.
    pub makers: Vec<Site>,
}

impl Keys {
    /// The shape of a value; `makes` says of a call whether what it makes is known by it.
    pub fn shape(&self, id: KeyId, makes: &dyn Fn(Site) -> bool) -> KeyShape {
        let mut shape = KeyShape::default();
        let mut waiting = vec![id];
        while let Some(key) = waiting.pop() {
            if shape.parts.len() == MOST_PARTS {
                return KeyShape {
                    parts: vec![ShapePart::Named(id)],
                    makers: Vec::new(),
                };
            }
            let part = match self.get(key) {
                Key::Operation(operator, operands) => {
                    waiting.extend(operands.iter().rev());
                    ShapePart::Operation(*operator, operands.len())
                }
                Key::Choice { condition, then, other } => {
                    waiting.extend([*other, *then, *condition]);
                    ShapePart::Choice
                }
                Key::SameMembers(site, of) if makes(*site) => {
                    waiting.push(*of);
                    ShapePart::SameMembers(shape.maker(*site))
                }
                Key::Given(site, GivenPart::Argument(argument)) if makes(*site) => {
                    ShapePart::Given(shape.maker(*site), Some(*argument))
                }
                Key::Given(site, GivenPart::Cell(_)) if makes(*site) => ShapePart::Given(shape.maker(*site), None),
                _ => ShapePart::Named(key),
            };
            shape.parts.push(part);
        }
        if shape.makers.is_empty() {
            shape.parts = vec![ShapePart::Named(id)];
        }
        shape
    }
}

impl KeyShape {
    fn maker(&mut self, site: Site) -> usize {
        let known = self.makers.iter().position(|maker| *maker == site);
        known.unwrap_or_else(|| {
            self.makers.push(site);
            self.makers.len() - 1
        })
    }
}
