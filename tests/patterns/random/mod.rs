//! Random loop nests, run by a small interpreter that sees which bytes every iteration really touches.
//!
//! A verdict is wrong when the loop is said to be parallel, all conditions hold for some input, and yet two iterations
//! touch one byte, one of them writing; or a clause is not what the run shows (a private variable read before it is set,
//! or read after the loop); or an array is touched outside of its sections. What a verdict refuses is never wrong here.
//!
//! `ROUNDS=1000 cargo test --test patterns random` runs more, `FIRST_ROUND=N` others; each round is one file of many
//! functions.

mod ast;
mod check;
mod generate;
mod run;

use ast::Function;
use libtest_mimic::{Failed, Trial};
use ompmemopt::inside::analysis::verdicts;
use ompmemopt::inside::analysis::{KnownFunctions, ModulePointers};
use ompmemopt::inside::annotate::describe;
use ompmemopt::inside::llvm::{ClangOptions, Input, analyse_file, find_clang};
use ompmemopt::inside::plan::each_function;
use ompmemopt::inside::plan::{FileText, PlanOptions};
use ompmemopt::inside::syntax;
use std::path::Path;

/// Functions in one file.
const FUNCTIONS: u64 = 60;
/// Inputs that each function is run with.
const INPUTS: u64 = 24;

/// A trial for each kind of program.
pub fn trials() -> Vec<Trial> {
    let rounds: u64 = std::env::var("ROUNDS").ok().and_then(|r| r.parse().ok()).unwrap_or(3);
    vec![Trial::test("random", move || {
        let (mut loops, mut parallel, mut held) = (0, 0, 0);
        let first: u64 = std::env::var("FIRST_ROUND")
            .ok()
            .and_then(|r| r.parse().ok())
            .unwrap_or(0);
        for round in first..first + rounds {
            let found = one(round)?;
            loops += found.loops;
            parallel += found.parallel;
            held += found.held;
        }
        println!("{loops} loops, {parallel} parallel, {held} runs of such with all conditions true");
        // A tool that refuses everything is never wrong.
        if parallel * 5 < loops || held < parallel {
            return Err(format!("{parallel} of {loops} loops are parallel, and {held} runs have shown it").into());
        }
        Ok(())
    })]
}

#[derive(Default)]
struct Tally {
    loops: usize,
    parallel: usize,
    held: usize,
}

fn one(round: u64) -> Result<Tally, Failed> {
    let functions: Vec<Function> = (0..FUNCTIONS)
        .map(|f| generate::function(round * FUNCTIONS + f))
        .collect();
    let mut text = String::from("typedef unsigned long size_t;\nint G[12][7];\n");
    functions.iter().for_each(|f| text.push_str(&f.to_string()));
    let clang = find_clang(None)?;
    let module = analyse_file(
        &clang,
        &Input::text(Path::new("random.c"), text.as_bytes()),
        &ClangOptions::default(),
    )?;
    let tree = syntax::parse(text.as_bytes(), &[]);
    let options = PlanOptions::default();
    let file = FileText {
        path: Path::new("case.c"),
        context: false,
        text: text.as_bytes(),
        tree: &tree,
        headers: &[],
        bodies: &[],
        options: &options,
    };
    let mut tally = Tally::default();
    let mut at = 0;
    let pointers = ModulePointers::new(&module, KnownFunctions::of_library(&module));
    let results = each_function(&[file], &pointers, |_, _, model| {
        let function = &functions[at];
        at += 1;
        let verdicts = verdicts(model);
        let said: Vec<_> = verdicts.values().collect();
        tally.loops += said.len();
        tally.parallel += said.iter().filter(|v| v.parallel().is_some()).count();
        for input in 0..INPUTS {
            match check::check(model, function, &said, input) {
                Ok(held) => tally.held += held,
                Err(why) => {
                    let words: Vec<String> = said.iter().map(|v| describe(model, v)).collect();
                    return Err(format!("{function}\n{}\ninput {input}: {why}", words.join("\n")));
                }
            }
        }
        Ok(())
    });
    for result in results.into_iter().flatten() {
        result.map_err(|(_, why)| format!("a function was not understood: {why}"))??;
    }
    Ok(tally)
}
