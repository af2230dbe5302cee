//! The checker as a [`Subject`] that changes nothing: random programs are right, and so are the rewritten ones; an error in one is a failure.

use super::tool::Tool;
use super::{Promises, Ran, Runner, Subject};
use crate::generator::Source;
use std::sync::atomic::{AtomicU64, Ordering};

/// Checks programs, and what a rewriter makes of them.
pub struct Checked {
    tool: Tool,
    /// Texts that were checked, with how many warnings.
    texts: AtomicU64,
    warnings: AtomicU64,
}

impl Checked {
    /// The checker behind a rewriter.
    pub fn new(tool: Tool) -> Checked {
        Checked {
            tool,
            texts: AtomicU64::new(0),
            warnings: AtomicU64::new(0),
        }
    }

    /// How many texts were checked, and how many warnings there were.
    pub fn seen(&self) -> String {
        let (texts, warnings) = (
            self.texts.load(Ordering::Relaxed),
            self.warnings.load(Ordering::Relaxed),
        );
        format!("{texts} programs checked, {warnings} warnings")
    }

    fn judge(&self, program: &[Source], what: &str) -> Result<(), String> {
        let found = self.tool.check(program)?;
        self.texts.fetch_add(1, Ordering::Relaxed);
        let warnings = found.iter().filter(|f| !f.surely).count();
        self.warnings.fetch_add(warnings as u64, Ordering::Relaxed);
        match found.iter().find(|f| f.surely) {
            Some(error) => Err(format!(
                "an error is found in a {what} program, which is right: {}",
                error.message
            )),
            None => Ok(()),
        }
    }
}

impl Subject for Checked {
    fn rewrite(&self, program: &[Source]) -> Result<Vec<Source>, String> {
        self.judge(program, "random")?;
        self.judge(&self.tool.rewrite(program)?, "rewritten")?;
        Ok(program.to_vec())
    }

    /// What is left alone is not run.
    fn promises(&self) -> Promises {
        Promises {
            stable: true,
            ..Promises::default()
        }
    }
}

/// Runs nothing.
pub struct Idle;

impl Runner for Idle {
    fn sequential(&self, _: &[Source]) -> Result<String, String> {
        Err("nothing is to be run".into())
    }

    fn offloaded(&self, _: &[Source]) -> Result<Vec<Ran>, String> {
        Err("nothing is to be run".into())
    }
}
