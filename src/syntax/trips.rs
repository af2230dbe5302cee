//! Loops whose number of iterations the source has by a name, so that a build may choose it, and how they say it.
//!
//! ```c
//! #define STEPS 4
//! for (int t = 0; t < STEPS; t++)      /* runs where STEPS > 0: not with -DSTEPS=0 */
//! for (int t = 0; t < 4; t++)          /* runs */
//! int n = 9;
//! for (int t = 0; t < n; t++)          /* runs as well, if nothing else is assigned to `n`: the source says 9 */
//! ```
//!
//! The compiler folds both into the number 4. But the first one is worth 4 in one configuration only, and what is written must
//! be right in all of them. So the names in a loop's head are followed through what variables of the function are
//! assigned. A name that is no variable of the function, and that the file gives no number itself, is one that a build may choose.
//!
//! A head is understood where a variable starts from a number and is compared with something by `<`, `<=` or `!=`. Then
//! the loop runs if that is more than the number, in the source's own words ([`Bound`]).

use super::lex::{self, Token, TokenKind};
use super::tree::{Bound, NamedTrips, ScopeTree, StmtId, StmtKind};
use super::words::INTEGER_WORDS;
use crate::source::Span;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// Assignments are followed this deep; what is assigned through more variables counts as chosen by a build.
const MOST_STEPS: usize = 6;

/// The loops of a parsed file that have names in their heads which a build may give another value.
pub(super) fn named_trips(text: &[u8], tree: &ScopeTree) -> NamedTrips {
    let loops = (0..tree.stmts.len() as u32).map(StmtId);
    let mut loops = loops.filter(|s| tree.stmt(*s).kind.is_loop()).peekable();
    if loops.peek().is_none() {
        return NamedTrips::new();
    }
    let names = TextNames::of(text, tree);
    let named = loops.filter(|stmt| names.of_head(*stmt));
    named.map(|stmt| (stmt, names.bound(stmt))).collect()
}

/// What a text says of its names, and which of them a build may therefore choose.
struct TextNames<'t> {
    text: &'t [u8],
    tree: &'t ScopeTree,
    /// Macros of the file, and how often each is defined.
    macros: FxHashMap<&'t str, usize>,
    /// What names are assigned, initial values included, in text order.
    assigned: FxHashMap<&'t [u8], Vec<Span>>,
    /// Where names are declared in functions, or defined and undefined as macros, in text order.
    declared: FxHashMap<&'t [u8], Vec<usize>>,
    /// What is known of names already: a variable that many loops begin with has as many values.
    known: RefCell<FxHashMap<NameQuery<'t>, bool>>,
}

/// A name as it is asked about.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct NameQuery<'t> {
    name: &'t [u8],
    /// The function that mentions it.
    function: Span,
    /// Whether `.` or `->` stands before it.
    is_member: bool,
    /// How many assignments may still be followed.
    steps: usize,
}

