//! The tokens of an expression, names replaced by what they are worth: where two places have equal tokens, the expression
//! has one value at both.
//!
//! Nothing is computed, so that any arithmetic will do: `(unsigned)n * m > LIMIT` is what it was as long as `n` and `m`
//! are. What could do more than compute has no tokens: calls, assignments, `++`, array elements, `*p`.

use crate::analysis::cexpr::{NameResolver, is_integer_type};
use crate::analysis::function::FunctionModel;
use crate::analysis::movement::scope::NameScope;
use crate::analysis::values::slots::{SlotId, SlotKind};
use crate::analysis::values::table::Base;
use crate::analysis::values::version::Version;
use crate::program::ir::{GlobalId, InstId, Op, Operand, Type};
use crate::symbolic::Expr;

/// A token.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum ConditionToken {
    /// An operator, a number, a type.
    Text(String),
    /// An integer variable, and the number that it holds.
    Int(SlotId, Expr),
    /// An array, or a pointer variable.
    Pointer(Option<SlotId>, Base, Expr),
    /// A variable of another type.
    Other(SlotId, Version),
    /// A global variable that only conditions look at.
    Global(GlobalId),
}

/// Macros nest at most so deep.
const MAX_NESTING: u32 = 16;

/// What stands before a token, for `*` and `&` are two operators each.
#[derive(Clone, Copy, PartialEq)]
enum Before {
    Operand,
    Operator,
    Type,
}

/// The tokens of `text`; `None` where it may do more than compute, or a name in it is not followed.
pub(super) fn tokens(text: &str, model: &FunctionModel<'_>, scope: &NameScope<'_>) -> Option<Vec<ConditionToken>> {
    let mut found = Vec::new();
    add(text, model, scope, 0, &mut found)?;
    Some(found)
}

fn add(
    text: &str,
    model: &FunctionModel<'_>,
    scope: &NameScope<'_>,
    depth: u32,
    out: &mut Vec<ConditionToken>,
) -> Option<()> {
    if depth > MAX_NESTING {
        return None;
    }
    let mut rest = text.trim_start();
    let mut before = Before::Operator;
    // For each open parenthesis, whether only a type stands in it so far.
    let mut open: Vec<bool> = Vec::new();
    while let Some(first) = rest.chars().next() {
        let length = if first.is_ascii_alphabetic() || first == '_' {
            let (path, is_call) = path(rest)?;
            if is_type(path) {
                out.push(ConditionToken::Text(path.into()));
                before = Before::Type;
            } else if is_call || path == "sizeof" {
                return None;
            } else {
                before = Before::Operand;
                if let Some(body) = scope.macro_body(path) {
                    out.push(ConditionToken::Text("{".into()));
                    add(&body, model, scope, depth + 1, out)?;
                    out.push(ConditionToken::Text("}".into()));
                } else if ["NULL", "true", "false"].contains(&path) {
                    out.push(ConditionToken::Text(path.into()));
                } else {
                    out.push(variable(path, model, scope)?);
                }
                open.iter_mut().for_each(|only_type| *only_type = false);
            }
            path.len()
        } else if first.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '_');
            let number = &rest[..end.unwrap_or(rest.len())];
            out.push(ConditionToken::Text(number.into()));
            before = Before::Operand;
            open.iter_mut().for_each(|only_type| *only_type = false);
            number.len()
        } else {
            let operator = operator(rest)?;
            match operator {
                "(" => open.push(true),
                ")" => {
                    let cast = open.pop()?;
                    before = if cast { Before::Operator } else { Before::Operand };
                }
                "*" if before == Before::Type => {}
                "*" | "&" if before != Before::Operand => return None,
                _ => {}
            }
            if operator != ")" && !(operator == "*" && before == Before::Type) {
                before = Before::Operator;
            }
            out.push(ConditionToken::Text(operator.into()));
            operator.len()
        };
        rest = rest[length..].trim_start();
    }
    (open.is_empty() && before == Before::Operand).then_some(())
}

/// The operator that `text` begins with, if it does no more than compute.
pub(super) fn operator(text: &str) -> Option<&str> {
    let two = text.get(..2).unwrap_or_default();
    let three = text.get(..3).unwrap_or_default();
    if ["<<=", ">>="].contains(&three) || ["++", "--", "->"].contains(&two) {
        return None;
    }
    if ["&&", "||", "==", "!=", "<=", ">=", "<<", ">>"].contains(&two) {
        return Some(two);
    }
    let plain = !two.ends_with('=') && "+-*/%<>!~?:()&|^".contains(text.chars().next()?);
    plain.then(|| &text[..1])
}

