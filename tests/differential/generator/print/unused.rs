//! Takes definitions that nothing uses out of a printed case, so that a reduced failure shows only what matters.

/// The name that a line defines, if the line is a definition that can go when nothing else says the name.
fn defines(line: &str) -> Option<&str> {
    let text = line.trim();
    if let Some(rest) = text.strip_prefix("#define ") {
        return rest.split([' ', '(']).next().filter(|_| !text.ends_with('\\'));
    }
    let (left, _) = text.strip_suffix(';')?.split_once(" = ")?;
    let mut words: Vec<&str> = left.split_whitespace().collect();
    let name = words.pop()?;
    let name = name.trim_start_matches('*');
    let types = ["static", "volatile", "int", "long", "unsigned", "double"];
    (!words.is_empty() && name.chars().all(word) && words.iter().all(|w| types.contains(w))).then_some(name)
}

fn word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// `text` without its unused one-line definitions.
pub fn strip(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    loop {
        let before = lines.len();
        let mut uses: std::collections::BTreeMap<&str, usize> = Default::default();
        for w in lines.iter().flat_map(|l| l.split(|c| !word(c))) {
            *uses.entry(w).or_default() += 1;
        }
        lines.retain(|l| defines(l).is_none_or(|name| uses.get(name).copied().unwrap_or(0) > 1));
        if lines.len() == before {
            return lines.join("\n") + "\n";
        }
    }
}
