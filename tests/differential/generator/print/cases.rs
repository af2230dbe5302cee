//! Whole cases: definitions above, allocation and contents, the body, and what `results` puts at the end.

use super::{Printer, unused};
use crate::generator::ast::*;

/// What every file starts with.
pub const HEADER: &str = "#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#define HASH_OF(T) \\
    static unsigned long hash_##T(const T *p, long n) \\
    { \\
        unsigned long h = 17; \\
        for (long k = 0; k < n; k++) \\
            h = h * 31 + (unsigned long)(long)p[k]; \\
        return h; \\
    }
HASH_OF(int)
HASH_OF(long)
HASH_OF(unsigned)
HASH_OF(double)

";

/// Lets what watches the run tell this case's transfers from the next one's.
pub fn finish(index: usize) -> String {
    format!(
        "    fflush(stdout);\n#ifdef _OPENMP\n    omp_control_tool((omp_control_tool_t)64, {index}, NULL);\n#endif\n"
    )
}

impl Printer<'_> {
    fn parameter(&self, name: NameId) -> String {
        let n = &self.program.names[name];
        let elem = n.elem.c();
        match n.dims.as_slice() {
            [r, c] => format!("{elem} {}[{}][{}]", n.ident, self.size(r), self.size(c)),
            _ => format!("{elem} *{}", n.ident),
        }
    }

    /// The parameters of a helper.
    fn parameters(&self, f: &Function) -> String {
        let sizes = f
            .sizes
            .iter()
            .map(|s| &self.program.sizes[*s])
            .filter(|s| s.kind == SizeKind::Param);
        let mut out: Vec<String> = sizes.map(|s| format!("int {}", s.ident)).collect();
        out.extend(f.params.iter().map(|n| self.parameter(*n)));
        if !self.program.global_hash {
            out.push("unsigned long *h".into());
        }
        if f.recursion != Recursion::None {
            out.push("int depth".into());
        }
        if out.is_empty() { "void".into() } else { out.join(", ") }
    }

    fn helper(&mut self, function: FunctionId) {
        let f = &self.program.functions[function];
        self.function = function;
        let parameters = self.parameters(f);
        self.out += &format!("static void {}({parameters})\n{{\n", f.ident);
        let again = {
            let sizes = f
                .sizes
                .iter()
                .map(|s| &self.program.sizes[*s])
                .filter(|s| s.kind == SizeKind::Param);
            let mut args: Vec<String> = sizes.map(|s| s.ident.clone()).collect();
            args.extend(f.params.iter().map(|n| self.name(*n)));
            if !self.program.global_hash {
                args.push("h".into());
            }
            args.push("depth - 1".into());
            format!("if (depth > 0) {}({});", f.ident, args.join(", "))
        };
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

    /// The definition of a size variable inside a function.
    fn sizes(&mut self) {
        for (k, s) in self.program.sizes.iter().enumerate() {
            match s.kind {
                SizeKind::Constant => self.line(&format!("int {} = {};", s.ident, s.value)),
                SizeKind::Opaque => self.line(&format!("int {} = extent_{}_{k};", s.ident, self.program.seed)),
                SizeKind::Macro | SizeKind::Param => {}
            }
        }
    }

    pub(super) fn own_arrays(&self) -> Vec<NameId> {
        let owned = |k: &NameKind| !matches!(k, NameKind::Alias { .. } | NameKind::Cursor { .. } | NameKind::Param);
        let names = &self.program.names;
        (0..names.len())
            .filter(|n| names[*n].live && owned(&names[*n].kind))
            .collect()
    }

    pub(super) fn has_struct(&self) -> bool {
        self.program.names.iter().any(|n| n.live && n.kind == NameKind::Member)
    }

    fn arrays(&mut self) {
        let program = self.program;
        let seed = program.seed;
        if self.has_struct() {
            match (program.arrow, program.heap_struct) {
                (true, true) => self.line(&format!("struct box_{seed} *box = malloc(sizeof *box);")),
                (true, false) => {
                    self.line(&format!("struct box_{seed} store;"));
                    self.line(&format!("struct box_{seed} *box = &store;"));
                }
                (false, _) => self.line(&format!("struct box_{seed} box;")),
            }
        }
        let mut contents = Vec::new();
        for name in self.own_arrays() {
            let n = &program.names[name];
            let (elem, ident) = (n.elem.c(), self.name(name));
            let brackets: String = n.dims.iter().map(|d| format!("[{}]", self.size(d))).collect();
            match n.kind {
                NameKind::Heap { .. } => {
                    let value = self.allocation(name);
                    match n.dims.get(1) {
                        None => self.line(&format!("{elem} *{ident} = {value};")),
                        Some(c) => self.line(&format!("{elem} (*{ident})[{}] = {value};", self.size(c))),
                    }
                }
                NameKind::Member => {
                    let value = self.allocation(name);
                    self.line(&format!("{ident} = {value};"));
                }
                NameKind::Static => self.line(&format!("static {elem} {ident}{brackets};")),
                NameKind::Stack | NameKind::Vla => self.line(&format!("{elem} {ident}{brackets};")),
                _ => {}
            }
            if n.kind != (NameKind::Heap { calloc: true }) {
                contents.push(name);
            }
        }
        for name in contents {
            self.fill(name, 3 * name as i64 + 1);
        }
    }

    /// Locals of the body: runtime values, aliases, cursors, scalars.
    fn locals(&mut self) {
        let program = self.program;
        for r in 0..program.runtimes.len() {
            self.line(&format!("int r{r} = opaque_{}_{r};", program.seed));
        }
        for (q, n) in program.names.iter().enumerate().filter(|(_, n)| n.live) {
            if let NameKind::Cursor { .. }
            | NameKind::Alias {
                place: AliasPlace::Top, ..
            } = n.kind
            {
                let text = format!("{} *{} = {};", n.elem.c(), n.ident, self.alias_value(q));
                self.line(&text);
            }
        }
        for s in program.scalars.iter().filter(|s| !s.global && !s.middle) {
            self.line(&format!("long {} = {};", s.ident, s.initial));
        }
    }

    /// The function that holds the statements, where the arrays are its parameters; returns the call of it.
    fn work(&mut self) -> String {
        let program = self.program;
        let seed = program.seed;
        let sizes = program
            .sizes
            .iter()
            .filter(|s| matches!(s.kind, SizeKind::Constant | SizeKind::Opaque));
        let (mut parameters, mut args): (Vec<String>, Vec<String>) =
            sizes.map(|s| (format!("int {}", s.ident), s.ident.clone())).unzip();
        if self.has_struct() {
            parameters.push(format!("struct box_{seed} *box"));
            args.push("box".into());
        }
        for (name, n) in program.names.iter().enumerate().filter(|(_, n)| n.live) {
            match n.kind {
                NameKind::Heap { .. } | NameKind::Static | NameKind::Stack | NameKind::Vla => {
                    args.push(n.ident.clone());
                }
                NameKind::Alias {
                    place: AliasPlace::Param,
                    ..
                } => args.push(self.alias_value(name)),
                _ => continue,
            }
            parameters.push(self.parameter(name));
        }
        if !program.global_hash {
            parameters.push("unsigned long *h".into());
            args.push("&h".into());
        }
        let parameters = if parameters.is_empty() {
            "void".into()
        } else {
            parameters.join(", ")
        };
        self.out += &format!("static void work_{seed}({parameters})\n{{\n");
        self.locals();
        self.block(&program.functions[0].body);
        self.mix_scalars();
        self.out += "}\n\n";
        format!("work_{seed}({});", args.join(", "))
    }

    fn case(&mut self) {
        let program = self.program;
        let seed = program.seed;
        let call = if program.layout == Layout::Function {
            Some(self.work())
        } else {
            None
        };
        self.out += &match program.layout {
            Layout::Main => "int main(void)\n{\n".to_string(),
            _ => format!("static void case_{seed}(void)\n{{\n"),
        };
        self.sizes();
        self.arrays();
        if !program.global_hash {
            self.line("unsigned long h = 7;");
        }
        match call {
            Some(call) => self.line(&call),
            None => {
                self.locals();
                self.block(&program.functions[0].body);
                let mut exits = false;
                visit(&program.functions[0].body, &mut |s| {
                    exits |= matches!(s, Stmt::Jump { kind: Jump::Exit, .. })
                });
                if exits {
                    self.out += &format!("done_{seed}: ;\n");
                }
                self.mix_scalars();
            }
        }
        let hash = if program.global_hash {
            format!("hash_{seed}")
        } else {
            "h".into()
        };
        self.results(&hash);
        if program.layout == Layout::Main {
            self.out += &finish(0);
            self.line("return 0;");
        }
        self.out += "}\n\n";
    }

    /// Definitions at file scope that only the tree knows of.
    fn globals(&self) -> String {
        let program = self.program;
        let seed = program.seed;
        let mut out = String::new();
        for s in program.sizes.iter().filter(|s| s.kind == SizeKind::Macro) {
            out += &format!("#define {} {}\n", s.ident, s.value);
        }
        for (k, s) in program
            .sizes
            .iter()
            .enumerate()
            .filter(|(_, s)| s.kind == SizeKind::Opaque)
        {
            out += &format!("static volatile int extent_{seed}_{k} = {};\n", s.value);
        }
        for (r, value) in program.runtimes.iter().enumerate() {
            out += &format!("static volatile int opaque_{seed}_{r} = {value};\n");
        }
        for n in program.names.iter().filter(|n| n.live && n.kind == NameKind::Global) {
            let brackets: String = n.dims.iter().map(|d| format!("[{}]", self.size(d))).collect();
            out += &format!("static {} {}{brackets};\n", n.elem.c(), n.ident);
        }
        for s in program.scalars.iter().filter(|s| s.global) {
            out += &format!("static long {} = {};\n", s.ident, s.initial);
        }
        if program.global_hash {
            out += &format!("static unsigned long hash_{seed} = 7;\n");
        }
        if self.has_struct() {
            out += &format!("struct box_{seed} {{\n    int tag;\n");
            for n in program.names.iter().filter(|n| n.live && n.kind == NameKind::Member) {
                out += &format!("    {} *{};\n", n.elem.c(), n.ident);
            }
            out += "};\n";
        }
        out
    }
}

/// The case as C, without the file's header.
pub fn print(program: &Program) -> String {
    let mut p = Printer::new(program);
    let mut helpers = Vec::new();
    for function in 1..program.functions.len() {
        p.helper(function);
        helpers.push(std::mem::take(&mut p.out));
    }
    p.case();
    let body = std::mem::take(&mut p.out);
    let mut out = format!("/* case {} */\n", program.seed) + &p.globals();
    p.prelude.iter().for_each(|d| out += d);
    out += "\n";
    for (k, text) in helpers.iter().enumerate() {
        if program.minimal && !called(program, k + 1) {
            continue;
        }
        out += text;
        if p.pointers.contains(&(k + 1)) {
            let f = &program.functions[k + 1];
            let parameters = p.parameters(f);
            out += &format!(
                "static void (*volatile call_{})({parameters}) = {};\n\n",
                f.ident, f.ident
            );
        }
    }
    out += &body;
    if program.minimal { unused::strip(&out) } else { out }
}

/// Whether some statement calls the helper.
fn called(program: &Program, function: FunctionId) -> bool {
    let mut found = false;
    for f in &program.functions {
        visit(&f.body, &mut |s| {
            found |= matches!(s, Stmt::Call(c) if c.function == function)
        });
    }
    found
}
