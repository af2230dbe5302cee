//! The guard: a rewritten text is handed out only if it is the same program with directives added.
//!
//! Declarations of tests are taken out first, and of each two loops that were made of one the second, if it is the same
//! (`twins`). The texts are compared as they are written where that can be done ([`direct`]). Elsewhere both are preprocessed
//! without `-fopenmp`. Their syntax trees, read by a C parser that has nothing to do with the
//! one used for rewriting, must agree ([`shape`]); so must their pragmas, but for data directives added and `map`
//! clauses exchanged ([`tokens`]). One run of the preprocessor does for both texts where what was added went through it
//! unchanged ([`mod@derive`]). And clang must accept the new text with `-fopenmp`. Where the C parser does not read
//! the user's file, the preprocessed tokens are compared instead.

mod derive;
mod direct;
mod shape;
mod tokens;
mod twins;

use crate::llvm::{self, ClangOptions, Input, LlvmError};
use lang_c::driver::{Config, parse_preprocessed};
use std::path::Path;
use twins::without_twins;

/// Stack for parsing and comparing, which recurse as deeply as the program nests.
const STACK: usize = 256 << 20;

/// What is compared.
#[derive(Clone, Copy, Debug)]
pub struct GuardSubject<'a> {
    /// The compiler.
    pub clang: &'a Path,
    /// The file.
    pub path: &'a Path,
    /// How it is compiled.
    pub options: &'a ClangOptions,
    /// The file's text.
    pub original: &'a [u8],
    /// The text that shall replace it.
    pub rewritten: &'a [u8],
    /// What may have been added besides directives that move data.
    pub added: Added<'a>,
}

/// What a rewriting adds where it makes kernels.
#[derive(Clone, Copy, Debug, Default)]
pub struct Added<'a> {
    /// Loops may have become kernels.
    pub kernels: bool,
    /// Declarations that were added, each of a name that the original does not have, and once; by lines.
    pub tests: &'a [&'a [String]],
    /// The names among them on which it depends which of two equal loops runs, once for each of these.
    pub twins: &'a [&'a str],
}

/// How the programs were compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// By syntax tree.
    Tree,
    /// By token, because no syntax tree of the original was to be had.
    Tokens,
}

/// Why the text is not handed out.
#[derive(Debug)]
pub enum GuardObjection {
    /// The text is another program.
    Differs(String),
    /// clang does not accept it, but accepts the original.
    Rejected(LlvmError),
    /// clang does not accept the original with `-fopenmp` either.
    OriginalRejected(LlvmError),
    /// The check itself could not be made.
    NoCheck(String),
}

/// Compares the texts.
pub fn check(subject: GuardSubject<'_>) -> Result<Method, GuardObjection> {
    let accepted = |text| llvm::syntax_only(subject.clang, &Input::text(subject.path, text), subject.options, true);
    let (syntax, compared) = std::thread::scope(|scope| {
        let syntax = scope.spawn(|| accepted(subject.rewritten));
        let compared = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, || compare(subject));
        let compared = match compared.map(|handle| handle.join()) {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err(GuardObjection::NoCheck(
                "the comparison of the two programs failed".into(),
            )),
            Err(error) => Err(GuardObjection::NoCheck(format!(
                "no thread for the comparison: {error}"
            ))),
        };
        (syntax.join(), compared)
    });
    match syntax {
        Ok(Ok(())) => compared,
        Ok(Err(rejected)) => match accepted(subject.original) {
            Ok(()) => Err(GuardObjection::Rejected(rejected)),
            Err(original) => Err(GuardObjection::OriginalRejected(original)),
        },
        Err(_) => Err(GuardObjection::NoCheck("the compiler could not be asked".into())),
    }
}

