//! Small C texts through clang, and what the analyses are promised about them. Needs clang 19, like the tool itself.

use std::path::Path;

use super::*;
use crate::program::ir::{Callee, Function, Loc, Module, Op, Operand, SourceType, Type};

fn try_read(text: &str) -> Result<Module, LlvmError> {
    let clang = find_clang(None)?;
    analyse_file(
        &clang,
        &Input::text(Path::new("t.c"), text.as_bytes()),
        &ClangOptions::default(),
    )
}

fn read(text: &str) -> Module {
    try_read(text).expect("the test's C compiles")
}

fn function<'a>(module: &'a Module, name: &str) -> &'a Function {
    module.function(module.find_function(name).expect("the function is there"))
}

/// The dump of one function's instructions, one line each, without places.
fn body(module: &Module, name: &str) -> Vec<String> {
    let function = function(module, name);
    function
        .insts
        .iter()
        .map(|inst| module.inst_text(function, inst))
        .collect()
}

#[track_caller]
fn has(lines: &[String], line: &str) {
    assert!(
        lines.iter().any(|l| l == line),
        "no line `{line}` in\n{}",
        lines.join("\n")
    );
}

const SUBSCRIPT: &str = "void k(int n, int m, double *restrict a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i*m+j] = 2.0;
}
";

#[test]
fn a_loop_nest_with_a_subscript() {
    let module = read(SUBSCRIPT);
    let lines = body(&module, "k");
    has(&lines, "store i32 $0, %0 (n)");
    has(&lines, "cmp lt signed %10, %11");
    has(&lines, "mul nsw i32 %21, %22");
    has(&lines, "gep f64, %20 [%26]");
    has(&lines, "store f64 2.0, %27");
    let k = function(&module, "k");
    let latches: Vec<Loc> = k
        .insts
        .iter()
        .filter_map(|inst| match inst.op {
            Op::Br { latch, .. } => latch,
            _ => None,
        })
        .collect();
    assert_eq!(
        latches,
        [Loc { line: 3, col: 5 }, Loc { line: 2, col: 3 }],
        "the inner loop's latch comes first"
    );
    let places = |wanted: &dyn Fn(&Op) -> bool| {
        k.insts
            .iter()
            .find(|inst| wanted(&inst.op))
            .and_then(|inst| inst.loc)
            .map(|loc| (loc.line, loc.col))
    };
    assert_eq!(
        places(&|op| matches!(op, Op::Gep { .. })),
        Some((4, 7)),
        "the element's own place"
    );
    assert_eq!(
        places(&|op| matches!(
            op,
            Op::Store {
                value: Operand::Float(_),
                ..
            }
        )),
        Some((4, 16)),
        "the `=`"
    );
    assert_eq!(k.decl, Some(Loc { line: 1, col: 6 }));
    assert!(!k.in_header && !k.internal && !k.declaration);
}

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
fn macros_have_the_place_of_their_use() {
    let module = read("#define SET(a, i) a[i] = 1\nvoid f(int *a, int i) {\n  SET(a, i + 1);\n}\n");
    let f = function(&module, "f");
    let store = f.insts.iter().find(|i| {
        matches!(
            i.op,
            Op::Store {
                value: Operand::Int(1),
                ..
            }
        )
    });
    assert_eq!(store.and_then(|i| i.loc), Some(Loc { line: 3, col: 3 }));
}

