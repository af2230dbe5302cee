//! Tests of the engine as a whole: which values reach which points, in both directions and on awkward graphs.

use super::*;
use fixedbitset::FixedBitSet;
use proptest::prelude::*;
use std::marker::PhantomData;

/// Gives every point a state of its own: node `n` adds bit `n`, the boundary of `n` bit `count + n`, and the edge
/// between `a` and `b` bit `2 * count + a * count + b`. A value then tells exactly what has flowed into it.
struct Trace<D> {
    count: usize,
    direction: PhantomData<D>,
}

impl<D> Trace<D> {
    fn new(count: usize) -> Trace<D> {
        Trace {
            count,
            direction: PhantomData,
        }
    }

    fn bits(&self, nodes: &[Node], boundaries: &[Node], edges: &[(Node, Node)]) -> FixedBitSet {
        let mut set = self.empty();
        set.extend(nodes.iter().copied());
        set.extend(boundaries.iter().map(|n| self.count + n));
        set.extend(edges.iter().map(|(a, b)| self.edge_bit(*a, *b)));
        set
    }

    fn edge_bit(&self, from: Node, to: Node) -> usize {
        2 * self.count + from * self.count + to
    }

    fn empty(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(2 * self.count + self.count * self.count)
    }
}

impl<D: Direction> Analysis for Trace<D> {
    type Domain = FixedBitSet;
    type Direction = D;

    fn bottom(&self) -> FixedBitSet {
        self.empty()
    }

    fn boundary(&self, node: Node) -> FixedBitSet {
        self.bits(&[], &[node], &[])
    }

    fn transfer(&self, node: Node, state: &mut FixedBitSet) {
        state.insert(node);
    }

    fn edge(&self, from: Node, to: Node, state: &mut FixedBitSet) {
        state.insert(self.edge_bit(from, to));
    }
}

#[test]
fn forward_values_tell_the_past() {
    let graph = ListGraph::new(4, 0, &[(0, 1), (0, 2), (1, 3), (2, 3)]);
    let trace = Trace::<Forward>::new(4);
    let results = solve(&graph, &trace).unwrap();
    assert_eq!(*results.before(0), trace.bits(&[], &[0], &[]));
    assert_eq!(*results.after(1), trace.bits(&[0, 1], &[0], &[(0, 1)]));
    assert_eq!(
        *results.before(3),
        trace.bits(&[0, 1, 2], &[0], &[(0, 1), (0, 2), (1, 3), (2, 3)])
    );
    let mut cursor = results.cursor(&trace);
    assert_eq!(cursor.get(), results.before(0));
    assert_eq!(*cursor.seek_edge(1, 3), trace.bits(&[0, 1], &[0], &[(0, 1), (1, 3)]));
    assert_eq!(cursor.seek_before(2), results.before(2));
    assert_eq!(cursor.seek_after(2), results.after(2));
}

#[test]
fn backward_values_tell_the_future() {
    let graph = ListGraph::new(4, 0, &[(0, 1), (0, 2), (1, 3)]);
    let trace = Trace::<Backward>::new(4);
    let results = solve(&graph, &trace).unwrap();
    assert_eq!(*results.after(2), trace.bits(&[], &[2], &[]));
    assert_eq!(*results.before(1), trace.bits(&[1, 3], &[3], &[(1, 3)]));
    assert_eq!(
        *results.before(0),
        trace.bits(&[0, 1, 2, 3], &[2, 3], &[(0, 1), (0, 2), (1, 3)])
    );
    assert_eq!(
        *results.cursor(&trace).seek_edge(0, 2),
        trace.bits(&[2], &[2], &[(0, 2)])
    );
}

#[test]
fn an_irreducible_loop_is_entered_from_both_sides() {
    // 1 and 2 form a loop with two entries.
    let graph = ListGraph::new(4, 0, &[(0, 1), (0, 2), (1, 2), (2, 1), (2, 3)]);
    let trace = Trace::<Forward>::new(4);
    let results = solve(&graph, &trace).unwrap();
    let around = [(0, 1), (0, 2), (1, 2), (2, 1)];
    assert_eq!(*results.before(1), trace.bits(&[0, 1, 2], &[0], &around));
    assert_eq!(*results.before(2), trace.bits(&[0, 1, 2], &[0], &around));
}

#[test]
fn dead_code_does_not_flow_into_live_code() {
    let graph = ListGraph::new(3, 0, &[(0, 2), (1, 2)]);
    let trace = Trace::<Forward>::new(3);
    let results = solve(&graph, &trace).unwrap();
    assert_eq!(*results.before(2), trace.bits(&[0], &[0], &[(0, 2)]));
    assert!(results.after(1).is_clear());
}

