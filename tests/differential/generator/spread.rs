//! Grows what only a program of several files has: parts that stand elsewhere, and what is seen of them from where.
//! Draws nothing from the stream where there is one file.

use super::ast::*;
use super::grow::Grower;

impl Grower<'_> {
    /// A file for a part that may stand in any of them.
    pub fn place(&mut self) -> Home {
        if self.files > 0 && self.rng.chance(self.profile.p_far) {
            Home::File(1 + self.rng.below(self.files))
        } else {
            MAIN
        }
    }

    /// Another file than `home`.
    pub fn elsewhere(&mut self, home: Home) -> Home {
        let others: Vec<Home> = (0..=self.files).map(Home::File).filter(|h| *h != home).collect();
        self.rng.pick(&others).unwrap_or(MAIN)
    }

    /// Where a name of this kind is from, who makes its first value, and whether its file keeps it to itself.
    pub fn origin(&mut self, kind: NameKind, vector: bool) -> (Home, Made, bool) {
        let plain = (MAIN, Made::Here, false);
        if self.files == 0 {
            return plain;
        }
        let (home, made) = (self.place(), self.rng.chance(self.profile.p_made) && vector);
        let hidden = self.rng.chance(self.profile.p_hidden);
        let how = self.rng.weighted(&[(1, Made::Returned), (1, Made::Stored)]);
        match kind {
            NameKind::Global => (home, Made::Here, hidden),
            NameKind::GlobalHeap if made => (home, how, hidden),
            NameKind::GlobalHeap => (home, Made::Here, hidden),
            NameKind::Heap { calloc: false } | NameKind::Member if made => (home, how, false),
            NameKind::Alias { .. } if made => (home, Made::Returned, false),
            _ => plain,
        }
    }

    /// Whether a function that stands in `home` can name the array.
    pub fn seen_from(&self, home: Home, name: NameId) -> bool {
        let n = &self.program.names[name];
        !n.hidden || n.home == home
    }

    /// Whether a function that stands in `home` can name the helper.
    pub fn callable_from(&self, home: Home, function: FunctionId) -> bool {
        let f = &self.program.functions[function];
        !f.hidden || f.home == home
    }

    /// Two `static` arrays of one name and two files.
    pub fn namesakes(&mut self, n: SizeId) {
        if self.files == 0 || !self.rng.chance(self.profile.p_twin) {
            return;
        }
        let first = self.place();
        let heap = self.rng.chance(50);
        for home in [first, self.elsewhere(first)] {
            let (id, len) = (self.program.names.len(), self.rng.range(9, 20));
            let whole = self.rng.chance(50);
            let kind = if heap { NameKind::GlobalHeap } else { NameKind::Global };
            let size = match kind {
                _ if !whole => Size::Lit(len),
                NameKind::Global => self.constant(Size::Var(n)),
                _ => self.shared(Size::Var(n)),
            };
            let elem = self.rng.weighted(&[(3, Elem::Double), (1, Elem::Int), (1, Elem::Long)]);
            self.own(Name {
                ident: format!("kept{id}_{}", self.program.seed),
                elem,
                dims: vec![size],
                matrix: None,
                kind,
                class: 0,
                partner: None,
                index_bound: None,
                observed: true,
                live: true,
                home,
                made: Made::Here,
                hidden: true,
                nick: Some(format!("kept_{}", self.program.seed)),
            });
        }
    }

    /// Where the next helper stands, and whether its file keeps it to itself.
    pub fn helper_place(&mut self) -> (Home, bool) {
        if self.files == 0 {
            return (MAIN, false);
        }
        if self.rng.chance(self.profile.p_header) {
            return (Home::Header, false);
        }
        (self.place(), self.rng.chance(self.profile.p_hidden))
    }

    /// Whether products of extents, by which a matrix in one dimension is measured, are of extents that all functions know.
    fn spelled_everywhere(&self, n: NameId) -> bool {
        let shared = |s: SizeId| matches!(self.program.sizes[s].kind, SizeKind::Macro | SizeKind::Global);
        self.program.names[n].dims.iter().all(|d| match d {
            Size::Times(a, b) => shared(*a) && shared(*b),
            _ => true,
        })
    }

    /// Whether the function being grown can spell the extent although it uses no member: only helpers that use one are given the
    /// structure, which knows the extents of its arrays.
    pub fn spelled_without_members(&self, size: Size) -> bool {
        let local = |s: SizeId| matches!(self.program.sizes[s].kind, SizeKind::Constant | SizeKind::Opaque);
        let local = match size {
            Size::Lit(_) => false,
            Size::Var(s) | Size::Plus(s, _) => local(s),
            Size::Times(a, b) => local(a) || local(b),
        };
        self.scope.function == 0 || !local
    }

    /// What a helper in `home` may use without being given it. Members are mostly reached through pointers of its own,
    /// whose declarations come back.
    pub fn helper_names(&mut self, home: Home, names: &mut Vec<NameId>) -> Vec<Stmt> {
        let boxed = self.rng.chance(self.profile.p_box);
        let mut copies = Vec::new();
        let kept: Vec<NameId> = names.iter().filter_map(|p| self.likes.get(p).copied()).collect();
        for n in 0..self.program.names.len() {
            let kind = self.program.names[n].kind;
            let free = kept.iter().all(|k| self.program.disjoint(*k, n));
            if matches!(kind, NameKind::Global | NameKind::GlobalHeap) && free && self.seen_from(home, n) {
                if self.program.names[n].hidden || self.rng.chance(50) {
                    names.push(n);
                }
            } else if kind == NameKind::Member && free && boxed && self.spelled_everywhere(n) {
                if self.rng.chance(40) {
                    names.push(n);
                } else if let Some(alias) = self.alias_at(n, 0, AliasPlace::Middle) {
                    names.push(alias);
                    copies.push(Stmt::DeclareAlias(alias));
                }
            }
        }
        copies
    }
}
