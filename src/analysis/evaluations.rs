//! What a directive may be asked to evaluate, and the answers so far ([`super::evaluable`] finds them): `p->at` behind a pointer, a
//! quotient.

use crate::analysis::values::slots::SlotId;
use crate::program::ir::{FuncId, GlobalId};
use crate::symbolic::{Expr, Sym};
use crate::syntax::StmtId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// What has been asked of one function, with the loops that were taken to run: by fine node, whether it may be evaluated there.
#[derive(Default)]
pub struct Evaluations {
    pub(super) answers: RefCell<FxHashMap<EvaluationKey, Rc<Vec<bool>>>>,
    /// The loops that run where such numbers are positive, and by who speculates.
    pub(super) running: RefCell<FxHashMap<RunningKey, Rc<[StmtId]>>>,
    pub(super) followed: RefCell<FxHashMap<Followed, bool>>,
    /// Variables that somebody else may change at any time.
    pub(super) volatile: OnceCell<FxHashSet<SlotId>>,
    /// Whether a scalar global has one value for as long as the function runs.
    pub(super) left_alone: RefCell<FxHashMap<GlobalId, bool>>,
}

/// What is evaluated, and the loops that are taken to run.
pub(super) type EvaluationKey = (EvaluatedOperand, Rc<[StmtId]>);

/// Numbers that are positive, and whether loops with kernels are taken to run.
pub(super) type RunningKey = (Vec<Expr>, bool);

/// A function, a pointer parameter of it, and how many bytes behind that another pointer lies which is followed, if that is meant.
pub(super) type Followed = (FuncId, u32, Option<u64>);

/// What a directive would evaluate.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum EvaluatedOperand {
    /// Something behind the pointer that a symbol stands for.
    Behind(Sym),
    /// A quotient or remainder by this.
    By(Expr),
}
