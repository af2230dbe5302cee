//! Programs of one shape each, in any size: what grows in them is one thing, so that the time that it takes shows.
//!
//! ```c
//! for (int t = 0; t < steps; t++) {              /* `arrays`: of these, two a kernel */
//!     #pragma omp target teams distribute parallel for map(to: a0[0:n]) map(tofrom: a1[0:n])
//!     …
//! ```

use std::fmt::Write;

/// A shape of programs.
pub struct Shape {
    /// What the document calls it.
    pub name: &'static str,
    /// What there are so many of.
    pub about: &'static str,
    /// The size of the largest program; the others have half and a quarter of it.
    pub size: usize,
    /// The tool's subcommand, with its options.
    pub command: &'static [&'static str],
    /// The program of a size.
    pub text: fn(usize) -> String,
}

/// All shapes.
pub const SHAPES: [Shape; 14] = [
    rewritten("kernels", "kernels one after the other on one array", 1_000, kernels),
    rewritten("own", "kernels, each on an array of its own", 1_000, own),
    rewritten(
        "turns",
        "time loops of one kernel, on a tenth as many arrays in turn",
        240,
        turns,
    ),
    rewritten("arrays", "arrays in one time loop, two a kernel", 500, arrays),
    rewritten("host", "host statements, a kernel every hundredth", 10_000, host),
    rewritten(
        "conditions",
        "kernels behind conditions in one time loop",
        500,
        conditions,
    ),
    rewritten("nest", "loops in each other, a kernel in the innermost", 200, nest),
    rewritten(
        "functions",
        "functions of two kernels, called from time loops in `main`",
        500,
        functions,
    ),
    rewritten(
        "chain",
        "functions of one kernel, each called by the one before",
        200,
        chain,
    ),
    rewritten("members", "array members of one struct, each in a kernel", 200, members),
    Shape {
        command: &["annotate", "--all"],
        ..rewritten("loops", "loops without directives, on three arrays each", 1_000, loops)
    },
    Shape {
        command: &["annotate", "--all"],
        ..rewritten(
            "plain functions",
            "functions of one loop, called from a time loop",
            500,
            plain_functions,
        )
    },
    checked(
        "collectives",
        "functions with a collective of MPI each",
        1_000,
        collectives,
    ),
    checked(
        "teams",
        "functions with a parallel region each, and barriers in it",
        500,
        teams,
    ),
];

const fn rewritten(name: &'static str, about: &'static str, size: usize, text: fn(usize) -> String) -> Shape {
    Shape {
        name,
        about,
        size,
        command: &["rewrite"],
        text,
    }
}

const KERNEL: &str = "#pragma omp target teams distribute parallel for";

/// `main` with a body, and what stands before it.
fn with_main(before: &str, body: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\n\n{before}\nint main(int argc, char **argv)\n{{\n    int n = 1000 + argc, steps = argc + \
         2;\n{body}    return 0;\n}}\n"
    )
}

/// A loop over `n` elements that is a kernel, at a depth of indentation.
fn kernel(depth: usize, maps: &str, statement: &str) -> String {
    let space = "    ".repeat(depth);
    format!("{space}{KERNEL} {maps}\n{space}for (int i = 0; i < n; i++)\n{space}    {statement}\n")
}

fn allocated(name: &str) -> String {
    format!(
        "    double *{name} = malloc(n * sizeof *{name});\n    for (int i = 0; i < n; i++)\n        {name}[i] = i;\n"
    )
}

fn printed(name: &str) -> String {
    format!("    for (int i = 0; i < n; i++)\n        printf(\"%g\\n\", {name}[i]);\n    free({name});\n")
}

fn kernels(size: usize) -> String {
    let mut body = allocated("a");
    for k in 0..size {
        body += &kernel(1, "map(tofrom: a[0:n])", &format!("a[i] = a[i] * 0.5 + {k};"));
    }
    with_main("", &(body + &printed("a")))
}

fn own(size: usize) -> String {
    let mut body = String::new();
    for k in 0..size {
        let a = format!("a{k}");
        body += &allocated(&a);
        body += &kernel(
            1,
            &format!("map(tofrom: {a}[0:n])"),
            &format!("{a}[i] = {a}[i] * 0.5 + {k};"),
        );
        body += &printed(&a);
    }
    with_main("", &body)
}

