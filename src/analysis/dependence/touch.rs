//! Which bytes the accesses of a loop touch: a base, an offset as a polynomial, a width, and what is known there.

use super::frame::Frame;
use super::guards::guards;
use super::number::{Num, NumberKind, OperandFacts};
use super::verdict::{LoopRefusal, Obstacle};
use crate::analysis::access::{Access, is_unconditional};
use crate::analysis::values::table::Base;
use crate::program::graph::{NodeId, NodeKind};
use crate::program::ir::{InstId, Op, Operand, Type};
use crate::symbolic::{Expr, Facts, Sym};
use crate::syntax::StmtId;

/// An access of the loop to memory that is not a private scalar.
#[derive(Clone, Debug)]
pub(super) struct Touch {
    pub inst: InstId,
    pub node: NodeId,
    pub base: Base,
    /// Bytes from the base; `None` where it is not understood.
    pub offset: Option<Expr>,
    /// How many bytes; `None` where that is not known.
    pub bytes: Option<Expr>,
    pub reads: bool,
    pub writes: bool,
    /// The loops that move it, innermost first: loops inside the one in question, and that one.
    pub loops: Vec<StmtId>,
    /// What is not negative where it runs, loop bounds apart.
    pub guards: Vec<Expr>,
}

/// Whether an operand is a scalar variable of the function's own that nobody else knows of: `scalars` sees to these.
pub(super) fn own_scalar(frame: &Frame<'_, '_>, ptr: &Operand) -> bool {
    let Operand::Inst(id) = ptr else { return false };
    frame.shared.tracked[id.0 as usize]
}

/// All touches of the loop, those of where it starts included: a kernel computes that for itself. Refuses what touches memory
/// in no place that could be named.
pub(super) fn touches(frame: &Frame<'_, '_>) -> Result<Vec<Touch>, LoopRefusal> {
    let model = frame.model();
    let function = model.function();
    let mut found = Vec::new();
    let insts = frame.body.insts(function);
    for access in frame.shared.accesses.among(insts, model.fine.init_of(frame.stmt)) {
        let starts = model.fine.node(access.node).kind == NodeKind::Init(frame.stmt);
        if !(starts || frame.body.holds(function, access.inst)) || own_scalar(frame, &access.address) {
            continue;
        }
        found.push(touch(frame, access)?);
    }
    Ok(found)
}

fn touch(frame: &Frame<'_, '_>, access: &Access) -> Result<Touch, LoopRefusal> {
    let function = frame.model().function();
    let facts = frame.facts_at(access.node);
    let fixed = |e: &Expr| frame.is_fixed(e);
    let known = OperandFacts {
        facts: &facts,
        fixed: &fixed,
    };
    let numbers = &frame.numbers;
    let unknown = || LoopRefusal::new(Obstacle::Unknown, frame.stmt, [access.inst]);
    let address = numbers.address(&access.address, &known).ok_or_else(unknown)?;
    let offset = address.offset.and_then(|n| unwrapped(frame, n));
    // The number of bytes of `memset` and the like is an operand, of a scalar access its type.
    let bytes = match &function.inst(access.inst).op {
        Op::Call { args, .. } => args
            .get(2)
            .and_then(|n| numbers.number(n, &known))
            .and_then(|n| numbers.as_unsigned(n, 64, &known))
            .and_then(|n| unwrapped(frame, n)),
        _ => access.bytes.clone(),
    };
    let loops = frame.moving_loops_of(access.node);
    Ok(Touch {
        inst: access.inst,
        node: access.node,
        base: address.base,
        offset,
        bytes,
        reads: access.reads,
        writes: access.writes,
        loops: loops.iter().map(|l| l.stmt).collect(),
        guards: guards(frame, function.inst(access.inst).block),
    })
}

/// The polynomial, once what it needs is asked for and its values are small enough not to wrap in 64 bits.
fn unwrapped(frame: &Frame<'_, '_>, n: Num) -> Option<Expr> {
    if n.kind == NumberKind::Wrapped {
        let asked = small(frame, &n.poly)?;
        asked.iter().for_each(|(left, right)| frame.need(left, right));
    }
    for (left, right) in &n.needs {
        frame.need(left, right);
    }
    Some(n.poly)
}

/// Bounds on what an expression is made of that keep it, and differences of such, far below what 64 bits hold.
fn small(frame: &Frame<'_, '_>, poly: &Expr) -> Option<Vec<(Expr, Expr)>> {
    let degree = poly.terms().iter().map(|t| t.monomial.degree()).max()?;
    let weight: u128 = poly
        .terms()
        .iter()
        .map(|t| t.coeff.unsigned_abs())
        .try_fold(0u128, u128::checked_add)?;
    let shift = [40u32, 36, 32, 28, 24, 20, 16].into_iter().find(|shift| {
        let size = 1u128.checked_shl(shift * degree).filter(|_| shift * degree < 120);
        size.and_then(|s| s.checked_mul(weight)).is_some_and(|s| s < 1 << 61)
    })?;
    let mut asked = Vec::new();
    let mut done: Vec<Sym> = Vec::new();
    bound(frame, poly, 1i128 << shift, &mut asked, &mut done, 0)?;
    Some(asked)
}

