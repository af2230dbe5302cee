use super::*;
use crate::analysis::access::SectionInLoops;
use crate::check::array_walks::Violation;
use crate::check::stale::{Loss, NewestValue};
use crate::check::step_device::StepDevice;
use crate::check::steps::{StepAction, Used};
use crate::check::steps::{StepEdge, StepNode};
use crate::openmp::MapType::{self, Alloc, From, Release, To, Tofrom};
use crate::openmp::map::{MapRequest, Moment, Semantics};
use crate::symbolic::{Expr, Facts};
use std::sync::Arc;

fn section(lo: i128, hi: i128) -> Section {
    Section::new(Expr::constant(lo), Expr::constant(hi))
}

fn used(lo: i128, hi: i128) -> Used {
    let set = SectionSet::Union(vec![section(lo, hi)]);
    Used {
        may: set.clone(),
        must: set.clone(),
        each: set.sections().iter().cloned().map(SectionInLoops::always).collect(),
        anywhere: false,
        unconditional: true,
        by_other_callers: false,
    }
}

fn map(moment: Moment, map_type: MapType, lo: i128, hi: i128) -> StepAction {
    StepAction::Map {
        request: MapRequest::new(moment, map_type),
        section: Some(section(lo, hi)),
        opened: None,
    }
}

/// No loop has an index.
struct Plain;

impl LoopEffects for Plain {
    fn closed(&self, _: usize, _: usize) -> Option<usize> {
        None
    }
    fn widened(&self, set: &SectionSet, _: usize) -> SectionSet {
        set.clone()
    }
    fn varies(&self, _: &Section, _: usize) -> bool {
        false
    }
}

/// A graph with these edges, whose nodes have these actions; the first node is the entry, the second the exit.
fn graph(edges: &[(usize, usize)], actions: &[(usize, StepAction)]) -> StepGraph {
    let count = edges.iter().map(|(a, b)| a.max(b)).max().map_or(0, |last| last + 1);
    let mut nodes = vec![StepNode::default(); count];
    for (from, to) in edges {
        nodes[*from].succs.push(StepEdge::to(*to));
    }
    for ((node, action), id) in actions.iter().zip(0..) {
        let action = action.clone();
        nodes[*node].steps.push(Step {
            id: StepId(id),
            when: Vec::new(),
            device: StepDevice::Default,
            action,
        });
    }
    StepGraph { nodes }
}

/// What is wrong on a graph whose nodes have these actions.
fn wrong_on(edges: &[(usize, usize)], actions: &[(usize, StepAction)]) -> Vec<Violation> {
    let facts = Facts::new();
    let walk = StepWalk {
        graph: &graph(edges, actions),
        loops: &Plain,
        judge: Judge {
            semantics: Semantics::default(),
            facts: &facts,
            extent: None,
            strict: false,
        },
        assumed: &AssumedOutcomes::default(),
        idle: true,
        budget: &Cell::new(10_000),
        observed: &RefCell::default(),
    };
    walk.walked(MappingState::absent())
        .expect("states that settle")
        .met
        .iter()
        .map(Violation::from)
        .collect()
}

/// What is wrong with actions one after the other.
fn wrong(actions: &[StepAction]) -> Vec<Violation> {
    let actions: Vec<(usize, StepAction)> = actions.iter().map(|a| (0, a.clone())).collect();
    wrong_on(&[(0, 1)], &actions)
}

/// A kernel with a map of its own.
fn kernel(map_type: MapType, read: Option<(i128, i128)>, written: (i128, i128)) -> Vec<StepAction> {
    let mut actions = vec![map(Moment::RegionEntry, map_type, 0, 10)];
    actions.extend(read.map(|(lo, hi)| StepAction::KernelRead(used(lo, hi))));
    actions.push(StepAction::KernelWrite(used(written.0, written.1)));
    actions.push(map(Moment::RegionExit, map_type, 0, 10));
    actions
}

fn host_reads(lo: i128, hi: i128) -> Vec<StepAction> {
    vec![StepAction::HostRead(used(lo, hi))]
}

