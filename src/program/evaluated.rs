//! What the host evaluates when it meets a directive.
//!
//! ```c
//! #pragma omp target teams distribute parallel for map(tofrom: a[0:rows[0]]) num_teams(s->teams) if(ready(b))
//! for (int i = first[0]; i < last[0]; i++) …
//! ```
//!
//! Before this kernel starts, the *host* reads `rows[0]` and `s->teams`, calls `ready`, and, because it has to know how many
//! iterations there are to distribute, reads `first[0]` and `last[0]`. None of it is in the plain IR, which is compiled
//! without the directives; [`crate::facts`] writes it down there.
//!
//! Plain expressions, of numbers and variables alone, are left out: a variable's own value is never newer on the device.

use crate::openmp::{Association, ClauseKind, Construct, Directive, Item, ItemPath, MapModifier, PathStep};
use crate::source::Span;
use crate::syntax::token_spans;

/// A directive evaluates what cannot be written down as expressions at its place: why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hidden(pub &'static str);

/// What a directive says, as far as macros may change it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DirectiveWords {
    /// How many expressions it evaluates that are not plain.
    pub more: usize,
    /// The directive's name and those of its clauses.
    pub words: String,
    /// What its lists name, and how.
    pub lists: String,
}

impl DirectiveWords {
    /// What a directive says.
    pub fn by(directive: &Directive, is_macro: IsMacro<'_>) -> DirectiveWords {
        let (mut words, mut lists) = (directive.name(), String::new());
        for clause in &directive.clauses {
            words.push_str(&format!("; {}", clause.name));
            match &clause.kind {
                ClauseKind::Map(map) => lists.push_str(&format!(" {:?} {:?}", map.map_type, map.modifiers)),
                ClauseKind::Reduction { op, .. } => lists.push_str(&format!(" {op}")),
                ClauseKind::Default { .. } | ClauseKind::Defaultmap { .. } => {
                    lists.push_str(&format!(" {:?}", clause.kind));
                }
                _ => {}
            }
            for item in clause.kind.items() {
                let name = match item.unparsed {
                    true => item.key(),
                    false => without_indices(&item.path),
                };
                lists.push_str(&format!(" {name}"));
            }
        }
        DirectiveWords {
            more: of_clauses(directive, is_macro).map_or(usize::MAX, |e| e.len()),
            words,
            lists,
        }
    }
}

fn without_indices(path: &ItemPath) -> String {
    let steps = path.steps.iter().map(|step| match step {
        PathStep::Member(name) => format!(".{name}"),
        PathStep::Arrow(name) => format!("->{name}"),
        PathStep::Index(_) => "[]".to_owned(),
    });
    std::iter::once(path.base.clone()).chain(steps).collect()
}

/// Says of names whether they are macros for more than numbers and variables.
pub type IsMacro<'a> = &'a dyn Fn(&str) -> bool;

/// Clauses without an expression that is more than a constant.
const CONSTANT: [&str; 16] = [
    "align",
    "at",
    "atomic_default_mem_order",
    "bind",
    "fail",
    "memory_order",
    "message",
    "order",
    "ordered",
    "permutation",
    "proc_bind",
    "safelen",
    "severity",
    "simdlen",
    "sizes",
    "update",
];

/// The expressions in a directive's clauses that are not plain, in the order of the text.
///
/// # Errors
/// What cannot be evaluated where the directive stands.
pub fn of_clauses(directive: &Directive, is_macro: IsMacro<'_>) -> Result<Vec<String>, Hidden> {
    if directive.has(&Construct::Metadirective) {
        return Err(Hidden("a `metadirective` may be any directive"));
    }
    if directive.association() == Association::Declaration {
        return Ok(Vec::new());
    }
    let items = directive.clauses.iter().flat_map(|c| c.kind.items());
    if { items }.any(|i| ["<:", "<%", "??"].iter().any(|other| i.text.contains(other))) {
        return Err(Hidden("brackets in a directive here are spelled in another way"));
    }
    let mut found = Vec::new();
    for clause in &directive.clauses {
        let all = expressions(&clause.name, &clause.kind)?;
        found.extend(all.into_iter().filter(|e| !is_plain(e, is_macro)));
    }
    Ok(found)
}

