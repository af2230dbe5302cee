//! Turns a [`Program`] into C.
//!
//! The statements are printed first, because they call for macros, comparison functions and function pointers that have
//! to stand above them. Everything a case defines carries its seed in its name, so cases share a file.
//!
//! - `files`: what stands where. `scope`: variables at file scope. `helpers`, `services`, `cases`, `arrays`, `results`: whole
//!   functions and the ends of them. `statements`, `host`, `kernels`, `directives`: what is in them.
//! - `choices`: pointers that a test chooses.
//! - `devices`: what directives say of devices.

mod arrays;
mod cases;
mod choices;
mod devices;
mod directives;
mod files;
mod helpers;
mod host;
mod kernels;
mod pitfalls;
mod results;
mod scope;
mod services;
mod statements;
mod unused;

pub use cases::finish;
pub use files::{HEADER, print};

use super::ast::*;
use super::configure::mark_macro;
use super::frames::{self, Frame};
use super::linkage::Linkage;
use std::collections::{BTreeMap, BTreeSet};

/// Writes one function after another.
pub(super) struct Printer<'a> {
    pub program: &'a Program,
    pub linkage: Linkage,
    pub out: String,
    pub indent: usize,
    pub function: FunctionId,
    pub frames: Vec<Frame>,
    /// The arrays that data regions around this place hold.
    pub covered: Vec<NameId>,
    /// Definitions that the statements of a file need above them, each once.
    pub prelude: BTreeMap<Home, BTreeSet<String>>,
    /// The helpers that are called through a pointer, with the files that do so.
    pub pointers: BTreeSet<(Home, FunctionId)>,
    /// Arrays of which kernels had private copies, not read since.
    pub kept: Vec<String>,
    /// What stands in the place of pointers.
    pub spelled: BTreeMap<NameId, String>,
}

