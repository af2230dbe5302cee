//! The rules about mappings: what they are called, what they say, and what to write instead.
//!
//! ```text
//! error[OMM102]: the host reads elements of `u` that a kernel has written and the host has not got
//!   --> sim.c:41:5
//! ```
//!
//! Each file has one rule: its documentation, with a program that violates it and the program as it should be, and the sentences that are said where it
//! is violated. What a violation is, [`crate::check`] decides. `ompmemopt rules` lists them, `ompmemopt explain OMM102` prints one, and `docs/rules.md` has them
//! all.

mod absent_item;
mod copy_out_too_small;
mod divergent_barrier;
mod divergent_collective;
mod divergent_syncthreads;
mod divergent_upc_barrier;
mod documentation;
mod finding;
mod garbage_copy_out;
mod loop_invariant_transfer;
mod map_beyond_allocation;
mod missing_from;
mod missing_to;
mod never_released;
mod not_mapped;
mod overlapping_items;
mod redundant_from;
mod redundant_to;
mod round_trip;
mod scalar_result_lost;
mod section_too_small;
mod selection;
mod stale_overwrite;
mod suppressions;
mod unused_map;
mod unused_suppression;
mod whole_array_for_part;

pub use documentation::{documented, listed};
pub use finding::{FindingWay, FixEdit, RelatedPlace, RuleFinding, RuleFix};
pub use selection::{NamedRules, RuleSelection};
pub use suppressions::{Suppressed, SuppressionProblem, suppressed};

/// What is said where rules are violated.
pub mod sentences {
    pub use super::absent_item::message as absent_item;
    pub use super::copy_out_too_small::message as copy_out_too_small;
    pub use super::garbage_copy_out::message as garbage_copy_out;
    pub use super::garbage_copy_out::scalar_garbage;
    pub use super::loop_invariant_transfer::{repeated, superseded};
    pub use super::map_beyond_allocation::message as map_beyond_allocation;
    pub use super::missing_from::message as missing_from;
    pub use super::missing_from::scalar_without_from;
    pub use super::missing_to::message as missing_to;
    pub use super::missing_to::scalar_without_value;
    pub use super::never_released::message as never_released;
    pub use super::not_mapped::message as not_mapped;
    pub use super::overlapping_items::message as overlapping_items;
    pub use super::redundant_from::{host_has_it, host_never_reads};
    pub use super::redundant_to::{device_has_it, no_kernel_reads};
    pub use super::round_trip::message as round_trip;
    pub use super::scalar_result_lost::message as scalar_result_lost;
    pub use super::section_too_small::extended;
    pub use super::section_too_small::message as section_too_small;
    pub use super::stale_overwrite::message as stale_overwrite;
    pub use super::unused_map::message as unused_map;
    pub use super::whole_array_for_part::message as whole_array_for_part;
}

/// A rule about mappings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    /// The device reads what only the host has current.
    MissingTo,
    /// The host reads what only the device has current.
    MissingFrom,
    /// A kernel uses elements that are not mapped.
    SectionTooSmall,
    /// Less comes back than the host reads.
    CopyOutTooSmall,
    /// More is mapped than there is.
    MapBeyondAllocation,
    /// A kernel uses what a pointer leads to, of which nothing is mapped.
    NotMapped,
    /// A kernel has a copy of a scalar of its own, and somebody reads the variable behind it.
    ScalarResultLost,
    /// A copy comes over newer values.
    StaleOverwrite,
    /// What was never written on the device is copied back.
    GarbageCopyOut,
    /// Memory is freed while it is mapped.
    NeverReleased,
    /// Two list items of one construct share elements.
    OverlappingItems,
    /// A directive is about what is not on the device.
    AbsentItem,
    /// What is copied to the device is of no use there.
    RedundantTo,
    /// What is copied to the host is of no use there.
    RedundantFrom,
    /// A copy in a loop does each time what one copy could do.
    LoopInvariantTransfer,
    /// No kernel uses what is mapped.
    UnusedMap,
    /// An array leaves the device and comes back unchanged.
    RoundTrip,
    /// A copy brings at least twice as many elements as are used.
    WholeArrayForPart,
    /// Not every thread of a team comes to a barrier.
    DivergentBarrier,
    /// Not every process of a communicator comes to a collective.
    DivergentCollective,
    /// Not every thread of a CUDA block comes to a barrier.
    DivergentSyncthreads,
    /// Not every thread of a UPC program comes to a barrier.
    DivergentUpcBarrier,
    /// A comment silences what is not found.
    UnusedSuppression,
}

/// All rules, by their codes.
pub const RULES: [Rule; 23] = [
    Rule::MissingTo,
    Rule::MissingFrom,
    Rule::SectionTooSmall,
    Rule::CopyOutTooSmall,
    Rule::MapBeyondAllocation,
    Rule::NotMapped,
    Rule::ScalarResultLost,
    Rule::StaleOverwrite,
    Rule::GarbageCopyOut,
    Rule::NeverReleased,
    Rule::OverlappingItems,
    Rule::AbsentItem,
    Rule::RedundantTo,
    Rule::RedundantFrom,
    Rule::LoopInvariantTransfer,
    Rule::UnusedMap,
    Rule::RoundTrip,
    Rule::WholeArrayForPart,
    Rule::DivergentBarrier,
    Rule::DivergentCollective,
    Rule::DivergentSyncthreads,
    Rule::DivergentUpcBarrier,
    Rule::UnusedSuppression,
];

