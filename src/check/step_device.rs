//! The device of a directive's `device` clause.
//!
//! ```c
//! #pragma omp target … device(d)            // numbered: the value that `d` has there
//! #pragma omp target … device(choose())     // unclear
//! #pragma omp target …                      // the default device
//! ```

use crate::analysis::cexpr::evaluate;
use crate::analysis::movement::scope::NameScope;
use crate::openmp::{ClauseKind, Directive};
use crate::symbolic::Expr;

/// The device of a directive.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum StepDevice {
    /// No clause says it.
    #[default]
    Default,
    /// The device has this number.
    Numbered(Expr),
    /// Nobody knows it, or it is another one each time.
    Unclear,
}

impl StepDevice {
    /// The device that a directive's clause names.
    pub fn of(directive: &Directive, scope: &NameScope<'_>) -> StepDevice {
        let named = directive.clauses.iter().find_map(|clause| match &clause.kind {
            ClauseKind::Device { modifier, expr } => Some((modifier.as_deref(), expr)),
            _ => None,
        });
        let Some((modifier, text)) = named else {
            return StepDevice::Default;
        };
        let is_number = modifier.is_none_or(|modifier| modifier.trim() == "device_num");
        let number = evaluate(text, scope).filter(|number| number.as_constant().is_none_or(|number| number >= 0));
        match number.filter(|_| is_number) {
            Some(number) => StepDevice::Numbered(number),
            None => StepDevice::Unclear,
        }
    }

    /// The device in other terms.
    #[must_use]
    pub fn in_terms(&self, there: &dyn Fn(&Expr) -> Option<Expr>) -> StepDevice {
        match self {
            StepDevice::Numbered(number) => there(number).map_or(StepDevice::Unclear, StepDevice::Numbered),
            other => other.clone(),
        }
    }

    /// Whether two devices surely are two.
    pub fn is_apart(&self, other: &StepDevice) -> bool {
        match (self, other) {
            (StepDevice::Numbered(a), StepDevice::Numbered(b)) => a
                .sub(b)
                .and_then(|between| between.as_constant())
                .is_some_and(|by| by != 0),
            _ => false,
        }
    }
}
