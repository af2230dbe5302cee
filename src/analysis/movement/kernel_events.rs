//! What a kernel does to the cells of a family: what it reads, what it may and surely does write, and what its map clauses say
//! happens beside that.
//!
//! ```c
//! #pragma omp target teams distribute parallel for map(to: b[0:n]) map(from: a[0:n])
//! for (int i = 1; i < n; i++)
//!     a[i] = b[i - 1];          b: reads b[0:n-1].   a: writes a[1:n-1]; with `from` the host has all of a[0:n] afterwards
//! ```

use super::placement::ResidencySpan;
use super::problem::{Event, EventKind};
use super::promised::how_to_promise;
use super::selected_cell::ChosenItem;
use super::subject::Subject;
use crate::analysis::access::{Access, comes_before, part};
use crate::analysis::arrays::may_overlap;
use crate::analysis::movement::events::{Events, FamilyRefusal};
use crate::analysis::movement::mapped::mapped_apart;
use crate::analysis::values::table::{Base, PtrVal, SymKind};
use crate::openmp::MapType;
use crate::program::graph::NodeId;
use crate::reasons::{Aliases, Clauses, Promise};
use crate::symbolic::{Expr, Facts, Section, SectionSet};
use std::ops::Range;

/// A kernel of a residency, or one outside, and what the family's cells are called there.
pub(super) struct KernelAt<'k> {
    /// The kernel, as an index.
    pub launch: usize,
    /// Where it starts.
    pub node: NodeId,
    pub names: &'k [Base],
    /// How many cells the family has.
    pub cells: usize,
    pub span: &'k ResidencySpan,
}

/// What a kernel does to one cell.
struct CellUse {
    /// All that the kernel reaches of it.
    reach: SectionSet,
    touched: bool,
    reads: SectionSet,
    may: SectionSet,
    must: Vec<Section>,
    /// Sections of which some bytes of each element are surely written.
    parts: Vec<(Section, Range<u64>)>,
    /// By which names it is written; `None`: by one that nobody knows.
    writers: Vec<Option<Base>>,
}

impl CellUse {
    fn of(reach: Section) -> CellUse {
        CellUse {
            reach: SectionSet::Union(vec![reach]),
            touched: false,
            reads: SectionSet::Empty,
            may: SectionSet::Empty,
            must: Vec::new(),
            parts: Vec::new(),
            writers: Vec::new(),
        }
    }

    /// A kernel reaches no more than it maps.
    fn clip(&self, set: SectionSet) -> SectionSet {
        match set.is_all() || set.provably_covers(&self.reach, &Facts::new()) {
            true => self.reach.clone(),
            false => set,
        }
    }

    fn read(&mut self, set: SectionSet) {
        self.reads = self.reads.union(&self.clip(set), &Facts::new());
    }

    fn write(&mut self, set: SectionSet) {
        self.may = self.may.union(&self.clip(set), &Facts::new());
    }

    fn is_written(&self) -> bool {
        !self.may.is_empty(&Facts::new())
    }

    fn event(&self, cell: usize) -> Event {
        let kind = EventKind::Launch {
            reads: self.clip(self.reads.clone()),
            may: self.clip(self.may.clone()),
            must: self.must.clone(),
        };
        Event { cell, kind }
    }
}

