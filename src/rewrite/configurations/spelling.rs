//! What is written about an array or a kernel, compared with what samples would write, and its numbers by name.

use super::constants::NumberNames;
use super::numbers::Root;
use super::samples::Unlike;
use super::solve::{Named, solve};
use super::texts::{SaidNumber, Spot, TextEntry, TextOwner, entries, kept_only_in, tests, visit};
use super::words::TextWords;
use crate::plan::FilePlan;
use crate::rewrite::member::Member;
use crate::source::Span;
use crate::syntax::{FunctionNode, ScopeTree, Stmt, StmtKind, declaration_in_scope};
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Between the name of a variable and its number are so many bytes at most.
const NEAR_NAME: usize = 8;

/// Where numbers are spelled.
pub(super) struct Spelling<'a, 'm> {
    pub member: &'a Member<'m>,
    pub constants: &'a NumberNames,
    /// What the file's text says.
    pub words: &'a TextWords,
    /// By function: the names that it can use, as far as somebody has asked.
    pub names: RefCell<BTreeMap<String, Rc<Vec<Named>>>>,
}

/// What a plan says with names in the place of numbers.
#[derive(Default)]
pub(super) struct Spelled {
    /// The texts of each owner, in the plan's order.
    pub texts: BTreeMap<TextOwner, Vec<String>>,
    /// Whose texts have no such form.
    pub refused: BTreeSet<TextOwner>,
}

/// Writes the texts of owners in the place of those that the plan has for them.
pub(super) fn write(plan: &mut FilePlan, spelled: &BTreeMap<TextOwner, Vec<String>>) {
    let mut at: BTreeMap<TextOwner, usize> = BTreeMap::new();
    visit(plan, &mut |owners, _, text| {
        for owner in owners {
            let next = at.entry(owner.clone()).or_default();
            if let Some(new) = spelled.get(owner).and_then(|texts| texts.get(*next)) {
                text.clone_from(new);
            }
            *next += 1;
        }
    });
}

impl Spelling<'_, '_> {
    /// Writes numbers that differ by name, if all can be written so; else returns whose cannot.
    pub fn settle(&self, plan: &mut FilePlan, others: &[&FilePlan]) -> BTreeSet<TextOwner> {
        let Spelled { texts, mut refused } = self.spelled(plan, others);
        let kept = self.kept_in_samples(plan, others);
        if refused.is_empty() && kept.is_empty() {
            write(plan, &texts);
        }
        // A kernel that is not right may be why a test is not.
        for (test, kernels) in tests(plan) {
            if refused.remove(&test) && !kernels.iter().any(|k| refused.contains(k)) {
                refused.extend(kernels);
            }
        }
        let fails = |d: &crate::plan::Decision| d.for_callers && refused.iter().any(|(f, _)| *f == d.function);
        plan.broken |= plan.decisions.iter().any(fails);
        refused.extend(kept);
        refused
    }

    /// Arrays of which only samples write what callers count on.
    fn kept_in_samples(&self, plan: &FilePlan, others: &[&FilePlan]) -> BTreeSet<TextOwner> {
        let asked = others.iter().zip(&self.constants.unlike);
        let asked = asked.filter(|(_, unlike)| **unlike == Unlike::Refused);
        asked.flat_map(|(other, _)| kept_only_in(other, plan)).collect()
    }

    /// The texts of a plan in which numbers that differ are written by name.
    pub fn spelled(&self, plan: &FilePlan, others: &[&FilePlan]) -> Spelled {
        let others: Vec<_> = others.iter().map(|p| entries(p)).collect();
        let mut found = Spelled::default();
        for (owner, texts) in entries(plan) {
            let theirs: Vec<Option<&Vec<TextEntry>>> = others.iter().map(|o| o.get(&owner)).collect();
            match self.texts(&owner.0, &texts, &theirs) {
                Some(texts) => {
                    found.texts.insert(owner, texts);
                }
                None => {
                    found.refused.insert(owner);
                }
            }
        }
        found
    }

