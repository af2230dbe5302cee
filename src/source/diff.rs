//! Unified diffs that `git apply` and `patch -p1` take.
//!
//! The `similar` crate finds the differing lines; the text is split and printed here, because a lone `\r` is no line end
//! for the tools that read the patch, and names need the care that `git` gives them: a TAB after a name with spaces, and
//! C quoting of names with quotes, backslashes or control characters.

use super::Span;
use similar::{Algorithm, ChangeTag, DiffOp, DiffTag, capture_diff_slices, group_diff_ops};

/// Unchanged lines shown around a change.
const CONTEXT: usize = 3;

/// The difference from `old` to `new` of the file `name` (a path relative to where the patch will be applied, with `/`; where
/// it is absolute the patch is for the root folder, as git has it).
/// Empty when there is none. Lines keep their bytes, carriage returns included.
pub fn unified_diff(name: &str, old: &[u8], new: &[u8]) -> Vec<u8> {
    if old == new {
        return Vec::new();
    }
    let name = name.trim_start_matches('/');
    let (old, new) = (split_lines(old), split_lines(new));
    let ops = capture_diff_slices(Algorithm::Myers, &old, &new);
    let mut out = Vec::new();
    out.extend_from_slice(format!("--- {}\n+++ {}\n", quoted("a/", name), quoted("b/", name)).as_bytes());
    for hunk in group_diff_ops(ops, CONTEXT) {
        print_hunk(&hunk, &old, &new, &mut out);
    }
    out
}

/// A run of lines that differ, and what stands in their place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChangedLines<'n> {
    /// The bytes of the lines in the old text; none where lines are added only.
    pub old: Span,
    /// What is there in the new text.
    pub new: &'n [u8],
}

/// The runs of lines that make the new text of the old one, in text order.
pub fn changed_lines<'n>(old: &[u8], new: &'n [u8]) -> Vec<ChangedLines<'n>> {
    let (old_lines, new_lines) = (split_lines(old), split_lines(new));
    let (old_starts, new_starts) = (starts(&old_lines), starts(&new_lines));
    let ops = capture_diff_slices(Algorithm::Myers, &old_lines, &new_lines);
    let changed = ops.iter().filter(|op| op.tag() != DiffTag::Equal);
    let run = |op: &DiffOp| {
        let (old, new_range) = (op.old_range(), op.new_range());
        ChangedLines {
            old: Span::new(old_starts[old.start], old_starts[old.end]),
            new: &new[new_starts[new_range.start]..new_starts[new_range.end]],
        }
    };
    changed.map(run).collect()
}

/// Where lines begin, and where the last one ends.
fn starts(lines: &[&[u8]]) -> Vec<usize> {
    let ends = lines.iter().scan(0, |at, line| {
        *at += line.len();
        Some(*at)
    });
    std::iter::once(0).chain(ends).collect()
}

/// The lines with their `\n`; the last one may lack it.
fn split_lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

fn print_hunk(hunk: &[DiffOp], old: &[&[u8]], new: &[&[u8]], out: &mut Vec<u8>) {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else {
        return;
    };
    let removed = range(first.old_range().start, last.old_range().end);
    let added = range(first.new_range().start, last.new_range().end);
    out.extend_from_slice(format!("@@ -{removed} +{added} @@\n").as_bytes());
    for change in hunk.iter().flat_map(|op| op.iter_changes(old, new)) {
        out.push(match change.tag() {
            ChangeTag::Equal => b' ',
            ChangeTag::Delete => b'-',
            ChangeTag::Insert => b'+',
        });
        out.extend_from_slice(change.value());
        if !change.value().ends_with(b"\n") {
            out.extend_from_slice(b"\n\\ No newline at end of file\n");
        }
    }
}

/// A hunk range: `start,count` with a start from one; the count is left out when it is one, and an empty range starts at
/// the line before it.
fn range(start: usize, end: usize) -> String {
    match end - start {
        0 => format!("{start},0"),
        1 => format!("{}", start + 1),
        count => format!("{},{count}", start + 1),
    }
}

