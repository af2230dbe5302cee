//! List items as directives: merged where they may be, apart where they must be.

use super::content::UpdateItem;
use super::habits::Habits;
use crate::openmp::{self, Directive, DirectiveProblem, MapEntry, group_maps, print, replace_map_clauses_styled};
use crate::plan::MapItem;

/// The directive that a list of map items becomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DataDirective {
    /// `target data`
    Region,
    /// `target enter data`
    Enter,
    /// `target exit data`
    Exit,
}

/// The directives that map `items`, each as its lines. [`DataDirective::Region`] is one directive, but for items that stand
/// alone.
///
/// `condition` is the argument of their `if` clause.
pub fn data(
    habits: &Habits,
    indent: &str,
    which: DataDirective,
    items: &[MapItem],
    condition: Option<&str>,
) -> Vec<String> {
    let extra = if_clause(habits, condition);
    let extra: Vec<&str> = extra.iter().map(String::as_str).collect();
    let (alone, together): (Vec<MapItem>, Vec<MapItem>) = items.iter().cloned().partition(|i| i.alone);
    let mut batches = match which {
        DataDirective::Region => vec![dedup(&together, |i| (i.map_type, key(&i.text)))],
        DataDirective::Enter | DataDirective::Exit => batches(&together, |i| &i.text),
    };
    let alone = dedup(&alone, |i| (i.map_type, key(&i.text)));
    batches.extend(alone.into_iter().map(|item| vec![item]));
    let indent = pragma_indent(habits, indent);
    let write = |batch: &Vec<MapItem>| {
        let entries: Vec<MapEntry> = batch.iter().map(|i| MapEntry::new(i.map_type, &*i.text)).collect();
        let clauses = group_maps(&entries);
        match which {
            DataDirective::Region => print::target_data(&habits.style, indent, &clauses, &extra),
            DataDirective::Enter => print::target_enter_data(&habits.style, indent, &clauses, &extra),
            DataDirective::Exit => print::target_exit_data(&habits.style, indent, &clauses, &extra),
        }
    };
    batches.iter().filter(|b| !b.is_empty()).map(write).collect()
}

/// The directive that makes a kernel of a loop.
pub fn kernel(habits: &Habits, indent: &str, clauses: &[String], maps: &[MapItem]) -> String {
    let entries = maps.iter().map(|i| MapEntry::new(i.map_type, &*i.text));
    let maps = group_maps(&entries.collect::<Vec<_>>());
    let clauses: Vec<&str> = clauses.iter().map(String::as_str).collect();
    print::target_loop(&habits.style, pragma_indent(habits, indent), &clauses, &maps)
}

/// The line before a function that kernels call, in the dialect that wants one.
pub fn routine(habits: &Habits, indent: &str) -> String {
    openmp::openacc::routine(&habits.style, pragma_indent(habits, indent))
}

/// A declaration, its further lines one step to the right.
pub fn test(habits: &Habits, indent: &str, lines: &[String]) -> Vec<String> {
    let line = |(i, text): (usize, &String)| format!("{indent}{}{text}", if i > 0 { &habits.unit } else { "" });
    lines.iter().enumerate().map(line).collect()
}

/// The lines with which an `if` begins, in the user's layout.
pub fn begin_if(habits: &Habits, indent: &str, condition: &str) -> Vec<String> {
    match habits.brace_on_next_line {
        true => vec![format!("{indent}if ({condition})"), format!("{indent}{{")],
        false => vec![format!("{indent}if ({condition}) {{")],
    }
}

/// The lines from the end of its first branch to the beginning of its second.
pub fn other_branch(habits: &Habits, indent: &str) -> Vec<String> {
    match habits.brace_on_next_line {
        true => vec![format!("{indent}}}"), format!("{indent}else"), format!("{indent}{{")],
        false => vec![format!("{indent}}} else {{")],
    }
}

/// The `target update` directives that copy `items` to the device, or back.
pub fn updates(habits: &Habits, indent: &str, to_device: bool, items: &[UpdateItem]) -> Vec<String> {
    let indent = pragma_indent(habits, indent);
    let mut conditions: Vec<&Option<String>> = Vec::new();
    for (condition, _) in items {
        if !conditions.contains(&condition) {
            conditions.push(condition);
        }
    }
    let write = |condition: &Option<String>, batch: &Vec<String>| {
        let (to, from): (&[String], &[String]) = if to_device { (batch, &[]) } else { (&[], batch) };
        let extra = if_clause(habits, condition.as_deref());
        let extra: Vec<&str> = extra.iter().map(String::as_str).collect();
        print::target_update(&habits.style, indent, to, from, &extra)
    };
    let under = |condition: &Option<String>| {
        let list: Vec<String> = items
            .iter()
            .filter(|i| i.0 == *condition)
            .map(|i| i.1.clone())
            .collect();
        let apart = apart_from_parts_of_rows(list);
        let lists = apart.iter().flat_map(|list| batches(list, |i| i));
        lists.map(|b| write(condition, &b)).collect::<Vec<String>>()
    };
    conditions.into_iter().flat_map(under).collect()
}

/// Members of structs in a list of their own where others are parts of rows: clang 19 crashes where a member comes before
/// `g[1:1][0:2]` in one `target update`.
fn apart_from_parts_of_rows(items: Vec<String>) -> Vec<Vec<String>> {
    let is_member = |text: &String| path(text).contains(['.', '-']);
    let in_rows = |text: &String| text.matches(':').count() > 1;
    match items.iter().any(is_member) && items.iter().any(|i| in_rows(i) && !is_member(i)) {
        true => {
            let (members, others) = items.into_iter().partition(is_member);
            vec![others, members]
        }
        false => vec![items],
    }
}

