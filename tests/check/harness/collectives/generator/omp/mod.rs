//! OpenMP programs.

pub mod calls;
pub mod defects;
pub mod divergent;
pub mod parts;
pub mod scope;
pub mod sync;
pub mod uniform;

use super::builder::{Builder, mentions};
use super::features::Defect;
use super::tree::{Stmt, block, line, omp, print};
use super::{GeneratedProgram, Verdict};
use defects::Planted;
use scope::Scope;

/// The program of `seed` with `verdict`.
pub fn program(seed: u64, verdict: Verdict) -> GeneratedProgram {
    let mut b = Builder::new(seed, 4);
    b.global("static int finished;");
    let defect = match verdict {
        Verdict::Right => None,
        Verdict::Unaligned => Some(defects::unaligned(&mut b)),
        Verdict::Mismatch => Some(defects::any(&mut b)),
    };
    let mut planted = defect.map_or_else(Planted::nothing, Planted::waiting);
    let count = b.rng.range(1, 2) as usize;
    let place = b.rng.below(count);
    let mut regions = Vec::new();
    for i in 0..count {
        let nothing = &mut Planted::nothing();
        let body = region(&mut b, if i == place { &mut planted } else { nothing });
        regions.push(body);
    }
    let mut main: Vec<Stmt> = b.locals.iter().map(line).collect();
    for body in regions {
        let mut head = format!("parallel{}", b.pick(&["", " num_threads(4)"]));
        for clause in &b.clauses {
            head.push_str(&format!(" {clause}"));
        }
        main.push(omp(head));
        main.push(block("", body));
    }
    GeneratedProgram {
        text: text(&b, &print(&main, 1)),
        verdict,
        defect: defect.map(Defect::Omp),
        shows: planted.shows,
        features: b.features,
    }
}

/// The body of a region. What it ends with keeps compilers from leaving the last barrier out.
fn region(b: &mut Builder, planted: &mut Planted) -> Vec<Stmt> {
    let mut body = vec![line("int tid = omp_get_thread_num();"), line("(void)tid;")];
    body.extend(parts::block(b, &Scope::main(), planted));
    body.extend([omp("atomic"), line("finished += 1;")]);
    body
}

fn text(b: &Builder, body: &str) -> String {
    let head = if mentions(body, "argc") {
        "int main(int argc, char **argv)\n{\n    (void)argv;\n"
    } else {
        "int main(void)\n{\n"
    };
    let main = format!("{head}{body}    printf(\"done %d\\n\", finished);\n    return 0;\n}}\n");
    let above = b.above(&main);
    format!("#include <omp.h>\n#include <stdio.h>\n#include <stdlib.h>\n\n{above}{main}")
}
