//! A number that differs between configurations, written by names that differ in the same way.
//!
//! ```text
//!                as it is   sample   sample
//! the number        999       3001      749
//! N                1000       3002      750      ─►   N-1
//! ```
//!
//! Tried are a name, a name with a number added, a multiple, a quotient, and sums, differences and products of names. What is
//! found has the number's value in every configuration. Samples are chosen so that different names change by different
//! amounts: a large name with little added fits no other number. Everything else may fit the samples by accident
//! ([`FitDoubt`]), and is looked at in one more.

use super::shifts::SMALL;
use crate::symbolic::Binding;

/// Names that products and sums of several are made of.
const MOST_COMBINED: usize = 10;
/// Names that products of sums of products are made of.
const MOST_NESTED: usize = 6;
/// What may be added to a product of names before it is multiplied.
const NEAR: i128 = 4;
/// Divisors that are tried.
const DIVISORS: [i128; 6] = [2, 3, 4, 8, 10, 16];

/// A name with its values: in the program as it is, then in each sample.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Named {
    /// As it may stand in any expression: parentheses are around what does not hold together.
    pub text: String,
    /// The name's values.
    pub values: Vec<i128>,
}

/// Whether an expression may fit the samples by accident.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) enum FitDoubt {
    /// A large name with little added fits nothing else.
    #[default]
    None,
    /// Samples change small numbers by little: `M` for `ROWS-1` up to the end of an array.
    SmallName,
    /// Much can be made of several names and numbers: `TRIPS+6` for what is `N-M`.
    Expression,
}

/// An expression of names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Solved {
    pub text: String,
    pub binding: Binding,
    pub doubt: FitDoubt,
}

impl Solved {
    fn new(text: String, binding: Binding) -> Solved {
        Solved {
            text,
            binding,
            doubt: FitDoubt::None,
        }
    }

    /// With a number added.
    fn plus(self, added: i128) -> Solved {
        match added {
            0 => self,
            _ => Solved {
                text: format!("{}{added:+}", self.text),
                binding: Binding::Sum,
                ..self
            },
        }
    }

    /// As it stands between two pieces of a text.
    pub fn between(&self, before: &str, behind: &str) -> String {
        let (before, behind) = (before.trim_end().bytes().last(), behind.trim_start().bytes().next());
        let multiplied = matches!(before, Some(b'*' | b'/' | b'%'));
        let alone = match self.binding {
            Binding::Primary => true,
            Binding::Product => !matches!(before, Some(b'/' | b'%')),
            Binding::Quotient => !multiplied,
            Binding::Sum => !multiplied && before != Some(b'-') && !matches!(behind, Some(b'*' | b'/' | b'%')),
        };
        // `(long)N-1` is a sum; `(long)(N-1)` is not what was meant either, but has the same value.
        let cast = before == Some(b')') && self.binding != Binding::Primary;
        match alone && !cast {
            true => self.text.clone(),
            false => format!("({})", self.text),
        }
    }
}

/// The number with these values, by names; those first are taken first.
pub(super) fn solve(values: &[i128], names: &[Named]) -> Option<Solved> {
    let added = names.iter().filter_map(|n| Some((n, distance(values, &n.values)?)));
    if let Some((name, by)) = added.min_by_key(|(_, by)| by.abs()) {
        let one = Solved::new(name.text.clone(), Binding::Primary).plus(by);
        let doubt = match name.values[0] < SMALL {
            _ if by.abs() > NEAR => FitDoubt::Expression,
            true if by != 0 => FitDoubt::Expression,
            true => FitDoubt::SmallName,
            false => FitDoubt::None,
        };
        return Some(Solved { doubt, ..one });
    }
    // A number that stays small says too little: `COLS/TRIPS` is 1, 0 and 1 where `4/COLS` is.
    if values.iter().all(|v| v.abs() < SMALL) {
        return None;
    }
    // So does one that most samples leave as it is: `B/A+18` for the smaller one of 19 and `N`.
    let changed = values.iter().filter(|v| **v != values[0]).count();
    if 2 * changed < values.len() - 1 {
        return None;
    }
    let names = &names[..names.len().min(MOST_COMBINED)];
    let divided =
        || quotients().find_map(|form| names.iter().find_map(|n| quotient(values, n, form.0, form.1, form.2)));
    let several = names.iter().find_map(|n| multiple(values, n)).or_else(divided);
    let many = || pairs(values, names).or_else(|| triples(values, names));
    let solved = several.or_else(many)?;
    Some(Solved {
        doubt: FitDoubt::Expression,
        ..solved
    })
}

