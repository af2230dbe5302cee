//! Rows of variably modified types.
//!
//! ```c
//! void f(int n, int m, double a[n][m], double (*b)[2 * m]);       /* rows of m, and of 2 * m                         */
//! ```
//!
//! The compiler's types do not say how long these rows are: the declaration does, for the values that its variables had
//! there.

use super::arrays::inner_dims;
use super::cexpr::Macros;
use super::cexpr::evaluate;
use super::function::FunctionModel;
use super::movement::scope::NameScope;
use crate::symbolic::Expr;
use crate::syntax::{StmtId, StmtKind, array_lengths, declaration_in_scope};

/// Lengths of the dimensions below the one that an index of a path steps over, as they are declared: constants, or what variables
/// were worth at the declaration.
pub fn row_lengths(scope: &NameScope<'_>, path: &str) -> Option<Vec<Expr>> {
    let constant = inner_dims(scope.indexed(path));
    constant.or_else(|| declared_rows(scope.model(), scope.macros(), scope.stmt(), path))
}

/// Whether the variables that say how long rows are still have the values that they had where the array was declared. Where they have
/// not, clang 19 takes `update from(a[2:1][2:1])` for an element of rows as long as they say now; of whole rows it copies the right ones.
pub fn are_lengths_kept(scope: &NameScope<'_>, path: &str) -> bool {
    let now = || lengths_in(scope, &written_lengths(scope.model(), scope.stmt(), path)?.lengths);
    inner_dims(scope.indexed(path)).is_some() || now().is_some_and(|now| row_lengths(scope, path) == Some(now))
}

/// The lengths of the dimensions below the outermost that the declaration of the variable gives that a name
/// means at a statement.
pub fn declared_rows(model: &FunctionModel<'_>, macros: &Macros, at: StmtId, name: &str) -> Option<Vec<Expr>> {
    model.visible_variable(at, name)?;
    let WrittenLengths { lengths, declared } = written_lengths(model, at, name)?;
    let found = lengths_in(&NameScope::before(model, macros, place_of(model, declared)?)?, &lengths)?;
    found.iter().all(|length| !length.has_opaque()).then_some(found)
}

/// Lengths of dimensions as a declaration has them.
struct WrittenLengths {
    /// The lengths below the outermost.
    lengths: Vec<String>,
    /// Where the declared name stands.
    declared: usize,
}

fn written_lengths(model: &FunctionModel<'_>, at: StmtId, name: &str) -> Option<WrittenLengths> {
    let declared = declaration_in_scope(model.tree, at, name)?;
    let (pointer, mut lengths) = array_lengths(model.text, declared.span)?;
    Some(WrittenLengths {
        lengths: lengths.split_off(usize::from(!pointer)),
        declared: declared.span.start,
    })
}

/// What lengths are where names mean what they do in a scope.
fn lengths_in(scope: &NameScope<'_>, lengths: &[String]) -> Option<Vec<Expr>> {
    lengths.iter().map(|text| evaluate(text, scope)).collect()
}

/// The statement before which what stands in a declaration has the values that count there.
fn place_of(model: &FunctionModel<'_>, at: usize) -> Option<StmtId> {
    let tree = model.tree;
    let function = &tree.functions[model.tree_function];
    if at < tree.stmt(function.body).span.start {
        return tree.stmt(function.body).children.first().copied();
    }
    let declares = |s: &StmtId| {
        let stmt = tree.stmt(*s);
        stmt.function as usize == model.tree_function
            && matches!(stmt.kind, StmtKind::Decl { .. })
            && stmt.span.start <= at
            && at < stmt.span.end
    };
    (0..tree.stmts.len() as u32).map(StmtId).find(declares)
}
