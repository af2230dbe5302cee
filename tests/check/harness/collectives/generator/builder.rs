//! What a program is put together in: fresh names, file-scope declarations, functions, values and conditions.

use std::collections::BTreeSet;

use super::features::Feature;
use super::rng::Rng;
use super::tree::{Stmt, line, print};

/// A program that is being made.
pub struct Builder {
    pub rng: Rng,
    /// How many ranks or threads run the program.
    pub agents: usize,
    /// What stands at file scope, above the functions.
    pub globals: Vec<String>,
    /// Declarations of `main`, before all else.
    pub locals: Vec<String>,
    /// The clauses of outermost parallel regions.
    pub clauses: Vec<String>,
    /// The functions, callees first.
    pub functions: Vec<Function>,
    /// What the program has.
    pub features: BTreeSet<Feature>,
    names: usize,
}

/// A function of a program.
pub struct Function {
    pub name: String,
    pub text: String,
}

/// An integer expression, what has to run before it, and what it is on each rank or thread.
#[derive(Clone, Debug)]
pub struct Value {
    pub setup: Vec<Stmt>,
    pub expr: String,
    pub each: Vec<i64>,
}

impl Value {
    /// An expression that needs nothing before it.
    pub fn plain(expr: impl Into<String>, each: Vec<i64>) -> Value {
        Value {
            setup: Vec::new(),
            expr: expr.into(),
            each,
        }
    }

    /// Whether two ranks or threads have different values.
    pub fn diverges(&self) -> bool {
        differ(&self.each)
    }

    /// The least value of any rank or thread.
    pub fn least(&self) -> i64 {
        self.each.iter().copied().min().unwrap_or(0)
    }

    /// The greatest value of any rank or thread.
    pub fn most(&self) -> i64 {
        self.each.iter().copied().max().unwrap_or(0)
    }
}

fn differ<T: PartialEq>(each: &[T]) -> bool {
    each.windows(2).any(|two| two[0] != two[1])
}

impl Builder {
    /// A builder for a program that `agents` ranks or threads run.
    pub fn new(seed: u64, agents: usize) -> Builder {
        Builder {
            rng: Rng::new(seed),
            agents,
            globals: Vec::new(),
            locals: Vec::new(),
            clauses: Vec::new(),
            functions: Vec::new(),
            features: BTreeSet::new(),
            names: 0,
        }
    }

    /// A name that nothing else has.
    pub fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    /// One of `items`, which must not be empty.
    pub fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        self.rng.pick(items).expect("something to pick from")
    }

    /// Records that the program has `feature`.
    pub fn note(&mut self, feature: Feature) {
        self.features.insert(feature);
    }

    /// Adds a line at file scope unless it is there.
    pub fn global(&mut self, text: &str) {
        if !self.globals.iter().any(|global| global == text) {
            self.globals.push(text.to_string());
        }
    }

    /// Adds a function. Parameters that its body does not name are cast to `void`.
    pub fn function(&mut self, head: &str, params: &[String], body: &[Stmt]) {
        let text = print(body, 1);
        let list = if params.is_empty() {
            "void".to_string()
        } else {
            params.join(", ")
        };
        let mut unused = Vec::new();
        for param in params {
            let name = param.rsplit([' ', '*']).next().unwrap_or(param);
            if !mentions(&text, name) {
                unused.push(line(format!("(void){name};")));
            }
        }
        let unused = print(&unused, 1);
        let name = head.rsplit(' ').next().unwrap_or(head).to_string();
        let text = format!("static {head}({list})\n{{\n{unused}{text}}}\n");
        self.functions.push(Function { name, text });
    }

    /// What stands above `main`, whose text is `main`: of what was declared, what something uses.
    pub fn above(&self, main: &str) -> String {
        let mut text = main.to_string();
        for function in self.functions.iter().rev() {
            if mentions(&text, &function.name) {
                text = format!("{}\n{text}", function.text);
            }
        }
        let functions = text[..text.len() - main.len()].to_string();
        let used = |global: &&String| declared(global).any(|name| mentions(&text, name));
        let globals: String = self
            .globals
            .iter()
            .filter(used)
            .map(|global| format!("{global}\n"))
            .collect();
        let gap = if globals.is_empty() { "" } else { "\n" };
        format!("{globals}{gap}{functions}")
    }

    /// A condition on a value that is the same everywhere; `want` says whether the condition holds.
    pub fn holds(&mut self, value: &Value, want: bool) -> String {
        let (expr, n) = (&value.expr, value.each[0]);
        let choices = if want {
            [
                format!("{expr} == {n}"),
                format!("{expr} > {}", n - 1),
                format!("{expr} <= {n}"),
                format!("{expr} != {}", n + 2),
            ]
        } else {
            [
                format!("{expr} != {n}"),
                format!("{expr} > {}", n + 1),
                format!("{expr} < {n}"),
                format!("{expr} == {}", n + 3),
            ]
        };
        self.pick(&choices)
    }

    /// A condition that holds for some ranks or threads and not for others, on a value that differs between them.
    pub fn splits(&mut self, value: &Value) -> String {
        assert!(value.diverges(), "{} is the same everywhere", value.expr);
        let expr = &value.expr;
        let some = self.pick(&value.each);
        let (least, most) = (value.least(), value.most());
        let bound = self.rng.range(least, most - 1);
        let mut choices = vec![format!("{expr} > {bound}"), format!("{expr} <= {bound}")];
        if value.each.contains(&some) {
            choices.push(format!("{expr} == {some}"));
            choices.push(format!("{expr} != {some}"));
        }
        if least >= 0 && differ(&value.each.iter().map(|n| n % 2).collect::<Vec<_>>()) {
            choices.push(format!("{expr} % 2 == {}", self.rng.below(2)));
        }
        if !expr.contains('?') && differ(&value.each.iter().map(|n| *n == 0).collect::<Vec<_>>()) {
            choices.push(expr.clone());
            choices.push(format!("!{expr}"));
        }
        self.pick(&choices)
    }

    /// Between `least` and `most` statements that compute with a variable of their own.
    pub fn arithmetic(&mut self, expr: &str, least: i64, most: i64) -> Vec<Stmt> {
        let name = self.name("t");
        let mut body = vec![line(format!("int {name} = {expr} + {};", self.rng.range(1, 9)))];
        for _ in 0..self.rng.range(least, most) {
            let (factor, more) = (self.rng.range(2, 7), self.rng.range(1, 9));
            let choices = [
                format!("{name} = {name} * {factor} + {more};"),
                format!("{name} ^= {more};"),
                format!("{name} = ({name} + {more}) % {};", factor + 10),
            ];
            body.push(line(self.pick(&choices)));
        }
        body.push(line(format!("(void){name};")));
        body
    }
}

/// The words of a line at file scope that may be names of what it declares.
fn declared(global: &str) -> impl Iterator<Item = &str> {
    let words = global.split(|c: char| !c.is_alphanumeric() && c != '_');
    let keywords = [
        "static",
        "const",
        "int",
        "struct",
        "_Thread_local",
        "spare",
        "left",
        "right",
        "me",
        "count",
    ];
    words.filter(move |word| word.starts_with(char::is_alphabetic) && !keywords.contains(word))
}

/// Whether `name` is a word of `text`.
pub fn mentions(text: &str, name: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !before.is_some_and(word) && !after.is_some_and(word)
    })
}
