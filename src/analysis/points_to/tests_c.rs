//! The analysis on what clang makes of C. Needs clang 19, like the tool itself.

use std::path::Path;

use super::*;
use crate::analysis::effects::Effects;
use crate::llvm::{ClangOptions, Input, analyse_file, find_clang};
use crate::program::ir::{Callee, Op};

struct Analysed {
    module: Module,
    points_to: PointsTo,
}

fn analyse(text: &str) -> Analysed {
    analyse_at(text, Precision::Members)
}

fn analyse_at(text: &str, finest: Precision) -> Analysed {
    let clang = find_clang(None).expect("clang 19 is installed");
    let input = Input::text(Path::new("t.c"), text.as_bytes());
    let module = analyse_file(&clang, &input, &ClangOptions::default()).expect("the test's C compiles");
    let points_to = PointsTo::solve_no_finer(&module, KnownFunctions::of_library(&module), finest);
    Analysed { module, points_to }
}

impl Analysed {
    fn func(&self, name: &str) -> FuncId {
        self.module.find_function(name).expect("the function is there")
    }

    /// Where a pointer variable of `func`, or a global, may point.
    fn of(&self, func: &str, name: &str) -> &[MemLoc] {
        let id = self.func(func);
        let local = self.module.function(id).variables.iter().position(|v| v.name == name);
        if let Some(var) = local {
            return self.points_to.of_variable(&self.module, id, VarId(var as u32));
        }
        let global = self
            .module
            .globals
            .iter()
            .position(|g| g.name == name)
            .expect("there is such a variable");
        let object = self
            .points_to
            .global(GlobalId(global as u32))
            .expect("globals are objects");
        self.points_to.contents(MemLoc::start(object))
    }

    fn names(&self, func: &str, name: &str) -> Vec<&str> {
        self.of(func, name)
            .iter()
            .map(|l| self.points_to.object(l.object).name.as_str())
            .collect()
    }

    #[track_caller]
    fn disjoint(&self, func: &str, a: &str, b: &str) {
        let (left, right) = (self.of(func, a), self.of(func, b));
        assert!(!left.is_empty() && !right.is_empty(), "{left:?} {right:?}");
        let meet = left
            .iter()
            .any(|&l| right.iter().any(|&r| self.points_to.may_alias(l, r)));
        assert!(!meet, "{:?} {:?}", self.names(func, a), self.names(func, b));
    }

    /// Names of the objects that the calls of `callee` in `func` may write, and whether they run unknown code.
    fn writes(&self, func: &str, callee: &str) -> (Vec<&str>, bool) {
        let effects = Effects::solve(&self.module, &self.points_to);
        let (id, target) = (self.func(func), self.func(callee));
        let function = self.module.function(id);
        let direct = |op: &Op| matches!(op, Op::Call { callee: Callee::Direct(f), .. } if *f == target);
        let mut all = effects_of_none();
        for inst in function.inst_ids().filter(|&i| direct(&function.inst(i).op)) {
            all.join(&effects.of_call(id, inst));
        }
        (
            all.writes
                .iter()
                .map(|l| self.points_to.object(l.object).name.as_str())
                .collect(),
            all.unknown,
        )
    }
}

fn effects_of_none() -> crate::analysis::effects::EffectSet {
    crate::analysis::effects::EffectSet::default()
}

