//! C text that a person would write.
//!
//! The canonical form is good for comparing and poor for reading: `n*m + m` is better written `(n + 1) * m`. Printing
//! chooses among a few candidates (the plain sum, and sums with one common factor taken out, recursively) the one that
//! mentions the fewest operands, where a literal counts less than a name, and prefers the plain sum among equals.
//! Summands are ordered as people write them: positive before negative, higher degree first, the constant last.
//!
//! The text has the same value as the expression in mathematical integers. Whether its intermediate results fit the C
//! types involved depends on the declarations of the names, which only the caller knows.

use super::compose::gcd;
use super::expr::{Atom, Expr, Monomial, Summand, Sym};
use super::section::Section;
use std::cmp::Reverse;

/// How the surrounding source is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SpacingStyle {
    /// `n * m + 1` rather than `n*m+1`.
    pub spaces: bool,
}

/// How names are found: the C text of a symbol, an identifier or a postfix expression such as `s->n` (anything else
/// comes in parentheses). `None` when the symbol cannot be named at the place of printing.
type SymbolNames<'a> = &'a dyn Fn(Sym) -> Option<String>;

/// What is used for names and numbers.
pub struct Vocabulary<'a> {
    /// The C text of a symbol.
    pub names: SymbolNames<'a>,
    /// The C text of a symbol as a value of a wider type: `(long)n`.
    pub wide: SymbolNames<'a>,
    /// The name of a constant: a macro, or an expression of macros and numbers; `None` where it has none.
    pub constants: &'a dyn Fn(i128) -> Option<String>,
    /// How the surrounding source is written.
    pub style: SpacingStyle,
}

impl Vocabulary<'_> {
    /// Prints an expression. With `wide` every intermediate result is computed in the wider type: a cast stands where an
    /// operation begins, as in `(long)n*m + k`. `None` when a symbol has no name, a value is opaque, or a literal fits no
    /// C type.
    pub fn print(&self, e: &Expr, wide: bool) -> Option<String> {
        let text = ExprPrinter { words: self }.sum(e)?;
        Some(if wide { text.wide } else { text.text })
    }
}

/// Prints an expression. `None` when a symbol has no name, a value is opaque, or a literal fits no C type.
pub fn print_expr(e: &Expr, names: SymbolNames, style: SpacingStyle) -> Option<String> {
    let words = Vocabulary {
        names,
        wide: names,
        constants: &|_| None,
        style,
    };
    words.print(e, false)
}

/// Prints a section as OpenMP writes it, `lo:length`. `None` as for [`print_expr`].
pub fn print_section(section: &Section, names: SymbolNames, style: SpacingStyle) -> Option<String> {
    let len = section.len()?;
    Some(format!(
        "{}:{}",
        print_expr(&section.lo, names, style)?,
        print_expr(&len, names, style)?
    ))
}

/// A decimal C literal of the value. Magnitudes above `INT_MAX` carry `L` and above `LONG_MAX` `UL`; `None` above
/// `ULONG_MAX` and for negative values below `LONG_MIN`.
pub fn literal(value: i128) -> Option<String> {
    if value == i128::from(i64::MIN) {
        // C has no negative literals: the magnitude alone would not fit a signed type.
        return Some(format!("({}L - 1)", i64::MIN + 1));
    }
    let suffix = match value.unsigned_abs() {
        m if m <= i32::MAX as u128 => "",
        m if m <= i64::MAX as u128 => "L",
        m if m <= u128::from(u64::MAX) && value > 0 => "UL",
        _ => return None,
    };
    Some(format!("{value}{suffix}"))
}

/// Longer sums are printed as they are: trying factors takes time exponential in the number of terms.
const MAX_FACTORED_TERMS: usize = 8;

/// How tightly the outermost operator of a text binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Binding {
    /// `+` or `-`.
    Sum,
    /// A chain of `*`, which other factors can join without parentheses.
    Product,
    /// `/` or `%`, which other factors cannot join.
    Quotient,
    /// A name, a literal, a call, or what stands in parentheses.
    Primary,
}

/// A piece of C.
struct CText {
    text: String,
    /// The text with casts, as far as they are needed where nothing before it is wide.
    wide: String,
    binding: Binding,
    /// Two per name, one per literal.
    cost: usize,
}

impl CText {
    fn new(text: String, wide: String, binding: Binding, cost: usize) -> CText {
        CText {
            text,
            wide,
            binding,
            cost,
        }
    }

    /// The text, in parentheses if its binding is one of those.
    fn guarded(&self, against: &[Binding]) -> String {
        parenthesised(&self.text, against.contains(&self.binding))
    }

    /// The text where an operation begins that is to be wide.
    fn leading(&self, against: &[Binding]) -> String {
        parenthesised(&self.wide, against.contains(&self.binding))
    }

