//! Hand-made plans on small texts: where the lines go.

use super::*;
use crate::openmp::MapType;
use crate::plan::{Change, Direction, MapItem, RegionId, ReplaceableMaps};
use crate::syntax::{self, PragmaId, StmtId, StmtKind};

/// A text with ways to name its statements.
struct Fixture {
    text: String,
    tree: ScopeTree,
}

impl Fixture {
    fn new(text: &str) -> Fixture {
        Fixture {
            text: text.into(),
            tree: syntax::parse(text.as_bytes(), &[]),
        }
    }

    /// The outermost statement, blocks apart, that starts with `start`.
    fn stmt(&self, start: &str) -> StmtId {
        let found = (0..self.tree.stmts.len() as u32).map(StmtId).find(|s| {
            let stmt = self.tree.stmt(*s);
            stmt.kind != StmtKind::Block && self.text[stmt.span.start..].starts_with(start)
        });
        found.unwrap_or_else(|| panic!("no statement `{start}`"))
    }

    fn before(&self, start: &str) -> Place {
        Place::Before(self.stmt(start))
    }
    fn after(&self, start: &str) -> Place {
        Place::After(self.stmt(start))
    }
    fn region(&self, first: &str, last: &str, item: &str) -> Change {
        self.numbered(0, first, last, item)
    }
    fn numbered(&self, id: u32, first: &str, last: &str, item: &str) -> Change {
        Change::Region {
            id: RegionId(id),
            first: self.stmt(first),
            last: self.stmt(last),
            maps: vec![map(MapType::Tofrom, item)],
            braces: false,
            condition: None,
        }
    }

    fn edits(&self, decisions: Vec<Vec<Change>>) -> Edits {
        let decision = |changes| Decision {
            structs: Vec::new(),
            for_callers: false,
            function: "f".into(),
            changes,
            reasons: Vec::new(),
        };
        let plan = FilePlan {
            broken: false,
            unsettled: false,
            decisions: decisions.into_iter().map(decision).collect(),
            findings: Vec::new(),
            explained: Vec::new(),
            replaceable: ReplaceableMaps::default(),
            expected_traffic: Vec::new(),
            devices_mixed: false,
            remarks: Vec::new(),
            problems: Vec::new(),
            residencies: Vec::new(),
        };
        edits(self.text.as_bytes(), &self.tree, &plan)
    }

    fn apply(&self, changes: Vec<Change>) -> String {
        let edits = self.edits(vec![changes]);
        assert_eq!(edits.remarks, []);
        String::from_utf8(edits.edits.apply(self.text.as_bytes())).unwrap()
    }

    fn refused(&self, changes: Vec<Change>) -> String {
        let edits = self.edits(vec![changes]);
        assert!(edits.edits.is_empty() && edits.written.is_empty());
        edits.remarks[0].message.clone()
    }
}

fn map(map_type: MapType, text: &str) -> MapItem {
    MapItem::new(map_type, text)
}
fn to(place: Place, item: &str) -> Change {
    Change::Update {
        place,
        direction: Direction::To,
        item: item.into(),
        region: None,
        condition: None,
    }
}
fn from(place: Place, item: &str) -> Change {
    Change::Update {
        place,
        direction: Direction::From,
        item: item.into(),
        region: None,
        condition: None,
    }
}
fn inside(change: Change, id: u32) -> Change {
    match change {
        Change::Update {
            place,
            direction,
            item,
            condition,
            ..
        } => Change::Update {
            place,
            direction,
            item,
            condition,
            region: Some(RegionId(id)),
        },
        other => other,
    }
}

