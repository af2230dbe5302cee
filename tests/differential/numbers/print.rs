//! Programs about numbers as C.

use super::ast::*;
use super::number::Width;
use crate::generator::Parts;

/// What binds an expression: the higher the tighter.
const CHOICE: u8 = 1;
const EITHER: u8 = 2;
const BOTH: u8 = 3;
const COMPARED: u8 = 8;
const UNARY: u8 = 11;

struct Printer<'a> {
    program: &'a Program,
    function: usize,
    out: String,
    indent: usize,
}

/// The text of a program: a function `case_SEED`, and what it needs.
pub fn print(program: &Program) -> Parts {
    let mut p = Printer {
        program,
        function: 0,
        out: String::new(),
        indent: 0,
    };
    p.program();
    Parts {
        header: String::new(),
        files: vec![p.out],
    }
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        self.out += &"    ".repeat(self.indent);
        self.out += text;
        self.out.push('\n');
    }

    fn named(&self, what: &str) -> String {
        format!("{what}_{}", self.program.seed)
    }

    fn program(&mut self) {
        let seed = self.program.seed;
        self.line(&format!("/* case {seed} */"));
        let (size, first, second) = (self.named("SIZE"), self.named("a"), self.named("b"));
        let count = self.program.size;
        self.line(&match self.program.fixed {
            true => format!("enum {{ {size} = {count} }};"),
            false => format!("#define {size} {count}"),
        });
        self.line(&format!("static int {first}[{size}], {second}[{size}];"));
        for (k, c) in self.program.constants.iter().enumerate() {
            let (name, value) = (self.named(&format!("K{k}")), self.expr(&c.value, CHOICE));
            self.line(&match c.made {
                Made::Macro => format!("#define {name} ({value})"),
                Made::Enumerator => format!("enum {{ {name} = {value} }};"),
                Made::Static(width) => format!("static const {} {name} = {value};", width.c()),
            });
        }
        for f in 0..self.program.functions.len() {
            self.function = f;
            self.function();
        }
        self.case();
    }

    fn case(&mut self) {
        let (seed, main) = (self.program.seed, self.program.functions.len() - 1);
        let (size, first, second) = (self.named("SIZE"), self.named("a"), self.named("b"));
        self.line(&format!("static void case_{seed}(void)\n{{"));
        self.indent = 1;
        self.line("unsigned long h = 7;");
        self.line(&format!("for (int i = 0; i < {size}; i++) {{"));
        self.line(&format!("    {first}[i] = i * i % 31;"));
        self.line(&format!("    {second}[i] = i * 7 % 29;"));
        self.line("}");
        for call in &self.program.calls {
            let params = &self.program.functions[main].params;
            let values = call.iter().zip(params).map(|(v, width)| value(*v, *width));
            let values: Vec<String> = [first.clone()].into_iter().chain(values).collect();
            self.line(&format!("h = h * 31 + f{main}_{seed}({});", values.join(", ")));
        }
        self.line(&format!("printf(\"case {seed}: hash=%lu\\n\", h);"));
        for array in [first, second] {
            self.line(&format!(
                "printf(\"case {seed}: {array}=%lu\\n\", hash_int({array}, {size}));"
            ));
        }
        self.indent = 0;
        self.line("}\n");
    }

    fn function(&mut self) {
        let f = &self.program.functions[self.function];
        let params = f.params.iter().enumerate().map(|(k, w)| format!("{} p{k}", w.c()));
        let params: Vec<String> = ["int *v".to_string()].into_iter().chain(params).collect();
        let name = self.named(&format!("f{}", self.function));
        self.line(&format!("static unsigned long {name}({})\n{{", params.join(", ")));
        self.indent = 1;
        self.line("unsigned long h = 1;");
        if let Some(own) = &f.own {
            let (count, factor) = (self.expr(own, CHOICE), self.expr(own, UNARY));
            self.line(&format!("int *w = malloc({factor} * sizeof *w);"));
            self.line(&format!("for (size_t i = 0; i < {}; i++)", self.expr(own, COMPARED)));
            self.line("    w[i] = (int)(i % 17);");
            self.block(&f.body);
            self.line(&format!("h = h * 31 + hash_int(w, {count});"));
            self.line("free(w);");
        } else {
            self.block(&f.body);
        }
        self.line("return h;");
        self.indent = 0;
        self.line("}\n");
    }

    fn block(&mut self, block: &[Stmt]) {
        block.iter().for_each(|s| self.statement(s));
    }

    fn inside(&mut self, block: &[Stmt]) {
        self.indent += 1;
        self.block(block);
        self.indent -= 1;
    }

    fn array(&self, array: Array) -> String {
        match array {
            Array::First => self.named("a"),
            Array::Second => self.named("b"),
            Array::Given => "v".into(),
            Array::Own => "w".into(),
            Array::Nothing => "NULL".into(),
        }
    }

    fn element(&self, array: Array, index: &Expr) -> String {
        format!("{}[{}]", self.array(array), self.expr(index, CHOICE))
    }

    /// `T l0 = e`.
    fn declaration(&self, local: usize, e: &Expr) -> String {
        let width = self.program.functions[self.function].locals[local];
        format!("{} l{local} = {}", width.c(), self.expr(e, CHOICE))
    }

    fn step(&self, local: usize, step: &Step) -> String {
        match step {
            Step::Up => format!("l{local}++"),
            Step::Down => format!("l{local}--"),
            Step::By(e) => format!("l{local} += {}", self.expr(e, CHOICE)),
            Step::DownBy(e) => format!("l{local} -= {}", self.expr(e, CHOICE)),
            Step::To(e) => format!("l{local} = {}", self.expr(e, CHOICE)),
        }
    }

    fn statement(&mut self, s: &Stmt) {
        match s {
            Stmt::Access(array, index, action) => {
                let element = self.element(*array, index);
                self.line(&match action {
                    Action::Read => format!("h = h * 31 + (unsigned long){element};"),
                    Action::Set(salt) => format!("{element} = {salt};"),
                    Action::Add(salt) => format!("{element} = (5 * {element} + {salt}) % 997;"),
                    Action::Show(salt) => format!(
                        "if ({element} % 7 == {salt}) printf(\"case {}: %d\\n\", {element});",
                        self.program.seed
                    ),
                    Action::Take(from, index) => format!("{element} = {} + 1;", self.element(*from, index)),
                });
            }
            Stmt::Declare(local, e) => self.line(&format!("{};", self.declaration(*local, e))),
            Stmt::Change(local, step) => self.line(&format!("{};", self.step(*local, step))),
            Stmt::Tell(local) => self.line(&format!("h = h * 31 + (unsigned long)l{local};")),
            Stmt::If(condition, body) => {
                self.line(&format!("if ({}) {{", self.expr(condition, CHOICE)));
                self.inside(body);
                self.line("}");
            }
            Stmt::Loop(l) => self.repeat(l),
            Stmt::Kernel(k) => self.kernel(k),
            Stmt::Call(callee, array, args) => {
                let args = args.iter().map(|e| self.expr(e, CHOICE));
                let args = [self.array(*array)].into_iter().chain(args).collect::<Vec<_>>();
                let name = self.named(&format!("f{callee}"));
                self.line(&format!("h = h * 31 + {name}({});", args.join(", ")));
            }
        }
    }

    fn repeat(&mut self, l: &Loop) {
        let start = self.declaration(l.counter, &l.start);
        let test = self.expr(&l.test, CHOICE);
        let step = self.step(l.counter, &l.step);
        if l.form != Form::For {
            self.line(&format!("{start};"));
        }
        let turns = format!("turns{}", l.counter);
        if l.turns.is_some() {
            self.line(&format!("int {turns} = 0;"));
        }
        if l.serial && !self.program.plain {
            let size = self.named("SIZE");
            let maps = format!("map(tofrom: {}[0:{size}])", self.serial_array(l));
            self.line(&format!("#pragma omp target {maps}"));
        }
        self.line(&match l.form {
            Form::For => format!("for ({start}; {test}; {step}) {{"),
            Form::Bare => format!("for (; {test}; {step}) {{"),
            Form::While => format!("while ({test}) {{"),
            Form::DoWhile => "do {".into(),
        });
        self.inside(&l.body);
        self.indent += 1;
        if let Some(most) = l.turns {
            self.line(&format!("if (++{turns} == {most})"));
            self.line("    break;");
        }
        if matches!(l.form, Form::While | Form::DoWhile) {
            self.line(&format!("{step};"));
        }
        self.indent -= 1;
        self.line(&match l.form {
            Form::DoWhile => format!("}} while ({test});"),
            _ => "}".into(),
        });
    }

    /// The array that a loop uses which runs on the device as it is.
    fn serial_array(&self, l: &Loop) -> String {
        let array = l.body.iter().find_map(|s| match s {
            Stmt::Access(array, ..) => Some(*array),
            _ => None,
        });
        self.array(array.unwrap_or(Array::First))
    }

    fn kernel(&mut self, k: &Kernel) {
        let name = self.array(k.array);
        let section = match &k.section {
            Some((first, count)) => format!("{}:{}", self.expr(first, CHOICE), self.expr(count, CHOICE)),
            None => format!("0:{}", self.own_size(k.array)),
        };
        let condition = k.condition.as_ref();
        let condition = condition.map(|c| format!(" if(target: {})", self.expr(c, CHOICE)));
        if !self.program.plain {
            self.line(&format!(
                "#pragma omp target teams distribute parallel for{} map(tofrom: {name}[{section}])",
                condition.unwrap_or_default()
            ));
        }
        let (start, test) = (self.declaration(k.counter, &k.start), self.expr(&k.test, CHOICE));
        let (step, element) = (self.step(k.counter, &k.step), self.element(k.array, &k.index));
        self.line(&format!("for ({start}; {test}; {step})"));
        let (salt, counter) = (k.salt, k.counter);
        self.line(&format!(
            "    {element} = (3 * {element} + (int)(l{counter} % 7) + {salt}) % 997;"
        ));
    }

    /// How many elements the array has.
    fn own_size(&self, array: Array) -> String {
        match (array, &self.program.functions[self.function].own) {
            (Array::Own, Some(own)) => self.expr(own, CHOICE),
            _ => self.named("SIZE"),
        }
    }

    /// The expression, in parentheses where what it stands in binds tighter than it does.
    fn expr(&self, e: &Expr, around: u8) -> String {
        let two = |a: &Expr, op: &str, b: &Expr, level: u8| {
            (
                format!("{} {op} {}", self.expr(a, level), self.expr(b, level + 1)),
                level,
            )
        };
        let (text, level) = match e {
            Expr::Literal(literal) => (spelled(literal), UNARY + 1),
            Expr::Size => (self.named("SIZE"), UNARY + 1),
            Expr::Param(p) => (format!("p{p}"), UNARY + 1),
            Expr::Local(l) => (format!("l{l}"), UNARY + 1),
            Expr::Constant(k) => (self.named(&format!("K{k}")), UNARY + 1),
            Expr::Binary(op, a, b) => two(a, op.c(), b, op.level()),
            Expr::Both(a, b) => two(a, "&&", b, BOTH),
            Expr::Either(a, b) => two(a, "||", b, EITHER),
            Expr::Cast(width, e) => (format!("({}){}", width.c(), self.expr(e, UNARY)), UNARY),
            // Two signs in a row would be another operator.
            Expr::Negative(e) => (format!("-{}", self.expr(e, UNARY + 1)), UNARY),
            Expr::Not(e) => (format!("!{}", self.expr(e, UNARY)), UNARY),
            Expr::Choice(c, a, b) => {
                let (c, a, b) = (self.expr(c, CHOICE + 1), self.expr(a, CHOICE), self.expr(b, CHOICE));
                (format!("{c} ? {a} : {b}"), CHOICE)
            }
        };
        if level < around { format!("({text})") } else { text }
    }
}

/// How C spells a number that is given to a parameter.
fn value(value: i128, width: Width) -> String {
    match width {
        Width::Long if value == i64::MIN.into() => "(-9223372036854775807 - 1)".into(),
        Width::Int if value == i32::MIN.into() => "(-2147483647 - 1)".into(),
        Width::Size => format!("{value}ul"),
        _ => value.to_string(),
    }
}

fn spelled(literal: &Literal) -> String {
    let digits = match literal.base {
        Base::Decimal => literal.value.to_string(),
        Base::Octal => format!("0{:o}", literal.value),
        Base::Hexadecimal => format!("{:#x}", literal.value),
        Base::Character => return format!("'{}'", literal.value as u8 as char),
    };
    let unsigned = if literal.unsigned { "u" } else { "" };
    let long = if literal.long { "l" } else { "" };
    format!("{digits}{unsigned}{long}")
}
