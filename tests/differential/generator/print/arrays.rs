//! Where the memory of arrays comes from: declarations, allocation, contents, second names.

use super::Printer;
use crate::generator::ast::*;

impl Printer<'_> {
    /// The sizes that a function of the case sets.
    pub(super) fn sizes(&mut self) {
        for (k, s) in self.program.sizes.iter().enumerate() {
            let seed = self.program.seed;
            match s.kind {
                SizeKind::Constant => self.line(&format!("int {} = {};", s.ident, s.value)),
                SizeKind::Opaque => self.line(&format!("int {} = extent_{seed}_{k};", s.ident)),
                SizeKind::Global => self.line(&format!("{} = extent_{seed}_{k};", s.ident)),
                SizeKind::Macro | SizeKind::Param | SizeKind::Count { .. } => {}
            }
        }
    }

    pub(super) fn own_arrays(&self) -> Vec<NameId> {
        let owned = |k: &NameKind| {
            let second = matches!(
                k,
                NameKind::Alias { .. }
                    | NameKind::Cursor { .. }
                    | NameKind::Pick { .. }
                    | NameKind::Chosen { .. }
                    | NameKind::Optional { .. }
            );
            !second && *k != NameKind::Param
        };
        let names = &self.program.names;
        (0..names.len())
            .filter(|n| names[*n].live && owned(&names[*n].kind))
            .collect()
    }

    pub(super) fn has_struct(&self) -> bool {
        self.program.names.iter().any(|n| n.live && n.kind == NameKind::Member)
    }

    fn open_box(&mut self) {
        if !self.has_struct() {
            return;
        }
        let seed = self.program.seed;
        match (self.program.arrow, self.program.heap_struct) {
            (true, true) => self.line(&format!("struct box_{seed} *box = malloc(sizeof *box);")),
            (true, false) => {
                self.line(&format!("struct box_{seed} store;"));
                self.line(&format!("struct box_{seed} *box = &store;"));
            }
            (false, _) => self.line(&format!("struct box_{seed} box;")),
        }
        let access = if self.program.arrow { "->" } else { "." };
        self.line(&format!("box{access}tag = 2;"));
        for s in self.fields() {
            let ident = &self.program.sizes[s].ident;
            self.line(&format!("box{access}{ident} = {ident};"));
        }
    }

    /// What a name's first elements depend on.
    fn salt(name: NameId) -> i64 {
        3 * name as i64 + 1
    }

    /// Declares, allocates and fills the arrays that the case does not leave to other files.
    pub(super) fn arrays(&mut self) {
        self.open_box();
        let mut contents = Vec::new();
        for name in self.own_arrays() {
            if self.linkage.at_home(self.program, name) {
                continue;
            }
            let n = &self.program.names[name];
            let (elem, ident) = (n.elem.c(), self.name(name));
            let brackets = self.brackets(name);
            match n.kind {
                NameKind::Heap { .. } => match n.dims.get(1) {
                    None => self.allocate(&format!("{elem} *"), name, Self::salt(name)),
                    Some(c) => self.allocate(&format!("{elem} (*{ident})[{}]", self.size(c)), name, Self::salt(name)),
                },
                NameKind::Member | NameKind::GlobalHeap => self.allocate("", name, Self::salt(name)),
                NameKind::Static => self.line(&format!("static {elem} {ident}{brackets};")),
                NameKind::Stack | NameKind::Vla => self.line(&format!("{elem} {ident}{brackets};")),
                _ => {}
            }
            if n.kind != (NameKind::Heap { calloc: true }) && n.made == Made::Here {
                contents.push(name);
            }
        }
        for name in contents {
            self.fill(name, Self::salt(name));
        }
    }

    /// Allocates and fills the arrays that the file `home` keeps for itself.
    pub(super) fn arrays_at(&mut self, home: Home) {
        for name in self.arrays_of(home) {
            let n = &self.program.names[name];
            if n.kind == NameKind::GlobalHeap {
                self.allocate("", name, Self::salt(name));
            }
            if n.made == Made::Here {
                self.fill(name, Self::salt(name));
            }
        }
    }

    /// The arrays that the file `home` sets up itself.
    pub(super) fn arrays_of(&self, home: Home) -> Vec<NameId> {
        let own = self.own_arrays().into_iter();
        own.filter(|n| self.program.names[*n].home == home && self.linkage.at_home(self.program, *n))
            .collect()
    }

    /// Gives a heap array or a member its memory. `declared` is empty, or the type that the name is declared with, or all
    /// of its declaration where the name stands in the middle.
    pub(super) fn allocate(&mut self, declared: &str, name: NameId, salt: i64) {
        let n = &self.program.names[name];
        let object = self.name(name);
        let left = if declared.contains('(') {
            declared.to_string()
        } else {
            format!("{declared}{object}")
        };
        let value = match n.made {
            Made::Here => self.allocation(name),
            Made::Returned => format!("{}({}, {salt})", self.maker(name), self.size(&n.dims[0])),
            Made::Stored => {
                if !declared.is_empty() {
                    self.line(&format!("{left};"));
                }
                let text = format!("{}(&{object}, {}, {salt});", self.maker(name), self.size(&n.dims[0]));
                self.line(&text);
                return;
            }
        };
        self.line(&format!("{left} = {value};"));
    }

    /// How an array is declared to be as long as it is.
    pub(super) fn brackets(&self, name: NameId) -> String {
        let n = &self.program.names[name];
        let bracket = |d: &Size| format!("[{}]", self.less(d, -n.elem.spare()));
        n.dims.iter().map(bracket).collect()
    }

    /// The right-hand side that allocates a heap array or a member.
    fn allocation(&mut self, name: NameId) -> String {
        let n = &self.program.names[name];
        let beyond = n.elem.spare() + self.program.slack;
        let (extent, object) = (self.less(&n.dims[0], -beyond), self.name(name));
        if self.program.allocators {
            return self.allocated(name, &format!("(size_t)({extent}) * sizeof *{object}"));
        }
        match n.kind {
            NameKind::Heap { calloc: true } => format!("calloc((size_t)({extent}), sizeof *{object})"),
            _ => format!("malloc((size_t)({extent}) * sizeof *{object})"),
        }
    }

    /// What an alias or cursor starts as.
    pub fn alias_value(&self, q: NameId) -> String {
        let n = &self.program.names[q];
        match n.kind {
            NameKind::Alias { of, .. } if n.made != Made::Here => format!("{}({})", self.view(q), self.name(of)),
            NameKind::Alias { of, offset, .. } if self.program.names[of].dims.len() == 2 => {
                format!("{}[{offset}]", self.name(of))
            }
            NameKind::Alias { of, offset: 0, .. } | NameKind::Cursor { of } | NameKind::Pick { of, .. } => {
                self.name(of)
            }
            NameKind::Alias { of, offset, .. } => format!("{} + {offset}", self.name(of)),
            _ => self.name(q),
        }
    }

    /// Points the aliases at the array that has moved.
    pub(super) fn realias(&mut self, moved: NameId) {
        for q in (0..self.program.names.len()).filter(|q| self.program.names[*q].live) {
            if let NameKind::Alias {
                of,
                place: AliasPlace::Top,
                ..
            } = self.program.names[q].kind
                && of == moved
            {
                let text = format!("{} = {};", self.name(q), self.alias_value(q));
                self.line(&text);
            }
        }
    }

    /// The arrays that need not be there.
    pub(super) fn optionals(&self) -> Vec<NameId> {
        let optional = |n: &Name| n.live && matches!(n.kind, NameKind::Optional { .. });
        let names = &self.program.names;
        (0..names.len()).filter(|n| optional(&names[*n])).collect()
    }

    /// The condition under which an array is there.
    pub(super) fn exists(&self, name: NameId) -> String {
        match self.program.names[name].kind {
            NameKind::Optional { runtime, above, .. } => format!("{} > {above}", self.runtime(runtime)),
            _ => "1".into(),
        }
    }

    /// Declares an array that need not be there, and fills it if it is.
    fn optional(&mut self, name: NameId) {
        let n = &self.program.names[name];
        let (elem, ident) = (n.elem.c(), &n.ident);
        let (size, exists) = (self.size(&n.dims[0]), self.exists(name));
        if let NameKind::Optional { single: true, .. } = n.kind {
            let count = format!("{exists} ? {size} : 1");
            self.line(&format!(
                "{elem} *{ident} = calloc((size_t)({count}), sizeof *{ident});"
            ));
            self.line(&format!("if ({exists}) {{"));
        } else {
            self.line(&format!("{elem} *{ident} = NULL;"));
            self.line(&format!("if ({exists}) {{"));
            self.inside(|p| p.line(&format!("{ident} = malloc((size_t)({size}) * sizeof *{ident});")));
        }
        self.inside(|p| p.fill(name, Self::salt(name)));
        self.line("}");
    }

    /// Locals of the body: runtime values, aliases, cursors, scalars.
    pub(super) fn locals(&mut self) {
        let program = self.program;
        for r in 0..program.runtimes.len() {
            self.line(&format!("int r{r} = opaque_{}_{r};", program.seed));
        }
        for s in &program.sizes {
            if let SizeKind::Count { low } = s.kind {
                self.line(&format!("int {} = {};", s.ident, (low + s.value) / 2));
            }
        }
        for (q, n) in program.names.iter().enumerate().filter(|(_, n)| n.live) {
            if let NameKind::Cursor { .. }
            | NameKind::Pick { .. }
            | NameKind::Alias {
                place: AliasPlace::Top, ..
            } = n.kind
            {
                let text = format!("{} *{} = {};", n.elem.c(), n.ident, self.alias_value(q));
                self.line(&text);
            }
        }
        for name in self.optionals() {
            self.optional(name);
        }
        self.start_traps();
        for s in program.scalars.iter().filter(|s| !s.global && !s.middle) {
            self.line(&format!("long {} = {};", s.ident, s.initial));
        }
    }
}
