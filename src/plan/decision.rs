//! What is decided: changes of a text that belong together, why they are made, and remarks about what is not.
//!
//! ```text
//! decision in relax
//!   region 0 4:5-12:6 in braces: tofrom u[0:n]        one change
//!   update before 7:9 in region 0: to u[0:1]          another one: without it the first would be wrong
//!   because 4:5: `u` stays on the device over 2 kernels: …
//! remark 20:5: `v` does not stay on the device: …
//! ```

use super::explained::ExplainedItem;
use super::replaceable::{CopiedBytes, ReplaceableMaps};
use super::spans::Run;
use crate::openmp::MapType;
use crate::program::graph::Place;
use crate::program::objects::ObjectId;
use crate::reasons::Reason;
use crate::rules::RuleFinding;
use crate::source::Span;
use crate::syntax::{PragmaId, StmtId};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// One list item with its map type.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MapItem {
    /// How it is mapped.
    pub map_type: MapType,
    /// The item as written in the clause: `a[0:n]`, `grid`, `s->x[0:s->n]`.
    pub text: String,
    /// The item needs a directive of its own: another part of the same struct may be on the device already.
    pub alone: bool,
    /// The item shares its directive with all members of its struct that kernels map there.
    pub together: bool,
}

impl MapItem {
    /// An item that may stand beside others.
    pub fn new(map_type: MapType, text: impl Into<String>) -> MapItem {
        MapItem {
            map_type,
            text: text.into(),
            alone: false,
            together: false,
        }
    }

    /// Whether its path leads through a struct.
    pub fn is_member(&self) -> bool {
        is_member(&self.text)
    }
}

/// Name of a residency region within one plan, to say which updates belong inside it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct RegionId(pub u32);

/// Direction of an update.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Direction {
    /// Host to device.
    To,
    /// Device to host.
    From,
}

/// One thing to write.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Change {
    /// A structured `target data` region around the sibling statements `first..=last`.
    Region {
        /// The region's name.
        id: RegionId,
        /// First statement.
        first: StmtId,
        /// Last statement, a sibling of the first or the first itself.
        last: StmtId,
        /// What it maps, in clause order.
        maps: Vec<MapItem>,
        /// Braces are needed even around a single statement, because an update stands inside beside it.
        braces: bool,
        /// Argument of an `if` clause: the residency holds only where this is true at run time (R8).
        condition: Option<String>,
    },
    /// `target enter data` at a place.
    Enter {
        /// Where.
        place: Place,
        /// What it maps: [`MapType::To`] or [`MapType::Alloc`].
        maps: Vec<MapItem>,
        /// Argument of an `if` clause.
        condition: Option<String>,
    },
    /// `target exit data` at a place.
    Exit {
        /// Where.
        place: Place,
        /// What it unmaps: [`MapType::From`], [`MapType::Release`] or [`MapType::Delete`].
        maps: Vec<MapItem>,
        /// Argument of an `if` clause.
        condition: Option<String>,
    },
    /// `target update` at a place.
    Update {
        /// Where.
        place: Place,
        /// Which way.
        direction: Direction,
        /// What, one item with its section.
        item: String,
        /// The region it belongs in: where the place is that region's edge, it stands inside.
        region: Option<RegionId>,
        /// Argument of an `if` clause: the section has elements only where this is true at run time (R7).
        condition: Option<String>,
    },
    /// New `map` clauses for the kernel of a pragma.
    Remap {
        /// The pragma.
        pragma: PragmaId,
        /// All its `map` items afterwards, in clause order.
        maps: Vec<MapItem>,
    },
    /// A variable that says at run time whether something may be done.
    Test {
        /// The statement before which it is declared.
        before: StmtId,
        /// The variable's name, which the file does not use otherwise.
        name: String,
        /// The variable's declaration, by lines: a constant, whose value is computed without side effects.
        text: Vec<String>,
    },
    /// A loop that becomes a kernel.
    Kernel {
        /// The loop.
        stmt: StmtId,
        /// Clauses but for `map`, as written.
        clauses: Vec<String>,
        /// What it maps.
        maps: Vec<MapItem>,
        /// Functions of the file that have to be marked because the kernel calls them; none in [`super::Dialect::OpenMp`].
        routines: Vec<String>,
        /// From which size on it runs on the device, where one of its clauses says so: `10000` of `if(target: n > 10000)`.
        /// A guess at what is worth it, which nothing rests on.
        threshold: Option<i128>,
        /// The variable under which it is a kernel. Where that is false the loop runs as it is: its *twin*, which is written
        /// behind `else`.
        twin: Option<String>,
    },
}

impl Change {
    /// What it maps, apart from kernels.
    pub fn maps(&self) -> &[MapItem] {
        match self {
            Change::Region { maps, .. } | Change::Enter { maps, .. } | Change::Exit { maps, .. } => maps,
            Change::Update { .. } | Change::Remap { .. } | Change::Test { .. } | Change::Kernel { .. } => &[],
        }
    }

