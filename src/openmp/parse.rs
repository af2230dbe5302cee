//! From a pragma's text to a [`Directive`].
//!
//! The name is matched against the table of constructs, longest match first, as long as the next construct may follow the
//! one before it: in `parallel for ordered`, `ordered` is a clause, because nothing combines so. After the name come an
//! argument, where the construct takes one, and the clauses, separated by blanks or commas.

use super::directive::{Argument, Directive, DirectiveProblem};
use super::names::{CONSTRUCTS, Construct, combines};
use super::{Clause, Item, parse_clause, scan};
use crate::source::Span;

impl Directive {
    /// Parses a pragma: `omp …`, `#pragma omp …` with continuations and comments, or `_Pragma("omp …")`. `None` when it is
    /// not OpenMP's.
    pub fn parse(text: &str) -> Option<Directive> {
        parse(text)
    }
}

fn parse(raw: &str) -> Option<Directive> {
    let text = scan::mask(raw);
    let start = scan::skip_blank(&text, 0);
    let after_omp = scan::word_end(&text, start)?;
    if &text[start..after_omp] != "omp" {
        return None;
    }
    let mut problems = Vec::new();
    let name_start = scan::skip_blank(&text, after_omp);
    let (kind, name_end) = match parse_name(&text, name_start) {
        Some(found) => found,
        None => {
            let span = Span::new(start, after_omp);
            problems.push(DirectiveProblem {
                span,
                message: "a directive name is missing after `omp`".to_owned(),
            });
            return Some(Directive {
                kind: vec![Construct::Other(String::new())],
                span,
                name_span: span,
                argument: None,
                clauses: Vec::new(),
                problems,
            });
        }
    };
    let mut end = name_end;
    let argument = parse_argument(&text, &kind, &mut end, &mut problems);
    let clauses = parse_clauses(&text, &mut end, &mut problems);
    let name_span = Span::new(name_start, name_end);
    Some(Directive {
        kind,
        span: Span::new(name_start, end),
        name_span,
        argument,
        clauses,
        problems,
    })
}

/// The constructs whose names start at `at`, and one past the last word.
fn parse_name(text: &str, at: usize) -> Option<(Vec<Construct>, usize)> {
    let first_word = scan::word_end(text, at)?;
    let mut kind: Vec<Construct> = Vec::new();
    let mut end = at;
    loop {
        let start = scan::skip_blank(text, end);
        let allowed = |construct: &Construct| kind.last().is_none_or(|previous| combines(previous, construct));
        let matches = CONSTRUCTS
            .iter()
            .filter_map(|row| Some((words_end(text, start, row.words)?, row)));
        let longest = matches
            .filter(|(_, row)| allowed(&row.construct))
            .max_by_key(|(end, _)| *end);
        match longest {
            Some((past, row)) => {
                kind.push(row.construct.clone());
                end = past;
            }
            None if kind.is_empty() => {
                return Some((vec![Construct::Other(text[at..first_word].to_owned())], first_word));
            }
            None => return Some((kind, end)),
        }
    }
}

/// One past `words` if they stand at `at`, separated by blanks or, as 6.0 spells them, by `_`.
fn words_end(text: &str, mut at: usize, words: &[&str]) -> Option<usize> {
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            at = if text[at..].starts_with('_') {
                at + 1
            } else {
                scan::skip_blank(text, at)
            };
        }
        if !text[at..].starts_with(word) {
            return None;
        }
        at += word.len();
        let more = scan::word_end(text, at).is_some() || text[at..].starts_with(|c: char| c.is_ascii_digit());
        let underscore = index + 1 < words.len() && text[at..].starts_with('_');
        if more && !underscore {
            return None;
        }
    }
    Some(at)
}

