//! Kernels, regions and counted loops, as lines of C.
//!
//! ```c
//! #pragma omp target teams distribute parallel for map(tofrom: p0[0:m]) map(to: p1[0:m])       // `What::Copy(3)`, outside of a region
//! for (int i = 0; i < m; i++)
//!     p0[i] = (double)((long)(p1[i] + 3) % 1009);
//! ```

use super::{Bounds, Mapped, Nest, Number, Stopped, StoppedWork, What};

impl Number {
    /// Whether its numbers have a sign.
    pub(super) fn has_sign(self) -> bool {
        matches!(self, Number::Int | Number::Long)
    }

    /// The type as C.
    pub(super) fn c(self) -> &'static str {
        match self {
            Number::Int => "int",
            Number::Long => "long",
            Number::Unsigned => "unsigned",
            Number::Size => "size_t",
        }
    }
}

/// What a kernel calls things.
pub(super) struct Words<'a> {
    /// The array that is written, and the one that is read.
    pub names: [&'a str; 2],
    /// Whether a region holds them, so that the kernel needs no clause.
    pub held: [bool; 2],
    /// How long arrays are.
    pub length: &'a str,
}

/// A number that stays small, from one that is whole.
fn small(value: &str) -> String {
    format!("(double)((long)({value}) % 1009)")
}

impl What {
    /// What is added in it, for choices that follow no other number.
    fn salt(self) -> i64 {
        match self {
            What::Copy(c) | What::Add(c) | What::Fill(c) => c,
            What::Shift => 1,
        }
    }

    /// The lines of the kernel.
    pub(super) fn lines(self, words: &Words<'_>) -> [String; 3] {
        let ([a, b], n) = (words.names, words.length);
        let (start, value) = match self {
            What::Copy(c) => (0, small(&format!("{b}[i] + {c}"))),
            What::Add(c) => (0, small(&format!("{a}[i] * 3 + {c}"))),
            What::Shift => (1, small(&format!("{a}[i] + {b}[i - 1]"))),
            What::Fill(c) => (0, format!("i + {c}")),
        };
        let reads_other = a != b && matches!(self, What::Copy(_) | What::Shift);
        // In a region, every other kernel has a clause all the same.
        let needs_clause = |at: usize| !words.held[at] || at == 0 && self.salt() % 2 == 0;
        let mut clauses = String::new();
        if needs_clause(0) {
            clauses += &format!(" map(tofrom: {a}[0:{n}])");
        }
        if reads_other && needs_clause(1) {
            clauses += &format!(" map(to: {b}[0:{n}])");
        }
        [
            format!("#pragma omp target teams distribute parallel for{clauses}"),
            format!("for (int i = {start}; i < {n}; i++)"),
            format!("    {a}[i] = {value};"),
        ]
    }

    /// What may run on one array: a kernel that reads neighbours of the array that it writes is no loop whose iterations may run in any order.
    pub(super) fn alone(self) -> What {
        match self {
            What::Shift => What::Add(1),
            other => other,
        }
    }
}

impl Mapped {
    /// The clauses of a region around two arrays.
    pub(super) fn clauses(self, items: [String; 2]) -> String {
        let [one, other] = &items;
        match self {
            Mapped::Both => format!("map(tofrom: {one}, {other})"),
            Mapped::Apart => format!("map(tofrom: {one}) map(tofrom: {other})"),
            Mapped::Fresh => format!("map(tofrom: {one}) map(from: {other})"),
            Mapped::Updated => format!("map(alloc: {one}, {other})"),
        }
    }
}

impl Bounds {
    /// The head of a loop up to `end`.
    fn head(self, name: &str, counter: Number, end: &str) -> String {
        let less = self.less + i64::from(self.is_through);
        let end = if less > 0 {
            format!("{end} - {less}")
        } else {
            end.to_owned()
        };
        let compares = if self.is_through { "<=" } else { "<" };
        let step = match self.step {
            1 => format!("{name}++"),
            step => format!("{name} += {step}"),
        };
        format!(
            "for ({} {name} = {}; {name} {compares} {end}; {step})",
            counter.c(),
            self.from
        )
    }
}

impl Nest {
    /// The lines of the loops, about an array `a` of `r` rows of `c` columns.
    pub(super) fn lines(&self, a: &str) -> Vec<String> {
        let mut out = Vec::new();
        if self.is_kernel {
            let collapse = if self.is_nest && self.collapses {
                " collapse(2)"
            } else {
                ""
            };
            out.push(format!(
                "#pragma omp target teams distribute parallel for{collapse} map(tofrom: {a}[0:r * c])"
            ));
        }
        let salt = self.salt;
        let (element, value) = match self.is_nest {
            true => (format!("{a}[i * c + j]"), format!("i * 5 + j + {salt}")),
            false => (format!("{a}[i]"), format!("i + {salt}")),
        };
        let change = match self.adds {
            true => format!("{element} += {salt};"),
            false => format!("{element} = {value};"),
        };
        let end = if self.is_nest { "r" } else { "r * c" };
        out.push(self.outer.head("i", self.counter, end));
        if self.is_nest {
            out.push(format!("    {}", self.inner.head("j", self.counter, "c")));
            out.push(format!("        {change}"));
        } else {
            out.push(format!("    {change}"));
        }
        out
    }
}

impl StoppedWork {
    /// How many iterations there are at most.
    pub(super) fn end(self) -> &'static str {
        match self {
            StoppedWork::WriteRow | StoppedWork::ReadRow => "r",
            StoppedWork::Write | StoppedWork::Read | StoppedWork::Kernel => "r * c",
        }
    }
}

impl Stopped {
    /// What an iteration does, beside the call, with an array `a`.
    pub(super) fn lines(&self, a: &str, counter: &str) -> Vec<String> {
        let mix = |element: &str| format!("h = h * 31 + (unsigned long)(long){element};");
        let row = format!("{a}[{counter} * c + j]");
        let each = |work: String| vec!["for (int j = 0; j < c; j++)".to_owned(), format!("    {work}")];
        match self.does {
            StoppedWork::Write => vec![format!("{a}[{counter}] = {counter} + {};", self.after)],
            StoppedWork::Read => vec![mix(&format!("{a}[{counter}]"))],
            StoppedWork::WriteRow => each(format!("{row} = {counter} + j;")),
            StoppedWork::ReadRow => each(mix(&row)),
            StoppedWork::Kernel => {
                let words = Words {
                    names: [a, a],
                    held: [false, false],
                    length: "r * c",
                };
                What::Add(self.after).lines(&words).to_vec()
            }
        }
    }
}
