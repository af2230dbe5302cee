//! Comments that stand in the places of what is hidden from a step, as long as that, so that no byte of the program moves.
//!
//! ```c
//! #pragma omp target device(gpu) map(a[0:n])      #pragma omp target /*~0~~~~~*/ map(a[0:n])
//! ```

/// What every stand-in begins with.
const BEGINS: &[u8] = b"/*~";

/// The numbered stand-in of so many bytes; `None` where it has no room.
pub(super) fn stand_in(number: usize, length: usize) -> Option<Vec<u8>> {
    let text = format!("/*~{number:~<width$}*/", width = length.checked_sub(BEGINS.len() + 2)?);
    (text.len() == length).then(|| text.into_bytes())
}

/// Whether a text has something that could be taken for one.
pub(super) fn has_stand_ins(text: &[u8]) -> bool {
    text.windows(BEGINS.len()).any(|there| there == BEGINS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stand_in_is_as_long_as_what_it_hides() {
        assert_eq!(stand_in(3, 9).as_deref(), Some(&b"/*~3~~~*/"[..]));
        assert_eq!(stand_in(1234, 9).as_deref(), Some(&b"/*~1234*/"[..]));
        assert_eq!((stand_in(12345, 9), stand_in(0, 4)), (None, None));
        assert!(has_stand_ins(b"a /*~3~~~*/") && !has_stand_ins(b"a /* ~ */"));
    }
}
