//! What is asked at run time, and its text at a place.
//!
//! A test is made for a loop where that stands, in terms of values, not of variables. So it may be written at any earlier
//! place at which these values have names; what depends on the iteration of a loop in between is first widened to all its
//! iterations ([`Test::outside`]).

use crate::analysis::arrays::source_type;
use crate::analysis::dependence::canonical::is_fixed;
use crate::analysis::dependence::{BranchTest, Requirement};
use crate::analysis::function::FunctionModel;
use crate::analysis::values::table::Base;
use crate::annotate::spell::Speller;
use crate::program::ir::SourceType;
use crate::symbolic::{Expr, Facts, Section, Sym};
use crate::syntax::StmtId;
use std::collections::BTreeSet;

/// The part of an array that a kernel maps.
#[derive(Clone, Debug)]
pub(in crate::annotate) struct Extent {
    /// In elements.
    pub section: Section,
    /// Bytes of an element.
    pub element: u64,
    /// Elements of a step of each dimension but the first: `[m]` for `double a[n][m]`.
    pub dims: Vec<Expr>,
}

/// Two arrays that must not overlap, with the parts that matter.
#[derive(Clone, Debug)]
pub(in crate::annotate) struct Pair {
    pub arrays: [Base; 2],
    pub extents: [Extent; 2],
}

/// Everything that has to hold.
#[derive(Clone, Default, Debug)]
pub(in crate::annotate) struct Test {
    /// What the verdict rests on, overlap apart.
    pub conditions: BTreeSet<Requirement>,
    /// Where the loop runs, so that the sections mean something.
    pub runs: BTreeSet<Requirement>,
    /// Arrays that must not overlap.
    pub apart: Vec<Pair>,
    /// Where it fails, iterations may depend on one another; else only the mapping would go wrong.
    pub dependence: bool,
    /// What the headers of the nest's loops are about, the outermost first: a loop reads what its header names once the loops
    /// around it run, and not before.
    pub levels: Vec<BTreeSet<Sym>>,
}

impl Test {
    /// The test for the loops of both.
    pub fn and(&self, other: &Test) -> Test {
        let mut both = self.clone();
        both.conditions.extend(other.conditions.iter().cloned());
        both.runs.extend(other.runs.iter().cloned());
        both.dependence |= other.dependence;
        both.levels
            .resize(both.levels.len().max(other.levels.len()), BTreeSet::new());
        both.levels
            .iter_mut()
            .zip(&other.levels)
            .for_each(|(own, more)| own.extend(more));
        let facts = both.facts();
        for pair in &other.apart {
            let joined = both.apart.iter_mut().find_map(|p| Some((p.joined(pair, &facts)?, p)));
            match joined {
                Some((hull, own)) => *own = hull,
                None => both.apart.push(pair.clone()),
            }
        }
        both
    }

    /// All comparisons, those that say that something runs first.
    fn comparisons(&self) -> impl Iterator<Item = &Requirement> {
        self.runs.union(&self.conditions)
    }

    /// What holds where the comparisons do, or where those of them do that go together: in a build with small numbers there may be no such place, and what
    /// follows from that would be anything.
    fn facts(&self) -> Facts {
        let mut facts = Facts::new();
        for comparison in self.comparisons() {
            let contradicts = match comparison {
                Requirement::AtMost { left, right } => facts.prove_lt(right, left),
                _ => false,
            };
            if !contradicts {
                assume(&mut facts, comparison);
            }
        }
        facts
    }

    /// The test for all iterations of a loop around. Whether a loop runs in one of them is left to its own clause.
    pub fn outside(&self, model: &FunctionModel<'_>, stmt: StmtId) -> Option<Test> {
        let mut wider = self.clone();
        wider.runs.retain(|c| match c {
            Requirement::AtMost { left, right } => is_fixed(model, left, stmt) && is_fixed(model, right, stmt),
            _ => false,
        });
        let Some(index) = model.loops.get(stmt).and_then(|l| l.induction.as_ref()) else {
            return Some(wider);
        };
        let mut facts = self.facts();
        let sym = Expr::sym(index.sym);
        facts.assume_le(&index.lo, &sym);
        facts.assume_le(&sym, &index.hi);
        facts.assume_le(&index.lo, &index.hi);
        let one = Expr::constant(1);
        for extent in wider.apart.iter_mut().flat_map(|p| &mut p.extents) {
            extent.section = extent
                .section
                .over_loop(index.sym, &index.lo, &index.hi, &one, &facts)?;
        }
        Some(wider)
    }