/// The name that `text` begins with, members included, and whether it is called or indexed.
fn path(text: &str) -> Option<(&str, bool)> {
    let word = |from: usize| {
        let rest = &text[from..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        from + end.unwrap_or(rest.len())
    };
    let mut end = word(0);
    loop {
        let rest = &text[end..];
        let arrow = if rest.starts_with("->") {
            2
        } else if rest.starts_with('.') {
            1
        } else {
            let next = rest.trim_start();
            if next.starts_with('.') || next.starts_with("->") {
                return None;
            }
            return Some((&text[..end], next.starts_with(['(', '['])));
        };
        let next = word(end + arrow);
        if next == end + arrow {
            return None;
        }
        end = next;
    }
}

/// Whether a word is a part of a type.
pub(super) fn is_type(word: &str) -> bool {
    is_integer_type(word) || ["float", "double", "_Bool", "bool", "struct", "volatile"].contains(&word)
}

/// The names in an expression that has tokens, members and types included.
pub(super) fn names(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = rest
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        let length = match path(rest) {
            _ if first.is_ascii_digit() => word,
            Some((path, _)) if word > 0 => {
                found.push(path);
                path.len()
            }
            _ => word.max(first.len_utf8()),
        };
        rest = &rest[length..];
    }
    found
}

/// What a variable holds.
fn variable(path: &str, model: &FunctionModel<'_>, scope: &NameScope<'_>) -> Option<ConditionToken> {
    let Some(slot) = scope.slot(path) else {
        if let Some((base, offset)) = scope.base(path) {
            return Some(ConditionToken::Pointer(None, base, offset));
        }
        let global = scope.global(path)?;
        return is_left_alone(model, global).then_some(ConditionToken::Global(global));
    };
    let known = model.values.slots.get(slot);
    if known.foreign || is_volatile(model, slot) {
        return None;
    }
    Some(match known.ty {
        Some(Type::Int(_)) => ConditionToken::Int(slot, scope.exact(slot)),
        Some(Type::Ptr) => {
            let (base, offset) = scope.base(path)?;
            ConditionToken::Pointer(Some(slot), base, offset)
        }
        _ => ConditionToken::Other(slot, scope.version(slot)),
    })
}

/// Whether a scalar global has one value for as long as the function runs.
fn is_left_alone(model: &FunctionModel<'_>, global: GlobalId) -> bool {
    let known = model.evaluations.left_alone.borrow().get(&global).copied();
    known.unwrap_or_else(|| {
        let answer = !model.effects.is_volatile(global) && is_written_by_nobody(model, global);
        model.evaluations.left_alone.borrow_mut().insert(global, answer);
        answer
    })
}

/// Whether nothing that a function does writes a scalar global.
fn is_written_by_nobody(model: &FunctionModel<'_>, global: GlobalId) -> bool {
    let is_scalar = matches!(
        model.module.global(global).ty,
        Type::Int(_) | Type::Ptr | Type::Float(_)
    );
    let points_to = model.points_to;
    let here = points_to.of_operand(model.func, &Operand::Global(global));
    let function = model.function();
    let writes = |inst: InstId| {
        let leads_nowhere = match &function.inst(inst).op {
            Op::Store { ptr, .. } => points_to.of_operand(model.func, ptr).is_empty(),
            _ => false,
        };
        leads_nowhere || model.effects.may_set(points_to, model.func, inst, here)
    };
    is_scalar && !here.is_empty() && !function.inst_ids().any(writes)
}

/// Whether somebody else may change a variable at any time.
fn is_volatile(model: &FunctionModel<'_>, slot: SlotId) -> bool {
    let slots = &model.values.slots;
    let volatile = model.evaluations.volatile.get_or_init(|| {
        let function = model.function();
        let accessed = function.insts.iter().filter_map(|i| i.op.volatile_access());
        accessed.filter_map(|ptr| slots.at(ptr, function)).collect()
    });
    match slots.get(slot).kind {
        SlotKind::Behind(outer, _) => volatile.contains(&slot) || is_volatile(model, outer),
        _ => volatile.contains(&slot),
    }
}
