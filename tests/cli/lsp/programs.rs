//! Programs of several files: which belong together, what is changed in all of them, and files that change on the disk.

use super::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A kernel in a function of another file: its array need not move in every iteration of `main.c`.
const KERNEL: &str = "\
void step(double *a, int n)
{
  #pragma omp target teams distribute parallel for map(tofrom: a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = a[i] + 1.0;
}

double first(double *a, int n)
{
  for (int t = 0; t < 10; t++) {
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (int i = 0; i < n; i++)
      a[i] = a[i] * 2.0;
  }
  return a[0];
}
";

const MAIN: &str = "\
#include <stdio.h>
#include <stdlib.h>
void step(double *a, int n);
double first(double *a, int n);

int main(void)
{
  int n = 1000;
  double *a = malloc(n * sizeof *a);
  for (int i = 0; i < n; i++)
    a[i] = i;
  for (int t = 0; t < 10; t++)
    step(a, n);
  printf(\"%g\\n\", first(a, n));
  free(a);
  return 0;
}
";

fn database(files: &[&str]) -> String {
    let entry = |file: &&str| json!({ "directory": ".", "file": file, "command": format!("cc -c {file}") });
    json!(files.iter().map(entry).collect::<Vec<Value>>()).to_string()
}

/// The program's files, and their database.
pub fn files() -> [(&'static str, String); 3] {
    let database = database(&["main.c", "kernel.c"]);
    [
        ("main.c", MAIN.to_owned()),
        ("kernel.c", KERNEL.to_owned()),
        ("compile_commands.json", database),
    ]
}

fn program() -> Sandbox {
    Sandbox::new(&files().each_ref().map(|(name, text)| (*name, text.as_str())))
}

/// The texts of the program's files.
fn texts(sandbox: &Sandbox) -> BTreeMap<String, String> {
    ["main.c", "kernel.c"]
        .map(|file| (file.to_owned(), sandbox.read(file)))
        .into()
}

#[test]
fn all_files_of_a_program_are_changed_by_one_action() {
    let sandbox = program();
    let mut editor = Editor::start(&sandbox, &[], Abilities::Most);
    editor.open("kernel.c", KERNEL);
    let actions = editor.actions("kernel.c", 0, Some("refactor.rewrite"));
    let of_program = { actions.iter() }.find(|a| a["title"].as_str().unwrap().contains("in the program (2 files)"));
    let of_program = of_program.unwrap_or_else(|| panic!("{actions:#?}"));
    let changes = of_program["edit"]["documentChanges"].as_array().unwrap();
    let named: Vec<&Value> = changes.iter().map(|change| &change["textDocument"]).collect();
    let versioned = |file: &str, version: Value| json!({ "uri": editor.uri(file), "version": version });
    assert_eq!(
        named,
        [&versioned("kernel.c", json!(1)), &versioned("main.c", Value::Null)]
    );
    let made = editor::applied(of_program, &texts(&sandbox));
    assert_eq!(editor.end(), 0);
    assert_eq!(sandbox.run(&["rewrite", "-i", "main.c", "kernel.c"]).code, 0);
    assert_eq!(made, texts(&sandbox));
}

/// The actions for a line that are one decision each.
fn decisions(editor: &mut Editor, file: &str, line: u32) -> Vec<Value> {
    let actions = editor.actions(file, line, None);
    let title = |action: &Value| action["title"].as_str().unwrap().to_owned();
    let is_decision = |action: &Value| title(action).starts_with("Apply only ");
    actions.into_iter().filter(is_decision).collect()
}

#[test]
fn one_decision_is_made_with_what_it_needs() {
    let sandbox = program();
    let mut editor = Editor::start(&sandbox, &[], Abilities::Most);
    editor.open("main.c", MAIN);
    let line = MAIN.lines().position(|line| line.contains("int t = 0")).unwrap() as u32;
    let offered = decisions(&mut editor, "main.c", line);
    let [main_a] = &offered[..] else { panic!("{offered:#?}") };
    assert!(
        main_a["title"]
            .as_str()
            .unwrap()
            .starts_with("Apply only main/a: `a` stays on the device")
    );
    assert!(main_a["edit"].is_null());
    let alone = editor::applied(&editor.resolved(main_a).unwrap(), &texts(&sandbox));
    let line = KERNEL.lines().position(|line| line.contains("first")).unwrap() as u32;
    editor.open("kernel.c", KERNEL);
    let offered = decisions(&mut editor, "kernel.c", line);
    let [first_a] = &offered[..] else {
        panic!("{offered:#?}")
    };
    let both = editor::applied(&editor.resolved(first_a).unwrap(), &texts(&sandbox));

    // What was picked is of the text as it was.
    editor.replace("main.c", 2, &format!("{MAIN}\n"));
    let later = editor.resolved(main_a).unwrap();
    assert_eq!(later["edit"]["documentChanges"][0]["textDocument"]["version"], json!(2));
    let nothing = json!({ "title": "", "data": { "file": sandbox.path().join("main.c"), "decision": "main/b" } });
    let refused = editor.resolved(&nothing).unwrap_err();
    assert!(
        refused.message.contains("there is no decision main/b any more"),
        "{}",
        refused.message
    );
    assert!(editor.resolved(&json!({ "title": "" })).is_err());
    assert_eq!(editor.end(), 0);

    let run = |only: &str, made: &BTreeMap<String, String>| {
        let sandbox = program();
        let run = sandbox.run(&["rewrite", "-i", "--only", only, "main.c", "kernel.c"]);
        assert_eq!(run.code, 0, "{}", run.err);
        assert_eq!(made, &texts(&sandbox));
    };
    run("main/a", &alone);
    run("main/a,first/a/callers", &both);
    assert_ne!(alone["main.c"], both["main.c"]);
}

#[test]
fn decisions_are_not_offered_to_who_cannot_pick_them() {
    let sandbox = program();
    let mut editor = Editor::start(&sandbox, &[], Abilities::Few);
    editor.open("main.c", MAIN);
    let line = MAIN.lines().position(|line| line.contains("int t = 0")).unwrap() as u32;
    assert_eq!(decisions(&mut editor, "main.c", line), [Value::Null; 0]);
    assert_eq!(editor.end(), 0);
}

#[test]
fn an_editor_without_versions_gets_the_same_changes() {
    let sandbox = program();
    let mut editor = Editor::start(&sandbox, &[], Abilities::Few);
    editor.open("main.c", MAIN);
    let actions = editor.actions("main.c", 0, None);
    let of_program = { actions.iter() }.find(|a| a["title"].as_str().unwrap().contains("in the program"));
    let made = editor::applied(of_program.unwrap(), &texts(&sandbox));
    assert_eq!(editor.end(), 0);
    assert_eq!(sandbox.run(&["rewrite", "-i", "main.c", "kernel.c"]).code, 0);
    assert_eq!(made, texts(&sandbox));
}

#[test]
fn a_file_that_no_database_has_is_alone() {
    let sandbox = Sandbox::new(&[("main.c", MAIN), ("kernel.c", KERNEL)]);
    let mut editor = Editor::start(&sandbox, &[], Abilities::Most);
    editor.open("main.c", MAIN);
    assert!(editor.actions("main.c", 0, None).is_empty());
    // Then there is one, and the editor tells.
    assert!(
        editor
            .asked
            .iter()
            .any(|request| request.method == "client/registerCapability")
    );
    sandbox.write("compile_commands.json", &database(&["main.c", "kernel.c"]));
    let change = json!({ "uri": editor.uri("compile_commands.json"), "type": 1 });
    editor.tell("workspace/didChangeWatchedFiles", json!({ "changes": [change] }));
    assert!(!editor.actions("main.c", 0, None).is_empty());
    assert_eq!(editor.end(), 0);
}

#[test]
fn files_that_change_on_the_disk_are_noticed() {
    let sandbox = Sandbox::new(&[("main.c", MAIN), ("kernel.c", KERNEL)]);
    let mut editor = Editor::start(&sandbox, &[], Abilities::Few);
    editor.open("main.c", MAIN);
    assert!(editor.codes("main.c").is_empty());
    editor.said.clear();
    sandbox.write("compile_commands.json", &database(&["main.c", "kernel.c"]));
    // Nobody tells the server.
    editor.hear_until("what is found then", &mut |editor| {
        editor
            .last_diagnostics("main.c")
            .iter()
            .any(|d| d["code"] == json!("data-movement"))
    });
    // What an action would change was changed by somebody else: it is not offered for another text.
    sandbox.write("kernel.c", &format!("/* one more line */\n{KERNEL}"));
    let actions = editor.actions("main.c", 0, None);
    let of_program = { actions.iter() }.find(|a| a["title"].as_str().unwrap().contains("in the program"));
    let made = editor::applied(of_program.unwrap(), &texts(&sandbox));
    assert!(
        made["kernel.c"].starts_with("/* one more line */\nvoid step("),
        "{made:#?}"
    );
    assert_eq!(editor.end(), 0);
}

#[test]
fn an_unsaved_file_counts_for_the_others_of_its_program() {
    let sandbox = program();
    let mut editor = Editor::start(&sandbox, &[], Abilities::Most);
    editor.open("main.c", MAIN);
    editor.open("kernel.c", KERNEL);
    assert!(editor.codes("main.c").contains(&"data-movement".to_owned()));
    editor.replace(
        "kernel.c",
        2,
        "void step(double *a, int n) { }\ndouble first(double *a, int n) { return a[0]; }\n",
    );
    assert!(!editor.codes("main.c").contains(&"data-movement".to_owned()));
    editor.close("kernel.c");
    assert!(editor.codes("main.c").contains(&"data-movement".to_owned()));
    assert_eq!(editor.end(), 0);
}
