//! Properties of the scope tree, on generated programs and on garbage.

use super::*;
use proptest::prelude::*;

/// Children lie within their parents, are disjoint and sorted; ids and links agree.
fn check_shape(tree: &ScopeTree) {
    for (index, stmt) in tree.stmts.iter().enumerate() {
        let id = StmtId(index as u32);
        let mut end = stmt.span.start;
        for &child in &stmt.children {
            assert!(child > id);
            assert_eq!(tree.stmt(child).parent, Some(id));
            assert!(stmt.span.encloses(tree.stmt(child).span));
            assert!(end <= tree.stmt(child).span.start);
            end = tree.stmt(child).span.end;
        }
        let function = &tree.functions[stmt.function as usize];
        assert_eq!(stmt.parent.is_none(), function.body == id);
        assert!(function.span.encloses(stmt.span));
    }
    for f in 0..tree.functions.len() {
        let (stmts, pragmas) = (tree.stmts.iter().enumerate(), tree.pragmas.iter().enumerate());
        let stmts = stmts.filter(|(_, s)| s.function as usize == f);
        let pragmas = pragmas.filter(|(_, p)| p.function == Some(f as u32));
        assert!(tree.stmts_of(f).eq(stmts.map(|(at, _)| StmtId(at as u32))));
        assert!(tree.pragma_ids_of(f).eq(pragmas.map(|(at, _)| PragmaId(at as u32))));
    }
    for pragma in &tree.pragmas {
        if let Some(before) = pragma.before {
            assert_eq!(tree.stmt(before).parent, pragma.inside);
            assert!(pragma.span.end <= tree.stmt(before).span.start);
        }
    }
}

/// Statements as text, with the number of statements that they are in the tree.
fn statement() -> impl Strategy<Value = (String, usize)> {
    let leaf = prop_oneof![
        Just(("x = f(y);".to_owned(), 1)),
        Just((";".to_owned(), 1)),
        Just(("int z[3] = { 1, 2 };".to_owned(), 1)),
        Just(("return (x);".to_owned(), 1)),
        Just(("break;".to_owned(), 1)),
    ];
    leaf.prop_recursive(6, 64, 4, |inner| {
        // Only a braced statement may be a declaration, or end in an `if` that would take the `else`.
        let block = prop::collection::vec((inner, any::<bool>()), 0..4).prop_map(|members| {
            let mut text = "{\n".to_owned();
            for ((member, _), pragma) in &members {
                text += if *pragma { "#pragma omp x \\\n y\n" } else { "" };
                text += member;
                text += "\n";
            }
            (
                text + "}",
                1 + members.iter().map(|((_, count), _)| count).sum::<usize>(),
            )
        });
        let simple = prop_oneof![block.clone(), Just(("g(x);".to_owned(), 1))];
        prop_oneof![
            block,
            (simple.clone(), simple.clone())
                .prop_map(|((a, n), (b, m))| (format!("if (x)\n#pragma p\n{a} else {b}"), 1 + n + m)),
            simple
                .clone()
                .prop_map(|(a, n)| (format!("for (int i = 0; i < n; i++)\n#pragma omp y\n{a}"), 1 + n)),
            simple.clone().prop_map(|(a, n)| (format!("while (x) {a}"), 1 + n)),
            simple.clone().prop_map(|(a, n)| (format!("do {a} while (x);"), 1 + n)),
            simple.prop_map(|(a, n)| (format!("switch (x) {{ case 1: {a} default: ; }}"), 5 + n)),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn generated_programs_are_understood((body, count) in statement()) {
        let text = format!("void f(int x) {{ {body} }}\n");
        let tree = parse(text.as_bytes(), &[]);
        prop_assert_eq!(tree.stmts.len(), count + 1, "{}", dump(&tree, text.as_bytes()));
        prop_assert_eq!(&tree.functions[0].problems, &[]);
        let pragmas_without_statement = tree.pragmas.iter().filter(|pragma| pragma.before.is_none()).count();
        prop_assert_eq!(pragmas_without_statement, 0);
        check_shape(&tree);
    }

    #[test]
    fn any_bytes_parse(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let tree = parse(&bytes, &[]);
        check_shape(&tree);
        dump(&tree, &bytes);
        marked_text(&bytes);
    }

    #[test]
    fn any_tokens_parse(words in prop::collection::vec(prop::sample::select(vec![
        "{", "}", "(", ")", ";", ":", "if", "else", "for", "while", "do", "switch", "case", "default", "goto", "int",
        "x", "M(", "f", "void f() {", "\n#pragma p\n", "\n#define M(x) _Pragma(#x)\n", "\n#if\n", "\n#endif\n",
        "_Pragma(\"p\")", "\"", "'", "/*", "*/", "//", "\\\n", "&&", "=", ",", "...", "?", "struct", "asm", "return",
        "\n#define N for (;;)\n", "N", "*",
    ]), 0..60), cut in 0usize..200) {
        let text = words.join(" ");
        let inactive = [Span::new(cut, cut + 20)];
        let tree = parse(text.as_bytes(), &inactive);
        check_shape(&tree);
        dump(&tree, text.as_bytes());
    }
}