#[test]
fn updates_stand_before_attached_pragmas_and_after_trailing_comments() {
    let f = Fixture::new("void f(void)\n{\n    x(); /* c */ // d\n#pragma omp target\n    y();\n\n    z();\n}\n");
    let text = f.apply(vec![
        from(f.after("x"), "a"),
        to(f.before("y"), "a"),
        to(f.after("z"), "b"),
    ]);
    insta::assert_snapshot!(text, @r"
    void f(void)
    {
        x(); /* c */ // d
    #pragma omp target update from(a)
    #pragma omp target update to(a)
    #pragma omp target
        y();

        z();
    #pragma omp target update to(b)
    }
    ");
}

#[test]
fn one_gap_has_one_order() {
    let f = Fixture::new("void f(void) {\n  u();\n  v();\n  w();\n  x();\n}\n");
    let text = f.apply(vec![
        f.numbered(0, "u", "v", "a"),
        f.numbered(1, "w", "x", "b"),
        inside(to(f.before("w"), "b[0:1]"), 1),
        inside(from(f.after("v"), "a[0:1]"), 0),
        to(f.before("w"), "c"),
        from(f.before("w"), "d"),
        Change::Enter {
            place: f.before("w"),
            maps: vec![map(MapType::To, "c"), map(MapType::Alloc, "e")],
            condition: None,
        },
        Change::Exit {
            place: f.after("v"),
            maps: vec![map(MapType::Release, "d")],
            condition: None,
        },
    ]);
    insta::assert_snapshot!(text, @r"
    void f(void) {
      #pragma omp target data map(tofrom: a)
      {
        u();
        v();
        #pragma omp target update from(a[0:1])
      }
      #pragma omp target update from(d)
      #pragma omp target exit data map(release: d)
      #pragma omp target enter data map(to: c) map(alloc: e)
      #pragma omp target update to(c)
      #pragma omp target data map(tofrom: b)
      {
        #pragma omp target update to(b[0:1])
        w();
        x();
      }
    }
    ");
}

#[test]
fn regions_nest_and_equal_ones_merge() {
    let f = Fixture::new("void f(void) {\n\tu();\n\t#pragma omp target map(to:a)\n\tfor (;;)\n\t\tv();\n\tw();\n}\n");
    let text = f.apply(vec![
        f.numbered(1, "for", "for", "a"),
        f.numbered(0, "u", "for", "b"),
        f.numbered(2, "u", "for", "c"),
        inside(to(f.before("u"), "b[0:1]"), 0),
    ]);
    insta::assert_snapshot!(text, @"
    void f(void) {
    	#pragma omp target data map(tofrom:b, c)
    	{
    		#pragma omp target update to(b[0:1])
    		u();
    		#pragma omp target data map(tofrom:a)
    		#pragma omp target map(to:a)
    		for (;;)
    			v();
    	}
    	w();
    }
    ");
}

#[test]
fn conditions_keep_regions_apart() {
    let f = Fixture::new("void f(void) {\n  u();\n  v();\n}\n");
    let under = |change, text: &str| match change {
        Change::Region {
            id,
            first,
            last,
            maps,
            braces,
            ..
        } => Change::Region {
            id,
            first,
            last,
            maps,
            braces,
            condition: Some(text.into()),
        },
        other => other,
    };
    let enter = |item: &str, condition: Option<&str>| Change::Enter {
        place: f.before("u"),
        maps: vec![map(MapType::To, item)],
        condition: condition.map(str::to_owned),
    };
    let text = f.apply(vec![
        f.numbered(0, "u", "v", "a"),
        under(f.numbered(1, "u", "v", "b"), "p != q"),
        inside(to(f.before("u"), "a[0:1]"), 0),
        enter("c", None),
        enter("d", Some("p != q")),
        enter("e", None),
    ]);
    insta::assert_snapshot!(text, @r"
    void f(void) {
      #pragma omp target enter data map(to: c, e)
      #pragma omp target enter data map(to: d) if(p != q)
      #pragma omp target data map(tofrom: a)
      #pragma omp target data map(tofrom: b) if(p != q)
      {
        #pragma omp target update to(a[0:1])
        u();
        v();
      }
    }
    ");
}

#[test]
fn bodies_get_braces_in_the_users_way() {
    let source = "void f(int c) {\n  for (;;) // loop\n    x();\n  if (c) y(); else if (c > 1)\n    z();\n  else\n    w();\n  do v(); while (c);\n}\n";
    let f = Fixture::new(source);
    let places = ["x", "y", "z", "w", "v"];
    let text = f.apply(places.map(|p| from(f.after(p), p)).to_vec());
    insta::assert_snapshot!(text, @r"
    void f(int c) {
      for (;;) { // loop
        x();
        #pragma omp target update from(x)
      }
      if (c) {
        y();
        #pragma omp target update from(y)
      } else if (c > 1) {
        z();
        #pragma omp target update from(z)
      } else {
        w();
        #pragma omp target update from(w)
      }
      do {
        v();
        #pragma omp target update from(v)
      } while (c);
    }
    ");
    let f = Fixture::new(&source.replace("for (;;) // loop\n    x();", "for (;;) // loop\n  {\n    x();\n  }"));
    let text = f.apply(["y", "z", "w"].map(|p| from(f.after(p), p)).to_vec());
    insta::assert_snapshot!(text, @r"
    void f(int c) {
      for (;;) // loop
      {
        x();
      }
      if (c)
      {
        y();
        #pragma omp target update from(y)
      }
      else if (c > 1)
      {
        z();
        #pragma omp target update from(z)
      }
      else
      {
        w();
        #pragma omp target update from(w)
      }
      do v(); while (c);
    }
    ");
}

#[test]
fn nested_bodies_close_from_the_inside() {
    let f = Fixture::new("void f(int c) {\n  for (;;)\n    for (;c;)\n      if (c) x();\n  y();\n}\n");
    let text = f.apply(vec![
        from(f.after("x"), "x"),
        from(f.after("if"), "i"),
        from(f.after("for (;c"), "j"),
        from(f.after("for (;;"), "k"),
        to(Place::Else(f.stmt("if")), "e"),
    ]);
    insta::assert_snapshot!(text, @r"
    void f(int c) {
      for (;;) {
        for (;c;) {
          if (c) {
            x();
            #pragma omp target update from(x)
          } else {
            #pragma omp target update to(e)
          }
          #pragma omp target update from(i)
        }
        #pragma omp target update from(j)
      }
      #pragma omp target update from(k)
      y();
    }
    ");
}

#[test]
fn an_else_if_that_moves_is_indented_whole() {
    let f = Fixture::new(
        "void f(int c) {\n  if (c) {\n    x();\n  } else if (c > 1) {\n    y();\n  } else {\n    z();\n  }\n}\n",
    );
    let inner = f.stmt("if (c > 1)");
    let text = f.apply(vec![to(Place::Before(inner), "a")]);
    insta::assert_snapshot!(text, @r"
    void f(int c) {
      if (c) {
        x();
      } else {
        #pragma omp target update to(a)
        if (c > 1) {
          y();
        } else {
          z();
        }
      }
    }
    ");
    let text = f.apply(vec![to(f.after("y"), "a")]);
    assert!(text.contains("  } else if (c > 1) {\n    y();\n    #pragma omp target update to(a)\n  } else {"));
}

#[test]
fn a_missing_else_is_added_to_the_right_if() {
    let f = Fixture::new("void f(int c) {\n  if (c)\n    if (c > 1) x();\n  if (c > 2) {\n    y();\n  } // end\n}\n");
    let text = f.apply(vec![
        to(Place::Else(f.stmt("if (c)")), "a"),
        to(Place::Else(f.stmt("if (c > 2)")), "b"),
    ]);
    insta::assert_snapshot!(text, @r"
    void f(int c) {
      if (c) {
        if (c > 1) x();
      } else {
        #pragma omp target update to(a)
      }
      if (c > 2) {
        y();
      } else {
        #pragma omp target update to(b)
      } // end
    }
    ");
}

#[test]
fn lines_are_broken_where_statements_share_them() {
    let f = Fixture::new("void f(int c) {\n  x(); /* k */ y();\n  for (;;) { u(); v(); } w();\n}\n");
    let text = f.apply(vec![to(f.before("y"), "a"), from(f.after("v"), "b")]);
    insta::assert_snapshot!(text, @r"
    void f(int c) {
      x(); /* k */
      #pragma omp target update to(a)
      y();
      for (;;) {
        u();
        v();
        #pragma omp target update from(b)
      } w();
    }
    ");
    let text = f.apply(vec![f.region("y", "for", "a"), to(f.after("for"), "c")]);
    insta::assert_snapshot!(text, @r"
    void f(int c) {
      x(); /* k */
      #pragma omp target data map(tofrom: a)
      {
        y();
        for (;;) { u(); v(); }
      }
      #pragma omp target update to(c)
      w();
    }
    ");
}

#[test]
fn labels_get_a_statement_of_their_own() {
    let f = Fixture::new(
        "void f(int c) {\n  switch (c) {\n  case 1:\n    x();\n    break;\n  default: y();\n  }\nend:\n  z();\n}\n",
    );
    let text = f.apply(vec![
        to(f.before("x"), "a"),
        to(f.before("y"), "b"),
        f.region("z", "z", "c"),
    ]);
    insta::assert_snapshot!(text, @r"
    void f(int c) {
      switch (c) {
      case 1:
        ;
        #pragma omp target update to(a)
        x();
        break;
      default:
        ;
        #pragma omp target update to(b)
        y();
      }
    end:
      ;
      #pragma omp target data map(tofrom: c)
      z();
    }
    ");
}

#[test]
fn line_endings_stay_and_strings_are_not_indented() {
    let f = Fixture::new("void f(void) {\r\n  x(\"a\\\r\nb\");\r\n\r\n#ifdef A\r\n  y();\r\n#endif\r\n  z();\r\n}\r\n");
    let text = f.apply(vec![f.region("x", "z", "a")]);
    let expected = "void f(void) {\r\n  #pragma omp target data map(tofrom: a)\r\n  {\r\n    x(\"a\\\r\nb\");\r\n\r\n#ifdef A\r\n    y();\r\n#endif\r\n    z();\r\n  }\r\n}\r\n";
    assert_eq!(text, expected);
}

#[test]
fn long_regions_keep_their_indentation() {
    let f = Fixture::new(&format!(
        "void f(void) {{\n  x();\n{}  y();\n}}\n",
        "  w();\n".repeat(90)
    ));
    let text = f.apply(vec![f.region("x", "y", "a")]);
    assert!(text.contains("  {\n  x();\n  w();") && text.contains("  y();\n  }\n}"));
}

#[test]
fn directives_stay_out_of_conditionals() {
    let f = Fixture::new("void f(void) {\n  x();\n#ifdef A\n  y();\n#endif\n  z();\n}\n");
    let text = f.apply(vec![to(f.before("y"), "a"), to(f.after("y"), "b")]);
    insta::assert_snapshot!(text, @r"
    void f(void) {
      x();
      #pragma omp target update to(a)
    #ifdef A
      y();
    #endif
      #pragma omp target update to(b)
      z();
    }
    ");
    assert!(f.refused(vec![f.region("x", "y", "a")]).contains("inside `#if`"));
}

#[test]
fn what_cannot_be_written_is_left_out_whole() {
    let f = Fixture::new(
        "void f(int c) {\n  int n = c;\n  _Pragma(\"omp target\") x();\n  y(n); \\\n  z();\n  switch (c) { case 1: w(); }\n}\n",
    );
    let remap = Change::Remap {
        pragma: PragmaId(0),
        maps: vec![map(MapType::To, "a")],
    };
    assert!(f.refused(vec![to(f.before("x"), "a"), remap]).contains("_Pragma"));
    assert!(
        f.refused(vec![f.region("int", "x", "a")])
            .contains("`n` is declared inside")
    );
    assert!(f.refused(vec![to(f.before("z"), "a")]).contains("backslash"));
    assert!(f.refused(vec![f.region("case", "w", "a")]).contains("`case`"));
    assert!(
        f.refused(vec![to(Place::Before(f.tree.functions[0].body), "a")])
            .contains("no directive")
    );
    assert!(f.refused(vec![inside(to(f.before("x"), "a"), 7)]).contains("region"));
}

#[test]
fn a_decision_that_contradicts_an_earlier_one_is_dropped() {
    let f = Fixture::new("void f(void) {\n  x();\n  y();\n#pragma omp target map(a)\n  z();\n}\n");
    let remap = |t| Change::Remap {
        pragma: PragmaId(0),
        maps: vec![map(t, "a")],
    };
    let edits = f.edits(vec![
        vec![f.region("x", "y", "a"), remap(MapType::To)],
        vec![f.region("y", "z", "b")],
        vec![remap(MapType::From), to(f.before("x"), "q")],
        vec![to(f.before("x"), "c")],
    ]);
    assert_eq!(edits.written, [0, 3]);
    assert_eq!(edits.remarks.len(), 2);
    let text = String::from_utf8(edits.edits.apply(f.text.as_bytes())).unwrap();
    assert!(text.contains("map(to: a)") && text.contains("update to(c)") && !text.contains('q'));
}

#[test]
fn a_remapped_pragma_moves_with_its_region() {
    let f = Fixture::new(
        "void f(int n, int *a) {\n  x();\n  #pragma omp target \\\n      map(tofrom: a[0:n]) // k\n  for (;;) ;\n}\n",
    );
    let remap = Change::Remap {
        pragma: PragmaId(0),
        maps: vec![map(MapType::From, "a[0:n]")],
    };
    insta::assert_snapshot!(f.apply(vec![f.region("x", "for", "b"), remap]), @r"
    void f(int n, int *a) {
      #pragma omp target data map(tofrom: b)
      {
        x();
        #pragma omp target \
            map(from: a[0:n]) // k
        for (;;) ;
      }
    }
    ");
}

#[test]
fn nothing_is_written_for_an_empty_plan() {
    let f = Fixture::new("void f(void) {\n  x();\n}\n");
    assert_eq!(f.edits(vec![]), Edits::default());
}
