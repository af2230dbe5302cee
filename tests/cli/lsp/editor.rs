//! An editor for tests: it starts the server, says things, and keeps what is said to it.

use super::Sandbox;
use crate::CLANG;
use lsp_server::{Message, Notification, Request, RequestId, Response, ResponseError};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How long a test waits for something: the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(240);

/// What the editor says that it can do.
#[derive(Clone, Copy)]
pub enum Abilities {
    /// Nothing but what all can.
    Few,
    /// All that the server makes use of, but for positions in UTF-8.
    Most,
    /// Positions in UTF-8, too.
    Bytes,
}

/// The server, and what it has said.
pub struct Editor {
    child: Child,
    to: Option<ChildStdin>,
    from: Receiver<Message>,
    next: i32,
    answers: BTreeMap<RequestId, Result<Value, ResponseError>>,
    /// What it has said by itself.
    pub said: Vec<Notification>,
    /// What it has asked.
    pub asked: Vec<Request>,
    /// What it can do.
    pub offers: Value,
    folder: PathBuf,
}

impl Editor {
    /// Starts the server in a folder of a test.
    pub fn start(sandbox: &Sandbox, args: &[&str], abilities: Abilities) -> Editor {
        Editor::silent(sandbox, args).begin(abilities)
    }

    /// As [`Editor::start`], with a compiler that waits while there is a file `slow` in the folder.
    pub fn start_slow(sandbox: &Sandbox, abilities: Abilities) -> Editor {
        let wait = "[ \"$1\" = --version ] || while [ -e \"${0%/*}/slow\" ]; do sleep 0.05; done";
        sandbox.write("clang", &format!("#!/bin/sh\n{wait}\nexec {CLANG} \"$@\"\n"));
        sandbox.write("slow", "");
        let compiler = sandbox.path().join("clang");
        std::fs::set_permissions(&compiler, std::fs::Permissions::from_mode(0o755)).unwrap();
        let mut command = sandbox.command(&["lsp"]);
        command.env("OMPMEMOPT_CLANG", compiler);
        Editor::of(command, sandbox).begin(abilities)
    }

    /// Says the first words.
    fn begin(mut self, abilities: Abilities) -> Editor {
        let editor = &mut self;
        let answer = editor.ask(
            "initialize",
            json!({
                "processId": null,
                "rootUri": editor.folder_uri(),
                "workspaceFolders": [{ "uri": editor.folder_uri(), "name": "test" }],
                "capabilities": capabilities(abilities),
            }),
        );
        editor.offers = editor.answer(&answer).unwrap();
        editor.tell("initialized", json!({}));
        self
    }

    /// Starts the server and says nothing.
    pub fn silent(sandbox: &Sandbox, args: &[&str]) -> Editor {
        Editor::of(sandbox.command(&[&["lsp"], args].concat()), sandbox)
    }