impl<'t> TextNames<'t> {
    fn of(text: &'t [u8], tree: &'t ScopeTree) -> TextNames<'t> {
        let mut names = TextNames {
            text,
            tree,
            macros: FxHashMap::default(),
            assigned: FxHashMap::default(),
            declared: FxHashMap::default(),
            known: RefCell::default(),
        };
        for name in &tree.macros {
            *names.macros.entry(name).or_default() += 1;
        }
        let in_functions = tree.stmts.iter().flat_map(|stmt| match &stmt.kind {
            StmtKind::Decl { names } | StmtKind::For { declares: names, .. } => names.as_slice(),
            _ => &[],
        });
        let parameters = tree.functions.iter().flat_map(|f| &f.params);
        for name in in_functions.chain(parameters) {
            let places = names.declared.entry(name.name.as_bytes()).or_default();
            places.push(name.span.start);
        }
        let tokens: Vec<Token> = lex::tokens(text, Span::new(0, text.len())).collect();
        for at in 0..tokens.len() {
            names.read(&tokens, at);
        }
        names.declared.values_mut().for_each(|places| places.sort_unstable());
        names
    }

    /// Notes what the text says of a name with the token that it is.
    fn read(&mut self, tokens: &[Token], at: usize) {
        let is = |at: usize, byte: u8| tokens.get(at).is_some_and(|t| t.is(byte));
        if tokens[at].kind != TokenKind::Word {
            return;
        }
        let name = tokens[at].bytes(self.text);
        let before = at.checked_sub(1).map(|b| tokens[b]);
        if before.is_some_and(|t| matches!(t.bytes(self.text), b"define" | b"undef")) {
            self.declared.entry(name).or_default().push(tokens[at].span.start);
        }
        // `=`, or an operator that ends with one; comparisons do, too.
        let operators = (at + 1..tokens.len())
            .take_while(|i| is_operator(tokens[*i].bytes(self.text)))
            .count();
        let equals = at + 1 + operators;
        let compares = operators == 1 && (is(at + 1, b'<') || is(at + 1, b'>')) || is(equals + 1, b'=');
        if operators > 2 || !is(equals, b'=') || compares {
            return;
        }
        let end = equals + 1 + value_length(&tokens[equals + 1..]);
        if end > equals + 1 {
            let value = Span::new(tokens[equals + 1].span.start, tokens[end - 1].span.end);
            self.assigned.entry(name).or_default().push(value);
        }
    }

    /// Whether the head of a loop depends on a name that a build may choose.
    fn of_head(&self, stmt: StmtId) -> bool {
        let parts = match &self.tree.stmt(stmt).kind {
            StmtKind::For { init, cond, .. } => [*init, *cond],
            StmtKind::While { cond, .. } => [Some(*cond), None],
            // The body of a `do` runs, whatever the condition says.
            _ => return false,
        };
        let function = self.tree.functions[self.tree.stmt(stmt).function as usize].span;
        let mut parts = parts.into_iter().flatten();
        parts.any(|part| self.mentions_chosen(part, function, MOST_STEPS))
    }

    /// Whether a piece of a function's text mentions a name that a build may choose. What stands behind `sizeof` is the size of
    /// something that exists.
    fn mentions_chosen(&self, span: Span, function: Span, steps: usize) -> bool {
        let tokens: Vec<Token> = lex::tokens(self.text, span).collect();
        let partner = lex::brackets(&tokens);
        let mut next = 0;
        while let Some(token) = tokens.get(next) {
            next += 1;
            let is = |at: usize, byte: u8| tokens.get(at).is_some_and(|t| t.is(byte));
            let is_member = next > 1 && (is(next - 2, b'.') || is(next - 2, b'>'));
            // What a member is given by its name is known by that name, and so is what is behind a pointer.
            let is_initial = is_member && is(next, b'=') && (next < 3 || is(next - 3, b'{') || is(next - 3, b','));
            if is_initial {
                next += value_length(&tokens[next..]);
            }
            let is_pointer = is(next, b'-') && is(next + 1, b'>');
            if token.kind != TokenKind::Word || is_initial || is_pointer {
                continue;
            }
            let word = token.bytes(self.text);
            if word == b"sizeof" {
                next = partner.get(next).copied().flatten().map_or(next + 1, |close| close + 1);
                continue;
            }
            let asked = NameQuery {
                name: word,
                function,
                is_member,
                steps,
            };
            if !INTEGER_WORDS.contains(&word) && self.is_chosen(asked) {
                return true;
            }
        }
        false
    }

    fn is_chosen(&self, asked: NameQuery<'t>) -> bool {
        if let Some(known) = self.known.borrow().get(&asked) {
            return *known;
        }
        let found = self.depends(asked);
        self.known.borrow_mut().insert(asked, found);
        found
    }

    /// [`TextNames::is_chosen`], found anew.
    fn depends(&self, asked: NameQuery<'t>) -> bool {
        let (name, function) = (asked.name, asked.function);
        if std::str::from_utf8(name).is_ok_and(|name| self.macros.contains_key(name)) {
            return true;
        }
        let is_local = !asked.is_member && self.is_local(name, function);
        let mut values = self.assigned.get(name).map_or(&[][..], Vec::as_slice);
        if is_local {
            // In text order, the values of one function stand together.
            let first = values.partition_point(|v| v.start < function.start);
            let end = values.partition_point(|v| v.start < function.end);
            values = &values[first..end];
        }
        let mut values = values.iter().filter(|v| !is_local || function.encloses(**v)).peekable();
        if values.peek().is_none() {
            // What a parameter is worth its callers say.
            return !is_local;
        }
        asked.steps == 0 || values.any(|value| self.mentions_chosen(*value, function, asked.steps - 1))
    }

    /// What decides whether a loop runs, where its head says so plainly.
    fn bound(&self, stmt: StmtId) -> Option<Bound> {
        let StmtKind::For {
            init: Some(init),
            cond: Some(cond),
            ..
        } = &self.tree.stmt(stmt).kind
        else {
            return None;
        };
        let tokens = |span: Span| -> Vec<Token> { lex::tokens(self.text, span).collect() };
        let (init, cond) = (tokens(*init), tokens(*cond));
        let bytes = |t: &Token| t.bytes(self.text);
        let [types @ .., variable, equals, start] = &init[..] else {
            return None;
        };
        let declares = types.iter().all(|t| INTEGER_WORDS.contains(&bytes(t)));
        let start = std::str::from_utf8(bytes(start)).ok()?.parse::<i8>().ok()?;
        let [compared, operator, rest @ ..] = &cond[..] else {
            return None;
        };
        let joined = rest
            .first()
            .is_some_and(|t| t.is(b'=') && t.span.start == operator.span.end);
        let (less, rest) = match bytes(operator) {
            b"<" if joined => (i128::from(start) - 1, &rest[1..]),
            b"!" if joined => (i128::from(start), &rest[1..]),
            b"<" => (i128::from(start), rest),
            _ => return None,
        };
        let function = self.tree.functions[self.tree.stmt(stmt).function as usize].span;
        if !rest.windows(2).all(|pair| self.computes(pair)) || rest.first().is_some_and(|t| t.is(b'*')) {
            return None;
        }
        let plain = |t: &Token| match t.kind {
            TokenKind::Word => self.means_one_thing(bytes(t), function),
            kind => kind == TokenKind::Number || [b'+', b'-', b'*', b'(', b')'].iter().any(|b| t.is(*b)),
        };
        if !declares || !equals.is(b'=') || bytes(compared) != bytes(variable) || !rest.iter().all(plain) {
            return None;
        }
        let words = &self.text[rest.first()?.span.start..rest.last()?.span.end];
        let words = std::str::from_utf8(words).ok().filter(|words| !words.contains('\n'))?;
        let words = match rest {
            [_] => words.to_owned(),
            _ => format!("({words})"),
        };
        let names = rest.iter().filter(|t| t.kind == TokenKind::Word);
        let names = names.map(|t| String::from_utf8_lossy(bytes(t)).into_owned()).collect();
        Some(Bound { words, less, names })
    }

    /// Whether what follows a token neither calls it nor is looked up behind a pointer.
    fn computes(&self, pair: &[Token]) -> bool {
        let ends = |t: Token| t.is(b')') || matches!(t.kind, TokenKind::Word | TokenKind::Number);
        match (ends(pair[0]), pair[1].kind) {
            (after_operand, TokenKind::Punct(b'(')) => !after_operand,
            (after_operand, TokenKind::Punct(b'*')) => after_operand,
            _ => true,
        }
    }

    fn is_local(&self, name: &[u8], function: Span) -> bool {
        let places = self.declared.get(name).map_or(&[][..], Vec::as_slice);
        let next = places.partition_point(|place| *place < function.start);
        places.get(next).is_some_and(|place| function.contains(*place))
    }

    /// Whether a name is no macro that a function defines, or that the file defines more than once.
    fn means_one_thing(&self, name: &[u8], function: Span) -> bool {
        let defined = std::str::from_utf8(name).ok().and_then(|name| self.macros.get(name));
        defined.is_none_or(|times| *times == 1 && !self.is_local(name, function))
    }
}