/// What there is to know about a rule.
#[derive(Debug)]
pub struct RuleText {
    /// The code, as `OMM101`.
    pub code: &'static str,
    /// The name, as `missing-to`.
    pub name: &'static str,
    /// What a violation is, in one sentence.
    pub says: &'static str,
    /// How it comes about, and what happens then.
    pub why: &'static str,
    /// What to write instead.
    pub fix: &'static str,
    /// A program that violates it.
    pub wrong: &'static str,
    /// The program as it should be.
    pub right: &'static str,
}

impl Rule {
    /// What there is to know about it.
    pub fn text(self) -> &'static RuleText {
        match self {
            Rule::MissingTo => &missing_to::TEXT,
            Rule::MissingFrom => &missing_from::TEXT,
            Rule::SectionTooSmall => &section_too_small::TEXT,
            Rule::CopyOutTooSmall => &copy_out_too_small::TEXT,
            Rule::MapBeyondAllocation => &map_beyond_allocation::TEXT,
            Rule::NotMapped => &not_mapped::TEXT,
            Rule::ScalarResultLost => &scalar_result_lost::TEXT,
            Rule::StaleOverwrite => &stale_overwrite::TEXT,
            Rule::GarbageCopyOut => &garbage_copy_out::TEXT,
            Rule::NeverReleased => &never_released::TEXT,
            Rule::OverlappingItems => &overlapping_items::TEXT,
            Rule::AbsentItem => &absent_item::TEXT,
            Rule::RedundantTo => &redundant_to::TEXT,
            Rule::RedundantFrom => &redundant_from::TEXT,
            Rule::LoopInvariantTransfer => &loop_invariant_transfer::TEXT,
            Rule::UnusedMap => &unused_map::TEXT,
            Rule::RoundTrip => &round_trip::TEXT,
            Rule::WholeArrayForPart => &whole_array_for_part::TEXT,
            Rule::DivergentBarrier => &divergent_barrier::TEXT,
            Rule::DivergentCollective => &divergent_collective::TEXT,
            Rule::DivergentSyncthreads => &divergent_syncthreads::TEXT,
            Rule::DivergentUpcBarrier => &divergent_upc_barrier::TEXT,
            Rule::UnusedSuppression => &unused_suppression::TEXT,
        }
    }

    /// How the names of files end that it is about.
    pub fn ending(self) -> &'static str {
        match self {
            Rule::DivergentSyncthreads => "cu",
            Rule::DivergentUpcBarrier => "upc",
            _ => "c",
        }
    }

    /// Whether a program that violates it may be right all the same, however sure the violation is: then it is worth a warning, and no more.
    pub fn is_harmless(self) -> bool {
        use Rule::{AbsentItem, NeverReleased, OverlappingItems, UnusedSuppression};
        matches!(self, AbsentItem | NeverReleased | OverlappingItems | UnusedSuppression)
    }

    /// Whether a program that violates it is right, and copies more than it has to: advice, which is given where somebody asks for it.
    pub fn is_advice(self) -> bool {
        use Rule::{LoopInvariantTransfer, RedundantFrom, RedundantTo, RoundTrip, UnusedMap, WholeArrayForPart};
        matches!(
            self,
            RedundantTo | RedundantFrom | LoopInvariantTransfer | UnusedMap | RoundTrip | WholeArrayForPart
        )
    }

    /// The rule of a code or a name, in small or large letters.
    pub fn named(word: &str) -> Option<Rule> {
        let is_it = |rule: &&Rule| {
            let text = rule.text();
            word.eq_ignore_ascii_case(text.code) || word.eq_ignore_ascii_case(text.name)
        };
        RULES.iter().find(is_it).copied()
    }
}

/// Who reads elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reader {
    /// The host.
    Host,
    /// A kernel.
    Kernel,
}

/// Elements that are not the newest, and who reads them.
#[derive(Clone, Copy, Debug)]
pub struct StaleElements<'a> {
    /// The array, as people know it: `` `u` ``.
    pub label: &'a str,
    /// Who reads.
    pub reader: Reader,
    /// The elements surely are read, and surely stale.
    pub surely: bool,
    /// What they are: `that a kernel has written and the host has not got`.
    pub missing: &'a str,
}

impl StaleElements<'_> {
    /// `the host reads elements of …`, and what more there is to say.
    pub fn sentence(&self, how: &str) -> String {
        let who = match (self.reader, self.surely) {
            (Reader::Host, true) => "the host reads",
            (Reader::Host, false) => "the host may read",
            (Reader::Kernel, true) => "this kernel reads",
            (Reader::Kernel, false) => "this kernel may read",
        };
        format!("{who} elements of {} {}{how}", self.label, self.missing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_found_by_code_and_by_name() {
        for (rule, next) in RULES.iter().zip(&RULES[1..]) {
            assert!(rule.text().code < next.text().code);
        }
        assert_eq!(Rule::named("omm102"), Some(Rule::MissingFrom));
        assert_eq!(Rule::named("missing-from"), Some(Rule::MissingFrom));
        assert_eq!(Rule::named("OMM999"), None);
    }
}
