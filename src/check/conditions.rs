//! The conditions of directives (`if(…)`): what a directive does, it does where all of some conditions hold.
//!
//! ```c
//! #pragma omp target data map(tofrom: a[0:n]) if(n > 99)                 // n - 100 >= 0
//! #pragma omp target teams distribute parallel for if(n > 99)            // the condition is the same: either both do something, or neither
//! ```
//!
//! Conditions are told apart by their values, as the rest of the tool does ([`crate::analysis::conditions`]), so that an array is walked once for each
//! way in which they may come out together ([`AssumedOutcomes`]): branches and loops of the program, too, go the way that they have to go then. What a condition
//! says of numbers is a fact in such a walk.
//!
//! **What is not known.** A condition that a loop changes, or of which nobody knows what it asks, is *unclear*: such may have to do with each other, so that they
//! come out all alike, and some way in which they do not is no reason for a warning. What is *sure* has to be so as well where nothing is known of conditions
//! ([`AssumedOutcomes::nothing`]). An unclear condition is no fact, and decides no branch.

use crate::analysis::conditions::read::Conjunct;
use crate::analysis::conditions::reader::{ConditionReader, bare, parts, top_level};
use crate::analysis::movement::scope::NameScope;
use crate::openmp::{ClauseKind, Directive};
use crate::symbolic::{Comparison, Expr, Facts};
use std::cell::RefCell;

/// So many conditions of one array are followed, each by itself: the array is walked for each way in which they come out.
const MOST_CONDITIONS: usize = 4;

/// A condition.
#[derive(Clone, Debug)]
pub struct StepCondition {
    /// The comparison that holds where it does, and nowhere else, if there is one.
    comparison: Option<Comparison>,
    /// Tells conditions apart that are no comparisons.
    number: usize,
    /// The condition may come out in another way each time: a loop changes it, or nobody knows what it asks.
    unclear: bool,
}

impl PartialEq for StepCondition {
    fn eq(&self, other: &StepCondition) -> bool {
        match (&self.comparison, &other.comparison) {
            (Some(a), Some(b)) => a == b,
            (None, None) => self.number == other.number,
            _ => false,
        }
    }
}

impl StepCondition {
    /// The condition that a comparison holds.
    pub fn of(comparison: Comparison) -> StepCondition {
        StepCondition {
            comparison: Some(comparison),
            number: 0,
            unclear: false,
        }
    }

    /// The condition where some loops are around it: each says whether a number changes in it.
    #[must_use]
    pub fn in_loops(self, any: bool, changes: &dyn Fn(&Expr) -> bool) -> StepCondition {
        let changed = self.comparison.as_ref().map_or(any, |c| changes(&c.number));
        StepCondition {
            unclear: self.unclear || changed,
            ..self
        }
    }

    /// The comparison that it is, if it is one.
    pub fn comparison(&self) -> Option<&Comparison> {
        self.comparison.as_ref()
    }

    /// Whether it holds, where that does not depend on anything.
    pub fn known(&self) -> Option<bool> {
        self.comparison.as_ref()?.is_decided()
    }

    /// The condition in other terms: what has no meaning there may come out in another way each time.
    #[must_use]
    pub fn in_terms(&self, there: &dyn Fn(&Comparison) -> Option<Comparison>) -> StepCondition {
        let comparison = self.comparison.as_ref().and_then(there);
        StepCondition {
            unclear: self.unclear || comparison.is_none(),
            comparison,
            ..self.clone()
        }
    }
}

/// The conditions of a program, as they are met.
#[derive(Default)]
pub struct Conditions {
    /// The conditions of the function that is looked at, with their numbers.
    known: RefCell<Vec<(Conjunct, usize)>>,
    next: std::cell::Cell<usize>,
}

impl Conditions {
    /// Forgets what is known of a function's conditions: in the next one the names mean something else.
    pub fn forget(&self) {
        self.known.borrow_mut().clear();
    }

    fn fresh(&self) -> usize {
        self.next.set(self.next.get() + 1);
        self.next.get()
    }

