//! How often each feature of the language turns up in the generated programs.
//!
//! A profile is data: percentages and relative weights. The named profiles lean on one trap each, so that a soak over
//! all of them meets every trap thousands of times; `everything` mixes them all.

use super::hostile::HOSTILE;
use super::traps::{self, Traps};
use crate::loops::weights::{self, Weights};

/// Tunable weights of the generator. Fields named `p_*` are percentages, `w_*` are relative weights among statements.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// The name that `PROFILE` selects it by.
    pub name: &'static str,
    /// The programs are plain loops, for `annotate`, and only this counts.
    pub loops: Option<Weights>,
    /// Every loop with kernels runs at least once and every kernel in it runs in at least one of its iterations, so that
    /// moving a copy in front of a loop can never move more than the naive program does.
    pub speculation_safe: bool,
    /// One case per file, with the code in `main`.
    pub whole_main: bool,
    /// The work happens in a function whose parameters are the arrays.
    pub p_work_function: u32,
    /// Lines end in CR LF.
    pub p_crlf: u32,
    /// Arrays per case, fewest and most.
    pub arrays: (i64, i64),
    /// Statements at the top of the body, fewest and most.
    pub statements: (i64, i64),
    /// Deepest nesting of control flow.
    pub depth: u32,
    /// An array of two dimensions.
    pub p_two_dims: u32,
    /// An array reached through a member of a structure.
    pub p_member: u32,
    /// A second name for an array, or a pointer into the middle of one.
    pub p_alias: u32,
    /// Two pointers that get swapped.
    pub p_pair: u32,
    /// Most helper functions in a case.
    pub helpers: i64,
    /// Further files, fewest and most.
    pub files: (i64, i64),
    /// A part of a program of several files stands in another file than the main one, or the work function does.
    pub p_far: u32,
    /// A helper is `static inline` and stands in the header.
    pub p_header: u32,
    /// A part of a program of several files is used in its own file alone, and `static`.
    pub p_hidden: u32,
    /// A `static` helper or array has a namesake in another file.
    pub p_twin: u32,
    /// A helper is given the structure.
    pub p_box: u32,
    /// A helper ends with a call into another file, and that one perhaps with another.
    pub p_chain: u32,
    /// Recursion goes through a function of another file.
    pub p_mutual: u32,
    /// Memory and second names come from functions of other files.
    pub p_made: u32,
    /// An extent is a variable of the whole program.
    pub p_global_size: u32,
    /// A helper with kernels is called again, in a data region and outside of it.
    pub p_again: u32,
    /// Weight of arrays, and of pointers, at file scope, among the storage of arrays.
    pub w_global: u32,
    /// A number that changes, or a pointer to now this and now that array.
    pub p_changing: u32,
    /// A kernel that does not cover the whole array it writes.
    pub p_partial: u32,
    /// A kernel that writes under a condition.
    pub p_kernel_if: u32,
    /// A branch on values that were read from arrays.
    pub p_data_branch: u32,
    /// Comments in odd places, continued pragmas, macros for loops and kernels, missing braces.
    pub p_style: u32,
    /// Weight of kernels.
    pub w_kernel: u32,
    /// Weight of host reads.
    pub w_read: u32,
    /// Weight of host writes.
    pub w_write: u32,
    /// Weight of `memset`, `memcpy`, `qsort`, `realloc`, scalars.
    pub w_misc: u32,
    /// Weight of loops.
    pub w_loop: u32,
    /// Weight of `if`.
    pub w_if: u32,
    /// Weight of `switch`.
    pub w_switch: u32,
    /// Weight of `break`, `continue`, `goto` and early return.
    pub w_jump: u32,
    /// Weight of calls.
    pub w_call: u32,
    /// Weight of pointer swaps.
    pub w_swap: u32,
    /// Weight of data regions that the user already wrote.
    pub w_region: u32,
    /// Weight of declarations in the middle of a block.
    pub w_declare: u32,
    /// Weight of changes of numbers and pointers.
    pub w_change: u32,
    /// What hostile programs do.
    pub traps: Traps,
}

/// Everything that careful programs do.
pub const EVERYTHING: Profile = Profile {
    name: "everything",
    loops: None,
    speculation_safe: false,
    whole_main: false,
    p_work_function: 35,
    p_crlf: 3,
    arrays: (2, 6),
    statements: (4, 11),
    depth: 3,
    p_two_dims: 25,
    p_member: 15,
    p_alias: 35,
    p_pair: 30,
    helpers: 3,
    files: (0, 0),
    p_far: 0,
    p_header: 0,
    p_hidden: 0,
    p_twin: 0,
    p_box: 0,
    p_chain: 0,
    p_mutual: 0,
    p_made: 0,
    p_global_size: 0,
    p_again: 0,
    w_global: 0,
    p_changing: 20,
    p_partial: 30,
    p_kernel_if: 20,
    p_data_branch: 20,
    p_style: 20,
    w_kernel: 40,
    w_read: 14,
    w_write: 14,
    w_misc: 10,
    w_loop: 16,
    w_if: 10,
    w_switch: 3,
    w_jump: 5,
    w_call: 10,
    w_swap: 7,
    w_region: 4,
    w_declare: 4,
    w_change: 4,
    traps: traps::NONE,
};

