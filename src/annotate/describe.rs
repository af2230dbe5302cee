//! A verdict in words, on one line, as a person would check it.

use crate::analysis::dependence::verdict::{
    ArrayUse, BranchTest, CallTrouble, LoopRefusal, LoopVerdict, NotCanonical, Obstacle, Parallel, Reduction,
    ReductionOp, Requirement, ScalarTrouble,
};
use crate::analysis::function::FunctionModel;
use crate::analysis::values::table::{Base, SymKind};
use crate::program::ir::{SourceType, VarId};
use crate::reasons::Serial;
use crate::symbolic::{Expr, Section, SpacingStyle, Sym, print_expr};

/// The verdict on a loop: `parallel`, with everything that it rests on, or `refused`, with the reason.
pub fn describe(model: &FunctionModel<'_>, verdict: &LoopVerdict) -> String {
    let names = ModelNames { model };
    match verdict {
        LoopVerdict::Parallel(p) => names.parallel(p),
        LoopVerdict::Refused(r) => format!("refused: {}", names.refusal(r)),
    }
}

/// Why a loop is left alone.
pub(super) fn refusal(model: &FunctionModel<'_>, refusal: &LoopRefusal) -> Serial {
    ModelNames { model }.refusal(refusal)
}

/// A condition, as the rest of a sentence after "if".
pub(super) fn reason(model: &FunctionModel<'_>, condition: &Requirement) -> String {
    ModelNames { model }.condition(condition)
}

struct ModelNames<'a, 'm> {
    model: &'a FunctionModel<'m>,
}

impl ModelNames<'_, '_> {
    fn parallel(&self, p: &Parallel) -> String {
        let mut parts = vec!["parallel".to_owned()];
        if p.collapse > 1 {
            parts.push(format!("collapse({})", p.collapse));
        }
        for (clause, vars) in [
            ("private", &p.private),
            ("firstprivate", &p.firstprivate),
            ("lastprivate", &p.lastprivate),
        ] {
            if !vars.is_empty() {
                let list: Vec<String> = vars.iter().map(|v| self.variable(*v)).collect();
                parts.push(format!("{clause}({})", list.join(", ")));
            }
        }
        parts.extend(p.reductions.iter().map(|r| self.reduction(r)));
        for condition in &p.conditions {
            parts.push(format!("if {}", self.condition(condition)));
        }
        if p.may_write_bound() {
            parts.push("elsewhere it may write its bound".to_owned());
        }
        parts.extend(p.arrays.iter().map(|a| self.array(a)));
        parts.join("; ")
    }

    fn reduction(&self, r: &Reduction) -> String {
        let exact = if r.exact { "" } else { " up to rounding" };
        format!("reduction({}: {}){exact}", operator(r.op), self.variable(r.var))
    }

    fn condition(&self, condition: &Requirement) -> String {
        match condition {
            Requirement::AtMost { left, right } => format!("{} <= {}", self.expr(left), self.expr(right)),
            Requirement::Clear { distance, reach } => {
                format!(
                    "{} is 0 or at least {} away from it",
                    self.expr(distance),
                    self.expr(reach)
                )
            }
            Requirement::Branch(BranchTest::AtMost { left, right }) => {
                format!("{} <= {}", self.expr(left), self.expr(right))
            }
            Requirement::Branch(BranchTest::Equal { left, right }) => {
                format!("{} is {}", self.expr(left), self.expr(right))
            }
            Requirement::Branch(BranchTest::Differs { left, right }) => {
                format!("{} is not {}", self.expr(left), self.expr(right))
            }
            Requirement::Branch(BranchTest::Present { base }) => format!("{} is not null", self.base(*base)),
            Requirement::Apart { a, b, written } => {
                let why = if *written { "" } else { " to be mapped" };
                format!("{} and {} are apart{why}", self.base(*a), self.base(*b))
            }
        }
    }

    fn array(&self, a: &ArrayUse) -> String {
        let reach = |reach: &Option<Section>| reach.as_ref().map_or("?".to_owned(), |s| self.section(s));
        let mut words = Vec::new();
        words.extend(a.read.as_ref().map(|r| format!("reads [{}]", reach(r))));
        words.extend(a.written.as_ref().map(|w| format!("writes [{}]", reach(w))));
        words.extend(
            a.surely_written
                .as_ref()
                .map(|s| format!("surely [{}]", self.section(s))),
        );
        format!("{} {}", self.base(a.base), words.join(" "))
    }

    fn section(&self, s: &Section) -> String {
        let length = s.len().map_or("?".to_owned(), |l| self.expr(&l));
        format!("{}:{length}", self.expr(&s.lo))
    }

