//! What the library table says of a call without looking at its arguments.

use super::sets::EffectSet;
use crate::analysis::libc::LibFn;

/// The flags of a library function.
pub fn flags(table: &LibFn) -> EffectSet {
    EffectSet {
        may_not_return: table.noreturn || table.exits,
        may_jump: (table.noreturn && !table.ends) || table.exits,
        never_returns: table.noreturn,
        io: table.io,
        state: table.state,
        device_api: table.device,
        ..EffectSet::default()
    }
}
