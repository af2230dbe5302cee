use super::*;
use crate::analysis::known::KnownFunctions;
use crate::analysis::libc::{ByteExtent, LibFn};
use crate::program::ir::{Operand, Type};
use crate::program::ir_build::{BodyBuilder, ModuleBuilder, inst_id};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

const INT: Type = Type::Int(32);
const LONG: Type = Type::Int(64);
const DOUBLE: Type = Type::Float(64);
const PTR: Type = Type::Ptr;

fn objects<'p>(p: &'p PointsTo, locs: &LocSet) -> BTreeSet<&'p str> {
    locs.iter().map(|l| p.object(l.object).name.as_str()).collect()
}

/// `x[0] = 0` for the pointer parameter `index`.
fn writes_argument(b: &mut BodyBuilder<'_>, name: &str, index: u32) {
    let x = b.param(name, index, false);
    let p = b.load_ptr(&x);
    b.store(&p, &Operand::Float(0.0), DOUBLE);
}

#[test]
fn callers_see_what_arguments_point_to_and_not_the_callees_locals() {
    let mut m = ModuleBuilder::default();
    let f = m.internal("f", &[PTR], Type::Void);
    let g = m.function("g", &[PTR], Type::Void);
    m.body(f, |b| writes_argument(b, "x", 0));
    let mut call = Operand::Null;
    m.body(g, |b| {
        let y = b.param("y", 0, false);
        let v = b.load_ptr(&y);
        call = b.call(f, &[v]);
    });
    let module = m.finish();
    let p = PointsTo::solve(&module);
    let e = Effects::solve(&module, &p);
    let of_call = e.of_call(g, inst_id(&call));
    assert_eq!(objects(&p, &of_call.writes), ["*y"].into());
    assert_eq!(objects(&p, &of_call.reads), [].into());
    assert_eq!(objects(&p, &e.of(g).writes), ["*y"].into());
    assert!(!of_call.unknown && !of_call.may_not_return && !of_call.io);
}

#[test]
fn what_a_parameter_points_to_from_outside_is_no_business_of_a_caller_inside() {
    let mut m = ModuleBuilder::default();
    let f = m.function("f", &[PTR], Type::Void);
    let saved = m.global("saved", PTR, true);
    let h = m.function("h", &[PTR], Type::Void);
    let g = m.function("g", &[], Type::Void);
    m.body(f, |b| writes_argument(b, "x", 0));
    m.body(h, |b| {
        writes_argument(b, "z", 0);
        b.store_ptr(&Operand::Global(saved), &Operand::Arg(0));
    });
    let mut calls = Vec::new();
    m.body(g, |b| {
        let a = b.local("a", DOUBLE);
        for callee in [f, h] {
            calls.push(b.call(callee, std::slice::from_ref(&a)));
        }
    });
    let module = m.finish();
    let p = PointsTo::solve(&module);
    let e = Effects::solve(&module, &p);
    let writes = |c: usize| {
        objects(&p, &e.of_call(g, inst_id(&calls[c])).writes)
            .into_iter()
            .collect::<Vec<_>>()
    };
    assert_eq!(writes(0), ["a"]);
    // `h` stores its argument, so that an earlier one may be reached again.
    assert_eq!(writes(1), ["*z", "a", "saved"]);
}

#[test]
fn recursion_has_the_effects_of_all_members() {
    let mut m = ModuleBuilder::default();
    let (a, c) = (m.global("a", DOUBLE, true), m.global("b", DOUBLE, true));
    let even = m.internal("even", &[], Type::Void);
    let odd = m.internal("odd", &[], Type::Void);
    let main = m.function("main", &[], INT);
    m.body(even, |b| {
        b.store(&Operand::Global(a), &Operand::Float(1.0), DOUBLE);
        b.call(odd, &[]);
    });
    m.body(odd, |b| {
        b.load(&Operand::Global(c), DOUBLE);
        b.call(even, &[]);
    });
    m.body(main, |b| drop(b.call(odd, &[])));
    let module = m.finish();
    let p = PointsTo::solve(&module);
    let e = Effects::solve(&module, &p);
    for f in [even, odd, main] {
        assert_eq!(objects(&p, &e.of(f).writes), ["a"].into());
        assert_eq!(objects(&p, &e.of(f).reads), ["b"].into());
    }
}

