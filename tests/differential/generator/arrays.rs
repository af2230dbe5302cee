//! Grows the declarations: extents, arrays of every storage, second names, pairs to swap, scalars, runtime values.

use super::ast::*;
use super::grow::Grower;

impl Grower<'_> {
    fn size_var(&mut self, ident: &str, value: i64) -> SizeId {
        let mut kind = self
            .rng
            .weighted(&[(3, SizeKind::Macro), (3, SizeKind::Constant), (4, SizeKind::Opaque)]);
        if self.files > 0 && self.rng.chance(self.profile.p_global_size) {
            kind = SizeKind::Global;
        }
        let ident = match kind {
            SizeKind::Macro => format!("{}_{}", ident.to_uppercase(), self.program.seed),
            SizeKind::Global => format!("{ident}_{}", self.program.seed),
            _ => ident.to_string(),
        };
        self.program.sizes.push(SizeVar { ident, value, kind });
        let id = self.program.sizes.len() - 1;
        self.program.functions[0].sizes.push(id);
        id
    }

    /// An extent like `size` that is a constant expression, as arrays of static storage need.
    pub fn constant(&self, size: Size) -> Size {
        self.made_of(size, &[SizeKind::Macro])
    }

    /// An extent like `size` that all functions can spell.
    pub fn shared(&self, size: Size) -> Size {
        self.made_of(size, &[SizeKind::Macro, SizeKind::Global])
    }

    fn made_of(&self, size: Size, kinds: &[SizeKind]) -> Size {
        let fits = |s: SizeId| kinds.contains(&self.program.sizes[s].kind);
        match size {
            Size::Var(s) | Size::Plus(s, _) if fits(s) => size,
            Size::Times(a, b) if fits(a) && fits(b) => size,
            _ => Size::Lit(self.program.value(&size)),
        }
    }

    /// Adds a name that owns an object.
    pub fn own(&mut self, mut name: Name) -> NameId {
        name.class = 1 << self.program.objects.len();
        self.program.names.push(name);
        let id = self.program.names.len() - 1;
        self.program.objects.push(id);
        id
    }

    fn storage(&mut self, dims: &mut [Size], member: bool) -> NameKind {
        let calloc = self.rng.chance(20);
        let vector = dims.len() == 1;
        let kind = self.rng.weighted(&[
            (if member { 90 } else { 0 }, NameKind::Member),
            (48, NameKind::Heap { calloc }),
            (10, NameKind::Static),
            (14 + self.profile.w_global, NameKind::Global),
            (if vector { self.profile.w_global } else { 0 }, NameKind::GlobalHeap),
            (12, NameKind::Stack),
            (12, NameKind::Vla),
        ]);
        if matches!(kind, NameKind::Static | NameKind::Global | NameKind::Stack) {
            for d in dims {
                *d = self.constant(*d);
            }
        } else if kind == NameKind::GlobalHeap {
            dims[0] = self.shared(dims[0]);
        }
        kind
    }

    fn array(&mut self, n: SizeId, m: Option<SizeId>, grid: (SizeId, SizeId)) -> NameId {
        let elem = self
            .rng
            .weighted(&[(4, Elem::Double), (2, Elem::Int), (2, Elem::Long), (2, Elem::Unsigned)]);
        let mut matrix = None;
        let mut dims = if self.rng.chance(self.profile.p_two_dims) {
            if self.rng.chance(50) {
                vec![Size::Var(grid.0), Size::Var(grid.1)]
            } else {
                matrix = Some((Size::Var(grid.0), Size::Var(grid.1)));
                vec![Size::Times(grid.0, grid.1)]
            }
        } else {
            let (extra, lit) = (self.rng.range(1, 4), self.rng.range(8, 24));
            vec![self.rng.weighted(&[
                (60, Size::Var(n)),
                (12, Size::Plus(n, extra)),
                (if m.is_some() { 14 } else { 0 }, Size::Var(m.unwrap_or(n))),
                (8, Size::Lit(lit)),
            ])]
        };
        let member = dims.len() == 1 && self.rng.chance(self.profile.p_member);
        let kind = self.storage(&mut dims, member);
        if kind == NameKind::Global {
            // Helpers reach it by name and do not see the locals of the body.
            matrix = matrix.map(|(r, c)| (self.constant(r), self.constant(c)));
        } else if kind == NameKind::GlobalHeap {
            matrix = matrix.map(|(r, c)| (self.shared(r), self.shared(c)));
        }
        let id = self.program.names.len();
        let ident = match kind {
            NameKind::Global => format!("g{id}_{}", self.program.seed),
            NameKind::GlobalHeap => format!("gp{id}_{}", self.program.seed),
            NameKind::Member => format!("m{id}"),
            _ => format!("{}{id}", if dims.len() == 2 { "grid" } else { "a" }),
        };
        let observed = self.rng.chance(75);
        let (home, made, hidden) = self.origin(kind, dims.len() == 1);
        self.own(Name {
            ident,
            elem,
            dims,
            matrix,
            kind,
            class: 0,
            partner: None,
            index_bound: None,
            observed,
            live: true,
            home,
            made,
            hidden,
            nick: None,
        })
    }

    /// An array of indices below `n`.
    fn indices(&mut self, n: SizeId) {
        let id = self.program.names.len();
        self.own(Name {
            ident: format!("ix{id}"),
            elem: Elem::Int,
            dims: vec![Size::Var(n)],
            matrix: None,
            kind: NameKind::Heap { calloc: false },
            class: 0,
            partner: None,
            index_bound: Some(self.program.sizes[n].value),
            observed: false,
            live: true,
            home: MAIN,
            made: Made::Here,
            hidden: false,
            nick: None,
        });
    }

    /// Two equal arrays that get swapped, by their own names or through two more pointers.
    fn pair(&mut self) {
        let movable = |n: &Name| {
            n.dims.len() == 1
                && n.index_bound.is_none()
                && n.partner.is_none()
                && !n.hidden
                && matches!(
                    n.kind,
                    NameKind::Heap { .. } | NameKind::Member | NameKind::GlobalHeap
                )
        };
        let candidates: Vec<NameId> = (0..self.program.names.len())
            .filter(|n| movable(&self.program.names[*n]))
            .collect();
        let Some(a) = self.rng.pick(&candidates) else { return };
        let mut twin = self.program.names[a].clone();
        let id = self.program.names.len();
        twin.ident = match twin.kind {
            NameKind::Member => format!("m{id}"),
            NameKind::GlobalHeap => format!("gp{id}_{}", self.program.seed),
            _ => format!("a{id}"),
        };
        let b = self.own(twin);
        let class = self.program.names[a].class | self.program.names[b].class;
        let mut ends = [a, b];
        if self.rng.chance(50) {
            for (k, of) in [a, b].into_iter().enumerate() {
                let mut cursor = self.program.names[of].clone();
                cursor.ident = format!("{}{}", ["cur", "nxt"][k], self.program.names.len());
                cursor.kind = NameKind::Cursor { of };
                cursor.observed = false;
                (cursor.home, cursor.made) = (MAIN, Made::Here);
                ends[k] = self.program.names.len();
                self.program.names.push(cursor);
            }
        }
        for (end, other) in [(ends[0], ends[1]), (ends[1], ends[0])] {
            self.program.names[end].partner = Some(other);
            self.program.names[end].class = class;
        }
    }

    /// A second name for all or part of `of`; `None` if nothing much would be left of it.
    pub fn alias(&mut self, of: NameId, place: AliasPlace) -> Option<NameId> {
        let root = &self.program.names[of];
        let offset = match root.dims.as_slice() {
            [r, _] => self.rng.range(0, self.program.value(r) - 1),
            [n] => {
                let most = self.program.value(n) / 2;
                if self.rng.chance(40) { 0 } else { self.rng.range(1, most) }
            }
            _ => return None,
        };
        self.alias_at(of, offset, place)
    }

    /// A second name for `of` from its row or element `offset` on.
    pub fn alias_at(&mut self, of: NameId, offset: i64, place: AliasPlace) -> Option<NameId> {
        let root = self.program.names[of].clone();
        let dims = match root.dims.as_slice() {
            [_, c] => vec![*c],
            [n] => {
                let left = match *n {
                    Size::Var(s) if offset > 0 => Size::Plus(s, -offset),
                    n if offset == 0 => n,
                    n => Size::Lit(self.program.value(&n) - offset),
                };
                vec![left]
            }
            _ => return None,
        };
        if root.index_bound.is_some() || self.program.value(&dims[0]) < 3 {
            return None;
        }
        let id = self.program.names.len();
        let kind = NameKind::Alias { of, offset, place };
        let (home, made, _) = self.origin(kind, root.dims.len() == 1);
        self.program.names.push(Name {
            ident: format!("p{id}"),
            matrix: None,
            dims,
            kind,
            partner: None,
            observed: false,
            home,
            made,
            hidden: false,
            nick: None,
            ..root
        });
        Some(id)
    }

    /// Everything that stands in front of the body's statements.
    pub fn declare(&mut self) {
        let value = self.rng.range(10, 33);
        let n = self.size_var("n", value);
        let value = self.rng.range(6, 16);
        let m = self.rng.chance(40).then(|| self.size_var("m", value));
        let (rows, columns) = (self.rng.range(3, 7), self.rng.range(3, 8));
        let grid = (self.size_var("rows", rows), self.size_var("cols", columns));
        for _ in 0..self.rng.range(self.profile.arrays.0, self.profile.arrays.1) {
            self.array(n, m, grid);
        }
        self.namesakes(n);
        if self.rng.chance(25) {
            self.indices(n);
        }
        if self.rng.chance(self.profile.p_pair) {
            self.pair();
        }
        let home = self.program.functions[0].home;
        let owners: Vec<NameId> = self.program.objects.clone();
        for of in owners.into_iter().filter(|n| self.seen_from(home, *n)).collect::<Vec<_>>() {
            if self.rng.chance(self.profile.p_alias / 2) {
                let by_caller = self.program.layout == Layout::Function && self.rng.chance(50);
                // The caller may stand in another file.
                let by_caller = by_caller && !self.program.names[of].hidden;
                self.alias(of, if by_caller { AliasPlace::Param } else { AliasPlace::Top });
            }
        }
        for k in 0..self.rng.range(1, 3) {
            let global = self.rng.chance(30);
            let ident = if global {
                format!("gs{k}_{}", self.program.seed)
            } else {
                format!("s{k}")
            };
            let initial = self.rng.range(0, 50);
            let home = if global { self.place() } else { MAIN };
            self.program.scalars.push(Scalar {
                ident,
                initial,
                global,
                home,
                middle: false,
            });
        }
        let least = i64::from(self.profile.speculation_safe);
        for _ in 0..3 {
            let value = self.rng.range(least, 4);
            self.program.runtimes.push(value);
        }
    }
}