#[test]
fn calls_and_memory_intrinsics() {
    let module = read(
        "#include <string.h>\n#include <stdlib.h>\n#include <math.h>\n
         typedef struct { double a[16]; } big;
         void f(double *p, big *b, void (*q)(int)) {
           memset(p, 0, 80); memcpy(p, p + 20, 8); *b = b[1]; q(3); p[0] = sqrt(fabs(p[1])); __asm__ volatile(\"\");
           if (!p) abort();
         }",
    );
    let lines = body(&module, "f");
    assert!(
        lines
            .iter()
            .any(|l| l.starts_with("call void @memset(") && l.ends_with(", 0, 80)")),
        "{lines:?}"
    );
    assert_eq!(lines.iter().filter(|l| l.starts_with("call void @memcpy(")).count(), 2);
    assert!(
        lines
            .iter()
            .any(|l| l.starts_with("call void *%") && l.ends_with("(3)"))
    );
    assert!(lines.iter().any(|l| l.contains("@sqrt(%")));
    has(&lines, "call void asm()");
    assert_eq!(module.functions.iter().filter(|f| f.name == "memcpy").count(), 1);
    assert_eq!(
        function(&module, "memset").params,
        [Type::Ptr, Type::Int(8), Type::Int(64)]
    );
    assert!(function(&module, "memcpy").attrs.argmem_only);
    assert!(function(&module, "sqrt").attrs.memory_none);
    assert!(function(&module, "abort").attrs.noreturn);
    assert!(
        module.functions.iter().all(|f| !f.name.starts_with("llvm.")),
        "{module}"
    );
}

#[test]
fn library_functions_have_inferred_attributes() {
    let module = read("unsigned long strlen(const char *); unsigned long f(const char *s) { return strlen(s); }");
    let attrs = function(&module, "strlen").attrs;
    assert!(attrs.argmem_only && attrs.memory_read && !attrs.memory_none);
    assert_eq!(
        function(&module, "f").attrs,
        crate::program::ir::Attrs::default(),
        "defined functions are not inferred"
    );
}

#[test]
fn a_function_named_like_an_intrinsic_is_not_it() {
    let module = read("static void trap(int *p) { *p = 1; } void f(int *p) { trap(p); __builtin_trap(); }");
    let lines = body(&module, "f");
    has(&lines, "call void @trap(%2)");
    has(&lines, "call void @llvm.trap()");
}

#[test]
fn switches_conditions_and_choices() {
    let module = read(
        "int f(int n, int m, int *p) {
           while (n > 0 && m < 3) n -= *p ? m : 7;
           switch (n) { case 1: m = 2; break; case -3: m = 3; default: return 0; }
           do m--; while (m);
           return n > m ? n : m;
         }",
    );
    let lines = body(&module, "f");
    has(&lines, "phi i1 [0, while.cond], [%12, land.rhs]");
    assert!(
        lines
            .iter()
            .any(|l| l.starts_with("switch %") && l.ends_with("default sw.default, 1 sw.bb, -3 sw.bb2"))
    );
    assert!(
        lines
            .iter()
            .any(|l| l.starts_with("br %") && l.ends_with("do.body, do.end latch of 4:12")),
        "{lines:?}"
    );
    let f = function(&module, "f");
    let switch = f
        .blocks
        .iter()
        .find(|b| b.label == "while.end")
        .expect("the block before the switch");
    assert_eq!(switch.succs.len(), 3);
    for (index, block) in f.blocks.iter().enumerate() {
        assert!(block.first < block.end);
        assert!((block.first.0..block.end.0).all(|i| f.insts[i as usize].block.0 as usize == index));
    }
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

#[test]
fn integers_beyond_64_bits_and_single_bits() {
    let module = read("__int128 f(_Bool *b) { *b = 1; return ((__int128)1 << 100) + 5; }");
    let lines = body(&module, "f");
    has(&lines, "store i8 1, %3");
    has(&lines, &format!("store i128 {}, %0", (1_i128 << 100) + 5));
}

#[test]
fn atomics_and_volatile() {
    let module = read("int f(_Atomic int *a, volatile int *v) { *v = 1; *a += 2; return *a; }");
    let lines = body(&module, "f");
    has(&lines, "store volatile i32 1, %4");
    assert!(lines.iter().any(|l| l.starts_with("atomic i32 ")), "{lines:?}");
    assert!(lines.iter().any(|l| l.starts_with("load volatile i32, %")), "{lines:?}");
}

#[test]
fn calls_through_an_alias_reach_the_function() {
    let module = read("void g(void) {} void a(void) __attribute__((alias(\"g\"))); void f(void) { a(); }");
    let f = function(&module, "f");
    let Op::Call {
        callee: Callee::Direct(id),
        ..
    } = f.insts[0].op
    else {
        panic!("a direct call: {:?}", f.insts[0])
    };
    assert_eq!(module.function(id).name, "g");
}

#[test]
fn line_directives_do_not_move_code() {
    let module = read("#line 100 \"other.c\"\nint f(int *a) {\n  return a[1];\n}\n");
    let f = function(&module, "f");
    assert!(!f.in_header);
    assert!(
        f.insts.iter().any(|i| i.loc == Some(Loc { line: 3, col: 10 })),
        "{module}"
    );
    assert_eq!(module.notes.len(), 1);
}

#[test]
fn openmp_is_defined_and_kernels_stay_in_line() {
    let module =
        read("#ifdef _OPENMP\nint v = _OPENMP;\n#endif\nvoid f(int *a) {\n#pragma omp target teams\n  a[0] = 1;\n}\n");
    assert_eq!(module.globals[0].init_int, Some(202_011));
    assert_eq!(module.functions.len(), 1);
}

#[test]
fn a_rejected_file_says_why() {
    match try_read("int f( { return 0; }\n") {
        Err(LlvmError::Rejected { file, stderr }) => {
            assert_eq!(file, Path::new("t.c"));
            assert!(stderr.starts_with("t.c:1:8: error: "), "{stderr}");
        }
        other => panic!("clang refuses this: {other:?}"),
    }
}

#[test]
fn files_on_disk_are_seen_under_their_own_name() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::create_dir(folder.path().join("src")).expect("a folder");
    std::fs::write(folder.path().join("src/h.h"), "static int one(void) { return 1; }\n").expect("a header");
    std::fs::write(folder.path().join("src/a.c"), "#error not what is analysed\n").expect("a file");
    let text = b"#include \"h.h\"\nint f(void) {\n  return one() + N;\n}\nchar name[] = __FILE__;\n";
    let options = ClangOptions {
        flags: vec!["-DN=2".to_owned(), "-O2".to_owned(), "-fopenmp".to_owned()],
        working_dir: folder.path().to_owned(),
        ..ClangOptions::default()
    };
    let clang = find_clang(None).expect("clang 19");
    let input = Input::text(Path::new("src/a.c"), text);
    let module = analyse_file(&clang, &input, &options).expect("the snapshot compiles");
    assert!(function(&module, "one").in_header);
    assert!(function(&module, "one").insts.iter().all(|i| i.loc.is_none()));
    assert_eq!(function(&module, "f").decl, Some(Loc { line: 2, col: 5 }));
    assert_eq!(module.globals[0].size, "src/a.c".len() as u64 + 1);
    assert!(matches!(
        analyse_file(&clang, &Input::file(Path::new("src/a.c")), &options),
        Err(LlvmError::Rejected { stderr, .. }) if stderr.contains("not what is analysed")
    ));
    assert!(matches!(
        analyse_file(&clang, &Input::file(Path::new("src/b.c")), &options),
        Err(LlvmError::Unreadable { .. })
    ));
}