/// All expressions of a clause.
fn expressions(name: &str, kind: &ClauseKind) -> Result<Vec<String>, Hidden> {
    let mut found: Vec<String> = kind.items().iter().flat_map(of_item).collect();
    let modifiers: &[MapModifier] = match kind {
        ClauseKind::Map(map) => &map.modifiers,
        ClauseKind::To(motion) | ClauseKind::From(motion) => &motion.modifiers,
        _ => &[],
    };
    if modifiers.iter().any(|m| matches!(m, MapModifier::Iterator(_))) {
        return Err(Hidden("the items of an `iterator` are not followed"));
    }
    match kind {
        ClauseKind::If { expr, .. }
        | ClauseKind::Device { expr, .. }
        | ClauseKind::ThreadLimit { expr }
        | ClauseKind::NumThreads { expr } => found.push(expr.clone()),
        ClauseKind::NumTeams { lower, upper } => found.extend(lower.iter().chain([upper]).cloned()),
        ClauseKind::Schedule { chunk, .. } | ClauseKind::DistSchedule { chunk, .. } => found.extend(chunk.clone()),
        ClauseKind::Nowait { expr } => found.extend(expr.clone()),
        ClauseKind::Linear { step: Some(step), .. } => found.extend(linear_step(step)?),
        ClauseKind::Allocate { allocator, .. } => found.extend(allocator.clone()),
        ClauseKind::Depend(depend) if depend.modifier.is_some() => {
            return Err(Hidden("the items of an `iterator` are not followed"));
        }
        ClauseKind::Other { args: Some(args) } if !CONSTANT.contains(&name) => {
            // `grainsize(strict: n)`
            let args = args.trim_start();
            let args = args
                .strip_prefix("strict")
                .map(str::trim_start)
                .and_then(|a| a.strip_prefix(':'))
                .unwrap_or(args);
            found.push(args.to_owned());
        }
        _ => {}
    }
    Ok(found)
}

/// The expression in what follows the list of a `linear` clause: `2`, `val, step(2)`. Whether `step(n)` alone is a modifier or a
/// call depends on the version of OpenMP, so it has to be of a number.
fn linear_step(text: &str) -> Result<Option<String>, Hidden> {
    let modifier = text.rsplit(',').next().unwrap_or(text).trim().strip_prefix("step");
    let Some(step) = modifier.map(str::trim).filter(|m| m.starts_with('(')) else {
        return Ok(Some(text.to_owned()));
    };
    let number = step.strip_prefix('(').and_then(|s| s.strip_suffix(')'));
    match number.is_some_and(|n| n.trim().bytes().all(|b| b.is_ascii_digit())) {
        true => Ok(None),
        false => Err(Hidden(
            "what the step of a `linear` clause is depends on the version of OpenMP",
        )),
    }
}

/// What stands in the brackets of a list item.
fn of_item(item: &Item) -> Vec<String> {
    let text = &item.text;
    let spans = token_spans(text.as_bytes(), Span::new(0, text.len()));
    let (mut found, mut open, mut start) = (Vec::new(), Vec::new(), 0);
    // How many colons belong to a `?`.
    let mut choices = 0usize;
    for span in spans {
        let token = &text[span.start..span.end];
        match token {
            "[" | "(" => {
                if token == "[" && !open.contains(&"[") {
                    start = span.end;
                }
                open.push(token);
            }
            ")" => {
                open.pop();
            }
            "]" => {
                open.pop();
                if !open.contains(&"[") {
                    found.push(text[start..span.start].to_owned());
                }
            }
            "?" => choices += 1,
            ":" if choices > 0 => choices -= 1,
            ":" if open.iter().filter(|o| **o == "[").count() == 1 && open.last() == Some(&"[") => {
                found.push(text[start..span.start].to_owned());
                start = span.end;
            }
            _ => {}
        }
    }
    found.retain(|e| !e.trim().is_empty());
    // `(b + q[2])[0:1]`, `*(b + q[2])`: where it is.
    if item.unparsed {
        let base = text.trim_start_matches(['*', ' ', '&']);
        let close = base.rfind(')').map_or(0, |at| at + 1);
        if close > 0 {
            found.push(base[..close].to_owned());
        }
    }
    found
}

