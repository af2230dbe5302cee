//! Programs about what the host does as C.
//!
//! ```c
//! static void work_7(double *p0, double *p1, int m, unsigned r, unsigned c)
//! {
//!     unsigned long h = 7;
//!     …                                              // the operations
//!     printf("case 7: %lu\n", h);
//! }
//! static void case_7(void) { … work_7(p0, p1, m, r, c); … }
//! ```

use super::accesses::Place;
use super::helpers::{self, STOP, TOTAL};
use super::kernels::Words;
use super::{Call, Called, Form, Kind, Loop, Mapped, Nest, Op, Program, Reading, Stopped, What, Writing};
use crate::generator::Parts;
use crate::generator::print::finish;

/// What is known while a program is printed.
struct Printer<'a> {
    program: &'a Program,
    out: String,
    indent: usize,
    /// Functions that are called, each once, those first that others call.
    functions: Vec<String>,
    /// Loops so far, and the counters of those around this place.
    loops: usize,
    counters: Vec<usize>,
    /// What the host has written so far.
    writes: usize,
    /// Arrays and variables that regions around this place hold.
    held: Vec<usize>,
    held_scalars: Vec<usize>,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        self.out += &format!("{}{text}\n", "    ".repeat(self.indent));
    }

    /// Lines in which `S` stands for the seed behind the name of a function.
    fn lines(&mut self, lines: &[String]) {
        let own = format!("_{}(", self.program.seed);
        for line in lines {
            self.line(&line.replace("_S(", &own));
        }
    }

    /// A block behind `head`, with `tail` behind its brace.
    fn block(&mut self, head: &str, tail: &str, body: impl FnOnce(&mut Self)) {
        self.line(format!("{head} {{").trim_start());
        self.indent += 1;
        body(self);
        self.indent -= 1;
        self.line(&format!("}}{tail}"));
    }

    fn inside(&mut self, head: &str, body: impl FnOnce(&mut Self)) {
        self.block(head, "", body);
    }

    fn mix(&mut self, value: &str) {
        self.line(&format!("h = h * 31 + (unsigned long)(long){value};"));
    }

    /// Has a function in the text.
    fn needs(&mut self, function: &str) {
        let text = function.replace("_S", &format!("_{}", self.program.seed));
        let text = text.replace("case S", &format!("case {}", self.program.seed));
        if !self.functions.contains(&text) {
            self.functions.push(text);
        }
    }

    /// How long arrays are.
    fn length(&self) -> &'static str {
        match self.program.kind {
            Kind::Ends | Kind::Exits => "r * c",
            Kind::Loops | Kind::Swaps | Kind::Addresses => "m",
        }
    }

    /// The innermost counter, or a number that stands for it.
    fn counter(&self) -> String {
        self.counters.last().map_or("m".into(), |t| format!("t{t}"))
    }

    fn is_held(&self, array: usize) -> bool {
        self.held.contains(&array)
    }

    fn ops(&mut self, ops: &[Op]) {
        for op in ops {
            self.op(op);
        }
    }

    fn op(&mut self, op: &Op) {
        match op {
            Op::Kernel(what, written, read) => self.kernel(*what, *written, *read),
            Op::Loop(shape, body) => self.repeat(*shape, body),
            Op::Write(array, how) if !self.is_held(*array) => self.write(*array, *how),
            Op::Read(array, how) if !self.is_held(*array) => self.read(*array, *how),
            Op::Swap(one, other) if one != other && self.is_held(*one) == self.is_held(*other) => {
                self.inside("", |p| {
                    let swap = [
                        format!("double *swap = p{one};"),
                        format!("p{one} = p{other};"),
                        format!("p{other} = swap;"),
                    ];
                    p.lines(&swap);
                });
            }
            Op::Shorter(by, body) => {
                self.line(&format!("m -= {by};"));
                self.ops(body);
                self.line(&format!("m += {by};"));
            }
            Op::Sometimes(body) => {
                let test = format!("if ({} % 2 == 0)", self.counter());
                self.inside(&test, |p| p.ops(body));
            }
            Op::Region(mapped, pair, body) => self.region(*mapped, *pair, body),
            Op::Look(array) => {
                if self.is_held(*array) {
                    self.line(&format!("#pragma omp target update from(p{array}[0:m])"));
                }
                self.read(*array, Reading::All);
            }
            Op::Renew(array, at) => {
                self.write(*array, if *at % 2 == 0 { Writing::All } else { Writing::ByFill });
                if self.is_held(*array) {
                    self.line(&format!("#pragma omp target update to(p{array}[0:m])"));
                }
            }
            Op::Call(call) => self.call(*call),
            Op::PeekScalar(at) if !self.held_scalars.contains(at) => self.mix(&format!("s{at}")),
            Op::PokeScalar(at, to) if !self.held_scalars.contains(at) => {
                let assign = if to % 2 == 0 { "=" } else { "+=" };
                self.line(&format!("s{at} {assign} {to};"));
            }
            Op::Direct(scalar, array) => {
                self.line(&format!(
                    "#pragma omp target map(tofrom: s{scalar}) map(to: p{array}[0:m])"
                ));
                self.line(&format!("s{scalar} += p{array}[1];"));
            }
            Op::Held(scalar, body) if !self.held_scalars.contains(scalar) => {
                self.line(&format!("#pragma omp target data map(tofrom: s{scalar})"));
                self.held_scalars.push(*scalar);
                self.inside("", |p| p.ops(body));
                self.held_scalars.pop();
            }
            Op::Held(_, body) => self.ops(body),
            Op::Nest(nest) => self.nest(nest),
            Op::Stopped(stopped) => self.stopped(stopped),
            Op::Write(..) | Op::Read(..) | Op::Swap(..) | Op::PeekScalar(_) | Op::PokeScalar(..) => {}
        }
    }

    fn kernel(&mut self, what: What, written: usize, read: usize) {
        let what = if written == read { what.alone() } else { what };
        let names = [written, read].map(|at| format!("p{at}"));
        let words = Words {
            names: [&names[0], &names[1]],
            held: [written, read].map(|at| self.is_held(at)),
            length: self.length(),
        };
        let lines = what.lines(&words);
        self.lines(&lines);
    }

    fn repeat(&mut self, shape: Loop, body: &[Op]) {
        let t = self.loops;
        self.loops += 1;
        let bound = match shape.is_opaque {
            true => format!("times_{}[{}]", self.program.seed, shape.times),
            false => shape.times.to_string(),
        };
        if shape.form != Form::For {
            self.line(&format!("int t{t} = 0;"));
        }
        let [head, tail] = match shape.form {
            Form::For => [format!("for (int t{t} = 0; t{t} < {bound}; t{t}++)"), String::new()],
            Form::While => [format!("while (t{t} < {bound})"), String::new()],
            Form::Do => ["do".to_owned(), format!(" while (t{t} < {bound});")],
        };
        self.block(&head, &tail, |p| {
            p.counters.push(t);
            p.ops(body);
            p.counters.pop();
            if shape.form != Form::For {
                p.line(&format!("t{t}++;"));
            }
        });
    }

    fn write(&mut self, array: usize, how: Writing) {
        self.writes += 1;
        let counter = self.counter();
        let place = Place {
            name: &format!("p{array}"),
            length: self.length(),
            counter: &counter,
            value: &format!("{counter} + {}", 4 * self.writes + array),
        };
        how.function().into_iter().for_each(|function| self.needs(function));
        let lines = how.lines(&place);
        self.lines(&lines);
    }

    fn read(&mut self, array: usize, how: Reading) {
        let n = self.length();
        match how {
            Reading::All => {
                self.line(&format!("for (int i = 0; i < {n}; i++)"));
                self.indent += 1;
                self.mix(&format!("p{array}[i]"));
                self.indent -= 1;
            }
            Reading::Last => self.mix(&format!("p{array}[{n} - 1]")),
            Reading::One(k) => self.mix(&format!("p{array}[{k}]")),
            Reading::ByTotal => {
                self.needs(TOTAL);
                self.mix(&format!("total_{}(p{array}, {n})", self.program.seed));
            }
        }
    }

    fn region(&mut self, mapped: Mapped, pair: [usize; 2], body: &[Op]) {
        let [one, other] = pair;
        if one == other || pair.iter().any(|at| self.is_held(*at)) {
            return self.ops(body);
        }
        let items = pair.map(|at| format!("p{at}[0:m]"));
        let (both, clauses) = (items.join(", "), mapped.clauses(items));
        self.line(&format!("#pragma omp target data {clauses}"));
        self.inside("", |p| {
            p.held.extend(pair);
            match mapped {
                Mapped::Fresh => p.kernel(What::Fill(3), other, other),
                Mapped::Updated => p.line(&format!("#pragma omp target update to({both})")),
                Mapped::Both | Mapped::Apart => {}
            }
            p.ops(body);
            if mapped == Mapped::Updated {
                p.line(&format!("#pragma omp target update from({both})"));
            }
            p.held.truncate(p.held.len() - 2);
        });
    }

    fn call(&mut self, call: Call) {
        // A function that sets the variable on the host would not reach the one on the device.
        if call.what == Called::Count && self.held_scalars.contains(&call.scalar) {
            return;
        }
        let ty = self.program.scalars[call.scalar];
        for function in helpers::called(&call, ty) {
            self.needs(&function);
        }
        let relay = if call.is_relayed { "relay_" } else { "" };
        let (name, seed) = (helpers::name(&call, ty), self.program.seed);
        self.line(&format!("{relay}{name}_{seed}(p{}, &s{}, m);", call.array, call.scalar));
    }

    fn nest(&mut self, nest: &Nest) {
        if !nest.is_apart {
            let lines = nest.lines(&format!("p{}", nest.array));
            return self.lines(&lines);
        }
        let (at, end, seed) = (self.functions.len(), self.program.end.c(), self.program.seed);
        let lines = nest.lines("a");
        let body: String = lines.iter().map(|line| format!("    {line}\n")).collect();
        self.functions.push(format!(
            "static void nest{at}_{seed}({end} r, {end} c, double *a)\n{{\n{body}}}\n"
        ));
        self.line(&format!("nest{at}_{seed}(r, c, p{});", nest.array));
    }

    fn stopped(&mut self, stopped: &Stopped) {
        self.needs(STOP);
        let t = self.loops;
        self.loops += 1;
        let (p, seed, after) = (format!("p{}", stopped.array), self.program.seed, stopped.after);
        let end = match stopped.is_far {
            true => "far",
            false => stopped.does.end(),
        };
        let head = format!("for ({} t{t} = 0; t{t} < {end}; t{t}++)", stopped.counter.c());
        let stop = format!("stop_{seed}({p}, t{t} == {after}, m, h);");
        self.inside(&head, |printer| {
            if stopped.is_first {
                printer.line(&stop);
            }
            printer.lines(&stopped.lines(&p, &format!("t{t}")));
            if !stopped.is_first {
                printer.line(&stop);
            }
        });
    }

    /// Says what came out.
    fn results(&mut self) {
        for at in 0..self.program.scalars.len() {
            self.mix(&format!("s{at}"));
        }
        for at in 0..self.program.arrays.len() {
            if self.program.arrays[at] {
                self.read(at, Reading::All);
            }
        }
        self.line(&format!("printf(\"case {}: %lu\\n\", h);", self.program.seed));
    }
}

