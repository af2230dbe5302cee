//! Parts of an object that are on the device each by itself, with a count and a copy of its own.
//!
//! ```c
//! #pragma omp target enter data map(to: a[0:h]) map(to: a[h:n-h])     // two parts
//! #pragma omp target … map(tofrom: a[h:n-h])                          // has to do with the second
//! #pragma omp target exit data map(from: a[0:h])                      // brings the first, and ends it
//! ```
//!
//! List items that map sections which surely share no element belong to different parts; the object is walked once for each part, with the list items of that part
//! and the kernels that use it. Items that end or update nothing that is mapped are walked with each. What the host does is walked each time: of elements of other parts nothing is stale there.
//!
//! **Limits.** Sections that a loop changes, or of which nobody knows whether they share elements, are one part: of such objects [`super::mapping_state`] knows
//! nothing once a second part is mapped. A kernel that names no part is one of that which has all that it uses; where no part has, nothing is said from there
//! on.

use super::steps::{Step, StepAction, StepGraph, StepNode, Used};
use crate::openmp::map::Moment;
use crate::symbolic::{Facts, Section};
use std::sync::Arc;

/// So many parts of one object are followed.
const MOST_PARTS: usize = 8;

/// What the list items of one part name.
#[derive(Clone, PartialEq, Debug)]
struct Part(Vec<Section>);

/// What list items name of an object.
#[derive(Default)]
struct NamedSections {
    all: Vec<Section>,
    /// What is mapped where a region or unstructured data begins, but for what has a negative length: there no program comes.
    mapped: Vec<Section>,
    /// No length is negative of what is mapped whenever the program comes to its end.
    facts: Facts,
}

/// The parts of an object.
struct Parts {
    facts: Facts,
    all: Vec<Part>,
}

/// Whether two sections surely share no element; of one without elements counts where it begins.
fn are_apart(facts: &Facts, a: &Section, b: &Section) -> bool {
    match (a.lo == a.hi, b.lo == b.hi) {
        (true, _) => facts.prove_lt(&a.lo, &b.lo) || facts.prove_le(&b.hi, &a.lo) && b.lo != b.hi,
        (false, true) => are_apart(facts, b, a),
        (false, false) => facts.prove_le(&a.hi, &b.lo) || facts.prove_le(&b.hi, &a.lo),
    }
}

impl Part {
    fn meets(&self, section: &Section, facts: &Facts) -> bool {
        self.0.iter().any(|own| !are_apart(facts, own, section))
    }

    /// Whether one section has all that is used without further conditions, if anything is.
    fn holds(&self, used: &Used) -> bool {
        let facts = Facts::new();
        let is_in = |s: &Section| {
            let has = |own: &Section| facts.prove_le(&own.lo, &s.lo) && facts.prove_le(&s.hi, &own.hi);
            self.0.iter().any(has)
        };
        !used.each.is_empty() && used.each.iter().all(|each| is_in(&each.section))
    }
}

impl StepGraph {
    /// The graph of each part of its object; the graph itself where there is one. `varies`: whether some loop changes a section.
    pub fn parts(self: &Arc<StepGraph>, varies: &dyn Fn(&Section) -> bool) -> Vec<Arc<StepGraph>> {
        let mut named = NamedSections::default();
        let whole = || vec![Arc::clone(self)];
        if self.add_sections(&mut named).is_none() || named.all.iter().any(varies) {
            return whole();
        }
        if named.mapped.len() < 2 {
            return whole();
        }
        named.facts = self.with_lengths(&named.facts).unwrap_or_default();
        let parts = Parts::new(named);
        if !(2..=MOST_PARTS).contains(&parts.all.len()) {
            return whole();
        }
        (0..parts.all.len())
            .map(|at| Arc::new(self.of_part(&parts, at)))
            .collect()
    }

    /// Adds the sections of all list items; `None` where one is not known.
    fn add_sections(&self, found: &mut NamedSections) -> Option<()> {
        for step in self.nodes.iter().flat_map(|node| &node.steps) {
            match &step.action {
                StepAction::Call(graphs) => graphs.iter().try_for_each(|graph| graph.add_sections(found))?,
                StepAction::Map { request, section, .. } => {
                    let section = section.as_ref()?;
                    let is_length = !Facts::new().prove_lt(&section.hi, &section.lo);
                    let maps = is_length && request.begins();
                    let lists = [Some(&mut found.all), maps.then_some(&mut found.mapped)];
                    for list in lists.into_iter().flatten().filter(|list| !list.contains(section)) {
                        list.push(section.clone());
                    }
                }
                _ => {}
            }
        }
        Some(())
    }

