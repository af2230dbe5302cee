//! Exchanges the `map` clauses of a pragma and leaves every other byte as it was.
//!
//! An old clause that says the same as a new one keeps its bytes. What is new goes where the first outdated clause was, or
//! behind the last `map` clause, or behind the last clause: before a trailing comment in any case. Outdated clauses go
//! together with the blanks, the continuation and the comma that belonged to them; comments around them stay, comments
//! inside them go.

use super::print::{WrappedText, columns};
use super::{ClauseKind, Directive, DirectiveProblem, MapClause, MapClauseText, Style, scan};
use crate::source::Span;

/// The pragma `original` (raw text from `#` or `_Pragma` on, continuations and comments included) with `new_clauses` as its
/// only `map` clauses. New text is written in `style`, and wrapped with the indentation of the pragma's own continuation
/// lines, or `indent` (of the pragma's line) and four blanks. Clauses without items are not written.
///
/// # Errors
/// The reason, when the pragma is not OpenMP's or has syntax errors, or when the result would not read back as intended.
pub fn replace_map_clauses_styled(
    original: &str,
    new_clauses: &[MapClauseText],
    style: &Style,
    indent: &str,
) -> Result<String, DirectiveProblem> {
    let whole = Span::new(0, original.len());
    let complain = |message: &str| DirectiveProblem {
        span: whole,
        message: message.to_owned(),
    };
    let directive = Directive::parse(original).ok_or_else(|| complain("this is no OpenMP pragma"))?;
    if let Some(problem) = directive.problems.first() {
        return Err(problem.clone());
    }
    let mut fresh: Vec<&MapClauseText> = new_clauses.iter().filter(|clause| !clause.items.is_empty()).collect();
    let (mut outdated, mut last_map) = (Vec::new(), None);
    for (clause, map) in directive.maps() {
        last_map = Some(clause.span);
        match fresh.iter().position(|new| signature_of_text(new) == signature(map)) {
            Some(index) => {
                fresh.remove(index);
            }
            None => outdated.push(clause.span),
        }
    }
    let mut cut = Cut {
        raw: original.as_bytes(),
        masked: scan::mask(original),
        deleted: vec![false; original.len()],
    };
    let mut floor = directive
        .argument
        .as_ref()
        .map_or(directive.name_span.end, |argument| argument.span.end + 1);
    let mut gone = outdated.iter();
    if !fresh.is_empty()
        && let Some(first) = gone.next()
    {
        // New text takes its place, so that the blanks before it stay.
        cut.bytes(*first);
        floor = first.end;
    }
    for span in gone {
        cut.clause(*span, floor);
    }
    let (at, separator) = match (outdated.first(), last_map) {
        (Some(first), _) => (first.start, ""),
        (None, Some(last)) => (last.end, style.clause_separator.as_str()),
        (None, None) if directive.clauses.is_empty() => (directive.span.end, " "),
        (None, None) => (directive.span.end, style.clause_separator.as_str()),
    };
    let inserted = written(original, at, separator, &fresh, style, indent);
    if is_operator(original) && inserted.contains(['"', '\\']) {
        return Err(complain(
            "the new `map` clauses contain a string, which `_Pragma` cannot hold as it is",
        ));
    }
    let result = cut.finish(at, &inserted);
    if reads_back(&directive, original, new_clauses, &result) {
        Ok(result)
    } else {
        Err(complain(
            "the `map` clauses of this pragma cannot be exchanged without touching the rest",
        ))
    }
}

/// What a clause says, for comparison: layout, order of items, and whether `tofrom` is spelt out do not matter.
fn signature(map: &MapClause) -> (&'static str, Vec<String>, Vec<String>) {
    signature_of(
        map.effective_type().as_str(),
        map.modifiers.iter().map(ToString::to_string),
        map.items.iter().map(super::Item::key),
    )
}

fn signature_of_text(text: &MapClauseText) -> (&'static str, Vec<String>, Vec<String>) {
    signature_of(
        text.map_type.unwrap_or(super::MapType::Tofrom).as_str(),
        text.modifiers.iter().map(ToString::to_string),
        text.items.iter().map(|item| item.split_ascii_whitespace().collect()),
    )
}

fn signature_of(
    map_type: &'static str,
    modifiers: impl Iterator<Item = String>,
    items: impl Iterator<Item = String>,
) -> (&'static str, Vec<String>, Vec<String>) {
    let (mut modifiers, mut items): (Vec<_>, Vec<_>) = (modifiers.collect(), items.collect());
    modifiers.sort();
    items.sort();
    (map_type, modifiers, items)
}

