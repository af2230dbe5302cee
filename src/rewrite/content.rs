//! What stands in which gap once all decisions are taken together.
//!
//! Decisions name places; several may meet in one gap, be regions around the same statements, or contradict each other.
//! [`Content::gather`] sorts that out before any text is written: equal regions become one, updates are put inside the
//! region they belong to, and what cannot be written is a [`DecisionRefusal`] of the one decision that asked for it.

use super::TextToWrite;
use super::gaps::{self, Gap, GapOwner, Side};
use crate::plan::{Change, Decision, Direction, MapItem, RegionId};
use crate::program::graph::Place;
use crate::reasons::{Reason, Wording};
use crate::source::Span;
use crate::syntax::{PragmaId, ScopeTree, StmtId, StmtKind};
use std::collections::{BTreeMap, BTreeSet};

/// Longest region, in lines, whose contents are indented: beyond that the patch would hide the change.
const MOST_INDENTED_LINES: u32 = 80;

/// A decision that cannot be written, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecisionRefusal {
    /// Index among the decisions given.
    pub decision: usize,
    /// Where.
    pub span: Span,
    /// Why.
    pub reason: Reason,
}

impl DecisionRefusal {
    /// Why a decision cannot be written at a place.
    pub fn new(decision: usize, span: Span, reason: impl Into<Reason>) -> DecisionRefusal {
        DecisionRefusal {
            decision,
            span,
            reason: reason.into(),
        }
    }
}

/// A `target data` region to write.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataRegion {
    /// First statement.
    pub first: StmtId,
    /// Last statement.
    pub last: StmtId,
    /// The gap before it.
    pub start: Gap,
    /// The gap after it.
    pub end: Gap,
    /// The region's map items.
    pub maps: Vec<MapItem>,
    /// Argument of its `if` clause.
    pub condition: Option<String>,
    /// The region is written with braces.
    pub braces: bool,
    /// The region's contents are indented one step more.
    pub indents: bool,
    /// The last decision that asked for it.
    pub by: usize,
}

/// A `target data` region that a decision asks for.
struct WantedRegion<'a> {
    first: StmtId,
    last: StmtId,
    maps: &'a [MapItem],
    braces: bool,
    condition: Option<&'a str>,
}

impl WantedRegion<'_> {
    /// The region of a whole block that is a statement of another one, in place of all statements in it: there is a brace already.
    fn raised(self, tree: &ScopeTree) -> Self {
        // What a condition asks may be declared in the block.
        let block = tree.stmt(self.first).parent.filter(|_| self.condition.is_none());
        let Some(block) = block.filter(|block| is_statement_of_block(tree, *block)) else {
            return self;
        };
        let inside = &tree.stmt(block).children;
        match inside.first() == Some(&self.first) && inside.last() == Some(&self.last) {
            true => WantedRegion {
                first: block,
                last: block,
                braces: false,
                ..self
            }
            .raised(tree),
            false => self,
        }
    }
}

/// Whether a statement is a block within a block, about which no pragma says anything, and which is the same in all builds.
fn is_statement_of_block(tree: &ScopeTree, stmt: StmtId) -> bool {
    let block = tree.stmt(stmt);
    let is_block = |s: StmtId| tree.stmt(s).kind == StmtKind::Block;
    let within = |line: &Span| {
        let is_inside = |s: Span| s.start <= line.start && line.end <= s.end;
        is_inside(block.span) && !block.children.iter().any(|child| is_inside(tree.stmt(*child).span))
    };
    is_block(stmt)
        && block.parent.is_some_and(is_block)
        && !tree.pragmas.iter().any(|pragma| pragma.before == Some(stmt))
        && !tree.conditionals.iter().any(within)
}

/// An item to copy and the argument of the `if` clause that it is under.
pub type UpdateItem = (Option<String>, String);

/// Items to copy at one point.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UpdateItems {
    /// Host to device.
    pub to: Vec<UpdateItem>,
    /// Device to host.
    pub from: Vec<UpdateItem>,
}

impl UpdateItems {
    fn push(&mut self, direction: Direction, item: UpdateItem) {
        match direction {
            Direction::To => self.to.push(item),
            Direction::From => self.from.push(item),
        }
    }
}

/// A map item and the argument of the `if` clause that it is under.
pub type Conditional = (Option<String>, MapItem);

/// What stands in one gap, apart from the edges of regions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filling {
    /// `exit data` items.
    pub exits: Vec<Conditional>,
    /// `enter data` items.
    pub enters: Vec<Conditional>,
    /// Updates outside the regions that end or start here.
    pub updates: UpdateItems,
    /// Updates inside a region (by index) at its end.
    pub at_end: BTreeMap<usize, UpdateItems>,
    /// Updates inside a region (by index) at its start.
    pub at_start: BTreeMap<usize, UpdateItems>,
    /// Declarations of tests.
    pub tests: Vec<Vec<String>>,
    /// Directives that make a kernel of the loop that follows: clauses, and map items.
    pub kernels: Vec<(Vec<String>, Vec<MapItem>)>,
    /// The variable under which the loop that follows is a kernel; elsewhere its twin runs.
    pub twin: Option<String>,
    /// Sides that the plan named.
    pub sides: BTreeSet<Side>,
    /// The last decision that put something here.
    pub by: usize,
}

