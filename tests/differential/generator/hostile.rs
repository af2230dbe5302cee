//! The profiles of hostile programs, one trap each.
//!
//! Each profile is about one way in which rewritten programs have gone wrong, and keeps everything else small, so that a few
//! hundred seeds meet the trap often. [`super::pitfall_census`] says how often.
//!
//! ```text
//! PROFILE=chosen     loops and functions about pointers that a test chooses, two arrays or three that are alike
//! ```

use super::profile::{EVERYTHING, Profile};
use super::traps::{DeviceTrap, NONE, NUMBERS, Traps};
use crate::hosts::Kind;

/// What all profiles of traps have.
const SOME: Traps = Traps { p_focus: 85, ..NONE };

/// What the profiles of traps have in common: short programs in plain style.
const SHORT: Profile = Profile {
    p_crlf: 0,
    p_work_function: 20,
    arrays: (2, 4),
    statements: (2, 6),
    depth: 2,
    p_two_dims: 5,
    p_member: 8,
    p_alias: 12,
    p_pair: 6,
    helpers: 2,
    p_changing: 5,
    p_partial: 12,
    p_kernel_if: 8,
    p_data_branch: 10,
    p_style: 2,
    w_kernel: 20,
    w_read: 10,
    w_write: 10,
    w_misc: 3,
    w_loop: 45,
    w_if: 4,
    w_switch: 1,
    w_jump: 1,
    w_swap: 3,
    w_region: 1,
    w_declare: 1,
    w_change: 2,
    ..EVERYTHING
};

