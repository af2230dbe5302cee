use super::*;
use crate::openmp::MapType::{self, *};
use crate::openmp::detect_style;
use proptest::prelude::*;

/// New text in the style of the pragma itself.
fn replace_map_clauses(original: &str, new_clauses: &[MapClauseText]) -> Result<String, DirectiveProblem> {
    replace_map_clauses_styled(original, new_clauses, &detect_style(&[original]), "")
}

fn new(map_type: MapType, items: &[&str]) -> MapClauseText {
    MapClauseText {
        modifiers: Vec::new(),
        map_type: Some(map_type),
        items: items.iter().map(|s| (*s).to_owned()).collect(),
    }
}

#[track_caller]
fn expect(original: &str, clauses: &[MapClauseText], result: &str) {
    assert_eq!(replace_map_clauses(original, clauses).unwrap(), result);
}

#[test]
fn the_first_outdated_clause_is_the_place() {
    expect(
        "#pragma omp target map(to: a) nowait map(tofrom: b) if(n > 4)",
        &[new(To, &["a", "b"]), new(From, &["c"])],
        "#pragma omp target map(to: a, b) map(from: c) nowait if(n > 4)",
    );
}

#[test]
fn what_stays_the_same_keeps_its_bytes() {
    let original = "#pragma omp target map( b /*two*/,a ) map(from: c)";
    expect(original, &[new(Tofrom, &["a", "b"]), new(From, &["c"])], original);
    expect(
        original,
        &[new(Tofrom, &["a", "b"]), new(To, &["c"])],
        "#pragma omp target map( b /*two*/,a ) map(to: c)",
    );
    expect(
        original,
        &[new(Tofrom, &["a", "b"])],
        "#pragma omp target map( b /*two*/,a )",
    );
    expect(
        "#pragma omp target map(to: a) nowait",
        &[new(To, &["a"]), new(From, &["c"])],
        "#pragma omp target map(to: a) map(from: c) nowait",
    );
}

#[test]
fn without_old_clauses_new_ones_go_to_the_end_before_a_comment() {
    expect(
        "#pragma omp target // go",
        &[new(To, &["a"])],
        "#pragma omp target map(to: a) // go",
    );
    expect(
        "#pragma omp target nowait /* x */",
        &[new(To, &["a"])],
        "#pragma omp target nowait map(to: a) /* x */",
    );
    expect(
        "#pragma omp target nowait, if(1)",
        &[new(To, &["a"])],
        "#pragma omp target nowait, if(1), map(to: a)",
    );
}

#[test]
fn commas_go_with_their_clause() {
    expect("#pragma omp target map(a), nowait", &[], "#pragma omp target nowait");
    expect("#pragma omp target nowait, map(a)", &[], "#pragma omp target nowait");
    expect(
        "#pragma omp target nowait , map(a), if(1)",
        &[],
        "#pragma omp target nowait, if(1)",
    );
    expect(
        "#pragma omp target map(a), map(b), nowait",
        &[],
        "#pragma omp target nowait",
    );
    expect(
        "#pragma omp target map(a), map(b)",
        &[new(To, &["c"])],
        "#pragma omp target map(to: c)",
    );
    expect(
        "#pragma omp target nowait, /* in */ map(a)",
        &[],
        "#pragma omp target nowait /* in */",
    );
}

#[test]
fn continuations_and_comments_around_stay() {
    let original = "#pragma omp target teams map(to: a) \\\n    map(from: b) /* out */ \\\n    num_teams(8)";
    expect(original, &[], "#pragma omp target teams /* out */ \\\n    num_teams(8)");
    expect(
        original,
        &[new(To, &["a"])],
        "#pragma omp target teams map(to: a) /* out */ \\\n    num_teams(8)",
    );
    expect(
        original,
        &[new(To, &["a"]), new(Alloc, &["b"])],
        "#pragma omp target teams map(to: a) \\\n    map(alloc: b) /* out */ \\\n    num_teams(8)",
    );
    expect(
        "#pragma omp target \\\r\n  map(a) \\\r\n  nowait",
        &[],
        "#pragma omp target \\\r\n  nowait",
    );
}

