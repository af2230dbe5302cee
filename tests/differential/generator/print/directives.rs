//! OpenMP directives: the naive maps of kernels, the data regions and updates that a user wrote.

use super::Printer;
use crate::generator::ast::*;
use crate::generator::facts::{self, Touch};
use crate::generator::walk::globals_of;
use std::collections::BTreeMap;

/// A map type, in the order in which the clauses are written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum MapType {
    To,
    From,
    ToFrom,
}

impl MapType {
    fn c(self) -> &'static str {
        match self {
            MapType::To => "to",
            MapType::From => "from",
            MapType::ToFrom => "tofrom",
        }
    }

    /// The right type for a mapped run of elements `[lo, hi)`.
    fn of(touch: &Touch, lo: i64, hi: i64) -> MapType {
        if touch.may.is_empty() {
            MapType::To
        } else if touch.exposed.is_empty() && touch.must.len() as i64 == hi - lo {
            MapType::From
        } else {
            MapType::ToFrom
        }
    }
}

impl Printer<'_> {
    /// The list item and map type of one array in a kernel; `None` where the implicit rules are right.
    fn map_item(&self, k: &Kernel, name: NameId, touch: &Touch) -> Option<(MapType, String)> {
        let targets = k.stmts.iter().map(|s| &s.target);
        let mut written = targets.filter(|t| matches!(t, KernelTarget::Elem(n, _) if *n == name));
        let writes = written.next().is_some();
        self.item(k, name, touch).map(|(map_type, item)| match map_type {
            // A kernel that does nothing in this run could write in another.
            MapType::To if writes => (MapType::ToFrom, item),
            // Nor does it write all of a struct, or what ends a text.
            MapType::From if matches!(self.program.names[name].elem, Elem::Point | Elem::Char) => {
                (MapType::ToFrom, item)
            }
            _ => (map_type, item),
        })
    }

    /// The list item and the map type that follows from what the kernel does in this run.
    fn item(&self, k: &Kernel, name: NameId, touch: &Touch) -> Option<(MapType, String)> {
        let n = &self.program.names[name];
        let len = self.program.len(name);
        let whole = if self.program.is_array(name) && k.style & 16 != 0 {
            self.name(name)
        } else {
            self.whole(name)
        };
        if !self.program.loses && facts::may_share(self.program, k, name) {
            return Some((MapType::ToFrom, self.whole(name)));
        }
        match k.maps {
            MapStyle::Broad => Some((MapType::ToFrom, whole)),
            MapStyle::Implicit if self.program.is_array(name) || self.program.is_held(name, &self.covered) => None,
            MapStyle::Tight if n.dims.len() == 1 => {
                let Some((lo, hi)) = touch.hull() else {
                    return Some((MapType::To, whole));
                };
                if let Some(changing) = self.counted(k, name)
                    && lo == 0
                {
                    // The kernel may write all of the section, or none.
                    let map_type = if touch.may.is_empty() {
                        MapType::To
                    } else {
                        MapType::ToFrom
                    };
                    return Some((map_type, format!("{}[0:{changing}]", self.name(name))));
                }
                let rest = len - (hi - lo);
                let count = if rest < 6 {
                    self.less(&n.dims[0], rest)
                } else {
                    (hi - lo).to_string()
                };
                Some((MapType::of(touch, lo, hi), format!("{}[{lo}:{count}]", self.name(name))))
            }
            _ => Some((MapType::of(touch, 0, len), whole)),
        }
    }

    /// The number that changes which says how many elements of `name` a kernel uses, where that is at least one.
    fn counted(&self, k: &Kernel, name: NameId) -> Option<String> {
        let [(Bound::Const(0), Bound::Less(Size::Var(count), 0))] = k.loops.as_slice() else {
            return None;
        };
        let size = &self.program.sizes[*count];
        let SizeKind::Count { low: 1.. } = size.kind else {
            return None;
        };
        let plain = facts::indices_of(k, name).iter().all(|at| *at == KernelAt::Shift(0));
        plain.then(|| size.ident.clone())
    }

    /// The pragma lines of a kernel, each as `omp <directive>` and its clauses.
    pub fn kernel_pragmas(&self, k: &Kernel) -> Vec<Vec<String>> {
        let facts = facts::facts(self.program, k).unwrap_or_default();
        let passed = facts::passed(k);
        let mut items: Vec<(MapType, String)> = facts
            .iter()
            .filter(|(name, _)| !passed.contains(name))
            .filter_map(|(name, touch)| self.map_item(k, *name, touch))
            .collect();
        let reductions = facts::reductions_of(k);
        // The combined constructs map a reduction variable by themselves.
        let explicit = matches!(k.directive, Directive::Serial | Directive::Split) || k.style & 128 != 0;
        if explicit {
            items.extend(
                reductions
                    .keys()
                    .map(|s| (MapType::ToFrom, self.program.scalars[*s].ident.clone())),
            );
        }
        match k.asks {
            Some(Asks::Step) => items.push((MapType::To, self.asked(k))),
            Some(Asks::Length) => {
                let section =
                    |item: &&mut (MapType, String)| item.1.matches("[0:").count() == 1 && item.1.ends_with(']');
                if let Some((_, item)) = items.iter_mut().find(section) {
                    let (name, length) = item.trim_end_matches(']').split_once("[0:").unwrap_or((item, "1"));
                    *item = format!("{name}[0:({length}) * {}[0]]", self.asked(k));
                }
            }
            Some(Asks::Teams) | None => {}
        }
        // Members of a struct come first: clang 19 passes wrong arguments to a kernel that maps them after other variables.
        let other = |item: &str| !item.starts_with("box");
        items.sort_by_key(|(t, item)| (other(item), *t));
        let mut maps: Vec<String> = Vec::new();
        if k.style & 256 != 0 {
            maps.extend(items.iter().map(|(t, item)| format!("map({}: {item})", t.c())));
        } else {
            for same in items.chunk_by(|(t, a), (u, b)| t == u && other(a) == other(b)) {
                let list: Vec<&str> = same.iter().map(|(_, item)| item.as_str()).collect();
                maps.push(format!("map({}: {})", same[0].0.c(), list.join(", ")));
            }
        }
        if !passed.is_empty() {
            let list: Vec<String> = passed.iter().map(|n| self.name(*n)).collect();
            maps.push(format!("firstprivate({})", list.join(", ")));
        }
        maps.extend(k.copies.scratch.map(|_| format!("private({})", self.scratch(k))));
        maps.extend((k.asks == Some(Asks::Teams)).then(|| format!("num_teams({}_teams())", self.asked(k))));
        let mut worksharing = Vec::new();
        if k.directive != Directive::Serial {
            if k.collapse && k.loops.len() == 2 {
                worksharing.push("collapse(2)".to_string());
            }
            for (s, op) in &reductions {
                let op = if *op == Reduction::Sum { "+" } else { "max" };
                worksharing.push(format!("reduction({op}: {})", self.program.scalars[*s].ident));
            }
        }
        let line = |head: &str, clauses: Vec<String>| [vec![head.to_string()], clauses].concat();
        let both = [maps.clone(), worksharing.clone()].concat();
        match k.directive {
            Directive::TeamsDistributeParallelFor => vec![line("omp target teams distribute parallel for", both)],
            Directive::TeamsDistributeParallelForSimd => {
                vec![line("omp target teams distribute parallel for simd", both)]
            }
            Directive::ParallelFor => vec![line("omp target parallel for", both)],
            Directive::Split => {
                vec![
                    line("omp target", maps),
                    line("omp teams distribute parallel for", worksharing),
                ]
            }
            Directive::Serial => vec![line("omp target", maps)],
        }
    }

    /// Whether a kernel in `body` may write the object that `owner` owns.
    fn written_in(&self, body: &[Stmt], owner: NameId) -> bool {
        let class = self.program.names[owner].class;
        let mut written = false;
        visit(body, &mut |s| match s {
            Stmt::Call(_) => written = true,
            Stmt::Kernel(k) => {
                written |= k.stmts.iter().any(|s| match s.target {
                    KernelTarget::Elem(n, _) => self.program.names[n].class & class != 0,
                    KernelTarget::Reduce(..) => false,
                });
            }
            _ => {}
        });
        written
    }

    /// Whether a block begins with a kernel that writes all of an array whatever it held.
    fn begins_afresh(&self, body: &[Stmt], name: NameId) -> bool {
        let Some(Stmt::Kernel(k)) = body.first() else {
            return false;
        };
        let facts = facts::facts(self.program, k).unwrap_or_default();
        let len = self.program.len(name);
        if facts::may_share(self.program, k, name) {
            return false;
        }
        let whole = |touch: &Touch| MapType::of(touch, 0, len) == MapType::From;
        !matches!(self.program.names[name].elem, Elem::Point | Elem::Char) && facts.get(&name).is_some_and(whole)
    }

    /// What a directive of a region calls an array: regions by hand have a short way of it.
    fn held(&self, maps: RegionMaps, name: NameId) -> String {
        let is_short = self.program.is_array(name) && (name as u64 + self.program.seed).is_multiple_of(2);
        if maps != RegionMaps::Fitting && is_short && self.program.names[name].elem != Elem::Char {
            self.name(name)
        } else {
            self.whole(name)
        }
    }

    /// The clauses of `kind` of a region, or what stands in their place in an update.
    fn held_list(&self, kind: &str, maps: RegionMaps, names: &[NameId]) -> String {
        if names.is_empty() {
            return String::new();
        }
        let list: Vec<String> = names.iter().map(|n| self.held(maps, *n)).collect();
        let list = list.join(", ");
        match kind {
            "update to" | "update from" => format!("#pragma omp target {kind}({list})"),
            _ => format!(" map({kind}: {list})"),
        }
    }

    /// A data region around `body`.
    pub fn region(&mut self, form: RegionForm, maps: RegionMaps, cover: &[NameId], body: &[Stmt]) {
        let written = |n: &NameId| maps != RegionMaps::Fitting || self.written_in(body, *n);
        let (back, kept): (Vec<NameId>, Vec<NameId>) = cover.iter().partition(|n| written(n));
        let by_updates = maps == RegionMaps::Updated && form != RegionForm::Called && !cover.is_empty();
        let fresh = |n: &NameId| by_updates || maps == RegionMaps::Fresh && self.begins_afresh(body, *n);
        let (new, old): (Vec<NameId>, Vec<NameId>) = back.iter().partition(|n| fresh(n));
        let out = if by_updates { "alloc" } else { "from" };
        let list = |p: &Self, kind: &str, names: &[NameId]| p.held_list(kind, maps, names);
        match form {
            _ if cover.is_empty() => {}
            RegionForm::Block => {
                let clauses = [
                    list(self, "to", &kept),
                    list(self, out, &new),
                    list(self, "tofrom", &old),
                ];
                self.line(&format!("#pragma omp target data{}", clauses.concat()));
            }
            RegionForm::Standing => {
                let copied: Vec<NameId> = cover.iter().copied().filter(|n| !new.contains(n)).collect();
                let clauses = [list(self, "to", &copied), list(self, "alloc", &new)];
                self.line(&format!("#pragma omp target enter data{}", clauses.concat()));
            }
            RegionForm::Called => cover.iter().for_each(|name| self.region_call("enter", *name)),
        }
        self.line("{");
        self.inside(|p| {
            let updates = ["update to", "update from"].map(|kind| p.held_list(kind, maps, cover));
            if by_updates {
                p.line(&updates[0]);
            }
            p.block(body);
            if by_updates {
                p.line(&updates[1]);
            }
        });
        self.line("}");
        match form {
            RegionForm::Standing if by_updates => {
                let clause = list(self, "release", cover);
                self.line(&format!("#pragma omp target exit data{clause}"));
            }
            RegionForm::Standing if !cover.is_empty() => {
                let clauses = [list(self, "from", &back), list(self, "release", &kept)];
                self.line(&format!("#pragma omp target exit data{}", clauses.concat()));
            }
            RegionForm::Called => {
                back.iter().for_each(|name| self.region_call("leave", *name));
                kept.iter().for_each(|name| self.region_call("drop", *name));
            }
            _ => {}
        }
    }

    /// Calls a function that enters or leaves all of an array.
    fn region_call(&mut self, verb: &str, name: NameId) {
        let n = &self.program.names[name];
        let count: Vec<String> = self.lengths(name).map(|d| format!("(long)({d})")).collect();
        let first = match n.dims.len() {
            1 => self.name(name),
            _ => format!("&{}[0][0]", self.name(name)),
        };
        let function = Self::region_function(verb, n.elem, self.program.seed);
        let device = if self.hands_device() { ", gpu" } else { "" };
        self.line(&format!("{function}({first}, {}{device});", count.join(" * ")));
    }

    fn region_function(verb: &str, elem: Elem, seed: u64) -> String {
        format!("{verb}_{}_{seed}", elem.c().replace(' ', "_"))
    }

    /// The functions that regions of the file `home` call, but for those that stand in the header already.
    pub(super) fn region_functions(&self, home: Home) -> String {
        let mut elems = self.elements_of_region_calls(home);
        if home != Home::Header {
            let known = self.elements_of_region_calls(Home::Header);
            elems.retain(|name, _| !known.contains_key(name));
        }
        let mut out = String::new();
        for elem in elems.into_values() {
            for (verb, directive) in [
                ("enter", "enter data map(to: p[0:n])"),
                ("leave", "exit data map(from: p[0:n])"),
                ("drop", "exit data map(release: p[0:n])"),
            ] {
                let function = Self::region_function(verb, elem, self.program.seed);
                let device = if self.hands_device() { ", int gpu" } else { "" };
                out += &format!("static inline void {function}({} *p, long n{device})\n{{\n", elem.c());
                if let Devices::One(DeviceForm::Local, number) = self.program.devices {
                    out += &format!("    const int gpu = {number};\n");
                }
                out += &format!("    #pragma omp target {directive}\n}}\n\n");
            }
        }
        out
    }

    /// The elements of the arrays for which regions of the file `home` call functions, by their names in C.
    fn elements_of_region_calls(&self, home: Home) -> BTreeMap<String, Elem> {
        let mut elems: BTreeMap<String, Elem> = BTreeMap::new();
        let printed = self.program.functions.iter().zip(&self.linkage.printed);
        for (f, _) in printed.filter(|(f, printed)| f.home == home && **printed) {
            visit(&f.body, &mut |s| {
                if let Stmt::Region {
                    form: RegionForm::Called,
                    cover,
                    ..
                } = s
                {
                    let of = cover.iter().map(|name| self.program.names[*name].elem);
                    elems.extend(of.map(|elem| (elem.c().to_owned(), elem)));
                }
            });
        }
        elems
    }

    /// Host statements with the updates that let them stand in a data region.
    pub fn sync(&mut self, body: &[Stmt], updates: Updates) {
        match updates {
            Updates::Touched => self.sync_touched(body),
            // What is no more needs no updates.
            Updates::Whole(name) | Updates::Narrow(name) if !self.program.names[name].live => self.block(body),
            Updates::Whole(name) => {
                let section = self.held(RegionMaps::Wasteful, name);
                self.line(&format!("#pragma omp target update from({section})"));
                self.block(body);
                self.line(&format!("#pragma omp target update to({section})"));
            }
            Updates::Narrow(name) => self.sync_narrow(body, name),
        }
    }

    /// Host statements with updates of no more of an array than they need.
    fn sync_narrow(&mut self, body: &[Stmt], name: NameId) {
        let section = match body {
            [
                Stmt::Host(
                    HostOp::Read {
                        name: n,
                        select: Select::Elem(at),
                        ..
                    }
                    | HostOp::Write {
                        name: n,
                        select: Select::Elem(at),
                        ..
                    },
                ),
            ] if at.len() == 1 && *n == name => {
                let at = self.at(&at[0], &self.program.names[name].dims[0]);
                format!("{}[{at}:1]", self.name(name))
            }
            _ => self.held(RegionMaps::Wasteful, name),
        };
        let reads = matches!(body, [Stmt::Host(HostOp::Read { .. })]);
        self.line(&format!("#pragma omp target update from({section})"));
        self.block(body);
        if !reads {
            self.line(&format!("#pragma omp target update to({section})"));
        }
    }

    /// Host statements with updates of all that they touch.
    fn sync_touched(&mut self, body: &[Stmt]) {
        let touched = touched(self.program, body);
        for (name, _, narrow) in &touched {
            let section = match narrow {
                Some(at) => format!(
                    "{}[{}:1]",
                    self.name(*name),
                    self.at(at, &self.program.names[*name].dims[0])
                ),
                None => self.whole(*name),
            };
            self.line(&format!("#pragma omp target update from({section})"));
        }
        self.block(body);
        for (name, _, _) in touched.iter().filter(|t| t.1) {
            let section = self.whole(*name);
            self.line(&format!("#pragma omp target update to({section})"));
        }
    }
}

