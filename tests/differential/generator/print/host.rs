//! Host statements: reads into the running hash, writes, library calls, pointer games.

use super::Printer;
use crate::generator::ast::*;
use crate::generator::frames;

/// The elements that a host statement walks over: loop headers, then the element, then a number that tells it apart.
struct Walk {
    headers: Vec<String>,
    element: String,
    position: Option<String>,
}

impl Printer<'_> {
    pub fn at(&self, at: &At, extent: &Size) -> String {
        match *at {
            At::Const(c) => c.to_string(),
            At::FromEnd(c) => self.less(extent, c + 1),
            At::Half => format!("{} / 2", self.factor(extent)),
            At::Counter(id, add) if frames::counts(&self.frames, id) => {
                format!("(t{id} + {add}) % {}", self.factor(extent))
            }
            At::Counter(_, add) => format!("{add} % {}", self.factor(extent)),
            At::Count(c) => format!("({} + 2) % {}", self.program.sizes[c].ident, self.factor(extent)),
            At::Wrapped(id, ref how, true) => self.wrapped(id, how, &Size::Lit(self.program.value(extent))),
            At::Wrapped(id, ref how, false) => self.wrapped(id, how, extent),
            At::Runtime(r) => format!("{} % {}", self.runtime(r), self.factor(extent)),
        }
    }

    /// A counter in arithmetic that wraps around.
    fn wrapped(&self, id: LoopId, how: &Wrapped, extent: &Size) -> String {
        let (t, n) = (self.counter(id), self.factor(extent));
        match *how {
            Wrapped::Ring(width, back) => {
                let width = match width {
                    Width::Unsigned => "unsigned",
                    Width::Size => "size_t",
                    Width::Long => "unsigned long",
                };
                format!("({width})({t} - {back}) % {n}")
            }
            Wrapped::Hash => format!("(unsigned){t} * 2654435761u % {n}"),
            Wrapped::Next(add) => format!("(({add}u + {t}) * 1103515245u + 12345u) % {n}"),
            Wrapped::LongNext => {
                format!("((unsigned long){t} * 6364136223846793005UL + 1442695040888963407UL) % {n}")
            }
            Wrapped::Quotient => format!("{t} * 1000000000u / 10000000u % {n}"),
            Wrapped::Top(back) => format!("(unsigned)({t} - {back}) / 1000000000u"),
            Wrapped::Byte(add) => format!("(unsigned char)({t} * 100 + {add}) % {n}"),
            Wrapped::Short(back) => format!("(unsigned short)({t} * 40000 - {back}) % {n}"),
        }
    }

    /// One element, an index for each dimension.
    pub fn element(&self, name: NameId, at: &[At]) -> String {
        let dims = &self.program.names[name].dims;
        let brackets: String = at
            .iter()
            .zip(dims)
            .map(|(a, d)| format!("[{}]", self.at(a, d)))
            .collect();
        self.name(name) + &brackets + self.program.names[name].elem.part()
    }

    fn walk(&self, name: NameId, select: &Select) -> Walk {
        let mut walk = self.walk_items(name, select);
        if !matches!(select, Select::Elem(_)) {
            walk.element += self.program.names[name].elem.part();
        }
        walk
    }

    fn walk_items(&self, name: NameId, select: &Select) -> Walk {
        let n = self.name(name);
        let dims = &self.program.names[name].dims;
        let header = |v: &str, lo: &str, hi: String, step: i64| {
            let next = if step == 1 {
                format!("{v}++")
            } else {
                format!("{v} += {step}")
            };
            format!("for (int {v} = {lo}; {v} < {hi}; {next})")
        };
        let (lo, drop, step) = match *select {
            Select::Elem(ref at) => {
                return Walk {
                    headers: Vec::new(),
                    element: self.element(name, at),
                    position: None,
                };
            }
            Select::Row(at) if dims.len() == 2 => {
                return Walk {
                    headers: vec![header("j", "0", self.size(&dims[1]), 1)],
                    element: format!("{n}[{}][j]", self.at(&at, &dims[0])),
                    position: Some("j".into()),
                };
            }
            Select::Ring(id, back) => {
                let (t, extent) = (self.counter(id), self.factor(&dims[0]));
                return Walk {
                    headers: vec![header("i", "0", "3".into(), 1)],
                    element: format!("{n}[(unsigned)({t} + i - {back}) % {extent}]"),
                    position: Some("i".into()),
                };
            }
            Select::Range(lo, drop) => (lo, drop, 1),
            Select::Between(lo, ref to) => {
                return Walk {
                    headers: vec![header("i", &lo.to_string(), self.edge(to), 1)],
                    element: format!("{n}[i]"),
                    position: Some("i".into()),
                };
            }
            Select::Behind(ref from, drop) => {
                return Walk {
                    headers: vec![header("i", &self.edge(from), self.less(&dims[0], drop), 1)],
                    element: format!("{n}[i]"),
                    position: Some("i".into()),
                };
            }
            Select::Strided(step) => (0, 0, step),
            Select::Counted(_) => (0, 0, 1),
            Select::Row(_) | Select::All => (0, 0, 1),
        };
        let until = match *select {
            Select::Counted(c) => self.program.sizes[c].ident.clone(),
            _ => self.less(&dims[0], drop),
        };
        let first = header("i", &lo.to_string(), until, step);
        match dims.get(1) {
            None => Walk {
                headers: vec![first],
                element: format!("{n}[i]"),
                position: Some("i".into()),
            },
            Some(c) => Walk {
                headers: vec![first, header("j", "0", self.size(c), 1)],
                element: format!("{n}[i][j]"),
                position: Some("(i * 5 + j)".into()),
            },
        }
    }

    /// `statement` under the loop headers of `walk`.
    fn under(&mut self, walk: &Walk, statement: &str) {
        for h in &walk.headers {
            self.line(h);
            self.indent += 1;
        }
        self.line(statement);
        self.indent -= walk.headers.len();
    }

    /// Fills the whole array with values that depend on `salt`.
    pub fn fill(&mut self, name: NameId, salt: i64) {
        let n = &self.program.names[name];
        let walk = self.walk(name, &Select::All);
        let p = walk.position.clone().unwrap_or_default();
        let value = match n.index_bound {
            Some(bound) => format!("(int)(({p} * {} + {}) % {bound})", 2 * (salt % 4) + 1, salt % 7),
            None => Self::wrap(n.elem, &format!("{}L * {p} + {salt}L", salt % 7 + 1)),
        };
        let statement = format!("{} = {value};", walk.element);
        self.under(&walk, &statement);
        if n.elem == Elem::Point {
            let statement = format!("{}[i].x = i % 7;", self.name(name));
            self.under(&walk, &statement);
        } else if n.elem == Elem::Char {
            let text = format!("{}[{}] = 0;", self.name(name), self.size(&n.dims[0]));
            self.line(&text);
        }
    }

    /// Mixes the selected elements into the running hash.
    pub fn absorb(&mut self, name: NameId, select: &Select) {
        let walk = self.walk(name, select);
        let whole = walk.element.strip_suffix(Elem::Point.part());
        let is_point = self.program.names[name].elem == Elem::Point;
        // Every other array of structs is read by calls that are handed the elements.
        let statement = match whole.filter(|_| is_point && name.is_multiple_of(2)) {
            Some(whole) => self.mix(&format!("both_of({whole})")),
            None => self.mix(&format!("(long){}", walk.element)),
        };
        self.under(&walk, &statement);
    }

    fn write(&mut self, name: NameId, select: &Select, how: Write, salt: i64, counter: Option<LoopId>) {
        let elem = self.program.names[name].elem;
        let walk = self.walk(name, select);
        let other = walk.element.strip_suffix(Elem::Point.part());
        let other = other.filter(|_| elem == Elem::Point && salt % 3 == 0);
        let e = &other.map_or(walk.element.clone(), |e| format!("{e}.x"));
        let mut value = format!("{salt}L");
        if let Some(p) = &walk.position {
            value = format!("{}L * {p} + {value}", salt % 5 + 1);
        }
        if let Some(id) = counter {
            value += &format!(" + {}", self.counter(id));
        }
        let set = |value: &str| format!("{e} = {};", Self::wrap(elem, value));
        let statement = match (how, &walk.position) {
            (Write::Set, _) => set(&value),
            (Write::Add, _) => set(&format!("{} + {value}", Self::as_long(elem, e))),
            (Write::Sometimes, Some(p)) if salt % 2 == 0 => format!("if ({p} % 3 == {}) {}", salt % 3, set(&value)),
            (Write::Sometimes, _) => format!("if ({} > {}) {}", Self::as_long(elem, e), salt % 400, set(&value)),
        };
        self.under(&walk, &statement);
    }

    /// Another value for a number that changes.
    fn step(&mut self, count: SizeId, step: &Step) {
        let size = &self.program.sizes[count];
        let SizeKind::Count { low } = size.kind else { return };
        let (c, modulus) = (&size.ident, size.value - low + 1);
        let cut = |value: String| match low {
            0 => format!("{c} = {value} % {modulus};"),
            low if low < 0 => format!("{c} = {value} % {modulus} - {};", -low),
            low => format!("{c} = {value} % {modulus} + {low};"),
        };
        let text = match *step {
            Step::Chain { factor, add } => cut(format!("(({c} + 2) * {factor} + {add})")),
            Step::Counter { id, factor, add } => cut(format!("({} * {factor} + {add})", self.counter(id))),
            Step::Runtime(r) => cut(self.runtime(r)),
            Step::Down => format!("if ({c} > {low}) {c}--;"),
        };
        self.line(&text);
    }

    /// One of two arrays for a pointer.
    fn pick(&mut self, name: NameId, cond: &Cond) {
        let NameKind::Pick { of, other } = self.program.names[name].kind else {
            return;
        };
        let (cond, one, two) = (self.cond(cond), self.name(of), self.name(other));
        self.line(&format!("{} = ({cond}) ? {one} : {two};", self.name(name)));
    }

    pub fn host(&mut self, op: &HostOp) {
        let names = &self.program.names;
        match op {
            HostOp::Read {
                name,
                select: Select::Elem(at),
                print: true,
            } => {
                let (e, seed) = (self.element(*name, at), self.program.seed);
                self.line(&format!(
                    "printf(\"case {seed}: read {}=%ld\\n\", (long){e});",
                    names[*name].ident
                ));
            }
            HostOp::Read { name, select, .. } => self.absorb(*name, select),
            HostOp::Write {
                name,
                select,
                how,
                salt,
                counter,
            } => self.write(*name, select, *how, *salt, *counter),
            HostOp::Reindex { name, salt } => self.fill(*name, *salt),
            HostOp::Memset(name) => {
                let bytes = format!("(size_t)({}) * sizeof({})", self.count(*name), names[*name].elem.c());
                self.line(&format!("memset({}, 0, {bytes});", self.name(*name)));
            }
            HostOp::Memcpy { dst, src, drop } => {
                let shorter = if self.program.len(*dst) <= self.program.len(*src) {
                    *dst
                } else {
                    *src
                };
                let count = self.less(&names[shorter].dims[0], *drop);
                let (d, s) = (self.name(*dst), self.name(*src));
                self.line(&format!("memcpy({d}, {s}, (size_t)({count}) * sizeof *{d});"));
            }
            HostOp::Sort(name) => {
                let elem = names[*name].elem;
                let cmp = format!("order_{}_{}", elem.word(), self.program.seed);
                let (x, y) = match elem {
                    Elem::Point => ("x->y", "y->y"),
                    _ => ("*x", "*y"),
                };
                let elem = elem.c();
                self.above(format!(
                    "static int {cmp}(const void *p, const void *q)\n{{\n    const {elem} *x = p, *y = q;\n    return ({x} > {y}) - ({x} < {y});\n}}\n"
                ));
                let (n, count) = (self.name(*name), self.count(*name));
                self.line(&format!("qsort({n}, (size_t)({count}), sizeof *{n}, {cmp});"));
            }
            HostOp::Swap(a, b) if frames::may_swap(self.program, &self.frames, *a) => {
                let (x, y, elem) = (self.name(*a), self.name(*b), names[*a].elem.c());
                self.line("{");
                self.inside(|p| {
                    p.line(&format!("{elem} *swap = {x};"));
                    p.line(&format!("{x} = {y};"));
                    p.line(&format!("{y} = swap;"));
                });
                self.line("}");
            }
            HostOp::Realloc(name) if frames::may_free(self.program, &self.frames, *name) => {
                let (n, extent) = (self.name(*name), self.size(&names[*name].dims[0]));
                self.line(&format!("{n} = realloc({n}, (size_t)({extent} + 3) * sizeof *{n});"));
                self.realias(*name);
            }
            HostOp::Renew(name) if frames::may_free(self.program, &self.frames, *name) => {
                let n = self.name(*name);
                self.line(&format!("free({n});"));
                self.allocate("", *name, 11);
                if names[*name].made == Made::Here {
                    self.fill(*name, 11);
                }
                self.realias(*name);
            }
            HostOp::Swap(..) | HostOp::Realloc(_) | HostOp::Renew(_) => {}
            HostOp::ReadScalar(s) => {
                let text = self.mix(&self.program.scalars[*s].ident);
                self.line(&text);
            }
            HostOp::Guarded {
                name,
                guard,
                form,
                salt,
            } => self.guarded(*name, guard, *form, *salt),
            HostOp::Advance => self.line("if (spot) spot = spot->next;"),
            HostOp::FirstToken(name, how, salt) => self.token(Some(*name), *how, *salt),
            HostOp::NextToken(how, salt) => self.token(None, *how, *salt),
            HostOp::Raise(code) => self.raise(code),
            HostOp::Meet(code) => self.meet(code),
            HostOp::CallBack(code, caller) => self.call_back(code, *caller),
            HostOp::Weigh(_, place) => self.weigh(*place),
            HostOp::Survey(name, by, place) => self.survey(*name, *by, *place),
            HostOp::Border(name, border) => self.border(*name, border),
            HostOp::Step(count, step) => self.step(*count, step),
            HostOp::Pick(name, cond) => self.pick(*name, cond),
            HostOp::Choose(choice) => self.choose_again(choice),
            HostOp::SetScalar(s, v) => {
                let text = format!("{} = {v};", self.program.scalars[*s].ident);
                self.line(&text);
            }
        }
    }
}
