//! The tree of a C function's body, and how it is printed.

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// One line: a declaration, an expression, a jump, a label or a pragma.
    Line(String),
    /// A branch; without statements in `other` it has no `else`.
    If {
        cond: String,
        then: Vec<Stmt>,
        other: Vec<Stmt>,
    },
    /// Braces after `head` (a loop, a `switch`, a `case`, or nothing), with `tail` after the closing one.
    Block {
        head: String,
        body: Vec<Stmt>,
        tail: String,
    },
}

/// A statement of one line.
pub fn line(text: impl Into<String>) -> Stmt {
    Stmt::Line(text.into())
}

/// A pragma of OpenMP.
pub fn omp(text: impl AsRef<str>) -> Stmt {
    Stmt::Line(format!("#pragma omp {}", text.as_ref()))
}

/// `body` in braces after `head`.
pub fn block(head: impl Into<String>, body: Vec<Stmt>) -> Stmt {
    Stmt::Block {
        head: head.into(),
        body,
        tail: String::new(),
    }
}

/// A branch with two sides.
pub fn branch(cond: impl Into<String>, then: Vec<Stmt>, other: Vec<Stmt>) -> Stmt {
    Stmt::If {
        cond: cond.into(),
        then,
        other,
    }
}

/// The text of `body`, each line behind `indent` times four spaces.
pub fn print(body: &[Stmt], indent: usize) -> String {
    let mut text = String::new();
    for stmt in body {
        stmt.print(indent, &mut text);
    }
    text
}

impl Stmt {
    fn print(&self, indent: usize, text: &mut String) {
        let space = "    ".repeat(indent);
        match self {
            Stmt::Line(line) => text.push_str(&format!("{space}{line}\n")),
            Stmt::If { cond, then, other } => {
                text.push_str(&format!("{space}if ({cond}) {{\n{}", print(then, indent + 1)));
                if !other.is_empty() {
                    text.push_str(&format!("{space}}} else {{\n{}", print(other, indent + 1)));
                }
                text.push_str(&format!("{space}}}\n"));
            }
            Stmt::Block { head, body, tail } => {
                let gap = if head.is_empty() { "" } else { " " };
                let body = print(body, indent + 1);
                text.push_str(&format!("{space}{head}{gap}{{\n{body}{space}}}{tail}\n"));
            }
        }
    }
}
