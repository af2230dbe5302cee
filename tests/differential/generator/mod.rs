//! Random C programs with OpenMP `target` kernels, for differential testing.
//!
//! [`generate_case`] is a pure function of a seed and a [`Profile`]. Its programs are deterministic and free of undefined
//! behaviour, compute the same bits with and without OpenMP, and map what their kernels use, naively: every kernel copies
//! in what it may read and copies out what it may write, and nothing stays on the device in between except where a
//! generated user asked for it.
//!
//! - `ast`: the tree. `facts` runs kernels symbolically, `simulate` runs control flow, `frames` says what may stand where.
//! - `arrays`, `kernels`, `host`, `control`, `calls`: grow the tree.
//! - `print`: the tree as C. `shrink`: smaller trees for a failing case.

pub mod ast;
pub mod print;
pub mod profile;
pub mod rng;
pub mod shrink;
pub mod simulate;

mod arrays;
mod calls;
mod control;
mod facts;
mod frames;
mod grow;
mod host;
mod kernels;
mod safety;
mod walk;

use ast::{Layout, Program};
use profile::Profile;

/// One test case: its tree and its text.
#[derive(Clone, Debug)]
pub struct Case {
    pub seed: u64,
    pub program: Program,
    /// The case's definitions, without the header of the file; see [`assemble`].
    pub text: String,
}

impl Case {
    /// The case that `program` describes.
    pub fn of(program: Program) -> Case {
        Case {
            seed: program.seed,
            text: print::print(&program),
            program,
        }
    }

    /// Whether the case is a whole program of its own and shares its file with no other.
    pub fn whole_main(&self) -> bool {
        self.program.layout == Layout::Main
    }
}

/// The case of `seed` under `profile`.
pub fn generate_case(seed: u64, profile: &Profile) -> Case {
    Case::of(grow::grow(seed, profile))
}

/// One C file that runs the cases in order. Each prints lines that start with `case <seed>:`, then flushes, then calls
/// `omp_control_tool(64, <index>, NULL)` when compiled with OpenMP. A case with [`Case::whole_main`] must come alone.
pub fn assemble(cases: &[Case]) -> String {
    let mut text = print::HEADER.to_string();
    for case in cases {
        text += &case.text;
    }
    if !cases.iter().any(Case::whole_main) {
        text += "int main(void)\n{\n";
        for (index, case) in cases.iter().enumerate() {
            text += &format!("    case_{}();\n{}", case.seed, print::finish(index));
        }
        text += "    return 0;\n}\n";
    }
    // Line ends are a property of a file, so the first case speaks for all.
    if cases.first().is_some_and(|c| c.program.crlf) {
        text.replace('\n', "\r\n")
    } else {
        text
    }
}
