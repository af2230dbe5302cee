//! The frame around encoded facts: it says what the bytes are, and refuses what is not whole.
//!
//! | offset | size | what |
//! |---|---|---|
//! | 0 | 8 | `89 4f 4d 50 53 0d 0a 1a`: `OMPS` between bytes that a transfer as text would change |
//! | 8 | 4 | number of the format |
//! | 12 | 4 | what is inside |
//! | 16 | 16 | version of the tool, ASCII, filled up with zeros |
//! | 32 | 8 | length of the payload in the file |
//! | 40 | 8 | its length unpacked |
//! | 48 | 32 | BLAKE3 of the 48 bytes before and the payload |
//! | 80 | | the payload, packed as an LZ4 block |
//!
//! Numbers are little-endian. The first two fields stay where they are in every format to come.

use super::error::FactsProblem;
use super::format::{FORMAT, TOOL};
use blake3::{Hash, Hasher};

const MAGIC: &[u8; 8] = b"\x89OMPS\r\n\x1a";
/// Bytes before the payload.
pub(super) const HEADER: usize = 80;
/// Bytes before the checksum, which covers them.
const CHECKED: usize = 48;
/// Bytes of the tool's version.
const TOOL_BYTES: usize = 16;
const _: () = assert!(TOOL.len() <= TOOL_BYTES);

/// What a container holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ContainerKind {
    /// The facts of one file.
    Unit = 1,
    /// Hashes of files on disk.
    Hashes = 2,
    /// Bytes of somebody else.
    Bytes = 3,
}

/// `payload` in its frame.
pub(super) fn wrap(kind: ContainerKind, payload: &[u8]) -> Vec<u8> {
    let bound = lz4_flex::block::get_maximum_output_size(payload.len());
    let mut bytes = vec![0; HEADER + bound];
    // Into a place that is large enough for anything, this cannot fail.
    let packed = lz4_flex::compress_into(payload, &mut bytes[HEADER..]).unwrap_or(0);
    bytes.truncate(HEADER + packed);
    bytes[..8].copy_from_slice(MAGIC);
    bytes[8..12].copy_from_slice(&FORMAT.to_le_bytes());
    bytes[12..16].copy_from_slice(&(kind as u32).to_le_bytes());
    bytes[16..16 + TOOL.len()].copy_from_slice(TOOL.as_bytes());
    bytes[32..40].copy_from_slice(&(packed as u64).to_le_bytes());
    bytes[40..48].copy_from_slice(&(payload.len() as u64).to_le_bytes());
    seal(&mut bytes);
    bytes
}

/// Writes the checksum of the rest.
pub(super) fn seal(bytes: &mut [u8]) {
    let checksum = checksum(bytes);
    bytes[CHECKED..HEADER].copy_from_slice(checksum.as_bytes());
}

/// The payload of a container of this kind.
pub(super) fn unwrap(kind: ContainerKind, bytes: &[u8]) -> Result<Vec<u8>, FactsProblem> {
    let promised = check_start(bytes)?;
    if bytes.len() < HEADER {
        return Err(FactsProblem::Truncated {
            have: bytes.len() as u64,
            want: HEADER as u64,
        });
    }
    let want = promised.saturating_add(HEADER as u64);
    if (bytes.len() as u64) < want {
        return Err(FactsProblem::Truncated {
            have: bytes.len() as u64,
            want,
        });
    }
    if bytes.len() as u64 > want {
        return Err(FactsProblem::Damaged("there is more than its length says"));
    }
    if Hash::from_bytes(array(&bytes[CHECKED..HEADER])) != checksum(bytes) {
        return Err(FactsProblem::Damaged("its checksum is wrong"));
    }
    if number32(bytes, 12) != kind as u32 {
        return Err(FactsProblem::OtherKind);
    }
    let unpacked = usize::try_from(number64(bytes, 40)).unwrap_or(usize::MAX);
    // LZ4 makes no more than 255 bytes of one.
    if unpacked / 255 > bytes.len() {
        return Err(FactsProblem::Damaged("its unpacked length is impossible"));
    }
    match lz4_flex::decompress(&bytes[HEADER..], unpacked) {
        Ok(payload) if payload.len() == unpacked => Ok(payload),
        _ => Err(FactsProblem::Damaged("it cannot be unpacked")),
    }
}

/// Looks at as much of a header as there is: whether the bytes are for this version, and how long a payload is promised.
pub(super) fn check_start(bytes: &[u8]) -> Result<u64, FactsProblem> {
    let ours = bytes.len().min(MAGIC.len());
    if bytes[..ours] != MAGIC[..ours] {
        return Err(FactsProblem::Foreign);
    }
    if bytes.len() < 12 {
        return Ok(0);
    }
    let found = number32(bytes, 8);
    if found != FORMAT {
        return Err(FactsProblem::OtherFormat { found });
    }
    if bytes.len() < HEADER {
        return Ok(0);
    }
    let field: [u8; TOOL_BYTES] = array(&bytes[16..16 + TOOL_BYTES]);
    let found = field.split(|&byte| byte == 0).next().unwrap_or_default();
    let filled = field[found.len()..].iter().all(|&byte| byte == 0);
    if found == TOOL.as_bytes() && filled {
        return Ok(number64(bytes, 32));
    }
    // Only a version that looks like one is repeated.
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b".-+".contains(byte);
    match std::str::from_utf8(found) {
        Ok(found) if filled && !found.is_empty() && found.bytes().all(|byte| plain(&byte)) => {
            Err(FactsProblem::OtherTool {
                found: found.to_owned(),
            })
        }
        _ => Err(FactsProblem::Damaged("its header makes no sense")),
    }
}

fn checksum(bytes: &[u8]) -> Hash {
    let mut hasher = Hasher::new();
    hasher.update(&bytes[..CHECKED]).update(&bytes[HEADER..]);
    hasher.finalize()
}

fn number32(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(array(&bytes[at..at + 4]))
}

fn number64(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(array(&bytes[at..at + 8]))
}

/// A slice that is `N` long.
fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(bytes);
    array
}
