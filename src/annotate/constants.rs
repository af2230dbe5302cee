//! Names for constants: sizes are written as the loops write them, `N` and not `1024`, so that the directives stay right
//! when a size is changed.
//!
//! ```c
//! #define NI 1024
//! #define NK 512
//! for (int i = 0; i < NI; i++)                /* a[0:NI*NK], and not a[0:524288] */
//!     for (int k = 0; k < NK; k++) s += a[i * NK + k];
//! ```
//!
//! To the compiler a macro is a number. Which name a number had is found again in the text: in the declaration of the array,
//! and in the headers of the loops whose indices its subscripts depend on. What a name is worth is known where it is a macro
//! of this file or a variable, or else from the number that the compiler has for the bound in which it stands. A number is
//! then such a name, a product of them, or one of these with a small number added. What is written is worth the number
//! today; that it will be tomorrow is a guess, a better one than the number.

use super::named_constants::NamedConstants;
use super::spell::Speller;
use crate::analysis::cexpr::evaluate;
use crate::analysis::dependence::verdict::Counted;
use crate::analysis::movement::scope::NameScope;
use crate::plan::file::FileFacts;
use crate::source::Span;
use crate::symbolic::Expr;
use crate::syntax::{StmtKind, array_lengths, declaration_in_scope, identifiers};

impl NamedConstants {
    /// The names in the headers of loops.
    pub fn of_loops<'c>(
        file: &FileFacts<'_>,
        speller: &Speller<'_>,
        loops: impl Iterator<Item = &'c Counted>,
    ) -> NamedConstants {
        let mut found = NamedConstants::default();
        if file.options.plain_numbers {
            return found;
        }
        for counted in loops {
            let StmtKind::For { cond, init, .. } = &speller.at.model.tree.stmt(counted.stmt).kind else {
                continue;
            };
            let bounds = [&counted.lo, &counted.hi].map(Expr::as_constant);
            for part in [cond, init].into_iter().flatten() {
                found.note(file, speller, *part, &bounds);
            }
        }
        found
    }

    /// With the names in the declaration of an array, which come first.
    pub fn of_array(
        mut self,
        file: &FileFacts<'_>,
        speller: &Speller<'_>,
        name: &str,
        dims: &[Expr],
    ) -> NamedConstants {
        if file.options.plain_numbers {
            return self;
        }
        let rest = std::mem::take(&mut self);
        let model = speller.at.model;
        let declared = declaration_in_scope(model.tree, speller.at.stmt, name).map(|d| d.span);
        let lengths = declared
            .or_else(|| file_declaration(file, name))
            .and_then(|span| array_lengths(file.text, span));
        if let Some((_, lengths)) = lengths {
            let inner = lengths.len().saturating_sub(dims.len());
            for (at, length) in lengths.iter().enumerate() {
                let worth = at.checked_sub(inner).and_then(|at| dims[at].as_constant());
                self.length(file, speller, length, worth);
            }
        }
        self.extend(&rest);
        self
    }

    /// A length as it is declared; where it is one name, that is worth what the compiler says.
    fn length(&mut self, file: &FileFacts<'_>, speller: &Speller<'_>, text: &str, worth: Option<i128>) {
        let all = Span::new(0, text.len());
        for (name, span) in identifiers(text.as_bytes(), all) {
            let alone = span.end - span.start == text.len();
            let value = value_of(file, speller, &name).or(worth.filter(|_| alone));
            if let Some(value) = value {
                self.add(name, value);
            }
        }
    }

    /// The names in a part of a loop's header.
    fn note(&mut self, file: &FileFacts<'_>, speller: &Speller<'_>, part: Span, bounds: &[Option<i128>; 2]) {
        for (name, span) in identifiers(file.text, part) {
            let bound = || {
                let behind = text_of(file, Span::new(span.end, part.end));
                let before = text_of(file, Span::new(part.start, span.start));
                bound_with(&before, &behind, bounds)
            };
            if let Some(value) = value_of(file, speller, &name).or_else(bound) {
                self.add(name, value);
            }
        }
    }
}

fn text_of(file: &FileFacts<'_>, span: Span) -> String {
    String::from_utf8_lossy(&file.text[span.start..span.end])
        .trim()
        .to_owned()
}

/// What a name is worth in `i < NAME - 1`, given what stands before and behind it, and the least and the greatest index.
fn bound_with(before: &str, behind: &str, bounds: &[Option<i128>; 2]) -> Option<i128> {
    let added = match behind {
        "" => 0,
        _ => {
            let (sign, digits) = behind.split_at(1);
            let number: i128 = digits.trim().parse().ok()?;
            match sign {
                "+" => number,
                "-" => -number,
                _ => return None,
            }
        }
    };
    let [least, greatest] = *bounds;
    let bound = match before
        .trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_')
        .trim_start()
    {
        "<" => greatest?.checked_add(1)?,
        "<=" => greatest?,
        ">" => least?.checked_sub(1)?,
        ">=" => least?,
        _ => return None,
    };
    bound.checked_sub(added)
}

/// A number that a name stands for at a place: a macro, or a variable that has one value there.
fn value_of(file: &FileFacts<'_>, speller: &Speller<'_>, name: &str) -> Option<i128> {
    let at = &speller.at;
    let scope = NameScope::gap(at.model, &file.macros, at.gap, at.stmt);
    evaluate(name, &scope)?.as_constant()
}

/// The name in the declaration of a variable of the file.
fn file_declaration(file: &FileFacts<'_>, name: &str) -> Option<Span> {
    let functions: Vec<Span> = file.tree.functions.iter().map(|f| f.span).collect();
    let all = identifiers(file.text, Span::new(0, file.text.len()));
    let outside = |span: &Span| !functions.iter().any(|f| f.start <= span.start && span.end <= f.end);
    let mut found = all.into_iter().filter(|(n, span)| n == name && outside(span));
    found
        .find(|(_, span)| array_lengths(file.text, *span).is_some())
        .map(|(_, span)| span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_worth_what_the_loop_reaches() {
        assert_eq!(bound_with("i <", "- 1", &[Some(0), Some(1022)]), Some(1024));
        assert_eq!(bound_with("i >=", "", &[Some(5), None]), Some(5));
        assert_eq!(bound_with("i <", "* 2", &[Some(0), Some(9)]), None);
    }
}
