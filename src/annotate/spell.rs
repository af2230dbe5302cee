//! Expressions as C, where a directive will stand, in arithmetic that does not overflow.
//!
//! A bound that is one variable, less a constant perhaps, is written as it is: the loop computes it too. Anything else is
//! computed in `long`: `(long)n*m`, for the product of two sizes may be one more than an `int` holds although no subscript
//! is.

use crate::analysis::dependence::verdict::Condition;
use crate::analysis::function::FunctionModel;
use crate::analysis::movement::scope::visible_variable;
use crate::analysis::values::eval::{Base, SymKind};
use crate::analysis::values::slots::{SlotId, SlotKind};
use crate::plan::names::{At, scope_stmt};
use crate::program::graph::Place;
use crate::program::ir::SourceType;
use crate::symbolic::{Expr, Style, Sym, print_expr};
use crate::syntax::{StmtId, declaration_in_scope};

/// Writes expressions before a statement.
pub(super) struct Speller<'a> {
    pub at: At<'a>,
}

impl<'a> Speller<'a> {
    pub fn before(model: &'a FunctionModel<'a>, stmt: StmtId) -> Option<Speller<'a>> {
        let place = Place::Before(stmt);
        Some(Speller {
            at: At {
                model,
                gap: model.fine.gap(place)?,
                stmt: scope_stmt(model, place),
                sizes: Vec::new(),
            },
        })
    }

    /// Whether a pointer variable, by its own name, points here to where a base starts.
    pub fn means(&self, slot: SlotId, base: Base) -> bool {
        let model = self.at.model;
        let values = model.values;
        let now = values.slot_ptr(slot, values.versions.before(self.at.gap, slot));
        let visible = match values.slots.get(slot).kind {
            SlotKind::Local(v) => {
                let name = &model.function().variables[v.0 as usize].name;
                visible_variable(model, self.at.stmt, name) == Some(v)
            }
            SlotKind::Global(g) => {
                let name = &model.module.global(g).name;
                let hidden = declaration_in_scope(model.tree, self.at.stmt, name).is_some();
                !hidden && model.module.global(g).in_function.is_none()
            }
            _ => false,
        };
        visible && now.base == base && now.offset.is_zero()
    }

    /// The type of what a symbol is called here, as bytes and signedness: only variables, whose declaration says it.
    fn type_of(&self, sym: Sym) -> Option<(u64, bool)> {
        let model = self.at.model;
        let SymKind::Slot(slot, _) = model.values.kind(sym) else {
            return None;
        };
        let ty = match model.values.slots.get(slot).kind {
            SlotKind::Local(v) => &model.function().variables[v.0 as usize].source_type,
            SlotKind::Global(g) => model.module.global(g).source_type.as_ref()?,
            _ => return None,
        };
        match ty {
            SourceType::Int { bytes, signed } => Some((*bytes, *signed)),
            _ => None,
        }
    }

    /// The expression as it may be written, `None` where it cannot be or might overflow.
    pub fn text(&self, e: &Expr) -> Option<String> {
        let wide = !is_simple(e);
        let name = |sym: Sym| {
            let name = self.at.symbol(sym)?;
            match self.type_of(sym)? {
                (bytes, _) if bytes < 8 && wide => Some(format!("(long){name}")),
                // Of unsigned numbers of full width no difference is negative.
                (8, false) if wide => None,
                _ => Some(name),
            }
        };
        print_expr(e, &name, Style::default())
    }

    /// `lo <= hi`, as `n > 0` where that is what it is.
    pub fn runs(&self, condition: &Condition) -> Option<String> {
        let Condition::AtMost { left, right } = condition else {
            return None;
        };
        let end = right.offset(1)?;
        let types: Vec<(u64, bool)> = left
            .symbols()
            .iter()
            .chain(&end.symbols())
            .map(|s| self.type_of(*s))
            .collect::<Option<_>>()?;
        // Signed with unsigned would compare as unsigned.
        let alike = types.windows(2).all(|w| w[0] == w[1]);
        let constant = left.as_constant();
        let unsigned = types.iter().any(|(_, signed)| !signed);
        if !alike || constant.is_some_and(|c| c < 0) && unsigned {
            return None;
        }
        Some(match constant {
            Some(_) => format!("{} > {}", self.text(&end)?, self.text(left)?),
            None => format!("{} < {}", self.text(left)?, self.text(&end)?),
        })
    }
}

/// A constant, or a variable less a constant.
fn is_simple(e: &Expr) -> bool {
    let variables: Vec<_> = e.terms().iter().filter(|t| !t.monomial.is_one()).collect();
    match variables.as_slice() {
        [] => true,
        [only] => only.coeff == 1 && only.monomial.degree() == 1 && e.constant_term() <= 0 && e.has_plain_symbols(),
        _ => false,
    }
}
