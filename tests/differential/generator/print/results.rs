//! The end of a case: hashes of what it computed, then `free`.

use super::Printer;
use crate::generator::ast::*;

impl Printer<'_> {
    /// Mixes the arrays that need not be there into the running hash, and frees them.
    fn mix_optionals(&mut self) {
        for name in self.optionals() {
            if self.program.names[name].observed {
                self.line(&format!("if ({})", self.exists(name)));
                self.inside(|p| p.absorb(name, &Select::All));
            }
            self.line(&format!("free({});", self.name(name)));
        }
    }

    /// Mixes the scalars of the body into the running hash, and what only the body has.
    pub(super) fn mix_scalars(&mut self) {
        self.mix_optionals();
        self.end_traps();
        for s in self.program.scalars.iter().filter(|s| !s.middle) {
            let text = self.mix(&s.ident);
            self.line(&text);
        }
    }

    /// Prints hashes of everything observed, then frees.
    pub(super) fn results(&mut self, hash: &str) {
        let seed = self.program.seed;
        self.line(&format!("printf(\"case {seed}: hash=%lu\\n\", {hash});"));
        let own = self.own_arrays().into_iter();
        let arrays: Vec<NameId> = own.filter(|n| !self.linkage.at_home(self.program, *n)).collect();
        self.show(&arrays);
        self.free(&arrays);
        if self.has_struct() && self.program.arrow && self.program.heap_struct {
            self.line("free(box);");
        }
    }

    /// Prints a hash of each array that is observed.
    pub(super) fn show(&mut self, arrays: &[NameId]) {
        let seed = self.program.seed;
        for &name in arrays {
            let n = &self.program.names[name];
            if !n.observed {
                continue;
            }
            let (ident, text) = (n.ident.clone(), self.name(name));
            if self.program.inline_hash {
                self.line(&format!("unsigned long sum_{ident} = 0;"));
                let (first, inner) = match n.dims.as_slice() {
                    [r, c] => (self.size(r), Some(self.size(c))),
                    dims => (self.size(&dims[0]), None),
                };
                self.line(&format!("for (int i = 0; i < {first}; i++)"));
                let cell = if inner.is_some() {
                    format!("{text}[i][j]")
                } else {
                    format!("{text}[i]")
                };
                let cell = match n.elem {
                    Elem::Point => format!("({cell}.x * 3 + {cell}.y)"),
                    _ => cell,
                };
                let step = format!("sum_{ident} = sum_{ident} * 31 + (unsigned long)(long){cell};");
                match inner {
                    None => self.inside(|p| p.line(&step)),
                    Some(c) => self.inside(|p| {
                        p.line(&format!("for (int j = 0; j < {c}; j++)"));
                        p.inside(|p| p.line(&step));
                    }),
                }
                self.line(&format!("printf(\"case {seed}: {ident}=%lu\\n\", sum_{ident});"));
            } else {
                let start = if n.dims.len() == 2 {
                    format!("&{text}[0][0]")
                } else {
                    text
                };
                let (elem, count) = (n.elem.word(), self.count(name));
                self.line(&format!(
                    "printf(\"case {seed}: {ident}=%lu\\n\", hash_{elem}({start}, {count}));"
                ));
            }
        }
    }

    /// Frees those of the arrays that live on the heap.
    pub(super) fn free(&mut self, arrays: &[NameId]) {
        for &name in arrays {
            if let NameKind::Heap { .. } | NameKind::Member | NameKind::GlobalHeap = self.program.names[name].kind {
                let text = self.name(name);
                if self.program.allocators {
                    self.give_back(name);
                } else {
                    self.line(&format!("free({text});"));
                }
            }
        }
    }
}