#[test]
fn long_text_wraps_like_the_pragma() {
    let names: Vec<String> = (0..6).map(|i| format!("some_long_name_{i}[0:n]")).collect();
    let items: Vec<&str> = names.iter().map(String::as_str).collect();
    let result = replace_map_clauses("#pragma omp target map(a) \\\r\n\tnowait", &[new(To, &items)]).unwrap();
    let lines = [
        "#pragma omp target \\",
        "\tmap(to: some_long_name_0[0:n], some_long_name_1[0:n], some_long_name_2[0:n], \\",
        "\tsome_long_name_3[0:n], some_long_name_4[0:n], some_long_name_5[0:n]) \\",
        "\tnowait",
    ];
    assert_eq!(result, lines.join("\r\n"));
}

#[test]
fn a_line_that_gets_too_long_is_broken_and_indented() {
    let style = Style {
        width: 40,
        ..Style::default()
    };
    let maps = [new(To, &["alpha[0:n]"]), new(From, &["beta[0:n]"])];
    let result = replace_map_clauses_styled("#pragma omp target map(a)", &maps, &style, "  ").unwrap();
    assert_eq!(
        result,
        "#pragma omp target \\\n      map(to: alpha[0:n]) \\\n      map(from: beta[0:n])"
    );
}

#[test]
fn the_operator_form_is_not_wrapped() {
    let names: Vec<String> = (0..9).map(|i| format!("some_long_name_{i}[0:n]")).collect();
    let items: Vec<&str> = names.iter().map(String::as_str).collect();
    let result = replace_map_clauses("_Pragma(\"omp target map(a)\")", &[new(To, &items)]).unwrap();
    assert_eq!(result, format!("_Pragma(\"omp target map(to: {})\")", names.join(", ")));
    assert!(replace_map_clauses("_Pragma(\"omp target\")", &[new(To, &["a[\"x\"[0]]"])]).is_err());
}

#[test]
fn what_is_not_understood_is_refused() {
    assert!(replace_map_clauses("#pragma once", &[]).is_err());
    assert!(replace_map_clauses("#pragma omp target map(to: a", &[]).is_err());
    assert!(replace_map_clauses("#pragma omp target map(sideways: a)", &[]).is_err());
    assert!(replace_map_clauses("#pragma omp target", &[new(To, &["a) nowait"])]).is_err());
}

fn some_clause() -> impl Strategy<Value = String> {
    proptest::sample::select(vec![
        "nowait",
        "if(target: n > 4)",
        "map(a)",
        "map(to:b[0:n],c)",
        "map( from : s->x[0:n] /* m */ )",
        "private(p, q)",
        "num_teams(f(1, 2))",
        "map(always, tofrom: d)",
        "depend(in: a[0:n])",
        "reduction(+:sum)",
    ])
    .prop_map(str::to_owned)
}

proptest! {
    /// Whatever stands around the maps is still there, comments included, and the new maps are what was asked for
    /// (both are checked by `reads_back`, the comments here).
    #[test]
    fn other_clauses_keep_their_bytes(
        parts in proptest::collection::vec(
            (some_clause(), proptest::sample::select(vec![" ", ", ", " \\\n  ", " /*c*/ ", ",/*c*/\\\r\n"])), 0..7),
        maps in proptest::collection::vec(
            (proptest::sample::select(vec![To, From, Alloc]), proptest::sample::select(vec!["a", "x[0:n]", "d"])), 0..4),
        tail in proptest::sample::select(vec!["", " // end", " /* end */"]),
    ) {
        let mut original = "#pragma omp target ".to_owned();
        for (clause, separator) in &parts {
            original.push_str(clause);
            original.push_str(separator);
        }
        let original = original.trim_end_matches([' ', ',', '\\', '\r', '\n']).to_owned() + tail;
        let clauses: Vec<_> = maps.iter().map(|(map_type, item)| new(*map_type, &[item])).collect();
        let result = replace_map_clauses(&original, &clauses).unwrap();
        prop_assert_eq!(result.matches("/*c*/").count(), original.matches("/*c*/").count(), "{}", result);
        prop_assert!(result.ends_with(tail));
        prop_assert_eq!(replace_map_clauses(&result, &clauses).unwrap(), result, "a second time changes nothing");
    }

    #[test]
    fn any_text(text in "#pragma omp target \\PC{0,50}") {
        let _ = replace_map_clauses(&text, &[new(To, &["a"])]);
    }
}
