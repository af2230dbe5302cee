//! What a file declares at file scope, its own headers included, what of that `declare target` puts on the device, and which
//! names are constants.
//!
//! The preprocessor is asked, because it knows which headers and which branches count. A file that cannot have any of this
//! is not asked about: one that includes nothing but the library's headers, says nothing of OpenMP, and neither `extern` nor
//! `declare`.

use super::unseen;
use crate::llvm::{self, ClangOptions, Input, LlvmError};
use crate::openmp::{Construct, Directive};
use crate::program::header::Header;
use crate::program::host_directives::is_for_threads;
use crate::program::included::IncludedBody;
use crate::program::ir::{Declarations, Declared, Loc, Module, SeenHeader};
use crate::source::Span;
use crate::syntax::{self, FileScope, ScopeTree, SeenDefinitions};
use rustc_hash::FxHashSet;
use std::path::Path;
use std::sync::Arc;

/// Headers that declare nothing of the program's.
const LIBRARY: [&str; 34] = [
    "assert.h",
    "complex.h",
    "ctype.h",
    "errno.h",
    "fcntl.h",
    "fenv.h",
    "float.h",
    "inttypes.h",
    "iso646.h",
    "limits.h",
    "locale.h",
    "malloc.h",
    "math.h",
    "memory.h",
    "omp.h",
    "setjmp.h",
    "signal.h",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "stdnoreturn.h",
    "string.h",
    "strings.h",
    "sys/time.h",
    "sys/types.h",
    "tgmath.h",
    "time.h",
    "unistd.h",
    "wchar.h",
];

/// What the file declares. A name may be there more than once.
///
/// # Errors
/// The errors of [`llvm::preprocess`].
pub fn declared(clang: &Path, input: &Input<'_>, options: &ClangOptions) -> Result<Declarations, LlvmError> {
    let defines = options.flags.iter().any(|flag| flag.starts_with("-D")) || reads_first(options);
    if { input.text }.is_some_and(|text| !defines && !declares_more(text)) {
        return Ok(Declarations::default());
    }
    let text = llvm::preprocess_in_place(clang, input, options)?;
    Ok(Declarations {
        headers: seen_headers(&text, &options.working_dir),
        own_headers: syntax::own_headers(&text),
        definitions: match reads_first(options) {
            true => Arc::default(),
            false => Arc::new(SeenDefinitions::of(&text)),
        },
        constants: match input.text {
            Some(own) => syntax::file_constants(&text, own),
            None => Vec::new(),
        },
        ..of_scope(&syntax::file_scope(&text), &text)
    })
}

/// The headers in which functions of a module may have kernels. One that cannot be read is left out: its functions are then
/// known to start kernels, and no more.
pub fn headers(module: &Module, options: &ClangOptions) -> Vec<Header> {
    Header::of(module, |path| options.header(Path::new(path)))
}

/// The functions of a module's own file that have parts of their bodies from other files.
pub fn bodies(
    module: &Module,
    text: &[u8],
    tree: &ScopeTree,
    inactive: &[Span],
    options: &ClangOptions,
) -> Vec<IncludedBody> {
    IncludedBody::of(module, text, tree, inactive, |path| options.header(Path::new(path)))
}

/// Whether flags name headers that are read before the file itself (`-include`).
pub(super) fn reads_first(options: &ClangOptions) -> bool {
    const FLAGS: [&str; 4] = ["-include", "-imacros", "--include", "--imacros"];
    options
        .flags
        .iter()
        .any(|flag| FLAGS.iter().any(|f| flag.starts_with(f)))
}

/// Whether a text may declare what its IR does not show. Cheap, and never wrongly false.
fn declares_more(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    // What branches that are left out can name is asked for, too.
    let words = ["extern", "declare", "enum", "const", "omp", "#if"];
    words.iter().any(|word| text.contains(word)) || text.lines().any(is_own_include)
}

/// Whether a text includes headers other than the library's. Cheap, and never wrongly false.
pub(super) fn includes_own(text: &[u8]) -> bool {
    String::from_utf8_lossy(text).lines().any(is_own_include)
}

