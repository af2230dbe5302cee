//! What a callee's summary says in the caller's terms, where nothing may be taken of sizes: its conditions, and numbers in other
//! types ([`super::at_call`]).

use super::at_call::AtCall;
use super::callee_term::CalleeTerm;
use super::values::casts::IntType;
use super::values::types::Converted;
use crate::program::ir::{SourceType, Type};
use crate::symbolic::{Comparison, Expr, Summand, Sym};

impl AtCall<'_> {
    /// A number that is positive only where the callee's is.
    pub fn condition(&self, e: &Expr) -> Option<Expr> {
        let values = self.model.values;
        let grows = |sym: Sym| {
            let one = Expr::sym(sym);
            let plain = |t: &Summand| Expr::from_term(Summand { coeff: 1, ..t.clone() });
            let mut mentions = e.terms().iter().filter(|t| Expr::from_term((*t).clone()).mentions(sym));
            mentions.all(|t| t.coeff > 0 && plain(t) == one)
        };
        let value = |sym: Sym| {
            let adds = |e: &Expr| e.terms().iter().all(|t| t.coeff >= 0);
            let least = || self.value(sym, Converted::Grows, Converted::Grows);
            let least = grows(sym).then(least).flatten();
            least
                .filter(|e| adds(e) && !values.may_wrap(e))
                .or_else(|| self.exact(self.terms.get(sym.0 as usize)?))
        };
        let here = e.map_syms(&mut |sym| value(sym))?;
        (values.compares_alike(&here) && self.computes_alike(e, &here)).then_some(here)
    }

    /// What a comparison in the callee says of the caller's numbers: exactly that.
    pub fn comparison(&self, there: &Comparison) -> Option<Comparison> {
        there.map_syms(&mut |sym| self.exact(self.terms.get(sym.0 as usize)?))
    }

    /// The number that a callee's number is, exactly.
    pub fn number(&self, there: &Expr) -> Option<Expr> {
        there.map_syms(&mut |sym| self.exact(self.terms.get(sym.0 as usize)?))
    }

    /// Whether a condition of the callee, that `here` is positive, can be asked for in the caller's types: nothing overflows or
    /// wraps around in these that makes it true.
    fn computes_alike(&self, there: &Expr, here: &Expr) -> bool {
        let values = self.model.values;
        let all = here.symbols();
        if all.len() < 2 || here.terms().len() < 2 {
            // A comparison with a number, or of each factor with one.
            return true;
        }
        let is_one = |t: &&Summand| Expr::from_term((*t).clone()).symbols().len() == 1 && t.monomial.degree() == 1;
        let symbols = || here.terms().iter().filter(|t| !t.monomial.is_one());
        let (plus, minus): (Vec<_>, Vec<_>) = symbols().partition(|t| t.coeff > 0);
        let is_there = |side: &[&Summand]| matches!(side, [t] if is_one(t) && t.coeff.abs() == 1);
        let constant = here.constant_term();
        // What wraps around on the greater side becomes smaller.
        let unsigned = all.iter().any(|s| values.is_unsigned(*s));
        let width = |sym: &Sym| match self.terms.get(sym.0 as usize) {
            Some(CalleeTerm::Param(n)) => match self.declared(*n) {
                SourceType::Int { bytes, .. } => bytes,
                _ => 0,
            },
            Some(CalleeTerm::Cast { to, .. }) => u64::from(to.bytes),
            _ => 0,
        };
        let wider = there.symbols().iter().any(|s| width(s) > values.width(here));
        (!unsigned || is_there(&minus) && constant >= 0)
            && (!wider || is_there(&plus) && is_there(&minus) && constant == 0)
    }

    /// The number that a term is, without anything being taken of sizes.
    pub(super) fn exact(&self, term: &CalleeTerm) -> Option<Expr> {
        let values = self.model.values;
        match term {
            CalleeTerm::Param(n) => {
                let argument = self.args.get(*n as usize)?;
                values.cast(argument, &self.declared(*n), self.kept(*n)?)
            }
            CalleeTerm::Cast { of, to } => {
                let number = || values.in_type(&self.exact(of)?, *to);
                number().or_else(|| values.in_type(&self.own_number(of)?, *to))
            }
            CalleeTerm::Global(_) | CalleeTerm::Member { .. } => {
                let (slot, version) = self.slot(term)?;
                Some(values.exact_in(slot, version))
            }
            CalleeTerm::Storage(_) | CalleeTerm::Variadic | CalleeTerm::Returned => None,
        }
    }

    /// The number of a term by the name of the variable that is handed over, which may hold a sum.
    fn own_number(&self, term: &CalleeTerm) -> Option<Expr> {
        let values = self.model.values;
        let CalleeTerm::Param(n) = term else { return None };
        let own = values.own_number(self.args.get(*n as usize)?)?;
        values.in_type(&own, IntType::of(&self.declared(*n))?)
    }

    /// The type of a parameter of the callee.
    pub(super) fn declared(&self, n: u32) -> SourceType {
        self.model.module.function(self.callee).parameter_type(n)
    }

    /// How it is kept where it is handed over.
    pub(super) fn kept(&self, n: u32) -> Option<&Type> {
        self.model.module.function(self.callee).params.get(n as usize)
    }
}