/// Whether what stands before a parenthesis may be called: a name that is no word of C's, or an expression.
fn may_be_called(token: &str) -> bool {
    const WORDS: [&str; 4] = ["sizeof", "_Alignof", "alignof", "defined"];
    is_name(token) && !WORDS.contains(&token) || token == ")" || token == "]"
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// Whether what a macro stands for is a value by itself: `(int)` before a pointer, and `(q, t)` behind a function, are none.
pub fn holds_value(body: &str) -> bool {
    let spans = token_spans(body.as_bytes(), Span::new(0, body.len()));
    let tokens: Vec<&str> = spans.iter().map(|s| &body[s.start..s.end]).collect();
    let is_cast = tokens.last() == Some(&")") && may_be_cast(&tokens);
    !is_cast && !tokens.contains(&",") && !tokens.is_empty()
}

/// Whether an expression consists of numbers and variables alone, by its tokens. `false` where that is not sure.
pub fn is_plain(text: &str, is_macro: IsMacro<'_>) -> bool {
    // Other spellings of brackets.
    if ["<:", ":>", "<%", "%>", "??"].iter().any(|other| text.contains(other)) {
        return false;
    }
    let spans = token_spans(text.as_bytes(), Span::new(0, text.len()));
    let tokens: Vec<&str> = spans.iter().map(|s| &text[s.start..s.end]).collect();
    let is_value = |token: &str| is_name(token) || token.starts_with(|c: char| c.is_ascii_digit());
    let beside = |i: usize| i > 0 && spans[i - 1].end == spans[i].start;
    for (i, token) in tokens.iter().enumerate() {
        let before = i.checked_sub(1).map(|i| tokens[i]);
        let joined = before.filter(|_| beside(i)).unwrap_or("");
        let plain = match *token {
            "[" | "." | "{" | "#" => false,
            // `->`, `++` and `--`, and assignments.
            ">" => joined != "-",
            "+" | "-" => joined != *token,
            "=" => matches!(joined, "<" | ">" | "=" | "!") || tokens.get(i + 1) == Some(&"="),
            // A product, and not what a pointer leads to, nor an address.
            "*" | "&" => before.is_some_and(is_value) || before == Some(")") && !may_be_cast(&tokens[..i]),
            "(" => !before.is_some_and(may_be_called),
            name if is_name(name) => !is_macro(name),
            _ => true,
        };
        if !plain {
            return false;
        }
    }
    true
}

/// Whether the parentheses that these tokens end with may be those of a cast: with nothing but words in them, and `sizeof` not
/// before them.
fn may_be_cast(tokens: &[&str]) -> bool {
    let mut depth = 0usize;
    for (i, token) in tokens.iter().enumerate().rev() {
        match *token {
            ")" => depth += 1,
            "(" => {
                depth -= 1;
                if depth == 0 {
                    let inside = &tokens[i + 1..tokens.len() - 1];
                    let size = i > 0 && ["sizeof", "_Alignof", "alignof"].contains(&tokens[i - 1]);
                    return !size && inside.iter().all(|t| is_name(t) || *t == "*");
                }
            }
            _ => {}
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<Vec<String>, Hidden> {
        of_clauses(&Directive::parse(text).unwrap(), &|name| name == "ROWS")
    }

    #[test]
    fn what_is_read_is_found() {
        for (text, found) in [
            ("omp target map(tofrom: a[0:n], b[i][0:2*m])", vec![]),
            (
                "omp target map(tofrom: a[0:cnt[0]], c) num_teams(s->n)",
                vec!["cnt[0]", "s->n"],
            ),
            ("omp target map(a[*p:n]) if(target: f(a))", vec!["*p", "f(a)"]),
            ("omp target map(a[c ? x[0] : y : n])", vec!["c ? x[0] : y"]),
            ("omp target map(a[0:ROWS])", vec!["ROWS"]),
            (
                "omp parallel for linear(j: st[1]) schedule(static, g(3))",
                vec!["st[1]", "g(3)"],
            ),
            ("omp simd linear(j: st[1] * step(2))", vec!["st[1] * step(2)"]),
            ("omp simd linear(j: val, step(2))", vec![]),
            ("omp taskloop grainsize(strict: k[0])", vec!["k[0]"]),
            ("omp parallel reduction(+: r[0:8 - st[1]])", vec!["8 - st[1]"]),
            ("omp target map((*v)[0:c[0]])", vec!["c[0]", "(*v)"]),
            ("omp target map(*(b + q[2]))", vec!["(b + q[2])"]),
            ("omp declare reduction(m: double: omp_out = f(omp_in))", vec![]),
        ] {
            let found: Vec<String> = found.into_iter().map(str::to_owned).collect();
            assert_eq!(
                of(text).map(|f| f.iter().map(|e| e.trim().to_owned()).collect()),
                Ok(found),
                "{text}"
            );
        }
        assert!(of("omp simd linear(j: step(st[1]))").is_err());
        assert!(of("omp simd linear(j: f(st, step(2)))").is_err());
        assert!(of("omp metadirective default(target)").is_err());
        assert!(of("omp target update to(iterator(i = 0:n): a[i:p[i]])").is_err());
    }

    #[test]
    fn plain_expressions() {
        for (text, plain) in [
            ("n * m + 1", true),
            ("(n + 1) / 2", true),
            ("(size_t)n * 3u", true),
            ("(count)(n)", false),
            ("q<:0:>", false),
            ("sizeof(double) * n", true),
            ("n > 3 && m", true),
            ("*n", false),
            ("s.n", false),
            ("n++", false),
            ("f(n)", false),
            ("(*f)(n)", false),
            ("0.5 * n", true),
            ("(n + 1) * m", true),
            ("(int)*p", false),
        ] {
            assert_eq!(is_plain(text, &|_| false), plain, "{text}");
        }
    }
}