#[test]
fn unknown_code_reaches_what_escapes_and_calls_back() {
    let mut m = ModuleBuilder::default();
    let mystery = m.declare("mystery", &[PTR], Type::Void);
    let hidden = m.global("hidden", DOUBLE, true);
    let entry = m.function("entry", &[], Type::Void);
    let user = m.function("user", &[], Type::Void);
    m.body(entry, |b| {
        b.store(&Operand::Global(hidden), &Operand::Float(1.0), DOUBLE)
    });
    let (mut call, mut given, mut kept) = (Operand::Null, Operand::Null, Operand::Null);
    m.body(user, |b| {
        given = b.local("given", DOUBLE);
        kept = b.local("kept", DOUBLE);
        call = b.call(mystery, &[given.clone()]);
    });
    let module = m.finish();
    let p = PointsTo::solve(&module);
    let e = Effects::solve(&module, &p);
    let effects = e.of_call(user, inst_id(&call));
    assert!(effects.unknown && effects.may_not_return && !effects.never_returns);
    let loc = |o: &Operand| p.of_operand(user, o)[0];
    assert!(effects.may_write(&p, loc(&given)) && !effects.may_write(&p, loc(&kept)));
    assert!(effects.may_free(&p, loc(&given).object));
    // `hidden` is static, but the code outside may call `entry`.
    assert!(effects.may_write(&p, loc(&Operand::Global(hidden))));
}

#[test]
fn a_wrapper_touches_only_the_object_of_the_call() {
    let mut m = ModuleBuilder::default();
    let malloc = m.declare("malloc", &[LONG], PTR);
    let memset = m.declare("llvm.memset.p0.i64", &[PTR, Type::Int(8), LONG], Type::Void);
    let exit = m.declare("exit", &[INT], Type::Void);
    let zeros = m.internal("zeros", &[LONG], PTR);
    let twice = m.internal("twice", &[LONG], PTR);
    let main = m.function("main", &[], INT);
    m.body(zeros, |b| {
        let n = b.param("n", 0, false);
        let p = b.local("p", PTR);
        let fresh = b.call(malloc, &[Operand::Arg(0)]);
        b.store_ptr(&p, &fresh);
        b.call(exit, &[Operand::Int(1)]);
        let v = b.load_ptr(&p);
        let size = b.load(&n, LONG);
        b.call(memset, &[v.clone(), Operand::Int(0), size]);
        let element = b.index(&v, DOUBLE, Operand::Int(3));
        b.store(&element, &Operand::Float(1.0), DOUBLE);
        b.ret(Some(v));
    });
    m.body(twice, |b| {
        let v = b.call(zeros, &[Operand::Arg(0)]);
        b.store(&v, &Operand::Float(1.0), DOUBLE);
        b.ret(Some(v));
    });
    let mut calls = Vec::new();
    m.body(main, |b| {
        for f in [zeros, zeros, twice, twice] {
            calls.push(b.call(f, &[Operand::Int(80)]));
        }
    });
    let module = m.finish();
    let p = PointsTo::solve(&module);
    let e = Effects::solve(&module, &p);
    for call in &calls {
        let own = p.of_operand(main, call);
        let effects = e.of_call(main, inst_id(call));
        assert_eq!(effects.writes.iter().copied().collect::<Vec<_>>(), own);
        assert_eq!(effects.allocates.iter().collect::<Vec<_>>(), [own[0].object]);
        assert!(effects.may_not_return && !effects.never_returns);
    }
}

#[test]
fn library_calls_touch_what_the_table_says() {
    let mut m = ModuleBuilder::default();
    let printf = m.declare("printf", &[PTR], INT);
    let memcpy = m.declare("llvm.memcpy.p0.p0.i64", &[PTR, PTR, LONG], Type::Void);
    let free = m.declare("free", &[PTR], Type::Void);
    let exit = m.declare("exit", &[INT], Type::Void);
    let device = m.declare("omp_target_is_present", &[PTR, INT], INT);
    let three = m.structure("struct.v", &[(DOUBLE, 0), (DOUBLE, 8), (DOUBLE, 16)], 24);
    let main = m.function("main", &[], INT);
    let format = m.global("format", Type::Array(Box::new(Type::Int(8)), 9), true);
    (m.edit_global(format).constant, m.edit_global(format).counts_printed) = (true, false);
    let mut calls = Vec::new();
    let mut v = Operand::Null;
    m.body(main, |b| {
        let text = b.local("text", Type::Array(Box::new(Type::Int(8)), 9));
        v = b.local("v", three.clone());
        let y = b.field(&v, &three, 1);
        b.field(&v, &three, 2);
        calls.push(b.call(printf, &[Operand::Global(format), text.clone()]));
        b.call(printf, &[text.clone(), text]);
        calls.push(b.call(memcpy, &[y.clone(), v.clone(), Operand::Int(8)]));
        calls.push(b.call(memcpy, &[y, v.clone(), Operand::Undef]));
        calls.push(b.call(free, &[v.clone()]));
        calls.push(b.call(exit, &[Operand::Int(0)]));
        calls.push(b.call(device, &[v.clone(), Operand::Int(0)]));
    });
    let module = m.finish();
    let p = PointsTo::solve(&module);
    let e = Effects::solve(&module, &p);
    let of = |k: usize| e.of_call(main, inst_id(&calls[k]));
    assert!(of(0).io && of(0).writes.is_empty() && objects(&p, &of(0).reads) == ["format", "text"].into());
    // Of another format it is not known whether it has a `%n`.
    let unknown = e.of_call(main, InstId(inst_id(&calls[0]).0 + 1));
    assert!(objects(&p, &unknown.writes) == ["text"].into());
    let v = p.of_operand(main, &v)[0].object;
    let at = |o| MemLoc {
        object: v,
        field: crate::program::objects::Field::Offset(o),
    };
    assert_eq!(
        (of(1).writes.clone(), of(1).reads.clone()),
        ([at(8)].into(), [at(0)].into())
    );
    assert!(of(2).may_write(&p, at(16)) && of(2).writes == [MemLoc::whole(v)].into());
    assert_eq!(of(3).frees, [v].into());
    assert!(of(4).never_returns && of(4).may_not_return && of(4).io);
    assert!(of(5).device_api && !of(0).device_api && e.of(main).device_api);
}

