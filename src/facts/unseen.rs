//! Which functions of a file may do what their instructions do not show.
//!
//! ```c
//! #pragma omp declare variant(step_gpu) match(device={arch(nvptx)})
//! void step(double *v);                               /* a call of `step` may run `step_gpu`                        */
//!
//! #pragma omp declare reduction(top: double: omp_out = larger(omp_out, omp_in))
//! … reduction(top: t) …                               /* calls `larger`, in no instruction of this function         */
//! ```
//!
//! So may a `metadirective`, directives in attributes, flags such as `--wrap`, and directives that evaluate what
//! [`super::evaluations`] cannot write down, or that macros make something else of. To all analyses such a function is code that
//! nothing is known of ([`crate::program::ir::Unseen`]), and nothing is written into it.

use super::evaluations::{DirectiveEvaluations, evaluations};
use crate::openmp::{ClauseKind, Construct, Directive, words};
use crate::program::evaluated::DirectiveWords;
use crate::program::header::Header;
use crate::program::included::IncludedBody;
use crate::program::ir::{Declarations, Unseen};
use crate::source::Span;
use crate::syntax::{self, Define, FileScope};

/// Functions whose directives evaluate what is not in the IR, and why.
pub(super) fn of_directives(
    evaluated: &DirectiveEvaluations,
    declared: &Declarations,
    unwritten: bool,
) -> Vec<(String, Unseen)> {
    let mut found: Vec<(String, Unseen)> = Vec::new();
    let mut add = |name: &String, why: &str, threads: bool| {
        let why = why.to_owned();
        let unseen = Unseen::because(why);
        found.push((name.clone(), Unseen { threads, ..unseen }));
    };
    evaluated.unseen.iter().for_each(|(name, why)| add(name, why, false));
    if unwritten {
        let why = "what a directive here evaluates does not compile where the directive stands";
        evaluated.written.iter().for_each(|name| add(name, why, false));
    }
    for (name, expanded) in &declared.told {
        let own = evaluated.told.iter().find(|(n, _)| n == name).map(|(_, own)| own);
        let own = own.filter(|own| own.len() == expanded.len());
        let seen = match own {
            // What directives evaluate here is written down, whatever macros make of it.
            Some(own) => expanded.iter().zip(own).all(|(all, own)| own.more >= all.more),
            None => expanded.iter().all(|all| all.more == 0),
        };
        if !seen {
            add(
                name,
                "a directive here evaluates what a macro or an included file says",
                false,
            );
        }
        let mut both = expanded.iter().zip(own.into_iter().flatten());
        if let Some((all, own)) = both.find(|(all, own)| (&all.words, &all.lists) != (&own.words, &own.lists)) {
            let why = "macros make something else of a directive here than its text says";
            add(name, why, all.words != own.words);
        }
    }
    found
}

/// Functions that flags tell the linker to put others in the place of, and why.
pub(super) fn of_linker(flags: &[String]) -> Vec<(String, Unseen)> {
    let why = "the linker puts another function in its place (`--wrap`, `--defsym`)";
    if flags.iter().any(|flag| flag.contains("-finstrument-functions")) {
        let why = "a flag has functions called at the beginning and the end of each (`-finstrument-functions`)";
        return vec![(Declarations::ALL.to_owned(), Unseen::because(why))];
    }
    symbols_of_linker(flags)
        .into_iter()
        .map(|name| (name, Unseen::because(why)))
        .collect()
}

/// The symbols that flags tell the linker to mean something else by.
pub(super) fn symbols_of_linker(flags: &[String]) -> Vec<String> {
    let words = flags
        .iter()
        .flat_map(|f| f.strip_prefix("-Wl,").unwrap_or(f).split(','));
    let mut words = words
        .flat_map(|w| w.splitn(3, '=').map(str::to_owned).collect::<Vec<_>>())
        .peekable();
    let mut found = Vec::new();
    while let Some(word) = words.next() {
        if ["--wrap", "-wrap", "--defsym", "-defsym"].contains(&word.as_str()) {
            let next = words.find(|w| w != "-Xlinker");
            found.extend(next);
        }
    }
    found
}

/// What the directives of each function say.
pub(super) fn told(scope: &FileScope) -> Vec<(String, Vec<DirectiveWords>)> {
    let mut found: Vec<(String, Vec<DirectiveWords>)> = Vec::new();
    for (at, text) in &scope.pragmas {
        let (Some(directive), Some(function)) = (Directive::parse(text), scope.function_around(*at)) else {
            continue;
        };
        let told = DirectiveWords::by(&directive, &|_| false);
        match found.last_mut() {
            Some((name, all)) if *name == function.name => all.push(told),
            _ => found.push((function.name.clone(), vec![told])),
        }
    }
    found
}

