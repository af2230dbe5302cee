//! Facts to bytes and back.

use super::container::{self, ContainerKind};
use super::error::FactsProblem;
use super::unit::UnitFacts;

/// The facts as bytes; equal facts as equal ones.
pub fn encode(facts: &UnitFacts) -> Vec<u8> {
    container::wrap(ContainerKind::Unit, &payload(facts))
}

/// The facts that [`encode`] wrote.
///
/// # Errors
/// Why the bytes are not what this version wrote. No accident to them makes this panic, or take much more memory than
/// they have.
pub fn decode(bytes: &[u8]) -> Result<UnitFacts, FactsProblem> {
    let payload = container::unwrap(ContainerKind::Unit, bytes)?;
    match postcard::take_from_bytes(&payload) {
        Ok((facts, [])) => Ok(facts),
        _ => Err(FactsProblem::Damaged("its content makes no sense")),
    }
}

/// What stands in the container.
pub(super) fn payload(facts: &UnitFacts) -> Vec<u8> {
    // Every type in it has a known length and every number a form, so that there is nothing to fail at.
    postcard::to_stdvec(facts).unwrap_or_default()
}
