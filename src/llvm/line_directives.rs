//! Takes `#line` directives out of a text, so that clang's line numbers are those of the file.
//!
//! A generated file (a parser, a preprocessed source) counts its lines as some other file's. Positions in debug
//! information would then point anywhere; what is edited is the file itself. Each directive is overwritten with spaces,
//! so every other byte stays where it is.

use std::borrow::Cow;

/// `text` with its `#line N` and `# N` directives blanked, and how many there were.
pub(super) fn blank(text: &[u8]) -> (Cow<'_, [u8]>, usize) {
    let mut blanked: Option<Vec<u8>> = None;
    let mut count = 0;
    let mut start = 0;
    let mut continued = false;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let body = line.trim_ascii_end();
        // A directive that continues on the next line cannot be told from its first line alone; nobody writes one.
        if !continued && !body.ends_with(b"\\") && is_line_directive(body) {
            let copy = blanked.get_or_insert_with(|| text.to_vec());
            copy[start..start + body.len()].fill(b' ');
            count += 1;
        }
        continued = body.ends_with(b"\\");
        start += line.len();
    }
    (blanked.map_or(Cow::Borrowed(text), Cow::Owned), count)
}

fn is_line_directive(line: &[u8]) -> bool {
    let Some(rest) = line.trim_ascii_start().strip_prefix(b"#") else {
        return false;
    };
    let rest = rest.trim_ascii_start();
    let argument = rest
        .strip_prefix(b"line")
        .filter(|after| after.first().is_some_and(u8::is_ascii_whitespace));
    argument.is_some() || rest.first().is_some_and(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::blank;

    #[test]
    fn only_line_directives_go() {
        let text = b"int a;\n#line 7 \"x.c\"\n # 3 \"y.c\" 2\r\n#define line 4\n#linear\n#if 1\n#endif\n";
        let (out, count) = blank(text);
        assert_eq!(count, 2);
        assert_eq!(out.len(), text.len());
        assert_eq!(
            std::str::from_utf8(&out).unwrap(),
            "int a;\n             \n            \r\n#define line 4\n#linear\n#if 1\n#endif\n"
        );
    }

    #[test]
    fn macro_bodies_stay() {
        let text = b"#define M \\\n# 3\n";
        assert_eq!(blank(text).1, 0);
    }
}
