//! MPI programs.

pub mod calls;
pub mod collectives;
pub mod defects;
pub mod divergent;
pub mod parts;
pub mod scope;
pub mod sides;
pub mod uniform;

use super::builder::Builder;
use super::features::{Defect, Feature};
use super::tree::print;
use super::{GeneratedProgram, Verdict};
use defects::Planted;
use parts::Part;
use scope::Scope;

/// The program of `seed`, with a defect or without one.
pub fn program(seed: u64, wrong: bool) -> GeneratedProgram {
    let mut b = Builder::new(seed, 3);
    let defect = wrong.then(|| defects::any(&mut b));
    let mut planted = defect.map_or_else(Planted::nothing, Planted::waiting);
    let body = parts::block(&mut b, &Scope::main(), &mut planted);
    let hidden = planted.reduces && b.features.contains(&Feature::MpiPart(Part::Converge));
    GeneratedProgram {
        text: text(&b, &print(&body, 1)),
        verdict: if wrong { Verdict::Mismatch } else { Verdict::Right },
        defect: defect.map(Defect::Mpi),
        shows: planted.shows && !hidden,
        features: b.features,
    }
}

fn text(b: &Builder, body: &str) -> String {
    let mut main = "int main(int argc, char **argv)\n{\n    int rank, size;\n    MPI_Init(&argc, &argv);\n".to_string();
    main.push_str("    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    MPI_Comm_size(MPI_COMM_WORLD, &size);\n");
    if b.globals.iter().any(|global| global.contains("world_rank")) {
        main.push_str("    world_rank = rank;\n    world_size = size;\n");
    }
    main.push_str(body);
    main.push_str("    printf(\"done\\n\");\n    MPI_Finalize();\n    return 0;\n}\n");
    let above = b.above(&main);
    format!("#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n\n{above}{main}")
}
