//! How conditions are taken apart; what they are worth is for the fixtures `if-…`.

use super::tokens::{names, operator};
use crate::analysis::conditions::reader::{comparison, is_truth, parts};

#[test]
fn conjunctions_are_taken_apart_where_nothing_binds_less() {
    assert_eq!(parts("n > 0 && (a && !b)"), ["n > 0", "a", "!b"]);
    assert_eq!(parts("((n > 0))"), ["n > 0"]);
    assert_eq!(parts("(a) && (b)"), ["a", "b"]);
    assert_eq!(parts("a && b || c"), ["a && b || c"]);
    assert_eq!(parts("(a || b) && c"), ["a || b", "c"]);
    assert_eq!(parts("a && b ? c : d"), ["a && b ? c : d"]);
    assert_eq!(parts("g->n && s.m"), ["g->n", "s.m"]);
}

#[test]
fn comparisons_have_two_sides() {
    assert_eq!(comparison("n - 1 > 0"), Some(Some(("n - 1 ", ">", " 0"))));
    assert_eq!(comparison("g->n >= (a > b)"), Some(Some(("g->n ", ">=", " (a > b)"))));
    assert_eq!(comparison("n + m"), Some(None));
    for none in ["a < b < c", "a == b", "!a < b", "a & b", "a << 1 > b", "a < b || c"] {
        assert_eq!(comparison(none), None, "{none}");
    }
}

#[test]
fn only_truth_values_are_followed() {
    for text in ["n > 0", "(a || b)", "a && b", "x + n <= y || y + n <= x", "p != q"] {
        assert!(is_truth(text), "{text}");
    }
    for text in ["n", "n + 1", "(n > 0) + 1", "a > 0 ? 2 : 3", "a > 0 | b", "-n"] {
        assert!(!is_truth(text), "{text}");
    }
}

#[test]
fn what_does_more_than_compute_is_no_operator() {
    for text in [
        "++n", "--n", "= 1", "+= 1", "<<= 1", ">>= 1", ", b", "[0]", "\"x\"", "'a'", "&= 1",
    ] {
        assert_eq!(operator(text), None, "{text}");
    }
    for (text, op) in [
        ("<= 1", "<="),
        ("<< 1", "<<"),
        ("< 1", "<"),
        ("== 1", "=="),
        ("&& b", "&&"),
        ("& b", "&"),
    ] {
        assert_eq!(operator(text), Some(op), "{text}");
    }
}

#[test]
fn names_come_with_their_members() {
    assert_eq!(names("(long)n*(long)n > 0x1F"), ["long", "n", "long", "n"]);
    assert_eq!(names("g->u.n-1 > s.m"), ["g->u.n", "s.m"]);
}