fn parse_argument(
    text: &str,
    kind: &[Construct],
    end: &mut usize,
    problems: &mut Vec<DirectiveProblem>,
) -> Option<Argument> {
    let last = kind.last()?;
    let open = scan::skip_blank(text, *end);
    let takes_one = last.info().is_none_or(|row| row.argument);
    if !takes_one || !text[open..].starts_with('(') {
        return None;
    }
    let close = close_or_complain(text, open, problems)?;
    *end = close + 1;
    let span = Span::new(open + 1, close);
    let has_list = matches!(
        last,
        Construct::Flush
            | Construct::Threadprivate
            | Construct::Groupprivate
            | Construct::Allocate
            | Construct::DeclareTarget
            | Construct::Depobj
    );
    let parts = if has_list {
        scan::split(text, span, b',')
    } else {
        Vec::new()
    };
    let items = parts
        .into_iter()
        .filter(|part| !part.is_empty())
        .map(|part| Item::parse(text, part))
        .collect();
    Some(Argument {
        span,
        text: scan::tidy(text, span),
        items,
    })
}

fn parse_clauses(text: &str, end: &mut usize, problems: &mut Vec<DirectiveProblem>) -> Vec<Clause> {
    let mut clauses = Vec::new();
    let mut at = *end;
    loop {
        at = scan::skip_blank(text, at);
        if at >= text.len() {
            return clauses;
        }
        if text[at..].starts_with(',') {
            at += 1;
            continue;
        }
        let Some(name_end) = scan::word_end(text, at) else {
            let rest = scan::trim(text, Span::new(at, text.len()));
            problems.push(DirectiveProblem {
                span: rest,
                message: "a clause is expected here".to_owned(),
            });
            *end = rest.end;
            return clauses;
        };
        let name = text[at..name_end].to_owned();
        let open = scan::skip_blank(text, name_end);
        let mut span = Span::new(at, name_end);
        let mut args_span = None;
        if text[open..].starts_with('(') {
            let Some(close) = close_or_complain(text, open, problems) else {
                *end = scan::trim(text, Span::new(at, text.len())).end;
                return clauses;
            };
            span.end = close + 1;
            args_span = Some(Span::new(open + 1, close));
        }
        at = span.end;
        *end = at;
        let kind = parse_clause::parse(text, &name, span, args_span, problems);
        clauses.push(Clause {
            name,
            span,
            args_span,
            kind,
        });
    }
}

