//! Grows second names for arrays, and pointers that get swapped.

use super::ast::*;
use super::grow::Grower;

impl Grower<'_> {
    /// Two equal arrays that get swapped, by their own names or through two more pointers.
    pub fn pair(&mut self) {
        let movable = |n: &Name| {
            n.dims.len() == 1
                && n.index_bound.is_none()
                && n.partner.is_none()
                && !n.hidden
                && matches!(n.kind, NameKind::Heap { .. } | NameKind::Member | NameKind::GlobalHeap)
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
                if self.rng.chance(40) {
                    0
                } else {
                    self.rng.range(1, most)
                }
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
}
