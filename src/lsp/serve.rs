//! From `initialize` to `exit`.

use super::actions::FIX_ALL;
use super::analyst::Analyst;
use super::client::{Client, EditorAbilities};
use super::documentation::DocumentationAddress;
use super::hearing::Hearing;
use super::log::ServerLog;
use super::positions::Encoding;
use super::server::{Server, ServerParts};
use super::uris;
use super::watching;
use super::worker::{self, RunEvent};
use crossbeam_channel::{Receiver, select, unbounded};
use lsp_server::{Connection, Message};
use lsp_types::{
    ClientCapabilities, CodeActionKind, CodeActionOptions, CodeActionProviderCapability, HoverProviderCapability,
    OneOf, PositionEncodingKind, SaveOptions, ServerCapabilities, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, TextDocumentSyncSaveOptions, WorkspaceFoldersServerCapabilities,
    WorkspaceServerCapabilities,
};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How long the end waits for a run that goes on.
const FAREWELL: Duration = Duration::from_secs(2);

/// What somebody has said about the server.
pub struct ServerSettings {
    pub documentation: DocumentationAddress,
    pub log: ServerLog,
}

/// How a server ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ServerEnd {
    /// The editor has said `shutdown`, then `exit`.
    pub properly: bool,
    /// Nothing runs any more.
    pub idle: bool,
}

/// Serves an editor, from its first word to its last.
///
/// # Errors
/// What somebody said first that is no editor.
pub fn serve(connection: Connection, analyst: Arc<dyn Analyst>, settings: ServerSettings) -> Result<ServerEnd, String> {
    let Ok((id, params)) = connection.initialize_start() else {
        return Err(
            "the first message on standard input is no `initialize` of the language server protocol; \
                    this command is for editors to start"
                .to_owned(),
        );
    };
    let capabilities = params.get("capabilities").cloned().unwrap_or_default();
    let capabilities: ClientCapabilities = serde_json::from_value(capabilities).unwrap_or_default();
    let abilities = EditorAbilities::of(&capabilities);
    if let Some(folder) = folder_of(&params) {
        analyst.enter(&folder);
    }
    let server_info = json!({ "name": "ompmemopt", "version": env!("CARGO_PKG_VERSION") });
    let answer = json!({ "capabilities": offered(abilities), "serverInfo": server_info });
    if connection.initialize_finish(id, answer).is_err() {
        return Ok(ServerEnd {
            properly: false,
            idle: true,
        });
    }
    let (orders, ordered) = unbounded();
    let (tell, events) = unbounded();
    let (worker_analyst, Connection { sender, receiver }) = (Arc::clone(&analyst), connection);
    let worker = std::thread::spawn(move || worker::work(&*worker_analyst, &ordered, &tell));
    let server = Server::new(ServerParts {
        client: Client::new(sender, abilities),
        analyst,
        documentation: settings.documentation,
        log: settings.log,
        orders,
    });
    let mut hearing = Hearing::new(server);
    if abilities.watches_files {
        hearing.server.client.watch(&watching::PATTERNS);
    }
    let properly = go_on(&mut hearing, &receiver, &events);
    { hearing.server.programs.ids() }
        .iter()
        .for_each(|id| hearing.server.programs.close(id));
    // Without the server there are no more orders.
    drop(hearing);
    while events.recv_timeout(FAREWELL).is_ok() {}
    let idle = worker.is_finished() && worker.join().is_ok();
    Ok(ServerEnd { properly, idle })
}

/// Hears and does until the editor has had its last word; whether it ends as it should.
fn go_on(hearing: &mut Hearing, receiver: &Receiver<Message>, events: &Receiver<RunEvent>) -> bool {
    loop {
        select! {
            recv(receiver) -> message => match message {
                Ok(message) => if let Some(properly) = hearing.hear(message) {
                    return properly;
                },
                Err(_) => return false,
            },
            recv(events) -> event => match event {
                Ok(event) => hearing.server.hear(event),
                Err(_) => return false,
            },
            default(hearing.server.patience()) => {}
        }
        hearing.server.look_around();
    }
}

/// The folder that the editor works in: the first, if there are several.
fn folder_of(params: &Value) -> Option<PathBuf> {
    let first = params.pointer("/workspaceFolders/0/uri");
    let root = || params.get("rootUri").filter(|uri| !uri.is_null());
    let uri = first.or_else(root)?.as_str()?;
    uris::path_of(uri).filter(|folder| folder.is_dir())
}

/// What the server can do for an editor.
fn offered(abilities: EditorAbilities) -> ServerCapabilities {
    let encoding = match abilities.encoding {
        Encoding::Utf8 => PositionEncodingKind::UTF8,
        Encoding::Utf16 => PositionEncodingKind::UTF16,
    };
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions {
            include_text: Some(false),
        })),
        ..TextDocumentSyncOptions::default()
    };
    let actions = CodeActionOptions {
        code_action_kinds: Some(vec![
            CodeActionKind::QUICKFIX,
            CodeActionKind::REFACTOR_REWRITE,
            FIX_ALL,
        ]),
        resolve_provider: Some(abilities.resolves_edits),
        ..CodeActionOptions::default()
    };
    let folders = WorkspaceFoldersServerCapabilities {
        supported: Some(true),
        change_notifications: Some(OneOf::Left(true)),
    };
    ServerCapabilities {
        position_encoding: Some(encoding),
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(actions)),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(folders),
            file_operations: None,
        }),
        ..ServerCapabilities::default()
    }
}
