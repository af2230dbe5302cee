//! Writes directives in the user's style, and wraps them where the line gets too long.
//!
//! A directive that does not fit continues on lines that are indented by four more blanks, each line but the last ending in
//! ` \`. Lines break between clauses where possible, inside a clause's list where not, never inside an item.
//! The caller decides what to say; for one, that one `target update` should not name two sections of an array.

use super::{MapModifier, MapType, Style};

/// A `map` clause to write.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MapClauseText {
    /// Written before the type, in this order.
    pub modifiers: Vec<MapModifier>,
    /// `None` writes no type.
    pub map_type: Option<MapType>,
    /// The list, as C text.
    pub items: Vec<String>,
}

/// One list item to map, before items are grouped into clauses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MapEntry {
    /// Modifiers of its clause.
    pub modifiers: Vec<MapModifier>,
    /// Type of its clause.
    pub map_type: MapType,
    /// The item, as C text.
    pub item: String,
}

impl MapEntry {
    /// An entry without modifiers.
    pub fn new(map_type: MapType, item: impl Into<String>) -> MapEntry {
        MapEntry {
            modifiers: Vec::new(),
            map_type,
            item: item.into(),
        }
    }
}

/// The entries as clauses: one clause for each type and set of modifiers; types in the order `to`, `tofrom`, `from`,
/// `alloc`, `release`, `delete`, those without modifiers first; items in the order given, each once per clause.
pub fn group_maps(entries: &[MapEntry]) -> Vec<MapClauseText> {
    let mut clauses: Vec<MapClauseText> = Vec::new();
    for entry in entries {
        let same = |clause: &&mut MapClauseText| {
            clause.map_type == Some(entry.map_type) && clause.modifiers == entry.modifiers
        };
        match clauses.iter_mut().find(same) {
            Some(clause) if clause.items.contains(&entry.item) => {}
            Some(clause) => clause.items.push(entry.item.clone()),
            None => clauses.push(MapClauseText {
                modifiers: entry.modifiers.clone(),
                map_type: Some(entry.map_type),
                items: vec![entry.item.clone()],
            }),
        }
    }
    // The sort is stable, so that clauses which differ in modifiers only stay in the order of their first items.
    clauses.sort_by_key(|clause| (clause.map_type, !clause.modifiers.is_empty()));
    clauses
}

impl MapClauseText {
    pub(super) fn pieces(&self, style: &Style) -> Vec<String> {
        let mut words: Vec<String> = self.modifiers.iter().map(ToString::to_string).collect();
        words.extend(self.map_type.map(|map_type| map_type.as_str().to_owned()));
        list_clause("map", &words.join(&style.comma), &self.items, style)
    }
}

/// A clause with a list as pieces between which a line may break; their concatenation is the clause.
pub(super) fn list_clause(name: &str, prefix: &str, items: &[String], style: &Style) -> Vec<String> {
    let Style {
        before_paren,
        inside_paren,
        colon,
        comma,
        ..
    } = style;
    let colon = if prefix.is_empty() { "" } else { colon };
    let mut pieces: Vec<String> = items.to_vec();
    if let Some(first) = pieces.first_mut() {
        *first = format!("{name}{before_paren}({inside_paren}{prefix}{colon}{first}");
    }
    let last = pieces.len().saturating_sub(1);
    for (index, piece) in pieces.iter_mut().enumerate() {
        piece.push_str(&if index == last {
            format!("{inside_paren})")
        } else {
            comma.clone()
        });
    }
    pieces
}

/// `target data` with these maps; `extra` are further clauses as text. Every line begins with `indent`; there is no line
/// ending after the last.
pub fn target_data(style: &Style, indent: &str, maps: &[MapClauseText], extra: &[&str]) -> String {
    with_maps(style, indent, "target data", maps, extra)
}

/// `target enter data`; see [`target_data`].
pub fn target_enter_data(style: &Style, indent: &str, maps: &[MapClauseText], extra: &[&str]) -> String {
    with_maps(style, indent, "target enter data", maps, extra)
}

/// `target exit data`; see [`target_data`].
pub fn target_exit_data(style: &Style, indent: &str, maps: &[MapClauseText], extra: &[&str]) -> String {
    with_maps(style, indent, "target exit data", maps, extra)
}

