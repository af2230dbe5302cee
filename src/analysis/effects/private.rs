//! The objects that a function has for itself, which its effects on callers leave out.
//!
//! ```c
//! void scale(double *x, int n) {      /* `x`, `n` and `i` are gone when it returns; what `x` points to when code outside calls */
//!     for (int i = 0; i < n; i++)     /* it is none of the arrays that calls from inside hand it                               */
//!         x[i] *= 2;
//! }
//! ```

use super::sets::EffectSet;
use crate::analysis::points_to::PointsTo;
use crate::program::ir::FuncId;
use crate::program::objects::{ObjectId, ObjectKind};
use rustc_hash::FxHashMap;

/// Objects by the function that has them for itself.
#[derive(Debug)]
pub(super) struct Private {
    /// What only exists while the function is active, and no other activation of it can get at.
    gone: FxHashMap<FuncId, Vec<ObjectId>>,
    /// What its parameters point to when it is called from outside, if nothing else leads there.
    incoming: FxHashMap<FuncId, Vec<ObjectId>>,
}

impl Private {
    /// Lists the objects of all functions.
    pub fn of(points_to: &PointsTo) -> Private {
        let mut found = Private {
            gone: FxHashMap::default(),
            incoming: FxHashMap::default(),
        };
        for (index, object) in points_to.objects().iter().enumerate() {
            let id = ObjectId(index as u32);
            match &object.kind {
                ObjectKind::Local { func, .. } | ObjectKind::ByVal { func, .. } if !object.many => {
                    found.gone.entry(*func).or_default().push(id);
                }
                ObjectKind::Param { func, .. } if !points_to.retained(id) => {
                    found.incoming.entry(*func).or_default().push(id);
                }
                _ => {}
            }
        }
        found
    }

    /// What the parameters of a function point to when it is called from outside.
    pub fn incoming(&self, func: FuncId) -> &[ObjectId] {
        self.incoming.get(&func).map_or(&[], Vec::as_slice)
    }

    /// Drops what is gone when a function returns.
    pub fn leave(&self, effects: &mut EffectSet, func: FuncId) {
        if let Some(gone) = self.gone.get(&func) {
            effects.remove_objects(gone);
        }
    }

    /// Drops what is meant for calls from outside.
    pub fn drop_incoming(&self, effects: &mut EffectSet, func: FuncId) {
        if let Some(incoming) = self.incoming.get(&func) {
            effects.remove_objects(incoming);
        }
    }
}
