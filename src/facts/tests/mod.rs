//! Facts as bytes: what is written is read again, and nothing else is.

mod real;
pub(super) mod sample;

use super::codec::{decode, encode, payload};
use super::container::HEADER;
use super::error::FactsProblem;
use super::format::{FORMAT, TOOL};
use super::*;
use proptest::prelude::*;

#[test]
fn what_is_written_is_read_again() {
    let facts = sample::facts();
    let bytes = encode(&facts);
    let again = decode(&bytes).expect("these are facts");
    assert_eq!(format!("{facts:?}"), format!("{again:?}"));
    assert_eq!(encode(&again), bytes);
    assert_eq!(facts.identity(), again.identity());
}

/// If this fails, the form of the facts has changed. Give [`FORMAT`] its next number, then write the new hash here.
#[test]
fn the_format_is_the_one_of_its_number() {
    let hash = blake3::hash(&payload(&sample::facts())).to_hex();
    assert_eq!((FORMAT, &hash[..16]), (11, "1b928c65e81c8c64"));
}

#[test]
fn every_prefix_is_refused() {
    let bytes = encode(&sample::facts());
    for length in 0..bytes.len() {
        match decode(&bytes[..length]) {
            Err(FactsProblem::Truncated { have, want }) => {
                let all = if length < HEADER { HEADER } else { bytes.len() };
                assert_eq!((have, want), (length as u64, all as u64));
            }
            other => panic!("{length}: {other:?}"),
        }
    }
}

#[test]
fn every_flipped_bit_is_noticed() {
    let mut bytes = encode(&sample::facts());
    for bit in 0..bytes.len() * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(decode(&bytes).is_err(), "bit {bit}");
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
}

#[test]
fn messages_say_what_is_wrong_and_what_to_do() {
    let good = encode(&sample::facts());
    let said = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = good.clone();
        change(&mut bytes);
        let problem = decode(&bytes).expect_err("this is refused");
        problem.of("x.omps").to_string()
    };
    let messages = [
        said(&|bytes| bytes.clear()),
        said(&|bytes| bytes.truncate(100)),
        said(&|bytes| bytes.push(0)),
        said(&|bytes| bytes[..7].copy_from_slice(b"#define")),
        said(&|bytes| bytes[8] = 0xff),
        said(&|bytes| bytes[16..24].copy_from_slice(b"0.9.12-b")),
        said(&|bytes| bytes[16..18].copy_from_slice(b"\x1b\n")),
        said(&|bytes| bytes[HEADER] ^= 1),
        said(&|bytes| *bytes = container::wrap(container::ContainerKind::Bytes, b"other")),
        said(&|bytes| *bytes = container::wrap(container::ContainerKind::Unit, b"other")),
    ];
    let messages = messages.join("\n").replace(TOOL, "VERSION");
    insta::assert_snapshot!(messages.replace(&format!("reads format {FORMAT};"), "reads format FORMAT;"), @"
    x.omps: is cut off after 0 bytes of 80; make the summary again
    x.omps: is cut off after 100 bytes of 809; make the summary again
    x.omps: is damaged (there is more than its length says); make the summary again
    x.omps: is no summary; name what `ompmemopt summarize` wrote
    x.omps: is a summary in format 255, and ompmemopt VERSION reads format FORMAT; make it again with this version
    x.omps: is a summary made by ompmemopt 0.9.12-b, and this is VERSION; make it again with this version
    x.omps: is damaged (its header makes no sense); make the summary again
    x.omps: is damaged (its checksum is wrong); make the summary again
    x.omps: holds something else than the summary of a file; name what `ompmemopt summarize` wrote
    x.omps: is damaged (its content makes no sense); make the summary again
    ");
}

/// A container with any payload, and a header that is right but for some of its fields.
fn forged() -> impl Strategy<Value = Vec<u8>> {
    let payload = prop::collection::vec(any::<u8>(), 0..400);
    let field = prop::option::weighted(0.3, any::<u64>());
    (payload, field.clone(), field, any::<bool>()).prop_map(|(payload, length, unpacked, packed)| {
        let mut bytes = container::wrap(container::ContainerKind::Unit, &payload);
        if !packed {
            bytes.truncate(HEADER);
            bytes.extend(&payload);
            bytes[32..40].copy_from_slice(&(payload.len() as u64).to_le_bytes());
        }
        for (at, number) in [(32, length), (40, unpacked)] {
            if let Some(number) = number {
                bytes[at..at + 8].copy_from_slice(&number.to_le_bytes());
            }
        }
        container::seal(&mut bytes);
        bytes
    })
}

proptest! {
    #[test]
    fn noise_is_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(decode(&bytes).is_err());
    }

    /// Even under a right checksum there is no panic and no allocation beyond reason.
    #[test]
    fn forgeries_are_survived(bytes in forged()) {
        let _ = decode(&bytes);
    }

    /// Facts with bytes exchanged inside, under a right checksum.
    #[test]
    fn changed_contents_are_survived(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)) {
        let mut inside = payload(&sample::facts());
        for (at, byte) in changes {
            let at = at.index(inside.len());
            inside[at] = byte;
        }
        let _ = decode(&container::wrap(container::ContainerKind::Unit, &inside));
    }

    #[test]
    fn several_changes_are_noticed(changes in prop::collection::vec((any::<prop::sample::Index>(), 1u8..), 1..6)) {
        let good = encode(&sample::facts());
        let mut bytes = good.clone();
        for (at, change) in changes {
            let at = at.index(bytes.len());
            bytes[at] ^= change;
        }
        prop_assert_eq!(decode(&bytes).is_ok(), bytes == good);
    }
}
