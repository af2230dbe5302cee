//! What a function works on, in terms of what it is called with: the words of its summaries ([`CalleeTerm`]).

use super::inputs::Inputs;
use crate::analysis::callee_term::CalleeTerm;
use crate::analysis::device_summary::Existing;
use crate::analysis::values::slots::{SlotId, SlotKind};
use crate::analysis::values::table::{Base, SymKind};
use crate::analysis::values::version::Version;
use crate::program::ir::{InstId, Op, Operand};
use crate::symbolic::{Expr, Section, SectionSet, Sym};

/// The symbols of a summary that is being made: `Sym(i)` is the i-th.
#[derive(Default)]
pub struct TermList(Vec<CalleeTerm>);

impl From<Vec<CalleeTerm>> for TermList {
    fn from(list: Vec<CalleeTerm>) -> TermList {
        TermList(list)
    }
}

impl TermList {
    /// The finished list.
    pub fn into_list(self) -> Vec<CalleeTerm> {
        self.0
    }

    /// A section in these terms; `None` where it depends on what callers do not know.
    pub fn section(&mut self, inputs: &Inputs<'_>, section: &Section) -> Option<Section> {
        section.map_syms(&mut |sym| self.symbol(inputs, sym))
    }

    /// A number in these terms.
    pub fn number(&mut self, inputs: &Inputs<'_>, e: &Expr) -> Option<Expr> {
        e.map_syms(&mut |sym| self.symbol(inputs, sym))
    }

    /// A section that exists under some guards, in these terms.
    pub fn existing(&mut self, inputs: &Inputs<'_>, existing: &Existing) -> Option<Existing> {
        let guards = existing.guards.iter();
        let guards = guards.map(|g| g.map_syms(&mut |sym| self.symbol(inputs, sym)));
        Some(Existing {
            guards: guards.collect::<Option<_>>()?,
            section: self.section(inputs, &existing.section)?,
        })
    }

    fn symbol(&mut self, inputs: &Inputs<'_>, sym: Sym) -> Option<Expr> {
        let term = entry_value(inputs, sym)?;
        let at = self.0.iter().position(|t| *t == term).unwrap_or_else(|| {
            self.0.push(term);
            self.0.len() - 1
        });
        Some(Expr::sym(Sym(at as u32)))
    }

    /// A set in these terms: all, where a section of it has none.
    pub fn set(&mut self, inputs: &Inputs<'_>, set: &SectionSet) -> SectionSet {
        match set {
            SectionSet::Union(list) => {
                let list = list.iter().map(|s| self.section(inputs, s)).collect::<Option<Vec<_>>>();
                list.map_or(SectionSet::All, SectionSet::Union)
            }
            other => other.clone(),
        }
    }
}

/// How the function reaches an array from what it is called with.
pub fn root_of(inputs: &Inputs<'_>, base: Base) -> Option<CalleeTerm> {
    match base {
        Base::Local(_) => None,
        Base::Global(g) => Some(CalleeTerm::Storage(g)),
        Base::Value(sym) => entry_value(inputs, sym),
    }
}

/// What a symbol has been since the function was called.
pub(super) fn entry_value(inputs: &Inputs<'_>, sym: Sym) -> Option<CalleeTerm> {
    let values = inputs.model.values;
    match values.kind(sym) {
        SymKind::Arg(n) => Some(CalleeTerm::Param(n)),
        SymKind::Slot(slot, version) => match values.slots.get(slot).kind {
            // Members behind a parameter count as changed where it gets its value.
            SlotKind::Behind(..) => match version {
                Version::Entry => on_entry(inputs, slot),
                Version::Clobber(store) => argument(inputs, store).and_then(|_| on_entry(inputs, slot)),
                _ => None,
            },
            SlotKind::LocalField(..) if version == Version::Entry => on_entry(inputs, slot),
            SlotKind::Global(_) | SlotKind::GlobalField(..) if version == Version::Entry => on_entry(inputs, slot),
            _ => match version {
                Version::Def(store) => argument(inputs, store).map(CalleeTerm::Param),
                _ => None,
            },
        },
        SymKind::Cast(of, to) => Some(CalleeTerm::Cast {
            of: Box::new(entry_value(inputs, of)?),
            to,
        }),
        SymKind::Inst(_) | SymKind::Bound(_) => None,
    }
}

/// The argument that an instruction stores, if it does.
fn argument(inputs: &Inputs<'_>, store: InstId) -> Option<u32> {
    match &inputs.model.function().inst(store).op {
        Op::Store {
            value: Operand::Arg(n), ..
        } => Some(*n),
        _ => None,
    }
}

/// What a slot is to callers when the function is called.
pub(super) fn on_entry(inputs: &Inputs<'_>, slot: SlotId) -> Option<CalleeTerm> {
    let model = inputs.model;
    let slots = &model.values.slots;
    let (of, bytes, outer) = match slots.get(slot).kind {
        SlotKind::Local(v) => return model.function().variables[v.0 as usize].arg.map(CalleeTerm::Param),
        SlotKind::Global(g) => return Some(CalleeTerm::Global(g)),
        // Members of a record that is passed by value in memory.
        SlotKind::LocalField(v, bytes) => {
            let variable = &model.function().variables[v.0 as usize];
            let of = variable.arg.filter(|_| variable.alloca.is_none())?;
            (CalleeTerm::Param(of), bytes, None)
        }
        SlotKind::GlobalField(g, bytes) => (CalleeTerm::Storage(g), bytes, None),
        SlotKind::Behind(outer, bytes) => (on_entry(inputs, outer)?, bytes, Some(outer)),
    };
    let name = slots.get(slot).name.as_deref();
    let member = match outer {
        Some(outer) => slots.get(outer).name.as_deref().zip(name).and_then(|(outer, name)| {
            let rest = name.strip_prefix(outer)?;
            rest.strip_prefix("->")
        }),
        None => name.and_then(|name| name.split_once('.')).map(|(_, rest)| rest),
    };
    Some(CalleeTerm::Member {
        of: Box::new(of),
        bytes,
        name: member.map(str::to_owned),
        places: slots.places(model.points_to, model.func, slot),
    })
}
