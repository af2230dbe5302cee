//! Strongly connected components: nodes that ways lead to and fro between.
//!
//! ```text
//! 0 → 1 ⇄ 2 → 3        {3}, {1, 2}, {0}: whatever a component leads to has a smaller number
//! ```
//!
//! Source: Tarjan 1972.

/// The components of a graph.
#[derive(Clone, Debug)]
pub struct Components {
    /// By node: the number of its component. Successors have smaller or equal numbers.
    pub of: Vec<usize>,
    /// The nodes of each component, sorted.
    pub members: Vec<Vec<usize>>,
}

impl Components {
    /// Finds them, given the successors of each node, with an explicit stack: a long chain cannot exhaust ours.
    pub fn of(succs: &[Vec<usize>]) -> Components {
        const UNSEEN: usize = usize::MAX;
        let n = succs.len();
        let (mut order, mut low) = (vec![UNSEEN; n], vec![0; n]);
        let mut component = vec![UNSEEN; n];
        let mut components: Vec<Vec<usize>> = Vec::new();
        let mut pending = Vec::new();
        let mut clock = 0;
        for root in 0..n {
            if order[root] != UNSEEN {
                continue;
            }
            let mut frames = vec![(root, 0)];
            while let Some(&mut (node, ref mut next)) = frames.last_mut() {
                if *next == 0 {
                    order[node] = clock;
                    low[node] = clock;
                    clock += 1;
                    pending.push(node);
                }
                if let Some(&succ) = succs[node].get(*next) {
                    *next += 1;
                    if order[succ] == UNSEEN {
                        frames.push((succ, 0));
                    } else if component[succ] == UNSEEN {
                        low[node] = low[node].min(order[succ]);
                    }
                    // A node without successors never gets here, so `next == 0` marks the first visit of all others.
                    continue;
                }
                frames.pop();
                if let Some(&(parent, _)) = frames.last() {
                    low[parent] = low[parent].min(low[node]);
                }
                if low[node] == order[node] {
                    let start = pending.iter().rposition(|&p| p == node).unwrap_or(0);
                    let mut members = pending.split_off(start);
                    members.sort_unstable();
                    for &m in &members {
                        component[m] = components.len();
                    }
                    components.push(members);
                }
            }
        }
        Components {
            of: component,
            members: components,
        }
    }

    /// Whether each node lies on a cycle; `succs` are those of [`Components::of`].
    pub fn on_cycles(&self, succs: &[Vec<usize>]) -> Vec<bool> {
        let is_on_one = |n: usize| self.members[self.of[n]].len() > 1 || succs[n].contains(&n);
        (0..succs.len()).map(is_on_one).collect()
    }
}
