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
use super::expr::{Atom, Expr, Monomial, Sym, Term};
use super::section::Section;
use std::cmp::Reverse;

/// How the surrounding source is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Style {
    /// `n * m + 1` rather than `n*m+1`.
    pub spaces: bool,
}

/// How names are found: the C text of a symbol, an identifier or a postfix expression such as `s->n` (anything else
/// comes in parentheses). `None` when the symbol cannot be named at the place of printing.
type Names<'a> = &'a dyn Fn(Sym) -> Option<String>;

/// Prints an expression. `None` when a symbol has no name, a value is opaque, or a literal fits no C type.
pub fn print_expr(e: &Expr, names: Names, style: Style) -> Option<String> {
    Some(Printer { names, style }.sum(e)?.text)
}

/// Prints a section as OpenMP writes it, `lo:length`. `None` as for [`print_expr`].
pub fn print_section(section: &Section, names: Names, style: Style) -> Option<String> {
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
        0..=0x7fff_ffff => "",
        0..=0x7fff_ffff_ffff_ffff => "L",
        0..=0xffff_ffff_ffff_ffff if value > 0 => "UL",
        _ => return None,
    };
    Some(format!("{value}{suffix}"))
}

/// Longer sums are printed as they are: trying factors takes time exponential in the number of terms.
const MAX_FACTORED_TERMS: usize = 8;

/// How tightly the outermost operator of a text binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Sum,
    /// A chain of `*`, which other factors can join without parentheses.
    Product,
    /// `/` or `%`, which they cannot.
    Quotient,
    Primary,
}

/// A piece of C.
struct Text {
    text: String,
    binding: Binding,
    /// Two per name, one per literal.
    cost: usize,
}

impl Text {
    fn new(text: String, binding: Binding, cost: usize) -> Text {
        Text { text, binding, cost }
    }

    /// The text, in parentheses if its binding is one of those.
    fn guarded(&self, against: &[Binding]) -> String {
        if against.contains(&self.binding) {
            format!("({})", self.text)
        } else {
            self.text.clone()
        }
    }
}

/// A summand with its sign: `true` when it is subtracted.
type Part = (Text, bool);

fn cost(parts: &[Part]) -> usize {
    parts.iter().map(|(text, _)| text.cost).sum()
}

struct Printer<'a> {
    names: Names<'a>,
    style: Style,
}

