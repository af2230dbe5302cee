//! Where the program ends within a call, and the flows of functions with what stands behind such a call cut off.
//!
//! ```c
//! static void fail(void) { MPI_Abort(MPI_COMM_WORLD, 1); }    /* never returns, as what it calls does not: failing     */
//! static void done(void) { MPI_Finalize(); exit(0); }         /* never returns: in order                               */
//! ```

use super::flow::{BlockFlow, ProgramEnd};
use super::roles::{AgentKind, role};
use super::solved::{SolvedProgram, functions};
use crate::program::ir::{Callee, FuncId, InstId, Op, Operand};
use crate::program::objects::Site;

/// What ends the program with a code that may be that of success.
const EXITS: [&str; 5] = ["exit", "_exit", "_Exit", "quick_exit", "pthread_exit"];

/// The flows of a program's functions, with calls cut that never return: which, other flows say.
pub fn flows(program: &SolvedProgram<'_>, agents: AgentKind) -> Vec<Option<BlockFlow>> {
    let calls = ProgramCalls { program, agents };
    calls.flows()
}

/// The calls of a program, as those see them who are looked at.
struct ProgramCalls<'p> {
    program: &'p SolvedProgram<'p>,
    agents: AgentKind,
}

impl ProgramCalls<'_> {
    /// How a call ends the program that never returns, by what is known of the library and of what has been looked at.
    fn ends(&self, site: Site, never: &[Option<ProgramEnd>]) -> Option<ProgramEnd> {
        let op = &self.program.module.function(site.func).inst(site.inst).op;
        let name = self.program.callee_name(site).unwrap_or_default();
        let told = [role(AgentKind::Processes, name), role(self.agents, name)];
        if told.into_iter().flatten().any(|r| r.ends) {
            return Some(ProgramEnd::Failing);
        }
        let Op::Call {
            callee: Callee::Direct(f),
            args,
        } = op
        else {
            return None;
        };
        let function = self.program.module.function(*f);
        if let Some(end) = never[f.0 as usize] {
            return Some(end);
        }
        let known = function.declaration && self.program.effects.of(*f).never_returns;
        let in_order = EXITS.contains(&name) && !matches!(args.first(), Some(Operand::Int(code)) if *code != 0);
        let end = if in_order {
            ProgramEnd::InOrder
        } else {
            ProgramEnd::Failing
        };
        (function.attrs.noreturn || known).then_some(end)
    }

    fn flows(&self) -> Vec<Option<BlockFlow>> {
        let mut flows: Vec<Option<BlockFlow>> = vec![None; self.program.module.functions.len()];
        let mut never = vec![None; self.program.module.functions.len()];
        let mut waiting: Vec<FuncId> = functions(self.program.module).map(|(id, _)| id).collect();
        loop {
            let mut found = false;
            for &id in &waiting {
                let function = self.program.module.function(id);
                let ends = |inst| self.ends(Site { func: id, inst }, &never);
                let flow = BlockFlow::of(function, &ends);
                let returns = |at: &usize| {
                    let block = &function.blocks[*at];
                    let last = InstId(block.end.0.saturating_sub(1));
                    flow.cut[*at].is_none() && matches!(function.inst(last).op, Op::Ret(_))
                };
                if !flow.order.iter().any(returns) && flow.order.iter().all(|b| !flow.succs[*b].contains(b)) {
                    let last = |at: &usize| flow.cut[*at].and_then(|behind| ends(InstId(behind.0 - 1)));
                    let mut all = flow.order.iter().filter_map(last);
                    let fails = all.all(|end| end == ProgramEnd::Failing);
                    let end = if fails {
                        ProgramEnd::Failing
                    } else {
                        ProgramEnd::InOrder
                    };
                    found |= never[id.0 as usize].replace(end).is_none();
                }
                flows[id.0 as usize] = Some(flow);
            }
            // Only what calls one of these can change.
            waiting.retain(|id| {
                let calls = self.program.points_to.call_graph().callees(id.0 as usize);
                calls
                    .iter()
                    .any(|callee| never.get(*callee).is_some_and(Option::is_some))
            });
            if !found {
                return flows;
            }
        }
    }
}