#[test]
fn call_backs_of_the_library_count() {
    let mut m = ModuleBuilder::default();
    let qsort = m.declare("qsort", &[PTR, LONG, LONG, PTR], Type::Void);
    let counter = m.global("counter", INT, true);
    let compare = m.internal("compare", &[PTR, PTR], INT);
    m.body(compare, |b| b.store(&Operand::Global(counter), &Operand::Int(1), INT));
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
    let e = Effects::solve(&module, &p);
    assert_eq!(
        objects(&p, &e.of_call(main, inst_id(&call)).writes),
        ["a", "counter"].into()
    );
}

#[test]
fn a_local_that_is_not_handed_on_is_its_activations_own() {
    let mut m = ModuleBuilder::default();
    let mystery = m.declare("mystery", &[], Type::Void);
    let f = m.function("f", &[PTR], Type::Void);
    let (mut call, mut own, mut lent) = (Operand::Null, Operand::Null, Operand::Null);
    m.body(f, |b| {
        writes_argument(b, "x", 0);
        own = b.local("own", DOUBLE);
        lent = b.local("lent", DOUBLE);
        b.store(&own, &Operand::Float(0.0), DOUBLE);
        b.call(f, std::slice::from_ref(&lent));
        call = b.call(mystery, &[]);
    });
    let module = m.finish();
    let p = PointsTo::solve(&module);
    let e = Effects::solve(&module, &p);
    let object = |o: &Operand| p.of_operand(f, o)[0].object;
    assert!(p.object(object(&lent)).many && !p.object(object(&own)).many);
    // Unknown code may call `f` again, but that one's `own` is another.
    let written = e.of_call(f, inst_id(&call)).writes.clone();
    assert!(!objects(&p, &written).contains("own") && objects(&p, &written).contains("lent"));
}

#[test]
fn what_the_user_says_is_read_may_lie_behind_pointers() {
    let mut m = ModuleBuilder::default();
    let log = m.declare("log_state", &[PTR], Type::Void);
    let main = m.function("main", &[], INT);
    let sim = m.structure("struct.sim", &[(PTR, 0), (DOUBLE, 8)], 16);
    let (mut call, mut other) = (Operand::Null, Operand::Null);
    m.body(main, |b| {
        let cells = b.local("cells", DOUBLE);
        let s = b.local("s", sim.clone());
        other = b.local("other", DOUBLE);
        b.store_ptr(&s, &cells);
        call = b.call(log, &[s]);
    });
    let module = m.finish();
    let said = |word: &str, extent: Option<ByteExtent>| {
        let mut said = LibFn::default();
        crate::analysis::libc::apply(&mut said, word).unwrap();
        said.reads[0].extent = extent.unwrap_or(said.reads[0].extent);
        KnownFunctions::with(
            &module,
            [(log, said)].into_iter().collect(),
            FxHashSet::default(),
            &BTreeSet::new(),
        )
    };
    let reads = |known: KnownFunctions| {
        let p = PointsTo::solve_knowing(&module, known);
        let effects = Effects::solve(&module, &p).of_call(main, inst_id(&call));
        assert!(p.closed() && !effects.unknown && effects.writes.is_empty());
        let names = effects.reads.iter().map(|l| p.object(l.object).name.clone());
        names.collect::<BTreeSet<String>>()
    };
    assert_eq!(reads(said("r0", None)), ["s".to_owned()].into());
    let all = reads(said("r0", Some(ByteExtent::Reachable)));
    assert_eq!(all, ["cells".to_owned(), "s".to_owned()].into());
}
