//! Directives that a function runs on the host: teams of threads, tasks, loops that share their iterations.
//!
//! ```c
//! #pragma omp parallel private(n)             /* a region: every thread runs it, each with an n of its own         */
//! {
//!     n = 3;
//!     #pragma omp for firstprivate(m)         /* a region in it: each iteration is run by one of the threads       */
//!     for (int i = 0; i < 64; i++) a[i] = m;
//! }                                           /* n is what it was before                                           */
//! ```
//!
//! The IR is that of one thread that runs everything once, in order. The accesses to arrays that it shows are all those
//! that happen. What it shows wrongly is the worth of variables that a region stores to: in the region, in one iteration,
//! and after it ([`crate::analysis::values::threads`]); and the arrays that threads have copies of ([`PrivateCopies`]).
//!
//! Seen from outside a region is one statement, in which no directive is placed and no kernel may start. Functions that
//! many threads run, and tasks that may run later, are found here and followed through calls in `plan/threads.rs`.

use crate::openmp::{ClauseKind, Construct, Directive};
use crate::syntax::{PragmaId, ScopeTree, StmtId, SyntaxProblem};

/// Variables of which directives inside a kernel make copies: what is written there need not reach the kernel's own.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PrivateCopies {
    /// By name.
    pub names: Vec<String>,
    /// `default(private)` or `default(firstprivate)`: any variable.
    pub any: bool,
}

impl PrivateCopies {
    /// Whether a variable may be copied.
    pub fn may_be(&self, name: &str) -> bool {
        self.any || self.names.iter().any(|n| n == name)
    }

    pub(super) fn add(&mut self, directive: &Directive) {
        for clause in &directive.clauses {
            match &clause.kind {
                ClauseKind::Private { items }
                | ClauseKind::Firstprivate { items }
                | ClauseKind::Reduction { items, .. }
                | ClauseKind::Lastprivate { items, .. }
                | ClauseKind::Linear { items, .. } => self.names.extend(items.iter().map(|i| i.path.base.clone())),
                ClauseKind::Default { value } => self.any |= value.contains("private"),
                _ => {}
            }
        }
        // Tasks take copies of what nobody says is shared.
        self.any |= directive.has(&Construct::Task) || directive.has(&Construct::Taskloop);
    }
}

/// A host directive with its statement.
#[derive(Clone, Debug)]
pub struct HostRegion {
    /// The pragma.
    pub pragma: PragmaId,
    /// What it governs.
    pub stmt: StmtId,
    /// Threads of a team, or tasks, run the statement.
    pub team: bool,
    /// When it ends, all tasks that it has created have ended.
    pub joins: bool,
    /// Variables of which threads have copies.
    pub copies: PrivateCopies,
    /// The directive combines copies of sections, whose arrays may have other names.
    pub sections: bool,
    /// How many nested loops share their iterations; all of them where that is not a number.
    pub loops: usize,
}

/// The host directives of a function.
#[derive(Clone, Debug, Default)]
pub struct HostDirectives {
    /// Directives with a statement, outer ones first.
    pub regions: Vec<HostRegion>,
    /// The function has directives that mean something only to the team that runs it.
    pub in_team: bool,
    /// The function creates tasks that may run after it has returned.
    pub leaves_tasks: bool,
    /// What is not understood.
    pub problems: Vec<SyntaxProblem>,
}

impl HostDirectives {
    /// Adds a directive that is none for the device, with the statement that follows the pragma.
    pub(super) fn add(&mut self, tree: &ScopeTree, pragma: PragmaId, directive: &Directive) {
        let at = tree.pragma(pragma);
        let mut problem = |message: String| {
            self.problems.push(SyntaxProblem { span: at.span, message });
        };
        if let Some(kind) = directive.kind.iter().find(|k| !is_followed(k)) {
            return problem(format!("the effect of `{}` on the host is not followed", kind.name()));
        }
        if directive.has_clause("filter") {
            return problem("it is not known whether any thread runs what `filter` is for".into());
        }
        let place = at.before.or(at.inside);
        let within = |wanted: &dyn Fn(&HostRegion) -> bool| {
            place.is_some_and(|s| self.regions.iter().any(|r| wanted(r) && tree.encloses(r.stmt, s)))
        };
        let has = |kinds: &[Construct]| kinds.iter().any(|k| directive.has(k));
        if !has(&[Construct::Parallel]) && has(&TEAM_ONLY) && !within(&|r| r.is_parallel(tree)) {
            self.in_team = true;
        }
        let leaves = has(&[Construct::Task]) || (has(&[Construct::Taskloop]) && directive.has_clause("nogroup"));
        if leaves && !has(&[Construct::Parallel]) && !within(&|r| r.joins) {
            self.leaves_tasks = true;
        }
        if directive.is_standalone() {
            return;
        }
        let Some(stmt) = at.before else {
            return problem("no statement follows this pragma".into());
        };
        let mut copies = PrivateCopies::default();
        copies.add(directive);
        copies.any |= ["in_reduction", "task_reduction", "induction"]
            .iter()
            .any(|name| directive.has_clause(name));
        self.regions.push(HostRegion {
            pragma,
            stmt,
            team: !directive.kind.iter().all(|k| ONE_THREAD.contains(k)),
            joins: has(&[Construct::Parallel, Construct::Taskgroup])
                || (has(&[Construct::Taskloop]) && !directive.has_clause("nogroup")),
            sections: copies_sections(directive),
            loops: if has(&SHARED_LOOPS) { loops(directive) } else { 0 },
            copies,
        });
    }

