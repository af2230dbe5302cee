//! What the tool saw and decided, as text for people: `--dump`.

use super::TextToWrite;
use crate::plan::{Change, Direction, FilePlan, MapItem};
use crate::program::constructs::Constructs;
use crate::program::graph::{FlowGraph, NodeKind, Place, Special};
use crate::source::{LineIndex, Span};
use crate::syntax::{ScopeTree, StmtId};
use std::fmt::Write;

/// An intermediate form that can be shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Dump {
    /// The scope tree.
    Scopes,
    /// The plain IR.
    Ir,
    /// OpenMP constructs and statement graph of each function.
    Program,
    /// The movement problems of residencies that were tried.
    Problem,
    /// The plan.
    Plan,
}

/// Places of one text as `line:column`.
struct TextPlaces<'a> {
    tree: &'a ScopeTree,
    lines: LineIndex,
}

impl TextPlaces<'_> {
    fn span(&self, span: Span) -> String {
        format!("{}-{}", self.lines.position(span.start), self.lines.position(span.end))
    }
    fn stmt(&self, stmt: StmtId) -> String {
        self.lines.position(self.tree.stmt(stmt).span.start).to_string()
    }
    fn place(&self, place: Place) -> String {
        match place {
            Place::Before(s) => format!("before {}", self.stmt(s)),
            Place::After(s) => format!("after {}", self.stmt(s)),
            Place::Else(s) => format!("else of {}", self.stmt(s)),
            Place::Start(s) => format!("start of {}", self.stmt(s)),
        }
    }
    fn node(&self, kind: NodeKind) -> String {
        match kind {
            NodeKind::Entry => "entry".into(),
            NodeKind::Exit => "exit".into(),
            NodeKind::Gap(place) => format!("gap {}", self.place(place)),
            NodeKind::Leaf(s) => format!("statement {}", self.stmt(s)),
            NodeKind::Cond(s) => format!("condition {}", self.stmt(s)),
            NodeKind::Init(s) => format!("init {}", self.stmt(s)),
            NodeKind::Step(s) => format!("step {}", self.stmt(s)),
            NodeKind::Whole(s) => format!("whole {}", self.stmt(s)),
            NodeKind::Clauses(s) => format!("clauses {}", self.stmt(s)),
            NodeKind::Region(s) => format!("region {}", self.stmt(s)),
            NodeKind::LeftOut(place) => format!("left out {} in {}", place.index, self.stmt(place.block)),
        }
    }
}

/// Constructs and statement graph of every function.
pub fn program(bytes: &[u8], tree: &ScopeTree) -> String {
    let places = TextPlaces {
        tree,
        lines: LineIndex::new(bytes),
    };
    let mut out = String::new();
    for (index, function) in tree.functions.iter().enumerate() {
        let _ = writeln!(out, "function {} {}", function.name, places.span(function.span));
        let found = Constructs::find(tree, index);
        for launch in &found.launches {
            let at = places.span(tree.pragma(launch.pragma).span);
            let _ = writeln!(
                out,
                "  kernel {at} | {} | runs {}",
                launch.directive.name(),
                places.stmt(launch.stmt)
            );
            for (map_type, item) in &launch.maps {
                let _ = writeln!(out, "    map {} {}", map_type.as_str(), item.text);
            }
            if let Some(why) = &launch.special {
                let _ = writeln!(out, "    special: {why}");
            }
        }
        for data in &found.user_data {
            let at = places.span(tree.pragma(data.pragma).span);
            let _ = writeln!(
                out,
                "  data {at} | {} | {}",
                data.directive.name(),
                data.names.join(" ")
            );
        }
        for problem in function.problems.iter().chain(&found.problems) {
            let _ = writeln!(out, "  problem {} | {}", places.span(problem.span), problem.message);
        }
        match FlowGraph::build(tree, index, &Special::default()) {
            Ok(graph) => graph.ids().for_each(|id| {
                let node = graph.node(id);
                let succs: Vec<String> = node.succs.iter().map(|s| s.0.to_string()).collect();
                let _ = writeln!(out, "  {}: {} -> {}", id.0, places.node(node.kind), succs.join(" "));
            }),
            Err(why) => {
                let _ = writeln!(out, "  no graph: {} | {}", places.span(why.span), why.message);
            }
        }
    }
    out
}

/// The plan, decision by decision.
pub(super) fn plan(page: &TextToWrite<'_>, plan: &FilePlan) -> String {
    let places = TextPlaces {
        tree: page.tree,
        lines: page.text.lines.clone(),
    };
    let mut out = String::new();
    for decision in &plan.decisions {
        let _ = writeln!(out, "decision in {}", decision.function);
        for change in &decision.changes {
            let _ = writeln!(out, "  {}", self::change(&places, change));
        }
        for reason in &decision.reasons {
            let _ = writeln!(
                out,
                "  because {}: {}",
                places.lines.position(reason.span.start),
                reason.message
            );
        }
    }
    for remark in &plan.remarks {
        let _ = writeln!(
            out,
            "remark {}: {}",
            places.lines.position(remark.span.start),
            remark.message
        );
    }
    out
}

fn change(places: &TextPlaces<'_>, change: &Change) -> String {
    match change {
        Change::Region {
            id,
            first,
            last,
            maps,
            braces,
            condition,
        } => {
            let tree = places.tree;
            let span = Span::new(tree.stmt(*first).span.start, tree.stmt(*last).span.end);
            let braces = if *braces { " in braces" } else { "" };
            format!(
                "region {} {}{braces}: {}{}",
                id.0,
                places.span(span),
                items(maps),
                under(condition)
            )
        }
        Change::Enter { place, maps, condition } => {
            format!("enter {}: {}{}", places.place(*place), items(maps), under(condition))
        }
        Change::Exit { place, maps, condition } => {
            format!("exit {}: {}{}", places.place(*place), items(maps), under(condition))
        }
        Change::Update {
            place,
            direction,
            item,
            region,
            condition,
        } => {
            let way = match direction {
                Direction::To => "to",
                Direction::From => "from",
            };
            let region = region.map_or_else(String::new, |r| format!(" in region {}", r.0));
            format!(
                "update {}{region}: {way} {item}{}",
                places.place(*place),
                under(condition)
            )
        }
        Change::Test { before, text, .. } => {
            format!(
                "test {}: {}",
                places.span(places.tree.stmt(*before).span),
                text.join(" ")
            )
        }
        Change::Kernel {
            stmt,
            clauses,
            maps,
            twin,
            ..
        } => {
            let span = places.span(places.tree.stmt(*stmt).span);
            let (clauses, items) = (clauses.join(" "), items(maps));
            let twin = twin
                .as_ref()
                .map_or_else(String::new, |t| format!(" or a loop, by {t}"));
            format!("kernel {span}{twin}: {clauses} {items}")
        }
        Change::Remap { pragma, maps } => {
            format!(
                "remap {}: {}",
                places.span(places.tree.pragma(*pragma).span),
                items(maps)
            )
        }
    }
}

fn under(condition: &Option<String>) -> String {
    condition.as_ref().map_or_else(String::new, |c| format!(" if {c}"))
}

fn items(maps: &[MapItem]) -> String {
    let texts: Vec<String> = maps
        .iter()
        .map(|m| format!("{} {}", m.map_type.as_str(), m.text))
        .collect();
    texts.join(", ")
}