fn is_own_include(line: &str) -> bool {
    let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
    let Some(rest) = directive.and_then(|d| d.strip_prefix("include")) else {
        // Written in another way (`%:include`, a continued line), it is asked about.
        return line.contains("include") && (line.contains("%:") || line.contains("??="));
    };
    let rest = rest.trim_start_matches("_next").trim_start();
    let name = rest.strip_prefix('<').and_then(|rest| rest.split_once('>'));
    !name.is_some_and(|(name, _)| LIBRARY.contains(&name))
}

fn of_scope(scope: &FileScope, text: &[u8]) -> Declarations {
    let device = OnDevice::of(scope);
    let macros = syntax::definitions(text);
    // `extern` after `static` means the same variable.
    let internal = scope.variables.iter().filter(|v| v.internal);
    let internal: FxHashSet<&str> = internal.map(|v| v.name.as_str()).collect();
    let mut found: Vec<Declared> = scope
        .variables
        .iter()
        .map(|v| Declared {
            name: v.name.clone(),
            // On the line itself the order is not known.
            from: Some(Loc {
                line: v.line,
                col: u32::MAX,
            }),
            complete: v.complete,
            internal: internal.contains(v.name.as_str()),
            on_device: device.has(v.at, &v.name),
        })
        .collect();
    let functions = scope.functions.iter().map(|f| (f.span.start, &f.name));
    let others = functions.chain(scope.unclear.iter().map(|(at, word)| (*at, word)));
    let others = others.filter(|(at, name)| device.has(*at, name)).map(|(_, name)| name);
    found.extend(others.chain(&device.listed).map(|name| Declared {
        name: name.clone(),
        from: None,
        complete: false,
        internal: internal.contains(name.as_str()),
        on_device: true,
    }));
    Declarations {
        names: found,
        records: scope.records.clone(),
        directives: directives(scope, &|d| d.is_on_device().then(|| d.has(&Construct::TargetEnterData))),
        threads: directives(scope, &|d| {
            is_for_threads(d).then(|| d.has(&Construct::Task) || d.has(&Construct::Taskloop))
        }),
        unseen: unseen::of_scope(scope, text, &macros),
        told: unseen::told(scope),
        macros: macros.into(),
        own_macros: syntax::own_definitions(text).into(),
        elsewhere: Vec::new(),
        own_headers: Vec::new(),
        definitions: Arc::default(),
        headers: Vec::new(),
        constants: Vec::new(),
    }
}

/// The headers with device directives in them.
fn seen_headers(preprocessed: &[u8], folder: &Path) -> Vec<SeenHeader> {
    let on_device = |text: &String| Directive::parse(text).is_some_and(|d| d.is_on_device());
    let headers = syntax::header_lines(preprocessed).into_iter();
    let headers = headers.filter(|(_, lines)| lines.pragmas.iter().any(|(_, text)| on_device(text)));
    let headers = headers.filter_map(|(name, lines)| {
        Some(SeenHeader {
            path: std::path::absolute(folder.join(name)).ok()?.to_str()?.to_owned(),
            code: lines.code,
            pragmas: lines.pragmas,
        })
    });
    headers.collect()
}

/// Functions with `wanted` directives in them, how many, and whether it says so of one of them.
fn directives(scope: &FileScope, wanted: &dyn Fn(&Directive) -> Option<bool>) -> Vec<(String, u32, bool)> {
    let pragmas = scope.pragmas.iter();
    let places = pragmas.filter_map(|(at, text)| Some((at, wanted(&Directive::parse(text)?)?)));
    let around = places.filter_map(|(at, said)| Some((scope.function_around(*at)?, said)));
    let mut found: Vec<(String, u32, bool)> = Vec::new();
    for (function, said) in around {
        match found.last_mut() {
            Some((name, n, any)) if *name == function.name => (*n, *any) = (*n + 1, *any || said),
            _ => found.push((function.name.clone(), 1, said)),
        }
    }
    found
}

/// What `declare target` puts on the device.
struct OnDevice {
    /// In lists.
    listed: Vec<String>,
    /// Between a directive and its end.
    regions: Vec<(usize, usize)>,
}

