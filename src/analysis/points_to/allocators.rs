//! Allocation wrappers: functions that return memory they have just allocated.
//!
//! ```c
//! static double *vec(int n) { double *p = malloc(n * sizeof *p); if (!p) exit(1); return p; }
//! a = vec(n);  b = vec(n);          /* two objects, not one */
//! ```
//!
//! A function is a wrapper when everything it may return is null or the result of an allocation made in the same
//! activation: an allocating call, followed only through local variables whose address is never taken. Then *the call*
//! names the object. What else the wrapper does with the memory (fills it, lists it) is no obstacle: inside the wrapper
//! its pointer stands for the objects of all its callers.
//!
//! Wrappers of wrappers count up to [`DEPTH`] levels. Memory that is returned through a parameter, or stored in the
//! returned struct, is not told apart by caller.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::analysis::known::KnownFunctions;
use crate::analysis::libc::LibFn;
use crate::program::ir::{Callee, Cast, FuncId, Function, InstId, Module, Op, Operand, Type};
use crate::program::objects::Site;

/// How many wrappers around a library allocation are seen through.
pub const DEPTH: usize = 3;
/// Allocations that a wrapper may return the results of; a function with more is none.
const MAX_CHAINS: usize = 32;

/// The wrappers of a module, with the allocating calls whose results they return.
#[derive(Debug)]
pub struct Wrappers {
    known: Arc<KnownFunctions>,
    sites: FxHashMap<FuncId, Vec<InstId>>,
}

/// What is known of the function that a direct call calls, when the module only declares it.
fn library_call<'k>(known: &'k KnownFunctions, op: &Op) -> Option<&'k LibFn> {
    match op {
        Op::Call {
            callee: Callee::Direct(f),
            ..
        } => known.of(*f),
        _ => None,
    }
}

impl Wrappers {
    /// Finds the wrappers.
    pub fn find(module: &Module, known: &Arc<KnownFunctions>) -> Wrappers {
        let mut wrappers = Wrappers {
            known: Arc::clone(known),
            sites: FxHashMap::default(),
        };
        for _ in 0..DEPTH {
            let found: Vec<_> = (0..module.functions.len() as u32)
                .map(FuncId)
                .filter(|f| !wrappers.sites.contains_key(f))
                .filter_map(|f| Some((f, wrappers.returned_allocations(module, f)?)))
                .collect();
            if found.is_empty() {
                break;
            }
            wrappers.sites.extend(found);
        }
        wrappers
    }

    /// The allocating calls whose results the wrapper returns; `None` when it is none.
    pub fn sites(&self, func: FuncId) -> Option<&[InstId]> {
        self.sites.get(&func).map(Vec::as_slice)
    }

    /// The objects that the call at `site` returns when it allocates: for each the chain of calls from it down to the
    /// library's. Empty when it does not.
    pub fn chains(&self, module: &Module, site: Site) -> Vec<Vec<Site>> {
        let op = &module.function(site.func).inst(site.inst).op;
        if library_call(&self.known, op).is_some_and(|f| f.alloc.is_some_and(|a| a.through.is_none())) {
            return vec![vec![site]];
        }
        let Op::Call {
            callee: Callee::Direct(wrapper),
            ..
        } = op
        else {
            return Vec::new();
        };
        let mut chains = Vec::new();
        for &inst in self.sites(*wrapper).unwrap_or_default() {
            for tail in self.chains(module, Site { func: *wrapper, inst }) {
                chains.push([vec![site], tail].concat());
            }
        }
        chains
    }

    /// Whether an address in `func` lies in memory allocated in the same activation.
    pub fn is_fresh(&self, module: &Module, func: FuncId, address: &Operand) -> bool {
        self.allocated_here(module, func, address).is_some()
    }

    /// Whether an address in `func` lies in memory allocated in the same activation, by calls that copy nothing to there.
    pub fn is_new(&self, module: &Module, func: FuncId, address: &Operand) -> bool {
        let calls = self.allocated_here(module, func, address);
        calls.is_some_and(|calls| calls.iter().all(|inst| !self.moves(module, Site { func, inst: *inst })))
    }

