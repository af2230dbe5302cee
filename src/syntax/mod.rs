//! Text to scope tree: tree-sitter-c over a blanked copy of the file. Knows neither OpenMP nor LLVM.
//!
//! ```text
//! text ─► marked_text ─► (clang -E) ─► inactive_spans        which #if branches are dropped       branches
//!   │     or what a text shows that was preprocessed anyway                                       branch_evidence
//!   └───► blank ─► prepare ─► tree-sitter ─► statements ─► ScopeTree
//!         │        │          │              └ nested by their byte ranges alone                  build, kinds
//!         │        │          └ driven by grammar-queries/*.scm                                   parser
//!         │        └ macros used as statements become opaque, odd spellings plain                macros, opaque, uses, dialect
//!         └ directives, _Pragma and dropped branches become spaces; pragmas are kept aside        directives, blank
//! ```
//!
//! [`file_scope()`] is another door: from a text that the preprocessor has been through, to what it declares, headers included.
//!
//! At the end the pragmas are attached to the statements that they stand before ([`Pragma::before`]), and everything
//! that was not understood is a [`SyntaxProblem`] of the function that it touches.
//!
//! **Invariant**: [`parse`] never fails and never panics, whatever the bytes. **Invariant**: children lie within their
//! parent's range, are disjoint, and stand in text order.
//!
//! Limits: macros of other files are unknown. One that looks like a call with a `;` is taken for a call, and one whose
//! use could be read in two ways makes its function a problem. Trigraphs are not read.

mod alternatives;
mod attach;
mod blank;
mod branch_evidence;
mod branches;
mod build;
mod comments;
mod conditionals;
mod constant_names;
mod declarators;
mod dialect;
mod directives;
mod dump;
mod endless;
mod file_constants;
mod file_scope;
mod folded;
mod header_lines;
mod kinds;
mod left_out;
mod lengths;
mod lex;
mod line_markers;
mod loop_heads;
mod macros;
mod opaque;
mod parser;
mod plain;
mod pragma_operator;
mod switches;
mod tokens;
pub mod tree;
mod trips;
mod trouble;
mod unfold;
mod unread;
mod uses;
mod visible;
mod words;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

pub use alternatives::{LeftOutDefinitions, LeftOutFunction, OtherMacro, is_idle, other_macros};
pub use blank::blank;
pub use branch_evidence::SeenDefinitions;
pub use branches::{inactive_spans, marked_text, marked_text_from};
pub use comments::{Comment, comments, function_after};
pub use conditionals::{BranchPlace, ChosenMacro, chosen_macros, conditional_lines, fixed_macros};
pub use constant_names::{ConstantName, constant_names, declared_otherwise};
pub use dump::dump;
pub use endless::endless_loops;
pub use file_constants::file_constants;
pub use file_scope::{FileScope, file_scope};
pub use folded::{FoldedName, FoldedOperand, Within, folded_operands};
pub use header_lines::header_lines;
pub use left_out::{BranchForm, Mentions, branch_form};
pub use lengths::array_lengths;
pub use line_markers::own_headers;
pub use loop_heads::{HiddenHead, hidden_heads};
pub use macros::{Define, definitions, own_definitions, text_definitions};
pub use plain::{foreign_types, plain};
pub use pragma_operator::RawPragma;
pub use switches::{COMMANDS, Switch, SwitchWord, SwitchedOff, switched_off, switches};
pub use tokens::{identifiers, same_tokens, token_spans};
pub use tree::{
    Bound, ConditionalGroup, FunctionNode, Pragma, PragmaId, ScopeTree, Stmt, StmtId, StmtKind, SyntaxProblem,
};
pub use unread::unread_bodies;
pub use visible::{declaration_in_scope, declared_before};

use crate::source::Span;

/// Parses a C file. `inactive` holds the ranges that the preprocessor drops, as [`inactive_spans`] gives them; with none
/// given, all branches of all conditionals are read as if they stood one after the other.
pub fn parse(text: &[u8], inactive: &[Span]) -> ScopeTree {
    let blanked = blank(text, inactive);
    let conditionals = blanked.conditionals.clone();
    let names = blanked.defines.iter().map(|d| d.name.clone()).collect();
    let constants = blanked.defines.iter().filter(|d| d.params.is_none());
    let constants = constants.map(|d| (d.name.clone(), d.body.trim().to_owned())).collect();
    let mut prepared = opaque::prepare(blanked);
    let mut problems: Vec<SyntaxProblem> = parser::too_deep(&prepared.text).into_iter().collect();
    let mut tree = ScopeTree::default();
    if problems.is_empty() {
        match parser::parse(&prepared.text) {
            Some(parsed) => {
                let captures = parser::captures(parsed.root_node(), &prepared.text);
                problems = trouble::of_nodes(&prepared, &captures);
                tree = build::build(text, &prepared, &captures);
            }
            None => problems.push(SyntaxProblem {
                span: Span::new(0, text.len()),
                message: "the file takes too long to parse".to_owned(),
            }),
        }
    }
    tree.conditionals = conditionals;
    let groups = conditionals::conditional_groups(text);
    let others = conditionals::of_other_builds(text, &groups, inactive);
    (tree.left_out, tree.open_conditionals) = (others.branches, others.conditionals);
    tree.conditional_groups = groups;
    tree.inactive = inactive.to_vec();
    tree.macros = names;
    tree.constants = constants;
    tree.trips = trips::named_trips(text, &tree);
    let macros = prepared.shapes.iter().filter(|(_, shape)| shape.pragma || shape.open);
    tree.pragma_macros = macros.map(|(name, _)| name.clone()).collect();
    problems.extend(trouble::of_braces(&prepared, &tree));
    attach::attach(&mut tree, &prepared.text, std::mem::take(&mut prepared.pragmas));
    trouble::distribute(text, &mut tree, problems);
    tree
}
