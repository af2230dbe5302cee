//! The names of constructs and clauses: how they are spelt, since and until which version they exist, how constructs
//! combine, and whether a directive owns the statement after it.
//!
//! "Until" is the last version that has a name: 6.0 removed what 5.0 to 5.2 had deprecated.

use super::SpecVersion::{self, V45, V50, V51, V52, V60};

/// A leaf construct, or a directive that is no construct. `target teams loop` is three of them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Construct {
    Target,
    Teams,
    Distribute,
    Parallel,
    For,
    Simd,
    Loop,
    TargetData,
    TargetEnterData,
    TargetExitData,
    TargetUpdate,
    DeclareTarget,
    BeginDeclareTarget,
    EndDeclareTarget,
    DeclareMapper,
    DeclareReduction,
    DeclareInduction,
    DeclareSimd,
    DeclareVariant,
    BeginDeclareVariant,
    EndDeclareVariant,
    Requires,
    Taskwait,
    Taskyield,
    Taskgroup,
    Barrier,
    Critical,
    Atomic,
    Master,
    Masked,
    Single,
    Scope,
    Sections,
    Section,
    Task,
    Taskloop,
    TaskIteration,
    Taskgraph,
    Ordered,
    Flush,
    Cancel,
    CancellationPoint,
    Scan,
    Depobj,
    Threadprivate,
    Groupprivate,
    Allocate,
    Allocators,
    Interop,
    Dispatch,
    Metadirective,
    BeginMetadirective,
    EndMetadirective,
    Assume,
    Assumes,
    BeginAssumes,
    EndAssumes,
    Nothing,
    Error,
    Tile,
    Unroll,
    Interchange,
    Reverse,
    Split,
    Fuse,
    Stripe,
    /// A name that the table does not have.
    Other(String),
}

/// What a directive is attached to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Association {
    /// The statement (or loop nest) after it.
    Statement,
    /// Nothing: it stands alone, or opens or closes a region of the file.
    None,
    /// The declaration after it.
    Declaration,
    /// Depends on what it turns into (`metadirective`), or the name is not known.
    Unknown,
}

/// A row of the table of constructs.
#[derive(Debug)]
pub struct ConstructRow {
    /// The words of the name; 6.0 also writes `_` for a blank.
    pub words: &'static [&'static str],
    /// Which construct.
    pub construct: Construct,
    /// What it is attached to.
    pub association: Association,
    /// The directive may take an argument in parentheses directly after the name.
    pub argument: bool,
    /// First version that has it (4.5 for anything older).
    pub since: SpecVersion,
    /// Last version that has it.
    pub until: Option<SpecVersion>,
}

const fn row(
    words: &'static [&'static str],
    construct: Construct,
    association: Association,
    argument: bool,
    since: SpecVersion,
) -> ConstructRow {
    ConstructRow {
        words,
        construct,
        association,
        argument,
        since,
        until: None,
    }
}

use Association::{Declaration, None as Alone, Statement, Unknown};

