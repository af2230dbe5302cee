//! OpenMP directives in OpenACC: which of its directives and clauses says the same.
//!
//! ```text
//! #pragma omp target teams distribute parallel for if(target: n > 0) private(t) map(to: x[0:n]) map(from: y[0:n])
//! #pragma acc parallel loop if(n > 0) private(t) copyin(x[0:n]) copyout(y[0:n])
//! ```
//!
//! | OpenMP | OpenACC |
//! |---|---|
//! | `target teams distribute parallel for` | `parallel loop` |
//! | `target data`, `target enter data`, `target exit data` | `data`, `enter data`, `exit data` |
//! | `map(to: …)`, `from`, `tofrom`, `alloc` | `copyin(…)`, `copyout`, `copy`, `create` |
//! | `map(release: …)` | `delete(…)` |
//! | `target update to(…)`, `from(…)` | `update device(…)`, `self(…)`, with `if_present` |
//! | `if(target: c)`, `if(c)` | `if(c)` |
//! | `collapse`, `private`, `firstprivate`, `reduction` | the same |
//! | `num_teams` | nothing |
//!
//! **Why it is the same.** Since OpenACC 2.5 the data clauses are about data that may be present already: like `map`
//! they copy only what is not, and count. `exit data delete` without `finalize` takes one off the count, as `release`
//! does. An update of what is not there is an error unless `if_present` stands with it; OpenMP's does nothing. Scalars
//! without a clause are firstprivate on `parallel`, as on `target`, pointers among them; `private` and `reduction` of
//! the combined construct belong to the loop, and reduction variables are copied there and back. Sections are written
//! alike, `[lower:length]`.
//!
//! **A false `if`.** The region is then run by the thread that comes to it, and by no other. OpenMP needs `num_teams`
//! to say so (see [`mod@crate::annotate`]), OpenACC has nothing else: gcc calls the region's function once, with one
//! gang of one worker and one lane, and analyses its loop like any other before it vectorises it; LLVM lowers the
//! region to the plain loop. So iterations come one after the other, also where they depend on one another. (The loop
//! of a `parallel` construct counts as `independent`, and the standard does not say in so many words that this is about
//! the device alone. A compiler that held the host to it would be wrong about loops with a test for arrays that may
//! overlap.)
//!
//! What has no equivalent is a problem, not a guess: `lastprivate`, members of structs (OpenACC maps no pointer along
//! with what it points to), map modifiers, other directives.

use super::print::{list_clause, render};
use super::{Clause, ClauseKind, Construct, Directive, DirectiveProblem, Item, MapType, Style};

/// The OpenACC directive for the OpenMP directive `raw`, written as [`super::print`] does: each line begins with
/// `indent`.
///
/// # Errors
/// The part that has no equivalent.
pub fn translate(raw: &str, style: &Style, indent: &str) -> Result<String, DirectiveProblem> {
    let directive = Directive::parse(raw).ok_or_else(|| DirectiveProblem {
        span: crate::source::Span::new(0, raw.len()),
        message: "it is no OpenMP directive".into(),
    })?;
    if let Some(problem) = directive.problems.first() {
        return Err(problem.clone());
    }
    let none = || DirectiveProblem {
        span: directive.name_span,
        message: format!("OpenACC has no equivalent of `{}`", directive.name()),
    };
    let (name, exits) = match directive.kind.as_slice() {
        [Construct::TargetData] => ("data", false),
        [Construct::TargetEnterData] => ("enter data", false),
        [Construct::TargetExitData] => ("exit data", true),
        [Construct::TargetUpdate] => ("update", false),
        kind if kind == KERNEL => ("parallel loop", false),
        _ => return Err(none()),
    };
    let mut clauses: Vec<Vec<String>> = Vec::new();
    for clause in &directive.clauses {
        clauses.extend(equivalent(raw, clause, style, exits)?);
    }
    if name == "update" {
        clauses.push(vec!["if_present".into()]);
    }
    Ok(render(&in_openacc(style), indent, name, clauses))
}

const KERNEL: [Construct; 5] = [
    Construct::Target,
    Construct::Teams,
    Construct::Distribute,
    Construct::Parallel,
    Construct::For,
];

/// The directive before a function that kernels call.
pub fn routine(style: &Style, indent: &str) -> String {
    render(&in_openacc(style), indent, "routine seq", Vec::new())
}

/// The style, for the other sentinel.
fn in_openacc(style: &Style) -> Style {
    let before = style.sentinel.strip_suffix("omp").unwrap_or("#pragma ");
    Style {
        sentinel: format!("{before}acc"),
        ..style.clone()
    }
}

