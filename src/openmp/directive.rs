//! A directive: its constructs, its argument, its clauses.

use super::names::{self, Association, Construct};
use super::{Clause, ClauseKind, DefaultmapBehaviour, DependKind, Item, MapClause, MapModifier, MapType, SpecVersion};
use crate::source::Span;

/// One OpenMP directive. All spans are byte ranges of the text that was parsed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Directive {
    /// The constructs that a combined directive is made of, outermost first; at least one.
    pub kind: Vec<Construct>,
    /// From the first byte of the directive's name to one past the last byte of the last clause: comments and blanks
    /// after it, and the closing of a `_Pragma`, are outside. New clauses go to its end.
    pub span: Span,
    /// The words of the name.
    pub name_span: Span,
    /// What stands in parentheses directly after the name: `critical(name)`, `declare target(list)`.
    pub argument: Option<Argument>,
    /// In text order.
    pub clauses: Vec<Clause>,
    /// What is wrong with the text. The rest of the directive is still there.
    pub problems: Vec<DirectiveProblem>,
}

/// The argument of a directive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Argument {
    /// Between the parentheses.
    pub span: Span,
    /// The argument's text, runs of blanks as one space.
    pub text: String,
    /// The list, where the argument is one.
    pub items: Vec<Item>,
}

/// Something in a directive that is wrong, or that a version does not have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct DirectiveProblem {
    /// Where, in the text that was parsed.
    pub span: Span,
    /// Why, for people.
    pub message: String,
}

impl Directive {
    /// Whether one of the constructs is `construct`.
    pub fn has(&self, construct: &Construct) -> bool {
        self.kind.contains(construct)
    }

    /// Whether it is `construct` and nothing else.
    pub fn is(&self, construct: &Construct) -> bool {
        self.kind.first() == Some(construct) && self.kind.len() == 1
    }

    /// Whether it starts a kernel: a `target` region, combined or not.
    pub fn is_launch(&self) -> bool {
        self.has(&Construct::Target)
    }

    /// Whether it starts a kernel or manages device data.
    pub fn is_on_device(&self) -> bool {
        let data = [
            Construct::TargetData,
            Construct::TargetEnterData,
            Construct::TargetExitData,
            Construct::TargetUpdate,
        ];
        self.is_launch() || data.iter().any(|construct| self.has(construct))
    }

    /// Whether it is the structured `target data`.
    pub fn is_target_data(&self) -> bool {
        self.is(&Construct::TargetData)
    }

    /// What it is attached to.
    pub fn association(&self) -> Association {
        let crosses_iterations = self
            .clauses
            .iter()
            .any(|clause| matches!(clause.kind, ClauseKind::Depend(_)));
        match self.kind.first() {
            Some(Construct::Ordered) if crosses_iterations => Association::None,
            Some(first) => first.info().map_or(Association::Unknown, |row| row.association),
            None => Association::Unknown,
        }
    }

    /// Whether no statement belongs to it. Directives of an unknown name, and `metadirective`, do not count.
    pub fn is_standalone(&self) -> bool {
        matches!(self.association(), Association::None | Association::Declaration)
    }

    /// The clauses of this name.
    pub fn clauses_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Clause> {
        self.clauses.iter().filter(move |clause| clause.name == name)
    }

    /// Whether there is a clause of this name.
    pub fn has_clause(&self, name: &str) -> bool {
        self.clauses_named(name).next().is_some()
    }

    /// The `map` clauses.
    pub fn maps(&self) -> impl Iterator<Item = (&Clause, &MapClause)> {
        self.clauses.iter().filter_map(|clause| match &clause.kind {
            ClauseKind::Map(map) => Some((clause, map)),
            _ => None,
        })
    }

    /// The name as 4.5 to 5.2 spell it, e.g. `target teams distribute`.
    pub fn name(&self) -> String {
        self.kind.iter().map(Construct::name).collect::<Vec<_>>().join(" ")
    }

    /// The parts that `version` of the standard does not have: names, clauses, map types and modifiers.
    pub fn unavailable_in(&self, version: SpecVersion) -> Vec<DirectiveProblem> {
        let mut problems = Vec::new();
        let mut require = |span: Span, what: String, since: SpecVersion, until: Option<SpecVersion>| {
            if since > version {
                problems.push(DirectiveProblem {
                    span,
                    message: format!("{what} is new in OpenMP {since}"),
                });
            } else if let Some(last) = until.filter(|last| *last < version) {
                problems.push(DirectiveProblem {
                    span,
                    message: format!("{what} exists up to OpenMP {last}"),
                });
            }
        };
        for row in self.kind.iter().filter_map(Construct::info) {
            require(
                self.name_span,
                format!("`{}`", row.words.join(" ")),
                row.since,
                row.until,
            );
        }
        for clause in &self.clauses {
            let what = format!("the clause `{}`", clause.name);
            if let Some(since) = names::clause_since(&clause.name) {
                let old_enter = clause.name == "to" && self.has(&Construct::DeclareTarget);
                require(clause.span, what, since, old_enter.then_some(SpecVersion::V52));
            }
            for (what, since, until) in details(&clause.kind) {
                require(clause.span, what, since, until);
            }
        }
        problems
    }
}