#[test]
fn a_whole_program_with_the_usual_library() {
    let a = analyse(
        r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <time.h>
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <omp.h>
#include <sys/time.h>
struct sim { int n; double *x, *y; double (*f)(double); char name[20]; };
static double *vec(int n) {
    double *p = malloc(n * sizeof *p);
    if (!p) { perror("vec"); exit(1); }
    memset(p, 0, n * sizeof *p);
    return p;
}
static double twice(double v) { return 2 * v; }
static int up(const void *a, const void *b) { return *(const double *)a > *(const double *)b; }
static void step(struct sim *s) {
    double *x = s->x, *y = s->y;
    for (int i = 1; i + 1 < s->n; i++) y[i] = s->f(x[i - 1]) + sqrt(x[i + 1]);
    double *t = s->x; s->x = s->y; s->y = t;
}
int main(int argc, char **argv) {
    struct sim s = { .n = argc > 1 ? atoi(argv[1]) : 10, .f = twice };
    double *a = vec(s.n), *b = vec(s.n), *c = vec(s.n);
    struct timeval tv;
    gettimeofday(&tv, NULL);
    double t0 = omp_get_wtime(), c0 = (double)clock() / CLOCKS_PER_SEC;
    s.x = a; s.y = b;
    snprintf(s.name, sizeof s.name, "%d", s.n);
    for (int i = 0; i < 10; i++) step(&s);
    qsort(c, s.n, sizeof *c, up);
    assert(s.n > 0);
    if (isdigit(s.name[0]) && errno == 0) fprintf(stderr, "%s %f %f\n", s.name, t0, c0);
    double v[s.n]; memcpy(v, c, sizeof v);
    double *w = v, *mid = a + s.n / 2;
    printf("%g %g\n", w[0], mid[0]);
    free(a); free(b); free(c);
    return 0;
}
"#,
    );
    assert!(a.points_to.closed());
    for (one, other) in [("a", "b"), ("b", "c"), ("a", "c"), ("a", "w"), ("mid", "b")] {
        a.disjoint("main", one, other);
    }
    assert_eq!(a.of("step", "x").len(), 2);
    assert_eq!(a.of("step", "x"), a.of("step", "y"));
    assert_eq!(a.of("up", "a"), a.of("main", "c"));
    assert_eq!(a.names("step", "s"), ["s"]);
    assert!(a.points_to.objects().iter().enumerate().all(|(i, o)| {
        !matches!(o.kind, ObjectKind::Heap { .. } | ObjectKind::Local { .. })
            || !a.points_to.escapes(ObjectId(i as u32))
    }));
    assert_eq!(a.writes("main", "printf"), (vec![], false));
    let (written, unknown) = a.writes("main", "qsort");
    assert!(!unknown && written.len() == 1);
    // The wrapper's `memset` is of the call's own memory.
    let (written, _) = a.writes("main", "vec");
    assert_eq!(written.len(), 3);
    let (written, unknown) = a.writes("main", "step");
    assert!(!unknown && written.iter().filter(|w| w.starts_with("memory")).count() == 2 && written.contains(&"s"));
    let step = a.func("step");
    let function = a.module.function(step);
    let called: Vec<_> = crate::analysis::call_graph::calls(function)
        .map(|i| {
            a.points_to
                .call_targets(step, i)
                .known
                .iter()
                .map(|f| a.module.function(*f).name.as_str())
                .collect()
        })
        .collect::<Vec<Vec<_>>>();
    assert!(called.contains(&vec!["twice"]), "{called:?}");
}

#[test]
fn small_structs_travel_in_registers_and_large_ones_in_memory() {
    let a = analyse(
        r#"
#include <stdlib.h>
typedef struct { double *p; long n; } view;
typedef struct { double *p, *q; long n, m; } pair;
static view make(long n) { view v = { malloc(n * 8), n }; return v; }
static pair both(double *p, double *q) { pair r = { p, q, 0, 0 }; return r; }
static void use(view v, pair w) { double *vp = v.p, *wp = w.p, *wq = w.q; vp[0] = wp[0] = wq[0]; }
int main(void) {
    view a = make(10);
    double x[4], y[4];
    pair b = both(x, y), c[3];
    c[2] = b;
    double *ap = a.p, *cp = c[1].p, *cq = c[1].q;
    use(a, b);
    return ap[0] + cp[0] + cq[0];
}
"#,
    );
    assert!(a.points_to.closed());
    assert_eq!((a.names("main", "cp"), a.names("main", "cq")), (vec!["x"], vec!["y"]));
    assert_eq!((a.names("use", "wp"), a.names("use", "wq")), (vec!["x"], vec!["y"]));
    assert_eq!(a.of("use", "vp"), a.of("main", "ap"));
    assert_eq!(a.of("main", "ap").len(), 1);
}

#[test]
fn an_open_file_has_parameters_globals_and_strangers() {
    let a = analyse(
        r#"
#include <stdlib.h>
#include <stdarg.h>
typedef struct grid { int n, m; double *u, *v; double **rows; struct grid *next; } grid;
double *field;
static double *scratch;
extern void report(double *, int);
static void helper(double *w) { w[0] = 1; }
void relax(grid *g, double *restrict r, const double *in) {
    double *u = g->u, *v = g->v, *row = g->rows[2], *far = g->next->u, *f = field, *s = scratch;
    helper(r);
    u[0] = v[0] + in[0] + row[0] + f[0] + s[0] + far[0];
    report(u, g->n);
}
void setup(int n) { scratch = calloc(n, 8); helper(scratch); field = malloc(n * 8); }
double sum(int n, ...) {
    va_list ap; va_start(ap, n);
    double *last = 0;
    for (int i = 0; i < n; i++) last = va_arg(ap, double *);
    va_end(ap);
    return last[0];
}
double test(void) { static double k[3]; double l[3]; return sum(2, k, l); }
"#,
    );
    let p = &a.points_to;
    assert!(!p.closed());
    let alias = |x: &[MemLoc], y: &[MemLoc]| x.iter().any(|&x| y.iter().any(|&y| p.may_alias(x, y)));
    assert_eq!(a.names("relax", "u"), ["*(*g+8)"]);
    assert!(alias(a.of("relax", "u"), a.of("relax", "v")));
    assert!(alias(a.of("relax", "u"), a.of("relax", "f")));
    assert!(alias(a.of("relax", "in"), a.of("relax", "far")));
    a.disjoint("relax", "u", "r");
    // `scratch` is static and nobody outside is handed it.
    a.disjoint("relax", "u", "s");
    a.disjoint("relax", "in", "s");
    a.disjoint("relax", "r", "in");
    assert!(p.object(a.of("relax", "row")[0].object).many);
    assert!(!p.object(a.of("relax", "u")[0].object).many);
    let (written, unknown) = a.writes("relax", "helper");
    assert!(!unknown && written.len() == 2 && written.contains(&"*r"), "{written:?}");
    assert!(a.writes("relax", "report").1);
    // What goes through `...` comes out as memory outside, which may be what went in.
    let last = a.of("sum", "last");
    let l = a
        .module
        .function(a.func("test"))
        .variables
        .iter()
        .position(|v| v.name == "l")
        .unwrap();
    let l = a.module.function(a.func("test")).variables[l].alloca.unwrap();
    assert!(alias(last, &[MemLoc::start(p.local(a.func("test"), l).unwrap())]));
}

