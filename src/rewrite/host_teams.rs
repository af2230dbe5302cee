//! Regions that threads of the host run, in which they do nothing but share the iterations of loops.
//!
//! ```c
//! #pragma omp parallel
//! {
//!     #pragma omp for                  // what each thread does by itself is nothing: where both loops are kernels, nothing is left of the region
//!     for (…) a[i] = …;
//!     #pragma omp for
//!     for (…) b[i] = …;
//! }
//! ```

use crate::openmp::{Clause, ClauseKind, Construct, Directive};
use crate::syntax::{Pragma, ScopeTree, StmtId, StmtKind, parse};
use std::collections::BTreeMap;

/// The pragmas of regions in which threads do nothing but share the iterations of loops, by where they begin, with where their regions begin.
pub(super) fn teams(text: &[u8]) -> BTreeMap<usize, usize> {
    let mut found = BTreeMap::new();
    if !text.windows(9).any(|word| word == b" parallel") {
        return found;
    }
    let tree = parse(text, &[]);
    let all = directives(&tree);
    for (pragma, directive) in &all {
        let block = pragma.before.filter(|stmt| tree.stmt(*stmt).kind == StmtKind::Block);
        let Some(block) = block.filter(|_| directive.is(&Construct::Parallel)) else {
            continue;
        };
        let span = tree.stmt(block).span;
        let inner = all.partition_point(|(p, _)| p.span.start < span.start)
            ..all.partition_point(|(p, _)| p.span.start < span.end);
        let inner = &all[inner];
        let shares = |stmt: &StmtId| {
            let mut own = inner.iter().filter(|(p, _)| p.before == Some(*stmt));
            tree.stmt(*stmt).kind.is_loop() && own.any(|(_, d)| d.has(&Construct::For))
        };
        let is_known = |directive: &Directive| {
            let of_loop = [Construct::For, Construct::Simd];
            let is_one = directive.kind.iter().all(|c| of_loop.contains(c)) || directive.is(&Construct::Barrier);
            is_one && says_known(directive)
        };
        let children = &tree.stmt(block).children;
        let all_share = !children.is_empty() && children.iter().all(shares);
        if all_share && inner.iter().all(|(_, d)| is_known(d)) && says_known(directive) {
            let own = inner.iter().filter(|(_, d)| !d.is(&Construct::Simd));
            found.extend(own.map(|(p, _)| (p.span.start, pragma.span.start)));
            found.insert(pragma.span.start, pragma.span.start);
        }
    }
    found
}

fn says_known(directive: &Directive) -> bool {
    directive.problems.is_empty() && directive.clauses.iter().all(is_redone)
}

/// The OpenMP directives of a text, in its order.
fn directives(tree: &ScopeTree) -> Vec<(&Pragma, Directive)> {
    let all = tree.pragmas.iter().filter(|pragma| !pragma.operator);
    all.filter_map(|pragma| Some((pragma, Directive::parse(&pragma.text)?)))
        .collect()
}

/// Whether a kernel has no need of a clause: what it says of variables follows from the loop, and the rest is about threads.
pub(super) fn is_redone(clause: &Clause) -> bool {
    let by_kind = matches!(
        clause.kind,
        ClauseKind::Private { .. }
            | ClauseKind::Firstprivate { .. }
            | ClauseKind::Lastprivate { .. }
            | ClauseKind::Shared { .. }
            | ClauseKind::Reduction { .. }
            | ClauseKind::Default { .. }
            | ClauseKind::Schedule { .. }
            | ClauseKind::Collapse { .. }
            | ClauseKind::NumThreads { .. }
            | ClauseKind::If { .. }
    );
    by_kind || ["nowait", "proc_bind", "safelen", "simdlen", "aligned", "linear"].contains(&clause.name.as_str())
}