/// Functions that may do what their instructions do not show, and why: other code may run in their place, or for them.
pub(super) fn of_scope(scope: &FileScope, text: &[u8], macros: &[Define]) -> Vec<(String, Unseen)> {
    let mut found: Vec<(String, Unseen)> = Vec::new();
    let with_threads = |why: &str| Unseen {
        threads: true,
        ..Unseen::because(why)
    };
    if has_directives_in_attributes(text) {
        let why = "the file has directives in attributes (`[[omp::…]]`), which are not read";
        found.push((Declarations::ALL.to_owned(), with_threads(why)));
    }
    let alone = |word: &str| macros.iter().any(|m| m.name == word && m.params.is_none());
    let called = |word: &str| macros.iter().any(|m| m.name == word);
    if let Some(word) = words::redefined(&alone, &called) {
        let why = words::why_unsafe(word);
        found.push((Declarations::ALL.to_owned(), Unseen::because(why)));
    }
    let parsed = scope
        .pragmas
        .iter()
        .filter_map(|(at, text)| Some((*at, Directive::parse(text)?)));
    let parsed: Vec<(usize, Directive)> = parsed.collect();
    let reductions: Vec<(&str, bool)> = { parsed.iter() }.filter_map(|(_, d)| reduction(d)).collect();
    // One name may be declared for several types, an operator as well.
    let known = |op: &str| {
        let mut own = reductions.iter().filter(|(name, _)| *name == op).peekable();
        (BUILT_IN.contains(&op) || own.peek().is_some()) && own.all(|(_, plain)| *plain)
    };
    for (at, directive) in &parsed {
        for name in replaced(scope, &parsed, *at, directive) {
            let why = "a `declare variant` says that another function may run in its place";
            found.push((name, Unseen::because(why)));
        }
        let Some(function) = scope.function_around(*at) else {
            continue;
        };
        let mut add = |unseen: Unseen| found.push((function.name.clone(), unseen));
        if directive.has(&Construct::Metadirective) || directive.has(&Construct::BeginMetadirective) {
            add(with_threads("a `metadirective` in it may be any directive"));
        }
        let reductions = directive.clauses.iter().filter_map(|c| match &c.kind {
            ClauseKind::Reduction { op, .. }
            | ClauseKind::InReduction { op, .. }
            | ClauseKind::TaskReduction { op, .. } => Some(op.trim()),
            _ => None,
        });
        if let Some(op) = reductions.into_iter().find(|op| !known(op)) {
            let why = format!("what the reduction `{op}` does, which the program declares, is not followed");
            add(Unseen::because(why));
        }
    }
    found
}

/// The functions whose place another may take by a directive: the one after it, or those up to the directive that ends it.
fn replaced(scope: &FileScope, parsed: &[(usize, Directive)], at: usize, directive: &Directive) -> Vec<String> {
    let after = scope.functions.iter().filter(|f| f.span.start >= at);
    if directive.has(&Construct::DeclareVariant) {
        let Some(next) = after.min_by_key(|f| f.span.start) else {
            return vec![Declarations::ALL.to_owned()];
        };
        // A declaration may name a function without its parameters (`F step;`).
        let between = scope.variables.iter().filter(|v| at <= v.at && v.at < next.span.start);
        return between.map(|v| v.name.clone()).chain([next.name.clone()]).collect();
    }
    if !directive.has(&Construct::BeginDeclareVariant) {
        return Vec::new();
    }
    let mut ends = parsed.iter().filter(|(_, d)| d.has(&Construct::EndDeclareVariant));
    let end = ends.find(|(end, _)| *end >= at).map_or(usize::MAX, |(end, _)| *end);
    let within = after.filter(|f| f.span.start < end);
    // What the library asks of the device it asks by variants of its own.
    let own = within.filter(|f| !f.name.starts_with("omp_"));
    own.map(|f| f.name.clone()).collect()
}

/// Reductions that OpenMP has.
const BUILT_IN: [&str; 10] = ["+", "-", "*", "&", "|", "^", "&&", "||", "min", "max"];

