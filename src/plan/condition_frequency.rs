//! How likely conditions are taken to be, where their text says how often they hold.
//!
//! ```c
//! for (int t = 0; t < steps; t++) {
//!     …                                       /* in every iteration                */
//!     if (t % 100 == 0) report(x, n);         /* in one of a hundred               */
//!     else if (t % 3) …                       /* in two of three                   */
//! }
//! ```
//!
//! Behind `if (…) return` a function is not always: such ways out are taken in about one of four cases (Wu and Larus 1994).
//!
//! What counts goes through the residues of a number one after the other, so that each occurs as often as any other. Of all
//! other conditions nothing is known: they hold half of the time. Like all of [`super::cost`] this ranks alternatives, and
//! decides nothing about what is right.

use crate::analysis::function::FunctionModel;
use crate::analysis::values::if_test::IfTest;
use crate::program::ir::{BinOp, IntComparison, Op, Operand, Pred};
use crate::syntax::{StmtId, StmtKind};

/// How likely one side of a condition is taken to be where nothing else is known.
const CHANCE: f64 = 0.5;

/// How likely one side of an `if` is taken to run whenever the other may.
pub(super) fn side(model: &FunctionModel<'_>, stmt: StmtId, then: bool) -> f64 {
    let holds = share(model, stmt).unwrap_or(CHANCE);
    if then { holds } else { 1.0 - holds }
}

/// How likely a way out of a function is taken to be where nothing else is known: the return heuristic of Ball and Larus,
/// with the figure of Wu and Larus.
const RETURNS: f64 = 0.28;

/// How likely a call of the function comes by a statement and has not returned before.
pub(super) fn not_returned(model: &FunctionModel<'_>, stmt: StmtId) -> f64 {
    let tree = model.tree;
    let mut left = 1.0;
    for at in tree.ancestors(stmt) {
        let Some(parent) = tree.stmt(at).parent else { break };
        let before = tree.stmt(parent).children.iter().take_while(|s| **s != at);
        for &earlier in before {
            if let StmtKind::If { then, other, .. } = tree.stmt(earlier).kind {
                let sides = [(Some(then), true), (other, false)];
                let returning = sides
                    .into_iter()
                    .filter(|(side, _)| side.is_some_and(|s| returns(model, s)));
                let share = |(_, then)| match share(model, earlier) {
                    Some(holds) if then => holds,
                    Some(holds) => 1.0 - holds,
                    None => RETURNS,
                };
                left *= 1.0 - returning.map(share).sum::<f64>();
            }
        }
    }
    left
}

fn returns(model: &FunctionModel<'_>, stmt: StmtId) -> bool {
    ends_in(model, stmt, &|kind| matches!(kind, StmtKind::Return { .. }))
}

/// Whether the last statement in one, blocks opened, is such.
pub(super) fn ends_in(model: &FunctionModel<'_>, stmt: StmtId, such: &dyn Fn(&StmtKind) -> bool) -> bool {
    let node = model.tree.stmt(stmt);
    match &node.kind {
        StmtKind::Block => node.children.last().is_some_and(|last| ends_in(model, *last, such)),
        kind => such(kind),
    }
}

/// How likely any one way out of a `switch` is.
pub(super) fn of_switch() -> f64 {
    CHANCE
}

/// The part of all numbers for which the condition of an `if` holds, if it asks for the residue of one.
fn share(model: &FunctionModel<'_>, stmt: StmtId) -> Option<f64> {
    debug_assert!(matches!(model.tree.stmt(stmt).kind, StmtKind::If { .. }));
    let function = model.function();
    let test = IfTest::at(model.values, model.fine.cond_of(stmt)?)?;
    let IntComparison { pred, lhs, rhs, .. } = function.int_comparison(test.tested)?;
    let (Operand::Inst(of), Operand::Int(residue)) = (lhs, rhs) else {
        return None;
    };
    let Op::Binary {
        op: BinOp::SRem | BinOp::URem,
        rhs: Operand::Int(modulus),
        ..
    } = &function.inst(*of).op
    else {
        return None;
    };
    let (residue, modulus) = (*residue, *modulus);
    let below = residue.clamp(0, modulus.max(0)) as f64;
    let equal = f64::from(u8::from((0..modulus).contains(&residue)));
    let count = match pred {
        Pred::Eq => equal,
        Pred::Ne => modulus as f64 - equal,
        Pred::Lt => below,
        Pred::Le => below + equal,
        Pred::Gt => modulus as f64 - below - equal,
        Pred::Ge => modulus as f64 - below,
        Pred::Other => return None,
    };
    // What never holds, or always, is no reason to believe that nothing happens there.
    let share = match test.holds {
        true => count / modulus as f64,
        false => 1.0 - count / modulus as f64,
    };
    (modulus > 1 && share > 0.0 && share < 1.0).then_some(share)
}
