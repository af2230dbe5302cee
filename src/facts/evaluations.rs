//! A file's text with what its directives evaluate on the host written down, for the compiler.
//!
//! ```c
//! #pragma omp target map(tofrom: a[0:rows[0]]) num_teams(s->n)      (void)(rows[0]); (void)(s->n);
//! { … }                                                       ──►   { … }
//! ```
//!
//! The plain IR is made without the directives, so that kernels stay in line. What the host evaluates for a directive would be
//! missing in it: reads of arrays that the device may have newer values of, and calls. With these statements in the place of
//! the pragma the compiler tells it as it tells everything else, macros and all, and [`crate::program::attach`] finds it by
//! the pragma's lines. No other byte moves, and the text is never written anywhere.
//!
//! Which expressions these are says [`crate::program::evaluated`]. Where they cannot be written down (a pragma within a line,
//! a macro that makes another directive of it, …), the function is *unseen*: it may do what its instructions do not show.

use crate::openmp::{ClauseKind, Construct, Directive};
use crate::program::evaluated::{DirectiveWords, Hidden, IsMacro, holds_value, is_plain, of_clauses};
use crate::source::Span;
use crate::syntax::{Define, Pragma, ScopeTree, StmtId, StmtKind, token_spans};
use rustc_hash::FxHashMap;

/// What is known of a file's directives before it is compiled.
pub(super) struct DirectiveEvaluations {
    /// The pieces of the text that are other ones for the compiler, and what they are there.
    pub edits: Vec<(Span, String)>,
    /// Functions with statements in place of pragmas.
    pub written: Vec<String>,
    /// Functions whose directives evaluate what is written nowhere, and why.
    pub unseen: Vec<(String, &'static str)>,
    /// By function, for its directives in order: what they say, as the text has them.
    pub told: Vec<(String, Vec<DirectiveWords>)>,
}

/// What macros stand for, those of headers included: one that is defined again has several bodies.
struct MacroBodies<'t> {
    /// Macros without arguments.
    alone: FxHashMap<&'t str, Vec<&'t str>>,
    /// Macros with arguments.
    called: FxHashMap<&'t str, Vec<&'t str>>,
}

const SOMEWHERE: &str = "a directive in it reads memory, or calls something, in a clause, and stands within a line: what that \
                         does is not followed";

/// A directive of a function.
struct PlacedDirective<'t> {
    pragma: &'t Pragma,
    directive: Directive,
}

/// Writes down what the directives of a text evaluate.
pub(super) fn evaluations(text: &[u8], tree: &ScopeTree, defined: &[Define]) -> DirectiveEvaluations {
    let mut found = DirectiveEvaluations {
        edits: Vec::new(),
        written: Vec::new(),
        unseen: Vec::new(),
        told: Vec::new(),
    };
    let macros = MacroBodies::of(tree, defined);
    let is_macro = |name: &str| macros.is_more(name, 0);
    let mut edits: Vec<(Span, String)> = { variants(tree).into_iter() }
        .map(|span| (span, String::new()))
        .collect();
    for (f, function) in tree.functions.iter().enumerate() {
        let pragmas = tree.pragmas_of(f);
        let placed: Vec<PlacedDirective<'_>> = pragmas
            .filter_map(|pragma| {
                let directive = Directive::parse(&pragma.text)?;
                Some(PlacedDirective { pragma, directive })
            })
            .collect();
        if placed.is_empty() || edits.iter().any(|(span, _)| span.contains(function.span.start)) {
            continue;
        }
        let told = |p: &PlacedDirective<'_>| DirectiveWords::by(&p.directive, &is_macro);
        found
            .told
            .push((function.name.clone(), placed.iter().map(told).collect()));
        let page = FunctionText {
            text,
            tree,
            placed: &placed,
            macros: &macros,
            is_macro: &is_macro,
        };
        match page.edits() {
            Ok(own) if own.is_empty() => {}
            Ok(own) => {
                edits.extend(own);
                found.written.push(function.name.clone());
            }
            Err(Hidden(why)) => found.unseen.push((function.name.clone(), why)),
        }
    }
    found.edits = edits;
    found
}

