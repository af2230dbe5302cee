//! A call inside of the function that is run, and the end of it.

use super::run::{FunctionRun, SymbolOrigin};
use super::state::{CellKey, MemoryState};
use super::{SummaryCell, ValueAtom, ValueSummary, Worth, at};
use crate::analysis::callee_term::CalleeTerm;
use crate::program::ir::{InstId, Op, Operand, Type};
use crate::program::objects::MemLoc;
use crate::symbolic::Sym;

/// What a summary says of a call.
struct CallResult {
    stores: Vec<(CellKey, Option<Worth>)>,
    returned: Option<Worth>,
}

impl FunctionRun<'_> {
    /// A call: what it may write is unknown afterwards, but for what a summary knows of it. Its value, where that is known.
    pub(super) fn call(&mut self, state: &mut MemoryState, inst: InstId) -> Option<Worth> {
        let Op::Call { args, .. } = &self.function.inst(inst).op else {
            return None;
        };
        let args: Vec<Option<Worth>> = args.iter().map(|a| self.value(a)).collect();
        let targets = self.points_to.call_targets(self.func, inst);
        let mut attrs = targets.known.iter().map(|f| self.module.function(*f).attrs);
        self.given_up |= attrs.any(|a| a.returns_twice);
        let summary = at(self.summaries, self.module, self.points_to, self.func, inst);
        let inside = summary.and_then(|s| self.inside(state, inst, s, &args));
        let elsewhere = summary.filter(|_| inside.is_some()).and_then(|s| s.elsewhere.clone());
        let places = elsewhere.unwrap_or_else(|| {
            let effects = self.effects.of_call(self.func, inst);
            if effects.unknown {
                self.forget_all(state);
            }
            let mut changed = effects.writes.clone();
            changed.extend(effects.frees.iter().map(MemLoc::whole));
            changed
        });
        self.overwrite(state, &places);
        let inside = inside?;
        for (key, value) in inside.stores {
            state.store(key, value);
        }
        inside.returned
    }

    /// A summary of what is called, in terms of the function that is run. `None` where a cell has no name here, or what is
    /// written may be part of another cell.
    fn inside(
        &mut self,
        state: &mut MemoryState,
        inst: InstId,
        summary: &ValueSummary,
        args: &[Option<Worth>],
    ) -> Option<CallResult> {
        let mut keys = Vec::new();
        for cell in &summary.cells {
            keys.push(self.key_of(state, cell, args)?);
        }
        for (i, a) in summary.cells.iter().enumerate().filter(|(_, c)| c.written) {
            let mut others = summary.cells.iter().enumerate().filter(|(j, _)| *j != i);
            if others.any(|(j, b)| !b.copied && keys[i].overlaps(&keys[j])) {
                return None;
            }
            debug_assert!(!a.copied);
        }
        let mut atoms: Vec<Option<Worth>> = Vec::new();
        for atom in &summary.atoms {
            let worth = match atom {
                ValueAtom::Entry(CalleeTerm::Param(n)) => args.get(*n as usize).cloned().flatten(),
                ValueAtom::Entry(CalleeTerm::Storage(g)) => self.value(&Operand::Global(*g)),
                ValueAtom::Entry(term) => {
                    let at = summary.cells.iter().position(|c| c.term == *term)?;
                    self.held(state, &keys[at])
                }
                ValueAtom::Left(_) => None,
            };
            atoms.push(worth);
        }
        for (at, atom) in summary.atoms.iter().enumerate() {
            if let ValueAtom::Left(cell) = atom {
                let sym = self.made(state, inst, cell + 1);
                if atoms.iter().flatten().any(|w| w.mentions(sym)) {
                    return None;
                }
                atoms[at] = Some(Worth::of(sym, summary.cells[*cell].pointer));
            }
        }
        let left = |cell: usize| summary.atoms.iter().position(|a| *a == ValueAtom::Left(cell));
        let worth = |value: &Worth| value.map(&mut |s: Sym| atoms.get(s.0 as usize)?.clone());
        let written = summary.cells.iter().enumerate().filter(|(_, c)| c.written);
        let stores = written.map(|(i, cell)| {
            let value = match left(i) {
                Some(atom) => atoms[atom].clone(),
                None => cell.value.as_ref().and_then(worth),
            };
            (keys[i], value)
        });
        Some(CallResult {
            stores: stores.collect(),
            returned: summary.returned.as_ref().and_then(worth),
        })
    }

    /// The cell here that a cell of a callee is.
    fn key_of(&mut self, state: &MemoryState, cell: &SummaryCell, args: &[Option<Worth>]) -> Option<CellKey> {
        let (root, bytes) = self.place_of(state, &cell.term, args)?;
        let key = CellKey {
            root,
            bytes,
            size: cell.size,
            pointer: cell.pointer,
        };
        let (places, name) = match &cell.term {
            CalleeTerm::Member { places, name, .. } => (places.clone(), name.clone()),
            CalleeTerm::Global(g) => (
                self.points_to.of_operand(self.func, &Operand::Global(*g)).to_vec(),
                None,
            ),
            CalleeTerm::Param(_)
            | CalleeTerm::Storage(_)
            | CalleeTerm::Variadic
            | CalleeTerm::Returned
            | CalleeTerm::Cast { .. } => {
                return None;
            }
        };
        self.note(key, places, name)
    }

    /// Where a member or global of a callee lies here: how far behind which pointer.
    fn place_of(&mut self, state: &MemoryState, term: &CalleeTerm, args: &[Option<Worth>]) -> Option<(Sym, u64)> {
        let (pointer, more) = match term {
            CalleeTerm::Global(g) => (self.value(&Operand::Global(*g))?, 0),
            CalleeTerm::Member { of, bytes, .. } => match &**of {
                CalleeTerm::Param(n) => (args.get(*n as usize)?.clone()?, *bytes),
                CalleeTerm::Storage(g) => (self.value(&Operand::Global(*g))?, *bytes),
                outer => {
                    let (root, at) = self.place_of(state, outer, args)?;
                    let key = CellKey {
                        root,
                        bytes: at,
                        size: 8,
                        pointer: true,
                    };
                    (self.held(state, &key)?, *bytes)
                }
            },
            CalleeTerm::Param(_)
            | CalleeTerm::Storage(_)
            | CalleeTerm::Variadic
            | CalleeTerm::Returned
            | CalleeTerm::Cast { .. } => {
                return None;
            }
        };
        let Worth::Ptr { base, offset } = pointer else {
            return None;
        };
        let bytes = u64::try_from(offset.as_constant()?).ok()?.checked_add(more)?;
        Some((base, bytes))
    }

    /// What callers see of memory where the function returns.
    pub(super) fn read_off(self, state: &MemoryState, returned: Option<Worth>) -> ValueSummary {
        let mut summary = ValueSummary {
            elsewhere: (!self.anything).then(|| self.elsewhere.clone()),
            ..ValueSummary::default()
        };
        let mut values: Vec<Option<Worth>> = Vec::new();
        for (key, known) in &self.known {
            let Some(term) = known.term.clone() else { continue };
            let held = state.cells.get(key).filter(|_| !known.copied);
            values.push(held.cloned().flatten());
            summary.cells.push(SummaryCell {
                term,
                size: key.size,
                pointer: key.pointer,
                written: held.is_some(),
                copied: known.copied,
                value: None,
            });
        }
        // The symbols of the run, as atoms. What an instruction made is known by the first cell that it was left in.
        let mut atoms: Vec<Option<Sym>> = Vec::new();
        for (at, origin) in self.origins.iter().enumerate() {
            let atom = match origin {
                SymbolOrigin::Entry(term) => Some(ValueAtom::Entry(term.clone())),
                SymbolOrigin::Local(_) => None,
                SymbolOrigin::Made(..) => {
                    let is = |v: &Option<Worth>| v.as_ref().and_then(Worth::as_sym) == Some(Sym(at as u32));
                    values.iter().position(is).map(ValueAtom::Left)
                }
            };
            atoms.push(atom.map(|atom| {
                summary.atoms.push(atom);
                Sym(summary.atoms.len() as u32 - 1)
            }));
        }
        let pointer = |sym: Sym| match &summary.atoms[sym.0 as usize] {
            ValueAtom::Left(cell) => summary.cells[*cell].pointer,
            ValueAtom::Entry(CalleeTerm::Storage(_)) => true,
            ValueAtom::Entry(CalleeTerm::Param(n)) => self.function.params.get(*n as usize) == Some(&Type::Ptr),
            ValueAtom::Entry(term) => summary.cells.iter().any(|c| c.term == *term && c.pointer),
        };
        let outside = |value: &Worth| {
            value.map(&mut |s: Sym| {
                let atom = (*atoms.get(s.0 as usize)?)?;
                Some(Worth::of(atom, pointer(atom)))
            })
        };
        let found: Vec<Option<Worth>> = values
            .iter()
            .enumerate()
            .map(|(i, v)| {
                let named_by_it = summary.atoms.contains(&ValueAtom::Left(i));
                v.as_ref().filter(|_| !named_by_it).and_then(outside)
            })
            .collect();
        let returned = returned.as_ref().and_then(outside);
        for (cell, value) in summary.cells.iter_mut().zip(found) {
            cell.value = value;
        }
        summary.returned = returned;
        summary
    }
}
