//! clang's library answers as the compiler does.

use std::path::PathBuf;

use super::*;
use crate::llvm::clang::{bitcode, compile_flags};
use crate::llvm::in_process::InProcess;
use crate::llvm::input::ReadAs;
use crate::llvm::scratch::Scratch;

/// A folder with sources, and options to look at them from.
struct Case {
    folder: tempfile::TempDir,
    options: ClangOptions,
}

impl Case {
    /// `src/a.c` exists, with another text than what is compiled, and `src/x.h` is beside it.
    fn new(in_folder: bool) -> Case {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::create_dir(folder.path().join("src")).expect("a folder");
        std::fs::write(
            folder.path().join("src/x.h"),
            "struct pair { int *a, n; };\nstatic int one(void) { return 1; }\n",
        )
        .expect("a header");
        std::fs::write(folder.path().join("src/a.c"), "#error not what is analysed\n").expect("a file");
        let options = ClangOptions {
            flags: vec!["-DN=2".to_owned(), "-O2".to_owned(), "-fopenmp".to_owned()],
            working_dir: if in_folder {
                folder.path().to_owned()
            } else {
                PathBuf::new()
            },
            ..ClangOptions::default()
        };
        Case { folder, options }
    }

    fn path(&self, name: &str) -> PathBuf {
        if self.options.working_dir.as_os_str().is_empty() {
            self.folder.path().join(name)
        } else {
            name.into()
        }
    }

    /// The module that each way makes of `text` at `path`, with the files that were read: the library's, then the
    /// compiler's.
    fn both(&self, path: &Path, text: &str) -> [Option<(Bitcode, Vec<PathBuf>)>; 2] {
        let clang = find_clang(None).expect("clang 19");
        let input = Input::text(path, text.as_bytes());
        let here = InProcess::new(&clang, &input, text.as_bytes(), &self.options).expect("the library is linked");
        let mut flags = compile_flags(&self.options, true, ReadAs::Sequential);
        let in_process = here.compile(&flags).or_else(|| {
            flags = compile_flags(&self.options, false, ReadAs::Sequential);
            here.compile(&flags)
        });
        let by_process = bitcode(&clang, &input, text.as_bytes(), &self.options, ReadAs::Sequential).ok();
        [
            in_process,
            by_process.map(|made| (Bitcode::read(&made.module).expect("it is bitcode"), made.dependencies)),
        ]
    }

    #[track_caller]
    fn same(&self, path: &Path, text: &str) {
        let [(here, here_read), (there, there_read)] = self.both(path, text).map(|made| made.expect("it compiles"));
        assert_eq!(here_read, there_read);
        let modules = [here, there];
        let [here, there] = modules.each_ref().map(|module| {
            ModuleReader::new(module, text.as_bytes(), &self.options)
                .module()
                .to_string()
        });
        assert!(!here.is_empty());
        assert_eq!(here, there);
        // Of a path that does not exist the compiler sees a copy, under another name.
        if self.folder.path().join(path).is_file() {
            let [here, there] = modules.each_ref().map(printed);
            assert_eq!(here, there);
        }
    }
}

/// The module as text, less the name of where it was read from.
fn printed(module: &Bitcode) -> String {
    let text = module.text();
    text.lines()
        .filter(|line| !line.starts_with("; ModuleID"))
        .collect::<Vec<_>>()
        .join("\n")
}

const HEADERS: &str =
    "#include <math.h>\n#include <omp.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <string.h>
#include \"x.h\"
static double unused(double *x) { return sqrt(x[1]) * 2 + x[0]; }
union u { float f; char c[4]; };
int f(struct pair *p, int n) {
  double local[n];
  for (int i = 0; i < n; i++) local[i] = p->a[i] + one();
  switch (n) { case 1: puts(__FILE__); break; default: memset(p->a, 0, n * sizeof *p->a); }
  union u u = {.f = local[0]};
  return u.c[1] + N + _OPENMP + omp_get_num_devices();
}
";

#[test]
fn a_file_on_disk_is_the_same_module() {
    for in_folder in [false, true] {
        let case = Case::new(in_folder);
        case.same(&case.path("src/a.c"), HEADERS);
        case.same(&case.path("src/a.c"), SUBSCRIPT);
    }
}

#[test]
fn a_path_that_does_not_exist_is_the_same_program() {
    for in_folder in [false, true] {
        let case = Case::new(in_folder);
        case.same(&case.path("src/b.c"), &HEADERS.replace("__FILE__", "\"\""));
    }
}

#[test]
fn headers_that_do_not_survive_all_declarations_are_the_same() {
    let case = Case::new(true);
    case.same(
        Path::new("src/a.c"),
        "#include <immintrin.h>\nint f(int *a) { return a[1]; }\n",
    );
}

