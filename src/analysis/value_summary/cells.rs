//! Which addresses are cells, and what callers know these as.

use super::Worth;
use super::is_copy;
use super::run::{FunctionRun, KnownCell, SymbolOrigin};
use super::state::CellKey;
use crate::analysis::callee_term::CalleeTerm;
use crate::analysis::values::members::is_scalar;
use crate::analysis::values::members::{const_offset, member_path};
use crate::program::ir::{Op, Operand, Type};
use crate::program::objects::MemLoc;

/// Members behind members behind … that are followed.
const MAX_DEPTH: usize = 4;

impl FunctionRun<'_> {
    /// The cell at an address, if one is there.
    pub(super) fn cell(&mut self, address: &Operand, ty: &Type) -> Option<CellKey> {
        let Some(Worth::Ptr { base, offset }) = self.value(address) else {
            return None;
        };
        let key = CellKey {
            root: base,
            bytes: u64::try_from(offset.as_constant()?).ok()?,
            size: self.module.size_of(ty),
            pointer: *ty == Type::Ptr,
        };
        let places = self.points_to.of_operand(self.func, address).to_vec();
        let name = self.member_name(address);
        self.note(key, places, name)
    }

    /// Notes a cell; `None` where it is none that callers know, nor in a local variable.
    pub(super) fn note(&mut self, key: CellKey, places: Vec<MemLoc>, name: Option<String>) -> Option<CellKey> {
        if self.known.contains_key(&key) {
            return Some(key);
        }
        let overlaid = self.known.keys().any(|k| k.overlaps(&key));
        let (term, copied) = match self.origins[key.root.0 as usize].clone() {
            SymbolOrigin::Made(..) => return None,
            // Of another shape: one symbol stands for what is there.
            SymbolOrigin::Entry(_) if overlaid => return None,
            SymbolOrigin::Local(_) => (None, false),
            SymbolOrigin::Entry(of) => {
                let copied = matches!(of, CalleeTerm::Param(n) if is_copy(self.module, self.func, &Operand::Arg(n)));
                (Some(self.term_at(of, &key, places.clone(), name)?), copied)
            }
        };
        if let Some(term) = &term {
            self.sym(SymbolOrigin::Entry(term.clone()));
        }
        self.known.insert(key, KnownCell { places, term, copied });
        Some(key)
    }

    /// What callers know a cell as that lies behind a pointer on entry.
    fn term_at(&self, of: CalleeTerm, key: &CellKey, places: Vec<MemLoc>, name: Option<String>) -> Option<CalleeTerm> {
        match &of {
            CalleeTerm::Storage(g) => match &self.module.global(*g).ty {
                ty if is_scalar(ty) => {
                    let fits = key.bytes == 0 && self.module.size_of(ty) == key.size;
                    return fits.then_some(CalleeTerm::Global(*g));
                }
                Type::Struct(_) => {}
                _ => return None,
            },
            CalleeTerm::Member { .. } if depth(&of) >= MAX_DEPTH => return None,
            _ => {}
        }
        Some(CalleeTerm::Member {
            of: Box::new(of),
            bytes: key.bytes,
            name,
            places,
        })
    }

    /// What follows `->` in the text where the address is that of a member.
    fn member_name(&self, address: &Operand) -> Option<String> {
        let Operand::Inst(id) = address else { return None };
        match &self.function.inst(*id).op {
            Op::Gep {
                base,
                source_ty: source_ty @ Type::Struct(_),
                indices,
            } if !self.is_gep(base) => {
                member_path(self.module, source_ty, const_offset(self.module, source_ty, indices)?)
            }
            _ => None,
        }
    }

    fn is_gep(&self, operand: &Operand) -> bool {
        matches!(operand, Operand::Inst(id) if matches!(self.function.inst(*id).op, Op::Gep { .. }))
    }
}

/// How many members one has to go through.
fn depth(term: &CalleeTerm) -> usize {
    match term {
        CalleeTerm::Member { of, .. } => 1 + depth(of),
        _ => 0,
    }
}
