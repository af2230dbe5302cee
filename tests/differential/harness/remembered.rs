//! A runner that knows what programs did in earlier runs: of a soak after a change, only programs whose text is another one now are run.
//!
//! ```text
//! RUNS=runs.jsonl SEEDS=20000 …     runs all, and notes for each text what it printed and moved
//! (the planner is changed)
//! RUNS=runs.jsonl SEEDS=20000 …     rewrites all, and runs those texts that it has not seen; all are judged as ever
//! ```
//!
//! Programs that fail to build or to run are not noted. The file is about one compiler and one set of run-time libraries: with others
//! begin another one.

use super::{Ran, Runner};
use crate::generator::Source;
use libtest_mimic::Failed;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::sync::{Mutex, PoisonError};

/// What one program did, as a line of the file.
#[derive(Serialize, Deserialize)]
struct RememberedRun {
    /// A hash of the way in which it was run and of its texts.
    program: String,
    ran: Vec<Ran>,
}

/// A runner with what is known already.
pub struct Remembered<R> {
    runner: R,
    /// What the runner is called in the file.
    name: &'static str,
    known: Mutex<FxHashMap<String, Vec<Ran>>>,
    file: Option<Mutex<File>>,
}

impl<R: Runner> Remembered<R> {
    /// Reads the file that `RUNS` names, and goes on with it; without one everything is run.
    pub fn new(runner: R, name: &'static str) -> Result<Remembered<R>, Failed> {
        let mut remembered = Remembered {
            runner,
            name,
            known: Mutex::default(),
            file: None,
        };
        let Some(path) = std::env::var_os("RUNS") else {
            return Ok(remembered);
        };
        let file = File::options().read(true).append(true).create(true).open(&path)?;
        // A line that was not written to its end is no line.
        let lines = BufReader::new(&file).lines().map_while(Result::ok);
        let runs = lines.filter_map(|line| serde_json::from_str::<RememberedRun>(&line).ok());
        remembered.known = Mutex::new(runs.map(|run| (run.program, run.ran)).collect());
        remembered.file = Some(Mutex::new(file));
        Ok(remembered)
    }

    fn ran(
        &self,
        way: &str,
        program: &[Source],
        run: impl FnOnce() -> Result<Vec<Ran>, String>,
    ) -> Result<Vec<Ran>, String> {
        let Some(file) = &self.file else { return run() };
        let mut hasher = blake3::Hasher::new();
        let texts = program.iter().flat_map(|source| [&source.name, &source.text]);
        for part in [self.name, way].into_iter().chain(texts.map(String::as_str)) {
            hasher
                .update(&(part.len() as u64).to_le_bytes())
                .update(part.as_bytes());
        }
        let program = hasher.finalize().to_hex().to_string();
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ran) = known().get(&program) {
            return Ok(ran.clone());
        }
        let ran = run()?;
        known().insert(program.clone(), ran.clone());
        let made = RememberedRun { program, ran };
        let line = serde_json::to_string(&made).map_err(|e| e.to_string())? + "\n";
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(line.as_bytes()).map_err(|e| e.to_string())?;
        Ok(made.ran)
    }
}

impl<R: Runner> Runner for Remembered<R> {
    fn sequential(&self, program: &[Source]) -> Result<String, String> {
        let ran = self.ran("sequential", program, || {
            let output = self.runner.sequential(program)?;
            Ok(vec![Ran { output, moved: None }])
        })?;
        ran.into_iter()
            .next()
            .map(|ran| ran.output)
            .ok_or_else(|| "a run without output is noted".to_owned())
    }

    fn offloaded(&self, program: &[Source]) -> Result<Vec<Ran>, String> {
        self.ran("offloaded", program, || self.runner.offloaded(program))
    }
}
