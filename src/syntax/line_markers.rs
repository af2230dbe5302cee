//! The lines that the preprocessor writes between those of the program.
//!
//! ```text
//! # 3 "./field.h" 1 3      the next line is the third of field.h, which is included here (1), a system header (3)
//! # 12 "main.c" 2          the next line is the twelfth of main.c, to which it returns (2)
//! #define ROWS 64          only where it is asked to leave definitions in (`-dD`)
//! ```

/// A line marker.
pub(super) struct Marker<'t> {
    /// The name of the file, as the preprocessor has it, with escapes.
    pub name: &'t [u8],
    /// The line of its file that the next line is.
    pub line: u32,
    pub step: MarkerKind,
    /// What follows is the system's.
    pub system: bool,
}

/// Where a marker goes.
pub(super) enum MarkerKind {
    Into,
    Back,
    Within,
}

impl Marker<'_> {
    /// Reads a line `# 12 "name" 1 3`; `None` for all others.
    pub fn read(line: &[u8]) -> Option<Marker<'_>> {
        let rest = line.strip_prefix(b"# ")?;
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
        let named = rest[digits..].strip_prefix(b" \"")?;
        let name_end = named.iter().rposition(|byte| *byte == b'"')?;
        let mut flags = named[name_end + 1..].split(u8::is_ascii_whitespace);
        let has = |flag: &[u8]| flags.clone().any(|f| f == flag);
        let step = match (has(b"1"), has(b"2")) {
            (true, _) => MarkerKind::Into,
            (_, true) => MarkerKind::Back,
            _ => MarkerKind::Within,
        };
        let system = flags.any(|f| f == b"3");
        Some(Marker {
            name: &named[..name_end],
            line: number,
            step,
            system,
        })
    }

    /// How many inclusions are open after the marker, where `depth` are before it.
    pub fn depth(&self, depth: usize) -> usize {
        match self.step {
            MarkerKind::Into => depth + 1,
            MarkerKind::Back => depth.saturating_sub(1),
            MarkerKind::Within => depth,
        }
    }
}

/// The headers of the program's own in a preprocessed text, by the names that its markers have, in order of their inclusion.
pub fn own_headers(preprocessed: &[u8]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let markers = preprocessed.split(|byte| *byte == b'\n').filter_map(Marker::read);
    for marker in markers.filter(|m| matches!(m.step, MarkerKind::Into) && !m.system) {
        let name = String::from_utf8_lossy(marker.name).into_owned();
        if !name.starts_with('<') && !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

/// Whether a line defines a macro, or takes a definition back.
pub(super) fn is_definition(line: &[u8]) -> bool {
    line.starts_with(b"#define ") || line.starts_with(b"#undef ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_the_system_are_not_the_programs_own() {
        let text = "# 1 \"m.c\"\n# 1 \"<command line>\" 1\n# 1 \"<built-in>\" 2\n# 1 \"./a.h\" 1\n# 1 \"/usr/include/stdio.h\" 1 3 4\n\
                    # 2 \"./a.h\" 2\n# 1 \"b.h\" 1\n# 3 \"./a.h\" 2\n# 2 \"m.c\" 2\n# 1 \"b.h\" 1\n";
        assert_eq!(own_headers(text.as_bytes()), ["./a.h", "b.h"]);
    }

    #[test]
    fn markers_have_a_name_and_flags() {
        let marker = Marker::read(b"# 12 \"a \\\"b\\\".h\" 1 3 4\n").unwrap();
        assert_eq!(
            (marker.name, marker.line, marker.system),
            (&b"a \\\"b\\\".h"[..], 12, true)
        );
        assert_eq!(marker.depth(0), 1);
        assert_eq!(Marker::read(b"# 1 \"m.c\" 2").unwrap().depth(1), 0);
        assert_eq!(Marker::read(b"# 1 \"m.c\"").unwrap().depth(1), 1);
        for line in ["#define N 1", "# define \"x\"", "#pragma omp target", "x # 1 \"m.c\""] {
            assert!(Marker::read(line.as_bytes()).is_none(), "{line}");
        }
    }
}
