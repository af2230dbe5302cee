//! How often what turns up in programs of plain loops.

/// Percentages, but for the name.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// An array parameter gets the array that another one of the call has, or a part of that.
    pub p_same: u32,
    /// What a parameter gets begins in the middle of an array.
    pub p_middle: u32,
    /// Arrays that functions reach without being given them: globals, members of the structure.
    pub p_shared: u32,
    /// An array in a function is one of those.
    pub p_direct: u32,
    /// A parameter is `restrict`; only where no two parameters get the same.
    pub p_restrict: u32,
    /// A second pointer into an array, made in a function.
    pub p_pointer: u32,
    /// Helpers in statements and expressions.
    pub p_helper: u32,
    /// A kernel of the user's own.
    pub p_kernel: u32,
    /// Arrays of two dimensions.
    pub p_grid: u32,
    /// Arrays in floating point.
    pub p_double: u32,
    /// Loops stand in a loop over time steps, perhaps with buffers that trade places.
    pub p_time: u32,
    /// A function has an array that callers need not give.
    pub p_optional: u32,
    /// Sums are cut to narrower types, and subscripts are computed in types that wrap around.
    pub p_narrow: u32,
    /// What a second pointer points to is looked up in a table of pointers.
    pub p_table: u32,
    /// A loop's bound is an element of an array, which the loop may write.
    pub p_bound: u32,
}

const LOOPS: Weights = Weights {
    p_same: 0,
    p_middle: 8,
    p_shared: 25,
    p_direct: 0,
    p_restrict: 12,
    p_pointer: 0,
    p_helper: 12,
    p_kernel: 6,
    p_grid: 30,
    p_double: 30,
    p_time: 12,
    p_optional: 20,
    p_narrow: 4,
    p_table: 20,
    p_bound: 0,
};

/// Arrays that are apart.
pub const APART: Weights = LOOPS;

/// Functions that are called with the same array twice, and with parts of it.
pub const ALIAS: Weights = Weights {
    p_same: 50,
    p_middle: 35,
    p_shared: 40,
    p_direct: 20,
    p_restrict: 0,
    p_pointer: 15,
    p_bound: 15,
    ..LOOPS
};

/// Helpers, globals, members, time loops.
pub const WHOLE: Weights = Weights {
    p_same: 15,
    p_middle: 10,
    p_shared: 60,
    p_direct: 45,
    p_restrict: 0,
    p_pointer: 14,
    p_optional: 30,
    p_narrow: 8,
    p_table: 50,
    p_helper: 35,
    p_kernel: 12,
    p_time: 30,
    p_bound: 6,
    ..LOOPS
};
