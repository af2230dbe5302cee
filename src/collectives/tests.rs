//! Classes of graphs that are made node by node.

use super::classes::{Classes, Label, classes};
use super::graph::{CollectiveGraph, GraphNode, GraphNodeKind};
use crate::multivalued::{CauseId, CauseKind, Causes, CollectiveEvent, HeldValue, Key, Keys};
use crate::program::ir::{FuncId, InstId};
use crate::program::objects::Site;

const SITE: Site = Site {
    func: FuncId(0),
    inst: InstId(0),
};

/// A graph that is made node by node; a node leads to nodes by their numbers.
struct Made {
    graph: CollectiveGraph,
    keys: Keys,
    cause: CauseId,
}

impl Made {
    fn new() -> Made {
        Made {
            graph: CollectiveGraph::default(),
            keys: Keys::default(),
            cause: Causes::default().of(CauseKind::Control, SITE, None),
        }
    }

    fn add(&mut self, kind: GraphNodeKind, succs: &[usize]) -> usize {
        let succs = succs.to_vec();
        self.graph.nodes.push(GraphNode { kind, succs });
        self.graph.nodes.len() - 1
    }

    fn collective(&mut self, name: &str, next: usize) -> usize {
        self.collective_on(name, SITE, None, next)
    }

    fn collective_on(&mut self, name: &str, site: Site, communicator: Option<Key>, next: usize) -> usize {
        let communicator = communicator.map(|key| HeldValue {
            key: self.keys.of(key),
            differs: None,
        });
        let event = CollectiveEvent {
            site,
            name: name.to_owned(),
            step: name.to_owned(),
            communicator,
            of_file: false,
            root: None,
            operator: None,
            within: None,
        };
        self.add(GraphNodeKind::Collective(event), &[next])
    }

    /// Two communicators with all members, made one after the other by calls with these numbers, and used in an order.
    fn two_made(&mut self, calls: [u32; 2], used: [usize; 2], end: usize) -> usize {
        let sites = calls.map(|inst| Site {
            func: FuncId(0),
            inst: InstId(inst),
        });
        let all = self.keys.of(Key::Int(0));
        let last = self.collective_on("Barrier", SITE, Some(Key::SameMembers(sites[used[1]], all)), end);
        let first = self.collective_on("Barrier", SITE, Some(Key::SameMembers(sites[used[0]], all)), last);
        let second = self.collective_on("Dup", sites[1], Some(Key::Int(0)), first);
        self.collective_on("Dup", sites[0], Some(Key::Int(0)), second)
    }

    /// A branch by a condition with a number; it differs or does not.
    fn branch(&mut self, condition: i128, differs: bool, ways: [usize; 2]) -> usize {
        let kind = GraphNodeKind::Branch {
            site: SITE,
            condition: self.keys.of(Key::Int(condition)),
            differs: differs.then_some(self.cause),
            of_callees: false,
        };
        self.add(kind, &ways)
    }

    fn classes(&self) -> Classes {
        let label = |kind: &GraphNodeKind| match kind {
            GraphNodeKind::Collective(event) => Some(Label {
                name: event.name.clone(),
                root: None,
                operator: None,
                communicator: event.communicator.map(|of| of.key),
                place: None,
            }),
            _ => None,
        };
        classes(&self.graph, &label, &self.keys)
    }

    /// Whether the same follows from two nodes.
    fn alike(&self, one: usize, other: usize) -> bool {
        self.classes().apart(&[one, other]).len() == 1
    }
}

#[test]
fn sequences_are_told_apart_by_their_collectives_and_their_length() {
    let mut made = Made::new();
    let end = made.add(GraphNodeKind::End, &[]);
    let [one, other] = [made.collective("Barrier", end), made.collective("Barrier", end)];
    let two = made.collective("Barrier", one);
    let bcast = made.collective("Bcast", end);
    assert!(made.alike(one, other));
    assert!(!made.alike(one, two) && !made.alike(one, bcast) && !made.alike(one, end));
}

