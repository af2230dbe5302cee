//! From a clause's name and parenthesised text to a [`ClauseKind`].

use super::clause::{
    Category, ClauseKind, DefaultmapBehaviour, DependClause, DependKind, MapClause, MapModifier, MapType, MotionClause,
};
use super::directive::DirectiveProblem;
use super::{Item, scan};
use crate::source::Span;

/// Reads one clause; a known clause whose arguments are missing or wrong leaves a problem and becomes
/// [`ClauseKind::Other`].
pub(super) fn parse(
    text: &str,
    name: &str,
    span: Span,
    args: Option<Span>,
    problems: &mut Vec<DirectiveProblem>,
) -> ClauseKind {
    let other = ClauseKind::Other {
        args: args.map(|args| scan::tidy(text, args)),
    };
    let Some(args) = args else {
        match name {
            "nowait" => return ClauseKind::Nowait { expr: None },
            _ if NEED_ARGUMENTS.contains(&name) => {
                problems.push(DirectiveProblem {
                    span,
                    message: format!("`{name}` needs arguments in parentheses"),
                });
            }
            _ => {}
        }
        return other;
    };
    let mut reader = ClauseReader {
        text,
        name,
        args,
        problems,
    };
    reader.read().unwrap_or(other)
}

/// Clauses that mean nothing without arguments.
#[rustfmt::skip]
const NEED_ARGUMENTS: &[&str] = &[
    "map", "from", "private", "firstprivate", "lastprivate", "shared", "reduction", "in_reduction", "is_device_ptr",
    "has_device_addr", "use_device_ptr", "use_device_addr", "device", "if", "depend", "defaultmap", "default",
    "collapse", "num_teams", "thread_limit", "num_threads",
];

/// The arguments of one clause.
struct ClauseReader<'a> {
    text: &'a str,
    name: &'a str,
    args: Span,
    problems: &'a mut Vec<DirectiveProblem>,
}

