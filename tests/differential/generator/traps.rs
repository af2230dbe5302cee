//! What hostile programs do beyond what careful ones do, and the profiles that lean on it, one trap each.
//!
//! Each profile is about one way in which rewritten programs have gone wrong, and keeps everything else small, so that a few
//! hundred seeds meet the trap often. [`super::census`] says how often.

use super::profile::{EVERYTHING, Profile};

/// Weights of traps; `p_*` are percentages, `w_*` relative weights among statements, indices or bounds. All are zero in the
/// profiles of careful programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traps {
    /// The usual extent of arrays, least and most.
    pub n: (i64, i64),
    /// A loop is about one or two arrays, with a kernel in it.
    pub p_focus: u32,
    /// An extent is a macro, whatever else it might be.
    pub p_macro: u32,
    /// Macros may be set from outside, and other values of them have to be right, too.
    pub configurable: bool,
    /// Weight of indices in unsigned and narrow arithmetic.
    pub w_unsigned: u32,
    /// Bounds are small differences between values that only the running program knows, and often leave nothing to do.
    pub p_edge: u32,
    /// Bounds are macros' numbers and numbers of the text, on whose two sides others are in other builds.
    pub p_mark: u32,
    /// A value that only the running program knows is zero.
    pub p_zero: u32,
    /// An array is there only if a value that the running program knows is large enough.
    pub p_optional: u32,
    /// Weight of statements under that condition.
    pub w_when: u32,
    /// Weight of accesses that what stands before them in the same expression or loop keeps from going wrong.
    pub w_guarded: u32,
    /// The elements of an array are structs.
    pub p_record: u32,
    /// The elements of an array are characters, with a NUL behind the last.
    pub p_text: u32,
    /// Weight of calls that go on where the last one stopped.
    pub w_tokens: u32,
    /// Weight of signals that are raised.
    pub w_raise: u32,
    /// Weight of meetings with another thread.
    pub w_meet: u32,
    /// Weight of functions that the library calls back.
    pub w_back: u32,
    /// Weight of calls whose kernels map all of the structure.
    pub w_weigh: u32,
    /// Weight of calls whose kernels map an array that they do not use.
    pub w_survey: u32,
    /// Weight of calls whose hosts use a part that is empty with this build's extents.
    pub w_border: u32,
    /// A kernel has a copy of an array.
    pub p_copied: u32,
    /// The host evaluates something for a kernel that the device has written.
    pub p_asks: u32,
    /// Memory comes from functions of the program.
    pub allocators: bool,
    /// A condition asks for a macro that is 0 or 1, and so does `#if` around statements: of either so many percent.
    pub p_flag: u32,
    pub p_directive: u32,
    /// A `switch` leads into a loop, or its index wraps around.
    pub p_entered: u32,
    /// Functions enter and leave what is on the device, and kernels rely on it.
    pub managed: bool,
    /// Blocks hide names of the whole program.
    pub hides: bool,
    /// The programs are about an opaque handle, and only this counts.
    pub handles: bool,
    /// The programs are about numbers, and only this counts.
    pub numbers: bool,
    /// A loop is about pointers that are chosen by a test, and an array has others that are like it.
    pub p_choice: u32,
    /// Weight of statements about pointers that are chosen by a test.
    pub w_choice: u32,
    /// The programs are about rows of variable length, and only this counts.
    pub rows: bool,
    /// A block gets a data region by hand.
    pub p_hand: u32,
    /// Directives name devices.
    pub devices: DeviceTrap,
}

/// Which devices directives name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceTrap {
    Never,
    /// All of a program name one.
    One,
    /// The directives of a program name several, or only some name one.
    Several,
}

impl Traps {
    /// The weight of host statements that are traps.
    pub fn any(&self) -> u32 {
        let code = self.w_raise + self.w_meet + self.w_back;
        self.w_guarded + self.w_tokens + code + self.w_weigh + self.w_survey + self.w_border
    }
}

/// No traps.
pub const NONE: Traps = Traps {
    n: (10, 33),
    p_focus: 0,
    p_macro: 0,
    configurable: false,
    w_unsigned: 0,
    p_edge: 0,
    p_mark: 0,
    p_zero: 0,
    p_optional: 0,
    w_when: 0,
    w_guarded: 0,
    p_record: 0,
    p_text: 0,
    w_tokens: 0,
    w_raise: 0,
    w_meet: 0,
    w_back: 0,
    w_weigh: 0,
    w_survey: 0,
    w_border: 0,
    p_copied: 0,
    p_asks: 0,
    allocators: false,
    p_flag: 0,
    p_directive: 0,
    p_entered: 0,
    managed: false,
    hides: false,
    handles: false,
    numbers: false,
    rows: false,
    p_choice: 0,
    w_choice: 0,
    p_hand: 0,
    devices: DeviceTrap::Never,
};

/// Programs about numbers.
pub const NUMBERS: Traps = Traps { numbers: true, ..NONE };

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
        name: "rows",
        speculation_safe: true,
        traps: Traps { rows: true, ..SOME },
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
];