    /// The test as C, each part of it one that `&&` may join; `None` where something has no name.
    pub fn text(&self, speller: &Speller<'_>) -> Option<Vec<String>> {
        let mut parts = Vec::new();
        let comparisons = match self.follows_pointers(speller) {
            true => self.in_order(&speller.known()),
            false => needed(self.comparisons(), &speller.known()),
        };
        for condition in comparisons {
            match condition {
                Requirement::AtMost { left, right } => parts.push(speller.at_most(left, right)?),
                Requirement::Clear { distance, reach } => parts.push(clear(speller, distance, reach, &self.facts())?),
                Requirement::Apart { .. } | Requirement::Branch(_) => return None,
            }
        }
        for pair in &self.apart {
            parts.push(pair.disjoint(speller)?);
        }
        Some(parts)
    }
}

impl Test {
    /// Whether computing it at a place reads memory through pointers, which may lead nowhere.
    pub fn follows_pointers(&self, speller: &Speller<'_>) -> bool {
        let follows = |name: Option<String>| name.is_none_or(|n| n.contains(['*', '[', '>']));
        let extents = || self.apart.iter().flat_map(|p| &p.extents);
        let bounds = extents().flat_map(|e| [&e.section.lo, &e.section.hi].into_iter().chain(&e.dims));
        let compared = self.comparisons().flat_map(symbols);
        let mut symbols = compared.chain(bounds.flat_map(Expr::symbols));
        let mut bases = self.apart.iter().flat_map(|p| p.arrays);
        symbols.any(|s| follows(speller.at.symbol(s))) || bases.any(|b| follows(speller.at.base(b)))
    }

    /// The comparisons that are needed, those about the outermost loops first: where one of these does not run, what the
    /// headers inside read may not be there. So none is left out for what only those behind it say.
    fn in_order(&self, known: &Facts) -> Vec<&Requirement> {
        let level = |sym: &Sym| {
            let found = self.levels.iter().position(|l| l.contains(sym));
            found.unwrap_or(self.levels.len())
        };
        let last = |c: &Requirement| symbols(c).iter().map(level).max().unwrap_or(0);
        let mut all: Vec<(usize, &Requirement)> = self.comparisons().map(|c| (last(c), c)).collect();
        all.sort_by_key(|(level, _)| *level);
        let mut kept: Vec<&Requirement> = Vec::new();
        for same in all.chunk_by(|a, b| a.0 == b.0) {
            let mut known = known.clone();
            kept.iter().for_each(|c| assume(&mut known, c));
            kept.extend(needed(same.iter().map(|(_, c)| *c), &known));
        }
        kept
    }
}

/// The numbers that a condition is about.
pub(in crate::annotate) fn symbols(condition: &Requirement) -> BTreeSet<Sym> {
    let sides = match condition {
        Requirement::AtMost { left, right } => [left, right],
        Requirement::Clear { distance, reach } => [distance, reach],
        Requirement::Branch(
            BranchTest::Equal { left, right }
            | BranchTest::Differs { left, right }
            | BranchTest::AtMost { left, right },
        ) => [left, right],
        Requirement::Branch(BranchTest::Present { base }) => {
            return match base {
                Base::Value(sym) => BTreeSet::from([*sym]),
                _ => BTreeSet::new(),
            };
        }
        Requirement::Apart { .. } => return BTreeSet::new(),
    };
    sides.into_iter().flat_map(Expr::symbols).collect()
}

impl Pair {
    /// The two parts that hold those of both pairs, where these are of the same arrays and are no harder to say.
    fn joined(&self, other: &Pair, facts: &Facts) -> Option<Pair> {
        if self.arrays != other.arrays {
            return None;
        }
        let mut both = self.clone();
        for (extent, more) in both.extents.iter_mut().zip(&other.extents) {
            let hull = extent.section.hull(&more.section, facts)?;
            let plain = hull.lo.has_plain_symbols() && hull.hi.has_plain_symbols();
            if !plain || extent.element != more.element {
                return None;
            }
            extent.section = hull;
        }
        Some(both)
    }

