//! Clauses as data. Expressions are kept as the text the user wrote, with runs of blanks as one space.

use super::Item;
use crate::source::Span;
use serde::{Deserialize, Serialize};

/// One clause of a directive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clause {
    /// The clause's name, e.g. `map`.
    pub name: String,
    /// From the first byte of the name to the closing parenthesis, or to the end of the name.
    pub span: Span,
    /// What is between the parentheses.
    pub args_span: Option<Span>,
    /// What it says.
    pub kind: ClauseKind,
}

/// What a clause says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClauseKind {
    Map(MapClause),
    /// `to` of `target update`, and the old spelling of `enter` on `declare target`.
    To(MotionClause),
    From(MotionClause),
    Enter {
        items: Vec<Item>,
    },
    Link {
        items: Vec<Item>,
    },
    Private {
        items: Vec<Item>,
    },
    Firstprivate {
        items: Vec<Item>,
    },
    Lastprivate {
        conditional: bool,
        items: Vec<Item>,
    },
    Shared {
        items: Vec<Item>,
    },
    Copyin {
        items: Vec<Item>,
    },
    Copyprivate {
        items: Vec<Item>,
    },
    /// `op` is an operator or an identifier.
    Reduction {
        modifier: Option<String>,
        op: String,
        items: Vec<Item>,
    },
    InReduction {
        op: String,
        items: Vec<Item>,
    },
    TaskReduction {
        op: String,
        items: Vec<Item>,
    },
    /// `step` is everything after the colon, e.g. `2`, `step(2)` or `val, step(2)`.
    Linear {
        modifier: Option<String>,
        items: Vec<Item>,
        step: Option<String>,
    },
    Aligned {
        items: Vec<Item>,
        alignment: Option<String>,
    },
    Nontemporal {
        items: Vec<Item>,
    },
    IsDevicePtr {
        items: Vec<Item>,
    },
    HasDeviceAddr {
        items: Vec<Item>,
    },
    UseDevicePtr {
        items: Vec<Item>,
    },
    UseDeviceAddr {
        items: Vec<Item>,
    },
    /// `allocator` is everything before the colon.
    Allocate {
        allocator: Option<String>,
        items: Vec<Item>,
    },
    /// The modifier is `ancestor` or `device_num`.
    Device {
        modifier: Option<String>,
        expr: String,
    },
    /// The modifier is the name of the construct that the condition is for.
    If {
        modifier: Option<String>,
        expr: String,
    },
    /// The expression is new in 6.0.
    Nowait {
        expr: Option<String>,
    },
    Depend(DependClause),
    /// No category means all of them.
    Defaultmap {
        behaviour: DefaultmapBehaviour,
        category: Category,
    },
    Default {
        value: String,
    },
    Collapse {
        expr: String,
    },
    NumTeams {
        lower: Option<String>,
        upper: String,
    },
    ThreadLimit {
        expr: String,
    },
    NumThreads {
        expr: String,
    },
    Schedule {
        modifiers: Vec<String>,
        kind: String,
        chunk: Option<String>,
    },
    DistSchedule {
        kind: String,
        chunk: Option<String>,
    },
    DeviceType {
        value: String,
    },
    /// A clause without data of its own here, known to the standard or not; see [`Clause::name`].
    Other {
        args: Option<String>,
    },
}

/// `map(modifiers, type: items)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MapClause {
    /// In the order written.
    pub modifiers: Vec<MapModifier>,
    /// `None` when not written.
    pub map_type: Option<MapType>,
    /// The list.
    pub items: Vec<Item>,
}

impl MapClause {
    /// The type in force where none is written means `tofrom`. (On `target enter data` and `target exit data`, 5.2 reads
    /// `tofrom` as `to` and `from`; [`super::map`] does so.)
    pub fn effective_type(&self) -> MapType {
        self.map_type.unwrap_or(MapType::Tofrom)
    }
    /// Whether the modifier was written.
    pub fn has(&self, modifier: &MapModifier) -> bool {
        self.modifiers.contains(modifier)
    }
}

/// `to(modifiers: items)` or `from(modifiers: items)`; `iterator`, `mapper` and `present` are the modifiers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MotionClause {
    /// In the order written.
    pub modifiers: Vec<MapModifier>,
    /// The list.
    pub items: Vec<Item>,
}

/// What a map does at the ends of its region.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum MapType {
    /// Copied in.
    To,
    /// Copied in and out.
    Tofrom,
    /// Copied out.
    From,
    /// Present only.
    Alloc,
    /// Given up without a copy (`exit data` only).
    Release,
    /// Given up without a copy, however often it was entered.
    Delete,
    /// 6.0's one word for `alloc` and `release`.
    Storage,
}