/// How many tokens an initial value has, or what is assigned: up to the end of the expression.
fn value_length(tokens: &[Token]) -> usize {
    let mut depth = 0usize;
    let ends = |token: &Token| {
        match token.kind {
            TokenKind::Punct(b'(' | b'[' | b'{') => depth += 1,
            TokenKind::Punct(b')' | b']' | b'}') if depth == 0 => return true,
            TokenKind::Punct(b')' | b']' | b'}') => depth -= 1,
            TokenKind::Punct(b',') => return depth == 0,
            TokenKind::Punct(b';') => return true,
            _ => {}
        }
        false
    };
    tokens.iter().position(ends).unwrap_or(tokens.len())
}

fn is_operator(token: &[u8]) -> bool {
    matches!(
        token,
        [b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' | b'<' | b'>']
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bounds of the loops of `f`'s body that builds decide on; `?` where the head does not say it plainly.
    fn named(file: &str, body: &str) -> String {
        let text = format!("{file}\nvoid f(int k, int *p)\n{{\n{body}\n}}\n");
        let tree = crate::syntax::parse(text.as_bytes(), &[]);
        let shown = tree.trips.values().map(|bound| match bound {
            Some(Bound { words, less, .. }) => format!("{words}>{less}"),
            None => "?".to_owned(),
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn names_that_a_build_may_choose() {
        let file = "#define STEPS 4\nenum { FEW = 3, MORE };\nstatic const int rounds = 7;\nstatic int some = STEPS;";
        assert_eq!(named(file, "for (int t = 0; t < STEPS; t++) ;"), "STEPS>0");
        assert_eq!(named(file, "for (t = 1; t <= STEPS + 1; t++) ;"), "(STEPS + 1)>0");
        assert_eq!(named(file, "for (t = 0; t != OTHER; t++) ;"), "OTHER>0");
        assert_eq!(named(file, "for (t = 0; t < MORE; t++) ;"), "MORE>0");
        assert_eq!(named(file, "for (t = 0; t < some; t++) ;"), "some>0");
        assert_eq!(named(file, "int n = STEPS; for (t = 0; t < n; t++) ;"), "n>0");
        assert_eq!(named(file, "int n; n = 2 * STEPS; while (k < n) k++;"), "?");
        assert_eq!(named(file, "for (t = STEPS; t > 0; t--) ;"), "?");
        assert_eq!(named(file, "for (t = 0; t < *p + STEPS; t++) ;"), "?");
        assert_eq!(named(file, "for (t = 0; t < STEPS * next(k); t++) ;"), "?");
        assert_eq!(named(file, "struct g s = { STEPS }; for (t = 0; t < s.k; t++) ;"), "?");
        assert_eq!(named(file, "s->n = STEPS; for (t = 0; t < s->n; t++) ;"), "?");
    }

    #[test]
    fn numbers_of_the_text_are_chosen_by_nobody() {
        let file = "#define STEPS 4\nenum { FEW = 3 };\nstatic const int rounds = 7;\ndouble a[STEPS];";
        for body in [
            "for (int t = 0; t < 4; t++) ;",
            "for (int t = 0; t < FEW; t++) ;",
            "for (int t = 0; t < rounds; t++) ;",
            "int n = 9; for (int t = 0; t < n && n <= STEPS == 3; t++) ;",
            "int n = 9; n += 3; n <<= 1; for (int t = n; t > 0; t--) ;",
            "for (int t = 0; t < (int)(sizeof(a) / sizeof(a[0])); t++) ;",
            "for (int t = 0; t < k; t++) ;",
            "struct g s = { .steps = 3, .to = malloc(k) }; for (int t = 0; t < s.steps; t++) ;",
            "do k++; while (k < STEPS);",
        ] {
            let named = named(file, body);
            assert_eq!(named, if body.contains("STEPS ==") { "?" } else { "" }, "{body}");
        }
    }
}