impl Printer<'_> {
    fn operator(&self, left: &str, operator: &str, right: &str) -> String {
        let space = if self.style.spaces { " " } else { "" };
        format!("{left}{space}{operator}{space}{right}")
    }

    fn sum(&self, e: &Expr) -> Option<Text> {
        if let Some(value) = e.as_constant() {
            let binding = if value < 0 { Binding::Sum } else { Binding::Primary };
            return Some(Text::new(literal(value)?, binding, 1));
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
        let text = parts.fold(lead, |sum, (part, negative)| {
            self.operator(&sum, if negative { "-" } else { "+" }, &part.guarded(&[Binding::Sum]))
        });
        Some(Text::new(text, Binding::Sum, cost))
    }

    /// The best way to write a sum, as summands in the order they are written.
    fn parts(&self, e: &Expr) -> Option<Vec<Part>> {
        let mut terms: Vec<&Term> = e.terms().iter().collect();
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
    fn factored(&self, e: &Expr, factor: &Term) -> Option<Vec<Part>> {
        let divides = |t: &Term| t.coeff % factor.coeff == 0 && t.monomial.divided_by(&factor.monomial).is_some();
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
    fn product(&self, term: &Term, inner: Option<&Expr>) -> Option<Part> {
        let magnitude = i64::try_from(term.coeff.unsigned_abs()).ok()?;
        let mut factors = Vec::new();
        if magnitude != 1 || term.monomial.is_one() && inner.is_none() {
            factors.push(Text::new(literal(magnitude.into())?, Binding::Primary, 1));
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
                let mut texts = factors.iter().map(|f| f.guarded(&[Binding::Sum, Binding::Quotient]));
                let first = texts.next()?;
                let text = texts.fold(first, |left, right| self.operator(&left, "*", &right));
                Text::new(text, Binding::Product, cost)
            }
        };
        Some((product, term.coeff < 0))
    }

    fn atom(&self, atom: &Atom) -> Option<Text> {
        match atom {
            Atom::Sym(sym) => Some(Text::new((self.names)(*sym)?, Binding::Primary, 2)),
            Atom::Opaque(_) => None,
            Atom::Div(a, b) => self.quotient(a, "/", b),
            Atom::Rem(a, b) => self.quotient(a, "%", b),
            Atom::Min(args) => self.choice(args, "<"),
            Atom::Max(args) => self.choice(args, ">"),
        }
    }

    fn quotient(&self, a: &Expr, operator: &str, b: &Expr) -> Option<Text> {
        let (a, b) = (self.sum(a)?, self.sum(b)?);
        let left = a.guarded(&[Binding::Sum, Binding::Quotient]);
        let right = b.guarded(&[Binding::Sum, Binding::Product, Binding::Quotient]);
        Some(Text::new(
            self.operator(&left, operator, &right),
            Binding::Quotient,
            a.cost + b.cost,
        ))
    }

    /// A minimum or maximum as a conditional in parentheses.
    fn choice(&self, args: &[Expr], comparison: &str) -> Option<Text> {
        let (first, rest) = args.split_first()?;
        let first = self.sum(first)?;
        if rest.is_empty() {
            return Some(first);
        }
        let other = self.choice(rest, comparison)?;
        let condition = self.operator(&first.text, comparison, &other.text);
        let text = format!("({condition} ? {} : {})", first.text, other.text);
        Some(Text::new(text, Binding::Primary, 2 * (first.cost + other.cost)))
    }
}

/// Factors worth taking out: the greatest common divisor of all coefficients, and for each atom that divides several
/// terms the atom itself and the largest term that divides all of those.
fn common_factors(e: &Expr) -> Vec<Term> {
    let mut factors: Vec<Term> = Vec::new();
    let mut consider = |monomial: Monomial, coeff: u128| {
        if let Ok(coeff) = i128::try_from(coeff) {
            let factor = Term { monomial, coeff };
            if !factors.contains(&factor) {
                factors.push(factor);
            }
        }
    };
    if e.content() > 1 {
        consider(Monomial::one(), e.content());
    }
    for (atom, _) in e.terms().iter().flat_map(|t| t.monomial.factors()) {
        let sharing: Vec<&Term> = e.terms().iter().filter(|t| t.monomial.power(atom) > 0).collect();
        if sharing.len() > 1 {
            let coeff = sharing.iter().fold(0, |g, t| gcd(g, t.coeff.unsigned_abs()));
            let others = sharing[0].monomial.factors().iter().filter(|(other, _)| other != atom);
            let shared = others.filter(|(other, _)| sharing.iter().all(|t| t.monomial.power(other) > 0));
            let single = Monomial::of(atom.clone());
            let common = shared.fold(Some(single.clone()), |m, (other, _)| {
                m?.mul(&Monomial::of(other.clone()))
            });
            consider(common.unwrap_or_else(|| single.clone()), coeff);
            consider(single, 1);
        }
    }
    factors
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbolic::testing::{assignment, exprs, leaf, sym};
    use proptest::prelude::*;

    const SPACED: Style = Style { spaces: true };

    fn c(value: i128) -> Expr {
        Expr::constant(value)
    }

    fn name(sym: Sym) -> Option<String> {
        ["n", "m", "k"].get(sym.0 as usize).map(|name| (*name).to_owned())
    }

    fn print(e: &Option<Expr>) -> String {
        print_expr(e.as_ref().unwrap(), &name, SPACED).unwrap()
    }

    #[test]
    fn sums_read_as_people_write_them() {
        let (n, m, k) = (sym(0), sym(1), sym(2));
        let area = n.mul(&m).unwrap();
        assert_eq!(print(&n.offset(-2)), "n - 2");
        assert_eq!(print(&c(1).sub(&n)), "1 - n");
        assert_eq!(print(&n.neg()), "-n");
        assert_eq!(print(&n.neg().unwrap().offset(-1)), "-n - 1");
        assert_eq!(print(&Some(c(0))), "0");
        assert_eq!(print(&area.add(&k)), "n * m + k");
        assert_eq!(print(&n.scale(-3)), "-3 * n");
        assert_eq!(
            print_expr(&area.offset(1).unwrap(), &name, Style::default()).unwrap(),
            "n*m+1"
        );
    }

    #[test]
    fn common_factors_are_taken_out() {
        let (n, m, k) = (sym(0), sym(1), sym(2));
        let area = n.mul(&m).unwrap();
        assert_eq!(print(&area.add(&m)), "(n + 1) * m");
        assert_eq!(print(&area.sub(&m.scale(2).unwrap())), "(n - 2) * m");
        assert_eq!(print(&m.sub(&area)), "(1 - n) * m");
        assert_eq!(print(&n.add(&m).unwrap().scale(2)), "2 * (n + m)");
        assert_eq!(print(&n.scale(2).unwrap().offset(2)), "2 * n + 2");
        assert_eq!(print(&area.add(&m).unwrap().mul(&k)), "(n + 1) * m * k");
        assert_eq!(
            print(&area.add(&m).unwrap().scale(2).unwrap().add(&k)),
            "2 * (n + 1) * m + k"
        );
        assert_eq!(print(&k.sub(&area.add(&m).unwrap())), "k - (n + 1) * m");
    }

    #[test]
    fn quotients_and_choices() {
        let (n, m) = (sym(0), sym(1));
        let half = n.div(&c(2)).unwrap();
        assert_eq!(print(&Some(half.clone())), "n / 2");
        assert_eq!(print(&half.mul(&m)), "m * (n / 2)");
        assert_eq!(
            print(&n.offset(1).unwrap().div(&m.offset(1).unwrap())),
            "(n + 1) / (m + 1)"
        );
        assert_eq!(print(&half.div(&c(3))), "(n / 2) / 3");
        assert_eq!(print(&n.rem(&c(8)).unwrap().offset(1)), "n % 8 + 1");
        assert_eq!(print(&Expr::min_of(&[n.clone(), m.clone()])), "(n < m ? n : m)");
        assert_eq!(print(&Expr::max_of(&[n, m]).unwrap().offset(1)), "(n > m ? n : m) + 1");
    }

    #[test]
    fn sections_are_start_and_length() {
        let (n, m) = (sym(0), sym(1));
        let row = Section::new(n.mul(&m).unwrap(), n.offset(1).unwrap().mul(&m).unwrap());
        assert_eq!(print_section(&row, &name, SPACED).unwrap(), "n * m:m");
        let interior = Section::new(c(1), n.offset(-1).unwrap());
        assert_eq!(print_section(&interior, &name, SPACED).unwrap(), "1:n - 2");
    }

    #[test]
    fn what_has_no_name_is_not_printed() {
        assert_eq!(print_expr(&Expr::opaque(0), &name, SPACED), None);
        assert_eq!(print_expr(&sym(9), &name, SPACED), None);
        assert_eq!(print_expr(&sym(0).div(&sym(9)).unwrap(), &name, SPACED), None);
    }

    #[test]
    fn literals_carry_the_suffix_they_need() {
        assert_eq!(literal(2147483647).unwrap(), "2147483647");
        assert_eq!(literal(2147483648).unwrap(), "2147483648L");
        assert_eq!(literal(-2147483648).unwrap(), "-2147483648L");
        assert_eq!(literal(i128::from(i64::MIN)).unwrap(), "(-9223372036854775807L - 1)");
        assert_eq!(literal(i128::from(u64::MAX)).unwrap(), "18446744073709551615UL");
        assert_eq!(literal(i128::from(u64::MAX) + 1), None);
        assert_eq!(literal(i128::from(i64::MIN) - 1), None);
        assert_eq!(print_expr(&sym(0).scale(1 << 63).unwrap(), &name, SPACED), None);
    }

    /// Evaluates printed C over `n`, `m`, `k` by recursive descent.
    struct Reader<'a> {
        text: &'a [u8],
        values: &'a [i128],
    }

    impl Reader<'_> {
        fn eat(&mut self, wanted: u8) -> bool {
            self.text = self.text.trim_ascii_start();
            let found = self.text.first() == Some(&wanted);
            if found {
                self.text = &self.text[1..];
            }
            found
        }

        fn choice(&mut self) -> Option<i128> {
            let left = self.sum()?;
            let condition = if self.eat(b'<') {
                left < self.sum()?
            } else if self.eat(b'>') {
                left > self.sum()?
            } else {
                return Some(left);
            };
            assert!(self.eat(b'?'));
            let then = self.choice();
            assert!(self.eat(b':'));
            let other = self.choice();
            if condition { then } else { other }
        }

        fn sum(&mut self) -> Option<i128> {
            let mut value = self.product()?;
            loop {
                if self.eat(b'+') {
                    value += self.product()?;
                } else if self.eat(b'-') {
                    value -= self.product()?;
                } else {
                    return Some(value);
                }
            }
        }

        fn product(&mut self) -> Option<i128> {
            let mut value = self.unary()?;
            loop {
                if self.eat(b'*') {
                    value *= self.unary()?;
                } else if self.eat(b'/') {
                    value = value.checked_div(self.unary()?)?;
                } else if self.eat(b'%') {
                    value = value.checked_rem(self.unary()?)?;
                } else {
                    return Some(value);
                }
            }
        }

        fn unary(&mut self) -> Option<i128> {
            if self.eat(b'-') {
                return Some(-self.unary()?);
            }
            if self.eat(b'(') {
                let value = self.choice();
                // A division by zero inside leaves text unread; the value is then unknown anyway.
                return value.filter(|_| self.eat(b')'));
            }
            for (i, name) in [b'n', b'm', b'k'].into_iter().enumerate() {
                if self.eat(name) {
                    return Some(self.values[i]);
                }
            }
            let digits = self.text.iter().take_while(|c| c.is_ascii_digit()).count();
            let (number, rest) = self.text.split_at(digits);
            self.text = rest;
            std::str::from_utf8(number).unwrap().parse().ok()
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]
        #[test]
        fn printed_text_means_the_same(e in exprs(), values in assignment(), spaces in any::<bool>()) {
            if let Some(expected) = e.eval(&leaf(&values)) {
                let text = print_expr(&e, &name, Style { spaces }).unwrap();
                let mut reader = Reader { text: text.as_bytes(), values: &values };
                prop_assert_eq!(reader.choice(), Some(expected), "{}", text);
                prop_assert!(reader.text.is_empty(), "{}", text);
            }
        }
    }
}