    fn of_part(&self, parts: &Parts, at: usize) -> StepGraph {
        let node = |node: &StepNode| {
            let kernel = parts.of_kernel(node);
            let step = |step: &Step| {
                let action = match &step.action {
                    StepAction::Call(graphs) => {
                        StepAction::Call(graphs.iter().map(|g| Arc::new(g.of_part(parts, at))).collect())
                    }
                    StepAction::Map { section, .. } => {
                        let meets = |part: &Part| {
                            section
                                .as_ref()
                                .is_some_and(|section| part.meets(section, &parts.facts))
                        };
                        let is_ours = meets(&parts.all[at]) || !parts.all.iter().any(meets);
                        is_ours.then(|| step.action.clone())?
                    }
                    StepAction::KernelRead(_) | StepAction::KernelWrite(_) => match kernel {
                        Some(part) if part == at => step.action.clone(),
                        Some(_) => return None,
                        None => StepAction::Unknown,
                    },
                    other => other.clone(),
                };
                Some(Step { action, ..step.clone() })
            };
            StepNode {
                steps: node.steps.iter().filter_map(step).collect(),
                ..node.clone()
            }
        };
        StepGraph {
            nodes: self.nodes.iter().map(node).collect(),
        }
    }
}

impl Parts {
    /// Sections as parts: those of two parts are all apart.
    fn new(named: NamedSections) -> Parts {
        let NamedSections { mapped, facts, .. } = named;
        let mut all: Vec<Part> = Vec::new();
        for section in mapped {
            let (met, others): (Vec<Part>, Vec<Part>) = all.into_iter().partition(|part| part.meets(&section, &facts));
            let joined = met.into_iter().flat_map(|part| part.0).chain([section]);
            all = others;
            all.push(Part(joined.collect()));
        }
        Parts { facts, all }
    }

    /// The part that the kernel of a node uses, if that is one: the one that its list items name and nothing of another one, or else the one that has all that it uses.
    fn of_kernel(&self, node: &StepNode) -> Option<usize> {
        let only = |is_it: &dyn Fn(&Part) -> bool| {
            let mut found = (0..self.all.len()).filter(|at| is_it(&self.all[*at]));
            found.next().filter(|_| found.next().is_none())
        };
        let named: Vec<&Section> = node.steps.iter().filter_map(entered).collect();
        let uses: Vec<&Used> = node.steps.iter().filter_map(used).collect();
        if named.is_empty() {
            return only(&|part| uses.iter().all(|used| part.holds(used)));
        }
        let part = only(&|part| named.iter().any(|section| part.meets(section, &self.facts)))?;
        // What another part has the kernel may use by another name.
        let others = self.all.iter().enumerate().filter(|(at, _)| *at != part);
        let mut used = uses
            .iter()
            .flat_map(|used| used.each.iter().map(|each| &each.section).chain(used.must.sections()));
        let is_of_another = used.any(|section| others.clone().any(|(_, other)| other.meets(section, &self.facts)));
        (!is_of_another).then_some(part)
    }
}

/// What a list item names.
fn named(step: &Step) -> Option<&Section> {
    match &step.action {
        StepAction::Map { section, .. } => section.as_ref(),
        _ => None,
    }
}

/// What a list item of a kernel names where the kernel begins.
fn entered(step: &Step) -> Option<&Section> {
    match &step.action {
        StepAction::Map { request, .. } if request.moment == Moment::RegionEntry => named(step),
        _ => None,
    }
}

