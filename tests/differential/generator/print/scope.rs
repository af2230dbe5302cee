//! Definitions at file scope, and what the header says of them.

use super::Printer;
use crate::generator::ast::*;
use crate::generator::configure::mark_macro;
use std::collections::BTreeSet;

impl Printer<'_> {
    /// The extents that the structure knows of its arrays: those that are locals of the case.
    pub(super) fn fields(&self) -> BTreeSet<SizeId> {
        let program = self.program;
        let members = program.names.iter().filter(|n| n.live && n.kind == NameKind::Member);
        let sizes = members.flat_map(|n| {
            let (r, c) = n.matrix.unzip();
            n.dims.iter().copied().chain(r).chain(c)
        });
        let vars = sizes.flat_map(|s| match s {
            Size::Lit(_) => vec![],
            Size::Var(v) | Size::Plus(v, _) => vec![v],
            Size::Times(a, b) => vec![a, b],
        });
        let local = |s: &SizeId| matches!(program.sizes[*s].kind, SizeKind::Constant | SizeKind::Opaque);
        let needed = program.field_extents || (1..program.functions.len()).any(|f| self.linkage.boxed(f));
        vars.filter(local).filter(|_| needed).collect()
    }

    pub(super) fn macros(&self) -> String {
        let sizes = self.program.sizes.iter().filter(|s| s.kind == SizeKind::Macro);
        let sizes = sizes.map(|s| self.macro_of(&s.ident, s.value));
        let marks = self.program.marks.iter().enumerate().filter(|(_, m)| m.named);
        let marks = marks.map(|(at, m)| self.macro_of(&mark_macro(self.program, at), m.value));
        sizes.chain(marks).collect()
    }

    /// The definition of a macro, which something outside the text may have defined before.
    pub(super) fn macro_of(&self, ident: &str, value: i64) -> String {
        let define = format!("#define {ident} {value}\n");
        // A macro that `#if` asks for has other values in other builds all the same.
        let is_asked = ident.bytes().map(usize::from).sum::<usize>() % 3 == 0;
        if self.program.configurable {
            let asks = match is_asked {
                true => format!("#if {ident} < 0\n#error too small\n#endif\n"),
                false => String::new(),
            };
            format!("#ifndef {ident}\n{define}#endif /* {ident} */\n{asks}")
        } else {
            define
        }
    }

    pub(super) fn structure(&self) -> String {
        let mut out = String::new();
        if self.has_struct() {
            out += &format!("struct box_{} {{\n    int tag;\n", self.program.seed);
            for s in self.fields() {
                out += &format!("    int {};\n", self.program.sizes[s].ident);
            }
            let names = self.program.names.iter();
            for n in names.filter(|n| n.live && n.kind == NameKind::Member) {
                out += &format!("    {} *{};\n", n.elem.c(), n.ident);
            }
            out += "};\n";
        }
        out
    }

    /// The variables of the file `home`: whether each is `static` there, its type and name, its value.
    fn variables(&self, home: Home) -> Vec<(bool, String, Option<String>)> {
        let program = self.program;
        let (seed, alone) = (program.seed, !self.linkage.spread);
        let mut out = Vec::new();
        if home == MAIN {
            for (k, s) in program.sizes.iter().enumerate() {
                let value = Some(s.value.to_string());
                if matches!(s.kind, SizeKind::Opaque | SizeKind::Global) {
                    out.push((true, format!("volatile int extent_{seed}_{k}"), value));
                }
                if s.kind == SizeKind::Global {
                    out.push((alone, format!("int {}", s.ident), None));
                }
            }
            for (r, value) in program.runtimes.iter().enumerate() {
                out.push((
                    alone,
                    format!("volatile int opaque_{seed}_{r}"),
                    Some(value.to_string()),
                ));
            }
        }
        for (name, n) in program.names.iter().enumerate() {
            if !n.live || n.home != home {
                continue;
            }
            let seen = &self.linkage.names[name];
            let brackets = self.brackets(name);
            match n.kind {
                NameKind::Global => out.push((seen.local, format!("{} {}{brackets}", n.elem.c(), seen.ident), None)),
                NameKind::GlobalHeap => out.push((seen.local, format!("{} *{}", n.elem.c(), seen.ident), None)),
                _ => {}
            }
        }
        for s in program.scalars.iter().filter(|s| s.global && s.home == home) {
            out.push((alone, format!("long {}", s.ident), Some(s.initial.to_string())));
        }
        if home == MAIN && program.global_hash {
            out.push((alone, format!("unsigned long hash_{seed}"), Some("7".into())));
        }
        out
    }

    /// The definitions of variables in the file `home`.
    pub(super) fn definitions(&self, home: Home) -> String {
        let line = |(local, what, value): (bool, String, Option<String>)| {
            let linkage = if local { "static " } else { "" };
            let value = value.map(|v| format!(" = {v}")).unwrap_or_default();
            format!("{linkage}{what}{value};\n")
        };
        self.variables(home).into_iter().map(line).collect()
    }

    /// What all files are told of the variables of `home`.
    pub(super) fn declarations(&self, home: Home) -> String {
        let told = self.variables(home).into_iter().filter(|(local, ..)| !local);
        told.map(|(_, what, _)| format!("extern {what};\n")).collect()
    }
}
