//! What the directives of a text copy: `to` and `from` count one, `tofrom` two.
//!
//! ```c
//! #pragma omp target data map(to: a[0:n]) map(tofrom: x[0:n])               /* 1 + 2                               */
//! {
//!     #pragma omp target teams … map(to: a[0:n]) map(tofrom: x[0:n])        /* both are there: 0                   */
//!     #pragma omp target update from(x[0:1])                                /* 1                                   */
//! }
//! ```
//!
//! Papers on such tools count so: each list item of a directive that copies, however often it is executed. A `map`
//! of what a region around has on the device copies nothing and is not counted.

/// What the directives of a text are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Directives {
    /// Loops that run on the device.
    pub kernels: usize,
    /// Items that are copied, each way.
    pub copies: usize,
}

/// A region that has arrays on the device.
struct Region {
    until: usize,
    names: Vec<String>,
}

/// Counts what is in a text of C without `enter data`.
pub fn count(text: &str) -> Directives {
    let mut found = Directives::default();
    let mut regions: Vec<Region> = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find("#pragma omp target").map(|i| at + i) {
        let end = end_of_directive(text, start);
        let directive = text[start..end].replace("\\\n", " ");
        regions.retain(|r| r.until > start);
        let region = directive.starts_with("#pragma omp target data");
        let mut names = Vec::new();
        found.kernels += usize::from(directive.contains("target teams"));
        for (kind, name) in items(&directive) {
            let there = regions.iter().any(|r| r.names.contains(&name));
            let update = directive.starts_with("#pragma omp target update");
            if update || !there {
                found.copies += match kind.as_str() {
                    "to" | "from" => 1,
                    "tofrom" => 2,
                    _ => 0,
                };
            }
            names.push(name);
        }
        if region {
            let until = end_of_statement(text, end);
            regions.push(Region { until, names });
        }
        at = end;
    }
    found
}

/// The items of the `map`, `to` and `from` clauses of a directive, each with its kind and its name.
fn items(directive: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for clause in ["map(", " to(", " from("] {
        for (at, _) in directive.match_indices(clause) {
            let inside = &directive[at + clause.len()..];
            let inside = &inside[..closing(inside)];
            let (kind, list) = match inside.split_once(": ") {
                Some((kind, list)) if clause == "map(" => (kind.trim(), list),
                _ => (clause.trim().trim_end_matches('('), inside),
            };
            let mut depth = 0;
            let parts = list.split(|c: char| {
                depth += i32::from("[(".contains(c)) - i32::from("])".contains(c));
                c == ',' && depth == 0
            });
            found.extend(parts.map(|item| {
                let name = item.split('[').next().unwrap_or(item);
                (kind.to_owned(), name.trim().to_owned())
            }));
        }
    }
    found
}

/// Where the parenthesis closes that a text is inside of.
fn closing(text: &str) -> usize {
    let mut depth = 1;
    let place = text.find(|c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0
    });
    place.unwrap_or(text.len())
}

fn end_of_directive(text: &str, start: usize) -> usize {
    let mut at = start;
    loop {
        let line = text[at..].find('\n').map_or(text.len(), |i| at + i);
        if line == text.len() || !text[..line].ends_with('\\') {
            return line;
        }
        at = line + 1;
    }
}

/// Where the statement ends that follows: its closing brace, or its semicolon.
fn end_of_statement(text: &str, from: usize) -> usize {
    let mut at = from;
    while text[at..].trim_start().starts_with('#') {
        at = end_of_directive(text, at + text[at..].find('#').unwrap_or(0));
    }
    let (mut braces, mut parentheses) = (0, 0);
    for (i, c) in text[at..].char_indices() {
        match c {
            '{' => braces += 1,
            '}' => braces -= 1,
            '(' => parentheses += 1,
            ')' => parentheses -= 1,
            _ => continue,
        }
        if c == '}' && braces == 0 && parentheses == 0 {
            return at + i;
        }
    }
    text.len()
}
