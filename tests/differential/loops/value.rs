//! Numbers as C computes with them: promotions, conversions, and what is undefined.

use super::ast::{Op, Ty};

/// A number of a type.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    Int(i64, Ty),
    Real(f64),
}

/// Undefined behaviour, or more of it than a test should take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Undefined;

impl Value {
    /// As a truth value.
    pub fn holds(self) -> bool {
        match self {
            Value::Int(v, _) => v != 0,
            Value::Real(v) => v != 0.0,
        }
    }

    /// As a subscript, a count or the like.
    pub fn index(self) -> Result<i64, Undefined> {
        match self {
            // Beyond this a `size_t` is an address that wraps around: nothing that a program should do.
            Value::Int(v, Ty::Size) if v < 0 => Err(Undefined),
            Value::Int(v, _) => Ok(v),
            Value::Real(_) => Err(Undefined),
        }
    }

    fn ty(self) -> Ty {
        match self {
            Value::Int(_, ty) => ty,
            Value::Real(_) => Ty::Double,
        }
    }

    /// Converted to a type, as an assignment does.
    pub fn to(self, ty: Ty) -> Result<Value, Undefined> {
        Ok(match (self, ty.integer()) {
            (Value::Int(v, from), None) => Value::Real(exact(v, from) as f64),
            (Value::Real(v), None) => Value::Real(v),
            (Value::Int(v, from), Some(_)) => Value::Int(wrap(exact(v, from), ty), ty),
            (Value::Real(v), Some(_)) if v.abs() < 1e9 => {
                let whole = v.trunc() as i128;
                let there = wrap(whole, ty);
                match exact(there, ty) == whole {
                    true => Value::Int(there, ty),
                    false => return Err(Undefined),
                }
            }
            (Value::Real(_), Some(_)) => return Err(Undefined),
        })
    }

    fn promoted(self) -> Value {
        match self {
            Value::Int(v, Ty::Byte | Ty::Short) => Value::Int(v, Ty::Int),
            v => v,
        }
    }
}

/// The number that is meant: those of `size_t` are kept in 64 bits.
fn exact(v: i64, ty: Ty) -> i128 {
    match ty {
        Ty::Size => i128::from(v as u64),
        _ => i128::from(v),
    }
}

fn wrap(v: i128, ty: Ty) -> i64 {
    match ty {
        Ty::Byte => i64::from(v as u8),
        Ty::Short => i64::from(v as i16),
        Ty::Int => i64::from(v as i32),
        Ty::Unsigned => i64::from(v as u32),
        Ty::Long | Ty::Size | Ty::Double => v as i64,
    }
}

/// `a op b`.
pub fn apply(op: Op, a: Value, b: Value) -> Result<Value, Undefined> {
    let (a, b) = (a.promoted(), b.promoted());
    let ty = a.ty().max(b.ty());
    match (a.to(ty)?, b.to(ty)?) {
        (Value::Int(x, _), Value::Int(y, _)) => integers(op, exact(x, ty), exact(y, ty), ty),
        (Value::Real(x), Value::Real(y)) => reals(op, x, y),
        _ => Err(Undefined),
    }
}

fn truth(b: bool) -> Result<Value, Undefined> {
    Ok(Value::Int(i64::from(b), Ty::Int))
}

fn integers(op: Op, x: i128, y: i128, ty: Ty) -> Result<Value, Undefined> {
    let v = match op {
        "+" => x + y,
        "-" => x - y,
        // Of two numbers of `size_t` the product may be more than this holds; its last 64 bits are right.
        "*" => x.wrapping_mul(y),
        "/" => x.checked_div(y).ok_or(Undefined)?,
        "%" => x.checked_rem(y).ok_or(Undefined)?,
        "&" => x & y,
        "|" => x | y,
        "^" => x ^ y,
        _ => return compared(op, x.partial_cmp(&y)),
    };
    let wrapped = wrap(v, ty);
    let signed = ty.integer().is_some_and(|(_, signed)| signed);
    match signed && exact(wrapped, ty) != v {
        true => Err(Undefined),
        false => Ok(Value::Int(wrapped, ty)),
    }
}

fn reals(op: Op, x: f64, y: f64) -> Result<Value, Undefined> {
    let v = match op {
        "+" => x + y,
        "-" => x - y,
        "*" => x * y,
        "/" | "%" | "&" | "|" | "^" => return Err(Undefined),
        _ => return compared(op, x.partial_cmp(&y)),
    };
    // Small enough for a checksum that makes whole numbers of it, and no `NaN`, of which there are several.
    match v.abs() < 1e12 {
        true => Ok(Value::Real(v)),
        false => Err(Undefined),
    }
}

fn compared(op: Op, order: Option<std::cmp::Ordering>) -> Result<Value, Undefined> {
    let order = order.ok_or(Undefined)?;
    truth(match op {
        "<" => order.is_lt(),
        "<=" => order.is_le(),
        ">" => order.is_gt(),
        ">=" => order.is_ge(),
        "==" => order.is_eq(),
        "!=" => order.is_ne(),
        _ => return Err(Undefined),
    })
}