/// Every construct that the tool knows by name.
pub static CONSTRUCTS: &[ConstructRow] = &[
    row(&["target"], Construct::Target, Statement, false, V45),
    row(&["teams"], Construct::Teams, Statement, false, V45),
    row(&["distribute"], Construct::Distribute, Statement, false, V45),
    row(&["parallel"], Construct::Parallel, Statement, false, V45),
    row(&["for"], Construct::For, Statement, false, V45),
    row(&["simd"], Construct::Simd, Statement, false, V45),
    row(&["loop"], Construct::Loop, Statement, false, V50),
    row(&["target", "data"], Construct::TargetData, Statement, false, V45),
    row(
        &["target", "enter", "data"],
        Construct::TargetEnterData,
        Alone,
        false,
        V45,
    ),
    row(
        &["target", "exit", "data"],
        Construct::TargetExitData,
        Alone,
        false,
        V45,
    ),
    row(&["target", "update"], Construct::TargetUpdate, Alone, false, V45),
    row(&["declare", "target"], Construct::DeclareTarget, Alone, true, V45),
    row(
        &["begin", "declare", "target"],
        Construct::BeginDeclareTarget,
        Alone,
        false,
        V51,
    ),
    row(
        &["end", "declare", "target"],
        Construct::EndDeclareTarget,
        Alone,
        false,
        V45,
    ),
    row(&["declare", "mapper"], Construct::DeclareMapper, Alone, true, V50),
    row(&["declare", "reduction"], Construct::DeclareReduction, Alone, true, V45),
    row(&["declare", "induction"], Construct::DeclareInduction, Alone, true, V60),
    row(&["declare", "simd"], Construct::DeclareSimd, Declaration, false, V45),
    row(
        &["declare", "variant"],
        Construct::DeclareVariant,
        Declaration,
        true,
        V50,
    ),
    row(
        &["begin", "declare", "variant"],
        Construct::BeginDeclareVariant,
        Alone,
        false,
        V51,
    ),
    row(
        &["end", "declare", "variant"],
        Construct::EndDeclareVariant,
        Alone,
        false,
        V51,
    ),
    row(&["requires"], Construct::Requires, Alone, false, V50),
    row(&["taskwait"], Construct::Taskwait, Alone, false, V45),
    row(&["taskyield"], Construct::Taskyield, Alone, false, V45),
    row(&["taskgroup"], Construct::Taskgroup, Statement, false, V45),
    row(&["barrier"], Construct::Barrier, Alone, false, V45),
    row(&["critical"], Construct::Critical, Statement, true, V45),
    row(&["atomic"], Construct::Atomic, Statement, false, V45),
    ConstructRow {
        words: &["master"],
        construct: Construct::Master,
        association: Statement,
        argument: false,
        since: V45,
        until: Some(V52),
    },
    row(&["masked"], Construct::Masked, Statement, false, V51),
    row(&["single"], Construct::Single, Statement, false, V45),
    row(&["scope"], Construct::Scope, Statement, false, V51),
    row(&["sections"], Construct::Sections, Statement, false, V45),
    row(&["section"], Construct::Section, Statement, false, V45),
    row(&["task"], Construct::Task, Statement, false, V45),
    row(&["taskloop"], Construct::Taskloop, Statement, false, V45),
    row(&["task", "iteration"], Construct::TaskIteration, Alone, false, V60),
    row(&["taskgraph"], Construct::Taskgraph, Statement, false, V60),
    row(&["ordered"], Construct::Ordered, Statement, false, V45),
    row(&["flush"], Construct::Flush, Alone, true, V45),
    row(&["cancel"], Construct::Cancel, Alone, false, V45),
    row(
        &["cancellation", "point"],
        Construct::CancellationPoint,
        Alone,
        false,
        V45,
    ),
    row(&["scan"], Construct::Scan, Alone, false, V50),
    row(&["depobj"], Construct::Depobj, Alone, true, V50),
    row(&["threadprivate"], Construct::Threadprivate, Alone, true, V45),
    row(&["groupprivate"], Construct::Groupprivate, Alone, true, V60),
    row(&["allocate"], Construct::Allocate, Alone, true, V50),
    row(&["allocators"], Construct::Allocators, Statement, false, V52),
    row(&["interop"], Construct::Interop, Alone, false, V51),
    row(&["dispatch"], Construct::Dispatch, Statement, false, V51),
    row(&["metadirective"], Construct::Metadirective, Unknown, false, V50),
    row(
        &["begin", "metadirective"],
        Construct::BeginMetadirective,
        Alone,
        false,
        V50,
    ),
    row(
        &["end", "metadirective"],
        Construct::EndMetadirective,
        Alone,
        false,
        V50,
    ),
    row(&["assume"], Construct::Assume, Statement, false, V51),
    row(&["assumes"], Construct::Assumes, Alone, false, V51),
    row(&["begin", "assumes"], Construct::BeginAssumes, Alone, false, V51),
    row(&["end", "assumes"], Construct::EndAssumes, Alone, false, V51),
    row(&["nothing"], Construct::Nothing, Alone, false, V51),
    row(&["error"], Construct::Error, Alone, false, V51),
    row(&["tile"], Construct::Tile, Statement, false, V51),
    row(&["unroll"], Construct::Unroll, Statement, false, V51),
    row(&["interchange"], Construct::Interchange, Statement, false, V60),
    row(&["reverse"], Construct::Reverse, Statement, false, V60),
    row(&["split"], Construct::Split, Statement, false, V60),
    row(&["fuse"], Construct::Fuse, Statement, false, V60),
    row(&["stripe"], Construct::Stripe, Statement, false, V60),
];

