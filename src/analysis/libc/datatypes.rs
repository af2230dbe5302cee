//! How large the elements of MPI datatypes are, by what implementations have in their places.
//!
//! ```text
//! ompi_mpi_double      Open MPI: the address of a global, by its name
//! 0x4c00080b           MPICH: 0x4c00, the size in bytes, and a number
//! ```
//!
//! Derived datatypes, and those of other implementations, have no size here.

/// The datatypes of C whose sizes are the same on all machines that the tool is for, as Open MPI calls them.
const SIZES: [(&str, u64); 14] = [
    ("char", 1),
    ("signed_char", 1),
    ("unsigned_char", 1),
    ("byte", 1),
    ("int8_t", 1),
    ("short", 2),
    ("int", 4),
    ("unsigned", 4),
    ("float", 4),
    ("int32_t", 4),
    ("long", 8),
    ("unsigned_long", 8),
    ("double", 8),
    ("int64_t", 8),
];

/// What the handles of MPICH's own datatypes begin with.
const OWN: i128 = 0x4c00;

/// The bytes of an element of the datatype that a global variable stands for.
pub fn bytes_of_global(name: &str) -> Option<u64> {
    let name = name.strip_prefix("ompi_mpi_")?;
    SIZES.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes)
}

/// The bytes of an element of the datatype that a number stands for.
pub fn bytes_of_handle(handle: i128) -> Option<u64> {
    let bytes = u64::try_from((handle >> 8) & 0xff).ok()?;
    (handle >> 16 == OWN && bytes > 0).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_both_implementations() {
        assert_eq!(
            (bytes_of_global("ompi_mpi_double"), bytes_of_handle(0x4c00080b)),
            (Some(8), Some(8))
        );
        assert_eq!(bytes_of_handle(0x4c000405), Some(4));
        assert_eq!(
            (bytes_of_global("ompi_mpi_mine"), bytes_of_global("double")),
            (None, None)
        );
        // A derived datatype, and what is no handle.
        assert_eq!(
            (bytes_of_handle(0x8c00_0801u32.into()), bytes_of_handle(2)),
            (None, None)
        );
    }
}