    fn of(mut command: Command, sandbox: &Sandbox) -> Editor {
        // Not the folder of the workspace: editors start servers anywhere.
        command.current_dir("/");
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let (sender, from) = channel();
        std::thread::spawn(move || {
            while let Ok(Some(message)) = Message::read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Editor {
            to: child.stdin.take(),
            child,
            from,
            next: 0,
            answers: BTreeMap::new(),
            said: Vec::new(),
            asked: Vec::new(),
            offers: Value::Null,
            folder: sandbox.path().canonicalize().unwrap(),
        }
    }

    fn folder_uri(&self) -> String {
        format!("file://{}", self.folder.display())
    }

    pub fn uri(&self, file: &str) -> String {
        format!("{}/{}", self.folder_uri(), file.replace(' ', "%20"))
    }

    /// Says bytes, whatever they are.
    pub fn write(&mut self, bytes: &[u8]) {
        let to = self.to.as_mut().unwrap();
        to.write_all(bytes).and_then(|()| to.flush()).unwrap();
    }

    fn send(&mut self, message: Message) {
        let mut bytes = Vec::new();
        message.write(&mut bytes).unwrap();
        self.write(&bytes);
    }

    pub fn tell(&mut self, method: &str, params: Value) {
        self.send(Notification::new(method.to_owned(), params).into());
    }

    /// Asks something, and does not wait.
    pub fn ask(&mut self, method: &str, params: Value) -> RequestId {
        self.next += 1;
        let id = RequestId::from(self.next);
        self.send(Request::new(id.clone(), method.to_owned(), params).into());
        id
    }

    /// Hears until something holds.
    pub fn hear_until(&mut self, what: &str, holds: &mut dyn FnMut(&mut Editor) -> bool) {
        let end = Instant::now() + PATIENCE;
        while !holds(self) {
            let left = end.saturating_duration_since(Instant::now());
            let message = self.from.recv_timeout(left);
            match message.unwrap_or_else(|why| panic!("{what}: the server says nothing more ({why}); {:?}", self.said))
            {
                Message::Notification(said) => self.said.push(said),
                Message::Response(Response { id, response_result }) => {
                    self.answers.insert(id, response_result);
                }
                Message::Request(request) => {
                    self.send(Response::new_ok(request.id.clone(), Value::Null).into());
                    self.asked.push(request);
                }
            }
        }
    }

    /// Waits for an answer.
    pub fn answer(&mut self, id: &RequestId) -> Result<Value, ResponseError> {
        let mut found = None;
        self.hear_until(&format!("answer {id}"), &mut |editor| {
            found = editor.answers.remove(id);
            found.is_some()
        });
        found.unwrap()
    }

    pub fn open(&mut self, file: &str, text: &str) {
        let document = json!({ "uri": self.uri(file), "languageId": "c", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Gives a file another text, which is not saved.
    pub fn replace(&mut self, file: &str, version: i32, text: &str) {
        self.edit(file, version, json!([{ "text": text }]));
    }

    pub fn edit(&mut self, file: &str, version: i32, changes: Value) {
        let document = json!({ "uri": self.uri(file), "version": version });
        self.tell(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": changes }),
        );
    }

    pub fn close(&mut self, file: &str) {
        let document = json!({ "uri": self.uri(file) });
        self.tell("textDocument/didClose", json!({ "textDocument": document }));
    }

    pub fn ask_for_actions(&mut self, file: &str, line: u32, only: Option<&str>) -> RequestId {
        let place = json!({ "line": line, "character": 4 });
        let mut context = json!({ "diagnostics": [] });
        if let Some(kind) = only {
            context["only"] = json!([kind]);
        }
        let params = json!({
            "textDocument": { "uri": self.uri(file) },
            "range": { "start": place, "end": place },
            "context": context,
        });
        self.ask("textDocument/codeAction", params)
    }

    /// The actions for a line, from 0.
    pub fn actions(&mut self, file: &str, line: u32, only: Option<&str>) -> Vec<Value> {
        let id = self.ask_for_actions(file, line, only);
        let answer = self.answer(&id).unwrap();
        answer.as_array().cloned().unwrap_or_default()
    }

    /// An action that was offered without edits, with them.
    pub fn resolved(&mut self, action: &Value) -> Result<Value, ResponseError> {
        let id = self.ask("codeAction/resolve", action.clone());
        self.answer(&id)
    }

    /// What is shown of a place, as Markdown.
    pub fn hover(&mut self, file: &str, line: u32, character: u32) -> Option<String> {
        let place = json!({ "line": line, "character": character });
        let params = json!({ "textDocument": { "uri": self.uri(file) }, "position": place });
        let id = self.ask("textDocument/hover", params);
        let answer = self.answer(&id).unwrap();
        answer.pointer("/contents/value")?.as_str().map(str::to_owned)
    }

    /// What is said of a file once all is known of it: questions wait for that.
    pub fn diagnostics(&mut self, file: &str) -> Vec<Value> {
        self.actions(file, 0, Some("source"));
        self.last_diagnostics(file)
    }

    /// What was said of a file last.
    pub fn last_diagnostics(&self, file: &str) -> Vec<Value> {
        let uri = self.uri(file);
        let mut published = self
            .said
            .iter()
            .rev()
            .filter(|said| said.method == "textDocument/publishDiagnostics");
        let last = published.find(|said| said.params["uri"] == json!(uri));
        let diagnostics = last.and_then(|said| said.params["diagnostics"].as_array().cloned());
        diagnostics.unwrap_or_default()
    }

    /// The codes of what is said of a file, once all is known of it.
    pub fn codes(&mut self, file: &str) -> Vec<String> {
        let all = self.diagnostics(file);
        all.iter().map(|d| d["code"].as_str().unwrap().to_owned()).collect()
    }

    /// Ends the server as the protocol wants it; its exit code.
    pub fn end(mut self) -> i32 {
        let id = self.ask("shutdown", Value::Null);
        self.answer(&id).unwrap();
        self.tell("exit", Value::Null);
        self.exit_code()
    }

    /// Goes away without a word; the server's exit code.
    pub fn leave(mut self) -> i32 {
        self.to = None;
        self.exit_code()
    }

    pub fn exit_code(mut self) -> i32 {
        self.child.wait().unwrap().code().expect("an exit code")
    }
}

fn capabilities(abilities: Abilities) -> Value {
    let encodings = match abilities {
        Abilities::Few => return json!({}),
        Abilities::Most => json!(["utf-16"]),
        Abilities::Bytes => json!(["utf-8", "utf-16"]),
    };
    json!({
        "general": { "positionEncodings": encodings },
        "textDocument": {
            "publishDiagnostics": { "relatedInformation": true },
            "codeAction": { "dataSupport": true, "resolveSupport": { "properties": ["edit"] } },
        },
        "window": { "workDoneProgress": true },
        "workspace": {
            "workspaceEdit": { "documentChanges": true },
            "didChangeWatchedFiles": { "dynamicRegistration": true },
        },
    })
}

/// The texts that an action makes of those that files have.
pub fn applied(action: &Value, texts: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut texts = texts.clone();
    let changes: Vec<(String, Vec<Value>)> = match action.pointer("/edit/documentChanges") {
        Some(changes) => { changes.as_array().unwrap().iter() }
            .map(|c| {
                (
                    c["textDocument"]["uri"].as_str().unwrap().to_owned(),
                    c["edits"].as_array().unwrap().clone(),
                )
            })
            .collect(),
        None => { action["edit"]["changes"].as_object().unwrap().iter() }
            .map(|(uri, edits)| (uri.clone(), edits.as_array().unwrap().clone()))
            .collect(),
    };
    for (uri, mut edits) in changes {
        let name = Path::new(&uri).file_name().unwrap().to_str().unwrap();
        let text = texts
            .get_mut(name)
            .unwrap_or_else(|| panic!("{name} is not among the files"));
        edits.reverse();
        for edit in edits {
            let at = |end: &str| {
                let number = |name: &str| edit["range"][end][name].as_u64().unwrap() as usize;
                offset(text, number("line"), number("character"))
            };
            let span = at("start")..at("end");
            text.replace_range(span, edit["newText"].as_str().unwrap());
        }
    }
    texts
}

/// The byte of a place, counted in UTF-16.
pub fn offset(text: &str, line: usize, character: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let mut units = 0;
    for (at, c) in text[start..].char_indices() {
        if units >= character {
            return start + at;
        }
        units += c.len_utf16();
    }
    text.len()
}