#[test]
fn an_endless_loop_has_a_future() {
    let graph = ListGraph::new(3, 0, &[(0, 1), (1, 2), (2, 1)]);
    let trace = Trace::<Backward>::new(3);
    let results = solve(&graph, &trace).unwrap();
    assert_eq!(
        *results.before(0),
        trace.bits(&[0, 1, 2], &[], &[(0, 1), (1, 2), (2, 1)])
    );
}

/// "Node `n` lies on every path from the entry", with unreached code as `None`.
struct Dominators;

impl Analysis for Dominators {
    type Domain = Option<Dual<FixedBitSet>>;
    type Direction = Forward;

    fn bottom(&self) -> Self::Domain {
        None
    }

    fn boundary(&self, _node: Node) -> Self::Domain {
        Some(Dual(FixedBitSet::with_capacity(8)))
    }

    fn transfer(&self, node: Node, state: &mut Self::Domain) {
        if let Some(Dual(set)) = state {
            set.insert(node);
        }
    }
}

#[test]
fn a_must_analysis_runs_on_the_same_engine() {
    let graph = ListGraph::new(6, 0, &[(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (4, 1), (5, 4)]);
    let results = solve(&graph, &Dominators).unwrap();
    let dominators = |node| {
        results
            .after(node)
            .as_ref()
            .map(|Dual(set)| set.ones().collect::<Vec<_>>())
    };
    assert_eq!(dominators(4), Some(vec![0, 1, 4]));
    assert_eq!(dominators(2), Some(vec![0, 1, 2]));
    assert_eq!(dominators(5), None);
}

/// Counts round a loop: an infinite chain, unless widened.
#[derive(Clone, PartialEq, Debug)]
struct Count(u64);

impl JoinSemiLattice for Count {
    fn join(&mut self, other: &Count) -> bool {
        let before = std::mem::replace(self, Count(self.0.max(other.0)));
        before != *self
    }
}

struct Counting {
    widens: bool,
}

impl Analysis for Counting {
    type Domain = Count;
    type Direction = Forward;

    fn bottom(&self) -> Count {
        Count(0)
    }

    fn boundary(&self, _node: Node) -> Count {
        Count(1)
    }

    fn transfer(&self, _node: Node, state: &mut Count) {
        state.0 = state.0.saturating_add(1);
    }

    fn widen(&self, _node: Node, visits: u32, previous: &Count, state: &mut Count) {
        assert!(
            previous.0 < state.0,
            "a node is visited again only when its inflow grew"
        );
        if self.widens && visits > 3 {
            state.0 = u64::MAX;
        }
    }
}

#[test]
fn an_endless_ascent_is_cut_short() {
    let graph = ListGraph::new(3, 0, &[(0, 1), (1, 1), (1, 2)]);
    let error = solve(&graph, &Counting { widens: false }).err().unwrap();
    assert_eq!(
        error,
        DidNotConverge {
            node: 1,
            visits: VISITS_PER_NODE
        }
    );
    let results = solve(&graph, &Counting { widens: true }).unwrap();
    assert_eq!(*results.before(2), Count(u64::MAX));
    assert_eq!(*results.before(0), Count(1));
}

#[test]
fn transfers_of_the_tests_are_monotone() {
    let trace = Trace::<Forward>::new(2);
    let samples = [
        trace.empty(),
        trace.bits(&[0], &[], &[]),
        trace.bits(&[1], &[0], &[(0, 1)]),
    ];
    laws::check_monotone(&samples, |state| trace.transfer(0, state));
    laws::check_monotone(&[None, Some(Dual(trace.empty()))], |state| {
        Dominators.transfer(1, state)
    });
}

fn reaches(count: usize, edges: &[(Node, Node)], from: Node, to: Node) -> bool {
    let graph = ListGraph::new(count, 0, edges);
    depth_first_postorder(count, graph.succs(from), |node| graph.succs(node)).contains(&to)
}

proptest! {
    /// On any graph, a node's bit is before another node exactly when a path of at least one edge leads there.
    #[test]
    fn values_are_exactly_what_paths_carry(edges in proptest::collection::vec((0usize..7, 0usize..7), 0..16)) {
        let graph = ListGraph::new(7, 0, &edges);
        let forward = solve(&graph, &Trace::<Forward>::new(7)).unwrap();
        let backward = solve(&graph, &Trace::<Backward>::new(7)).unwrap();
        for a in 0..7 {
            let live = a == 0 || reaches(7, &edges, 0, a);
            for b in 0..7 {
                let path = reaches(7, &edges, a, b);
                prop_assert_eq!(forward.before(b).contains(a), live && path, "{} before {}", a, b);
                prop_assert_eq!(backward.after(a).contains(b), path, "{} after {}", b, a);
            }
        }
    }
}
