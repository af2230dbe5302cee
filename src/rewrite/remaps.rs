//! New `map` clauses for kernels.

use super::TextToWrite;
use super::content::{Content, DecisionRefusal};
use super::indent::Indents;
use super::wording;
use crate::reasons::Wording;
use crate::source::Edit;

/// The edits that exchange map clauses, each with the decision it belongs to. Pragmas that already say the same get none.
pub fn edits(
    page: &TextToWrite<'_>,
    content: &Content,
    indents: &Indents<'_>,
) -> Result<Vec<(Edit, usize)>, DecisionRefusal> {
    let mut edits = Vec::new();
    for (id, (maps, by)) in &content.remaps {
        let pragma = page.tree.pragma(*id);
        let refuse = |reason: Wording| DecisionRefusal::new(*by, pragma.span, reason);
        if pragma.operator {
            return Err(refuse(Wording::Operator));
        }
        let Ok(raw) = std::str::from_utf8(&page.text.bytes[pragma.span.start..pragma.span.end]) else {
            return Err(refuse(Wording::NotUtf8));
        };
        let indent = page.text.indentation(pragma.span.start);
        let new = wording::remap(&page.habits, indent, raw, maps)
            .map_err(|p| refuse(Wording::NotTakenApart { problem: p.message }))?;
        if new != raw {
            let deeper = page.habits.unit.repeat(indents.steps_at(pragma.span.start));
            // Lines that the pragma goes on over move with it.
            let new = new.replace('\n', &format!("\n{deeper}"));
            edits.push((Edit::replace(pragma.span, new), *by));
        }
    }
    Ok(edits)
}
