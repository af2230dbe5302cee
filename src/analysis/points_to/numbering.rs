//! Instructions that give what a node holds already have that node, and none of their own.
//!
//! ```c
//! int *p = &a;                  /* in memory, as clang leaves it: p is a variable with a cell           */
//! use(p[0]); use(p[1]);         /* both read p: what is read is the cell; both places are one step on   */
//! s.next = p;                   /* &s is one place, and so is its member: the store is an edge          */
//! ```
//!
//! A program that keeps its variables in memory reads each of them over and over: of 10,600 sets with more than sixteen locations in one such
//! program there were 760 different ones. What an instruction gives is known by what it does and by the node that it does it to (value numbering); what is read from or
//! written to one known place needs no use that waits for places to come. The solution is the same, place by place.
//!
//! An instruction that another one has asked for before it came up keeps its own node, and an edge leads there.
//!
//! Source: Hardekopf and Lin 2007 (offline value numbering of pointers that are equal by construction).

use super::fields::FieldStep;
use super::graph::{NodeIndex, PointerSlots, PointerUse};
use super::state::{Precision, Solver};
use crate::program::objects::{MemLoc, ObjectId, Site};

impl Solver<'_> {
    /// The node of an instruction, for another one that uses what it gives.
    pub fn asked(&mut self, site: Site) -> NodeIndex {
        let node = self.insts[site.func.0 as usize][site.inst.0 as usize];
        self.asked.insert(node);
        node
    }

    /// An instruction gives what a node holds, and nothing else.
    pub fn gives(&mut self, site: Site, what: NodeIndex) {
        let own = &mut self.insts[site.func.0 as usize][site.inst.0 as usize];
        let node = *own;
        if node == what {
            return;
        }
        match self.asked.contains(&node) || self.graph.found(node).is_some() {
            true => self.edge(what, node),
            false => *own = what,
        }
    }

    /// A node that holds one place.
    pub fn place(&mut self, loc: MemLoc) -> NodeIndex {
        if loc.object == ObjectId::EXTERNAL {
            return self.unknown;
        }
        if let Some(&node) = self.of_place.get(&loc) {
            return node;
        }
        let node = self.node();
        self.of_place.insert(loc, node);
        self.places.insert(node, loc);
        self.point(node, loc);
        node
    }

    /// An instruction reads where a node points to.
    pub fn reads(&mut self, site: Site, from: NodeIndex, slots: PointerSlots) {
        if let (Some(&loc), &[(offset, is_pointer)]) = (self.places.get(&from), &*slots) {
            let cell = match self.precision {
                Precision::Addresses => Some(self.unknown),
                _ => self.read_cell(loc, offset, is_pointer),
            };
            if let Some(cell) = cell {
                self.gives(site, cell);
            }
            return;
        }
        let use_to = |to| PointerUse::Load {
            to,
            slots: slots.clone(),
        };
        self.computes(site, from, use_to);
    }

    /// An instruction computes an address from the one that a node holds.
    pub fn steps(&mut self, site: Site, from: NodeIndex, step: FieldStep) {
        if let Some(&loc) = self.places.get(&from) {
            let moved = self.step(loc, step);
            let node = self.place(moved);
            return self.gives(site, node);
        }
        self.computes(site, from, |to| PointerUse::Step { to, step });
    }

    /// What a node holds is written where another one points to.
    pub fn writes(&mut self, to: NodeIndex, from: NodeIndex, slots: PointerSlots) {
        let Some(&loc) = self.places.get(&to) else {
            return self.on(to, PointerUse::Store { from, slots });
        };
        if self.precision == Precision::Addresses {
            return self.edge(from, self.sink);
        }
        for &(offset, _) in slots.iter() {
            if let Some(cell) = self.write_cell(loc, offset) {
                self.edge(from, cell);
            }
        }
    }

    /// An instruction gives what comes of a use of a node, by the node that it is to come to.
    fn computes(&mut self, site: Site, from: NodeIndex, use_to: impl Fn(NodeIndex) -> PointerUse) {
        let own = self.insts[site.func.0 as usize][site.inst.0 as usize];
        let key = (from, use_to(NodeIndex::ANY));
        if let Some(&known) = self.computed.get(&key) {
            return self.gives(site, known);
        }
        self.computed.insert(key, own);
        self.on(from, use_to(own));
    }
}

#[cfg(test)]
mod tests {
    use super::super::generate::generate;
    use super::*;
    use crate::analysis::known::KnownFunctions;
    use crate::llvm::{ClangOptions, Input, analyse_file, find_clang};
    use crate::program::ir::{FuncId, Module, Op};
    use rustc_hash::FxHashSet;
    use std::path::Path;
    use std::sync::Arc;

    /// How many nodes the loads of pointers of a program have, and how many loads of pointers there are.
    fn nodes_of_loads(text: &str) -> (usize, usize) {
        let clang = find_clang(None).expect("clang 19 is installed");
        let input = Input::text(Path::new("t.c"), text.as_bytes());
        let module: Module = analyse_file(&clang, &input, &ClangOptions::default()).expect("the test's C compiles");
        let known = Arc::new(KnownFunctions::of_library(&module));
        let mut solver = Solver::start(&module, &known, true, Precision::Members);
        generate(&mut solver);
        let (mut nodes, mut loads) = (FxHashSet::default(), 0);
        for (func, function) in module.functions.iter().enumerate() {
            let func = FuncId(func as u32);
            for inst in function.inst_ids() {
                let Op::Load { .. } = function.inst(inst).op else {
                    continue;
                };
                if function.inst(inst).ty == crate::program::ir::Type::Ptr {
                    nodes.insert(solver.insts[func.0 as usize][inst.0 as usize]);
                    loads += 1;
                }
            }
        }
        (nodes.len(), loads)
    }

    #[test]
    fn each_variable_is_read_into_one_node() {
        let text = "int main(void) { int a[3] = {1, 2, 3}; int *p = a; return p[0] + p[1] + p[2]; }";
        assert_eq!(nodes_of_loads(text), (1, 3));
    }

    #[test]
    fn members_behind_one_pointer_are_read_into_one_node_each() {
        let text = "struct s { int *x, *y; }; int main(void) { int v = 0; struct s a = {&v, &v}; struct s *p = &a; \
                    return *p->x + *p->y + *p->x; }";
        // `p`, `p->x` and `p->y`.
        assert_eq!(nodes_of_loads(text), (3, 6));
    }
}