impl OnDevice {
    fn of(scope: &FileScope) -> OnDevice {
        let mut found = OnDevice {
            listed: Vec::new(),
            regions: Vec::new(),
        };
        let mut open: Vec<usize> = Vec::new();
        for (at, text) in &scope.pragmas {
            let Some(directive) = Directive::parse(text) else {
                continue;
            };
            if directive.has(&Construct::EndDeclareTarget) {
                found.regions.extend(open.pop().map(|start| (start, *at)));
                continue;
            }
            let begins = directive.has(&Construct::BeginDeclareTarget);
            if !begins && !directive.has(&Construct::DeclareTarget) {
                continue;
            }
            let clauses = directive.clauses.iter().flat_map(|c| c.kind.items());
            let argument = directive.argument.iter().flat_map(|a| &a.items);
            let listed: Vec<String> = clauses.chain(argument).map(|item| item.path.base.clone()).collect();
            if begins || listed.is_empty() {
                open.push(*at);
            }
            found.listed.extend(listed);
        }
        found.regions.extend(open.into_iter().map(|start| (start, usize::MAX)));
        found
    }

    fn has(&self, at: usize, name: &str) -> bool {
        self.regions.iter().any(|(start, end)| (*start..*end).contains(&at)) || self.listed.iter().any(|l| l == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<Declared> {
        of_scope(&syntax::file_scope(text.as_bytes()), text.as_bytes()).names
    }

    fn on_device(text: &str) -> Vec<String> {
        let found = of(text).into_iter().filter(|d| d.on_device);
        let mut names: Vec<String> = found.map(|d| d.name).collect();
        names.sort();
        names.dedup();
        names
    }

    #[test]
    fn all_forms_of_declare_target() {
        assert_eq!(
            on_device(
                "double before;\n#pragma omp begin declare target device_type(any)\nextern double a[4], b;\n\
                 #pragma omp declare target\ndouble f(void) { return 1; }\n#pragma omp end declare target\n\
                 extern int c;\n#pragma omp end declare target\ndouble after;\n"
            ),
            ["a", "b", "c", "f"]
        );
        assert_eq!(
            on_device(
                "double a, b, c, d, e;\n#pragma omp declare target(a)\n#pragma omp declare target to(b) link(c)\n\
                 #pragma omp declare target enter(d) device_type(nohost)\n"
            ),
            ["a", "b", "c", "d"]
        );
    }

    #[test]
    fn a_list_stands_for_what_is_not_declared_too() {
        let found = of("#pragma omp declare target(far)\ndouble near;\n");
        assert_eq!(found.len(), 2);
        assert!(found[0].from.is_some() && !found[0].on_device);
        assert!(found[1].from.is_none() && found[1].on_device && found[1].name == "far");
    }

    #[test]
    fn macros_may_hide_kernels() {
        let text = "void f(int *a) {\n#pragma omp target map(a[0:1])\n{ a[0]++; }\n}\nvoid g(void) {\n#pragma omp parallel\n{ }\n}\n\
                    #pragma omp declare target\nvoid h(void);\n#pragma omp end declare target\nvoid i(void) {\n\
                    #pragma omp target enter data map(to: x)\n;\n#pragma omp target\n{ }\n}\n";
        let found = of_scope(&syntax::file_scope(text.as_bytes()), text.as_bytes()).directives;
        assert_eq!(found, [("f".to_owned(), 1, false), ("i".to_owned(), 2, true)]);
        let found = of_scope(&syntax::file_scope(text.as_bytes()), text.as_bytes()).threads;
        assert_eq!(found, [("g".to_owned(), 1, false)]);
    }

    #[test]
    fn only_files_with_more_than_the_library_are_asked_about() {
        assert!(!declares_more(
            b"#include <stdio.h>\n# include <sys/time.h> // x\nint main(void) { return 0; }\n"
        ));
        for text in [
            "#include \"a.h\"",
            "#include <a.h>",
            " # include MACRO",
            "extern int x;",
            "enum { N = 3 };",
            "const int n = 3;",
            "#pragma omp declare target",
        ] {
            assert!(declares_more(text.as_bytes()), "{text}");
        }
    }
}
