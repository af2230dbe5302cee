//! "Did you mean": the known word that is nearest to one that is not known.

/// The nearest of `known` by edit distance, if it is near enough to be meant: a third of the longer word may differ.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = |candidate: &&str| {
        let longer = word.chars().count().max(candidate.chars().count());
        distance(word, candidate) <= longer.div_ceil(3)
    };
    let all = known.into_iter().filter(near);
    all.min_by_key(|candidate| (distance(word, candidate), *candidate))
}

/// `; did you mean …?`, or nothing.
pub fn hint<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, known).map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

/// The number of characters to insert, remove, replace or exchange with their neighbours (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows: [Vec<usize>; 3] = [Vec::new(), (0..=b.len()).collect(), vec![0; b.len() + 1]];
    for i in 1..=a.len() {
        rows[2] = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = rows[1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(rows[1][j] + 1).min(rows[2][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[0][j - 2] + 1);
            }
            rows[2][j] = best;
        }
        rows.rotate_left(1);
    }
    rows[1][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, expected) in [
            ("", "abc", 3),
            ("reads", "read", 1),
            ("wirtes", "writes", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!((distance(a, b), distance(b, a)), (expected, expected), "{a} {b}");
        }
    }

    #[test]
    fn only_near_words_are_suggested() {
        let known = ["reads", "writes", "frees"];
        assert_eq!(nearest("read", known), Some("reads"));
        assert_eq!(nearest("wirtes", known), Some("writes"));
        assert_eq!(nearest("colour", known), None);
        assert_eq!(hint("free", known), "; did you mean `frees`?");
    }
}
