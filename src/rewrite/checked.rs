//! What `check` says of texts, for who has written some of them.

use super::configurations::Planning;
use super::member::Member;
use super::planner::Planner;
use super::programs::{PipelineFile, each_program};
use super::progress::Silent;
use super::services::Services;
use super::unit::GivenUnit;
use crate::analysis::module_pointers::ModulePointers;
use crate::plan::{DecisionScope, FilePlan};
use std::cell::RefCell;

/// A program that was checked.
pub(super) struct CheckedProgram {
    /// The places of its files among those that were given, and what was found in each.
    pub files: Vec<(usize, FilePlan)>,
}

/// Who is asked, and of which programs.
pub(super) struct CheckRequest<'r> {
    /// One that writes nothing.
    pub planner: Planner,
    /// Whether a program is wanted, by the places of its files.
    pub wanted: &'r dyn Fn(&[usize]) -> bool,
}

impl CheckRequest<'static> {
    /// What is wrong with all programs.
    pub const FINDINGS: CheckRequest<'static> = CheckRequest {
        planner: Planner::Mappings,
        wanted: &|_| true,
    };
    /// What could be planned anew of all programs.
    pub const REPLACING: CheckRequest<'static> = CheckRequest {
        planner: Planner::Replacing,
        ..CheckRequest::FINDINGS
    };
}

/// What `check` says of the programs that files make.
///
/// # Errors
/// Why it is not known: a file cannot be read, or `check` failed.
pub(super) fn checked<'a>(
    given: Vec<GivenUnit<'a>>,
    services: &Services<'_>,
    request: &CheckRequest<'_>,
) -> Result<(Vec<CheckedProgram>, Vec<PipelineFile<'a>>), String> {
    let services = Services {
        progress: &Silent,
        ..*services
    };
    let (programs, failed) = (RefCell::new(Vec::new()), RefCell::new(None));
    let of_program = |members: &[Member<'_>], pointers: &ModulePointers<'_>| {
        let places: Vec<usize> = members.iter().map(|member| member.at).collect();
        if !(request.wanted)(&places) {
            return Vec::new();
        }
        let planning = Planning {
            members,
            pointers,
            planner: request.planner,
            scope: DecisionScope {
                together: true,
                updates: true,
            },
        };
        let mut program = CheckedProgram { files: Vec::new() };
        for (member, plan) in members.iter().zip(planning.plans()) {
            match plan {
                Ok(plan) => program.files.push((member.at, plan)),
                Err(message) => drop(failed.borrow_mut().get_or_insert(message)),
            }
        }
        programs.borrow_mut().push(program);
        Vec::new()
    };
    let (read, files) = each_program(given, &services, &of_program);
    let mut unread = read.files.iter();
    let unread = unread.find_map(|file| Some(file.as_ref().err()?.to_string()));
    match failed.into_inner().or(unread) {
        Some(message) => Err(message),
        None => Ok((programs.into_inner(), files)),
    }
}