fn compare(subject: GuardSubject<'_>) -> Result<Method, GuardObjection> {
    let Added { kernels, tests, twins } = subject.added;
    let without = without_tests(subject.rewritten, tests)
        .ok_or_else(|| GuardObjection::Differs("the tests of new kernels are not where they should be".into()))?;
    let without = without_twins(&without, twins)
        .ok_or_else(|| GuardObjection::Differs("a loop that was written twice is not the same both times".into()))?;
    let subject = GuardSubject {
        rewritten: &without,
        ..subject
    };
    if direct::same(subject.original, subject.rewritten, kernels) {
        return Ok(Method::Tree);
    }
    // Added lines change what `__LINE__` stands for, in every `assert`; that is no other program. The others differ from
    // one run of the compiler to the next.
    let mut options = subject.options.clone();
    options.flags.push("-D__LINE__=0".into());
    options
        .flags
        .extend(["FILE", "DATE", "TIME", "TIMESTAMP"].map(|name| format!("-D__{name}__=\"\"")));
    let preprocessed = |text| {
        llvm::preprocess(subject.clang, &Input::text(subject.path, text), &options, false)
            .map_err(GuardObjection::Rejected)
    };
    let new = preprocessed(subject.rewritten)?;
    let old = match derive::original(subject.original, subject.rewritten, &new) {
        Some(old) => old,
        None => preprocessed(subject.original)?,
    };
    let (old_parts, new_parts) = (tokens::read(&old), tokens::read(&new));
    tokens::same_pragmas(&old_parts.pragmas, &new_parts.pragmas, kernels)
        .map_err(|pragma| GuardObjection::Differs(format!("a pragma differs: {pragma}")))?;
    let parse = |text: &[u8]| {
        let text = String::from_utf8(text.to_vec()).ok()?;
        let unit = parse_preprocessed(&Config::with_clang(), text).ok()?.unit;
        Some(shape::of_unit(&unit))
    };
    let Some(old_shapes) = parse(&old) else {
        let same = tokens::same_tokens(&old_parts.tokens, &new_parts.tokens);
        return if same {
            Ok(Method::Tokens)
        } else {
            Err(GuardObjection::Differs("the tokens of the programs differ".into()))
        };
    };
    let new_shapes = parse(&new).ok_or_else(|| GuardObjection::Differs("the new text does not parse".into()))?;
    if shape::same(&old_shapes, &new_shapes) {
        return Ok(Method::Tree);
    }
    let first = old_shapes
        .iter()
        .zip(&new_shapes)
        .position(|(a, b)| !shape::same(std::slice::from_ref(a), std::slice::from_ref(b)));
    Err(GuardObjection::Differs(match first {
        Some(index) => format!("declaration {} of the preprocessed file differs", index + 1),
        None => "a declaration is missing".into(),
    }))
}

/// A text without declarations that stand in it on lines of their own, each once.
fn without_tests(text: &[u8], tests: &[&[String]]) -> Option<Vec<u8>> {
    let mut lines: Vec<&[u8]> = text.split_inclusive(|b| *b == b'\n').collect();
    for test in tests {
        let stands = |at: &[&[u8]]| at.iter().zip(*test).all(|(line, t)| line.trim_ascii() == t.as_bytes());
        let at = lines.windows(test.len().max(1)).position(stands)?;
        for line in &mut lines[at..at + test.len()] {
            *line = line.strip_prefix(line.trim_ascii_end()).unwrap_or_default();
        }
    }
    Some(lines.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(original: &str, rewritten: &str) -> Result<Method, GuardObjection> {
        let clang = llvm::find_clang(None).unwrap();
        check(GuardSubject {
            clang: &clang,
            path: Path::new("guard-test.c"),
            options: &ClangOptions::default(),
            original: original.as_bytes(),
            rewritten: rewritten.as_bytes(),
            added: Added::default(),
        })
    }

    const OLD: &str = "#include <assert.h>\nvoid f(int n, double *a) {\n  assert(n > 0);\n#pragma omp target map(tofrom: a[0:n])\n  for (int i = 0; i < n; i++) a[i] = i;\n}\n";

    #[test]
    fn directives_may_be_added_even_where_lines_are_counted() {
        let new = OLD
            .replace("  assert", "#pragma omp target data map(from: a[0:n])\n{\n  assert")
            .replace("= i;\n", "= i;\n}\n");
        assert_eq!(verdict(OLD, &new).unwrap(), Method::Tree);
    }

    #[test]
    fn another_program_is_refused() {
        assert!(matches!(
            verdict(OLD, &OLD.replace("= i;", "= n;")),
            Err(GuardObjection::Differs(_))
        ));
        assert!(matches!(
            verdict(OLD, &OLD.replace("a[0:n]", "b[0:n]")),
            Err(GuardObjection::Rejected(_))
        ));
        assert!(matches!(
            verdict(OLD, &OLD.replace("target map", "parallel private(n) //")),
            Err(GuardObjection::Differs(_))
        ));
    }

    #[test]
    fn a_pragma_that_was_wrong_before_is_the_users() {
        let bad = OLD.replace("a[0:n]", "zz[0:n]");
        let new = bad.replace("  assert", "#pragma omp target update to(a[0:n])\n  assert");
        assert!(matches!(verdict(&bad, &new), Err(GuardObjection::OriginalRejected(_))));
    }

    #[test]
    fn what_the_parser_cannot_read_is_compared_by_token() {
        let odd = format!("{OLD}\n_BitInt(7) odd;\n__auto_type other = 1;\n");
        let new = odd.replace("  assert", "#pragma omp target update to(a[0:n])\n  assert");
        assert_eq!(verdict(&odd, &new).unwrap(), Method::Tokens);
        assert!(matches!(
            verdict(&odd, &odd.replace("= i", "= n")),
            Err(GuardObjection::Differs(_))
        ));
    }
}
