//! Macros as numbers that nothing is known of.
//!
//! ```c
//! #define START 40 /* first */                                            a line of a header or of a file
//! extern const unsigned short START __asm__("…"); /* first */             the line in the sample
//! ```

use super::numbers::Root;
use crate::program::choices;
use crate::source::Span;

/// The declaration of a number that nothing is known of. It computes as an `int` does.
fn declaration(variable: &str, name: &str) -> String {
    let symbol = choices::symbol(name, "", true);
    format!("extern const unsigned short {variable} __asm__(\"{symbol}\");")
}

/// A flag that defines a macro as a number that nothing is known of.
pub(super) fn flag(name: &str) -> String {
    let variable = format!("ompmemopt_{name}");
    format!("-D{name}=({{{} {variable};}})", declaration(&variable, name))
}

/// Whether a macro may be made such a number.
pub(super) fn fits(value: i128) -> bool {
    (0..=i128::from(i16::MAX)).contains(&value)
}

/// The edit that makes a macro a number that nothing is known of, where nothing but a number stands on its line.
pub(super) fn nameable(text: &[u8], root: &Root) -> Option<(Span, String)> {
    let line = text[..root.named]
        .iter()
        .rposition(|b| *b == b'\n')
        .map_or(0, |at| at + 1);
    let hash = line + text[line..root.named].iter().position(|b| *b == b'#')?;
    let between = &text[root.named + root.name.len()..root.digits.start];
    let closes = |b: &&u8| matches!(b, b')' | b' ' | b'\t');
    let behind = root.digits.end + text[root.digits.end..].iter().take_while(closes).count();
    let closed = text[root.digits.end..behind].trim_ascii_end();
    // `7UL` computes as an `unsigned long` does.
    let plain = !text[root.digits.start..root.digits.end]
        .iter()
        .any(|b| b"uUlL".contains(b));
    let opens = between.iter().all(|b| matches!(b, b'(' | b' ' | b'\t'));
    let ends = matches!(text.get(behind), None | Some(b'\n' | b'\r' | b'/'));
    (!root.is_variable() && plain && opens && ends && fits(root.value)).then(|| {
        (
            Span::new(hash, root.digits.end + closed.len()),
            declaration(&root.name, &root.name),
        )
    })
}
