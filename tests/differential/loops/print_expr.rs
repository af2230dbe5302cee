//! Expressions and calls as C.

use super::ast::*;
use super::print::Printer;

impl Printer<'_> {
    pub(super) fn place(&self, p: &Place) -> String {
        let at = p.at.iter().map(|e| format!("[{}]", self.expr(e)));
        self.name(p.array) + &at.collect::<String>()
    }

    /// A place where it is read: `*p` for the first element that a function gets.
    fn read(&self, p: &Place) -> String {
        let array = &self.program.arrays[p.array];
        match (array.kind, p.at.as_slice()) {
            (ArrayKind::Param { .. }, [E::Num(0)]) => format!("*{}", self.name(p.array)),
            _ => self.place(p),
        }
    }

    /// `a + e` for a pointer like `to`.
    pub(super) fn argument(&self, a: ArrayId, e: &E, to: ArrayId) -> String {
        let (from, target) = (&self.program.arrays[a], &self.program.arrays[to]);
        let start = match from.row {
            None => self.name(a),
            Some(_) => format!("(({} *){})", from.elem.c(), self.name(a)),
        };
        let start = match e {
            E::Num(0) => start,
            e => format!("{start} + {}", self.operand("+", e)),
        };
        match target.row {
            None => start,
            Some(_) => format!("(void *)({start})"),
        }
    }

    pub(super) fn call(&self, f: FnId, args: &[Arg]) -> String {
        let function = &self.program.functions[f];
        let mut out: Vec<String> = Vec::new();
        if self.is_handed(f) {
            out.push("box".into());
        }
        for (arg, param) in args.iter().zip(&function.params) {
            out.push(match (arg, param) {
                (Arg::Array(a, e), Param::Array(to)) => self.argument(*a, e, *to),
                (Arg::Array(..), Param::Var(_)) | (Arg::Null, _) => "0".into(),
                (Arg::Value(e), _) => self.expr(e),
            });
        }
        format!("{}({})", function.name, out.join(", "))
    }

    pub(super) fn expr(&self, e: &E) -> String {
        match e {
            E::Num(v) => v.to_string(),
            E::Halves(v) => format!("{:.1}", *v as f64 / 2.0),
            E::Var(v) => self.program.vars[*v].name.clone(),
            E::Load(p) => self.read(p),
            E::Bin(op, a, b) => format!("{} {op} {}", self.operand(op, a), self.operand(op, b)),
            E::Choose(c, a, b) => format!("({} ? {} : {})", self.expr(c), self.expr(a), self.expr(b)),
            E::Cast(ty, e) => format!("({})({})", ty.c(), self.expr(e)),
            E::Call(f, args) => self.call(*f, args),
        }
    }

    fn operand(&self, around: Op, e: &E) -> String {
        let text = self.expr(e);
        match e {
            E::Bin("*", ..) if around == "+" || around == "-" => text,
            E::Bin(..) => format!("({text})"),
            E::Num(v) | E::Halves(v) if *v < 0 => format!("({text})"),
            _ => text,
        }
    }
}
