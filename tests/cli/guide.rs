//! The guide's commands, run one after the other: each prints what the page says. `BLESS=1` writes pages anew.
//!
//! A block of a page that begins with ` ```console ` has lines that begin with `$ `, and behind each what it prints, errors and all. Each page
//! has a folder of its own, with the project's examples and the guide's programs.

use super::Sandbox;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const PAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/guide/src");

/// The pages are those of the LLVM that is usual. Others have conditions at other columns.
const IS_USUAL: bool = matches!(env!("OMPMEMOPT_LLVM_MAJOR").as_bytes(), b"19");

#[test]
fn pages_say_what_commands_print() {
    let mut pages: Vec<PathBuf> = { fs::read_dir(PAGES).unwrap() }
        .map(|entry| entry.unwrap().path())
        .collect();
    pages.sort();
    let (mut commands, mut wrong) = (0, String::new());
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        let (ran, count) = run(&text);
        commands += count;
        if ran == text || (!IS_USUAL && without_columns(&ran) == without_columns(&text)) {
            continue;
        }
        if std::env::var_os("BLESS").is_some() {
            fs::write(&page, ran).unwrap();
        } else {
            let diff = similar::TextDiff::from_lines(&text, &ran);
            wrong += &format!("{}:\n{}", page.display(), diff.unified_diff());
        }
    }
    assert!(commands > 20, "{commands} commands were found");
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_page_is_in_the_summary() {
    let summary = fs::read_to_string(Path::new(PAGES).join("SUMMARY.md")).unwrap();
    for page in fs::read_dir(PAGES).unwrap() {
        let name = page.unwrap().file_name().into_string().unwrap();
        assert!(name == "SUMMARY.md" || summary.contains(&format!("({name})")), "{name}");
    }
}

/// A page without the columns of places, and without how far marks under the lines of programs are from the margin and how long.
fn without_columns(page: &str) -> String {
    let line = |line: &str| match line.trim_start().strip_prefix('|') {
        Some(marks) if marks.trim_start().starts_with(['-', '^']) => {
            marks.trim_start_matches(['-', '^', ' ']).to_owned()
        }
        _ => {
            let (place, column) = line.rsplit_once(':').unwrap_or((line, ""));
            let is_column = !column.is_empty() && column.bytes().all(|b| b.is_ascii_digit());
            (if is_column { place } else { line }).to_owned()
        }
    };
    page.lines().map(line).collect::<Vec<String>>().join("\n")
}

/// The page with what its commands print now, and how many they are.
fn run(page: &str) -> (String, usize) {
    let sandbox = Sandbox::new(&[]);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    copy(&root.join("examples"), sandbox.path());
    copy(&root.join("docs/guide/programs"), sandbox.path());
    let (mut out, mut commands, mut in_console) = (String::new(), 0, false);
    for line in page.split_inclusive('\n') {
        match in_console {
            true if line.starts_with("```") => in_console = false,
            true => {
                if let Some(command) = line.strip_prefix("$ ") {
                    commands += 1;
                    out += line;
                    out += &printed(&sandbox, command.trim_end());
                }
                continue;
            }
            false => in_console = line.starts_with("```console"),
        }
        out += line;
    }
    (out, commands)
}

/// What a command of the shell prints.
fn printed(sandbox: &Sandbox, command: &str) -> String {
    let tool = Path::new(env!("CARGO_BIN_EXE_ompmemopt")).parent().unwrap();
    let path = format!("{}:{}", tool.display(), std::env::var("PATH").unwrap());
    let output = { sandbox.set_up(Command::new("sh"), &["-c", &format!("exec 2>&1; {command}")]) }
        .env("PATH", path)
        .env("LC_ALL", "C")
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let (path, to) = { entry.map(|entry| (entry.path(), to.join(entry.file_name()))) }.unwrap();
        match path.is_dir() {
            true => {
                fs::create_dir_all(&to).unwrap();
                copy(&path, &to);
            }
            false => drop(fs::copy(&path, &to).unwrap()),
        }
    }
}
