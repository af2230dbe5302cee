//! The devices that the directives of a program name.

/// Which directives have a `device` clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Devices {
    /// None has one.
    Default,
    /// All name the device of this number.
    One(DeviceForm, i64),
    /// Some name one, others another, and some none. Right only where nothing stays on a device between kernels.
    Several,
    /// Some name the default device, and some none.
    Partly,
}

/// What a `device` clause says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceForm {
    Number,
    Macro,
    /// A constant at file scope.
    Constant,
    /// A constant of each function.
    Local,
    /// What the function that runs the case hands to all others.
    Parameter,
}