impl ClauseReader<'_> {
    fn read(&mut self) -> Option<ClauseKind> {
        Some(match self.name {
            "map" => self.map(),
            "to" => ClauseKind::To(self.motion()),
            "from" => ClauseKind::From(self.motion()),
            "enter" => ClauseKind::Enter {
                items: self.prefixed_list().1,
            },
            "firstprivate" => ClauseKind::Firstprivate {
                items: self.prefixed_list().1,
            },
            "lastprivate" => {
                let (prefix, items) = self.prefixed_list();
                ClauseKind::Lastprivate {
                    conditional: prefix.as_deref() == Some("conditional"),
                    items,
                }
            }
            "reduction" => {
                let (modifier, op, items) = self.reduction()?;
                ClauseKind::Reduction { modifier, op, items }
            }
            "in_reduction" => {
                let (_, op, items) = self.reduction()?;
                ClauseKind::InReduction { op, items }
            }
            "task_reduction" => {
                let (_, op, items) = self.reduction()?;
                ClauseKind::TaskReduction { op, items }
            }
            "linear" => self.linear(),
            "aligned" => {
                let (list, alignment) = self.cut_at_colon(self.args);
                ClauseKind::Aligned {
                    items: self.list(list),
                    alignment: alignment.map(|part| self.tidy(part)),
                }
            }
            "allocate" => {
                let (allocator, items) = self.prefixed_list();
                ClauseKind::Allocate { allocator, items }
            }
            "device" => {
                let (modifier, expr) = self.modified_expression();
                ClauseKind::Device { modifier, expr }
            }
            "if" => {
                let (modifier, expr) = self.modified_expression();
                ClauseKind::If { modifier, expr }
            }
            "depend" | "doacross" => self.depend()?,
            "defaultmap" => self.defaultmap()?,
            "num_teams" => match self.cut_at_colon(self.args) {
                (lower, Some(upper)) => ClauseKind::NumTeams {
                    lower: Some(self.tidy(lower)),
                    upper: self.tidy(upper),
                },
                (upper, None) => ClauseKind::NumTeams {
                    lower: None,
                    upper: self.tidy(upper),
                },
            },
            "schedule" => self.schedule(),
            "dist_schedule" => {
                let (kind, chunk) = self.kind_and_chunk(self.args);
                ClauseKind::DistSchedule { kind, chunk }
            }
            _ => return self.of_list().or_else(|| self.of_expression()),
        })
    }

    /// A clause whose argument is a plain list.
    fn of_list(&mut self) -> Option<ClauseKind> {
        let kind: fn(Vec<Item>) -> ClauseKind = match self.name {
            "link" => |items| ClauseKind::Link { items },
            "private" => |items| ClauseKind::Private { items },
            "shared" => |items| ClauseKind::Shared { items },
            "copyin" => |items| ClauseKind::Copyin { items },
            "copyprivate" => |items| ClauseKind::Copyprivate { items },
            "nontemporal" => |items| ClauseKind::Nontemporal { items },
            "is_device_ptr" => |items| ClauseKind::IsDevicePtr { items },
            "has_device_addr" => |items| ClauseKind::HasDeviceAddr { items },
            "use_device_ptr" => |items| ClauseKind::UseDevicePtr { items },
            "use_device_addr" => |items| ClauseKind::UseDeviceAddr { items },
            _ => return None,
        };
        Some(kind(self.list(self.args)))
    }

    /// A clause whose argument is an expression or a word.
    fn of_expression(&self) -> Option<ClauseKind> {
        let kind: fn(String) -> ClauseKind = match self.name {
            "nowait" => |expr| ClauseKind::Nowait { expr: Some(expr) },
            "default" => |value| ClauseKind::Default { value },
            "collapse" => |expr| ClauseKind::Collapse { expr },
            "thread_limit" => |expr| ClauseKind::ThreadLimit { expr },
            "num_threads" => |expr| ClauseKind::NumThreads { expr },
            "device_type" => |value| ClauseKind::DeviceType { value },
            _ => return None,
        };
        Some(kind(self.tidy(self.args)))
    }

    fn tidy(&self, span: Span) -> String {
        scan::tidy(self.text, span)
    }

    fn problem(&mut self, span: Span, message: String) {
        self.problems.push(DirectiveProblem { span, message });
    }

    /// What is before the first colon and what is after it.
    fn cut_at_colon(&self, span: Span) -> (Span, Option<Span>) {
        match scan::separators(self.text, span, b':').first() {
            Some(&colon) => (Span::new(span.start, colon), Some(Span::new(colon + 1, span.end))),
            None => (span, None),
        }
    }

    fn list(&mut self, span: Span) -> Vec<Item> {
        let parts = scan::split(self.text, span, b',');
        if parts.iter().any(|part| part.is_empty()) {
            self.problem(span, format!("a list item is missing in `{}`", self.name));
        }
        parts
            .into_iter()
            .filter(|part| !part.is_empty())
            .map(|part| Item::parse(self.text, part))
            .collect()
    }

    /// `[prefix :] list`
    fn prefixed_list(&mut self) -> (Option<String>, Vec<Item>) {
        match self.cut_at_colon(self.args) {
            (prefix, Some(list)) => (Some(self.tidy(prefix)), self.list(list)),
            (list, None) => (None, self.list(list)),
        }
    }

    fn map(&mut self) -> ClauseKind {
        let (prefix, list) = match self.cut_at_colon(self.args) {
            (prefix, Some(list)) => (Some(prefix), list),
            (list, None) => (None, list),
        };
        let (mut modifiers, mut map_type) = (Vec::new(), None);
        for (word, span) in prefix.map(|prefix| self.words(prefix)).unwrap_or_default() {
            match (MapType::from_word(&word), map_type) {
                (Some(new), None) => map_type = Some(new),
                // 6.0 makes `delete` a modifier: `map(delete, release: x)`.
                (Some(MapType::Delete), Some(_)) | (Some(_), Some(MapType::Delete)) => map_type = Some(MapType::Delete),
                (Some(_), Some(_)) => self.problem(span, "`map` has two map types".to_owned()),
                (None, _) => modifiers.push(self.modifier(&word, span)),
            }
        }
        ClauseKind::Map(MapClause {
            modifiers,
            map_type,
            items: self.list(list),
        })
    }

    fn motion(&mut self) -> MotionClause {
        match self.cut_at_colon(self.args) {
            (prefix, Some(list)) => {
                let words = self.words(prefix);
                let modifiers = words.iter().map(|(word, span)| self.modifier(word, *span)).collect();
                MotionClause {
                    modifiers,
                    items: self.list(list),
                }
            }
            (list, None) => MotionClause {
                modifiers: Vec::new(),
                items: self.list(list),
            },
        }
    }

    /// The words of a modifier list, each with the parentheses after it; separated by commas or, as in 4.5, by blanks.
    fn words(&mut self, span: Span) -> Vec<(String, Span)> {
        let mut words = Vec::new();
        let mut at = span.start;
        loop {
            at = scan::skip_blank(self.text, at);
            if at >= span.end {
                return words;
            }
            if self.text[at..].starts_with(',') {
                at += 1;
                continue;
            }
            let Some(mut end) = scan::word_end(self.text, at) else {
                let rest = scan::trim(self.text, Span::new(at, span.end));
                self.problem(rest, format!("a modifier of `{}` is expected here", self.name));
                return words;
            };
            let open = scan::skip_blank(self.text, end);
            if open < span.end && self.text[open..].starts_with('(') {
                end = scan::closing(self.text, open).map_or(span.end, |close| close + 1);
            }
            words.push((self.tidy(Span::new(at, end)), Span::new(at, end)));
            at = end;
        }
    }

    fn modifier(&mut self, word: &str, span: Span) -> MapModifier {
        let inside = |name: &str| {
            let rest = word.strip_prefix(name)?.trim_ascii_start();
            Some(rest.strip_prefix('(')?.strip_suffix(')')?.trim_ascii().to_owned())
        };
        match word {
            "always" => MapModifier::Always,
            "close" => MapModifier::Close,
            "present" => MapModifier::Present,
            "self" => MapModifier::SelfMap,
            "ompx_hold" => MapModifier::Hold,
            _ => {
                if let Some(name) = inside("mapper") {
                    MapModifier::Mapper(name)
                } else if let Some(definition) = inside("iterator") {
                    MapModifier::Iterator(definition)
                } else {
                    self.problem(
                        span,
                        format!("`{word}` is no modifier of `{}` that is known here", self.name),
                    );
                    MapModifier::Other(word.to_owned())
                }
            }
        }
    }

    /// `[modifier ,] operator : list`
    fn reduction(&mut self) -> Option<(Option<String>, String, Vec<Item>)> {
        let (prefix, Some(list)) = self.cut_at_colon(self.args) else {
            self.problem(
                self.args,
                format!("`{}` needs an operator and a colon before its list", self.name),
            );
            return None;
        };
        let mut parts = scan::split(self.text, prefix, b',');
        let op = parts.pop().map(|part| self.tidy(part)).unwrap_or_default();
        let modifier = parts.first().map(|part| self.tidy(*part));
        Some((modifier, op, self.list(list)))
    }

    /// `list [: step]`, where the list may be `modifier(list)`, the spelling before 5.2.
    fn linear(&mut self) -> ClauseKind {
        let (list, step) = self.cut_at_colon(self.args);
        let mut list = scan::trim(self.text, list);
        let mut modifier = None;
        if let Some(end) = scan::word_end(self.text, list.start) {
            let word = &self.text[list.start..end];
            let open = scan::skip_blank(self.text, end);
            if matches!(word, "val" | "ref" | "uval")
                && self.text[open..].starts_with('(')
                && scan::closing(self.text, open).is_some_and(|close| close + 1 == list.end)
            {
                modifier = Some(word.to_owned());
                list = Span::new(open + 1, list.end - 1);
            }
        }
        ClauseKind::Linear {
            modifier,
            items: self.list(list),
            step: step.map(|step| self.tidy(step)),
        }
    }

    /// `[words :] expression`; anything but words before the colon belongs to the expression.
    fn modified_expression(&mut self) -> (Option<String>, String) {
        if let (prefix, Some(expr)) = self.cut_at_colon(self.args) {
            let prefix = self.tidy(prefix);
            if !prefix.is_empty()
                && prefix
                    .bytes()
                    .all(|b| b.is_ascii_alphabetic() || b == b'_' || b == b' ')
            {
                return (Some(prefix), self.tidy(expr));
            }
        }
        (None, self.tidy(self.args))
    }

    /// `[iterator(…) ,] kind [: list]`
    fn depend(&mut self) -> Option<ClauseKind> {
        let (prefix, list) = self.cut_at_colon(self.args);
        let mut parts = scan::split(self.text, prefix, b',');
        let kind = parts
            .pop()
            .filter(|part| !part.is_empty())
            .map(|part| self.tidy(part))?;
        let modifier = parts.first().map(|part| self.tidy(*part));
        // `doacross(source:)` and `depend(source)` have no list.
        let list = list.filter(|list| !scan::trim(self.text, *list).is_empty());
        let items = list.map(|list| self.list(list)).unwrap_or_default();
        Some(ClauseKind::Depend(DependClause {
            modifier,
            kind: DependKind::from_word(&kind),
            items,
        }))
    }

    fn defaultmap(&mut self) -> Option<ClauseKind> {
        let (behaviour, category) = self.cut_at_colon(self.args);
        let behaviour = DefaultmapBehaviour::from_word(&self.tidy(behaviour));
        let category = category.map_or(Some(Category::All), |category| {
            Category::from_word(&self.tidy(category))
        });
        match (behaviour, category) {
            (Some(behaviour), Some(category)) => Some(ClauseKind::Defaultmap { behaviour, category }),
            _ => {
                self.problem(self.args, "this `defaultmap` is not known here".to_owned());
                None
            }
        }
    }

    /// `[modifiers :] kind [, chunk]`
    fn schedule(&mut self) -> ClauseKind {
        let (modifiers, rest) = match self.cut_at_colon(self.args) {
            (prefix, Some(rest)) => (scan::split(self.text, prefix, b','), rest),
            (rest, None) => (Vec::new(), rest),
        };
        let modifiers = modifiers.into_iter().map(|part| self.tidy(part)).collect();
        let (kind, chunk) = self.kind_and_chunk(rest);
        ClauseKind::Schedule { modifiers, kind, chunk }
    }

    fn kind_and_chunk(&self, span: Span) -> (String, Option<String>) {
        match scan::separators(self.text, span, b',').first() {
            Some(&comma) => {
                let chunk = self.tidy(Span::new(comma + 1, span.end));
                (self.tidy(Span::new(span.start, comma)), Some(chunk))
            }
            None => (self.tidy(span), None),
        }
    }
}

#[cfg(test)]
mod tests;
