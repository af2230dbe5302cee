//! Collectives of MPI, as findings about the texts of the program.

use super::file_lines::FileLines;
use super::findings::FindingInFile;
use crate::analysis::effects::Effects;
use crate::analysis::module_pointers::ModulePointers;
use crate::collectives::{CodePlace, CollectiveFinding, has_collectives, judged};
use crate::rules::{RelatedPlace, Rule, RuleFinding};
use crate::source::Span;

/// What was found about the collectives of a program.
#[derive(Default)]
pub struct FoundCollectives {
    pub findings: Vec<FindingInFile>,
    /// Nothing was found out, as there was too much of it.
    pub gave_up: bool,
}

/// Looks at the collectives of a program.
pub fn collectives(pointers: &ModulePointers<'_>, lines: &FileLines<'_>) -> FoundCollectives {
    let module = pointers.module();
    if !has_collectives(module) {
        return FoundCollectives::default();
    }
    let points_to = pointers.points_to();
    let judgement = judged(module, points_to, &Effects::solve(module, points_to));
    FoundCollectives {
        findings: judgement
            .findings
            .iter()
            .filter_map(|found| in_file(found, lines))
            .collect(),
        gave_up: judgement.gave_up,
    }
}

fn in_file(found: &CollectiveFinding, lines: &FileLines<'_>) -> Option<FindingInFile> {
    let at = found.collective?;
    let mut related: Vec<RelatedPlace> = Vec::new();
    for (place, what) in &found.related {
        let there = lines.of(place.unit as usize).related(span(*place, lines)?, what);
        if !related.contains(&there) {
            related.push(there);
        }
    }
    let finding = RuleFinding {
        span: span(at, lines)?,
        rule: Rule::DivergentCollective,
        message: found.message.clone(),
        function: found.function.clone(),
        array: String::new(),
        surely: found.surely,
        related,
        fix: None,
    };
    Some(FindingInFile {
        unit: at.unit as usize,
        finding,
    })
}

/// The word that begins at a place.
fn span(place: CodePlace, lines: &FileLines<'_>) -> Option<Span> {
    let file = lines.of(place.unit as usize);
    let start = file.lines.offset(crate::source::Position {
        line: place.loc.line,
        column: place.loc.col,
    })?;
    let word = file
        .text
        .get(start..)?
        .iter()
        .take_while(|b| b.is_ascii_alphanumeric() || **b == b'_')
        .count();
    Some(Span::new(start, start + word.max(1)))
}
