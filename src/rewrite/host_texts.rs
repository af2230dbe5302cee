//! Annotating texts whose loops have pragmas for the host: with these pragmas hidden, as long as all loops that lose theirs become kernels.
//!
//! ```text
//! hide all ─► annotate ─► loops without a kernel get their pragmas back ─┬─► some did: annotate again
//!                                                                        └─► none did: the pragmas that stay, back in what was made
//! ```
//!
//! **Invariant.** A text that is handed out was made of one in which exactly those pragmas were hidden that it has not got, or has where they mean the same; and
//! clang accepts it.

use super::host_pragmas::{HostPragmas, KernelLoop};
use super::progress::Silent;
use super::services::Services;
use super::unit::{GivenUnit, Outcome, Rewritten, ToolOptions, Unit};
use crate::facts::Store;
use crate::llvm::{self, Input};
use crate::plan::{Change, Decision, Note};
use crate::reasons::{Reason, Serial};
use crate::source::Span;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A file, and what is hidden of it.
struct HostText<'a> {
    unit: Unit<'a>,
    context: bool,
    pragmas: HostPragmas,
}

/// The files of a run.
pub(super) struct HostTexts<'a>(Vec<HostText<'a>>);

impl<'a> HostTexts<'a> {
    /// The files with all that can be hidden.
    pub fn of(units: impl Iterator<Item = (Unit<'a>, bool)>) -> HostTexts<'a> {
        let text = |(unit, context): (Unit<'a>, bool)| HostText {
            unit,
            context,
            pragmas: match context {
                true => HostPragmas::default(),
                false => HostPragmas::of(unit.text),
            },
        };
        HostTexts(units.map(text).collect())
    }

    /// Whether nothing is hidden.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|text| text.pragmas.is_empty())
    }

    /// What `annotate` makes of them; `None` where the pragmas that stay do not go with that.
    pub fn annotated(
        mut self,
        services: &Services<'_>,
        annotate: &dyn for<'g> Fn(Vec<GivenUnit<'g>>, &Services<'g>) -> Rewritten,
    ) -> Option<Rewritten> {
        let store = Store::none();
        let mut services = *services;
        // What was said of loops whose pragmas were hidden.
        let mut said: Vec<BTreeMap<Span, Note>> = self.0.iter().map(|_| BTreeMap::new()).collect();
        loop {
            let hidden: Vec<Vec<u8>> = self
                .0
                .iter()
                .map(|text| text.pragmas.hidden_in(text.unit.text))
                .collect();
            let options: Vec<ToolOptions> = self.0.iter().map(HostText::options).collect();
            let given = self
                .0
                .iter()
                .zip(&hidden)
                .zip(&options)
                .map(|((text, hidden), options)| GivenUnit {
                    unit: Unit {
                        text: hidden,
                        options,
                        ..text.unit
                    },
                    facts: None,
                    context: text.context,
                });
            let mut made = annotate(given.collect(), &services);
            for (said, outcome) in said.iter_mut().zip(&mut made.files) {
                if let Ok(outcome) = outcome {
                    with_what_was_said(outcome, said);
                }
            }
            let kernels: Vec<Vec<KernelLoop>> = made
                .files
                .iter()
                .map(|file| file.as_ref().map_or_else(|_| Vec::new(), kernels))
                .collect();
            let each = self.0.iter_mut().zip(&kernels);
            let kept: Vec<bool> = each.map(|(text, kernels)| text.pragmas.keep_of(kernels)).collect();
            if !kept.contains(&true) {
                return self.with_pragmas(made, &kernels);
            }
            // Who waits has been told of these files.
            services = Services {
                store: &store,
                progress: &Silent,
            };
        }
    }

    /// What was made, with the pragmas that stay.
    fn with_pragmas(self, mut made: Rewritten, kernels: &[Vec<KernelLoop>]) -> Option<Rewritten> {
        for ((text, outcome), kernels) in self.0.iter().zip(&mut made.files).zip(kernels) {
            let Ok(outcome) = outcome else { continue };
            let Some(new) = outcome.new_text.take().filter(|_| !text.context) else {
                continue;
            };
            let new = text.pragmas.back_in(text.unit.text, &new, kernels)?;
            text.accepts(&new).then_some(())?;
            outcome.new_text = Some(new);
        }
        Some(made)
    }
}

impl HostText<'_> {
    /// How the file is rewritten, with what its pragmas say of loops.
    fn options(&self) -> ToolOptions {
        let mut options = self.unit.options.clone();
        options.plan.threaded = Arc::new(self.pragmas.threaded(self.unit.text));
        options
    }

    /// Whether clang accepts a text in the file's place.
    fn accepts(&self, text: &[u8]) -> bool {
        let options = self.unit.options;
        let input = Input::text(self.unit.path, text);
        self.pragmas.is_empty() || llvm::syntax_only(&options.clang, &input, &options.compile, true).is_ok()
    }
}

/// Says of loops with pragmas what was said of them without, and remembers what is said of the others.
fn with_what_was_said(outcome: &mut Outcome, said: &mut BTreeMap<Span, Note>) {
    let has_pragma = Reason::from(Serial::Annotated).kind().id;
    for remark in &mut outcome.remarks {
        if remark.id.as_deref() != Some(has_pragma) {
            said.insert(remark.span, remark.clone());
        } else if let Some(before) = said.get(&remark.span) {
            remark.clone_from(before);
        }
    }
    outcome.remarks.sort();
    outcome.remarks.dedup();
}

/// The loops that became kernels: a decision has a reason for each, in their order.
fn kernels(outcome: &Outcome) -> Vec<KernelLoop> {
    let collapse = |change: &Change| {
        let Change::Kernel { clauses, .. } = change else {
            return None;
        };
        let number = |clause: &String| clause.strip_prefix("collapse(")?.strip_suffix(')')?.parse().ok();
        Some(clauses.iter().find_map(number).unwrap_or(1))
    };
    let of_decision = |decision: &Decision| -> Vec<KernelLoop> {
        let depths = decision.changes.iter().filter_map(collapse);
        let each = decision.reasons.iter().zip(depths);
        let kernel = |(reason, collapse): (&Note, usize)| KernelLoop {
            span: reason.span,
            collapse,
        };
        each.map(kernel).collect()
    };
    outcome.decisions.iter().flat_map(of_decision).collect()
}
