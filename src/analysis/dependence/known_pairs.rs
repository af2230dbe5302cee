//! What is known of pairs of accesses: whether two never meet depends on how far they lie apart, not on where.
//!
//! ```c
//! lhs[i][j][0][0] = lhs[i - 1][j][0][1];      /* as far apart …                                                   */
//! lhs[i][j][3][0] = lhs[i - 1][j][3][1];      /* … as these: one question for the 25 elements of a block          */
//! ```
//!
//! Accesses in the same loops, under the same conditions, of as many bytes, are asked for once for each distance. Both are moved by a
//! constant for that, so that the first one begins without one: bytes of one object meet where they do wherever the object begins.

use super::distance::Meeting;
use super::frame::Frame;
use super::split::apart_when;
use super::touch::Touch;
use crate::symbolic::Expr;
use crate::syntax::StmtId;
use rustc_hash::FxHashMap;

/// An access without the constant part of its place.
#[derive(Clone, PartialEq, Eq, Hash)]
struct AccessShape {
    offset: Expr,
    bytes: Expr,
    /// The loops that move it.
    loops: Vec<StmtId>,
    /// The loops that it runs in.
    within: Vec<StmtId>,
    guards: Vec<Expr>,
}

impl AccessShape {
    fn of(frame: &Frame<'_, '_>, touch: &Touch, shift: i128) -> Option<AccessShape> {
        let runs_in = frame.loops_of(touch.node).into_iter().map(|l| l.stmt);
        Some(AccessShape {
            offset: touch.offset.as_ref()?.offset(shift.checked_neg()?)?,
            bytes: touch.bytes.clone()?,
            loops: touch.loops.clone(),
            within: runs_in.collect(),
            guards: touch.guards.clone(),
        })
    }
}

/// What has to hold for two accesses never to meet; `None`: they may, whatever holds.
type Needs = Option<Vec<(Expr, Expr)>>;

/// The pairs of one loop that were asked for.
pub(super) struct KnownPairs<'f, 'a, 'm> {
    pub frame: &'f Frame<'a, 'm>,
    known: FxHashMap<(AccessShape, AccessShape), Needs>,
    /// How many conditions the answers rest on: with more of them there may be others.
    conditions: usize,
}

impl<'f, 'a, 'm> KnownPairs<'f, 'a, 'm> {
    pub fn new(frame: &'f Frame<'a, 'm>) -> KnownPairs<'f, 'a, 'm> {
        KnownPairs {
            frame,
            known: FxHashMap::default(),
            conditions: 0,
        }
    }

    /// [`apart_when`], remembered.
    pub fn apart_when(&mut self, first: &Touch, second: &Touch) -> Needs {
        let frame = self.frame;
        let conditions = frame.count_conditions();
        if conditions != self.conditions {
            self.known.clear();
            self.conditions = conditions;
        }
        let shift = first.offset.as_ref()?.constant_term();
        let shapes = (
            AccessShape::of(frame, first, shift)?,
            AccessShape::of(frame, second, shift)?,
        );
        if let Some(known) = self.known.get(&shapes) {
            return known.clone();
        }
        let moved = |touch: &Touch, shape: &AccessShape| Touch {
            offset: Some(shape.offset.clone()),
            ..touch.clone()
        };
        let (first, second) = (moved(first, &shapes.0), moved(second, &shapes.1));
        let needs = apart_when(frame, &Meeting::new(frame, &first, &second));
        self.known.insert(shapes, needs.clone());
        needs
    }
}