/// `target update` of these items; an empty list writes no clause. See [`target_data`].
pub fn target_update(style: &Style, indent: &str, to: &[String], from: &[String], extra: &[&str]) -> String {
    let mut clauses = vec![list_clause("to", "", to, style), list_clause("from", "", from, style)];
    clauses.extend(extra.iter().map(|text| vec![(*text).to_owned()]));
    render(style, indent, "target update", clauses)
}

/// `target teams distribute parallel for` with these clauses and maps; see [`target_data`].
pub fn target_loop(style: &Style, indent: &str, clauses: &[&str], maps: &[MapClauseText]) -> String {
    let mut all: Vec<Vec<String>> = clauses.iter().map(|text| vec![(*text).to_owned()]).collect();
    all.extend(maps.iter().map(|map| map.pieces(style)));
    render(style, indent, "target teams distribute parallel for", all)
}

fn with_maps(style: &Style, indent: &str, name: &str, maps: &[MapClauseText], extra: &[&str]) -> String {
    let mut clauses: Vec<Vec<String>> = maps.iter().map(|map| map.pieces(style)).collect();
    clauses.extend(extra.iter().map(|text| vec![(*text).to_owned()]));
    render(style, indent, name, clauses)
}

/// A directive of this name, its clauses as pieces between which a line may break.
pub(super) fn render(style: &Style, indent: &str, name: &str, clauses: Vec<Vec<String>>) -> String {
    let further = format!("{indent}    ");
    let mut page = WrappedText::new(style, &further, format!("{indent}{} {name}", style.sentinel));
    let mut separator = " ";
    for clause in clauses.iter().filter(|clause| !clause.is_empty()) {
        page.clause(separator, clause);
        separator = &style.clause_separator;
    }
    page.text
}

/// Text that grows clause by clause and wraps.
pub(super) struct WrappedText<'a> {
    style: &'a Style,
    /// Starts every further line.
    indent: &'a str,
    pub(super) text: String,
    column: usize,
    /// Nothing but blanks stands on the current line yet, so that breaking it would gain nothing.
    fresh: bool,
    /// The text before the page ends in a blank.
    after_blank: bool,
}

impl<'a> WrappedText<'a> {
    pub(super) fn new(style: &'a Style, indent: &'a str, text: String) -> WrappedText<'a> {
        let column = columns(&text);
        WrappedText {
            style,
            indent,
            text,
            column,
            fresh: false,
            after_blank: false,
        }
    }

    /// A page that continues `line`, which has reached `column` and is not part of the result.
    pub(super) fn continuing(style: &'a Style, indent: &'a str, line: &str, column: usize) -> WrappedText<'a> {
        WrappedText {
            style,
            indent,
            text: String::new(),
            column,
            fresh: line.trim_ascii().is_empty(),
            after_blank: line.ends_with([' ', '\t']),
        }
    }

    /// Appends a clause, after `separator` unless it starts a line.
    pub(super) fn clause(&mut self, separator: &str, pieces: &[String]) {
        let whole: usize = pieces.iter().map(|piece| columns(piece)).sum();
        self.place(separator, whole);
        if self.fits(whole) {
            pieces.iter().for_each(|piece| self.push(piece));
            return;
        }
        for (index, piece) in pieces.iter().enumerate() {
            if index > 0 {
                self.place("", columns(piece));
            }
            self.push(piece);
        }
    }

    /// Breaks the line if `width` columns do not fit after the separator.
    fn place(&mut self, separator: &str, width: usize) {
        if self.fresh || self.fits(columns(separator) + width) {
            self.push(separator);
            return;
        }
        self.text.push_str(separator);
        let kept = self.text.trim_end_matches([' ', '\t']).len();
        self.text.truncate(kept);
        let blank = if kept == 0 && self.after_blank { "" } else { " " };
        self.text
            .push_str(&format!("{blank}\\{}{}", self.style.line_ending, self.indent));
        self.column = columns(self.indent);
        self.fresh = true;
    }

    /// Two columns stay free for ` \`.
    fn fits(&self, width: usize) -> bool {
        self.column.saturating_add(width).saturating_add(2) <= self.style.width
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.column += columns(text);
        self.fresh &= text.is_empty();
    }
}