/// Where variants of functions are defined under the names of these, between `begin declare variant` and its end: without OpenMP
/// they are functions defined twice.
fn variants(tree: &ScopeTree) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    let mut open: Option<usize> = None;
    for pragma in tree.pragmas.iter().filter(|p| p.function.is_none()) {
        let Some(directive) = Directive::parse(&pragma.text) else {
            continue;
        };
        if directive.has(&Construct::BeginDeclareVariant) {
            open.get_or_insert(pragma.span.start);
        } else if directive.has(&Construct::EndDeclareVariant) {
            found.extend(open.take().map(|start| Span::new(start, pragma.span.end)));
        }
    }
    found
}

impl<'t> MacroBodies<'t> {
    /// The macros of a text, and those that the preprocessor knows besides.
    fn of(tree: &'t ScopeTree, defined: &'t [Define]) -> MacroBodies<'t> {
        let mut found = MacroBodies {
            alone: FxHashMap::default(),
            called: FxHashMap::default(),
        };
        for (name, body) in &tree.constants {
            found.alone.entry(name).or_default().push(body);
        }
        for define in defined {
            let kind = match define.params {
                None => &mut found.alone,
                Some(_) => &mut found.called,
            };
            kind.entry(&define.name).or_default().push(&define.body);
        }
        for name in &tree.macros {
            if !found.alone.contains_key(name.as_str()) {
                found.called.entry(name).or_default();
            }
        }
        found
    }

    /// Whether a name is a macro that stands for more than numbers and variables.
    fn is_more(&self, name: &str, depth: u32) -> bool {
        let more = |body: &str| {
            !holds_value(body) || !is_plain(body, &|inner| inner != name && self.is_more(inner, depth + 1))
        };
        let alone = self.alone.get(name);
        self.called.contains_key(name) || alone.is_some_and(|all| depth > 8 || all.iter().any(|body| more(body)))
    }
}

/// One function with directives.
struct FunctionText<'a> {
    text: &'a [u8],
    tree: &'a ScopeTree,
    placed: &'a [PlacedDirective<'a>],
    macros: &'a MacroBodies<'a>,
    is_macro: IsMacro<'a>,
}

