//! The programs that the rules' documentation shows.

use crate::checking::{check, check_with_advice};
use crate::machine::Shared;
use crate::violations::listed;
use libtest_mimic::{Failed, Trial};
use ompmemopt::inside::rules::{RULES, Rule};
use std::sync::Arc;

/// A trial for each rule.
pub fn trials(shared: &Arc<Shared>) -> Vec<Trial> {
    let trial = |rule: Rule| {
        let shared = Arc::clone(shared);
        Trial::test(format!("documentation/{}", rule.text().code), move || {
            examine(rule, &shared)
        })
    };
    RULES.into_iter().map(trial).collect()
}

fn examine(rule: Rule, shared: &Shared) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let found_in = |name: &str, text: &str| {
        let path = folder.path().join(name).with_extension(rule.ending());
        // Examples in other languages than C are whole files.
        let text = if rule.ending() == "c" {
            program(text)
        } else {
            text.to_owned()
        };
        std::fs::write(&path, text).map_err(|e| e.to_string())?;
        let clang = &shared.machine()?.clang;
        match rule.is_advice() {
            true => check_with_advice(&[path], &[], clang),
            false => check(&[path], &[], clang),
        }
    };
    let wrong = found_in("wrong", rule.text().wrong)?;
    if !wrong.iter().any(|f| f.rule == rule) {
        return Err(format!(
            "the rule is not found in the program that violates it; found is:\n{}",
            listed(&wrong)
        )
        .into());
    }
    let right = found_in("right", rule.text().right)?;
    match right.is_empty() {
        true => Ok(()),
        false => Err(format!("something is found in the program as it should be:\n{}", listed(&right)).into()),
    }
}

/// The lines of an example as a program, with the variables that they take for granted.
fn program(lines: &str) -> String {
    let declared = |what: &str, text: &'static str| if lines.contains(what) { "" } else { text };
    let array = declared(
        "double *a =",
        "    double *a = malloc(2 * n * sizeof *a);\n    for (int i = 0; i < 2 * n; i++)\n        a[i] = 1;\n",
    );
    let sum = declared("double sum =", "    double sum = 0.0;\n");
    let included = |what: &str, header: &'static str| if lines.contains(what) { header } else { "" };
    let libraries = included("MPI_", "#include <mpi.h>\n").to_owned() + included("omp_get", "#include <omp.h>\n");
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\n{libraries}\nint main(int argc, char **argv)\n{{\n    int n = argc > 1 ? atoi(argv[1]) : 64;\n{array}{sum}{lines}    printf(\"%g %g\\n\", sum, a[0]);\n    return 0;\n}}\n"
    )
}
