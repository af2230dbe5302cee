//! Control flow, calls, declarations in the middle of a block.

use super::Printer;
use crate::generator::ast::*;
use crate::generator::configure::{flag_macro, trips_macro};
use crate::generator::frames::{self, Frame};

/// Whether the statement prints as exactly one C statement, so that it can be a body without braces.
fn single(s: &Stmt, before_else: bool) -> bool {
    match s {
        // Without braces of its own, an `if` in the body would take the `else`.
        Stmt::Kernel(k) => !before_else || k.style & 8 == 0,
        Stmt::Host(HostOp::Write {
            how: Write::Sometimes, ..
        }) => !before_else,
        Stmt::Host(op) => matches!(
            op,
            HostOp::Read { .. }
                | HostOp::Write { .. }
                | HostOp::Memset(_)
                | HostOp::ReadScalar(_)
                | HostOp::SetScalar(..)
        ),
        _ => false,
    }
}

impl Printer<'_> {
    pub fn block(&mut self, block: &[Stmt]) {
        for (k, s) in block.iter().enumerate() {
            let start = self.out.len();
            match s {
                Stmt::Choose { choice, body } => self.choose(choice, body, k + 1 < block.len()),
                _ => self.stmt(s),
            }
            if self.program.hides && matches!(s, Stmt::Loop(_) | Stmt::Call(_)) {
                self.hide_names(start);
            }
            if self.indent == 1 {
                self.read_scratch();
            }
        }
    }

    /// Puts a statement, of which the text begins at `start`, into a block in which names of the whole program that it does not
    /// have mean something else.
    fn hide_names(&mut self, start: usize) {
        let text = self.out[start..].to_string();
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let has = |ident: &str| text.split(|c: char| !word(c)).any(|w| w == ident);
        let hidden: Vec<String> = self.names_at_file_scope().into_iter().filter(|n| !has(n)).collect();
        // What a macro stands for is not in the text.
        if hidden.is_empty() || text.contains("KERNEL_") {
            return;
        }
        self.out.truncate(start);
        self.line("{");
        self.inside(|p| {
            for (i, name) in hidden.iter().enumerate() {
                match i % 3 {
                    0 => p.line(&format!("enum {{ {name} = {} }};", i + 2)),
                    1 => p.line(&format!("static long {name}[3] = {{{i}, 2, 3}};")),
                    _ => p.line(&format!("typedef double {name}[2];")),
                }
            }
        });
        self.out.push_str(&text);
        self.line("}");
    }

    /// Variables that more than one function may name.
    fn names_at_file_scope(&self) -> Vec<String> {
        let names = self.program.names.iter().enumerate().filter(|(_, n)| n.live);
        let global = |n: &Name| matches!(n.kind, NameKind::Global | NameKind::GlobalHeap);
        let arrays = names.filter(|(_, n)| global(n)).map(|(id, _)| self.name(id));
        let sizes = self.program.sizes.iter().filter(|s| s.kind == SizeKind::Global);
        let mut all: Vec<String> = arrays.chain(sizes.map(|s| s.ident.clone())).collect();
        all.sort();
        all.dedup();
        all
    }

    fn within(&mut self, frame: Frame, block: &[Stmt]) {
        self.frames.push(frame);
        self.block(block);
        self.frames.pop();
    }

    /// The body of a construct whose header is `head`.
    fn body(&mut self, head: &str, frame: Option<Frame>, block: &[Stmt], braces: bool, before_else: bool) {
        self.frames.extend(frame);
        let bare = !braces && matches!(block, [s] if single(s, before_else));
        self.line(&if bare { head.to_string() } else { format!("{head} {{") });
        self.inside(|p| p.block(block));
        if !bare {
            self.line("}");
        }
        if frame.is_some() {
            self.frames.pop();
        }
    }

    /// The name of a macro that is 0 or 1, which is defined above.
    fn flag(&mut self, flag: FlagId) -> String {
        let name = flag_macro(self.program, flag);
        self.above(self.macro_of(&name, i64::from(self.program.flags[flag])));
        name
    }

    /// The name by which code asks for such a macro: the macro's own, or that of a constant that follows the macro, which a
    /// compiler knows just as well.
    fn asked_name(&mut self, flag: FlagId) -> String {
        let (name, seed) = (self.flag(flag), self.program.seed);
        let (constant, declaration) = match flag % 3 {
            1 => (format!("on_{seed}_{flag}"), "static const int"),
            2 => (format!("has_{seed}_{flag}"), "enum"),
            _ => return name,
        };
        self.above(match declaration {
            "enum" => format!("enum {{ {constant} = {name} }};\n"),
            _ => format!("{declaration} {constant} = {name};\n"),
        });
        constant
    }

    pub(super) fn cond(&mut self, cond: &Cond) -> String {
        match cond {
            Cond::Flag(f, asked) => {
                let name = match asked {
                    Asked::Directive => self.flag(*f),
                    _ => self.asked_name(*f),
                };
                match *asked {
                    Asked::Alone | Asked::Directive => name,
                    Asked::Not => format!("!{name}"),
                    Asked::And(r, c) => format!("{name} && {} > {c}", self.runtime(r)),
                    Asked::Or(r, c) => format!("{name} || {} > {c}", self.runtime(r)),
                    Asked::Chosen(r, c) => {
                        let r = self.runtime(r);
                        format!("{name} ? {r} > {c} : {r} <= {c}")
                    }
                }
            }
            Cond::RuntimeGreater(r, c) => format!("{} > {c}", self.runtime(*r)),
            Cond::CounterMod { id, modulus, equals } => format!("{} % {modulus} == {equals}", self.counter(*id)),
            Cond::CounterLess(id, c) => format!("{} < {c}", self.counter(*id)),
            Cond::Parity(id, true) => format!("{} & 1", self.counter(*id)),
            Cond::Parity(id, false) => format!("{} % 2", self.counter(*id)),
            Cond::Real(id, c) => format!("{} * 0.75 > {c}", self.counter(*id)),
            Cond::Data { name, at, above } => {
                let element = self.element(*name, at);
                format!("{} > {above}", Self::as_long(self.program.names[*name].elem, &element))
            }
        }
    }

    fn trip(&mut self, trip: &Trip) -> String {
        match *trip {
            Trip::Lit(v) => v.to_string(),
            Trip::Macro(v) => {
                let name = trips_macro(self.program, v);
                self.above(self.macro_of(&name, v));
                name
            }
            Trip::Runtime(r) => self.runtime(r),
            Trip::RuntimeLess(r, c) => format!("{} - {c}", self.runtime(r)),
            Trip::Counter(id) if frames::counts(&self.frames, id) => format!("t{id}"),
            Trip::Counter(_) => "1".into(),
            Trip::Edge(ref edge) => self.edge(edge),
        }
    }

    fn host_loop(&mut self, l: &Loop) {
        let trip = self.trip(&l.trip);
        let (t, frame) = (format!("t{}", l.id), Frame::Loop(l.id));
        match l.kind {
            LoopKind::For if l.by_macro => {
                let times = format!("TIMES_{}", self.program.seed);
                self.above(format!("#define {times}(v, n) for (int v = 0; v < (n); v++)\n"));
                self.body(&format!("{times}({t}, {trip})"), Some(frame), &l.body, l.braces, false);
            }
            LoopKind::For => {
                let head = format!("for (int {t} = 0; {t} < {trip}; {t}++)");
                self.body(&head, Some(frame), &l.body, l.braces, false);
            }
            LoopKind::Middle(tested) => {
                let (first, rest) = l.body.split_at(tested.min(l.body.len()));
                self.line(&format!("for (int {t} = 0; ; {t}++) {{"));
                self.inside(|p| {
                    p.within(frame, first);
                    p.line(&format!("if ({t} >= {trip}) break;"));
                    p.within(frame, rest);
                });
                self.line("}");
            }
            LoopKind::Entered(passed, r) => self.entered(l, passed, r, &trip),
            LoopKind::Converted(runtime, below, form) => {
                let negative = format!("{} - {}", self.runtime(runtime), self.program.runtimes[runtime] + below);
                let (first, bound) = match form {
                    ConvertedForm::Unsigned => (negative, format!("(unsigned)({trip})")),
                    ConvertedForm::UnsignedLong => (negative, format!("(unsigned long)({trip})")),
                    ConvertedForm::Far => {
                        let far = format!("far_{}", self.program.seed);
                        self.above(format!("static int {far} = 2147483646;\n"));
                        (format!("{far} + 1"), trip)
                    }
                };
                let head = format!("for (int {t} = {first}; {t} < {bound}; {t}++)");
                self.body(&head, Some(frame), &l.body, l.braces, false);
            }
            LoopKind::Wrapping(back) => {
                let u = format!("ut{}", l.id);
                self.line(&format!(
                    "for (unsigned {u} = -{back}u; {u} != (unsigned)({trip}) - {back}u; {u}++) {{"
                ));
                self.inside(|p| {
                    p.line(&format!("int {t} = (int)({u} + {back}u);"));
                    p.within(frame, &l.body);
                });
                self.line("}");
            }
            LoopKind::While | LoopKind::DoWhile => {
                let head = if l.kind == LoopKind::While {
                    format!("while ({t} < {trip}) {{")
                } else {
                    "do {".into()
                };
                let tail = if l.kind == LoopKind::While {
                    "}".to_string()
                } else {
                    format!("}} while ({t} < {trip});")
                };
                self.line(&format!("int {t} = 0;"));
                self.line(&head);
                self.inside(|p| {
                    p.line(&format!("{t}++;"));
                    p.within(frame, &l.body);
                });
                self.line(&tail);
            }
        }
        let mut left = false;
        visit(&l.body, &mut |s| {
            left |= matches!(s, Stmt::Jump { kind: Jump::Out(id), .. } if *id == l.id)
        });
        if left {
            self.line(&format!("out_{}: ;", l.id));
        }
    }

    /// A loop that a `switch` leads into: where the value is odd the first statements are passed by, once.
    fn entered(&mut self, l: &Loop, passed: usize, r: RuntimeId, trip: &str) {
        let (t, frame) = (format!("t{}", l.id), Frame::Loop(l.id));
        let (first, rest) = l.body.split_at(passed.min(l.body.len()));
        let value = self.runtime(r);
        self.line(&format!("int {t} = 0;"));
        self.line(&format!("switch ({value} % 2) {{"));
        self.line("case 0:");
        self.inside(|p| {
            p.line("do {");
            p.inside(|p| p.within(frame, first));
        });
        self.line("case 1: ;");
        self.inside(|p| {
            p.inside(|p| p.within(frame, rest));
            p.line(&format!("}} while (++{t} < {trip});"));
        });
        self.line("}");
    }

    fn switch(&mut self, on: &Selector, arms: &[Arm]) {
        let on = match *on {
            Selector::Runtime(r) => self.runtime(r),
            Selector::Counter(id) => self.counter(id),
        };
        self.line(&format!("switch ({on} % {}) {{", arms.len() + 1));
        for (k, arm) in arms.iter().enumerate() {
            self.line(&format!("case {k}: {{"));
            self.inside(|p| p.within(Frame::Switch, &arm.body));
            self.line("}");
            if !arm.falls_through {
                self.inside(|p| p.line("break;"));
            }
        }
        self.line("default: ;");
        self.line("}");
    }

    /// `size` in the words of the function that is being printed.
    fn size_argument(&self, value: i64) -> String {
        let visible = &self.program.functions[self.function].sizes;
        let known = visible
            .iter()
            .map(|s| &self.program.sizes[*s])
            .find(|s| s.value == value);
        known.map_or_else(|| value.to_string(), |s| s.ident.clone())
    }

    /// A call of helper `function`, by name or through its pointer.
    fn call(&mut self, c: &Call) {
        let f = &self.program.functions[c.function];
        let sizes = self.size_parameters(f).into_iter();
        let mut args: Vec<String> = sizes.map(|s| self.size_argument(s.value)).collect();
        if self.linkage.boxed(c.function) {
            let pointer = self.function != 0 || self.program.arrow;
            args.push(if pointer { "box" } else { "&box" }.into());
        }
        let argument = |(name, offset): &(NameId, i64)| match offset {
            0 => self.name(*name),
            k => format!("{} + {k}", self.name(*name)),
        };
        args.extend(c.args.iter().zip(&c.besides).map(|(arg, beside)| match beside {
            None => argument(arg),
            // A condition that always holds, which nobody sees.
            Some(n) if n % 2 == 0 => format!("({} | 1) ? {} : {}", self.hash(), argument(arg), self.name(*n)),
            Some(n) => format!("!({} | 1) ? {} : {}", self.hash(), self.name(*n), argument(arg)),
        }));
        if !self.program.global_hash {
            args.push(if self.hash() == "h" { "&h".into() } else { "h".into() });
        }
        if self.program.is_told(c.function) {
            let first = c.args.first().map(|(name, _)| *name);
            args.push(match first {
                Some(name) if self.program.shows_absence(name) => i32::from(!self.program.exists(name)).to_string(),
                Some(name) => format!("!({})", self.exists(name)),
                None => "0".into(),
            });
        }
        if f.recursion != Recursion::None {
            args.push(c.depth.to_string());
        }
        if self.hands_device() {
            args.push("gpu".into());
        }
        let mut callee = self.linkage.functions[c.function].ident.clone();
        if c.by_pointer {
            self.pointers
                .insert((self.program.functions[self.function].home, c.function));
            callee = format!("call_{}", f.ident);
        }
        self.line(&format!("{callee}({});", args.join(", ")));
    }

    fn jump(&mut self, cond: &Cond, kind: Jump) {
        if !frames::lands(&self.frames, kind) {
            return;
        }
        let text = match kind {
            Jump::Break => "break".into(),
            Jump::Continue => "continue".into(),
            Jump::Out(id) => format!("goto out_{id}"),
            Jump::Exit if self.function == 0 && self.program.layout != Layout::Function => {
                format!("goto done_{}", self.program.seed)
            }
            Jump::Exit => "return".into(),
        };
        let cond = self.cond(cond);
        self.line(&format!("if ({cond}) {text};"));
    }

    /// Statements under the condition that an array is there.
    fn when(&mut self, name: NameId, form: When, body: &[Stmt]) {
        let (exists, pointer) = (self.exists(name), self.name(name));
        let (head, tail) = match form {
            When::Flag => (format!("if ({exists}) {{"), "}"),
            When::Pointer => (format!("if ({pointer}) {{"), "}"),
            When::Both => (format!("if ({exists} && {pointer} != NULL) {{"), "}"),
            When::Switch => (format!("switch ({exists}) {{ default: break; case 1: {{"), "} }"),
            When::Loop => (format!("for (int once = 0; once < ({exists}); once++) {{"), "}"),
        };
        self.line(&head);
        self.inside(|p| p.block(body));
        self.line(tail);
    }

    fn stmt(&mut self, s: &Stmt) {
        match s {
            Stmt::Kernel(k) => self.kernel(k),
            Stmt::Host(op) => self.host(op),
            Stmt::Loop(l) => self.host_loop(l),
            Stmt::If {
                cond: Cond::Flag(f, Asked::Directive),
                then,
                other,
                ..
            } => {
                let name = self.flag(*f);
                self.out += &format!("#if {name}\n");
                self.block(then);
                if !other.is_empty() {
                    self.out += "#else\n";
                    self.block(other);
                }
                self.out += "#endif\n";
            }
            Stmt::If {
                cond,
                then,
                other,
                braces,
            } => {
                let cond = self.cond(cond);
                self.body(&format!("if ({cond})"), None, then, *braces, !other.is_empty());
                if !other.is_empty() {
                    self.body("else", None, other, *braces, false);
                }
            }
            Stmt::Switch { on, arms } => self.switch(on, arms),
            Stmt::Jump { cond, kind } => self.jump(cond, *kind),
            Stmt::Call(c) => self.call(c),
            Stmt::Region {
                form,
                maps,
                cover,
                body,
            } => {
                self.frames.push(Frame::Region {
                    unstructured: form.unstructured(),
                });
                let outer = self.covered.len();
                self.covered.extend(cover);
                self.region(*form, *maps, cover, body);
                self.covered.truncate(outer);
                self.frames.pop();
            }
            Stmt::Sync { body, updates } => self.sync(body, *updates),
            Stmt::When { name, form, body } => self.when(*name, *form, body),
            Stmt::Choose { choice, body } => self.choose(choice, body, true),
            Stmt::DeclareAlias(q) => {
                let text = format!(
                    "{} *{} = {};",
                    self.program.names[*q].elem.c(),
                    self.name(*q),
                    self.alias_value(*q)
                );
                self.line(&text);
            }
            Stmt::DeclareScalar(s) => {
                let scalar = &self.program.scalars[*s];
                self.line(&format!("long {} = {};", scalar.ident, scalar.initial));
            }
        }
    }
}
