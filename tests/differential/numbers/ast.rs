//! Programs about numbers as trees.

use super::number::{Number, Op, Width};

/// How a number of the text is spelled, which is a part of its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Literal {
    pub value: i128,
    pub base: Base,
    pub unsigned: bool,
    pub long: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    Decimal,
    Octal,
    Hexadecimal,
    /// `'a'`.
    Character,
}

#[derive(Clone, Debug)]
pub enum Expr {
    Literal(Literal),
    /// The length of the arrays of the file, by its name.
    Size,
    /// A parameter of the function.
    Param(usize),
    /// A variable of the function: a counter or another one.
    Local(usize),
    /// A constant of the file.
    Constant(usize),
    Binary(Op, Box<Expr>, Box<Expr>),
    Cast(Width, Box<Expr>),
    Negative(Box<Expr>),
    Not(Box<Expr>),
    Both(Box<Expr>, Box<Expr>),
    Either(Box<Expr>, Box<Expr>),
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// Which array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Array {
    First,
    Second,
    /// What the function is given.
    Given,
    /// What the function has allocated.
    Own,
    /// No array: a function is given NULL.
    Nothing,
}

/// What is done with an element.
#[derive(Clone, Debug)]
pub enum Action {
    Read,
    Set(i64),
    Add(i64),
    /// Says so where the element has this remainder.
    Show(i64),
    /// Takes an element of another array.
    Take(Array, Expr),
}

#[derive(Clone, Debug)]
pub enum Step {
    Up,
    Down,
    By(Expr),
    DownBy(Expr),
    /// `c = e`.
    To(Expr),
}

/// How a loop is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    For,
    While,
    DoWhile,
    /// The first value is set, and the variable declared, in front of the loop.
    Bare,
}

#[derive(Clone, Debug)]
pub struct Loop {
    pub form: Form,
    pub counter: usize,
    pub start: Expr,
    pub test: Expr,
    pub step: Step,
    /// The loop is left after so many turns.
    pub turns: Option<i64>,
    /// The whole loop runs on the device, and maps all of the array.
    pub serial: bool,
    pub body: Vec<Stmt>,
}

/// `for (T i = start; i < end; i++) array[index] = ...`, each iteration another element.
#[derive(Clone, Debug)]
pub struct Kernel {
    pub array: Array,
    /// First element and number of those that are mapped; all where there are none.
    pub section: Option<(Expr, Expr)>,
    /// `if(target: ...)`.
    pub condition: Option<Expr>,
    pub counter: usize,
    pub start: Expr,
    pub test: Expr,
    pub step: Step,
    pub index: Expr,
    pub salt: i64,
}

#[derive(Clone, Debug)]
pub enum Stmt {
    Access(Array, Expr, Action),
    Declare(usize, Expr),
    Change(usize, Step),
    /// The variable counts for the result.
    Tell(usize),
    If(Expr, Vec<Stmt>),
    Loop(Loop),
    Kernel(Kernel),
    /// A function, what it is given, and a number for each of its parameters.
    Call(usize, Array, Vec<Expr>),
}

#[derive(Clone, Debug)]
pub struct Function {
    pub params: Vec<Width>,
    pub locals: Vec<Width>,
    /// How many elements are allocated at its beginning.
    pub own: Option<Expr>,
    pub body: Vec<Stmt>,
}

/// How a constant is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Made {
    Macro,
    Enumerator,
    Static(Width),
}

#[derive(Clone, Debug)]
pub struct Constant {
    pub made: Made,
    pub value: Expr,
}

/// A program: functions of which the last one calls the others, and what it is called with.
#[derive(Clone, Debug)]
pub struct Program {
    pub seed: u64,
    /// Nothing runs on the device yet.
    pub plain: bool,
    /// Elements of the first two arrays.
    pub size: i64,
    /// Their number is an enumerator and no macro: then what is written need not be right for other numbers.
    pub fixed: bool,
    pub constants: Vec<Constant>,
    pub functions: Vec<Function>,
    pub calls: Vec<Vec<i128>>,
}

impl Stmt {
    /// The statements in it.
    pub fn block_mut(&mut self) -> Option<&mut Vec<Stmt>> {
        match self {
            Stmt::If(_, body) | Stmt::Loop(Loop { body, .. }) => Some(body),
            _ => None,
        }
    }

    /// The expressions of the statement itself.
    pub fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        fn of_step(step: &mut Step) -> Option<&mut Expr> {
            match step {
                Step::By(e) | Step::DownBy(e) | Step::To(e) => Some(e),
                Step::Up | Step::Down => None,
            }
        }
        match self {
            Stmt::Access(_, index, Action::Take(_, other)) => vec![index, other],
            Stmt::Access(_, e, _) | Stmt::Declare(_, e) | Stmt::If(e, _) => vec![e],
            Stmt::Change(_, step) => of_step(step).into_iter().collect(),
            Stmt::Loop(l) => {
                let step = of_step(&mut l.step);
                [&mut l.start, &mut l.test].into_iter().chain(step).collect()
            }
            Stmt::Kernel(k) => {
                let section = k.section.iter_mut().flat_map(|(first, count)| [first, count]);
                let rest = [&mut k.start, &mut k.test, &mut k.index];
                let all = rest.into_iter().chain(section).chain(&mut k.condition);
                all.chain(of_step(&mut k.step)).collect()
            }
            Stmt::Call(_, _, args) => args.iter_mut().collect(),
            Stmt::Tell(_) => Vec::new(),
        }
    }
}

impl Expr {
    /// A number as everybody writes it.
    pub fn number(value: i64) -> Expr {
        Expr::Literal(Literal::small(value.into()))
    }

    /// `a op b`.
    pub fn binary(op: Op, a: Expr, b: Expr) -> Expr {
        Expr::Binary(op, Box::new(a), Box::new(b))
    }

    /// The expressions that it is made of.
    pub fn parts(&self) -> Vec<&Expr> {
        match self {
            Expr::Literal(_) | Expr::Size | Expr::Param(_) | Expr::Local(_) | Expr::Constant(_) => Vec::new(),
            Expr::Cast(_, e) | Expr::Negative(e) | Expr::Not(e) => vec![e],
            Expr::Binary(_, a, b) | Expr::Both(a, b) | Expr::Either(a, b) => vec![a, b],
            Expr::Choice(c, a, b) => vec![a, b, c],
        }
    }
}

impl Literal {
    /// A number as everybody writes it.
    pub fn small(value: i128) -> Literal {
        Literal {
            value,
            base: Base::Decimal,
            unsigned: false,
            long: false,
        }
    }

    /// The number, of the first type of its list (C11 6.4.4.1) that holds it.
    pub fn number(&self) -> Number {
        let decimal = matches!(self.base, Base::Decimal | Base::Character);
        let fits = |width: &Width| {
            let unsigned = !width.is_signed();
            let long = *width >= Width::Long;
            let listed = if self.unsigned { unsigned } else { !unsigned || !decimal };
            listed && (long || !self.long) && width.holds(self.value)
        };
        let all = [Width::Int, Width::Unsigned, Width::Long, Width::Size];
        let width = all.into_iter().find(fits).unwrap_or(Width::Size);
        Number {
            value: self.value,
            width,
            bent: false,
        }
    }
}
