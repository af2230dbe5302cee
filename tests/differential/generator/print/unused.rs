//! Takes definitions that nothing uses out of a printed case, so that a reduced failure shows only what matters.

use std::collections::BTreeMap;

/// The name that a line defines, if the line is a definition, declaration or first value that can go when nothing else
/// says the name.
fn defines(line: &str) -> Option<&str> {
    let text = line.trim();
    // All three lines around a macro that may be set from outside belong to it.
    let guard = text.strip_prefix("#ifndef ");
    if let Some(name) = guard.or_else(|| text.strip_prefix("#endif /* ")?.strip_suffix(" */")) {
        return Some(name);
    }
    if let Some(rest) = text.strip_prefix("#define ") {
        return rest.split([' ', '(']).next().filter(|_| !text.ends_with('\\'));
    }
    let text = text.strip_suffix(';')?;
    let (left, value) = match text.strip_prefix("extern ") {
        Some(declared) => (declared, None),
        // Members of structures have no value either, but stand further in.
        None if text.len() + 1 == line.len() && !text.contains(" = ") => (text, None),
        None => text.split_once(" = ").map(|(left, value)| (left, Some(value)))?,
    };
    let mut words: Vec<&str> = left.split_whitespace().collect();
    let name = words.pop()?;
    let name = name.trim_start_matches('*');
    let types = ["static", "volatile", "int", "long", "unsigned", "double"];
    // An extent that the whole program knows gets its value like this.
    let typed = !words.is_empty() || value.is_some_and(|v| v.starts_with("extent_"));
    (typed && name.chars().all(word) && words.iter().all(|w| types.contains(w))).then_some(name)
}

fn word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Takes the one-line definitions that nothing uses out of the texts of a program, and their declarations with them.
pub fn strip<T>(texts: &mut [(T, String)]) {
    loop {
        let mut uses: BTreeMap<String, usize> = BTreeMap::new();
        for line in texts.iter().flat_map(|(_, t)| t.lines()) {
            for w in line.split(|c| !word(c)) {
                *uses.entry(w.to_string()).or_default() += 1;
            }
            // What only says that there is such a name is no use of it.
            if let Some(name) = defines(line).and_then(|n| uses.get_mut(n)) {
                *name -= 1;
            }
        }
        let mut changed = false;
        for (_, text) in texts.iter_mut() {
            let kept = |l: &&str| defines(l).is_none_or(|name| uses.get(name).is_some_and(|u| *u > 0));
            let lines: Vec<&str> = text.lines().filter(kept).collect();
            changed |= lines.len() < text.lines().count();
            *text = lines.join("\n") + "\n";
        }
        if !changed {
            return;
        }
    }
}