/// Every symbol lies within plus and minus `limit`.
fn bound(
    frame: &Frame<'_, '_>,
    e: &Expr,
    limit: i128,
    asked: &mut Vec<(Expr, Expr)>,
    done: &mut Vec<Sym>,
    depth: u32,
) -> Option<()> {
    for sym in e.symbols() {
        if done.contains(&sym) {
            continue;
        }
        done.push(sym);
        let range = frame.numbers.type_range(sym);
        if range.is_some_and(|(lo, hi)| lo >= -limit && hi <= limit) {
            continue;
        }
        if frame.is_fixed_sym(sym) {
            let value = Expr::sym(sym);
            asked.push((value.clone(), Expr::constant(limit)));
            if range.is_none_or(|(lo, _)| lo < 0) {
                asked.push((Expr::constant(-limit), value));
            }
            continue;
        }
        // An index: as small as its bounds, which may lie beside the limit by a little, and a little is left over.
        let bounds = index_bounds(frame, sym)?;
        for e in [&bounds.0, &bounds.1] {
            let linear = e
                .terms()
                .iter()
                .all(|t| t.monomial.degree() <= 1 && t.coeff.abs() <= 1 << 12);
            if !linear || e.terms().len() > 2 || depth > 4 {
                return None;
            }
            let variable = e.terms().iter().filter(|t| !t.monomial.is_one());
            if variable.clone().count() > 1 || variable.clone().any(|t| t.coeff.abs() > 1) {
                return None;
            }
            bound(frame, e, limit, asked, done, depth + 1)?;
        }
    }
    Some(())
}

fn index_bounds(frame: &Frame<'_, '_>, sym: Sym) -> Option<(Expr, Expr)> {
    let model = frame.model();
    let loops = (0..model.tree.stmts.len() as u32).map(StmtId);
    let found = loops.filter_map(|s| frame.loop_at(s)).find(|l| l.sym == sym)?;
    Some((found.lo.clone(), found.hi.clone()))
}

impl Touch {
    /// How many bytes, where that is a constant.
    pub fn width(&self) -> Option<i128> {
        self.bytes.as_ref()?.as_constant()
    }

    /// Whether all loops around it are in canonical form, so that its sections rest on bounds that were understood.
    pub fn is_counted(&self, frame: &Frame<'_, '_>) -> bool {
        let model = frame.model();
        let around = model
            .fine
            .stmt_of(self.node)
            .into_iter()
            .flat_map(|s| model.tree.ancestors(s));
        // A loop's condition is not in its body.
        let tested = match model.fine.node(self.node).kind {
            NodeKind::Cond(s) => Some(s),
            _ => None,
        };
        let around = around.filter(|s| Some(*s) != tested && model.tree.encloses(frame.stmt, *s));
        let loops = around.filter(|s| model.tree.stmt(*s).kind.is_loop());
        loops.count() == self.loops.len()
    }

    /// Whether it happens in every iteration of its loops, all of which go through their ranges to the end.
    pub fn is_sure(&self, frame: &Frame<'_, '_>) -> bool {
        let model = frame.model();
        let access = frame.shared.accesses.of_inst(self.inst).next();
        self.is_counted(frame)
            && self.ends_with_ranges(frame)
            && access.is_some_and(|a| is_unconditional(model, a, frame.stmt))
    }

    /// Whether its loops go through their ranges to the end. What one looks for, and is left by `break` when it has found it,
    /// may be all there is.
    pub fn ends_with_ranges(&self, frame: &Frame<'_, '_>) -> bool {
        let exact = |stmt: &StmtId| frame.model().loops.get(*stmt).is_some_and(|l| l.exact);
        self.loops.iter().all(exact)
    }

    /// What is known where it runs.
    pub fn facts(&self, frame: &Frame<'_, '_>) -> Facts {
        let mut facts = frame.facts_at(self.node);
        for e in &self.guards {
            facts.assume_nonneg(e);
        }
        frame.assume_conditions(&mut facts);
        facts
    }
}

/// Whether a type exists on devices.
pub(super) fn on_device(ty: &Type) -> bool {
    !matches!(ty, Type::Float(80 | 128) | Type::Other(_)) && !matches!(ty, Type::Int(bits) if *bits > 64)
}