fn close_or_complain(text: &str, open: usize, problems: &mut Vec<DirectiveProblem>) -> Option<usize> {
    let close = scan::closing(text, open);
    if close.is_none() {
        let span = Span::new(open, text.len());
        problems.push(DirectiveProblem {
            span,
            message: "the brackets from here on do not match".to_owned(),
        });
    }
    close
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn kinds(text: &str) -> Vec<Construct> {
        Directive::parse(text).unwrap().kind
    }

    #[test]
    fn combined_constructs_are_decomposed() {
        use Construct::*;
        assert_eq!(
            kinds("omp target teams distribute parallel for simd map(a)"),
            [Target, Teams, Distribute, Parallel, For, Simd]
        );
        assert_eq!(kinds("omp target data map(a)"), [TargetData]);
        assert_eq!(kinds("omp target  enter\tdata map(to: a)"), [TargetEnterData]);
        assert_eq!(kinds("omp target_exit_data map(from: a)"), [TargetExitData]);
        assert_eq!(kinds("omp begin declare_target"), [BeginDeclareTarget]);
        assert_eq!(kinds("omp end declare target"), [EndDeclareTarget]);
        assert_eq!(kinds("omp parallel for ordered"), [Parallel, For]);
        assert_eq!(
            kinds("omp parallel master taskloop simd"),
            [Parallel, Master, Taskloop, Simd]
        );
        assert_eq!(kinds("omp target teams loop bind(teams)"), [Target, Teams, Loop]);
        assert_eq!(kinds("omp targets"), [Other("targets".into())]);
        assert_eq!(kinds("omp taskloop"), [Taskloop]);
        assert_eq!(kinds("omp target update to(a)"), [TargetUpdate]);
    }

    #[test]
    fn only_openmp_is_parsed() {
        for text in [
            "once",
            "acc parallel",
            "#pragma GCC ivdep",
            "",
            "ompx target",
            "// omp target",
        ] {
            assert_eq!(Directive::parse(text), None, "{text}");
        }
    }

    #[test]
    fn raw_joined_and_operator_forms_give_the_same() {
        let raw = "#  pragma omp target /* why */ map(to: \\\n   a[0:n]), \\\r\n nowait // end";
        let parsed = Directive::parse(raw).unwrap();
        let names: Vec<_> = parsed.clauses.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(names, ["map", "nowait"]);
        assert_eq!(&raw[parsed.span.end..], " // end");
        assert_eq!(parsed.clauses[0].kind.items()[0].text, "a[0:n]");
        let operator = "_Pragma(\"omp target map(to: a[0:n]) nowait\")";
        let parsed = Directive::parse(operator).unwrap();
        assert_eq!(parsed.clauses.len(), 2);
        assert_eq!(&operator[parsed.span.end..], "\")");
    }

    #[test]
    fn arguments() {
        let parsed = Directive::parse("omp declare target(a, b) device_type(any)").unwrap();
        assert_eq!(parsed.argument.unwrap().items.len(), 2);
        assert_eq!(parsed.clauses.len(), 1);
        let parsed = Directive::parse("omp declare mapper(id: struct s v) map(v.x)").unwrap();
        assert_eq!(parsed.argument.unwrap().text, "id: struct s v");
        assert_eq!(
            Directive::parse("omp critical (lock)").unwrap().argument.unwrap().text,
            "lock"
        );
        assert!(Directive::parse("omp taskwait").unwrap().argument.is_none());
    }

    #[test]
    fn broken_text_gives_problems_and_what_came_before() {
        let parsed = Directive::parse("omp target nowait map(to: a").unwrap();
        assert_eq!((parsed.clauses.len(), parsed.problems.len()), (1, 1));
        assert_eq!(Directive::parse("omp").unwrap().problems.len(), 1);
        assert_eq!(Directive::parse("omp target + 3").unwrap().problems.len(), 1);
    }

    /// Every span lies within the text, on character boundaries, and inside the span around it.
    fn check_spans(text: &str) -> Result<(), TestCaseError> {
        let Some(directive) = Directive::parse(text) else {
            return Ok(());
        };
        let ok = |span: Span| text.get(span.start..span.end).is_some();
        prop_assert!(ok(directive.span) && ok(directive.name_span));
        prop_assert!(directive.span.encloses(directive.name_span));
        for clause in &directive.clauses {
            prop_assert!(ok(clause.span) && directive.span.encloses(clause.span));
            prop_assert!(text[clause.span.start..].starts_with(&clause.name));
            for item in clause.kind.items() {
                prop_assert!(ok(item.span) && clause.span.encloses(item.span));
            }
        }
        prop_assert!(directive.problems.iter().all(|problem| ok(problem.span)));
        directive.unavailable_in(super::super::SpecVersion::V45);
        Ok(())
    }

    proptest! {
        #[test]
        fn any_text(text in "(#pragma |_Pragma\\(\")?(omp )?\\PC{0,60}") {
            check_spans(&text)?;
        }

        #[test]
        fn text_of_the_right_words(words in proptest::collection::vec(proptest::sample::select(vec![
            "target", "data", "enter", "map", "(", ")", "[", "]", ":", ",", "to", "always", "a", "0", "->", ".x", "?",
            " ", "\\\n", "/*", "*/", "//", "\"", "'", "é", "reduction", "+", "linear", "depend", "iterator", "if",
            "defaultmap", "schedule", "num_teams", "device", "mapper", "_", "#pragma",
        ]), 0..24)) {
            check_spans(&format!("omp {}", words.concat()))?;
            check_spans(&format!("#pragma omp target {}", words.join(" ")))?;
        }
    }
}
