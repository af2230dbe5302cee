//! Instructions: loops, subscripts, calls, branches, and their places.

use super::*;
use crate::program::ir::{Attrs, Callee, Loc, Op, Operand, Type};

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
        Attrs::default(),
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
fn integers_beyond_64_bits_and_single_bits() {
    let module = read("void f(_Bool *b, __int128 *v) { *b = 1; *v = ((__int128)1 << 100) + 5; }");
    let lines = body(&module, "f");
    has(&lines, "store i8 1, %4");
    has(&lines, &format!("store i128 {}, %6", (1_i128 << 100) + 5));
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
