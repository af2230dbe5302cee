//! Programs about handles as C: a header, the file with `main`, and the module.

use super::{Handle, Op, Program};
use crate::generator::Parts;

/// The module, where `S` stands for the seed.
const MODULE: &str = "struct mesh_S {
    int n;
    double *x;
};

void push_S(struct mesh_S *m)
{
    double *x = m->x;
    int n = m->n;
    #pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; i++)
        x[i] = (double)(((long)x[i] * 3 + i) % 1009);
}

long fold_S(struct mesh_S *m)
{
    double *x = m->x;
    int n = m->n;
    long sum = 0;
    #pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < n; i++)
        sum += (long)x[i] * (i % 5 + 1);
    return sum;
}

long peek_S(struct mesh_S *m, int at)
{
    return (long)m->x[at];
}

void poke_S(struct mesh_S *m, int at, long value)
{
    m->x[at] = (double)value;
}

long show_S(struct mesh_S *m)
{
    long sum = 0;
    for (int i = 0; i < m->n; i++)
        sum = (sum * 31 + (long)m->x[i]) % 1000003;
    return sum;
}

void drop_S(struct mesh_S *m)
{
    free(m->x);
    free(m);
}
";

const ANEW: &str = "
struct mesh_S *renew_S(struct mesh_S *old, int n)
{
    struct mesh_S *m = malloc(sizeof *m);
    m->n = n;
    m->x = realloc(old->x, (size_t)n * sizeof *m->x);
    for (int i = old->n; i < n; i++)
        m->x[i] = i;
    free(old);
    return m;
}
";

const IN_PLACE: &str = "
struct mesh_S *renew_S(struct mesh_S *m, int n)
{
    int old = m->n;
    m->x = realloc(m->x, (size_t)n * sizeof *m->x);
    m->n = n;
    for (int i = old; i < n; i++)
        m->x[i] = i;
    return m;
}
";

const FROM_NOTHING: &str = "
struct mesh_S *make_S(int n)
{
    struct mesh_S *empty = malloc(sizeof *empty);
    empty->n = 0;
    empty->x = NULL;
    return renew_S(empty, n);
}
";

const MAKE: &str = "
struct mesh_S *make_S(int n)
{
    struct mesh_S *m = malloc(sizeof *m);
    m->n = n;
    m->x = malloc((size_t)n * sizeof *m->x);
    for (int i = 0; i < n; i++)
        m->x[i] = i;
    return m;
}
";

const HEAD: &str = "
struct mesh_S *head_S(struct mesh_S *m, int n)
{
    struct mesh_S *v = malloc(sizeof *v);
    COPY
    v->n = n;
    return v;
}

void forget_S(struct mesh_S *v)
{
    free(v);
}
";

const PROTOTYPES: &str = "struct mesh_S;
struct mesh_S *make_S(int n);
struct mesh_S *renew_S(struct mesh_S *m, int n);
struct mesh_S *head_S(struct mesh_S *m, int n);
void push_S(struct mesh_S *m);
long fold_S(struct mesh_S *m);
long peek_S(struct mesh_S *m, int at);
void poke_S(struct mesh_S *m, int at, long value);
long show_S(struct mesh_S *m);
void drop_S(struct mesh_S *m);
void forget_S(struct mesh_S *m);
";

/// What is known while calls are printed.
struct Printer {
    seed: u64,
    out: String,
    /// Length of the first handle.
    length: i64,
    /// The second handle is there.
    shared: bool,
}

impl Printer {
    fn line(&mut self, indent: usize, text: &str) {
        self.out += &format!("{}{text}\n", "    ".repeat(indent));
    }

    fn block(&mut self, indent: usize, ops: &[Op]) {
        for op in ops {
            self.op(indent, op);
        }
    }

    fn op(&mut self, indent: usize, op: &Op) {
        let seed = self.seed;
        let handle = |h: &Handle| if *h == Handle::First { "m" } else { "v" };
        let there = |h: &Handle, shared: bool| *h == Handle::First || shared;
        let mix = |what: String| format!("h = h * 31 + (unsigned long){what};");
        let text = match op {
            Op::Push(h) | Op::Fold(h) | Op::Peek(h, _) | Op::Poke(h, _) | Op::Show(h) if !there(h, self.shared) => {
                return;
            }
            Op::Push(h) => format!("push_{seed}({});", handle(h)),
            Op::Fold(h) => mix(format!("fold_{seed}({})", handle(h))),
            Op::Peek(h, at) => mix(format!("peek_{seed}({}, {at})", handle(h))),
            Op::Poke(h, at) => format!("poke_{seed}({}, {at}, {});", handle(h), 3 * at + 100),
            Op::Show(h) => mix(format!("show_{seed}({})", handle(h))),
            // The memory would move away under the other handle.
            Op::Renew(_) | Op::Head(_) if self.shared => return,
            Op::Renew(n) => {
                self.length = *n;
                format!("m = renew_{seed}(m, {n});")
            }
            Op::Head(n) => {
                self.shared = true;
                format!("v = head_{seed}(m, {});", (*n).min(self.length))
            }
            Op::Loop(times, body) => {
                self.line(indent, &format!("for (int t = 0; t < {times}; t++) {{"));
                self.block(indent + 1, body);
                self.line(indent, "}");
                return;
            }
        };
        self.line(indent, &text);
    }
}

/// The program as C.
pub fn print(program: &Program) -> Parts {
    let seed = program.seed;
    let start = format!("/* case {seed} */\n");
    let named = |text: &str| text.replace("_S", &format!("_{seed}"));
    let copy = match program.by_memcpy {
        true => "memcpy(v, m, sizeof *v);",
        false => "*v = *m;",
    };
    let head = HEAD.replace("COPY", copy);
    let mut p = Printer {
        seed,
        out: start.clone(),
        length: program.length,
        shared: false,
    };
    p.line(0, "int main(void)\n{");
    p.line(1, "unsigned long h = 7;");
    p.line(
        1,
        &format!("struct mesh_{seed} *m = make_{seed}({}), *v = NULL;", program.length),
    );
    p.block(1, &program.ops);
    p.line(1, &format!("printf(\"case {seed}: hash=%lu\\n\", h);"));
    p.line(1, &format!("printf(\"case {seed}: x=%ld\\n\", show_{seed}(m));"));
    if p.shared {
        p.line(1, &format!("forget_{seed}(v);"));
    }
    p.line(1, &format!("drop_{seed}(m);"));
    // Beside a call of the OpenMP runtime with a pointer, which may do anything, no array would stay on the device between
    // the calls, so nothing tells what watches the run where the case ends.
    p.line(1, "fflush(stdout);");
    p.line(1, "return 0;");
    p.line(0, "}\n");
    let module = [
        MODULE,
        if program.anew { ANEW } else { IN_PLACE },
        if program.from_nothing { FROM_NOTHING } else { MAKE },
        if p.shared { &head } else { "" },
    ];
    Parts {
        header: start.clone() + &named(PROTOTYPES),
        files: vec![p.out, start + &named(&module.concat())],
    }
}
