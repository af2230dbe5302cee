//! The protocol: how it begins and ends, what is cancelled, and what makes no sense.

use super::*;
use lsp_server::ErrorCode;
use serde_json::{Value, json};

#[test]
fn it_ends_as_the_protocol_says() {
    let sandbox = Sandbox::new(&[("a.c", LOOP)]);
    assert_eq!(Editor::start(&sandbox, &[], Abilities::Few).end(), 0);
    let mut editor = Editor::start(&sandbox, &["--stdio"], Abilities::Few);
    editor.open("a.c", LOOP);
    editor.tell("exit", Value::Null);
    assert_eq!(editor.exit_code(), 1, "without `shutdown`");
    let mut editor = Editor::start(&sandbox, &[], Abilities::Few);
    editor.open("a.c", LOOP);
    assert_eq!(editor.leave(), 1, "gone without a word");
    let mut editor = Editor::start(&sandbox, &[], Abilities::Few);
    let id = editor.ask("shutdown", Value::Null);
    assert_eq!(editor.answer(&id).unwrap(), Value::Null);
    let late = editor.ask_for_actions("a.c", 0, None);
    assert_eq!(editor.answer(&late).unwrap_err().code, ErrorCode::InvalidRequest as i32);
    editor.tell("exit", Value::Null);
    assert_eq!(editor.exit_code(), 0);
}

#[test]
fn questions_that_make_no_sense_are_refused() {
    let sandbox = Sandbox::new(&[("a.c", LOOP)]);
    let mut editor = Editor::start(&sandbox, &[], Abilities::Few);
    editor.open("a.c", LOOP);
    let unknown = editor.ask("textDocument/definition", json!({}));
    assert_eq!(
        editor.answer(&unknown).unwrap_err().code,
        ErrorCode::MethodNotFound as i32
    );
    let wrong = editor.ask("textDocument/hover", json!({ "textDocument": 3 }));
    assert_eq!(editor.answer(&wrong).unwrap_err().code, ErrorCode::InvalidParams as i32);
    editor.tell("textDocument/didChange", json!([1, 2]));
    editor.tell("$/unheardOf", Value::Null);
    editor.edit("b.c", 7, json!([{ "text": "int x;" }]));
    editor.close("b.c");
    let other = editor.ask_for_actions("b.c", 0, None);
    assert_eq!(editor.answer(&other).unwrap(), Value::Null);
    assert!(editor.codes("a.c").contains(&"data-movement".to_owned()));
    assert_eq!(editor.end(), 0);
}

#[test]
fn who_is_no_editor_is_told() {
    let sandbox = Sandbox::new(&[]);
    let mut editor = Editor::silent(&sandbox, &[]);
    editor.write(b"hello\r\n\r\n");
    assert_eq!(editor.leave(), 2);
    assert_eq!(sandbox.run(&["lsp", "--log", "no/such/folder/log"]).code, 2);
}

#[test]
fn a_question_can_be_cancelled() {
    let sandbox = Sandbox::new(&[("a.c", LOOP)]);
    let mut editor = Editor::start(&sandbox, &[], Abilities::Most);
    editor.open("a.c", LOOP);
    let id = editor.ask_for_actions("a.c", 0, None);
    editor.tell("$/cancelRequest", json!({ "id": 2 }));
    assert_eq!(editor.answer(&id).unwrap_err().code, ErrorCode::RequestCanceled as i32);
    assert!(editor.codes("a.c").contains(&"data-movement".to_owned()));
    // A question that was answered already.
    editor.tell("$/cancelRequest", json!({ "id": 3 }));
    editor.tell("$/cancelRequest", json!({ "id": "none" }));
    assert_eq!(editor.end(), 0);
}

