//! Collectives of MPI and barriers of OpenMP, CUDA and UPC, as findings about the texts of the program.

use super::file_lines::FileLines;
use super::findings::FindingInFile;
use crate::analysis::effects::Effects;
use crate::analysis::known::KnownFunctions;
use crate::analysis::module_pointers::ModulePointers;
use crate::analysis::points_to::{PointsTo, Precision};
use crate::collectives::{
    CodePlace, CollectiveFinding, Judgement, judged_from_start, judged_processes, judged_threads, meet,
};
use crate::multivalued::{AgentKind, SolvedProgram, known_functions, with_teams};
use crate::plan::FileText;
use crate::program::ir::{GlobalId, Module};
use crate::rules::{FindingWay, RelatedPlace, Rule, RuleFinding};
use crate::source::Span;
use rustc_hash::FxHashSet;

/// What was found about the collectives of a program.
#[derive(Default)]
pub struct FoundCollectives {
    pub findings: Vec<FindingInFile>,
    /// Nothing was found out, as there was too much of it.
    pub gave_up: bool,
}

/// The collectives of MPI in a program.
pub fn collectives(pointers: &ModulePointers<'_>, files: &[FileText<'_>]) -> FoundCollectives {
    let module = pointers.module();
    if !meet(module, AgentKind::Processes) {
        return FoundCollectives::default();
    }
    let points_to = pointers.points_to();
    let mut judgement = solved(module, points_to, judged_processes);
    if judgement.gave_up && points_to.precision() != Precision::Addresses {
        // Where pointers from memory may lead anywhere, there is less to follow.
        let coarse = PointsTo::solve_no_finer(module, pointers.known().clone(), Precision::Addresses);
        judgement = solved(module, &coarse, judged_processes);
    }
    in_files(&judgement, Rule::DivergentCollective, files)
}

/// The barriers of a program that is read with its directives ([`crate::llvm::analyse_as`]). What is `known` of its functions is
/// said of the module as it is handed over; its pointers are looked at no more `finely` than is said.
pub fn barriers(
    mut module: Module,
    known: KnownFunctions,
    finely: Precision,
    files: &[FileText<'_>],
) -> FoundCollectives {
    if !meet(&module, AgentKind::Threads) {
        return FoundCollectives::default();
    }
    let bodies = with_teams(&mut module);
    let points_to = PointsTo::solve_no_finer(&module, known, finely);
    let judgement = solved(&module, &points_to, |program| judged_threads(program, bodies));
    in_files(&judgement, Rule::DivergentBarrier, files)
}

/// The barriers of a kernel's file, or of a program of UPC in which each thread has its own of the variables in `own`.
pub fn barriers_from_start(
    module: &Module,
    rule: Rule,
    own: FxHashSet<GlobalId>,
    files: &[FileText<'_>],
) -> FoundCollectives {
    let agents = match rule {
        Rule::DivergentSyncthreads => AgentKind::Block,
        _ => AgentKind::UpcThreads,
    };
    if !meet(module, agents) {
        return FoundCollectives::default();
    }
    let points_to = PointsTo::solve_knowing(module, known_functions(agents, module));
    let judgement = solved(module, &points_to, |program| judged_from_start(program, agents, own));
    in_files(&judgement, rule, files)
}

/// Lets somebody judge a program, with what its functions do.
fn solved(module: &Module, points_to: &PointsTo, judge: impl FnOnce(&SolvedProgram<'_>) -> Judgement) -> Judgement {
    let effects = Effects::solve(module, points_to);
    judge(&SolvedProgram {
        module,
        points_to,
        effects: &effects,
    })
}

fn in_files(judgement: &Judgement, rule: Rule, files: &[FileText<'_>]) -> FoundCollectives {
    let lines = FileLines::new(files);
    let findings = { judgement.findings.iter() }.filter_map(|found| in_file(found, rule, &lines));
    FoundCollectives {
        findings: findings.collect(),
        gave_up: judgement.gave_up,
    }
}

fn in_file(found: &CollectiveFinding, rule: Rule, lines: &FileLines<'_>) -> Option<FindingInFile> {
    let at = found.collective?;
    let mut related: Vec<RelatedPlace> = Vec::new();
    for (place, what) in &found.related {
        let there = lines.of(place.unit as usize).related(span(*place, lines)?, what);
        if !related.contains(&there) {
            related.push(there);
        }
    }
    for (way, steps) in [FindingWay::This, FindingWay::Other].into_iter().zip(&found.ways) {
        for (place, what) in steps {
            let there = lines.of(place.unit as usize).related(span(*place, lines)?, what);
            related.push(RelatedPlace {
                way: Some(way),
                ..there
            });
        }
    }
    let returned = found.if_returned.as_ref().filter(|(jump, _)| {
        let word = span(*jump, lines).and_then(|word| lines.of(jump.unit as usize).text.get(word.start..word.end));
        word == Some(b"return")
    });
    let finding = RuleFinding {
        span: span(at, lines)?,
        rule,
        message: returned.map_or(&found.message, |(_, message)| message).clone(),
        function: found.function.clone(),
        array: String::new(),
        surely: found.surely && returned.is_none(),
        related,
        fix: None,
    };
    Some(FindingInFile {
        unit: at.unit as usize,
        finding,
    })
}

/// The directive at a place, or the word that begins there.
fn span(place: CodePlace, lines: &FileLines<'_>) -> Option<Span> {
    let file = lines.of(place.unit as usize);
    let start = file.lines.offset(crate::source::Position {
        line: place.loc.line,
        column: place.loc.col,
    })?;
    if let Some(pragma) = file.directive_at(start) {
        return Some(pragma);
    }
    let word = file
        .text
        .get(start..)?
        .iter()
        .take_while(|b| b.is_ascii_alphanumeric() || **b == b'_')
        .count();
    Some(Span::new(start, start + word.max(1)))
}