/// Width of a text without line ends, a tab counting eight columns.
pub(super) fn columns(text: &str) -> usize {
    text.chars().map(|c| if c == '\t' { 8 } else { 1 }).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openmp::Directive;

    fn entries(list: &[(MapType, &str)]) -> Vec<MapClauseText> {
        group_maps(
            &list
                .iter()
                .map(|(map_type, item)| MapEntry::new(*map_type, *item))
                .collect::<Vec<_>>(),
        )
    }

    #[test]
    fn groups_in_a_stable_order() {
        let mut list: Vec<MapEntry> = [
            (MapType::From, "c"),
            (MapType::To, "b"),
            (MapType::From, "a"),
            (MapType::To, "b"),
        ]
        .map(|(map_type, item)| MapEntry::new(map_type, item))
        .to_vec();
        list.insert(
            0,
            MapEntry {
                modifiers: vec![MapModifier::Always],
                ..MapEntry::new(MapType::To, "z")
            },
        );
        let text = target_data(&Style::default(), "  ", &group_maps(&list), &["if(n > 4)"]);
        assert_eq!(
            text,
            "  #pragma omp target data map(to: b) map(always, to: z) map(from: c, a) if(n > 4)"
        );
    }

    #[test]
    fn writes_in_the_style_asked_for() {
        let style = Style {
            sentinel: "# pragma omp".into(),
            colon: ":".into(),
            comma: ",".into(),
            inside_paren: " ".into(),
            clause_separator: ", ".into(),
            ..Style::default()
        };
        let maps = entries(&[(MapType::To, "a[0:n]"), (MapType::To, "b"), (MapType::Alloc, "c")]);
        let text = target_enter_data(&style, "", &maps, &[]);
        assert_eq!(
            text,
            "# pragma omp target enter data map( to:a[0:n],b ), map( alloc:c )"
        );
        let text = target_exit_data(
            &Style::default(),
            "\t",
            &entries(&[(MapType::Release, "c")]),
            &["nowait"],
        );
        assert_eq!(text, "\t#pragma omp target exit data map(release: c) nowait");
    }

    #[test]
    fn updates() {
        let update = |to: &[&str], from: &[&str]| {
            let owned = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
            target_update(&Style::default(), "", &owned(to), &owned(from), &[])
        };
        assert_eq!(update(&["a[0:1]", "b"], &[]), "#pragma omp target update to(a[0:1], b)");
        assert_eq!(update(&["a"], &["b"]), "#pragma omp target update to(a) from(b)");
    }

    #[test]
    fn long_directives_wrap_between_clauses_first() {
        let style = Style {
            width: 40,
            ..Style::default()
        };
        let maps = entries(&[
            (MapType::To, "alpha[0:n]"),
            (MapType::From, "beta[0:n]"),
            (MapType::Alloc, "c"),
        ]);
        assert_eq!(
            target_data(&style, "  ", &maps, &[]),
            "  #pragma omp target data \\\n      map(to: alpha[0:n]) \\\n      map(from: beta[0:n]) \\\n      map(alloc: c)"
        );
    }

    #[test]
    fn a_clause_longer_than_a_line_wraps_between_items() {
        let names: Vec<String> = (0..20).map(|i| format!("array_{i}[0:rows * columns]")).collect();
        let list: Vec<_> = names.iter().map(|name| (MapType::Tofrom, name.as_str())).collect();
        let style = Style {
            line_ending: "\r\n".into(),
            ..Style::default()
        };
        let text = target_data(&style, "    ", &entries(&list), &[]);
        assert!(text.split("\r\n").count() > 4);
        for (index, line) in text.split("\r\n").enumerate() {
            assert!(line.len() <= 100, "{line}");
            assert!(index == 0 || line.starts_with("        "), "{line}");
            assert!(
                !line.ends_with("  \\") && (line.ends_with(" \\") || line.ends_with(')')),
                "{line}"
            );
        }
        let parsed = Directive::parse(&text).unwrap();
        assert_eq!(parsed.problems, []);
        let items: Vec<_> = parsed.clauses[0]
            .kind
            .items()
            .iter()
            .map(|item| item.text.clone())
            .collect();
        assert_eq!(items, names);
    }

    #[test]
    fn one_item_longer_than_a_line_stays_whole() {
        let name = "x".repeat(150);
        let text = target_data(&Style::default(), "", &entries(&[(MapType::To, &name)]), &[]);
        assert_eq!(text, format!("#pragma omp target data \\\n    map(to: {name})"));
    }
}
