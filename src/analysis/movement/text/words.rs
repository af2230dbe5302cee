//! Names, bounds and events in the text of a movement problem.

use crate::analysis::movement::problem::EventKind;
use crate::symbolic::{Expr, Section, SectionSet, SpacingStyle, Sym, print_expr};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Words that mean something in the text.
const KEYWORDS: [&str; 7] = ["all", "c", "may", "must", "reads", "surely", "writes"];

/// Names that have been given.
#[derive(Default)]
struct GivenNames {
    symbols: FxHashMap<Sym, String>,
    /// Bounds that no C expression says.
    others: FxHashMap<Expr, String>,
    taken: BTreeSet<String>,
}

impl GivenNames {
    /// A name that nothing else has, as like the one that is wanted as can be.
    fn fresh(&mut self, wanted: &str) -> String {
        let mut number = 1;
        let mut name = wanted.to_owned();
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{wanted}_{number}");
        }
        name
    }
}

/// How what is said of a problem is written.
pub(super) struct ProblemWords<'a> {
    /// What a symbol is called in the program.
    name: &'a dyn Fn(Sym) -> Option<String>,
    given: RefCell<GivenNames>,
}

impl<'a> ProblemWords<'a> {
    pub fn new(name: &'a dyn Fn(Sym) -> Option<String>) -> ProblemWords<'a> {
        let mut given = GivenNames::default();
        given.taken.extend(KEYWORDS.map(str::to_owned));
        ProblemWords {
            name,
            given: RefCell::new(given),
        }
    }

    pub fn named(&self, sym: Sym) -> String {
        let mut given = self.given.borrow_mut();
        if let Some(known) = given.symbols.get(&sym) {
            return known.clone();
        }
        let wanted = (self.name)(sym).unwrap_or_else(|| "v".to_owned());
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let wanted: String = wanted.chars().map(plain).collect();
        let name = given.fresh(wanted.trim_matches('_'));
        given.symbols.insert(sym, name.clone());
        name
    }

    pub fn printed(&self, e: &Expr) -> Option<String> {
        print_expr(e, &|sym| Some(self.named(sym)), SpacingStyle::default())
    }

    pub fn bound(&self, e: &Expr) -> String {
        self.printed(e).unwrap_or_else(|| {
            let mut given = self.given.borrow_mut();
            if let Some(known) = given.others.get(e) {
                return known.clone();
            }
            let name = given.fresh("bound");
            given.others.insert(e.clone(), name.clone());
            name
        })
    }

    pub fn section(&self, section: &Section) -> String {
        format!("{}, {}", self.bound(&section.lo), self.bound(&section.hi))
    }

    pub fn list(&self, sections: &[Section]) -> String {
        let each: Vec<String> = sections.iter().map(|s| self.section(s)).collect();
        each.join(", ")
    }

    pub fn set(&self, set: &SectionSet) -> String {
        match set {
            SectionSet::All => "all".to_owned(),
            set => self.list(set.sections()),
        }
    }

    /// `word, 0, n`, or nothing for an empty set.
    fn part(word: &str, list: &str) -> Option<String> {
        (!list.is_empty()).then(|| format!("{word}, {list}"))
    }

    pub fn event(&self, event: &EventKind) -> Option<String> {
        let same = |may: &SectionSet, must: &[Section]| !must.is_empty() && may.sections() == must;
        Some(match event {
            EventKind::HostRead { may: SectionSet::Empty } => return None,
            EventKind::HostRead { may } => format!("reads({})", self.set(may)),
            EventKind::HostWrite { may, must } if same(may, must) => format!("writes({})", self.set(may)),
            EventKind::HostWrite { may, must } if must.is_empty() => format!("may_write({})", self.set(may)),
            EventKind::HostWrite { may, must } => {
                let parts = [Self::part("must", &self.list(must)), Self::part("may", &self.set(may))];
                format!("write({})", parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
            }
            EventKind::Launch { reads, may, must } => match (reads.sections(), may.sections()) {
                ([read], [written]) if same(may, must) => {
                    format!("kernel({}, {})", self.section(read), self.section(written))
                }
                ([read], [written]) if must.is_empty() => {
                    format!("kernel_may({}, {})", self.section(read), self.section(written))
                }
                _ => {
                    let parts = [
                        Self::part("reads", &self.set(reads)),
                        Self::part("must", &self.list(must)),
                        Self::part("may", &self.set(may)),
                    ];
                    format!("launch({})", parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
                }
            },
            EventKind::Free => "free()".to_owned(),
        })
    }
}