    /// Whether an allocating call may copy what was in other memory.
    fn moves(&self, module: &Module, site: Site) -> bool {
        self.chains(module, site)
            .iter()
            .filter_map(|chain| chain.last())
            .any(|site| {
                let op = &module.function(site.func).inst(site.inst).op;
                library_call(&self.known, op).is_none_or(|f| f.copies.iter().any(|c| c.to.is_none()))
            })
    }

    /// The calls one of which has allocated the memory that an address in `func` lies in, in the same activation.
    fn allocated_here(&self, module: &Module, func: FuncId, address: &Operand) -> Option<BTreeSet<InstId>> {
        let function = module.function(func);
        let mut base = address;
        while let Operand::Inst(id) = base
            && let Op::Gep { base: inner, .. }
            | Op::Cast {
                kind: Cast::Bitcast,
                value: inner,
                ..
            } = &function.inst(*id).op
        {
            base = inner;
        }
        let mut trace = Trace {
            wrappers: self,
            module,
            func: function,
            calls: BTreeSet::new(),
            seen: BTreeSet::new(),
        };
        trace.is_fresh(base).then_some(trace.calls)
    }

    /// Whether the call's result is fresh memory or null.
    fn is_fresh_call(&self, module: &Module, op: &Op) -> bool {
        match op {
            Op::Call {
                callee: Callee::Direct(f),
                ..
            } if !module.function(*f).declaration => self.sites.contains_key(f),
            _ => library_call(&self.known, op).is_some_and(LibFn::returns_fresh),
        }
    }

    fn returned_allocations(&self, module: &Module, id: FuncId) -> Option<Vec<InstId>> {
        let func = module.function(id);
        if func.declaration || func.ret != Type::Ptr {
            return None;
        }
        let mut trace = Trace {
            wrappers: self,
            module,
            func,
            calls: BTreeSet::new(),
            seen: BTreeSet::new(),
        };
        for inst in &func.insts {
            if let Op::Ret(value) = &inst.op
                && !trace.is_fresh(value.as_ref()?)
            {
                return None;
            }
        }
        let calls: Vec<InstId> = trace.calls.into_iter().collect();
        let chains: usize = calls
            .iter()
            .map(|&inst| self.chains(module, Site { func: id, inst }).len())
            .sum();
        (1..=MAX_CHAINS).contains(&chains).then_some(calls)
    }
}

/// Follows returned values back to where they come from.
struct Trace<'a> {
    wrappers: &'a Wrappers,
    module: &'a Module,
    func: &'a Function,
    calls: BTreeSet<InstId>,
    seen: BTreeSet<InstId>,
}

impl Trace<'_> {
    fn is_fresh(&mut self, value: &Operand) -> bool {
        let id = match value {
            Operand::Null | Operand::Undef => return true,
            Operand::Inst(id) => *id,
            _ => return false,
        };
        if !self.seen.insert(id) {
            return true;
        }
        let func = self.func;
        match &func.inst(id).op {
            op @ Op::Call { .. } if self.wrappers.is_fresh_call(self.module, op) => {
                self.calls.insert(id);
                true
            }
            Op::Load {
                ptr: Operand::Inst(alloca),
                ..
            } => self.holds_only_fresh(*alloca),
            Op::Phi { incoming } => incoming.iter().all(|(_, v)| self.is_fresh(v)),
            Op::Select { then, other, .. } => self.is_fresh(then) && self.is_fresh(other),
            Op::Cast {
                kind: Cast::Bitcast,
                value,
                ..
            } => self.is_fresh(value),
            _ => false,
        }
    }

    /// Whether all that is ever stored in the variable is fresh.
    fn holds_only_fresh(&mut self, alloca: InstId) -> bool {
        let func = self.func;
        if !matches!(
            func.inst(alloca).op,
            Op::Alloca {
                ty: Type::Ptr,
                count: None
            }
        ) || super::variables::address_taken(func, alloca)
        {
            return false;
        }
        let here = Operand::Inst(alloca);
        func.insts.iter().all(|inst| match &inst.op {
            Op::Store { ptr, value, .. } if *ptr == here => self.is_fresh(value),
            _ => true,
        })
    }
}
