//! Which rule a problem violates, what is said of it, and what it has to do with.

use super::mapping_state::MappingProblem;
use super::scalars::ScalarProblem;
use super::stale::{Cause, Loss, NewestValue, StaleRead, StepId};
use super::transfers::UselessTransfer;
use crate::plan::Direction;
use crate::rules::{Reader, Rule, StaleElements, sentences};

/// What is said of a problem with an array.
pub fn said(label: &str, problem: &MappingProblem) -> (Rule, String) {
    match problem {
        MappingProblem::HostReads(read) => stale(label, read, Reader::Host),
        MappingProblem::KernelReads(read) => stale(label, read, Reader::Kernel),
        MappingProblem::NothingThere => (Rule::AbsentItem, sentences::absent_item(label, false)),
        MappingProblem::NotPresent => (Rule::AbsentItem, sentences::absent_item(label, true)),
        MappingProblem::NotMapped { surely } => (Rule::NotMapped, sentences::not_mapped(label, *surely)),
        MappingProblem::OutsideOfMapped { surely } => {
            (Rule::SectionTooSmall, sentences::section_too_small(label, *surely))
        }
        MappingProblem::Extended => (Rule::SectionTooSmall, sentences::extended(label)),
        MappingProblem::BeyondObject => (Rule::MapBeyondAllocation, sentences::map_beyond_allocation(label)),
        MappingProblem::FreedWhileMapped => (Rule::NeverReleased, sentences::never_released(label)),
    }
}

/// What is said of stale elements that are read.
fn stale(label: &str, read: &StaleRead, reader: Reader) -> (Rule, String) {
    let Cause {
        newest,
        lost,
        passed_by,
    } = read.cause;
    let elements = StaleElements {
        label,
        reader,
        surely: read.surely,
        missing: match newest {
            NewestValue::WrittenOnHost(_) => "that the host has written and the device has not got",
            NewestValue::WrittenOnOtherDevice(_) => "that another device has written and this one has not got",
            NewestValue::WrittenOnDevice(_) => "that a kernel has written and the host has not got",
            NewestValue::NeverCopied(_) => "that were never copied to the device",
        },
    };
    match (lost, newest) {
        (Some(Loss::Freed(_)) | None, NewestValue::WrittenOnDevice(_)) if passed_by.is_some() => {
            (Rule::CopyOutTooSmall, sentences::copy_out_too_small(&elements))
        }
        (Some(Loss::Freed(_)), _) => (Rule::MissingFrom, sentences::missing_from(&elements, true)),
        (Some(Loss::Overwritten(_)), _) => (Rule::StaleOverwrite, sentences::stale_overwrite(&elements)),
        (Some(Loss::Garbage(_)), _) => (Rule::GarbageCopyOut, sentences::garbage_copy_out(&elements)),
        (None, NewestValue::WrittenOnDevice(_)) => (Rule::MissingFrom, sentences::missing_from(&elements, false)),
        (None, _) => (Rule::MissingTo, sentences::missing_to(&elements)),
    }
}

/// What is said of a scalar, and of the kernel.
pub fn said_of_scalar(problem: &ScalarProblem) -> (String, &'static str) {
    let (label, surely) = (format!("`{}`", problem.name), problem.surely);
    match problem.rule {
        Rule::MissingTo => (
            sentences::scalar_without_value(&label),
            "the copy begins without a value here",
        ),
        Rule::MissingFrom => (
            sentences::scalar_without_from(&label, surely),
            "this kernel writes a copy, which is not copied back",
        ),
        Rule::GarbageCopyOut => (
            sentences::scalar_garbage(&label, surely),
            "this kernel writes nothing there, and it is copied back",
        ),
        _ => (
            sentences::scalar_result_lost(&label, surely),
            "this kernel writes a copy of its own",
        ),
    }
}

/// What is said of a copy that is of no use.
pub fn said_of_transfer(label: &str, useless: &UselessTransfer) -> (Rule, String) {
    match useless {
        UselessTransfer::UnusedMap => (Rule::UnusedMap, sentences::unused_map(label)),
        UselessTransfer::NoNews(Direction::To) => (Rule::RedundantTo, sentences::device_has_it(label)),
        UselessTransfer::NeverUsed(Direction::To) => (Rule::RedundantTo, sentences::no_kernel_reads(label)),
        UselessTransfer::NoNews(Direction::From) => (Rule::RedundantFrom, sentences::host_has_it(label)),
        UselessTransfer::NeverUsed(Direction::From) => (Rule::RedundantFrom, sentences::host_never_reads(label)),
        UselessTransfer::Repeated => (Rule::LoopInvariantTransfer, sentences::repeated(label)),
        UselessTransfer::Superseded => (Rule::LoopInvariantTransfer, sentences::superseded(label)),
        UselessTransfer::RoundTrip(_) => (Rule::RoundTrip, sentences::round_trip(label)),
        UselessTransfer::Part(direction) => {
            let reader = match direction {
                Direction::To => Reader::Kernel,
                Direction::From => Reader::Host,
            };
            (Rule::WholeArrayForPart, sentences::whole_array_for_part(label, reader))
        }
    }
}

/// The steps that a problem has to do with, and what happens there.
pub fn related(problem: &MappingProblem) -> Vec<(StepId, &'static str)> {
    let (MappingProblem::HostReads(read) | MappingProblem::KernelReads(read)) = problem else {
        return Vec::new();
    };
    let newest = match read.cause.newest {
        NewestValue::WrittenOnHost(step) => (step, "the host writes them here"),
        NewestValue::WrittenOnOtherDevice(step) | NewestValue::WrittenOnDevice(step) => {
            (step, "this kernel writes them")
        }
        NewestValue::NeverCopied(step) => (step, "they get memory on the device here, and nothing is copied there"),
    };
    let lost = read.cause.lost.map(|loss| match loss {
        Loss::Freed(step) => (step, "the device copy ends here"),
        Loss::Overwritten(step) => (step, "older values are copied here"),
        Loss::Garbage(step) => (step, "what the device has is copied here"),
    });
    let passed_by = read
        .cause
        .passed_by
        .map(|step| (step, "other elements are copied here"));
    [Some(newest), lost, passed_by].into_iter().flatten().collect()
}