#[test]
fn a_branch_whose_ways_are_alike_is_no_place_of_its_own() {
    let mut made = Made::new();
    let end = made.add(GraphNodeKind::End, &[]);
    let [one, other] = [made.collective("Barrier", end), made.collective("Barrier", end)];
    let (branch, by_rank) = (made.branch(1, false, [one, other]), made.branch(2, true, [one, other]));
    assert!(made.alike(branch, one) && made.alike(by_rank, one));
}

#[test]
fn branches_that_all_take_alike_match_by_condition_and_ways() {
    let mut made = Made::new();
    let end = made.add(GraphNodeKind::End, &[]);
    let barrier = made.collective("Barrier", end);
    let here = made.branch(1, false, [barrier, end]);
    let [again, turned] = [[barrier, end], [end, barrier]].map(|ways| made.branch(1, false, ways));
    let another = made.branch(2, false, [barrier, end]);
    assert!(made.alike(here, again));
    assert!(!made.alike(here, turned) && !made.alike(here, another));
}

#[test]
fn a_branch_that_differs_is_like_no_other() {
    let mut made = Made::new();
    let end = made.add(GraphNodeKind::End, &[]);
    let barrier = made.collective("Barrier", end);
    let [one, other] = [1, 1].map(|condition| made.branch(condition, true, [barrier, end]));
    assert!(!made.alike(one, other));
}

#[test]
fn communicators_that_are_made_on_the_way_match_by_how_they_are_used() {
    let mut made = Made::new();
    let end = made.add(GraphNodeKind::End, &[]);
    let [one, alike] = [[1, 2], [3, 4]].map(|calls| made.two_made(calls, [0, 1], end));
    let turned = made.two_made([5, 6], [1, 0], end);
    assert!(made.alike(one, alike));
    assert!(!made.alike(one, turned));
}

#[test]
fn what_ends_the_program_or_never_ends_matches_everything() {
    let mut made = Made::new();
    let end = made.add(GraphNodeKind::End, &[]);
    let dead = made.add(GraphNodeKind::DeadEnd, &[]);
    let barrier = made.collective("Barrier", end);
    let branch = made.branch(1, true, [dead, barrier]);
    let itself = made.graph.nodes.len();
    made.add(GraphNodeKind::Pass, &[itself]);
    let classes = made.classes();
    assert_eq!((classes.of[dead], classes.of[itself]), (None, None));
    assert!(made.alike(branch, barrier));
    assert_eq!(classes.apart(&[dead, itself, barrier, end, barrier]), [barrier, end]);
}

#[test]
fn a_loop_with_one_way_out_is_no_place_whichever_node_comes_first() {
    for last in [false, true] {
        let mut made = Made::new();
        let end = made.add(GraphNodeKind::End, &[]);
        let barrier = made.collective("Barrier", end);
        let behind = |made: &mut Made| made.branch(1, true, [barrier, end]);
        // The numbers of what stands behind the loop, of its condition, and of its body.
        let [out, head, body] = match last {
            false => [2, 3, 4],
            true => [4, 2, 3],
        };
        if !last {
            behind(&mut made);
        }
        made.branch(2, false, [body, out]);
        made.add(GraphNodeKind::Pass, &[head]);
        if last {
            behind(&mut made);
        }
        assert!(made.alike(head, out) && made.alike(body, out), "{last}");
    }
}

#[test]
fn a_loop_with_two_ways_out_is_told_apart_from_either() {
    let mut made = Made::new();
    let end = made.add(GraphNodeKind::End, &[]);
    let barrier = made.collective("Barrier", end);
    let body = 3;
    let head = made.branch(1, false, [body, end]);
    made.branch(2, false, [head, barrier]);
    assert!(!made.alike(head, end) && !made.alike(head, barrier) && !made.alike(body, barrier));
}
