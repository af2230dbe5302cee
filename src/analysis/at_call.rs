//! What a callee's summary says, in the terms of one of its callers.
//!
//! ```c
//! void half(double *v, int count) { … if(count > 0) map(tofrom: v[0:count]) … }
//! half(a, u);                     /* of an `unsigned u`, neither `u > 0` nor `a[0:u]` says the same           */
//! ```
//!
//! A parameter has the number that its argument becomes in its type ([`Converted`]). Where that is another one than the
//! caller's expression has, it is `(int)u` if the argument is a variable ([`super::values::casts`]), and else the summary's
//! sections and conditions have no meaning in the caller, with these exceptions:
//!
//! * An argument that may only grow is another number only where it is negative (`int n` for a `size_t`). No kernel can map
//!   a section of such a length, so what kernels map, and use of it, is that of the caller's number wherever one runs. What
//!   the host accesses is not: a loop to such an end may leave before.
//! * A condition is only asked to be false where the callee's is. One that a larger number makes true, if anything, holds for
//!   a number that has grown, too. All others are asked of the very number (`super::values::exact_numbers`).
//!
//! What the callee makes of a parameter, a global or a member in yet another type (`v[0:(unsigned char)l]`) is a term of its
//! own, [`CalleeTerm::Cast`]. In the caller it is the same of the argument, without the cast where the argument is of such a type,
//! or is known.

use super::access::split;
use super::always_made::is_passed;
use super::callee_term::CalleeTerm;
use super::function::FunctionModel;
use super::values::calls::loaded_from;
use super::values::slots::SlotId;
use super::values::table::{Base, PtrVal};
use super::values::types::Converted;
use crate::analysis::values::version::Version;
use crate::program::graph::NodeId;
use crate::program::ir::{BlockId, FuncId, InstId, Operand, Type};
use crate::symbolic::{Expr, Section, SectionSet, Sym};
use rustc_hash::FxHashSet;

/// A call, and the symbols of its callee's summary: `Sym(i)` is the `i`-th term.
pub struct AtCall<'a> {
    /// The caller.
    pub model: &'a FunctionModel<'a>,
    /// The callee's terms.
    pub terms: &'a [CalleeTerm],
    /// What is called.
    pub callee: FuncId,
    /// The call.
    pub inst: InstId,
    /// The call's arguments.
    pub args: &'a [Operand],
}

/// An array of the callee, as the caller names it: where it starts, and at which element of that.
pub struct ReachedArray {
    /// The array.
    pub base: Base,
    /// The element of it that is the callee's first.
    pub shift: Expr,
}

