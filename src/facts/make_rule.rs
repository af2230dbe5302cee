//! When a summary must be made again, as a rule that `make` and `ninja` read.

use super::unit::UnitFacts;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// `summary: source headers…`, and an empty rule for each header, so that one that is gone is no error.
pub fn make_rule(summary: &Path, facts: &UnitFacts) -> Vec<u8> {
    let mut rule = Vec::new();
    put(&mut rule, summary);
    rule.push(b':');
    let headers = || facts.dependencies.iter().map(|dependency| &*dependency.path);
    for file in std::iter::once(&*facts.file).chain(headers()) {
        rule.extend(b" \\\n  ");
        put(&mut rule, file);
    }
    rule.push(b'\n');
    for header in headers() {
        put(&mut rule, header);
        rule.extend(b":\n");
    }
    rule
}

/// A name as `make` wants it: what it takes for something else is marked.
fn put(rule: &mut Vec<u8>, path: &Path) {
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b' ' | b'#' => rule.extend([b'\\', byte]),
            b'$' => rule.extend(b"$$"),
            _ => rule.push(byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::make_rule;
    use crate::facts::tests::sample;
    use std::path::Path;

    #[test]
    fn names_are_written_for_make() {
        let mut facts = sample::facts();
        facts.dependencies[1].path = "/src/a b$#.h".into();
        let rule = String::from_utf8(make_rule(Path::new("a.omps"), &facts)).unwrap();
        assert_eq!(
            rule,
            "a.omps: \\\n  /src/a.c \\\n  /src/inc/a.h \\\n  /src/a\\ b$$\\#.h\n/src/inc/a.h:\n/src/a\\ b$$\\#.h:\n"
        );
    }
}
