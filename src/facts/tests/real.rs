//! Facts of C files, made by clang.

use crate::facts::codec::encode;
use crate::facts::disk::Disk;
use crate::facts::gather::gather;
use crate::facts::parsed_texts::ParsedTexts;
use crate::facts::summary::read;
use crate::facts::*;
use crate::llvm::{ClangOptions, find_clang};
use std::fs;
use std::path::{Path, PathBuf};

const TEXT: &str = "#include \"h.h\"
#if N > 3
int unused;
#else
int f(double *a) { return one() + (int)a[1]; }
#endif
";

struct Case {
    folder: tempfile::TempDir,
    clang: PathBuf,
    options: ClangOptions,
}

impl Case {
    fn new() -> Case {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join("a.c"), TEXT).expect("a file");
        fs::write(folder.path().join("h.h"), "static int one(void) { return 1; }\n").expect("a file");
        Case {
            clang: find_clang(None).expect("clang 19"),
            options: ClangOptions {
                flags: vec!["-DN=2".to_owned()],
                working_dir: folder.path().to_owned(),
                ..ClangOptions::default()
            },
            folder,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn facts(&self, text: &str) -> UnitFacts {
        let source = UnitSource {
            clang: &self.clang,
            file: &self.path("a.c"),
            name: Path::new("a.c"),
            text: text.as_bytes(),
            options: &self.options,
        };
        gather(&source, &Disk::default(), &ParsedTexts::default()).expect("it compiles")
    }
}

#[test]
fn facts_are_those_of_the_file_and_the_same_each_time() {
    let case = Case::new();
    let facts = case.facts(TEXT);
    assert_eq!(facts.inactive.len(), 1);
    assert_eq!(&TEXT[facts.inactive[0].start..facts.inactive[0].end], "int unused;\n");
    assert!(facts.module.find_function("f").is_some());
    assert_eq!(facts.dependencies.len(), 1);
    assert_eq!(encode(&facts), encode(&case.facts(TEXT)));
    assert_ne!(facts.identity(), case.facts("int x;\n").identity());
}

#[test]
fn facts_are_out_of_date_when_a_file_changes() {
    let case = Case::new();
    let disk = Disk::default();
    let facts = case.facts(TEXT);
    assert_eq!(facts.stale(&disk), None);
    let said = || facts.stale(&disk).map(|stale| stale.to_string());
    fs::write(case.path("h.h"), "static int one(void) { return 2; }\n").expect("a file");
    let header = case.path("h.h").display().to_string();
    assert_eq!(said(), Some(format!("{header}, which it includes, has changed")));
    fs::remove_file(case.path("h.h")).expect("it is there");
    assert!(said().is_some_and(|said| said.contains("no longer there")));
    fs::write(case.path("a.c"), "int x;\n").expect("a file");
    assert_eq!(said().as_deref(), Some("the file has changed"));
}

#[test]
fn summaries_are_files() {
    let case = Case::new();
    let facts = case.facts(TEXT);
    fs::create_dir_all(case.path("out/sub")).expect("a folder");
    for name in ["out/sub/b.omps", "out/z.omps", "out/a.omps"] {
        write(&case.path(name), &facts).expect("it is written");
    }
    let good = fs::read(case.path("out/z.omps")).expect("it is there");
    fs::write(case.path("out/m.omps"), &good[..good.len() - 1]).expect("a file");
    fs::write(case.path("out/c.omps"), "#include\n").expect("a file");
    fs::write(case.path("out/other.txt"), "other\n").expect("a file");
    let (found, problems) = read_dir(&case.path("out"));
    let inside = |path: &Path| {
        path.strip_prefix(case.folder.path())
            .unwrap_or(path)
            .display()
            .to_string()
    };
    let found: Vec<String> = found.iter().map(|summary| inside(&summary.path)).collect();
    assert_eq!(found, ["out/a.omps", "out/sub/b.omps", "out/z.omps"]);
    let problems: Vec<String> = problems.iter().map(|problem| inside(&problem.path)).collect();
    assert_eq!(problems, ["out/c.omps", "out/m.omps"]);
    let (none, problems) = read_dir(&case.path("missing"));
    assert!(none.is_empty() && problems.len() == 1);
    assert!(read(&case.path("out")).is_err());
    assert_eq!(fs::read_dir(case.path("out")).expect("a folder").count(), 6);
}