/// Everything to write.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Content {
    /// Regions.
    pub regions: Vec<DataRegion>,
    /// Gaps with something in them or at the edge of a region.
    pub gaps: BTreeMap<Gap, Filling>,
    /// New `else` branches, by their `if`.
    pub elses: BTreeMap<StmtId, Filling>,
    /// New map items of pragmas, with the decision.
    pub remaps: BTreeMap<PragmaId, (Vec<MapItem>, usize)>,
    /// Bodies that get braces.
    pub wraps: BTreeSet<StmtId>,
    /// Loops that are written twice, each with the decision that asks for it.
    pub twins: BTreeMap<StmtId, usize>,
    /// Functions that are marked as called by kernels, each with the last decision that asks for it.
    pub routines: BTreeMap<String, usize>,
}

impl Content {
    /// Puts the changes of `decisions` in their places.
    pub fn gather(page: &TextToWrite<'_>, decisions: &[&Decision]) -> Result<Content, DecisionRefusal> {
        let mut content = Content::default();
        let mut names: BTreeMap<(usize, RegionId), usize> = BTreeMap::new();
        for (by, decision) in decisions.iter().enumerate() {
            for change in &decision.changes {
                if let Change::Region {
                    id,
                    first,
                    last,
                    maps,
                    braces,
                    condition,
                } = change
                {
                    let wanted = WantedRegion {
                        first: *first,
                        last: *last,
                        maps,
                        braces: *braces,
                        condition: condition.as_deref(),
                    };
                    let index = content.region(page, by, wanted)?;
                    names.insert((by, *id), index);
                }
            }
        }
        for (by, decision) in decisions.iter().enumerate() {
            for change in &decision.changes {
                content.change(page, by, change, &names)?;
            }
        }
        content.wrap_bodies(page);
        content.settle_braces(page);
        Ok(content)
    }

    fn region(
        &mut self,
        page: &TextToWrite<'_>,
        by: usize,
        wanted: WantedRegion<'_>,
    ) -> Result<usize, DecisionRefusal> {
        let WantedRegion {
            first,
            last,
            maps,
            braces,
            condition,
        } = wanted.raised(page.tree);
        let span = page.tree.stmt(first).span;
        let refuse = |why: Wording| DecisionRefusal::new(by, span, why);
        let start = Gap::of(page.tree, Place::Before(first))
            .ok_or_else(|| refuse(Wording::NoPlace))?
            .0;
        let end = Gap::of(page.tree, Place::After(last))
            .ok_or_else(|| refuse(Wording::NoPlace))?
            .0;
        if start.owner != end.owner || start.index >= end.index {
            return Err(refuse(Wording::NotOneBlock));
        }
        for gap in [start, end] {
            self.gaps.entry(gap).or_default().by = by;
        }
        let condition = condition.map(str::to_owned);
        let same = |r: &DataRegion| (r.first, r.last) == (first, last) && r.condition == condition;
        if let Some(index) = self.regions.iter().position(same) {
            let region = &mut self.regions[index];
            region.maps.extend_from_slice(maps);
            region.braces |= braces;
            region.by = by;
            return Ok(index);
        }
        let crosses = |r: &DataRegion| {
            r.start.owner == start.owner
                && r.start.index < end.index
                && start.index < r.end.index
                && !(r.start.index <= start.index && end.index <= r.end.index)
                && !(start.index <= r.start.index && r.end.index <= end.index)
        };
        if self.regions.iter().any(crosses) {
            return Err(refuse(Wording::Crosses));
        }
        let maps = maps.to_vec();
        self.regions.push(DataRegion {
            first,
            last,
            start,
            end,
            maps,
            condition,
            braces,
            indents: false,
            by,
        });
        Ok(self.regions.len() - 1)
    }

