//! Kernels: the directive, the loops, the statements of one iteration.

use super::Printer;
use crate::generator::ast::*;

/// Elements of an array of which kernels have private copies.
const SCRATCH: i64 = 4;

impl Printer<'_> {
    fn subscript(&self, name: NameId, at: &KernelAt) -> String {
        self.item_at(name, at) + self.program.names[name].elem.part()
    }

    fn item_at(&self, name: NameId, at: &KernelAt) -> String {
        let n = &self.program.names[name];
        let base = self.name(name);
        let plus = |v: &str, c: i64| match c {
            0 => v.to_string(),
            c if c < 0 => format!("{v} - {}", -c),
            c => format!("{v} + {c}"),
        };
        match *at {
            KernelAt::Shift(c) => format!("{base}[{}]", plus("i", c)),
            KernelAt::Reverse => format!("{base}[{} - i]", self.less(&n.dims[0], 1)),
            KernelAt::Twice(c) => format!("{base}[{}]", plus("2 * i", c)),
            KernelAt::Wrap(m, c) => format!("{base}[(i * {m} + {c}) % {}]", self.factor(&n.dims[0])),
            KernelAt::Ring(m, c) => format!("{base}[(unsigned)(i * {m} - {c}) % {}]", self.factor(&n.dims[0])),
            KernelAt::Gather(x) => format!("{base}[{}[i]]", self.name(x)),
            KernelAt::Fixed(c) => format!("{base}[{c}]"),
            KernelAt::Cell(di, dj) => match &n.matrix {
                Some((_, columns)) => {
                    let row = if di == 0 {
                        "i".into()
                    } else {
                        format!("({})", plus("i", di))
                    };
                    format!("{base}[{row} * {} + {}]", self.factor(columns), plus("j", dj))
                }
                None => format!("{base}[{}][{}]", plus("i", di), plus("j", dj)),
            },
            KernelAt::RowOf(r) => format!("{base}[{r}][i]"),
            KernelAt::ColumnOf(c) => format!("{base}[i][{c}]"),
        }
    }

    fn load(&self, name: NameId, at: &KernelAt) -> String {
        Self::as_long(self.program.names[name].elem, &self.subscript(name, at))
    }

    fn bound(&self, bound: &Bound) -> String {
        match *bound {
            Bound::Const(c) => c.to_string(),
            Bound::Less(ref s, c) => self.less(s, c),
            Bound::Edge(ref edge) => self.edge(edge),
            Bound::Counter(id, ref s) => format!("{} % {}", self.counter(id), self.factor(s)),
        }
    }

    /// One statement of an iteration, with the loops for row sums in front of it.
    fn kernel_stmt(&self, number: usize, s: &KernelStmt, scratch: Option<&str>) -> Vec<String> {
        let mut lines = Vec::new();
        let mut value = Vec::new();
        for (position, t) in s.terms.iter().enumerate() {
            value.push(match t {
                Term::Read(1, n, at) => self.load(*n, at),
                Term::Read(k, n, at) if k % 2 == 0 && self.program.names[*n].elem == Elem::Point => {
                    let item = self.item_at(*n, at);
                    match k % 4 {
                        0 => format!("both_of({item}) % 1009"),
                        _ => format!("{k}L * {item}.x"),
                    }
                }
                Term::Read(k, n, at) => format!("{k}L * {}", self.load(*n, at)),
                Term::Product(n, at, m, bt) => format!("1L * {} * {}", self.load(*n, at), self.load(*m, bt)),
                Term::RowSum(n) => {
                    let columns = self.program.names[*n]
                        .dims
                        .get(1)
                        .map_or_else(String::new, |c| self.size(c));
                    let cell = Self::as_long(self.program.names[*n].elem, &format!("{}[i][k]", self.name(*n)));
                    let sum = format!("sum{number}{position}");
                    lines.push(format!("long {sum} = 0;"));
                    lines.push(format!("for (int k = 0; k < {columns}; k++) {sum} += {cell};"));
                    sum
                }
                Term::Iter(k) => format!("{k}L * i"),
                Term::Scalar(s) => format!("({} % 101)", self.program.scalars[*s].ident),
                Term::Runtime(r) => format!("(long){}", self.runtime(*r)),
                Term::Counter(id) => format!("(long){}", self.counter(*id)),
            });
        }
        value.extend(scratch.map(|name| format!("{name}[{}]", s.constant % SCRATCH)));
        value.push(format!("{}L", s.constant));
        let value = value.join(" + ");
        let body = match &s.target {
            KernelTarget::Elem(n, at) => {
                let (elem, dst) = (self.program.names[*n].elem, self.subscript(*n, at));
                let value = if s.adds {
                    format!("{} + {value}", Self::as_long(elem, &dst))
                } else {
                    value
                };
                format!("{dst} = {};", Self::wrap(elem, &value))
            }
            KernelTarget::Reduce(scalar, Reduction::Sum) => {
                format!("{} += {value};", self.program.scalars[*scalar].ident)
            }
            KernelTarget::Reduce(scalar, Reduction::Max) => {
                let r = &self.program.scalars[*scalar].ident;
                format!("{r} = {r} > {value} ? {r} : {value};")
            }
        };
        lines.push(match &s.cond {
            None => body,
            Some(KernelCond::IterMod(m, e)) => format!("if (i % {m} == {e}) {body}"),
            Some(KernelCond::IterLess(c)) => format!("if (i < {c}) {body}"),
            Some(KernelCond::Data(n, at, c)) => format!("if ({} > {c}) {body}", self.load(*n, at)),
        });
        lines
    }

    /// The array of which a kernel has a private copy.
    pub fn scratch(&self, k: &Kernel) -> String {
        format!("scratch_{}_{}", self.program.seed, k.id)
    }

    /// What a kernel does with its private copy, if it has one: it puts there what the host has.
    fn fill_scratch(&self, k: &Kernel) -> Option<String> {
        let first = k.copies.scratch?;
        let name = self.scratch(k);
        Some(format!("for (int k = 0; k < {SCRATCH}; k++) {name}[k] = {first} + k;"))
    }

    /// Declares what kernels have private copies of, to be read when the statement at the top is over.
    fn declare_scratch(&mut self, k: &Kernel) {
        let Some(first) = k.copies.scratch else { return };
        let name = self.scratch(k);
        let values: Vec<String> = (0..SCRATCH).map(|i| (first + i).to_string()).collect();
        self.above(format!("static long {name}[{SCRATCH}] = {{{}}};\n", values.join(", ")));
        self.kept.push(name);
    }

    /// Mixes what the host has in those arrays.
    pub fn read_scratch(&mut self) {
        for name in std::mem::take(&mut self.kept) {
            self.line(&format!("for (int i = 0; i < {SCRATCH}; i++)"));
            let text = self.mix(&format!("{name}[i]"));
            self.inside(|p| p.line(&text));
        }
    }

    /// The array that the host looks at before a kernel starts.
    pub fn asked(&self, k: &Kernel) -> String {
        format!("asked_{}_{}", self.program.seed, k.id)
    }

    /// Declares what the host evaluates for a kernel, and writes it on the device.
    fn ask(&mut self, k: &Kernel, asks: Asks) {
        let name = self.asked(k);
        let old = if asks == Asks::Length { 0 } else { 3 };
        let mut declared = format!("static int {name}[4] = {{{old}, 5, 7, 9}};\n");
        if asks == Asks::Teams {
            declared.push_str(&format!(
                "static int {name}_old;\nstatic int {name}_teams(void)\n{{\n    {name}_old += {name}[0] != 1;\n    return 2;\n}}\n"
            ));
        }
        self.above(declared);
        self.line(&format!("#pragma omp target map(tofrom: {name})"));
        self.line(&format!("{name}[0] = 1;"));
    }

    /// The loops and their body.
    fn kernel_loops(&self, k: &Kernel) -> Vec<String> {
        let mut out = Vec::new();
        let mut indent = String::new();
        let mut put = |indent: &str, text: &str| out.push(format!("{indent}{text}"));
        let mut headers = Vec::new();
        for ((lo, hi), v) in k.loops.iter().zip(["i", "j"]) {
            if v == "i" && k.asks == Some(Asks::Step) {
                let step = self.asked(k);
                let (lo, hi) = (self.bound(lo), self.bound(hi));
                headers.push(format!("for (int {v} = {lo}; {v} < {hi}; {v} += {step}[0])"));
                continue;
            }
            headers.push(if k.style & 64 != 0 && !k.by_macro {
                format!(
                    "for (int {v} = {}; {v} <= {} - 1; ++{v})",
                    self.bound(lo),
                    self.bound(hi)
                )
            } else {
                format!("for (int {v} = {}; {v} < {}; {v}++)", self.bound(lo), self.bound(hi))
            });
        }
        let braces = k.directive == Directive::Serial;
        if braces {
            put("", "{");
            indent += "    ";
        }
        for h in &headers {
            put(&indent, h);
            indent += "    ";
        }
        let stmts = k.stmts.iter().enumerate();
        let scratch = k.copies.scratch.map(|_| self.scratch(k));
        let stmts = stmts.flat_map(|(n, s)| self.kernel_stmt(n, s, scratch.as_deref()));
        let lines: Vec<String> = self.fill_scratch(k).into_iter().chain(stmts).collect();
        if lines.len() == 1 && k.style & 8 != 0 {
            put(&indent, &lines[0]);
        } else {
            let outer = indent[4..].to_string();
            put(&outer, "{");
            for l in &lines {
                put(&indent, l);
            }
            put(&outer, "}");
        }
        if braces {
            put("", "}");
        }
        out
    }

    /// A whole kernel: one C statement.
    pub fn kernel(&mut self, k: &Kernel) {
        self.declare_scratch(k);
        if let Some(asks) = k.asks {
            self.line("{");
            self.indent += 1;
            self.ask(k, asks);
        }
        self.kernel_itself(k);
        if let Some(asks) = k.asks {
            if asks == Asks::Teams {
                let text = self.mix(&format!("{}_old", self.asked(k)));
                self.line(&text);
            }
            self.indent -= 1;
            self.line("}");
        }
    }

    fn kernel_itself(&mut self, k: &Kernel) {
        let pragmas = self.kernel_pragmas(k);
        let loops = self.kernel_loops(k);
        if k.by_macro {
            let ident = format!("KERNEL_{}_{}", self.program.seed, k.id);
            let pragmas: String = pragmas
                .iter()
                .map(|p| format!(" \\\n    _Pragma(\"{}\")", p.join(" ")))
                .collect();
            let loops: String = loops.iter().map(|l| format!(" \\\n    {l}")).collect();
            self.above(format!("#define {ident}{pragmas}{loops}\n"));
            self.line(&ident);
            return;
        }
        if k.style & 32 != 0 {
            self.line("// #pragma omp target: a comment that only looks like one");
        }
        for p in &pragmas {
            let glue = if k.style & 1 != 0 { " \\\n        " } else { " " };
            self.line(&format!("#pragma {}", p.join(glue)));
        }
        if k.style & 2 != 0 {
            self.line(if k.style & 4 != 0 {
                "/* one iteration for each element */"
            } else {
                "// the loop"
            });
        }
        for l in &loops {
            self.line(l);
        }
    }
}