/// The profiles of programs with kernels and traps.
pub const HOSTILE: &[Profile] = &[
    Profile {
        name: "unsigned",
        traps: Traps {
            p_macro: 40,
            w_unsigned: 150,
            ..SOME
        },
        ..SHORT
    },
    Profile {
        name: "idle",
        traps: Traps {
            p_edge: 50,
            p_zero: 45,
            ..SOME
        },
        ..SHORT
    },
    Profile {
        name: "optional",
        helpers: 3,
        w_call: 26,
        traps: Traps {
            p_optional: 75,
            w_when: 30,
            p_zero: 40,
            ..SOME
        },
        ..SHORT
    },
    Profile {
        name: "guards",
        traps: Traps {
            w_guarded: 60,
            p_zero: 40,
            p_macro: 20,
            ..SOME
        },
        ..SHORT
    },
    Profile {
        name: "records",
        p_member: 0,
        helpers: 4,
        w_call: 35,
        w_global: 60,
        traps: Traps { p_record: 75, ..SOME },
        ..SHORT
    },
    Profile {
        name: "texts",
        w_region: 0,
        traps: Traps {
            p_text: 60,
            w_tokens: 60,
            ..SOME
        },
        ..SHORT
    },
    Profile {
        name: "signals",
        w_global: 60,
        traps: Traps { w_raise: 50, ..SOME },
        ..SHORT
    },
    Profile {
        name: "threads",
        w_global: 60,
        traps: Traps { w_meet: 50, ..SOME },
        ..SHORT
    },
    Profile {
        name: "callbacks",
        w_global: 60,
        traps: Traps { w_back: 50, ..SOME },
        ..SHORT
    },
    Profile {
        name: "structures",
        p_member: 100,
        w_call: 30,
        traps: Traps { w_weigh: 30, ..SOME },
        ..SHORT
    },
    Profile {
        name: "surveys",
        w_global: 60,
        p_partial: 70,
        traps: Traps { w_survey: 30, ..SOME },
        ..SHORT
    },
    Profile {
        name: "allocators",
        p_pair: 25,
        w_misc: 12,
        traps: Traps {
            allocators: true,
            ..SOME
        },
        ..SHORT
    },
    Profile {
        name: "copies",
        w_global: 60,
        traps: Traps { p_copied: 50, ..SOME },
        ..SHORT
    },
    Profile {
        name: "asks",
        traps: Traps { p_asks: 50, ..SOME },
        ..SHORT
    },
    Profile {
        name: "hides",
        helpers: 4,
        w_call: 35,
        w_global: 80,
        files: (0, 2),
        p_global_size: 80,
        traps: Traps { hides: true, ..SOME },
        ..SHORT
    },
    Profile {
        name: "entered",
        w_declare: 0,
        traps: Traps {
            p_macro: 20,
            p_entered: 50,
            ..SOME
        },
        ..SHORT
    },
    Profile {
        name: "managed",
        p_member: 0,
        w_region: 22,
        traps: Traps { managed: true, ..SOME },
        ..SHORT
    },
    Profile {
        name: "handles",
        whole_main: true,
        traps: Traps { handles: true, ..SOME },
        ..SHORT
    },
    Profile {
        name: "numbers",
        traps: NUMBERS,
        ..SHORT
    },
    Profile {
        name: "large",
        traps: Traps { n: (150, 400), ..SOME },
        ..SHORT
    },
    Profile {
        name: "flags",
        helpers: 4,
        w_call: 30,
        w_global: 40,
        w_if: 25,
        traps: Traps {
            configurable: true,
            p_flag: 40,
            p_directive: 30,
            ..SOME
        },
        ..SHORT
    },
    Profile {
        name: "configurations",
        helpers: 3,
        traps: Traps {
            p_macro: 70,
            configurable: true,
            ..SOME
        },
        ..SHORT
    },
    Profile {
        // So few elements that what is not for all of them is for none.
        name: "emptied",
        p_two_dims: 35,
        helpers: 4,
        w_call: 40,
        w_global: 60,
        p_partial: 50,
        traps: Traps {
            n: (2, 6),
            p_macro: 85,
            configurable: true,
            ..SOME
        },
        ..SHORT
    },
    Profile {
        name: "borders",
        w_global: 60,
        p_partial: 5,
        traps: Traps {
            p_macro: 85,
            configurable: true,
            w_border: 30,
            ..SOME
        },
        ..SHORT
    },
    Profile {
        name: "marks",
        p_changing: 0,
        traps: Traps {
            p_macro: 30,
            p_mark: 45,
            configurable: true,
            ..SOME
        },
        ..SHORT
    },
    Profile {
        name: "hand-short",
        speculation_safe: true,
        p_member: 0,
        w_region: 0,
        traps: Traps { p_hand: 80, ..SOME },
        ..SHORT
    },
    Profile {
        name: "devices",
        speculation_safe: true,
        p_member: 0,
        helpers: 3,
        w_call: 25,
        w_region: 0,
        traps: Traps {
            p_hand: 40,
            devices: DeviceTrap::One,
            ..SOME
        },
        ..SHORT
    },
    Profile {
        name: "devices-apart",
        w_region: 0,
        traps: Traps {
            devices: DeviceTrap::Several,
            ..SOME
        },
        ..SHORT
    },
    Profile {
        name: "chosen",
        helpers: 3,
        w_call: 16,
        traps: Traps {
            p_choice: 60,
            w_choice: 25,
            ..SOME
        },
        ..SHORT
    },
    Profile {
        name: "chosen-files",
        speculation_safe: true,
        helpers: 4,
        w_call: 25,
        w_global: 40,
        files: (1, 2),
        p_far: 60,
        p_made: 25,
        traps: Traps {
            p_choice: 60,
            w_choice: 25,
            p_hand: 15,
            ..SOME
        },
        ..SHORT
    },
    Profile {
        name: "chosen-lost",
        traps: Traps {
            p_choice: 60,
            w_choice: 25,
            loses: true,
            ..SOME
        },
        ..SHORT
    },
    Profile {
        name: "rows",
        speculation_safe: true,
        traps: Traps { rows: true, ..SOME },
        ..SHORT
    },
    Profile {
        name: "host-loops",
        traps: Traps {
            hosts: Some(Kind::Loops),
            ..SOME
        },
        ..SHORT
    },
    Profile {
        name: "swapped",
        traps: Traps {
            hosts: Some(Kind::Swaps),
            ..SOME
        },
        ..SHORT
    },
    Profile {
        name: "addresses",
        traps: Traps {
            hosts: Some(Kind::Addresses),
            ..SOME
        },
        ..SHORT
    },
    Profile {
        name: "unsigned-ends",
        traps: Traps {
            hosts: Some(Kind::Ends),
            ..SOME
        },
        ..SHORT
    },
    Profile {
        name: "unsigned-exits",
        whole_main: true,
        traps: Traps {
            hosts: Some(Kind::Exits),
            ..SOME
        },
        ..SHORT
    },
];