impl FunctionText<'_> {
    /// The statements that stand for the function's directives, by the place of the pragma.
    fn edits(&self) -> Result<Vec<(Span, String)>, Hidden> {
        let mut edits = Vec::new();
        for (i, placed) in self.placed.iter().enumerate() {
            if self.kernel_around(i).is_some() {
                continue;
            }
            let mut code: String = of_clauses(&placed.directive, self.is_macro)?
                .iter()
                .map(|e| format!("(void)({e}); "))
                .collect();
            if placed.directive.is_launch()
                && let Some(stmt) = placed.pragma.before
            {
                code.push_str(&self.distributed(&placed.directive, stmt)?);
                code.push_str(&self.nested(i, stmt)?);
            }
            if code.is_empty() {
                continue;
            }
            if placed.pragma.operator {
                return Err(Hidden(SOMEWHERE));
            }
            let Some(stmt) = placed.pragma.before else {
                // At the end of a block nothing else has to be moved.
                if self.tree.place_at(placed.pragma.span.start).is_err() || placed.directive.is_launch() {
                    return Err(Hidden(SOMEWHERE));
                }
                edits.push((placed.pragma.span, code));
                continue;
            };
            let parent = self.tree.stmt(stmt).parent.map(|p| &self.tree.stmt(p).kind);
            if parent != Some(&StmtKind::Block) {
                let closing = self.closing(stmt)?;
                if closing.start < closing.end && edits.iter().any(|(span, _)| *span == closing) {
                    return Err(Hidden(SOMEWHERE));
                }
                edits.push((closing, " }".to_owned()));
                code.insert_str(0, "{ ");
            }
            edits.push((placed.pragma.span, code));
        }
        Ok(edits)
    }

    /// The kernel that a directive stands in.
    fn kernel_around(&self, i: usize) -> Option<usize> {
        let at = self.placed[i].pragma.before.or(self.placed[i].pragma.inside)?;
        self.placed.iter().enumerate().position(|(k, other)| {
            let Some(stmt) = other.pragma.before.filter(|_| other.directive.is_launch()) else {
                return false;
            };
            k < i && self.tree.encloses(stmt, at)
        })
    }

    /// The heads of the loops whose iterations a kernel's directive distributes: the host counts them.
    fn distributed(&self, directive: &Directive, stmt: StmtId) -> Result<String, Hidden> {
        if !directive.has(&Construct::Distribute) && !directive.has(&Construct::Loop) {
            return Ok(String::new());
        }
        let collapsed = directive.clauses.iter().find_map(|c| match &c.kind {
            ClauseKind::Collapse { expr } => Some(expr.trim().parse().unwrap_or(usize::MAX)),
            _ => None,
        });
        let (mut left, mut at, mut plain) = (collapsed.unwrap_or(1), Some(stmt), true);
        let mut code = String::new();
        while let Some(stmt) = at.filter(|_| left > 0) {
            at = match &self.tree.stmt(stmt).kind {
                StmtKind::For {
                    init,
                    declares,
                    cond,
                    step,
                    body,
                } => {
                    for (part, span) in [init, cond, step].into_iter().enumerate() {
                        let Some(span) = span else { continue };
                        let said = self.said(*span)?;
                        plain &= self.is_plain_part(&said, part);
                        code.push_str(&match part == 0 && !declares.is_empty() {
                            true => format!("{said}; "),
                            false => format!("(void)({said}); "),
                        });
                    }
                    left = left.saturating_sub(1);
                    Some(*body)
                }
                StmtKind::Block => self.tree.stmt(stmt).children.iter().copied().find(|c| {
                    let kind = &self.tree.stmt(*c).kind;
                    kind.is_loop() || *kind == StmtKind::Block
                }),
                // No loop, so that a macro makes one.
                StmtKind::Macro { .. } | StmtKind::Expr => {
                    self.plain_macro(stmt)?;
                    None
                }
                _ => None,
            };
        }
        Ok(if plain { String::new() } else { format!("{{ {code}}} ") })
    }

    /// Whether a loop that a macro makes has a head of numbers and variables alone, as far as can be told from what the macro is
    /// given, and from the heads of loops in its definition.
    fn plain_macro(&self, stmt: StmtId) -> Result<(), Hidden> {
        const MADE: Hidden =
            Hidden("a macro makes the loop after a directive in it: what the loop's head reads is not followed");
        let stmt = self.tree.stmt(stmt);
        let block = stmt.children.first().map(|c| self.tree.stmt(*c).span.start);
        let used = self.said(Span::new(stmt.span.start, block.unwrap_or(stmt.span.end)));
        let used = used.map_err(|_| MADE)?;
        let (name, given) = used.split_once('(').ok_or(MADE)?;
        let given = given.trim_end_matches([' ', ';']);
        let given = given.strip_suffix(')').ok_or(MADE)?;
        let bodies = self.macros.called.get(name.trim()).map_or(&[][..], Vec::as_slice);
        let plain = given.split(',').all(|argument| is_plain(argument, self.is_macro))
            && !bodies.is_empty()
            && bodies.iter().all(|body| self.has_plain_head(body));
        if plain { Ok(()) } else { Err(MADE) }
    }

    /// Whether the first loop in the definition of a macro has a head of numbers and variables alone.
    fn has_plain_head(&self, body: &str) -> bool {
        let mut heads = body.split("for").skip(1).map(str::trim_start);
        let Some(head) = heads.find_map(|head| head.strip_prefix('(')) else {
            return false;
        };
        let mut parts = head.splitn(3, ';');
        let (first, test) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
        let step = parts
            .next()
            .and_then(|s| s.split_once(')'))
            .map_or("", |(step, _)| step);
        let parts = [first, test, step];
        parts.iter().enumerate().all(|(i, part)| self.is_plain_part(part, i))
    }

    /// Whether a part of a loop's head is of numbers and variables alone; 0: what it begins with, 2: what is done to the index.
    fn is_plain_part(&self, said: &str, part: usize) -> bool {
        let expr = match part {
            0 => said.split_once('=').map_or(said, |(_, value)| value),
            2 => {
                let own = said.trim().trim_start_matches("++").trim_start_matches("--");
                let own = own.trim_end_matches("++").trim_end_matches("--");
                own.split_once('=').map_or(own, |(_, value)| value)
            }
            _ => said,
        };
        is_plain(expr, self.is_macro)
    }

    /// What a piece of code says, in one line.
    fn said(&self, span: Span) -> Result<String, Hidden> {
        let tokens = token_spans(self.text, span);
        let text = |s: &Span| String::from_utf8_lossy(&self.text[s.start..s.end]).into_owned();
        let mut said = String::new();
        let mut end = span.start;
        for token in &tokens {
            if token.start > end {
                said.push(' ');
            }
            end = token.end;
            said.push_str(&text(token));
        }
        match said.contains(['#', '{']) {
            true => Err(Hidden("the head of a loop has a preprocessor directive in it")),
            false => Ok(said),
        }
    }

    /// What the host evaluates for directives that are all that a kernel consists of: `target` with `teams` alone in it.
    fn nested(&self, kernel: usize, stmt: StmtId) -> Result<String, Hidden> {
        let mut code = String::new();
        let (mut at, mut last) = (stmt, kernel);
        loop {
            for (i, placed) in self.placed.iter().enumerate().skip(last + 1) {
                if placed.pragma.before != Some(at) {
                    continue;
                }
                last = i;
                let own = of_clauses(&placed.directive, self.is_macro)?;
                code.extend(own.iter().map(|e| format!("(void)({e}); ")));
                code.push_str(&self.distributed(&placed.directive, at)?);
            }
            let does_something = |s: &StmtId| {
                let trivial = matches!(
                    self.tree.stmt(*s).kind,
                    StmtKind::Decl { .. } | StmtKind::Empty | StmtKind::Expr
                );
                !trivial || self.placed.iter().any(|p| p.pragma.before == Some(*s))
            };
            let mut children = self.tree.stmt(at).children.iter().copied().filter(does_something);
            match (&self.tree.stmt(at).kind, children.next(), children.next()) {
                (StmtKind::Block, Some(only), None) => at = only,
                _ => return Ok(code),
            }
        }
    }

    /// Where a brace can be written after a statement without moving anything.
    fn closing(&self, stmt: StmtId) -> Result<Span, Hidden> {
        let end = self.tree.stmt(stmt).span.end;
        match self.text.get(end..end + 2) {
            Some([b' ' | b'\t', b' ' | b'\t']) => Ok(Span::new(end, end + 2)),
            _ => match self.text.get(end) {
                None | Some(b'\n' | b'\r') => Ok(Span::new(end, end)),
                _ => Err(Hidden(SOMEWHERE)),
            },
        }
    }
}