/// The pieces of what a clause becomes; see [`render`].
fn equivalent(raw: &str, clause: &Clause, style: &Style, exits: bool) -> Result<Option<Vec<String>>, DirectiveProblem> {
    let none = |what: &str| DirectiveProblem {
        span: clause.span,
        message: format!("OpenACC has no equivalent of {what}"),
    };
    let written = &raw[clause.span.start..clause.span.end];
    let list = |name: &str, items: &[Item]| {
        let plain = |i: &&Item| i.unparsed || !i.path.steps.is_empty();
        match items.iter().find(plain) {
            Some(item) => Err(none(&format!("mapping `{}`, which is no variable", item.text))),
            None => {
                let items: Vec<String> = items.iter().map(|i| i.text.clone()).collect();
                Ok(Some(list_clause(name, "", &items, style)))
            }
        }
    };
    match &clause.kind {
        ClauseKind::Map(map) if map.modifiers.is_empty() => {
            let name = match (map.effective_type(), exits) {
                (MapType::To, false) => "copyin",
                (MapType::From, _) => "copyout",
                (MapType::Tofrom, false) => "copy",
                (MapType::Alloc, false) => "create",
                (MapType::Release, true) => "delete",
                _ => return Err(none(&format!("`{written}` here"))),
            };
            list(name, &map.items)
        }
        ClauseKind::To(motion) if motion.modifiers.is_empty() => list("device", &motion.items),
        ClauseKind::From(motion) if motion.modifiers.is_empty() => list("self", &motion.items),
        ClauseKind::If { expr, .. } => Ok(Some(vec![format!("if{}({expr})", style.before_paren)])),
        ClauseKind::NumTeams { .. } => Ok(None),
        ClauseKind::Collapse { .. } | ClauseKind::Private { .. } | ClauseKind::Firstprivate { .. } => {
            Ok(Some(vec![written.to_owned()]))
        }
        ClauseKind::Reduction { modifier: None, .. } => Ok(Some(vec![written.to_owned()])),
        _ => Err(none(&format!("`{written}`"))),
    }
}

/// Whether a pragma, without `#pragma`, is OpenACC's and does more than to mark a function.
pub fn has_effect(text: &str) -> bool {
    is_openacc(text) && !text[3..].trim_ascii_start().starts_with("routine")
}

/// Whether a pragma, without `#pragma`, is OpenACC's.
pub fn is_openacc(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next() == Some("acc")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(raw: &str) -> Result<String, String> {
        translate(raw, &Style::default(), "").map_err(|p| p.message)
    }

    #[test]
    fn kernels() {
        let raw = "#pragma omp target teams distribute parallel for collapse(2) if(g && n > 0) \\\n    num_teams(g ? 8 : 1) \
                   private(j, k) reduction(max: m) map(to: x[3:n-3]) map(tofrom: y) map(from: z[0:n][0:64])";
        assert_eq!(
            plain(raw).unwrap(),
            "#pragma acc parallel loop collapse(2) if(g && n > 0) private(j, k) reduction(max: m) \\\n    \
             copyin(x[3:n-3]) copy(y) copyout(z[0:n][0:64])"
        );
        assert_eq!(
            plain("#pragma omp target teams distribute parallel for if(target: n > 0)").unwrap(),
            "#pragma acc parallel loop if(n > 0)"
        );
    }

    #[test]
    fn data() {
        let cases = [
            (
                "target data map(to: a) map(alloc: b, c) if(n > 1)",
                "data copyin(a) create(b, c) if(n > 1)",
            ),
            ("target enter data map(to: a[0:n])", "enter data copyin(a[0:n])"),
            (
                "target exit data map(from: a) map(release: b)",
                "exit data copyout(a) delete(b)",
            ),
            ("target update to(a[0:1], b)", "update device(a[0:1], b) if_present"),
            ("target update from(a) if(n > 1)", "update self(a) if(n > 1) if_present"),
        ];
        for (omp, acc) in cases {
            assert_eq!(
                plain(&format!("#pragma omp {omp}")).unwrap(),
                format!("#pragma acc {acc}")
            );
        }
    }

    #[test]
    fn the_users_style_is_kept() {
        let style = Style {
            sentinel: "# pragma omp".into(),
            comma: ",".into(),
            inside_paren: " ".into(),
            before_paren: " ".into(),
            width: 40,
            line_ending: "\r\n".into(),
            ..Style::default()
        };
        assert_eq!(
            translate(
                "#pragma omp target data map(to: alpha, beta) map(from: gamma) if(n)",
                &style,
                "\t"
            )
            .unwrap(),
            "\t# pragma acc data \\\r\n\t    copyin ( alpha,beta ) \\\r\n\t    copyout ( gamma ) if (n)"
        );
        assert_eq!(routine(&style, ""), "# pragma acc routine seq");
    }

    #[test]
    fn what_has_no_equivalent_is_a_problem() {
        let cases = [
            "target parallel for map(to: a)",
            "parallel for",
            "target data map(always, to: a)",
            "target data map(release: a)",
            "target enter data map(to: s->x[0:n])",
            "target update to(present: a)",
            "target teams distribute parallel for lastprivate(x)",
            "target teams distribute parallel for schedule(static)",
        ];
        for case in cases {
            let message = plain(&format!("#pragma omp {case}")).unwrap_err();
            assert!(message.starts_with("OpenACC has no equivalent of"), "{message}");
        }
        assert!(plain("#pragma acc data copy(a)").is_err());
    }
}
