//! Blocks that nothing but a directive has asked for: their braces go with it.
//!
//! ```c
//! for (…) {                                                        for (…) {
//!     #pragma omp target data map(tofrom: a[0:n])                      #pragma omp target …
//!     {                                                   ──►          for (…) a[i] += 1;
//!         #pragma omp target …                                     }
//!         for (…) a[i] += 1;
//!     }
//! }
//! ```
//!
//! A comment stands in the block while the text is planned. Where another directive has come to the block by then, that has use for the braces.

use crate::rewrite::text::Text;
use crate::source::{Edit, EditSet, Span};
use crate::syntax::{PragmaId, ScopeTree, StmtKind, blank, token_spans};

/// What every such comment begins with.
const MARKER: &str = "/*~block*/";

/// The comment that is to stand in the block of a directive that goes, if it has one that would be left for nothing.
pub(super) fn comment_in(text: &Text<'_>, tree: &ScopeTree, pragma: PragmaId) -> Option<Edit> {
    let directive = tree.pragma(pragma);
    let block = directive.before?;
    let node = tree.stmt(block);
    let is_block = node.kind == StmtKind::Block;
    let within_block = node.parent.is_some_and(|p| tree.stmt(p).kind == StmtKind::Block);
    // Another pragma may have to do with the block, too.
    let is_only = tree.pragmas.iter().filter(|p| p.before == Some(block)).count() == 1;
    let has_marker = find(text.bytes).is_some();
    let is_for_nothing = is_block && within_block && is_only && !has_marker && node.declarations.is_empty();
    is_for_nothing.then(|| Edit::insert(node.span.start + 1, 0, MARKER))
}

/// Where the first such comment stands.
fn find(text: &[u8]) -> Option<usize> {
    text.windows(MARKER.len()).position(|there| there == MARKER.as_bytes())
}

/// The text without the comments, and without the braces behind those that no directive stands at any more.
pub(super) fn without_braces(text: Vec<u8>) -> Option<Vec<u8>> {
    let mut text = text;
    while let Some(at) = find(&text) {
        text.drain(at..at + MARKER.len());
        let mut edits = EditSet::new();
        let block = bare_block(&Text::new(&text), at.checked_sub(1)?);
        block
            .into_iter()
            .flatten()
            .try_for_each(|span| edits.delete(span))
            .ok()?;
        text = edits.apply(&text);
    }
    Some(text)
}

/// What goes of a block with this brace, if no directive is about it: the lines of its braces, and what its lines are indented more; nothing where
/// it is not laid out like that.
fn bare_block(page: &Text<'_>, brace: usize) -> Option<Vec<Span>> {
    let blanked = blank(page.bytes, &[]);
    let line = page.line_start(brace);
    if blanked.pragmas.iter().any(|p| page.next_line(p.span.end) == line) {
        return None;
    }
    let all = Span::new(brace, page.bytes.len());
    let mut depth = 0_usize;
    let mut braces = Vec::new();
    for token in token_spans(&blanked.text, all) {
        match &blanked.text[token.start..token.end] {
            b"{" => depth += 1,
            b"}" => depth = depth.checked_sub(1)?,
            _ if depth == 0 => return None,
            _ => continue,
        }
        if braces.is_empty() || depth == 0 {
            braces.push(Span::new(page.line_start(token.start), page.next_line(token.start)));
        }
        if depth == 0 {
            break;
        }
    }
    let [open, close] = braces.as_slice() else { return None };
    let is_alone = |line: &Span, brace: &[u8]| page.bytes[line.start..line.end].trim_ascii() == brace;
    if !is_alone(open, b"{") || !is_alone(close, b"}") {
        return None;
    }
    let mut goes = vec![*open, *close];
    let outer = page.indentation(open.start);
    let mut deeper: Option<&str> = None;
    let mut line = open.end;
    while line < close.start {
        let next = page.next_line(line);
        let content = &page.bytes[line..next];
        let indent = page.indentation(line);
        let is_pragma = content.trim_ascii().starts_with(b"#");
        // What a string goes on with is part of it, blanks and all.
        let in_pragma = blanked.pragmas.iter().any(|p| p.span.start < next && line < p.span.end);
        if !in_pragma && (content.trim_ascii_end().ends_with(b"\\") || page.is_continued(line)) {
            return None;
        }
        if !(content.trim_ascii().is_empty() || is_pragma && indent.is_empty()) {
            let step = *deeper.get_or_insert(indent.strip_prefix(outer)?);
            indent.strip_prefix(outer)?.strip_prefix(step)?;
            goes.push(Span::new(line + outer.len(), line + outer.len() + step.len()));
        }
        line = next;
    }
    Some(goes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(text: &str) -> String {
        let text = without_braces(text.as_bytes().to_vec()).expect("a text");
        String::from_utf8(text).expect("UTF-8")
    }

    #[test]
    fn braces_go_where_no_directive_stands() {
        let bare =
            "{\n    {/*~block*/\n        a;\n\n#pragma x\n        if (b) {\n            c;\n        }\n    }\n}\n";
        let without = "{\n    a;\n\n#pragma x\n    if (b) {\n        c;\n    }\n}\n";
        assert_eq!(settled(bare), without);
        let held = "{\n    #pragma omp target data map(a)\n    {/*~block*/\n        a;\n    }\n}\n";
        assert_eq!(settled(held), held.replace("/*~block*/", ""));
        let both = "{\n    #pragma omp target data map(a)\n    {\n        {/*~block*/\n            a;\n        }\n        b;\n    }\n}\n";
        let one = "{\n    #pragma omp target data map(a)\n    {\n        a;\n        b;\n    }\n}\n";
        assert_eq!(settled(both), one);
    }

    #[test]
    fn braces_that_are_laid_out_otherwise_stay() {
        for block in [
            " a;\n    }\n",
            "\n  a;\n      b;\n    }\n",
            "\n        a(\"x\\\n        y\");\n    }\n",
        ] {
            assert_eq!(settled(&format!("    {{/*~block*/{block}")), format!("    {{{block}"));
        }
    }
}