/// Parts of a clause that are younger or older than the clause itself.
fn details(kind: &ClauseKind) -> Vec<(String, SpecVersion, Option<SpecVersion>)> {
    let modifiers = |modifiers: &[MapModifier], motion: bool| -> Vec<(String, SpecVersion, Option<SpecVersion>)> {
        let since = |modifier: &MapModifier| match modifier {
            MapModifier::Always => Some(SpecVersion::V45),
            MapModifier::Close => Some(SpecVersion::V50),
            MapModifier::Mapper(_) => Some(SpecVersion::V50),
            MapModifier::Present => Some(SpecVersion::V51),
            MapModifier::Iterator(_) => Some(SpecVersion::V51),
            MapModifier::SelfMap => Some(SpecVersion::V60),
            MapModifier::Hold | MapModifier::Other(_) => None,
        };
        let clause = if motion { "a motion clause" } else { "`map`" };
        let named = modifiers
            .iter()
            .filter_map(|m| Some((format!("the modifier `{m}` of {clause}"), since(m)?, None)));
        named.collect()
    };
    match kind {
        ClauseKind::Map(map) => {
            let mut all = modifiers(&map.modifiers, false);
            if map.map_type == Some(MapType::Storage) {
                all.push(("the map type `storage`".to_owned(), SpecVersion::V60, None));
            }
            all
        }
        ClauseKind::To(motion) | ClauseKind::From(motion) => modifiers(&motion.modifiers, true),
        ClauseKind::Defaultmap { behaviour, category } => {
            let since = match (behaviour, category) {
                (DefaultmapBehaviour::Tofrom, super::Category::Scalar) => SpecVersion::V45,
                (DefaultmapBehaviour::Present, _) => SpecVersion::V51,
                (DefaultmapBehaviour::Private | DefaultmapBehaviour::SelfMap, _) => SpecVersion::V60,
                _ => SpecVersion::V50,
            };
            vec![(
                format!("`defaultmap({}: {})`", behaviour.as_str(), category.as_str()),
                since,
                None,
            )]
        }
        ClauseKind::NumTeams { lower: Some(_), .. } => {
            vec![("a lower bound of `num_teams`".to_owned(), SpecVersion::V51, None)]
        }
        ClauseKind::Device {
            modifier: Some(modifier),
            ..
        } => {
            vec![(format!("the modifier `{modifier}` of `device`"), SpecVersion::V50, None)]
        }
        ClauseKind::Nowait { expr: Some(_) } => vec![("an argument of `nowait`".to_owned(), SpecVersion::V60, None)],
        ClauseKind::Depend(depend) => match depend.kind {
            DependKind::Depobj | DependKind::Mutexinoutset => {
                vec![("this kind of `depend`".to_owned(), SpecVersion::V50, None)]
            }
            DependKind::Inoutset => vec![("this kind of `depend`".to_owned(), SpecVersion::V51, None)],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing(text: &str, version: SpecVersion) -> Vec<String> {
        Directive::parse(text)
            .unwrap()
            .unavailable_in(version)
            .into_iter()
            .map(|p| p.message)
            .collect()
    }

    #[test]
    fn what_a_version_does_not_have() {
        let text = "omp target teams loop map(present, to: a) has_device_addr(b) num_teams(1:2)";
        assert_eq!(missing(text, SpecVersion::V51), [""; 0]);
        assert_eq!(
            missing(text, SpecVersion::V45),
            [
                "`loop` is new in OpenMP 5.0",
                "the modifier `present` of `map` is new in OpenMP 5.1",
                "the clause `has_device_addr` is new in OpenMP 5.1",
                "a lower bound of `num_teams` is new in OpenMP 5.1"
            ]
        );
        assert_eq!(
            missing("omp master", SpecVersion::V60),
            ["`master` exists up to OpenMP 5.2"]
        );
        assert_eq!(
            missing("omp declare target to(x)", SpecVersion::V60),
            ["the clause `to` exists up to OpenMP 5.2"]
        );
        assert_eq!(missing("omp target update to(x)", SpecVersion::V60), [""; 0]);
        assert_eq!(
            missing("omp target defaultmap(tofrom: scalar)", SpecVersion::V45),
            [""; 0]
        );
        assert_eq!(missing("omp target defaultmap(none)", SpecVersion::V45).len(), 1);
        assert_eq!(missing("omp frobnicate fnord(1)", SpecVersion::V45), [""; 0]);
    }

    #[test]
    fn what_owns_a_statement() {
        let standalone = |text: &str| Directive::parse(text).unwrap().is_standalone();
        for text in [
            "omp target update to(a)",
            "omp target enter data map(to: a)",
            "omp taskwait",
            "omp barrier",
            "omp flush(a)",
            "omp requires unified_shared_memory",
            "omp declare target",
            "omp ordered depend(sink: i - 1)",
            "omp declare simd",
        ] {
            assert!(standalone(text), "{text}");
        }
        for text in [
            "omp target",
            "omp target data map(a)",
            "omp ordered simd",
            "omp critical(x)",
            "omp unheard_of",
        ] {
            assert!(!standalone(text), "{text}");
        }
    }
}
