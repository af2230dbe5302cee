//! Values that differ between ranks.

use super::scope::Scope;
use crate::collectives::generator::builder::{Builder, Value};
use crate::collectives::generator::features::Feature;
use crate::collectives::generator::flows;
use crate::collectives::generator::tree::{branch, line};

/// Where a value that differs between ranks is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    Rank,
    /// The rank, asked for again.
    RankAgain,
    /// The rank in the communicator's group.
    GroupRank,
    /// What only one rank read and nobody sent.
    ReadOnOne,
    Scatter,
    Scan,
    Exscan,
    /// What a neighbour sent.
    Received,
    /// What only the root has.
    Reduce,
    Alltoall,
    /// Sent to all ranks of a part of the ranks.
    BcastInParts,
    /// The number of ranks in the own part.
    SizeOfPart,
}

/// Every origin; those after the fourth communicate.
pub const ORIGINS: [Origin; 12] = [
    Origin::Rank,
    Origin::RankAgain,
    Origin::GroupRank,
    Origin::ReadOnOne,
    Origin::Scatter,
    Origin::Scan,
    Origin::Exscan,
    Origin::Received,
    Origin::Reduce,
    Origin::Alltoall,
    Origin::BcastInParts,
    Origin::SizeOfPart,
];

/// A value that differs between ranks, after up to `most` ways; `speaks` says whether it may be communicated.
pub fn value(b: &mut Builder, at: &Scope, speaks: bool, most: i64) -> Value {
    let origin = if b.rng.chance(40) {
        Origin::Rank
    } else {
        b.pick(&ORIGINS[..if speaks && at.whole { ORIGINS.len() } else { 4 }])
    };
    let value = from(b, at, origin);
    flows::flows(b, value, &at.around(), most)
}

/// A value from `origin`.
pub fn from(b: &mut Builder, at: &Scope, origin: Origin) -> Value {
    b.note(Feature::MpiDivergent(origin));
    match origin {
        Origin::Rank => Value::plain(at.names.rank.clone(), vec![0, 1, 2]),
        Origin::RankAgain | Origin::GroupRank | Origin::ReadOnOne => silent(b, at, origin),
        Origin::BcastInParts | Origin::SizeOfPart => parted(b, at, origin),
        _ => spoken(b, at, origin),
    }
}

fn silent(b: &mut Builder, at: &Scope, origin: Origin) -> Value {
    let name = b.name("r");
    let mut each = vec![0, 1, 2];
    let setup = match origin {
        Origin::GroupRank => {
            let group = b.name("group");
            vec![
                line(format!("int {name};")),
                line(format!("MPI_Group {group};")),
                line(format!("MPI_Comm_group(MPI_COMM_WORLD, &{group});")),
                line(format!("MPI_Group_rank({group}, &{name});")),
                line(format!("MPI_Group_free(&{group});")),
            ]
        }
        Origin::ReadOnOne => {
            let (one, n) = (b.rng.range(0, 2), b.rng.range(1, 4));
            each = vec![0; 3];
            each[one as usize] = n;
            let read = vec![line(format!("{name} = {n};"))];
            vec![
                line(format!("int {name} = 0;")),
                branch(format!("{} == {one}", at.names.rank), read, Vec::new()),
            ]
        }
        _ => vec![
            line(format!("int {name};")),
            line(format!("MPI_Comm_rank(MPI_COMM_WORLD, &{name});")),
        ],
    };
    Value {
        setup,
        expr: name,
        each,
    }
}

fn spoken(b: &mut Builder, at: &Scope, origin: Origin) -> Value {
    let (rank, size, comm) = (&at.names.rank, &at.names.size, &at.names.comm);
    let (name, mine) = (b.name("r"), b.name("mine"));
    let start = line(format!("int {mine} = {rank} + 1, {name} = 0;"));
    let combined = format!("&{mine}, &{name}, 1, MPI_INT, MPI_SUM");
    let backwards = at.first != 0;
    let (setup, each) = match origin {
        Origin::Scatter | Origin::Alltoall => {
            let (every, got, i) = (b.name("every"), b.name("got"), b.name("i"));
            let fill = line(format!("for (int {i} = 0; {i} < 64; {i}++) {every}[{i}] = {i} * 2;"));
            let each = if backwards { vec![4, 2, 0] } else { vec![0, 2, 4] };
            if origin == Origin::Scatter {
                let call = format!("MPI_Scatter({every}, 1, MPI_INT, &{name}, 1, MPI_INT, 0, {comm});");
                (
                    vec![line(format!("int {every}[64], {name} = 0;")), fill, line(call)],
                    each,
                )
            } else {
                let call = format!("MPI_Alltoall({every}, 1, MPI_INT, {got}, 1, MPI_INT, {comm});");
                let take = line(format!("int {name} = {got}[0];"));
                (
                    vec![line(format!("int {every}[64], {got}[64];")), fill, line(call), take],
                    each,
                )
            }
        }
        Origin::Scan => {
            let each = if backwards { vec![6, 5, 3] } else { vec![1, 3, 6] };
            (vec![start, line(format!("MPI_Scan({combined}, {comm});"))], each)
        }
        Origin::Exscan => {
            let (call, mend) = (
                line(format!("MPI_Exscan({combined}, {comm});")),
                branch(
                    format!("{rank} == {}", at.first),
                    vec![line(format!("{name} = 0;"))],
                    Vec::new(),
                ),
            );
            (
                vec![start, call, mend],
                if backwards { vec![5, 3, 0] } else { vec![0, 1, 3] },
            )
        }
        Origin::Reduce => {
            let mut each = vec![0; 3];
            each[at.first as usize] = 6;
            (vec![start, line(format!("MPI_Reduce({combined}, 0, {comm});"))], each)
        }
        _ => {
            let call = format!(
                "MPI_Sendrecv(&{mine}, 1, MPI_INT, ({rank} + 1) % {size}, 5, &{name}, 1, MPI_INT, \
                 ({rank} + {size} - 1) % {size}, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
            );
            (vec![start, line(call)], vec![3, 1, 2])
        }
    };
    Value {
        setup,
        expr: name,
        each,
    }
}

fn parted(b: &mut Builder, at: &Scope, origin: Origin) -> Value {
    let (rank, comm) = (&at.names.rank, &at.names.comm);
    let (name, part) = (b.name("r"), b.name("part"));
    let mut setup = vec![
        line(format!("int {name} = {rank};")),
        line(format!("MPI_Comm {part};")),
        line(format!("MPI_Comm_split({comm}, {rank} % 2, {rank}, &{part});")),
    ];
    let (call, each) = if origin == Origin::SizeOfPart {
        (format!("MPI_Comm_size({part}, &{name});"), vec![2, 1, 2])
    } else {
        (format!("MPI_Bcast(&{name}, 1, MPI_INT, 0, {part});"), vec![0, 1, 0])
    };
    setup.push(line(call));
    setup.push(line(format!("MPI_Comm_free(&{part});")));
    Value {
        setup,
        expr: name,
        each,
    }
}
