//! Which loops share a test, and where it stands.
//!
//! Loops are taken in text order. Each begins a test of its own, before the outermost of the loops around it at which
//! everything in the test has a name; or it joins one that another loop of the same arrays began further up in the same
//! block, if the test for both can be written there. In the end loops that need no test join one that is about their
//! arrays, too, so that one condition decides where all of these are.

use super::name::fresh;
use super::reach::{is_sure, reaches};
use super::test::Test;
use crate::analysis::dependence::Requirement;
use crate::analysis::function::FunctionModel;
use crate::analysis::values::table::Base;
use crate::annotate::named_constants::NamedConstants;
use crate::annotate::spell::Speller;
use crate::syntax::StmtId;
use std::collections::BTreeSet;

/// Declarations longer than this are broken.
const LINE: usize = 96;

/// A loop with what has to hold for it.
pub(in crate::annotate) struct Guarded {
    pub stmt: StmtId,
    /// Everything that its kernel asks for.
    pub test: Test,
    /// The loop may need a test: there are arrays that may overlap, or it is parallel under a condition.
    pub needed: bool,
    /// The arrays that it uses.
    pub arrays: BTreeSet<Base>,
    /// The arrays among them that it writes.
    pub written: BTreeSet<Base>,
    /// Names of numbers in it.
    pub constants: NamedConstants,
}

/// A test to be written.
pub(in crate::annotate) struct Guard {
    /// The variable.
    pub name: String,
    /// The variable's declaration, by lines.
    pub text: Vec<String>,
    /// The statement before which it stands.
    pub before: StmtId,
    /// The loops that it is for, each with whether it may only run as written where the test fails.
    pub loops: Vec<(StmtId, bool)>,
    /// What it says of where loops run.
    pub runs: BTreeSet<Requirement>,
}

/// A test while its loops are found.
struct TestGroup {
    before: StmtId,
    test: Test,
    loops: Vec<(StmtId, bool)>,
    arrays: BTreeSet<Base>,
    /// What its name is made of where no arrays are compared.
    written: BTreeSet<Base>,
    constants: NamedConstants,
}

/// The tests for these loops, given in text order. `used` are the identifiers of the file. A loop whose test cannot be
/// written is in none.
pub(in crate::annotate) fn guard(
    model: &FunctionModel<'_>,
    loops: &[Guarded],
    mut used: BTreeSet<String>,
) -> Vec<Guard> {
    let mut groups: Vec<TestGroup> = Vec::new();
    for it in loops.iter().filter(|l| l.needed) {
        if groups.iter_mut().any(|g| g.take(model, it)) {
            continue;
        }
        if let Some((before, test)) = outermost(model, it) {
            groups.push(TestGroup {
                before,
                test,
                loops: vec![(it.stmt, it.test.dependence)],
                arrays: it.arrays.clone(),
                written: it.written.clone(),
                constants: it.constants.clone(),
            });
        }
    }
    for it in loops.iter().filter(|l| !l.needed) {
        let _ = groups.iter_mut().any(|g| g.take(model, it));
    }
    let mut written = Vec::new();
    for group in groups {
        let Some(found) = group.written(model, &used) else {
            continue;
        };
        used.insert(found.name.clone());
        written.push(found);
    }
    written
}

/// The outermost place for a loop's test.
fn outermost(model: &FunctionModel<'_>, it: &Guarded) -> Option<(StmtId, Test)> {
    let mut test = it.test.clone();
    let mut best = writable(model, it.stmt, &test).then(|| (it.stmt, test.clone()));
    for around in model.tree.ancestors(it.stmt).skip(1) {
        if !model.tree.stmt(around).kind.is_loop() {
            continue;
        }
        let Some(wider) = test.outside(model, around) else {
            break;
        };
        test = wider;
        if writable(model, around, &test) && stands(model, around, &test, it.stmt) {
            best = Some((around, test.clone()));
        }
    }
    best
}

fn writable(model: &FunctionModel<'_>, before: StmtId, test: &Test) -> bool {
    Speller::before(model, before).is_some_and(|speller| test.text(&speller).is_some())
}

/// Whether a test, where it can be written, may stand there for a loop.
fn stands(model: &FunctionModel<'_>, before: StmtId, test: &Test, stmt: StmtId) -> bool {
    let follows = || Speller::before(model, before).is_none_or(|speller| test.follows_pointers(&speller));
    reaches(model.tree, before, stmt) && (is_sure(model, before, stmt) || !follows())
}

impl TestGroup {
    /// Takes a loop in, if the test for it too can be written where this test stands, or further up in the same block.
    fn take(&mut self, model: &FunctionModel<'_>, it: &Guarded) -> bool {
        let tree = model.tree;
        let shared = self.arrays.intersection(&it.arrays).next().is_some();
        let block = tree.stmt(self.before).parent;
        let within = tree
            .ancestors(it.stmt)
            .find(|s| tree.stmt(*s).parent == block && block.is_some());
        let Some(top) = within.filter(|_| shared) else {
            return false;
        };
        let mut test = it.test.clone();
        for around in tree.ancestors(it.stmt).skip(1).take_while(|s| Some(*s) != block) {
            if tree.stmt(around).kind.is_loop() {
                let Some(wider) = test.outside(model, around) else {
                    return false;
                };
                test = wider;
            }
        }
        let before = match tree.stmt(top).span.start < tree.stmt(self.before).span.start {
            true => top,
            false => self.before,
        };
        let both = self.test.and(&test);
        let mut loops = self.loops.iter().map(|(s, _)| *s).chain([it.stmt]);
        if !writable(model, before, &both) || !loops.all(|s| stands(model, before, &both, s)) {
            return false;
        }
        self.before = before;
        self.test = both;
        self.loops.push((it.stmt, it.test.dependence));
        self.arrays.extend(&it.arrays);
        self.constants.extend(&it.constants);
        if it.needed {
            self.written.extend(&it.written);
        }
        true
    }

    fn written(mut self, model: &FunctionModel<'_>, used: &BTreeSet<String>) -> Option<Guard> {
        let speller = Speller::before(model, self.before)?.with(self.constants);
        let parts = self.test.text(&speller)?;
        let tested: BTreeSet<Base> = self.test.apart.iter().flat_map(|p| p.arrays).collect();
        let overlap = !tested.is_empty();
        let bases = if overlap { tested } else { self.written };
        let names: BTreeSet<String> = bases.into_iter().filter_map(|b| speller.at.base(b)).collect();
        let arrays: Vec<String> = names.into_iter().collect();
        let name = fresh(&arrays, overlap, used);
        self.loops.sort_unstable();
        Some(Guard {
            text: declaration(&name, parts),
            name,
            before: self.before,
            loops: self.loops,
            runs: self.test.runs,
        })
    }
}

/// The declaration, on several lines where it is long.
fn declaration(name: &str, mut parts: Vec<String>) -> Vec<String> {
    if parts.len() > 1 {
        for part in parts.iter_mut().filter(|p| p.contains("||")) {
            *part = format!("({part})");
        }
    }
    let mut lines = vec![format!("const int {name} =")];
    let last = parts.len().saturating_sub(1);
    if parts.is_empty() {
        parts.push("1".into());
    }
    for (i, part) in parts.iter().enumerate() {
        let text = format!("{part}{}", if i == last { ";" } else { " &&" });
        match lines.last_mut() {
            Some(line) if line.len() + text.len() < LINE => {
                line.push(' ');
                line.push_str(&text);
            }
            _ => lines.push(text),
        }
    }
    lines
}
