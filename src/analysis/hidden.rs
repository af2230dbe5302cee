//! Kernels that a function's own pragmas do not show: made by macros, or standing in headers.
//!
//! What starts kernels must not be called while a residency holds the data that they use (R9 of `docs/architecture.md`),
//! so it has to be known of every function, also of those that are not rewritten. Not knowing means assuming the worst.
//! How many directives a function has in all the preprocessor says (`Function::directives`): a function with more than
//! its text shows is left alone, and over calls of it nothing stays on the device.

use super::cexpr::Macros;
use super::cexpr::is_integer_type;
use crate::openmp::{Directive, words};
use crate::program::host_directives::is_for_threads;
use crate::program::ir::{FuncId, Function, Module};
use crate::source::Span;
use crate::syntax::{ScopeTree, StmtKind, declaration_in_scope, identifiers};
use rustc_hash::FxHashSet;

/// Function-like macros of the C library that are written as statements, and what a compiler builds in.
const HARMLESS: [&str; 13] = [
    "assert",
    "va_start",
    "va_end",
    "va_copy",
    "va_arg",
    "sizeof",
    "typeof",
    "__typeof__",
    "_Static_assert",
    "static_assert",
    "offsetof",
    "defined",
    "setjmp",
];

/// Whether a function in a header may start kernels: its header's text speaks of OpenMP and `target`, or macros put such
/// directives there. So does what a function includes.
pub fn in_header(function: &Function) -> bool {
    function.unseen.is_some()
        || (function.in_header || !function.included.is_empty())
            && !function.declaration
            && (function.header_mentions_target || !function.included.is_empty())
}

/// Whether a function, the `f`th of the tree, has device directives that are none of its text: of a file that it includes,
/// or of macros that are defined elsewhere. What may do more than its instructions show may start kernels, too.
pub fn has_more(tree: &ScopeTree, function: &Function, f: usize) -> bool {
    if function.unseen.is_some() {
        return true;
    }
    let own = tree.pragmas_of(f);
    let visible = own.filter(|p| Directive::parse(&p.text).is_some_and(|d| d.is_on_device()));
    (visible.count() as u64) < u64::from(function.directives)
}

/// Whether a function, the `f`th of the tree, has directives to threads of the host that are none of its text.
pub fn has_more_threads(tree: &ScopeTree, function: &Function, f: usize) -> bool {
    if function.unseen.as_ref().is_some_and(|u| u.threads) {
        return true;
    }
    let own = tree.pragmas_of(f);
    let visible = own.filter(|p| Directive::parse(&p.text).is_some_and(|d| is_for_threads(&d)));
    (visible.count() as u64) < u64::from(function.host_directives)
}

/// Whether a function, the `f`th of the tree, may start kernels that are no pragmas of the text: it uses a macro of this file
/// that expands to pragmas, or a statement of it begins with a macro that is defined elsewhere; or the preprocessor says so.
pub fn in_macros(text: &[u8], tree: &ScopeTree, module: &Module, id: FuncId, f: usize) -> bool {
    if has_more(tree, module.function(id), f) {
        return true;
    }
    if uses_pragma_macros(text, tree, f) {
        return true;
    }
    let unit = module.function(id).unit;
    let named = module.functions_of(unit);
    let known: FxHashSet<&str> = named.iter().map(|f| module.function(*f).name.as_str()).collect();
    let own: FxHashSet<&str> = tree.macros.iter().map(String::as_str).collect();
    tree.stmts_of(f)
        .map(|s| tree.stmt(s))
        .filter(|s| s.kind == StmtKind::Expr)
        .any(|s| {
            let words = identifiers(text, s.span);
            let Some((name, at)) = words.first().filter(|(_, at)| at.start == s.span.start) else {
                return false;
            };
            let next = text[at.end..s.span.end].trim_ascii_start().first().copied();
            let called = matches!(next, None | Some(b'(' | b';'));
            called
                && !known.contains(name.as_str())
                && !own.contains(name.as_str())
                && !HARMLESS.contains(&name.as_str())
                && !name.starts_with("__builtin_")
                && !is_variable(module, id, name)
        })
}

/// A macro that a list of a directive in the function has in place of a variable, and the directive's place: `firstprivate(T)`
/// after `#define T table`. What the clause says of `table` its text does not tell.
pub fn macro_in_list(
    tree: &ScopeTree,
    macros: &Macros,
    module: &Module,
    id: FuncId,
    f: usize,
) -> Option<(Span, String)> {
    let is_macro = |name: &str| {
        let own = tree.constants.iter().filter(|(n, _)| n == name).map(|(_, body)| body);
        own.chain(macros.get(name)).any(|body| has_words(body))
    };
    let own = tree.pragmas_of(f);
    let with_macros = own.filter(|p| words_of(&p.text).iter().any(|word| is_macro(word)));
    with_macros
        .filter_map(|p| Some((p, Directive::parse(&p.text)?)))
        .find_map(|(pragma, directive)| {
            let declared = |name: &str| {
                let at = pragma.before.or(pragma.inside);
                is_variable(module, id, name) || at.is_some_and(|at| declaration_in_scope(tree, at, name).is_some())
            };
            let items = directive.clauses.iter().flat_map(|c| c.kind.items());
            let mut words = items.filter_map(|item| match item.unparsed {
                true => words_of(&item.text).into_iter().next(),
                false => Some(item.path.base.clone()),
            });
            let hidden = words.find(|name| is_macro(name) && !declared(name))?;
            Some((pragma.span, hidden))
        })
}

/// A word of OpenMP that the file defines as a macro: a directive with it means something else.
pub fn redefined_word(tree: &ScopeTree) -> Option<&'static str> {
    let alone = |word: &str| tree.constants.iter().any(|(m, _)| m == word);
    let called = |word: &str| tree.macros.iter().any(|m| m == word);
    words::redefined(&alone, &called)
}

fn words_of(text: &str) -> Vec<String> {
    let all = identifiers(text.as_bytes(), Span::new(0, text.len()));
    all.into_iter().map(|(word, _)| word).collect()
}

/// Whether there are words in a body other than those of types in casts.
fn has_words(body: &str) -> bool {
    words_of(body).iter().any(|word| !is_integer_type(word))
}

/// Whether a function, the `f`th of the tree, uses a macro of this file that expands to pragmas.
pub fn uses_pragma_macros(text: &[u8], tree: &ScopeTree, f: usize) -> bool {
    let span: Span = tree.stmt(tree.functions[f].body).span;
    let names = identifiers(text, span).into_iter();
    !tree.pragma_macros.is_empty() && { names }.any(|(name, _)| tree.pragma_macros.binary_search(&name).is_ok())
}

/// Whether a name is that of a variable or parameter of the function, or of a global: then it is a call through a pointer.
fn is_variable(module: &Module, id: FuncId, name: &str) -> bool {
    let function = module.function(id);
    function.variables.iter().any(|v| v.name == name)
        || !module.globals_named(function.unit, &function.name, name).is_empty()
}