fn turns(size: usize) -> String {
    let arrays = size / 10;
    let mut body = String::new();
    for k in 0..size {
        let a = format!("a{}", k % arrays);
        let _ = writeln!(body, "    for (int t = 0; t < steps; t++) {{");
        body += &kernel(2, &format!("map(tofrom: {a})"), &format!("{a}[i] = {a}[i] * 0.5 + t;"));
        let _ = writeln!(
            body,
            "        if (t % 3 == 2)\n            {a}[{}] += 1;\n    }}",
            k % 7
        );
    }
    globals(arrays, &body)
}

/// A program of global arrays `a0`, `a1`, …, of which one element each is printed.
fn globals(arrays: usize, body: &str) -> String {
    let mut before = String::new();
    let mut printed = String::new();
    for k in 0..arrays {
        let _ = writeln!(before, "static double a{k}[2000];");
        let _ = writeln!(printed, "    printf(\"%g\\n\", a{k}[3]);");
    }
    with_main(&before, &format!("{body}{printed}"))
}

fn arrays(size: usize) -> String {
    let mut body = String::from("    for (int t = 0; t < steps; t++) {\n");
    for k in 0..size / 2 {
        let (from, to) = (2 * k, 2 * k + 1);
        let maps = format!("map(to: a{from}) map(tofrom: a{to})");
        body += &kernel(2, &maps, &format!("a{to}[i] += a{from}[i] * 0.5 + t;"));
    }
    body += "    }\n";
    globals(size / 2 * 2, &body)
}

fn host(size: usize) -> String {
    let mut body = allocated("a") + "    double sum = 0;\n    for (int t = 0; t < steps; t++) {\n";
    for k in 0..size {
        match k % 100 {
            0 => body += &kernel(2, "map(tofrom: a[0:n])", &format!("a[i] = a[i] * 0.5 + {k};")),
            50 => {
                let _ = writeln!(body, "        sum += a[{}];", k % 900);
            }
            _ => {
                let _ = writeln!(body, "        sum = sum * 0.5 + {k} + t;");
            }
        }
    }
    body += "    }\n    printf(\"%g\\n\", sum);\n";
    with_main("", &(body + &printed("a")))
}

fn conditions(size: usize) -> String {
    let mut body = allocated("a") + "    for (int t = 0; t < steps; t++) {\n";
    for k in 0..size {
        let _ = writeln!(body, "        if (t % {} == 0) {{", k % 7 + 2);
        body += &kernel(3, "map(tofrom: a[0:n])", &format!("a[i] = a[i] * 0.5 + {k};"));
        body += "        }\n";
    }
    body += "    }\n";
    with_main("", &(body + &printed("a")))
}

fn nest(size: usize) -> String {
    let mut body = allocated("a");
    for k in 0..size {
        let _ = writeln!(body, "    for (int t{k} = 0; t{k} < steps; t{k}++)");
    }
    body += &kernel(2, "map(tofrom: a[0:n])", "a[i] = a[i] * 0.5 + 1;");
    with_main("", &(body + &printed("a")))
}

fn functions(size: usize) -> String {
    let mut before = String::new();
    let mut body = allocated("a");
    for k in 0..size {
        let _ = writeln!(before, "static void step{k}(double *v, int n)\n{{");
        before += &kernel(1, "map(tofrom: v[0:n])", &format!("v[i] = v[i] * 0.5 + {k};"));
        before += &kernel(1, "map(tofrom: v[0:n])", &format!("v[i] = v[i] * 0.25 + {k};"));
        before += "}\n";
        let _ = writeln!(body, "    for (int t = 0; t < steps; t++)\n        step{k}(a, n);");
    }
    with_main(&before, &(body + &printed("a")))
}

fn chain(size: usize) -> String {
    let mut before = String::new();
    for k in 0..size {
        let _ = writeln!(before, "static void step{k}(double *v, int n)\n{{");
        before += &kernel(1, "map(tofrom: v[0:n])", &format!("v[i] = v[i] * 0.5 + {k};"));
        if k > 0 {
            let _ = writeln!(before, "    step{}(v, n);", k - 1);
        }
        before += "}\n";
    }
    let body = format!(
        "{}    for (int t = 0; t < steps; t++)\n        step{}(a, n);\n{}",
        allocated("a"),
        size - 1,
        printed("a")
    );
    with_main(&before, &body)
}

