//! Pointers that are chosen by a test, as C.

use super::Printer;
use crate::generator::ast::*;

/// The opposite of a test.
fn opposite(cond: &Cond) -> Option<Cond> {
    match *cond {
        Cond::CounterMod { id, modulus: 2, equals } => Some(Cond::CounterMod {
            id,
            modulus: 2,
            equals: 1 - equals,
        }),
        _ => None,
    }
}

/// A test in other words.
fn respelled(cond: &Cond) -> Cond {
    match *cond {
        Cond::Parity(id, by_and) => Cond::Parity(id, !by_and),
        Cond::CounterMod {
            id,
            modulus: 2,
            equals: 1,
        } => Cond::Parity(id, true),
        _ => cond.clone(),
    }
}

/// Whether nothing but calls uses the pointers.
fn only_called(choice: &Choice, body: &[Stmt]) -> bool {
    body.iter()
        .all(|s| matches!(s, Stmt::Call(c) if choice.names.iter().any(|n| c.args.iter().any(|(arg, _)| arg == n))))
}

impl Printer<'_> {
    /// Statements behind a choice, in a block of their own if they are to have one.
    pub(super) fn choose(&mut self, choice: &Choice, body: &[Stmt], braces: bool) {
        if choice.spelled && choice.form.is_expression() && only_called(choice, body) {
            let values = self.values(choice);
            for (name, value) in choice.names.into_iter().zip(values) {
                self.spelled.insert(name, value);
            }
            self.block(body);
            choice.names.iter().for_each(|name| drop(self.spelled.remove(name)));
            return;
        }
        if braces {
            self.line("{");
            self.indent += 1;
        }
        self.choice(choice, true);
        self.block(body);
        if braces {
            self.indent -= 1;
            self.line("}");
        }
    }

    /// Other values for pointers that are there.
    pub(super) fn choose_again(&mut self, choice: &Choice) {
        let declares = matches!(choice.form, ChoiceForm::Moved | ChoiceForm::MovedByTwo);
        if declares {
            self.line("{");
            self.indent += 1;
        }
        self.choice(choice, false);
        if declares {
            self.indent -= 1;
            self.line("}");
        }
    }

    /// The test where it stands before a question mark.
    fn condition(&mut self, cond: &Cond) -> String {
        let text = self.cond(cond);
        let is_loose = text.contains('?') || text.contains("||") || self.program.seed.is_multiple_of(3);
        if is_loose { format!("({text})") } else { text }
    }

    /// What both pointers become, each in one expression. A form that needs more gives what it begins with.
    fn values(&mut self, choice: &Choice) -> [String; 2] {
        let [a, b, x] = choice.among.map(|n| self.name(n));
        let [src, _] = choice.names.map(|n| self.name(n));
        let c = self.condition(&choice.test);
        let one = format!("{c} ? {b} : {a}");
        match choice.form {
            ChoiceForm::Fixed | ChoiceForm::Preset | ChoiceForm::Branch | ChoiceForm::Cascade => [a, b],
            ChoiceForm::Twice => [one, format!("{c} ? {a} : {b}")],
            ChoiceForm::Opposite => {
                let not = match opposite(&choice.test) {
                    Some(cond) => self.condition(&cond),
                    None => format!("!({})", self.cond(&choice.test)),
                };
                [one, format!("{not} ? {b} : {a}")]
            }
            ChoiceForm::Respelled => {
                let again = self.condition(&respelled(&choice.test));
                [one, format!("({again}) != 0 ? {a} : {b}")]
            }
            ChoiceForm::Compared => [one, format!("{src} == {a} ? {b} : {a}")],
            ChoiceForm::Nested => {
                let d = self.condition(&choice.second);
                [
                    format!("{c} ? {a} : {d} ? {b} : {x}"),
                    format!("{c} ? {b} : {d} ? {x} : {a}"),
                ]
            }
            ChoiceForm::Moved | ChoiceForm::MovedByTwo => {
                let u = Self::moved(choice);
                [format!("{u} & 1 ? {b} : {a}"), format!("{u} & 1 ? {a} : {b}")]
            }
            ChoiceForm::Apiece => {
                let d = self.condition(&choice.second);
                [one, format!("{d} ? {a} : {b}")]
            }
            ChoiceForm::Carried => [one, a],
        }
    }

    /// The number of which the parity is asked twice, and which changes in between.
    fn moved(choice: &Choice) -> String {
        format!("u{}", choice.names[0])
    }

    /// The choice, with the declarations of the pointers if it `declares` them.
    fn choice(&mut self, choice: &Choice, declares: bool) {
        let elem = self.program.names[choice.names[0]].elem.c();
        let [src, dst] = choice.names.map(|n| self.name(n));
        let [a, b, x] = choice.among.map(|n| self.name(n));
        let [first, second] = self.values(choice);
        let start = if declares { format!("{elem} *") } else { String::new() };
        let both = |one: &str, other: &str| format!("{src} = {one}; {dst} = {other};");
        match choice.form {
            ChoiceForm::Branch | ChoiceForm::Cascade => {
                if declares {
                    self.line(&format!("{elem} *{src}, *{dst};"));
                }
                let c = self.cond(&choice.test);
                let ways: Vec<(String, String)> = if choice.form == ChoiceForm::Branch {
                    vec![
                        (format!("if ({c}) {{"), both(&b, &a)),
                        ("} else {".into(), both(&a, &b)),
                    ]
                } else {
                    let d = self.cond(&choice.second);
                    vec![
                        (format!("if ({c}) {{"), both(&a, &b)),
                        (format!("}} else if ({d}) {{"), both(&b, &x)),
                        ("} else {".into(), both(&x, &a)),
                    ]
                };
                self.ways(&ways);
            }
            ChoiceForm::Moved | ChoiceForm::MovedByTwo => {
                let u = Self::moved(choice);
                let number = self.moving(choice);
                let step = match choice.form {
                    ChoiceForm::Moved => self.cond(&choice.second),
                    _ => "2".into(),
                };
                self.line(&format!("int {u} = {number};"));
                self.line(&format!("{start}{src} = {first};"));
                self.line(&format!("{u} += {step};"));
                self.line(&format!("{start}{dst} = {second};"));
            }
            ChoiceForm::Carried => {
                let old = if declares { a.clone() } else { src.clone() };
                self.line(&format!("{start}{dst} = {old};"));
                self.line(&format!("{start}{src} = {first};"));
            }
            _ => {
                // Lines of their own where those that nobody needs are to go.
                let is_short = declares && !self.program.minimal && choice.names[0].is_multiple_of(2);
                if is_short {
                    self.line(&format!("{start}{src} = {first}, *{dst} = {second};"));
                } else {
                    self.line(&format!("{start}{src} = {first};"));
                    self.line(&format!("{start}{dst} = {second};"));
                }
            }
        }
        if choice.form == ChoiceForm::Preset {
            let c = self.cond(&choice.test);
            self.ways(&[(format!("if ({c}) {{"), both(&b, &a))]);
        }
    }

    /// What the number starts as whose parity chooses.
    fn moving(&self, choice: &Choice) -> String {
        match choice.test {
            Cond::Parity(id, _) | Cond::Real(id, _) | Cond::CounterMod { id, .. } | Cond::CounterLess(id, _) => {
                self.counter(id)
            }
            Cond::RuntimeGreater(r, _) => self.runtime(r),
            Cond::Flag(..) | Cond::Data { .. } => self.runtime(0),
        }
    }

    /// The branches of an `if`: how each begins, and its statement.
    fn ways(&mut self, ways: &[(String, String)]) {
        for (head, statement) in ways {
            self.line(head);
            self.inside(|p| p.line(statement));
        }
        self.line("}");
    }
}
