//! Which addresses are cells, and what callers know these as.

use super::Worth;
use super::is_copy;
use super::run::{Known, Origin, Run};
use super::state::Key;
use crate::analysis::callee_term::Term;
use crate::analysis::values::members::is_scalar;
use crate::analysis::values::members::{const_offset, member_path};
use crate::program::ir::{Op, Operand, Type};
use crate::program::objects::MemLoc;

/// Members behind members behind … that are followed.
const MAX_DEPTH: usize = 4;

impl Run<'_> {
    /// The cell at an address, if one is there.
    pub(super) fn cell(&mut self, address: &Operand, ty: &Type) -> Option<Key> {
        let Some(Worth::Ptr { base, offset }) = self.value(address) else {
            return None;
        };
        let key = Key {
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
    pub(super) fn note(&mut self, key: Key, places: Vec<MemLoc>, name: Option<String>) -> Option<Key> {
        if self.known.contains_key(&key) {
            return Some(key);
        }
        let overlaid = self.known.keys().any(|k| k.overlaps(&key));
        let (term, copied) = match self.origins[key.root.0 as usize].clone() {
            Origin::Made(..) => return None,
            // Of another shape: one symbol stands for what is there.
            Origin::Entry(_) if overlaid => return None,
            Origin::Local(_) => (None, false),
            Origin::Entry(of) => {
                let copied = matches!(of, Term::Param(n) if is_copy(self.module, self.func, &Operand::Arg(n)));
                (Some(self.term_at(of, &key, places.clone(), name)?), copied)
            }
        };
        if let Some(term) = &term {
            self.sym(Origin::Entry(term.clone()));
        }
        self.known.insert(key, Known { places, term, copied });
        Some(key)
    }

    /// What callers know a cell as that lies behind a pointer on entry.
    fn term_at(&self, of: Term, key: &Key, places: Vec<MemLoc>, name: Option<String>) -> Option<Term> {
        match &of {
            Term::Storage(g) => match &self.module.global(*g).ty {
                ty if is_scalar(ty) => {
                    let fits = key.bytes == 0 && self.module.size_of(ty) == key.size;
                    return fits.then_some(Term::Global(*g));
                }
                Type::Struct(_) => {}
                _ => return None,
            },
            Term::Member { .. } if depth(&of) >= MAX_DEPTH => return None,
            _ => {}
        }
        Some(Term::Member {
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
fn depth(term: &Term) -> usize {
    match term {
        Term::Member { of, .. } => 1 + depth(of),
        _ => 0,
    }
}
