//! What the user has said: configuration files, comments, baselines, options.

use super::*;
use serde_json::json;

fn codes(sandbox: &Sandbox, args: &[&str], text: &str) -> Vec<String> {
    let mut editor = Editor::start(sandbox, args, Abilities::Most);
    editor.open("a.c", text);
    let codes = editor.codes("a.c");
    assert_eq!(editor.end(), 0);
    codes.into_iter().filter(|code| code.starts_with("OMM")).collect()
}

#[test]
fn rules_are_those_that_check_has() {
    let sandbox = Sandbox::new(&[("a.c", STALE)]);
    assert_eq!(codes(&sandbox, &[], STALE), ["OMM102"]);
    assert_eq!(codes(&sandbox, &["--ignore", "OMM102"], STALE), [] as [&str; 0]);
    assert_eq!(codes(&sandbox, &["--select", "missing-to"], STALE), [] as [&str; 0]);
    let silenced = STALE.replace("  printf", "  /* ompmemopt: ignore[OMM102] for a test */\n  printf");
    assert_eq!(codes(&sandbox, &[], &silenced), [] as [&str; 0]);
    let known = sandbox.run(&["check", "--output-format", "json", "a.c"]);
    sandbox.write("known.json", &known.out);
    assert_eq!(codes(&sandbox, &["--baseline", "known.json"], STALE), [] as [&str; 0]);
    sandbox.write("ompmemopt.toml", "[check.per-file-ignores]\n\"a.c\" = [\"OMM102\"]\n");
    assert_eq!(codes(&sandbox, &[], STALE), [] as [&str; 0]);
}

#[test]
fn remarks_can_be_left_out() {
    let sandbox = Sandbox::new(&[("a.c", LOOP)]);
    let mut editor = Editor::start(&sandbox, &["--no-rewrite"], Abilities::Most);
    editor.open("a.c", LOOP);
    assert_eq!(editor.codes("a.c"), [] as [&str; 0]);
    assert_eq!(editor.end(), 0);
}

#[test]
fn what_is_wrong_with_settings_is_shown_once() {
    let sandbox = Sandbox::new(&[("a.c", LOOP), ("ompmemopt.toml", "[check]\nselekt = [\"OMM1\"]\n")]);
    let mut editor = Editor::start(&sandbox, &["--baseline", "none.json"], Abilities::Most);
    editor.open("a.c", LOOP);
    editor.codes("a.c");
    editor.replace("a.c", 2, &LOOP.replace("1000", "2000"));
    editor.codes("a.c");
    let shown = editor.said.iter().filter(|said| said.method == "window/showMessage");
    let shown: Vec<&str> = shown.map(|said| said.params["message"].as_str().unwrap()).collect();
    assert_eq!(shown.len(), 2, "{shown:#?}");
    assert!(
        shown
            .iter()
            .any(|message| message.contains("ompmemopt.toml:2") && message.contains("selekt")),
        "{shown:#?}"
    );
    assert!(
        shown
            .iter()
            .any(|message| message.contains("none.json: cannot be read")),
        "{shown:#?}"
    );
    assert!(
        editor
            .last_diagnostics("a.c")
            .iter()
            .any(|d| d["code"] == json!("data-movement"))
    );
    assert_eq!(editor.end(), 0);
}

#[test]
fn a_database_that_cannot_be_read_is_shown() {
    let sandbox = Sandbox::new(&[("a.c", LOOP), ("compile_commands.json", "[{")]);
    let mut editor = Editor::start(&sandbox, &[], Abilities::Most);
    editor.open("a.c", LOOP);
    editor.codes("a.c");
    let mut shown = editor.said.iter().filter(|said| said.method == "window/showMessage");
    let message = shown.next().unwrap().params["message"].as_str().unwrap();
    assert!(
        message.contains("compile_commands.json: is no compilation database"),
        "{message}"
    );
    assert_eq!(editor.end(), 0);
}