    fn change(
        &mut self,
        page: &TextToWrite<'_>,
        by: usize,
        change: &Change,
        names: &BTreeMap<(usize, RegionId), usize>,
    ) -> Result<(), DecisionRefusal> {
        match change {
            Change::Region { .. } => {}
            Change::Enter { place, maps, condition } => {
                let items = maps.iter().map(|m| (condition.clone(), m.clone()));
                self.at(page, by, *place)?.enters.extend(items);
            }
            Change::Exit { place, maps, condition } => {
                let items = maps.iter().map(|m| (condition.clone(), m.clone()));
                self.at(page, by, *place)?.exits.extend(items);
            }
            Change::Update {
                place,
                direction,
                item,
                region,
                condition,
            } => {
                let region = match region {
                    Some(id) => {
                        let missing = || DecisionRefusal::new(by, page.place_span(*place), Wording::NoRegion);
                        Some(*names.get(&(by, *id)).ok_or_else(missing)?)
                    }
                    None => None,
                };
                let gap = Gap::of(page.tree, *place).map(|(gap, _)| gap);
                let edges = region.map(|r| {
                    let (start, end) = (self.regions[r].start, self.regions[r].end);
                    (self.innermost_alike(r), start, end)
                });
                let filling = self.at(page, by, *place)?;
                let updates = match (edges, gap) {
                    (Some((r, start, _)), Some(gap)) if gap == start => filling.at_start.entry(r).or_default(),
                    (Some((r, _, end)), Some(gap)) if gap == end => filling.at_end.entry(r).or_default(),
                    _ => &mut filling.updates,
                };
                updates.push(*direction, (condition.clone(), item.clone()));
            }
            Change::Test { before, text, .. } => {
                let filling = self.at(page, by, Place::Before(*before))?;
                filling.tests.push(text.clone());
            }
            Change::Kernel {
                stmt,
                clauses,
                maps,
                routines,
                twin,
                ..
            } => {
                self.routines.extend(routines.iter().map(|name| (name.clone(), by)));
                self.twins.extend(twin.iter().map(|_| (*stmt, by)));
                let filling = self.at(page, by, Place::Before(*stmt))?;
                filling.kernels.push((clauses.clone(), maps.clone()));
                filling.twin.clone_from(twin);
            }
            Change::Remap { pragma, maps } => match self.remaps.get(pragma) {
                Some((present, _)) if present != maps => {
                    let span = page.tree.pragma(*pragma).span;
                    return Err(DecisionRefusal::new(by, span, Wording::Contradicts));
                }
                _ => {
                    self.remaps.insert(*pragma, (maps.clone(), by));
                }
            },
        }
        Ok(())
    }

    /// The innermost region around the same statements as `region`: the last one, as they are nested in their order.
    fn innermost_alike(&self, region: usize) -> usize {
        let wanted = (self.regions[region].first, self.regions[region].last);
        self.regions
            .iter()
            .rposition(|r| (r.first, r.last) == wanted)
            .unwrap_or(region)
    }

    /// The filling at a place, with the place's side noted.
    fn at(&mut self, page: &TextToWrite<'_>, by: usize, place: Place) -> Result<&mut Filling, DecisionRefusal> {
        let refuse = || DecisionRefusal::new(by, page.place_span(place), Wording::NoPlace);
        let filling = match place {
            Place::Else(stmt) => match page.tree.stmt(stmt).kind {
                StmtKind::If { other: None, .. } => self.elses.entry(stmt).or_default(),
                _ => return Err(refuse()),
            },
            Place::Before(_) | Place::After(_) | Place::Start(_) => {
                let (gap, side) = Gap::of(page.tree, place).ok_or_else(refuse)?;
                let filling = self.gaps.entry(gap).or_default();
                filling.sides.insert(side);
                filling
            }
        };
        filling.by = filling.by.max(by);
        Ok(filling)
    }

    fn wrap_bodies(&mut self, page: &TextToWrite<'_>) {
        for gap in self.gaps.keys() {
            if let GapOwner::Body(body) = gap.owner {
                self.wraps.insert(body);
            }
        }
        for stmt in self.elses.keys() {
            // Without braces the new `else` could belong to an `if` inside.
            if let StmtKind::If { then, .. } = page.tree.stmt(*stmt).kind
                && page.tree.is_bare(then)
            {
                self.wraps.insert(then);
            }
        }
    }

    fn settle_braces(&mut self, page: &TextToWrite<'_>) {
        for index in 0..self.regions.len() {
            let innermost = self.innermost_alike(index) == index;
            let region = &self.regions[index];
            let inside = |gap: Gap, at: fn(&Filling) -> &BTreeMap<usize, UpdateItems>| {
                self.gaps.get(&gap).is_some_and(|f| at(f).contains_key(&index))
            };
            // Around a region of the same statements none are needed: that is one statement.
            let braces = innermost
                && (region.braces
                    || region.first != region.last
                    || inside(region.start, |f| &f.at_start)
                    || inside(region.end, |f| &f.at_end)
                    || !gaps::is_structured_block(page, region.first));
            let (from, to) = (gaps::top(page.tree, region.first), page.tree.stmt(region.last).span.end);
            let lines = page.text.line(to) - page.text.line(from) + 1;
            let region = &mut self.regions[index];
            region.braces = braces;
            region.indents = braces && lines <= MOST_INDENTED_LINES;
        }
    }

    /// Regions that start in a gap, outermost first.
    pub fn starts(&self, gap: Gap) -> Vec<usize> {
        let mut found: Vec<usize> = (0..self.regions.len())
            .filter(|r| self.regions[*r].start == gap)
            .collect();
        found.sort_by_key(|r| std::cmp::Reverse(self.regions[*r].end.index));
        found
    }

    /// Regions that end in a gap, innermost first.
    pub fn ends(&self, gap: Gap) -> Vec<usize> {
        let mut found: Vec<usize> = (0..self.regions.len())
            .filter(|r| self.regions[*r].end == gap)
            .collect();
        // Of regions around the same statements the last is the innermost.
        found.sort_by_key(|r| std::cmp::Reverse((self.regions[*r].start.index, *r)));
        found
    }
}