/// The only violation, which is sure.
fn only(found: &[Violation]) -> &MappingProblem {
    assert_eq!(found.len(), 1, "{found:?}");
    let (MappingProblem::HostReads(read) | MappingProblem::KernelReads(read)) = &found[0].problem else {
        return &found[0].problem;
    };
    assert!(read.surely, "{found:?}");
    &found[0].problem
}

#[test]
fn a_kernel_with_tofrom_is_right() {
    let actions = [kernel(Tofrom, Some((0, 10)), (0, 10)), host_reads(0, 10)].concat();
    assert_eq!(wrong(&actions), []);
}

#[test]
fn results_of_to_are_lost() {
    let actions = [kernel(To, Some((0, 10)), (2, 4)), host_reads(0, 10)].concat();
    let found = wrong(&actions);
    let MappingProblem::HostReads(read) = only(&found) else {
        panic!("{found:?}")
    };
    assert!(matches!(read.cause.newest, NewestValue::WrittenOnDevice(_)));
    assert!(matches!(read.cause.lost, Some(Loss::Freed(_))));
    let beside = [kernel(To, Some((0, 10)), (2, 4)), host_reads(5, 10)].concat();
    assert_eq!(wrong(&beside), []);
}

#[test]
fn what_is_not_copied_in_is_missing() {
    let actions = [kernel(From, Some((3, 4)), (0, 10)), host_reads(0, 10)].concat();
    let found = wrong(&actions);
    let MappingProblem::KernelReads(read) = only(&found) else {
        panic!("{found:?}")
    };
    assert!(matches!(read.cause.newest, NewestValue::NeverCopied(_)));
}

#[test]
fn what_was_never_written_comes_back_as_garbage() {
    let actions = [kernel(From, None, (1, 10)), host_reads(0, 1)].concat();
    let found = wrong(&actions);
    let MappingProblem::HostReads(read) = only(&found) else {
        panic!("{found:?}")
    };
    assert!(matches!(read.cause.lost, Some(Loss::Garbage(_))));
    let all = [kernel(From, None, (0, 10)), host_reads(0, 10)].concat();
    assert_eq!(wrong(&all), []);
}

#[test]
fn an_outer_map_keeps_inner_ones_from_copying() {
    let outer = map(Moment::EnterData, To, 0, 10);
    let stale = [
        vec![outer.clone()],
        kernel(Tofrom, Some((0, 10)), (0, 10)),
        host_reads(0, 1),
    ]
    .concat();
    assert!(matches!(only(&wrong(&stale)), MappingProblem::HostReads(_)));
    let update = map(Moment::UpdateFrom, Tofrom, 0, 10);
    let updated = [
        vec![outer],
        kernel(Tofrom, Some((0, 10)), (0, 10)),
        vec![update],
        host_reads(0, 10),
    ]
    .concat();
    assert_eq!(wrong(&updated), []);
}

#[test]
fn host_writes_have_to_be_copied_again() {
    let outer = map(Moment::EnterData, To, 0, 10);
    let written = StepAction::HostWrite(used(4, 5));
    let kernels = kernel(Tofrom, Some((0, 10)), (0, 10));
    let stale = [vec![outer.clone(), written.clone()], kernels.clone()].concat();
    let found = wrong(&stale);
    assert!(matches!(only(&found), MappingProblem::KernelReads(_)), "{found:?}");
    let update = map(Moment::UpdateTo, Tofrom, 4, 5);
    assert_eq!(
        wrong(&[vec![outer.clone(), written.clone(), update], kernels.clone()].concat()),
        []
    );
    let beside = map(Moment::UpdateTo, Tofrom, 5, 6);
    assert_eq!(wrong(&[vec![outer, written, beside], kernels].concat()).len(), 1);
}

#[test]
fn copies_overwrite_what_is_newer() {
    let actions = [
        vec![map(Moment::EnterData, To, 0, 10), StepAction::HostWrite(used(0, 1))],
        vec![map(Moment::UpdateFrom, Tofrom, 0, 10)],
        host_reads(0, 1),
    ]
    .concat();
    let found = wrong(&actions);
    let MappingProblem::HostReads(read) = only(&found) else {
        panic!("{found:?}")
    };
    assert!(matches!(read.cause.lost, Some(Loss::Overwritten(_))));
}

