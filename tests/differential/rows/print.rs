//! Programs about rows of variable length as C.

use super::kernels::Words;
use super::{Cell, Function, Op, Param, Program, Step, Storage};
use crate::generator::Parts;

/// What is known while a program is printed.
struct Printer<'a> {
    program: &'a Program,
    out: String,
    indent: usize,
    /// How much larger the variable is than rows are long.
    longer: i64,
    /// Loops so far, and those around this place.
    loops: usize,
    counters: Vec<usize>,
    /// The hash is reached by a pointer.
    is_function: bool,
}

/// `text` with a number added.
fn plus(text: &str, number: i64) -> String {
    match number {
        0 => text.into(),
        n if n < 0 => format!("{text} - {}", -n),
        n => format!("{text} + {n}"),
    }
}

impl<'a> Printer<'a> {
    fn new(program: &'a Program, is_function: bool) -> Printer<'a> {
        Printer {
            program,
            out: String::new(),
            indent: 1,
            longer: 0,
            loops: 0,
            counters: Vec::new(),
            is_function,
        }
    }

    fn line(&mut self, text: &str) {
        self.out += &format!("{}{text}\n", "    ".repeat(self.indent));
    }

    fn inside(&mut self, head: &str, body: impl FnOnce(&mut Self)) {
        self.line(&format!("{head} {{"));
        self.indent += 1;
        body(self);
        self.indent -= 1;
        self.line("}");
    }

    fn mix(&mut self, value: &str) {
        let h = if self.is_function { "*h" } else { "h" };
        self.line(&format!("{h} = {h} * 31 + (unsigned long)(long){value};"));
    }

    /// What is added to elements, which follows the counter where there is one.
    fn amount(&self, cell: Cell) -> String {
        let counter = self.counters.last().map(|t| format!(" + t{t}")).unwrap_or_default();
        format!("{}{counter}", 7 * cell.row + 3 * cell.column + 1)
    }

    /// How long rows of matrices are that have `more` elements in one than others.
    fn columns(&self, more: i64) -> String {
        plus("m", more - self.longer)
    }

    /// Something that is done while the variable is larger.
    fn while_longer(&mut self, by: i64, body: impl FnOnce(&mut Self)) {
        let change = |p: &mut Self, by: i64| p.line(&format!("m {} {};", if by < 0 { "-=" } else { "+=" }, by.abs()));
        change(self, by);
        self.longer += by;
        body(self);
        self.longer -= by;
        change(self, -by);
    }

    fn start_loop(&mut self, bound: &str, body: impl FnOnce(&mut Self)) {
        let t = self.loops;
        self.loops += 1;
        self.counters.push(t);
        self.inside(&format!("for (int t{t} = 0; t{t} < {bound}; t{t}++)"), body);
        self.counters.pop();
    }

    fn steps(&mut self, function: &Function, steps: &[Step]) {
        for step in steps {
            self.step(function, step);
        }
    }

    fn step(&mut self, function: &Function, step: &Step) {
        let names = ["a", "b"];
        match step {
            Step::Kernel(kernel) => {
                let read = (function.params.len() > 1).then_some(names[1 - kernel.written]);
                let columns = self.columns(0);
                let words = Words {
                    written: names[kernel.written],
                    read,
                    rows: "n",
                    columns: &columns,
                };
                kernel.lines(&words).iter().for_each(|line| self.line(line));
            }
            Step::Poke(param, at) => {
                let amount = self.amount(*at);
                self.line(&format!("{}[{}][{}] = {amount};", names[*param], at.row, at.column));
            }
            Step::Peek(param, at) => self.mix(&format!("{}[{}][{}]", names[*param], at.row, at.column)),
            Step::Forward {
                function: callee,
                crossed,
            } => {
                let wanted = self.program.functions[*callee].params.len();
                let mut args = names.map(String::from)[..function.params.len()].to_vec();
                if *crossed {
                    args.reverse();
                }
                args.truncate(wanted);
                let shape = ["n".into(), self.columns(0)];
                self.call(*callee, shape, &args);
            }
            Step::Loop(times, body) => self.start_loop(&times.to_string(), |p| p.steps(function, body)),
            Step::Longer(by, body) => self.while_longer(*by, |p| p.steps(function, body)),
        }
    }

    /// A call with a shape, rows first, and matrices.
    fn call(&mut self, callee: usize, [rows, columns]: [String; 2], args: &[String]) {
        let hash = if self.is_function { "h" } else { "&h" };
        let shape = match self.program.functions[callee].columns_first {
            true => format!("{columns}, {rows}"),
            false => format!("{rows}, {columns}"),
        };
        let seed = self.program.seed;
        self.line(&format!("f{callee}_{seed}({shape}, {}, {hash});", args.join(", ")));
    }

    /// An element of a matrix of the program.
    fn element(&self, matrix: usize, row: &str, column: &str) -> String {
        let m = self.program.matrices[matrix];
        match m.storage {
            Storage::Flat => {
                let columns = self.columns(i64::from(m.is_wide));
                match columns.contains(' ') {
                    true => format!("p{matrix}[{row} * ({columns}) + {column}]"),
                    false => format!("p{matrix}[{row} * {columns} + {column}]"),
                }
            }
            _ => format!("p{matrix}[{row}][{column}]"),
        }
    }

    fn ops(&mut self, ops: &[Op]) {
        for op in ops {
            self.op(op);
        }
    }

    fn op(&mut self, op: &Op) {
        let matrices = &self.program.matrices;
        match op {
            Op::Call {
                function,
                args,
                transposed,
            } => self.call_of(*function, *args, *transposed),
            Op::Poke(matrix, at) => {
                let element = self.element(*matrix, &at.row.to_string(), &at.column.to_string());
                let amount = self.amount(*at);
                self.line(&format!("{element} = {amount};"));
            }
            Op::Peek(matrix, at) => {
                let element = self.element(*matrix, &at.row.to_string(), &at.column.to_string());
                self.mix(&element);
            }
            Op::Show(matrix, row) => {
                let columns = self.columns(i64::from(matrices[*matrix].is_wide));
                let element = self.element(*matrix, &row.to_string(), "j");
                self.inside(&format!("for (int j = 0; j < {columns}; j++)"), |p| p.mix(&element));
            }
            Op::Swap(one, other) => self.swap(*one, *other),
            Op::Loop(times, is_opaque, body) => {
                let bound = match is_opaque {
                    true => format!("times_{}[{}]", self.program.seed, times),
                    false => times.to_string(),
                };
                self.start_loop(&bound, |p| p.ops(body));
            }
            Op::Longer(by, body) => self.while_longer(*by, |p| p.ops(body)),
            Op::Sometimes(body) => {
                let counter = self.counters.last().map_or("n".into(), |t| format!("t{t}"));
                self.inside(&format!("if ({counter} % 2 == 0)"), |p| p.ops(body));
            }
        }
    }

    fn call_of(&mut self, callee: usize, args: [usize; 2], transposed: bool) {
        let matrices = &self.program.matrices;
        let wanted = self.program.functions[callee].params.len();
        let [one, other] = args.map(|at| matrices[at]);
        let fits = args[0] != args[1] && one.is_wide == other.is_wide;
        if wanted > 1 && !fits || self.program.functions[callee].body.is_empty() {
            return;
        }
        let args = &args[..wanted];
        let are_flat = args.iter().all(|at| matrices[*at].storage == Storage::Flat);
        let columns = self.columns(i64::from(one.is_wide));
        let shape = match transposed && are_flat {
            true => [columns, "n".into()],
            false => ["n".into(), columns],
        };
        let argument = |at: &usize| match matrices[*at].storage {
            Storage::Flat => format!("(double (*)[{}])p{at}", shape[1]),
            _ => format!("p{at}"),
        };
        let args: Vec<String> = args.iter().map(argument).collect();
        self.call(callee, shape.clone(), &args);
    }

    fn swap(&mut self, one: usize, other: usize) {
        let [a, b] = [one, other].map(|at| self.program.matrices[at]);
        if one == other || a.is_wide != b.is_wide || a.storage != b.storage || a.storage == Storage::Array {
            return;
        }
        let declared = match a.storage {
            Storage::Flat => "double *swap".to_owned(),
            _ => format!("double (*swap)[{}]", self.columns(i64::from(a.is_wide))),
        };
        self.inside("", |p| {
            p.line(&format!("{declared} = p{one};"));
            p.line(&format!("p{one} = p{other};"));
            p.line(&format!("p{other} = swap;"));
        });
    }

    /// Declares the matrices and fills them.
    fn matrices(&mut self) {
        for (at, matrix) in self.program.matrices.iter().enumerate() {
            let columns = self.columns(i64::from(matrix.is_wide));
            self.line(&match matrix.storage {
                Storage::Rows if at % 2 == 0 => {
                    format!("double (*p{at})[{columns}] = malloc(sizeof(double[n][{columns}]));")
                }
                Storage::Rows => format!("double (*p{at})[{columns}] = malloc((size_t)n * sizeof *p{at});"),
                Storage::Array => format!("double p{at}[n][{columns}];"),
                Storage::Flat => format!("double *p{at} = malloc(sizeof(double) * n * ({columns}));"),
            });
            let element = self.element(at, "i", "j");
            self.line("for (int i = 0; i < n; i++)");
            self.line(&format!("    for (int j = 0; j < {columns}; j++)"));
            self.line(&format!("        {element} = {} * i + j;", at + 2));
        }
    }

    /// Prints what the matrices hold, and gives their memory back.
    fn results(&mut self) {
        for (at, matrix) in self.program.matrices.iter().enumerate() {
            let columns = self.columns(i64::from(matrix.is_wide));
            let element = self.element(at, "i", "j");
            self.line("for (int i = 0; i < n; i++)");
            self.indent += 1;
            self.inside(&format!("for (int j = 0; j < {columns}; j++)"), |p| p.mix(&element));
            self.indent -= 1;
            self.line(&format!("printf(\"case {}: p{at} %lu\\n\", h);", self.program.seed));
            if matrix.storage != Storage::Array {
                self.line(&format!("free(p{at});"));
            }
        }
    }
}

/// The line that begins a function.
fn signature(program: &Program, at: usize) -> String {
    let function = &program.functions[at];
    let shape = if function.columns_first {
        "int m, int n"
    } else {
        "int n, int m"
    };
    let params = function.params.iter().zip(["a", "b"]).map(|(param, name)| match param {
        Param::Both => format!("double {name}[n][m]"),
        Param::Open => format!("double {name}[][m]"),
        Param::Pointer => format!("double (*{name})[m]"),
    });
    let params: Vec<String> = params.collect();
    let linkage = if program.is_spread { "" } else { "static " };
    let (seed, params) = (program.seed, params.join(", "));
    format!("{linkage}void f{at}_{seed}({shape}, {params}, unsigned long *h)")
}

/// The program as C.
pub fn print(program: &Program) -> Parts {
    let seed = program.seed;
    let start = format!("/* case {seed} */\n");
    let used: Vec<usize> = { 0..program.functions.len() }
        .filter(|f| !program.functions[*f].body.is_empty())
        .collect();
    let mut functions = String::new();
    for at in &used {
        let mut p = Printer::new(program, true);
        let function = &program.functions[*at];
        p.steps(function, &function.body);
        functions += &format!("{}\n{{\n{}}}\n\n", signature(program, *at), p.out);
    }
    let mut p = Printer::new(program, false);
    p.line(&format!("int n = rows_{seed}, m = columns_{seed};"));
    p.line("unsigned long h = 7;");
    p.matrices();
    p.ops(&program.ops);
    p.results();
    let numbers = format!(
        "static volatile int rows_{seed} = {}, columns_{seed} = {}, times_{seed}[] = {{0, 1, 2, 3, 4}};\n",
        program.rows, program.columns
    );
    let whole = format!("{numbers}\nvoid case_{seed}(void)\n{{\n{}}}\n\n", p.out);
    if !program.is_spread {
        return Parts {
            header: String::new(),
            files: vec![start + &functions + &whole],
        };
    }
    let prototypes: String = used.iter().map(|at| signature(program, *at) + ";\n").collect();
    Parts {
        header: start.clone() + &prototypes,
        files: vec![start.clone() + &whole, start + &functions],
    }
}