fn members(size: usize) -> String {
    let mut before = String::from("struct state {\n    int n;\n");
    let mut body = String::from("    struct state s;\n    s.n = n;\n");
    let mut work = String::from("static void step(struct state *s, int n)\n{\n");
    let mut printed = String::new();
    for k in 0..size {
        let _ = writeln!(before, "    double *m{k};");
        let _ = writeln!(body, "    s.m{k} = calloc(n, sizeof *s.m{k});");
        work += &kernel(
            1,
            &format!("map(tofrom: s->m{k}[0:n])"),
            &format!("s->m{k}[i] = s->m{k}[i] * 0.5 + {k};"),
        );
        let _ = writeln!(printed, "    printf(\"%g\\n\", s.m{k}[3]);");
    }
    before += "};\n";
    work += "}\n";
    body += "    for (int t = 0; t < steps; t++)\n        step(&s, n);\n";
    with_main(&(before + &work), &(body + &printed))
}

fn loops(size: usize) -> String {
    let mut body = allocated("a") + &allocated("b") + &allocated("c");
    for k in 0..size {
        let _ = writeln!(
            body,
            "    for (int i = 0; i < n; i++)\n        c[i] = a[i] * 0.5 + b[i] * {k} + c[i];"
        );
    }
    with_main("", &(body + &printed("a") + &printed("b") + &printed("c")))
}

fn plain_functions(size: usize) -> String {
    let mut before = String::new();
    let mut body = allocated("a") + &allocated("b") + "    for (int t = 0; t < steps; t++) {\n";
    for k in 0..size {
        let _ = writeln!(
            before,
            "static void step{k}(double *v, const double *w, int n)\n{{\n    for (int i = 0; i < n; i++)\n        v[i] = v[i] * 0.5 + \
             w[i] * {k};\n}}"
        );
        let _ = writeln!(body, "        step{k}(a, b, n);");
    }
    body += "    }\n";
    with_main(&before, &(body + &printed("a") + &printed("b")))
}

const fn checked(name: &'static str, about: &'static str, size: usize, text: fn(usize) -> String) -> Shape {
    Shape {
        command: &["check"],
        ..rewritten(name, about, size, text)
    }
}

fn collectives(count: usize) -> String {
    let mut text = "#include <stdio.h>
typedef struct communicator *MPI_Comm;
extern struct communicator world;
int MPI_Comm_rank(MPI_Comm, int *);
int MPI_Allreduce(const void *, void *, int, int, int, MPI_Comm);
"
    .to_owned();
    for part in 0..count {
        let _ = write!(
            text,
            "static double part{part}(int rank, double x) {{
    double all = 0.0;
    if (rank == 0)
        printf(\"%d\\n\", {part});
    if (x > {part})
        x = x / 2;
    MPI_Allreduce(&x, &all, 1, 0, 0, &world);
    return all;
}}
"
        );
    }
    text.push_str("int main(void) {\n    int rank;\n    double x = 1.0;\n    MPI_Comm_rank(&world, &rank);\n");
    for part in 0..count {
        let _ = writeln!(text, "    x = part{part}(rank, x);");
    }
    text + "    return x > 0.0;\n}\n"
}

fn teams(count: usize) -> String {
    let mut text = "#include <stdio.h>\nint omp_get_thread_num(void);\nstatic double a[100];\n".to_owned();
    for part in 0..count {
        let _ = write!(
            text,
            "static void part{part}(int n) {{
#pragma omp parallel
    {{
        int me = omp_get_thread_num();
        if (me == 0)
            printf(\"%d\\n\", n);
#pragma omp for
        for (int i = 0; i < n; i++)
            a[i] += {part};
        if (n > {part}) {{
#pragma omp barrier
        }}
    }}
}}
"
        );
    }
    text.push_str("int main(void) {\n");
    for part in 0..count {
        let _ = writeln!(text, "    part{part}(100);");
    }
    text + "    return 0;\n}\n"
}