/// What is to be added to `from` to get `values`, in all configurations alike.
fn distance(values: &[i128], from: &[i128]) -> Option<i128> {
    let mut all = values.iter().zip(from).map(|(v, f)| v - f);
    let first = all.next()?;
    all.all(|d| d == first).then_some(first)
}

/// `4*N-1`.
fn multiple(values: &[i128], name: &Named) -> Option<Solved> {
    let by = (values.get(1)? - values[0]).checked_div(name.values.get(1)? - name.values[0])?;
    if !(2..=64).contains(&by) {
        return None;
    }
    let product: Vec<i128> = name.values.iter().map(|v| v * by).collect();
    let solved = Solved::new(format!("{by}*{}", name.text), Binding::Product);
    Some(solved.plus(distance(values, &product)?))
}

/// `N/2-1`, `(N-1)/2`: what is added before and behind the division.
fn quotient(values: &[i128], name: &Named, by: i128, near: i128, added: i128) -> Option<Solved> {
    let parts: Vec<i128> = name.values.iter().map(|v| (v + near) / by).collect();
    if distance(values, &parts)? != added {
        return None;
    }
    let of = Solved::new(name.text.clone(), Binding::Primary).plus(near);
    let text = format!("{}/{by}", of.between("", "/"));
    Some(Solved::new(text, Binding::Quotient).plus(added))
}

/// The forms of quotients, simple ones first.
fn quotients() -> impl Iterator<Item = (i128, i128, i128)> {
    let alone = DIVISORS.into_iter().map(|by| (by, 0, 0));
    let added = [-1, 1, -2, 2].into_iter().map(|k| (2, 0, k));
    let before = [-1, 1, -2, 2].into_iter().map(|k| (2, k, 0));
    alone.chain(added).chain(before)
}

/// A product that an `int` does not hold in some configuration is computed in `long`.
fn product(factors: &[String], values: &[i128]) -> Solved {
    let wide = values.iter().any(|v| i32::try_from(*v).is_err());
    let cast = if wide { "(long)" } else { "" };
    Solved::new(format!("{cast}{}", factors.join("*")), Binding::Product)
}

/// `N*M`, `(N-1)*M+1`, `N+M`, `N-M`, `N/M`.
fn pairs(values: &[i128], names: &[Named]) -> Option<Solved> {
    let offsets = || std::iter::once(0).chain((1..=NEAR).flat_map(|k| [-k, k]));
    for (i, a) in names.iter().enumerate() {
        for b in &names[i..] {
            for (near_a, near_b) in offsets().flat_map(|p| offsets().map(move |q| (p, q))) {
                let of = a.values.iter().zip(&b.values);
                let products: Vec<i128> = of.map(|(x, y)| (x + near_a) * (y + near_b)).collect();
                let Some(added) = distance(values, &products).filter(|d| d.abs() <= 64) else {
                    continue;
                };
                let factor = |n: &Named, near| {
                    let factor = Solved::new(n.text.clone(), Binding::Primary).plus(near);
                    factor.between("*", "*")
                };
                return Some(product(&[factor(a, near_a), factor(b, near_b)], &products).plus(added));
            }
        }
    }
    for a in names {
        for b in names.iter().filter(|b| b.text != a.text) {
            let of = || a.values.iter().zip(&b.values);
            let small = |d: &i128| d.abs() <= 64;
            for by in offsets().skip(1) {
                let sums: Vec<i128> = of().map(|(x, y)| x + by * y).collect();
                let Some(added) = distance(values, &sums).filter(small) else {
                    continue;
                };
                let sign = if by < 0 { "-" } else { "+" };
                let times = match by.abs() {
                    1 => String::new(),
                    many => format!("{many}*"),
                };
                let text = format!("{}{sign}{times}{}", a.text, b.text);
                return Some(Solved::new(text, Binding::Sum).plus(added));
            }
            let quotients: Option<Vec<i128>> = of().map(|(x, y)| x.checked_div(*y)).collect();
            if let Some(added) = quotients.and_then(|q| distance(values, &q)).filter(small) {
                let text = format!("{}/{}", a.text, b.text);
                return Some(Solved::new(text, Binding::Quotient).plus(added));
            }
        }
    }
    None
}

/// `N*M*K`, `((N-2)*M-2)*K-1`.
fn triples(values: &[i128], names: &[Named]) -> Option<Solved> {
    for (i, a) in names.iter().enumerate() {
        for (j, b) in names.iter().enumerate().skip(i) {
            for c in &names[j..] {
                let factors = a.values.iter().zip(&b.values).zip(&c.values);
                let products: Vec<i128> = factors.map(|((x, y), z)| x * y * z).collect();
                if let Some(added) = distance(values, &products).filter(|d| d.abs() <= 64) {
                    let texts = [a.text.clone(), b.text.clone(), c.text.clone()];
                    return Some(product(&texts, &products).plus(added));
                }
            }
        }
    }
    // So many forms fit two configurations by accident.
    if values.len() < 3 {
        return None;
    }
    let all = || names.iter().take(MOST_NESTED);
    all().find_map(|a| all().find_map(|b| all().find_map(|c| nested(values, [a, b, c]))))
}