    /// The text as an operand of an operation that is wide already: what is computed first has to be wide itself.
    fn following(&self, against: &[Binding]) -> String {
        match self.is_name() {
            true => self.text.clone(),
            false => self.leading(against),
        }
    }

    fn is_name(&self) -> bool {
        self.binding == Binding::Primary && self.cost == 2
    }

    fn is_literal(&self) -> bool {
        self.cost == 1
    }
}

fn parenthesised(text: &str, parentheses: bool) -> String {
    if parentheses {
        format!("({text})")
    } else {
        text.to_owned()
    }
}

/// A summand with its sign: `true` when it is subtracted.
type SignedText = (CText, bool);

fn cost(parts: &[SignedText]) -> usize {
    parts.iter().map(|(text, _)| text.cost).sum()
}

struct ExprPrinter<'a> {
    words: &'a Vocabulary<'a>,
}

impl ExprPrinter<'_> {
    /// A number, by its name if it has one.
    fn literal(&self, value: i128, binding: Binding) -> Option<CText> {
        let (text, binding) = match (self.words.constants)(value) {
            Some(name) if name.contains(['+', '-']) => (name, Binding::Sum),
            Some(name) if name.contains(['*', ')']) => (name, Binding::Product),
            Some(name) => (name, binding),
            None => (literal(value)?, binding),
        };
        Some(CText::new(text.clone(), text, binding, 1))
    }

    fn operator(&self, left: &str, operator: &str, right: &str) -> String {
        let space = if self.words.style.spaces { " " } else { "" };
        format!("{left}{space}{operator}{space}{right}")
    }

    fn sum(&self, e: &Expr) -> Option<CText> {
        if let Some(value) = e.as_constant() {
            let binding = if value < 0 { Binding::Sum } else { Binding::Primary };
            return self.literal(value, binding);
        }
        let parts = self.parts(e)?;
        let cost = cost(&parts);
        let single = parts.len() == 1;
        let mut parts = parts.into_iter();
        let (first, negative) = parts.next()?;
        if single && !negative {
            return Some(first);
        }
        let minus = if negative { "-" } else { "" };
        let lead = format!("{minus}{}", first.guarded(&[Binding::Sum]));
        let wide = format!("{minus}{}", first.leading(&[Binding::Sum]));
        let (text, wide) = parts.fold((lead, wide), |(text, wide), (part, negative)| {
            let operator = if negative { "-" } else { "+" };
            (
                self.operator(&text, operator, &part.guarded(&[Binding::Sum])),
                self.operator(&wide, operator, &part.following(&[Binding::Sum])),
            )
        });
        Some(CText::new(text, wide, Binding::Sum, cost))
    }

    /// The best way to write a sum, as summands in the order they are written.
    fn parts(&self, e: &Expr) -> Option<Vec<SignedText>> {
        let mut terms: Vec<&Summand> = e.terms().iter().collect();
        // The sort is stable, so ties keep the canonical order.
        terms.sort_by_key(|t| (t.coeff < 0, Reverse(t.monomial.degree())));
        let mut best = terms
            .iter()
            .map(|t| self.product(t, None))
            .collect::<Option<Vec<_>>>()?;
        if (2..=MAX_FACTORED_TERMS).contains(&terms.len()) {
            for factor in common_factors(e) {
                if let Some(candidate) = self.factored(e, &factor).filter(|c| cost(c) < cost(&best)) {
                    best = candidate;
                }
            }
        }
        Some(best)
    }

    /// `inner * factor + rest`, where `inner` gathers every term that the factor divides.
    fn factored(&self, e: &Expr, factor: &Summand) -> Option<Vec<SignedText>> {
        let divides = |t: &Summand| t.coeff % factor.coeff == 0 && t.monomial.divided_by(&factor.monomial).is_some();
        let (inside, outside): (Vec<_>, Vec<_>) = e.terms().iter().cloned().partition(divides);
        let mut inner = Expr::from_terms(inside)?.divide_exactly(&Expr::from_terms(vec![factor.clone()])?)?;
        let mut factor = factor.clone();
        if inner.terms().iter().all(|t| t.coeff < 0) {
            inner = inner.neg()?;
            factor.coeff = -factor.coeff;
        }
        let mut parts = vec![self.product(&factor, Some(&inner))?];
        parts.extend(self.parts(&Expr::from_terms(outside)?)?);
        parts.sort_by_key(|(_, negative)| *negative);
        Some(parts)
    }

    /// A term, times `inner` if given: the literal first, then `inner`, then the atoms, as in `2 * (n + 1) * m`.
    fn product(&self, term: &Summand, inner: Option<&Expr>) -> Option<SignedText> {
        let magnitude = i64::try_from(term.coeff.unsigned_abs()).ok()?;
        let mut factors = Vec::new();
        if magnitude != 1 || term.monomial.is_one() && inner.is_none() {
            factors.push(self.literal(magnitude.into(), Binding::Primary)?);
        }
        if let Some(inner) = inner {
            factors.push(self.sum(inner)?);
        }
        for (atom, power) in term.monomial.factors() {
            for _ in 0..*power {
                factors.push(self.atom(atom)?);
            }
        }
        let product = match factors.len() {
            1 => factors.pop()?,
            _ => {
                let cost = factors.iter().map(|f| f.cost).sum();
                let against = [Binding::Sum, Binding::Quotient];
                let chain = |texts: Vec<String>| texts.into_iter().reduce(|l, r| self.operator(&l, "*", &r));
                let begins = factors.iter().position(|f| !f.is_literal()).unwrap_or(0);
                let wide = factors.iter().enumerate().map(|(i, f)| match i <= begins {
                    true => f.leading(&against),
                    false => f.following(&against),
                });
                let text = chain(factors.iter().map(|f| f.guarded(&against)).collect())?;
                CText::new(text, chain(wide.collect())?, Binding::Product, cost)
            }
        };
        Some((product, term.coeff < 0))
    }

    fn atom(&self, atom: &Atom) -> Option<CText> {
        match atom {
            Atom::Sym(sym) => {
                let (name, wide) = ((self.words.names)(*sym)?, (self.words.wide)(*sym)?);
                // `*n` after a `/` would begin a comment.
                let binding = if name.starts_with('*') {
                    Binding::Quotient
                } else {
                    Binding::Primary
                };
                Some(CText::new(name, wide, binding, 2))
            }
            Atom::Opaque(_) => None,
            Atom::Div(a, b) => self.quotient(a, "/", b),
            Atom::Rem(a, b) => self.quotient(a, "%", b),
            Atom::Min(args) => self.choice(args, "<"),
            Atom::Max(args) => self.choice(args, ">"),
        }
    }

    fn quotient(&self, a: &Expr, operator: &str, b: &Expr) -> Option<CText> {
        let (a, b) = (self.sum(a)?, self.sum(b)?);
        let before = [Binding::Sum, Binding::Quotient];
        let behind = [Binding::Sum, Binding::Product, Binding::Quotient];
        Some(CText::new(
            self.operator(&a.guarded(&before), operator, &b.guarded(&behind)),
            self.operator(&a.leading(&before), operator, &b.following(&behind)),
            Binding::Quotient,
            a.cost + b.cost,
        ))
    }

    /// A minimum or maximum as a conditional in parentheses.
    fn choice(&self, args: &[Expr], comparison: &str) -> Option<CText> {
        let (first, rest) = args.split_first()?;
        let first = self.sum(first)?;
        if rest.is_empty() {
            return Some(first);
        }
        let other = self.choice(rest, comparison)?;
        let chosen = |a: &str, b: &str| format!("({} ? {a} : {b})", self.operator(a, comparison, b));
        Some(CText::new(
            chosen(&first.text, &other.text),
            chosen(&first.wide, &other.wide),
            Binding::Primary,
            2 * (first.cost + other.cost),
        ))
    }
}

