//! What the preprocessor left of a file's headers, line by line.
//!
//! ```text
//! # 1 "./ops.h" 1                                    ┐
//!                                                    │   "./ops.h": code in lines 2, 3, 5 to 7,
//! static inline void halve(double *x, int n)         │   the pragma `omp target …` in line 4
//! {                                                  ├►
//! #pragma omp target map(tofrom: x[0:n])             │   (where the header has `ON_DEVICE(x)`, say)
//!     for (int i = 0; i < n; i++)                    ┘
//! ```
//!
//! With the header's own text this says which branches of its conditionals count for this file, and which pragmas its
//! macros make.

use super::line_markers::{Marker, MarkerKind, is_definition};
use std::collections::BTreeMap;

/// What is left of one header.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct HeaderLines {
    /// Lines with something other than pragmas: ranges with both ends, sorted.
    pub code: Vec<(u32, u32)>,
    /// Pragmas without `#pragma`, each with its line.
    pub pragmas: Vec<(u32, String)>,
}

/// The headers in a preprocessed text with line markers, by the names that these have. A header of which more than one
/// inclusion left something is not there: its lines do not say which of them.
pub fn header_lines(preprocessed: &[u8]) -> BTreeMap<String, HeaderLines> {
    let mut found: BTreeMap<String, (HeaderLines, u32)> = BTreeMap::new();
    // The inclusions that are open, from the outermost on: each has a number.
    let mut open: Vec<u32> = Vec::new();
    let mut inclusions = 0;
    let (mut name, mut line) = (String::new(), 1u32);
    let mut several: Vec<String> = Vec::new();
    for text in preprocessed.split(|byte| *byte == b'\n') {
        if let Some(marker) = Marker::read(text) {
            match marker.step {
                MarkerKind::Into => {
                    inclusions += 1;
                    open.push(inclusions);
                }
                MarkerKind::Back => {
                    open.pop();
                }
                MarkerKind::Within => {}
            }
            (name, line) = (String::from_utf8_lossy(marker.name).into_owned(), marker.line);
            continue;
        }
        let text = text.trim_ascii();
        if let Some(inclusion) = open
            .last()
            .copied()
            .filter(|_| !text.is_empty() && !is_definition(text))
        {
            if !found.contains_key(&name) {
                found.insert(name.clone(), (HeaderLines::default(), inclusion));
            }
            if let Some((lines, first)) = found.get_mut(&name) {
                if *first != inclusion {
                    several.push(name.clone());
                }
                match text.strip_prefix(b"#pragma") {
                    Some(pragma) => {
                        let pragma = String::from_utf8_lossy(pragma.trim_ascii()).into_owned();
                        lines.pragmas.push((line, pragma));
                    }
                    None => match lines.code.last_mut() {
                        Some((_, last)) if *last == line || *last + 1 == line => *last = line,
                        _ => lines.code.push((line, line)),
                    },
                }
            }
        }
        line = line.saturating_add(1);
    }
    found.retain(|name, _| !several.contains(name));
    found.into_iter().map(|(name, (lines, _))| (name, lines)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_and_pragmas_have_the_lines_of_their_headers() {
        let text = "# 1 \"m.c\"\nint a;\n# 1 \"./a.h\" 1\n\nint b;\n# 1 \"./b.h\" 1\nint c;\n# 7 \"./a.h\" 2\n\
                    #pragma omp target\n{ }\n\n\nint d;\n# 3 \"m.c\" 2\n# 1 \"./a.h\" 1\n# 4 \"m.c\" 2\nint e;\n";
        let found = header_lines(text.as_bytes());
        let a = &found["./a.h"];
        assert_eq!(a.code, [(2, 2), (8, 8), (11, 11)]);
        assert_eq!(a.pragmas, [(7, "omp target".to_owned())]);
        assert_eq!(found["./b.h"].code, [(1, 1)]);
        assert!(!found.contains_key("m.c"));
    }

    #[test]
    fn a_header_with_two_faces_has_no_lines() {
        let text = "# 1 \"m.c\"\n# 1 \"./a.h\" 1\nint b;\n# 2 \"m.c\" 2\n# 1 \"./a.h\" 1\n\nint c;\n# 3 \"m.c\" 2\n";
        assert!(header_lines(text.as_bytes()).is_empty());
    }
}
