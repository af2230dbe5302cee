//! Functions that files offer each other beside the helpers: they make memory, hand out second names, set up the arrays
//! of a file, and show and free them.

use super::Printer;
use crate::generator::ast::*;
use std::collections::BTreeMap;

impl Printer<'_> {
    /// The function that makes the memory of `name`. Arrays of one type share it.
    pub(super) fn maker(&self, name: NameId) -> String {
        let n = &self.program.names[name];
        let verb = if n.made == Made::Stored { "make" } else { "fresh" };
        format!("{verb}_{}_{}_{}", n.elem.c(), self.program.seed, Self::number(n.home))
    }

    /// The function that hands out the alias.
    pub(super) fn view(&self, alias: NameId) -> String {
        format!("view_{}_{alias}", self.program.seed)
    }

    /// How functions of a file say which file that is.
    pub(super) fn number(home: Home) -> usize {
        match home {
            Home::Header => 0,
            Home::File(k) => k,
        }
    }

    /// Signatures and bodies of the functions that make memory or hand out second names, of the file `home`.
    fn makers(&self, home: Home) -> BTreeMap<String, String> {
        let mut out = BTreeMap::new();
        let made = |n: &Name| n.live && n.made != Made::Here && n.home == home;
        for (name, n) in self.program.names.iter().enumerate().filter(|(_, n)| made(n)) {
            let elem = n.elem.c();
            let value = Self::wrap(n.elem, "(salt % 7 + 1) * k + salt");
            let fill = |e: &str| format!("    for (int k = 0; k < count; k++)\n        {e}[k] = {value};\n");
            let bytes = "(size_t)count * sizeof";
            let (signature, body) = match (n.kind, n.made) {
                (NameKind::Alias { offset, .. }, _) => {
                    let signature = format!("{elem} *{}({elem} *from)", self.view(name));
                    (signature, format!("    return from + {offset};\n"))
                }
                (_, Made::Stored) => {
                    let signature = format!("void {}({elem} **out, int count, long salt)", self.maker(name));
                    let body = format!("    *out = malloc({bytes} **out);\n{}", fill("(*out)"));
                    (signature, body)
                }
                _ => {
                    let signature = format!("{elem} *{}(int count, long salt)", self.maker(name));
                    let make = format!("    {elem} *out = malloc({bytes} *out);\n");
                    (signature, make + &fill("out") + "    return out;\n")
                }
            };
            out.insert(signature, body);
        }
        out
    }

    /// The definitions of those functions.
    pub(super) fn maker_definitions(&self, home: Home) -> String {
        let linkage = if self.linkage.spread { "" } else { "static " };
        let made = self.makers(home).into_iter();
        made.map(|(signature, body)| format!("{linkage}{signature}\n{{\n{body}}}\n\n"))
            .collect()
    }

    /// Prototypes of everything here that the file `home` offers.
    pub(super) fn services(&self, home: Home) -> String {
        let mut out: String = self.makers(home).into_keys().map(|s| s + ";\n").collect();
        if !self.arrays_of(home).is_empty() {
            for verb in ["setup", "show"] {
                out += &format!("void {verb}_{}_{}(void);\n", self.program.seed, Self::number(home));
            }
        }
        out
    }

    /// Calls the function that every file with arrays of its own has.
    pub(super) fn everywhere(&mut self, verb: &str) {
        for home in self.files() {
            if !self.arrays_of(home).is_empty() {
                self.line(&format!("{verb}_{}_{}();", self.program.seed, Self::number(home)));
            }
        }
    }

    /// The functions that set up and show the arrays of the file `home`.
    pub(super) fn keeper(&mut self, home: Home) -> String {
        let (seed, number) = (self.program.seed, Self::number(home));
        let arrays = self.arrays_of(home);
        if arrays.is_empty() {
            return String::new();
        }
        let before = std::mem::take(&mut self.out);
        self.out += &format!("void setup_{seed}_{number}(void)\n{{\n");
        self.arrays_at(home);
        self.out += &format!("}}\n\nvoid show_{seed}_{number}(void)\n{{\n");
        self.show(&arrays);
        self.free(&arrays);
        self.out += "}\n\n";
        std::mem::replace(&mut self.out, before)
    }
}