#[test]
fn a_newer_edit_ends_what_an_older_one_began() {
    let sandbox = Sandbox::new(&[("a.c", STALE)]);
    let log = sandbox.path().join("log");
    let mut editor = Editor::start(&sandbox, &["--log", log.to_str().unwrap()], Abilities::Most);
    editor.open("a.c", STALE);
    assert!(editor.codes("a.c").contains(&"OMM102".to_owned()));
    editor.said.clear();
    let right = STALE.replace("  printf", "  #pragma omp target update from(a[0:N])\n  printf");
    for version in 2..30 {
        let text = if version % 2 == 0 { &right } else { STALE };
        editor.replace("a.c", version, text);
    }
    assert!(editor.codes("a.c").contains(&"OMM102".to_owned()));
    let published = editor
        .said
        .iter()
        .filter(|said| said.method == "textDocument/publishDiagnostics");
    let versions: Vec<&Value> = published.map(|said| &said.params["version"]).collect();
    assert!(versions.len() <= 6, "{versions:?}");
    assert_eq!(versions.last(), Some(&&json!(29)));
    assert_eq!(editor.end(), 0);
    let log = std::fs::read_to_string(log).unwrap();
    assert!(
        log.contains("textDocument/didOpen") && log.contains("check done in"),
        "{log}"
    );
}

/// How often the server has said how far a run is, by kind.
fn progress(editor: &Editor, kind: &str) -> usize {
    let said = editor.said.iter().filter(|said| said.method == "$/progress");
    said.filter(|said| said.params["value"]["kind"] == json!(kind)).count()
}

#[test]
fn long_runs_are_shown_and_can_be_cancelled() {
    let sandbox = Sandbox::new(&[("a.c", STALE)]);
    let mut editor = Editor::start_slow(&sandbox, Abilities::Most);
    editor.open("a.c", STALE);
    let id = editor.ask_for_actions("a.c", 0, None);
    editor.hear_until("that a run goes on", &mut |editor| progress(editor, "begin") == 1);
    assert!(
        editor
            .asked
            .iter()
            .any(|asked| asked.method == "window/workDoneProgress/create")
    );
    let begun = editor
        .said
        .iter()
        .find(|said| said.method == "$/progress")
        .unwrap()
        .params
        .clone();
    assert_eq!(begun["value"]["cancellable"], json!(true));
    editor.tell("window/workDoneProgress/cancel", json!({ "token": begun["token"] }));
    // Nobody waits any more, though the compiler has not answered yet.
    assert_eq!(editor.answer(&id).unwrap(), json!([]));
    std::fs::remove_file(sandbox.path().join("slow")).unwrap();
    editor.hear_until("that it has ended", &mut |editor| progress(editor, "end") == 1);
    assert_eq!(editor.last_diagnostics("a.c"), [] as [Value; 0]);
    editor.replace("a.c", 2, STALE);
    assert!(editor.codes("a.c").contains(&"OMM102".to_owned()));
    assert_eq!(editor.end(), 0);
}

#[test]
fn what_an_older_run_finds_is_not_said() {
    let sandbox = Sandbox::new(&[("a.c", STALE)]);
    let mut editor = Editor::start_slow(&sandbox, Abilities::Few);
    editor.open("a.c", STALE);
    // The first run waits for the compiler when the edit comes.
    std::thread::sleep(std::time::Duration::from_millis(500));
    editor.replace("a.c", 2, &STALE.replace("a[3]", "1.0"));
    let id = editor.ask_for_actions("a.c", 0, None);
    std::fs::remove_file(sandbox.path().join("slow")).unwrap();
    editor.answer(&id).unwrap();
    let published = editor
        .said
        .iter()
        .filter(|said| said.method == "textDocument/publishDiagnostics");
    let versions: Vec<&Value> = published.map(|said| &said.params["version"]).collect();
    assert!(
        !versions.is_empty() && versions.iter().all(|version| **version == json!(2)),
        "{versions:?}"
    );
    assert!(!editor.codes("a.c").contains(&"OMM102".to_owned()));
    assert_eq!(editor.end(), 0);
}

#[test]
fn an_editor_can_leave_while_a_run_goes_on() {
    let sandbox = Sandbox::new(&[("a.c", STALE)]);
    let mut editor = Editor::start_slow(&sandbox, Abilities::Few);
    editor.open("a.c", STALE);
    std::thread::sleep(std::time::Duration::from_millis(500));
    let begun = std::time::Instant::now();
    assert_eq!(editor.end(), 0);
    assert!(begun.elapsed().as_secs() < 30);
}
