//! What the editor says, message by message.
//!
//! ```text
//! didOpen, didChange, didSave, didClose ─► texts, and when their program is due
//! hover, codeAction, …/resolve ─────────► questions that wait
//! shutdown, exit ───────────────────────► the end: well, if in this order
//! ```
//!
//! A message that makes no sense is written into the log, and a question that does not is refused: nothing ends the server but `exit`.

use super::offers::OfferedDecision;
use super::requests::{EditorQuestion, WaitingRequest};
use super::run_progress::token_of;
use super::server::{PAUSE, Server};
use crate::panics;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId};
use lsp_types::notification::{
    Cancel, DidChangeConfiguration, DidChangeTextDocument, DidChangeWatchedFiles, DidChangeWorkspaceFolders,
    DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument, Exit, Notification as _, WorkDoneProgressCancel,
};
use lsp_types::request::{CodeActionRequest, CodeActionResolveRequest, HoverRequest, Request as _, Shutdown};
use lsp_types::{
    CancelParams, CodeAction, DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, NumberOrString, WorkDoneProgressCancelParams,
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::time::Instant;

/// The editor at work.
pub struct Hearing {
    pub server: Server,
    /// The editor has said that it will say `exit`.
    shutting_down: bool,
}

impl Hearing {
    pub fn new(server: Server) -> Hearing {
        Hearing {
            server,
            shutting_down: false,
        }
    }

    /// Hears a message; `Some` when that was the last one: whether it ends as it should.
    pub fn hear(&mut self, message: Message) -> Option<bool> {
        match message {
            Message::Notification(said) if said.method == Exit::METHOD => return Some(self.shutting_down),
            Message::Notification(said) => {
                let method = said.method.clone();
                self.server.log.say(&method);
                if let Err(message) = panics::guarded(AssertUnwindSafe(|| self.told(said))) {
                    self.server.log.say(&format!("{method}: internal error: {message}"));
                }
            }
            Message::Request(request) => {
                let id = request.id.clone();
                self.server.log.say(&format!("{} ({id})", request.method));
                if let Err(message) = panics::guarded(AssertUnwindSafe(|| self.asked(request))) {
                    self.server.refuse_for_panic(id, &message);
                }
            }
            Message::Response(response) => {
                if let Err(error) = response.response_result {
                    self.server.log.say(&format!("the editor says no: {}", error.message));
                }
            }
        }
        None
    }

    fn asked(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let server = &mut self.server;
        if self.shutting_down {
            return server
                .client
                .refuse(id, ErrorCode::InvalidRequest, "the server is shutting down");
        }
        let asked = match method.as_str() {
            Shutdown::METHOD => {
                self.shutting_down = true;
                return server.client.answer(id, Value::Null);
            }
            HoverRequest::METHOD => read(params).map(EditorQuestion::Hover),
            CodeActionRequest::METHOD => read(params).map(EditorQuestion::Actions),
            CodeActionResolveRequest::METHOD => read(params).and_then(|action: CodeAction| {
                let offered = OfferedDecision::of(&action)?;
                Ok(EditorQuestion::Decision(Box::new(action), offered))
            }),
            other => {
                let why = format!("there is no method `{other}` here");
                return server.client.refuse(id, ErrorCode::MethodNotFound, &why);
            }
        };
        match asked {
            Ok(asked) => server.waiting.push(WaitingRequest { id, asked }),
            Err(why) => server.client.refuse(id, ErrorCode::InvalidParams, &why),
        }
    }

    fn told(&mut self, said: Notification) {
        let Notification { method, params } = said;
        if self.shutting_down {
            return;
        }
        let done = match method.as_str() {
            DidOpenTextDocument::METHOD => read(params).map(|params| self.opened(params)),
            DidChangeTextDocument::METHOD => read(params).map(|params| self.changed(params)),
            DidSaveTextDocument::METHOD => read(params).map(|params| self.saved(&params)),
            DidCloseTextDocument::METHOD => read(params).map(|params| self.closed(&params)),
            DidChangeWatchedFiles::METHOD => read(params).map(|params| self.changed_on_disk(&params)),
            DidChangeConfiguration::METHOD | DidChangeWorkspaceFolders::METHOD => {
                self.server.find_programs(Instant::now());
                Ok(())
            }
            Cancel::METHOD => read(params).map(|params| self.cancelled(params)),
            WorkDoneProgressCancel::METHOD => read(params).map(|params| self.run_cancelled(&params)),
            _ => Ok(()),
        };
        if let Err(why) = done {
            self.server.log.say(&format!("{method}: {why}"));
        }
    }

    fn opened(&mut self, params: DidOpenTextDocumentParams) {
        let server = &mut self.server;
        let Some(document) = server.documents.open(params.text_document) else {
            return;
        };
        let (path, unsaved) = (document.path.clone(), document.is_unsaved());
        let own = server.find_program(&path);
        if unsaved {
            return server.outdate_all_with(&path, own.as_deref(), Instant::now());
        }
        let Some(id) = own else { return };
        let run = server.programs.run.as_ref();
        let looked_at = run.is_some_and(|run| run.program == id && !run.state.is_given_up());
        let program = server.programs.of(&id);
        let known = program.is_some_and(|program| program.check_holds || program.due.is_some());
        match known || looked_at {
            true => server.publish(&id),
            false => server.programs.outdate(&id, Instant::now()),
        }
    }

    fn changed(&mut self, params: DidChangeTextDocumentParams) {
        let server = &mut self.server;
        let (named, encoding) = (params.text_document, server.client.abilities.encoding);
        let changes = params.content_changes;
        let changed = server.documents.change(&named.uri, named.version, changes, encoding);
        let Some(document) = changed else { return };
        let (path, own) = (document.path.clone(), document.program.clone());
        server.outdate_all_with(&path, own.as_deref(), Instant::now() + PAUSE);
    }

    fn saved(&mut self, params: &DidSaveTextDocumentParams) {
        let server = &mut self.server;
        let own = server
            .documents
            .named(&params.text_document.uri)
            .and_then(|d| d.program.clone());
        let Some(program) = own.and_then(|id| server.programs.of_mut(&id)) else {
            return;
        };
        // Of a text that was looked at before it was saved everything is known already.
        program.due = program.due.map(|_| Instant::now());
    }

    fn closed(&mut self, params: &DidCloseTextDocumentParams) {
        let server = &mut self.server;
        let Some(document) = server.documents.close(&params.text_document.uri) else {
            return;
        };
        server.client.publish(document.uri.clone(), None, Vec::new());
        let own = document.program.as_ref();
        let is_left = |id: &&PathBuf| server.documents.all().all(|d| d.program.as_ref() != Some(*id));
        if let Some(id) = own.filter(is_left) {
            server.programs.close(id);
        }
        if document.is_unsaved() {
            server.outdate_all_with(&document.path, own.map(PathBuf::as_path), Instant::now());
        }
    }

    fn changed_on_disk(&mut self, params: &DidChangeWatchedFilesParams) {
        let server = &mut self.server;
        // What is open the editor says itself.
        let others = { params.changes.iter() }.any(|change| server.documents.named(&change.uri).is_none());
        if others {
            server.find_programs(Instant::now() + PAUSE);
        }
    }

    fn cancelled(&mut self, params: CancelParams) {
        let id = match params.id {
            NumberOrString::Number(number) => RequestId::from(number),
            NumberOrString::String(text) => RequestId::from(text),
        };
        let server = &mut self.server;
        if let Some(at) = server.waiting.iter().position(|waiting| waiting.id == id) {
            server.waiting.remove(at);
            server
                .client
                .refuse(id, ErrorCode::RequestCanceled, "the editor has cancelled it");
        }
    }

    /// Somebody does not want to wait for a run: nothing is known of its program until it changes.
    fn run_cancelled(&mut self, params: &WorkDoneProgressCancelParams) {
        let server = &mut self.server;
        let NumberOrString::String(token) = &params.token else {
            return;
        };
        let Some(run) = server.programs.run.as_ref().filter(|run| token_of(run) == *token) else {
            return;
        };
        let id = run.program.clone();
        server.programs.give_up(&id);
        if let Some(program) = server.programs.of_mut(&id) {
            program.forget();
        }
    }
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, String> {
    serde_json::from_value(params).map_err(|why| format!("its parameters are not understood ({why})"))
}
