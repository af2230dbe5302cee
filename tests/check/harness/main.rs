//! What `check` finds, against what programs do.
//!
//! | trial | is |
//! |---|---|
//! | `OMM101/violates-NAME` | a program that violates the rule of its folder: on the device it does not do what the sequential program does, plain or strict or with other fresh memory, and the rule is found |
//! | `OMM201/violates-NAME` | a program that is right and copies more than it has to: it does the same everywhere, and the rule is found |
//! | `OMM101/near-NAME` | a program beside it that is right: it does the same everywhere, and nothing is found |
//! | `documentation/OMM101` | the two programs that the rule's documentation shows: the rule is found in the first, and nothing in the other |
//! | `collectives/NAME` | a program with collectives of MPI, or barriers of OpenMP, CUDA or UPC: what its first line says is found, and nothing else |
//! | `collectives-seeds` | generated programs with collectives, of which it is known what is wrong with them: something is found in those that are wrong, and nothing in the others ([`collectives::seeds`]) |
//! | `collectives-generator` | what makes these makes all that it can |
//! | `right/NAME` | a fixture or an example, which is right: no error, and no warning but those of `warnings.txt` |
//!
//! Where all that violates the rule has a fix, the program is run and checked with the fixes as well. What is found is in `NAME.expected`, a line each:
//! `14: error OMM103 a`. `BLESS=1 cargo test --test check [NAME]` writes these files
//! anew; what a trial needs for being one of its kind is never blessed away.
//!
//! With `MUTANTS=N` in the environment (`make mutants`) right programs are spoiled instead, one directive each, and run: [`mutants`].

#![allow(clippy::print_stdout, clippy::print_stderr)] // a program that reports to who runs it

mod checking;
mod collectives;
mod documentation;
mod machine;
mod mutants;
mod mutation;
mod right;
mod violations;

use libtest_mimic::Arguments;
use machine::Shared;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shared = Arc::new(Shared::default());
    if let Some(count) = std::env::var("MUTANTS").ok().and_then(|n| n.parse().ok()) {
        return mutants::run(root, &shared, count);
    }
    let args = Arguments::from_args();
    let mut trials = violations::trials(root, &shared);
    trials.extend(documentation::trials(&shared));
    trials.extend(right::trials(root, &shared));
    trials.extend(collectives::trials(root, &shared));
    libtest_mimic::run(&args, trials).exit_code()
}
