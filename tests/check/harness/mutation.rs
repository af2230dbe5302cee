//! Ways to spoil a program: one directive is changed as people get it wrong.
//!
//! ```text
//! map(tofrom: a[0:n])      drop it; `to`, `from` or `alloc` in its place; a[0:(n)/2]; a[(0)+1:(n)-1]; the array of another item
//! target update from(…)    delete it; `to` in its place; a smaller section
//! target data, enter, exit delete it
//! ```

use std::ops::Range;

/// A spoiled text.
pub struct Mutant {
    /// What was done.
    pub kind: String,
    /// The text afterwards.
    pub text: String,
}

/// All ways to spoil a text, in text order.
pub fn mutants(text: &str) -> Vec<Mutant> {
    directives(text)
        .into_iter()
        .flat_map(|at| of_directive(text, at))
        .collect()
}

/// The directives about kernels and data, with the lines that continue them.
fn directives(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut inside: Option<(usize, bool)> = None;
    for line in text.split_inclusive('\n') {
        let end = start + line.trim_end_matches('\n').len();
        let words: Vec<&str> = line.trim_start().trim_start_matches('#').split_whitespace().collect();
        let begins = line.trim_start().starts_with('#') && words.starts_with(&["pragma", "omp", "target"]);
        if inside.is_none() && begins {
            inside = Some((start, true));
        }
        if let Some((from, _)) = inside
            && !line.trim_end().ends_with('\\')
        {
            found.push(from..end);
            inside = None;
        }
        start += line.len();
    }
    found
}

fn of_directive(text: &str, at: Range<usize>) -> Vec<Mutant> {
    let directive = &text[at.clone()];
    let words: Vec<&str> = directive.split(|c: char| c.is_whitespace() || c == '(').collect();
    let has = |word: &str| words.contains(&word);
    let with = |kind: &str, new: &str| Mutant {
        kind: kind.to_owned(),
        text: format!("{}{new}{}", &text[..at.start], &text[at.end..]),
    };
    let replaced = |kind: &str, range: Range<usize>, by: &str| {
        with(
            kind,
            &format!("{}{by}{}", &directive[..range.start], &directive[range.end..]),
        )
    };
    let (update, enters, exits) = (has("update"), has("enter"), has("exit"));
    let is_region = has("data") && !enters && !exits;
    let mut found = Vec::new();
    if update || enters || exits || is_region {
        let what = if update {
            "update"
        } else if enters {
            "enter data"
        } else if exits {
            "exit data"
        } else {
            "data"
        };
        found.push(with(&format!("delete {what}"), ""));
    }
    for clause in clauses(directive) {
        if clause.name == "map" && !update && !enters && !exits && !is_region {
            found.push(replaced("drop map", clause.all.clone(), ""));
        }
        if let Some(map_type) = &clause.map_type {
            let was = &directive[map_type.clone()];
            for other in other_types(was, enters, exits) {
                found.push(replaced(&format!("{was} to {other}"), map_type.clone(), other));
            }
        }
        if update && ["to", "from"].contains(&clause.name) {
            let other = if clause.name == "to" { "from" } else { "to" };
            let name = clause.all.start..clause.all.start + clause.name.len();
            found.push(replaced(&format!("update {other}"), name, other));
        }
        let inside = clause.items.clone();
        for section in sections(directive, inside.clone()) {
            let (lower, length) = (&directive[section.lower.clone()], &directive[section.length.clone()]);
            let all = section.lower.start..section.length.end;
            found.push(replaced(
                "shrink",
                all.clone(),
                &format!("{lower}:{}/2", operand(length)),
            ));
            let first = if lower.trim().is_empty() { "0" } else { lower };
            found.push(replaced(
                "shift",
                all,
                &format!("{}+1:{}-1", operand(first), operand(length)),
            ));
        }
        found.extend(swapped(directive, inside).map(|(range, by)| replaced("swap arrays", range, &by)));
    }
    found
}

