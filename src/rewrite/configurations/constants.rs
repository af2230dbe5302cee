//! Names of numbers that each file can use, with the values that they have in the program as it is and in each sample.

use super::Planning;
use super::numbers::{Bodies, Root, RootKind, roots};
use super::program_texts::ProgramTexts;
use super::samples::{Sample, SampleFile, Unlike};
use super::shifts::{Varied, macros};
use super::solve::{FitDoubt, Named};
use super::words::TextWords;
use crate::analysis::cexpr;
use crate::analysis::points_to::all_address_taken;
use crate::plan::file::constants_of;
use crate::program::ir::{Function, InstId, Module, Op, Operand, Variable};
use crate::source::{LineIndex, Position, Span};
use crate::syntax::identifiers;
use std::cell::{Cell, OnceCell};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Names of numbers in a file.
#[derive(Default)]
pub(super) struct NumberNames {
    /// Names that mean the same wherever they stand.
    pub known: BTreeMap<String, Named>,
    /// Variables, with the numbers that they are given.
    pub variables: Vec<(Root, Named)>,
    /// What else the file's text says, once somebody has asked.
    pub words: OnceCell<TextWords>,
    /// The most doubt that there is in anything written.
    pub doubt: Cell<FitDoubt>,
    /// The largest number that a text says as the source does, in all samples alike.
    pub said: Cell<i128>,
    /// For each sample, what follows where it is not like the program.
    pub unlike: Vec<Unlike>,
    /// Whether each name that may be worth another number is so in some sample: else a number that is alike in all samples may be one
    /// that follows such a name.
    pub all_vary: bool,
}

impl NumberNames {
    /// A number that a text says and that some macro never is larger than.
    pub fn never_passed(&self) -> Option<i128> {
        let said = self.said.get();
        let stays = |named: &Named| named.values.iter().all(|v| *v <= said);
        self.known.values().any(stays).then_some(said)
    }
}

impl Planning<'_, '_> {
    /// Names of numbers in each wanted file, with the values that they have in the program as it is and in each sample; `names` are
    /// those that may be worth other numbers.
    pub(super) fn constants(
        &self,
        samples: &[Sample],
        names: &Varied,
        texts: &ProgramTexts<'_>,
        wanted: &[bool],
    ) -> Vec<NumberNames> {
        let count = self.members.len();
        let all_vary = names.keys().all(|name| samples.iter().any(|s| s.varied.contains(name)));
        let values = |pieces: &[SampleFile<'_>], module: &Module| -> Vec<BTreeMap<String, (String, i128)>> {
            (0..count)
                .map(|unit| match wanted[unit] {
                    true => pieces[unit].constants(module, unit as u32),
                    false => BTreeMap::new(),
                })
                .collect()
        };
        let own: Vec<SampleFile<'_>> = self.members.iter().map(SampleFile::of_member).collect();
        let base = values(&own, self.module());
        let pieces: Vec<_> = samples.iter().map(|s| s.pieces(self.members)).collect();
        let others: Vec<_> = pieces
            .iter()
            .zip(samples)
            .map(|(pieces, s)| values(pieces, &s.module))
            .collect();
        let of = |unit: usize| {
            if !wanted[unit] {
                return NumberNames::default();
            }
            let known = base[unit].iter().filter_map(|(name, (body, value))| {
                let more = others.iter().map(|o| o[unit].get(name).map(|(_, value)| *value));
                let values: Vec<i128> = std::iter::once(Some(*value)).chain(more).collect::<Option<_>>()?;
                let varies = values.iter().any(|v| v != value);
                varies.then(|| {
                    let text = match cexpr::holds_together(body) {
                        true => name.clone(),
                        false => format!("({name})"),
                    };
                    (name.clone(), Named { text, values })
                })
            });
            let numbers = |text: &[u8]| roots(text);
            let given: Vec<Vec<Root>> = pieces.iter().map(|files| numbers(files[unit].text)).collect();
            let variables = texts.roots_of_file(unit).iter().cloned().enumerate();
            let kept = kept(self.module(), unit as u32, self.members[unit].unit.text);
            let variables = variables
                .filter(|(_, root)| root.is_variable())
                .filter(|(_, root)| root.kind != RootKind::Unchanged || kept.contains(&root.named))
                .filter_map(|(i, root)| {
                    let more = given.iter().map(|roots| roots.get(i).map(|r| r.value));
                    let values: Vec<i128> = std::iter::once(Some(root.value)).chain(more).collect::<Option<_>>()?;
                    let text = root.name.clone();
                    Some((root, Named { text, values }))
                });
            let mut known: BTreeMap<String, Named> = known.collect();
            // A caller need not mention what the headers that it includes say.
            let read = &self.members[unit].read.dependencies;
            for (at, (_, text)) in texts
                .headers
                .iter()
                .enumerate()
                .filter(|(_, (p, _))| read.iter().any(|d| d.path == *p))
            {
                for (name, values) in macros(text, samples.iter().map(|s| s.header(at))) {
                    let text = name.clone();
                    known.entry(name).or_insert(Named { text, values });
                }
            }
            NumberNames {
                known,
                variables: variables.collect(),
                words: OnceCell::new(),
                doubt: Cell::default(),
                said: Cell::default(),
                unlike: samples.iter().map(|s| s.unlike).collect(),
                all_vary,
            }
        };
        (0..count).map(of).collect()
    }
}

/// Where a file declares the variables that keep the value that they are given: what is stored there is stored by one
/// instruction, and no pointer leads there. So the compiled program says it, whatever macros hide (`#define NEXT(x) x++`).
fn kept(module: &Module, unit: u32, text: &[u8]) -> BTreeSet<usize> {
    let lines = LineIndex::new(text);
    let own = module.functions.iter().filter(|f| f.unit == unit && !f.in_header);
    let declared = |v: &Variable| {
        let at = v.decl?;
        lines.offset(Position {
            line: at.line,
            column: at.col,
        })
    };
    let in_function = |function: &Arc<Function>| {
        let taken = all_address_taken(module, function);
        let stores = stores(function);
        let is_stored_once = |v: &Variable| v.alloca.is_some_and(|a| stores.get(&a) == Some(&1));
        let both = function.variables.iter().zip(taken);
        let kept = both.filter(|(v, taken)| !taken && v.arg.is_none() && is_stored_once(v));
        kept.filter_map(|(v, _)| declared(v)).collect::<Vec<_>>()
    };
    own.flat_map(in_function).collect()
}

/// How many instructions store to each variable, by its storage.
fn stores(function: &Function) -> BTreeMap<InstId, usize> {
    let mut found = BTreeMap::new();
    for inst in &function.insts {
        if let Op::Store { ptr, .. } | Op::Atomic { ptr, .. } = &inst.op
            && let Operand::Inst(place) = ptr
        {
            *found.entry(*place).or_default() += 1;
        }
    }
    found
}

impl SampleFile<'_> {
    /// The names of numbers that the file's text mentions, each with what it stands for and its value.
    fn constants(&self, module: &Module, unit: u32) -> BTreeMap<String, (String, i128)> {
        let file = self.file_text(&self.options.plan);
        let bodies = Bodies::of(constants_of(&file, module, unit));
        let mentioned: BTreeSet<String> = identifiers(self.text, Span::new(0, self.text.len()))
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        let worth = |name: String| {
            let body = bodies.of_name(&name)?.trim().to_owned();
            let value = cexpr::evaluate(&name, &bodies)?.as_constant()?;
            Some((name, (body, value)))
        };
        mentioned.into_iter().filter_map(worth).collect()
    }
}
