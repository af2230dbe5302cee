//! `FILE:LINE[-LINE]`: a file, or some of its lines.

use crate::rewrite::LineRange;
use std::path::{Path, PathBuf};

/// What a path on the command line means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// The file or folder.
    pub path: PathBuf,
    /// The lines, when not all.
    pub lines: Option<LineRange>,
}

impl Target {
    /// Reads an argument. One that names something that exists is a path, colons and all.
    ///
    /// # Errors
    /// What is wrong with the line numbers.
    pub fn parse(argument: &Path) -> Result<Target, String> {
        let whole = || {
            Ok(Target {
                path: argument.to_owned(),
                lines: None,
            })
        };
        let Some(text) = argument.to_str().filter(|_| !argument.exists()) else {
            return whole();
        };
        let Some((path, numbers)) = text.rsplit_once(':') else {
            return whole();
        };
        if path.is_empty() || !numbers.starts_with(|c: char| c.is_ascii_digit()) {
            return whole();
        }
        let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
        let number = |n: &str| n.parse::<u32>().ok().filter(|n| *n > 0);
        match (number(first), number(last)) {
            (Some(first), Some(last)) if first <= last => Ok(Target {
                path: path.into(),
                lines: Some(LineRange { first, last }),
            }),
            _ => Err(format!(
                "{text}: lines are written as FILE:LINE or FILE:FIRST-LAST, numbers from 1, in order"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<(String, Option<(u32, u32)>), String> {
        let target = Target::parse(Path::new(text))?;
        Ok((
            target.path.display().to_string(),
            target.lines.map(|l| (l.first, l.last)),
        ))
    }

    #[test]
    fn lines_and_ranges() {
        assert_eq!(parsed("a.c"), Ok(("a.c".into(), None)));
        assert_eq!(parsed("a.c:7"), Ok(("a.c".into(), Some((7, 7)))));
        assert_eq!(parsed("d:e/a.c:7-12"), Ok(("d:e/a.c".into(), Some((7, 12)))));
        assert_eq!(parsed("d:e/a.c"), Ok(("d:e/a.c".into(), None)));
        for wrong in ["a.c:0", "a.c:9-7", "a.c:7-", "a.c:7x"] {
            assert!(parsed(wrong).is_err(), "{wrong}");
        }
    }
}