fn if_clause(habits: &Habits, condition: Option<&str>) -> Option<String> {
    condition.map(|c| format!("if{}({c})", habits.style.before_paren))
}

/// The pragma `raw` with `items` as its only map items. An item that was mapped with modifiers keeps them.
///
/// # Errors
/// Why the pragma's text cannot be taken apart.
pub fn remap(habits: &Habits, indent: &str, raw: &str, items: &[MapItem]) -> Result<String, DirectiveProblem> {
    let old = Directive::parse(raw);
    let modifiers = |item: &MapItem| {
        let clause = old.iter().flat_map(Directive::maps).find(|(_, map)| {
            map.effective_type() == item.map_type && map.items.iter().any(|i| i.key() == key(&item.text))
        });
        clause.map(|(_, map)| map.modifiers.clone()).unwrap_or_default()
    };
    let entries: Vec<MapEntry> = items
        .iter()
        .map(|i| MapEntry {
            modifiers: modifiers(i),
            ..MapEntry::new(i.map_type, &*i.text)
        })
        .collect();
    replace_map_clauses_styled(raw, &group_maps(&entries), &habits.style, indent)
}

fn pragma_indent<'a>(habits: &Habits, indent: &'a str) -> &'a str {
    if habits.pragmas_flush_left { "" } else { indent }
}

/// The text without blanks.
fn key(text: &str) -> String {
    text.split_ascii_whitespace().collect()
}

/// What an item names a part of; the whole text where it is no path.
fn path(text: &str) -> String {
    let directive = Directive::parse(&format!("#pragma omp target update to({text})"));
    let item = directive
        .as_ref()
        .and_then(|d| d.clauses.first())
        .and_then(|c| c.kind.items().first());
    item.filter(|i| !i.unparsed)
        .map_or_else(|| key(text), |i| i.path.to_string())
}

fn dedup<T: Clone, K: PartialEq>(items: &[T], key: impl Fn(&T) -> K) -> Vec<T> {
    let (mut kept, mut keys): (Vec<T>, Vec<K>) = (Vec::new(), Vec::new());
    for item in items {
        let k = key(item);
        if !keys.contains(&k) {
            keys.push(k);
            kept.push(item.clone());
        }
    }
    kept
}

/// The items, each once, in as few lists as possible such that no list names two parts of one object: compilers reject
/// that in one directive.
fn batches<T: Clone>(items: &[T], text: impl Fn(&T) -> &str) -> Vec<Vec<T>> {
    let mut lists: Vec<(Vec<T>, Vec<String>)> = Vec::new();
    for item in dedup(items, |i| key(text(i))) {
        let path = path(text(&item));
        match lists.iter_mut().find(|(_, paths)| !paths.contains(&path)) {
            Some((list, paths)) => {
                list.push(item);
                paths.push(path);
            }
            None => lists.push((vec![item], vec![path])),
        }
    }
    lists.into_iter().map(|(list, _)| list).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openmp::{MapType, Style};

    fn habits() -> Habits {
        Habits {
            unit: "  ".into(),
            brace_on_next_line: false,
            pragmas_flush_left: false,
            eol: "\n",
            style: Style::default(),
        }
    }

    fn item(map_type: MapType, text: &str) -> MapItem {
        MapItem::new(map_type, text)
    }

    #[test]
    fn two_sections_of_one_array_are_two_updates() {
        let items = ["a[0:1]", "b[0:1]", "a[ 0:1 ]", "a[n:1]", "s->x[0:2]", "s->y[0:2]"].map(|i| (None, i.to_owned()));
        assert_eq!(
            updates(&habits(), "  ", true, &items),
            [
                "  #pragma omp target update to(a[0:1], b[0:1], s->x[0:2], s->y[0:2])",
                "  #pragma omp target update to(a[n:1])"
            ]
        );
    }

    #[test]
    fn members_and_parts_of_rows_stand_apart() {
        let items = ["s->x[0:2]", "g[1:1][0:3]", "a[0:n]"].map(|i| (None, i.to_string()));
        assert_eq!(
            updates(&habits(), "", true, &items),
            [
                "#pragma omp target update to(g[1:1][0:3], a[0:n])",
                "#pragma omp target update to(s->x[0:2])"
            ]
        );
    }

    #[test]
    fn updates_under_a_condition_stand_apart() {
        let items = [
            (None, "a[0:1]".to_owned()),
            (Some("n > 2".to_owned()), "b[1:n-2]".to_owned()),
            (None, "c[0:1]".to_owned()),
        ];
        assert_eq!(
            updates(&habits(), "", false, &items),
            [
                "#pragma omp target update from(a[0:1], c[0:1])",
                "#pragma omp target update from(b[1:n-2]) if(n > 2)"
            ]
        );
    }

    #[test]
    fn data_directives_group_by_type() {
        let items = [
            item(MapType::Release, "b"),
            item(MapType::From, "a"),
            item(MapType::Release, "c"),
        ];
        assert_eq!(
            data(&habits(), "", DataDirective::Exit, &items, Some("p != q")),
            ["#pragma omp target exit data map(from: a) map(release: b, c) if(p != q)"]
        );
    }

    #[test]
    fn modifiers_of_items_that_stay_are_kept() {
        let raw = "#pragma omp target map(always, to: a[0:n]) map(tofrom: b)";
        let items = [item(MapType::To, "a[0:n]"), item(MapType::From, "b")];
        assert_eq!(
            remap(&habits(), "", raw, &items).unwrap(),
            "#pragma omp target map(always, to: a[0:n]) map(from: b)"
        );
    }
}
