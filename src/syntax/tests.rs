//! Tests of the whole room: C in, dump out.

use super::*;

/// The dump of `text` with all branches active.
fn shown(text: &str) -> String {
    dump(&parse(text.as_bytes(), &[]), text.as_bytes())
}

/// The ranges of the lines between the `n`-th conditional line and the next, for each given `n`.
fn between_conditionals(text: &str, which: &[usize]) -> Vec<Span> {
    let lines = blank(text.as_bytes(), &[]).conditionals;
    which
        .iter()
        .map(|n| Span::new(lines[*n].end + 1, lines[n + 1].start))
        .collect()
}

#[test]
fn every_statement_kind() {
    let text = r#"
static int f(int n, double *restrict a, void (*cb)(int), ...) {
  int i = 0, *p, m[4], g(int), (*h)(void);
  typedef int T;
  struct s { int x; };
  _Static_assert(sizeof(int) == 4, "int");
  {
  }
  if (n > 0) i = 1; else ;
  for (int k = 0, l = n; k < l; k++) continue;
  for (;;) { break; }
  while (i < n) i++;
  do { i--; } while (i > 0);
  switch (i) {
  case 1 + 1:
    i = 2;
  case 2 ... 7: case 9:
    break;
  default:
    goto out;
  }
  goto *p;
  CHECK(n)
  asm volatile ("nop" : : : "memory");
out:
  return i + 1;
}
"#;
    insta::assert_snapshot!(shown(text), @r#"
    function f(n a cb) 2:1-27:2
      block 2:63-27:2
        decl 3:3-3:43 i p m g h
        decl 4:3-4:17 T
        decl 5:3-5:23
        decl 6:3-6:43
        block 7:3-8:4
        if 9:3-9:27 cond `n > 0` with else
          expr 9:14-9:20
          empty 9:26-9:27
        for 10:3-10:47 init `int k = 0, l = n` cond `k < l` step `k++` declares k l
          continue 10:38-10:47
        for 11:3-11:22
          block 11:12-11:22
            break 11:14-11:20
        while 12:3-12:21 cond `i < n`
          expr 12:17-12:21
        do 13:3-13:29 cond `i > 0`
          block 13:6-13:14
            expr 13:8-13:12
        switch 14:3-21:4 cond `i`
          block 14:14-21:4
            case 15:3-15:14 `1 + 1`
            expr 16:5-16:11
            case 17:3-17:16 `2 ... 7`
            case 17:17-17:24 `9`
            break 18:5-18:11
            default 19:3-19:11
            goto 20:5-20:14 out
        computed goto 22:3-22:11
        macro 23:3-23:11 CHECK
        asm 24:3-24:39
        label 25:1-25:5 out
        return 26:3-26:16 `i + 1`
      ! 23:3-23:11 `CHECK` without a `;` may be a macro that hides a loop or a branch
    "#);
}

#[test]
fn a_pragma_before_an_unbraced_body() {
    let text = "void f(int n) {\n  if (n)\n#pragma A\n    g();\n  else\n#pragma B\n#pragma C\n    for (int i = 0; i < n; i++)\n#pragma D\n      h(i);\n  k();\n#pragma E\n}\n#pragma F\n";
    insta::assert_snapshot!(shown(text), @r#"
    #pragma 14:1 | F
    function f(n) 1:1-13:2
      block 1:15-13:2
        if 2:3-10:12 cond `n` with else
          #pragma 3:1 before 4:5 | A
          expr 4:5-4:9
          #pragma 6:1 before 8:5 | B
          #pragma 7:1 before 8:5 | C
          for 8:5-10:12 init `int i = 0` cond `i < n` step `i++` declares i
            #pragma 9:1 before 10:7 | D
            expr 10:7-10:12
        expr 11:3-11:7
        #pragma 12:1 | E
    "#);
}

#[test]
fn pragma_text_is_logical() {
    let text = "void f() {\n  #  pragma omp target \\\r\n   map(to: a) /* b\n c */ if(1) // d \\\n e\n  g();\n}";
    let tree = parse(text.as_bytes(), &[]);
    assert_eq!(tree.pragmas[0].text, "omp target    map(to: a)   if(1)");
    let before = tree.pragmas[0].before.unwrap();
    let span = tree.stmt(before).span;
    assert_eq!(&text[span.start..span.end], "g();");
    assert!(text[tree.pragmas[0].span.start..tree.pragmas[0].span.end].ends_with(" e"));
}

#[test]
fn pragma_operators_and_macros() {
    let text = "#define OMP(x) _Pragma(#x)\n#define MIX _Pragma(\"x\") for (;;)\nvoid f() {\n  _Pragma(\"omp parallel for if(\\\"a\\\")\")\n  for (;;) OMP(omp atomic\n update) x++;\n  MIX { g(); }\n}\n";
    insta::assert_snapshot!(shown(text), @r#"
    function f() 3:1-8:2
      block 3:10-8:2
        _Pragma 4:3 before 5:3 | omp parallel for if("a")
        for 5:3-6:14
          _Pragma 5:12 before 6:10 | omp atomic update
          expr 6:10-6:14
        macro 7:3-7:15 MIX
          block 7:7-7:15
            expr 7:9-7:13
      ! 7:3-7:6 the macro `MIX` hides a pragma
      ! 7:3-7:6 the macro `MIX` hides control flow
    "#);
    assert_eq!(parse(text.as_bytes(), &[]).pragma_macros, ["MIX", "OMP"]);
}

#[test]
fn pragmas_before_labels_and_after_the_last_statement() {
    let text = "void f(int n) {\n  switch (n) {\n#pragma A\n  case 1:\n#pragma B\n    g();\n#pragma C\n  L:\n    ;\n#pragma D\n  }\n}\n";
    insta::assert_snapshot!(shown(text), @r#"
    function f(n) 1:1-12:2
      block 1:15-12:2
        switch 2:3-11:4 cond `n`
          block 2:14-11:4
            #pragma 3:1 before 4:3 | A
            case 4:3-4:10 `1`
            #pragma 5:1 before 6:5 | B
            expr 6:5-6:9
            #pragma 7:1 before 8:3 | C
            label 8:3-8:5 L
            empty 9:5-9:6
            #pragma 10:1 | D
    "#);
}

#[test]
fn conditionals_around_statements_and_braces() {
    let text = "void f(int n) {\n#if A\n  for (int i = 0; i < n; i++) {\n#else\n  if (n) {\n#endif\n    g();\n  }\n#if B\n  }\n#endif\n}\n";
    let dead = between_conditionals(text, &[1, 3]);
    insta::assert_snapshot!(dump(&parse(text.as_bytes(), &dead), text.as_bytes()), @r#"
    function f(n) 1:1-12:2
      block 1:15-12:2
        for 3:3-8:4 init `int i = 0` cond `i < n` step `i++` declares i
          block 3:31-8:4
            expr 7:5-7:9
    "#);
    assert_eq!(parse(text.as_bytes(), &dead).conditionals.len(), 5);
}

#[test]
fn braces_that_pair_only_in_one_branch_are_a_problem_without_the_branches() {
    let text = "void f(int n) {\n#if A\n  if (n) {\n#else\n  while (n) {\n#endif\n    g();\n  }\n}\nvoid h(void) { }\n";
    let blind = parse(text.as_bytes(), &[]);
    let of_functions = blind.functions.iter().map(|f| f.problems.len()).sum::<usize>();
    assert!(blind.problems.len() + of_functions > 0);
    let seeing = parse(text.as_bytes(), &between_conditionals(text, &[1]));
    assert_eq!(
        seeing.functions.iter().map(|f| f.problems.len()).collect::<Vec<_>>(),
        [0, 0]
    );
    assert_eq!(seeing.problems, []);
}

#[test]
fn crlf_tabs_odd_bytes_and_no_final_newline() {
    let text =
        b"/* \xe9\xff */\r\nvoid f(void)\r\n{\r\n#pragma omp x \\\r\n y\r\n\tg(\"\xc3\"); // \xe9\r\n\treturn;\r\n}";
    let tree = parse(text, &[]);
    assert_eq!(tree.pragmas[0].text, "omp x  y");
    assert_eq!(
        tree.pragmas[0].span.end,
        text.windows(3).position(|w| w == b"y\r\n").unwrap() + 1
    );
    assert_eq!(tree.functions[0].problems, []);
    assert_eq!(tree.functions[0].span.end, text.len());
    let kinds: Vec<&StmtKind> = tree.stmts.iter().map(|s| &s.kind).collect();
    assert_eq!(
        kinds,
        [&StmtKind::Block, &StmtKind::Expr, &StmtKind::Return { value: None }]
    );
    assert_eq!(tree.pragmas[0].before, Some(StmtId(1)));
}

#[test]
fn what_is_not_described_is_a_problem_of_its_function() {
    let text = r#"void a() { int x = ({ int y = 1; y; }); }
void b() { void in(void) { g(); } in(); }
void c() { void *p = &&L; L: g(); }
void d() { if (x) L: g(); }
void e() { FOR_ALL(i, n) { g(); } }
void f() { x = (1 + ; }
void g(void) { h(); }
int = 3;
"#;
    insta::assert_snapshot!(shown(text), @r#"
    function a() 1:1-1:42
      block 1:10-1:42
        decl 1:12-1:40 x
      ! 1:21-1:38 a statement expression `({ … })` hides statements
    function b() 2:1-2:42
      block 2:10-2:42
        error 2:12-2:34
        expr 2:35-2:40
      ! 2:12-2:34 a function inside a function is not described
    function c() 3:1-3:36
      block 3:10-3:36
        decl 3:12-3:26 p
        label 3:27-3:29 L
        expr 3:30-3:34
      ! 3:22-3:24 takes the address of a label (`&&label`): jumps to it are not followed
    function d() 4:1-4:28
      block 4:10-4:28
        error 4:12-4:26
          label 4:19-4:21 L
          expr 4:22-4:26
      ! 4:12-4:26 a label on a body without braces
    function e() 5:1-5:36
      block 5:10-5:36
        macro 5:12-5:34 FOR_ALL
          block 5:26-5:34
            expr 5:28-5:32
      ! 5:12-5:25 `FOR_ALL` before a block is a macro that hides control flow
    function f() 6:1-6:24
      block 6:10-6:24
        error 6:14-6:20
      ! 6:14-6:20 does not parse as C: `= (1 +`
    function g() 7:1-7:22
      block 7:14-7:22
        expr 7:16-7:20
    ! 8:4-8:4 does not parse as C: `identifier` is missing
    "#);
}

#[test]
fn old_and_unusual_function_heads() {
    let text = "int f(a, b) int a; char *b; { return a; }\n\
                int (*g(int n))(void) { return 0; }\n\
                static inline __attribute__((noinline)) T *h(struct s *s) { return 0; }\n\
                EXPORT void l(int n, T MATRIX(a, n + 1)) { end: }\n\
                extern \"C\" { void k() { ; } }\n";
    let tree = parse(text.as_bytes(), &[]);
    let heads: Vec<String> = tree
        .functions
        .iter()
        .map(|f| format!("{} {:?}", f.name, f.params.iter().map(|p| &p.name).collect::<Vec<_>>()))
        .collect();
    assert_eq!(
        heads,
        ["f [\"a\", \"b\"]", "g [\"n\"]", "h [\"s\"]", "l [\"n\", \"a\"]", "k []"]
    );
    assert!(tree.functions.iter().all(|f| f.problems.is_empty()), "{}", shown(text));
}

#[test]
fn nesting_is_capped_without_overflow() {
    for depth in [400, 5_000, 100_000] {
        let text = format!("void f() {{ {} ; {} }}", "{".repeat(depth), "}".repeat(depth));
        let tree = parse(text.as_bytes(), &[]);
        assert_eq!(
            dump(&tree, text.as_bytes()).contains("nest deeper"),
            depth > build::MAX_NESTING
        );
    }
    for depth in [900, 50_000] {
        let text = format!("void f() {{ x = {}1{}; }}", "(".repeat(depth), ")".repeat(depth));
        assert_eq!(
            parse(text.as_bytes(), &[]).stmts.len(),
            if depth == 900 { 2 } else { 0 }
        );
    }
    for unbraced in ["for (int i = 0;;) ", "if (a) ", "- - ", "x = ", "a + "] {
        let text = format!("void f() {{ {} x; }}", unbraced.repeat(20_000));
        assert!(!dump(&parse(text.as_bytes(), &[]), text.as_bytes()).is_empty());
    }
    let chain = "if (a) b(); else ".repeat(450);
    let tree = parse(format!("void f() {{ {chain} c(); }}").as_bytes(), &[]);
    assert_eq!(tree.functions[0].problems, []);
    assert_eq!(tree.stmts.len(), 2 + 2 * 450);
}
