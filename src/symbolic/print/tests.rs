use super::*;
use crate::symbolic::testing::{assignment, exprs, leaf, sym};
use proptest::prelude::*;

const SPACED: SpacingStyle = SpacingStyle { spaces: true };

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
        print_expr(&area.offset(1).unwrap(), &name, SpacingStyle::default()).unwrap(),
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
            let text = print_expr(&e, &name, SpacingStyle { spaces }).unwrap();
            let mut reader = Reader { text: text.as_bytes(), values: &values };
            prop_assert_eq!(reader.choice(), Some(expected), "{}", text);
            prop_assert!(reader.text.is_empty(), "{}", text);
        }
    }
}
