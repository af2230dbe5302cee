//! What is said of a text: findings, remarks, messages of clang, and what is shown of its places; saved or not.

use super::*;
use serde_json::{Value, json};

fn code<'d>(all: &'d [Value], code: &str) -> &'d Value {
    let found = all.iter().find(|d| d["code"] == json!(code));
    found.unwrap_or_else(|| panic!("{code} is not among {all:#?}"))
}

#[test]
fn findings_and_remarks_are_said_with_their_documentation() {
    let sandbox = Sandbox::new(&[("a.c", STALE)]);
    let mut editor = Editor::start(&sandbox, &["--docs-url", "https://example.org/docs/"], Abilities::Most);
    editor.open("a.c", STALE);
    let all = editor.diagnostics("a.c");
    let stale = code(&all, "OMM102");
    assert_eq!(
        stale["range"],
        json!({ "start": { "line": READ, "character": 2 }, "end": { "line": READ, "character": 23 } })
    );
    assert_eq!(stale["severity"], json!(1));
    assert_eq!(stale["source"], json!("ompmemopt"));
    assert_eq!(
        stale["codeDescription"]["href"],
        json!("https://example.org/docs/rules.md#omm102-missing-from")
    );
    let related = &stale["relatedInformation"][0];
    assert_eq!(related["location"]["uri"], json!(editor.uri("a.c")));
    assert_eq!(
        related["location"]["range"]["start"],
        json!({ "line": 10, "character": 2 })
    );
    let remark = code(&all, "hand-may-matter");
    assert_eq!(remark["severity"], json!(4));
    let address = remark["codeDescription"]["href"].as_str().unwrap();
    assert_eq!(address, "https://example.org/docs/remarks.md#hand-may-matter");
    assert_eq!(editor.end(), 0);
}

#[test]
fn what_rewrite_would_change_is_said_and_done_on_demand() {
    let sandbox = Sandbox::new(&[("a.c", LOOP)]);
    let mut editor = Editor::start(&sandbox, &[], Abilities::Few);
    editor.open("a.c", LOOP);
    let all = editor.diagnostics("a.c");
    assert_eq!(code(&all, "data-movement")["severity"], json!(3));
    assert_eq!(code(&all, "data-movement").get("codeDescription"), None);
    let actions = editor.actions("a.c", 0, None);
    let kinds: Vec<&str> = actions.iter().map(|a| a["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["refactor.rewrite"]);
    let on_save = editor.actions("a.c", 0, Some("source.fixAll"));
    assert_eq!(on_save.len(), 1);
    assert_eq!(on_save[0]["kind"], json!("source.fixAll.ompmemopt"));
    assert_eq!(on_save[0]["edit"], actions[0]["edit"]);
    let texts = [("a.c".to_owned(), LOOP.to_owned())].into();
    let made = editor::applied(&actions[0], &texts)["a.c"].clone();
    // Nothing was written.
    assert_eq!(sandbox.read("a.c"), LOOP);
    assert_eq!(sandbox.run(&["rewrite", "-i", "a.c"]).code, 0);
    assert_eq!(made, sandbox.read("a.c"));
    // The editor makes the change, and there is nothing left to do.
    editor.replace("a.c", 2, &made);
    assert!(editor.actions("a.c", 0, None).is_empty());
    assert_eq!(editor.end(), 0);
}

#[test]
fn a_finding_is_mended_by_its_action() {
    let sandbox = Sandbox::new(&[("a.c", STALE)]);
    let mut editor = Editor::start(&sandbox, &[], Abilities::Most);
    editor.open("a.c", STALE);
    assert!(editor.actions("a.c", 1, Some("quickfix")).is_empty());
    let actions = editor.actions("a.c", READ, Some("quickfix"));
    assert_eq!(actions.len(), 1, "{actions:#?}");
    assert_eq!(actions[0]["diagnostics"][0]["code"], json!("OMM102"));
    assert_eq!(actions[0]["isPreferred"], json!(true));
    let change = &actions[0]["edit"]["documentChanges"][0]["textDocument"];
    assert_eq!(*change, json!({ "uri": editor.uri("a.c"), "version": 1 }));
    let texts = [("a.c".to_owned(), STALE.to_owned())].into();
    let mended = editor::applied(&actions[0], &texts)["a.c"].clone();
    assert!(
        mended.contains("  #pragma omp target update from(a[0:N])\n  printf"),
        "{mended}"
    );
    editor.replace("a.c", 2, &mended);
    assert!(!editor.codes("a.c").contains(&"OMM102".to_owned()));
    assert_eq!(sandbox.read("a.c"), STALE);
    assert_eq!(editor.end(), 0);
}

#[test]
fn what_is_not_saved_counts_and_is_written_nowhere() {
    let header = "#define READ a[3]\n";
    let with_header = STALE
        .replace("a[3]", "READ")
        .replace("#define N", "#include \"own.h\"\n#define N");
    let sandbox = Sandbox::new(&[("a.c", &with_header), ("own.h", header)]);
    let mut editor = Editor::start(&sandbox, &[], Abilities::Most);
    editor.open("a.c", &with_header);
    assert!(editor.codes("a.c").contains(&"OMM102".to_owned()));
    let kept = || files_below(sandbox.cache.path());
    let before = kept();
    // The header is open and not saved: the file that includes it is looked at again.
    editor.open("own.h", header);
    editor.replace("own.h", 2, "#define READ 1.5\n");
    assert!(!editor.codes("a.c").contains(&"OMM102".to_owned()));
    editor.replace("own.h", 3, "#define READ nonsense\n");
    let broken = editor.diagnostics("a.c");
    let errors: Vec<&Value> = broken.iter().filter(|d| d["code"] == json!("clang")).collect();
    assert_eq!(errors.len(), 1, "{broken:#?}");
    assert!(
        errors[0]["message"].as_str().unwrap().contains("nonsense"),
        "{errors:#?}"
    );
    editor.close("own.h");
    assert!(editor.codes("a.c").contains(&"OMM102".to_owned()));
    assert_eq!(sandbox.read("own.h"), header);
    assert_eq!(kept(), before, "what is made of unsaved texts stays in the memory");
    assert_eq!(editor.end(), 0);
}

fn files_below(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files_below(&path)),
            false => found.push(path),
        }
    }
    found.sort();
    found
}

