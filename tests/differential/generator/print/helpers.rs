//! Helper functions: their parameters, prototypes and bodies, and the pointers that calls go through.

use super::Printer;
use crate::generator::ast::*;

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

    /// The parameters of a helper.
    fn parameters(&self, function: FunctionId) -> String {
        let f = &self.program.functions[function];
        let mut out: Vec<String> = self
            .size_parameters(f)
            .iter()
            .map(|s| format!("int {}", s.ident))
            .collect();
        if self.linkage.boxed(function) {
            out.push(format!("struct box_{} *box", self.program.seed));
        }
        out.extend(f.params.iter().map(|n| self.parameter(*n)));
        if !self.program.global_hash {
            out.push("unsigned long *h".into());
        }
        if f.recursion != Recursion::None {
            out.push("int depth".into());
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
        args.push("depth - 1".into());
        let callee = &self.linkage.functions[f.partner.unwrap_or(function)].ident;
        format!("if (depth > 0) {callee}({});", args.join(", "))
    }

    /// The definition of a helper.
    pub(super) fn helper(&mut self, function: FunctionId) {
        let f = &self.program.functions[function];
        self.function = function;
        self.out += &format!("{}\n{{\n", self.signature(function));
        if self.linkage.boxed(function) {
            for s in self.fields() {
                let ident = &self.program.sizes[s].ident;
                self.line(&format!("int {ident} = box->{ident};"));
            }
        }
        let again = self.again(function);
        if f.recursion == Recursion::First {
            self.line(&again);
        }
        self.block(&f.body);
        if f.recursion == Recursion::Last {
            self.line(&again);
        }
        self.out += "}\n\n";
        self.function = 0;
    }

    /// The variable that calls of the helper go through, and whether `extern` may stand before it in other files.
    pub(super) fn pointer(&self, function: FunctionId) -> String {
        let name = &self.program.functions[function].ident;
        format!("void (*volatile call_{name})({})", self.parameters(function))
    }

    /// Whether all files share the pointer, which then stands where the helper does.
    pub(super) fn shares_pointer(&self, function: FunctionId) -> bool {
        let header = self.program.functions[function].home == Home::Header;
        self.program.shared_pointers && self.linkage.spread && !header
    }

    /// Whether some statement calls the helper, or recursion does.
    pub(super) fn called(&self, function: FunctionId) -> bool {
        let mut found = false;
        for f in &self.program.functions {
            visit(&f.body, &mut |s| {
                found |= matches!(s, Stmt::Call(c) if self.program.group(c.function).any(|g| g == function))
            });
        }
        found
    }
}