    /// What must hold for a directive to do something.
    pub fn of(&self, directive: &Directive, reader: &ConditionReader<'_>, scope: &NameScope<'_>) -> Vec<StepCondition> {
        let clauses = directive.clauses.iter().filter_map(|clause| match &clause.kind {
            ClauseKind::If { modifier, expr } => Some((modifier.as_deref(), expr)),
            _ => None,
        });
        // Of a combined construct, others say how many threads there are.
        let ours = clauses.filter(|(modifier, _)| modifier.is_none_or(|name| name.trim().starts_with("target")));
        let not_read = || {
            vec![StepCondition {
                comparison: None,
                number: self.fresh(),
                unclear: true,
            }]
        };
        ours.flat_map(|(_, text)| self.read(text, reader, scope).unwrap_or_else(not_read))
            .collect()
    }

    /// What must hold where a condition of the text does, and does not where that does not; `None` where the text is not followed.
    pub fn read(&self, text: &str, reader: &ConditionReader<'_>, scope: &NameScope<'_>) -> Option<Vec<StepCondition>> {
        let mut found = Vec::new();
        for part in parts(text) {
            match negation(part).and_then(|other| self.contrary(&other, reader, scope)) {
                Some(condition) => found.extend((condition.known() != Some(true)).then_some(condition)),
                None => found.extend(self.read_part(part, reader, scope)?),
            }
        }
        Some(found)
    }

    /// The condition that holds where another one does not, if that is one comparison.
    fn contrary(&self, text: &str, reader: &ConditionReader<'_>, scope: &NameScope<'_>) -> Option<StepCondition> {
        let mut each = self.read(text, reader, scope)?;
        let only = each.pop().filter(|_| each.is_empty())?;
        only.comparison()?.negated().map(StepCondition::of)
    }

    fn read_part(&self, text: &str, reader: &ConditionReader<'_>, scope: &NameScope<'_>) -> Option<Vec<StepCondition>> {
        let condition = reader.read(text, scope)?;
        let conjuncts = condition.conjuncts.into_iter().filter(|c| !c.always());
        let of = |conjunct: Conjunct| {
            let mut known = self.known.borrow_mut();
            let comparison = compared(&conjunct);
            let number = match known.iter().find(|(c, _)| *c == conjunct) {
                Some((_, number)) => *number,
                None => {
                    let number = self.fresh();
                    known.push((conjunct, number));
                    number
                }
            };
            StepCondition {
                comparison,
                number,
                unclear: false,
            }
        };
        Some(conjuncts.map(of).collect())
    }
}

/// What `!x` and `a == b` say does not hold.
fn negation(text: &str) -> Option<String> {
    let text = bare(text);
    if let Some(operand) = text.strip_prefix('!') {
        let is_one = top_level(operand).is_empty();
        return is_one.then(|| bare(operand).to_owned());
    }
    let operators = top_level(text);
    let mut compares = operators
        .iter()
        .filter(|(_, op)| !["+", "-", "*", "/", "%"].contains(op));
    match (compares.next(), compares.next()) {
        (Some((at, "==")), None) => Some(format!("{} != {}", &text[..*at], &text[at + 2..])),
        _ => None,
    }
}

/// The comparison that a part of a condition is, if it is one.
fn compared(conjunct: &Conjunct) -> Option<Comparison> {
    match (conjunct.number(), conjunct.positive.as_slice()) {
        (Some(positive), _) => Comparison::at_most(&Expr::constant(1), positive),
        // Of `n != m` one difference or the other is positive.
        (None, [difference, _]) => Comparison::equal(difference, &Expr::zero())?.negated(),
        _ => None,
    }
}

/// What is known of numbers where all of some conditions hold, or where one of them does not; `None` if nothing more is.
pub fn answered(conditions: &[StepCondition], hold: bool, facts: &Facts) -> Option<Facts> {
    let comparisons: Vec<&Comparison> = conditions.iter().filter_map(|c| c.comparison.as_ref()).collect();
    if comparisons.is_empty() || !hold && conditions.len() > 1 {
        return None;
    }
    let mut facts = facts.clone();
    for comparison in comparisons {
        match hold {
            true => comparison.assume(&mut facts),
            false => comparison.negated()?.assume(&mut facts),
        }
    }
    Some(facts)
}

