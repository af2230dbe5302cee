//! Reduces a failing case by trying its smaller versions until none of them fails.

use crate::generator::Case;
use crate::generator::shrink::Candidates;
use std::time::{Duration, Instant};

/// The smallest version of `case` found for which `fails` still holds, asking it at most `most` times and no more after
/// `time`.
pub fn reduce(case: Case, most: usize, time: Duration, fails: &mut dyn FnMut(&Case) -> bool) -> Case {
    let mut case = case;
    let mut left = most;
    let start = Instant::now();
    loop {
        let before = case.parts.clone();
        let mut k = 0;
        loop {
            let candidates = Candidates::of(&case);
            if k >= candidates.len() || left == 0 {
                break;
            }
            match candidates.get(k) {
                Some(smaller) => {
                    left -= 1;
                    if start.elapsed() > time {
                        return case;
                    }
                    if fails(&smaller) {
                        case = smaller;
                    } else {
                        k += 1;
                    }
                }
                None => k += 1,
            }
        }
        if left == 0 || case.parts == before {
            return case;
        }
    }
}
