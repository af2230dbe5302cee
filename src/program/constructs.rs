//! The OpenMP constructs of a function, attached to statements.
//!
//! A kernel is a [`Launch`]: the pragma, its directive, and the statement it runs on the device. Everything that manages
//! device data by hand (`target data`, `enter`/`exit data`, `update`) is a [`UserData`]. Directives for threads of the host are
//! in [`super::host_directives`]; those that there is no model of make the function "not understood".

use super::host_directives::{HostDirectives, PrivateCopies};
use crate::openmp::{ClauseKind, Construct, Directive, Item, MapModifier, MapType};
use crate::reasons::Clauses;
use crate::syntax::{PragmaId, ScopeTree, StmtId, SyntaxProblem};
use rustc_hash::FxHashMap;

/// A kernel.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The kernel's pragma.
    pub pragma: PragmaId,
    /// The statement that runs on the device.
    pub stmt: StmtId,
    /// The directive.
    pub directive: Directive,
    /// The kernel's explicit map items.
    pub maps: Vec<(MapType, Item)>,
    /// What directives inside it copy.
    pub copies: PrivateCopies,
    /// The kernel may still run after the host has gone on (`nowait`).
    pub asynchronous: bool,
    /// The argument of the `if` clause that says whether it runs on the device.
    pub condition: Option<String>,
    /// A clause that changes where or when it runs or what it maps in ways that stay the user's (R10), as a reason.
    pub special: Option<Clauses>,
}

impl Launch {
    /// The kernel without its `device` clause.
    #[must_use]
    pub fn on_default_device(&self) -> Launch {
        let mut directive = self.directive.clone();
        directive
            .clauses
            .retain(|c| !matches!(c.kind, ClauseKind::Device { .. }));
        Launch {
            copies: self.copies.clone(),
            ..launch(self.pragma, self.stmt, directive)
        }
    }

    /// Whether its map clauses can be written anew. Clang 19 passes wrong arguments to a kernel whose map clause lists members of a
    /// struct after other variables: clauses with members keep the order that the user gave them.
    pub fn takes_other_maps(&self) -> bool {
        // A kernel gives nothing up.
        let is_kernels = |t: MapType| matches!(t, MapType::To | MapType::Tofrom | MapType::From | MapType::Alloc);
        let mut maps = self.maps.iter();
        self.special.is_none() && maps.all(|(map_type, item)| is_kernels(*map_type) && item.path.steps.is_empty())
    }
}

/// A directive that manages device data by hand.
#[derive(Clone, Debug)]
pub struct UserData {
    /// The directive's pragma.
    pub pragma: PragmaId,
    /// The block it governs, for `target data`.
    pub stmt: Option<StmtId>,
    /// The directive.
    pub directive: Directive,
    /// Base names of everything it names.
    pub names: Vec<String>,
    /// Everything it names.
    pub items: Vec<Item>,
}

/// All constructs of one function.
#[derive(Clone, Debug, Default)]
pub struct Constructs {
    /// Kernels in text order.
    pub launches: Vec<Launch>,
    /// Hand-written data directives in text order.
    pub user_data: Vec<UserData>,
    /// What threads of the host do.
    pub host: HostDirectives,
    /// What keeps the function from being understood.
    pub problems: Vec<SyntaxProblem>,
    /// The first kernel at each statement.
    at: FxHashMap<StmtId, usize>,
}

impl Constructs {
    /// Collects the constructs of the function with index `function`.
    pub fn find(tree: &ScopeTree, function: usize) -> Constructs {
        let mut found = Constructs::default();
        for id in tree.pragma_ids_of(function) {
            let pragma = &tree.pragmas[id.0 as usize];
            let Some(directive) = Directive::parse(&pragma.text) else {
                continue;
            };
            let place = pragma.before.or(pragma.inside);
            if let Some(launch) = place.and_then(|s| found.launch_around(tree, s)) {
                // Inside a kernel: part of how the kernel runs.
                found.launches[launch].copies.add(&directive);
                continue;
            }
            if let Some(p) = directive.problems.first() {
                found.problems.push(SyntaxProblem {
                    span: pragma.span,
                    message: format!("this pragma was not understood: {}", p.message),
                });
                continue;
            }
            if directive.is_launch() {
                match pragma.before {
                    Some(stmt) => {
                        found.at.entry(stmt).or_insert(found.launches.len());
                        found.launches.push(launch(id, stmt, directive));
                    }
                    None => found.problems.push(SyntaxProblem {
                        span: pragma.span,
                        message: "no statement follows this `target` pragma".into(),
                    }),
                }
            } else if directive.is_target_data() {
                let names = names(&directive);
                found.user_data.push(UserData {
                    pragma: id,
                    stmt: pragma.before,
                    items: items(&directive),
                    directive,
                    names,
                });
            } else if [
                Construct::TargetEnterData,
                Construct::TargetExitData,
                Construct::TargetUpdate,
            ]
            .iter()
            .any(|c| directive.is(c))
            {
                let names = names(&directive);
                found.user_data.push(UserData {
                    pragma: id,
                    stmt: None,
                    items: items(&directive),
                    directive,
                    names,
                });
            } else if let Some(Construct::Other(name)) =
                directive.kind.iter().find(|k| matches!(k, Construct::Other(_)))
            {
                found.problems.push(SyntaxProblem {
                    span: pragma.span,
                    message: format!("the directive `{name}` is not known to this tool"),
                });
            } else {
                found.host.add(tree, id, &directive);
            }
        }
        let kernels = found.launches.iter().map(|l| (l.pragma, "this kernel is started"));
        let by_hand = found.user_data.iter().map(|u| (u.pragma, "this data directive is met"));
        let inside = kernels.chain(by_hand).filter(|(pragma, _)| {
            let at = tree.pragma(*pragma);
            // One that stands before the region's own pragma may have the same statement after it.
            let around = |s| found.host.around(tree, s).any(|r| r.pragma < *pragma);
            at.before.or(at.inside).is_some_and(around)
        });
        let inside = inside.map(|(pragma, what)| SyntaxProblem {
            span: tree.pragma(pragma).span,
            message: format!("{what} within a host parallel or task region, where several threads may come to it"),
        });
        let inside: Vec<SyntaxProblem> = inside.collect();
        found.problems.extend(inside);
        found
    }

