//! What hostile programs do beyond what careful ones do. [`super::hostile`] has the profiles that lean on it.

use crate::hosts;

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
    /// What is written by one of two names for an array is lost where the other says that nothing comes back.
    pub loses: bool,
    /// The programs are about rows of variable length, and only this counts.
    pub rows: bool,
    /// The programs are about what the host does beside kernels, and only this counts.
    pub hosts: Option<hosts::Kind>,
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
    loses: false,
    rows: false,
    hosts: None,
    p_choice: 0,
    w_choice: 0,
    p_hand: 0,
    devices: DeviceTrap::Never,
};

/// Programs about numbers.
pub const NUMBERS: Traps = Traps { numbers: true, ..NONE };
