//! Questions of the editor that wait until something is known of the text as it is.
//!
//! ```text
//! edit (version 2) ─► hover ─► … waits … ─► run about version 2 ─► answer
//!                       └── $/cancelRequest ─► no answer, and why
//! ```
//!
//! So no answer is about a text that the editor no longer shows.

use super::actions;
use super::analyst::ProgramAnalysis;
use super::client::EditorAbilities;
use super::diagnostics::DiagnosticWriter;
use super::documentation::DocumentationAddress;
use super::documents::{Documents, OpenDocument};
use super::edits::{EditWriter, FileEdits};
use super::hover;
use super::offers::{ActionContext, OfferedDecision};
use super::programs::{OpenProgram, Programs};
use super::worker::RunPart;
use lsp_server::RequestId;
use lsp_types::{CodeAction, CodeActionOrCommand, CodeActionParams, HoverParams};
use serde_json::{Value, json};
use std::path::PathBuf;

/// What the editor asks.
#[derive(Clone, Debug)]
pub enum EditorQuestion {
    /// What is at a place?
    Hover(HoverParams),
    /// What can be changed there?
    Actions(CodeActionParams),
    /// What does an action change that was offered for a decision?
    Decision(Box<CodeAction>, OfferedDecision),
}

/// A question that is not answered yet.
#[derive(Clone, Debug)]
pub struct WaitingRequest {
    pub id: RequestId,
    pub asked: EditorQuestion,
}

/// What comes of a question now.
pub enum AnswerNow {
    /// An answer.
    Said(Value),
    /// Nothing is known yet.
    Later,
    /// Nothing is known until somebody asks for it of a program.
    Order(PathBuf, RunPart),
    /// There is no answer, and why.
    Refused(String),
    /// What is known is about other texts than those on the disk: the program is to be looked at again.
    Outdated,
}

/// All that answers are made of.
pub struct Answering<'a> {
    pub documents: &'a Documents,
    pub programs: &'a Programs,
    pub abilities: EditorAbilities,
    pub documentation: &'a DocumentationAddress,
}

impl Answering<'_> {
    /// The answer to a question, if there is one yet.
    pub fn answer(&self, asked: &EditorQuestion) -> AnswerNow {
        let (document, needs) = match asked {
            EditorQuestion::Hover(params) => {
                let uri = &params.text_document_position_params.text_document.uri;
                (self.documents.named(uri), RunPart::Check)
            }
            EditorQuestion::Actions(params) => (self.documents.named(&params.text_document.uri), RunPart::Rewrite),
            EditorQuestion::Decision(_, offered) => (self.documents.of(&offered.file), RunPart::Rewrite),
        };
        let program = document.and_then(|d| self.programs.of(d.program.as_deref()?));
        let (Some(document), Some(program)) = (document, program) else {
            return AnswerNow::Said(Value::Null);
        };
        if !program.holds(&needs) {
            return AnswerNow::Later;
        }
        match asked {
            EditorQuestion::Hover(params) => self.hover(params, document, program),
            EditorQuestion::Actions(params) => self.actions(params, document, program),
            EditorQuestion::Decision(action, offered) => self.decision(action, offered, program),
        }
    }

    fn decision(&self, action: &CodeAction, offered: &OfferedDecision, program: &OpenProgram) -> AnswerNow {
        let analysis = match program.decided.get(&offered.decision) {
            Some(Ok(analysis)) => analysis,
            Some(Err(why)) => return AnswerNow::Refused(why.clone()),
            None => {
                let part = RunPart::Decision(offered.decision.clone());
                return AnswerNow::Order(program.files.id.clone(), part);
            }
        };
        let edits = actions::of_decision(offered, analysis, self.abilities.encoding).unwrap_or_default();
        let writer = self.writer();
        if self.is_about_others(&writer, edits.iter(), [analysis]) {
            return AnswerNow::Outdated;
        }
        match writer.written(&edits).filter(|_| !edits.is_empty()) {
            Some(edit) => AnswerNow::Said(json!(CodeAction {
                edit: Some(edit),
                ..action.clone()
            })),
            None => AnswerNow::Refused(format!("nothing comes of {} alone", offered.decision)),
        }
    }

    fn writer(&self) -> EditWriter<'_> {
        EditWriter {
            documents: self.documents,
            with_versions: self.abilities.versioned_edits,
        }
    }

    /// Whether files that are to be changed hold other texts than those that were looked at.
    fn is_about_others<'e, 'p>(
        &self,
        writer: &EditWriter<'_>,
        mut changed: impl Iterator<Item = &'e FileEdits>,
        analyses: impl IntoIterator<Item = &'p ProgramAnalysis> + Clone,
    ) -> bool {
        changed.any(|file| {
            let known = analyses.clone().into_iter();
            let mut known = known.filter_map(|analysis| analysis.of(&file.path));
            known.any(|known| !writer.holds(&file.path, &known.old))
        })
    }

    fn hover(&self, params: &HoverParams, document: &OpenDocument, program: &OpenProgram) -> AnswerNow {
        let place = params.text_document_position_params.position;
        let rewritten = program.rewritten.as_ref().filter(|_| program.rewrite_holds);
        let known = program.checked.iter().chain(rewritten);
        let known: Vec<_> = known.filter_map(|analysis| analysis.of(&document.path)).collect();
        AnswerNow::Said(json!(hover::at(place, &known, self.abilities.encoding)))
    }

    fn actions(&self, params: &CodeActionParams, document: &OpenDocument, program: &OpenProgram) -> AnswerNow {
        let context = ActionContext {
            path: &document.path,
            range: params.range,
            checked: program.checked.as_ref(),
            rewritten: program.rewritten.as_ref(),
            diagnostics: self.diagnostics(),
        };
        let offered = actions::titled(&context);
        let writer = self.writer();
        let analyses = program.checked.iter().chain(&program.rewritten);
        let changed = offered.iter().flat_map(|offer| &offer.files);
        if self.is_about_others(&writer, changed, analyses) {
            return AnswerNow::Outdated;
        }
        let only = params.context.only.as_deref();
        let mut actions: Vec<CodeActionOrCommand> = actions::wanted(offered, only, &writer);
        if self.abilities.resolves_edits {
            actions.extend(actions::later(&context, only));
        }
        AnswerNow::Said(json!(actions))
    }

    /// Writes diagnostics as the editor wants them.
    pub fn diagnostics(&self) -> DiagnosticWriter<'_> {
        DiagnosticWriter {
            encoding: self.abilities.encoding,
            documentation: self.documentation,
            related: self.abilities.related,
        }
    }
}
