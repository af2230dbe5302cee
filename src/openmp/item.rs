//! List items: variables, members and array sections, as the user wrote them.
//!
//! `s->x[i].y[0:n][2]` is the base `s`, the steps `->x`, `[i]`, `.y`, and the dimensions `[0:n]` and `[2]`. Brackets at
//! the end are dimensions of the item (a plain index is one without a colon); brackets followed by a member are steps.
//! What is none of this, say `(*p)[0:n]` or `*p`, is kept as text and marked unparsed.

use super::scan;
use crate::source::Span;

/// One entry of a clause's list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// As written, runs of blanks and continuations as one space.
    pub text: String,
    /// Where, in the text that was parsed.
    pub span: Span,
    /// The variable and the members after it; the base is empty when the item is unparsed.
    pub path: ItemPath,
    /// The brackets at the end, outermost dimension first.
    pub sections: Vec<ItemSection>,
    /// The item is no variable, member or section of one: only `text` can be relied on.
    pub unparsed: bool,
}

/// A variable and the way from it to a part.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ItemPath {
    /// The variable.
    pub base: String,
    /// The steps from it, in order.
    pub steps: Vec<PathStep>,
}

/// One step of an [`ItemPath`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum PathStep {
    /// `.name`
    Member(String),
    /// `->name`
    Arrow(String),
    /// `[expression]`
    Index(String),
}

/// One bracket: `[lower : length : stride]`, or `[lower]` when there is no colon.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ItemSection {
    /// First index; left out means zero.
    pub lower: Option<String>,
    /// Number of elements; left out means up to the end of the array.
    pub length: Option<String>,
    /// Distance between elements, in elements; left out means one.
    pub stride: Option<String>,
    /// A section (with a colon) rather than an index.
    pub colon: bool,
}

impl Item {
    /// Parses the part of `text` at `span`, which should be trimmed.
    pub(super) fn parse(text: &str, span: Span) -> Item {
        let (path, sections, unparsed) = match parse_path(text, span) {
            Some((path, sections)) => (path, sections, false),
            None => (ItemPath::default(), Vec::new(), true),
        };
        Item {
            text: scan::tidy(text, span),
            span,
            path,
            sections,
            unparsed,
        }
    }
    /// Whether it is a variable as a whole, without members and brackets.
    pub fn is_whole_variable(&self) -> bool {
        !self.unparsed && self.path.steps.is_empty() && self.sections.is_empty()
    }
    /// The text without any blank: equal for items that differ in layout only.
    pub fn key(&self) -> String {
        self.text.split_ascii_whitespace().collect()
    }
}

impl std::fmt::Display for ItemPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.base)?;
        self.steps.iter().try_for_each(|step| match step {
            PathStep::Member(name) => write!(f, ".{name}"),
            PathStep::Arrow(name) => write!(f, "->{name}"),
            PathStep::Index(index) => write!(f, "[{index}]"),
        })
    }
}

impl std::fmt::Display for ItemSection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let part = |part: &Option<String>| part.clone().unwrap_or_default();
        write!(f, "[{}", part(&self.lower))?;
        if self.colon {
            write!(f, ":{}", part(&self.length))?;
        }
        if let Some(stride) = &self.stride {
            write!(f, ":{stride}")?;
        }
        f.write_str("]")
    }
}

fn parse_path(text: &str, span: Span) -> Option<(ItemPath, Vec<ItemSection>)> {
    let bytes = text.as_bytes();
    let mut at = scan::word_end(text, span.start).filter(|end| *end <= span.end)?;
    let base = text[span.start..at].to_owned();
    let (mut steps, mut brackets) = (Vec::new(), Vec::new());
    loop {
        at = scan::skip_blank(text, at);
        if at >= span.end {
            return Some((ItemPath { base, steps }, brackets));
        }
        if bytes[at] == b'[' {
            let close = scan::closing(text, at).filter(|close| *close < span.end)?;
            brackets.push(parse_section(text, Span::new(at + 1, close))?);
            at = close + 1;
            continue;
        }
        let arrow = bytes[at..].starts_with(b"->");
        if !arrow && bytes[at] != b'.' {
            return None;
        }
        for bracket in brackets.drain(..) {
            // A section in the middle (`s[0:n].x`) is not allowed in C.
            let index = bracket.lower.filter(|_| !bracket.colon)?;
            steps.push(PathStep::Index(index));
        }
        let start = scan::skip_blank(text, at + if arrow { 2 } else { 1 });
        at = scan::word_end(text, start).filter(|end| *end <= span.end)?;
        let name = text[start..at].to_owned();
        steps.push(if arrow {
            PathStep::Arrow(name)
        } else {
            PathStep::Member(name)
        });
    }
}

fn parse_section(text: &str, inside: Span) -> Option<ItemSection> {
    let parts = scan::split(text, inside, b':');
    let part = |index: usize| {
        parts
            .get(index)
            .filter(|part| !part.is_empty())
            .map(|part| scan::tidy(text, *part))
    };
    let section = ItemSection {
        lower: part(0),
        length: part(1),
        stride: part(2),
        colon: parts.len() > 1,
    };
    let empty_index = !section.colon && section.lower.is_none();
    (parts.len() <= 3 && !empty_index).then_some(section)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(text: &str) -> Item {
        Item::parse(text, Span::new(0, text.len()))
    }
    fn shown(text: &str) -> (String, Vec<String>) {
        let item = item(text);
        assert!(!item.unparsed, "{text}");
        (
            item.path.to_string(),
            item.sections.iter().map(ToString::to_string).collect(),
        )
    }

    #[test]
    fn paths_and_sections() {
        let cases = [
            ("a", "a", vec![]),
            ("a[0:n]", "a", vec!["[0:n]"]),
            ("a[i][0:m]", "a", vec!["[i]", "[0:m]"]),
            ("s->x[0:n]", "s->x", vec!["[0:n]"]),
            ("s . v [ i ] . w [ : n : 2 ]", "s.v[i].w", vec!["[:n:2]"]),
            ("a[:]", "a", vec!["[:]"]),
            ("a[c ? 0 : 1 : n]", "a", vec!["[c ? 0 : 1:n]"]),
            ("a[b[i]:f(x, y)]", "a", vec!["[b[i]:f(x, y)]"]),
        ];
        for (text, path, sections) in cases {
            assert_eq!(
                shown(text),
                (path.to_owned(), sections.into_iter().map(str::to_owned).collect()),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_path_is_marked() {
        for text in [
            "(*p)[0:n]",
            "*p",
            "a[]",
            "a[0:1:2:3]",
            "s[0:n].x",
            "a[0",
            "f(x)",
            "a.1",
            "1",
            "",
            "a->",
        ] {
            assert!(item(text).unparsed, "{text}");
        }
        assert_eq!(item("( * p ) [0:n]").key(), "(*p)[0:n]");
    }

    #[test]
    fn whole_variables() {
        assert!(item("a").is_whole_variable());
        assert!(!item("a[0]").is_whole_variable());
        assert!(!item("*a").is_whole_variable());
    }
}