/// A modifier of a `map`, `to` or `from` clause.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum MapModifier {
    Always,
    Close,
    Present,
    /// `self`, new in 6.0.
    SelfMap,
    /// `ompx_hold`, an extension of LLVM.
    Hold,
    /// `mapper(name)`
    Mapper(String),
    /// `iterator(definition)`
    Iterator(String),
    /// Any other, as written.
    Other(String),
}

/// `depend` and `doacross`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DependClause {
    /// An `iterator(…)` before the kind.
    pub modifier: Option<String>,
    /// What kind of dependence.
    pub kind: DependKind,
    /// The list; for `sink`, the vector's entries, which are unparsed unless they are plain names.
    pub items: Vec<Item>,
}

/// The kind of a dependence.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum DependKind {
    In,
    Out,
    Inout,
    Inoutset,
    Mutexinoutset,
    Depobj,
    Source,
    Sink,
    Other(String),
}

/// What `defaultmap` asks for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DefaultmapBehaviour {
    Alloc,
    To,
    From,
    Tofrom,
    Firstprivate,
    Private,
    None,
    Default,
    Present,
    /// 6.0's `self`.
    SelfMap,
}

/// The variables that a `defaultmap` is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Category {
    /// No category, or `all`.
    All,
    Scalar,
    Aggregate,
    Pointer,
    /// Fortran's; no C variable belongs to it.
    Allocatable,
}

/// Gives an enum of fixed words its two directions.
macro_rules! words {
    ($type:ident { $($variant:ident = $word:literal $(| $also:literal)*),* $(,)? }) => {
        impl $type {
            /// The variant that this word stands for.
            pub fn from_word(word: &str) -> Option<$type> {
                match word { $($word $(| $also)* => Some($type::$variant),)* _ => None }
            }
            /// The word.
            pub fn as_str(self) -> &'static str {
                match self { $($type::$variant => $word,)* }
            }
        }
    };
}

words!(MapType {
    To = "to", Tofrom = "tofrom", From = "from", Alloc = "alloc", Release = "release", Delete = "delete",
    Storage = "storage",
});
words!(DefaultmapBehaviour {
    Alloc = "alloc" | "storage", To = "to", From = "from", Tofrom = "tofrom", Firstprivate = "firstprivate",
    Private = "private", None = "none", Default = "default", Present = "present", SelfMap = "self",
});
words!(Category {
    All = "all", Scalar = "scalar", Aggregate = "aggregate", Pointer = "pointer", Allocatable = "allocatable",
});

impl std::fmt::Display for MapModifier {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            MapModifier::Always => f.write_str("always"),
            MapModifier::Close => f.write_str("close"),
            MapModifier::Present => f.write_str("present"),
            MapModifier::SelfMap => f.write_str("self"),
            MapModifier::Hold => f.write_str("ompx_hold"),
            MapModifier::Mapper(name) => write!(f, "mapper({name})"),
            MapModifier::Iterator(definition) => write!(f, "iterator({definition})"),
            MapModifier::Other(text) => f.write_str(text),
        }
    }
}

impl DependKind {
    /// The kind that a word stands for.
    pub fn from_word(word: &str) -> DependKind {
        match word {
            "in" => DependKind::In,
            "out" => DependKind::Out,
            "inout" => DependKind::Inout,
            "inoutset" => DependKind::Inoutset,
            "mutexinoutset" => DependKind::Mutexinoutset,
            "depobj" => DependKind::Depobj,
            "source" => DependKind::Source,
            "sink" => DependKind::Sink,
            other => DependKind::Other(other.to_owned()),
        }
    }
}

impl ClauseKind {
    /// The list items, for clauses that have a list.
    pub fn items(&self) -> &[Item] {
        use ClauseKind::*;
        match self {
            Map(MapClause { items, .. })
            | To(MotionClause { items, .. })
            | From(MotionClause { items, .. })
            | Depend(DependClause { items, .. })
            | Enter { items }
            | Link { items }
            | Private { items }
            | Firstprivate { items }
            | Lastprivate { items, .. }
            | Shared { items }
            | Copyin { items }
            | Copyprivate { items }
            | Reduction { items, .. }
            | InReduction { items, .. }
            | TaskReduction { items, .. }
            | Linear { items, .. }
            | Aligned { items, .. }
            | Nontemporal { items }
            | IsDevicePtr { items }
            | HasDeviceAddr { items }
            | UseDevicePtr { items }
            | UseDeviceAddr { items }
            | Allocate { items, .. } => items,
            _ => &[],
        }
    }
}
