//! Names for numbers: what a number is called where loops and declarations call it so.
//!
//! With `ROWS` for 40 and `COLS` for 30, 1200 is `ROWS*COLS`, 39 is `ROWS-1`, and 3 is itself.

/// What may be added to a name.
const NEAR: i128 = 4;
/// Numbers up to this one are their own names.
const SMALL: i128 = 4;

/// Names with what they are worth, the likeliest first.
#[derive(Clone, Default, Debug)]
pub(super) struct NamedConstants {
    known: Vec<(String, i128)>,
}

impl NamedConstants {
    /// The name of a number.
    pub fn name(&self, value: i128) -> Option<String> {
        if value.abs() <= SMALL {
            return None;
        }
        let exact = self.product(value);
        let near = || {
            (1..=NEAR).find_map(|k| {
                let (above, below) = (self.product(value + k), self.product(value - k));
                above
                    .map(|name| format!("{name}-{k}"))
                    .or(below.map(|name| format!("{name}+{k}")))
            })
        };
        exact.or_else(near)
    }

    /// A name, or a product of up to three; in `long` where an `int` does not hold it.
    fn product(&self, value: i128) -> Option<String> {
        let known = &self.known;
        let single = known.iter().find(|(_, v)| *v == value).map(|(n, _)| n.clone());
        let count = known.len();
        let pairs = || (0..count).flat_map(|i| (i + 1..count).map(move |j| vec![i, j]));
        let triples = || pairs().flat_map(|p| (p[1] + 1..count).map(move |k| vec![p[0], p[1], k]));
        let squares = || (0..count).map(|i| vec![i, i]);
        let worth = |factors: &[usize]| factors.iter().try_fold(1i128, |p, f| p.checked_mul(known[*f].1));
        single.or_else(|| {
            let found = pairs()
                .chain(squares())
                .chain(triples())
                .find(|f| worth(f) == Some(value))?;
            let names: Vec<&str> = found.iter().map(|f| known[*f].0.as_str()).collect();
            let cast = if i32::try_from(value).is_ok() { "" } else { "(long)" };
            Some(format!("{cast}{}", names.join("*")))
        })
    }

    /// With one more, which comes behind, unless it is small or there already.
    pub fn add(&mut self, name: String, value: i128) {
        if value > SMALL && !self.known.iter().any(|(n, _)| *n == name) {
            self.known.push((name, value));
        }
    }

    /// With other names, which come behind.
    pub fn extend(&mut self, more: &NamedConstants) {
        for (name, value) in &more.known {
            self.add(name.clone(), *value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_said_by_names() {
        let known = [("NI", 1024), ("NK", 512), ("BIG", 1 << 20)];
        let names = NamedConstants {
            known: known.into_iter().map(|(n, v)| (n.to_owned(), v)).collect(),
        };
        assert_eq!(names.name(1024).as_deref(), Some("NI"));
        assert_eq!(names.name(1022).as_deref(), Some("NI-2"));
        assert_eq!(names.name(1024 * 512 + 1).as_deref(), Some("NI*NK+1"));
        assert_eq!(names.name(1 << 40).as_deref(), Some("(long)BIG*BIG"));
        assert_eq!(names.name(7), None);
        assert_eq!(names.name(2), None);
    }
}