#[test]
fn tables_unions_and_tricks() {
    let a = analyse(
        r#"
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
union any { double *d; struct { double *a, *b; } two; double *four[4]; };
static double A[10], B[10][10], C[10], D[10], *table[2] = { A, &B[3][4] };
static struct { int n; double *p[2]; double *q; } S = { 1, { A, C }, D + 3 };
static double *pick(double *p, double *q, int c) { return c ? p : q; }
int main(int argc, char **argv) {
    union any u; u.two.b = C;
    double *x = table[argc], *y = u.four[1], *z = S.q, *w = S.p[1];
    double **copy = malloc(2 * sizeof *copy);
    memcpy(copy, table, sizeof table);
    double *m = copy[1];
    uintptr_t bits = (uintptr_t)A; bits = (bits + 63) & ~(uintptr_t)63;
    double *aligned = (double *)bits;
    double *chosen = pick(A, D, argc);
    double (*plane)[10] = B; double *rowb = plane[3];
    char *bytes = (char *)C; double *viabytes = (double *)(bytes + 8 * argc);
    return x[0] + y[0] + z[0] + w[0] + m[0] + aligned[0] + chosen[0] + rowb[0] + viabytes[0];
}
"#,
    );
    assert!(a.points_to.closed());
    assert_eq!(a.names("main", "x"), ["A", "B"]);
    assert_eq!(a.names("main", "y"), ["C"]);
    assert_eq!(a.names("main", "z"), ["D"]);
    assert_eq!(a.names("main", "w"), ["A", "C"]);
    assert_eq!(a.names("main", "m"), ["A", "B"]);
    assert!(a.names("main", "aligned").contains(&"A"));
    assert_eq!(a.names("main", "chosen"), ["A", "D"]);
    assert_eq!(a.names("main", "rowb"), ["B"]);
    assert_eq!(a.names("main", "viabytes"), ["C"]);
}

const COARSE: &str = r#"
#include <stdlib.h>
struct sim { int n; double *x, *y; };
static void fill(double *p) { p[0] = 1; }
static void (*table[1])(double *) = { fill };
int main(void) {
    double *a = malloc(8), *b = malloc(8), u[2], v[2];
    struct sim s = { 1, a, b };
    double *x = s.x, *y = s.y;
    table[0](u);
    return x[0] + y[0] + v[0];
}
"#;

#[test]
fn members_merge_where_the_file_is_too_large() {
    let a = analyse_at(COARSE, Precision::Objects);
    assert_eq!(a.points_to.precision(), Precision::Objects);
    a.disjoint("main", "a", "b");
    assert_eq!(a.of("main", "x"), [a.of("main", "a"), a.of("main", "b")].concat());
    assert_eq!(a.names("fill", "p"), ["u"]);
}

#[test]
fn the_coarsest_precision_still_covers_everything() {
    let fine = analyse(COARSE);
    let coarse = analyse_at(COARSE, Precision::Addresses);
    assert_eq!(coarse.points_to.precision(), Precision::Addresses);
    // Objects are made in another order: compare by kind.
    for id in fine
        .module
        .functions
        .iter()
        .enumerate()
        .filter(|(_, f)| !f.declaration)
        .map(|(i, _)| FuncId(i as u32))
    {
        for inst in fine.module.function(id).inst_ids().map(Operand::Inst) {
            for loc in fine.points_to.of_operand(id, &inst) {
                let kind = &fine.points_to.object(loc.object).kind;
                if matches!(kind, ObjectKind::Function(_)) {
                    continue;
                }
                let same = coarse
                    .points_to
                    .find(kind)
                    .map(MemLoc::whole)
                    .expect("the same objects");
                let found = coarse.points_to.of_operand(id, &inst);
                assert!(
                    found.iter().any(|&l| coarse.points_to.may_alias(l, same)),
                    "{inst:?} {kind:?}"
                );
            }
        }
    }
    let main = coarse.func("main");
    let calls: Vec<InstId> = crate::analysis::call_graph::calls(coarse.module.function(main)).collect();
    assert!(calls.iter().any(|&c| coarse.points_to.call_targets(main, c).unknown));
    assert!(coarse.points_to.is_entry(coarse.func("fill")));
    assert!(coarse.of("main", "x").iter().all(|l| l.object == ObjectId::EXTERNAL));
}
