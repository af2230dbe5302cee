//! What calls do to a family: by the effects of what they may call, and what keeps a residency from enclosing them (R9).

use super::build::{Events, Refusal};
use super::placement::Span;
use super::problem::{Event, EventKind};
use super::subject::{Subject, jumps_far, locs_of, runs_at_exit};
use crate::analysis::access::is_memory_function;
use crate::analysis::device_calls::CallUse;
use crate::analysis::values::eval::Base;
use crate::program::graph::NodeId;
use crate::program::ir::{Callee, InstId, Op};
use crate::program::objects::ObjectKind;
use crate::symbolic::SectionSet;

impl Subject<'_> {
    pub(super) fn call_events(
        &self,
        node: NodeId,
        launch: Option<usize>,
        names: &[Base],
        cells: usize,
        span: &Span,
        out: &mut Events,
    ) -> Result<(), Refusal> {
        let model = self.model;
        for &fine in model.fine_of(node) {
            for &inst in &model.attachment.insts_of[fine.0 as usize] {
                let op = &model.function().inst(inst).op;
                let asm = matches!(
                    op,
                    Op::Other {
                        touches_memory: true,
                        ..
                    }
                );
                if !asm && (!matches!(op, Op::Call { .. }) || is_memory_function(model, inst)) {
                    continue;
                }
                if self.device_call(inst, node, names, span, out)? {
                    continue;
                }
                let effects = model.effects.of_call(model.func, inst);
                let escaping = self.locs.iter().any(|l| model.points_to.escapes(l.object));
                let unknown = asm || effects.unknown;
                // Exit handlers see what is still reachable when the program ends here.
                let ends = effects.may_not_return && self.seen_at_exit();
                let reads = ends || (unknown && escaping) || self.touches_any(effects.reads.iter().copied());
                let writes = (unknown && escaping) || self.touches_any(effects.writes.iter().copied());
                let frees = effects.frees.iter().any(|o| self.locs.iter().any(|l| l.object == *o));
                let (targets, _) = model.targets(inst);
                let launches = targets.iter().any(|t| model.launching.contains(t));
                if effects.may_not_return && jumps_far(model.module) {
                    out.barriers
                        .insert(node, "the function called here may leave it by `longjmp`".into());
                }
                if (launches && (reads || writes)) || (unknown && escaping) {
                    out.barriers.insert(
                        node,
                        if launches {
                            "the function called here starts kernels on it".into()
                        } else {
                            "unknown code called here may start kernels on it".into()
                        },
                    );
                }
                if frees {
                    out.barriers.insert(node, "it is freed here".into());
                    if let Some(cell) = self.freed_cell(inst, names) {
                        out.events[node.0 as usize].push(Event {
                            cell,
                            kind: EventKind::Free,
                        });
                        continue;
                    }
                }
                if !reads && !writes {
                    continue;
                }
                if launch.is_some() {
                    if span.nodes.contains(&node) && names.len() != 1 {
                        return Err(Refusal {
                            node: Some(node),
                            message: "a function called in this kernel touches it".into(),
                        });
                    }
                    let all = self.clip(SectionSet::All);
                    out.events[node.0 as usize].push(Event {
                        cell: 0,
                        kind: EventKind::Launch {
                            reads: all.clone(),
                            may: if writes { all } else { SectionSet::Empty },
                            must: Vec::new(),
                        },
                    });
                    continue;
                }
                for cell in 0..cells {
                    let all = self.clip(SectionSet::All);
                    if reads {
                        out.events[node.0 as usize].push(Event {
                            cell,
                            kind: EventKind::HostRead { may: all.clone() },
                        });
                    }
                    if writes {
                        out.events[node.0 as usize].push(Event {
                            cell,
                            kind: EventKind::HostWrite {
                                may: all,
                                must: Vec::new(),
                            },
                        });
                    }
                }
            }
        }
        Ok(())
    }

    /// A call whose kernels use the family and that leaves it alone on the host: it counts as a kernel. `false` where the
    /// call's effects must say what it does.
    fn device_call(
        &self,
        inst: InstId,
        node: NodeId,
        names: &[Base],
        span: &Span,
        out: &mut Events,
    ) -> Result<bool, Refusal> {
        let model = self.model;
        let Some(call) = self.calls.iter().find(|c| c.inst == inst) else {
            return Ok(false);
        };
        if let Some((_, reason)) = call.opaque.iter().find(|(locs, _)| self.touches_any(locs.iter().copied())) {
            let message = format!("`{}`, called here, starts kernels on it: {reason}", call.callee);
            out.barriers.insert(node, message);
            return Ok(false);
        }
        // All of its objects must be among those of one use: then what is not in kernels was looked for there.
        let of_family = |u: &&CallUse| self.touches_any(u.locs.iter().copied());
        let uses: Vec<&CallUse> = call.uses.iter().filter(of_family).collect();
        let covered = |u: &&CallUse| !self.locs.is_empty() && self.locs.iter().all(|l| u.locs.contains(l));
        if !uses.iter().any(covered) {
            return Ok(false);
        }
        for used in uses {
            let cell = used.base.and_then(|b| names.iter().position(|n| *n == b));
            let Some(cell) = cell.filter(|_| used.element == self.element) else {
                let elsewhere = used
                    .base
                    .map(|b| locs_of(model, b))
                    .is_some_and(|locs| !locs.is_empty() && !self.touches_any(locs.into_iter()));
                if elsewhere || !span.nodes.contains(&node) {
                    continue;
                }
                let message = format!("`{}`, called here, may reach the same array under another name", call.callee);
                return Err(Refusal {
                    node: Some(node),
                    message,
                });
            };
            out.events[node.0 as usize].push(Event {
                cell,
                kind: EventKind::Launch {
                    reads: self.clip(used.needs.clone()),
                    may: self.clip(used.may.clone()),
                    must: used.must.clone(),
                },
            });
        }
        Ok(true)
    }

    /// Whether code that runs at the program's end may look at the family's objects.
    fn seen_at_exit(&self) -> bool {
        let model = self.model;
        self.locs.iter().any(|l| match &model.points_to.object(l.object).kind {
            ObjectKind::Local { .. } => model.points_to.escapes(l.object),
            _ => runs_at_exit(model.module) || (!model.points_to.closed() && model.points_to.escapes(l.object)),
        })
    }

    /// The cell that `free(p)` frees for sure.
    fn freed_cell(&self, inst: InstId, names: &[Base]) -> Option<usize> {
        let model = self.model;
        let Op::Call {
            callee: Callee::Direct(f),
            args,
        } = &model.function().inst(inst).op
        else {
            return None;
        };
        if model.module.function(*f).name != "free" {
            return None;
        }
        let p = model.values.ptr(args.first()?)?;
        names.iter().position(|n| *n == p.base)
    }
}
