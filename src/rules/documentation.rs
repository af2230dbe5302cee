//! The rules as text: for `explain`, for `rules`, and for `docs/rules.md`.

use super::{RULES, Rule};
use std::fmt::Write;

impl Rule {
    /// All that there is to know about the rule, as Markdown.
    pub fn documentation(self) -> String {
        let text = self.text();
        format!(
            "## {} `{}`\n\n{}\n\n{}\n\n**Instead:** {}\n\nWrong:\n\n```c\n{}```\n\nRight:\n\n```c\n{}```\n",
            text.code, text.name, text.says, text.why, text.fix, text.wrong, text.right
        )
    }
}

/// The rule of a code or a name, as a terminal shows it.
pub fn documented(word: &str) -> Option<String> {
    let page = Rule::named(word)?.documentation();
    Some(page.trim_start_matches("## ").to_owned())
}

/// One line for each rule.
pub fn listed() -> String {
    let mut out = String::new();
    for rule in RULES {
        let text = rule.text();
        let _ = writeln!(out, "{}  {:<22} {}", text.code, text.name, text.says);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_page_of_the_rules_is_what_they_say() {
        let mut page = include_str!("rules.md.in").to_owned();
        for rule in RULES {
            page.push('\n');
            page.push_str(&rule.documentation());
        }
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rules.md");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &page).expect("docs/rules.md can be written");
        }
        assert_eq!(
            std::fs::read_to_string(&path).ok(),
            Some(page),
            "docs/rules.md is not what src/rules says; `BLESS=1 cargo test rules` writes it anew"
        );
    }
}
