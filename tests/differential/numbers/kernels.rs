//! Runs kernels of programs about numbers: what they map is in the array, each turn has an element of its own, and the compiler can
//! count the turns.

use super::ast::*;
use super::number::{Number, Op};
use super::run::{Bend, Frame, Run, Unfit};
use std::collections::BTreeSet;

impl<'a> Run<'a> {
    pub(super) fn kernel(&mut self, frame: &mut Frame<'a>, k: &'a Kernel) -> Result<(), Unfit> {
        self.done.kernels += 1;
        let length = self.length(frame, k.array)?;
        let (first, count) = match &k.section {
            Some((first, count)) => (self.value(frame, first)?.value, self.value(frame, count)?.value),
            None => (0, length),
        };
        if first < 0 || count < 1 || first + count > length {
            return Err(Unfit);
        }
        if let Some(condition) = &k.condition {
            let asked = self.value(frame, condition)?;
            self.bends(Bend::Clause, asked.bent || self.is_odd(condition));
        }
        let mut section = k.section.iter().flat_map(|(first, count)| [first, count]);
        let odd = section.any(|e| self.is_odd(e));
        self.bends(Bend::Clause, odd);
        let start = self.value(frame, &k.start)?;
        frame.set(k.counter, start);
        self.countable(frame, k, start)?;
        let mut seen = BTreeSet::new();
        while self.value(frame, &k.test)?.holds() {
            self.turn()?;
            let at = self.element(frame, k.array, &k.index)?;
            if !(first..first + count).contains(&at) || !seen.insert(at) {
                return Err(Unfit);
            }
            let before = frame.locals[k.counter];
            self.step(frame, k.counter, &k.step)?;
            // The loop of a kernel has to be one whose turns can be counted.
            let up = matches!(k.step, Step::Up | Step::By(_));
            match (before, frame.locals[k.counter]) {
                (Some(a), Some(b)) if (a.value < b.value) == up && a != b => {}
                _ => return Err(Unfit),
            }
        }
        Ok(())
    }

    /// Whether a number in it is not written as one mostly is, or is a constant that is not what stands behind its `=`.
    fn is_odd(&self, e: &Expr) -> bool {
        match e {
            Expr::Literal(l) => l.base != Base::Decimal || l.unsigned || l.long,
            Expr::Constant(c) => self.constants.get(*c).is_some_and(|c| c.bent),
            _ => e.parts().into_iter().any(|part| self.is_odd(part)),
        }
    }

    /// The compiler computes in advance how many turns the loop of a kernel has, and is right where no number changes by being
    /// converted: neither the first one, nor what is compared.
    fn countable(&self, frame: &Frame<'a>, k: &Kernel, start: Number) -> Result<(), Unfit> {
        let Expr::Binary(op, left, end) = &k.test else {
            return Err(Unfit);
        };
        let own = |e: &Expr| matches!(e, Expr::Local(l) if *l == k.counter);
        let end = self.value(frame, end).map(|end| end.value)?;
        let as_numbers = match op {
            Op::Less => start.value < end,
            Op::LessEqual => start.value <= end,
            Op::Greater => start.value > end,
            Op::GreaterEqual => start.value >= end,
            _ => return Err(Unfit),
        };
        let kept = frame.locals[k.counter].is_some_and(|n| n.value == start.value);
        let same = self.value(frame, &k.test)?.holds() == as_numbers;
        if own(left) && kept && same { Ok(()) } else { Err(Unfit) }
    }

    /// Sections that are constants have to be in their arrays even where no control gets: the compiler looks.
    pub(super) fn sections(&self, block: &[Stmt]) -> Result<(), Unfit> {
        for s in block {
            match s {
                Stmt::If(_, body) | Stmt::Loop(Loop { body, .. }) => self.sections(body)?,
                Stmt::Kernel(Kernel {
                    section: Some((first, count)),
                    ..
                }) => {
                    let (first, count) = (self.constant(first), self.constant(count));
                    let size = i128::from(self.program.size);
                    if first.is_ok_and(|n| n.value < 0 || n.value >= size)
                        || count.is_ok_and(|n| n.value < 1 || n.value + first.map_or(0, |n| n.value) > size)
                    {
                        return Err(Unfit);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}