/// Declares the arrays and fills them.
fn arrays(p: &mut Printer<'_>) {
    let (seed, end) = (p.program.seed, p.program.end.c());
    p.line(&format!("{end} r = rows_{seed}, c = columns_{seed};"));
    p.line("int m = (int)(r * c);");
    for at in 0..p.program.arrays.len() {
        p.line(&format!("double *p{at} = malloc(sizeof(double) * r * c);"));
        p.line("for (int i = 0; i < m; i++)");
        p.line(&format!("    p{at}[i] = i * {} + {at};", at + 2));
    }
}

/// What the program does, with what it says in the end.
fn work(p: &mut Printer<'_>) {
    let program = p.program;
    p.line("unsigned long h = 7;");
    if program.kind == Kind::Exits {
        p.line(&format!("unsigned far = far_{};", program.seed));
    }
    for (at, ty) in program.scalars.iter().enumerate() {
        p.line(&format!("{} s{at} = {};", ty.c(), at + 3));
    }
    p.ops(&program.ops);
    p.results();
}

/// The program as C.
pub fn print(program: &Program) -> Parts {
    let seed = program.seed;
    let printer = || Printer {
        program,
        out: String::new(),
        indent: 1,
        functions: Vec::new(),
        loops: 0,
        counters: Vec::new(),
        writes: 0,
        held: Vec::new(),
        held_scalars: Vec::new(),
    };
    let (mut whole, mut inner) = (printer(), printer());
    let names: Vec<String> = (0..program.arrays.len()).map(|at| format!("p{at}")).collect();
    arrays(&mut whole);
    work(&mut inner);
    if program.is_apart {
        let (end, params) = (program.end.c(), names.join(", double *"));
        inner.functions.push(format!(
            "static void work_{seed}(double *{params}, int m, {end} r, {end} c)\n{{\n{}}}\n",
            inner.out
        ));
        whole.line(&format!("work_{seed}({}, m, r, c);", names.join(", ")));
    } else {
        whole.out += &inner.out;
    }
    for name in &names {
        whole.line(&format!("free({name});"));
    }
    let is_whole = program.kind == Kind::Exits;
    let [head, far] = match is_whole {
        true => [
            "int main(void)".to_owned(),
            format!("static volatile unsigned far_{seed} = 4000000000u;\n"),
        ],
        false => [format!("static void case_{seed}(void)"), String::new()],
    };
    if is_whole {
        whole.out += &finish(0);
        whole.line("return 0;");
    }
    let numbers = format!(
        "static volatile int rows_{seed} = {}, columns_{seed} = {}, times_{seed}[] = {{0, 1, 2, 3, 4}};\n{far}",
        program.rows, program.columns
    );
    let functions: String = inner.functions.iter().map(|f| format!("{f}\n")).collect();
    let text = format!(
        "/* case {seed} */\n{numbers}\n{functions}{head}\n{{\n{}}}\n\n",
        whole.out
    );
    Parts {
        header: String::new(),
        files: vec![text],
    }
}
