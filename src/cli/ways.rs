//! Files that are compiled in several ways, with different flags, as a compilation database may say.
//!
//! ```c
//! #if MODE == 1                              /* cc -DMODE=1 -c core.c -o one.o                                   */
//! #define LOOK(v, t) printf("%g\n", v[t])    /* cc -DMODE=2 -c core.c -o two.o                                   */
//! #else
//! #define LOOK(v, t) (void)t
//! #endif
//! ```
//!
//! There is one text, so what is written has to be right in each of them. The program is decided about once for every
//! combination of ways. What all of them write the same is written. Where they differ, the files that are compiled in several
//! ways and come out differently are left alone, and the others are decided about as if nothing were known of these: which of the
//! ways a program is made of, nobody says.

use crate::plan::Note;
use crate::reasons::Wording;
use crate::rewrite::{FileError, GivenUnit, Outcome, Rewritten};
use crate::source::Span;

/// How many combinations are tried. Beyond that the files are left alone.
const MOST: usize = 8;

/// Files, and in how many ways each is compiled.
#[derive(Debug)]
pub struct CompilationWays {
    counts: Vec<usize>,
}

impl CompilationWays {
    /// Of files in their order.
    pub fn new(counts: Vec<usize>) -> CompilationWays {
        CompilationWays { counts }
    }

    /// Every combination: for each file, which of its ways. `None` where there are too many.
    pub fn combinations(&self) -> Option<Vec<Vec<usize>>> {
        let total = self.counts.iter().try_fold(1usize, |all, n| all.checked_mul(*n))?;
        let choose = |mut which: usize| {
            let digits = self.counts.iter().map(|n| {
                let digit = which % n;
                which /= n;
                digit
            });
            digits.collect()
        };
        (total <= MOST).then(|| (0..total).map(choose).collect())
    }

    /// Whether a file is compiled in more than one way.
    pub fn are_several(&self, file: usize) -> bool {
        self.counts[file] > 1
    }
}

/// Decides about files that are compiled in these ways. `given` makes what is decided about of some of the files, each in one of its
/// ways; `flags` says how the flags of a file's ways differ, as a part of a sentence.
pub fn decide<'a>(
    ways: &CompilationWays,
    given: &dyn Fn(usize, usize) -> GivenUnit<'a>,
    make: &dyn Fn(Vec<GivenUnit<'a>>) -> Rewritten,
    flags: &dyn Fn(usize) -> String,
) -> Rewritten {
    let mut taken: Vec<usize> = (0..ways.counts.len()).collect();
    loop {
        match agreed(ways, &taken, given, make) {
            Ok(rewritten) => return among(rewritten, ways, &taken, flags),
            Err(differing) => taken.retain(|file| !differing.contains(file)),
        }
    }
}

/// What all combinations of ways of some files write; else which files that have several not to take.
fn agreed<'a>(
    ways: &CompilationWays,
    taken: &[usize],
    given: &dyn Fn(usize, usize) -> GivenUnit<'a>,
    make: &dyn Fn(Vec<GivenUnit<'a>>) -> Rewritten,
) -> Result<Rewritten, Vec<usize>> {
    let several = || taken.iter().copied().filter(|file| ways.are_several(*file));
    let with = |choice: &[usize]| make(taken.iter().zip(choice).map(|(file, way)| given(*file, *way)).collect());
    let own = CompilationWays::new(taken.iter().map(|file| ways.counts[*file]).collect());
    let combinations = own.combinations().unwrap_or_default();
    let Some((first, others)) = combinations.split_first() else {
        return Err(several().collect());
    };
    let mut rewritten = with(first);
    for choice in others {
        let other = with(choice);
        if are_equal(&rewritten, &other) {
            let pairs = rewritten
                .files
                .iter_mut()
                .flatten()
                .zip(other.files.into_iter().flatten());
            pairs.for_each(|(outcome, other)| outcome.add_findings(other));
            continue;
        }
        let differs = |file: &usize| {
            let at = taken.iter().position(|t| t == file);
            at.is_some_and(|at| !write_the_same(&rewritten.files[at], &other.files[at]))
        };
        let differing: Vec<usize> = several().filter(differs).collect();
        // Where none of these differs, another file does, by what it knows of them.
        return Err(if differing.is_empty() {
            several().collect()
        } else {
            differing
        });
    }
    Ok(rewritten)
}

/// What came of the files that were decided about, and of those that were not.
fn among(
    mut rewritten: Rewritten,
    ways: &CompilationWays,
    taken: &[usize],
    flags: &dyn Fn(usize) -> String,
) -> Rewritten {
    let mut done = std::mem::take(&mut rewritten.files).into_iter();
    let outcome = |file: usize| {
        if taken.contains(&file) {
            return done.next().unwrap_or_else(|| Ok(Outcome::default()));
        }
        let reason = Wording::SeveralWays { ways: flags(file) };
        let remark = Note::because(Span::new(0, 0), "left as it is: ", &reason.into());
        Ok(Outcome {
            remarks: vec![remark],
            ..Outcome::default()
        })
    };
    rewritten.files = (0..ways.counts.len()).map(outcome).collect();
    rewritten
}

/// Whether two decisions write the same texts, and nothing went wrong with either.
fn are_equal(one: &Rewritten, other: &Rewritten) -> bool {
    let mut pairs = one.files.iter().zip(&other.files);
    one.problems == other.problems && pairs.all(|(a, b)| write_the_same(a, b))
}

fn write_the_same(one: &Result<Outcome, FileError>, other: &Result<Outcome, FileError>) -> bool {
    match (one, other) {
        (Ok(one), Ok(other)) => one.new_text == other.new_text && one.bound == other.bound,
        _ => false,
    }
}

/// How lists of flags differ: what the first two do not have in common.
pub fn difference(lists: &[&[String]]) -> String {
    let [one, other, ..] = lists else { return String::new() };
    let without = |list: &[String], known: &[String]| {
        let own: Vec<&str> = list.iter().filter(|f| !known.contains(f)).map(String::as_str).collect();
        match own.is_empty() {
            true => "without".to_owned(),
            false => format!("`{}`", own.join(" ")),
        }
    };
    match (without(one, other), without(other, one)) {
        (a, b) if a == b => "in different folders, or with flags in another order".to_owned(),
        (a, b) => format!("{a} and {b}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_once_and_none_beyond_the_limit() {
        let three = CompilationWays::new(vec![1, 2, 3]).combinations().unwrap();
        assert_eq!((three.len(), three[0].clone()), (6, vec![0, 0, 0]));
        let mut sorted = three.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), 6);
        assert!(CompilationWays::new(vec![3, 3]).combinations().is_none());
    }

    #[test]
    fn flags_that_differ_are_named() {
        let list = |flags: &str| flags.split(' ').map(str::to_owned).collect::<Vec<String>>();
        let (a, b, c) = (list("-g -DM=1"), list("-g -DM=2 -DX"), list("-g"));
        assert_eq!(difference(&[&a, &b]), "`-DM=1` and `-DM=2 -DX`");
        assert_eq!(difference(&[&c, &a]), "without and `-DM=1`");
        assert_eq!(
            difference(&[&c, &c]),
            "in different folders, or with flags in another order"
        );
    }
}
