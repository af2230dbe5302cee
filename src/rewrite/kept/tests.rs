//! What is found again is what would be made anew.

use crate::facts::Store;
use crate::llvm::{ClangOptions, find_clang};
use crate::plan::PlanOptions;
use crate::rewrite::{GivenUnit, Outcome, Services, Silent, ToolOptions, Unit, rewrite_given, rewrite_program};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

const MAIN: &str = "#include \"step.h\"\n\
int main(void) {\n  static double a[N];\n  for (int t = 0; t < TIMES; t++)\n    step(a, N);\n  return (int)a[1];\n}\n";
const STEP: &str = "#include \"step.h\"\n\
void step(double *a, int n) {\n  #pragma omp target teams distribute parallel for map(tofrom: a[0:n])\n\
  for (int i = 0; i < n; i++)\n    a[i] += 1.0;\n}\n";
const OTHER: &str = "double b[8];\nvoid other(void) {\n  for (int t = 0; t < 4; t++) {\n\
    #pragma omp target map(tofrom: b)\n    for (int i = 0; i < 8; i++)\n      b[i] += 1.0;\n  }\n}\n";

/// Two programs in a folder: `main.c` with `step.c`, and `other.c`.
struct Case {
    folder: tempfile::TempDir,
    texts: Vec<(PathBuf, String)>,
    options: ToolOptions,
}

impl Case {
    fn new() -> Case {
        let folder = tempfile::tempdir().unwrap();
        let texts = [("main.c", MAIN), ("step.c", STEP), ("other.c", OTHER)];
        let case = Case {
            texts: texts.map(|(n, t)| (folder.path().join(n), t.to_owned())).into(),
            folder,
            options: ToolOptions {
                clang: find_clang(None).unwrap(),
                compile: ClangOptions::default(),
                plan: PlanOptions::default(),
                self_check: false,
                limits: Vec::new(),
                dumps: BTreeSet::new(),
            },
        };
        case.header(9);
        case
    }

    fn header(&self, times: u32) {
        let text = format!("#define N 100\n#define TIMES {times}\nvoid step(double *, int);\n");
        fs::write(self.folder.path().join("step.h"), text).unwrap();
    }

    fn units(&self) -> Vec<Unit<'_>> {
        self.texts
            .iter()
            .map(|(path, text)| Unit {
                path,
                text: text.as_bytes(),
                options: &self.options,
            })
            .collect()
    }

    /// With a store that other runs have used, and how many entries were added to it.
    fn kept(&self) -> (Vec<Outcome>, usize) {
        let before = self.entries();
        let store = Store::open(&self.folder.path().join("cache"), b"test");
        let services = Services {
            store: &store,
            progress: &Silent,
        };
        let given = self.units().into_iter().map(GivenUnit::from).collect();
        let outcomes = rewrite_given(given, &services).files.into_iter().map(Result::unwrap);
        (outcomes.collect(), self.entries() - before)
    }

    fn fresh(&self) -> Vec<Outcome> {
        let files = rewrite_program(&self.units()).files;
        files.into_iter().map(Result::unwrap).collect()
    }

    fn entries(&self) -> usize {
        let list = |folder: PathBuf| fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
        let shelves = list(self.folder.path().join("cache")).filter(|path| path.is_dir());
        shelves.flat_map(list).count()
    }
}

#[test]
fn equal_runs_give_equal_outcomes() {
    let case = Case::new();
    let fresh = case.fresh();
    assert!(fresh.iter().any(|o| o.new_text.is_some() && !o.decisions.is_empty()));
    // Facts and verdicts of three files, two programs and the run; `main.c` has no directives to ask clang about, but
    // gets some.
    assert_eq!(case.kept(), (fresh.clone(), 9));
    assert_eq!(case.kept(), (fresh, 0));
}

#[test]
fn what_changed_is_made_anew() {
    let mut case = Case::new();
    case.kept();
    case.texts[2].1 = OTHER.replace("t < 4", "t < 5");
    let (outcomes, added) = case.kept();
    // Made anew: the file's facts, its verdict, its program, the run.
    assert_eq!((outcomes, added), (case.fresh(), 4));
    case.options.plan.speculate = false;
    assert_eq!(case.kept().0, case.fresh());
}

#[test]
fn a_header_that_changed_is_noticed() {
    let case = Case::new();
    let before = case.kept().0;
    case.header(2);
    let (after, _) = case.kept();
    assert_eq!(after, case.fresh());
    assert_ne!(before, after, "less is saved");
    case.header(9);
    assert_eq!(case.kept().0, before);
}

#[test]
fn a_file_that_fails_is_asked_about_again() {
    let mut case = Case::new();
    case.texts[0].1 = MAIN.replace("return", "retrun");
    let store = Store::open(&case.folder.path().join("cache"), b"test");
    let services = Services {
        store: &store,
        progress: &Silent,
    };
    for _ in 0..2 {
        let given = case.units().into_iter().map(GivenUnit::from).collect();
        let files = rewrite_given(given, &services).files;
        let message = files[0].as_ref().unwrap_err().to_string();
        assert!(message.contains("retrun"), "{message}");
        assert!(files[1].is_ok() && files[2].as_ref().unwrap().new_text.is_some());
    }
}
