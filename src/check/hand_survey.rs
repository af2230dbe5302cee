//! What is found out for who would plan mappings by hand anew: which of them could go, what list items are expected to copy, and whether each array is on one device.
//!
//! It takes walks beside those that say what is wrong, so that it is done where it is asked for ([`CheckFor::Replacing`]).

use super::array_walks::ArrayWalks;
use super::begun::{ArrayOrigin, BegunArray, is_handed};
use super::collect::CollectedArray;
use super::directives::FunctionDirectives;
use super::places::StepPlaces;
use super::replaceable::HandMappings;
use super::traffic::ExpectedTraffic;
use super::transfers::TransferRecords;
use super::walk::ObservedEffects;
use crate::plan::FilePlan;
use crate::plan::models::LookedAt;

/// What a program is checked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckFor {
    /// What is wrong, and what list items do.
    Findings,
    /// Beside these, what could be planned anew ([`FilePlan::replaceable`], [`FilePlan::expected_traffic`], [`FilePlan::devices_mixed`]).
    Replacing,
}

/// What is known so far.
#[derive(Default)]
pub struct HandSurvey {
    mappings: HandMappings,
    traffic: ExpectedTraffic,
    /// See [`FilePlan::devices_mixed`].
    devices_mixed: bool,
}

impl HandSurvey {
    /// An array of a function.
    pub fn array(&mut self, looked: &LookedAt<'_>, array: &CollectedArray, origin: ArrayOrigin) {
        let views = array.graph.views(&|_| false);
        self.devices_mixed |= views.is_none_or(|views| views.len() > 1);
        if origin == ArrayOrigin::SeenCallers && !is_handed(looked, array) {
            self.mappings.leave(array);
        }
    }

    /// An array was walked where it begins.
    pub fn begun<'w>(
        &mut self,
        looked: &LookedAt<'_>,
        places: &StepPlaces,
        array: &BegunArray<'_>,
        walks: impl Iterator<Item = ArrayWalks<'w>>,
    ) {
        self.mappings.judged(looked, array, walks);
        self.traffic.add(looked, places, array.collected);
    }

    /// A function was looked at, with its arrays.
    pub fn looked(
        &mut self,
        looked: &LookedAt<'_>,
        directives: &FunctionDirectives,
        arrays: &[CollectedArray],
        places: &StepPlaces,
    ) {
        self.mappings.looked(looked, directives, arrays, places);
    }

    /// Says it in the plans of the program's files.
    pub fn report(
        self,
        plans: &mut [FilePlan],
        places: &StepPlaces,
        transfers: &TransferRecords,
        observed: &ObservedEffects,
    ) {
        for plan in plans.iter_mut() {
            plan.devices_mixed = self.devices_mixed;
        }
        for (unit, traffic) in self.traffic.expected(observed) {
            plans[unit].expected_traffic = traffic;
        }
        for (unit, replaceable) in self.mappings.replaceable(places, transfers) {
            plans[unit].replaceable = replaceable;
        }
    }
}
