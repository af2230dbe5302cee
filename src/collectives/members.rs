//! The graph of those who have become members of a communicator: who never comes by where it is made has nothing to match.
//!
//! ```c
//! if (odd) {
//!     MPI_Comm_split(all, 1, 0, &c);              /* makes members of those who come here                 */
//!     MPI_Barrier(c);                             /* all of them come to this one                         */
//! } else {
//!     MPI_Comm_split(all, MPI_UNDEFINED, 0, &c);  /* the others are none, and what they do does not matter */
//! }
//! ```
//!
//! The graph is there twice, once for who is no member yet and once for members; the way from the one to the other leads through the call
//! that makes the communicator. Where those who are no members end, everything matches. Members that come by that call again become
//! members of another communicator: what they have to do together ends there.

use super::graph::{CollectiveGraph, GraphNode, GraphNodeKind};
use crate::program::objects::Site;

/// The graph for members of what a call makes; the graph itself where the call is not in it.
pub fn of_members(graph: &CollectiveGraph, maker: Site) -> CollectiveGraph {
    let makes = |node: &GraphNode| matches!(&node.kind, GraphNodeKind::Collective(event) if event.site == maker);
    if !graph.nodes.iter().any(makes) {
        return graph.clone();
    }
    let members = graph.nodes.len();
    let before = graph.nodes.iter().map(|node| {
        let mut node = node.clone();
        if makes(&node) {
            node.kind = GraphNodeKind::Pass;
            node.succs.iter_mut().for_each(|next| *next += members);
        } else if matches!(node.kind, GraphNodeKind::End) {
            node.kind = GraphNodeKind::DeadEnd;
        }
        node
    });
    let after = graph.nodes.iter().map(|node| {
        let mut node = node.clone();
        node.succs.iter_mut().for_each(|next| *next += members);
        if makes(&node) {
            node.kind = GraphNodeKind::End;
        }
        node
    });
    CollectiveGraph {
        nodes: before.chain(after).collect(),
    }
}