    /// The kernel whose statement contains `stmt`.
    pub fn launch_around(&self, tree: &ScopeTree, stmt: StmtId) -> Option<usize> {
        tree.ancestors(stmt).filter_map(|s| self.launch_at(s)).min()
    }

    /// The kernel that a statement is.
    pub fn launch_at(&self, stmt: StmtId) -> Option<usize> {
        self.at.get(&stmt).copied()
    }
}

fn launch(pragma: PragmaId, stmt: StmtId, directive: Directive) -> Launch {
    let mut l = Launch {
        pragma,
        stmt,
        maps: Vec::new(),
        copies: PrivateCopies::default(),
        asynchronous: false,
        condition: None,
        special: None,
        directive,
    };
    l.copies.any = l
        .directive
        .clauses
        .iter()
        .any(|c| matches!(&c.kind, ClauseKind::Default { value } if value.contains("private")));
    let mut special = None;
    for clause in &l.directive.clauses {
        match &clause.kind {
            ClauseKind::Map(map) => {
                let kind = map.effective_type();
                if map.modifiers.iter().any(|m| *m != MapModifier::Close) {
                    special = Some(Clauses::Modifier);
                }
                if map.items.iter().any(|i| i.unparsed) {
                    special = Some(Clauses::ItemForm);
                }
                l.maps.extend(map.items.iter().map(|i| (kind, i.clone())));
            }
            ClauseKind::Reduction { items, .. }
            | ClauseKind::Lastprivate { items, .. }
            | ClauseKind::Linear { items, .. }
                if items.iter().any(|i| !i.sections.is_empty()) =>
            {
                special = Some(Clauses::ReductionSections);
            }
            ClauseKind::InReduction { .. } => special = Some(Clauses::InReduction),
            ClauseKind::If { modifier, expr } if modifier.as_deref().is_none_or(|m| m == "target") => {
                let another = l.condition.replace(expr.clone()).is_some();
                special = special.or(another.then_some(Clauses::TwoConditions));
            }
            ClauseKind::Device { .. } => special = Some(Clauses::Device),
            ClauseKind::Nowait { .. } => {
                l.asynchronous = true;
                special = Some(Clauses::Nowait);
            }
            ClauseKind::Depend(_) => special = Some(Clauses::Depend),
            ClauseKind::IsDevicePtr { .. } | ClauseKind::HasDeviceAddr { .. } => {
                special = Some(Clauses::Addresses);
            }
            ClauseKind::Defaultmap { .. } => special = Some(Clauses::Defaultmap),
            ClauseKind::Allocate { .. } => special = Some(Clauses::Allocate),
            _ => {}
        }
    }
    l.special = special;
    l
}

/// Base names of all list items of a data directive.
fn items(directive: &Directive) -> Vec<Item> {
    let of_clause = |kind: &ClauseKind| match kind {
        ClauseKind::Map(m) => m.items.clone(),
        ClauseKind::To(m) | ClauseKind::From(m) => m.items.clone(),
        ClauseKind::UseDevicePtr { items } | ClauseKind::UseDeviceAddr { items } => items.clone(),
        _ => Vec::new(),
    };
    directive.clauses.iter().flat_map(|c| of_clause(&c.kind)).collect()
}

fn names(directive: &Directive) -> Vec<String> {
    let name = |i: Item| if i.unparsed { i.text } else { i.path.base };
    items(directive).into_iter().map(name).collect()
}
