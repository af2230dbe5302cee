//! Variables, globals, structs, and their source types.

use super::*;
use crate::program::ir::{Loc, Op, Operand, SourceType, Type};

#[test]
fn variables_have_names_types_and_places() {
    let module = read(SUBSCRIPT);
    let k = function(&module, "k");
    let names: Vec<&str> = k.variables.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names, ["n", "m", "a", "i", "j"]);
    let args: Vec<Option<u32>> = k.variables.iter().map(|v| v.arg).collect();
    assert_eq!(args, [Some(0), Some(1), Some(2), None, None]);
    assert_eq!(k.variables[2].source_type.to_string(), "restrict ptr to float8");
    assert_eq!(k.variables[2].decl, Some(Loc { line: 1, col: 39 }));
    assert_eq!(k.variables[4].decl, Some(Loc { line: 3, col: 14 }));
    assert!(k.variables.iter().all(|v| v.alloca.is_some() && !v.vla));
}

#[test]
fn source_types_lose_typedefs_and_keep_qualifiers_of_pointers() {
    let module = read(
        "typedef const float cf; typedef cf *pcf; enum e { A, B }; struct s { int x; }; typedef struct { char c; } anon;
         void f(pcf a, int (*b)[4][5], const char *const *c, enum e d, anon *g, struct s h[3], void (*p)(void),
                unsigned char u, _Bool t, long double l, void *v) {}",
    );
    let types: Vec<String> = function(&module, "f")
        .variables
        .iter()
        .map(|v| v.source_type.to_string())
        .collect();
    let expected = [
        "ptr to const float4",
        "ptr to int4[4][5]",
        "ptr to const ptr to const int1",
        "uint4",
        "ptr to record anon size 1",
        "ptr to record s size 4",
        "ptr to function",
        "uint1",
        "uint1",
        "float16",
        "ptr to unknown",
    ];
    assert_eq!(types, expected);
}

#[test]
fn variable_length_arrays() {
    let module =
        read("double f(int n, int m, double a[n][m]) { double v[n][m]; v[1][2] = a[3][4]; return v[n-1][0]; }");
    let f = function(&module, "f");
    let names: Vec<&str> = f.variables.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names, ["n", "m", "a", "v"], "the hidden extents are no variables");
    assert_eq!(f.variables[2].source_type.to_string(), "ptr to float8[?]");
    let v = &f.variables[3];
    assert!(v.vla);
    assert_eq!(
        v.source_type,
        SourceType::Array {
            elem: Box::new(SourceType::Float { bytes: 8 }),
            dims: vec![None, None]
        }
    );
    let alloca = f.inst(v.alloca.expect("a VLA has storage"));
    assert!(matches!(
        &alloca.op,
        Op::Alloca {
            ty: Type::Float(64),
            count: Some(Operand::Inst(_))
        }
    ));
    assert!(
        f.insts
            .iter()
            .any(|i| matches!(&i.op, Op::Other { mnemonic, touches_memory: false, .. } if mnemonic == "stacksave"))
    );
}

#[test]
fn struct_fields_have_source_names() {
    let module = read(
        "typedef struct { double re, im; } cplx;
         struct sim { double *restrict x; int n; unsigned f:3, g:5; struct { int p, q; } in; cplx c[4];
                      union { int i; float r; } u; };
         double f(struct sim *s, int i) { s->in.q = s->u.i; return s->x[i] + s->c[i].im + s->n; }",
    );
    let find = |name: &str| {
        module
            .structs
            .iter()
            .find(|s| s.name == name)
            .expect("the struct is there")
    };
    assert_eq!(find("struct.sim").field_names, ["x", "n", "", "in", "c", "u"]);
    assert_eq!(find("struct.sim").field_types[0].to_string(), "restrict ptr to float8");
    assert_eq!(find("struct.sim").offsets, [0, 8, 12, 16, 24, 88]);
    assert_eq!(find("struct.cplx").field_names, ["re", "im"]);
    assert_eq!(find("struct.anon").field_names, ["p", "q"]);
    assert_eq!(find("union.anon").field_names, [""]);
    let lines = body(&module, "f");
    has(&lines, "gep struct.sim, %4 [0, 5]");
}

#[test]
fn two_records_of_one_name_and_size_name_nothing() {
    let module = read(
        "int f(void *p) { struct t { int a, b; }; return ((struct t *)p)->b; }
         int g(void *p) { struct t { int c, d; }; return ((struct t *)p)->d; }",
    );
    assert!(
        module
            .structs
            .iter()
            .all(|s| s.field_names.iter().all(String::is_empty)),
        "{module}"
    );
}

#[test]
fn globals() {
    let module = read(
        "double g[10][20]; static int tab[3] = {1, 2, 3}; int answer = -42; extern int ext[];
int *ptrs[2] = { &tab[1], &answer };
const char *msg = \"hi\";
void h(void); void (*table[])(void) = { 0, h };
int f(void) { static int cnt; cnt++; return ext[1] + g[1][2]; }
",
    );
    let find = |name: &str| {
        module
            .globals
            .iter()
            .find(|g| g.name == name)
            .expect("the global is there")
    };
    let g = find("g");
    assert_eq!((g.size, g.internal, g.external), (1600, false, false));
    assert_eq!(
        g.source_type.as_ref().map(ToString::to_string).as_deref(),
        Some("float8[10][20]")
    );
    assert_eq!(g.decl, Some(Loc { line: 1, col: 8 }));
    assert!(find("tab").internal);
    assert_eq!(find("answer").init_int, Some(-42));
    assert!(find("ext").external);
    let pointers: Vec<String> = find("ptrs")
        .init_pointers
        .iter()
        .map(|(at, to)| format!("{at} {}", module.operand_text(to)))
        .collect();
    assert_eq!(pointers, ["0 (@tab + 4)", "8 @answer"]);
    assert!(matches!(find("table").init_pointers[..], [(8, Operand::Function(_))]));
    let cnt = find("cnt");
    assert_eq!((cnt.in_function.as_deref(), cnt.internal), (Some("f"), true));
    assert_eq!(cnt.decl, Some(Loc { line: 5, col: 26 }));
    assert!(matches!(find("msg").init_pointers[..], [(0, Operand::Global(id))] if module.global(id).constant));
    let lines = body(&module, "f");
    has(&lines, "load i32, (@ext + 4)");
    has(&lines, "load f64, (@g + 176)");
}

#[test]
fn arguments_are_numbered_as_calls_pass_them() {
    let module = read(
        "struct big { double a[8]; }; struct pair { double *x; long n; };
         struct big f(struct pair p, struct big b, int n) { b.a[n] = p.x[p.n]; return b; }",
    );
    let f = function(&module, "f");
    let args: Vec<(&str, Option<u32>, bool)> = f
        .variables
        .iter()
        .map(|v| (v.name.as_str(), v.arg, v.alloca.is_some()))
        .collect();
    assert_eq!(
        args,
        [("p", Some(1), true), ("b", Some(3), false), ("n", Some(4), true)]
    );
    assert_eq!(f.params.len(), 5);
}