/// The name of a reduction that a directive declares, and whether its expressions read nothing but what is reduced.
fn reduction(directive: &Directive) -> Option<(&str, bool)> {
    if !directive.has(&Construct::DeclareReduction) {
        return None;
    }
    let argument = directive.argument.as_ref()?;
    let name = argument.text.split(':').next()?;
    let initializer = directive.clauses.iter().filter_map(|c| match &c.kind {
        ClauseKind::Other { args } => args.as_deref(),
        _ => None,
    });
    let is_plain = |text: &str| {
        let words = syntax::identifiers(text.as_bytes(), Span::new(0, text.len()));
        let reduced = words.iter().all(|(word, at)| {
            let member = text[..at.start].trim_end().ends_with('.');
            member || ["omp_in", "omp_out", "omp_priv", "omp_orig"].contains(&word.as_str())
        });
        // What a pointer in it leads to is more.
        let mut stars = text.match_indices('*');
        let product = |at: usize| {
            text[..at]
                .trim_end()
                .ends_with(|c: char| c.is_ascii_alphanumeric() || c == ')')
        };
        reduced && !text.contains(['[']) && !text.contains("->") && stars.all(|(at, _)| product(at))
    };
    let combiner = argument.text.splitn(3, ':').nth(2).is_some_and(is_plain);
    Some((name.trim(), combiner && initializer.into_iter().all(is_plain)))
}

/// Functions of headers, and functions with included parts, whose directives evaluate something: there nothing is written down.
pub(super) fn elsewhere(headers: &[Header], bodies: &[IncludedBody], macros: &[Define]) -> Vec<(String, Unseen)> {
    let texts = headers.iter().map(|h| (h.text.as_slice(), &h.tree));
    let texts = texts.chain(bodies.iter().map(|b| (b.text.as_slice(), &b.tree)));
    let mut found = Vec::new();
    for (text, tree) in texts {
        let evaluated = evaluations(text, tree, macros);
        let unseen = evaluated.unseen.into_iter().map(|(name, _)| name);
        let why = "a directive of it evaluates something, and stands in a header or an included file";
        found.extend(
            evaluated
                .written
                .into_iter()
                .chain(unseen)
                .map(|name| (name, Unseen::because(why))),
        );
    }
    found
}

/// Whether a text has the words `omp ::` in it.
fn has_directives_in_attributes(text: &[u8]) -> bool {
    let words = text.windows(3).enumerate().filter(|(_, w)| w == b"omp");
    words.into_iter().any(|(at, _)| {
        let rest = text[at + 3..].trim_ascii_start();
        rest.starts_with(b"::")
    })
}

#[cfg(test)]
mod tests {
    use super::{of_scope, symbols_of_linker};
    use crate::syntax;

    fn unseen(text: &str) -> Vec<String> {
        let found = of_scope(
            &syntax::file_scope(text.as_bytes()),
            text.as_bytes(),
            &syntax::definitions(text.as_bytes()),
        );
        found.into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn functions_in_whose_place_others_run() {
        let text = "void g(void);\n#pragma omp declare variant(g) match(implementation={vendor(llvm)})\nvoid f(void) { }\nvoid h(void) { }\n";
        assert_eq!(unseen(text), ["f"]);
        let text = "#pragma omp begin declare variant match(device={kind(host)})\nint omp_is_initial_device(void) { return 1; }\n\
                    int f(void) { return 1; }\n#pragma omp end declare variant\nint main(void) { return f(); }\n";
        assert_eq!(unseen(text), ["f"]);
        let text = "void f(void) {\n#pragma omp metadirective default(target)\n{ }\n}\nvoid g(void) { }\n";
        assert_eq!(unseen(text), ["f"]);
        assert_eq!(unseen("void f(void) { [[omp :: directive(target)]] { } }\n"), ["*"]);
        assert_eq!(unseen("#define update refresh\nvoid f(void) { }\n"), ["*"]);
        assert!(unseen("#define update(x) refresh\nvoid f(void) { }\n").is_empty());
    }

    #[test]
    fn reductions_of_the_program() {
        let with = |combiner: &str| {
            format!(
                "#pragma omp declare reduction(top: double: {combiner}) initializer(omp_priv = 0)\nvoid f(void) {{\n\
                 #pragma omp parallel reduction(top: x)\n{{ }}\n}}\nvoid g(void) {{\n#pragma omp parallel reduction(+: x)\n{{ }}\n}}\n"
            )
        };
        assert!(unseen(&with("omp_out = omp_out > omp_in ? omp_out : omp_in")).is_empty());
        assert!(unseen(&with("omp_out.x += omp_in.x")).is_empty());
        assert_eq!(unseen(&with("omp_out = larger(omp_out, omp_in)")), ["f"]);
        assert_eq!(unseen(&with("omp_out += w[0] * omp_in")), ["f"]);
    }

    #[test]
    fn symbols_that_linkers_replace() {
        let of =
            |flags: &str| symbols_of_linker(&flags.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).join(" ");
        assert_eq!(of("-O2 -Wl,--wrap=cbrt,-s -Wl,--wrap,f"), "cbrt f");
        assert_eq!(of("-Xlinker --wrap -Xlinker g -Wl,--defsym=h=i"), "g h");
        assert_eq!(of("-DWRAP=3 -Wl,-rpath,x"), "");
    }
}