/// The name as `git` prints it in a header.
fn quoted(prefix: &str, name: &str) -> String {
    let needs_quotes = name.chars().any(|c| c.is_ascii_control() || c == '"' || c == '\\');
    if needs_quotes {
        let mut text = format!("\"{prefix}");
        for c in name.chars() {
            match c {
                '"' | '\\' => text.extend(['\\', c]),
                '\n' => text.push_str("\\n"),
                '\t' => text.push_str("\\t"),
                '\r' => text.push_str("\\r"),
                c if c.is_ascii_control() => text.push_str(&format!("\\{:03o}", c as u32)),
                c => text.push(c),
            }
        }
        text + "\""
    } else if name.contains(' ') {
        format!("{prefix}{name}\t")
    } else {
        format!("{prefix}{name}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use std::process::Command;

    fn available(tool: &str) -> bool {
        Command::new(tool).arg("--version").output().is_ok()
    }

    fn run(tool: &str, args: &[&str], dir: &Path) {
        let output = Command::new(tool).args(args).current_dir(dir).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{tool} {args:?} failed: {said}");
        assert!(
            !said.contains("fuzz") && !said.contains("offset"),
            "{tool} had to guess: {said}"
        );
    }

    /// Writes `old`, applies the patch with each tool that is installed, and expects `new`.
    fn applies(name: &str, old: &[u8], new: &[u8]) {
        let patch = unified_diff(name, old, new);
        for (tool, args) in [
            ("git", &["apply", "--whitespace=nowarn", "p.diff"][..]),
            ("patch", &["-p1", "-i", "p.diff"][..]),
        ] {
            if !available(tool) {
                continue;
            }
            let dir = tempfile::tempdir().unwrap();
            if tool == "git" {
                run("git", &["init", "-q"], dir.path());
            }
            let file = dir.path().join(name);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(&file, old).unwrap();
            std::fs::write(dir.path().join("p.diff"), &patch).unwrap();
            run(tool, args, dir.path());
            assert_eq!(
                std::fs::read(&file).unwrap(),
                new,
                "{tool}: {}",
                String::from_utf8_lossy(&patch)
            );
        }
    }

    #[test]
    fn identical_texts_give_nothing() {
        assert!(unified_diff("a.c", b"x\n", b"x\n").is_empty());
        assert!(unified_diff("a.c", b"", b"").is_empty());
    }

    #[test]
    fn the_exact_form() {
        let diff = unified_diff("src/a.c", b"1\n2\n3\n4\n5\n", b"1\n2\n3\n4\nfive\n");
        let expected = "--- a/src/a.c\n+++ b/src/a.c\n@@ -2,4 +2,4 @@\n 2\n 3\n 4\n-5\n+five\n";
        assert_eq!(String::from_utf8(diff).unwrap(), expected);
    }

    #[test]
    fn a_name_with_spaces_ends_in_a_tab_and_odd_names_are_quoted() {
        assert_eq!(quoted("a/", "my file.c"), "a/my file.c\t");
        assert_eq!(quoted("b/", "q\"\u{1}.c"), "\"b/q\\\"\\001.c\"");
    }

    #[test]
    fn tools_apply_a_plain_change_in_a_folder() {
        let old: String = (0..40).map(|i| format!("line {i}\n")).collect();
        let new = old
            .replace("line 3\n", "line three\n")
            .replace("line 30\n", "")
            .replace("line 39\n", "line 39\nend\n");
        applies("src/deep/a.c", old.as_bytes(), new.as_bytes());
    }

    #[test]
    fn tools_apply_where_the_final_newline_is_missing() {
        applies("a.c", b"a\nb", b"a\nc");
        applies("a.c", b"a\nb", b"a\nb\n");
        applies("a.c", b"a\nb\n", b"a\nb");
        applies("a.c", b"a\nb\nc", b"a\nB\nc");
    }

    #[test]
    fn tools_apply_carriage_returns() {
        applies("a.c", b"a\r\nb\r\nc\r\n", b"a\r\n#pragma omp target\r\nb\r\nc\r\n");
        applies("a.c", b"a\rb\nc\n", b"a\rb\nC\n");
        applies("a.c", b"a\nb\r", b"A\nb\r");
        applies("a.c", b"a\r\nb\nc\r\n", b"a\r\nB\nc\r\n");
    }

    #[test]
    fn tools_apply_names_with_spaces_and_quotes() {
        applies("my folder/my file.c", b"a\n", b"b\n");
        applies("it\"s.c", b"a\n", b"b\n");
    }

    #[test]
    fn tools_apply_bytes_that_are_no_text() {
        applies("a.c", b"/* \xff\xfe */\na\n", b"/* \xff\xfe */\nb\n");
    }

    #[test]
    fn runs_of_lines_make_the_new_text() {
        let texts = ["", "a\n", "a\nb\r\nc", "b\r\nc\nd\n", "x\na\nc"];
        for old in texts {
            for new in texts {
                let (mut made, mut at) = (String::new(), 0);
                for change in changed_lines(old.as_bytes(), new.as_bytes()) {
                    made += &old[at..change.old.start];
                    made += std::str::from_utf8(change.new).unwrap();
                    at = change.old.end;
                }
                assert_eq!(made + &old[at..], new, "{old:?}");
            }
        }
    }
}
