//! Summaries of what clang makes of C. Needs clang 19, like the tool itself.

use super::*;
use crate::llvm::{ClangOptions, Input, analyse_file, find_clang};
use std::path::Path;

/// The summary of the function `f`, in words: `p0+0 = p1+0 on entry; returns …`.
fn summary(text: &str) -> String {
    let clang = find_clang(None).expect("clang 19 is installed");
    let input = Input::text(Path::new("t.c"), text.as_bytes());
    let module = analyse_file(&clang, &input, &ClangOptions::default()).expect("the test's C compiles");
    let points_to = PointsTo::solve(&module);
    let effects = Effects::solve(&module, &points_to);
    let all = (0..module.functions.len() as u32).map(FuncId).collect();
    let summaries = summarise(&module, &points_to, &effects, &all, &|_| true);
    let id = module.find_function("f").expect("there is a function f");
    summaries.get(&id).map_or_else(String::new, |s| in_words(s))
}

fn term(term: &CalleeTerm) -> String {
    match term {
        CalleeTerm::Param(n) => format!("p{n}"),
        CalleeTerm::Global(g) => format!("g{}", g.0),
        CalleeTerm::Storage(g) => format!("&g{}", g.0),
        CalleeTerm::Variadic => "...".into(),
        CalleeTerm::Returned => "returned".into(),
        CalleeTerm::Member { of, bytes, .. } => format!("{}[{bytes}]", self::term(of)),
        CalleeTerm::Cast { of, to } => format!("({}){}", to.name(), self::term(of)),
    }
}

fn in_words(summary: &ValueSummary) -> String {
    let atom = |s: Sym| match &summary.atoms[s.0 as usize] {
        ValueAtom::Entry(entry) => term(entry),
        ValueAtom::Left(cell) => format!("{}'", term(&summary.cells[*cell].term)),
    };
    let int = |e: &Expr| crate::symbolic::print_expr(e, &|s| Some(atom(s)), crate::symbolic::SpacingStyle::default());
    let worth = |w: &Worth| match w {
        Worth::Int(e) => int(e).unwrap_or_default(),
        Worth::Ptr { base, offset } if offset.is_zero() => atom(*base),
        Worth::Ptr { base, offset } => format!("{} + {}", atom(*base), int(offset).unwrap_or_default()),
    };
    let written = summary.cells.iter().filter(|c| c.written);
    let mut words: Vec<String> = written
        .map(|c| format!("{} = {}", term(&c.term), c.value.as_ref().map_or("?".into(), worth)))
        .collect();
    words.extend(summary.returned.as_ref().map(|r| format!("returns {}", worth(r))));
    if summary.elsewhere.as_ref().is_none_or(|e| !e.is_empty()) {
        words.push("and more".into());
    }
    words.join("; ")
}

#[test]
fn an_exchange() {
    let text = "void f(double **a, double **b) { double *t = *a; *a = *b; *b = t; }";
    assert_eq!(summary(text), "p0[0] = p1[0]; p1[0] = p0[0]");
}

#[test]
fn an_exchange_of_members_by_a_callee() {
    let text = "struct s { int n; double *x, *y; };\n\
                static void swap(double **a, double **b) { double *t = *a; *a = *b; *b = t; }\n\
                void f(struct s *s) { swap(&s->x, &s->y); s->n += 1; }";
    assert_eq!(summary(text), "p0[0] = p0[0]+1; p0[8] = p0[16]; p0[16] = p0[8]");
}

#[test]
fn one_cell_named_twice_is_not_believed() {
    let text = "static void swap(double **a, double **b) { double *t = *a; *a = *b; *b = t + 1; }\n\
                void f(double **a) { swap(a, a); }";
    assert_eq!(summary(text), "");
}

#[test]
fn what_stands_under_a_condition_is_unknown() {
    let text = "void f(double **a, double **b, int c) { if (c) return; double *t = *a; *a = *b; *b = t; }";
    assert_eq!(summary(text), "p0[0] = ?; p1[0] = ?");
    let text = "void f(double **a, double **b, int c) { if (c) *a = *b + c; else *a = *b + c; }";
    assert_eq!(summary(text), "p0[0] = p1[0] + 8*p2");
}

#[test]
fn loops_settle() {
    let text = "void f(int *a, int *b, int n) { *b = n; for (int i = 0; i < n; i++) *a += *b; }";
    assert_eq!(summary(text), "p0[0] = ?; p1[0] = p2");
    // What the call made in the last iteration is not what it makes in this one.
    let text = "#include <stdlib.h>\n\
                void f(int *a, int *b) { int last = 0; do { int now = rand(); *a = last; last = now; \
                *b = last - now; } while (last); }";
    assert_eq!(summary(text), "p0[0] = ?; p1[0] = 0");
}

#[test]
fn a_value_with_no_name_is_named_by_the_cell_that_it_is_left_in() {
    let text = "#include <stdlib.h>\n\
                int f(double **a, double **b, int n) { *a = malloc(2 * n * sizeof **a); *b = *a + n; return 0; }";
    assert_eq!(summary(text), "p0[0] = ?; p1[0] = p0[0]' + 8*p2; returns 0");
}

#[test]
fn returned_values() {
    assert_eq!(
        summary("double *f(double *v, int n) { return v + n; }"),
        "returns p0 + 8*p1"
    );
    let text = "struct s { int n; double *x; }; double *f(struct s *s) { return s->x; }";
    assert_eq!(summary(text), "returns p0[8]");
    assert_eq!(
        summary("int f(int i, int j, int n) { return i * n + j; }"),
        "returns p0*p2+p1"
    );
}

#[test]
fn stores_that_are_not_followed_kill_what_they_may_overlap() {
    let text = "void f(double ***a, double **b, int i) { double *t = **a; **a = *b; *b = t; a[i] = b; }";
    assert_eq!(summary(text), "p0[0] = ?; p1[0] = ?; p0[0][0] = ?; and more");
    let text = "void f(double **a, double **b, int i) { double *t = a[0]; a[0] = *b; *b = t; a[i] = 0; }";
    assert_eq!(summary(text), "p0[0] = ?; p1[0] = ?; and more");
}

#[test]
fn members_of_different_shapes_share_no_symbol() {
    let text = "union u { long l; int i; }; void f(union u *u, long *a, int *b) { *a = u->l; *b = u->i; }";
    assert_eq!(summary(text), "p1[0] = p0[0]; p2[0] = ?");
}
