use super::*;
use crate::openmp::Directive;

/// The clause of `omp target <text>`, which must parse without problems.
fn kind(text: &str) -> ClauseKind {
    let mut parsed = Directive::parse(&format!("omp target {text}")).unwrap();
    assert_eq!(parsed.problems, [], "{text}");
    assert_eq!(parsed.clauses.len(), 1, "{text}");
    parsed.clauses.remove(0).kind
}
fn texts(items: &[Item]) -> Vec<&str> {
    items.iter().map(|item| item.text.as_str()).collect()
}
fn map(text: &str) -> MapClause {
    match kind(text) {
        ClauseKind::Map(map) => map,
        other => panic!("{other:?}"),
    }
}
fn problems(text: &str) -> usize {
    Directive::parse(&format!("omp target {text}")).unwrap().problems.len()
}

#[test]
fn map_clauses() {
    let plain = map("map(a, b[0:n])");
    assert_eq!((plain.map_type, plain.effective_type()), (None, MapType::Tofrom));
    assert_eq!(texts(&plain.items), ["a", "b[0:n]"]);
    assert_eq!(map("map( to : a )").map_type, Some(MapType::To));
    let old = map("map(always tofrom: a)");
    assert_eq!(
        (old.modifiers, old.map_type),
        (vec![MapModifier::Always], Some(MapType::Tofrom))
    );
    let full = map("map(iterator(int i = 0:n), mapper( id ), close, present, from: p[i][0:m])");
    assert_eq!(full.map_type, Some(MapType::From));
    assert_eq!(
        full.modifiers,
        [
            MapModifier::Iterator("int i = 0:n".into()),
            MapModifier::Mapper("id".into()),
            MapModifier::Close,
            MapModifier::Present
        ]
    );
    assert_eq!(
        map("map(to, always: a)").modifiers,
        [MapModifier::Always],
        "5.2 allows any order"
    );
    assert_eq!(map("map(delete, release: a)").map_type, Some(MapType::Delete));
    assert_eq!(map("map(present: a)").effective_type(), MapType::Tofrom);
}

#[test]
fn problems_are_found() {
    for text in [
        "map()",
        "map(to: )",
        "map(a,,b)",
        "map(to, from: a)",
        "map(sideways: a)",
        "map",
        "reduction(x)",
        "defaultmap(often)",
        "map(to + : a)",
    ] {
        assert_eq!(problems(text), 1, "{text}");
    }
    assert_eq!(problems("fnord(a b c) gnarl"), 0, "unknown clauses are data");
}

#[test]
fn motion_clauses() {
    match kind("to(present: a[0:n], b)") {
        ClauseKind::To(motion) => {
            assert_eq!(motion.modifiers, [MapModifier::Present]);
            assert_eq!(texts(&motion.items), ["a[0:n]", "b"]);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(texts(kind("from(a)").items()), ["a"]);
}

#[test]
fn expressions_with_modifiers() {
    let case = |modifier: Option<&str>, expr: &str| (modifier.map(str::to_owned), expr.to_owned());
    let read = |text: &str| match kind(text) {
        ClauseKind::If { modifier, expr } | ClauseKind::Device { modifier, expr } => (modifier, expr),
        other => panic!("{other:?}"),
    };
    assert_eq!(read("if(target: n>4)"), case(Some("target"), "n>4"));
    assert_eq!(read("if(target data: n)"), case(Some("target data"), "n"));
    assert_eq!(read("if(a ? b : c)"), case(None, "a ? b : c"));
    assert_eq!(read("if(target: a ? b : c)"), case(Some("target"), "a ? b : c"));
    assert_eq!(read("device(ancestor: 1)"), case(Some("ancestor"), "1"));
    assert_eq!(read("device( d + 1 )"), case(None, "d + 1"));
}

#[test]
fn lists_with_more_than_a_list() {
    assert!(matches!(kind("reduction(+: s, t)"),
        ClauseKind::Reduction { modifier: None, op, items } if op == "+" && items.len() == 2));
    assert!(matches!(kind("reduction(inscan, &&: s)"),
        ClauseKind::Reduction { modifier: Some(m), op, .. } if m == "inscan" && op == "&&"));
    assert!(matches!(kind("linear(val(x, y): 2)"),
        ClauseKind::Linear { modifier: Some(m), items, step: Some(step) }
        if m == "val" && items.len() == 2 && step == "2"));
    assert!(matches!(
        kind("linear(x)"),
        ClauseKind::Linear {
            modifier: None,
            step: None,
            ..
        }
    ));
    assert!(matches!(
        kind("lastprivate(conditional: x)"),
        ClauseKind::Lastprivate { conditional: true, .. }
    ));
    assert!(
        matches!(kind("allocate(my_alloc: x)"), ClauseKind::Allocate { allocator: Some(a), .. } if a == "my_alloc")
    );
    assert!(matches!(kind("aligned(p: 64)"), ClauseKind::Aligned { alignment: Some(a), .. } if a == "64"));
}

#[test]
fn dependences() {
    let read = |text: &str| match kind(text) {
        ClauseKind::Depend(depend) => depend,
        other => panic!("{other:?}"),
    };
    let depend = read("depend(iterator(i=0:n), inout: a[i], b)");
    assert_eq!(depend.modifier.as_deref(), Some("iterator(i=0:n)"));
    assert_eq!((depend.kind, depend.items.len()), (DependKind::Inout, 2));
    assert_eq!(read("depend(source)").kind, DependKind::Source);
    assert_eq!(read("doacross(source:)").items, []);
    let sink = read("depend(sink: i - 1, j)");
    assert!(sink.items[0].unparsed && !sink.items[1].unparsed);
}

#[test]
fn scalars_of_all_kinds() {
    assert_eq!(
        kind("defaultmap(none)"),
        ClauseKind::Defaultmap {
            behaviour: DefaultmapBehaviour::None,
            category: Category::All
        }
    );
    assert_eq!(
        kind("defaultmap(tofrom : scalar)"),
        ClauseKind::Defaultmap {
            behaviour: DefaultmapBehaviour::Tofrom,
            category: Category::Scalar
        }
    );
    assert_eq!(
        kind("num_teams(2:8)"),
        ClauseKind::NumTeams {
            lower: Some("2".into()),
            upper: "8".into()
        }
    );
    assert_eq!(
        kind("num_teams(c ? 2 : 8)"),
        ClauseKind::NumTeams {
            lower: None,
            upper: "c ? 2 : 8".into()
        }
    );
    assert_eq!(
        kind("schedule(monotonic, simd: static, f(1, 2))"),
        ClauseKind::Schedule {
            modifiers: vec!["monotonic".into(), "simd".into()],
            kind: "static".into(),
            chunk: Some("f(1, 2)".into())
        }
    );
    assert_eq!(kind("nowait"), ClauseKind::Nowait { expr: None });
    assert_eq!(kind("untied"), ClauseKind::Other { args: None });
    assert_eq!(kind("fnord( 1 )"), ClauseKind::Other { args: Some("1".into()) });
}
