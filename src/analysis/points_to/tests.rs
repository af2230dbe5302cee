use super::*;
use crate::program::ir::{BinOp, Cast, Op, Type};
use crate::program::ir_build::{ModuleBuilder, inst_id};

const INT: Type = Type::Int(32);
const LONG: Type = Type::Int(64);
const DOUBLE: Type = Type::Float(64);
const PTR: Type = Type::Ptr;

fn names(p: &PointsTo, locs: &[MemLoc]) -> Vec<String> {
    let show = |l: &MemLoc| match l.field {
        Field::Offset(0) => p.object(l.object).name.clone(),
        Field::Offset(at) => format!("{}+{at}", p.object(l.object).name),
        Field::Any => format!("{}+?", p.object(l.object).name),
    };
    locs.iter().map(show).collect()
}

/// Two locations, no common object.
fn disjoint(p: &PointsTo, a: &[MemLoc], b: &[MemLoc]) -> bool {
    a.iter().all(|&a| b.iter().all(|&b| !p.may_alias(a, b)))
}

/// `main` with a `malloc`; the closure gets both.
fn closed_main(
    build: impl FnOnce(&mut crate::program::ir_build::BodyBuilder<'_>, FuncId),
) -> (Module, PointsTo, FuncId) {
    let mut m = ModuleBuilder::default();
    let malloc = m.declare("malloc", &[LONG], PTR);
    let main = m.function("main", &[], INT);
    m.body(main, |b| build(b, malloc));
    let module = m.finish();
    let p = PointsTo::solve(&module);
    assert!(p.closed());
    (module, p, main)
}

#[test]
fn after_a_swap_both_pointers_may_point_to_both_arrays() {
    let mut loads = Vec::new();
    let mut fresh = Vec::new();
    let (_, p, main) = closed_main(|b, malloc| {
        let (a, c, t) = (b.local("a", PTR), b.local("b", PTR), b.local("t", PTR));
        for v in [&a, &c] {
            let m = b.call(malloc, &[Operand::Int(80)]);
            b.store_ptr(v, &m);
            fresh.push(m);
        }
        b.in_loop(|b| {
            for (from, to) in [(&a, &t), (&c, &a), (&t, &c)] {
                let v = b.load_ptr(from);
                b.store_ptr(to, &v);
                loads.push(v);
            }
        });
    });
    let sites: Vec<MemLoc> = fresh.iter().flat_map(|f| p.of_operand(main, f).to_vec()).collect();
    assert_eq!(sites.len(), 2);
    assert!(!p.may_alias(sites[0], sites[1]));
    for load in &loads {
        assert_eq!(p.of_operand(main, load), sites);
    }
    assert!(sites.iter().all(|s| !p.object(s.object).many && !p.escapes(s.object)));
}

#[test]
fn struct_members_are_kept_apart_and_array_elements_are_not() {
    let mut m = ModuleBuilder::default();
    let malloc = m.declare("malloc", &[LONG], PTR);
    let sim = m.structure("struct.sim", &[(PTR, 0), (PTR, 8)], 16);
    let main = m.function("main", &[], INT);
    let (mut x, mut y) = (Operand::Null, Operand::Null);
    m.body(main, |b| {
        let s = b.local("s", Type::Array(Box::new(sim.clone()), 4));
        let third = b.index(&s, sim.clone(), Operand::Int(3));
        for k in 0..2 {
            let fresh = b.call(malloc, &[Operand::Int(8)]);
            let to = b.field(&third, &sim, k);
            b.store_ptr(&to, &fresh);
        }
        let first = b.index(&s, sim.clone(), Operand::Int(0));
        let (fx, fy) = (b.field(&first, &sim, 0), b.field(&first, &sim, 1));
        x = b.load_ptr(&fx);
        y = b.load_ptr(&fy);
    });
    let p = PointsTo::solve(&m.finish());
    let (x, y) = (p.of_operand(main, &x), p.of_operand(main, &y));
    assert_eq!((x.len(), y.len()), (1, 1));
    assert!(disjoint(&p, x, y));
}

#[test]
fn a_pointer_into_the_middle_is_the_same_array() {
    let mut found = Vec::new();
    let (_, p, main) = closed_main(|b, malloc| {
        let a = b.call(malloc, &[Operand::Int(80)]);
        let middle = b.index(&a, DOUBLE, Operand::Int(5));
        let bytes = b.index(&a, Type::Int(8), Operand::Int(40));
        let number = b.inst(
            Op::Cast {
                kind: Cast::PtrToInt,
                value: a.clone(),
                from: PTR,
            },
            LONG,
        );
        let sum = Op::Binary {
            op: BinOp::Add,
            lhs: number,
            rhs: Operand::Int(63),
            nsw: false,
        };
        let aligned = b.inst(sum, LONG);
        let back = b.inst(
            Op::Cast {
                kind: Cast::IntToPtr,
                value: aligned,
                from: LONG,
            },
            PTR,
        );
        found = vec![a, middle, bytes, back];
    });
    let first = p.of_operand(main, &found[0]).to_vec();
    assert_eq!(first.len(), 1);
    for other in &found[1..] {
        // The object has no members, so that even byte arithmetic stays at its one location.
        assert_eq!(p.of_operand(main, other), first);
    }
}

#[test]
fn an_integer_from_nowhere_points_outside() {
    let mut back = Operand::Null;
    let (_, p, main) = closed_main(|b, _| {
        let n = b.local("n", LONG);
        let v = b.load(&n, LONG);
        back = b.inst(
            Op::Cast {
                kind: Cast::IntToPtr,
                value: v,
                from: LONG,
            },
            PTR,
        );
    });
    assert_eq!(p.of_operand(main, &back), [MemLoc::whole(ObjectId::EXTERNAL)]);
}

#[test]
fn each_call_of_a_wrapper_is_an_object() {
    let mut m = ModuleBuilder::default();
    let malloc = m.declare("malloc", &[LONG], PTR);
    let exit = m.declare("exit", &[INT], Type::Void);
    let vec = m.internal("vec", &[LONG], PTR);
    let outer = m.internal("zeros", &[LONG], PTR);
    let main = m.function("main", &[], INT);
    m.body(vec, |b| {
        let p = b.local("p", PTR);
        let fresh = b.call(malloc, &[Operand::Arg(0)]);
        b.store_ptr(&p, &fresh);
        b.call(exit, &[Operand::Int(1)]);
        let v = b.load_ptr(&p);
        b.ret(Some(v));
    });
    m.body(outer, |b| {
        let v = b.call(vec, &[Operand::Arg(0)]);
        b.ret(Some(v));
    });
    let mut calls = Vec::new();
    m.body(main, |b| {
        calls.push(b.call(vec, &[Operand::Int(8)]));
        calls.push(b.call(outer, &[Operand::Int(8)]));
        b.in_loop(|b| calls.push(b.call(outer, &[Operand::Int(8)])));
    });
    let module = m.finish();
    let p = PointsTo::solve(&module);
    let sets: Vec<_> = calls.iter().map(|c| p.of_operand(main, c)).collect();
    assert!(sets.iter().all(|s| s.len() == 1));
    assert!(disjoint(&p, sets[0], sets[1]) && disjoint(&p, sets[1], sets[2]) && disjoint(&p, sets[0], sets[2]));
    let many: Vec<bool> = sets.iter().map(|s| p.object(s[0].object).many).collect();
    assert_eq!(many, [false, false, true]);
    let depths = sets.iter().map(|s| match &p.object(s[0].object).kind {
        ObjectKind::Heap { sites } => sites.len(),
        other => panic!("{other:?}"),
    });
    assert_eq!(depths.collect::<Vec<_>>(), [2, 3, 3]);
    // Inside the wrapper the pointer stands for all of them.
    assert_eq!(p.of_variable(&module, vec, VarId(0)).len(), 3);
}

#[test]
fn a_function_that_returns_an_old_pointer_is_no_wrapper() {
    let mut m = ModuleBuilder::default();
    let malloc = m.declare("malloc", &[LONG], PTR);
    let cache = m.global("cache", PTR, true);
    let get = m.internal("get", &[], PTR);
    let main = m.function("main", &[], INT);
    m.body(get, |b| {
        let fresh = b.call(malloc, &[Operand::Int(8)]);
        b.store_ptr(&Operand::Global(cache), &fresh);
        let v = b.load_ptr(&Operand::Global(cache));
        b.ret(Some(v));
    });
    let mut calls = Vec::new();
    m.body(main, |b| calls.extend([b.call(get, &[]), b.call(get, &[])]));
    let p = PointsTo::solve(&m.finish());
    assert!(!p.is_allocator(get));
    let (a, b) = (p.of_operand(main, &calls[0]), p.of_operand(main, &calls[1]));
    assert_eq!(a, b);
    assert!(p.object(a[0].object).many);
}

#[test]
fn locals_of_recursive_functions_are_many() {
    let mut m = ModuleBuilder::default();
    let f = m.internal("f", &[PTR], Type::Void);
    let main = m.function("main", &[], INT);
    let (mut own, mut arg) = (Operand::Null, Operand::Null);
    m.body(f, |b| {
        arg = b.param("x", 0, false);
        own = b.local("buffer", Type::Array(Box::new(DOUBLE), 8));
        b.call(f, &[own.clone()]);
    });
    let mut top = Operand::Null;
    m.body(main, |b| {
        top = b.local("a", Type::Array(Box::new(DOUBLE), 8));
        b.call(f, &[top.clone()]);
    });
    let module = m.finish();
    let p = PointsTo::solve(&module);
    assert!(p.object(p.local(f, inst_id(&own)).unwrap()).many);
    assert!(!p.object(p.local(main, inst_id(&top)).unwrap()).many);
    assert_eq!(names(&p, p.of_variable(&module, f, VarId(0))), ["buffer", "a"]);
}

#[test]
fn calls_through_pointers_reach_what_the_table_holds() {
    let mut m = ModuleBuilder::default();
    let (f, g, h) = (
        m.internal("f", &[PTR], Type::Void),
        m.internal("g", &[PTR], Type::Void),
        m.internal("h", &[PTR], Type::Void),
    );
    for (func, name) in [(f, "x"), (g, "y"), (h, "z")] {
        m.body(func, |b| drop(b.param(name, 0, false)));
    }
    let table = m.global("table", Type::Array(Box::new(PTR), 2), true);
    m.edit_global(table).init_pointers = vec![(0, Operand::Function(f)), (8, Operand::Function(g))];
    let main = m.function("main", &[], INT);
    let mut call = Operand::Null;
    m.body(main, |b| {
        let a = b.local("a", DOUBLE);
        let slot = b.index(&Operand::Global(table), PTR, Operand::Undef);
        let target = b.load_ptr(&slot);
        call = b.call_ptr(&target, &[a], Type::Void);
    });
    let module = m.finish();
    let p = PointsTo::solve(&module);
    let targets = p.call_targets(main, inst_id(&call));
    assert_eq!(
        (targets.known.iter().copied().collect::<Vec<_>>(), targets.unknown),
        (vec![f, g], false)
    );
    assert_eq!(names(&p, p.of_variable(&module, f, VarId(0))), ["a"]);
    assert_eq!(names(&p, p.of_variable(&module, h, VarId(0))), [""; 0]);
}

#[test]
fn library_call_backs_get_the_library_functions_arguments() {
    let mut m = ModuleBuilder::default();
    let qsort = m.declare("qsort", &[PTR, LONG, LONG, PTR], Type::Void);
    let compare = m.internal("compare", &[PTR, PTR], INT);
    m.body(compare, |b| {
        b.param("x", 0, false);
        b.param("y", 1, false);
    });
    let main = m.function("main", &[], INT);
    let mut call = Operand::Null;
    m.body(main, |b| {
        let a = b.local("a", Type::Array(Box::new(DOUBLE), 9));
        call = b.call(
            qsort,
            &[a, Operand::Int(9), Operand::Int(8), Operand::Function(compare)],
        );
    });
    let module = m.finish();
    let p = PointsTo::solve(&module);
    assert!(p.closed() && !p.is_entry(compare));
    assert_eq!(names(&p, p.of_variable(&module, compare, VarId(1))), ["a"]);
    let targets = p.call_targets(main, inst_id(&call));
    assert!(targets.callbacks.contains(&compare) && targets.known.contains(&qsort) && !targets.unknown);
}

#[test]
fn what_unknown_code_is_given_escapes_with_all_it_leads_to() {
    let mut m = ModuleBuilder::default();
    let malloc = m.declare("malloc", &[LONG], PTR);
    let mystery = m.declare("mystery", &[PTR], PTR);
    let main = m.function("main", &[], INT);
    let (mut kept, mut given, mut inner, mut after, mut back) = (
        Operand::Null,
        Operand::Null,
        Operand::Null,
        Operand::Null,
        Operand::Null,
    );
    m.body(main, |b| {
        kept = b.call(malloc, &[Operand::Int(8)]);
        given = b.call(malloc, &[Operand::Int(8)]);
        inner = b.call(malloc, &[Operand::Int(8)]);
        b.store_ptr(&given, &inner);
        back = b.call(mystery, &[given.clone()]);
        after = b.load_ptr(&given);
    });
    let p = PointsTo::solve(&m.finish());
    assert!(!p.closed());
    let of = |o: &Operand| p.of_operand(main, o)[0];
    assert!(!p.escapes(of(&kept).object));
    assert!(p.escapes(of(&given).object) && p.escapes(of(&inner).object));
    // What it returns may be the inner array, and the inner pointer may have been replaced.
    let back = p.of_operand(main, &back);
    assert!(back.iter().any(|&b| p.may_alias(b, of(&inner))));
    assert!(disjoint(&p, back, &[of(&kept)]));
    let after = p.of_operand(main, &after);
    assert!(after.contains(&MemLoc::whole(ObjectId::EXTERNAL)) && after.contains(&of(&inner)));
}

#[test]
fn memcpy_copies_the_pointers_inside() {
    let mut m = ModuleBuilder::default();
    let malloc = m.declare("malloc", &[LONG], PTR);
    let memcpy = m.declare("llvm.memcpy.p0.p0.i64", &[PTR, PTR, LONG], Type::Void);
    let pair = m.structure("struct.pair", &[(PTR, 0), (PTR, 8)], 16);
    let main = m.function("main", &[], INT);
    let mut loads = Vec::new();
    let mut fresh = Vec::new();
    m.body(main, |b| {
        let (s, t) = (b.local("s", pair.clone()), b.local("t", pair.clone()));
        for k in 0..2 {
            let v = b.call(malloc, &[Operand::Int(8)]);
            let f = b.field(&s, &pair, k);
            b.store_ptr(&f, &v);
            fresh.push(v);
        }
        b.call(memcpy, &[t.clone(), s, Operand::Int(16)]);
        for k in 0..2 {
            let f = b.field(&t, &pair, k);
            loads.push(b.load_ptr(&f));
        }
        // An array of pointers, of a size known only at run time.
        let (from, to) = (b.call(malloc, &[Operand::Undef]), b.call(malloc, &[Operand::Undef]));
        b.store_ptr(&from, &fresh[0]);
        b.call(memcpy, &[to.clone(), from, Operand::Undef]);
        let slot = b.index(&to, PTR, Operand::Undef);
        loads.push(b.load_ptr(&slot));
    });
    let p = PointsTo::solve(&m.finish());
    for (load, source) in [(0, 0), (1, 1), (2, 0)] {
        assert_eq!(
            p.of_operand(main, &loads[load]),
            p.of_operand(main, &fresh[source]),
            "load {load}"
        );
    }
}

#[test]
fn rows_allocated_in_a_loop_are_many_and_not_the_table() {
    let mut row = Operand::Null;
    let mut table = Operand::Null;
    let (_, p, main) = closed_main(|b, malloc| {
        let rows = b.local("rows", PTR);
        table = b.call(malloc, &[Operand::Int(80)]);
        b.store_ptr(&rows, &table);
        b.in_loop(|b| {
            let fresh = b.call(malloc, &[Operand::Int(80)]);
            let base = b.load_ptr(&rows);
            let slot = b.index(&base, PTR, Operand::Undef);
            b.store_ptr(&slot, &fresh);
        });
        let base = b.load_ptr(&rows);
        let slot = b.index(&base, PTR, Operand::Int(2));
        row = b.load_ptr(&slot);
    });
    let (row, table) = (p.of_operand(main, &row), p.of_operand(main, &table));
    assert_eq!((row.len(), table.len()), (1, 1));
    assert!(disjoint(&p, row, table));
    assert!(p.object(row[0].object).many && !p.object(table[0].object).many);
}

/// `double *a;` set in `init` and read in `use`.
fn global_pointer(internal: bool, with_main: bool) -> (PointsTo, FuncId, Operand) {
    let mut m = ModuleBuilder::default();
    let malloc = m.declare("malloc", &[LONG], PTR);
    let a = m.global("a", PTR, internal);
    let init = m.function(if with_main { "main" } else { "init" }, &[], INT);
    let used = m.function("used", &[], Type::Void);
    m.body(init, |b| {
        let fresh = b.call(malloc, &[Operand::Int(8)]);
        b.store_ptr(&Operand::Global(a), &fresh);
    });
    let mut load = Operand::Null;
    m.body(used, |b| load = b.load_ptr(&Operand::Global(a)));
    (PointsTo::solve(&m.finish()), used, load)
}

#[test]
fn a_global_pointer_is_known_where_no_one_else_can_set_it() {
    for (internal, with_main) in [(true, false), (false, true)] {
        let (p, used, load) = global_pointer(internal, with_main);
        assert_eq!(p.of_operand(used, &load).len(), 1);
        assert!(!p.escapes(p.of_operand(used, &load)[0].object));
    }
    let (p, used, load) = global_pointer(false, false);
    let set = p.of_operand(used, &load);
    assert_eq!(names(&p, set), ["memory allocated in init", "*(a)"]);
    assert!(set.iter().all(|l| p.escapes(l.object)));
    assert!(p.may_alias(set[0], set[1]));
}

#[test]
fn parameters_of_visible_functions_may_alias_unless_restrict() {
    let mut m = ModuleBuilder::default();
    let (outside, inside) = (m.global("g", DOUBLE, false), m.global("s", DOUBLE, true));
    let f = m.function("f", &[PTR, PTR, PTR], Type::Void);
    m.body(f, |b| {
        b.param("a", 0, false);
        b.param("b", 1, false);
        b.param("c", 2, true);
    });
    let module = m.finish();
    let p = PointsTo::solve(&module);
    let of = |v| p.of_variable(&module, f, VarId(v))[0];
    let (a, b, c) = (of(0), of(1), of(2));
    assert_eq!(names(&p, &[a, b, c]), ["*a", "*b", "*c"]);
    assert!(p.may_alias(a, b));
    assert!(!p.may_alias(a, c) && !p.may_alias(c, b));
    let global = |g| MemLoc::start(p.global(g).unwrap());
    assert!(p.may_alias(a, global(outside)) && !p.may_alias(a, global(inside)) && !p.may_alias(c, global(outside)));
    assert!(p.may_alias(c, MemLoc::whole(ObjectId::EXTERNAL)));
}

#[test]
fn members_of_an_incoming_struct_lead_to_objects_of_their_own() {
    let mut m = ModuleBuilder::default();
    let sim = m.structure("struct.sim", &[(PTR, 0), (PTR, 8), (INT, 16)], 24);
    let memcpy = m.declare("llvm.memcpy.p0.p0.i64", &[PTR, PTR, LONG], Type::Void);
    let f = m.function("f", &[PTR, PTR], Type::Void);
    let mut loads = Vec::new();
    m.body(f, |b| {
        let s = b.param("s", 0, false);
        let rows = b.param("rows", 1, false);
        let base = b.load_ptr(&s);
        for k in 0..2 {
            let member = b.field(&base, &sim, k);
            loads.push(b.load_ptr(&member));
        }
        let copy = b.local("copy", sim.clone());
        b.call(memcpy, &[copy.clone(), base, Operand::Int(24)]);
        let member = b.field(&copy, &sim, 1);
        loads.push(b.load_ptr(&member));
        let base = b.load_ptr(&rows);
        let slot = b.index(&base, PTR, Operand::Undef);
        loads.push(b.load_ptr(&slot));
    });
    let p = PointsTo::solve(&m.finish());
    let sets: Vec<_> = loads.iter().map(|l| names(&p, p.of_operand(f, l))).collect();
    assert_eq!(sets, [["*(*s)"], ["*(*s+8)"], ["*(*s+8)"], ["*(*rows)"]]);
    let many: Vec<bool> = loads
        .iter()
        .map(|l| p.object(p.of_operand(f, l)[0].object).many)
        .collect();
    assert_eq!(many, [false, false, false, true]);
}

#[test]
fn a_list_walked_from_a_parameter_ends_in_one_object() {
    let mut m = ModuleBuilder::default();
    let node = m.structure("struct.node", &[(DOUBLE, 0), (PTR, 8)], 16);
    let f = m.function("f", &[PTR], Type::Void);
    m.body(f, |b| {
        let p = b.param("p", 0, false);
        b.in_loop(|b| {
            let here = b.load_ptr(&p);
            let next = b.field(&here, &node, 1);
            let there = b.load_ptr(&next);
            b.store_ptr(&p, &there);
        });
    });
    let module = m.finish();
    let p = PointsTo::solve(&module);
    let set = p.of_variable(&module, f, VarId(0));
    assert_eq!(set.len(), 4);
    assert!(p.object(set[3].object).many && !p.object(set[0].object).many);
}

#[test]
fn a_struct_passed_by_value_is_a_copy() {
    let mut m = ModuleBuilder::default();
    let big = m.structure("struct.big", &[(PTR, 0), (PTR, 8), (PTR, 16)], 24);
    let malloc = m.declare("malloc", &[LONG], PTR);
    let f = m.internal("f", &[PTR], Type::Void);
    let mut seen = Operand::Null;
    m.body(f, |b| {
        let s = b.byval("s", 0);
        let member = b.field(&s, &big, 1);
        seen = b.load_ptr(&member);
        b.store_ptr(&member, &Operand::Null);
    });
    let main = m.function("main", &[], INT);
    let (mut fresh, mut arg) = (Operand::Null, Operand::Null);
    m.body(main, |b| {
        arg = b.local("t", big.clone());
        fresh = b.call(malloc, &[Operand::Int(8)]);
        let member = b.field(&arg, &big, 1);
        b.store_ptr(&member, &fresh);
        b.call(f, &[arg.clone()]);
    });
    let p = PointsTo::solve(&m.finish());
    assert_eq!(p.of_operand(f, &seen), p.of_operand(main, &fresh));
    assert!(disjoint(
        &p,
        p.of_operand(f, &Operand::Arg(0)),
        p.of_operand(main, &arg)
    ));
}

#[test]
fn address_taken_means_more_than_read_and_written_by_name() {
    let mut m = ModuleBuilder::default();
    let scanf = m.declare("scanf", &[PTR], INT);
    let lifetime = m.declare("llvm.lifetime.start.p0", &[LONG, PTR], Type::Void);
    let f = m.function("main", &[], INT);
    m.body(f, |b| {
        let (n, k, s) = (
            b.local("n", INT),
            b.local("k", INT),
            b.local("s", Type::Array(Box::new(INT), 2)),
        );
        b.call(lifetime, &[Operand::Int(4), n.clone()]);
        b.store(&n, &Operand::Int(3), INT);
        b.load(&n, INT);
        b.call(scanf, &[Operand::Null, k]);
        b.index(&s, INT, Operand::Int(1));
        let punned = b.local("u", INT);
        b.load(&punned, Type::Float(32));
    });
    let p = PointsTo::solve(&m.finish());
    let taken: Vec<bool> = (0..4).map(|v| p.address_taken(f, VarId(v))).collect();
    assert_eq!(taken, [false, true, true, true]);
}

#[test]
fn realloc_moves_contents_to_a_new_object() {
    let mut m = ModuleBuilder::default();
    let malloc = m.declare("malloc", &[LONG], PTR);
    let realloc = m.declare("realloc", &[PTR, LONG], PTR);
    let main = m.function("main", &[], INT);
    let mut v = Vec::new();
    m.body(main, |b| {
        let inner = b.call(malloc, &[Operand::Int(8)]);
        let old = b.call(malloc, &[Operand::Int(8)]);
        b.store_ptr(&old, &inner);
        let new = b.call(realloc, &[old.clone(), Operand::Int(16)]);
        let read = b.load_ptr(&new);
        v = vec![inner, old, new, read];
    });
    let p = PointsTo::solve(&m.finish());
    let of = |k: usize| p.of_operand(main, &v[k]);
    assert!(disjoint(&p, of(1), of(2)));
    assert_eq!(of(3), of(0));
}