/// `((N-2)*M-2)*K-1`: what lies between the first and the last inner cell of a grid.
fn nested(values: &[i128], [a, b, c]: [&Named; 3]) -> Option<Solved> {
    let rows = || -NEAR..=NEAR;
    for near in rows() {
        for inner in rows() {
            let of = a.values.iter().zip(&b.values).zip(&c.values);
            let products: Vec<i128> = of.map(|((x, y), z)| ((x + near) * y + inner) * z).collect();
            let Some(added) = distance(values, &products).filter(|d| d.abs() <= 64) else {
                continue;
            };
            let first = Solved::new(a.text.clone(), Binding::Primary)
                .plus(near)
                .between("", "*");
            let sum = product(&[first, b.text.clone()], &products)
                .plus(inner)
                .between("", "*");
            let text = format!("{sum}*{}", c.text);
            return Some(Solved::new(text, Binding::Product).plus(added));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str, values: [i128; 3]) -> Named {
        Named {
            text: text.to_owned(),
            values: values.to_vec(),
        }
    }

    fn solved(values: [i128; 3]) -> Option<String> {
        let names = [
            named("N", [1000, 3002, 750]),
            named("M", [64, 199, 47]),
            named("HALO", [1, 11, 4]),
        ];
        solve(&values, &names).map(|s| s.text)
    }

    #[test]
    fn numbers_follow_names() {
        let text = |values| solved(values).unwrap();
        assert_eq!(text([1000, 3002, 750]), "N");
        assert_eq!(text([999, 3001, 749]), "N-1");
        assert_eq!(text([1, 11, 4]), "HALO");
        assert_eq!(text([500, 1501, 375]), "N/2");
        assert_eq!(text([255, 795, 187]), "4*M-1");
        assert_eq!(text([64000, 3002 * 199, 750 * 47]), "N*M");
        assert_eq!(text([62 * 64, 197 * 199, 45 * 47]), "M*(M-2)");
        assert_eq!(text([998, 2980, 742]), "N-2*HALO");
        let grid = |n: i128, m: i128, k: i128| ((n - 2) * m - 2) * k - 1;
        let inner = [grid(1000, 64, 1), grid(3002, 199, 11), grid(750, 47, 4)];
        assert_eq!(text(inner), "((N-2)*M-2)*HALO-1");
    }

    #[test]
    fn numbers_that_one_sample_changes_follow_no_expression() {
        let name = |text: &str, values: [i128; 4]| Named {
            text: text.to_owned(),
            values: values.to_vec(),
        };
        let names = [name("B", [18, 80, 2, 120]), name("A", [10, 72, 3, 110])];
        assert_eq!(solve(&[19, 19, 18, 19], &names), None);
    }

    #[test]
    fn what_may_be_something_else_is_looked_at_again() {
        let names = [
            named("N", [19, 98, 18]),
            named("M", [12, 88, 11]),
            named("TRIPS", [1, 4, 1]),
        ];
        let found = solve(&[7, 10, 7], &names).unwrap();
        assert_eq!((found.text.as_str(), found.doubt), ("TRIPS+6", FitDoubt::Expression));
        let plain = solve(&[18, 97, 17], &names).unwrap();
        assert_eq!((plain.text.as_str(), plain.doubt), ("N-1", FitDoubt::None));
        let small = solve(&[1, 4, 1], &names).unwrap();
        assert_eq!((small.text.as_str(), small.doubt), ("TRIPS", FitDoubt::SmallName));
    }

    #[test]
    fn numbers_that_stay_small_are_no_quotients() {
        let names = [
            named("COLS", [3, 10, 3]),
            named("TRIPS", [3, 13, 3]),
            named("N", [1000, 3002, 750]),
        ];
        assert_eq!(solve(&[1, 0, 1], &names), None);
    }

    #[test]
    fn what_follows_nothing_has_no_name() {
        assert_eq!(solved([1000, 1001, 1000]), None);
    }

    #[test]
    fn parentheses_keep_the_value() {
        let sum = Solved::new("N-1".into(), Binding::Sum);
        assert_eq!(sum.between("a[k+1:", "-k"), "N-1");
        assert_eq!(sum.between("a[k-", "]"), "(N-1)");
        assert_eq!(sum.between("a[", "*m"), "(N-1)");
    }
}