/// The text with pieces of it replaced; what lies within another piece goes with that. Lines stay where they are.
pub(super) fn written(text: &[u8], edits: &[(Span, String)]) -> Vec<u8> {
    let mut sorted: Vec<&(Span, String)> = edits.iter().collect();
    sorted.sort_by_key(|(span, _)| span.start);
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    for (span, code) in sorted {
        if span.start < at {
            continue;
        }
        out.extend_from_slice(&text[at..span.start]);
        out.extend_from_slice(code.as_bytes());
        out.extend(text[span.start..span.end].iter().filter(|b| **b == b'\n'));
        at = span.end;
    }
    out.extend_from_slice(&text[at..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> DirectiveEvaluations {
        evaluations(text.as_bytes(), &crate::syntax::parse(text.as_bytes(), &[]), &[])
    }

    fn shown(text: &str) -> String {
        let edits = of(text).edits;
        assert!(!edits.is_empty(), "something is written down");
        String::from_utf8(written(text.as_bytes(), &edits)).unwrap()
    }

    #[test]
    fn clauses_become_statements_in_the_pragmas_place() {
        let text = "void f(int *c, double *a) {\n#pragma omp target \\\n map(a[0:c[0]]) // x\n{ a[0] = 1; }\n}\n";
        assert_eq!(
            shown(text),
            "void f(int *c, double *a) {\n(void)(c[0]); \n\n{ a[0] = 1; }\n}\n"
        );
        assert_eq!(of(text).told[0].1[0].more, 1);
    }

    #[test]
    fn braces_hold_what_is_no_member_of_a_block() {
        let text =
            "void f(int *c, double *a) {\nif (a)\n#pragma omp target map(a[0:c[0]])\n a[0] = 1;\n else c = 0; }\n";
        assert_eq!(
            shown(text),
            "void f(int *c, double *a) {\nif (a)\n{ (void)(c[0]); \n a[0] = 1; }\n else c = 0; }\n"
        );
        let tight = "void f(int *c, double *a) {\nif (a)\n#pragma omp target map(a[0:c[0]])\n a[0] = 1;else c = 0; }\n";
        assert_eq!(of(tight).unseen.len(), 1);
    }

    #[test]
    fn heads_of_distributed_loops_are_evaluated() {
        let text = "void f(int *c, double *a, int n) {\n#pragma omp target teams distribute collapse(2)\n\
                    for (int i = 0; i < n; i++) {\n for (int j = c[1]; j < n; j += 2) a[i] = j;\n}\n}\n";
        let line = shown(text).lines().nth(1).unwrap().to_owned();
        assert_eq!(
            line,
            "{ int i = 0; (void)(i < n); (void)(i++); int j = c[1]; (void)(j < n); (void)(j += 2); } "
        );
        let plain = "void f(double *a, int n) {\n#pragma omp target teams distribute parallel for\n\
                     for (int i = 0; i < n; ++i) a[i] = 1;\n}\n";
        assert!(of(plain).edits.is_empty() && of(plain).unseen.is_empty());
        let by_one_team = "void f(int *c, double *a) {\n#pragma omp target parallel for\nfor (int i = 0; i < c[0]; i++) a[i] = 1;\n}\n";
        assert!(of(by_one_team).edits.is_empty());
    }

    #[test]
    fn directives_that_are_all_of_a_kernel_count() {
        let text = "void f(int *c, double *a, int n) {\n#pragma omp target\n{\n#pragma omp teams num_teams(c[2])\n\
                    #pragma omp distribute\nfor (int i = 0; i < c[0]; i++) a[i] = 1; }\n}\n";
        let line = shown(text).lines().nth(1).unwrap().to_owned();
        assert_eq!(line, "(void)(c[2]); { int i = 0; (void)(i < c[0]); (void)(i++); } ");
    }

    #[test]
    fn macros_of_the_text_are_seen_through() {
        let text = "#define N 8\n#define ROWS c[0]\nvoid f(int *c, double *a) {\n#pragma omp target map(a[0:N])\n{ a[0] = 1; }\n\
                    #pragma omp target map(a[0:ROWS])\n{ a[0] = 1; }\n}\n";
        let more: Vec<usize> = of(text).told[0].1.iter().map(|t| t.more).collect();
        assert_eq!(more, [0, 1]);
        assert!(shown(text).contains("(void)(ROWS);"));
    }
}
