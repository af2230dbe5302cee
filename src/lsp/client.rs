//! The editor: what it can do, and what is said to it.

use super::positions::Encoding;
use crossbeam_channel::Sender;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{self, Notification as _};
use lsp_types::request;
use lsp_types::{
    ClientCapabilities, Diagnostic, DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern,
    MessageType, NumberOrString, PositionEncodingKind, ProgressParams, ProgressParamsValue, PublishDiagnosticsParams,
    Registration, RegistrationParams, ShowMessageParams, Uri, WorkDoneProgress, WorkDoneProgressCreateParams,
};
use serde::Serialize;
use std::collections::BTreeSet;

/// What an editor can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EditorAbilities {
    pub encoding: Encoding,
    /// The editor shows other places that a message has to do with.
    pub related: bool,
    /// The editor takes changes with versions of texts.
    pub versioned_edits: bool,
    /// The editor takes an action without edits, and asks for these when somebody picks it.
    pub resolves_edits: bool,
    /// The editor shows how far long work is.
    pub progress: bool,
    /// The editor tells of files that change on the disk.
    pub watches_files: bool,
}

impl EditorAbilities {
    /// As it says when it begins.
    pub fn of(capabilities: &ClientCapabilities) -> EditorAbilities {
        let text = capabilities.text_document.as_ref();
        let workspace = capabilities.workspace.as_ref();
        let encodings = capabilities
            .general
            .as_ref()
            .and_then(|g| g.position_encodings.as_ref());
        let knows_bytes = encodings.is_some_and(|all| all.contains(&PositionEncodingKind::UTF8));
        let related = text.and_then(|t| t.publish_diagnostics.as_ref()?.related_information);
        let versioned = workspace.and_then(|w| w.workspace_edit.as_ref()?.document_changes);
        let watches = workspace.and_then(|w| w.did_change_watched_files.as_ref()?.dynamic_registration);
        let actions = text.and_then(|t| t.code_action.as_ref());
        let keeps_data = actions.and_then(|a| a.data_support) == Some(true);
        let resolved = actions.and_then(|a| a.resolve_support.as_ref());
        let resolves = resolved.is_some_and(|r| r.properties.iter().any(|property| property == "edit"));
        let progress = capabilities.window.as_ref().and_then(|w| w.work_done_progress);
        EditorAbilities {
            encoding: if knows_bytes { Encoding::Utf8 } else { Encoding::Utf16 },
            related: related == Some(true),
            versioned_edits: versioned == Some(true),
            resolves_edits: keeps_data && resolves,
            progress: progress == Some(true),
            watches_files: watches == Some(true),
        }
    }
}

/// The editor at the other end.
pub struct Client {
    sender: Sender<Message>,
    pub abilities: EditorAbilities,
    next: i32,
    /// What has been shown: each once.
    shown: BTreeSet<String>,
}

impl Client {
    pub fn new(sender: Sender<Message>, abilities: EditorAbilities) -> Client {
        Client {
            sender,
            abilities,
            next: 0,
            shown: BTreeSet::new(),
        }
    }

    /// An answer to a request.
    pub fn answer(&self, id: RequestId, answer: impl Serialize) {
        self.send(Response::new_ok(id, answer).into());
    }

    /// Says that a request has no answer, and why.
    pub fn refuse(&self, id: RequestId, code: ErrorCode, why: &str) {
        self.send(Response::new_err(id, code as i32, why.to_owned()).into());
    }

    /// What is said of a text; nothing takes away what was said.
    pub fn publish(&self, uri: Uri, version: Option<i32>, diagnostics: Vec<Diagnostic>) {
        self.notify::<notification::PublishDiagnostics>(PublishDiagnosticsParams {
            uri,
            diagnostics,
            version,
        });
    }

    /// Shows a message, unless it was shown before.
    pub fn show_once(&mut self, typ: MessageType, message: &str) {
        if self.shown.insert(message.to_owned()) {
            let message = message.to_owned();
            self.notify::<notification::ShowMessage>(ShowMessageParams { typ, message });
        }
    }

    /// Asks to be told of files that change on the disk.
    pub fn watch(&mut self, patterns: &[&str]) {
        let watchers = patterns.iter().map(|pattern| FileSystemWatcher {
            glob_pattern: GlobPattern::String((*pattern).to_owned()),
            kind: None,
        });
        let options = DidChangeWatchedFilesRegistrationOptions {
            watchers: watchers.collect(),
        };
        let registration = Registration {
            id: "files".to_owned(),
            method: notification::DidChangeWatchedFiles::METHOD.to_owned(),
            register_options: serde_json::to_value(options).ok(),
        };
        self.ask::<request::RegisterCapability>(RegistrationParams {
            registrations: vec![registration],
        });
    }

    /// Says how far some work is, where the editor shows that; `begins` where nothing has been said of it.
    pub fn progress(&mut self, token: &str, begins: bool, how_far: WorkDoneProgress) {
        if !self.abilities.progress {
            return;
        }
        let token = NumberOrString::String(token.to_owned());
        if begins {
            self.ask::<request::WorkDoneProgressCreate>(WorkDoneProgressCreateParams { token: token.clone() });
        }
        self.notify::<notification::Progress>(ProgressParams {
            token,
            value: ProgressParamsValue::WorkDone(how_far),
        });
    }

    fn ask<R: request::Request>(&mut self, params: R::Params) {
        self.next += 1;
        let id = RequestId::from(format!("ompmemopt-{}", self.next));
        self.send(Request::new(id, R::METHOD.to_owned(), params).into());
    }

    fn notify<N: notification::Notification>(&self, params: N::Params) {
        self.send(Notification::new(N::METHOD.to_owned(), params).into());
    }

    /// Where the editor has gone there is nobody to tell.
    fn send(&self, message: Message) {
        let _ = self.sender.send(message);
    }
}