fn used(step: &Step) -> Option<&Used> {
    match &step.action {
        StepAction::KernelRead(used) | StepAction::KernelWrite(used) => Some(used),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::access::SectionInLoops;
    use crate::check::conditions::StepCondition;
    use crate::check::stale::StepId;
    use crate::check::step_device::StepDevice;
    use crate::check::steps::StepEdge;
    use crate::openmp::MapType;
    use crate::openmp::map::MapRequest;
    use crate::symbolic::{Comparison, Expr, SectionSet, Sym};

    fn section(lo: i128, hi: &Expr) -> Section {
        Section::new(Expr::constant(lo), hi.clone())
    }

    fn step(id: u32, action: StepAction) -> Step {
        Step {
            id: StepId(id),
            when: Vec::new(),
            device: StepDevice::Default,
            action,
        }
    }

    fn mapped(id: u32, section: &Section) -> Step {
        let action = StepAction::Map {
            request: MapRequest::new(Moment::EnterData, MapType::To),
            section: Some(section.clone()),
            opened: None,
        };
        step(id, action)
    }

    fn kernel(id: u32, section: &Section) -> Step {
        let set = SectionSet::Union(vec![section.clone()]);
        let used = Used {
            may: set.clone(),
            must: set.clone(),
            each: set.sections().iter().cloned().map(SectionInLoops::always).collect(),
            ..Used::default()
        };
        step(id, StepAction::KernelRead(used))
    }

    /// The steps of each part, by their numbers.
    fn parts(steps: Vec<Vec<Step>>, varies: bool) -> Vec<Vec<u32>> {
        let mut graph = StepGraph::nothing();
        let count = steps.len();
        graph.nodes[StepGraph::ENTRY].succs = vec![StepEdge::to(StepGraph::EXIT + 1)];
        let node = |(at, steps)| StepNode {
            steps,
            succs: vec![StepEdge::to(if at + 1 < count {
                StepGraph::EXIT + 2 + at
            } else {
                StepGraph::EXIT
            })],
            ..StepNode::default()
        };
        graph.nodes.extend(steps.into_iter().enumerate().map(node));
        let numbers = |graph: Arc<StepGraph>| {
            let steps = graph.nodes.iter().flat_map(|node| &node.steps);
            steps.map(|s| s.id.0).collect::<Vec<u32>>()
        };
        Arc::new(graph).parts(&|_| varies).into_iter().map(numbers).collect()
    }

    #[test]
    fn each_part_has_its_kernels() {
        let (n, m) = (Expr::sym(Sym(0)), Expr::sym(Sym(1)));
        let (low, high) = (section(0, &n), Section::new(n.clone(), m.clone()));
        let steps = || vec![vec![mapped(1, &low), mapped(2, &high)], vec![kernel(3, &high)]];
        assert_eq!(parts(steps(), false), [vec![1], vec![2, 3]]);
        assert_eq!(parts(steps(), true), [vec![1, 2, 3]]);
    }

    #[test]
    fn what_is_only_updated_is_no_part() {
        let (low, high) = (section(0, &Expr::constant(10)), section(10, &Expr::constant(20)));
        let StepAction::Map { section, .. } = mapped(2, &high).action else {
            unreachable!("a list item");
        };
        let request = MapRequest::new(Moment::UpdateFrom, MapType::From);
        let update = StepAction::Map {
            request,
            section,
            opened: None,
        };
        let steps = vec![vec![mapped(1, &low), step(2, update)]];
        assert_eq!(parts(steps, false), [vec![1, 2]]);
    }

    #[test]
    fn what_has_a_negative_length_is_no_part() {
        let (all, none) = (section(0, &Expr::constant(10)), section(0, &Expr::constant(-3)));
        let steps = vec![vec![mapped(1, &all)], vec![mapped(2, &none)]];
        assert_eq!(parts(steps, false), [vec![1, 2]]);
    }

    #[test]
    fn half_of_a_part_is_of_that_part() {
        let (h, n) = (Expr::sym(Sym(0)), Expr::sym(Sym(1)));
        let (low, high) = (section(0, &h), Section::new(h.clone(), n));
        let half = section(0, &h.div(&Expr::constant(2)).expect("no zero"));
        let steps = vec![vec![mapped(1, &low), mapped(2, &high), mapped(3, &half)]];
        assert_eq!(parts(steps, false), [vec![2], vec![1, 3]]);
        // Where nobody knows whether the program comes by, nobody knows that there are elements.
        let mut on_condition = mapped(1, &low);
        let asked = Comparison::less(&Expr::zero(), &h).expect("one way or the other");
        on_condition.when = vec![StepCondition::of(asked)];
        let steps = vec![vec![on_condition, mapped(2, &high), mapped(3, &half)]];
        assert_eq!(parts(steps, false), [vec![1, 2, 3]]);
    }

    #[test]
    fn what_may_share_elements_is_one_part() {
        let (n, m) = (Expr::sym(Sym(0)), Expr::sym(Sym(1)));
        let steps = vec![vec![mapped(1, &section(0, &n)), mapped(2, &section(0, &m))]];
        assert_eq!(parts(steps, false), [vec![1, 2]]);
        let (empty, ten) = (section(0, &Expr::zero()), section(0, &Expr::constant(10)));
        let facts = Facts::new();
        assert!(!are_apart(&facts, &empty, &ten) && are_apart(&facts, &ten, &section(10, &Expr::constant(12))));
    }

    #[test]
    fn a_kernel_that_uses_two_parts_is_not_followed() {
        let (ten, all) = (Expr::constant(10), Expr::constant(20));
        let low = section(0, &ten);
        let steps = vec![
            vec![mapped(1, &low), mapped(2, &Section::new(ten, all.clone()))],
            vec![kernel(3, &section(5, &all))],
        ];
        // Whoever walks a part comes to a step of which nothing is known.
        assert_eq!(parts(steps, false), [vec![1, 3], vec![2, 3]]);
    }
}
