//! What was found in generated programs, counted by verdict and by what they have.
//!
//! ```text
//!                                       error  warning  nothing
//! Mpi Right                                 0        1     1499
//! Mpi Mismatch                           1290      189       12
//!
//!                                       right:  warned  wrong:   error  warning  nothing
//! MpiPart(SplitByColour)                   130       1              98       15        2
//! ```

use super::generator::Verdict;
use super::seeds::{Flag, Judged};
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

/// What was found in some programs.
#[derive(Clone, Copy, Default)]
struct Found {
    error: usize,
    warning: usize,
    nothing: usize,
}

impl Found {
    fn count(&mut self, flag: Flag) {
        match flag {
            Flag::Error => self.error += 1,
            Flag::Warning => self.warning += 1,
            Flag::Nothing => self.nothing += 1,
        }
    }
}

/// What was found in programs that have something.
#[derive(Clone, Copy, Default)]
struct Having {
    right: Found,
    wrong: Found,
}

/// What was found.
#[derive(Default)]
pub struct Tally {
    verdicts: BTreeMap<String, Found>,
    features: BTreeMap<String, Having>,
}

impl Tally {
    /// Counts one more program.
    pub fn count(&mut self, judged: &Judged) {
        let Judged {
            kind, program, found, ..
        } = judged;
        let verdict = format!("{kind:?} {:?}", program.verdict);
        self.verdicts.entry(verdict).or_default().count(*found);
        let features = program.features.iter().map(|feature| format!("{feature:?}"));
        let defect = program.defect.iter().map(|defect| format!("{defect:?}"));
        for name in features.chain(defect) {
            let having = self.features.entry(name).or_default();
            match program.verdict {
                Verdict::Right => having.right.count(*found),
                Verdict::Unaligned | Verdict::Mismatch => having.wrong.count(*found),
            }
        }
    }
}

impl Display for Tally {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<44} {:>8} {:>8} {:>8}", "", "error", "warning", "nothing")?;
        for (verdict, found) in &self.verdicts {
            let Found {
                error,
                warning,
                nothing,
            } = found;
            writeln!(f, "{verdict:<44} {error:>8} {warning:>8} {nothing:>8}")?;
        }
        let [right, said, wrong] = ["right:", "said", "wrong:"];
        writeln!(
            f,
            "\n{:<44} {right:>8} {said:>8} {wrong:>15} {:>8} {:>8}",
            "", "warning", "nothing"
        )?;
        for (name, Having { right, wrong }) in &self.features {
            let (nothing, said) = (right.nothing, right.error + right.warning);
            let errors = wrong.error;
            writeln!(
                f,
                "{name:<44} {nothing:>8} {said:>8} {errors:>15} {:>8} {:>8}",
                wrong.warning, wrong.nothing
            )?;
        }
        Ok(())
    }
}
