//! Programs as C.

use super::ast::*;
use super::run::Ran;
use super::run::TABLE;
use super::uses::Uses;

/// The text of a program whose arrays are as large as a run of it needs.
pub fn print(program: &Program, ran: &Ran) -> String {
    let mut printer = Printer {
        program,
        ran,
        uses: Uses::of(program),
        out: String::new(),
        depth: 0,
    };
    printer.program();
    printer.out
}

pub(super) struct Printer<'a> {
    pub(super) program: &'a Program,
    ran: &'a Ran,
    uses: Uses,
    out: String,
    depth: usize,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        self.out += &"    ".repeat(self.depth);
        self.out += text;
        self.out.push('\n');
    }

    fn program(&mut self) {
        let (program, seed) = (self.program, self.program.seed);
        self.line(&format!("/* case {seed} */"));
        let arrays: Vec<ArrayId> = self.uses.arrays.iter().copied().collect();
        let mut members = Vec::new();
        for &a in &arrays {
            match program.arrays[a].kind {
                ArrayKind::Global(_) => self.line(&format!("static {};", self.sized(a))),
                ArrayKind::GlobalPointer(_) => self.line(&format!("static {};", self.pointer(a))),
                ArrayKind::Member(_) => members.push(self.pointer(a)),
                ArrayKind::Inside(_) => members.push(self.sized(a)),
                _ => {}
            }
        }
        if !members.is_empty() {
            self.line(&format!("struct box_{seed} {{ {}; }};", members.join("; ")));
            if !program.handed {
                self.line(&format!("static struct box_{seed} box_{seed};"));
            }
        }
        for &v in &self.uses.vars.clone() {
            let var = &program.vars[v];
            if var.kind == VarKind::Global {
                self.line(&format!("static {} {};", var.ty.c(), var.name));
            }
        }
        for f in self.uses.functions.clone() {
            self.function(f);
        }
    }

    fn has_box(&self) -> bool {
        let member = |a: &ArrayId| {
            matches!(
                self.program.arrays[*a].kind,
                ArrayKind::Member(_) | ArrayKind::Inside(_)
            )
        };
        self.uses.arrays.iter().any(member)
    }

    pub(super) fn is_handed(&self, f: FnId) -> bool {
        self.program.handed && f >= self.program.helpers && self.has_box()
    }

    /// `int *a`, `int (*g)[8]`.
    fn pointer(&self, a: ArrayId) -> String {
        let array = &self.program.arrays[a];
        let restrict = match array.kind {
            ArrayKind::Param { restrict: true, .. } => "restrict ",
            _ => "",
        };
        match &array.row {
            Some(row) => format!("{} (*{}{})[{}]", array.elem.c(), restrict, array.name, self.expr(row)),
            None => format!("{} *{}{}", array.elem.c(), restrict, array.name),
        }
    }

    /// Elements, and rows of them.
    fn size(&self, a: ArrayId) -> (i64, Option<i64>) {
        let size = (self.ran.sizes[a] + self.program.slack).max(1);
        match &self.program.arrays[a].row {
            Some(E::Num(row)) => ((size + row - 1) / row, Some(*row)),
            _ => (size, None),
        }
    }

    /// `int a[8]`, `int g[8][8]`.
    fn sized(&self, a: ArrayId) -> String {
        let array = &self.program.arrays[a];
        match self.size(a) {
            (rows, Some(row)) => format!("{} {}[{rows}][{row}]", array.elem.c(), array.name),
            (count, None) => format!("{} {}[{count}]", array.elem.c(), array.name),
        }
    }

    /// How code names an array.
    pub(super) fn name(&self, a: ArrayId) -> String {
        let array = &self.program.arrays[a];
        match array.kind {
            ArrayKind::Member(_) | ArrayKind::Inside(_) if self.program.handed => format!("box->{}", array.name),
            ArrayKind::Member(_) | ArrayKind::Inside(_) => format!("box_{}.{}", self.program.seed, array.name),
            _ => array.name.clone(),
        }
    }

    fn function(&mut self, f: FnId) {
        let function = &self.program.functions[f];
        let mut params: Vec<String> = Vec::new();
        let last = f + 1 == self.program.functions.len();
        if self.is_handed(f) && !last {
            params.push(format!("struct box_{} *box", self.program.seed));
        }
        for p in &function.params {
            params.push(match p {
                Param::Var(v) => format!("{} {}", self.program.vars[*v].ty.c(), self.program.vars[*v].name),
                Param::Array(a) => match self.program.arrays[*a].kind {
                    ArrayKind::Param { readonly: true, .. } => format!("const {}", self.pointer(*a)),
                    _ => self.pointer(*a),
                },
            });
        }
        let params = if params.is_empty() {
            "void".into()
        } else {
            params.join(", ")
        };
        let linkage = if function.exported { "" } else { "static " };
        let returns = function.returns.map_or("void", Ty::c);
        self.line(&format!("{linkage}{returns} {}({params})", function.name));
        self.line("{");
        self.depth += 1;
        if last && self.is_handed(f) {
            let seed = self.program.seed;
            self.line(&format!("struct box_{seed} own_{seed}, *box = &own_{seed};"));
        }
        for v in Uses::of_block(&function.body).vars {
            let var = &self.program.vars[v];
            match var.kind {
                VarKind::Top => self.line(&format!("{} {};", var.ty.c(), var.name)),
                VarKind::Static => self.line(&format!("static {} {};", var.ty.c(), var.name)),
                _ => {}
            }
        }
        if last {
            self.begin();
        }
        self.block(&function.body);
        if last {
            self.end();
        }
        self.depth -= 1;
        self.line("}");
    }

    fn owned(&self) -> Vec<ArrayId> {
        let uses = self.uses.arrays.iter().copied();
        uses.filter(|a| self.program.arrays[*a].fill().is_some()).collect()
    }

    /// Allocates and fills.
    fn begin(&mut self) {
        for a in self.owned() {
            let array = &self.program.arrays[a];
            let (count, row) = self.size(a);
            let name = self.name(a);
            let make = format!("malloc(sizeof *{name} * {count})");
            match array.kind {
                ArrayKind::Heap(_) => self.line(&format!("{} = {make};", self.pointer(a))),
                ArrayKind::Stack(_) => self.line(&format!("{};", self.sized(a))),
                ArrayKind::GlobalPointer(_) | ArrayKind::Member(_) => self.line(&format!("{name} = {make};")),
                _ => {}
            }
            let Some(Fill { factor, add, modulus }) = array.fill() else {
                continue;
            };
            self.line(&format!("for (int q = 0; q < {count}; q++)"));
            self.depth += 1;
            match row {
                None => self.line(&format!("{name}[q] = ({factor} * q + {add}) % {modulus};")),
                Some(row) => {
                    self.line(&format!("for (int r = 0; r < {row}; r++)"));
                    let value = format!("({factor} * ({row} * q + r) + {add}) % {modulus}");
                    self.line(&format!("    {name}[q][r] = {value};"));
                }
            }
            self.depth -= 1;
        }
    }

    /// Prints checksums of all elements, and frees.
    fn end(&mut self) {
        let seed = self.program.seed;
        self.line(&format!("printf(\"case {seed}: ends\\n\");"));
        for a in self.owned() {
            let (elem, name) = (self.program.arrays[a].elem, self.name(a));
            let (count, row) = self.size(a);
            let (start, count) = match row {
                Some(row) => (format!("&{name}[0][0]"), count * row),
                None => (name.clone(), count),
            };
            let hash = match elem {
                Ty::Int | Ty::Long | Ty::Unsigned => format!("hash_{}({start}, {count})", elem.c()),
                _ => format!("hash_bytes({start}, sizeof({}) * {count})", elem.c()),
            };
            let plain = &self.program.arrays[a].name;
            self.line(&format!("printf(\"case {seed}: {plain}=%lu\\n\", {hash});"));
        }
        for a in self.owned() {
            if matches!(
                self.program.arrays[a].kind,
                ArrayKind::Heap(_) | ArrayKind::GlobalPointer(_) | ArrayKind::Member(_)
            ) {
                self.line(&format!("free({});", self.name(a)));
            }
        }
        for v in self.uses.vars.clone() {
            let var = &self.program.vars[v];
            if var.kind == VarKind::Global {
                self.line(&format!("printf(\"case {seed}: {0}=%ld\\n\", (long){0});", var.name));
            }
        }
    }

    fn block(&mut self, block: &[S]) {
        block.iter().for_each(|s| self.statement(s));
    }

    /// What `head` governs.
    fn governed(&mut self, head: &str, body: &[S]) {
        let single = matches!(body, [S::Assign(..) | S::Call(..) | S::For(_) | S::Continue | S::Break]);
        if self.program.bare && single {
            self.line(head);
            self.depth += 1;
            self.block(body);
            self.depth -= 1;
            return;
        }
        self.line(&format!("{head} {{"));
        self.depth += 1;
        self.block(body);
        self.depth -= 1;
        self.line("}");
    }

    fn statement(&mut self, s: &S) {
        let var = |v: VarId| &self.program.vars[v];
        match s {
            S::Declare(v, e) => self.line(&format!("{} {} = {};", var(*v).ty.c(), var(*v).name, self.expr(e))),
            S::Scratch(a) => {
                let ArrayKind::Scratch(count) = self.program.arrays[*a].kind else {
                    return;
                };
                let array = &self.program.arrays[*a];
                self.line(&format!("{} {}[{count}];", array.elem.c(), array.name));
            }
            S::Point(p, a, e) if self.program.arrays[*p].kind == ArrayKind::Tabled => {
                let (name, elem) = (&self.program.arrays[*p].name, self.program.arrays[*p].elem.c());
                let (from, step) = (self.argument(*a, &E::Num(0), *p), self.expr(e));
                self.line(&format!("{elem} *table_{name}[{TABLE}];"));
                self.line(&format!(
                    "for (int q = 0; q < {TABLE}; q++) table_{name}[q] = {from} + q * ({step});"
                ));
                self.line(&format!("{elem} *{name} = table_{name}[1];"));
            }
            S::Point(p, a, e) => self.line(&format!("{} = {};", self.pointer(*p), self.argument(*a, e, *p))),
            S::Assign(lhs, op, e) => {
                let target = match lhs {
                    Lhs::Var(v) => var(*v).name.clone(),
                    Lhs::Cell(p) => self.place(p),
                };
                self.line(&format!("{target} {}= {};", op.unwrap_or(""), self.expr(e)));
            }
            S::If(e, yes, no) => {
                let head = format!("if ({})", self.expr(e));
                match no.is_empty() {
                    true => self.governed(&head, yes),
                    false => {
                        self.line(&format!("{head} {{"));
                        self.depth += 1;
                        self.block(yes);
                        self.depth -= 1;
                        self.governed("} else", no);
                    }
                }
            }
            S::For(l) => self.counted(l),
            S::Continue => self.line("continue;"),
            S::Break => self.line("break;"),
            S::Call(f, args) => self.line(&format!("{};", self.call(*f, args))),
            S::Swap(a, b) => {
                let (x, y) = (self.name(*a), self.name(*b));
                let elem = self.program.arrays[*a].elem.c();
                self.line(&format!("{{ {elem} *other = {x}; {x} = {y}; {y} = other; }}"));
            }
            S::Show(e) => {
                let text = format!(
                    "printf(\"case {}: %ld\\n\", (long)({}));",
                    self.program.seed,
                    self.expr(e)
                );
                self.line(&text);
            }
            S::Return(e) => self.line(&format!("return {};", self.expr(e))),
        }
    }

    fn counted(&mut self, l: &For) {
        let var = &self.program.vars[l.var];
        if !l.kernel.is_empty() {
            let items = l.kernel.iter().map(|(a, n, writes)| {
                let kind = if *writes { "tofrom" } else { "to" };
                format!("map({kind}: {}[0:{}])", self.name(*a), self.expr(n))
            });
            let items: Vec<String> = items.collect();
            self.line(&format!(
                "#pragma omp target teams distribute parallel for {}",
                items.join(" ")
            ));
        }
        let (ty, name) = (var.ty.c(), &var.name);
        let declared = if l.declares { format!("{ty} ") } else { String::new() };
        let step = match l.step {
            1 => format!("{name}++"),
            -1 => format!("{name}--"),
            s if s < 0 => format!("{name} -= {}", -s),
            s => format!("{name} += {s}"),
        };
        let head = format!(
            "for ({declared}{name} = {}; {name} {} {}; {step})",
            self.expr(&l.first),
            l.cmp,
            self.expr(&l.end)
        );
        self.governed(&head, &l.body);
    }
}