/// How conditions come out in a walk.
#[derive(Clone, Default, Debug)]
pub struct AssumedOutcomes {
    each: Vec<(StepCondition, bool)>,
    /// How all others come out, that directives ask; `None`: it is not known.
    others: Option<bool>,
    /// What then holds of numbers.
    pub facts: Facts,
    known: Vec<Comparison>,
}

impl AssumedOutcomes {
    /// Nothing is known of conditions.
    pub fn nothing() -> AssumedOutcomes {
        AssumedOutcomes::default()
    }

    /// The ways in which the conditions of directives may come out, where branches of the program ask others: each of the first few that are clear by
    /// itself, the others all alike; and those of branches, where it depends on them whether the object is there (`deciding`), or several ask alike. Whether
    /// that is all that there is.
    pub fn ways(
        of_directives: &[StepCondition],
        of_branches: &[StepCondition],
        deciding: &[StepCondition],
    ) -> (Vec<AssumedOutcomes>, bool) {
        let mut open: Vec<&StepCondition> = Vec::new();
        for condition in of_directives.iter().filter(|c| c.known().is_none()) {
            if !open.contains(&condition) {
                open.push(condition);
            }
        }
        let (mut clear, others): (Vec<&StepCondition>, Vec<&StepCondition>) =
            open.into_iter().partition(|c| !c.unclear);
        let left_over = clear.split_off(clear.len().min(MOST_CONDITIONS)).len() + others.len();
        // A branch has something to do with another one, or it is a branch as any other.
        let repeated = |c: &&StepCondition| of_branches.iter().filter(|other| other == c).count() > 1;
        let branches = deciding.iter().chain(of_branches.iter().filter(repeated));
        for branch in branches.filter(|c| !c.unclear && c.known().is_none()) {
            if clear.len() < MOST_CONDITIONS && !clear.contains(&branch) {
                clear.push(branch);
            }
        }
        let mut ways = vec![AssumedOutcomes::nothing()];
        for condition in clear {
            ways = ways
                .iter()
                .flat_map(|way| [true, false].map(|holds| way.with(condition, holds)))
                .flatten()
                .collect();
        }
        let each_way: &[Option<bool>] = if left_over == 0 {
            &[None]
        } else {
            &[Some(true), Some(false)]
        };
        let with = |way: &AssumedOutcomes, others: Option<bool>| AssumedOutcomes { others, ..way.clone() };
        let all = ways
            .iter()
            .flat_map(|way| each_way.iter().map(move |others| with(way, *others)));
        (all.collect(), left_over == 0)
    }

    /// The way on which one more condition comes out so; `None` if it cannot.
    fn with(&self, condition: &StepCondition, holds: bool) -> Option<AssumedOutcomes> {
        let mut way = self.clone();
        if let Some(comparison) = &condition.comparison {
            let said = match holds {
                true => comparison.clone(),
                false => comparison.negated()?,
            };
            if said
                .negated()
                .is_some_and(|impossible| impossible.holds(&self.facts, &self.known))
            {
                return None;
            }
            said.assume(&mut way.facts);
            way.known.push(said);
        }
        way.each.push((condition.clone(), holds));
        Some(way)
    }

    /// Whether all of some conditions hold, if that is known.
    pub fn holds(&self, conditions: &[StepCondition]) -> Option<bool> {
        let holds = |c: &StepCondition| {
            let assumed = || self.each.iter().find(|(known, _)| known == c).map(|(_, holds)| *holds);
            c.known()
                .or_else(|| assumed().filter(|_| !c.unclear))
                .or_else(|| self.follows(c))
        };
        let each: Vec<Option<bool>> = conditions.iter().map(holds).collect();
        match each.contains(&Some(false)) {
            true => Some(false),
            false => each.iter().all(Option::is_some).then_some(true),
        }
    }

    /// Whether all of the conditions of a directive hold, if that is known.
    pub fn directive_holds(&self, conditions: &[StepCondition]) -> Option<bool> {
        self.holds(conditions).or(self.others)
    }

