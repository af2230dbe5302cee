//! Hunks that somebody has edited, applied to a text.
//!
//! ```text
//! # lines like this one do not count
//! @@ -9,3 +9,4 @@
//!    int n = 1000;
//! +  #pragma omp target data map(to: a[0:n])
//!    for (int t = 0; t < 10; t++) {
//! ```
//!
//! Whoever edits a hunk counts no lines: the numbers in its head say where to begin to look for what it replaces, and nothing else. That has to
//! stand there byte for byte, there or as near as it is found; what is found nowhere is said. A line without any mark is an empty one, as editors
//! that cut blanks at the ends of lines leave it.

use std::ops::Range;

/// Edited hunks of one file, in text order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EditedHunks(Vec<EditedHunk>);

/// Lines to be replaced.
#[derive(Clone, PartialEq, Eq, Debug)]
struct EditedHunk {
    /// The line where they are looked for first, from 0.
    at: usize,
    old: Vec<Vec<u8>>,
    new: Vec<Vec<u8>>,
    /// The mark of the line that was added last.
    last: u8,
}

impl EditedHunks {
    /// The hunks of each file in a patch, in their order: a file begins with the lines `---` and `+++`.
    ///
    /// # Errors
    /// What is wrong with the patch, and in which line.
    pub fn of_patch(patch: &[u8]) -> Result<Vec<EditedHunks>, String> {
        let mut files: Vec<EditedHunks> = Vec::new();
        let lines: Vec<&[u8]> = patch.split_inclusive(|byte| *byte == b'\n').collect();
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            let wrong = |why: &str| format!("line {} of the edited patch {why}", at + 1);
            let begins_file = line.starts_with(b"--- ") && lines.get(at + 1).is_some_and(|l| l.starts_with(b"+++ "));
            if begins_file {
                files.push(EditedHunks::default());
                at += 2;
                continue;
            }
            let hunks = files.last_mut().map(|file| &mut file.0);
            match (line.first(), hunks) {
                (Some(b'#'), _) => {}
                (_, None) => {
                    return Err(wrong(
                        "comes before any file: the lines that begin with `---` and `+++` have to stay",
                    ));
                }
                (Some(b'@'), Some(hunks)) => {
                    let at = first_line(line)
                        .ok_or_else(|| wrong("does not say where its hunk begins: `@@ -LINE,COUNT +LINE,COUNT @@`"))?;
                    hunks.push(EditedHunk {
                        at: at.saturating_sub(1),
                        old: Vec::new(),
                        new: Vec::new(),
                        last: b' ',
                    });
                }
                (_, Some(hunks)) => {
                    let hunk = hunks
                        .last_mut()
                        .ok_or_else(|| wrong("comes before any hunk: the line that begins with `@@` has to stay"))?;
                    hunk.add(line).map_err(|why| wrong(&why))?;
                }
            }
            at += 1;
        }
        files
            .iter_mut()
            .for_each(|file| file.0.retain(|hunk| hunk.old != hunk.new));
        Ok(files)
    }

    /// Whether nothing is to be changed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text with all hunks.
    ///
    /// # Errors
    /// Which lines are not there.
    pub fn applied(&self, text: &[u8]) -> Result<Vec<u8>, String> {
        let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
        let (mut out, mut done, mut moved) = (Vec::with_capacity(text.len()), 0, 0);
        for hunk in &self.0 {
            let wanted = hunk.at.saturating_add_signed(moved).max(done);
            let Some(found) = hunk.found(&lines[done..], wanted - done) else {
                let first = hunk.old.iter().find(|line| !line.trim_ascii().is_empty());
                let first = String::from_utf8_lossy(first.map_or(&[][..], |line| line.trim_ascii()));
                return Err(format!(
                    "the hunk of line {} does not apply: the lines that it keeps or takes out, from `{first}` on, do not stand there like that",
                    hunk.at + 1
                ));
            };
            let found = found.start + done..found.end + done;
            moved = found.start as isize - hunk.at as isize;
            lines[done..found.start]
                .iter()
                .for_each(|line| out.extend_from_slice(line));
            for line in &hunk.new {
                // What was added behind the last line of a file without a newline at its end.
                if out.last().is_some_and(|byte| *byte != b'\n') {
                    out.push(b'\n');
                }
                out.extend_from_slice(line);
            }
            done = found.end;
        }
        lines[done..].iter().for_each(|line| out.extend_from_slice(line));
        Ok(out)
    }
}