#[test]
fn a_file_that_does_not_compile_has_clangs_messages() {
    let sandbox = Sandbox::new(&[("a.c", STALE), ("bad.h", "int f(;\n")]);
    let mut editor = Editor::start(&sandbox, &[], Abilities::Most);
    editor.open("a.c", STALE);
    assert!(editor.codes("a.c").contains(&"OMM102".to_owned()));
    let at = json!({ "line": 4, "character": 0 });
    editor.edit(
        "a.c",
        2,
        json!([{ "range": { "start": at, "end": at }, "text": "/* é😀 */ int int x;\n#include \"bad.h\"\n" }]),
    );
    let all = editor.diagnostics("a.c");
    let places: Vec<&Value> = all.iter().map(|d| &d["range"]["start"]).collect();
    assert_eq!(
        places,
        [
            &json!({ "line": 4, "character": 14 }),
            &json!({ "line": 5, "character": 0 }),
            &json!({ "line": 5, "character": 0 })
        ],
        "{all:#?}"
    );
    assert!(
        all[1]["message"].as_str().unwrap().contains("bad.h, line 1)"),
        "{all:#?}"
    );
    assert_eq!(
        all[1]["relatedInformation"][0]["location"]["uri"],
        json!(editor.uri("bad.h"))
    );
    let line = |line: u32| json!({ "line": line, "character": 0 });
    editor.edit(
        "a.c",
        3,
        json!([{ "range": { "start": line(4), "end": line(6) }, "text": "" }]),
    );
    assert!(editor.codes("a.c").contains(&"OMM102".to_owned()));
    editor.close("a.c");
    let id = editor.ask_for_actions("a.c", 0, None);
    assert_eq!(editor.answer(&id).unwrap(), Value::Null);
    assert_eq!(editor.last_diagnostics("a.c"), [] as [Value; 0]);
    assert_eq!(editor.end(), 0);
}

#[test]
fn places_are_counted_as_the_editor_wants_it() {
    let text = STALE.replace("  printf", "  /* Größe 😀 */ printf");
    for (abilities, encoding, character) in [(Abilities::Most, "utf-16", 17), (Abilities::Bytes, "utf-8", 21)] {
        let sandbox = Sandbox::new(&[("a.c", &text)]);
        let mut editor = Editor::start(&sandbox, &[], abilities);
        assert_eq!(editor.offers["capabilities"]["positionEncoding"], json!(encoding));
        editor.open("a.c", &text);
        let all = editor.diagnostics("a.c");
        assert_eq!(
            code(&all, "OMM102")["range"]["start"],
            json!({ "line": READ, "character": character })
        );
        assert_eq!(editor.end(), 0);
    }
}

#[test]
fn places_are_explained() {
    let sandbox = Sandbox::new(&[("a.c", STALE)]);
    let mut editor = Editor::start(&sandbox, &[], Abilities::Most);
    editor.open("a.c", STALE);
    let kernel = editor.hover("a.c", 11, 5).unwrap();
    assert!(
        kernel.starts_with("**`target teams distribute parallel for`** in `main`\n"),
        "{kernel}"
    );
    assert!(
        kernel.contains("| `a[0:N]` | persistent in | persistent out |") || kernel.contains("`a"),
        "{kernel}"
    );
    let entry = editor.hover("a.c", 9, 5).unwrap();
    assert!(
        entry.contains("| `a[0:N]` | copy in | nothing | 512 bytes |"),
        "{entry}"
    );
    let read = editor.hover("a.c", READ, 4).unwrap();
    assert!(read.contains("OMM102") && read.contains("**Instead:**"), "{read}");
    assert_eq!(editor.hover("a.c", 0, 0), None);
    assert_eq!(editor.hover("a.c", 999, 999), None);
    assert_eq!(editor.end(), 0);
}

#[test]
fn texts_that_are_hardly_any_are_served() {
    let sandbox = Sandbox::new(&[("a b.c", STALE)]);
    let mut editor = Editor::start(&sandbox, &[], Abilities::Most);
    // A name with a space, a file that is not there yet, an empty one, one without an end of line, and one that is no file.
    editor.open("a b.c", &STALE.replace('\n', "\r\n"));
    assert!(editor.codes("a b.c").contains(&"OMM102".to_owned()));
    editor.open("new.c", STALE.trim_end());
    assert!(editor.codes("new.c").contains(&"OMM102".to_owned()));
    editor.open("empty.c", "");
    assert_eq!(editor.codes("empty.c"), [] as [String; 0]);
    editor.replace("empty.c", 2, "\u{feff}int x = '\0';\r\r");
    editor.codes("empty.c");
    let untitled = json!({ "uri": "untitled:Untitled-1", "languageId": "c", "version": 1, "text": STALE });
    editor.tell("textDocument/didOpen", json!({ "textDocument": untitled }));
    editor.open("notes.txt", "no C");
    assert_eq!(editor.codes("notes.txt"), [] as [String; 0]);
    assert!(!sandbox.path().join("new.c").exists());
    assert_eq!(editor.end(), 0);
}
