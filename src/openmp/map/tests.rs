use super::Moment::*;
use super::ReferenceCount::{Absent as No, Counted, Forever as Always};
use super::*;
use proptest::prelude::*;

const V60: Semantics = Semantics {
    version: SpecVersion::V60,
    alloc_keeps_count: false,
};

fn request(moment: Moment, map_type: MapType, always: bool) -> MapRequest {
    MapRequest {
        always,
        ..MapRequest::new(moment, map_type)
    }
}

/// Every row of the table, as the standard's sentences put it.
#[test]
fn row_by_row() {
    use Moment::{UpdateFrom, UpdateTo};
    let none: &[Action] = &[];
    #[rustfmt::skip]
    let rows = [
        // Entry: absent items are created; only `to` types fill them.
        (No, RegionEntry, To, false, Counted(1), &[Allocate, CopyTo][..]),
        (No, RegionEntry, Tofrom, false, Counted(1), &[Allocate, CopyTo]),
        (No, RegionEntry, From, false, Counted(1), &[Allocate]),
        (No, RegionEntry, Alloc, false, Counted(1), &[Allocate]),
        (No, EnterData, To, false, Counted(1), &[Allocate, CopyTo]),
        (No, EnterData, Alloc, false, Counted(1), &[Allocate]),
        (No, EnterData, Storage, true, Counted(1), &[Allocate]),
        // Entry: present items are counted, and copied only with `always`.
        (Counted(1), RegionEntry, Tofrom, false, Counted(2), none),
        (Counted(4), RegionEntry, To, true, Counted(5), &[CopyTo]),
        (Counted(1), RegionEntry, From, true, Counted(2), none),
        (Counted(1), RegionEntry, Alloc, true, Counted(2), none),
        (Always, RegionEntry, Tofrom, false, Always, none),
        (Always, RegionEntry, Tofrom, true, Always, &[CopyTo]),
        // Exit: the last one copies back with `from` types, and frees.
        (Counted(1), RegionExit, Tofrom, false, No, &[CopyFrom, Free]),
        (Counted(1), RegionExit, From, false, No, &[CopyFrom, Free]),
        (Counted(1), RegionExit, To, false, No, &[Free]),
        (Counted(1), RegionExit, Alloc, false, No, &[Free]),
        (Counted(1), ExitData, From, false, No, &[CopyFrom, Free]),
        (Counted(1), ExitData, Release, false, No, &[Free]),
        (Counted(1), ExitData, Delete, false, No, &[Free]),
        // Exit: others count down, and copy only with `always`.
        (Counted(2), RegionExit, Tofrom, false, Counted(1), none),
        (Counted(2), RegionExit, From, true, Counted(1), &[CopyFrom]),
        (Counted(2), RegionExit, To, true, Counted(1), none),
        (Counted(3), ExitData, Release, false, Counted(2), none),
        (Counted(3), ExitData, Delete, false, No, &[Free]),
        (Always, RegionExit, Tofrom, false, Always, none),
        (Always, RegionExit, Tofrom, true, Always, &[CopyFrom]),
        (Always, ExitData, Delete, false, Always, none),
        // Exit of what is not there does nothing.
        (No, ExitData, From, true, No, none),
        (No, RegionExit, Tofrom, false, No, none),
        // Updates copy what is there.
        (No, UpdateTo, To, false, No, none),
        (Counted(2), UpdateTo, To, false, Counted(2), &[CopyTo]),
        (Always, UpdateTo, To, false, Always, &[CopyTo]),
        (No, UpdateFrom, From, false, No, none),
        (Counted(1), UpdateFrom, From, false, Counted(1), &[CopyFrom]),
        (Always, UpdateFrom, From, false, Always, &[CopyFrom]),
    ];
    for (before, moment, map_type, always, after, actions) in rows {
        let outcome = V60.step(before, request(moment, map_type, always));
        let expected = MapOutcome {
            presence: after,
            actions,
        };
        assert_eq!(
            outcome,
            Ok(expected),
            "{before:?} {moment:?} {map_type:?} always={always}"
        );
    }
}

/// Runs requests from `Absent` and returns each one's actions and the last state.
fn run(semantics: Semantics, requests: &[MapRequest]) -> (Vec<&'static [Action]>, ReferenceCount) {
    let mut presence = No;
    let actions = requests.iter().map(|request| {
        let outcome = semantics.step(presence, *request).unwrap();
        presence = outcome.presence;
        outcome.actions
    });
    (actions.collect(), presence)
}

