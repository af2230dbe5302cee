//! Lines of C as HTML, coloured by what the words are.
//!
//! `return 1; /* one */` becomes `<span class="keyword">return</span> <span class="number">1</span>; <span class="comment">…</span>`. The grammar's own query
//! says what is what. Where it cannot be asked, lines have no colours.

use std::sync::OnceLock;
use tree_sitter_highlight::{Error, HighlightConfiguration, Highlighter, HtmlRenderer};

/// What has a colour: the names that the grammar's query knows, which are classes of the style sheet.
const COLOURED: &[&str] = &["comment", "constant", "function", "keyword", "number", "string", "type"];

/// The lines of a text, without their ends.
pub fn highlighted(text: &str) -> Vec<String> {
    let coloured = configuration().and_then(|known| coloured(known, text).ok());
    let lines = coloured.unwrap_or_else(|| text.lines().map(|line| maud::html! { (line) }.into_string()).collect());
    let mut continues = false;
    let directive = |(line, text): (String, &str)| {
        let is_directive = continues || text.trim_start().starts_with("#pragma");
        continues = is_directive && text.ends_with('\\');
        match is_directive {
            true => format!("<span class=\"pragma\">{line}</span>"),
            false => line,
        }
    };
    lines.into_iter().zip(text.lines()).map(directive).collect()
}

/// What is known of C.
fn configuration() -> Option<&'static HighlightConfiguration> {
    static KNOWN: OnceLock<Option<HighlightConfiguration>> = OnceLock::new();
    let known = KNOWN.get_or_init(|| {
        let language = tree_sitter_c::LANGUAGE.into();
        let mut known = HighlightConfiguration::new(language, "c", tree_sitter_c::HIGHLIGHT_QUERY, "", "").ok()?;
        known.configure(COLOURED);
        Some(known)
    });
    known.as_ref()
}

fn coloured(known: &HighlightConfiguration, text: &str) -> Result<Vec<String>, Error> {
    let mut highlighter = Highlighter::new();
    let events = highlighter.highlight(known, text.as_bytes(), None, |_| None)?;
    let mut renderer = HtmlRenderer::new();
    renderer.render(events, text.as_bytes(), &|highlight, out| {
        out.extend(format!("class=\"{}\"", COLOURED[highlight.0]).into_bytes());
    })?;
    Ok(renderer
        .lines()
        .map(|line| line.trim_end_matches(['\n', '\r']).to_owned())
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_the_classes_of_what_they_are() {
        let lines = highlighted("int main(void)\n{\n    return 1; /* a\n    <b> */\n}\n");
        assert_eq!(lines.len(), 5);
        assert!(
            lines[2].contains("<span class=\"keyword\">return</span>"),
            "{}",
            lines[2]
        );
        assert!(
            lines[3].contains("<span class=\"comment\">") && lines[3].contains("&lt;b&gt;"),
            "{}",
            lines[3]
        );
    }

    #[test]
    fn a_directive_has_one_colour_to_its_last_line() {
        let lines = highlighted("void f(void)\n{\n#pragma omp target \\\n    map(to: a)\n    g();\n}\n");
        let directives: Vec<bool> = lines.iter().map(|line| line.contains("class=\"pragma\"")).collect();
        assert_eq!(directives, [false, false, true, true, false, false]);
    }

    #[test]
    fn what_does_not_parse_is_all_there() {
        assert_eq!(highlighted("}}} (\n\n\u{e4} #\n").len(), 3);
    }
}