impl AtCall<'_> {
    /// The array that the callee reaches by `root`, in elements of so many bytes.
    pub fn reached(&self, root: &CalleeTerm, element: u64) -> Option<ReachedArray> {
        from(&self.array(root)?, element)
    }

    /// The arrays of which that is one, where the caller has a choice among several; none where one of them is not known.
    pub fn perhaps(&self, root: &CalleeTerm, element: u64) -> Vec<ReachedArray> {
        let among = self.array(root).and_then(|at| self.model.values.choice(&at));
        let each = among.iter().flatten().map(|at| from(at, element));
        each.collect::<Option<_>>().unwrap_or_default()
    }

    /// The arrays of which the one that the callee reaches by `root` is one, as the host uses it, `None` for what the caller has
    /// no name for; and whether it is that one for sure.
    pub fn on_host(&self, root: &CalleeTerm, element: u64) -> (Vec<Option<ReachedArray>>, bool) {
        if *root == CalleeTerm::Variadic {
            return (self.passed(element), false);
        }
        let reached = self.reached(root, element);
        let named = |r: &ReachedArray| !self.model.values.is_nameless(r.base);
        if !reached.as_ref().is_some_and(named) {
            let perhaps = self.perhaps(root, element);
            if !perhaps.is_empty() {
                return (perhaps.into_iter().map(Some).collect(), false);
            }
        }
        (vec![reached], true)
    }

    /// What the arguments that follow the parameters lead to.
    fn passed(&self, element: u64) -> Vec<Option<ReachedArray>> {
        let model = self.model;
        let named = model.module.function(self.callee).params.len();
        let mut found = Vec::new();
        for argument in self.args.iter().skip(named) {
            let ty = match argument {
                Operand::Inst(id) => model.function().inst(*id).ty.clone(),
                Operand::Arg(n) => match model.function().params.get(*n as usize) {
                    Some(ty) => ty.clone(),
                    None => Type::Other(0),
                },
                Operand::Global(_) | Operand::ConstGep { .. } => Type::Ptr,
                Operand::Int(_) | Operand::Float(_) | Operand::Null | Operand::Function(_) => continue,
                Operand::Undef | Operand::OtherConst => Type::Other(0),
            };
            match ty {
                Type::Float(_) => {}
                // The number of an address.
                Type::Int(_) if model.points_to.of_operand(model.func, argument).is_empty() => {}
                Type::Ptr => {
                    let at = model.values.ptr(argument);
                    let among = at.as_ref().and_then(|at| model.values.choice(at));
                    let nameless = at.as_ref().is_none_or(|at| model.values.is_nameless(at.base));
                    match (at, among.filter(|_| nameless)) {
                        (_, Some(among)) => found.extend(among.iter().map(|at| from(at, element))),
                        (at, None) => found.push(at.and_then(|at| from(&at, element))),
                    }
                }
                _ => found.push(None),
            }
        }
        found
    }

    /// Where the callee's array starts.
    pub fn array(&self, root: &CalleeTerm) -> Option<PtrVal> {
        let values = self.model.values;
        match root {
            CalleeTerm::Param(n) => values.ptr(self.args.get(*n as usize)?),
            CalleeTerm::Storage(g) => Some(PtrVal {
                base: Base::Global(*g),
                offset: Expr::zero(),
            }),
            CalleeTerm::Global(_) | CalleeTerm::Member { .. } => {
                let (slot, version) = self.slot(root)?;
                Some(values.slot_ptr(slot, version))
            }
            CalleeTerm::Returned => self.result(),
            CalleeTerm::Variadic | CalleeTerm::Cast { .. } => None,
        }
    }

    /// What the call returns, by the name of the variable that its statement gives it to, if it does.
    fn result(&self) -> Option<PtrVal> {
        let AtCall { model, inst, .. } = *self;
        let node = model.attachment.node_of[inst.0 as usize]?;
        let mut insts = model.attachment.insts_of[node.0 as usize].iter();
        let named = insts.find_map(|store| {
            let ptr = model.function().stored_to(*store, inst)?;
            let slot = model.values.slots.at(ptr, model.function())?;
            Some(model.values.slot_ptr(slot, Version::Def(*store)))
        });
        named.or_else(|| model.values.ptr(&Operand::Inst(inst)))
    }

    /// A section of an array that was reached, as the host uses it.
    pub fn section(&self, section: &Section, reached: &ReachedArray) -> Option<Section> {
        self.section_where(section, reached, Converted::Same)
    }

    /// A section of an array that was reached, as kernels use it.
    pub fn mapped(&self, section: &Section, reached: &ReachedArray) -> Option<Section> {
        self.section_where(section, reached, Converted::Grows)
    }

    fn section_where(&self, section: &Section, reached: &ReachedArray, most: Converted) -> Option<Section> {
        let translated = section.map_syms(&mut |sym| self.value(sym, most, Converted::Changes))?;
        Some(Section {
            lo: translated.lo.add(&reached.shift)?,
            hi: translated.hi.add(&reached.shift)?,
        })
    }

    /// A set of sections, as the host uses them; all where one of them has no meaning here.
    pub fn set(&self, set: &SectionSet, reached: Option<&ReachedArray>) -> SectionSet {
        each(set, &|s| self.section(s, reached?))
    }

    /// A set of sections, as kernels use them; all where one of them has no meaning here.
    pub fn mapped_set(&self, set: &SectionSet, reached: Option<&ReachedArray>) -> SectionSet {
        each(set, &|s| self.mapped(s, reached?))
    }

    /// The value of a symbol of the summary, as the caller has it, if no more than `most` becomes of it in the callee; as a
    /// number of the parameter's type, if at least `cast` does.
    pub(super) fn value(&self, sym: Sym, most: Converted, cast: Converted) -> Option<Expr> {
        let values = self.model.values;
        match self.terms.get(sym.0 as usize)? {
            CalleeTerm::Param(n) => {
                let argument = self.args.get(*n as usize)?;
                let value = values.int(argument);
                let ty = self.declared(*n);
                let in_type = || values.cast(argument, &ty, self.kept(*n)?);
                match values.converted(&value, &ty) {
                    // A result that has no name may be all that was left of a variable.
                    Converted::Same if values.is_result(&value) => in_type().or(Some(value)),
                    // What the host accesses rests on the very number.
                    Converted::Same if most == Converted::Same && values.exact(argument).as_ref() != Some(&value) => {
                        in_type()
                    }
                    converted if converted <= most => Some(value),
                    converted if converted >= cast => in_type(),
                    _ => None,
                }
            }
            CalleeTerm::Storage(_) | CalleeTerm::Variadic | CalleeTerm::Returned => None,
            term @ CalleeTerm::Cast { .. } => self.exact(term),
            term => {
                let (slot, version) = self.slot(term)?;
                match most {
                    Converted::Same => Some(values.exact_in(slot, version)),
                    _ => Some(values.slot_int(slot, version)),
                }
            }
        }
    }

    /// The caller's slots that the terms are.
    pub fn slots(&self) -> impl Iterator<Item = SlotId> {
        let named = |t: &CalleeTerm| match t {
            CalleeTerm::Cast { of, .. } => self.slot(of),
            other => self.slot(other),
        };
        self.terms.iter().filter_map(move |t| Some(named(t)?.0))
    }

    /// The caller's slot that a term is, and its version at the call.
    pub fn slot(&self, term: &CalleeTerm) -> Option<(SlotId, Version)> {
        let values = self.model.values;
        let slot = values
            .slots
            .of_term(self.model.module, self.model.function(), self.args, term)?;
        let node = self.model.attachment.node_of[self.inst.0 as usize]?;
        let argument = term.parameter().and_then(|n| self.args.get(n as usize));
        if let Some((load, from)) = argument.and_then(|a| loaded_from(self.model.function(), a)) {
            // In `f(p++)` the members are those of what `p` pointed to before.
            let pointer = values.slots.at(from, self.model.function())?;
            let then = values
                .versions
                .at(self.model.attachment.node_of[load.0 as usize]?, load, pointer);
            if then != values.versions.at(node, self.inst, pointer) {
                return None;
            }
        }
        Some((slot, values.versions.at(node, self.inst, slot)))
    }

    /// Whether the call surely runs when its statement does: it stands behind no `&&` and in no `?:`, which its arguments may have.
    pub fn surely_runs(&self) -> bool {
        let model = self.model;
        let fine = model.attachment.node_of[self.inst.0 as usize];
        let node = fine.and_then(|fine| model.coarse_of(fine));
        node.is_some_and(|node| self.is_passed_in(model.fine_of(node)))
    }

    /// Whether the call surely runs when its own node of the fine graph does, whatever runs that how often.
    pub fn runs_with_its_node(&self) -> bool {
        let fine = self.model.attachment.node_of[self.inst.0 as usize];
        fine.is_some_and(|fine| self.is_passed_in(&[fine]))
    }

    /// Whether all ways through the code of some nodes come by the call.
    fn is_passed_in(&self, nodes: &[NodeId]) -> bool {
        let (model, function) = (self.model, self.model.function());
        let insts = nodes.iter().flat_map(|n| &model.attachment.insts_of[n.0 as usize]);
        let own: FxHashSet<BlockId> = insts.clone().map(|i| function.inst(*i).block).collect();
        let first = insts.min().map(|i| function.inst(*i).block);
        let call = function.inst(self.inst).block;
        first.is_some_and(|first| is_passed(function, first, call, &|block| own.contains(&block)))
    }
}

/// An array as so many elements from its base.
fn from(at: &PtrVal, element: u64) -> Option<ReachedArray> {
    match split(&at.offset, element) {
        Some((shift, 0)) => Some(ReachedArray { base: at.base, shift }),
        _ => None,
    }
}

fn each(set: &SectionSet, translate: &dyn Fn(&Section) -> Option<Section>) -> SectionSet {
    match set {
        SectionSet::Union(list) => {
            let list = list.iter().map(translate).collect::<Option<Vec<_>>>();
            list.map_or(SectionSet::All, SectionSet::Union)
        }
        other => other.clone(),
    }
}