impl Subject<'_> {
    /// A kernel's events, after what the host reads because the kernel gets copies of it.
    pub(super) fn launch_events(
        &self,
        kernel: &KernelAt<'_>,
        accesses: &[&Access],
        out: &mut Events,
    ) -> Result<(), FamilyRefusal> {
        let KernelAt {
            launch, node, names, ..
        } = *kernel;
        let (accesses, passed): (Vec<&Access>, Vec<&Access>) = accesses.iter().partition(|a| a.kernel.is_some());
        if !passed.is_empty() {
            self.host_events(node, names, &passed, kernel.span, kernel.cells, out);
        }
        let refuse = |reason: Aliases| FamilyRefusal {
            node: Some(node),
            reason: reason.into(),
        };
        let reach = |cell: usize| self.reach(launch, names.get(cell).copied());
        let mut cells: Vec<CellUse> = (0..kernel.cells).map(|cell| CellUse::of(reach(cell))).collect();
        for a in &accesses {
            self.kernel_access(kernel, a, &accesses, &mut cells, out)
                .map_err(refuse)?;
        }
        if kernel.span.nodes.contains(&node) {
            self.other_maps(launch, names, out).map_err(refuse)?;
        }
        self.unnamed_maps(kernel, out);
        for used in &mut cells {
            used.must.extend(filled(&used.parts, self.element));
        }
        self.map_chosen(kernel, &mut cells, out);
        for (cell, (name, used)) in names.iter().zip(&mut cells).enumerate() {
            self.map_own(kernel, *name, used, out);
            if used.touched {
                out.events.at_mut(node).push(used.event(cell));
            }
        }
        Ok(())
    }

    /// One access of a kernel, among all of them.
    fn kernel_access(
        &self,
        kernel: &KernelAt<'_>,
        a: &Access,
        accesses: &[&Access],
        cells: &mut [CellUse],
        out: &mut Events,
    ) -> Result<(), Aliases> {
        let KernelAt {
            launch, node, names, ..
        } = *kernel;
        let stmt = self.model.constructs.launches[launch].stmt;
        if let Some(Base::Local(v)) = a.at.as_ref().map(|p| p.base)
            && self.model.is_declared_in(stmt, v)
        {
            return Ok(());
        }
        let strong = a.at.as_ref().and_then(|p| names.iter().position(|n| *n == p.base));
        let chosen = a.at.as_ref().filter(|_| strong.is_none());
        // Of a kernel that reads other arrays it is taken that these may be the family after it was renamed.
        if strong.is_none() && a.reads {
            out.others.insert(node);
        }
        if let Some(chosen) = chosen.and_then(|at| self.choice(at, names)) {
            for (cell, at) in chosen {
                let all = self.footprint_as(a, at, stmt);
                let used = &mut cells[cell];
                used.touched = true;
                if a.reads {
                    used.read(all.clone());
                }
                if a.writes {
                    used.write(all);
                    used.writers.push(a.at.as_ref().map(|p| p.base));
                }
            }
            return Ok(());
        }
        if a.perhaps_copy && (strong.is_some() || self.may_touch(a)) {
            out.barriers.insert(node, Aliases::Either.into());
        }
        let Some(cell) = strong else {
            return self.weak_access(kernel, a, cells, out);
        };
        let used = &mut cells[cell];
        used.touched = true;
        let f = self.accesses.footprint(self.model, a, self.element, Some(stmt));
        if f.may.is_all() && a.reads {
            out.others.insert(node);
        }
        if a.reads && !self.covered(a, accesses, names) {
            used.read(f.may.clone());
        }
        if a.writes {
            used.write(f.may);
            used.writers.push(names.get(cell).copied());
            match f.must {
                _ if self.copied_in(launch, names[cell]) => {}
                Some(section) => used.must.push(section),
                None => used.parts.extend(part(self.model, a, self.element, Some(stmt))),
            }
        }
        Ok(())
    }

    /// An access by a name that is none of the family's.
    fn weak_access(
        &self,
        kernel: &KernelAt<'_>,
        a: &Access,
        cells: &mut [CellUse],
        out: &mut Events,
    ) -> Result<(), Aliases> {
        let KernelAt {
            launch,
            node,
            names,
            span,
            ..
        } = *kernel;
        let model = self.model;
        if !self.may_touch(a) || self.taken_apart(a, node, names, span, out) {
            return Ok(());
        }
        let base = a.at.as_ref().map(|p| p.base);
        if base.is_some_and(|b| self.told.contains(&b)) {
            return Ok(());
        }
        // A pointer computed inside the kernel from a mapped one stays within what is mapped.
        let local = base.is_some_and(|b| match b {
            Base::Value(s) => model.launch_of(model.values.defined_at(s)) == Some(launch),
            _ => false,
        });
        if !local && span.nodes.contains(&node) {
            let pairs = base.into_iter().flat_map(|b| names.iter().map(move |n| (b, *n)));
            let promise = how_to_promise(model, pairs);
            return Err(Aliases::OtherName { promise });
        }
        for used in cells {
            used.touched = true;
            if a.reads {
                used.reads = used.reach.clone();
            }
            if a.writes {
                used.may = used.reach.clone();
                used.writers.push(None);
            }
        }
        Ok(())
    }

    /// What the kernel maps by a pointer that may be one of several arrays.
    fn map_chosen(&self, kernel: &KernelAt<'_>, cells: &mut [CellUse], out: &mut Events) {
        for ChosenItem {
            cell,
            name,
            map_type,
            section,
        } in self.chosen_items(kernel.launch, kernel.names)
        {
            let used = &mut cells[cell];
            // What is written by a name that is another array whenever this item is that one is lost by another clause, or by none.
            let own = |writer: &Option<Base>| match writer {
                Some(writer) => self.model.values.may_both_be(*writer, name, kernel.names[cell]),
                None => true,
            };
            let barrier = match map_type {
                MapType::To if used.writers.iter().any(own) => Clauses::Lost,
                // The host would have all of it from the device, whatever that was.
                MapType::From => {
                    used.touched = true;
                    used.write(section.map_or(SectionSet::All, |s| SectionSet::Union(vec![s])));
                    continue;
                }
                MapType::To | MapType::Tofrom => continue,
                _ => Clauses::Scratch,
            };
            out.barriers.insert(kernel.node, barrier.into());
        }
    }

    /// What the kernel's own map of a cell says.
    fn map_own(&self, kernel: &KernelAt<'_>, name: Base, used: &mut CellUse, out: &mut Events) {
        let KernelAt { launch, node, span, .. } = *kernel;
        let l = &self.model.constructs.launches[launch];
        let own = || self.mapped[launch].iter().filter(|m| m.base == name);
        let item = own().next();
        if !used.touched && item.is_none() {
            return;
        }
        if own().any(|m| m.pointer_itself) {
            out.barriers.insert(node, Clauses::PointerItself.into());
        }
        if let Some(reason) = l.special.as_ref().filter(|_| !self.apart.maps) {
            out.barriers.insert(node, reason.clone().into());
        } else if self.conditions[launch].is_none() {
            out.barriers.insert(node, Clauses::Anywhere.into());
        }
        let Some(item) = item.filter(|_| !self.apart.maps) else {
            return;
        };
        match item.map_type {
            MapType::To if used.is_written() => {
                out.barriers.insert(node, Clauses::Lost.into());
            }
            // A residency holds only where its kernels run on the device; elsewhere this one may not.
            MapType::From if l.condition.is_some() && !span.nodes.contains(&node) => {}
            MapType::From => {
                // After it the host has what the device had, all of the section: the user said so.
                if let Some(section) = &item.section {
                    used.reads = SectionSet::Empty;
                    used.may = SectionSet::Union(vec![section.clone()]);
                    used.must = vec![section.clone()];
                }
            }
            MapType::To | MapType::Tofrom => {}
            _ => {
                out.barriers.insert(node, Clauses::Scratch.into());
            }
        }
    }

    /// What a kernel maps of a cell, where one clause says it; else all of the extent.
    fn reach(&self, launch: usize, name: Option<Base>) -> Section {
        let mut items = self.mapped[launch]
            .iter()
            .filter(|m| !self.apart.maps && Some(m.base) == name && !m.pointer_itself);
        match (items.next(), items.next()) {
            (Some(only), None) => only.section.clone().unwrap_or_else(|| self.extent.clone()),
            _ => self.extent.clone(),
        }
    }

    /// What the kernel maps by names that nothing is known of: the family, or more than a residency holds of it.
    fn unnamed_maps(&self, kernel: &KernelAt<'_>, out: &mut Events) {
        let mut items = self.unnamed.get(kernel.launch).into_iter().flatten();
        if let Some(item) = items.find(|m| self.may_lie_at(m.places.as_ref())) {
            let reason = Aliases::OtherMap {
                name: item.item.path.to_string(),
                promise: Promise::default(),
            };
            out.barriers.insert(kernel.node, reason.into());
        }
    }

    /// What a kernel maps under other names must not be a part of the family: the runtime would find it present, or
    /// refuse to map more than is.
    fn other_maps(&self, launch: usize, names: &[Base], out: &mut Events) -> Result<(), Aliases> {
        for m in self.mapped[launch].iter().filter(|m| !names.contains(&m.base)) {
            if !m.is_array {
                continue;
            }
            let whole = PtrVal {
                base: m.base,
                offset: Expr::zero(),
            };
            // Which elements of each array it would be has to be known, too.
            let is_followed = |cells: Vec<_>| cells.is_empty() || !m.perhaps.is_empty();
            if self.choice(&whole, names).is_some_and(is_followed) {
                continue;
            }
            for name in names.iter().filter(|n| may_overlap(self.model, **n, m.base)) {
                if !mapped_apart(self.mapped, *name, m.base) {
                    if self.told.contains(&m.base) {
                        continue;
                    }
                    return Err(Aliases::OtherMap {
                        name: m.item.path.to_string(),
                        promise: how_to_promise(self.model, [(*name, m.base)]),
                    });
                }
                if !out.apart.contains(&(*name, m.base)) {
                    out.apart.push((*name, m.base));
                }
            }
        }
        Ok(())
    }

    /// A read in a kernel that an earlier write of the very same elements in the same iteration feeds.
    fn covered(&self, read: &Access, accesses: &[&Access], names: &[Base]) -> bool {
        let Some(at) = &read.at else { return false };
        accesses.iter().any(|w| {
            w.writes
                && !w.reads
                && w.at.as_ref() == Some(at)
                && w.bytes == read.bytes
                && names.contains(&at.base)
                && !at.offset.has_opaque()
                && comes_before(self.model, w, read)
        })
    }

    /// Whether directives inside the kernel may give threads or tasks copies of what the base is named by: what they
    /// write is then not surely written to the array.
    fn copied_in(&self, launch: usize, base: Base) -> bool {
        let copies = &self.model.constructs.launches[launch].copies;
        let name = match base {
            Base::Local(v) => Some(self.model.function().variables[v.0 as usize].name.clone()),
            Base::Global(g) => Some(self.model.module.global(g).name.clone()),
            Base::Value(sym) => match self.model.values.kind(sym) {
                SymKind::Slot(slot, _) => self.model.values.slots.get(slot).name.clone(),
                _ => None,
            },
        };
        copies.any || name.is_some_and(|n| copies.may_be(&n))
    }
}

/// Sections whose elements are written member by member, all of them.
fn filled(parts: &[(Section, Range<u64>)], element: u64) -> Vec<Section> {
    let mut full: Vec<Section> = Vec::new();
    for (section, _) in parts {
        let mut bytes: Vec<_> = parts
            .iter()
            .filter(|(s, _)| s == section)
            .map(|(_, b)| b.clone())
            .collect();
        bytes.sort_by_key(|b| b.start);
        let end = bytes
            .iter()
            .fold(0, |end, b| if b.start <= end { end.max(b.end) } else { end });
        if end >= element && !full.contains(section) {
            full.push(section.clone());
        }
    }
    full
}
