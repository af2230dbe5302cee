//! Text to scope tree: tree-sitter-c over a blanked copy of the file. Knows neither OpenMP nor LLVM.

pub mod tree;

pub use tree::{DeclName, FunctionNode, Pragma, PragmaId, Problem, ScopeTree, Stmt, StmtId, StmtKind};