/// Whether the pragma is written as `_Pragma("…")`.
fn is_operator(original: &str) -> bool {
    original.trim_ascii_start().starts_with("_Pragma")
}

/// The text of the new clauses, wrapped as it will stand at `at`.
fn written(
    original: &str,
    at: usize,
    separator: &str,
    clauses: &[&MapClauseText],
    style: &Style,
    indent: &str,
) -> String {
    // A string literal is not continued over lines.
    let style = Style {
        width: if is_operator(original) { usize::MAX } else { style.width },
        ..style.clone()
    };
    let (line, offset) = match original[..at].rfind('\n') {
        Some(newline) => (&original[newline + 1..at], 0),
        None => (&original[..at], columns(indent)),
    };
    let own_indent = original
        .split_once('\n')
        .map(|(_, rest)| &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()]);
    let further = own_indent.map_or_else(|| format!("{indent}    "), str::to_owned);
    let mut page = WrappedText::continuing(&style, &further, line, offset + columns(line));
    let mut separator = separator;
    for clause in clauses {
        page.clause(separator, &clause.pieces(&style));
        separator = &style.clause_separator;
    }
    page.text
}

/// The bytes of the pragma that go.
struct Cut<'a> {
    raw: &'a [u8],
    masked: String,
    deleted: Vec<bool>,
}

impl Cut<'_> {
    fn bytes(&mut self, span: Span) {
        self.deleted[span.start..span.end].fill(true);
    }

    /// Deletes a clause with the blanks before it and the comma that set it off.
    fn clause(&mut self, span: Span, floor: usize) {
        self.bytes(span);
        self.blanks_before(span.start, floor);
        let meaning = |cut: &Cut<'_>, at: usize| !cut.deleted[at] && !cut.masked.as_bytes()[at].is_ascii_whitespace();
        let comma = |cut: &Cut<'_>, at: &usize| cut.masked.as_bytes()[*at] == b',';
        let before = (floor..span.start)
            .rev()
            .find(|at| meaning(self, *at))
            .filter(|at| comma(self, at));
        let after = (span.end..self.raw.len())
            .find(|at| meaning(self, *at))
            .filter(|at| comma(self, at));
        match (before, after) {
            (Some(at), _) => {
                self.deleted[at] = true;
                self.blanks_before(at, floor);
            }
            (None, Some(at)) => self.deleted[at] = true,
            (None, None) => {}
        }
    }

    /// Deletes blanks and continuations directly before `at`, but no comment.
    fn blanks_before(&mut self, at: usize, floor: usize) {
        for index in (floor..at).rev() {
            let continuation = self.raw[index] == b'\\' && scan::continuation_end(self.raw, index).is_some();
            let is_blank = self.raw[index].is_ascii_whitespace() || continuation;
            if !is_blank && !self.deleted[index] {
                return;
            }
            self.deleted[index] = true;
        }
    }

    fn finish(&self, at: usize, inserted: &str) -> String {
        let mut result = Vec::with_capacity(self.raw.len() + inserted.len());
        for (index, byte) in self.raw.iter().enumerate() {
            if index == at {
                result.extend_from_slice(inserted.as_bytes());
            }
            if !self.deleted[index] {
                result.push(*byte);
            }
        }
        if at >= self.raw.len() {
            result.extend_from_slice(inserted.as_bytes());
        }
        String::from_utf8_lossy(&result).into_owned()
    }
}

/// Whether the result has the same name and argument, the other clauses byte by byte, and the new maps.
fn reads_back(before: &Directive, original: &str, new_clauses: &[MapClauseText], result: &str) -> bool {
    let Some(after) = Directive::parse(result) else {
        return false;
    };
    let others = |directive: &Directive, text: &str| -> Vec<String> {
        let clauses = directive
            .clauses
            .iter()
            .filter(|clause| !matches!(clause.kind, ClauseKind::Map(_)));
        clauses
            .map(|clause| text[clause.span.start..clause.span.end].to_owned())
            .collect()
    };
    let mut wanted: Vec<_> = new_clauses
        .iter()
        .filter(|c| !c.items.is_empty())
        .map(signature_of_text)
        .collect();
    let mut found: Vec<_> = after.maps().map(|(_, map)| signature(map)).collect();
    wanted.sort();
    found.sort();
    let argument = |directive: &Directive| directive.argument.as_ref().map(|argument| argument.text.clone());
    after.problems.is_empty()
        && after.kind == before.kind
        && argument(&after) == argument(before)
        && others(before, original) == others(&after, result)
        && wanted == found
}

#[cfg(test)]
mod tests;