    /// The texts about an array, given those of each sample.
    fn texts(&self, function: &str, own: &[TextEntry], others: &[Option<&Vec<TextEntry>>]) -> Option<Vec<String>> {
        let is_like = |o: &&Vec<TextEntry>| o.len() == own.len() && own.iter().zip(o.iter()).all(|(a, b)| a.is_like(b));
        let mut alike: Vec<(usize, &Vec<TextEntry>)> = Vec::new();
        for (sample, theirs) in others.iter().enumerate() {
            match (theirs.filter(is_like), self.constants.unlike[sample]) {
                (Some(theirs), _) => alike.push((sample, theirs)),
                (None, Unlike::Nothing) => {}
                (None, Unlike::Refused) => return None,
            }
        }
        let in_alike = |named: Named| Named {
            values: std::iter::once(named.values[0])
                .chain(alike.iter().map(|(sample, _)| named.values[sample + 1]))
                .collect(),
            ..named
        };
        let names: Vec<Named> = self.names(function).iter().cloned().map(in_alike).collect();
        let text = |(at, entry): (usize, &TextEntry)| {
            let locals = self.locals(entry).map(in_alike);
            let names: Vec<Named> = locals.chain(names.iter().cloned()).collect();
            let mut text = entry.pieces[0].clone();
            for (i, number) in entry.numbers.iter().enumerate() {
                let more = alike.iter().map(|(_, theirs)| &theirs[at].numbers[i]);
                let said: Vec<&SaidNumber> = std::iter::once(number).chain(more).collect();
                let values: Vec<i128> = said.iter().map(|n| n.value).collect();
                let value = number.value;
                let behind = &entry.pieces[i + 1];
                match said.iter().all(|n| *n == number) {
                    true if self.constants.all_vary || entry.guess == Some(value) || value <= 1 => {
                        if entry.guess != Some(value) && value > 1 {
                            let said = &self.constants.said;
                            said.set(said.get().max(value));
                        }
                        text.push_str(&number.text)
                    }
                    true => return None,
                    // What a name is worth may be of another type than what the user writes in its place.
                    false if !said.iter().all(|n| n.is_plain()) => return None,
                    false => {
                        let solved = solve(&values, &names)?;
                        let doubt = &self.constants.doubt;
                        doubt.set(doubt.get().max(solved.doubt));
                        let solved = solved.between(&text, behind);
                        text.push_str(&solved);
                    }
                }
                text.push_str(behind);
            }
            Some(text)
        };
        own.iter().enumerate().map(text).collect()
    }

    /// Constant variables of a function that can be named where a text stands.
    fn locals(&self, entry: &TextEntry) -> impl Iterator<Item = Named> {
        let tree = self.member.read.tree();
        let spot = entry.spot.and_then(|spot| match spot {
            Spot::Stmt(stmt) => Some(stmt),
            Spot::Pragma(pragma) => tree.pragma(pragma).before,
        });
        let means = |root: &Root| {
            let declared = spot.and_then(|stmt| declaration_in_scope(tree, stmt, &root.name));
            // `n = 20`: the number stands right behind the name.
            declared.is_some_and(|d| d.span.end < root.digits.start && root.digits.start <= d.span.end + NEAR_NAME)
        };
        let locals = self.constants.variables.iter().filter(move |(root, _)| means(root));
        locals.map(|(_, named)| named.clone()).collect::<Vec<_>>().into_iter()
    }

    /// The names that a function can use, those that it mentions first.
    fn names(&self, function: &str) -> Rc<Vec<Named>> {
        if let Some(known) = self.names.borrow().get(function) {
            return known.clone();
        }
        let found = Rc::new(self.usable(function));
        self.names.borrow_mut().insert(function.to_owned(), found.clone());
        found
    }

    fn usable(&self, function: &str) -> Vec<Named> {
        let tree = self.member.read.tree();
        let Some(function) = tree.functions.iter().find(|f| f.name == function) else {
            return Vec::new();
        };
        let inside = |span: &Span| function.span.start <= span.start && span.end <= function.span.end;
        let (within, outside): (Vec<_>, Vec<_>) = self.words.all.iter().partition(|(_, span)| inside(span));
        let mentioned = within.into_iter().chain(outside).map(|(name, _)| name);
        let hidden = declared_in(tree, function);
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        let mut found: Vec<Named> = Vec::new();
        for name in mentioned.chain(self.constants.known.keys()) {
            let Some(named) = self.constants.known.get(name).filter(|_| seen.insert(name)) else {
                continue;
            };
            let usable = self.words.known_at(name, function.span.start) && !hidden.contains(name.as_str());
            if usable && !found.contains(named) {
                found.push(named.clone());
            }
        }
        found
    }
}

/// The variables of a function.
fn declared_in<'t>(tree: &'t ScopeTree, function: &'t FunctionNode) -> FxHashSet<&'t str> {
    let inside = |s: &&Stmt| function.span.start <= s.span.start && s.span.end <= function.span.end;
    let declared = tree.stmts.iter().filter(inside).flat_map(|s| match &s.kind {
        StmtKind::Decl { names } => names.as_slice(),
        StmtKind::For { declares, .. } => declares.as_slice(),
        _ => &[],
    });
    let params = function.params.iter().map(|p| p.name.as_str());
    declared.map(|d| d.name.as_str()).chain(params).collect()
}
