//! The programs: a few scalars, three arrays that may overlap, one two-dimensional array, loops.

use std::fmt::{self, Display, Write};

/// Types of scalars.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ty {
    Int,
    Unsigned,
    Long,
    Size,
}

impl Ty {
    pub fn bits(self) -> u32 {
        match self {
            Ty::Int | Ty::Unsigned => 32,
            Ty::Long | Ty::Size => 64,
        }
    }
    pub fn signed(self) -> bool {
        matches!(self, Ty::Int | Ty::Long)
    }
    /// The usual arithmetic conversions.
    pub fn with(self, other: Ty) -> Ty {
        let rank = |t: Ty| match t {
            Ty::Int => 0,
            Ty::Unsigned => 1,
            Ty::Long => 2,
            Ty::Size => 3,
        };
        if rank(self) >= rank(other) { self } else { other }
    }
    fn text(self) -> &'static str {
        match self {
            Ty::Int => "int",
            Ty::Unsigned => "unsigned",
            Ty::Long => "long",
            Ty::Size => "size_t",
        }
    }
}

/// Index of a variable in [`Function::vars`].
pub type Var = usize;

/// What elements are accessed as.
#[derive(Clone, PartialEq, Debug)]
pub enum Place {
    /// `a[e]`, of `int`.
    Element(usize, Box<E>),
    /// `((char *)a)[e]`.
    Byte(usize, Box<E>),
    /// `G[e][f]`.
    Cell(Box<E>, Box<E>),
}

#[derive(Clone, PartialEq, Debug)]
pub enum E {
    Const(i64),
    Var(Var),
    Bin(char, Box<E>, Box<E>),
    Load(Place),
    /// `(unsigned char)e` and the like.
    Cast(&'static str, Box<E>),
}

#[derive(Clone, Debug)]
pub enum S {
    Store(Place, E),
    Set(Var, E),
    /// `v op= e`.
    Update(Var, char, E),
    If(E, &'static str, E, Vec<S>, Vec<S>),
    For(Box<Loop>),
    Continue,
}

#[derive(Clone, Debug)]
pub struct Loop {
    pub var: Var,
    pub declares: bool,
    pub first: E,
    pub cmp: &'static str,
    pub end: E,
    pub step: i64,
    pub body: Vec<S>,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub ty: Ty,
    pub param: bool,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub vars: Vec<Variable>,
    pub arrays: Vec<&'static str>,
    pub body: Vec<S>,
    /// The variable whose value is returned.
    pub result: Var,
}

struct Text<'f> {
    of: &'f Function,
    out: String,
    depth: usize,
}

impl Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Text {
            of: self,
            out: String::new(),
            depth: 1,
        };
        let params = self
            .vars
            .iter()
            .filter(|v| v.param)
            .map(|v| format!("{} {}", v.ty.text(), v.name));
        let arrays = self.arrays.iter().map(|a| format!("int *{a}"));
        let all: Vec<String> = params.chain(arrays).collect();
        writeln!(text.out, "long {}({}) {{", self.name, all.join(", "))?;
        let mut declared: Vec<Var> = Vec::new();
        inside(&self.body, &mut declared);
        for (i, v) in self
            .vars
            .iter()
            .enumerate()
            .filter(|(i, v)| !v.param && !declared.contains(i))
        {
            writeln!(text.out, "    {} {} = {};", v.ty.text(), v.name, i)?;
        }
        text.block(&self.body)?;
        writeln!(text.out, "    return {};\n}}", self.vars[self.result].name)?;
        f.write_str(&text.out)
    }
}

/// Variables that loops declare.
fn inside(body: &[S], found: &mut Vec<Var>) {
    for s in body {
        match s {
            S::For(l) => {
                if l.declares {
                    found.push(l.var);
                }
                inside(&l.body, found);
            }
            S::If(_, _, _, yes, no) => {
                inside(yes, found);
                inside(no, found);
            }
            _ => {}
        }
    }
}

impl Text<'_> {
    fn block(&mut self, body: &[S]) -> fmt::Result {
        for s in body {
            let pad = "    ".repeat(self.depth);
            match s {
                S::Store(p, e) => writeln!(self.out, "{pad}{} = {};", self.place(p), self.expr(e))?,
                S::Set(v, e) => writeln!(self.out, "{pad}{} = {};", self.of.vars[*v].name, self.expr(e))?,
                S::Update(v, op, e) => writeln!(self.out, "{pad}{} {op}= {};", self.of.vars[*v].name, self.expr(e))?,
                S::Continue => writeln!(self.out, "{pad}continue;")?,
                S::If(l, cmp, r, yes, no) => {
                    writeln!(self.out, "{pad}if ({} {cmp} {}) {{", self.expr(l), self.expr(r))?;
                    self.nested(yes)?;
                    if !no.is_empty() {
                        writeln!(self.out, "{pad}}} else {{")?;
                        self.nested(no)?;
                    }
                    writeln!(self.out, "{pad}}}")?;
                }
                S::For(l) => {
                    let v = &self.of.vars[l.var];
                    let declares = if l.declares {
                        format!("{} ", v.ty.text())
                    } else {
                        String::new()
                    };
                    let step = match l.step {
                        1 => format!("{}++", v.name),
                        -1 => format!("{}--", v.name),
                        s if s > 0 => format!("{} += {s}", v.name),
                        s => format!("{} -= {}", v.name, -s),
                    };
                    let (first, end) = (self.expr(&l.first), self.expr(&l.end));
                    writeln!(
                        self.out,
                        "{pad}for ({declares}{} = {first}; {} {} {end}; {step}) {{",
                        v.name, v.name, l.cmp
                    )?;
                    self.nested(&l.body)?;
                    writeln!(self.out, "{pad}}}")?;
                }
            }
        }
        Ok(())
    }

    fn nested(&mut self, body: &[S]) -> fmt::Result {
        self.depth += 1;
        self.block(body)?;
        self.depth -= 1;
        Ok(())
    }

    fn place(&self, p: &Place) -> String {
        match p {
            Place::Element(a, e) => format!("{}[{}]", self.of.arrays[*a], self.expr(e)),
            Place::Byte(a, e) => format!("((char *){})[{}]", self.of.arrays[*a], self.expr(e)),
            Place::Cell(e, f) => format!("G[{}][{}]", self.expr(e), self.expr(f)),
        }
    }

    fn expr(&self, e: &E) -> String {
        match e {
            E::Const(c) if *c < 0 => format!("({c})"),
            E::Const(c) => c.to_string(),
            E::Var(v) => self.of.vars[*v].name.clone(),
            E::Bin(op, l, r) => format!("({} {op} {})", self.expr(l), self.expr(r)),
            E::Load(p) => self.place(p),
            E::Cast(ty, e) => format!("({ty}){}", self.expr(e)),
        }
    }
}
