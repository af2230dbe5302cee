//! Calls: arguments flow into parameters, results back; library functions do what the table says, or the user; what
//! flows into unknown code escapes.

use std::rc::Rc;

use super::fields::{self, FieldStep};
use super::graph::{NodeIndex, PointerSlots, PointerUse};
use super::state::{Invocation, Solver};
use crate::analysis::libc::{ArgAccess, ByteExtent, Callback, LibFn, Returned, Share};
use crate::program::ir::{FuncId, Type};
use crate::program::objects::{MemLoc, ObjectKind, Site};

impl Solver<'_> {
    /// Registers a call through the pointer `callee`.
    pub fn call_pointer(&mut self, callee: NodeIndex, call: Invocation) {
        self.invocations.push(Rc::new(call));
        self.on(callee, PointerUse::Invoke(self.invocations.len() - 1));
    }

    /// The pointer of a registered call may point to `loc`.
    pub fn invoke(&mut self, call: usize, loc: MemLoc) {
        if !self.invoked.insert((call, loc.object)) {
            return;
        }
        let call = Rc::clone(&self.invocations[call]);
        match self.state(loc.object).object.kind {
            ObjectKind::Function(func) => self.call(func, &call, false),
            ref kind if kind.is_incoming() => self.call_unknown(&call),
            // Data is not called.
            _ => {}
        }
    }

    /// Connects a call with one of its targets. `direct`: by name, so that allocations are already told apart.
    pub fn call(&mut self, func: FuncId, call: &Invocation, direct: bool) {
        let targets = self.targets.entry(call.site).or_default();
        let set = if call.callback {
            &mut targets.callbacks
        } else {
            &mut targets.known
        };
        set.insert(func);
        if call.later {
            self.later.insert(func);
        }
        let function = self.module.function(func);
        if function.declaration {
            return match self.known.of(func) {
                Some(library) => self.call_library(library, call, direct),
                None if function.attrs.memory_none => self.call_pure(call),
                None => self.call_unknown(call),
            };
        }
        for (i, arg) in call.args.iter().enumerate() {
            let Some(arg) = *arg else { continue };
            match self.args[func.0 as usize].get(i).copied() {
                Some(param) if self.byval.contains_key(&(func, i as u32)) => self.copy(param, arg, None),
                Some(param) => self.edge(arg, param),
                // `va_arg` hands it out as a pointer of unknown origin.
                None => self.edge(arg, self.sink),
            }
        }
        let known_fresh = direct && self.wrappers.sites(func).is_some();
        if let (Some(ret), false) = (call.ret, known_fresh) {
            self.edge(self.rets[func.0 as usize], ret);
        }
    }

    /// Connects a call with unknown code.
    pub fn call_unknown(&mut self, call: &Invocation) {
        self.targets.entry(call.site).or_default().unknown = true;
        self.unknown_later |= call.later;
        for arg in call.args.iter().flatten() {
            self.edge(*arg, self.sink);
        }
        if let Some(ret) = call.ret {
            self.edge(self.unknown, ret);
        }
    }

    /// A function that only computes a value from its arguments.
    fn call_pure(&mut self, call: &Invocation) {
        if let Some(ret) = call.ret {
            self.edge(self.unknown, ret);
            for arg in call.args.iter().flatten() {
                self.edge(*arg, ret);
            }
        }
    }

    fn call_library(&mut self, library: &LibFn, call: &Invocation, direct: bool) {
        self.unknown_later |= library.anytime;
        let arg = |n: u32| call.arg(n);
        let pointer: PointerSlots = [(0, true)].into();
        if let Some(alloc) = library.alloc {
            match (alloc.through.map(arg), call.ret) {
                (Some(Some(out)), _) => {
                    let fresh = self.fresh(call.site);
                    self.on(
                        out,
                        PointerUse::Store {
                            from: fresh,
                            slots: Rc::clone(&pointer),
                        },
                    );
                }
                (None, Some(ret)) if !direct => {
                    let fresh = self.fresh(call.site);
                    self.edge(fresh, ret);
                }
                _ => {}
            }
        }
        for copy in &library.copies {
            let to = copy.to.map_or(call.ret, arg);
            if let (Some(to), Some(from)) = (to, arg(copy.from)) {
                self.copy(to, from, constant_extent(copy.extent, &call.ints));
            }
        }
        for &(to, from) in &library.stores {
            if let (Some(to), Some(from)) = (arg(to), arg(from)) {
                self.on(
                    to,
                    PointerUse::Store {
                        from,
                        slots: Rc::clone(&pointer),
                    },
                );
            }
        }
        for keep in &library.keeps {
            let Some(kept) = arg(keep.arg) else { continue };
            self.edge(kept, self.sink);
            if let Some(name) = &keep.name {
                let all = self.kept(name);
                self.edge(kept, all);
            }
        }
        for share in &library.shares {
            let what = share.arg.map_or(call.ret, arg);
            if let Some(what) = what.filter(|_| shares(share, &call.ints)) {
                self.edge(what, self.shared);
                self.edge(what, self.sink);
            }
        }
        for filled in library.fills.iter().filter_map(|&n| arg(n)) {
            self.on(filled, PointerUse::Fill);
        }
        for mixed in library.mixes.iter().filter_map(|&n| arg(n)) {
            self.mix(mixed);
        }
        self.leave_and_return(library, call);
        for callback in &library.callbacks {
            self.call_back(callback, call);
        }
        let Some(ret) = call.ret else { return };
        for returned in &library.returns {
            self.call_returns(returned, call, ret, &pointer);
        }
    }

    /// Every pointer in an object may come to stand at any place in it: what is sorted as an array may be declared as a struct.
    fn mix(&mut self, object: NodeIndex) {
        let content = self.node();
        let anywhere = self.load_all(object, content);
        let (from, slots) = (content, [(0, true)].into());
        self.on(anywhere, PointerUse::Store { from, slots });
    }

    /// Loads every pointer in an object, and gives the node of all places in it.
    fn load_all(&mut self, object: NodeIndex, to: NodeIndex) -> NodeIndex {
        let anywhere = self.node();
        let step = FieldStep::Smear;
        self.on(object, PointerUse::Step { to: anywhere, step });
        let slots = [(0, true)].into();
        self.on(anywhere, PointerUse::Load { to, slots });
        anywhere
    }

    /// Pointers become text (`sprintf("%p")`) or bytes of a file (`fwrite`), and come back (`sscanf`, `fread`): what has left is
    /// known to everybody who can read, and what comes in may be anything that ever left. Where the program prints some things by
    /// functions of its own (`register_printf_specifier`), what is printed is handed to these.
    fn leave_and_return(&mut self, library: &LibFn, call: &Invocation) {
        let rest = |n: u32| call.args.get(n as usize..).unwrap_or_default().to_vec();
        let is_bytes = |a: &&ArgAccess| library.io && !a.rest && !a.behind && a.extent != ByteExtent::Str;
        for written in &library.writes {
            let args = match written.rest {
                true => rest(written.arg),
                false => vec![call.arg(written.arg).filter(|_| is_bytes(&written))],
            };
            for filled in args.into_iter().flatten() {
                self.on(filled, PointerUse::Fill);
            }
        }
        for read in library.reads.iter().filter(is_bytes) {
            if let Some(from) = call.arg(read.arg) {
                self.load_all(from, self.sink);
            }
        }
        let through = library.alloc.as_ref().is_some_and(|a| a.through.is_some());
        if through || self.prints_by_itself || library.writes.iter().any(|w| !w.rest) {
            for read in library.reads.iter().filter(|r| r.rest) {
                for spelled in rest(read.arg).into_iter().flatten() {
                    self.edge(spelled, self.sink);
                }
            }
        }
    }

    /// Connects the result of a library function with what it may be.
    fn call_returns(&mut self, returned: &Returned, call: &Invocation, ret: NodeIndex, pointer: &PointerSlots) {
        match *returned {
            Returned::External => self.edge(self.unknown, ret),
            Returned::Arg(n) => {
                if let Some(arg) = call.arg(n) {
                    self.edge(arg, ret);
                }
            }
            Returned::Into(n) => {
                // How large an element is cannot be told here, so all of the object's members count as indexed.
                let step = FieldStep::Member {
                    bytes: 0,
                    indexed: Some((0, u64::MAX)),
                };
                if let Some(arg) = call.arg(n) {
                    self.on(arg, PointerUse::Step { to: ret, step });
                }
            }
            Returned::Anywhere(n) => {
                if let Some(arg) = call.arg(n) {
                    self.on(
                        arg,
                        PointerUse::Step {
                            to: ret,
                            step: FieldStep::Smear,
                        },
                    );
                }
            }
            Returned::IntoContent(n) => {
                if let Some(arg) = call.arg(n) {
                    self.on(
                        arg,
                        PointerUse::Load {
                            to: ret,
                            slots: Rc::clone(pointer),
                        },
                    );
                }
            }
        }
    }

    fn call_back(&mut self, callback: &Callback, call: &Invocation) {
        let arg = |n: u32| call.arg(n);
        let Some(mut callee) = arg(callback.func) else { return };
        if callback.behind {
            let to = self.node();
            let slots: PointerSlots = [(0, true)].into();
            self.on(callee, PointerUse::Load { to, slots });
            callee = to;
        }
        let args: Vec<_> = callback.args.iter().map(|a| a.and_then(arg)).collect();
        let ints = vec![None; args.len()];
        self.call_pointer(
            callee,
            Invocation {
                site: call.site,
                args,
                ints,
                // What a thread's function returns, whoever waits for the thread gets.
                ret: callback.later.then_some(self.sink),
                callback: true,
                later: callback.later,
            },
        );
    }

    /// The node of all that the library keeps under a name.
    fn kept(&mut self, name: &str) -> NodeIndex {
        if let Some(known) = self.kept.get(name) {
            return *known;
        }
        let node = self.node();
        self.kept.insert(name.to_owned(), node);
        node
    }

    /// A node that points to the memory that the library allocates at a site.
    fn fresh(&mut self, site: Site) -> NodeIndex {
        let node = self.node();
        let object = self.heap(vec![site]);
        self.point(node, object);
        node
    }

    /// The start of an allocation's object.
    pub fn heap(&mut self, sites: Vec<Site>) -> MemLoc {
        let outer = self.module.function(sites[0].func);
        let place = outer
            .inst(sites[0].inst)
            .loc
            .map(|l| format!(" ({l})"))
            .unwrap_or_default();
        let name = format!("memory allocated in {}{place}", outer.name);
        MemLoc::start(self.object(ObjectKind::Heap { sites }, name, None))
    }

    /// Code outside may call the function from now on, with anything.
    pub fn enter(&mut self, func: FuncId) {
        let function = self.module.function(func);
        if function.declaration || std::mem::replace(&mut self.entries[func.0 as usize], true) {
            return;
        }
        for (index, ty) in function.params.iter().enumerate() {
            let param = index as u32;
            if let Some(&copy) = self.byval.get(&(func, param)) {
                self.make_opaque(copy);
            } else if matches!(ty, Type::Ptr | Type::Struct(_) | Type::Array(..) | Type::Other(_)) {
                let name = function
                    .variables
                    .iter()
                    .find(|v| v.arg == Some(param))
                    .map(|v| v.name.as_str());
                let name = format!("*{}", name.map_or_else(|| format!("argument {index}"), str::to_owned));
                let kind = ObjectKind::Param {
                    func,
                    index: param,
                    path: Vec::new(),
                };
                let object = self.object(kind, name, None);
                self.escape(object);
                self.point(self.args[func.0 as usize][index], MemLoc::start(object));
            }
        }
        if fields::carries_pointers(&function.ret) {
            self.edge(self.rets[func.0 as usize], self.sink);
        }
    }
}

/// Whether a call with these constants among its arguments shares what the table says.
fn shares(share: &Share, ints: &[Option<u64>]) -> bool {
    share.only.is_none_or(|(arg, bits)| {
        let given = ints.get(arg as usize).copied().flatten();
        given.is_none_or(|given| given & bits != 0)
    })
}

/// The number of bytes where it is a constant.
pub fn constant_extent(extent: ByteExtent, ints: &[Option<u64>]) -> Option<u64> {
    let int = |n: u32| ints.get(n as usize).copied().flatten();
    match extent {
        ByteExtent::Const(bytes) => Some(bytes),
        ByteExtent::Bytes(n) => int(n),
        ByteExtent::Product(a, b) => int(a)?.checked_mul(int(b)?),
        ByteExtent::Scaled(n, size) => int(n)?.checked_mul(size),
        ByteExtent::Unknown | ByteExtent::Reachable | ByteExtent::Str | ByteExtent::Typed(..) => None,
    }
}