#[test]
fn errors_are_for_the_compiler_to_say() {
    let case = Case::new(true);
    for text in ["int f( { return 0; }\n", "#include \"y.h\"\n", "int v = unknown;\n"] {
        assert!(case.both(Path::new("src/a.c"), text).iter().all(Option::is_none));
    }
    let clang = find_clang(None).expect("clang 19");
    let input = Input::text(Path::new("src/a.c"), b"int v;\n");
    // An unknown flag, a flag for LLVM's own command line, a second file.
    for flags in [&["--unknown"][..], &["-mllvm", "-stats"], &["src/x.h"]] {
        let mut options = case.options.clone();
        options.flags.extend(flags.iter().map(|&flag| flag.to_owned()));
        let here = InProcess::new(&clang, &input, b"int v;\n", &options).expect("the library is linked");
        assert!(
            here.compile(&compile_flags(&options, true, ReadAs::Sequential))
                .is_none(),
            "{flags:?}"
        );
        assert!(!here.accepts(&["-w".to_owned()]), "{flags:?}");
    }
}

#[test]
fn preprocessing_is_the_same() {
    let case = Case::new(true);
    let clang = find_clang(None).expect("clang 19");
    let input = Input::text(Path::new("src/a.c"), HEADERS.as_bytes());
    let last = ["-w", "-E", "-D_OPENMP=202011"].map(str::to_owned);
    let here = InProcess::new(&clang, &input, HEADERS.as_bytes(), &case.options).expect("the library is linked");
    let in_process = here.preprocess(&last).expect("it preprocesses");
    let scratch = Scratch::new(&input, HEADERS.as_bytes(), &ClangOptions::default()).expect("a folder");
    let by_process = scratch
        .run(&clang, &input, &case.options, &last)
        .expect("it preprocesses");
    let [here, there] = [in_process, by_process].map(|text| {
        let text = String::from_utf8(text).expect("the headers are text");
        // The stand-in for omp.h has another name.
        text.lines()
            .filter(|line| !line.contains("ompmemopt"))
            .map(|line| format!("{line}\n"))
            .collect::<String>()
    });
    assert!(here.contains("# 1 \"src/a.c\""));
    assert_eq!(here, there);
}

#[test]
fn many_at_a_time() {
    let case = Case::new(true);
    let path = case.path("src/a.c");
    std::thread::scope(|scope| {
        for worker in 0..3 {
            let (case, path) = (&case, &path);
            scope.spawn(move || {
                for round in 0..4 {
                    let text = format!("{HEADERS}int worker_{worker}_{round};\n");
                    case.same(path, &text);
                }
            });
        }
    });
}

#[test]
fn the_files_read_are_the_same() {
    let mut case = Case::new(true);
    let folder = case.folder.path().canonicalize().expect("it is there");
    for (name, text) in [
        ("inc/nested $#.h", "#pragma once\n#include <stddef.h>\n"),
        ("inc/forced.h", "#define FORCED 1\n"),
        (
            "inc/twice.h",
            "#ifndef TWICE_H\n#define TWICE_H\n#include \"nested $#.h\"\n#endif\n",
        ),
        ("inc/asked.h", ""),
        ("inc/data", "12"),
    ] {
        std::fs::create_dir_all(folder.join("inc")).expect("a folder");
        std::fs::write(folder.join(name), text).expect("a header");
    }
    let text =
        "#include \"x.h\"\n#include \"../inc/twice.h\"\n#include <twice.h>\n#include \"twice.h\"\n#include <omp.h>
#if __has_include(\"absent.h\") || !__has_include(<asked.h>)
#error
#endif
const char data[] = {
#embed \"../inc/data\"
};
int f(void) { return one() + FORCED; }
";
    let flags = ["-Iinc", "-include", "inc/forced.h"].map(str::to_owned);
    case.options.flags.extend(flags);
    let mut lists = Vec::new();
    for (path, inner) in [
        ("src/a.c", None),
        ("./src/a.c", None),
        ("src/new.c", None),
        ("a.c", Some("src")),
    ] {
        let mut options = case.options.clone();
        if let Some(inner) = inner {
            options
                .flags
                .push(format!("-working-directory={}", folder.join(inner).display()));
            options.flags.iter_mut().for_each(|flag| {
                *flag = flag
                    .replace("-Iinc", "-I../inc")
                    .replace("inc/forced.h", "../inc/forced.h");
            });
        }
        let other = Case {
            folder: tempfile::tempdir().expect("a folder"),
            options,
        };
        // A path that does not exist is compiled from elsewhere, where `#embed` does not look beside it.
        let embedded = path.ends_with("src/a.c");
        let text = match embedded {
            true => text.to_owned(),
            false => text.replace("#embed \"../inc/data\"", "1"),
        };
        let made = other.both(Path::new(path), &text);
        let [here, there] = made.map(|made| made.expect("it compiles").1);
        assert_eq!(here, there, "{path}");
        assert!(here.is_sorted() && here.iter().all(|file| file.is_absolute() && file.is_file()));
        assert!(
            !here
                .iter()
                .any(|file| file.ends_with("a.c") || file.starts_with("/ompmemopt"))
        );
        for name in [
            "omp.h",
            "stddef.h",
            "inc/asked.h",
            "src/x.h",
            "inc/nested $#.h",
            "inc/forced.h",
        ] {
            assert!(here.iter().any(|file| file.ends_with(name)), "{name}: {here:?}");
        }
        assert_eq!(here.iter().any(|file| file.ends_with("inc/data")), embedded);
        lists.push(here);
    }
    assert_eq!(lists[0], lists[1]);
}
