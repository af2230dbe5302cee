//! Bytes of another encoding than UTF-8 in comments and strings, as in a name that was written in Latin-1.
//!
//! ```c
//! /* by Ren\xe9 */            // read as  /* by Ren\x01 */  and written as it was
//! ```
//!
//! What reads a program wants UTF-8, and what these bytes are makes no difference to it there: each is replaced by a control character that the file has
//! nowhere else, so that no byte moves, and comes back where that is in what was made of the text.

/// The bytes of a text that were replaced, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForeignBytes {
    /// What stands in their places.
    stand_in: u8,
    bytes: Vec<u8>,
}

/// What a byte is part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LexicalPart {
    Code,
    LineComment,
    BlockComment,
    Text,
    Character,
}

impl ForeignBytes {
    /// The text without them, and what they were; `None` where one stands outside of comments and strings, or every control character is taken.
    pub fn taken_out(text: &[u8]) -> Option<(String, ForeignBytes)> {
        let mut controls = (1..=8).chain(14..=31);
        let stand_in = controls.find(|control| !text.contains(control))?;
        let parts = parts(text);
        let (mut clean, mut bytes) = (text.to_vec(), Vec::new());
        let mut at = 0;
        while let Err(error) = std::str::from_utf8(&text[at..]) {
            at += error.valid_up_to();
            let length = error.error_len().unwrap_or(text.len() - at);
            for foreign in at..at + length {
                if !matches!(
                    parts[foreign],
                    LexicalPart::LineComment | LexicalPart::BlockComment | LexicalPart::Text
                ) {
                    return None;
                }
                bytes.push(text[foreign]);
                clean[foreign] = stand_in;
            }
            at += length;
        }
        Some((String::from_utf8(clean).ok()?, ForeignBytes { stand_in, bytes }))
    }

    /// A text that was made of the one without them, with them; `None` where it does not have all of their places once.
    pub fn back_in(&self, made: &[u8]) -> Option<Vec<u8>> {
        let mut bytes = self.bytes.iter();
        let mut text = made.to_vec();
        for byte in text.iter_mut().filter(|byte| **byte == self.stand_in) {
            *byte = *bytes.next()?;
        }
        bytes.next().is_none().then_some(text)
    }
}

/// What each byte of a C text is part of.
fn parts(text: &[u8]) -> Vec<LexicalPart> {
    let mut parts = Vec::with_capacity(text.len());
    let mut part = LexicalPart::Code;
    let mut at = 0;
    while at < text.len() {
        let two = (text[at], text.get(at + 1).copied());
        let (next, taken) = match (part, two) {
            (LexicalPart::Code, (b'/', Some(b'/'))) => (LexicalPart::LineComment, 2),
            (LexicalPart::Code, (b'/', Some(b'*'))) => (LexicalPart::BlockComment, 2),
            (LexicalPart::Code, (b'"', _)) => (LexicalPart::Text, 1),
            (LexicalPart::Code, (b'\'', _)) => (LexicalPart::Character, 1),
            (LexicalPart::Text | LexicalPart::Character | LexicalPart::LineComment, (b'\\', Some(_))) => (part, 2),
            (LexicalPart::Text, (b'"', _)) | (LexicalPart::Character, (b'\'', _)) => (LexicalPart::Code, 1),
            (LexicalPart::Text | LexicalPart::Character | LexicalPart::LineComment, (b'\n', _)) => {
                (LexicalPart::Code, 1)
            }
            (LexicalPart::BlockComment, (b'*', Some(b'/'))) => (LexicalPart::Code, 2),
            _ => (part, 1),
        };
        for _ in 0..taken.min(text.len() - at) {
            parts.push(part);
        }
        (part, at) = (next, at + taken);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_where_they_were() {
        let text = b"/* \xe9 */ int x; // \xfc\\\n \xe4\nchar *s = \"\\\"\xf6\"; int \xc3\xa9;\n";
        let (clean, foreign) = ForeignBytes::taken_out(text).expect("all in comments and strings");
        assert_eq!(clean.len(), text.len());
        assert_eq!(foreign.back_in(clean.as_bytes()).as_deref(), Some(&text[..]));
        let made = format!("#pragma x\n{clean}");
        assert_eq!(
            foreign.back_in(made.as_bytes()),
            Some([b"#pragma x\n", &text[..]].concat())
        );
        assert_eq!(foreign.back_in(format!("{clean}{clean}").as_bytes()), None);
        assert_eq!(foreign.back_in(b"int x;\n"), None);
    }

    #[test]
    fn bytes_that_mean_something_are_not_taken_out() {
        for text in [&b"int \xe9;\n"[..], b"int x = '\xe9';\n", b"// \n\xe9"] {
            assert_eq!(ForeignBytes::taken_out(text), None);
        }
    }
}
