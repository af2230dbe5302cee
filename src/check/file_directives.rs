//! What directives outside of functions say of all of a file.
//!
//! ```c
//! #pragma omp requires unified_shared_memory              // nothing is copied: arrays need no maps, and are not checked
//! #pragma omp declare mapper(struct s v) map(v.x[0:v.n])  // whoever maps a `struct s` maps more than the text says
//! ```

use crate::openmp::map::Semantics;
use crate::openmp::{Construct, Directive, SpecVersion};
use crate::plan::{FilePlan, FileText, Note};
use crate::program::ir::Module;
use crate::syntax::{Pragma, ScopeTree};

/// The pragmas of a file and of texts that it includes, as far as these are known.
fn pragmas<'f>(file: &FileText<'f>) -> impl Iterator<Item = &'f Pragma> {
    let others = file.headers.iter().map(|h| &h.tree);
    let others = others.chain(file.bodies.iter().map(|b| &b.tree));
    std::iter::once(file.tree)
        .chain(others)
        .flat_map(|tree: &ScopeTree| &tree.pragmas)
}

/// Whether something in a program has to do with a device: a directive, or a call of the runtime. In others there is nothing to check.
pub fn names_a_device(files: &[FileText<'_>], module: &Module) -> bool {
    let names = |pragma: &Pragma| pragma.text.contains("target") || pragma.text.contains("requires");
    let calls = { module.functions.iter() }.any(|function| function.name.starts_with("omp_target_"));
    calls || files.iter().any(|file| pragmas(file).any(names))
}

/// Whether a file declares mappers.
pub fn has_mappers(file: &FileText<'_>) -> bool {
    pragmas(file).any(|p| Directive::parse(&p.text).is_some_and(|d| d.is(&Construct::DeclareMapper)))
}

/// Whether a file requires that host and device have one memory.
pub fn has_one_memory(file: &FileText<'_>) -> bool {
    pragmas(file).any(requires_one_memory)
}

fn requires_one_memory(pragma: &Pragma) -> bool {
    let is_asked = |directive: &Directive| {
        let mut clauses = directive.clauses.iter().map(|clause| clause.name.as_str());
        directive.is(&Construct::Requires) && clauses.any(|name| matches!(name, "unified_shared_memory" | "self_maps"))
    };
    Directive::parse(&pragma.text).is_some_and(|d| is_asked(&d))
}

/// A file's plan before any function is looked at.
pub fn first_plan(file: &FileText<'_>) -> FilePlan {
    let mut plan = FilePlan::default();
    if has_one_memory(file) {
        let own = file.tree.pragmas.iter().find(|p| requires_one_memory(p));
        let message = "arrays are not checked in this file: it requires that host and device have one memory, and there nothing is copied";
        let span = own.map(|p| p.span).unwrap_or_default();
        plan.remarks.push(Note::new(span, message.to_owned()));
    }
    plan
}

/// What directives of a program mean: by the oldest version that one of its files is read by.
pub fn semantics(files: &[FileText<'_>]) -> Semantics {
    let version = files.iter().map(|file| file.options.openmp).min().unwrap_or_default();
    Semantics {
        version,
        // Under 4.5 the end of a region with `alloc` does not count down.
        alloc_keeps_count: version == SpecVersion::V45,
    }
}