/// A part of a sum: what is one word stays as it is, because a word in brackets may be a type.
fn operand(text: &str) -> String {
    let text = text.trim();
    let is_word = text.chars().all(|c| c.is_alphanumeric() || c == '_');
    if is_word { text.to_owned() } else { format!("({text})") }
}

/// The map types that people write in the place of one.
fn other_types(was: &str, enters: bool, exits: bool) -> &'static [&'static str] {
    match was {
        "tofrom" => &["to", "from", "alloc"],
        "to" if enters => &["alloc"],
        "to" => &["alloc", "from"],
        "from" if exits => &["release", "delete"],
        "from" => &["alloc", "to"],
        _ => &[],
    }
}

struct Clause<'a> {
    name: &'a str,
    /// From the name to the closing bracket.
    all: Range<usize>,
    map_type: Option<Range<usize>>,
    items: Range<usize>,
}

/// The clauses of a directive that move data.
fn clauses(directive: &str) -> Vec<Clause<'_>> {
    let mut found = Vec::new();
    let bytes = directive.as_bytes();
    for name in ["map", "to", "from"] {
        let mut from = 0;
        while let Some(at) = directive[from..].find(name).map(|at| at + from) {
            from = at + name.len();
            let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
            let open = from + directive[from..].len() - directive[from..].trim_start().len();
            if (at > 0 && is_word(bytes[at - 1])) || bytes.get(open) != Some(&b'(') {
                continue;
            }
            let Some(close) = closing(directive, open) else {
                continue;
            };
            let colon = directive[open..close].find(':').map(|c| c + open);
            let before = colon.map(|c| directive[open + 1..c].trim().to_owned());
            let known = ["to", "from", "tofrom", "alloc", "release", "delete"];
            let map_type = match (&before, colon) {
                (Some(before), Some(colon)) if name == "map" && known.contains(&before.as_str()) => {
                    let start = open + 1 + directive[open + 1..colon].find(before.as_str()).unwrap_or(0);
                    Some(start..start + before.len())
                }
                _ => None,
            };
            let items = map_type.as_ref().and(colon).map_or(open + 1, |colon| colon + 1)..close;
            found.push(Clause {
                name,
                all: at..close + 1,
                map_type,
                items,
            });
        }
    }
    found
}

/// The place of the bracket that closes another one.
fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, b) in text.bytes().enumerate().skip(open) {
        match b {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

struct SectionText {
    lower: Range<usize>,
    length: Range<usize>,
}

/// The sections `[lower:length]` in a part of a directive.
fn sections(directive: &str, within: Range<usize>) -> Vec<SectionText> {
    let mut found = Vec::new();
    let opens: Vec<usize> = directive[within.clone()]
        .match_indices('[')
        .map(|(at, _)| at + within.start)
        .collect();
    for open in opens {
        let Some(close) = closing(directive, open) else {
            continue;
        };
        let Some(colon) = directive[open..close].find(':').map(|c| c + open) else {
            continue;
        };
        if directive[colon + 1..close].trim().is_empty() || directive[open + 1..close].contains('[') {
            continue;
        }
        found.push(SectionText {
            lower: open + 1..colon,
            length: colon + 1..close,
        });
    }
    found
}

/// The second of two items of a clause by the name of the first one.
fn swapped(directive: &str, items: Range<usize>) -> Option<(Range<usize>, String)> {
    let text = &directive[items.clone()];
    let comma = text.match_indices(',').map(|(at, _)| at).find(|at| {
        let depth = |open: char, close: char| text[..*at].matches(open).count() == text[..*at].matches(close).count();
        depth('[', ']') && depth('(', ')')
    })?;
    let name = |part: &str| part.trim().split('[').next().unwrap_or_default().trim().to_owned();
    let (first, rest) = (name(&text[..comma]), &text[comma + 1..]);
    let second = name(rest.split(',').next().unwrap_or_default());
    let start = items.start + comma + 1 + rest.find(second.as_str())?;
    (!second.is_empty() && first != second && first.chars().all(|c| c.is_alphanumeric() || c == '_'))
        .then(|| (start..start + second.len(), first))
}