#[test]
fn the_type_at_the_last_exit_decides() {
    let plain = |moment, map_type| request(moment, map_type, false);
    let lost = [
        plain(EnterData, To),
        plain(EnterData, To),
        plain(ExitData, From),
        plain(ExitData, Release),
    ];
    assert_eq!(run(V60, &lost).0, [&[Allocate, CopyTo][..], &[], &[], &[Free]]);
    let inner = [
        plain(RegionEntry, To),
        plain(RegionEntry, Tofrom),
        plain(RegionExit, Tofrom),
        plain(RegionExit, To),
    ];
    assert_eq!(run(V60, &inner).0, [&[Allocate, CopyTo][..], &[], &[], &[Free]]);
}

#[test]
fn the_letter_of_45_keeps_the_count_after_alloc() {
    let nested = [
        request(RegionEntry, From, false),
        request(RegionEntry, Alloc, false),
        request(RegionExit, Alloc, false),
        request(RegionExit, From, false),
    ];
    assert_eq!(
        run(V60, &nested),
        (vec![&[Allocate][..], &[], &[], &[CopyFrom, Free]], No)
    );
    let letter = Semantics {
        version: SpecVersion::V45,
        alloc_keeps_count: true,
    };
    assert_eq!(run(letter, &nested), (vec![&[Allocate][..], &[], &[], &[]], Counted(1)));
}

#[test]
fn present_is_asked_at_the_start_of_every_directive() {
    for moment in [RegionEntry, EnterData, ExitData, Moment::UpdateTo, Moment::UpdateFrom] {
        let map_type = if moment == ExitData { From } else { To };
        let asked = MapRequest {
            present: true,
            ..MapRequest::new(moment, map_type)
        };
        assert_eq!(V60.step(No, asked), Err(Fault::NotPresent), "{moment:?}");
        assert!(V60.step(Counted(1), asked).is_ok());
        assert!(V60.step(Always, asked).is_ok());
    }
    let at_end = MapRequest {
        present: true,
        ..MapRequest::new(RegionExit, To)
    };
    assert_eq!(
        V60.step(No, at_end),
        Ok(MapOutcome {
            presence: No,
            actions: &[]
        })
    );
}

#[test]
fn types_that_a_directive_does_not_take() {
    let allowed = |moment, version| -> Vec<MapType> {
        ANY.iter()
            .copied()
            .filter(|kind| MapRequest::new(moment, *kind).is_allowed(version))
            .collect()
    };
    assert_eq!(allowed(RegionEntry, SpecVersion::V51), [To, Tofrom, From, Alloc]);
    assert_eq!(allowed(EnterData, SpecVersion::V51), [To, Alloc]);
    assert_eq!(allowed(EnterData, SpecVersion::V52), [To, Tofrom, Alloc]);
    assert_eq!(allowed(ExitData, SpecVersion::V45), [From, Release, Delete]);
    assert_eq!(
        allowed(ExitData, SpecVersion::V60),
        [Tofrom, From, Release, Delete, Storage]
    );
    let wrong = MapRequest::new(EnterData, From);
    assert_eq!(Semantics::default().step(No, wrong), Err(Fault::TypeNotAllowed));
}

proptest! {
    /// Device storage is created once before it is used or freed, and the count is the number of entries not left.
    #[test]
    fn storage_is_used_while_it_exists(steps in proptest::collection::vec((0usize..6, 0usize..7, any::<bool>()), 0..40)) {
        let moments = [RegionEntry, RegionExit, EnterData, ExitData, Moment::UpdateTo, Moment::UpdateFrom];
        let (mut presence, mut exists, mut count) = (No, false, 0u32);
        for (moment, map_type, always) in steps {
            let request = request(moments[moment], ANY[map_type], always);
            let Ok(outcome) = V60.step(presence, request) else { continue };
            for action in outcome.actions {
                match action {
                    Allocate => { prop_assert!(!exists); exists = true; }
                    Free => { prop_assert!(exists); exists = false; }
                    CopyTo | CopyFrom => prop_assert!(exists),
                }
            }
            match request.moment {
                RegionEntry | EnterData => count += 1,
                RegionExit | ExitData if request.map_type == Delete => count = 0,
                RegionExit | ExitData => count = count.saturating_sub(1),
                _ => {}
            }
            presence = outcome.presence;
            prop_assert_eq!(presence, if count == 0 { No } else { Counted(count) });
            prop_assert_eq!(exists, count > 0);
        }
    }
}