    fn refusal(&self, refusal: &LoopRefusal) -> Serial {
        let var = |v: &Option<VarId>| {
            v.map_or("a value without a name".to_owned(), |v| {
                format!("`{}`", self.variable(v))
            })
        };
        match &refusal.obstacle {
            Obstacle::NotCanonical(what) => Serial::NotCounted { form: form(*what) },
            Obstacle::Leaves => Serial::Leaves,
            Obstacle::Annotated => Serial::Annotated,
            Obstacle::HiddenLoop => Serial::HiddenLoop,
            Obstacle::Special => Serial::Special,
            Obstacle::VariableLength => Serial::VariableLength,
            Obstacle::HostType => Serial::HostType,
            Obstacle::Call { callee, why } => {
                let unnamed = match why {
                    // Of other functions that set it there are calls.
                    CallTrouble::Errno | CallTrouble::ErrnoOutside => "`fmod`",
                    _ => "a function through a pointer",
                };
                let callee = callee.map_or(unnamed.to_owned(), |f| {
                    format!("`{}`", self.model.module.function(f).name)
                });
                let trouble = trouble(*why);
                Serial::Call { callee, trouble }
            }
            Obstacle::Scalar {
                var: v,
                why: ScalarTrouble::Carried,
            } => Serial::Carried { variable: var(v) },
            Obstacle::Scalar {
                var: v,
                why: ScalarTrouble::SometimesSet,
            } => Serial::SometimesSet { variable: var(v) },
            Obstacle::Dependence { base } => Serial::Dependence {
                array: self.base(*base),
            },
            Obstacle::Unknown => Serial::NotFollowed,
            Obstacle::PointerValue => Serial::PointerValue,
            Obstacle::MovingPointer => Serial::MovingPointer,
            Obstacle::TooLarge => Serial::TooLarge,
        }
    }

    fn variable(&self, var: VarId) -> String {
        self.model.function().variables[var.0 as usize].name.clone()
    }

    fn base(&self, base: Base) -> String {
        match base {
            Base::Local(v) => self.variable(v),
            Base::Global(g) => {
                let global = self.model.module.global(g);
                let itself = matches!(global.source_type, Some(SourceType::Pointer { .. }));
                format!("{}{}", if itself { "&" } else { "" }, global.name)
            }
            Base::Value(sym) => self.symbol(sym),
        }
    }

    fn symbol(&self, sym: Sym) -> String {
        let name = match self.model.values.kind(sym) {
            SymKind::Slot(slot, _) => self.model.values.slots.get(slot).name.clone(),
            SymKind::Cast(of, to) => Some(format!("({}){}", to.name(), self.symbol(of))),
            SymKind::Inst(_) | SymKind::Arg(_) | SymKind::Bound(_) => None,
        };
        name.unwrap_or_else(|| "?".to_owned())
    }

    fn expr(&self, e: &Expr) -> String {
        print_expr(e, &|s| Some(self.symbol(s)), SpacingStyle::default()).unwrap_or_else(|| "?".to_owned())
    }
}

pub(super) fn operator(op: ReductionOp) -> &'static str {
    match op {
        ReductionOp::Add => "+",
        ReductionOp::Multiply => "*",
        ReductionOp::And => "&",
        ReductionOp::Or => "|",
        ReductionOp::Xor => "^",
        ReductionOp::Min => "min",
        ReductionOp::Max => "max",
    }
}

fn form(what: NotCanonical) -> &'static str {
    match what {
        NotCanonical::NoFor => "it is no `for`",
        NotCanonical::Init => "it does not begin by setting its index",
        NotCanonical::StartVaries => "it starts from a number that it sets",
        NotCanonical::Test => "it does not end where its index passes a bound",
        NotCanonical::Step => "it does not step its index by a constant",
        NotCanonical::IndexType => "its index is no `int`, `long` or the like",
        NotCanonical::IndexModified => "the body changes its index",
        NotCanonical::IndexEscapes => "the address of its index is taken",
        NotCanonical::IndexUsedAfter => "its index is read after it",
        NotCanonical::BoundVaries => "its bound may change in it",
        NotCanonical::MayWrap => "its index or bound may wrap around",
        NotCanonical::Miscounted => {
            "its index is unsigned, narrower than its bound and steps by more than one, which clang counts wrongly"
        }
    }
}

fn trouble(why: CallTrouble) -> &'static str {
    match why {
        CallTrouble::Unknown => "may do anything",
        CallTrouble::InputOutput => "does input or output",
        CallTrouble::State => "uses hidden state",
        CallTrouble::Memory => "uses memory",
        CallTrouble::MayNotReturn => "may not return",
        CallTrouble::NotOnDevice => "cannot run on a device",
        CallTrouble::Recursive => "is recursive",
        CallTrouble::Errno => "may set errno, which the program may look at",
        CallTrouble::ErrnoOutside => "may set errno, which other files may look at",
    }
}
