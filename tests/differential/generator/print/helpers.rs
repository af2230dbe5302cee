//! Helper functions: their parameters, prototypes and bodies, and the pointers that calls go through.

use super::Printer;
use crate::generator::ast::*;
use crate::generator::rng::Rng;

impl Printer<'_> {
    pub(super) fn parameter(&self, name: NameId) -> String {
        let n = &self.program.names[name];
        let elem = n.elem.c();
        match n.dims.as_slice() {
            [r, c] => format!("{elem} {}[{}][{}]", n.ident, self.size(r), self.size(c)),
            _ => format!("{elem} *{}", n.ident),
        }
    }

    /// The sizes that a helper is given.
    pub(super) fn size_parameters(&self, f: &Function) -> Vec<&SizeVar> {
        let sizes = f.sizes.iter().map(|s| &self.program.sizes[*s]);
        sizes.filter(|s| s.kind == SizeKind::Param).collect()
    }

    /// The type of a size that a helper is given, all of which have room for it and are signed in what is computed with it. It
    /// follows from the name: pointers may stand for any helper of a kind.
    fn size_type(&self, size: &SizeVar) -> &'static str {
        let of_name = size.ident.bytes().fold(self.program.seed, |hash, b| {
            hash.wrapping_mul(31).wrapping_add(b.into())
        });
        Rng::new(of_name).weighted(&[(6, "int"), (2, "long"), (1, "short"), (1, "unsigned short")])
    }

    /// The parameters of a helper.
    fn parameters(&self, function: FunctionId) -> String {
        let f = &self.program.functions[function];
        let mut out: Vec<String> = self
            .size_parameters(f)
            .iter()
            .map(|s| format!("{} {}", self.size_type(s), s.ident))
            .collect();
        if self.linkage.boxed(function) {
            out.push(format!("struct box_{} *box", self.program.seed));
        }
        out.extend(f.params.iter().map(|n| self.parameter(*n)));
        if !self.program.global_hash {
            out.push("unsigned long *h".into());
        }
        if self.program.is_told(function) {
            out.push("int none".into());
        }
        if f.recursion != Recursion::None {
            out.push("int depth".into());
        }
        if self.hands_device() {
            out.push("int gpu".into());
        }
        if out.is_empty() { "void".into() } else { out.join(", ") }
    }

    /// The line that starts the helper's definition or, with a semicolon, declares it.
    pub(super) fn signature(&self, function: FunctionId) -> String {
        let seen = &self.linkage.functions[function];
        let linkage = match self.program.functions[function].home {
            Home::Header => "static inline ",
            _ if seen.local => "static ",
            _ => "",
        };
        format!("{linkage}void {}({})", seen.ident, self.parameters(function))
    }

    /// The call that recurs.
    fn again(&self, function: FunctionId) -> String {
        let f = &self.program.functions[function];
        let mut args: Vec<String> = self.size_parameters(f).iter().map(|s| s.ident.clone()).collect();
        if self.linkage.boxed(function) {
            args.push("box".into());
        }
        args.extend(f.params.iter().map(|n| self.name(*n)));
        if !self.program.global_hash {
            args.push("h".into());
        }
        let partner = f.partner.unwrap_or(function);
        if self.program.is_told(partner) {
            args.push(if self.program.is_told(function) { "none" } else { "0" }.into());
        }
        args.push("depth - 1".into());
        if self.hands_device() {
            args.push("gpu".into());
        }
        let callee = &self.linkage.functions[partner].ident;
        format!("if (depth > 0) {callee}({});", args.join(", "))
    }

    /// The definition of a helper.
    pub(super) fn helper(&mut self, function: FunctionId) {
        let f = &self.program.functions[function];
        self.function = function;
        self.out += &format!("{}\n{{\n", self.signature(function));
        self.declare_device();
        if self.linkage.boxed(function) {
            for s in self.fields() {
                let ident = &self.program.sizes[s].ident;
                self.line(&format!("int {ident} = box->{ident};"));
            }
        }
        let mut braces = "";
        if let Some(first) = f.params.first().filter(|_| f.nullable) {
            let (text, closed) = match self.program.guard_form() {
                0 => (format!("if (!{}) return;", self.name(*first)), ""),
                1 => ("if (none) return;".into(), ""),
                2 => ("if (!none) {".into(), "}"),
                3 => ("if (!(none > 0)) {".into(), "}"),
                _ => ("if (none) ; else {".into(), "}"),
            };
            braces = closed;
            self.line(&text);
        }
        let again = self.again(function);
        if f.recursion == Recursion::First {
            self.line(&again);
        }
        self.block(&f.body);
        if f.recursion == Recursion::Last {
            self.line(&again);
        }
        if !braces.is_empty() {
            self.line(braces);
        }
        self.out += "}\n\n";
        self.function = 0;
    }

    /// The declaration, without a value, of the variable that calls of the helper go through.
    pub(super) fn pointer(&self, function: FunctionId) -> String {
        let name = &self.program.functions[function].ident;
        format!("void (*volatile call_{name})({})", self.parameters(function))
    }

    /// Whether all files share the pointer, which then stands where the helper does.
    pub(super) fn shares_pointer(&self, function: FunctionId) -> bool {
        let header = self.program.functions[function].home == Home::Header;
        self.program.shared_pointers && self.linkage.spread && !header
    }
}