#[test]
fn released_early_is_lost_and_nothing_is_there() {
    let actions = [
        vec![map(Moment::EnterData, To, 0, 10)],
        kernel(Tofrom, None, (0, 10)),
        vec![
            map(Moment::ExitData, Release, 0, 10),
            map(Moment::UpdateFrom, Tofrom, 0, 10),
        ],
        host_reads(0, 1),
    ]
    .concat();
    let found = wrong(&actions);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(found[0].problem, MappingProblem::NothingThere);
    let nested = [
        vec![map(Moment::EnterData, To, 0, 10), map(Moment::EnterData, Alloc, 0, 10)],
        kernel(Tofrom, None, (0, 10)),
        vec![
            map(Moment::ExitData, Release, 0, 10),
            map(Moment::ExitData, From, 0, 10),
        ],
        host_reads(0, 10),
    ]
    .concat();
    assert_eq!(wrong(&nested), []);
}

#[test]
fn kernels_stay_in_what_is_mapped() {
    let outer = map(Moment::EnterData, To, 0, 8);
    let found = wrong(&[outer, StepAction::KernelRead(used(2, 9))]);
    assert_eq!(only(&found), &MappingProblem::OutsideOfMapped { surely: true });
}

#[test]
fn what_happens_on_one_way_only_is_not_sure() {
    // 0 ─► 2 ─► 3 ─► 1, 2 ─► 3 by 4, where the device copy is updated.
    let edges = [(0, 2), (2, 3), (2, 4), (4, 3), (3, 1)];
    let before: Vec<StepAction> = [vec![map(Moment::EnterData, To, 0, 10)], kernel(Tofrom, None, (0, 10))].concat();
    let mut actions: Vec<(usize, StepAction)> = before.into_iter().map(|a| (2, a)).collect();
    actions.push((4, map(Moment::UpdateFrom, Tofrom, 0, 10)));
    actions.push((3, StepAction::HostRead(used(0, 1))));
    let found = wrong_on(&edges, &actions);
    let [
        Violation {
            problem: MappingProblem::HostReads(read),
            ..
        },
    ] = found.as_slice()
    else {
        panic!("{found:?}")
    };
    assert!(!read.surely);
}

#[test]
fn what_nobody_knows_is_not_reported() {
    let actions = [
        vec![map(Moment::EnterData, To, 0, 10)],
        kernel(Tofrom, None, (0, 10)),
        vec![StepAction::Unknown],
        host_reads(0, 10),
    ]
    .concat();
    assert_eq!(wrong(&actions), []);
}

#[test]
fn calls_are_walked_where_they_stand() {
    // What is called writes on the device and copies nothing back; one of two functions does.
    let mut writes = StepGraph::nothing();
    writes.nodes[0].steps = vec![Step {
        id: StepId(7),
        when: Vec::new(),
        device: StepDevice::Default,
        action: StepAction::KernelWrite(used(0, 10)),
    }];
    let (writes, nothing) = (Arc::new(writes), Arc::new(StepGraph::nothing()));
    let enter = map(Moment::EnterData, To, 0, 10);
    let calls = |graphs: &[&Arc<StepGraph>]| StepAction::Call(graphs.iter().map(|g| Arc::clone(g)).collect());
    let surely = [vec![enter.clone(), calls(&[&writes])], host_reads(0, 1)].concat();
    assert!(matches!(only(&wrong(&surely)), MappingProblem::HostReads(_)));
    let perhaps = [vec![enter, calls(&[&writes, &nothing])], host_reads(0, 1)].concat();
    let found = wrong(&perhaps);
    let [
        Violation {
            problem: MappingProblem::HostReads(read),
            ..
        },
    ] = found.as_slice()
    else {
        panic!("{found:?}")
    };
    assert!(!read.surely);
    let unmapped = wrong(&[calls(&[&writes])]);
    assert_eq!((unmapped.len(), unmapped[0].at), (1, StepId(7)));
}
