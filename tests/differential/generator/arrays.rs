//! Grows the declarations: extents, arrays of every storage, scalars, runtime values.

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
        if self.rng.chance(self.profile.traps.p_macro) {
            kind = SizeKind::Macro;
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
        let mut elem = self
            .rng
            .weighted(&[(4, Elem::Double), (2, Elem::Int), (2, Elem::Long), (2, Elem::Unsigned)]);
        if self.rng.chance(self.profile.traps.p_record) {
            elem = Elem::Point;
        } else if self.rng.chance(self.profile.traps.p_text) {
            elem = Elem::Char;
        }
        let flat = matches!(elem, Elem::Point | Elem::Char);
        let mut matrix = None;
        let mut dims = if !flat && self.rng.chance(self.profile.p_two_dims) {
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

    /// Everything that stands in front of the body's statements.
    pub fn declare(&mut self) {
        let least = i64::from(self.profile.speculation_safe);
        for _ in 0..3 {
            let zero = !self.profile.speculation_safe && self.rng.chance(self.profile.traps.p_zero);
            let value = if zero { 0 } else { self.rng.range(least, 4) };
            self.program.runtimes.push(value);
        }
        self.edges();
        let (least, most) = self.profile.traps.n;
        let value = self.rng.range(least, most);
        let n = self.size_var("n", value);
        self.marks(value);
        let value = self.rng.range(6, 16);
        let m = self.rng.chance(40).then(|| self.size_var("m", value));
        let (rows, columns) = (self.rng.range(3, 7), self.rng.range(3, 8));
        let grid = (self.size_var("rows", rows), self.size_var("cols", columns));
        for _ in 0..self.rng.range(self.profile.arrays.0, self.profile.arrays.1) {
            self.array(n, m, grid);
        }
        self.alike();
        self.namesakes(n);
        if self.rng.chance(25) {
            self.indices(n);
        }
        if self.rng.chance(self.profile.p_pair) {
            self.pair();
        }
        self.counts();
        self.picks();
        self.optionals(n);
        self.traps();
        let home = self.program.functions[0].home;
        let owners: Vec<NameId> = self.program.objects.clone();
        for of in owners
            .into_iter()
            .filter(|n| self.seen_from(home, *n) && !matches!(self.program.names[*n].kind, NameKind::Optional { .. }))
            .collect::<Vec<_>>()
        {
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
    }
}