    /// `x + n <= y || y + n <= x`.
    fn disjoint(&self, speller: &Speller<'_>) -> Option<String> {
        let ([a, b], [first, second]) = (self.arrays, &self.extents);
        let model = speller.at.model;
        let plain = first.dims == second.dims && element(model, a) == element(model, b);
        let edge = |base: Base, extent: &Extent, bound: &Expr| {
            let text = edge(speller, base, extent, bound)?;
            Some(match (plain, text.contains(' ')) {
                (true, _) => text,
                (false, true) => format!("(const char *)({text})"),
                (false, false) => format!("(const char *){text}"),
            })
        };
        Some(format!(
            "{} <= {} || {} <= {}",
            edge(a, first, &first.section.hi)?,
            edge(b, second, &second.section.lo)?,
            edge(b, second, &second.section.hi)?,
            edge(a, first, &first.section.lo)?
        ))
    }
}

/// The comparisons that follow neither from others nor from what is known.
pub(in crate::annotate) fn needed<'c>(
    conditions: impl Iterator<Item = &'c Requirement>,
    known: &Facts,
) -> Vec<&'c Requirement> {
    let mut kept: Vec<&Requirement> = conditions.collect();
    let mut at = 0;
    while at < kept.len() {
        let mut facts = known.clone();
        let others = kept.iter().enumerate().filter(|(i, _)| *i != at);
        others.for_each(|(_, c)| assume(&mut facts, c));
        match kept[at] {
            Requirement::AtMost { left, right } if facts.prove_le(left, right) => drop(kept.remove(at)),
            _ => at += 1,
        }
    }
    kept
}

/// Takes a comparison for granted.
pub(in crate::annotate) fn assume(facts: &mut Facts, condition: &Requirement) {
    if let Requirement::AtMost { left, right } = condition {
        facts.assume_le(left, right);
    }
}

/// The address of an element: `x + n`, `a + n` for rows, `*a + k` for an element that begins no row.
fn edge(speller: &Speller<'_>, base: Base, extent: &Extent, bound: &Expr) -> Option<String> {
    let name = match is_itself(speller.at.model, base) {
        true => format!("&{}", speller.at.base(base)?),
        false => speller.at.base(base)?,
    };
    if bound.is_zero() {
        return Some(name);
    }
    let row = extent.dims.iter().try_fold(Expr::constant(1), |p, d| p.mul(d))?;
    match bound.div(&row).filter(|q| q.mul(&row).as_ref() == Some(bound)) {
        Some(rows) => Some(format!("{name} + {}", speller.text(&rows)?)),
        None => {
            let stars = "*".repeat(extent.dims.len());
            Some(format!("{stars}{name} + {}", speller.text(bound)?))
        }
    }
}

/// Whether a base is a variable that is no array.
fn is_itself(model: &FunctionModel<'_>, base: Base) -> bool {
    let array = matches!(source_type(model, base), Some(SourceType::Array { .. }));
    !array && !matches!(base, Base::Value(_))
}

/// What a pointer to a base's start points to.
fn element<'m>(model: &'m FunctionModel<'_>, base: Base) -> Option<&'m SourceType> {
    match (source_type(model, base)?, base) {
        (SourceType::Pointer { to, .. }, Base::Value(_)) => Some(to),
        (SourceType::Array { elem, .. }, _) => Some(elem),
        (itself, _) => Some(itself),
    }
}

/// `k == 0 || n <= k || n <= -k`.
fn clear(speller: &Speller<'_>, distance: &Expr, reach: &Expr, facts: &Facts) -> Option<String> {
    // Distance and reach are in bytes; what they have in common is the size of an element.
    let common = distance
        .terms()
        .iter()
        .chain(reach.terms())
        .map(|t| t.coeff)
        .reduce(gcd)?;
    let (distance, reach) = (
        distance.div(&Expr::constant(common))?,
        reach.div(&Expr::constant(common))?,
    );
    // Rather `k` than `-k`.
    let minus = distance.terms().first().is_some_and(|t| t.coeff < 0);
    let distance = if minus { distance.neg()? } else { distance };
    let mut ways = vec![format!("{} == 0", speller.text(&distance)?)];
    let back = distance.neg()?;
    if !facts.prove_nonneg(&back) {
        ways.push(speller.at_most(&reach, &distance)?);
    }
    if !facts.prove_nonneg(&distance) {
        ways.push(speller.at_most(&reach, &back)?);
    }
    Some(ways.join(" || "))
}

fn gcd(a: i128, b: i128) -> i128 {
    match b {
        0 => a.abs(),
        _ => gcd(b, a % b),
    }
}
