//! Columns in other units than bytes, for lines in which these are not the same.
//!
//! ```text
//! /* Größe */ use(a);      in bytes `use` begins in column 15, for an editor in column 13
//! ```
//!
//! clang and this tool count bytes. Editors count units of UTF-16 (SARIF 2.1.0, section 3.14.27, `columnKind`), and what is not
//! UTF-8 is for them a replacement character for each part that cannot be read.

use std::collections::BTreeMap;

/// The lines of a text with bytes outside of ASCII, by number from 1.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WideLines(BTreeMap<u32, Vec<u8>>);

impl WideLines {
    /// The lines of this text.
    pub fn of(text: &[u8]) -> WideLines {
        let lines = (1..).zip(text.split(|byte| *byte == b'\n'));
        let wide = lines.filter(|(_, line)| !line.is_ascii());
        WideLines(wide.map(|(number, line)| (number, line.to_vec())).collect())
    }

    /// The column in units of UTF-16, from 1, of a column in bytes, from 1.
    pub fn utf16_column(&self, line: u32, column: u32) -> u32 {
        let Some(bytes) = self.0.get(&line) else {
            return column;
        };
        let before = (column.saturating_sub(1) as usize).min(bytes.len());
        let units = String::from_utf8_lossy(&bytes[..before]).encode_utf16().count();
        u32::try_from(units + 1).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_units_behind_characters_of_several_bytes() {
        let wide = WideLines::of("int a;\n/* Größe 😀 */ use(a);\r\n".as_bytes());
        let column = |before: &str| before.len() as u32 + 1;
        assert_eq!(wide.utf16_column(1, 5), 5);
        assert_eq!(wide.utf16_column(2, column("/* Gr")), 6);
        assert_eq!(wide.utf16_column(2, column("/* Größe ")), 10);
        assert_eq!(wide.utf16_column(2, column("/* Größe 😀 */ ")), 16);
        // One past the end, and further on than the line goes.
        assert_eq!(wide.utf16_column(2, column("/* Größe 😀 */ use(a);")), 23);
        assert_eq!(wide.utf16_column(2, 999), 24);
    }

    #[test]
    fn what_is_not_utf8_counts_as_it_is_shown() {
        let wide = WideLines::of(b"/* Gr\xf6\xdfe */ use(a);");
        assert_eq!(wide.utf16_column(1, 9), 9);
    }
}
