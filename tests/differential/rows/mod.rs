//! Random programs about matrices whose rows are as long as a variable says: functions get their shape with them, have kernels on them and
//! hand them on; who calls keeps them as pointers to rows, as arrays of variable length, or flat, and has its own plans for the variable.
//!
//! ```c
//! static void f1(int n, int m, double a[n][m], double (*b)[m])
//! {
//!     #pragma omp target teams distribute parallel for collapse(2) map(from: a[0:n]) map(to: b[0:n][0:m])
//!     for (int i = 0; i < n; i++)
//!         for (int j = 0; j < m; j++)
//!             a[i][j] = b[i][j] + 1;
//! }
//! …
//! double (*p)[m] = malloc(sizeof(double[n][m])), *q = malloc(sizeof(double) * n * m);
//! for (int t = 0; t < 3; t++) {
//!     m += 2;                                              // rows of `p` stay as long as they are
//!     p[1][2] = t;
//!     m -= 2;
//!     f1(n, m, p, (double (*)[m])q);
//! }
//! ```
//!
//! A program is a list of operations and some functions with lists of their own. Every list is correct: what an operation needs
//! (matrices of one width, pointers that may be swapped) is asked while the program is printed, and what does not have it is left out. So
//! the shrinker drops operations. `grow` draws, `print` writes C, `shrink` makes programs smaller.

mod grow;
mod kernels;
pub mod print;
mod shrink;

pub use grow::grow;
pub use shrink::smaller;

use std::collections::BTreeSet;

/// A test case.
#[derive(Clone, Debug)]
pub struct Program {
    pub seed: u64,
    pub rows: i64,
    pub columns: i64,
    /// The functions stand in a file of their own.
    pub is_spread: bool,
    pub matrices: Vec<Matrix>,
    /// Functions that call only those before them.
    pub functions: Vec<Function>,
    pub ops: Vec<Op>,
}

/// What the program has of its own.
#[derive(Clone, Copy, Debug)]
pub struct Matrix {
    pub storage: Storage,
    /// Rows have one element more than those of others.
    pub is_wide: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// `double (*a)[m]` to memory of the heap.
    Rows,
    /// `double a[n][m]`.
    Array,
    /// `double *a`, and a cast where it is handed over.
    Flat,
}

/// A function that gets a shape and one matrix or two.
#[derive(Clone, Debug)]
pub struct Function {
    /// How each parameter is written.
    pub params: Vec<Param>,
    /// The length of rows comes first.
    pub columns_first: bool,
    pub body: Vec<Step>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Param {
    /// `double a[n][m]`.
    Both,
    /// `double a[][m]`.
    Open,
    /// `double (*a)[m]`.
    Pointer,
}

/// A place in a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub row: i64,
    pub column: i64,
}

/// What a function does.
#[derive(Clone, Debug)]
pub enum Step {
    Kernel(Kernel),
    /// The host writes an element, or reads it.
    Poke(usize, Cell),
    Peek(usize, Cell),
    /// A call of an earlier function, with the matrices the other way round if it is `crossed`.
    Forward {
        function: usize,
        crossed: bool,
    },
    Loop(i64, Vec<Step>),
    /// The parameter that says how long rows are is this much larger meanwhile.
    Longer(i64, Vec<Step>),
}

/// A kernel of a function.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    pub what: What,
    /// The matrix that is written.
    pub written: usize,
    /// Whether rows are mapped without saying how long they are.
    pub whole_rows: bool,
    /// Loops over rows and columns are one.
    pub collapses: bool,
    pub salt: i64,
}

/// What a kernel computes from a matrix `s`, which is the one that it writes where there is but one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// `d[i][j] = s[i][j] + c`.
    Copy,
    /// `d[i][j] += c`.
    Add,
    /// `d[i][j] = d[i][j] + s[i - 1][j]`, of another matrix.
    Above,
    /// `d[i][0] = sum of s[i]`.
    Sums,
    /// `d[1][j] += c`.
    OneRow,
    /// `d[i][1] += c`.
    OneColumn,
}

/// What the program does.
#[derive(Clone, Debug)]
pub enum Op {
    /// A call with so many of these as the function wants. It may hand flat matrices over with rows and columns exchanged.
    Call {
        function: usize,
        args: [usize; 2],
        transposed: bool,
    },
    Poke(usize, Cell),
    Peek(usize, Cell),
    /// The host reads a row.
    Show(usize, i64),
    Swap(usize, usize),
    /// Repetition: a number of the text says how often, or one of the running program.
    Loop(i64, bool, Vec<Op>),
    /// The variable that says how long rows are is this much larger meanwhile.
    Longer(i64, Vec<Op>),
    /// What the host does in every other iteration.
    Sometimes(Vec<Op>),
}

/// Names of all traps.
pub const TRAPS: &[&str] = &[
    "call from a loop",
    "call through another function",
    "rows that are longer by one",
    "flat memory as rows",
    "array of variable length",
    "length of rows that changes in a function",
    "call while the length of rows is another",
    "pointers to rows that are swapped",
    "rows and columns exchanged",
    "rows mapped as a whole",
];

/// The traps that are in the program.
pub fn traps(program: &Program) -> BTreeSet<&'static str> {
    let mut out = BTreeSet::new();
    for function in &program.functions {
        of_steps(&function.body, false, &mut out);
    }
    for matrix in &program.matrices {
        if matrix.is_wide {
            out.insert("rows that are longer by one");
        }
        match matrix.storage {
            Storage::Flat => out.insert("flat memory as rows"),
            Storage::Array => out.insert("array of variable length"),
            Storage::Rows => false,
        };
    }
    of_ops(&program.ops, [false, false], &mut out);
    out
}

fn of_steps(steps: &[Step], is_longer: bool, out: &mut BTreeSet<&'static str>) {
    for step in steps {
        match step {
            Step::Kernel(kernel) if kernel.whole_rows => drop(out.insert("rows mapped as a whole")),
            Step::Kernel(_) if is_longer => drop(out.insert("length of rows that changes in a function")),
            Step::Forward { .. } => drop(out.insert("call through another function")),
            Step::Loop(_, body) => of_steps(body, is_longer, out),
            Step::Longer(_, body) => of_steps(body, true, out),
            _ => {}
        }
    }
}

fn of_ops(ops: &[Op], [is_looped, is_longer]: [bool; 2], out: &mut BTreeSet<&'static str>) {
    for op in ops {
        match op {
            Op::Call { transposed, .. } => {
                let found = [
                    (is_looped, "call from a loop"),
                    (is_longer, "call while the length of rows is another"),
                    (*transposed, "rows and columns exchanged"),
                ];
                out.extend(found.into_iter().filter(|(is, _)| *is).map(|(_, trap)| trap));
            }
            Op::Swap(..) => drop(out.insert("pointers to rows that are swapped")),
            Op::Loop(_, _, body) => of_ops(body, [true, is_longer], out),
            Op::Longer(_, body) => of_ops(body, [is_looped, true], out),
            Op::Sometimes(body) => of_ops(body, [is_looped, is_longer], out),
            _ => {}
        }
    }
}