/// Factors worth taking out: the greatest common divisor of all coefficients, and for each atom that divides several
/// terms the atom itself and the largest term that divides all of those.
fn common_factors(e: &Expr) -> Vec<Summand> {
    let mut factors: Vec<Summand> = Vec::new();
    let mut consider = |monomial: Monomial, coeff: u128| {
        if let Ok(coeff) = i128::try_from(coeff) {
            let factor = Summand { monomial, coeff };
            if !factors.contains(&factor) {
                factors.push(factor);
            }
        }
    };
    if e.content() > 1 {
        consider(Monomial::one(), e.content());
    }
    for (atom, _) in e.terms().iter().flat_map(|t| t.monomial.factors()) {
        let sharing: Vec<&Summand> = e.terms().iter().filter(|t| t.monomial.power(atom) > 0).collect();
        if sharing.len() > 1 {
            let coeff = sharing.iter().fold(0, |g, t| gcd(g, t.coeff.unsigned_abs()));
            let others = sharing[0].monomial.factors().iter().filter(|(other, _)| other != atom);
            let shared = others.filter(|(other, _)| sharing.iter().all(|t| t.monomial.power(other) > 0));
            let single = Monomial::of(atom.clone());
            let common = shared.fold(single.clone(), |m, (other, _)| {
                m.mul(&Monomial::of(other.clone())).unwrap_or(m)
            });
            consider(common, coeff);
            consider(single, 1);
        }
    }
    factors
}

#[cfg(test)]
mod tests;