    /// Whether a condition holds or not by what is known of numbers.
    fn follows(&self, condition: &StepCondition) -> Option<bool> {
        let comparison = condition
            .comparison
            .as_ref()
            .filter(|_| !condition.unclear && !self.each.is_empty())?;
        comparison.decided_by(&self.facts, &self.known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbolic::{Relation, Sym};

    fn positive(symbol: u32, less: i128) -> StepCondition {
        let number = Expr::sym(Sym(symbol)).offset(-less - 1).expect("a number");
        StepCondition::of(Comparison {
            number,
            relation: Relation::NotNegative,
        })
    }

    fn other(number: usize) -> StepCondition {
        StepCondition {
            comparison: None,
            number,
            unclear: true,
        }
    }

    fn came_out(ways: &[AssumedOutcomes], conditions: &[StepCondition]) -> Vec<Vec<Option<bool>>> {
        let of = |way: &AssumedOutcomes| {
            conditions
                .iter()
                .map(|c| way.directive_holds(std::slice::from_ref(c)))
                .collect()
        };
        ways.iter().map(of).collect()
    }

    #[test]
    fn what_is_denied_is_read_as_what_it_denies() {
        assert_eq!(negation("!skip").as_deref(), Some("skip"));
        assert_eq!(negation("(!(n > 3))").as_deref(), Some("n > 3"));
        assert_eq!(negation("n % 2 == 1").as_deref(), Some("n % 2  !=  1"));
        assert_eq!(negation("!a + b"), None);
        assert_eq!(negation("n == m == k"), None);
    }

    const YES: Option<bool> = Some(true);
    const NO: Option<bool> = Some(false);

    #[test]
    fn each_way_in_which_conditions_come_out() {
        let never = Comparison::less(&Expr::zero(), &Expr::zero())
            .map(StepCondition::of)
            .expect("a number");
        let (n, opaque) = (positive(0, 0), other(7));
        let all = [n.clone(), opaque.clone(), never];
        let (ways, complete) = AssumedOutcomes::ways(&all, &[], &[]);
        assert!(!complete);
        assert_eq!(
            came_out(&ways, &all),
            [[YES, YES, NO], [YES, NO, NO], [NO, YES, NO], [NO, NO, NO]]
        );
        assert_eq!(ways[0].directive_holds(&[n, all[2].clone()]), NO);
    }

    #[test]
    fn conditions_that_exclude_each_other_do_not_hold_together() {
        let (some, many) = (positive(0, 0), positive(0, 9));
        let (ways, _) = AssumedOutcomes::ways(&[some.clone(), many.clone()], &[], &[]);
        assert_eq!(came_out(&ways, &[some, many]), [[YES, YES], [YES, NO], [NO, NO]]);
    }

    #[test]
    fn what_is_unclear_comes_out_alike() {
        let (a, b) = (other(1), other(2));
        let (ways, complete) = AssumedOutcomes::ways(&[a.clone(), b.clone()], &[], &[]);
        assert!(!complete);
        assert_eq!(came_out(&ways, &[a.clone(), b]), [[YES, YES], [NO, NO]]);
        assert_eq!(AssumedOutcomes::nothing().directive_holds(&[a]), None);
    }

    #[test]
    fn branches_that_decide_are_walked_both_ways() {
        let n = positive(0, 0);
        let (ways, complete) = AssumedOutcomes::ways(&[], std::slice::from_ref(&n), std::slice::from_ref(&n));
        assert!(complete);
        assert_eq!(came_out(&ways, &[n]), [[YES], [NO]]);
    }

    #[test]
    fn branches_that_ask_again_go_one_way() {
        let (n, m) = (positive(0, 0), positive(1, 0));
        let (ways, _) = AssumedOutcomes::ways(&[], &[n.clone(), m.clone(), n.clone()], &[]);
        assert_eq!(ways.len(), 2);
        assert_eq!(
            (ways[0].holds(std::slice::from_ref(&n)), ways[0].holds(&[m])),
            (YES, None)
        );
        let changing = n.in_loops(true, &|_| true);
        assert_eq!(ways[0].holds(&[changing]), None);
    }
}
