//! Puts the text of a case together: one file, or a header and several.

use super::{Printer, unused};
use crate::generator::Parts;
use crate::generator::ast::*;
use std::collections::{BTreeMap, BTreeSet};

/// What every file starts with.
pub const HEADER: &str = "#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

struct point {
    int x, y;
    double more[3];
};
static inline long both_of(struct point p)
{
    return p.x * 3L + p.y;
}
struct spot {
    int at;
    struct spot *next;
};
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
HASH_OF(char)
static unsigned long hash_point(const struct point *p, long n)
{
    unsigned long h = 17;
    for (long k = 0; k < n; k++)
        h = (h * 31 + (unsigned long)p[k].x) * 31 + (unsigned long)p[k].y;
    return h;
}
static unsigned long hash_bytes(const void *p, long n)
{
    const unsigned char *bytes = p;
    unsigned long h = 17;
    for (long k = 0; k < n; k++)
        h = h * 31 + bytes[k];
    return h;
}

";

impl Printer<'_> {
    /// The files that the program has something in, the main one first.
    pub(super) fn files(&self) -> Vec<Home> {
        let homes = self.linkage.homes.iter().copied();
        homes.filter(|h| *h != Home::Header).collect()
    }

    /// The helpers that stand in `home`.
    fn helpers_of(&self, home: Home) -> Vec<FunctionId> {
        let here = |f: &FunctionId| self.program.functions[*f].home == home;
        let helpers = 1..self.program.functions.len();
        helpers.filter(here).filter(|f| self.linkage.printed[*f]).collect()
    }

    /// The helpers that stand elsewhere and that functions of `home` call.
    fn called_from(&self, home: Home) -> BTreeSet<FunctionId> {
        let mut out = BTreeSet::new();
        for f in self.program.functions.iter().filter(|f| f.home == home) {
            visit(&f.body, &mut |s| {
                if let Stmt::Call(c) = s {
                    out.insert(c.function);
                }
            });
            out.extend(f.partner);
        }
        out.retain(|f| !self.linkage.functions[*f].local && self.program.functions[*f].home != Home::Header);
        out
    }

    /// Helpers in order, each behind what it is in need of, with the pointers to them.
    fn functions(&self, home: Home, bodies: &BTreeMap<FunctionId, String>) -> String {
        let helpers = self.helpers_of(home);
        let mut out = String::new();
        for f in &helpers {
            let partner = self.program.functions[*f].partner.filter(|p| p > f);
            if partner.is_some_and(|p| helpers.contains(&p)) {
                out += &format!("{};\n", self.signature(partner.unwrap_or(*f)));
            }
        }
        let ident = |f: FunctionId| &self.linkage.functions[f].ident;
        // What stands in the header already must not be said again.
        let told = |f: FunctionId| home != Home::Header && self.pointers.contains(&(Home::Header, f));
        let used = self.pointers.iter().filter(|(h, f)| *h == home && !told(*f));
        let used = used.map(|(_, f)| *f);
        for f in used.filter(|f| !helpers.contains(f) && !self.shares_pointer(*f)) {
            out += &format!("static {} = {};\n", self.pointer(f), ident(f));
        }
        for f in helpers {
            out += &bodies[&f];
            let shared = self.shares_pointer(f);
            if shared && self.pointers.iter().any(|(_, g)| *g == f) {
                out += &format!("{} = {};\n\n", self.pointer(f), ident(f));
            } else if !shared && self.pointers.contains(&(home, f)) && !told(f) {
                out += &format!("static {} = {};\n\n", self.pointer(f), ident(f));
            }
        }
        out
    }

    fn prototypes(&self, functions: impl IntoIterator<Item = FunctionId>) -> String {
        let lines = functions.into_iter().map(|f| format!("{};\n", self.signature(f)));
        lines.collect()
    }

    /// The part of the case that stands in the header.
    fn header(&self, bodies: &BTreeMap<FunctionId, String>) -> String {
        let program = self.program;
        let mut out = self.macros() + &self.structure();
        for home in self.files() {
            out += &self.declarations(home);
            out += &self.services(home);
            let told = self
                .helpers_of(home)
                .into_iter()
                .filter(|f| !self.linkage.functions[*f].local);
            if !program.local_prototypes {
                out += &self.prototypes(told);
            }
        }
        if program.local_prototypes {
            out += &self.prototypes(self.called_from(Home::Header));
        }
        let pointed: BTreeSet<FunctionId> = self.pointers.iter().map(|(_, f)| *f).collect();
        for f in pointed.into_iter().filter(|f| self.shares_pointer(*f)) {
            out += &format!("extern {};\n", self.pointer(f));
        }
        out += &self.work_prototype();
        out += &self.prelude_of(Home::Header);
        out += &self.region_functions(Home::Header);
        out + &self.functions(Home::Header, bodies)
    }

    fn prelude_of(&self, home: Home) -> String {
        let told = self.prelude.get(&Home::Header).filter(|_| home != Home::Header);
        let own = self.prelude.get(&home).into_iter().flatten();
        own.filter(|d| told.is_none_or(|t| !t.contains(*d))).cloned().collect()
    }

    /// The part of the case that stands in the file `home`, the function that runs it apart.
    fn file(&mut self, home: Home, bodies: &BTreeMap<FunctionId, String>) -> String {
        let mut out = String::new();
        if !self.linkage.spread {
            out += &self.macros();
        }
        out += &self.definitions(home);
        if !self.linkage.spread {
            out += &self.structure();
        } else if self.program.local_prototypes {
            out += &self.prototypes(self.called_from(home));
        }
        out += &self.prelude_of(home);
        out += "\n";
        out += &self.maker_definitions(home);
        out += &self.region_functions(home);
        out += &self.functions(home, bodies);
        out + &self.keeper(home)
    }
}

/// The case as C, without what stands above all cases.
pub fn print(program: &Program) -> Parts {
    let mut p = Printer::new(program);
    let mut bodies = BTreeMap::new();
    for function in 1..program.functions.len() {
        // What is not printed must not ask for anything above it.
        if !p.linkage.printed[function] {
            continue;
        }
        p.helper(function);
        bodies.insert(function, std::mem::take(&mut p.out));
    }
    let (work, case) = p.case();
    let mut texts = Vec::new();
    if p.linkage.spread {
        texts.push((Home::Header, p.header(&bodies)));
    }
    for home in p.files() {
        let mut text = p.file(home, &bodies);
        if program.functions[0].home == home {
            text += &work;
        }
        if home == MAIN {
            text += &case;
        }
        texts.push((home, text));
    }
    if program.minimal {
        unused::strip(&mut texts);
    }
    let mut parts = Parts::default();
    for (home, text) in texts {
        let told = p.linkage.spread && home != Home::Header;
        let device = if told { String::new() } else { p.device_definition() };
        let text = format!("/* case {} */\n{device}{}", program.seed, p.with_devices(&text));
        match home {
            Home::Header => parts.header = text,
            Home::File(k) => {
                parts.files.resize(parts.files.len().max(k + 1), String::new());
                parts.files[k] = text;
            }
        }
    }
    parts
}
