//! The files of a run whose mappings by hand may be planned anew.

use super::device_clauses::has_data;
use crate::facts::UnitFacts;
use crate::llvm::{self, Input};
use crate::openmp::{ClauseKind, Directive};
use crate::plan::{HandDirectives, PlanOptions};
use crate::rewrite::programs::PipelineFile;
use crate::rewrite::services::Services;
use crate::rewrite::unit::{GivenUnit, Rewritten, Unit};

/// A run whose files may have mappings by hand.
#[derive(Clone, Copy)]
pub(in crate::rewrite) struct Replanning<'r, 'a> {
    pub units: &'r [(Unit<'a>, bool)],
    pub files: &'r [PipelineFile<'a>],
    pub services: &'r Services<'a>,
    /// What rewrites files.
    pub rewrite: &'r dyn for<'g> Fn(Vec<GivenUnit<'g>>) -> Rewritten,
}

/// Whether directives that somebody wrote may go: what is estimated is no promise that no path copies more.
pub(super) fn may_go(options: &PlanOptions) -> bool {
    options.hand_directives == HandDirectives::MayGo && options.speculate
}

impl<'a> Replanning<'_, 'a> {
    /// Whether a file has directives that another plan could do without, or that name a device.
    pub fn could_change(&self, file: &PipelineFile<'_>) -> bool {
        let may_go = may_go(&file.unit.options.plan);
        let mut directives = file
            .read
            .tree()
            .pragmas
            .iter()
            .filter_map(|p| Directive::parse(&p.text));
        let names_device = |d: &Directive| d.clauses.iter().any(|c| matches!(c.kind, ClauseKind::Device { .. }));
        directives.any(|d| names_device(&d) || (may_go && has_data(&d)))
    }

    pub fn given<'t>(&self, at: usize, text: &'t [u8], facts: Option<UnitFacts>) -> GivenUnit<'t>
    where
        'a: 't,
    {
        let (unit, context) = self.units[at];
        GivenUnit {
            unit: Unit { text, ..unit },
            facts,
            context,
        }
    }

    pub fn read(&self, at: usize) -> Option<&PipelineFile<'a>> {
        self.files.iter().find(|f| f.at == at)
    }

    /// What is known of a file as it is.
    pub fn known(&self, at: usize) -> Option<UnitFacts> {
        self.read(at).map(PipelineFile::facts)
    }

    /// Whether clang accepts a text in a file's place.
    pub fn accepts(&self, at: usize, text: &[u8]) -> bool {
        let unit = self.units[at].0;
        let input = Input::text(unit.path, text);
        llvm::syntax_only(&unit.options.clang, &input, &unit.options.compile, true).is_ok()
    }
}