impl<'a> Printer<'a> {
    pub fn new(program: &'a Program) -> Printer<'a> {
        Printer {
            program,
            linkage: Linkage::of(program),
            out: String::new(),
            indent: 1,
            function: 0,
            frames: Vec::new(),
            covered: Vec::new(),
            prelude: BTreeMap::new(),
            pointers: BTreeSet::new(),
            kept: Vec::new(),
            spelled: BTreeMap::new(),
        }
    }

    pub fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.out.push_str("    ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Asks for a definition above the function that is being printed.
    pub fn above(&mut self, definition: String) {
        let home = self.program.functions[self.function].home;
        self.prelude.entry(home).or_default().insert(definition);
    }

    /// `body` one step further in.
    pub fn inside(&mut self, body: impl FnOnce(&mut Self)) {
        self.indent += 1;
        body(self);
        self.indent -= 1;
    }

    /// The expression that denotes the array.
    pub fn name(&self, name: NameId) -> String {
        if let Some(spelled) = self.spelled.get(&name) {
            return spelled.clone();
        }
        let n = &self.program.names[name];
        match n.kind {
            NameKind::Member => self.member(&n.ident),
            _ => self.linkage.names[name].ident.clone(),
        }
    }

    /// A member of the structure, in the function that is being printed.
    pub fn member(&self, ident: &str) -> String {
        if self.function != 0 || self.program.arrow {
            format!("box->{ident}")
        } else {
            format!("box.{ident}")
        }
    }

    pub fn size(&self, size: &Size) -> String {
        self.spelled(size, &|s| self.program.sizes[s].ident.clone())
    }

    fn spelled(&self, size: &Size, ident: &dyn Fn(SizeId) -> String) -> String {
        match *size {
            Size::Lit(v) => v.to_string(),
            Size::Var(s) => ident(s),
            Size::Plus(s, c) if c < 0 => format!("{} - {}", ident(s), -c),
            Size::Plus(s, c) => format!("{} + {c}", ident(s)),
            Size::Times(a, b) => format!("{} * {}", ident(a), ident(b)),
        }
    }

    /// The size as the structure knows it.
    fn field_size(&self, size: &Size) -> String {
        let fields = self.fields();
        let ident = |s: SizeId| {
            let ident = &self.program.sizes[s].ident;
            if fields.contains(&s) {
                self.member(ident)
            } else {
                ident.clone()
            }
        };
        self.spelled(size, &ident)
    }

    /// The size where it binds tighter than any operator.
    pub fn factor(&self, size: &Size) -> String {
        match size {
            Size::Lit(_) | Size::Var(_) => self.size(size),
            _ => format!("({})", self.size(size)),
        }
    }

    /// The size less a constant.
    pub fn less(&self, size: &Size, by: i64) -> String {
        match (size, by) {
            (_, 0) => self.size(size),
            (_, by) if by < 0 => match size {
                Size::Lit(v) => (v - by).to_string(),
                _ => format!("{} + {}", self.size(size), -by),
            },
            (Size::Lit(v), _) => (v - by).to_string(),
            _ => format!("{} - {by}", self.size(size)),
        }
    }

    /// The number of elements.
    pub fn count(&self, name: NameId) -> String {
        let dims = &self.program.names[name].dims;
        match dims.as_slice() {
            [n] => self.size(n),
            _ => dims.iter().map(|d| self.factor(d)).collect::<Vec<_>>().join(" * "),
        }
    }

    /// The section that covers everything the name may be used for.
    pub fn whole(&self, name: NameId) -> String {
        let brackets: String = self.lengths(name).map(|d| format!("[0:{d}]")).collect();
        self.name(name) + &brackets
    }

    /// How long an array is in each dimension.
    pub fn lengths(&self, name: NameId) -> impl Iterator<Item = String> + '_ {
        let n = &self.program.names[name];
        let by_field = n.kind == NameKind::Member && self.program.field_extents;
        let size = move |d: &Size| if by_field { self.field_size(d) } else { self.size(d) };
        n.dims.iter().map(size)
    }

    pub fn counter(&self, id: LoopId) -> String {
        if frames::counts(&self.frames, id) {
            format!("t{id}")
        } else {
            "0".into()
        }
    }

    /// A value that the compiler cannot know: copied into a local at the top of the body, read afresh in helpers.
    pub fn runtime(&self, r: RuntimeId) -> String {
        if self.function == 0 {
            format!("r{r}")
        } else {
            format!("opaque_{}_{r}", self.program.seed)
        }
    }

    /// A bound that is no extent.
    pub fn edge(&self, edge: &Edge) -> String {
        match *edge {
            Edge::Plus(r, 0) => self.runtime(r),
            Edge::Plus(r, c) if c < 0 => format!("{} - {}", self.runtime(r), -c),
            Edge::Plus(r, c) => format!("{} + {c}", self.runtime(r)),
            Edge::Less(c, r) => format!("{c} - {}", self.runtime(r)),
            Edge::Between(a, b) => format!("{} - {}", self.runtime(a), self.runtime(b)),
            Edge::Mark(m) if self.program.marks[m].named => mark_macro(self.program, m),
            Edge::Mark(m) => self.program.marks[m].value.to_string(),
        }
    }

    /// The running hash.
    pub fn hash(&self) -> String {
        match (self.program.global_hash, self.function) {
            (true, _) => format!("hash_{}", self.program.seed),
            (false, 0) if self.program.layout != Layout::Function => "h".into(),
            _ => "*h".into(),
        }
    }

    pub fn mix(&self, value: &str) -> String {
        let h = self.hash();
        format!("{h} = {h} * 31 + (unsigned long)({value});")
    }

    /// `expr` of type `elem`, as a `long` of small magnitude.
    pub fn as_long(elem: Elem, expr: &str) -> String {
        match elem {
            Elem::Int | Elem::Long | Elem::Point => expr.to_string(),
            Elem::Char => format!("(long){expr}"),
            Elem::Unsigned => format!("(long)({expr} % 1009u)"),
            Elem::Double => format!("(long){expr}"),
        }
    }

    /// The `long` expression `expr` brought into the range of values that arrays of `elem` hold.
    pub fn wrap(elem: Elem, expr: &str) -> String {
        match elem {
            Elem::Int | Elem::Point => format!("(int)(({expr}) % 1009)"),
            // Never a NUL.
            Elem::Char => format!("(char)('a' + (unsigned long)({expr}) % 23)"),
            Elem::Long => format!("({expr}) % 1009"),
            Elem::Unsigned => format!("(unsigned)({expr})"),
            Elem::Double => format!("(double)(({expr}) % 1009)"),
        }
    }
}
