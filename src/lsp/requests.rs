//! Questions of the editor that wait until something is known of the text as it is.
//!
//! ```text
//! edit (version 2) ─► hover ─► … waits … ─► run about version 2 ─► answer
//!                       └── $/cancelRequest ─► no answer, and why
//! ```
//!
//! So no answer is about a text that the editor no longer shows.

use super::actions::{self, ActionContext};
use super::client::EditorAbilities;
use super::diagnostics::DiagnosticWriter;
use super::documentation::DocumentationAddress;
use super::documents::{Documents, OpenDocument};
use super::edits::EditWriter;
use super::hover;
use super::programs::{OpenProgram, Programs};
use super::worker::RunHalf;
use lsp_server::RequestId;
use lsp_types::{CodeActionOrCommand, CodeActionParams, HoverParams};
use serde_json::{Value, json};

/// What the editor asks.
#[derive(Clone, Debug)]
pub enum EditorQuestion {
    /// What is at a place?
    Hover(HoverParams),
    /// What can be changed there?
    Actions(CodeActionParams),
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
        let (uri, needs) = match asked {
            EditorQuestion::Hover(params) => (&params.text_document_position_params.text_document.uri, RunHalf::Check),
            EditorQuestion::Actions(params) => (&params.text_document.uri, RunHalf::Rewrite),
        };
        let document = self.documents.named(uri);
        let program = document.and_then(|d| self.programs.of(d.program.as_deref()?));
        let (Some(document), Some(program)) = (document, program) else {
            return AnswerNow::Said(Value::Null);
        };
        if !program.holds(needs) {
            return AnswerNow::Later;
        }
        match asked {
            EditorQuestion::Hover(params) => self.hover(params, document, program),
            EditorQuestion::Actions(params) => self.actions(params, document, program),
        }
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
        let writer = EditWriter {
            documents: self.documents,
            with_versions: self.abilities.versioned_edits,
        };
        let analyses = || program.checked.iter().chain(&program.rewritten);
        let mut changed = offered.iter().flat_map(|offer| &offer.files);
        let is_other = changed.any(|file| {
            let mut known = analyses().filter_map(|analysis| analysis.of(&file.path));
            known.any(|known| !writer.holds(&file.path, &known.old))
        });
        if is_other {
            return AnswerNow::Outdated;
        }
        let only = params.context.only.as_deref();
        let actions: Vec<CodeActionOrCommand> = actions::wanted(offered, only, &writer);
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
