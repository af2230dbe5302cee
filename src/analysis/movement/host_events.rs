//! What host code of the function itself does to a family at one node. What may touch it under a name that is none of its own, or
//! in a part that is not known, may do so to all of it.

use super::events::Events;
use super::placement::ResidencySpan;
use super::problem::{Event, EventKind};
use super::subject::Subject;
use crate::analysis::access::Access;
use crate::analysis::thread_copies::may_be_of_copy;
use crate::analysis::values::table::Base;
use crate::program::graph::{NodeId, NodeKind};
use crate::symbolic::{Facts, Section, SectionSet};

impl Subject<'_> {
    /// What is mapped, in place of all of the object.
    pub(super) fn clip(&self, set: SectionSet) -> SectionSet {
        if set.is_all() {
            SectionSet::Union(vec![self.extent.clone()])
        } else {
            set
        }
    }

    pub(super) fn host_events(
        &self,
        node: NodeId,
        names: &[Base],
        accesses: &[&Access],
        span: &ResidencySpan,
        cells: usize,
        out: &mut Events,
    ) {
        let model = self.model;
        let within = match model.coarse.node(node).kind {
            NodeKind::Whole(s) => Some(s),
            _ => None,
        };
        let mut reads: Vec<SectionSet> = vec![SectionSet::Empty; cells];
        let mut writes: Vec<(SectionSet, Vec<Section>)> = vec![(SectionSet::Empty, Vec::new()); cells];
        let facts = Facts::new();
        for a in accesses {
            let strong = a.at.as_ref().and_then(|p| names.iter().position(|n| *n == p.base));
            let elsewhere = !self.may_touch(a) || self.is_newer(a, names);
            if strong.is_none() && (elsewhere || self.taken_apart(a, node, names, span, out)) {
                continue;
            }
            if strong.is_none() && a.reads {
                out.others.insert(node);
            }
            let copied = may_be_of_copy(model, a, accesses.iter().copied());
            let touched: Vec<(usize, SectionSet, Option<Section>)> = match strong {
                Some(cell) if copied => vec![(cell, self.clip(SectionSet::All), None)],
                Some(cell) => {
                    let f = self.accesses.footprint(model, a, self.element, within);
                    if f.may.is_all() && a.reads {
                        out.others.insert(node);
                    }
                    vec![(cell, self.clip(f.may), f.must)]
                }
                None => (0..cells).map(|c| (c, self.clip(SectionSet::All), None)).collect(),
            };
            for (cell, may, must) in touched {
                if (a.reads && (strong.is_none() || !self.is_fed(node, a))) || copied {
                    reads[cell] = reads[cell].union(&may, &facts);
                }
                if a.writes || copied {
                    writes[cell].0 = writes[cell].0.union(&may, &facts);
                    writes[cell].1.extend(must);
                }
            }
        }
        for cell in 0..cells {
            if reads[cell] != SectionSet::Empty {
                let may = self.clip(reads[cell].clone());
                out.events.at_mut(node).push(Event {
                    cell,
                    kind: EventKind::HostRead { may },
                });
            }
            if writes[cell].0 != SectionSet::Empty {
                let (may, must) = (self.clip(writes[cell].0.clone()), writes[cell].1.clone());
                out.events.at_mut(node).push(Event {
                    cell,
                    kind: EventKind::HostWrite { may, must },
                });
            }
        }
    }
}