impl EditedHunk {
    /// Adds a line of a patch.
    fn add(&mut self, line: &[u8]) -> Result<(), String> {
        let (mark, rest) = match line.split_first() {
            Some((mark, rest)) if !matches!(mark, b'\n' | b'\r') => (*mark, rest),
            _ => (b' ', line),
        };
        match mark {
            b' ' => {
                self.old.push(rest.to_vec());
                self.new.push(rest.to_vec());
            }
            b'-' => self.old.push(rest.to_vec()),
            b'+' => self.new.push(rest.to_vec()),
            // `\ No newline at end of file` is about the line before.
            b'\\' => {
                let of_old = self.last != b'+';
                let of_new = self.last != b'-';
                for (side, ends) in [(&mut self.old, of_old), (&mut self.new, of_new)] {
                    let line = side.last_mut().filter(|line| ends && line.ends_with(b"\n"));
                    line.map(Vec::pop);
                }
            }
            _ => return Err("begins with neither a blank, `+`, `-` nor `#`".to_owned()),
        }
        self.last = mark;
        Ok(())
    }

    /// Where its old lines stand among others, nearest to a line.
    fn found(&self, lines: &[&[u8]], wanted: usize) -> Option<Range<usize>> {
        let count = self.old.len();
        let last = lines.len().checked_sub(count)?;
        let stands = |at: usize| {
            lines[at..at + count]
                .iter()
                .zip(&self.old)
                .all(|(line, old)| *line == old.as_slice())
        };
        let wanted = wanted.min(last);
        let mut places: Vec<usize> = (0..=last).collect();
        places.sort_by_key(|at| at.abs_diff(wanted));
        places.into_iter().find(|at| stands(*at)).map(|at| at..at + count)
    }
}

/// The line where the head of a hunk says that the old text begins.
fn first_line(head: &[u8]) -> Option<usize> {
    let head = String::from_utf8_lossy(head);
    let old = head.strip_prefix("@@ -")?;
    let digits = old.find(|c: char| !c.is_ascii_digit()).unwrap_or(old.len());
    old[..digits].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::unified_diff;

    fn applied(patch: &str, text: &str) -> Result<String, String> {
        let files = EditedHunks::of_patch(patch.as_bytes())?;
        let text = files[0].applied(text.as_bytes())?;
        Ok(String::from_utf8(text).unwrap())
    }

    #[test]
    fn what_is_not_edited_gives_the_new_text() {
        let old: String = (0..40).map(|i| format!("line {i}\r\n")).collect();
        let far = old
            .replace("line 3\r\n", "")
            .replace("line 30\r\n", "line 30\r\nmore\r\n");
        let ends = [
            ("a\nb", "a\nc"),
            ("a\nb", "a\nb\n"),
            ("a\nb\n", "a\nb"),
            ("a\nb\nc", "a\nB\nc"),
            ("", "a\n"),
            ("a\n", ""),
        ];
        for (old, new) in [(old.as_str(), far.as_str())].into_iter().chain(ends) {
            let patch = unified_diff("a.c", old.as_bytes(), new.as_bytes());
            assert_eq!(
                applied(&String::from_utf8(patch).unwrap(), old).as_deref(),
                Ok(new),
                "{old:?}"
            );
        }
    }

    #[test]
    fn counts_need_not_be_right_and_lines_may_have_moved() {
        let patch = "# said\n--- a/a.c\n+++ b/a.c\n@@ -1,9 +1,9 @@ f()\n b\n+x\n+y\n\n-c\n";
        assert_eq!(
            applied(patch, "0\n0\n0\nb\n\nc\nd\n").as_deref(),
            Ok("0\n0\n0\nb\nx\ny\n\nd\n")
        );
        let error = applied(patch, "b\nc\n").unwrap_err();
        assert!(
            error.contains("line 1 does not apply") && error.contains("from `b` on"),
            "{error}"
        );
    }

    #[test]
    fn what_is_no_patch_is_told() {
        for (patch, why) in [
            ("@@ -1 +1 @@\n", "line 1 of the edited patch comes before any file"),
            ("--- a\n+++ b\nx\n", "line 3 of the edited patch comes before any hunk"),
            (
                "--- a\n+++ b\n@@ here @@\n",
                "line 3 of the edited patch does not say where",
            ),
            (
                "--- a\n+++ b\n@@ -1 +1 @@\nint x;\n",
                "line 4 of the edited patch begins with neither",
            ),
        ] {
            let error = EditedHunks::of_patch(patch.as_bytes()).unwrap_err();
            assert!(error.starts_with(why), "{error}");
        }
        let behind = "--- a\n+++ b\n@@ -1,2 +1,3 @@\n a\n b\n\\ No newline at end of file\n+c\n";
        assert_eq!(applied(behind, "a\nb").as_deref(), Ok("a\nb\nc\n"));
        let nothing = EditedHunks::of_patch(b"--- a\n+++ b\n@@ -1 +1 @@\n a\n").unwrap();
        assert!(nothing.iter().all(EditedHunks::is_empty));
    }
}