    /// The regions around a statement, itself included, outer ones first.
    pub fn around<'a>(&'a self, tree: &'a ScopeTree, stmt: StmtId) -> impl Iterator<Item = &'a HostRegion> {
        self.regions.iter().filter(move |r| tree.encloses(r.stmt, stmt))
    }
}

impl HostRegion {
    fn is_parallel(&self, tree: &ScopeTree) -> bool {
        Directive::parse(&tree.pragma(self.pragma).text).is_some_and(|d| d.has(&Construct::Parallel))
    }
}

/// Whether a directive is none for the device, and may change which storage names mean or who runs what: `simd` alone does
/// not, without private variables.
pub fn is_for_threads(directive: &Directive) -> bool {
    let plain = |k: &Construct| matches!(k, Construct::Simd | Construct::Unroll | Construct::DeclareSimd);
    let mut copies = PrivateCopies::default();
    copies.add(directive);
    !directive.is_on_device() && (copies != PrivateCopies::default() || !directive.kind.iter().all(plain))
}

/// Directives that the threads of a team meet together. Without a team they do nothing.
const TEAM_ONLY: [Construct; 9] = [
    Construct::For,
    Construct::Loop,
    Construct::Sections,
    Construct::Section,
    Construct::Single,
    Construct::Master,
    Construct::Masked,
    Construct::Scope,
    Construct::Barrier,
];

/// Directives whose statement is run by the thread that comes to it, once.
const ONE_THREAD: [Construct; 10] = [
    Construct::Simd,
    Construct::Critical,
    Construct::Atomic,
    Construct::Ordered,
    Construct::Taskgroup,
    Construct::Tile,
    Construct::Unroll,
    Construct::Interchange,
    Construct::Assume,
    Construct::Allocators,
];

/// Directives with iterations that do not run one after the other.
const SHARED_LOOPS: [Construct; 8] = [
    Construct::For,
    Construct::Loop,
    Construct::Taskloop,
    Construct::Simd,
    Construct::Distribute,
    Construct::Tile,
    Construct::Unroll,
    Construct::Interchange,
];

/// Whether it is known what the directive does to the statements of the function.
fn is_followed(kind: &Construct) -> bool {
    let others = [
        Construct::Allocate,
        Construct::DeclareTarget,
        Construct::BeginDeclareTarget,
        Construct::EndDeclareTarget,
        Construct::DeclareMapper,
        Construct::DeclareInduction,
        Construct::BeginAssumes,
        Construct::EndAssumes,
        Construct::Parallel,
        Construct::Task,
        Construct::Distribute,
        Construct::Taskloop,
        Construct::Taskwait,
        Construct::Taskyield,
        Construct::Flush,
        Construct::Scan,
        Construct::Threadprivate,
        Construct::DeclareSimd,
        Construct::DeclareReduction,
        Construct::Depobj,
        Construct::Nothing,
        Construct::Error,
        Construct::Requires,
        Construct::Assumes,
    ];
    TEAM_ONLY.contains(kind) || ONE_THREAD.contains(kind) || others.contains(kind)
}

fn copies_sections(directive: &Directive) -> bool {
    directive.clauses.iter().any(|c| match &c.kind {
        ClauseKind::Reduction { items, .. } => items.iter().any(|i| !i.sections.is_empty() || i.unparsed),
        _ => false,
    })
}

/// How many loops a directive is about.
fn loops(directive: &Directive) -> usize {
    let more = ["ordered", "sizes", "permutation"]
        .iter()
        .any(|n| directive.has_clause(n));
    let collapsed = directive.clauses.iter().find_map(|c| match &c.kind {
        ClauseKind::Collapse { expr } => Some(expr.trim().parse().unwrap_or(usize::MAX)),
        _ => None,
    });
    if more { usize::MAX } else { collapsed.unwrap_or(1) }
}