/// Which construct may directly follow which in a combined directive.
const COMBINES: &[(Construct, &[Construct])] = &[
    (
        Construct::Target,
        &[Construct::Teams, Construct::Parallel, Construct::Simd, Construct::Loop],
    ),
    (Construct::Teams, &[Construct::Distribute, Construct::Loop]),
    (Construct::Distribute, &[Construct::Parallel, Construct::Simd]),
    (
        Construct::Parallel,
        &[
            Construct::For,
            Construct::Sections,
            Construct::Loop,
            Construct::Master,
            Construct::Masked,
            Construct::Single,
        ],
    ),
    (Construct::For, &[Construct::Simd]),
    (Construct::Master, &[Construct::Taskloop]),
    (Construct::Masked, &[Construct::Taskloop]),
    (Construct::Taskloop, &[Construct::Simd]),
];

/// Whether `next` may directly follow `previous` in one directive.
pub fn combines(previous: &Construct, next: &Construct) -> bool {
    COMBINES
        .iter()
        .any(|(first, followers)| first == previous && followers.contains(next))
}

impl Construct {
    /// The table row, except for [`Construct::Other`].
    pub fn info(&self) -> Option<&'static ConstructRow> {
        CONSTRUCTS.iter().find(|row| row.construct == *self)
    }
    /// The name as 4.5 to 5.2 spell it.
    pub fn name(&self) -> String {
        match self {
            Construct::Other(name) => name.clone(),
            known => known.info().map(|row| row.words.join(" ")).unwrap_or_default(),
        }
    }
}

/// The first version that has a clause of this name; `None` for names that the table does not have.
pub fn clause_since(name: &str) -> Option<SpecVersion> {
    CLAUSES
        .iter()
        .find(|group| group.1.contains(&name))
        .map(|group| group.0)
}

/// Clause names by the version that brought them (4.5 for anything older). Names stay: what 6.0 removed are uses of a
/// clause on one construct, see [`super::Directive::unavailable_in`].
#[rustfmt::skip]
const CLAUSES: &[(SpecVersion, &[&str])] = &[
    (V45, &[
        "aligned", "capture", "collapse", "copyin", "copyprivate", "default", "defaultmap", "depend", "device",
        "dist_schedule", "final", "firstprivate", "for", "from", "grainsize", "hint", "if", "inbranch",
        "is_device_ptr", "lastprivate", "linear", "link", "map", "mergeable", "nogroup", "notinbranch",
        "nowait", "num_tasks", "num_teams", "num_threads", "ordered", "parallel", "priority", "private",
        "proc_bind", "read", "reduction", "safelen", "schedule", "sections", "seq_cst", "shared", "simd",
        "simdlen", "taskgroup", "thread_limit", "threads", "to", "uniform", "untied", "update",
        "use_device_ptr", "write", "initializer",
    ]),
    (V50, &[
        "acq_rel", "acquire", "affinity", "allocate", "allocator", "atomic_default_mem_order", "bind",
        "destroy", "detach", "device_type", "dynamic_allocators", "exclusive", "in_reduction", "inclusive",
        "match", "nontemporal", "order", "relaxed", "release", "reverse_offload", "task_reduction",
        "unified_address", "unified_shared_memory", "use_device_addr", "uses_allocators", "when",
    ]),
    (V51, &[
        "absent", "adjust_args", "align", "append_args", "at", "compare", "contains", "fail", "filter", "full",
        "has_device_addr", "holds", "indirect", "init", "message", "no_openmp", "no_openmp_routines",
        "no_parallelism", "nocontext", "novariants", "partial", "severity", "sizes", "use", "weak",
    ]),
    (V52, &[
        "doacross", "enter", "otherwise",
    ]),
    (V60, &[
        "apply", "collector", "combiner", "counts", "device_safesync", "graph_id", "graph_reset", "induction",
        "inductor", "interop", "local", "looprange", "memscope", "no_openmp_constructs", "permutation",
        "replayable", "safesync", "self_maps", "threadset", "transparent",
    ]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_construct_has_one_row_and_its_own_name() {
        for (index, row) in CONSTRUCTS.iter().enumerate() {
            assert!(
                std::ptr::eq(row.construct.info().unwrap(), row),
                "{:?} has two rows",
                row.construct
            );
            assert!(
                CONSTRUCTS[..index].iter().all(|other| other.words != row.words),
                "{:?}",
                row.words
            );
            assert_eq!(row.construct.name(), row.words.join(" "));
        }
    }

    #[test]
    fn clause_names_are_unique() {
        let mut names: Vec<_> = CLAUSES.iter().flat_map(|group| group.1).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
        assert_eq!(clause_since("has_device_addr"), Some(V51));
        assert_eq!(clause_since("ompx_dyn_cgroup_mem"), None);
    }
}
