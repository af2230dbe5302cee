//! Decisions: what to write where, and why; and what was not done, and why not.
//!
//! A plan names places and directives; it edits no text ([`crate::rewrite`] does). Every [`Decision`] is applied whole
//! or not at all.

mod apart;
pub mod blocks;
mod by_hand;
mod by_path;
pub mod candidates;
mod circle;
mod coherent;
mod compare;
pub mod cost;
mod decide;
mod device_written;
pub mod emit;
mod emit_kernels;
mod emit_region;
mod emit_resident;
mod emit_updates;
mod entered;
pub mod evaluate;
mod existence;
mod extent;
pub mod file;
mod foreign;
mod founded;
pub mod function;
mod hand_regions;
mod handed;
mod held;
mod host;
mod host_only;
mod joint;
mod joint_struct;
mod left_out;
mod levels;
mod likely;
mod managed;
mod members;
mod model;
pub mod models;
mod naive;
pub mod names;
mod numbers;
mod on_host;
mod opaque;
mod outside;
mod own_uses;
mod placing;
mod prepare;
pub mod program;
mod reached;
mod resident;
mod resident_costs;
mod resident_fresh;
mod resident_lengths;
mod resident_members;
mod resident_moves;
mod resident_sized;
pub mod search;
pub mod sought;
mod spans;
mod spell;
mod starts;
mod summary;
mod terms;
mod threads;
mod trading;
mod trial;
mod ways;
mod when;

pub use decide::plan_program;
pub use file::FileText;
pub use program::Scope;

use crate::config::Config;
use crate::program::graph::Place;
use crate::program::objects::ObjectId;
use crate::source::Span;
use crate::syntax::{PragmaId, StmtId};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What `map` does with an item.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum MapType {
    /// Copied in.
    To,
    /// Copied in and out.
    ToFrom,
    /// Copied out.
    From,
    /// Present only.
    Alloc,
    /// Given up without a copy (`exit data` only).
    Release,
    /// The same, however often it was entered.
    Delete,
}

/// One list item with its map type.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MapItem {
    /// How it is mapped.
    pub map_type: MapType,
    /// The item as written in the clause: `a[0:n]`, `grid`, `s->x[0:s->n]`.
    pub text: String,
    /// It needs a directive of its own: another part of the same struct may be on the device already.
    pub alone: bool,
    /// It shares its directive with all members of its struct that kernels map there.
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
        members::is_member(&self.text)
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
        /// Its name.
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
        /// Its name, which the file does not use otherwise.
        name: String,
        /// Its declaration, by lines: a constant, whose value is computed without side effects.
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
        /// Functions of the file that have to be marked because the kernel calls them; none in [`Dialect::OpenMp`].
        routines: Vec<String>,
        /// From which size on it runs on the device, where one of its clauses says so: `10000` of `if(target: n > 10000)`.
        /// A guess at what is worth it, which nothing rests on.
        threshold: Option<i128>,
        /// The variable under which it is a kernel. Where that is false the loop runs as it is: its *twin*, which is written
        /// behind `else`.
        twin: Option<String>,
    },
}

/// All arrays and loops of a function, among [`PlanOptions::left_out`].
pub const EVERYTHING: &str = "*";
/// Why arrays among [`PlanOptions::left_out`] are left alone.
pub const NOT_RIGHT: &str =
    "left as it is: what would be written is not right for all values of macros, or in all branches of `#if`";
/// Why loops among [`PlanOptions::left_out`] stay loops.
pub const NOT_EVERYWHERE: &str =
    "what it would say as a kernel is not right for all values of macros, or in all branches of `#if`";

/// What a loop that becomes a kernel is called among [`PlanOptions::left_out`].
pub fn kernel_name(stmt: StmtId) -> String {
    format!("kernel {}", stmt.0)
}

impl Change {
    /// What it maps, apart from kernels.
    pub fn maps(&self) -> &[MapItem] {
        match self {
            Change::Region { maps, .. } | Change::Enter { maps, .. } | Change::Exit { maps, .. } => maps,
            Change::Update { .. } | Change::Remap { .. } | Change::Test { .. } | Change::Kernel { .. } => &[],
        }
    }

    /// The same, to be changed.
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
}

/// Everything decided about one file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FilePlan {
    /// Decisions in text order.
    pub decisions: Vec<Decision>,
    /// Missed optimisations and functions not understood, in text order.
    pub remarks: Vec<Note>,
    /// What decisions about callers rest on could not be expressed: the program's plan is not to be used.
    pub broken: bool,
    /// Something was left out because the plans of other configurations are different there. Once the rest is written they
    /// may be the same.
    pub unsettled: bool,
}

/// What a plan may do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanOptions {
    /// Copies may leave loops and conditions that might not run.
    pub speculate: bool,
    /// How residencies are written.
    pub style: RegionStyle,
    /// Object-like macros given by flags (`-DN=8`), name to body.
    pub defines: Vec<(String, String)>,
    /// What the user's configuration says of the program. Decisions rest on it, so it is part of what they depend on.
    pub config: Arc<Config>,
    /// Loops become kernels also where that is not worth it.
    pub all_loops: bool,
    /// What new kernels are written in.
    pub dialect: Dialect,
    /// Sums, products and extremes in floating point may be computed in another order, by loops that become kernels.
    pub reassociate: bool,
    /// The kernels were made by `annotate`: what they map is what they use, and nobody else chose it.
    pub new_kernels: bool,
    /// Arrays of functions about which nothing is to be written, `*` for all: function and name; and loops that stay loops
    /// ([`kernel_name`]). What is written about them would depend on the value of a macro in a way that cannot be written.
    pub left_out: Arc<BTreeSet<(String, String)>>,
    /// Arrays of functions of which no parts are copied that only numbers say: function and name; and loops that map no such
    /// parts as kernels.
    pub whole_only: Arc<BTreeSet<(String, String)>>,
    /// The loops that become kernels, where that has been chosen: function and loop, each with its threshold. No other loop
    /// does, and of these only what can be a kernel.
    pub kernels: Option<Arc<ChosenKernels>>,
    /// `annotate` names no constants: what they are called is found out by comparing configurations.
    pub plain_numbers: bool,
}

/// Loops that become kernels, by function and loop, with the sizes above which they run on the device.
pub type ChosenKernels = BTreeMap<(String, StmtId), Option<i128>>;

/// The language of directives that are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// `#pragma omp`.
    #[default]
    OpenMp,
    /// `#pragma acc`; for programs that have no kernels yet.
    OpenAcc,
}

/// How residencies are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RegionStyle {
    /// `target data` where the scope tree allows, else `enter`/`exit data`.
    #[default]
    Auto,
    /// `target data` or nothing.
    Structured,
    /// Always `enter`/`exit data`.
    Unstructured,
}

impl Default for PlanOptions {
    fn default() -> PlanOptions {
        PlanOptions {
            speculate: true,
            style: RegionStyle::Auto,
            defines: Vec::new(),
            config: Arc::default(),
            all_loops: false,
            dialect: Dialect::OpenMp,
            reassociate: false,
            new_kernels: false,
            left_out: Arc::default(),
            whole_only: Arc::default(),
            kernels: None,
            plain_numbers: false,
        }
    }
}
