//! Traps on the host: accesses that something guards, library calls that remember, code that nothing calls by name,
//! functions that allocate.

use super::Printer;
use crate::generator::ast::*;

impl Printer<'_> {
    /// What is asked before a guarded access, and the index that makes no sense without.
    fn guard(&self, guard: &Guard, extent: &Size) -> (String, String) {
        let n = self.factor(extent);
        let divided = |by: String| {
            let index = format!("{n} / {by} - 1");
            (by, index)
        };
        match *guard {
            Guard::Spot => ("spot".into(), "spot->at".into()),
            Guard::Divisor(r) => divided(self.runtime(r)),
            Guard::Counter(id) => divided(self.counter(id)),
            Guard::Remainder(id, r) => (self.runtime(r), format!("{} % {}", self.counter(id), self.runtime(r))),
        }
    }

    /// A guarded access.
    pub(super) fn guarded(&mut self, name: NameId, guard: &Guard, form: Guarded, salt: i64) {
        let (elem, extent) = (self.program.names[name].elem, self.program.names[name].dims[0]);
        let (array, n) = (self.name(name), self.factor(&extent));
        let (asked, index) = self.guard(guard, &extent);
        let element = format!("{array}[{index}]{}", elem.part());
        let (value, set) = (Self::as_long(elem, &element), Self::wrap(elem, &format!("{salt}L")));
        // What a function is given to find the same element.
        let given = match *guard {
            Guard::Spot => "spot".into(),
            Guard::Remainder(id, _) => format!("{asked}, {}", self.counter(id)),
            _ => format!("{asked}, {n}"),
        };
        let text = match form {
            Guarded::Chosen => self.mix(&format!("{asked} ? {value} : 0L")),
            Guarded::And => format!("if ({asked} && {value} > {}) {}", salt % 400, self.mix("1")),
            Guarded::AndWrite => format!("(void)({asked} && ({element} = {set}));"),
            Guarded::If => format!("if ({asked}) {element} = {set};"),
            Guarded::Loop => {
                let element = format!("{array}[({n} - 4) / {asked} + i]{}", elem.part());
                let value = Self::wrap(elem, &format!("{salt}L + i"));
                let statement = match salt % 2 {
                    0 => format!("{element} = {value};"),
                    _ => self.mix(&format!("(long){element}")),
                };
                format!("for (int i = 0; i < {asked}; i++) {statement}")
            }
            Guarded::ReadCall => {
                let reader = self.asking(elem, guard, false);
                self.mix(&format!("{reader}({array}, {given})"))
            }
            Guarded::WriteCall => format!("{}({array}, {given}, {salt}L);", self.asking(elem, guard, true)),
        };
        self.line(&text);
    }

    /// A function that asks before it uses an element.
    fn asking(&mut self, elem: Elem, guard: &Guard, writes: bool) -> String {
        let (kind, parameters, asked, index) = match guard {
            Guard::Spot => ("spot", "const struct spot *s", "s", "s->at"),
            Guard::Remainder(..) => ("turn", "int k, int t", "k", "t % k"),
            Guard::Divisor(_) | Guard::Counter(_) => ("part", "int k, int n", "k", "n / k - 1"),
        };
        let (c, element) = (elem.c(), format!("v[{index}]{}", elem.part()));
        let verb = if writes { "put" } else { "get" };
        let name = format!("{verb}_{kind}_{}_{}", elem.word(), self.program.seed);
        let (value, set) = (Self::as_long(elem, &element), Self::wrap(elem, "x"));
        self.above(if writes {
            format!("static void {name}({c} *v, {parameters}, long x)\n{{\n    if ({asked}) {element} = {set};\n}}\n")
        } else {
            format!("static long {name}(const {c} *v, {parameters})\n{{\n    return {asked} ? {value} : 0;\n}}\n")
        });
        name
    }

    /// A call that takes a text apart, or goes on with that.
    pub(super) fn token(&mut self, text: Option<NameId>, how: Tokens, salt: i64) {
        let letter = |k: i64| char::from(b'a' + u8::try_from((salt * 5 + k * 7) % 23).unwrap_or(0));
        let ends = format!("\"{}{}{}\"", letter(0), letter(1), letter(2));
        let first = text.map_or("NULL".to_string(), |n| self.name(n));
        let call = match how {
            Tokens::Hidden => format!("strtok({first}, {ends})"),
            Tokens::Saved => format!("strtok_r({first}, {ends}, &save)"),
            Tokens::Separated => format!("strsep(&rest, {ends})"),
        };
        self.line("{");
        self.inside(|p| {
            if how == Tokens::Separated && text.is_some() {
                p.line(&format!("rest = {first};"));
            }
            p.line(&format!("char *word = {call};"));
            let mixed = p.mix("word ? word[0] : 1");
            p.line(&mixed);
        });
        self.line("}");
    }

    /// What code elsewhere does with its element: changes it, or remembers what it is.
    fn act(&self, code: &Elsewhere, remembered: &str) -> String {
        let elem = self.program.names[code.name].elem;
        let element = format!("{}[{}]{}", self.name(code.name), code.at, elem.part());
        let value = Self::as_long(elem, &element);
        match code.writes {
            true => format!(
                "{element} = {};",
                Self::wrap(elem, &format!("{value} + {}", code.at + 3))
            ),
            false => format!("{remembered} = {value};"),
        }
    }

    /// Raises the signal, whose handler the body has installed.
    pub(super) fn raise(&mut self, code: &Elsewhere) {
        let (seed, act) = (self.program.seed, self.act(code, "seen"));
        self.above(format!(
            "static volatile long seen_{seed};\nstatic void on_{seed}(int number)\n{{\n    long seen = number != SIGUSR1;\n    {act}\n    seen_{seed} = seen;\n}}\n"
        ));
        self.line("raise(SIGUSR1);");
        let mixed = self.mix(&format!("seen_{seed}"));
        self.line(&mixed);
    }

    /// Lets the other thread do what it does, and waits for it.
    pub(super) fn meet(&mut self, code: &Elsewhere) {
        let (seed, act) = (self.program.seed, self.act(code, "met"));
        let (gate, over) = (format!("gate_{seed}"), format!("over_{seed}"));
        self.above(format!(
            "static pthread_barrier_t {gate};\nstatic int {over};\nstatic long met_{seed};\nstatic void *other_{seed}(void *none)\n{{\n    long met = 0;\n    for (;;) {{\n        pthread_barrier_wait(&{gate});\n        if ({over}) return none;\n        {act}\n        met_{seed} += met;\n        pthread_barrier_wait(&{gate});\n    }}\n}}\n"
        ));
        self.line(&format!("pthread_barrier_wait(&{gate});"));
        self.line(&format!("pthread_barrier_wait(&{gate});"));
        let mixed = self.mix(&format!("met_{seed}"));
        self.line(&mixed);
    }

    /// Has a function of the library look for a number, which is found at once by one that does something else besides.
    pub(super) fn call_back(&mut self, code: &Elsewhere, caller: Caller) {
        let (seed, act) = (self.program.seed, self.act(code, "back"));
        let elem = self.program.names[code.name].elem;
        let (name, word) = (self.name(code.name), if caller.kernel { "launch" } else { "compare" });
        let kernel = || {
            let element = format!("{name}[i]{}", elem.part());
            let changed = Self::wrap(elem, &format!("{} + i", Self::as_long(elem, &element)));
            let upto = code.at + 1;
            format!(
                "    #pragma omp target teams distribute parallel for map(tofrom: {name}[0:{upto}])\n    for (int i = 0; i < {upto}; i++)\n        {element} = {changed};\n"
            )
        };
        let kernel = if caller.kernel { kernel() } else { String::new() };
        self.above(format!(
            "static long {word}_back_{seed};\nstatic int {word}_{seed}(const void *one, const void *other)\n{{\n    long back = 0;\n{kernel}    {act}\n    {word}_back_{seed} += back;\n    return *(const int *)one - *(const int *)other;\n}}\n"
        ));
        self.line("{");
        self.inside(|p| {
            p.line("int one = 1;");
            if caller.unknown {
                p.line("size_t ones = 1;");
                p.line(&format!("lfind(&one, &one, &ones, sizeof one, {word}_{seed});"));
            } else {
                p.line(&format!("bsearch(&one, &one, 1, sizeof one, {word}_{seed});"));
            }
            let mixed = p.mix(&format!("{word}_back_{seed}"));
            p.line(&mixed);
        });
        self.line("}");
    }

    /// Calls a function whose kernel maps all of the structure.
    pub(super) fn weigh(&mut self, place: CallPlace) {
        let seed = self.program.seed;
        self.above(format!(
            "static long weigh_{seed}(const struct box_{seed} *one, int turns)\n{{\n    long sum = 0;\n    #pragma omp target teams distribute parallel for map(to: one[0:1]) map(tofrom: sum) reduction(+: sum)\n    for (int i = 0; i < turns; i++)\n        sum += one->tag + i;\n    return sum;\n}}\n"
        ));
        let address = match self.function != 0 || self.program.arrow {
            true => "box",
            false => "&box",
        };
        self.call_at(place, &|turns| format!("weigh_{seed}({address}, {turns})"));
    }

    /// Calls a function whose kernel maps all of an array and does not use it.
    pub(super) fn survey(&mut self, name: NameId, by: Surveyed, place: CallPlace) {
        let (seed, elem) = (self.program.seed, self.program.names[name].elem);
        let (array, count, c, word) = (self.name(name), self.count(name), elem.c(), elem.word());
        let function = match by {
            Surveyed::Global => array.clone(),
            Surveyed::Parameter => word.to_owned(),
            Surveyed::Bytes => format!("bytes_{word}"),
        };
        let parameters = match by {
            Surveyed::Global => String::new(),
            Surveyed::Parameter => format!("const {c} *v, "),
            Surveyed::Bytes => "const void *bytes, ".to_owned(),
        };
        let (mapped, handed) = match by {
            Surveyed::Global => (array.as_str(), String::new()),
            Surveyed::Parameter | Surveyed::Bytes => ("v", format!("{array}, ")),
        };
        let local = match by {
            Surveyed::Bytes => format!("    const {c} *v = bytes;\n"),
            Surveyed::Global | Surveyed::Parameter => String::new(),
        };
        self.above(format!(
            "static long survey_{function}_{seed}({parameters}long count, int turns)\n{{\n{local}    long sum = 0;\n    #pragma omp target teams distribute parallel for map(to: {mapped}[0:count]) map(tofrom: sum) reduction(+: sum)\n    for (int i = 0; i < turns; i++)\n        sum += i + 2;\n    return sum;\n}}\n"
        ));
        self.call_at(place, &|turns| {
            format!("survey_{function}_{seed}({handed}{count}, {turns})")
        });
    }

    /// Calls a function whose host has a part of the array to itself.
    pub(super) fn border(&mut self, name: NameId, border: &Border) {
        let (seed, elem) = (self.program.seed, self.program.names[name].elem);
        let (array, count, c) = (self.name(name), self.count(name), elem.c());
        let element = format!("v[i]{}", elem.part());
        let value = Self::as_long(elem, &element);
        let host = match border.writes {
            true => format!("{element} = {};", Self::wrap(elem, "5L * i")),
            false => format!("sum += {value};"),
        };
        let kernel = match border.kernel {
            true => format!(
                "    #pragma omp target teams distribute parallel for map(tofrom: v[0:count])\n    for (int i = 0; i < count; i++)\n        {element} = {};\n",
                Self::wrap(elem, &format!("{value} + 89"))
            ),
            false => String::new(),
        };
        let Border { from, drop, .. } = *border;
        let verb = format!(
            "{}{}",
            if border.writes { "set" } else { "sum" },
            if border.kernel { "_run" } else { "" }
        );
        let function = format!("{verb}_{}_{from}_{drop}_{seed}", elem.word());
        let end = if drop == 0 {
            "count".to_owned()
        } else {
            format!("count - {drop}")
        };
        self.above(format!(
            "static long {function}({c} *v, int count)\n{{\n    long sum = 0;\n    for (int i = {from}; i < {end}; i++)\n        {host}\n{kernel}    return sum;\n}}\n"
        ));
        let mixed = self.mix(&format!("{function}({array}, {count})"));
        self.line(&mixed);
    }

    /// Calls a function that has a kernel of so many turns.
    fn call_at(&mut self, place: CallPlace, call: &dyn Fn(&str) -> String) {
        let mixed = match place {
            CallPlace::Alone => self.mix(&call("3")),
            CallPlace::Twice => self.mix(&format!("{} + {}", call("2"), call("3"))),
            CallPlace::Asked => {
                let mixed = self.mix("1");
                format!("if ({} > 4) {mixed}", call("3"))
            }
            CallPlace::Head => {
                let mixed = self.mix("w");
                format!("for (int w = 0; {} < 9 && w < 3; w++) {mixed}", call("w"))
            }
        };
        self.line(&mixed);
    }

    /// Whether some statement of the program is like this.
    fn has(&self, like: &dyn Fn(&HostOp) -> bool) -> bool {
        let mut found = false;
        for f in &self.program.functions {
            visit(&f.body, &mut |s| found |= matches!(s, Stmt::Host(op) if like(op)));
        }
        found
    }

    fn has_tokens(&self, how: Tokens) -> bool {
        self.has(&|op| matches!(op, HostOp::FirstToken(_, h, _) | HostOp::NextToken(h, _) if *h == how))
    }

    /// Makes ready what the traps of the body need.
    pub(super) fn start_traps(&mut self) {
        let seed = self.program.seed;
        let spotted = |op: &HostOp| matches!(op, HostOp::Advance | HostOp::Guarded { guard: Guard::Spot, .. });
        if self.has(&spotted) {
            let (runtime, above, [first, second]) = self.program.spot;
            self.line(&format!(
                "struct spot spots[2] = {{{{{first}, &spots[1]}}, {{{second}, NULL}}}};"
            ));
            let starts = format!("{} > {above}", self.runtime(runtime));
            self.line(&format!("struct spot *spot = {starts} ? spots : NULL;"));
        }
        let (hidden, saved) = (self.has_tokens(Tokens::Hidden), self.has_tokens(Tokens::Saved));
        if hidden || saved {
            self.above(format!("static char none_{seed}[1];\n"));
        }
        if hidden {
            self.line(&format!("strtok(none_{seed}, \"a\");"));
        }
        if saved {
            self.line("char *save = NULL;");
            self.line(&format!("strtok_r(none_{seed}, \"a\", &save);"));
        }
        if self.has_tokens(Tokens::Separated) {
            self.line("char *rest = NULL;");
        }
        if self.has(&|op| matches!(op, HostOp::Raise(_))) {
            self.line(&format!("signal(SIGUSR1, on_{seed});"));
        }
        if self.has(&|op| matches!(op, HostOp::Meet(_))) {
            self.line("pthread_t other;");
            self.line(&format!("pthread_barrier_init(&gate_{seed}, NULL, 2);"));
            self.line(&format!("pthread_create(&other, NULL, other_{seed}, NULL);"));
        }
    }

    /// Ends what [`Printer::start_traps`] has started.
    pub(super) fn end_traps(&mut self) {
        let seed = self.program.seed;
        if self.has(&|op| matches!(op, HostOp::Meet(_))) {
            self.line(&format!("over_{seed} = 1;"));
            self.line(&format!("pthread_barrier_wait(&gate_{seed});"));
            self.line("pthread_join(other, NULL);");
        }
    }

    /// The expression that asks a function of the program for memory.
    pub(super) fn allocated(&mut self, name: NameId, bytes: &str) -> String {
        let seed = self.program.seed;
        let function = |head: String, body: &str| format!("static void *{head}(size_t bytes)\n{{\n{body}}}\n");
        if self.program.carved(name) {
            let body = "    static _Alignas(64) char pool[65536];\n    static size_t used;\n    void *out = pool + used;\n    used += (bytes + 63) / 64 * 64;\n    if (used > sizeof pool) abort();\n    return out;\n";
            self.above(function(format!("carve_{seed}"), body));
            return format!("carve_{seed}({bytes})");
        }
        let cleared = self.program.names[name].kind == NameKind::Heap { calloc: true };
        let (word, body) = match (cleared, name % 3) {
            (true, _) => (
                "clear",
                "    void *out = malloc(bytes);\n    if (out == NULL) abort();\n    return memset(out, 0, bytes);\n",
            ),
            (_, 0) => (
                "grab",
                "    void *out = malloc(bytes);\n    if (out == NULL) abort();\n    return out;\n",
            ),
            (_, 1) => ("line", "    return aligned_alloc(64, (bytes + 63) / 64 * 64);\n"),
            _ => (
                "page",
                "    void *out;\n    return posix_memalign(&out, 128, bytes) ? NULL : out;\n",
            ),
        };
        self.above(function(format!("{word}_{seed}"), body));
        format!("{word}_{seed}({bytes})")
    }

    /// Gives memory back to where it came from.
    pub(super) fn give_back(&mut self, name: NameId) {
        if self.program.carved(name) {
            return;
        }
        let seed = self.program.seed;
        self.above(format!(
            "static void give_{seed}(void *memory)\n{{\n    if (memory != NULL) free(memory);\n}}\n"
        ));
        let text = format!("give_{seed}({});", self.name(name));
        self.line(&text);
    }
}