const FILES: Profile = Profile {
    helpers: 4,
    w_call: 20,
    files: (1, 2),
    p_far: 60,
    p_header: 8,
    p_hidden: 20,
    p_twin: 25,
    p_box: 30,
    p_chain: 35,
    p_mutual: 30,
    p_made: 25,
    p_global_size: 15,
    p_again: 25,
    w_global: 20,
    ..EVERYTHING
};

const PROGRAM: Profile = Profile {
    p_work_function: 45,
    arrays: (3, 7),
    p_member: 35,
    helpers: 6,
    w_call: 34,
    files: (1, 3),
    p_far: 75,
    p_header: 15,
    p_hidden: 30,
    p_twin: 60,
    p_box: 70,
    p_chain: 70,
    p_mutual: 60,
    p_made: 55,
    p_global_size: 35,
    p_again: 50,
    w_global: 60,
    ..FILES
};

/// Mappings by hand around what careful programs do.
const HAND: Profile = Profile {
    p_member: 5,
    w_region: 0,
    traps: Traps {
        p_hand: 65,
        ..traps::NONE
    },
    ..EVERYTHING
};

/// All named profiles of programs with kernels; the first is the default.
pub const PROFILES: &[Profile] = &[
    EVERYTHING,
    Profile {
        name: "safe",
        speculation_safe: true,
        ..EVERYTHING
    },
    Profile {
        name: "control",
        depth: 4,
        helpers: 1,
        w_loop: 26,
        w_if: 20,
        w_switch: 10,
        w_jump: 14,
        p_data_branch: 35,
        ..EVERYTHING
    },
    Profile {
        name: "aliases",
        p_alias: 80,
        p_pair: 70,
        w_swap: 14,
        w_declare: 10,
        p_member: 30,
        p_work_function: 50,
        ..EVERYTHING
    },
    Profile {
        name: "calls",
        helpers: 5,
        w_call: 34,
        p_alias: 50,
        ..EVERYTHING
    },
    Profile {
        name: "callees",
        p_two_dims: 10,
        p_alias: 5,
        p_pair: 5,
        p_partial: 10,
        p_kernel_if: 5,
        p_style: 5,
        helpers: 5,
        w_call: 40,
        w_if: 20,
        w_misc: 4,
        w_swap: 1,
        w_region: 0,
        ..EVERYTHING
    },
    Profile {
        name: "changes",
        p_two_dims: 10,
        p_pair: 5,
        p_changing: 85,
        p_style: 5,
        helpers: 2,
        w_write: 22,
        w_loop: 24,
        w_jump: 14,
        w_misc: 4,
        w_change: 22,
        w_region: 1,
        ..EVERYTHING
    },
    Profile {
        name: "sections",
        p_two_dims: 50,
        p_partial: 75,
        p_kernel_if: 35,
        w_read: 24,
        w_write: 24,
        helpers: 1,
        ..EVERYTHING
    },
    Profile {
        name: "regions",
        w_region: 24,
        helpers: 2,
        ..EVERYTHING
    },
    Profile {
        name: "style",
        p_style: 75,
        p_crlf: 50,
        whole_main: true,
        ..EVERYTHING
    },
    Profile {
        name: "main",
        whole_main: true,
        p_work_function: 0,
        ..EVERYTHING
    },
    Profile {
        name: "plain",
        speculation_safe: true,
        p_two_dims: 10,
        p_member: 0,
        p_alias: 0,
        p_pair: 10,
        helpers: 1,
        p_style: 0,
        p_crlf: 0,
        w_switch: 0,
        w_jump: 0,
        w_region: 0,
        ..EVERYTHING
    },
    Profile {
        name: "files",
        speculation_safe: true,
        ..FILES
    },
    Profile {
        name: "program",
        ..PROGRAM
    },
    Profile {
        name: "program-safe",
        speculation_safe: true,
        ..PROGRAM
    },
    Profile {
        name: "hand",
        speculation_safe: true,
        ..HAND
    },
    Profile {
        name: "hand-bold",
        ..HAND
    },
    Profile {
        name: "hand-files",
        speculation_safe: true,
        traps: HAND.traps,
        ..FILES
    },
];

/// The profiles of programs of plain loops.
pub const LOOPS: &[Profile] = &[
    Profile {
        name: "loops",
        loops: Some(weights::APART),
        ..EVERYTHING
    },
    Profile {
        name: "loops-alias",
        loops: Some(weights::ALIAS),
        ..EVERYTHING
    },
    Profile {
        name: "loops-whole",
        loops: Some(weights::WHOLE),
        ..EVERYTHING
    },
    Profile {
        name: "loops-numbers",
        loops: Some(weights::APART),
        traps: traps::NUMBERS,
        ..EVERYTHING
    },
];

impl Profile {
    /// The profile called `name`, if there is one.
    pub fn named(name: &str) -> Option<&'static Profile> {
        PROFILES.iter().chain(HOSTILE).chain(LOOPS).find(|p| p.name == name)
    }
}
