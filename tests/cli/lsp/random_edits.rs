//! Random edits: what the server says after each is what a fresh run says of the same text, and nothing ends it.
//!
//! `LSP_EDITS=1000` makes a thousand of them, `LSP_SEED=7` others.

use super::*;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// What is written into texts.
const PIECES: [&str; 18] = [
    ";",
    "{",
    "}",
    "é",
    "😀",
    "\r\n",
    "\n",
    "/*",
    "*/",
    "\"",
    " \\\r\n",
    "a[3] = 1;",
    "printf(\"%g\\n\", a[5]);",
    "\r\n#pragma omp target update from(a[0:N])\r\n",
    "\n  #pragma omp target update to(a[0:4])\n",
    "\r\n#if 0\r\n",
    "\n#endif\n",
    "/* Größe 😀 */ int y = N;\r\n",
];

/// Numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

/// The byte of a character, not within the end of a line.
fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) || (text[..at].ends_with('\r') && text[at..].starts_with('\n')) {
        at -= 1;
    }
    at
}

/// A place as an editor says it.
fn place(text: &str, at: usize) -> Value {
    let line = text[..at].matches('\n').count();
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    json!({ "line": line, "character": text[start..at].encode_utf16().count() })
}

/// An edit of the text, as the editor says it; the text is changed.
fn edit(text: &mut String, numbers: &mut Numbers) -> Value {
    let (one, length) = (numbers.below(text.len() + 1), numbers.below(6) * numbers.below(6));
    let start = boundary(text, one);
    let removes = numbers.below(3) > 0;
    let end = boundary(
        text,
        if removes {
            (start + length).min(text.len())
        } else {
            start
        },
    );
    let piece = match numbers.below(4) {
        0 => "",
        _ => PIECES[numbers.below(PIECES.len())],
    };
    let change = json!({ "range": { "start": place(text, start), "end": place(text, end) }, "text": piece });
    text.replace_range(start..end, piece);
    change
}

/// Line from 0, identifier, message.
type Said = BTreeSet<(u64, String, String)>;

/// What a fresh run says of a text, and what it writes instead; `None` where it cannot.
fn afresh(text: &str) -> Option<(Said, String)> {
    let sandbox = Sandbox::new(&[("a.c", text)]);
    let mut said = Said::new();
    let rewrite = ["rewrite", "-i", "--no-cache", "--output-format", "json", "a.c"];
    for args in [&["check", "--no-cache", "--output-format", "json", "a.c"][..], &rewrite] {
        let report: Value = serde_json::from_str(&sandbox.run(args).out).unwrap();
        for finding in report["files"][0]["findings"].as_array().unwrap() {
            let id = match (finding["level"].as_str().unwrap(), finding["id"].as_str()) {
                ("error", _) => return None,
                ("note", _) if args[0] == "rewrite" => continue,
                (_, Some(id)) => id,
                ("change", None) => "data-movement",
                (_, None) => "note",
            };
            let line = finding["line"].as_u64().unwrap().saturating_sub(1);
            said.insert((line, id.to_owned(), finding["message"].as_str().unwrap().to_owned()));
        }
    }
    Some((said, sandbox.read("a.c")))
}

/// What the server says of a text, and what it would write; `None` where it cannot.
fn served(editor: &mut Editor, text: &str) -> Option<(Said, String)> {
    let actions = editor.actions("a.c", 0, Some("source.fixAll.ompmemopt"));
    let mut said = Said::new();
    for diagnostic in editor.last_diagnostics("a.c") {
        let id = diagnostic["code"].as_str().unwrap();
        if id == "clang" || id == "file-skipped" {
            return None;
        }
        let line = diagnostic["range"]["start"]["line"].as_u64().unwrap();
        said.insert((line, id.to_owned(), diagnostic["message"].as_str().unwrap().to_owned()));
    }
    let texts: BTreeMap<String, String> = [("a.c".to_owned(), text.to_owned())].into();
    let new = actions
        .first()
        .map(|action| editor::applied(action, &texts)["a.c"].clone());
    Some((said, new.unwrap_or_else(|| text.to_owned())))
}

#[test]
fn what_is_said_after_random_edits_is_what_a_fresh_run_says() {
    let count = setting("LSP_EDITS", 40);
    let seed = setting("LSP_SEED", 1);
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15 ^ (seed << 32));
    let starts = [
        STALE.replace('\n', "\r\n"),
        LOOP.to_owned(),
        STALE.replace("  for", "  /* Größe 😀 */ for"),
    ];
    let sandbox = Sandbox::new(&[("a.c", &starts[0])]);
    let mut editor = Editor::start(&sandbox, &[], Abilities::Most);
    let mut text = starts[0].clone();
    editor.open("a.c", &text);
    let (mut compared, mut broken) = (0, 0);
    for number in 0..count {
        let version = 2 + number as i32;
        // Most texts would not compile for long: now and then there is a good one again.
        if numbers.below(4) == 0 {
            text.clone_from(&starts[numbers.below(starts.len())]);
            editor.replace("a.c", version, &text);
        } else {
            let edits: Vec<Value> = (0..=numbers.below(3)).map(|_| edit(&mut text, &mut numbers)).collect();
            editor.edit("a.c", version, json!(edits));
        }
        // Of some versions nobody waits for what is said.
        if text.is_empty() || numbers.below(3) == 0 {
            continue;
        }
        let (here, there) = (served(&mut editor, &text), afresh(&text));
        assert_eq!(here, there, "edit {number} of seed {seed}:\n{text}");
        compared += 1;
        broken += u64::from(here.is_none());
    }
    assert_eq!(editor.end(), 0);
    assert!(
        compared > count / 3 && broken > 0 && broken < compared,
        "{broken} of {compared} do not compile"
    );
}
