//! "Did you mean": the known word that is nearest to one that is not known.

use strsim::osa_distance;

/// The nearest of `known` by optimal string alignment (characters to insert, remove, replace or exchange with their neighbours), if it is near
/// enough to be meant: a third of the longer word may differ.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = |candidate: &&str| {
        let longer = word.chars().count().max(candidate.chars().count());
        osa_distance(word, candidate) <= longer.div_ceil(3)
    };
    let all = known.into_iter().filter(near);
    all.min_by_key(|candidate| (osa_distance(word, candidate), *candidate))
}

/// `; did you mean …?`, or nothing.
pub fn hint<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, known).map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_near_words_are_suggested() {
        let known = ["reads", "writes", "frees"];
        assert_eq!(nearest("read", known), Some("reads"));
        assert_eq!(nearest("wirtes", known), Some("writes"));
        assert_eq!(nearest("colour", known), None);
        assert_eq!(hint("free", known), "; did you mean `frees`?");
    }
}