#[test]
fn directives_are_checked_only_when_asked() {
    let clang = find_clang(None).expect("clang 19");
    let text = b"void f(int *a) {\n#pragma omp target map(nonsense: a)\n  a[0] = 1;\n}\n";
    let input = Input::text(Path::new("t.c"), text);
    let options = ClangOptions::default();
    assert!(syntax_only(&clang, &input, &options, false).is_ok());
    assert!(matches!(
        syntax_only(&clang, &input, &options, true),
        Err(LlvmError::Rejected { .. })
    ));
}

#[test]
fn preprocessing_sees_openmp_either_way() {
    let clang = find_clang(None).expect("clang 19");
    let input = Input::text(Path::new("t.c"), b"int v = _OPENMP;\n");
    for openmp in [false, true] {
        let out = preprocess(&clang, &input, &ClangOptions::default(), openmp).expect("it preprocesses");
        assert!(String::from_utf8_lossy(&out).contains("int v = 202011;"));
    }
}

#[test]
fn markers_of_active_branches_survive() {
    let clang = find_clang(None).expect("clang 19");
    let mut text = String::new();
    for (number, line) in ["#if N > 3", "#elif defined _OPENMP", "#else", "#endif"]
        .iter()
        .enumerate()
    {
        text.push_str(&format!("{line}\n{MARKER}{number}\n"));
    }
    let input = Input::text(Path::new("t.c"), text.as_bytes());
    let survivors = |n: &str| {
        let options = ClangOptions {
            flags: vec![format!("-DN={n}")],
            ..ClangOptions::default()
        };
        surviving_markers(&clang, &input, &options)
            .expect("it preprocesses")
            .into_iter()
            .collect::<Vec<u32>>()
    };
    assert_eq!(survivors("4"), [0, 3]);
    assert_eq!(survivors("3"), [1, 3]);
}

#[test]
fn headers_that_do_not_survive_all_declarations() {
    let module = read("#include <immintrin.h>\nint f(int *a) { return a[1]; }\n");
    assert!(!function(&module, "f").in_header);
    assert_eq!(module.notes.len(), 1);
}

#[test]
fn damaged_bitcode_is_an_error() {
    let clang = find_clang(None).expect("clang 19");
    let input = Input::text(Path::new("t.c"), SUBSCRIPT.as_bytes());
    let (bytes, _) =
        clang::bitcode(&clang, &input, SUBSCRIPT.as_bytes(), &ClangOptions::default()).expect("the test's C compiles");
    let read = |bytes: &[u8]| Bitcode::read(&Context::create(), bytes).err();
    assert_eq!(read(&bytes), None);
    assert!(read(b"").is_some());
    assert!(read(b"not bitcode at all").is_some());
    for eighth in 1..8 {
        assert!(read(&bytes[..(bytes.len() * eighth / 8) & !3]).is_some());
    }
}

#[test]
fn files_can_be_read_in_parallel() {
    let dumps: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4).map(|_| scope.spawn(|| read(SUBSCRIPT).to_string())).collect();
        workers
            .into_iter()
            .map(|worker| worker.join().expect("no panic"))
            .collect()
    });
    assert!(
        dumps
            .iter()
            .all(|dump| *dump == dumps[0] && dump.contains("latch of 2:3"))
    );
}

#[test]
fn wrong_compilers_are_refused() {
    assert!(matches!(
        find_clang(Some(Path::new("/nonexistent/clang"))),
        Err(LlvmError::CannotRun { .. })
    ));
    assert!(matches!(
        find_clang(Some(Path::new("true"))),
        Err(LlvmError::WrongVersion { .. })
    ));
}
