//! Where functions are marked that kernels call, in OpenACC.
//!
//! ```c
//! #pragma acc routine seq
//! static double cube(double x);
//! …                                      kernels that call cube
//! static double cube(double x) { … }
//! ```
//!
//! The directive belongs to the declaration after it, and has to come before the function is used or defined (gcc says
//! "must be applied before use"). So it stands before the first place at which the file names the function: its
//! definition, or a prototype that declares nothing else. Where the first place is none of these, there is no way to
//! write it.

use super::content::{Content, DecisionRefusal};
use super::emitter::LINES;
use super::{TextToWrite, wording};
use crate::reasons::Wording;
use crate::source::{Edit, Span};
use crate::syntax::{identifiers, plain};

/// The edits that mark functions, each with the decision it belongs to.
pub fn edits(page: &TextToWrite<'_>, content: &Content) -> Result<Vec<(Edit, usize)>, DecisionRefusal> {
    if content.routines.is_empty() {
        return Ok(Vec::new());
    }
    let code = plain(page.text.bytes).text;
    let names = identifiers(&code, Span::new(0, code.len()));
    let mut edits = Vec::new();
    for (name, by) in &content.routines {
        let first = names
            .iter()
            .find(|(n, _)| n == name)
            .map_or(Span::default(), |(_, at)| *at);
        let text = &page.text;
        let start = declaration(page, &code, first).filter(|s| {
            let line = text.line_start(*s);
            text.is_first(*s) && !text.is_continued(line)
        });
        let Some(start) = start else {
            let name = name.clone();
            return Err(DecisionRefusal::new(*by, first, Wording::NoDeclaration { name }));
        };
        let line = wording::routine(&page.habits, text.indentation(start));
        let line = format!("{line}{}", page.habits.eol);
        edits.push((Edit::insert(text.line_start(start), LINES, line), *by));
    }
    Ok(edits)
}

/// Where the declaration of the function that is named at `name` starts. `code` is the text without directives and
/// comments.
fn declaration(page: &TextToWrite<'_>, code: &[u8], name: Span) -> Option<usize> {
    let functions = &page.tree.functions;
    if let Some(f) = functions.iter().find(|f| f.name_span == name) {
        return Some(f.span.start);
    }
    let inside = functions
        .iter()
        .any(|f| f.span.start <= name.start && name.end <= f.span.end);
    // A prototype: words and `*`, the name, parameters, and the end.
    let ends = |b: &u8| matches!(b, b';' | b'{' | b'}');
    let from = code[..name.start].iter().rposition(ends).map_or(0, |at| at + 1);
    let specifiers = &code[from..name.start];
    let word = |b: &u8| b.is_ascii_alphanumeric() || b.is_ascii_whitespace() || b"_*".contains(b);
    let blanks = specifiers.iter().take_while(|b| b.is_ascii_whitespace()).count();
    let rest = &code[name.end..];
    let rest = &rest[..rest.iter().position(ends)?];
    let parameters = rest.trim_ascii();
    let one = parameters.starts_with(b"(")
        && parameters.ends_with(b")")
        && parameters.iter().filter(|b| **b == b'(').count() == 1;
    let ended = code.get(name.end + rest.len()) == Some(&b';');
    let declares = !inside && one && ended && blanks < specifiers.len() && specifiers.iter().all(word);
    declares.then_some(from + blanks)
}