/// The arrays that host statements touch: the name, whether it is written, and the element if a read is of just one.
fn touched(program: &Program, body: &[Stmt]) -> Vec<(NameId, bool, Option<At>)> {
    let mut out: Vec<(NameId, bool, Option<At>)> = Vec::new();
    let mut add = |name: NameId, writes: bool, narrow: Option<At>| match out.iter_mut().find(|t| t.0 == name) {
        Some(t) => *t = (name, t.1 || writes, None),
        None => out.push((name, writes, narrow)),
    };
    visit(body, &mut |s| match s {
        Stmt::Host(HostOp::Read {
            name,
            select: Select::Elem(at),
            ..
        }) if at.len() == 1 => {
            add(*name, false, Some(at[0]));
        }
        Stmt::Host(HostOp::Read { name, .. }) => add(*name, false, None),
        Stmt::Host(
            HostOp::Write { name, .. } | HostOp::Reindex { name, .. } | HostOp::Memset(name) | HostOp::Sort(name),
        ) => add(*name, true, None),
        Stmt::Host(HostOp::Guarded { name, .. } | HostOp::FirstToken(name, ..)) => add(*name, true, None),
        Stmt::Host(HostOp::Raise(code) | HostOp::Meet(code) | HostOp::CallBack(code, _)) => add(code.name, true, None),
        Stmt::Host(HostOp::Memcpy { dst, src, .. }) => {
            add(*src, false, None);
            add(*dst, true, None);
        }
        Stmt::Call(c) => {
            for (name, _) in &c.args {
                add(*name, true, None);
            }
            for g in globals_of(program, c.function) {
                add(g, true, None);
            }
        }
        _ => {}
    });
    out
}