    /// What it maps, apart from kernels, to be changed.
    pub fn maps_mut(&mut self) -> &mut [MapItem] {
        match self {
            Change::Region { maps, .. } | Change::Enter { maps, .. } | Change::Exit { maps, .. } => maps,
            Change::Update { .. } | Change::Remap { .. } | Change::Test { .. } | Change::Kernel { .. } => &mut [],
        }
    }
}

/// A decision: changes that belong together, and why.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Decision {
    /// The function it is in.
    pub function: String,
    /// What is written.
    pub changes: Vec<Change>,
    /// What it does and why, for people, one line each.
    pub reasons: Vec<Note>,
    /// The structs of which its residencies map members; of use while the program is planned.
    #[serde(skip)]
    pub structs: Vec<ObjectId>,
    /// What is decided of callers of the function rests on it: if it is not applied, they must not be either.
    pub for_callers: bool,
}

/// A line for people about a place in the text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Note {
    /// Where.
    pub span: Span,
    /// What.
    pub message: String,
    /// Which reason it gives ([`crate::reasons::ReasonKind::id`]); `None` where something is changed.
    pub id: Option<Cow<'static, str>>,
    /// The function that it is about.
    pub function: Option<String>,
    /// The array that it is about, as people know it: `` `u` ``.
    pub array: Option<String>,
}

impl Note {
    /// What is said where something is changed.
    pub fn new(span: Span, message: impl Into<String>) -> Note {
        Note {
            span,
            message: message.into(),
            id: None,
            function: None,
            array: None,
        }
    }

    /// Why something is left as it is: the reason behind what `about` says of it.
    pub fn because(span: Span, about: &str, reason: &Reason) -> Note {
        Note {
            id: Some(reason.kind().id.into()),
            ..Note::new(span, format!("{about}{reason}"))
        }
    }

    /// With the function that it is about.
    #[must_use]
    pub fn in_function(self, name: &str) -> Note {
        Note {
            function: Some(name.to_owned()),
            ..self
        }
    }

    /// With the array that it is about.
    #[must_use]
    pub fn of_array(self, label: &str) -> Note {
        Note {
            array: Some(label.to_owned()),
            ..self
        }
    }
}

/// Everything decided about one file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FilePlan {
    /// Decisions in text order.
    pub decisions: Vec<Decision>,
    /// Missed optimisations and functions not understood, in text order.
    pub remarks: Vec<Note>,
    /// Violations of rules, in text order.
    pub findings: Vec<RuleFinding>,
    /// What list items do, in text order.
    pub explained: Vec<ExplainedItem>,
    /// What of its mappings by hand could be planned anew.
    pub replaceable: ReplaceableMaps,
    /// Of some array of the program it is not known that all that is done with it is done on one device.
    pub devices_mixed: bool,
    /// The bytes that list items are expected to copy of arrays that begin in the file: numbers to rank forms of one program by.
    pub expected_traffic: Vec<CopiedBytes>,
    /// What decisions about callers rest on could not be expressed: the program's plan is not to be used.
    pub broken: bool,
    /// The movement problems of all residencies that were tried, as text, where that was asked for.
    pub problems: Vec<String>,
    /// The residencies that decisions are about.
    pub residencies: Vec<ChosenResidency>,
    /// Something was left out because the plans of other configurations are different there. Once the rest is written they
    /// may be the same.
    pub unsettled: bool,
}

/// A residency of a plan, with where it copies what: plans of the program with other numbers are given it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct ChosenResidency {
    /// The function.
    pub function: String,
    /// The array, as people know it.
    pub label: String,
    /// The statements.
    pub run: Run,
    /// Whether the array is mapped together with other members of its struct.
    pub joint: bool,
    /// Whether its directive asks that its loops run.
    pub asks_loops: bool,
    /// Where it copies what, in the order in which that is done.
    pub copies: Vec<ChosenCopy>,
}

/// A copy of a residency.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct ChosenCopy {
    /// Where.
    pub place: Place,
    /// Which way.
    pub direction: Direction,
    /// Whether all that is mapped is copied, where the residency begins or ends.
    pub at_end: bool,
    /// Else what is copied, as it is written; `None` where that is not known.
    pub item: Option<String>,
}

/// What a loop that becomes a kernel is called among [`super::PlanOptions::left_out`].
pub fn kernel_name(stmt: StmtId) -> String {
    format!("kernel {}", stmt.0)
}

/// What an array that callers do not keep on the device over calls of a function is called among [`super::PlanOptions::left_out`].
pub fn kept_name(array: &str) -> String {
    format!("{KEPT}{array}")
}

/// The array that a name of [`kept_name`] is about; `None` for other names.
pub fn kept_array(name: &str) -> Option<&str> {
    name.strip_prefix(KEPT)
}

const KEPT: &str = "kept ";

/// Whether the path of an item as written leads through a struct; what its brackets hold does not count.
pub(super) fn is_member(text: &str) -> bool {
    let mut depth = 0usize;
    text.bytes().any(|byte| {
        match byte {
            b'[' => depth += 1,
            b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && matches!(byte, b'.' | b'-')
    })
}
