//! Numbers as C computes with them: promotions, conversions, and what is undefined.

/// The integer types, by rank: of two that are at least as wide as `int`, the later one is the type of a sum.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Width {
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    Unsigned,
    Long,
    Size,
}

pub const WIDTHS: [Width; 8] = [
    Width::SignedChar,
    Width::UnsignedChar,
    Width::Short,
    Width::UnsignedShort,
    Width::Int,
    Width::Unsigned,
    Width::Long,
    Width::Size,
];

impl Width {
    /// How C calls it.
    pub fn c(self) -> &'static str {
        match self {
            Width::SignedChar => "signed char",
            Width::UnsignedChar => "unsigned char",
            Width::Short => "short",
            Width::UnsignedShort => "unsigned short",
            Width::Int => "int",
            Width::Unsigned => "unsigned",
            Width::Long => "long",
            Width::Size => "size_t",
        }
    }

    pub fn least(self) -> i128 {
        match self {
            Width::SignedChar => i8::MIN.into(),
            Width::Short => i16::MIN.into(),
            Width::Int => i32::MIN.into(),
            Width::Long => i64::MIN.into(),
            _ => 0,
        }
    }

    pub fn most(self) -> i128 {
        match self {
            Width::SignedChar => i8::MAX.into(),
            Width::UnsignedChar => u8::MAX.into(),
            Width::Short => i16::MAX.into(),
            Width::UnsignedShort => u16::MAX.into(),
            Width::Int => i32::MAX.into(),
            Width::Unsigned => u32::MAX.into(),
            Width::Long => i64::MAX.into(),
            Width::Size => u64::MAX.into(),
        }
    }

    pub fn is_signed(self) -> bool {
        self.least() < 0
    }

    pub fn holds(self, value: i128) -> bool {
        (self.least()..=self.most()).contains(&value)
    }

    /// What a number becomes that is converted to it.
    pub fn wrap(self, value: i128) -> i128 {
        let count = self.most() - self.least() + 1;
        (value - self.least()).rem_euclid(count) + self.least()
    }

    fn promoted(self) -> Width {
        self.max(Width::Int)
    }
}

/// A number of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Number {
    pub value: i128,
    pub width: Width,
    /// Arithmetic or a conversion has made another number of it than it would be without types.
    pub bent: bool,
}

impl Number {
    pub fn truth(holds: bool) -> Number {
        Number {
            value: holds.into(),
            width: Width::Int,
            bent: false,
        }
    }

    pub fn holds(self) -> bool {
        self.value != 0
    }

    pub fn to(self, width: Width) -> Number {
        Number {
            value: width.wrap(self.value),
            width,
            bent: self.bent || !width.holds(self.value),
        }
    }

    /// Its negative.
    pub fn negated(self) -> Option<Number> {
        let width = self.width.promoted();
        let found = computed(-self.value, width)?;
        Some(Number {
            bent: found.bent || self.bent,
            ..found
        })
    }
}

/// What the operators with two numbers are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Xor,
    Right,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

impl Op {
    pub fn c(self) -> &'static str {
        match self {
            Op::Add => "+",
            Op::Sub => "-",
            Op::Mul => "*",
            Op::Div => "/",
            Op::Rem => "%",
            Op::And => "&",
            Op::Xor => "^",
            Op::Right => ">>",
            Op::Less => "<",
            Op::LessEqual => "<=",
            Op::Greater => ">",
            Op::GreaterEqual => ">=",
            Op::Equal => "==",
            Op::NotEqual => "!=",
        }
    }

    /// How tight it binds: the higher the tighter.
    pub fn level(self) -> u8 {
        match self {
            Op::Mul | Op::Div | Op::Rem => 10,
            Op::Add | Op::Sub => 9,
            Op::Right => 8,
            Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => 7,
            Op::Equal | Op::NotEqual => 6,
            Op::And => 5,
            Op::Xor => 4,
        }
    }
}

/// A result of arithmetic in a type; `None` where C does not define it.
fn computed(value: i128, width: Width) -> Option<Number> {
    let wrapped = width.wrap(value);
    (!width.is_signed() || wrapped == value).then_some(Number {
        value: wrapped,
        width,
        bent: wrapped != value,
    })
}

/// `a op b`; `None` where C does not define it.
pub fn apply(op: Op, a: Number, b: Number) -> Option<Number> {
    let width = a.width.promoted().max(b.width.promoted());
    let converted = op != Op::Right && !(width.holds(a.value) && width.holds(b.value));
    let found = arithmetic(op, a, b)?;
    Some(Number {
        bent: found.bent || converted || a.bent || b.bent,
        ..found
    })
}

fn arithmetic(op: Op, a: Number, b: Number) -> Option<Number> {
    if op == Op::Right {
        let width = a.width.promoted();
        let bits = if width.most() > u32::MAX.into() { 64 } else { 32 };
        // Of a negative number the compiler would have to say what that is.
        let defined = (0..bits).contains(&b.value) && a.value >= 0;
        return defined.then(|| Number {
            value: a.value >> b.value,
            width,
            bent: false,
        });
    }
    let width = a.width.promoted().max(b.width.promoted());
    let (a, b) = (a.to(width).value, b.to(width).value);
    match op {
        Op::Add => computed(a + b, width),
        Op::Sub => computed(a - b, width),
        Op::Mul => computed(a.checked_mul(b)?, width),
        Op::Div => computed(a.checked_div(b)?, width),
        Op::Rem => computed(a.checked_rem(b)?, width).filter(|_| width.holds(a / b)),
        Op::And => computed(a & b, width),
        Op::Xor => computed(a ^ b, width),
        Op::Right => None,
        Op::Less => Some(Number::truth(a < b)),
        Op::LessEqual => Some(Number::truth(a <= b)),
        Op::Greater => Some(Number::truth(a > b)),
        Op::GreaterEqual => Some(Number::truth(a >= b)),
        Op::Equal => Some(Number::truth(a == b)),
        Op::NotEqual => Some(Number::truth(a != b)),
    }
}
